/* Switch allocation of the router, sure and speculative; flits that leave for the crossbar; connections held for a packet. */
#include <limits.h>

#include "timing/icnt/icnt_router.h"

#define STALLED (-2)

/* ---- switch allocation ---- */
/* Returns true if VC a goes before VC b of the same input: round robin from `offset` among equal priorities. */
static bool supersedes(uint32_t a, int32_t a_pri, uint32_t b, int32_t b_pri, int32_t offset, uint32_t vcs)
{
	if (a_pri != b_pri)
		return a_pri > b_pri;
	uint32_t size = vcs, start = offset < 0 ? size - 1 : (uint32_t)offset;
	return (a + size - start) % size < (b + size - start) % size;
}

static void request_switch(struct icnt_step *s, const struct icnt_wait *e, const struct icnt_vc *v, uint32_t out)
{
	struct icnt *n = s->n;
	uint32_t in = icnt_in_expanded(n, e->in, e->vc), o = icnt_out_expanded(n, out, e->in);
	struct icnt_requests *q = &n->sw_requests;
	int32_t priority = v->priority;
	if (n->cfg.hold && (*icnt_hold_in(s, in) >= 0 || *icnt_hold_out(s, o) >= 0))
		return;
	if (v->state == ICNT_VC_ALLOC && n->cfg.spec_alloc.kind != ICNT_PRIO)
		q = &n->spec_requests;
	else if (v->state == ICNT_VC_ALLOC)
		priority += INT_MIN;
	if (icnt_requested(q, in, o)) {
		size_t cell = (size_t)in * q->n_out + o;
		uint32_t offset = s->t->sw_offset[s->router * q->n_in + in];
		if (!supersedes(e->vc, priority, (uint32_t)q->label[cell], q->in_pri[cell], (int32_t)offset,
				n->cfg.vcs))
			return;
	}
	icnt_request_add(q, in, o, e->vc, priority, priority);
}

/* Returns true if this output has a VC with room for a speculative head. */
static void possible(const struct icnt_step *s, const struct icnt_vc *v, const struct icnt_way *way, bool *free,
		     bool *room)
{
	uint32_t begin, end, line = s->line + way->port;
	icnt_way_vcs(s, v, way, &begin, &end);
	*free = *room = false;
	for (uint32_t vc = begin; vc <= end && !*room; vc++) {
		if (!icnt_far_free(s->n, s->net, line, vc) || icnt_output_full(s, way->port))
			continue;
		*free = true;
		*room = !s->n->cfg.check_credit || !icnt_far_full(s->n, s->net, line, vc);
	}
}

/* As in GPGPU-Sim 3.2.2 a head with one way that fails these checks gets nothing, though it may have asked for another. */
static void request_speculatively(struct icnt_step *s, struct icnt_wait *e, const struct icnt_vc *v)
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
static int32_t switch_grant(struct icnt_step *s, const struct icnt_wait *e)
{
	struct icnt *n = s->n;
	const struct icnt_requests *q = &n->sw_requests;
	uint32_t in = icnt_in_expanded(n, e->in, e->vc);
	int32_t out = q->in_match[in];
	if (out < 0 && n->cfg.speculative && n->cfg.spec_alloc.kind != ICNT_PRIO) {
		q = &n->spec_requests;
		out = q->in_match[in];
		const struct icnt_requests *sure = &n->sw_requests;
		if (out >= 0 &&
		    (n->cfg.mask_by_requests ? sure->out_used[out / 64] >> (out % 64) & 1 : sure->out_match[out] >= 0))
			out = -1;
	}
	if (out < 0 || q->label[(size_t)in * q->n_out + (uint32_t)out] != e->vc)
		return -1;
	s->t->sw_offset[s->router * q->n_in + in] = (e->vc + n->cfg.in_speedup) % n->cfg.vcs;
	return out;
}

/* For piggyback: a free VC with room at this output. */
static bool any_vc(const struct icnt_step *s, const struct icnt_vc *v, uint32_t port)
{
	const struct icnt_route *route = &s->n->packet[s->n->flit[v->q.head].packet].route;
	uint32_t begin, end, line = s->line + port;
	for (uint32_t w = 0; w < route->n; w++) {
		if (route->way[w].port != port)
			continue;
		icnt_way_vcs(s, v, &route->way[w], &begin, &end);
		for (uint32_t vc = begin; vc <= end; vc++)
			if (icnt_far_free(s->n, s->net, line, vc) && !icnt_far_full(s->n, s->net, line, vc))
				return true;
	}
	return false;
}

