/* Calls, returns and the per-thread stack.
 *
 * A call's argument list is in isa_program.aux: n, then for each (return values first) kind, place, bytes and type on the
 * caller's side; the callee's places come from isa_function.params and param_regs. Arguments go lane by lane, for the lanes
 * that call, between registers, predicates and the two activations' local frames. Every activation takes at least
 * EXEC_CALL_BYTES bytes of the thread's stack (prepare.c counts the same), so endless recursion ends in a stack overflow whatever
 * it keeps in memory. */
#include <assert.h>

#include "exec/call.h"
#include "exec/heap.h"
#include "exec/internal.h"
#include "exec/simt.h"
#include "exec/warp_sync.h"

#define WORD 4u /* frames are aligned to at least this */

/* One side of an argument: where it is in which activation. */
struct place {
	uint32_t kind, ref, bytes;
	char *base[4]; /* the activation's operand bases */
	uint32_t local_sp;
};

static void place_in(const struct exec *x, const struct exec_simt *e, struct place *p)
{
	memcpy(p->base, x->base, sizeof p->base);
	p->base[ISA_BASE_FRAME] = arena_at(x->arena, x->sec_frame, e->frame);
	p->local_sp = e->local_sp;
}

static const uint32_t *arg_words(const struct isa_program *p, const struct isa_insn *i, unsigned k)
{
	assert(p->aux);
	const uint32_t *words = &p->aux[i->aux];
	return k < words[0] ? words + 1 + 4 * (size_t)k : NULL;
}

bool call_arg(const struct isa_program *p, const struct isa_insn *call, const struct isa_function *f, unsigned k,
	      struct call_arg *caller, struct call_arg *callee)
{
	const uint32_t *words = arg_words(p, call, k);
	const struct isa_variable *v = &f->params[k];
	if (!words)
		return false;
	*caller = (struct call_arg){(enum arg_kind)words[0], words[1], words[2]};
	*callee = (struct call_arg){ARG_LOCAL, (uint32_t)v->address, (uint32_t)v->bytes};
	if (f->param_regs && f->param_regs[k] != ISA_REF_NONE) {
		callee->kind = v->type == ISA_PRED ? ARG_PRED : ARG_ROW;
		callee->ref = f->param_regs[k];
	}
	return true;
}

static struct place place_of(const struct exec *x, const struct exec_simt *e, const struct call_arg *a)
{
	struct place p = {.kind = a->kind, .ref = a->ref, .bytes = a->bytes};
	place_in(x, e, &p);
	return p;
}

static struct place caller_place(const struct exec *x, const struct exec_simt *e, const uint32_t *words)
{
	return place_of(x, e, &(struct call_arg){(enum arg_kind)words[0], words[1], words[2]});
}

/* ---- one value of one lane ---- */

static unsigned row_get(const struct place *p, unsigned lane, uint64_t v[2])
{
	const char *row = p->base[ISA_REF_BASE(p->ref)] + ISA_REF_OFFSET(p->ref);
	v[0] = v[1] = 0;
	switch (p->bytes) {
	case 1:
	case 2: memcpy(v, row + 2 * lane, 2); break;
	case 4: memcpy(v, row + 4 * lane, 4); break;
	case 16: memcpy(&v[1], row + 256 + 8 * lane, 8); __attribute__((fallthrough));
	default: memcpy(v, row + 8 * lane, 8);
	}
	return p->bytes;
}

static void row_put(const struct place *p, unsigned lane, const uint64_t v[2])
{
	char *row = p->base[ISA_REF_BASE(p->ref)] + ISA_REF_OFFSET(p->ref);
	switch (p->bytes) {
	case 1:
	case 2: memcpy(row + 2 * lane, v, 2); break;
	case 4: memcpy(row + 4 * lane, v, 4); break;
	case 16: memcpy(row + 256 + 8 * lane, &v[1], 8); __attribute__((fallthrough));
	default: memcpy(row + 8 * lane, v, 8);
	}
}

static uint64_t pred_get(const struct place *p, unsigned lane)
{
	const uint32_t *preds = (const uint32_t *)(const void *)p->base[ISA_BASE_FRAME];
	uint32_t mask = preds[ISA_PRED_SLOT(p->ref)] ^ (p->ref & ISA_PRED_NOT ? LANES_ALL : 0);
	return mask >> lane & 1;
}

static void pred_put(const struct place *p, unsigned lane, uint64_t v)
{
	uint32_t *slot = (uint32_t *)(void *)p->base[ISA_BASE_FRAME] + ISA_PRED_SLOT(p->ref);
	*slot = (*slot & ~lanes_bit(lane)) | (v & 1 ? lanes_bit(lane) : 0);
}

