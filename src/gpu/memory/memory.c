/* Device memory: module variables, buffers, and what kernels allocate.
 *
 * Addresses are handed out upwards, each piece rounded up to 256 bytes and followed by a guard without an owner, and are not used
 * again until the end of device memory is reached: so an address that was freed keeps meaning the freed piece, and using it stops. Only
 * then the lowest freed piece that is large enough is taken again. The table is sorted by address. */
#include "gpu/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/device/performance_state.h"

#define GIVE_BACK_BYTES (UINT64_C(1) << 20)
#define CLOSE_IN_FRONT UINT64_C(32) /* bytes at a guard's end: an access there counts as one below the next allocation */

/* Of the heap of kernels, whose pieces are aligned to 16 bytes. */
static uint64_t heap_bytes(uint64_t bytes) { return (bytes + 15) & ~UINT64_C(15); }

static struct gpu_allocation *table(const struct gpu *g) { return arena_at(&g->arena, g->sec_allocation, 0); }

/* Index of the first allocation whose address is above `address`. */
uint32_t gpu_piece_above(const struct gpu *g, uint64_t address)
{
	const struct gpu_allocation *t = table(g);
	uint32_t lo = 0, hi = gpu_state(g)->n_allocations;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (t[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct gpu_allocation *gpu_piece_at(const struct gpu *g, uint64_t address)
{
	const uint32_t k = gpu_piece_above(g, address);
	return k && table(g)[k - 1].address == address ? &table(g)[k - 1] : NULL;
}

void gpu_pieces_changed(struct gpu *g)
{
	memset(g->exec.tlb, 0, sizeof g->exec.tlb);
	gpu_state(g)->epoch++;
}

static void set_name(struct gpu_allocation *a, const char *name)
{
	size_t n = strlen(name);
	if (n >= sizeof a->name)
		n = sizeof a->name - 1;
	memset(a->name, 0, sizeof a->name);
	memcpy(a->name, name, n);
}

bool gpu_piece_insert(struct gpu *g, uint64_t address, uint64_t bytes, const char *name)
{
	struct gpu_state *s = gpu_state(g);
	if (!arena_use(&g->arena, g->sec_allocation, (s->n_allocations + 1) * sizeof(struct gpu_allocation)) ||
	    !arena_use(&g->arena, g->exec.sec_global, address + gpu_piece_bytes(bytes)))
		return false;
	struct gpu_allocation *t = table(g);
	uint32_t at = gpu_piece_above(g, address);
	memmove(&t[at + 1], &t[at], (s->n_allocations - at) * sizeof *t);
	t[at] = (struct gpu_allocation){
		.address = address, .bytes = bytes, .live = true, .marks = s->n_marks, .users = 1};
	set_name(&t[at], name);
	s->n_allocations++;
	gpu_pieces_changed(g);
	return true;
}

/* Room of a piece of the heap, up to its guard: pieces and guards follow each other without gaps. */
static uint64_t room(const struct gpu *g, uint32_t k)
{
	const struct gpu_state *s = gpu_state(g);
	const struct gpu_allocation *t = table(g);
	const uint64_t end = k + 1 < s->n_allocations ? t[k + 1].address : s->heap_next;
	return end - g->device.heap_guard - t[k].address;
}

/* The pages go back to the host, and a new owner starts with zeros. Piece by piece: what is saved for a mark takes the place of what is
 * given back. */
void gpu_memory_clear(struct gpu *g, uint64_t address, uint64_t bytes)
{
	while (bytes) {
		const uint64_t n = bytes < GIVE_BACK_BYTES ? bytes : GIVE_BACK_BYTES - address % GIVE_BACK_BYTES;
		if (arena_written(&g->arena, g->exec.sec_global, address, n)) {
			arena_touch(&g->arena, g->exec.sec_global, address, n);
			arena_zero(&g->arena, g->exec.sec_global, address, n);
		}
		address += n;
		bytes -= n;
	}
}

/* The lowest freed piece that is large enough, cut to size if a piece and its guard fit into the rest. */
static uint64_t reuse(struct gpu *g, uint64_t bytes, const char *name)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_allocation *t = table(g);
	const uint64_t needed = gpu_piece_bytes(bytes), guard = g->device.heap_guard;
	s->reuses = 1;
	gpu_clear_freed(g, 0);
	for (uint32_t k = 0; k < s->n_allocations; k++) {
		if (t[k].live || t[k].reserved || t[k].address < s->heap_first || room(g, k) < needed)
			continue;
		const uint64_t rest = room(g, k) - needed;
		const uint64_t address = t[k].address;
		t[k].bytes = bytes;
		t[k].live = true;
		t[k].by_kernel = t[k].by_runtime = t[k].by_program = t[k].copied = false;
		t[k].is_filled = t[k].is_paged = false;
		t[k].made_pc = t[k].freed_pc = 0;
		t[k].made_by = t[k].freed_by = 0;
		t[k].alias = 0;
		t[k].context = 0;
		t[k].users = 1;
		t[k].marks = s->n_marks;
		set_name(&t[k], name);
		if (rest > guard && gpu_piece_insert(g, address + needed + guard, rest - guard, ""))
			table(g)[k + 1].live = false;
		gpu_pieces_changed(g);
		return address;
	}
	return 0;
}

uint64_t gpu_alloc(struct gpu *g, uint64_t bytes, const char *name)
{
	struct gpu_state *s = gpu_state(g);
	if (bytes > g->limits->device_end)
		return 0;
	uint64_t address = s->heap_next;
	if (address + gpu_piece_bytes(bytes) > g->limits->device_end)
		return reuse(g, bytes, name);
	if (!gpu_piece_insert(g, address, bytes, name))
		return 0;
	s->heap_next += gpu_piece_bytes(bytes) + g->device.heap_guard;
	return address;
}

static uint64_t page_up(uint64_t address) { return (address + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1); }

uint64_t gpu_alloc_pages(struct gpu *g, uint64_t bytes, const char *name)
{
	struct gpu_state *s = gpu_state(g);
	const uint64_t before = s->heap_next;
	s->heap_next = page_up(before);
	const uint64_t address = gpu_alloc(g, bytes, name);
	if (!address || address % ARENA_PAGE ||
	    !arena_use(&g->arena, g->exec.sec_global, page_up(address + gpu_piece_bytes(bytes)))) {
		if (address)
			gpu_free(g, address);
		s->heap_next = address ? s->heap_next : before;
		return 0;
	}
	s->heap_next = page_up(s->heap_next);
	gpu_piece_at(g, address)->is_paged = true;
	arena_touch(&g->arena, g->exec.sec_global, address, page_up(bytes));
	return address;
}

bool gpu_free(struct gpu *g, uint64_t address)
{
	uint32_t k = gpu_piece_above(g, address);
	struct gpu_allocation *a = k ? &table(g)[k - 1] : NULL;
	if (!a || a->address != address || !a->live || a->reserved || address < gpu_state(g)->heap_first)
		return false;
	a->live = false;
	gpu_forget_host_address(g, address);
	if (a->by_kernel)
		gpu_state(g)->of_context[a->context].kernel_heap -= heap_bytes(a->bytes);
	gpu_keep_freed(g, a);
	gpu_pieces_changed(g);
	return true;
}

void gpu_forget_kernels_allocations(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_allocation *t = table(g);
	uint32_t kept = 0;
	s->heap_next = s->heap_first;
	s->free_runtime = 0;
	s->kept_first = s->kept_last = s->kept_bytes = s->n_kept = s->reuses = 0;
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		s->of_context[k].kernel_heap = 0;
	for (uint32_t k = 0; k < s->n_allocations; k++) {
		if (t[k].by_kernel || t[k].by_runtime || (!t[k].live && !t[k].reserved)) {
			gpu_memory_clear(g, t[k].address, gpu_piece_bytes(t[k].bytes));
			continue;
		}
		t[kept++] = t[k];
		if (t[k].address >= s->heap_first)
			s->heap_next = t[k].address + gpu_piece_bytes(t[k].bytes) + g->device.heap_guard;
	}
	s->n_allocations = kept;
	gpu_pieces_changed(g);
}

void gpu_resend_copies(struct gpu *g)
{
	const struct gpu_allocation *t = table(g);
	for (uint32_t k = 0; g->machine && k < gpu_state(g)->n_allocations; k++)
		if (t[k].live && t[k].copied)
			partitions_copied_to(g->machine->timing.partitions, t[k].address, t[k].bytes,
					     gpu_state(g)->cycle);
}

const struct gpu_allocation *gpu_piece_with(const struct gpu *g, uint64_t address)
{
	uint32_t k = gpu_piece_above(g, address);
	const struct gpu_allocation *a = k ? &table(g)[k - 1] : NULL;
	return a && address - a->address < a->bytes ? a : NULL;
}

/* Distance of an address outside to the nearer end. */
static uint64_t distance(const struct gpu_allocation *a, uint64_t address)
{
	return address < a->address ? a->address - address : address - (a->address + a->bytes);
}

/* Does a wrong address rather belong to the allocation below it, or above? Where the one below has its guard, nearly always below. */
static bool belongs_above(const struct gpu *g, const struct gpu_allocation *below, const struct gpu_allocation *above,
			  uint64_t address)
{
	const bool in_guard = address - below->address < gpu_piece_bytes(below->bytes) + g->device.heap_guard;
	return distance(above, address) < distance(below, address) &&
	       (!in_guard || distance(above, address) < CLOSE_IN_FRONT);
}

const struct gpu_allocation *gpu_nearest_allocation(const struct gpu *g, uint64_t address)
{
	const struct gpu_allocation *a = gpu_piece_with(g, address), *best = NULL;
	if (a)
		return a;
	const struct gpu_allocation *t = table(g);
	uint32_t at = gpu_piece_above(g, address), n = gpu_state(g)->n_allocations;
	uint32_t below = at, above = at;
	while (below > 0 && !t[below - 1].live)
		below--;
	while (above < n && !t[above].live)
		above++;
	if (below > 0)
		best = &t[below - 1];
	if (above < n && (!best || belongs_above(g, best, &t[above], address)))
		best = &t[above];
	return best ? best : n ? &t[at ? at - 1 : 0] : NULL;
}

const struct gpu_allocation *gpu_allocations(const struct gpu *g, size_t *n)
{
	*n = gpu_state(g)->n_allocations;
	return table(g);
}

const struct gpu_allocation *gpu_allocations_from(const struct gpu *g, uint64_t address,
						  const struct gpu_allocation **end)
{
	const struct gpu_allocation *a = gpu_piece_with(g, address);
	*end = table(g) + gpu_state(g)->n_allocations;
	return a ? a : table(g) + gpu_piece_above(g, address);
}

static bool may_use(const struct gpu_allocation *a, uint32_t context)
{
	return context == EXEC_ANY_CONTEXT || a->users >> context & 1;
}

void gpu_give_to(struct gpu *g, uint64_t address, uint32_t context)
{
	struct gpu_allocation *a = gpu_piece_at(g, address);
	a->context = context;
	a->users = UINT32_C(1) << context;
}

bool gpu_share(struct gpu *g, uint64_t address, uint32_t context, bool on)
{
	struct gpu_allocation *a = gpu_piece_at(g, address);
	if (!a || context >= GPU_CONTEXTS || a->context == context)
		return false;
	a->users = (a->users & ~(UINT32_C(1) << context)) | (uint32_t)on << context;
	gpu_pieces_changed(g);
	return true;
}

void gpu_free_kernels_allocations(struct gpu *g, uint32_t context)
{
	for (uint32_t k = 0; k < gpu_state(g)->n_allocations; k++)
		if (table(g)[k].by_kernel && table(g)[k].live && table(g)[k].context == context)
			gpu_free(g, table(g)[k].address);
}

bool gpu_find_allocation(void *self, uint32_t context, uint64_t address, uint64_t size, struct exec_window *out)
{
	const struct gpu_allocation *a = gpu_piece_with(self, address);
	if (!a || !a->live || size > a->bytes || address - a->address > a->bytes - size || !may_use(a, context))
		return false;
	*out = (struct exec_window){a->address, a->address + a->bytes};
	gpu_note_allocation_use(self, context, a->address);
	return true;
}

void gpu_watch_allocation_use(struct gpu *g, void (*found)(void *self, uint64_t address), void *self)
{
	g->found = found;
	g->found_self = self;
}

bool gpu_is_read_only(void *self, uint64_t address)
{
	const struct gpu_allocation *a = gpu_piece_with(self, address);
	return a && a->read_only;
}

static uint64_t given(const struct gpu *g, uint64_t address, uint64_t bytes)
{
	exec_notify_allocated(&g->exec, address, bytes);
	return address;
}

/* The kernel's heap is device memory like any other. */
uint64_t gpu_device_malloc(void *self, uint64_t bytes)
{
	struct gpu *g = self;
	struct gpu_context_limits *s = &gpu_state(g)->of_context[g->exec.context];
	const uint64_t heap = s->limit[GPU_LIMIT_MALLOC_HEAP];
	if (!bytes || bytes > heap || heap_bytes(bytes) > heap - s->kernel_heap)
		return 0;
	const uint64_t address = gpu_alloc(g, bytes, "device heap");
	if (!address)
		return 0;
	struct gpu_allocation *a = &table(g)[gpu_piece_above(g, address) - 1];
	gpu_give_to(g, address, g->exec.context);
	a->by_kernel = true;
	a->made_pc = g->exec.pc + 1;
	s->kernel_heap += heap_bytes(bytes);
	return given(g, address, bytes);
}

enum exec_heap_state gpu_device_heap(void *self, uint64_t address)
{
	const struct gpu *g = self;
	const uint32_t k = gpu_piece_above(g, address);
	const struct gpu_allocation *a = k ? &table(g)[k - 1] : NULL;
	if (!a || a->address != address || !may_use(a, g->exec.context))
		return EXEC_HEAP_NONE;
	if (!a->by_kernel)
		return a->live ? EXEC_HEAP_HOST : EXEC_HEAP_NONE;
	return a->live ? EXEC_HEAP_LIVE : EXEC_HEAP_FREED;
}

#define RUNTIME_BYTES 512u /* what the runtime mostly needs, and keeps */

uint64_t gpu_runtime_memory(struct gpu *g, uint32_t context, uint64_t bytes)
{
	struct gpu_state *s = gpu_state(g);
	const uint64_t kept = bytes <= RUNTIME_BYTES ? s->free_runtime : 0;
	if (kept) {
		s->free_runtime = gpu_piece_at(g, kept)->next_free;
		if (gpu_piece_at(g, kept)->context != context) {
			gpu_give_to(g, kept, context);
			gpu_pieces_changed(g);
		}
		return given(g, kept, RUNTIME_BYTES);
	}
	const uint64_t takes = bytes <= RUNTIME_BYTES ? RUNTIME_BYTES : bytes;
	const uint64_t address = gpu_alloc(g, takes, "device runtime");
	if (!address)
		return 0;
	gpu_piece_at(g, address)->by_runtime = true;
	gpu_give_to(g, address, context);
	return given(g, address, takes);
}

void gpu_runtime_free(struct gpu *g, uint64_t address)
{
	struct gpu_allocation *a = address ? gpu_piece_at(g, address) : NULL;
	if (!a || !a->by_runtime)
		return;
	if (a->bytes != RUNTIME_BYTES) {
		gpu_free(g, address);
		return;
	}
	a->next_free = gpu_state(g)->free_runtime;
	gpu_state(g)->free_runtime = address;
}

bool gpu_device_free(void *self, uint64_t address)
{
	struct gpu *g = self;
	const struct gpu_allocation *a = gpu_piece_at(g, address);
	if (!a || !may_use(a, g->exec.context) || !gpu_free(g, address))
		return false;
	table(g)[gpu_piece_above(g, address) - 1].freed_pc = g->exec.pc + 1;
	return true;
}
uint64_t gpu_kernel_heap(const struct gpu *g, uint32_t context)
{
	return gpu_state(g)->of_context[context].kernel_heap;
}

/* Constant memory that variables have, at its generic address; NULL: not all of it is. */
static char *constants_at(const struct gpu *g, uint64_t address, uint64_t n)
{
	const uint64_t used = g->program.const_next;
	if (address < ISA_CONST_WINDOW || address - ISA_CONST_WINDOW > used || n > used - (address - ISA_CONST_WINDOW))
		return NULL;
	return arena_at(&g->arena, g->exec.sec_const, address - ISA_CONST_WINDOW);
}

/* Returns how many of n bytes at an address lie in one piece, and stores where they are in *at. Returns 0 if there is no memory; memory that was freed
 * and keeps its bytes counts if `reads`. `before`: the piece in front of them, or NULL. */
static uint64_t next_part(const struct gpu *g, uint64_t address, uint64_t n, const struct gpu_allocation **before,
			  bool reads, uint64_t *at)
{
	const struct gpu_allocation *a = gpu_piece_with(g, address);
	const bool goes_on = !*before || (a && a->reserved && (*before)->reserved && a->range == (*before)->range);
	if (!a || !(a->live || a->alias || (reads && a->keeps_bytes)) || !goes_on)
		return 0;
	const uint64_t offset = address - a->address, left = a->bytes - offset;
	*before = a;
	*at = a->alias ? a->alias + offset : address;
	return n < left ? n : left;
}

/* One piece has it, or parts of one range that follow each other. */
static bool is_there(const struct gpu *g, uint64_t address, uint64_t n, bool reads)
{
	const struct gpu_allocation *before = NULL;
	for (uint64_t part, at; n; address += part, n -= part)
		if (!(part = next_part(g, address, n, &before, reads, &at)))
			return false;
	return true;
}

uint64_t gpu_memory_from(const struct gpu *g, uint64_t address)
{
	const struct gpu_allocation *before = NULL;
	uint64_t n = 0, part, at;
	if (address >= g->limits->device_end)
		address = gpu_device_address(g, address);
	while ((part = next_part(g, address + n, UINT64_MAX, &before, true, &at)))
		n += part;
	return n;
}

bool gpu_read(const struct gpu *g, uint64_t address, void *dst, uint64_t n)
{
	const struct gpu_allocation *before = NULL;
	if (!n)
		return true;
	if (address >= g->limits->device_end)
		address = gpu_device_address(g, address);
	const char *constants = constants_at(g, address, n);
	if (constants) {
		memcpy(dst, constants, n);
		return true;
	}
	if (!is_there(g, address, n, true))
		return false;
	for (uint64_t part, at; n; address += part, n -= part, dst = (char *)dst + part) {
		part = next_part(g, address, n, &before, true, &at);
		memcpy(dst, g->exec.global + at, part);
	}
	return true;
}

/* On one page; zeros on one that was never written need no host memory. */
static void write_page(struct gpu *g, uint64_t address, const char *src, uint64_t n)
{
	const bool zeros = !*src && !memcmp(src, src + 1, n - 1);
	if (zeros && !arena_written(&g->arena, g->exec.sec_global, address, n))
		return;
	arena_touch(&g->arena, g->exec.sec_global, address, n);
	memcpy(g->exec.global + address, src, n);
}

/* Of one piece. */
static void write_part(struct gpu *g, uint64_t address, const char *from, uint64_t n)
{
	table(g)[gpu_piece_above(g, address) - 1].is_filled = true;
	while (n) {
		const uint64_t to_end = ARENA_PAGE - address % ARENA_PAGE, part = n < to_end ? n : to_end;
		write_page(g, address, from, part);
		address += part;
		from += part;
		n -= part;
	}
}

bool gpu_write(struct gpu *g, uint64_t address, const void *src, uint64_t n)
{
	const struct gpu_allocation *before = NULL;
	if (!n)
		return true;
	if (address >= g->limits->device_end)
		address = gpu_device_address(g, address);
	char *constants = constants_at(g, address, n);
	if (constants) {
		memcpy(constants, src, n);
		gpu_state_changed(g);
		return true;
	}
	if (!is_there(g, address, n, false))
		return false;
	for (uint64_t part, at; n; address += part, n -= part, src = (const char *)src + part) {
		part = next_part(g, address, n, &before, false, &at);
		write_part(g, at, src, part);
	}
	gpu_state_changed(g);
	return true;
}

static void note_copied(struct gpu *g, uint64_t address, uint64_t n)
{
	table(g)[gpu_piece_above(g, address) - 1].copied = true;
	if (g->machine)
		partitions_copied_to(g->machine->timing.partitions, address, n, gpu_state(g)->cycle);
}

bool gpu_copy_to_device(struct gpu *g, uint64_t address, const void *src, uint64_t n)
{
	if (!gpu_write(g, address, src, n))
		return false;
	if (n)
		note_copied(g, address, n);
	return true;
}

/* Where nothing was ever written it goes through gpu_write, as zeros need no host memory there. */
bool gpu_copy_from_source(struct gpu *g, uint64_t address, const struct gpu_source *source, uint64_t n)
{
	struct exec_window w;
	if (!n || !gpu_find_allocation(g, EXEC_ANY_CONTEXT, address, n, &w))
		return !n;
	if (!arena_written(&g->arena, g->exec.sec_global, address, n)) {
		char *bytes = xcalloc(n, 1);
		source->fetch(source->self, bytes, n);
		const bool ok = gpu_copy_to_device(g, address, bytes, n);
		free(bytes);
		return ok;
	}
	arena_touch(&g->arena, g->exec.sec_global, address, n);
	gpu_piece_at(g, w.first)->is_filled = true;
	source->fetch(source->self, g->exec.global + address, n);
	gpu_state_changed(g);
	note_copied(g, address, n);
	return true;
}

static uint32_t context_of(const struct gpu *g, const struct isa_variable *v)
{
	const uint32_t module = isa_program_module_of(&g->program, v->file);
	return module < g->program.n_modules ? g->program.modules[module].context : 0;
}

bool gpu_add_variable(struct gpu *g, const struct isa_variable *v)
{
	if (v->space == ISA_SPACE_CONST) {
		if (!arena_use(&g->arena, g->exec.sec_const, v->address + v->bytes))
			return false;
		if (v->init)
			memcpy(arena_at(&g->arena, g->exec.sec_const, v->address), v->init, v->bytes);
		return true;
	}
	/* extern ones have no place of their own */
	if (v->space != ISA_SPACE_GLOBAL || !v->address || !v->bytes || v->flags & ISA_VAR_EXTERN)
		return true;
	/* a managed one's place may be part of what is shared with a host */
	const bool is_there = gpu_piece_with(g, v->address) != NULL;
	if (is_there && !(v->flags & ISA_VAR_MANAGED))
		return true;
	if (!is_there && !gpu_piece_insert(g, v->address, v->bytes, v->name))
		return false;
	if (!is_there)
		gpu_give_to(g, v->address, context_of(g, v));
	if (v->init)
		gpu_write(g, v->address, v->init, v->bytes);
	return true;
}

void gpu_remove_variable(struct gpu *g, const struct isa_variable *v)
{
	struct gpu_state *s = gpu_state(g);
	if (v->space == ISA_SPACE_CONST && v->bytes)
		memset(arena_at(&g->arena, g->exec.sec_const, v->address), 0, v->bytes);
	const uint32_t k = gpu_piece_above(g, v->address);
	struct gpu_allocation *t = table(g);
	if (v->space != ISA_SPACE_GLOBAL || !k || t[k - 1].address != v->address || v->address >= s->heap_first)
		return;
	gpu_memory_clear(g, v->address, v->bytes);
	memmove(&t[k - 1], &t[k], (s->n_allocations - k) * sizeof *t);
	s->n_allocations--;
	gpu_pieces_changed(g);
}
