/* Execution diagrams: warps down, cycles across, as the notes draw them; and what the warps waited for between their instructions.
 *
 * A ring of events per machine: a warp issues, or begins to be in another state. With `auto` the first cycles of each run are recorded, on one
 * core, so that long runs cost nothing; with `on` everything is, and the ring keeps what came last. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/dump/dump_internal.h"
#include "debug/launch.h"

#define EVENTS (1u << 16)
#define AUTO_WORK 100000u /* of `auto`: warps looked at, which takes some milliseconds */
#define COLUMNS 24u /* of a stretch of the diagram */
#define SKIP 4u	    /* so many cycles without a change are left out */

enum recording { RECORD_AUTO, RECORD_ON, RECORD_OFF };
struct event {
	uint64_t cycle;
	uint64_t block; /* if it has one: linear index in the grid, and its warp of it */
	uint32_t index, pc; /* pc: of an issue */
	uint16_t core, dispatch; /* cycles its dispatch register is taken */
	uint8_t warp, wait;
	bool is_issue, has_block;
};
struct diagram {
	enum recording recording;
	bool is_on;	  /* events are being recorded now */
	uint64_t until;	  /* `auto`: cycle in which recording ends */
	int64_t core;	  /* the one that is recorded, -1: all */
	uint64_t n;	  /* events ever; the ring has the last EVENTS of them */
	uint64_t first, last; /* cycles: recorded without a gap */
	uint8_t *wait;	  /* [core][warp]: present state */
	uint64_t *live;	  /* [core]: warps there were after the last cycle */
	struct event *ring;
};

static bool is_recorded(const struct diagram *g, const struct core *c) { return g->core < 0 || (uint32_t)g->core == c->id; }

bool diagram_wants(const struct looking *l) { return l->diagram && l->diagram->is_on; }

static struct diagram *get(struct looking *l)
{
	if (!l->diagram) {
		l->diagram = xcalloc(1, sizeof *l->diagram);
		l->diagram->wait = xcalloc((size_t)l->t->cfg->core.n_cores * CORE_WARPS_MAX, 1);
		l->diagram->live = xcalloc(l->t->cfg->core.n_cores, sizeof *l->diagram->live);
	}
	return l->diagram;
}

void diagram_free(struct looking *l)
{
	if (!l->diagram)
		return;
	free(l->diagram->wait);
	free(l->diagram->live);
	free(l->diagram->ring);
	free(l->diagram);
	l->diagram = NULL;
}

/* ---- recording ---- */

static struct event *add(struct diagram *g)
{
	if (!g->ring)
		g->ring = xcalloc(EVENTS, sizeof *g->ring);
	return &g->ring[g->n++ % EVENTS];
}

static uint32_t dispatch_cycles(const struct core *c, const struct inst *i)
{
	const struct timing_insn *ti = core_insn(c, i);
	const bool is_memory = ti->class == TIMING_LOAD || ti->class == TIMING_STORE;
	uint32_t n = is_memory && i->n_accesses ? i->n_accesses : i->dispatch;
	return n ? n : 1;
}

void diagram_issue(struct looking *l, struct core *c, uint32_t inst, uint64_t now)
{
	const struct inst *i = &c->inst[inst];
	const struct core_warp *w = &c->warp[i->warp];
	if (!is_recorded(l->diagram, c))
		return;
	*add(l->diagram) = (struct event){.cycle = now, .pc = i->pc, .block = l->t->cta[w->cta_slot].linear, .index = w->index, .core = (uint16_t)c->id,
					  .warp = (uint8_t)i->warp, .dispatch = (uint16_t)dispatch_cycles(c, i), .is_issue = true, .has_block = true};
}

/* What held a warp back in a cycle: what frees registers, pipeline registers and atomics comes before issue, so there the state after the
 * cycle counts; what fills the I-buffers and takes the scheduler comes with it or behind it, so there the one before does. */
static bool counts_before(uint8_t wait)
{
	return wait == WAIT_FETCH || wait == WAIT_IMISS || wait == WAIT_FLUSH || wait == WAIT_READY || wait == WAIT_BARRIER || wait == WAIT_GONE;
}

