/* The single crossbar with one virtual channel, which is what GPGPU-Sim ships for every machine: the same cycles as the general router
 * of icnt_router.c, which the tests compare it with, by a shorter way.
 *
 * With one VC an output belongs to one input from the head's VC allocation to the tail's departure. So switch allocation has no
 * contention: an owner's flit goes as soon as it is there and the output has credit. What is left of the router is a round robin
 * among the heads that wait for each output, and delays, all fixed: injection to router 2 cycles, switch to node 3, credits 2. */
#include "timing/icnt/icnt_internal.h"

#define PORTS_MAX 64u
#define SLOTS 4u /* of the calendars: more than any delay */
#define TO_ROUTER 2u
#define TO_NODE 3u
#define CREDIT 2u

/* A flit: its packet, "is the tail", and the cycle of its injection. */
static uint64_t flit_make(uint32_t packet, bool tail, uint32_t when)
{
	return (uint64_t)packet << 33 | (uint64_t)tail << 32 | when;
}
static uint32_t flit_packet(uint64_t f) { return (uint32_t)(f >> 33); }
static bool flit_is_tail(uint64_t f) { return f >> 32 & 1; }
static uint32_t flit_when(uint64_t f) { return (uint32_t)f; }

/* Ring of flits; the memory lies elsewhere, vc_buffer for each port. */
struct flits {
	uint32_t first, n;
};
struct port {
	uint64_t wanted;     /* output: inputs whose head waits for it */
	uint32_t next;	     /* output: input to look at first */
	uint32_t owner;	     /* output: the input whose packet goes through */
	uint32_t in_used;    /* slots of the input buffer, as the node knows: on the link, in it, credits on the way */
	uint32_t out_used;   /* slots of the ejection buffer, as the router knows */
	struct flits in;     /* on the injection link and in the input buffer */
	struct flits out;    /* in the crossbar, on the ejection link and in the ejection buffer */
	uint32_t n_ejection; /* of those, in the ejection buffer */
	uint32_t number;     /* flits retired of the packet that arrives */
};
struct icnt_crossbar {
	uint64_t owned, wanted;	   /* outputs with an owner, with waiting heads */
	uint64_t ejecting;	   /* nodes whose ejection buffer is not empty */
	uint64_t head_due[SLOTS];  /* inputs: a head comes into the buffer */
	uint64_t eject_due[SLOTS]; /* nodes: a flit comes into the ejection buffer */
	uint64_t in_credit_due[SLOTS], out_credit_due[SLOTS];
	struct port port[PORTS_MAX];
};

bool icnt_crossbar_possible(const struct icnt_setup *c)
{
	return c->topology == ICNT_FLY && c->n == 1 && c->k <= PORTS_MAX && c->vcs == 1 && c->policy == ICNT_PRIVATE &&
	       !c->routing_delay && c->vc_delay == 1 && c->sw_delay == 1 && c->cross_delay == 1 && !c->credit_delay &&
	       c->speedup == 1 && c->output_buffer < 0 && !c->wait_for_tail_credit && !c->busy_when_full && !c->hold &&
	       !c->noq && !c->speculative && c->vc_alloc.kind == ICNT_ISLIP;
}

