/* The program: command line, environment, and putting the layers together. The only file that knows everyone. */
#include <langinfo.h>
#include <locale.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/version.h"
#include "base/xalloc.h"
#include "checkpoint/checkpoint.h"
#include "command/interpreter/input.h"
#include "command/session/core_file.h"
#include "command/setup/apply_settings.h"
#include "server/server.h"
#include "debug/debug.h"
#include "gpu/config/config.h"
#include "gdbstub/gdbstub.h"
#include "repl/check_options.h"
#include "repl/edit.h"
#include "repl/init_files.h"
#include "command/interpreter/input.h"
#include "command/perf/trace.h"
#include "repl/main_gdb.h"
#include "repl/main_program.h"
#include "repl/options.h"
#include "repl/repl.h"
#include "repl/process_requests.h"
#include "repl/visualizer_log.h"
#include "repl/inst_log.h"

/* What the signal handlers may touch: the session's flag, and whether the interpreter is to end. */
static volatile sig_atomic_t *interrupt_flag;
static volatile bool *quit_flag;

static void on_interrupt(int signal)
{
	(void)signal;
	*interrupt_flag = 1;
}

static void on_terminate(int signal)
{
	on_interrupt(signal);
	*quit_flag = true;
}

/* Catches Ctrl-C. With --batch SIGTERM stops the machine and ends the script, so that findings are printed and the file of --report is written. */
static void catch_interrupts(struct interpreter *in)
{
	interrupt_flag = in->interrupted;
	struct sigaction sa = {.sa_handler = on_interrupt};
	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL); /* no SA_RESTART: a read at the prompt ends */
	quit_flag = &in->quit;
	sa.sa_handler = on_terminate;
	if (in->batch)
		sigaction(SIGTERM, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static double host_clock(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* NULL after printing what is wrong; `status`: what the program ends with then. */
static struct session *make_session(const struct options *o, int *status)
{
	const struct session_setup setup = {.config = o->config,
					    .found_config = o->found_config,
					    .options = (const char *const *)o->overrides,
					    .n_options = o->n_overrides,
					    .mode = !o->has_mode     ? SESSION_MODE_OF_CONFIG
						    : o->performance ? SESSION_PERFORMANCE
								     : SESSION_FUNCTIONAL,
					    .isa_level = o->isa_level,
					    .shares_memory = o->program || main_program_socket() >= 0,
					    .clock = host_clock};
	struct text messages = {0};
	enum session_failure failure;
	struct session *s = session_create(&setup, &messages, &failure);
	fputs(text_str(&messages), stderr);
	text_free(&messages);
	*status = failure == SESSION_NO_ROOM ? EXIT_STATUS_FAILED : EXIT_STATUS_USAGE;
	return s;
}

static void run_startup(struct interpreter *in, const struct options *o)
{
	for (size_t i = 0; i < o->n_startup && !in->quit;) {
		if (o->startup[i].is_file) {
			bool ok = interpreter_source(in, o->startup[i].text);
			if (!ok && in->batch) { /* a file that can't be read */
				interpreter_set_status(in, EXIT_STATUS_FAILED);
				in->quit = true;
			}
			i++;
			continue;
		}
		/* neighbouring -ex make one source, so that a block command takes its body from the following ones */
		const char **lines = xcalloc(o->n_startup - i, sizeof *lines);
		size_t n = 0;
		while (i < o->n_startup && !o->startup[i].is_file)
			lines[n++] = o->startup[i++].text;
		input_push_array(in->input, lines, n);
		free(lines);
		interpreter_run(in, false);
	}
}

/* Returns true for a checkpoint file: by its name, or by its first line, as CUDA_COREDUMP_FILE may give it any name. Only regular files are read:
 * what comes through a pipe can be read once. */
static bool is_checkpoint(const char *path)
{
	char title[sizeof CHECKPOINT_TITLE] = "";
	struct stat what;
	FILE *f = !stat(path, &what) && S_ISREG(what.st_mode) ? fopen(path, "rbe") : NULL;
	if (f && fread(title, 1, sizeof title - 1, f) != sizeof title - 1)
		title[0] = '\0';
	if (f)
		fclose(f);
	return checkpoint_is_file(path) || !strcmp(title, CHECKPOINT_TITLE);
}

static void load_file(struct interpreter *in, const char *path)
{
	if (is_checkpoint(path) ? command_restore(in, path) : command_load(in, path))
		return;
	interpreter_set_status(in, in->batch ? EXIT_STATUS_FAILED : EXIT_STATUS_OK);
	in->quit = in->batch;
}

/* Commands from standard input, with gdb served besides; the end of input doesn't end that. */
static void converse(struct interpreter *in, const struct options *o, struct stub *gdb, const struct main_gdb_pipe *pipe)
{
	bool is_pipe = o->gdb && !strcmp(o->gdb, "-");
	if (o->gdb && !main_gdb_start(gdb, o->gdb, pipe, in)) {
		interpreter_set_status(in, EXIT_STATUS_USAGE);
		in->quit = true;
		return;
	}
	if (!o->batch && !is_pipe) {
		if (!in->interactive)
			setvbuf(stdin, NULL, _IONBF, 0); /* nothing may wait in a buffer while gdb is served */
		input_push_typed(in->input, repl_is_typed());
		interpreter_run(in, false);
	}
	if (o->gdb)
		main_gdb_stay(gdb, in);
}

/* NO_COLOR as no-color.org has it: present and not empty. */
static bool has_colors(void)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	return isatty(STDERR_FILENO) && !(none && *none) && term && *term && strcmp(term, "dumb");
}

static int run_session(struct repl *r, const struct options *o, struct stub *gdb, const struct main_gdb_pipe *pipe)
{
	struct interpreter *const in = r->in;
	in->batch = o->batch;
	bool is_pipe = o->gdb && !strcmp(o->gdb, "-");
	in->interactive = !o->batch && !is_pipe && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	repl_use_terminal(r, !o->batch && has_colors());
	catch_interrupts(in);
	if (o->reads_home)
		init_read_home(in);
	if (in->interactive)
		edit_init(r);
	if (in->interactive && !o->quiet)
		printf("warpstep %s. Type `help` for commands, `quit` to end.\n", WARPSTEP_VERSION);
	if (!o->batch || o->gdb || core_file_is_wanted()) /* a file at an exception has a history, too */
		settings_record_history(in);
	else if (!in->program)
		history_keep_beginnings(session_history(in->session), true);
	trace_set(in->dbg, o->trace_level, o->trace_uid);
	if (o->file && !in->quit)
		load_file(in, o->file);
	if (o->reads_local && !in->quit)
		init_read_local(in);
	if (!in->quit)
		run_startup(in, o);
	if (!in->quit && in->program && o->batch && !o->n_startup && !o->gdb && !interpreter_execute(in, "run"))
		interpreter_set_status(in, EXIT_STATUS_FAILED);
	if (!in->quit)
		converse(in, o, gdb, pipe);
	if (o->batch && in->program)
		main_program_finish(in);
	const bool is_reported = repl_check_end(in, o);
	if (in->interactive)
		edit_finish(r);
	const int status = o->batch || in->quit ? in->status : EXIT_STATUS_OK;
	return is_reported || status ? status : EXIT_STATUS_FAILED;
}

/* What is opened must not become a standard stream. What is written to an output that was closed fails, as it would without. False: input or
 * output was closed. */
static bool fill_standard_streams(void)
{
	static const char *const stand_in[] = {"/dev/null", "/dev/full", "/dev/null"};
	bool open_both = true;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		open_both = open_both && fd == STDERR_FILENO;
		if (open(stand_in[fd], O_RDWR) < 0) /* the lowest that is free: this one */
			return false;
	}
	return open_both;
}

