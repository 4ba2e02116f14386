/* The input-queued router: routing, virtual channel allocation, switch allocation, crossbar; with credits for the next buffer.
 * Source: booksim's router description; the order of events is that of GPGPU-Sim 3.2.2.
 *
 * Each step every stage is evaluated on the state at the step's beginning, then every stage is updated in the same order. A stage
 * takes a batch from its waiting list and takes no new one before that is through (what matters only for delays above 1). */
#include <limits.h>

#include "timing/icnt/icnt_router.h"

/* ---- priorities ---- */
void icnt_update_priority(const struct icnt *n, struct icnt_vc *v)
{
	if (n->cfg.urgency == ICNT_PRI_NONE || !v->q.n)
		return;
	if (n->cfg.urgency == ICNT_PRI_QUEUE_LENGTH) {
		v->priority = (int32_t)v->q.n;
		return;
	}
	int32_t best = n->flit[v->q.head].priority;
	bool donate = n->cfg.donate && n->cfg.urgency != ICNT_PRI_LOCAL_AGE;
	uint32_t f = v->q.head;
	for (uint32_t i = 1; donate && i < v->q.n; i++) {
		f = n->flit[f].next;
		best = n->flit[f].priority > best ? n->flit[f].priority : best;
	}
	v->priority = best;
}

/* ---- next-hop output queueing: which VCs the hop after this one may use ---- */
static void look_ahead(struct icnt_step *s, uint32_t in, struct icnt_vc *v, const struct icnt_packet *p)
{
	(void)in;
	struct icnt *n = s->n;
	uint32_t to = n->links.to_line[s->line + p->route.way[0].port];
	if (to == ICNT_NOWHERE)
		return;
	struct icnt_packet copy = *p;
	struct icnt_here here = {.router = n->links.router[to],
				 .port = to - n->links.router[to] * n->cfg.ports,
				 .vc = p->route.way[0].begin_vc};
	n->cfg.route(n, s->net, &copy, &here);
	const struct icnt_way *way = &copy.route.way[0];
	uint32_t size = (way->end_vc - way->begin_vc + 1u) / n->cfg.ports;
	v->ahead_port = way->port;
	v->ahead_begin = (uint16_t)(way->begin_vc + way->port * size);
	v->ahead_end = (uint16_t)(v->ahead_begin + size - 1);
}

/* ---- a head reaches the front of its VC ---- */
void icnt_start_packet(struct icnt_step *s, uint32_t in, uint32_t vc, struct icnt_vc *v)
{
	const struct icnt_setup *c = &s->n->cfg;
	if (c->routing_delay) {
		v->state = ICNT_ROUTING;
		icnt_wait_push(s->t->route_wait[s->router], in, vc);
		return;
	}
	v->state = ICNT_VC_ALLOC;
	if (c->speculative)
		icnt_wait_push(s->t->sw_wait[s->router], in, vc);
	if (c->vc_alloc.kind != ICNT_PIGGYBACK)
		icnt_wait_push(s->t->vc_wait[s->router], in, vc);
	if (c->noq)
		look_ahead(s, in, v, &s->n->packet[s->n->flit[v->q.head].packet]);
}

/* ---- routing ---- */
static void route_evaluate(struct icnt_step *s)
{
	struct icnt_waits *w = s->t->route_wait[s->router];
	uint32_t k = icnt_batch(w);
	for (uint32_t i = 0; i < k; i++)
		ICNT_WAITS(w, i)->done = s->now + s->n->cfg.routing_delay - 1;
}

static void route_update(struct icnt_step *s)
{
	struct icnt *n = s->n;
	struct icnt_wait e;
	while (icnt_wait_pop(s->t->route_wait[s->router], s->now, &e)) {
		struct icnt_vc *v = icnt_vc_at(s, e.in, e.vc);
		struct icnt_here here = {.router = s->router, .port = e.in, .vc = e.vc};
		n->cfg.route(n, s->net, &n->packet[n->flit[v->q.head].packet], &here);
		v->state = ICNT_VC_ALLOC;
		if (n->cfg.speculative)
			icnt_wait_push(s->t->sw_wait[s->router], e.in, e.vc);
		if (n->cfg.vc_alloc.kind != ICNT_PIGGYBACK)
			icnt_wait_push(s->t->vc_wait[s->router], e.in, e.vc);
	}
}

