/* Which functions a kernel can come to. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "debug/internal.h"
#include "debug/view/view.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

struct walk {
	const struct isa_program *p;
	bool *seen;	 /* of each function */
	uint32_t *waits; /* functions whose calls have not been looked at */
	uint32_t n_waits;
	bool anywhere; /* a call through a pointer */
};

static void add(struct walk *w, uint32_t function)
{
	if (!w->seen[function])
		w->waits[w->n_waits++] = function;
	w->seen[function] = true;
}

static void look_at(struct walk *w, const struct isa_function *f)
{
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const struct isa_insn *i = &w->p->insns[pc];
		if (isa_opcode_info[i->opcode].family != ISA_FAMILY_CALL || i->handler == ISA_H_call_builtin)
			continue;
		if (i->handler == ISA_H_call)
			add(w, i->target);
		else
			w->anywhere = true;
	}
}

bool debug_kernel_reaches(struct debug *d, uint32_t kernel, const struct isa_function *f)
{
	const struct isa_program *p = debug_program(d);
	struct walk w = {.p = p, .seen = xcalloc(p->n_functions, 1), .waits = xcalloc(p->n_functions, sizeof *w.waits)};
	add(&w, kernel);
	while (w.n_waits)
		look_at(&w, p->functions[w.waits[--w.n_waits]]);
	bool reaches = w.seen[isa_program_function_index(p, f)] || (w.anywhere && !f->is_kernel);
	free(w.seen);
	free(w.waits);
	return reaches;
}
