/* Commands for several threads or frames, and threads by what they are called. */
#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/focus.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/show/focus_commands.h"

/* What is done with a command that is applied, and where: -q without the line that names the place, -c on after failures, -s nothing at all if the
 * command fails or prints nothing. */
struct applied {
	bool quiet, silent, goes_on;
	const char *command;
};

/* Takes the options in front of a command. Returns the command. */
static const char *take_options(const char *args, struct applied *a)
{
	for (args += strspn(args, " \t"); args[0] == '-' && args[1] && strchr("qcs", args[1]) && isspace((unsigned char)args[2]);
	     args += 2, args += strspn(args, " \t")) {
		a->quiet |= args[1] == 'q';
		a->goes_on |= args[1] == 'c';
		a->silent |= args[1] == 's';
	}
	return args;
}

/* Runs the command at a place that has the focus; `line` names the place. Returns false if the command fails and failures end the rest. */
static bool apply_here(struct interpreter *in, const struct applied *a, const char *line)
{
	struct text said = {0}, *before = in->capture;
	bool ok = true;
	if (!a->silent) {
		if (!a->quiet)
			interpreter_print(in, line);
		return interpreter_execute(in, a->command) || a->goes_on;
	}
	in->capture = &said;
	ok = interpreter_execute(in, a->command);
	in->capture = before;
	if (ok && said.n) {
		interpreter_print(in, line);
		interpreter_print(in, text_str(&said));
	}
	in->failed = false;
	text_free(&said);
	return true;
}

/* ---- thread apply ---- */

static bool apply_to(struct interpreter *in, uint64_t uid, const struct applied *a)
{
	struct debug_thread t;
	if (!debug_thread_of_uid(in->dbg, uid, &t) || !debug_focus_set(in->dbg, &t))
		return interpreter_error(in, "no thread with uid %llu", (unsigned long long)uid);
	struct text line = {0};
	text_addc(&line, '\n');
	debug_focus_line(in->dbg, &line);
	if (line.s[line.n - 1] != '\n')
		text_addc(&line, '\n');
	const bool ok = apply_here(in, a, text_str(&line));
	text_free(&line);
	return ok;
}

/* Applies to the threads of a list of uids and ranges of them, `1 5-8`. */
static bool apply_to_list(struct interpreter *in, const char *list, const struct applied *a)
{
	bool ok = true;
	while (ok && isdigit((unsigned char)*list)) {
		char *end;
		const uint64_t first = strtoull(list, &end, 10);
		uint64_t last = first;
		if (*end == '-')
			last = strtoull(end + 1, &end, 10);
		list = end + strspn(end, " \t");
		for (uint64_t uid = first; ok && uid <= last && !*in->interrupted; uid++)
			ok = apply_to(in, uid, a);
	}
	return ok;
}

/* Applies to the threads of the focused block. */
static bool apply_to_block(struct interpreter *in, const struct debug_where *where, const struct applied *a)
{
	const uint64_t first = where->uid - where->thread.thread;
	bool ok = true;
	for (uint32_t k = 0; ok && k < where->launch.threads_per_cta && !*in->interrupted; k++)
		ok = apply_to(in, first + k, a);
	return ok;
}

/* Applies to lanes of the focused warp: those of a list of numbers and ranges, `0 5-8`, or those that are active with the focused one. */
static bool apply_to_lanes(struct interpreter *in, const struct debug_where *where, const char *list, const struct applied *a)
{
	const uint64_t first = where->uid - where->lane;
	uint32_t lanes = list ? 0 : debug_lanes_with(in->dbg, where);
	while (list && isdigit((unsigned char)*list)) {
		char *end;
		const unsigned long from = strtoul(list, &end, 10), to = *end == '-' ? strtoul(end + 1, &end, 10) : from;
		const uint32_t n = lanes_count(where->warp_lanes);
		for (unsigned long k = from; k <= to && k < n; k++)
			lanes |= lanes_bit((unsigned)k);
		if (to >= n)
			return interpreter_error(in, "the warp has lanes 0 to %u", n - 1);
		list = end + strspn(end, " \t");
	}
	bool ok = true;
	LANES_EACH (lane, lanes)
		ok = ok && !*in->interrupted && apply_to(in, first + lane, a);
	return ok;
}

/* `apply 1 5-8 CMD` and `apply all CMD`, with options in front of the command, for threads by uid or for lanes. */
static bool thread_apply(struct interpreter *in, const char *args, bool is_lanes)
{
	struct debug_thread before;
	struct debug_where where;
	struct applied a = {0};
	if (!debug_focus_get(in->dbg, &before) || !debug_focus_where(in->dbg, &where))
		return interpreter_error(in, "no thread has the focus");
	const bool all = !strncmp(args, "all", 3) && isblank((unsigned char)args[3]);
	const char *rest = all ? args + 3 : args;
	while (isdigit((unsigned char)*rest)) {
		rest += strspn(rest, "0123456789-");
		rest += strspn(rest, " \t");
	}
	const char *command = take_options(rest, &a);
	if (!*command || rest == args)
		return interpreter_error(in, "usage: %s...|all [-q] [-c] [-s] COMMAND", is_lanes ? "lane apply LANE" : "thread apply UID");
	char *copy = xstrdup(command), *list = xstrndup(args, (size_t)(rest - args));
	a.command = copy;
	const bool ok = is_lanes ? apply_to_lanes(in, &where, all ? NULL : list, &a)
			: all	 ? apply_to_block(in, &where, &a)
				 : apply_to_list(in, list, &a);
	free(copy);
	free(list);
	debug_focus_set(in->dbg, &before);
	return ok;
}

