/* Loads the memory that a warp's next instruction reads into the host's caches. */
#include "base/prefetch.h"
#include "exec/exec.h"
#include "isa/types.h"

static void prefetch_row(const struct exec *x, const struct exec_warp *w, const struct exec_simt *top, uint32_t ref, uint32_t bytes)
{
	if (ISA_REF_BASE(ref) == ISA_BASE_FRAME)
		prefetch(exec_row(x, w, top->frame, ref), (size_t)bytes * LANES);
}

void exec_prefetch(const struct exec *x, const struct exec_warp *w)
{
	prefetch(w, sizeof *w);
	if (w->state != EXEC_WARP_RUNNABLE || !w->n_simt)
		return;
	const struct exec_simt *top = exec_simt_top(x, w);
	if (top->pc >= x->program->n_insns)
		return;
	const struct isa_insn *i = &x->program->insns[top->pc];
	const uint32_t typed = isa_type_bytes((enum isa_type)i->type), bytes = typed ? typed : 4;
	prefetch(exec_preds(x, top->frame), 1);
	/* a destination isn't read, so nothing waits for it */
	prefetch_row(x, w, top, i->a, bytes);
	prefetch_row(x, w, top, i->b, bytes);
}
