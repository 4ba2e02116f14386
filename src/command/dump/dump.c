/* `dp`, `dpc`, `dm`, `dicnt`: what is to be shown, and what has changed since it was last looked at. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/dump_internal.h"
#include "command/dump/machine_fields.h"
#include "command/state.h"
#include "debug/ground/scan.h"
#include "debug/stop/run.h"
#include "command/wrap.h"

/* The sections of `dp` in GPGPU-Sim's order: `first`, one for each kind of pipelined unit, `last`. `dp N unit NAME` takes any of the names. */
struct section {
	const char *names; /* blank separated, the first one is shown */
	dump_section_fn *print;
};
static const struct section first[] = {
	{"warps status", dump_warps},
	{"l1i icache", dump_l1i},
	{"fetch if", dump_fetch},
	{"ibuffer", dump_ibuffer},
	{"simt stack", dump_simt},
	{"scoreboard", dump_scoreboard},
	{"scheduler schedulers", dump_schedulers},
	{"barrier barriers blocks", dump_barriers},
	{"collector opcol", dump_collector},
	{"registers pipe", dump_pipe_regs},
};
static const struct section last[] = {
	{"ldst mem", dump_ldst},
	{"writeback wb other", dump_writeback},
	{"cluster", dump_cluster},
	/* parts of others that have lines of their own with --tags: shown by name only */
	{"l1d", dump_l1d},
	{"l1c", dump_l1c},
	{"l1t", dump_l1t},
};
#define N_CACHES 3u
#define N_FIRST (sizeof first / sizeof *first)
#define N_LAST (sizeof last / sizeof *last)
#define SECTIONS (N_FIRST + CORE_UNITS_MAX + N_LAST)

/* Returns whether section i is shown: by its name, or with all others unless it is a part of one of them. */
static bool is_shown(int asked, size_t i) { return asked < 0 ? i < SECTIONS - N_CACHES : (size_t)asked == i; }

/* Returns whether a textbook core has the part that a section shows. */
static bool is_in_textbook(dump_section_fn *print)
{
	static dump_section_fn *const has[] = {dump_warps, dump_simt, dump_scoreboard, dump_schedulers, dump_barriers};
	for (size_t k = 0; k < sizeof has / sizeof *has; k++)
		if (has[k] == print)
			return true;
	return false;
}

/* Returns the names of section i of a core. Returns NULL if the machine has no such unit, or if `k` is NULL. */
static const char *section_names(const struct core_config *k, size_t i)
{
	const struct core_model *m = k ? k->model : NULL;
	if (k && k->textbook.is_on)
		return i < N_FIRST && is_in_textbook(first[i].print) ? first[i].names : NULL;
	if (i < N_FIRST)
		return first[i].names;
	if (i >= N_FIRST + CORE_UNITS_MAX)
		return last[i - N_FIRST - CORE_UNITS_MAX].names;
	const uint32_t kind = (uint32_t)(i - N_FIRST);
	if (!m || kind >= core_model_ldst(m))
		return NULL;
	return m->units[kind].option ? m->units[kind].option : m->units[kind].name;
}

static void print_section(const struct dump_view *v, size_t i, struct text *out)
{
	if (i < N_FIRST)
		first[i].print(v, out);
	else if (i >= N_FIRST + CORE_UNITS_MAX)
		last[i - N_FIRST - CORE_UNITS_MAX].print(v, out);
	else
		dump_pipelines(v, (uint32_t)(i - N_FIRST), out);
}

/* Appends the first name of each section, with a blank before it. */
static void add_section_names(const struct core_config *m, struct text *out)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		const char *names = section_names(m, i);
		if (names)
			text_addf(out, " %.*s", (int)strcspn(names, " "), names);
	}
}

void dump_sections(const struct debug *d, struct text *out)
{
	const struct timing *t = gpu_timing(d->g);
	add_section_names(t ? &t->cfg->core : NULL, out);
}

/* What each core looked like when it was last dumped. */
struct dump_memory {
	bool seen;
	uint64_t cycle;
	char *text[SECTIONS];
};

/* Of each core as a whole, and of each of its warps alone. */
#define MEMORIES (CORE_WARPS_MAX + 1u)

