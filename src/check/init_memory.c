/* The init checker's memory: which bytes were written, and what loads and stores do to that. */
#include <string.h>

#include "check/init.h"
#include "isa/opcodes.h"

enum isa_space init_space_of(uint64_t generic)
{
	if (generic >= EXEC_MODULE_GLOBALS)
		return ISA_SPACE_GLOBAL;
	if (generic >= EXEC_SHARED_WINDOW && generic < EXEC_LOCAL_WINDOW)
		return ISA_SPACE_SHARED;
	return generic >= EXEC_LOCAL_WINDOW && generic < EXEC_PARAM_WINDOW ? ISA_SPACE_LOCAL : ISA_SPACE_GENERIC;
}

static uint8_t *at(struct init *in, int section, uint64_t offset, uint64_t n, bool write)
{
	struct arena *a = in->x->arena;
	if (write) {
		if (!arena_use(a, section, offset + n))
			return NULL;
		arena_touch(a, section, offset, n);
	}
	return arena_at(a, section, offset);
}

uint8_t *init_memory_at(struct init *in, const struct exec *x, uint64_t generic, unsigned lane, uint64_t n, bool write)
{
	switch (init_space_of(generic)) {
	case ISA_SPACE_GLOBAL:
		if (generic < x->program->global_next || generic >= x->limits->device_end ||
		    n > x->limits->device_end - generic)
			return NULL;
		return at(in, in->sec_global, generic, n, write);
	case ISA_SPACE_SHARED: {
		const uint64_t offset = generic - EXEC_SHARED_WINDOW;
		if (offset >= x->shared_bytes || n > x->shared_bytes - offset)
			return NULL;
		return at(in, in->sec_shared, x->cta->shared + offset, n, write);
	}
	case ISA_SPACE_LOCAL: {
		const uint64_t offset = generic - EXEC_LOCAL_WINDOW;
		if (offset >= x->local_stride || n > x->local_stride - offset)
			return NULL;
		return at(in, in->sec_local, x->warp->local + (uint64_t)lane * x->local_stride + offset, n, write);
	}
	default: return NULL;
	}
}

bool init_all_defined(const uint8_t *p, uint64_t n)
{
	uint64_t all = UINT64_MAX, v;
	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&v, p, 8);
		all &= v;
	}
	for (; n; n--)
		all &= UINT64_MAX << 8 | *p++;
	return all == UINT64_MAX;
}

bool init_is_watched(const struct init *in, uint64_t generic)
{
	const struct gpu_allocation *a =
		generic >= EXEC_MODULE_GLOBALS ? gpu_nearest_allocation(check_gpu(in->c), generic) : NULL;
	return !a || !a->by_runtime;
}

/* Computes the generic addresses that a load, store or atomic accesses, for all lanes. */
static void access_addresses(const struct exec *x, const struct isa_insn *i, uint64_t address[LANES])
{
	static const uint64_t windows[ISA_SPACE_COUNT] = {[ISA_SPACE_SHARED] = EXEC_SHARED_WINDOW,
							  [ISA_SPACE_LOCAL] = EXEC_LOCAL_WINDOW,
							  [ISA_SPACE_PARAM] = EXEC_PARAM_WINDOW,
							  [ISA_SPACE_CONST] = EXEC_CONST_WINDOW};
	const uint64_t window = windows[i->space];
	const char *row = x->base[ISA_REF_BASE(i->a)] + ISA_REF_OFFSET(i->a);
	for (unsigned l = 0; l < LANES; l++) {
		if (i->a == ISA_REF_NONE)
			address[l] = (uint64_t)i->imm + (i->flags & ISA_F_ADDR_SP ? x->local_sp : 0);
		else if (i->a_bytes == 8)
			address[l] = ((const uint64_t *)(const void *)row)[l] + (uint64_t)i->imm;
		else
			address[l] = ((const uint32_t *)(const void *)row)[l] + (uint32_t)i->imm;
		address[l] += window;
	}
}

/* The lanes of a half warp are equally far apart: their bytes lie in [first, first + n). */
static bool in_steps(const uint64_t address[LANES / 2], uint64_t size, uint64_t *first, uint64_t *n)
{
	const uint64_t step = address[1] - address[0], last = address[LANES / 2 - 1];
	uint64_t differs = 0;
	for (unsigned l = 1; l < LANES / 2; l++) /* without branches */
		differs |= (address[l] - address[l - 1]) ^ step;
	*first = last > address[0] ? address[0] : last;
	*n = (last > address[0] ? last - address[0] : address[0] - last) + size;
	return !differs;
}

