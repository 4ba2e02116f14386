/* What forms compute that the ISA doesn't have and ptxas takes. Expected values are worked out here in C; that they are what ptxas
 * means was seen from the machine code it makes for sm_75: the same as for the ISA's own way of writing the value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "gpu/config/config.h"
#include "gpu/gpu.h"
#include "frontend/frontend.h"

#include "kernel_run.h"

#define HEAD \
	".version 9.0\n.target sm_100\n.address_size 64\n.global .align 4 .u32 words[4] = {11, 22, 33, 44};\n" \
	".global .align 8 .f32 fractions[2] = {1.0, 2.0};\n.global .u64 second_byte = 0xFF00(words);\n" \
	".shared .align 4 .u32 shared[4];\n.shared .align 16 .b32 vectors[4];\n" \
	".func (.param .b32 r) low32(.param .b32 v)\n{\n.reg .b32 %r;\nld.param.b32 %r, [v];\nst.param.b32 [r], " \
	"%r;\nret;\n}\n" \
	".func (.param .b32 r) low16(.param .b16 v)\n{\n.reg .u32 %r;\nld.param.u16 %r, [v];\nst.param.b32 [r], " \
	"%r;\nret;\n}\n"

/* Around each body: %a %b %c hold the row's values; %d is the result. */
static const char kernel_start[] =
	"{\n.reg .b64 %a, %b, %c, %d, %to, %l<4>;\n.reg .u32 %x<9>;\n.reg .u16 %h<9>;\n.reg .f32 %f<4>;\n.reg .f64 "
	"%g<4>;\n"
	".reg .s16 %s<3>;\n.reg .b32 %w<3>;\nmov.b32 %w1, -1;\n.reg .b128 %q<3>;\n.reg .f16x2 %v<4>;\n.reg .u8 "
	"%y<4>;\n.reg .pred %p<4>;\nld.param.u64 %to, [to];\n"
	"ld.global.u64 %a, [%to+8];\nld.global.u64 %b, [%to+16];\nld.global.u64 %c, [%to+24];\n"
	"cvt.u32.u64 %x1, %a;\ncvt.u32.u64 %x2, %b;\ncvt.u32.u64 %x3, %c;\n"
	"cvt.u16.u32 %h1, %x1;\ncvt.u16.u32 %h2, %x2;\ncvt.u16.u32 %h3, %x3;\nmov.b32 %f1, %x1;\nmov.b64 %g1, %a;\n";
static const char kernel_end[] = "\nst.global.u64 [%to], %d;\nret;\n}\n";

#define X "\ncvt.u64.u32 %d, %x4;" /* the result is in %x4 */
#define H "\ncvt.u64.u16 %d, %h4;"
#define P "\nselp.u64 %d, 1, 0, %p1;"
#define M32 UINT64_C(0xffffffff)

