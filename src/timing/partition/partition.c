#include "timing/partition/partition_internal.h"

#include <string.h>

#include "timing/icnt/icnt.h"

static uint32_t log2_of(uint64_t n) { return n > 1 ? 63u - (uint32_t)__builtin_clzll(n) : 0; }

/* ---- in and out ---- */

static bool queue_full(const struct partitions *p, const struct fifo *f)
{
	return p->cfg->rules.takes_whole_lines ? f->n + REQUEST_SECTORS - 1 >= f->cap : fifo_full(f);
}

bool sub_partition_full(const struct partitions *p, uint32_t sub) { return queue_full(p, p->sub[sub].icnt_to_l2); }

static struct quiet *quiet_of(const struct sub_partition *s) { return &s->all->sub_quiet[s - s->all->sub]; }

static void note_arrival(struct partition_stats *st, uint64_t latency)
{
	uint32_t bin = log2_of(latency);
	st->icnt_to_mem_latency_table[bin < 24 ? bin : 23]++;
	if (latency > st->max_icnt_to_mem_latency)
		st->max_icnt_to_mem_latency = latency;
}

/* The parts into which 4.x divides a texture look-up are look-ups no more: they wait in the ROP queue as all others. */
static bool is_texture(const struct mem_request *m) { return m->type == TEXTURE_ACC_R && !m->whole; }

static void arrive(struct sub_partition *s, uint32_t request, uint64_t now)
{
	struct partitions *p = s->all;
	struct mem_request *m = request_at(p->q, request);
	s->s->tracked++;
	if (is_texture(m)) {
		request_set_status(p->q, request, REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE, now);
		fifo_push(s->icnt_to_l2, request);
		quiet_of(s)->until = 0;
		return;
	}
	request_set_status(p->q, request, REQUEST_IN_PARTITION_ROP_DELAY, now);
	m->ready = now + p->cfg->rop_latency;
	request_list_push(p->q, &s->s->rop, request);
	if (m->ready < quiet_of(s)->until)
		quiet_of(s)->until = m->ready;
}

/* ---- sectors: an L2 of sectors is asked for each of a request's 32 bytes by themselves ---- */

/* The sectors a request is divided into, a bit each, and how far from its address sector 0 of them lies. 4.x adds a sector's place in the
 * line to an address that need not be the line's: of a 64-byte write to the upper half it looks for the next line's sectors. */
static unsigned sectors_of(const struct mem_request *m, bool *fixed_address)
{
	*fixed_address = false;
	if (m->size == REQUEST_SECTOR_BYTES)
		return 0;
	if (m->size >= REQUEST_SECTORS * REQUEST_SECTOR_BYTES)
		return (1u << REQUEST_SECTORS) - 1;
	if (m->chunks && m->chunks != (1u << REQUEST_SECTORS) - 1)
		return m->chunks;
	*fixed_address = true; /* half a line for a constant cache: both its sectors at one address */
	return m->address % (REQUEST_SECTORS * REQUEST_SECTOR_BYTES) ? 0xc : 0x3;
}

static uint32_t new_part(struct sub_partition *s, uint32_t whole, uint32_t sector, bool fixed_address, uint64_t now)
{
	struct requests *q = s->all->q;
	const uint32_t r = request_new(q, now);
	if (!r)
		return 0;
	struct mem_request *m = request_at(q, r);
	const struct mem_request *from = request_at(q, whole);
	const uint64_t uid = m->uid;
	*m = *from;
	m->uid = uid;
	m->created = now;
	m->size = REQUEST_SECTOR_BYTES;
	m->sector = (uint8_t)sector;
	if (!m->is_write) {
		m->whole = whole;
		request_at(q, whole)->parts++;
	}
	m->parts = 0;
	memset(m->saved, 0, sizeof m->saved);
	if (fixed_address)
		return r;
	m->address = from->address + (uint64_t)sector * REQUEST_SECTOR_BYTES;
	address_decode(s->all->map, m->address, &m->dram);
	m->dram.channel = from->dram.channel;
	m->dram.sub_partition = from->dram.sub_partition;
	return r;
}

