/* Floats in memory without a declared type: what kernels have loaded and stored as floats, found by running again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/format.h"
#include "history/trace.h"

#define SEEN_MAX ((size_t)1 << 16) /* the first ones */
#define SLOTS (SEEN_MAX * 2)	   /* a power of two */

struct look {
	struct history *h;
	struct seen_float *seen;
	size_t n;
	uint32_t *slot; /* of a hash: 1 + index */
	uint8_t *words; /* float_words; */
	uint32_t n_insns; /* of so many instructions */
};

static void note(struct look *l, uint64_t generic, enum isa_type type)
{
	size_t k = (generic >> 1) * UINT64_C(0x9E3779B97F4A7C15) >> 40 & (SLOTS - 1);
	for (; l->slot[k]; k = (k + 1) & (SLOTS - 1))
		if (l->seen[l->slot[k] - 1].generic == generic)
			return;
	if (l->n == SEEN_MAX)
		return;
	l->seen[l->n++] = (struct seen_float){generic, type};
	l->slot[k] = (uint32_t)l->n;
}

static void look_at(struct look *l, const char *bytes, uint64_t at, uint64_t size, enum isa_type type)
{
	const unsigned wide = isa_type_bytes(type);
	for (uint64_t k = 0; k + wide <= size; k += wide) {
		uint64_t v = 0;
		memcpy(&v, bytes + k, wide);
		if (!isfinite(format_to_double(type, &v)))
			note(l, at + k, type);
	}
}

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct look *l = self;
	const struct exec_access *a = &e->access;
	enum isa_type type = (enum isa_type)gpu_program(l->h->g)->insns[x->pc].type;
	if (!isa_type_is_float(type) && x->pc < l->n_insns && l->words[x->pc])
		type = (enum isa_type)l->words[x->pc];
	if (e->kind != EXEC_EFFECT_ACCESS || !isa_type_is_float(type) || isa_type_bytes(type) < 2)
		return;
	LANES_EACH (lane, a->lanes) {
		const uint64_t at = a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
		const void *bytes = gpu_nearest_allocation(l->h->g, at)
					    ? exec_peek(x, x->cta, x->warp->index, lane, at, a->size)
					    : NULL;
		if (bytes)
			look_at(l, bytes, at, a->size, type);
	}
}

bool seen_floats(struct history *h, const struct history_position *limit, struct seen_float **out, size_t *n)
{
	struct look l = {.h = h, .seen = xcalloc(SEEN_MAX, sizeof *l.seen), .slot = xcalloc(SLOTS, sizeof *l.slot)};
	const struct exec_watcher w = {.kinds = EXEC_LOOK(ACCESS), .after = after, .self = &l};
	float_words(h, &l.words);
	l.n_insns = gpu_program(h->g)->n_insns;
	const bool ok = snapshot_go_back(h, 0) &&
			replay(h, &(struct replay){.to = limit, .cycle = UINT64_MAX, .watcher = &w}) == REPLAY_LIMIT;
	free(l.slot);
	free(l.words);
	*out = l.seen;
	*n = ok ? l.n : 0;
	return ok;
}
