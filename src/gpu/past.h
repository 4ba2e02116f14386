/* For whoever takes a device back to what it was (arena_go_back), and has it do again what it did.
 *
 * Nearly all of a device is in its arena; this is the rest: what must be kept beside a mark, and how what it holds besides becomes right again. */
#ifndef GPU_PAST_H
#define GPU_PAST_H

#include "gpu/gpu.h"
#include "timing/timing.h"

/* What isn't in the arena, and doesn't follow from it. */
struct gpu_beside {
	uint64_t memory_mark;	/* gpu_memory_mark */
	struct timing_place at; /* inside a tick: where it stands */
	enum timing_stopped stopped;
	uint32_t n_functions; /* of the program then */
};
void gpu_keep_beside(const struct gpu *g, struct gpu_beside *out);
/* The arena holds what it held then: so does everything else. */
void gpu_revive(struct gpu *g, const struct gpu_beside *beside);

/* What is counted when somebody asks is counted: machines that are the same have the same bytes then. */
void gpu_settle(struct gpu *g);

/* Returns how many flits the memory of the performance model has sent to the cores. */
uint64_t gpu_flits_sent(const struct gpu *g);

/* Marks that gpu_memory_mark replaces stay in the arena's chain: somebody may go back to where they counted. */
void gpu_keep_marks(struct gpu *g, bool on);

/* What runs has run before: the device prints and logs nothing. */
void gpu_set_silent(struct gpu *g, bool on);

/* Again what ran, and nobody looks: no marks, no watched pages, no hooks; silent. Requests pass what they would stop at only for such. */
struct gpu_unseen {
	bool was_silent;
	uint8_t *none;
	struct exec_observer observer;
	void (*on_issue)(void *observer, struct core *c, uint32_t inst, uint64_t now);
	void (*on_cycle)(void *observer, struct core *c, uint64_t now);
	void (*on_tick)(void *observer, uint32_t domains, uint64_t now);
	void (*on_turn)(void *observer, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp, uint64_t n);
	void (*on_event)(void *observer, uint32_t request, enum request_status before);
};
void gpu_unseen_begin(struct gpu *g, struct gpu_unseen *u);
void gpu_unseen_end(struct gpu *g, struct gpu_unseen *u);

#endif
