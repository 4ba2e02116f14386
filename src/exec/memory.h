/* Where the lanes of a warp instruction find their memory. Every ld, st, atom and red goes through mem_locate, which either
 * says where the bytes are, having checked every lane (and marked the pages dirty if it will write), or has raised a fault or a
 * watched access. The handler then moves bytes between host memory and rows without further checks.
 *
 * Fast: addresses that are the same in all lanes, or follow each other, need one check for the warp. Everything that is rare
 * (other allocations, mixed spaces, watched pages, faults) is mem_resolve's, one lane at a time. */
#ifndef EXEC_MEMORY_H
#define EXEC_MEMORY_H

#include "exec/effect.h"
#include "exec/lanes.h"

enum mem_shape {
	MEM_UNIFORM,	  /* all lanes at `host` */
	MEM_ROW,	  /* lane l at host + l * size: the lanes follow each other */
	MEM_HALF_UNIFORM, /* lanes 0-15 at `host`, 16-31 at `high` (two rows of a 16-wide block); only with a full mask */
	MEM_HALF_ROW,	  /* lanes 0-15 follow each other from `host`, 16-31 from `high` */
	MEM_ANY		  /* lane l at host + offset[l] */
};

struct mem_at {
	enum mem_shape shape;
	char *host; /* may point before the memory when the low lanes don't execute */
	char *high;
	uint64_t offset[LANES] LANES_ALIGNED; /* MEM_ANY; lanes that don't execute have the offset of one that does */
};

#define MEM_INLINE static inline __attribute__((always_inline))

/* One body, two handlers: `observed` is a constant in each, so that what only watchers need costs the other nothing. */
#define MEMORY_BODY(body) MEM_INLINE void body(struct exec *x, const struct isa_insn *i, const bool observed)
#define MEMORY_PAIR(plain, watched, body) \
	MEMORY_BODY(body); \
	plain { body(x, i, false); } \
	watched \
	{ \
		body(x, i, true); \
		if (__builtin_expect(x->after_is_due, 0)) \
			effect_access_done(x); \
	} \
	MEMORY_BODY(body)
/* The other handler of the same pair. */
#define MEMORY_CALL(name) (observed ? LANES_NAME(exec_o_##name) : LANES_NAME(exec_h_##name))(x, i)
#define MEMORY_HANDLER(name) MEMORY_PAIR(LANES_HANDLER(name), LANES_OBSERVED(name), name##_body)
#define ATOMIC_HANDLER(name) MEMORY_PAIR(EXEC_HANDLER(name), EXEC_OBSERVED(name), name##_body)
#define MEM_AS(T, p) ((T *)(void *)(p)) /* memory as elements; it is aligned for them */
/* that of local memory is aligned to words only */
#define MEM_LOOSE(T, p) (((struct __attribute__((packed, may_alias)) { T value; } *)(void *)(p))->value)
#define MEM_PAGES_MAX 128u		/* more pages than this are looked at one lane at a time */
#define MEM_TLB_MASK (sizeof((struct exec *)0)->tlb / sizeof *((struct exec *)0)->tlb - 1u)

/* Returns the host address of a lane's element, `size` bytes long. */
MEM_INLINE char *mem_lane(const struct mem_at *at, unsigned lane, uint32_t size)
{
	char *half = lane < 16 ? at->host : at->high;
	switch (at->shape) {
	case MEM_UNIFORM: return at->host;
	case MEM_ROW: return at->host + (size_t)lane * size;
	case MEM_HALF_UNIFORM: return half;
	case MEM_HALF_ROW: return half + (size_t)(lane & 15) * size;
	default: return at->host + (int64_t)at->offset[lane];
	}
}

/* Returns true if an access goes to local memory. For a generic access the first and the last executing lane decide. */
MEM_INLINE bool mem_is_local(const struct exec *x, const struct isa_insn *i, const struct mem_at *at, uint32_t size)
{
	if (i->space != ISA_SPACE_GENERIC)
		return i->space == ISA_SPACE_LOCAL;
	const uint64_t bytes = (uint64_t)LANES * x->local_stride;
	const unsigned first = lanes_first(x->mask), last = 31u - (unsigned)__builtin_clz(x->mask);
	return (uint64_t)(mem_lane(at, first, size) - x->local) < bytes && (uint64_t)(mem_lane(at, last, size) - x->local) < bytes;
}

