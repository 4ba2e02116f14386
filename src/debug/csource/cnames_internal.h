/* Storage of the names in a file's debug information; shared by the files that read it and that look names up. */
#ifndef DEBUG_CNAMES_INTERNAL_H
#define DEBUG_CNAMES_INTERNAL_H

#include "debug/csource/cnames.h"
#include "debug/csource/die.h"

/* The names of one file, in the order in which they were read; of equal names the first counts. */
struct cnames_file {
	bool read, present;
	struct die_file die;		 /* entries are freed once they have been read; names point into the bytes */
	const struct cscope **functions; /* by their first instruction, ascending */
	size_t n_functions, cap_functions;
	struct cvar *globals;
	size_t n_globals, cap_globals;
	struct hash_map global_index;
	struct hash_map name_index; /* globals with mangled names, by their names in the source; UINT32_MAX: several */
	const struct ctype **types; /* types that have a name */
	size_t n_types, cap_types;
	const struct ctype_member **constants;
	size_t n_constants, cap_constants;
	struct hash_map constant_index;
};

struct cnames {
	struct pool pool;		   /* everything the names point to */
	struct ctype *chars[7];		   /* char, signed char, unsigned char, bool, wchar_t, char16_t, char32_t; made on first use */
	struct ctype *ptx[ISA_TYPE_COUNT]; /* types of PTX; made on first use */
	const struct ctype **declared;	   /* by the user (layout.c); of equal names the last counts */
	size_t n_declared, cap_declared;
	struct cnames_file *files;
	uint32_t n_files;
};

/* Returns the names of a session, made on first use. */
struct cnames *cnames_of(struct debug *d);
/* Returns the names in a file's debug information, which is read on first use. Returns NULL if the file has no debug information, or malformed one. */
struct cnames_file *cnames_file_of(struct debug *d, uint32_t file);
/* Returns whether a file is PTX of a module that is loaded. */
bool cnames_is_loaded(const struct isa_program *p, uint32_t file);

/* The state of reading one file. */
struct cread {
	struct debug *d;
	struct pool *pool;
	struct cnames_file *out;
	uint32_t file;
	struct die_file *die;
	struct die_symbols symbols;
	const struct isa_program *program;
	struct ctype **made; /* by entry: the type that it is, or NULL */
	uint64_t names_left; /* budget of bytes of demangled names: malformed entries may all share a long one */
	struct hash_map plain_index; /* mangled name -> index into plain_names */
	const char **plain_names;
	size_t n_plain, cap_plain;
};
/* The budget of demangled names, in multiples of the bytes of entries and names: a demangled name is rarely longer than the mangled one. */
#define CREAD_NAME_TIMES 16u
#define CREAD_NAMES_LEAST (1u << 20)
/* Takes `bytes` from the budget *left. Returns false, with the budget used up, if it was smaller. */
static inline bool cread_spend(uint64_t *left, uint64_t bytes)
{
	bool enough = bytes <= *left;
	*left = enough ? *left - bytes : 0;
	return enough;
}

/* Stores the instruction index for a code address of the debug information; the end of the program's code counts. Returns false, with *index of no
 * use, if the address is outside the code. */
bool cread_code(const struct cread *r, uint64_t address, uint32_t *index);
/* Returns the index of the first entry in e, or e->end if there is none. The next one of the same parent is at that entry's `end`. */
static inline uint32_t cread_first_child(const struct cread *r, const struct die_entry *e)
{
	return (uint32_t)(e - r->die->entries) + 1;
}

/* Makes the types of all entries that are types, and notes the names of types and constants in r->out. A type that contains itself becomes a
 * malformed one. Frees the table of demangled names. */
void ctype_read_all(struct cread *r);
/* Returns the type of the entry at an offset; NULL if there is no entry, or it is no type or void. */
const struct ctype *ctype_of_entry(const struct cread *r, uint64_t offset);

/* Reads the locations of a variable's entry into v->places, valid in function f or, if NULL, everywhere. Leaves out locations that aren't understood;
 * there may be none. */
void cplace_read(struct cread *r, const struct die_entry *e, const struct isa_function *f, struct cvar *v);

/* Addresses of code in the data are its index times 8 and this, so that none is 0. */
#define CREAD_CODE UINT64_C(0x10000000)
/* The operand of DW_OP_addr is this and the number of a symbol. */
#define CREAD_SYMBOL UINT64_C(0xc0de000000000000)

#endif
