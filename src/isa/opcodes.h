/* PTX mnemonics: one row each in opcodes.def. */
#ifndef ISA_OPCODES_H
#define ISA_OPCODES_H

#include <stdbool.h>
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
	ISA_FAMILY_TEXTURE, /* isa/texture.h */
	ISA_FAMILY_TENSOR,  /* isa/tensor.h */
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

/* ---- predicates: what an instruction does, by its opcode ---- */

/* Returns whether an opcode reads memory into registers: ld, ldu. */
static inline bool isa_op_is_load(unsigned op) { return op == ISA_OP_LD || op == ISA_OP_LDU; }
/* Returns whether an opcode writes registers to memory: st. */
static inline bool isa_op_is_store(unsigned op) { return op == ISA_OP_ST; }
/* Returns whether an opcode reads, modifies and writes memory: atom, red. */
static inline bool isa_op_is_atomic(unsigned op) { return op == ISA_OP_ATOM || op == ISA_OP_RED; }
/* Returns whether an opcode accesses memory: a load, a store or an atomic. */
static inline bool isa_op_accesses_memory(unsigned op) { return isa_op_is_load(op) || isa_op_is_store(op) || isa_op_is_atomic(op); }
/* Returns whether an opcode reads texels: tex, tld4, suld. */
static inline bool isa_op_reads_texels(unsigned op) { return op == ISA_OP_TEX || op == ISA_OP_TLD4 || op == ISA_OP_SULD; }
/* Returns whether an opcode writes texels: sust, sured. */
static inline bool isa_op_writes_texels(unsigned op) { return op == ISA_OP_SUST || op == ISA_OP_SURED; }
/* Returns whether only PTXPlus has an opcode. */
static inline bool isa_op_is_plus(unsigned op)
{
	switch (op) {
	case ISA_OP_ADDP:
	case ISA_OP_ANDN:
	case ISA_OP_BREAK:
	case ISA_OP_BREAKADDR:
	case ISA_OP_CALLP:
	case ISA_OP_MADP:
	case ISA_OP_NANDN:
	case ISA_OP_NOP:
	case ISA_OP_NORN:
	case ISA_OP_ORN:
	case ISA_OP_RETP:
	case ISA_OP_SSY: return true;
	default: return false;
	}
}
/* Returns whether an opcode is a barrier among the threads of a block, or bar.warp.sync: bar, barrier. */
static inline bool isa_op_is_barrier(unsigned op) { return op == ISA_OP_BAR || op == ISA_OP_BARRIER; }

/* Returns the opcode of a mnemonic of n bytes ("fma"), or ISA_OP_NONE if PTX has no such instruction. */
enum isa_opcode isa_opcode_find(const char *s, unsigned n);

#endif