/* Stores the host addresses of all lanes. */
MEM_INLINE void mem_places(const struct mem_at *at, uint32_t size, char *place[LANES])
{
	if (at->shape == MEM_ANY) {
		LANES_LOOP place[l] = at->host + (int64_t)at->offset[l];
		return;
	}
	const bool halves = at->shape == MEM_HALF_UNIFORM || at->shape == MEM_HALF_ROW;
	const size_t step = at->shape == MEM_ROW || at->shape == MEM_HALF_ROW ? size : 0;
	char *const high = halves ? at->high : at->host + 16 * step;
	for (unsigned l = 0; l < 16; l++) {
		place[l] = at->host + l * step;
		place[l + 16] = high + l * step;
	}
}

/* Returns the space that a generic address is in: GENERIC below the window of shared memory, else the space of the window, GLOBAL from the start
 * of module globals on. */
static inline enum isa_space mem_generic_space(uint64_t address)
{
	if (address >= EXEC_MODULE_GLOBALS)
		return ISA_SPACE_GLOBAL;
	if (address >= EXEC_CODE_WINDOW)
		return ISA_SPACE_CODE;
	if (address >= EXEC_CONST_WINDOW)
		return ISA_SPACE_CONST;
	if (address < EXEC_SHARED_WINDOW)
		return ISA_SPACE_GENERIC;
	return address >= EXEC_PARAM_WINDOW   ? ISA_SPACE_PARAM
	       : address >= EXEC_LOCAL_WINDOW ? ISA_SPACE_LOCAL
					      : ISA_SPACE_SHARED;
}
/* Returns the generic address where a space begins; 0 for global and generic. */
static inline uint64_t mem_window(enum isa_space space)
{
	static const uint32_t window[ISA_SPACE_COUNT] = {
		[ISA_SPACE_SHARED] = EXEC_SHARED_WINDOW, [ISA_SPACE_LOCAL] = EXEC_LOCAL_WINDOW,
		[ISA_SPACE_PARAM] = EXEC_PARAM_WINDOW,	 [ISA_SPACE_CONST] = EXEC_CONST_WINDOW,
		[ISA_SPACE_CODE] = EXEC_CODE_WINDOW,
	};
	return window[space];
}

/* Checks an access lane by lane, and stores in offset[] each lane's host address less x->global. `kinds` is a sum of enum exec_access_kind; size
 * is the bytes per lane, a power of two. Returns false if the instruction faults or stops, or if a checker took all lanes out; a fault or event is
 * set then. */
bool mem_resolve(struct exec *x, const struct isa_insn *i, uint32_t size, unsigned kinds, uint64_t offset[LANES]);
/* Checks an access of x->mask's lanes to global memory at these addresses. Stores offsets, sets faults and returns as mem_resolve does. */
bool mem_resolve_global(struct exec *x, const struct isa_insn *i, uint32_t size, unsigned kinds, const uint64_t address[LANES],
			uint64_t offset[LANES]);
/* An access to addresses that the instruction computes by itself. */
struct mem_given_access {
	unsigned space, size, kinds;
	unsigned align; /* that each address must have, 1: an access may lie at any byte */
};
/* Checks an access of x->mask's lanes to these addresses in its space. Stores offsets, sets faults and returns as mem_resolve does. */
bool mem_resolve_given(struct exec *x, const struct isa_insn *i, const struct mem_given_access *a, const uint64_t address[LANES],
		       uint64_t offset[LANES]);
