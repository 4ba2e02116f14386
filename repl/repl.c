#include "repl/repl.h"
#include "repl/user_args.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/nearest.h"
#include "base/xalloc.h"
#include "server/server.h"
#include "debug/findings/findings.h"
#include "command/inspect.h"
#include "debug/stop/breakpoint.h"
#include "command/dump/dump.h"
#include "debug/view/focus.h"
#include "debug/setup/launch.h"
#include "debug/setup/launches.h"
#include "debug/setup/buffer.h"
#include "debug/stop/run.h"
#include "command/why/why.h"
#include "repl/input.h"
#include "repl/answer.h"
#include "repl/past.h"
#include "repl/settings.h"

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

static void unknown_command(const struct repl *r, const char *name, size_t n, struct text *why)
{
	struct nearest near;
	nearest_begin(&near, name, n);
	for (size_t i = 0; i < r->table->n; i++)
		nearest_add(&near, r->table->rows[i].name);
	text_addf(why, "unknown command '%.*s'", (int)n, name);
	if (nearest_meant(&near))
		nearest_suggest(&near, why);
	else
		text_add(why, "; `help` lists the commands");
}

const struct repl_command *repl_find_command(const struct repl *r, const char *name, size_t n, struct text *why)
{
	const struct repl_command *found = NULL;
	size_t matches = 0;
	for (size_t i = 0; i < r->table->n; i++) {
		const struct repl_command *c = &r->table->rows[i];
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
		unknown_command(r, name, n, why);
		return NULL;
	}
	text_addf(why, "ambiguous command '%.*s':", (int)n, name);
	for (size_t i = 0; i < r->table->n; i++)
		if (!strncmp(r->table->rows[i].name, name, n))
			text_addf(why, " %s", r->table->rows[i].name);
	return NULL;
}

static const struct repl_user_command *find_user(const struct repl *r, const char *name, size_t n)
{
	for (size_t i = 0; i < r->n_user; i++)
		if (strlen(r->user[i].name) == n && !memcmp(r->user[i].name, name, n))
			return &r->user[i];
	return NULL;
}

static const char *find_alias(const struct repl *r, const char *name, size_t n)
{
	for (size_t i = 0; i < r->n_aliases; i++)
		if (strlen(r->aliases[i].name) == n && !memcmp(r->aliases[i].name, name, n))
			return r->aliases[i].text;
	return NULL;
}

/* ---- running a command ---- */

/* One of the two. */
static bool run_machine(struct repl *r, debug_run_fn *run, history_run_fn *back, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	fflush(stdout);
	repl_fit(r);
	session_begin_run(r->session, &r->face);
	progress_begin(r);
	if (r->program)
		server_terminal_runs(r->program, true);
	bool ok = run ? run(r->dbg, args, &stop, &why) : back(session_history(r->session), args, &stop, &why);
	if (r->program)
		server_terminal_runs(r->program, false);
	progress_end(r);
	if (ok)
		repl_report(r, &stop);
	else
		repl_error(r, "%s", text_str(&why));
	if (*r->interrupted) { /* whatever stopped it: nothing goes on by itself */
		r->interrupts++;
		*r->interrupted = 0;
		free(r->pending);
		r->pending = NULL;
	}
	session_end_run(r->session, &r->face);
	text_free(&why);
	debug_stop_free(&stop);
	return ok;
}

bool repl_run_machine(struct repl *r, debug_run_fn *run, const char *args)
{
	history_run_fn *back = past_instead_of(r, run);
	return run_machine(r, back ? NULL : run, back, args);
}

static bool run_back(struct repl *r, history_run_fn *run, const char *args) { return run_machine(r, NULL, run, args); }

static bool run_user(struct repl *r, const struct repl_user_command *u, const char *args)
{
	struct user_args a;
	struct text body = {0};
	if (!user_args_split(&a, args))
		return repl_error(r, "a quote is not closed in the arguments of %s", u->name);
	user_args_substitute(&a, u->body, &body);
	user_args_free(&a);
	input_push_lines(r->input, text_str(&body));
	text_free(&body);
	return repl_run(r, true);
}

static size_t name_length(const char *s)
{
	size_t n = 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_' || (n && (s[n] == '-' || s[n] == '.')))
		n++;
	return n;
}

static bool dispatch(struct repl *r, const char *line);

static bool run_alias(struct repl *r, const char *text, const char *args)
{
	struct text full = {0};
	text_addf(&full, "%s %s", text, args);
	bool ok = dispatch(r, text_str(&full));
	text_free(&full);
	return ok;
}

/* Runs a command's function. */
static bool run_function(struct repl *r, const struct repl_command *c, const char *args)
{
	return c->text	  ? answer_ask(r, c->text, args)
	       : c->run	  ? repl_run_machine(r, c->run, args)
	       : c->back  ? run_back(r, c->back, args)
	       : c->past  ? answer_ask_history(r, c->past, args)
			  : c->own(r, args);
}

