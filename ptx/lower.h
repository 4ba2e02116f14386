/* Lowering: from the checked syntax tree to an isa_program. The state that the lower_*.c files share. */
#ifndef PTX_LOWER_H
#define PTX_LOWER_H

#include "isa/address_map.h"
#include "isa/opcodes.h"
#include "isa/program.h"
#include "ptx/ast.h"
#include "ptx/forms.h"
#include "isa/link/link.h"
#include "ptx/opcode.h"

/* An opcode as all its instructions share it. */
struct lower_op {
	const struct ptx_opcode *op;
	struct isa_insn base;	  /* every field that doesn't depend on operands */
	uint16_t handler_general; /* the mnemonic's handler for registers of any width and any space */
	uint16_t handler_local;	  /* of .param accesses that really go to local memory */
	uint8_t pred_field;	  /* where a source predicate goes: enum lower_field */
	uint8_t mask_rule;	  /* rule whose operand is a member mask and goes to field d, 0xff: none */
	bool warned;		  /* a warning about operands that can't be executed was given */
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
	uint8_t linkage;    /* enum isa_linkage; a kernel is VISIBLE, what has no definition here EXTERN */
};

/* An instruction that becomes several: its index in the function, and the extra ones up to and with it. */
struct lower_step {
	uint32_t insn, extra;
};

/* The uses that the first walk over a function finds (lower_collect_usage). */
struct lower_usage {
	struct ptx_function *f;
	uint32_t function; /* program function index */
	uint32_t *calls;   /* binding numbers of the functions called */
	uint32_t n_calls;
	uint32_t *shared; /* binding numbers of the module-scope shared variables used */
	uint32_t n_shared;
	bool indirect;	   /* it has indirect calls */
	bool uses_dynamic; /* it uses dynamic shared memory */
	bool adapts;	   /* operands of it are adapted (lower_adapt.c) */
	uint32_t dynamic_align;
	struct lower_step *steps; /* instructions that become several, see lower_expand.c */
	uint32_t n_steps, n_extra;
	bool falls_off; /* control may reach the closing brace: a `ret` is added */
};

struct lower_words {
	uint32_t *v;
	size_t n, cap;
};
/* Appends a word to a list. */
void lower_push(struct lower_words *w, uint32_t v);

struct lower {
	struct ptx_module *m;
	struct isa_program *p;
	struct isa_link *link;
	bool failed;
	const struct ptx_dialect *dialect;
	uint32_t first_slot; /* of the predicate slots that the dialect has asked for */
	uint32_t file;		      /* this module's isa_file */
	uint32_t lined_loc;	      /* the function's last .loc that has a line */
	uint32_t loc_base, *file_map; /* module loc i is program loc loc_base + i; module files by entry */
	struct lower_binding *bindings;
	uint32_t n_bindings;
	size_t cap_bindings;
	uint32_t *link_bindings; /* per link symbol: number of the binding that defines it here, 0: none */
	struct lower_usage *usage;
	uint32_t n_usage;
	/* registers and .local variables of the module's scope (before PTX 3.0), of which each function has its own */
	struct ptx_symbol **per_function;
	uint32_t n_per_function;
	struct lower_op *ops; /* open-addressing table by opcode */
	size_t n_ops, cap_ops;
	struct lower_const *consts;
	size_t n_consts, cap_consts;

	/* the function at hand */
	const struct ptx_function *f;
	const struct lower_usage *use;
	struct isa_function *out;
	uint32_t sink;	/* row for results that are dropped; 0: not yet needed */
	uint32_t temp_preds; /* LOWER_ADAPTED slots, if the function adapts operands */
	uint32_t temps; /* rows for values on the way; 0: not yet needed */

	/* the instruction at hand */
	const struct ptx_insn *in;
	struct lower_op *op;
	struct isa_insn insn;
	bool unsupported; /* the instruction can't be executed: it faults when it is reached */
	uint32_t n_extra; /* extra instructions still to come */
	struct lower_words writes, reads;
	uint32_t first_operand; /* in isa_program.operands */
	uint16_t n_operands, n_results; /* n_results: rows of the first operand, which is the result if anything is written */
};

