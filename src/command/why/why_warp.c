/* `why warp N`: what a warp waits for, down to the instruction and the request. */
#include <inttypes.h>
#include <string.h>

#include "debug/describe.h"
#include "command/info.h"
#include "debug/stop/stop.h"
#include "debug/view/view.h"
#include "command/why/why_internal.h"
#include "timing/core/scheduler.h"

struct why_warp why_warp_of(struct debug *d, const struct exec_cta *cta, uint32_t index)
{
	struct why_warp w = {.d = d, .cta = cta, .w = &cta->warp[index], .t = gpu_timing(d->g)};
	w.number = info_warp_number(cta, w.w);
	w.c = w.t ? &w.t->core[cta->core] : NULL;
	return w;
}

static const struct exec_simt *top_of(const struct why_warp *w) { return exec_simt_top(gpu_exec(w->d->g), w->w); }

bool why_spins(const struct why_warp *w) { return w->w->state == EXEC_WARP_RUNNABLE && gpu_warp_spins(w->d->g, w->w); }

static const struct debug_stop *failure(const struct why_warp *w)
{
	const struct debug_stop *last = debug_last_stop(w->d);
	struct debug_thread t;
	const bool is_here = last && last->reason == DEBUG_STOP_EXCEPTION && last->has_thread &&
			     last->cycle == gpu_cycle(w->d->g) && debug_thread_of_uid(w->d, last->uid, &t) &&
			     t.launch == w->cta->launch && t.cta == w->cta->linear && debug_warp_of(w->d, t.thread) == w->w->index &&
			     w->w->n_simt && top_of(w)->pc == last->pc;
	return is_here ? last : NULL;
}

bool why_failed(const struct why_warp *w) { return failure(w) != NULL; }

/* `has failed: bar.sync at x.ptx:59, Warp Invalid Barrier` */
static void does_failed(const struct why_warp *w, uint32_t pc, struct text *out)
{
	text_add(out, "has failed: ");
	why_insn(w->d, pc, out);
	text_addf(out, ", %s", stop_exception_name(failure(w)->fault));
}

/* ---- registers still to be written ---- */

/* An instruction in flight, and those of its destinations that the next one needs. */
struct hazard {
	uint32_t inst, n;
	uint32_t reg[TIMING_OUT_MAX];
};
#define HAZARDS 16u /* an instruction looks at no more registers */
struct hazards {
	uint32_t n;
	struct hazard at[HAZARDS];
};

/* The youngest instruction under way that writes the register, 0: none. */
static uint32_t producer(const struct core *c, uint32_t warp, uint32_t number)
{
	uint32_t found = 0;
	for (uint32_t k = 1; k <= c->s->n_insts; k++) {
		const struct inst *i = &c->inst[k];
		if (!i->used || i->warp != warp || (found && i->uid < c->inst[found].uid))
			continue;
		for (unsigned o = 0; o < core_insn(c, i)->n_out; o++)
			if (core_insn(c, i)->out[o] == number)
				found = k;
	}
	return found;
}

static void add_hazard(struct hazards *h, uint32_t inst, uint32_t number)
{
	struct hazard *z = h->at;
	while (z < h->at + h->n && z->inst != inst)
		z++;
	if (z == h->at + h->n) {
		if (h->n == HAZARDS)
			return;
		*z = (struct hazard){.inst = inst};
		h->n++;
	}
	for (uint32_t k = 0; k < z->n; k++)
		if (z->reg[k] == number)
			return;
	if (z->n < TIMING_OUT_MAX)
		z->reg[z->n++] = number;
}

/* Loads come first: they take longest. */
static void sort_hazards(const struct core *c, struct hazards *h)
{
	struct hazard sorted[HAZARDS];
	uint32_t n = 0;
	for (unsigned pass = 0; pass < 2; pass++)
		for (uint32_t k = 0; k < h->n; k++)
			if ((h->at[k].inst && core_insn(c, &c->inst[h->at[k].inst])->class == TIMING_LOAD) == !pass)
				sorted[n++] = h->at[k];
	memcpy(h->at, sorted, n * sizeof *sorted);
}

/* Those of the instruction's registers that are still to be written. */
static void hazards_of(const struct core *c, uint32_t warp, uint32_t pc, struct hazards *out)
{
	const struct timing_insn *ti = &c->program->insns[pc];
	out->n = 0;
	for (unsigned k = 0; k < ti->n_check; k++)
		if (core_register_is_pending(c, warp, ti->check[k]))
			add_hazard(out, producer(c, warp, ti->check[k]), ti->check[k]);
	sort_hazards(c, out);
}

