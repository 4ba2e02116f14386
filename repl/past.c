#include "repl/past.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/stop/run.h"
#include "checkpoint/checkpoint.h"
#include "repl/answer.h"

/* A name, which may be quoted, and nothing after it. */
static char *file_name(const char *args)
{
	char *s = repl_unquoted(args);
	size_t n = strlen(s);
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		s[--n] = '\0';
	return s;
}

static bool save_checkpoint(struct repl *r, const char *path)
{
	struct text out = {0}, why = {0};
	if (!repl_may_reach(r, path))
		return false;
	const bool ok = checkpoint_save(r->session, path, &out, &why);
	repl_print_text(r, &out);
	if (!ok)
		repl_failure(r, &why);
	text_free(&why);
	return ok;
}

bool cmd_checkpoint(struct repl *r, const char *args)
{
	char *path = file_name(args);
	const bool ok =
		checkpoint_is_file(path) ? save_checkpoint(r, path) : answer_ask_history(r, history_cmd_checkpoint, args);
	free(path);
	return ok;
}

bool cmd_restore(struct repl *r, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	if (!*args)
		return repl_error(r, "usage: restore FILE.wsc");
	char *path = file_name(args);
	debug_stop_init(&stop);
	repl_fit(r);
	const bool ok = checkpoint_restore(r->session, path, &stop, &why);
	if (ok)
		repl_report(r, &stop);
	else
		repl_failure(r, &why);
	free(path);
	text_free(&why);
	debug_stop_free(&stop);
	return ok;
}

void past_begin(struct repl *r)
{
	free(r->settings[REPL_SET_HISTORY]);
	r->settings[REPL_SET_HISTORY] = xstrdup("on");
	past_apply(r);
}

/* 512M */
static bool size_of(const char *s, uint64_t *bytes)
{
	static const char units[] = "KMG";
	char *end;
	if (*s < '0' || *s > '9')
		return false;
	*bytes = strtoull(s, &end, 0);
	const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
	const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	if (*end && (!unit || end[1]))
		return false;
	if (*bytes >> (44 - shift))
		return false;
	*bytes <<= shift;
	return true;
}

#define MEMORY_LEAST (UINT64_C(16) << 20)

/* The value it had comes back: 512M, or bytes. */
static void keep_memory(struct repl *r, uint64_t bytes)
{
	struct text t = {0};
	const bool whole = !(bytes & ((UINT64_C(1) << 20) - 1));
	text_addf(&t, "%llu%s", (unsigned long long)(whole ? bytes >> 20 : bytes), whole ? "M" : "");
	free(r->settings[REPL_SET_HISTORY_MEMORY]);
	r->settings[REPL_SET_HISTORY_MEMORY] = text_take(&t);
}

bool past_apply(struct repl *r)
{
	struct history *h = session_history(r->session);
	uint64_t bytes;
	if (!size_of(repl_setting(r, REPL_SET_HISTORY_MEMORY), &bytes) || bytes < MEMORY_LEAST) {
		repl_error(r, "set history-memory: bad value '%s', expected a size like 512M, 16M at least",
			   repl_setting(r, REPL_SET_HISTORY_MEMORY));
		keep_memory(r, history_memory(h));
		return false;
	}
	if (bytes != history_memory(h))
		history_set_memory(h, bytes);
	history_record(h, repl_setting_on(r, REPL_SET_HISTORY));
	return true;
}

history_run_fn *past_instead_of(const struct repl *r, debug_run_fn *run)
{
	static const struct {
		debug_run_fn *forward;
		history_run_fn *back;
	} pairs[] = {
		{debug_cmd_step, history_cmd_reverse_step},	{debug_cmd_stepi, history_cmd_reverse_stepi},
		{debug_cmd_next, history_cmd_reverse_next},	{debug_cmd_nexti, history_cmd_reverse_nexti},
		{debug_cmd_until, history_cmd_reverse_until},	{debug_cmd_advance, history_cmd_reverse_advance},
		{debug_cmd_finish, history_cmd_reverse_finish}, {debug_cmd_continue, history_cmd_reverse_continue}};
	if (strcmp(repl_setting(r, REPL_SET_EXEC_DIRECTION), "reverse"))
		return NULL;
	for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
		if (pairs[k].forward == run)
			return pairs[k].back;
	return NULL;
}