/* ---- virtual channel allocation ---- */
static void request_vcs(struct icnt_step *s, const struct icnt_wait *e)
{
	struct icnt *n = s->n;
	const struct icnt_vc *v = icnt_vc_at(s, e->in, e->vc);
	const struct icnt_route *route = &n->packet[n->flit[v->q.head].packet].route;
	uint32_t row = icnt_vc_row(n, e->in, e->vc), begin, end;
	for (uint32_t w = 0; w < route->n; w++) {
		const struct icnt_way *way = &route->way[w];
		icnt_way_vcs(s, v, way, &begin, &end);
		for (uint32_t vc = begin; vc <= end; vc++) {
			uint32_t line = s->line + way->port;
			int32_t priority = way->priority;
			if (!icnt_far_free(n, s->net, line, vc) ||
			    (n->cfg.busy_when_full && icnt_far_full(n, s->net, line, vc)))
				continue;
			if (n->cfg.prefer_empty && !icnt_far_empty(n, s->net, line, vc))
				priority += INT_MIN;
			uint32_t column = way->port * n->cfg.vcs + vc;
			if (!icnt_requested(&n->vc_requests, row, column))
				icnt_request_add(&n->vc_requests, row, column, 0, priority, v->priority);
		}
	}
}

static void vc_evaluate(struct icnt_step *s)
{
	struct icnt *n = s->n;
	struct icnt_waits *w = s->t->vc_wait[s->router];
	uint32_t k = icnt_batch(w);
	icnt_requests_clear(&n->vc_requests);
	for (uint32_t i = 0; i < k; i++)
		request_vcs(s, ICNT_WAITS(w, i));
	icnt_allocate(n, &s->t->vc_alloc[s->router], &n->vc_requests);
	for (uint32_t i = 0; i < k; i++) {
		struct icnt_wait *e = ICNT_WAITS(w, i);
		e->done = s->now + n->cfg.vc_delay - 1;
		e->got = n->vc_requests.in_match[icnt_vc_row(n, e->in, e->vc)];
	}
	/* what was granted earlier may be gone by now */
	for (uint32_t i = 0; n->cfg.vc_delay > 1 && i < w->n && ICNT_WAITS(w, i)->done <= s->now; i++) {
		struct icnt_wait *e = ICNT_WAITS(w, i);
		uint32_t line = s->line + (uint32_t)e->got / n->cfg.vcs, vc = (uint32_t)e->got % n->cfg.vcs;
		if (e->got >= 0 && (!icnt_far_free(n, s->net, line, vc) ||
				    (n->cfg.busy_when_full && icnt_far_full(n, s->net, line, vc))))
			e->got = -1;
	}
}

static void vc_update(struct icnt_step *s)
{
	struct icnt *n = s->n;
	struct icnt_waits *w = s->t->vc_wait[s->router];
	struct icnt_wait e;
	while (icnt_wait_pop(w, s->now, &e)) {
		if (e.got < 0) {
			icnt_wait_push(w, e.in, e.vc);
			continue;
		}
		struct icnt_vc *v = icnt_vc_at(s, e.in, e.vc);
		v->out_port = (uint16_t)((uint32_t)e.got / n->cfg.vcs);
		v->out_vc = (uint16_t)((uint32_t)e.got % n->cfg.vcs);
		v->state = ICNT_ACTIVE;
		icnt_far_take(n, s->net, s->line + v->out_port, v->out_vc, e.in * n->cfg.vcs + e.vc);
		if (!n->cfg.speculative)
			icnt_wait_push(s->t->sw_wait[s->router], e.in, e.vc);
	}
}

