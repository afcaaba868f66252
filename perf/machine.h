/* What a measurement ran on. */
#ifndef MACHINE_H
#define MACHINE_H

/* Says library, compiler, processor and caches. */
void machine_facts(void);

#endif
