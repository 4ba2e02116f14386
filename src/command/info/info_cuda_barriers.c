/* `info cuda barriers`: cuda-gdb's table of what the lanes of the focused warp do and where they wait for each other. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/scan.h"
#include "command/info.h"
#include "debug/view/focus.h"

struct lane_state {
	const char *name;
	bool active, exited;
	int entry; /* of the SIMT stack below the lane's own: where it meets others; -1: none */
};

static struct lane_state state_of(struct debug *d, const struct exec_warp *w, unsigned lane)
{
	struct lane_state s = {.name = "Exited", .exited = true, .entry = -1};
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), w), *e = top;
	if (w->state == EXEC_WARP_DONE || !w->n_simt || w->exited >> lane & 1)
		return s;
	const struct exec_simt *first = top - (w->n_simt - 1);
	while (e > first && !(e->mask >> lane & 1))
		e--;
	s.exited = false;
	const bool waits = w->barrier_lanes >> lane & 1;
	s.active = top->mask >> lane & 1 && w->state != EXEC_WARP_BARRIER;
	s.name = waits ? "Blocked" : s.active ? "Ready" : "BlockedPlus";
	for (e--; e >= first && s.entry < 0; e--)
		if (e->mask >> lane & 1)
			s.entry = (int)(e - first);
	return s;
}

static bool same_state(const struct lane_state *a, const struct lane_state *b)
{
	return a->name == b->name && a->entry == b->entry && a->active == b->active;
}

/* (0-15,20) */
static void lane_ranges(uint32_t lanes, struct text *out)
{
	text_addc(out, '(');
	for (unsigned first = 0; first < LANES; first++) {
		unsigned last = first;
		if (!(lanes >> first & 1))
			continue;
		while (last + 1 < LANES && lanes >> (last + 1) & 1)
			last++;
		text_addf(out, last > first ? "%s%u-%u" : "%s%u", lanes & (lanes_bit(first) - 1) ? "," : "", first,
			  last);
		first = last;
	}
	text_addc(out, ')');
}

bool cuda_barriers(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Ln(s)",  "Thread State", "Active",
					     "Exited", "Collective",   "Warp Convergence Barrier(s)"};
	struct debug_where f;
	if (!scan_end(args, why))
		return false;
	if (!debug_focus_where(d, &f) || !f.cta)
		return debug_fail(why, "Focus is not set on any active CUDA kernel.");
	struct lane_state mine = state_of(d, f.w, f.lane);
	if (f.w->barrier_lanes >> f.lane & 1)
		report_say(answer, "Focus is blocked on a Block Barrier.\n");
	else if (!mine.active && !mine.exited)
		report_say(answer, "Focus is blocked on a Warp Barrier.\n");
	report_table(answer, "barriers", titles, 6);
	uint32_t left = f.w->lanes;
	while (left) {
		struct lane_state s = state_of(d, f.w, lanes_first(left));
		struct text ranges = {0};
		uint32_t group = 0;
		LANES_EACH (lane, left) {
			struct lane_state other = state_of(d, f.w, lane);
			if (same_state(&s, &other))
				group |= lanes_bit(lane);
		}
		report_row(answer, group >> f.lane & 1);
		if (left == f.w->lanes)
			report_row_heading(answer, "Device 0 SM %u Wp %u", f.core, f.warp);
		lane_ranges(group, &ranges);
		report_text(answer, NULL, text_str(&ranges));
		report_text(answer, NULL, s.name);
		report_flag(answer, NULL, s.active);
		report_flag(answer, NULL, s.exited);
		report_flag(answer, NULL, false);
		if (s.entry < 0)
			report_none(answer, NULL, "none");
		else
			report_signed(answer, NULL, s.entry);
		text_free(&ranges);
		left &= ~group;
	}
	report_close(answer);
	return true;
}
