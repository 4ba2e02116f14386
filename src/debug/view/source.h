/* Source positions: instruction <-> PTX line <-> CUDA line, source text, and locations as users write them. */
#ifndef DEBUG_SOURCE_H
#define DEBUG_SOURCE_H

#include "debug/debug.h"

struct debug_position {
	uint32_t file, line; /* index into the program's files, line from 1; line 0: unknown */
};
/* Returns the file and line of an instruction in the PTX. Line 0: the index is out of range. */
struct debug_position debug_ptx_position(struct debug *d, uint32_t pc);
/* Returns the CUDA position of an instruction, that of the program's .loc, the innermost inlined one. Line 0: there is none. */
struct debug_position debug_cuda_position(struct debug *d, uint32_t pc);
/* Returns the CUDA line that an instruction counts as: debug_position_at's if that is a CUDA line, else debug_cuda_position's. Line 0: there is
 * none. */
struct debug_position debug_own_position(struct debug *d, uint32_t pc);
/* Returns the position that settings.lines chooses: CUDA where a line can be shown, else PTX. Code inlined from an unreadable or a toolkit file
 * counts as the line that inlines it. With DEBUG_LINES_CUDA an unreadable line is returned, too. */
struct debug_position debug_position_at(struct debug *d, uint32_t pc);
/* Returns whether debug_position_at gives a line of a CUDA source for an instruction. */
bool debug_shows_cuda(struct debug *d, uint32_t pc);

#define DEBUG_INLINED_MAX 64u /* levels of inlined functions that are looked at */
/* Returns the program's .loc that is shown for an instruction: of code inlined from an unreadable or a toolkit file the one that inlines it. Without
 * a readable line returns ISA_NO_LOC, or with DEBUG_LINES_CUDA the innermost .loc. */
uint32_t debug_readable_loc(struct debug *d, uint32_t pc);
/* Appends the readable name of an inlined function from its mangled one, without nvcc's prefix for names that are static in a file. */
void debug_inlined_name(struct debug *d, const char *name, struct text *out);
/* Returns what follows the last `::` of a name that isn't inside of brackets; the name itself if there is none. */
const char *debug_last_part(const char *name);
/* Appends the base class's own name if `name` is nvcc's type for a base class whose padding the derived class uses, __SO__1Base. Returns false,
 * appending nothing, if `name` is another name. */
bool debug_base_part_name(struct debug *d, const char *name, struct text *out);
/* Returns whether a name can be a variable's mangled name, _Z and N, L or a digit. That of a virtual table and the like, _ZTV4base, is none. */
bool debug_is_mangled_variable(const char *name);
/* Returns true if nvcc made the name for a type without one: __C10, or a mangled name, as for a lambda. */
bool debug_is_unnamed(struct debug *d, const char *name);

/* Returns the base name of a file as texts show it, "?" if the index is out of range. */
const char *debug_file_name(struct debug *d, uint32_t file);
/* Appends a position: `vecadd.ptx:33`, no newline. */
void debug_position_text(struct debug *d, struct debug_position p, struct text *out);

/* A rule of `set substitute-path`: sources of folder `from` are in folder `to`. */
struct debug_substitute {
	char *from, *to;
};
/* Returns the number of rules of `set substitute-path`. */
size_t debug_substitute_count(const struct debug *d);
/* Returns rule `i` of `set substitute-path`, below debug_substitute_count. It belongs to the debugger and is valid until the rules change. */
const struct debug_substitute *debug_substitute_at(const struct debug *d, size_t i);
/* Returns the rule of `set substitute-path` that is applied to a path: the first whose folder the path is or lies in. Returns NULL if no rule is
 * applied. */
const struct debug_substitute *debug_substitute_for(const struct debug *d, const char *path);
/* Adds a rule of `set substitute-path` behind the other rules, in place of one for the same folder. Sources are looked for again. */
void debug_substitute_add(struct debug *d, const char *from, const char *to);
/* Removes the rule of `set substitute-path` for folder `from`, or all rules if `from` is NULL. Returns false if there was none. */
bool debug_substitute_remove(struct debug *d, const char *from);

/* Returns a line's text of *n bytes without its newline, valid until the next load. Returns NULL if the line doesn't exist or the file can't be
 * read. A CUDA source is read at its first use: from its name as the rules of `set substitute-path` change it, beside the PTX file, along settings.source_path. */
