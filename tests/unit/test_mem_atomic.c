/* atom and red: every operation and type against the formulas of PTX ISA "atom" in host arithmetic, lanes in order. */
#include "mem_machine.h"

#include <math.h>

#include "base/arena_marks.h"

#define GLOBAL_AT UINT64_C(0x80000000)
#define GLOBAL_BYTES 4096u

union value {
	uint8_t bytes[16];
	uint16_t h[8];
	uint32_t w[4];
	int32_t s[4];
	uint64_t d[2];
	int64_t q[2];
	float f[4];
	double g[2];
};

/* ---- the model ---- */
static double from_half(uint16_t h, bool bf)
{
	const int digits = bf ? 7 : 10, bias = bf ? 127 : 15, top = bf ? 255 : 31;
	const int exponent = (h & 0x7fff) >> digits, rest = h & ((1 << digits) - 1);
	double m;
	if (exponent == top)
		m = rest ? (double)NAN : (double)INFINITY;
	else if (exponent)
		m = ldexp(rest + (1 << digits), exponent - bias - digits);
	else
		m = ldexp(rest, 1 - bias - digits);
	return h & 0x8000 ? -m : m;
}

/* Nearest even through the host's rounding of a double to an integer. */
static uint16_t to_half(double v, bool bf)
{
	const int digits = bf ? 7 : 10, bias = bf ? 127 : 15, top = bf ? 255 : 31;
	const uint16_t sign = signbit(v) ? 0x8000 : 0;
	if (isnan(v))
		return 0x7fff;
	int e;
	if (isinf(v))
		return (uint16_t)(sign | top << digits);
	frexp(v, &e);
	int unit = e - 1 - digits; /* exponent of the last place */
	if (v == 0 || unit < 1 - bias - digits)
		unit = 1 - bias - digits;
	const double steps = nearbyint(ldexp(fabs(v), -unit));
	/* places of subnormals start at exponent field 0, of others one digit up */
	const double code = steps + ldexp(unit - (1 - bias - digits), digits);
	return (uint16_t)(sign | (code >= ldexp(top, digits) ? top << digits : (int)code));
}

static uint16_t half_op(enum isa_atom op, uint16_t a, uint16_t b, bool bf)
{
	const double x = from_half(a, bf), y = from_half(b, bf);
	if (op == ISA_ATOM_ADD)
		return to_half(x + y, bf);
	if (isnan(x) || isnan(y))
		return isnan(x) && isnan(y) ? 0x7fff : isnan(x) ? b : a;
	if (x == y)
		return signbit(x) == (op == ISA_ATOM_MIN) ? a : b;
	return (x < y) == (op == ISA_ATOM_MIN) ? a : b;
}

static float flush(float f) { return fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f; }

static uint32_t add_float(uint32_t a, uint32_t b, bool ftz)
{
	union value x = {.w = {a}}, y = {.w = {b}}, r;
	if (ftz)
		r.f[0] = flush(flush(x.f[0]) + flush(y.f[0]));
	else
		r.f[0] = x.f[0] + y.f[0];
	return isnan(r.f[0]) ? 0x7fffffff : r.w[0];
}

#define MODEL_INT(U, S) \
	switch (op) { \
	case ISA_ATOM_AND: return old & b; \
	case ISA_ATOM_OR: return old | b; \
	case ISA_ATOM_XOR: return old ^ b; \
	case ISA_ATOM_EXCH: return b; \
	case ISA_ATOM_CAS: return old == b ? c : old; \
	case ISA_ATOM_ADD: return old + b; \
	case ISA_ATOM_INC: return old >= b ? 0 : old + 1; \
	case ISA_ATOM_DEC: return old == 0 || old > b ? b : old - 1; \
	case ISA_ATOM_MIN: return is_signed ? ((S)old < (S)b ? old : b) : old < b ? old : b; \
	case ISA_ATOM_MAX: return is_signed ? ((S)old > (S)b ? old : b) : old > b ? old : b; \
	default: fail_msg("operation %d", op); return 0; \
	}
static uint32_t model32(enum isa_atom op, bool is_signed, uint32_t old, uint32_t b, uint32_t c)
{
	MODEL_INT(uint32_t, int32_t)
}
static uint64_t model64(enum isa_atom op, bool is_signed, uint64_t old, uint64_t b, uint64_t c)
{
	MODEL_INT(uint64_t, int64_t)
}

