/* Copies of device memory: the pages that were ever written, cut to the allocations that are live. */
#include "gpu/memory_copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/internal.h"

static bool written(const struct gpu *g, uint64_t address)
{
	return g->arena.section[g->exec.sec_global].page_flags[address >> ARENA_PAGE_SHIFT] & ARENA_PAGE_DIRTY;
}

/* The end of the neighbouring pages, below `end`, that are like the one of `address`: written or not. */
static uint64_t alike(const struct gpu *g, uint64_t address, uint64_t end)
{
	const bool like = written(g, address);
	uint64_t next = (address | (ARENA_PAGE - 1)) + 1;
	while (next < end && written(g, next) == like)
		next += ARENA_PAGE;
	return next < end ? next : end;
}

static void add(struct gpu_memory_copy *c, const struct gpu_memory_piece *p)
{
	if (c->n == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 16;
		c->pieces = xrealloc(c->pieces, c->cap * sizeof *c->pieces);
	}
	c->pieces[c->n++] = *p;
}

/* Where everything lies, without the bytes. */
static void plan(struct gpu_memory_copy *c, const struct gpu *g)
{
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(g, &n);
	c->n = 0;
	c->n_bytes = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t at = a[i].address, end = at + a[i].bytes;
		while (a[i].live && at < end) {
			struct gpu_memory_piece p = {.address = at, .bytes = alike(g, at, end) - at, .at = c->n_bytes, .zero = !written(g, at)};
			add(c, &p);
			c->n_bytes += p.zero ? 0 : p.bytes;
			at += p.bytes;
		}
	}
}

bool gpu_memory_copy_take(struct gpu_memory_copy *c, const struct gpu *g, uint64_t most)
{
	plan(c, g);
	if (c->n_bytes > most) {
		gpu_memory_copy_free(c);
		return false;
	}
	if (c->n_bytes > c->cap_bytes) {
		free(c->bytes);
		c->bytes = xmalloc(c->n_bytes);
		c->cap_bytes = c->n_bytes;
	}
	for (size_t i = 0; i < c->n; i++)
		if (!c->pieces[i].zero)
			memcpy(c->bytes + c->pieces[i].at, g->exec.global + c->pieces[i].address, c->pieces[i].bytes);
	return true;
}

static void clear_written(struct gpu *g, uint64_t address, uint64_t end)
{
	while (address < end) {
		uint64_t next = alike(g, address, end);
		if (written(g, address))
			memset(g->exec.global + address, 0, next - address);
		address = next;
	}
}

void gpu_memory_copy_put_back(const struct gpu_memory_copy *c, struct gpu *g)
{
	struct exec_window w;
	for (size_t i = 0; i < c->n; i++) {
		const struct gpu_memory_piece *p = &c->pieces[i];
		if (!p->zero)
			gpu_write(g, p->address, c->bytes + p->at, p->bytes); /* nothing where it has been freed */
		else if (gpu_find_allocation(g, p->address, p->bytes, &w))
			clear_written(g, p->address, p->address + p->bytes);
	}
	gpu_state_changed(g);
}

void gpu_memory_copy_free(struct gpu_memory_copy *c)
{
	free(c->pieces);
	free(c->bytes);
	*c = (struct gpu_memory_copy){0};
}
