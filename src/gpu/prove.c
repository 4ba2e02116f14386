/* The proof that a warp goes round a loop for ever, as long as nobody changes the memory it reads.
 *
 * A warp that waits (wait.h) is followed for some more rounds. Some of its registers and local memory differ from round to round: counters, clocks,
 * times to sleep. They are assumed to vary freely, and so is all that is computed from them in a round. If no branch out of the loop, address, or
 * value for memory depends on such a value, and all that doesn't vary is the same after the round as before it, the next round does the
 * same, and so does each one after it. A loop that ends by its count or by a clock has a branch that does depend on it.
 *
 * What varies is a table of lanes: for each register, predicate and word of local memory. A branch that depends on such a value, but both ways of which
 * meet again in the loop, lets everything vary that is written between. A loop that reads no memory is proven only if its whole state repeats. */
#include <string.h>

#include "base/hash.h"
#include "gpu/wait.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

#define STEPS_MOST 8192u     /* instructions in a round */
#define STEPS_BLIND 64u	     /* for each turn without a change */
#define ROUNDS_MOST 12u	     /* until nothing more is found to vary */
#define MATCHES_MOST 256u    /* times that a blind loop was at the same pc in another state */
#define SNAPSHOT_MOST (UINT64_C(1) << 19)
#define TABLE 512u	     /* entries */
#define REGION_MOST 128u     /* instructions between a branch and where its ways meet */

/* Lanes of a register, predicate or word of local memory, whose values vary. */
struct entry {
	uint64_t key;
	uint64_t lanes;
};
#define KEY_ROW UINT64_C(0)
#define KEY_PRED (UINT64_C(1) << 60)
#define KEY_LOCAL (UINT64_C(2) << 60)

struct piece {
	const void *at;
	uint64_t n;
};

static struct gpu_probe *probe_of(const struct gpu *g) { return &gpu_state(g)->probe; }
static struct exec_warp *warp_of(const struct gpu *g, const struct gpu_probe *pr) { return &gpu_cta_at(g, pr->cta_slot)->warp[pr->warp]; }
static struct entry *varying(const struct gpu *g) { return arena_at(&g->arena, g->sec_probe, 0); }
static struct entry *assumed(const struct gpu *g) { return varying(g) + TABLE; }
#define SNAPSHOT_AT (2 * TABLE * sizeof(struct entry))

static const struct exec_simt *stack_of(const struct gpu *g, const struct exec_warp *w)
{
	return arena_at(&g->arena, g->exec.sec_simt, w->simt);
}

/* ---- the state of a warp, in pieces ---- */

enum piece_kind { PIECE_FIXED, PIECE_FRAME, PIECE_LOCAL };

/* Finds the k-th piece of what the warp's next instructions depend on besides memory, and advances k. entry: the SIMT stack entry of a frame, the lane of
 * local memory. Returns false if there are no more. */
static bool next_piece(const struct gpu *g, const struct exec_warp *w, uint32_t *k, struct piece *p, enum piece_kind *kind, uint32_t *entry)
{
	const struct exec_simt *s = stack_of(g, w);
	const uint32_t *const lanes[] = {&w->carry, &w->sync_lanes, &w->barrier_lanes};
	*kind = PIECE_FIXED;
	if (*k <= 3) {
		*p = *k ? (struct piece){lanes[*k - 1], sizeof *lanes[0]} : (struct piece){s, w->n_simt * sizeof *s};
		(*k)++;
		return true;
	}
	for (uint32_t e = *k - 4; e < w->n_simt; e++) {
		if (e && s[e].frame == s[e - 1].frame)
			continue;
		*p = (struct piece){arena_at(&g->arena, g->exec.sec_frame, s[e].frame), s[e].frame_bytes};
		*k = e + 5;
		*kind = PIECE_FRAME;
		*entry = e;
		return true;
	}
	const uint32_t first = 4 + w->n_simt, lane = *k < first ? 0 : *k - first;
	if (lane >= LANES || !(w->lanes >> lane))
		return false;
	*p = (struct piece){arena_at(&g->arena, g->exec.sec_local, w->local + (uint64_t)lane * w->local_stride), s[w->n_simt - 1].local_top};
	*k = first + lane + 1;
	*kind = PIECE_LOCAL;
	*entry = lane;
	return true;
}

