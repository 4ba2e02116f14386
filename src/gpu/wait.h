/* Detects warps that wait: warps that go round a loop, reading the same places with the same values and changing no memory.
 *
 * The caller observes a warp: after each of its instructions it calls wait_step with the access that the instruction made. A round ends
 * where a read recurs with the same pc, SIMT stack, places and values. A warp waits after WAIT_ROUNDS equal rounds, whatever its registers
 * hold. What it read stays in its record, so that gpu_warp_waits can tell whether any of that has changed since. Reads of local,
 * parameter and constant memory aren't counted; a loop that reads nothing else never waits. */
#ifndef GPU_WAIT_H
#define GPU_WAIT_H

#include "gpu/internal.h"

#define WAIT_ROUNDS 64u
#define WAIT_PLACES 64u

enum wait_phase { WAIT_NONE, WAIT_OBSERVED, WAIT_FOUND };

/* Up to 8 bytes of global or shared memory, and what they held when the warp read them. */
struct wait_place {
	uint64_t at; /* offset in the section of the space; bits 48 and up: number of bytes; bit 63: shared memory */
	uint64_t value;
};

/* The record of a resident warp: section "wait", indexed by CTA slot and warp. */
struct wait_record {
	uint64_t anchor;   /* the event that begins a round, as a hash; 0: none yet */
	uint64_t last;	   /* the last event */
	uint64_t round;	   /* events of the current round, as a hash */
	uint64_t expected; /* events of the round before */
	uint64_t checked;  /* memory epoch at which the places last held their values */
	uint64_t touched;  /* gpu_state.touched when the wait was found */
	uint32_t rounds;   /* equal rounds so far */
	uint32_t needed;   /* equal rounds after which the warp waits */
	uint32_t steps;	   /* instructions in the current round */
	uint32_t max_steps; /* that a round may take */
	uint32_t mismatches; /* times that a round was not like the one before it */
	uint32_t lanes;	   /* lanes of all ways that have read in a round: those that sleep run in turns */
	uint32_t n_places;
	bool has_begun;	     /* the anchor has come since it was chosen */
	bool has_all_places; /* else there were more than WAIT_PLACES */
	struct wait_place place[WAIT_PLACES];
};

enum wait_news {
	WAIT_GOES_ON, /* not yet known */
	WAIT_IS_FOUND, /* the top entry of the warp's SIMT stack waits */
	WAIT_IS_OVER   /* the warp does something else; the observation has ended */
};

/* Starts to observe a warp. max_steps: instructions that a round may take. */
void wait_begin(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t max_steps);
/* Returns the lanes that took part in the rounds of an observation, those of other ways, too. */
uint32_t wait_lanes(const struct gpu *g, uint32_t slot, uint32_t warp);
/* Makes fewer equal rounds than WAIT_ROUNDS enough in an observation that has just begun. */
void wait_hasten(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t rounds);
/* Ends an observation, or a wait that was found. */
void wait_end(struct gpu *g, uint32_t slot, uint32_t warp);
/* The same of all warps of a block, whose slot is about to be freed. */
void wait_end_block(struct gpu *g, uint32_t slot);
/* Notes that the observed warp has executed the instruction at pc. access: the access it made, all lanes 0: none. changed: it has
 * changed global or shared memory. */
enum wait_news wait_step(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t pc, const struct exec_access *access, bool changed);

#endif