/* Reports an access of x->mask's lanes to global memory, which mem_resolve_global has allowed, as done. */
void mem_report_done(struct exec *x, uint32_t size, unsigned kinds, const uint64_t address[LANES]);
/* Checks an access lane by lane, with the result in *at. Returns false if the instruction faults or stops. */
MEM_INLINE bool mem_locate_lanes(struct exec *x, const struct isa_insn *i, uint32_t size, unsigned kinds,
				struct mem_at *at)
{
	const bool ok = mem_resolve(x, i, size, kinds, at->offset);
	at->shape = MEM_ANY;
	at->host = x->global;
	return ok;
}
/* Stores the address of each lane as the instruction forms it, in the instruction's space. Lanes outside x->mask get meaningless values. */
void mem_addresses(const struct exec *x, const struct isa_insn *i, uint64_t address[LANES]);

/* Records the instruction's access in x->effect. `space` is the space of all its lanes. */
void mem_record(struct exec *x, const struct isa_insn *i, unsigned space, uint32_t size, unsigned kinds);

/* The same where the lanes of each half of the warp are `step` apart: relative addresses of lanes 0 and 16. */
struct mem_halves {
	uint64_t low, high;
	uint32_t step;
};
/* Records an access in x->effect whose lanes are h->step apart in each half of the warp. */
void mem_record_halves(struct exec *x, unsigned space, uint32_t size, unsigned kinds, const struct mem_halves *h);
/* Records an access in x->effect whose lanes are a row, two half rows, or uniform. `lanes` has the relative addresses of the first executing lane
 * and of lane 16. */
MEM_INLINE void mem_record_shape(struct exec *x, unsigned space, uint32_t size, unsigned kinds, const struct mem_halves *lanes,
				 enum mem_shape shape)
{
	struct mem_halves h = *lanes;
	if (shape == MEM_ROW) {
		h.low -= (uint64_t)size * lanes_first(x->mask);
		h.high = h.low + 16 * (uint64_t)size;
	}
	if (shape == MEM_UNIFORM)
		h.high = h.low;
	h.step = shape == MEM_ROW || shape == MEM_HALF_ROW ? size : 0;
	mem_record_halves(x, space, size, kinds, &h);
}

/* Returns the space-relative address of an operand without a register. */
MEM_INLINE uint64_t mem_absolute(const struct exec *x, const struct isa_insn *i)
{
	return (uint64_t)i->imm + (i->flags & ISA_F_ADDR_SP ? x->local_sp : 0);
}

/* ---- shapes ---- */
/* Compares all lanes with what the first two executing ones suggest: equal, or `size` apart; a full warp in two halves. */
#define MEM_SHAPE_FUNCTION(name, T, row_type) \
	MEM_INLINE enum mem_shape name(const row_type *row, uint32_t mask, uint32_t size) \
	{ \
		const unsigned l0 = lanes_first(mask); \
		const uint32_t rest = mask & (mask - 1); \
		if (!rest) \
			return MEM_UNIFORM; \
		const T a0 = row[l0]; \
		const unsigned l1 = lanes_first(rest); \
		const T step = row[l1] - a0; \
		if (step && step != (T)size * (l1 - l0)) \
			return MEM_ANY; \
		const T keep = step ? ~(T)0 : 0, base = a0 - (keep & ((T)size * l0)); \
		T differ = 0; \
		if (__builtin_expect(mask == LANES_ALL, 1)) { \
			const T high = row[16]; \
			LANES_FIRST(16) \
			{ \
				const T go = keep & ((T)size * l); \
				differ |= (row[l] ^ (base + go)) | (row[l + 16] ^ (high + go)); \
			} \
			if (differ) \
				return MEM_ANY; \
			if (high != base + (keep & ((T)size * 16))) \
				return step ? MEM_HALF_ROW : MEM_HALF_UNIFORM; \
		} else { \
			LANES_LOOP differ |= (mask & lanes_bits[l]) ? row[l] ^ (base + (keep & ((T)size * l))) : 0; \
		} \
		return differ ? MEM_ANY : step ? MEM_ROW : MEM_UNIFORM; \
	}
MEM_SHAPE_FUNCTION(mem_shape32, uint32_t, row_u32)
MEM_SHAPE_FUNCTION(mem_shape64, uint64_t, row_u64)

