/* The validators of the arena's sections: each stands beside the code that owns its section, or in validate/. */
#ifndef GPU_VALID_INTERNAL_H
#define GPU_VALID_INTERNAL_H

#include "base/valid.h"
#include "exec/valid.h"
#include "gpu/device/internal.h"

struct gpu_outside;

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

/* ---- validate/sections.c ---- */
/* Returns the number of entries of `size` bytes in use in a section. */
static inline uint64_t gpu_valid_entries(const struct gpu_valid *v, int section, uint64_t size)
{
	return v->g->arena.section[section].used / size;
}
/* ---- validate/memory.c, memory/host_address.c ---- */
/* Returns true if the section "allocation" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_allocations;
/* Returns true if the section "host-address" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_host_addresses;
/* ---- validate/launches.c ---- */
/* Returns true if the section "device" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_device;
/* Returns true if the section "launch" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_launches;
/* Returns true if the section "resident" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_residents;
/* Returns true if the section "cta" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_blocks;
/* Returns true if the section "probe" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_probe;
/* ---- launch/child.c, statistics/launches.c ---- */
/* Returns true if the section "device-stream" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_device_streams;
/* Returns true if the section "statistics" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_statistics;
/* Returns true if the time-lapse samples are of this machine. */
gpu_validator gpu_valid_timelapse;
/* ---- wait/wait.c ---- */
/* Returns true if the section "wait" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_waits;
/* ---- validate/streams.c ---- */
/* Returns true if the section "stream" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_streams;
/* Returns true if the section "operation" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_operations;
/* Returns true if the section "event" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_events;
/* ---- texture/texture.c ---- */
/* Returns true if the section "texture" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_textures;
/* ---- validate/performance.c ---- */
/* Returns true if the section "timing" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_performance;
/* Returns true if the section "scoreboards" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_scoreboards;
/* Returns true if the section "lines" is valid, else false with a message in `v->what`. */
gpu_validator gpu_valid_lines;

#endif
