/* Source positions: instruction <-> PTX line <-> CUDA line, source text, and locations as users write them. */
#ifndef DEBUG_SOURCE_H
#define DEBUG_SOURCE_H

#include "debug/debug.h"

struct debug_position {
	uint32_t file, line; /* index into the program's files, line from 1; line 0: unknown */
};
/* PTX position of an instruction index, its CUDA position (.loc; the innermost inlined one), and the one the setting chooses. */
struct debug_position debug_ptx_position(struct debug *d, uint32_t pc);
struct debug_position debug_cuda_position(struct debug *d, uint32_t pc);
/* The line of the source that an instruction counts as: of code inlined from a header of the toolkit the user's own. Line 0: none. */
struct debug_position debug_own_position(struct debug *d, uint32_t pc);
struct debug_position debug_position_at(struct debug *d, uint32_t pc);
bool debug_shows_cuda(struct debug *d, uint32_t pc); /* is the last one a line of the CUDA source? */

#define DEBUG_INLINED_MAX 64u /* levels of inlined functions that are looked at */
/* The .loc (index into the program's) that says an instruction's line in the CUDA source; ISA_NO_LOC: there is none, and if the setting
 * wants it to be readable, none that is. Code inlined from a header that isn't here, or of a toolkit, counts as the line it was inlined
 * at. */
uint32_t debug_readable_loc(struct debug *d, uint32_t pc);
/* Name of an inlined function, without nvcc's prefix for what is static in a file. */
void debug_inlined_name(struct debug *d, const char *name, struct text *out);
/* What follows the last `::` of a name that isn't inside of template arguments. */
const char *debug_last_part(const char *name);
/* A base class whose padding the derived class uses has a type of its own for nvcc, __SO__1Base: the class's own name. False: it isn't one. */
bool debug_base_part_name(struct debug *d, const char *name, struct text *out);
/* Is it a variable's mangled name, and not that of a table of virtual functions and the like, _ZTV4base? */
bool debug_is_mangled_variable(const char *name);
/* Is it a name that nvcc made for a type without one: __C10, or a mangled one, as for a lambda? */
bool debug_is_unnamed(struct debug *d, const char *name);

const char *debug_file_name(struct debug *d, uint32_t file);			      /* base name as texts show it */
void debug_position_text(struct debug *d, struct debug_position p, struct text *out); /* vecadd.ptx:33, no newline */

/* A line's text without its newline; NULL: no such line or the file can't be read. CUDA sources are read when first asked for, from
 * the name given, beside the PTX file, and along settings.source_path. */
const char *debug_source_line(struct debug *d, uint32_t file, uint32_t line, size_t *n);
#define DEBUG_COLUMNS_MAX 500 /* bytes of a line, or of an instruction's text, that are shown */
/* Adds a text of n bytes, of a longer one its first DEBUG_COLUMNS_MAX bytes and "...". */
void debug_add_columns(const char *s, size_t n, struct text *out);
/* Likewise adds a line of a source with its number: `12\tint i;`. */
void debug_add_line(uint32_t line, const char *s, size_t n, struct text *out);
uint32_t debug_source_lines(struct debug *d, uint32_t file); /* 0: not readable */
/* Where a file's text was read from; the name given if it wasn't. Valid until the next file is loaded. */
const char *debug_source_path(struct debug *d, uint32_t file);

/* `33<TAB>text` of an instruction's line, below a line of the CUDA source the instruction. Nothing is written if there is no text. */
void debug_source_at(struct debug *d, uint32_t pc, struct text *out);
void debug_source_show(struct debug *d, struct debug_position p, uint32_t pc, struct text *out); /* as if it were at that line */
/* `12<TAB>text` of a line of the CUDA source, `12<TAB>in x.cu` if it can't be read. */
void debug_source_text(struct debug *d, struct debug_position p, struct text *out);

/* ---- locations: FILE:LINE, LINE, KERNEL, *PC, +N, -N, $label, label ---- */
struct debug_location {
	uint32_t *pcs; /* owned; instruction indices; several for a CUDA line that became several pieces */
	uint32_t n;
	struct debug_position at; /* where it is (line moved to one that has an instruction) */
	bool moved;		  /* the asked line had no instruction */
	uint32_t asked;		  /* line asked for, when moved */
	bool is_call;		  /* the line is that of a call, and the function inlined there begins at the instructions */
	bool is_function;
	bool in_file; /* FILE:FUNCTION was asked for, of this file: */
	uint32_t file;
};
/* Parses one location at the start of `s`; *end is set after it. False: `why`; *pending_ok says if it only isn't there yet
 * (no such file or kernel loaded), so that a breakpoint may stay pending. An empty text is the focus's pc. */
/* What isn't there may be loaded later on (set breakpoint-pending). */
bool debug_may_be_pending(const struct debug *d);
bool debug_location_parse(struct debug *d, const char *s, const char **end, struct debug_location *out,
			  bool *pending_ok, struct text *why);
void debug_location_free(struct debug_location *l);
/* Adds a file's name as locations take it: in quotes, with escape sequences, where it isn't plain. A line break in it becomes \012. */
void debug_quote_file(const char *name, struct text *out);

/* Instruction index of PC (8 bytes an instruction), false if it is none. */
bool debug_pc_valid(struct debug *d, uint64_t pc, uint32_t *index);
/* `<vecadd+88>` */
void debug_pc_symbol(struct debug *d, uint32_t pc, struct text *out);

/* Text of one instruction as written in the PTX, blanks squeezed; no newline. */
void debug_insn_text(struct debug *d, uint32_t pc, struct text *out);
/* Likewise, with at most DEBUG_COLUMNS_MAX bytes of it. */
void debug_insn_shown(struct debug *d, uint32_t pc, struct text *out);

#endif
