/* The table of statistics, and what is asked of it by name. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"
#include "gpu/statistics/statistics_internal.h"

#define PERF false
#define BOTH true
#define AT(field) offsetof(struct statistics, field)
#define COUNT(NAME, BEFORE, FIELD, MODE, SCOPE, HELP) \
	{.kind = STATISTIC_COUNT, \
	 .name = NAME, \
	 .before = BEFORE, \
	 .part = AT(FIELD), \
	 .functional = MODE, \
	 .scope = SCOPE, \
	 .help = HELP},
#define RATIO(NAME, PART, WHOLE, SCOPE, HELP) \
	{.kind = STATISTIC_RATIO, .name = NAME, .part = AT(PART), .whole = AT(WHOLE), .scope = SCOPE, .help = HELP},
#define UNUSED(NAME, BEFORE, INSTEAD, HELP) \
	{.kind = STATISTIC_UNUSED, \
	 .name = NAME, \
	 .before = BEFORE, \
	 .part = AT(d.zero), \
	 .instead = INSTEAD, \
	 .help = HELP},
#define EMPTY(NAME, INSTEAD, HELP) {.kind = STATISTIC_EMPTY, .name = NAME, .instead = INSTEAD, .help = HELP},
#define PART(NAME, FIELD, HELP) {.kind = STATISTIC_PART, .name = NAME, .part = AT(FIELD), .help = HELP},
#define PART_RATIO(NAME, PART, WHOLE, HELP) \
	{.kind = STATISTIC_PART_RATIO, .name = NAME, .part = AT(PART), .whole = AT(WHOLE), .help = HELP},
#define LATENCY_MEAN(NAME, PART, WHOLE, INSTEAD, HELP) \
	{.kind = STATISTIC_PART_MEAN, \
	 .name = NAME, \
	 .part = AT(PART), \
	 .whole = AT(WHOLE), \
	 .is_latency = true, \
	 .instead = INSTEAD, \
	 .help = HELP},
#define LATENCY(NAME, FIELD, HELP) \
	{.kind = STATISTIC_MAXIMUM, \
	 .name = NAME, \
	 .part = AT(FIELD), \
	 .scope = SCOPE_TOTAL, \
	 .is_latency = true, \
	 .help = HELP},
#define MAXIMUM(NAME, FIELD, HELP) \
	{.kind = STATISTIC_MAXIMUM, .name = NAME, .part = AT(FIELD), .scope = SCOPE_TOTAL, .help = HELP},
#define BLOCK(NAME, PRINT, HELP) {.kind = STATISTIC_BLOCK, .name = NAME, .print = PRINT, .help = HELP},
#define HOST(NAME, PRINT, HELP) {.kind = STATISTIC_HOST, .name = NAME, .print = PRINT, .help = HELP},
#define FAMILY(NAME, EACH, HELP) {.kind = STATISTIC_FAMILY, .name = NAME, .each = EACH, .help = HELP},
const struct statistic_row statistic_rows[] = {
#include "gpu/statistics/statistics.def"
};
const size_t statistic_rows_n = sizeof statistic_rows / sizeof *statistic_rows;

static uint64_t at(const struct statistics *s, size_t place)
{
	uint64_t v;
	memcpy(&v, (const char *)s + place, sizeof v);
	return v;
}

static double ratio(const struct statistic_row *r, const struct statistics *s)
{
	return (double)at(s, r->part) / (double)at(s, r->whole);
}

static void give_ratio(const struct statistic_row *r, const struct statistics *s, statistic_fn *fn, void *self)
{
	const uint64_t whole = at(s, r->whole);
	if (!whole)
		return;
	if (r->kind == STATISTIC_PART_MEAN)
		fn(self, r->name, (struct statistic_value){.whole = true, .n = at(s, r->part) / whole});
	else
		fn(self, r->name, (struct statistic_value){.real = ratio(r, s)});
}

static bool is_ratio(const struct statistic_row *r)
{
	return r->kind == STATISTIC_RATIO || r->kind == STATISTIC_PART_RATIO || r->kind == STATISTIC_PART_MEAN;
}

/* ---- the printout ---- */

