/* Memory accesses one lane at a time: everything the warp-wide checks of memory.h leave over, and what faults. */
#include "exec/memory.h"

/* One access while its lanes are looked at. */
struct resolving {
	struct exec *x;
	uint32_t size;
	unsigned kinds;
	bool is_param;		 /* .param in local memory */
	uint32_t align;		 /* of each address */
	enum isa_space space;	 /* as written; GENERIC: each lane has its own */
	uint64_t address[LANES]; /* as the instruction forms them; then in space_of */
	uint8_t space_of[LANES];
	char *host[LANES];
	uint8_t fault[LANES];	   /* enum exec_fault_kind */
	struct exec_window window; /* the allocation found last */
	struct exec_window other;  /* the addresses found last of memory that is elsewhere, */
	uint64_t other_at;	   /* and where: by that everything here goes */
};

void mem_addresses(const struct exec *x, const struct isa_insn *i, uint64_t address[LANES])
{
	if (i->a == ISA_REF_NONE) {
		for (unsigned l = 0; l < LANES; l++)
			address[l] = mem_absolute(x, i);
	} else if (i->a_bytes == 8) {
		for (unsigned l = 0; l < LANES; l++)
			address[l] = exec_src64(x, i->a)[l] + (uint64_t)i->imm;
	} else {
		for (unsigned l = 0; l < LANES; l++)
			address[l] = exec_src32(x, i->a)[l] + (uint32_t)i->imm;
	}
}

static bool window_holds(const struct resolving *r, const struct exec_window *w, uint64_t address)
{
	return address >= w->first && mem_inside(address, r->size, w->end);
}

/* Returns the host address of memory that is mapped elsewhere, and sets the lane's address to its device address; NULL if there is none. */
static char *elsewhere(struct resolving *r, unsigned lane)
{
	const struct exec_services *s = &r->x->services;
	uint64_t *address = &r->address[lane];
	if (!window_holds(r, &r->other, *address) &&
	    (!s->elsewhere ||
	     !s->elsewhere(s->self, r->x->context, *address, r->kinds & EXEC_WRITE, &r->other, &r->other_at) ||
	     !window_holds(r, &r->other, *address)))
		return NULL;
	*address = r->other_at + (*address - r->other.first);
	return r->x->global + *address;
}

/* Global addresses hold what an allocation holds, to the byte. */
static char *global_host(struct resolving *r, unsigned lane)
{
	struct exec *x = r->x;
	const uint64_t address = r->address[lane];
	if (window_holds(r, &r->window, address))
		return x->global + address;
	struct exec_window w = {0};
	if (window_holds(r, &r->other, address) || address >= x->limits->device_end ||
	    !x->services.find_allocation(x->services.self, x->context, address, r->size, &w))
		return elsewhere(r, lane);
	if (x->services.is_read_only && x->services.is_read_only(x->services.self, address))
		return r->kinds & EXEC_WRITE ? NULL : x->global + address; /* each access takes the closer look */
	r->window = w;
	x->tlb[x->pc & MEM_TLB_MASK] = w;
	return x->global + address;
}

/* Returns constant memory that is read by its address in the global space, as cudaGetSymbolAddress gives it; NULL if the access is no read of it. */
static char *constant_host(struct resolving *r, unsigned lane)
{
	const struct exec *x = r->x;
	const uint64_t address = r->address[lane] - EXEC_CONST_WINDOW;
	if (r->kinds & EXEC_WRITE || r->address[lane] < EXEC_CONST_WINDOW ||
	    !mem_inside(address, r->size, x->const_bytes))
		return NULL;
	r->address[lane] = address;
	r->space_of[lane] = ISA_SPACE_CONST;
	return (char *)x->constant + address;
}

static char *window_host(char *base, uint64_t address, uint32_t size, uint64_t bytes)
{
	return mem_inside(address, size, bytes) ? base + address : NULL;
}

