/* shfl, vote, match, redux, activemask, elect against the ISA's per-lane definitions on random operands. */
#include "mem_machine.h"

#include <math.h>

static uint64_t seed = 12345;
static uint32_t rnd(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 32);
}

static const uint32_t masks[] = {0xffffffff, 0x0000ffff, 0x80000001, 0x5a5a5a5a, 0x00000010};
#define N_MASKS (sizeof masks / sizeof masks[0])

static struct isa_insn insn(enum isa_handler h)
{
	return (struct isa_insn){.handler = (uint16_t)h,
				 .dst = ROW_REF(0),
				 .dst2 = 5,
				 .a = ROW_REF(1),
				 .b = ROW_REF(2),
				 .c = ROW_REF(3),
				 .d = ROW_REF(4),
				 .dst_bytes = 4,
				 .a_bytes = 4,
				 .vec = 1};
}

static void fill_rows(struct machine *m)
{
	for (unsigned k = 0; k < 5; k++)
		for (unsigned l = 0; l < 64; l++)
			((uint32_t *)machine_row(m, k))[l] = rnd();
	m->x.preds[5] = m->x.preds[6] = rnd();
}

static void execute(struct machine *m, const struct isa_insn *i, uint32_t mask)
{
	m->x.mask = m->x.active = mask;
	m->x.warp->lanes = mask; /* nobody else is there to be waited for */
	m->x.event = 0;
	m->x.handlers[i->handler](&m->x, i);
	assert_int_equal(m->x.event, 0);
}

/* ---- shfl: PTX ISA "shfl.sync", Semantics ---- */

static bool shfl_source(int mode, int lane, uint32_t b, uint32_t c, int *j)
{
	int bval = b & 0x1f, cval = c & 0x1f, mask = (c >> 8) & 0x1f;
	int max_lane = (lane & mask) | (cval & ~mask & 0x1f), min_lane = lane & mask;
	bool p;
	switch (mode) {
	case 0:
		*j = lane - bval;
		p = *j >= max_lane;
		break;
	case 1:
		*j = lane + bval;
		p = *j <= max_lane;
		break;
	case 2:
		*j = lane ^ bval;
		p = *j <= max_lane;
		break;
	default: *j = min_lane | (bval & ~mask & 0x1f); p = *j <= max_lane;
	}
	if (!p)
		*j = lane;
	return p;
}

static void shuffles(void **state)
{
	(void)state;
	static const enum isa_handler h[4] = {ISA_H_shfl_sync_up_b32, ISA_H_shfl_sync_down_b32,
					      ISA_H_shfl_sync_bfly_b32, ISA_H_shfl_sync_idx_b32};
	static const uint32_t clamps[] = {0, 0x1f, 0x181f, 0x1c1f, 0x1e1f, 0x1800, 0x0c07};
	struct machine *m = machine_create(NULL);
	for (unsigned n = 0; n < 2000; n++) {
		int mode = (int)(n % 4);
		uint32_t mask = masks[n / 4 % N_MASKS], old[LANES], p_old, uniform = rnd();
		fill_rows(m);
		uint32_t *d = machine_row(m, 0), *a = machine_row(m, 1), *b = machine_row(m, 2), *c = machine_row(m, 3);
		for (unsigned l = 0; l < LANES; l++) {
			c[l] = clamps[n % 7];
			if (n & 64)
				b[l] = uniform;
			if (n & 128)
				c[l] = rnd();
		}
		memcpy(old, d, sizeof old);
		p_old = m->x.preds[5];
		struct isa_insn i = insn(h[mode]);
		execute(m, &i, mask);
		for (unsigned l = 0; l < LANES; l++) {
			int j;
			bool p = shfl_source(mode, (int)l, b[l], c[l], &j);
			bool runs = mask >> l & 1;
			assert_int_equal(d[l], runs ? a[j] : old[l]);
			assert_int_equal(m->x.preds[5] >> l & 1, runs ? p : p_old >> l & 1);
		}
	}
	machine_free_all(m);
}

/* destination and source may be the same register */
static void shuffle_in_place(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	uint32_t *a = machine_row(m, 1), *b = machine_row(m, 2), *c = machine_row(m, 3);
	for (unsigned l = 0; l < LANES; l++) {
		a[l] = l;
		b[l] = 1;
		c[l] = 0x1f;
	}
	struct isa_insn i = insn(ISA_H_shfl_sync_bfly_b32);
	i.dst = i.a;
	execute(m, &i, LANES_ALL);
	for (unsigned l = 0; l < LANES; l++)
		assert_int_equal(a[l], l ^ 1);
	machine_free_all(m);
}

/* ---- vote ---- */

