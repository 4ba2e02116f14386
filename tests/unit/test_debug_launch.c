/* Launch texts, arguments, buffers. Bytes and sequences are computed here from docs/manual/launching.md. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/setup/buffers.h"
#include "command/stop/stop_commands.h"
#include "test_debug_fixture.h"

static const char program[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry args(.param .u32 a, .param .s16 b, .param .f32 c, .param .f64 d, .param .u64 e, .param .b32 "
	"f, "
	".param .u8 g)\n{\n\tret;\n}\n"
	".visible .entry aggr(.param .align 8 .b8 s[24], .param .f32 v[3])\n{\n\tret;\n}\n"
	".visible .entry _Z5saxpyifPf(.param .u32 n, .param .f32 a, .param .u64 x)\n{\n\tret;\n}\n"
	".visible .entry _Z5scaleIfEvPT_i(.param .u64 x, .param .u32 n)\n{\n\tret;\n}\n"
	".visible .entry _Z5scaleIdEvPT_i(.param .u64 x, .param .u32 n)\n{\n\tret;\n}\n";

static struct fixture fx;

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fx, "args.ptx", program);
	SAYS(&fx, command_buffer, "A f32[100] = zero", "");
	SAYS(&fx, command_buffer, "B f32[4] = zero", "");
	return 0;
}

static int end(void **state)
{
	(void)state;
	fixture_end(&fx);
	return 0;
}

static const char *parse_error(const char *text)
{
	struct debug_launch l;
	text_clear(&fx.why);
	assert_false(debug_launch_parse(fx.d, text, &l, &fx.why));
	return text_str(&fx.why);
}

static void scalar_arguments(void **state)
{
	struct debug_launch l;
	(void)state;
	says(&fx, command_set_var, "$k = 7");
	assert_true(debug_launch_parse(
		fx.d, "args <<< 3 , (16,4) , 128, 1 >>> ( 0x10, -2, -1.5, 1e-3, &A[3], 0f3F800000, $k )", &l, &fx.why));
	assert_int_equal(l.spec.grid[0], 3);
	assert_int_equal(l.spec.grid[1], 1);
	assert_int_equal(l.spec.block[0], 16);
	assert_int_equal(l.spec.block[1], 4);
	assert_int_equal(l.spec.block[2], 1);
	assert_int_equal(l.spec.shared_dynamic, 128);
	assert_int_equal(l.spec.stream, 1);
	struct {
		uint32_t a;
		int16_t b;
		float c;
		double d;
		uint64_t e;
		uint32_t f;
		uint8_t g;
	} want = {0x10, -2, -1.5f, 1e-3, 0x8000000c, 0x3f800000, 7};
	assert_memory_equal(l.params, &want.a, 4);
	assert_memory_equal(l.params + 4, &want.b, 2);
	assert_memory_equal(l.params + 8, &want.c, 4);
	assert_memory_equal(l.params + 16, &want.d, 8);
	assert_memory_equal(l.params + 24, &want.e, 8);
	assert_memory_equal(l.params + 32, &want.f, 4);
	assert_memory_equal(l.params + 36, &want.g, 1);
	debug_launch_free(&l);
	assert_true(debug_launch_parse(
		fx.d, "args<<<(1,2,3),1>>>(4294967295, 65535, 3, 0d3FF0000000000000, B, -1, -128)", &l, &fx.why));
	assert_int_equal(l.spec.grid[2], 3);
	debug_launch_free(&l);
}

static void addresses_of_32_bits(void **state)
{
	struct debug_launch l;
	uint32_t want[2] = {0x80000000, 0x80000304};
	(void)state;
	fixture_load(
		&fx, "narrow.ptx",
		".version 7.0\n.target sm_70\n.address_size 32\n.visible .entry narrow(.param .u32 a, .param .u32 b)\n"
		"{\n\tret;\n}\n");
	assert_true(debug_launch_parse(fx.d, "narrow<<<1,1>>>(A, &B[1])", &l, &fx.why));
	assert_memory_equal(l.params, want, 8);
	debug_launch_free(&l);
}

static void aggregate_arguments(void **state)
{
	struct debug_launch l;
	struct {
		float x;
		int8_t c;
		double d;
		uint32_t n;
	} s = {1.0f, -3, 2.5, 9};
	float v[3] = {1, 2.5f, -3};
	(void)state;
	assert_true(
		debug_launch_parse(fx.d, "aggr<<<1,1>>>({f32 1.0, s8 -3, f64 2.5, u32 9}, {1, 2.5, -3})", &l, &fx.why));
	assert_memory_equal(l.params, &s.x, 4);
	assert_memory_equal(l.params + 4, &s.c, 1);
	assert_memory_equal(l.params + 8, &s.d, 8);
	assert_memory_equal(l.params + 16, &s.n, 4);
	assert_memory_equal(l.params + 24, v, 12);
	debug_launch_free(&l);
	assert_true(debug_launch_parse(fx.d, "aggr<<<1,1>>>({A, &B[1], {s32 5, s32 6}}, {1,2,3})", &l, &fx.why));
	uint64_t pointers[2] = {0x80000000, 0x80000304};
	uint32_t inner[2] = {5, 6};
	assert_memory_equal(l.params, pointers, 16);
	assert_memory_equal(l.params + 16, inner, 8);
	debug_launch_free(&l);
	HAS(parse_error("aggr<<<1,1>>>({f32 1.0}, {1,2,3})"),
	    "argument 1 (s): the aggregate has 4 bytes, the parameter 24");
	HAS(parse_error("aggr<<<1,1>>>({1.0}, {1,2,3})"), "field \"1.0\" has no type");
	HAS(parse_error("aggr<<<1,1>>>(3, {1,2,3})"), "argument 1 (s): it is an aggregate of 24 bytes");
}

static void wrong_launches(void **state)
{
	static const char *const cases[][2] = {
		{"args", "usage: KERNEL<<<GRID, BLOCK"},
		{"nosuch<<<1,1>>>()", "no kernel \"nosuch\"; loaded: args, aggr"},
		{"args<<<1>>>()", "a launch needs a grid and a block"},
		{"args<<<1,1>>>(1,2)", "args wants 7 arguments (u32, s16, f32, f64, u64, b32, u8), got 2"},
		{"args<<<1,1>>>(1.5,2,3,4,5,6,7)", "argument 1 (a): 1.5 is no u32"},
		{"args<<<1,1>>>(1,70000,3,4,5,6,7)", "argument 2 (b): 70000 is out of the range of s16"},
		{"args<<<1,1>>>(1,2,A,4,5,6,7)", "argument 3 (c): "},
		{"args<<<1,1>>>(1,2,3,4,nosuch,6,7)", "argument 5 (e): No symbol \"nosuch\" in current context."},
		{"args<<<1,(1,1,1,1)>>>(1,2,3,4,5,6,7)", "at most three dimensions"},
		{"args<<<-1,1>>>(1,2,3,4,5,6,7)", "-1 is no count"},
		{"args<<<1,1>>>(1,2,3,4,5,6,7", "a ) is missing"},
		{"args<<<1,1>>>(1,2,3,4,5,6,7) x", "junk at the end"},
		{"scale<<<1,1>>>(A, 3)", "several kernels have that name"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		HAS(parse_error(cases[i][0]), cases[i][1]);
	HAS(runs(&fx, command_launch_kernel, "args<<<0,1>>>(1,2,3,4,5,6,7)"), "error: grid (0,1,1)");
	HAS(runs(&fx, command_launch_kernel, "args<<<1,2000>>>(1,2,3,4,5,6,7)"), "error: block (2000,1,1)");
}

static void kernels_by_their_cplusplus_names(void **state)
{
	static const char *const saxpy[] = {"_Z5saxpyifPf", "saxpy", "saxpy(int, float, float*)",
					    " saxpy ( int , float, float * )"};
	struct text why = {0};
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct isa_function *f = debug_find_kernel(fx.d, saxpy[i], strlen(saxpy[i]), &why);
		assert_non_null(f);
		assert_string_equal(f->name, "_Z5saxpyifPf");
	}
	const struct isa_function *f = debug_find_kernel(fx.d, "scale<double>", 13, &why);
	assert_non_null(f);
	assert_string_equal(f->name, "_Z5scaleIdEvPT_i");
	f = debug_find_kernel(fx.d, "void scale<float>(float*, int)", 30, &why);
	assert_non_null(f);
	assert_string_equal(f->name, "_Z5scaleIfEvPT_i");
	HAS(runs(&fx, command_run_kernel, "scale<float><<<1, 1>>>(A, 3)"), "Kernel 0 scale<float> finished\n");
	HAS(says(&fx, command_break, "saxpy(int, float, float*) if n == 3"), "Breakpoint 1 at ");
	HAS(runs(&fx, command_run_kernel, "saxpy<<<1, 1>>>(3, 2, A)"), "Breakpoint 1, thread uid 2 at args.ptx:14\n");
	text_free(&why);
}

static uint64_t splitmix(uint64_t seed, uint64_t i)
{
	uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static void initial_contents(void **state)
{
	uint8_t u8[6];
	int16_t s16[5];
	float f[4];
	double d[3];
	uint64_t u64[2];
	struct gpu *g = debug_gpu(fx.d);
	(void)state;
	SAYS(&fx, command_buffer, "a u8[6] = iota 250 3", "");
	assert_true(gpu_read(g, debug_buffer_find(fx.d, "a", 1)->address, u8, 6));
	for (int i = 0; i < 6; i++)
		assert_int_equal(u8[i], (uint8_t)(250 + 3 * i));
	SAYS(&fx, command_buffer, "b s16[5] = random 42 -10 10", "");
	assert_true(gpu_read(g, debug_buffer_find(fx.d, "b", 1)->address, s16, 10));
	for (uint64_t i = 0; i < 5; i++)
		assert_int_equal(s16[i], (int16_t)(-10 + (int64_t)(splitmix(42, i) % 21)));
	SAYS(&fx, command_buffer, "c f32[4] = random 7", "");
	assert_true(gpu_read(g, debug_buffer_find(fx.d, "c", 1)->address, f, 16));
	for (uint64_t i = 0; i < 4; i++) {
		float want = (float)((double)(splitmix(7, i) >> 11) * 0x1p-53);
		assert_memory_equal(&f[i], &want, 4);
	}
	SAYS(&fx, command_buffer, "e f64[3] = random 1 -2 2.5", "");
	assert_true(gpu_read(g, debug_buffer_find(fx.d, "e", 1)->address, d, 24));
	for (uint64_t i = 0; i < 3; i++) {
		double want = -2 + (2.5 - -2.0) * ((double)(splitmix(1, i) >> 11) * 0x1p-53);
		assert_memory_equal(&d[i], &want, 8);
	}
	SAYS(&fx, command_buffer, "h u64[2] = random 5", "");
	assert_true(gpu_read(g, debug_buffer_find(fx.d, "h", 1)->address, u64, 16));
	assert_true(u64[0] == splitmix(5, 0) && u64[1] == splitmix(5, 1));
	/* bounds that are given count also where they are the whole range */
	SAYS(&fx, command_buffer, "h s64[2] = random 5 -0x8000000000000000 0x7fffffffffffffff", "");
	assert_true(gpu_read(g, debug_buffer_find(fx.d, "h", 1)->address, u64, 16));
	assert_true(u64[0] == splitmix(5, 0) + (1ull << 63) && u64[1] == splitmix(5, 1) + (1ull << 63));
	SAYS(&fx, command_buffer, "l f16[3] = {1, -0.5, 65504}", "");
	SAYS(&fx, command_print, "l", "$1 = {1, -0.5, 65504}\n");
	SAYS(&fx, command_buffer, "l s64[2] = fill -1", "");
	SAYS(&fx, command_print, "l", "$2 = {-1, -1}\n");
	SAYS(&fx, command_buffer, "short s32[3] = {4}", "");
	SAYS(&fx, command_output, "short", "{4, 0, 0}");
	SAYS(&fx, command_buffer, "t f32[3] = iota 0.5 0.25", "");
	SAYS(&fx, command_print, "t", "$3 = {0.5, 0.75, 1}\n");
	/* allocations follow in order, each rounded up to 256 bytes; a new one of the same name frees the old one first */
	assert_int_equal(debug_buffer_find(fx.d, "a", 1)->address, 0x80000500);
}

