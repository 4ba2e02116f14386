#include "repl/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "server/server.h"
#include "exec/exec.h"
#include "repl/main_program.h"

enum option_id {
	OPT_CONFIG,
	OPT_MODE,
	OPT_OPTION,
	OPT_COMMAND,
	OPT_EX,
	OPT_BATCH,
	OPT_CHECK,
	OPT_REPORT,
	OPT_GDB,
	OPT_GDB_TRUST,
	OPT_QUIET,
	OPT_VERSION,
	OPT_HELP,
	OPT_ISA,
	OPT_ARGS,
	OPT_NX,
	OPT_NH,
	OPT_LIBRARY_PATH
};

static const struct option_row {
	enum option_id id;
	const char *brief, *name, *value, *help;
} rows[] = {
	{OPT_CONFIG, "-c", "--config", "NAME|FILE",
	 "device model: a folder in configs/ or a GPGPU-Sim config file (default fermi-gtx480)"},
	{OPT_MODE, "-m", "--mode", "performance|functional", "with the timing model (default), or purely functionally"},
	{OPT_OPTION, "-o", "--option", "'-name value'", "override an option of the config; may be repeated"},
	{OPT_COMMAND, "-x", "--command", "FILE", "run the commands in a file"},
	{OPT_EX, "-ex", "--eval-command", "CMD", "run one command"},
	{OPT_BATCH, NULL, "--batch", NULL, "no prompt, no pager, no colour; exit after the commands"},
	{OPT_CHECK, NULL, "--check", "LIST",
	 "switch checkers on: memory, race, init, sync, or all, with commas between them"},
	{OPT_REPORT, NULL, "--report", "FILE",
	 "write what the checkers find there, as JSON (whether they stop the run: `set check-action`)"},
	{OPT_GDB, "-g", "--gdb", "[HOST:]PORT",
	 "serve the GDB remote protocol there; `-g unix:PATH`: on a socket file; `-g -`: on standard input and output"},
	{OPT_GDB_TRUST, NULL, "--gdb-trust", NULL,
	 "let gdb's users on other machines touch programs and files of this one by monitor commands"},
	{OPT_ARGS, NULL, "--args", "PROGRAM [ARG]...", "debug a CUDA program; all that follows is its own"},
	{OPT_LIBRARY_PATH, NULL, "--library-path", NULL, "print the folder with what CUDA programs load, and exit"},
	{OPT_NX, "-n", "--nx", NULL, "read no init file"},
	{OPT_NH, NULL, "--nh", NULL, "don't read ~/.config/warpstep/init"},
	{OPT_ISA, NULL, "--isa", "v2|v3|v4", "instruction-set level of the simulator itself (for tests)"},
	{OPT_QUIET, "-q", "--quiet", NULL, "no greeting"},
	{OPT_VERSION, NULL, "--version", NULL, "print the version"},
	{OPT_HELP, "-h", "--help", NULL, "print this"},
};
#define ROWS (sizeof rows / sizeof *rows)

static void print_help(void)
{
	printf("Usage: warpstep [OPTION]... [FILE.ptx | FILE.wsc]\n       warpstep [OPTION]... --args PROGRAM [ARG]...\n"
	       "Debug PTX kernels, or the kernels of a CUDA program, on a simulated GPU.\n\n");
	for (size_t i = 0; i < ROWS; i++) {
		struct option_row r = rows[i];
		char left[64];
		snprintf(left, sizeof left, "%s%s%s%s%s", r.brief ? r.brief : "", r.brief ? ", " : "", r.name,
			 r.value ? " " : "", r.value ? r.value : "");
		printf("  %-32s %s\n", left, r.help);
	}
	printf("\nExit status with --batch: 0 all worked; 1 a command failed; 2 bad usage or config; 3 a kernel "
	       "stopped on an\n"
	       "exception, or a checker found something; 4 deadlock or a limit was hit; else a program's own.\n");
}

/* The status after a text that is all the program was asked for. */
static int written(void) { return fflush(stdout) || ferror(stdout) ? 1 : 0; }

static int usage(const char *what, const char *which)
{
	fprintf(stderr, "error: %s '%s'; `warpstep --help` lists the options\n", what, which);
	return 2;
}

static int unknown_option(const char *arg)
{
	struct nearest near;
	struct text which = {0};
	nearest_begin(&near, arg, strcspn(arg, "="));
	for (size_t i = 0; i < ROWS; i++)
		nearest_add(&near, rows[i].name);
	if (!nearest_meant(&near))
		return usage("unknown option", arg);
	nearest_suggest(&near, &which);
	fprintf(stderr, "error: unknown option '%s'%s\n", arg, text_str(&which));
	text_free(&which);
	return 2;
}

