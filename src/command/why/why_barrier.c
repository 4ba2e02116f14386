/* `why barrier [N]`: which threads have arrived at a barrier of the focused block, and what the missing ones do. */
#include "debug/describe.h"
#include "debug/ground/scan.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "exec/ahead.h"
#include "command/why/why_internal.h"

static uint32_t live_lanes(const struct exec_warp *w) { return w->state == EXEC_WARP_DONE ? 0 : w->lanes & ~w->exited; }

/* Lanes of a warp that have come: all of it once it waits in the barrier. */
static uint32_t arrived_lanes(const struct exec_warp *w, uint32_t id)
{
	if (w->state == EXEC_WARP_BARRIER && w->barrier == id)
		return live_lanes(w);
	return exec_lanes_at_barrier(w, id);
}

/* Opens a member of a list: lanes of a warp that are at an instruction; the line about them begins as `line` says. */
static void open_lanes(const struct why_warp *w, uint32_t lanes, uint32_t pc, const char *line, struct report *answer)
{
	report_open(answer, NULL);
	report_number(answer, "warp", w->number);
	report_lanes(answer, "lanes", lanes);
	describe_threads(w, lanes, answer);
	describe_place(w->d, answer, pc);
	report_line(answer, line);
}

static void arrived(struct debug *d, const struct exec_cta *cta, uint32_t id, struct report *answer)
{
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct why_warp w = why_warp_of(d, cta, k);
		const uint32_t lanes = arrived_lanes(w.w, id);
		if (!lanes)
			continue;
		open_lanes(&w, lanes, w.w->barrier_pc, "  arrived: warp {warp}, {threads}, ", answer);
		why_insn_of(&w, lanes, w.w->barrier_pc, report_prose(answer));
		report_say(answer, "\n");
		report_close(answer);
	}
}

/* Lanes that stand at one place, those on top of the SIMT stack with what they do. */
static void missing_lanes(const struct why_warp *w, const struct exec_simt *e, uint32_t lanes, bool on_top,
			  struct report *answer)
{
	const uint32_t pc = debug_standing_pc(w->w, e, lanes);
	struct text does = {0};
	open_lanes(w, lanes, pc, "  missing: warp {warp}, {threads}, at ", answer);
	debug_lane_place_text(w->d, w->w, lanes_first(lanes), pc, report_prose(answer));
	if (on_top)
		why_warp_does(w, &does);
	else
		text_addf(&does, "waits for lanes 0x%08x of the warp", exec_simt_top(gpu_exec(w->d->g), w->w)->mask);
	report_text(answer, "does", text_str(&does));
	report_line(answer, ": {does}\n");
	report_close(answer);
	text_free(&does);
}

/* Of a warp at another barrier all lanes stand there. */
static void missing_warp(const struct why_warp *w, uint32_t lanes, struct report *answer)
{
	const struct exec_simt *top = exec_simt_top(gpu_exec(w->d->g), w->w);
	if (w->w->state == EXEC_WARP_BARRIER) {
		missing_lanes(w, top, lanes, true, answer);
		return;
	}
	for (const struct exec_simt *e = top; lanes && e > top - w->w->n_simt; e--) {
		const uint32_t here = e->mask & lanes;
		if (here)
			missing_lanes(w, e, here, e == top, answer);
		lanes &= ~here;
	}
}

static void missing(struct debug *d, const struct exec_cta *cta, uint32_t id, struct report *answer)
{
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct why_warp w = why_warp_of(d, cta, k);
		const uint32_t lanes = live_lanes(w.w) & ~arrived_lanes(w.w, id);
		if (lanes)
			missing_warp(&w, lanes, answer);
	}
}

static void exited(struct debug *d, const struct exec_cta *cta, uint32_t id, struct report *answer)
{
	(void)id;
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct why_warp w = why_warp_of(d, cta, k);
		const uint32_t lanes = w.w->lanes & ~live_lanes(w.w);
		if (!lanes)
			continue;
		open_lanes(&w, lanes, w.w->last_pc,
			   w.w->state == EXEC_WARP_DONE ? "  exited: warp {warp}, {threads}, {instruction:brief} at {ptx}[ ({source})]\n" : "  exited: warp {warp}, {threads}\n", answer);
		report_close(answer);
	}
}

static const struct {
	const char *name;
	void (*add)(struct debug *d, const struct exec_cta *cta, uint32_t id, struct report *answer);
} lists[] = {{"arrived", arrived}, {"missing", missing}, {"exited", exited}};

void why_barrier_text(struct debug *d, const struct exec_cta *cta, uint32_t id, struct report *answer)
{
	const struct exec_barrier *b = &cta->barrier[id];
	report_open(answer, NULL);
	report_number(answer, "barrier", id);
	report_triple(answer, "block", cta->id);
	report_number(answer, "waits_for", exec_barrier_wants(gpu_exec(debug_gpu(d)), cta, id));
	report_number(answer, "has", b->arrived);
	report_line(answer, "barrier {barrier} of block {block} waits for {waits_for} threads and has {has}\n");
	for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++) {
		report_list(answer, lists[k].name);
		lists[k].add(d, cta, id, answer);
		report_close(answer);
	}
	report_close(answer);
}

/* Adds that the focused warp is about to arrive at a barrier, and says so. Returns false if its next instruction is none, or another one than `one`. */
static bool about_to_arrive(struct debug *d, const struct debug_where *w, uint64_t one, uint32_t *id, struct report *answer)
{
	uint32_t next;
	if (!w->w || !w->cta || !exec_barrier_ahead(gpu_exec(d->g), w->w, &next) || (one < EXEC_BARRIERS && one != next))
		return false;
	const struct why_warp warp = why_warp_of(d, w->cta, w->warp_index);
	if (why_failed(&warp))
		return false;
	*id = next;
	report_number(answer, "about_to_arrive", *id);
	report_number(answer, "warp", warp.number);
	report_line(answer, "warp {warp} is about to arrive at barrier {about_to_arrive}");
	report_say(answer, exec_barrier_is_used(w->cta, *id) ? "\n" : ", at which no warp waits yet\n");
	return true;
}

bool why_barrier(struct debug *d, const char *args, struct report *answer, struct text *why)
{
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
	uint32_t ahead = EXEC_BARRIERS;
	const bool arrives = about_to_arrive(d, &w, id, &ahead, answer);
	report_list(answer, "barriers");
	for (uint32_t k = 0; w.cta && k < EXEC_BARRIERS; k++) {
		if ((one && k != id) || (!one && arrives && k != ahead) || (!exec_barrier_is_used(w.cta, k) && k != ahead))
			continue;
		any = true;
		why_barrier_text(d, w.cta, k, answer);
	}
	report_close(answer);
	if (any)
		return true;
	report_triple(answer, "block", w.block_id);
	if (one)
		report_number(answer, "barrier", id);
	report_line(answer, one ? "No warp of block {block} waits at barrier {barrier}" : "No warp of block {block} waits at a barrier");
	report_say(answer, "%s", w.cta				? ".\n"
		      : w.state == DEBUG_THREAD_WAITING ? ": it has not started yet.\n"
							: ": it has finished.\n");
	return true;
}