static union value model(enum isa_atom op, enum isa_type type, union value old, union value b, union value c,
			 bool shared)
{
	union value r = old;
	const bool bf = type == ISA_BF16 || type == ISA_BF16X2, is_signed = isa_type_is_signed(type);
	switch (type) {
	case ISA_F16X2:
	case ISA_BF16X2: r.h[1] = half_op(op, old.h[1], b.h[1], bf); __attribute__((fallthrough));
	case ISA_F16:
	case ISA_BF16: r.h[0] = half_op(op, old.h[0], b.h[0], bf); return r;
	case ISA_F32: r.w[0] = add_float(old.w[0], b.w[0], !shared); return r;
	case ISA_F64: r.g[0] = old.g[0] + b.g[0]; return r;
	case ISA_B16:
		if (op == ISA_ATOM_EXCH || old.h[0] == b.h[0])
			r.h[0] = op == ISA_ATOM_EXCH ? b.h[0] : c.h[0];
		return r;
	case ISA_B128:
		if (op == ISA_ATOM_EXCH)
			return b;
		return old.d[0] == b.d[0] && old.d[1] == b.d[1] ? c : old;
	default:
		if (isa_type_bytes(type) == 4)
			r.w[0] = model32(op, is_signed, old.w[0], b.w[0], c.w[0]);
		else
			r.d[0] = model64(op, is_signed, old.d[0], b.d[0], c.d[0]);
		return r;
	}
}

/* ---- cases ---- */
/* Values that make the operations interesting: small ones, equal ones, and for floats all classes. */
static union value choose(enum isa_type type, uint64_t *seed)
{
	static const uint16_t halves[] = {0,	  0x8000, 1,	  0x8001, 0x03ff, 0x0400, 0x3c00,
					  0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e01, 0x3f80,
					  0x7f80, 0xff80, 0x7f81, 0x0080, 0x007f, 0x7f7f};
	static const uint32_t floats[] = {0,	      0x80000000, 1,	      0x80000001, 0x007fffff,
					  0x00800000, 0x80800000, 0x7f7fffff, 0x7f800000, 0xff800000,
					  0x7fc00001, 0x3f800000, 0xbf800000, 0x00800001};
	union value v = {.d = {machine_random(seed), machine_random(seed)}};
	const unsigned kind = (unsigned)(machine_random(seed) % 3);
	if (type == ISA_F16 || type == ISA_F16X2 || type == ISA_BF16 || type == ISA_BF16X2) {
		for (unsigned k = 0; k < 2; k++)
			if (kind)
				v.h[k] = halves[machine_random(seed) % (sizeof halves / sizeof halves[0])];
			else if (type == ISA_BF16 || type == ISA_BF16X2)
				v.h[k] =
					(uint16_t)((v.h[k] & 0x81ff) | 0x3c00); /* exponents a double can add exactly */
	} else if (type == ISA_F32) {
		v.w[0] = kind ? floats[machine_random(seed) % (sizeof floats / sizeof floats[0])] : v.w[0];
	} else if (type == ISA_F64) {
		v.g[0] = (double)(int64_t)v.d[0] / 1024;
	} else if (kind) {
		v.d[0] = machine_random(seed) % 4 - (kind == 2);
		v.d[1] = machine_random(seed) % 2;
	}
	return v;
}

static union value row_value(struct machine *m, unsigned row, unsigned bytes, unsigned lane)
{
	union value v = {0};
	const char *p = machine_row(m, row);
	memcpy(v.bytes, p + (bytes == 16 ? 8 : bytes) * lane, bytes == 16 ? 8 : bytes);
	if (bytes == 16)
		memcpy(v.bytes + 8, p + 256 + 8 * lane, 8);
	return v;
}
static void set_row_value(struct machine *m, unsigned row, unsigned bytes, unsigned lane, union value v)
{
	char *p = machine_row(m, row);
	memcpy(p + (bytes == 16 ? 8 : bytes) * lane, v.bytes, bytes == 16 ? 8 : bytes);
	if (bytes == 16)
		memcpy(p + 256 + 8 * lane, v.bytes + 8, 8);
}