/* The bytes of sector k's part: 4.x never takes those of the sectors before it out again. */
static void cut_bytes(struct mem_request *m, uint32_t first, uint32_t sector)
{
	for (uint32_t k = 0; k < REQUEST_SECTORS; k++)
		if (k < first || k > sector)
			m->bytes[k / 2] &= ~(UINT64_C(0xffffffff) << k % 2 * 32);
}

/* Divides a request into parts of a sector. Returns false if it stays in one piece. */
static bool divide(struct sub_partition *s, uint32_t request, uint64_t now)
{
	struct requests *q = s->all->q;
	bool fixed_address;
	const unsigned sectors = sectors_of(request_at(q, request), &fixed_address);
	const bool accumulate = request_at(q, request)->size >= REQUEST_SECTORS * REQUEST_SECTOR_BYTES || fixed_address;
	if (!sectors)
		return false;
	for (uint32_t k = 0; k < REQUEST_SECTORS; k++) {
		if (!(sectors >> k & 1))
			continue;
		const uint32_t r = new_part(s, request, k, fixed_address, now);
		assert(r && "requests under way");
		cut_bytes(request_at(q, r), accumulate ? 0 : k, k);
		arrive(s, r, now);
	}
	if (request_at(q, request)->is_write)
		request_free(q, request);
	return true;
}

void sub_partition_push(struct partitions *p, uint32_t sub, uint32_t request, uint64_t now)
{
	struct sub_partition *s = &p->sub[sub];
	note_arrival(p->stats, now - request_at(p->q, request)->created);
	if (!p->cfg->l2.sectors || !divide(s, request, now))
		arrive(s, request, now);
}

void partitions_copied_to(struct partitions *p, uint64_t address, uint64_t bytes, uint64_t now)
{
	if (!p->cfg->fill_by_copies || !p->cfg->l2.sectors)
		return;
	for (uint64_t k = 0; k < bytes; k += REQUEST_SECTOR_BYTES) {
		struct dram_place place;
		address_decode(p->map, address + k, &place);
		struct sub_partition *s = &p->sub[place.sub_partition];
		cache_fill_by_copy(s->l2, address + k, &place, now + s->s->copied++);
	}
}

uint32_t sub_partition_top(const struct partitions *p, uint32_t sub)
{
	return sub_partition_may_pop(p->replying, sub) ? fifo_top(p->sub[sub].l2_to_icnt) : 0;
}

const uint64_t *sub_partitions_replying(const struct partitions *p) { return p->replying; }

uint32_t sub_partition_pop(struct partitions *p, uint32_t sub, uint64_t now)
{
	struct sub_partition *s = &p->sub[sub];
	if (fifo_empty(s->l2_to_icnt))
		return 0;
	uint32_t r = fifo_pop(s->l2_to_icnt);
	struct mem_request *m = request_at(p->q, r);
	if (fifo_empty(s->l2_to_icnt))
		p->replying[sub >> 6] &= ~(UINT64_C(1) << (sub & 63));
	request_set_status(p->q, r, REQUEST_IN_ICNT_TO_SHADER, now);
	if (!m->is_write || p->cfg->rules.stamps_acks)
		m->returned = now;
	s->s->tracked--;
	return r;
}

/* ---- the L2 clock ---- */

void sub_partition_to_dram(struct sub_partition *s, uint32_t request, uint64_t now)
{
	request_set_status(s->all->q, request, REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE, now);
	fifo_push(s->l2_to_dram, request);
	s->all->dram_quiet[s->partition].until = 0;
}

static void reply(struct sub_partition *s, uint32_t r, uint64_t now)
{
	struct mem_request *m = request_at(s->all->q, r);
	m->is_reply = true;
	request_set_status(s->all->q, r, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE, now);
	fifo_push(s->l2_to_icnt, r);
	const uint64_t sub = (uint64_t)(s - s->all->sub);
	s->all->replying[sub >> 6] |= UINT64_C(1) << (sub & 63);
}

