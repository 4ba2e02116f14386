/* From effects to what orders, and to accesses. */
#include "check/race_watch.h"

#include "check/race_family.h"
#include "check/race_state.h"

#include <string.h>

#include "exec/tensor.h"
#include "isa/opcodes.h"

/* ---- what instructions do ---- */

static bool is_strong(const struct isa_insn *i) { return i->sem > ISA_SEM_WEAK; }

/* Returns whether an instruction loads or stores a matrix, whose pieces stand for lanes (exec_matrix_image). */
static bool moves_matrix(const struct isa_program *p, const struct isa_insn *i)
{
	if (!isa_insn_has_tensor(i))
		return false;
	const uint8_t kind = isa_tensor_of(p, i)->kind;
	return kind == ISA_TENSOR_LDMATRIX || kind == ISA_TENSOR_STMATRIX || kind == ISA_TENSOR_WMMA_LOAD || kind == ISA_TENSOR_WMMA_STORE;
}

static struct race_site site_of(const struct isa_program *p, const struct isa_insn *i)
{
	if (moves_matrix(p, i)) {
		struct exec_matrix_image m;
		exec_matrix_image(isa_tensor_of(p, i), &m);
		return (struct race_site){.size = m.size, .is_write = m.stores};
	}
	const bool is_texture = i->opcode == ISA_OP_TEX || i->opcode == ISA_OP_TLD4; /* its texels' size stands in the texture */
	const uint32_t size = is_texture ? 4 : isa_type_bytes((enum isa_type)i->type) * (i->vec ? i->vec : 1);
	const bool is_atomic = isa_op_is_atomic(i->opcode) || i->opcode == ISA_OP_SURED, strong = is_atomic || is_strong(i);
	return (struct race_site){.size = size,
				  .is_write = is_atomic || isa_op_is_store(i->opcode) || isa_op_writes_texels(i->opcode),
				  .is_atomic = is_atomic,
				  .strong = strong,
				  .is_block_scope = strong && i->scope == ISA_SCOPE_CTA};
}

static struct race_site site_at(void *self, uint32_t pc)
{
	const struct race_watch *w = self;
	return pc < w->program->n_insns ? site_of(w->program, &w->program->insns[pc]) : (struct race_site){.size = 4};
}

static struct race_signal signal_of(const struct isa_insn *i)
{
	const bool atomic = isa_op_is_atomic(i->opcode), store = isa_op_is_store(i->opcode);
	return (struct race_signal){
		.reads = !store,
		.writes = atomic || store,
		.is_atomic = atomic,
		.has_result = i->opcode == ISA_OP_ATOM && (i->vec > 1 || i->dst != ISA_REF_NONE),
		.acquires = i->sem == ISA_SEM_ACQUIRE || i->sem == ISA_SEM_ACQ_REL,
		.releases = i->sem == ISA_SEM_RELEASE || i->sem == ISA_SEM_ACQ_REL,
		.scope = i->scope == ISA_SCOPE_CTA ? RACE_SCOPE_CTA : RACE_SCOPE_GPU,
	};
}

/* ---- blocks ---- */

static uint32_t block_uid(const struct exec_launch *l, uint64_t linear)
{
	return (uint32_t)(l->first_uid + linear * l->threads_per_cta);
}

/* The block is known from its first effect on. */
static uint32_t slot_of(struct race_watch *w, const struct exec *x)
{
	const struct exec_launch *l = x->launch;
	const uint32_t slot = x->warp->cta, uid = block_uid(l, x->cta->linear);
	if (!race_now(&w->race)) /* gone back to before it was switched on */
		race_watch_forget(w);
	if (!race_has_block(&w->race, slot, l->id, uid))
		race_begin_block(&w->race, slot,
				 &(struct race_block_spec){.launch = l->id,
							   .launch_uid = (uint32_t)l->first_uid,
							   .block_uid = uid,
							   .threads = l->threads_per_cta,
							   .launch_threads = (uint32_t)l->n_threads,
							   .known = race_launch_known(&w->race, l->id)},
				 x->cta->shared);
	return slot;
}

static bool ordered(void *self, uint32_t a, uint32_t b)
{
	const struct race_watch *w = self;
	return race_family_orders(w->g, &w->host.order, a, b);
}

static bool other(void *self, uint32_t uid, uint32_t stamp, uint32_t slot, uint32_t *block)
{
	struct race_watch *w = self;
	struct gpu_launch_info l;
	const uint32_t launch = race_block(&w->race, slot)->launch;
	for (uint32_t k = gpu_launch_count(w->g); k-- > 0;) {
		if (!gpu_launch_get(w->g, k, &l))
			continue;
		const uint32_t thread = uid - (uint32_t)l.launch.first_uid;
		if (thread >= l.launch.n_threads)
			continue;
		*block = uid - thread % l.launch.threads_per_cta;
		return ordered(w, k, launch) || race_family_knows(w->g, &w->race, slot, &l, uid, stamp);
	}
	return true;
}

