/* DWARF 4 for PTX: what makes a stock gdb see lines, functions, and registers as typed variables (DWARF Debugging Information
 * Format Version 4). Registers are variables in made-up stack frames, see view.c. */
#ifndef GDBSTUB_IMAGE_DWARF_H
#define GDBSTUB_IMAGE_DWARF_H

#include "base/hash.h"
#include "gdbstub/internal.h"

#define DWARF_NO_CODE 0x10000u /* so far before the host's place there is nothing: where units without code are */

#define DWARF_NO_UNIT SIZE_MAX
/* A name of the program's own debug information, with its scopes (dwarf_scopes.c). */
struct dwarf_scoped {
	char *name;
	enum { DWARF_CONSTANT, DWARF_CLASS_CONSTANT, DWARF_ENUMERATION, DWARF_CLASS, DWARF_GLOBAL, DWARF_NAMED } kind;
	int64_t value; /* a constant's; bytes of a class */
	size_t type;   /* offset of the enumeration's or the class's entry in .debug_info */
	size_t unit;   /* a class's: of its file's; DWARF_NO_UNIT: it is in namespaces */
};

/* What is described: instructions [first, end) and the module variables from `first_variable` on. */
struct dwarf {
	struct stub *s;
	uint32_t first, end, first_variable;
	bool with_buffers;
	bool cuda_lines; /* line table of CUDA sources where .loc says where code comes from */
	uint64_t place;	 /* of its .host section */
	uint64_t base;	 /* added to an instruction's address: 0, or what makes the first one 0 in a shared object */
	struct text info, abbrev, line, frame, ranges, loc, str;
	uint32_t *files; /* of the last line table: program's file -> number there, 0: none yet */
	struct text file_table;
	uint32_t n_files;
	size_t types[ISA_TYPE_COUNT]; /* of the unit being made: offset of a base type's entry */
	size_t unit;
	struct hash_map plain; /* dwarf_plain.c */
	struct hash_map aliases;
	struct hash_map names;	   /* of the module's variables */
	struct hash_map namesakes; /* of a PTX file, dwarf_line.c */
	bool has_cuda;		   /* it has lines of CUDA */
	struct hash_map origins;   /* of the unit: an inlined function's name to its entry's offset */
	struct dwarf_scoped *scoped;
	size_t n_scoped, cap_scoped;
	char **described; /* dwarf_described.c */
	size_t n_described, cap_described;
	struct hash_map described_index, described_places;
};

void dwarf_make(struct dwarf *w);
void dwarf_free(struct dwarf *w);

/* dwarf_abbrevs.c: those of ABBREV_...; one: `attributes` are pairs of attribute and form, of numbers below 128, and a 0. */
void dwarf_abbrevs(struct text *t);
void dwarf_abbrev(struct text *t, unsigned code, unsigned tag, unsigned children, const unsigned char *attributes);

uint64_t dwarf_address(const struct dwarf *w, uint32_t index);
/* Before a thread begins and after it has exited, by the kernel's index. */
uint64_t dwarf_launch_address(const struct dwarf *w, uint32_t function);
uint64_t dwarf_exit_address(const struct dwarf *w, uint32_t function);

/* Where a variable is that has one address for everybody: gdb moves these with the code of a shared object. */
uint64_t dwarf_variable_address(const struct dwarf *w, const struct isa_variable *v);
/* An expression that finds a variable: through r12 to r14, at an address that is the same for everybody, or by its slot of the frame,
 * which begins where `frame` says (DW_OP_fbreg, or that of rsp). */
void dwarf_variable_location(const struct dwarf *w, unsigned frame, uint32_t local_slot, const struct isa_variable *v,
			     struct text *e);

/* A register's entry, a variable `offset` bytes into the frame; and a list of ranges. */
void dwarf_register(struct dwarf *w, unsigned code, const struct isa_reg *r, uint32_t number, uint32_t offset);
/* A vector register's, `n` elements one after the other, of which `r` is the first. */
void dwarf_vector_register(struct dwarf *w, const struct isa_reg *r, unsigned n, uint32_t offset);
void dwarf_range(struct dwarf *w, uint64_t first, uint64_t n_instructions);
void dwarf_end_ranges(struct dwarf *w);

struct frame_layout;
/* Adds a name without what gdb's expressions can't hold: `%r8` is r8, `$L__BB0_2` is L__BB0_2. */
void dwarf_put_name(struct dwarf *w, const char *name, uint32_t number, bool is_numbered);
/* Adds an expression with its length in front. */
void dwarf_put_expression(struct dwarf *w, const struct text *e);
/* Adds a variable's entry. `l`: layout of the frame that finds it if it is local, NULL for a module's. */
void dwarf_memory_variable(struct dwarf *w, unsigned code, const struct frame_layout *l, const struct isa_variable *v);
/* A variable's entry, under its own or another name. `f`: whose it is, NULL: the module's. */
void dwarf_variable(struct dwarf *w, const struct isa_function *f, const struct isa_variable *v, const char *name);

