/* The init checker's calls: arguments and return values are as initialised on the other side as they were here. */
#include <string.h>

#include "check/init.h"
#include "exec/call.h"
#include "isa/handlers.h"

/* One side of an argument. */
struct side {
	struct call_arg arg;
	struct init_frame f;
	uint64_t local; /* generic address of the activation's local frame */
};

static struct side side_of(const struct init *in, const struct exec_simt *e, const struct call_arg *arg)
{
	struct side s = {.arg = *arg, .local = EXEC_LOCAL_WINDOW + e->local_sp};
	init_frame_at(in, e->frame, &s.f);
	return s;
}

static const struct exec_simt *caller_of(const struct exec *x)
{
	return exec_simt_caller(x->top - (x->warp->n_simt - 1), x->top);
}

static uint8_t *memory_of(struct init *in, const struct exec *x, const struct side *s, unsigned lane, uint64_t n,
			  bool write)
{
	return init_memory_at(in, x, s->local + s->arg.ref, lane, n, write);
}

/* Bits of a lane's value that aren't initialised, and where they came from. */
static void get(struct init *in, const struct exec *x, const struct side *s, unsigned lane, uint64_t bits[2],
		uint32_t *from)
{
	const struct call_arg *a = &s->arg;
	const uint32_t n = a->bytes < 16 ? a->bytes : 16;
	uint32_t kept = 0, word = ISA_RW_ROW(a->ref);
	bits[0] = bits[1] = 0;
	if (a->kind == ARG_LOCAL) {
		const uint8_t *p = memory_of(in, x, s, lane, n, false);
		uint64_t defined[2] = {UINT64_MAX, UINT64_MAX};
		memcpy(defined, p ? (const void *)p : defined, n);
		bits[0] = ~defined[0];
		bits[1] = ~defined[1];
		if (bits[0] | bits[1])
			*from = init_from_memory(in, x, s->local + a->ref, lane);
		return;
	}
	if (a->kind == ARG_PRED) {
		word = ISA_RW_PRED(ISA_PRED_SLOT(a->ref));
		bits[0] = s->f.undefined[ISA_PRED_SLOT(a->ref)] >> lane & 1;
		kept = s->f.from[ISA_PRED_SLOT(a->ref)];
	} else if (a->ref != ISA_REF_NONE && ISA_REF_BASE(a->ref) == ISA_BASE_FRAME) {
		init_row_get(&s->f, a->ref, lane, bits);
		kept = s->f.units[ISA_REF_OFFSET(a->ref) / 64].from;
	}
	if (bits[0] | bits[1])
		*from = init_from_of(in, x, word, kept, lane);
}

static void put_memory(struct init *in, const struct exec *x, const struct side *s, unsigned lane,
		       const uint64_t bits[2], uint32_t from)
{
	const uint32_t n = s->arg.bytes < 16 ? s->arg.bytes : 16;
	const uint64_t defined[2] = {~bits[0], ~bits[1]};
	uint8_t *p = memory_of(in, x, s, lane, n, true);
	if (p)
		memcpy(p, defined, n);
	if (bits[0] | bits[1])
		init_stored_note(in, x, s->local + s->arg.ref, n, lane, from);
}

/* From local memory to local memory, of any size. */
static void copy_memory(struct init *in, const struct exec *x, const struct side *from, const struct side *to,
			unsigned lane)
{
	const uint32_t n = from->arg.bytes < to->arg.bytes ? from->arg.bytes : to->arg.bytes;
	const uint8_t *p = memory_of(in, x, from, lane, n, false);
	uint8_t *q = memory_of(in, x, to, lane, n, true);
	if (!p || !q)
		return;
	memmove(q, p, n);
	for (uint32_t k = 0; k < n && !init_all_defined(q, n); k += 4) {
		const uint32_t stored = init_stored_from(in, x, from->local + from->arg.ref + k, lane);
		if (stored)
			init_stored_note(in, x, to->local + to->arg.ref + k, 4, lane, stored);
	}
}

static void carry(struct init *in, const struct exec *x, const struct side *from, const struct side *to, uint32_t lanes)
{
	uint64_t bits[LANES][2] = {0};
	uint32_t origin = 0;
	if (to->arg.kind != ARG_LOCAL && to->arg.ref == ISA_REF_NONE)
		return;
	LANES_EACH (l, lanes) {
		if (from->arg.kind == ARG_LOCAL && to->arg.kind == ARG_LOCAL)
			copy_memory(in, x, from, to, l);
		else
			get(in, x, from, l, bits[l], &origin);
		if (from->arg.kind != ARG_LOCAL && to->arg.kind == ARG_LOCAL)
			put_memory(in, x, to, l, bits[l], origin);
	}
	if (to->arg.kind != ARG_LOCAL)
		init_row_set(in, &to->f,
			     to->arg.kind == ARG_PRED ? ISA_RW_PRED(ISA_PRED_SLOT(to->arg.ref))
						      : ISA_RW_ROW(to->arg.ref),
			     lanes, (const uint64_t(*)[2])bits, origin);
}

static void begin_local(struct init *in, const struct exec *x, const struct isa_function *f)
{
	const uint64_t local = EXEC_LOCAL_WINDOW + x->top->local_sp;
	LANES_EACH (l, f->local_bytes ? x->top->mask : 0) {
		uint8_t *p = init_memory_at(in, x, local, l, f->local_bytes, true);
		if (p)
			memset(p, 0, f->local_bytes);
		init_stored_clear(in, x, local, f->local_bytes, l);
	}
}

/* What a function of the library returns. */
static void builtin_over(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	const struct isa_function *f = x->program->functions[i->target];
	struct call_arg here, there;
	for (uint32_t k = 0; k < f->n_params && f->params[k].flags & ISA_VAR_RETURN; k++) {
		if (!call_arg(x->program, i, f, k, &here, &there))
			continue;
		const struct side to = side_of(in, x->top, &here);
		there = (struct call_arg){ARG_ROW, ISA_REF_NONE, here.bytes};
		const struct side from = side_of(in, x->top, &there);
		carry(in, x, &from, &to, x->mask);
	}
}

void init_call(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	const struct isa_function *f = isa_program_function_at(x->program, x->top->pc);
	const struct exec_simt *caller = caller_of(x);
	struct call_arg here, there;
	if (i->handler == ISA_H_call_builtin) {
		builtin_over(in, x, i);
		return;
	}
	if (!f || !caller || x->top->pc != f->first || x->top->return_pc != x->pc)
		return;
	init_begin_frame(in, x->top->frame, isa_program_function_index(x->program, f), 0, true);
	begin_local(in, x, f);
	for (uint32_t k = 0; k < f->n_params; k++) {
		if (f->params[k].flags & ISA_VAR_RETURN || !call_arg(x->program, i, f, k, &here, &there))
			continue;
		const struct side from = side_of(in, caller, &here), to = side_of(in, x->top, &there);
		carry(in, x, &from, &to, x->top->mask);
	}
}

void init_return(struct init *in, const struct exec *x)
{
	const struct isa_function *f = isa_program_function_at(x->program, x->pc);
	const struct isa_insn *call = &x->program->insns[x->top->return_pc];
	const struct exec_simt *caller = caller_of(x);
	struct call_arg here, there;
	for (uint32_t k = 0; f && caller && k < f->n_params && f->params[k].flags & ISA_VAR_RETURN; k++) {
		if (!call_arg(x->program, call, f, k, &here, &there))
			continue;
		const struct side from = side_of(in, x->top, &there), to = side_of(in, caller, &here);
		carry(in, x, &from, &to, x->mask);
	}
}
