/* `why barrier [N]`: who has come to a barrier of the focused block, and what those do who are missing. */
#include "debug/describe.h"
#include "debug/scan.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "debug/why/why_internal.h"

static uint32_t live_lanes(const struct exec_warp *w) { return w->state == EXEC_WARP_DONE ? 0 : w->lanes & ~w->exited; }

/* Lanes of a warp that have come: all of it once it waits in the barrier. */
static uint32_t arrived_lanes(const struct exec_warp *w, uint32_t id)
{
	if (w->state == EXEC_WARP_BARRIER && w->barrier == id)
		return live_lanes(w);
	return exec_lanes_at_barrier(w, id);
}

/* A member of a list: lanes of a warp that are at an instruction, and what they do there. */
static void lanes_facts(const struct why_warp *w, uint32_t lanes, uint32_t pc, const char *does)
{
	facts_open(w->d, NULL);
	facts_number(w->d, "warp", w->number);
	facts_number(w->d, "lanes", lanes);
	facts_place(w->d, pc);
	if (*does)
		facts_text(w->d, "does", does);
	facts_close(w->d);
}

static void arrived(struct debug *d, const struct exec_cta *cta, uint32_t id, struct text *out)
{
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct why_warp w = why_warp_of(d, cta, k);
		const uint32_t lanes = arrived_lanes(w.w, id);
		if (!lanes)
			continue;
		text_addf(out, "  arrived: warp %u, ", w.number);
		why_threads(&w, lanes, out);
		text_add(out, ", ");
		why_insn_of(&w, lanes, w.w->barrier_pc, out);
		text_addc(out, '\n');
		lanes_facts(&w, lanes, w.w->barrier_pc, "");
	}
}

/* Lanes that stand at one place, those on top of the SIMT stack with what they do. */
static void missing_lanes(const struct why_warp *w, const struct exec_simt *e, uint32_t lanes, bool on_top,
			  struct text *out)
{
	const uint32_t pc = debug_standing_pc(w->w, e, lanes);
	struct text does = {0};
	text_addf(out, "  missing: warp %u, ", w->number);
	why_threads(w, lanes, out);
	text_add(out, ", at ");
	debug_lane_place_text(w->d, w->w, lanes_first(lanes), pc, out);
	if (on_top)
		why_warp_does(w, &does);
	else
		text_addf(&does, "waits for lanes 0x%08x of the warp", exec_simt_top(gpu_exec(w->d->g), w->w)->mask);
	text_addf(out, ": %s\n", text_str(&does));
	lanes_facts(w, lanes, pc, text_str(&does));
	text_free(&does);
}

/* Of a warp at another barrier all lanes stand there. */
static void missing_warp(const struct why_warp *w, uint32_t lanes, struct text *out)
{
	const struct exec_simt *top = exec_simt_top(gpu_exec(w->d->g), w->w);
	if (w->w->state == EXEC_WARP_BARRIER) {
		missing_lanes(w, top, lanes, true, out);
		return;
	}
	for (const struct exec_simt *e = top; lanes && e > top - w->w->n_simt; e--) {
		const uint32_t here = e->mask & lanes;
		if (here)
			missing_lanes(w, e, here, e == top, out);
		lanes &= ~here;
	}
}

static void missing(struct debug *d, const struct exec_cta *cta, uint32_t id, struct text *out)
{
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct why_warp w = why_warp_of(d, cta, k);
		const uint32_t lanes = live_lanes(w.w) & ~arrived_lanes(w.w, id);
		if (lanes)
			missing_warp(&w, lanes, out);
	}
}

static void exited(struct debug *d, const struct exec_cta *cta, uint32_t id, struct text *out)
{
	(void)id;
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct why_warp w = why_warp_of(d, cta, k);
		const uint32_t lanes = w.w->lanes & ~live_lanes(w.w);
		if (!lanes)
			continue;
		text_addf(out, "  exited: warp %u, ", w.number);
		why_threads(&w, lanes, out);
		if (w.w->state == EXEC_WARP_DONE) {
			text_add(out, ", ");
			why_insn(d, w.w->last_pc, out);
		}
		text_addc(out, '\n');
		lanes_facts(&w, lanes, w.w->last_pc, "");
	}
}

static const struct {
	const char *name;
	void (*add)(struct debug *d, const struct exec_cta *cta, uint32_t id, struct text *out);
} lists[] = {{"arrived", arrived}, {"missing", missing}, {"exited", exited}};

void why_barrier_text(struct debug *d, const struct exec_cta *cta, uint32_t id, struct text *out)
{
	const struct exec_barrier *b = &cta->barrier[id];
	text_addf(out, "barrier %u of block (%u,%u,%u) waits for %u threads and has %u\n", id, cta->id[0], cta->id[1],
		  cta->id[2], exec_barrier_wants(cta, id), b->arrived);
	facts_open(d, NULL);
	facts_number(d, "barrier", id);
	facts_triple(d, "block", cta->id);
	facts_number(d, "waits_for", exec_barrier_wants(cta, id));
	facts_number(d, "has", b->arrived);
	for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++) {
		facts_list(d, lists[k].name);
		lists[k].add(d, cta, id, out);
		facts_close(d);
	}
	facts_close(d);
}

bool why_barrier(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct debug_where w;
	uint64_t id = EXEC_BARRIERS;
	const bool one = *scan_blanks(args) != '\0';
	bool any = false;
	if (one && (!scan_u64(&args, &id) || id >= EXEC_BARRIERS))
		return debug_fail(why, "a barrier is a number from 0 to %u: why barrier N", EXEC_BARRIERS - 1);
	if (one && !scan_end(args, why))
		return false;
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "There is no thread in focus.");
	facts_list(d, "barriers");
	for (uint32_t k = 0; w.cta && k < EXEC_BARRIERS; k++) {
		if ((one && k != id) || !exec_barrier_is_used(w.cta, k))
			continue;
		any = true;
		why_barrier_text(d, w.cta, k, out);
	}
	facts_close(d);
	if (any)
		return true;
	text_addf(out, "No warp of block (%u,%u,%u) waits at ", w.block_id[0], w.block_id[1], w.block_id[2]);
	if (one)
		text_addf(out, "barrier %u", (unsigned)id);
	else
		text_add(out, "a barrier");
	text_add(out, w.cta				? ".\n"
		      : w.state == DEBUG_THREAD_WAITING ? ": it has not started yet.\n"
							: ": it has finished.\n");
	return true;
}
