/* The LDST unit's access stage: the instruction in the dispatch register makes one access a cycle, and leaves when all are made. */
#include "timing/cluster.h"
#include "timing/ldst/ldst_internal.h"
#include "timing/timing.h"

/* Why an instruction stays: as GPGPU-Sim 3.2.2 counts it, where most reasons are overwritten by the last test, and really. */
struct stall {
	enum stall_reason counted, real;
};

static bool is_store(const struct core *c, const struct inst *i) { return core_insn(c, i)->class == TIMING_STORE; }

/* ---- one access ---- */
uint32_t ldst_make_request(struct core *c, uint32_t inst, uint64_t now)
{
	const struct inst *i = &c->inst[inst];
	const struct mem_access *a = &c->access[i->accesses];
	const uint32_t r = request_new(&c->t->requests, now);
	if (!r)
		return 0;
	struct mem_request *m = request_at(&c->t->requests, r);
	m->address = a->address;
	m->size = a->size;
	m->lanes = a->lanes;
	m->type = a->type;
	m->is_write = a->is_write;
	m->is_atomic = core_insn(c, i)->is_atomic;
	m->sector = (uint8_t)(a->address / REQUEST_SECTOR_BYTES % REQUEST_SECTORS);
	m->chunks = a->chunks;
	m->bytes[0] = a->bytes[0];
	m->bytes[1] = a->bytes[1];
	m->pc = i->pc;
	m->inst = a->is_write ? 0 : inst; /* a store is gone when its accesses are sent */
	m->core = (uint16_t)c->id;
	m->cluster = (uint16_t)c->cluster;
	m->warp = i->warp;
	m->cta_slot = c->warp[i->warp].cta_slot;
	return r;
}

void ldst_next_access(struct core *c, struct inst *i)
{
	const uint32_t a = i->accesses;
	i->accesses = c->access[a].next;
	i->n_accesses--;
	core_free_access(c, a);
}

/* Returns why the access was not made. */
static enum stall_reason access_cache(struct core *c, struct cache *cache, uint32_t inst, uint64_t now)
{
	struct inst *i = &c->inst[inst];
	unsigned events = 0;
	if (!cache_data_port_free(cache))
		return STALL_DATA_PORT;
	if (cache_refuses_again(cache, c->access[i->accesses].type)) {
		request_pass(&c->t->requests);
		return is_store(c, i) ? STALL_WB_CACHE_RSRV_FAIL : STALL_MSHR_RC_FAIL;
	}
	const uint32_t r = ldst_make_request(c, inst, now);
	if (!r)
		return STALL_MSHR_RC_FAIL;
	const enum cache_outcome outcome = cache_access(cache, request_at(&c->t->requests, r)->address, r, now, &events);
	if (outcome == CACHE_RESERVATION_FAIL) {
		request_free(&c->t->requests, r);
		return is_store(c, i) ? STALL_WB_CACHE_RSRV_FAIL : STALL_MSHR_RC_FAIL;
	}
	ldst_log_taken(c, cache, request_at(&c->t->requests, r), c->access[i->accesses].address, outcome, events);
	if (events & CACHE_WRITE_SENT) /* the request has a line's size only if it is a read */
		for (uint32_t k = ldst_store_parts(c, request_at(&c->t->requests, r)); k; k--)
			core_store_sent(c, i->warp);
	if (outcome == CACHE_HIT && !is_store(c, i))
		i->pending--;
	if (cache_gives_back(outcome, events))
		request_free(&c->t->requests, r);
	ldst_next_access(c, i);
	return STALL_NONE;
}

static enum stall_reason access_network(struct core *c, uint32_t inst, uint64_t now)
{
	struct inst *i = &c->inst[inst];
	const bool carries_data = is_store(c, i) || core_insn(c, i)->is_atomic;
	const uint32_t bytes = c->access[i->accesses].size + REQUEST_CONTROL_BYTES;
	if (!cluster_can_inject(c->t, c->cluster, bytes, carries_data))
		return STALL_ICNT_RC_FAIL;
	const uint32_t r = ldst_make_request(c, inst, now);
	if (!r)
		return STALL_MSHR_RC_FAIL;
	request_at(&c->t->requests, r)->bypasses_l1 = true;
	const uint32_t parts = ldst_store_parts(c, request_at(&c->t->requests, r));
	cluster_inject(c, r, now);
	ldst_next_access(c, i);
	for (uint32_t k = 0; is_store(c, i) && k < parts; k++)
		core_store_sent(c, i->warp);
	return STALL_NONE;
}

/* ---- the checks, by space: true when the instruction has made all its accesses ---- */
static bool shared_cycle(struct inst *i, struct stall *why)
{
	if (i->dispatch)
		i->dispatch--;
	if (i->dispatch)
		why->counted = why->real = STALL_BK_CONF;
	return !i->dispatch;
}

