#include "timing/cache/cache_print.h"

#include <inttypes.h>
#include <math.h>

#include "timing/cache/cache_internal.h"

/* 0/0 is written nan whatever the C library makes of its sign. */
static double rate(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : (double)NAN; }

struct cache_totals cache_totals(const struct cache_stats *s)
{
	struct cache_totals t = {0};
	for (unsigned type = 0; type < ACCESS_TYPE_COUNT; type++) {
		const uint64_t *count = s->count[type];
		t.accesses += count[CACHE_HIT] + count[CACHE_HIT_RESERVED] + count[CACHE_MISS];
		t.misses += count[CACHE_MISS];
		t.pending_hits += count[CACHE_HIT_RESERVED];
		t.reservation_fails += count[CACHE_RESERVATION_FAIL];
	}
	return t;
}

void cache_stats_add(struct cache_stats *sum, const struct cache_stats *s)
{
	for (unsigned type = 0; type < ACCESS_TYPE_COUNT; type++)
		for (unsigned outcome = 0; outcome < CACHE_OUTCOMES; outcome++)
			sum->count[type][outcome] += s->count[type][outcome];
	sum->cycles += s->cycles;
	sum->data_port_busy += s->data_port_busy;
	sum->fill_port_busy += s->fill_port_busy;
	sum->tag_accesses += s->tag_accesses;
	sum->tag_misses += s->tag_misses;
	sum->tag_pending_hits += s->tag_pending_hits;
}

void cache_print_banner(const char *title, struct text *out) { text_addf(out, "\n========= %s =========\n", title); }

void cache_print_one(const char *label, uint32_t i, const struct cache_stats *s, struct text *out)
{
	struct cache_totals t = cache_totals(s);
	text_addf(out,
		  "%s[%" PRIu32 "]: Access = %" PRIu64 ", Miss = %" PRIu64 ", Miss_rate = %.3f, Pending_hits = %" PRIu64
		  ", Reservation_fails = %" PRIu64 "\n",
		  label, i, t.accesses, t.misses, rate(t.misses, t.accesses), t.pending_hits, t.reservation_fails);
}

void cache_print_totals(const char *name, const struct cache_stats *s, struct text *out)
{
	struct cache_totals t = cache_totals(s);
	text_addf(out, "%s_total_cache_accesses = %" PRIu64 "\n", name, t.accesses);
	text_addf(out, "%s_total_cache_misses = %" PRIu64 "\n", name, t.misses);
	if (t.accesses)
		text_addf(out, "%s_total_cache_miss_rate = %.4f\n", name, rate(t.misses, t.accesses));
	text_addf(out, "%s_total_cache_pending_hits = %" PRIu64 "\n", name, t.pending_hits);
	text_addf(out, "%s_total_cache_reservation_fails = %" PRIu64 "\n", name, t.reservation_fails);
}

void cache_print_ports(const char *name, const struct cache_stats *s, struct text *out)
{
	uint64_t cycles = s->cycles ? s->cycles : 1;
	text_addf(out, "%s_data_port_util = %.3f\n", name, rate(s->data_port_busy, cycles));
	text_addf(out, "%s_fill_port_util = %.3f\n", name, rate(s->fill_port_busy, cycles));
}

void cache_print_breakdown(const char *name, const struct cache_stats *s, struct text *out)
{
	for (unsigned type = 0; type < ACCESS_TYPE_COUNT; type++)
		for (unsigned outcome = 0; outcome < CACHE_OUTCOMES; outcome++)
			if (s->count[type][outcome])
				text_addf(out, "\t%s[%s][%s] = %" PRIu64 "\n", name, access_type_names[type],
					  cache_outcome_names[outcome], s->count[type][outcome]);
}

void cache_print_l2(const struct cache_stats *banks, uint32_t n, struct text *out)
{
	struct cache_stats sum = {0};
	cache_print_banner("L2 cache stats", out);
	for (uint32_t i = 0; i < n; i++) {
		cache_print_one("L2_cache_bank", i, &banks[i], out);
		cache_stats_add(&sum, &banks[i]);
	}
	cache_print_totals("L2", &sum, out);
	text_add(out, "L2_total_cache_breakdown:\n");
	cache_print_breakdown("L2_cache_stats_breakdown", &sum, out);
	cache_print_ports("L2_cache", &sum, out);
}

void cache_print_runtime(const char *name, const struct cache_config *cfg, const struct cache_stats *s,
			 struct text *out)
{
	text_addf(out, "Cache %s:\tSize = %" PRIu64 " B (%" PRIu32 " Set x %" PRIu32 "-way x %" PRIu32 " byte line)\n",
		  name, (uint64_t)cfg->sets * cfg->ways * cfg->line, cfg->sets, cfg->ways, cfg->line);
	text_addf(out, "\t\tAccess = %" PRIu64 ", Miss = %" PRIu64 " (%.3g), PendingHit = %" PRIu64 " (%.3g)\n",
		  s->tag_accesses, s->tag_misses, rate(s->tag_misses, s->tag_accesses), s->tag_pending_hits,
		  rate(s->tag_pending_hits, s->tag_accesses));
}

