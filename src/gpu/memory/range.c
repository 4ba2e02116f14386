/* Ranges of addresses that a host keeps: one piece of the table or several, without gaps between them: parts that have memory, which are live,
 * parts that have none, and parts that are memory of another one by a second address: aliases. */
#include <string.h>

#include "gpu/memory/memory.h"

#define ROUND UINT64_C(256) /* what all addresses are multiples of */

static struct gpu_allocation *table(const struct gpu *g) { return arena_at(&g->arena, g->sec_allocation, 0); }

uint64_t gpu_reserve(struct gpu *g, uint64_t bytes, uint64_t align, const char *name)
{
	struct gpu_state *s = gpu_state(g);
	const uint64_t before = s->heap_next, end = g->limits->device_end;
	if (align & (align - 1) || !bytes || bytes > end || align > end)
		return 0;
	if (align > ROUND) { /* room that was freed isn't looked through for such a one */
		const uint64_t aligned = (before + align - 1) & ~(align - 1);
		if (aligned > end - bytes)
			return 0;
		s->heap_next = aligned;
	}
	const uint64_t address = gpu_alloc(g, bytes, name);
	struct gpu_allocation *a = address ? gpu_piece_at(g, address) : NULL;
	if (!a || (align && address % align)) {
		if (a)
			gpu_free(g, address);
		s->heap_next = before;
		return 0;
	}
	a->reserved = true;
	a->live = false;
	a->range = address;
	return address;
}

/* Index of the piece of a range that holds an address; UINT32_MAX: none does. */
static uint32_t part_of(const struct gpu *g, uint64_t address)
{
	const uint32_t k = gpu_piece_above(g, address);
	const struct gpu_allocation *a = k ? &table(g)[k - 1] : NULL;
	return a && a->reserved && address - a->address < a->bytes ? k - 1 : UINT32_MAX;
}

static bool is_reserved(const struct gpu *g, uint64_t address, uint64_t bytes)
{
	while (bytes) {
		const uint32_t k = part_of(g, address);
		if (k == UINT32_MAX)
			return false;
		const struct gpu_allocation *a = &table(g)[k];
		const uint64_t n = a->bytes - (address - a->address);
		address += n < bytes ? n : bytes;
		bytes -= n < bytes ? n : bytes;
	}
	return true;
}

/* A piece begins there. */
static bool cut(struct gpu *g, uint64_t address)
{
	const uint32_t k = part_of(g, address);
	if (k == UINT32_MAX || table(g)[k].address == address)
		return true;
	const struct gpu_allocation whole = table(g)[k];
	if (!gpu_piece_insert(g, address, whole.address + whole.bytes - address, whole.name))
		return false;
	struct gpu_allocation *t = &table(g)[k];
	t[0].bytes = address - whole.address;
	t[1].reserved = true;
	t[1].range = whole.range;
	t[1].live = whole.live;
	t[1].alias = whole.alias ? whole.alias + t[0].bytes : 0;
	t[1].by_program = whole.by_program;
	t[1].read_only = whole.read_only;
	t[1].copied = whole.copied;
	t[1].is_filled = whole.is_filled;
	t[1].marks = whole.marks;
	t[1].context = whole.context;
	t[1].users = whole.users;
	return true;
}

/* A piece and the one behind it, if they are alike. */
static bool join(struct gpu *g, uint32_t k)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_allocation *t = table(g);
	if (k + 1 >= s->n_allocations || !t[k].reserved || !t[k + 1].reserved || t[k].live != t[k + 1].live ||
	    t[k].read_only != t[k + 1].read_only || t[k].range != t[k + 1].range ||
	    t[k + 1].alias != (t[k].alias ? t[k].alias + t[k].bytes : 0))
		return false;
	t[k].bytes += t[k + 1].bytes;
	t[k].copied |= t[k + 1].copied;
	t[k].is_filled |= t[k + 1].is_filled;
	t[k].marks = t[k].marks > t[k + 1].marks ? t[k].marks : t[k + 1].marks;
	memmove(&t[k + 1], &t[k + 2], (s->n_allocations - k - 2) * sizeof *t);
	s->n_allocations--;
	return true;
}

static void set(struct gpu *g, struct gpu_allocation *a, enum gpu_map how, uint64_t alias)
{
	const bool is_on = how == GPU_MAP_ON || how == GPU_MAP_READ;
	if (is_on && !a->live)
		a->marks = gpu_state(g)->n_marks;
	gpu_state(g)->aliases_changed += a->alias != alias;
	a->alias = alias;
	a->live = is_on;
	a->read_only = how == GPU_MAP_READ || how == GPU_MAP_ALIAS_READ;
	a->copied &= a->live;
	a->is_filled &= a->live;
}

bool gpu_map(struct gpu *g, uint64_t address, uint64_t bytes, enum gpu_map how, uint64_t real)
{
	const bool is_alias = how == GPU_MAP_ALIAS || how == GPU_MAP_ALIAS_READ;
	const struct gpu_allocation *of = is_alias ? gpu_piece_with(g, real) : NULL;
	if (!bytes || bytes > UINT64_MAX - address || !is_reserved(g, address, bytes) ||
	    (is_alias && (!of || !of->live || !of->reserved || bytes > of->bytes - (real - of->address))) ||
	    !cut(g, address) || !cut(g, address + bytes))
		return false;
	uint32_t k = part_of(g, address);
	for (uint32_t i = k; i < gpu_state(g)->n_allocations && table(g)[i].address < address + bytes; i++)
		set(g, &table(g)[i], how, is_alias ? real + (table(g)[i].address - address) : 0);
	if (how == GPU_MAP_EMPTY)
		gpu_memory_clear(g, address, bytes);
	k -= k && table(g)[k - 1].reserved;
	while (k < gpu_state(g)->n_allocations && table(g)[k].address <= address + bytes)
		k += !join(g, k);
	gpu_pieces_changed(g);
	return true;
}

bool gpu_unreserve(struct gpu *g, uint64_t address)
{
	struct gpu_allocation *a = gpu_piece_at(g, address);
	const struct gpu_allocation *end = table(g) + gpu_state(g)->n_allocations;
	if (!a || !a->reserved || a->live || a->alias || a->range != address)
		return false;
	if (a + 1 < end && a[1].reserved &&
	    a[1].range == address) /* another part: it is one piece where nothing has memory */
		return false;
	a->reserved = false;
	a->range = 0;
	gpu_pieces_changed(g);
	return true;
}

uint64_t gpu_aliases_changed(const struct gpu *g) { return gpu_state(g)->aliases_changed; }
