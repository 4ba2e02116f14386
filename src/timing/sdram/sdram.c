/* A memory of a DRAM standard as a whole: creation, addresses, requests that come and go. */
#include "timing/sdram/sdram_internal.h"

#include <stdlib.h>

#include "timing/common/memory.h"

/* ---- creation ---- */

static bool take_state(struct sdram *d, struct timing_memory *m)
{
	d->s = timing_take(m, 1, sizeof *d->s);
	d->channel = timing_take(m, d->cfg.channels, sizeof *d->channel);
	d->request = timing_take_pool(m, SDRAM_POOL, sizeof *d->request);
	d->open_row = timing_take(m, d->total[d->last_level], sizeof *d->open_row);
	d->next_bank = timing_take(m, d->total[SDRAM_RANK], sizeof *d->next_bank);
	d->balance = timing_take(m, d->total[SDRAM_BANK], sizeof *d->balance);
	d->next_subarray = timing_take(m, d->total[SDRAM_BANK], sizeof *d->next_subarray);
	if (!d->s || !d->channel || !d->request || !d->open_row || !d->next_bank || !d->balance || !d->next_subarray)
		return false;
	for (unsigned l = 0; l < SDRAM_NODE_LEVELS; l++) {
		d->node[l] = timing_take(m, d->total[l], sizeof *d->node[l]);
		d->next[l] = timing_take(m, (uint64_t)d->total[l] * SDRAM_COMMANDS, sizeof *d->next[l]);
		d->history[l] = timing_take(m, (uint64_t)d->total[l] * d->history_size[l] + 1, sizeof *d->history[l]);
		if (!d->node[l] || !d->next[l] || !d->history[l])
			return false;
	}
	return true;
}

struct sdram *sdram_create(struct timing_memory *m, const struct sdram_config *cfg)
{
	struct text why = {0};
	const bool good = sdram_config_check(cfg, &why);
	text_free(&why);
	struct sdram *d = good ? calloc(1, sizeof *d) : NULL;
	if (!d)
		return NULL;
	d->cfg = *cfg;
	d->memory = m;
	if (!sdram_derive(d) || !take_state(d, m)) {
		sdram_destroy(d);
		return NULL;
	}
	d->s->n_used = 1;
	sdram_random_init(d);
	return d;
}

void sdram_destroy(struct sdram *d)
{
	if (d)
		free(d->rule);
	free(d);
}

void sdram_observe(struct sdram *d, const struct sdram_observer *o) { d->observer = o ? *o : (struct sdram_observer){0}; }

const struct sdram_config *sdram_get_config(const struct sdram *d) { return &d->cfg; }

/* ---- requests ---- */

void sdram_decode(const struct sdram *d, uint64_t address, int32_t at[SDRAM_LEVELS])
{
	for (unsigned l = 0; l < SDRAM_LEVELS; l++)
		at[l] = d->shift[l] < 64 ? (int32_t)(address >> d->shift[l] & ((UINT64_C(1) << d->bits[l]) - 1)) : 0;
}

/* Returns whether data for an address wait to be written. */
static bool will_be_written(const struct sdram *d, const struct sdram_channel *c, uint64_t address)
{
	for (uint32_t r = c->queue[SDRAM_WRITES].head; r; r = sdram_request_at(d, r)->next)
		if (sdram_request_at(d, r)->address == address)
			return true;
	return false;
}

bool sdram_offer(struct sdram *d, uint64_t address, bool is_write, uint32_t tag)
{
	int32_t at[SDRAM_LEVELS];
	sdram_decode(d, address, at);
	struct sdram_channel *c = &d->channel[at[SDRAM_CHANNEL]];
	struct sdram_queue *q = &c->queue[is_write ? SDRAM_WRITES : SDRAM_READS];
	const uint32_t r = q->n < SDRAM_QUEUE ? sdram_request_new(d) : 0;
	if (!r)
		return false;
	struct sdram_request *m = sdram_request_at(d, r);
	*m = (struct sdram_request){.address = address, .arrive = d->s->clock, .tag = tag, .type = is_write ? SDRAM_WRITE : SDRAM_READ};
	for (unsigned l = 0; l < SDRAM_LEVELS; l++)
		m->at[l] = at[l];
	struct sdram_stats *st = &d->s->stats;
	st->incoming_requests++;
	is_write ? st->write_requests++ : st->read_requests++;
	if (!is_write && will_be_written(d, c, address)) {
		m->kind = SDRAM_FORWARD;
		m->depart = d->s->clock + 1;
		q = &c->queue[SDRAM_PENDING];
	}
	sdram_queue_push(d, q, r);
	return true;
}

