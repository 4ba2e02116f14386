/* Expressions and values. Expected texts were taken from gdb 13.1 printing the same expressions over C variables of the same
 * bytes (f32 float, f16 _Float16, s32 int ...), where C has them; the rest is docs/manual/looking.md. */
#include <stdio.h>

#include "command/setup/buffers.h"
#include "command/show/focus_commands.h"
#include "test_debug_fixture.h"

static const char program[] =
	".version 8.3\n.target sm_80\n.address_size 64\n"
	".global .align 4 .s32 m[2][3] = {{1, 2, 3}, {4, 5, 6}};\n"
	".global .s32 i = -5;\n"
	".global .u32 u = 4294967291;\n"
	".global .s16 s = -3;\n"
	".global .u16 us = 65535;\n"
	".global .u64 ul = 18446744073709551615;\n"
	".global .f32 f = 0f40490FDB;\n"
	".global .f64 d = 0d3FB999999999999A;\n"
	".global .f32 nan1 = 0f7FC00001;\n"
	".global .f32 inf1 = 0f7F800000;\n"
	".global .f32 big = 0f7149F2CA;\n"
	".const .u32 fixed = 77;\n"
	".visible .entry k(.param .u64 A, .param .u32 n)\n{\n"
	"\t.reg .b32 %r<4>;\n\t.reg .pred %p<2>;\n\t.reg .b64 %rd<3>;\n\t.reg .f16 %h<2>;\n\t.reg .b128 %q<2>;\n"
	"\t.reg .u32 plain;\n\t.shared .u32 tile[8];\n"
	"\tmov.u32 %r1, %tid.x;\n"
	"\tsetp.eq.u32 %p1, %r1, 2;\n"
	"\tmov.u32 plain, 4000000000;\n"
	"\tmov.b64 %rd1, 0x123456789abcdef0;\n"
	"\tmov.b64 %rd2, 0x1234;\n"
	"\tmov.b128 %q1, {%rd1, %rd2};\n"
	"\tcvt.rn.f16.f32 %h1, 0f3F8CCCCD;\n"
	"\tst.shared.u32 [tile+8], 99;\n"
	"\tret;\n}\n";

static struct fixture fx;

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fx, "expr.ptx", program);
	return 0;
}

static int end(void **state)
{
	(void)state;
	fixture_end(&fx);
	return 0;
}

/* "/x f" -> what print shows behind "$N = ", or the error. */
static void prints(const char *expr, const char *want)
{
	const char *got = says(&fx, command_print, expr), *eq = strstr(got, " = ");
	char line[4096];
	snprintf(line, sizeof line, "%s", got[0] == '$' && eq ? eq + 3 : got);
	line[strcspn(line, "\n")] = '\0';
	if (strcmp(line, want))
		fail_msg("print %s\n  is   %s\n  want %s", expr, line, want);
}

struct pair {
	const char *expr, *want;
};

static void all(const struct pair *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		prints(p[i].expr, p[i].want);
}
#define ALL(table) all(table, sizeof(table) / sizeof *(table))

static void floats_as_gdb(void **state)
{
	static const struct pair t[] = {
		{"f", "3.14159274"},
		{"nan1", "nan(0x400001)"},
		{"inf1", "inf"},
		{"-inf1", "-inf"},
		{"big", "1.00000002e+30"},
		{"d", "0.10000000000000001"},
		{"1.0", "1"},
		{"10/3.0", "3.3333333333333335"},
		{"f*2", "6.28318548"},
		{"f+i", "-1.85840726"},
		{"1.5f", "1.5"},
		{"1.", "1"},
		{".5", "0.5"},
		{"1e3", "1000"},
		{"1e16", "10000000000000000"},
		{"100000000.0", "100000000"},
		{"123456789.0f", "123456792"},
		{"1.0f/3", "0.333333343"},
		{"1.0/0", "inf"},
		{"!f", "0"},
		{"f == 3.14159274f", "1"},
		{"f && 0", "0"},
		{"0f3F800000", "1"},
		{"0d3FF8000000000000", "1.5"},
		{"(f32)3", "3"},
		{"(s32)3.9", "3"},
		{"(s32)nan1", "0"}, /* as cvt.rzi, by the ISA (9.0, "cvt") */
		{"(s32)(0.0/0)", "-2147483648"},
		{"(u16)(0.0/0)", "32768"},
		{"(s64)nan1", "-9223372036854775808"},
		{"(u64)nan1", "9223372036854775808"},
		{"(f16)1.1", "1.0996"},
		{"(f16)65504", "65504"},
		{"(f16)3.1415926", "3.1406"},
		{"(f16)1e6", "inf"},
	};
	(void)state;
	ALL(t);
}

