/* Telling an observer of effects: for the files of exec that have some. */
#ifndef EXEC_EFFECT_H
#define EXEC_EFFECT_H

#include "exec/internal.h"

/* Asks the observer and the checker in front of the effect in x->effect. Returns true if one of them stops the instruction; the event is set then. */
bool effect_before(struct exec *x);
/* Reports an effect that has happened to the observer and the checker, if they want its kind. */
void effect_after(struct exec *x, const struct exec_effect *e);

/* Asks the checker in front of an access that was recorded in x->effect, and notes that its `after` is due. Returns true if the checker stops the
 * instruction; the event is set then. */
bool effect_before_access(struct exec *x);

/* Ends an observed memory instruction: reports its access as done, unless the instruction stopped or the access is deferred. */
void effect_access_done(struct exec *x);
/* Reports that barrier `id`, with thread count `count` (0: none), has opened for the waiting warps, a bit each. */
void effect_barrier_opened(struct exec *x, uint32_t id, uint32_t count, uint32_t warps);

/* Reports wrong use of a barrier or a warp-level instruction to the checker, with a detail made from fmt. Returns true if the machine goes on in
 * spite of it; if false, the instruction faults or stops. Without a checker it faults. */
__attribute__((format(printf, 3, 4))) bool effect_misuse(struct exec *x, struct exec_misuse *m, const char *fmt, ...);
/* Returns true if the instruction whose handler has returned stays in front of its effect: it faults, or it stops for the observer or checker. */
static inline bool effect_is_stopped(const struct exec *x)
{
	return x->event == EXEC_EVENT(EXEC_FAULT) || x->event == EXEC_EVENT(EXEC_ACCESS);
}

/* Returns true if a checker judges misuse, even misuse that is no fault without a checker. */
static inline bool effect_misuse_is_judged(const struct exec *x)
{
	return x->observer.checker && x->observer.checker->misuse;
}

#endif
