/* The input-queued router: routing, virtual channel allocation, switch allocation, crossbar; with credits for the next buffer.
 * Source: booksim's router description; the order of events is that of GPGPU-Sim 3.2.2.
 *
 * Each step every stage is evaluated on the state at the step's beginning, then every stage is updated in the same order. A stage
 * takes a batch from its waiting list and takes no new one before that is through (what matters only for delays above 1). */
#include <limits.h>

#include "timing/icnt_internal.h"

#define STALLED (-2)
#define WAITS(w, i) (&(w)->at[((w)->head + (i)) & ((w)->cap - 1)])

struct step {
	struct icnt *n;
	struct icnt_net *t;
	uint32_t net, router, line; /* line: of the router's port 0 */
	uint64_t now;
};

static struct icnt_vc *vc_at(const struct step *s, uint32_t in, uint32_t vc) { return &s->t->vc[(s->line + in) * s->n->cfg.vcs + vc]; }
static uint32_t in_expanded(const struct icnt *n, uint32_t in, uint32_t vc) { return in * n->cfg.in_speedup + n->cfg.in_slot[vc]; }
static uint32_t out_expanded(const struct icnt *n, uint32_t out, uint32_t in)
{
	return n->cfg.out_speedup == 1 ? out : out * n->cfg.out_speedup + in % n->cfg.out_speedup;
}
static uint32_t out_port(const struct icnt *n, uint32_t expanded)
{
	return n->cfg.out_speedup == 1 ? expanded : expanded / n->cfg.out_speedup;
}
static uint32_t vc_row(const struct icnt *n, uint32_t in, uint32_t vc)
{
	return n->cfg.shuffle ? vc * n->cfg.ports + in : in * n->cfg.vcs + vc;
}
static int32_t *hold_in(const struct step *s, uint32_t in) { return &s->t->hold_in[s->router * s->n->cfg.ports * s->n->cfg.in_speedup + in]; }
static int32_t *hold_vc(const struct step *s, uint32_t in) { return &s->t->hold_vc[s->router * s->n->cfg.ports * s->n->cfg.in_speedup + in]; }
static int32_t *hold_out(const struct step *s, uint32_t out)
{
	return &s->t->hold_out[s->router * s->n->cfg.ports * s->n->cfg.out_speedup + out];
}

static void wait_push(struct icnt_waits *w, uint32_t in, uint32_t vc)
{
	*WAITS(w, w->n) = (struct icnt_wait){.done = ICNT_NOT_BEGUN, .in = (uint16_t)in, .vc = (uint16_t)vc, .got = -1};
	w->n++;
}
/* The oldest entry if its stage completes now. */
static bool wait_pop(struct icnt_waits *w, uint64_t now, struct icnt_wait *out)
{
	if (!w->n || WAITS(w, 0)->done > now)
		return false;
	*out = *WAITS(w, 0);
	w->head++;
	w->n--;
	return true;
}
/* Number of entries at the front that have not begun: the next batch. */
static uint32_t batch(const struct icnt_waits *w)
{
	uint32_t i = 0;
	while (i < w->n && WAITS(w, i)->done == ICNT_NOT_BEGUN)
		i++;
	return i;
}

static bool output_full(const struct step *s, uint32_t out)
{
	return s->n->cfg.output_buffer >= 0 && s->t->out[s->line + out].n >= s->n->cfg.output_buffer;
}

