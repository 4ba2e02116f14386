/* Candidates for the Tab key, by what the command's row says its arguments are. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "debug/stop/breakpoint.h"
#include "command/dump/dump.h"
#include "command/why/why.h"
#include "command/inspect.h"
#include "gpu/config/config.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/help/complete.h"
#include "command/info.h"

struct candidates {
	char **v;
	size_t n, cap;
	const char *before; /* what of the blank-free word at hand stands in front of `word`: n_before bytes */
	size_t n_before;
	const char *word;
	size_t n_word;
};

static void add_if(struct candidates *c, const char *name)
{
	if (strncmp(name, c->word, c->n_word))
		return;
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->v[i] + c->n_before, name))
			return;
	struct text whole = {0};
	text_addn(&whole, c->before, c->n_before);
	text_add(&whole, name);
	c->v = xgrow(c->v, &c->cap, c->n + 2, sizeof *c->v);
	c->v[c->n++] = text_take(&whole);
	c->v[c->n] = NULL;
}

static void add_name(void *self, const char *name) { add_if(self, name); }

static void add_words(struct candidates *c, const char *words)
{
	char *copy = xstrdup(words), *save = NULL;
	for (char *w = strtok_r(copy, " |", &save); w; w = strtok_r(NULL, " |", &save))
		add_if(c, w);
	free(copy);
}

static void add_dump(struct interpreter *in, struct candidates *c, const char *line)
{
	struct text words = {0};
	if (strstr(line, "unit "))
		dump_sections(in->dbg, &words);
	else
		text_add(&words, "warp unit --diff");
	add_words(c, text_str(&words));
	text_free(&words);
}

/* Files and folders; word may have a folder part. */
static void add_files(struct candidates *c)
{
	const char *slash = strrchr(c->word, '/');
	size_t n_folder = slash ? (size_t)(slash - c->word) + 1 : 0;
	char *folder = n_folder ? xstrndup(c->word, n_folder) : xstrdup("./");
	DIR *d = opendir(folder);
	for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
		struct text path = {0};
		struct stat st;
		text_addn(&path, c->word, n_folder);
		text_add(&path, e->d_name);
		bool is_folder = !stat(text_str(&path), &st) && S_ISDIR(st.st_mode);
		if (e->d_name[0] != '.' || c->word[n_folder] == '.')
			text_add(&path, is_folder ? "/" : "");
		else
			text_clear(&path);
		if (path.n)
			add_if(c, text_str(&path));
		text_free(&path);
	}
	if (d)
		closedir(d);
	free(folder);
}

static void add_commands(struct interpreter *in, struct candidates *c)
{
	for (size_t i = 0; i < in->table->n; i++)
		add_if(c, in->table->rows[i].name);
	for (size_t i = 0; i < in->n_user; i++)
		add_if(c, in->user[i].name);
	for (size_t i = 0; i < in->n_aliases; i++)
		add_if(c, in->aliases[i].name);
}

/* What may follow `info SUBJECT`; the subject may be shortened. */
/* Words that stand behind a subject, and for config its options. */
static void add_subject_words(struct candidates *c, const char *subject)
{
	static const struct {
		const char *subject, *words;
	} rows[] = {{"access", "next last"},	 {"cores", "core warp"},      {"warps", "core warp"},
		    {"scoreboard", "core warp"}, {"simt-stack", "core warp"}, {"locals", "all"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].subject, subject))
			add_words(c, rows[i].words);
	const char *name;
	for (unsigned i = 0; !strcmp(subject, "config") && (name = config_option_name(i)); i++)
		add_if(c, name);
}

/* Does the word come behind `--json`? Its own place in a command's arguments is wherever they may end. */
static bool is_json_file(const char *line, size_t start)
{
	const size_t n = strlen(json_option);
	while (start && (line[start - 1] == ' ' || line[start - 1] == '\t'))
		start--;
	return start > n && !strncmp(line + start - n, json_option, n);
}

