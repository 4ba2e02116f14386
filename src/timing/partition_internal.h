/* Inside the memory partitions: their state and views. */
#ifndef TIMING_PARTITION_INTERNAL_H
#define TIMING_PARTITION_INTERNAL_H

#include <assert.h>

#include "timing/partition.h"

struct sub_state {
	struct request_list rop;
	uint32_t tracked;     /* requests that came in and have not been answered */
	uint64_t quiet_until; /* core cycle before which a cycle only counts */
	uint64_t copied;      /* sectors that host copies left in the L2: 4.x adds them to its clock */
};

struct partition_state {
	struct request_list latency; /* on their way to the controller */
	uint32_t last_borrower;
	uint32_t shared_credits; /* borrowed */
	uint64_t quiet_until;
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
	struct dram *dram;
};

struct partitions {
	const struct partition_config *cfg;
	const struct address_map *map;
	struct requests *q;
	struct partition_stats *stats;
	void (*on_dram)(void *self, uint32_t request); /* NULL: nobody wants to know */
	void *on_dram_self;
	uint32_t shared_limit; /* 0: no limit */
	uint32_t n_subs;
	struct sub_partition *sub;
	struct partition *partition;
};

#define PRIVATE_CREDITS 1u /* per sub-partition */

/* Into the L2-to-DRAM queue, which has room. */
void sub_partition_to_dram(struct sub_partition *s, uint32_t request, uint64_t now);

#endif
