#include "timing/dram/dram_internal.h"

#include <stdlib.h>
#include <string.h>

#define RETURN_QUEUE_DEFAULT 1024u

/* ---- making ---- */

/* Bits it takes to write n. (GPGPU-Sim numbers the bank groups with this many bits of the bank cut off; with a power of two that is one more
 * than there are, so two neighbouring groups share their timers.) */
static uint32_t bits_of(uint32_t n) { return n ? 32u - (uint32_t)__builtin_clz(n) : 0; }

static void derive(struct dram *d)
{
	const struct dram_timing *t = &d->cfg->t;
	d->atom = dram_atom(d->cfg);
	d->burst_cycles = dram_burst_cycles(d->cfg);
	d->tag_bits = bits_of(t->nbk / t->nbkgrp);
	dram_rules_init(d);
}

bool dram_config_check(const struct dram_config *cfg, struct text *why)
{
	const struct dram_timing *t = &cfg->t;
	if (!t->nbk || t->nbk > DRAM_BANKS_MAX)
		text_addf(why, "DRAM: %u banks; expected 1 to %u", t->nbk, DRAM_BANKS_MAX);
	else if (!t->nbkgrp || t->nbkgrp > t->nbk)
		text_addf(why, "DRAM: %u bank groups for %u banks", t->nbkgrp, t->nbk);
	else if (t->wl > t->cl)
		text_addf(why, "DRAM: WL=%u is more than CL=%u", t->wl, t->cl);
	else if (t->rcd < t->wl + 1)
		text_addf(why, "DRAM: RCD=%u must be more than WL=%u", t->rcd, t->wl);
	else if (!cfg->data_ratio)
		text_addf(why, "DRAM: the ratio of data to command frequency is 0");
	else if (!cfg->chips || !cfg->bus_width || !cfg->burst_length ||
		 (uint64_t)cfg->chips * cfg->bus_width * cfg->burst_length > (1u << 20))
		text_addf(why, "DRAM: %u chips, bus width %u, burst length %u make no sensible burst", cfg->chips,
			  cfg->bus_width, cfg->burst_length);
	else if (!cfg->input_queue || cfg->input_queue > (1u << 20) || cfg->return_queue > (1u << 20))
		text_addf(why, "DRAM: queue size out of range");
	else
		return dram_rules_check(cfg, why);
	return false;
}

struct dram *dram_create(struct timing_memory *m, struct requests *q, const struct dram_config *cfg)
{
	struct text why = {0};
	bool good = dram_config_check(cfg, &why);
	text_free(&why);
	struct dram *d = good ? calloc(1, sizeof *d) : NULL;
	if (!d)
		return NULL;
	d->cfg = cfg;
	d->q = q;
	derive(d);
	uint32_t returns = cfg->return_queue ? cfg->return_queue : RETURN_QUEUE_DEFAULT;
	d->s = timing_take(m, 1, sizeof *d->s);
	d->bank = timing_take(m, cfg->t.nbk, sizeof *d->bank);
	d->group = timing_take(m, cfg->t.nbkgrp, sizeof *d->group);
	d->input = fifo_take(m, cfg->input_queue);
	d->returns = fifo_take(m, returns);
	d->pipe = dram_pipe_take(m, cfg->t.cl, cfg->t.cl + 1, &d->pipe_mask);
	if (!d->s || !d->bank || !d->group || !d->input || !d->returns || !d->pipe) {
		dram_destroy(d);
		return NULL;
	}
	return d;
}

void dram_destroy(struct dram *d) { free(d); }

void dram_restart(struct dram *d, uint64_t now) { d->s->batch_start = now; }

/* ---- queues ---- */

bool dram_full(const struct dram *d) { return d->cfg->scheduler->is_full(d); }

uint32_t dram_queue_length(const struct dram *d) { return d->cfg->scheduler->queue_length(d); }

