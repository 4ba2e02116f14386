/* `info config`. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/config/config_internal.h"

static const char *default_text(const struct config *c, const struct config_option *o)
{
	const char *first = c->baseline == 4 ? o->default_v4 : o->default_v3;
	const char *d = first ? first : c->baseline == 4 ? o->default_v3 : o->default_v4;
	return d && *d ? d : "(none)";
}

static void print_place(const struct config *c, int row, struct text *out)
{
	const struct config_value *v = &c->values[row];
	if (!v->text)
		text_add(out, "default");
	else if (v->file)
		text_addf(out, "%s:%u", v->file, v->line);
	else
		text_add(out, "command line");
}

/* Returns whether only the other baseline knows an option, which then has no value. */
static bool is_of_other(const struct config *c, int row)
{
	return config_options[row].origin == (c->baseline == 4 ? CONFIG_V3 : CONFIG_V4) && !c->values[row].text;
}

bool config_row(const struct config *c, unsigned i, struct config_row *out)
{
	if (i >= config_option_count)
		return false;
	const struct config_option *o = &config_options[i];
	const struct config_value *v = &c->values[i];
	const char *value = config_text(c, (int)i);
	*out = (struct config_row){.name = o->name,
				   .value = is_of_other(c, (int)i) ? NULL : *value ? value : "(none)",
				   .default_value = default_text(c, o),
				   .help = o->help,
				   .is_set = v->text != NULL,
				   .file = v->text ? v->file : NULL,
				   .line = v->text && v->file ? v->line : 0};
	return true;
}

static void print_one(const struct config *c, int row, struct text *out)
{
	static const char *const origin[] = {"GPGPU-Sim 3.x and 4.x", "GPGPU-Sim 3.x", "GPGPU-Sim 4.x", "warpstep",
					     "power model, without effect"};
	const struct config_option *o = &config_options[row];
	const char *value = config_text(c, row);
	text_addf(out, "-%s\n  %s\n  value: %s, set by: ", o->name, o->help, *value ? value : "(none)");
	print_place(c, row, out);
	struct text meaning = {0};
	config_explain(c, row, &meaning);
	if (meaning.n)
		text_addf(out, "\n  which is: %s", text_str(&meaning));
	text_free(&meaning);
	text_addf(out, "\n  default: %s\n", default_text(c, o));
	if (o->kind == CONFIG_INT || o->kind == CONFIG_SIZE)
		text_addf(out, "  range: %lld to %lld\n", (long long)o->least, (long long)o->most);
	text_addf(out, "  known to: %s\n", origin[o->origin]);
}

static void print_row(const struct config *c, int row, struct text *out)
{
	const struct config_option *o = &config_options[row];
	const char *value = config_text(c, row);
	const bool other = is_of_other(c, row);
	text_addf(out, "-%-46s %-34s %-34s ", o->name, other ? "-" : *value ? value : "(none)", default_text(c, o));
	if (other)
		text_addf(out, "not in %s", c->baseline == 4 ? "4.2" : "3.2.2");
	else
		print_place(c, row, out);
	text_addf(out, " # %s\n", o->help);
}

static bool print_matching(const struct config *c, const char *glob, struct text *out)
{
	bool any = false;
	for (unsigned i = 0; i < config_option_count; i++)
		if (!fnmatch(glob, config_options[i].name, FNM_CASEFOLD)) {
			print_row(c, (int)i, out);
			any = true;
		}
	return any;
}

bool config_print(const struct config *c, const char *name, struct text *out)
{
	if (name && *name) {
		name += *name == '-';
		if (strpbrk(name, "*?["))
			return print_matching(c, name, out);
		int row = config_option_find(name, strlen(name));
		if (row < 0)
			return false;
		print_one(c, row, out);
		return true;
	}
	text_addf(out, "Configuration, with the defaults of GPGPU-Sim %s. Option, value, default, where set # what it is:\n",
		  c->baseline == 4 ? "4.2" : "3.2.2");
	for (unsigned i = 0; i < config_option_count; i++)
		print_row(c, (int)i, out);
	return true;
}
