/* A sender's view of the buffer behind its link: which packets own its virtual channels, how full they are, and the policies by which
 * they share it. */
#include "timing/icnt/icnt_internal.h"

static struct icnt_far_vc *far_vc(const struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	return &n->net[net].far_vc[(size_t)channel * n->cfg.vcs + vc];
}
static uint32_t *part_of(const struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	return &n->net[net].part[(size_t)channel * n->cfg.n_parts + n->cfg.part_of[vc]];
}

/* ---- feedback: a VC whose credits come back late may hold fewer flits ---- */
/* Cycles of a round trip without contention. On a torus links to routers of higher numbers count 1, as GPGPU-Sim 3.2.2 asks for
 * their latency before it is set. */
static uint32_t min_latency(const struct icnt *n, uint32_t channel)
{
	const struct icnt_setup *c = &n->cfg;
	uint32_t alloc =
		c->speculative ? (c->vc_delay > c->sw_delay ? c->vc_delay : c->sw_delay) : c->vc_delay + c->sw_delay;
	if (channel >= n->lines)
		return 3 + c->routing_delay + alloc;
	uint32_t to = n->links.to_line[channel];
	uint32_t link = to == ICNT_NOWHERE || n->links.router[to] > n->links.router[channel] ? 1 : c->link_latency;
	return 1 + c->cross_delay + link + c->routing_delay + alloc + link + c->credit_delay;
}

static int64_t averaged(const struct icnt *n, const struct icnt_far_vc *v, int64_t last)
{
	if (v->round_trip < 0)
		return last;
	return (((int64_t)v->round_trip << n->cfg.aging) + last - v->round_trip) >> n->cfg.aging;
}

static int64_t limit_for(const struct icnt *n, uint32_t channel, int64_t round_trip)
{
	int64_t limit = 2 * (int64_t)min_latency(n, channel) - round_trip + n->cfg.feedback_offset;
	return limit > 1 ? limit : 1;
}

static int64_t feedback_most(const struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	const struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	const struct icnt_words *sent = n->net[net].sent_at[(size_t)channel * n->cfg.vcs + vc];
	int64_t most = v->limit;
	if (sent->n) {
		int64_t so_far = (int64_t)(n->s->clock - sent->at[sent->head & (sent->cap - 1)]);
		int64_t limit = limit_for(n, channel, averaged(n, v, so_far));
		most = limit < most ? limit : most;
	}
	return most;
}

static void feedback_credit(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	uint64_t sent = icnt_words_pop(n->net[net].sent_at[(size_t)channel * n->cfg.vcs + vc]);
	v->round_trip = (int32_t)averaged(n, v, (int64_t)(n->s->clock - sent));
	v->limit = (uint32_t)limit_for(n, channel, v->round_trip);
}

/* ---- limited: no VC may hold more than its share ---- */
static uint32_t share(const struct icnt *n, uint32_t active)
{
	uint32_t most = n->cfg.buffer;
	if (n->cfg.policy == ICNT_LIMITED)
		return n->cfg.held_most;
	if (n->cfg.policy == ICNT_DYNAMIC)
		return most / active;
	for (uint32_t i = active - 1; i; i >>= 1)
		most >>= 1;
	return most;
}

static bool is_limited(const struct icnt *n) { return n->cfg.policy >= ICNT_LIMITED && n->cfg.policy <= ICNT_SHIFTING; }

bool icnt_far_full_shared(const struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	const struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	const struct icnt_far *f = &n->net[net].far[channel];
	if (!v->reserved && *part_of(n, net, channel, vc) >= n->cfg.part_size[n->cfg.part_of[vc]] &&
	    f->shared_occupied >= n->cfg.shared_size)
		return true;
	if (is_limited(n))
		return v->occupied >= f->held_most;
	return n->cfg.policy >= ICNT_FEEDBACK && v->occupied >= feedback_most(n, net, channel, vc);
}

/* ---- shared: private parts first, then the common one ---- */
static void free_slot(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	uint32_t *part = part_of(n, net, channel, vc);
	if (--*part >= n->cfg.part_size[n->cfg.part_of[vc]])
		n->net[net].far[channel].shared_occupied--;
}

static void shared_send(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc, bool tail)
{
	struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	if (v->reserved)
		v->reserved--;
	else if (++*part_of(n, net, channel, vc) > n->cfg.part_size[n->cfg.part_of[vc]])
		n->net[net].far[channel].shared_occupied++;
	for (; tail && v->reserved; v->reserved--)
		free_slot(n, net, channel, vc);
}

/* Slots that an owner's flits leave stay with the owner while it has nothing there. */
static void shared_credit(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	if (v->user && !v->occupied)
		v->reserved++;
	else
		free_slot(n, net, channel, vc);
}

static void policy_send(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc, bool tail)
{
	struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	struct icnt_far *f = &n->net[net].far[channel];
	shared_send(n, net, channel, vc, tail);
	if (is_limited(n) && tail && --f->active)
		f->held_most = share(n, f->active);
	if (n->cfg.policy < ICNT_FEEDBACK)
		return;
	struct icnt_words *sent = n->net[net].sent_at[(size_t)channel * n->cfg.vcs + vc];
	if (n->cfg.policy == ICNT_SIMPLE_FEEDBACK && sent->n)
		return; /* one probe at a time */
	if (n->cfg.policy == ICNT_SIMPLE_FEEDBACK)
		v->pending = v->occupied - 1;
	icnt_words_push(sent, n->s->clock);
}

static void policy_credit(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc)
{
	struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	shared_credit(n, net, channel, vc);
	if (n->cfg.policy == ICNT_FEEDBACK) {
		feedback_credit(n, net, channel, vc);
	} else if (n->cfg.policy == ICNT_SIMPLE_FEEDBACK) {
		if (v->pending)
			v->pending--;
		else if (n->net[net].sent_at[(size_t)channel * n->cfg.vcs + vc]->n)
			feedback_credit(n, net, channel, vc);
	}
}

/* ---- the events ---- */
void icnt_far_take(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc, uint32_t user)
{
	struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	v->user = user + 1;
	v->tail_sent = false;
	if (is_limited(n)) {
		struct icnt_far *f = &n->net[net].far[channel];
		f->held_most = share(n, ++f->active);
	}
}

void icnt_far_send(struct icnt *n, uint32_t net, uint32_t channel, uint32_t vc, bool tail)
{
	struct icnt_far_vc *v = far_vc(n, net, channel, vc);
	n->net[net].far[channel].occupied++;
	v->occupied++;
	if (n->cfg.policy != ICNT_PRIVATE)
		policy_send(n, net, channel, vc, tail);
	if (!tail)
		return;
	v->tail_sent = true;
	if (!n->cfg.wait_for_tail_credit)
		v->user = 0;
}

void icnt_far_credit(struct icnt *n, uint32_t net, uint32_t channel, uint64_t vcs)
{
	while (vcs) {
		uint32_t vc = icnt_take_bit(&vcs);
		struct icnt_far_vc *v = far_vc(n, net, channel, vc);
		n->net[net].far[channel].occupied--;
		v->occupied--;
		if (n->cfg.wait_for_tail_credit && !v->occupied && v->tail_sent)
			v->user = 0;
		if (n->cfg.policy != ICNT_PRIVATE)
			policy_credit(n, net, channel, vc);
	}
}
