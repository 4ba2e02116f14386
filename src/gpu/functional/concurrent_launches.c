/* Functional mode with launches of several streams on the device: selects the running launch, which is the head or gpu_state.other. The other launches
 * that have begun keep their resident blocks. */
#include "gpu/functional/functional.h"
#include "gpu/stream/stream_internal.h"

static bool has_begun(const struct gpu_launch_info *l)
{
	return !l->parent && (l->state == GPU_LAUNCH_RUNNING || l->state == GPU_LAUNCH_FAILED);
}

/* Makes a launch the running launch. */
static void set_running(struct gpu *g, uint32_t launch)
{
	struct gpu_state *s = gpu_state(g);
	s->other = launch == s->head ? 0 : launch + 1;
}

void functional_resume_concurrent(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	uint32_t id = s->head;
	if (s->nested || !s->n_begun || has_begun(gpu_launch_at(g, gpu_running(g))))
		return;
	while (!has_begun(gpu_launch_at(g, id)))
		id++;
	set_running(g, id);
}

bool functional_start_any_block(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	const uint32_t before = gpu_running(g);
	if (functional_is_in_turn(g, gpu_launch_at(g, before)) && functional_start_block(g))
		return true;
	for (uint32_t id = s->head; s->has_concurrent && !s->nested && id < s->n_launches; id++) {
		if (!has_begun(gpu_launch_at(g, id)) || !functional_is_in_turn(g, gpu_launch_at(g, id)))
			continue;
		set_running(g, id);
		if (functional_start_block(g))
			return true;
	}
	if (!s->nested)
		set_running(g, before);
	return false;
}

bool functional_operation_is_ready(struct gpu *g)
{
	if (gpu_state(g)->nested)
		return false;
	streams_settle(g);
	return gpu_state(g)->host_operation.number || streams_next_in_order(g);
}

void functional_set_running(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	if (s->has_concurrent && !s->nested)
		set_running(g, gpu_cta_at(g, gpu_residents(g)[s->current])->launch);
}

bool functional_pass_to_context(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	const uint32_t now = gpu_launch_at(g, gpu_running(g))->launch.context;
	uint32_t next = now, distance = GPU_CONTEXTS;
	for (uint32_t id = s->head; gpu_contexts(g) != 1 && !s->nested && id < s->n_launches; id++) {
		const uint32_t context = gpu_launch_at(g, id)->launch.context, d = (context - now) % GPU_CONTEXTS;
		if (!d || d >= distance || !has_begun(gpu_launch_at(g, id)))
			continue;
		next = context;
		distance = d;
	}
	if (next == now)
		return false;
	s->turn_context = next + 1;
	return true;
}
