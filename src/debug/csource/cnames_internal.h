/* Storage of the names in a file's debug information; shared by the files that read it and that look names up. */
#ifndef DEBUG_CNAMES_INTERNAL_H
#define DEBUG_CNAMES_INTERNAL_H

#include "debug/csource/cnames.h"
#include "debug/csource/die.h"

/* The names of one file, in the order in which they were read; of equal names the first counts. */
struct cnames_file {
	bool read, present;
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
	struct pool pool;	/* everything the names point to */
	struct ctype *chars[3]; /* char, signed char, unsigned char; made on first use */
	struct ctype *ptx[ISA_TYPE_COUNT]; /* types of PTX; made on first use */
	const struct ctype **declared; /* by the user (layout.c); of equal names the last counts */
	size_t n_declared, cap_declared;
	struct cnames_file *files;
	uint32_t n_files;
};

/* An entry of .debug_info. Offsets are those of the section; 0: not said. */
struct centry {
	uint64_t offset, type, origin;
	uint64_t bytes, count, low, high, ranges, location_list, member_at, value, bit_offset;
	const unsigned char *location; /* NULL: a list, or none */
	uint32_t n_location;
	uint32_t parent, end; /* indices: of its parent, and after the last entry in it */
	uint32_t line, call_file, call_line;
	const char *name, *linkage; /* linkage: the mangled one */
	uint16_t tag;
	uint8_t encoding, bit_size, storage_bytes;
	bool has_list, has_ranges, has_low, has_high, high_is_length, has_count, has_value, has_bits, has_data_bit;
	bool is_declaration, is_enum_class;
	bool is_external;   /* of a member: it is static */
	struct ctype *made; /* the type it is */
};

/* The state of reading one file. */
struct cread {
	struct debug *d;
	struct pool *pool;
	struct cnames_file *out;
	uint32_t file;
	struct text bytes[DIE_SECTIONS];
	struct die_symbols symbols;
	const struct isa_program *program;
	struct centry *entries;
	size_t n_entries, cap_entries;
	struct die_abbrevs abbrevs;
	const char *strings; /* the bytes of .debug_str */
	uint64_t left;	     /* budget of bytes of lists: malformed entries may all share a long list */
	uint64_t names_left; /* budget of bytes of demangled names, likewise */
	struct hash_map plain_index; /* mangled name -> index into plain_names */
	const char **plain_names;
	size_t n_plain, cap_plain;
};
/* The budget of demangled names, in multiples of the bytes of entries and names: a demangled name is rarely longer than the mangled one. */
#define CREAD_NAME_TIMES 16u
#define CREAD_NAMES_LEAST (1u << 20)
/* The budget of bytes of lists, in multiples of all bytes of lists. */
#define CREAD_TIMES 8u
/* Takes bytes from a budget. Returns false if they exceed it. */
static inline bool cread_spend(uint64_t *left, uint64_t bytes)
{
	bool enough = bytes <= *left;
	*left = enough ? *left - bytes : 0;
	return enough;
}

/* Reads all entries of .debug_info in order (centry.c). Returns false if they are malformed. */
bool centry_read_all(struct cread *r);
/* Returns the entry at an offset of .debug_info, or NULL if there is none. */
struct centry *centry_at(const struct cread *r, uint64_t offset);
/* Stores the instruction index of a code address in the data. Returns false if it is no address of the program's code. */
bool centry_code(const struct cread *r, uint64_t address, uint32_t *index);

/* Makes the types of all entries that are types (ctype_read.c). */
void ctype_read_all(struct cread *r);
/* Returns the type of the entry at an offset, or NULL if that is no type. */
const struct ctype *ctype_of_entry(const struct cread *r, uint64_t offset);

/* Reads the locations of a variable's entry into v->places (cplace.c). */
void cplace_read(struct cread *r, const struct centry *e, const struct isa_function *f, struct cvar *v);

/* Addresses of code in the data are its index times 8 and this, so that none is 0. */
#define CREAD_CODE UINT64_C(0x10000000)
/* The operand of DW_OP_addr is this and the number of a symbol. */
#define CREAD_SYMBOL UINT64_C(0xc0de000000000000)

#endif
