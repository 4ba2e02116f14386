/* Finding a line's command and running it; running scripts. */
#include "command/interpreter/interpreter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/nearest.h"
#include "base/xalloc.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/input.h"
#include "command/interpreter/user_args.h"
#include "debug/stop/stop.h"
#include "server/server.h"

#define SCRIPT_BYTES_MAX ((size_t)64 << 20) /* what comes after is not read */
#define DEPTH_MAX 64u			    /* scripts and user commands inside each other */

/* ---- finding a command ---- */

static bool word_in_list(const char *list, const char *name, size_t n)
{
	while (*list) {
		size_t k = strcspn(list, " ");
		if (k == n && !memcmp(list, name, n))
			return true;
		list += k;
		list += strspn(list, " ");
	}
	return false;
}

/* Commands of gdb that warpstep hasn't, and what to do instead. */
static const struct {
	const char *names, *instead;
} elsewhere[] = {
#define ELSEWHERE(names, instead) {names, instead},
#include "command/elsewhere.def"
};

/* Appends why there is no such command, and what to use instead. Returns false if the name is none of gdb's. */
static bool say_instead(const char *name, size_t n, struct text *why)
{
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		if (word_in_list(elsewhere[i].names, name, n)) {
			text_addf(why, "there is no '%.*s': %s", (int)n, name, elsewhere[i].instead);
			return true;
		}
	return false;
}

static void unknown_command(const struct interpreter *in, const char *name, size_t n, struct text *why)
{
	if (say_instead(name, n, why))
		return;
	struct nearest near;
	nearest_begin(&near, name, n);
	for (size_t i = 0; i < in->table->n; i++)
		nearest_add(&near, in->table->rows[i].name);
	text_addf(why, "unknown command '%.*s'", (int)n, name);
	if (nearest_meant(&near))
		nearest_suggest(&near, why);
	else
		text_add(why, "; `help` lists the commands");
}

const struct command *command_find(const struct interpreter *in, const char *name, size_t n, struct text *why)
{
	const struct command *found = NULL;
	size_t matches = 0;
	for (size_t i = 0; i < in->table->n; i++) {
		const struct command *c = &in->table->rows[i];
		if ((strlen(c->name) == n && !memcmp(c->name, name, n)) || word_in_list(c->aliases, name, n))
			return c;
		if (strncmp(c->name, name, n) == 0) {
			found = c;
			matches++;
		}
	}
	if (matches == 1)
		return found;
	if (!matches) {
		unknown_command(in, name, n, why);
		return NULL;
	}
	text_addf(why, "ambiguous command '%.*s':", (int)n, name);
	for (size_t i = 0; i < in->table->n; i++)
		if (!strncmp(in->table->rows[i].name, name, n))
			text_addf(why, " %s", in->table->rows[i].name);
	return NULL;
}

static const struct user_command *find_user(const struct interpreter *in, const char *name, size_t n)
{
	for (size_t i = 0; i < in->n_user; i++)
		if (strlen(in->user[i].name) == n && !memcmp(in->user[i].name, name, n))
			return &in->user[i];
	return NULL;
}

static const char *find_alias(const struct interpreter *in, const char *name, size_t n)
{
	for (size_t i = 0; i < in->n_aliases; i++)
		if (strlen(in->aliases[i].name) == n && !memcmp(in->aliases[i].name, name, n))
			return in->aliases[i].text;
	return NULL;
}

/* ---- running a command ---- */

/* One of the two. */
static bool run_machine(struct interpreter *in, command_run_fn *run, command_back_fn *back, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	interpreter_flush(in);
	interpreter_fit(in);
	session_begin_run(in->session, in->session_face);
	if (in->face->begin_run)
		in->face->begin_run(in->face->self);
	if (in->program)
		server_terminal_runs(in->program, true);
	bool ok = run ? run(in->dbg, args, &stop, &why) : back(session_history(in->session), args, &stop, &why);
	if (in->program)
		server_terminal_runs(in->program, false);
	if (in->face->end_run)
		in->face->end_run(in->face->self);
	if (ok)
		interpreter_report_stop(in, &stop);
	else
		interpreter_error(in, "%s", text_str(&why));
	if (*in->interrupted) { /* after Ctrl-C no pending command runs */
		in->interrupts++;
		*in->interrupted = 0;
		free(in->pending);
		in->pending = NULL;
	}
	session_end_run(in->session, in->session_face);
	text_free(&why);
	debug_stop_free(&stop);
	return ok;
}

/* Returns the command that takes the place of a run command while `exec-direction` is reverse. Returns NULL if there is none, or time goes
 * forward. */