static void print_row(struct gpu *g, const struct statistic_row *r, const struct statistics *s, struct text *out)
{
	if (r->kind == STATISTIC_COUNT || r->kind == STATISTIC_UNUSED) {
		if (r->before)
			text_add(out, r->before);
		else
			text_addf(out, "%s = ", r->name);
		text_addf(out, "%" PRIu64 "\n", at(s, r->part));
	} else if (r->kind == STATISTIC_RATIO) {
		if (at(s, r->whole))
			/* in GPGPU-Sim's precision */
			text_addf(out, "%s = %12.4f\n", r->name,
				  (double)((float)at(s, r->part) / (float)at(s, r->whole)));
		else
			text_addf(out, "%s = %12s\n", r->name, "nan");
	} else if (r->kind == STATISTIC_BLOCK) {
		r->print(g, out);
	}
}

/* What a textbook core counts besides cycles and instructions. */
static bool is_in_textbook(const struct statistic_row *r)
{
	static const char *const names[] = {"gpu_ipc", "gpu_tot_ipc", "gpgpu_n_tot_thrd_icount", "warp_issue", "Warp Occupancy Distribution"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (!strcmp(r->name, names[k]))
			return true;
	return false;
}

/* Returns whether a launch in a mode has a row. */
static bool is_of_mode(const struct gpu *g, const struct statistic_row *r, bool performance)
{
	if (r->functional || !performance)
		return r->functional;
	return !g->machine || !g->machine->config->core.textbook.is_on || is_in_textbook(r);
}

static bool has_row(const struct gpu *g, const struct statistic_row *r) { return is_of_mode(g, r, gpu_counts_performance(g)); }

void gpu_statistics_print(struct gpu *g, struct text *out)
{
	struct statistics s;
	struct gpu_mode_view look;
	gpu_mode_view_begin(g, &look);
	statistics_collect(g, &s);
	for (size_t i = 0; i < statistic_rows_n; i++)
		if (has_row(g, &statistic_rows[i]))
			print_row(g, &statistic_rows[i], &s, out);
	gpu_mode_view_end(g, &look);
}

/* ---- figures ---- */

static void give(const struct statistic_row *r, const struct statistics *s, statistic_fn *fn, void *self)
{
	if (r->kind == STATISTIC_FAMILY)
		r->each(s, fn, self);
	else if (is_ratio(r))
		give_ratio(r, s, fn, self);
	else if (!r->print && r->kind != STATISTIC_EMPTY)
		fn(self, r->name, (struct statistic_value){.whole = true, .n = at(s, r->part)});
}

static void each_of_network(struct gpu *g, statistic_fn *fn, void *self)
{
	struct text printed = {0};
	statistics_print_network(g, &printed);
	statistics_each_of_network(text_str(&printed), fn, self);
	text_free(&printed);
}

static void each_of_launch(struct gpu *g, uint32_t launch, statistic_fn *fn, void *self)
{
	struct statistics s;
	if (!statistics_of_launch(g, launch, &s))
		return;
	const bool performance = gpu_launch_at(g, launch)->performance;
	for (size_t i = 0; i < statistic_rows_n; i++) {
		const struct statistic_row *r = &statistic_rows[i];
		if (is_of_mode(g, r, performance) && r->scope == SCOPE_ANY)
			give(r, &s, fn, self);
	}
}

void gpu_statistics_each(struct gpu *g, uint32_t launch, statistic_fn *fn, void *self)
{
	struct statistics s;
	struct gpu_mode_view look;
	if (launch != STATISTICS_TOTAL) {
		each_of_launch(g, launch, fn, self);
		return;
	}
	gpu_mode_view_begin(g, &look);
	statistics_collect(g, &s);
	for (size_t i = 0; i < statistic_rows_n; i++)
		if (has_row(g, &statistic_rows[i]))
			give(&statistic_rows[i], &s, fn, self);
	if (g->perf && g->perf->timing.icnt)
		each_of_network(g, fn, self);
	gpu_mode_view_end(g, &look);
}

/* ---- by name ---- */

/* Names have brackets in them, which mean something else in a glob. */
static bool matches(const char *pattern, const char *name)
{
	return !strcmp(pattern, name) || !fnmatch(pattern, name, FNM_CASEFOLD);
}

struct found {
	const char *pattern;
	struct text *out;
	bool any;
};

static void print_found(void *self, const char *name, struct statistic_value v)
{
	struct found *f = self;
	if (!matches(f->pattern, name))
		return;
	f->any = true;
	if (v.whole)
		text_addf(f->out, "%s = %" PRIu64 "\n", name, v.n);
	else
		text_addf(f->out, "%s = %.4f\n", name, v.real);
}

/* Characters of a line's name: what stands before " = ", "=" or ":". */
static size_t name_length(const char *line)
{
	size_t n = strcspn(line, "=:\n");
	if (line[n] != '=' && line[n] != ':')
		return 0;
	while (n && line[n - 1] == ' ')
		n--;
	return n;
}

/* Figures that the table has, too, are printed by print_found. */
static bool is_figure(const char *name)
{
	for (size_t i = 0; i < statistic_rows_n; i++)
		if (!statistic_rows[i].print && statistic_rows[i].kind != STATISTIC_EMPTY &&
		    !strcmp(statistic_rows[i].name, name))
			return true;
	return strstr(name, "_breakdown") != NULL;
}

static void find_lines(struct found *f, const char *block)
{
	char name[128];
	for (const char *line = block; *line;) {
		const char *next = line + strcspn(line, "\n") + 1;
		line += strspn(line, "\t ");
		size_t n = name_length(line);
		if (n && n < sizeof name) {
			memcpy(name, line, n);
			name[n] = '\0';
			if (!is_figure(name) && matches(f->pattern, name)) {
				text_addn(f->out, line, (size_t)(next - line));
				f->any = true;
			}
		}
		line = next;
	}
}

static void find_in_block(struct gpu *g, const struct statistic_row *r, struct found *f)
{
	struct text block = {0};
	if (r->kind == STATISTIC_HOST && strcmp(f->pattern, r->name))
		return; /* differs from run to run: by its name only */
	r->print(g, &block);
	if (matches(f->pattern, r->name)) {
		text_add(f->out, text_str(&block));
		f->any = true;
	} else {
		find_lines(f, text_str(&block));
	}
	text_free(&block);
}

bool gpu_statistics_find(struct gpu *g, const char *pattern, struct text *out)
{
	struct found f = {.pattern = pattern, .out = out};
	struct statistics s;
	struct gpu_mode_view look;
	gpu_mode_view_begin(g, &look);
	statistics_collect(g, &s);
	for (size_t i = 0; i < statistic_rows_n; i++) {
		const struct statistic_row *r = &statistic_rows[i];
		if (!has_row(g, r))
			continue;
		if (r->print)
			find_in_block(g, r, &f);
		else
			give(r, &s, print_found, &f);
	}
	gpu_mode_view_end(g, &look);
	return f.any;
}

/* ---- what has no value, or one to be explained ---- */

static bool counts_instructions(const struct statistic_row *r)
{
	static const char *const names[] = {"gpu_sim_insn", "gpu_tot_sim_insn", "gpu_ipc", "gpu_tot_ipc", "gpgpu_n_tot_w_icount", "gpgpu_n_tot_thrd_icount"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (!strcmp(r->name, names[k]))
			return true;
	return false;
}

static bool add_note(const struct gpu *g, const struct statistic_row *r, const struct statistics *s, struct text *out)
{
	if (r->is_latency && !config_int(g->config, "gpgpu_memlatency_stat"))
		text_addf(
			out,
			"%s isn't counted: -gpgpu_memlatency_stat is 0 here, -o '-gpgpu_memlatency_stat 14' counts it",
			r->name);
	else if (r->kind == STATISTIC_UNUSED || r->kind == STATISTIC_EMPTY)
		text_addf(out, "%s is always 0: %s; %s", r->name, r->help, r->instead);
	else if (counts_instructions(r) && s->n.core.repeated_insns)
		text_addf(out,
			  "%s is GPGPU-Sim 4.2's: a load of several registers that hits the L1 counts once for each. Without the repetitions there are "
			  "%" PRIu64 " instructions of threads, %" PRIu64 " of warps",
			  r->name, s->n.insns - s->n.core.repeated_insns, s->n.core.warp_icount - s->n.core.repeated_warps);
	else if (is_ratio(r) && !at(s, r->whole))
		text_addf(out, "%s has no value yet: %s", r->name,
			  r->instead ? r->instead : "nothing was counted that it is a share of");
	else
		return false;
	return true;
}

/* The row of that name, or the only one that a glob fits. */
static const struct statistic_row *only_row(const struct gpu *g, const char *pattern)
{
	const struct statistic_row *only = NULL;
	bool several = false;
	for (size_t i = 0; i < statistic_rows_n; i++) {
		const struct statistic_row *r = &statistic_rows[i];
		if (!has_row(g, r) || !matches(pattern, r->name))
			continue;
		if (!strcmp(pattern, r->name))
			return r;
		several |= only != NULL;
		only = r;
	}
	return several ? NULL : only;
}

bool gpu_statistics_note(struct gpu *g, const char *pattern, struct text *out)
{
	struct statistics s;
	const struct statistic_row *r = only_row(g, pattern);
	if (!r)
		return false;
	struct gpu_mode_view look;
	gpu_mode_view_begin(g, &look);
	statistics_collect(g, &s);
	gpu_mode_view_end(g, &look);
	return add_note(g, r, &s, out);
}

/* ---- one figure ---- */

struct wanted {
	const char *name;
	struct statistic_value value;
	bool found;
};

static void compare(void *self, const char *name, struct statistic_value v)
{
	struct wanted *w = self;
	if (w->found || strcmp(w->name, name))
		return;
	w->value = v;
	w->found = true;
}

/* Families leave out what is 0: such a name is one that they have when everything has been counted. */
static bool is_in_family(const struct gpu *g, const char *name)
{
	struct wanted w = {.name = name};
	struct statistics full;
	memset(&full, 1, sizeof full);
	full.warp_threads = g->device.warp_threads;
	for (size_t i = 0; i < statistic_rows_n; i++)
		if (statistic_rows[i].kind == STATISTIC_FAMILY &&
		    has_row(g, &statistic_rows[i]))
			statistic_rows[i].each(&full, compare, &w);
	return w.found;
}

static enum statistic_is get_named(struct gpu *g, const char *name, struct statistic_value *out)
{
	struct wanted w = {.name = name};
	gpu_statistics_each(g, STATISTICS_TOTAL, compare, &w);
	if (!w.found)
		w.value = (struct statistic_value){.whole = true};
	*out = w.value;
	if (w.found || is_in_family(g, name))
		return STATISTIC_IS_THERE;
	for (size_t i = 0; i < statistic_rows_n; i++)
		if (is_ratio(&statistic_rows[i]) && !strcmp(statistic_rows[i].name, name) &&
		    has_row(g, &statistic_rows[i]))
			return STATISTIC_IS_EMPTY;
	return STATISTIC_IS_UNKNOWN;
}

enum statistic_is gpu_statistic_get(struct gpu *g, const char *name, struct statistic_value *out)
{
	struct text overall = {0};
	enum statistic_is is = get_named(g, name, out);
	if (is == STATISTIC_IS_UNKNOWN) { /* as the printout's last section shows it, without its heading */
		text_addf(&overall, "Overall %s", name);
		is = get_named(g, text_str(&overall), out);
	}
	text_free(&overall);
	return is;
}

/* ---- the table itself ---- */

void gpu_statistics_suggest(const struct gpu *g, const char *name, const char *besides, struct text *out)
{
	char *words = xstrdup(besides), *rest = NULL;
	struct nearest near;
	nearest_begin(&near, name, strlen(name));
	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		nearest_add(&near, w);
	for (size_t i = 0; i < statistic_rows_n; i++)
		if (has_row(g, &statistic_rows[i]))
			nearest_add(&near, statistic_rows[i].name);
	nearest_suggest(&near, out);
	free(words);
}

static const char *kind_of(const struct statistic_row *r)
{
	switch (r->kind) {
	case STATISTIC_RATIO:
	case STATISTIC_PART_RATIO: return "ratio";
	case STATISTIC_PART_MEAN: return "mean";
	case STATISTIC_UNUSED:
	case STATISTIC_EMPTY: return "always 0";
	case STATISTIC_MAXIMUM: return "maximum";
	case STATISTIC_BLOCK: return "block of lines";
	case STATISTIC_FAMILY: return "counts";
	case STATISTIC_HOST: return "host";
	default: return "count";
	}
}

bool gpu_statistics_list(const char *pattern, void (*fn)(void *self, const struct statistic_meaning *m), void *self)
{
	bool any = false;
	for (size_t i = 0; i < statistic_rows_n; i++) {
		const struct statistic_row *r = &statistic_rows[i];
		if (*pattern && !matches(pattern, r->name))
			continue;
		fn(self, &(struct statistic_meaning){r->name, kind_of(r), r->help, r->instead});
		any = true;
	}
	return any;
}
