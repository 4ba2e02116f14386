/* PTX mnemonics: one row each in opcodes.def. */
#ifndef ISA_OPCODES_H
#define ISA_OPCODES_H

#include <stdint.h>

/* Execution class for the timing model (timing-model: which unit, which latency entry); functional mode ignores it. */
enum isa_unit {
	ISA_UNIT_INT,
	ISA_UNIT_FP,
	ISA_UNIT_DP,
	ISA_UNIT_SFU,
	ISA_UNIT_LDST,
	ISA_UNIT_BRANCH,
	ISA_UNIT_BARRIER,
	ISA_UNIT_TENSOR,
	ISA_UNIT_TEX,
	ISA_UNIT_NONE
};

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
#define OPCODE(id, name, family, unit, help) ISA_OP_##id,
#include "isa/opcodes.def"
	ISA_OPCODE_COUNT
};

struct isa_opcode_info {
	const char *name;
	uint8_t family, unit;
	const char *help;
};
extern const struct isa_opcode_info isa_opcode_info[ISA_OPCODE_COUNT];

/* By mnemonic ("fma"); ISA_OP_NONE if PTX has no such instruction. */
enum isa_opcode isa_opcode_find(const char *s, unsigned n);

#endif
