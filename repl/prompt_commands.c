/* Commands about the session itself: help, history, shell, quitting. */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef WS_EDITLINE_READLINE
#include <readline/history.h>
#else
#include <editline/readline.h>
#endif

#include "server/server.h"
#include "command/inspect.h"
#include "command/dump/dump.h"
#include "debug/program.h"
#include "debug/stop/run.h"
#include "isa/opcodes.h"
#include "repl/input.h"
#include "repl/past.h"
#include "repl/repl.h"
#include "repl/settings.h"

static const struct {
	const char *name, *title;
} groups[] = {
	{"preparing", "Preparing and launching"},
	{"running", "Running and stepping"},
	{"backwards", "Backwards in time"},
	{"stopping", "Stopping: break, watch, catch"},
	{"focus", "The focus"},
	{"looking", "Looking at the machine"},
	{"machine", "The machine's state, in performance mode"},
	{"prompt", "The prompt itself"},
};

static void help_group(struct repl *r, const char *group)
{
	for (size_t i = 0; i < r->table->n; i++)
		if (!strcmp(r->table->rows[i].group, group))
			repl_printf(r, "  %-14s %s\n", r->table->rows[i].name, r->table->rows[i].brief);
}

static void help_all(struct repl *r)
{
	repl_print(r, "Commands may be shortened as long as they stay unique. `help COMMAND` says more, `help NAME` "
		      "works for the groups too.\n");
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
		repl_printf(r, "\n%s (%s):\n", groups[g].title, groups[g].name);
		help_group(r, groups[g].name);
	}
	for (size_t i = 0; i < r->n_user; i++)
		repl_printf(r, "%s  %-14s user-defined\n", i ? "" : "\nDefined in this session:\n", r->user[i].name);
}

static void help_command(struct repl *r, const struct repl_command *c)
{
	repl_printf(r, "%s%s%s\n%s\n", c->name, *c->usage ? " " : "", c->usage, c->brief);
	if (*c->help)
		repl_printf(r, "%s\n", c->help);
	if (*c->aliases)
		repl_printf(r, "Also: %s\n", c->aliases);
	repl_printf(r, "Example: %s\n", c->example);
	const char *legend = debug_dump_legend(c->name);
	if (legend)
		repl_printf(r, "\n%s", legend);
}

static void help_row(struct repl *r, const char *prefix, const char *name, const char *usage, const char *help)
{
	struct text whole = {0};
	text_addf(&whole, "%s %s%s%s", prefix, name, *usage ? " " : "", usage);
	repl_printf(r, "  %-30s %s\n", text_str(&whole), help);
	text_free(&whole);
}

static void help_rows(struct repl *r, const char *prefix, const struct debug_info_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		help_row(r, prefix, rows[i].name, rows[i].usage, rows[i].help);
}

static bool help_user(struct repl *r, const char *name)
{
	for (size_t i = 0; i < r->n_aliases; i++)
		if (!strcmp(r->aliases[i].name, name)) {
			repl_printf(r, "%s is another name for `%s`\n", name, r->aliases[i].text);
			return true;
		}
	for (size_t i = 0; i < r->n_user; i++)
		if (!strcmp(r->user[i].name, name)) {
			repl_print(r, r->user[i].help ? r->user[i].help : "User-defined:\n");
			if (!r->user[i].help)
				repl_print(r, r->user[i].body);
			return true;
		}
	return false;
}

/* `help info SUBJECT`: that one alone, and what its columns are. */
static bool help_info(struct repl *r, const char *subject)
{
	struct text why = {0}, name = {0};
	const struct debug_info_row *row =
		debug_info_find(debug_info_rows, debug_info_n, subject, strlen(subject), &why);
	if (row) {
		help_row(r, "info", row->name, row->usage, row->help);
		text_addf(&name, "info %s", row->name);
		const char *legend = debug_dump_legend(text_str(&name));
		if (legend)
			repl_print(r, legend);
	}
	text_free(&why);
	text_free(&name);
	return row;
}

static void help_setting(struct repl *r, const struct repl_setting_row *s)
{
	repl_printf(r, "  %-16s %s (%s)\n", s->name, s->help, s->kind);
}

/* `help set NAME`: that one, and all that begin with it. */
static bool help_set(struct repl *r, const char *name)
{
	const size_t n = strcspn(name, " \t");
	bool any = false;
	for (unsigned i = 0; n && i < REPL_SETTINGS; i++)
		if (!strncmp(repl_setting_rows[i].name, name, n)) {
			help_setting(r, &repl_setting_rows[i]);
			any = true;
		}
	return any;
}

static bool is_of_settings(const struct repl_command *c) { return !strcmp(c->name, "set") || !strcmp(c->name, "show"); }

