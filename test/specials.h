/* What elementwise kernels make of special inputs. */
#ifndef NL_TEST_SPECIALS_H
#define NL_TEST_SPECIALS_H

#include <float.h>
#include <math.h>

/* Results to the bit, or to `near` numbers up or down: as many as the bound allows from the exact
 * result. What is near is neither infinite nor zero, but that from 0 on it may be either zero's
 * neighbours of its sign or zero itself. A NaN stands for any quiet one. */
typedef struct {
    double x, want;
    unsigned near;
} special;

/* The same of two sources; near: to so many units. */
typedef struct {
    double u, g, want;
    unsigned near;
} special2;

/* ---- exp ------------------------------------------------------------------------------------- */

static const special special_exp_f32[] = {
    {0.0, 1, 0},
    {-0.0, 1, 0},
    {-INFINITY, 0, 0},
    {INFINITY, INFINITY, 0},
    {1, 0x1.5bf0a8p1f, 1},
    /* overflow: the last finite result and what follows */
    {0x1.62e42ep6f, 0x1.ffff08p127f, 1},
    {0x1.62e43p6f, INFINITY, 0},
    {89, INFINITY, 0},
    {FLT_MAX, INFINITY, 0},
    /* underflow: the last normal result, subnormals, zero */
    {-0x1.5d589ep6f, 0x1.00004cp-126f, 1},
    {-0x1.5d5c28p6f, 0x1.fe3c6p-127f, 1},
    {-88, 0x1.07b71p-127f, 1},
    {-100, 0x1.bp-145f, 1},
    {-103, 0x1p-149f, 1},
    {-0x1.9fe148p6f, 0x1p-149f, 1},
    {-0x1.9feb86p6f, 0, 0},
    {-104, 0, 0},
    {-1000, 0, 0},
    {-FLT_MAX, 0, 0},
};

static const special special_exp_f16[] = {
    {0.0, 1, 0},
    {-0.0, 1, 0},
    {-INFINITY, 0.0, 0},
    {INFINITY, INFINITY, 0},
    {0x1p-24, 1, 0},
    {-0x1p-24, 1, 0},
    {1, 0x1.5cp1, 0},
    {-1, 0x1.78cp-2, 0},
    /* overflow: the last finite result and what follows */
    {0x1.62cp3, 65248, 0},
    {0x1.63p3, INFINITY, 0},
    {65504, INFINITY, 0},
    /* underflow: the last normal result, subnormals, zero */
    {-0x1.368p3, 0x1.004p-14, 0},
    {-0x1.36cp3, 0x1.fc8p-15, 0},
    {-12, 0x1.9cp-18, 0},
    {-16, 0x1p-23, 0},
    {-0x1.154p4, 0x1p-24, 0},
    {-0x1.158p4, 0.0, 0},
    {-65504, 0.0, 0},
};

static const special special_exp_bf16[] = {
    {0.0, 1, 0},
    {-0.0, 1, 0},
    {-INFINITY, 0.0, 0},
    {INFINITY, INFINITY, 0},
    {0x1p-133, 1, 0},
    {-0x1p-133, 1, 0},
    {1, 0x1.5cp1, 0},
    {-1, 0x1.78p-2, 0},
    /* overflow: the last finite result and what follows */
    {0x1.62p6, 0x1.9ap127, 0},
    {89, INFINITY, 0},
    {0x1.fep127, INFINITY, 0},
    /* underflow: the last normal result, subnormals, zero */
    {-87, 0x1.66p-126, 0},
    {-0x1.5ep6, 0x1.b4p-127, 0},
    {-90, 0x1.2p-130, 0},
    {-92, 0x1p-133, 0},
    {-0x1.72p6, 0x1p-133, 0},
    {-93, 0.0, 0},
    {-0x1.fep127, 0.0, 0},
};

/* ---- log ------------------------------------------------------------------------------------- */

static const special special_log_f32[] = {
    {1, 0, 0},
    {0.0, -INFINITY, 0},
    {-0.0, -INFINITY, 0},
    {INFINITY, INFINITY, 0},
    {-0x1p-149f, NAN, 0},
    {-FLT_MIN, NAN, 0},
    {-1, NAN, 0},
    {-FLT_MAX, NAN, 0},
    {-INFINITY, NAN, 0},
    {0x1p-149f, -0x1.9d1dap6f, 1},
    {0x1p-127f, -0x1.601e68p6f, 1},
    {0x1.fffffcp-127f, -0x1.5d58ap6f, 1},
    {FLT_MIN, -0x1.5d58ap6f, 1},
    {FLT_MAX, 0x1.62e43p6f, 1},
    {0x1.fffffep-1f, -0x1p-24f, 1},
    {0x1.000002p0f, 0x1.fffffep-24f, 1},
};

