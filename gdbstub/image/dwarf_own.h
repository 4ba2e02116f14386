/* The program's own debug information: the .section blocks a compiler's -G leaves in PTX, made fit for gdb. */
#ifndef GDBSTUB_IMAGE_DWARF_OWN_H
#define GDBSTUB_IMAGE_DWARF_OWN_H

#include "debug/csource/die.h"
#include "gdbstub/image/dwarf.h"

/* What a changed copy of an abbreviation is for: a unit or a function that says by DW_AT_ranges where its code is; an enum class;
 * one with a name that has become shorter; another entry whose name has; one without its name; one with a shorter mangled
 * name; a base class instead of a member; an entry that gdb passes over; a block that says by DW_AT_ranges where its code is, and has an origin. */
enum own_edit { OWN_UNIT, OWN_FUNCTION, OWN_ENUM, OWN_ENUM_NAME, OWN_NAME, OWN_UNNAMED, OWN_LINKAGE, OWN_BASE, OWN_HIDDEN, OWN_BLOCK };
struct own_copy {
	uint64_t table, code;
	uint32_t of, attributes; /* offsets in .debug_abbrev of the attributes that it was made of, and of its own */
	enum own_edit edit;
};
#define OWN_COPIES_MAX 32

struct own {
	struct dwarf *w;
	uint32_t file;
	struct die_file die;
	size_t lines; /* offset of the file's line table */
	struct own_copy copies[OWN_COPIES_MAX];
	unsigned n_copies;
	char **names; /* with scopes that have been noted */
	size_t n_names, cap_names;
	struct hash_map named;
};

/* Returns whether a PTX file has debug information of its own. */
bool own_present(const struct dwarf *w, uint32_t file);

/* Adds a PTX file's own debug information, made fit for gdb, and its line table to the sections of `w`. Returns false, with no section changed, if it
 * can't be parsed. */
bool own_add(struct dwarf *w, uint32_t file);

/* Returns the offset of an entry in .debug_info of the whole ELF file. */
static inline size_t own_offset(const struct own *o, const struct die_entry *e)
{
	return (size_t)(o->die.base[DIE_INFO] + e->offset);
}

/* ---- dwarf_own_abbrev.c: an entry says something else by another abbreviation ---- */
/* Gives an entry a copy of its abbreviation that is changed for `edit`, made if need be. Returns false, with nothing changed, if it can't. Codes must
 * have one byte, 32 copies are the most, and a table must be its section's last. */
bool own_edit(struct own *o, const struct die_entry *e, enum own_edit edit);
/* Writes `shorter` over `name`, a string of the entry, whose abbreviation becomes the one for `edit`. Returns false, with nothing changed, if it
 * isn't 1 to 256 bytes shorter or own_edit fails. */
bool own_shorten(struct own *o, const struct die_entry *e, unsigned char *name, const char *shorter,
		 enum own_edit edit);

/* ---- dwarf_own_reference.c ---- */
/* Adds an operation to the location of a variable, n bytes at `e`, in place of no-operations at its end. By it gdb evaluates conditions on the
 * variable by itself. Does nothing if there is no room. */
void own_hide_reference(unsigned char *e, size_t n);

/* ---- dwarf_own_enum.c ---- */
/* An enumeration type while its constants are being read. */
struct own_enumeration {
	const struct die_entry *e;  /* NULL: none */
	unsigned char *name, *line; /* where they are; its line is one byte or two, NULL: there is none */
	char full[256];		    /* its name with all it is in; "": it is longer */
	bool is_named;		    /* it has its plain name by now */
};
/* Begins an enumeration in *of, whose constants follow, notes its name if that is mangled, and hides a name that the compiler has made up. */
void own_enumeration(struct own *o, struct own_enumeration *of, const struct die_entry *e);
/* Gives a constant of the enumeration its plain name if it has a mangled one, and its enumeration as well, and notes the name. Does nothing for other
 * names. */
void own_enumerator(struct own *o, struct own_enumeration *of, const struct die_entry *e);

/* ---- dwarf_own_names.c ---- */
/* Notes a module's variable with its type and place. Gives it its plain name if it has a mangled one and there is room. Does nothing if its location
 * doesn't have DWARF_PLACE_BYTES. */
void own_global(struct own *o, const struct die_entry *e);
/* Notes the names with scopes, each once, in a function's mangled name: they may be classes in namespaces. */
void own_note_names(struct own *o, const char *mangled);
/* Frees the names that own_note_names noted. */
void own_free_names(struct own *o);
/* Shortens a function's mangled name by the namespace that names its file. Does nothing if it has none, or if that would change the rest of its
 * meaning. */
void own_static_function(struct own *o, const struct die_entry *e);

/* ---- dwarf_own_base.c ---- */
/* Turns a member that stands for a base class (`__b_...`) into one, of the whole class's type. Does nothing for other members. */
void own_base_class(struct own *o, const struct die_entry *e);
/* Notes a class for names with scopes. Does nothing if it has no name or size. */
void own_note_class(struct own *o, const struct die_entry *e);

/* ---- dwarf_own_captures.c ---- */
/* Adds a unit with variables for what lambdas that capture `this` have captured; the captured object is called `this`, as gcc calls it. Must be the
 * last change of the sections. */
void own_captures(struct own *o);
/* Gives a block or function an abstract origin at offset `origin` of .debug_info of the whole ELF file, so that gdb adds the origin's variables to
 * it. Does nothing if the entry has no room for that (dwarf_own_walk.c). */
void own_set_origin(struct own *o, const struct die_entry *block, uint64_t origin);

/* Makes all entries fit for gdb, in place: PTX registers become places of made-up frames, and mangled names plain ones. Kernels get the places before
 * and after their code (dwarf_own_walk.c). */
void own_walk(struct own *o);

#endif
