/* A SIMT core as a whole: its cycle, its pools, CTAs placed on it, completed instructions. */
#include <string.h>

#include "timing/core/collector.h"
#include "timing/core/front.h"
#include "timing/ldst/ldst.h"
#include "timing/core/units.h"

#define NO_LAUNCH UINT32_MAX

/* ---- sleeping: cycles in which nothing can change are counted only ---- */

/* Returns true if the coming cycles do nothing but count, until something arrives. */
static bool can_sleep(const struct core *c)
{
	const struct core_state *s = c->s;
	const uint64_t open = s->runnable & ~s->blocked;
	if (s->fetchable | s->retirable || s->fetch_valid || s->l1i_busy)
		return false;
	if (!open && units_idle(c) && collector_idle(c) && ldst_idle(c))
		return true;
	/* or all that is under way waits for the LDST unit, which waits for memory; lists of warps move on meanwhile, so not with those */
	return !c->cfg->rules.awake_while_stuck && !c->t->lists && ldst_stuck(c) && !(open & ~front_starving(c)) &&
	       units_stuck(c) && collector_stuck(c);
}

/* Counts n turns of a scheduler in which nothing issued, and reports them to the observer of turns. */
static void add_slept(struct core *c, uint32_t scheduler, enum timing_turn what, uint64_t n, uint64_t *count)
{
	if (c->t->observer.on_turn && n) {
		c->t->observer.on_turn(c->t->observer.self, c, scheduler, TURN_BEGINS, 0, 0);
		c->t->observer.on_turn(c->t->observer.self, c, scheduler, what, 0, n);
	}
	*count += n;
}

static void count_slept(struct core *c, uint64_t n)
{
	const uint64_t open = c->s->runnable & ~c->s->blocked; /* waits for a pipeline register */
	for (uint32_t k = 0; k < c->cfg->schedulers; k++) {
		if (open & c->scheduler[k].mine) {
			add_slept(c, k, TURN_PIPELINE, n, &c->stats->stall);
			continue;
		}
		const uint64_t held = scheduler_skip(c, k, n);
		add_slept(c, k, TURN_SCOREBOARD, held, &c->stats->w0_scoreboard);
		add_slept(c, k, TURN_IDLE, n - held, &c->stats->w0_idle);
	}
	c->stats->cycles += n;
}

void core_wake(struct core *c)
{
	struct core_state *s = c->s;
	const uint64_t n = s->slept;
	s->asleep = false;
	front_count_l1i(c);
	if (!n)
		return;
	s->slept = 0;
	count_slept(c, n);
	front_turn_schedulers(c, n);
	collector_skip(c, n * (c->cfg->rules.collector_after_units ? 1 : c->cfg->warp_parts));
	ldst_skip(c, n * c->cfg->warp_parts);
	cache_skip(c->l1i, n);
}

void core_hold_warp(struct core *c, uint32_t warp, bool is_held)
{
	struct core_warp *w = &c->warp[warp];
	if (!(w->waits & CORE_HELD) == !is_held)
		return;
	core_wake(c);
	w->waits ^= CORE_HELD;
	front_update(c, warp);
}

/* ---- the cycle ---- */

enum core_result core_cycle(struct core *c, uint64_t now)
{
	if (c->textbook)
		return textbook_cycle(c, now) ? CORE_DONE : CORE_STOPPED;
	if (c->cfg->rules.empty_cores_rest && !c->s->threads_left && !c->s->active_ctas)
		return CORE_DONE;
	if (c->s->asleep) {
		c->s->slept++;
		c->t->requests.s->next_uid += c->s->passes;
		return CORE_DONE;
	}
	if (!c->s->in_issue && !c->s->executed) {
		c->stats->cycles++;
		units_writeback(c, now);
		units_execute(c, now);
		if (c->cfg->rules.collector_after_units)
			collector_step(c);
		c->s->executed = c->t->atomic.happened;
		if (c->s->executed)
			return CORE_STOPPED;
	}
	c->s->executed = false;
	if (!front_issue(c, now))
		return CORE_STOPPED;
	front_decode(c);
	front_fetch(c, now);
	if (c->t->observer.on_cycle)
		c->t->observer.on_cycle(c->t->observer.self, c, now);
	c->s->asleep = c->t->sleeps && can_sleep(c);
	if (c->s->asleep)
		c->s->passes = ldst_stuck(c) ? c->cfg->warp_parts : 0;
	return CORE_DONE;
}

/* ---- CTAs ---- */

