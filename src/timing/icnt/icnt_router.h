/* A router at work: shared by its stages' files. Private to the interconnect. */
#ifndef TIMING_ICNT_ROUTER_H
#define TIMING_ICNT_ROUTER_H

#include "timing/icnt/icnt_internal.h"

#define ICNT_WAITS(w, i) (&(w)->at[((w)->head + (i)) & ((w)->cap - 1)])

struct icnt_step {
	struct icnt *n;
	struct icnt_net *t;
	uint32_t net, router, line; /* line: of the router's port 0 */
	uint64_t now;
};

static inline struct icnt_vc *icnt_vc_at(const struct icnt_step *s, uint32_t in, uint32_t vc)
{
	return &s->t->vc[(s->line + in) * s->n->cfg.vcs + vc];
}
/* Ports of the crossbar: an input has in_speedup of them, an output out_speedup. */
static inline uint32_t icnt_in_expanded(const struct icnt *n, uint32_t in, uint32_t vc)
{
	return in * n->cfg.in_speedup + n->cfg.in_slot[vc];
}
static inline uint32_t icnt_out_expanded(const struct icnt *n, uint32_t out, uint32_t in)
{
	return n->cfg.out_speedup == 1 ? out : out * n->cfg.out_speedup + in % n->cfg.out_speedup;
}
static inline uint32_t icnt_out_port(const struct icnt *n, uint32_t expanded)
{
	return n->cfg.out_speedup == 1 ? expanded : expanded / n->cfg.out_speedup;
}
static inline uint32_t icnt_vc_row(const struct icnt *n, uint32_t in, uint32_t vc)
{
	return n->cfg.shuffle ? vc * n->cfg.ports + in : in * n->cfg.vcs + vc;
}
static inline int32_t *icnt_hold_in(const struct icnt_step *s, uint32_t in)
{
	return &s->t->hold_in[s->router * s->n->cfg.ports * s->n->cfg.in_speedup + in];
}
static inline int32_t *icnt_hold_vc(const struct icnt_step *s, uint32_t in)
{
	return &s->t->hold_vc[s->router * s->n->cfg.ports * s->n->cfg.in_speedup + in];
}
static inline int32_t *icnt_hold_out(const struct icnt_step *s, uint32_t out)
{
	return &s->t->hold_out[s->router * s->n->cfg.ports * s->n->cfg.out_speedup + out];
}

static inline void icnt_wait_push(struct icnt_waits *w, uint32_t in, uint32_t vc)
{
	*ICNT_WAITS(w, w->n) =
		(struct icnt_wait){.done = ICNT_NOT_BEGUN, .in = (uint16_t)in, .vc = (uint16_t)vc, .got = -1};
	w->n++;
}
/* The oldest entry if its stage completes now. */
static inline bool icnt_wait_pop(struct icnt_waits *w, uint64_t now, struct icnt_wait *out)
{
	if (!w->n || ICNT_WAITS(w, 0)->done > now)
		return false;
	*out = *ICNT_WAITS(w, 0);
	w->head++;
	w->n--;
	return true;
}
/* Number of entries at the front that have not begun: the next batch. */
static inline uint32_t icnt_batch(const struct icnt_waits *w)
{
	uint32_t i = 0;
	while (i < w->n && ICNT_WAITS(w, i)->done == ICNT_NOT_BEGUN)
		i++;
	return i;
}

static inline bool icnt_output_full(const struct icnt_step *s, uint32_t out)
{
	return s->n->cfg.output_buffer >= 0 && s->t->out[s->line + out].n >= s->n->cfg.output_buffer;
}

/* VCs that a way leads to. */
static inline void icnt_way_vcs(const struct icnt_step *s, const struct icnt_vc *v, const struct icnt_way *way,
				uint32_t *begin, uint32_t *end)
{
	bool ahead = s->n->cfg.noq && v->ahead_port != ICNT_NO_VC;
	*begin = ahead ? v->ahead_begin : way->begin_vc;
	*end = ahead ? v->ahead_end : way->end_vc;
}

/* ---- icnt_router.c ---- */
void icnt_start_packet(struct icnt_step *s, uint32_t in, uint32_t vc, struct icnt_vc *v);
void icnt_update_priority(const struct icnt *n, struct icnt_vc *v);

/* ---- icnt_switch.c ---- */
void icnt_switch_evaluate(struct icnt_step *s);
void icnt_switch_update(struct icnt_step *s);
void icnt_hold_evaluate(struct icnt_step *s);
void icnt_hold_update(struct icnt_step *s);

#endif
