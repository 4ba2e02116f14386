/* Opcodes as written, resolved against the table of ISA forms (forms.h). */
#ifndef PTX_OPCODE_H
#define PTX_OPCODE_H

#include "isa/handlers.h"
#include "isa/insn.h"
#include "ptx/ast.h"

struct ptx_form;
struct ptx_rule;

/* One form the opcode may be, with its operand rules. An opcode has several where only the operands tell forms apart. */
struct ptx_shape {
	const struct ptx_form *form;
	const struct ptx_rule *rules;
	uint8_t n_rules, n_required;
	uint8_t ptx, sm;       /* minimum PTX version times ten and compute capability, modifiers included */
	struct ptx_slice need; /* the modifier that sets the minimum, empty: the instruction itself */
};

/* A full opcode ("fma.rn.ftz.f32"), decoded once per distinct text and shared by all its instructions. */
struct ptx_opcode {
	struct ptx_slice text;	     /* as written */
	uint16_t opcode;	     /* enum isa_opcode, of the mnemonic */
	const struct ptx_form *form; /* the first shape's; NULL: no form of the ISA matches, `error` says why */
	const char *error;	     /* in the module's pool */
	uint32_t error_col;	     /* offset of the offending modifier in the text */
	uint8_t types[4], n_types;   /* enum isa_type in written order; ISA_NOTYPE for sub-byte and matrix formats */
	/* modifiers, decoded into the fields of isa_insn */
	uint32_t flags;				    /* ISA_F_* */
	uint8_t rnd, cmp, boolop, atom, space, vec; /* vec: 1 without .vN */
	/* Modifiers without a field of their own: 1 + position among the alternatives that forms_*.def lists (0: none written);
	 * mode for the first such group of the form, mode2 for the second. prmt: f4e 1, b4e 2, rc8 3, ecl 4, ecr 5, rc16 6; shfl: up 1,
	 * down 2, bfly 3, idx 4; testp: finite 1, infinite 2, number 3, notanumber 4, normal 5, subnormal 6; shf: mode l 1, r 2,
	 * mode2 clamp 1, wrap 2; bmsk, szext, vshl, vshr: clamp 1, wrap 2; vote: all 1, any 2, uni 3 (ballot differs by its type b32); cvta: to 1;
	 * vmad: shr7 1, shr15 2, .po is ISA_F_PLUS_ONE. The secondary operation of the video instructions (.add .min .max) is `atom`. */
	uint8_t mode, mode2;
	bool has_l2;	  /* a hint for the L2 cache */
	bool unsupported; /* handler == ISA_H_UNSUPPORTED */
	bool warned, warned_meaning;
	const char *ignored; /* modifiers that ptxas ignores (".finite"), or NULL */
	uint32_t ignored_col;
	uint16_t handler;      /* enum isa_handler, chosen by name; the lowering of a family may refine it */
	const char *canonical; /* the name by which the handler was found: "fma_rn_ftz_f32" */
	const struct ptx_shape *shapes;
	uint8_t n_shapes;
};

/* Returns the decoded opcode of a text, shared by equal texts; never NULL. An unknown mnemonic or bad modifier gives form == NULL and `error`. */
const struct ptx_opcode *ptx_opcode_intern(struct ptx_module *m, struct ptx_slice text);

/* Sets the fields mode, mode2 and flags of a texture or surface instruction from its opcode as written. */
void texture_modifiers(struct isa_insn *i, struct ptx_slice text);

#endif
