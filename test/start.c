/* Says which ISA a fresh process gets, for test/dispatch.c, which runs it with this environment and
 * that: "avx2 secure" on stdout where the process is a set-user-id one. Before main(), early.c has
 * had its turn. */
#include "early.h"
#include "nonlin.h"
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

int main(void)
{
    char before[32], after[32];
    snprintf(before, sizeof before, "%s", nonlin_active_isa());
    printf("%s%s\n", before, getauxval(AT_SECURE) ? " secure" : "");
    if (!early_ok())
        return 1;

    /* the default is what it was, unless the early call was nonlin_use_isa() */
    if (nonlin_use_isa("portable") != NONLIN_OK || strcmp(nonlin_active_isa(), "portable"))
        return 2;
    if (nonlin_use_isa(NULL) != NONLIN_OK)
        return 3;
    snprintf(after, sizeof after, "%s", nonlin_active_isa());
    printf("%s\n", after);
    return 0;
}