/* ---- crossbar ---- */
static void cross_evaluate(struct icnt_step *s)
{
	struct icnt_crossings *w = s->t->crossing[s->router];
	for (uint32_t i = 0; i < w->n && ICNT_WAITS(w, i)->done == ICNT_NOT_BEGUN; i++)
		ICNT_WAITS(w, i)->done = s->now + s->n->cfg.cross_delay - 1;
}

static void cross_update(struct icnt_step *s)
{
	struct icnt_crossings *w = s->t->crossing[s->router];
	while (w->n && ICNT_WAITS(w, 0)->done <= s->now) {
		const struct icnt_crossing *e = ICNT_WAITS(w, 0);
		icnt_queue_push(s->n, &s->t->out[e->output], e->flit);
		icnt_set(s->t->out_busy, e->output);
		w->head++;
		w->n--;
	}
}

/* Slots freed in this step: one credit for each input, for all its VCs. */
static void queue_credits(struct icnt_step *s)
{
	struct icnt_net *t = s->t;
	for (uint32_t w = s->line / 64; w <= (s->line + s->n->cfg.ports - 1) / 64; w++) {
		uint64_t bits = t->step_lines[w];
		t->credit_busy[w] |= bits;
		t->step_lines[w] = 0;
		while (bits) {
			uint32_t line = w * 64 + icnt_take_bit(&bits);
			icnt_words_push(t->credits[line], t->step_credit[line]);
			t->step_credit[line] = 0;
			t->s->n_items++;
		}
	}
}

/* One internal step. False: all its waiting lists are empty. */
static bool router_step(struct icnt_step *s)
{
	struct icnt_net *t = s->t;
	uint32_t r = s->router;
	if (t->route_wait[r]->n)
		route_evaluate(s);
	if (t->vc_wait[r]->n)
		vc_evaluate(s);
	if (t->hold_wait[r]->n)
		icnt_hold_evaluate(s);
	if (t->sw_wait[r]->n)
		icnt_switch_evaluate(s);
	cross_evaluate(s);
	if (t->route_wait[r]->n)
		route_update(s);
	if (t->vc_wait[r]->n)
		vc_update(s);
	if (t->hold_wait[r]->n)
		icnt_hold_update(s);
	if (t->sw_wait[r]->n)
		icnt_switch_update(s);
	cross_update(s);
	queue_credits(s);
	return t->route_wait[r]->n || t->vc_wait[r]->n || t->hold_wait[r]->n || t->sw_wait[r]->n || t->crossing[r]->n;
}

/* ---- inputs and outputs ---- */
static void receive_flit(struct icnt_step *s, uint32_t line, uint32_t f)
{
	struct icnt *n = s->n;
	struct icnt_flit *flit = &n->flit[f];
	uint32_t vc = flit->vc, in;
	struct icnt_vc *v = &s->t->vc[line * n->cfg.vcs + vc];
	s->router = n->links.router[line];
	s->line = s->router * n->cfg.ports;
	in = line - s->line;
	if (n->cfg.urgency == ICNT_PRI_LOCAL_AGE)
		flit->priority = INT_MAX - (int32_t)(n->s->time & INT_MAX);
	else if (n->cfg.urgency == ICNT_PRI_HOP_COUNT)
		flit->priority = flit->hops;
	icnt_queue_push(n, &v->q, f);
	icnt_update_priority(n, v);
	if (v->state == ICNT_IDLE) {
		icnt_start_packet(s, in, vc, v);
	} else if (v->state == ICNT_ACTIVE && v->q.n == 1) {
		bool held = n->cfg.hold && *icnt_hold_vc(s, icnt_in_expanded(n, in, vc)) == (int32_t)vc;
		icnt_wait_push(held ? s->t->hold_wait[s->router] : s->t->sw_wait[s->router], in, vc);
	}
	icnt_set(s->t->busy, s->router);
}