static void note(struct diagram *g, const struct core *c, uint32_t warp, uint64_t now)
{
	uint8_t *old = &g->wait[(size_t)c->id * CORE_WARPS_MAX + warp];
	const enum warp_wait wait = dump_warp_wait(c, warp);
	if (*old == wait)
		return;
	struct event *e = add(g);
	*e = (struct event){.cycle = counts_before(*old) ? now + 1 : now, .core = (uint16_t)c->id, .warp = (uint8_t)warp, .wait = (uint8_t)wait};
	const struct core_warp *w = &c->warp[warp];
	if (w->used) {
		e->has_block = true;
		e->block = c->t->cta[w->cta_slot].linear;
		e->index = w->index;
	}
	*old = (uint8_t)wait;
}

void diagram_cycle(struct looking *l, struct core *c, uint64_t now)
{
	struct diagram *g = l->diagram;
	if (!is_recorded(g, c))
		return;
	uint64_t looked = c->s->live | g->live[c->id];
	g->live[c->id] = c->s->live;
	for (; looked; looked &= looked - 1)
		note(g, c, (uint32_t)__builtin_ctzll(looked), now);
	g->last = now;
	if (now < g->until)
		return;
	g->is_on = false;
	looking_attach(l->d);
}

/* Everything that holds now is said once, so that the recording stands alone. */
static void begin(struct looking *l, uint64_t now)
{
	struct diagram *g = l->diagram;
	const struct core_config *cfg = &l->t->cfg->core;
	g->n = 0;
	g->first = g->last = now;
	struct debug_where where;
	g->core = g->recording == RECORD_ON ? -1 : debug_focus_where(l->d, &where) ? (int64_t)where.core : 0;
	memset(g->wait, WAIT_COUNT, (size_t)cfg->n_cores * CORE_WARPS_MAX);
	for (uint32_t k = 0; k < cfg->n_cores; k++) {
		if (!is_recorded(g, &l->t->core[k]))
			continue;
		g->live[k] = l->t->core[k].s->live;
		for (uint32_t w = 0; w < cfg->n_warps; w++)
			note(g, &l->t->core[k], w, now);
	}
}

void diagram_begin_run(struct debug *d)
{
	struct looking *l = d->looking;
	if (!l)
		return;
	struct diagram *g = get(l);
	const uint64_t now = gpu_cycle(d->g);
	if (g->recording == RECORD_OFF)
		return;
	if (!g->is_on) /* there is a gap before */
		begin(l, now);
	g->is_on = true;
	g->until = g->recording == RECORD_ON ? UINT64_MAX : now + AUTO_WORK / l->t->cfg->core.n_warps;
	looking_attach(d);
}

/* ---- what is to be drawn ---- */

struct drawing {
	struct debug *d;
	const struct core *c;
	const struct diagram *g;
	uint64_t first, last; /* cycles */
	uint32_t low, high;   /* warps */
	uint64_t oldest;      /* first event of the ring */
	uint32_t *pcs;	      /* instructions that occur, ascending: I0, I1 ... */
	size_t n_pcs, cap_pcs;
	char **cell;	      /* [cycle - first][warp - low], NULL: as the wait says */
	uint8_t *wait;	      /* the same */
	bool *is_inside;      /* [..]: within the brackets of an instruction */
	unsigned width, label; /* of a column, of a row's name */
};

static size_t at(const struct drawing *w, uint64_t cycle, uint32_t warp)
{
	return (size_t)(cycle - w->first) * (w->high - w->low + 1) + (warp - w->low);
}

static const struct event *event(const struct drawing *w, uint64_t k) { return &w->g->ring[k % EVENTS]; }

