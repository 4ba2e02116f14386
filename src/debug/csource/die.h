/* The debug information that compilers leave in PTX (-G, -g): .section blocks of text that hold DWARF. From text to bytes, and reading
 * entries of .debug_info ("DWARF Debugging Information Format", versions 2 to 4). Both who evaluates C variables here (cnames.h)
 * and who hands the information on to gdb use this. */
#ifndef DEBUG_DIE_H
#define DEBUG_DIE_H

#include "base/cursor.h"
#include "base/hash.h"
#include "base/text.h"
#include "isa/program.h"

/* Sections of a PTX file, by these numbers; -1: another one. */
enum die_section { DIE_INFO, DIE_ABBREV, DIE_LOC, DIE_STR, DIE_RANGES, DIE_SECTIONS };
int die_section_of(const char *name, size_t n);

/* What a name in the data stands for: an instruction's index, or a variable and whose it is (NULL: the module's). */
struct die_symbol {
	enum { DIE_NUMBER, DIE_CODE, DIE_VARIABLE } kind;
	uint64_t value;
	const struct isa_variable *variable;
	const struct isa_function *function;
	uint32_t number; /* in the table it was found in */
};

/* All that a file's data can name: its functions, their labels, parameters and variables, module variables. */
struct die_symbols {
	struct hash_map index;
	struct die_symbol *symbols;
	size_t n_symbols, cap_symbols;
};
void die_symbols_make(struct die_symbols *t, const struct isa_program *p, uint32_t file);
void die_symbols_free(struct die_symbols *t);
bool die_symbols_find(const struct die_symbols *t, const char *s, size_t n, struct die_symbol *out);

/* How the text's names become bytes: `find` gives what is to stand there (false: the text can't be understood), `place` the nine bytes
 * that are to be there instead of `DW_OP_addr VARIABLE`. */
struct die_names {
	void *self;
	bool (*find)(void *self, const char *s, size_t n, struct die_symbol *out);
	void (*place)(void *self, const struct die_symbol *s, struct text *nine);
};

/* Does a PTX file bring debug information? */
bool die_present(const struct isa_file *f);
/* The bytes of its sections, added to `bytes` (the caller's to free in any case). False: it can't be understood. */
bool die_read_sections(const struct isa_file *f, const struct die_names *names, struct text bytes[DIE_SECTIONS]);

/* ---- die.c: abbreviations and values ---- */

/* A table at an offset of .debug_abbrev; then one abbreviation after the other: its code, 0 at the table's end. `attributes` are pairs
 * of name and form, the byte before them says if there are children. */
bool die_table(const struct text *abbrev, uint64_t table, struct cursor *c);
uint64_t die_next_abbrev(struct cursor *c, struct cursor *attributes, uint64_t *tag);
/* The abbreviations of a table, one table at a time, by code. Initialise with {0}. */
struct die_abbrevs {
	const char *bytes; /* the section when the table was read, */
	size_t n_bytes;	   /* and how long it was */
	uint64_t table;
	struct die_abbreviation *v;
	struct hash_map index;
	uint64_t n_read; /* bytes of all tables so far */
};
/* The abbreviation of a code; of several the first one counts. False: there is none, or what has been read makes no sense. */
bool die_abbrev(struct die_abbrevs *a, const struct text *abbrev, uint64_t table, uint64_t code,
		struct cursor *attributes, uint64_t *tag);
void die_abbrevs_free(struct die_abbrevs *a);

/* An attribute's value: a number, or the bytes of a block. Reads over it in any case; what can't be read makes `c` fail. */
void die_attribute(struct cursor *c, unsigned address_size, uint64_t form, unsigned char **block, uint64_t *n,
		   uint64_t *value);
/* The place of an entry that an attribute refers to, from the beginning of its unit; 0: it isn't such a reference. */
uint64_t die_reference(uint64_t form, uint64_t value);
/* Where a member is, from an attribute's value: a number, or an expression that adds one. False: it is another expression. */
bool die_member_location(unsigned char *block, uint64_t n, uint64_t value, uint64_t *offset);
/* A register's name from its number (of DW_OP_regx in PTX): its characters, the first one highest. Returns how many. */
size_t die_register_name(uint64_t number, char name[9]);

#endif