/* ---- priorities ---- */
static void update_priority(const struct icnt *n, struct icnt_vc *v)
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
static void look_ahead(struct step *s, uint32_t in, struct icnt_vc *v, const struct icnt_packet *p)
{
	(void)in;
	struct icnt *n = s->n;
	uint32_t to = n->links.to_line[s->line + p->route.way[0].port];
	if (to == ICNT_NOWHERE)
		return;
	struct icnt_packet copy = *p;
	struct icnt_here here = {.router = n->links.router[to], .port = to - n->links.router[to] * n->cfg.ports, .vc = p->route.way[0].begin_vc};
	n->cfg.route(n, s->net, &copy, &here);
	const struct icnt_way *way = &copy.route.way[0];
	uint32_t size = (way->end_vc - way->begin_vc + 1u) / n->cfg.ports;
	v->ahead_port = way->port;
	v->ahead_begin = (uint16_t)(way->begin_vc + way->port * size);
	v->ahead_end = (uint16_t)(v->ahead_begin + size - 1);
}

static void way_vcs(const struct step *s, const struct icnt_vc *v, const struct icnt_way *way, uint32_t *begin, uint32_t *end)
{
	bool ahead = s->n->cfg.noq && v->ahead_port != ICNT_NO_VC;
	*begin = ahead ? v->ahead_begin : way->begin_vc;
	*end = ahead ? v->ahead_end : way->end_vc;
}

/* ---- a head has come to the front of its VC ---- */
static void start_packet(struct step *s, uint32_t in, uint32_t vc, struct icnt_vc *v)
{
	const struct icnt_setup *c = &s->n->cfg;
	if (c->routing_delay) {
		v->state = ICNT_ROUTING;
		wait_push(s->t->route_wait[s->router], in, vc);
		return;
	}
	v->state = ICNT_VC_ALLOC;
	if (c->speculative)
		wait_push(s->t->sw_wait[s->router], in, vc);
	if (c->vc_alloc.kind != ICNT_PIGGYBACK)
		wait_push(s->t->vc_wait[s->router], in, vc);
	if (c->noq)
		look_ahead(s, in, v, &s->n->packet[s->n->flit[v->q.head].packet]);
}

/* ---- routing ---- */
static void route_evaluate(struct step *s)
{
	struct icnt_waits *w = s->t->route_wait[s->router];
	uint32_t k = batch(w);
	for (uint32_t i = 0; i < k; i++)
		WAITS(w, i)->done = s->now + s->n->cfg.routing_delay - 1;
}

static void route_update(struct step *s)
{
	struct icnt *n = s->n;
	struct icnt_wait e;
	while (wait_pop(s->t->route_wait[s->router], s->now, &e)) {
		struct icnt_vc *v = vc_at(s, e.in, e.vc);
		struct icnt_here here = {.router = s->router, .port = e.in, .vc = e.vc};
		n->cfg.route(n, s->net, &n->packet[n->flit[v->q.head].packet], &here);
		v->state = ICNT_VC_ALLOC;
		if (n->cfg.speculative)
			wait_push(s->t->sw_wait[s->router], e.in, e.vc);
		if (n->cfg.vc_alloc.kind != ICNT_PIGGYBACK)
			wait_push(s->t->vc_wait[s->router], e.in, e.vc);
	}
}

/* ---- virtual channel allocation ---- */
static void request_vcs(struct step *s, const struct icnt_wait *e)
{
	struct icnt *n = s->n;
	const struct icnt_vc *v = vc_at(s, e->in, e->vc);
	const struct icnt_route *route = &n->packet[n->flit[v->q.head].packet].route;
	uint32_t row = vc_row(n, e->in, e->vc), begin, end;
	for (uint32_t w = 0; w < route->n; w++) {
		const struct icnt_way *way = &route->way[w];
		way_vcs(s, v, way, &begin, &end);
		for (uint32_t vc = begin; vc <= end; vc++) {
			uint32_t line = s->line + way->port;
			int32_t priority = way->priority;
			if (!icnt_far_free(n, s->net, line, vc) || (n->cfg.busy_when_full && icnt_far_full(n, s->net, line, vc)))
				continue;
			if (n->cfg.prefer_empty && !icnt_far_empty(n, s->net, line, vc))
				priority += INT_MIN;
			uint32_t column = way->port * n->cfg.vcs + vc;
			if (!icnt_requested(&n->vc_requests, row, column))
				icnt_request_add(&n->vc_requests, row, column, 0, priority, v->priority);
		}
	}
}

