/* What the answers of pictures share. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "command/picture/picture.h"
#include "debug/describe.h"
#include "gpu/statistics/timelapse.h"

bool picture_span(struct debug *d, uint32_t launch, uint64_t *first, uint64_t *last, struct text *why)
{
	struct gpu_launch_info info;
	uint64_t end;
	if (!gpu_launch_get(d->g, launch, &info)) {
		text_addf(why, "there is no launch %u", launch);
		return false;
	}
	if (!info.performance) {
		text_addf(why, "launch %u ran in functional mode, which has no cycles", launch);
		return false;
	}
	if (!gpu_statistics_span(d->g, launch, first, &end)) {
		text_addf(why, "launch %u hasn't begun", launch);
		return false;
	}
	const uint64_t now = gpu_cycle(d->g);
	*last = end ? end : now;
	*last -= *last > *first;
	return true;
}

void picture_instruction(struct debug *d, uint32_t pc, struct report *answer)
{
	report_number(answer, "index", pc);
	describe_place(d, answer, pc);
}

struct costly {
	uint64_t cost;
	size_t place;
};

static int costliest_first(const void *a, const void *b)
{
	const struct costly *x = a, *y = b;
	if (x->cost != y->cost)
		return x->cost < y->cost ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

bool *picture_costliest(const uint64_t *cost, size_t n, size_t most)
{
	bool *chosen = xcalloc(n + 1, sizeof *chosen);
	struct costly *v = xcalloc(n + 1, sizeof *v);
	for (size_t k = 0; k < n; k++)
		v[k] = (struct costly){.cost = cost[k], .place = k};
	qsort(v, n, sizeof *v, costliest_first);
	for (size_t k = 0; k < n && k < most; k++)
		chosen[v[k].place] = true;
	free(v);
	return chosen;
}

bool *picture_instructions(struct debug *d, size_t most)
{
	const uint32_t n = debug_program(d)->n_insns;
	struct exec_count *count = xcalloc(n + 1u, sizeof *count);
	uint64_t *cost = xcalloc(n + 1u, sizeof *cost);
	gpu_instruction_counts(d->g, 0, n, count);
	for (uint32_t pc = 0; pc < n; pc++)
		cost[pc] = count[pc].cycles + count[pc].warps; /* functional mode has no cycles */
	bool *chosen = picture_costliest(cost, n, most);
	free(cost);
	free(count);
	return chosen;
}

bool picture_longest_launch(struct debug *d, uint32_t *launch)
{
	struct gpu_launch_info info;
	uint64_t first, last, most = 0;
	bool found = false;
	for (uint32_t k = 0; gpu_launch_get(d->g, k, &info); k++) {
		struct text why = {0};
		const bool has_span = info.state != GPU_LAUNCH_QUEUED && picture_span(d, k, &first, &last, &why);
		text_free(&why);
		if (!has_span || (found && last - first <= most))
			continue;
		*launch = k;
		most = last - first;
		found = true;
	}
	return found;
}

bool picture_cycles(uint32_t launch, uint64_t *first, uint64_t *last, uint64_t from, uint64_t to, struct text *why)
{
	if (to < *first || from > *last) {
		text_addf(why, "launch %u ran in the cycles %" PRIu64 " to %" PRIu64 ", none of %" PRIu64 " to %" PRIu64, launch, *first, *last, from, to);
		return false;
	}
	*first = from > *first ? from : *first;
	*last = to < *last ? to : *last;
	return true;
}

bool picture_core(struct debug *d, int64_t core, struct text *why)
{
	const uint32_t n = gpu_machine_timing(d->g)->cfg->core.n_cores;
	if (core < (int64_t)n)
		return true;
	text_addf(why, "there is no core %" PRId64 ": they are 0 to %u", core, n - 1);
	return false;
}