void dump_seen_free(struct observer *l)
{
	for (uint32_t k = 0; l->seen && k < l->t->cfg->core.n_cores * MEMORIES; k++)
		for (size_t i = 0; i < SECTIONS; i++)
			free(l->seen[k].text[i]);
	free(l->seen);
	l->seen = NULL;
}

/* ---- arguments ---- */

struct timing *observer_machine(struct debug *d, const char *command, struct text *why)
{
	struct timing *t = gpu_machine_timing(d->g);
	if (!t)
		debug_fail(why, "%s needs the performance model: start with -m performance, or name launches with `simulate`", command);
	else
		observer_create(d);
	return t;
}

struct timing *observer_timing(struct debug *d, const char *command, struct text *why)
{
	struct timing *t = gpu_timing(d->g);
	if (t)
		observer_create(d);
	else if (gpu_machine_timing(d->g))
		debug_fail(why, "%s needs the performance model, and the device is in functional mode now", command);
	else
		debug_fail(why, "%s needs the performance model: start with -m performance, or name launches with `simulate`", command);
	return t;
}

bool dump_number(const char **s, const char *what, uint32_t n, uint32_t *out, struct text *why)
{
	uint64_t v;
	const char *at = scan_blanks(*s);
	if (!*at)
		return debug_fail(why, "the number of a %s is missing: 0 to %u", what, n - 1);
	if (!scan_u64(s, &v))
		return debug_fail(why, "a %s is a number from 0 to %u, not %.*s", what, n - 1, (int)strcspn(at, " \t"), at);
	if (v >= n)
		return debug_fail(why, n > 1 ? "there is no %s %llu: they are 0 to %u" : "there is no %s %llu, only %u", what,
				  (unsigned long long)v, n - 1);
	*out = (uint32_t)v;
	return true;
}

struct dp_request {
	uint32_t core, warp;
	bool has_warp, diff, tags;
	int section; /* -1: all */
};

static bool is_named(const char *names, const char *word, size_t n)
{
	for (const char *at = names; *at;) {
		size_t k = strcspn(at, " ");
		if (k == n && !strncmp(at, word, n))
			return true;
		at += k + (at[k] == ' ');
	}
	return false;
}

static bool take_section(const struct core_config *m, const char **s, struct dp_request *r, struct text *why)
{
	const char *word = scan_blanks(*s);
	size_t n = strcspn(word, " \t");
	for (size_t i = 0; n && i < SECTIONS; i++)
		if (section_names(m, i) && is_named(section_names(m, i), word, n)) {
			r->section = (int)i;
			*s = word + n;
			return true;
		}
	text_addf(why, n ? "no unit '%.*s'; there are" : "which unit? There are%.*s", (int)n, word);
	add_section_names(m, why);
	return false;
}

static bool parse_dp(const struct timing *t, const char *s, struct dp_request *r, struct text *why)
{
	*r = (struct dp_request){.section = -1};
	if (!dump_number(&s, "core", t->cfg->core.n_cores, &r->core, why))
		return false;
	for (s = scan_blanks(s); *s; s = scan_blanks(s)) {
		if (scan_word(&s, "warp")) {
			if (!dump_number(&s, "warp", t->cfg->core.n_warps, &r->warp, why))
				return false;
			r->has_warp = true;
		} else if (scan_word(&s, "unit")) {
			if (!take_section(&t->cfg->core, &s, r, why))
				return false;
		} else if (!strncmp(s, "--diff", 6) && (!s[6] || isspace((unsigned char)s[6]))) {
			r->diff = true;
			s += 6;
		} else if (!strncmp(s, "--tags", 6) && (!s[6] || isspace((unsigned char)s[6]))) {
			r->tags = true;
			s += 6;
		} else {
			return debug_fail(why, "usage: dp CORE [warp N] [unit NAME] [--diff] [--tags]");
		}
	}
	return true;
}

/* ---- differences, line by line ---- */

struct lines {
	const char **at;
	size_t *n, count;
};

static struct lines split(const char *text)
{
	struct lines l = {0};
	size_t n = 1;
	for (const char *s = text; *s; s++)
		n += *s == '\n';
	l.at = xcalloc(n, sizeof *l.at);
	l.n = xcalloc(n, sizeof *l.n);
	for (const char *s = text; *s;) {
		l.at[l.count] = s;
		l.n[l.count] = strcspn(s, "\n");
		s += l.n[l.count] + (s[l.n[l.count]] == '\n');
		l.count++;
	}
	return l;
}

