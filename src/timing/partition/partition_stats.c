/* Statistics of the memory partitions, in GPGPU-Sim's forms. */
#include <inttypes.h>
#include <stdlib.h>

#include "timing/partition/partition_internal.h"

const struct cache *sub_partition_l2(const struct partitions *p, uint32_t sub)
{
	sub_partition_count(p, sub);
	return p->sub[sub].l2;
}

const struct dram *partition_dram(const struct partitions *p, uint32_t partition)
{
	partition_count(p, partition);
	return p->partition[partition].dram;
}

void partitions_get_stats(const struct partitions *p, struct partition_stats *out)
{
	*out = *p->stats;
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		const struct dram_stats *d = dram_get_stats(partition_dram(p, i));
		if (d->max_mrq_latency > out->max_mrq_latency)
			out->max_mrq_latency = d->max_mrq_latency;
		for (unsigned k = 0; k < 32; k++)
			out->mrq_latency_table[k] += d->mrq_latency_table[k];
	}
}

void partitions_reset_stats(struct partitions *p)
{
	*p->stats = (struct partition_stats){0};
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		partition_count(p, i);
		dram_reset_stats(p->partition[i].dram);
	}
	if (p->memory)
		sdram_reset_stats(p->memory);
	for (uint32_t i = 0; i < p->n_subs; i++) {
		sub_partition_count(p, i);
		if (p->sub[i].l2)
			cache_reset_stats(p->sub[i].l2);
	}
}

void partitions_note_round_trip(struct partitions *p, uint32_t request, uint64_t latency)
{
	const struct dram_place *at = &request_at(p->q, request)->dram;
	dram_note_round_trip(p->partition[at->channel].dram, at->bank, latency);
}

/* ---- the tables of the memory latency block ---- */

static uint64_t reads(const struct dram_bank_stats *b) { return b->reads; }
static uint64_t writes(const struct dram_bank_stats *b) { return b->writes; }
static uint64_t max_row_accesses(const struct dram_bank_stats *b) { return b->max_row_accesses; }
static uint64_t max_row_cycles(const struct dram_bank_stats *b) { return b->max_row_cycles; }
static uint64_t never(const struct dram_bank_stats *b) { return (void)b, 0; }

static const struct dram_bank_stats *bank_stats(const struct partitions *p, uint32_t channel, uint32_t bank)
{
	return dram_get_bank_stats(p->partition[channel].dram, bank);
}

static void print_table(const struct partitions *p, const char *title,
			uint64_t (*figure)(const struct dram_bank_stats *b), struct text *out)
{
	text_addf(out, "%s:\n", title);
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		text_addf(out, "dram[%u]: ", i);
		for (uint32_t j = 0; j < p->cfg->dram.t.nbk; j++)
			text_addf(out, "%9" PRIu64 " ", figure(bank_stats(p, i, j)));
		text_addc(out, '\n');
	}
}

static void print_row_locality(const struct partitions *p, struct text *out)
{
	uint64_t accesses = 0, changes = 0;
	text_add(out, "average row accesses per activate:\n");
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		text_addf(out, "dram[%u]: ", i);
		for (uint32_t j = 0; j < p->cfg->dram.t.nbk; j++) {
			const struct dram_bank_stats *b = bank_stats(p, i, j);
			accesses += b->row_accesses;
			changes += b->row_changes;
			if (b->row_accesses || b->row_changes)
				text_addf(out, "%9f ", (double)((float)b->row_accesses / (float)b->row_changes));
			else
				text_addf(out, "%9s ", "nan");
		}
		text_addc(out, '\n');
	}
	text_addf(out, "average row locality = %" PRIu64 "/%" PRIu64 " = ", accesses, changes);
	if (accesses || changes)
		text_addf(out, "%f\n", (double)((float)accesses / (float)changes));
	else
		text_add(out, "nan\n");
}

struct extremes {
	uint64_t min, max;
};
static void widen(struct extremes *e, uint64_t v)
{
	if (v < e->min)
		e->min = v;
	if (v > e->max)
		e->max = v;
}

static void print_skew(const char *what, const struct extremes *e, struct text *out)
{
	if (e->min)
		text_addf(out, "%s skew: %" PRIu64 "/%" PRIu64 " = %4.2f\n", what, e->max, e->min,
			  (double)((float)e->max / (float)e->min));
	else
		text_addf(out, "min_%s_accesses = 0!\n", what);
}

static void print_accesses(const struct partitions *p, const char *title, const char *total,
			   uint64_t (*figure)(const struct dram_bank_stats *b), struct text *out)
{
	struct extremes banks = {UINT64_MAX, 0}, chips = {UINT64_MAX, 0};
	uint64_t all = 0;
	print_table(p, title, figure, out);
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		uint64_t chip = 0;
		for (uint32_t j = 0; j < p->cfg->dram.t.nbk; j++) {
			uint64_t v = figure(bank_stats(p, i, j));
			widen(&banks, v);
			chip += v;
		}
		widen(&chips, chip);
		all += chip;
	}
	text_addf(out, "total %s: %" PRIu64 "\n", total, all);
	print_skew("bank", &banks, out);
	print_skew("chip", &chips, out);
}

