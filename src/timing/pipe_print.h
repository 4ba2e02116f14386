/* Parts of `dp` in GPGPU-Sim's form: scoreboard, operand collector, pipeline registers, function units, result buses. */
#ifndef TIMING_PIPE_PRINT_H
#define TIMING_PIPE_PRINT_H

#include "base/text.h"
#include "timing/core.h"

/* Writes the line of an instruction in flight, without line end: "bubble" for 0, else pc, warp, lanes and, which only its owner knows, the
 * source text. */
struct inst_printer {
	void *self;
	void (*line)(void *self, const struct core *c, uint32_t inst, struct text *out);
};
/* "bubble", or "0x0048 w03[11111111111111111111111111111111]: ": the part that needs no program text. */
void inst_print_head(const struct core *c, uint32_t inst, struct text *out);

extern const char *const pipe_set_names[PIPE_SETS];

/* Scoreboard numbers in use, a line per warp that has some. */
void scoreboard_print(const struct core *c, struct text *out);
/* Collector units with what they wait for, then the arbiter. */
void collector_print(const struct core *c, const struct inst_printer *p, struct text *out);
void pipe_sets_print(const struct core *c, const struct inst_printer *p, struct text *out);
/* SP and SFU: dispatch register, and the stages in use from the deepest to the one that leaves next. */
void units_print(const struct core *c, const struct inst_printer *p, struct text *out);
/* A string of bits per result bus, the cycle furthest ahead first, as far as any is taken. */
void result_buses_print(const struct core *c, struct text *out);
void pipe_set_print(const struct core *c, enum pipe_set_id set, const struct inst_printer *p, struct text *out);

#endif