bool cmd_help(struct repl *r, const char *args)
{
	if (!*args || !strcmp(args, "all")) {
		help_all(r);
		return true;
	}
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
		if (!strcmp(args, groups[g].name) && strcmp(args, "focus")) {
			help_group(r, args);
			return true;
		}
	if (help_user(r, args))
		return true;
	struct text why = {0};
	size_t n = strcspn(args, " \t");
	const struct repl_command *c = repl_find_command(r, args, n, &why);
	enum isa_opcode op = c ? ISA_OP_NONE : isa_opcode_find(args, (unsigned)strlen(args));
	if (op != ISA_OP_NONE) {
		repl_printf(r, "%s, a PTX instruction: %s%s\n", isa_opcode_info[op].name, isa_opcode_info[op].help,
			    isa_opcode_info[op].family == ISA_FAMILY_UNSUPPORTED ? "; not supported yet" : "");
		text_free(&why);
		return true;
	}
	if (!c)
		repl_error(r, "%s", text_str(&why));
	text_free(&why);
	if (!c)
		return false;
	const char *subject = args + n + strspn(args + n, " \t");
	if (!strcmp(c->name, "info") && *subject && help_info(r, subject))
		return true;
	if (is_of_settings(c) && help_set(r, subject))
		return true;
	help_command(r, c);
	if (!strcmp(c->name, "info")) {
		repl_print(r, "Subjects:\n");
		help_rows(r, "info", debug_info_rows, debug_info_n);
		for (size_t i = 0; i < repl_info_n; i++)
			help_row(r, "info", repl_info_rows[i].name, repl_info_rows[i].usage, repl_info_rows[i].help);
		help_rows(r, "info cuda", debug_cuda_rows, debug_cuda_n);
	}
	if (is_of_settings(c)) {
		repl_print(r, "Settings:\n");
		for (unsigned i = 0; i < REPL_SETTINGS; i++)
			help_setting(r, &repl_setting_rows[i]);
	}
	return true;
}

static bool mentions(const char *text, const char *word) { return strcasestr(text, word) != NULL; }

bool cmd_apropos(struct repl *r, const char *args)
{
	if (!*args)
		return repl_error(r, "usage: apropos WORD");
	for (size_t i = 0; i < r->table->n; i++) {
		const struct repl_command *c = &r->table->rows[i];
		if (mentions(c->name, args) || mentions(c->brief, args) || mentions(c->help, args) ||
		    mentions(c->usage, args))
			repl_printf(r, "%s -- %s\n", c->name, c->brief);
	}
	for (size_t i = 0; i < debug_info_n; i++)
		if (mentions(debug_info_rows[i].name, args) || mentions(debug_info_rows[i].help, args))
			repl_printf(r, "info %s -- %s\n", debug_info_rows[i].name, debug_info_rows[i].help);
	for (size_t i = 0; i < repl_info_n; i++)
		if (mentions(repl_info_rows[i].name, args) || mentions(repl_info_rows[i].help, args))
			repl_printf(r, "info %s -- %s\n", repl_info_rows[i].name, repl_info_rows[i].help);
	for (unsigned i = 0; i < REPL_SETTINGS; i++)
		if (mentions(repl_setting_rows[i].name, args) || mentions(repl_setting_rows[i].help, args))
			repl_printf(r, "set %s -- %s\n", repl_setting_rows[i].name, repl_setting_rows[i].help);
	return true;
}

bool cmd_history(struct repl *r, const char *args)
{
	if (*args)
		return repl_error(r, "usage: history");
	for (int i = 0; r->interactive && i < history_length; i++) {
		HIST_ENTRY *e = history_get(history_base + i);
		if (e)
			repl_printf(r, "%5d  %s\n", i + 1, e->line);
	}
	return true;
}

bool cmd_gdbserver(struct repl *r, const char *args)
{
	struct text out = {0}, why = {0};
	bool ok = *args && session_listen(r->session, args, &out, &why);
	if (ok && strcmp(args, "off"))
		past_begin(r);
	repl_print_text(r, &out);
	if (!ok)
		repl_error(r, "%s", *args ? text_str(&why) : "usage: gdbserver [HOST:]PORT, gdbserver unix:PATH, or gdbserver off");
	text_free(&why);
	return ok;
}

bool cmd_shell(struct repl *r, const char *args)
{
	fflush(stdout);
	void (*on_pipe)(int) = signal(SIGPIPE, SIG_DFL); /* what is ignored here would be ignored there */
	int status = system(*args ? args : "${SHELL:-/bin/sh}");
	signal(SIGPIPE, on_pipe);
	if (status == -1)
		return repl_error(r, "can't run a shell: %m");
	if (WIFEXITED(status) && WEXITSTATUS(status))
		return repl_error(r, "the shell command ended with status %d", WEXITSTATUS(status));
	return WIFEXITED(status) || repl_error(r, "the shell command was ended by signal %d", WTERMSIG(status));
}

bool cmd_pwd(struct repl *r, const char *args)
{
	char path[4096];
	if (*args)
		return repl_error(r, "usage: pwd");
	if (!getcwd(path, sizeof path))
		return repl_error(r, "can't tell the current folder: %m");
	repl_printf(r, "Working directory %s.\n", path);
	return true;
}

bool cmd_cd(struct repl *r, const char *args)
{
	const char *home = getenv("HOME");
	const char *to = *args ? args : home ? home : "/";
	if (chdir(to))
		return repl_error(r, "can't change to '%s': %m", to);
	return true;
}

/* A program would be killed, a kernel left in the middle. In gdb's words. */
static bool may_quit(struct repl *r)
{
	char question[128];
	if (!debug_program_lives(r->dbg))
		return !debug_can_run(r->dbg) || repl_asks(r, "A kernel is running. Quit anyway?");
	snprintf(question, sizeof question,
		 "A debugging session is active.\n\n\tInferior 1 [process %ld] will be killed.\n\nQuit anyway?",
		 server_program_pid(r->program));
	return repl_asks(r, question);
}

bool cmd_quit(struct repl *r, const char *args)
{
	char *end;
	long status = strtol(args, &end, 0);
	if (*end || status < 0 || status > 255)
		return repl_error(r, "usage: quit [STATUS], a number from 0 to 255");
	if (!may_quit(r))
		return true;
	if (*args)
		r->status = (int)status;
	r->quit = true;
	return true;
}
