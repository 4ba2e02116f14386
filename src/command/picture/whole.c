/* What a whole launch did: figures of each instruction, and warps by cycles. Collected while the launch is run again. States of warps are looked at
 * every so many cycles, so that long launches take little longer than without; all else is counted. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/stalls.h"
#include "command/info.h"
#include "command/picture/picture.h"
#include "command/state.h"
#include "debug/describe.h"
#include "isa/opcodes.h"

#define LOOKS 3840u	      /* at the states, over the launch */
#define TURNS_MOST 2000000u   /* cycles of launches whose every turn is looked at */
#define TRANSACTIONS_MOST 32u /* of an access that are kept */
#define ACCESSES 6u	      /* that are shown */

struct whole_access {
	uint32_t pc, core, lanes, cost, n_transactions, bytes;
	uint16_t warp;
	bool is_write, is_shared;
	uint64_t cycle, address[LANES];
	struct {
		uint64_t address;
		uint32_t size, lanes;
	} transaction[TRANSACTIONS_MOST];
};

static size_t at(const struct whole *w, uint32_t core, uint32_t warp) { return (size_t)core * w->t->cfg->core.n_warps + warp; }

static void start(void *self, struct timing *t)
{
	struct whole *w = self;
	const size_t warps = (size_t)t->cfg->core.n_cores * t->cfg->core.n_warps;
	w->t = t;
	w->n_insns = t->exec->program->n_insns;
	w->insn = xcalloc(w->n_insns + 1u, sizeof *w->insn);
	w->access_at = xcalloc(w->n_insns + 1u, sizeof *w->access_at);
	w->state = xcalloc(warps * w->buckets * WAIT_COUNT, sizeof *w->state);
	w->issues = xcalloc(warps * w->buckets, sizeof *w->issues);
	w->issued = xcalloc(w->buckets, sizeof *w->issued);
	w->lost = xcalloc(w->buckets, sizeof *w->lost);
	w->last_pc = xcalloc(warps, sizeof *w->last_pc);
	w->last_lanes = xcalloc(warps, sizeof *w->last_lanes);
}

/* ---- accesses ---- */

static struct whole_access *access_of(struct whole *w, uint32_t pc)
{
	if (w->access_at[pc])
		return &w->access[w->access_at[pc] - 1];
	w->access = xgrow(w->access, &w->cap_accesses, w->n_accesses + 1, sizeof *w->access);
	w->access[w->n_accesses] = (struct whole_access){.pc = pc};
	w->access_at[pc] = (uint32_t)w->n_accesses + 1;
	return &w->access[w->n_accesses++];
}

static uint64_t lane_address(const struct exec_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
}

static void keep_access(struct whole *w, const struct core *c, const struct inst *i, const struct exec_access *a, uint32_t cost, uint64_t now)
{
	struct whole_access *k = access_of(w, i->pc);
	if (k->cost >= cost)
		return;
	*k = (struct whole_access){.pc = i->pc, .core = c->id, .lanes = a->lanes, .cost = cost, .bytes = a->size, .warp = i->warp, .is_write = a->is_write,
				   .is_shared = i->space == ISA_SPACE_SHARED, .cycle = now};
	LANES_EACH (lane, a->lanes)
		k->address[lane] = lane_address(a, lane);
	for (uint32_t n = i->accesses; n && k->n_transactions < TRANSACTIONS_MOST; n = c->access[n].next) {
		k->transaction[k->n_transactions].address = c->access[n].address;
		k->transaction[k->n_transactions].size = c->access[n].size;
		k->transaction[k->n_transactions++].lanes = c->access[n].lanes;
	}
}

static void count_access(struct whole *w, const struct core *c, const struct inst *i, uint64_t now)
{
	const struct timing_insn *ti = core_insn(c, i);
	struct whole_insn *n = &w->insn[i->pc];
	if ((ti->class != TIMING_LOAD && ti->class != TIMING_STORE) || !i->active)
		return;
	const struct exec_effect *e = &c->t->exec->effect;
	const bool is_shared = i->space == ISA_SPACE_SHARED;
	if (is_shared) {
		n->shared++;
		n->bank_cycles += i->dispatch;
	} else if (i->n_accesses) {
		n->accesses++;
		n->transactions += i->n_accesses;
	}
	const bool is_drawn = is_shared || (i->n_accesses && (i->space == ISA_SPACE_GLOBAL || i->space == ISA_SPACE_LOCAL));
	if (e->kind == EXEC_EFFECT_ACCESS && is_drawn)
		keep_access(w, c, i, &e->access, is_shared ? i->dispatch : i->n_accesses, now);
}

