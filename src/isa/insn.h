/* The decoded instruction: everything a handler needs, nothing looked up by name.
 *
 * A warp's registers are rows of 32 lanes (structure of arrays), 64-byte aligned, in a frame per activation:
 *     frame: u32 predicate masks (slot 0 is always all ones, slot 1 is a sink that is only written), padded to 64 bytes,
 *            then the rows. Row of a 1- or 2-byte register: u16[32]; 4: u32[32]; 8: u64[32]; 16: u64[32] low halves,
 *            then u64[32] high halves.
 * An operand is a `ref`: byte offset of its row (a multiple of 64) plus, in the low two bits, which base it counts from.
 * Immediates are rows of the program's constant pool, so an operand is always a row. Predicate operands are slot
 * numbers with ISA_PRED_NOT for `!p`. */
#ifndef ISA_INSN_H
#define ISA_INSN_H

#include <stdbool.h>
#include <stdint.h>

enum isa_base {
	ISA_BASE_FRAME,	  /* registers of the current activation */
	ISA_BASE_CONST,	  /* the program's constant rows */
	ISA_BASE_SPECIAL, /* the warp's special register rows, see isa/special.def */
	ISA_BASE_NONE	  /* no operand */
};
#define ISA_REF(base, offset) ((uint32_t)(offset) | (uint32_t)(base))
#define ISA_REF_NONE ((uint32_t)ISA_BASE_NONE)
#define ISA_REF_BASE(ref) ((ref)&3u)
#define ISA_REF_OFFSET(ref) ((ref) & ~63u)

#define ISA_PRED_TRUE 0u
#define ISA_PRED_SINK 1u
#define ISA_PRED_NOT 0x80000000u
#define ISA_PRED_NONE 0x7fffffffu /* no predicate operand (a `p|q` with one half missing is ISA_PRED_SINK instead) */
#define ISA_PRED_SLOT(p) ((p) & ~ISA_PRED_NOT)

enum isa_space {
	ISA_SPACE_GENERIC,
	ISA_SPACE_GLOBAL,
	ISA_SPACE_SHARED,
	ISA_SPACE_LOCAL,
	ISA_SPACE_CONST,
	ISA_SPACE_PARAM, /* kernel parameters; those of device functions live in local memory */
	ISA_SPACE_CODE,	 /* addresses of functions */
	ISA_SPACE_COUNT
};

enum isa_round { ISA_RND_DEFAULT, ISA_RND_RN, ISA_RND_RZ, ISA_RND_RM, ISA_RND_RP, ISA_RND_RNA, ISA_RND_RS,
		 ISA_RND_RNI, ISA_RND_RZI, ISA_RND_RMI, ISA_RND_RPI };
/* Comparison operators of set/setp/slct; ltu..nan are the unordered ones, lo..hs the old unsigned spellings. */
enum isa_cmp { ISA_CMP_NONE, ISA_CMP_EQ, ISA_CMP_NE, ISA_CMP_LT, ISA_CMP_LE, ISA_CMP_GT, ISA_CMP_GE, ISA_CMP_LO, ISA_CMP_LS,
	       ISA_CMP_HI, ISA_CMP_HS, ISA_CMP_EQU, ISA_CMP_NEU, ISA_CMP_LTU, ISA_CMP_LEU, ISA_CMP_GTU, ISA_CMP_GEU,
	       ISA_CMP_NUM, ISA_CMP_NAN };
enum isa_bool { ISA_BOOL_NONE, ISA_BOOL_AND, ISA_BOOL_OR, ISA_BOOL_XOR, ISA_BOOL_POPC };
/* Operations of atom/red/redux. */
enum isa_atom { ISA_ATOM_NONE, ISA_ATOM_AND, ISA_ATOM_OR, ISA_ATOM_XOR, ISA_ATOM_CAS, ISA_ATOM_EXCH, ISA_ATOM_ADD, ISA_ATOM_INC,
		ISA_ATOM_DEC, ISA_ATOM_MIN, ISA_ATOM_MAX };

/* Cache operators (PTX ISA "Cache Operators"); they change nothing but the time an access takes. */
enum isa_cache { ISA_CACHE_DEFAULT, ISA_CACHE_CA, ISA_CACHE_CG, ISA_CACHE_CS, ISA_CACHE_LU, ISA_CACHE_CV, ISA_CACHE_WB, ISA_CACHE_WT };

