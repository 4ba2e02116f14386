/* Module variables at GPGPU-Sim's addresses. */
#include "timing/core/places.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define FIRST_PLACE UINT64_C(0x100)

static bool is_placed(const struct isa_variable *v)
{
	return (v->space == ISA_SPACE_GLOBAL || v->space == ISA_SPACE_CONST) && v->bytes &&
	       !(v->flags & (ISA_VAR_EXTERN | ISA_VAR_UNLOADED));
}

static int by_address(const void *a, const void *b)
{
	const struct timing_variable *x = a, *y = b;
	return x->first < y->first ? -1 : x->first > y->first;
}

void timing_places_update(struct timing_places *t, const struct isa_program *p)
{
	uint64_t next = FIRST_PLACE;
	timing_places_free(t);
	t->at = xcalloc((size_t)p->n_variables + 1, sizeof *t->at);
	for (uint32_t k = 0; k < p->n_variables; k++) {
		const struct isa_variable *v = p->variables[k];
		if (!is_placed(v))
			continue;
		const uint64_t align = isa_place_align(v->bytes);
		const uint64_t first = v->address + (v->space == ISA_SPACE_CONST ? ISA_CONST_WINDOW : 0);
		next = (next + align - 1) & ~(align - 1);
		t->at[t->n++] = (struct timing_variable){.first = first, .end = first + v->bytes, .place = next};
		next += v->bytes;
	}
	qsort(t->at, t->n, sizeof *t->at, by_address);
}

void timing_places_free(struct timing_places *t)
{
	free(t->at);
	*t = (struct timing_places){0};
}

uint64_t timing_places_find(const struct timing_places *t, uint64_t generic)
{
	uint32_t low = 0, high = t->n;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (t->at[middle].end <= generic)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < t->n && t->at[low].first <= generic)
		return generic - t->at[low].first + t->at[low].place;
	if (generic >= ISA_CONST_WINDOW && generic < ISA_CODE_WINDOW)
		return generic - ISA_CONST_WINDOW + FIRST_PLACE;
	return generic;
}
