/* Scoreboard: what is reserved, what collides, and the mark of long operations. */
#include "pipe_core.h"

static struct pipe_core *machine(void)
{
	struct pipe_core *p = pipe_new();
	pipe_start(p);
	return p;
}

static void reads_and_writes_of_a_reserved_register_collide(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	struct core *c = &p->c;
	uint32_t writes5 = pipe_insn(p, PIPE_ALU, 5, SRC(-1)), reads5 = pipe_insn(p, PIPE_ALU, 6, SRC(4, 5));
	uint32_t other = pipe_insn(p, PIPE_ALU, 7, SRC(8));
	scoreboard_reserve(c, 3, &p->insns[writes5], false);
	assert_true(scoreboard_collides(c, 3, &p->insns[reads5]));  /* read after write */
	assert_true(scoreboard_collides(c, 3, &p->insns[writes5])); /* write after write */
	assert_false(scoreboard_collides(c, 3, &p->insns[other]));
	assert_false(scoreboard_collides(c, 4, &p->insns[reads5])); /* of another warp */
	scoreboard_release(c, 3, &p->insns[writes5], true);
	assert_false(scoreboard_collides(c, 3, &p->insns[reads5]));
	pipe_free(p);
}

/* A reserved source is no hazard for later writers of other registers: write after read can't happen. */
static void sources_are_not_reserved(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	uint32_t reads5 = pipe_insn(p, PIPE_ALU, 6, SRC(5)), writes5 = pipe_insn(p, PIPE_ALU, 5, SRC(-1));
	scoreboard_reserve(&p->c, 0, &p->insns[reads5], false);
	assert_false(scoreboard_collides(&p->c, 0, &p->insns[writes5]));
	pipe_free(p);
}

/* Numbers on both sides of a word of 64: every row has its own words. */
static void counts_reserved_registers(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	struct core *c = &p->c;
	struct timing_insn wide = {.n_out = 4, .out = {63, 64, 0, 127}};
	struct timing_insn one = {.n_out = 1, .out = {64}};
	timing_insn_set_masks(&wide);
	timing_insn_set_masks(&one);
	scoreboard_reserve(c, 1, &wide, false);
	assert_int_equal(p->warp[1].n_reserved, 3); /* number 0 is no register */
	assert_int_equal(p->warp[0].n_reserved, 0);
	assert_int_equal(p->warp[2].n_reserved, 0);
	assert_int_equal(core_reserved(c, 1)[0], UINT64_C(1) << 63);
	assert_int_equal(core_reserved(c, 1)[1], UINT64_C(1) | UINT64_C(1) << 63);
	scoreboard_release(c, 1, &one, true);
	assert_int_equal(p->warp[1].n_reserved, 2);
	scoreboard_release(c, 1, &one, true); /* not reserved any more */
	assert_int_equal(p->warp[1].n_reserved, 2);
	scoreboard_release(c, 1, &wide, true);
	assert_int_equal(p->warp[1].n_reserved, 0);
	pipe_free(p);
}

/* Numbers beyond the masks of an instruction are looked at one by one, the low ones beside them all the same. */
static void high_numbers_are_registers_like_others(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	struct core *c = &p->c;
	struct timing_insn wide = {.n_out = 3, .out = {5, 128, 255}, .n_check = 3, .check = {5, 128, 255}};
	struct timing_insn low = {.n_check = 1, .check = {5}}, high = {.n_check = 2, .check = {6, 255}}, other = {.n_check = 2, .check = {6, 254}};
	struct timing_insn *all[] = {&wide, &low, &high, &other};
	for (unsigned k = 0; k < 4; k++)
		timing_insn_set_masks(all[k]);
	c->sb_words = 4;
	scoreboard_reserve(c, 1, &wide, true);
	assert_int_equal(p->warp[1].n_reserved, 3);
	assert_int_equal(core_reserved(c, 1)[0], 1u << 5);
	assert_int_equal(core_reserved(c, 1)[2], 1);
	assert_int_equal(core_reserved(c, 1)[3], UINT64_C(1) << 63);
	assert_int_equal(core_long_op(c, 1)[3], UINT64_C(1) << 63);
	assert_true(scoreboard_collides(c, 1, &low));
	assert_true(scoreboard_collides(c, 1, &high));
	assert_false(scoreboard_collides(c, 1, &other));
	assert_false(scoreboard_collides(c, 0, &high));
	scoreboard_release(c, 1, &wide, false);
	assert_int_equal(p->warp[1].n_reserved, 0);
	assert_false(scoreboard_collides(c, 1, &high));
	assert_int_equal(core_long_op(c, 1)[2], 1); /* marks stay where a load's last access returned */
	scoreboard_release(c, 1, &wide, true);
	assert_int_equal(core_long_op(c, 1)[2], 0);
	pipe_free(p);
}