/* dwarf_plain.c: which variables with mangled names have their plain name, too. */
void dwarf_plain_index(struct dwarf *w);
/* Has another file a variable of this name? */
bool dwarf_plain_has_namesake(const struct dwarf *w, const struct isa_variable *v);
bool dwarf_plain_of_module(const struct dwarf *w, const struct isa_variable *v);
bool dwarf_plain_of_function(const struct isa_function *f, const struct isa_variable *v);
/* In an inlined call of a function whose static variable it is. */
bool dwarf_plain_of_call(const struct isa_function *f, const struct isa_variable *v, const char *called);
/* Its PTX name means the same in all of the code: that is in the module's scope, and not a local variable a second time. */
bool dwarf_plain_alias(const struct dwarf *w, const struct isa_variable *v);

/* dwarf_scopes.c: keeps a constant, an enumeration (their names have scopes), a class of any name, or a name with scopes that may be a
 * class's; and a unit by which gdb finds them. */
void dwarf_note_scoped(struct dwarf *w, const char *name, const struct dwarf_scoped *what);
void dwarf_forget_scoped(struct dwarf *w, size_t from); /* the last ones, from that number on */
void dwarf_scopes(struct dwarf *w);
void dwarf_scopes_free(struct dwarf *w);

/* dwarf_described.c: variables of the module by name and place, an expression of so many bytes (DW_OP_nop after it), that the program's own
 * debug information describes, and the type it says (offset of its entry in .debug_info); 0: it says nothing of what is there. */
#define DWARF_PLACE_BYTES 9
void dwarf_note_described(struct dwarf *w, const char *name, const unsigned char *place, size_t type);
bool dwarf_is_described(const struct dwarf *w, const char *name, const unsigned char *place);
size_t dwarf_described_type(const struct dwarf *w, const unsigned char *place);
void dwarf_forget_described(struct dwarf *w, size_t from); /* the last ones, from that number on */
void dwarf_described_free(struct dwarf *w);

/* dwarf_line.c: the line table of one PTX file's instructions; returns its offset in .debug_line. Files
 * get numbers as they come, or (`own_numbers`) those the PTX text's own .file directives give them. */
size_t dwarf_lines(struct dwarf *w, uint32_t ptx_file, bool own_numbers);
/* Has any code of a PTX file lines of CUDA? */
bool dwarf_has_cuda(struct dwarf *w, uint32_t ptx_file);
/* Has a function of the last file that had `own_numbers` any? */
bool dwarf_has_lines(struct dwarf *w, const struct isa_function *f);
/* Absolute path of a program's file. */
void dwarf_path(struct dwarf *w, uint32_t file, struct text *out);

/* dwarf_types.c: base types of a unit, arrays. Offsets are relative to the unit. */
void dwarf_base_types(struct dwarf *w);
size_t dwarf_array(struct dwarf *w, enum isa_type type, const uint64_t *dims, uint32_t n_dims);
/* A structure without a name that has nothing but an array of numbers, by the name of their type. */
size_t dwarf_bytes(struct dwarf *w, enum isa_type type, uint64_t count);
/* A vector register: x, y, with four elements z, w. */
size_t dwarf_vector(struct dwarf *w, enum isa_type type, unsigned n);
/* CUDA's dim3: x, y, z. */
size_t dwarf_dim3(struct dwarf *w);

/* dwarf_frame.c: how to get from a frame to its caller's. */
void dwarf_frames(struct dwarf *w);

enum { /* abbreviations, in the order of dwarf_abbrevs */
       ABBREV_UNIT = 1,
       ABBREV_DATA_UNIT,
       ABBREV_PLACE_UNIT,
       ABBREV_FUNCTION,
       ABBREV_VALUED_FUNCTION,
       ABBREV_VARIABLE,
       ABBREV_PARAMETER,
       ABBREV_GLOBAL,
       ABBREV_BLOCK,
       ABBREV_ORIGIN,
       ABBREV_INLINED,
       ABBREV_LABEL,
       ABBREV_BASE,
       ABBREV_ARRAY,
       ABBREV_VECTOR,
       ABBREV_RANGE,
       ABBREV_OPEN_RANGE,
       ABBREV_STRUCT,
       ABBREV_RECORD,
       ABBREV_MEMBER,
       ABBREV_TYPED_GLOBAL
};

#endif
