#include "repl/main_gdb.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gdbstub/gdbstub.h"
#include "repl/main_program.h"
#include "command/interpreter/interpreter.h"

void main_gdb_keep_pipe(struct main_gdb_pipe *p)
{
	*p = (struct main_gdb_pipe){fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};
	dup2(STDERR_FILENO, STDOUT_FILENO);
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (nothing < 0)
		return;
	dup2(nothing, STDIN_FILENO);
	if (nothing != STDIN_FILENO)
		close(nothing);
}

/* gdb gives a program after `target remote |` a socket for standard error (ser-pipe.c), and shows what comes from there; a file
 * or a terminal is not gdb's. */
static bool is_socket(int fd)
{
	struct stat st;
	return !fstat(fd, &st) && S_ISSOCK(st.st_mode);
}

bool main_gdb_start(struct stub *s, const char *where, const struct main_gdb_pipe *p, struct interpreter *in)
{
	struct text out = {0}, why = {0};
	bool ok = true;
	if (strcmp(where, "-")) {
		ok = gdbstub_listen(s, where, &out, &why);
	} else if (p->in < 0 || p->out < 0) {
		text_add(&why, "gdb's pipe is standard input and output: they are not open");
		ok = false;
	} else {
		fflush(stdout); /* else gdb would show what the commands said after its first stop */
		/* front ends of gdb drop what it shows while they start */
		if (in->error.n)
			gdbstub_not_launched(s, text_str(&in->error));
		gdbstub_attach(s, p->in, p->out, is_socket(STDERR_FILENO));
	}
	fputs(text_str(&out), stderr); /* standard output is for results */
	if (!ok)
		interpreter_error(in, "%s", text_str(&why));
	text_free(&out);
	text_free(&why);
	return ok;
}

/* The program that has started this process ends, and waits for it to do so. */
static bool has_left(int program)
{
	struct pollfd end = {.fd = program, .events = POLLIN | POLLRDHUP};
	return program >= 0 && poll(&end, 1, 0) > 0;
}

void main_gdb_stay(struct stub *s, struct interpreter *in)
{
	const int socket = in->program ? main_program_socket() : -1, program = socket < 0 ? -1 : dup(socket);
	while (!in->quit && gdbstub_active(s) && (socket < 0 || program >= 0)) {
		*in->interrupted = 0;
		gdbstub_serve(s, program);
		if (*in->interrupted || has_left(program)) /* Ctrl-C where there is no prompt any more */
			break;
	}
	if (program >= 0)
		close(program);
}