static void wrong_buffers(void **state)
{
	static const char *const cases[][2] = {
		{"", "usage: buffer NAME TYPE[COUNT] [= INIT]"},
		{"x", "usage: buffer NAME TYPE[COUNT] [= INIT]"},
		{"x q32[4]", "usage: buffer NAME TYPE[COUNT] [= INIT]; types: b8"},
		{"x f32[0]", "a buffer needs at least one element"},
		{"x f32[4", "usage: buffer"},
		{"x f32[4] = nonsense", "a buffer begins as zero, fill V"},
		{"x s32[2] = {1, 2, 3}", "the list is longer than the buffer's 2 elements"},
		{"x u8[1] = fill 300", "300 is out of the range of u8"},
		{"x s32[1] = fill 1.5", "1.5 is no s32"},
		{"x s32[1] = random", "usage: random SEED [LO HI]"},
		{"x s32[1] = random 1 5", "usage: random SEED [LO HI]"},
		{"x s32[1] = random 1 5 4", "random: HI lies below LO"},
		{"x s32[1] = file /nonexistent/file", "can't read '/nonexistent/file': No such file or directory"},
		{"x f32[4] junk", "junk at the end"},
		{"x f32[99999999999]", "no room for"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		HAS(says(&fx, command_buffer, cases[i][0]), "error: ");
		HAS(text_str(&fx.out), cases[i][1]);
	}
	assert_null(debug_buffer_find(fx.d, "x", 1));
}

static void saving_and_comparing(void **state)
{
	char path[] = "/tmp/ws-buffer-XXXXXX", args[200];
	int fd = mkstemp(path);
	(void)state;
	assert_true(fd >= 0);
	close(fd);
	says(&fx, command_buffer, "x f32[12] = iota 1");
	says(&fx, command_buffer, "n s32[2] = {5, -6}");
	snprintf(args, sizeof args, "x %s", path);
	SAYS(&fx, buffer_save, args, "");
	HAS(says(&fx, command_compare, args), "x equals ");
	says(&fx, command_set_var, "x[3] = 4.5");
	HAS(says(&fx, command_compare, args), "x[3] = 4.5, expected 4\nerror: x differs from ");
	HAS(text_str(&fx.why), " in 1 of 12 elements");
	snprintf(args, sizeof args, "x %s 0.5", path);
	HAS(says(&fx, command_compare, args), "x equals ");
	snprintf(args, sizeof args, "x %s 0 0.12", path); /* 0.5 > 0.12 * 4 */
	HAS(says(&fx, command_compare, args), "error: x differs");
	snprintf(args, sizeof args, "x %s 0.1 0.1", path);
	HAS(says(&fx, command_compare, args), "x equals ");
	snprintf(args, sizeof args, "n %s", path);
	HAS(says(&fx, command_compare, args), "has more than 8 bytes");
	snprintf(args, sizeof args, "n f32[12] = file %s", path);
	SAYS(&fx, command_buffer, args, "");
	SAYS(&fx, command_print, "n[0..3]", "$1 = {1, 2, 3, 4}\n");
	snprintf(args, sizeof args, "x[2..3] %s", path);
	SAYS(&fx, buffer_save, args, "");
	snprintf(args, sizeof args, "y f32[2] = file %s", path);
	SAYS(&fx, command_buffer, args, "");
	SAYS(&fx, command_print, "y", "$2 = {3, 4.5}\n");
	HAS(says(&fx, buffer_save, "nosuch /tmp/x"), "error: No symbol \"nosuch\"");
	HAS(says(&fx, buffer_save, "x"), "error: usage: save NAME FILE");
	HAS(says(&fx, buffer_save, "x /nonexistent/a"), "error: can't write '/nonexistent/a': No such file or directory");
	unlink(path);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		T(scalar_arguments),
		T(addresses_of_32_bits),
		T(aggregate_arguments),
		T(wrong_launches),
		T(kernels_by_their_cplusplus_names),
		T(initial_contents),
		T(wrong_buffers),
		T(saving_and_comparing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
