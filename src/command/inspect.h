/* Looking at the machine: print, x, list, disassemble, backtrace, and the tables behind `info` and `info cuda`. */
#ifndef COMMAND_INSPECT_H
#define COMMAND_INSPECT_H

#include "debug/debug.h"

/* Runs `print [/FMT] EXPR`: answers `$1 = 42` and adds the value to the history. Without EXPR shows the last value again. */
debug_answer_fn command_print;
/* Runs `output [/FMT] EXPR`: answers with the value alone, no newline, no history. */
debug_answer_fn command_output;
/* Runs `printf "FMT", EXPR, ...`. */
debug_answer_fn command_printf;
/* Runs `echo TEXT`, with C escapes. */
debug_answer_fn command_echo;
/* Runs `x [/NFU] [ADDR]`; without ADDR it continues after the last one. */
debug_answer_fn command_x;
/* Runs `set LVALUE = EXPR` and `set var ...`: evaluates, answers nothing. */
debug_answer_fn command_set_var;
/* Runs `assert EXPR`: fails with a message if the value is zero. */
debug_answer_fn command_assert;
/* Runs `show values [N]`: ten values of the history, around N or the last ones. */
debug_answer_fn show_values;
/* Runs `show convenience`: all $variables. */
debug_answer_fn show_convenience;
/* Runs `ptype EXPR` or `ptype TYPE`: `type = f32 [64]`. */
debug_answer_fn command_ptype;
/* Runs `whatis EXPR`. */
debug_answer_fn command_whatis;
/* Runs `list [LOC | A,B | LOC, | -]`, as gdb. */
debug_answer_fn command_list;
/* Runs `search REGEX`, from the line listed last. */
debug_answer_fn command_search;
/* Runs `reverse-search REGEX`, from the line listed last. */
debug_answer_fn command_reverse_search;
/* Runs `disassemble [/r] [KERNEL | START,END]`: `=>` at the focus's pc; /r: decoded, too. */
debug_answer_fn command_disassemble;
/* Runs `backtrace [N | -N]`. */
debug_answer_fn command_backtrace;
/* Runs `ptxdis START_PC END_PC`. */
debug_answer_fn command_ptxdis;

/* Adds `number`, `display` and the answer of `output` to the open object, `1: /x %r1 = 0x2a`; that of `x` if the format is i or s or has a unit or
 * count. Returns false, with an error in `why`, if that fails; what was added then is of no use. */
bool display_answer(struct debug *d, int number, const char *args, struct report *answer, struct text *why);
/* Returns whether a display without a value may get one: no thread is in focus, and `args` is a valid expression, with format, whose names are
 * known. */
bool display_may_wait(struct debug *d, const char *args);

/* Returns whether a text is `LVALUE = INIT`, or an expression that assigns anywhere, such as `x = 1` or `x++`. Returns false for settings and
 * other texts. */
bool assign_is_assignment(struct debug *d, const char *text);

/* `info NAME [ARGS]`: every subject this layer knows, sorted by name; a face adds its own. */
struct info_row {
	const char *name, *usage, *help;
	debug_answer_fn *fn;
};
extern const struct info_row info_rows[];
extern const size_t info_n;
/* `info cuda NAME`: devices sms warps lanes kernels blocks threads barriers line, with cuda-gdb's column titles. */
extern const struct info_row info_cuda_rows[];
extern const size_t info_cuda_n;
/* Returns the row that the first n_word characters of `word` mean: by its name, a unique prefix, or gdb's letter for it (b, f, r, s, w). Returns NULL
 * if there is none or several, with an error that names rows in `why`. */
const struct info_row *info_find(const struct info_row *rows, size_t n, const char *word,
					     size_t n_word, struct text *why);

/* Answers statistics in GPGPU-Sim's names, `gpu_sim_cycle = 1234`; args: a glob or nothing. */
debug_answer_fn statistics_answer;
/* Adds the figures of launch number `launch`, or of all with STATISTICS_TOTAL, to the open object by their names. Those whose names don't match
 * `glob` ("": all match) are left out. */
void statistics_describe(struct debug *d, uint32_t launch, const char *glob, struct report *report);

/* ---- completion: calls `add` for every name of a kind that starts with the prefix ---- */
enum complete_kind {
	NAMES_KERNELS,
	NAMES_FUNCTIONS,
	NAMES_LABELS,
	NAMES_REGISTERS,
	NAMES_BUFFERS,
	NAMES_VARIABLES,
	NAMES_FILES,
	NAMES_TYPES, /* of a buffer's elements */
	NAMES_EXPRESSION /* all that an expression may name */,
	NAMES_LOCATION /* all a location may name */
};
/* Calls `add` for every name of a kind that starts with the n bytes of `prefix`. Registers, parameters and local variables are those of the focused
 * frame. */
void complete_names(struct debug *d, enum complete_kind kind, const char *prefix, size_t n,
		    void (*add)(void *self, const char *name), void *self);

/* Calls `add` for the members of the structure in front of the last . or -> of `prefix`, n bytes, that start with what follows. For `p->na` adds
 * `p->name`. Does nothing if there is no such structure. */
void complete_members(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self);

/* Calls `add` for the machine's fields that start with the n bytes of `prefix`, as `core[0].wa`; indices that the prefix lacks are 0. Does nothing in
 * functional mode. The face passes the whole path, as words are cut at [. */
void complete_fields(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self);

#endif
