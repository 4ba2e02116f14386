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

static void scoreboard_by_warp(void **state)
{
	(void)state;
	struct pipe_core *p = pipe_new();
	struct text out = {0};
	pipe_start(p);
	p->c.id = 7;
	struct timing_insn a = {.n_out = 3, .out = {100, 3, 64}}, b = {.n_out = 1, .out = {12}};
	scoreboard_reserve(&p->c, 0, &a, false);
	scoreboard_reserve(&p->c, 47, &b, false);
	scoreboard_print(&p->c, &out);
	expect(&out, "-------------------------- Scoreboard\n"
		     "scoreboard contents (sid=7): \n"
		     "  wid =  0: 3 64 100 \n"
		     "  wid = 47: 12 \n");
	pipe_free(p);
}

static void collector_with_what_it_waits_for(void **state)
{
	(void)state;
	struct pipe_core *p = pipe_new();
	struct inst_printer ip = printer();
	struct text out = {0};
	p->cfg.reg_banks = 2;
	p->cfg.collector_units[COLLECTOR_SP] = 1;
	p->cfg.collector_units[COLLECTOR_SFU] = 0;
	p->cfg.collector_units[COLLECTOR_MEM] = 1;
	pipe_start(p);
	pipe_insn(p, TIMING_ALU, 1, SRC(-1));
	put(p, ID_OC_SP, pipe_insn(p, TIMING_ALU, 9, SRC(4, 6)), 3);
	collector_step(&p->c);
	collector_print(&p->c, &ip, &out);
	expect(&out, "-------------------------- OP COL\n"
		     "Operand Collector State:\n"
		     "   CU- 0: 0x0008 w03" LANES_0_1_31 "insn 1\n"
		     "    'R4' not ready\n"
		     "    'R6' not ready\n"
		     "   CU- 1: <free>\n"
		     "Arbiter State:\n"
		     "  requests:\n"
		     "    bank 0 : \n"
		     "    bank 1 :  <R4, CU:0, w:03>  <R6, CU:0, w:03> \n"
		     "  grants:\n"
		     "    bank 0 : <free>\n"
		     "    bank 1 : <free>\n");
	pipe_free(p);
}

static void pipeline_registers(void **state)
{
	(void)state;
	struct pipe_core *p = pipe_new();
	struct inst_printer ip = printer();
	struct text out = {0};
	p->cfg.pipe_width[OC_EX_SP] = 2;
	pipe_start(p);
	uint32_t pc = pipe_insn(p, TIMING_ALU, 1, SRC(-1));
	put(p, OC_EX_SP, pc, 12);
	pipe_sets_print(&p->c, &ip, &out);
	expect(&out, "-------------------------- Pipe Regs\n"
		     "--- ID_OC_SP ---\n     bubble\n"
		     "--- ID_OC_SFU ---\n     bubble\n"
		     "--- ID_OC_MEM ---\n     bubble\n"
		     "--- OC_EX_SP ---\n     0x0000 w12" LANES_0_1_31 "insn 0\n     bubble\n"
		     "--- OC_EX_SFU ---\n     bubble\n"
		     "--- OC_EX_MEM ---\n     bubble\n"
		     "--- EX_WB ---\n     bubble\n");
	pipe_free(p);
}

/* Latency 3, initiation 1: taken in cycle 1, in stage 2 after cycle 2. Latency 13 with initiation 4, taken in cycle 2, is still in the
 * dispatch register. Writeback is due in 3 - 1 and 13 cycles. */
static void units_and_buses(void **state)
{
	(void)state;
	struct pipe_core *p = pipe_new();
	struct inst_printer ip = printer();
	struct text out = {0};
	p->cfg.pipe_width[EX_WB] = 2;
	pipe_start(p);
	uint32_t fast = pipe_insn(p, TIMING_ALU, 1, SRC(-1)), slow = pipe_insn(p, TIMING_SFU, 2, SRC(-1));
	p->insns[fast].latency = 3;
	p->insns[slow].latency = 13;
	p->insns[slow].initiation = 4;
	put(p, OC_EX_SP, fast, 0);
	units_execute(&p->c, 1);
	put(p, OC_EX_SFU, slow, 1);
	units_execute(&p->c, 2);
	units_print(&p->c, &ip, &out);
	expect(&out, "-------------------------- Fu\n"
		     "SP dispatch= bubble\n"
		     "      SP[ 2] 0x0000 w00" LANES_0_1_31 "insn 0\n"
		     "SFU dispatch= 0x0008 w01" LANES_0_1_31 "insn 1\n");
	result_buses_print(&p->c, &out);
	expect(&out, "EX/WB sched[0]= 10000000000100\n"
		     "EX/WB sched[1]= 00000000000000\n");
	pipe_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scoreboard_by_warp),
		cmocka_unit_test(collector_with_what_it_waits_for),
		cmocka_unit_test(pipeline_registers),
		cmocka_unit_test(units_and_buses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