bool icnt_crossbar_init(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
{
	t->crossbar = timing_take(m, 1, sizeof *t->crossbar);
	t->in_ring = timing_take(m, (uint64_t)n->cfg.k * n->cfg.vc_buffer, sizeof *t->in_ring);
	t->out_ring = timing_take(m, (uint64_t)n->cfg.k * n->cfg.vc_buffer, sizeof *t->out_ring);
	return t->crossbar && t->in_ring && t->out_ring;
}

static void ring_push(uint64_t *ring, struct flits *f, uint32_t size, uint64_t v)
{
	uint32_t i = f->first + f->n++;
	ring[i >= size ? i - size : i] = v;
}
static uint64_t ring_pop(const uint64_t *ring, struct flits *f, uint32_t size)
{
	uint64_t v = ring[f->first];
	f->first = f->first + 1 == size ? 0 : f->first + 1;
	f->n--;
	return v;
}

/* ---- nodes ---- */
/* A packet's tail has come: it can be popped. */
static void complete(struct icnt *n, struct icnt_net *t, uint32_t at, struct icnt_packet *p)
{
	struct icnt_boundary *b = &t->boundary[at];
	uint32_t slot = b->head + b->n++;
	slot -= slot >= n->cfg.boundary_buffer ? n->cfg.boundary_buffer : 0;
	t->arrived[(uint64_t)at * n->cfg.boundary_buffer + slot] =
		(struct icnt_arrived){.request = p->request, .n_flits = p->n_flits};
	t->node[at].arrived_vcs = 1;
	icnt_set(n->arrived, n->device_of[at]);
	n->s->n_waiting++;
}

/* The oldest flit in the ejection buffer goes on to the boundary buffer and is retired; its credit goes back. */
static void eject(struct icnt *n, struct icnt_net *t, uint32_t at)
{
	struct icnt_crossbar *x = t->crossbar;
	struct port *o = &x->port[at];
	uint64_t f = ring_pop(&t->out_ring[at * n->cfg.vc_buffer], &o->out, n->cfg.vc_buffer);
	uint32_t packet = flit_packet(f);
	struct icnt_packet *p = &n->packet[packet];
	struct icnt_flit flit = {.packet = packet,
				 .number = o->number,
				 .sent = flit_when(f),
				 .hops = 1,
				 .head = !o->number,
				 .tail = flit_is_tail(f)};
	t->boundary[at].flits++;
	x->out_credit_due[(n->s->clock + CREDIT) % SLOTS] |= UINT64_C(1) << at;
	if (!--o->n_ejection)
		x->ejecting &= ~(UINT64_C(1) << at);
	if (flit.head)
		p->head_arrived = (uint32_t)n->s->clock;
	icnt_stats_accepted(n, at, flit.tail);
	icnt_stats_retired(n, &flit, p);
	n->s->n_live--;
	n->s->idle_cycles = 0;
	o->number++;
	if (!flit.tail)
		return;
	o->number = 0;
	complete(n, t, at, p);
	icnt_free_packet(n, packet);
}

void icnt_crossbar_receive(struct icnt *n, struct icnt_net *t)
{
	struct icnt_crossbar *x = t->crossbar;
	uint32_t slot = n->s->clock % SLOTS;
	uint64_t credits = x->in_credit_due[slot];
	x->ejecting |= x->eject_due[slot];
	for (uint64_t bits = x->eject_due[slot]; bits;)
		x->port[icnt_take_bit(&bits)].n_ejection++;
	for (uint64_t bits = x->ejecting; bits;) {
		uint32_t at = icnt_take_bit(&bits);
		if (t->boundary[at].flits < n->cfg.boundary_buffer)
			eject(n, t, at);
	}
	t->s->n_items -= (uint64_t)__builtin_popcountll(credits);
	while (credits)
		x->port[icnt_take_bit(&credits)].in_used--;
	x->eject_due[slot] = x->in_credit_due[slot] = 0;
}

static void inject(struct icnt *n, struct icnt_net *t, uint32_t at)
{
	struct icnt_crossbar *x = t->crossbar;
	struct icnt_node *node = &t->node[at];
	uint32_t packet = t->input_queue[(uint64_t)at * n->cfg.input_buffer + node->first];
	struct icnt_packet *p = &n->packet[packet];
	struct port *i = &x->port[at];
	bool tail = p->sent + 1 == p->n_flits;
	if (i->in_used >= n->cfg.vc_buffer)
		return;
	i->in_used++;
	if (!p->sent++) {
		p->head_sent = (uint32_t)n->s->clock;
		x->head_due[(n->s->clock + TO_ROUTER) % SLOTS] |= UINT64_C(1) << at;
	}
	ring_push(&t->in_ring[at * n->cfg.vc_buffer], &i->in, n->cfg.vc_buffer,
		  flit_make(packet, tail, (uint32_t)n->s->clock));
	icnt_stats_sent(n, at, p->sent == 1);
	node->n_flits--;
	t->s->n_items++;
	if (!tail)
		return;
	t->s->n_items--;
	node->first = node->first + 1 == n->cfg.input_buffer ? 0 : node->first + 1;
	if (!--node->n_packets)
		icnt_unset(t->sending, at);
}

void icnt_crossbar_inject(struct icnt *n, struct icnt_net *t)
{
	for (uint64_t bits = t->sending[0]; bits;)
		inject(n, t, icnt_take_bit(&bits));
}

/* ---- router ---- */
/* The head at the front of an input's buffer asks for its output. */
static void want(struct icnt *n, struct icnt_net *t, uint32_t in)
{
	struct icnt_crossbar *x = t->crossbar;
	uint32_t out = n->packet[flit_packet(t->in_ring[in * n->cfg.vc_buffer + x->port[in].in.first])].destination;
	x->port[out].wanted |= UINT64_C(1) << in;
	x->wanted |= UINT64_C(1) << out;
}

/* Heads that have come into an empty buffer; the others ask when the packet before them is gone. */
static void heads_arrive(struct icnt *n, struct icnt_net *t, uint64_t heads)
{
	while (heads) {
		uint32_t in = icnt_take_bit(&heads);
		const struct flits *f = &t->crossbar->port[in].in;
		if ((uint32_t)n->s->clock - flit_when(t->in_ring[in * n->cfg.vc_buffer + f->first]) == TO_ROUTER)
			want(n, t, in);
	}
}

/* VC allocation: each free output takes the first waiting input from its pointer on. The outputs taken. */
static uint64_t allocate(struct icnt_crossbar *x, uint32_t k)
{
	uint64_t taken = x->wanted & ~x->owned;
	for (uint64_t bits = taken; bits;) {
		uint32_t out = icnt_take_bit(&bits);
		struct port *o = &x->port[out];
		uint64_t from = o->wanted >> o->next << o->next;
		uint32_t in = (uint32_t)__builtin_ctzll(from ? from : o->wanted);
		o->owner = in;
		o->next = in + 1 == k ? 0 : in + 1;
		o->wanted &= ~(UINT64_C(1) << in);
		if (!o->wanted)
			x->wanted &= ~(UINT64_C(1) << out);
	}
	return taken;
}

/* The owner's next flit through the switch, if it is there and has credit. True: it was the tail. */
static bool forward(struct icnt *n, struct icnt_net *t, uint32_t out)
{
	struct icnt_crossbar *x = t->crossbar;
	struct port *o = &x->port[out], *i = &x->port[o->owner];
	uint32_t now = (uint32_t)n->s->clock, size = n->cfg.vc_buffer;
	uint64_t *ring = &t->in_ring[o->owner * size];
	if (o->out_used >= size || !i->in.n || now - flit_when(ring[i->in.first]) < TO_ROUTER)
		return false;
	uint64_t f = ring_pop(ring, &i->in, size);
	ring_push(&t->out_ring[out * size], &o->out, size, f);
	o->out_used++;
	x->eject_due[(now + TO_NODE) % SLOTS] |= UINT64_C(1) << out;
	x->in_credit_due[(now + CREDIT) % SLOTS] |= UINT64_C(1) << o->owner;
	t->s->n_items++;
	if (flit_is_tail(f) && i->in.n && now - flit_when(ring[i->in.first]) >= TO_ROUTER)
		want(n, t, o->owner);
	return flit_is_tail(f);
}

void icnt_crossbar_cycle(struct icnt *n, struct icnt_net *t)
{
	struct icnt_crossbar *x = t->crossbar;
	uint32_t slot = n->s->clock % SLOTS;
	uint64_t credits = x->out_credit_due[slot], left = 0;
	heads_arrive(n, t, x->head_due[slot]);
	t->s->n_items -= (uint64_t)__builtin_popcountll(credits);
	while (credits)
		x->port[icnt_take_bit(&credits)].out_used--;
	x->head_due[slot] = x->out_credit_due[slot] = 0;
	uint64_t before = x->owned, taken = allocate(x, n->cfg.k);
	for (uint64_t bits = before; bits;) {
		uint32_t out = icnt_take_bit(&bits);
		if (forward(n, t, out))
			left |= UINT64_C(1) << out;
	}
	x->owned = (before & ~left) | taken;
}

/* ---- for observers: the state in the general router's terms; `vc.q.head` is a packet here ---- */
struct icnt_look icnt_crossbar_look(const struct icnt *n, const struct icnt_net *t, uint32_t at)
{
	const struct icnt_crossbar *x = t->crossbar;
	const struct port *p = &x->port[at];
	struct icnt_look look = {.n_ejection = p->n_ejection, .far = {.occupied = p->out_used}};
	const uint64_t *ring = &t->in_ring[at * n->cfg.vc_buffer];
	for (uint32_t i = 0; i < p->in.n; i++) {
		uint32_t slot = (p->in.first + i) % n->cfg.vc_buffer;
		if ((uint32_t)n->s->clock - flit_when(ring[slot]) < TO_ROUTER + 1)
			look.n_to_router++;
	}
	look.vc.q.n = p->in.n - look.n_to_router;
	look.vc.q.head = p->in.n ? flit_packet(ring[p->in.first]) : 0;
	look.n_to_node = p->out.n - p->n_ejection;
	if (x->owned >> at & 1)
		look.far.user = p->owner + 1;
	for (uint32_t out = 0; out < n->cfg.k; out++) {
		if (x->owned >> out & 1 && x->port[out].owner == at) {
			look.vc.state = ICNT_ACTIVE;
			look.vc.out_port = (uint16_t)out;
		} else if (x->port[out].wanted >> at & 1) {
			look.vc.state = ICNT_VC_ALLOC;
		}
	}
	return look;
}
