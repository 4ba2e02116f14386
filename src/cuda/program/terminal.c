/* A program at a prompt is a job of its own, as under gdb: its process group has the terminal while the machine runs for it, the debugger's has
 * it at the prompt. What is typed to stop the job then reaches a helper in the program's group, which passes it on. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cuda/internal.h"

#define HELPER_NAME "warpstep-terminal"

struct cuda_terminal {
	pid_t group, helper; /* the program's; 0: none */
	bool may_give;	     /* the machine runs for whoever sits at the terminal */
	bool given, stopped;
	struct termios own, its;
	bool has_its;
	struct sigaction writes; /* what SIGTTOU did before */
};

/* ---- the helper: this program under another name, as it is to have no part of the machine's memory ---- */

bool cuda_terminal_helper(const char *name)
{
	sigset_t set;
	siginfo_t info;
	if (strcmp(name, HELPER_NAME))
		return false;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (;;) {
		const int signal = sigwaitinfo(&set, &info);
		if (signal > 0 && info.si_code == SI_KERNEL)
			kill(getppid(), signal == SIGWINCH ? SIGWINCH : SIGINT);
	}
	return true;
}

/* What comes before it is there waits for it. */
static void become_helper(pid_t group, pid_t parent)
{
	sigset_t set;
	setpgid(0, group);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent) {
		syscall(SYS_close_range, 0U, ~0U, 0);
		execl("/proc/self/exe", HELPER_NAME, (char *)NULL);
	}
	_exit(127);
}

/* ---- who has it ---- */

struct cuda_terminal *terminal_create(bool wanted)
{
	return wanted && tcgetpgrp(STDIN_FILENO) == getpgrp() ? xcalloc(1, sizeof(struct cuda_terminal)) : NULL;
}

void terminal_free(struct cuda_terminal *t) { free(t); }

void terminal_before(struct cuda_terminal *t)
{
	if (t)
		t->may_give &= !tcgetattr(STDIN_FILENO, &t->own) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* It has the terminal before its first instruction. */
void terminal_in_child(const struct cuda_terminal *t)
{
	if (!t)
		return;
	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	if (t->may_give)
		tcsetpgrp(STDIN_FILENO, getpid());
	signal(SIGTTOU, SIG_DFL);
}

void terminal_begin(struct cuda_terminal *t, pid_t program)
{
	const pid_t parent = getpid();
	if (!t)
		return;
	setpgid(program, program); /* it has done so by itself, if it has come that far */
	t->group = program;
	t->has_its = t->stopped = false;
	t->given = t->may_give; /* by itself as well */
	if (t->given)
		sigaction(SIGTTOU, &(struct sigaction){.sa_handler = SIG_IGN}, &t->writes);
	t->helper = vfork();
	if (!t->helper)
		become_helper(program, parent);
	t->helper = t->helper > 0 ? t->helper : 0;
}

static void give(struct cuda_terminal *t)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &t->own))
		return;
	sigaction(SIGTTOU, &ignore, &t->writes); /* notes are written meanwhile */
	if (t->has_its)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &t->its);
	t->given = !tcsetpgrp(STDIN_FILENO, t->group);
	if (!t->given)
		sigaction(SIGTTOU, &t->writes, NULL);
}

static void take(struct cuda_terminal *t)
{
	t->given = false;
	t->has_its = !tcgetattr(STDIN_FILENO, &t->its);
	if (tcgetpgrp(STDIN_FILENO) == t->group)
		tcsetpgrp(STDIN_FILENO, getpgrp());
	tcsetattr(STDIN_FILENO, TCSADRAIN, &t->own);
	sigaction(SIGTTOU, &t->writes, NULL);
}

void terminal_give(struct cuda_terminal *t)
{
	if (!t || !t->helper)
		return;
	if (t->may_give && !t->given)
		give(t);
	if (t->stopped)
		kill(-t->group, SIGCONT);
	t->stopped = false;
}

void cuda_terminal_runs(struct cuda *c, bool on)
{
	struct cuda_terminal *t = c->terminal;
	if (!t)
		return;
	t->may_give = on;
	if (on || !t->given)
		return;
	/* a read that the program has begun would get what is typed at the prompt: it stops, as when it begins one there */
	t->stopped = !kill(-t->group, SIGTTIN);
	take(t);
}

/* What the program leaves behind goes on. */
void terminal_end(struct cuda_terminal *t)
{
	if (t && t->given)
		take(t);
	if (!t || !t->helper)
		return;
	if (t->stopped)
		kill(-t->group, SIGCONT);
	t->stopped = false;
	kill(t->helper, SIGKILL);
	while (waitpid(t->helper, NULL, 0) < 0 && errno == EINTR)
		;
	t->helper = 0;
}