/* Of all registers that the warp has under way. */
static void all_hazards(const struct core *c, uint32_t warp, struct hazards *out)
{
	out->n = 0;
	for (uint32_t number = 0; (number = core_next_pending(c, warp, number)) != UINT32_MAX; number++)
		add_hazard(out, producer(c, warp, number), number);
	sort_hazards(c, out);
}

/* `%r5, %r6: ld.global.v2.u32 at vecadd.ptx:33, issued in cycle 412` */
static void hazard_text(const struct why_warp *w, const struct hazard *z, uint32_t pc, struct text *out)
{
	const struct inst *i = &w->c->inst[z->inst];
	for (uint32_t k = 0; k < z->n; k++) {
		text_add(out, k ? ", " : "");
		dump_register_name(w->d, z->inst ? i->pc : pc, z->reg[k], out);
		if (w->c->textbook)
			text_addf(out, ", ready in cycle %" PRIu64, textbook_ready(w->c, w->number, z->reg[k]));
	}
	if (!z->inst)
		return;
	text_add(out, ": ");
	why_issued(w->d, i->pc, i->issued, out);
}

static void describe_hazard(const struct why_warp *w, const struct hazard *z, uint32_t pc, struct report *answer)
{
	const struct inst *i = &w->c->inst[z->inst];
	report_list(answer, "registers");
	for (uint32_t k = 0; k < z->n; k++) {
		struct text name = {0};
		dump_register_name(w->d, z->inst ? i->pc : pc, z->reg[k], &name);
		report_text(answer, NULL, text_str(&name));
		text_free(&name);
	}
	report_close(answer);
	if (!z->inst)
		return;
	describe_place(w->d, answer, i->pc);
	report_number(answer, "issued", i->issued);
}

/* The first one has been said; where it is, then the others. */
static void hazard_details(const struct why_warp *w, const struct hazards *h, uint32_t pc, struct report *answer)
{
	report_list(answer, "hazards");
	for (uint32_t k = 0; k < h->n; k++) {
		report_open(answer, NULL);
		describe_hazard(w, &h->at[k], pc, answer);
		if (k) {
			report_say(answer, "and for ");
			hazard_text(w, &h->at[k], pc, report_prose(answer));
			report_say(answer, "\n");
		}
		if (h->at[k].inst)
			why_inst_places(w, h->at[k].inst, answer);
		report_close(answer);
	}
	report_close(answer);
}

/* ---- performance mode: a sentence for each wait, and its details ---- */

typedef void sentence_fn(const struct why_warp *w, uint32_t pc, struct text *out);
typedef void detail_fn(const struct why_warp *w, uint32_t pc, struct report *answer);

static void does_scoreboard(const struct why_warp *w, uint32_t pc, struct text *out)
{
	struct hazards h;
	hazards_of(w->c, w->number, pc, &h);
	text_add(out, "waits for ");
	if (h.n)
		hazard_text(w, &h.at[0], pc, out);
}

static void detail_scoreboard(const struct why_warp *w, uint32_t pc, struct report *answer)
{
	struct hazards h;
	hazards_of(w->c, w->number, pc, &h);
	hazard_details(w, &h, pc, answer);
	report_line(answer, "  to issue {instruction:brief} at {ptx}[ ({source})]\n");
}

static void does_membar(const struct why_warp *w, uint32_t pc, struct text *out)
{
	struct hazards h;
	all_hazards(w->c, w->number, &h);
	text_add(out, "waits at a memory barrier, ");
	why_insn(w->d, w->w->last_pc, out);
	text_add(out, ", for ");
	if (h.n)
		hazard_text(w, &h.at[0], pc, out);
}

static void detail_membar(const struct why_warp *w, uint32_t pc, struct report *answer)
{
	struct hazards h;
	all_hazards(w->c, w->number, &h);
	hazard_details(w, &h, pc, answer);
}

/* The warp's atomic that is under way and has to come back before anything issues; 0: it is in flight no more, only its requests are. */
static uint32_t atomic_inst(const struct why_warp *w)
{
	for (uint32_t k = 1; k <= w->c->s->n_insts; k++) {
		const struct inst *i = &w->c->inst[k];
		if (i->used && i->warp == w->number && core_insn(w->c, i)->is_atomic)
			return k;
	}
	return 0;
}

static bool is_atomic(const struct mem_request *m) { return m->is_atomic; }
static bool is_loose_atomic(const struct mem_request *m) { return m->is_atomic && !m->inst; }
static bool is_store(const struct mem_request *m) { return m->is_write; }
static bool is_fetch(const struct mem_request *m) { return m->type == INST_ACC_R; }

