/* The sync checker: exited lanes that have passed a warp-level instruction by.
 *
 * For each lane the last instruction is noted that it executes before it only exits, and for each warp the branches at which its lanes last parted. A
 * lane has passed an instruction by if its last instruction can be reached from there, other than through the branch at which the lane parted from
 * those that execute it, and no way leads back. So both ways meet again behind the instruction. A lane on an early return exits from elsewhere: its
 * way only leads out of the kernel. Calls count as the call instruction in the kernel. */
#include <stdlib.h>
#include <string.h>

#include "base/arena_marks.h"
#include "base/xalloc.h"
#include "check/sync.h"
#include "isa/handlers.h"

enum leaver_state { LEAVER_NONE, LEAVER_BRANCHED, LEAVER_EXITED };

struct leaver {
	uint32_t state;	  /* enum leaver_state */
	uint32_t last_pc; /* the last instruction before the lane only exits, in the kernel; ISA_NO_TARGET: not known */
	uint32_t exit_pc;
	uint32_t told_pc; /* 1 + the instruction at which the lane was reported last */
};

struct parting {
	uint32_t pc, lanes; /* the branch, in the kernel; lanes that came to it together */
};

#define PARTINGS 32u /* earlier ones are forgotten */
struct leavers {
	uint64_t tag; /* of the block; else the entry is void */
	uint64_t n_partings;
	struct parting parting[PARTINGS]; /* number n at n % PARTINGS */
	struct leaver lane[LANES];
	/* of the block, in its first warp's entry: barriers reported in a deadlock, a bit each, when so many had opened */
	uint32_t barriers, n_opened;
};

