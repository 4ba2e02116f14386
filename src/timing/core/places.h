/* The addresses at which GPGPU-Sim 3.2.2 puts module variables. They differ from warpstep's addresses of .global and .const variables, and cycles depend on
 * them (cache sets, channels); so the timing model translates. Heap addresses are the same in both.
 *
 * Rule: .global and .const variables share one counter that starts at 0x100, in source order; each begins at a multiple of its size if
 * that is a power of two below 128, else of 128; `.align` is ignored. */
#ifndef TIMING_PLACES_H
#define TIMING_PLACES_H

#include "isa/address_map.h"
#include "isa/program.h"

struct timing_variable {
	uint64_t first, end; /* generic addresses */
	uint64_t place;	     /* GPGPU-Sim's address of the first byte */
};
struct timing_places {
	struct timing_variable *at; /* by address; they don't overlap */
	uint32_t n;
};
/* Rebuilds the table for all variables of the program. */
void timing_places_update(struct timing_places *t, const struct isa_program *p);
/* Frees the table. */
void timing_places_free(struct timing_places *t);
/* Returns the address that caches and memory see for the generic address of a global or constant access. Outside of variables, returns `generic`
 * itself, or in the constant window the offset in the window plus 0x100. */
uint64_t timing_places_find(const struct timing_places *t, uint64_t generic);

#endif
