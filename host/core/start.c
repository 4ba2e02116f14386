/* Starts a debugger for a program that was started by itself, with only this library's folder in its library path. */
#include "host/core/start.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/host.h"

#define PATH_BYTES 4096u
#define SOCKET_FD 3

extern char **environ;

/* Finds the debugger's executable, in the build tree or the installation. */
static bool find_debugger(char *path)
{
	static const char *const places[] = {"/../../warpstep", "/../../bin/warpstep"};
	Dl_info own;
	if (!dladdr((void *)(uintptr_t)&find_debugger, &own) || !own.dli_fname)
		return false;
	const char *slash = strrchr(own.dli_fname, '/');
	const int n = slash ? (int)(slash - own.dli_fname) : 0;
	for (size_t k = 0; n && k < sizeof places / sizeof *places; k++)
		if (snprintf(path, PATH_BYTES, "%.*s%s", n, own.dli_fname, places[k]) < (int)PATH_BYTES &&
		    !access(path, X_OK))
			return true;
	return false;
}

static bool is_variable(const char *entry, const char *name)
{
	const size_t n = strlen(name);
	return !strncmp(entry, name, n) && entry[n] == '=';
}

/* Returns WARPSTEP_ARGS= with the value of another variable's entry. */
static char *args_of(const char *entry)
{
	static const char name[] = "WARPSTEP_ARGS=";
	const char *value = strchr(entry, '=') + 1;
	char *to = malloc(sizeof name + strlen(value));
	return to ? strcat(strcpy(to, name), value) : (char *)(uintptr_t)name;
}

/* Returns the program's environment without variables meant for the program; NULL if there isn't enough memory. */
static char **environment(void)
{
	size_t n = 0, k = 0;
	while (environ && environ[n])
		n++;
	char **e = calloc(n + 2, sizeof *e);
	for (size_t i = 0; e && i < n; i++)
		if (is_variable(environ[i],
				WIRE_ALONE_ARGS)) /* options of another debugger that doesn't debug this process */
			e[k++] = args_of(environ[i]);
		else if (!is_variable(environ[i], "LD_PRELOAD") && !is_variable(environ[i], "LD_LIBRARY_PATH"))
			e[k++] = environ[i];
	if (e)
		e[k] = (char *)(uintptr_t)WIRE_SERVE "=3";
	return e;
}

/* Executes the debugger in the child, which has no other threads: only system calls are made. Standard input and output stay the program's. */
_Noreturn static void exec_debugger(const char *path, char **env, int socket)
{
	char *const argv[] = {(char *)(uintptr_t)path, (char *)(uintptr_t) "--batch", NULL};
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0); /* the terminal's signals are for the program */
	if (socket <= STDERR_FILENO)
		socket = fcntl(socket, F_DUPFD, SOCKET_FD);
	const int nothing = open("/dev/null", O_RDWR);
	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		dup2(nothing, STDERR_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (socket == SOCKET_FD)
		fcntl(SOCKET_FD, F_SETFD, 0);
	else
		dup2(socket, SOCKET_FD);
	syscall(SYS_close_range, SOCKET_FD + 1, ~0U, 0);
	execve(path, argv, env);
	_exit(127);
}

int host_start_debugger(long *process)
{
	char path[PATH_BYTES];
	int fds[2];
	if (!find_debugger(path)) {
		host_say("warpstep: there is no debugger beside the libraries: ../../warpstep or ../../bin/warpstep");
		return -1;
	}
	char **env = environment();
	if (!env || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) {
		free(env);
		return -1;
	}
	/* the child's end sends no signal: the program doesn't expect this child. CLONE_UNTRACED keeps a gdb from taking it for a thread */
	const long child = syscall(SYS_clone, (long)CLONE_UNTRACED, 0L, 0L, 0L, 0L);
	if (!child)
		exec_debugger(path, env, fds[1]);
	free(env);
	close(fds[1]);
	*process = child;
	if (child > 0)
		return fds[0];
	close(fds[0]);
	return -1;
}
