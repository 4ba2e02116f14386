/* Machine code of sm_10 to sm_13 as cuobjdump lists it (SASS), and its conversion to PTXPlus. */
#ifndef PTXPLUS_SASS_H
#define PTXPLUS_SASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/pool.h"
#include "base/text.h"
#include "isa/types.h"
#include "ptx/ast.h"

/* The listing and its companions. Each text ends with a 0 that its length doesn't count. */
struct sass_source {
	const char *name, *text; /* FILE.sass */
	size_t n;
	const char *elf_name, *elf;
	size_t n_elf;
	const char *ptx_name, *ptx;
	size_t n_ptx;
	bool with_lines; /* the text also says which line of the listing an instruction comes from (.loc) */
	bool exact; /* the text that GPGPU-Sim 3.2.2's converter writes, also where that is wrong */
};

/* Converts a listing, and appends the text to *out. Adds errors, and notes about what 3.2.2 would write otherwise, to `diags`. Returns false, with *out as it
 * was, on errors. */
bool sass_convert(const struct sass_source *s, struct text *out, struct diag_list *diags);

/* ---- the listing, as sass_read.c reads it ---- */

enum sass_kind { SASS_REGISTER, SASS_PREDICATE, SASS_ADDRESS, SASS_NUMBER, SASS_MEMORY, SASS_SPECIAL, SASS_SINK, SASS_BARRIER, SASS_WORD };
enum sass_space { SASS_SHARED, SASS_CONSTANT, SASS_GLOBAL, SASS_LOCAL };

struct sass_operand {
	uint8_t kind, half; /* half: 'L', 'H' or 0 */
	uint8_t space;
	bool is_negated, is_inverted, is_magnitude, is_post, has_register, is_address_register, is_tight;
	enum isa_type type; /* written behind memory, ISA_NOTYPE: none */
	uint32_t number;    /* of the register; of memory: of the register inside */
	uint32_t bank;
	uint32_t value; /* number, or offset */
	const char *s;	/* its text */
	uint32_t n;
};

#define SASS_OPERANDS 8u
#define SASS_MODIFIERS 12u

struct sass_insn {
	const char *at; /* its place in the listing */
	uint32_t line, address;
	struct ptx_slice op, modifiers[SASS_MODIFIERS];
	uint32_t n_modifiers, n;
	struct sass_operand operands[SASS_OPERANDS];
	int guard;	       /* number of the predicate, -1: none */
	struct ptx_slice condition; /* n 0: none is written */
	int flags;	       /* predicate of a double destination, -1: none */
	bool is_blank;	       /* an address alone */
};

struct sass_function {
	struct ptx_slice name;
	uint32_t line, first, end; /* instructions [first, end) */
};

struct sass_listing {
	struct sass_insn *insns;
	size_t n_insns, cap_insns;
	struct sass_function *functions;
	size_t n_functions, cap_functions;
};

/* Reads a listing. Returns false, with errors in `diags`, if it is none. The caller frees both arrays in either case. */
bool sass_read(const struct sass_source *s, struct sass_listing *out, struct diag_list *diags);
/* A place in the listing and the number of its line. */
struct sass_place {
	const char *at;
	uint32_t line;
};
/* Adds a message about a place in the listing to `diags`. */
__attribute__((format(printf, 5, 6))) void sass_say(const struct sass_source *s, struct sass_place place, enum diag_severity severity, struct diag_list *diags,
						    const char *fmt, ...);

/* ---- the companions, as sass_elf.c and sass_companion.c read them ---- */

struct sass_constant {
	const char *kernel; /* of constant bank 1; NULL: bank 0 */
	uint32_t *words;
	size_t n, cap;
};
struct sass_symbol {
	const char *name;
	uint32_t value, size, info, section;
};
struct sass_relocation {
	uint32_t offset, order; /* order: as they are written */
	const char *symbol;
};
struct sass_elf {
	struct pool pool;
	struct sass_constant *constants;
	size_t n_constants, cap_constants;
	struct sass_symbol *symbols;
	size_t n_symbols, cap_symbols;
	struct sass_relocation *relocations; /* by offset, then by order */
	size_t n_relocations, cap_relocations;
	uint32_t n_locals;
	uint32_t global_section; /* of .nv.global, UINT32_MAX: none */
};
/* Reads the text that cuobjdump -elf prints. Returns false, with errors in `diags`, if that fails. The caller calls sass_elf_free in either case. */
bool sass_elf_read(const struct sass_source *s, struct sass_elf *out, struct diag_list *diags);
/* Releases what sass_elf_read has read. */
void sass_elf_free(struct sass_elf *e);
/* Returns the symbol of the first relocation at an offset, or NULL if there is none. */
const char *sass_elf_symbol(const struct sass_elf *e, uint32_t offset);

/* ---- sass_names.c ---- */
/* Returns the type of a modifier without its dot ("U16"), ISA_NOTYPE if it is none; *is_24 for U24 and S24, which are U32 and S32 here. */
enum isa_type sass_type(struct ptx_slice s, bool *is_24);
/* Returns the PTXPlus name of a comparison ("lt" for "LT"), or NULL. */
const char *sass_comparison(struct ptx_slice s);
/* Returns the PTXPlus name of a guard's condition, or NULL if the word is no condition. */
const char *sass_condition(struct ptx_slice s);

#endif
