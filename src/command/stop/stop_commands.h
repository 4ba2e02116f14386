/* The commands about breakpoints, watchpoints and catchpoints; the command `schedule`. */
#ifndef COMMAND_STOP_STOP_COMMANDS_H
#define COMMAND_STOP_STOP_COMMANDS_H

#include "debug/stop/breakpoint.h"

/* Runs `break`, with arguments as in docs/manual/stopping.md. Answers with gdb's lines ("Breakpoint 1 at 0x58: file vecadd.ptx, line 33."). */
debug_answer_fn command_break;
/* Runs `tbreak`: sets a temporary breakpoint. */
debug_answer_fn command_tbreak;
/* Runs `dprintf LOC,"FORMAT",EXPR...`: prints instead of stopping. */
debug_answer_fn command_dprintf;
/* Runs `rbreak [REGEX]`: sets breakpoints at all functions whose name the expression matches. */
debug_answer_fn command_rbreak;
/* Runs `watch EXPR`: stops at writes. */
debug_answer_fn command_watch;
/* Runs `rwatch EXPR`: stops at reads. */
debug_answer_fn command_rwatch;
/* Runs `awatch EXPR`: stops at reads and writes. */
debug_answer_fn command_awatch;
/* Runs `catch EVENT`. */
debug_answer_fn command_catch;
/* Runs `tcatch EVENT`: sets a temporary catchpoint. */
debug_answer_fn command_tcatch;
/* Runs `delete [N | N-M]...`; without arguments for all breakpoints. */
debug_answer_fn breakpoints_delete;
/* Runs `enable [N | N-M]...`; without arguments for all breakpoints. */
debug_answer_fn breakpoints_enable;
/* Runs `disable [N | N-M]...`; without arguments for all breakpoints. */
debug_answer_fn breakpoints_disable;
/* Runs `clear LOC`: deletes the breakpoints there. */
debug_answer_fn command_clear;
/* Runs `condition N [EXPR]`: sets the condition, or removes it without EXPR. */
debug_answer_fn command_condition;
/* Runs `ignore N COUNT`: the next COUNT hits don't stop the machine. */
debug_answer_fn command_ignore;
/* Runs `schedule SEED | default | fuzz N [SEED]`. */
debug_answer_fn command_schedule;

/* ---- what the commands share ---- */

/* Returns the name of a breakpoint's kind in `info breakpoints`, such as "hw watchpoint". */
const char *breakpoint_type_name(const struct breakpoint *b);
/* Appends the name of the function that instruction `pc` of a breakpoint is in. */
void breakpoint_function_text(struct debug *d, const struct breakpoint *b, uint32_t pc, struct text *out);
/* Adds the members of a breakpoint to the report's open object: `number`, `type`, `locations` and what else it has (docs/manual/json.md). */
void breakpoint_describe(struct debug *d, const struct breakpoint *b, struct report *answer);
/* Appends commands that make the listed breakpoints again, for `source`. Returns false, with an error in `why`, if there is none or one has a line
 * break in it; earlier ones may be in `out` then. */
bool breakpoint_save_text(struct debug *d, struct text *out, struct text *why);
/* Stores the numbers of the listed breakpoints that `commands [N | N-M]...` names, without arguments the newest one's; beyond `max` they are left
 * out. Returns false, with an error in `why`, if a number or range names none. */
bool breakpoint_commands_targets(struct debug *d, const char *args, uint32_t *numbers, size_t max, size_t *n,
				 struct text *why);

#endif
