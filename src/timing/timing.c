/* Building a machine out of its blocks. */
#include "timing/timing.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "timing/core/collector.h"
#include "timing/ldst/ldst.h"

static bool make_cores(struct timing *t)
{
	const struct core_config *cfg = &t->cfg->core;
	t->core = xcalloc(cfg->n_cores, sizeof *t->core);
	for (uint32_t k = 0; k < cfg->n_cores; k++)
		if (!core_create(&t->core[k], t, k))
			return false;
	t->cluster = xcalloc(cfg->n_clusters, sizeof *t->cluster);
	t->responding = timing_take(&t->memory, (cfg->n_clusters + 63) / 64, sizeof *t->responding);
	if (!t->responding)
		return false;
	for (uint32_t k = 0; k < cfg->n_clusters; k++)
		if (!cluster_create(&t->cluster[k], t, k, &t->core[k * cfg->cores_per_cluster]))
			return false;
	return true;
}

/* A packet that does not fit into a buffer on its way could never be sent, or would stay there for ever. */
static bool network_holds_packets(const struct timing *t, struct text *why)
{
	const struct core_config *c = &t->cfg->core;
	const struct cache_config *caches[] = {&c->l1i, &c->l1c, &c->l1t, &c->l1d, &c->l1d_pref_l1, &c->l1d_pref_shared};
	uint32_t largest = 128; /* of an access past the caches */
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
		if (!caches[i]->disabled && caches[i]->line > largest)
			largest = caches[i]->line;
	largest += REQUEST_CONTROL_BYTES;
	if (largest <= icnt_packet_bytes_max(t->icnt))
		return true;
	text_addf(why, "packets of %u bytes do not fit into the network's buffers of %u: raise input_buffer_size, boundary_buffer_size or flit_size",
		  largest, icnt_packet_bytes_max(t->icnt));
	return false;
}

bool timing_create(struct timing *t, const struct timing_config *cfg, struct arena *a, struct exec *x, struct text *why)
{
	const struct partition_config *p = &cfg->partition;
	t->cfg = cfg;
	t->exec = x;
	bool ok = timing_memory_init(&t->memory, a, x->limits) && requests_init(&t->requests, a, x->limits);
	t->scoreboard_section = ok ? timing_section(a, "scoreboards", x->limits->scoreboards) : -1;
	ok = t->scoreboard_section >= 0;
	t->s = ok ? timing_take(&t->memory, 1, sizeof *t->s) : NULL;
	if (!t->s) {
		text_add(why, "no room for the performance model's state");
		return false;
	}
	t->s->next_inst_uid = 1;
	t->partitions = partitions_create(&t->memory, &t->requests, p, &cfg->map);
	if (!cfg->core.perfect_mem) {
		t->icnt = icnt_create(&t->memory, &t->requests, cfg->icnt, cfg->core.n_clusters,
				      p->n_partitions * p->subs_per_partition, why);
		if (!t->icnt || !network_holds_packets(t, why))
			return false;
	}
	if (!t->partitions || !make_cores(t)) {
		text_add(why, "no room for the performance model's state");
		return false;
	}
	timing_program_changed(t, x->program->n_insns);
	if (t->lacks_scoreboards)
		text_add(why, "no room for the performance model's state");
	return !t->lacks_scoreboards;
}

void timing_destroy(struct timing *t)
{
	for (uint32_t k = 0; t->core && k < t->cfg->core.n_cores; k++)
		core_destroy(&t->core[k]);
	for (uint32_t k = 0; t->cluster && k < t->cfg->core.n_clusters; k++)
		cluster_destroy(&t->cluster[k]);
	collector_layout_free(t->collectors);
	free(t->core);
	free(t->cluster);
	if (t->partitions)
		partitions_destroy(t->partitions);
	if (t->icnt)
		icnt_destroy(t->icnt);
	timing_program_free(&t->program);
	*t = (struct timing){0};
}

