/* Basic blocks: code that is entered at its beginning and left at its end. Calls are within one. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"

static bool ends_block(const struct isa_program *p, uint32_t pc)
{
	const uint8_t family = isa_opcode_info[p->insns[pc].opcode].family;
	return family == ISA_FAMILY_BRANCH || family == ISA_FAMILY_EXIT;
}

static void mark(const struct isa_function *f, bool *begins, uint32_t at)
{
	if (at >= f->first && at < f->end)
		begins[at - f->first] = true;
}

void debug_block_at(const struct debug *d, const struct isa_function *f, uint32_t pc, uint32_t *first, uint32_t *end)
{
	const struct isa_program *p = debug_program(d);
	bool *begins = xcalloc(f->end - f->first + 1, 1), tables = false;
	for (uint32_t i = f->first; i < f->end; i++) {
		tables |= p->insns[i].opcode == ISA_OP_BRX;
		if (p->insns[i].opcode == ISA_OP_BRA)
			mark(f, begins, p->insns[i].target);
		if (ends_block(p, i))
			mark(f, begins, i + 1);
	}
	for (uint32_t k = 0; tables && k < f->n_labels; k++) /* any may be in a table */
		mark(f, begins, f->labels[k].at);
	for (*first = pc; *first > f->first && !begins[*first - f->first];)
		--*first;
	for (*end = pc + 1; *end < f->end && !begins[*end - f->first];)
		++*end;
	free(begins);
}
