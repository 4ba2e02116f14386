/* The interconnect as the machine sees it: packets go in and come out, nodes inject and eject flits, cycles pass.
 *
 * Order of a cycle, from GPGPU-Sim 3.2.2: every node takes what arrives and gives up at most one flit; every node injects at most one
 * flit; credits of the flits given up go back, and the routers work. */
#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "timing/icnt/icnt_internal.h"
#include "timing/icnt/icnt_valid.h"

/* ---- kinds ---- */

static bool fits_any(const struct icnt_setup *c)
{
	(void)c;
	return true;
}
static void routers_cycle(struct icnt *n, uint32_t steps);
const struct icnt_kind icnt_kind_routers = {.has_flits = true,
					    .fits = fits_any,
					    .build = icnt_routers_build,
					    .push = icnt_flits_push,
					    .pop = icnt_flits_pop,
					    .cycle = routers_cycle,
					    .is_valid = icnt_routers_are_valid};

/* Returns the kind that simulates a configuration: the first that fits it. */
static const struct icnt_kind *kind_of(const struct icnt_setup *c)
{
	static const struct icnt_kind *const kinds[] = {&icnt_kind_ideal, &icnt_kind_crossbar, &icnt_kind_routers};
	unsigned k = 0;
	while (!kinds[k]->fits(c))
		k++;
	return kinds[k];
}

struct icnt *icnt_create(struct timing_memory *m, struct requests *q, const struct icnt_config *cfg,
			 uint32_t n_clusters, uint32_t n_sub_partitions, struct text *why)
{
	struct icnt *n = xcalloc(1, sizeof *n);
	n->q = q;
	n->clusters = n_clusters;
	n->devices = n_clusters + n_sub_partitions;
	if (icnt_setup_init(&n->cfg, cfg, n_clusters, n_sub_partitions, why)) {
		n->kind = kind_of(&n->cfg);
		if (icnt_build(n, cfg, m, why))
			return n;
	}
	icnt_destroy(n);
	return NULL;
}

void icnt_destroy(struct icnt *n)
{
	if (n)
		icnt_unbuild(n);
	free(n);
}

void icnt_restart(struct icnt *n)
{
	n->s->time = 0;
	icnt_stats_restart(n);
}

void icnt_begin_kernel(struct icnt *n) { icnt_stats_restart(n); }

/* ---- devices ---- */
/* Clusters send requests and receive replies; memory the other way round. */
static uint32_t net_out(const struct icnt *n, uint32_t device) { return device >= n->clusters; }
static uint32_t net_in(const struct icnt *n, uint32_t device) { return device < n->clusters; }
static uint32_t flits_of(const struct icnt *n, uint32_t bytes)
{
	uint32_t flits = bytes / n->cfg.flit_size + (bytes % n->cfg.flit_size != 0);
	return flits;
}

