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

/* Fills all sections of *w, in which the caller has set what is to be described. */
void dwarf_make(struct dwarf *w);
/* Frees the sections and tables, but not *w itself. */
void dwarf_free(struct dwarf *w);

/* Adds the table of abbreviations ABBREV_... with its end (dwarf_abbrevs.c). */
void dwarf_abbrevs(struct text *t);
/* Adds one abbreviation, a row of the table that entries name by `code`; `children`: 1 if its entries have any. `attributes`: pairs of attribute and
 * form, of numbers below 128, and a 0. */
void dwarf_abbrev(struct text *t, unsigned code, unsigned tag, unsigned children, const unsigned char *attributes);

/* Returns the address of an instruction in the file being made. */
uint64_t dwarf_address(const struct dwarf *w, uint32_t index);
/* Returns the address in the file where threads of a kernel are before they begin; `function`: its number. */
uint64_t dwarf_launch_address(const struct dwarf *w, uint32_t function);
/* Returns the address in the file where threads of a kernel are after they have exited; `function`: its number. */
uint64_t dwarf_exit_address(const struct dwarf *w, uint32_t function);

/* Appends an expression that finds a variable to `e`: r12 or r14 for shared memory, a slot of the frame for local memory, else an address. `frame`:
 * the operation that yields the frame's address, to which `local_slot` is added. */
void dwarf_variable_location(const struct dwarf *w, unsigned frame, uint32_t local_slot, const struct isa_variable *v,
			     struct text *e);

/* Adds the entry, of abbreviation `code` (ABBREV_VARIABLE or ABBREV_PARAMETER), of a register that is `offset` bytes into the frame. `number` belongs
 * to its name if it was declared with a count. */
void dwarf_register(struct dwarf *w, unsigned code, const struct isa_reg *r, uint32_t number, uint32_t offset);
/* Adds a vector register's type and its entry, `offset` bytes into the frame: `n` elements in a row, of which `r` is the first. Its name must end in
 * .x, which is left out. */
void dwarf_vector_register(struct dwarf *w, const struct isa_reg *r, unsigned n, uint32_t offset);
/* Adds n instructions from the file's address `first` on to the list of ranges that is being made in .debug_ranges. */
void dwarf_range(struct dwarf *w, uint64_t first, uint64_t n_instructions);
/* Ends the list of ranges; the caller has noted w->ranges.n, the list's offset, before its first range. */
void dwarf_end_ranges(struct dwarf *w);

struct frame_layout;
/* Adds a name to .debug_info without its leading % or $, with `number` behind it if `is_numbered`. */
void dwarf_put_name(struct dwarf *w, const char *name, uint32_t number, bool is_numbered);
/* Adds an expression to .debug_info with its length in front. */
void dwarf_put_expression(struct dwarf *w, const struct text *e);
/* Adds the entry of a variable in memory, of abbreviation `code`, and an array's type before it; nothing if it has no type or name. `l`: layout of
 * the frame that a local variable is in, NULL for a module's. */
void dwarf_memory_variable(struct dwarf *w, unsigned code, const struct frame_layout *l, const struct isa_variable *v);
/* Adds the entry of a variable in memory, with `name` as its name. `f`: the function that it belongs to, NULL: the module. */
void dwarf_variable(struct dwarf *w, const struct isa_function *f, const struct isa_variable *v, const char *name);

/* Notes what the names of buffers and loaded variables stand for: the other dwarf_plain functions read it (dwarf_plain.c). */
void dwarf_plain_index(struct dwarf *w);
/* Returns whether another loaded variable of a module has the PTX name of `v`. */
bool dwarf_plain_has_namesake(const struct dwarf *w, const struct isa_variable *v);
/* Returns whether a module's variable has its plain name, too. It has none if a buffer, a PTX name or another variable's plain name is the same. */
bool dwarf_plain_of_module(const struct dwarf *w, const struct isa_variable *v);
/* Returns whether a function's static variable has its plain name there, too. It has none if another static variable of f, a register or a PTX name
 * is the same, or f has over 256 variables. */
bool dwarf_plain_of_function(const struct isa_function *f, const struct isa_variable *v);
/* Returns whether a static variable of the function `called`, which was inlined into f, has its plain name in that call. It has none if another
 * static variable of `called`, a register or a PTX name is the same, or f has over 256 variables. */