static void does_atomic(const struct why_warp *w, uint32_t pc, struct text *out)
{
	(void)pc;
	const uint32_t inst = atomic_inst(w);
	text_addf(out, "waits for %u thread%s' atomic%s: ", w->c->warp[w->number].atomics,
		  w->c->warp[w->number].atomics == 1 ? "" : "s", w->c->warp[w->number].atomics == 1 ? "" : "s");
	if (inst)
		why_issued(w->d, w->c->inst[inst].pc, w->c->inst[inst].issued, out);
	else
		why_insn(w->d, w->w->last_pc, out);
}

static void detail_atomic(const struct why_warp *w, uint32_t pc, struct report *answer)
{
	(void)pc;
	const uint32_t inst = atomic_inst(w);
	if (inst)
		why_inst_places(w, inst, answer);
	why_requests(w, inst ? is_loose_atomic : is_atomic, answer);
}

static void does_imiss(const struct why_warp *w, uint32_t pc, struct text *out)
{
	text_add(out, "waits for its instructions: instruction cache miss for ");
	why_insn(w->d, pc, out);
	text_addf(out, ", asked for in cycle %" PRIu64, w->c->warp[w->number].last_fetch);
}

static void detail_imiss(const struct why_warp *w, uint32_t pc, struct report *answer)
{
	(void)pc;
	why_requests(w, is_fetch, answer);
}

static void does_fetch(const struct why_warp *w, uint32_t pc, struct text *out)
{
	const struct core_state *s = w->c->s;
	text_add(out, "waits for its instructions: its I-buffer is empty, ");
	why_insn(w->d, pc, out);
	if (s->fetch_valid && s->fetch_warp == w->number) {
		text_add(out, " is fetched and will be decoded");
		return;
	}
	const uint64_t others = s->fetchable & ~(UINT64_C(1) << w->number);
	text_add(out, " is to be fetched");
	if (others)
		text_addf(out, "; %u other warp%s of the core want%s that, too, and one is served in a cycle",
			  (unsigned)__builtin_popcountll(others), why_plural((uint64_t)__builtin_popcountll(others)),
			  __builtin_popcountll(others) == 1 ? "s" : "");
}

static void does_flush(const struct why_warp *w, uint32_t pc, struct text *out)
{
	text_add(out, "waits for its instructions: control hazard, its I-buffer holds what was jumped over, ");
	why_insn(w->d, pc, out);
	text_add(out, " is to be fetched");
}

static void does_pipe(const struct why_warp *w, uint32_t pc, struct text *out)
{
	text_add(out, "waits for a pipeline register: that for ");
	why_insn(w->d, pc, out);
	text_add(out, " is full");
}

static void does_latency(const struct why_warp *w, uint32_t pc, struct text *out)
{
	text_add(out, "waits out a latency: ");
	why_insn(w->d, pc, out);
	text_addf(out, " can issue from cycle %" PRIu64 " on", w->c->textbook->wait[w->number]);
}

static void does_dispatch(const struct why_warp *w, uint32_t pc, struct text *out)
{
	const uint32_t k = w->number % w->c->cfg->schedulers;
	text_add(out, "waits for its scheduler: ");
	why_insn(w->d, pc, out);
	text_addf(out, " is ready, and scheduler %u dispatches another instruction until cycle %" PRIu64, k, w->c->textbook->free[k]);
}

static void does_ready(const struct why_warp *w, uint32_t pc, struct text *out)
{
	const uint32_t k = w->number % w->c->cfg->schedulers;
	const struct scheduler_state *s = &w->c->scheduler[k];
	text_add(out, "waits for nothing: ");
	why_insn(w->d, pc, out);
	text_add(out, " can issue");
	if (s->has_last && s->last != w->number)
		text_addf(out, "; scheduler %u issued warp %u last", k, s->last);
}

static void does_done(const struct why_warp *w, uint32_t pc, struct text *out)
{
	(void)pc;
	const struct core_warp *c = &w->c->warp[w->number];
	text_add(out, "has finished");
	if (c->stores)
		text_addf(out, ", waits for %u store%s to be acknowledged", c->stores, why_plural(c->stores));
	else if (c->n_reserved)
		text_addf(out, ", waits for %u register%s to be written", c->n_reserved, why_plural(c->n_reserved));
	else if (c->in_pipeline)
		text_addf(out, ", waits for %u instruction%s in the pipeline", c->in_pipeline,
			  why_plural(c->in_pipeline));
}

