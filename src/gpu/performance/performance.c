/* Performance mode as gpu_run sees it: batches of kernels, requests, and what stops the machine. */
#include "gpu/performance/performance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "exec/pending.h"
#include "gpu/launch/launch.h"
#include "gpu/moment.h"
#include "gpu/statistics/flow_log.h"
#include "gpu/statistics/logs.h"
#include "gpu/stream/stream_internal.h"
#include "gpu/wait/deadlock.h"
#include "gpu/wait/wait.h"

unsigned perf_needs(const struct performance *pf) { return EXEC_NEED_RECORD | (pf->config->core.textbook.is_on ? EXEC_NEED_STAY : EXEC_NEED_DEFER); }

static const struct exec_launch *launch_of(void *gpu, uint32_t id) { return &gpu_launch_at(gpu, id)->launch; }

/* Builds the machine with empty caches and no blocks. Returns false with a message in `why` if a part doesn't fit. */
static bool build(struct gpu *g, struct text *why)
{
	struct performance *pf = g->perf;
	struct timing *t = &pf->timing;
	*t = (struct timing){.gpu = g,
			     .launch = launch_of,
			     .cta = gpu_cta_at(g, 0),
			     .cta_finished = perf_cta_finished,
			     .on_observed = paths_observed,
			     .on_landed = paths_landed,
			     .sleeps = config_bool(g->config, "gpgpu_idle_skip")};
	const struct gpu_state *s = gpu_state(g);
	if (!timing_create(t, pf->config, &g->arena, &g->exec, why))
		return false;
	timing_program_stands(t, t->program.end, s->gone_first, s->gone_end, false);
	if (!exec_pending_fits(&g->exec, (uint64_t)g->n_cores * core_effects_most(&pf->config->core))) {
		text_add(why, "no room for effects under way");
		return false;
	}
	if (gpu_lines_wanted(g) && !timing_keep_lines(t)) {
		text_add(why, "no room for figures of single lines");
		return false;
	}
	pf->n_slots = (uint32_t)config_int(g->config, "gpgpu_max_concurrent_kernel");
	pf->s = timing_take(&t->memory, 1, sizeof *pf->s);
	pf->slots = timing_take(&t->memory, pf->n_slots, sizeof *pf->slots);
	pf->finished = fifo_take(&t->memory, pf->n_slots);
	pf->probes = timing_take(&t->memory, (uint64_t)g->max_slots * EXEC_WARPS_PER_CTA, sizeof *pf->probes);
	if (!pf->s || !pf->slots || !pf->finished || !pf->probes) {
		text_add(why, "no room for the performance model's state");
		return false;
	}
	for (uint32_t k = 0; k < pf->n_slots; k++)
		pf->slots[k] = PERF_FREE_SLOT;
	if (pf->config->core.rules.first_cluster_0)
		pf->s->last_cluster_issue = pf->config->core.n_clusters - 1;
	perf_begin_timelapse(g);
	gpu_state(g)->performance = true;
	exec_set_needs(&g->exec, EXEC_PART_MODE, perf_needs(pf));
	return true;
}

bool perf_create(struct gpu *g, const struct timing_config *cfg, struct text *why)
{
	g->perf = g->machine = xcalloc(1, sizeof *g->perf);
	g->perf->config = cfg;
	if (!build(g, why))
		return false;
	const int64_t interval = config_int(g->config, "gpgpu_cflog_interval");
	if (interval)
		g->perf->flow_log = flow_log_create(g, (uint64_t)interval);
	perf_hook_logs(g);
	return true;
}

void perf_destroy(struct gpu *g)
{
	g->perf = g->machine;
	if (!g->perf)
		return;
	perf_stop_samples(g);
	flow_log_free(g->perf->flow_log);
	timing_destroy(&g->perf->timing);
	free(g->perf);
	g->perf = g->machine = NULL;
}

static void build_again(struct gpu *g)
{
	struct text why = {0};
	const struct timing was = g->perf->timing;
	timing_destroy(&g->perf->timing);
	bool ok = build(g, &why);
	assert(ok && "what was built once can be built again in the same memory");
	timing_observe(&g->perf->timing, &was.observer);
	perf_restart_logs(g);
	text_free(&why);
}

void perf_kill(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	uint64_t insns = g->perf->timing.s->sim_insn;
	while (s->n_resident) {
		const uint32_t slot = gpu_residents(g)[--s->n_resident];
		wait_end_block(g, slot);
		exec_finish_cta(&g->exec, gpu_cta_at(g, slot));
	}
	build_again(g);
	g->perf->timing.s->sim_insn = insns;
}

void perf_reset(struct gpu *g)
{
	build_again(g);
	g->perf->first_sign = g->perf->last_sign = 0;
}