static char *place_memory(const struct exec *x, const struct place *p, unsigned lane)
{
	return exec_local_at(x, lane, p->local_sp + p->ref);
}

static void copy_lane(struct exec *x, const struct place *from, const struct place *to, unsigned lane)
{
	if (from->kind == ARG_LOCAL && to->kind == ARG_LOCAL) {
		uint32_t n = from->bytes < to->bytes ? from->bytes : to->bytes;
		char *dst = place_memory(x, to, lane);
		arena_touch(x->arena, x->sec_local, (uint64_t)(dst - x->local_base), n);
		memmove(dst, place_memory(x, from, lane), n);
		return;
	}
	uint64_t v[2] = {0, 0};
	if (from->kind == ARG_LOCAL)
		memcpy(v, place_memory(x, from, lane), from->bytes < 16 ? from->bytes : 16);
	else if (from->kind == ARG_PRED)
		v[0] = pred_get(from, lane);
	else
		row_get(from, lane, v);
	if (to->kind == ARG_LOCAL) {
		char *dst = place_memory(x, to, lane);
		uint32_t n = to->bytes < 16 ? to->bytes : 16;
		arena_touch(x->arena, x->sec_local, (uint64_t)(dst - x->local_base), n);
		memcpy(dst, v, n);
	} else if (to->kind == ARG_PRED) {
		pred_put(to, lane, v[0]);
	} else if (to->ref != ISA_REF_NONE) {
		row_put(to, lane, v);
	}
}

static void copy_lanes(struct exec *x, const struct place *from, const struct place *to, uint32_t lanes)
{
	LANES_EACH (lane, lanes)
		copy_lane(x, from, to, lane);
}

/* Arguments between the caller's entry and the callee's: inputs on a call, return values on a return. */
static void copy_arguments(struct exec *x, const struct isa_insn *call, const struct isa_function *f,
			   const struct exec_simt *caller, const struct exec_simt *callee, uint32_t lanes,
			   bool returning)
{
	for (unsigned k = 0; k < f->n_params; k++) {
		struct call_arg in_caller, in_callee;
		if (!(f->params[k].flags & ISA_VAR_RETURN) == returning ||
		    !call_arg(x->program, call, f, k, &in_caller, &in_callee))
			continue;
		struct place there = place_of(x, callee, &in_callee), here = place_of(x, caller, &in_caller);
		if (returning)
			copy_lanes(x, &there, &here, lanes);
		else
			copy_lanes(x, &here, &there, lanes);
	}
}

/* ---- call ---- */

/* Returns the bytes of a GPU's stack that the running activation, its callers and its allocas take. */
static uint64_t stack_taken(const struct exec *x)
{
	const struct exec_simt *e = x->top;
	const struct isa_function *f = isa_program_function_at(x->program, x->pc);
	return (uint64_t)e->stack_bytes + (e->local_top - e->local_sp - f->local_bytes);
}

/* Returns the bytes of a GPU's stack that are taken if `f` is called. Raises the fault if that is more than the limit. */
static uint64_t stack_with(struct exec *x, const struct isa_function *f, uint32_t lanes)
{
	const uint64_t taken = stack_taken(x) + f->stack_bytes;
	if (taken > x->launch->stack_limit)
		exec_raise(x, EXEC_FAULT_STACK_OVERFLOW, lanes, "calling %s takes the stack to %llu bytes%s, the limit is %u (cudaLimitStackSize)",
			   f->demangled ? f->demangled : f->name, (unsigned long long)taken,
			   f->is_stack_known ? "" : " by an estimate without machine code", x->launch->stack_limit);
	return taken;
}

/* Pushes the callee's activation for some lanes of the top entry. */
static bool push_activation(struct exec *x, const struct isa_insn *i, const struct isa_function *f, uint32_t lanes)
{
	const uint32_t align = f->local_align < WORD ? WORD : f->local_align;
	uint32_t sp = (x->top->local_top + align - 1) & ~(align - 1), depth = x->top->call_depth + 1;
	uint64_t top = (uint64_t)sp + f->local_bytes, used = top + (uint64_t)depth * EXEC_CALL_BYTES;
	uint32_t frame_bytes = f->frame_bytes < 64 ? 64 : f->frame_bytes;
	uint64_t stack = 0;
	if (x->launch->stack_limit != UINT32_MAX && (stack = stack_with(x, f, lanes)) > x->launch->stack_limit)
		return false;
	uint64_t frame = used <= x->launch->local_bytes ? heap_alloc(x->arena, x->sec_frame, frame_bytes) : 0;
	if (!frame) {
		exec_raise(x, EXEC_FAULT_STACK_OVERFLOW, lanes,
			   "calling %s takes the stack to %llu bytes, a thread has %u",
			   f->demangled ? f->demangled : f->name, (unsigned long long)used, x->launch->local_bytes);
		return false;
	}
	char *rows = arena_at(x->arena, x->sec_frame, frame);
	memset(rows, 0, frame_bytes);
	*(uint32_t *)(void *)rows = LANES_ALL;
	struct exec_simt e = {.pc = f->first,
			      .rpc = ISA_NO_RECONV,
			      .mask = lanes,
			      .call_depth = depth,
			      .frame = frame,
			      .frame_bytes = frame_bytes,
			      .local_sp = sp,
			      .return_pc = x->pc,
			      .local_top = (uint32_t)top,
			      .stack_bytes = (uint32_t)stack};
	copy_arguments(x, i, f, x->top, &e, lanes, false);
	if (!simt_push(x, &e)) {
		heap_free(x->arena, x->sec_frame, frame, frame_bytes);
		exec_raise(x, EXEC_FAULT_STACK_OVERFLOW, lanes, "the call stack is full");
		return false;
	}
	simt_settle(x);
	return true;
}