static void detail_done(const struct why_warp *w, uint32_t pc, struct report *answer)
{
	struct hazards h;
	all_hazards(w->c, w->number, &h);
	why_requests(w, is_store, answer);
	hazard_details(w, &h, pc, answer);
}

static void does_gone(const struct why_warp *w, uint32_t pc, struct text *out)
{
	(void)pc;
	text_add(out, "has finished: ");
	why_insn(w->d, w->w->last_pc, out);
	text_add(out, " was its last instruction");
}

static void does_barrier(const struct why_warp *w, uint32_t pc, struct text *out)
{
	(void)pc;
	text_addf(out, "waits at barrier %u: ", w->w->barrier);
	why_insn_of(w, w->w->barrier_lanes, w->w->barrier_pc, out);
}

static void detail_barrier(const struct why_warp *w, uint32_t pc, struct report *answer)
{
	(void)pc;
	report_list(answer, "barriers");
	why_barrier_text(w->d, w->cta, w->w->barrier, answer);
	report_close(answer);
}

static const struct {
	sentence_fn *does;
	detail_fn *detail;
} waits[WAIT_COUNT] = {
	[WAIT_GONE] = {does_gone, NULL},
	[WAIT_DONE] = {does_done, detail_done},
	[WAIT_BARRIER] = {does_barrier, detail_barrier},
	[WAIT_MEMBAR] = {does_membar, detail_membar},
	[WAIT_ATOMIC] = {does_atomic, detail_atomic},
	[WAIT_IMISS] = {does_imiss, detail_imiss},
	[WAIT_FETCH] = {does_fetch, NULL},
	[WAIT_FLUSH] = {does_flush, NULL},
	[WAIT_LATENCY] = {does_latency, NULL},
	[WAIT_DISPATCH] = {does_dispatch, NULL},
	[WAIT_SCOREBOARD] = {does_scoreboard, detail_scoreboard},
	[WAIT_PIPE] = {does_pipe, why_pipe_full},
	[WAIT_READY] = {does_ready, NULL},
};

/* ---- functional mode ---- */

static void does_turn(const struct why_warp *w, uint32_t pc, struct text *out)
{
	uint32_t slot, warp;
	if (!gpu_next_warp(w->d->g, &slot, &warp) || (gpu_cta(w->d->g, slot) == w->cta && warp == w->w->index)) {
		text_add(out, "waits for nothing: ");
		why_insn(w->d, pc, out);
		text_add(out, " executes next");
		return;
	}
	const struct exec_cta *other = gpu_cta(w->d->g, slot);
	text_add(out, "waits for its turn: ");
	why_insn(w->d, pc, out);
	text_addf(out, "; warp %u of block (%u,%u,%u) runs", warp, other->id[0], other->id[1], other->id[2]);
}

/* ---- both ---- */

static enum warp_wait wait_of(const struct why_warp *w)
{
	if (w->w->state == EXEC_WARP_DONE && (!w->c || !w->c->warp[w->number].used))
		return WAIT_GONE;
	if (w->c)
		return dump_warp_wait(w->c, w->number);
	return w->w->state == EXEC_WARP_BARRIER ? WAIT_BARRIER : WAIT_READY;
}

void why_warp_does(const struct why_warp *w, struct text *out)
{
	const enum warp_wait wait = wait_of(w);
	const uint32_t pc = w->w->state != EXEC_WARP_DONE && w->w->n_simt ? top_of(w)->pc : w->w->last_pc;
	if (why_failed(w)) {
		does_failed(w, pc, out);
	} else if (why_spins(w)) {
		const bool reads = why_loop_reads(w);
		text_add(out, reads ? "spins: " : "never leaves the loop: ");
		text_add(out, why_insn_of(w, top_of(w)->mask, pc, out) ? "," : "");
		text_add(out, reads ? " comes again and again, until another warp changes what it reads"
				    : " comes again and again, and the loop reads nothing that another warp could change");
	} else if (!w->c && wait == WAIT_READY) {
		does_turn(w, pc, out);
	} else {
		waits[wait].does(w, pc, out);
	}
}

/* Lanes that wait for others, to come to that instruction. */
static void describe_others(const struct why_warp *w, uint32_t lanes, uint32_t wait_for, uint32_t pc, struct report *answer)
{
	report_open(answer, NULL);
	report_number(answer, "lanes", lanes);
	report_number(answer, "wait_for", wait_for);
	describe_place(w->d, answer, pc);
	report_close(answer);
}

