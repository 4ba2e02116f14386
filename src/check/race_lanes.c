/* Lanes of one store that write to the same place: which of them is last isn't defined (CUDA C++ Programming Guide, "SIMT Architecture"), so
 * they race unless they write the same. */
#include "check/race_watch.h"

#include <string.h>

#define SLOTS 64u /* of a hash table of LANES entries */

/* The value of one element of what a lane stores; NULL: it isn't known. */
const char *race_stored(const struct exec *x, const struct isa_insn *i, unsigned lane, uint32_t element)
{
	const uint32_t ref = i->vec > 1 ? x->program->aux[i->aux + element] : i->b;
	if (ref == ISA_REF_NONE)
		return NULL;
	const char *row = exec_row(x, x->warp, exec_simt_top(x, x->warp)->frame, ref);
	return row + lane * (i->dst_bytes < 2 ? 2u : i->dst_bytes);
}

static bool store_the_same(const struct exec *x, unsigned a, unsigned b)
{
	const struct isa_insn *i = &x->program->insns[x->pc];
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type);
	bool same = true;
	for (uint32_t k = 0; k < (i->vec > 1 ? i->vec : 1u) && same; k++) {
		const char *of_a = race_stored(x, i, a, k), *of_b = race_stored(x, i, b, k);
		same = !of_a || !memcmp(of_a, of_b, bytes);
	}
	return same;
}

/* The lanes' addresses are a row each half, and the rows don't overlap. */
static bool are_apart(const struct exec_access *e, uint32_t size)
{
	const uint64_t last = (uint64_t)15 * e->step + size;
	if (!e->in_halves || e->step < size)
		return false;
	return e->start[0] + last <= e->start[1] || e->start[1] + last <= e->start[0] || !(e->lanes & 0xffffu) ||
	       !(e->lanes >> 16);
}

uint32_t race_lanes_differ(const struct exec *x, const struct exec_access *e, const struct race_access *a,
			   unsigned first[LANES])
{
	uint8_t slot[SLOTS] = {0}; /* 1 + the first lane there */
	uint32_t differ = 0;
	if (are_apart(e, a->site.size))
		return 0;
	LANES_EACH (l, a->lanes) {
		uint32_t k = (uint32_t)((a->address[l] / a->site.size * UINT64_C(0x9e3779b97f4a7c15)) >> 58);
		while (slot[k] && a->address[slot[k] - 1u] != a->address[l])
			k = (k + 1) % SLOTS;
		if (!slot[k]) {
			slot[k] = (uint8_t)(l + 1);
			continue;
		}
		first[l] = slot[k] - 1u;
		differ |= store_the_same(x, first[l], l) ? 0 : lanes_bit(l);
	}
	return differ;
}
