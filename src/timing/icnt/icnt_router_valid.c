/* Routers that may hold anything are looked at: each flit is in one place, each virtual channel in the lists that its state says, and each sender knows what
 * is in the buffer behind its link. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "timing/icnt/icnt_router.h"
#include "timing/icnt/icnt_valid.h"

struct routers {
	struct icnt_valid *x;
	const struct icnt *n;
	const struct icnt_net *t;
	uint32_t net;
	uint32_t *behind; /* [channel][vc] flits that a sender has sent and has no credit for */
	uint32_t *moved;  /* [packet] flits in the boundary buffer that are not retired */
	bool *is_complete; /* [packet] its tail is among them */
	uint8_t *lists;	  /* [line][vc] how often a virtual channel is in lists that wait for the switch */
	uint8_t *others;  /* likewise: routing, and VC allocation << 4 */
};

static bool bit(const uint64_t *bits, uint32_t k) { return bits[k / 64] >> (k % 64) & 1; }
static uint64_t low_bits(uint32_t n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }
static bool ends_at(const uint64_t *bits, uint32_t n) { return !(n % 64) || !(bits[n / 64] >> (n % 64)); }

/* ---- flits ---- */

static uint32_t sender_of(const struct icnt *n, uint32_t line)
{
	const uint32_t from = n->links.from_line[line];
	return from != ICNT_NOWHERE			 ? from
	       : n->links.from_node[line] != ICNT_NOWHERE ? n->lines + n->links.from_node[line]
							  : ICNT_NOWHERE;
}

/* A flit behind a sender's link. */
static bool flit_is_valid(struct routers *r, uint32_t flit, uint32_t channel)
{
	const struct icnt *n = r->n;
	const struct icnt_flit *f = &n->flit[flit];
	if (channel >= n->channels || !valid_claim(&r->x->flits, flit, ICNT_USED) || !VALID_BOOL(f->head) ||
	    !VALID_BOOL(f->tail) || f->vc >= n->cfg.vcs || !icnt_packet_is_valid(r->x, r->net, f->packet))
		return false;
	const struct icnt_packet *p = &n->packet[f->packet];
	if (f->number >= p->sent || f->head != !f->number || f->tail != (f->number + 1 == p->n_flits))
		return false;
	r->x->sent[f->packet]++;
	r->x->held[f->packet] += f->number;
	r->x->n_live++;
	r->x->n_items[r->net]++;
	r->behind[channel * n->cfg.vcs + f->vc]++;
	return true;
}

static bool queue_is_valid(struct routers *r, const struct icnt_queue *q, uint32_t channel)
{
	uint32_t f = q->head, last = 0;
	for (uint32_t k = 0; k < q->n; last = f, f = r->n->flit[f].next, k++)
		if (!flit_is_valid(r, f, channel))
			return false;
	return !q->n || last == q->tail;
}

/* ---- links ---- */

static bool credits_count(struct routers *r, uint32_t channel, uint64_t vcs)
{
	if (channel >= r->n->channels || vcs & ~low_bits(r->n->cfg.vcs))
		return false;
	r->x->n_items[r->net]++;
	while (vcs)
		r->behind[channel * r->n->cfg.vcs + icnt_take_bit(&vcs)]++;
	return true;
}

static bool slot_is_valid(struct routers *r, uint64_t slot)
{
	const struct icnt *n = r->n;
	const struct icnt_net *t = r->t;
	const uint64_t *flits = &t->flit_due[slot * n->line_words], *credits = &t->credit_due[slot * n->line_words];
	const uint64_t *ejects = &t->eject_due[slot * n->node_words], *nodes = &t->node_credit_due[slot * n->node_words];
	if (!ends_at(flits, n->lines) || !ends_at(credits, n->lines) || !ends_at(ejects, n->cfg.nodes) ||
	    !ends_at(nodes, n->cfg.nodes))
		return false;
	for (uint32_t k = 0; k < n->lines; k++)
		if ((bit(flits, k) && !flit_is_valid(r, t->flit_at[slot * n->lines + k], sender_of(n, k))) ||
		    (bit(credits, k) && !credits_count(r, k, t->credit_at[slot * n->lines + k])))
			return false;
	for (uint32_t k = 0; k < n->cfg.nodes; k++)
		if ((bit(ejects, k) && !flit_is_valid(r, t->eject_at[slot * n->cfg.nodes + k], n->links.eject[k])) ||
		    (bit(nodes, k) && !credits_count(r, n->lines + k, t->node_credit_at[slot * n->cfg.nodes + k])))
			return false;
	return true;
}

