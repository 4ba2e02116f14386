/* Calls, breaks and computed branches of PTXPlus. A called piece of code has its caller's registers, so its activation shares the caller's frame. */
#include "exec/plus.h"

#include "exec/simt.h"
#include "exec/warp_sync.h"

/* ---- callp, retp ---- */

/* GPGPU-Sim 3.2.2 pushes an entry for each callp, also where no lane calls, and for code whose lanes return apart it leaves that entry. Its lanes no longer
 * stop where the entry below meets others. */
static void run_apart(struct exec_simt *e) { e->rpc = ISA_NO_RECONV; }

static struct exec_simt *caller_of(const struct exec *x)
{
	struct exec_simt *const first = (struct exec_simt *)(void *)(x->simt_base + x->warp->simt);
	for (struct exec_simt *c = x->top; c-- > first;)
		if (c->call_depth + 1 == x->top->call_depth && !(x->top->mask & ~c->mask))
			return c;
	return NULL;
}

/* The lanes of the guard call; where there is none, the guard is in `c`. */
EXEC_HANDLER(plus_call)
{
	const uint32_t lanes = x->mask & exec_pred(x, i->c);
	x->mask = lanes;
	if (!lanes) {
		run_apart(x->top);
		simt_goto(x, x->pc + 1);
		return;
	}
	struct exec_simt e = *x->top;
	e.pc = i->target;
	e.rpc = ISA_NO_RECONV;
	e.mask = lanes;
	e.call_depth++;
	e.return_pc = x->pc;
	const uint64_t stack = (uint64_t)e.local_top + (uint64_t)e.call_depth * EXEC_CALL_BYTES;
	if (stack > x->launch->local_bytes || !simt_push(x, &e)) {
		exec_raise(x, EXEC_FAULT_STACK_OVERFLOW, lanes, "callp at depth %u", e.call_depth);
		return;
	}
	x->top[-1].pc = x->pc + 1;
	simt_settle(x);
}

EXEC_HANDLER(plus_ret)
{
	struct exec_simt *const first = (struct exec_simt *)(void *)(x->simt_base + x->warp->simt);
	const uint32_t depth = x->top->call_depth;
	if (depth && simt_caller(x) && simt_caller(x)->frame != x->top->frame) { /* of a function that call has called */
		x->plain[ISA_H_ret](x, i);
		return;
	}
	if (!depth || !caller_of(x)) {
		if (warp_sync_may_exit(x))
			simt_exit(x, x->mask);
		return;
	}
	x->top->pc = x->pc + 1;
	for (struct exec_simt *e = x->top; e >= first && (e->call_depth >= depth || x->warp->mixed); e--)
		if (e->call_depth >= depth)
			e->mask &= ~x->mask;
	simt_settle(x);
}

/* ---- branches ---- */

static void add_to_group(struct simt_group *g, unsigned *n, uint32_t pc, uint32_t lanes)
{
	unsigned k = 0;
	while (k < *n && g[k].pc != pc)
		k++;
	if (k == *n)
		g[(*n)++] = (struct simt_group){pc, 0};
	g[k].lanes |= lanes;
}

static void go(struct exec *x, struct simt_group *g, unsigned n, uint32_t reconv)
{
	if (n == 1)
		simt_goto(x, g[0].pc);
	else
		simt_diverge(x, g, n, reconv);
}

EXEC_HANDLER(plus_bra)
{
	struct simt_group g[2];
	unsigned n = 0;
	add_to_group(g, &n, i->target, x->mask);
	if (x->active & ~x->mask)
		add_to_group(g, &n, x->pc + 1, x->active & ~x->mask);
	if (n > 1 && i->reconv == ISA_NO_RECONV && x->top->call_depth) {
		struct exec_simt *const caller = caller_of(x);
		if (caller)
			run_apart(caller);
	}
	go(x, g, n, i->reconv);
}

/* Computed branches and breaks have no place of their own where their lanes meet: they meet where the entry's lanes do. */
static void scatter(struct exec *x, const uint32_t target[LANES])
{
	struct simt_group g[LANES + 1];
	unsigned n = 0;
	LANES_EACH (l, x->mask)
		add_to_group(g, &n, target[l], lanes_bit(l));
	if (x->active & ~x->mask)
		add_to_group(g, &n, x->pc + 1, x->active & ~x->mask);
	go(x, g, n, x->top->rpc);
}

EXEC_HANDLER(plus_brx)
{
	const struct isa_function *f = isa_program_function_at(x->program, x->pc);
	const uint32_t *aux = x->program->aux, *addresses = &aux[aux[i->aux + 1 + aux[i->aux]]]; /* behind the targets */
	uint64_t address[LANES];
	uint32_t target[LANES] = {0}, bad = 0;
	if (!plus_read_address(x, i, address))
		return;
	LANES_EACH (l, x->mask) {
		target[l] = x->launch->plus_exact ? isa_plus_at(x->program, 0, f->end, (uint32_t)address[l])
						  : isa_plus_find(addresses, f->first, (uint32_t)address[l]);
		bad |= target[l] == ISA_NO_TARGET ? lanes_bit(l) : 0;
	}
	if (bad)
		exec_raise(x, EXEC_FAULT_INVALID_PC, bad, "0x%llx is not the address of an instruction",
			   (unsigned long long)address[lanes_first(bad)]);
	else
		scatter(x, target);
}

/* ---- breaks ----
 * A thread's kept addresses are rows of the frame: the number of them, then ISA_PLUS_BREAKS of them in turn. What lies deeper is forgotten. */

static uint32_t *kept_row(const struct exec *x, const struct isa_insn *i, uint32_t depth)
{
	return exec_dst32(x, i->a) + LANES * (1 + depth % ISA_PLUS_BREAKS);
}

EXEC_HANDLER(plus_breakaddr)
{
	uint32_t *depth = exec_dst32(x, i->a);
	LANES_EACH (l, x->mask)
		kept_row(x, i, depth[l]++)[l] = i->target;
}

EXEC_HANDLER(plus_break)
{
	uint32_t *depth = exec_dst32(x, i->a), target[LANES] = {0}, bad = 0;
	LANES_EACH (l, x->mask) {
		bad |= depth[l] ? 0 : lanes_bit(l);
		target[l] = kept_row(x, i, depth[l] - 1)[l];
	}
	if (bad) {
		exec_raise(x, EXEC_FAULT_INVALID_PC, bad, "no address is kept for break");
		return;
	}
	LANES_EACH (l, x->mask)
		depth[l]--;
	scatter(x, target);
}
