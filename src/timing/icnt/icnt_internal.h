/* Shared by the interconnect's files: the decoded configuration, the network's state, views of it.
 *
 * A network is R routers of P ports (inputs and outputs alike) with V virtual channels, and N nodes with one injection and one
 * ejection port each. Subnets are identical networks. Everything that lasts over a cycle lies in the arena and refers by index;
 * 0 is no flit and no packet. A "line" is a router's port counted over the network: router * P + port. A "channel" is a sender of
 * flits: the output lines, then the nodes (lines + node). */
#ifndef TIMING_ICNT_INTERNAL_H
#define TIMING_ICNT_INTERNAL_H

#include "timing/icnt/icnt.h"
#include "timing/icnt/icnt_alloc.h"
#include "timing/icnt/icnt_config.h"

#define ICNT_NETS 2u /* those with traffic: requests, replies */
#define ICNT_VCS_MAX 64u
#define ICNT_MAPPED_MAX 1024u /* nodes of a memory_node_map */
#define ICNT_ROUTE_MAX 3u
#define ICNT_NO_VC UINT16_MAX
#define ICNT_NOWHERE UINT32_MAX
#define ICNT_NOT_BEGUN UINT64_MAX

enum icnt_type { ICNT_READ_REQUEST, ICNT_WRITE_REQUEST, ICNT_READ_REPLY, ICNT_WRITE_REPLY, ICNT_TYPES };
enum icnt_topology { ICNT_FLY, ICNT_MESH, ICNT_TORUS };
enum icnt_policy {
	ICNT_PRIVATE,
	ICNT_SHARED,
	ICNT_LIMITED,
	ICNT_DYNAMIC,
	ICNT_SHIFTING,
	ICNT_FEEDBACK,
	ICNT_SIMPLE_FEEDBACK
};
enum icnt_urgency {
	ICNT_PRI_NONE,
	ICNT_PRI_CLASS,
	ICNT_PRI_AGE,
	ICNT_PRI_NETWORK_AGE,
	ICNT_PRI_SEQUENCE,
	ICNT_PRI_LOCAL_AGE,
	ICNT_PRI_QUEUE_LENGTH,
	ICNT_PRI_HOP_COUNT
};
enum icnt_vc_state { ICNT_IDLE, ICNT_ROUTING, ICNT_VC_ALLOC, ICNT_ACTIVE };

/* ---- routes ---- */
/* One alternative: an output port and a range of its virtual channels. */
struct icnt_way {
	int32_t priority;
	uint16_t port, begin_vc, end_vc;
};
/* Higher priorities first; no two of the same priority: as in booksim, the first one added stays. */
struct icnt_route {
	uint32_t n;
	struct icnt_way way[ICNT_ROUTE_MAX];
};

/* ---- what travels ---- */
struct icnt_packet {
	uint64_t first_id, id; /* of its first flit, of itself; counted from the machine's start */
	uint64_t created;      /* clock */
	uint32_t next;	       /* free list */
	uint32_t request;
	uint32_t source, destination; /* nodes */
	uint32_t n_flits, sent;
	uint32_t head_sent, head_arrived; /* low 32 bits of the clock */
	int32_t priority;
	int32_t phase, middle; /* of two-phase and torus routing; phase -1: not yet routed */
	uint16_t vc;	       /* at the injection port, ICNT_NO_VC: not yet chosen */
	uint8_t type;
	struct icnt_route route; /* of its head, at the router it is in or travels to */
};
struct icnt_flit {
	uint32_t packet, next; /* next: in its queue, or the free list */
	uint32_t number;       /* within its packet */
	uint32_t sent;	       /* low 32 bits of the clock at injection */
	int32_t priority;
	uint16_t vc, hops;
	bool head, tail;
};
struct icnt_queue {
	uint32_t head, tail, n;
};

