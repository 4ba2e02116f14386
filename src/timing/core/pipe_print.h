/* Parts of `dp` in GPGPU-Sim's form: instructions in flight, result buses. */
#ifndef TIMING_PIPE_PRINT_H
#define TIMING_PIPE_PRINT_H

#include "base/text.h"
#include "timing/core/core.h"

/* Appends "bubble", or "0x0048 w03[11111111111111111111111111111111]: ": the part of an instruction's line before its text. */
void inst_print_head(const struct core *c, uint32_t inst, struct text *out);

#define PIPE_NAME_MAX 24u
/* Stores the name of a set of pipeline registers: "ID_OC_SP". */
void pipe_name(const struct core_model *m, unsigned set, char out[PIPE_NAME_MAX]);

/* Appends a string of bits for each result bus, the furthest taken cycle first. */
void result_buses_print(const struct core *c, struct text *out);

#endif