static void formats_as_gdb(void **state)
{
	static const struct pair t[] = {
		{"/x f", "0x40490fdb"},
		{"/x d", "0x3fb999999999999a"},
		{"/x i", "0xfffffffb"},
		{"/d u", "-5"},
		{"/u i", "4294967291"},
		{"/o i", "037777777773"},
		{"/t 10", "1010"},
		{"/t s", "1111111111111101"},
		{"/z i", "0xfffffffb"},
		{"/z s", "0xfffd"},
		{"/c i", "-5 '\\373'"},
		{"/c 321", "65 'A'"},
		{"/c 65", "65 'A'"},
		{"/c u", "251 '\\373'"},
		{"/f i", "-nan(0x7ffffb)"},
		{"/f 3", "4.20389539e-45"},
		{"/f 1069547520", "1.5"},
		{"/d f", "1078530011"},
		{"/u f", "1078530011"},
		{"/c f", "3 '\\003'"},
		{"/t f", "1000000010010010000111111011011"},
		{"/o f", "010022207733"},
		{"/z f", "0x40490fdb"},
		{"/x -1", "0xffffffff"},
		{"/x (s16)-1", "0xffff"},
		{"/d 0xffffffff", "-1"},
		{"/u (s8)-1", "255"},
		{"/x 1.0", "0x3ff0000000000000"},
		{"/t 0", "0"},
		{"/o 0", "0"},
		{"/a i", "0xfffffffffffffffb"},
		{"/x m", "{{0x1, 0x2, 0x3}, {0x4, 0x5, 0x6}}"},
		{"/c 0", "0 '\\000'"},
		{"/c 10", "10 '\\n'"},
		{"/x (f16)1.1", "0x3c66"},
		{"/2x 3", "error: Item count other than 1 is meaningless in \"print\" command."},
		{"/xw 3", "error: Size letters are meaningless in \"print\" command."},
		{"/q 3", "error: Undefined output format \"q\"."},
	};
	(void)state;
	ALL(t);
}

static void characters_as_gdb(void **state)
{
	static const struct pair t[] = {
		{"'A'", "65 'A'"},
		{"'A' + 1", "66"},
		{"-'A'", "-65"},
		{"/x 'A'", "0x41"},
		{"(char)65", "65 'A'"},
		{"(char)65 + 1", "66"},
		{"(char)3.7", "3 '\\003'"},
		{"(unsigned char)200", "200 '\\310'"},
		{"(char)200", "-56 '\\310'"},
		{"/d (signed char)65", "65"},
		{"(short)65", "65"},
		{"$letter = 'A'", "65 'A'"},
		{"$letter", "65 'A'"},
	};
	(void)state;
	ALL(t);
}

static void integers_as_c(void **state)
{
	static const struct pair t[] = {
		{"i", "-5"},
		{"u", "4294967291"},
		{"s", "-3"},
		{"us", "65535"},
		{"ul", "18446744073709551615"},
		{"~5", "-6"},
		{"-u", "5"},
		{"0xffffffff", "4294967295"},
		{"4294967295", "4294967295"},
		{"0x7fffffff+1", "-2147483648"},
		{"1<<31", "-2147483648"},
		{"1<<32", "0"},
		{"1<<40", "0"},
		{"5>0?1:2", "1"},
		{"(s16)70000", "4464"},
		{"(u8)300", "44"},
		{"077", "63"},
		{"0b101", "5"},
		{"5u", "5"},
		{"5l", "5"},
		{"-5 / 2", "-2"},
		{"-5 % 3", "-2"},
		{"5 > 3 && 2", "1"},
		{"1==1", "1"},
		{"sizeof(s32)", "4"},
		{"sizeof(m)", "24"},
		{"2 + 3 * 4", "14"},
		{"(2 + 3) * 4", "20"},
		{"7 & 3 == 3", "1"},
		{"1 ? 2 : 3 ? 4 : 5", "2"},
		{"-1 < 1u", "0"},
		{"-1 < 1", "1"},
		{"0x8000000000000000 / -1", "0"},
		{"(s64)0x8000000000000000 / -1", "-9223372036854775808"},
		{"us * us", "-131071"},
	};
	(void)state;
	ALL(t);
}

