/* Commands for several threads or frames, and threads by what they are called. */
#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/focus.h"
#include "repl/answer.h"
#include "repl/repl.h"

/* ---- thread apply ---- */

static bool apply_to(struct repl *r, uint64_t uid, const char *command)
{
	struct debug_thread t;
	if (!debug_thread_of_uid(r->dbg, uid, &t) || !debug_focus_set(r->dbg, &t))
		return repl_error(r, "no thread with uid %llu", (unsigned long long)uid);
	struct text line = {0};
	debug_focus_line(r->dbg, &line);
	repl_printf(r, "\n%s", text_str(&line));
	if (line.n && line.s[line.n - 1] != '\n')
		repl_print(r, "\n");
	text_free(&line);
	return repl_execute(r, command);
}

/* `apply 1 5-8 CMD` and `apply all CMD` (all: the threads of the focused block). */
static bool thread_apply(struct repl *r, const char *args)
{
	struct debug_thread before;
	struct debug_where where;
	if (!debug_focus_get(r->dbg, &before) || !debug_focus_where(r->dbg, &where))
		return repl_error(r, "no thread has the focus");
	uint64_t block_first = where.uid - where.thread.thread, first = block_first,
		 last = block_first + where.launch.threads_per_cta - 1;
	bool ok = true, any = false, all = !strncmp(args, "all", 3) && isblank((unsigned char)args[3]);
	const char *command = all ? args + 4 : args;
	while (isdigit((unsigned char)*command))
		command += strspn(command, "0123456789-") + strspn(command + strspn(command, "0123456789-"), " \t");
	command += strspn(command, " \t");
	if (!*command || command == args)
		return repl_error(r, "usage: thread apply UID...|all COMMAND");
	char *copy = xstrdup(command), *list = xstrndup(args, (size_t)(command - args));
	for (const char *at = list; ok && (all ? !any : isdigit((unsigned char)*at));) {
		if (!all) {
			char *end;
			first = last = strtoull(at, &end, 10);
			if (*end == '-')
				last = strtoull(end + 1, &end, 10);
			at = end + strspn(end, " \t");
		}
		any = true;
		for (uint64_t uid = first; ok && uid <= last && !*r->interrupted; uid++)
			ok = apply_to(r, uid, copy);
	}
	free(copy);
	free(list);
	debug_focus_set(r->dbg, &before);
	return ok;
}

/* thread find REGEX: among the focused block's, by the names that gdb shows. */
static bool thread_find(struct repl *r, const char *pattern)
{
	struct debug_where where, w;
	struct debug_thread t;
	regex_t re;
	bool any = false;
	if (!*pattern)
		return repl_error(r, "usage: thread find REGEX");
	if (!debug_focus_where(r->dbg, &where))
		return repl_error(r, "no thread has the focus");
	if (regcomp(&re, pattern, REG_NOSUB))
		return repl_error(r, "Invalid regexp: %s", pattern);
	for (t = where.thread, t.thread = 0; t.thread < where.launch.threads_per_cta && !*r->interrupted; t.thread++) {
		struct text name = {0};
		if (!debug_thread_where(r->dbg, &t, &w))
			break;
		text_addf(&name, "block (%u,%u,%u) thread (%u,%u,%u) warp %u lane %u", w.block_id[0], w.block_id[1],
			  w.block_id[2], w.thread_id[0], w.thread_id[1], w.thread_id[2], w.warp_index, w.lane);
		if (!regexec(&re, text_str(&name), 0, NULL, 0)) {
			repl_printf(r, "Thread %llu has name '%s'\n", (unsigned long long)w.uid, text_str(&name));
			any = true;
		}
		text_free(&name);
	}
	regfree(&re);
	if (!any)
		repl_printf(r, "No threads match '%s'\n", pattern);
	return true;
}

bool cmd_thread(struct repl *r, const char *args)
{
	size_t n = strcspn(args, " \t");
	if (n && repl_abbreviates(args, n, "apply", 2))
		return thread_apply(r, args + n + strspn(args + n, " \t"));
	if (n && repl_abbreviates(args, n, "find", 1))
		return thread_find(r, args + n + strspn(args + n, " \t"));
	return answer_ask(r, debug_cmd_thread, args);
}

/* ---- frame apply ---- */