static void vc_evaluate(struct step *s)
{
	struct icnt *n = s->n;
	struct icnt_waits *w = s->t->vc_wait[s->router];
	uint32_t k = batch(w);
	icnt_requests_clear(&n->vc_requests);
	for (uint32_t i = 0; i < k; i++)
		request_vcs(s, WAITS(w, i));
	icnt_allocate(n, &s->t->vc_alloc[s->router], &n->vc_requests);
	for (uint32_t i = 0; i < k; i++) {
		struct icnt_wait *e = WAITS(w, i);
		e->done = s->now + n->cfg.vc_delay - 1;
		e->got = n->vc_requests.in_match[vc_row(n, e->in, e->vc)];
	}
	/* what was granted earlier may be gone by now */
	for (uint32_t i = 0; n->cfg.vc_delay > 1 && i < w->n && WAITS(w, i)->done <= s->now; i++) {
		struct icnt_wait *e = WAITS(w, i);
		uint32_t line = s->line + (uint32_t)e->got / n->cfg.vcs, vc = (uint32_t)e->got % n->cfg.vcs;
		if (e->got >= 0 &&
		    (!icnt_far_free(n, s->net, line, vc) || (n->cfg.busy_when_full && icnt_far_full(n, s->net, line, vc))))
			e->got = -1;
	}
}

static void vc_update(struct step *s)
{
	struct icnt *n = s->n;
	struct icnt_waits *w = s->t->vc_wait[s->router];
	struct icnt_wait e;
	while (wait_pop(w, s->now, &e)) {
		if (e.got < 0) {
			wait_push(w, e.in, e.vc);
			continue;
		}
		struct icnt_vc *v = vc_at(s, e.in, e.vc);
		v->out_port = (uint16_t)((uint32_t)e.got / n->cfg.vcs);
		v->out_vc = (uint16_t)((uint32_t)e.got % n->cfg.vcs);
		v->state = ICNT_ACTIVE;
		icnt_far_take(n, s->net, s->line + v->out_port, v->out_vc, e.in * n->cfg.vcs + e.vc);
		if (!n->cfg.speculative)
			wait_push(s->t->sw_wait[s->router], e.in, e.vc);
	}
}

/* ---- switch allocation ---- */
/* Does VC a go before VC b of the same input? Round robin from `offset` among equal priorities. */
static bool supersedes(uint32_t a, int32_t a_pri, uint32_t b, int32_t b_pri, int32_t offset, uint32_t vcs)
{
	if (a_pri != b_pri)
		return a_pri > b_pri;
	uint32_t size = vcs, start = offset < 0 ? size - 1 : (uint32_t)offset;
	return (a + size - start) % size < (b + size - start) % size;
}

static void request_switch(struct step *s, const struct icnt_wait *e, const struct icnt_vc *v, uint32_t out)
{
	struct icnt *n = s->n;
	uint32_t in = in_expanded(n, e->in, e->vc), o = out_expanded(n, out, e->in);
	struct icnt_requests *q = &n->sw_requests;
	int32_t priority = v->priority;
	if (n->cfg.hold && (*hold_in(s, in) >= 0 || *hold_out(s, o) >= 0))
		return;
	if (v->state == ICNT_VC_ALLOC && n->cfg.spec_alloc.kind != ICNT_PRIO)
		q = &n->spec_requests;
	else if (v->state == ICNT_VC_ALLOC)
		priority += INT_MIN;
	if (icnt_requested(q, in, o)) {
		size_t cell = (size_t)in * q->n_out + o;
		uint32_t offset = s->t->sw_offset[s->router * q->n_in + in];
		if (!supersedes(e->vc, priority, (uint32_t)q->label[cell], q->in_pri[cell], (int32_t)offset, n->cfg.vcs))
			return;
	}
	icnt_request_add(q, in, o, e->vc, priority, priority);
}

