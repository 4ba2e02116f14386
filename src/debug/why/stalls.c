/* `info stalls`: the cycles that schedulers and warps have lost, to what, at which line. */
#include <inttypes.h>
#include <stdlib.h>

#include "debug/describe.h"
#include "debug/info.h"
#include "debug/perf/stalls.h"
#include "debug/view/focus.h"
#include "debug/why/why_internal.h"

#define PLACES 3u /* for each reason; as facts all of them */

/* ---- what they are lost to ---- */

static void place_facts(struct debug *d, const struct stalls_place *p)
{
	facts_open(d, NULL);
	facts_number(d, "cycles", p->cycles);
	facts_place(d, p->pc);
	facts_close(d);
}

/* `12  ld.global.u32 at x.ptx:33 (x.cu:5)`, the worst first. */
static void places(struct debug *d, uint32_t core, uint32_t warp, enum warp_wait wait, struct text *out)
{
	size_t n;
	struct stalls_place *at = stalls_places(d, core, warp, wait, &n);
	facts_list(d, "places");
	for (size_t k = 0; k < n; k++) {
		if (at[k].pc >= debug_program(d)->n_insns)
			continue;
		place_facts(d, &at[k]);
		if (k >= PLACES)
			continue;
		text_addf(out, "%12" PRIu64 "  ", at[k].cycles);
		why_insn(d, at[k].pc, out);
		text_addc(out, '\n');
	}
	facts_close(d);
	free(at);
}

/* The worst first. */
static void reasons(struct debug *d, uint32_t core, uint32_t warp, const uint64_t lost[WAIT_COUNT], struct text *out)
{
	bool done[WAIT_COUNT] = {false};
	facts_list(d, "reasons");
	for (;;) {
		unsigned worst = WAIT_COUNT;
		for (unsigned k = 0; k < WAIT_COUNT; k++)
			if (!done[k] && lost[k] && (worst == WAIT_COUNT || lost[k] > lost[worst]))
				worst = k;
		if (worst == WAIT_COUNT)
			break;
		done[worst] = true;
		facts_open(d, NULL);
		facts_text(d, "reason", warp_wait_words[worst]);
		facts_number(d, "cycles", lost[worst]);
		text_addf(out, "%8" PRIu64 "  %s\n", lost[worst], warp_wait_texts[worst]);
		places(d, core, warp, (enum warp_wait)worst, out);
		facts_close(d);
	}
	facts_close(d);
}

/* ---- schedulers ---- */

static uint64_t cycles_of(const struct stalls_scheduler *s)
{
	uint64_t n = 0;
	for (unsigned k = TURN_ISSUED; k < TURN_COUNT; k++)
		n += s->turns[k];
	return n;
}

static void add(struct stalls_scheduler *sum, const struct stalls_scheduler *s)
{
	for (unsigned k = 0; k < TURN_COUNT; k++)
		sum->turns[k] += s->turns[k];
	for (unsigned k = 0; k < WAIT_COUNT; k++)
		sum->lost[k] += s->lost[k];
}

static void cells(const struct stalls_scheduler *s, struct table *t)
{
	table_cell(t, "%" PRIu64, cycles_of(s));
	for (unsigned k = TURN_ISSUED; k < TURN_COUNT; k++)
		table_cell(t, "%" PRIu64, s->turns[k]);
}

static void turn_facts(struct debug *d, const struct stalls_scheduler *s)
{
	static const char *const names[TURN_COUNT] = {[TURN_ISSUED] = "issued",
						      [TURN_IDLE] = "W0_Idle",
						      [TURN_SCOREBOARD] = "W0_Scoreboard",
						      [TURN_PIPELINE] = "Stall"};
	facts_number(d, "cycles", cycles_of(s));
	for (unsigned k = TURN_ISSUED; k < TURN_COUNT; k++)
		facts_number(d, names[k], s->turns[k]);
}

static void scheduler_facts(struct debug *d, uint32_t core, uint32_t number, const struct stalls_scheduler *s)
{
	facts_open(d, NULL);
	facts_number(d, "core", core);
	facts_number(d, "scheduler", number);
	turn_facts(d, s);
	facts_close(d);
}

static void sum_row(const char *name, const struct stalls_scheduler *s, struct table *t)
{
	table_row(t, false);
	table_cell(t, "%s", name);
	table_cell(t, "%s", "");
	cells(s, t);
}