void dram_push(struct dram *d, uint32_t request, uint64_t now)
{
	struct mem_request *m = request_at(d->q, request);
	assert(!fifo_full(d->input) && m->dram.bank < d->cfg->t.nbk);
	request_set_status(d->q, request, REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE, now);
	m->ready = now; /* when it came: for its waiting time */
	m->dram_done = 0;
	fifo_push(d->input, request);
	struct dram_stats *st = &d->s->stats;
	st->n.req++;
	st->queue_max_recent = later(st->queue_max_recent, dram_queue_length(d));
	struct dram_bank_stats *b = &d->bank[m->dram.bank].stats;
	if (m->is_write)
		b->writes++;
	else
		b->reads++;
	b->by_type[m->type]++;
}

uint32_t dram_return_top(const struct dram *d) { return fifo_empty(d->returns) ? 0 : fifo_top(d->returns); }

uint32_t dram_return_pop(struct dram *d) { return fifo_empty(d->returns) ? 0 : fifo_pop(d->returns); }

void dram_sample_queue(struct dram *d)
{
	struct dram_stats *st = &d->s->stats;
	uint32_t n = dram_queue_length(d);
	st->queue_max = later(st->queue_max, n);
	st->n.queue_sum += n;
}

/* ---- commands ---- */

static bool is_column(enum dram_command command) { return command == DRAM_READ || command == DRAM_WRITE; }

/* Returns the command that a bank's request needs next. */
static enum dram_command wanted(const struct dram_bank *b)
{
	if (!b->active)
		return DRAM_ACTIVATE;
	if (b->row != b->wanted_row)
		return DRAM_PRECHARGE;
	return b->is_write ? DRAM_WRITE : DRAM_READ;
}

static void transfer(struct dram *d, uint32_t bank)
{
	struct dram_state *s = d->s;
	struct dram_bank *b = &d->bank[bank];
	if (s->writing != b->is_write) {
		s->writing = b->is_write;
		dram_pipe_set_min(d->pipe, d->pipe_mask, s->writing ? d->cfg->t.wl : d->cfg->t.cl);
	}
	dram_pipe_push(d->pipe, d->pipe_mask, b->request);
	s->stats.n.data_cycles += d->burst_cycles;
	b->transferred += d->atom;
	if (b->transferred < b->bytes)
		return;
	b->request = 0;
	s->busy &= ~(UINT64_C(1) << bank);
	b->busy_cycles += s->stats.n.cmd - b->busy_since + 1;
}

static void read_column(struct dram *d, uint32_t bank)
{
	transfer(d, bank);
	d->s->stats.n.rd++;
	d->bank[bank].n_access++; /* GPGPU-Sim counts reads only */
}

static void write_column(struct dram *d, uint32_t bank)
{
	transfer(d, bank);
	d->s->stats.n.wr++;
}

static void activate(struct dram *d, uint32_t bank)
{
	struct dram_bank *b = &d->bank[bank];
	b->row = b->wanted_row;
	b->active = true;
	d->s->stats.n.act++;
}

static void precharge(struct dram *d, uint32_t bank)
{
	d->bank[bank].active = false;
	d->s->stats.n.pre++;
}

/* ACT and PRE turn the order of the banks while GPGPU-Sim is still going through it (`i` banks came before this one): some of the
 * banks that follow are passed over in this cycle and others visited twice, which its count of cycles without a request shows. */
static void turn_order(struct dram *d, uint32_t bank, uint32_t i)
{
	uint32_t n = d->cfg->t.nbk;
	for (uint32_t o = 1; o < n; o++) {
		uint32_t other = bank_turned(o, bank, n);
		if (!(d->s->busy >> other & 1))
			d->bank[other].idle_correction += (o >= n - i) + (o >= i + 2) - 1;
	}
	d->s->prio = bank_turned(1, bank, n);
}

