/* Commands made of commands: source, define, document, alias, if, while, loop_break, loop_continue. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "command/inspect.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/input.h"
#include "command/interpreter/interpreter.h"

bool command_source(struct interpreter *in, const char *args)
{
	if (!*args)
		return interpreter_error(in, "usage: source FILE");
	char *path = argument_unquoted(args);
	const bool ok = interpreter_source(in, path);
	free(path);
	return ok;
}

static bool plain_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	while (isalnum((unsigned char)*s) || *s == '_' || *s == '-')
		s++;
	return !*s;
}

static struct user_command *user_command(struct interpreter *in, const char *name)
{
	for (size_t i = 0; i < in->n_user; i++)
		if (!strcmp(in->user[i].name, name))
			return &in->user[i];
	return NULL;
}

bool command_define(struct interpreter *in, const char *args)
{
	if (!plain_name(args))
		return interpreter_error(in, "usage: define NAME (letters, digits, - and _), then lines up to `end`");
	char *body = input_read_block(in);
	if (!body)
		return false;
	struct user_command *u = user_command(in, args);
	if (!u) {
		in->user = xgrow(in->user, &in->cap_user, in->n_user + 1, sizeof *in->user);
		u = &in->user[in->n_user++];
		*u = (struct user_command){.name = xstrdup(args)};
	}
	free(u->body);
	u->body = body;
	return true;
}

bool command_document(struct interpreter *in, const char *args)
{
	struct user_command *u = user_command(in, args);
	if (!u)
		return interpreter_error(in, "no defined command '%s', expected the name of one made with `define`", args);
	char *help = input_read_block(in);
	if (!help)
		return false;
	free(u->help);
	u->help = help;
	return true;
}

bool command_alias(struct interpreter *in, const char *args)
{
	if (!*args) {
		for (size_t i = 0; i < in->n_aliases; i++)
			interpreter_printf(in, "%s = %s\n", in->aliases[i].name, in->aliases[i].text);
		return true;
	}
	size_t n = strcspn(args, " \t=");
	const char *text = args + n + strspn(args + n, " \t");
	char *name = xstrndup(args, n);
	if (*text != '=' || !text[1 + strspn(text + 1, " \t")] || !plain_name(name)) {
		free(name);
		return interpreter_error(in, "usage: alias NAME = COMMAND [ARGS]");
	}
	text += 1 + strspn(text + 1, " \t");
	if (interpreter_is_command(in, name)) { /* as in gdb; one that is run by way of itself would never end */
		interpreter_error(in, "Alias already exists: %s", name);
		free(name);
		return false;
	}
	if (!interpreter_knows_command(in, text)) {
		free(name);
		return interpreter_error(in, "Invalid command to alias to: %s", text);
	}
	for (size_t i = 0; i < in->n_aliases; i++)
		if (!strcmp(in->aliases[i].name, name)) {
			free(name);
			char *copy = xstrdup(text);
			free(in->aliases[i].text);
			in->aliases[i].text = copy;
			return true;
		}
	in->aliases = xgrow(in->aliases, &in->cap_aliases, in->n_aliases + 1, sizeof *in->aliases);
	in->aliases[in->n_aliases++] = (struct command_alias){name, xstrdup(text)};
	return true;
}

bool command_eval(struct interpreter *in, const char *args)
{
	struct text line = {0}, why = {0};
	bool ok = debug_answer_text(in->dbg, command_printf, args, &line, &why);
	if (ok)
		ok = interpreter_execute(in, text_str(&line));
	else
		interpreter_error(in, "%s", text_str(&why));
	text_free(&line);
	text_free(&why);
	return ok;
}

static bool condition(struct interpreter *in, const char *args, bool *truth)
{
	struct expr_value v = {0};
	struct text why = {0};
	bool ok = debug_eval(in->dbg, args, &v, &why);
	if (ok) {
		*truth = expr_value_is_true(&v);
		expr_value_free(&v);
	} else {
		interpreter_error(in, "%s", text_str(&why));
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

static bool run_block(struct interpreter *in, const char *body)
{
	input_push_lines(in->input, body);
	return interpreter_run(in, true);
}

bool command_if(struct interpreter *in, const char *args)
{
	if (!*args)
		return interpreter_error(in, "if/while commands require arguments.");
	char *body = input_read_block(in);
	if (!body)
		return false;
	char *otherwise = split_else(body);
	bool truth = false, ok = condition(in, args, &truth);
	if (ok && truth)
		ok = run_block(in, body);
	else if (ok && otherwise)
		ok = run_block(in, otherwise);
	free(body);
	return ok;
}

/* Runs the body of a loop while the condition holds. Returns false, with the error printed, if a command failed or the user interrupted. */
static bool run_loop(struct interpreter *in, const char *test, const char *body)
{
	const unsigned before = in->interrupts;
	bool truth = false, ok;
	while ((ok = condition(in, test, &truth)) && truth && !in->quit) {
		if (*in->interrupted || in->interrupts != before)
			return interpreter_error(in, "interrupted");
		ok = run_block(in, body);
		const bool ends = in->loop_jump == LOOP_JUMP_BREAK;
		in->loop_jump = LOOP_JUMP_NONE;
		if (!ok || ends)
			return ok;
	}
	return ok;
}

bool command_while(struct interpreter *in, const char *args)
{
	if (!*args)
		return interpreter_error(in, "if/while commands require arguments.");
	char *body = input_read_block(in), *test = xstrdup(args);
	bool ok = false;
	if (body) {
		in->loops++;
		ok = run_loop(in, test, body);
		in->loops--;
	}
	free(body);
	free(test);
	return ok;
}

static bool jump(struct interpreter *in, enum loop_jump to, const char *args)
{
	if (*args)
		return interpreter_error(in, "This command doesn't take any arguments.");
	if (!in->loops)
		return interpreter_error(in, "This command cannot be used at the top level.");
	in->loop_jump = to;
	return true;
}

bool command_loop_break(struct interpreter *in, const char *args) { return jump(in, LOOP_JUMP_BREAK, args); }
bool command_loop_continue(struct interpreter *in, const char *args) { return jump(in, LOOP_JUMP_CONTINUE, args); }

