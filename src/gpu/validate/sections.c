/* Validating a device whose sections were filled from a file. Every section has a row here, with the function that looks at it before anything else
 * does: src/checkpoint refuses to write or read a section without one. */
#include <string.h>

#include "exec/streams.h"
#include "gpu/device/valid_internal.h"
#include "gpu/rewind/restore.h"

/* Sections whose contents may be anything: bytes that programs read and write. */
static bool valid_bytes(struct gpu_valid *v)
{
	(void)v;
	return true;
}

static bool valid_constants(struct gpu_valid *v)
{
	return v->g->arena.section[v->g->exec.sec_const].used >= v->g->program.const_next ||
	       invalid(v->what, "the size of constant memory");
}

static bool valid_counts(struct gpu_valid *v)
{
	return gpu_valid_entries(v, v->g->exec.sec_counts, sizeof(struct exec_count)) > v->g->program.n_insns ||
	       invalid(v->what, "the size of the counts of instructions");
}

static bool valid_heaps(struct gpu_valid *v) { return exec_heaps_are_valid(&v->g->exec, &v->heaps, v->what); }

static bool valid_pending(struct gpu_valid *v)
{
	return exec_pending_is_valid(&v->g->exec, gpu_cta_at(v->g, 0), gpu_state(v->g)->n_slots, v->what);
}

static bool valid_stream_buffers(struct gpu_valid *v)
{
	return exec_streams_are_valid(&v->g->exec) || invalid(v->what, "the streams of a block");
}

const struct gpu_valid_row gpu_valid_rows[] = {
	{"device", gpu_valid_device},
	{"allocation", gpu_valid_allocations},
	{"host-address", gpu_valid_host_addresses},
	{"launch", gpu_valid_launches},
	{"cta", gpu_valid_blocks},
	{"resident", gpu_valid_residents},
	{"probe", gpu_valid_probe},
	{"wait", gpu_valid_waits},
	{"paths", valid_bytes}, /* masks and counts: any will do */
	{"frame", valid_heaps},
	{"local", valid_bytes}, /* with frame */
	{"shared", valid_bytes},
	{"param", valid_bytes},
	{"special", valid_bytes},
	{"global", valid_bytes},
	{"const", valid_constants},
	{"counts", valid_counts},
	{"other counts", valid_bytes}, /* counts: any will do */
	{"pending", valid_pending},
	{"stream-buffers", valid_stream_buffers},
	{"device-stream", gpu_valid_device_streams},
	{"stream", gpu_valid_streams},
	{"operation", gpu_valid_operations},
	{"event", gpu_valid_events},
	{"texture", gpu_valid_textures},
	{"statistics", gpu_valid_statistics},
	{"launch counts", valid_bytes}, /* with statistics */
	{"timelapse", gpu_valid_timelapse},
	{"scoreboards", gpu_valid_scoreboards},
	{"timing", gpu_valid_performance},
	{"pools", valid_bytes}, /* with timing */
	{"requests", valid_bytes},
	{"lines", gpu_valid_lines},
};
const unsigned gpu_valid_row_count = sizeof gpu_valid_rows / sizeof *gpu_valid_rows;

static bool has_section(const struct gpu *g, const char *name)
{
	for (unsigned k = 0; k < g->arena.n; k++)
		if (!g->arena.section[k].is_tool_state && !strcmp(g->arena.section[k].name, name))
			return true;
	return false;
}

bool gpu_section_has_validator(const char *name)
{
	for (unsigned k = 0; k < gpu_valid_row_count; k++)
		if (!strcmp(gpu_valid_rows[k].section, name))
			return true;
	return false;
}

bool gpu_restore_check(struct gpu *g, const struct gpu_outside *o, struct text *what)
{
	struct gpu_valid v = {.g = g, .outside = o, .what = what};
	bool ok = true;
	for (unsigned k = 0; ok && k < gpu_valid_row_count; k++)
		ok = !has_section(g, gpu_valid_rows[k].section) || gpu_valid_rows[k].is_valid(&v);
	exec_valid_heaps_free(&v.heaps);
	return ok;
}