static bool constant_cycle(struct core *c, uint32_t inst, uint64_t now, struct stall *why)
{
	struct inst *i = &c->inst[inst];
	if (!i->n_accesses)
		return true;
	if (c->cfg->perfect_const) { /* 4.x: all of them in one cycle */
		for (i->pending = 0; i->n_accesses;)
			ldst_next_access(c, i);
		return true;
	}
	why->real = access_cache(c, ldst_wake_cache(c->ldst, LDST_L1C), inst, now);
	if (!i->n_accesses)
		return true;
	why->counted = why->real == STALL_DATA_PORT ? STALL_DATA_PORT : STALL_BK_CONF;
	if (why->counted == STALL_BK_CONF)
		c->stats->n_cmem_portconflict++;
	if (!why->real)
		why->real = STALL_BK_CONF;
	return false;
}

/* A hit comes back in its turn, too, so that the access stage sees only accepted and refused ones. */
static bool texture_cycle(struct core *c, uint32_t inst, uint64_t now, struct stall *why)
{
	struct inst *i = &c->inst[inst];
	if (!i->n_accesses)
		return true;
	why->real = access_cache(c, ldst_wake_cache(c->ldst, LDST_L1T), inst, now);
	if (!i->n_accesses)
		return true;
	why->counted = STALL_BK_CONF;
	if (!why->real)
		why->real = STALL_BK_CONF;
	return false;
}

bool ldst_bypasses_l1d(const struct core *c, const struct timing_insn *ti, enum isa_space space)
{
	return !ldst_cache_in_use(c->ldst, LDST_L1D) || ti->cache_op == TIMING_CACHE_GLOBAL ||
	       (space == ISA_SPACE_GLOBAL && c->cfg->skip_l1d);
}

static bool bypasses_l1d(const struct core *c, const struct inst *i)
{
	return ldst_bypasses_l1d(c, core_insn(c, i), (enum isa_space)i->space);
}

/* Returns the way of an instruction's accesses. */
static const struct ldst_way *way_of(const struct core *c, const struct inst *i)
{
	return bypasses_l1d(c, i) ? &ldst_way_past : c->ldst->l1d_way;
}

static enum stall_reason access_l1d_at_once(struct core *c, uint32_t inst, uint64_t now)
{
	struct cache *cache = ldst_wake_cache(c->ldst, LDST_L1D);
	const enum stall_reason why = access_cache(c, cache, inst, now);
	c->ldst->s->refused = why && cache_is_refusing(cache);
	return why;
}

static bool memory_cycle(struct core *c, uint32_t inst, uint64_t now, struct stall *why)
{
	struct inst *i = &c->inst[inst];
	if (!i->n_accesses)
		return true;
	why->real = way_of(c, i)->access(c, inst, now);
	if (!i->n_accesses)
		return true;
	why->counted = STALL_COAL_STALL;
	if (!why->real)
		why->real = STALL_COAL_STALL;
	return false;
}

static bool stream_cycle(struct core *c, uint32_t inst, struct stall *why)
{
	struct inst *i = &c->inst[inst];
	if (!i->n_accesses)
		return true;
	why->counted = why->real = ldst_stream_access(c, i);
	if (!i->n_accesses)
		return true;
	if (!why->real)
		why->counted = why->real = STALL_COAL_STALL;
	return false;
}

/* ---- for observers ---- */
static bool network_obstacle(const struct core *c, const struct inst *i, struct text *out)
{
	const uint32_t bytes = c->access[i->accesses].size + REQUEST_CONTROL_BYTES;
	const bool carries_data = is_store(c, i) || core_insn(c, i)->is_atomic;
	if (cluster_can_inject(c->t, c->cluster, bytes, carries_data))
		return false;
	text_addf(out, "the network has no room for a packet of %u bytes", carries_data ? bytes : REQUEST_CONTROL_BYTES);
	return true;
}

static bool cache_obstacle(const struct core *c, const struct inst *i, enum ldst_cache which, struct text *out)
{
	static const char *const names[LDST_CACHES] = {"L1T", "L1C", "L1D"};
	const struct mem_access *a = &c->access[i->accesses];
	const struct cache *cache = ldst_cache_in_use(c->ldst, which);
	const char *why = cache_data_port_free(cache)
				  ? cache_refusal(cache, a->address, (enum access_type)a->type, a->is_write, NULL)
				  : "its data port is busy";
	if (why)
		text_addf(out, "the %s can't take it: %s", names[which], why);
	return why;
}

static bool l1d_obstacle(const struct core *c, const struct inst *i, struct text *out) { return cache_obstacle(c, i, LDST_L1D, out); }

const struct ldst_way ldst_way_past = {access_network, NULL, network_obstacle};
const struct ldst_way ldst_way_at_once = {access_l1d_at_once, NULL, l1d_obstacle};