static bool run_bare(struct repl *r, const struct repl_command *c, const char *args)
{
	struct history *h = session_history(r->session);
	struct answer answer;
	struct text line = {0};
	char *rest = NULL, *file = NULL;
	text_addf(&line, "%s%s%s", c->name, *args ? " " : "", args);
	history_command(h, text_str(&line));
	bool ok = true;
	if (!c->is_script && answer_option(args, &rest, &file)) {
		text_clear(&line);
		text_addf(&line, "%s%s%s", c->name, *rest ? " " : "", rest);
		ok = !strcmp(file, "-") || repl_may_reach(r, file);
		answer_begin(r, &answer, text_str(&line), file);
		ok = ok && run_function(r, c, rest);
		ok = answer_end(r, &answer, ok);
	} else {
		ok = run_function(r, c, args);
	}
	free(rest);
	text_free(&line);
	history_command_over(h);
	return ok;
}

/* gdb's hooks: a defined command hook-NAME runs before NAME, hookpost-NAME after it. A hook's own commands have none. */
static bool run_hook(struct repl *r, const char *kind, const char *name)
{
	struct text hook = {0};
	text_addf(&hook, "%s-%s", kind, name);
	const struct repl_user_command *u = r->n_user && !r->in_hook ? find_user(r, text_str(&hook), hook.n) : NULL;
	text_free(&hook);
	if (!u)
		return true;
	r->in_hook = true;
	r->depth++;
	bool ok = run_user(r, u, "");
	r->depth--;
	r->in_hook = false;
	return ok;
}

void repl_hook_stop(struct repl *r)
{
	char *commands = r->pending; /* the breakpoint's come after the stop */
	r->pending = NULL;
	run_hook(r, "hook", "stop");
	if (r->pending)
		free(commands);
	else
		r->pending = commands;
}

/* Returns false, with the error printed, if the client of gdb that gives a command may not use it. */
static bool is_allowed(struct repl *r, const struct repl_command *c)
{
	if (c->reach == REACH_PROMPT && r->is_remote)
		return repl_error(r, "'%s' is for the prompt's own user, not for gdb", c->name);
	return c->reach != REACH_HOST || repl_may_reach(r, c->name);
}

static bool run_command(struct repl *r, const struct repl_command *c, const char *args)
{
	if (!is_allowed(r, c))
		return false;
	char *copy = r->n_user ? xstrdup(args) : NULL; /* a hook may end the source that the line came from */
	bool ok =
		run_hook(r, "hook", c->name) && run_bare(r, c, copy ? copy : args) && run_hook(r, "hookpost", c->name);
	free(copy);
	return ok;
}

/* Runs a line that is neither empty nor a comment. */
static bool run_line(struct repl *r, const char *line)
{
	if (r->depth >= DEPTH_MAX)
		return repl_error(r, "commands call each other too deeply");
	size_t n = *line == '!' ? 1 : name_length(line);
	if (!n)
		return repl_error(r, "unknown command '%.20s'; `help` lists the commands", line);
	struct text why = {0};
	const struct repl_user_command *u = find_user(r, line, n);
	const char *alias = u ? NULL : find_alias(r, line, n);
	const struct repl_command *c = u || alias ? NULL : repl_find_command(r, line, n, &why);
	const size_t cut = strcspn(line, "-"); /* `p-1`: the name ends at the minus; that of `reverse-step` does not */
	if (!u && !alias && !c && cut < n && !isalpha((unsigned char)line[cut + 1])) {
		struct text ignored = {0};
		c = repl_find_command(r, line, cut, &ignored);
		n = c ? cut : n;
		text_free(&ignored);
	}
	const char *args = line + n + strspn(line + n, " \t");
	bool ok = false;
	r->depth++;
	if (u)
		ok = run_user(r, u, args);
	else if (alias)
		ok = run_alias(r, alias, args);
	else if (c)
		ok = run_command(r, c, args);
	else
		repl_error(r, "%s", text_str(&why));
	r->depth--;
	text_free(&why);
	return ok;
}

/* Returns whether a line runs other commands, which have answers of their own. */
static bool is_script(struct repl *r, const char *line)
{
	struct text ignored = {0};
	const size_t n = *line == '!' ? 1 : name_length(line);
	const struct repl_command *c = repl_find_command(r, line, n, &ignored);
	text_free(&ignored);
	return find_user(r, line, n) || find_alias(r, line, n) || (c && c->is_script);
}

/* The same, with the answer as a line of JSON if the setting `output` says so. */
static bool dispatch(struct repl *r, const char *line)
{
	struct answer answer;
	if (strcmp(repl_setting(r, REPL_SET_OUTPUT), "json"))
		return run_line(r, line);
	answer_begin(r, &answer, line, NULL);
	answer.is_script = is_script(r, line);
	return answer_end(r, &answer, run_line(r, line));
}

