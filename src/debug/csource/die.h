/* The debug information that compilers leave in PTX (-G, -g): .section blocks of text that hold DWARF ("DWARF Debugging Information Format", versions 2 to 4). From
 * text to bytes, and the entries of .debug_info. C variables (cnames.h) and the stub's image for gdb use it. */
#ifndef DEBUG_DIE_H
#define DEBUG_DIE_H

#include "base/cursor.h"
#include "base/hash.h"
#include "base/text.h"
#include "isa/program.h"

enum die_section { DIE_INFO, DIE_ABBREV, DIE_LOC, DIE_STR, DIE_RANGES, DIE_SECTIONS };
/* Returns the enum die_section of a section's name, or -1 for any other section. */
int die_section_of(const char *name, size_t n);

/* The value of a name in the data: a number, an instruction index, or a variable with its function (NULL: of module scope). */
struct die_symbol {
	enum { DIE_NUMBER, DIE_CODE, DIE_VARIABLE } kind;
	uint64_t value;
	const struct isa_variable *variable;
	const struct isa_function *function;
	uint32_t number; /* in the table it was found in */
};

/* The names that a file's data can use: its functions, their labels, parameters and variables, module variables. */
struct die_symbols {
	struct hash_map index;
	struct die_symbol *symbols;
	size_t n_symbols, cap_symbols;
};
/* Fills *t with the names that a file's data can use: its functions with labels, parameters and variables, and its module's variables, the file's own
 * first. */
void die_symbols_make(struct die_symbols *t, const struct isa_program *p, uint32_t file);
/* Frees what a table of names holds. */
void die_symbols_free(struct die_symbols *t);
/* Stores the value of the symbol with a name of n bytes. Returns false if the table has no such symbol. */
bool die_symbols_find(const struct die_symbols *t, const char *s, size_t n, struct die_symbol *out);

/* How names in the text become bytes: `find` stores the value of a name (false: the text is malformed); `place` appends the nine bytes that replace
 * `DW_OP_addr VARIABLE`. */
struct die_names {
	void *self;
	bool (*find)(void *self, const char *s, size_t n, struct die_symbol *out);
	void (*place)(void *self, const struct die_symbol *s, struct text *nine);
};

/* Returns whether a PTX file's text has a section .debug_info. */
bool die_present(const struct isa_file *f);
/* Appends the bytes of a file's debug sections to `bytes`, which the caller frees in any case. Returns false if the text is malformed, or .debug_info
 * or .debug_abbrev is empty. */
bool die_read_sections(const struct isa_file *f, const struct die_names *names, struct text bytes[DIE_SECTIONS]);

/* ---- entries (die_entries.c) ---- */

/* A unit of .debug_info: [begin, end) of the section. */
struct die_unit {
	uint64_t begin, end;
	uint64_t table; /* offset of its abbreviations in .debug_abbrev */
	unsigned version, address_size;
};

/* An entry of .debug_info, with the values of its attributes. Offsets are those in `bytes`; 0: not said. Strings are in `bytes`. */
struct die_entry {
	uint64_t offset, type, origin;
	uint64_t bytes, count, low, high, ranges, location_list, member_at, value, bit_offset;
	unsigned char *location;    /* NULL: a list, or none */
	const char *name, *linkage; /* linkage: the mangled one */
	uint32_t n_location;
	uint32_t unit, parent,
		end; /* indices: of its unit, of its parent (UINT32_MAX: none), and after the last entry in it */
	uint32_t attributes, values; /* offsets: of its attributes in .debug_abbrev, of their values in .debug_info */
	uint32_t line, call_file, call_line;
	uint16_t tag;
	uint8_t encoding, bit_size, storage_bytes;
	bool has_list, has_ranges, has_low, has_high, high_is_length, has_count, has_value, has_bits, has_data_bit;
	bool is_declaration, is_enum_class;
	bool is_external; /* of a member: it is static */
};

/* The debug information of one file. */
struct die_file {
	struct text bytes[DIE_SECTIONS];
	uint64_t base[DIE_SECTIONS]; /* where `bytes` begin in the sections that offsets in the data refer to */
	struct die_unit *units;
	size_t n_units, cap_units;
	struct die_entry *entries; /* in the order of the section */
	size_t n_entries, cap_entries;
	uint64_t
		list_bytes_left; /* budget of bytes of lists that are read: malformed entries may all share a long list */
};
/* Reads all units and entries of f->bytes[DIE_INFO] into f, which has none yet, and sets the budget of lists. Returns false if they are malformed;
 * entries before the malformed one stay. */
bool die_entries_read(struct die_file *f);
/* Frees the units and entries of a file, and the bytes of its lists and abbreviations. The strings in `bytes` stay. */
void die_file_free_entries(struct die_file *f);
/* Frees what a file holds: units, entries and the bytes of all sections, strings too. */
void die_file_free(struct die_file *f);
/* Returns the entry at an offset of .debug_info, or NULL if there is none; none is at 0. */
const struct die_entry *die_entry_at(const struct die_file *f, uint64_t offset);
/* Returns the place in f->bytes[DIE_INFO] of an attribute's value. Returns NULL if the entry has no such attribute, or its value is of another form.
 * The entry's bytes must be unchanged, and its abbreviation still there. */
unsigned char *die_value_at(const struct die_file *f, const struct die_entry *e, unsigned attribute, unsigned form);
/* Returns a cursor from an offset of .debug_loc or .debug_ranges to the end of the section. Its `ok` is false if the offset is beyond the end. */
struct cursor die_list(const struct die_file *f, enum die_section section, uint64_t offset);
/* Reads the next two addresses of a list, and takes their bytes from the budget. Returns false at the list's end, if the data end before that, and if
 * the budget is spent. */
bool die_list_next(struct die_file *f, struct cursor *c, uint64_t *begin, uint64_t *end);
/* Reads the expression of a location list that follows two addresses, n bytes at *expression, and takes them from the budget. Returns false if the
 * data end before that, or the budget is spent. */
bool die_list_expression(struct die_file *f, struct cursor *c, unsigned char **expression, size_t *n);

/* Sets *c to the abbreviations from offset `table` of .debug_abbrev to its end. Returns false if the offset is beyond the end. */
bool die_table(const struct text *abbrev, uint64_t table, struct cursor *c);
/* Reads one abbreviation and returns its code; 0 at the table's end, or if it is malformed (c->ok is false then). *attributes are its pairs of name
 * and form; the byte before them says whether there are children. */
uint64_t die_next_abbrev(struct cursor *c, struct cursor *attributes, uint64_t *tag);
/* Stores the register name that a number of DW_OP_regx encodes, with a NUL, and returns its length. The characters are the number's bytes, from the
 * highest one that isn't 0. */
size_t die_register_name(uint64_t number, char name[9]);

#endif
