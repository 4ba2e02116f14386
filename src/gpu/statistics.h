/* Statistics of the device: GPGPU-Sim 3.2.2's printout, its figures by name, for each kernel and in total.
 *
 * statistics.def is the table of them all. Counts add up from the device's creation (or the last reset) on; gpu_sim_cycle, gpu_sim_insn and
 * the network's figures belong to the run, which began when a kernel last started while no other one ran. Looking changes nothing. */
#ifndef GPU_STATISTICS_H
#define GPU_STATISTICS_H

#include "gpu/gpu.h"

/* Figures by name. A ratio of nothing is not there. */
struct statistic_value {
	bool whole;
	uint64_t n;
	double real; /* if not whole */
};
typedef void statistic_fn(void *self, const char *name, struct statistic_value v);
#define STATISTICS_TOTAL UINT32_MAX
/* Of one launch what was counted from its start to its end (maxima have no part in that), or all. A launch that has not begun has no figures. */
void gpu_statistics_each(struct gpu *g, uint32_t launch, statistic_fn *fn, void *self);

/* The whole printout, in GPGPU-Sim's order. What depends on the host's clock is left out: two equal runs print the same. */
void gpu_statistics_print(struct gpu *g, struct text *out);
/* The lines `name = value` of those the pattern names (a glob, or the name itself), and lines and tables of the printout that begin with
 * such a name. False: nothing is called so. */
bool gpu_statistics_find(struct gpu *g, const char *pattern, struct text *out);
/* The figure of that name, of everything. Counts that `stats` leaves out because they are 0 are 0. */
enum statistic_is { STATISTIC_IS_UNKNOWN, STATISTIC_IS_EMPTY /* it exists, but has no value: see gpu_statistics_note */, STATISTIC_IS_THERE };
enum statistic_is gpu_statistic_get(struct gpu *g, const char *name, struct statistic_value *out);
/* Of one figure that has no value, by its name or a glob that fits no other: that it has none, and what to look at instead, a line without its end. False: it has one, or isn't a figure. */
bool gpu_statistics_note(struct gpu *g, const char *pattern, struct text *out);
/* Of a name that is none: `; did you mean 'NAME'?`, or nothing. Of the names of the table that the mode counts, and of these besides, separated by blanks. */
void gpu_statistics_suggest(const struct gpu *g, const char *name, const char *besides, struct text *out);
/* A row of the table: its name, its kind, what it says, and what else has the figure (NULL: nothing). */
struct statistic_meaning {
	const char *name, *kind, *help, *instead;
};
/* Calls fn with the rows that a pattern means, with all for "". Returns false if there are none. */
bool gpu_statistics_list(const char *pattern, void (*fn)(void *self, const struct statistic_meaning *m), void *self);
/* Figures of each line of PTX (-enable_ptx_file_line_stats), in the form of the file that AerialVision reads. False: they aren't kept. */
bool gpu_statistics_lines(struct gpu *g, struct text *out);
/* What one screen says of all since the last reset. Scheduler cycles: issued + scoreboard + unit + nothing are all of them. */
#define SUMMARY_CACHES 5u
struct gpu_summary {
	uint64_t cycles, insns, warp_insns;
	uint64_t issued, scoreboard, unit, nothing; /* performance mode from here on: cycles in which a scheduler ... */
	struct {
		const char *name;
		uint64_t accesses, misses;
	} cache[SUMMARY_CACHES];
	uint64_t dram_cycles, dram_active, dram_data, dram_reads, dram_writes, row_accesses, rows_opened;
	uint64_t bank_conflicts; /* cycles that those of shared memory took */
};
void gpu_statistics_summary(struct gpu *g, struct gpu_summary *out);
/* The file they are to be written to when a kernel ends, NULL: nobody asked for one. Only -ptx_line_stats_filename does, or
 * -enable_ptx_file_line_stats 1 on the command line: a configuration's own file doesn't. */
const char *gpu_statistics_lines_file(const struct gpu *g);

/* The log that AerialVision shows over time: a text for every -gpgpu_runtime_stat cycles goes to `fn`. NULL ends it. Performance mode. */
void gpu_watch_samples(struct gpu *g, void (*fn)(void *self, const char *s, size_t n), void *self);

/* Counts start again at 0 (not the machine's time, nor what belongs to the run under way). */
void gpu_statistics_reset(struct gpu *g);

#endif
