/* PTX mnemonics: one row each in opcodes.def. */
#ifndef ISA_OPCODES_H
#define ISA_OPCODES_H

#include <stdint.h>

/* What lowering and analyses need to know about a mnemonic. */
enum isa_family {
	ISA_FAMILY_ALU,
	ISA_FAMILY_MEM,
	ISA_FAMILY_ATOM,
	ISA_FAMILY_BRANCH,
	ISA_FAMILY_CALL,
	ISA_FAMILY_EXIT,
	ISA_FAMILY_BARRIER,
	ISA_FAMILY_WARP,
	ISA_FAMILY_MISC,
	ISA_FAMILY_UNSUPPORTED
};

enum isa_opcode {
	ISA_OP_NONE,
#define OPCODE(id, name, family, help) ISA_OP_##id,
#include "isa/opcodes.def"
	ISA_OPCODE_COUNT
};

struct isa_opcode_info {
	const char *name;
	uint8_t family; /* enum isa_family */
	const char *help; /* what the instruction does, a few words */
};
extern const struct isa_opcode_info isa_opcode_info[ISA_OPCODE_COUNT];

/* Returns the opcode of a mnemonic of n bytes ("fma"), or ISA_OP_NONE if PTX has no such instruction. */
enum isa_opcode isa_opcode_find(const char *s, unsigned n);

#endif