/* ---- scoreboards: in a section of their own, so that all else lies where it lies, whatever the program has ---- */

/* Rows of so many words: two a warp, or one in a textbook core. */
static uint64_t scoreboard_bytes(const struct timing *t, uint32_t words)
{
	const uint32_t rows = t->cfg->core.textbook.is_on ? 1 : 2;
	return (uint64_t)t->cfg->core.n_cores * t->cfg->core.n_warps * rows * words * sizeof(uint64_t);
}

static void place_scoreboards(struct timing *t, uint32_t words)
{
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++) {
		struct core *c = &t->core[k];
		c->scoreboard = arena_at(t->memory.arena, t->scoreboard_section, k * scoreboard_bytes(t, words) / t->cfg->core.n_cores);
		c->sb_words = words;
	}
}

/* Gives the scoreboards rows of so many words. Rows move up, the last one first. */
static void grow_scoreboards(struct timing *t, uint32_t words)
{
	const uint32_t old = t->core[0].sb_words;
	uint64_t *at = arena_at(t->memory.arena, t->scoreboard_section, 0);
	if (!arena_use(t->memory.arena, t->scoreboard_section, scoreboard_bytes(t, words))) {
		t->lacks_scoreboards = true;
		return;
	}
	for (uint64_t row = old ? scoreboard_bytes(t, 1) / sizeof *at : 0; row-- > 0;) {
		memmove(at + row * words, at + row * old, old * sizeof *at);
		memset(at + row * words + old, 0, (words - old) * sizeof *at);
	}
	place_scoreboards(t, words);
}

void timing_program_changed(struct timing *t, uint32_t n_insns)
{
	timing_program_update(&t->program, t->exec->program, &t->cfg->core);
	t->program.end = n_insns;
	if (!timing_lines_fit(t, n_insns))
		t->line = NULL;
	const uint32_t registers = timing_program_registers(&t->program, n_insns) + 1, words = t->cfg->core.textbook.is_on ? registers : (registers - 1) / 64 + 1;
	t->lacks_scoreboards = false;
	if (words > t->core[0].sb_words)
		grow_scoreboards(t, words < 4 ? 4 : 2 * words);
}

void timing_program_stands(struct timing *t, uint32_t n_insns, uint32_t gone_first, uint32_t gone_end, bool variables)
{
	t->program.end = n_insns;
	t->program.gone_first = gone_first;
	t->program.gone_end = gone_end;
	if (variables)
		timing_places_update(&t->program.places, t->exec->program);
}

void timing_revived(struct timing *t)
{
	const uint64_t used = t->memory.arena->section[t->scoreboard_section].used;
	place_scoreboards(t, (uint32_t)(used / scoreboard_bytes(t, 1)));
}

/* ---- statistics ---- */

static void reset_cache(struct cache *c)
{
	if (c)
		cache_reset_stats(c);
}

static void reset_core(struct core *c)
{
	core_wake(c);
	*c->stats = (struct core_stats){0};
	reset_cache(c->l1i);
	reset_cache(ldst_l1c(c));
	reset_cache(ldst_l1t(c));
	for (uint32_t k = 0; k < LDST_L1D_VARIANTS; k++)
		reset_cache(ldst_l1d_variant(c, k));
}

void timing_reset_statistics(struct timing *t)
{
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++)
		reset_core(&t->core[k]);
	for (uint32_t k = 0; k < t->cfg->core.n_clusters; k++) {
		struct cluster_state *s = t->cluster[k].s;
		s->n = (struct cluster_counts){0};
		s->out = s->in = (struct traffic){0};
	}
	t->s->latency = (struct latency_stats){0};
	if (t->line)
		memset(t->line, 0, (size_t)t->exec->program->n_insns * sizeof *t->line);
	partitions_reset_stats(t->partitions);
	if (t->icnt)
		icnt_forget_kernels(t->icnt);
}