static void call_all(struct exec *x, const struct isa_insn *i, const struct isa_function *f)
{
	x->top->pc = x->pc + 1;
	push_activation(x, i, f, x->mask);
}

EXEC_HANDLER(call)
{
	const struct isa_function *f = x->program->functions[i->target];
	if (!f->is_defined)
		exec_raise(x, EXEC_FAULT_ILLEGAL_INSTRUCTION, x->mask, "function %s has no body", f->name);
	else
		call_all(x, i, f);
}

const struct isa_function *call_function_at(const struct isa_program *p, uint64_t address)
{
	uint64_t offset = address - EXEC_CODE_WINDOW;
	if (address < EXEC_CODE_WINDOW || offset % ISA_INSN_BYTES || offset / ISA_INSN_BYTES >= p->n_insns)
		return NULL;
	uint32_t index = (uint32_t)(offset / ISA_INSN_BYTES);
	const struct isa_function *f = isa_program_function_at(p, index);
	return f && f->first == index && !f->is_kernel ? f : NULL;
}

static uint64_t address_of_lane(const struct exec *x, const struct isa_insn *i, unsigned lane)
{
	return i->a_bytes == 4 ? exec_src32(x, i->a)[lane] : exec_src64(x, i->a)[lane];
}

uint32_t call_first_group(const uint64_t address[LANES], uint32_t mask)
{
	uint32_t left = mask, group = 0;
	while (left) {
		const unsigned highest = 31u - (unsigned)__builtin_clz(left);
		group = 0;
		LANES_EACH (lane, left)
			group |= address[lane] == address[highest] ? lanes_bit(lane) : 0;
		left &= ~group;
	}
	return group;
}

/* Lanes that call another function stay in front of the call, in an entry of their own, until the first group is back. */
static bool defer_lanes(struct exec *x, uint32_t lanes)
{
	struct exec_simt rest = *x->top;
	rest.pc = x->pc;
	rest.rpc = x->pc + 1;
	rest.mask = lanes;
	x->top->pc = x->pc + 1;
	return simt_push(x, &rest);
}

EXEC_HANDLER(call_indirect)
{
	uint64_t address[LANES] = {0}; /* of other lanes nothing is read, but gcc's sanitizers don't see that */
	uint32_t bad = 0;
	LANES_EACH (lane, x->mask) {
		address[lane] = address_of_lane(x, i, lane);
		bad |= call_function_at(x->program, address[lane]) ? 0 : lanes_bit(lane);
	}
	const uint32_t group = call_first_group(address, x->mask);
	if (bad) {
		exec_raise(x, EXEC_FAULT_INVALID_PC, bad, "0x%llx is not the address of a function",
			   (unsigned long long)address[lanes_first(bad)]);
		return;
	}
	const struct isa_function *f = call_function_at(x->program, address[lanes_first(group)]);
	uint32_t rest = x->mask & ~group;
	if (!rest) {
		call_all(x, i, f);
		return;
	}
	if (!defer_lanes(x, rest)) {
		exec_raise(x, EXEC_FAULT_STACK_OVERFLOW, x->mask, "the call stack is full");
		return;
	}
	x->mask = group;
	if (!push_activation(x, i, f, group)) {
		/* nothing has happened: take the entry back */
		x->warp->n_simt--;
		x->top--;
	}
}

EXEC_HANDLER(call_builtin)
{
	exec_handler run = i->target < x->n_builtins ? x->builtins[i->target] : NULL;
	if (run)
		run(x, i);
	else
		exec_raise(x, EXEC_FAULT_ILLEGAL_INSTRUCTION, x->mask, "function %s has no body",
			   i->target < x->n_builtins ? x->program->functions[i->target]->name : "?");
}

