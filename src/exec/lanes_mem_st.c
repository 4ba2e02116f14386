/* Stores: st and its fast forms. Lanes write in lane order: of those that write the same place, the highest stays. */
#include "exec/memory.h"

/* One element per lane from a row as wide as the type. */
#define STORE_AT(T, row, at) \
	do { \
		const uint32_t lanes_ = x->mask; \
		T *low_ = MEM_AS(T, (at)->host), *high_ = MEM_AS(T, (at)->high); \
		if ((at)->shape == MEM_ROW && LANES_FULL(x)) { \
			LANES_LOOP low_[l] = (row)[l]; \
		} else if ((at)->shape == MEM_ROW) { \
			LANES_LOOP if (lanes_ & lanes_bits[l]) low_[l] = (row)[l]; \
		} else if ((at)->shape == MEM_HALF_ROW) { \
			memcpy(low_, (row), 16 * sizeof(T)); \
			memcpy(high_, (row) + 16, 16 * sizeof(T)); \
		} else if ((at)->shape == MEM_HALF_UNIFORM) { \
			*low_ = (row)[15]; \
			*high_ = (row)[31]; \
		} else if ((at)->shape == MEM_ANY && LANES_FULL(x)) { \
			for (unsigned l = 0; l < LANES; l++) \
				MEM_LOOSE(T, (at)->host + (int64_t)(at)->offset[l]) = (row)[l]; \
		} else if ((at)->shape == MEM_ANY) { \
			LANES_EACH (l, lanes_) \
				MEM_LOOSE(T, (at)->host + (int64_t)(at)->offset[l]) = (row)[l]; \
		} else { \
			*low_ = (row)[31 - __builtin_clz(lanes_)]; \
		} \
	} while (0)

/* ---- the general store ---- */
/* Element `e` of every executing lane's vector from a row of R, cut to the memory's type T. True if memory changed. */
#define PUT_FUNCTION(name, T, R) \
	static bool name(const struct mem_at *at, uint32_t mask, uint32_t size, uint32_t e, const R *row) \
	{ \
		T changed = 0; \
		LANES_EACH (l, mask) { \
			char *p = mem_lane(at, l, size) + e; \
			const T v = (T)row[l]; \
			changed = (T)(changed | (MEM_LOOSE(T, p) ^ v)); \
			MEM_LOOSE(T, p) = v; \
		} \
		return changed; \
	}
PUT_FUNCTION(put8_16, row_u8, row_u16)
PUT_FUNCTION(put8_32, row_u8, row_u32)
PUT_FUNCTION(put8_64, row_u8, row_u64)
PUT_FUNCTION(put16_16, row_u16, row_u16)
PUT_FUNCTION(put16_32, row_u16, row_u32)
PUT_FUNCTION(put16_64, row_u16, row_u64)
PUT_FUNCTION(put32_32, row_u32, row_u32)
PUT_FUNCTION(put32_64, row_u32, row_u64)
PUT_FUNCTION(put64_64, row_u64, row_u64)

static bool store_element(struct exec *x, const struct isa_insn *i, uint32_t ref, const struct mem_at *at,
			  uint32_t size, uint32_t e)
{
	const uint32_t mask = x->mask;
	const row_u16 *r16 = LANES_SRC(row_u16, ref);
	const row_u32 *r32 = LANES_SRC(row_u32, ref);
	const row_u64 *r64 = LANES_SRC(row_u64, ref);
	const unsigned reg = i->dst_bytes;
	switch (isa_type_bytes((enum isa_type)i->type)) {
	case 1:
		return reg == 8	  ? put8_64(at, mask, size, e, r64)
		       : reg == 4 ? put8_32(at, mask, size, e, r32)
				  : put8_16(at, mask, size, e, r16);
	case 2:
		return reg == 8	  ? put16_64(at, mask, size, e, r64)
		       : reg == 4 ? put16_32(at, mask, size, e, r32)
				  : put16_16(at, mask, size, e, r16);
	case 4: return reg == 8 ? put32_64(at, mask, size, e, r64) : put32_32(at, mask, size, e, r32);
	case 8: return put64_64(at, mask, size, e, r64);
	default: {
		const bool low = put64_64(at, mask, size, e, r64);
		return put64_64(at, mask, size, e + 8, r64 + LANES) || low;
	}
	}
}

