/* Execution diagrams: warps down, cycles across, as the notes draw them; and what the warps waited for between their instructions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/dump_diagram.h"
#include "debug/describe.h"
#include "command/state.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "command/wrap.h"
#include "debug/view/focus.h"

#define COLUMNS 24u /* of a stretch of the diagram, if nothing is known of the width */
#define COLUMNS_MOST 256u
#define SKIP 4u	    /* so many cycles without a change are left out */

static int by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* Names follow the program, so that I3 is the same one for all warps. */
static void name_instructions(struct drawing *w)
{
	for (uint64_t k = w->oldest; k < w->g->n; k++) {
		const struct event *e = diagram_event(w, k);
		if (!diagram_is_drawn(w, e))
			continue;
		w->pcs = xgrow(w->pcs, &w->cap_pcs, w->n_pcs + 1, sizeof *w->pcs);
		w->pcs[w->n_pcs++] = e->pc;
	}
	size_t n = 0;
	if (w->n_pcs)
		qsort(w->pcs, w->n_pcs, sizeof *w->pcs, by_number);
	for (size_t k = 0; k < w->n_pcs; k++)
		if (!n || w->pcs[k] != w->pcs[n - 1])
			w->pcs[n++] = w->pcs[k];
	w->n_pcs = n;
}

static size_t name_of(const struct drawing *w, uint32_t pc)
{
	size_t k = 0;
	while (w->pcs[k] != pc)
		k++;
	return k;
}

static void fill_waits(struct drawing *w, uint32_t warp)
{
	uint8_t wait = WAIT_GONE;
	uint64_t k = w->oldest;
	for (uint64_t cycle = w->first; cycle <= w->last; cycle++) {
		for (; k < w->g->n && diagram_event(w, k)->cycle <= cycle; k++)
			if (!diagram_event(w, k)->is_issue && diagram_concerns(w, diagram_event(w, k)) && diagram_event(w, k)->warp == warp)
				wait = diagram_event(w, k)->wait;
		w->wait[diagram_at(w, cycle, warp)] = wait;
	}
}

/* `[I0` and, in its last cycle, `]`; `I0` alone if that is one cycle. A warp's next instruction may come before the end: it wins. */
static void put_issue(struct drawing *w, const struct event *e)
{
	struct text t = {0};
	const uint64_t end = e->cycle + e->dispatch - 1;
	text_addf(&t, e->dispatch > 1 ? "[I%zu" : "I%zu", name_of(w, e->pc));
	if (t.n + 1 > w->width)
		w->width = (unsigned)t.n + 1;
	free(w->cell[diagram_at(w, e->cycle, e->warp)]);
	w->cell[diagram_at(w, e->cycle, e->warp)] = text_take(&t);
	for (uint64_t cycle = e->cycle + 1; cycle <= end && cycle <= w->last; cycle++) {
		free(w->cell[diagram_at(w, cycle, e->warp)]);
		w->cell[diagram_at(w, cycle, e->warp)] = xstrdup(cycle == end ? "]" : "");
		w->is_inside[diagram_at(w, cycle, e->warp)] = true;
	}
}

static void fill(struct drawing *w)
{
	const size_t n = (size_t)(w->last - w->first + 1) * (w->high - w->low + 1);
	w->cell = xcalloc(n, sizeof *w->cell);
	w->wait = xcalloc(n, 1);
	w->is_inside = xcalloc(n, sizeof *w->is_inside);
	w->width = 4;
	name_instructions(w);
	for (uint32_t warp = w->low; warp <= w->high; warp++)
		fill_waits(w, warp);
	for (uint64_t k = w->oldest; k < w->g->n; k++)
		if (diagram_is_drawn(w, diagram_event(w, k)))
			put_issue(w, diagram_event(w, k));
	char number[24];
	unsigned digits = (unsigned)snprintf(number, sizeof number, "%" PRIu64, w->last);
	if (digits + 1 > w->width)
		w->width = digits + 1;
}

/* ---- drawing ---- */

