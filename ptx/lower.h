/* Lowering: from the checked syntax tree to an isa_program. The state that the lower_*.c files share. */
#ifndef PTX_LOWER_H
#define PTX_LOWER_H

#include "isa/address_map.h"
#include "isa/opcodes.h"
#include "isa/program.h"
#include "ptx/ast.h"
#include "ptx/forms.h"
#include "ptx/link.h"
#include "ptx/opcode.h"

/* An opcode as all its instructions share it. */
struct lower_op {
	const struct ptx_opcode *op;
	struct isa_insn base;	  /* every field that doesn't depend on operands */
	uint16_t handler_general; /* the mnemonic's handler for registers of any width and any space */
	uint16_t handler_local;	  /* of .param accesses that really go to local memory */
	uint8_t pred_field;	  /* where a source predicate goes: enum lower_field */
	uint8_t mask_rule;	  /* rule whose operand is a member mask and goes to field d, 0xff: none */
	bool warned;		  /* of operands nobody executes */
	bool param_entry;	  /* .param::entry: kernel parameters, also in a device function */
};

enum lower_field { LOWER_A, LOWER_B, LOWER_C, LOWER_D, LOWER_NEXT };

/* A row of the const pool, found by value; see lower_const.c. */
struct lower_const {
	uint64_t lo, hi;
	uint32_t ref;
	uint32_t tag; /* bytes of a lane; LOWER_CONST_SYMBOL: `hi` is a link symbol, `lo` the addend; 0: free */
};
#define LOWER_CONST_SYMBOL 0x100u
#define LOWER_CONST_GENERIC 0x200u

/* Link state of one module-scope symbol of this module (ptx_symbol.index counts them from 1). */
struct lower_binding {
	struct ptx_symbol *symbol;
	uint32_t link;	/* link symbol, LINK_NONE: internal */
	uint32_t index; /* into program functions or variables; LINK_NONE: dynamic shared memory */
	bool defines;	/* this module's definition is the one that counts */
	bool by_ref;	/* references go through the linker */
	bool dynamic_shared;
	bool address_taken; /* functions */
	uint8_t linkage;    /* enum ptx_linkage; a kernel is VISIBLE, what has no definition here EXTERN */
};

/* An instruction that becomes several: its index in the function, and the extra ones up to and with it. */
struct lower_step {
	uint32_t insn, extra;
};

/* What the first walk over a function finds (by order in the module). */
struct lower_usage {
	struct ptx_function *f;
	uint32_t function; /* program function index */
	uint32_t *calls;   /* binding numbers of the functions called */
	uint32_t n_calls;
	uint32_t *shared; /* binding numbers of the module-scope shared variables used */
	uint32_t n_shared;
	bool indirect, uses_dynamic, adapts;
	uint32_t dynamic_align;
	struct lower_step *steps; /* instructions that become several, see lower_expand.c */
	uint32_t n_steps, n_extra;
	bool falls_off; /* control may reach the closing brace: a `ret` is added */
};

struct lower_words {
	uint32_t *v;
	size_t n, cap;
};
void lower_push(struct lower_words *w, uint32_t v);

struct lower {
	struct ptx_module *m;
	struct isa_program *p;
	struct ptx_link *link;
	bool failed;
	uint32_t file;		      /* this module's isa_file */
	uint32_t lined_loc;	      /* the function's last .loc that has a line */
	uint32_t loc_base, *file_map; /* module loc i is program loc loc_base + i; module files by entry */
	struct lower_binding *bindings;
	uint32_t n_bindings;
	size_t cap_bindings;
	uint32_t *link_bindings; /* per link symbol: number of the binding that defines it here, 0: none */
	struct lower_usage *usage;
	uint32_t n_usage;
	struct ptx_symbol **
		per_function; /* registers and .local variables of the module's scope (before PTX 3.0): each function has its own */
	uint32_t n_per_function;
	struct lower_op *ops; /* open-addressing table by opcode */
	size_t n_ops, cap_ops;
	struct lower_const *consts;
	size_t n_consts, cap_consts;

	/* the function at hand */
	const struct ptx_function *f;
	const struct lower_usage *use;
	struct isa_function *out;
	uint32_t sink;	/* row for results nobody wants; 0: not yet needed */
	uint32_t temp_preds; /* LOWER_ADAPTED slots, if the function adapts operands */
	uint32_t temps; /* rows for values on the way; 0: not yet needed */

