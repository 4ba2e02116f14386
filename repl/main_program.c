#include "repl/main_program.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cuda/channel/wire.h"
#include "cuda/cuda.h"
#include "debug/stop/breakpoint.h"
#include "repl/options.h"
#include "repl/repl.h"

int main_program_socket(void)
{
	const char *fd = getenv(WIRE_SERVE);
	return fd && *fd >= '0' && *fd <= '9' ? atoi(fd) : -1;
}

void main_program_options(struct options *o)
{
	static const char config[] = "gpgpusim.config";
	o->batch = true;
	if (o->has_config || access(config, R_OK))
		return;
	o->config = config;
	if (!o->quiet)
		fprintf(stderr, "note: ./%s is used\n", config);
}

/* Standard output as the program is to have it; the debugger's own is standard error then. */
static int keep_output(bool batch)
{
	if (!batch)
		return STDOUT_FILENO;
	const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	return out;
}

bool main_program_begin(struct repl *r, const struct options *o)
{
	struct text folder = {0}, why = {0};
	const bool found = cuda_library_path(&folder);
	r->library_path = text_take(&folder);
	const struct cuda_setup setup = {.argv = o->program,
					 .socket = main_program_socket(),
					 .in = STDIN_FILENO,
					 .out = keep_output(o->batch),
					 .error = STDERR_FILENO,
					 .keeps_interrupts = !o->batch,
					 .device_name = o->config,
					 .library_path = r->library_path};
	if (found)
		r->program = cuda_create(r->session, &setup, &why);
	else
		text_add(&why,
			 "the libraries for CUDA programs are neither beside this program nor in ../lib/warpstep");
	if (!r->program)
		repl_error(r, "%s", text_str(&why));
	text_free(&why);
	return r->program;
}

/* Nothing stops it any more but failures, which it gets; the status of the first one counts. */
static void run_to_end(struct repl *r)
{
	int first = r->status;
	if (cuda_program_lives(r->program))
		repl_execute(r, "disable");
	while (cuda_program_lives(r->program) && repl_execute(r, "continue"))
		first = first ? first : r->status;
	r->status = first;
}

void main_program_finish(struct repl *r)
{
	run_to_end(r);
	if (!r->status)
		r->status = cuda_program_status(r->program);
}

void main_program_end(struct repl *r)
{
	if (r->program)
		cuda_destroy(r->program);
	free(r->library_path);
}
