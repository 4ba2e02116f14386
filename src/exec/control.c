/* Branches, exits, traps and what only takes time. */
#include "exec/internal.h"
#include "exec/simt.h"
#include "exec/warp_sync.h"

EXEC_HANDLER(bra)
{
	uint32_t rest = x->active & ~x->mask;
	if (!rest) {
		simt_goto(x, i->target);
		return;
	}
	struct simt_group g[2] = {{i->target, x->mask}, {x->pc + 1, rest}};
	if (g[0].pc == g[1].pc)
		simt_goto(x, g[0].pc);
	else
		simt_diverge(x, g, 2, i->reconv);
}

EXEC_HANDLER(bra_uni) { exec_h_bra(x, i); }

static void add_to_group(struct simt_group *g, unsigned *n, uint32_t pc, uint32_t lanes)
{
	for (unsigned k = 0; k < *n; k++) {
		if (g[k].pc == pc) {
			g[k].lanes |= lanes;
			return;
		}
	}
	g[(*n)++] = (struct simt_group){pc, lanes};
}

EXEC_HANDLER(brx_idx)
{
	const uint32_t *index = exec_src32(x, i->a), *targets = &x->program->aux[i->aux];
	uint32_t n_targets = *targets++, outside = 0;
	LANES_EACH (lane, x->mask)
		outside |= index[lane] >= n_targets ? lanes_bit(lane) : 0;
	if (outside) {
		exec_raise(x, EXEC_FAULT_INVALID_PC, outside, "branch index %u is outside the table of %u targets",
			   index[lanes_first(outside)], n_targets);
		return;
	}
	struct simt_group g[LANES + 1];
	unsigned n = 0;
	LANES_EACH (lane, x->mask)
		add_to_group(g, &n, targets[index[lane]], lanes_bit(lane));
	if (x->active & ~x->mask)
		add_to_group(g, &n, x->pc + 1, x->active & ~x->mask);
	if (n == 1)
		simt_goto(x, g[0].pc);
	else
		simt_diverge(x, g, n, i->reconv);
}

EXEC_HANDLER(exit)
{
	(void)i;
	if (warp_sync_may_exit(x))
		simt_exit(x, x->mask);
}

EXEC_HANDLER(trap)
{
	(void)i;
	exec_raise(x, EXEC_FAULT_TRAP, x->mask, NULL);
}

/* Stops like a fault; resuming passes it. */
EXEC_HANDLER(brkpt)
{
	(void)i;
	if (!x->pass)
		exec_raise(x, EXEC_FAULT_BREAKPOINT, x->mask, NULL);
}

EXEC_HANDLER(nanosleep)
{
	(void)i;
	x->event = EXEC_EVENT_SLEEP;
}

EXEC_HANDLER(membar)
{
	(void)x;
	(void)i;
}

/* ---- special registers that change ---- */

static void write_uniform(struct exec *x, const struct isa_insn *i, uint64_t v)
{
	LANES_EACH (lane, x->mask) {
		if (i->dst_bytes == 8)
			exec_dst64(x, i->dst)[lane] = v;
		else if (i->dst_bytes <= 2)
			exec_dst16(x, i->dst)[lane] = (uint16_t)v;
		else
			exec_dst32(x, i->dst)[lane] = (uint32_t)v;
	}
}

/* The device's cycle counter stands still while exec_run runs; a cycle is an instruction. */
static uint64_t now(const struct exec *x)
{
	return (x->services.cycle ? x->services.cycle(x->services.self) : 0) + x->n_warp_insns + x->n_run;
}

static uint64_t nanoseconds(const struct exec *x)
{
	return x->services.nanoseconds ? x->services.nanoseconds(x->services.self) : now(x);
}

EXEC_HANDLER(mov_clock) { write_uniform(x, i, (uint32_t)now(x)); }
EXEC_HANDLER(mov_clock_hi) { write_uniform(x, i, now(x) >> 32); }
EXEC_HANDLER(mov_clock64) { write_uniform(x, i, now(x)); }
EXEC_HANDLER(mov_globaltimer) { write_uniform(x, i, nanoseconds(x)); }
EXEC_HANDLER(mov_globaltimer_lo) { write_uniform(x, i, (uint32_t)nanoseconds(x)); }
EXEC_HANDLER(mov_globaltimer_hi) { write_uniform(x, i, nanoseconds(x) >> 32); }
EXEC_HANDLER(mov_pm) { write_uniform(x, i, 0); }