static const special special_log_f16[] = {
    {1, 0.0, 0},
    {0.0, -INFINITY, 0},
    {-0.0, -INFINITY, 0},
    {INFINITY, INFINITY, 0},
    {-0x1p-24, NAN, 0},
    {-0x1p-14, NAN, 0},
    {-1, NAN, 0},
    {-65504, NAN, 0},
    {-INFINITY, NAN, 0},
    {0x1p-24, -0x1.0a4p4, 0},
    {0x1.8p-23, -0x1.f14p3, 0},
    {0x1.ff8p-15, -0x1.368p3, 0},
    {0x1p-14, -0x1.368p3, 0},
    {0x1.ffcp-1, -0x1p-11, 0},
    {0x1.004p0, 0x1.ffcp-11, 0},
    {65504, 0x1.63p3, 0},
};

static const special special_log_bf16[] = {
    {1, 0.0, 0},
    {0.0, -INFINITY, 0},
    {-0.0, -INFINITY, 0},
    {INFINITY, INFINITY, 0},
    {-0x1p-133, NAN, 0},
    {-0x1p-126, NAN, 0},
    {-1, NAN, 0},
    {-0x1.fep127, NAN, 0},
    {-INFINITY, NAN, 0},
    {0x1p-133, -92, 0},
    {0x1.8p-132, -91, 0},
    {0x1.fcp-127, -0x1.5ep6, 0},
    {0x1p-126, -0x1.5ep6, 0},
    {0x1.fep-1, -0x1p-8, 0},
    {0x1.02p0, 0x1.fep-8, 0},
    {0x1.fep127, 0x1.62p6, 0},
};

/* ---- sigmoid --------------------------------------------------------------------------------- */

static const special special_sigmoid_f32[] = {
    {0.0, .5, 0},
    {-0.0, .5, 0},
    {-INFINITY, 0.0, 0},
    {INFINITY, 1, 0},
    {0x1p-149, 0x1p-1, 2},
    {-0x1p-149, 0x1p-1, 2},
    {0x1p-126, 0x1p-1, 2},
    {-0x1p-126, 0x1p-1, 2},
    {1, 0x1.764d5p-1, 2},
    {-1, 0x1.136562p-2, 2},
    /* the last result below 1 and what follows */
    {0x1.154244p4, 0x1.fffffep-1, 1},
    {0x1.154246p4, 0x1.fffffep-1, 1},
    {0x1.93e594p98, 1, 0},
    {0x1.fffffep127, 1, 0},
    /* underflow: the last normal result, subnormals, zero */
    {-0x1.5d589ep6, 0x1.00004cp-126, 2},
    {-0x1.5d58ap6, 0x1.ffff98p-127, 2},
    {-88, 0x1.07b71p-127, 2},
    {-90, 0x1.1d85p-130, 2},
    {-92, 0x1.3521p-133, 2},
    {-100, 0x1.bp-145, 2},
    {-103, 0.0, 3},
    {-0x1.9fe368p6, 0.0, 2},
    {-0x1.9fe36ap6, 0.0, 2},
    {-0x1.93e594p98, 0.0, 0},
    {-0x1.fffffep127, 0.0, 0},
};

static const special special_sigmoid_f16[] = {
    {0.0, .5, 0},
    {-0.0, .5, 0},
    {-INFINITY, 0.0, 0},
    {INFINITY, 1, 0},
    {0x1p-24, 0x1p-1, 0},
    {-0x1p-24, 0x1p-1, 0},
    {0x1p-14, 0x1p-1, 0},
    {-0x1p-14, 0x1p-1, 0},
    {1, 0x1.764p-1, 0},
    {-1, 0x1.138p-2, 0},
    /* the last result below 1 and what follows */
    {0x1.0ap3, 0x1.ffcp-1, 0},
    {0x1.0a4p3, 1, 0},
    {65504, 1, 0},
    /* underflow: the last normal result, subnormals, zero */
    {-0x1.368p3, 0x1.004p-14, 0},
    {-0x1.36cp3, 0x1.fc8p-15, 0},
    {-12, 0x1.9cp-18, 0},
    {-15, 0x1.4p-22, 0},
    {-0x1.154p4, 0x1p-24, 0},
    {-0x1.158p4, 0.0, 0},
    {-65504, 0.0, 0},
};