/* ---- state of a port ---- */
/* An input virtual channel of a router. */
struct icnt_vc {
	struct icnt_queue q;
	int32_t priority;
	uint16_t out_port, out_vc;
	uint16_t ahead_port, ahead_begin, ahead_end; /* next-hop output queueing; port ICNT_NO_VC: none */
	uint8_t state;
};
/* A sender's view of the buffer at the other end of its link: of one virtual channel, and of all together. */
struct icnt_far_vc {
	uint32_t occupied;
	uint32_t reserved;  /* shared policies: slots kept for the owner */
	uint32_t limit;	    /* feedback policies */
	int32_t round_trip; /* feedback policies: average, -1: none yet */
	uint32_t pending;   /* simple feedback: credits that come before the probe's */
	uint32_t user;	    /* 1 + input * V + vc of the owner at the sender; 0: free */
	bool tail_sent;
};
struct icnt_far {
	uint32_t occupied;
	uint32_t shared_occupied;
	uint32_t held_most; /* limited policies: flits a VC may hold now */
	uint32_t active;    /* limited policies: owned VCs */
};

/* ---- waiting lists of a router's stages, oldest first; rings of a power of two ---- */
struct icnt_wait {
	uint64_t done; /* cycle in which the stage completes, or ICNT_NOT_BEGUN */
	uint16_t in, vc;
	int32_t got; /* what was allocated, -1: nothing */
};
struct icnt_waits {
	uint32_t head, n, cap, unused;
	struct icnt_wait at[];
};
struct icnt_crossing {
	uint64_t done;
	uint32_t flit, output; /* output: its line */
};
struct icnt_crossings {
	uint32_t head, n, cap, unused;
	struct icnt_crossing at[];
};
/* 64-bit words in a ring: sets of VCs whose credits wait for their link, or send times. */
struct icnt_words {
	uint32_t head, n, cap, unused;
	uint64_t at[];
};

/* ---- configuration, decoded ---- */
struct icnt_here {
	uint32_t router, port; /* where the head is or will be: router and input port */
	uint16_t vc;	       /* its VC there */
};
typedef void icnt_route_fn(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *here);
struct icnt_setup {
	enum icnt_topology topology;
	uint32_t k, n, nodes, routers, ports; /* ports: of a router */
	uint32_t flit_size, vcs;
	uint32_t link_latency; /* between routers */
	uint16_t begin_vc[ICNT_TYPES], end_vc[ICNT_TYPES];
	uint32_t input_buffer, ejection_buffer, boundary_buffer; /* flits */
	enum icnt_policy policy;
	uint32_t vc_buffer, buffer; /* flits of a VC (policy private), of a port */
	uint32_t n_parts, part_size[ICNT_VCS_MAX], shared_size, held_most;
	uint8_t part_of[ICNT_VCS_MAX];
	uint32_t aging, credit_delay;
	int32_t feedback_offset;
	bool wait_for_tail_credit, busy_when_full, prefer_empty, donate, shuffle;
	uint32_t routing_delay, vc_delay, sw_delay, cross_delay;
	uint32_t in_speedup, out_speedup;
	uint8_t in_slot[ICNT_VCS_MAX]; /* vc mod in_speedup: which of an input's crossbar ports it uses */
	double speedup;
	int64_t output_buffer; /* flits, -1: no limit */
	bool hold, noq, speculative, check_eligible, check_credit, mask_by_requests;
	struct icnt_allocator_setup vc_alloc, sw_alloc, spec_alloc;
	enum icnt_urgency urgency;
	int32_t class_priority;
	int64_t seed;
	uint32_t deadlock_timeout;
	bool perfect;
	uint32_t per_hop; /* ideal networks: 0 off */
	bool use_map;
	icnt_route_fn *route;
	uint32_t least_vcs; /* of a class, that the route needs */
	int split; /* VCs of a class divided by destination: 0 no, 1 node, 2 coordinate, -1 node but not at injection */
};