/* ld.v2 {%r1, %r1} names one register twice: it is one reservation. */
static void a_register_named_twice_counts_once(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	struct timing_insn twice = {.n_out = 2, .out = {9, 9}};
	timing_insn_set_masks(&twice);
	scoreboard_reserve(&p->c, 0, &twice, false);
	assert_int_equal(p->warp[0].n_reserved, 1);
	scoreboard_release(&p->c, 0, &twice, true);
	assert_int_equal(p->warp[0].n_reserved, 0);
	pipe_free(p);
}

/* A load whose last access returns leaves its mark behind; the next release that clears marks takes it away. */
static void long_marks_outlive_returned_loads(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	struct core *c = &p->c;
	struct timing_insn load = {.n_out = 1, .out = {12}};
	timing_insn_set_masks(&load);
	scoreboard_reserve(c, 2, &load, true);
	assert_int_equal(core_long_op(c, 2)[0], 1u << 12);
	scoreboard_release(c, 2, &load, false);
	assert_int_equal(core_reserved(c, 2)[0], 0);
	assert_int_equal(core_long_op(c, 2)[0], 1u << 12);
	scoreboard_reserve(c, 2, &load, false); /* an ALU instruction doesn't mark, nor does it unmark */
	assert_int_equal(core_long_op(c, 2)[0], 1u << 12);
	scoreboard_release(c, 2, &load, true);
	assert_int_equal(core_long_op(c, 2)[0], 0);
	pipe_free(p);
}

/* A release lets the warp's next instruction be tried again; the front end hears of it where a memory barrier or retiring may have
 * waited for it. */
static void releases_are_told(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	struct core *c = &p->c;
	struct timing_insn a = {.n_out = 1, .out = {1}}, b = {.n_out = 1, .out = {2}};
	timing_insn_set_masks(&a);
	timing_insn_set_masks(&b);
	scoreboard_reserve(c, 7, &a, true);
	scoreboard_reserve(c, 7, &b, true);
	c->s->blocked = UINT64_C(3) << 6;
	scoreboard_release(c, 7, &a, false);
	assert_int_equal(c->s->blocked, UINT64_C(1) << 6);
	assert_int_equal(p->updated[7], 0);
	c->warp[7].membar = true;
	scoreboard_release(c, 7, &b, true);
	assert_int_equal(p->updated[7], 1);
	scoreboard_reserve(c, 7, &a, true);
	c->warp[7].membar = false;
	c->warp[7].done = true;
	scoreboard_release(c, 7, &a, true);
	assert_int_equal(p->updated[7], 2);
	assert_int_equal(p->updated[6], 0);
	pipe_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_and_writes_of_a_reserved_register_collide),
		cmocka_unit_test(sources_are_not_reserved),
		cmocka_unit_test(counts_reserved_registers),
		cmocka_unit_test(high_numbers_are_registers_like_others),
		cmocka_unit_test(a_register_named_twice_counts_once),
		cmocka_unit_test(long_marks_outlive_returned_loads),
		cmocka_unit_test(releases_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