/* A cycle that looks like the one before it in every row. */
static bool is_dull(const struct drawing *w, uint64_t cycle)
{
	if (cycle == w->first)
		return false;
	for (uint32_t warp = w->low; warp <= w->high; warp++) {
		const size_t here = diagram_at(w, cycle, warp), before = diagram_at(w, cycle - 1, warp);
		if ((w->cell[here] && *w->cell[here]) || w->wait[here] != w->wait[before] || w->is_inside[here] != w->is_inside[before] ||
		    (w->cell[before] && *w->cell[before]))
			return false;
	}
	return true;
}

uint64_t diagram_dull_stretch(const struct drawing *w, uint64_t cycle)
{
	uint64_t n = 0;
	while (cycle + n <= w->last && is_dull(w, cycle + n))
		n++;
	return n;
}

#define SKIPPED UINT64_MAX
struct columns {
	uint64_t cycle[COLUMNS_MOST]; /* SKIPPED: `..` */
	uint64_t after[COLUMNS_MOST]; /* of a skipped one: its first cycle */
	unsigned n;
};

static uint64_t take_columns(const struct drawing *w, uint64_t from, struct columns *out)
{
	out->n = 0;
	while (from <= w->last && out->n < w->columns) {
		const uint64_t dull = diagram_dull_stretch(w, from);
		out->after[out->n] = from;
		out->cycle[out->n++] = dull >= SKIP ? SKIPPED : from;
		from += dull >= SKIP ? dull : 1;
	}
	return from;
}

static void draw_heading(const struct drawing *w, const struct columns *c, unsigned label, struct text *out)
{
	const size_t before = out->n;
	text_addf(out, "%-*s", (int)label, "Cycle");
	for (unsigned k = 0; k < c->n; k++) {
		if (c->cycle[k] == SKIPPED)
			text_addf(out, "%-*s", (int)w->width, "..");
		else
			text_addf(out, "%-*" PRIu64, (int)w->width, c->cycle[k]);
	}
	while (out->n > before && out->s[out->n - 1] == ' ')
		out->s[--out->n] = '\0';
	text_addc(out, '\n');
}

static void draw_cell(const struct drawing *w, const struct columns *c, unsigned k, uint32_t warp, struct text *out)
{
	const uint64_t cycle = c->after[k];
	const size_t here = diagram_at(w, cycle, warp);
	const char wait[2] = {warp_wait_symbols[w->wait[here]], '\0'};
	const char *cell = w->cell[here] ? w->cell[here] : wait;
	const bool closes = !strcmp(cell, "]"); /* right before the next column */
	const unsigned n = (unsigned)strlen(cell), before = closes ? w->width - 2 : 0;
	text_addf(out, "%*s", (int)before, "");
	diagram_color(w, w->cell[here] ? STAGE_ISSUE : diagram_stage(wait[0]), out);
	text_add(out, cell);
	diagram_color(w, STAGE_NONE, out);
	text_addf(out, "%*s", (int)(w->width - n - before), "");
}

void diagram_row_name(const struct drawing *w, uint32_t warp, struct text *out)
{
	const struct event *last = NULL;
	bool others = false;
	for (uint64_t k = w->oldest; k < w->g->n && diagram_event(w, k)->cycle <= w->last; k++) {
		const struct event *e = diagram_event(w, k);
		if (!e->has_block || !diagram_concerns(w, e) || e->warp != warp)
			continue;
		others = last && last->cycle >= w->first && last->block != e->block ? true : others;
		last = e;
	}
	text_addf(out, "wp%u", warp);
	if (last)
		text_addf(out, " b%" PRIu64 "w%u%s", last->block, last->index, others ? "+" : "");
	text_addc(out, ':');
}

static void draw_row(const struct drawing *w, const struct columns *c, unsigned label, uint32_t warp, struct text *out)
{
	const size_t before = out->n;
	struct text name = {0};
	diagram_row_name(w, warp, &name);
	text_addf(out, "%-*s", (int)label, text_str(&name));
	text_free(&name);
	for (unsigned k = 0; k < c->n; k++)
		draw_cell(w, c, k, warp, out);
	while (out->n > before && out->s[out->n - 1] == ' ')
		out->s[--out->n] = '\0';
	text_addc(out, '\n');
}

/* Returns whether a drawn cycle shows anything of a warp: an instruction, or a state other than that no warp is there. */
static bool diagram_has_row(const struct drawing *w, uint32_t warp)
{
	for (uint64_t cycle = w->first; cycle <= w->last; cycle++)
		if (w->cell[diagram_at(w, cycle, warp)] || w->wait[diagram_at(w, cycle, warp)] != WAIT_GONE)
			return true;
	return false;
}

