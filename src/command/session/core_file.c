#include "command/session/core_file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"
#include "command/interpreter/interpreter.h"
#include "debug/program.h"
#include "server/server.h"

/* ---- names ---- */

static long process_of(const struct interpreter *in)
{
	const long pid = in->program ? server_program_pid(in->program) : 0;
	return pid ? pid : (long)getpid();
}

/* Appends the host's name, up to its first dot. */
static void add_host(struct text *out)
{
	char name[256] = "host";
	gethostname(name, sizeof name - 1);
	text_addn(out, name, strcspn(name, "."));
}

/* Expands %h, %p, %t and %% as CUDA does in CUDA_COREDUMP_FILE: host, process and seconds since 1970. */
static void expand(const struct interpreter *in, const char *pattern, struct text *out)
{
	for (const char *s = pattern; *s; s++) {
		const char kind = *s == '%' ? s[1] : '\0';
		if (kind == 'h')
			add_host(out);
		else if (kind == 'p')
			text_addf(out, "%ld", process_of(in));
		else if (kind == 't')
			text_addf(out, "%lld", (long long)time(NULL));
		else
			text_addc(out, *s);
		s += kind == 'h' || kind == 'p' || kind == 't' || kind == '%';
	}
}

#define DEFAULT_NAME "core_%t_%h_%p.wsc"

/* ---- writing ---- */

static bool save(struct interpreter *in, const char *path, struct text *line)
{
	struct text why = {0};
	const bool ok = checkpoint_save(in->session, path, line, &why);
	if (!ok)
		interpreter_failure(in, &why);
	text_free(&why);
	return ok;
}

bool command_gcore(struct interpreter *in, const char *args)
{
	struct text name = {0}, line = {0};
	char *given = argument_unquoted(args);
	if (*given)
		text_add(&name, given);
	else
		expand(in, DEFAULT_NAME, &name);
	free(given);
	const bool ok = save(in, text_str(&name), &line);
	if (ok)
		interpreter_print_text(in, &line);
	text_free(&line);
	text_free(&name);
	return ok;
}

bool core_file_is_wanted(void)
{
	const char *wanted = getenv("CUDA_ENABLE_COREDUMP_ON_EXCEPTION");
	return wanted && !strcmp(wanted, "1");
}

void core_file_at_stop(struct interpreter *in, const struct debug_stop *stop)
{
	const char *pattern = getenv("CUDA_COREDUMP_FILE");
	struct text name = {0}, line = {0};
	if (!core_file_is_wanted() || !stop || stop->reason != DEBUG_STOP_EXCEPTION || !debug_program_lives(in->dbg))
		return;
	expand(in, pattern && *pattern ? pattern : DEFAULT_NAME, &name);
	if (save(in, text_str(&name), &line))
		interpreter_complain(in, text_str(&line));
	text_free(&line);
	text_free(&name);
}
