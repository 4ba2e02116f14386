/* `set NAME VALUE`, `show NAME`: the session's settings, from the table settings.def. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"

#define ON_OFF "on|off"
#define NUMBER "number"
#define TEXT "text"
const struct setting_row setting_rows[SETTINGS] = {
#define SETTING(id, name, reach, kind, value, help) {name, reach, kind, value, help},
#include "command/interpreter/settings.def"
};

void settings_create(struct interpreter *in)
{
	for (unsigned i = 0; i < SETTINGS; i++)
		in->settings[i] = xstrdup(setting_rows[i].value);
}

void settings_free(struct interpreter *in)
{
	for (unsigned i = 0; i < SETTINGS; i++)
		free(in->settings[i]);
}

const char *setting_text(const struct interpreter *in, enum setting_id id) { return in->settings[id]; }
long setting_number(const struct interpreter *in, enum setting_id id) { return strtol(in->settings[id], NULL, 0); }
bool setting_is_on(const struct interpreter *in, enum setting_id id) { return !strcmp(in->settings[id], "on"); }

void setting_replace(struct interpreter *in, enum setting_id id, const char *value)
{
	char *copy = xstrdup(value);
	free(in->settings[id]);
	in->settings[id] = copy;
}

/* Exact name or unique prefix; -1 if none. */
static int setting_find(const char *name, size_t n)
{
	int found = -1;
	for (unsigned i = 0; i < SETTINGS; i++) {
		const char *s = setting_rows[i].name;
		if (strncmp(s, name, n))
			continue;
		if (!s[n])
			return (int)i;
		found = found == -1 ? (int)i : -2;
	}
	return found < 0 ? -1 : found;
}

/* The setting whose name begins a text, -1 if there is none; *rest is what stands after it. As in gdb the name may be two words:
 * "print elements" for print-elements. */
static int setting_at(const char *text, const char **rest)
{
	size_t n = strcspn(text, " \t"), blanks = strspn(text + n, " \t"), more = strcspn(text + n + blanks, " \t");
	int one = setting_find(text, n);
	*rest = text + n + blanks;
	if (!more)
		return one;
	struct text name = {0};
	text_addn(&name, text, n);
	text_addc(&name, '-');
	text_addn(&name, *rest, more);
	int two = setting_find(text_str(&name), name.n);
	bool whole = two >= 0 && !strcmp(setting_rows[two].name,
					 text_str(&name)); /* auto-load safe-path: not auto-load's value */
	text_free(&name);
	if (one >= 0 && !whole)
		return one;
	*rest += more + strspn(*rest + more, " \t");
	return two;
}

bool setting_named(const char *text, enum setting_id *id)
{
	const char *rest;
	const int i = setting_at(text, &rest);
	if (i >= 0)
		*id = (enum setting_id)i;
	return i >= 0;
}

static bool word_in(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *s = list; s; s = strchr(s, '|') ? strchr(s, '|') + 1 : NULL)
		if (!strncmp(s, word, n) && (s[n] == '|' || !s[n]))
			return n > 0;
	return false;
}

static bool value_fits(const char *kind, const char *value)
{
	char *end;
	if (!strcmp(kind, TEXT))
		return true;
	if (strcmp(kind, NUMBER))
		return word_in(kind, value);
	return strtol(value, &end, 0) >= 0 && *value && !*end;
}

bool setting_set(struct interpreter *in, const char *text, bool *known)
{
	const char *value;
	int i = setting_at(text, &value);
	*known = i >= 0;
	if (i < 0)
		return false;
	const struct setting_row *row = &setting_rows[i];
	struct text what = {0};
	text_addf(&what, "set %s", row->name);
	const bool is_allowed = row->reach != REACH_HOST || interpreter_may_reach(in, text_str(&what));
	text_free(&what);
	if (!is_allowed)
		return false;
	const char *v = !*value && !strcmp(row->kind, ON_OFF) ? "on" : value;
	if (!strcmp(row->kind, ON_OFF))
		v = !strcmp(v, "1") || !strcmp(v, "yes") ? "on" : !strcmp(v, "0") || !strcmp(v, "no") ? "off" : v;
	if (!strcmp(row->kind, NUMBER) && !strcmp(v, "unlimited")) /* gdb's word */
		v = "0";
	if (!value_fits(row->kind, v))
		return interpreter_error(in, "set %s: bad value '%s', expected %s", row->name, value, row->kind);
	setting_replace(in, (enum setting_id)i, v);
	return true;
}

static void nearest_setting(struct nearest *near, const char *name, size_t n)
{
	nearest_begin(near, name, n);
	for (unsigned i = 0; i < SETTINGS; i++)
		nearest_add(near, setting_rows[i].name);
}

bool setting_unknown(struct interpreter *in, const char *text, const char *otherwise)
{
	struct nearest near, two;
	struct text name = {0}, why = {0};
	size_t n = strcspn(text, " \t"), blanks = strspn(text + n, " \t");
	text_addn(&name, text, n);
	nearest_setting(&near, text, n);
	if (text[n + blanks] && !nearest_meant(&near)) { /* gdb's way: print elements */
		text_addc(&name, '-');
		text_addn(&name, text + n + blanks, strcspn(text + n + blanks, " \t"));
		nearest_setting(&two, text_str(&name), name.n);
		near = two;
	}
	text_addf(&why, "no setting '%.*s'", nearest_meant(&near) ? (int)name.n : (int)n, text_str(&name));
	if (nearest_meant(&near))
		nearest_suggest(&near, &why);
	else
		text_add(&why, otherwise);
	interpreter_error(in, "%s", text_str(&why));
	text_free(&name);
	text_free(&why);
	return false;
}

/* Adds the `setting`, `value` and `help` of row i to the open object. */
static void describe_setting(const struct interpreter *in, unsigned i, struct report *answer)
{
	report_text(answer, "setting", setting_rows[i].name);
	report_text(answer, "value", in->settings[i]);
	report_text(answer, "help", setting_rows[i].help);
}

/* Shows the list `settings` of all. */
static void show_all(struct interpreter *in)
{
	struct report *const part = answer_part(in);
	report_list(part, "settings");
	for (unsigned i = 0; i < SETTINGS; i++) {
		report_open(part, NULL);
		describe_setting(in, i, part);
		report_line(part, *in->settings[i] ? "{setting:-18} {value:-24} {help}\n" : "{setting:-18} (empty)                  {help}\n");
		report_close(part);
	}
	report_close(part);
	answer_part_end(in, part);
}

bool setting_show(struct interpreter *in, const char *name)
{
	const char *rest;
	if (!*name) {
		show_all(in);
		return true;
	}
	int i = setting_at(name, &rest);
	if (i < 0)
		return setting_unknown(in, name, "; `show` lists them");
	if (*rest)
		return interpreter_error(in, "no setting '%s'; `show` lists them", name);
	struct report *const part = answer_part(in);
	describe_setting(in, (unsigned)i, part);
	report_line(part, "{setting} is \"{value}\": {help}\n");
	answer_part_end(in, part);
	return true;
}