/* The atomics' page of global memory, at a mark. */
static void mark_page(struct machine *m, char copy[ARENA_PAGE])
{
	assert_true(arena_use(&m->arena, m->x.sec_global, GLOBAL_AT + ARENA_PAGE));
	arena_touch(&m->arena, m->x.sec_global, GLOBAL_AT, 1);
	assert_true(arena_marks_begin(&m->arena, ARENA_PAGE) && arena_mark(&m->arena));
	memcpy(copy, m->x.global + GLOBAL_AT, ARENA_PAGE);
}

static void expect_page_saved(struct machine *m, bool wanted, const char copy[ARENA_PAGE])
{
	static const char zeros[ARENA_PAGE];
	size_t n;
	struct arena_saved_page *p =
		arena_saved_since(&m->arena, arena_mark_number(&m->arena, arena_mark_count(&m->arena) - 1), m->x.sec_global, &n);
	assert_int_equal(n, wanted);
	if (wanted) {
		assert_int_equal(p->offset, GLOBAL_AT);
		assert_memory_equal(p->bytes ? p->bytes : zeros, copy, ARENA_PAGE);
	}
	free(p);
}

#define PLACES 24u

/* One instruction and what it works on. */
struct atom_case {
	enum isa_atom op;
	enum isa_type type;
	unsigned vec, bytes; /* elements, bytes of one */
	bool red, shared;
	struct isa_insn insn;
	uint32_t mask;
	unsigned place[LANES];
	char *host;		   /* the memory it works on */
	char want[PLACES * 32];	   /* what is to be there afterwards */
	union value old[8][LANES]; /* what it returns */
};

static uint64_t choose_insn(struct machine *m, struct atom_case *c, uint64_t *seed)
{
	c->shared = machine_random(seed) % 2;
	const bool generic = machine_random(seed) % 2;
	struct isa_insn *i = &c->insn;
	*i = machine_insn(c->red ? ISA_H_red : ISA_H_atom);
	i->space = generic ? ISA_SPACE_GENERIC : c->shared ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
	i->type = (uint8_t)c->type;
	i->atom = (uint8_t)c->op;
	i->vec = (uint8_t)c->vec;
	i->a = ROW_REF(0);
	i->a_bytes = 8;
	i->b = ROW_REF(1);
	i->c = c->op == ISA_ATOM_CAS ? ROW_REF(2) : ISA_REF_NONE;
	i->dst = c->red || machine_random(seed) % 8 == 0 ? ISA_REF_NONE : ROW_REF(3);
	for (unsigned k = 0; k < c->vec && c->vec > 1; k++) {
		m->aux[k] = c->red ? ROW_REF(8 + k) : ROW_REF(16 + k);
		m->aux[c->vec + k] = ROW_REF(8 + k);
	}
	c->host = c->shared ? m->x.shared : m->x.global + GLOBAL_AT;
	return c->shared ? generic ? EXEC_SHARED_WINDOW : 0 : GLOBAL_AT;
}

/* Memory, lanes and their addresses and operands; `base`: the memory's address. */
static void choose_data(struct machine *m, struct atom_case *c, uint64_t base, uint64_t *seed)
{
	for (unsigned k = 0; k < PLACES * c->vec; k++)
		memcpy(c->host + k * c->bytes, choose(c->type, seed).bytes, c->bytes);
	c->mask = machine_random(seed) % 2 ? LANES_ALL : (uint32_t)machine_random(seed) | 1;
	const bool same = machine_random(seed) % 4 == 0;
	for (unsigned l = 0; l < LANES; l++) {
		c->place[l] = same ? 5 : (unsigned)(machine_random(seed) % PLACES);
		((uint64_t *)machine_row(m, 0))[l] = base + c->place[l] * c->bytes * c->vec;
		for (unsigned k = 0; k < c->vec; k++)
			set_row_value(m, c->vec > 1 ? 8 + k : 1, c->bytes, l, choose(c->type, seed));
		set_row_value(m, 2, c->bytes, l, choose(c->type, seed));
	}
}

/* Fills `want` and `old`, lane after lane; whether memory changes. */
static bool expect(struct machine *m, struct atom_case *c)
{
	bool changed = false;
	memcpy(c->want, c->host, PLACES * c->bytes * c->vec);
	LANES_EACH (l, c->mask)
		for (unsigned k = 0; k < c->vec; k++) {
			char *p = c->want + (c->place[l] * c->vec + k) * c->bytes;
			union value *old = &c->old[k][l];
			memset(old, 0, sizeof *old);
			memcpy(old->bytes, p, c->bytes);
			const union value b = row_value(m, c->vec > 1 ? 8 + k : 1, c->bytes, l);
			const union value v = model(c->op, c->type, *old, b, row_value(m, 2, c->bytes, l), c->shared);
			changed = changed || memcmp(p, v.bytes, c->bytes);
			memcpy(p, v.bytes, c->bytes);
		}
	return changed;
}