/* A filled miss whose turn it is goes back to its core; a line read for a write belongs to no core. */
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

/* Takes what the DRAM has finished: a fill, or a reply that goes past the L2. */
static void take_from_dram(struct sub_partition *s, uint64_t now)
{
	if (fifo_empty(s->dram_to_l2))
		return;
	uint32_t r = fifo_top(s->dram_to_l2);
	if (s->l2 && cache_waits_for(s->l2, r)) {
		if (!cache_fill_port_free(s->l2))
			return;
		fifo_pop(s->dram_to_l2);
		request_set_status(s->all->q, r, REQUEST_IN_PARTITION_L2_FILL_QUEUE, now);
		cache_fill(s->l2, r, now + s->s->copied);
	} else if (!fifo_full(s->l2_to_icnt)) {
		fifo_pop(s->dram_to_l2);
		reply(s, r, now);
	}
}

static void access_l2(struct sub_partition *s, uint32_t r, uint64_t now)
{
	struct requests *q = s->all->q;
	struct mem_request *m = request_at(q, r);
	if (fifo_full(s->l2_to_icnt) || !cache_data_port_free(s->l2) || cache_refuses_again(s->l2, m->type))
		return;
	unsigned events = 0;
	enum cache_outcome outcome = cache_access(s->l2, m->address, r, now + s->s->copied, &events);
	if (outcome == CACHE_RESERVATION_FAIL)
		return;
	fifo_pop(s->icnt_to_l2);
	if (!cache_gives_back(outcome, events))
		return;
	m = request_at(q, r);
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
	bool texture = is_texture(request_at(s->all->q, r));
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
	request_set_status(q, r, REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE, now);
	fifo_push(s->icnt_to_l2, r);
}

/* When there will be something to do, as things stand: 0 for in the next cycle. */
uint64_t sub_partition_next_work(const struct sub_partition *s)
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
	struct quiet *quiet = &p->sub_quiet[sub];
	if (now < quiet->until) {
		quiet->uncounted++;
		return;
	}
	sub_partition_count(p, sub);
	if (s->l2)
		answer_miss(s, now);
	take_from_dram(s, now);
	if (s->l2)
		cache_cycle(s->l2, now);
	take_arrival(s, now);
	leave_rop(s, now);
	quiet->until = sub_partition_next_work(s);
}

uint32_t sub_partitions_cycle(struct partitions *p, struct icnt *n, uint32_t first, uint64_t now)
{
	const uint64_t *arrived = n ? icnt_arrived(n) : NULL;
	uint32_t full = 0;
	for (uint32_t k = 0; k < p->n_subs; k++) {
		/* one that is quiet has nothing in its queue from the network */
		const bool quiet = now < p->sub_quiet[k].until, comes = n && icnt_may_pop(arrived, first + k);
		const bool is_full = quiet ? p->full_when_empty : sub_partition_full(p, k);
		full += is_full;
		if (quiet && (is_full || !comes)) {
			p->sub_quiet[k].uncounted++;
			continue;
		}
		if (!is_full && comes) {
			const uint32_t r = icnt_pop(n, first + k);
			if (r)
				sub_partition_push(p, k, r, now);
		}
		sub_partition_cycle(p, k, now);
	}
	return full;
}

