#include "nonlin.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

uint32_t nonlin_version(void)
{
    return NONLIN_VERSION_MAJOR << 16 | NONLIN_VERSION_MINOR << 8 | NONLIN_VERSION_PATCH;
}

const char *nonlin_version_string(void)
{
    return TEXT(NONLIN_VERSION_MAJOR) "." TEXT(NONLIN_VERSION_MINOR) "." TEXT(NONLIN_VERSION_PATCH);
}

const char *nonlin_status_string(nonlin_status status)
{
    switch (status) {
    case NONLIN_OK:
        return "success";
    case NONLIN_NULL_POINTER:
        return "a pointer is NULL though there are elements to work on";
    case NONLIN_MISALIGNED:
        return "a pointer is not aligned to its element";
    case NONLIN_OVERLAP:
        return "destination and source overlap without being the same";
    case NONLIN_SIZE_OVERFLOW:
        return "the size in bytes does not fit the address space";
    case NONLIN_LEADING_DIMENSION:
        return "a leading dimension is smaller than the row";
    case NONLIN_EMPTY:
        return "reduction over no elements";
    case NONLIN_INDEX_RANGE:
        return "an index would not fit the index type";
    case NONLIN_UNKNOWN_ISA:
        return "no instruction set of that name was compiled in";
    case NONLIN_UNUSABLE_ISA:
        return "this machine lacks that instruction set";
    default:
        return "unknown status";
    }
}
