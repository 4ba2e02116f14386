/* SIMT core clusters: the shared network port and the response FIFO. Source: GPGPU-Sim manual "SIMT core clusters". */
#ifndef TIMING_CLUSTER_H
#define TIMING_CLUSTER_H

#include "timing/core/core.h"

/* Packets by size, for the traffic_breakdown lines. Sizes are 8 (control), and 8 + data; data up to a cache line of 512 bytes. */
#define TRAFFIC_SIZES 65u /* by 8 bytes: 8, 16, ... */
struct traffic {
	uint64_t packets[ACCESS_TYPE_COUNT + 1][TRAFFIC_SIZES]; /* the last row: global atomics, apart from GLOBAL_ACC_R */
};
struct cluster_counts {
	uint64_t flits_in, flits_out; /* of 32 bytes: icnt_total_pkts_mem_to_simt, _simt_to_mem */
};
struct cluster_state {
	struct cluster_counts n;
	uint32_t order[64];	/* cores of the cluster in the order of the next cycle */
	uint32_t next_core;	/* CTA issue */
	struct traffic out, in;
};
struct cluster {
	struct timing *t;
	uint32_t id, n_cores;
	struct core *core; /* [n_cores] */
	struct cluster_state *s;
	struct fifo *response; /* requests */
};

/* Builds a cluster of the cores that `cores` begins with. Returns false if there is no room. */
bool cluster_create(struct cluster *k, struct timing *t, uint32_t id, struct core *cores);
/* Frees the view of a cluster. */
void cluster_destroy(struct cluster *k);
/* Returns whether the cluster's network port takes a packet of `bytes` bytes. */
bool cluster_can_inject(const struct timing *t, uint32_t cluster, uint32_t bytes, bool is_write);
/* Sends a core's request: decodes its address, counts it as traffic, and gives it to the network. With perfect memory puts the reply into the response
 * FIFO at once. */
void cluster_inject(struct core *c, uint32_t request, uint64_t now);
/* Returns the level below a core's L1 caches, which sends by cluster_inject. */
struct cache_lower cluster_lower(struct core *c);
/* Gives the response FIFO's head to its core, then takes one packet from the network (the first step of a tick). */
void cluster_cycle(struct cluster *k, uint64_t now);

#endif