void perf_restore(struct gpu *g, const struct timing_place *at, enum timing_stopped stopped)
{
	struct performance *pf = g->machine;
	g->perf = pf;
	if (!g->arena.section[pf->timing.memory.section].used)
		build_again(g); /* the machine didn't exist then */
	timing_revived(&pf->timing);
	pf->timing.at = *at;
	pf->timing.stopped = stopped;
	pf->timing.watch = (struct timing_watch){0};
	pf->timing.atomic = (struct timing_atomic){0};
	pf->lone_waits = false;
	pf->placed_first = true; /* launches that aren't announced are searched again */
	pf->lacks_memory = false;
}

bool gpu_load_never_completes(const struct gpu *g, uint32_t *pc)
{
	const uint32_t split = g->perf ? g->perf->timing.s->split : 0;
	*pc = split - 1;
	return split;
}

bool perf_next_warp(struct gpu *g, uint32_t *cta_slot, uint32_t *warp)
{
	const struct timing_place *at = &g->perf->timing.at;
	const struct gpu_state *s = gpu_state(g);
	if (perf_inside_tick(g->perf->s)) {
		*cta_slot = at->cta_slot;
		*warp = at->warp;
		return true;
	}
	for (uint32_t k = 0; k < s->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		for (uint32_t w = 0; w < c->n_warps; w++) {
			if (c->warp[w].state != EXEC_WARP_RUNNABLE)
				continue;
			*cta_slot = gpu_residents(g)[k];
			*warp = w;
			return true;
		}
	}
	return false;
}

/* ---- events ---- */

struct running {
	struct gpu *g;
	struct gpu_event *ev;
	uint64_t cycles_left;
	bool halts; /* the request ends at a moment */
};

static bool stop(struct running *run, enum gpu_event_kind kind)
{
	run->ev->kind = kind;
	return false;
}

/* Returns true, with CYCLES stored, if the device is at the moment at which the request ends. */
static bool reached(struct running *run)
{
	return run->halts && gpu_is_at(run->g, run->g->perf->request->until) && !stop(run, GPU_EVENT_CYCLES);
}

static bool stop_at(struct running *run, enum gpu_event_kind kind)
{
	const struct timing_place *at = &run->g->perf->timing.at;
	run->ev->launch = gpu_cta_at(run->g, at->cta_slot)->launch;
	run->ev->cta_slot = at->cta_slot;
	run->ev->warp = at->warp;
	run->ev->pc = at->pc;
	return stop(run, kind);
}

static bool stopped_inside(struct running *run)
{
	struct gpu *g = run->g;
	struct timing *t = &g->perf->timing;
	if (t->atomic.happened) {
		t->atomic.happened = false;
		t->at = t->atomic.at;
		run->ev->atomic_lanes = t->atomic.lanes;
		return stop_at(run, GPU_EVENT_ACCESS);
	}
	switch (t->status) {
	case EXEC_MARK: return stop_at(run, GPU_EVENT_MARK);
	case EXEC_ACCESS: return stop_at(run, GPU_EVENT_ACCESS);
	case EXEC_FAULT:
		stop_at(run, GPU_EVENT_FAULT);
		if (g->exec.fault.kind != EXEC_FAULT_BREAKPOINT)
			gpu_set_state(g, gpu_launch_at(g, run->ev->launch), GPU_LAUNCH_FAILED);
		return false;
	default: return stop_at(run, GPU_EVENT_STEPPED);
	}
}

static void advance_head(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	while (s->head < s->n_launches && (gpu_launch_at(g, s->head)->state == GPU_LAUNCH_DONE ||
					   gpu_launch_at(g, s->head)->state == GPU_LAUNCH_KILLED))
		s->head++;
}

/* Reports the next finished kernel. Returns false if there is one. */
static bool report_finished(struct running *run)
{
	struct gpu *g = run->g;
	struct performance *pf = g->perf;
	if (fifo_empty(pf->finished) || gpu_state(g)->cycle < gpu_launch_at(g, fifo_peek(pf->finished, 0))->ends_at)
		return true;
	uint32_t id = fifo_pop(pf->finished);
	gpu_transition(g);
	struct gpu_launch_info *l = gpu_launch_at(g, id);
	gpu_end_launch(g, l, GPU_LAUNCH_DONE);
	if (l->parent)
		perf_child_finished(g, l);
	advance_head(g);
	run->ev->launch = id;
	if (pf->timing.icnt)
		icnt_close_kernel(pf->timing.icnt);
	return stop(run, GPU_EVENT_KERNEL_DONE);
}

