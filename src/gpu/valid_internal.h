/* What the validators of the device's sections share. */
#ifndef GPU_VALID_INTERNAL_H
#define GPU_VALID_INTERNAL_H

#include "base/valid.h"
#include "exec/valid.h"
#include "gpu/internal.h"
#include "gpu/restore.h"

struct gpu_valid {
	struct gpu *g;
	const struct gpu_outside *outside;
	struct text *what;
	struct exec_valid_heaps heaps; /* what blocks and launches have of them */
};

/* A section's row: its validator may rely on those of the rows before it. */
typedef bool gpu_validator(struct gpu_valid *v);
struct gpu_valid_row {
	const char *section;
	gpu_validator *is_valid;
};
extern const struct gpu_valid_row gpu_valid_rows[];
extern const unsigned gpu_valid_row_count;

/* valid.c */
static inline uint64_t gpu_valid_entries(const struct gpu_valid *v, int section, uint64_t size)
{
	return v->g->arena.section[section].used / size;
}
/* valid_memory.c, host_address.c */
gpu_validator gpu_valid_allocations, gpu_valid_host_addresses;
/* valid_launches.c */
gpu_validator gpu_valid_device, gpu_valid_launches, gpu_valid_residents, gpu_valid_blocks, gpu_valid_probe;
/* child.c, statistics_launch.c */
gpu_validator gpu_valid_device_streams, gpu_valid_statistics;
/* wait.c */
gpu_validator gpu_valid_waits;
/* valid_streams.c */
gpu_validator gpu_valid_streams, gpu_valid_operations, gpu_valid_events;
/* valid_performance.c */
gpu_validator gpu_valid_performance, gpu_valid_scoreboards, gpu_valid_lines;

#endif
