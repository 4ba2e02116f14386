/* Operand collector: cycle tables worked out by hand.
 *
 * A table's step n is the n-th call of collector_step, from 1. */
#include "pipe_core.h"

static struct pipe_core *machine(uint32_t banks, uint32_t units)
{
	struct pipe_core *p = pipe_new();
	p->cfg.reg_banks = banks;
	p->cfg.collector_units[COLLECTOR_SP] = units;
	return p;
}

static void steps(struct pipe_core *p, unsigned n)
{
	for (; n; n--)
		collector_step(&p->c);
}

static uint32_t not_ready(const struct pipe_core *p, uint32_t unit)
{
	struct collector_unit_view v;
	collector_get_unit(&p->c, unit, &v);
	return v.not_ready;
}

static uint32_t held(const struct pipe_core *p, uint32_t unit)
{
	struct collector_unit_view v;
	collector_get_unit(&p->c, unit, &v);
	return v.inst;
}

/* Steps until the instruction is in the output set; that register is emptied. */
static unsigned steps_to_dispatch(struct pipe_core *p, enum pipe_set_id out)
{
	for (unsigned n = 1; n < 100; n++) {
		collector_step(&p->c);
		if (p->s.pipes.set[out].used) {
			pipe_take_oldest(&p->c, &p->s.pipes, out);
			return n;
		}
	}
	return 0;
}

/* k sources in distinct banks: allocated in step 1, one read in each of 2 .. k+1, dispatched in k+2. */
static void one_operand_per_unit_and_step(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 6);
	pipe_start(p);
	const uint32_t pc[5] = {pipe_insn(p, PIPE_ALU, 9, SRC(-1)), pipe_insn(p, PIPE_ALU, 9, SRC(1)),
				pipe_insn(p, PIPE_ALU, 9, SRC(1, 2)), pipe_insn(p, PIPE_ALU, 9, SRC(1, 2, 3)),
				pipe_insn(p, PIPE_ALU, 9, SRC(1, 2, 3, 4))};
	for (unsigned k = 0; k < 5; k++) {
		uint32_t i = pipe_enter(p, ID_OC_SP, pc[k], 0);
		steps(p, 1);
		assert_int_equal(held(p, 0), i);
		assert_int_equal(__builtin_popcount(not_ready(p, 0)), k);
		assert_int_equal(steps_to_dispatch(p, OC_EX_SP), k + 1);
		assert_true(collector_idle(&p->c));
	}
	pipe_free(p);
}

/* The same register twice is read twice, and -1 (a register without digits) not at all. */
static void duplicates_are_read_and_nameless_are_not(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 6);
	pipe_start(p);
	uint32_t twice = pipe_insn(p, PIPE_ALU, 9, SRC(5, 5)), nameless = pipe_insn(p, PIPE_ALU, 9, SRC(5, 6));
	p->insns[nameless].src_reg[0] = -1;
	pipe_enter(p, ID_OC_SP, twice, 0);
	assert_int_equal(steps_to_dispatch(p, OC_EX_SP), 4);
	pipe_enter(p, ID_OC_SP, nameless, 0);
	assert_int_equal(steps_to_dispatch(p, OC_EX_SP), 3);
	pipe_free(p);
}

/* Address registers are slots 4 and 5: read like the others. */
static void address_registers_are_operands(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 6);
	pipe_start(p);
	uint32_t store = pipe_insn(p, PIPE_STORE, -1, SRC(1));
	p->insns[store].src_mask |= 1u << 4;
	p->insns[store].src_reg[4] = 2;
	pipe_enter(p, ID_OC_MEM, store, 0);
	steps(p, 1);
	assert_int_equal(not_ready(p, 6 + 8), 1u | 1u << 4); /* units are numbered SP, SFU, MEM */
	assert_int_equal(steps_to_dispatch(p, OC_EX_MEM), 3);
	pipe_free(p);
}

/* Two instructions that read the same bank, two input ports. Warp w reads register r in bank (r + w) mod 4:
 *   warp 0: %r1 (bank 1), %r2 (bank 2); warp 1: %r0 (bank 1).
 *   step 1: both allocated. Bank 1: unit 0, unit 1; bank 2: unit 0.
 *   step 2: priority 1, square max(4, 2) = 4. Unit 0 is asked by bank 1 (diagonal 0-1-1 = -2 = 2) and bank 2 (0-1-2 = 1): bank 2.
 *   step 3: bank 1 serves unit 0; unit 1 is behind it in the queue.
 *   step 4: bank 1 serves unit 1; unit 0 dispatches. Step 5: unit 1 dispatches. */