/* Returns true if an access in a space goes beyond the variable that its instruction computes the address from. */
static bool is_outside(const struct exec *x, enum isa_space space, uint64_t address, uint32_t size)
{
	uint64_t first = 0, end = UINT64_MAX;
	mem_narrow(x, space, &first, &end, true);
	return address < first || !mem_inside(address, size, end);
}

/* Frames of called functions and parameters in local memory are aligned to words only (ptx/layout.c). */
static bool is_loose(const struct resolving *r, uint64_t address)
{
	return !(address & (r->size < 4 ? r->size - 1 : 3)) && (r->is_param || r->x->local_sp);
}

static enum exec_fault_kind resolve_lane(struct resolving *r, unsigned lane)
{
	struct exec *x = r->x;
	uint64_t address = r->address[lane];
	enum isa_space space = r->space;
	if (space == ISA_SPACE_GENERIC) {
		space = mem_generic_space(address);
		/* an address in no space, and a write to constant memory, is reported as a wrong global one */
		const bool is_wrong = space == ISA_SPACE_GENERIC || space == ISA_SPACE_CODE ||
				      (space == ISA_SPACE_CONST && r->kinds & EXEC_WRITE);
		r->space_of[lane] = (uint8_t)(is_wrong ? ISA_SPACE_GLOBAL : space);
		if (is_wrong)
			return address & (r->align - 1) ? EXEC_FAULT_MISALIGNED : EXEC_FAULT_ILLEGAL_ADDRESS;
		address -= mem_window(space);
		r->address[lane] = address;
	}
	r->space_of[lane] = (uint8_t)space;
	if (address & (r->align - 1) && !(space == ISA_SPACE_LOCAL && is_loose(r, address)))
		return EXEC_FAULT_MISALIGNED;
	switch (space) {
	case ISA_SPACE_GLOBAL:
		r->host[lane] = global_host(r, lane);
		if (!r->host[lane])
			r->host[lane] = constant_host(r, lane);
		return r->host[lane] ? EXEC_FAULT_NONE : EXEC_FAULT_ILLEGAL_ADDRESS;
	case ISA_SPACE_SHARED: r->host[lane] = window_host(x->shared, address, r->size, x->shared_bytes); break;
	case ISA_SPACE_LOCAL:
		if (r->kinds & EXEC_ATOMIC)
			return EXEC_FAULT_INVALID_ADDRESS_SPACE;
		r->host[lane] = window_host(exec_local_at(x, lane, 0), address, r->size, mem_local_end(x, true));
		break;
	case ISA_SPACE_PARAM:
	case ISA_SPACE_CONST:
		if (r->kinds & EXEC_WRITE)
			return EXEC_FAULT_INVALID_ADDRESS_SPACE;
		r->host[lane] = space == ISA_SPACE_PARAM
					? window_host((char *)x->param, address, r->size, x->param_bytes)
					: window_host((char *)x->constant, address, r->size, x->const_bytes);
		break;
	default: return EXEC_FAULT_INVALID_ADDRESS_SPACE;
	}
	if (is_outside(x, space, address, r->size))
		return EXEC_FAULT_OUT_OF_RANGE;
	return r->host[lane] ? EXEC_FAULT_NONE : EXEC_FAULT_OUT_OF_RANGE;
}

/* The lowest faulting lane says which fault it is; the mask holds the lanes that fault the same way. */
static void raise_fault(struct resolving *r)
{
	uint32_t lanes = 0;
	unsigned first = LANES;
	LANES_EACH (l, r->x->mask) {
		if (!r->fault[l])
			continue;
		if (first == LANES)
			first = l;
		if (r->fault[l] == r->fault[first] && r->space_of[l] == r->space_of[first])
			lanes |= lanes_bit(l);
	}
	exec_raise_access(r->x, (enum exec_fault_kind)r->fault[first], lanes, (enum isa_space)r->space_of[first],
			  r->address[first], r->size, r->kinds);
}

