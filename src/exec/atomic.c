/* atom and red: read, modify, write, one lane after the other in lane order (PTX ISA "atom", "red").
 *
 * Orders and scopes need nothing inside the machine: memory is consistent at once. A host that shares memory runs meanwhile, though: what has
 * scope .sys is one atomic operation for it, too. */
#include <assert.h>

#include "exec/lanes_half.h"
#include "exec/memory.h"
#include "exec/pending.h"

/* One element of a warp's atomic: places in memory and rows. */
struct atomic {
	uint32_t mask;
	char *place[LANES];
	void *dst; /* row of the old values, NULL if the instruction has no result */
	const void *b, *c;
	uint32_t flush; /* lanes whose f32 addition flushes subnormals: those in global memory */
	uint32_t *failed; /* gets the lanes whose compare-and-swap writes nothing */
};

/* Returns whether memory changed. */
typedef bool (*atomic_function)(const struct atomic *k);

/* `old`, `b`, `c`: values of type T; E: the new value. */
#define ATOMIC(name, T, E) ATOMIC_NOTED(name, T, E, )
#define ATOMIC_CAS(name, T) ATOMIC_NOTED(name, T, old == b ? c : old, *k->failed |= (uint32_t)(old != b) << l;)
#define ATOMIC_NOTED(name, T, E, note) \
	static bool name(const struct atomic *k) \
	{ \
		const T *row_b = k->b, *row_c = k->c; \
		T *dst = k->dst; \
		bool changed = false; \
		LANES_EACH (l, k->mask) { \
			T *p = (T *)(void *)k->place[l]; \
			const T old = *p, b = row_b[l], c = row_c[l]; \
			const T new = (T)(E); \
			(void)c; \
			(void)b; \
			changed = changed || new != old; \
			note \
			*p = new; \
			if (dst) \
				dst[l] = old; \
		} \
		return changed; \
	}

ATOMIC(and32, row_u32, old &b)
ATOMIC(or32, row_u32, old | b)
ATOMIC(xor32, row_u32, old ^ b)
ATOMIC(exch32, row_u32, b)
ATOMIC_CAS(cas32, row_u32)
ATOMIC(add32, row_u32, old + b)
ATOMIC(inc32, row_u32, old >= b ? 0 : old + 1)
ATOMIC(dec32, row_u32, old == 0 || old > b ? b : old - 1)
ATOMIC(min_u32, row_u32, old < b ? old : b)
ATOMIC(max_u32, row_u32, old > b ? old : b)
ATOMIC(min_s32, row_s32, old < b ? old : b)
ATOMIC(max_s32, row_s32, old > b ? old : b)
ATOMIC(and64, row_u64, old &b)
ATOMIC(or64, row_u64, old | b)
ATOMIC(xor64, row_u64, old ^ b)
ATOMIC(exch64, row_u64, b)
ATOMIC_CAS(cas64, row_u64)
ATOMIC(add64, row_u64, old + b)
ATOMIC(inc64, row_u64, old >= b ? 0 : old + 1)
ATOMIC(dec64, row_u64, old == 0 || old > b ? b : old - 1)
ATOMIC(min_u64, row_u64, old < b ? old : b)
ATOMIC(max_u64, row_u64, old > b ? old : b)
ATOMIC(min_s64, row_s64, old < b ? old : b)
ATOMIC(max_s64, row_s64, old > b ? old : b)
ATOMIC(exch16, row_u16, b)
ATOMIC_CAS(cas16, row_u16)

/* ---- floating point ---- */
static uint32_t add_f32(uint32_t a, uint32_t b, bool flush)
{
	return flush ? f32_out_ftz(f32_flush(f32_from(a)) + f32_flush(f32_from(b)))
		     : f32_out(f32_from(a) + f32_from(b));
}
ATOMIC(add_float, row_u32, add_f32(old, b, k->flush >> l & 1))
ATOMIC(add_double, row_u64, f64_out2(f64_from(old) + f64_from(b), f64_from(old), f64_from(b)))

/* f32 has more than twice the digits of either half format and two, so rounding the f32 sum is rounding the sum. */
static uint32_t add_f16(uint32_t a, uint32_t b) { return f32_to_f16(f16_to_f32(a) + f16_to_f32(b)); }
static uint32_t add_bf16(uint32_t a, uint32_t b) { return f32_to_bf16(bf16_to_f32(a) + bf16_to_f32(b)); }