static void place_warp(struct core *c, uint32_t warp, const struct core_cta *cta, uint32_t index, uint32_t threads,
		       uint32_t entry)
{
	struct core_warp *w = &c->warp[warp];
	*w = (struct core_warp){
		.used = true,
		.cta = (uint8_t)(cta - c->s->cta),
		.threads = (uint16_t)threads,
		.cta_slot = cta->cta_slot,
		.index = (uint8_t)index,
		.fetch_pc = entry,
		.dynamic_id = c->s->next_dynamic_id++,
	};
	c->s->live |= UINT64_C(1) << warp;
	c->s->threads_left += threads;
	scheduler_warp_placed(c, warp);
	front_update(c, warp);
}

void core_place_cta(struct core *c, uint32_t slot, uint32_t cta_slot, const struct exec_launch *l, uint64_t now)
{
	core_wake(c);
	struct core_cta *cta = &c->s->cta[slot];
	const uint32_t entry = c->t->exec->program->functions[l->function]->first;
	*cta = (struct core_cta){
		.used = true,
		.cta_slot = cta_slot,
		.launch = l->id,
		.threads_left = l->threads_per_cta,
		.first_warp = slot * l->warps_per_cta,
		.n_warps = l->warps_per_cta,
	};
	for (uint32_t k = 0; k < l->warps_per_cta; k++) {
		const uint32_t threads = lanes_count(exec_lanes_of(c->t->exec, k, l->threads_per_cta));
		place_warp(c, cta->first_warp + k, cta, k, threads, entry);
	}
	c->s->active_ctas++;
	if (c->textbook)
		textbook_placed(c, slot, now);
	ldst_streams_begin(c, cta_slot);
}

/* ---- creation ---- */

static bool take_state(struct core *c, struct timing_memory *m)
{
	const struct core_config *cfg = c->cfg;
	c->s = timing_take(m, 1, sizeof *c->s);
	c->warp = timing_take(m, cfg->n_warps, sizeof *c->warp);
	c->inst = timing_take_pool(m, CORE_INSTS, sizeof *c->inst);
	c->access = timing_take_pool(m, CORE_ACCESSES, sizeof *c->access);
	c->stats = timing_take(m, 1, sizeof *c->stats);
	c->scheduler = timing_take(m, cfg->schedulers, sizeof *c->scheduler);
	c->textbook = cfg->textbook.is_on ? timing_take(m, 1, sizeof *c->textbook) : NULL;
	if (cfg->textbook.is_on && !c->textbook)
		return false;
	if (!c->s || !c->warp || !c->inst || !c->access || !c->stats || !c->scheduler)
		return false;
	for (uint32_t k = 0; k < core_pipe_count(cfg->model); k++)
		pipe_init(&c->s->pipes, core_pipe_at(cfg->model, k), cfg->pipe_width[core_pipe_at(cfg->model, k)]);
	c->s->launch = NO_LAUNCH;
	return true;
}

bool core_create(struct core *c, struct timing *t, uint32_t id)
{
	const struct cache_lower lower = cluster_lower(c);
	c->t = t;
	c->cfg = &t->cfg->core;
	c->program = &t->program;
	c->id = id;
	c->cluster = id / c->cfg->cores_per_cluster;
	if (!take_state(c, &t->memory))
		return false;
	c->l1i = cache_create(&t->memory, &t->requests, &c->cfg->l1i, CACHE_READ_ONLY, REQUEST_L1,
			      REQUEST_IN_L1I_MISS_QUEUE, &lower);
	const bool has_collector = collector_create(&t->memory, c);
	c->units = units_create(&t->memory, c);
	c->ldst = ldst_create(&t->memory, c);
	if (!c->l1i || !has_collector || !c->units || !c->ldst)
		return false;
	core_restart(c);
	scheduler_init(c);
	t->lists = scheduler_has_list(c);
	timing_look_at_turns(t);
	return true;
}

void core_destroy(struct core *c)
{
	cache_destroy(c->l1i);
	units_destroy(c->units);
	ldst_destroy(c->ldst);
}

void core_restart(struct core *c)
{
	struct core_state *s = c->s;
	memset(c->warp, 0, c->cfg->n_warps * sizeof *c->warp);
	memset(s->starved, 0, sizeof s->starved);
	s->starving = 0;
	s->live = s->runnable = s->blocked = s->fetchable = s->retirable = 0;
	s->threads_left = s->active_ctas = 0;
	s->launch = NO_LAUNCH;
	s->fetch_valid = s->executed = s->in_issue = false;
	s->l1i_busy = true;
	if (c->textbook)
		textbook_restart(c);
	memset(s->cta, 0, sizeof s->cta);
}