/* Rings of a power of two. */
static bool is_ring(uint32_t n, uint32_t cap, uint64_t most)
{
	uint32_t expected = 4;
	most = most > UINT32_C(1) << 31 ? UINT32_C(1) << 31 : most;
	while (expected < most)
		expected *= 2;
	return cap == expected && n <= cap;
}

static bool line_credits(struct routers *r, uint32_t line)
{
	const struct icnt_words *w = r->t->credits[line];
	if (!is_ring(w->n, w->cap, (uint64_t)r->n->cfg.vcs * r->n->cfg.buffer) ||
	    bit(r->t->credit_busy, line) != (w->n != 0) || r->t->step_credit[line])
		return false;
	for (uint32_t k = 0; k < w->n; k++)
		if (!credits_count(r, sender_of(r->n, line), w->at[(w->head + k) & (w->cap - 1)]))
			return false;
	return true;
}

/* ---- nodes ---- */

static bool move_flit(struct routers *r, uint32_t node, uint32_t flit)
{
	if (!flit_is_valid(r, flit, r->n->links.eject[node]))
		return false;
	const struct icnt_flit *f = &r->n->flit[flit];
	r->moved[f->packet]++;
	r->is_complete[f->packet] |= f->tail;
	return r->n->packet[f->packet].destination == node;
}

static bool ejection_is_valid(struct routers *r, uint32_t at)
{
	const struct icnt *n = r->n;
	const struct icnt_node *node = &r->t->node[at];
	uint32_t f = node->ejected.head, last = 0;
	for (uint32_t vc = 0; vc < n->cfg.vcs; vc++) {
		const struct icnt_queue *q = &r->t->ejection[at * n->cfg.vcs + vc];
		if ((node->ejection_vcs >> vc & 1) != (q->n != 0) || !queue_is_valid(r, q, n->links.eject[at]))
			return false;
		for (uint32_t k = 0, i = q->head; k < q->n; k++, i = n->flit[i].next)
			if (n->flit[i].vc != vc || n->packet[n->flit[i].packet].destination != at)
				return false;
	}
	for (uint32_t k = 0; k < node->ejected.n; last = f, f = n->flit[f].next, k++)
		if (!move_flit(r, at, f))
			return false;
	return (!node->ejected.n || last == node->ejected.tail) && (!node->retiring || move_flit(r, at, node->retiring));
}

/* ---- virtual channels ---- */

/* Flits of one packet after the other. */
static bool order_is_valid(const struct icnt *n, const struct icnt_queue *q)
{
	uint32_t f = q->head;
	for (uint32_t k = 1; k < q->n; k++) {
		const struct icnt_flit *a = &n->flit[f], *b = &n->flit[a->next];
		if (a->tail ? !b->head : b->packet != a->packet || b->number != a->number + 1)
			return false;
		f = a->next;
	}
	return true;
}

static bool vc_is_valid(struct routers *r, uint32_t line, uint32_t vc)
{
	const struct icnt *n = r->n;
	const uint32_t place = line * n->cfg.vcs + vc, router = n->links.router[line], first = router * n->cfg.ports;
	const struct icnt_vc *v = &r->t->vc[place];
	const bool ahead = v->ahead_port != ICNT_NO_VC;
	if (v->state > ICNT_ACTIVE || !queue_is_valid(r, &v->q, sender_of(n, line)) || !order_is_valid(n, &v->q) ||
	    (ahead && (v->ahead_port >= n->cfg.ports || v->ahead_begin >= n->cfg.vcs || v->ahead_end >= n->cfg.vcs)))
		return false;
	for (uint32_t k = 0, f = v->q.head; k < v->q.n; k++, f = n->flit[f].next)
		if (n->flit[f].vc != vc)
			return false;
	const bool waits = v->state == ICNT_ROUTING || v->state == ICNT_VC_ALLOC, spec = n->cfg.speculative;
	const bool allocates = v->state == ICNT_VC_ALLOC, piggyback = n->cfg.vc_alloc.kind == ICNT_PIGGYBACK;
	if (v->state == ICNT_IDLE ? v->q.n != 0 : waits && (!v->q.n || !n->flit[v->q.head].head))
		return false;
	const struct icnt_route *route = waits && v->q.n ? &n->packet[n->flit[v->q.head].packet].route : NULL;
	if (allocates && !route->n)
		return false;
	if (r->others[place] != (v->state == ICNT_ROUTING) + (allocates && !piggyback) * 16 ||
	    r->lists[place] != ((allocates && spec) || (v->state == ICNT_ACTIVE && v->q.n)))
		return false;
	if (v->state != ICNT_ACTIVE)
		return true;
	if (v->out_port >= n->cfg.ports || v->out_vc >= n->cfg.vcs)
		return false;
	const uint32_t to = first + v->out_port;
	return r->t->far_vc[to * n->cfg.vcs + v->out_vc].user == 1 + (line - first) * n->cfg.vcs + vc &&
	       (n->links.to_line[to] != ICNT_NOWHERE || n->links.to_node[to] != ICNT_NOWHERE);
}