/* Returns true if a grant still holds when its delay is over; a speculative one holds if the VC came with it. */
static bool grant_holds(const struct icnt_step *s, const struct icnt_wait *e)
{
	const struct icnt *n = s->n;
	const struct icnt_vc *v = icnt_vc_at(s, e->in, e->vc);
	uint32_t out = icnt_out_port(n, (uint32_t)e->got), line = s->line + out;
	if (n->cfg.hold &&
	    (*icnt_hold_in(s, icnt_in_expanded(n, e->in, e->vc)) >= 0 || *icnt_hold_out(s, (uint32_t)e->got) >= 0))
		return false;
	if (v->state == ICNT_ACTIVE)
		return !icnt_far_full(n, s->net, line, v->out_vc);
	if (n->cfg.vc_alloc.kind == ICNT_PIGGYBACK)
		return any_vc(s, v, out);
	int32_t vc = n->vc_requests.in_match[icnt_vc_row(n, e->in, e->vc)];
	return vc >= 0 && (uint32_t)vc / n->cfg.vcs == out &&
	       !icnt_far_full(n, s->net, line, (uint32_t)vc % n->cfg.vcs);
}

void icnt_switch_evaluate(struct icnt_step *s)
{
	struct icnt *n = s->n;
	struct icnt_waits *w = s->t->sw_wait[s->router];
	uint32_t k = icnt_batch(w);
	icnt_requests_clear(&n->sw_requests);
	icnt_requests_clear(&n->spec_requests);
	for (uint32_t i = 0; i < k; i++) {
		struct icnt_wait *e = ICNT_WAITS(w, i);
		const struct icnt_vc *v = icnt_vc_at(s, e->in, e->vc);
		if (v->state != ICNT_ACTIVE)
			request_speculatively(s, e, v);
		else if (!icnt_far_full(n, s->net, s->line + v->out_port, v->out_vc) &&
			 !icnt_output_full(s, v->out_port))
			request_switch(s, e, v, v->out_port);
	}
	icnt_allocate(n, &s->t->sw_alloc[s->router], &n->sw_requests);
	if (n->cfg.speculative && n->cfg.spec_alloc.kind != ICNT_PRIO)
		icnt_allocate(n, &s->t->spec_alloc[s->router], &n->spec_requests);
	for (uint32_t i = 0; i < k; i++) {
		struct icnt_wait *e = ICNT_WAITS(w, i);
		e->done = s->now + n->cfg.sw_delay - 1;
		e->got = e->got == STALLED ? -1 : switch_grant(s, e);
	}
	if (!n->cfg.speculative && n->cfg.sw_delay == 1)
		return;
	for (uint32_t i = 0; i < w->n && ICNT_WAITS(w, i)->done <= s->now; i++)
		if (ICNT_WAITS(w, i)->got >= 0 && !grant_holds(s, ICNT_WAITS(w, i)))
			ICNT_WAITS(w, i)->got = -1;
}