static command_back_fn *reversal(const struct interpreter *in, command_run_fn *run)
{
	if (strcmp(setting_text(in, SETTING_EXEC_DIRECTION), "reverse"))
		return NULL;
	for (size_t k = 0; k < in->table->n_reversals; k++)
		if (in->table->reversals[k].forward == run)
			return in->table->reversals[k].back;
	return NULL;
}

bool interpreter_run_machine(struct interpreter *in, command_run_fn *run, const char *args)
{
	command_back_fn *back = reversal(in, run);
	return run_machine(in, back ? NULL : run, back, args);
}

static bool run_back(struct interpreter *in, command_back_fn *run, const char *args) { return run_machine(in, NULL, run, args); }

/* Runs the source just pushed, which is no part of the `while` commands around it: it can't leave them. */
static bool run_outside_loops(struct interpreter *in)
{
	const unsigned loops = in->loops;
	in->loops = 0;
	const bool ok = interpreter_run(in, true);
	in->loops = loops;
	return ok;
}

static bool run_user(struct interpreter *in, const struct user_command *u, const char *args)
{
	struct user_args a;
	struct text body = {0};
	if (!user_args_split(&a, args))
		return interpreter_error(in, "a quote is not closed in the arguments of %s", u->name);
	user_args_substitute(&a, u->body, &body);
	user_args_free(&a);
	input_push_lines(in->input, text_str(&body));
	text_free(&body);
	return run_outside_loops(in);
}

static size_t name_length(const char *s)
{
	size_t n = 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_' || (n && (s[n] == '-' || s[n] == '.')))
		n++;
	return n;
}

/* Returns the length of the command's name that a line begins with, 0 if there is none. */
static size_t command_name_length(const char *line) { return *line == '!' || *line == '|' ? 1 : name_length(line); }

static bool dispatch(struct interpreter *in, const char *line);

static bool run_alias(struct interpreter *in, const char *text, const char *args)
{
	struct text full = {0};
	text_addf(&full, "%s %s", text, args);
	bool ok = dispatch(in, text_str(&full));
	text_free(&full);
	return ok;
}

/* Runs a command's function. */
static bool run_function(struct interpreter *in, const struct command *c, const char *args)
{
	return c->text	  ? answer_ask(in, c->text, args)
	       : c->run	  ? interpreter_run_machine(in, c->run, args)
	       : c->back  ? run_back(in, c->back, args)
	       : c->past  ? answer_ask_history(in, c->past, args)
			  : c->own(in, args);
}

static bool run_bare(struct interpreter *in, const struct command *c, const char *args)
{
	struct history *h = session_history(in->session);
	struct answer answer;
	struct text line = {0};
	char *rest = NULL, *file = NULL;
	text_addf(&line, "%s%s%s", c->name, *args ? " " : "", args);
	history_command(h, text_str(&line));
	bool ok = true;
	if (!c->is_script && answer_option(args, &rest, &file)) {
		text_clear(&line);
		text_addf(&line, "%s%s%s", c->name, *rest ? " " : "", rest);
		ok = !strcmp(file, "-") || interpreter_may_reach(in, file);
		answer_begin(in, &answer, text_str(&line), file);
		ok = ok && run_function(in, c, rest);
		ok = answer_end(in, &answer, ok);
	} else {
		ok = run_function(in, c, args);
	}
	free(rest);
	text_free(&line);
	history_command_over(h);
	return ok;
}

/* gdb's hooks: a defined command hook-NAME runs before NAME, hookpost-NAME after it. A hook's own commands have none. */
static bool run_hook(struct interpreter *in, const char *kind, const char *name)
{
	struct text hook = {0};
	text_addf(&hook, "%s-%s", kind, name);
	const struct user_command *u = in->n_user && !in->in_hook ? find_user(in, text_str(&hook), hook.n) : NULL;
	text_free(&hook);
	if (!u)
		return true;
	in->in_hook = true;
	in->depth++;
	bool ok = run_user(in, u, "");
	in->depth--;
	in->in_hook = false;
	return ok;
}

void interpreter_hook_stop(struct interpreter *in)
{
	char *commands = in->pending; /* the breakpoint's come after the stop */
	in->pending = NULL;
	run_hook(in, "hook", "stop");
	if (in->pending)
		free(commands);
	else
		in->pending = commands;
}

/* Returns false, with the error printed, if the client of gdb that gives a command may not use it. */
static bool is_allowed(struct interpreter *in, const struct command *c)
{
	if (c->reach == REACH_PROMPT && in->is_remote)
		return interpreter_error(in, "'%s' is for the prompt's own user, not for gdb", c->name);
	return c->reach != REACH_HOST || interpreter_may_reach(in, c->name);
}