/* Returns the bits of exec_watcher.spaces for this kind of access to a space. */
static uint32_t space_bits(const struct resolving *r, unsigned space)
{
	return (r->kinds & EXEC_WRITE ? 1u << space : 0u) | (r->kinds & EXEC_READ ? 1u << (space + 8) : 0u);
}

/* Returns true if a lane's place may be watched for this kind of access. */
static bool watched(const struct resolving *r, unsigned lane)
{
	const struct exec *x = r->x;
	const unsigned space = r->space_of[lane];
	if (space == ISA_SPACE_GLOBAL) {
		const unsigned bits = (r->kinds & EXEC_WRITE ? ARENA_PAGE_WATCH_WRITE : 0u) |
				      (r->kinds & EXEC_READ ? ARENA_PAGE_WATCH_READ : 0u);
		return x->global_flags[r->address[lane] >> ARENA_PAGE_SHIFT] & bits;
	}
	return x->wants.spaces & space_bits(r, space);
}

static void fill_access(const struct resolving *r)
{
	struct exec_access *a = &r->x->effect.access;
	const uint32_t mask = r->x->mask;
	*a = (struct exec_access){
		.lanes = mask,
		.size = r->size,
		.space = r->space_of[lanes_first(mask)],
		.is_read = r->kinds & EXEC_READ,
		.is_write = r->kinds & EXEC_WRITE,
		.is_atomic = r->kinds & EXEC_ATOMIC,
	};
	r->x->effect.kind = EXEC_EFFECT_ACCESS;
	r->x->effect.lanes = mask;
	r->x->effect.deferred = a->is_atomic && r->x->wants.defers;
	LANES_EACH (l, mask) {
		a->address[l] = r->address[l] + mem_window((enum isa_space)r->space_of[l]);
		if (r->space_of[l] != a->space)
			a->space = ISA_SPACE_GENERIC;
	}
}

/* Fills the fields of a recorded access that don't depend on addresses. */
static struct exec_access *begin_record(struct exec *x, unsigned space, uint32_t size, unsigned kinds)
{
	struct exec_access *a = &x->effect.access;
	a->lanes = x->mask;
	a->size = size;
	a->space = (uint8_t)space;
	a->is_read = kinds & EXEC_READ;
	a->is_write = kinds & EXEC_WRITE;
	a->is_atomic = kinds & EXEC_ATOMIC;
	x->effect.deferred = a->is_atomic && x->wants.defers;
	return a;
}

void mem_record(struct exec *x, const struct isa_insn *i, unsigned space, uint32_t size, unsigned kinds)
{
	struct exec_access *a = begin_record(x, space, size, kinds);
	a->in_halves = false;
	mem_addresses(x, i, a->address);
	if (i->space == ISA_SPACE_GENERIC)
		return;
	const uint64_t window = mem_window((enum isa_space)space);
	for (unsigned l = 0; l < LANES; l++)
		a->address[l] += window;
}

void mem_record_halves(struct exec *x, unsigned space, uint32_t size, unsigned kinds, const struct mem_halves *h)
{
	struct exec_access *a = begin_record(x, space, size, kinds);
	const uint64_t window = mem_window((enum isa_space)space);
	a->in_halves = true;
	a->step = h->step;
	a->start[0] = h->low + window;
	a->start[1] = h->high + window;
}

/* Returns true if an access of a lane to global memory touches one of the ranges of *w. */
static bool touches_range(const struct resolving *r, unsigned lane, const struct exec_watcher *w)
{
	const uint64_t address = r->address[lane];
	for (size_t k = 0; k < w->n_ranges; k++) {
		const struct exec_range *const range = &w->ranges[k];
		if (address < range->address + range->n && range->address < address + r->size &&
		    ((range->writes && r->kinds & EXEC_WRITE) || (range->reads && r->kinds & EXEC_READ)))
			return true;
	}
	return false;
}

