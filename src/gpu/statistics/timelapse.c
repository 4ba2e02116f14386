/* Takes and keeps time-lapse samples: see timelapse.h. A sample is a row of words: its cycle, then the columns of each scope, one unit after the other.
 * In front of the samples lies a row with the counts in the cycle `since`, which are subtracted. */
#include "gpu/statistics/timelapse.h"

#include <string.h>

#include "gpu/device/valid_internal.h"
#include "gpu/statistics/logs.h"
#include "gpu/statistics/statistics_internal.h"
#include "timing/ldst/ldst.h"

const struct timelapse_column timelapse_columns[] = {
#define SAMPLE(scope, name, kind, help) {TIMELAPSE_##scope, TIMELAPSE_##kind, name, help},
#include "gpu/statistics/timelapse.def"
};
const size_t timelapse_column_count = sizeof timelapse_columns / sizeof *timelapse_columns;

enum {
#define SAMPLE(scope, name, kind, help) +(TIMELAPSE_##scope == TIMELAPSE_GLOBAL)
	GLOBAL_WORDS = 0
#include "gpu/statistics/timelapse.def"
	,
#define SAMPLE(scope, name, kind, help) +(TIMELAPSE_##scope == TIMELAPSE_CORE)
	CORE_WORDS = 0
#include "gpu/statistics/timelapse.def"
	,
#define SAMPLE(scope, name, kind, help) +(TIMELAPSE_##scope == TIMELAPSE_PARTITION)
	PARTITION_WORDS = 0
#include "gpu/statistics/timelapse.def"
	,
#define SAMPLE(scope, name, kind, help) +(TIMELAPSE_##scope == TIMELAPSE_BANK)
	BANK_WORDS = 0
#include "gpu/statistics/timelapse.def"
};
#define LANE_GROUPS 8u

/* What the section begins with. */
struct head {
	uint64_t since, interval;
	uint32_t n, words; /* samples; words of each */
};

static struct head *head_of(const struct gpu *g) { return arena_at(&g->arena, g->sec_timelapse, 0); }
static uint64_t place_of_row(uint64_t k, uint32_t words) { return sizeof(struct head) + (k + 1) * words * sizeof(uint64_t); }
static uint64_t *row_of(const struct gpu *g, uint64_t k, uint32_t words)
{
	return (uint64_t *)arena_at(&g->arena, g->sec_timelapse, place_of_row(k, words));
}
static uint64_t *first_counts(const struct gpu *g) { return (uint64_t *)arena_at(&g->arena, g->sec_timelapse, sizeof(struct head)); }

static uint32_t counted_core(const struct gpu *g)
{
	const uint64_t k = (uint64_t)config_int(g->config, "gpgpu_warp_issue_shader");
	return k < g->machine->config->core.n_cores ? (uint32_t)k : 0;
}

static uint32_t banks_of(const struct gpu *g) { return g->machine->config->partition.dram.t.nbk; }

static uint32_t row_words(const struct gpu *g)
{
	const struct timing_config *cfg = g->machine->config;
	return 1u + GLOBAL_WORDS + cfg->core.n_cores * CORE_WORDS + cfg->core.n_warps +
	       cfg->partition.n_partitions * (PARTITION_WORDS + banks_of(g) * BANK_WORDS);
}

/* ---- one sample ---- */

static uint64_t *put_global(const struct gpu *g, uint64_t *to)
{
	const struct timing *t = &g->perf->timing;
	const struct latency_stats *l = &t->s->latency;
	uint64_t out = 0, in = 0;
	for (uint32_t k = 0; k < t->cfg->core.n_clusters; k++) {
		out += t->cluster[k].s->n.flits_out;
		in += t->cluster[k].s->n.flits_in;
	}
	const uint64_t v[] = {t->s->sim_insn, out, in, l->windows_sum + l->window_sum, l->windows + l->window_n};
	_Static_assert(sizeof v == GLOBAL_WORDS * sizeof *v, "the rows of timelapse.def");
	memcpy(to, v, sizeof v);
	return to + GLOBAL_WORDS;
}