uint64_t gpu_warp_hash(const struct gpu *g, const struct exec_warp *w)
{
	struct piece p;
	enum piece_kind kind;
	uint64_t h = 0;
	for (uint32_t k = 0, e; next_piece(g, w, &k, &p, &kind, &e);)
		h = hash_bytes(p.at, p.n, h);
	return h;
}

static bool take_snapshot(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = probe_of(g);
	struct piece p;
	enum piece_kind kind;
	uint64_t n = SNAPSHOT_AT;
	for (uint32_t k = 0, e; next_piece(g, w, &k, &p, &kind, &e); n += p.n)
		if (n + p.n > SNAPSHOT_MOST || !arena_use(&g->arena, g->sec_probe, n + p.n))
			return false;
		else
			memcpy(arena_at(&g->arena, g->sec_probe, n), p.at, p.n);
	pr->bytes = n;
	pr->n_simt = w->n_simt;
	pr->pc = exec_simt_top(&g->exec, w)->pc;
	pr->epoch = gpu_state(g)->epoch;
	pr->has_snapshot = true;
	return true;
}

static bool equals_snapshot(const struct gpu *g, const struct exec_warp *w)
{
	struct piece p;
	enum piece_kind kind;
	uint64_t n = SNAPSHOT_AT;
	for (uint32_t k = 0, e; next_piece(g, w, &k, &p, &kind, &e); n += p.n)
		if (n + p.n > probe_of(g)->bytes || memcmp(arena_at(&g->arena, g->sec_probe, n), p.at, p.n))
			return false;
	return n == probe_of(g)->bytes;
}

/* ---- tables of what varies ---- */

static struct entry *find(struct entry *t, uint32_t n, uint64_t key)
{
	for (uint32_t k = 0; k < n; k++)
		if (t[k].key == key)
			return &t[k];
	return NULL;
}

static uint32_t lanes_of(const struct gpu *g, uint64_t key)
{
	const struct entry *e = find(varying(g), probe_of(g)->n_varying, key);
	return e ? (uint32_t)e->lanes : 0;
}

/* Sets which lanes vary. Returns false if the table is full. */
static bool set_lanes(struct gpu *g, uint64_t key, uint32_t lanes)
{
	struct gpu_probe *pr = probe_of(g);
	struct entry *e = find(varying(g), pr->n_varying, key);
	if (e) {
		e->lanes = lanes;
		return true;
	}
	if (!lanes)
		return true;
	if (pr->n_varying == TABLE)
		return false;
	varying(g)[pr->n_varying++] = (struct entry){key, lanes};
	return true;
}

static bool add_lanes(struct gpu *g, uint64_t key, uint32_t lanes) { return !lanes || set_lanes(g, key, lanes_of(g, key) | lanes); }

/* A new activation's registers are zeros. */
static void forget_frame(struct gpu *g, uint64_t frame, uint64_t bytes)
{
	struct gpu_probe *pr = probe_of(g);
	for (uint32_t k = 0; k < pr->n_varying; k++) {
		struct entry *e = &varying(g)[k];
		const uint64_t at = e->key & (KEY_PRED - 1);
		if (!(e->key & KEY_LOCAL) && at >= frame && at < frame + bytes)
			e->lanes = 0;
	}
}

/* Returns the key of a word of isa_program.rw, UINT64_MAX if it is no register. */
static uint64_t key_of(uint64_t frame, uint32_t word)
{
	if (ISA_RW_IS_PRED(word))
		return KEY_PRED | (frame + 4 * (uint64_t)ISA_RW_PRED_SLOT(word));
	return ISA_REF_BASE(word) == ISA_BASE_FRAME ? KEY_ROW | (frame + ISA_REF_OFFSET(word)) : UINT64_MAX;
}

/* ---- differences between two rounds ---- */

static uint32_t row_differs(const char *a, const char *b, uint32_t bytes)
{
	uint32_t lanes = 0;
	const uint32_t n = bytes < 8 ? bytes : 8;
	if (!memcmp(a, b, (size_t)bytes * LANES))
		return 0;
	for (unsigned l = 0; l < LANES; l++)
		if (memcmp(a + l * n, b + l * n, n) || (bytes == 16 && memcmp(a + 256 + 8 * l, b + 256 + 8 * l, 8)))
			lanes |= lanes_bit(l);
	return lanes;
}

