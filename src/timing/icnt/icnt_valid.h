/* What the validators of the network's files share. Private to the interconnect. */
#ifndef TIMING_ICNT_VALID_H
#define TIMING_ICNT_VALID_H

#include "timing/common/valid.h"
#include "timing/icnt/icnt_internal.h"

enum icnt_claim { ICNT_UNKNOWN, ICNT_FREE, ICNT_USED /* by the first network, + 1: by the second */ };

struct icnt_valid {
	const struct icnt *n;
	struct timing_valid *v;
	struct valid_pool flits, packets, queued; /* queued: packets in the input queue of their node */
	uint32_t *sent;				  /* [packet] flits found, and those that have been retired */
	uint32_t *held;				  /* [packet] of these, those that have not left their input's buffer */
	uint32_t *incomplete[ICNT_NETS];	  /* [node][vc] flits in the boundary buffer of a packet that has not come */
	uint64_t n_waiting, n_live, n_items[ICNT_NETS];
};

/* Returns true if a packet is one of network `net` whose fields are valid, and claims its request. Later calls for the same packet only compare
 * the network. */
bool icnt_packet_is_valid(struct icnt_valid *x, uint32_t net, uint32_t packet);
/* Returns true if the state of the network's random numbers is valid. */
bool icnt_random_is_valid(const struct icnt *n);
/* Returns true if the network's statistics are valid. */
bool icnt_stats_are_valid(const struct icnt *n);
/* Returns true if the state of the routers of network `net` is consistent, and counts their flits and packets in *x. */
bool icnt_routers_are_valid(struct icnt_valid *x, uint32_t net);

#endif
