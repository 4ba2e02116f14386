/* The program's process: starts it as gdb does, and records its end. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "server/channel/channel.h"
#include "server/internal.h"
#include "server/memory/memory.h"
#include "server/stream/deferred.h"
#include "debug/findings/findings.h"

/* ---- starting ---- */

/* Sets an environment variable to VALUE, or to VALUE:OLD if it was set. */
static void prepend_variable(const char *name, const char *value)
{
	const char *old = getenv(name);
	struct text t = {0};
	text_add(&t, value);
	if (old && *old)
		text_addf(&t, ":%s", old);
	setenv(name, text_str(&t), 1);
	text_free(&t);
}

/* Sets the child's environment. The library is preloaded by its plain name because a folder's name may have blanks. */
static void set_environment(const struct server *c)
{
	prepend_variable("LD_LIBRARY_PATH", c->setup.library_path);
	prepend_variable("LD_PRELOAD", "libwarpstep.so");
	prepend_variable("ASAN_OPTIONS",
			 "verify_asan_link_order=0"); /* the sanitizer's runtime insists on being loaded first */
	setenv(WIRE_ENVIRONMENT, channel_name(c), 1);
	unsetenv("WARPSTEP_ARGS"); /* options for debuggers that the program starts itself */
	setenv(WIRE_ALONE_ARGS, c->setup.alone ? c->setup.alone : "", 1);
}

static void set_streams(const struct server_setup *s)
{
	dup2(s->in, STDIN_FILENO);
	dup2(s->out, STDOUT_FILENO);
	dup2(s->error, STDERR_FILENO);
}

/* Executes the program in the child; returns, with errno, only on failure. `args` are parsed by a shell as in gdb; the command line's arguments
 * aren't. */
static void exec_program(const struct server *c, const char *args, pid_t parent)
{
	sigset_t none;
	struct text line = {0};
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGINT, c->setup.keeps_interrupts ? SIG_IGN : SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	terminal_in_child(c->terminal);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	set_streams(&c->setup);
	set_environment(c);
	if (!*args) {
		execvp(c->setup.argv[0], c->setup.argv);
		return;
	}
	text_addf(&line, "exec \"$0\" %s", args);
	execl("/bin/sh", "sh", "-c", text_str(&line), c->setup.argv[0], (char *)NULL);
}

/* Reads the child's error from the pipe. Returns false with the reason if the program could not be executed. */
static bool check_exec(int fd, const char *name, struct text *why)
{
	int error = 0;
	ssize_t n;
	do
		n = read(fd, &error, sizeof error);
	while (n < 0 && errno == EINTR);
	close(fd);
	if (n != sizeof error)
		return true;
	text_addf(why, "can't start '%s': %s", name, strerror(error));
	return false;
}

static void forget_last_run(struct server *c)
{
	channel_drop_all(c);
	debug_kill(c->dbg);
	deferred_drop_context(c, GPU_EVERY_CONTEXT);
	memory_free_of(c, GPU_EVERY_CONTEXT);
	contexts_forget(c);
	server_modules_forget(c, GPU_EVERY_CONTEXT);
	debug_reset(c->dbg);
	c->program_step = gpu_program(c->gpu)->step;
	c->n_launched = 0;
	c->refused_from = 0;
}

static bool spawn_program(struct server *c, const char *args, struct text *why)
{
	int fds[2];
	const pid_t parent = getpid();
	if (!channel_listen(c, why))
		return false;
	if (pipe2(fds, O_CLOEXEC)) {
		text_addf(why, "can't start '%s': %s", c->setup.argv[0], strerror(errno));
		return false;
	}
	terminal_save(c->terminal);
	c->pid = fork();
	if (!c->pid) {
		exec_program(c, args, parent);
		const int error = errno;
		_exit(write(fds[1], &error, sizeof error) < 0 ? 126 : 127);
	}
	close(fds[1]);
	if (c->pid > 0)
		terminal_start_program(c->terminal, c->pid);
	if (c->pid > 0 && check_exec(fds[0], c->setup.argv[0], why)) {
		c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
		return true;
	}
	if (c->pid < 0)
		text_addf(why, "can't start '%s': %s", c->setup.argv[0], strerror(errno));
	else
		waitpid(c->pid, NULL, 0);
	terminal_end(c->terminal);
	c->pid = 0;
	return false;
}

