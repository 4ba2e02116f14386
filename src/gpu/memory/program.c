/* What the device has of its program: memory of variables, marks and counts of instructions; modules that come and go. */
#include <string.h>

#include "base/xalloc.h"
#include "gpu/device/performance_state.h"
#include "gpu/memory/memory.h"

/* Makes room for a mark of each instruction. The marks never shrink, so a module that is loaded again finds them. */
static void grow_marks(struct gpu *g)
{
	const uint32_t n = g->program.n_insns + 1;
	if (n <= g->cap_marks)
		return;
	g->marks = xrealloc(g->marks, n);
	memset(g->marks + g->cap_marks, 0, n - g->cap_marks);
	g->cap_marks = n;
	g->exec.marks = g->marks;
}

/* Makes room for marks, counts and lines of `n_insns` instructions, and for constant memory up to `const_end`. */
static void make_room(struct gpu *g, uint32_t n_insns, uint32_t const_end)
{
	grow_marks(g);
	gpu_state(g)->program_end = n_insns;
	arena_use(&g->arena, g->exec.sec_const, const_end);
	exec_program_changed(&g->exec, n_insns);
	if (g->machine)
		timing_program_changed(&g->machine->timing, n_insns);
}

void gpu_program_changed(struct gpu *g)
{
	const struct isa_program *p = &g->program;
	struct gpu_state *s = gpu_state(g);
	for (; s->n_variables < p->n_variables; s->n_variables++)
		if (!isa_program_module_of(p, p->variables[s->n_variables]->file))
			gpu_add_variable(g, p->variables[s->n_variables]);
	make_room(g, p->n_insns, p->const_next);
}

/* ---- modules ---- */

void gpu_program_select_modules(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	const uint32_t generation = g->program.generation;
	isa_program_stand(&g->program, s->program_step);
	if (g->machine)
		timing_program_stands(&g->machine->timing, s->program_end, s->gone_first, s->gone_end,
				      g->program.generation != generation);
}

void gpu_module_loaded(struct gpu *g, uint32_t module)
{
	struct isa_program *p = &g->program;
	struct isa_module *m = &p->modules[module];
	m->since = ++gpu_state(g)->program_step;
	if (!m->insns_end) { /* it comes for the first time */
		m->insns_end = p->n_insns;
		m->const_end = p->const_next;
	}
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (isa_program_module_of(p, p->variables[k]->file) == module)
			gpu_add_variable(g, p->variables[k]);
	make_room(g, m->insns_end, m->const_end);
	gpu_program_select_modules(g);
}

void gpu_module_unloaded(struct gpu *g, uint32_t module)
{
	struct isa_program *p = &g->program;
	p->modules[module].until = ++gpu_state(g)->program_step;
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (isa_program_module_of(p, p->variables[k]->file) == module)
			gpu_remove_variable(g, p->variables[k]);
	gpu_program_select_modules(g);
}
