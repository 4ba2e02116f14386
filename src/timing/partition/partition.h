/* Memory partitions: sub-partitions (ROP delay, L2 bank and its queues) around one DRAM controller each.
 *
 * Source: GPGPU-Sim manual "Memory partition", behaviour of 3.2.2. Clocks: sub_partition_* in the L2 domain, partition_dram_cycle in the DRAM
 * domain; `now` is always core cycles. */
#ifndef TIMING_PARTITION_H
#define TIMING_PARTITION_H

#include "timing/common/address.h"
#include "timing/cache/cache.h"
#include "timing/dram/dram.h"
#include "timing/common/rules.h"

struct partition_config {
	uint32_t n_partitions, subs_per_partition;
	struct cache_config l2;
	bool l2_texture_only;
	struct timing_rules rules;
	bool fill_by_copies; /* -gpgpu_perf_sim_memcpy: host copies to the device leave their sectors in the L2 */
	uint32_t icnt_to_l2, l2_to_dram, dram_to_l2, l2_to_icnt; /* queue entries */
	uint32_t rop_latency, dram_latency;			  /* core cycles */
	struct dram_config dram;
};

/* Do the parts fit together? False with a reason. */
bool partition_config_check(const struct partition_config *cfg, const struct address_map *map, struct text *why);

struct icnt;
struct partitions; /* a view of all of them; state in the arena */
/* NULL: no room, or what partition_config_check refuses. `cfg` and `map` must outlive it. */
struct partitions *partitions_create(struct timing_memory *m, struct requests *q, const struct partition_config *cfg,
				     const struct address_map *map);
void partitions_destroy(struct partitions *p);
/* Wants to know of each request that enters a DRAM controller; NULL: nobody. */
void partitions_watch_dram(struct partitions *p, void (*on_dram)(void *self, uint32_t request), void *self);
/* A new batch of kernels starts. */
void partitions_restart(struct partitions *p, uint64_t now);

/* ---- sub-partitions, numbered over the machine ---- */
/* The ICNT-to-L2 queue has no room: the network's packet is not taken. */
bool sub_partition_full(const struct partitions *p, uint32_t sub);
void sub_partition_push(struct partitions *p, uint32_t sub, uint32_t request, uint64_t now);
/* The host has written device memory (-gpgpu_perf_sim_memcpy). */
void partitions_copied_to(struct partitions *p, uint64_t address, uint64_t bytes, uint64_t now);
/* Head of the L2-to-ICNT queue, 0: empty. */
uint32_t sub_partition_top(const struct partitions *p, uint32_t sub);
/* Which sub-partitions have one: a set for sub_partition_may_pop, good for as long as the partitions live. */
const uint64_t *sub_partitions_replying(const struct partitions *p);
static inline bool sub_partition_may_pop(const uint64_t *replying, uint32_t sub) { return replying[sub / 64] >> sub % 64 & 1; }
/* Takes it out: it is in the network now, a read with the time it left. Write-backs that need no reply never get there. 0: empty. */
uint32_t sub_partition_pop(struct partitions *p, uint32_t sub, uint64_t now);
void sub_partition_cycle(struct partitions *p, uint32_t sub, uint64_t now);
/* The L2 clock's edge: each in turn takes a packet from the network (`first`: the device number of sub-partition 0; n may be NULL) and has
 * its cycle. Returns how many had no room for a packet. */
uint32_t sub_partitions_cycle(struct partitions *p, struct icnt *n, uint32_t first, uint64_t now);
void sub_partition_flush_l2(struct partitions *p, uint32_t sub);
/* sub_partition_cycle would only count. sub_partition_skip does n such cycles at once; sub_partition_cycle itself is cheap then, too. */
bool sub_partition_quiet(const struct partitions *p, uint32_t sub, uint64_t now);
void sub_partition_skip(struct partitions *p, uint32_t sub, uint64_t n);

/* ---- partitions ---- */
void partition_dram_cycle(struct partitions *p, uint32_t partition, uint64_t now);
/* As for sub-partitions; work comes from the L2 clock of its sub-partitions. */
bool partition_dram_quiet(const struct partitions *p, uint32_t partition, uint64_t now);
void partition_dram_skip(struct partitions *p, uint32_t partition, uint64_t n);
/* Tracks requests that have not been answered. */
bool partition_busy(const struct partitions *p, uint32_t partition);

/* ---- statistics ---- */
struct partition_stats {
	uint64_t max_mrq_latency, max_icnt_to_mem_latency;
	uint64_t mrq_latency_table[32], icnt_to_mem_latency_table[24];
};
void partitions_get_stats(const struct partitions *p, struct partition_stats *out);
const struct cache *sub_partition_l2(const struct partitions *p, uint32_t sub); /* NULL: no L2 */
const struct dram *partition_dram(const struct partitions *p, uint32_t partition);
void partitions_reset_stats(struct partitions *p);
/* Round trips are known when a reply reaches its core: adds one to the per-bank figures of the request's channel and bank. */
void partitions_note_round_trip(struct partitions *p, uint32_t request, uint64_t latency);
/* The per-bank tables of the memory latency block (concurrent accesses, service time, row locality, reads, writes, mf latency), and the
 * "Memory Partition n:" blocks, in GPGPU-Sim's form. */
void partitions_print_bank_tables(const struct partitions *p, struct text *out);
void partition_print(const struct partitions *p, uint32_t partition, struct text *out);
/* The DRAM lines of -gpgpu_runtime_stat, of all partitions. */
void partitions_print_runtime(struct partitions *p, struct text *out);
/* `dm N`: everything: queues with their requests, L2 MSHRs and (tags) lines, credits, DRAM queue, banks with their timers, data pipe. */
void partition_dump(const struct partitions *p, uint32_t partition, bool tags, uint64_t now, struct text *out);
/* The request in queue `which` (0 ROP, 1 icnt_to_l2, 2 l2_to_dram, 3 dram_to_l2, 4 l2_to_icnt) position k, 0: none. */
uint32_t sub_partition_queue_at(const struct partitions *p, uint32_t sub, unsigned which, uint32_t k);
/* The same of a partition's DRAM latency queue. */
uint32_t partition_latency_at(const struct partitions *p, uint32_t partition, uint32_t k);
uint32_t sub_partition_queue_length(const struct partitions *p, uint32_t sub, unsigned which);

#endif