static bool within_limits(struct running *run)
{
	const struct config_device *d = &run->g->device;
	const struct gpu_state *s = gpu_state(run->g);
	const struct performance *pf = run->g->perf;
	if (!gpu_has_limits(d))
		return true;
	const struct gpu_limit limits[] = {{"gpgpu_max_cycle", d->max_cycle, s->cycle},
					   {"gpgpu_max_insn", d->max_insn, pf->timing.s->sim_insn},
					   {"gpgpu_max_cta", s->n_resident ? 0 : d->max_cta, pf->s->ctas_launched}};
	return gpu_within_limits(limits, sizeof limits / sizeof limits[0], run->ev);
}

/* Returns true if the watched warp has exited or its block is done. */
static bool watched_is_over(const struct gpu *g, const struct gpu_request *r)
{
	bool done;
	int32_t slot = gpu_find_cta((struct gpu *)(uintptr_t)g, r->warp_launch, r->warp_cta, &done);
	if (slot < 0)
		return done;
	const struct exec_cta *c = gpu_cta_at(g, (uint32_t)slot);
	return r->warp_index >= c->n_warps || c->warp[r->warp_index].state == EXEC_WARP_DONE;
}

static bool stepped_out(struct running *run)
{
	const struct gpu_request *r = run->g->perf->request;
	bool done;
	int32_t slot = gpu_find_cta(run->g, r->warp_launch, r->warp_cta, &done);
	run->ev->launch = r->warp_launch;
	run->ev->cta_slot = slot < 0 ? 0 : (uint32_t)slot;
	run->ev->warp = r->warp_index;
	run->ev->pc = slot < 0 ? 0 : gpu_cta_at(run->g, (uint32_t)slot)->warp[r->warp_index].last_pc;
	return stop(run, GPU_EVENT_STEPPED);
}

/* Reports the next launch whose first CTA was placed. Returns false if the run ends. */
static bool announce_launches(struct running *run)
{
	struct gpu *g = run->g;
	for (uint32_t k = gpu_state(g)->head; k < gpu_state(g)->n_launches; k++) {
		struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (!l->ctas_started || l->announced)
			continue;
		l->announced = true;
		gpu_transition(g);
		run->ev->launch = k;
		if (g->perf->request->stop_launch)
			return stop(run, GPU_EVENT_LAUNCHED);
		if (reached(run))
			return false;
	}
	g->perf->placed_first = false;
	return true;
}

static bool requests_met(struct running *run)
{
	struct gpu *g = run->g;
	struct performance *pf = g->perf;
	const struct gpu_request *r = pf->request;
	if (pf->placed_first && !announce_launches(run))
		return false;
	if (r->has_warp && watched_is_over(g, r))
		return stepped_out(run);
	if (!run->cycles_left)
		return stop(run, GPU_EVENT_CYCLES);
	if (r->interrupt && *r->interrupt)
		return stop(run, GPU_EVENT_INTERRUPT);
	if (r->due && *r->due)
		return stop(run, GPU_EVENT_DUE);
	if (g->output.n + g->log.n > 1 << 16)
		return stop(run, GPU_EVENT_OUTPUT);
	return true;
}

/* ---- running ---- */

/* Gives the stream manager its turn. Returns false if an operation of the host is due. */
static bool start_operations(struct running *run)
{
	struct gpu *g = run->g;
	struct perf_state *s = g->perf->s;
	if (gpu_state(g)->nothing_ready)
		streams_end_turn(g);
	if (gpu_state(g)->n_waiting && perf_start_operation(g)) {
		s->streams_had_turn = perf_active(g); /* of an idle machine it takes no cycle */
		return streams_hand_to_host(g, run->ev);
	}
	/* the turn may just have passed from stream 0 to the others: no cycle in between */
	if (gpu_state(g)->n_waiting && !perf_active(g) && perf_start_operation(g))
		return streams_hand_to_host(g, run->ev);
	s->streams_had_turn = true;
	if (s->in_batch)
		gpu_transition(g);
	return true;
}

/* Advances time to the end of the next transfer on an idle machine, and gives the stream manager another turn. Returns false if there is no transfer. */
static bool wait_for_transfer(struct running *run)
{
	if (!streams_pass_time(run->g, run->g->perf->request))
		return false;
	run->g->perf->s->streams_had_turn = false;
	return true;
}

static bool go_idle(struct running *run)
{
	struct perf_state *s = run->g->perf->s;
	if (s->in_batch)
		gpu_transition(run->g);
	s->in_batch = s->streams_had_turn = false;
	return stop(run, GPU_EVENT_IDLE);
}

/* Stores ALONE if the last cycle showed that the warp that runs alone can't go on. Returns true if it did, unless the request ends at a moment. */
static bool lone_waits(struct running *run)
{
	const bool waits = run->g->perf->lone_waits;
	run->g->perf->lone_waits = false;
	return waits && !run->halts && !stop(run, GPU_EVENT_ALONE);
}

