/* The single crossbar with one virtual channel, which is what GPGPU-Sim ships for every machine: the same cycles as the general router
 * of icnt_router.c, which the tests compare it with, by a shorter way.
 *
 * With one VC an output belongs to one input from the head's VC allocation to the tail's departure. So switch allocation has no
 * contention: an owner's flit goes as soon as it is there and the output has credit. What is left of the router is a round robin
 * among the heads that wait for each output, and delays, all fixed: injection to router 2 cycles, switch to node 3, credits 2. */
#include "timing/icnt/icnt_internal.h"
#include "timing/icnt/icnt_valid.h"

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

/* Returns whether the crossbar simulates a configuration with the same results as the routers. */
static bool fits(const struct icnt_setup *c)
{
	return c->topology == ICNT_FLY && c->n == 1 && c->k <= PORTS_MAX && c->vcs == 1 && c->policy == ICNT_PRIVATE &&
	       !c->routing_delay && c->vc_delay == 1 && c->sw_delay == 1 && c->cross_delay == 1 && !c->credit_delay &&
	       c->speedup == 1 && c->output_buffer < 0 && !c->wait_for_tail_credit && !c->busy_when_full && !c->hold &&
	       !c->noq && !c->speculative && c->vc_alloc.kind == ICNT_ISLIP;
}

static bool build(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
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
/* Makes a packet whose tail has arrived available to be popped. */
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

/* Moves the oldest flit of the ejection buffer to the boundary buffer, retires it, and returns its credit. */
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

static void receive(struct icnt *n, struct icnt_net *t)
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

static void inject_all(struct icnt *n, struct icnt_net *t)
{
	for (uint64_t bits = t->sending[0]; bits;)
		inject(n, t, icnt_take_bit(&bits));
}

/* ---- router ---- */
/* The head at the front of an input's buffer asks for its output. */
static void request_output(struct icnt *n, struct icnt_net *t, uint32_t in)
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
			request_output(n, t, in);
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
		request_output(n, t, o->owner);
	return flit_is_tail(f);
}

static void cycle_net(struct icnt *n, struct icnt_net *t)
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

/* ---- validation ---- */

static uint64_t flit_at(const struct icnt *n, const uint64_t *rings, uint32_t port, const struct flits *f, uint32_t k)
{
	return rings[port * n->cfg.vc_buffer + (f->first + k) % n->cfg.vc_buffer];
}

/* Flits of one packet after the other, in order: the last one of each is its tail. */
static bool flits_are_valid(struct icnt_valid *x, uint32_t net, uint32_t port, bool is_out)
{
	const struct icnt *n = x->n;
	const struct icnt_net *t = &n->net[net];
	const struct flits *f = is_out ? &t->crossbar->port[port].out : &t->crossbar->port[port].in;
	uint32_t before = 0;
	for (uint32_t k = 0; k < f->n; k++) {
		const uint64_t flit = flit_at(n, is_out ? t->out_ring : t->in_ring, port, f, k);
		const uint32_t packet = flit_packet(flit);
		if (!icnt_packet_is_valid(x, net, packet))
			return false;
		const struct icnt_packet *p = &n->packet[packet];
		const bool follows = packet == before || !before || x->sent[before] == n->packet[before].n_flits;
		x->sent[packet]++;
		x->held[packet] += !is_out;
		x->n_live++;
		if (!follows || (is_out ? p->destination : p->source) != port || x->sent[packet] > p->sent ||
		    flit_is_tail(flit) != (x->sent[packet] == p->n_flits))
			return false;
		before = packet;
	}
	return true;
}

static uint32_t due(const uint64_t *slots, uint32_t at)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < SLOTS; k++)
		n += (uint32_t)(slots[k] >> at & 1);
	return n;
}

/* The packet whose flits come next out of an input, 0: none. */
static uint32_t next_packet(const struct icnt *n, const struct icnt_net *t, uint32_t in)
{
	const struct flits *f = &t->crossbar->port[in].in;
	const struct icnt_node *node = &t->node[in];
	if (f->n)
		return flit_packet(flit_at(n, t->in_ring, in, f, 0));
	return node->n_packets ? t->input_queue[(uint64_t)in * n->cfg.input_buffer + node->first] : 0;
}

static bool numbers_are_valid(struct icnt_valid *x, uint32_t net, uint32_t at)
{
	const struct icnt *n = x->n;
	const struct icnt_crossbar *c = n->net[net].crossbar;
	const struct port *o = &c->port[at];
	const uint32_t size = n->cfg.vc_buffer, in_credits = due(c->in_credit_due, at),
		       out_credits = due(c->out_credit_due, at);
	x->n_items[net] += o->in.n + in_credits + o->out.n + out_credits;
	return o->in.first < size && o->in.n <= size && o->out.first < size && o->out.n <= size &&
	       o->n_ejection + due(c->eject_due, at) == o->out.n && o->in_used == o->in.n + in_credits &&
	       o->out_used == o->out.n + out_credits && o->in_used <= size && o->out_used <= size &&
	       (c->ejecting >> at & 1) == (o->n_ejection != 0) && (c->wanted >> at & 1) == (o->wanted != 0) &&
	       o->next < n->cfg.k && o->owner < n->cfg.k && o->number == x->incomplete[net][at];
}