static void votes(void **state)
{
	(void)state;
	static const uint32_t sources[] = {0, 0xffffffff, 0x0000ffff, 0x00000001, 0x5a5a5a5a};
	struct machine *m = machine_create(NULL);
	for (unsigned n = 0; n < 500; n++) {
		uint32_t mask = masks[n % N_MASKS], source = n & 1 ? rnd() : sources[n / 2 % 5];
		fill_rows(m);
		uint32_t *d = machine_row(m, 0), *members = machine_row(m, 4);
		for (unsigned l = 0; l < LANES; l++)
			members[l] = n & 4 ? LANES_ALL : l < 16 ? 0xffff : 0xffff0000;
		bool negated = n & 8;
		static const enum isa_handler h[] = {ISA_H_vote_sync_all_pred, ISA_H_vote_sync_any_pred,
						     ISA_H_vote_sync_uni_pred};
		for (unsigned mode = 0; mode < 3; mode++) {
			struct isa_insn i = insn(h[mode]);
			m->x.preds[6] = source;
			i.a = negated ? 6 | ISA_PRED_NOT : 6;
			i.dst = 5;
			uint32_t before = m->x.preds[5];
			execute(m, &i, mask);
			for (unsigned l = 0; l < LANES; l++) {
				unsigned yes = 0, all = 0;
				for (unsigned o = 0; o < LANES; o++)
					if (mask >> o & 1 && members[l] >> o & 1) {
						all++;
						yes += ((source >> o & 1) != 0) != negated;
					}
				bool want = mode == 0 ? yes == all : mode == 1 ? yes != 0 : yes == 0 || yes == all;
				assert_int_equal(m->x.preds[5] >> l & 1, mask >> l & 1 ? want : before >> l & 1);
			}
		}
		struct isa_insn i = insn(ISA_H_vote_sync_ballot_b32);
		i.a = negated ? 6 | ISA_PRED_NOT : 6;
		execute(m, &i, mask);
		LANES_EACH (l, mask)
			assert_int_equal(d[l], (negated ? ~source : source) & mask & members[l]);
	}
	machine_free_all(m);
}

/* ---- match ---- */

static void matches(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	for (unsigned n = 0; n < 600; n++) {
		uint32_t mask = masks[n % N_MASKS];
		bool wide = n & 1, all = n & 2;
		fill_rows(m);
		uint32_t *d = machine_row(m, 0), *a = machine_row(m, 1), *members = machine_row(m, 4);
		uint64_t *a64 = machine_row(m, 1), value[LANES];
		for (unsigned l = 0; l < LANES; l++) {
			members[l] = n & 4 ? LANES_ALL : 0xff00ff00;
			value[l] = n & 8 ? 7 : (rnd() & 3) | (uint64_t)(wide ? rnd() & 1 : 0) << 40;
			if (!(members[l] >> l & 1))
				value[l] = 99;
		}
		for (unsigned l = 0; l < LANES; l++)
			wide ? (void)(a64[l] = value[l]) : (void)(a[l] = (uint32_t)value[l]);
		static const enum isa_handler h[] = {ISA_H_match_any_sync_b32, ISA_H_match_any_sync_b64,
						     ISA_H_match_all_sync_b32, ISA_H_match_all_sync_b64};
		struct isa_insn i = insn(h[wide + 2 * all]);
		m->x.preds[5] = 0x33333333;
		execute(m, &i, mask & members[0]);
		LANES_EACH (l, mask & members[0]) {
			uint32_t among = members[l] & mask, same = 0;
			LANES_EACH (o, among)
				same |= value[o] == value[l] ? 1u << o : 0;
			assert_int_equal(d[l], !all || same == among ? same : 0);
			if (all)
				assert_int_equal(m->x.preds[5] >> l & 1, same == among);
		}
		assert_int_equal(m->x.preds[5] & ~(mask & members[0]), 0x33333333 & ~(mask & members[0]));
	}
	machine_free_all(m);
}

/* ---- redux ---- */

