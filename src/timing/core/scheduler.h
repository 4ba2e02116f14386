/* Warp schedulers: in which order a scheduler looks at its warps. Source: GPGPU-Sim manual "Warp scheduling", behaviour of 3.2.2. */
#ifndef TIMING_SCHEDULER_H
#define TIMING_SCHEDULER_H

#include "timing/core/core.h"

struct scheduler_state {
	uint64_t mine; /* warp slots of this scheduler */
	uint32_t last; /* warp issued last */
	bool has_last; /* none yet: lrr starts at the first */
	bool stale;    /* a slot was filled or emptied: `sorted` is to be made anew */
	uint8_t n_sorted;
	uint8_t sorted[CORE_WARPS_MAX]; /* live warps by slot, age, or instructions issued, as the kind wants */
	/* two-level schedulers: warps looked at, and a queue of the others */
	uint32_t n_active, n_pending;
	uint8_t active[CORE_WARPS_MAX], pending[CORE_WARPS_MAX]; /* the next one first */
};

/* What sorts a scheduler's live warps; slots break ties. */
enum scheduler_key { BY_SLOT, BY_AGE, BY_MOST_ISSUED, BY_LEAST_ISSUED };
/* Where the walk over them begins; those before come at the end. */
enum scheduler_start { AT_FIRST, AT_LAST_ISSUED /* then the others as they are sorted */, AFTER_LAST_ISSUED };
/* Functions of a scheduler whose order is not a sorted list of all live warps; NULL: nothing to do, but for `order`. */
struct scheduler_own {
	bool levels; /* it keeps the lists `active` and `pending` */
	void (*init)(const struct core *c, struct scheduler_state *s);
	uint32_t (*order)(struct core *c, struct scheduler_state *s, uint8_t *order);
	void (*issued)(struct core *c, struct scheduler_state *s, uint32_t warp);
	/* As many cycles without an issue. In how many of them one of the warps `held` would have been looked at. NULL: they are all alike. */
	uint64_t (*skip)(struct core *c, struct scheduler_state *s, uint64_t cycles, uint64_t held);
};
/* A row of schedulers.def. */
struct scheduler_rule {
	const char *option, *parameters, *name;
	enum scheduler_key key;
	enum scheduler_start start;
	const struct scheduler_own *own;
};
extern const struct scheduler_rule scheduler_rules[SCHEDULERS];

static inline uint32_t scheduler_pending(const struct scheduler_state *s, uint32_t k) { return s->pending[k]; }

/* When the device is created: chooses c->rule. Nothing of it is reset between kernels. */
void scheduler_init(struct core *c);
/* Warp slots of scheduler k (w mod schedulers == k) in the order to be tried; returns how many. May demote and promote warps of the two-level
 * schedulers, so it is called exactly once per scheduler and cycle. */
uint32_t scheduler_order(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX]);
/* The same for the issue stage: of warps that can't issue (empty I-buffer, waiting, known to be held back by the scoreboard) those are left out
 * whose presence changes nothing. *blocked: one that the scoreboard holds back would have been looked at. */
uint32_t scheduler_candidates(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX], bool *blocked);
/* So many cycles of scheduler k in which nothing issues and no warp's state changes: the two-level schedulers' lists move on. In how many of
 * them a warp that the scoreboard holds back would have been looked at. */
uint64_t scheduler_skip(struct core *c, uint32_t k, uint64_t cycles);
/* Orders in which every live warp has a place need no list: the first of some of the scheduler's warps (not empty). */
bool scheduler_has_list(const struct core *c);
uint32_t scheduler_first_of(struct core *c, uint32_t k, uint64_t warps);
static inline uint32_t scheduler_first(struct core *c, uint32_t k, uint64_t warps)
{
	const uint32_t last = c->scheduler[k].last;
	return c->rule->start == AT_LAST_ISSUED && warps >> last & 1 ? last : scheduler_first_of(c, k, warps);
}
/* The walk ended with this warp having issued c->s->issued instructions. */
static inline void scheduler_issued(struct core *c, uint32_t k, uint32_t warp)
{
	struct scheduler_state *s = &c->scheduler[k];
	s->last = warp;
	s->has_last = true;
	if (c->rule->own && c->rule->own->issued)
		c->rule->own->issued(c, s, warp);
}
/* A warp slot was filled or emptied: cached orders are void. */
void scheduler_warp_placed(struct core *c, uint32_t warp);
void scheduler_warp_retired(struct core *c, uint32_t warp);
/* All lanes done, at a barrier, a memory barrier pending with reserved registers (it is cleared when there are none), or
 * outstanding atomics. */
bool warp_waiting(struct core *c, uint32_t warp);

#endif
