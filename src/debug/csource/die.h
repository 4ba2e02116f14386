/* The debug information that compilers leave in PTX (-G, -g): .section blocks of text that hold DWARF. From text to bytes, and reading
 * entries of .debug_info ("DWARF Debugging Information Format", versions 2 to 4). The evaluation of C variables (cnames.h) and the stub's image for gdb use it. */
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
/* Makes the table of a file's names. */
void die_symbols_make(struct die_symbols *t, const struct isa_program *p, uint32_t file);
/* Frees a table. */
void die_symbols_free(struct die_symbols *t);
/* Stores the value of a name of n bytes. Returns false if the table does not have it. */
bool die_symbols_find(const struct die_symbols *t, const char *s, size_t n, struct die_symbol *out);

/* How names in the text become bytes: `find` stores the value of a name (false: the text is malformed); `place` appends the nine bytes that replace
 * `DW_OP_addr VARIABLE`. */
struct die_names {
	void *self;
	bool (*find)(void *self, const char *s, size_t n, struct die_symbol *out);
	void (*place)(void *self, const struct die_symbol *s, struct text *nine);
};

/* Returns whether a PTX file has debug information. */
bool die_present(const struct isa_file *f);
/* Appends the bytes of a file's sections to `bytes`, which the caller frees in any case. Returns false if the text is malformed. */
bool die_read_sections(const struct isa_file *f, const struct die_names *names, struct text bytes[DIE_SECTIONS]);

/* ---- die.c: abbreviations and values ---- */

/* Sets *c to the table at an offset of .debug_abbrev. Returns false if there is none. */
bool die_table(const struct text *abbrev, uint64_t table, struct cursor *c);
/* Reads one abbreviation and returns its code, 0 at the table's end. *attributes are its pairs of name and form; the byte before them says whether there are
 * children. */
uint64_t die_next_abbrev(struct cursor *c, struct cursor *attributes, uint64_t *tag);
/* The abbreviations of a table, one table at a time, by code. Initialise with {0}. */
struct die_abbrevs {
	const char *bytes; /* the section that the table was read from */
	size_t n_bytes;	   /* its length */
	uint64_t table;
	struct die_abbreviation *v;
	struct hash_map index;
	uint64_t n_read; /* bytes of all tables so far */
};
/* Stores tag and attributes of the abbreviation of a code, the first of several. Returns false if there is none or the table is malformed. */
bool die_abbrev(struct die_abbrevs *a, const struct text *abbrev, uint64_t table, uint64_t code,
		struct cursor *attributes, uint64_t *tag);
/* Frees the abbreviations. */
void die_abbrevs_free(struct die_abbrevs *a);

/* Reads an attribute's value of a form: a number into *value, or a block into *block and *n. Sets c->ok to false if it can't be read. */
void die_attribute(struct cursor *c, unsigned address_size, uint64_t form, unsigned char **block, uint64_t *n,
		   uint64_t *value);
/* Returns the offset, from the beginning of its unit, of the entry that a reference attribute refers to; 0 for other forms. */
uint64_t die_reference(uint64_t form, uint64_t value);
/* Stores a member's offset from its attribute: a number, or an expression that adds a number. Returns false for other expressions. */
bool die_member_location(unsigned char *block, uint64_t n, uint64_t value, uint64_t *offset);
/* Stores the register name that a number of DW_OP_regx encodes (its characters, the first one highest) and returns its length. */
size_t die_register_name(uint64_t number, char name[9]);

#endif
