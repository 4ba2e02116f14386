/* What a launch needs before its first block starts: threads, shared memory, and how much stack its threads can use. */
#include "base/xalloc.h"
#include "exec/internal.h"
#include "isa/plus.h"

#define SHARED_ALIGN 16u
#define CHAIN_MOST 1000u
#define UNBOUNDED UINT64_MAX
#define PLUS_CALLS_MOST 256u /* callp inside each other */

enum visit { NOT_SEEN, OPEN, CLOSED };

struct search {
	const struct isa_program *p;
	uint8_t *visit; /* enum visit per function */
	uint64_t *need; /* bytes of stack below a function's own frame, when CLOSED */
	unsigned chain;
};

static uint64_t align_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

static uint64_t frame_of(const struct isa_function *f)
{
	/* the frame may have to begin a little higher than the caller's ends */
	return (uint64_t)f->local_bytes + EXEC_CALL_BYTES + f->local_align;
}

static uint64_t need_below(struct search *s, uint32_t function);

/* Stack an instruction can take beyond its function's frame. */
static uint64_t need_of(struct search *s, const struct isa_insn *i)
{
	if (i->handler == ISA_H_call_indirect || i->handler == ISA_H_alloca)
		return UNBOUNDED;
	if (i->handler == ISA_H_plus_call)
		return PLUS_CALLS_MOST * EXEC_CALL_BYTES;
	if (i->handler != ISA_H_call || i->target >= s->p->n_functions)
		return 0;
	uint64_t below = need_below(s, i->target);
	return below == UNBOUNDED ? UNBOUNDED : frame_of(s->p->functions[i->target]) + below;
}

static uint64_t need_below(struct search *s, uint32_t function)
{
	const struct isa_function *f = s->p->functions[function];
	if (s->visit[function] == CLOSED)
		return s->need[function];
	if (s->visit[function] == OPEN || s->chain == CHAIN_MOST)
		return UNBOUNDED;
	s->visit[function] = OPEN;
	s->chain++;
	uint64_t most = 0;
	for (uint32_t k = f->first; k < f->end && most != UNBOUNDED; k++) {
		uint64_t n = need_of(s, &s->p->insns[k]);
		most = n > most ? n : most;
	}
	s->chain--;
	s->visit[function] = CLOSED;
	s->need[function] = most;
	return most;
}

#define LEAST_ACTIVATION 8u /* bytes that an activation which calls others takes of a GPU's stack at least: where it returns to */
#define ROOM_MOST 4u	    /* times the limit that local memory has for calls */

/* Returns the bytes of local memory that calls of unknown depth need until they take the limit of a GPU's stack, on which activations are smaller than
 * here. */
static uint64_t room_for_limit(const struct exec *x, const struct search *s)
{
	uint64_t most = 1;
	for (uint32_t k = 0; k < s->p->n_functions; k++) {
		const struct isa_function *f = s->p->functions[k];
		const uint32_t bytes = f->stack_bytes > LEAST_ACTIVATION ? f->stack_bytes : LEAST_ACTIVATION;
		const uint64_t ratio = s->visit[k] != NOT_SEEN ? (frame_of(f) + bytes - 1) / bytes : 1;
		most = ratio > most ? ratio : most;
	}
	const uint64_t room = x->stack_limit * (most < ROOM_MOST ? most : ROOM_MOST);
	return room > x->stack_room ? room : x->stack_room;
}

/* Sets the bytes of local memory per thread: the kernel's frame, and the stack of its calls. If the call graph has no bound, the limit of the stack holds. */
static uint64_t set_stack(const struct exec *x, struct exec_launch *l)
{
	const struct isa_program *p = x->program;
	const struct isa_function *f = p->functions[l->function];
	struct search s = {.p = p};
	s.visit = xcalloc(p->n_functions, sizeof *s.visit);
	s.need = xcalloc(p->n_functions, sizeof *s.need);
	uint64_t below = need_below(&s, l->function);
	l->stack_limit = UINT32_MAX;
	if (below == UNBOUNDED) {
		below = room_for_limit(x, &s);
		/* a kernel whose own frame is larger gets what it needs */
		l->stack_limit = x->stack_limit + (f->stack_bytes > x->stack_limit ? f->stack_bytes : 0);
	}
	free(s.visit);
	free(s.need);
	return f->local_bytes + below;
}

/* Returns the shared memory of a PTXPlus kernel: what the launch asks for is all of it, with parameters and variables. */
static uint32_t plus_shared_bytes(const struct exec_launch *l, const struct isa_function *f)
{
	const uint32_t params = f->param_bytes ? ISA_PLUS_PARAMS + f->param_bytes : 0, least = params > f->static_shared ? params : f->static_shared;
	return l->shared_dynamic > least ? l->shared_dynamic : least;
}

void exec_prepare_launch(const struct exec *x, struct exec_launch *l)
{
	const struct isa_program *p = x->program;
	const struct isa_function *f = p->functions[l->function];
	l->n_ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
	l->threads_per_cta = l->block[0] * l->block[1] * l->block[2];
	l->n_threads = l->n_ctas * l->threads_per_cta;
	l->warps_per_cta = exec_warp_of(x, l->threads_per_cta + x->warp_threads - 1);
	/* where dynamic memory's own variables need more, the linker has made static_shared a multiple of it */
	l->dynamic_base = (uint32_t)align_up(f->static_shared, SHARED_ALIGN);
	l->shared_bytes = l->shared_dynamic ? l->dynamic_base + l->shared_dynamic : f->static_shared;
	if (f->is_plus)
		l->shared_bytes = plus_shared_bytes(l, f);
	l->param_bytes = f->param_bytes;
	uint64_t local = set_stack(x, l);
	l->local_bytes = (uint32_t)(local < ISA_LOCAL_BYTES_MAX - 64 ? local : ISA_LOCAL_BYTES_MAX - 64);
	/* an odd number of cache lines, so that the same variable of different lanes falls into different sets */
	l->local_stride = local ? (uint32_t)align_up(l->local_bytes, 64) | 64 : 0;
}