static unsigned label_width(const struct drawing *w)
{
	size_t most = strlen("Cycle");
	for (uint32_t warp = w->low; warp <= w->high; warp++) {
		struct text name = {0};
		diagram_row_name(w, warp, &name);
		if (diagram_has_row(w, warp) && name.n > most)
			most = name.n;
		text_free(&name);
	}
	return (unsigned)most + 2;
}

bool diagram_next_row(const struct drawing *w, struct row_walk *r, struct text *out)
{
	const uint32_t schedulers = w->c->cfg->schedulers, n = w->high - w->low + 1;
	for (; r->scheduler < schedulers; r->scheduler++, r->looked_at = 0, r->has_heading = false)
		while (r->looked_at < n) {
			r->warp = w->low + r->looked_at++;
			if (r->warp % schedulers != r->scheduler || !diagram_has_row(w, r->warp))
				continue;
			if (!r->has_heading && schedulers > 1)
				text_addf(out, "Scheduler %u:\n", r->scheduler);
			r->has_heading = true;
			return true;
		}
	return false;
}

static void draw_stretch(const struct drawing *w, const struct columns *c, struct text *out)
{
	struct row_walk row = {0};
	draw_heading(w, c, w->label, out);
	while (diagram_next_row(w, &row, out))
		draw_row(w, c, w->label, row.warp, out);
}

static void draw_legend(const struct drawing *w, struct text *out)
{
	bool used[WAIT_COUNT] = {false};
	const size_t n = (size_t)(w->last - w->first + 1) * (w->high - w->low + 1);
	struct text lines = {0};
	for (size_t k = 0; k < w->n_pcs; k++) {
		text_addf(&lines, "I%-3zu ", k);
		dump_insn_text(w->d, w->pcs[k], &lines);
		text_addc(&lines, '\n');
	}
	wrap_lines(w->d, &lines, out);
	text_free(&lines);
	for (size_t k = 0; k < n; k++)
		used[w->cell[k] ? WAIT_GONE : w->wait[k]] = true;
	for (unsigned k = WAIT_GONE + 1; k < WAIT_COUNT; k++)
		if (used[k])
			text_addf(out, "%c    %s\n", warp_wait_symbols[k], warp_wait_texts[k]);
}

static void count(const struct drawing *w, struct text *out)
{
	uint64_t issues = 0;
	for (uint64_t k = w->oldest; k < w->g->n; k++)
		issues += diagram_is_drawn(w, diagram_event(w, k));
	const uint64_t cycles = w->last - w->first + 1;
	text_addf(out, "%" PRIu64 " instructions in %" PRIu64 " cycles: %.3f a cycle\n", issues, cycles, (double)issues / (double)cycles);
}

/* As many columns as fit; without a width in the settings a number that fits most screens. */
static unsigned columns_that_fit(const struct drawing *w)
{
	const uint32_t width = w->d->settings.width;
	const uint32_t n = !width ? COLUMNS : width > w->label ? (width - w->label) / w->width : 0;
	return n < 2 ? 2 : n > COLUMNS_MOST ? COLUMNS_MOST : n;
}

static void draw_wide(struct drawing *w, struct text *out)
{
	struct columns c;
	w->columns = columns_that_fit(w);
	for (uint64_t from = w->first; from <= w->last;) {
		from = take_columns(w, from, &c);
		draw_stretch(w, &c, out);
		text_addc(out, '\n');
	}
	draw_legend(w, out);
}

static void draw(struct drawing *w, struct text *out)
{
	fill(w);
	w->label = label_width(w);
	text_addf(out, "core %u, cycles %" PRIu64 " to %" PRIu64 "\n", w->c->id, w->first, w->last);
	if (w->compact)
		diagram_draw_compact(w, out);
	else
		draw_wide(w, out);
	count(w, out);
	const size_t n = (size_t)(w->last - w->first + 1) * (w->high - w->low + 1);
	for (size_t k = 0; k < n; k++)
		free(w->cell[k]);
	free(w->cell);
	free(w->wait);
	free(w->is_inside);
	free(w->pcs);
}

/* ---- the command ---- */