/* Is there a VC for a speculative head at this output, with room? */
static void possible(const struct step *s, const struct icnt_vc *v, const struct icnt_way *way, bool *free, bool *room)
{
	uint32_t begin, end, line = s->line + way->port;
	way_vcs(s, v, way, &begin, &end);
	*free = *room = false;
	for (uint32_t vc = begin; vc <= end && !*room; vc++) {
		if (!icnt_far_free(s->n, s->net, line, vc) || output_full(s, way->port))
			continue;
		*free = true;
		*room = !s->n->cfg.check_credit || !icnt_far_full(s->n, s->net, line, vc);
	}
}

/* As in GPGPU-Sim 3.2.2 a head with one way that fails these checks gets nothing, though it may have asked for another. */
static void request_speculatively(struct step *s, struct icnt_wait *e, const struct icnt_vc *v)
{
	const struct icnt_route *route = &s->n->packet[s->n->flit[v->q.head].packet].route;
	for (uint32_t w = 0; w < route->n; w++) {
		bool free = false, room = false;
		if (s->n->cfg.check_eligible)
			possible(s, v, &route->way[w], &free, &room);
		if ((!s->n->cfg.check_eligible || free) && (!s->n->cfg.check_credit || room))
			request_switch(s, e, v, route->way[w].port);
		else
			e->got = STALLED;
	}
}

/* The expanded output won, -1: none. */
static int32_t switch_grant(struct step *s, const struct icnt_wait *e)
{
	struct icnt *n = s->n;
	const struct icnt_requests *q = &n->sw_requests;
	uint32_t in = in_expanded(n, e->in, e->vc);
	int32_t out = q->in_match[in];
	if (out < 0 && n->cfg.speculative && n->cfg.spec_alloc.kind != ICNT_PRIO) {
		q = &n->spec_requests;
		out = q->in_match[in];
		const struct icnt_requests *sure = &n->sw_requests;
		if (out >= 0 && (n->cfg.mask_by_requests ? sure->out_used[out / 64] >> (out % 64) & 1 : sure->out_match[out] >= 0))
			out = -1;
	}
	if (out < 0 || q->label[(size_t)in * q->n_out + (uint32_t)out] != e->vc)
		return -1;
	s->t->sw_offset[s->router * q->n_in + in] = (e->vc + n->cfg.in_speedup) % n->cfg.vcs;
	return out;
}

/* For piggyback: a free VC with room at this output. */
static bool any_vc(const struct step *s, const struct icnt_vc *v, uint32_t port)
{
	const struct icnt_route *route = &s->n->packet[s->n->flit[v->q.head].packet].route;
	uint32_t begin, end, line = s->line + port;
	for (uint32_t w = 0; w < route->n; w++) {
		if (route->way[w].port != port)
			continue;
		way_vcs(s, v, &route->way[w], &begin, &end);
		for (uint32_t vc = begin; vc <= end; vc++)
			if (icnt_far_free(s->n, s->net, line, vc) && !icnt_far_full(s->n, s->net, line, vc))
				return true;
	}
	return false;
}

/* Does a grant still hold when its delay is over, or for a speculative one, did the VC come with it? */
static bool grant_holds(const struct step *s, const struct icnt_wait *e)
{
	const struct icnt *n = s->n;
	const struct icnt_vc *v = vc_at(s, e->in, e->vc);
	uint32_t out = out_port(n, (uint32_t)e->got), line = s->line + out;
	if (n->cfg.hold && (*hold_in(s, in_expanded(n, e->in, e->vc)) >= 0 || *hold_out(s, (uint32_t)e->got) >= 0))
		return false;
	if (v->state == ICNT_ACTIVE)
		return !icnt_far_full(n, s->net, line, v->out_vc);
	if (n->cfg.vc_alloc.kind == ICNT_PIGGYBACK)
		return any_vc(s, v, out);
	int32_t vc = n->vc_requests.in_match[vc_row(n, e->in, e->vc)];
	return vc >= 0 && (uint32_t)vc / n->cfg.vcs == out && !icnt_far_full(n, s->net, line, (uint32_t)vc % n->cfg.vcs);
}

