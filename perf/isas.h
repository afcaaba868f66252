/* The instruction sets: what was compiled in, what runs here, and which of them serves what. */
#ifndef ISAS_H
#define ISAS_H

#include <stdbool.h>
#include <stddef.h>

/* Puts `name` (NULL: the default) in force; exits with the list, or with what is missing, if it
 * cannot be. */
void isas_use(const char *name);
/* The ISAs to measure: every usable one that is not stronger than the one in force. Returns how
 * many. */
size_t isas_measured(const char *names[], size_t room);

/* A line on NONLIN_ISA if it is set: that it has effect, or why not. */
void isas_environment(void);
void isas_table(void);

#endif
