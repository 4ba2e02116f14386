/* The program's own debug information: the .section blocks a compiler's -G leaves in PTX, made fit for gdb. */
#ifndef GDBSTUB_IMAGE_DWARF_OWN_H
#define GDBSTUB_IMAGE_DWARF_OWN_H

#include "debug/csource/die.h"
#include "gdbstub/image/dwarf.h"

/* What a changed copy of an abbreviation is for: a unit or a function that says by DW_AT_ranges where its code is; an enum class;
 * one with a name that has become shorter; another entry whose name has; one without its name; one with a shorter mangled
 * name; a base class instead of a member. */
enum own_edit { OWN_UNIT, OWN_FUNCTION, OWN_ENUM, OWN_ENUM_NAME, OWN_NAME, OWN_UNNAMED, OWN_LINKAGE, OWN_BASE };
struct own_copy {
	uint64_t table, of, code;
	enum own_edit edit;
};
#define OWN_COPIES_MAX 32

/* A class: where it is from its unit's beginning, its name (NULL: none), line and size. And where an entry says which one is its base. */
struct own_class {
	uint64_t at, line, bytes;
	const unsigned char *name;
	bool is_inside; /* of a namespace or a class, says its place */
};
struct own_base {
	unsigned char *type;
	uint64_t of;
};

struct own {
	struct dwarf *w;
	uint32_t file;
	struct text bytes[DIE_SECTIONS];
	struct die_abbrevs *abbrevs;
	size_t base[DIE_SECTIONS]; /* where they are going to be in the file's sections */
	size_t lines;		   /* offset of the file's line table */
	struct own_copy copies[OWN_COPIES_MAX];
	unsigned n_copies;
	uint64_t *references; /* offsets of location lists of variables that are C++ references */
	size_t n_references, cap_references;
	char **names; /* with scopes that have been noted */
	size_t n_names, cap_names;
	struct hash_map named;
	/* of the unit that is read */
	struct own_class *classes;
	size_t n_classes, cap_classes;
	struct own_base *bases;
	size_t n_bases, cap_bases;
};

/* Does a PTX file bring debug information of its own? */
bool own_present(const struct dwarf *w, uint32_t file);

/* Adds it to the sections of `w`. False: it can't be understood, and nothing was added. */
bool own_add(struct dwarf *w, uint32_t file);

/* dwarf_own_abbrev.c: attributes (pairs of name and form) of an abbreviation of the table at an offset of .debug_abbrev; false: there
 * is none of that code. And the code of a changed copy of it, made if need be; 0: there can be none. */
bool own_abbrev(const struct own *o, uint64_t table, uint64_t code, struct cursor *attributes, uint64_t *tag);
uint64_t own_abbrev_copy(struct own *o, uint64_t table, uint64_t code, enum own_edit edit, unsigned version);

/* dwarf_own_returns.c: what kinds of registers `finish` has to find a value of this type in, kept for the function at an instruction. */
struct own_unit {
	unsigned char *begin, *end;
	uint64_t table; /* of its abbreviations */
	unsigned address_size;
};
/* Is what is at an entry, a type or a variable, a C++ reference? */
bool own_is_reference(const struct own *o, const struct own_unit *unit, uint64_t entry);
void own_note_return(struct own *o, const struct own_unit *unit, uint32_t pc, uint64_t type);

/* dwarf_own_reference.c: makes gdb evaluate conditions that need a variable itself. `e`: its location; or it has a list of them. */
void own_hide_reference(unsigned char *e, size_t n);
void own_note_reference(struct own *o, uint64_t list);
void own_sort_references(struct own *o); /* after the last one was noted, before they are asked for */
bool own_lists_reference(const struct own *o, uint64_t list);

/* dwarf_own_enum.c: gives a constant its plain name if it has a mangled one, and the enumeration it is in. */
struct own_named {
	uint64_t table, code; /* of its abbreviation */
	unsigned version;
	unsigned char *code_at, *name, *line; /* where they are; its line is one byte or two, NULL: there is none */
	int64_t value;			      /* a constant's */
	/* of an enumeration */
	char full[256]; /* its name with all it is in; "": it is longer */
	bool is_named;	/* it has its plain name by now */
};
/* dwarf_own_abbrev.c: the entry without its name; with another one that is shorter. False: that can't be. */
bool own_drop_name(struct own *o, const struct own_named *e);
bool own_shorten(struct own *o, const struct own_named *e, const char *name, enum own_edit edit);
void own_enumeration(struct own *o, struct own_named *e);
void own_enumerator(struct own *o, struct own_named *of, const struct own_named *e);

/* dwarf_own_names.c: a variable of the module, its type (an entry of the unit, 0: unknown) and place; and a function by its mangled name
 * (NULL: it has none). */
void own_global(struct own *o, const struct own_unit *unit, const struct own_named *e, uint64_t type,
		const unsigned char *place);
/* What may be a class in a namespace, in a function's mangled name. */
void own_note_names(struct own *o, const char *mangled);
void own_free_names(struct own *o);
void own_static_function(struct own *o, const struct own_named *e, unsigned char *linkage);

/* dwarf_own_base.c: a member that stands for a base class becomes one. `type`: the four bytes where it says of what type, NULL: it doesn't
 * say so in that way. At the unit's end, when all classes are known, the bases get their whole classes. */
void own_base_class(struct own *o, const struct own_named *e, unsigned char *type, uint64_t of);
void own_note_class(struct own *o, const struct own_unit *unit, const struct own_class *c);
void own_settle_bases(struct own *o);
void own_free_bases(struct own *o);

/* dwarf_own_walk.c: goes through the entries and turns what is in PTX registers into places of made-up frames. */
bool own_walk(struct own *o);

#endif
