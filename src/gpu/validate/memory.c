/* The table of device memory is looked at. */
#include <string.h>

#include "gpu/device/valid_internal.h"
#include "gpu/memory/memory.h"

#define ROUND UINT64_C(256)
#define RUNTIME_BYTES 512u

static uint64_t rounded(uint64_t bytes) { return bytes ? (bytes + ROUND - 1) & ~(ROUND - 1) : ROUND; }

static const struct gpu_allocation *table(const struct gpu *g) { return arena_at(&g->arena, g->sec_allocation, 0); }

static bool name_is_valid(const char name[48])
{
	const size_t n = strnlen(name, 48);
	for (size_t k = 0; k < n; k++)
		if ((unsigned char)name[k] < ' ' || name[k] == 0x7f)
			return false;
	return n < 48;
}

static bool is_valid_alone(const struct gpu *g, const struct gpu_allocation *a)
{
	const struct gpu_state *s = gpu_state(g);
	const uint64_t end = g->limits->device_end;
	const bool is_variable = a->address < s->heap_first;
	return VALID_BOOL(a->live) && VALID_BOOL(a->by_kernel) && VALID_BOOL(a->reserved) && VALID_BOOL(a->read_only) &&
	       VALID_BOOL(a->by_runtime) && VALID_BOOL(a->by_program) && VALID_BOOL(a->copied) && VALID_BOOL(a->is_filled) &&
	       VALID_BOOL(a->is_paged) && VALID_BOOL(a->keeps_bytes) && name_is_valid(a->name) &&
	       a->address && a->bytes <= end && a->address <= end - a->bytes &&
	       a->address + (is_variable ? a->bytes : rounded(a->bytes)) <= g->arena.section[g->exec.sec_global].used &&
	       a->context < GPU_CONTEXTS && a->marks <= s->n_marks && a->made_pc <= g->program.n_insns &&
	       a->freed_pc <= g->program.n_insns && (!a->alias || (a->reserved && !a->live));
}

/* Where the next piece may begin: behind the guard, unless both are parts of one range. */
static uint64_t end_of(const struct gpu *g, const struct gpu_allocation *a, const struct gpu_allocation *next)
{
	if (a->address < gpu_state(g)->heap_first ||
	    (next && a->reserved && next->reserved && a->range == next->range))
		return a->address + a->bytes;
	return a->address + rounded(a->bytes) + g->device.heap_guard;
}

/* A part of a range follows the one before it; an alias is memory of a live part. */
static bool range_is_valid(const struct gpu *g, const struct gpu_allocation *a)
{
	if (!a->reserved)
		return true;
	const bool is_first = a->range == a->address;
	const bool follows = a > table(g) && a[-1].reserved && a[-1].range == a->range &&
			     a[-1].address + a[-1].bytes == a->address;
	const struct gpu_allocation *of = a->alias ? gpu_piece_with(g, a->alias) : NULL;
	return (is_first || follows) &&
	       (!a->alias || (of && of->live && of->reserved && a->bytes <= of->bytes - (a->alias - of->address)));
}

/* The list of memory that the runtime keeps for later. */
static bool runtime_is_valid(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	uint32_t n = 0;
	for (uint64_t at = s->free_runtime; at; n++) {
		const struct gpu_allocation *a = gpu_piece_at(g, at);
		if (!a || !a->by_runtime || !a->live || a->reserved || a->bytes != RUNTIME_BYTES || n > s->n_allocations)
			return false;
		at = a->next_free;
	}
	return true;
}

bool gpu_valid_allocations(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	const struct gpu_allocation *t = table(g);
	if (s->n_allocations > gpu_valid_entries(v, g->sec_allocation, sizeof *t))
		return invalid(v->what, "how many allocations there are");
	for (uint32_t k = 0; k < s->n_allocations; k++) {
		const struct gpu_allocation *next = k + 1 < s->n_allocations ? &t[k + 1] : NULL;
		if (!is_valid_alone(g, &t[k]) || (next && next->address < end_of(g, &t[k], next)) ||
		    (!next && t[k].address >= s->heap_first && s->heap_next < end_of(g, &t[k], NULL)))
			return invalid(v->what, "allocation %u", k);
	}
	for (uint32_t k = 0; k < s->n_allocations; k++)
		if (!range_is_valid(g, &t[k]))
			return invalid(v->what, "allocation %u's range", k);
	return runtime_is_valid(g) || invalid(v->what, "memory of the device runtime");
}