/* The row an argument names; *value is set if it carries one (--name=value). As with gdb one
 * dash does for long names (-batch), and two are as good for -ex. */
static const struct option_row *find_row(const char *arg, const char **value)
{
	*value = NULL;
	const char *word = arg[1] == '-' ? arg + 2 : arg + 1;
	for (size_t i = 0; i < ROWS; i++) {
		const char *name = rows[i].name + strlen("--");
		size_t n = strlen(name);
		if (rows[i].brief &&
		    (!strcmp(arg, rows[i].brief) || (rows[i].brief[2] && !strcmp(word, rows[i].brief + 1))))
			return &rows[i];
		if (strncmp(word, name, n) || (word[n] && word[n] != '='))
			continue;
		if (word[n])
			*value = word + n + 1;
		return &rows[i];
	}
	return NULL;
}

static void add_startup(struct options *o, bool is_file, const char *text)
{
	o->startup = xgrow(o->startup, &o->cap_startup, o->n_startup + 1, sizeof *o->startup);
	o->startup[o->n_startup++] = (struct options_startup){is_file, text};
}

static int set_mode(struct options *o, const char *mode)
{
	o->performance = !strcmp(mode, "performance");
	o->has_mode = true;
	if (o->performance || !strcmp(mode, "functional"))
		return -1;
	fprintf(stderr, "error: bad mode '%s', expected 'functional' or 'performance'\n", mode);
	return 2;
}

/* Whether some host can run a level of the lane code. */
static bool isa_known(const char *level)
{
	return !strcmp(level, "v2") || !strcmp(level, "v3") || !strcmp(level, "v4") || !strcmp(level, "generic");
}

static int set_isa(struct options *o, const char *level)
{
	o->isa_level = level;
	if (!isa_known(level))
		return usage("bad value of --isa", level);
	return exec_level_runs(level) ? -1 : usage("this processor can't run --isa", level);
}

static int library_path(void)
{
	struct text path = {0};
	const bool found = server_library_path(&path);
	if (found)
		printf("%s\n", text_str(&path));
	else
		fputs("error: the libraries for CUDA programs are neither beside this program nor in ../lib/warpstep\n",
		      stderr);
	text_free(&path);
	return found ? written() : 1;
}

static int apply(struct options *o, const struct option_row *row, const char *value)
{
	switch (row->id) {
	case OPT_CONFIG:
		o->config = value;
		o->has_config = true;
		return -1;
	case OPT_MODE: return set_mode(o, value);
	case OPT_OPTION:
		o->overrides = xgrow(o->overrides, &o->cap_overrides, o->n_overrides + 1, sizeof *o->overrides);
		o->overrides[o->n_overrides++] = value;
		return -1;
	case OPT_COMMAND: add_startup(o, true, value); return -1;
	case OPT_EX: add_startup(o, false, value); return -1;
	case OPT_BATCH: o->batch = true; return -1;
	case OPT_NX: o->reads_home = o->reads_local = false; return -1;
	case OPT_NH: o->reads_home = false; return -1;
	case OPT_QUIET: o->quiet = true; return -1;
	case OPT_ISA: return set_isa(o, value);
	case OPT_VERSION: printf("warpstep %s\n", WARPSTEP_VERSION); return written();
	case OPT_HELP: print_help(); return written();
	case OPT_GDB: o->gdb = value; return -1;
	case OPT_GDB_TRUST: o->gdb_trust = true; return -1;
	case OPT_LIBRARY_PATH: return library_path();
	case OPT_CHECK:
		o->checks = xgrow(o->checks, &o->cap_checks, o->n_checks + 1, sizeof *o->checks);
		o->checks[o->n_checks++] = value;
		return -1;
	case OPT_REPORT: o->report = value; return -1;
	case OPT_ARGS: break; /* parse_words has done it */
	}
	fprintf(stderr, "error: option '%s' is not in this version yet\n", row->name);
	return 2;
}

/* The environment: GPGPU-Sim's variables with GPGPU-Sim's meaning (GPGPU-Sim manual, "Debugging"). */

static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

static long long number_variable(const char *name)
{
	const char *value = variable(name);
	char *end;
	long long n = value ? strtoll(value, &end, 10) : 0;
	if (!value || !*end)
		return n;
	fprintf(stderr, "warning: %s is '%s', expected a number\n", name, value);
	return 0;
}

/* PTX_SIM_KERNELFILE is the file to load if the command line names neither a file nor a program. With PTX_SIM_USE_PTX_FILE it replaces that file, or
 * the PTX in the program. */