/* Returns true if an access of a lane touches what *w has named. */
static bool touches(const struct resolving *r, unsigned lane, const struct exec_watcher *w)
{
	const unsigned space = r->space_of[lane];
	return space == ISA_SPACE_GLOBAL ? touches_range(r, lane, w) : w->spaces & space_bits(r, space);
}

/* Returns the watchers that have named what the access touches, a bit each by their place in exec_watching.entry. */
static uint32_t touched_watchers(const struct resolving *r)
{
	const struct exec_watching *const s = &r->x->watching;
	uint32_t lanes = 0, set = 0;
	LANES_EACH (l, r->x->mask)
		lanes |= watched(r, l) ? lanes_bit(l) : 0;
	for (uint32_t k = 0; lanes && k < s->n; k++)
		LANES_EACH (l, lanes)
			if (!s->entry[k].rests && s->entry[k].w->before && touches(r, l, s->entry[k].w))
				set |= 1u << k;
	return set;
}

/* Records the access where that is wanted. Returns true if a watcher stops the instruction. */
static bool stop_for_watchers(struct resolving *r)
{
	struct exec *const x = r->x;
	const uint32_t touched = x->wants.ranges || x->wants.spaces ? touched_watchers(r) : 0;
	const bool is_seen = x->wants.kinds & EXEC_LOOK(ACCESS);
	if (touched || x->wants.records || is_seen)
		fill_access(r);
	x->after_is_due = is_seen;
	return (touched || is_seen) && effect_before_touched(x, touched);
}

void mem_touch(struct exec *x, uint64_t first, uint64_t last)
{
	arena_touch(x->arena, x->sec_global, first, last - first + 1);
}

/* aligned, so no lane's place is on two pages */
void mem_touch_lanes(struct exec *x, const uint64_t offset[LANES])
{
	for (unsigned l = 0; l < LANES; l++)
		arena_touch(x->arena, x->sec_global, offset[l], 1);
}

static void touch_lane(const struct resolving *r, unsigned lane)
{
	if (r->space_of[lane] == ISA_SPACE_GLOBAL)
		arena_touch(r->x->arena, r->x->sec_global, r->address[lane], r->size);
	else if (r->space_of[lane] == ISA_SPACE_LOCAL)
		arena_touch(r->x->arena, r->x->sec_local, (uint64_t)(r->host[lane] - r->x->local_base), r->size);
}

/* ---- accesses that a checker keeps from being made ---- */

static void clear_row(struct exec *x, uint32_t ref, unsigned bytes, uint32_t lanes)
{
	if (ref == ISA_REF_NONE)
		return;
	LANES_EACH (l, lanes) {
		if (bytes <= 2)
			exec_dst16(x, ref)[l] = 0;
		else if (bytes == 4)
			exec_dst32(x, ref)[l] = 0;
		else
			exec_dst64(x, ref)[l] = 0;
		if (bytes == 16)
			exec_dst64(x, ref)[l + LANES] = 0;
	}
}

/* Makes the results of lanes without access zero. */
static void load_nothing(struct exec *x, const struct isa_insn *i, unsigned kinds, uint32_t lanes)
{
	const bool loads =
		kinds & EXEC_ATOMIC ? i->handler == ISA_H_atom : kinds & EXEC_READ && i->handler != ISA_H_discard;
	const unsigned bytes = kinds & EXEC_ATOMIC ? isa_type_bytes((enum isa_type)i->type) : i->dst_bytes;
	if (!loads)
		return;
	if (i->vec <= 1)
		clear_row(x, i->dst, bytes, lanes);
	for (unsigned k = 0; i->vec > 1 && k < i->vec; k++)
		clear_row(x, x->program->aux[i->aux + k], bytes, lanes);
}

