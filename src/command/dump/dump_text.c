/* Words that the dumps of the performance model share: instructions, registers, requests, why a warp waits. */
#include <inttypes.h>
#include <stdio.h>

#include "command/dump/dump_internal.h"
#include "debug/setup/launch.h"
#include "debug/view/source.h"
#include "timing/core/pipe_print.h"

#define X(name, symbol, word, text, remedy) [WAIT_##name] = symbol,
const char warp_wait_symbols[WAIT_COUNT] = {WARP_WAITS(X)};
#undef X
#define X(name, symbol, word, text, remedy) [WAIT_##name] = text,
const char *const warp_wait_texts[WAIT_COUNT] = {WARP_WAITS(X)};
#undef X
#define X(name, symbol, word, text, remedy) [WAIT_##name] = word,
const char *const warp_wait_words[WAIT_COUNT] = {WARP_WAITS(X)};
#undef X
#define X(name, symbol, word, text, remedy) [WAIT_##name] = remedy,
const char *const warp_wait_remedies[WAIT_COUNT] = {WARP_WAITS(X)};
#undef X

/* ---- warps ---- */

const struct exec_warp *dump_exec_warp(const struct core *c, uint32_t warp)
{
	const struct core_warp *w = &c->warp[warp];
	const struct exec_cta *cta = w->used ? &c->t->cta[w->cta_slot] : NULL;
	return cta ? &cta->warp[w->index] : NULL;
}

bool dump_warp_pc(const struct core *c, uint32_t warp, uint32_t *pc)
{
	const struct exec_warp *e = dump_exec_warp(c, warp);
	if (!e || !e->n_simt || e->state == EXEC_WARP_DONE)
		return false;
	*pc = exec_simt_top(c->t->exec, e)->pc;
	return true;
}

static bool has_room(const struct core *c, const struct timing_insn *ti)
{
	return pipes_in_free(&c->s->pipes, ti->units) != 0;
}

static enum warp_wait textbook_wait(const struct core *c, uint32_t warp)
{
	static const enum warp_wait waits[] = {[TEXTBOOK_READY] = WAIT_READY,
					       [TEXTBOOK_DISPATCH] = WAIT_DISPATCH,
					       [TEXTBOOK_LATENCY] = WAIT_LATENCY,
					       [TEXTBOOK_REGISTER] = WAIT_SCOREBOARD};
	uint32_t pc;
	return dump_warp_pc(c, warp, &pc) ? waits[textbook_waits(c, warp, pc)] : WAIT_DONE;
}

enum warp_wait dump_warp_wait(const struct core *c, uint32_t warp)
{
	const struct core_warp *w = &c->warp[warp];
	uint32_t pc;
	if (!w->used)
		return WAIT_GONE;
	if (w->done)
		return WAIT_DONE;
	if (w->waits & CORE_AT_BARRIER)
		return WAIT_BARRIER;
	if (c->textbook)
		return textbook_wait(c, warp);
	if (w->membar && w->n_reserved)
		return WAIT_MEMBAR;
	if (w->atomics)
		return WAIT_ATOMIC;
	if (w->imiss)
		return WAIT_IMISS;
	if (!w->ibuffer[w->next].valid) /* most warps, most of the time */
		return WAIT_FETCH;
	if (!dump_warp_pc(c, warp, &pc))
		return WAIT_DONE;
	if (w->ibuffer[w->next].pc != pc)
		return WAIT_FLUSH;
	const struct timing_insn *ti = &c->program->insns[pc];
	if (scoreboard_collides(c, warp, ti))
		return WAIT_SCOREBOARD;
	return has_room(c, ti) ? WAIT_READY : WAIT_PIPE;
}

/* The youngest instruction under way that writes the register. */
static const struct inst *producer(const struct core *c, uint32_t warp, uint32_t number)
{
	const struct inst *found = NULL;
	for (uint32_t k = 1; k <= c->s->n_insts; k++) {
		const struct inst *i = &c->inst[k];
		const struct timing_insn *ti = core_insn(c, i);
		if (!i->used || i->warp != warp || (found && i->uid < found->uid))
			continue;
		for (unsigned o = 0; o < ti->n_out; o++)
			if (ti->out[o] == number)
				found = i;
	}
	return found;
}