static bool concerns(const struct drawing *w, const struct event *e)
{
	return e->core == w->c->id && e->warp >= w->low && e->warp <= w->high;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static bool is_drawn(const struct drawing *w, const struct event *e)
{
	return e->is_issue && concerns(w, e) && e->cycle >= w->first && e->cycle <= w->last;
}

/* Names follow the program, so that I3 is the same one for all warps. */
static void name_instructions(struct drawing *w)
{
	for (uint64_t k = w->oldest; k < w->g->n; k++) {
		const struct event *e = event(w, k);
		if (!is_drawn(w, e))
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
		for (; k < w->g->n && event(w, k)->cycle <= cycle; k++)
			if (!event(w, k)->is_issue && concerns(w, event(w, k)) && event(w, k)->warp == warp)
				wait = event(w, k)->wait;
		w->wait[at(w, cycle, warp)] = wait;
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
	free(w->cell[at(w, e->cycle, e->warp)]);
	w->cell[at(w, e->cycle, e->warp)] = text_take(&t);
	for (uint64_t cycle = e->cycle + 1; cycle <= end && cycle <= w->last; cycle++) {
		free(w->cell[at(w, cycle, e->warp)]);
		w->cell[at(w, cycle, e->warp)] = xstrdup(cycle == end ? "]" : "");
		w->is_inside[at(w, cycle, e->warp)] = true;
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
		if (is_drawn(w, event(w, k)))
			put_issue(w, event(w, k));
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
		const size_t here = at(w, cycle, warp), before = at(w, cycle - 1, warp);
		if ((w->cell[here] && *w->cell[here]) || w->wait[here] != w->wait[before] || w->is_inside[here] != w->is_inside[before] ||
		    (w->cell[before] && *w->cell[before]))
			return false;
	}
	return true;
}

static uint64_t dull_stretch(const struct drawing *w, uint64_t cycle)
{
	uint64_t n = 0;
	while (cycle + n <= w->last && is_dull(w, cycle + n))
		n++;
	return n;
}

#define SKIPPED UINT64_MAX
struct columns {
	uint64_t cycle[COLUMNS]; /* SKIPPED: `..` */
	uint64_t after[COLUMNS]; /* of a skipped one: its first cycle */
	unsigned n;
};

static uint64_t take_columns(const struct drawing *w, uint64_t from, struct columns *out)
{
	out->n = 0;
	while (from <= w->last && out->n < COLUMNS) {
		const uint64_t dull = dull_stretch(w, from);
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
	const size_t here = at(w, cycle, warp);
	const char wait[2] = {warp_wait_symbols[w->wait[here]], '\0'};
	const char *cell = w->cell[here] ? w->cell[here] : wait;
	unsigned n = (unsigned)strlen(cell);
	if (!strcmp(cell, "]")) /* closes right before the next column */
		text_addf(out, "%*s ", (int)w->width - 1, "]");
	else
		text_addf(out, "%s%*s", cell, (int)(w->width - n), "");
}

/* `wp5 b0w1:`, hardware warp 5, which is warp 1 of block 0; a `+` follows if it was another block's before. */
static void row_name(const struct drawing *w, uint32_t warp, struct text *out)
{
	const struct event *last = NULL;
	bool others = false;
	for (uint64_t k = w->oldest; k < w->g->n && event(w, k)->cycle <= w->last; k++) {
		const struct event *e = event(w, k);
		if (!e->has_block || !concerns(w, e) || e->warp != warp)
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
	row_name(w, warp, &name);
	text_addf(out, "%-*s", (int)label, text_str(&name));
	text_free(&name);
	for (unsigned k = 0; k < c->n; k++)
		draw_cell(w, c, k, warp, out);
	while (out->n > before && out->s[out->n - 1] == ' ')
		out->s[--out->n] = '\0';
	text_addc(out, '\n');
}

/* Anything to see of the warp? */
static bool has_row(const struct drawing *w, uint32_t warp)
{
	for (uint64_t cycle = w->first; cycle <= w->last; cycle++)
		if (w->cell[at(w, cycle, warp)] || w->wait[at(w, cycle, warp)] != WAIT_GONE)
			return true;
	return false;
}

static unsigned label_width(const struct drawing *w)
{
	size_t most = strlen("Cycle");
	for (uint32_t warp = w->low; warp <= w->high; warp++) {
		struct text name = {0};
		row_name(w, warp, &name);
		if (has_row(w, warp) && name.n > most)
			most = name.n;
		text_free(&name);
	}
	return (unsigned)most + 2;
}

static void draw_stretch(const struct drawing *w, const struct columns *c, struct text *out)
{
	const uint32_t schedulers = w->c->cfg->schedulers;
	const unsigned label = w->label;
	draw_heading(w, c, label, out);
	for (uint32_t s = 0; s < schedulers; s++) {
		bool any = schedulers == 1;
		for (uint32_t warp = w->low; warp <= w->high; warp++) {
			if (warp % schedulers != s || !has_row(w, warp))
				continue;
			if (!any)
				text_addf(out, "Scheduler %u:\n", s);
			any = true;
			draw_row(w, c, label, warp, out);
		}
	}
}

static void draw_legend(const struct drawing *w, struct text *out)
{
	bool used[WAIT_COUNT] = {false};
	const size_t n = (size_t)(w->last - w->first + 1) * (w->high - w->low + 1);
	for (size_t k = 0; k < w->n_pcs; k++) {
		text_addf(out, "I%-3zu ", k);
		dump_insn_text(w->d, w->pcs[k], out);
		text_addc(out, '\n');
	}
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
		issues += is_drawn(w, event(w, k));
	const uint64_t cycles = w->last - w->first + 1;
	text_addf(out, "%" PRIu64 " instructions in %" PRIu64 " cycles: %.3f a cycle\n", issues, cycles, (double)issues / (double)cycles);
}

static void draw(struct drawing *w, struct text *out)
{
	struct columns c;
	fill(w);
	w->label = label_width(w);
	text_addf(out, "core %u, cycles %" PRIu64 " to %" PRIu64 "\n", w->c->id, w->first, w->last);
	for (uint64_t from = w->first; from <= w->last;) {
		from = take_columns(w, from, &c);
		draw_stretch(w, &c, out);
		text_addc(out, '\n');
	}
	draw_legend(w, out);
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
		} else if (!scan_word(&s, "core")) {
			return debug_fail(why, "usage: diagram [warp A..B] [cycle C..D] [core N] | on | off | auto");
		} else if (!looking_number(&s, "core", t->cfg->core.n_cores, &core, why)) {
			return false;
		}
	}
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
	if (!is_recorded(g, w->c))
		return debug_fail(why, "only core %u was recorded; `diagram on` records all in the runs to come", (unsigned)g->core);
	w->oldest = g->n > EVENTS ? g->n - EVENTS : 0;
	if (w->oldest)
		from = event(w, w->oldest)->cycle + 1;
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
	struct diagram *g = get(d->looking);
	g->recording = r;
	g->is_on = false;
	diagram_begin_run(d);
	looking_attach(d);
	if (r == RECORD_OFF)
		text_add(out, "Nothing is recorded.\n");
	else
		text_addf(out,
			  r == RECORD_ON ? "All cores and cycles are recorded; the last %u events are kept.\n"
					 : "The first %u cycles of each run are recorded, on the core in focus.\n",
			  r == RECORD_ON ? EVENTS : AUTO_WORK / d->looking->t->cfg->core.n_warps);
	return true;
}

bool debug_cmd_diagram(struct debug *d, const char *args, struct text *out, struct text *why)
{
	static const char *const words[] = {[RECORD_AUTO] = "auto", [RECORD_ON] = "on", [RECORD_OFF] = "off"};
	struct timing *t = looking_timing(d, "diagram", why);
	struct drawing w = {.d = d};
	if (!t)
		return false;
	for (unsigned k = 0; k < 3; k++) {
		const char *s = args;
		if (scan_word(&s, words[k]))
			return scan_end(s, why) && switch_recording(d, (enum recording)k, out);
	}
	w.g = get(d->looking);
	w.c = t->core;
	/* the last cycles may have been slept through: nothing changed in them */
	if (w.g->is_on && gpu_cycle(d->g) > w.g->first)
		get(d->looking)->last = gpu_cycle(d->g) - 1;
	if (!parse(d, t, args, &w, why))
		return false;
	if (!w.g->n || w.g->last == w.g->first)
		return debug_fail(why, "nothing is recorded yet: run something first%s", w.g->recording == RECORD_OFF ? " (diagram on)" : "");
	if (!cut(&w, out, why))
		return false;
	draw(&w, out);
	return true;
}
