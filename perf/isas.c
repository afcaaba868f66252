#include "isas.h"
#include "nonlin.h"
#include "output.h"
#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that there are, compiled in or not. */
static const char *const known[] = {
#define ISA(name, arch, features) #name,
#include "isa.def"
#undef ISA
};

/* Where every kernel has passed the tests; an ISA that is not here has been run by nobody. */
static const char *tested_on(const char *isa)
{
    static const char *const hardware[] = {"portable", "sse41", "avx2", "avx512"};
    static const char *const emulator[] = {"avx512fp16", "neon",    "neonfp16", "sve",
                                           "rvv",        "rvvfp16", "simd128",  "relaxed"};
    for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++)
        if (!strcmp(hardware[i], isa))
            return "hardware";
    for (size_t i = 0; i < sizeof emulator / sizeof *emulator; i++)
        if (!strcmp(emulator[i], isa))
            return "emulator";
    return "untested";
}

/* Its number in the library, or nonlin_isa_count(). */
static size_t number(const char *isa)
{
    size_t i = 0;
    while (i < nonlin_isa_count() && strcmp(nonlin_isa_name(i), isa))
        i++;
    return i;
}

void isas_use(const char *name)
{
    char list[256] = "";
    switch (nonlin_use_isa(name)) {
    case NONLIN_UNKNOWN_ISA:
        for (size_t i = 0; i < nonlin_isa_count(); i++) {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, " %s", nonlin_isa_name(i));
        }
        die(EXIT_USAGE, "no instruction set \"%s\" in this library; there are:%s", name, list);
    case NONLIN_UNUSABLE_ISA:
        die(EXIT_USAGE, "%s cannot run here: this machine lacks %s", name,
            nonlin_isa_missing(number(name)));
    default:
        break;
    }
}

size_t isas_measured(const char *names[], size_t room)
{
    size_t count = 0;
    const size_t last = number(nonlin_active_isa());
    for (size_t i = 0; i <= last && count < room; i++)
        if (!nonlin_isa_missing(i))
            names[count++] = nonlin_isa_name(i);
    return count;
}

void isas_environment(void)
{
    char text[160];
    const char *name = getenv("NONLIN_ISA");
    if (!name)
        return;
    const size_t i = number(name), active = number(nonlin_active_isa());
    const char *missing = nonlin_isa_missing(i);
    if (i == active)
        return out_fact("NONLIN_ISA", "NONLIN_ISA", name);
    if (i == nonlin_isa_count())
        snprintf(text, sizeof text, "\"%.40s\" is ignored: no such instruction set", name);
    else if (missing)
        snprintf(text, sizeof text, "%s is ignored: this machine lacks %s", name, missing);
    else
        snprintf(text, sizeof text, "%s is overruled by %s", name, nonlin_active_isa());
    out_fact("NONLIN_ISA", "NONLIN_ISA", text);
}

/* What it is doing, or why it is not. */
static const char *state(size_t i, char *text, size_t size)
{
    const size_t active = number(nonlin_active_isa());
    const char *missing = nonlin_isa_missing(i);
    if (i == nonlin_isa_count())
        return "-";
    if (missing)
        snprintf(text, size, "lacks %s", missing);
    else if (i == active)
        return "running";
    else
        snprintf(text, size, "%s than %s", i < active ? "weaker" : "stronger", nonlin_active_isa());
    return text;
}

static const char *served_by(const char *isa, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t k = 0; k < NL_KERNELS; k++)
        if (!strcmp(nonlin_variant(work_kernels[k].name), isa)) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", used ? " " : "", work_kernels[k].name);
        }
    return *text ? text : NULL;
}

void isas_table(void)
{
    static const out_column columns[] = {
        {"isa", "ISA", -10, NULL},       {"compiled", "compiled", -8, NULL},
        {"usable", "usable", -6, NULL},  {"missing", NULL, 0, NULL},
        {"tested", "tested", -8, NULL},  {"state", "state", -24, NULL},
        {"serves", "serves", -20, NULL},
    };
    char why[96], kernels[1024];
    out_table("isas", columns, sizeof columns / sizeof *columns);
    for (size_t j = 0; j < sizeof known / sizeof *known; j++) {
        const size_t i = number(known[j]);
        const bool compiled = i < nonlin_isa_count();
        const char *missing = compiled ? nonlin_isa_missing(i) : NULL;
        out_row((out_cell[]){{known[j]},
                             {compiled ? "yes" : "no"},
                             {!compiled ? NULL
                              : missing ? "no"
                                        : "yes"},
                             {missing},
                             {tested_on(known[j])},
                             {state(i, why, sizeof why)},
                             {served_by(known[j], kernels, sizeof kernels)}});
    }
}
