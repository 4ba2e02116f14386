/* Inside the memory partitions: their state and views. */
#ifndef TIMING_PARTITION_INTERNAL_H
#define TIMING_PARTITION_INTERNAL_H

#include <assert.h>

#include "timing/partition/partition.h"

/* Until when a sub-partition or a DRAM has nothing to do. These structs lie side by side: most cycles read nothing else. */
struct quiet {
	uint64_t until;	    /* core cycle before which a cycle only counts */
	uint64_t uncounted; /* such cycles not yet added to the L2's (the DRAM's) count: sub_partition_count, partition_count */
};

struct sub_state {
	struct request_list rop;
	uint32_t tracked;     /* requests that came in and have not been answered */
	uint64_t copied;      /* sectors that host copies left in the L2: 4.x adds them to its clock */
};

struct partition_state {
	struct request_list latency; /* on their way to the controller */
	uint32_t last_borrower;
	uint32_t shared_credits; /* borrowed */
};

/* A partition's way to the memory that all partitions share. */
struct partition_port {
	struct request_list list[PORT_LISTS]; /* waiting for the memory; reads in it; done; on their way to the L2 */
	uint32_t pending;		      /* taken by the memory and not yet on their way to the L2 */
};

struct sub_partition {
	struct partitions *all;
	uint32_t partition;
	struct sub_state *s;
	uint32_t *private_credits; /* borrowed */
	struct fifo *icnt_to_l2, *l2_to_dram, *dram_to_l2, *l2_to_icnt;
	struct cache *l2; /* NULL: none */
};

struct partition {
	struct partitions *all;
	struct sub_partition *sub; /* the first of its own */
	struct partition_state *s;
	struct dram *dram; /* where the memory is shared it takes no requests */
	struct partition_port *port; /* NULL: the memory isn't shared */
};

struct partitions {
	const struct partition_config *cfg;
	const struct address_map *map;
	struct requests *q;
	struct partition_stats *stats;
	void (*on_dram)(void *self, uint32_t request); /* called with each request that enters a controller, or NULL */
	void *on_dram_self;
	uint32_t shared_limit; /* 0: no limit */
	uint32_t n_subs;
	bool full_when_empty; /* 4.x with so short a queue that nothing ever gets in */
	struct sub_partition *sub;
	struct partition *partition;
	struct sdram *memory; /* that all partitions share; NULL: none */
	uint64_t memory_now;  /* core cycle of the memory's cycle under way */
	struct quiet *sub_quiet, *dram_quiet; /* [n_subs], [n_partitions] */
	uint64_t *replying;		      /* sub-partitions with a reply for the network, a bit each */
};

/* Adds the uncounted cycles to the L2's count, if there is an L2. Call it before the count is read or set, and before a cycle that does more than
 * count. */
void sub_partition_count(const struct partitions *p, uint32_t sub);
/* Adds the uncounted cycles to the DRAM's count. Call it before the count is read or set, and before a cycle that does more than count. */
void partition_count(const struct partitions *p, uint32_t partition);

/* Returns the time at which the sub-partition has something to do if nothing arrives: 0 for the next cycle, UINT64_MAX for never. */
uint64_t sub_partition_next_work(const struct sub_partition *s);
/* Returns the time at which the partition's DRAM has something to do if nothing arrives: 0 for the next cycle, UINT64_MAX for never. */
uint64_t partition_next_work(const struct partition *p);

/* ---- partition.c, for the shared memory ---- */
/* Starts one request of the sub-partitions on its way to the memory. */
void partition_choose_sub(struct partition *p, uint64_t now);
/* Hands a request that the memory has served to its sub-partition. Returns false if the queue there has no room. */
bool partition_hand_over(struct partition *p, uint32_t request, uint64_t now);
/* Notifies the observer of a request that enters the memory. */
void partition_note_dram(struct partition *p, uint32_t request);

/* ---- partition_memory.c ---- */
/* Builds the memory that all partitions share, and their ports. Returns false if there is no room. */
bool partitions_create_memory(struct partitions *p, struct timing_memory *m);
/* Simulates one cycle of the shared memory and of all ports. */
void partitions_memory_cycle(struct partitions *p, uint64_t now);
/* Returns true if the shared memory and the ports are consistent, and claims their requests. */
bool partitions_memory_is_valid(const struct partitions *p, struct timing_valid *v);
/* Calls `each` for every request of a valid port. */
void partition_port_each(const struct partition *p, void (*each)(void *self, uint32_t request), void *self);
/* Appends a port's requests and the state of the shared memory (command `dm`). */
void partition_port_dump(const struct partition *p, struct text *out);

#define PRIVATE_CREDITS 1u /* per sub-partition */

/* Appends a request to the L2-to-DRAM queue, which must have room. */
void sub_partition_to_dram(struct sub_partition *s, uint32_t request, uint64_t now);

#endif