/* Flits that have been retired are of the packet that comes next out of the output. */
static bool retired_are_valid(struct icnt_valid *x, uint32_t net, uint32_t at)
{
	const struct icnt *n = x->n;
	const struct icnt_net *t = &n->net[net];
	const struct port *o = &t->crossbar->port[at];
	if (!o->number)
		return true;
	const uint32_t packet = o->out.n			  ? flit_packet(flit_at(n, t->out_ring, at, &o->out, 0))
				: t->crossbar->owned >> at & 1 ? next_packet(n, t, o->owner)
							       : 0;
	if (!icnt_packet_is_valid(x, net, packet) || n->packet[packet].destination != at)
		return false;
	x->sent[packet] += o->number;
	return true;
}

/* Heads that come into the buffer at a time: the flit that was injected so long before is one. */
static bool heads_are_valid(const struct icnt_valid *x, uint32_t net, uint32_t in)
{
	const struct icnt *n = x->n;
	const struct icnt_net *t = &n->net[net];
	const struct flits *f = &t->crossbar->port[in].in;
	for (uint32_t k = 0; k < SLOTS; k++) {
		const uint32_t when = (uint32_t)n->s->clock + k - TO_ROUTER;
		bool found = !(t->crossbar->head_due[(n->s->clock + k) % SLOTS] >> in & 1);
		for (uint32_t i = 0, before = 0; i < f->n && !found; i++) {
			const uint64_t flit = flit_at(n, t->in_ring, in, f, i);
			const uint32_t packet = flit_packet(flit);
			const bool begins = i ? packet != before : x->sent[packet] == x->held[packet];
			found = flit_when(flit) == when && begins;
			before = packet;
		}
		if (!found)
			return false;
	}
	return true;
}

/* The output that an input's packet owns or waits for: one at most, where the packet goes. */
static bool wishes_are_valid(const struct icnt_valid *x, uint32_t net, uint32_t in)
{
	const struct icnt *n = x->n;
	const struct icnt_net *t = &n->net[net];
	const uint32_t packet = next_packet(n, t, in);
	uint32_t wishes = 0;
	for (uint32_t out = 0; out < n->cfg.k; out++) {
		const struct port *o = &t->crossbar->port[out];
		const bool owns = t->crossbar->owned >> out & 1 && o->owner == in, waits = o->wanted >> in & 1;
		if (!owns && !waits)
			continue;
		if (wishes++ || (owns && waits) || !packet || n->packet[packet].destination != out ||
		    !n->packet[packet].sent)
			return false;
		if (waits && (!t->crossbar->port[in].in.n || x->sent[packet] != x->held[packet]))
			return false;
	}
	return true;
}

/* Packets some of whose flits have left their input own the output. */
static bool owners_are_valid(const struct icnt_valid *x, uint32_t net)
{
	const struct icnt *n = x->n;
	const struct icnt_net *t = &n->net[net];
	for (uint32_t k = 1; k <= n->s->used_packets; k++) {
		const struct icnt_packet *p = &n->packet[k];
		if (x->packets.claimed[k] != ICNT_USED + net || p->sent == x->held[k] ||
		    p->sent - x->held[k] == p->n_flits)
			continue;
		if (!(t->crossbar->owned >> p->destination & 1) ||
		    t->crossbar->port[p->destination].owner != p->source || next_packet(n, t, p->source) != k)
			return false;
	}
	return true;
}

/* Returns true if the state of a crossbar's network `net` is consistent, and counts its flits and packets in *x. */
static bool crossbar_is_valid(struct icnt_valid *x, uint32_t net)
{
	const struct icnt_crossbar *c = x->n->net[net].crossbar;
	const uint32_t n = x->n->cfg.k;
	const uint64_t ports = n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
	uint64_t all = c->owned | c->wanted | c->ejecting;
	for (uint32_t k = 0; k < SLOTS; k++)
		all |= c->head_due[k] | c->eject_due[k] | c->in_credit_due[k] | c->out_credit_due[k];
	for (uint32_t k = 0; k < n; k++)
		all |= c->port[k].wanted;
	bool ok = !(all & ~ports);
	for (uint32_t k = 0; ok && k < n; k++)
		ok = numbers_are_valid(x, net, k);
	for (uint32_t k = 0; ok && k < n; k++)
		ok = retired_are_valid(x, net, k) && flits_are_valid(x, net, k, true);
	for (uint32_t k = 0; ok && k < n; k++)
		ok = flits_are_valid(x, net, k, false) && heads_are_valid(x, net, k);
	for (uint32_t k = 0; ok && k < n; k++)
		ok = wishes_are_valid(x, net, k);
	return ok && owners_are_valid(x, net);
}

static void cycle(struct icnt *n, uint32_t steps)
{
	(void)steps;
	for (uint32_t i = 0; i < ICNT_NETS; i++) {
		struct icnt_net *t = &n->net[i];
		if (!t->s->n_items)
			continue;
		receive(n, t);
		inject_all(n, t);
		cycle_net(n, t);
	}
}

const struct icnt_kind icnt_kind_crossbar = {.has_flits = true,
					     .fits = fits,
					     .build = build,
					     .push = icnt_flits_push,
					     .pop = icnt_flits_pop,
					     .cycle = cycle,
					     .is_valid = crossbar_is_valid};