static void run_case(struct machine *m, enum isa_atom op, enum isa_type type, unsigned vec, bool red, uint64_t *seed)
{
	struct atom_case c = {.op = op, .type = type, .vec = vec, .bytes = isa_type_bytes(type), .red = red};
	choose_data(m, &c, choose_insn(m, &c, seed), seed);
	const bool changed = expect(m, &c);
	char at_mark[ARENA_PAGE];
	mark_page(m, at_mark);
	m->x.n_stores = 0;
	assert_true(machine_step(m, &c.insn, c.mask));
	expect_page_saved(m, !c.shared, at_mark);
	if (memcmp(c.want, c.host, PLACES * c.bytes * vec))
		fail_msg("memory after op %d %s v%u", op, isa_type_info[type].name, vec);
	assert_int_equal(m->x.n_stores, changed);
	if (red || (vec == 1 && c.insn.dst == ISA_REF_NONE))
		return;
	LANES_EACH (l, c.mask)
		for (unsigned k = 0; k < vec; k++)
			assert_memory_equal(row_value(m, vec > 1 ? 16 + k : 3, c.bytes, l).bytes, c.old[k][l].bytes,
					    c.bytes);
}

static void test_operations(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	machine_allocate(m, GLOBAL_AT, GLOBAL_BYTES);
	uint64_t seed = 11;
	static const uint8_t integers[] = {ISA_B32, ISA_U32, ISA_S32, ISA_B64, ISA_U64, ISA_S64};
	for (unsigned n = 0; n < 200; n++) {
		for (unsigned t = 0; t < sizeof integers; t++)
			for (enum isa_atom op = ISA_ATOM_AND; op <= ISA_ATOM_MAX; op++)
				if (t % 3 || (op != ISA_ATOM_MIN && op != ISA_ATOM_MAX))
					run_case(m, op, integers[t], 1, op != ISA_ATOM_CAS && n % 2, &seed);
		run_case(m, ISA_ATOM_CAS, ISA_B16, 1, false, &seed);
		run_case(m, ISA_ATOM_CAS, ISA_B128, 1, false, &seed);
		run_case(m, ISA_ATOM_EXCH, ISA_B128, 1, false, &seed);
	}
	machine_free_all(m);
}

static void test_floats(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	machine_allocate(m, GLOBAL_AT, GLOBAL_BYTES);
	uint64_t seed = 12;
	static const uint8_t halves[] = {ISA_F16, ISA_BF16, ISA_F16X2, ISA_BF16X2};
	for (unsigned n = 0; n < 400; n++) {
		run_case(m, ISA_ATOM_ADD, ISA_F32, n % 3 == 1 ? 2 : n % 3 == 2 ? 4 : 1, n % 2, &seed);
		run_case(m, ISA_ATOM_ADD, ISA_F64, 1, n % 2, &seed);
		for (unsigned t = 0; t < 4; t++) {
			run_case(m, ISA_ATOM_ADD, halves[t], 1, n % 2, &seed);
			run_case(m, ISA_ATOM_MIN, halves[t], 2, n % 2, &seed);
			run_case(m, ISA_ATOM_MAX, halves[t], 4, n % 2, &seed);
			run_case(m, ISA_ATOM_ADD, halves[t], t < 2 ? 8 : 4, n % 2, &seed);
		}
	}
	machine_free_all(m);
}

/* An operation that PTX doesn't have for the type stops as an illegal instruction. */
static void test_unsupported(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	struct isa_insn i = machine_insn(ISA_H_atom);
	i.type = ISA_F64;
	i.atom = ISA_ATOM_XOR;
	i.space = ISA_SPACE_SHARED;
	i.b = ROW_REF(1);
	assert_false(machine_step(m, &i, 1));
	assert_int_equal(m->x.fault.kind, EXEC_FAULT_ILLEGAL_INSTRUCTION);
	machine_free_all(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_unsupported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
