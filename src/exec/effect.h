/* Reporting effects and mistakes to the watchers: for the files of exec that have some. */
#ifndef EXEC_EFFECT_H
#define EXEC_EFFECT_H

#include "exec/internal.h"

/* Calls `before` of the watchers of x->effect.kind, and of the watchers in `touched`, a bit each by their place in exec_watching.entry. Returns true,
 * with x->event set, if one of them stops the instruction. */
bool effect_before_touched(struct exec *x, uint32_t touched);
/* Calls `before` of the watchers of x->effect.kind. Returns true, with x->event set, if one of them stops the instruction. */
static inline bool effect_before(struct exec *x) { return effect_before_touched(x, 0); }
/* Calls `after` of the watchers of e->kind. */
void effect_after(struct exec *x, const struct exec_effect *e);

/* Calls `before` of the watchers for an access that was recorded in x->effect, and notes that its `after` is due. Returns true, with x->event set, if
 * one of them stops the instruction. */
bool effect_before_access(struct exec *x);

/* Ends an observed memory instruction: reports its access as done, unless the instruction stopped or the access is deferred. */
void effect_access_done(struct exec *x);
/* Reports that barrier `id`, with thread count `count` (0: none), has opened for the waiting warps, a bit each. */
void effect_barrier_opened(struct exec *x, uint32_t id, uint32_t count, uint64_t warps);

/* Reports wrong use of a barrier or a warp-level instruction to the watchers, with a detail made from fmt. Returns true if the machine continues in
 * spite of it; if false, the instruction faults or stops. If no watcher judges it, the instruction faults. */
__attribute__((format(printf, 3, 4))) bool effect_misuse(struct exec *x, struct exec_misuse *m, const char *fmt, ...);
/* Returns true if some watcher judges misuse, even misuse that is no fault without a checker. */
static inline bool effect_misuse_is_judged(const struct exec *x) { return x->wants.misuse; }
/* Returns the judgement of the first watcher that doesn't want the fault of an access whose wrong lanes would fault. Returns EXEC_JUDGE_FAULT if there
 * is none. */
enum exec_judgement effect_judge_wrong(struct exec *x, const struct exec_wrong *wrong);
/* Returns the watchers' judgement of a wrong free by a lane (exec_watcher.wrong_free). */
enum exec_judgement effect_judge_free(struct exec *x, unsigned lane, uint64_t address, enum exec_heap_state state, bool again);
/* Notifies watchers that memory was written from outside; `offset` is in the space's section. */
void effect_wrote(const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n);

/* Returns true if the instruction whose handler has returned stays in front of its effect: it faults, or it stops for a watcher. */
static inline bool effect_is_stopped(const struct exec *x)
{
	return x->event == EXEC_EVENT(EXEC_FAULT) || x->event == EXEC_EVENT(EXEC_ACCESS);
}

#endif
