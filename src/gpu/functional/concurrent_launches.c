/* Functional mode with launches of several streams on the device: whose turn it is. The one that has the head's place or `other` runs; the rest have
 * begun, too, and their blocks stay where they are. */
#include "gpu/functional/functional.h"
#include "gpu/stream/stream_internal.h"

static bool has_begun(const struct gpu_launch_info *l)
{
	return !l->parent && (l->state == GPU_LAUNCH_RUNNING || l->state == GPU_LAUNCH_FAILED);
}

static void let_run(struct gpu *g, uint32_t launch)
{
	struct gpu_state *s = gpu_state(g);
	s->other = launch == s->head ? 0 : launch + 1;
}

/* One has ended: another one that has begun beside it goes on. */
void gpu_take_begun(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	uint32_t id = s->head;
	if (s->nested || !s->n_begun || has_begun(gpu_launch_at(g, gpu_running(g))))
		return;
	while (!has_begun(gpu_launch_at(g, id)))
		id++;
	let_run(g, id);
}

/* The next block of the launch that runs, else of one that has begun beside it. */
bool gpu_start_any_block(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	const uint32_t before = gpu_running(g);
	if (gpu_start_block(g))
		return true;
	for (uint32_t id = s->head; s->several && !s->nested && id < s->n_launches; id++) {
		if (!has_begun(gpu_launch_at(g, id)))
			continue;
		let_run(g, id);
		if (gpu_start_block(g))
			return true;
	}
	if (!s->nested)
		let_run(g, before);
	return false;
}

bool gpu_operation_ready(struct gpu *g)
{
	if (gpu_state(g)->nested)
		return false;
	streams_settle(g);
	return gpu_state(g)->host_operation.number || streams_next_in_order(g);
}

/* Whose block was chosen is the launch that runs. */
void gpu_note_running(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	if (s->several && !s->nested)
		let_run(g, gpu_cta_at(g, gpu_residents(g)[s->current])->launch);
}