static void add_info_arguments(struct interpreter *in, struct candidates *c, const char *subject, size_t n)
{
	static const struct {
		const char *subject;
		enum complete_kind names;
	} rows[] = {
		{"line", NAMES_LOCATION},	      {"scope", NAMES_LOCATION},
		{"lanes", NAMES_EXPRESSION},    {"symbol", NAMES_EXPRESSION},
		{"address", NAMES_EXPRESSION},  {"registers", NAMES_REGISTERS},
		{"functions", NAMES_FUNCTIONS},
	};
	struct text why = {0};
	const struct info_row *row = info_find(info_rows, info_n, subject, n, &why);
	text_free(&why);
	for (size_t i = 0; row && i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].subject, row->name))
			complete_names(in->dbg, rows[i].names, c->word, c->n_word, add_name, c);
	if (row)
		add_subject_words(c, row->name);
	if (!row || strcmp(row->name, "cuda"))
		return;
	if (strpbrk(subject + n + strspn(subject + n, " \t"), " \t")) { /* after the table's name */
		add_words(c, "kernel block thread sm warp lane");
		return;
	}
	for (size_t i = 0; i < info_cuda_n; i++)
		add_if(c, info_cuda_rows[i].name);
}

/* Where the second word of the line begins. */
static const char *second_word(const char *line)
{
	line += strspn(line, " \t");
	line += strcspn(line, " \t");
	return line + strspn(line, " \t");
}

static void add_info(struct interpreter *in, struct candidates *c, const char *line, size_t start)
{
	const char *subject = second_word(line);
	if (subject < line + start) {
		add_info_arguments(in, c, subject, strcspn(subject, " \t/"));
		return;
	}
	for (size_t i = 0; i < info_n; i++)
		add_if(c, info_rows[i].name);
	for (size_t i = 0; i < info_own_n; i++)
		add_if(c, info_own_rows[i].name);
}

/* Adds the settings' names, or behind a setting's first word, `set print `, what may follow it. */
static void add_settings(struct candidates *c, const char *first, size_t n)
{
	for (unsigned i = 0; i < SETTINGS; i++) {
		const char *name = setting_rows[i].name;
		if (!n)
			add_if(c, name);
		else if (!strncmp(name, first, n) && name[n] == '-')
			add_if(c, name + n + 1);
	}
}

/* Of `show`: settings, and what the session has gathered. */
static void add_show(struct interpreter *in, struct candidates *c, const char *line, size_t start)
{
	const char *first = second_word(line);
	add_settings(c, first, first >= line + start ? 0 : strcspn(first, " \t"));
	if (first >= line + start) {
		add_words(c, "convenience values version user commands");
	} else if (!strncmp(first, "user", 4)) {
		for (size_t i = 0; i < in->n_user; i++)
			add_if(c, in->user[i].name);
	}
}

/* After a setting's name the words it may be; else names of settings, and of what can be assigned to. */
static void add_set(struct interpreter *in, struct candidates *c, const char *line, size_t start)
{
	const char *first = second_word(line);
	size_t n = strcspn(first, " \t");
	for (unsigned i = 0; first < line + start && i < SETTINGS; i++)
		if (strlen(setting_rows[i].name) == n && !memcmp(setting_rows[i].name, first, n)) {
			add_words(c, strchr(setting_rows[i].kind, '|') ? setting_rows[i].kind : "");
			return;
		}
	add_settings(c, first, first >= line + start ? 0 : n);
	complete_names(in->dbg, NAMES_EXPRESSION, c->word, c->n_word, add_name, c);
}

static void add_breakpoints(struct interpreter *in, struct candidates *c)
{
	char number[16];
	for (size_t i = 0; i < breakpoint_count(in->dbg); i++) {
		snprintf(number, sizeof number, "%u", breakpoint_at(in->dbg, i)->number);
		add_if(c, number);
	}
}

/* `core[0].wa`, `list->ne`: the library's word begins after the last [ or >, what is meant before it. */
struct cut {
	struct candidates *c;
	size_t n;
};

static void add_cut(void *self, const char *name)
{
	const struct cut *cut = self;
	add_if(cut->c, name + cut->n);
}

