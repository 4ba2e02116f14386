/* src/checkpoint: the whole of a machine comes back, to the bit, from wherever it stood; and how long large memories take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "command/setup/buffers.h"
#include "command/command.h"
#include "base/arena.h"
#include "base/files.h"
#include "checkpoint/internal.h"
#include "command/inspect.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "debug/setup/launches.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "gpu/gpu.h"
#include "session_program.h"

/* Six blocks: barriers, atomics, loads and stores of both memories, lanes that go different ways. */
static const char program[] = SESSION_HEAD
	".global .u32 seen[4];\n"
	".visible .entry many(.param .u64 p) {\n"
	" .reg .u64 %rd<5>; .reg .u32 %r<9>; .reg .pred %p<3>;\n .shared .align 4 .b8 sh[256];\n"
	" ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mov.u32 %r6, 0; mov.u32 %r7, sh; "
	"mov.u32 %r8, 0;\n"
	" shl.b32 %r2, %r1, 2; add.u32 %r7, %r7, %r2;\n"
	" mad.lo.u32 %r3, %r5, 64, %r1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2;\n"
	"again:\n ld.global.u32 %r4, [%rd2];\n add.u32 %r4, %r4, %r6;\n st.shared.u32 [%r7], %r4;\n bar.sync 0;\n"
	" setp.gt.u32 %p1, %r1, 40;\n @%p1 atom.global.add.u32 %r8, [%rd1+2048], %r4;\n @!%p1 bra skip;\n xor.b32 %r4, "
	"%r4, %r8;\n"
	"skip:\n st.global.u32 [%rd2], %r4;\n st.global.u32 [seen], %r4;\n add.u32 %r6, %r6, 1;\n setp.lt.u32 %p1, "
	"%r6, 4;\n @%p1 bra again;\n ret;\n}\n";

static struct session *make(const char *config, enum session_mode mode, const char *level)
{
	const struct session_setup setup = {.config = config, .mode = mode, .isa_level = level};
	struct text messages = {0};
	enum session_failure failure;
	struct session *s = session_create(&setup, &messages, &failure);
	text_free(&messages);
	assert_non_null(s);
	command_attach(session_debug(s));
	return s;
}

static void text(struct session *s, debug_answer_fn *fn, const char *args)
{
	struct text out = {0}, why = {0};
	if (!debug_answer_text(session_debug(s), fn, args, &out, &why))
		fail_msg("%s: %s", args, text_str(&why));
	text_free(&out);
	text_free(&why);
}

static void run(struct session *s, command_run_fn *fn, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	if (!fn(session_debug(s), args, &stop, &why))
		fail_msg("%s: %s", args, text_str(&why));
	debug_stop_free(&stop);
	text_free(&why);
}

static uint64_t digest(struct session *s) { return arena_digest(gpu_arena(debug_gpu(session_debug(s)))); }

static void save(struct session *s, const char *path)
{
	struct text out = {0}, why = {0};
	if (!checkpoint_save(s, path, &out, &why))
		fail_msg("%s", text_str(&why));
	text_free(&out);
	text_free(&why);
}

static void restore(struct session *s, const char *path)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	if (!checkpoint_restore(s, path, &stop, &why))
		fail_msg("%s", text_str(&why));
	debug_stop_free(&stop);
	text_free(&why);
}

struct file {
	char path[64];
};
static struct file name(void)
{
	struct file f;
	snprintf(f.path, sizeof f.path, "/tmp/test-checkpoint-%ld.wsc", (long)getpid());
	return f;
}

/* A history in the file leads from the launch to where the machine stands, and back. */
static void check_history(struct session *s, uint64_t at)
{
	struct history *h = session_history(s);
	struct history_position first, now;
	assert_true(history_is_recorded(h) && history_first(h, &first));
	history_now(h, &now);
	assert_true(history_compare(&first, &now) < 0);
	assert_int_equal(first.at.cycle, 0);
	assert_true(history_go(h, &first) && history_go(h, &now));
	assert_int_equal(digest(s), at);
}

