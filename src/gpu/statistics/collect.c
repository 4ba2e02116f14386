/* Adding up what the blocks of the machine have counted. */
#include <string.h>

#include "gpu/statistics/statistics_internal.h"
#include "timing/ldst/ldst.h"

/* Structs of uint64_t and nothing else. */
static void add_words(void *sum, const void *more, size_t bytes)
{
	uint64_t *a = sum;
	const uint64_t *b = more;
	for (size_t i = 0; i < bytes / sizeof *a; i++)
		a[i] += b[i];
}
_Static_assert(sizeof(struct statistics_counts) % sizeof(uint64_t) == 0, "made of words");

/* A block's counts are added to those of its kind; both are the same struct. */
#define ADD(sum, more) add_words((sum), 1 ? (more) : (sum), sizeof *(sum))

void statistics_subtract(struct statistics_counts *from, const struct statistics_counts *n)
{
	uint64_t *a = (uint64_t *)(void *)from;
	const uint64_t *b = (const uint64_t *)(const void *)n;
	for (size_t i = 0; i < sizeof *from / sizeof *a; i++)
		a[i] -= b[i];
}

/* ---- cores ---- */

static void add_cache(struct cache_stats *sum, const struct cache *c)
{
	if (c)
		cache_stats_add(sum, cache_get_stats(c));
}

static void add_core(struct statistics_counts *n, struct core *c)
{
	core_wake(c);
	ADD(&n->core, c->stats);
	add_cache(&n->l1i, c->l1i);
	add_cache(&n->l1c, ldst_l1c(c));
	add_cache(&n->l1t, ldst_l1t(c));
	for (uint32_t k = 0; k < LDST_L1D_VARIANTS; k++)
		add_cache(&n->l1d, ldst_l1d_variant(c, k));
}

static void add_traffic(uint64_t *bytes, uint64_t *packets, const struct traffic *t)
{
	for (uint32_t row = 0; row < TRAFFIC_ROWS; row++)
		for (uint32_t size = 0; size < TRAFFIC_SIZES; size++) {
			packets[row] += t->packets[row][size];
			bytes[row] += t->packets[row][size] * (size + 1) * 8;
		}
}

static void add_cluster(struct statistics_counts *n, const struct cluster *k)
{
	ADD(&n->cluster, &k->s->n);
	add_traffic(n->bytes_out, n->packets_out, &k->s->out);
	add_traffic(n->bytes_in, n->packets_in, &k->s->in);
}

/* ---- memory ---- */

static void add_dram(struct statistics_counts *n, const struct dram *d)
{
	const struct dram_stats *st = dram_get_stats(d);
	ADD(&n->dram, &st->n);
	n->dram.cmd -= st->since;
	for (uint32_t k = 0; k < dram_bank_count(d); k++)
		ADD(&n->bank, dram_get_bank_stats(d, k));
}

static void collect_memory(const struct timing *t, struct statistics_counts *n)
{
	const struct partition_config *cfg = &t->cfg->partition;
	partitions_get_stats(t->partitions, &n->partition);
	n->latency = t->s->latency;
	if (partitions_memory(t->partitions))
		sdram_get_totals(partitions_memory(t->partitions), &n->memory);
	for (uint32_t k = 0; k < cfg->n_partitions; k++)
		add_dram(n, partition_dram(t->partitions, k));
	for (uint32_t k = 0; k < cfg->n_partitions * cfg->subs_per_partition; k++)
		add_cache(&n->l2, sub_partition_l2(t->partitions, k));
}

/* ---- all ---- */

void statistics_derive(struct statistics *s)
{
	const uint64_t(*stall)[STALL_REASONS] = s->n.core.stall_shd_mem;
	struct statistics_derived *d = &s->d;
	d->l1i = cache_totals(&s->n.l1i);
	d->l1d = cache_totals(&s->n.l1d);
	d->l1c = cache_totals(&s->n.l1c);
	d->l1t = cache_totals(&s->n.l1t);
	d->l2 = cache_totals(&s->n.l2);
	d->mem_write_global = s->n.core.mem_out[GLOBAL_ACC_W] + s->n.core.mem_out[L1_WRBK_ACC];
	for (unsigned k = STALL_G_MEM_LD; k <= STALL_L_MEM_ST; k++)
		d->gl_coal_stall += stall[k][STALL_COAL_STALL];
}

static void collect_performance(struct gpu *g, struct statistics *s)
{
	const struct performance *pf = g->perf;
	const struct timing *t = &pf->timing;
	for (uint32_t k = 0; k < pf->config->core.n_cores; k++)
		add_core(&s->n, &t->core[k]);
	for (uint32_t k = 0; k < pf->config->core.n_clusters; k++)
		add_cluster(&s->n, &t->cluster[k]);
	s->n.device = pf->s->counts;
	collect_memory(t, &s->n);
}

void statistics_collect(struct gpu *g, struct statistics *s)
{
	struct gpu_stats all;
	memset(s, 0, sizeof *s);
	s->warp_threads = g->device.warp_threads;
	gpu_get_stats(g, &all);
	s->n.cycles = all.tot_sim_cycle;
	s->n.insns = all.tot_sim_insn;
	if (g->perf)
		collect_performance(g, s);
	else
		s->n.core.warp_icount = all.tot_warp_insns;
	statistics_derive(s);
	s->d.run_cycles = all.sim_cycle;
	s->d.run_insns = all.sim_insn;
}
