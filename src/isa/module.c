/* Modules that come and go: what is of one that isn't there is marked as unloaded. */
#include "isa/program.h"

static void show_function(struct isa_function *f, bool on)
{
	f->replaced = on ? f->replaced : f->unloaded;
	f->unloaded = !on || f->replaced;
}

static void show_variable(struct isa_variable *v, bool on)
{
	const unsigned hidden = ISA_VAR_UNLOADED, gone = ISA_VAR_UNLOADED | ISA_VAR_REPLACED;
	const bool replaced = v->flags & (on ? ISA_VAR_REPLACED : ISA_VAR_UNLOADED);
	v->flags = (uint8_t)((v->flags & ~gone) | (replaced ? gone : on ? 0 : hidden));
}

void isa_module_show(struct isa_program *p, uint32_t module, bool on)
{
	if (p->modules[module].unloaded == !on)
		return;
	p->modules[module].unloaded = !on;
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (isa_program_module_of(p, p->functions[k]->file) == module)
			show_function(p->functions[k], on);
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (isa_program_module_of(p, p->variables[k]->file) == module)
			show_variable(p->variables[k], on);
	for (uint32_t k = 0; k < p->n_files; k++)
		if (p->files[k].frontend && p->files[k].module == module)
			p->files[k].unloaded = !on;
	p->generation++;
}

void isa_program_stand(struct isa_program *p, uint32_t step)
{
	p->step = step;
	for (uint32_t k = 1; k < p->n_modules; k++)
		isa_module_show(p, k, p->modules[k].since <= step && step < p->modules[k].until);
}

uint32_t isa_program_last_step(const struct isa_program *p)
{
	uint32_t last = 0;
	for (uint32_t k = 1; k < p->n_modules; k++) {
		const struct isa_module *m = &p->modules[k];
		last = m->since > last ? m->since : last;
		last = m->until != ISA_STEP_NEVER && m->until > last ? m->until : last;
	}
	return last;
}

bool isa_program_was_loaded(const struct isa_program *p, uint32_t n_functions, uint32_t n_variables)
{
	for (uint32_t k = n_functions; k < p->n_functions; k++)
		if (!isa_program_module_of(p, p->functions[k]->file))
			return true;
	for (uint32_t k = n_variables; k < p->n_variables; k++)
		if (!isa_program_module_of(p, p->variables[k]->file))
			return true;
	return false;
}