/* Lanes that aren't on top of the SIMT stack wait for those that are. */
static void other_lanes(const struct why_warp *w, struct report *answer)
{
	const struct exec_simt *top = top_of(w);
	uint32_t shown = top->mask;
	report_list(answer, "others");
	if (w->w->barrier_lanes) {
		report_say(answer, "  lanes 0x%08x have come to barrier %u, ", w->w->barrier_lanes, w->w->barrier);
		why_insn_of(w, w->w->barrier_lanes, w->w->barrier_pc, report_prose(answer));
		const uint32_t rest = w->w->lanes & ~w->w->exited & ~w->w->barrier_lanes;
		report_say(answer, ", and wait for lanes 0x%08x\n", rest);
		describe_others(w, w->w->barrier_lanes, rest, w->w->barrier_pc, answer);
		shown |= w->w->barrier_lanes;
	}
	if (w->w->sync_lanes) {
		const struct exec_simt *e = exec_simt_of_lane(gpu_exec(w->d->g), w->w, lanes_first(w->w->sync_lanes));
		report_say(answer, "  lanes 0x%08x wait for others of the warp", w->w->sync_lanes);
		if (e) {
			report_say(answer, " in front of ");
			why_insn_of(w, w->w->sync_lanes, e->pc, report_prose(answer));
		}
		report_say(answer, "\n");
		if (e)
			describe_others(w, w->w->sync_lanes, w->w->lanes & ~w->w->exited & ~w->w->sync_lanes, e->pc, answer);
		shown |= w->w->sync_lanes;
	}
	for (const struct exec_simt *e = top - 1; e > top - w->w->n_simt; e--) {
		const uint32_t lanes = e->mask & ~shown & ~w->w->exited;
		if (!lanes)
			continue;
		if (why_spins(w) && !(lanes & ~gpu_spinning_lanes(w->d->g, w->w)))
			report_say(answer, "  lanes 0x%08x spin at ", lanes);
		else
			report_say(answer, "  lanes 0x%08x wait for lanes 0x%08x to come to ", lanes, top->mask);
		debug_lane_place_text(w->d, w->w, lanes_first(lanes), e->pc, report_prose(answer));
		report_say(answer, "\n");
		describe_others(w, lanes, top->mask, e->pc, answer);
		shown |= lanes;
	}
	report_close(answer);
}

/* In one word: `scoreboard`, `spins`. */
static const char *wait_word(const struct why_warp *w)
{
	const enum warp_wait wait = wait_of(w);
	return why_failed(w)		     ? "failed"
	       : why_spins(w)		     ? "spins"
	       : !w->c && wait == WAIT_READY ? "turn"
					     : warp_wait_words[wait];
}

void why_warp_head(const struct why_warp *w, struct report *answer)
{
	struct text does = {0};
	const bool lives = w->w->state != EXEC_WARP_DONE && w->w->n_simt;
	why_warp_does(w, &does);
	report_number(answer, "core", w->cta->core);
	report_number(answer, "warp", w->number);
	report_triple(answer, "block", w->cta->id);
	report_text(answer, "wait", wait_word(w));
	report_text(answer, "does", text_str(&does));
	describe_place(w->d, answer, lives ? top_of(w)->pc : w->w->last_pc);
	report_line(answer, "warp {warp} of core {core} {does}\n");
	text_free(&does);
}

/* Adds what to do about the wait, if it costs this warp cycles or never ends. */
static void advice(const struct why_warp *w, enum warp_wait wait, struct report *answer)
{
	const bool costs = w->c && wait != WAIT_GONE && wait != WAIT_READY;
	if (why_failed(w) || (!costs && !why_spins(w)))
		return;
	report_text(answer, "what_to_do",
		    why_spins(w) ? "find the warp that should write what it reads (`why hang`, `who-wrote`)" : warp_wait_remedies[wait]);
	report_line(answer, "  to do: {what_to_do}\n");
}

void why_warp_text(const struct why_warp *w, bool advises, struct report *answer)
{
	const enum warp_wait wait = wait_of(w);
	const bool lives = w->w->state != EXEC_WARP_DONE && w->w->n_simt;
	const uint32_t pc = lives ? top_of(w)->pc : w->w->last_pc;
	report_open(answer, NULL);
	why_warp_head(w, answer);
	if (!why_failed(w) && !why_spins(w) && waits[wait].detail)
		waits[wait].detail(w, pc, answer);
	if (lives && w->w->state == EXEC_WARP_RUNNABLE)
		other_lanes(w, answer);
	if (why_spins(w))
		why_loop(w, answer);
	if (advises)
		advice(w, wait, answer);
	report_close(answer);
}
