/* The table of what varies from round to round (prove.c). */
#include "gpu/wait/prove_internal.h"

struct prove_entry *prove_find(struct prove_entry *t, uint32_t n, uint64_t key)
{
	for (uint32_t k = 0; k < n; k++)
		if (t[k].key == key)
			return &t[k];
	return NULL;
}

uint32_t prove_lanes(const struct gpu *g, uint64_t key)
{
	const struct prove_entry *e = prove_find(prove_varying(g), prove_probe(g)->n_varying, key);
	return e ? (uint32_t)e->lanes : 0;
}

/* Sets which lanes vary. Returns false if the table is full. */
static bool set_lanes(struct gpu *g, uint64_t key, uint32_t lanes)
{
	struct gpu_probe *pr = prove_probe(g);
	struct prove_entry *e = prove_find(prove_varying(g), pr->n_varying, key);
	if (e) {
		e->lanes = lanes;
		return true;
	}
	if (!lanes)
		return true;
	if (pr->n_varying == PROVE_TABLE)
		return false;
	prove_varying(g)[pr->n_varying++] = (struct prove_entry){key, lanes};
	return true;
}

bool prove_add(struct gpu *g, uint64_t key, uint32_t lanes) { return !lanes || set_lanes(g, key, prove_lanes(g, key) | lanes); }

void prove_forget_frame(struct gpu *g, uint64_t frame, uint64_t bytes)
{
	struct gpu_probe *pr = prove_probe(g);
	for (uint32_t k = 0; k < pr->n_varying; k++) {
		struct prove_entry *e = &prove_varying(g)[k];
		const uint64_t at = e->key & (PROVE_PRED - 1);
		if (!(e->key & PROVE_LOCAL) && at >= frame && at < frame + bytes)
			e->lanes = 0;
	}
}

uint64_t prove_key(uint64_t frame, uint32_t word)
{
	if (ISA_RW_IS_PRED(word))
		return PROVE_PRED | (frame + 4 * (uint64_t)ISA_RW_PRED_SLOT(word));
	return ISA_REF_BASE(word) == ISA_BASE_FRAME ? PROVE_ROW | (frame + ISA_REF_OFFSET(word)) : UINT64_MAX;
}

bool prove_note_written(struct gpu *g, uint64_t key, uint32_t lanes)
{
	struct gpu_probe *pr = prove_probe(g);
	struct prove_entry *e = prove_find(prove_written(g), pr->n_written, key);
	if (e)
		e->lanes |= lanes;
	else if (pr->n_written == PROVE_TABLE)
		return false;
	else
		prove_written(g)[pr->n_written++] = (struct prove_entry){key, lanes};
	return true;
}

bool prove_write(struct gpu *g, uint64_t key, uint32_t lanes, uint32_t mask)
{
	return set_lanes(g, key, (prove_lanes(g, key) & ~mask) | (lanes & mask)) && (!prove_probe(g)->looks || prove_note_written(g, key, mask));
}

bool prove_add_written(struct gpu *g)
{
	bool ok = true;
	for (uint32_t k = 0; ok && k < prove_probe(g)->n_written; k++)
		ok = prove_add(g, prove_written(g)[k].key, (uint32_t)prove_written(g)[k].lanes);
	return ok;
}

static bool is_live(const struct gpu *g, uint64_t key)
{
	const struct exec_warp *w = prove_warp(g);
	const struct exec_simt *s = arena_at(&g->arena, g->exec.sec_simt, w->simt);
	const uint64_t at = key & (PROVE_PRED - 1);
	if (key & PROVE_LOCAL)
		return at * 4 < s[w->n_simt - 1].local_top;
	for (uint32_t e = 0; e < w->n_simt; e++)
		if (at >= s[e].frame && at < s[e].frame + s[e].frame_bytes)
			return true;
	return false;
}

static uint32_t drop(const struct gpu *g, struct prove_entry *t, uint32_t n)
{
	uint32_t left = 0;
	for (uint32_t k = 0; k < n; k++)
		if (t[k].lanes && is_live(g, t[k].key))
			t[left++] = t[k];
	return left;
}

void prove_drop_dead(struct gpu *g)
{
	struct gpu_probe *pr = prove_probe(g);
	pr->n_varying = drop(g, prove_varying(g), pr->n_varying);
	pr->n_written = drop(g, prove_written(g), pr->n_written);
}
