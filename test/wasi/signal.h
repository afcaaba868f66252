/* WASI has no signals: what would be one elsewhere is a trap, which ends the program. So the
 * suites' handlers are never called. */
#ifndef NL_TEST_WASI_SIGNAL_H
#define NL_TEST_WASI_SIGNAL_H

enum { SIGBUS = 7, SIGFPE = 8, SIGSEGV = 11, SA_SIGINFO = 4 };

typedef void signal_handler(int number);
typedef struct {
    void *si_addr;
} siginfo_t;
struct sigaction {
    void (*sa_sigaction)(int number, siginfo_t *info, void *context);
    int sa_flags;
};

#define SIG_DFL ((signal_handler *)0)
static inline signal_handler *signal(int number, signal_handler *handler)
{
    (void)number, (void)handler;
    return SIG_DFL;
}
static inline int sigaction(int number, const struct sigaction *now, struct sigaction *before)
{
    (void)number, (void)now, (void)before;
    return 0;
}

#endif