bool ldst_obstacle(const struct core *c, struct text *out)
{
	const struct inst *i = &c->inst[c->ldst->s->dispatch];
	if (!c->ldst->s->dispatch || !i->n_accesses)
		return false;
	switch (i->space) {
	case ISA_SPACE_CONST:
	case ISA_SPACE_PARAM:
		return cache_obstacle(c, i, LDST_L1C, out);
	case TIMING_SPACE_TEXTURE:
		return cache_obstacle(c, i, LDST_L1T, out);
	case TIMING_SPACE_STREAM:
		text_addf(out, c->access[i->accesses].is_write ? "the buffer of write stream %u is full" : "the next word of read stream %u has not arrived",
			  c->access[i->accesses].stream);
		return true;
	default:
		break;
	}
	return way_of(c, i)->obstacle(c, i, out);
}

static bool access_cycle(struct core *c, uint32_t inst, uint64_t now, struct stall *why)
{
	struct inst *i = &c->inst[inst];
	switch (i->space) {
	case ISA_SPACE_SHARED:
		return shared_cycle(i, why);
	case ISA_SPACE_CONST:
	case ISA_SPACE_PARAM:
		return constant_cycle(c, inst, now, why);
	case TIMING_SPACE_STREAM:
		return stream_cycle(c, inst, why);
	case TIMING_SPACE_TEXTURE:
		return texture_cycle(c, inst, now, why);
	case ISA_SPACE_GLOBAL:
	case ISA_SPACE_LOCAL:
		return memory_cycle(c, inst, now, why);
	default:
		return true;
	}
}

static enum stall_space stall_space(const struct core *c, const struct inst *i)
{
	switch (i->space) {
	case ISA_SPACE_SHARED:
		return STALL_S_MEM;
	case ISA_SPACE_CONST:
	case ISA_SPACE_PARAM:
		return STALL_C_MEM;
	case TIMING_SPACE_TEXTURE:
		return STALL_T_MEM;
	case ISA_SPACE_LOCAL:
		return is_store(c, i) ? STALL_L_MEM_ST : STALL_L_MEM_LD;
	default:
		return is_store(c, i) ? STALL_G_MEM_ST : STALL_G_MEM_LD;
	}
}

/* ---- out of the dispatch register ---- */
static void finish_load(struct core *c, uint32_t inst, uint64_t now)
{
	struct ldst_state *s = c->ldst->s;
	struct inst *i = &c->inst[inst];
	const struct timing_insn *ti = core_insn(c, i);
	const uint32_t warp = i->warp;
	if (i->space == ISA_SPACE_SHARED) {
		const uint32_t last = c->cfg->smem_latency - 1;
		if (s->stage[last])
			return;
		s->stage[last] = inst;
		s->n_shared++;
		s->dispatch = 0;
		return;
	}
	s->dispatch = 0;
	/* nothing under way for its registers: all hits (or there are none) */
	if (!i->pending || !ti->n_out)
		core_complete(c, i, now);
	if (!i->pending) {
		scoreboard_release(c, warp, ti, true);
		core_free_inst(c, inst);
	}
	core_leave_pipeline(c, warp);
}

static void count_stall(struct core *c, const struct inst *i, struct stall why, uint64_t cycles)
{
	const enum stall_space space = stall_space(c, i);
	c->stats->n_stall_shd_mem += cycles;
	c->stats->stall_shd_mem[space][why.counted] += cycles;
	c->stats->true_stall[space][why.real] += cycles;
}

void ldst_count_refused(struct core *c, uint64_t cycles)
{
	const struct inst *i = &c->inst[c->ldst->s->dispatch];
	const enum stall_reason real = is_store(c, i) ? STALL_WB_CACHE_RSRV_FAIL : STALL_MSHR_RC_FAIL;
	cache_count_refused(ldst_cache_in_use(c->ldst, LDST_L1D), c->access[i->accesses].type, cycles);
	count_stall(c, i, (struct stall){STALL_COAL_STALL, real}, cycles);
}

void ldst_access(struct core *c, uint64_t now)
{
	struct ldst_state *s = c->ldst->s;
	const uint32_t inst = s->dispatch;
	struct inst *i = &c->inst[inst];
	struct stall why = {STALL_NONE, STALL_NONE};
	s->refused = false;
	if (!access_cycle(c, inst, now, &why)) {
		s->stall = why.counted;
		count_stall(c, i, why, 1);
		return;
	}
	if (core_insn(c, i)->class == TIMING_LOAD) {
		finish_load(c, inst, now);
		return;
	}
	const uint32_t warp = i->warp;
	s->dispatch = 0;
	core_complete(c, i, now);
	core_free_inst(c, inst);
	core_leave_pipeline(c, warp);
}
