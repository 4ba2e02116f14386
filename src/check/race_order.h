/* What of the host's doings is ordered: launches, copies and fills of streams, by the streams themselves, events, and what the host has waited for.
 *
 * Each operation gets a number and a clock: for each stream the last operation that is over before it begins, whatever time they take. Streams have
 * the clocks of their last operations, the host has one of what it has waited for; all its threads share it. All follows from inputs
 * (gpu/input.h). What isn't known, as it was queued before the race checker was switched on, counts as ordered. */
#ifndef CHECK_RACE_ORDER_H
#define CHECK_RACE_ORDER_H

#include "gpu/input.h"

#define ORDER_STREAMS 128u /* streams whose numbers are so far apart share a place: then more is ordered */
#define ORDER_HOST ORDER_STREAMS /* the place of what the program's threads do themselves */
#define ORDER_PLACES (ORDER_STREAMS + 1)

struct order_point {
	uint32_t place, number; /* of the stream; of the operation, through all streams, from 1 */
};
struct order_clock {
	uint32_t of[ORDER_PLACES];
};

struct order {
	struct gpu *g;
	struct arena *arena;
	int section;
};

/* Adds the section of the order to the arena. Returns false if there is no address space. */
bool order_init(struct order *o, struct gpu *g);
/* Forgets all operations so far. Existing streams are noted again. */
void order_forget(struct order *o);
/* Updates the clocks for an input that has been executed with `result`. */
void order_input(struct order *o, const struct gpu_input *in, int64_t result);

/* Returns true if the operation at `p` is over before the operation with clock `c` begins. */
static inline bool order_knows(const struct order_clock *c, struct order_point p) { return p.number <= c->of[p.place]; }
/* Returns the clock of a launch, and its point in *at. A launch made by a kernel has that of its parent. Returns NULL if the launch's clock isn't
 * known. */
const struct order_clock *order_of_launch(const struct order *o, uint32_t launch, struct order_point *at);
/* Returns true if one of two launches is ordered before the other, or the clock of one isn't known. */
bool order_launches(const struct order *o, uint32_t a, uint32_t b);
/* Returns the clock of a host operation, and its point in *at. An operation without a tag gets a new number now. Returns NULL if the operation's clock
 * isn't known. */
const struct order_clock *order_of_turn(struct order *o, const struct gpu_operation_spec *turn, struct order_point *at);
/* Returns the clock of what the program does itself now, in no stream, and its point in *at. */
const struct order_clock *order_of_host(struct order *o, struct order_point *at);
/* Returns true if the host has waited for the operation at `p`. */
bool order_host_knows(const struct order *o, struct order_point p);

#endif