MEMORY_HANDLER(st)
{
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type);
	const uint32_t vec = i->vec ? i->vec : 1, size = bytes * vec;
	struct mem_at at;
	if (!bytes) { /* a relative of st that has no type */
		exec_h_UNSUPPORTED(x, i);
		return;
	}
	if (vec == 1 && bytes == 4 && i->dst_bytes == 4 && !(observed && x->wants.compares)) {
		if (!mem_locate(x, i, i->space, 4, EXEC_WRITE, true, &at, observed))
			return;
		const row_u32 *row = LANES_SRC(row_u32, i->b);
		STORE_AT(row_u32, row, &at);
		x->n_stores += !mem_is_local(x, i, &at, 4);
		return;
	}
	if (!mem_locate(x, i, i->space, size, EXEC_WRITE, false, &at, observed))
		return;
	bool changed = false;
	for (uint32_t k = 0; k < vec; k++) {
		const uint32_t ref = i->vec > 1 ? x->program->aux[i->aux + k] : i->b;
		if (ref != ISA_REF_NONE && store_element(x, i, ref, &at, size, k * bytes))
			changed = true;
	}
	x->n_stores += changed && !mem_is_local(x, i, &at, size);
}

/* ---- fast forms: registers as wide as the type ---- */
#define STORE1(name, SPACE, T) \
	MEMORY_HANDLER(name) \
	{ \
		struct mem_at at; \
		if (__builtin_expect(i->space != SPACE || i->dst_bytes != sizeof(T) || (observed && x->wants.compares), 0)) { \
			MEMORY_CALL(st); \
			return; \
		} \
		if (!mem_locate(x, i, SPACE, sizeof(T), EXEC_WRITE, true, &at, observed)) \
			return; \
		const T *row = LANES_SRC(T, i->b); \
		STORE_AT(T, row, &at); \
		x->n_stores += SPACE != ISA_SPACE_LOCAL; \
	}

#define STORE_VECTOR(name, SPACE, T, V) \
	MEMORY_HANDLER(name) \
	{ \
		struct mem_at at; \
		const T *row[V]; \
		bool whole = true; \
		for (unsigned k = 0; k < V; k++) { \
			const uint32_t ref = x->program->aux[i->aux + k]; \
			whole = whole && ref != ISA_REF_NONE; \
			row[k] = LANES_SRC(T, ref); \
		} \
		if (__builtin_expect(!whole || i->dst_bytes != sizeof(T) || (observed && x->wants.compares), 0)) { \
			MEMORY_CALL(st); \
			return; \
		} \
		if (!mem_locate(x, i, SPACE, V * sizeof(T), EXEC_WRITE, true, &at, observed)) \
			return; \
		if (at.shape == MEM_ROW && LANES_FULL(x)) { \
			T *host = MEM_AS(T, at.host); \
			LANES_LOOP \
			for (unsigned k = 0; k < V; k++) \
				host[V * l + k] = row[k][l]; \
		} else { \
			LANES_EACH (l, x->mask) { \
				T *p = MEM_AS(T, mem_lane(&at, l, V * sizeof(T))); \
				for (unsigned k = 0; k < V; k++) \
					p[k] = row[k][l]; \
			} \
		} \
		x->n_stores++; \
	}

#define STORES(space, SPACE) \
	STORE1(st_##space##_b32, SPACE, row_u32) \
	STORE1(st_##space##_b64, SPACE, row_u64)
STORES(global, ISA_SPACE_GLOBAL)
STORES(shared, ISA_SPACE_SHARED)
STORES(local, ISA_SPACE_LOCAL)
STORE_VECTOR(st_global_v2_b32, ISA_SPACE_GLOBAL, row_u32, 2)
STORE_VECTOR(st_global_v4_b32, ISA_SPACE_GLOBAL, row_u32, 4)
STORE_VECTOR(st_global_v2_b64, ISA_SPACE_GLOBAL, row_u64, 2)
STORE_VECTOR(st_shared_v2_b32, ISA_SPACE_SHARED, row_u32, 2)
STORE_VECTOR(st_shared_v4_b32, ISA_SPACE_SHARED, row_u32, 4)
STORE_VECTOR(st_shared_v2_b64, ISA_SPACE_SHARED, row_u64, 2)
