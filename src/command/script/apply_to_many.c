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

/* ---- thread apply ---- */

static bool apply_to(struct interpreter *in, uint64_t uid, const char *command)
{
	struct debug_thread t;
	if (!debug_thread_of_uid(in->dbg, uid, &t) || !debug_focus_set(in->dbg, &t))
		return interpreter_error(in, "no thread with uid %llu", (unsigned long long)uid);
	struct text line = {0};
	debug_focus_line(in->dbg, &line);
	interpreter_printf(in, "\n%s", text_str(&line));
	if (line.n && line.s[line.n - 1] != '\n')
		interpreter_print(in, "\n");
	text_free(&line);
	return interpreter_execute(in, command);
}

/* `apply 1 5-8 CMD` and `apply all CMD` (all: the threads of the focused block). */
static bool thread_apply(struct interpreter *in, const char *args)
{
	struct debug_thread before;
	struct debug_where where;
	if (!debug_focus_get(in->dbg, &before) || !debug_focus_where(in->dbg, &where))
		return interpreter_error(in, "no thread has the focus");
	uint64_t block_first = where.uid - where.thread.thread, first = block_first,
		 last = block_first + where.launch.threads_per_cta - 1;
	bool ok = true, any = false, all = !strncmp(args, "all", 3) && isblank((unsigned char)args[3]);
	const char *command = all ? args + 4 : args;
	while (isdigit((unsigned char)*command))
		command += strspn(command, "0123456789-") + strspn(command + strspn(command, "0123456789-"), " \t");
	command += strspn(command, " \t");
	if (!*command || command == args)
		return interpreter_error(in, "usage: thread apply UID...|all COMMAND");
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
		for (uint64_t uid = first; ok && uid <= last && !*in->interrupted; uid++)
			ok = apply_to(in, uid, copy);
	}
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
		return thread_apply(in, args + n + strspn(args + n, " \t"));
	if (n && argument_abbreviates(args, n, "find", 1))
		return thread_find(in, args + n + strspn(args + n, " \t"));
	return answer_ask(in, focus_thread, args);
}

/* ---- frame apply ---- */

struct frames {
	uint64_t first, last; /* numbers */
	bool quiet, silent;   /* without the frame's line; nothing at all if the command fails or prints nothing */
	bool goes_on;	      /* after failures, too */
	const char *command;
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
	struct text line = {0}, said = {0}, name = {0}, *before = in->capture;
	text_addf(&name, "%llu", (unsigned long long)number);
	*end = !select_one(in, text_str(&name), &line, NULL);
	text_free(&name);
	bool ok = true;
	if (!*end && f->silent) {
		in->capture = &said;
		ok = interpreter_execute(in, f->command);
		in->capture = before;
		if (ok && said.n) {
			interpreter_print(in, text_str(&line));
			interpreter_print(in, text_str(&said));
		}
		in->failed = false;
		ok = true;
	} else if (!*end) {
		if (!f->quiet)
			interpreter_print(in, text_str(&line));
		ok = interpreter_execute(in, f->command) || f->goes_on;
	}
	text_free(&line);
	text_free(&said);
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
	char *command = xstrdup(f->command);
	struct frames copy = *f;
	copy.command = command;
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
	for (args += strspn(args, " \t"); args[0] == '-' && strchr("qcs", args[1]) && isspace((unsigned char)args[2]);
	     args += 2, args += strspn(args, " \t")) {
		f.quiet |= args[1] == 'q';
		f.goes_on |= args[1] == 'c';
		f.silent |= args[1] == 's';
	}
	f.command = args;
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
	const struct frames f = {.last = UINT64_MAX, .silent = true, .command = args};
	return *args ? apply_frames(in, &f) : interpreter_error(in, "Please specify a command to apply on all frames");
}