uint32_t icnt_packet_bytes_max(const struct icnt *n)
{
	uint32_t most = n->cfg.input_buffer < n->cfg.boundary_buffer ? n->cfg.input_buffer : n->cfg.boundary_buffer;
	uint64_t bytes = (uint64_t)most * n->cfg.flit_size;
	return !n->kind->has_flits || bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

bool icnt_has_buffer(const struct icnt *n, uint32_t device, uint32_t bytes)
{
	const struct icnt_node *node = &n->net[net_out(n, device)].node[n->node_of[device]];
	return !n->kind->has_flits || node->n_flits + flits_of(n, bytes) <= n->cfg.input_buffer;
}

static enum icnt_type type_of(const struct mem_request *r)
{
	if (r->is_reply)
		return r->is_write ? ICNT_WRITE_REPLY : ICNT_READ_REPLY;
	return r->is_write ? ICNT_WRITE_REQUEST : ICNT_READ_REQUEST;
}

static int32_t first_priority(const struct icnt *n)
{
	switch (n->cfg.urgency) {
	case ICNT_PRI_CLASS: return n->cfg.class_priority;
	case ICNT_PRI_AGE: return INT32_MAX - (int32_t)(n->s->time & INT32_MAX);
	case ICNT_PRI_SEQUENCE: return INT32_MAX; /* packet numbers are not counted in GPGPU-Sim 3.2.2 */
	default: return 0;
	}
}

void icnt_push(struct icnt *n, uint32_t from, uint32_t to, uint32_t request, uint32_t bytes)
{
	const uint32_t flits = flits_of(n, bytes);
	assert(icnt_has_buffer(n, from, bytes));
	n->s->totals.packets_in++;
	n->s->totals.flits_in += flits;
	n->kind->push(n, net_out(n, from), n->node_of[from], n->node_of[to], request, flits);
}

void icnt_flits_push(struct icnt *n, uint32_t net, uint32_t from, uint32_t to, uint32_t request, uint32_t flits)
{
	struct icnt_net *t = &n->net[net];
	struct icnt_node *node = &t->node[from];
	uint32_t at = icnt_new_packet(n), slot = node->first + node->n_packets;
	struct icnt_packet *p = &n->packet[at];
	*p = (struct icnt_packet){.first_id = n->s->next_flit_id,
				  .id = n->s->next_packet_id++,
				  .created = n->s->clock,
				  .request = request,
				  .source = from,
				  .destination = to,
				  .n_flits = flits,
				  .priority = first_priority(n),
				  .phase = -1,
				  .vc = ICNT_NO_VC,
				  .type = (uint8_t)type_of(request_at(n->q, request))};
	n->s->next_flit_id += flits;
	n->s->n_live += flits;
	t->input_queue[(uint64_t)from * n->cfg.input_buffer +
		       (slot >= n->cfg.input_buffer ? slot - n->cfg.input_buffer : slot)] = at;
	node->n_packets++;
	node->n_flits += flits;
	icnt_set(t->sending, from);
	t->s->n_items++;
}

const uint64_t *icnt_arrived(const struct icnt *n) { return n->arrived; }

uint32_t icnt_pop(struct icnt *n, uint32_t device)
{
	return n->s->n_waiting ? n->kind->pop(n, net_in(n, device), n->node_of[device]) : 0;
}

uint32_t icnt_flits_pop(struct icnt *n, uint32_t net, uint32_t at)
{
	struct icnt_net *t = &n->net[net];
	struct icnt_node *node = &t->node[at];
	if (!node->arrived_vcs)
		return 0;
	uint64_t later = node->arrived_vcs >> node->turn << node->turn;
	uint32_t vc = (uint32_t)__builtin_ctzll(later ? later : node->arrived_vcs);
	struct icnt_boundary *b = &t->boundary[at * n->cfg.vcs + vc];
	struct icnt_arrived *a = &t->arrived[((uint64_t)at * n->cfg.vcs + vc) * n->cfg.boundary_buffer + b->head];
	b->head = b->head + 1 == n->cfg.boundary_buffer ? 0 : b->head + 1;
	b->flits -= a->n_flits;
	if (!--b->n)
		node->arrived_vcs &= ~(UINT64_C(1) << vc);
	if (!node->arrived_vcs)
		icnt_unset(n->arrived, n->device_of[at]);
	node->turn = vc + 1 == n->cfg.vcs ? 0 : vc + 1;
	n->s->n_waiting--;
	n->s->totals.packets_out++;
	n->s->totals.flits_out += a->n_flits;
	return a->request;
}

/* ---- ejection ---- */
/* Moves one flit of each VC to the boundary buffer. A tail completes its packet. */
static void eject(struct icnt *n, struct icnt_net *t, uint32_t at)
{
	struct icnt_node *node = &t->node[at];
	for (uint64_t vcs = node->ejection_vcs; vcs;) {
		uint32_t vc = icnt_take_bit(&vcs);
		struct icnt_boundary *b = &t->boundary[at * n->cfg.vcs + vc];
		struct icnt_queue *q = &t->ejection[at * n->cfg.vcs + vc];
		if (b->flits >= n->cfg.boundary_buffer)
			continue;
		uint32_t f = icnt_queue_pop(n, q);
		const struct icnt_packet *p = &n->packet[n->flit[f].packet];
		if (!q->n)
			node->ejection_vcs &= ~(UINT64_C(1) << vc);
		b->flits++;
		if (n->flit[f].tail) {
			uint32_t slot = b->head + b->n++;
			slot -= slot >= n->cfg.boundary_buffer ? n->cfg.boundary_buffer : 0;
			t->arrived[((uint64_t)at * n->cfg.vcs + vc) * n->cfg.boundary_buffer + slot] =
				(struct icnt_arrived){.request = p->request, .n_flits = p->n_flits};
			node->arrived_vcs |= UINT64_C(1) << vc;
			icnt_set(n->arrived, n->device_of[at]);
			n->s->n_waiting++;
		}
		icnt_queue_push(n, &node->ejected, f);
	}
	if (!node->ejected.n)
		return;
	node->retiring = icnt_queue_pop(n, &node->ejected);
	icnt_stats_accepted(n, at, n->flit[node->retiring].tail);
}

static void nodes_receive(struct icnt *n, uint32_t net)
{
	struct icnt_net *t = &n->net[net];
	uint64_t slot = n->s->clock & n->slot_mask;
	for (uint32_t w = 0; w < n->node_words; w++) {
		uint64_t *flits = &t->eject_due[slot * n->node_words + w],
			 *credits = &t->node_credit_due[slot * n->node_words + w];
		t->receiving[w] |= *flits;
		while (*flits) {
			uint32_t at = w * 64 + icnt_take_bit(flits), f = t->eject_at[slot * n->cfg.nodes + at];
			icnt_queue_push(n, &t->ejection[at * n->cfg.vcs + n->flit[f].vc], f);
			t->node[at].ejection_vcs |= UINT64_C(1) << n->flit[f].vc;
		}
		for (uint64_t bits = t->receiving[w]; bits;)
			eject(n, t, w * 64 + icnt_take_bit(&bits));
		while (*credits) {
			uint32_t at = w * 64 + icnt_take_bit(credits);
			icnt_far_credit(n, net, n->lines + at, t->node_credit_at[slot * n->cfg.nodes + at]);
			t->s->n_items--;
		}
	}
}

/* The credit of a flit given up goes back to the router, and the flit is gone. */
static void retire(struct icnt *n, uint32_t net, uint32_t at)
{
	struct icnt_net *t = &n->net[net];
	struct icnt_node *node = &t->node[at];
	uint32_t f = node->retiring, packet = n->flit[f].packet;
	struct icnt_flit *flit = &n->flit[f];
	struct icnt_packet *p = &n->packet[packet];
	node->retiring = 0;
	icnt_send_credit(n, net, n->links.eject[at], 1, UINT64_C(1) << flit->vc);
	if (flit->head)
		p->head_arrived = (uint32_t)n->s->clock;
	icnt_stats_retired(n, flit, p);
	if (flit->tail)
		icnt_free_packet(n, packet);
	icnt_free_flit(n, f);
	n->s->n_live--;
	n->s->idle_cycles = 0;
	if (!node->ejection_vcs && !node->ejected.n)
		icnt_unset(t->receiving, at);
}

static void nodes_retire(struct icnt *n, uint32_t net)
{
	struct icnt_net *t = &n->net[net];
	for (uint32_t w = 0; w < n->node_words; w++)
		for (uint64_t bits = t->receiving[w]; bits;) {
			uint32_t at = w * 64 + icnt_take_bit(&bits);
			if (t->node[at].retiring)
				retire(n, net, at); /* a flit less, a credit more */
		}
}

/* ---- injection ---- */
/* VCs of the packet's class, cyclic from the one after the last used; if that is of another class, only the first. */
static void choose_vc(struct icnt *n, uint32_t net, uint32_t at, struct icnt_packet *p)
{
	uint32_t begin, end, last = n->net[net].node[at].last_vc, channel = n->lines + at;
	icnt_route_inject(n, p, &begin, &end);
	if (n->cfg.noq) {
		uint32_t to = n->links.inject[at], router = n->links.router[to];
		struct icnt_here here = {.router = router, .port = to - router * n->cfg.ports, .vc = (uint16_t)begin};
		n->cfg.route(n, net, p, &here);
		uint32_t size = (end - begin + 1) / n->cfg.ports;
		begin += p->route.way[0].port * size;
		end = begin + size - 1;
	}
	uint32_t count = end - begin + 1;
	for (uint32_t i = 1; i <= count; i++) {
		uint32_t vc =
			last == ICNT_NOWHERE || last < begin || last > end ? begin : begin + (last - begin + i) % count;
		if (icnt_far_free(n, net, channel, vc) && !icnt_far_full(n, net, channel, vc)) {
			p->vc = (uint16_t)vc;
			return;
		}
	}
}

static void inject_flit(struct icnt *n, uint32_t net, uint32_t at, uint32_t packet)
{
	struct icnt_packet *p = &n->packet[packet];
	uint32_t to = n->links.inject[at], router = n->links.router[to], f = icnt_new_flit(n);
	bool head = !p->sent, tail = p->sent + 1 == p->n_flits;
	n->flit[f] = (struct icnt_flit){.packet = packet,
					.number = p->sent,
					.sent = (uint32_t)n->s->clock,
					.priority = p->priority,
					.vc = p->vc,
					.head = head,
					.tail = tail};
	if (n->cfg.urgency == ICNT_PRI_NETWORK_AGE)
		n->flit[f].priority = INT32_MAX - (int32_t)(n->s->time & INT32_MAX);
	if (head) {
		struct icnt_here here = {.router = router, .port = to - router * n->cfg.ports, .vc = p->vc};
		if (!n->cfg.routing_delay && !n->cfg.noq)
			n->cfg.route(n, net, p, &here);
		icnt_far_take(n, net, n->lines + at, p->vc, 0);
		n->net[net].node[at].last_vc = p->vc;
		p->head_sent = (uint32_t)n->s->clock;
	}
	icnt_far_send(n, net, n->lines + at, p->vc, tail);
	icnt_stats_sent(n, at, head);
	icnt_send_flit(n, net, to, 1, f);
	p->sent++;
}

static void node_inject(struct icnt *n, uint32_t net, uint32_t at)
{
	struct icnt_net *t = &n->net[net];
	struct icnt_node *node = &t->node[at];
	uint32_t packet = t->input_queue[(uint64_t)at * n->cfg.input_buffer + node->first];
	struct icnt_packet *p = &n->packet[packet];
	if (p->vc == ICNT_NO_VC)
		choose_vc(n, net, at, p);
	if (p->vc == ICNT_NO_VC || icnt_far_full(n, net, n->lines + at, p->vc))
		return;
	inject_flit(n, net, at, packet);
	t->s->n_items++;
	node->n_flits--;
	if (p->sent < p->n_flits)
		return;
	node->first = node->first + 1 == n->cfg.input_buffer ? 0 : node->first + 1;
	t->s->n_items--;
	if (!--node->n_packets)
		icnt_unset(t->sending, at);
}

static void nodes_inject(struct icnt *n, uint32_t net)
{
	struct icnt_net *t = &n->net[net];
	for (uint32_t w = 0; w < n->node_words; w++)
		for (uint64_t bits = t->sending[w]; bits;)
			node_inject(n, net, w * 64 + icnt_take_bit(&bits));
}

/* ---- time ---- */
void icnt_set_core_cycle(struct icnt *n, uint64_t core_cycle) { n->s->core_cycle = core_cycle; }

/* Steps every router takes in this cycle. */
static uint32_t internal_steps(struct icnt *n)
{
	uint32_t steps = 0;
	for (n->s->partial += n->cfg.speedup; n->s->partial >= 1; n->s->partial -= 1)
		steps++;
	return steps;
}

static void routers_cycle(struct icnt *n, uint32_t steps)
{
	bool works[ICNT_NETS];
	for (uint32_t i = 0; i < ICNT_NETS; i++) {
		works[i] = n->net[i].s->n_items > 0;
		if (works[i])
			nodes_receive(n, i);
	}
	for (uint32_t i = 0; i < ICNT_NETS; i++)
		if (works[i])
			nodes_inject(n, i);
	for (uint32_t i = 0; i < ICNT_NETS; i++) {
		if (!works[i])
			continue;
		nodes_retire(n, i);
		icnt_routers_cycle(n, i, steps);
	}
}

void icnt_cycle(struct icnt *n, uint64_t core_cycle)
{
	struct icnt_state *s = n->s;
	uint32_t steps = n->cfg.speedup == 1 ? 1 : internal_steps(n);
	s->core_cycle = core_cycle;
	if (s->n_live && s->idle_cycles++ >= n->cfg.deadlock_timeout) {
		s->idle_cycles = 0;
		s->deadlock_warnings++;
	}
	n->kind->cycle(n, steps);
	s->clock++;
	s->time++;
}

bool icnt_busy(const struct icnt *n) { return n->s->n_live || n->s->n_waiting; }

uint64_t icnt_time(const struct icnt *n) { return n->s->time; }
uint32_t icnt_node_count(const struct icnt *n) { return n->cfg.nodes; }
void icnt_get_totals(const struct icnt *n, struct icnt_totals *out) { *out = n->s->totals; }