/* The smaller (or larger) of two halves: a number rather than a NaN, -0 below +0. `infinity`: the format's. */
static uint32_t select_half(uint32_t a, uint32_t b, uint32_t infinity, bool larger)
{
	const bool a_nan = (a & 0x7fffu) > infinity, b_nan = (b & 0x7fffu) > infinity;
	if (a_nan || b_nan)
		return !a_nan ? a : !b_nan ? b : F16_NAN;
	/* sign and magnitude as numbers that sort like the values */
	const uint32_t key_a = a & 0x8000u ? ~a & 0xffffu : a | 0x8000u;
	const uint32_t key_b = b & 0x8000u ? ~b & 0xffffu : b | 0x8000u;
	return (key_a < key_b) == larger ? b : a;
}
static uint32_t min_f16(uint32_t a, uint32_t b) { return select_half(a, b, 0x7c00u, false); }
static uint32_t max_f16(uint32_t a, uint32_t b) { return select_half(a, b, 0x7c00u, true); }
static uint32_t min_bf16(uint32_t a, uint32_t b) { return select_half(a, b, 0x7f80u, false); }
static uint32_t max_bf16(uint32_t a, uint32_t b) { return select_half(a, b, 0x7f80u, true); }

#define HALVES(f, a, b) (f((a)&0xffffu, (b)&0xffffu) | f((a) >> 16, (b) >> 16) << 16)
#define ATOMIC_HALF(op) \
	ATOMIC(op##_half_f16, row_u16, op##_f16(old, b)) \
	ATOMIC(op##_half_bf16, row_u16, op##_bf16(old, b)) \
	ATOMIC(op##_pair_f16, row_u32, HALVES(op##_f16, old, b)) \
	ATOMIC(op##_pair_bf16, row_u32, HALVES(op##_bf16, old, b))
ATOMIC_HALF(add)
ATOMIC_HALF(min)
ATOMIC_HALF(max)

/* ---- 128 bits ---- */
static bool swap128(const struct atomic *k, bool compare)
{
	const row_u64 *b = k->b, *c = compare ? k->c : k->b;
	row_u64 *dst = k->dst;
	bool changed = false;
	LANES_EACH (l, k->mask) {
		row_u64 *p = (row_u64 *)(void *)k->place[l];
		const uint64_t low = p[0], high = p[1], new_low = c[l], new_high = c[l + LANES];
		if (!compare || (low == b[l] && high == b[l + LANES])) {
			p[0] = new_low;
			p[1] = new_high;
			changed = changed || low != new_low || high != new_high;
		} else {
			*k->failed |= lanes_bit(l);
		}
		if (dst) {
			dst[l] = low;
			dst[l + LANES] = high;
		}
	}
	return changed;
}
static bool cas128(const struct atomic *k) { return swap128(k, true); }
static bool exch128(const struct atomic *k) { return swap128(k, false); }

/* ---- which one ---- */
#define SIGNLESS(op, name) \
	[ISA_ATOM_##op][ISA_B32] = name##32, [ISA_ATOM_##op][ISA_U32] = name##32, [ISA_ATOM_##op][ISA_S32] = name##32, \
	[ISA_ATOM_##op][ISA_B64] = name##64, [ISA_ATOM_##op][ISA_U64] = name##64, [ISA_ATOM_##op][ISA_S64] = name##64
#define SIGNED(op, name) \
	[ISA_ATOM_##op][ISA_U32] = name##_u32, [ISA_ATOM_##op][ISA_S32] = name##_s32, \
	[ISA_ATOM_##op][ISA_U64] = name##_u64, [ISA_ATOM_##op][ISA_S64] = name##_s64
#define HALF(op, name) \
	[ISA_ATOM_##op][ISA_F16] = name##_half_f16, [ISA_ATOM_##op][ISA_BF16] = name##_half_bf16, \
	[ISA_ATOM_##op][ISA_F16X2] = name##_pair_f16, [ISA_ATOM_##op][ISA_BF16X2] = name##_pair_bf16

static const atomic_function atomic_functions[ISA_ATOM_MAX + 1][ISA_TYPE_COUNT] = {
	SIGNLESS(ADD, add),
	SIGNLESS(AND, and),
	SIGNLESS(OR, or),
	SIGNLESS(XOR, xor),
	SIGNLESS(EXCH, exch),
	SIGNLESS(CAS, cas),
	SIGNLESS(INC, inc),
	SIGNLESS(DEC, dec),
	SIGNED(MIN, min),
	SIGNED(MAX, max),
	HALF(ADD, add),
	HALF(MIN, min),
	HALF(MAX, max),
	[ISA_ATOM_ADD][ISA_F32] = add_float,
	[ISA_ATOM_ADD][ISA_F64] = add_double,
	[ISA_ATOM_EXCH][ISA_F32] = exch32,
	[ISA_ATOM_EXCH][ISA_F64] = exch64,
	[ISA_ATOM_CAS][ISA_F32] = cas32,
	[ISA_ATOM_CAS][ISA_F64] = cas64,
	[ISA_ATOM_CAS][ISA_B16] = cas16,
	[ISA_ATOM_CAS][ISA_U16] = cas16,
	[ISA_ATOM_CAS][ISA_S16] = cas16,
	[ISA_ATOM_EXCH][ISA_B16] = exch16,
	[ISA_ATOM_CAS][ISA_B128] = cas128,
	[ISA_ATOM_EXCH][ISA_B128] = exch128,
};

/* PTX ISA "atom": .add.f32 flushes subnormals in global memory and keeps them in shared memory. */
static uint32_t flushing_lanes(const struct exec *x, const struct isa_insn *i, const struct atomic *k)
{
	uint32_t lanes = 0;
	if (i->type != ISA_F32 || i->space != ISA_SPACE_GENERIC)
		return i->space == ISA_SPACE_SHARED ? 0 : LANES_ALL;
	LANES_EACH (l, k->mask)
		if ((uintptr_t)k->place[l] - (uintptr_t)x->shared >= x->shared_bytes)
			lanes |= lanes_bit(l);
	return lanes;
}

/* Defers the instruction; its handler is called again when it lands. */
static void defer_atomic(struct exec *x)
{
	x->effect.pending = exec_pending_add(x, EXEC_PENDING_ATOMIC);
	assert(x->effect.pending && "code that defers effects has made sure of room");
}

/* ---- memory shared with a host ---- */
static uint64_t read_atomically(const char *place, uint32_t bytes)
{
	switch (bytes) {
	case 2: return __atomic_load_n((const row_u16 *)(const void *)place, __ATOMIC_SEQ_CST);
	case 4: return __atomic_load_n((const row_u32 *)(const void *)place, __ATOMIC_SEQ_CST);
	default: return __atomic_load_n((const row_u64 *)(const void *)place, __ATOMIC_SEQ_CST);
	}
}

#define REPLACE(type) \
	__atomic_compare_exchange_n((type *)(void *)place, &(type){(type)before}, (type)after, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
static bool replace_atomically(char *place, uint64_t before, uint64_t after, uint32_t bytes)
{
	switch (bytes) {
	case 2: return REPLACE(row_u16);
	case 4: return REPLACE(row_u32);
	default: return REPLACE(row_u64);
	}
}

/* Computes f(k) one element at a time, each atomic for the host's threads: on a copy, which is written if memory hasn't changed meanwhile. */
static bool with_host(atomic_function f, const struct atomic *k, uint32_t bytes)
{
	struct atomic one = *k;
	bool changed = false;
	LANES_EACH (l, k->mask) {
		uint64_t before, after;
		uint32_t failed;
		bool other;
		one.failed = &failed;
		one.mask = lanes_bit(l);
		one.place[l] = (char *)&after;
		do {
			failed = 0;
			before = after = read_atomically(k->place[l], bytes);
			other = f(&one);
		} while (!replace_atomically(k->place[l], before, after, bytes));
		changed = changed || other;
		*k->failed |= failed;
	}
	return changed;
}

/* Elements k of b are at aux[b_at + k] in vector forms; destinations at aux[dst_at + k] if has_dst. */
MEM_INLINE void execute(struct exec *x, const struct isa_insn *i, const bool has_dst, const bool observed)
{
	const unsigned kinds = EXEC_READ | EXEC_WRITE | EXEC_ATOMIC;
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type), vec = i->vec ? i->vec : 1, size = bytes * vec;
	const uint32_t *const refs = &x->program->aux[i->aux];
	const atomic_function f = atomic_functions[i->atom][i->type];
	struct mem_at at;
	if (!f) {
		exec_h_UNSUPPORTED(x, i);
		return;
	}
	if (!(size == 4 ? mem_locate(x, i, i->space, 4, kinds, true, &at, observed)
			: mem_locate(x, i, i->space, size, kinds, true, &at, observed)))
		return;
	if (observed && x->wants.defers) {
		defer_atomic(x);
		return;
	}
	struct atomic k;
	uint32_t failed = 0;
	k.mask = x->mask;
	k.failed = &failed;
	mem_places(&at, size, k.place);
	k.flush = flushing_lanes(x, i, &k);
	bool changed = false;
	for (uint32_t e = 0; e < vec; e++) {
		const uint32_t dst = !has_dst ? ISA_REF_NONE : vec > 1 ? refs[e] : i->dst;
		const uint32_t b = vec == 1 ? i->b : has_dst ? refs[vec + e] : refs[e];
		k.dst = dst == ISA_REF_NONE ? NULL : exec_operand(x, dst);
		k.b = exec_operand(x, b);
		k.c = i->c == ISA_REF_NONE ? k.b : exec_operand(x, i->c);
		const bool shared = i->scope == ISA_SCOPE_SYS && bytes <= 8;
		changed = (shared ? with_host(f, &k, bytes) : f(&k)) || changed;
		for (unsigned l = 0; l < LANES && vec > 1; l++)
			k.place[l] += bytes;
	}
	x->n_stores += changed;
	if (observed)
		x->effect.access.failed = failed;
}

ATOMIC_HANDLER(atom) { execute(x, i, true, observed); }
ATOMIC_HANDLER(red) { execute(x, i, false, observed); }
