/* The text of a deadlock: which warps wait, at which places, and where the warps are that they wait for. */
#include "gpu/wait/deadlock.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "gpu/device/performance_state.h"
#include "gpu/launch/launch.h"
#include "gpu/stream/stream_text.h"

#define BLOCKS_SHOWN 4u
#define WARPS_SHOWN 16u

void gpu_add_place(const struct gpu *g, uint32_t pc, struct text *out)
{
	const struct isa_program *p = &g->program;
	if (!p->where || pc >= p->n_insns || p->where[pc].file >= p->n_files) {
		text_addf(out, "pc 0x%x", pc * ISA_INSN_BYTES);
		return;
	}
	text_addf(out, "%s:%u", file_base_name(p->files[p->where[pc].file].name), p->where[pc].line);
}

void gpu_add_place_of(const struct gpu *g, const struct exec_warp *w, uint32_t lanes, uint32_t pc, struct text *out)
{
	if (g->place)
		g->place(g->place_self, w, lanes_first(lanes ? lanes : w->lanes & ~w->exited ? w->lanes & ~w->exited : w->lanes), pc, out);
	else
		gpu_add_place(g, pc, out);
}

void gpu_name_places(struct gpu *g, gpu_place_fn *fn, void *self)
{
	g->place = fn;
	g->place_self = self;
}

/* Returns the lanes of a spinning warp that could run if the top entry's path made room for them. */
static uint32_t other_lanes(const struct gpu *g, const struct exec_warp *w)
{
	if (w->state != EXEC_WARP_RUNNABLE || !gpu_warp_spins(g, w))
		return 0;
	return w->lanes & ~(w->exited | w->sync_lanes | w->barrier_lanes | exec_simt_top(&g->exec, w)->mask);
}

/* Adds lanes that run, those that wait in a barrier for the rest of their warp, and those that wait further down the stack. */
static void add_lanes(const struct gpu *g, const struct exec_warp *w, const char *what, struct text *out)
{
	const struct exec_simt *s = arena_at(&g->arena, g->exec.sec_simt, w->simt);
	uint32_t shown = s[w->n_simt - 1].mask;
	text_addf(out, "lanes 0x%08x %s at ", shown, what);
	gpu_add_place_of(g, w, shown, s[w->n_simt - 1].pc, out);
	if (w->barrier_lanes) {
		shown |= w->barrier_lanes;
		text_addf(out, ", lanes 0x%08x wait for them at barrier %u, ", w->barrier_lanes, w->barrier);
		gpu_add_place_of(g, w, w->barrier_lanes, w->barrier_pc, out);
	}
	for (uint32_t k = w->n_simt - 1; k-- > 0;) {
		uint32_t lanes = s[k].mask & ~shown;
		if (!lanes)
			continue;
		shown |= lanes;
		text_addf(out, ", lanes 0x%08x %s at ", lanes, lanes & ~gpu_spinning_lanes(g, w) ? "wait for them" : "spin");
		gpu_add_place_of(g, w, lanes, s[k].pc, out);
	}
}

static void add_warp(const struct gpu *g, const struct exec_warp *w, struct text *out)
{
	text_addf(out, "\n    warp %u: ", w->index);
	switch (w->state) {
	case EXEC_WARP_BARRIER:
		text_addf(out, "waits at barrier %u, ", w->barrier);
		gpu_add_place_of(g, w, w->barrier_lanes, w->barrier_pc, out);
		return;
	case EXEC_WARP_DONE:
		text_add(out, "has exited, ");
		gpu_add_place_of(g, w, 0, w->last_pc, out);
		return;
	default: add_lanes(g, w, gpu_warp_spins(g, w) ? "spin" : "are", out);
	}
}

static uint32_t barrier_wants(const struct gpu *g, const struct exec_cta *c, const struct exec_barrier *b)
{
	return b->expected ? b->expected : (c->n_warps - c->n_done) * g->exec.warp_threads;
}

/* Returns true if blocks of more than one launch are resident. */
static bool are_several(const struct gpu *g)
{
	const uint32_t *r = gpu_residents(g);
	for (uint32_t k = 1; k < gpu_state(g)->n_resident; k++)
		if (gpu_cta_at(g, r[k])->launch != gpu_cta_at(g, r[0])->launch)
			return true;
	return false;
}

static void add_block(const struct gpu *g, const struct exec_cta *c, struct text *out)
{
	text_addf(out, "\n  block (%u,%u,%u)", c->id[0], c->id[1], c->id[2]);
	if (are_several(g))
		text_addf(out, " of kernel %u", c->launch);
	for (uint32_t id = 0; id < EXEC_BARRIERS; id++)
		if (c->barrier[id].arrived)
			text_addf(out, ", barrier %u waits for %u threads and has %u", id,
				  barrier_wants(g, c, &c->barrier[id]), c->barrier[id].arrived);
	uint32_t shown = 0;
	for (uint32_t k = 0; k < c->n_warps && shown < WARPS_SHOWN; k++, shown++)
		add_warp(g, &c->warp[k], out);
	if (shown < c->n_warps)
		text_addf(out, "\n    and %u more warps", c->n_warps - shown);
}

/* ---- what can't begin ---- */

#define LAUNCHES_SHOWN 4u

/* Adds why no block of a launch that has begun can become resident. */
static void add_no_room(const struct gpu *g, const struct gpu_launch_info *l, struct text *out)
{
	if (l->ctas_started)
		text_addf(out, ": %" PRIu64 " of its %" PRIu64 " blocks have begun, and no core has room for the next one until one is done",
			  l->ctas_started, l->launch.n_ctas);
	else if (g->perf)
		text_add(out, " can't begin: a core runs blocks of one kernel at a time, and each core has blocks of another one");
	else
		text_add(out, " can't begin: no core has room for a block");
}

