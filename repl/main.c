/* The program: command line, environment, and putting the layers together. The only file that knows everyone. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "debug/debug.h"
#include "gpu/config_timing.h"
#include "gdbstub/gdbstub.h"
#include "gpu/gpu.h"
#include "repl/edit.h"
#include "repl/init.h"
#include "repl/input.h"
#include "repl/main_gdb.h"
#include "repl/options.h"
#include "repl/repl.h"
#include "repl/request.h"
#include "repl/samples.h"
#include "repl/inst_log.h"

/* What the signal handler may touch: the session's flag. */
static volatile sig_atomic_t *interrupt_flag;

static void on_interrupt(int signal)
{
	(void)signal;
	*interrupt_flag = 1;
}

static void catch_interrupts(struct repl *r)
{
	interrupt_flag = &r->interrupted;
	struct sigaction sa = {.sa_handler = on_interrupt};
	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL); /* no SA_RESTART: a read at the prompt ends */
	signal(SIGPIPE, SIG_IGN);
}

static double host_clock(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void device_output(void *self, const char *s, size_t n)
{
	struct repl *r = self;
	bool sent = r->server.self && gdbstub_output(r->server.self, s, n);
	if (sent && r->server.shows_errors)
		return;
	progress_erase(r);
	fwrite(s, 1, n, stdout);
	fflush(stdout);
}

static void device_note(void *self, const char *line)
{
	struct repl *r = self;
	bool sent = !r->capture && r->server.self && gdbstub_output(r->server.self, line, strlen(line));
	if (!sent || !r->server.shows_errors)
		repl_complain(r, line);
}

/* The device model, and for performance mode what it says of the timing; NULL after printing what is wrong. The mode is the model's own where
 * nobody has asked for one. */
static struct config *make_config(struct options *o, struct timing_config *timing)
{
	struct diag_list diags;
	diag_list_init(&diags);
	diags.limit = 20; /* a file that is no config has one for each line */
	struct config *c = config_create();
	struct text path = {0};
	if (!config_find(o->config, &path)) {
		config_missing(o->config, &path);
		diag_add(&diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "%s", text_str(&path));
	} else {
		config_load_file(c, text_str(&path), &diags);
	}
	for (size_t i = 0; i < o->n_overrides; i++)
		config_set_text(c, o->overrides[i], &diags);
	bool finished = config_finish(c, &diags);
	if (!o->has_mode)
		o->performance = !config_int(c, "gpgpu_ptx_sim_mode");
	if (finished && o->performance && !diags.n_errors)
		config_timing(c, timing, &diags);
	struct text out = {0};
	for (size_t i = 0; i < diags.n; i++)
		diag_format(&out, &diags.v[i]);
	if (diags.n_errors > diags.limit)
		text_addf(&out, "error: %zu more errors\n", diags.n_errors - diags.limit);
	fputs(text_str(&out), stderr);
	text_free(&out);
	text_free(&path);
	bool ok = !diags.n_errors;
	diag_list_free(&diags);
	if (ok)
		return c;
	config_free(c);
	return NULL;
}

static void run_startup(struct repl *r, const struct options *o)
{
	for (size_t i = 0; i < o->n_startup && !r->quit;) {
		if (o->startup[i].is_file) {
			bool ok = repl_source(r, o->startup[i].text);
			if (!ok && r->batch) { /* a file that can't be read */
				repl_set_status(r, REPL_FAILED);
				r->quit = true;
			}
			i++;
			continue;
		}
		/* neighbouring -ex make one source, so that a block command takes its body from the following ones */
		const char **lines = xcalloc(o->n_startup - i, sizeof *lines);
		size_t n = 0;
		while (i < o->n_startup && !o->startup[i].is_file)
			lines[n++] = o->startup[i++].text;
		input_push_array(r->input, lines, n);
		free(lines);
		repl_run(r, false);
	}
}

static void load_file(struct repl *r, const char *path)
{
	if (cmd_load(r, path))
		return;
	repl_set_status(r, r->batch ? REPL_FAILED : REPL_OK);
	r->quit = r->batch;
}

/* Commands from standard input, with gdb served besides; the end of input doesn't end that. */
static void converse(struct repl *r, const struct options *o, struct stub *gdb, const struct main_gdb_pipe *pipe)
{
	bool is_pipe = o->gdb && !strcmp(o->gdb, "-");
	if (o->gdb && !main_gdb_start(gdb, o->gdb, pipe, r)) {
		repl_set_status(r, REPL_USAGE);
		r->quit = true;
		return;
	}
	if (!o->batch && !is_pipe) {
		if (!r->interactive)
			setvbuf(stdin, NULL, _IONBF, 0); /* nothing may wait in a buffer while gdb is served */
		input_push_stdin(r->input);
		repl_run(r, false);
	}
	if (o->gdb)
		main_gdb_stay(gdb, r);
}

/* NO_COLOR as no-color.org has it: present and not empty. */
static bool has_colors(void)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	return isatty(STDERR_FILENO) && !(none && *none) && term && *term && strcmp(term, "dumb");
}

