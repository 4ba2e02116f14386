/* Syntax tree of a module: made by the parser, read by the checks, consumed by the lowering, freed after loading.
 *
 * Everything lives in the module's pool. Names are slices of the source text. 25 MB of PTX are about a million instructions,
 * so instructions and operands are small and refer to opcodes and symbols by pointer. */
#ifndef PTX_AST_H
#define PTX_AST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/pool.h"
#include "isa/types.h"
#include "isa/insn.h"

struct ptx_slice {
	const char *s;
	uint32_t n;
};

/* Place in the source: byte offset; line and column come from ptx_position. */
typedef uint32_t ptx_offset;

enum ptx_symbol_kind {
	PTX_SYM_REG,	  /* .reg, also .reg parameters */
	PTX_SYM_VARIABLE, /* in any memory space, .param included */
	PTX_SYM_LABEL,
	PTX_SYM_FUNCTION,
	PTX_SYM_PROTOTYPE, /* .callprototype */
	PTX_SYM_TARGETS,   /* .branchtargets, .calltargets: symbols in target_symbols */
	PTX_SYM_ALIAS	   /* `function` is the aliasee's */
};

struct ptx_scope;
struct ptx_function;
struct isa_frontend;
struct isa_program;
struct ptx_dialect;

/* One declared name. `%r<100>` is one symbol (count 100, name is the prefix). */
struct ptx_symbol {
	struct ptx_slice name;
	uint8_t kind;  /* enum ptx_symbol_kind */
	uint8_t type;  /* enum isa_type: of a register or a variable's element */
	uint8_t space; /* enum isa_space; PTX_SYM_VARIABLE; .tex variables: GLOBAL with an opaque type */
	uint8_t vec;   /* 1, 2, 4 */
	uint8_t linkage;
	bool is_param, is_return, is_ptr, is_managed;
	uint8_t ptr_space; /* .ptr.global ... */
	uint32_t count;	   /* registers: N of <N>, 0 for a plain name */
	uint32_t align;	   /* given or natural */
	uint32_t n_dims;
	uint64_t *dims;	       /* 0: unsized */
	uint64_t bytes;	       /* 0: unsized */
	struct ptx_init *init; /* NULL: none */
	ptx_offset at;
	uint32_t hash;
	struct ptx_scope *scope;
	struct ptx_function *function;	    /* PTX_SYM_FUNCTION, PTX_SYM_PROTOTYPE: the signature */
	struct ptx_slice *targets;	    /* PTX_SYM_TARGETS */
	struct ptx_symbol **target_symbols; /* the same, resolved */
	uint32_t n_targets;
	uint32_t label_at; /* PTX_SYM_LABEL: index of the next instruction in the function; UINT32_MAX until defined */
	/* filled by lowering */
	uint32_t ref;	  /* registers: row ref or slot of number 0 */
	uint64_t address; /* variables: in their space */
	uint32_t index;
	struct ptx_symbol *next; /* in the scope's list, declaration order */
};

/* Initialiser: the bytes of all plain values, up to the last that is not zero (the rest of the variable is zero), and a list of the
 * addresses of symbols, relocations, in memory order. */
struct ptx_init_item {
	uint64_t offset;	   /* bytes from the variable's start */
	uint64_t bits;		   /* addend */
	struct ptx_symbol *symbol; /* never NULL; also a PTX_SYM_FUNCTION */
	ptx_offset at;
	uint8_t type;	    /* element type written there */
	bool generic;	    /* generic(symbol) */
	uint8_t mask_shift; /* 0xFF(symbol) forms: which byte of the address, 0..7; 0xff: whole address */
};
struct ptx_init {
	struct ptx_init_item *items;
	uint32_t n;
	uint64_t n_bytes; /* at most the variable's */
	uint8_t *bytes;
};
#define PTX_INIT_BYTES_MAX (UINT64_C(1) << 28) /* of a variable with initial values */

