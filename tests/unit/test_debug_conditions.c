/* A condition for all lanes of a warp at once means what it means for each lane alone: random conditions, evaluated both ways. */
#include <stdio.h>

#include "debug/expr/expr.h"
#include "debug/view/view.h"
#include "test_debug_fixture.h"

static const char program[] =
	".version 8.3\n.target sm_80\n.address_size 64\n"
	".global .align 4 .s32 m[64] = {3, 1, 2};\n"
	".visible .entry k(.param .u64 A, .param .u32 n)\n{\n"
	"\t.reg .b32 %r<4>;\n\t.reg .u32 %u<4>;\n\t.reg .s16 %s<2>;\n\t.reg .u8 %c<2>;\n\t.reg .pred %p<2>;\n\t.reg .b64 %rd<3>;\n"
	"\t.reg .f32 %f<3>;\n\t.reg .f64 %d<2>;\n"
	"\tmov.u32 %r1, %tid.x;\n"
	"\tsub.s32 %r2, %r1, 7;\n"
	"\tmul.lo.u32 %u1, %r1, 0x30000001;\n"
	"\tcvt.s16.s32 %s1, %r2;\n"
	"\tcvt.u8.u32 %c1, %u1;\n"
	"\tcvt.u64.u32 %rd1, %u1;\n"
	"\tneg.s64 %rd1, %rd1;\n"
	"\tcvt.rn.f32.s32 %f1, %r2;\n"
	"\tmul.f32 %f1, %f1, 0f3DCCCCCD;\n"
	"\tdiv.rn.f32 %f2, %f1, 0f00000000;\n"
	"\tcvt.f64.f32 %d1, %f1;\n"
	"\tsetp.gt.s32 %p1, %r1, 20;\n"
	"\t@%p1 bra SIDE;\n"
	"\tadd.u32 %u2, %u1, 1;\n"
	"SIDE:\n"
	"\tret;\n}\n";

static struct fixture fx;

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fx, "conditions.ptx", program);
	return 0;
}

static int end(void **state)
{
	(void)state;
	fixture_end(&fx);
	return 0;
}

static uint64_t seed = 1;

static unsigned draw(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(seed >> 33) % below;
}

#define PICK(list) list[draw(sizeof(list) / sizeof *(list))]

static void number(struct text *out, unsigned depth)
{
	static const char *const leaves[] = {"%r1", "%r2", "%u1", "%s1", "%c1", "%rd1", "%f1", "%f2", "%d1", "%p1", "%tid.x", "threadIdx.x",
					     "blockIdx.y", "blockDim.x", "%laneid", "0", "1", "7", "-3", "100", "4294967295", "2.5", "-0.1",
					     "0x80000000", "5000000000", "m[%r1]", "m[0]", "m[%tid.x]", "m[threadIdx.x * 3 - 7]", "*(f32*)&m[1]", "shared[0]", "nothing", "$uid", "'a'"};
	static const char *const operators[] = {"+", "-", "*", "&", "|", "^", "/", "% ", "<<", ">>"};
	static const char *const signs[] = {"-", "~", "!", "(s64)", "(f32)"};
	if (!depth || !draw(3)) {
		text_add(out, PICK(leaves));
	} else if (!draw(4)) {
		text_addf(out, "%s(", PICK(signs));
		number(out, depth - 1);
		text_addc(out, ')');
	} else {
		text_addc(out, '(');
		number(out, depth - 1);
		text_addf(out, " %s ", PICK(operators));
		if (draw(2))
			text_addf(out, "%u", draw(40));
		else
			number(out, depth - 1);
		text_addc(out, ')');
	}
}

static void condition(struct text *out, unsigned depth)
{
	static const char *const compares[] = {"==", "!=", "<", "<=", ">", ">="};
	if (depth && draw(3)) {
		text_add(out, draw(5) ? "(" : "!(");
		condition(out, depth - 1);
		text_add(out, draw(2) ? " && " : " || ");
		condition(out, depth - 1);
		text_addc(out, ')');
		return;
	}
	number(out, 2);
	if (draw(6)) {
		text_addf(out, " %s ", PICK(compares));
		number(out, draw(2));
	}
}

/* Lanes for which the condition is true, and those for which it can't be evaluated, one lane after the other. */
static uint32_t one_by_one(const struct expr *e, uint32_t lanes, uint32_t *failed)
{
	uint32_t fits = 0;
	*failed = 0;
	LANES_EACH (lane, lanes) {
		const struct debug_thread t = {.thread = lane};
		struct expr_value v;
		struct text why = {0};
		if (!expr_eval(fx.d, e, &t, 0, &v, &why)) {
			*failed |= lanes_bit(lane);
		} else {
			fits |= expr_value_is_true(&v) ? lanes_bit(lane) : 0;
			expr_value_free(&v);
		}
		text_free(&why);
	}
	return fits;
}

static void check(uint32_t lanes)
{
	const struct debug_thread first = {0};
	struct debug_where w;
	struct text s = {0}, why = {0};
	uint32_t failed;
	condition(&s, 3);
	struct expr *e = expr_parse(fx.d, text_str(&s), NULL, &why);
	if (!e)
		fail_msg("%s: %s", text_str(&s), text_str(&why));
	assert_true(debug_thread_where(fx.d, &first, &w));
	const uint32_t alone = one_by_one(e, lanes, &failed), together = expr_true_lanes(fx.d, e, &first, w.w, lanes, &why);
	/* a lane that fails alone may be decided by a part that can't fail, which is looked at first */
	const uint32_t differs = (alone ^ together) & ~failed;
	if (differs || (!failed && why.n))
		fail_msg("%s\n for each lane 0x%x (failed 0x%x), at once 0x%x %s", text_str(&s), alone, failed, together, text_str(&why));
	/* what is left open in the middle of a run has all that may stop */
	const uint32_t possible = expr_possible_lanes(fx.d, e, &first, w.w, lanes);
	if (together & ~possible || possible & ~lanes)
		fail_msg("%s\n is true for 0x%x, possible for 0x%x", text_str(&s), together, possible);
	expr_free(e);
	text_free(&s);
	text_free(&why);
}

static void random_conditions(void **state)
{
	(void)state;
	runs(&fx, command_launch_kernel, "k<<<(1,2), 40>>>(0, 3)");
	for (unsigned step = 0; step < 13; step++) {
		runs(&fx, command_stepi, "");
		for (unsigned i = 0; i < 150; i++)
			check(i % 2 ? UINT32_MAX : 0x00f0ff0f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(random_conditions, begin, end)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