/* ---- nodes ---- */
struct icnt_node {
	uint32_t first, n_packets, n_flits; /* input queue: ring of packets, and their flits not yet sent */
	uint32_t turn;			    /* boundary VC to look at next */
	uint32_t last_vc;		    /* ICNT_NOWHERE: none yet */
	uint32_t retiring;		    /* flit taken from `ejected` in this cycle */
	struct icnt_queue ejected;	    /* flits in the boundary buffers, credit not yet returned */
	uint32_t max_ideal;		    /* ideal networks: most packets waiting */
	uint32_t unused;
	uint64_t ejection_vcs,
		arrived_vcs;	   /* VCs with flits in the ejection buffer, whole packets in the boundary buffer */
	struct request_list ideal; /* ideal networks: by arrival time */
};
/* A boundary buffer: complete packets, oldest first; flits of incomplete ones count too. */
struct icnt_boundary {
	uint32_t head, n, flits, unused;
};
struct icnt_arrived {
	uint32_t request, n_flits;
};

/* ---- one of the networks ----
 * Calendars: rings over the coming cycles, slot = clock & mask; a bit and a value for each receiver. */
struct icnt_net_state {
	uint64_t n_items; /* packets in input queues, flits, credits: 0 means that nothing can happen */
};
struct icnt_net {
	struct icnt_net_state *s;
	/* nodes */
	struct icnt_node *node;
	uint32_t *input_queue;		/* [node][input_buffer] packets */
	struct icnt_queue *ejection;	/* [node][vc] */
	struct icnt_boundary *boundary; /* [node][vc] */
	struct icnt_arrived *arrived;	/* [node][vc][boundary_buffer] */
	uint64_t *sending, *receiving;	/* bits of nodes: input queue not empty; ejection buffers or list not empty */
	/* senders */
	struct icnt_far *far;	     /* [channel] */
	struct icnt_far_vc *far_vc;  /* [channel][vc] */
	uint32_t *part;		     /* [channel][n_parts]: shared policies, flits in private parts */
	struct icnt_words **sent_at; /* [channel][vc]: feedback policies */
	/* routers */
	struct icnt_vc *vc;						   /* [line][vc] */
	struct icnt_queue *out;						   /* [line]: output buffers */
	struct icnt_words **credits;					   /* [line] */
	struct icnt_waits **route_wait, **vc_wait, **sw_wait, **hold_wait; /* [router] */
	struct icnt_crossings **crossing;				   /* [router] */
	struct icnt_allocator *vc_alloc, *sw_alloc, *spec_alloc;	   /* [router] */
	uint32_t *sw_offset;		       /* [router][expanded input]: round robin over the VCs of an input */
	int32_t *hold_in, *hold_vc, *hold_out; /* [router][expanded port]: -1 none */
	int32_t *vc_offset;		       /* [line]: piggyback */
	uint64_t *busy;			       /* bits of routers: a waiting list is not empty */
	uint64_t *out_busy, *credit_busy;      /* bits of lines: output buffer, credit queue not empty */
	uint64_t *step_credit;		       /* [line]: VCs that gave a credit in this step */
	uint64_t *step_lines;		       /* bits of lines with such */
	/* calendars: [slot][words of bits], [slot][receiver] */
	uint64_t *flit_due, *eject_due, *credit_due, *node_credit_due;
	uint32_t *flit_at, *eject_at;
	uint64_t *credit_at, *node_credit_at;
	/* or, instead of all from `far` on: icnt_crossbar.c */
	struct icnt_crossbar *crossbar;
	uint64_t *in_ring, *out_ring; /* [port][vc_buffer] flits */
};

/* Where a router's ports lead. Fixed, not in the arena. */
struct icnt_links {
	uint32_t *to_line, *to_node;	 /* [line] of an output: input line fed, or node; the other is ICNT_NOWHERE */
	uint32_t *from_line, *from_node; /* [line] of an input */
	uint32_t *inject, *eject;	 /* [node]: input line, output line */
	uint32_t *router;		 /* [line] */
};