static bool add_frame(struct gpu *g, const struct exec_simt *e, const char *now, const char *before)
{
	const struct isa_function *f = isa_program_function_at(&g->program, e->pc);
	bool ok = f != NULL;
	for (uint32_t p = 0; ok && p < f->n_preds; p++) {
		uint32_t a, b;
		memcpy(&a, now + 4 * p, 4);
		memcpy(&b, before + 4 * p, 4);
		if (p != ISA_PRED_SINK)
			ok = add_lanes(g, KEY_PRED | (e->frame + 4 * p), a ^ b);
	}
	for (uint32_t k = 0; ok && k < f->n_regs; k++) {
		const struct isa_reg *r = &f->regs[k];
		const uint32_t type = isa_type_bytes((enum isa_type)r->type), bytes = type < 2 ? 2 : type;
		for (uint32_t n = 0; ok && r->type != ISA_PRED && n < (r->count ? r->count : 1); n++) {
			const uint32_t at = ISA_REF_OFFSET(r->first) + n * bytes * LANES;
			ok = add_lanes(g, KEY_ROW | (e->frame + at), row_differs(now + at, before + at, bytes));
		}
	}
	return ok;
}

static bool add_local(struct gpu *g, uint32_t lane, const struct piece *p, const char *before)
{
	const char *now = p->at;
	bool ok = true;
	for (uint64_t at = 0; ok && at < p->n; at += 4) {
		const size_t n = p->n - at < 4 ? (size_t)(p->n - at) : 4;
		if (memcmp(now + at, before + at, n))
			ok = add_lanes(g, KEY_LOCAL | at / 4, lanes_bit(lane));
	}
	return ok;
}

/* Adds what is other than in the snapshot to what varies. Returns false if the warp isn't where it was then. */
static bool add_differences(struct gpu *g, const struct exec_warp *w)
{
	const struct exec_simt *s = stack_of(g, w);
	struct piece p;
	enum piece_kind kind;
	uint64_t n = SNAPSHOT_AT;
	for (uint32_t k = 0, e = 0; next_piece(g, w, &k, &p, &kind, &e); n += p.n) {
		const char *before = arena_at(&g->arena, g->sec_probe, n);
		if (n + p.n > probe_of(g)->bytes)
			return false;
		if (!p.n || !memcmp(before, p.at, p.n))
			continue;
		if (kind == PIECE_FIXED || (kind == PIECE_FRAME && !add_frame(g, &s[e], p.at, before)) ||
		    (kind == PIECE_LOCAL && !add_local(g, e, &p, before)))
			return false;
	}
	return n == probe_of(g)->bytes;
}

/* ---- an instruction ---- */

static const struct isa_insn *insn_of(const struct gpu *g, const struct gpu_probe *pr) { return &g->program.insns[pr->at_pc]; }

void prove_before(struct gpu *g)
{
	struct gpu_probe *pr = probe_of(g);
	const struct exec_warp *w = warp_of(g, pr);
	const struct exec_simt *top = exec_simt_top(&g->exec, w);
	const uint32_t guard = g->program.insns[top->pc].guard;
	const uint32_t preds = exec_preds(&g->exec, top->frame)[ISA_PRED_SLOT(guard)] ^ (0u - (guard >> 31));
	if (pr->in_region && top->pc == pr->region_pc && w->n_simt <= pr->region_simt)
		pr->in_region = false;
	pr->at_pc = top->pc;
	pr->at_frame = top->frame;
	pr->at_active = top->mask;
	pr->at_mask = top->mask & preds;
}

/* Lanes of what an instruction reads that vary, apart from its guard. */
static uint32_t lanes_read(const struct gpu *g, const struct gpu_probe *pr)
{
	const struct isa_where *w = &g->program.where[pr->at_pc];
	const struct isa_insn *i = insn_of(g, pr);
	uint32_t lanes = 0;
	for (uint32_t k = 0; k < w->n_reads; k++) {
		const uint32_t word = g->program.rw[w->rw + w->n_writes + k];
		if (i->guard == ISA_PRED_TRUE || word != ISA_RW_PRED(ISA_PRED_SLOT(i->guard)))
			lanes |= lanes_of(g, key_of(pr->at_frame, word));
	}
	return lanes;
}

static uint32_t lanes_guarded(const struct gpu *g, const struct gpu_probe *pr)
{
	const uint32_t guard = insn_of(g, pr)->guard;
	return guard == ISA_PRED_TRUE ? 0 : lanes_of(g, key_of(pr->at_frame, ISA_RW_PRED(ISA_PRED_SLOT(guard)))) & pr->at_active;
}