static bool run_command(struct interpreter *in, const struct command *c, const char *args)
{
	if (!is_allowed(in, c))
		return false;
	char *copy = in->n_user ? xstrdup(args) : NULL; /* a hook may end the source that the line came from */
	bool ok =
		run_hook(in, "hook", c->name) && run_bare(in, c, copy ? copy : args) && run_hook(in, "hookpost", c->name);
	free(copy);
	return ok;
}

/* Runs a line that is neither empty nor a comment. */
static bool run_line(struct interpreter *in, const char *line)
{
	if (in->depth >= DEPTH_MAX)
		return interpreter_error(in, "commands call each other too deeply");
	size_t n = command_name_length(line);
	if (!n)
		return interpreter_error(in, "unknown command '%.20s'; `help` lists the commands", line);
	struct text why = {0};
	const struct user_command *u = find_user(in, line, n);
	const char *alias = u ? NULL : find_alias(in, line, n);
	const struct command *c = u || alias ? NULL : command_find(in, line, n, &why);
	const size_t cut = strcspn(line, "-"); /* `p-1`: the name ends at the minus; that of `reverse-step` does not */
	if (!u && !alias && !c && cut < n && !isalpha((unsigned char)line[cut + 1])) {
		struct text ignored = {0};
		c = command_find(in, line, cut, &ignored);
		n = c ? cut : n;
		text_free(&ignored);
	}
	const char *args = line + n + strspn(line + n, " \t");
	bool ok = false;
	in->depth++;
	if (u)
		ok = run_user(in, u, args);
	else if (alias)
		ok = run_alias(in, alias, args);
	else if (c)
		ok = run_command(in, c, args);
	else
		interpreter_error(in, "%s", text_str(&why));
	in->depth--;
	text_free(&why);
	return ok;
}

/* Returns whether a line runs other commands, which have answers of their own. */
static bool is_script(struct interpreter *in, const char *line)
{
	struct text ignored = {0};
	const size_t n = command_name_length(line);
	const struct command *c = command_find(in, line, n, &ignored);
	text_free(&ignored);
	return find_user(in, line, n) || find_alias(in, line, n) || (c && c->is_script);
}

/* The same, with the answer as a line of JSON if the setting `output` says so. */
static bool dispatch(struct interpreter *in, const char *line)
{
	struct answer answer;
	if (strcmp(setting_text(in, SETTING_OUTPUT), "json"))
		return run_line(in, line);
	answer_begin(in, &answer, line, NULL);
	answer.is_script = is_script(in, line);
	return answer_end(in, &answer, run_line(in, line));
}

/* What an empty line stands for: the last command if its row says it repeats, else nothing. */
static char *repeated_line(const struct interpreter *in)
{
	if (!in->last_line)
		return NULL;
	struct text ignored = {0};
	size_t n = command_name_length(in->last_line);
	const struct command *c = command_find(in, in->last_line, n, &ignored);
	text_free(&ignored);
	if (!c || c->repeat == NO_REPEAT)
		return NULL;
	return c->repeat == REPEAT_LINE ? xstrdup(in->last_line) : xstrndup(in->last_line, n);
}

/* A line without blanks around it; those at the end of a `complete` are what is to be completed. */
static char *trimmed(const char *line)
{
	line += strspn(line, " \t\f\v");
	size_t n = strlen(line);
	const bool keeps = !strncmp(line, "complete ", 9);
	while (n && !(keeps && line[n - 1] == ' ') && isspace((unsigned char)line[n - 1]))
		n--;
	return xstrndup(line, n);
}

bool interpreter_is_command(const struct interpreter *in, const char *name)
{
	size_t n = strlen(name);
	for (size_t i = 0; i < in->table->n; i++)
		if (!strcmp(in->table->rows[i].name, name) || word_in_list(in->table->rows[i].aliases, name, n))
			return true;
	return false;
}

bool interpreter_knows_command(const struct interpreter *in, const char *line)
{
	struct text ignored = {0};
	size_t n = command_name_length(line);
	bool known = find_user(in, line, n) || find_alias(in, line, n) || command_find(in, line, n, &ignored);
	text_free(&ignored);
	return known;
}

bool interpreter_execute(struct interpreter *in, const char *line)
{
	char *text = trimmed(line);
	in->failed = false;
	if (in->face->begin_command)
		in->face->begin_command(in->face->self);
	if (!*text && in->interactive && input_is_terminal(in->input) && !*in->interrupted) {
		free(text);
		text = repeated_line(in);
	} else if (*text && *text != '#') {
		free(in->previous_line);
		in->previous_line = in->last_line;
		in->last_line = xstrdup(text);
	}
	bool ok = true;
	if (text && *text && *text != '#')
		ok = dispatch(in, text);
	free(text);
	return ok;
}

/* ---- running sources of lines ---- */

