/* One ISA's table: the only symbol of its objects that dispatch knows. The kernels are not weak
 * symbols: a weak reference takes nothing out of an archive, and a program linked with libnonlin.a
 * would have no kernels. */
#include "kernels.h"

#define KERNEL(op, dtype, class) \
    nonlin_status NL_CAT(nl_, NL_ISA, _, op##_##dtype) NL_PARAMS_##class(nl_##dtype);
#include "kernels.def"
#undef KERNEL

extern const nl_isa NL_CAT(nl_isa_, NL_ISA, , );
const nl_isa NL_CAT(nl_isa_, NL_ISA, , ) = {{
#define KERNEL(op, dtype, class) .op##_##dtype = NL_CAT(nl_, NL_ISA, _, op##_##dtype),
#include "kernels.def"
#undef KERNEL
}};