/* Judges the lanes that would fault. Returns true if they are taken out of x->mask, and stores them in *lanes; false if the instruction faults or stops. */
static bool goes_without(struct resolving *r, uint32_t *lanes)
{
	struct exec *x = r->x;
	struct exec_wrong w = {.size = r->size, .is_write = r->kinds & EXEC_WRITE, .is_atomic = r->kinds & EXEC_ATOMIC};
	enum exec_judgement judgement;
	LANES_EACH (l, x->mask) {
		w.fault[l] = r->fault[l];
		w.space[l] = r->space_of[l];
		w.address[l] = r->address[l];
		w.lanes |= r->fault[l] ? lanes_bit(l) : 0;
	}
	judgement = effect_judge_wrong(x, &w);
	if (judgement == EXEC_JUDGE_FAULT)
		raise_fault(r);
	if (judgement == EXEC_JUDGE_STOP)
		exec_stop_access(x);
	x->mask &= judgement == EXEC_JUDGE_SKIP ? ~w.lanes : LANES_ALL;
	*lanes = w.lanes;
	return judgement == EXEC_JUDGE_SKIP;
}

/* Checks the lanes' addresses and stores each lane's host address less x->global in offset[]. Returns false as mem_resolve does. */
static bool resolve_lanes(struct resolving *r, const struct isa_insn *i, uint64_t offset[LANES])
{
	struct exec *const x = r->x;
	bool faults = false;
	r->window = x->tlb[x->pc & MEM_TLB_MASK];
	uint32_t without = 0;
	LANES_EACH (l, x->mask) {
		r->fault[l] = (uint8_t)resolve_lane(r, l);
		faults = faults || r->fault[l];
	}
	if ((faults && !goes_without(r, &without)) || (x->mask && stop_for_watchers(r)))
		return false;
	if (without)
		load_nothing(x, i, r->kinds, without);
	if (!x->mask)
		return false;
	const unsigned first = lanes_first(x->mask);
	for (unsigned l = 0; l < LANES; l++)
		offset[l] = (uint64_t)(r->host[x->mask & lanes_bit(l) ? l : first] - x->global);
	if (r->kinds & EXEC_WRITE)
		LANES_EACH (l, x->mask)
			touch_lane(r, l);
	return true;
}

bool mem_resolve(struct exec *x, const struct isa_insn *i, uint32_t size, unsigned kinds, uint64_t offset[LANES])
{
	struct resolving r = {.x = x, .size = size, .align = size, .kinds = kinds, .space = (enum isa_space)i->space};
	r.is_param = i->flags & ISA_F_PARAM;
	mem_addresses(x, i, r.address);
	return resolve_lanes(&r, i, offset);
}

bool mem_resolve_global(struct exec *x, const struct isa_insn *i, uint32_t size, unsigned kinds, const uint64_t address[LANES],
			uint64_t offset[LANES])
{
	struct resolving r = {.x = x, .size = size, .align = size, .kinds = kinds, .space = ISA_SPACE_GLOBAL};
	memcpy(r.address, address, sizeof r.address);
	return resolve_lanes(&r, i, offset);
}

bool mem_resolve_given(struct exec *x, const struct isa_insn *i, const struct mem_given_access *a, const uint64_t address[LANES],
		       uint64_t offset[LANES])
{
	struct resolving r = {.x = x, .size = a->size, .align = a->align, .kinds = a->kinds, .space = (enum isa_space)a->space};
	memcpy(r.address, address, sizeof r.address);
	return resolve_lanes(&r, i, offset);
}

void mem_report_done(struct exec *x, uint32_t size, unsigned kinds, const uint64_t address[LANES])
{
	struct resolving r = {.x = x, .size = size, .kinds = kinds, .space = ISA_SPACE_GLOBAL};
	memcpy(r.address, address, sizeof r.address);
	memset(r.space_of, ISA_SPACE_GLOBAL, sizeof r.space_of);
	fill_access(&r);
	x->effect.deferred = false;
	effect_after(x, &x->effect);
}