/* A..B, or A alone. */
static bool take_range(const char **s, uint64_t *low, uint64_t *high, struct text *why)
{
	char *end;
	const char *from = scan_blanks(*s);
	*low = strtoull(from, &end, 0);
	if (end == from)
		return debug_fail(why, "a range is A..B, not %s", from);
	*high = *low;
	if (end[0] == '.' && end[1] == '.') {
		const char *to = end + 2;
		*high = strtoull(to, &end, 0);
		if (end == to || *high < *low)
			return debug_fail(why, "a range is A..B with A not above B");
	}
	*s = end;
	return (!*end || *end == ' ' || *end == '\t') || debug_fail(why, "a range is A..B, not %s", from);
}

#define CYCLES_MOST 2000u

static bool parse(struct debug *d, const struct timing *t, const char *s, struct drawing *w, struct text *why)
{
	struct debug_where where;
	uint64_t low = 0, high = t->cfg->core.n_warps - 1;
	uint32_t core = debug_focus_where(d, &where) && where.cta ? where.core : w->g->core < 0 ? 0 : (uint32_t)w->g->core;
	bool cycles = false;
	for (s = scan_blanks(s); *s; s = scan_blanks(s)) {
		if (scan_word(&s, "warp")) {
			if (!take_range(&s, &low, &high, why))
				return false;
			if (high >= t->cfg->core.n_warps)
				return debug_fail(why, "there is no warp %" PRIu64 ": they are 0 to %u", high, t->cfg->core.n_warps - 1);
		} else if (scan_word(&s, "cycle")) {
			if (!take_range(&s, &w->first, &w->last, why))
				return false;
			cycles = true;
		} else if (scan_word(&s, "compact")) {
			w->compact = true;
		} else if (!scan_word(&s, "core")) {
			return debug_fail(why, "usage: diagram [compact] [warp A..B] [cycle C..D] [core N] | on | off | auto");
		} else if (dump_number(&s, "core", t->cfg->core.n_cores, &core, why)) {
			w->has_core = true;
		} else {
			return false;
		}
	}
	w->has_cycles = cycles;
	w->c = &t->core[core];
	w->low = (uint32_t)low;
	w->high = (uint32_t)high;
	if (!cycles) {
		w->first = w->g->first;
		w->last = w->g->last;
	}
	return true;
}

/* Only what was recorded can be drawn, and not too much of it. */
static bool cut(struct drawing *w, struct text *out, struct text *why)
{
	const struct diagram *g = w->g;
	uint64_t from = g->first;
	if (!diagram_is_recorded(g, w->c))
		return debug_fail(why, "only core %u was recorded; `diagram on` records all in the runs to come", (unsigned)g->core);
	w->oldest = diagram_oldest(g);
	if (w->oldest)
		from = diagram_event(w, w->oldest)->cycle + 1;
	if (w->last < from || w->first > g->last)
		return debug_fail(why, "recorded are cycles %" PRIu64 " to %" PRIu64 "; `diagram on` records all runs to come", from, g->last);
	if (w->first < from || w->last > g->last)
		text_addf(out, "Recorded are cycles %" PRIu64 " to %" PRIu64 ".\n", from, g->last);
	if (w->first < from)
		w->first = from;
	if (w->last > g->last)
		w->last = g->last;
	if (w->last - w->first >= CYCLES_MOST) {
		w->last = w->first + CYCLES_MOST - 1;
		text_addf(out, "Only the first %u cycles of these are drawn: name others with cycle C..D.\n", CYCLES_MOST);
	}
	return true;
}

static bool switch_recording(struct debug *d, enum recording r, struct text *out)
{
	struct diagram *g = diagram_get(d->commands->perf.observer);
	g->recording = r;
	g->is_on = g->is_late = false;
	diagram_begin_run(d);
	observer_attach(d);
	if (r == RECORD_OFF)
		text_add(out, "Nothing is recorded.\n");
	else
		text_addf(out,
			  r == RECORD_ON ? "All cores and cycles are recorded; the last %u million events are kept.\n"
					 : "The first %u cycles of each run are recorded, on the core in focus.\n",
			  r == RECORD_ON ? EVENTS_MOST >> 20 : AUTO_WORK / d->commands->perf.observer->t->cfg->core.n_warps);
	return true;
}

