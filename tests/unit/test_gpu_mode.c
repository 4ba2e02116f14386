/* Launches of both modes on one device. A launch in performance mode is the same, to the cycle and in all that is counted, whatever ran
 * functionally before it: a second device, which was made for performance mode and gets the bytes from outside, says what it has to be. */
#include <stdlib.h>

#include "command/setup/buffers.h"
#include "base/xalloc.h"
#include "gpu/statistics/statistics.h"
#include "performance_fixture.h"

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry scale(.param .u64 p, .param .u32 n, .param .f32 f) {\n"
	" .reg .pred %q; .reg .b32 %r<6>; .reg .b64 %a<3>; .reg .f32 %f<3>;\n"
	" ld.param.u64 %a1, [p]; ld.param.u32 %r1, [n]; ld.param.f32 %f1, [f];\n"
	" mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n"
	" setp.ge.u32 %q, %r5, %r1; @%q ret;\n"
	" mul.wide.u32 %a2, %r5, 4; add.u64 %a1, %a1, %a2;\n"
	" ld.global.f32 %f2, [%a1]; mul.f32 %f2, %f2, %f1; st.global.f32 [%a1], %f2; ret;\n}\n"
	/* the time depends on the bytes: each thread goes round as often as its word says */
	".visible .entry spin(.param .u64 p, .param .u64 out) {\n"
	" .reg .pred %q; .reg .b32 %r<8>; .reg .b64 %a<4>; .reg .f32 %f<3>;\n"
	" .shared .align 4 .b32 all;\n"
	" ld.param.u64 %a1, [p]; ld.param.u64 %a3, [out];\n"
	" mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n"
	" mul.wide.u32 %a2, %r5, 4; add.u64 %a1, %a1, %a2;\n"
	" ld.global.f32 %f1, [%a1]; cvt.rzi.u32.f32 %r6, %f1; and.b32 %r6, %r6, 31;\n"
	"L: atom.shared.add.u32 %r7, [all], 1; sub.u32 %r6, %r6, 1; setp.ge.s32 %q, %r6, 0; @%q bra L;\n"
	" bar.sync 0; atom.global.add.u32 %r7, [%a3], 1; ret;\n}\n";

struct machine {
	struct fixture f;
	struct timing_config timing;
};

#define CONFIG "../../configs/fermi-gtx480/gpgpusim.config"

static void prepare(struct machine *m)
{
	fixture_load(&m->f, "mode.ptx", ptx);
	says(&m->f, command_buffer, "A f32[1024] = iota 0 0.5");
	says(&m->f, command_buffer, "N u32[1] = zero");
}

static void begin(struct machine *m)
{
	performance_begin(&m->f, &m->timing, CONFIG, NULL);
	prepare(m);
}

static void begin_functional(struct machine *m)
{
	struct diag_list diags = {0};
	*m = (struct machine){0};
	m->f.config = config_create();
	assert_true(config_load_file(m->f.config, CONFIG, &diags));
	assert_true(config_finish(m->f.config, &diags));
	diag_list_free(&diags);
	m->f.d = debug_create(gpu_create(m->f.config, NULL, NULL),
			      &(struct debug_host){.self = &m->f, .output = fixture_output});
	command_attach(m->f.d);
	assert_true(gpu_can_perform(debug_gpu(m->f.d), &m->f.why));
	prepare(m);
}

static void end(struct machine *m) { performance_end(&m->f, &m->timing); }
static struct gpu *gpu(struct machine *m) { return debug_gpu(m->f.d); }

static uint32_t queue(struct machine *m, const char *launch, enum gpu_mode mode)
{
	struct debug_launch l;
	struct text why = {0};
	if (!debug_launch_parse(m->f.d, launch, &l, &why))
		fail_msg("%s", text_str(&why));
	l.spec.mode = mode;
	const int64_t id = gpu_launch(gpu(m), &l.spec, &why);
	if (id < 0)
		fail_msg("%s", text_str(&why));
	debug_launch_free(&l);
	return (uint32_t)id;
}

/* In pieces of so many cycles. */
static void run_by(struct machine *m, uint64_t piece)
{
	struct gpu_request r = {.max_cycles = piece};
	struct gpu_event ev = {0};
	do {
		gpu_run(gpu(m), &r, &ev);
		assert_true(ev.kind == GPU_EVENT_CYCLES || ev.kind == GPU_EVENT_KERNEL_DONE ||
			    ev.kind == GPU_EVENT_IDLE);
	} while (ev.kind != GPU_EVENT_IDLE);
	text_free(&ev.text);
}

static void run_all(struct machine *m) { run_by(m, UINT64_MAX); }

static void one(void *self, const char *name, struct statistic_value v)
{
	text_addf(self, "%s %llu %.9g\n", name, (unsigned long long)v.n, v.real);
}

static char *figures(struct machine *m, uint32_t launch)
{
	struct text t = {0};
	gpu_statistics_each(gpu(m), launch, one, &t);
	return text_take(&t);
}

static void read_buffer(struct machine *m, size_t k, void *bytes)
{
	const struct debug_buffer *b = debug_buffer_at(m->f.d, k);
	assert_true(gpu_read(gpu(m), b->address, bytes, debug_buffer_bytes(b)));
}

static void copy_buffers(struct machine *to, struct machine *from)
{
	char bytes[4096];
	for (size_t k = 0; k < 2; k++) {
		const struct debug_buffer *b = debug_buffer_at(to->f.d, k);
		read_buffer(from, k, bytes);
		assert_true(gpu_write(gpu(to), b->address, bytes, debug_buffer_bytes(b)));
	}
}

static void assert_same_buffers(struct machine *a, struct machine *b)
{
	char x[4096], y[4096];
	for (size_t k = 0; k < 2; k++) {
		read_buffer(a, k, x);
		read_buffer(b, k, y);
		assert_memory_equal(x, y, debug_buffer_bytes(debug_buffer_at(a->f.d, k)));
	}
}

static void assert_same_figures(struct machine *a, uint32_t launch_a, struct machine *b, uint32_t launch_b)
{
	char *x = figures(a, launch_a), *y = figures(b, launch_b);
	assert_true(strstr(x, "gpu_sim_cycle "));
	assert_string_equal(x, y);
	free(x);
	free(y);
}

#define SCALE "scale<<<16, 64>>>(A, 1000, 1.5)"
#define SPIN "spin<<<16, 64>>>(A, N)"

/* Two launches functionally, the third in detail. */
static void third_in_detail(struct machine *m)
{
	queue(m, SCALE, GPU_MODE_FUNCTIONAL);
	queue(m, SCALE, GPU_MODE_FUNCTIONAL);
	queue(m, SPIN, GPU_MODE_PERFORMANCE);
	run_all(m);
}

static void test_alone(void **state)
{
	struct machine detailed, functional, alone, before;
	(void)state;
	begin(&detailed);
	third_in_detail(&detailed);
	begin_functional(&functional);
	third_in_detail(&functional);
	begin(&before);
	queue(&before, SCALE, GPU_MODE_FUNCTIONAL);
	queue(&before, SCALE, GPU_MODE_FUNCTIONAL);
	run_all(&before);
	assert_false(gpu_counts_performance(gpu(&before)));
	begin(&alone);
	copy_buffers(&alone, &before);
	queue(&alone, SPIN, GPU_MODE_OF_DEVICE);
	run_all(&alone);
	assert_same_figures(&detailed, 2, &alone, 0);
	assert_same_figures(&functional, 2, &alone, 0);
	assert_same_figures(&detailed, STATISTICS_TOTAL, &alone, STATISTICS_TOTAL);
	assert_same_buffers(&detailed, &alone);
	assert_same_buffers(&functional, &alone);
	end(&detailed);
	end(&functional);
	end(&alone);
	end(&before);
}

/* Caches are as the last launch in performance mode left them, and what it has counted stays what `stats` shows. */
static void test_caches_stay(void **state)
{
	struct machine mixed, detailed, bytes;
	(void)state;
	begin(&bytes);
	queue(&bytes, SPIN, GPU_MODE_FUNCTIONAL);
	queue(&bytes, SCALE, GPU_MODE_FUNCTIONAL);
	run_all(&bytes);
	begin(&detailed);
	queue(&detailed, SPIN, GPU_MODE_OF_DEVICE);
	run_all(&detailed);
	copy_buffers(&detailed, &bytes);
	queue(&detailed, SPIN, GPU_MODE_OF_DEVICE);
	run_all(&detailed);
	begin(&mixed);
	queue(&mixed, SPIN, GPU_MODE_PERFORMANCE);
	queue(&mixed, SCALE, GPU_MODE_FUNCTIONAL);
	queue(&mixed, SPIN, GPU_MODE_PERFORMANCE);
	queue(&mixed, SCALE, GPU_MODE_FUNCTIONAL);
	run_all(&mixed);
	assert_false(gpu_is_performance(gpu(&mixed)));
	assert_same_figures(&mixed, 2, &detailed, 1);
	assert_same_figures(&mixed, STATISTICS_TOTAL, &detailed, STATISTICS_TOTAL);
	end(&mixed);
	end(&detailed);
	end(&bytes);
}

static void queue_mixed(struct machine *m)
{
	queue(m, SCALE, GPU_MODE_FUNCTIONAL);
	queue(m, "spin<<<8, 64, 0, 1>>>(A, N)", GPU_MODE_PERFORMANCE);
	queue(m, "spin<<<8, 64, 0, 2>>>(A, N)", GPU_MODE_PERFORMANCE);
	queue(m, "scale<<<16, 64, 0, 2>>>(A, 900, 0.5)", GPU_MODE_FUNCTIONAL);
	queue(m, SPIN, GPU_MODE_PERFORMANCE);
}

/* However the run is cut, also where the mode changes. */
static void test_cut(void **state)
{
	static const uint64_t piece[] = {1, 7, 1000};
	struct machine whole, cut;
	(void)state;
	begin(&whole);
	queue_mixed(&whole);
	run_all(&whole);
	for (size_t k = 0; k < sizeof piece / sizeof *piece; k++) {
		begin(&cut);
		queue_mixed(&cut);
		run_by(&cut, piece[k]);
		assert_int_equal(gpu_cycle(gpu(&cut)), gpu_cycle(gpu(&whole)));
		for (uint32_t id = 0; id < 5; id++)
			assert_same_figures(&cut, id, &whole, id);
		assert_same_buffers(&cut, &whole);
		end(&cut);
	}
	end(&whole);
}

/* Streams of one mode run side by side: together they take less time than one after the other. */
static void test_streams_together(void **state)
{
	struct machine m;
	(void)state;
	begin(&m);
	queue(&m, SCALE, GPU_MODE_FUNCTIONAL);
	queue(&m, "spin<<<1, 64, 0, 1>>>(A, N)", GPU_MODE_PERFORMANCE);
	queue(&m, "spin<<<1, 64, 0, 2>>>(A, N)", GPU_MODE_PERFORMANCE);
	run_all(&m);
	const uint64_t both = gpu_cycle(gpu(&m));
	gpu_reset(gpu(&m));
	queue(&m, SCALE, GPU_MODE_FUNCTIONAL);
	queue(&m, "spin<<<1, 64, 0, 1>>>(A, N)", GPU_MODE_PERFORMANCE);
	queue(&m, "spin<<<1, 64, 0, 1>>>(A, N)", GPU_MODE_PERFORMANCE);
	run_all(&m);
	assert_true(both < gpu_cycle(gpu(&m)));
	end(&m);
}

static void test_looking_changes_nothing(void **state)
{
	struct machine m;
	(void)state;
	begin(&m);
	queue_mixed(&m);
	queue(&m, SCALE, GPU_MODE_FUNCTIONAL);
	run_all(&m);
	struct text t = {0};
	const struct arena *a = gpu_arena(gpu(&m));
	unsigned k = 0;
	while (strcmp(a->section[k].name, "device"))
		k++;
	char *before = xmalloc(a->section[k].used);
	memcpy(before, a->section[k].base, a->section[k].used);
	gpu_statistics_print(gpu(&m), &t);
	assert_true(strstr(text_str(&t), "gpgpu_n_stall_shd_mem"));
	assert_memory_equal(before, a->section[k].base, a->section[k].used);
	free(before);
	text_free(&t);
	end(&m);
}

/* `stats reset` and `reset` begin anew in both modes. */
static void test_new_beginnings(void **state)
{
	struct machine m, fresh;
	struct gpu_stats n;
	(void)state;
	begin(&m);
	queue_mixed(&m);
	run_all(&m);
	queue(&m, SCALE, GPU_MODE_FUNCTIONAL);
	run_all(&m);
	gpu_statistics_reset(gpu(&m));
	gpu_get_stats(gpu(&m), &n);
	assert_int_equal(n.tot_sim_insn, 0);
	assert_int_equal(n.tot_sim_cycle, 0);
	struct statistic_value v;
	assert_int_equal(gpu_statistic_get(gpu(&m), "gpu_tot_sim_cycle", &v), STATISTIC_IS_THERE);
	assert_int_equal(v.n, 0);
	gpu_reset(gpu(&m));
	assert_true(gpu_is_performance(gpu(&m)));
	begin(&fresh);
	copy_buffers(&fresh, &m);
	queue_mixed(&m);
	queue_mixed(&fresh);
	run_all(&m);
	run_all(&fresh);
	assert_int_equal(gpu_cycle(gpu(&m)), gpu_cycle(gpu(&fresh)));
	assert_same_figures(&m, STATISTICS_TOTAL, &fresh, STATISTICS_TOTAL);
	end(&m);
	end(&fresh);
}

/* Killed in the middle of a change of modes: the next launch is as good as any. */
static void test_killed(void **state)
{
	struct machine m;
	struct gpu_request r = {.max_cycles = 3000};
	struct gpu_event ev = {0};
	(void)state;
	begin(&m);
	queue_mixed(&m);
	gpu_run(gpu(&m), &r, &ev);
	gpu_kill(gpu(&m));
	assert_false(gpu_has_work(gpu(&m)));
	queue(&m, SCALE, GPU_MODE_FUNCTIONAL);
	queue(&m, SPIN, GPU_MODE_PERFORMANCE);
	assert_true(gpu_has_work(gpu(&m)));
	run_all(&m);
	assert_false(gpu_has_work(gpu(&m)));
	text_free(&ev.text);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_caches_stay),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_streams_together),
		cmocka_unit_test(test_looking_changes_nothing),
		cmocka_unit_test(test_new_beginnings),
		cmocka_unit_test(test_killed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
