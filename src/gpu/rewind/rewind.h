/* Return of a device to an earlier state (arena_go_back), and repetition of an earlier run.
 *
 * Nearly all of a device is in its arena. Here is the rest: what the caller keeps together with a mark, and how it is restored. */
#ifndef GPU_PAST_H
#define GPU_PAST_H

#include "gpu/gpu.h"
#include "timing/timing.h"

/* State outside of the arena that can't be derived from the arena. */
struct gpu_beside {
	uint64_t memory_mark;	/* gpu_memory_mark */
	struct timing_place at; /* inside a tick: where it stands */
	enum timing_stopped stopped;
	uint32_t n_functions; /* of the program then */
};
/* Stores the parts of the device's state that an arena mark doesn't include. */
void gpu_keep_beside(const struct gpu *g, struct gpu_beside *out);
/* Restores everything outside of the arena after the arena returned to an earlier state; `beside` is from that time. */
void gpu_revive(struct gpu *g, const struct gpu_beside *beside);

/* Updates all lazily computed counts, so that equal machines have equal bytes. */
void gpu_settle(struct gpu *g);

/* Returns how many flits the memory of the performance model has sent to the cores. */
uint64_t gpu_flits_sent(const struct gpu *g);

/* Keeps marks that gpu_memory_mark replaces in the arena's chain while `on`, so that the arena can return to them. */
void gpu_keep_marks(struct gpu *g, bool on);

/* Suppresses or permits printf output and log text, for a run that repeats an earlier one. */
void gpu_set_silent(struct gpu *g, bool on);

/* Marks and observer of a device, kept while it repeats an earlier run without them. Requests don't stop at breakpoints then. */
struct gpu_unseen {
	bool was_silent;
	uint8_t *none;
	bool was_repeating;
	struct timing_observer observer;
};
/* Removes marks and observer, switches off live watchers (exec_set_repeating), and makes the device silent, for a run that repeats an earlier one. The
 * caller calls gpu_unseen_end after the run. */
void gpu_unseen_begin(struct gpu *g, struct gpu_unseen *u);
/* Restores what gpu_unseen_begin removed, and frees its memory. */
void gpu_unseen_end(struct gpu *g, struct gpu_unseen *u);

#endif
