/* Which functions a kernel can come to. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
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
		if (isa_opcode_info[i->opcode].family != ISA_FAMILY_CALL)
			continue;
		if (i->handler == ISA_H_call || i->handler == ISA_H_call_builtin)
			add(w, i->target);
		else
			w->anywhere = true;
	}
}

static struct walk walk_from(struct debug *d, uint32_t kernel)
{
	const struct isa_program *p = debug_program(d);
	struct walk w = {.p = p, .seen = xcalloc(p->n_functions, 1), .waits = xcalloc(p->n_functions, sizeof *w.waits)};
	add(&w, kernel);
	while (w.n_waits)
		look_at(&w, p->functions[w.waits[--w.n_waits]]);
	return w;
}

static void walk_free(struct walk *w)
{
	free(w->seen);
	free(w->waits);
}

bool debug_kernel_reaches(struct debug *d, uint32_t kernel, const struct isa_function *f)
{
	struct walk w = walk_from(d, kernel);
	const bool reaches = w.seen[isa_program_function_index(w.p, f)] || (w.anywhere && !f->is_kernel);
	walk_free(&w);
	return reaches;
}

bool debug_kernel_calls(struct debug *d, uint32_t kernel, const char *const *names)
{
	struct walk w = walk_from(d, kernel);
	bool calls = false;
	for (uint32_t k = 0; k < w.p->n_functions && !calls; k++)
		for (const char *const *name = names; *name && !calls; name++)
			calls = w.seen[k] && !w.p->functions[k]->is_defined && !strcmp(w.p->functions[k]->name, *name);
	walk_free(&w);
	return calls;
}