struct icnt_random;
struct icnt_stats;
struct icnt_node_counts;
struct icnt_state {
	uint64_t clock;	     /* network cycles ever; calendars count in it */
	uint64_t time;	     /* of this batch of kernels */
	uint64_t core_cycle; /* ideal networks count in it */
	double partial;	     /* internal steps owed to every router */
	uint64_t next_flit_id, next_packet_id;
	uint64_t n_live;		 /* flits entered and not retired */
	uint64_t n_waiting;		 /* whole packets in boundary buffers, or in an ideal network */
	uint32_t free_flit, free_packet; /* lists; 0: take one never used */
	uint32_t used_flits, used_packets;
	uint32_t idle_cycles; /* since a flit was retired */
	uint32_t deadlock_warnings;
	struct icnt_totals totals;
};
struct icnt_valid;
/* A kind of network, as functions. `net` is one of the two networks. */
struct icnt_kind {
	bool has_flits; /* packets travel as flits, and the pools of flits and packets exist; else packets wait in icnt_node.ideal */
	/* Returns whether the kind simulates a configuration. */
	bool (*fits)(const struct icnt_setup *c);
	/* Allocates what lies between the nodes of a network in m's arena. Returns false if there is no room. */
	bool (*build)(struct icnt *n, struct icnt_net *t, struct timing_memory *m);
	/* Enters a packet of `flits` flits at a node with room for it. */
	void (*push)(struct icnt *n, uint32_t net, uint32_t from, uint32_t to, uint32_t request, uint32_t flits);
	/* Removes a packet that has arrived at a node and returns its request, or 0 if there is none. */
	uint32_t (*pop)(struct icnt *n, uint32_t net, uint32_t node);
	/* Simulates a network cycle, in which a router takes `steps` steps. */
	void (*cycle)(struct icnt *n, uint32_t steps);
	/* Returns true if what lies between the nodes of a network is consistent. */
	bool (*is_valid)(struct icnt_valid *x, uint32_t net);
};
/* Packets that arrive after a fixed time; GPGPU-Sim's shipped crossbar, faster; any other network of routers. */
extern const struct icnt_kind icnt_kind_ideal, icnt_kind_crossbar, icnt_kind_routers;

struct icnt {
	struct icnt_setup cfg;
	struct requests *q;
	struct icnt_state *s;
	struct icnt_packet *packet;
	struct icnt_flit *flit;
	uint32_t *node_of;   /* [device] */
	uint32_t *device_of; /* [node], ICNT_NOWHERE: no device */
	uint64_t *arrived;   /* bits of devices that a complete packet waits for */
	uint32_t clusters, devices, lines, channels;
	uint32_t node_words, line_words, router_words;
	uint32_t slot_mask;
	const struct icnt_kind *kind;
	struct icnt_links links;
	struct icnt_net net[ICNT_NETS];
	struct icnt_requests vc_requests, sw_requests, spec_requests;
	struct icnt_random *random;
	struct icnt_stats *stats;
	struct icnt_node_counts *counts; /* [node] */
};

/* ---- pools: large enough for all that the buffers can hold ---- */
/* Allocates a flit and returns its index. */
static inline uint32_t icnt_new_flit(struct icnt *n)
{
	uint32_t f = n->s->free_flit;
	if (!f)
		return ++n->s->used_flits;
	n->s->free_flit = n->flit[f].next;
	return f;
}
/* Frees a flit. */
static inline void icnt_free_flit(struct icnt *n, uint32_t f)
{
	n->flit[f].next = n->s->free_flit;
	n->s->free_flit = f;
}
/* Allocates a packet and returns its index. */
static inline uint32_t icnt_new_packet(struct icnt *n)
{
	uint32_t p = n->s->free_packet;
	if (!p)
		return ++n->s->used_packets;
	n->s->free_packet = n->packet[p].next;
	return p;
}
/* Frees a packet. */
static inline void icnt_free_packet(struct icnt *n, uint32_t p)
{
	n->packet[p].next = n->s->free_packet;
	n->s->free_packet = p;
}

