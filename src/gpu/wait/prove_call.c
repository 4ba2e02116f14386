/* What varies, through calls and returns (prove.c): arguments and results are copied between two activations. */
#include "exec/call.h"
#include "gpu/wait/prove_internal.h"

/* One side of an argument or a result. */
struct side {
	struct call_arg arg;
	uint64_t frame;
	uint32_t sp;
};

static uint32_t words_of(const struct side *s) { return (s->sp + s->arg.ref) % 4 ? 0 : (s->arg.bytes + 3) / 4; }
static uint64_t word_key(const struct side *s, uint32_t word) { return PROVE_LOCAL | ((s->sp + s->arg.ref) / 4 + word); }

static uint64_t register_key(const struct side *s)
{
	return s->arg.kind == ARG_PRED ? prove_key(s->frame, ISA_RW_PRED(ISA_PRED_SLOT(s->arg.ref))) : prove_key(s->frame, ISA_RW_ROW(s->arg.ref));
}

/* Returns the lanes in which any byte of it varies. */
static uint32_t lanes_of(const struct gpu *g, const struct side *s)
{
	uint32_t lanes = 0;
	if (s->arg.kind != ARG_LOCAL)
		return prove_lanes(g, register_key(s));
	for (uint32_t at = s->sp + s->arg.ref; at < s->sp + s->arg.ref + s->arg.bytes; at++)
		lanes |= prove_lanes(g, PROVE_LOCAL | at / 4);
	return lanes;
}

/* whole: nothing else is left of the word. */
static bool set(struct gpu *g, uint64_t key, uint32_t lanes, bool whole)
{
	return prove_write(g, key, lanes | (whole ? 0 : prove_lanes(g, key)), prove_probe(g)->at_mask);
}

static bool copy(struct gpu *g, const struct side *from, const struct side *to)
{
	const uint32_t all = lanes_of(g, from), words = words_of(to);
	bool ok = true;
	if (to->arg.kind != ARG_LOCAL) {
		const uint64_t key = to->arg.ref == ISA_REF_NONE ? UINT64_MAX : register_key(to);
		return key == UINT64_MAX || set(g, key, all, true);
	}
	if (from->arg.kind == ARG_LOCAL && words && words_of(from) == words) {
		for (uint32_t k = 0; ok && k < words; k++)
			ok = set(g, word_key(to, k), prove_lanes(g, word_key(from, k)), to->arg.bytes % 4 == 0);
		return ok;
	}
	for (uint32_t at = to->sp + to->arg.ref; ok && at < to->sp + to->arg.ref + to->arg.bytes; at++)
		ok = set(g, PROVE_LOCAL | at / 4, all, false);
	return ok;
}

/* What is copied: arguments, or results. */
static bool copy_all(struct gpu *g, const struct isa_insn *call, const struct isa_function *f, struct side *caller, struct side *callee, bool results)
{
	bool ok = true;
	for (uint32_t k = 0; ok && k < f->n_params; k++)
		if (!(f->params[k].flags & ISA_VAR_RETURN) == !results && call_arg(&g->program, call, f, k, &caller->arg, &callee->arg))
			ok = results ? copy(g, callee, caller) : copy(g, caller, callee);
	return ok;
}

bool prove_call(struct gpu *g)
{
	const struct gpu_probe *pr = prove_probe(g);
	const struct exec_warp *w = prove_warp(g);
	const struct exec_simt *first = arena_at(&g->arena, g->exec.sec_simt, w->simt), *top = exec_simt_top(&g->exec, w);
	const struct exec_simt *from = exec_simt_caller(first, top);
	const struct isa_function *f = isa_program_function_at(&g->program, top->pc);
	if (!from || !f)
		return false;
	struct side caller = {.frame = pr->at_frame, .sp = from->local_sp}, callee = {.frame = top->frame, .sp = top->local_sp};
	prove_forget_frame(g, top->frame, top->frame_bytes);
	return copy_all(g, &g->program.insns[pr->at_pc], f, &caller, &callee, false);
}

void prove_note_return(struct gpu *g, const struct exec_simt *top)
{
	struct gpu_probe *pr = prove_probe(g);
	const struct exec_simt *first = arena_at(&g->arena, g->exec.sec_simt, prove_warp(g)->simt);
	const struct exec_simt *caller = exec_simt_caller(first, top);
	pr->at_sp = top->local_sp;
	pr->at_call = top->return_pc;
	pr->caller_frame = caller ? caller->frame : 0;
	pr->caller_sp = caller ? caller->local_sp : 0;
}

bool prove_return(struct gpu *g)
{
	const struct gpu_probe *pr = prove_probe(g);
	const struct isa_function *f = isa_program_function_at(&g->program, pr->at_pc);
	struct side caller = {.frame = pr->caller_frame, .sp = pr->caller_sp}, callee = {.frame = pr->at_frame, .sp = pr->at_sp};
	if (!pr->caller_frame || !f || pr->at_call >= g->program.n_insns)
		return false;
	return copy_all(g, &g->program.insns[pr->at_call], f, &caller, &callee, true);
}
