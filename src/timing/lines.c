/* Figures of each instruction of the program, for the source view of AerialVision (-enable_ptx_file_line_stats). Source: GPGPU-Sim 3.2.2. */
#include "timing/timing.h"

static void on_dram(void *timing, uint32_t request)
{
	struct timing *t = timing;
	const struct mem_request *m = request_at(&t->requests, request);
	if (t->log_dram)
		t->log_dram(t->log_self, request);
	if (t->line && m->pc != REQUEST_NO_PC && m->pc < t->exec->program->n_insns)
		timing_line_of(t, m->pc)->dram_traffic += m->size;
}

void timing_watch_dram(struct timing *t) { partitions_watch_dram(t->partitions, on_dram, t); }

bool timing_keep_lines(struct timing *t)
{
	t->line_section = timing_section(t->memory.arena, "lines", t->memory.limits->lines);
	if (t->line_section < 0)
		return false;
	t->line = arena_at(t->memory.arena, t->line_section, 0);
	timing_watch_dram(t);
	return timing_lines_fit(t, t->exec->program->n_insns);
}

bool timing_lines_fit(struct timing *t, uint32_t n_insns)
{
	return !t->line || arena_use(t->memory.arena, t->line_section, (uint64_t)n_insns * sizeof *t->line);
}

/* Did it send lanes different ways? The stack has grown; or the lanes that aren't on top any more have gone on to the place where all meet,
 * which was on the stack already. (If it was the highest lane that went there, GPGPU-Sim doesn't call that a divergence.) */
static bool diverged(uint32_t active, const struct timing_step *step)
{
	const uint32_t live = active & ~step->exited, top = step->mask & ~step->exited;
	if (!step->branches || !live)
		return false;
	if (step->depth != step->depth_before)
		return step->depth > step->depth_before;
	return top != live && !(top & ~live) && top >> (31 - __builtin_clz(live)) & 1;
}

void timing_count_issue(struct timing *t, const struct inst *i, const struct timing_step *step)
{
	struct timing_line *line = timing_line_of(t, i->pc);
	line->count += (uint64_t)__builtin_popcount(i->issue_mask);
	line->executed += (uint64_t)__builtin_popcount(i->active);
	line->divergences += diverged(i->issue_mask, step);
}
