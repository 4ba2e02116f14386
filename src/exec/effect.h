/* Telling an observer of effects: for the files of exec that have some. */
#ifndef EXEC_EFFECT_H
#define EXEC_EFFECT_H

#include "exec/internal.h"

/* x->effect is about to happen: asks `before`. True: stop in front of it; the event is set. */
bool exec_ask(struct exec *x);
/* e has happened, and its kind is looked at. */
void exec_tell(struct exec *x, const struct exec_effect *e);

/* At the end of a memory instruction's observed handler: its access, if there was one, has happened, or the instruction stopped. */
void exec_access_over(struct exec *x);
/* A barrier with the thread count `count` (0: none) has opened for the warps that waited. */
void exec_tell_open(struct exec *x, uint32_t id, uint32_t count, uint32_t warps);

#endif