struct frames {
	uint64_t first, last; /* numbers */
	bool quiet, silent;   /* without the frame's line; nothing at all if the command fails or prints nothing */
	bool goes_on;	      /* after failures, too */
	const char *command;
};

/* The selected frame's number, from its own line: `#1  ...`. False: there is none. */
static bool select_one(struct repl *r, const char *number, struct text *line, uint64_t *selected)
{
	struct text why = {0};
	bool ok = debug_answer_text(r->dbg, debug_cmd_frame, number, line, &why);
	text_free(&why);
	if (ok && selected)
		*selected = strtoull(text_str(line) + 1, NULL, 10);
	if (ok && strchr(text_str(line), '\n'))
		line->n = (size_t)(strchr(line->s, '\n') - line->s) + 1;
	if (ok)
		line->s[line->n] = '\0';
	return ok;
}

static bool apply_at(struct repl *r, const struct frames *f, uint64_t number, bool *end)
{
	struct text line = {0}, said = {0}, name = {0}, *before = r->capture;
	text_addf(&name, "%llu", (unsigned long long)number);
	*end = !select_one(r, text_str(&name), &line, NULL);
	text_free(&name);
	bool ok = true;
	if (!*end && f->silent) {
		r->capture = &said;
		ok = repl_execute(r, f->command);
		r->capture = before;
		if (ok && said.n) {
			repl_print(r, text_str(&line));
			repl_print(r, text_str(&said));
		}
		r->failed = false;
		ok = true;
	} else if (!*end) {
		if (!f->quiet)
			repl_print(r, text_str(&line));
		ok = repl_execute(r, f->command) || f->goes_on;
	}
	text_free(&line);
	text_free(&said);
	return ok;
}

static bool apply_frames(struct repl *r, const struct frames *f)
{
	struct text line = {0}, name = {0};
	uint64_t selected = 0;
	bool ok = true, end = false;
	if (!select_one(r, "", &line, &selected)) {
		text_free(&line);
		return repl_error(r, "No stack.");
	}
	char *command = xstrdup(f->command);
	struct frames copy = *f;
	copy.command = command;
	for (uint64_t n = f->first; ok && !end && n <= f->last && !*r->interrupted; n++)
		ok = apply_at(r, &copy, n, &end);
	free(command);
	text_clear(&line);
	text_addf(&name, "%llu", (unsigned long long)selected);
	select_one(r, text_str(&name), &line, NULL);
	text_free(&name);
	text_free(&line);
	return ok;
}

/* all | COUNT | level N[-M], then -q -c -s, then a command. */
static bool frame_apply(struct repl *r, const char *args)
{
	struct frames f = {.last = UINT64_MAX};
	char *end;
	size_t n = strcspn(args, " \t");
	if (repl_abbreviates(args, n, "all", 3)) {
		args += n;
	} else {
		bool level = repl_abbreviates(args, n, "level", 5);
		args += level ? n + strspn(args + n, " \t") : 0;
		if (!isdigit((unsigned char)*args))
			return repl_error(r, "usage: frame apply all|COUNT|level N[-M] [-q] [-c] [-s] COMMAND");
		f.last = strtoull(args, &end, 10);
		f.first = level ? f.last : 0;
		if (level && *end == '-')
			f.last = strtoull(end + 1, &end, 10);
		if (!level && !f.last--)
			return true;
		args = end;
	}
	for (args += strspn(args, " \t"); args[0] == '-' && strchr("qcs", args[1]) && isspace((unsigned char)args[2]);
	     args += 2, args += strspn(args, " \t")) {
		f.quiet |= args[1] == 'q';
		f.goes_on |= args[1] == 'c';
		f.silent |= args[1] == 's';
	}
	f.command = args;
	return *args ? apply_frames(r, &f) : repl_error(r, "Please specify a command to apply on the selected frames");
}

bool cmd_frame(struct repl *r, const char *args)
{
	size_t n = strcspn(args, " \t");
	if (n && repl_abbreviates(args, n, "apply", 5))
		return frame_apply(r, args + n + strspn(args + n, " \t"));
	return answer_ask(r, debug_cmd_frame, args);
}

bool cmd_faas(struct repl *r, const char *args)
{
	const struct frames f = {.last = UINT64_MAX, .silent = true, .command = args};
	return *args ? apply_frames(r, &f) : repl_error(r, "Please specify a command to apply on all frames");
}