static void add_operands(const struct dump_view *v, uint32_t warp, uint32_t pc, struct text *out)
{
	const struct core *c = v->c;
	const struct timing_insn *ti = &c->program->insns[pc];
	const char *between = ": ";
	for (unsigned k = 0; k < ti->n_check; k++) {
		const uint32_t number = ti->check[k];
		bool again = false;
		for (unsigned j = 0; j < k; j++)
			again |= ti->check[j] == number;
		if (again || !core_register_is_pending(c, warp, number))
			continue;
		const struct inst *i = producer(c, warp, number);
		text_add(out, between);
		dump_register_name(v->d, pc, number, out);
		if (i)
			text_addf(out, " from 0x%03x", i->pc * (unsigned)ISA_INSN_BYTES);
		else if (c->textbook)
			text_addf(out, " ready in cycle %" PRIu64, textbook_ready(c, warp, number));
		between = ", ";
	}
}

void dump_wait_text(const struct dump_view *v, uint32_t warp, struct text *out)
{
	enum warp_wait wait = dump_warp_wait(v->c, warp);
	uint32_t pc;
	if (wait == WAIT_SCOREBOARD) {
		text_add(out, "scoreboard");
		if (dump_warp_pc(v->c, warp, &pc))
			add_operands(v, warp, pc, out);
	} else if (wait == WAIT_READY) {
		text_add(out, "ready");
	} else {
		text_add(out, warp_wait_texts[wait]);
	}
}

/* ---- registers, instructions ---- */

void dump_register_name(const struct debug *d, uint32_t pc, uint32_t number, struct text *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	const struct timing *t = gpu_machine_timing(d->g);
	const struct timing_registers *own = t ? timing_registers_of(&t->program, pc) : NULL;
	if (own && !number) {
		text_add(out, "carry");
		return;
	}
	number -= own ? own->first - 1 : 0;
	for (uint32_t k = 0; f && k < f->n_regs; k++) {
		const struct isa_reg *r = &f->regs[k];
		if (number < r->serial || number - r->serial >= (r->count ? r->count : 1))
			continue;
		text_add(out, r->name);
		if (r->count)
			text_addf(out, "%u", number - r->serial);
		return;
	}
	text_addf(out, "R%u", number);
}

void dump_insn_text(struct debug *d, uint32_t pc, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	if (pc >= p->n_insns) {
		text_add(out, "<no instruction at that address>");
		return;
	}
	const struct isa_function *f = isa_program_function_at(p, pc);
	struct debug_position at = debug_ptx_position(d, pc);
	text_addf(out, "%s PC=0x%03x (%s:%u) ", f ? debug_function_name(d, f) : "?", pc * (unsigned)ISA_INSN_BYTES,
		  debug_file_name(d, at.file), at.line);
	debug_insn_shown(d, pc, out);
}

void dump_inst_line(const struct dump_view *v, uint32_t inst, struct text *out)
{
	inst_print_head(v->c, inst, out);
	if (inst)
		dump_insn_text(v->d, v->c->inst[inst].pc, out);
}

void dump_request_line(const struct dump_view *v, uint32_t request, struct text *out)
{
	const struct mem_request *m = request_at(&v->t->requests, request);
	request_print(&v->t->requests, request, out);
	if (m->pc != REQUEST_NO_PC && m->pc < v->t->program.n)
		dump_insn_text(v->d, m->pc, out);
	text_addc(out, '\n');
}

void dump_lanes(uint32_t lanes, bool lane0_first, struct text *out)
{
	for (unsigned k = 0; k < LANES; k++)
		text_addc(out, lanes >> (lane0_first ? k : LANES - 1 - k) & 1 ? '1' : '0');
}
