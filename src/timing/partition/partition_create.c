/* Making partitions: checks of their configuration, arrays, banks of the L2. */
#include "timing/partition/partition_internal.h"

#include <stdlib.h>

bool partition_config_check(const struct partition_config *cfg, const struct address_map *map, struct text *why)
{
	const struct dram_config *dram = &cfg->dram;
	uint32_t bank_bits = (uint32_t)__builtin_popcountll(map->bank_mask);
	if (!dram_config_check(dram, why) || (cfg->memory.standard && !sdram_config_check(&cfg->memory, why)))
		return false;
	if (map->channels != cfg->n_partitions || map->subs != cfg->subs_per_partition)
		text_addf(why, "address map for %u x %u sub-partitions; the machine has %u x %u", map->channels,
			  map->subs, cfg->n_partitions, cfg->subs_per_partition);
	else if (bank_bits > 6 || (1u << bank_bits) > dram->t.nbk)
		text_addf(why, "address mapping: %u bank bits for %u DRAM banks", bank_bits, dram->t.nbk);
	else if (!cfg->icnt_to_l2 || !cfg->l2_to_dram || !cfg->dram_to_l2 || !cfg->l2_to_icnt)
		text_addf(why, "memory partition: a queue of no entries");
	else if ((cfg->icnt_to_l2 | cfg->l2_to_dram | cfg->dram_to_l2 | cfg->l2_to_icnt) >= 1u << 20)
		text_addf(why, "memory partition: a queue of more than a million entries");
	else if (dram->queue_size && dram->return_queue &&
		 dram->queue_size + dram->return_queue < cfg->subs_per_partition - 1)
		text_addf(why, "memory partition: scheduler and return queue are too short for %u sub-partitions",
			  cfg->subs_per_partition);
	else
		return true;
	return false;
}

static bool l2_full(void *self, uint32_t bytes, bool is_write)
{
	(void)bytes, (void)is_write;
	return fifo_full(((struct sub_partition *)self)->l2_to_dram);
}

static void l2_push(void *self, uint32_t request, uint64_t now) { sub_partition_to_dram(self, request, now); }

static bool make_sub(struct partitions *p, struct timing_memory *m, uint32_t i)
{
	const struct partition_config *cfg = p->cfg;
	struct sub_partition *sub = &p->sub[i];
	sub->all = p;
	sub->partition = i / cfg->subs_per_partition;
	sub->s = timing_take(m, 1, sizeof *sub->s);
	sub->private_credits = timing_take(m, 1, sizeof *sub->private_credits);
	sub->icnt_to_l2 = fifo_take(m, cfg->icnt_to_l2);
	sub->l2_to_dram = fifo_take(m, cfg->l2_to_dram);
	sub->dram_to_l2 = fifo_take(m, cfg->dram_to_l2);
	sub->l2_to_icnt = fifo_take(m, cfg->l2_to_icnt);
	if (!sub->s || !sub->private_credits || !sub->icnt_to_l2 || !sub->l2_to_dram || !sub->dram_to_l2 ||
	    !sub->l2_to_icnt)
		return false;
	if (cfg->l2.disabled)
		return true;
	const struct cache_lower lower = {sub, l2_full, l2_push};
	sub->l2 = cache_create(m, p->q, &cfg->l2, CACHE_DATA, REQUEST_L2, REQUEST_IN_PARTITION_L2_MISS_QUEUE, &lower);
	if (!sub->l2)
		return false;
	cache_set_address_map(sub->l2, p->map);
	return true;
}

static bool make_partition(struct partitions *p, struct timing_memory *m, uint32_t i)
{
	struct partition *part = &p->partition[i];
	part->all = p;
	part->sub = &p->sub[i * p->cfg->subs_per_partition];
	part->dram = dram_create(m, p->q, &p->cfg->dram);
	part->s = timing_take(m, 1, sizeof *part->s);
	if (!part->dram || !part->s)
		return false;
	part->s->last_borrower = p->cfg->subs_per_partition - 1;
	return true;
}

/* Returns the limit of requests that sub-partitions share; 0: none. As in GPGPU-Sim, a limit of 0 means none, too. */
static uint32_t shared_limit(const struct partition_config *cfg)
{
	const struct dram_config *d = &cfg->dram;
	return d->queue_size && d->return_queue ? d->queue_size + d->return_queue - (cfg->subs_per_partition - 1) : 0;
}

static bool make_all(struct partitions *p, struct timing_memory *m)
{
	p->n_subs = p->cfg->n_partitions * p->cfg->subs_per_partition;
	p->shared_limit = shared_limit(p->cfg);
	p->sub = calloc(p->n_subs, sizeof *p->sub);
	p->partition = calloc(p->cfg->n_partitions, sizeof *p->partition);
	p->stats = timing_take(m, 1, sizeof *p->stats);
	p->sub_quiet = timing_take(m, p->n_subs, sizeof *p->sub_quiet);
	p->dram_quiet = timing_take(m, p->cfg->n_partitions, sizeof *p->dram_quiet);
	p->replying = timing_take(m, (p->n_subs + 63) / 64, sizeof *p->replying);
	if (!p->sub || !p->partition || !p->stats || !p->sub_quiet || !p->dram_quiet || !p->replying)
		return false;
	p->full_when_empty = p->cfg->rules.takes_whole_lines && p->cfg->icnt_to_l2 < REQUEST_SECTORS;
	for (uint32_t i = 0; i < p->n_subs; i++)
		if (!make_sub(p, m, i))
			return false;
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++)
		if (!make_partition(p, m, i))
			return false;
	return !p->cfg->memory.standard || partitions_create_memory(p, m);
}

struct partitions *partitions_create(struct timing_memory *m, struct requests *q, const struct partition_config *cfg,
				     const struct address_map *map)
{
	struct text why = {0};
	bool good = partition_config_check(cfg, map, &why);
	text_free(&why);
	struct partitions *p = good ? calloc(1, sizeof *p) : NULL;
	if (!p)
		return NULL;
	p->cfg = cfg;
	p->map = map;
	p->q = q;
	if (make_all(p, m))
		return p;
	partitions_destroy(p);
	return NULL;
}

void partitions_destroy(struct partitions *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; p->sub && i < p->n_subs; i++)
		if (p->sub[i].l2)
			cache_destroy(p->sub[i].l2);
	for (uint32_t i = 0; p->partition && i < p->cfg->n_partitions; i++)
		if (p->partition[i].dram)
			dram_destroy(p->partition[i].dram);
	sdram_destroy(p->memory);
	free(p->sub);
	free(p->partition);
	free(p);
}

void partitions_restart(struct partitions *p, uint64_t now)
{
	for (uint32_t i = 0; i < p->cfg->n_partitions; i++) {
		partition_count(p, i);
		dram_restart(p->partition[i].dram, now);
	}
}