/* ---- events ---- */

static uint32_t bucket_of(const struct whole *w, uint64_t now)
{
	const uint64_t k = (now - w->first) / w->bucket;
	return k < w->buckets ? (uint32_t)k : w->buckets - 1;
}

static void on_issue(void *self, struct core *c, uint32_t inst, uint64_t now)
{
	struct whole *w = self;
	const struct inst *i = &c->inst[inst];
	const size_t slot = at(w, c->id, i->warp);
	if (now < w->first || i->pc >= w->n_insns)
		return;
	struct whole_insn *n = &w->insn[i->pc];
	n->executions++;
	n->lanes += (uint64_t)__builtin_popcount(i->issue_mask);
	w->issues[slot * w->buckets + bucket_of(w, now)]++;
	w->issued[bucket_of(w, now)]++;
	/* lanes have gone another way since the warp's last instruction, a branch */
	const uint32_t before = w->last_lanes[slot], pc = w->last_pc[slot];
	if (before && (i->issue_mask & ~before) == 0 && i->issue_mask != before && pc < w->n_insns &&
	    w->t->exec->program->insns[pc].opcode == ISA_OP_BRA)
		w->insn[pc].divergences++;
	w->last_lanes[slot] = i->issue_mask;
	w->last_pc[slot] = i->pc;
	count_access(w, c, i, now);
}

static void on_complete(void *self, const struct inst *i, uint64_t now)
{
	struct whole *w = self;
	if (now >= w->first && i->pc < w->n_insns)
		w->insn[i->pc].latency += now - i->issued;
}

static void on_request(void *self, uint32_t r, enum request_status before)
{
	struct whole *w = self;
	const struct mem_request *m = request_at(&w->t->requests, r);
	if (m->status == REQUEST_IN_PARTITION_DRAM && before != m->status && m->pc < w->n_insns)
		w->insn[m->pc].dram_bytes += m->size;
}

/* Returns true if a wait is for what the kernel does, not for its code or its end. */
static bool is_lost_in_kernel(enum warp_wait wait)
{
	return wait == WAIT_SCOREBOARD || wait == WAIT_PIPE || wait == WAIT_BARRIER || wait == WAIT_MEMBAR || wait == WAIT_ATOMIC || wait == WAIT_LATENCY;
}

/* Adds `every` cycles to the state in which each warp is. */
static void look(struct whole *w, uint64_t now)
{
	const uint32_t bucket = bucket_of(w, now);
	for (uint32_t k = 0; k < w->t->cfg->core.n_cores; k++) {
		const struct core *c = &w->t->core[k];
		for (uint64_t live = c->s->live; live; live &= live - 1) {
			const uint32_t warp = (uint32_t)__builtin_ctzll(live);
			const enum warp_wait wait = dump_warp_wait(c, warp);
			uint32_t pc;
			w->state[(at(w, k, warp) * w->buckets + bucket) * WAIT_COUNT + wait]++;
			w->lost[bucket] += is_lost_in_kernel(wait);
			if (dump_warp_pc(c, warp, &pc) && pc < w->n_insns)
				w->insn[pc].waits[wait] += w->every;
		}
	}
}

static void on_tick(void *self, uint32_t domains, uint64_t now)
{
	struct whole *w = self;
	if ((domains & 1u) && now >= w->first && (now - w->first) % w->every == 0)
		look(w, now);
}

static void on_turn(void *self, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp, uint64_t n)
{
	struct whole *w = self;
	stalls_turn(w->d->commands->perf.observer, c, scheduler, what, warp, n);
}

/* ---- the run ---- */

/* The counts that `set stalls on` asked for are put aside after the history has kept them, and are back before it returns them. */
static void take_counts_back(struct whole *w)
{
	if (w->counts_turns)
		stalls_end_brief(w->d, w->put_aside);
	w->counts_turns = false;
}

static void start_with_turns(void *self, struct timing *t)
{
	struct whole *w = self;
	start(w, t);
	w->put_aside = stalls_begin_brief(w->d);
	w->counts_turns = true;
}

static bool end(void *self)
{
	struct whole *w = self;
	struct text why = {0};
	w->stalls = report_create();
	if (!info_stalls(w->d, "", w->stalls, &why)) {
		report_destroy(w->stalls);
		w->stalls = NULL;
	}
	text_free(&why);
	take_counts_back(w);
	return true;
}

static bool run_with_turns(struct history *h, struct again *a, struct replay_observer *o, struct whole *w, struct text *why)
{
	o->begin = start_with_turns;
	o->hooks.on_turn = on_turn;
	a->end = end;
	const bool ok = history_run_again(h, a, why);
	take_counts_back(w); /* where the run was interrupted */
	return ok;
}

