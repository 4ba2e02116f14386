/* Loads: ld, ldu and the fast forms of ld.
 *
 * PTX ISA "ld": registers may be wider than the type; signed types are sign-extended, the others zero-extended. */
#include "exec/memory.h"

/* One element per lane into a register as wide as the type. */
#define LOAD_AT(T, ref, at) \
	do { \
		const T *low_ = MEM_AS(const T, (at)->host), *high_ = MEM_AS(const T, (at)->high); \
		T *dst_ = LANES_DST(T, ref); \
		const uint32_t lanes_ = x->mask; \
		if ((at)->shape == MEM_ROW && LANES_FULL(x)) { \
			LANES_LOOP dst_[l] = low_[l]; \
		} else if ((at)->shape == MEM_ROW) { \
			LANES_LOOP if (lanes_ & lanes_bits[l]) dst_[l] = low_[l]; \
		} else if ((at)->shape == MEM_HALF_ROW) { \
			memcpy(dst_, low_, 16 * sizeof(T)); \
			memcpy(dst_ + 16, high_, 16 * sizeof(T)); \
		} else if ((at)->shape == MEM_HALF_UNIFORM) { \
			const T a_ = *low_, b_ = *high_; \
			LANES_FIRST(16) dst_[l] = a_; \
			LANES_FIRST(16) dst_[16 + l] = b_; \
		} else if ((at)->shape == MEM_ANY) { \
			const char *const host_ = (at)->host; \
			LANES_PUT(T, ref, MEM_LOOSE(const T, host_ + (int64_t)(at)->offset[l])); \
		} else { \
			const T v_ = *low_; \
			LANES_PUT(T, ref, v_); \
		} \
	} while (0)

/* ---- the general load ---- */
union raw {
	uint8_t u8[LANES];
	uint16_t u16[LANES];
	uint32_t u32[LANES];
	uint64_t u64[LANES];
} LANES_ALIGNED;

/* Element `e` of every lane's vector, as it lies in memory. Lanes that don't execute get garbage. */
#define FETCH_FUNCTION(name, T, field) \
	static void name(const struct mem_at *at, uint32_t mask, uint32_t size, uint32_t e, union raw *out) \
	{ \
		const char *const host = at->host + e; \
		if (at->shape == MEM_UNIFORM) { \
			const T v = *MEM_AS(const T, host); \
			LANES_LOOP out->field[l] = v; \
		} else if (at->shape == MEM_ROW && size == sizeof(T) && mask == LANES_ALL) { \
			memcpy(out->field, host, sizeof out->field); \
		} else if (at->shape == MEM_ROW) { \
			for (unsigned l = 0; l < LANES; l++) \
				out->field[l] = mask & lanes_bits[l] ? *MEM_AS(const T, host + (size_t)l * size) : 0; \
		} else { \
			for (unsigned l = 0; l < LANES; l++) \
				out->field[l] = MEM_LOOSE(const T, host + (int64_t)at->offset[l]); \
		} \
	}
FETCH_FUNCTION(fetch8, row_u8, u8)
FETCH_FUNCTION(fetch16, row_u16, u16)
FETCH_FUNCTION(fetch32, row_u32, u32)
FETCH_FUNCTION(fetch64, row_u64, u64)

/* Values of T (the memory's type) into a register row of dst_bytes. */
#define EXTEND_FUNCTION(name, T, field) \
	static void name(struct exec *x, uint32_t ref, unsigned dst_bytes, const union raw *raw) \
	{ \
		if (dst_bytes == 8) \
			LANES_PUT(row_u64, ref, (T)raw->field[l]); \
		else if (dst_bytes == 4) \
			LANES_PUT(row_u32, ref, (T)raw->field[l]); \
		else \
			LANES_PUT(row_u16, ref, (T)raw->field[l]); \
	}
EXTEND_FUNCTION(extend_u8, uint8_t, u8)
EXTEND_FUNCTION(extend_s8, int8_t, u8)
EXTEND_FUNCTION(extend_u16, uint16_t, u16)
EXTEND_FUNCTION(extend_s16, int16_t, u16)
EXTEND_FUNCTION(extend_u32, uint32_t, u32)
EXTEND_FUNCTION(extend_s32, int32_t, u32)

/* Both halves of a 16-byte register: the high one's row follows the low one's. */
static void load128(struct exec *x, uint32_t ref, const struct mem_at *at, uint32_t size, uint32_t e)
{
	union raw low, high;
	fetch64(at, x->mask, size, e, &low);
	fetch64(at, x->mask, size, e + 8, &high);
	lanes_put64(x, ref, low.u64);
	lanes_put64(x, ref + 8 * LANES, high.u64);
}

