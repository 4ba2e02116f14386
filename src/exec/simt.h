/* The SIMT stack: which lanes of a warp run, where, and where they meet again.
 *
 * Post-dominator reconvergence as in GPGPU-Sim's manual ("SIMT stack"). A divergent branch turns the top entry into the
 * reconvergence entry (its pc becomes the reconvergence point) and pushes an entry for each group of lanes; the group with the
 * highest lane lies lowest and runs last. An entry whose pc reaches its rpc is popped, its lanes go on in the entry below.
 * A call leaves pc + 1 in the caller's entry and pushes an entry with the callee's frame. Entries of one activation lie
 * together and share frame, local_sp and call_depth; those that return leave all entries of their activation and wait in the
 * caller's. Masks hold only lanes that have not exited, and every mask is a subset of the one below it, siblings (entries with the
 * same rpc of one activation) apart, whose masks are disjoint.
 *
 * All functions work on the warp exec_run has loaded into x and leave EXEC_EVENT_CONTROL, or EXEC_DONE, in x->event. */
#ifndef EXEC_SIMT_H
#define EXEC_SIMT_H

#include "exec/internal.h"

struct simt_group {
	uint32_t pc, lanes;
};

/* Moves all lanes of the top entry to pc. */
void simt_goto(struct exec *x, uint32_t pc);
/* Moves all lanes of the top entry to pc and lets another entry's lanes run first, for which a sleeping lane may wait. */
void simt_sleep(struct exec *x, uint32_t pc);
/* Moves the lanes of the top entry to n >= 1 different places, which together hold all of them; `reconv` is where they meet again. Changes the
 * order of the groups. */
void simt_diverge(struct exec *x, struct simt_group *g, unsigned n, uint32_t reconv);
/* Pushes a copy of *e. Returns false if there is no room. */
bool simt_push(struct exec *x, const struct exec_simt *e);
/* Takes `lanes` out of the warp; other lanes of the top entry continue at x->pc + 1. Lanes that wait in front of warp-level instructions execute these
 * instructions again. */
void simt_exit(struct exec *x, uint32_t lanes);
/* Takes `lanes` out of the top entry's activation, which must not be the kernel's; other lanes of the top entry continue at x->pc + 1. */
void simt_return(struct exec *x, uint32_t lanes);
/* Removes an entry below the top that holds no lanes any more, and its frame if no other entry uses that. */
void simt_drop(struct exec *x, struct exec_simt *e);
/* Merges into the top entry all entries below that have the same frame, pc and reconvergence point and no lane in common with it. Loads the top entry. */
void simt_merge(struct exec *x);
/* Pops entries that are empty or have reconverged, brings lanes that can run to the top, and loads the top entry into x. */
void simt_settle(struct exec *x);

/* Loads the top entry into the hot fields of x. */
static inline void simt_load_top(struct exec *x)
{
	struct exec_simt *t = x->top;
	char *frame = x->frame_base + t->frame;
	x->base[ISA_BASE_FRAME] = frame;
	x->preds = (uint32_t *)(void *)frame;
	x->active = t->mask;
	x->local_sp = t->local_sp;
}

/* Loads a warp, whose launch is x->launch, and its top entry into the hot fields of x. */
static inline void simt_load_warp(struct exec *x, struct exec_cta *cta, struct exec_warp *w)
{
	x->cta = cta;
	x->warp = w;
	x->top = (struct exec_simt *)(void *)(x->simt_base + w->simt) + (w->n_simt - 1);
	x->base[ISA_BASE_CONST] = x->program->consts;
	x->base[ISA_BASE_SPECIAL] = x->special_base + w->special;
	x->base[ISA_BASE_NONE] = x->base[ISA_BASE_SPECIAL];
	x->shared = x->shared_base + cta->shared;
	x->shared_bytes = cta->shared_bytes;
	x->local = x->local_base + w->local;
	x->local_stride = w->local_stride;
	x->param = x->param_base + x->launch->param_offset;
	x->param_bytes = x->launch->param_bytes;
	x->const_bytes = x->program->const_next;
	x->event = 0;
	simt_load_top(x);
}

/* Returns the entry below that belongs to the caller of the top entry's activation, or NULL in the kernel. */
struct exec_simt *simt_caller(const struct exec *x);

#endif