static const struct meaning {
	const char *body;
	uint64_t a, b, c, expected;
} meanings[] = {
	/* a register plus a constant: an addition of the register's width before the instruction */
	{"add.u32 %x4, %x1, %x2+4;" X, 10, 20, 0, 10 + 20 + 4},
	{"add.u32 %x4, %x1+-3, %x2+4;" X, 10, 20, 0, 10 - 3 + 20 + 4},
	{"mov.u32 %x4, %x1+4+4;" X, 10, 0, 0, 18},
	{"mov.u32 %x4, %x1+2*3;" X, 10, 0, 0, 16},
	{"mov.u32 %x4, %x1+(1+2)*3;" X, 10, 0, 0, 19},
	{"mov.u32 %x4, %x1+0x100000007;" X, 0xfffffffe, 0, 0, 5},
	{"mov.u64 %d, %a+0x100000007;", 0xfffffffe, 0, 0, 0x200000005},
	{"mov.u64 %d, %a+-8;", 3, 0, 0, (uint64_t)-5},
	{"cvt.u32.u16 %x4, %h1+3;" X, 0xfffe, 0, 0, 1},
	{"mul.wide.u32 %d, %x1+1, %x2;", 0xffffffff, 7, 0, 0},
	{"mad.lo.u32 %x4, %x1+1, %x2+2, %x3+3;" X, 10, 20, 30, 11 * 22 + 33},
	{"setp.eq.u32 %p1, %x1+1, 0;" P, 0xffffffff, 0, 0, 1},
	{"mov.u32 %x4, 5;\nselp.u32 %x4, %x1+1, %x4+2, %p0;\nsetp.ne.u32 %p0, %x1, %x1;\nselp.u32 %x4, %x1+1, %x2+2, "
	 "%p0;" X,
	 1, 2, 0, 4},
	{"st.global.u32 [words+4], %x1+1;\nld.global.u32 %x4, [words+4];" X, 99, 0, 0, 100},
	{"mov.u32 %x5, 2;\nst.global.u32 words[%x5], %x1+1;\nld.global.u32 %x4, [words+8];" X, 99, 0, 0, 100},
	{"sub.cc.u32 %x4, %x1, %x2;\naddc.u32 %x4, %x3+9, 0;" X, 5, 3, 1, 11},
	{"mov.u32 %x4, 7;\nsetp.ne.u32 %p0, %x1, %x1;\n@%p0 mov.u32 %x4, %x1+1;" X, 99, 0, 0, 7},
	/* the address of an array's element */
	{"mov.u64 %a, words;\nmov.u64 %d, words[%x2];\nsub.u64 %d, %d, %a;", 0, 3, 0, 12},
	{"mov.u64 %a, words;\nmov.u64 %d, words[%x2+1];\nsub.u64 %d, %d, %a;", 0, 3, 0, 16},
	/* extended precision: .sat is the signed range; the carry counts */
	{"add.cc.u32 %x4, %x3, -1;\naddc.sat.s32 %x4, %x1, %x2;" X, 0x7fffffff, 0, 1, 0x7fffffff},
	{"add.cc.u32 %x4, %x3, -1;\naddc.sat.s32 %x4, %x1, %x2;" X, 0x7fffffff, 0, 0, 0x7fffffff},
	{"add.cc.u32 %x4, %x3, -1;\naddc.sat.s32 %x4, %x1, %x2;" X, 0x7ffffffe, 0, 1, 0x7fffffff},
	{"add.cc.u32 %x4, %x3, -1;\naddc.sat.s32 %x4, %x1, %x2;" X, 0x80000000, 0xffffffff, 0, 0x80000000},
	{"add.cc.u32 %x4, %x3, -1;\naddc.sat.s32 %x4, %x1, %x2;" X, 0x80000000, 0xffffffff, 1, 0x80000000},
	{"add.cc.u32 %x4, %x3, -1;\naddc.sat.s32 %x4, %x1, %x2;" X, 5, 6, 1, 12},
	{"add.cc.u32 %x4, %x3, -1;\nsubc.sat.s32 %x4, %x1, %x2;" X, 0x80000000, 0, 0, 0x80000000}, /* a borrow */
	{"add.cc.u32 %x4, %x3, -1;\nsubc.sat.s32 %x4, %x1, %x2;" X, 0x7fffffff, 0xffffffff, 1, 0x7fffffff},
	{"add.cc.u32 %x4, %x3, -1;\nsubc.sat.s32 %x4, %x1, %x2;" X, 10, 3, 0, 6},
	/* ... and of 16 bits */
	{"add.cc.u32 %x4, %x3, -1;\naddc.u16 %h4, %h1, %h2;" H, 0xfff0, 0x10, 1, 1},
	{"add.cc.u32 %x4, %x3, -1;\nsubc.s16 %h4, %h1, %h2;" H, 5, 3, 0, 1},
	{"add.cc.u32 %x4, %x3, -1;\nmadc.lo.u16 %h4, %h1, %h2, %h2;" H, 0x1234, 0x567, 1,
	 (0x1234 * 0x567 + 0x567 + 1) & 0xffff},
	{"add.cc.u32 %x4, %x3, -1;\nmadc.hi.u16 %h4, %h1, %h2, %h2;" H, 0xffff, 0xfffe, 1, 0xffff},
	{"add.cc.u32 %x4, %x3, -1;\nmadc.hi.s16 %h4, %h1, %h2, %h3;" H, 0xffff, 2, 1, 1}, /* -1 + 1 + 1 */
	{"add.cc.u32 %x4, %x3, -1;\nmadc.hi.sat.s32 %x4, %x1, %x2, %x2;" X, 0x7fffffff, 0x7fffffff, 1,
	 ((UINT64_C(0x7fffffff) * 0x7fffffff >> 32) + 0x7fffffff + 1) & M32},
	/* ... of a wider register, whose low word counts */
	{"add.u16 %h4, %x1+4, %h2;" H, 0x1fffe, 3, 0, 5},
	{"mul.lo.u32 %x4, %a+16, %x2;" X, 0x1fffffff8, 3, 0, 24},
	{"setp.eq.u32 %p1, %a+1, 0;" P, 0x7ffffffff, 0, 0, 1},
	{"mul.wide.u16 %x4, %h1, %x2+1;" X, 7, 0x50001, 0, 14},
	{"mov.u32 %x4, %a+1;" X, 0x7ffffffff, 0, 0, 0},
	{"sad.u32 %x4, %a+4, %b+1, %c+2;" X, 0x100000010, 0x200000001, 0x300000003, 18 + 5},
	/* a variable plus a constant: its address, as wide as the operand */
	{"mov.u64 %b, words;\nadd.u64 %d, %a, words+4;\nsub.u64 %d, %d, %b;", 10, 0, 0, 14},
	{"mov.u32 %x5, shared;\nadd.u32 %x4, shared+8, %x1;\nsub.u32 %x4, %x4, %x5;" X, 10, 0, 0, 18},
	{"mov.u32 %x5, shared;\nadd.u32 %x4, shared+0, %x1;\nsub.u32 %x4, %x4, %x5;" X, 10, 0, 0, 10},
	{"mov.u16 %h5, shared;\nadd.u16 %h4, shared+4, %h1;\nsub.u16 %h4, %h4, %h5;" H, 9, 0, 0, 13},
	{".local .align 4 .b32 own[4];\nmov.u64 %b, own;\nadd.u64 %d, %a, own+8;\nsub.u64 %d, %d, %b;", 10, 0, 0, 18},
	{".local .align 4 .b32 own[4];\nmov.u64 %b, own;\nst.global.u64 [%to+8], own+12;\nld.global.u64 %d, "
	 "[%to+8];\nsub.u64 %d, %d, %b;",
	 0, 0, 0, 12},
	{"cvt.u64.u16 %d, shared+4;\nmov.u16 %h5, shared;\ncvt.u64.u16 %b, %h5;\nsub.u64 %d, %d, %b;", 0, 0, 0, 4},
	/* special registers in vectors are read */
	{"st.global.v2.u32 [%to+8], {%ntid.x, %x1};\nld.global.u64 %d, [%to+8];", 5, 0, 0, UINT64_C(5) << 32 | 8},
	{"st.global.v2.u32 [%to+8], {%x1, %ntid.y};\nld.global.u64 %d, [%to+8];", 5, 0, 0, UINT64_C(2) << 32 | 5},
	{"mov.b64 %d, {%ntid.y, %x1};", 5, 0, 0, UINT64_C(5) << 32 | 2},
	{"mov.b64 %d, {%x1, %ntid.x};", 5, 0, 0, UINT64_C(8) << 32 | 5},
	{"st.global.u32 [%to+8], {%ntid.y};\nld.global.u32 %x4, [%to+8];" X, 5, 0, 0, 2},
	/* a result nobody wants */
	{"mov.u32 %x4, 7;\nlop3.b32 _, %x1, %x2, %x3, 128;" X, 5, 6, 7, 7},
	/* only neighbours in a vector agree */
	{"mov.b32 %w1, 0;\nst.shared.v4.b32 [vectors], {%x1, %w1, %f1, %w1};\nld.shared.u32 %x4, [vectors+8];" X, 5, 0,
	 0, 5},
	/* a fourth operand of atomics without a hint for a cache policy is not read */
	{"atom.global.exch.b64 %c, [%to+8], %b, %g1;\nld.global.u64 %d, [%to+8];", 3, 4, 0, 4},
	{"atom.global.or.b64 %c, [%to+8], %b, 1.5;\nld.global.u64 %d, [%to+8];", 3, 5, 0, 7},
	{"atom.global.and.b32 %x4, [%to+8], %x2, words+4;\nld.global.u32 %x4, [%to+8];" X, 7, 12, 0, 4},
	/* modifiers without effect */
	{"add.finite.u32 %x4, %x1, %x2;" X, 3, 4, 0, 7},
	{"add.pred.u32 %x4, %x1, %x2;" X, 3, 4, 0, 7},
	{"mul.lo.u32.swizzle_mode %x4, %x1, %x2;" X, 3, 4, 0, 12},
	{"cvt.sat.sat.u8.u32 %x4, %x1;" X, 300, 0, 0, 255},
	{"rcp.rn.ftz.f64 %g2, %g1;\nmov.b64 %d, %g2;", 0x7fe0000000000000, 0, 0,
	 UINT64_C(1) << 51}, /* 1 / 2^1023: denormal */
	/* registers of another width than the instruction's: low words, zeros above */
	{"cvt.pack.sat.u16.s32 %d, %x1, %x2;", 70000, (uint64_t)-1, 0, 0xffff0000},
	{"cvt.pack.sat.s16.s32 %x4, %a, %x2;" X, 0x500000007, 9, 0, 7 << 16 | 9},
	{"cvt.pack.sat.u8.s32.b32 %x4, %x1, %x2, %c;" X, 1, 2, 0x1234567890, 0x78900102},
	{"cvt.pack.sat.u8.s32.b32 %x4, %x1, %x2, %f1;" X, 0x3f80, 2, 0, 0x3f80ff02},
	{"cvt.pack.sat.u16.s32 %q1, %x1, %x2;\nmov.b128 {%l1, %l2}, %q1;\nadd.u64 %d, %l1, %l2;", 3, 4, 0, 3 << 16 | 4},
	{"mov.f32 %f2, 1.0;\nmov.f32 %f3, 2.0;\ncvt.rn.f16x2.f32 %d, %f2, %f3;", 0, 0, 0, 0x3c004000},
	{"st.shared.u32 [shared+4], %x1;\nmov.u16 %h4, %h2;\nld.shared.u32 %x4, [%h4+2];" X, 77, 2, 0, 77},
	{"isspacep.shared %p1, %x1;" P, 16, 0, 0, 0},
	/* .f16x2 registers as predicates */
	{"mov.b32 %v1, %x1;\nmov.pred %p1, %v1;" P, 0x8000, 0, 0, 1},
	{"mov.b32 %v1, %x1;\nmov.b32 %v2, %x2;\nxor.pred %p1, %v1, %v2;" P, 3, 0, 0, 1},
	{"setp.eq.u32 %p1, %x1, 3;\nsetp.eq.u32 %p2, %x2, 4;\nand.pred %v1, %p1, %p2;\nmov.b32 %x4, %v1;" X, 3, 4, 0,
	 1},
	{"setp.eq.u32 %p1, %x1, 3;\nnot.pred %v1, %p1;\nmov.b32 %x4, %v1;" X, 3, 4, 0, 0},
	/* packing: an integer in front leaves the elements' size to the whole */
	{"mov.b32 %x4, {5, %x1};" X, 0x12345678, 0, 0, 0x56780005},
	{"mov.b64 %d, {5, %h1};", 0xfedc, 0, 0, 0xfedc00000005},
	{"cvt.s16.s32 %s1, %x1;\nmov.b64 %d, {5, %s1};", 0xfffe, 0, 0, 0xfffffffe00000005},
	{"mov.b64 %d, {5, %a};", 0x1234567800000009, 0, 0, 0x900000005},
	{"mov.b32 %x4, {5, 6, 7, %h1};" X, 0x1234, 0, 0, 0x34070605},
	{"mov.b32 %x4, {%h1, _};" X, 0x1234, 0, 0, 0x1234},
	{"mov.b32 %x4, {_, %h1};" X, 0x1234, 0, 0, 0x12340000},
	{"mov.b64 %d, {%w1, 0f3fc00000};", 0, 0, 0, 0x3fc00000ffffffff},
	{"mov.b64 %d, {%w1, 1.5};", 0, 0, 0, 0xffffffff},
	/* vectors of one element, and of another type */
	{"ld.global.u32 {%x4}, [words+12];" X, 0, 0, 0, 44},
	{"ld.global.v2.f32 {%x4, %x5}, [fractions];\nmov.b64 %d, {%x4, %x5};", 0, 0, 0, 0x400000003f800000},
	/* fractions for untyped parameters: the pattern's low bits */
	{"call (%x4), low32, (0d3ff8000000001234);" X, 0, 0, 0, 0x1234},
	{"call (%x4), low32, (0f3f800000);" X, 0, 0, 0, 0x3f800000},
	{"call (%x4), low32, (1.5);" X, 0, 0, 0, 0},
	{"call (%x4), low16, (0f3f801234);" X, 0, 0, 0, 0},
	/* one byte of an address in a wider element */
	{"ld.global.u64 %d, [second_byte];\nmov.u64 %a, words;\nshr.u64 %a, %a, 8;\nand.b64 %a, %a, 255;\nxor.b64 %d, "
	 "%d, %a;",
	 0, 0, 0, 0},
	/* a table of branch targets that names itself: the place where it stands */
	{"mov.u32 %x4, 0;\nmov.u32 %x5, 0;\nT: .branchtargets T, done;\nadd.u32 %x4, %x4, 1;\nsetp.gt.u32 %p1, %x4, "
	 "3;\n"
	 "selp.u32 %x5, 1, 0, %p1;\nbrx.idx %x5, T;\ndone:" X,
	 0, 0, 0, 4},
	/* the elements' other names */
	{"mov.u32 %x4, %ntid.r;" X, 0, 0, 0, 8},
	{"mov.u32 %x4, %ntid.g;" X, 0, 0, 0, 2},
	{"mov.u32 %x4, %ntid.b;" X, 0, 0, 0, 1},
	{"mov.u32 %x4, %ntid.a;" X, 0, 0, 0, 0},
};
#define N_MEANINGS (sizeof(meanings) / sizeof(*meanings))