/* ---- one range for the warp ---- */
/* Marks the pages of global memory from offset `first` to `last` as written. */
__attribute__((cold)) void mem_touch(struct exec *x, uint64_t first, uint64_t last);
/* Marks the pages of global memory at all lanes' offsets as written. */
__attribute__((cold)) void mem_touch_lanes(struct exec *x, const uint64_t offset[LANES]);

/* Returns true if watched memory may lie between two offsets in global memory. */
MEM_INLINE bool mem_is_watched(const struct exec *x, uint64_t first, uint64_t last)
{
	return first < x->wants.range_end && last >= x->wants.range_first;
}

/* Returns false if the page of `first` or of `last` in global memory is watched for this kind of access. For a write it marks both pages as
 * written. */
MEM_INLINE bool mem_pages(struct exec *x, uint64_t first, uint64_t last, unsigned kinds, const bool observed)
{
	uint8_t *p = &x->global_flags[first >> ARENA_PAGE_SHIFT], *q = &x->global_flags[last >> ARENA_PAGE_SHIFT];
	const unsigned watched =
		(kinds & EXEC_WRITE ? ARENA_PAGE_WATCH_WRITE : 0u) | (kinds & EXEC_READ ? ARENA_PAGE_WATCH_READ : 0u);
	if (observed && __builtin_expect((*p | *q) & watched, 0) && mem_is_watched(x, first, last))
		return false;
	if (kinds & EXEC_WRITE && __builtin_expect(!(*p & *q & ARENA_PAGE_DIRTY), 0))
		mem_touch(x, first, last);
	return true;
}

/* Returns true if `span` bytes at an address end within the first `bytes`. */
MEM_INLINE bool mem_inside(uint64_t address, uint64_t span, uint64_t bytes)
{
	return address < bytes && span <= bytes - address;
}

/* Returns the limit of the present instruction's addresses. Returns NULL if it has none. */
MEM_INLINE const struct exec_limit *mem_limit(const struct exec *x)
{
	const struct exec_limits *const l = x->wants.limits;
	return l && x->pc < l->n && l->at[x->pc].end ? &l->at[x->pc] : NULL;
}

/* Narrows the bounds of a space to the instruction's limit, if it has one there; in local memory only the end. */
MEM_INLINE void mem_narrow(const struct exec *x, unsigned space, uint64_t *first, uint64_t *end, const bool observed)
{
	const struct exec_limit *const l = observed ? mem_limit(x) : NULL;
	if (!l || l->space != space)
		return;
	const uint64_t frame = space == ISA_SPACE_LOCAL ? x->local_sp : 0;
	if (space != ISA_SPACE_LOCAL)
		*first = l->is_dynamic ? x->launch->dynamic_base : l->first;
	*end = l->is_dynamic ? x->shared_bytes : l->end + frame;
}

/* Returns the host address of `span` bytes, at most two pages, at a space-relative address. Returns NULL if lanes must be checked one by one. */
MEM_INLINE char *mem_range_host(struct exec *x, unsigned space, uint64_t address, uint64_t span, unsigned kinds,
				const bool observed)
{
	if (space == ISA_SPACE_GLOBAL) {
		const struct exec_window *w = &x->tlb[x->pc & MEM_TLB_MASK];
		if (address < w->first || !mem_inside(address, span, w->end) ||
		    !mem_pages(x, address, address + span - 1, kinds, observed))
			return NULL;
		return x->global + address;
	}
	if (observed && x->wants.spaces)
		return NULL;
	if (space == ISA_SPACE_SHARED) {
		uint64_t first = 0, end = x->shared_bytes;
		mem_narrow(x, space, &first, &end, observed);
		return address >= first && mem_inside(address, span, end) ? x->shared + address : NULL;
	}
	if (kinds & EXEC_WRITE)
		return NULL;
	if (space == ISA_SPACE_PARAM)
		return mem_inside(address, span, x->param_bytes) ? (char *)x->param + address : NULL;
	if (space == ISA_SPACE_CONST) {
		uint64_t first = 0, end = x->const_bytes;
		mem_narrow(x, space, &first, &end, observed);
		return address >= first && mem_inside(address, span, end) ? (char *)x->constant + address : NULL;
	}
	return NULL;
}

