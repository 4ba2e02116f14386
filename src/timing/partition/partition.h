/* Memory partitions: sub-partitions (ROP delay, L2 bank and its queues) around one DRAM controller each.
 *
 * Source: GPGPU-Sim manual "Memory partition", behaviour of 3.2.2. Clocks: sub_partition_* in the L2 domain, partition_dram_cycle in the DRAM
 * domain; `now` is always core cycles. */
#ifndef TIMING_PARTITION_H
#define TIMING_PARTITION_H

#include "timing/common/address.h"
#include "timing/cache/cache.h"
#include "timing/dram/dram.h"
#include "timing/sdram/sdram.h"
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
	struct sdram_config memory; /* of a DRAM standard, for all partitions together; standard NULL: each partition has a controller of `dram` */
};

/* Checks a configuration. Returns false with the reason in `why` if its parts don't fit together. */
bool partition_config_check(const struct partition_config *cfg, const struct address_map *map, struct text *why);

struct icnt;
struct partitions; /* a view of all of them; state in the arena */
/* Builds all partitions with their state in m's arena. `cfg` and `map` must outlive them. Returns NULL if partition_config_check refuses them or there is no
 * room. */
struct partitions *partitions_create(struct timing_memory *m, struct requests *q, const struct partition_config *cfg,
				     const struct address_map *map);
/* Frees the view of all partitions, not their state in the arena. */
void partitions_destroy(struct partitions *p);
/* Sets the function that is called with each request that enters a DRAM controller; NULL: none. */
void partitions_watch_dram(struct partitions *p, void (*on_dram)(void *self, uint32_t request), void *self);
/* Begins a new batch of kernels at core cycle `now`. */
void partitions_restart(struct partitions *p, uint64_t now);

/* ---- sub-partitions, numbered over the machine ---- */
/* Returns whether the ICNT-to-L2 queue has no room; then no packet may be pushed. */
bool sub_partition_full(const struct partitions *p, uint32_t sub);
/* Takes a request from the network. */
void sub_partition_push(struct partitions *p, uint32_t sub, uint32_t request, uint64_t now);
/* Leaves the sectors of memory that the host has written in the L2, if -gpgpu_perf_sim_memcpy is on and the L2 has sectors. */
void partitions_copied_to(struct partitions *p, uint64_t address, uint64_t bytes, uint64_t now);
/* Returns the first request of the L2-to-ICNT queue, 0 if the queue is empty. */
uint32_t sub_partition_top(const struct partitions *p, uint32_t sub);
/* Returns a bit for each sub-partition, 64 to a word: set if its L2-to-ICNT queue is not empty. The words live as long as the partitions. */
const uint64_t *sub_partitions_replying(const struct partitions *p);
/* Returns the bit of one sub-partition in the words of sub_partitions_replying. */
static inline bool sub_partition_may_pop(const uint64_t *replying, uint32_t sub) { return replying[sub / 64] >> sub % 64 & 1; }
/* Removes and returns the first request of the L2-to-ICNT queue, which then travels in the network; 0 if the queue is empty. */
uint32_t sub_partition_pop(struct partitions *p, uint32_t sub, uint64_t now);
/* Simulates one L2 cycle of a sub-partition. */
void sub_partition_cycle(struct partitions *p, uint32_t sub, uint64_t now);
/* Simulates one L2 cycle of all sub-partitions: each takes at most one packet from the network n (NULL: none), where sub-partition 0 is device `first`.
 * Returns how many had no room for a packet. */
uint32_t sub_partitions_cycle(struct partitions *p, struct icnt *n, uint32_t first, uint64_t now);
/* Invalidates a sub-partition's L2 bank. */
void sub_partition_flush_l2(struct partitions *p, uint32_t sub);

/* ---- partitions ---- */
/* Simulates one DRAM command cycle of all partitions. */
void partitions_dram_cycle(struct partitions *p, uint64_t now);
/* Simulates one DRAM command cycle of a partition that has a controller of its own. */
void partition_dram_cycle(struct partitions *p, uint32_t partition, uint64_t now);
/* Returns whether a partition has requests that have not been answered. */
bool partition_busy(const struct partitions *p, uint32_t partition);

/* ---- statistics ---- */
struct partition_stats {
	uint64_t max_mrq_latency, max_icnt_to_mem_latency;
	uint64_t mrq_latency_table[32], icnt_to_mem_latency_table[24];
};
/* Stores the statistics of all partitions: latencies are maxima and sums over them. */
void partitions_get_stats(const struct partitions *p, struct partition_stats *out);
/* Returns a sub-partition's L2 bank, its cycle count up to date; NULL if there is none. */
const struct cache *sub_partition_l2(const struct partitions *p, uint32_t sub);
/* Returns a partition's DRAM controller, its cycle count up to date. */
const struct dram *partition_dram(const struct partitions *p, uint32_t partition);
/* Returns the memory of a DRAM standard that all partitions share, or NULL: each partition has its own controller. */
struct sdram *partitions_memory(const struct partitions *p);
/* A partition's requests between the DRAM latency queue and the queue to the L2, where the memory is shared. */
enum partition_port_list { PORT_WAITING, PORT_READING, PORT_DONE, PORT_TO_L2, PORT_LISTS };
extern const char *const partition_port_names[PORT_LISTS];
/* Returns the request at position k of a list of a partition's port to the shared memory, 0 if there is none. */
uint32_t partition_port_at(const struct partitions *p, uint32_t partition, enum partition_port_list list, uint32_t k);
/* Clears the statistics of all partitions, L2 banks and controllers. */
void partitions_reset_stats(struct partitions *p);
/* Adds a request's round trip, known when its reply reaches its core, to the figures of its DRAM bank. */
void partitions_note_round_trip(struct partitions *p, uint32_t request, uint64_t latency);
/* Appends the per-bank tables of the memory latency block (concurrent accesses, service time, row locality, reads, writes, mf latency) in GPGPU-Sim's form. */
void partitions_print_bank_tables(const struct partitions *p, struct text *out);
/* Appends the block "Memory Partition n:" in GPGPU-Sim's form. */
void partition_print(const struct partitions *p, uint32_t partition, struct text *out);
/* Appends the DRAM lines of -gpgpu_runtime_stat for all partitions and begins new maxima. */
void partitions_print_runtime(struct partitions *p, struct text *out);
/* Appends the whole state of a partition (command `dm`): queues with their requests, L2 MSHRs and, with `tags`, lines, credits, DRAM queue, banks with their
 * timers, data pipe. */
void partition_dump(const struct partitions *p, uint32_t partition, bool tags, uint64_t now, struct text *out);
/* Returns the request at position k of queue `which` (0 ROP, 1 icnt_to_l2, 2 l2_to_dram, 3 dram_to_l2, 4 l2_to_icnt), 0 if there is none. */
uint32_t sub_partition_queue_at(const struct partitions *p, uint32_t sub, unsigned which, uint32_t k);
/* Returns the request at position k of a partition's DRAM latency queue, 0 if there is none. */
uint32_t partition_latency_at(const struct partitions *p, uint32_t partition, uint32_t k);
/* Returns the number of requests in queue `which` (0 ROP, 1 icnt_to_l2, 2 l2_to_dram, 3 dram_to_l2, 4 l2_to_icnt). */
uint32_t sub_partition_queue_length(const struct partitions *p, uint32_t sub, unsigned which);

struct timing_valid;
/* Returns true if the partitions' state is consistent, and claims their requests (timing/common/valid.h). */
bool partitions_are_valid(const struct partitions *p, struct timing_valid *v);

#endif