static void give_command(struct dram *d, uint32_t bank, enum dram_command command, uint32_t i)
{
	static void (*const effect[DRAM_COMMANDS])(struct dram *d, uint32_t bank) = {
		[DRAM_READ] = read_column, [DRAM_WRITE] = write_column, [DRAM_ACTIVATE] = activate, [DRAM_PRECHARGE] = precharge};
	effect[command](d, bank);
	dram_rules_start(d, bank, command);
	if (!is_column(command))
		turn_order(d, bank, i);
	d->s->next_command = 0;
}

/* 4.x: after a row command, the banks not seen yet may still begin a transfer in this cycle. The walk continues with the number it has, in
 * the order that the command has just turned. */
static void issue_column_too(struct dram *d, uint32_t i)
{
	const uint32_t n = d->cfg->t.nbk;
	for (i++; i < n; i++) {
		const uint32_t bank = bank_turned(i, d->s->prio, n);
		if (!(d->s->busy >> bank & 1))
			continue;
		const enum dram_command command = wanted(&d->bank[bank]);
		if (!is_column(command) || dram_pipe_full(d->pipe) || dram_allowed_from(d, bank, command) > d->s->stats.n.cmd)
			continue;
		give_command(d, bank, command, i);
		return;
	}
}

/* The first legal command of the banks in their order; false: none. */
static bool issue(struct dram *d)
{
	struct dram_state *s = d->s;
	uint64_t cycle = s->stats.n.cmd, soonest = UINT64_MAX;
	if (!s->busy || cycle < s->next_command)
		return false;
	uint32_t n = d->cfg->t.nbk;
	for (uint64_t turned = banks_from(s->busy, s->prio, n); turned; turned &= turned - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(turned), bank = bank_turned(i, s->prio, n);
		enum dram_command command = wanted(&d->bank[bank]);
		uint64_t from = dram_allowed_from(d, bank, command);
		if (is_column(command) && dram_pipe_full(d->pipe))
			from = later(from, cycle + 1);
		if (from <= cycle) {
			give_command(d, bank, command, i);
			if (d->cfg->rules.column_after_row && !is_column(command))
				issue_column_too(d, i);
			return true;
		}
		soonest = sooner(soonest, from);
	}
	s->next_command = soonest;
	return false;
}

/* ---- the cycle ---- */

/* What comes out of the data pipe; a request that has all its data goes to the return queue. */
static void deliver(struct dram *d, uint64_t now, void (*done)(void *self, uint32_t request), void *self)
{
	uint32_t r = fifo_full(d->returns) ? 0 : dram_pipe_pop(d->pipe, d->pipe_mask);
	if (!r)
		return;
	struct mem_request *m = request_at(d->q, r);
	m->dram_done += d->atom;
	if (m->dram_done < m->size)
		return;
	request_set_status(d->q, r, REQUEST_IN_PARTITION_MC_RETURNQ, now);
	if (m->type == L1_WRBK_ACC || m->type == L2_WRBK_ACC) {
		done(self, r);
		return;
	}
	m->is_reply = true;
	fifo_push(d->returns, r);
}

void dram_cycle(struct dram *d, uint64_t now, void (*done)(void *self, uint32_t request), void *self)
{
	struct dram_state *s = d->s;
	deliver(d, now, done, self);
	d->cfg->scheduler->schedule(d, now);
	s->stats.n.activity += s->busy || s->stats.n.cmd < s->active_until;
	s->stats.n.nop += !issue(d);
	s->stats.n.cmd++;
}

bool dram_quiet(const struct dram *d)
{
	const struct dram_state *s = d->s;
	return !s->busy && !s->pending && fifo_empty(d->input) && !d->pipe->used && fifo_empty(d->returns);
}

void dram_skip(struct dram *d, uint64_t n)
{
	struct dram_stats *st = &d->s->stats;
	if (d->s->active_until > st->n.cmd)
		st->n.activity += sooner(n, d->s->active_until - st->n.cmd);
	st->n.cmd += n;
	st->n.nop += n;
}