/* Saving changes nothing; the restored machine is the one that was saved, and so are both at the end. */
static void check_program(const char *ptx, const char *launch, const char *config, enum session_mode mode, unsigned steps)
{
	const struct file f = name();
	struct session *one = make(config, mode, NULL), *two = make("tiny", SESSION_FUNCTIONAL, "v2");
	char n[16];
	snprintf(n, sizeof n, "%u", steps);
	const bool records = steps % 2;
	session_load(one, "k.ptx", ptx);
	history_record(session_history(one), records);
	text(one, command_buffer, "A u32[1024] = iota");
	run(one, command_launch_kernel, launch);
	run(one, command_step, n);
	run(one, command_stepi, steps % 2 ? "1" : "2");
	const uint64_t at = digest(one);
	save(one, f.path);
	assert_int_equal(digest(one), at);
	restore(two, f.path);
	assert_int_equal(digest(two), at);
	/* on top of what runs, too */
	run(two, command_step, "20");
	restore(two, f.path);
	assert_int_equal(digest(two), at);
	if (records)
		check_history(two, at);
	run(one, command_continue, "");
	run(two, command_continue, "");
	assert_int_equal(digest(one), digest(two));
	unlink(f.path);
	session_destroy(one);
	session_destroy(two);
}

static void check(const char *config, enum session_mode mode, unsigned steps)
{
	check_program(program, "many<<<6, 64>>>(A)", config, mode, steps);
}

static void test_whole_machine(void **state)
{
	(void)state;
	for (unsigned steps = 1; steps < 600; steps += 97) {
		check("tiny", SESSION_PERFORMANCE, steps);
		check("fermi-gtx480", SESSION_PERFORMANCE, steps + 31);
		check("tiny", SESSION_FUNCTIONAL, steps);
	}
}

/* Between turns of lanes that wait for lanes of their warp, some of which were seen to wait. */
static void test_switched_ways(void **state)
{
	(void)state;
	for (unsigned steps = 100; steps < 6000; steps += 709) {
		check_program(SESSION_HEAD SESSION_CHAIN, "chain<<<2, 64>>>(A)", "tiny", SESSION_FUNCTIONAL, 100 * steps);
		check_program(SESSION_HEAD SESSION_CHAIN, "chain<<<2, 64>>>(A)", "fermi-gtx480", SESSION_PERFORMANCE, 10 * steps);
	}
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 64 MB that are mostly equal: less than a second each way, in a small file. */
static void test_large_memory(void **state)
{
	(void)state;
	const struct file f = name();
	struct session *one = make("tiny", SESSION_FUNCTIONAL, NULL), *two = make("tiny", SESSION_FUNCTIONAL, NULL);
	struct stat st;
	session_load(one, "many.ptx", program);
	text(one, command_buffer, "A u32[16777216] = fill 7");
	text(one, command_buffer, "B u32[65536] = random 1");
	const double begin = seconds();
	save(one, f.path);
	const double saved = seconds();
	restore(two, f.path);
	const double restored = seconds();
	assert_int_equal(digest(one), digest(two));
	assert_int_equal(stat(f.path, &st), 0);
	assert_true(st.st_size < 1 << 20);
	printf("saved in %.3f s, restored in %.3f s of processor time, %lld bytes\n", saved - begin, restored - saved,
	       (long long)st.st_size);
#if !defined __SANITIZE_ADDRESS__ && defined __OPTIMIZE__
	assert_true(saved - begin < 1 && restored - saved < 1);
#endif
	unlink(f.path);
	session_destroy(one);
	session_destroy(two);
}

/* ---- every combination of a session and the session that wrote the file ---- */

static const char doubles[] = SESSION_HEAD
	".visible .entry twice(.param .u64 p) {\n"
	" .reg .u64 %rd<4>; .reg .u32 %r<6>; .reg .pred %p<2>;\n"
	" ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;\n"
	" mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;\n ld.global.u32 %r4, [%rd3];\n bar.sync 0;\n"
	" add.u32 %r4, %r4, %r4;\n st.global.u32 [%rd3], %r4;\n ret;\n}\n";

struct kind {
	enum session_mode mode;
	const char *simulate, *config; /* simulate: "", or the command's argument */
};

static struct session *of_kind(const struct kind *k)
{
	struct session *s = make(k->config, k->mode, NULL);
	session_load(s, "doubles.ptx", doubles);
	if (*k->simulate)
		text(s, command_simulate, k->simulate);
	text(s, command_buffer, "A u32[128] = iota");
	return s;
}

/* The launch is done once more than `before` times, and each thread has doubled its number as often. */
static void check_doubled(struct session *s, unsigned times)
{
	uint32_t v[128];
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(debug_gpu(session_debug(s)), &n);
	while (n && strcmp(a->name, "A") != 0)
		a++, n--;
	assert_true(n && gpu_read(debug_gpu(session_debug(s)), a->address, v, sizeof v));
	for (uint32_t k = 0; k < 128; k++)
		assert_int_equal(v[k], k << times);
}

/* In the middle of its first launch. */
static void write_kind(const struct kind *k, const char *path)
{
	struct session *s = of_kind(k);
	run(s, command_launch_kernel, "twice<<<2, 64>>>(A)");
	run(s, command_step, "7");
	save(s, path);
	session_destroy(s);
}

static void refused(struct session *s, const char *path)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	assert_false(checkpoint_restore(s, path, &stop, &why));
	assert_true(why.n);
	text_free(&why);
	debug_stop_free(&stop);
}