bool race_watch_init(struct race_watch *w, struct gpu *g)
{
	const struct exec *x = gpu_exec(g);
	w->g = g;
	w->program = gpu_program(g);
	w->race.site = site_at;
	w->race.other = other;
	w->race.ordered = ordered;
	w->race.self = w;
	w->race.warp_threads = x->warp_threads;
	w->host.race = &w->race;
	return race_host_init(&w->host, g) &&
	       race_init(&w->race, gpu_arena(g), x->limits->device_end, x->limits->shared, gpu_cta_slots_most(g));
}

void race_watch_forget(struct race_watch *w)
{
	race_forget(&w->race);
	race_host_forget(&w->host);
}

/* ---- accesses ---- */

static uint64_t address_in(const struct exec_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
}

static void addresses_in(const struct exec_access *a, uint64_t window, uint32_t lanes, uint64_t address[LANES])
{
	LANES_EACH (l, lanes)
		address[l] = address_in(a, l) - window;
}

static bool is_whole(uint32_t half) { return !half || half == 0xffffu; }

/* The halves of the warp that do something at all each access one word or vector after the other. */
static bool in_rows(const struct exec_access *e, uint32_t lanes, uint32_t size)
{
	return e->in_halves && e->step == size && size >= 4 && is_whole(lanes & 0xffffu) && is_whole(lanes >> 16);
}

/* The bytes of a store that go to a word, as far as they lie there already. */
static bool writes_what_is_there(const struct exec *x, const struct isa_insn *i, unsigned lane, uint64_t start,
				 uint64_t word)
{
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type), element = (uint32_t)((word - start) / bytes);
	const uint64_t at = start + (uint64_t)element * bytes;
	const char *there = exec_peek(x, x->cta, x->warp->index, lane, at, bytes);
	const char *stored = race_stored(x, i, lane, element);
	return there && stored && !memcmp(there, stored, bytes);
}

static bool report(struct race_watch *w, const struct exec *x, const struct race_access *a, const struct race_found *f,
		   uint32_t lanes)
{
	const struct isa_insn *i = &x->program->insns[a->pc];
	struct race_report r = {.x = x, .access = a, .found = f, .lanes = lanes};
	const uint64_t window = a->shared ? EXEC_SHARED_WINDOW : 0;
	r.both_write = a->site.is_write && f->other.is_write && !a->site.is_atomic && !f->other.is_atomic;
	r.same_value =
		r.both_write && !moves_matrix(x->program, i) && writes_what_is_there(x, i, f->lane, a->address[f->lane] + window, f->address + window);
	return w->report && w->report(w->self, &r);
}

#define TAKEN LANES

/* Lanes that race with the instruction that this one does; 0: they have been taken. */
static uint32_t take_same(struct race_found *f, uint32_t from, uint32_t n)
{
	uint32_t lanes = 0;
	for (uint32_t k = from; k < n && f[from].lane != TAKEN; k++) {
		if (f[k].pc != f[from].pc || f[k].lane == TAKEN)
			continue;
		lanes |= lanes_bit(f[k].lane);
		f[k].lane = k == from ? f[k].lane : TAKEN;
	}
	return lanes;
}

/* Lanes of this very store that write different values to one place. */
static bool among_themselves(struct race_watch *w, const struct exec *x, const struct exec_access *e,
			     const struct race_access *a)
{
	unsigned first[LANES];
	const uint32_t differ = race_lanes_differ(x, e, a, first);
	if (!differ || !w->report)
		return false;
	const unsigned lane = lanes_first(differ);
	const struct race_found found = {
		.lane = lane,
		.address = a->address[lane],
		.uid = (uint32_t)(block_uid(x->launch, x->cta->linear) + exec_thread_of(x, x->warp->index, first[lane])),
		.pc = a->pc,
		.other = a->site};
	return w->report(w->self, &(struct race_report){
					  .x = x, .access = a, .found = &found, .lanes = differ, .both_write = true});
}

/* One of those lanes that read the same, where they go together: what it may read all may. */
static uint32_t different(const struct race_watch *w, const struct exec *x, const struct exec_access *e, uint32_t slot,
			  uint32_t lanes)
{
	const uint32_t low = lanes & 0xffffu, high = lanes & ~0xffffu;
	if (!e->in_halves || e->is_write || !race_is_whole(&w->race, slot, x->warp->index))
		return lanes;
	const bool same = e->start[0] == e->start[1];
	if (!e->step)
		return (low & -low) | (same && low ? 0 : high & -high);
	return same ? low | (high & ~(low << 16)) : lanes;
}