static void free_lines(struct lines *l)
{
	free(l->at);
	free(l->n);
}

static bool same_line(const struct lines *a, size_t i, const struct lines *b, size_t j)
{
	return a->n[i] == b->n[j] && !memcmp(a->at[i], b->at[j], a->n[i]);
}

static void add_line(struct text *out, char sign, const struct lines *l, size_t i)
{
	text_addf(out, "%c %.*s\n", sign, (int)l->n[i], l->at[i]);
}

/* Longest common subsequence: length[i][j] of the lines from i and j on. */
static void difference(const char *before, const char *after, struct text *out)
{
	struct lines a = split(before), b = split(after);
	const size_t width = b.count + 1;
	uint32_t *length = xcalloc((a.count + 1) * width, sizeof *length);
	for (size_t i = a.count; i-- > 0;)
		for (size_t j = b.count; j-- > 0;) {
			uint32_t skip_a = length[(i + 1) * width + j], skip_b = length[i * width + j + 1];
			length[i * width + j] = same_line(&a, i, &b, j) ? length[(i + 1) * width + j + 1] + 1
							   : skip_a > skip_b ? skip_a : skip_b;
		}
	size_t i = 0, j = 0;
	while (i < a.count || j < b.count) {
		if (i < a.count && j < b.count && same_line(&a, i, &b, j)) {
			i++;
			j++;
		} else if (i < a.count && (j == b.count || length[(i + 1) * width + j] >= length[i * width + j + 1])) {
			add_line(out, '-', &a, i++);
		} else {
			add_line(out, '+', &b, j++);
		}
	}
	free(length);
	free_lines(&a);
	free_lines(&b);
}

/* Appends what has changed in the sections since a view was last shown, whose texts are m->text. */
static void add_difference(const struct dump_view *v, const struct dp_request *r, const struct dump_memory *m, struct text now[SECTIONS],
			   struct text *out)
{
	const uint64_t cycle = gpu_cycle(v->d->g);
	struct text same = {0};
	text_addf(out, "core %u", r->core);
	if (r->has_warp)
		text_addf(out, ", warp %u", r->warp);
	text_addf(out, ": from cycle %" PRIu64 " to cycle %" PRIu64 "\n", m->cycle, cycle);
	for (size_t i = 0; i < SECTIONS; i++) {
		const char *names = section_names(v->c->cfg, i);
		if (!names || !is_shown(r->section, i))
			continue;
		const int n = (int)strcspn(names, " ");
		if (!strcmp(m->text[i], text_str(&now[i]))) {
			text_addf(&same, " %.*s", n, names);
			continue;
		}
		text_addf(out, "%.*s:\n", n, names);
		difference(m->text[i], text_str(&now[i]), out);
	}
	text_addf(out, "unchanged:%s\n", same.n ? text_str(&same) : " nothing");
	text_free(&same);
}

/* ---- dp ---- */

static void add_title(const struct dump_view *v, struct text *out)
{
	static const char rule[] = "=================================================\n";
	text_add(out, rule);
	text_addf(out, "shader %u at cycle %" PRIu64 " (%u threads running)\n", v->c->id, gpu_cycle(v->d->g), v->c->s->threads_left);
	text_add(out, rule);
}

static void remember(struct dump_memory *m, struct text now[SECTIONS], uint64_t cycle)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		free(m->text[i]);
		text_add(&now[i], "");
		m->text[i] = text_take(&now[i]);
	}
	m->seen = true;
	m->cycle = cycle;
}

static void print_all(const struct dump_view *v, struct text now[SECTIONS])
{
	for (size_t i = 0; i < SECTIONS; i++) {
		now[i] = (struct text){0};
		if (section_names(v->c->cfg, i))
			print_section(v, i, &now[i]);
		text_add(&now[i], "");
	}
}