/* ---- bits, queues, rings ---- */
/* Returns the number of 64-bit words that hold `bits` bits. */
static inline uint32_t icnt_bit_words(uint32_t bits) { return (bits + 63) / 64; }
/* Sets bit i. */
static inline void icnt_set(uint64_t *bits, uint32_t i) { bits[i / 64] |= UINT64_C(1) << (i % 64); }
/* Clears bit i. */
static inline void icnt_unset(uint64_t *bits, uint32_t i) { bits[i / 64] &= ~(UINT64_C(1) << (i % 64)); }
/* Clears the lowest set bit of a nonzero word and returns its number. */
static inline uint32_t icnt_take_bit(uint64_t *word)
{
	uint32_t i = (uint32_t)__builtin_ctzll(*word);
	*word &= *word - 1;
	return i;
}
/* Appends flit f to a queue. */
static inline void icnt_queue_push(struct icnt *n, struct icnt_queue *q, uint32_t f)
{
	n->flit[f].next = 0;
	if (q->n++)
		n->flit[q->tail].next = f;
	else
		q->head = f;
	q->tail = f;
}
/* Removes and returns the first flit of a queue that is not empty. */
static inline uint32_t icnt_queue_pop(struct icnt *n, struct icnt_queue *q)
{
	uint32_t f = q->head;
	q->head = n->flit[f].next;
	q->n--;
	return f;
}
/* Appends a word to a ring that is not full. */
static inline void icnt_words_push(struct icnt_words *w, uint64_t v) { w->at[(w->head + w->n++) & (w->cap - 1)] = v; }
/* Removes and returns the first word of a ring that is not empty. */
static inline uint64_t icnt_words_pop(struct icnt_words *w)
{
	uint64_t v = w->at[w->head & (w->cap - 1)];
	w->head++;
	w->n--;
	return v;
}

/* ---- icnt_setup.c ---- */
/* Decodes and checks a configuration for `clusters` clusters and `subs` sub-partitions. Returns false with the reason in `why` if options don't fit. */
bool icnt_setup_init(struct icnt_setup *s, const struct icnt_config *c, uint32_t clusters, uint32_t subs,
		     struct text *why);

/* ---- icnt_build.c ---- */
/* Allocates the networks' state in m's arena and their links outside of it. Returns false with the reason in `why` if there is no room. */
bool icnt_build(struct icnt *n, const struct icnt_config *cfg, struct timing_memory *m, struct text *why);
/* Allocates the routers of a network and the links between them in m's arena. Returns false if there is no room. */
bool icnt_routers_build(struct icnt *n, struct icnt_net *t, struct timing_memory *m);
/* Frees what icnt_build allocated outside the arena. */
void icnt_unbuild(struct icnt *n);

/* ---- icnt_route.c ---- */
/* Returns the routing function of a name for a topology, or NULL if there is none. Stores how many virtual channels of a class it needs and how it divides
 * them by destination (icnt_setup.split). */
icnt_route_fn *icnt_route_find(enum icnt_topology t, const char *name, uint32_t *least_vcs, int *split);
/* Stores the range of virtual channels [*begin, *end] that a packet may take at its injection port. */
void icnt_route_inject(const struct icnt *n, const struct icnt_packet *p, uint32_t *begin, uint32_t *end);
/* Routes in a butterfly: each stage's output port is a digit of the destination. */
icnt_route_fn icnt_route_dest_tag;