/* Those that never had a warp are one row. */
static void schedulers(struct debug *d, const struct info_filter *f, struct text *out)
{
	static const char *const titles[] = {"Core",	"Scheduler",	 "Cycles", "Issued",
					     "W0_Idle", "W0_Scoreboard", "Stall"};
	const struct core_config *cfg = &gpu_timing(d->g)->cfg->core;
	struct stalls_scheduler all = {{0}, {0}}, empty = {{0}, {0}};
	struct table rows;
	table_init(&rows, titles, 7);
	rows.fit = d->settings.width;
	facts_list(d, "schedulers");
	for (uint32_t core = 0; core < cfg->n_cores; core++)
		for (uint32_t k = 0; k < cfg->schedulers; k++) {
			const struct stalls_scheduler *s = stalls_of_scheduler(d, core, k);
			if (!info_filter_core(f, core))
				continue;
			add(&all, s);
			scheduler_facts(d, core, k, s);
			if (s->lost[WAIT_GONE] == cycles_of(s)) {
				add(&empty, s);
				continue;
			}
			table_row(&rows, false);
			table_cell(&rows, "%u", core);
			table_cell(&rows, "%u", k);
			cells(s, &rows);
		}
	facts_close(d);
	facts_open(d, "all");
	turn_facts(d, &all);
	facts_close(d);
	if (cycles_of(&empty))
		sum_row("others", &empty, &rows);
	sum_row("all", &all, &rows);
	table_print(&rows, out);
	if (cycles_of(&all) == all.turns[TURN_ISSUED])
		return;
	text_add(out, "Cycles without an instruction, by what the warp nearest to issuing waited for, and where most "
		      "of them were lost:\n");
	reasons(d, f->has_core ? f->core : STALLS_ALL_CORES, STALLS_SCHEDULERS, all.lost, out);
}

/* ---- a warp ---- */

static uint64_t waited(const struct stalls_warp *w)
{
	uint64_t n = 0;
	for (unsigned k = 0; k < WAIT_COUNT; k++)
		n += w->waits[k];
	return n;
}

static bool warp_history(struct debug *d, uint32_t core, uint32_t warp, struct text *out)
{
	const struct stalls_warp *w = stalls_of_warp(d, core, warp);
	const uint64_t lost = waited(w);
	if (!w->issued && !lost)
		return false;
	facts_open(d, NULL);
	facts_number(d, "core", core);
	facts_number(d, "warp", warp);
	facts_number(d, "cycles", w->issued + lost);
	facts_number(d, "issued", w->issued);
	facts_number(d, "instructions", w->insns);
	facts_number(d, "lost", lost);
	text_addf(out,
		  "warp %u of core %u: %" PRIu64 " cycles on its core, %" PRIu64 " issued (%" PRIu64
		  " instruction%s), %" PRIu64 " lost\n",
		  warp, core, w->issued + lost, w->issued, w->insns, why_plural(w->insns), lost);
	reasons(d, core, warp, w->waits, out);
	facts_close(d);
	return true;
}

/* As `why warp N`: of the focused core; with none, of all. */
static void warps(struct debug *d, const struct info_filter *asked, struct text *out)
{
	const uint32_t n_cores = gpu_timing(d->g)->cfg->core.n_cores;
	struct info_filter f = *asked;
	struct debug_where w;
	bool any = false;
	if (!f.has_core && debug_focus_where(d, &w) && w.cta) {
		f.has_core = true;
		f.core = w.core;
	}
	facts_list(d, "warps");
	for (uint32_t core = 0; core < n_cores; core++)
		if (info_filter_core(&f, core))
			any |= warp_history(d, core, f.warp, out);
	facts_close(d);
	if (!any)
		text_addf(out, "No warp %u was on %s since.\n", f.warp, f.has_core ? "that core" : "a core");
}

/* ---- the command ---- */

bool info_stalls(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	uint64_t since;
	struct info_filter f;
	if (!observer_timing(d, "info stalls", why) || !info_filter_scan(d, args, true, &f, why))
		return false;
	if (!stalls_since(d, &since)) {
		text_add(out, "Stalls are not counted: `set stalls on` counts from there on.\n");
		return true;
	}
	facts_number(d, "since", since);
	text_addf(out, "Counted since cycle %" PRIu64 ", it is cycle %" PRIu64 ".\n", since, gpu_cycle(d->g));
	if (f.has_warp)
		warps(d, &f, out);
	else
		schedulers(d, &f, out);
	return true;
}