enum { CORE_BLOCKS, CORE_WARPS, CORE_THREAD_INSNS, CORE_WARP_INSNS, CORE_IDLE, CORE_SCOREBOARD, CORE_PIPELINE }; /* as the rows of timelapse.def */

/* Stores the columns of a core. `before`, of the sample before, may be NULL; a core that was empty since has the same counts but for idle turns. */
static uint64_t *put_core(struct core *c, const uint64_t *before, uint64_t *to)
{
	const struct core_stats *st = c->stats;
	struct cache_totals l1d = {0};
	if (c->s->slept && c->s->live)
		core_wake(c);
	const uint64_t asleep = c->s->slept * c->cfg->schedulers; /* an empty core's, which its statistics don't have yet */
	if (before && !c->s->live && !before[CORE_WARPS] && before[CORE_WARP_INSNS] == st->warp_icount) {
		memcpy(to, before, CORE_WORDS * sizeof *to);
		to[CORE_BLOCKS] = c->s->active_ctas;
		to[CORE_IDLE] = st->w0_idle + asleep;
		to[CORE_SCOREBOARD] = st->w0_scoreboard;
		to[CORE_PIPELINE] = st->stall;
		return to + CORE_WORDS;
	}
	for (uint32_t k = 0; k < LDST_L1D_VARIANTS; k++) {
		const struct cache *l1 = ldst_l1d_variant(c, k);
		if (!l1)
			continue;
		const struct cache_totals more = cache_totals(cache_get_stats(l1));
		l1d.accesses += more.accesses;
		l1d.misses += more.misses;
	}
	*to++ = c->s->active_ctas;
	*to++ = (uint64_t)__builtin_popcountll(c->s->live);
	*to++ = st->thread_icount;
	*to++ = st->warp_icount;
	*to++ = st->w0_idle + asleep;
	*to++ = st->w0_scoreboard;
	*to++ = st->stall;
	for (unsigned k = 0, lanes = 1; k < LANE_GROUPS; k++) {
		uint64_t sum = 0;
		for (unsigned i = 0; i < LANES / LANE_GROUPS; i++)
			sum += st->occupancy[lanes++];
		*to++ = sum;
	}
	*to++ = l1d.accesses;
	*to++ = l1d.misses;
	*to++ = st->stall_shd_mem[STALL_S_MEM][STALL_BK_CONF];
	return to;
}

enum { DRAM_REQUESTS = 4, DRAM_ACTIVE = 7 }; /* as the rows of timelapse.def */

static uint64_t *put_partition(const struct timing *t, uint32_t k, uint64_t *to)
{
	const struct dram_counts *d = &dram_get_stats(partition_dram(t->partitions, k))->n;
	const uint32_t subs = t->cfg->partition.subs_per_partition;
	const uint64_t v[] = {d->cmd, d->nop, d->act, d->pre, d->req, d->queue_sum, d->data_cycles, d->activity};
	memcpy(to, v, sizeof v);
	to += sizeof v / sizeof *v;
	to[0] = to[1] = 0;
	for (uint32_t i = 0; i < subs; i++) {
		const struct cache *l2 = sub_partition_l2(t->partitions, k * subs + i);
		const struct cache_totals more = l2 ? cache_totals(cache_get_stats(l2)) : (struct cache_totals){0};
		to[0] += more.accesses;
		to[1] += more.misses;
	}
	return to + 2;
}

/* Stores the columns of a partition's banks: those of the sample before if the DRAM has had no request since. */
static uint64_t *put_banks(const struct dram *d, uint32_t n, bool is_same, const uint64_t *before, uint64_t *to)
{
	if (is_same) {
		memcpy(to, before, n * BANK_WORDS * sizeof *to);
		return to + n * BANK_WORDS;
	}
	static const enum access_type types[] = {GLOBAL_ACC_R, GLOBAL_ACC_W, LOCAL_ACC_R, LOCAL_ACC_W, CONST_ACC_R, TEXTURE_ACC_R};
	_Static_assert(sizeof types / sizeof *types == BANK_WORDS, "the rows of timelapse.def");
	for (uint32_t bank = 0; bank < n; bank++)
		for (unsigned k = 0; k < BANK_WORDS; k++)
			*to++ = dram_get_bank_stats(d, bank)->by_type[types[k]];
	return to;
}

