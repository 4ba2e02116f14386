/* The sync checker at a deadlock: the barriers at which threads wait, and the warps that haven't come there. */
#include <stdio.h>

#include "check/internal.h"
#include "check/sync.h"

static bool is_stuck(const struct gpu *g, const struct exec_cta *cta)
{
	for (uint32_t k = 0; k < cta->n_warps; k++)
		if (cta->warp[k].state == EXEC_WARP_RUNNABLE && !gpu_warp_spins(g, &cta->warp[k]))
			return false;
	return true;
}

static uint64_t warps_at(const struct exec_cta *cta, uint32_t id)
{
	uint64_t warps = 0;
	for (uint32_t k = 0; k < cta->n_warps; k++)
		warps |= exec_lanes_at_barrier(&cta->warp[k], id) ? UINT64_C(1) << k : 0;
	return warps;
}

static uint32_t threads_wanted(const struct check *c, const struct exec_cta *cta, uint32_t id)
{
	const struct exec_barrier *b = &cta->barrier[id];
	for (uint32_t k = 0; k < cta->n_warps; k++)
		if (exec_lanes_at_barrier(&cta->warp[k], id) && cta->warp[k].barrier_count)
			return cta->warp[k].barrier_count;
	return b->expected ? b->expected : (cta->n_warps - cta->n_done) * gpu_exec(c->g)->warp_threads;
}

/* The first lane of a warp that isn't at the barrier: where it is, and what it does there. */
static void describe_missing(struct check *c, const struct exec_cta *cta, uint32_t id, const struct exec_warp *w,
			     struct check_finding *f)
{
	const struct exec *x = gpu_exec(c->g);
	const uint32_t away = w->lanes & ~w->exited & ~exec_lanes_at_barrier(w, id);
	const unsigned lane = lanes_first(away ? away : w->lanes);
	uint32_t pc = w->last_pc;
	if (!away)
		snprintf(f->detail, sizeof f->detail, "has exited");
	else if (w->barrier_lanes >> lane & 1)
		snprintf(f->detail, sizeof f->detail, "waits at barrier %u", w->barrier);
	else if (w->sync_lanes >> lane & 1)
		snprintf(f->detail, sizeof f->detail, "waits for lanes of its warp");
	else
		snprintf(f->detail, sizeof f->detail, "goes round in a loop");
	if (away)
		pc = w->barrier_lanes >> lane & 1 ? w->barrier_pc : exec_simt_of_lane(x, w, lane)->pc;
	check_thread_of(c, cta, w->index, lane, pc, &f->other);
	f->other.op = away && w->barrier_lanes >> lane & 1 ? CHECK_OP_BARRIER : CHECK_OP_NONE;
	f->has_other = true;
}

/* Describes a barrier at which the warps `there` wait, without the thread that does so. */
static void describe(struct check *c, const struct exec_cta *cta, uint32_t id, uint64_t there, struct check_finding *f)
{
	uint64_t part = 0;
	*f = (struct check_finding){.kind = CHECK_MISSING_THREADS,
				    .barrier = id,
				    .wanted = threads_wanted(c, cta, id),
				    .arrived = cta->barrier[id].arrived};
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct exec_warp *w = &cta->warp[k];
		part |= there >> k & 1 && (w->lanes & ~w->exited & ~w->barrier_lanes) ? UINT64_C(1) << k : 0;
		f->missing_warps |= there >> k & 1 ? 0 : UINT64_C(1) << k;
	}
	f->missing_warps = f->missing_warps ? f->missing_warps : part;
	if (f->missing_warps)
		describe_missing(c, cta, id, &cta->warp[__builtin_ctzll(f->missing_warps)], f);
}

/* Reports a barrier for each warp that waits there. After a new finding at which the machine stops, reports only what belongs to known ones. Returns true
 * if the machine is to stop. */
static bool report_barrier(struct check *c, struct sync *s, const struct exec_cta *cta, uint32_t id, bool stops)
{
	const uint64_t there = warps_at(cta, id);
	const uint32_t pc = cta->warp[__builtin_ctzll(there)].barrier_pc;
	struct check_finding f;
	bool stop = false;
	describe(c, cta, id, there, &f);
	WARPS_EACH (k, there) {
		const uint32_t lanes = exec_lanes_at_barrier(&cta->warp[k], id);
		check_thread_of(c, cta, k, lanes_first(lanes), pc, &f.access);
		f.access.op = CHECK_OP_BARRIER;
		if (stops && check_is_new(c, &f))
			return false;
		stop |= check_report(c, &f, lanes);
	}
	sync_barrier_tell(s, cta, id);
	return stop;
}

bool check_deadlock(struct check *c)
{
	struct sync *s = c->engine[CHECK_SYNC];
	bool stop = false;
	if (!(c->on >> CHECK_SYNC & 1))
		return false;
	for (uint32_t slot = 0; slot < gpu_cta_slots_most(c->g); slot++) {
		const struct exec_cta *cta = gpu_cta(c->g, slot);
		if (!cta || !is_stuck(c->g, cta))
			continue;
		for (uint32_t id = 0; id < EXEC_BARRIERS; id++)
			if (warps_at(cta, id) && !sync_barrier_was_told(s, cta, id))
				stop |= report_barrier(c, s, cta, id, stop);
	}
	return stop;
}