static void load(struct gpu *g)
{
	struct text t = {0}, why = {0};
	struct diag_list diags;

	diag_list_init(&diags);
	text_add(&t, HEAD);
	for (size_t k = 0; k < N_MEANINGS; k++)
		text_addf(&t, ".visible .entry k%zu(.param .u64 to)\n%s%s%s", k, kernel_start, meanings[k].body,
			  kernel_end);
	if (!frontend_load_text(gpu_program(g), 0, "meanings.ptx", t.s, t.n, &diags)) {
		for (size_t i = 0; i < diags.n; i++)
			diag_format(&why, &diags.v[i]);
		fail_msg("%s", text_str(&why));
	}
	gpu_program_changed(g);
	diag_list_free(&diags);
	text_free(&t);
	text_free(&why);
}

static uint64_t run(struct gpu *g, size_t k, uint64_t to)
{
	const uint64_t values[] = {0xdead, meanings[k].a, meanings[k].b, meanings[k].c};
	char name[20];
	uint64_t result;

	snprintf(name, sizeof(name), "k%zu", k);
	struct gpu_launch_spec s = {.grid = {1, 1, 1}, .block = {8, 2, 1}, .params = &to, .n_params = sizeof(to)};
	assert_true(gpu_write(g, to, values, sizeof(values)));
	enum gpu_event_kind end = kernel_run(g, name, s);
	if (end != GPU_EVENT_KERNEL_DONE)
		fail_msg("%s: event %u", meanings[k].body, (unsigned)end);
	assert_true(gpu_read(g, to, &result, sizeof(result)));
	return result;
}

static void forms_compute_what_ptxas_means(void **state)
{
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	unsigned wrong = 0;

	(void)state;
	assert_non_null(g);
	load(g);
	const uint64_t to = gpu_alloc(g, 64, "to");
	for (size_t k = 0; k < N_MEANINGS; k++) {
		const uint64_t result = run(g, k, to);
		if (result == meanings[k].expected)
			continue;
		print_error("%s\n    0x%llx, expected 0x%llx\n", meanings[k].body, (unsigned long long)result,
			    (unsigned long long)meanings[k].expected);
		wrong++;
	}
	gpu_destroy(g);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(forms_compute_what_ptxas_means)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
