/* Looking at a DRAM controller: counters, GPGPU-Sim's block, and what the banks do. */
#include <inttypes.h>
#include <stdio.h>

#include "timing/dram/dram_internal.h"

const struct dram_stats *dram_get_stats(const struct dram *d) { return &d->s->stats; }

const struct dram_bank_stats *dram_get_bank_stats(const struct dram *d, uint32_t bank) { return &d->bank[bank].stats; }

void dram_note_round_trip(struct dram *d, uint32_t bank, uint64_t latency)
{
	struct dram_bank_stats *b = &d->bank[bank].stats;
	b->round_trips += latency;
	b->max_round_trip = later(b->max_round_trip, latency);
}

uint32_t dram_bank_count(const struct dram *d) { return d->cfg->t.nbk; }

void dram_reset_stats(struct dram *d)
{
	const uint64_t now = d->s->stats.n.cmd;
	d->s->stats = (struct dram_stats){.since = now, .n.cmd = now};
	for (uint32_t k = 0; k < d->cfg->t.nbk; k++) {
		struct dram_bank *b = &d->bank[k];
		b->stats = (struct dram_bank_stats){0};
		b->n_access = b->busy_cycles = 0;
		b->busy_since = now;
		b->idle_correction = 0;
	}
}

static uint64_t idle_cycles(const struct dram *d, const struct dram_bank *b)
{
	uint64_t now = d->s->stats.n.cmd, busy = b->busy_cycles + (b->request ? now - b->busy_since : 0);
	return now - d->s->stats.since - busy + (uint64_t)b->idle_correction;
}

void dram_get_bank(const struct dram *d, uint32_t bank, struct dram_bank_view *out)
{
	const struct dram_bank *b = &d->bank[bank];
	uint64_t now = d->s->stats.n.cmd;
	*out = (struct dram_bank_view){
		.active = b->active,
		.row = b->row,
		.rcd = dram_left(b->rcd, now),
		.ras = dram_left(b->ras, now),
		.rp = dram_left(b->rp, now),
		.rc = dram_left(b->rc, now),
		.rcdwr = dram_left(b->rcdwr, now),
		.wtp = dram_left(b->wtp, now),
		.rtp = dram_left(b->rtp, now),
		.request = b->request,
		.transferred = b->request ? b->transferred : 0,
		.n_access = b->n_access,
		.n_idle = idle_cycles(d, b),
		.queued = b->waiting.n,
	};
}

/* ---- GPGPU-Sim's forms ---- */

/* As printf does it there, but for the sign of a NaN. */
static void add_ratio(struct text *out, uint64_t a, uint64_t b)
{
	if (!a && !b)
		text_add(out, "nan");
	else
		text_addf(out, "%.4g", (double)((float)a / (float)b));
}

/* The values after tRRD= and tCCD= stand the wrong way round there. */
static void print_timing(const struct dram_config *c, uint32_t id, struct text *out)
{
	const struct dram_timing *t = &c->t;
	text_addf(out, "DRAM[%u]: %u bks, busW=%u BL=%u CL=%u, tRRD=%u tCCD=%u, tRCD=%u tRAS=%u tRP=%u tRC=%u\n", id,
		  t->nbk, c->bus_width, c->burst_length, t->cl, t->ccd, t->rrd, t->rcd, t->ras, t->rp, t->rc);
}

static void print_counters(const struct dram_stats *st, struct text *out)
{
	text_addf(out,
		  "n_cmd=%" PRIu64 " n_nop=%" PRIu64 " n_act=%" PRIu64 " n_pre=%" PRIu64 " n_req=%" PRIu64
		  " n_rd=%" PRIu64 " n_write=%" PRIu64 " bw_util=",
		  st->n.cmd - st->since, st->n.nop, st->n.act, st->n.pre, st->n.req, st->n.rd, st->n.wr);
	add_ratio(out, st->n.data_cycles, st->n.cmd - st->since);
}

static void print_zero_bins(struct text *out)
{
	text_add(out, "dram_util_bins: 0 0 0 0 0 0 0 0 0 0\ndram_eff_bins: 0 0 0 0 0 0 0 0 0 0\n");
}

void dram_print(const struct dram *d, uint32_t id, struct text *out)
{
	const struct dram_stats *st = &d->s->stats;
	print_timing(d->cfg, id, out);
	print_counters(st, out);
	text_addf(out, "\nn_activity=%" PRIu64 " dram_eff=", st->n.activity);
	add_ratio(out, st->n.data_cycles, st->n.activity);
	text_addc(out, '\n');
	for (uint32_t i = 0; i < d->cfg->t.nbk; i++)
		text_addf(out, "bk%u: %" PRIu64 "a %" PRIu64 "i ", i, d->bank[i].n_access, idle_cycles(d, &d->bank[i]));
	text_addc(out, '\n');
	print_zero_bins(out);
	if (!d->cfg->frfcfs)
		return;
	text_addf(out, "mrqq: max=%" PRIu64 " avg=", st->queue_max);
	if (st->n.cmd != st->since)
		text_addf(out, "%g\n", (double)((float)st->n.queue_sum / (float)(st->n.cmd - st->since)));
	else
		text_add(out, "nan\n");
}

void dram_print_runtime(struct dram *d, uint32_t id, struct text *out)
{
	struct dram_stats *st = &d->s->stats;
	text_addf(out, "DRAM (%u): ", id);
	print_counters(st, out);
	text_addf(out, " mrqq: %" PRIu64 " ", st->queue_max);
	add_ratio(out, st->n.queue_sum, st->n.cmd - st->since);
	text_addf(out, " mrqsmax=%" PRIu64 " \n", st->queue_max_recent);
	print_zero_bins(out);
	st->queue_max_recent = 0;
}