/* The lanes' bytes lie in [first, first + n). */
static void range_of(const uint64_t *address, uint32_t lanes, uint64_t size, uint64_t *first, uint64_t *n)
{
	uint64_t low = UINT64_MAX, high = 0;
	LANES_EACH (l, lanes) {
		low = address[l] < low ? address[l] : low;
		high = address[l] > high ? address[l] : high;
	}
	*first = low;
	*n = high - low + size;
}

/* Close together, in one space that is the same for all lanes. */
static bool is_dense(uint64_t first, uint64_t n, uint64_t size)
{
	const enum isa_space space = init_space_of(first);
	return n <= 64 * size && space == init_space_of(first + n - 1) && space != ISA_SPACE_LOCAL;
}

static bool half_defined(struct init *in, const struct exec *x, uint32_t lanes, uint64_t size)
{
	const unsigned from = lanes & 0xffffu ? 0 : LANES / 2;
	const bool full = lanes == 0xffffu << from;
	uint64_t first, n;
	if (!lanes)
		return true;
	if (!full || !in_steps(&in->address[from], size, &first, &n))
		range_of(in->address, lanes, size, &first, &n);
	const uint8_t *p = is_dense(first, n, size) ? init_memory_at(in, x, first, 0, n, false) : NULL;
	return p && init_all_defined(p, n);
}

static bool lanes_defined(struct init *in, const struct exec *x, uint32_t lanes, uint64_t size)
{
	if (half_defined(in, x, lanes & 0xffffu, size) && half_defined(in, x, lanes & ~0xffffu, size))
		return true;
	LANES_EACH (l, lanes) {
		const uint8_t *p = init_memory_at(in, x, in->address[l], l, size, false);
		if (p && !init_all_defined(p, size))
			return false;
	}
	return true;
}

/* Memory that has several addresses is known at the one where it is. */
static void resolve_aliases(struct init *in, const struct exec *x)
{
	const struct gpu *g = check_gpu(in->c);
	if (gpu_aliases_changed(g))
		LANES_EACH (l, x->mask)
			if (in->address[l] < x->limits->device_end)
				in->address[l] = gpu_device_address(g, in->address[l]);
}

void init_note_addresses(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	access_addresses(x, i, in->address);
	resolve_aliases(in, x);
}

static void take_recorded(struct init *in, const struct exec *x)
{
	const struct exec_access *e = &x->effect.access;
	for (unsigned l = 0; l < LANES; l++)
		in->address[l] = e->in_halves ? e->start[l / 16] + l % 16 * e->step : e->address[l];
	resolve_aliases(in, x);
}

/* The lanes of a half access what is one after the other, or the same. */
static bool half_recorded_defined(struct init *in, const struct exec *x, const struct exec_access *e, unsigned half)
{
	const uint32_t lanes = x->mask >> 16 * half & 0xffffu;
	if (!lanes)
		return true;
	const unsigned first = lanes_first(lanes), last = 31u - (unsigned)__builtin_clz(lanes);
	const uint64_t at = e->start[half] + (uint64_t)first * e->step,
		       n = (uint64_t)(last - first) * e->step + e->size;
	if (!is_dense(at, n, e->size))
		return false;
	const uint8_t *p = init_memory_at(in, x, at, 0, n, false);
	return p && init_all_defined(p, n);
}

/* What the access that has just been executed found, or wrote to, was initialised. in->address is filled if not. */
static bool access_defined(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	const struct exec_access *e = &x->effect.access;
	if (in->slow || !init_is_recorded(i))
		return lanes_defined(in, x, x->mask, init_bytes_of(i));
	if (e->in_halves && !gpu_aliases_changed(check_gpu(in->c)) && half_recorded_defined(in, x, e, 0) &&
	    half_recorded_defined(in, x, e, 1))
		return true;
	take_recorded(in, x);
	return lanes_defined(in, x, x->mask, init_bytes_of(i));
}

static bool is_signed(const struct isa_insn *i)
{
	return i->type == ISA_S8 || i->type == ISA_S16 || i->type == ISA_S32;
}

/* Undefined bits of n bytes of memory, extended as the load does. */
static void fetch(const uint8_t *p, unsigned n, bool extends_sign, uint64_t bits[2])
{
	uint64_t defined[2] = {0, 0};
	memcpy(defined, p, n);
	bits[0] = ~defined[0] & (n >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1);
	bits[1] = n > 8 ? ~defined[1] : 0;
	if (extends_sign && n < 8 && bits[0] >> (8 * n - 1))
		bits[0] |= UINT64_MAX << (8 * n - 1);
}

static uint32_t element(const struct exec *x, const struct isa_insn *i, unsigned k, uint32_t one)
{
	return i->vec > 1 ? x->program->aux[i->aux + k] : one;
}