static void read_kernel_file(struct options *o)
{
	const char *file = variable("PTX_SIM_KERNELFILE");
	const bool replaces = variable("PTX_SIM_USE_PTX_FILE");
	if (o->program || main_program_socket() >= 0) {
		o->ptx_file = replaces ? file : NULL;
		return;
	}
	if (file && o->file && replaces && !o->quiet)
		fprintf(stderr, "note: PTX_SIM_USE_PTX_FILE is set, '%s' is loaded instead of '%s'\n", file, o->file);
	if (file && (!o->file || replaces))
		o->file = file;
}

static void read_environment(struct options *o)
{
	if (!o->has_mode && variable("PTX_SIM_MODE_FUNC")) {
		o->performance = number_variable("PTX_SIM_MODE_FUNC") != 1;
		o->has_mode = true;
	}
	long long uid = number_variable("PTX_SIM_DEBUG_THREAD_UID");
	read_kernel_file(o);
	o->trace_level = (int)number_variable("PTX_SIM_DEBUG");
	o->trace_uid = uid > 0 ? (uint64_t)uid : 0;
}

/* Next word of `s`, with quotes and backslashes as a shell takes them; NULL: none is left. *is_open: a quote in it isn't closed. */
static char *take_word(const char **s, bool *is_open)
{
	char *word, *to, quote = '\0';
	const char *at = *s + strspn(*s, " \t\n");
	if (!*at)
		return NULL;
	word = to = xmalloc(strlen(at) + 1);
	for (; *at && (quote || !strchr(" \t\n", *at)); at++) {
		if (*at == '\\' && at[1] && quote != '\'')
			*to++ = *++at;
		else if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? '\0' : *at;
		else
			*to++ = *at;
	}
	*to = '\0';
	*s = at;
	*is_open = quote;
	return word;
}

/* WARPSTEP_ARGS: options in front of the command line's. */
static int read_words(struct options *o)
{
	const char *s = variable("WARPSTEP_ARGS");
	bool is_open = false;
	for (char *word; s && (word = take_word(&s, &is_open)) != NULL;) {
		o->words = xgrow(o->words, &o->cap_words, o->n_words + 1, sizeof *o->words);
		o->words[o->n_words++] = word;
	}
	return is_open ? usage("WARPSTEP_ARGS: a quote is not closed in", o->words[o->n_words - 1]) : -1;
}

static bool is_ptx(const char *file)
{
	const char *end = strrchr(file, '.');
	return end && !strcmp(end, ".ptx");
}

static int add_file(struct options *o, const char *file)
{
	if (o->file)
		return usage(is_ptx(o->file) ? "more than one file: unexpected"
					     : "a program and its arguments come after --args: unexpected",
			     file);
	if (!*file)
		return usage("bad file name", file);
	o->file = file;
	return -1;
}

static int parse_words(struct options *o, char *const *argv, size_t n)
{
	bool only_files = false;
	int status = -1;
	for (size_t i = 0; i < n && status < 0; i++) {
		const char *arg = argv[i], *value;
		if (only_files || *arg != '-' || !arg[1]) {
			status = add_file(o, arg);
			continue;
		}
		if (!strcmp(arg, "--")) {
			only_files = true;
			continue;
		}
		const struct option_row *row = find_row(arg, &value);
		if (!row)
			return unknown_option(arg);
		if (!row->value && value)
			return usage("option takes no value:", arg);
		if (row->value && !value) {
			if (i + 1 == n)
				return usage("option needs a value:", arg);
			value = argv[++i];
		}
		if (row->id == OPT_ARGS) {
			o->program = &argv[i];
			return o->file ? usage("a PTX file and a program: unexpected", o->file) : -1;
		}
		status = apply(o, row, value ? value : "");
	}
	return status;
}

int options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){.config = "fermi-gtx480", .performance = true, .reads_home = true, .reads_local = true};
	int status = read_words(o);
	if (status < 0)
		status = parse_words(o, o->words, o->n_words);
	if (status < 0 && o->file)
		status = usage("WARPSTEP_ARGS holds options only: unexpected", o->file);
	if (status < 0 && argc > 1)
		status = parse_words(o, argv + 1, (size_t)argc - 1);
	if (status < 0)
		read_environment(o);
	return status;
}

void options_free(struct options *o)
{
	for (size_t i = 0; i < o->n_words; i++)
		free(o->words[i]);
	free(o->words);
	free(o->checks);
	free(o->overrides);
	free(o->startup);
	if (o->found_config)
		fclose(o->found_config);
}