	/* the instruction at hand */
	const struct ptx_insn *in;
	struct lower_op *op;
	struct isa_insn insn;
	bool unsupported; /* it faults when reached */
	uint32_t n_extra; /* extra instructions still to come */
	struct lower_words writes, reads;
	uint32_t first_operand; /* in isa_program.operands */
	uint16_t n_operands, n_results; /* n_results: rows of the first operand, which is the result if anything is written */
};

/* ---- lower_emit.c ---- */
__attribute__((format(printf, 3, 4))) void lower_error(struct lower *l, ptx_offset at, const char *fmt, ...);
uint32_t lower_aux(struct lower *l, const uint32_t *words, uint32_t n); /* index of the first */
char *lower_name(struct lower *l, struct ptx_slice s);			/* copy in the program's pool */
const char *lower_plain_name(struct lower *l, const char *name);	/* of a variable, see isa_variable; NULL: as it is */
const char *lower_demangle(struct lower *l, const char *name);		/* NULL: not a mangled name */
/* Appends l->insn to the program, with its place and the registers it reads and writes. */
void lower_emit(struct lower *l, struct isa_where w);
/* Returns the place in the PTX and in the source of the instruction at hand, and its operands. */
struct isa_where lower_where(const struct lower *l);
/* Writes one of the extra instructions in front of the one at hand; the registers read so far are its own. */
void lower_emit_extra(struct lower *l, struct isa_insn i);
/* The instruction at hand can't be executed: it faults when reached. */
void lower_unsupported(struct lower *l);

/* ---- lower_operands.c: operands as they are written ---- */
/* Appends an instruction's operands to the program's; all of them are sources so far. */
void lower_keep_operands(struct lower *l, const struct ptx_insn *in);
/* Makes the first operand the result if the lowered instruction writes registers. */
void lower_keep_results(struct lower *l);

/* ---- lower_usage.c: the first walk, after lower_bind ---- */
void lower_collect_usage(struct lower *l);

/* ---- lower_bind.c: module-scope names ---- */
void lower_bind(struct lower *l);	    /* gives every name its binding; errors for clashes */
void lower_bind_functions(struct lower *l); /* function entries with their places in the code */
void lower_commit(struct lower *l); /* after success: rebinds, patches, marks replaced files */
struct lower_binding *lower_binding_of(const struct lower *l, const struct ptx_symbol *s);
/* The function symbol a name stands for (aliases followed). */
const struct ptx_symbol *lower_function_symbol(const struct ptx_symbol *s);

/* ---- layout.c, layout_shared.c ---- */
void lower_place_variables(struct lower *l);				  /* global and const addresses */
void lower_place_shared(struct lower *l);
void lower_place_params(struct lower *l, const struct ptx_function *f, struct isa_function *out);
void lower_place_locals(struct lower *l); /* of the function at hand */
void lower_init_images(struct lower *l);
void lower_shared_totals(struct lower *l); /* static_shared and uses_dynamic_shared of all kernels */

/* Entries that a parameter has among isa_function.params: a vector in registers has one for each element. */
static inline uint32_t lower_param_places(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYM_REG && s->vec > 1 ? s->vec : 1;
}
uint32_t lower_count_places(const struct ptx_function *f); /* of all parameters */

/* ---- lower_regs.c ---- */
/* Letters of a vector register's elements. */
extern const char lower_dims[4];
void lower_place_registers(struct lower *l); /* slots and rows of the function at hand; its isa_reg table */

/* ---- lower_const.c ---- */
uint32_t lower_const_row(struct lower *l, uint64_t lo, uint64_t hi, uint32_t bytes);
uint32_t lower_const_symbol(struct lower *l, uint32_t link_symbol, int64_t addend, bool generic, uint32_t bytes);
/* A literal as a row of `type`. */
uint32_t lower_immediate(struct lower *l, const struct ptx_operand *o, enum isa_type type);
uint64_t lower_literal_bits(const struct ptx_operand *o, enum isa_type type);