static void numbers_that_fail(void **state)
{
	static const struct pair t[] = {
		{"i / 0", "error: Division by zero"},
		{"i % 0", "error: Division by zero"},
		{"18446744073709551615", "18446744073709551615"},
		{"18446744073709551616", "error: Numeric constant too large."},
		{"09", "error: Invalid number \"09\"."},
		{"3abc", "error: Invalid number \"3abc\"."},
		{"5.5 % 2", "error: Integer-only operation on floating point number."},
		{"5 << 1.5", "error: Integer-only operation on floating point number."},
		{"1 +", "error: A syntax error in expression, near `'."},
		{"5 5", "error: A syntax error in expression, near `5'."},
		{"nosuch", "error: No symbol \"nosuch\" in current context."},
	};
	(void)state;
	ALL(t);
}

static void arrays_pointers_and_spaces(void **state)
{
	static const struct pair t[] = {
		{"m", "{{1, 2, 3}, {4, 5, 6}}"},
		{"m[1]", "{4, 5, 6}"},
		{"m[1][2]", "6"},
		{"m[0][1]@2", "{2, 3}"},
		{"A[0..3]", "{2, 6, 10, 18}"},
		{"A[3]", "18"},
		{"*A", "2"},
		{"*(A+2)", "10"},
		{"A[0]@2", "{2, 6}"},
		{"&A[1]", "(f32 *) 0x80000004"},
		{"/x &A[1]", "0x80000004"},
		{"/d &A[1]", "2147483652"},
		{"*&A[1]", "6"},
		{"*(f32*)0x80000008", "10"},
		{"{f32} 0x80000008", "10"},
		{"&A[3] - &A[1]", "2"},
		{"global[0x80000000]", "1073741824"},
		{"(f32)global[0x80000000]", "2"},
		{"const[0]", "77"},
		{"fixed", "77"},
		{"A[1..1]", "{6}"},
		{"*(s32*)&m", "1"},
		{"z", "{7 <repeats 40 times>}"},
		{"z[0..8]", "{7, 7, 7, 7, 7, 7, 7, 7, 7}"},
		{"z[0..9]", "{7 <repeats 10 times>}"},
		{"A[8]", "error: Cannot access memory at address 0x80000020"},
		{"A[3..1]", "error: the slice 3..1 ends before it begins"},
		{"*5", "error: Cannot access memory at address 0x5"},
		{"*f", "error: Attempt to take contents of a non-pointer value."},
		{"i[2]", "error: cannot subscript something of type `s32'"},
		{"&5", "error: Attempt to take address of value not located in memory."},
		{"A[0] + A[1]", "8"},
		{"bytes", "{1, 2, 255}"},
		{"sbytes", "{1, 2, -1}"},
		{"halves", "{1.5, -2, 0.33325}"},
	};
	(void)state;
	SAYS(&fx, command_buffer, "A f32[4] = {2, 6, 10, 18}", "");
	SAYS(&fx, command_buffer, "z s32[40] = fill 7", "");
	SAYS(&fx, command_buffer, "bytes u8[3] = {1, 2, 255}", "");
	SAYS(&fx, command_buffer, "sbytes b8[3] = {1, 2, 255}", "");
	SAYS(&fx, command_buffer, "halves f16[3] = {1.5, -2, 0.3333}", "");
	ALL(t);
}

static void at_most_two_hundred_elements(void **state)
{
	(void)state;
	SAYS(&fx, command_buffer, "A s32[300] = iota", "");
	HAS(says(&fx, command_print, "A"), "198, 199...}\n");
	SAYS(&fx, command_buffer, "A s32[256] = zero", "");
	says(&fx, command_set_var, "A[3] = 1");
	/* 3 + 1 elements, then one that counts as ten */
	HAS(says(&fx, command_print, "A"), " = {0, 0, 0, 1, 0 <repeats 252 times>}\n");
}

