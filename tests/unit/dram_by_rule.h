/* A DRAM controller written down rule by rule, without a thought for speed: counters that count down, lists that are searched, all banks
 * visited in every cycle. The one the simulator uses must do the same in every cycle. */
#ifndef TESTS_DRAM_BY_RULE_H
#define TESTS_DRAM_BY_RULE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "timing/dram/dram.h"

#define RULE_QUEUE 4096

struct rule_request {
	uint32_t id, bank, row, bytes, given, done; /* bytes: commands given for, data transferred */
	bool is_write, is_back;
	uint64_t pushed;
};
struct rule_list {
	struct rule_request *at[RULE_QUEUE]; /* oldest first */
	unsigned n;
};
struct rule_bank {
	bool active, serving;
	uint32_t row, serving_row;
	uint32_t rcd, rcdwr, ras, rp, rc, wtp, rtp;
	struct rule_request *r;
	struct rule_list waiting;
	uint64_t n_access, n_idle;
	uint64_t row_changes, row_accesses, run, max_run, since, max_time;
};
struct rule_dram {
	struct dram_config c;
	struct rule_bank bank[64];
	uint32_t ccdl[64], rtpl[64], rrd, ccd, rtw, wtr, prio, pending;
	bool writing;
	struct rule_request *pipe[64];
	unsigned pipe_n, pipe_min;
	struct rule_list input, returns;
	uint64_t n_cmd, n_nop, n_act, n_pre, n_rd, n_wr, n_activity, data_cycles, max_wait, backs;
};

static inline void rule_init(struct rule_dram *d, const struct dram_config *c)
{
	memset(d, 0, sizeof *d);
	d->c = *c;
	d->pipe_min = d->pipe_n = c->t.cl;
}

static inline void rule_put(struct rule_list *l, struct rule_request *r)
{
	assert(l->n < RULE_QUEUE);
	l->at[l->n++] = r;
}
static inline struct rule_request *rule_take(struct rule_list *l, unsigned k)
{
	struct rule_request *r = l->at[k];
	memmove(&l->at[k], &l->at[k + 1], (--l->n - k) * sizeof l->at[0]);
	return r;
}

/* ---- the data pipe ---- */

static inline void rule_pipe_push(struct rule_dram *d, struct rule_request *r)
{
	if (!d->pipe_n || d->pipe[d->pipe_n - 1] || d->pipe_n < d->pipe_min)
		d->pipe_n++;
	d->pipe[d->pipe_n - 1] = r;
}
static inline struct rule_request *rule_pipe_pop(struct rule_dram *d)
{
	if (!d->pipe_n)
		return NULL;
	struct rule_request *r = d->pipe[0];
	memmove(&d->pipe[0], &d->pipe[1], --d->pipe_n * sizeof d->pipe[0]);
	if (d->pipe_n < d->pipe_min)
		rule_pipe_push(d, NULL);
	return r;
}
static inline void rule_pipe_min(struct rule_dram *d, unsigned min)
{
	d->pipe_min = min;
	while (d->pipe_n < min)
		rule_pipe_push(d, NULL);
	while (d->pipe_n > min && !d->pipe[d->pipe_n - 1])
		d->pipe_n--;
}

/* ---- scheduling ---- */

static inline int rule_find_row(const struct rule_list *l, uint32_t row)
{
	for (unsigned k = 0; k < l->n; k++)
		if (l->at[k]->row == row)
			return (int)k;
	return -1;
}

static inline struct rule_request *rule_pick(struct rule_bank *b, uint64_t now)
{
	if (!b->serving) {
		if (!b->waiting.n)
			return NULL;
		b->serving_row = b->row;
		if (rule_find_row(&b->waiting, b->row) < 0) {
			b->serving_row = b->waiting.at[0]->row;
			if (now > b->since && now - b->since > b->max_time)
				b->max_time = now - b->since;
			b->since = now;
			if (b->run > b->max_run)
				b->max_run = b->run;
			b->run = 0;
			b->row_changes++;
		}
		b->serving = true;
	}
	struct rule_request *r = rule_take(&b->waiting, (unsigned)rule_find_row(&b->waiting, b->serving_row));
	b->serving = rule_find_row(&b->waiting, b->serving_row) >= 0;
	b->run++;
	b->row_accesses++;
	return r;
}

static inline void rule_schedule(struct rule_dram *d, uint64_t now)
{
	if (d->c.scheduler == &dram_fifo) {
		if (d->input.n && !d->bank[d->input.at[0]->bank].r) {
			struct rule_request *r = rule_take(&d->input, 0);
			d->bank[r->bank].r = r;
		}
		return;
	}
	while (d->input.n && (!d->c.queue_size || d->pending < d->c.queue_size)) {
		struct rule_request *r = rule_take(&d->input, 0);
		rule_put(&d->bank[r->bank].waiting, r);
		d->pending++;
	}
	for (uint32_t i = 0; i < d->c.t.nbk; i++) {
		struct rule_bank *b = &d->bank[(i + d->prio) % d->c.t.nbk];
		struct rule_request *r = b->r ? NULL : rule_pick(b, now);
		if (!r)
			continue;
		d->pending--;
		d->prio = (d->prio + 1) % d->c.t.nbk;
		b->r = r;
		if (now - r->pushed > d->max_wait)
			d->max_wait = now - r->pushed;
		return;
	}
}

