/* Fetch and decode: the I-cache, the fetch buffer, the I-buffers, and retiring warps that are done. Source: GPGPU-Sim manual
 * "SIMT core front end", behaviour of 3.2.2. */
#include "timing/core/front.h"

#define CODE_START UINT64_C(0xF0000000) /* of the instruction cache's addresses */
#define FETCH_BYTES 16u

/* ---- warps come and go ---- */

void front_update(struct core *c, uint32_t warp)
{
	struct core_warp *w = &c->warp[warp];
	struct core_state *s = c->s;
	const uint64_t bit = UINT64_C(1) << warp, others = ~bit;
	const bool empty = !(w->ibuffer[0].valid | w->ibuffer[1].valid), alive = w->used & !w->done;
	w->membar = w->membar && w->n_reserved;
	const bool wants = alive & empty & !w->imiss;
	const bool over = w->used & w->done & !(w->in_pipeline | w->stores | w->n_reserved);
	const bool runs = alive & !(empty | w->waits | w->membar) & !w->atomics;
	s->runnable = (s->runnable & others) | (uint64_t)runs << warp;
	s->fetchable = (s->fetchable & others) | (uint64_t)wants << warp;
	s->retirable = (s->retirable & others) | (uint64_t)over << warp;
	s->blocked &= others;
	if (s->starving & bit)
		front_clear_starving(s, warp);
}

void front_clear_starving(struct core_state *s, uint32_t warp)
{
	const uint64_t others = ~(UINT64_C(1) << warp);
	s->starving &= others;
	for (unsigned k = 0; k < CORE_UNITS_MAX; k++)
		s->starved[k] &= others;
}

void front_flush(struct core *c, uint32_t warp)
{
	struct core_warp *w = &c->warp[warp];
	for (unsigned k = 0; k < 2; k++) {
		if (w->ibuffer[k].valid)
			w->in_pipeline--;
		w->ibuffer[k].valid = false;
	}
	front_update(c, warp);
}

void front_retire(struct core *c, uint32_t warp, uint64_t now)
{
	struct core_warp *w = &c->warp[warp];
	struct core_state *s = c->s;
	struct core_cta *cta = &s->cta[w->cta];
	uint32_t threads = w->threads;
	w->used = false;
	s->live &= ~(UINT64_C(1) << warp);
	front_update(c, warp);
	scheduler_warp_retired(c, warp);
	s->threads_left -= threads;
	cta->threads_left -= threads;
	if (cta->threads_left)
		return;
	cta->used = false;
	s->active_ctas--;
	c->t->cta_finished(c->t->gpu, c->id, w->cta, now);
}

/* ---- fetch ---- */

static void take_instructions(struct core *c, uint32_t warp, uint32_t bytes, uint64_t now)
{
	struct core_state *s = c->s;
	s->fetch_valid = true;
	s->fetch_pc = c->warp[warp].fetch_pc;
	s->fetch_warp = warp;
	s->fetch_bytes = bytes;
	c->warp[warp].last_fetch = now;
}

static uint64_t code_address(const struct timing_program *p, uint32_t pc)
{
	const uint32_t gone = pc < p->gone_end ? 0 : p->gone_end - p->gone_first;
	if (__builtin_expect(p->address != NULL, 0))
		return p->address[pc] - (gone ? p->address[p->gone_end] - p->address[p->gone_first] : 0) + CODE_START;
	return (uint64_t)(pc - gone) * ISA_INSN_BYTES + CODE_START;
}

static void access_icache(struct core *c, uint32_t warp, uint64_t now)
{
	struct core_warp *w = &c->warp[warp];
	struct core_state *s = c->s;
	struct requests *q = &c->t->requests;
	const uint32_t line = c->cfg->l1i.line;
	const uint64_t address = code_address(c->program, w->fetch_pc);
	uint32_t offset = (uint32_t)(address & (line - 1)), bytes = FETCH_BYTES;
	unsigned events = 0;
	if (offset + bytes > line)
		bytes = line - offset;
	s->last_fetched = warp;
	if (c->cfg->perfect_inst || cache_read_hit(c->l1i, address, INST_ACC_R, now)) {
		request_pass(q);
		take_instructions(c, warp, bytes, now);
		return;
	}
	s->l1i_busy = true;
	uint32_t r = request_new(q, now);
	struct mem_request *m = request_at(q, r);
	m->address = address;
	m->size = bytes;
	m->type = INST_ACC_R;
	m->core = (uint16_t)c->id;
	m->cluster = (uint16_t)c->cluster;
	m->warp = (uint16_t)warp;
	if (cache_access(c->l1i, address, r, now, &events) == CACHE_RESERVATION_FAIL) {
		request_free(q, r);
		return;
	}
	w->imiss = true;
	w->last_fetch = now;
	front_update(c, warp);
}