/* Returns false if a watcher stops the machine in front of a recorded access. */
MEM_INLINE bool mem_watchers_allow(struct exec *x)
{
	return __builtin_expect(!(x->wants.kinds & EXEC_LOOK(ACCESS)), 1) || !effect_before_access(x);
}

/* Returns where a thread's local memory ends, in local addresses. */
MEM_INLINE uint64_t mem_local_end(const struct exec *x, const bool observed)
{
	return observed && x->wants.local_frames ? x->top->local_top : x->local_stride;
}

/* ---- any addresses in one space ---- */
/* Marks the pages of all executing lanes' local memory as written. */
MEM_INLINE void mem_touch_local(struct exec *x)
{
	const uint64_t first = (uint64_t)(x->local - x->local_base) + (uint64_t)lanes_first(x->mask) * x->local_stride;
	const uint64_t end =
		(uint64_t)(x->local - x->local_base) + (uint64_t)(32 - __builtin_clz(x->mask)) * x->local_stride;
	unsigned dirty = ARENA_PAGE_DIRTY;
	for (uint64_t p = first >> ARENA_PAGE_SHIFT; p <= (end - 1) >> ARENA_PAGE_SHIFT; p++)
		dirty &= x->local_flags[p];
	if (__builtin_expect(!dirty, 0))
		arena_touch(x->arena, x->sec_local, first, end - first);
}

/* Returns 0xff in each byte of a word of page flags, for pages p to p+7, that stands for a page outside [first, last]. */
MEM_INLINE uint64_t mem_flags_outside(uint64_t p, uint64_t first, uint64_t last)
{
	const uint64_t below = p < first ? (UINT64_C(1) << 8 * (first - p)) - 1 : 0;
	return p + 7 > last ? below | ~UINT64_C(0) << 8 * (last - p) << 8 : below;
}

/* Returns false if a page of global memory between two offsets, or one that a lane accesses, may be watched for this kind of access. `high`: the last
 * offset that a lane accesses. For a write it marks the lanes' pages as written. */
MEM_INLINE bool mem_pages_between(struct exec *x, uint64_t low, uint64_t high, unsigned kinds, const struct mem_at *at,
				  const bool observed)
{
	if (!observed && !(kinds & EXEC_WRITE))
		return true;
	const uint64_t ones = UINT64_C(0x0101010101010101);
	const uint64_t watched = ones * ((kinds & EXEC_WRITE ? ARENA_PAGE_WATCH_WRITE : 0u) |
					 (kinds & EXEC_READ ? ARENA_PAGE_WATCH_READ : 0u));
	const uint64_t first = low >> ARENA_PAGE_SHIFT, last = high >> ARENA_PAGE_SHIFT;
	uint64_t any = 0, all = ones * ARENA_PAGE_DIRTY;
	if (last - first < MEM_PAGES_MAX) {
		/* eight pages at a time; a neighbour's watch only costs the closer look */
		for (uint64_t p = first & ~UINT64_C(7); p <= last; p += 8) {
			uint64_t f;
			memcpy(&f, &x->global_flags[p], sizeof f);
			any |= f;
			all &= f | (kinds & EXEC_WRITE ? mem_flags_outside(p, first, last) : 0);
		}
	} else {
		for (unsigned l = 0; l < LANES; l++) {
			const uint64_t f = x->global_flags[at->offset[l] >> ARENA_PAGE_SHIFT];
			any |= f;
			all &= f * ones;
		}
	}
	if (observed && any & watched && mem_is_watched(x, low, high))
		return false;
	if (kinds & EXEC_WRITE && all != ones * ARENA_PAGE_DIRTY)
		mem_touch_lanes(x, at->offset);
	return true;
}