/* What an empty line stands for: the last command if its row says it repeats, else nothing. */
static char *repeated_line(const struct repl *r)
{
	if (!r->last_line)
		return NULL;
	struct text ignored = {0};
	size_t n = name_length(r->last_line);
	const struct repl_command *c = repl_find_command(r, r->last_line, n, &ignored);
	text_free(&ignored);
	if (!c || c->repeat == NO_REPEAT)
		return NULL;
	return c->repeat == REPEAT_LINE ? xstrdup(r->last_line) : xstrndup(r->last_line, n);
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

bool repl_is_command(const struct repl *r, const char *name)
{
	size_t n = strlen(name);
	for (size_t i = 0; i < r->table->n; i++)
		if (!strcmp(r->table->rows[i].name, name) || word_in_list(r->table->rows[i].aliases, name, n))
			return true;
	return false;
}

bool repl_knows_command(const struct repl *r, const char *line)
{
	struct text ignored = {0};
	size_t n = name_length(line);
	bool known = find_user(r, line, n) || find_alias(r, line, n) || repl_find_command(r, line, n, &ignored);
	text_free(&ignored);
	return known;
}

bool repl_execute(struct repl *r, const char *line)
{
	char *text = trimmed(line);
	r->failed = false;
	r->lines_out = 0;
	r->page_quit = false;
	if (!*text && r->interactive && input_is_terminal(r->input) && !*r->interrupted) {
		free(text);
		text = repeated_line(r);
	} else if (*text && *text != '#') {
		free(r->last_line);
		r->last_line = xstrdup(text);
	}
	bool ok = true;
	if (text && *text && *text != '#')
		ok = dispatch(r, text);
	free(text);
	return ok;
}

/* ---- running sources of lines ---- */

static void run_pending(struct repl *r)
{
	while (r->pending && !r->quit) {
		char *body = r->pending;
		r->pending = NULL;
		size_t base = input_depth(r->input);
		unsigned before = r->interrupts;
		input_push_lines(r->input, body);
		free(body);
		while (input_depth(r->input) > base && !r->quit) {
			char *line = input_next(r, "");
			/* a list ends where one of its commands resumed the machine and it stopped again, and with Ctrl-C */
			if (line && (!repl_execute(r, line) || r->pending || r->interrupts != before))
				input_unwind(r->input, base);
			free(line);
		}
		if (r->failed && r->batch)
			r->quit = true;
	}
}

/* Ctrl-D is `quit`, which may ask; where gdb is served it ends only the prompt. */
static void end_of_typing(struct repl *r)
{
	if (r->quit || session_others_active(r->session, &r->face))
		return;
	clearerr(stdin);
	input_push_stdin(r->input);
	repl_execute(r, "quit");
}

static bool execute_line(struct repl *r, const char *line)
{
	r->failed = false;
	return input_line_is_text(r) && repl_execute(r, line);
}

bool repl_run(struct repl *r, bool ends_at_failure)
{
	size_t base = input_depth(r->input) - 1;
	while (input_depth(r->input) > base && !r->quit) {
		const bool is_typed = input_is_terminal(r->input);
		char *line = input_next(r, repl_setting(r, REPL_SET_PROMPT));
		if (!line && is_typed)
			end_of_typing(r);
		if (!line)
			continue;
		input_begin_command(r->input);
		bool ok = execute_line(r, line);
		free(line);
		run_pending(r);
		if (*r->interrupted && !input_is_terminal(r->input) && input_depth(r->input) > base)
			ok = repl_error(r, "interrupted");
		if (repl_output_lost(r) && !session_others_active(r->session, &r->face))
			r->quit = true;
		if (ok && !r->failed)
			continue;
		if (r->batch) {
			repl_set_status(r, REPL_FAILED);
			r->quit = true;
		}
		if (ends_at_failure) {
			input_unwind(r->input, base);
			return false;
		}
	}
	input_unwind(r->input, base);
	return !r->quit || !r->failed;
}

void repl_execute_for(struct repl *r, const char *lines, bool is_confined, struct text *out)
{
	const bool batch = r->batch, failed = r->failed, was_remote = r->is_remote;
	struct debug_settings *s = debug_settings(r->dbg);
	const bool was_confined = s->is_confined;
	struct text *before = r->capture;
	char *last_line = r->last_line;
	r->batch = false;
	r->is_remote = true;
	s->is_confined = was_confined || is_confined;
	r->last_line = NULL; /* an empty line at the prompt repeats what was typed there */
	r->capture = out;
	input_push_lines(r->input, lines);
	repl_run(r, true);
	r->capture = before;
	free(r->last_line);
	r->last_line = last_line;
	s->is_confined = was_confined;
	r->is_remote = was_remote;
	r->batch = batch;
	r->failed = failed;
}

bool repl_source(struct repl *r, const char *path)
{
	size_t n;
	char *text = files_read(session_files(r->session), path, FILES_READ, SCRIPT_BYTES_MAX, &n);
	if (!text)
		return repl_error(r, "can't read '%s': %m", path);
	input_push_bytes(r->input, text, n < SCRIPT_BYTES_MAX ? n : SCRIPT_BYTES_MAX);
	free(text);
	return repl_run(r, true);
}
