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

/* Returns virtual channel `vc` of the router's input `in`. */
static inline struct icnt_vc *icnt_vc_at(const struct icnt_step *s, uint32_t in, uint32_t vc)
{
	return &s->t->vc[(s->line + in) * s->n->cfg.vcs + vc];
}
/* Returns the crossbar port of an input's virtual channel; an input has in_speedup crossbar ports. */
static inline uint32_t icnt_in_expanded(const struct icnt *n, uint32_t in, uint32_t vc)
{
	return in * n->cfg.in_speedup + n->cfg.in_slot[vc];
}
/* Returns the crossbar port of output `out` that input `in` uses; an output has out_speedup crossbar ports. */
static inline uint32_t icnt_out_expanded(const struct icnt *n, uint32_t out, uint32_t in)
{
	return n->cfg.out_speedup == 1 ? out : out * n->cfg.out_speedup + in % n->cfg.out_speedup;
}
/* Returns the output of a crossbar port. */
static inline uint32_t icnt_out_port(const struct icnt *n, uint32_t expanded)
{
	return n->cfg.out_speedup == 1 ? expanded : expanded / n->cfg.out_speedup;
}
/* Returns the row of an input's virtual channel in the VC allocator. */
static inline uint32_t icnt_vc_row(const struct icnt *n, uint32_t in, uint32_t vc)
{
	return n->cfg.shuffle ? vc * n->cfg.ports + in : in * n->cfg.vcs + vc;
}
/* Returns the crossbar output held by crossbar input `in`; -1 in it: none. */
static inline int32_t *icnt_hold_in(const struct icnt_step *s, uint32_t in)
{
	return &s->t->hold_in[s->router * s->n->cfg.ports * s->n->cfg.in_speedup + in];
}
/* Returns the virtual channel for which crossbar input `in` holds its connection; -1 in it: none. */
static inline int32_t *icnt_hold_vc(const struct icnt_step *s, uint32_t in)
{
	return &s->t->hold_vc[s->router * s->n->cfg.ports * s->n->cfg.in_speedup + in];
}
/* Returns the crossbar input that holds crossbar output `out`; -1 in it: none. */
static inline int32_t *icnt_hold_out(const struct icnt_step *s, uint32_t out)
{
	return &s->t->hold_out[s->router * s->n->cfg.ports * s->n->cfg.out_speedup + out];
}

/* Appends an input's virtual channel to a stage's waiting list. */
static inline void icnt_wait_push(struct icnt_waits *w, uint32_t in, uint32_t vc)
{
	*ICNT_WAITS(w, w->n) =
		(struct icnt_wait){.done = ICNT_NOT_BEGUN, .in = (uint16_t)in, .vc = (uint16_t)vc, .got = -1};
	w->n++;
}
/* Removes the oldest entry into *out if its stage completes by cycle `now`; returns false if it does not, or if the list is empty. */
static inline bool icnt_wait_pop(struct icnt_waits *w, uint64_t now, struct icnt_wait *out)
{
	if (!w->n || ICNT_WAITS(w, 0)->done > now)
		return false;
	*out = *ICNT_WAITS(w, 0);
	w->head++;
	w->n--;
	return true;
}
/* Returns the number of entries at the front whose stage has not begun: the next batch. */
static inline uint32_t icnt_batch(const struct icnt_waits *w)
{
	uint32_t i = 0;
	while (i < w->n && ICNT_WAITS(w, i)->done == ICNT_NOT_BEGUN)
		i++;
	return i;
}

/* Returns whether the output buffer of `out` is full. */
static inline bool icnt_output_full(const struct icnt_step *s, uint32_t out)
{
	return s->n->cfg.output_buffer >= 0 && s->t->out[s->line + out].n >= s->n->cfg.output_buffer;
}

/* Stores the range of virtual channels [*begin, *end] to which `way` leads a packet whose head is in virtual channel v. */
static inline void icnt_way_vcs(const struct icnt_step *s, const struct icnt_vc *v, const struct icnt_way *way,
				uint32_t *begin, uint32_t *end)
{
	bool ahead = s->n->cfg.noq && v->ahead_port != ICNT_NO_VC;
	*begin = ahead ? v->ahead_begin : way->begin_vc;
	*end = ahead ? v->ahead_end : way->end_vc;
}

/* ---- icnt_router.c ---- */
/* Moves the head that has reached the front of an input's virtual channel to its first stage. */
void icnt_start_packet(struct icnt_step *s, uint32_t in, uint32_t vc, struct icnt_vc *v);
/* Sets a virtual channel's priority from the flits in it. */
void icnt_update_priority(const struct icnt *n, struct icnt_vc *v);

/* ---- icnt_switch.c ---- */
/* Allocates the switch to the virtual channels that wait for it, on the state at the step's beginning. */
void icnt_switch_evaluate(struct icnt_step *s);
/* Sends the flits that won the switch to the crossbar; the others wait again. */
void icnt_switch_update(struct icnt_step *s);
/* Checks which flits can use a connection held for their packet, on the state at the step's beginning. */
void icnt_hold_evaluate(struct icnt_step *s);
/* Sends the flits that can use a held connection to the crossbar; releases connections that can't be used. */
void icnt_hold_update(struct icnt_step *s);

#endif
