/* Looking at a DRAM controller: counters, GPGPU-Sim's block, and what the banks do. */
#include <inttypes.h>
#include <string.h>

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
	*out = (struct dram_bank_view){
		.active = b->active,
		.row = b->row,
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
	if (!d->cfg->scheduler->has_queue)
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
	if (!d->cfg->scheduler->has_queue)
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

uint32_t dram_timer_left(const struct dram *d, const char *name, uint32_t k)
{
	for (unsigned r = 0; r < d->cfg->model->n_rules; r++)
		if (!strcmp(d->cfg->model->rules[r].name, name))
			return dram_rule_left(d, r, k);
	return 0;
}

static void add_timer(struct text *out, uint32_t left)
{
	if (left)
		text_addf(out, " %5u", left);
	else
		text_add(out, "     -");
}

static void dump_bank(const struct dram *d, uint32_t i, struct text *out)
{
	const struct dram_bank *b = &d->bank[i];
	const struct dram_model *model = d->cfg->model;
	text_addf(out, "  %4u  %-6s", i, b->active ? "open" : "closed");
	if (b->active)
		text_addf(out, " 0x%05x", b->row);
	else
		text_addf(out, " %7s", "-");
	for (unsigned r = 0; r < model->n_rules; r++)
		if (model->rules[r].level == DRAM_BANK)
			add_timer(out, dram_rule_left(d, r, i));
	text_addf(out, " %6u", b->waiting.n);
	if (b->request)
		text_addf(out, "  #%" PRIu64 " %s row 0x%03x, %u of %u bytes", request_at(d->q, b->request)->uid,
			  b->is_write ? "writes" : "reads", b->wanted_row, b->transferred, b->bytes);
	text_addc(out, '\n');
}

/* Returns whether a bank is not worth a line: it is closed, may be opened, and no request waits for it. */
static bool bank_is_dull(const struct dram *d, uint32_t i)
{
	const struct dram_bank *b = &d->bank[i];
	return !b->active && !b->request && !b->waiting.n && b->part.next[DRAM_ACTIVATE] <= d->s->stats.n.cmd;
}

static void dump_banks(const struct dram *d, struct text *out)
{
	const struct dram_model *model = d->cfg->model;
	uint32_t dull = 0;
	text_add(out, "  bank  state      row");
	for (unsigned r = 0; r < model->n_rules; r++)
		if (model->rules[r].level == DRAM_BANK)
			text_addf(out, " %5s", model->rules[r].name);
	text_add(out, " queued  request\n");
	for (uint32_t i = 0; i < d->cfg->t.nbk; i++) {
		if (bank_is_dull(d, i))
			dull++;
		else
			dump_bank(d, i, out);
	}
	if (dull)
		text_addf(out, "  (%u bank%s closed and idle)\n", dull, dull == 1 ? "" : "s");
}

/* Appends "NAME n" for each rule of a level whose timer runs in part k; `n` such entries precede. Returns their new number. */
static unsigned add_running(const struct dram *d, enum dram_level level, uint32_t k, unsigned n, struct text *out)
{
	const struct dram_model *model = d->cfg->model;
	for (unsigned r = 0; r < model->n_rules; r++) {
		const uint32_t left = model->rules[r].level == level ? dram_rule_left(d, r, k) : 0;
		if (!left)
			continue;
		text_add(out, n++ ? ", " : "");
		if (level == DRAM_GROUP)
			text_addf(out, "group %u ", k);
		text_addf(out, "%s %u", model->rules[r].name, left);
	}
	return n;
}

static void dump_shared_timers(const struct dram *d, struct text *out)
{
	text_addf(out, "  %-16s ", "timers of all");
	unsigned n = add_running(d, DRAM_CHANNEL, 0, 0, out);
	for (uint32_t g = 0; g < d->cfg->t.nbkgrp; g++)
		n = add_running(d, DRAM_GROUP, g, n, out);
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
