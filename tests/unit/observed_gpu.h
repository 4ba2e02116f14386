/* A device of one kernel, in either mode, that an observer can be put on: creating it, loading PTX text, launching, running to the end. */
#ifndef TESTS_OBSERVED_GPU_H
#define TESTS_OBSERVED_GPU_H

#include "performance_fixture.h"

#define TINY "../../configs/tiny/gpgpusim.config"
#define OUT_BYTES 65536u

struct observed {
	struct gpu *g;
	struct config *config;
	struct timing_config timing;
};

/* level: of the host's instructions; NULL: the best */
static inline void observed_create(struct observed *o, bool performance, const char *level)
{
	struct diag_list diags = {0};
	struct text why = {0};
	*o = (struct observed){.config = config_create()};
	if (performance)
		assert_true(config_load_file(o->config, TINY, &diags));
	assert_true(config_finish(o->config, &diags));
	if (performance)
		assert_true(config_timing(o->config, &o->timing, &diags));
	diag_list_free(&diags);
	o->g = performance ? gpu_create_performance(o->config, &o->timing, level, NULL, &why)
			   : gpu_create(o->config, level, NULL);
	assert_non_null(o->g);
}

static inline void observed_destroy(struct observed *o)
{
	gpu_destroy(o->g);
	icnt_config_free(o->timing.icnt);
	config_free(o->config);
}

static inline void observed_load(struct gpu *g, const struct text *ptx)
{
	struct diag_list diags = {0};
	struct text said = {0};
	const bool ok = frontend_load_text(gpu_program(g), 0, "k.ptx", text_str(ptx), ptx->n, &diags);
	for (size_t i = 0; i < diags.n; i++)
		diag_format(&said, &diags.v[i]);
	if (!ok)
		fail_msg("%s", text_str(&said));
	text_free(&said);
	diag_list_free(&diags);
	gpu_program_changed(g);
}

/* The first kernel of the program, with the buffer at *out as its parameter: OUT_BYTES, made here. */
static inline struct gpu_launch_spec observed_spec(struct gpu *g, uint32_t grid, uint32_t block, uint64_t *out)
{
	struct gpu_launch_spec spec = {
		.grid = {grid, 1, 1}, .block = {block, 1, 1}, .params = out, .n_params = sizeof *out};
	*out = gpu_alloc(g, OUT_BYTES, "out");
	while (!gpu_program(g)->functions[spec.function]->is_kernel)
		spec.function++;
	return spec;
}

/* Where an observer stops the machine in front of an access, it goes on over it. */
static inline void observed_run(struct gpu *g)
{
	struct gpu_event ev = {0};
	for (bool pass = false; gpu_has_work(g);) {
		gpu_run(g, &(struct gpu_request){.max_cycles = UINT64_MAX, .pass = pass}, &ev);
		if (ev.kind == GPU_EVENT_FAULT || ev.kind == GPU_EVENT_DEADLOCK)
			fail_msg("%s %s", gpu_exec(g)->fault.detail, text_str(&ev.text));
		pass = ev.kind == GPU_EVENT_ACCESS && !ev.atomic_lanes;
		text_free(&ev.text);
		if (ev.kind == GPU_EVENT_IDLE)
			return;
	}
}

#endif