/* The instruction's results: those of `lanes` vary, those of other lanes that have executed it don't; those of lanes about whose guard nothing is known do. */
static bool write_registers(struct gpu *g, uint32_t lanes, uint32_t guarded)
{
	const struct gpu_probe *pr = probe_of(g);
	const struct isa_where *w = &g->program.where[pr->at_pc];
	bool ok = true;
	for (uint32_t k = 0; ok && k < w->n_writes; k++) {
		const uint64_t key = key_of(pr->at_frame, g->program.rw[w->rw + k]);
		uint32_t now = (lanes_of(g, key) & ~pr->at_mask) | (lanes & pr->at_mask) | guarded;
		if (pr->in_region)
			now |= pr->at_active;
		ok = key == UINT64_MAX || set_lanes(g, key, now);
	}
	return ok;
}

static bool reads_clock(const struct isa_insn *i)
{
	switch (i->handler) {
	case ISA_H_mov_clock:
	case ISA_H_mov_clock_hi:
	case ISA_H_mov_clock64:
	case ISA_H_mov_globaltimer:
	case ISA_H_mov_globaltimer_lo:
	case ISA_H_mov_globaltimer_hi:
	case ISA_H_mov_pm: return true;
	default: return false;
	}
}

static uint64_t address_of(const struct exec_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
}

static bool is_local(uint64_t address) { return address >= EXEC_LOCAL_WINDOW && address < EXEC_PARAM_WINDOW; }

/* Lanes of the words of local memory that an access reads, which vary. */
static uint32_t local_lanes(const struct gpu *g, const struct exec_access *a)
{
	uint32_t lanes = 0;
	LANES_EACH (l, a->lanes) {
		const uint64_t first = address_of(a, l) - EXEC_LOCAL_WINDOW;
		for (uint64_t at = first / 4; is_local(address_of(a, l)) && at <= (first + a->size - 1) / 4; at++)
			lanes |= lanes_of(g, KEY_LOCAL | at) & lanes_bit(l);
	}
	return lanes;
}

/* Words of local memory are written: with values that vary in `lanes`. */
static bool write_local(struct gpu *g, const struct exec_access *a, uint32_t lanes)
{
	const struct gpu_probe *pr = probe_of(g);
	bool ok = true;
	LANES_EACH (l, a->lanes) {
		const uint64_t first = address_of(a, l) - EXEC_LOCAL_WINDOW;
		for (uint64_t at = first / 4; ok && at <= (first + a->size - 1) / 4; at++) {
			const uint32_t before = lanes_of(g, KEY_LOCAL | at), bit = lanes_bit(l);
			const bool varies = (lanes | (pr->in_region ? LANES_ALL : 0) | (a->size < 4 ? before : 0)) & bit;
			ok = set_lanes(g, KEY_LOCAL | at, varies ? before | bit : before & ~bit);
		}
	}
	return ok;
}

static bool address_varies(const struct gpu *g, const struct gpu_probe *pr)
{
	const struct isa_insn *i = insn_of(g, pr);
	return i->a != ISA_REF_NONE && lanes_of(g, key_of(pr->at_frame, ISA_RW_ROW(i->a))) & pr->at_active;
}

/* Loads and stores, atomics. */
static bool accesses(struct gpu *g, uint32_t lanes, uint32_t guarded)
{
	const struct gpu_probe *pr = probe_of(g);
	const struct exec_access *a = &g->exec.effect.access;
	const struct isa_insn *i = insn_of(g, pr);
	const bool stores = i->opcode == ISA_OP_ST, atomic = isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
	if (address_varies(g, pr))
		return false;
	uint32_t local = 0;
	LANES_EACH (l, a->lanes)
		local |= is_local(address_of(a, l)) ? lanes_bit(l) : 0;
	if (!stores && !atomic)
		return (!guarded || local == a->lanes) && write_registers(g, local_lanes(g, a), guarded);
	if (stores && local == a->lanes && !guarded)
		return write_local(g, a, lanes);
	return !((lanes & pr->at_mask) | guarded | (pr->in_region ? 1u : 0u)) && (stores || write_registers(g, 0, 0));
}

/* ---- branches that varying values decide ---- */

/* The instructions that the ways of a branch execute until they meet. */
struct region {
	uint32_t pc[REGION_MOST], n;
};