/* Piggyback: the winner takes the first free VC with room, round robin at the output. */
static void take_vc(struct icnt_step *s, const struct icnt_wait *e, struct icnt_vc *v, uint32_t out)
{
	struct icnt *n = s->n;
	const struct icnt_route *route = &n->packet[n->flit[v->q.head].packet].route;
	uint32_t begin, end, best = ICNT_NO_VC, line = s->line + out;
	int32_t best_pri = INT_MIN, *offset = &s->t->vc_offset[line];
	for (uint32_t w = 0; w < route->n; w++) {
		if (route->way[w].port != out)
			continue;
		icnt_way_vcs(s, v, &route->way[w], &begin, &end);
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
static void route_ahead(struct icnt_step *s, struct icnt_vc *v, struct icnt_packet *p, uint32_t line)
{
	struct icnt *n = s->n;
	uint32_t to = n->links.to_line[line];
	if (to == ICNT_NOWHERE)
		return;
	if (n->cfg.noq) {
		p->route.n = 1;
		p->route.way[0] =
			(struct icnt_way){.port = v->ahead_port, .begin_vc = v->ahead_begin, .end_vc = v->ahead_end};
		v->ahead_port = ICNT_NO_VC;
		return;
	}
	uint32_t router = n->links.router[to];
	struct icnt_here here = {.router = router, .port = to - router * n->cfg.ports, .vc = v->out_vc};
	n->cfg.route(n, s->net, p, &here);
}

/* The front flit leaves its VC for the crossbar; its slot's credit goes back. True: it was a tail. */
static bool forward(struct icnt_step *s, uint32_t in, uint32_t vc, struct icnt_vc *v)
{
	struct icnt *n = s->n;
	uint32_t f = icnt_queue_pop(n, &v->q), line = s->line + v->out_port;
	struct icnt_flit *flit = &n->flit[f];
	struct icnt_crossings *w = s->t->crossing[s->router];
	icnt_update_priority(n, v);
	flit->hops++;
	flit->vc = v->out_vc;
	if (flit->head && !n->cfg.routing_delay)
		route_ahead(s, v, &n->packet[flit->packet], line);
	icnt_far_send(n, s->net, line, v->out_vc, flit->tail);
	w->at[(w->head + w->n++) & (w->cap - 1)] =
		(struct icnt_crossing){.done = ICNT_NOT_BEGUN, .flit = f, .output = line};
	s->t->step_credit[s->line + in] |= UINT64_C(1) << vc;
	icnt_set(s->t->step_lines, s->line + in);
	return flit->tail;
}

void icnt_switch_update(struct icnt_step *s)
{
	struct icnt *n = s->n;
	struct icnt_waits *w = s->t->sw_wait[s->router];
	struct icnt_wait e;
	while (icnt_wait_pop(w, s->now, &e)) {
		struct icnt_vc *v = icnt_vc_at(s, e.in, e.vc);
		if (e.got >= 0 && v->state == ICNT_VC_ALLOC && n->cfg.vc_alloc.kind == ICNT_PIGGYBACK)
			take_vc(s, &e, v, icnt_out_port(n, (uint32_t)e.got));
		if (e.got < 0 || v->state != ICNT_ACTIVE) {
			icnt_wait_push(w, e.in, e.vc);
			continue;
		}
		bool tail = forward(s, e.in, e.vc, v);
		if (!v->q.n) {
			v->state = tail ? ICNT_IDLE : ICNT_ACTIVE;
		} else if (tail) {
			icnt_start_packet(s, e.in, e.vc, v);
		} else if (n->cfg.hold) {
			uint32_t in = icnt_in_expanded(n, e.in, e.vc);
			*icnt_hold_vc(s, in) = e.vc;
			*icnt_hold_in(s, in) = e.got;
			*icnt_hold_out(s, (uint32_t)e.got) = (int32_t)in;
			icnt_wait_push(s->t->hold_wait[s->router], e.in, e.vc);
		} else {
			icnt_wait_push(w, e.in, e.vc);
		}
	}
}

/* ---- held connections: no allocation while a packet's flits follow each other ---- */
void icnt_hold_evaluate(struct icnt_step *s)
{
	struct icnt_waits *w = s->t->hold_wait[s->router];
	uint32_t k = icnt_batch(w);
	for (uint32_t i = 0; i < k; i++) {
		struct icnt_wait *e = ICNT_WAITS(w, i);
		const struct icnt_vc *v = icnt_vc_at(s, e->in, e->vc);
		e->done = s->now;
		e->got = icnt_far_full(s->n, s->net, s->line + v->out_port, v->out_vc)
				 ? -1
				 : (int32_t)icnt_out_expanded(s->n, v->out_port, e->in);
	}
}

/* GPGPU-Sim 3.2.2 looks at the output buffer with the expanded output's number, where there is one. */
static bool held_output_full(const struct icnt_step *s, uint32_t expanded)
{
	return icnt_output_full(s, expanded < s->n->cfg.ports ? expanded : icnt_out_port(s->n, expanded));
}

static void release(struct icnt_step *s, uint32_t in)
{
	*icnt_hold_out(s, (uint32_t)*icnt_hold_in(s, in)) = -1;
	*icnt_hold_in(s, in) = *icnt_hold_vc(s, in) = -1;
}

void icnt_hold_update(struct icnt_step *s)
{
	struct icnt *n = s->n;
	struct icnt_wait e;
	while (icnt_wait_pop(s->t->hold_wait[s->router], s->now, &e)) {
		struct icnt_vc *v = icnt_vc_at(s, e.in, e.vc);
		uint32_t in = icnt_in_expanded(n, e.in, e.vc);
		if (e.got < 0 || held_output_full(s, (uint32_t)e.got)) {
			release(s, in);
			icnt_wait_push(s->t->sw_wait[s->router], e.in, e.vc);
			continue;
		}
		bool tail = forward(s, e.in, e.vc, v);
		if (v->q.n && !tail) {
			icnt_wait_push(s->t->hold_wait[s->router], e.in, e.vc);
			continue;
		}
		release(s, in);
		if (v->q.n)
			icnt_start_packet(s, e.in, e.vc, v);
		else if (tail)
			v->state = ICNT_IDLE;
	}
}