static void add_fields(struct interpreter *in, struct candidates *c, const char *line, size_t start)
{
	size_t first = start;
	while (first && (isalnum((unsigned char)line[first - 1]) || strchr("_.[]->:", line[first - 1])))
		first--;
	struct cut cut = {c, start - first};
	struct text prefix = {0};
	text_addn(&prefix, line + first, start - first);
	text_add(&prefix, c->word);
	complete_members(in->dbg, text_str(&prefix), prefix.n, add_cut, &cut);
	if (first < start)
		complete_fields(in->dbg, text_str(&prefix), prefix.n, add_cut, &cut);
	text_free(&prefix);
}

/* After the `if` of a breakpoint an expression follows. */
static bool has_condition(const char *line, size_t start)
{
	const char *condition = strstr(line, " if ");
	return condition && condition + 4 <= line + start;
}

/* After a buffer's name its type, after the = what it begins with. */
static void add_buffer(struct interpreter *in, struct candidates *c, const char *line, size_t start)
{
	const char *equals = strchr(line, '=');
	if (equals && equals < line + start) {
		add_words(c, "zero fill iota random file");
		if (strstr(equals, "file "))
			add_files(c);
	} else if (second_word(line) < line + start) {
		complete_names(in->dbg, NAMES_TYPES, c->word, c->n_word, add_name, c);
	}
}

/* Behind the event of a catchpoint. */
static void add_event(struct interpreter *in, struct candidates *c, const char *event)
{
	if (!strncmp(event, "divergence ", 11))
		add_words(c, "after");
	else if (!strncmp(event, "kernel ", 7))
		complete_names(in->dbg, NAMES_KERNELS, c->word, c->n_word, add_name, c);
}

/* Commands whose arguments are words of a kind of their own. False: names follow (add_named). */
static bool add_kind(struct interpreter *in, struct candidates *c, const struct command *command, const char *line,
		     size_t start)
{
	switch (command->complete) {
	case COMPLETE_NONE: break;
	case COMPLETE_FILE: add_files(c); break;
	case COMPLETE_TYPE: add_buffer(in, c, line, start); break;
	case COMPLETE_COMMAND: add_commands(in, c); break;
	case COMPLETE_INFO: add_info(in, c, line, start); break;
	case COMPLETE_SETTING: add_show(in, c, line, start); break;
	case COMPLETE_SET: add_set(in, c, line, start); break;
	case COMPLETE_BREAKPOINT:
		add_breakpoints(in, c);
		if (command->own == command_enable || command->own == command_disable)
			add_words(c, command->own == command_enable ? "display once delete" : "display");
		break;
	case COMPLETE_FOCUS: add_words(c, "uid thread block warp lane core sm kernel device grid"); break;
	case COMPLETE_CATCH:
		if (second_word(line) < line + start)
			add_event(in, c, second_word(line));
		else
			add_words(c, "launch exit barrier exception divergence atomic load unload kernel api");
		break;
	case COMPLETE_DIFF_LAUNCH: add_words(c, "functional performance schedule"); break;
	case COMPLETE_DUMP: add_dump(in, c, line); break;
	case COMPLETE_STATS: add_words(c, "summary reset --json --lines --list"); break;
	case COMPLETE_DIAGRAM: add_words(c, "compact warp cycle core on off auto"); break;
	case COMPLETE_TRACE:
		add_words(c, dump_trace_streams);
		add_words(c, "request on off core");
		break;
	default: return false;
	}
	return true;
}