/* ---- waiting lists ---- */

/* got: below `most`, or nothing; what completes at one time has different ones. */
static bool waits_are_valid(struct routers *r, const struct icnt_waits *w, uint32_t router, uint32_t most, uint8_t *lists,
			    uint8_t add)
{
	const struct icnt_setup *c = &r->n->cfg;
	if (!is_ring(w->n, w->cap, (uint64_t)c->ports * c->vcs) || w->n > c->ports * c->vcs)
		return false;
	for (uint32_t k = 0; k < w->n; k++) {
		const struct icnt_wait *e = ICNT_WAITS(w, k);
		if (e->in >= c->ports || e->vc >= c->vcs || e->got < -1 || (e->got >= 0 && (uint32_t)e->got >= most))
			return false;
		uint8_t *count = &lists[(router * c->ports + e->in) * c->vcs + e->vc];
		if (*count + add > 255)
			return false;
		*count = (uint8_t)(*count + add);
		for (uint32_t i = 0; e->got >= 0 && i < k; i++)
			if (ICNT_WAITS(w, i)->got == e->got && ICNT_WAITS(w, i)->done == e->done)
				return false;
	}
	return true;
}

static bool crossing_is_valid(struct routers *r, uint32_t router)
{
	const struct icnt_setup *c = &r->n->cfg;
	const struct icnt_crossings *w = r->t->crossing[router];
	const uint32_t steps = (uint32_t)c->speedup + 1, first = router * c->ports;
	const uint64_t most = (uint64_t)(c->cross_delay + 1) * steps * c->ports * c->out_speedup;
	if (!is_ring(w->n, w->cap, most) || w->n > most)
		return false;
	for (uint32_t k = 0; k < w->n; k++) {
		const struct icnt_crossing *e = ICNT_WAITS(w, k);
		if (e->output < first || e->output >= first + c->ports || !flit_is_valid(r, e->flit, e->output))
			return false;
	}
	return true;
}

/* A connection that is held joins an input and an output, for a virtual channel that is active. */
static bool holds_are_valid(const struct routers *r, uint32_t router)
{
	const struct icnt_setup *c = &r->n->cfg;
	const struct icnt_net *t = r->t;
	const uint32_t n_in = c->ports * c->in_speedup, n_out = c->ports * c->out_speedup;
	const int32_t *in = &t->hold_in[router * n_in], *vc = &t->hold_vc[router * n_in], *out = &t->hold_out[router * n_out];
	for (uint32_t k = 0; k < n_in; k++) {
		if (in[k] < -1 || in[k] >= (int32_t)n_out || vc[k] < -1 || vc[k] >= (int32_t)c->vcs ||
		    (in[k] < 0) != (vc[k] < 0) || (in[k] >= 0 && out[in[k]] != (int32_t)k) ||
		    t->sw_offset[router * n_in + k] >= c->vcs)
			return false;
		const uint32_t port = k / c->in_speedup;
		if (in[k] >= 0 &&
		    t->vc[(router * c->ports + port) * c->vcs + (uint32_t)vc[k]].state != ICNT_ACTIVE)
			return false;
	}
	for (uint32_t k = 0; k < n_out; k++)
		if (out[k] < -1 || out[k] >= (int32_t)n_in || (out[k] >= 0 && in[out[k]] != (int32_t)k))
			return false;
	const struct icnt_waits *w = t->hold_wait[router];
	for (uint32_t k = 0; k < w->n; k++) {
		const struct icnt_wait *e = ICNT_WAITS(w, k);
		const uint32_t at = e->in * c->in_speedup + c->in_slot[e->vc];
		if (in[at] < 0 || vc[at] != e->vc)
			return false;
	}
	return true;
}

/* ---- allocators ---- */

static bool below(const uint32_t *v, uint32_t n, uint32_t most)
{
	for (uint32_t k = 0; v && k < n; k++)
		if (v[k] >= most)
			return false;
	return true;
}

static bool arbiters_are_valid(const struct icnt_arbiters *a, uint32_t n)
{
	return !a->groups || (below(a->leaf, n * a->groups, a->size / a->groups) && below(a->root, n, a->groups));
}

