/* Single entries of .debug_info: registers, variables, ranges; and the addresses in them. */
#include "gdbstub/image/dwarf.h"

#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/frame_layout.h"
#include "isa/accessed.h"

uint64_t dwarf_address(const struct dwarf *w, uint32_t index) { return stub_pc(index) - w->base; }

uint64_t dwarf_launch_address(const struct dwarf *w, uint32_t function)
{
	return STUB_LAUNCH_AT + (uint64_t)function * ISA_INSN_BYTES - w->base;
}

uint64_t dwarf_exit_address(const struct dwarf *w, uint32_t function)
{
	return STUB_EXIT_AT + (uint64_t)function * ISA_INSN_BYTES - w->base;
}

/* Returns the address of a variable that all threads share. gdb relocates it with the code of a shared object. */
static uint64_t dwarf_variable_address(const struct dwarf *w, const struct isa_variable *v)
{
	uint64_t window = v->space == ISA_SPACE_PARAM	? EXEC_PARAM_WINDOW
			  : v->space == ISA_SPACE_CONST ? EXEC_CONST_WINDOW
							: 0;
	return v->address - w->base + window;
}

/* Names without what gdb's expressions can't hold: `%r8` is r8, `$L__BB0_2` is L__BB0_2. */
void dwarf_put_name(struct dwarf *w, const char *name, uint32_t number, bool numbered)
{
	name += *name == '%' || *name == '$';
	text_addf(&w->info, numbered ? "%s%u" : "%s", name, number);
	put8(&w->info, 0);
}

void dwarf_put_expression(struct dwarf *w, const struct text *e)
{
	put_uleb(&w->info, e->n);
	text_addn(&w->info, text_str(e), e->n);
}

void dwarf_register(struct dwarf *w, unsigned code, const struct isa_reg *r, uint32_t number, uint32_t offset)
{
	struct text e = {0};
	put_uleb(&w->info, code);
	dwarf_put_name(w, r->name, number, r->count > 0);
	put32(&w->info, w->types[r->type]);
	put8(&e, OP_FBREG);
	put_sleb(&e, offset);
	dwarf_put_expression(w, &e);
	text_free(&e);
}

void dwarf_vector_register(struct dwarf *w, const struct isa_reg *r, unsigned n, uint32_t offset)
{
	struct text e = {0}, name = {0};
	size_t type = dwarf_vector(w, (enum isa_type)r->type, n);
	text_addn(&name, r->name, strlen(r->name) - 2); /* without .x */
	put_uleb(&w->info, ABBREV_VARIABLE);
	dwarf_put_name(w, text_str(&name), 0, false);
	put32(&w->info, type);
	put8(&e, OP_FBREG);
	put_sleb(&e, offset);
	dwarf_put_expression(w, &e);
	text_free(&e);
	text_free(&name);
}

void dwarf_variable_location(const struct dwarf *w, unsigned frame, uint32_t local_slot, const struct isa_variable *v,
			     struct text *e)
{
	switch (v->space) {
	case ISA_SPACE_SHARED:
		/* bases of shared memory, see registers.c */
		put8(e, v->flags & ISA_VAR_DYNAMIC_SHARED ? OP_BREG14 : OP_BREG12);
		put_sleb(e, v->flags & ISA_VAR_DYNAMIC_SHARED ? 0 : (int64_t)v->address);
		break;
	case ISA_SPACE_LOCAL:
		put8(e, frame);
		put_sleb(e, local_slot);
		put8(e, OP_DEREF);
		put8(e, OP_PLUS_UCONST);
		put_uleb(e, v->address);
		break;
	default: put8(e, OP_ADDR); put64(e, dwarf_variable_address(w, v));
	}
}

/* Makes the type of an array, whose entry has to come before its variable's, and returns its place; of other variables the place of their base type.
 * A shared array of bytes has the type by which kernels access it, as at the prompt. */
static size_t variable_type(struct dwarf *w, const struct isa_variable *v)
{
	struct isa_accessed a;
	const enum isa_type element = isa_variable_element(stub_program(w->s), v, &a);
	uint64_t dims[9];
	uint32_t n = v->n_dims < 8 ? v->n_dims : 8;
	if (!v->n_dims && v->vec < 2)
		return w->types[v->type];
	for (uint32_t i = 0; i < n; i++)
		dims[i] = v->dims[i];
	if (n && element != v->type)
		dims[n - 1] /= isa_type_bytes(element);
	if (v->vec > 1)
		dims[n++] = v->vec;
	return dwarf_array(w, element, dims, n);
}

static void memory_variable(struct dwarf *w, unsigned code, const struct frame_layout *l, const struct isa_variable *v, const char *name)
{
	struct text e = {0};
	if (v->type >= ISA_TYPE_COUNT || v->type == ISA_NOTYPE || !name)
		return;
	size_t type = variable_type(w, v);
	put_uleb(&w->info, code);
	dwarf_put_name(w, name, 0, false);
	put32(&w->info, type);
	dwarf_variable_location(w, OP_FBREG, l ? l->local_slot : 0, v, &e);
	dwarf_put_expression(w, &e);
	text_free(&e);
}

void dwarf_memory_variable(struct dwarf *w, unsigned code, const struct frame_layout *l, const struct isa_variable *v)
{
	memory_variable(w, code, l, v, v->name);
}

void dwarf_variable(struct dwarf *w, const struct isa_function *f, const struct isa_variable *v, const char *name)
{
	memory_variable(w, f ? ABBREV_VARIABLE : ABBREV_GLOBAL, f ? frame_layout_of(w->s, f) : NULL, v, name);
}

void dwarf_range(struct dwarf *w, uint64_t first, uint64_t n_instructions)
{
	put64(&w->ranges, first);
	put64(&w->ranges, first + n_instructions * ISA_INSN_BYTES);
}

void dwarf_end_ranges(struct dwarf *w)
{
	put64(&w->ranges, 0);
	put64(&w->ranges, 0);
}