/* ---- what the host has done ---- */

static bool is_near(struct race_watch *w, const struct exec *x, const struct race_access *a)
{
	uint64_t low = UINT64_MAX, last = 0;
	LANES_EACH (l, a->lanes) {
		low = a->address[l] < low ? a->address[l] : low;
		last = a->address[l] > last ? a->address[l] : last;
	}
	return race_host_near(&w->host, x->launch->id, low, last + a->site.size);
}

/* Lanes that race with the same copy or fill are told of together. */
static bool against_host(struct race_watch *w, const struct exec *x, const struct race_access *a)
{
	const struct race_host_access *host[LANES] = {NULL};
	uint32_t left = 0;
	bool stop = false;
	if (!is_near(w, x, a))
		return false;
	LANES_EACH (l, a->lanes) {
		host[l] = race_host_look(&w->host, x->launch->id, &a->site, a->address[l]);
		left |= host[l] ? lanes_bit(l) : 0;
	}
	while (left && w->report_host) {
		struct race_host_report r = {.x = x, .access = a, .lane = lanes_first(left)};
		r.host = host[r.lane];
		LANES_EACH (l, left)
			r.lanes |= host[l] == r.host ? lanes_bit(l) : 0;
		left &= ~r.lanes;
		stop = w->report_host(w->self, &r) || stop;
	}
	return stop;
}

/* Lanes whose addresses are in one space. */
static bool access_in(struct race_watch *w, const struct exec *x, const struct exec_access *e, uint32_t slot,
		      uint32_t lanes, bool shared)
{
	const uint64_t window = shared ? EXEC_SHARED_WINDOW : 0;
	uint64_t address[LANES];
	struct race_found found[RACE_FOUND_MAX];
	struct race_access a = {.slot = slot,
				.warp = x->warp->index,
				.lanes = lanes,
				.pc = x->pc,
				.site = site_of(x->program, &x->program->insns[x->pc]),
				.shared = shared,
				.address = address};
	bool stop = false;
	a.lanes = different(w, x, e, slot, lanes);
	a.in_rows = in_rows(e, a.lanes, a.site.size);
	addresses_in(e, window, a.in_rows ? a.lanes & 0x10001u : a.lanes, address);
	uint32_t n = race_access(&w->race, &a, found);
	if (n)
		addresses_in(e, window, lanes, address);
	if (n && a.lanes != lanes) { /* all of them */
		a.lanes = lanes;
		n = race_access(&w->race, &a, found);
	}
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t same = take_same(found, k, n);
		stop = (same && report(w, x, &a, &found[k], same)) || stop;
	}
	if (a.site.is_write && !a.site.strong && !moves_matrix(x->program, &x->program->insns[x->pc])) {
		addresses_in(e, window, lanes, address);
		stop = among_themselves(w, x, e, &a) || stop;
	}
	if (!shared && race_host_any(&w->host)) {
		addresses_in(e, window, lanes, address);
		a.lanes = lanes;
		stop = against_host(w, x, &a) || stop;
	}
	return stop;
}

static bool is_shared(uint64_t address) { return address >= EXEC_SHARED_WINDOW && address < EXEC_LOCAL_WINDOW; }
static bool is_global(uint64_t address) { return address >= EXEC_MODULE_GLOBALS; }

static void spaces_of(const struct exec_access *e, uint32_t *global, uint32_t *shared)
{
	*global = *shared = 0;
	if (e->space == ISA_SPACE_GLOBAL)
		*global = e->lanes;
	else if (e->space == ISA_SPACE_SHARED)
		*shared = e->lanes;
	LANES_EACH (l, e->space == ISA_SPACE_GENERIC ? e->lanes : 0) {
		*global |= is_global(address_in(e, l)) ? lanes_bit(l) : 0;
		*shared |= is_shared(address_in(e, l)) ? lanes_bit(l) : 0;
	}
}

static bool is_judged(const struct exec *x)
{
	const struct isa_insn *i = &x->program->insns[x->pc];
	return isa_op_accesses_memory(i->opcode) || isa_op_reads_texels(i->opcode) || isa_op_writes_texels(i->opcode) || moves_matrix(x->program, i);
}

bool race_before(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct race_watch *w = self;
	uint32_t global, shared;
	bool stop = false;
	w->opened = false;
	if (e->kind != EXEC_EFFECT_ACCESS || !is_judged(x))
		return false;
	spaces_of(&e->access, &global, &shared);
	if (!(global | shared))
		return false;
	const uint32_t slot = slot_of(w, x);
	if (global)
		stop = access_in(w, x, &e->access, slot, global, false);
	if (shared)
		stop = access_in(w, x, &e->access, slot, shared, true) || stop;
	return stop;
}