/* Starts an adopted program, which can be run only once. */
static bool run_adopted(struct server *c, const char *args, struct text *why)
{
	if (c->was_run || *args) {
		text_add(why,
			 "the program was not started from here: it can't be started again, nor with other arguments");
		return false;
	}
	c->was_run = true;
	gpu_hold_printf(c->gpu, true);
	return true;
}

void server_program_set_args(struct server *c, const char *args)
{
	char *copy = args ? xstrdup(*args ? args : " ") : NULL;
	free(c->args);
	c->args = copy;
}

bool program_start(struct server *c, const char *args, struct text *why)
{
	if (!c->setup.argv)
		return run_adopted(c, args, why);
	if (*args)
		server_program_set_args(c, args);
	server_program_kill(c);
	forget_last_run(c);
	c->status = 0;
	c->ended_by_signal = false;
	c->fault = (struct server_fault){0};
	c->followed = 0;
	c->uses_shared = c->is_unattended = c->has_said_shared = false;
	gpu_hold_printf(c->gpu, true);
	return spawn_program(c, c->args ? c->args : "", why);
}

/* ---- ending ---- */

static void note_program_end(struct server *c, int status)
{
	c->ended_by_signal = WIFSIGNALED(status);
	c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	c->last_pid = c->pid;
	c->pid = 0;
	debug_program_leaks(c->dbg, contexts_live(c));
	terminal_end(c->terminal);
	channel_stop_listening(c);
	gpu_hold_printf(c->gpu, false);
	if (c->pidfd >= 0)
		close(c->pidfd);
	c->pidfd = -1;
}

bool program_has_ended(struct server *c)
{
	int status;
	if (!c->setup.argv) {
		channel_poll(c);
		c->is_adopted = channel_clients(c) > 0;
		return !c->is_adopted;
	}
	if (c->pid && waitpid(c->pid, &status, WNOHANG) == c->pid)
		note_program_end(c, status);
	return !c->pid;
}

void server_program_kill(struct server *c)
{
	int status;
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++) /* all debugged processes; the started process may have ended */
		if (c->client[k].socket >= 0)
			kill(c->client[k].pid, SIGKILL);
	c->is_adopted = false;
	if (!c->pid)
		return;
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	note_program_end(c, status);
	text_clear(gpu_output(c->gpu));
	channel_drop_all(c);
}

void program_ended_text(struct server *c, struct text *out)
{
	if (!c->setup.argv) { /* the process that started the program sees how it ended */
		program_describe_fault(c, out);
		return;
	}
	if (c->ended_by_signal)
		text_addf(out, "\nProgram terminated with signal SIG%s, %s.\nThe program no longer exists.\n",
			  sigabbrev_np(c->status - 128) ? sigabbrev_np(c->status - 128) : "?",
			  strsignal(c->status - 128));
	else if (c->status)
		text_addf(out, "[Inferior 1 (process %ld) exited with code 0%o]\n", (long)c->last_pid,
			  (unsigned)c->status);
	else
		text_addf(out, "[Inferior 1 (process %ld) exited normally]\n", (long)c->last_pid);
	if (c->ended_by_signal)
		program_describe_fault(c, out);
}

void program_executable(pid_t pid, char *out, size_t n)
{
	char link[64];
	snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
	const ssize_t got = readlink(link, out, n - 1);
	out[got > 0 ? got : 0] = '\0';
}

pid_t program_process(const struct server *c)
{
	pid_t pid = 0;
	for (unsigned k = SERVER_CLIENTS_MAX; k-- > 0;)
		if (c->client[k].socket >= 0 && (!pid || pid != c->pid))
			pid = c->client[k].pid;
	return pid ? pid : c->pid;
}

bool server_program_lives(const struct server *c) { return c->pid || c->is_adopted; }
long server_program_pid(const struct server *c) { return c->pid ? c->pid : program_process(c); }
int server_program_status(const struct server *c) { return c->status; }
