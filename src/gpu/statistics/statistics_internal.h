/* What the files of the statistics share: the figures themselves, and the rows of statistics.def. */
#ifndef GPU_STATISTICS_INTERNAL_H
#define GPU_STATISTICS_INTERNAL_H

#include "gpu/device/performance_state.h"
#include "gpu/statistics/statistics.h"
#include "timing/cache/cache_print.h"

/* What the blocks count, as uint64_t and nothing else: two of them subtract word by word. (Maxima are among it, which mean something only in what is
 * not a difference.) */
struct statistics_counts {
	uint64_t cycles, insns;
	struct perf_counts device;
	struct core_stats core;			/* of all cores */
	struct cache_stats l1i, l1d, l1c, l1t, l2; /* of all cores, of all sub-partitions */
	uint64_t bytes_out[ACCESS_TYPE_COUNT + 1], packets_out[ACCESS_TYPE_COUNT + 1]; /* the last: global atomics */
	uint64_t bytes_in[ACCESS_TYPE_COUNT + 1], packets_in[ACCESS_TYPE_COUNT + 1];
	struct cluster_counts cluster;		/* of all clusters */
	struct dram_counts dram;		/* of all channels */
	struct dram_bank_stats bank;		/* of all banks: what adds up in it */
	struct partition_stats partition;	/* of all partitions */
	struct latency_stats latency;
	struct sdram_totals memory;		/* of a DRAM standard: of all channels */
};

/* Made of the counts. */
struct statistics_derived {
	uint64_t run_cycles, run_insns; /* of the run; of one launch: its own */
	struct cache_totals l1i, l1d, l1c, l1t, l2;
	uint64_t mem_write_global;
	uint64_t gl_coal_stall; /* over loads and stores of both spaces */
	uint64_t zero;
};

struct statistics {
	struct statistics_counts n;
	struct statistics_derived d;
	uint32_t warp_threads; /* threads of a warp: the last row of the occupancy */
};

/* Stores all counts since the last reset, in the device's present mode, and the figures derived from them. */
void statistics_collect(struct gpu *g, struct statistics *s);
/* Computes the figures that follow from the counts, except those of the run. */
void statistics_derive(struct statistics *s);
/* Subtracts the counts `n` from `from`, word by word. */
void statistics_subtract(struct statistics_counts *from, const struct statistics_counts *n);
/* Stores the figures of one launch. Returns false if the launch hasn't begun. */
bool statistics_of_launch(struct gpu *g, uint32_t launch, struct statistics *s);

/* ---- the table ---- */
/* COUNT and RATIO are lines of the printout, PART is a figure that a block prints in its own way, BLOCK is such a block, FAMILY names many
 * figures, HOST depends on the host's clock. UNUSED is a line that is always 0, EMPTY one of a block's own. */
enum statistic_kind { STATISTIC_COUNT, STATISTIC_RATIO, STATISTIC_UNUSED, STATISTIC_EMPTY, STATISTIC_PART, STATISTIC_PART_RATIO, STATISTIC_PART_MEAN, STATISTIC_MAXIMUM,
		      STATISTIC_BLOCK, STATISTIC_FAMILY, STATISTIC_HOST };
enum statistic_scope { SCOPE_ANY /* of a launch and of all */, SCOPE_TOTAL };
struct statistic_row {
	enum statistic_kind kind;
	const char *name;
	const char *before; /* of the number in the printout; NULL: "NAME = " */
	size_t part, whole; /* places in struct statistics; whole: of ratios */
	bool functional;    /* there in functional mode, too */
	bool is_latency;    /* counted with -gpgpu_memlatency_stat only */
	enum statistic_scope scope;
	void (*print)(struct gpu *g, struct text *out);		  /* BLOCK, HOST */
	void (*each)(const struct statistics *s, statistic_fn *fn, void *self); /* FAMILY */
	const char *instead; /* where to look while it has no value; NULL: it has one */
	const char *help;
};
extern const struct statistic_row statistic_rows[];
extern const size_t statistic_rows_n;