/* ---- lower_emit.c ---- */
/* Reports an error at `at`; the module will not be linked. */
__attribute__((format(printf, 3, 4))) void lower_error(struct lower *l, ptx_offset at, const char *fmt, ...);
/* Appends n words to the program's aux table and returns the index of the first. */
uint32_t lower_aux(struct lower *l, const uint32_t *words, uint32_t n);
/* Returns a copy of a name in the program's pool. */
char *lower_name(struct lower *l, struct ptx_slice s);
/* Returns a variable's name as the source has it (isa_variable), or NULL if `name` is that already or has no such name. */
const char *lower_plain_name(struct lower *l, const char *name);
/* Returns the demangled form of a name in the program's pool, or NULL if the name isn't mangled. */
const char *lower_demangle(struct lower *l, const char *name);
/* Appends l->insn to the program, with its place in the source and the registers that it reads and writes. */
void lower_emit(struct lower *l, struct isa_where w);
/* Returns the place of the instruction at hand in the PTX and in the source, and its operands. */
struct isa_where lower_where(const struct lower *l);
/* Appends an extra instruction in front of the one at hand, with its guard. The registers noted as read so far become those of the extra
 * instruction. */
void lower_emit_extra(struct lower *l, struct isa_insn i);
/* Notes that the instruction at hand can't be executed: it faults when it is reached. */
void lower_unsupported(struct lower *l);

/* ---- lower_operands.c: operands as they are written ---- */
/* Appends an instruction's operands to the program's; all of them are sources so far. */
void lower_keep_operands(struct lower *l, const struct ptx_insn *in);
/* Marks the rows of the lowered instruction's first operand (l->n_results of them) as results. Does nothing if the instruction writes no register, or
 * is a store or reduction. */
void lower_keep_results(struct lower *l);

/* ---- lower_usage.c: the first walk, after lower_bind ---- */
/* Fills l->usage with what each function of the module uses. Call it after lower_bind. */
void lower_collect_usage(struct lower *l);

/* ---- lower_bind.c: module-scope names ---- */
/* Gives every module-scope name its binding, and reports clashes. */
void lower_bind(struct lower *l);
/* Adds the module's functions to the program, with their places in the code. */
void lower_bind_functions(struct lower *l);
/* Makes the module's definitions count after it was lowered: rebinds names, marks replaced files as unloaded, and writes all references. */
void lower_commit(struct lower *l);
/* Returns the binding of a module-scope name (for an alias, of its function), or NULL. */
struct lower_binding *lower_binding_of(const struct lower *l, const struct ptx_symbol *s);
/* Returns the function that an alias stands for, or the symbol itself. */
const struct ptx_symbol *lower_function_symbol(const struct ptx_symbol *s);

/* ---- layout.c, layout_shared.c ---- */
/* Places the module's global and constant variables. */
void lower_place_variables(struct lower *l);
/* Places the module's shared variables. */
void lower_place_shared(struct lower *l);
/* Places a function's parameters and fills isa_function.params. */
void lower_place_params(struct lower *l, const struct ptx_function *f, struct isa_function *out);
/* Places the local variables of the function at hand. */
void lower_place_locals(struct lower *l);
/* Writes the initial values of the module's variables. */
void lower_init_images(struct lower *l);
/* Sets static_shared and uses_dynamic_shared of all kernels of the program. */
void lower_shared_totals(struct lower *l);

/* Returns the number of entries that a parameter has in isa_function.params: one, or for a vector in registers one for each element. */
static inline uint32_t lower_param_places(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYM_REG && s->vec > 1 ? s->vec : 1;
}
/* Returns the number of entries that all parameters of a function have in isa_function.params. */
uint32_t lower_count_places(const struct ptx_function *f);

/* ---- lower_regs.c ---- */
/* Letters of a vector register's elements. */
extern const char lower_dims[4];
/* Gives the registers of the function at hand their predicate slots and rows, and fills its isa_reg table. */
void lower_place_registers(struct lower *l);