/* Stores a sample in the row `to`; `before` is the row of the sample before, or NULL. */
static void put_sample(struct gpu *g, const uint64_t *before, uint64_t *to)
{
	struct timing *t = &g->perf->timing;
	const struct timing_config *cfg = g->perf->config;
	const uint32_t banks = banks_of(g), n = cfg->partition.n_partitions;
	const uint64_t *const row = to;
	*to++ = gpu_state(g)->cycle;
	to = put_global(g, to);
	for (uint32_t k = 0; k < cfg->core.n_cores; k++)
		to = put_core(&t->core[k], before ? before + (to - row) : NULL, to);
	memcpy(to, t->core[counted_core(g)].stats->warp_issue, cfg->core.n_warps * sizeof *to);
	to += cfg->core.n_warps;
	const size_t partitions = (size_t)(to - row);
	for (uint32_t k = 0; k < n; k++)
		to = put_partition(t, k, to);
	for (uint32_t k = 0; k < n; k++) {
		const size_t at = partitions + k * PARTITION_WORDS;
		/* no request was taken, and none waits at a bank */
		const bool is_same = before && before[at + DRAM_REQUESTS] == row[at + DRAM_REQUESTS] && before[at + DRAM_ACTIVE] == row[at + DRAM_ACTIVE];
		to = put_banks(partition_dram(t->partitions, k), banks, is_same, before ? before + (to - row) : NULL, to);
	}
}

/* ---- all of them ---- */

static bool has_samples(const struct gpu *g)
{
	return g->machine && g->arena.section[g->sec_timelapse].used >= sizeof(struct head) && head_of(g)->n;
}

static void set_due(struct gpu *g, const struct head *h)
{
	const uint64_t now = gpu_state(g)->cycle, past = now - h->since;
	g->perf->s->sample_due = h->since + (past / h->interval + 1) * h->interval;
}

/* Drops every second sample, the earlier of two, and doubles the interval. */
static void thin_out(struct gpu *g, struct head *h)
{
	const size_t bytes = h->words * sizeof(uint64_t);
	arena_touch(&g->arena, g->sec_timelapse, place_of_row(0, h->words), h->n / 2 * bytes);
	for (uint32_t k = 0; k < h->n / 2; k++)
		memcpy(row_of(g, k, h->words), row_of(g, 2 * k + 1, h->words), bytes);
	h->n /= 2;
	h->interval *= 2;
}

void perf_take_timelapse(struct gpu *g)
{
	struct head *h = head_of(g);
	arena_touch(&g->arena, g->sec_timelapse, 0, sizeof *h);
	if (h->n == TIMELAPSE_MOST) {
		thin_out(g, h);
		set_due(g, h);
		if ((gpu_state(g)->cycle - h->since) % h->interval)
			return;
	}
	const uint64_t bytes = h->words * sizeof(uint64_t), at = place_of_row(h->n, h->words);
	if (!arena_use(&g->arena, g->sec_timelapse, at + bytes)) {
		g->perf->s->sample_due = UINT64_MAX;
		return;
	}
	arena_touch(&g->arena, g->sec_timelapse, at, bytes);
	put_sample(g, h->n ? row_of(g, h->n - 1, h->words) : NULL, row_of(g, h->n, h->words));
	h->n++;
	set_due(g, h);
}

void perf_begin_timelapse(struct gpu *g)
{
	const uint32_t interval = gpu_timelapse_interval(g);
	g->perf->s->sample_due = UINT64_MAX;
	const uint64_t bytes = place_of_row(0, row_words(g));
	if (!arena_use(&g->arena, g->sec_timelapse, bytes))
		return;
	arena_touch(&g->arena, g->sec_timelapse, 0, bytes);
	memset(first_counts(g), 0, bytes - sizeof(struct head));
	*head_of(g) = (struct head){.since = gpu_state(g)->cycle, .interval = interval ? interval : 1, .words = row_words(g)};
	if (interval)
		set_due(g, head_of(g));
}

