/* What the answers of pictures share. */
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
