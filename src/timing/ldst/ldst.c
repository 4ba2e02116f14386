/* The LDST unit: its cycle, its response FIFO, its caches. */
#include "timing/ldst/ldst.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "timing/cluster.h"
#include "timing/core/collector.h"
#include "timing/ldst/ldst_internal.h"
#include "timing/timing.h"

#define ALL_CACHES ((1u << LDST_CACHES) - 1)

/* ---- making ---- */
static const struct cache_config *l1d_config(const struct core_config *cfg, unsigned choice)
{
	const struct cache_config *all[L1D_CHOICES] = {&cfg->l1d, &cfg->l1d_pref_l1, &cfg->l1d_pref_shared};
	return all[choice];
}

/* Creates a cache. Returns false if there is no room. A disabled cache stays NULL. */
static bool make_cache(struct core *c, struct ldst *l, const struct cache_config *cfg, enum ldst_cache which, struct cache **out)
{
	static const enum cache_kind kind[LDST_CACHES] = {CACHE_TEXTURE, CACHE_READ_ONLY, CACHE_DATA};
	static const enum request_status status[LDST_CACHES] = {REQUEST_IN_L1T_MISS_QUEUE, REQUEST_IN_L1C_MISS_QUEUE,
								REQUEST_IN_L1D_MISS_QUEUE};
	if (cfg->disabled)
		return true;
	*out = cache_create(&c->t->memory, &c->t->requests, cfg, kind[which], REQUEST_L1, status[which], &l->lower);
	return *out != NULL;
}

static bool make_caches(struct core *c, struct ldst *l)
{
	const struct core_config *cfg = c->cfg;
	if (!make_cache(c, l, &cfg->l1t, LDST_L1T, &l->cache[LDST_L1T]) ||
	    !make_cache(c, l, &cfg->l1c, LDST_L1C, &l->cache[LDST_L1C]) ||
	    !make_cache(c, l, &cfg->l1d, LDST_L1D, &l->l1d[L1D_DEFAULT]))
		return false;
	l->cache[LDST_L1D] = l->l1d[L1D_DEFAULT];
	for (unsigned k = L1D_PREFER_L1; k < L1D_CHOICES; k++) {
		const struct cache_config *other = l1d_config(cfg, k);
		/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): written member by member into zeroes */
		if (memcmp(other, &cfg->l1d, sizeof *other) && !make_cache(c, l, other, LDST_L1D, &l->l1d[k]))
			return false;
	}
	return true;
}

struct ldst *ldst_create(struct timing_memory *m, struct core *c)
{
	struct ldst *l = xcalloc(1, sizeof *l);
	l->lower = cluster_lower(c);
	l->s = timing_take(m, 1, sizeof *l->s);
	l->log = timing_take(m, 1, sizeof *l->log);
	l->response = fifo_take(m, c->cfg->ldst_response_fifo);
	l->l1d_way = c->cfg->l1_latency && !c->cfg->l1d.disabled ? &ldst_way_pipeline : &ldst_way_at_once;
	if (l->l1d_way == &ldst_way_pipeline && !(l->l1 = timing_take(m, c->cfg->l1_latency, sizeof *l->l1))) {
		ldst_destroy(l);
		return NULL;
	}
	if (l->s && l->log && l->response && ldst_streams_create(l, m, &c->cfg->streams) && make_caches(c, l))
		return l;
	ldst_destroy(l);
	return NULL;
}

void ldst_destroy(struct ldst *l)
{
	if (!l)
		return;
	for (unsigned k = 0; k < L1D_CHOICES; k++)
		if (l->l1d[k])
			cache_destroy(l->l1d[k]);
	if (l->cache[LDST_L1T])
		cache_destroy(l->cache[LDST_L1T]);
	if (l->cache[LDST_L1C])
		cache_destroy(l->cache[LDST_L1C]);
	free(l);
}

/* ---- caches ---- */
struct cache *ldst_cache_in_use(const struct ldst *l, enum ldst_cache k)
{
	if (k == LDST_L1D && l->l1d[l->s->l1d])
		return l->l1d[l->s->l1d];
	return l->cache[k];
}

/* Returns the cache in use, with its cycle counts up to date. */
static struct cache *count_cycles(const struct ldst *l, enum ldst_cache k)
{
	struct cache *cache = ldst_cache_in_use(l, k);
	const uint64_t n = l->s->cycles - l->s->counted[k];
	if (cache && n)
		cache_skip(cache, n);
	l->s->counted[k] = l->s->cycles;
	return cache;
}