/* Memory order and scope (PTX ISA "Memory Consistency Model"), as written. They have no effect on execution: every store is visible to all threads at
 * once. The race checker judges by them. */
enum isa_sem { ISA_SEM_NONE, ISA_SEM_WEAK, ISA_SEM_RELAXED, ISA_SEM_ACQUIRE, ISA_SEM_RELEASE, ISA_SEM_ACQ_REL, ISA_SEM_SC,
	       ISA_SEM_VOLATILE /* relaxed.sys */ };
enum isa_scope { ISA_SCOPE_NONE, ISA_SCOPE_CTA, ISA_SCOPE_CLUSTER, ISA_SCOPE_GPU, ISA_SCOPE_SYS };

/* isa_insn.flags */
#define ISA_F_FTZ 0x0001u
#define ISA_F_SAT 0x0002u
#define ISA_F_NAN 0x0004u      /* min/max .NaN, .abs with redux as well */
#define ISA_F_XORSIGN 0x0008u  /* min/max .xorsign.abs */
#define ISA_F_ABS 0x0010u
#define ISA_F_RELU 0x0020u
#define ISA_F_SATFINITE 0x0040u
#define ISA_F_CC 0x0080u       /* writes the carry flag */
#define ISA_F_HI 0x0100u
#define ISA_F_LO 0x0200u
#define ISA_F_WIDE 0x0400u
#define ISA_F_APPROX 0x0800u
#define ISA_F_FULL 0x1000u
#define ISA_F_ADDR_SP 0x2000u  /* the address counts from the activation's local stack frame */
#define ISA_F_PARAM 0x4000u    /* ld, st: .param in the local frame, where only words are aligned */
#define ISA_F_PLUS_ONE 0x4000u /* vmad: .po. The same bit: the two families have no instruction in common */
#define ISA_F_OOB 0x8000u

/* One instruction, 64 bytes. Families use the fields as their comment in isa/handlers_*.def says; unused ones are 0
 * (refs ISA_REF_NONE, predicates ISA_PRED_NONE). */
struct isa_insn {
	uint16_t handler; /* enum isa_handler */
	uint16_t opcode;  /* enum isa_opcode: the PTX mnemonic, for timing classes and messages */
	uint32_t guard;	  /* predicate slot, ISA_PRED_NOT for @!p; ISA_PRED_TRUE without guard */
	uint32_t dst, dst2; /* row refs, or predicate slots where the family writes predicates */
	uint32_t a, b, c, d;
	uint32_t aux;	 /* first of this instruction's words in isa_program.aux: vector operands, argument lists ... */
	uint16_t flags;
	uint8_t type, type2;   /* enum isa_type: the instruction's type(s), as written: cvt.TYPE.TYPE2, set.TYPE.TYPE2 */
	uint8_t dst_bytes, a_bytes; /* register width of dst and a where it may differ from the type (ld, st, cvt) */
	uint8_t vec;	       /* vector elements: 1, 2, 4, 8 */
	uint8_t space;	       /* enum isa_space */
	uint8_t rnd, cmp, boolop, atom; /* enums above */
	uint8_t mode;	       /* family's own small enumeration */
	uint8_t mode2;
	uint8_t cache; /* enum isa_cache: the operator of ld and st */
	uint8_t sem;   /* enum isa_sem */
	uint8_t scope; /* enum isa_scope */
	bool ends_block; /* the last instruction of its basic block; calls lie within blocks, unless they never return */
	bool is_half; /* it takes 4 bytes of code (.half of PTXPlus), not 8 */
	uint8_t spare;
	union {
		int64_t imm; /* address displacement, immediate table ... */
		struct {     /* control flow */
			uint32_t target; /* branch target: instruction index, ISA_NO_TARGET: none or not known here */
			uint32_t reconv; /* where diverged lanes meet again: instruction index, ISA_NO_RECONV: at exit */
		};
	};
};
_Static_assert(sizeof(struct isa_insn) == 64, "an instruction is one cache line");

#define ISA_NO_RECONV UINT32_MAX
#define ISA_NO_TARGET UINT32_MAX

#define ISA_INSN_BYTES 8u /* a PC counts 8 bytes an instruction, as in GPGPU-Sim: pc = 8 * index */

#endif
