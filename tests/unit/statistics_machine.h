/* A machine in performance mode with a debugger on it, for the tests of statistics: a configuration by name and an option, a kernel's file. */
#ifndef STATISTICS_MACHINE_H
#define STATISTICS_MACHINE_H

#include <stdio.h>

#include "command/setup/buffers.h"
#include "performance_fixture.h"

struct machine {
	struct fixture f;
	struct timing_config timing;
};

static inline void begin(struct machine *m, const char *config, const char *option)
{
	char path[256];
	snprintf(path, sizeof path, "../../configs/%s/gpgpusim.config", config);
	performance_begin(&m->f, &m->timing, path, *option ? option : NULL);
}

static inline void end(struct machine *m) { performance_end(&m->f, &m->timing); }

static inline void load(struct machine *m, const char *path)
{
	static char ptx[1 << 18];
	FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s can't be opened", path);
	size_t n = fread(ptx, 1, sizeof ptx - 1, f);
	ptx[n] = '\0';
	fclose(f);
	fixture_load(&m->f, path, ptx);
}

#define ZEROS "p b8[1048576] = zero"
#define NUMBERS "p s32[262144] = iota"

/* One of the kernels whose runs were recorded from GPGPU-Sim 3.2.2, and its buffer. */
static inline void load_recorded(struct machine *m, const char *name, const char *buffer)
{
	char path[64];
	snprintf(path, sizeof path, "../gpgpusim/v322/%s.ptx", name);
	load(m, path);
	assert_string_equal(says(&m->f, command_buffer, buffer), "");
}

static inline void run_to_end(struct machine *m)
{
	while (debug_can_run(m->f.d))
		runs(&m->f, command_continue, "");
}

static inline void launch(struct machine *m, const char *text)
{
	HAS(runs(&m->f, command_launch_kernel, text), "focus");
	run_to_end(m);
	assert_int_equal(m->f.stop.reason, DEBUG_STOP_KERNEL_DONE);
}

#endif
