/* Memory that was freed: it keeps its last bytes for the user, until there is too much of it or addresses are given out again. */
#include <string.h>

#include "gpu/memory/memory.h"

#define KEPT_BYTES (UINT64_C(256) << 20)
#define KEPT_PIECES 256u

static bool is_zero(const char *bytes, uint64_t n) { return !bytes[0] && !memcmp(bytes, bytes + 1, n - 1); }

/* The page that a piece shares with its neighbours, when nothing is left on it. */
static void give_back_shared(struct gpu *g, uint64_t address)
{
	const uint64_t page = address & ~(ARENA_PAGE - 1);
	const int section = g->exec.sec_global;
	if (address != page && arena_written(&g->arena, section, page, ARENA_PAGE) &&
	    is_zero(arena_at(&g->arena, section, page), ARENA_PAGE))
		arena_zero(&g->arena, section, page, ARENA_PAGE);
}

static void clear_piece(struct gpu *g, uint64_t address, uint64_t bytes)
{
	gpu_memory_clear(g, address, gpu_piece_bytes(bytes));
	give_back_shared(g, address);
	give_back_shared(g, address + gpu_piece_bytes(bytes));
}

/* Clears the memory that was freed first of all freed memory that keeps its bytes. */
static void clear_oldest(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_allocation *a = gpu_piece_at(g, s->kept_first);
	if (!a || !a->keeps_bytes) {
		s->kept_first = s->kept_last = s->kept_bytes = s->n_kept = 0;
		return;
	}
	a->keeps_bytes = false;
	s->kept_bytes -= gpu_piece_bytes(a->bytes) < s->kept_bytes ? gpu_piece_bytes(a->bytes) : s->kept_bytes;
	s->n_kept -= s->n_kept > 0;
	s->kept_first = a->kept_next;
	if (!s->kept_first)
		s->kept_last = s->kept_bytes = s->n_kept = 0;
	clear_piece(g, a->address, a->bytes);
}

void gpu_clear_freed(struct gpu *g, uint64_t left)
{
	const struct gpu_state *s = gpu_state(g);
	while (s->kept_first && (!left || s->kept_bytes > left || s->n_kept > KEPT_PIECES))
		clear_oldest(g);
}

/* Keeps the bytes of memory that has just been freed. Clears memory that was freed earlier if there is too much of it. */
static void keep_bytes(struct gpu *g, struct gpu_allocation *a)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_allocation *last = s->kept_last ? gpu_piece_at(g, s->kept_last) : NULL;
	a->keeps_bytes = true;
	a->kept_next = 0;
	if (last)
		last->kept_next = a->address;
	else
		s->kept_first = a->address;
	s->kept_last = a->address;
	s->kept_bytes += gpu_piece_bytes(a->bytes);
	s->n_kept++;
	gpu_clear_freed(g, KEPT_BYTES);
}

void gpu_keep_freed(struct gpu *g, struct gpu_allocation *a)
{
	if (a->is_paged || a->by_runtime || gpu_state(g)->reuses)
		clear_piece(g, a->address, a->bytes);
	else
		keep_bytes(g, a);
}

bool gpu_is_freed(const struct gpu *g, uint64_t address)
{
	const struct gpu_allocation *a =
		gpu_piece_with(g, address >= g->limits->device_end ? gpu_device_address(g, address) : address);
	return a && a->keeps_bytes;
}