static const special special_sigmoid_bf16[] = {
    {0.0, .5, 0},
    {-0.0, .5, 0},
    {-INFINITY, 0.0, 0},
    {INFINITY, 1, 0},
    {0x1p-133, 0x1p-1, 0},
    {-0x1p-133, 0x1p-1, 0},
    {0x1p-126, 0x1p-1, 0},
    {-0x1p-126, 0x1p-1, 0},
    {1, 0x1.76p-1, 0},
    {-1, 0x1.14p-2, 0},
    /* the last result below 1 and what follows */
    {0x1.8ep2, 0x1.fep-1, 0},
    {0x1.9p2, 1, 0},
    {0x1.94p98, 1, 0},
    {0x1.fep127, 1, 0},
    /* underflow: the last normal result, subnormals, zero */
    {-87, 0x1.66p-126, 0},
    {-0x1.5ep6, 0x1.b4p-127, 0},
    {-88, 0x1.08p-127, 0},
    {-90, 0x1.2p-130, 0},
    {-92, 0x1p-133, 0},
    {-0x1.72p6, 0x1p-133, 0},
    {-93, 0.0, 0},
    {-0x1.94p98, 0.0, 0},
    {-0x1.fep127, 0.0, 0},
};

/* ---- tanh ------------------------------------------------------------------------------------ */

static const special special_tanh_f32[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -1, 0},
    {INFINITY, 1, 0},
    /* the smallest are their own results */
    {0x1p-149, 0x1p-149, 0},
    {-0x1p-149, -0x1p-149, 0},
    {0x1.8p-148, 0x1.8p-148, 0},
    {-0x1.8p-148, -0x1.8p-148, 0},
    {0x1.fffffcp-127, 0x1.fffffcp-127, 0},
    {-0x1.fffffcp-127, -0x1.fffffcp-127, 0},
    {0x1p-126, 0x1p-126, 0},
    {-0x1p-126, -0x1p-126, 0},
    {0x1p-1, 0x1.d9353ep-2, 1},
    {-0x1p-1, -0x1.d9353ep-2, 1},
    {1, 0x1.85efacp-1, 1},
    {-1, -0x1.85efacp-1, 1},
    /* the last result below 1 and what follows */
    {0x1.205966p3, 0x1.fffffep-1, 1},
    {-0x1.205966p3, -0x1.fffffep-1, 1},
    {0x1.205968p3, 0x1.fffffep-1, 1},
    {-0x1.205968p3, -0x1.fffffep-1, 1},
    {0x1.19999ap3, 0x1.fffffep-1, 1},
    {9, 0x1.fffffep-1, 1},
    {20, 1, 0},
    {-20, -1, 0},
    {0x1.fffffep127, 1, 0},
    {-0x1.fffffep127, -1, 0},
};

static const special special_tanh_f16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -1, 0},
    {INFINITY, 1, 0},
    /* the smallest are their own results */
    {0x1p-24, 0x1p-24, 0},
    {-0x1p-24, -0x1p-24, 0},
    {0x1.8p-23, 0x1.8p-23, 0},
    {-0x1.8p-23, -0x1.8p-23, 0},
    {0x1.ff8p-15, 0x1.ff8p-15, 0},
    {-0x1.ff8p-15, -0x1.ff8p-15, 0},
    {0x1p-14, 0x1p-14, 0},
    {-0x1p-14, -0x1p-14, 0},
    {0x1p-1, 0x1.d94p-2, 0},
    {-0x1p-1, -0x1.d94p-2, 0},
    {1, 0x1.86p-1, 0},
    {-1, -0x1.86p-1, 0},
    /* the last result below 1 and what follows */
    {0x1.204p2, 0x1.ffcp-1, 0},
    {-0x1.204p2, -0x1.ffcp-1, 0},
    {0x1.208p2, 1, 0},
    {-0x1.208p2, -1, 0},
    {20, 1, 0},
    {-20, -1, 0},
    {65504, 1, 0},
    {-65504, -1, 0},
};

static const special special_tanh_bf16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -1, 0},
    {INFINITY, 1, 0},
    /* the smallest are their own results */
    {0x1p-133, 0x1p-133, 0},
    {-0x1p-133, -0x1p-133, 0},
    {0x1.8p-132, 0x1.8p-132, 0},
    {-0x1.8p-132, -0x1.8p-132, 0},
    {0x1.fcp-127, 0x1.fcp-127, 0},
    {-0x1.fcp-127, -0x1.fcp-127, 0},
    {0x1p-126, 0x1p-126, 0},
    {-0x1p-126, -0x1p-126, 0},
    {0x1p-1, 0x1.dap-2, 0},
    {-0x1p-1, -0x1.dap-2, 0},
    {1, 0x1.86p-1, 0},
    {-1, -0x1.86p-1, 0},
    /* the last result below 1 and what follows */
    {0x1.bap1, 0x1.fep-1, 0},
    {-0x1.bap1, -0x1.fep-1, 0},
    {0x1.bcp1, 1, 0},
    {-0x1.bcp1, -1, 0},
    {20, 1, 0},
    {-20, -1, 0},
    {0x1.fep127, 1, 0},
    {-0x1.fep127, -1, 0},
};

