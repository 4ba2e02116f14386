#include "repl/main_program.h"

#include <signal.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "server/channel/wire.h"
#include "server/server.h"
#include "debug/debug.h"
#include "debug/findings/findings.h"
#include "debug/stop/breakpoint.h"
#include "repl/options.h"
#include "command/interpreter/exit_status.h"
#include "command/interpreter/interpreter.h"
#include "command/program/program.h"

int main_program_socket(void)
{
	const char *fd = getenv(WIRE_SERVE);
	return fd && *fd >= '0' && *fd <= '9' ? atoi(fd) : -1;
}

/* The folder may belong to another user, as /tmp does: the file's owner is asked when it is open. */
void main_program_find_config(struct options *o)
{
	static const char config[] = "gpgpusim.config";
	struct stat st;
	if (o->has_config)
		return;
	const int fd = open(config, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");
	if (!f || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		if (f)
			fclose(f);
		return;
	}
	if (st.st_uid && st.st_uid != geteuid()) {
		fprintf(stderr, "note: ./%s is not used: it belongs to user %u; `-c ./%s` uses it\n", config,
			(unsigned)st.st_uid, config);
		fclose(f);
		return;
	}
	o->config = config;
	o->found_config = f;
	if (!o->quiet)
		fprintf(stderr, "note: ./%s is used\n", config);
}

/* Standard output as the program is to have it. The debugger's own is standard error with --batch, else the terminal, if there is one. */
static int keep_output(bool batch)
{
	const bool elsewhere = !batch && isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO);
	const int terminal = elsewhere ? open("/dev/tty", O_WRONLY | O_CLOEXEC) : -1;
	if (!batch && terminal < 0)
		return STDOUT_FILENO;
	const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(batch ? STDERR_FILENO : terminal, STDOUT_FILENO);
	if (terminal >= 0)
		close(terminal);
	return out;
}

/* For sh. */
static void add_quoted(const char *word, struct text *out)
{
	const bool plain =
		*word &&
		word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@")] == '\0';
	text_add(out, out->n ? " " : "");
	if (plain) {
		text_add(out, word);
		return;
	}
	text_addc(out, '\'');
	for (; *word; word++)
		*word == '\'' ? text_add(out, "'\\''") : text_addc(out, *word);
	text_addc(out, '\'');
}

/* `show args`: as on the command line. */
static void set_arguments(struct interpreter *in, char *const *argv)
{
	struct text t = {0};
	while (*++argv)
		add_quoted(*argv, &t);
	setting_replace(in, SETTING_ARGS, text_str(&t));
	text_free(&t);
	in->first_args = xstrdup(in->settings[SETTING_ARGS]);
}

/* As WARPSTEP_ARGS: what the command line says of the machine. */
static void add_machine(const struct options *o, struct text *out)
{
	text_add(out, o->performance ? "-m performance" : "-m functional");
	if (o->has_config) {
		text_add(out, " -c");
		add_quoted(o->config, out);
	}
	for (size_t k = 0; k < o->n_overrides; k++) {
		text_add(out, " -o");
		add_quoted(o->overrides[k], out);
	}
}

bool main_program_begin(struct main_program *p, struct interpreter *in, const struct options *o)
{
	struct text alone = {0};
	struct text folder = {0}, why = {0};
	const bool found = server_library_path(&folder);
	p->library_path = text_take(&folder);
	add_machine(o, &alone);
	p->alone = text_take(&alone);
	const struct server_setup setup = {.argv = o->program,
					 .socket = main_program_socket(),
					 .in = STDIN_FILENO,
					 .out = keep_output(o->batch),
					 .error = STDERR_FILENO,
					 .keeps_interrupts = !o->batch,
					 .has_terminal = !o->batch && isatty(STDIN_FILENO),
					 .device_name = o->config,
					 .library_path = p->library_path,
					 .ptx_file = o->ptx_file,
					 .alone = p->alone};
	if (found)
		in->program = server_create(in->session, &setup, &why);
	else
		text_add(&why,
			 "the libraries for CUDA programs are neither beside this program nor in ../lib/warpstep");
	if (!in->program)
		interpreter_error(in, "%s", text_str(&why));
	text_free(&why);
	program_follow(in);
	if (in->program && o->program) /* by path alone the program is there already */
		set_arguments(in, o->program);
	return in->program;
}

void main_program_finish(struct interpreter *in)
{
	const bool command_failed = in->command_failed;
	int failure = in->interrupts ? status_failure(in) : program_run_to_end(in);
	failure = failure ? failure : in->detached_failure;
	if (in->interrupts && server_program_lives(in->program)) { /* after Ctrl-C the program isn't waited for */
		interpreter_execute(in, "kill");
		failure = failure ? failure : 128 + SIGINT;
	}
	in->status = status_with_program(failure, debug_finding_errors(in->dbg) > 0, command_failed,
					server_program_status(in->program));
}

void main_program_end(struct main_program *p, struct interpreter *in)
{
	if (in->program)
		server_destroy(in->program);
	in->program = NULL;
	free(p->library_path);
	free(p->alone);
}