static bool add_place(struct region *r, uint32_t pc, uint32_t end)
{
	if (pc == end)
		return true;
	for (uint32_t k = 0; k < r->n; k++)
		if (r->pc[k] == pc)
			return true;
	if (r->n == REGION_MOST)
		return false;
	r->pc[r->n++] = pc;
	return true;
}

/* Returns true if executing the instruction or not changes nothing but registers. */
static bool is_harmless(const struct isa_insn *i)
{
	const unsigned family = isa_opcode_info[i->opcode].family;
	if (family == ISA_FAMILY_ALU || family == ISA_FAMILY_BRANCH)
		return i->handler != ISA_H_brx_idx && !(i->flags & ISA_F_CC && family == ISA_FAMILY_ALU);
	return i->opcode == ISA_OP_NANOSLEEP || i->opcode == ISA_OP_MEMBAR || i->opcode == ISA_OP_FENCE ||
	       (i->opcode == ISA_OP_LD && (i->space == ISA_SPACE_PARAM || i->space == ISA_SPACE_CONST) && !(i->flags & ISA_F_PARAM));
}

/* A branch is decided by values that vary. Returns true if all its ways stay in the loop and change nothing but registers: which vary then. */
static bool enter_region(struct gpu *g)
{
	struct gpu_probe *pr = probe_of(g);
	const struct isa_program *p = &g->program;
	const struct isa_insn *i = insn_of(g, pr);
	struct region r = {.n = 0};
	if (pr->in_region)
		return true; /* the region around it has been looked at as a whole */
	if ((i->handler != ISA_H_bra && i->handler != ISA_H_bra_uni) || i->reconv >= p->n_insns ||
	    !add_place(&r, i->target, i->reconv) || !add_place(&r, pr->at_pc + 1, i->reconv))
		return false;
	bool ok = true;
	for (uint32_t k = 0; ok && k < r.n; k++) {
		const struct isa_insn *next = &p->insns[r.pc[k]];
		const struct isa_where *w = &p->where[r.pc[k]];
		const bool branches = isa_opcode_info[next->opcode].family == ISA_FAMILY_BRANCH;
		ok = is_harmless(next) && (!branches || add_place(&r, next->target, i->reconv)) &&
		     ((branches && next->guard == ISA_PRED_TRUE) || add_place(&r, r.pc[k] + 1, i->reconv));
		for (uint32_t n = 0; ok && n < w->n_writes; n++)
			ok = add_lanes(g, key_of(pr->at_frame, p->rw[w->rw + n]), pr->at_active);
	}
	pr->in_region = ok;
	pr->region_pc = i->reconv;
	pr->region_simt = warp_of(g, pr)->n_simt;
	return ok;
}

/* Lets what varies flow through the instruction that was executed. Returns false if the warp may do something else in another round because of it. */
static bool flow(struct gpu *g)
{
	if (!g->program.where)
		return true;
	struct gpu_probe *pr = probe_of(g);
	const struct isa_insn *i = insn_of(g, pr);
	const struct exec_warp *w = warp_of(g, pr);
	const uint32_t lanes = lanes_read(g, pr), guarded = lanes_guarded(g, pr);
	switch (isa_opcode_info[i->opcode].family) {
	case ISA_FAMILY_ALU:
		if (i->flags & ISA_F_CC && (lanes & pr->at_active || pr->in_region))
			return false;
		return write_registers(g, reads_clock(i) ? LANES_ALL : lanes, guarded);
	case ISA_FAMILY_MEM:
	case ISA_FAMILY_ATOM: return accesses(g, lanes, guarded);
	case ISA_FAMILY_BRANCH: return !((lanes | guarded) & pr->at_active) || enter_region(g);
	case ISA_FAMILY_CALL:
		if (i->handler == ISA_H_call_builtin || (lanes & pr->at_active) | guarded || pr->in_region)
			return false;
		forget_frame(g, exec_simt_top(&g->exec, w)->frame, exec_simt_top(&g->exec, w)->frame_bytes);
		return true;
	case ISA_FAMILY_EXIT: return !((lanes & pr->at_active) | guarded) && !pr->in_region;
	case ISA_FAMILY_WARP: /* lanes read each other's registers */
		if (lanes | guarded || pr->in_region)
			return i->opcode != ISA_OP_BAR && !guarded && !pr->in_region && write_registers(g, LANES_ALL, 0);
		return write_registers(g, 0, 0);
	case ISA_FAMILY_MISC:
		return i->opcode == ISA_OP_NANOSLEEP || i->opcode == ISA_OP_MEMBAR || i->opcode == ISA_OP_FENCE || !(lanes | guarded);
	default: return !(lanes | guarded);
	}
}

