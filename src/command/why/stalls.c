/* `info stalls`: the cycles that schedulers and warps have lost, to what, at which line. */
#include <inttypes.h>
#include <stdlib.h>

#include "debug/describe.h"
#include "command/info.h"
#include "command/dump/stalls.h"
#include "debug/view/focus.h"
#include "command/why/why_internal.h"

#define PLACES 3u /* for each reason; as facts all of them */

/* ---- what they are lost to ---- */

/* Adds a place with its cycles; the first PLACES are drawn, `12  ld.global.u32 at x.ptx:33 (x.cu:5)`. */
static void describe_lost(struct debug *d, struct report *answer, const struct stalls_place *p, bool is_drawn)
{
	report_open(answer, NULL);
	report_number(answer, "cycles", p->cycles);
	describe_place(d, answer, p->pc);
	if (is_drawn)
		report_line(answer, "{cycles:12}  {instruction:brief} at {ptx}[ ({source})]\n");
	report_close(answer);
}

/* Adds the places at which cycles were lost to one kind of wait, the worst first. */
static void places(struct debug *d, uint32_t core, uint32_t warp, enum warp_wait wait, struct report *answer)
{
	size_t n;
	struct stalls_place *at = stalls_places(d, core, warp, wait, &n);
	report_list(answer, "places");
	for (size_t k = 0; k < n; k++)
		if (at[k].pc < debug_program(d)->n_insns)
			describe_lost(d, answer, &at[k], k < PLACES);
	report_close(answer);
	free(at);
}