static void sw_evaluate(struct step *s)
{
	struct icnt *n = s->n;
	struct icnt_waits *w = s->t->sw_wait[s->router];
	uint32_t k = batch(w);
	icnt_requests_clear(&n->sw_requests);
	icnt_requests_clear(&n->spec_requests);
	for (uint32_t i = 0; i < k; i++) {
		struct icnt_wait *e = WAITS(w, i);
		const struct icnt_vc *v = vc_at(s, e->in, e->vc);
		if (v->state != ICNT_ACTIVE)
			request_speculatively(s, e, v);
		else if (!icnt_far_full(n, s->net, s->line + v->out_port, v->out_vc) && !output_full(s, v->out_port))
			request_switch(s, e, v, v->out_port);
	}
	icnt_allocate(n, &s->t->sw_alloc[s->router], &n->sw_requests);
	if (n->cfg.speculative && n->cfg.spec_alloc.kind != ICNT_PRIO)
		icnt_allocate(n, &s->t->spec_alloc[s->router], &n->spec_requests);
	for (uint32_t i = 0; i < k; i++) {
		struct icnt_wait *e = WAITS(w, i);
		e->done = s->now + n->cfg.sw_delay - 1;
		e->got = e->got == STALLED ? -1 : switch_grant(s, e);
	}
	if (!n->cfg.speculative && n->cfg.sw_delay == 1)
		return;
	for (uint32_t i = 0; i < w->n && WAITS(w, i)->done <= s->now; i++)
		if (WAITS(w, i)->got >= 0 && !grant_holds(s, WAITS(w, i)))
			WAITS(w, i)->got = -1;
}

/* Piggyback: the winner takes the first free VC with room, round robin at the output. */
static void take_vc(struct step *s, const struct icnt_wait *e, struct icnt_vc *v, uint32_t out)
{
	struct icnt *n = s->n;
	const struct icnt_route *route = &n->packet[n->flit[v->q.head].packet].route;
	uint32_t begin, end, best = ICNT_NO_VC, line = s->line + out;
	int32_t best_pri = INT_MIN, *offset = &s->t->vc_offset[line];
	for (uint32_t w = 0; w < route->n; w++) {
		if (route->way[w].port != out)
			continue;
		way_vcs(s, v, &route->way[w], &begin, &end);
		for (uint32_t vc = begin; vc <= end; vc++) {
			int32_t pri = route->way[w].priority;
			if (n->cfg.prefer_empty && !icnt_far_empty(n, s->net, line, vc))
				pri += INT_MIN;
			if (!icnt_far_free(n, s->net, line, vc) || icnt_far_full(n, s->net, line, vc) ||
			    (best != ICNT_NO_VC && !supersedes(vc, pri, best, best_pri, *offset, n->cfg.vcs)))
				continue;
			best = vc;
			best_pri = pri;
		}
	}
	if (best == ICNT_NO_VC)
		return;
	v->state = ICNT_ACTIVE;
	v->out_port = (uint16_t)out;
	v->out_vc = (uint16_t)best;
	icnt_far_take(n, s->net, line, best, e->in * n->cfg.vcs + e->vc);
	*offset = (int32_t)((best + 1) % n->cfg.vcs);
}

