/* The opcode table and the look-up of a mnemonic. */
#include "isa/opcodes.h"

#include <string.h>

const struct isa_opcode_info isa_opcode_info[ISA_OPCODE_COUNT] = {
	{.name = "", .family = ISA_FAMILY_UNSUPPORTED, .help = ""},
#define OPCODE(id, name, family, help) {name, ISA_FAMILY_##family, help},
#include "isa/opcodes.def"
};

static int compare(const char *s, size_t n, const char *name)
{
	int order = strncmp(s, name, n);

	if (order)
		return order;
	return name[n] ? -1 : 0;
}

/* The table is in alphabetical order; digits sort before letters, as in ASCII (a unit test checks the order). */
enum isa_opcode isa_opcode_find(const char *s, unsigned n)
{
	unsigned low = 1, high = ISA_OPCODE_COUNT;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;
		int order = compare(s, n, isa_opcode_info[middle].name);

		if (!order)
			return (enum isa_opcode)middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return ISA_OP_NONE;
}
