/* Which loops may wait, by their code: those with a read of memory whose address is the same in each round.
 *
 * It only says where looking is likely to be worth it: loops it misses are looked at more seldom. What is called may read anything. A loop is a branch backwards and all between it and its
 * target. An address is the same if no register it is computed from depends on itself, as a counter does; one that some rounds leave
 * alone, as "go on once this one is ready" does, is the same too. */
#include <string.h>

#include "base/xalloc.h"
#include "gpu/wait/wait.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

#define LOOP_MOST 2048u /* instructions of a loop */
#define DEPTH_MOST 16u	/* of the computation of an address */
#define WORK_MOST 50000u /* instructions looked at for a loop */

struct wait_code {
	uint8_t *loops;	      /* per instruction: it is in a loop that may wait */
	uint8_t *functions;   /* per function: 0: not looked at, 1: without such a loop, 2: with one */
	uint32_t n_insns, n_functions;
	uint32_t generation; /* of the program */
};

/* A loop of a program, and the registers that an address is computed from. */
struct loop {
	const struct isa_program *p;
	uint32_t first, last;
	uint32_t word[DEPTH_MOST];
	uint32_t depth;
	uint32_t work; /* instructions looked at so far */
};

static bool branches_to(const struct isa_insn *i, uint32_t first, uint32_t last)
{
	return isa_opcode_info[i->opcode].family == ISA_FAMILY_BRANCH && i->handler != ISA_H_brx_idx && i->target >= first && i->target <= last;
}

/* Returns true if some rounds don't execute the instruction at pc. */
static bool is_conditional(const struct loop *l, uint32_t pc)
{
	if (l->p->insns[pc].guard != ISA_PRED_TRUE)
		return true;
	for (uint32_t k = l->first; k < pc; k++)
		if (branches_to(&l->p->insns[k], pc + 1, l->last))
			return true;
	return false;
}

static bool writes(const struct isa_program *p, uint32_t pc, uint32_t word)
{
	const struct isa_where *w = &p->where[pc];
	for (uint32_t k = 0; k < w->n_writes; k++)
		if (p->rw[w->rw + k] == word)
			return true;
	return false;
}

/* Returns true if a register may hold the same in each round. */
static bool is_steady(struct loop *l, uint32_t word)
{
	for (uint32_t k = 0; k < l->depth; k++)
		if (l->word[k] == word)
			return false;
	l->work += l->last - l->first;
	if (l->depth == DEPTH_MOST || l->work > WORK_MOST)
		return false;
	l->word[l->depth++] = word;
	bool steady = true;
	for (uint32_t pc = l->first; pc <= l->last && steady; pc++) {
		const struct isa_where *w = &l->p->where[pc];
		if (!writes(l->p, pc, word))
			continue;
		for (uint32_t k = w->n_writes; k < w->n_writes + w->n_reads && steady; k++)
			steady = is_steady(l, l->p->rw[w->rw + k]) || is_conditional(l, pc);
	}
	l->depth--;
	return steady;
}

static bool reads_steadily(struct loop *l, uint32_t pc)
{
	const struct isa_insn *i = &l->p->insns[pc];
	const unsigned family = isa_opcode_info[i->opcode].family;
	if ((family != ISA_FAMILY_MEM && family != ISA_FAMILY_ATOM) || isa_op_is_store(i->opcode) || i->flags & ISA_F_PARAM)
		return false;
	if (i->space != ISA_SPACE_GLOBAL && i->space != ISA_SPACE_SHARED && i->space != ISA_SPACE_GENERIC)
		return false;
	l->depth = 0;
	return !l->p->where || i->a == ISA_REF_NONE || ISA_REF_BASE(i->a) != ISA_BASE_FRAME || is_steady(l, ISA_RW_ROW(i->a));
}

static bool may_wait(const struct isa_program *p, uint32_t first, uint32_t last)
{
	struct loop l = {.p = p, .first = first, .last = last};
	bool any = false;
	for (uint32_t pc = first; pc <= last; pc++) {
		if (isa_opcode_info[p->insns[pc].opcode].family == ISA_FAMILY_BARRIER)
			return false;
		any = any || isa_opcode_info[p->insns[pc].opcode].family == ISA_FAMILY_CALL || reads_steadily(&l, pc);
	}
	return any;
}

/* Returns true if there is a loop that may wait in the function, or one it may call. */
static bool look_at_function(struct wait_code *c, const struct isa_program *p, uint32_t function)
{
	const struct isa_function *f = p->functions[function];
	bool any = false;
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const struct isa_insn *i = &p->insns[pc];
		any = any || isa_opcode_info[i->opcode].family == ISA_FAMILY_CALL;
		if (!branches_to(i, f->first, pc) || pc - i->target >= LOOP_MOST || !may_wait(p, i->target, pc))
			continue;
		memset(c->loops + i->target, 1, pc - i->target + 1);
		any = true;
	}
	return any;
}

static struct wait_code *code_of(struct gpu *g)
{
	const struct isa_program *p = &g->program;
	struct wait_code *c = g->wait_code;
	if (c && c->generation == p->generation && c->n_insns == p->n_insns && c->n_functions == p->n_functions)
		return c;
	wait_code_free(g);
	c = g->wait_code = xcalloc(1, sizeof *c);
	*c = (struct wait_code){.loops = xcalloc(p->n_insns + 1, 1),
				.functions = xcalloc(p->n_functions + 1, 1),
				.n_insns = p->n_insns,
				.n_functions = p->n_functions,
				.generation = p->generation};
	return c;
}

bool wait_code_in(const struct gpu *g, uint32_t function)
{
	struct wait_code *c = code_of((struct gpu *)(uintptr_t)g);
	if (function >= c->n_functions)
		return false;
	if (!c->functions[function])
		c->functions[function] = look_at_function(c, &g->program, function) ? 2 : 1;
	return c->functions[function] == 2;
}

bool wait_code_at(const struct gpu *g, uint32_t pc)
{
	const struct isa_function *f = isa_program_function_at(&g->program, pc);
	if (!f || !wait_code_in(g, isa_program_function_index(&g->program, f)))
		return false;
	return g->wait_code->loops[pc];
}

void wait_code_free(struct gpu *g)
{
	if (!g->wait_code)
		return;
	free(g->wait_code->loops);
	free(g->wait_code->functions);
	free(g->wait_code);
	g->wait_code = NULL;
}
