#include "timing/partition_internal.h"

static uint32_t log2_of(uint64_t n) { return n > 1 ? 63u - (uint32_t)__builtin_clzll(n) : 0; }

/* ---- in and out ---- */

bool sub_partition_full(const struct partitions *p, uint32_t sub) { return fifo_full(p->sub[sub].icnt_to_l2); }

static void note_arrival(struct partition_stats *st, uint64_t latency)
{
	uint32_t bin = log2_of(latency);
	st->icnt_to_mem_latency_table[bin < 24 ? bin : 23]++;
	if (latency > st->max_icnt_to_mem_latency)
		st->max_icnt_to_mem_latency = latency;
}

void sub_partition_push(struct partitions *p, uint32_t sub, uint32_t request, uint64_t now)
{
	struct sub_partition *s = &p->sub[sub];
	struct mem_request *m = request_at(p->q, request);
	s->s->tracked++;
	note_arrival(p->stats, now - m->created);
	if (m->type == TEXTURE_ACC_R) {
		request_set_status(m, REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE, now);
		fifo_push(s->icnt_to_l2, request);
		s->s->quiet_until = 0;
		return;
	}
	request_set_status(m, REQUEST_IN_PARTITION_ROP_DELAY, now);
	m->ready = now + p->cfg->rop_latency;
	request_list_push(p->q, &s->s->rop, request);
	if (m->ready < s->s->quiet_until)
		s->s->quiet_until = m->ready;
}

uint32_t sub_partition_top(const struct partitions *p, uint32_t sub)
{
	const struct fifo *f = p->sub[sub].l2_to_icnt;
	return fifo_empty(f) ? 0 : fifo_top(f);
}

uint32_t sub_partition_pop(struct partitions *p, uint32_t sub, uint64_t now)
{
	struct sub_partition *s = &p->sub[sub];
	if (fifo_empty(s->l2_to_icnt))
		return 0;
	uint32_t r = fifo_pop(s->l2_to_icnt);
	struct mem_request *m = request_at(p->q, r);
	request_set_status(m, REQUEST_IN_ICNT_TO_SHADER, now);
	if (!m->is_write)
		m->returned = now;
	s->s->tracked--;
	return r;
}

/* ---- the L2 clock ---- */

void sub_partition_to_dram(struct sub_partition *s, uint32_t request, uint64_t now)
{
	request_set_status(request_at(s->all->q, request), REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE, now);
	fifo_push(s->l2_to_dram, request);
	s->all->partition[s->partition].s->quiet_until = 0;
}

static void reply(struct sub_partition *s, uint32_t r, uint64_t now)
{
	struct mem_request *m = request_at(s->all->q, r);
	m->is_reply = true;
	request_set_status(m, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE, now);
	fifo_push(s->l2_to_icnt, r);
}

/* A filled miss whose turn it is goes back to its core; a line read for a write was nobody's request. */
static void answer_miss(struct sub_partition *s, uint64_t now)
{
	if (!cache_response_ready(s->l2) || fifo_full(s->l2_to_icnt))
		return;
	uint32_t r = cache_next_response(s->l2);
	if (request_at(s->all->q, r)->type == L2_WR_ALLOC_R)
		request_free(s->all->q, r);
	else
		reply(s, r, now);
}

/* What the DRAM has done: a fill, or a reply that goes past the L2. */
static void take_from_dram(struct sub_partition *s, uint64_t now)
{
	if (fifo_empty(s->dram_to_l2))
		return;
	uint32_t r = fifo_top(s->dram_to_l2);
	if (s->l2 && cache_waits_for(s->l2, r)) {
		if (!cache_fill_port_free(s->l2))
			return;
		fifo_pop(s->dram_to_l2);
		request_set_status(request_at(s->all->q, r), REQUEST_IN_PARTITION_L2_FILL_QUEUE, now);
		cache_fill(s->l2, r, now);
	} else if (!fifo_full(s->l2_to_icnt)) {
		fifo_pop(s->dram_to_l2);
		reply(s, r, now);
	}
}