/* ---- time ---- */

void sdram_cycle(struct sdram *d)
{
	struct sdram_stats *st = &d->s->stats;
	bool is_active = false;
	for (uint32_t k = 0; k < d->cfg.channels; k++) {
		const struct sdram_queue *q = d->channel[k].queue;
		const uint32_t reads = q[SDRAM_READS].n + q[SDRAM_PENDING].n, writes = q[SDRAM_WRITES].n;
		st->in_queue_req_num_sum += reads + writes;
		st->in_queue_read_req_num_sum += reads;
		st->in_queue_write_req_num_sum += writes;
	}
	d->s->clock++;
	for (uint32_t k = 0; k < d->cfg.channels; k++) {
		is_active |= d->channel[k].serving != 0;
		sdram_channel_cycle(d, k);
	}
	st->active_cycles += is_active;
	st->cycles++;
}

void sdram_drain(struct sdram *d) { d->s->draining = true; }

bool sdram_is_empty(const struct sdram *d) { return !d->s->n_live; }

int64_t sdram_now(const struct sdram *d) { return d->s->clock; }

const struct sdram_stats *sdram_get_stats(const struct sdram *d) { return &d->s->stats; }

const struct sdram_channel_stats *sdram_get_channel_stats(const struct sdram *d, uint32_t channel) { return &d->channel[channel].stats; }

/* Returns the issues of a set of commands in all channels. */
static uint64_t issues(const struct sdram *d, unsigned commands)
{
	uint64_t n = 0;
	for (uint32_t c = 0; c < d->cfg.channels; c++)
		for (unsigned k = 0; k < SDRAM_COMMANDS; k++)
			n += commands >> k & 1 ? d->channel[c].stats.commands[k] : 0;
	return n;
}

void sdram_get_totals(const struct sdram *d, struct sdram_totals *out)
{
	const struct sdram_stats *st = &d->s->stats;
	*out = (struct sdram_totals){
		.cycles = st->cycles,
		.active_cycles = st->active_cycles,
		.channel_cycles = st->cycles * d->cfg.channels,
		.channel_active_cycles = st->active_cycles * d->cfg.channels,
		.data_cycles = (uint64_t)d->burst * issues(d, 1u << SDRAM_RD | 1u << SDRAM_RDA | 1u << SDRAM_MIG | 1u << SDRAM_WR | 1u << SDRAM_WRA),
		.reads = st->read_requests,
		.writes = st->write_requests,
		.forwarded = st->read_kinds[SDRAM_FORWARD],
		.activates = issues(d, 1u << SDRAM_ACT | 1u << SDRAM_ACTF | 1u << SDRAM_ACTM),
		.precharges = issues(d, 1u << SDRAM_PRE | 1u << SDRAM_PREF | 1u << SDRAM_PREM | 1u << SDRAM_PRE_OTHER | 1u << SDRAM_PREA |
						1u << SDRAM_PREAF | 1u << SDRAM_PREAM | 1u << SDRAM_RDA | 1u << SDRAM_WRA),
		.refreshes = issues(d, 1u << SDRAM_REF | 1u << SDRAM_REFPB),
		.selects = issues(d, 1u << SDRAM_SASEL),
		.copies = issues(d, 1u << SDRAM_MIG),
		.queue_length_sum = st->in_queue_req_num_sum,
	};
	for (uint32_t c = 0; c < d->cfg.channels; c++) {
		const struct sdram_channel_stats *s = &d->channel[c].stats;
		out->row_hits += s->row_hits;
		out->row_misses += s->row_misses;
		out->row_conflicts += s->row_conflicts;
		out->read_latency_sum += s->read_latency_sum;
	}
}

void sdram_reset_stats(struct sdram *d)
{
	d->s->stats = (struct sdram_stats){0};
	for (uint32_t k = 0; k < d->cfg.channels; k++)
		d->channel[k].stats = (struct sdram_channel_stats){0};
}