/* ---- rounds ---- */

void prove_begin(struct gpu *g, uint32_t slot, uint32_t warp, bool is_blind)
{
	struct gpu_probe *pr = probe_of(g);
	const struct exec_warp *w = &gpu_cta_at(g, slot)->warp[warp];
	const uint64_t steps = (uint64_t)w->idle_turns * STEPS_BLIND;
	*pr = (struct gpu_probe){.active = true, .is_blind = is_blind, .cta_slot = slot, .warp = warp,
				 .max_steps = is_blind && steps < STEPS_MOST ? (uint32_t)steps : STEPS_MOST};
	pr->active = arena_use(&g->arena, g->sec_probe, SNAPSHOT_AT) && (!is_blind || take_snapshot(g, w));
}

bool prove_is_valid(const struct gpu *g)
{
	const struct gpu_probe *pr = probe_of(g);
	return pr->n_varying <= TABLE && pr->n_assumed <= TABLE && g->arena.section[g->sec_probe].used >= SNAPSHOT_AT &&
	       pr->at_pc < g->program.n_insns;
}

static enum prove_news end(struct gpu *g, enum prove_news news)
{
	probe_of(g)->active = false;
	return news;
}

static enum prove_news blind_step(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = probe_of(g);
	if (pr->steps > pr->max_steps || gpu_state(g)->epoch != pr->epoch)
		return end(g, PROVE_FAILED);
	if (w->n_simt != pr->n_simt || exec_simt_top(&g->exec, w)->pc != pr->pc)
		return PROVE_GOES_ON;
	if (equals_snapshot(g, w))
		return end(g, PROVE_DONE);
	return ++pr->rounds < MATCHES_MOST ? PROVE_GOES_ON : end(g, PROVE_FAILED);
}

/* Returns true if all that varies after the round was assumed to when it began. */
static bool is_closed(const struct gpu *g)
{
	const struct gpu_probe *pr = probe_of(g);
	for (uint32_t k = 0; k < pr->n_varying; k++) {
		const struct entry *e = find(assumed(g), pr->n_assumed, varying(g)[k].key);
		if (varying(g)[k].lanes & ~(e ? e->lanes : 0))
			return false;
	}
	return true;
}

/* Assumes all to vary that has so far. */
static bool begin_round(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = probe_of(g);
	bool ok = true;
	for (uint32_t k = 0; ok && k < pr->n_assumed; k++)
		ok = add_lanes(g, assumed(g)[k].key, (uint32_t)assumed(g)[k].lanes);
	memcpy(assumed(g), varying(g), pr->n_varying * sizeof(struct entry));
	pr->n_assumed = pr->n_varying;
	pr->steps = 0;
	return ok && take_snapshot(g, w);
}

static enum prove_news end_round(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = probe_of(g);
	if (pr->in_region || pr->rounds++ == ROUNDS_MOST)
		return end(g, PROVE_FAILED);
	const bool knows_registers = g->program.where; /* else all of them have to repeat */
	if (pr->has_snapshot && !(knows_registers ? add_differences(g, w) : equals_snapshot(g, w)))
		return end(g, PROVE_FAILED);
	if (pr->has_snapshot && is_closed(g) && gpu_warp_waits(g, w)) {
		struct wait_record *r = wait_touch_record(g, pr->cta_slot, pr->warp);
		r->proven |= r->lanes;
		return end(g, PROVE_DONE);
	}
	return begin_round(g, w) ? PROVE_GOES_ON : end(g, PROVE_FAILED);
}

enum prove_news prove_after(struct gpu *g, bool changed)
{
	struct gpu_probe *pr = probe_of(g);
	const struct exec_warp *w = warp_of(g, pr);
	pr->steps++;
	if (changed || w->state != EXEC_WARP_RUNNABLE)
		return end(g, PROVE_FAILED);
	if (pr->is_blind)
		return blind_step(g, w);
	if (pr->steps > pr->max_steps || !flow(g))
		return end(g, PROVE_FAILED);
	switch (wait_follow(g, pr->cta_slot, pr->warp, pr->at_pc, &g->exec.effect.access)) {
	case WAIT_ROUND_DIFFERS: return end(g, PROVE_FAILED);
	case WAIT_ROUND_OVER: return end_round(g, w);
	default: return PROVE_GOES_ON;
	}
}