struct cache *ldst_wake_cache(const struct ldst *l, enum ldst_cache k)
{
	l->s->quiet &= ~(1u << k);
	return count_cycles(l, k);
}

static void cycle_cache(struct ldst *l, enum ldst_cache k, uint64_t now)
{
	struct ldst_state *s = l->s;
	struct cache *cache = ldst_cache_in_use(l, k);
	if (cache) {
		cache_cycle(cache, now);
		s->counted[k]++;
		if (k == LDST_L1T && cache_response_ready(cache))
			s->responses |= 1u << k;
	}
	if (!cache || cache_quiet(cache))
		s->quiet |= 1u << k;
}

/* Texture, constant, data. */
static void cycle_caches(struct ldst *l, uint64_t now)
{
	l->s->cycles++;
	if (l->s->quiet == ALL_CACHES)
		return;
	for (enum ldst_cache k = 0; k < LDST_CACHES; k++)
		if (!(l->s->quiet >> k & 1))
			cycle_cache(l, k, now);
}

void ldst_choose_l1d(struct core *c, const struct cache_config *l1d)
{
	struct ldst *l = c->ldst;
	uint32_t choice = L1D_DEFAULT;
	for (uint32_t k = L1D_PREFER_L1; k < L1D_CHOICES; k++)
		if (l1d == l1d_config(c->cfg, k))
			choice = k;
	ldst_flush_l1d(c);
	l->s->l1d = choice;
	ldst_flush_l1d(c);
}

void ldst_flush_l1d(struct core *c)
{
	struct cache *cache = ldst_wake_cache(c->ldst, LDST_L1D);
	if (cache)
		cache_invalidate(cache);
}

/* ---- into the unit ---- */
bool ldst_accepts(const struct core *c) { return !c->ldst->s->dispatch; }

/* Thread-level counts per space. */
static void count_instruction(struct core_stats *n, const struct inst *i, const struct timing_insn *ti)
{
	const uint32_t threads = lanes_count(i->active);
	switch (ti->is_param ? ISA_SPACE_PARAM : i->space) {
	case ISA_SPACE_SHARED:
		n->n_shmem_insn += threads;
		break;
	case ISA_SPACE_CONST:
		n->n_const_mem_insn += threads;
		break;
	case ISA_SPACE_PARAM:
		n->n_param_mem_insn += threads;
		break;
	case TIMING_SPACE_TEXTURE:
		n->n_tex_insn += threads;
		break;
	case ISA_SPACE_GLOBAL:
	case ISA_SPACE_LOCAL:
	case TIMING_SPACE_STREAM:
		*(ti->class == TIMING_STORE ? &n->n_store_insn : &n->n_load_insn) += threads;
		break;
	default:
		break;
	}
}

void ldst_issue(struct core *c, uint32_t inst, uint64_t now)
{
	(void)now;
	struct inst *i = &c->inst[inst];
	const uint8_t class = core_insn(c, i)->class;
	/* replies come for each access of a load; each destination register waits for all of them */
	if (class == TIMING_LOAD && i->space != ISA_SPACE_SHARED)
		i->pending = i->n_accesses;
	c->ldst->s->dispatch = inst;
	count_instruction(c->stats, i, core_insn(c, i));
}

bool ldst_response_full(const struct core *c) { return fifo_full(c->ldst->response); }

void ldst_fill(struct core *c, uint32_t request, uint64_t now)
{
	request_set_status(&c->t->requests, request, REQUEST_IN_SHADER_LDST_RESPONSE_FIFO, now);
	fifo_push(c->ldst->response, request);
	c->ldst->s->arrived++;
}

/* ---- the response FIFO's head ---- */
static bool fill_cache(struct ldst *l, enum ldst_cache k, uint32_t request, uint64_t now)
{
	struct cache *cache = ldst_wake_cache(l, k);
	if (!cache_fill_port_free(cache))
		return false;
	cache_fill(cache, request, now);
	l->s->responses |= 1u << k;
	return true;
}

/* Takes the answer to a write. With perfect memory it may be an L1 write-back, for which no warp waits. */
static void acknowledge(struct core *c, uint32_t request)
{
	const struct mem_request *m = request_at(&c->t->requests, request);
	if (m->type != L1_WRBK_ACC)
		core_store_acknowledged(c, m->warp);
	request_free(&c->t->requests, request);
}