static bool between_ticks(struct running *run)
{
	struct gpu *g = run->g;
	struct performance *pf = g->perf;
	if (reached(run))
		return false;
	if (gpu_state(g)->host_operation.number)
		return streams_hand_to_host(g, run->ev);
	if (!report_finished(run) || reached(run))
		return false;
	if (gpu_state(g)->children_changed)
		perf_start_children(g);
	streams_settle(g);
	if (reached(run))
		return false;
	if ((!pf->s->streams_had_turn && !start_operations(run)) || reached(run))
		return false;
	if (!perf_active(g))
		return wait_for_transfer(run) || go_idle(run);
	if (!within_limits(run))
		return false;
	if (pf->lacks_memory && !gpu_state(g)->n_resident) {
		text_add(&run->ev->text, GPU_NO_ROOM_FOR_BLOCK);
		return stop(run, GPU_EVENT_DEADLOCK);
	}
	if (pf->s->deadlock || pf->timing.s->stuck) {
		if (pf->s->deadlock)
			gpu_transition(g);
		if (pf->s->deadlock && !pf->timing.s->stuck && streams_admit_other_contexts(g)) {
			pf->s->deadlock = false;
			pf->s->streams_had_turn = false;
			return !reached(run);
		}
		pf->s->deadlock = false;
		if (!pf->timing.s->stuck && machine_hangs(g))
			machine_explain_hang(g, &run->ev->text);
		else
			gpu_explain_deadlock(g, run->ev);
		return stop(run, GPU_EVENT_DEADLOCK);
	}
	return !reached(run) && requests_met(run) && !reached(run) && !lone_waits(run);
}

static bool run_some(struct running *run)
{
	struct gpu *g = run->g;
	struct perf_state *s = g->perf->s;
	if (!perf_inside_tick(s) && !between_ticks(run))
		return false;
	if (!perf_inside_tick(s) && !perf_active(g)) /* only transfers are under way */
		return true;
	/* a tick that was stopped in counts when it is completed */
	if (!run->cycles_left)
		return stop(run, GPU_EVENT_CYCLES);
	if (!perf_tick(g))
		return stopped_inside(run);
	s->streams_had_turn = false;
	if (perf_domain(s, CLOCK_CORE) && run->cycles_left != UINT64_MAX)
		run->cycles_left--;
	return true;
}

static void look_ahead(void *gpu, uint32_t cta_slot, uint32_t warp, uint32_t pc)
{
	const struct gpu *g = gpu;
	const struct gpu_request *r = g->perf->request;
	const struct exec_cta *c = gpu_cta_at(g, cta_slot);
	r->look(r->look_self, c, &c->warp[warp], pc, c->warp[warp].executed);
}

static void set_watch(struct gpu *g, const struct gpu_request *r)
{
	struct timing_watch *w = &g->perf->timing.watch;
	bool done;
	*w = (struct timing_watch){.left = r->has_warp ? r->warp_insns : 0, .marks = r->look ? NULL : r->warp_marks, .look = r->look ? look_ahead : NULL};
	int32_t slot = r->has_warp ? gpu_find_cta(g, r->warp_launch, r->warp_cta, &done) : -1;
	if (slot < 0)
		return;
	w->on = true;
	w->cta_slot = (uint32_t)slot;
	w->warp = r->warp_index;
}

/* Returns true if the moment lies in front of a fault that is still to be reported. */
static bool is_to_fail(const struct gpu *g, const struct gpu_moment *m) { return m->failed > gpu_state(g)->n_failed; }

/* Sets where the machine stops inside a tick to be at the moment. */
static void set_until(struct gpu *g, const struct gpu_moment *m)
{
	struct timing *t = &g->perf->timing;
	t->stop_front = m && m->place == GPU_IN_FRONT && !is_to_fail(g, m) ? m->issued : 0;
	t->stop_after = m && m->place == GPU_AFTER ? m->issued : 0;
	t->stop_landed = m && m->place == GPU_LANDED ? m->landed : 0;
}

void perf_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev)
{
	struct running run = {.g = g, .ev = ev, .cycles_left = r->max_cycles, .halts = r->until != NULL};
	*ev = (struct gpu_event){.launch = gpu_state(g)->head};
	g->perf->request = r;
	g->perf->timing.one = r->one_insn;
	g->exec.pass = r->pass;
	g->exec.launch = NULL; /* the table may have changed */
	set_watch(g, r);
	set_until(g, r->until);
	livelock_resume(g); /* and timing_ask */
	while (run_some(&run))
		;
	for (uint32_t k = 0; k < g->perf->config->core.n_cores; k++)
		core_wake(&g->perf->timing.core[k]);
	g->exec.pass = false;
	g->perf->timing.one = false;
	g->perf->request = NULL;
}
