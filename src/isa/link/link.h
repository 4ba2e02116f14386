/* Linking: names that several files share, and the places in code and data that hold their addresses.
 *
 * A name with external linkage is one link_symbol for its module (isa_module). References that may change when another file is loaded
 * (to .extern, .weak and .common names) are kept as link_refs and written again whenever the symbol is bound anew; references
 * to everything else are final when the code is written. Functions keep their call graph here, by program function index. */
#ifndef ISA_LINK_LINK_H
#define ISA_LINK_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "isa/program.h"

#define LINK_NONE UINT32_MAX

struct link_symbol {
	const char *name;
	uint32_t module;
	bool is_function;
	uint8_t linkage; /* enum isa_linkage of the definition; ISA_LINK_EXTERN: not defined */
	uint32_t index; /* into the program's functions or variables; a declared function has an entry without a body */
};

enum link_ref_kind {
	LINK_CALL,  /* insns[at].target = function index */
	LINK_IMM,   /* insns[at].imm = address + addend */
	LINK_CONST, /* const row at byte offset `at`, lanes of `bytes` bytes */
	LINK_INIT   /* image of variables[at], `bytes` bytes from `offset` on */
};

struct link_ref {
	uint8_t kind;
	uint8_t bytes;
	uint8_t byte_of; /* LINK_INIT: which byte of the address, 0xff: the whole */
	bool generic;	 /* generic address, else the one in its own space */
	uint32_t symbol;
	uint32_t at, offset;
	int64_t addend;
};

/* What the layout of shared memory needs to know about a function. */
struct link_function {
	uint32_t *callees; /* function indices, and link symbols with LINK_VIA_SYMBOL */
	uint32_t n_callees;
	bool indirect; /* has indirect calls */
	bool address_taken;
	bool is_external; /* code in other files may call it */
	bool uses_dynamic;
	uint32_t dynamic_align;
	uint32_t shared_end; /* end of the highest shared variable it uses itself */
};
#define LINK_VIA_SYMBOL 0x80000000u

/* Where a module-scope variable was defined (isa_variable doesn't say). */
struct link_variable {
	uint32_t file, line;
	uint8_t *image; /* its initial value, which LINK_INIT references write to; NULL: none */
};

/* Pieces of an address space, by address; none touches the next one. */
struct link_piece {
	uint64_t first, end;
};
struct link_pieces {
	struct link_piece *v;
	uint32_t n;
	size_t cap;
};
enum { LINK_GLOBAL, LINK_CONSTANT, LINK_SPACES }; /* spaces where variables have their places handed out */

/* Names that meet each other. */
struct link_module {
	struct hash_map names;		       /* -> index into symbols */
	uint32_t any_shared_end;	       /* end of all shared variables that code in other files may reach */
	uint32_t first_function;	       /* none of its functions has a lower index */
	struct link_pieces taken[LINK_SPACES]; /* by its variables */
};

struct isa_link {
	struct link_symbol *symbols;
	uint32_t n_symbols;
	size_t cap_symbols;
	struct link_ref *refs;
	uint32_t n_refs;
	size_t cap_refs;
	struct link_function *functions; /* by function index */
	uint32_t n_functions;
	size_t cap_functions;
	struct link_variable *variables; /* by variable index */
	uint32_t n_variables;
	size_t cap_variables;
	char **texts; /* source texts the program's files refer to */
	uint32_t n_texts;
	size_t cap_texts;
	struct link_module *modules; /* by module index */
	uint32_t n_modules;
	size_t cap_modules;
	struct link_pieces freed[LINK_SPACES]; /* by modules that are gone: taken again first */
};

/* Frees the names and pieces of a module. */
void isa_link_free_module(struct link_module *m);

/* Returns the program's link records, made on first use, with a record for each of its modules. */
struct isa_link *isa_link_of(struct isa_program *p);

/* Takes ownership of a text on the heap that the program's files refer to: the text is freed with the program. */
void isa_link_keep_text(struct isa_program *p, char *text);

/* Returns the index of the symbol that has a name of n bytes in a module, or LINK_NONE if there is none. */
uint32_t isa_link_find(const struct isa_link *l, uint32_t module, const char *name, size_t n);
/* Adds an undefined symbol to a module and returns its index. `name` must live as long as the program. */
uint32_t isa_link_add(struct isa_link *l, uint32_t module, const char *name, bool is_function);

/* Sizes to go back to when a module turns out not to link. */
struct link_mark {
	uint32_t n_symbols, n_refs, n_functions, n_variables;
};
/* Brings the records back to earlier sizes, after a module that doesn't link. */
void isa_link_truncate(struct isa_link *l, const struct link_mark *to);

/* ---- pieces.c ---- */

#define LINK_NO_ROOM UINT64_MAX
/* Takes the lowest room for `bytes` at an alignment out of the pieces and returns its address, or LINK_NO_ROOM. Stores in *taken what left the
 * pieces, with the bytes skipped for the alignment. */
uint64_t link_pieces_take(struct link_pieces *p, uint64_t bytes, uint64_t align, struct link_piece *taken);
/* Adds a piece, which must overlap no other, and joins it with pieces that it touches. */
void link_pieces_add(struct link_pieces *p, struct link_piece piece);
/* Frees the pieces. */
void link_pieces_free(struct link_pieces *p);

/* Returns the generic address of a function's code, 0 if the function has no body. */
uint64_t isa_function_address(const struct isa_function *f);
/* Returns the generic address where a space begins, 0 for global, generic and code. */
uint64_t isa_space_window(enum isa_space space);

/* Adds a reference, which isa_link_apply writes. */
void isa_link_ref(struct isa_link *l, struct link_ref r);
/* Writes all references as their symbols are bound now. */
void isa_link_apply(struct isa_program *p);
/* Fills the 32 lanes of a row with a value; `bytes` is the size of a lane, at most 8. */
void isa_write_lanes(char *row, uint64_t value, uint32_t bytes);

/* Returns true for library functions that need no definition: vprintf, malloc ... */
bool isa_is_builtin(const char *name);

/* Returns the handler of a direct call of a function: call, or call_builtin if it has no body. */
uint16_t isa_call_handler(const struct isa_function *f);

#endif
