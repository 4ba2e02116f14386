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
/* Calls `fn` with each figure of a launch, counted from its start to its end and without maxima, or with STATISTICS_TOTAL of everything since the
 * last reset. A launch that hasn't begun has no figures. */
void gpu_statistics_each(struct gpu *g, uint32_t launch, statistic_fn *fn, void *self);

/* Adds the whole printout in GPGPU-Sim's order, without what depends on the host's clock: equal runs print equal texts. */
void gpu_statistics_print(struct gpu *g, struct text *out);
/* Adds `name = value` lines, and lines and tables of the printout, whose names match a glob. Returns false if nothing matches. */
bool gpu_statistics_find(struct gpu *g, const char *pattern, struct text *out);
/* The figure of that name, of everything. Counts that `stats` leaves out because they are 0 are 0. */
enum statistic_is { STATISTIC_IS_UNKNOWN, STATISTIC_IS_EMPTY /* it exists, but has no value: see gpu_statistics_note */, STATISTIC_IS_THERE };
/* Stores the total of the figure `name`, or of `Overall NAME`, in *out, 0 if the figure has no value. Returns whether the figure exists and has a
 * value. */
enum statistic_is gpu_statistic_get(struct gpu *g, const char *name, struct statistic_value *out);
/* Adds a line that a figure has no value, with an alternative. `pattern` is its name, or a glob that matches no other. Returns false if the
 * figure has a value or doesn't exist. */
bool gpu_statistics_note(struct gpu *g, const char *pattern, struct text *out);
/* Adds `; did you mean 'NAME'?` with the nearest figure of the device's mode or the nearest of the words in `besides` (separated by blanks),
 * or nothing. */
void gpu_statistics_suggest(const struct gpu *g, const char *name, const char *besides, struct text *out);
/* A row of the table: its name, its kind, what it says, and what else has the figure (NULL: nothing). */
struct statistic_meaning {
	const char *name, *kind, *help, *instead;
};
/* Calls fn with the rows that a pattern means, with all for "". Returns false if there are none. */
bool gpu_statistics_list(const char *pattern, void (*fn)(void *self, const struct statistic_meaning *m), void *self);
/* Adds the figures of each line of PTX in AerialVision's file format (-enable_ptx_file_line_stats). Returns false if the device doesn't count
 * them. */
bool gpu_statistics_lines(struct gpu *g, struct text *out);
/* What one screen says of all since the last reset. Scheduler cycles: issued + scoreboard + unit + nothing are all of them. */
#define SUMMARY_CACHES 5u
struct gpu_summary {
	uint64_t cycles, insns, warp_insns;
	uint64_t repeated; /* thread instructions that 4.x counts more than once, in gpu_sim_insn besides `insns` */
	uint64_t issued, scoreboard, unit, nothing; /* performance mode from here on: cycles in which a scheduler ... */
	struct {
		const char *name;
		uint64_t accesses, misses;
	} cache[SUMMARY_CACHES];
	uint64_t dram_cycles, dram_active, dram_data, dram_reads, dram_writes, row_accesses, rows_opened;
	uint64_t bank_conflicts; /* cycles that those of shared memory took */
};
/* Stores the summary of everything since the last reset. Fields of performance mode are 0 if the device hasn't run in that mode. */
void gpu_statistics_summary(struct gpu *g, struct gpu_summary *out);
/* Returns the path for the figures of each line when a kernel ends, or NULL. Only -ptx_line_stats_filename, or -enable_ptx_file_line_stats on
 * the command line, requests the file. */
const char *gpu_statistics_lines_file(const struct gpu *g);

/* Sets the function that receives AerialVision's log, a text every -gpgpu_runtime_stat cycles of performance mode. A device without a performance
 * model keeps the function for a later one. NULL ends the log. */
void gpu_watch_samples(struct gpu *g, void (*fn)(void *self, const char *s, size_t n), void *self);

/* Sets all counts to 0 and restarts the logs. The machine's time stays, and so do the figures of the present run. */
void gpu_statistics_reset(struct gpu *g);

#endif