/* A nested { } scope, or a module or function. Look-ups go through ptx/scope.h. */
struct ptx_scope {
	struct ptx_scope *parent;
	struct ptx_function *function; /* NULL: module scope */
	struct ptx_symbol **slots;     /* hash table of n_slots (a power of two), NULL while there are few names */
	uint32_t n_slots;
	struct ptx_symbol **symbols; /* declaration order */
	uint32_t n_symbols, cap_symbols;
	uint32_t first_insn, end_insn; /* instructions written inside */
	uint32_t n_ranges;	       /* parameterised registers declared here: their prefixes need a second look-up */
};

enum ptx_operand_kind {
	PTX_OP_NONE,
	PTX_OP_REG,	/* symbol, number */
	PTX_OP_SPECIAL, /* special register: name; dim 0..2 for .x .y .z (3 .w), PTX_NO_DIM: whole */
	PTX_OP_INT,	/* bits; is_unsigned if it had U or is above INT64_MAX */
	PTX_OP_FLOAT,	/* bits: f64 pattern (0d, decimal), or f32 pattern when is_f32 (0f) */
	PTX_OP_SYMBOL,	/* variable, function, label, prototype, targets: symbol, plus `bits` as displacement; is_sum: one was
			 * written, if only 0 */
	PTX_OP_VECTOR,	/* { a, b, ... }: elems, n_elems */
	PTX_OP_ADDRESS, /* [base + disp]: base operand in elems[0] (REG, SYMBOL or INT), bits: displacement; name[%r + disp]
			 * has n_elems 2: elems[1] is the index register, counted in scalars of the symbol's type */
	PTX_OP_TEXADDR, /* [tex, {coords}] and other bracketed lists: elems */
	PTX_OP_PAIR,	/* p|q: elems[0], elems[1] */
	PTX_OP_SINK,	/* _ */
	PTX_OP_SUM,	/* %r + constant: elems[0] is the register, bits the constant */
	PTX_OP_LIST	/* ( a, b, ... ) of a call */
};
#define PTX_NO_DIM 0xff
#define PTX_SELECT_BYTES 7
#define PTX_SELECT_HALVES 8

enum { PTX_NOT = 1, PTX_MINUS };

struct ptx_operand {
	uint8_t kind;
	uint8_t negated; /* PTX_NOT: !p, PTX_MINUS: -%r where the ISA has it, else 0 */
	uint8_t is_f32;
	bool is_unsigned : 1, is_sum : 1;
	uint8_t dim; /* .x=0 .y=1 .z=2 .w=3 of a vector register or special register; PTX_NO_DIM */
	uint8_t select; /* video selectors: 0 none, 1..4 .b0-.b3, 5,6 .h0 .h1; PTX_SELECT_BYTES, PTX_SELECT_HALVES: several digits as in
			   * .b0123: bits holds them as written, a hex digit each (0x0123), dim their number */
	uint16_t n_elems;
	ptx_offset at;
	uint32_t number; /* register number within its declaration */
	union {
		uint64_t bits;
		struct ptx_slice *name_slice; /* unresolved name (forward label) */
	};
	union {
		struct ptx_symbol *symbol;
		struct ptx_operand *elems;
		const struct isa_special_name *special;
	};
};

/* A full opcode as written ("fma.rn.ftz.f32"), interned once per module: parsed modifiers, types, the ISA form it matches. */
struct ptx_opcode;

struct ptx_insn {
	const struct ptx_opcode *opcode;
	struct ptx_operand *operands; /* never NULL */
	ptx_offset at, end;	      /* text, guard to semicolon (end is past it) */
	uint32_t line;
	uint32_t loc;		  /* index into the module's locs, UINT32_MAX: none */
	struct ptx_symbol *guard; /* NULL: none */
	uint32_t guard_number;
	uint8_t n_operands;
	bool guard_negated : 1;
	bool no_meaning : 1; /* ptxas accepts the operands, but the ISA gives them no meaning: executing the instruction is a fault */
	uint16_t
		scope; /* nested scope's number within the function (its index in `scopes`); UINT16_MAX: that or more */
};

/* One .loc. `inlined_at` is the index of the loc it was inlined at, UINT32_MAX: none; `function` is then the inlined function's
 * name (resolved through .debug_str where that is there, else the label written), offset bytes into it already applied. */