static void access_l2(struct sub_partition *s, uint32_t r, uint64_t now)
{
	struct requests *q = s->all->q;
	struct mem_request *m = request_at(q, r);
	if (fifo_full(s->l2_to_icnt) || !cache_data_port_free(s->l2))
		return;
	unsigned events = 0;
	enum cache_outcome outcome = cache_access(s->l2, m->address, r, now, &events);
	if (outcome == CACHE_RESERVATION_FAIL)
		return;
	fifo_pop(s->icnt_to_l2);
	if (outcome != CACHE_HIT || events & CACHE_WRITE_SENT)
		return;
	if (m->type == L1_WRBK_ACC) {
		s->s->tracked--;
		request_free(q, r);
	} else {
		reply(s, r, now);
	}
}

static void take_arrival(struct sub_partition *s, uint64_t now)
{
	if (fifo_full(s->l2_to_dram) || fifo_empty(s->icnt_to_l2))
		return;
	uint32_t r = fifo_top(s->icnt_to_l2);
	bool texture = request_at(s->all->q, r)->type == TEXTURE_ACC_R;
	if (s->l2 && (texture || !s->all->cfg->l2_texture_only)) {
		access_l2(s, r, now);
		return;
	}
	fifo_pop(s->icnt_to_l2);
	sub_partition_to_dram(s, r, now);
}

static void leave_rop(struct sub_partition *s, uint64_t now)
{
	struct requests *q = s->all->q;
	if (!s->s->rop.n || now < request_at(q, s->s->rop.head)->ready || fifo_full(s->icnt_to_l2))
		return;
	uint32_t r = request_list_pop(q, &s->s->rop);
	request_set_status(request_at(q, r), REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE, now);
	fifo_push(s->icnt_to_l2, r);
}

/* When there will be something to do, as things stand: 0 for in the next cycle. */
static uint64_t next_work(const struct sub_partition *s)
{
	if (!fifo_empty(s->icnt_to_l2) || !fifo_empty(s->dram_to_l2))
		return 0;
	if (s->l2 && (cache_response_ready(s->l2) || !cache_quiet(s->l2)))
		return 0;
	return s->s->rop.n ? request_at(s->all->q, s->s->rop.head)->ready : UINT64_MAX;
}

void sub_partition_cycle(struct partitions *p, uint32_t sub, uint64_t now)
{
	struct sub_partition *s = &p->sub[sub];
	if (now < s->s->quiet_until) {
		sub_partition_skip(p, sub, 1);
		return;
	}
	if (s->l2)
		answer_miss(s, now);
	take_from_dram(s, now);
	if (s->l2)
		cache_cycle(s->l2, now);
	take_arrival(s, now);
	leave_rop(s, now);
	s->s->quiet_until = next_work(s);
}

bool sub_partition_quiet(const struct partitions *p, uint32_t sub, uint64_t now)
{
	return now < p->sub[sub].s->quiet_until;
}

uint64_t sub_partition_wake(const struct partitions *p, uint32_t sub) { return p->sub[sub].s->quiet_until; }

void sub_partition_skip(struct partitions *p, uint32_t sub, uint64_t n)
{
	if (p->sub[sub].l2)
		cache_skip(p->sub[sub].l2, n);
}

void sub_partition_flush_l2(struct partitions *p, uint32_t sub)
{
	if (p->sub[sub].l2)
		cache_invalidate(p->sub[sub].l2);
}

/* ---- the DRAM clock ---- */

static bool has_credit(const struct partition *p, const struct sub_partition *s)
{
	return *s->private_credits < PRIVATE_CREDITS || !p->all->shared_limit ||
	       p->s->shared_credits < p->all->shared_limit;
}

static void borrow_credit(struct partition *p, struct sub_partition *s)
{
	if (*s->private_credits < PRIVATE_CREDITS)
		++*s->private_credits;
	else
		p->s->shared_credits++;
	p->s->last_borrower = (uint32_t)(s - p->sub);
}

static void return_credit(struct partition *p, struct sub_partition *s)
{
	if (*s->private_credits) {
		--*s->private_credits;
	} else {
		assert(p->s->shared_credits);
		p->s->shared_credits--;
	}
}

