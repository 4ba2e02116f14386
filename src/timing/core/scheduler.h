/* Warp schedulers: the order in which a scheduler tries its warps. Source: GPGPU-Sim manual "Warp scheduling", behaviour of 3.2.2. */
#ifndef TIMING_SCHEDULER_H
#define TIMING_SCHEDULER_H

#include "timing/core/core.h"

struct scheduler_state {
	uint64_t mine; /* warp slots of this scheduler */
	uint32_t last; /* warp issued last */
	bool has_last; /* none yet: lrr starts at the first */
	bool stale;    /* a slot was filled or emptied: `sorted` has to be rebuilt */
	uint8_t n_sorted;
	uint8_t sorted[CORE_WARPS_MAX]; /* live warps in the order of the rule's key */
	/* two-level schedulers: warps that are tried, and a queue of the others */
	uint32_t n_active, n_pending;
	uint8_t active[CORE_WARPS_MAX], pending[CORE_WARPS_MAX]; /* the next one first */
};

/* The key that sorts a scheduler's live warps; slots break ties. */
enum scheduler_key { BY_SLOT, BY_AGE, BY_MOST_ISSUED, BY_LEAST_ISSUED };
/* The warp with which the walk over the sorted warps begins; the warps before it come at the end. */
enum scheduler_start { AT_FIRST, AT_LAST_ISSUED /* then the others as sorted */, AFTER_LAST_ISSUED };
/* Functions of a scheduler whose order is not a sorted list of all live warps. All but `order` may be NULL. */
struct scheduler_own {
	bool levels; /* it keeps the lists `active` and `pending` */
	void (*init)(const struct core *c, struct scheduler_state *s);
	uint32_t (*order)(struct core *c, struct scheduler_state *s, uint8_t *order);
	void (*issued)(struct core *c, struct scheduler_state *s, uint32_t warp);
	/* Advances by `cycles` cycles without an issue; returns in how many of them a warp of `held` would have been tried. NULL: in all or none. */
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

/* Returns warp k of a two-level scheduler's queue. */
static inline uint32_t scheduler_pending(const struct scheduler_state *s, uint32_t k) { return s->pending[k]; }

/* Sets c->rule and initialises the schedulers' state when the machine is built. The state is not reset between kernels. */
void scheduler_init(struct core *c);
/* Stores the warp slots of scheduler k (w mod schedulers == k) in the order in which the scheduler tries them, and returns their number. Call it
 * exactly once per scheduler and cycle: it may demote and promote warps of the two-level schedulers. */
uint32_t scheduler_order(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX]);
/* Stores the order as scheduler_order does, without warps that can't issue (empty I-buffer, waiting, held back by the scoreboard) and whose presence changes
 * nothing. Sets *blocked if a warp that the scoreboard holds back would have been tried. */
uint32_t scheduler_candidates(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX], bool *blocked);
/* Advances scheduler k by cycles in which nothing issues and no warp changes. Returns in how many of them a warp that the scoreboard holds back would have been
 * tried. */
uint64_t scheduler_skip(struct core *c, uint32_t k, uint64_t cycles);
/* Returns whether the scheduler has to make its order as a list: its order is its own, or its sort keys change while warps issue. */
bool scheduler_has_list(const struct core *c);
/* Returns the first in scheduler k's order of a nonempty set of its warps, for a scheduler without a list. */
uint32_t scheduler_first_of(struct core *c, uint32_t k, uint64_t warps);
/* Returns the first in scheduler k's order of a nonempty set of its warps, for a scheduler without a list. Faster than scheduler_first_of where the
 * warp issued last comes first. */
static inline uint32_t scheduler_first(struct core *c, uint32_t k, uint64_t warps)
{
	const uint32_t last = c->scheduler[k].last;
	return c->rule->start == AT_LAST_ISSUED && warps >> last & 1 ? last : scheduler_first_of(c, k, warps);
}
/* Updates scheduler k after its walk ended with a warp that issued c->s->issued instructions. */
static inline void scheduler_issued(struct core *c, uint32_t k, uint32_t warp)
{
	struct scheduler_state *s = &c->scheduler[k];
	s->last = warp;
	s->has_last = true;
	if (c->rule->own && c->rule->own->issued)
		c->rule->own->issued(c, s, warp);
}
/* Updates the warp's scheduler after a warp was placed in its slot. */
void scheduler_warp_placed(struct core *c, uint32_t warp);
/* Updates the warp's scheduler after the warp has retired. */
void scheduler_warp_retired(struct core *c, uint32_t warp);
/* Returns whether a warp can't issue: its slot is unused, all its lanes are done, or it has outstanding atomics or a bit in core_warp.waits. A pending
 * memory barrier waits while registers are reserved; clears the barrier once none is. */
bool warp_waiting(struct core *c, uint32_t warp);

#endif