EXEC_HANDLER(ret)
{
	(void)i;
	struct exec_simt *caller = simt_caller(x);
	if (!caller) {
		if (warp_sync_may_exit(x))
			simt_exit(x, x->mask);
		return;
	}
	const struct isa_function *f = isa_program_function_at(x->program, x->pc);
	copy_arguments(x, &x->program->insns[x->top->return_pc], f, caller, x->top, x->mask, true);
	simt_return(x, x->mask);
}

/* ---- arguments of library functions ---- */

unsigned exec_arg_count(const struct exec *x, const struct isa_insn *i) { return x->program->aux[i->aux]; }

unsigned exec_arg_bytes(const struct exec *x, const struct isa_insn *i, unsigned k)
{
	const uint32_t *words = arg_words(x->program, i, k);
	return words ? words[2] : 0;
}

bool exec_arg_read(const struct exec *x, const struct isa_insn *i, unsigned k, unsigned lane, void *dst, unsigned n)
{
	const uint32_t *words = arg_words(x->program, i, k);
	memset(dst, 0, n);
	if (!words)
		return false;
	struct place p = caller_place(x, x->top, words);
	uint64_t v[2] = {0, 0};
	const void *src = v;
	if (p.kind == ARG_LOCAL)
		src = place_memory(x, &p, lane);
	else if (p.kind == ARG_PRED)
		v[0] = pred_get(&p, lane);
	else
		row_get(&p, lane, v);
	memcpy(dst, src, n < p.bytes ? n : p.bytes);
	return true;
}

bool exec_arg_write(struct exec *x, const struct isa_insn *i, unsigned k, unsigned lane, const void *src, unsigned n)
{
	const uint32_t *words = arg_words(x->program, i, k);
	if (!words)
		return false;
	struct place p = caller_place(x, x->top, words);
	uint64_t v[2] = {0, 0};
	memcpy(v, src, n < 16 ? n : 16);
	if (p.kind == ARG_LOCAL) {
		char *dst = place_memory(x, &p, lane);
		uint32_t bytes = n < p.bytes ? n : p.bytes;
		arena_touch(x->arena, x->sec_local, (uint64_t)(dst - x->local_base), bytes);
		memcpy(dst, src, bytes);
	} else if (p.kind == ARG_PRED) {
		pred_put(&p, lane, v[0]);
	} else if (p.ref != ISA_REF_NONE) {
		row_put(&p, lane, v);
	}
	return true;
}

/* ---- the activation's own stack: alloca, stacksave, stackrestore ----
 * Lanes of an entry share one stack top; lanes that ask for different sizes get the largest, so addresses agree. */

static void write_address(struct exec *x, const struct isa_insn *i, uint32_t v)
{
	LANES_EACH (lane, x->mask) {
		if (i->dst_bytes == 8)
			exec_dst64(x, i->dst)[lane] = v;
		else
			exec_dst32(x, i->dst)[lane] = v;
	}
}

EXEC_HANDLER(alloca)
{
	uint64_t align = i->imm > 0 && i->imm <= 1 << 20 && !(i->imm & (i->imm - 1)) ? (uint64_t)i->imm : 8;
	uint64_t at = (x->top->local_top + align - 1) & ~(align - 1), bytes = 0;
	LANES_EACH (lane, x->mask) {
		uint64_t n = address_of_lane(x, i, lane);
		bytes = n > bytes ? n : bytes;
	}
	if (at > x->launch->local_bytes || bytes > x->launch->local_bytes - at) {
		exec_raise(x, EXEC_FAULT_STACK_OVERFLOW, x->mask,
			   "alloca of %llu bytes: a thread has %u bytes of stack", (unsigned long long)bytes,
			   x->launch->local_bytes);
		return;
	}
	const uint64_t taken = stack_taken(x) + (at + bytes - x->top->local_top);
	if (taken > x->launch->stack_limit) {
		exec_raise(x, EXEC_FAULT_STACK_OVERFLOW, x->mask,
			   "alloca of %llu bytes takes the stack to %llu bytes, the limit is %u (cudaLimitStackSize)", (unsigned long long)bytes,
			   (unsigned long long)taken, x->launch->stack_limit);
		return;
	}
	x->top->local_top = (uint32_t)(at + bytes);
	write_address(x, i, (uint32_t)at);
}

EXEC_HANDLER(stacksave) { write_address(x, i, x->top->local_top); }

EXEC_HANDLER(stackrestore)
{
	uint64_t to = 0;
	LANES_EACH (lane, x->mask) {
		uint64_t v = address_of_lane(x, i, lane);
		to = v > to ? v : to;
	}
	if (to >= x->top->local_sp && to <= x->top->local_top)
		x->top->local_top = (uint32_t)to;
}
