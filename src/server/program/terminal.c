/* A program at a prompt is a job of its own, as under gdb: its process group has the terminal while the machine runs for the user, the debugger's
 * group at the prompt. Keys that stop the job reach a helper process in the program's group, which forwards them. */
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
#include "server/internal.h"

#define HELPER_NAME "warpstep-terminal"

struct server_terminal {
	pid_t group, helper; /* process group of the program, and its helper; 0: none */
	bool may_hand_over;  /* true if the machine runs for the user at the terminal */
	bool is_given, is_stopped;
	struct termios debugger_mode, program_mode;
	bool has_program_mode;
	struct sigaction writes; /* previous action of SIGTTOU */
};

/* ---- the helper: this program under another name, as it is to have no part of the machine's memory ---- */

bool server_terminal_helper(const char *name)
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

/* Becomes the helper. Signals are blocked from the start, so that early signals stay pending for it. */
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

/* ---- owner of the terminal ---- */

struct server_terminal *terminal_create(bool wanted)
{
	return wanted && tcgetpgrp(STDIN_FILENO) == getpgrp() ? xcalloc(1, sizeof(struct server_terminal)) : NULL;
}

void terminal_free(struct server_terminal *t) { free(t); }

void terminal_save(struct server_terminal *t)
{
	if (t)
		t->may_hand_over &= !tcgetattr(STDIN_FILENO, &t->debugger_mode) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* The program has the terminal before its first instruction. */
void terminal_in_child(const struct server_terminal *t)
{
	if (!t)
		return;
	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	if (t->may_hand_over)
		tcsetpgrp(STDIN_FILENO, getpid());
	signal(SIGTTOU, SIG_DFL);
}

void terminal_start_program(struct server_terminal *t, pid_t program)
{
	const pid_t parent = getpid();
	if (!t)
		return;
	setpgid(program, program); /* the child does the same; the first call wins */
	t->group = program;
	t->has_program_mode = t->is_stopped = false;
	t->is_given = t->may_hand_over; /* the child also takes the terminal itself */
	if (t->is_given)
		sigaction(SIGTTOU, &(struct sigaction){.sa_handler = SIG_IGN}, &t->writes);
	t->helper = vfork();
	if (!t->helper)
		become_helper(program, parent);
	t->helper = t->helper > 0 ? t->helper : 0;
}

static void hand_over(struct server_terminal *t)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &t->debugger_mode))
		return;
	sigaction(SIGTTOU, &ignore, &t->writes); /* the debugger prints notes while in the background */
	if (t->has_program_mode)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &t->program_mode);
	t->is_given = !tcsetpgrp(STDIN_FILENO, t->group);
	if (!t->is_given)
		sigaction(SIGTTOU, &t->writes, NULL);
}

static void take_back(struct server_terminal *t)
{
	t->is_given = false;
	t->has_program_mode = !tcgetattr(STDIN_FILENO, &t->program_mode);
	if (tcgetpgrp(STDIN_FILENO) == t->group)
		tcsetpgrp(STDIN_FILENO, getpgrp());
	tcsetattr(STDIN_FILENO, TCSADRAIN, &t->debugger_mode);
	sigaction(SIGTTOU, &t->writes, NULL);
}

void terminal_hand_over(struct server_terminal *t)
{
	if (!t || !t->helper)
		return;
	if (t->may_hand_over && !t->is_given)
		hand_over(t);
	if (t->is_stopped)
		kill(-t->group, SIGCONT);
	t->is_stopped = false;
}

void server_terminal_runs(struct server *c, bool on)
{
	struct server_terminal *t = c->terminal;
	if (!t)
		return;
	t->may_hand_over = on;
	if (on || !t->is_given)
		return;
	/* stops the program, as a read in the background would: its pending read would get input meant for the prompt */
	t->is_stopped = !kill(-t->group, SIGTTIN);
	take_back(t);
}

/* Stopped processes that the program leaves behind are resumed. */
void terminal_end(struct server_terminal *t)
{
	if (t && t->is_given)
		take_back(t);
	if (!t || !t->helper)
		return;
	if (t->is_stopped)
		kill(-t->group, SIGCONT);
	t->is_stopped = false;
	kill(t->helper, SIGKILL);
	while (waitpid(t->helper, NULL, 0) < 0 && errno == EINTR)
		;
	t->helper = 0;
}