/* The session has run something; a wrong file changes nothing of it, and the right one is taken, whoever wrote it. */
static void combine(const struct kind *k, const char *path, const char *broken)
{
	struct session *s = of_kind(k);
	run(s, command_run_kernel, "twice<<<2, 64>>>(A)");
	const uint64_t at = digest(s);
	refused(s, broken);
	assert_int_equal(digest(s), at);
	run(s, command_run_kernel, "");
	check_doubled(s, 1);
	restore(s, path);
	run(s, command_continue, "");
	check_doubled(s, 1);
	run(s, command_run_kernel, "");
	check_doubled(s, 1);
	run(s, command_run_kernel, "twice<<<2, 64>>>(A)");
	check_doubled(s, 2);
	session_destroy(s);
}

/* Restores in a session that has launched nothing, and runs at once. */
static void combine_unused(const struct kind *k, const char *path)
{
	struct session *s = of_kind(k);
	restore(s, path);
	run(s, command_run_kernel, "");
	check_doubled(s, 1);
	run(s, command_run_kernel, "twice<<<2, 64>>>(A)");
	check_doubled(s, 2);
	session_destroy(s);
}

/* A file all of whose bytes are there, but one of which is another. */
static void break_file(const char *path, const char *broken)
{
	size_t n;
	char *file = files_read(NULL, path, FILES_READ, SIZE_MAX, &n);
	assert_non_null(file);
	file[n / 2] ^= 4;
	FILE *f = fopen(broken, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(file, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
	free(file);
}

static void test_all_combinations(void **state)
{
	static const char *const simulate[] = {"", "all", "none", "twice"};
	static const char *const config[] = {"tiny", "fermi-gtx480", "gt200-quadrofx5800"};
	unsigned n = 0;
	char path[64], broken[64];
	(void)state;
	snprintf(path, sizeof path, "/tmp/test-combined-%ld.wsc", (long)getpid());
	snprintf(broken, sizeof broken, "/tmp/test-broken-%ld.wsc", (long)getpid());
	for (unsigned w = 0; w < 8; w++) {
		const struct kind writer = {w & 1 ? SESSION_PERFORMANCE : SESSION_FUNCTIONAL, simulate[w >> 1 & 1],
					    config[w >> 2]};
		write_kind(&writer, path);
		break_file(path, broken);
		for (unsigned k = 0; k < 24; k++, n++) {
			const struct kind kind = {k & 1 ? SESSION_PERFORMANCE : SESSION_FUNCTIONAL,
						  simulate[k >> 1 & 3], config[k >> 3]};
			combine(&kind, path, broken);
			combine_unused(&kind, path);
		}
	}
	assert_int_equal(n, 192);
	unlink(path);
	unlink(broken);
}

/* ---- validators ---- */

/* Whoever adds a section adds a row to gpu_valid_rows. */
static void test_every_section_has_a_validator(void **state)
{
	(void)state;
	struct session *s = make("fermi-gtx480", SESSION_PERFORMANCE, NULL);
	const struct arena *a = gpu_arena(debug_gpu(session_debug(s)));
	unsigned n = 0;
	for (unsigned k = 0; k < a->n; k++)
		if (!a->section[k].is_tool_state) {
			assert_true(gpu_section_has_validator(a->section[k].name));
			n++;
		}
	assert_true(n >= 26);
	session_destroy(s);
}

static void hurt(void *self, struct gpu *g)
{
	const struct arena *a = gpu_arena(g);
	for (unsigned k = 0; k < a->n; k++)
		if (!strcmp(a->section[k].name, self))
			memset(a->section[k].base, 0xff, a->section[k].kind == ARENA_HOT ? a->section[k].used : 24);
}

/* Nonsense in any section that has structure is refused, and the old machine stays. */
static void test_wrong_states(void **state)
{
	static const char *const sections[] = {"device", "allocation", "launch",   "cta",    "resident", "frame",
					       "local",	 "shared",     "param",	   "pending", "stream",  "operation",
					       "timing", "pools",      "requests"};
	const struct file f = name();
	size_t n;
	(void)state;
	struct session *one = make("fermi-gtx480", SESSION_PERFORMANCE, NULL);
	session_load(one, "many.ptx", program);
	text(one, command_buffer, "A u32[1024] = iota");
	run(one, command_launch_kernel, "many<<<6, 64>>>(A)");
	run(one, command_step, "300");
	save(one, f.path);
	session_destroy(one);
	char *file = files_read(NULL, f.path, FILES_READ, SIZE_MAX, &n);
	assert_non_null(file);
	for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
		const struct checkpoint_change change = {hurt, (void *)(uintptr_t)sections[k]};
		struct text why = {0};
		struct session *two = make("tiny", SESSION_FUNCTIONAL, NULL);
		text(two, command_buffer, "B u32[128] = iota");
		const uint64_t at = digest(two);
		if (checkpoint_restore_frame(two, file + heading_bytes(), n - heading_bytes(), f.path, &change, &why))
			fail_msg("nonsense in %s is taken", sections[k]);
		assert_true(why.n);
		assert_int_equal(digest(two), at);
		text(two, command_buffer, "C u32[128] = iota");
		text_free(&why);
		session_destroy(two);
	}
	free(file);
	unlink(f.path);
}

/* ---- textures ---- */

static void expect_print(struct session *s, const char *args, const char *value)
{
	struct text out = {0}, why = {0};
	if (!debug_answer_text(session_debug(s), command_output, args, &out, &why))
		fail_msg("%s: %s", args, text_str(&why));
	assert_string_equal(text_str(&out), value);
	text_free(&out);
	text_free(&why);
}

/* A kernel stands in front of a texture's read; there are a texture, a bound reference and a surface. The restored machine has all three: the kernel reads what
 * it would have read, later kernels read by the reference, which sees a later change of the texture, and write the surface. */
static void test_textures(void **state)
{
	(void)state;
	for (enum session_mode mode = SESSION_FUNCTIONAL; mode <= SESSION_PERFORMANCE; mode++) {
		const struct file f = name();
		struct session *one = make("tiny", mode, NULL), *two = make("fermi-gtx480", SESSION_FUNCTIONAL, NULL);
		size_t n;
		char *ptx = files_read(NULL, "../golden/textures/filter.ptx", FILES_READ, SIZE_MAX, &n);
		assert_non_null(ptx);
		session_load(one, "filter.ptx", ptx);
		free(ptx);
		text(one, command_buffer, "O f32[4] = fill 1");
		text(one, command_texture, "T f32[4,2] = iota 0 10");
		text(one, command_surface, "S u32[4,2]");
		text(one, command_bind, "image T");
		run(one, command_launch_kernel, "fetch<<<1, 4>>>(T, O, 0.5, 0.5)");
		run(one, command_stepi, "7");
		expect_print(one, "$pc / 8", "7"); /* tex is the eighth instruction */
		save(one, f.path);
		restore(two, f.path);
		assert_int_equal(digest(two), digest(one));
		unlink(f.path);
		struct session *const both[] = {one, two};
		for (unsigned k = 0; k < 2; k++) {
			struct session *s = both[k];
			run(s, command_continue, "");
			expect_print(s, "O", "{0, 10, 20, 30}");
			text(s, command_set_var, "T[3,0] = 7");
			run(s, command_run_kernel, "look<<<1, 4>>>(O)");
			expect_print(s, "O", "{0, 10, 20, 7}");
			run(s, command_run_kernel, "paint<<<1, 4>>>(S, 1)");
			expect_print(s, "S[3,1]", "13");
		}
		assert_int_equal(digest(one), digest(two));
		session_destroy(one);
		session_destroy(two);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_machine), cmocka_unit_test(test_switched_ways), cmocka_unit_test(test_large_memory),
					   cmocka_unit_test(test_all_combinations),
					   cmocka_unit_test(test_every_section_has_a_validator),
					   cmocka_unit_test(test_wrong_states), cmocka_unit_test(test_textures)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