bool whole_record(struct history *h, struct whole *w, uint32_t launch, struct text *why)
{
	struct debug *d = history_debug(h);
	struct replay_observer o = {
		.hooks = {.self = w, .on_issue = on_issue, .on_complete = on_complete, .on_tick = on_tick, .requests = {w, on_request}}, .begin = start};
	*w = (struct whole){.d = d, .launch = launch};
	if (!picture_span(d, launch, &w->first, &w->last, why))
		return false;
	const uint64_t cycles = w->last - w->first + 1;
	w->bucket = (cycles + WHOLE_BUCKETS - 1) / WHOLE_BUCKETS;
	w->buckets = (uint32_t)((cycles + w->bucket - 1) / w->bucket);
	w->every = cycles / LOOKS + 1;
	struct again a = {.launch = launch, .first = w->first, .last = w->last, .machine = &o, .self = w};
	if (d->commands->perf.observer && cycles <= TURNS_MOST)
		return run_with_turns(h, &a, &o, w, why);
	return history_run_again(h, &a, why);
}

void whole_free(struct whole *w)
{
	free(w->insn);
	free(w->access);
	free(w->access_at);
	free(w->state);
	free(w->issues);
	free(w->issued);
	free(w->lost);
	free(w->last_pc);
	free(w->last_lanes);
	report_destroy(w->stalls);
	*w = (struct whole){0};
}

/* ---- windows ---- */

static bool is_apart(uint64_t at, const uint64_t *first, unsigned n, uint64_t length)
{
	for (unsigned k = 0; k < n; k++)
		if (at < first[k] + length && first[k] < at + length)
			return false;
	return true;
}

static uint32_t busiest_core(const struct whole *w)
{
	uint64_t most = 0;
	uint32_t best = 0;
	for (uint32_t core = 0; core < w->t->cfg->core.n_cores; core++) {
		uint64_t n = 0;
		for (size_t k = at(w, core, 0) * w->buckets; k < at(w, core + 1, 0) * w->buckets; k++)
			n += w->issues[k];
		if (n > most) {
			most = n;
			best = core;
		}
	}
	return best;
}

/* The beginning; where most cycles of warps are lost; where most instructions are issued. */
unsigned whole_windows(const struct whole *w, uint64_t length, uint64_t *first, unsigned most, uint32_t *core)
{
	const uint64_t *const by[] = {w->lost, w->issued};
	unsigned n = 0;
	*core = busiest_core(w);
	for (uint32_t k = 0; k < w->buckets && !n; k++)
		if (w->issued[k])
			first[n++] = w->first + k * w->bucket;
	for (unsigned i = 0; i < 2 && n < most; i++) {
		uint64_t best = 0, where = 0;
		for (uint32_t k = 0; k < w->buckets; k++) {
			const uint64_t begin = w->first + k * w->bucket;
			if (by[i][k] > best && is_apart(begin, first, n, length)) {
				best = by[i][k];
				where = begin;
			}
		}
		if (best)
			first[n++] = where;
	}
	return n;
}

/* ---- as data ---- */

/* Returns the symbol of what a warp did most in a bucket: `#` it issued in a quarter of the cycles or more. */
static char symbol_of(const struct whole *w, size_t slot, uint32_t bucket)
{
	const uint16_t *n = &w->state[(slot * w->buckets + bucket) * WAIT_COUNT];
	unsigned best = WAIT_GONE;
	for (unsigned k = WAIT_GONE + 1; k < WAIT_COUNT; k++)
		if (n[k] > n[best])
			best = k;
	if (4 * (uint64_t)w->issues[slot * w->buckets + bucket] >= w->bucket)
		return '#';
	return warp_wait_symbols[best];
}

/* Returns the instructions that each warp slot has issued, in memory that the caller frees. */
static uint64_t *issued_by_slot(const struct whole *w, size_t *n)
{
	*n = at(w, w->t->cfg->core.n_cores, 0);
	uint64_t *issued = xcalloc(*n + 1, sizeof *issued);
	for (size_t slot = 0; slot < *n; slot++)
		for (uint32_t k = 0; k < w->buckets; k++)
			issued[slot] += w->issues[slot * w->buckets + k];
	return issued;
}

uint32_t whole_warps(const struct whole *w)
{
	size_t n;
	uint32_t warps = 0;
	uint64_t *issued = issued_by_slot(w, &n);
	for (size_t slot = 0; slot < n; slot++)
		warps += issued[slot] != 0;
	free(issued);
	return warps;
}