/* thread find REGEX: among the focused block's, by the names that gdb shows. */
static bool thread_find(struct interpreter *in, const char *pattern)
{
	struct debug_where where, w;
	struct debug_thread t;
	regex_t re;
	bool any = false;
	if (!*pattern)
		return interpreter_error(in, "usage: thread find REGEX");
	if (!debug_focus_where(in->dbg, &where))
		return interpreter_error(in, "no thread has the focus");
	if (regcomp(&re, pattern, REG_NOSUB))
		return interpreter_error(in, "Invalid regexp: %s", pattern);
	for (t = where.thread, t.thread = 0; t.thread < where.launch.threads_per_cta && !*in->interrupted; t.thread++) {
		struct text name = {0};
		if (!debug_thread_where(in->dbg, &t, &w))
			break;
		text_addf(&name, "block (%u,%u,%u) thread (%u,%u,%u) warp %u lane %u", w.block_id[0], w.block_id[1],
			  w.block_id[2], w.thread_id[0], w.thread_id[1], w.thread_id[2], w.warp_index, w.lane);
		if (!regexec(&re, text_str(&name), 0, NULL, 0)) {
			interpreter_printf(in, "Thread %llu has name '%s'\n", (unsigned long long)w.uid, text_str(&name));
			any = true;
		}
		text_free(&name);
	}
	regfree(&re);
	if (!any)
		interpreter_printf(in, "No threads match '%s'\n", pattern);
	return true;
}

bool command_thread(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t");
	if (n && argument_abbreviates(args, n, "apply", 2))
		return thread_apply(in, args + n + strspn(args + n, " \t"), false);
	if (n && argument_abbreviates(args, n, "find", 1))
		return thread_find(in, args + n + strspn(args + n, " \t"));
	return answer_ask(in, focus_thread, args);
}

bool command_lane(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t");
	if (n && argument_abbreviates(args, n, "apply", 2))
		return thread_apply(in, args + n + strspn(args + n, " \t"), true);
	struct text words = {0};
	text_addf(&words, *args ? "lane %s" : "", args);
	const bool ok = answer_ask(in, command_focus, text_str(&words));
	text_free(&words);
	return ok;
}

/* ---- frame apply ---- */

struct frames {
	uint64_t first, last; /* numbers */
	struct applied applied;
};

/* The selected frame's number, from its own line: `#1  ...`. False: there is none. */
static bool select_one(struct interpreter *in, const char *number, struct text *line, uint64_t *selected)
{
	struct text why = {0};
	bool ok = debug_answer_text(in->dbg, focus_frame, number, line, &why);
	text_free(&why);
	if (ok && selected)
		*selected = strtoull(text_str(line) + 1, NULL, 10);
	if (ok && strchr(text_str(line), '\n'))
		line->n = (size_t)(strchr(line->s, '\n') - line->s) + 1;
	if (ok)
		line->s[line->n] = '\0';
	return ok;
}

static bool apply_at(struct interpreter *in, const struct frames *f, uint64_t number, bool *end)
{
	struct text line = {0}, name = {0};
	text_addf(&name, "%llu", (unsigned long long)number);
	*end = !select_one(in, text_str(&name), &line, NULL);
	const bool ok = *end || apply_here(in, &f->applied, text_str(&line));
	text_free(&name);
	text_free(&line);
	return ok;
}

static bool apply_frames(struct interpreter *in, const struct frames *f)
{
	struct text line = {0}, name = {0};
	uint64_t selected = 0;
	bool ok = true, end = false;
	if (!select_one(in, "", &line, &selected)) {
		text_free(&line);
		return interpreter_error(in, "No stack.");
	}
	char *command = xstrdup(f->applied.command);
	struct frames copy = *f;
	copy.applied.command = command;
	for (uint64_t n = f->first; ok && !end && n <= f->last && !*in->interrupted; n++)
		ok = apply_at(in, &copy, n, &end);
	free(command);
	text_clear(&line);
	text_addf(&name, "%llu", (unsigned long long)selected);
	select_one(in, text_str(&name), &line, NULL);
	text_free(&name);
	text_free(&line);
	return ok;
}

/* all | COUNT | level N[-M], then -q -c -s, then a command. */
static bool frame_apply(struct interpreter *in, const char *args)
{
	struct frames f = {.last = UINT64_MAX};
	char *end;
	size_t n = strcspn(args, " \t");
	if (argument_abbreviates(args, n, "all", 3)) {
		args += n;
	} else {
		bool level = argument_abbreviates(args, n, "level", 5);
		args += level ? n + strspn(args + n, " \t") : 0;
		if (!isdigit((unsigned char)*args))
			return interpreter_error(in, "usage: frame apply all|COUNT|level N[-M] [-q] [-c] [-s] COMMAND");
		f.last = strtoull(args, &end, 10);
		f.first = level ? f.last : 0;
		if (level && *end == '-')
			f.last = strtoull(end + 1, &end, 10);
		if (!level && !f.last--)
			return true;
		args = end;
	}
	args = take_options(args, &f.applied);
	f.applied.command = args;
	return *args ? apply_frames(in, &f) : interpreter_error(in, "Please specify a command to apply on the selected frames");
}

bool command_frame(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t");
	if (n && argument_abbreviates(args, n, "apply", 5))
		return frame_apply(in, args + n + strspn(args + n, " \t"));
	return answer_ask(in, focus_frame, args);
}

bool command_faas(struct interpreter *in, const char *args)
{
	const struct frames f = {.last = UINT64_MAX, .applied = {.silent = true, .command = args}};
	return *args ? apply_frames(in, &f) : interpreter_error(in, "Please specify a command to apply on all frames");
}
