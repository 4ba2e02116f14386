/* Validates the state of a network after a restore, which may hold any bytes: its packets and nodes. What lies between the nodes is validated by its kind. */
#include "timing/icnt/icnt_valid.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* ---- pools ---- */

static bool pools_are_valid(struct icnt_valid *x)
{
	const struct icnt *n = x->n;
	const struct icnt_state *s = n->s;
	const uint64_t flits = (uint64_t)ICNT_NETS * n->channels * n->cfg.buffer;
	const uint64_t packets = flits + (uint64_t)ICNT_NETS * n->cfg.nodes * n->cfg.input_buffer;
	if (s->used_flits > flits || s->used_packets > packets)
		return false;
	valid_pool_init(&x->flits, s->used_flits + UINT64_C(1));
	valid_pool_init(&x->packets, s->used_packets + UINT64_C(1));
	x->sent = xcalloc(s->used_packets + (size_t)1, sizeof *x->sent);
	x->held = xcalloc(s->used_packets + (size_t)1, sizeof *x->held);
	for (uint32_t k = s->free_flit; k; k = n->flit[k].next)
		if (!valid_claim(&x->flits, k, ICNT_FREE))
			return false;
	for (uint32_t k = s->free_packet; k; k = n->packet[k].next)
		if (!valid_claim(&x->packets, k, ICNT_FREE))
			return false;
	return true;
}

static bool route_is_valid(const struct icnt *n, const struct icnt_route *r)
{
	if (r->n > ICNT_ROUTE_MAX)
		return false;
	for (uint32_t k = 0; k < ICNT_ROUTE_MAX; k++)
		if (r->way[k].port >= n->cfg.ports || r->way[k].end_vc >= n->cfg.vcs)
			return false;
	return true;
}

/* Claims a request for network `net`. Returns false if it can't be claimed, or if its destination isn't `node`. */
static bool request_goes(struct icnt_valid *x, uint32_t net, uint32_t node, uint32_t request)
{
	const struct icnt *n = x->n;
	if (!timing_claim(x->v, request, net ? PLACE_BACK : PLACE_OUT))
		return false;
	const struct mem_request *m = request_at(n->q, request);
	const uint32_t to = net ? m->cluster : n->clusters + m->dram.sub_partition;
	const bool goes_back = m->type != L2_WRBK_ACC && m->type != L2_WR_ALLOC_R && (!net || m->type != L1_WRBK_ACC);
	return goes_back && to < n->devices && n->node_of[to] == node;
}

/* A packet of a network, whose request goes that way. */
bool icnt_packet_is_valid(struct icnt_valid *x, uint32_t net, uint32_t packet)
{
	const struct icnt *n = x->n;
	const struct icnt_packet *p = &n->packet[packet];
	if (!valid_index(&x->packets, packet) || x->packets.claimed[packet] == ICNT_FREE)
		return false;
	if (x->packets.claimed[packet])
		return x->packets.claimed[packet] == ICNT_USED + net;
	x->packets.claimed[packet] = (uint8_t)(ICNT_USED + net);
	const uint32_t *device = n->device_of;
	return p->source < n->cfg.nodes && p->destination < n->cfg.nodes && device[p->source] != ICNT_NOWHERE &&
	       device[p->destination] != ICNT_NOWHERE && (device[p->destination] >= n->clusters) == !net && p->n_flits &&
	       p->n_flits <= n->cfg.input_buffer && p->n_flits <= n->cfg.boundary_buffer && p->sent <= p->n_flits &&
	       p->type < ICNT_TYPES && (p->vc < n->cfg.vcs || p->vc == ICNT_NO_VC) && (!p->sent || p->vc != ICNT_NO_VC || n->kind == &icnt_kind_crossbar) &&
	       p->middle >= 0 && (uint32_t)p->middle < n->cfg.nodes && p->phase >= -1 && p->phase <= 3 &&
	       route_is_valid(n, &p->route) && request_goes(x, net, p->destination, p->request);
}

/* ---- nodes ---- */

/* The input queue: packets that have flits to send. */
static bool input_is_valid(struct icnt_valid *x, uint32_t net, uint32_t at)
{
	const struct icnt *n = x->n;
	const struct icnt_net *t = &n->net[net];
	const struct icnt_node *node = &t->node[at];
	uint64_t flits = 0;
	if (node->first >= n->cfg.input_buffer || node->n_packets > n->cfg.input_buffer)
		return false;
	for (uint32_t k = 0; k < node->n_packets; k++) {
		const uint32_t slot = (node->first + k) % n->cfg.input_buffer;
		const uint32_t packet = t->input_queue[(uint64_t)at * n->cfg.input_buffer + slot];
		if (!icnt_packet_is_valid(x, net, packet) || x->queued.claimed[packet]++)
			return false;
		const struct icnt_packet *p = &n->packet[packet];
		if (p->source != at || p->sent == p->n_flits || (k && p->sent))
			return false;
		flits += p->n_flits - p->sent;
	}
	x->n_items[net] += node->n_packets;
	x->n_live += flits;
	return flits == node->n_flits && flits <= n->cfg.input_buffer &&
	       (t->sending[at / 64] >> (at % 64) & 1) == (node->n_packets != 0);
}