static struct sub_partition *sub_of(const struct partition *p, uint32_t r)
{
	return &p->all->sub[request_at(p->all->q, r)->dram.sub_partition];
}

/* A write-back reached the DRAM cells: nobody waits for it. */
static void write_back_done(void *self, uint32_t r)
{
	struct partition *p = self;
	struct sub_partition *s = sub_of(p, r);
	return_credit(p, s);
	if (request_at(p->all->q, r)->type == L1_WRBK_ACC)
		s->s->tracked--;
	request_free(p->all->q, r);
}

static void take_returned(struct partition *p, uint64_t now)
{
	uint32_t r = dram_return_top(p->dram);
	if (!r)
		return;
	struct sub_partition *s = sub_of(p, r);
	if (fifo_full(s->dram_to_l2))
		return;
	dram_return_pop(p->dram);
	request_set_status(request_at(p->all->q, r), REQUEST_IN_PARTITION_DRAM_TO_L2_QUEUE, now);
	fifo_push(s->dram_to_l2, r);
	s->s->quiet_until = 0;
	return_credit(p, s);
}

/* One request of the sub-partitions starts its way to the controller; they take turns. */
static void choose_sub(struct partition *p, uint64_t now)
{
	uint32_t n = p->all->cfg->subs_per_partition;
	for (uint32_t i = 0; i < n; i++) {
		struct sub_partition *s = &p->sub[(p->s->last_borrower + 1 + i) % n];
		if (fifo_empty(s->l2_to_dram) || fifo_full(s->dram_to_l2) || !has_credit(p, s))
			continue;
		uint32_t r = fifo_pop(s->l2_to_dram);
		struct mem_request *m = request_at(p->all->q, r);
		m->ready = now + p->all->cfg->dram_latency;
		request_set_status(m, REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE, now);
		request_list_push(p->all->q, &p->s->latency, r);
		borrow_credit(p, s);
		return;
	}
}

static uint64_t next_dram_work(const struct partition *p)
{
	if (!dram_quiet(p->dram))
		return 0;
	for (uint32_t i = 0; i < p->all->cfg->subs_per_partition; i++)
		if (!fifo_empty(p->sub[i].l2_to_dram))
			return 0;
	return p->s->latency.n ? request_at(p->all->q, p->s->latency.head)->ready : UINT64_MAX;
}

static void to_controller(struct partition *p, uint32_t r, uint64_t now)
{
	if (p->all->on_dram)
		p->all->on_dram(p->all->on_dram_self, r);
	dram_push(p->dram, r, now);
}

void partitions_watch_dram(struct partitions *p, void (*on_dram)(void *self, uint32_t request), void *self)
{
	p->on_dram = on_dram;
	p->on_dram_self = self;
}

void partition_dram_cycle(struct partitions *all, uint32_t partition, uint64_t now)
{
	struct partition *p = &all->partition[partition];
	if (now < p->s->quiet_until) {
		dram_skip(p->dram, 1);
		return;
	}
	take_returned(p, now);
	dram_cycle(p->dram, now, write_back_done, p);
	dram_sample_queue(p->dram);
	if (!dram_full(p->dram)) {
		choose_sub(p, now);
		if (p->s->latency.n && now >= request_at(all->q, p->s->latency.head)->ready)
			to_controller(p, request_list_pop(all->q, &p->s->latency), now);
	}
	p->s->quiet_until = next_dram_work(p);
}

bool partition_dram_quiet(const struct partitions *p, uint32_t partition, uint64_t now)
{
	return now < p->partition[partition].s->quiet_until;
}

uint64_t partition_dram_wake(const struct partitions *p, uint32_t partition)
{
	return p->partition[partition].s->quiet_until;
}

void partition_dram_skip(struct partitions *p, uint32_t partition, uint64_t n)
{
	dram_skip(p->partition[partition].dram, n);
}

bool partition_busy(const struct partitions *p, uint32_t partition)
{
	for (uint32_t i = 0; i < p->cfg->subs_per_partition; i++)
		if (p->partition[partition].sub[i].s->tracked)
			return true;
	return false;
}