static int session(struct repl *r, const struct options *o, struct stub *gdb, const struct main_gdb_pipe *pipe)
{
	r->batch = o->batch;
	bool is_pipe = o->gdb && !strcmp(o->gdb, "-");
	r->interactive = !o->batch && !is_pipe && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	r->color = !o->batch && has_colors();
	r->terminal = isatty(STDOUT_FILENO);
	catch_interrupts(r);
	if (o->reads_home)
		init_read_home(r);
	if (r->interactive)
		edit_init(r);
	if (r->interactive && !o->quiet)
		printf("warpstep %s. Type `help` for commands, `quit` to end.\n", WARPSTEP_VERSION);
	debug_trace(r->dbg, o->trace_level, o->trace_uid);
	r->trace_level = o->trace_level;
	if (o->file && !r->quit)
		load_file(r, o->file);
	if (o->reads_local && !r->quit)
		init_read_local(r);
	if (!r->quit)
		run_startup(r, o);
	if (!r->quit)
		converse(r, o, gdb, pipe);
	if (r->interactive)
		edit_finish(r);
	return o->batch ? r->status : r->quit ? r->status : REPL_OK;
}

int main(int argc, char **argv)
{
	struct options o;
	int status = options_parse(&o, argc, argv);
	if (status >= 0) {
		options_free(&o);
		return status;
	}
	struct main_gdb_pipe pipe = {-1, -1};
	if (o.gdb && !strcmp(o.gdb, "-"))
		main_gdb_keep_pipe(&pipe);
	struct timing_config timing = {0};
	struct config *config = make_config(&o, &timing);
	if (!config) {
		icnt_config_free(timing.icnt);
		options_free(&o);
		return REPL_USAGE;
	}
	struct text why = {0};
	struct gpu *gpu = o.performance ? gpu_create_performance(config, &timing, o.isa_level, &why)
					: gpu_create(config, o.isa_level);
	if (!gpu) {
		/* a model that can't be built is a bad config; no room for it is none */
		status = why.n ? REPL_USAGE : REPL_FAILED;
		fprintf(stderr, "error: %s\n", why.n ? text_str(&why) : "can't reserve the address space of the simulated machine");
		text_free(&why);
		icnt_config_free(timing.icnt);
		config_free(config);
		options_free(&o);
		return status;
	}
	gpu_set_host_clock(gpu, host_clock);
	struct repl r;
	struct debug_host host = {.self = &r, .output = device_output, .note = device_note};
	host.interrupt = &r.interrupted;
	host.due = &r.progress.due;
	host.progress = progress_show;
	repl_init(&r, debug_create(gpu, &host));
	struct stub *gdb = main_gdb_create(&r, r.dbg);
	struct repl_samples *samples = repl_samples_begin(&r);
	struct repl_inst_log *inst_log = repl_inst_log_begin(&r);
	repl_request_begin(&r);
	status = session(&r, &o, gdb, &pipe);
	repl_request_end();
	repl_samples_end(&r, samples);
	repl_inst_log_end(&r, inst_log);
	fflush(stdout);
	if (repl_output_lost(&r) && !status)
		status = r.status;
	gdbstub_destroy(gdb);
	debug_destroy(r.dbg);
	repl_free(&r);
	icnt_config_free(timing.icnt);
	config_free(config);
	options_free(&o);
	return status;
}