/* Whole packets that have come, and flits of one that hasn't. */
static bool boundary_is_valid(struct icnt_valid *x, uint32_t net, uint32_t at, uint32_t vc)
{
	const struct icnt *n = x->n;
	const struct icnt_net *t = &n->net[net];
	const uint64_t place = (uint64_t)at * n->cfg.vcs + vc;
	const struct icnt_boundary *b = &t->boundary[place];
	uint64_t flits = 0;
	if (b->head >= n->cfg.boundary_buffer || b->n > n->cfg.boundary_buffer || b->flits > n->cfg.boundary_buffer)
		return false;
	for (uint32_t k = 0; k < b->n; k++) {
		const struct icnt_arrived *a =
			&t->arrived[place * n->cfg.boundary_buffer + (b->head + k) % n->cfg.boundary_buffer];
		if (!a->n_flits || !request_goes(x, net, at, a->request))
			return false;
		flits += a->n_flits;
	}
	x->n_waiting += b->n;
	x->incomplete[net][place] = b->flits - (uint32_t)flits;
	return flits <= b->flits && (t->node[at].arrived_vcs >> vc & 1) == (b->n != 0);
}

static uint64_t low_bits(uint32_t n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }

static bool node_is_valid(struct icnt_valid *x, uint32_t net, uint32_t at)
{
	const struct icnt *n = x->n;
	const struct icnt_node *node = &n->net[net].node[at];
	const uint32_t device = n->device_of[at];
	bool arrives = node->arrived_vcs != 0;
	if (node->turn >= n->cfg.vcs || (node->last_vc >= n->cfg.vcs && node->last_vc != ICNT_NOWHERE) ||
	    node->arrived_vcs & ~low_bits(n->cfg.vcs) || node->ejection_vcs & ~low_bits(n->cfg.vcs))
		return false;
	if (!n->kind->has_flits) {
		uint32_t r = node->ideal.head;
		for (uint32_t k = 0; k < node->ideal.n; k++, r = request_at(n->q, r)->next)
			if (!request_goes(x, net, at, r))
				return false;
		x->n_waiting += node->ideal.n;
		arrives = node->ideal.n != 0;
	} else {
		if (!input_is_valid(x, net, at))
			return false;
		for (uint32_t vc = 0; vc < n->cfg.vcs; vc++)
			if (!boundary_is_valid(x, net, at, vc))
				return false;
	}
	if (device == ICNT_NOWHERE)
		return !arrives;
	/* requests arrive at memory, replies at clusters */
	return (device >= n->clusters) == !net ? (n->arrived[device >> 6] >> (device & 63) & 1) == arrives : !arrives;
}

/* ---- all of it ---- */

static bool ends_are_valid(const struct icnt *n, const struct icnt_net *t)
{
	const uint32_t words = n->node_words, last = n->cfg.nodes % 64;
	return !last || !((t->sending[words - 1] | t->receiving[words - 1]) >> last);
}

/* Each packet that is used has all of its flits: those not sent are in its node, the others on their way. */
static bool packets_are_whole(const struct icnt_valid *x)
{
	const struct icnt *n = x->n;
	for (uint32_t k = 1; k <= n->s->used_packets; k++) {
		const struct icnt_packet *p = &n->packet[k];
		if (x->packets.claimed[k] == ICNT_FREE)
			continue;
		if (!x->packets.claimed[k] || x->sent[k] != p->sent || !x->queued.claimed[k] != (p->sent == p->n_flits))
			return false;
	}
	return true;
}

static bool check_network(struct icnt_valid *x)
{
	const struct icnt *n = x->n;
	bool ok = !n->kind->has_flits || pools_are_valid(x);
	if (ok && n->kind->has_flits)
		valid_pool_init(&x->queued, x->packets.n);
	for (uint32_t net = 0; ok && net < ICNT_NETS; net++) {
		x->incomplete[net] = xcalloc((size_t)n->cfg.nodes * n->cfg.vcs, sizeof *x->incomplete[net]);
		for (uint32_t at = 0; ok && at < n->cfg.nodes; at++)
			ok = node_is_valid(x, net, at);
		ok = ok && (!n->kind->has_flits || ends_are_valid(n, &n->net[net]));
		ok = ok && n->kind->is_valid(x, net);
		ok = ok && (!n->kind->has_flits || x->n_items[net] == n->net[net].s->n_items);
	}
	return ok && n->s->n_waiting == x->n_waiting && (!n->kind->has_flits || (packets_are_whole(x) && n->s->n_live == x->n_live));
}

bool icnt_is_valid(const struct icnt *n, struct timing_valid *v)
{
	struct icnt_valid x = {.n = n, .v = v};
	const double partial = n->s->partial;
	const bool ok = partial >= 0 && partial < 1 && icnt_random_is_valid(n) && icnt_stats_are_valid(n) && check_network(&x);
	valid_pool_free(&x.flits);
	valid_pool_free(&x.packets);
	valid_pool_free(&x.queued);
	free(x.sent);
	free(x.held);
	free(x.incomplete[0]);
	free(x.incomplete[1]);
	return ok || invalid(v->what, "the network");
}