void cache_print_runtime_totals(const struct cache_stats *sum, struct text *out)
{
	text_addf(out, "total_dl1_misses=%" PRIu64 "\n", sum->tag_misses);
	text_addf(out, "total_dl1_accesses=%" PRIu64 "\n", sum->tag_accesses);
	text_addf(out, "total_dl1_miss_rate= %f\n", rate(sum->tag_misses, sum->tag_accesses));
}

/* Returns the words for a line's state: "valid". */
static const char *line_state_name(uint32_t state)
{
	switch (state) {
	case CACHE_RESERVED: return "reserved";
	case CACHE_VALID: return "valid";
	case CACHE_MODIFIED: return "modified";
	default: return "invalid";
	}
}

void cache_print_lines(const char *name, const struct cache *c, struct text *out)
{
	const struct cache_config *cfg = &c->cfg;
	uint32_t shown = 0;
	text_addf(out, "  %-3s lines         set way  line        state     allocated   accessed     filled\n", name);
	for (uint32_t i = 0; i < cfg->sets * cfg->ways; i++) {
		const struct cache_line *l = &c->lines[i];
		if (l->state == CACHE_INVALID)
			continue;
		text_addf(out, "                   %4u %3u  0x%08" PRIx64 "  %-8s %10u %10u %10u\n", i / cfg->ways, i % cfg->ways, l->block,
			  line_state_name(l->state), l->allocated, l->accessed, l->filled);
		shown++;
	}
	text_addf(out, "                   %u of %u lines hold something\n", shown, cfg->sets * cfg->ways);
}

uint32_t cache_first_merged(const struct cache *c, uint32_t entry) { return c->mshr.at[entry].first; }

/* Returns the oldest request that a texture cache has sent for the line of an address. Returns 0 if there is none. */
static uint32_t first_of_texels(const struct cache *c, uint64_t address)
{
	struct cache_mshr_view m;
	const uint64_t block = address & ~(uint64_t)(c->cfg.line - 1);
	for (uint32_t k = 0; cache_mshr_get(c, k, &m); k++)
		if (m.block == block && !m.ready)
			return m.first;
	return 0;
}

/* Returns the oldest request that waits in the MSHRs for the line or sector of an address. Returns 0 if there is none. */
static uint32_t first_waiting(const struct cache *c, uint64_t address)
{
	if (c->kind == CACHE_TEXTURE)
		return first_of_texels(c, address);
	const uint64_t block = address & ~(uint64_t)((c->sectors ? REQUEST_SECTOR_BYTES : c->cfg.line) - 1);
	const uint32_t entry = mshrs_find(&c->mshr, block);
	return entry && !c->mshr.at[entry].ready ? c->mshr.at[entry].first : 0;
}

enum cache_place cache_place_of(const struct cache *c, uint64_t address, uint32_t *request)
{
	const uint64_t block = address & ~(uint64_t)(c->cfg.line - 1);
	*request = first_waiting(c, address);
	if (*request)
		return CACHE_COMING;
	for (uint32_t i = 0; i < c->cfg.sets * c->cfg.ways; i++) {
		const uint32_t state = c->sectors ? c->sectors[i].state[address / REQUEST_SECTOR_BYTES % REQUEST_SECTORS] : c->lines[i].state;
		if (c->lines[i].block == block && c->lines[i].state != CACHE_INVALID && state != CACHE_INVALID)
			return state == CACHE_RESERVED ? CACHE_COMING : CACHE_THERE;
	}
	return CACHE_ABSENT;
}

static const char *const replacement_words[] = {
#define REPLACEMENT(kind, letter, words, age) [CACHE_##kind] = words,
#include "timing/cache/policies.def"
};
static const char *const allocation_words[] = {
#define ALLOCATION(kind, letter, words) [CACHE_##kind] = words,
#include "timing/cache/policies.def"
};

void cache_config_describe(const struct cache_config *cfg, struct text *out)
{
	if (cfg->disabled) {
		text_add(out, "none");
		return;
	}
	text_addf(out,
		  "%" PRIu64 " bytes: %" PRIu32 " sets of %" PRIu32 " ways, %" PRIu32
		  "-byte lines%s; %s, %s, lines allocated on %s",
		  (uint64_t)cfg->sets * cfg->ways * cfg->line, cfg->sets, cfg->ways, cfg->line,
		  cfg->sectors ? " of four sectors" : cache_set_rules[cfg->set_index].words, replacement_words[cfg->replacement],
		  cache_write_rules[cfg->write].words, allocation_words[cfg->alloc]);
	if (cfg->write != CACHE_READONLY_POLICY)
		text_add(out, cache_write_miss_rules[cfg->write_alloc].words);
	if (cfg->mshr_kind == CACHE_MSHR_TEX_FIFO)
		text_addf(out,
			  "; FIFOs of %" PRIu32 " fragments, %" PRIu32 " requests, %" PRIu32
			  " results; reorder buffer of %" PRIu32,
			  cfg->mshr_entries, cfg->mshr_merge, cfg->result_fifo, cfg->miss_queue);
	else
		text_addf(out,
			  "; %" PRIu32 " MSHRs of %" PRIu32 " requests, miss queue of %" PRIu32 "; port of %" PRIu32
			  " bytes",
			  cfg->mshr_entries, cfg->mshr_merge, cfg->miss_queue, cfg->port);
}
