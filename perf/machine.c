#include "machine.h"
#include "nonlin.h"
#include "output.h"
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The first line of a file without its end; false if there is none. */
static bool read_line(char *line, int size, const char *path)
{
    FILE *f = fopen(path, "r");
    bool ok = f && fgets(line, size, f);
    if (f)
        fclose(f);
    if (ok)
        line[strcspn(line, "\n")] = '\0';
    return ok;
}

static void processor(char *name, size_t size)
{
    struct utsname u;
    char line[256], *colon;
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "%s", uname(&u) ? "unknown" : u.machine);
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "model name", 10) && (colon = strchr(line, ':')) && colon[1]) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    if (f)
        fclose(f);
}

/* "L1 48K, L2 1024K", without the instruction cache; empty where the kernel does not tell. */
static void caches(char *text, size_t size)
{
    const char *dir = "/sys/devices/system/cpu/cpu0/cache/index";
    char path[96], type[32], level[8], bytes[32];
    text[0] = '\0';
    for (int i = 0;; i++) {
        snprintf(path, sizeof path, "%s%d/type", dir, i);
        if (!read_line(type, sizeof type, path))
            return;
        snprintf(path, sizeof path, "%s%d/level", dir, i);
        bool known = strcmp(type, "Instruction") && read_line(level, sizeof level, path);
        snprintf(path, sizeof path, "%s%d/size", dir, i);
        if (known && read_line(bytes, sizeof bytes, path)) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%sL%s %s", used ? ", " : "", level, bytes);
        }
    }
}

void machine_facts(void)
{
    char text[256];
    snprintf(text, sizeof text, "%s, tool built with %s", nonlin_version_string(), COMPILER);
    out_fact("version", "nonlin", text);
    processor(text, sizeof text);
    out_fact("cpu", "CPU", text);
    caches(text, sizeof text);
    if (*text)
        out_fact("caches", "caches", text);
}