/* A look at a warp is compared with the last one at that warp: it is none at the core. */
static void show_core(struct debug *d, struct timing *t, const struct dp_request *r, struct text *out)
{
	struct observer *l = d->commands->perf.observer;
	struct dump_view v = {.d = d, .t = t, .c = &t->core[r->core], .has_warp = r->has_warp, .tags = r->tags, .warp = r->warp};
	struct text now[SECTIONS];
	if (!l->seen)
		l->seen = xcalloc((size_t)t->cfg->core.n_cores * MEMORIES, sizeof *l->seen);
	struct dump_memory *m = &l->seen[r->core * MEMORIES + (r->has_warp ? 1 + r->warp : 0)];
	print_all(&v, now);
	if (r->diff && m->seen) {
		add_difference(&v, r, m, now, out);
	} else {
		add_title(&v, out);
		for (size_t i = 0; i < SECTIONS; i++)
			if (is_shown(r->section, i) && section_names(t->core->cfg, i))
				text_add(out, text_str(&now[i]));
	}
	remember(m, now, gpu_cycle(d->g));
}

/* Adds the fields of a part of the machine (machine_fields.def) as the object `name`. */
static void describe_part(struct debug *d, const char *name, const char *path, uint32_t index, struct report *answer)
{
	const struct field_range range[FIELD_INDICES] = {{.first = index, .last = index}};
	struct expr_value fields;
	struct text ignored = {0};
	if (field_listing(d, path, range, &fields, &ignored)) {
		field_listing_describe(answer, name, &fields);
		expr_value_free(&fields);
	}
	text_free(&ignored);
}

/* Adds a dump's lines as people read them. */
static void say_lines(struct debug *d, struct text *lines, struct report *answer)
{
	wrap_lines(d, lines, report_prose(answer));
	text_free(lines);
}

bool command_dp(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct timing *t = observer_timing(d, "dp", why);
	struct dp_request r;
	if (!t || !parse_dp(t, args, &r, why))
		return false;
	struct text lines = {0};
	report_number(answer, "number", r.core);
	describe_part(d, "core", "core[]", r.core, answer);
	show_core(d, t, &r, &lines);
	say_lines(d, &lines, answer);
	return true;
}

/* ---- dm, dicnt ---- */

bool command_dm(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct timing *t = observer_timing(d, "dm", why);
	uint32_t partition = 0;
	if (t && t->cfg->core.textbook.is_on) {
		report_say(answer, "There are no memory partitions: a textbook core's loads take -gpgpu_textbook_memory_latency.\n");
		return true;
	}
	if (!t || !dump_number(&args, "partition", t->cfg->partition.n_partitions, &partition, why))
		return false;
	args = scan_blanks(args);
	const bool tags = !strncmp(args, "--tags", 6);
	if (!scan_end(tags ? args + 6 : args, why))
		return false;
	struct text lines = {0};
	partition_dump(t->partitions, partition, tags, gpu_cycle(d->g), &lines);
	report_number(answer, "number", partition);
	describe_part(d, "partition", "partition[]", partition, answer);
	say_lines(d, &lines, answer);
	return true;
}

bool command_dicnt(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct timing *t = observer_timing(d, "dicnt", why);
	uint32_t node = 0;
	if (!t)
		return false;
	if (t->cfg->core.textbook.is_on) {
		report_say(answer, "There is no network: a textbook core's loads take -gpgpu_textbook_memory_latency.\n");
		return true;
	}
	if (!t->icnt) {
		report_say(answer, "There is no network: -gpgpu_perfect_mem 1 answers every request at once.\n");
		return true;
	}
	args = scan_blanks(args);
	const bool one = *args != '\0';
	if (one && (!dump_number(&args, "node", icnt_node_count(t->icnt), &node, why) || !scan_end(args, why)))
		return false;
	struct text lines = {0};
	const bool ok = icnt_dump(t->icnt, one ? (int64_t)node : -1, &lines);
	describe_part(d, "icnt", "icnt", 0, answer);
	say_lines(d, &lines, answer);
	return ok;
}

/* GPGPU-Sim's macro: dumps, then continues. */
bool command_dpc(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	struct text out = {0};
	bool ok = debug_answer_text(d, command_dp, args, &out, why);
	if (ok && d->host.output)
		d->host.output(d->host.self, text_str(&out), out.n);
	text_free(&out);
	return ok && debug_run_continue(d, 1, stop, why);
}