/* ---- gelu ------------------------------------------------------------------------------------ */

static const special special_gelu_f32[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-149, 0.0, 3},
    {-0x1p-149, -0.0, 2},
    {0x1p-140, 0x1p-141, 2},
    {-0x1p-140, -0x1p-141, 2},
    {0x1.fffffcp-127, 0x1p-127, 2},
    {-0x1.fffffcp-127, -0x1.fffff8p-128, 2},
    {0x1p-126, 0x1p-127, 2},
    {-0x1p-126, -0x1p-127, 2},
    {1, 0x1.aec4bep-1, 2},
    {-1, -0x1.44ed0cp-3, 2},
    /* the last result below x and what follows */
    {0x1.563dbp2, 0x1.563daep2, 2},
    {0x1.563db2p2, 0x1.563db2p2, 2},
    {0x1.fffffep127, 0x1.fffffep127, 0},
    /* the last normal result, subnormals, zero */
    {-5, -0x1.80bcbap-20, 2},
    {-8, -0x1.669d2cp-48, 2},
    {-13, -0x1.b0f714p-124, 2},
    {-0x1.a4ae0cp3, -0x1.0000a8p-126, 2},
    {-0x1.a4ae0ep3, -0x1.ffffacp-127, 2},
    {-0x1.a8p3, -0x1.0465ep-128, 2},
    {-14, -0x1.38p-143, 2},
    {-0x1.cb64e8p3, -0.0, 3},
    {-0x1.cb64eap3, -0.0, 2},
    {-20, -0.0, 0},
    {-0x1.fffffep127, -0.0, 0},
};

static const special special_gelu_f16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-24, 0x1p-24, 0},
    {-0x1p-24, -0.0, 0},
    {0x1.8p-23, 0x1p-23, 0},
    {-0x1.8p-23, -0x1p-24, 0},
    {0x1.ff8p-15, 0x1p-15, 0},
    {-0x1.ff8p-15, -0x1.ffp-16, 0},
    {0x1p-14, 0x1p-15, 0},
    {-0x1p-14, -0x1p-15, 0},
    {0x1.008p-13, 0x1.008p-14, 0},
    {-0x1.008p-13, -0x1.008p-14, 0},
    {1, 0x1.aecp-1, 0},
    {-1, -0x1.45p-3, 0},
    /* the last result below x and what follows */
    {0x1.b9p1, 0x1.b8cp1, 0},
    {0x1.b94p1, 0x1.b94p1, 0},
    {65504, 65504, 0},
    /* the last normal result, subnormals, zero */
    {-4, -0x1.09cp-13, 0},
    {-0x1.0b4p2, -0x1.04p-14, 0},
    {-0x1.0b8p2, -0x1.ff8p-15, 0},
    {-0x1.2p2, -0x1.01p-16, 0},
    {-5, -0x1.8p-20, 0},
    {-0x1.6e4p2, -0x1p-24, 0},
    {-0x1.6e8p2, -0.0, 0},
    {-20, -0.0, 0},
    {-65504, -0.0, 0},
};

static const special special_gelu_bf16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-133, 0x1p-133, 0},
    {-0x1p-133, -0.0, 0},
    {0x1.8p-132, 0x1p-132, 0},
    {-0x1.8p-132, -0x1p-133, 0},
    {0x1.fcp-127, 0x1p-127, 0},
    {-0x1.fcp-127, -0x1.f8p-128, 0},
    {0x1p-126, 0x1p-127, 0},
    {-0x1p-126, -0x1p-127, 0},
    {0x1.04p-125, 0x1.04p-126, 0},
    {-0x1.04p-125, -0x1.04p-126, 0},
    {1, 0x1.aep-1, 0},
    {-1, -0x1.44p-3, 0},
    /* the last result below x and what follows */
    {0x1.62p1, 0x1.6p1, 0},
    {0x1.64p1, 0x1.64p1, 0},
    {0x1.fep127, 0x1.fep127, 0},
    /* the last normal result, subnormals, zero */
    {-5, -0x1.8p-20, 0},
    {-8, -0x1.66p-48, 0},
    {-13, -0x1.bp-124, 0},
    {-0x1.a4p3, -0x1.52p-126, 0},
    {-0x1.a6p3, -0x1.28p-127, 0},
    {-0x1.a8p3, -0x1.08p-128, 0},
    {-0x1.acp3, -0x1.8p-131, 0},
    {-0x1.bp3, -0x1p-133, 0},
    {-0x1.b2p3, -0.0, 0},
    {-20, -0.0, 0},
    {-0x1.fep127, -0.0, 0},
};

