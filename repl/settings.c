/* `set NAME VALUE`, `show NAME`: the session's settings, from the table settings.def. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"
#include "repl/answer.h"
#include "repl/repl.h"
#include "repl/settings.h"

#define ON_OFF "on|off"
#define NUMBER "number"
#define TEXT "text"
const struct repl_setting_row repl_setting_rows[REPL_SETTINGS] = {
#define SETTING(id, name, reach, kind, value, help) {name, reach, kind, value, help},
#include "repl/settings.def"
};

void repl_settings_init(struct repl *r)
{
	for (unsigned i = 0; i < REPL_SETTINGS; i++)
		r->settings[i] = xstrdup(repl_setting_rows[i].value);
}

void repl_settings_free(struct repl *r)
{
	for (unsigned i = 0; i < REPL_SETTINGS; i++)
		free(r->settings[i]);
}

const char *repl_setting(const struct repl *r, enum repl_setting_id id) { return r->settings[id]; }
long repl_setting_int(const struct repl *r, enum repl_setting_id id) { return strtol(r->settings[id], NULL, 0); }
bool repl_setting_on(const struct repl *r, enum repl_setting_id id) { return !strcmp(r->settings[id], "on"); }

/* Exact name or unique prefix; -1 if none. */
static int setting_find(const char *name, size_t n)
{
	int found = -1;
	for (unsigned i = 0; i < REPL_SETTINGS; i++) {
		const char *s = repl_setting_rows[i].name;
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
	bool whole = two >= 0 && !strcmp(repl_setting_rows[two].name,
					 text_str(&name)); /* auto-load safe-path: not auto-load's value */
	text_free(&name);
	if (one >= 0 && !whole)
		return one;
	*rest += more + strspn(*rest + more, " \t");
	return two;
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

bool repl_setting_set(struct repl *r, const char *text, bool *known)
{
	const char *value;
	int i = setting_at(text, &value);
	*known = i >= 0;
	if (i < 0)
		return false;
	const struct repl_setting_row *row = &repl_setting_rows[i];
	struct text what = {0};
	text_addf(&what, "set %s", row->name);
	const bool is_allowed = row->reach != REACH_HOST || repl_may_reach(r, text_str(&what));
	text_free(&what);
	if (!is_allowed)
		return false;
	const char *v = !*value && !strcmp(row->kind, ON_OFF) ? "on" : value;
	if (!strcmp(row->kind, ON_OFF))
		v = !strcmp(v, "1") || !strcmp(v, "yes") ? "on" : !strcmp(v, "0") || !strcmp(v, "no") ? "off" : v;
	if (!strcmp(row->kind, NUMBER) && !strcmp(v, "unlimited")) /* gdb's word */
		v = "0";
	if (!value_fits(row->kind, v))
		return repl_error(r, "set %s: bad value '%s', expected %s", row->name, value, row->kind);
	char *copy = xstrdup(v);
	free(r->settings[i]);
	r->settings[i] = copy;
	return true;
}

static void nearest_setting(struct nearest *near, const char *name, size_t n)
{
	nearest_begin(near, name, n);
	for (unsigned i = 0; i < REPL_SETTINGS; i++)
		nearest_add(near, repl_setting_rows[i].name);
}

bool repl_setting_unknown(struct repl *r, const char *text, const char *otherwise)
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
	repl_error(r, "%s", text_str(&why));
	text_free(&name);
	text_free(&why);
	return false;
}

/* Adds the `setting`, `value` and `help` of row i to the open object. */
static void describe_setting(const struct repl *r, unsigned i, struct report *answer)
{
	report_text(answer, "setting", repl_setting_rows[i].name);
	report_text(answer, "value", r->settings[i]);
	report_text(answer, "help", repl_setting_rows[i].help);
}

/* Shows the list `settings` of all. */
static void show_all(struct repl *r)
{
	struct report *const part = answer_part(r);
	report_list(part, "settings");
	for (unsigned i = 0; i < REPL_SETTINGS; i++) {
		report_open(part, NULL);
		describe_setting(r, i, part);
		report_line(part, *r->settings[i] ? "{setting:-18} {value:-24} {help}\n" : "{setting:-18} (empty)                  {help}\n");
		report_close(part);
	}
	report_close(part);
	answer_part_end(r, part);
}

bool repl_setting_show(struct repl *r, const char *name)
{
	const char *rest;
	if (!*name) {
		show_all(r);
		return true;
	}
	int i = setting_at(name, &rest);
	if (i < 0)
		return repl_setting_unknown(r, name, "; `show` lists them");
	if (*rest)
		return repl_error(r, "no setting '%s'; `show` lists them", name);
	struct report *const part = answer_part(r);
	describe_setting(r, (unsigned)i, part);
	report_line(part, "{setting} is \"{value}\": {help}\n");
	answer_part_end(r, part);
	return true;
}