/* The worst first. */
static void reasons(struct debug *d, uint32_t core, uint32_t warp, const uint64_t lost[WAIT_COUNT], struct report *answer)
{
	bool done[WAIT_COUNT] = {false};
	report_list(answer, "reasons");
	for (;;) {
		unsigned worst = WAIT_COUNT;
		for (unsigned k = 0; k < WAIT_COUNT; k++)
			if (!done[k] && lost[k] && (worst == WAIT_COUNT || lost[k] > lost[worst]))
				worst = k;
		if (worst == WAIT_COUNT)
			break;
		done[worst] = true;
		report_open(answer, NULL);
		report_text(answer, "reason", warp_wait_words[worst]);
		report_number(answer, "cycles", lost[worst]);
		report_say(answer, "%8" PRIu64 "  %s\n", lost[worst], warp_wait_texts[worst]);
		report_text(answer, "what_to_do", warp_wait_remedies[worst]);
		report_line(answer, "          to do: {what_to_do}\n");
		places(d, core, warp, (enum warp_wait)worst, answer);
		report_close(answer);
	}
	report_close(answer);
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

static void cells(const struct stalls_scheduler *s, struct report *answer)
{
	report_number(answer, NULL, cycles_of(s));
	for (unsigned k = TURN_ISSUED; k < TURN_COUNT; k++)
		report_number(answer, NULL, s->turns[k]);
}

static void describe_turns(struct report *answer, const struct stalls_scheduler *s)
{
	static const char *const names[TURN_COUNT] = {[TURN_ISSUED] = "issued",
						      [TURN_IDLE] = "W0_Idle",
						      [TURN_SCOREBOARD] = "W0_Scoreboard",
						      [TURN_PIPELINE] = "Stall"};
	report_number(answer, "cycles", cycles_of(s));
	for (unsigned k = TURN_ISSUED; k < TURN_COUNT; k++)
		report_number(answer, names[k], s->turns[k]);
}

static void describe_scheduler(struct report *answer, uint32_t core, uint32_t number, const struct stalls_scheduler *s)
{
	report_open(answer, NULL);
	report_number(answer, "core", core);
	report_number(answer, "scheduler", number);
	describe_turns(answer, s);
	report_close(answer);
}

static void sum_row(const char *name, const struct stalls_scheduler *s, struct report *answer)
{
	report_row(answer, false);
	report_text(answer, NULL, name);
	report_none(answer, NULL, "");
	cells(s, answer);
}

/* Adds the row of a scheduler; one that never had a warp is added to `empty` instead. */
static void scheduler_row(struct report *answer, uint32_t core, uint32_t number, const struct stalls_scheduler *s,
			  struct stalls_scheduler *empty)
{
	if (s->lost[WAIT_GONE] == cycles_of(s)) {
		add(empty, s);
		return;
	}
	report_row(answer, false);
	report_number(answer, NULL, core);
	report_number(answer, NULL, number);
	cells(s, answer);
}

static void schedulers(struct debug *d, const struct info_filter *f, struct report *answer)
{
	static const char *const titles[] = {"Core",	"Scheduler",	 "Cycles", "Issued",
					     "W0_Idle", "W0_Scoreboard", "Stall"};
	const struct core_config *cfg = &gpu_machine_timing(d->g)->cfg->core;
	struct stalls_scheduler all = {{0}, {0}}, empty = {{0}, {0}};
	const uint32_t first = f->has_core ? f->core : 0, end = f->has_core ? f->core + 1 : cfg->n_cores;
	report_list(answer, "schedulers");
	for (uint32_t core = first; core < end; core++)
		for (uint32_t k = 0; k < cfg->schedulers; k++) {
			add(&all, stalls_of_scheduler(d, core, k));
			describe_scheduler(answer, core, k, stalls_of_scheduler(d, core, k));
		}
	report_close(answer);
	report_open(answer, "all");
	describe_turns(answer, &all);
	report_close(answer);
	report_table(answer, NULL, titles, 7);
	for (uint32_t core = first; core < end; core++)
		for (uint32_t k = 0; k < cfg->schedulers; k++)
			scheduler_row(answer, core, k, stalls_of_scheduler(d, core, k), &empty);
	if (cycles_of(&empty))
		sum_row("others", &empty, answer);
	sum_row("all", &all, answer);
	report_close(answer);
	if (cycles_of(&empty)) {
		report_open(answer, "others");
		describe_turns(answer, &empty);
		report_close(answer);
	}
	if (cycles_of(&all) == all.turns[TURN_ISSUED])
		return;
	report_say(answer, "Cycles without an instruction, by what the warp nearest to issuing waited for, and where most "
			   "of them were lost:\n");
	reasons(d, f->has_core ? f->core : STALLS_ALL_CORES, STALLS_SCHEDULERS, all.lost, answer);
}

/* ---- a warp ---- */

static uint64_t waited(const struct stalls_warp *w)
{
	uint64_t n = 0;
	for (unsigned k = 0; k < WAIT_COUNT; k++)
		n += w->waits[k];
	return n;
}

static bool warp_history(struct debug *d, uint32_t core, uint32_t warp, struct report *answer)
{
	const struct stalls_warp *w = stalls_of_warp(d, core, warp);
	const uint64_t lost = waited(w);
	if (!w->issued && !lost)
		return false;
	report_open(answer, NULL);
	report_number(answer, "core", core);
	report_number(answer, "warp", warp);
	report_number(answer, "cycles", w->issued + lost);
	report_number(answer, "issued", w->issued);
	report_number(answer, "instructions", w->insns);
	report_number(answer, "lost", lost);
	report_line(answer, "warp {warp} of core {core}: {cycles} cycles on its core, {issued} issued ({instructions} "
			    "instruction{instructions|s}), {lost} lost\n");
	reasons(d, core, warp, w->waits, answer);
	report_close(answer);
	return true;
}

/* As `why warp N`: of the focused core; with none, of all. */
static void warps(struct debug *d, const struct info_filter *asked, struct report *answer)
{
	const uint32_t n_cores = gpu_machine_timing(d->g)->cfg->core.n_cores;
	struct info_filter f = *asked;
	struct debug_where w;
	bool any = false;
	if (!f.has_core && debug_focus_where(d, &w) && w.cta) {
		f.has_core = true;
		f.core = w.core;
	}
	report_list(answer, "warps");
	for (uint32_t core = 0; core < n_cores; core++)
		if (info_filter_core(&f, core))
			any |= warp_history(d, core, f.warp, answer);
	report_close(answer);
	if (!any)
		report_say(answer, "No warp %u was on %s since.\n", f.warp, f.has_core ? "that core" : "a core");
}

/* ---- the command ---- */

bool info_stalls(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	uint64_t since;
	struct info_filter f;
	if (!observer_machine(d, "info stalls", why) || !info_filter_scan(d, args, true, &f, why))
		return false;
	if (!stalls_since(d, &since)) {
		report_say(answer, "Stalls are not counted: `set stalls on` counts from there on.\n");
		return true;
	}
	report_number(answer, "since", since);
	report_say(answer, "Counted since cycle %" PRIu64 ", it is cycle %" PRIu64 ".\n", since, gpu_cycle(d->g));
	if (f.has_warp)
		warps(d, &f, answer);
	else
		schedulers(d, &f, answer);
	return true;
}
