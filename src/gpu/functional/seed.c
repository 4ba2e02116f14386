/* Functional mode in another order than its own: one that a seed chooses, of those that a GPU may have.
 *
 * A seed's remainder by 3 says how. 0: any warp, for a random number of instructions. 1: by priorities that change at three random moments, as in
 * Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (ASPLOS 2010). 2: adversarial: it changes warps in front of what
 * others can see, accesses and barriers, and nowhere else. All of it lies in the arena: a run can be cut and repeated as any other. */
#include "gpu/functional/functional.h"
#include "isa/handlers.h"

enum { RANDOM, PRIORITIES, ADVERSARIAL, KINDS };

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static uint64_t draw(struct gpu_schedule *o, uint64_t below)
{
	o->random += UINT64_C(0x9E3779B97F4A7C15);
	return mix(o->random) % below;
}

void gpu_schedule_begin(struct gpu *g, uint32_t launch)
{
	struct gpu_schedule *o = &gpu_state(g)->schedule;
	o->launch = launch;
	o->random = mix(o->spec.seed);
	o->begun = gpu_state(g)->cycle;
	o->n = o->n_lowered = 0;
	o->chosen = false;
}

bool gpu_schedule_is_seeded(const struct gpu *g)
{
	const struct gpu_schedule *o = &gpu_state(g)->schedule;
	return o->spec.seed && o->n >= o->spec.from && o->n < o->spec.to;
}

/* ---- candidates: resident blocks from `first` on, their warps that can go on ---- */

static uint32_t count(const struct gpu *g, uint32_t first)
{
	uint32_t n = 0;
	for (uint32_t k = first; k < gpu_state(g)->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		for (uint32_t w = 0; w < c->n_warps; w++)
			n += functional_warp_can_run(g, &c->warp[w]);
	}
	return n;
}

/* Numbers of a block among the resident ones and of a warp. */
struct choice {
	uint32_t block, warp;
};

static struct choice candidate(const struct gpu *g, uint32_t first, uint64_t number)
{
	for (uint32_t k = first; k < gpu_state(g)->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		for (uint32_t w = 0; w < c->n_warps; w++)
			if (functional_warp_can_run(g, &c->warp[w]) && !number--)
				return (struct choice){k, w};
	}
	return (struct choice){GPU_NONE, 0};
}

/* ---- by priorities ---- */

static uint64_t name_of(const struct gpu_schedule *o, const struct exec_cta *c, uint32_t warp)
{
	return mix(c->linear * 64 + warp + 1) ^ (c->launch - o->launch);
}

/* Returns the k-th cycle at which the running warp gets the lowest priority. The cycles lie close to the start for some seeds, so short launches have
 * such changes too. */
static uint64_t change_point(const struct gpu_schedule *o, uint32_t k)
{
	const uint64_t z = mix(o->spec.seed * 8 + k + 1);
	return o->begun + (z >> 8) % (UINT64_C(2) << z % 18);
}

static uint64_t priority(const struct gpu_schedule *o, uint64_t name)
{
	for (uint32_t k = o->n_lowered; k-- > 0;)
		if (o->lowered[k] == name)
			return GPU_CHANGES - k; /* lower than all that follow */
	return mix(name ^ o->spec.seed) | UINT64_C(1) << 63;
}

static void lower(struct gpu *g)
{
	struct gpu_schedule *o = &gpu_state(g)->schedule;
	while (o->n_lowered < GPU_CHANGES && change_point(o, o->n_lowered) <= gpu_state(g)->cycle)
		o->lowered[o->n_lowered++] = o->last;
}

static struct choice highest(const struct gpu *g, uint32_t first, uint32_t n)
{
	const struct gpu_schedule *o = &gpu_state(g)->schedule;
	struct choice best = candidate(g, first, 0);
	uint64_t most = 0;
	for (uint32_t k = 0; k < n; k++) {
		const struct choice x = candidate(g, first, k);
		const uint64_t p = priority(o, name_of(o, gpu_cta_at(g, gpu_residents(g)[x.block]), x.warp));
		if (p > most) {
			most = p;
			best = x;
		}
	}
	return best;
}