/* Names of the program, and the words that may be there too. */
static void add_named(struct interpreter *in, struct candidates *c, const struct command *command, const char *line,
		      size_t start)
{
	enum complete_kind names = NAMES_EXPRESSION;
	if (command->complete == COMPLETE_FRAME) {
		add_words(c, second_word(line) < line + start ? "" : "level function apply");
		names = NAMES_FUNCTIONS;
	} else if (command->complete == COMPLETE_LOCATION && !has_condition(line, start)) {
		add_words(c, "if thread block warp");
		names = NAMES_LOCATION;
	} else if (command->complete == COMPLETE_KERNEL) {
		names = NAMES_KERNELS;
	} else if (command->complete == COMPLETE_BUFFER) {
		add_words(c, command->own == command_save ? "breakpoints" : "");
		names = NAMES_BUFFERS;
	} else if (command->complete == COMPLETE_WHY) {
		add_words(c, why_words);
	}
	const bool is_member =
		names == NAMES_EXPRESSION && start > 1 && line[start - 2] == '-' && line[start - 1] == '>';
	if (!is_member)
		complete_names(in->dbg, names, c->word, c->n_word, add_name, c);
	if (names == NAMES_EXPRESSION)
		add_fields(in, c, line, start);
	if (command->complete == COMPLETE_KERNEL && strchr(line, '('))
		complete_names(in->dbg, NAMES_BUFFERS, c->word, c->n_word, add_name, c);
}

/* ---- where the word at hand begins ---- */

/* Returns whether the words of a command's arguments are expressions or have some in them at this place: then they end at operators. */
static bool has_expression(const struct command *command, const char *line, size_t start, const char *word)
{
	if (!command || !strncmp(word, "--", 2))
		return false;
	switch (command->complete) {
	case COMPLETE_LOCATION:
	case COMPLETE_FRAME: return has_condition(line, start);
	case COMPLETE_SET: return second_word(line) < line + start || strpbrk(word, "[(.");
	case COMPLETE_INFO: return second_word(line) < line + start && strncmp(second_word(line), "config", 6);
	case COMPLETE_FILE:
	case COMPLETE_COMMAND:
	case COMPLETE_SETTING:
	case COMPLETE_BREAKPOINT:
	case COMPLETE_DUMP:
	case COMPLETE_STATS:
	case COMPLETE_TYPE:
	case COMPLETE_TRACE: return false;
	default: return true;
	}
}

/* Returns the length of what stands in a blank-free word in front of the name that is to be completed. */
static size_t before_name(const struct command *command, const char *line, size_t start, const char *word)
{
	static const char operators[] = "\"'><=;|&(,*+-/!~^?[";
	const char *const ends = has_expression(command, line, start, word) ? operators
				 : command && command->complete == COMPLETE_LOCATION ? "\"'*"
										     : "\"'";
	size_t n = strlen(word);
	while (n && !strchr(ends, word[n - 1]))
		n--;
	return n;
}

char **command_completions(struct interpreter *in, const char *line, size_t start, const char *word)
{
	size_t blanks = strspn(line, " \t"), n = 0;
	const char *name = line + blanks;
	while (isalnum((unsigned char)name[n]) || name[n] == '_' || (n && name[n] == '-'))
		n++;
	struct candidates c = {.word = word, .n_word = strlen(word)};
	if (start <= blanks + n) {
		add_commands(in, &c);
		return c.v;
	}
	struct text why = {0};
	const struct command *command = command_find(in, name, n, &why);
	text_free(&why);
	const bool is_file = command && is_json_file(line, start);
	c.before = word;
	c.n_before = is_file ? 0 : before_name(command, line, start, word);
	c.word += c.n_before;
	c.n_word -= c.n_before;
	start += c.n_before;
	if (is_file) {
		add_files(&c);
		return c.v;
	}
	if (command && !command->is_script && *c.word == '-')
		add_if(&c, json_option);
	if (command && !add_kind(in, &c, command, line, start))
		add_named(in, &c, command, line, start);
	return c.v;
}

/* What the line would be with each candidate, as gdb's command prints it. */
bool command_complete(struct interpreter *in, const char *args)
{
	size_t start = strlen(args);
	while (start && !isspace((unsigned char)args[start - 1]))
		start--;
	char **found = command_completions(in, args, start, args + start);
	for (size_t i = 0; found && found[i]; i++) {
		interpreter_printf(in, "%.*s%s\n", (int)start, args, found[i]);
		free(found[i]);
	}
	free(found);
	return true;
}