/* ---- gelu_tanh ------------------------------------------------------------------------------- */

static const special special_gelu_tanh_f32[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-149, 0.0, 3},
    {-0x1p-149, -0.0, 2},
    {0x1p-140, 0x1p-141, 2},
    {-0x1p-140, -0x1p-141, 2},
    {0x1.fffffcp-127, 0x1p-127, 2},
    {-0x1.fffffcp-127, -0x1.fffff8p-128, 2},
    {0x1p-126, 0x1p-127, 2},
    {-0x1p-126, -0x1p-127, 2},
    {1, 0x1.aeb0b8p-1, 2},
    {-1, -0x1.453d22p-3, 2},
    /* the last result below x and what follows */
    {0x1.3f9ffp2, 0x1.3f9feep2, 2},
    {0x1.3f9ff2p2, 0x1.3f9ff2p2, 2},
    {0x1.fffffep127, 0x1.fffffep127, 0},
    /* the last normal result, subnormals, zero */
    {-5, -0x1.ec28d4p-23, 2},
    {-8, -0x1.d5a288p-69, 2},
    {-10, -0x1.47c8fep-123, 2},
    {-0x1.43386ap3, -0x1.000164p-126, 2},
    {-0x1.43386cp3, -0x1.ffffep-127, 2},
    {-0x1.48p3, -0x1.de258p-132, 2},
    {-0x1.5p3, -0x1.09p-140, 2},
    {-0x1.58aaf2p3, -0.0, 3},
    {-0x1.58aaf4p3, -0.0, 2},
    {-20, -0.0, 0},
    {-0x1.fffffep127, -0.0, 0},
};

static const special special_gelu_tanh_f16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-24, 0x1p-24, 0},
    {-0x1p-24, -0.0, 0},
    {0x1.8p-23, 0x1p-23, 0},
    {-0x1.8p-23, -0x1p-24, 0},
    {0x1.ff8p-15, 0x1p-15, 0},
    {-0x1.ff8p-15, -0x1.ffp-16, 0},
    {0x1p-14, 0x1p-15, 0},
    {-0x1p-14, -0x1p-15, 0},
    {0x1.008p-13, 0x1.008p-14, 0},
    {-0x1.008p-13, -0x1.008p-14, 0},
    {1, 0x1.aecp-1, 0},
    {-1, -0x1.454p-3, 0},
    /* the last result below x and what follows */
    {0x1.b08p1, 0x1.b04p1, 0},
    {0x1.b0cp1, 0x1.b0cp1, 0},
    {65504, 65504, 0},
    /* the last normal result, subnormals, zero */
    {-4, -0x1.26cp-14, 0},
    {-0x1.01cp2, -0x1.028p-14, 0},
    {-0x1.02p2, -0x1.fbp-15, 0},
    {-0x1.2p2, -0x1.58p-18, 0},
    {-0x1.3p2, -0x1.3p-20, 0},
    {-0x1.524p2, -0x1p-24, 0},
    {-0x1.528p2, -0.0, 0},
    {-20, -0.0, 0},
    {-65504, -0.0, 0},
};

static const special special_gelu_tanh_bf16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-133, 0x1p-133, 0},
    {-0x1p-133, -0.0, 0},
    {0x1.8p-132, 0x1p-132, 0},
    {-0x1.8p-132, -0x1p-133, 0},
    {0x1.fcp-127, 0x1p-127, 0},
    {-0x1.fcp-127, -0x1.f8p-128, 0},
    {0x1p-126, 0x1p-127, 0},
    {-0x1p-126, -0x1p-127, 0},
    {0x1.04p-125, 0x1.04p-126, 0},
    {-0x1.04p-125, -0x1.04p-126, 0},
    {1, 0x1.aep-1, 0},
    {-1, -0x1.46p-3, 0},
    /* the last result below x and what follows */
    {0x1.5ep1, 0x1.5cp1, 0},
    {0x1.6p1, 0x1.6p1, 0},
    {0x1.fep127, 0x1.fep127, 0},
    /* the last normal result, subnormals, zero */
    {-5, -0x1.ecp-23, 0},
    {-8, -0x1.d6p-69, 0},
    {-10, -0x1.48p-123, 0},
    {-0x1.42p3, -0x1.36p-125, 0},
    {-0x1.44p3, -0x1.2p-127, 0},
    {-0x1.48p3, -0x1p-131, 0},
    {-0x1.4ap3, -0x1p-133, 0},
    {-0x1.4cp3, -0.0, 0},
    {-20, -0.0, 0},
    {-0x1.fep127, -0.0, 0},
};