/* Adds the text of an instruction, and where it stands. */
static void describe_instruction(const struct drawing *w, uint32_t pc, struct report *answer)
{
	const struct isa_program *p = debug_program(w->d);
	const struct isa_where *at = &p->where[pc];
	const struct isa_file *f = &p->files[at->file];
	struct text t = {0};
	if (f->text && at->offset + (uint64_t)at->n_text <= f->n_text)
		text_addn(&t, f->text + at->offset, at->n_text);
	report_text(answer, "text", text_str(&t));
	text_free(&t);
}

/* Adds a cycle of an issue's run. */
static void describe_cycle(const struct event *e, const char *name, uint64_t cycle, struct report *answer)
{
	if (cycle == EVENT_NOT_READY)
		report_none(answer, name, "-");
	else
		report_number(answer, name, cycle - e->start);
}

/* Adds an issue of an instruction. */
static void describe_issue(const struct drawing *w, const struct event *e, struct report *answer)
{
	report_open(answer, NULL);
	report_number(answer, "core", e->core);
	report_number(answer, "warp", e->warp);
	report_number(answer, "scheduler", e->warp % w->c->cfg->schedulers);
	report_hex(answer, "pc", (uint64_t)e->pc * ISA_INSN_BYTES);
	describe_instruction(w, e->pc, answer);
	report_lanes(answer, "lanes", e->lanes);
	describe_cycle(e, "issue", e->cycle, answer);
	describe_cycle(e, "dispatched", e->cycle + e->dispatch, answer);
	describe_cycle(e, "ready", e->ready, answer);
	report_number(answer, "block", e->block);
	report_number(answer, "warp_in_block", e->index);
	describe_place(w->d, answer, e->pc);
	report_close(answer);
}

/* Returns whether an event is an issue that the user asks for: of the named core and cycles, without them of all that were recorded. */
static bool is_asked_for(const struct drawing *w, const struct event *e)
{
	return e->is_issue && (!w->has_core || e->core == w->c->id) && e->warp >= w->low && e->warp <= w->high &&
	       (!w->has_cycles || (e->cycle >= w->first && e->cycle <= w->last));
}

/* Adds `core`, the cycles and the warps that are drawn, and the list `instructions` of those that were issued. */
static void describe(const struct drawing *w, struct report *answer)
{
	report_number(answer, "core", w->c->id);
	report_number(answer, "first_cycle", w->first);
	report_number(answer, "last_cycle", w->last);
	report_number(answer, "first_warp", w->low);
	report_number(answer, "last_warp", w->high);
	report_list(answer, "instructions");
	for (uint64_t k = w->oldest; k < w->g->n; k++)
		if (is_asked_for(w, diagram_event(w, k)))
			describe_issue(w, diagram_event(w, k), answer);
	report_close(answer);
}

bool command_diagram(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const words[] = {[RECORD_AUTO] = "auto", [RECORD_ON] = "on", [RECORD_OFF] = "off"};
	struct timing *t = observer_machine(d, "diagram", why);
	struct drawing w = {.d = d};
	if (!t)
		return false;
	for (unsigned k = 0; k < 3; k++) {
		const char *s = args;
		if (scan_word(&s, words[k]))
			return scan_end(s, why) && switch_recording(d, (enum recording)k, report_prose(answer));
	}
	w.g = diagram_get(d->commands->perf.observer);
	w.c = t->core;
	diagram_forget_future(d->commands->perf.observer);
	/* the last cycles may have been slept through: nothing changed in them */
	if (w.g->is_on && gpu_timing(d->g) && gpu_cycle(d->g) > w.g->first)
		diagram_get(d->commands->perf.observer)->last = gpu_cycle(d->g) - 1;
	if (!parse(d, t, args, &w, why))
		return false;
	const bool has_run = w.g->last > w.g->first || (gpu_timing(d->g) && gpu_cycle(d->g) > w.g->first);
	if (w.g->n == diagram_oldest(w.g) || !has_run)
		return debug_fail(why, "nothing is recorded yet: run something first%s", w.g->recording == RECORD_OFF ? " (diagram on)" : "");
	if (!cut(&w, report_prose(answer), why))
		return false;
	describe(&w, answer);
	draw(&w, report_prose(answer));
	return true;
}
