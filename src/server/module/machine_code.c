/* What a program's machine code says of its functions: registers and stack of the GPU that it was compiled for. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/debug.h"
#include "gpu/gpu.h"
#include "server/module/internal.h"

#define CUBIN_BYTES_MOST (UINT64_C(256) << 20) /* larger ones aren't unpacked for their attributes */

/* Returns true if the machine code of an entry runs on a device of that capability: one of the same family. */
static bool is_of_family(const struct fatbin_entry *e, uint32_t capability)
{
	return e->kind == FATBIN_ELF && e->sm / 10 == capability / 10 && e->sm <= capability && e->n_unpacked <= CUBIN_BYTES_MOST;
}

/* Returns the machine code of a unit that the driver would choose for a device. Returns NULL if there is none. */
static const struct fatbin_entry *choose(const struct fatbin *f, uint32_t unit, uint32_t capability)
{
	const struct fatbin_entry *best = NULL;
	for (size_t k = 0; k < f->n; k++) {
		const struct fatbin_entry *e = &f->entries[k];
		if (e->unit == unit && is_of_family(e, capability) && (!best || e->sm > best->sm))
			best = e;
	}
	return best;
}

/* Where functions of a module are looked up. */
struct target {
	struct isa_program *p;
	struct module *m;
};

/* Returns true if a cubin's symbol is a function, or its copy for one kernel: $KERNEL$FUNCTION. */
static bool is_named(const char *symbol, const char *function)
{
	const size_t n = strlen(symbol), k = strlen(function);
	return !strcmp(symbol, function) || (*symbol == '$' && n > k + 1 && symbol[n - k - 1] == '$' && !strcmp(symbol + n - k, function));
}

/* Notes what a cubin says of a function. */
static void note(void *self, const struct cubin_function *c)
{
	const struct target *t = self;
	for (uint32_t k = t->m->first_function; k < t->p->n_functions; k++) {
		struct isa_function *f = t->p->functions[k];
		if (f->unloaded || isa_program_module_of(t->p, f->file) != t->m->number || !is_named(c->name, f->name))
			continue;
		f->registers = c->registers > f->registers ? c->registers : f->registers;
		if (c->frame_bytes == CUBIN_NOT_KNOWN || (f->is_stack_known && c->frame_bytes < f->stack_bytes))
			continue;
		f->stack_bytes = c->frame_bytes;
		f->is_stack_known = true;
	}
}

/* Keeps the machine code of a unit for `disassemble /s`. Returns false if the module has too much of it. */
static bool keep(struct module *m, char *elf, size_t n)
{
	size_t had = 0;
	for (size_t k = 0; k < m->n_code; k++)
		had += m->code[k].n;
	if (n > MODULE_CODE_MOST || had > MODULE_CODE_MOST - n)
		return false;
	m->code = xgrow(m->code, &m->cap_code, m->n_code + 1, sizeof *m->code);
	m->code[m->n_code++] = (struct module_code){elf, n};
	return true;
}

void module_note_machine_code(struct module *m)
{
	const uint32_t capability = m->ms->host.capability(m->ms->host.self);
	struct target t = {gpu_program(debug_gpu(m->ms->d)), m};
	for (uint32_t unit = 0; unit < m->n_units; unit++) {
		const struct fatbin_entry *e = choose(&m->fat, unit, capability);
		struct text why = {0};
		size_t n;
		char *elf = e ? fatbin_unpack(e, &m->from, &n, &why) : NULL;
		if (elf)
			fatbin_cubin_functions(elf, n, note, &t);
		if (!elf || !keep(m, elf, n))
			free(elf);
		text_free(&why);
	}
}

bool modules_machine_code(const struct modules *ms, uint32_t number, unsigned k, const void **elf, size_t *n)
{
	const struct module *m = ms->first;
	while (m && m->number != number)
		m = m->next;
	if (!m || k >= m->n_code)
		return false;
	*elf = m->code[k].elf;
	*n = m->code[k].n;
	return true;
}
