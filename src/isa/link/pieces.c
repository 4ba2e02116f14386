/* Pieces of an address space: what a module's variables took, and what is free again. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/link/link.h"

static void remove_piece(struct link_pieces *p, uint32_t k)
{
	memmove(&p->v[k], &p->v[k + 1], (--p->n - k) * sizeof *p->v);
}

static void insert_piece(struct link_pieces *p, uint32_t k, struct link_piece piece)
{
	p->v = xgrow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	memmove(&p->v[k + 1], &p->v[k], (p->n++ - k) * sizeof *p->v);
	p->v[k] = piece;
}

void link_pieces_add(struct link_pieces *p, struct link_piece piece)
{
	uint32_t k = p->n; /* of those above it, the lowest; mostly there is none */
	while (k && p->v[k - 1].first >= piece.end)
		k--;
	if (k < p->n && p->v[k].first == piece.end) {
		piece.end = p->v[k].end;
		remove_piece(p, k);
	}
	if (k && p->v[k - 1].end == piece.first)
		p->v[k - 1].end = piece.end;
	else
		insert_piece(p, k, piece);
}

uint64_t link_pieces_take(struct link_pieces *p, uint64_t bytes, uint64_t align, struct link_piece *taken)
{
	for (uint32_t k = 0; k < p->n; k++) {
		const uint64_t first = p->v[k].first, at = align > 1 ? (first + align - 1) & ~(align - 1) : first;
		if (at > p->v[k].end || p->v[k].end - at < bytes)
			continue;
		*taken = (struct link_piece){first, at + bytes};
		p->v[k].first = taken->end;
		if (p->v[k].first == p->v[k].end)
			remove_piece(p, k);
		return at;
	}
	return LINK_NO_ROOM;
}

void link_pieces_free(struct link_pieces *p)
{
	free(p->v);
	*p = (struct link_pieces){0};
}