static void print_round_trips(const struct partitions *p, struct text *out)
{
	text_add(out, "average mf latency per bank:\n");
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		text_addf(out, "dram[%u]: ", i);
		for (uint32_t j = 0; j < p->cfg->dram.t.nbk; j++) {
			const struct dram_bank_stats *b = bank_stats(p, i, j);
			if (b->reads + b->writes)
				text_addf(out, "%10" PRIu64, b->round_trips / (b->reads + b->writes));
			else
				text_add(out, "    none  ");
		}
		text_addc(out, '\n');
	}
	text_add(out, "maximum mf latency per bank:\n");
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		text_addf(out, "dram[%u]: ", i);
		for (uint32_t j = 0; j < p->cfg->dram.t.nbk; j++)
			text_addf(out, "%10" PRIu64, bank_stats(p, i, j)->max_round_trip);
		text_addc(out, '\n');
	}
}

void partitions_print_bank_tables(const struct partitions *p, struct text *out)
{
	print_table(p, "maximum concurrent accesses to same row", max_row_accesses, out);
	print_table(p, "maximum service time to same row", max_row_cycles, out);
	print_row_locality(p, out);
	print_accesses(p, "number of total memory accesses made", "accesses", never, out);
	print_accesses(p, "number of total read accesses", "reads", reads, out);
	print_accesses(p, "number of total write accesses", "reads", writes, out); /* so called there */
	print_round_trips(p, out);
}

/* ---- "Memory Partition n:" ---- */

static void print_request(const struct requests *q, uint32_t r, struct text *out)
{
	request_print(q, r, out);
	text_addc(out, '\n');
}

/* Came from a core and has not been answered. */
static bool is_pending(const struct mem_request *m, uint32_t sub)
{
	return m->status >= REQUEST_IN_PARTITION_ROP_DELAY && m->status <= REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE &&
	       m->dram.sub_partition == sub && m->type != L2_WRBK_ACC && m->type != L2_WR_ALLOC_R;
}

struct pending {
	uint64_t uid;
	uint32_t r;
};
static int by_uid(const void *a, const void *b)
{
	uint64_t x = ((const struct pending *)a)->uid, y = ((const struct pending *)b)->uid;
	return (x > y) - (x < y);
}

/* (In the order of their creation; GPGPU-Sim has them in the order of their memory addresses.) */
static void print_pending(const struct sub_partition *s, uint32_t sub, struct text *out)
{
	const struct requests *q = s->all->q;
	uint32_t n = 0, max = s->s->tracked;
	struct pending *list = max ? calloc(max, sizeof *list) : NULL;
	for (uint32_t r = 1; list && n < max && r < q->s->n_used; r++)
		if (is_pending(request_at(q, r), sub))
			list[n++] = (struct pending){request_at(q, r)->uid, r};
	if (n) {
		qsort(list, n, sizeof *list, by_uid);
		text_addf(out, "Memory Sub Parition %u: pending memory requests:\n", sub);
	}
	for (uint32_t i = 0; i < n; i++)
		print_request(q, list[i].r, out);
	free(list);
}

static void print_mshrs(const struct sub_partition *s, uint32_t sub, struct text *out)
{
	struct cache_mshr_view v;
	text_addf(out, "Cache L2_bank_%03u:\nMSHR contents\n", sub);
	for (uint32_t k = 0; cache_mshr_get(s->l2, k, &v); k++) {
		text_addf(out, "MSHR: tag=0x%06" PRIx64 ", atomic=%d %u entries : ", v.block, v.has_atomic, v.n_merged);
		print_request(s->all->q, v.first, out);
	}
	text_addc(out, '\n');
}

void partition_print(const struct partitions *p, uint32_t partition, struct text *out)
{
	const struct partition *part = &p->partition[partition];
	text_addf(out, "Memory Partition %u: \n", partition);
	for (uint32_t i = 0; i < p->cfg->subs_per_partition; i++) {
		uint32_t sub = partition * p->cfg->subs_per_partition + i;
		print_pending(&p->sub[sub], sub, out);
		if (p->sub[sub].l2)
			print_mshrs(&p->sub[sub], sub, out);
	}
	text_addf(out, "In Dram Latency Queue (total = %u): \n", part->s->latency.n);
	for (uint32_t r = part->s->latency.head; r; r = request_at(p->q, r)->next) {
		text_addf(out, "Ready @ %" PRIu64 " - ", request_at(p->q, r)->ready);
		print_request(p->q, r, out);
	}
	dram_print(partition_dram(p, partition), partition, out);
}

void partitions_print_runtime(struct partitions *p, struct text *out)
{
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		partition_count(p, i);
		dram_print_runtime(p->partition[i].dram, i, out);
	}
}