static void history_and_variables(void **state)
{
	(void)state;
	SAYS(&fx, command_print, "5", "$1 = 5\n");
	SAYS(&fx, command_print, "$1 * 2", "$2 = 10\n");
	SAYS(&fx, command_print, "$ + 1", "$3 = 11\n");
	SAYS(&fx, command_print, "$$", "$4 = 10\n");
	SAYS(&fx, command_print, "$$3", "$5 = 5\n");
	SAYS(&fx, command_print, "", "$6 = 5\n");
	SAYS(&fx, command_print, "$99", "error: History has not yet reached $99.");
	SAYS(&fx, command_print, "$nosuch", "$7 = void\n");
	SAYS(&fx, command_set_var, "$x = 4", "");
	SAYS(&fx, command_print, "$x++", "$8 = 4\n");
	SAYS(&fx, command_print, "$x += 3", "$9 = 8\n");
	SAYS(&fx, command_print, "++$x", "$10 = 9\n");
	SAYS(&fx, command_output, "/x 255", "0xff");
	SAYS(&fx, command_assert, "1 == 2", "error: assertion failed: 1 == 2");
	SAYS(&fx, command_assert, "2 == 2", "");
	SAYS(&fx, command_printf, "\"%d %5.2f %s %c %x %%\\n\", i, f, \"hi\", 65, u", "-5  3.14 hi A fffffffb %\n");
	SAYS(&fx, command_printf, "\"%d\"", "error: Bad format string, missing arguments");
	/* what failed half-way is freed: a leak for MODE=asan */
	SAYS(&fx, command_print, "(\"abc\" = 1) && 2", "error: Left operand of assignment is not an lvalue.");
	SAYS(&fx, command_print, "(\"abc\" = 1) ? 2 : 3", "error: Left operand of assignment is not an lvalue.");
	SAYS(&fx, command_printf, "\"a%\", 1", "error: Bad format string");
	SAYS(&fx, command_printf, "\"%5.2\", 1", "error: Bad format string");
	SAYS(&fx, command_printf, "\"%l\", 1", "error: Bad format string");
	SAYS(&fx, command_ptype, "m", "type = s32 [2][3]\n");
	SAYS(&fx, command_whatis, "i + d", "type = f64\n");
	SAYS(&fx, command_whatis, "f32*", "type = f32 *\n");
}

static void assigning(void **state)
{
	(void)state;
	SAYS(&fx, command_set_var, "i = 2.9", "");
	prints("i", "2");
	SAYS(&fx, command_set_var, "m[1][1] = 50", "");
	prints("m", "{{1, 2, 3}, {4, 50, 6}}");
	SAYS(&fx, command_set_var, "m[0] = 9", "");
	prints("m[0]", "{9, 9, 9}");
	SAYS(&fx, command_set_var, "*(f32*)&i = 1.5", "");
	prints("/x i", "0x3fc00000");
	SAYS(&fx, command_set_var, "5 = 3", "error: Left operand of assignment is not an lvalue.");
	assert_true(assign_is_assignment(fx.d, "m[1][1] = 50"));
	assert_true(assign_is_assignment(fx.d, "i += 1"));
	assert_false(assign_is_assignment(fx.d, "listsize 20"));
	assert_false(assign_is_assignment(fx.d, "i == 2"));
}

static void a_thread_of_the_second_block(void)
{
	HAS(runs(&fx, command_launch_kernel, "k<<<2, 64>>>(1, 5)"),
	    "[focus: kernel 0 k, block (0,0,0), thread (0,0,0), uid 1 | core 0, warp 0, lane 0 | cycle 0]\n");
	says(&fx, command_focus, "block (1,0,0) thread (37,0,0)");
}

static void registers_of_a_block_to_come(void **state)
{
	static const struct pair before[] = {
		{"%r1", "0"},
		{"%tid.x", "37"},
		{"%ctaid.x", "1"},
		{"%ntid.x", "64"},
		{"%laneid", "5"},
		{"%nctaid.x", "2"},
		{"threadIdx.x", "37"},
		{"blockDim.x", "64"},
		{"$uid", "102"},
		{"$pc", "(void (*)()) 0x0 <k>"},
		{"tile", "{0, 0, 0, 0, 0, 0, 0, 0}"},
		{"n", "5"},
		{"A", "1"},
		{"%nosuch", "error: No register \"%nosuch\" here."},
		{"%r4", "error: No register \"%r4\" here."},
		{"k", "{void (u64, u32)} 0x0 <k>"},
		{"/x k + 16", "0x10"},
		{"%lanemask_lt", "31"},
		{"$cycle", "0"},
	};
	(void)state;
	a_thread_of_the_second_block();
	ALL(before);
}

static void registers_of_the_focus(void **state)
{
	static const struct pair after[] = {
		{"%r1", "37"},
		{"%p1", "0"},
		{"plain", "4000000000"},
		{"/d plain", "-294967296"},
		{"%rd1", "1311768467463790320"},
		{"%h1", "1.0996"},
		{"/x %q1", "0x1234123456789abcdef0"},
		{"tile[2]", "99"},
		{"shared[8]", "99"},
		{"shared[0..12]", "{0, 0, 99, 0}"},
		{"&tile[2]", "(u32 *) 0x1000008"},
		{"shared[&tile[2]]", "99"},
		{"%r1 % 8", "5"},
		{"5 %r1", "error: %r1 is a register here: write a blank after % for modulo"},
		{"%r1 == 37 ? 1 : 0", "1"},
		{"&%r1", "error: a register has no address"},
		{"$_", "void"},
	};
	(void)state;
	a_thread_of_the_second_block();
	SAYS(&fx, command_set_var, "%r1 = 3", ""); /* kept for the block's start; the kernel writes it then */
	prints("%r1", "3");
	runs(&fx, command_run_to_exit, "");
	ALL(after);
	SAYS(&fx, command_set_var, "%r1 = 3", "");
	prints("%r1", "3");
	SAYS(&fx, command_set_var, "%p1 = 5", "");
	prints("%p1", "1");
	HAS(says(&fx, command_focus, "thread (34,0,0)"), "thread (34,0,0), device 0, sm 1, warp 1, lane 2]");
	prints("%r1", "34");
}

