/* The parts of `dp` that show the back end, letter by letter. */
#include "pipe_core.h"
#include "timing/core/pipe_print.h"

#define LANES_0_1_31 "[11000000000000000000000000000001]: "

static uint32_t put(struct pipe_core *p, enum pipe_set_id set, uint32_t pc, uint32_t warp)
{
	uint32_t i = pipe_enter(p, set, pc, warp);
	p->inst[i].active = 0x80000003;
	return i;
}

static void expect(struct text *got, const char *want)
{
	assert_string_equal(text_str(got), want);
	text_free(got);
}

static void heads(void **state)
{
	(void)state;
	struct pipe_core *p = pipe_new();
	struct text out = {0};
	pipe_start(p);
	inst_print_head(&p->c, 0, &out);
	expect(&out, "bubble");
	inst_print_head(&p->c, put(p, OC_EX_SP, pipe_insn(p, PIPE_ALU, 1, SRC(-1)), 12), &out);
	expect(&out, "0x0000 w12" LANES_0_1_31);
	pipe_free(p);
}

/* Latency 3, initiation 1: taken in cycle 1, in stage 2 after cycle 2. Latency 13 with initiation 4, taken in cycle 2, is still in the
 * dispatch register. Writeback is due in 3 - 1 and 13 cycles. */
static void units_and_buses(void **state)
{
	(void)state;
	struct pipe_core *p = pipe_new();
	struct text out = {0};
	p->cfg.pipe_width[EX_WB] = 2;
	pipe_start(p);
	uint32_t fast = pipe_insn(p, PIPE_ALU, 1, SRC(-1)), slow = pipe_insn(p, PIPE_SFU, 2, SRC(-1));
	p->insns[fast].latency = 3;
	p->insns[slow].latency = 13;
	p->insns[slow].initiation = 4;
	uint32_t on_sp = put(p, OC_EX_SP, fast, 0);
	units_execute(&p->c, 1);
	uint32_t on_sfu = put(p, OC_EX_SFU, slow, 1);
	units_execute(&p->c, 2);
	assert_int_equal(unit_dispatch(&p->c, 0), 0);
	assert_int_equal(unit_stage(&p->c, 0, 2), on_sp);
	assert_int_equal(unit_dispatch(&p->c, 1), on_sfu);
	result_buses_print(&p->c, &out);
	expect(&out, "EX/WB sched[0]= 10000000000100\n"
		     "EX/WB sched[1]= 00000000000000\n");
	pipe_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads),
		cmocka_unit_test(units_and_buses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
