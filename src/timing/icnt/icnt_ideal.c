/* Ideal networks: every packet arrives a fixed time after it was sent, any number in a cycle. Options perfect_icnt (one core cycle)
 * and fixed_lat_per_hop (so many core cycles for each hop on a grid of k columns). Source: GPGPU-Sim manual, "Interconnection network". */
#include <stdlib.h>

#include "timing/icnt/icnt_internal.h"

static uint64_t latency(const struct icnt *n, uint32_t from, uint32_t to)
{
	uint32_t k = n->cfg.k;
	int32_t dx = (int32_t)(from % k) - (int32_t)(to % k), dy = (int32_t)(from / k) - (int32_t)(to / k);
	return n->cfg.perfect ? 1 : (uint64_t)n->cfg.per_hop * (uint32_t)(abs(dx) + abs(dy));
}

/* By arrival time; equal times in the order sent. */
static void insert(struct requests *q, struct request_list *l, uint32_t r)
{
	uint64_t ready = request_at(q, r)->ready;
	if (!l->n || request_at(q, l->tail)->ready <= ready) {
		request_list_push(q, l, r);
		return;
	}
	uint32_t *link = &l->head;
	while (request_at(q, *link)->ready <= ready)
		link = &request_at(q, *link)->next;
	request_at(q, r)->next = *link;
	*link = r;
	l->n++;
}

static void push(struct icnt *n, uint32_t net, uint32_t from, uint32_t to, uint32_t request, uint32_t flits)
{
	(void)flits;
	struct icnt_node *node = &n->net[net].node[to];
	request_at(n->q, request)->ready = n->s->core_cycle + latency(n, from, to);
	insert(n->q, &node->ideal, request);
	if (node->ideal.n > node->max_ideal)
		node->max_ideal = node->ideal.n;
	icnt_set(n->arrived, n->device_of[to]);
	n->s->n_waiting++;
}

static uint32_t pop(struct icnt *n, uint32_t net, uint32_t at)
{
	struct icnt_node *node = &n->net[net].node[at];
	if (!node->ideal.n || request_at(n->q, node->ideal.head)->ready > n->s->core_cycle)
		return 0;
	uint32_t r = request_list_pop(n->q, &node->ideal), bytes = request_packet_bytes(request_at(n->q, r));
	if (!node->ideal.n)
		icnt_unset(n->arrived, n->device_of[at]);
	n->s->n_waiting--;
	n->s->totals.packets_out++;
	n->s->totals.flits_out += bytes / n->cfg.flit_size + (bytes % n->cfg.flit_size != 0);
	return r;
}

static bool fits(const struct icnt_setup *c) { return c->perfect || c->per_hop; }

static bool build(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
{
	t->s = timing_take(m, 1, sizeof *t->s);
	t->node = timing_take(m, n->cfg.nodes, sizeof *t->node);
	return t->s && t->node;
}

/* Packets wait at their nodes for their time. */
static void cycle(struct icnt *n, uint32_t steps) { (void)n, (void)steps; }

static bool is_valid(struct icnt_valid *x, uint32_t net)
{
	(void)x, (void)net;
	return true;
}

const struct icnt_kind icnt_kind_ideal = {
	.has_flits = false, .fits = fits, .build = build, .push = push, .pop = pop, .cycle = cycle, .is_valid = is_valid};