void sub_partition_count(const struct partitions *p, uint32_t sub)
{
	struct quiet *quiet = &p->sub_quiet[sub];
	if (quiet->uncounted && p->sub[sub].l2)
		cache_skip(p->sub[sub].l2, quiet->uncounted);
	quiet->uncounted = 0;
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

/* Frees a write-back that has reached the DRAM cells. */
static void write_back_done(void *self, uint32_t r)
{
	struct partition *p = self;
	struct sub_partition *s = sub_of(p, r);
	return_credit(p, s);
	if (request_at(p->all->q, r)->type == L1_WRBK_ACC)
		s->s->tracked--;
	request_free(p->all->q, r);
}

bool partition_hand_over(struct partition *p, uint32_t r, uint64_t now)
{
	struct sub_partition *s = sub_of(p, r);
	const uint8_t type = request_at(p->all->q, r)->type;
	if (fifo_full(s->dram_to_l2))
		return false;
	if (type == L1_WRBK_ACC || type == L2_WRBK_ACC) {
		write_back_done(p, r);
		return true;
	}
	request_set_status(p->all->q, r, REQUEST_IN_PARTITION_DRAM_TO_L2_QUEUE, now);
	fifo_push(s->dram_to_l2, r);
	quiet_of(s)->until = 0;
	return_credit(p, s);
	return true;
}

static void take_returned(struct partition *p, uint64_t now)
{
	const uint32_t r = dram_return_top(p->dram);
	if (r && partition_hand_over(p, r, now))
		dram_return_pop(p->dram);
}

/* One request of the sub-partitions starts its way to the controller; they take turns. */
void partition_choose_sub(struct partition *p, uint64_t now)
{
	uint32_t n = p->all->cfg->subs_per_partition;
	for (uint32_t i = 0; i < n; i++) {
		struct sub_partition *s = &p->sub[(p->s->last_borrower + 1 + i) % n];
		if (fifo_empty(s->l2_to_dram) || fifo_full(s->dram_to_l2) || !has_credit(p, s))
			continue;
		uint32_t r = fifo_pop(s->l2_to_dram);
		struct mem_request *m = request_at(p->all->q, r);
		m->ready = now + p->all->cfg->dram_latency;
		request_set_status(p->all->q, r, REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE, now);
		request_list_push(p->all->q, &p->s->latency, r);
		borrow_credit(p, s);
		return;
	}
}

uint64_t partition_next_work(const struct partition *p)
{
	if (!dram_quiet(p->dram))
		return 0;
	for (uint32_t i = 0; i < p->all->cfg->subs_per_partition; i++)
		if (!fifo_empty(p->sub[i].l2_to_dram))
			return 0;
	return p->s->latency.n ? request_at(p->all->q, p->s->latency.head)->ready : UINT64_MAX;
}

void partition_note_dram(struct partition *p, uint32_t r)
{
	if (p->all->on_dram)
		p->all->on_dram(p->all->on_dram_self, r);
}

static void to_controller(struct partition *p, uint32_t r, uint64_t now)
{
	partition_note_dram(p, r);
	dram_push(p->dram, r, now);
}

void partitions_watch_dram(struct partitions *p, void (*on_dram)(void *self, uint32_t request), void *self)
{
	p->on_dram = on_dram;
	p->on_dram_self = self;
}

void partition_dram_cycle(struct partitions *all, uint32_t partition, uint64_t now)
{
	struct quiet *quiet = &all->dram_quiet[partition];
	if (now < quiet->until) {
		quiet->uncounted++;
		return;
	}
	struct partition *p = &all->partition[partition];
	partition_count(all, partition);
	take_returned(p, now);
	dram_cycle(p->dram, now, write_back_done, p);
	dram_sample_queue(p->dram);
	if (!dram_full(p->dram)) {
		partition_choose_sub(p, now);
		if (p->s->latency.n && now >= request_at(all->q, p->s->latency.head)->ready)
			to_controller(p, request_list_pop(all->q, &p->s->latency), now);
	}
	quiet->until = partition_next_work(p);
}

void partitions_dram_cycle(struct partitions *p, uint64_t now)
{
	if (p->memory) {
		partitions_memory_cycle(p, now);
		return;
	}
	for (uint32_t k = 0; k < p->cfg->n_partitions; k++)
		partition_dram_cycle(p, k, now);
}

void partition_count(const struct partitions *p, uint32_t partition)
{
	struct quiet *quiet = &p->dram_quiet[partition];
	if (quiet->uncounted)
		dram_skip(p->partition[partition].dram, quiet->uncounted);
	quiet->uncounted = 0;
}

bool partition_busy(const struct partitions *p, uint32_t partition)
{
	for (uint32_t i = 0; i < p->cfg->subs_per_partition; i++)
		if (p->partition[partition].sub[i].s->tracked)
			return true;
	return false;
}