static void a_bank_serves_its_queue_in_order(void **state)
{
	(void)state;
	struct pipe_core *p = machine(4, 2);
	p->cfg.collector_in[COLLECTOR_SP] = 2;
	p->cfg.collector_units[COLLECTOR_SFU] = p->cfg.collector_units[COLLECTOR_MEM] = 0;
	p->cfg.pipe_width[ID_OC_SP] = p->cfg.pipe_width[OC_EX_SP] = 2;
	pipe_start(p);
	uint32_t a = pipe_insn(p, PIPE_ALU, 9, SRC(1, 2)), b = pipe_insn(p, PIPE_ALU, 9, SRC(0));
	uint32_t first = pipe_enter(p, ID_OC_SP, a, 0), second = pipe_enter(p, ID_OC_SP, b, 1);
	steps(p, 1);
	assert_int_equal(held(p, 0), first);
	assert_int_equal(held(p, 1), second);
	steps(p, 1);
	assert_int_equal(not_ready(p, 0), 1u << 0);
	assert_int_equal(not_ready(p, 1), 1u << 0);
	steps(p, 1);
	assert_int_equal(not_ready(p, 0), 0);
	assert_int_equal(not_ready(p, 1), 1u << 0);
	steps(p, 1);
	assert_int_equal(held(p, 0), 0);
	assert_int_equal(p->s.pipes.set[OC_EX_SP].reg[0], first);
	assert_int_equal(not_ready(p, 1), 0);
	steps(p, 1);
	assert_int_equal(p->s.pipes.set[OC_EX_SP].reg[1], second);
	assert_true(collector_idle(&p->c));
	pipe_free(p);
}

/* The same unit is asked by banks 1 and 2 (4 banks, 1 unit, square 4). The read happens one step after allocation; with `idle` steps before,
 * the priority is then idle + 1 mod 4, the diagonals of banks 1 and 2 (0 - priority - bank) mod 4:
 *   idle 0: 2, 1: bank 2 first. idle 1: 1, 0: bank 2. idle 2: 0, 3: bank 1. idle 3: 3, 2: bank 2. idle 4 as 0. */
static void the_priority_moves_in_every_step(void **state)
{
	(void)state;
	static const uint32_t left_after[5] = {1u << 0, 1u << 0, 1u << 1, 1u << 0, 1u << 0};
	for (unsigned idle = 0; idle < 5; idle++) {
		for (unsigned skipped = 0; skipped < 2; skipped++) {
			struct pipe_core *p = machine(4, 1);
			p->cfg.collector_units[COLLECTOR_SFU] = p->cfg.collector_units[COLLECTOR_MEM] = 0;
			pipe_start(p);
			uint32_t pc = pipe_insn(p, PIPE_ALU, 9, SRC(1, 2));
			if (skipped)
				collector_skip(&p->c, idle);
			else
				steps(p, idle);
			pipe_enter(p, ID_OC_SP, pc, 0);
			steps(p, 2);
			assert_int_equal(not_ready(p, 0), left_after[idle]);
			pipe_free(p);
		}
	}
}

/* A write takes its bank for the step, and only for it. Reads of other banks go on. */
static void writes_come_before_reads(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 6);
	pipe_start(p);
	uint32_t reads = pipe_insn(p, PIPE_ALU, 9, SRC(3, 4)), writes = pipe_insn(p, PIPE_ALU, 1, SRC(-1));
	pipe_enter(p, ID_OC_SP, reads, 0);
	steps(p, 1);
	uint32_t w = pipe_inst(p, writes, 2); /* %r1 of warp 2: bank 3 */
	assert_true(collector_write(&p->c, &p->inst[w]));
	assert_false(collector_write(&p->c, &p->inst[w]));
	steps(p, 1);
	assert_int_equal(not_ready(p, 0), 1u << 0); /* %r4 was read, %r3 not */
	assert_true(collector_write(&p->c, &p->inst[w]));
	steps(p, 1);
	assert_int_equal(not_ready(p, 0), 1u << 0);
	steps(p, 1);
	assert_int_equal(not_ready(p, 0), 0);
	pipe_free(p);
}