struct ptx_loc_entry {
	uint32_t file, line, col;
	uint32_t inlined_at;
	struct ptx_slice function;
};
struct ptx_file_entry {
	uint32_t number;
	struct ptx_slice name;
};
/* A .section block, checked for its shape only; at..end is the text between its braces. */
struct ptx_section {
	struct ptx_slice name;
	ptx_offset at, end;
};

struct ptx_function {
	struct ptx_slice name;
	bool is_kernel, has_body, is_noreturn;
	uint8_t linkage;
	ptx_offset at, end;
	struct ptx_symbol **params;   /* returns first */
	uint32_t n_returns, n_params; /* n_params counts both */
	struct ptx_scope *scope;
	struct ptx_scope **scopes; /* all scopes of the body, [0] is the body itself */
	uint32_t n_scopes;
	struct ptx_insn *insns;
	uint32_t n_insns;
	struct ptx_symbol **labels;
	uint32_t n_labels;
	uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg; /* 0: not given */
	uint32_t maxnctapersm, maxclusterrank, reqnctapercluster[3], abi_preserve, abi_preserve_control;
	bool is_explicit_cluster, blocks_are_clusters;
	struct ptx_function *next;
	struct ptx_symbol *symbol;
};

/* A parsed module. */
struct ptx_module {
	const char *file;
	const char *text;
	size_t n_text;
	uint32_t into; /* index of the isa_module that the file is loaded into */
	const struct isa_frontend *frontend; /* that loads the file */
	const struct ptx_dialect *dialect; /* ptx/dialect.h; NULL: PTX */
	void *dialect_state;
	bool is_plus; /* `.version 1.4+`; of PTX: it stands beside machine code that is converted to PTXPlus */
	struct pool pool;
	unsigned version_major, version_minor;
	unsigned sm;	       /* target: 75 */
	char sm_suffix;	       /* 'a', 'f' or 0 */
	unsigned address_size; /* 32 or 64 */
	uint32_t warp_threads; /* what WARP_SZ is; 0: 32 */
	bool target_debug, target_map_f64, texmode_independent;
	struct ptx_scope *scope;
	struct ptx_function *functions; /* in file order, declarations included */
	struct ptx_loc_entry *locs;
	uint32_t n_locs;
	struct ptx_file_entry *files;
	uint32_t n_files;
	struct ptx_section *sections;
	uint32_t n_sections;
	uint32_t *line_start; /* byte offset of each line */
	uint32_t n_lines;
	struct hash_map opcodes; /* full opcode text -> index into opcode_list */
	struct ptx_opcode **opcode_list;
	uint32_t n_opcodes;
	struct diag_list *diags;
	const volatile sig_atomic_t *interrupt; /* becomes nonzero to stop loading; NULL: no such flag */
};

/* Returns whether loading has been interrupted. */
static inline bool ptx_interrupted(const struct ptx_module *m) { return m->interrupt && *m->interrupt; }

/* Stores the line and column, from 1, of a byte offset. */
void ptx_position(const struct ptx_module *m, ptx_offset at, uint32_t *line, uint32_t *col);
/* Adds a message at a byte offset to m->diags. */
__attribute__((format(printf, 4, 5))) void ptx_diag(struct ptx_module *m, enum diag_severity sev, ptx_offset at,
						    const char *fmt, ...);
/* Sorts the messages from index `first` on by place; messages of one place keep their order. */
void ptx_diag_sort(struct diag_list *l, size_t first);

/* Parses a module and resolves its names (parse.c). The caller sets file, text, n_text, diags, interrupt and zeroes the rest. After an error parsing resumes at the
 * next statement. Returns false if there were errors; the caller calls ptx_module_free in either case. */
bool ptx_parse(struct ptx_module *m);
/* Returns the threads of a warp. */
static inline uint32_t ptx_warp_threads(const struct ptx_module *m) { return m->warp_threads ? m->warp_threads : 32; }
/* Checks opcode forms, operand types and directives (check.c). Returns false if there were errors. */
bool ptx_check(struct ptx_module *m);
/* Lowers a module and appends it to the program (lower.c). Returns false and leaves the program unchanged on link errors. */
bool ptx_lower(struct ptx_module *m, struct isa_program *p);
/* Frees a module's tree. */
void ptx_module_free(struct ptx_module *m);

#endif