/* ---- commands ---- */

/* The bank group of bank j. */
static inline uint32_t rule_group(const struct rule_dram *d, uint32_t j)
{
	uint32_t bits = 0;
	for (uint32_t n = d->c.t.nbk / d->c.t.nbkgrp; n; n /= 2)
		bits++;
	return j >> bits;
}

static inline void rule_activate(struct rule_dram *d, uint32_t j)
{
	const struct dram_timing *t = &d->c.t;
	struct rule_bank *b = &d->bank[j];
	b->row = b->r->row;
	b->active = true;
	d->rrd = t->rrd;
	b->rcd = t->rcd;
	b->rcdwr = t->rcd - (t->wl + 1);
	b->ras = t->ras;
	b->rc = t->rc;
	d->prio = (j + 1) % t->nbk;
	d->n_act++;
}

/* What RD and WR have in common; the bank is rid of a request that has all its bytes. */
static inline void rule_burst(struct rule_dram *d, uint32_t j, uint32_t burst)
{
	struct rule_bank *b = &d->bank[j];
	rule_pipe_push(d, b->r);
	d->ccd = d->c.t.ccd;
	d->ccdl[rule_group(d, j)] = d->c.t.ccdl;
	d->data_cycles += burst;
	b->r->given += dram_atom(&d->c);
	if (b->r->given >= b->r->bytes)
		b->r = NULL;
}

static inline bool rule_try(struct rule_dram *d, uint32_t j)
{
	const struct dram_timing *t = &d->c.t;
	const uint32_t burst = d->c.burst_length / d->c.data_ratio, g = rule_group(d, j);
	struct rule_bank *b = &d->bank[j];
	struct rule_request *r = b->r;
	bool full = d->pipe_n >= t->cl + 1;
	if (!r->is_write && b->active && b->row == r->row && !d->ccd && !b->rcd && !d->ccdl[g] && !d->wtr && !full) {
		if (d->writing)
			rule_pipe_min(d, t->cl);
		d->writing = false;
		d->rtw = t->cl + burst + 2 - t->wl;
		b->rtp = burst;
		d->rtpl[g] = t->rtpl;
		d->n_rd++;
		b->n_access++;
	} else if (r->is_write && b->active && b->row == r->row && !d->ccd && !b->rcdwr && !d->ccdl[g] && !d->rtw && !full) {
		if (!d->writing)
			rule_pipe_min(d, t->wl);
		d->writing = true;
		d->wtr = t->wl + burst + t->cdlr;
		b->wtp = t->wl + burst + t->wr;
		d->n_wr++;
	} else if (!b->active && !d->rrd && !b->rp && !b->rc) {
		rule_activate(d, j);
		return true;
	} else if (b->active && b->row != r->row && !b->ras && !b->wtp && !b->rtp && !d->rtpl[g]) {
		b->active = false;
		b->rp = t->rp;
		d->prio = (j + 1) % t->nbk;
		d->n_pre++;
		return true;
	} else {
		return false;
	}
	rule_burst(d, j, burst);
	return true;
}

static inline void rule_count_down(uint32_t *t) { *t -= *t > 0; }

static inline void rule_cycle(struct rule_dram *d, uint64_t now)
{
	uint32_t n = d->c.t.nbk;
	bool issued = false, active = false;
	struct rule_request *out = d->returns.n < (d->c.return_queue ? d->c.return_queue : 1024) ? rule_pipe_pop(d) : NULL;
	if (out && (out->done += dram_atom(&d->c)) >= out->bytes) {
		if (out->is_back)
			d->backs++;
		else
			rule_put(&d->returns, out);
	}
	rule_schedule(d, now);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = (i + d->prio) % n; /* the order may turn while it is gone through */
		struct rule_bank *b = &d->bank[j];
		if (b->r) {
			active = true;
			issued = issued || rule_try(d, j);
			continue;
		}
		if (d->ccd || d->rrd || d->rtw || d->wtr || b->rcd || b->ras || b->rc || b->rp || b->rcdwr)
			active = true;
		b->n_idle++;
	}
	d->n_nop += !issued;
	d->n_activity += active;
	d->n_cmd++;
	uint32_t *shared[] = {&d->rrd, &d->ccd, &d->rtw, &d->wtr};
	for (unsigned k = 0; k < 4; k++)
		rule_count_down(shared[k]);
	for (uint32_t j = 0; j < n; j++) {
		struct rule_bank *b = &d->bank[j];
		uint32_t *timers[] = {&b->rcd, &b->rcdwr, &b->ras, &b->rp, &b->rc, &b->wtp, &b->rtp};
		for (unsigned k = 0; k < 7; k++)
			rule_count_down(timers[k]);
	}
	for (uint32_t g = 0; g < d->c.t.nbkgrp; g++) {
		rule_count_down(&d->ccdl[g]);
		rule_count_down(&d->rtpl[g]);
	}
}

#endif