/* Checks all lanes' space-relative addresses in at->offset together and completes *at. Returns false if lanes must be checked one by one. */
MEM_INLINE bool mem_any_host(struct exec *x, unsigned space, uint32_t size, unsigned kinds, struct mem_at *at,
			     const bool observed)
{
	uint64_t first = 0, end;
	if (space == ISA_SPACE_GLOBAL) {
		const struct exec_window *w = &x->tlb[x->pc & MEM_TLB_MASK];
		first = w->first;
		end = w->end;
		at->host = x->global;
	} else if (observed && x->wants.spaces) {
		return false;
	} else if (space == ISA_SPACE_SHARED) {
		end = x->shared_bytes;
		at->host = x->shared;
	} else if (space == ISA_SPACE_LOCAL && !(kinds & EXEC_ATOMIC)) {
		end = mem_local_end(x, observed);
		at->host = x->local;
	} else if (space == ISA_SPACE_PARAM && !(kinds & EXEC_WRITE)) {
		end = x->param_bytes;
		at->host = (char *)x->param;
	} else if (space == ISA_SPACE_CONST && !(kinds & EXEC_WRITE)) {
		end = x->const_bytes;
		at->host = (char *)x->constant;
	} else {
		return false;
	}
	mem_narrow(x, space, &first, &end, observed);
	/* addresses have no sign bit, so a signed comparison will do: the lowest and highest stand for all */
	int64_t low = INT64_MAX, high = INT64_MIN;
	uint64_t ones = 0;
	LANES_LOOP
	{
		const int64_t a = (int64_t)at->offset[l];
		low = a < low ? a : low;
		high = a > high ? a : high;
		ones |= at->offset[l];
	}
	if (low < (int64_t)first || !mem_inside((uint64_t)high, size, end) || ones & (size - 1))
		return false;
	if (space == ISA_SPACE_GLOBAL && !mem_pages_between(x, (uint64_t)low, (uint64_t)high + size - 1, kinds, at, observed))
		return false;
	if (space == ISA_SPACE_LOCAL) {
		/* every lane that exists may read its own copy, also those that don't execute */
		const uint64_t stride = x->local_stride;
		LANES_LOOP at->offset[l] += l * stride;
		if (kinds & EXEC_WRITE)
			mem_touch_local(x);
	}
	return true;
}

/* Locates an access of any shape. Returns false if the instruction faults or stops. */
MEM_INLINE bool mem_locate_any(struct exec *x, const struct isa_insn *i, unsigned space, uint32_t size, unsigned kinds,
			       struct mem_at *at, const bool observed)
{
	const unsigned l0 = lanes_first(x->mask);
	const uint32_t mask = x->mask;
	const uint64_t imm = (uint64_t)i->imm;
	if (i->a == ISA_REF_NONE) {
		const uint64_t address = mem_absolute(x, i);
		LANES_LOOP at->offset[l] = address;
	} else if (i->a_bytes == 8) {
		const row_u64 *row = LANES_SRC(row_u64, i->a);
		const uint64_t a0 = row[l0];
		LANES_LOOP at->offset[l] = ((mask & lanes_bits[l]) ? row[l] : a0) + imm;
	} else {
		const row_u32 *row = LANES_SRC(row_u32, i->a);
		const uint32_t a0 = row[l0];
		LANES_LOOP at->offset[l] = ((mask & lanes_bits[l]) ? row[l] : a0) + (uint32_t)imm;
	}
	if (space == ISA_SPACE_GENERIC) {
		space = mem_generic_space(at->offset[l0]);
		const uint64_t window = mem_window((enum isa_space)space);
		if (window)
			LANES_LOOP at->offset[l] -= window;
	}
	at->shape = MEM_ANY;
	if (!mem_any_host(x, space, size, kinds, at, observed))
		return mem_locate_lanes(x, i, size, kinds, at);
	if (observed && x->wants.records)
		mem_record(x, i, space, size, kinds);
	return !observed || mem_watchers_allow(x);
}

