/* LDST writeback: loaded data on their way into the register file, one access a cycle. */
#include "timing/core/collector.h"
#include "timing/ldst/ldst_internal.h"
#include "timing/timing.h"

#define CLIENTS 5u /* shared pipeline, L1T, L1C, replies that bypass L1D, L1D */
#define ALL_CLIENTS ((1u << CLIENTS) - 1)

static bool goes_in_parts(struct core *c, const struct inst *i)
{
	if (c->cfg->writeback != WRITEBACK_AS_NEEDED)
		return c->cfg->writeback == WRITEBACK_IN_PARTS;
	if (core_insn(c, i)->n_out < 2 || !collector_shares_bank(c, i))
		return false;
	c->t->s->split = c->t->s->split ? c->t->s->split : i->pc + 1;
	return true;
}

/* The registers of next_wb are written, unless a bank is taken. The last access of a load ends it. */
static void write_registers(struct core *c, uint64_t now)
{
	struct ldst_state *s = c->ldst->s;
	const uint32_t inst = s->next_wb;
	struct inst *i = &c->inst[inst];
	const struct timing_insn *ti = core_insn(c, i);
	const bool shared = i->space == ISA_SPACE_SHARED;
	if (!goes_in_parts(c, i))
		s->written = 0;
	if (!collector_write_rest(c, i, &s->written))
		return;
	s->next_wb = 0;
	s->written = 0;
	s->last_writeback = now;
	if (!shared && --i->pending)
		return;
	if (ti->n_out)
		scoreboard_release(c, i->warp, ti, false);
	/* one without destination was complete when its accesses were sent */
	if (ti->n_out || shared)
		core_complete(c, i, now);
	core_free_inst(c, inst);
}

/* ---- clients: what each has to write, 0: nothing ---- */
static uint32_t from_shared_pipeline(struct core *c)
{
	struct ldst_state *s = c->ldst->s;
	const uint32_t inst = s->stage[0];
	if (!inst)
		return 0;
	const struct inst *i = &c->inst[inst];
	/* with no lane on, the warp may be gone by now */
	if (core_insn(c, i)->is_atomic && i->active) {
		core_execute_atomic(c, inst, i->active);
		core_atomics_returned(c, i->warp, lanes_count(i->active));
	}
	s->stage[0] = 0;
	s->n_shared--;
	core_leave_pipeline(c, i->warp);
	return inst;
}

static uint32_t end_request(struct core *c, uint32_t request)
{
	const uint32_t inst = request_at(&c->t->requests, request)->inst;
	request_free(&c->t->requests, request);
	return inst;
}

/* 0 also for the line of a write-allocate, which no instruction waits for. */
static uint32_t from_cache(struct core *c, enum ldst_cache k, bool *served)
{
	struct ldst *l = c->ldst;
	if (!(l->s->responses >> k & 1))
		return 0;
	struct cache *cache = ldst_wake_cache(l, k);
	if (!cache_response_ready(cache)) {
		l->s->responses &= ~(1u << k);
		return 0;
	}
	*served = true;
	return end_request(c, cache_next_response(cache));
}

static uint32_t from_next_global(struct core *c)
{
	struct ldst_state *s = c->ldst->s;
	const uint32_t request = s->next_global;
	if (!request)
		return 0;
	const struct mem_request *m = request_at(&c->t->requests, request);
	if (m->is_atomic)
		core_atomics_returned(c, m->warp, lanes_count(m->lanes));
	s->next_global = 0;
	return end_request(c, request);
}

static uint32_t ask_client(struct core *c, uint32_t client, bool *served)
{
	uint32_t inst = 0;
	switch (client) {
	case 0:
		inst = from_shared_pipeline(c);
		break;
	case 1:
		return from_cache(c, LDST_L1T, served);
	case 2:
		return from_cache(c, LDST_L1C, served);
	case 3:
		inst = from_next_global(c);
		break;
	default:
		return from_cache(c, LDST_L1D, served);
	}
	*served = inst != 0;
	return inst;
}

/* Clients that may have something, a bit each. */
static unsigned clients_waiting(const struct ldst_state *s)
{
	unsigned waiting = (unsigned)(s->stage[0] != 0) | (unsigned)(s->next_global != 0) << 3;
	if (s->responses)
		waiting |= (s->responses >> LDST_L1T & 1) << 1 | (s->responses >> LDST_L1C & 1) << 2 | (s->responses >> LDST_L1D & 1) << 4;
	return waiting;
}

void ldst_writeback(struct core *c, uint64_t now)
{
	struct ldst_state *s = c->ldst->s;
	if (s->next_wb)
		write_registers(c, now);
	unsigned waiting = clients_waiting(s);
	if (s->next_wb || !waiting)
		return;
	/* each once, from s->client on: after the last client the same bits come again */
	waiting = (waiting | waiting << CLIENTS) & ALL_CLIENTS << s->client;
	for (; waiting && !s->next_wb; waiting &= waiting - 1) {
		const uint32_t at = (uint32_t)__builtin_ctz(waiting), client = at < CLIENTS ? at : at - CLIENTS;
		bool served = false;
		s->next_wb = ask_client(c, client, &served);
		if (served)
			s->client = client + 1 < CLIENTS ? client + 1 : 0;
	}
}
