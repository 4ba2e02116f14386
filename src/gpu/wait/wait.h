/* Detects warps that wait: warps that go round a loop, reading the same places with the same values and changing no memory.
 *
 * The caller observes a warp: after each of its instructions it calls wait_step with the access that the instruction made. A round ends
 * where a read recurs with the same pc, SIMT stack, places and values. A warp waits after WAIT_ROUNDS equal rounds, whatever its registers
 * hold. What it read stays in its record, so that gpu_warp_waits can tell whether any of that has changed since. Reads of local,
 * parameter and constant memory aren't counted; a loop that reads nothing else never waits. */
#ifndef GPU_WAIT_H
#define GPU_WAIT_H

#include "gpu/device/internal.h"

#define WAIT_ROUNDS 64u
#define WAIT_PLACES 64u

/* WAIT_FOREVER: and it is proven (prove.c) that the warp continues so as long as the places hold what it read. WAIT_TIMED: that was tried in vain. */
enum wait_phase { WAIT_NONE, WAIT_OBSERVED, WAIT_FOUND, WAIT_TIMED, WAIT_FOREVER };

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
	uint64_t epoch;	   /* memory epoch when the observation began; then one in which the places held their values */
	uint64_t round_epoch; /* when the last round began */
	uint64_t touched;  /* gpu_state.touched when the observation began */
	uint32_t rounds;   /* equal rounds so far */
	uint32_t needed;   /* equal rounds after which the warp waits */
	uint32_t steps;	   /* instructions in the current round */
	uint32_t max_steps; /* that a round may take */
	uint32_t mismatches; /* times that a round was not like the one before it */
	uint32_t first, last_pc; /* lowest and highest instruction of the rounds */
	uint32_t rule;	   /* enum gpu_look_rules by which the warp is observed; GPU_LOOK_NONE: none */
	uint32_t lanes;	   /* that run in the rounds */
	uint32_t paths;	   /* lanes of the paths that were found to wait in this epoch: their places are in the record */
	uint32_t proven;   /* lanes of the paths that are proven to wait for ever */
	uint32_t n_kept;   /* places of the warp's other paths; those of this one follow */
	uint32_t n_places;
	bool has_begun;	     /* the anchor was seen since it was chosen */
	bool stands;	     /* the warp is where it was found to wait */
	bool is_proving;     /* the wait is being proven, path by path */
	bool has_all_places; /* else there were more than WAIT_PLACES */
	struct wait_place place[WAIT_PLACES];
	/* kept when a wait is over: */
	uint64_t next_look; /* `executed` from which on the warp may be observed */
	uint64_t lent;	    /* turns given to the warp although it waited, since it has changed memory */
};

enum wait_news {
	WAIT_GOES_ON, /* not yet known */
	WAIT_IS_FOUND, /* the top entry of the warp's SIMT stack waits */
	WAIT_IS_OVER   /* the warp does something else; the observation has ended */
};

/* Starts to observe a warp, as rule number `rule` (GPU_LOOK_...) asks; forgets what was observed before. max_steps: most instructions of a round. */
void wait_begin(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t rule, uint32_t max_steps);
/* Starts to observe another path of a warp. The places that earlier paths have read are kept. */
void wait_begin_path(struct gpu *g, uint32_t slot, uint32_t warp);
/* Returns the lanes that took part in the rounds of an observation, on all observed paths. */
uint32_t wait_lanes(const struct gpu *g, uint32_t slot, uint32_t warp);
/* Sets how many equal rounds end the observation of a warp with a wait, in place of WAIT_ROUNDS. Call it right after wait_begin. */
void wait_require_rounds(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t rounds);
/* Ends the observations and waits of all warps of a block, whose slot is about to be freed. */
void wait_end_block(struct gpu *g, uint32_t slot);
/* Ends a warp's observation, or a wait that was found. Does nothing if there is neither. */
void wait_end(struct gpu *g, uint32_t slot, uint32_t warp);
/* Records that the observed warp has executed the instruction at `pc`. access: its access; without lanes there was none. changed: the warp has changed
 * global or shared memory, which ends the observation. Returns whether the observation continues, has found a wait, or is over. */
enum wait_news wait_step(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t pc, const struct exec_access *access, bool changed);

/* Of a warp that waits, after an instruction: whether a round is over, and was like those before it. */
enum wait_round { WAIT_ROUND_INSIDE, WAIT_ROUND_OVER, WAIT_ROUND_DIFFERS };
/* Updates the round of a waiting warp after an instruction. Returns whether the round is over, and whether it differs from the earlier rounds. */
enum wait_round wait_follow(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t pc, const struct exec_access *access);
/* Adds the places that *access reads to the places whose change ends the warp's wait, as another round of the loop may read other places. */
void wait_add_places(struct gpu *g, uint32_t slot, uint32_t warp, const struct exec_access *access);
/* Sets the phase of a warp that waits. */
void wait_set(struct gpu *g, uint32_t slot, uint32_t warp, enum wait_phase phase);

/* Returns the record of a warp for reading. */
const struct wait_record *wait_record_of(const struct gpu *g, uint32_t slot, uint32_t warp);
/* Returns the record of a warp for writing, and saves its page for marks. */
struct wait_record *wait_touch_record(struct gpu *g, uint32_t slot, uint32_t warp);
/* Adds the arena's section for records of waiting warps. Returns false if there is no room. */
bool wait_add_section(struct gpu *g);
/* Returns true if the instruction is in a loop that may wait, as the loop's code shows. Analyses the function at the first call. */
bool wait_code_at(const struct gpu *g, uint32_t pc);
/* Returns true if a function, by its number, has loops that may wait, as their code shows, or calls other functions. Returns false for numbers without
 * a function. */
bool wait_code_in(const struct gpu *g, uint32_t function);
/* Frees what was found about the program's loops, if anything was. */
void wait_code_free(struct gpu *g);

#endif
