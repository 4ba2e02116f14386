/* base/limits: a machine with the limits of a small host runs kernels as the large one does, and refuses what doesn't fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/limits.h"
#include "command/setup/buffers.h"
#include "command/stop/stop_commands.h"
#include "debug/setup/buffer.h"
#include "command/inspect.h"
#include "debug/setup/launch.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "debug/stop/breakpoint.h"
#include "exec/pending.h"
#include "gpu/gpu.h"
#include "frontend/frontend.h"
#include "session/session.h"
#include "find_variable.h"

#define MIB(n) (UINT64_C(n) << 20)

/* Uses every space: a factor in constant memory, a table among the module's variables, local and shared memory, atomics, a call and
 * the device's heap. */
static const char program[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".const .u32 factor = 3;\n.global .u32 total;\n"
	".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
	".func (.param .b32 r) twice (.param .b32 a)\n{\n .reg .b32 %r<3>;\n"
	" ld.param.u32 %r1, [a];\n shl.b32 %r2, %r1, 1;\n st.param.b32 [r], %r2;\n ret;\n}\n"
	".visible .entry k (.param .u64 p)\n{\n .reg .b32 %r<9>;\n .reg .b64 %rd<6>;\n"
	" .shared .u32 s[64];\n .local .u32 v[4];\n"
	" ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n mov.u32 %r8, %ctaid.x;\n mad.lo.u32 %r8, %r8, 64, %r1;\n"
	" ld.const.u32 %r2, [factor];\n mul.lo.u32 %r3, %r8, %r2;\n"
	" st.local.u32 [v+4], %r3;\n ld.local.u32 %r4, [v+4];\n"
	" mul.wide.u32 %rd2, %r1, 4;\n mov.u64 %rd3, s;\n add.u64 %rd3, %rd3, %rd2;\n st.shared.u32 [%rd3], %r4;\n "
	"bar.sync 0;\n"
	" ld.shared.u32 %r5, [%rd3];\n"
	" {\n .param .b32 a0;\n .param .b32 r0;\n st.param.b32 [a0], %r5;\n call (r0), twice, (a0);\n ld.param.b32 "
	"%r6, [r0];\n }\n"
	" atom.global.add.u32 %r7, [total], %r6;\n"
	" mul.wide.u32 %rd4, %r8, 4;\n add.u64 %rd4, %rd1, %rd4;\n st.global.u32 [%rd4], %r6;\n ret;\n}\n"
	".visible .entry take (.param .u64 p, .param .u64 n)\n{\n .reg .b64 %rd<4>;\n"
	" ld.param.u64 %rd1, [p];\n ld.param.u64 %rd2, [n];\n"
	" {\n .param .b64 a0;\n .param .b64 r0;\n st.param.b64 [a0], %rd2;\n call (r0), malloc, (a0);\n ld.param.b64 "
	"%rd3, [r0];\n }\n"
	" st.global.u64 [%rd1], %rd3;\n ret;\n}\n"
	".visible .entry deep ()\n{\n .local .b8 v[2097152];\n .reg .b32 %r<2>;\n"
	" ld.local.u32 %r1, [v];\n st.local.u32 [v+1024], %r1;\n ret;\n}\n";

struct machine {
	struct session *s;
	struct debug *d;
	struct text out, why;
};

static struct session *create(const struct machine_limits *limits, enum session_mode mode, const char *option,
			      struct text *says)
{
	enum session_failure failure;
	const struct session_setup setup = {.config = "../../configs/fermi-gtx480/gpgpusim.config",
					    .options = &option,
					    .n_options = option != NULL,
					    .limits = limits,
					    .mode = mode};
	struct session *s = session_create(&setup, says, &failure);
	return s;
}

static bool load(struct machine *m, const char *ptx)
{
	struct diag_list diags;
	diag_list_init(&diags);
	text_clear(&m->why);
	const bool ok = frontend_load_text(gpu_program(debug_gpu(m->d)), 0, "k.ptx", ptx, strlen(ptx), &diags);
	for (size_t k = 0; k < diags.n; k++)
		diag_format(&m->why, &diags.v[k]);
	debug_program_changed(m->d, &m->out);
	diag_list_free(&diags);
	return ok;
}

static struct machine begin(const struct machine_limits *limits, enum session_mode mode)
{
	struct machine m = {0};
	m.s = create(limits, mode, NULL, &m.why);
	if (!m.s)
		fail_msg("%s", text_str(&m.why));
	m.d = session_debug(m.s);
	assert_true(load(&m, program));
	return m;
}

static void end(struct machine *m)
{
	session_destroy(m->s);
	text_free(&m->out);
	text_free(&m->why);
}

static const char *says(struct machine *m, debug_answer_fn *fn, const char *args)
{
	text_clear(&m->out);
	text_clear(&m->why);
	if (!debug_answer_text(m->d, fn, args, &m->out, &m->why))
		text_addf(&m->out, "error: %s", text_str(&m->why));
	return text_str(&m->out);
}

static const char *runs(struct machine *m, const char *args)
{
	struct debug_stop stop;
	debug_stop_init(&stop);
	text_clear(&m->out);
	text_clear(&m->why);
	if (command_launch_kernel(m->d, args, &stop, &m->why) && command_continue(m->d, "", &stop, &m->why))
		debug_stop_report(m->d, &stop, &m->out);
	else
		text_addf(&m->out, "error: %s", text_str(&m->why));
	debug_stop_free(&stop);
	return text_str(&m->out);
}

#define HAS(text, part) \
	do { \
		const char *text_ = (text); \
		if (!strstr(text_, (part))) \
			fail_msg("no \"%s\" in:\n%s", (part), text_); \
	} while (0)

static const enum session_mode modes[] = {SESSION_FUNCTIONAL, SESSION_PERFORMANCE};
#define EACH_MODE(m) \
	for (unsigned m##_ = 0; m##_ < 2; m##_++) \
		for (bool m##_once = true; m##_once; m##_once = false) \
			for (struct machine m = begin(&machine_limits_small, modes[m##_]); m##_once; \
			     m##_once = false, end(&m))

/* ---- what fits ---- */

#define N 1280
static uint64_t run_all(const struct machine_limits *limits, enum session_mode mode, uint32_t out[N])
{
	struct machine m = begin(limits, mode);
	assert_string_equal(says(&m, command_buffer, "b u32[1280]"), "");
	HAS(runs(&m, "k<<<20, 64>>>(b)"), "finished");
	struct gpu *g = debug_gpu(m.d);
	const uint64_t at = limits->heap_start, insns = gpu_cycle(g);
	assert_true(gpu_read(g, at, out, N * sizeof *out));
	uint32_t total;
	const struct isa_variable *v = find_variable(gpu_program(g), "total");
	assert_true(gpu_read(g, v->address, &total, sizeof total));
	assert_int_equal(total, 6u * (N - 1) * N / 2);
	end(&m);
	return insns;
}

static void both_compute_the_same(void **state)
{
	(void)state;
	static uint32_t got[N];
	for (unsigned k = 0; k < 2; k++) {
		const uint64_t large = run_all(&machine_limits_large, modes[k], got);
		for (uint32_t i = 0; i < N; i++)
			assert_int_equal(got[i], 6 * i);
		memset(got, 0, sizeof got);
		const uint64_t small = run_all(&machine_limits_small, modes[k], got);
		for (uint32_t i = 0; i < N; i++)
			assert_int_equal(got[i], 6 * i);
		/* the figures of the model are those of the large machine, too: buffers lie at equal places of caches and channels */
		assert_int_equal(small, large);
	}
}

/* All of it is less than what a process of 32 bits has. */
static void small_is_small(void **state)
{
	(void)state;
	EACH_MODE(m)
	{
		const struct arena *a = gpu_arena(debug_gpu(m.d));
		uint64_t all = 0;
		for (unsigned k = 0; k < a->n; k++)
			all += a->section[k].reserved;
		assert_in_range(all, MIB(512), MIB(1536));
	}
	assert_ptr_equal(machine_limits_of_host(), sizeof(void *) == 8 ? &machine_limits_large : &machine_limits_small);
}

/* ---- what doesn't ---- */

static void buffers(void **state)
{
	(void)state;
	EACH_MODE(m)
	{
		HAS(says(&m, command_buffer, "big u8[268435456]"),
		    "error: no room for 268435456 bytes of device memory");
		assert_string_equal(says(&m, command_buffer, "most u8[200000000]"), "");
		assert_string_equal(says(&m, command_buffer, "b u64[1]"), "");
		HAS(runs(&m, "take<<<1, 1>>>(b, 100000000)"), "finished");
		uint64_t p = 1;
		assert_true(gpu_read(debug_gpu(m.d), machine_limits_small.heap_start + 200000256, &p, sizeof p));
		assert_int_equal(p, 0); /* malloc says NULL */
		HAS(runs(&m, "k<<<1, 64>>>(0x30000000)"), "Illegal Address");
	}
}

static void variables(void **state)
{
	(void)state;
	EACH_MODE(m)
	{
		assert_false(load(&m, ".version 7.0\n.target sm_70\n.address_size 64\n.global .u8 big[67108864];\n"));
		HAS(text_str(&m.why), "no room for 'big'");
		bool room = true;
		for (unsigned k = 0; k < 100 && room; k++)
			room = load(&m, ".version 7.0\n.target sm_70\n.address_size 64\n.const .u8 large[65000];\n");
		HAS(text_str(&m.why), "no room for 'large'");
		assert_true(load(&m, ".version 7.0\n.target sm_70\n.address_size 64\n.global .u8 fits[60000000];\n"));
	}
}

static void watching(void **state)
{
	(void)state;
	EACH_MODE(m)
	{
		says(&m, command_watch, "*(global u32*)0x80000000");
		says(&m, command_watch, "*(global u32*)0x1ffffffe");
		assert_string_equal(says(&m, command_buffer, "b u32[64]"), "");
		HAS(runs(&m, "k<<<1, 64>>>(b)"), "finished");
	}
}

/* Blocks that find no room wait; if not even one fits, that is told. */
static void blocks(void **state)
{
	(void)state;
	EACH_MODE(m)
	{
		HAS(runs(&m, "deep<<<8, 32>>>()"), "finished");
		HAS(runs(&m, "deep<<<1, 64>>>()"), "no room in the simulator's memory for a block");
	}
}

static void launches(void **state)
{
	(void)state;
	EACH_MODE(m)
	{
		struct gpu *g = debug_gpu(m.d);
		const uint32_t f =
			isa_program_function_index(gpu_program(g), isa_program_find_function(gpu_program(g), "deep"));
		const struct gpu_launch_spec spec = {.function = f, .grid = {1, 1, 1}, .block = {1, 1, 1}};
		struct text why = {0};
		unsigned n = 0;
		while (n < 1000000 && gpu_launch(g, &spec, &why) >= 0)
			n++;
		assert_in_range(n, 1000, 999999);
		assert_string_equal(text_str(&why), "too many launches");
		text_free(&why);
	}
}

static void registers(void **state)
{
	(void)state;
	struct machine m = begin(&machine_limits_small, SESSION_PERFORMANCE);
	struct text ptx = {0};
	text_add(&ptx, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry many ()\n{\n .reg .b32 "
		       "%r<500000>;\n mov.u32 %r499999, 1;\n ret;\n}\n");
	if (!load(&m, text_str(&ptx)))
		fail_msg("%s", text_str(&m.why));
	HAS(runs(&m, "many<<<1, 32>>>()"), "error: no room for the scoreboards of a program with so many registers");
	text_free(&ptx);
	end(&m);
}

static void heap_start(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		struct text why = {0};
		assert_null(create(&machine_limits_small, modes[k], "-gpgpu_heap_start 0x80000000", &why));
		HAS(text_str(&why), "-gpgpu_heap_start 0x80000000: device memory ends at 0x20000000 on this host");
		text_clear(&why);
		struct session *s = create(&machine_limits_small, modes[k], "-gpgpu_heap_start 0x18000000", &why);
		assert_non_null(s);
		assert_int_equal(gpu_alloc(debug_gpu(session_debug(s)), 4, "b"), 0x18000000);
		session_destroy(s);
		text_free(&why);
	}
}

/* Each warp of the performance model can have an atomic under way. */
static void effects(void **state)
{
	(void)state;
	struct machine_limits few = machine_limits_small;
	struct text why = {0};
	few.pending = 8192;
	assert_null(create(&few, SESSION_PERFORMANCE, NULL, &why));
	HAS(text_str(&why), "no room for effects under way");
	few.pending = (15 * 48 + 1) * sizeof(struct exec_pending);
	uint32_t out[N];
	const uint64_t large = run_all(&machine_limits_large, SESSION_PERFORMANCE, out);
	assert_int_equal(run_all(&few, SESSION_PERFORMANCE, out), large);
	text_free(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_compute_the_same),
		cmocka_unit_test(small_is_small),
		cmocka_unit_test(buffers),
		cmocka_unit_test(variables),
		cmocka_unit_test(watching),
		cmocka_unit_test(blocks),
		cmocka_unit_test(launches),
		cmocka_unit_test(registers),
		cmocka_unit_test(heap_start),
		cmocka_unit_test(effects),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
