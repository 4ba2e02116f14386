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

/* Returns true if a PTX file has debug information of its own. */
bool own_present(const struct dwarf *w, uint32_t file);

/* Adds a PTX file's own debug information to the sections of `w`. Returns false, with nothing added, if it can't be parsed. */
bool own_add(struct dwarf *w, uint32_t file);

/* Finds an abbreviation's attributes, pairs of name and form, by its table's offset in .debug_abbrev (dwarf_own_abbrev.c). Returns false if
 * there is none of that code. */
bool own_abbrev(const struct own *o, uint64_t table, uint64_t code, struct cursor *attributes, uint64_t *tag);
/* Returns the code of a changed copy of an abbreviation, which is made if need be. Returns 0 if there can be none. */
uint64_t own_abbrev_copy(struct own *o, uint64_t table, uint64_t code, enum own_edit edit, unsigned version);

/* dwarf_own_returns.c: what kinds of registers `finish` has to find a value of this type in, kept for the function at an instruction. */
struct own_unit {
	unsigned char *begin, *end;
	uint64_t table; /* of its abbreviations */
	unsigned address_size;
};
/* Returns true if the entry, a type or a variable, is a C++ reference. */
bool own_is_reference(const struct own *o, const struct own_unit *unit, uint64_t entry);
/* Notes that a function returns a value with halves of different classes, if `type` is such a type (dwarf_own_returns.c). `finish` needs that.
 * `pc`: the function's first instruction. */
void own_note_return(struct own *o, const struct own_unit *unit, uint32_t pc, uint64_t type);

/* Changes the location `e` of a variable so that gdb evaluates conditions on it by itself (dwarf_own_reference.c). */
void own_hide_reference(unsigned char *e, size_t n);
/* Notes a location list whose variable is a C++ reference. */
void own_note_reference(struct own *o, uint64_t list);
/* Sorts the lists of references. Called after the last one was noted, before own_lists_reference. */
void own_sort_references(struct own *o);
/* Returns true if a location list's variable was noted as a C++ reference. */
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
/* Changes an entry to one without a name (dwarf_own_abbrev.c). Returns false if that can't be. */
bool own_drop_name(struct own *o, const struct own_named *e);
/* Changes an entry's name to a shorter one. Returns false if that can't be. */
bool own_shorten(struct own *o, const struct own_named *e, const char *name, enum own_edit edit);
/* Notes the full name of an enumeration, and hides a name that the compiler has made up (dwarf_own_enum.c). */
void own_enumeration(struct own *o, struct own_named *e);
/* Gives a constant its plain name if it has a mangled one, and its enumeration as well. */
void own_enumerator(struct own *o, struct own_named *of, const struct own_named *e);

/* Notes a variable of the module with its type, an entry of the unit or 0, and its place (dwarf_own_names.c). */
void own_global(struct own *o, const struct own_unit *unit, const struct own_named *e, uint64_t type,
		const unsigned char *place);
/* Notes what may be a class in a namespace, in a function's mangled name. */
void own_note_names(struct own *o, const char *mangled);
/* Frees the names noted. */
void own_free_names(struct own *o);
/* Shortens a function's mangled name by the part that names its file. `linkage`: where the mangled name is, NULL: there is none. */
void own_static_function(struct own *o, const struct own_named *e, unsigned char *linkage);

/* Turns a member that stands for a base class into one (dwarf_own_base.c). `type`: the four bytes that name its type, NULL: another form. */
void own_base_class(struct own *o, const struct own_named *e, unsigned char *type, uint64_t of);
/* Notes a class of the unit. */
void own_note_class(struct own *o, const struct own_unit *unit, const struct own_class *c);
/* Points base classes at whole classes, at the unit's end. */
void own_settle_bases(struct own *o);
/* Frees the classes noted. */
void own_free_bases(struct own *o);

/* Replaces PTX registers by places of made-up frames in all entries (dwarf_own_walk.c). Returns false if an entry can't be parsed. */
bool own_walk(struct own *o);

#endif