/* Adds what a launch by a thread waits for. */
static void add_child(const struct gpu *g, const struct gpu_launch_info *l, struct text *out)
{
	const uint32_t before = gpu_child_waits_for(g, l);
	if (before)
		text_addf(out, " can't begin: it waits for kernel %u", before - 1);
	else if (l->tail)
		text_addf(out, " can't begin: it waits for the end of kernel %u", l->parent - 1);
	else if (perf_slots_are_full(g))
		text_addf(out, " can't begin: %s", GPU_SLOTS_ARE_FULL);
	else
		text_add(out, " can't begin: its turn hasn't come");
}

void gpu_explain_launches(const struct gpu *g, struct text *out)
{
	uint32_t n = 0;
	for (uint32_t id = gpu_state(g)->head; id < gpu_state(g)->n_launches; id++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, id);
		const struct isa_function *f = g->program.functions[l->launch.function];
		const bool has_begun = l->state == GPU_LAUNCH_RUNNING;
		if (l->ctas_started == l->launch.n_ctas || !(has_begun || (l->state == GPU_LAUNCH_QUEUED && l->parent)) || n++ >= LAUNCHES_SHOWN)
			continue;
		text_addf(out, "\n  kernel %u %s", id, f->demangled ? f->demangled : f->name);
		if (has_begun)
			add_no_room(g, l, out);
		else
			add_child(g, l, out);
	}
	if (n > LAUNCHES_SHOWN)
		text_addf(out, "\n  and %u more kernels", n - LAUNCHES_SHOWN);
}

/* ---- all of it ---- */

/* Returns true if lanes of a spinning warp wait for others of it, which only run if the launch has independent threads. */
static bool lacks_independent_threads(const struct gpu *g, const struct exec_cta *c)
{
	for (uint32_t k = 0; k < c->n_warps; k++)
		if (other_lanes(g, &c->warp[k]))
			return !gpu_launch_at(g, c->launch)->launch.independent_threads;
	return false;
}

static bool is_stuck(const struct gpu *g, const struct exec_cta *c)
{
	for (uint32_t k = 0; k < c->n_warps; k++)
		if (c->warp[k].state == EXEC_WARP_RUNNABLE && !gpu_warp_spins(g, &c->warp[k]))
			return false;
	return true;
}

static bool any_spins(const struct gpu *g, const struct exec_cta *c)
{
	for (uint32_t k = 0; k < c->n_warps; k++)
		if (c->warp[k].state == EXEC_WARP_RUNNABLE && gpu_warp_spins(g, &c->warp[k]))
			return true;
	return false;
}

static bool is_resident(const struct gpu *g, uint32_t launch, uint64_t linear)
{
	for (uint32_t k = 0; k < gpu_state(g)->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		if (c->launch == launch && c->linear == linear)
			return true;
	}
	return false;
}

/* Adds the blocks of a cooperative grid that have exited, for which its other blocks wait in vain. */
static void add_grid_barrier(const struct gpu *g, const struct gpu_launch_info *l, struct text *out)
{
	const uint32_t *grid = l->launch.grid;
	uint64_t n = 0;
	for (uint64_t b = 0; b < l->ctas_started && l->launch.workspace; b++) {
		if (is_resident(g, l->launch.id, b) || n++ >= BLOCKS_SHOWN)
			continue;
		text_addf(out, "%s(%u,%u,%u)", n > 1 ? ", " : l->ctas_done == 1 ? "\n  grid barrier: block " : "\n  grid barrier: blocks ",
			  (uint32_t)(b % grid[0]), (uint32_t)(b / grid[0] % grid[1]), (uint32_t)(b / grid[0] / grid[1]));
	}
	if (n > BLOCKS_SHOWN)
		text_addf(out, " and %" PRIu64 " more", n - BLOCKS_SHOWN);
	if (n)
		text_addf(out, " %s exited", n == 1 ? "has" : "have");
}

void gpu_explain_deadlock(const struct gpu *g, struct gpu_event *ev)
{
	const struct gpu_state *s = gpu_state(g);
	struct text *out = &ev->text;
	uint32_t shown = 0, stuck = 0;
	bool lacks = false;
	for (uint32_t k = 0; k < s->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		if (!is_stuck(g, c))
			continue;
		stuck++;
		ev->polls |= any_spins(g, c);
		lacks |= lacks_independent_threads(g, c);
	}
	text_addf(out, "no warp of %s can go on", stuck == 1 ? "the block" : "the blocks");
	for (uint32_t k = 0; k < s->n_resident && shown < BLOCKS_SHOWN; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		if (!is_stuck(g, c))
			continue;
		add_block(g, c, out);
		shown++;
	}
	if (stuck > shown)
		text_addf(out, "\n  and %u more blocks", stuck - shown);
	for (uint32_t id = s->head; id < s->n_launches && stuck; id++)
		if (gpu_launch_at(g, id)->state == GPU_LAUNCH_RUNNING)
			add_grid_barrier(g, gpu_launch_at(g, id), out);
	if (lacks)
		text_add(out, "\n  lanes wait for lanes of their own warp, which run with -gpgpu_independent_threads 1, as on Volta and newer");
	if (ev->polls)
		gpu_explain_launches(g, out);
	gpu_explain_streams(g, out);
}