/* ---- through the switch ---- */
static void route_ahead(struct step *s, struct icnt_vc *v, struct icnt_packet *p, uint32_t line)
{
	struct icnt *n = s->n;
	uint32_t to = n->links.to_line[line];
	if (to == ICNT_NOWHERE)
		return;
	if (n->cfg.noq) {
		p->route.n = 1;
		p->route.way[0] = (struct icnt_way){.port = v->ahead_port, .begin_vc = v->ahead_begin, .end_vc = v->ahead_end};
		v->ahead_port = ICNT_NO_VC;
		return;
	}
	uint32_t router = n->links.router[to];
	struct icnt_here here = {.router = router, .port = to - router * n->cfg.ports, .vc = v->out_vc};
	n->cfg.route(n, s->net, p, &here);
}

/* The front flit leaves its VC for the crossbar; its slot's credit goes back. True: it was a tail. */
static bool forward(struct step *s, uint32_t in, uint32_t vc, struct icnt_vc *v)
{
	struct icnt *n = s->n;
	uint32_t f = icnt_queue_pop(n, &v->q), line = s->line + v->out_port;
	struct icnt_flit *flit = &n->flit[f];
	struct icnt_crossings *w = s->t->crossing[s->router];
	update_priority(n, v);
	flit->hops++;
	flit->vc = v->out_vc;
	if (flit->head && !n->cfg.routing_delay)
		route_ahead(s, v, &n->packet[flit->packet], line);
	icnt_far_send(n, s->net, line, v->out_vc, flit->tail);
	w->at[(w->head + w->n++) & (w->cap - 1)] = (struct icnt_crossing){.done = ICNT_NOT_BEGUN, .flit = f, .output = line};
	s->t->step_credit[s->line + in] |= UINT64_C(1) << vc;
	icnt_set(s->t->step_lines, s->line + in);
	return flit->tail;
}

static void sw_update(struct step *s)
{
	struct icnt *n = s->n;
	struct icnt_waits *w = s->t->sw_wait[s->router];
	struct icnt_wait e;
	while (wait_pop(w, s->now, &e)) {
		struct icnt_vc *v = vc_at(s, e.in, e.vc);
		if (e.got >= 0 && v->state == ICNT_VC_ALLOC && n->cfg.vc_alloc.kind == ICNT_PIGGYBACK)
			take_vc(s, &e, v, out_port(n, (uint32_t)e.got));
		if (e.got < 0 || v->state != ICNT_ACTIVE) {
			wait_push(w, e.in, e.vc);
			continue;
		}
		bool tail = forward(s, e.in, e.vc, v);
		if (!v->q.n) {
			v->state = tail ? ICNT_IDLE : ICNT_ACTIVE;
		} else if (tail) {
			start_packet(s, e.in, e.vc, v);
		} else if (n->cfg.hold) {
			uint32_t in = in_expanded(n, e.in, e.vc);
			*hold_vc(s, in) = e.vc;
			*hold_in(s, in) = e.got;
			*hold_out(s, (uint32_t)e.got) = (int32_t)in;
			wait_push(s->t->hold_wait[s->router], e.in, e.vc);
		} else {
			wait_push(w, e.in, e.vc);
		}
	}
}

/* ---- held connections: no allocation while a packet's flits follow each other ---- */
static void hold_evaluate(struct step *s)
{
	struct icnt_waits *w = s->t->hold_wait[s->router];
	uint32_t k = batch(w);
	for (uint32_t i = 0; i < k; i++) {
		struct icnt_wait *e = WAITS(w, i);
		const struct icnt_vc *v = vc_at(s, e->in, e->vc);
		e->done = s->now;
		e->got = icnt_far_full(s->n, s->net, s->line + v->out_port, v->out_vc)
				 ? -1
				 : (int32_t)out_expanded(s->n, v->out_port, e->in);
	}
}

/* GPGPU-Sim 3.2.2 looks at the output buffer with the expanded output's number, where there is one. */
static bool held_output_full(const struct step *s, uint32_t expanded)
{
	return output_full(s, expanded < s->n->cfg.ports ? expanded : out_port(s->n, expanded));
}