static void integer_reductions(void **state)
{
	(void)state;
	static const struct {
		enum isa_atom op;
		enum isa_type type;
	} forms[] = {{ISA_ATOM_ADD, ISA_U32}, {ISA_ATOM_ADD, ISA_S32}, {ISA_ATOM_MIN, ISA_U32},
		     {ISA_ATOM_MIN, ISA_S32}, {ISA_ATOM_MAX, ISA_U32}, {ISA_ATOM_MAX, ISA_S32},
		     {ISA_ATOM_AND, ISA_B32}, {ISA_ATOM_OR, ISA_B32},  {ISA_ATOM_XOR, ISA_B32}};
	struct machine *m = machine_create(NULL);
	for (unsigned n = 0; n < 900; n++) {
		uint32_t mask = masks[n / 9 % N_MASKS];
		fill_rows(m);
		uint32_t *d = machine_row(m, 0), *a = machine_row(m, 1), *members = machine_row(m, 4);
		for (unsigned l = 0; l < LANES; l++)
			members[l] = n & 1 ? LANES_ALL : l < 8 ? 0xff : 0xffffff00;
		struct isa_insn i = insn(ISA_H_redux);
		i.atom = (uint8_t)forms[n % 9].op;
		i.type = (uint8_t)forms[n % 9].type;
		execute(m, &i, mask);
		LANES_EACH (l, mask) {
			uint32_t sum = 0, u_min = UINT32_MAX, u_max = 0, and = UINT32_MAX, or = 0, xor = 0;
			int32_t s_min = INT32_MAX, s_max = INT32_MIN;
			LANES_EACH (o, mask & members[l]) {
				sum += a[o];
				u_min = a[o] < u_min ? a[o] : u_min;
				u_max = a[o] > u_max ? a[o] : u_max;
				s_min = (int32_t)a[o] < s_min ? (int32_t)a[o] : s_min;
				s_max = (int32_t)a[o] > s_max ? (int32_t)a[o] : s_max;
				and &= a[o];
				or |= a[o];
				xor ^= a[o];
			}
			const uint32_t want[] = {sum, sum, u_min, (uint32_t)s_min, u_max, (uint32_t)s_max,
						 and, or,  xor};
			assert_int_equal(d[l], want[n % 9]);
		}
	}
	machine_free_all(m);
}

static uint32_t bits_of(float f)
{
	uint32_t b;
	memcpy(&b, &f, 4);
	return b;
}

static uint32_t reduce_floats(const float *v, unsigned n, enum isa_atom op, unsigned flags)
{
	struct machine *m = machine_create(NULL);
	uint32_t *d = machine_row(m, 0), *members = machine_row(m, 4);
	float *a = machine_row(m, 1);
	for (unsigned l = 0; l < LANES; l++) {
		a[l] = v[l % n];
		members[l] = LANES_ALL;
	}
	struct isa_insn i = insn(ISA_H_redux);
	i.atom = (uint8_t)op;
	i.type = ISA_F32;
	i.flags = (uint16_t)flags;
	execute(m, &i, LANES_ALL);
	uint32_t r = d[0];
	for (unsigned l = 1; l < LANES; l++)
		assert_int_equal(d[l], r);
	machine_free_all(m);
	return r;
}

/* PTX ISA "redux.sync": +0 > -0; without .NaN NaNs are left out, all NaN gives the canonical one; .abs first */
static void float_reductions(void **state)
{
	(void)state;
	static const float zeros[] = {0.0f, -0.0f}, mixed[] = {1.0f, -7.0f, NAN, 3.0f}, nans[] = {NAN};
	assert_int_equal(reduce_floats(zeros, 2, ISA_ATOM_MIN, 0), bits_of(-0.0f));
	assert_int_equal(reduce_floats(zeros, 2, ISA_ATOM_MAX, 0), bits_of(0.0f));
	assert_int_equal(reduce_floats(mixed, 4, ISA_ATOM_MIN, 0), bits_of(-7.0f));
	assert_int_equal(reduce_floats(mixed, 4, ISA_ATOM_MAX, 0), bits_of(3.0f));
	assert_int_equal(reduce_floats(mixed, 4, ISA_ATOM_MAX, ISA_F_ABS), bits_of(7.0f));
	assert_int_equal(reduce_floats(mixed, 4, ISA_ATOM_MIN, ISA_F_ABS), bits_of(1.0f));
	assert_int_equal(reduce_floats(mixed, 4, ISA_ATOM_MIN, ISA_F_NAN), 0x7fffffff);
	assert_int_equal(reduce_floats(nans, 1, ISA_ATOM_MAX, 0), 0x7fffffff);
}

/* ---- who is here ---- */

static void leaders(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	for (unsigned n = 0; n < N_MASKS; n++) {
		uint32_t *d = machine_row(m, 0), *members = machine_row(m, 4);
		for (unsigned l = 0; l < LANES; l++)
			members[l] = LANES_ALL;
		struct isa_insn i = insn(ISA_H_elect);
		m->x.preds[5] = 0;
		execute(m, &i, masks[n]);
		unsigned first = 0;
		while (!(masks[n] >> first & 1))
			first++;
		assert_int_equal(m->x.preds[5], 1u << first);
		LANES_EACH (l, masks[n])
			assert_int_equal(d[l], first);
		i = insn(ISA_H_activemask);
		execute(m, &i, masks[n]);
		LANES_EACH (l, masks[n])
			assert_int_equal(d[l], masks[n]);
	}
	machine_free_all(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shuffles), cmocka_unit_test(shuffle_in_place),	  cmocka_unit_test(votes),
		cmocka_unit_test(matches),  cmocka_unit_test(integer_reductions), cmocka_unit_test(float_reductions),
		cmocka_unit_test(leaders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
