/* `help` and `apropos`: what the tables say of commands, subjects and settings. */
#include <stdarg.h>
#include <string.h>

#include "command/dump/dump.h"
#include "command/info.h"
#include "command/inspect.h"
#include "command/interpreter/interpreter.h"
#include "command/wrap.h"
#include "gpu/config/config.h"
#include "gpu/statistics/statistics.h"
#include "isa/opcodes.h"

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

/* Prints a formatted text, which is broken at words where it is wider than the screen; the rest is indented to `column`. */
__attribute__((format(printf, 3, 4))) static void say(struct interpreter *in, unsigned column, const char *fmt, ...)
{
	struct text t = {0}, out = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	interpreter_fit(in);
	wrap_lines_at(in->dbg, column, &t, &out);
	interpreter_print_text(in, &out);
	text_free(&t);
}

static void help_group(struct interpreter *in, const char *group)
{
	for (size_t i = 0; i < in->table->n; i++)
		if (!strcmp(in->table->rows[i].group, group))
			say(in, 17, "  %-14s %s\n", in->table->rows[i].name, in->table->rows[i].brief);
}

static void help_all(struct interpreter *in)
{
	say(in, 0, "Commands may be shortened as long as they stay unique. `help COMMAND` says more, `help NAME` works for the groups too.\n");
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
		interpreter_printf(in, "\n%s (%s):\n", groups[g].title, groups[g].name);
		help_group(in, groups[g].name);
	}
	for (size_t i = 0; i < in->n_user; i++)
		interpreter_printf(in, "%s  %-14s user-defined\n", i ? "" : "\nDefined in this session:\n", in->user[i].name);
}

static void help_command(struct interpreter *in, const struct command *c)
{
	say(in, 0, "%s%s%s\n%s\n", c->name, *c->usage ? " " : "", c->usage, c->brief);
	if (*c->help)
		say(in, 0, "%s\n", c->help);
	if (*c->aliases)
		interpreter_printf(in, "Also: %s\n", c->aliases);
	say(in, 0, "Example: %s\n", c->example);
	const char *legend = dump_legend(c->name);
	if (legend)
		say(in, 0, "\n%s", legend);
}

static void help_row(struct interpreter *in, const char *prefix, const char *name, const char *usage, const char *help)
{
	struct text whole = {0};
	text_addf(&whole, "%s %s%s%s", prefix, name, *usage ? " " : "", usage);
	say(in, 33, "  %-30s %s\n", text_str(&whole), help);
	text_free(&whole);
}

static void help_rows(struct interpreter *in, const char *prefix, const struct info_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		help_row(in, prefix, rows[i].name, rows[i].usage, rows[i].help);
}

static bool help_user(struct interpreter *in, const char *name)
{
	for (size_t i = 0; i < in->n_aliases; i++)
		if (!strcmp(in->aliases[i].name, name)) {
			interpreter_printf(in, "%s is another name for `%s`\n", name, in->aliases[i].text);
			return true;
		}
	for (size_t i = 0; i < in->n_user; i++)
		if (!strcmp(in->user[i].name, name)) {
			interpreter_print(in, in->user[i].help ? in->user[i].help : "User-defined:\n");
			if (!in->user[i].help)
				interpreter_print(in, in->user[i].body);
			return true;
		}
	return false;
}

/* `help info SUBJECT`: that one alone, and what its columns are. */
static bool help_info(struct interpreter *in, const char *subject)
{
	struct text why = {0}, name = {0};
	const struct info_row *row =
		info_find(info_rows, info_n, subject, strlen(subject), &why);
	if (row) {
		help_row(in, "info", row->name, row->usage, row->help);
		text_addf(&name, "info %s", row->name);
		const char *legend = dump_legend(text_str(&name));
		if (legend)
			interpreter_print(in, legend);
	}
	text_free(&why);
	text_free(&name);
	return row;
}

static void help_setting(struct interpreter *in, const struct setting_row *s)
{
	say(in, 19, "  %-16s %s (%s)\n", s->name, s->help, s->kind);
}

/* `help set NAME`: that one, and all that begin with it. */
static bool help_set(struct interpreter *in, const char *name)
{
	const size_t n = strcspn(name, " \t");
	bool any = false;
	for (unsigned i = 0; n && i < SETTINGS; i++)
		if (!strncmp(setting_rows[i].name, name, n)) {
			help_setting(in, &setting_rows[i]);
			any = true;
		}
	return any;
}

static bool is_of_settings(const struct command *c) { return !strcmp(c->name, "set") || !strcmp(c->name, "show"); }

