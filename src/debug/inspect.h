/* Looking at the machine: print, x, list, disassemble, backtrace, and the tables behind `info` and `info cuda`. */
#ifndef DEBUG_INSPECT_H
#define DEBUG_INSPECT_H

#include "debug/debug.h"

debug_answer_fn debug_cmd_print;	 /* [/FMT] EXPR: `$1 = 42`, into the history; without EXPR the last value again */
debug_answer_fn debug_cmd_output;	 /* [/FMT] EXPR: the value alone, no newline, no history */
debug_answer_fn debug_cmd_printf;	 /* "FMT", EXPR, ... */
debug_answer_fn debug_cmd_echo;	 /* text with C escapes */
debug_answer_fn debug_cmd_x;	 /* [/NFU] [ADDR]; without ADDR goes on after the last one */
debug_answer_fn debug_cmd_set_var; /* EXPR (of `set LVALUE = EXPR`, `set var ...`): evaluates, says nothing */
debug_answer_fn debug_cmd_assert;	 /* EXPR: false with a message if zero */
debug_answer_fn debug_values_text; /* [N]: ten values of the history, around N or the last ones */
debug_answer_fn debug_convenience_text; /* all $variables */
debug_answer_fn debug_cmd_ptype;	 /* EXPR or TYPE: `type = f32 [64]` */
debug_answer_fn debug_cmd_whatis;
debug_answer_fn debug_cmd_list;	     /* [LOC | A,B | LOC, | -]: as gdb */
debug_answer_fn debug_cmd_search, debug_cmd_reverse_search; /* REGEX, from the line listed last */
debug_answer_fn debug_cmd_disassemble; /* [/r] [KERNEL | START,END]; `=>` at the focus's pc; /r: decoded, too */
debug_answer_fn debug_cmd_backtrace;   /* [N | -N] */
debug_answer_fn debug_cmd_ptxdis;	     /* START_PC END_PC */

/* Adds `number`, `display` and what `output` or `x` answers to the open object: `1: /x %r1 = 0x2a`. Returns false if the expression has no value; what was added
 * then is of no use. */
bool debug_display(struct debug *d, int number, const char *args, struct report *answer, struct text *why);
/* Whether an expression without a value may get one: no thread is in focus, and its names are known somewhere. */
bool debug_display_later(struct debug *d, const char *args);

/* Would `set TEXT` be an assignment (`set LVALUE = EXPR`) rather than a setting? */
bool debug_is_assignment(struct debug *d, const char *text);

/* `info NAME [ARGS]`: every subject this layer knows, sorted by name; a face adds its own. */
struct debug_info_row {
	const char *name, *usage, *help;
	debug_answer_fn *fn;
};
extern const struct debug_info_row debug_info_rows[];
extern const size_t debug_info_n;
/* `info cuda NAME`: devices sms warps lanes kernels blocks threads barriers line, with cuda-gdb's column titles. */
extern const struct debug_info_row debug_cuda_rows[];
extern const size_t debug_cuda_n;
/* Exact name or unique prefix; NULL with a message otherwise. */
const struct debug_info_row *debug_info_find(const struct debug_info_row *rows, size_t n, const char *word,
					     size_t n_word, struct text *why);

/* Statistics in GPGPU-Sim's names, `gpu_sim_cycle = 1234`; args: a glob or nothing. */
debug_answer_fn debug_cmd_stats;
/* Adds the figures of a launch, or of STATISTICS_TOTAL, that a glob means, "" all, to the open object by their names. */
void statistics_describe(struct debug *d, uint32_t launch, const char *glob, struct report *report);

/* ---- completion: calls `add` for every name of a kind that starts with the prefix ---- */
enum debug_names {
	DEBUG_NAMES_KERNELS,
	DEBUG_NAMES_FUNCTIONS,
	DEBUG_NAMES_LABELS,
	DEBUG_NAMES_REGISTERS,
	DEBUG_NAMES_BUFFERS,
	DEBUG_NAMES_VARIABLES,
	DEBUG_NAMES_FILES,
	DEBUG_NAMES_TYPES, /* of a buffer's elements */
	DEBUG_NAMES_EXPRESSION /* all that an expression may name */,
	DEBUG_NAMES_LOCATION /* all a location may name */
};
void debug_complete(struct debug *d, enum debug_names kind, const char *prefix, size_t n,
		    void (*add)(void *self, const char *name), void *self);

/* Members of a structure of the source, `s.na`, `p->na`: names with all that stands in front of them. */
void debug_complete_members(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self);

/* The machine's fields that begin with the prefix, `core[0].wa`: words are cut at [, so a face looks for the whole of it itself. */
void debug_complete_fields(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self);

#endif
