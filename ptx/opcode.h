/* Opcodes as written, resolved against the table of ISA forms (forms.def). */
#ifndef PTX_OPCODE_H
#define PTX_OPCODE_H

#include "isa/handlers.h"
#include "isa/insn.h"
#include "ptx/ast.h"

struct ptx_form; /* forms.h: one row of forms.def */

/* "fma.rn.ftz.f32" and what it means. Made once per distinct text, shared by all its instructions. */
struct ptx_opcode {
	struct ptx_slice text;	 /* as written */
	uint16_t opcode;	 /* enum isa_opcode, of the mnemonic */
	const struct ptx_form *form; /* NULL: no form of the ISA matches; `error` says why */
	const char *error;	 /* in the module's pool */
	uint32_t error_col;	 /* offset of the offending modifier in the text */
	uint8_t types[4], n_types; /* enum isa_type in written order */
	/* modifiers, decoded into the fields of isa_insn */
	uint32_t flags;		 /* ISA_F_* */
	uint8_t rnd, cmp, boolop, atom, space, vec, mode, mode2;
	bool is_volatile, is_uni, is_sync, is_noftz;
	bool unsupported;	 /* handler == ISA_H_UNSUPPORTED */
	bool warned;
	uint16_t handler;	 /* enum isa_handler, chosen by name; the lowering of a family may refine it */
};

/* Interns an opcode text; never NULL. Unknown mnemonics and bad modifiers come back with form == NULL and `error`. */
const struct ptx_opcode *ptx_opcode_intern(struct ptx_module *m, struct ptx_slice text);

#endif