bool dwarf_plain_of_call(const struct isa_function *f, const struct isa_variable *v, const char *called);
/* Returns whether the PTX name of a shared variable with a plain name has one meaning in all of the code. Then it belongs to the module's scope, and
 * no function repeats it. */
bool dwarf_plain_alias(const struct dwarf *w, const struct isa_variable *v);

/* Keeps copies of a name and of *what for dwarf_scopes: a constant, an enumeration, a class, a global, or a name that may be a class's. Does nothing
 * for a name without scopes that isn't a class's (dwarf_scopes.c). */
void dwarf_note_scoped(struct dwarf *w, const char *name, const struct dwarf_scoped *what);
/* Adds a unit with entries of the names that dwarf_note_scoped kept, and its abbreviations. By it gdb finds names with scopes and, if there is only
 * one, without. Adds nothing if no name was kept. */
void dwarf_scopes(struct dwarf *w);
/* Frees the names that dwarf_note_scoped kept. */
void dwarf_scopes_free(struct dwarf *w);

/* dwarf_described.c: variables of the module by name and place, an expression of so many bytes (DW_OP_nop after it), that the program's own
 * debug information describes, and the type it says (offset of its entry in .debug_info); 0: it says nothing of what is there. */
#define DWARF_PLACE_BYTES 9
/* Notes that the program's own debug information describes a variable of the module. `place`: DWARF_PLACE_BYTES of an expression. `type`: offset of
 * its type's entry in .debug_info, 0: unknown. Name and place are copied. */
void dwarf_note_described(struct dwarf *w, const char *name, const unsigned char *place, size_t type);
/* Returns whether dwarf_note_described was called for this name and place, DWARF_PLACE_BYTES of an expression. */
bool dwarf_is_described(const struct dwarf *w, const char *name, const unsigned char *place);
/* Returns the offset of the type's entry that was noted for a place, 0 if it is unknown or nothing was noted. */
size_t dwarf_described_type(const struct dwarf *w, const unsigned char *place);
/* Frees the variables that dwarf_note_described noted. */
void dwarf_described_free(struct dwarf *w);

/* Adds the line table of one PTX file's instructions and returns its offset in .debug_line (dwarf_line.c). Files are numbered as they come, or with
 * `own_numbers` by the PTX text's .file directives; w->files has their numbers. */
size_t dwarf_lines(struct dwarf *w, uint32_t ptx_file, bool own_numbers);
/* Returns whether code of a PTX file, among the instructions that *w describes, has lines of CUDA. */
bool dwarf_has_cuda(struct dwarf *w, uint32_t ptx_file);
/* Returns whether the last line table of dwarf_lines with `own_numbers` has lines of a function. If the file has no lines of CUDA it has all, else
 * kernels, functions with such lines and those of the same C++ name. */
bool dwarf_has_lines(struct dwarf *w, const struct isa_function *f);
/* Appends the path of a program's file, an absolute one if it exists. PTX text that no regular file has, or with a line of 64 KiB, is written to a
 * temporary file. If that succeeds, the temporary file's path is appended instead. */
void dwarf_path(struct dwarf *w, uint32_t file, struct text *out);

/* Adds the base types of a unit and notes their offsets from the unit's beginning in w->types (dwarf_types.c). */
void dwarf_base_types(struct dwarf *w);
/* Adds an array type; a dimension of 0 is an unknown one. Returns its offset from the unit's beginning. dwarf_base_types must have been called for
 * the unit. */
size_t dwarf_array(struct dwarf *w, enum isa_type type, const uint64_t *dims, uint32_t n_dims);
/* Adds a structure without a name that holds an array of `count` numbers of a type. Returns its offset from the unit's beginning. */
size_t dwarf_bytes(struct dwarf *w, enum isa_type type, uint64_t count);
/* Adds a vector register's type with `n` members, at most four: x, y, z, w. Returns its offset from the unit's beginning. */
size_t dwarf_vector(struct dwarf *w, enum isa_type type, unsigned n);
/* Adds CUDA's dim3, of three members x, y, z, as a type. Returns its offset from the unit's beginning. */
size_t dwarf_dim3(struct dwarf *w);

/* Adds to .debug_frame the rules that lead from a frame to its caller's, of all functions that *w describes (dwarf_frame.c). Kernels and the host
 * have no caller. */
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