static void examining_memory(void **state)
{
	(void)state;
	SAYS(&fx, command_buffer, "A f32[4] = {2, 6, 10, 18}", "");
	SAYS(&fx, command_buffer, "w s32[9] = fill -5", "");
	SAYS(&fx, command_x, "/4fw 0x80000000", "0x80000000:\t2\t6\t10\t18\n");
	SAYS(&fx, command_x, "/2f A", "0x80000000:\t2\t6\n");
	SAYS(&fx, command_x, "", "0x80000008:\t10\n");
	SAYS(&fx, command_print, "$__", "$1 = 10\n");
	SAYS(&fx, command_print, "$_", "$2 = (f32 *) 0x80000008\n");
	SAYS(&fx, command_x, "/4xw w", "0x80000200:\t0xfffffffb\t0xfffffffb\t0xfffffffb\t0xfffffffb\n");
	SAYS(&fx, command_x, "/2dw w", "0x80000200:\t-5\t-5\n");
	SAYS(&fx, command_x, "/2uw w", "0x80000200:\t4294967291\t4294967291\n");
	SAYS(&fx, command_x, "/2ow w", "0x80000200:\t037777777773\t037777777773\n");
	SAYS(&fx, command_x, "/3xb w", "0x80000200:\t0xfb\t0xff\t0xff\n");
	SAYS(&fx, command_x, "/2xg w", "0x80000200:\t0xfffffffbfffffffb\t0xfffffffbfffffffb\n");
	SAYS(&fx, command_x, "/9xw w",
	     "0x80000200:\t0xfffffffb\t0xfffffffb\t0xfffffffb\t0xfffffffb\n0x80000210:"
	     "\t0xfffffffb\t0xfffffffb\t0xfffffffb\t0xfffffffb\n"
	     "0x80000220:\t0xfffffffb\n");
	SAYS(&fx, command_x, "/xw 0x10", "error: Cannot access memory at address 0x10");
	SAYS(&fx, command_x, "/2i 0", "   0x0 <k>:\tmov.u32 %r1, %tid.x;\n   0x8 <k+8>:\tsetp.eq.u32 %p1, %r1, 2;\n");
	SAYS(&fx, command_buffer, "text u8[8] = {104, 101, 108, 108, 111, 10, 0, 7}", "");
	SAYS(&fx, command_x, "/s text", "0x80000400:\t\"hello\\n\"\n");
	SAYS(&fx, command_print, "/s text", "$3 = \"hello\\n\"\n");
}

static void deep_nesting_is_refused(void **state)
{
	char deep[2001];
	(void)state;
	memset(deep, '(', 2000);
	deep[2000] = '\0';
	HAS(says(&fx, command_print, deep), "error: the expression is nested too deeply");
	memset(deep, '-', 2000);
	HAS(says(&fx, command_print, deep), "error: ");
	memset(deep, '!', 2000);
	HAS(says(&fx, command_print, deep), "error: the expression is nested too deeply");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(floats_as_gdb, begin, end),
		cmocka_unit_test_setup_teardown(formats_as_gdb, begin, end),
		cmocka_unit_test_setup_teardown(integers_as_c, begin, end),
		cmocka_unit_test_setup_teardown(characters_as_gdb, begin, end),
		cmocka_unit_test_setup_teardown(numbers_that_fail, begin, end),
		cmocka_unit_test_setup_teardown(arrays_pointers_and_spaces, begin, end),
		cmocka_unit_test_setup_teardown(at_most_two_hundred_elements, begin, end),
		cmocka_unit_test_setup_teardown(history_and_variables, begin, end),
		cmocka_unit_test_setup_teardown(assigning, begin, end),
		cmocka_unit_test_setup_teardown(registers_of_a_block_to_come, begin, end),
		cmocka_unit_test_setup_teardown(registers_of_the_focus, begin, end),
		cmocka_unit_test_setup_teardown(examining_memory, begin, end),
		cmocka_unit_test_setup_teardown(deep_nesting_is_refused, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