static void load_element(struct exec *x, const struct isa_insn *i, uint32_t ref, const struct mem_at *at, uint32_t size,
			 uint32_t e)
{
	const bool is_signed = isa_type_is_signed((enum isa_type)i->type);
	union raw raw;
	switch (isa_type_bytes((enum isa_type)i->type)) {
	case 1:
		fetch8(at, x->mask, size, e, &raw);
		(is_signed ? extend_s8 : extend_u8)(x, ref, i->dst_bytes, &raw);
		break;
	case 2:
		fetch16(at, x->mask, size, e, &raw);
		(is_signed ? extend_s16 : extend_u16)(x, ref, i->dst_bytes, &raw);
		break;
	case 4:
		fetch32(at, x->mask, size, e, &raw);
		(is_signed ? extend_s32 : extend_u32)(x, ref, i->dst_bytes, &raw);
		break;
	case 8:
		fetch64(at, x->mask, size, e, &raw);
		lanes_put64(x, ref, raw.u64);
		break;
	default: load128(x, ref, at, size, e);
	}
}

MEMORY_HANDLER(ld)
{
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type);
	const uint32_t vec = i->vec ? i->vec : 1, size = bytes * vec;
	struct mem_at at;
	if (!bytes) { /* a relative of ld that has no type */
		exec_h_UNSUPPORTED(x, i);
		return;
	}
	if (vec == 1 && bytes == 4 && i->dst_bytes == 4 && i->dst != ISA_REF_NONE) {
		if (mem_locate(x, i, i->space, 4, EXEC_READ, true, &at, observed))
			LOAD_AT(row_u32, i->dst, &at);
		return;
	}
	if (!mem_locate(x, i, i->space, size, EXEC_READ, false, &at, observed))
		return;
	for (uint32_t k = 0; k < vec; k++) {
		const uint32_t ref = i->vec > 1 ? x->program->aux[i->aux + k] : i->dst;
		if (ref != ISA_REF_NONE)
			load_element(x, i, ref, &at, size, k * bytes);
	}
}

/* ---- fast forms: registers as wide as the type ---- */
#define LOAD1(name, SPACE, T) \
	MEMORY_HANDLER(name) \
	{ \
		struct mem_at at; \
		if (__builtin_expect(i->space != SPACE || i->dst_bytes != sizeof(T), 0)) { \
			MEMORY_CALL(ld); \
			return; \
		} \
		if (mem_locate(x, i, SPACE, sizeof(T), EXEC_READ, true, &at, observed)) \
			LOAD_AT(T, i->dst, &at); \
	}

/* Vectors: full warps in a row are transposed on the way, the rest goes lane by lane. */
#define LOAD_VECTOR(name, SPACE, T, V) \
	MEMORY_HANDLER(name) \
	{ \
		struct mem_at at; \
		if (__builtin_expect(i->dst_bytes != sizeof(T), 0)) { \
			MEMORY_CALL(ld); \
			return; \
		} \
		if (!mem_locate(x, i, SPACE, V * sizeof(T), EXEC_READ, true, &at, observed)) \
			return; \
		const T *host = MEM_AS(const T, at.host); \
		T *to[V]; \
		T sink[LANES] LANES_ALIGNED = {0}; \
		for (unsigned k = 0; k < V; k++) { \
			const uint32_t ref = x->program->aux[i->aux + k]; \
			to[k] = ref == ISA_REF_NONE ? sink : LANES_DST(T, ref); \
		} \
		if (at.shape == MEM_ROW && LANES_FULL(x)) { \
			LANES_LOOP for (unsigned k = 0; k < V; k++) to[k][l] = host[V * l + k]; \
		} else if (at.shape == MEM_UNIFORM && LANES_FULL(x)) { \
			LANES_LOOP for (unsigned k = 0; k < V; k++) to[k][l] = host[k]; \
		} else { \
			LANES_EACH (l, x->mask) { \
				const T *p = MEM_AS(const T, mem_lane(&at, l, V * sizeof(T))); \
				for (unsigned k = 0; k < V; k++) \
					to[k][l] = p[k]; \
			} \
		} \
	}

#define LOADS(space, SPACE) \
	LOAD1(ld_##space##_b32, SPACE, row_u32) \
	LOAD1(ld_##space##_b64, SPACE, row_u64)
LOADS(global, ISA_SPACE_GLOBAL)
LOADS(shared, ISA_SPACE_SHARED)
LOADS(local, ISA_SPACE_LOCAL)
LOADS(param, ISA_SPACE_PARAM)
LOADS(const, ISA_SPACE_CONST)
LOAD_VECTOR(ld_global_v2_b32, ISA_SPACE_GLOBAL, row_u32, 2)
LOAD_VECTOR(ld_global_v4_b32, ISA_SPACE_GLOBAL, row_u32, 4)
LOAD_VECTOR(ld_global_v2_b64, ISA_SPACE_GLOBAL, row_u64, 2)
LOAD_VECTOR(ld_shared_v2_b32, ISA_SPACE_SHARED, row_u32, 2)
LOAD_VECTOR(ld_shared_v4_b32, ISA_SPACE_SHARED, row_u32, 4)
LOAD_VECTOR(ld_shared_v2_b64, ISA_SPACE_SHARED, row_u64, 2)