static uint64_t until_change(const struct gpu *g)
{
	const struct gpu_schedule *o = &gpu_state(g)->schedule;
	uint64_t n = GPU_QUANTUM;
	for (uint32_t k = o->n_lowered; k < GPU_CHANGES; k++) {
		const uint64_t left = change_point(o, k) - gpu_state(g)->cycle;
		if (change_point(o, k) > gpu_state(g)->cycle && left < n)
			n = left;
	}
	return n;
}

/* ---- in front of what others see ---- */

#undef HANDLER
#undef HANDLER_ONCE
#undef HANDLER_LEVELED
#undef HANDLER_MEMORY
#undef HANDLER_ATOMIC
#undef HANDLER_EFFECT
#undef ALIAS
#define HANDLER(name)
#define HANDLER_ONCE(name)
#define HANDLER_LEVELED(name)
#define ALIAS(name, handler)
#define HANDLER_MEMORY(name) [ISA_H_##name] = true,
#define HANDLER_ATOMIC(name) [ISA_H_##name] = true,
#define HANDLER_EFFECT(name, kind) [ISA_H_##name] = true,
static const bool others_see[ISA_HANDLER_COUNT] = {
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
};

/* Instructions up to the next such one. */
static uint64_t until_seen(const struct gpu *g, const struct exec_warp *w)
{
	uint32_t pc = exec_simt_top(&g->exec, w)->pc;
	uint64_t n = 1;
	while (n < 16 && pc + n < g->program.n_insns && !others_see[g->program.insns[pc].handler] &&
	       !others_see[g->program.insns[pc + n].handler])
		n++;
	return n;
}

/* ---- choosing ---- */

static struct choice choose(struct gpu *g, uint32_t first, uint32_t n, uint64_t *turn)
{
	struct gpu_schedule *o = &gpu_state(g)->schedule;
	struct choice x;
	switch (o->spec.seed % KINDS) {
	case PRIORITIES:
		lower(g);
		x = highest(g, first, n);
		*turn = until_change(g);
		return x;
	case ADVERSARIAL:
		x = candidate(g, first, draw(o, n));
		*turn = until_seen(g, &gpu_cta_at(g, gpu_residents(g)[x.block])->warp[x.warp]);
		return x;
	default:
		x = candidate(g, first, draw(o, n));
		*turn = 1 + draw(o, UINT64_C(1) << draw(o, 8));
		return x;
	}
}

/* As often as one of its warps would be chosen, a block begins, if there is one, and room for it. */
static void maybe_begin(struct gpu *g, uint32_t n)
{
	struct gpu_schedule *o = &gpu_state(g)->schedule;
	if (!n || !draw(o, 4))
		functional_start_block(g);
}

bool gpu_schedule_choose(struct gpu *g, uint32_t first)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_schedule *o = &s->schedule;
	uint64_t turn;
	maybe_begin(g, count(g, first));
	const uint32_t n = count(g, first);
	if (!n)
		return false;
	const struct choice x = choose(g, first, n, &turn);
	struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[x.block]);
	s->current = x.block;
	c->current = x.warp;
	c->n_opened = 0;
	c->warp[x.warp].quantum = (uint32_t)turn;
	o->last = name_of(o, c, x.warp);
	o->chosen = true;
	o->n++;
	return true;
}

void gpu_set_schedule(struct gpu *g, const struct gpu_schedule_spec *spec)
{
	gpu_state(g)->schedule = (struct gpu_schedule){.spec = *spec};
}
void gpu_get_schedule(const struct gpu *g, struct gpu_schedule_spec *spec) { *spec = gpu_state(g)->schedule.spec; }
uint64_t gpu_schedule_choices(const struct gpu *g) { return gpu_state(g)->schedule.n; }