/* Destinations in banks 1, 2, 1: the third fails, but banks 1 and 2 stay taken for the step. */
static void a_failed_write_keeps_what_it_took(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 6);
	pipe_start(p);
	struct timing_insn *wide = &p->insns[pipe_insn(p, PIPE_LOAD, 1, SRC(-1))];
	wide->n_out = 3;
	wide->out_reg[1] = 2;
	wide->out_reg[2] = 17;
	uint32_t two = pipe_insn(p, PIPE_ALU, 2, SRC(-1)), three = pipe_insn(p, PIPE_ALU, 3, SRC(-1));
	struct inst *w = &p->inst[pipe_inst(p, 0, 0)];
	assert_false(collector_write(&p->c, w));
	assert_false(collector_write(&p->c, &p->inst[pipe_inst(p, two, 0)]));
	assert_true(collector_write(&p->c, &p->inst[pipe_inst(p, three, 0)]));
	steps(p, 1);
	assert_true(collector_write(&p->c, &p->inst[pipe_inst(p, two, 0)]));
	wide->out_reg[2] = -1; /* a register without digits takes no bank */
	steps(p, 1);
	assert_true(collector_write(&p->c, w));
	pipe_free(p);
}

/* Bank = (register + warp) mod banks, also when banks are no power of two. */
static void banks_depend_on_register_and_warp(void **state)
{
	(void)state;
	struct pipe_core *p = machine(6, 6);
	pipe_start(p);
	uint32_t r1 = pipe_insn(p, PIPE_ALU, 1, SRC(-1)), r10 = pipe_insn(p, PIPE_ALU, 10, SRC(-1));
	assert_true(collector_write(&p->c, &p->inst[pipe_inst(p, r10, 5)]));  /* 15 mod 6 = 3 */
	assert_false(collector_write(&p->c, &p->inst[pipe_inst(p, r1, 2)]));  /* 3 */
	assert_true(collector_write(&p->c, &p->inst[pipe_inst(p, r1, 3)]));   /* 4 */
	assert_false(collector_write(&p->c, &p->inst[pipe_inst(p, r1, 9)]));  /* 10 mod 6 = 4 */
	assert_true(collector_write(&p->c, &p->inst[pipe_inst(p, r10, 9)]));  /* 19 mod 6 = 1 */
	pipe_free(p);
}

/* One dispatcher over units 0, 1, 2, all complete; its pointer starts at 0, so unit 1 is first, then 2, then 0. */
static void dispatchers_go_round(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 3);
	p->cfg.collector_in[COLLECTOR_SP] = 3;
	p->cfg.pipe_width[ID_OC_SP] = 3;
	pipe_start(p);
	uint32_t pc = pipe_insn(p, PIPE_ALU, 9, SRC(-1));
	uint32_t i[3] = {pipe_enter(p, ID_OC_SP, pc, 0), pipe_enter(p, ID_OC_SP, pc, 1), pipe_enter(p, ID_OC_SP, pc, 2)};
	struct pipe_set *out = &p->s.pipes.set[OC_EX_SP];
	static const unsigned order[3] = {1, 2, 0};
	steps(p, 1);
	for (unsigned n = 0; n < 3; n++) {
		assert_int_equal(held(p, order[n]), i[order[n]]);
		steps(p, 1);
		assert_int_equal(pipe_take(&p->s.pipes, OC_EX_SP, 0), i[order[n]]);
	}
	/* the pointer is at 0 again; a full output register holds everybody back and moves no pointer */
	for (unsigned n = 0; n < 3; n++)
		i[n] = pipe_enter(p, ID_OC_SP, pc, n);
	steps(p, 2);
	assert_int_equal(out->reg[0], i[1]);
	steps(p, 5);
	assert_int_equal(out->used, 1);
	pipe_take(&p->s.pipes, OC_EX_SP, 0);
	steps(p, 1);
	assert_int_equal(out->reg[0], i[2]);
	pipe_free(p);
}

/* Two dispatchers and width 2: each has its own pointer, both at 0. Units 0..3 complete: the first takes 1, the second, looking from its own
 * 1 on, takes 2; then from 1: 3 (2 is empty), and from 2: 0 (3 is gone). */
static void two_dispatchers_have_two_pointers(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 4);
	p->cfg.collector_in[COLLECTOR_SP] = 4;
	p->cfg.collector_out[COLLECTOR_SP] = 2;
	p->cfg.pipe_width[ID_OC_SP] = 4;
	p->cfg.pipe_width[OC_EX_SP] = 2;
	pipe_start(p);
	uint32_t pc = pipe_insn(p, PIPE_ALU, 9, SRC(-1)), i[4];
	for (unsigned n = 0; n < 4; n++)
		i[n] = pipe_enter(p, ID_OC_SP, pc, n);
	steps(p, 2);
	assert_int_equal(pipe_take(&p->s.pipes, OC_EX_SP, 0), i[1]);
	assert_int_equal(pipe_take(&p->s.pipes, OC_EX_SP, 1), i[2]);
	steps(p, 1);
	assert_int_equal(pipe_take(&p->s.pipes, OC_EX_SP, 0), i[3]);
	assert_int_equal(pipe_take(&p->s.pipes, OC_EX_SP, 1), i[0]);
	pipe_free(p);
}

