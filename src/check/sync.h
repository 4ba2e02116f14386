/* What the files of the sync checker share. */
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
bool sync_leavers_on(void *self);
void sync_leavers_reset(void *self);
void sync_leavers_rebuilt(void *self);
/* Notes where lanes part from others, and from where they leave the kernel: struct exec_checker.parts. */
void sync_leavers_note(void *self, const struct exec *x, bool exits, bool leaves);
/* Returns those of the exited `lanes` that have passed by the instruction at x->pc, which `lane` executes, without those reported there before. *exit_pc: where the first of them
 * has exited. */
uint32_t sync_leavers_passed(struct sync *s, const struct exec *x, unsigned lane, uint32_t lanes, uint32_t *exit_pc);
/* Notes that `lanes` have been reported at the instruction at pc. */
void sync_leavers_told(struct sync *s, const struct exec *x, uint32_t lanes, uint32_t pc);

/* Notes that a barrier of a block in a deadlock has been reported. */
void sync_barrier_tell(struct sync *s, const struct exec_cta *cta, uint32_t id);
/* Returns true if it has been reported since a barrier of the block opened last. */
bool sync_barrier_was_told(const struct sync *s, const struct exec_cta *cta, uint32_t id);

#endif