/* ---- icnt_far.c: buffer states at the sender ---- */
/* Returns whether the sender may put no more flits into a virtual channel of the far buffer, for every policy but ICNT_PRIVATE. */
bool icnt_far_full_shared(const struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc);
/* Returns whether the sender may put no more flits into a virtual channel of the far buffer. */
static inline bool icnt_far_full(const struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	if (n->cfg.policy == ICNT_PRIVATE)
		return n->net[net].far_vc[channel * n->cfg.vcs + vc].occupied >= n->cfg.vc_buffer;
	return icnt_far_full_shared(n, net, channel, vc);
}
/* Returns whether no packet owns a virtual channel of the far buffer. */
static inline bool icnt_far_free(const struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	return !n->net[net].far_vc[channel * n->cfg.vcs + vc].user;
}
/* Returns whether a virtual channel of the far buffer holds no flit, as far as credits say. */
static inline bool icnt_far_empty(const struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	return !n->net[net].far_vc[channel * n->cfg.vcs + vc].occupied;
}
/* Gives a free virtual channel of the far buffer to `user` (input * V + vc of the sender). */
void icnt_far_take(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc, uint32_t user);
/* Counts a flit sent into a virtual channel of the far buffer; a tail flit ends the ownership, at once or with its credit (wait_for_tail_credit). */
void icnt_far_send(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc, bool tail);
/* Counts one credit for each virtual channel in the set `vcs`. */
void icnt_far_credit(struct icnt *n, uint32_t net, uint32_t channel, uint64_t vcs);

/* ---- icnt_router.c ---- */
/* Simulates one cycle of a network's routers: takes what arrives, does `steps` internal steps, sends what leaves. */
void icnt_routers_cycle(struct icnt *n, uint32_t net, uint32_t steps);
/* Sends a flit over a link of `latency` cycles to input line `to_line`. */
void icnt_send_flit(struct icnt *n, uint32_t net, uint32_t to_line, uint32_t latency, uint32_t flit);
/* Sends one credit for each virtual channel in the set `vcs` back over a link of `latency` cycles to output line `to_line`. */
void icnt_send_credit(struct icnt *n, uint32_t net, uint32_t to_line, uint32_t latency, uint64_t vcs);

/* ---- icnt.c ---- */
/* Enters a packet into the input queue of a node, for kinds with flits. */
void icnt_flits_push(struct icnt *n, uint32_t net, uint32_t from, uint32_t to, uint32_t request, uint32_t flits);
/* Removes a packet from the boundary buffers of a node, for kinds with flits. Returns its request, or 0 if there is none. */
uint32_t icnt_flits_pop(struct icnt *n, uint32_t net, uint32_t node);

/* ---- icnt_crossbar.c ---- */
/* The state of one port in the routers' terms, for icnt_dump. `vc.q.head` is a packet here. */
struct icnt_look {
	struct icnt_vc vc;	/* input port */
	struct icnt_far_vc far; /* output port */
	uint32_t n_to_router, n_to_node, n_ejection;
};
/* Returns the state of a port. */
struct icnt_look icnt_crossbar_look(const struct icnt *n, const struct icnt_net *t, uint32_t port);

/* ---- icnt_random.c ---- */
/* Allocates the random number generator in m's arena and seeds it (option seed). Returns false if there is no room. */
bool icnt_random_init(struct icnt *n, struct timing_memory *m);
/* Returns the next random number, from 0 to `most`. */
uint32_t icnt_random_int(struct icnt *n, uint32_t most);

/* ---- icnt_stats.c ---- */
/* Allocates the statistics in m's arena. Returns false if there is no room. */
bool icnt_stats_init(struct icnt *n, struct timing_memory *m);
/* Clears the statistics of a batch of kernels. */
void icnt_stats_restart(struct icnt *n);
/* Counts a flit that `node` injects. */
void icnt_stats_sent(struct icnt *n, uint32_t node, bool head);
/* Counts a flit that `node` takes from its boundary buffer. */
void icnt_stats_accepted(struct icnt *n, uint32_t node, bool tail);
/* Counts a flit of packet p that is retired at the current time, with its latencies. */
void icnt_stats_retired(struct icnt *n, const struct icnt_flit *f, const struct icnt_packet *p);

#endif