static void run_pending(struct interpreter *in)
{
	while (in->pending && !in->quit) {
		char *body = in->pending;
		in->pending = NULL;
		size_t base = input_depth(in->input);
		const unsigned before = in->interrupts, stops = in->n_stops, loops = in->loops;
		in->loops = 0;
		input_push_lines(in->input, body);
		free(body);
		while (input_depth(in->input) > base && !in->quit) {
			char *line = input_next(in, "");
			/* as in gdb a list ends where one of its commands has resumed the machine, and with Ctrl-C */
			if (line && (!interpreter_execute(in, line) || in->n_stops != stops || in->interrupts != before))
				input_unwind(in->input, base);
			free(line);
		}
		in->loops = loops;
		if (in->failed && in->batch)
			in->quit = true;
	}
}

/* Ctrl-D is `quit`, which may ask; where gdb is served it ends only the prompt. */
static void end_of_typing(struct interpreter *in)
{
	if (in->quit || session_others_active(in->session, in->session_face))
		return;
	input_push_typed(in->input, true);
	interpreter_execute(in, "quit");
}

static bool execute_line(struct interpreter *in, const char *line)
{
	in->failed = false;
	return input_line_is_text(in) && interpreter_execute(in, line);
}

bool interpreter_run(struct interpreter *in, bool ends_at_failure)
{
	size_t base = input_depth(in->input) - 1;
	while (input_depth(in->input) > base && !in->quit) {
		const bool is_typed = input_is_terminal(in->input);
		char *line = input_next(in, setting_text(in, SETTING_PROMPT));
		if (!line && is_typed)
			end_of_typing(in);
		if (!line)
			continue;
		input_begin_command(in->input);
		bool ok = execute_line(in, line);
		free(line);
		run_pending(in);
		if (*in->interrupted && !input_is_terminal(in->input) && input_depth(in->input) > base)
			ok = interpreter_error(in, "interrupted");
		if (in->face->is_lost && in->face->is_lost(in->face->self) && !session_others_active(in->session, in->session_face))
			in->quit = true;
		if (ok && !in->failed && in->loop_jump != LOOP_JUMP_NONE)
			input_unwind(in->input, base);
		if (ok && !in->failed)
			continue;
		if (in->batch) {
			interpreter_set_status(in, EXIT_STATUS_FAILED);
			in->quit = true;
		}
		if (ends_at_failure) {
			input_unwind(in->input, base);
			return false;
		}
	}
	input_unwind(in->input, base);
	return !in->quit || !in->failed;
}

void interpreter_execute_for(struct interpreter *in, const struct session_face *by, const char *lines, bool is_confined, struct text *out)
{
	const struct session_face *asked_before = session_set_asking(in->session, by);
	const bool batch = in->batch, failed = in->failed, was_remote = in->is_remote;
	struct debug_settings *s = debug_settings(in->dbg);
	const bool was_confined = s->is_confined;
	struct text *before = in->capture;
	char *last_line = in->last_line;
	in->batch = false;
	in->is_remote = true;
	s->is_confined = was_confined || is_confined;
	in->last_line = NULL; /* an empty line at the prompt repeats what was typed there */
	in->capture = out;
	input_push_lines(in->input, lines);
	run_outside_loops(in);
	in->capture = before;
	free(in->last_line);
	in->last_line = last_line;
	s->is_confined = was_confined;
	session_set_asking(in->session, asked_before);
	in->is_remote = was_remote;
	in->batch = batch;
	in->failed = failed;
}

bool interpreter_ask(struct interpreter *in, const struct session_face *by, const char *lines, struct report *answer)
{
	const struct session_face *asked_before = session_set_asking(in->session, by);
	struct answer a;
	const size_t n = strcspn(lines, "\n"), base = input_depth(in->input);
	const bool batch = in->batch;
	char *first = xstrndup(lines, n), *line = trimmed(first);
	in->batch = false;
	in->failed = false;
	input_push_lines(in->input, lines[n] ? lines + n + 1 : "");
	answer_begin(in, &a, line, NULL);
	a.to = answer;
	bool ok = !*line || *line == '#' || run_line(in, line);
	run_pending(in);
	ok = answer_end(in, &a, ok);
	input_unwind(in->input, base);
	session_set_asking(in->session, asked_before);
	in->batch = batch;
	free(first);
	free(line);
	return ok;
}

bool interpreter_source(struct interpreter *in, const char *path)
{
	size_t n;
	char *text = files_read(session_files(in->session), path, FILES_READ, SCRIPT_BYTES_MAX, &n);
	if (!text)
		return interpreter_error(in, "can't read '%s': %m", path);
	input_push_bytes(in->input, text, n < SCRIPT_BYTES_MAX ? n : SCRIPT_BYTES_MAX);
	free(text);
	return run_outside_loops(in);
}