const char *debug_source_line(struct debug *d, uint32_t file, uint32_t line, size_t *n);
#define DEBUG_COLUMNS_MAX 500 /* bytes of a line, or of an instruction's text, that are shown */
/* Adds a text of n bytes. If the text is longer than DEBUG_COLUMNS_MAX bytes, adds the whole characters of its beginning and "...". */
void debug_add_columns(const char *s, size_t n, struct text *out);
/* Adds a source line with its number and a newline, cut as debug_add_columns cuts it: `12\tint i;`. */
void debug_add_line(uint32_t line, const char *s, size_t n, struct text *out);
/* Returns the number of lines of a file, 0 if the file is empty, can't be read, or its index is out of range. */
uint32_t debug_source_lines(struct debug *d, uint32_t file);
/* Returns the path that a file's text was read from, or the file's name if there is none; "?" if the index is out of range. Valid until the next file
 * is loaded. */
const char *debug_source_path(struct debug *d, uint32_t file);

/* Appends the source line that is shown for an instruction (debug_position_at), with its number, and after a CUDA line the instruction. Appends
 * nothing for a PTX line without text. */
void debug_source_at(struct debug *d, uint32_t pc, struct text *out);
/* Appends source line `p` with its number, `12<TAB>text`, and after a CUDA line the instruction at `pc`. Appends nothing for a PTX line without text.
 * */
void debug_source_show(struct debug *d, struct debug_position p, uint32_t pc, struct text *out);
/* Appends `12<TAB>text` of a source line, or `12<TAB>in x.cu` if the line can't be read, and a newline. */
void debug_source_text(struct debug *d, struct debug_position p, struct text *out);

/* ---- locations: FILE:LINE, LINE, KERNEL, *PC, +N, -N, $label, label ---- */
struct debug_location {
	uint32_t *pcs; /* owned; instruction indices; several for a CUDA line that became several pieces */
	uint32_t n;
	struct debug_position at; /* where it is (line moved to one that has an instruction) */
	bool moved;		  /* the asked line had no instruction */
	uint32_t asked;		  /* line asked for, when moved; or, if the location has failed, when its file has no such line */
	bool is_call;		  /* the line is that of a call, and the function inlined there begins at the instructions */
	bool is_function;
	bool in_file;	/* FILE:FUNCTION was asked for, of this file: */
	uint32_t file;	/* the newest of the name that has the function */
};
/* Returns whether a breakpoint whose location isn't found may wait for a load that has the location. `set breakpoint-pending` decides; `auto` says yes
 * if a program is attached or nothing is loaded. */
bool debug_may_be_pending(const struct debug *d);
/* Parses one location at the start of `s` and sets *end behind it; without one it is the selected frame's instruction. The caller frees *out with
 * debug_location_free. Returns false, with an error in `why`, if that fails; *pending_ok (may be NULL) is then true if the location may wait for a
 * later load. */
bool debug_location_parse(struct debug *d, const char *s, const char **end, struct debug_location *out,
			  bool *pending_ok, struct text *why);
/* Frees the instruction indices of a location and clears the location. */
void debug_location_free(struct debug_location *l);
/* Adds a file's name as locations take it: in quotes, with escape sequences, where it isn't plain. A line break in it becomes \012. */
void debug_quote_file(const char *name, struct text *out);

/* Notes once for a program's source that isn't found, at an instruction that is therefore shown as PTX, that `set source cuda` steps by its lines. */
void debug_source_hint(struct debug *d, uint32_t pc);

/* Converts a PC in bytes (8 an instruction) to an instruction index. Returns false if no instruction has that PC. */
bool debug_pc_valid(struct debug *d, uint64_t pc, uint32_t *index);
/* Appends an instruction's function and the instruction's hexadecimal offset in bytes, `vecadd+0x58`. Appends nothing if the instruction is in no
 * function. */
void debug_function_offset(struct debug *d, uint32_t pc, struct text *out);
/* Appends an instruction's function and the instruction's decimal offset in bytes, `<vecadd+88>` or `<vecadd>`. Appends nothing if the instruction is
 * in no function. */
void debug_pc_symbol(struct debug *d, uint32_t pc, struct text *out);

/* Appends the text of instruction `pc`, which the program must have, as written in the PTX, blanks squeezed and comments left out, no newline.
 * Appends nothing if the file's text isn't there. */
void debug_insn_text(struct debug *d, uint32_t pc, struct text *out);
/* Appends the opcode of an instruction as written in the PTX, without its guard: `ld.global.u32`. */
void debug_opcode_text(struct debug *d, uint32_t pc, struct text *out);
/* Appends the text of an instruction, blanks squeezed and cut as debug_add_columns cuts it; no newline. */
void debug_insn_shown(struct debug *d, uint32_t pc, struct text *out);

#endif