static void release(struct step *s, uint32_t in)
{
	*hold_out(s, (uint32_t)*hold_in(s, in)) = -1;
	*hold_in(s, in) = *hold_vc(s, in) = -1;
}

static void hold_update(struct step *s)
{
	struct icnt *n = s->n;
	struct icnt_wait e;
	while (wait_pop(s->t->hold_wait[s->router], s->now, &e)) {
		struct icnt_vc *v = vc_at(s, e.in, e.vc);
		uint32_t in = in_expanded(n, e.in, e.vc);
		if (e.got < 0 || held_output_full(s, (uint32_t)e.got)) {
			release(s, in);
			wait_push(s->t->sw_wait[s->router], e.in, e.vc);
			continue;
		}
		bool tail = forward(s, e.in, e.vc, v);
		if (v->q.n && !tail) {
			wait_push(s->t->hold_wait[s->router], e.in, e.vc);
			continue;
		}
		release(s, in);
		if (v->q.n)
			start_packet(s, e.in, e.vc, v);
		else if (tail)
			v->state = ICNT_IDLE;
	}
}

/* ---- crossbar ---- */
static void cross_evaluate(struct step *s)
{
	struct icnt_crossings *w = s->t->crossing[s->router];
	for (uint32_t i = 0; i < w->n && WAITS(w, i)->done == ICNT_NOT_BEGUN; i++)
		WAITS(w, i)->done = s->now + s->n->cfg.cross_delay - 1;
}

static void cross_update(struct step *s)
{
	struct icnt_crossings *w = s->t->crossing[s->router];
	while (w->n && WAITS(w, 0)->done <= s->now) {
		const struct icnt_crossing *e = WAITS(w, 0);
		icnt_queue_push(s->n, &s->t->out[e->output], e->flit);
		icnt_set(s->t->out_busy, e->output);
		w->head++;
		w->n--;
	}
}

/* Slots freed in this step: one credit for each input, for all its VCs. */
static void queue_credits(struct step *s)
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
static bool router_step(struct step *s)
{
	struct icnt_net *t = s->t;
	uint32_t r = s->router;
	if (t->route_wait[r]->n)
		route_evaluate(s);
	if (t->vc_wait[r]->n)
		vc_evaluate(s);
	if (t->hold_wait[r]->n)
		hold_evaluate(s);
	if (t->sw_wait[r]->n)
		sw_evaluate(s);
	cross_evaluate(s);
	if (t->route_wait[r]->n)
		route_update(s);
	if (t->vc_wait[r]->n)
		vc_update(s);
	if (t->hold_wait[r]->n)
		hold_update(s);
	if (t->sw_wait[r]->n)
		sw_update(s);
	cross_update(s);
	queue_credits(s);
	return t->route_wait[r]->n || t->vc_wait[r]->n || t->hold_wait[r]->n || t->sw_wait[r]->n || t->crossing[r]->n;
}

/* ---- inputs and outputs ---- */
static void receive_flit(struct step *s, uint32_t line, uint32_t f)
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
	update_priority(n, v);
	if (v->state == ICNT_IDLE) {
		start_packet(s, in, vc, v);
	} else if (v->state == ICNT_ACTIVE && v->q.n == 1) {
		bool held = n->cfg.hold && *hold_vc(s, in_expanded(n, in, vc)) == (int32_t)vc;
		wait_push(held ? s->t->hold_wait[s->router] : s->t->sw_wait[s->router], in, vc);
	}
	icnt_set(s->t->busy, s->router);
}

static void receive(struct step *s)
{
	struct icnt *n = s->n;
	struct icnt_net *t = s->t;
	uint64_t slot = s->now & n->slot_mask;
	for (uint32_t w = 0; w < n->line_words; w++) {
		uint64_t *flits = &t->flit_due[slot * n->line_words + w], *credits = &t->credit_due[slot * n->line_words + w];
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
	struct step s = {.n = n, .t = t, .net = net, .now = n->s->clock};
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