/* ---- blocks (print.c) ---- */
/* Prints the names, numbers and streams of the run's kernels. */
void statistics_print_kernels(struct gpu *g, struct text *out);
/* Prints the totals of the cores' caches. */
void statistics_print_core_caches(struct gpu *g, struct text *out);
/* Prints the sum of the cores' caches by access type and outcome. */
void statistics_print_core_breakdown(struct gpu *g, struct text *out);
/* Prints the instructions issued per warp of the core -gpgpu_warp_issue_shader. */
void statistics_print_warp_issue(struct gpu *g, struct text *out);
/* Prints scheduler cycles by the number of active lanes, and stalled and idle cycles. */
void statistics_print_occupancy(struct gpu *g, struct text *out);
/* Prints the traffic between cores and memory by access type, in both directions. */
void statistics_print_traffic(struct gpu *g, struct text *out);
/* Prints memory latencies and their tables, if -gpgpu_memlatency_stat is set. */
void statistics_print_latency(struct gpu *g, struct text *out);
/* Prints the figures of each memory partition. */
void statistics_print_partitions(struct gpu *g, struct text *out);
/* Prints the stalls of stream buffers, if there are any. */
void statistics_print_streams(struct gpu *g, struct text *out);
/* Prints the figures of the memory of a DRAM standard, if there is one. */
void statistics_print_dram_standard(struct gpu *g, struct text *out);
/* Prints the figures of the L2 banks, if there is an L2. */
void statistics_print_l2(struct gpu *g, struct text *out);
/* Prints the present interval of the control-flow log, if the log is active. */
void statistics_print_flow(struct gpu *g, struct text *out);
/* Prints the histograms of instruction classes, if -gpgpu_ptx_instruction_classification is set. */
void statistics_print_classes(struct gpu *g, struct text *out);
/* Prints the tables of GPGPU-Sim's load and store latencies, which are all 0. */
void statistics_print_status_times(struct gpu *g, struct text *out);
/* Prints the network's figures, if there is a network. */
void statistics_print_network(struct gpu *g, struct text *out);
/* Prints the simulated instructions per second of host time in one line. */
void statistics_print_host_rate(struct gpu *g, struct text *out);
/* Prints the host time that the simulation has taken. */
void statistics_print_host_time(struct gpu *g, struct text *out);
/* Prints the simulated instructions and cycles per second of host time. */
void statistics_print_host_rates(struct gpu *g, struct text *out);

/* ---- families (families.c) ---- */
/* Calls `fn` with the sum of the cores' caches by access type and outcome. */
void statistics_each_core_breakdown(const struct statistics *s, statistic_fn *fn, void *self);
/* Calls `fn` with the L2's figures by access type and outcome. */
void statistics_each_l2_breakdown(const struct statistics *s, statistic_fn *fn, void *self);
/* Calls `fn` with the scheduler cycles for each number of active lanes. */
void statistics_each_occupancy(const struct statistics *s, statistic_fn *fn, void *self);
/* Calls `fn` with the traffic from cores to memory by access type. */
void statistics_each_traffic_out(const struct statistics *s, statistic_fn *fn, void *self);
/* Calls `fn` with the traffic from memory to cores by access type. */
void statistics_each_traffic_in(const struct statistics *s, statistic_fn *fn, void *self);
/* Calls `fn` with the stall cycles of each memory space and reason that aren't 0. */
void statistics_each_stall_reason(const struct statistics *s, statistic_fn *fn, void *self);

#define STATISTICS_STATUSES 27u /* of a request, as many as GPGPU-Sim has */

/* Calls `fn` with the bins of the latency tables. */
void statistics_each_latency_bin(const struct statistics *s, statistic_fn *fn, void *self);
/* Calls `fn` with the network's figures of the run, read from their printed lines. */
void statistics_each_of_network(const char *printed, statistic_fn *fn, void *self);

/* Rows of traffic in the order of the printout: by name, atomics apart. */
#define TRAFFIC_ROWS (ACCESS_TYPE_COUNT + 1u)
extern const uint8_t statistics_traffic_order[TRAFFIC_ROWS];
/* Returns the name of row `row` of the traffic: an access type, or ACCESS_TYPE_COUNT for global atomics. The string is static. */
const char *statistics_traffic_name(uint32_t row);

#endif