static bool allocator_is_valid(const struct icnt_allocator *a, uint32_t n_in, uint32_t n_out)
{
	const uint32_t square = n_in > n_out ? n_in : n_out;
	const uint32_t most = a->setup.kind == ICNT_MAX_SIZE ? n_in : square;
	return below(a->in_pointer, n_in, n_out) && below(a->out_pointer, n_out, n_in) && below(a->pointer, 1, most) &&
	       arbiters_are_valid(&a->in, n_in) && arbiters_are_valid(&a->out, n_out);
}

/* ---- routers ---- */

static bool router_is_valid(struct routers *r, uint32_t router)
{
	const struct icnt_setup *c = &r->n->cfg;
	const struct icnt_net *t = r->t;
	const uint32_t in = c->ports * c->in_speedup, out = c->ports * c->out_speedup, vcs = c->ports * c->vcs;
	if (!waits_are_valid(r, t->route_wait[router], router, 1, r->others, 1) ||
	    !waits_are_valid(r, t->vc_wait[router], router, vcs, r->others, 16) ||
	    !waits_are_valid(r, t->sw_wait[router], router, out, r->lists, 1) ||
	    !waits_are_valid(r, t->hold_wait[router], router, out, r->lists, 1) || !crossing_is_valid(r, router) ||
	    !allocator_is_valid(&t->vc_alloc[router], vcs, vcs) || !allocator_is_valid(&t->sw_alloc[router], in, out) ||
	    !allocator_is_valid(&t->spec_alloc[router], in, out) || !holds_are_valid(r, router))
		return false;
	for (uint32_t line = router * c->ports; line < (router + 1) * c->ports; line++) {
		if (t->vc_offset[line] < -1 || t->vc_offset[line] >= (int32_t)c->vcs || !line_credits(r, line) ||
		    !queue_is_valid(r, &t->out[line], line) || bit(t->out_busy, line) != (t->out[line].n != 0))
			return false;
		for (uint32_t vc = 0; vc < c->vcs; vc++)
			if (!vc_is_valid(r, line, vc))
				return false;
	}
	return true;
}

/* ---- what senders know ---- */

static bool sharing_is_valid(const struct routers *r, uint32_t channel)
{
	const struct icnt_setup *c = &r->n->cfg;
	const struct icnt_net *t = r->t;
	const struct icnt_far *f = &t->far[channel];
	const uint32_t *part = &t->part[(size_t)channel * c->n_parts];
	uint64_t used[ICNT_VCS_MAX] = {0}, shared = 0, active = 0;
	for (uint32_t vc = 0; vc < c->vcs; vc++) {
		const struct icnt_far_vc *v = &t->far_vc[channel * c->vcs + vc];
		used[c->part_of[vc]] += (uint64_t)v->occupied + v->reserved;
		active += v->user && !v->tail_sent;
		if (c->policy >= ICNT_FEEDBACK) {
			const struct icnt_words *w = t->sent_at[(size_t)channel * c->vcs + vc];
			if (!is_ring(w->n, w->cap, c->buffer + UINT64_C(1)) ||
			    (c->policy == ICNT_FEEDBACK ? w->n != v->occupied : w->n > 1) || v->round_trip < -1)
				return false;
		}
	}
	for (uint32_t k = 0; k < c->n_parts; k++) {
		if (part[k] != used[k])
			return false;
		shared += used[k] > c->part_size[k] ? used[k] - c->part_size[k] : 0;
	}
	const bool limited = c->policy >= ICNT_LIMITED && c->policy <= ICNT_SHIFTING;
	return shared == f->shared_occupied && f->held_most <= c->buffer && (!limited || f->active == active);
}

static bool far_is_valid(const struct routers *r, uint32_t channel)
{
	const struct icnt *n = r->n;
	const struct icnt_setup *c = &n->cfg;
	const uint32_t users = channel < n->lines ? c->ports * c->vcs : 1;
	uint64_t occupied = 0;
	for (uint32_t vc = 0; vc < c->vcs; vc++) {
		const struct icnt_far_vc *v = &r->t->far_vc[channel * c->vcs + vc];
		if (!VALID_BOOL(v->tail_sent) || v->user > users || v->occupied != r->behind[channel * c->vcs + vc] ||
		    (c->policy == ICNT_PRIVATE && v->occupied > c->vc_buffer))
			return false;
		occupied += v->occupied;
	}
	return occupied == r->t->far[channel].occupied && occupied <= c->buffer &&
	       (c->policy == ICNT_PRIVATE || sharing_is_valid(r, channel));
}