/* ---- silu ------------------------------------------------------------------------------------ */

static const special special_silu_f32[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-149, 0.0, 2},
    {-0x1p-149, -0.0, 2},
    {0x1p-140, 0x1p-141, 2},
    {-0x1p-140, -0x1p-141, 2},
    {0x1.fffffcp-127, 0x1p-127, 2},
    {-0x1.fffffcp-127, -0x1.fffff8p-128, 2},
    {0x1p-126, 0x1p-127, 2},
    {-0x1p-126, -0x1p-127, 2},
    {1, 0x1.764d5p-1, 2},
    {-1, -0x1.136562p-2, 2},
    /* the last result below x and what follows */
    {0x1.0ad4ep4, 0x1.0ad4dep4, 2},
    {0x1.0ad4e2p4, 0x1.0ad4e2p4, 2},
    {0x1.fffffep127, 0x1.fffffep127, 0},
    /* the last normal result, subnormals, zero */
    {-5, -0x1.1223ap-5, 2},
    {-20, -0x1.621a7ep-25, 2},
    {-88, -0x1.6a9bb8p-121, 2},
    {-0x1.6f6d56p6, -0x1.00002p-126, 2},
    {-0x1.6f6d58p6, -0x1.ffff44p-127, 2},
    {-92, -0x1.bc5ec4p-127, 2},
    {-100, -0x1.4bep-138, 2},
    {-104, -0x1.98p-144, 2},
    {-106, -0x1.cp-147, 2},
    {-0x1.b2a426p6, -0.0, 2},
    {-0x1.b2a428p6, -0.0, 2},
    {-1000, -0.0, 0},
    {-0x1.fffffep127, -0.0, 0},
};

static const special special_silu_f16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-24, 0x1p-24, 0},
    {-0x1p-24, -0.0, 0},
    {0x1.8p-23, 0x1p-23, 0},
    {-0x1.8p-23, -0x1p-24, 0},
    {0x1.ff8p-15, 0x1p-15, 0},
    {-0x1.ff8p-15, -0x1.ffp-16, 0},
    {0x1p-14, 0x1p-15, 0},
    {-0x1p-14, -0x1p-15, 0},
    {0x1.008p-13, 0x1.008p-14, 0},
    {-0x1.008p-13, -0x1.008p-14, 0},
    {1, 0x1.764p-1, 0},
    {-1, -0x1.138p-2, 0},
    /* the last result below x and what follows */
    {8, 0x1.ffcp2, 0},
    {0x1.004p3, 0x1.004p3, 0},
    {65504, 65504, 0},
    /* the last normal result, subnormals, zero */
    {-5, -0x1.124p-5, 0},
    {-12, -0x1.354p-14, 0},
    {-0x1.868p3, -0x1.00cp-14, 0},
    {-0x1.86cp3, -0x1.fd8p-15, 0},
    {-16, -0x1.ep-20, 0},
    {-0x1.454p4, -0x1p-24, 0},
    {-0x1.458p4, -0.0, 0},
    {-1000, -0.0, 0},
    {-65504, -0.0, 0},
};

static const special special_silu_bf16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {-INFINITY, -0.0, 0},
    {INFINITY, INFINITY, 0},
    /* half of x, a little more or less */
    {0x1p-133, 0x1p-133, 0},
    {-0x1p-133, -0.0, 0},
    {0x1.8p-132, 0x1p-132, 0},
    {-0x1.8p-132, -0x1p-133, 0},
    {0x1.fcp-127, 0x1p-127, 0},
    {-0x1.fcp-127, -0x1.f8p-128, 0},
    {0x1p-126, 0x1p-127, 0},
    {-0x1p-126, -0x1p-127, 0},
    {0x1.04p-125, 0x1.04p-126, 0},
    {-0x1.04p-125, -0x1.04p-126, 0},
    {1, 0x1.76p-1, 0},
    {-1, -0x1.14p-2, 0},
    /* the last result below x and what follows */
    {0x1.7cp2, 0x1.7ap2, 0},
    {0x1.7ep2, 0x1.7ep2, 0},
    {0x1.fep127, 0x1.fep127, 0},
    /* the last normal result, subnormals, zero */
    {-5, -0x1.12p-5, 0},
    {-20, -0x1.62p-25, 0},
    {-88, -0x1.6ap-121, 0},
    {-0x1.6ep6, -0x1.6cp-126, 0},
    {-92, -0x1.bcp-127, 0},
    {-94, -0x1.ep-130, 0},
    {-97, -0x1p-133, 0},
    {-0x1.86p6, -0.0, 0},
    {-1000, -0.0, 0},
    {-0x1.fep127, -0.0, 0},
};