/* Returns the address of a lane, as the instruction forms it in its space. */
MEM_INLINE uint64_t mem_first(const struct exec *x, const struct isa_insn *i, unsigned lane)
{
	if (i->a == ISA_REF_NONE)
		return mem_absolute(x, i);
	if (i->a_bytes == 8)
		return LANES_SRC(row_u64, i->a)[lane] + (uint64_t)i->imm;
	return LANES_SRC(row_u32, i->a)[lane] + (uint32_t)i->imm;
}
/* Returns the shape of an access, from the lanes' addresses. */
MEM_INLINE enum mem_shape mem_shape(const struct exec *x, const struct isa_insn *i, uint32_t size)
{
	if (i->a == ISA_REF_NONE)
		return MEM_UNIFORM;
	return i->a_bytes == 8 ? mem_shape64(LANES_SRC(row_u64, i->a), x->mask, size)
			       : mem_shape32(LANES_SRC(row_u32, i->a), x->mask, size);
}

/* Locates an access to the same local address in all lanes, with one check. Returns false if lanes must be checked one by one. */
MEM_INLINE bool mem_locate_local(struct exec *x, uint64_t address, uint32_t size, unsigned kinds, struct mem_at *at,
				 const bool observed)
{
	const uint64_t stride = x->local_stride;
	uint64_t first = 0, end = mem_local_end(x, observed);
	mem_narrow(x, ISA_SPACE_LOCAL, &first, &end, observed);
	if (address < first || !mem_inside(address, size, end) || address & (size - 1) || (observed && x->wants.spaces))
		return false;
	at->shape = MEM_ANY;
	at->host = x->local + address;
	LANES_LOOP at->offset[l] = l * stride;
	if (kinds & EXEC_WRITE)
		mem_touch_local(x);
	return true;
}

/* Locates the lanes of an access, with the result in *at, and records it where that is wanted. Returns false if the instruction faults or
 * stops. `halves` says that the caller handles MEM_HALF_*. With constant space, size and kinds the compiler leaves only what that access needs. */
MEM_INLINE bool mem_locate(struct exec *x, const struct isa_insn *i, unsigned space, uint32_t size, unsigned kinds,
			   bool halves, struct mem_at *at, const bool observed)
{
	const unsigned l0 = lanes_first(x->mask);
	at->high = NULL;
	if (observed && __builtin_expect(x->wants.lanewise, 0))
		return mem_locate_lanes(x, i, size, kinds, at);
	at->shape = mem_shape(x, i, size);
	if (at->shape == MEM_ANY || (!halves && (at->shape == MEM_HALF_ROW || at->shape == MEM_HALF_UNIFORM)))
		return mem_locate_any(x, i, space, size, kinds, at, observed);
	uint64_t address = mem_first(x, i, l0), window = 0;
	if (space == ISA_SPACE_GENERIC) {
		space = mem_generic_space(address);
		window = mem_window((enum isa_space)space);
		address -= window;
	}
	if (space == ISA_SPACE_LOCAL) {
		if (at->shape != MEM_UNIFORM || kinds & EXEC_ATOMIC)
			return mem_locate_any(x, i, i->space, size, kinds, at, observed);
		if (!mem_locate_local(x, address, size, kinds, at, observed))
			return mem_locate_lanes(x, i, size, kinds, at);
		if (observed && x->wants.records)
			mem_record(x, i, space, size, kinds);
		return !observed || mem_watchers_allow(x);
	}
	uint32_t span = size;
	uint64_t high = 0;
	bool closer = address & (size - 1);
	if (at->shape == MEM_ROW)
		span = size * (32u - (uint32_t)__builtin_clz(x->mask) - l0);
	if (at->shape == MEM_HALF_ROW || at->shape == MEM_HALF_UNIFORM) {
		high = mem_first(x, i, 16) - window;
		span = at->shape == MEM_HALF_ROW ? 16 * size : size;
		at->high = mem_range_host(x, space, high, span, kinds, observed);
		closer = closer || !at->high || high & (size - 1);
	}
	at->host = mem_range_host(x, space, address, span, kinds, observed);
	if (__builtin_expect(!at->host || closer, 0))
		return mem_locate_lanes(x, i, size, kinds, at);
	if (at->shape == MEM_ROW)
		at->host -= (size_t)size * l0;
	if (observed && x->wants.records)
		mem_record_shape(x, space, size, kinds, &(struct mem_halves){.low = address, .high = high}, at->shape);
	return !observed || mem_watchers_allow(x);
}

#endif