static void describe_warp(const struct whole *w, size_t slot, uint64_t issued, struct report *answer)
{
	struct text s = {0};
	for (uint32_t k = 0; k < w->buckets; k++)
		text_addc(&s, symbol_of(w, slot, k));
	report_open(answer, NULL);
	report_number(answer, "core", slot / w->t->cfg->core.n_warps);
	report_number(answer, "warp", slot % w->t->cfg->core.n_warps);
	report_number(answer, "issued", issued);
	report_text(answer, "states", text_str(&s));
	report_close(answer);
	text_free(&s);
}

void whole_describe_warps(const struct whole *w, size_t most, struct report *answer)
{
	size_t n;
	uint64_t *issued = issued_by_slot(w, &n);
	bool *chosen = picture_costliest(issued, n, most);
	report_number(answer, "first_cycle", w->first);
	report_number(answer, "last_cycle", w->last);
	report_number(answer, "cycles_per_column", w->bucket);
	report_number(answer, "looked_every", w->every);
	report_list(answer, "warps");
	for (size_t slot = 0; slot < n; slot++)
		if (issued[slot] && chosen[slot])
			describe_warp(w, slot, issued[slot], answer);
	report_close(answer);
	free(chosen);
	free(issued);
}

void whole_describe_lines(const struct whole *w, const bool *chosen, struct report *answer)
{
	report_list(answer, "instructions");
	for (uint32_t pc = 0; pc < w->n_insns; pc++) {
		const struct whole_insn *n = &w->insn[pc];
		if (!n->executions || !chosen[pc])
			continue;
		report_open(answer, NULL);
		report_number(answer, "index", pc);
		report_number(answer, "executions", n->executions);
		report_number(answer, "lanes", n->lanes);
		report_number(answer, "latency_cycles", n->latency);
		report_number(answer, "transactions", n->transactions);
		report_number(answer, "accesses", n->accesses);
		report_number(answer, "shared_accesses", n->shared);
		report_number(answer, "bank_cycles", n->bank_cycles);
		report_number(answer, "dram_bytes", n->dram_bytes);
		report_number(answer, "divergences", n->divergences);
		report_open(answer, "waits");
		for (unsigned k = WAIT_GONE + 1; k < WAIT_COUNT; k++)
			if (n->waits[k])
				report_number(answer, warp_wait_words[k], n->waits[k]);
		report_close(answer);
		report_close(answer);
	}
	report_close(answer);
}

static uint64_t cost_of(const struct whole *w, const struct whole_access *a)
{
	const struct whole_insn *n = &w->insn[a->pc];
	return n->latency + n->transactions * 32 + n->bank_cycles;
}

static void describe_access(const struct whole *w, const struct whole_access *a, struct report *answer)
{
	report_open(answer, NULL);
	picture_instruction(w->d, a->pc, answer);
	report_number(answer, "core", a->core);
	report_number(answer, "warp", a->warp);
	report_number(answer, "cycle", a->cycle);
	report_number(answer, "size_bytes", a->bytes);
	report_flag(answer, "is_write", a->is_write);
	report_flag(answer, "is_shared", a->is_shared);
	report_number(answer, a->is_shared ? "bank_cycles" : "transactions", a->cost);
	report_number(answer, "banks", w->t->cfg->core.shared_banks);
	report_list(answer, "addresses"); /* by lane; none: the lane doesn't execute it */
	for (unsigned lane = 0; lane < LANES; lane++)
		if (a->lanes >> lane & 1)
			report_hex(answer, NULL, a->address[lane]);
		else
			report_none(answer, NULL, "-");
	report_close(answer);
	report_list(answer, "segments");
	for (uint32_t k = 0; k < a->n_transactions; k++) {
		report_open(answer, NULL);
		report_hex(answer, "address", a->transaction[k].address);
		report_number(answer, "size_bytes", a->transaction[k].size);
		report_lanes(answer, "lanes", a->transaction[k].lanes);
		report_close(answer);
	}
	report_close(answer);
	report_close(answer);
}

void whole_describe_accesses(const struct whole *w, struct report *answer)
{
	bool *done = xcalloc(w->n_accesses + 1, sizeof *done);
	report_list(answer, "accesses");
	for (unsigned n = 0; n < ACCESSES; n++) {
		size_t best = w->n_accesses;
		for (size_t k = 0; k < w->n_accesses; k++)
			if (!done[k] && (best == w->n_accesses || cost_of(w, &w->access[k]) > cost_of(w, &w->access[best])))
				best = k;
		if (best == w->n_accesses)
			break;
		done[best] = true;
		describe_access(w, &w->access[best], answer);
	}
	report_close(answer);
	free(done);
}