/* ---- mulsilu --------------------------------------------------------------------------------- */

/* IEEE products of u with silu(+-0) = +-0, silu(inf) = inf, silu(-inf) = -0; with what rounds to
 * -0, and in 16 bits would; then with finite factors. */
/* clang-format off */
#define SPECIAL_MULSILU(ulps)                                                                      \
    {0.0, 1, 0.0, 0}, {-0.0, 1, -0.0, 0}, {0.0, -1, -0.0, 0}, {-0.0, -1, 0.0, 0},                  \
    {1, 0.0, 0.0, 0}, {1, -0.0, -0.0, 0}, {-1, 0.0, -0.0, 0}, {-1, -0.0, 0.0, 0},                  \
    {0.0, 0.0, 0.0, 0}, {0.0, -0.0, -0.0, 0}, {-0.0, 0.0, -0.0, 0}, {-0.0, -0.0, 0.0, 0},          \
    {INFINITY, 1, INFINITY, 0}, {INFINITY, -1, -INFINITY, 0}, {-INFINITY, 1, -INFINITY, 0},        \
    {-INFINITY, -1, INFINITY, 0}, {1, INFINITY, INFINITY, 0}, {-1, INFINITY, -INFINITY, 0},        \
    {1, -INFINITY, -0.0, 0}, {-1, -INFINITY, 0.0, 0},                                              \
    {0.0, -INFINITY, -0.0, 0}, {-0.0, -INFINITY, 0.0, 0},                                          \
    {INFINITY, INFINITY, INFINITY, 0}, {-INFINITY, INFINITY, -INFINITY, 0},                        \
    {INFINITY, -INFINITY, NAN, 0}, {-INFINITY, -INFINITY, NAN, 0},                                 \
    {0.0, INFINITY, NAN, 0}, {-0.0, INFINITY, NAN, 0},                                             \
    {INFINITY, 0.0, NAN, 0}, {INFINITY, -0.0, NAN, 0},                                             \
    {-INFINITY, 0.0, NAN, 0}, {-INFINITY, -0.0, NAN, 0},                                           \
    {2, -200, -0.0, 0}, {-2, -200, 0.0, 0}, {INFINITY, -200, NAN, 0},                              \
    {INFINITY, -100, -INFINITY, 0},                                                                \
    {2, 64, 128, ulps}, {-0.5, 64, -32, ulps}, {1, 1, 0x1.764d4f5d5a2bdp-1, ulps},                 \
    {3, -2, -0x1.6e30fe0c12543p-1, ulps}, {1, -5, -0x1.1223a0e5e39b9p-5, ulps}
/* clang-format on */

/* The greatest number, overflow; the least, underflow. */
static const special2 special_mulsilu_f32[] = {
    SPECIAL_MULSILU(3),
    {1, FLT_MAX, FLT_MAX, 3},
    {FLT_MAX, 1, 0x1.764d4de70cdc7p127, 3},
    {FLT_MAX, 2, INFINITY, 0},
    {-FLT_MAX, 2, -INFINITY, 0},
    {FLT_MAX, -2, -0x1.e84150d281c83p125, 3},
    {FLT_MAX, -FLT_MAX, -0.0, 0},
    {0x1p-149, 64, 0x1p-143, 3},
    {0x1p-149, 1, 0x1p-149, 0},
    {0x1p-149, 0.5, 0.0, 0},
    {0x1p-149, -0.5, -0.0, 0},
    {-0x1p-149, -0.5, 0.0, 0},
    {FLT_MIN, 1, 0x1.764d4f5d5a2bdp-127, 3},
    {1, -100, -0x1.4bd78485119p-138, 3},
    {1, 0x1p-149, 0.0, 0},
    {4, 0x1p-148, 0x1p-147, 3},
};
static const special2 special_mulsilu_f16[] = {
    SPECIAL_MULSILU(1),
    {1, 65504, 65504, 1},
    {65504, 1, 0x1.761e85b36e809p15, 1},
    {65504, 2, INFINITY, 0},
    {-65504, 2, -INFINITY, 0},
    {65504, -65504, -0.0, 0},
    {0x1p-24, 64, 0x1p-18, 1},
    {0x1p-24, 1, 0x1p-24, 0},
    {0x1p-24, 0.25, 0.0, 0},
    {-0x1p-24, 0.25, -0.0, 0},
    {65504, -20, -0x1.61ee3b5af0dbdp-9, 1},
};
static const special2 special_mulsilu_bf16[] = {
    SPECIAL_MULSILU(1),
    {1, 0x1.fep127, 0x1.fep127, 1},
    {0x1.fep127, 1, 0x1.74d7020dfcd1ap127, 1},
    {0x1.fep127, 2, INFINITY, 0},
    {-0x1.fep127, 2, -INFINITY, 0},
    {0x1.fep127, -0x1.fep127, -0.0, 0},
    {0x1p-133, 64, 0x1p-127, 1},
    {0x1p-133, 1, 0x1p-133, 0},
    {0x1p-133, 0.25, 0.0, 0},
    {-0x1p-133, 0.25, -0.0, 0},
};

