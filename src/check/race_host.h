/* Copies and fills of the host's streams, judged against kernels' accesses and each other.
 *
 * They are kept as ranges, the latest ones. When one is done, kernels' accesses to the range that nothing orders are looked for in the cells; and a
 * kernel's access looks at those ranges that nothing orders with its launch. */
#ifndef CHECK_RACE_HOST_H
#define CHECK_RACE_HOST_H

#include "check/race.h"
#include "check/race_order.h"

struct race_host_access {
	uint64_t address, n;
	uint64_t caller; /* return address in the program; 0: not known */
	struct order_point at;
	uint32_t context, stream;
	bool is_write, is_fill;
	bool is_pool, is_free; /* memory of a pool is allocated in the stream's order, or freed; counts as written */
	bool is_direct; /* by a thread of the program, in no stream */
};

/* Two accesses that nothing orders, one of them the host's. */
struct race_host_found {
	struct race_host_access host;
	bool host_is_later;
	/* the other: the host's, too, */
	bool by_host;
	struct race_host_access other;
	/* or a thread's: `uid` is its low half */
	uint32_t uid, pc;
	uint64_t near; /* a uid of the same launch */
	struct race_site site;
	uint64_t address; /* of the thread's access, or the first byte in common */
};

struct race_host {
	struct race *race;
	struct order order;
	struct gpu *g;
	int section;
	void (*found)(void *self, const struct race_host_found *f);
	void *self;
};

/* Adds the sections of host accesses and their order. The caller sets race, found and self. Returns false if there is no address space. */
bool race_host_init(struct race_host *h, struct gpu *g);
/* Forgets all host accesses, and the order of operations. */
void race_host_forget(struct race_host *h);
/* Forgets host accesses that overlap `n` bytes, which have been allocated anew. */
void race_host_forget_memory(struct race_host *h, uint64_t address, uint64_t n);
/* Processes an input: updates the order, then judges and records a copy or fill. Races are reported through `found`. */
void race_host_input(struct race_host *h, const struct gpu_input *in, int64_t result);

/* Returns true if at least one host access is recorded. */
bool race_host_any(const struct race_host *h);
/* Returns true if [low, end) overlaps the bounds of the recorded host accesses that aren't ordered with the launch. */
bool race_host_near(struct race_host *h, uint32_t launch, uint64_t low, uint64_t end);
/* Returns the latest host access that a thread's access of the launch races with. Returns NULL if there is none. */
const struct race_host_access *race_host_look(const struct race_host *h, uint32_t launch, const struct race_site *s,
					      uint64_t address);

#endif
