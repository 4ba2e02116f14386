/* The way from the LDST unit to the L1D's tags: a pipeline of -gpgpu_l1_latency stages, one access a cycle. Source: behaviour of GPGPU-Sim
 * 4.2; 3.2.2 looks into the cache at once.
 *
 * The stages close up while the first access is held back, so an access is there once its latency is over and the access before it has left:
 * no more than a queue is needed. It is full when every stage is taken. */
#include "timing/ldst/ldst_internal.h"
#include "timing/timing.h"

/* Sends an instruction's next access on its way. */
static enum stall_reason send(struct core *c, uint32_t inst, uint64_t now)
{
	struct ldst *l = c->ldst;
	struct ldst_state *s = l->s;
	struct inst *i = &c->inst[inst];
	const uint32_t stages = c->cfg->l1_latency;
	if (s->l1_n == stages)
		return STALL_BK_CONF;
	const uint32_t r = ldst_make_request(c, inst, now);
	if (!r)
		return STALL_MSHR_RC_FAIL;
	if (core_insn(c, i)->class == TIMING_STORE)
		for (uint32_t k = ldst_store_parts(c, request_at(&c->t->requests, r)); k; k--)
			core_store_sent(c, i->warp);
	l->l1[(s->l1_head + s->l1_n++) % stages] = (struct l1_access){.request = r, .due = s->cycles + stages};
	ldst_next_access(c, i);
	return STALL_NONE;
}

/* A load's access hit. The registers are written without a write port of the register file. 4.x counts the instruction once for each of its
 * registers. */
static void load_hit(struct core *c, uint32_t inst, uint64_t now)
{
	struct inst *i = &c->inst[inst];
	const struct timing_insn *ti = core_insn(c, i);
	if (--i->pending)
		return;
	if (ti->n_out)
		scoreboard_release(c, i->warp, ti, true);
	for (unsigned k = 0; k < ti->n_out; k++)
		core_complete(c, i, now);
	if (ti->n_out > 1) {
		c->stats->repeated_warps += ti->n_out - 1u;
		c->stats->repeated_insns += (ti->n_out - 1u) * (uint64_t)lanes_count(i->active);
	}
	core_free_inst(c, inst);
}

static void acknowledge(struct core *c, uint32_t warp, uint32_t parts)
{
	while (parts--)
		core_store_acknowledged(c, warp);
}

/* Makes the first access on its way in the cache if it has arrived. There has to be one. */
static void cycle(struct core *c, uint64_t now)
{
	struct ldst_state *s = c->ldst->s;
	const struct l1_access *first = &c->ldst->l1[s->l1_head];
	if (s->cycles < first->due)
		return;
	const uint32_t r = first->request;
	struct mem_request *m = request_at(&c->t->requests, r);
	const uint32_t inst = m->inst, warp = m->warp, parts = ldst_store_parts(c, m);
	const bool is_write = m->is_write;
	const uint64_t address = m->address;
	unsigned events = 0;
	struct cache *l1d = ldst_wake_cache(c->ldst, LDST_L1D);
	const enum cache_outcome outcome = cache_access(l1d, m->address, r, now, &events);
	if (outcome == CACHE_RESERVATION_FAIL)
		return;
	ldst_log_taken(c, l1d, m, address, outcome, events);
	s->l1_head = (s->l1_head + 1) % c->cfg->l1_latency;
	s->l1_n--;
	/* a write that goes no further is done, also one that missed and allocated its line */
	if (!cache_gives_back(outcome, events))
		return;
	if (is_write)
		acknowledge(c, warp, parts);
	else
		load_hit(c, inst, now);
	request_free(&c->t->requests, r);
}

static bool obstacle(const struct core *c, const struct inst *i, struct text *out)
{
	(void)c, (void)i, (void)out;
	return false;
}

const struct ldst_way ldst_way_pipeline = {send, cycle, obstacle};

/* ---- for observers ---- */
bool ldst_get_taken(const struct core *c, uint32_t warp, uint32_t pc, uint32_t k, struct ldst_taken *out)
{
	const struct ldst_log *log = c->ldst->log;
	for (uint32_t i = 0; i < LDST_TAKEN && i < log->n; i++) {
		const struct ldst_taken *t = &log->at[(log->n - 1 - i) % LDST_TAKEN];
		if (t->warp != warp || t->pc != pc || k--)
			continue;
		*out = *t;
		return true;
	}
	return false;
}

uint32_t ldst_untaken(const struct core *c, uint32_t warp, uint32_t pc)
{
	uint32_t n = 0;
	for (uint32_t i = 1; i <= c->s->n_insts; i++)
		if (c->inst[i].used && c->inst[i].warp == warp && c->inst[i].pc == pc)
			n += c->inst[i].n_accesses;
	for (uint32_t k = 0; k < ldst_l1_length(c); k++) {
		const struct mem_request *m = request_at(&c->t->requests, ldst_l1_at(c, k));
		n += m->warp == warp && m->pc == pc;
	}
	return n;
}

uint32_t ldst_l1_length(const struct core *c) { return c->ldst->s->l1_n; }

uint32_t ldst_l1_at(const struct core *c, uint32_t k)
{
	return c->ldst->l1[(c->ldst->s->l1_head + k) % c->cfg->l1_latency].request;
}