/* ---- silu_pwl -------------------------------------------------------------------------------- */

/* Where one line passes into the next, on both sides: each border, and the halves before and after.
 */
static const special special_silu_pwl_f16[] = {
    {0.0, 0.0, 0},
    {-0.0, -0.0, 0},
    {INFINITY, INFINITY, 0},
    {-INFINITY, -0.0, 0},
    {65504, 65504, 0},
    {-65504, -0.0, 0},
    {8.0078125, 8.0078125, 0},
    {-8.0078125, -0.0, 0},
    {8, 8, 0},
    {-8, -0.0, 0},
    /* subnormals, of which few are left on the left, and the least normal numbers */
    {0x1p-24, 0x1p-24, 0},
    {-0x1p-24, -0.0, 0},
    {0x1p-23, 0x1p-24, 0},
    {-0x1p-23, -0x1p-24, 0},
    {0x1.8p-23, 0x1p-23, 0},
    {-0x1.8p-23, -0x1p-24, 0},
    {0x1.ff8p-15, 0x1.1f8p-15, 0},
    {-0x1.ff8p-15, -0x1.cp-16, 0},
    {0x1p-14, 0x1.2p-15, 0},
    {-0x1p-14, -0x1.cp-16, 0},
    {0x1.ffcp-3, 0x1.1f8p-3, 0},
    {0x1p-2, 0x1.1cp-3, 0},
    {0x1.004p-2, 0x1.1c8p-3, 0},
    {-0x1.ffcp-3, -0x1.c04p-4, 0},
    {-0x1p-2, -0x1.c7cp-4, 0},
    {-0x1.004p-2, -0x1.c8p-4, 0},
    {0x1.ffcp-2, 0x1.3ccp-2, 0},
    {0x1p-1, 0x1.388p-2, 0},
    {0x1.004p-1, 0x1.39p-2, 0},
    {-0x1.ffcp-2, -0x1.864p-3, 0},
    {-0x1p-1, -0x1.8fp-3, 0},
    {-0x1.004p-1, -0x1.8fp-3, 0},
    {0x1.ffcp-1, 0x1.73p-1, 0},
    {0x1p0, 0x1.748p-1, 0},
    {0x1.004p0, 0x1.75p-1, 0},
    {-0x1.ffcp-1, -0x1.194p-2, 0},
    {-0x1p0, -0x1.17p-2, 0},
    {-0x1.004p0, -0x1.17p-2, 0},
    {0x1.7fcp0, 0x1.38cp0, 0},
    {0x1.8p0, 0x1.398p0, 0},
    {0x1.804p0, 0x1.39cp0, 0},
    {-0x1.7fcp0, -0x1.1bcp-2, 0},
    {-0x1.8p0, -0x1.1a8p-2, 0},
    {-0x1.804p0, -0x1.1a8p-2, 0},
    {0x1.bfcp1, 0x1.b28p1, 0},
    {0x1.cp1, 0x1.b38p1, 0},
    {0x1.c04p1, 0x1.b3cp1, 0},
    {-0x1.bfcp1, -0x1.aacp-4, 0},
    {-0x1.cp1, -0x1.9p-4, 0},
    {-0x1.c04p1, -0x1.8fcp-4, 0},
    {0x1.3fcp2, 0x1.3ep2, 0},
    {0x1.4p2, 0x1.3ep2, 0},
    {0x1.404p2, 0x1.3e4p2, 0},
    {-0x1.3fcp2, -0x1.dbp-6, 0},
    {-0x1.4p2, -0x1.068p-5, 0},
    {-0x1.404p2, -0x1.06p-5, 0},
    {0x1.7fcp2, 0x1.7fp2, 0},
    {0x1.8p2, 0x1.7f4p2, 0},
    {0x1.804p2, 0x1.7f8p2, 0},
    {-0x1.7fcp2, -0x1.bc8p-7, 0},
    {-0x1.8p2, -0x1.b3p-7, 0},
    {-0x1.804p2, -0x1.b24p-7, 0},
    {0x1.ffcp2, 0x1.ffcp2, 0},
    {-0x1.ffcp2, -0x1.9ep-10, 0},
};

#endif
