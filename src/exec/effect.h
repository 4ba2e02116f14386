/* Telling an observer of effects: for the files of exec that have some. */
#ifndef EXEC_EFFECT_H
#define EXEC_EFFECT_H

#include "exec/internal.h"

/* x->effect is about to happen: asks `before`. True: stop in front of it; the event is set. */
bool exec_ask(struct exec *x);
/* e has happened, and its kind is looked at. */
void exec_tell(struct exec *x, const struct exec_effect *e);

/* The same of an access that was recorded. */
bool exec_ask_recorded(struct exec *x);

/* At the end of a memory instruction's observed handler: its access, if there was one, has happened, or the instruction stopped. */
void exec_access_over(struct exec *x);
/* A barrier with the thread count `count` (0: none) has opened for the warps that waited. */
void exec_tell_open(struct exec *x, uint32_t id, uint32_t count, uint32_t warps);

/* A barrier or an instruction at which lanes wait for each other is used wrongly; of *m the detail is still to be written, from fmt. True: it goes
 * on; else it faults, or stops. */
__attribute__((format(printf, 3, 4))) bool exec_misused(struct exec *x, struct exec_misuse *m, const char *fmt, ...);
/* Returns true if the instruction that has just been called stays in front of its effect: it faults, or it stops for an observer. */
static inline bool effect_is_stopped(const struct exec *x)
{
	return x->event == EXEC_EVENT(EXEC_FAULT) || x->event == EXEC_EVENT(EXEC_ACCESS);
}

/* Does somebody judge misuse that is no fault? */
static inline bool exec_judges_misuse(const struct exec *x)
{
	return x->observer.checker && x->observer.checker->misuse;
}

#endif