/* Begins anew, from the counts of now. */
static void begin_from_now(struct gpu *g)
{
	perf_begin_timelapse(g);
	if (g->arena.section[g->sec_timelapse].used >= place_of_row(0, row_words(g)))
		put_sample(g, NULL, first_counts(g));
}

void perf_restart_timelapse(struct gpu *g)
{
	if (!has_samples(g))
		begin_from_now(g);
}

/* ---- what users see ---- */

bool gpu_timelapse(const struct gpu *g, struct timelapse_view *out)
{
	if (!has_samples(g))
		return false;
	const struct timing_config *cfg = g->machine->config;
	const struct head *h = head_of(g);
	*out = (struct timelapse_view){
		.since = h->since,
		.interval = h->interval,
		.n = h->n,
		.count = {1, cfg->core.n_cores, cfg->core.n_warps, cfg->partition.n_partitions, banks_of(g)},
		.core = counted_core(g)};
	return true;
}

uint64_t gpu_timelapse_cycle(const struct gpu *g, uint32_t k) { return *row_of(g, k, head_of(g)->words); }

/* Returns the place of a column among those of its scope. */
static uint32_t place_of(size_t column)
{
	uint32_t n = 0;
	for (size_t k = 0; k < column; k++)
		n += timelapse_columns[k].scope == timelapse_columns[column].scope;
	return n;
}

uint64_t gpu_timelapse_value(const struct gpu *g, uint32_t k, size_t column, uint32_t which, uint32_t bank)
{
	const struct timing_config *cfg = g->machine->config;
	const uint32_t cores = 1u + GLOBAL_WORDS, warps = cores + cfg->core.n_cores * CORE_WORDS, partitions = warps + cfg->core.n_warps,
		       banks = partitions + cfg->partition.n_partitions * PARTITION_WORDS;
	uint32_t at = place_of(column);
	switch (timelapse_columns[column].scope) {
	case TIMELAPSE_CORE: at += cores + which * CORE_WORDS; break;
	case TIMELAPSE_WARP: at = warps + which; break;
	case TIMELAPSE_PARTITION: at += partitions + which * PARTITION_WORDS; break;
	case TIMELAPSE_BANK: at += banks + (which * banks_of(g) + bank) * BANK_WORDS; break;
	default: at++; break;
	}
	const uint64_t v = row_of(g, k, head_of(g)->words)[at];
	return timelapse_columns[column].kind == TIMELAPSE_SUM ? v - first_counts(g)[at] : v;
}

void gpu_timelapse_set(struct gpu *g, uint32_t interval)
{
	struct gpu_state *s = gpu_state(g);
	const uint32_t kept = interval == TIMELAPSE_INTERVAL ? 0 : interval ? interval : UINT32_MAX;
	if (s->sample_interval == kept)
		return;
	s->sample_interval = kept;
	if (!g->machine)
		return;
	struct performance *const in_use = g->perf;
	g->perf = g->machine;
	begin_from_now(g);
	g->perf = in_use;
}

uint32_t gpu_timelapse_interval(const struct gpu *g)
{
	const uint32_t kept = gpu_state(g)->sample_interval;
	return !kept ? TIMELAPSE_INTERVAL : kept == UINT32_MAX ? 0 : kept;
}

/* ---- validation ---- */

bool gpu_valid_timelapse(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const uint64_t used = g->arena.section[g->sec_timelapse].used;
	if (!used)
		return true;
	const struct head *h = head_of(g);
	if (used < sizeof *h || !h->interval || h->n > TIMELAPSE_MOST || !g->machine || h->words != row_words(g) || place_of_row(h->n, h->words) > used)
		return invalid(v->what, "the time-lapse samples");
	return true;
}
