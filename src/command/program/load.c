/* What is loaded: load, dot, reset. */
#include <string.h>
#include <stdlib.h>
#include <string.h>

#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/perf/trace.h"
#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "base/xalloc.h"
#include "gpu/config/config.h"
#include "frontend/frontend.h"
#include "frontend/sass.h"
#include "isa/flow/cfg.h"

/* Says how many errors in a file were not shown. */
static void complain_more(struct interpreter *in, size_t n, const char *path)
{
	struct text line = {0};
	text_addf(&line, "error: %zu more errors in '%s'\n", n, path);
	interpreter_complain(in, text_str(&line));
	text_free(&line);
}

static bool option(const struct interpreter *in, const char *name)
{
	const struct config *cfg = gpu_config(debug_gpu(in->dbg));
	return cfg && config_bool(cfg, name);
}

static bool ends_in(const char *path, const char *ending)
{
	const size_t n = strlen(path), k = strlen(ending);
	return n > k && !strcmp(path + n - k, ending);
}

/* Returns whether a file stands for machine code: it is machine code itself, or with -gpgpu_ptx_convert_to_ptxplus there is a file of machine code for it. */
static bool is_machine_code(const struct interpreter *in, const char *path)
{
	return ends_in(path, ".sass") || (ends_in(path, ".ptx") && option(in, "gpgpu_ptx_convert_to_ptxplus"));
}

/* Writes converted code to a file and says so, or why that failed. */
static bool write_converted(struct interpreter *in, const struct text *text, const char *path)
{
	if (!interpreter_write_file(in, path, text))
		return false;
	debug_note(in->dbg, "the PTXPlus text is in %s", path);
	return true;
}

/* -gpgpu_ptx_save_converted_ptxplus: writes the text to _ptxplus_FILE in the current folder. */
static void save_converted(struct interpreter *in, const struct frontend_sass *sass)
{
	struct text text = {0}, path = {0};
	struct diag_list diags;
	const char *slash = strrchr(sass->path, '/'), *base = slash ? slash + 1 : sass->path;
	diag_list_init(&diags);
	text_addf(&path, "_ptxplus_%.*s", (int)(strlen(base) - strlen(".sass")), base);
	if (frontend_convert_sass(sass, &text, &diags))
		write_converted(in, &text, text_str(&path));
	diag_list_free(&diags);
	text_free(&text);
	text_free(&path);
}

static bool load_machine_code(struct interpreter *in, const struct frontend_sass *sass, struct diag_list *diags)
{
	if (!frontend_load_sass(gpu_program(debug_gpu(in->dbg)), sass, diags))
		return false;
	if (option(in, "gpgpu_ptx_save_converted_ptxplus"))
		save_converted(in, sass);
	return true;
}

/* Returns the next word of a command's arguments, without quotes around it, and moves *s behind it; NULL if there is none. The caller frees it. */
static char *take_path(const char **s)
{
	const char *from = *s + strspn(*s, " \t"), quote = *from == '"' || *from == '\'' ? *from : '\0';
	const size_t n = quote ? strcspn(from + 1, (const char[]){quote, '\0'}) : strcspn(from, " \t");
	from += quote != '\0';
	*s = from + n + (quote && from[n]);
	*s += strspn(*s, " \t");
	return n ? xstrndup(from, n) : NULL;
}

bool command_convert(struct interpreter *in, const char *args)
{
	char *word = NULL, *to = NULL;
	const char *rest = args;
	struct text text = {0};
	struct diag_list diags;
	if (!(word = take_path(&rest)) || !(to = take_path(&rest)) || *rest) {
		free(word);
		free(to);
		return interpreter_error(in, "usage: convert FILE.sass OUT.ptxplus");
	}
	diag_list_init(&diags);
	diags.limit = 50;
	struct frontend_sass sass = {.files = session_files(in->session), .exact = option(in, "gpgpu_ptxplus_exact")};
	frontend_sass_init(&sass, word);
	bool ok = frontend_convert_sass(&sass, &text, &diags);
	interpreter_diags(in, &diags);
	if (!ok)
		in->failed = true;
	else
		ok = write_converted(in, &text, to);
	diag_list_free(&diags);
	frontend_sass_free(&sass);
	text_free(&text);
	free(word);
	free(to);
	return ok;
}

bool command_load(struct interpreter *in, const char *args)
{
	if (!*args)
		return interpreter_error(in, "usage: load FILE.ptx");
	char *path = argument_unquoted(args);
	const struct isa_program *p = gpu_program(debug_gpu(in->dbg));
	uint32_t n_functions = p->n_functions, n_files = p->n_files;
	struct diag_list diags;
	diag_list_init(&diags);
	diags.limit = 50;
	struct frontend_sass sass = {.files = session_files(in->session), .exact = option(in, "gpgpu_ptxplus_exact")};
	frontend_sass_init(&sass, path);
	bool ok = is_machine_code(in, path) ? load_machine_code(in, &sass, &diags)
					    : frontend_load_file(gpu_program(debug_gpu(in->dbg)), sass.files, path, in->interrupted, &diags);
	interpreter_diags(in, &diags);
	if (diags.n_errors > diags.limit)
		complain_more(in, diags.n_errors - diags.limit, path);
	diag_list_free(&diags);
	frontend_sass_free(&sass);
	free(path);
	if (!ok) {
		in->failed = true;
		return false;
	}
	struct text notes = {0};
	debug_program_changed(in->dbg, &notes);
	interpreter_print_text(in, &notes);
	trace_loaded(in->dbg, n_functions, n_files);
	return true;
}

bool command_reset(struct interpreter *in, const char *args)
{
	if (*args)
		return interpreter_error(in, "usage: reset");
	if (debug_program_lives(in->dbg))
		return interpreter_error(in, "a program is being debugged: `kill` ends it");
	if (debug_can_run(in->dbg) && !interpreter_asks(in, "Drop the launches being debugged?"))
		return true;
	debug_reset(in->dbg);
	interpreter_print(in, "[Machine reset]\n");
	return true;
}

bool command_dot(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t");
	struct text why = {0}, out = {0};
	const struct isa_function *f = n ? debug_find_kernel(in->dbg, args, n, &why) : NULL;
	if (!f) {
		interpreter_error(in, "%s", n ? text_str(&why) : "usage: dot KERNEL [FILE]");
		text_free(&why);
		return false;
	}
	text_free(&why);
	cfg_dot(gpu_program(debug_gpu(in->dbg)), f, &out);
	const char *path = args + n + strspn(args + n, " \t");
	if (!*path) {
		interpreter_print_text(in, &out);
		return true;
	}
	bool ok = interpreter_write_file(in, path, &out);
	text_free(&out);
	return ok;
}
