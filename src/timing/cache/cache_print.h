/* Cache statistics in GPGPU-Sim 3.2.2's text form. The order of a printout is the caller's:
 *
 *   cache_print_banner("Core cache stats")
 *   L1I_cache:  cache_print_totals("\tL1I")
 *   L1D_cache:  cache_print_one("\tL1D_cache_core", cluster) ..., cache_print_totals("\tL1D"), cache_print_ports("\tL1D_cache")
 *   L1C_cache:, L1T_cache: like L1I; then cache_print_breakdown("Total_core_cache_stats_breakdown") of them all
 *   cache_print_l2 of the banks */
#ifndef TIMING_CACHE_PRINT_H
#define TIMING_CACHE_PRINT_H

#include "timing/cache/cache.h"

/* Totals that GPGPU-Sim derives from the table of counts. */
struct cache_totals {
	uint64_t accesses, misses, pending_hits, reservation_fails;
};
/* Returns the sums of a cache's statistics over all types of accesses. */
struct cache_totals cache_totals(const struct cache_stats *s);
/* Adds a cache's statistics to a sum. */
void cache_stats_add(struct cache_stats *sum, const struct cache_stats *s);

/* Appends an empty line and "========= TITLE =========". */
void cache_print_banner(const char *title, struct text *out);
/* Appends "LABEL[i]: Access = ..., Reservation_fails = ..." */
void cache_print_one(const char *label, uint32_t i, const struct cache_stats *s, struct text *out);
/* Appends a cache's totals in GPGPU-Sim's lines: "NAME_total_cache_accesses = ...", misses, miss rate, pending hits, reservation fails. */
void cache_print_totals(const char *name, const struct cache_stats *s, struct text *out);
/* Appends "NAME_data_port_util = ...", "NAME_fill_port_util = ...": shares of the cycles in which the port was busy. */
void cache_print_ports(const char *name, const struct cache_stats *s, struct text *out);
/* Appends a line "<tab>NAME[TYPE][OUTCOME] = n" for each count that is not 0. */
void cache_print_breakdown(const char *name, const struct cache_stats *s, struct text *out);
/* Appends the whole L2 block: banner, n banks, totals, breakdown, ports. */
void cache_print_l2(const struct cache_stats *banks, uint32_t n, struct text *out);

/* Appends one cache's lines of the runtime report (-gpgpu_runtime_stat flag 0x10), from its tag array's counters. */
void cache_print_runtime(const char *name, const struct cache_config *cfg, const struct cache_stats *s,
			 struct text *out);
/* Appends the runtime report's sums over caches. */
void cache_print_runtime_totals(const struct cache_stats *sum, struct text *out);

/* Appends a row for each line that holds something: set, way, address, state, cycles; `name` is in the heading. */
void cache_print_lines(const char *name, const struct cache *c, struct text *out);
/* Appends "32 sets x 4 ways x 128 bytes = 16384 bytes, LRU, ..." for people. */
void cache_config_describe(const struct cache_config *cfg, struct text *out);

#endif
