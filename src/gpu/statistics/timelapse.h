/* Time-lapse samples: the counts of AerialVision's metrics at intervals of performance mode, kept in the arena.
 *
 * A sample holds counts since the samples began, so samples can be left out without losing anything. When there is no room for another one, every second one is
 * dropped and the interval doubles. Samples belong to a moment of the machine: going back and on again takes the same ones. */
#ifndef GPU_STATISTICS_TIMELAPSE_H
#define GPU_STATISTICS_TIMELAPSE_H

#include "gpu/gpu.h"

#define TIMELAPSE_INTERVAL 128u /* cycles between samples at first, unless set */
#define TIMELAPSE_MOST 512u	/* samples that are kept */

enum timelapse_scope { TIMELAPSE_GLOBAL, TIMELAPSE_CORE, TIMELAPSE_WARP, TIMELAPSE_PARTITION, TIMELAPSE_BANK, TIMELAPSE_SCOPES };
enum timelapse_kind { TIMELAPSE_SUM, TIMELAPSE_LEVEL };
struct timelapse_column {
	enum timelapse_scope scope;
	enum timelapse_kind kind;
	const char *name, *help;
};
extern const struct timelapse_column timelapse_columns[];
extern const size_t timelapse_column_count;

/* What there is of samples. */
struct timelapse_view {
	uint64_t since;	   /* cycle in which the samples began */
	uint64_t interval; /* cycles between samples now */
	uint32_t n;	   /* samples */
	uint32_t count[TIMELAPSE_SCOPES]; /* cores, warp slots, partitions, banks of a partition; GLOBAL: 1 */
	uint32_t core;	   /* that the warp slots are of */
};
/* Stores what samples there are. Returns false if the device has none. */
bool gpu_timelapse(const struct gpu *g, struct timelapse_view *out);
/* Returns the cycle of sample `k`, which ends an interval. */
uint64_t gpu_timelapse_cycle(const struct gpu *g, uint32_t k);
/* Returns a value of sample `k`: of a column, and of the core, warp slot or partition `which`, or of its bank `bank`. */
uint64_t gpu_timelapse_value(const struct gpu *g, uint32_t k, size_t column, uint32_t which, uint32_t bank);

/* Takes samples every `interval` cycles from now on, at first; 0: none. Samples that there are stay if the interval is the same. */
void gpu_timelapse_set(struct gpu *g, uint32_t interval);
/* Returns the interval that was set; 0: no samples are taken. */
uint32_t gpu_timelapse_interval(const struct gpu *g);

/* Stores the cycles in which a launch began and ended, *end 0 if the launch hasn't ended. Returns false if the launch hasn't begun, or there was no
 * room for its record. */
bool gpu_statistics_span(struct gpu *g, uint32_t launch, uint64_t *begin, uint64_t *end);

#endif