/* What looks on from the first command to the last: samples, the log of instructions, requests of others. */
static int run_observed(struct repl *r, const struct options *o, const struct main_gdb_pipe *pipe)
{
	struct interpreter *const in = r->in;
	struct stub *gdb = gdbstub_create(in->session, in);
	if (o->gdb_trust)
		gdbstub_trust(gdb);
	struct repl_samples *samples = repl_samples_begin(in);
	struct repl_inst_log *inst_log = repl_inst_log_begin(in);
	repl_request_begin(in);
	const int status = run_session(r, o, gdb, pipe);
	repl_request_end();
	bool lost = !repl_samples_end(in, samples);
	lost |= !repl_inst_log_end(in, inst_log);
	fflush(stdout);
	gdbstub_destroy(gdb);
	lost |= repl_output_lost(r);
	return lost && !status ? in->status : status;
}

/* Returns the name of kernel k of a program, "" for functions that are no kernels. */
static const char *kernel_name(void *self, uint32_t k)
{
	const struct isa_program *p = self;
	if (k >= p->n_functions)
		return NULL;
	return p->functions[k]->is_kernel ? p->functions[k]->name : "";
}

/* Notes names of kernels in the configuration that meant none. */
static void note_unmatched_kernels(struct interpreter *in)
{
	struct gpu *g = debug_gpu(in->dbg);
	struct text notes = {0};
	if (gpu_config(g) && gpu_launch_count(g))
		config_unmatched_kernels(gpu_config(g), kernel_name, gpu_program(g), &notes);
	fputs(text_str(&notes), stderr);
	text_free(&notes);
}

static int use_session(struct session *session, const struct options *o, bool has_program,
		       const struct main_gdb_pipe *pipe)
{
	struct repl r;
	struct main_program program = {0};
	struct interpreter *const in = interpreter_create(session, &command_table);
	int status = EXIT_STATUS_FAILED;
	repl_init(&r, in);
	if (!has_program || main_program_begin(&program, in, o)) {
		status = repl_check_begin(in, o) ? run_observed(&r, o, pipe) : EXIT_STATUS_USAGE;
		note_unmatched_kernels(in);
		main_program_end(&program, in);
	}
	repl_free(&r);
	interpreter_destroy(in);
	return status;
}

/* Takes the environment's characters if they are UTF-8, for typing and for strings; all else stays as in the C locale. */
static void use_locale(void)
{
	if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8"))
		setlocale(LC_CTYPE, "C");
}

int main(int argc, char **argv)
{
	struct options o;
	if (argc == 1 && server_terminal_helper(argv[0]))
		return 0;
	use_locale();
	const bool has_streams = fill_standard_streams();
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error */
	int status = options_parse(&o, argc, argv);
	if (status >= 0) {
		options_free(&o);
		return status;
	}
	const bool is_served = !o.program && main_program_socket() >= 0;
	if (is_served)
		o.batch = true;
	if (is_served || o.program)
		main_program_find_config(&o);
	struct main_gdb_pipe pipe = {-1, -1};
	if (o.gdb && !strcmp(o.gdb, "-"))
		main_gdb_keep_pipe(&pipe);
	if (!has_streams)
		pipe.in = -1;
	struct session *session = make_session(&o, &status);
	if (session) {
		status = use_session(session, &o, o.program || is_served, &pipe);
		session_destroy(session);
	}
	options_free(&o);
	return status;
}