/* A node that has sent a part of a packet owns the virtual channel for the rest. */
static bool injections_are_valid(const struct routers *r)
{
	const struct icnt *n = r->n;
	for (uint32_t at = 0; at < n->cfg.nodes; at++) {
		const struct icnt_node *node = &r->t->node[at];
		if (!node->n_packets)
			continue;
		const struct icnt_packet *p = &n->packet[r->t->input_queue[(uint64_t)at * n->cfg.input_buffer + node->first]];
		if (p->sent && r->t->far_vc[(n->lines + at) * n->cfg.vcs + p->vc].user != 1)
			return false;
	}
	return true;
}

/* ---- packets ---- */

static int by_size(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Flits of a packet that are gone were its first ones, and are in its node's boundary buffer. */
static bool arrivals_are_valid(struct routers *r, uint32_t at)
{
	const struct icnt *n = r->n;
	uint32_t have[ICNT_VCS_MAX], want[ICNT_VCS_MAX] = {0}, n_want = 0;
	memcpy(have, &r->x->incomplete[r->net][(size_t)at * n->cfg.vcs], n->cfg.vcs * sizeof *have);
	for (uint32_t k = 1; k <= n->s->used_packets; k++) {
		const struct icnt_packet *p = &n->packet[k];
		if (r->x->packets.claimed[k] != ICNT_USED + r->net || p->destination != at || p->sent < r->x->sent[k])
			continue;
		const uint32_t gone = p->sent - r->x->sent[k], arrived = gone + r->moved[k];
		if (r->is_complete[k] || !arrived)
			continue;
		if (n_want == n->cfg.vcs)
			return false;
		want[n_want++] = arrived;
	}
	qsort(have, n->cfg.vcs, sizeof *have, by_size);
	qsort(want, n->cfg.vcs, sizeof *want, by_size);
	return !memcmp(have, want, n->cfg.vcs * sizeof *have);
}

static bool packets_are_valid(struct routers *r)
{
	const struct icnt *n = r->n;
	for (uint32_t at = 0; at < n->cfg.nodes; at++)
		if (!arrivals_are_valid(r, at))
			return false;
	for (uint32_t k = 1; k <= n->s->used_packets; k++) {
		const struct icnt_packet *p = &n->packet[k];
		if (r->x->packets.claimed[k] != ICNT_USED + r->net)
			continue;
		const uint64_t found = r->x->sent[k], gone = p->sent - found;
		/* the numbers of those that are left are the last ones */
		if (found > p->sent || (p->sent == p->n_flits && !found) ||
		    r->x->held[k] != (p->sent * (p->sent - UINT64_C(1)) - gone * (gone - UINT64_C(1))) / 2)
			return false;
		r->x->sent[k] = p->sent;
	}
	return true;
}

/* ---- all of it ---- */

static bool check_routers(struct routers *r)
{
	const struct icnt *n = r->n;
	const struct icnt_net *t = r->t;
	bool ok = ends_at(t->busy, n->cfg.routers) && ends_at(t->out_busy, n->lines) && ends_at(t->credit_busy, n->lines);
	for (uint32_t k = 0; ok && k < n->line_words; k++)
		ok = !t->step_lines[k];
	for (uint64_t slot = 0; ok && slot <= n->slot_mask; slot++)
		ok = slot_is_valid(r, slot);
	for (uint32_t k = 0; ok && k < n->cfg.nodes; k++)
		ok = ejection_is_valid(r, k);
	for (uint32_t k = 0; ok && k < n->cfg.routers; k++)
		ok = router_is_valid(r, k);
	for (uint32_t k = 0; ok && k < n->channels; k++)
		ok = far_is_valid(r, k);
	return ok && injections_are_valid(r) && packets_are_valid(r);
}

bool icnt_routers_are_valid(struct icnt_valid *x, uint32_t net)
{
	const struct icnt *n = x->n;
	const size_t vcs = (size_t)n->lines * n->cfg.vcs, packets = n->s->used_packets + (size_t)1;
	struct routers r = {.x = x,
			    .n = n,
			    .t = &n->net[net],
			    .net = net,
			    .behind = xcalloc((size_t)n->channels * n->cfg.vcs, sizeof *r.behind),
			    .moved = xcalloc(packets, sizeof *r.moved),
			    .is_complete = xcalloc(packets, sizeof *r.is_complete),
			    .lists = xcalloc(vcs, 1),
			    .others = xcalloc(vcs, 1)};
	const bool ok = check_routers(&r);
	free(r.behind);
	free(r.moved);
	free(r.is_complete);
	free(r.lists);
	free(r.others);
	return ok;
}
