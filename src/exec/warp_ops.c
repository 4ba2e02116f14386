/* Instructions that exchange values between the lanes of a warp: shfl, vote, match, redux, activemask, elect.
 *
 * In the .sync forms lanes wait for the lanes that their membermask names (warp_sync.h), and a handler here executes all of them at once. The old forms work
 * on the lanes that execute together: a vote doesn't count the warp's other lanes, a shuffle reads what their register holds. The same holds for exited
 * lanes. Lanes of one instruction may have different membermasks, as tiles of cooperative groups have; each lane sees those of its own membermask. */
#include <math.h>

#include "exec/internal.h"
#include "exec/shuffle.h"
#include "exec/warp_sync.h"

/* A handler whose body is executed when all lanes it is about are there. */
#define SYNC_HANDLER(name) \
	static void sync_##name(struct exec *x, const struct isa_insn *i); \
	EXEC_HANDLER(name) \
	{ \
		if (__builtin_expect(warp_is_whole(x), 1)) \
			sync_##name(x, i); \
		else \
			warp_sync_meet(x, i, sync_##name); \
	} \
	static void sync_##name(struct exec *x, const struct isa_insn *i)

static uint32_t members(const struct exec *x, const struct isa_insn *i, unsigned lane)
{
	return i->d == ISA_REF_NONE ? x->mask : exec_src32(x, i->d)[lane] & x->mask;
}

static void merge32(struct exec *x, uint32_t ref, const uint32_t *value)
{
	if (ref == ISA_REF_NONE)
		return;
	uint32_t *dst = exec_dst32(x, ref);
	if (x->mask == LANES_ALL) {
		memcpy(dst, value, LANES * sizeof *dst);
		return;
	}
	LANES_EACH (lane, x->mask)
		dst[lane] = value[lane];
}

/* ---- shfl ---- */

struct shuffle {
	uint32_t from[LANES]; /* source lane of each lane */
	uint32_t in_range;
};

static void shuffle_finish(struct exec *x, const struct isa_insn *i, const struct shuffle *s)
{
	const uint32_t *a = exec_src32(x, i->a);
	uint32_t out[LANES];
	for (unsigned l = 0; l < LANES; l++)
		out[l] = a[s->from[l]];
	merge32(x, i->dst, out);
	if (i->dst2 != ISA_PRED_NONE)
		exec_pred_write(x, i->dst2, s->in_range);
}

#define SHUFFLE(name) \
	SYNC_HANDLER(name) \
	{ \
		const uint32_t *b = exec_src32(x, i->b), *c = exec_src32(x, i->c); \
		const uint32_t threads = x->warp_threads; \
		struct shuffle s = {.in_range = 0}; \
		for (unsigned lane = 0; lane < LANES; lane++) { \
			bool in; \
			s.from[lane] = exec_shuffle_source(ISA_H_##name, lane, b[lane], c[lane], threads, &in); \
			s.in_range |= (uint32_t)in << lane; \
		} \
		shuffle_finish(x, i, &s); \
	}
SHUFFLE(shfl_sync_up_b32)
SHUFFLE(shfl_sync_down_b32)
SHUFFLE(shfl_sync_bfly_b32)
SHUFFLE(shfl_sync_idx_b32)

/* ---- vote ---- */

static uint32_t vote_source(const struct exec *x, const struct isa_insn *i) { return exec_pred(x, i->a) & x->mask; }

#define VOTE(name, result) \
	SYNC_HANDLER(name) \
	{ \
		uint32_t yes = vote_source(x, i), out = 0; \
		LANES_EACH (lane, x->mask) { \
			uint32_t m = members(x, i, lane); \
			out |= (result) ? lanes_bit(lane) : 0; \
		} \
		exec_pred_write(x, i->dst, out); \
	}
VOTE(vote_sync_all_pred, (yes & m) == m)
VOTE(vote_sync_any_pred, (yes & m) != 0)
VOTE(vote_sync_uni_pred, (yes & m) == m || !(yes & m))

SYNC_HANDLER(vote_sync_ballot_b32)
{
	uint32_t yes = vote_source(x, i), out[LANES] = {0};
	LANES_EACH (lane, x->mask)
		out[lane] = yes & members(x, i, lane);
	merge32(x, i->dst, out);
}

/* ---- match ---- */

/* Lanes of `among` whose value equals that of `lane`. */
static uint32_t same_value(const struct exec *x, const struct isa_insn *i, bool wide, unsigned lane, uint32_t among)
{
	uint32_t same = 0;
	LANES_EACH (other, among) {
		bool equal = wide ? exec_src64(x, i->a)[other] == exec_src64(x, i->a)[lane]
				  : exec_src32(x, i->a)[other] == exec_src32(x, i->a)[lane];
		same |= equal ? lanes_bit(other) : 0;
	}
	return same;
}

/* The membermask operand of match is its last source: b, unless lowering put it with the others in d. */
static uint32_t match_members(const struct exec *x, const struct isa_insn *i, unsigned lane)
{
	if (i->d != ISA_REF_NONE || i->b == ISA_REF_NONE)
		return members(x, i, lane);
	return exec_src32(x, i->b)[lane] & x->mask;
}

static void match(struct exec *x, const struct isa_insn *i, bool wide, bool all)
{
	uint32_t out[LANES] = {0}, matched = 0;
	LANES_EACH (lane, x->mask) {
		uint32_t m = match_members(x, i, lane), same = same_value(x, i, wide, lane, m);
		bool agree = same == m;
		matched |= agree ? lanes_bit(lane) : 0;
		out[lane] = !all || agree ? same : 0;
	}
	merge32(x, i->dst, out);
	if (all && i->dst2 != ISA_PRED_NONE)
		exec_pred_write(x, i->dst2, matched);
}

SYNC_HANDLER(match_any_sync_b32) { match(x, i, false, false); }
SYNC_HANDLER(match_any_sync_b64) { match(x, i, true, false); }
SYNC_HANDLER(match_all_sync_b32) { match(x, i, false, true); }
SYNC_HANDLER(match_all_sync_b64) { match(x, i, true, true); }

/* ---- redux ---- */

/* NaN is left out unless .NaN asks for it; zeros are ordered -0 < +0. */
static float redux_float(float p, float q, bool max, bool keep_nan)
{
	if (isnan(p) || isnan(q)) {
		if (keep_nan || (isnan(p) && isnan(q)))
			return __builtin_nanf("");
		return isnan(p) ? q : p;
	}
	if (p == q)
		return signbit(p) == (max ? 0 : 1) ? p : q;
	return (p > q) == max ? p : q;
}

static uint32_t redux_f32(uint32_t a, uint32_t b, const struct isa_insn *i)
{
	float p, q;
	memcpy(&p, &a, sizeof p);
	memcpy(&q, &b, sizeof q);
	float r = redux_float(p, q, i->atom == ISA_ATOM_MAX, (i->flags & ISA_F_NAN) != 0);
	uint32_t bits;
	memcpy(&bits, &r, sizeof bits);
	return isnan(r) ? 0x7fffffffu : bits;
}

static uint32_t redux_two(uint32_t a, uint32_t b, const struct isa_insn *i)
{
	bool max = i->atom == ISA_ATOM_MAX;
	switch (i->atom) {
	case ISA_ATOM_AND: return a & b;
	case ISA_ATOM_OR: return a | b;
	case ISA_ATOM_XOR: return a ^ b;
	case ISA_ATOM_ADD: return a + b;
	default: break;
	}
	if (i->type == ISA_F32)
		return redux_f32(a, b, i);
	if (i->type == ISA_S32)
		return ((int32_t)a > (int32_t)b) == max ? a : b;
	return (a > b) == max ? a : b;
}

SYNC_HANDLER(redux)
{
	const uint32_t *a = exec_src32(x, i->a);
	uint32_t clear = i->flags & ISA_F_ABS ? 0x7fffffffu : LANES_ALL, out[LANES];
	bool is_float = i->type == ISA_F32;
	uint32_t done = 0;
	LANES_EACH (lane, x->mask) {
		if (done & lanes_bit(lane))
			continue;
		uint32_t m = members(x, i, lane) | lanes_bit(lane);
		uint32_t r = a[lane] & clear;
		if (is_float)
			r = redux_f32(r, r, i);
		LANES_EACH (other, m & ~lanes_bit(lane))
			r = redux_two(r, a[other] & clear, i);
		/* lanes with the same membermask have the same result */
		LANES_EACH (same, x->mask) {
			if ((members(x, i, same) | lanes_bit(same)) == m) {
				out[same] = r;
				done |= lanes_bit(same);
			}
		}
	}
	merge32(x, i->dst, out);
}

/* ---- activemask ---- */

EXEC_HANDLER(activemask)
{
	uint32_t out[LANES];
	for (unsigned l = 0; l < LANES; l++)
		out[l] = x->mask;
	merge32(x, i->dst, out);
}

/* The leader is the lowest member, as hardware chooses. */
SYNC_HANDLER(elect)
{
	uint32_t out[LANES] = {0}, leaders = 0;
	LANES_EACH (lane, x->mask) {
		uint32_t m = members(x, i, lane) | lanes_bit(lane);
		out[lane] = lanes_first(m);
		leaders |= lanes_first(m) == lane ? lanes_bit(lane) : 0;
	}
	merge32(x, i->dst, out);
	if (i->dst2 != ISA_PRED_NONE)
		exec_pred_write(x, i->dst2, leaders);
}

/* ---- bar.warp.sync ---- */

/* Memory is the same for all lanes at any time: being together is all there is to it. */
SYNC_HANDLER(bar_warp_sync)
{
	(void)x;
	(void)i;
}