/* Ports take the oldest instruction of their input, wherever it stands in the set, into the lowest free unit. */
static void ports_take_the_oldest(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 2);
	p->cfg.pipe_width[ID_OC_SP] = 2;
	pipe_start(p);
	uint32_t pc = pipe_insn(p, PIPE_ALU, 9, SRC(1, 2, 3));
	uint32_t young = pipe_enter(p, ID_OC_SP, pc, 0), old = pipe_enter(p, ID_OC_SP, pc, 1);
	p->inst[young].uid = 100;
	steps(p, 1);
	assert_int_equal(held(p, 0), old);
	assert_int_equal(p->s.pipes.set[ID_OC_SP].reg[0], young);
	steps(p, 1);
	assert_int_equal(held(p, 1), young);
	pipe_free(p);
}

/* SP has one unit of its own, then uses the general ones. */
static void own_units_before_general_ones(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 1);
	p->cfg.collector_units[COLLECTOR_SFU] = p->cfg.collector_units[COLLECTOR_MEM] = 1;
	p->cfg.collector_units[COLLECTOR_GEN] = 2;
	p->cfg.collector_out[COLLECTOR_GEN] = 1;
	p->cfg.collector_in[COLLECTOR_SP] = 2;
	p->cfg.pipe_width[ID_OC_SP] = 2;
	pipe_start(p);
	uint32_t pc = pipe_insn(p, PIPE_ALU, 9, SRC(1, 2, 3)), sfu = pipe_insn(p, PIPE_SFU, 9, SRC(1, 2, 3));
	uint32_t a = pipe_enter(p, ID_OC_SP, pc, 0), b = pipe_enter(p, ID_OC_SP, pc, 1);
	uint32_t x = pipe_enter(p, ID_OC_SFU, sfu, 2);
	steps(p, 1);
	assert_int_equal(collector_unit_count(&p->c), 5);
	assert_int_equal(held(p, 0), a);
	assert_int_equal(held(p, 1), x);
	assert_int_equal(held(p, 3), b);
	struct collector_unit_view v;
	collector_get_unit(&p->c, 3, &v);
	assert_string_equal(v.set, "GEN");
	pipe_free(p);
}

/* A general port sees SP, SFU and MEM but tries only the first that has an instruction; its unit remembers where to send it. */
static void general_ports_look_at_one_input(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 0);
	for (unsigned set = 0; set < COLLECTOR_GEN; set++)
		p->cfg.collector_units[set] = p->cfg.collector_in[set] = p->cfg.collector_out[set] = 0;
	p->cfg.collector_units[COLLECTOR_GEN] = 2;
	p->cfg.collector_in[COLLECTOR_GEN] = p->cfg.collector_out[COLLECTOR_GEN] = 1;
	pipe_start(p);
	uint32_t sfu = pipe_insn(p, PIPE_SFU, 9, SRC(-1)), mem = pipe_insn(p, PIPE_STORE, -1, SRC(-1));
	uint32_t x = pipe_enter(p, ID_OC_SFU, sfu, 0), m = pipe_enter(p, ID_OC_MEM, mem, 0);
	steps(p, 1);
	assert_int_equal(held(p, 0), x);
	assert_int_equal(p->s.pipes.set[ID_OC_MEM].used, 1);
	steps(p, 1); /* unit 0 dispatched, then filled again: the dispatcher comes first */
	assert_int_equal(p->s.pipes.set[OC_EX_SFU].reg[0], x);
	assert_int_equal(held(p, 0), m);
	steps(p, 1);
	assert_int_equal(p->s.pipes.set[OC_EX_MEM].reg[0], m);
	pipe_free(p);
}