/* ---- lower_operand.c ---- */
/* Registers of an operand: the row of a register (element `dim` of a vector one) or predicate slot with NOT. */
uint32_t lower_reg_ref(const struct ptx_operand *o);
uint32_t lower_special_ref(const struct ptx_operand *o); /* ISA_REF_NONE: has no row */
uint32_t lower_reg_bytes(const struct ptx_operand *o);	 /* width of a register or special register, 0 for others */
uint32_t lower_source(struct lower *l, const struct ptx_operand *o, enum isa_type type); /* row; notes the read */
uint32_t lower_dest(struct lower *l, const struct ptx_operand *o);			 /* row; notes the write */
uint32_t lower_pred_source(struct lower *l, const struct ptx_operand *o);
uint32_t lower_pred_dest(struct lower *l, const struct ptx_operand *o);
/* Elements of a vector operand (a braced list, a vector register, or the operand itself). */
uint32_t lower_elements(const struct ptx_operand *o, struct ptx_operand *out, uint32_t max);
void lower_note_pred_read(struct lower *l, uint32_t pred);
/* Where a name is: fixed address, stack offset ... */
enum lower_place_kind { LOWER_PLACE_FIXED, LOWER_PLACE_LINK, LOWER_PLACE_LOCAL, LOWER_PLACE_DYNAMIC, LOWER_PLACE_NONE };
struct lower_place {
	enum lower_place_kind kind;
	enum isa_space space;
	uint32_t link;	  /* LINK: link symbol */
	uint64_t address; /* FIXED: in its space; LOCAL: offset in the frame; LINK, DYNAMIC: displacement */
};
struct lower_place lower_symbol_place(struct lower *l, const struct ptx_symbol *s, uint64_t displacement);

/* ---- lower_expand.c: instructions that become several ---- */
#define LOWER_TEMPS 3u
uint32_t lower_temp_row(struct lower *l, uint32_t k);
struct isa_insn lower_extra_insn(uint16_t handler, enum isa_opcode opcode, enum isa_type type, uint32_t dst);
bool lower_is_temp(const struct lower *l, uint32_t ref);
uint32_t lower_extra(const struct ptx_insn *in); /* how many more than one */
void lower_plan_extra(struct lower_usage *u, struct pool *pool);
uint32_t lower_place_of(const struct lower_usage *u, uint32_t insn); /* in the function's lowered code */
/* An element that isn't read as it is: a register of another width, `_`, a fraction's pattern. ISA_REF_NONE: it is. */
uint32_t lower_packed(struct lower *l, const struct ptx_operand *e, enum isa_type type, uint32_t k);
void lower_mov_vector(struct lower *l, const struct ptx_operand *d, const struct ptx_operand *s);
uint32_t lower_read_changing(struct lower *l, const struct ptx_operand *o); /* row with the value */
uint32_t lower_indexed_address(struct lower *l,
			       const struct ptx_operand *o); /* row with the address, displacement left out */

/* ---- lower_adapt.c: operands that are brought into shape by instructions of their own ---- */
#define LOWER_ADAPTED 5u /* operands of one instruction */
/* Returns true if a predicate slot of the function at hand is one of those for adapted operands. */
static inline bool lower_is_temp_pred(const struct lower *l, uint32_t slot)
{
	return l->use->adapts && slot >= l->temp_preds && slot < l->temp_preds + LOWER_ADAPTED;
}
uint32_t lower_adaptions(const struct ptx_insn *in); /* how many extra instructions */
/* Writes those of the sources; the instruction as it is to be lowered. */
const struct ptx_insn *lower_adapt(struct lower *l, const struct ptx_insn *in);
void lower_adapt_result(struct lower *l, const struct ptx_insn *in); /* after lowering; l->insn stores the result */

/* ---- the families: fill l->insn ---- */
uint16_t
lower_changing_handler(const char *special); /* reads a special register that changes; ISA_H_UNSUPPORTED: none does */
void lower_generic(struct lower *l);
void lower_mov(struct lower *l);     /* lower_mov.c */
void lower_take_address(struct lower *l, const struct ptx_operand *o); /* as l->insn, a mov, does */
void lower_memory(struct lower *l);  /* lower_mem.c: ld, st, atom, red, prefetch ..., cvta, isspacep */
void lower_control(struct lower *l); /* lower_control.c: bra, brx, call, ret, exit */
struct lower_op *lower_op_of(struct lower *l, const struct ptx_opcode *op); /* lower_op.c */
const struct ptx_shape *lower_shape(const struct ptx_opcode *op, uint32_t n_operands);
const struct ptx_rule *lower_rule(const struct ptx_insn *in, uint32_t k); /* operand k's; NULL: the form has none of its own */

#endif