/* ---- lower_const.c ---- */
/* Returns the row of the const pool with a value of `bytes` bytes in each lane; lo has its low 8 bytes, hi the next 8. */
uint32_t lower_const_row(struct lower *l, uint64_t lo, uint64_t hi, uint32_t bytes);
/* Returns the row of the const pool that holds a link symbol's address plus an addend, in `bytes` bytes; the linker fills it. */
uint32_t lower_const_symbol(struct lower *l, uint32_t link_symbol, int64_t addend, bool generic, uint32_t bytes);
/* Returns the untyped type of a size: B64, B32 or B16 for 8, 4 and 2 bytes, B8 for others. */
static inline enum isa_type lower_untyped(unsigned bytes)
{
	switch (bytes) {
	case 8: return ISA_B64;
	case 4: return ISA_B32;
	case 2: return ISA_B16;
	default: return ISA_B8;
	}
}
/* Returns the row of a literal as a value of a type. */
uint32_t lower_immediate(struct lower *l, const struct ptx_operand *o, enum isa_type type);
/* Returns the bits of a literal as a value of a type. */
uint64_t lower_literal_bits(const struct ptx_operand *o, enum isa_type type);

/* ---- lower_operand.c ---- */
/* Returns the row or predicate slot of a register operand; for a vector register that of element `dim`. */
uint32_t lower_reg_ref(const struct ptx_operand *o);
/* Returns the row of a special register, or ISA_REF_NONE if it has none because it changes. */
uint32_t lower_special_ref(const struct ptx_operand *o);
/* Returns the bytes of a register or special register, 0 for other operands. */
uint32_t lower_reg_bytes(const struct ptx_operand *o);
/* Returns the row of a source of a type, and notes the read. For a predicate type it returns a slot. Operands that can't be executed make the
 * instruction unsupported. */
uint32_t lower_source(struct lower *l, const struct ptx_operand *o, enum isa_type type);
/* Returns the row or predicate slot of a destination, and notes the write. */
uint32_t lower_dest(struct lower *l, const struct ptx_operand *o);
/* Returns the predicate slot of a source, with ISA_PRED_NOT if it is negated, and notes the read. */
uint32_t lower_pred_source(struct lower *l, const struct ptx_operand *o);
/* Returns the predicate slot of a destination, and notes the write; ISA_PRED_SINK for `_`. */
uint32_t lower_pred_dest(struct lower *l, const struct ptx_operand *o);
/* Stores the elements of a vector operand in out, at most `max`, and returns their number. An operand that is no vector is its own element. */
uint32_t lower_elements(const struct ptx_operand *o, struct ptx_operand *out, uint32_t max);
/* Notes that the instruction at hand reads a predicate. */
void lower_note_pred_read(struct lower *l, uint32_t pred);
/* The place of a name: a fixed address, a stack offset ... */
enum lower_place_kind { LOWER_PLACE_FIXED, LOWER_PLACE_LINK, LOWER_PLACE_LOCAL, LOWER_PLACE_DYNAMIC, LOWER_PLACE_NONE };
struct lower_place {
	enum lower_place_kind kind;
	enum isa_space space;
	uint32_t link;	  /* LINK: link symbol */
	uint64_t address; /* FIXED: in its space; LOCAL: offset in the frame; LINK, DYNAMIC: displacement */
};
/* Returns where a name is, `displacement` bytes behind its beginning. */
struct lower_place lower_symbol_place(struct lower *l, const struct ptx_symbol *s, uint64_t displacement);