static void receive(struct icnt_step *s)
{
	struct icnt *n = s->n;
	struct icnt_net *t = s->t;
	uint64_t slot = s->now & n->slot_mask;
	for (uint32_t w = 0; w < n->line_words; w++) {
		uint64_t *flits = &t->flit_due[slot * n->line_words + w],
			 *credits = &t->credit_due[slot * n->line_words + w];
		while (*flits) {
			uint32_t line = w * 64 + icnt_take_bit(flits);
			receive_flit(s, line, t->flit_at[slot * n->lines + line]);
		}
		while (*credits) {
			uint32_t line = w * 64 + icnt_take_bit(credits);
			icnt_far_credit(n, s->net, line, t->credit_at[slot * n->lines + line]);
			t->s->n_items--;
		}
	}
}

void icnt_send_flit(struct icnt *n, uint32_t net, uint32_t to_line, uint32_t latency, uint32_t flit)
{
	struct icnt_net *t = &n->net[net];
	uint64_t slot = (n->s->clock + 1 + latency) & n->slot_mask;
	icnt_set(&t->flit_due[slot * n->line_words], to_line);
	t->flit_at[slot * n->lines + to_line] = flit;
}

void icnt_send_credit(struct icnt *n, uint32_t net, uint32_t to_line, uint32_t latency, uint64_t vcs)
{
	struct icnt_net *t = &n->net[net];
	uint64_t slot = (n->s->clock + 1 + latency + n->cfg.credit_delay) & n->slot_mask;
	icnt_set(&t->credit_due[slot * n->line_words], to_line);
	t->credit_at[slot * n->lines + to_line] = vcs;
}

static void eject_flit(struct icnt *n, struct icnt_net *t, uint32_t node, uint32_t flit)
{
	uint64_t slot = (n->s->clock + 2) & n->slot_mask;
	icnt_set(&t->eject_due[slot * n->node_words], node);
	t->eject_at[slot * n->cfg.nodes + node] = flit;
}

static void node_credit(struct icnt *n, struct icnt_net *t, uint32_t node, uint64_t vcs)
{
	uint64_t slot = (n->s->clock + 2) & n->slot_mask;
	icnt_set(&t->node_credit_due[slot * n->node_words], node);
	t->node_credit_at[slot * n->cfg.nodes + node] = vcs;
}

/* One flit for each output and one credit for each input go to the links. */
static void write_outputs(struct icnt *n, uint32_t net)
{
	struct icnt_net *t = &n->net[net];
	for (uint32_t w = 0; w < n->line_words; w++) {
		for (uint64_t bits = t->out_busy[w]; bits;) {
			uint32_t line = w * 64 + icnt_take_bit(&bits), f = icnt_queue_pop(n, &t->out[line]);
			if (!t->out[line].n)
				icnt_unset(t->out_busy, line);
			if (n->links.to_line[line] == ICNT_NOWHERE)
				eject_flit(n, t, n->links.to_node[line], f);
			else
				icnt_send_flit(n, net, n->links.to_line[line], n->cfg.link_latency, f);
		}
		for (uint64_t bits = t->credit_busy[w]; bits;) {
			uint32_t line = w * 64 + icnt_take_bit(&bits);
			uint64_t vcs = icnt_words_pop(t->credits[line]);
			if (!t->credits[line]->n)
				icnt_unset(t->credit_busy, line);
			if (n->links.from_line[line] == ICNT_NOWHERE)
				node_credit(n, t, n->links.from_node[line], vcs);
			else
				icnt_send_credit(n, net, n->links.from_line[line], n->cfg.link_latency, vcs);
		}
	}
}

void icnt_routers_cycle(struct icnt *n, uint32_t net, uint32_t steps)
{
	struct icnt_net *t = &n->net[net];
	struct icnt_step s = {.n = n, .t = t, .net = net, .now = n->s->clock};
	receive(&s);
	for (uint32_t w = 0; w < n->router_words; w++)
		for (uint64_t bits = t->busy[w]; bits;) {
			bool busy = true;
			s.router = w * 64 + icnt_take_bit(&bits);
			s.line = s.router * n->cfg.ports;
			for (uint32_t i = 0; i < steps && busy; i++)
				busy = router_step(&s);
			if (!busy)
				icnt_unset(t->busy, s.router);
		}
	write_outputs(n, net);
}