void init_load(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const unsigned vec = i->vec > 1 ? i->vec : 1, bytes = isa_type_bytes((enum isa_type)i->type);
	const bool defined = access_defined(in, x, i);
	uint32_t from = 0;
	for (unsigned k = 0; defined && k < vec; k++)
		if (element(x, i, k, i->dst) != ISA_REF_NONE)
			init_row_set(in, f, ISA_RW_ROW(element(x, i, k, i->dst)), in->mask, NULL, 0);
	for (unsigned k = 0; !defined && k < vec; k++) {
		const uint32_t ref = element(x, i, k, i->dst);
		uint64_t bits[LANES][2] = {0};
		if (ref == ISA_REF_NONE)
			continue;
		LANES_EACH (l, x->mask) {
			const uint8_t *p = init_memory_at(in, x, in->address[l], l, (k + 1) * bytes, false);
			if (!p || !init_is_watched(in, in->address[l]))
				continue;
			fetch(p + k * bytes, bytes, is_signed(i), bits[l]);
			if (!from && bits[l][0] | bits[l][1])
				from = init_from_memory(in, x, in->address[l] + k * bytes, l);
		}
		init_row_set(in, f, ISA_RW_ROW(ref), in->mask, bits, from);
	}
}

void init_store(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const unsigned vec = i->vec > 1 ? i->vec : 1, bytes = isa_type_bytes((enum isa_type)i->type);
	if (!in->slow && access_defined(in, x, i))
		return;
	LANES_EACH (l, x->mask)
		for (unsigned k = 0; k < vec; k++) {
			const uint32_t ref = element(x, i, k, i->b);
			uint64_t bits[2] = {0, 0};
			uint8_t *p = init_memory_at(in, x, in->address[l] + k * bytes, l, bytes, true);
			if (ref != ISA_REF_NONE && ISA_REF_BASE(ref) == ISA_BASE_FRAME)
				init_row_get(f, ref, l, bits);
			if (p && bits[0] | bits[1]) {
				const uint32_t from = f->units[ISA_REF_OFFSET(ref) / 64].from;
				init_stored_note(in, x, in->address[l] + k * bytes, bytes, l,
						 init_from_of(in, x, ISA_RW_ROW(ref), from, l));
			}
			bits[0] = ~bits[0];
			bits[1] = ~bits[1];
			if (p)
				memcpy(p, bits, bytes);
		}
}

/* What it returns is what was there; what is there then is initialised, as what wasn't has been told: but an exchange copies. */
void init_atomic(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const unsigned bytes = init_bytes_of(i);
	uint64_t bits[LANES][2] = {0};
	uint32_t from = 0;
	LANES_EACH (l, x->mask) {
		uint8_t *p = init_memory_at(in, x, in->address[l], l, bytes, true);
		if (!p)
			continue;
		uint64_t operand[2] = {0, 0};
		const bool copies = i->atom == ISA_ATOM_EXCH && i->vec <= 1;
		if (copies && init_is_watched(in, in->address[l]))
			fetch(p, bytes, false, bits[l]);
		if (copies && ISA_REF_BASE(i->b) == ISA_BASE_FRAME)
			init_row_get(f, i->b, l, operand);
		operand[0] = ~operand[0];
		operand[1] = ~operand[1];
		bytes <= 16 ? (void)memcpy(p, operand, bytes) : (void)memset(p, 0xff, bytes);
		if (!from && bits[l][0] | bits[l][1])
			from = init_from_memory(in, x, in->address[l], l);
	}
	if (i->opcode != ISA_OP_ATOM)
		return;
	for (unsigned k = 0; k < (i->vec > 1 ? i->vec : 1u); k++) {
		const uint32_t ref = element(x, i, k, i->dst);
		if (ref != ISA_REF_NONE)
			init_row_set(in, f, ISA_RW_ROW(ref), in->mask, bits, from);
	}
}

static bool is_followed(const struct init *in, uint64_t address, uint64_t n)
{
	const struct exec *x = in->x;
	return address >= x->program->global_next && address < x->limits->device_end &&
	       n <= x->limits->device_end - address;
}

void init_set_global(struct init *in, uint64_t address, uint64_t n, bool defined)
{
	if (!n || !is_followed(in, address, n))
		return;
	if (!defined && !arena_written(in->x->arena, in->sec_global, address, n))
		return;
	uint8_t *p = at(in, in->sec_global, address, n, true);
	if (p)
		memset(p, defined ? 0xff : 0, n);
}

void init_copy_global(struct init *in, uint64_t to, uint64_t from, uint64_t n)
{
	if (!is_followed(in, from, n)) {
		init_set_global(in, to, n, true);
		return;
	}
	const uint8_t *p = at(in, in->sec_global, from, n, false);
	uint8_t *q = n && is_followed(in, to, n) ? at(in, in->sec_global, to, n, true) : NULL;
	if (q)
		memmove(q, p, n);
}
