/* The parts of `dp` that show the back end, letter by letter. */
#include "pipe_core.h"
#include "timing/pipe_print.h"

static void plain_line(void *self, const struct core *c, uint32_t inst, struct text *out)
{
	inst_print_head(c, inst, out);
	if (inst)
		text_addf(out, "%s %u", (const char *)self, c->inst[inst].pc);
}

static struct inst_printer printer(void)
{
	static char word[] = "insn";
	return (struct inst_printer){word, plain_line};
}

#define LANES_0_1_31 "[11000000000000000000000000000001]: "

static uint32_t put(struct pipe_core *p, enum pipe_set_id set, uint32_t pc, uint32_t warp)
{
	uint32_t i = pipe_put(p, set, pc, warp);
	p->inst[i].active = 0x80000003;
	return i;
}

static void expect(struct text *got, const char *want)
{
	assert_string_equal(text_str(got), want);
	text_free(got);
}

static void pipeline_registers(void **state)
{
	(void)state;
	struct pipe_core *p = pipe_new();
	struct inst_printer ip = printer();
	struct text out = {0};
	p->cfg.pipe_width[OC_EX_SP] = 2;
	pipe_start(p);
	put(p, OC_EX_SP, pipe_insn(p, TIMING_ALU, 1, SRC(-1)), 12);
	pipe_set_print(&p->c, ID_OC_SP, &ip, &out);
	expect(&out, "     bubble\n");
	pipe_set_print(&p->c, OC_EX_SP, &ip, &out);
	expect(&out, "     0x0000 w12" LANES_0_1_31 "insn 0\n     bubble\n");
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
	uint32_t fast = pipe_insn(p, TIMING_ALU, 1, SRC(-1)), slow = pipe_insn(p, TIMING_SFU, 2, SRC(-1));
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
		cmocka_unit_test(pipeline_registers),
		cmocka_unit_test(units_and_buses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
