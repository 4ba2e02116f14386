/* Parts of `dp` in GPGPU-Sim's form: instructions in flight, a set of pipeline registers, result buses. */
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

/* A string of bits per result bus, the cycle furthest ahead first, as far as any is taken. */
void result_buses_print(const struct core *c, struct text *out);
/* A line for each register of the set. */
void pipe_set_print(const struct core *c, enum pipe_set_id set, const struct inst_printer *p, struct text *out);

#endif