static void arbiter_is_shown(void **state)
{
	(void)state;
	struct pipe_core *p = machine(4, 2);
	p->cfg.collector_in[COLLECTOR_SP] = 2;
	p->cfg.pipe_width[ID_OC_SP] = 2;
	pipe_start(p);
	uint32_t a = pipe_insn(p, PIPE_ALU, 3, SRC(1, 2, 5)), b = pipe_insn(p, PIPE_ALU, 9, SRC(0));
	pipe_enter(p, ID_OC_SP, a, 0);
	pipe_enter(p, ID_OC_SP, b, 1);
	steps(p, 1);
	struct text out = {0};
	collector_print_arbiter(&p->c, &out);
	assert_string_equal(text_str(&out),
			    "Arbiter State:\n"
			    "  requests:\n"
			    "    bank 0 : \n"
			    "    bank 1 :  <R1, CU:0, w:00>  <R5, CU:0, w:00>  <R0, CU:1, w:01> \n"
			    "    bank 2 :  <R2, CU:0, w:00> \n"
			    "    bank 3 : \n"
			    "  grants:\n"
			    "    bank 0 : <free>\n"
			    "    bank 1 : <free>\n"
			    "    bank 2 : <free>\n"
			    "    bank 3 : <free>\n");
	assert_true(collector_write(&p->c, &p->inst[pipe_inst(p, a, 0)]));
	steps(p, 1);
	text_clear(&out);
	collector_print_arbiter(&p->c, &out);
	assert_non_null(strstr(text_str(&out), "    bank 2 : rd:  <R2, CU:0, w:00> \n    bank 3 : wr:  <R3, wid:00> \n"));
	text_free(&out);
	pipe_free(p);
}

/* 4.x's order: SP, DP, tensor cores, SFU, MEM, general ones, INT. Those that nobody uses are in no set and always free. */
static void units_in_no_set_can_be_looked_at(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 2);
	p->cfg.model = machine_gpgpusim_42.core;
	const uint32_t units[] = {2, 1, 2, 1, 1, 1, 1};
	memcpy(p->cfg.collector_units, units, sizeof units);
	pipe_start(p);
	static const char *const sets[] = {"SP", "SP", "DP", "TC", "TC", "SFU", "MEM", "GEN", "INT"};
	assert_int_equal(collector_unit_count(&p->c), 9);
	for (uint32_t unit = 0; unit < 9; unit++) {
		struct collector_unit_view v;
		collector_get_unit(&p->c, unit, &v);
		assert_string_equal(v.set, sets[unit]);
		assert_int_equal(v.inst, 0);
	}
	pipe_free(p);
}

static void too_large_a_collector_is_refused(void **state)
{
	(void)state;
	struct pipe_core *p = machine(16, 6);
	pipe_start(p);
	static const struct {
		uint32_t banks, units, out;
	} rows[] = {{0, 6, 1}, {65, 6, 1}, {16, 65, 1}, {16, UINT32_MAX, 1}, {16, 6, 65}};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		p->cfg.reg_banks = rows[k].banks;
		p->cfg.collector_units[COLLECTOR_SP] = rows[k].units;
		p->cfg.collector_out[COLLECTOR_SP] = rows[k].out;
		collector_layout_free(p->t.collectors);
		p->t.collectors = NULL;
		assert_false(collector_create(&p->memory, &p->c));
	}
	/* 64 fit, those of sets that take no instructions counted once */
	p->cfg.reg_banks = 16;
	p->cfg.collector_out[COLLECTOR_SP] = 1;
	p->cfg.model = machine_gpgpusim_42.core;
	const uint32_t units[] = {46, 0, 8, 6, 2, 1, 1};
	memcpy(p->cfg.collector_units, units, sizeof units);
	assert_true(collector_create(&p->memory, &p->c));
	assert_int_equal(collector_unit_count(&p->c), 64);
	pipe_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_operand_per_unit_and_step),
		cmocka_unit_test(duplicates_are_read_and_nameless_are_not),
		cmocka_unit_test(address_registers_are_operands),
		cmocka_unit_test(a_bank_serves_its_queue_in_order),
		cmocka_unit_test(the_priority_moves_in_every_step),
		cmocka_unit_test(writes_come_before_reads),
		cmocka_unit_test(a_failed_write_keeps_what_it_took),
		cmocka_unit_test(banks_depend_on_register_and_warp),
		cmocka_unit_test(dispatchers_go_round),
		cmocka_unit_test(two_dispatchers_have_two_pointers),
		cmocka_unit_test(ports_take_the_oldest),
		cmocka_unit_test(own_units_before_general_ones),
		cmocka_unit_test(general_ports_look_at_one_input),
		cmocka_unit_test(arbiter_is_shown),
		cmocka_unit_test(units_in_no_set_can_be_looked_at),
		cmocka_unit_test(too_large_a_collector_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