/* ---- lower_expand.c: instructions that become several ---- */
#define LOWER_TEMPS 3u
/* Returns row number k for values on the way, as wide as the widest register. */
uint32_t lower_temp_row(struct lower *l, uint32_t k);
/* Returns an instruction without operands and guard for lower_emit_extra; `dst` is its result row. */
struct isa_insn lower_extra_insn(uint16_t handler, enum isa_opcode opcode, enum isa_type type, uint32_t dst);
/* Returns true if a row is one of those for values on the way. */
bool lower_is_temp(const struct lower *l, uint32_t ref);
/* Returns how many extra instructions an instruction needs. */
uint32_t lower_extra(const struct ptx_insn *in);
/* Stores in *u which instructions of the function become several, in memory of `pool`. */
void lower_plan_extra(struct lower_usage *u, struct pool *pool);
/* Returns the place in the function's lowered code of an instruction or label; `insn` is its index in the PTX function. */
uint32_t lower_place_of(const struct lower_usage *u, uint32_t insn);
/* Returns the row of a vector element that needs another form: a register of another width, `_`, or a float constant. Returns ISA_REF_NONE if the
 * element is read as it is. k numbers the temporary rows. */
uint32_t lower_packed(struct lower *l, const struct ptx_operand *e, enum isa_type type, uint32_t k);
/* Lowers a vector mov to a pack and an unpack, or to a mov for each element of a special register. */
void lower_mov_vector(struct lower *l, const struct ptx_operand *d, const struct ptx_operand *s);
/* Emits a read of a special register that changes, and returns the row with the value. */
uint32_t lower_read_changing(struct lower *l, const struct ptx_operand *o);
/* Emits the computation of name[%r] without the displacement, and returns the row with the address. */
uint32_t lower_indexed_address(struct lower *l, const struct ptx_operand *o);

/* ---- lower_adapt.c: operands that are brought into shape by instructions of their own ---- */
#define LOWER_ADAPTED 5u /* operands of one instruction */
/* Returns true if a predicate slot of the function at hand is one of those for adapted operands. */
static inline bool lower_is_temp_pred(const struct lower *l, uint32_t slot)
{
	return l->use->adapts && slot >= l->temp_preds && slot < l->temp_preds + LOWER_ADAPTED;
}
/* Returns how many extra instructions the adapted operands of an instruction need. */
uint32_t lower_adaptions(const struct ptx_insn *in);
/* Emits the extra instructions of adapted sources, and returns the instruction with plain operands in their places. */
const struct ptx_insn *lower_adapt(struct lower *l, const struct ptx_insn *in);
/* Emits the instruction at hand and makes l->insn store its adapted result. Does nothing if the result isn't adapted. Call it after lowering. */
void lower_adapt_result(struct lower *l, const struct ptx_insn *in);

/* ---- the families: fill l->insn ---- */
/* Returns the handler that reads a special register that changes, or ISA_H_UNSUPPORTED if the register is none of these. */
uint16_t lower_changing_handler(const char *special);
/* Lowers an instruction whose operands follow its form: fills l->insn. */
void lower_generic(struct lower *l);
/* Lowers mov: fills l->insn. */
void lower_mov(struct lower *l);
/* Fills l->insn, a mov, with the address of a name. */
void lower_take_address(struct lower *l, const struct ptx_operand *o);
/* Lowers ld, st, atom, red, prefetch ..., cvta and isspacep: fills l->insn. */
void lower_memory(struct lower *l);
/* Lowers texture and surface instructions (isa/texture.h): fills l->insn. */
void lower_texture(struct lower *l);
/* Lowers tensor instructions (isa/tensor.h): fills l->insn. */
void lower_tensor(struct lower *l);
/* Fills the fields of l->insn that say where an address operand points: a, a_bytes, imm, space, flags. */
void lower_address(struct lower *l, const struct ptx_operand *o);
/* Lowers bra, brx, call, ret and exit: fills l->insn. */
void lower_control(struct lower *l);
/* Returns what all instructions of an opcode share, made on first use. */
struct lower_op *lower_op_of(struct lower *l, const struct ptx_opcode *op);
/* Returns the form of an opcode that takes so many operands, or NULL. */
const struct ptx_shape *lower_shape(const struct ptx_opcode *op, uint32_t n_operands);
/* Returns the rule of operand k of an instruction, or NULL if the form has none. */
const struct ptx_rule *lower_rule(const struct ptx_insn *in, uint32_t k);

#endif
