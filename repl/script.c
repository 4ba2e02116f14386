/* Commands made of commands: source, define, document, alias, if, while. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "command/inspect.h"
#include "repl/answer.h"
#include "repl/input.h"
#include "repl/repl.h"

bool cmd_source(struct repl *r, const char *args)
{
	if (!*args)
		return repl_error(r, "usage: source FILE");
	return repl_source(r, args);
}

static bool plain_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	while (isalnum((unsigned char)*s) || *s == '_' || *s == '-')
		s++;
	return !*s;
}

static struct repl_user_command *user_command(struct repl *r, const char *name)
{
	for (size_t i = 0; i < r->n_user; i++)
		if (!strcmp(r->user[i].name, name))
			return &r->user[i];
	return NULL;
}

bool cmd_define(struct repl *r, const char *args)
{
	if (!plain_name(args))
		return repl_error(r, "usage: define NAME (letters, digits, - and _), then lines up to `end`");
	char *body = input_read_block(r);
	if (!body)
		return false;
	struct repl_user_command *u = user_command(r, args);
	if (!u) {
		r->user = xgrow(r->user, &r->cap_user, r->n_user + 1, sizeof *r->user);
		u = &r->user[r->n_user++];
		*u = (struct repl_user_command){.name = xstrdup(args)};
	}
	free(u->body);
	u->body = body;
	return true;
}

bool cmd_document(struct repl *r, const char *args)
{
	struct repl_user_command *u = user_command(r, args);
	if (!u)
		return repl_error(r, "no defined command '%s', expected the name of one made with `define`", args);
	char *help = input_read_block(r);
	if (!help)
		return false;
	free(u->help);
	u->help = help;
	return true;
}

bool cmd_alias(struct repl *r, const char *args)
{
	if (!*args) {
		for (size_t i = 0; i < r->n_aliases; i++)
			repl_printf(r, "%s = %s\n", r->aliases[i].name, r->aliases[i].text);
		return true;
	}
	size_t n = strcspn(args, " \t=");
	const char *text = args + n + strspn(args + n, " \t");
	char *name = xstrndup(args, n);
	if (*text != '=' || !text[1 + strspn(text + 1, " \t")] || !plain_name(name)) {
		free(name);
		return repl_error(r, "usage: alias NAME = COMMAND [ARGS]");
	}
	text += 1 + strspn(text + 1, " \t");
	if (repl_is_command(r, name)) { /* as in gdb; one that is run by way of itself would never end */
		repl_error(r, "Alias already exists: %s", name);
		free(name);
		return false;
	}
	if (!repl_knows_command(r, text)) {
		free(name);
		return repl_error(r, "Invalid command to alias to: %s", text);
	}
	for (size_t i = 0; i < r->n_aliases; i++)
		if (!strcmp(r->aliases[i].name, name)) {
			free(name);
			char *copy = xstrdup(text);
			free(r->aliases[i].text);
			r->aliases[i].text = copy;
			return true;
		}
	r->aliases = xgrow(r->aliases, &r->cap_aliases, r->n_aliases + 1, sizeof *r->aliases);
	r->aliases[r->n_aliases++] = (struct repl_alias){name, xstrdup(text)};
	return true;
}

bool cmd_eval(struct repl *r, const char *args)
{
	struct text line = {0}, why = {0};
	bool ok = debug_answer_text(r->dbg, debug_cmd_printf, args, &line, &why);
	if (ok)
		ok = repl_execute(r, text_str(&line));
	else
		repl_error(r, "%s", text_str(&why));
	text_free(&line);
	text_free(&why);
	return ok;
}

static bool condition(struct repl *r, const char *args, bool *truth)
{
	struct expr_value v = {0};
	struct text why = {0};
	bool ok = debug_eval(r->dbg, args, &v, &why);
	if (ok) {
		*truth = expr_value_is_true(&v);
		expr_value_free(&v);
	} else {
		repl_error(r, "%s", text_str(&why));
	}
	text_free(&why);
	return ok;
}

/* Cuts a block at its own `else`; returns the part after it, NULL if there is none. */
static char *split_else(char *body)
{
	unsigned depth = 0;
	for (char *line = body; *line;) {
		char *eol = strchr(line, '\n');
		const char *word = line + strspn(line, " \t");
		size_t n = strcspn(word, " \t\n");
		if ((n == 2 && !strncmp(word, "if", 2)) || (n == 5 && !strncmp(word, "while", 5)) || (n == 8 && !strncmp(word, "commands", 8)) ||
		    (n == 6 && !strncmp(word, "define", 6)))
			depth++;
		else if (n == 3 && !strncmp(word, "end", 3) && depth)
			depth--;
		else if (n == 4 && !strncmp(word, "else", 4) && !depth) {
			*line = '\0';
			return eol ? eol + 1 : NULL;
		}
		if (!eol)
			return NULL;
		line = eol + 1;
	}
	return NULL;
}

static bool run_block(struct repl *r, const char *body)
{
	input_push_lines(r->input, body);
	return repl_run(r, true);
}

bool cmd_if(struct repl *r, const char *args)
{
	if (!*args)
		return repl_error(r, "if/while commands require arguments.");
	char *body = input_read_block(r);
	if (!body)
		return false;
	char *otherwise = split_else(body);
	bool truth = false, ok = condition(r, args, &truth);
	if (ok && truth)
		ok = run_block(r, body);
	else if (ok && otherwise)
		ok = run_block(r, otherwise);
	free(body);
	return ok;
}

bool cmd_while(struct repl *r, const char *args)
{
	if (!*args)
		return repl_error(r, "if/while commands require arguments.");
	char *body = input_read_block(r), *test = xstrdup(args);
	if (!body) {
		free(test);
		return false;
	}
	bool truth = false, ok;
	unsigned before = r->interrupts;
	while ((ok = condition(r, test, &truth)) && truth && !r->quit) {
		if (*r->interrupted || r->interrupts != before) {
			ok = repl_error(r, "interrupted");
			break;
		}
		if (!run_block(r, body)) {
			ok = false;
			break;
		}
	}
	free(body);
	free(test);
	return ok;
}

bool cmd_echo(struct repl *r, const char *args) { return answer_ask(r, debug_cmd_echo, args); }
bool cmd_printf(struct repl *r, const char *args) { return answer_ask(r, debug_cmd_printf, args); }