static uint64_t rotate_right(uint64_t v, uint32_t n, uint32_t width)
{
	if (!n)
		return v;
	uint64_t all = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
	return (v >> n | v << (width - n)) & all;
}

static uint32_t wrapped(uint32_t at, uint32_t n) { return at < n ? at : at - n; }

static void fetch_for_warps(struct core *c, uint64_t now)
{
	struct core_state *s = c->s;
	if (!(s->fetchable | s->retirable))
		return;
	const uint32_t n = c->cfg->n_warps, first = s->last_fetched + 1 < n ? s->last_fetched + 1 : 0;
	if (!s->retirable) { /* mostly */
		const uint64_t after = s->fetchable >> first << first;
		access_icache(c, (uint32_t)__builtin_ctzll(after ? after : s->fetchable), now);
		return;
	}
	uint64_t wants = rotate_right(s->fetchable, first, n), over = rotate_right(s->retirable, first, n);
	unsigned at = wants ? (unsigned)__builtin_ctzll(wants) : 64;
	if (at < 64)
		over &= (UINT64_C(1) << at) - 1; /* warps after it are not looked at in this cycle */
	for (; over; over &= over - 1)
		front_retire(c, wrapped(first + (unsigned)__builtin_ctzll(over), n), now);
	if (at < 64)
		access_icache(c, wrapped(first + at, n), now);
}

/* Takes a reply of the L1I and returns its warp. */
static uint32_t take_response(struct core *c, uint32_t *bytes)
{
	uint32_t r = cache_next_response(c->l1i), warp = request_at(&c->t->requests, r)->warp;
	c->warp[warp].imiss = false;
	front_update(c, warp);
	*bytes = request_at(&c->t->requests, r)->size;
	request_free(&c->t->requests, r);
	return warp;
}

/* Puts instructions that the L1I has returned into the fetch buffer (rule icache_late). */
static void buffer_response(struct core *c, uint64_t now)
{
	uint32_t bytes;
	const uint32_t warp = take_response(c, &bytes);
	take_instructions(c, warp, bytes, now);
}

void front_count_l1i(struct core *c)
{
	if (c->s->l1i_uncounted)
		cache_skip(c->l1i, c->s->l1i_uncounted);
	c->s->l1i_uncounted = 0;
}

static void cycle_l1i(struct core *c, uint64_t now)
{
	uint32_t bytes;
	front_count_l1i(c);
	cache_cycle(c->l1i, now);
	if (!c->cfg->rules.icache_late && cache_response_ready(c->l1i))
		take_response(c, &bytes);
	c->s->l1i_busy = !cache_quiet(c->l1i) || cache_response_ready(c->l1i);
}

void front_fetch(struct core *c, uint64_t now)
{
	if (!c->s->fetch_valid) {
		if (c->cfg->rules.icache_late && cache_response_ready(c->l1i))
			buffer_response(c, now);
		else
			fetch_for_warps(c, now);
	}
	if (c->s->l1i_busy)
		cycle_l1i(c, now);
	else
		c->s->l1i_uncounted++;
}

void core_fill_instruction(struct core *c, uint32_t request, uint64_t now)
{
	c->s->l1i_busy = true;
	cache_fill(c->l1i, request, now);
}

/* ---- decode ---- */

static void fill_ibuffer(struct core *c, struct core_warp *w, unsigned entry, uint32_t pc)
{
	w->ibuffer[entry].valid = true;
	w->ibuffer[entry].pc = pc < c->program->end ? pc : REQUEST_NO_PC;
	w->next = 0;
	w->in_pipeline++;
}

void front_decode(struct core *c)
{
	struct core_state *s = c->s;
	if (!s->fetch_valid)
		return;
	struct core_warp *w = &c->warp[s->fetch_warp];
	fill_ibuffer(c, w, 0, s->fetch_pc);
	if (s->fetch_pc + 1 < c->program->end)
		fill_ibuffer(c, w, 1, s->fetch_pc + 1);
	s->fetch_valid = false;
	if (!w->used | w->done | w->waits | w->membar | (w->atomics != 0)) {
		front_update(c, s->fetch_warp);
		return;
	}
	s->fetchable &= ~(UINT64_C(1) << s->fetch_warp);
	s->runnable |= UINT64_C(1) << s->fetch_warp;
}
