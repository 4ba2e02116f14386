/* Reports faults: a program that dereferences a device pointer dies by SIGSEGV, and the debugger can tell whose memory that is. */
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

#include "host/host.h"

static uint64_t pc_of(const ucontext_t *u)
{
#if defined(__x86_64__)
	return (uint64_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return u->uc_mcontext.pc;
#else
	(void)u;
	return 0;
#endif
}

/* Returns whether the fault was a write. Where the system doesn't say, returns false. */
static bool is_write(const ucontext_t *u)
{
#if defined(__x86_64__)
	return u->uc_mcontext.gregs[REG_ERR] & 2;
#else
	(void)u;
	return false;
#endif
}

/* Removes the handler and reports the fault; the instruction is executed again and ends the program. A signal sent by a process is raised again. */
static void handle_fault(int signal, siginfo_t *info, void *context)
{
	if (info->si_code == SEGV_ACCERR && host_guards_fault((uint64_t)(uintptr_t)info->si_addr, pc_of(context), is_write(context)))
		return;
	sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	if (info->si_code > 0)
		host_note_fault((uint64_t)(uintptr_t)info->si_addr, pc_of(context));
	else
		raise(signal);
}

bool host_handles_faults(void)
{
	struct sigaction is;
	return !sigaction(SIGSEGV, NULL, &is) && is.sa_flags & SA_SIGINFO && is.sa_sigaction == handle_fault;
}

void host_watch_faults(void)
{
	struct sigaction is;
	if (!sigaction(SIGSEGV, NULL, &is) && !(is.sa_flags & SA_SIGINFO) && is.sa_handler == SIG_DFL)
		sigaction(SIGSEGV,
			  &(struct sigaction){.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK}, NULL);
}