/* ---- what orders ---- */

static void signals(struct race_watch *w, const struct exec *x, const struct exec_effect *e)
{
	const struct isa_insn *i = &x->program->insns[x->pc];
	struct race_signal s = signal_of(i);
	uint32_t global, shared;
	s.pc = x->pc;
	if (!is_strong(i) && !s.is_atomic)
		return;
	spaces_of(&e->access, &global, &shared);
	const uint32_t slot = global | shared ? slot_of(w, x) : 0;
	if (s.writes && global | shared)
		race_tick(&w->race); /* tells what was before the write from what follows */
	LANES_EACH (l, global | shared)
		race_signal(&w->race, slot, x->warp->index, l, shared >> l & 1,
			    address_in(&e->access, l) - (shared >> l & 1 ? EXEC_SHARED_WINDOW : 0), &s);
}

static uint32_t live_lanes(const struct exec_warp *w) { return w->lanes & ~w->exited; }

/* Which lanes go on together: those of an entry of the SIMT stack. NULL: all that the warp has. */
static const uint32_t *groups_of(const struct exec *x, const struct exec_warp *w, uint32_t group[LANES])
{
	const uint32_t live = live_lanes(w);
	uint32_t above = 0;
	if (!w->n_simt || exec_simt_top(x, w)->mask == live)
		return NULL;
	for (uint32_t k = 0; k < w->n_simt; k++) {
		const struct exec_simt *e = exec_simt_top(x, w) - k;
		LANES_EACH (l, e->mask & ~above)
			group[l] = e->mask & ~above;
		above |= e->mask;
	}
	return group;
}

static void met(struct race_watch *w, const struct exec *x, const struct exec_effect *e)
{
	const uint32_t slot = slot_of(w, x), live = live_lanes(x->warp);
	uint32_t group[LANES] = {0};
	const uint32_t *groups = groups_of(x, x->warp, group);
	for (uint32_t rest = e->lanes; rest;) {
		const uint32_t members = (e->members[lanes_first(rest)] & live) | lanes_bit(lanes_first(rest));
		race_join(&w->race, slot, x->warp->index, members, live, groups);
		rest &= ~members;
	}
}

static void opened(struct race_watch *w, const struct exec *x, const struct exec_effect *e)
{
	const uint32_t slot = slot_of(w, x);
	const uint64_t warps = UINT64_MAX >> (64 - x->cta->n_warps);
	w->opened = true;
	race_open(&w->race, slot, e->barrier.id, e->barrier.warps | UINT64_C(1) << x->warp->index, e->barrier.warps,
		  !e->barrier.count, warps);
	WARPS_EACH (k, e->barrier.warps) {
		const struct exec_warp *other = &x->cta->warp[k];
		uint32_t group[LANES] = {0};
		race_go_on(&w->race, slot, k, live_lanes(other), groups_of(x, other, group));
	}
}

static void came(struct race_watch *w, const struct exec *x, const struct exec_effect *e)
{
	const uint32_t slot = slot_of(w, x);
	uint32_t group[LANES] = {0};
	if (w->opened)
		race_go_on(&w->race, slot, x->warp->index, live_lanes(x->warp), groups_of(x, x->warp, group));
	else if (e->barrier.arrived)
		race_come(&w->race, slot, x->warp->index, e->barrier.id);
	w->opened = false;
}

void race_watch_launched(struct race_watch *w, const struct exec *x, unsigned lane)
{
	race_launched(&w->race, slot_of(w, x), x->warp->index, lane, gpu_launch_count(w->g) - 1);
}

void race_watch_waited(struct race_watch *w, const struct exec *x) { race_waited(&w->race, slot_of(w, x)); }

void race_after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct race_watch *w = self;
	switch (e->kind) {
	case EXEC_EFFECT_ACCESS:
		if (e->access.lanes && is_judged(x))
			signals(w, x, e);
		break;
	case EXEC_EFFECT_BARRIER: came(w, x, e); break;
	case EXEC_EFFECT_OPEN: opened(w, x, e); break;
	case EXEC_EFFECT_FLOW:
		if (e->flow.n > 1)
			race_split(&w->race, slot_of(w, x), x->warp->index, e->flow.n, e->flow.lanes);
		break;
	case EXEC_EFFECT_SYNC: met(w, x, e); break;
	case EXEC_EFFECT_FENCE:
		if (!e->fence.proxy)
			race_fence(&w->race, slot_of(w, x), x->warp->index, e->lanes,
				   e->fence.scope == ISA_SCOPE_CTA ? RACE_SCOPE_CTA : RACE_SCOPE_GPU);
		break;
	default: break;
	}
}
