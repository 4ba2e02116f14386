/* Shared declarations of the sync checker's files. */
#ifndef CHECK_SYNC_H
#define CHECK_SYNC_H

#include "check/engine.h"

#define SYNC_ANSWERS 64
struct sync {
	struct check *c;
	int section;   /* "sync-leavers": a struct leavers for each warp of each slot of a block */
	bool is_ready; /* the section exists */
	uint32_t epoch; /* counts resets, after which launches have the same numbers */
	/* Recent answers of whether an instruction is behind another one. */
	struct {
		const struct isa_program *program;
		uint32_t pc, other, without;
		bool is_behind;
	} answers[SYNC_ANSWERS];
};

/* sync_leavers.c */
/* Adds the section "sync-leavers" if it doesn't exist. Returns false if there is no address space or memory. */
bool sync_leavers_on(void *self);
/* Invalidates the entries of all launches so far. */
void sync_leavers_reset(void *self);
/* Drops what was known of section "sync-leavers", and the answers kept, after the arena was rebuilt: the section must be added again. */
void sync_leavers_rebuilt(void *self);
/* Records where lanes part from others, and from where they leave the kernel: struct exec_watcher.parts. */
void sync_leavers_note(void *self, const struct exec *x, bool exits, bool leaves);
/* Returns the exited lanes of `lanes` that have passed by the instruction at x->pc, executed by `lane`, without those reported there before.
 * *exit_pc: where the first of these lanes has exited. */
uint32_t sync_leavers_passed(struct sync *s, const struct exec *x, unsigned lane, uint32_t lanes, uint32_t *exit_pc);
/* Records that `lanes` have been reported at the instruction at `pc`. */
void sync_leavers_told(struct sync *s, const struct exec *x, uint32_t lanes, uint32_t pc);

/* Records that a barrier of a block in a deadlock has been reported. */
void sync_barrier_tell(struct sync *s, const struct exec_cta *cta, uint32_t id);
/* Returns true if the barrier was reported and no barrier of the block has opened since. */
bool sync_barrier_was_told(const struct sync *s, const struct exec_cta *cta, uint32_t id);

#endif
