/* A device with streams for tests: what is queued, and the order in which it happens. */
#ifndef STREAM_DEVICE_H
#define STREAM_DEVICE_H

#include <stdlib.h>

#include "gpu/input.h"
#include "gpu/statistics/statistics.h"
#include "statistics_machine.h"

/* Adds 1 to *p n times, one thread of a block at a time writes: p[block] counts rounds. */
static const char stream_ptx[] =
	".version 6.0\n.target sm_30\n.address_size 64\n"
	".visible .entry work(.param .u64 p, .param .u32 n)\n{\n"
	"	.reg .pred %q;\n	.reg .b32 %r<5>;\n	.reg .b64 %rd<4>;\n"
	"	ld.param.u64 %rd1, [p];\n	ld.param.u32 %r1, [n];\n	mov.u32 %r2, 0;\n"
	"LOOP:\n	add.u32 %r2, %r2, 1;\n	setp.lt.u32 %q, %r2, %r1;\n	@%q bra LOOP;\n"
	"	mov.u32 %r3, %ctaid.x;\n	mul.wide.u32 %rd2, %r3, 4;\n	add.u64 %rd3, %rd1, %rd2;\n"
	"	st.global.u32 [%rd3], %r2;\n	exit;\n}\n"
	".visible .entry poll(.param .u64 p, .param .u32 n)\n{\n"
	"	.reg .pred %q;\n	.reg .b32 %r<3>;\n	.reg .b64 %rd<2>;\n"
	"	ld.param.u64 %rd1, [p];\n	ld.param.u32 %r1, [n];\n"
	"AGAIN:\n	ld.volatile.global.u32 %r2, [%rd1];\n	setp.ne.u32 %q, %r2, %r1;\n	@%q bra "
	"AGAIN;\n	exit;\n}\n";

/* What a test gets: a device, and what happened on it in order, operations of the host by their tag, kernels as 1000 + their id. */
struct streams {
	struct machine m;
	struct gpu *g;
	bool performance;
	struct {
		uint64_t n, what[64];
	} happened;
};

static inline int64_t in(struct gpu *g, struct gpu_input i)
{
	struct text why = {0};
	const int64_t r = gpu_input(g, &i, &why);
	if (why.n)
		print_message("%s\n", text_str(&why));
	text_free(&why);
	return r;
}

static inline uint32_t stream_of(struct gpu *g, uint32_t context, bool non_blocking, int32_t priority)
{
	const int64_t n =
		in(g, (struct gpu_input){.kind = GPU_INPUT_STREAM, .stream = {non_blocking, priority, context}});
	assert_true(n > 0);
	return (uint32_t)n;
}

static inline uint32_t stream(struct gpu *g, bool non_blocking, int32_t priority)
{
	return stream_of(g, 0, non_blocking, priority);
}

static inline uint64_t queue(struct gpu *g, struct gpu_operation_spec o)
{
	return (uint64_t)in(g, (struct gpu_input){.kind = GPU_INPUT_OPERATION, .operation = o});
}

static inline void host(struct gpu *g, uint32_t s, uint64_t tag)
{
	assert_true(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_HOST, .stream = s, .tag = tag}));
}

static inline uint32_t event(struct gpu *g) { return (uint32_t)in(g, (struct gpu_input){.kind = GPU_INPUT_EVENT}); }

static inline void record(struct gpu *g, uint32_t s, uint32_t e)
{
	assert_true(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_RECORD, .stream = s, .event = e}));
}

static inline void wait_for(struct gpu *g, uint32_t s, uint32_t e)
{
	assert_true(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_WAIT, .stream = s, .event = e}));
}

static inline uint32_t kernel_named(struct gpu *g, const char *name)
{
	uint32_t k = 0;
	while (strcmp(gpu_program(g)->functions[k]->name, name))
		k++;
	return k;
}

static inline int64_t kernel_of(struct gpu *g, uint32_t context, const char *name, uint32_t s, uint32_t blocks,
				uint64_t p, uint32_t n)
{
	struct {
		uint64_t p;
		uint32_t n;
	} params = {p, n};
	const struct gpu_launch_spec l = {.function = kernel_named(g, name),
					  .grid = {blocks, 1, 1},
					  .block = {32, 1, 1},
					  .context = context,
					  .stream = s,
					  .params = &params,
					  .n_params = 12};
	return in(g, (struct gpu_input){.kind = GPU_INPUT_LAUNCH, .launch = l});
}

static inline int64_t kernel(struct gpu *g, const char *name, uint32_t s, uint32_t blocks, uint64_t p, uint32_t n)
{
	return kernel_of(g, 0, name, s, blocks, p, n);
}

/* Does the host's operations as they come. */
static inline enum gpu_event_kind run(struct streams *t, const struct gpu_point *until, uint64_t cycles)
{
	struct gpu *g = t->g;
	struct gpu_event ev;
	const uint64_t end = cycles == UINT64_MAX ? cycles : gpu_cycle(g) + cycles;
	for (;;) {
		struct gpu_request r = {.max_cycles = end == UINT64_MAX ? end : end - gpu_cycle(g)};
		gpu_run(g, &r, &ev);
		text_free(&ev.text);
		if (ev.kind != GPU_EVENT_HOST && ev.kind != GPU_EVENT_KERNEL_DONE)
			return ev.kind;
		assert_true(t->happened.n < 64);
		t->happened.what[t->happened.n++] = ev.kind == GPU_EVENT_HOST ? ev.tag : 1000 + ev.launch;
		if (ev.kind == GPU_EVENT_HOST)
			assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_DONE}), 1);
		if (until && gpu_point_over(g, *until))
			return ev.kind;
	}
}

static inline void run_all(struct streams *t)
{
	assert_int_equal(run(t, NULL, UINT64_MAX), GPU_EVENT_IDLE);
	assert_false(gpu_has_work(t->g));
}

/* All that happened so far. */
static inline void log_is(const struct streams *t, const char *want)
{
	struct text log = {0};
	for (uint64_t k = 0; k < t->happened.n; k++)
		text_addf(&log, k ? " %u" : "%u", (unsigned)t->happened.what[k]);
	assert_string_equal(text_str(&log), want);
	text_free(&log);
}

static inline void streams_begin(struct streams *t, bool performance, const char *option)
{
	*t = (struct streams){.performance = performance};
	if (performance) {
		begin(&t->m, "fermi-gtx480", option);
		fixture_load(&t->m.f, "work.ptx", stream_ptx);
	} else {
		fixture_begin(&t->m.f, "work.ptx", stream_ptx);
	}
	t->g = debug_gpu(t->m.f.d);
}

static inline void streams_end(struct streams *t)
{
	if (t->performance)
		end(&t->m);
	else
		fixture_end(&t->m.f);
}

/* ---- a test's rows in main: its *state is a struct streams ---- */

static inline int in_mode(void **state, bool performance)
{
	struct streams *t = malloc(sizeof *t);
	streams_begin(t, performance, "");
	*state = t;
	return 0;
}

static inline int begin_functional(void **state) { return in_mode(state, false); }
static inline int begin_performance(void **state) { return in_mode(state, true); }

static inline int done(void **state)
{
	streams_end(*state);
	free(*state);
	return 0;
}

#define FUNCTIONAL(test) cmocka_unit_test_setup_teardown(test, begin_functional, done)
#define PERFORMANCE(test) cmocka_unit_test_setup_teardown(test, begin_performance, done)
#define BOTH_MODES(test) FUNCTIONAL(test), PERFORMANCE(test)

#endif