static uint64_t tag_of(const struct sync *s, const struct exec_cta *cta)
{
	const uint64_t launch = (uint64_t)s->epoch << 32 | cta->launch;
	return (launch + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ cta->linear;
}

static struct leavers *leavers_of(const struct sync *s, const struct exec_cta *cta, uint32_t warp)
{
	const size_t at = (size_t)cta->warp[warp].cta * EXEC_WARPS_PER_CTA + warp;
	return (struct leavers *)arena_at(gpu_arena(check_gpu(s->c)), s->section, 0) + at;
}

/* Returns a warp's entry for writing. */
static struct leavers *leavers_change(struct sync *s, const struct exec_cta *cta, uint32_t warp)
{
	struct arena *a = gpu_arena(check_gpu(s->c));
	struct leavers *l = leavers_of(s, cta, warp);
	arena_touch(a, s->section, (uint64_t)((char *)l - (char *)arena_at(a, s->section, 0)), sizeof *l);
	if (l->tag != tag_of(s, cta))
		*l = (struct leavers){.tag = tag_of(s, cta)};
	return l;
}

void sync_barrier_tell(struct sync *s, const struct exec_cta *cta, uint32_t id)
{
	struct leavers *l = leavers_change(s, cta, 0);
	if (l->n_opened != cta->n_opened)
		l->barriers = 0;
	l->n_opened = cta->n_opened;
	l->barriers |= 1u << id;
}

bool sync_barrier_was_told(const struct sync *s, const struct exec_cta *cta, uint32_t id)
{
	const struct leavers *l = leavers_of(s, cta, 0);
	return l->tag == tag_of(s, cta) && l->n_opened == cta->n_opened && l->barriers >> id & 1;
}

bool sync_leavers_on(void *self)
{
	struct sync *s = self;
	struct gpu *g = check_gpu(s->c);
	struct arena *a = gpu_arena(g);
	const uint64_t bytes = (uint64_t)gpu_cta_slots_most(g) * EXEC_WARPS_PER_CTA * sizeof(struct leavers);
	if (!s->is_ready) {
		s->section = arena_add(a, "sync-leavers", ARENA_PAGED, bytes);
		if (s->section < 0)
			return false;
		a->section[s->section].is_tool_state = true;
		s->is_ready = true;
	}
	memset(s->answers, 0, sizeof s->answers);
	return arena_use(a, s->section, bytes) && arena_marks_adopt(a);
}

void sync_leavers_reset(void *self)
{
	struct sync *s = self;
	s->epoch++;
}

void sync_leavers_rebuilt(void *self)
{
	struct sync *s = self;
	s->is_ready = false;
	memset(s->answers, 0, sizeof s->answers);
}

/* ---- places in the kernel ---- */

/* Returns the instruction of the kernel at which a lane of the top entry is while the instruction at x->pc is executed: that one, or the call. */
static uint32_t pc_in_kernel(const struct exec *x)
{
	const struct exec_simt *const first = arena_at(x->arena, x->sec_simt, x->warp->simt);
	for (const struct exec_simt *e = x->top; e && e->call_depth; e = exec_simt_caller(first, e))
		if (e->call_depth == 1)
			return e->return_pc;
	return x->pc;
}

/* Returns the instruction from which an exit at x->pc was reached without a branch: a conditional exit itself, or the one in front. */
static uint32_t pc_in_front(const struct exec *x)
{
	const struct isa_program *p = x->program;
	const struct isa_function *f = isa_program_function_at(p, x->pc);
	if (x->top->call_depth || p->insns[x->pc].guard != ISA_PRED_TRUE)
		return pc_in_kernel(x);
	return f && x->pc > f->first ? x->pc - 1 : ISA_NO_TARGET;
}

static void note_parting(struct leavers *l, const struct exec *x)
{
	const struct parting p = {pc_in_kernel(x), x->active}, *last = &l->parting[(l->n_partings - 1) % PARTINGS];
	if (!l->n_partings || last->pc != p.pc || last->lanes != p.lanes)
		l->parting[l->n_partings++ % PARTINGS] = p;
}

void sync_leavers_note(void *self, const struct exec *x, bool exits, bool leaves)
{
	struct sync *s = self;
	if (x->mask == (x->warp->lanes & ~x->warp->exited)) /* no lane is left that could miss them */
		return;
	struct leavers *l = leavers_change(s, x->cta, x->warp->index);
	if (!exits && (x->mask != x->active || !leaves))
		note_parting(l, x);
	LANES_EACH (lane, leaves ? x->mask : 0) {
		struct leaver *v = &l->lane[lane];
		if (!exits || v->state == LEAVER_NONE)
			v->last_pc = exits ? pc_in_front(x) : pc_in_kernel(x);
		v->state = exits ? LEAVER_EXITED : LEAVER_BRANCHED;
		v->exit_pc = x->pc;
	}
}

/* ---- what lies behind an instruction ---- */

struct walk {
	const struct isa_program *p;
	const struct isa_function *f;
	uint32_t without; /* not through this one */
	uint8_t *seen;
	uint32_t *todo, n_todo;
};

static void walk_to(struct walk *w, uint32_t pc)
{
	if (pc < w->f->first || pc >= w->f->end || pc == w->without || w->seen[pc - w->f->first])
		return;
	w->seen[pc - w->f->first] = 1;
	w->todo[w->n_todo++] = pc;
}

static void walk_on(struct walk *w, uint32_t pc)
{
	const struct isa_insn *i = &w->p->insns[pc];
	const bool branches = i->handler == ISA_H_bra || i->handler == ISA_H_bra_uni;
	const bool ends = branches || i->handler == ISA_H_brx_idx || i->handler == ISA_H_exit || i->handler == ISA_H_ret;
	if (branches)
		walk_to(w, i->target);
	if (i->handler == ISA_H_brx_idx)
		for (uint32_t k = 0; k < w->p->aux[i->aux]; k++)
			walk_to(w, w->p->aux[i->aux + 1 + k]);
	if (!ends || i->guard != ISA_PRED_TRUE)
		walk_to(w, pc + 1);
}

/* Returns true if a way in the function leads from behind the instruction at `from` to the one at `to`, not through that at `without`. */
static bool leads_to(const struct isa_program *p, const struct isa_function *f, uint32_t from, uint32_t to,
		     uint32_t without)
{
	const uint32_t n = f->end - f->first;
	struct walk w = {.p = p, .f = f, .without = without, .seen = xcalloc(n, 1), .todo = xcalloc(n, sizeof *w.todo)};
	walk_on(&w, from);
	while (w.n_todo && !w.seen[to - f->first])
		walk_on(&w, w.todo[--w.n_todo]);
	const bool found = w.seen[to - f->first];
	free(w.seen);
	free(w.todo);
	return found;
}

static bool is_behind(struct sync *s, const struct isa_program *p, uint32_t pc, uint32_t other, uint32_t without)
{
	const struct isa_function *f = isa_program_function_at(p, pc);
	if (pc == other || other == without || !f || other < f->first || other >= f->end)
		return false;
	const uint32_t at = (pc * 31 + other * 7 + without) % SYNC_ANSWERS;
	if (s->answers[at].program != p || s->answers[at].pc != pc || s->answers[at].other != other ||
	    s->answers[at].without != without) {
		s->answers[at].program = p;
		s->answers[at].pc = pc;
		s->answers[at].other = other;
		s->answers[at].without = without;
		s->answers[at].is_behind =
			leads_to(p, f, pc, other, without) && !leads_to(p, f, other, pc, ISA_NO_TARGET);
	}
	return s->answers[at].is_behind;
}

/* Returns the branch at which two lanes parted. Returns ISA_NO_TARGET if it isn't known any more. */
static uint32_t parted_at(const struct leavers *l, unsigned a, unsigned b)
{
	const uint32_t both = lanes_bit(a) | lanes_bit(b);
	for (uint64_t n = l->n_partings; n-- && n + PARTINGS >= l->n_partings;)
		if ((l->parting[n % PARTINGS].lanes & both) == both)
			return l->parting[n % PARTINGS].pc;
	return ISA_NO_TARGET;
}

uint32_t sync_leavers_passed(struct sync *s, const struct exec *x, unsigned lane, uint32_t lanes, uint32_t *exit_pc)
{
	const uint32_t pc = pc_in_kernel(x);
	const struct leavers *l = leavers_of(s, x->cta, x->warp->index);
	uint32_t passed = 0;
	LANES_EACH (k, l->tag == tag_of(s, x->cta) ? lanes : 0) {
		const struct leaver *v = &l->lane[k];
		const uint32_t parted = parted_at(l, lane, k);
		if (v->state != LEAVER_EXITED || v->told_pc == x->pc + 1 || v->last_pc == ISA_NO_TARGET ||
		    parted == ISA_NO_TARGET || !is_behind(s, x->program, pc, v->last_pc, parted))
			continue;
		*exit_pc = passed ? *exit_pc : v->exit_pc;
		passed |= lanes_bit(k);
	}
	return passed;
}

void sync_leavers_told(struct sync *s, const struct exec *x, uint32_t lanes, uint32_t pc)
{
	struct leavers *l = leavers_change(s, x->cta, x->warp->index);
	LANES_EACH (lane, lanes)
		l->lane[lane].told_pc = pc + 1;
}