/* ---- for a reader ---- */

static void dump_queue(const struct dram *d, const struct fifo *f, const char *name, struct text *out)
{
	text_addf(out, "  %-16s %u of %u\n", name, f->n, f->cap);
	for (uint32_t k = 0; k < f->n; k++) {
		text_add(out, "    ");
		request_describe(d->q, fifo_peek(f, k), out);
		text_addc(out, '\n');
	}
}

static void dump_waiting(const struct dram *d, struct text *out)
{
	if (!d->cfg->frfcfs)
		return;
	if (d->cfg->queue_size)
		text_addf(out, "  %-16s %u of %u\n", "scheduler", d->s->pending, d->cfg->queue_size);
	else
		text_addf(out, "  %-16s %u\n", "scheduler", d->s->pending);
	for (uint32_t i = 0; i < d->cfg->t.nbk; i++)
		for (uint32_t r = d->bank[i].waiting.head; r; r = request_at(d->q, r)->next) {
			text_add(out, "    ");
			request_describe(d->q, r, out);
			text_addf(out, "  for bank %2u row 0x%03x%s\n", i, request_at(d->q, r)->dram.row,
				  d->bank[i].serving && d->bank[i].serving_row == request_at(d->q, r)->dram.row
					  ? ", in service"
					  : "");
		}
}

static void add_timer(struct text *out, uint64_t until, uint64_t now)
{
	uint32_t left = dram_left(until, now);
	if (left)
		text_addf(out, " %5u", left);
	else
		text_add(out, "     -");
}

static void dump_bank(const struct dram *d, uint32_t i, struct text *out)
{
	const struct dram_bank *b = &d->bank[i];
	const uint64_t timers[] = {b->rcd, b->rcdwr, b->ras, b->rp, b->rc, b->wtp, b->rtp};
	text_addf(out, "  %4u  %-6s", i, b->active ? "open" : "closed");
	if (b->active)
		text_addf(out, " 0x%05x", b->row);
	else
		text_addf(out, " %7s", "-");
	for (size_t k = 0; k < sizeof timers / sizeof timers[0]; k++)
		add_timer(out, timers[k], d->s->stats.n.cmd);
	text_addf(out, " %6u", b->waiting.n);
	if (b->request)
		text_addf(out, "  #%" PRIu64 " %s row 0x%03x, %u of %u bytes", request_at(d->q, b->request)->uid,
			  b->is_write ? "writes" : "reads", b->wanted_row, b->transferred, b->bytes);
	text_addc(out, '\n');
}

/* Nothing to see: closed, no timer runs, nobody waits. */
static bool bank_is_dull(const struct dram *d, uint32_t i)
{
	const struct dram_bank *b = &d->bank[i];
	uint64_t until = later(later(b->rp, b->rc), later(b->wtp, b->rtp));
	return !b->active && !b->request && !b->waiting.n && until <= d->s->stats.n.cmd;
}

static void dump_banks(const struct dram *d, struct text *out)
{
	uint32_t dull = 0;
	text_add(out, "  bank  state      row   RCD RCDWR   RAS    RP    RC   WTP   RTP queued  request\n");
	for (uint32_t i = 0; i < d->cfg->t.nbk; i++) {
		if (bank_is_dull(d, i))
			dull++;
		else
			dump_bank(d, i, out);
	}
	if (dull)
		text_addf(out, "  (%u bank%s closed and idle)\n", dull, dull == 1 ? "" : "s");
}

/* ", NAME n" for a timer that runs. */
static unsigned add_running(struct text *out, const char *name, uint64_t until, uint64_t now, unsigned n)
{
	uint32_t left = dram_left(until, now);
	if (left)
		text_addf(out, "%s%s %u", n ? ", " : "", name, left);
	return n + (left != 0);
}

static void dump_shared_timers(const struct dram *d, struct text *out)
{
	const struct dram_state *s = d->s;
	uint64_t now = s->stats.n.cmd;
	unsigned n = 0;
	char name[32];
	text_addf(out, "  %-16s ", "timers of all");
	n = add_running(out, "RRD", s->rrd, now, n);
	n = add_running(out, "CCD", s->ccd, now, n);
	n = add_running(out, "RTW", s->rtw, now, n);
	n = add_running(out, "WTR", s->wtr, now, n);
	for (uint32_t g = 0; g < d->cfg->t.nbkgrp; g++) {
		snprintf(name, sizeof name, "group %u CCDL", g);
		n = add_running(out, name, d->group[g].ccdl, now, n);
		snprintf(name, sizeof name, "group %u RTPL", g);
		n = add_running(out, name, d->group[g].rtpl, now, n);
	}
	text_add(out, n ? "\n" : "none runs\n");
}

static void dump_pipe(const struct dram *d, struct text *out)
{
	const struct dram_pipe *p = d->pipe;
	text_addf(out, "  %-16s %s, next first:", "data pipe", d->s->writing ? "writing" : "reading");
	for (uint32_t k = 0; k < p->length; k++) {
		uint32_t r = dram_pipe_peek(p, d->pipe_mask, k);
		if (r)
			text_addf(out, " #%" PRIu64, request_at(d->q, r)->uid);
		else
			text_add(out, " -");
	}
	text_addc(out, '\n');
}

void dram_dump(const struct dram *d, struct text *out)
{
	dump_queue(d, d->input, "input queue", out);
	dump_waiting(d, out);
	dump_banks(d, out);
	dump_shared_timers(d, out);
	dump_pipe(d, out);
	dump_queue(d, d->returns, "return queue", out);
}