bool command_help(struct interpreter *in, const char *args)
{
	if (!*args || !strcmp(args, "all")) {
		help_all(in);
		return true;
	}
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
		if (!strcmp(args, groups[g].name) && strcmp(args, "focus")) {
			help_group(in, args);
			return true;
		}
	if (help_user(in, args))
		return true;
	struct text why = {0};
	size_t n = strcspn(args, " \t");
	const struct command *c = command_find(in, args, n, &why);
	enum isa_opcode op = c ? ISA_OP_NONE : isa_opcode_find(args, (unsigned)strlen(args));
	if (op != ISA_OP_NONE) {
		interpreter_printf(in, "%s, a PTX instruction: %s%s\n", isa_opcode_info[op].name, isa_opcode_info[op].help,
			    isa_opcode_info[op].family == ISA_FAMILY_UNSUPPORTED ? "; not supported yet" : "");
		text_free(&why);
		return true;
	}
	if (!c)
		interpreter_error(in, "%s", text_str(&why));
	text_free(&why);
	if (!c)
		return false;
	const char *subject = args + n + strspn(args + n, " \t");
	if (!strcmp(c->name, "info") && *subject && help_info(in, subject))
		return true;
	if (is_of_settings(c) && help_set(in, subject))
		return true;
	help_command(in, c);
	if (!strcmp(c->name, "info")) {
		interpreter_print(in, "Subjects:\n");
		help_rows(in, "info", info_rows, info_n);
		for (size_t i = 0; i < info_own_n; i++)
			help_row(in, "info", info_own_rows[i].name, info_own_rows[i].usage, info_own_rows[i].help);
		help_rows(in, "info cuda", info_cuda_rows, info_cuda_n);
	}
	if (is_of_settings(c)) {
		interpreter_print(in, "Settings:\n");
		for (unsigned i = 0; i < SETTINGS; i++)
			help_setting(in, &setting_rows[i]);
	}
	return true;
}

static bool mentions(const char *text, const char *word) { return strcasestr(text, word) != NULL; }

/* What has been found so far. */
struct found {
	struct interpreter *in;
	const char *word;
	unsigned n;
};

static void found(struct found *f, const char *what, const char *name, const char *help)
{
	say(f->in, 4, "%s%s%s -- %s\n", what, *what ? " " : "", name, help);
	f->n++;
}

static void find_row(struct found *f, const char *what, const char *name, const char *help)
{
	if (mentions(name, f->word) || mentions(help, f->word))
		found(f, what, name, help);
}

static void find_commands(struct found *f)
{
	for (size_t i = 0; i < f->in->table->n; i++) {
		const struct command *c = &f->in->table->rows[i];
		const char *legend = dump_legend(c->name);
		if (mentions(c->name, f->word) || mentions(c->brief, f->word) || mentions(c->help, f->word) || mentions(c->usage, f->word) ||
		    mentions(c->example, f->word) || (legend && mentions(legend, f->word)))
			found(f, "", c->name, c->brief);
	}
}

static void find_subjects(struct found *f)
{
	for (size_t i = 0; i < info_n; i++) {
		const struct info_row *r = &info_rows[i];
		struct text name = {0};
		text_addf(&name, "info %s", r->name);
		const char *legend = dump_legend(text_str(&name));
		text_free(&name);
		if (mentions(r->name, f->word) || mentions(r->help, f->word) || (legend && mentions(legend, f->word)))
			found(f, "info", r->name, r->help);
	}
	for (size_t i = 0; i < info_own_n; i++)
		find_row(f, "info", info_own_rows[i].name, info_own_rows[i].help);
	for (size_t i = 0; i < info_cuda_n; i++)
		find_row(f, "info cuda", info_cuda_rows[i].name, info_cuda_rows[i].help);
}

static void find_statistic(void *self, const struct statistic_meaning *m) { find_row(self, "stats", m->name, m->help); }

static void find_options(struct found *f)
{
	const struct config *c = gpu_config(debug_gpu(f->in->dbg));
	struct config_row row;
	for (unsigned i = 0; c && config_row(c, i, &row); i++)
		find_row(f, "info config", row.name, row.help);
}

/* Headings of the manual's pages, as src/command/help/headings.awk finds them. */
static const struct {
	const char *page, *title, *section;
} headings[] = {
#define HEADING(page, title, section) {page, title, section},
#include "headings.h"
#undef HEADING
};

static void find_headings(struct found *f)
{
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		if (mentions(*headings[i].section ? headings[i].section : headings[i].title, f->word)) {
			struct text name = {0};
			text_addf(&name, "%s%s%s", headings[i].title, *headings[i].section ? ": " : "", headings[i].section);
			found(f, "manual", headings[i].page, text_str(&name));
			text_free(&name);
		}
}

bool command_apropos(struct interpreter *in, const char *args)
{
	struct found f = {in, args, 0};
	if (!*args)
		return interpreter_error(in, "usage: apropos WORD");
	find_commands(&f);
	find_subjects(&f);
	for (unsigned i = 0; i < SETTINGS; i++)
		find_row(&f, "set", setting_rows[i].name, setting_rows[i].help);
	gpu_statistics_list("", find_statistic, &f);
	find_options(&f);
	find_headings(&f);
	if (!f.n)
		interpreter_printf(in, "Nothing is about \"%s\".\n", args);
	return true;
}
