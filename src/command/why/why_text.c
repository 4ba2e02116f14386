/* Words that all reasons share: instructions and threads. */
#include <inttypes.h>
#include <string.h>

#include "debug/view/source.h"
#include "debug/view/view.h"
#include "debug/step/step.h"
#include "command/why/why_internal.h"

const char *why_plural(uint64_t n) { return n == 1 ? "" : "s"; }

void why_insn(struct debug *d, uint32_t pc, struct text *out)
{
	debug_opcode_text(d, pc, out);
	text_add(out, " at ");
	debug_place_text(d, pc, out);
}

bool why_insn_of(const struct why_warp *w, uint32_t lanes, uint32_t pc, struct text *out)
{
	debug_opcode_text(w->d, pc, out);
	text_add(out, " at ");
	return debug_lane_place_text(w->d, w->w, lanes_first(lanes ? lanes : w->w->lanes), pc, out);
}

void why_issued(struct debug *d, uint32_t pc, uint64_t cycle, struct text *out)
{
	debug_opcode_text(d, pc, out);
	text_add(out, " at ");
	debug_position_text(d, debug_ptx_position(d, pc), out);
	text_addf(out, ", issued in cycle %" PRIu64, cycle);
	debug_step_source(d, pc, out);
}

/* Adds the thread of a lane as the cell `name`; appends it to a look. */
static void describe_lane(const struct why_warp *w, unsigned lane, const char *name, struct text *look, struct report *answer)
{
	struct gpu_launch_info info;
	uint32_t id[3];
	if (!gpu_launch_get(w->d->g, w->cta->launch, &info))
		return;
	debug_split3(debug_thread_of(w->d, w->w->index, lane), info.launch.block, id);
	report_triple(answer, name, id);
	text_addf(look, "(%u,%u,%u)", id[0], id[1], id[2]);
}

void describe_threads(const struct why_warp *w, uint32_t lanes, struct report *answer)
{
	struct text look = {0};
	const char *between = "";
	text_add(&look, lanes_count(lanes) == 1 ? "thread " : "threads ");
	report_list(answer, "threads");
	for (unsigned first = 0; first < LANES; first++) {
		if (!(lanes >> first & 1))
			continue;
		unsigned last = first;
		while (last + 1 < LANES && lanes >> (last + 1) & 1)
			last++;
		text_add(&look, between);
		report_open(answer, NULL);
		describe_lane(w, first, "first", &look, answer);
		if (last > first) {
			text_add(&look, last == first + 1 ? ", " : " to ");
			describe_lane(w, last, "last", &look, answer);
		}
		report_close(answer);
		between = ", ";
		first = last;
	}
	report_close(answer);
	report_look(answer, "%s", text_str(&look));
	text_free(&look);
}