/* Takes a response. Returns false if it has to wait. */
static bool take_response(struct core *c, uint32_t request, uint64_t now)
{
	struct ldst *l = c->ldst;
	struct mem_request *m = request_at(&c->t->requests, request);
	if (m->type == TEXTURE_ACC_R)
		return fill_cache(l, LDST_L1T, request, now);
	if (m->type == CONST_ACC_R) {
		request_set_status(&c->t->requests, request, REQUEST_IN_SHADER_FETCHED, now);
		return fill_cache(l, LDST_L1C, request, now);
	}
	if (m->stream && (m->is_write || !l->s->next_global)) {
		ldst_stream_reply(c, request);
		return true;
	}
	if (m->is_write) {
		acknowledge(c, request);
		return true;
	}
	if (!m->bypasses_l1)
		return fill_cache(l, LDST_L1D, request, now);
	if (l->s->next_global)
		return false;
	request_set_status(&c->t->requests, request, REQUEST_IN_SHADER_FETCHED, now);
	l->s->next_global = request_complete(&c->t->requests, request);
	return true;
}

/* ---- the cycle ---- */
static void shift_shared_pipeline(struct ldst_state *s, uint32_t stages)
{
	for (uint32_t k = 0; k + 1 < stages; k++)
		if (!s->stage[k]) {
			s->stage[k] = s->stage[k + 1];
			s->stage[k + 1] = 0;
		}
}

bool ldst_idle(const struct core *c)
{
	const struct ldst_state *s = c->ldst->s;
	return !(s->dispatch | s->next_wb | s->next_global | s->n_shared | s->l1_n | s->responses | s->arrived) &&
	       s->quiet == ALL_CACHES && !ldst_streams_run(c);
}

bool ldst_stuck(const struct core *c)
{
	const struct ldst_state *s = c->ldst->s;
	if (!s->refused || s->next_wb | s->next_global | s->n_shared | s->l1_n | s->responses | s->arrived || ldst_streams_run(c))
		return false;
	return (s->quiet | 1u << LDST_L1D) == ALL_CACHES && cache_quiet(ldst_cache_in_use(c->ldst, LDST_L1D));
}

void ldst_skip(struct core *c, uint64_t cycles)
{
	c->ldst->s->cycles += cycles;
	if (c->ldst->s->refused)
		ldst_count_refused(c, cycles);
	else
		c->ldst->s->stall = STALL_NONE;
}

void ldst_cycle(struct core *c, uint64_t now)
{
	struct ldst *l = c->ldst;
	const bool steps = !c->cfg->rules.collector_after_units;
	if (ldst_idle(c)) {
		if (steps)
			collector_step(c);
		ldst_skip(c, 1);
		return;
	}
	ldst_writeback(c, now);
	if (steps)
		collector_step(c);
	if (l->s->n_shared)
		shift_shared_pipeline(l->s, c->cfg->smem_latency);
	if (l->s->arrived && take_response(c, fifo_top(l->response), now)) {
		fifo_pop(l->response);
		l->s->arrived--;
	}
	cycle_caches(l, now);
	if (l->s->l1_n)
		l->l1d_way->cycle(c, now);
	l->s->stall = STALL_NONE;
	if (l->s->dispatch)
		ldst_access(c, now);
	if (ldst_streams_run(c))
		ldst_streams_send(c, now);
}

/* ---- for observers ---- */
struct cache *ldst_l1c(const struct core *c) { return count_cycles(c->ldst, LDST_L1C); }
struct cache *ldst_l1t(const struct core *c) { return count_cycles(c->ldst, LDST_L1T); }
struct cache *ldst_l1d(const struct core *c) { return count_cycles(c->ldst, LDST_L1D); }

struct cache *ldst_l1d_variant(const struct core *c, uint32_t k)
{
	count_cycles(c->ldst, LDST_L1D);
	return c->ldst->l1d[k];
}

uint32_t ldst_dispatch(const struct core *c) { return c->ldst->s->dispatch; }
uint32_t ldst_next_writeback(const struct core *c) { return c->ldst->s->next_wb; }

uint32_t ldst_shared_stage(const struct core *c, uint32_t stage) { return c->ldst->s->stage[stage]; }
uint32_t ldst_response_length(const struct core *c) { return c->ldst->response->n; }
uint32_t ldst_response_at(const struct core *c, uint32_t k) { return fifo_peek(c->ldst->response, k); }
enum stall_reason ldst_stall_reason(const struct core *c) { return (enum stall_reason)c->ldst->s->stall; }
uint64_t ldst_last_writeback(const struct core *c) { return c->ldst->s->last_writeback; }
