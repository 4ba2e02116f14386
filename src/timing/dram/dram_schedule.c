/* Which request a bank gets next: first in first out, or the open row first (FR-FCFS). */
#include "timing/dram/dram_internal.h"

static uint32_t log2_of(uint64_t n) { return n > 1 ? 63u - (uint32_t)__builtin_clzll(n) : 0; }

static void start_request(struct dram *d, uint32_t bank, uint32_t request, uint64_t now)
{
	struct dram_state *s = d->s;
	struct dram_bank *b = &d->bank[bank];
	struct mem_request *m = request_at(d->q, request);
	request_set_status(d->q, request, REQUEST_IN_PARTITION_DRAM, now);
	b->request = request;
	b->wanted_row = m->dram.row;
	b->is_write = m->is_write;
	b->bytes = m->size;
	b->transferred = 0;
	b->busy_since = s->stats.n.cmd;
	s->busy |= UINT64_C(1) << bank;
	s->next_command = 0;
}

/* Strict order: a bank that is still busy blocks everything after its request. */
static void schedule_fifo(struct dram *d, uint64_t now)
{
	if (fifo_empty(d->input))
		return;
	uint32_t r = fifo_top(d->input);
	struct mem_request *m = request_at(d->q, r);
	if (d->s->busy >> m->dram.bank & 1) {
		if (m->status != REQUEST_IN_PARTITION_MC_BANK_ARB_QUEUE)
			request_set_status(d->q, r, REQUEST_IN_PARTITION_MC_BANK_ARB_QUEUE, now);
		return;
	}
	fifo_pop(d->input);
	start_request(d, m->dram.bank, r, now);
}

/* ---- FR-FCFS ---- */

static void take_arrivals(struct dram *d, uint64_t now)
{
	while (!fifo_empty(d->input) && (!d->cfg->queue_size || d->s->pending < d->cfg->queue_size)) {
		uint32_t r = fifo_pop(d->input);
		struct mem_request *m = request_at(d->q, r);
		request_set_status(d->q, r, REQUEST_IN_PARTITION_MC_INPUT_QUEUE, now);
		request_list_push(d->q, &d->bank[m->dram.bank].waiting, r);
		d->s->has_waiting |= UINT64_C(1) << m->dram.bank;
		d->s->pending++;
	}
}

/* Returns the oldest request that waits for the row, or 0, and stores the request in front of it in *before (0: it is the first). */
static uint32_t oldest_of_row(const struct dram *d, uint32_t from, uint32_t row, uint32_t *before)
{
	for (uint32_t r = from; r; r = request_at(d->q, r)->next) {
		if (request_at(d->q, r)->dram.row == row)
			return r;
		*before = r;
	}
	return 0;
}

static void unlink_waiting(struct dram *d, struct request_list *l, uint32_t r, uint32_t before)
{
	uint32_t next = request_at(d->q, r)->next;
	if (before)
		request_at(d->q, before)->next = next;
	else
		l->head = next;
	if (!next)
		l->tail = before;
	l->n--;
}

static void note_row_change(const struct dram *d, struct dram_bank *b, uint64_t now)
{
	uint64_t t = now - d->s->batch_start;
	if (t > b->row_since)
		b->stats.max_row_cycles = later(b->stats.max_row_cycles, t - b->row_since);
	b->row_since = t;
	b->stats.max_row_accesses = later(b->stats.max_row_accesses, b->row_accesses_now);
	b->row_accesses_now = 0;
	b->stats.row_changes++;
}

/* Takes out the bank's next request: of the row in service as long as one waits for it; then of the open row; then the oldest. The row
 * counts as open even before the bank's first activation (it is 0 then) and while it is precharged. */
static uint32_t pick(struct dram *d, struct dram_bank *b, uint64_t now)
{
	uint32_t before = 0, r;
	if (b->serving) {
		r = oldest_of_row(d, b->waiting.head, b->serving_row, &before);
	} else {
		r = oldest_of_row(d, b->waiting.head, b->row, &before);
		if (!r) {
			r = b->waiting.head;
			before = 0;
			note_row_change(d, b, now);
		}
		b->serving_row = request_at(d->q, r)->dram.row;
	}
	assert(r);
	uint32_t rest = request_at(d->q, r)->next, ignored;
	b->serving = oldest_of_row(d, rest, b->serving_row, &ignored) != 0;
	unlink_waiting(d, &b->waiting, r, before);
	b->row_accesses_now++;
	b->stats.row_accesses++;
	return r;
}

static void note_wait(struct dram_stats *st, uint64_t cycles)
{
	st->mrq_latency_table[sooner(log2_of(cycles), 31)]++;
	st->max_mrq_latency = later(st->max_mrq_latency, cycles);
}

static void schedule_frfcfs(struct dram *d, uint64_t now)
{
	struct dram_state *s = d->s;
	take_arrivals(d, now);
	uint64_t can = s->has_waiting & ~s->busy;
	if (!can)
		return;
	uint32_t n = d->cfg->t.nbk;
	uint32_t bank = bank_turned((uint32_t)__builtin_ctzll(banks_from(can, s->prio, n)), s->prio, n);
	struct dram_bank *b = &d->bank[bank];
	uint32_t r = pick(d, b, now);
	s->pending--;
	if (!b->waiting.n)
		s->has_waiting &= ~(UINT64_C(1) << bank);
	s->prio = bank_turned(1, s->prio, n);
	note_wait(&s->stats, now - request_at(d->q, r)->ready);
	start_request(d, bank, r, now);
}

/* ---- the schedulers ---- */

static bool fifo_is_full(const struct dram *d) { return fifo_full(d->input); }
static uint32_t fifo_length(const struct dram *d) { return d->input->n; }
static bool frfcfs_is_full(const struct dram *d) { return d->cfg->queue_size && d->s->pending >= d->cfg->queue_size; }
static uint32_t frfcfs_length(const struct dram *d) { return d->s->pending; }

const struct dram_scheduler dram_fifo = {"first in, first out", false, schedule_fifo, fifo_is_full, fifo_length};
const struct dram_scheduler dram_frfcfs = {"open row first (FR-FCFS)", true, schedule_frfcfs, frfcfs_is_full, frfcfs_length};

const struct dram_scheduler *dram_scheduler_of(int64_t option) { return option == 1 ? &dram_frfcfs : &dram_fifo; }

const char *dram_scheduler_name(const struct dram_scheduler *s) { return s->name; }
