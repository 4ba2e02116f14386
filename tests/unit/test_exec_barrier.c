/* Barriers: ids, counts, arrive, red, exits, and what is invalid (PTX ISA "bar{.cta}"). */
#include "kernel_builder.h"

static void expect_fault(struct builder *b, uint32_t k, uint32_t block, uint32_t lanes, const char *part)
{
	const struct exec_fault *f = run_into_fault(b, k, block, EXEC_FAULT_BARRIER);
	assert_int_equal(f->lanes, lanes);
	if (!strstr(f->detail, part))
		fail_msg("'%s' is not in '%s'", part, f->detail);
	gpu_kill(b->g);
}

/* Every thread stores into shared memory, and after the barrier reads what its mirror image in another warp stored. */
static void values_cross_a_barrier(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 4 * 256;
	emit(b, ISA_H_mul_lo_s32, R(0), TID, K32(b, 4));
	emit(b, ISA_H_mul_lo_s32, R(1), TID, TID);
	st_shared(b, R(0), R(1));
	barrier(b, ISA_H_bar_sync, 0, 0);
	emit(b, ISA_H_sub_s32, R(0), K32(b, 4 * 255), R(0));
	ld_shared(b, R(2), R(0));
	store_out(b, TID, R(2));
	kernel_end(b);
	run_kernel(b, k, 1, 256);
	for (uint32_t t = 0; t < 256; t++)
		assert_int_equal(result(b, t), (255 - t) * (255 - t));
}

static void reductions(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), TID, K32(b, 70));
	barrier_red(b, ISA_H_bar_red_popc_u32, R(0), 1, P(0));
	store_out(b, TID, R(0));
	/* not all are below 70, some are; all are below 1000, none is above */
	static const struct {
		enum isa_handler h;
		uint32_t below;
	} forms[] = {{ISA_H_bar_red_and_pred, 70},
		     {ISA_H_bar_red_or_pred, 70},
		     {ISA_H_barrier_red_and_pred, 1000},
		     {ISA_H_barrier_red_or_pred, 0}};
	for (unsigned n = 0; n < 4; n++) {
		setp(b, ISA_H_setp_lt_u32, P(0), TID, K32(b, forms[n].below));
		barrier_red(b, forms[n].h, P(1), n, P(0));
		emit(b, ISA_H_selp_b32, R(1), K32(b, 1), K32(b, 0))->c = P(1);
		store_out_at(b, 1024 * (n + 1), R(1));
	}
	/* the complement: three quarters of 100 threads and more */
	barrier_red(b, ISA_H_bar_red_popc_u32, R(0), 1, NOT(P(0)));
	store_out_at(b, 1024 * 5, R(0));
	kernel_end(b);
	run_kernel(b, k, 1, 100);
	for (uint32_t t = 0; t < 100; t++) {
		assert_int_equal(result(b, t), 70);
		assert_int_equal(result(b, 1024 + t), 0);
		assert_int_equal(result(b, 2048 + t), 1);
		assert_int_equal(result(b, 3072 + t), 1);
		assert_int_equal(result(b, 4096 + t), 0);
		assert_int_equal(result(b, 5120 + t), 100);
	}
}

/* The ISA page's producer and consumer: warp 0 produces for warp 1 with arrive and sync over two barriers. */
static void producer_and_consumer(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 128;
	emit(b, ISA_H_mul_lo_s32, R(0), LANEID, K32(b, 4));
	setp(b, ISA_H_setp_eq_b32, P(0), WARPID, K32(b, 0));
	struct isa_insn *to_consumer = branch(b, NOT(P(0)), 0, ISA_NO_RECONV);
	/* producer: for (n = 1; n <= 3; n++) { store 100 * n; arrive 2; sync 3 } */
	uint32_t top = here(b);
	emit(b, ISA_H_add_s32, R(1), R(1), K32(b, 100));
	st_shared(b, R(0), R(1));
	barrier(b, ISA_H_bar_arrive, 2, 64);
	barrier(b, ISA_H_bar_sync, 3, 64);
	setp(b, ISA_H_setp_lt_u32, P(1), R(1), K32(b, 300));
	branch(b, P(1), top, here(b) + 1);
	simple(b, ISA_H_exit);
	/* consumer: sum of what it was given */
	to_consumer->target = here(b);
	top = here(b);
	barrier(b, ISA_H_bar_sync, 2, 64);
	ld_shared(b, R(2), R(0));
	emit(b, ISA_H_add_s32, R(3), R(3), R(2));
	barrier(b, ISA_H_bar_arrive, 3, 64);
	setp(b, ISA_H_setp_lt_u32, P(1), R(2), K32(b, 300));
	branch(b, P(1), top, here(b) + 1);
	store_out(b, LANEID, R(3));
	kernel_end(b);
	run_kernel(b, k, 1, 64);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(b, l), 600);
}

/* A warp that exits is not waited for; the one that arrives before the exit goes on because of it. */
static void exits_count(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_eq_b32, P(0), WARPID, K32(b, 2));
	simple(b, ISA_H_exit)->guard = P(0);
	/* single lanes that are gone don't count either */
	setp(b, ISA_H_setp_eq_b32, P(0), TID, K32(b, 5));
	simple(b, ISA_H_exit)->guard = P(0);
	barrier(b, ISA_H_bar_sync, 0, 0);
	store_out(b, TID, K32(b, 9));
	kernel_end(b);
	run_kernel(b, k, 1, 96);
	for (uint32_t t = 0; t < 96; t++)
		assert_int_equal(result(b, t), t == 5 || t >= 64 ? 0 : 9);
}

/* Some lanes of a warp wait at a .aligned barrier, and the others never come to it. */
static void parts_that_never_come(void **state)
{
	struct builder *b = *state;
	uint32_t divergent = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	struct isa_insn *bra = branch(b, P(0), 0, 0);
	barrier(b, ISA_H_bar_sync, 0, 0);
	bra->target = bra->reconv = here(b);
	barrier(b, ISA_H_bar_sync, 0, 0);
	kernel_end(b);
	expect_fault(b, divergent, 32, 0xffff0000, "of the warp's 0xffffffff only");

	uint32_t predicated = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 1));
	barrier(b, ISA_H_bar_sync, 0, 0)->guard = P(0);
	emit(b, ISA_H_add_s32, R(0), TID, TID);
	barrier(b, ISA_H_bar_sync, 1, 0)->guard = NOT(P(0));
	kernel_end(b);
	expect_fault(b, predicated, 32, 0xfffffffe,
		     "lanes 0x00000001 of the warp wait in another barrier instruction (pc 0x");

	uint32_t arrives = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 1));
	barrier(b, ISA_H_bar_sync, 0, 64)->guard = P(0);
	barrier(b, ISA_H_bar_arrive, 0, 64)->guard = NOT(P(0));
	kernel_end(b);
	expect_fault(b, arrives, 64, 0xfffffffe, "lanes 0x00000001 of the warp wait in another barrier");

	uint32_t mixed_forms = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 1));
	barrier(b, ISA_H_barrier_sync, 0, 0)->guard = P(0);
	barrier(b, ISA_H_bar_sync, 0, 0)->guard = NOT(P(0));
	kernel_end(b);
	expect_fault(b, mixed_forms, 64, 0xfffffffe, "lanes 0x00000001 of the warp wait in another barrier");

	uint32_t in_warp_sync = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 1));
	barrier(b, ISA_H_bar_sync, 0, 0)->guard = P(0);
	emit(b, ISA_H_bar_warp_sync, ISA_REF_NONE, K32(b, UINT32_MAX), ISA_REF_NONE);
	kernel_end(b);
	expect_fault(b, in_warp_sync, 32, 0xfffffffe, "names lanes 0x00000001, which wait elsewhere");
}

static void operands_that_make_no_sense(void **state)
{
	struct builder *b = *state;
	static const struct {
		enum isa_handler h;
		uint32_t id, count;
		const char *part;
	} rows[] = {
		{ISA_H_bar_sync, 16, 0, "barrier 16 does not exist"},
		{ISA_H_bar_sync, 0, 33, "33 of barrier 0 is not a multiple of 32"},
		{ISA_H_bar_sync, 0, 128, "waits for 128 threads, the block has only 64"},
		{ISA_H_bar_arrive, 0, 0, "needs a thread count"},
	};
	for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; n++) {
		uint32_t k = kernel_begin(b);
		barrier(b, rows[n].h, rows[n].id, rows[n].count);
		kernel_end(b);
		expect_fault(b, k, 64, UINT32_MAX, rows[n].part);
	}

	uint32_t unlike = kernel_begin(b);
	emit(b, ISA_H_add_s32, R(0), WARPID, K32(b, 2));
	emit(b, ISA_H_mul_lo_s32, R(0), R(0), K32(b, 32));
	barrier(b, ISA_H_bar_sync, 0, 0)->b = R(0);
	kernel_end(b);
	expect_fault(b, unlike, 96, UINT32_MAX, "in use with a thread count of 64, not 96");

	uint32_t lanes_differ = kernel_begin(b);
	barrier(b, ISA_H_bar_sync, 0, 0)->a = LANEID;
	kernel_end(b);
	expect_fault(b, lanes_differ, 32, UINT32_MAX, "different barriers");
}

/* ---- parts of a warp at .aligned barriers ---- */

/* Shared word tid = value. */
static void store_own_word(struct builder *b, uint32_t value)
{
	emit(b, ISA_H_mul_lo_s32, R(10), TID, K32(b, 4));
	st_shared(b, R(10), value);
}

/* out[tid] = shared word 63 - tid */
static void read_mirrored(struct builder *b)
{
	emit(b, ISA_H_mul_lo_s32, R(10), TID, K32(b, 4));
	emit(b, ISA_H_sub_s32, R(10), K32(b, 4 * 63), R(10));
	ld_shared(b, R(11), R(10));
	store_out(b, TID, R(11));
}

/* Lanes that leave without a barrier may still do something before: whoever waits doesn't wait for them. */
static void early_returns(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 9));
	setp(b, ISA_H_setp_lt_u32, P(1), LANEID, K32(b, 20));
	struct isa_insn *leave = branch(b, P(0), 0, 0);
	barrier_red(b, ISA_H_bar_red_popc_u32, R(0), 0, P(1));
	barrier(b, ISA_H_bar_sync, 1, 0);
	store_out(b, TID, R(0));
	struct isa_insn *to_end = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	leave->target = here(b);
	store_out(b, TID, K32(b, 1));
	to_end->target = leave->reconv = here(b);
	kernel_end(b);
	run_kernel(b, k, 1, 75);
	/* lanes 9 to 19 of two whole warps and two lanes of the last one */
	for (uint32_t t = 0; t < 75; t++)
		assert_int_equal(result(b, t), t % 32 < 9 ? 1 : 11 + 11 + 2);
}

/* Both sides of a branch call a function that has a barrier: lanes come to one instruction in two parts, and leave it in the
 * activations they came in. Then two parts that came without a call: they go on together. */
static void one_instruction_in_parts(void **state)
{
	struct builder *b = *state;
	uint32_t f = function_begin(b, "wait", false);
	barrier(b, ISA_H_bar_sync, 3, 0);
	simple(b, ISA_H_ret);
	function_end(b);
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 256;
	emit(b, ISA_H_add_s32, R(0), TID, K32(b, 500));
	store_own_word(b, R(0));
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	struct isa_insn *bra = branch(b, P(0), 0, 0);
	for (unsigned side = 0; side < 2; side++) {
		call_plain(b, f);
		if (!side) {
			struct isa_insn *skip = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
			bra->target = here(b);
			bra->reconv = skip->target = here(b) + 1;
		}
	}
	read_mirrored(b);
	/* lane 0 exits on one side: both sides meet again only at the end, and before that at the barrier */
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 4));
	setp(b, ISA_H_setp_eq_b32, P(1), LANEID, K32(b, 0));
	struct isa_insn *around = branch(b, NOT(P(0)), 0, ISA_NO_RECONV);
	simple(b, ISA_H_exit)->guard = P(1);
	around->target = here(b);
	barrier(b, ISA_H_bar_sync, 0, 0);
	emit(b, ISA_H_activemask, R(1), ISA_REF_NONE, ISA_REF_NONE);
	store_out_at(b, 1024, R(1));
	kernel_end(b);
	run_kernel(b, k, 1, 64);
	for (uint32_t t = 0; t < 64; t++) {
		assert_int_equal(result(b, t), 563 - t);
		assert_int_equal(result(b, 1024 + t), t % 32 ? 0xfffffffe : 0);
	}
}

/* bar.arrive waits for the rest of its warp only. */
static void arriving_in_parts(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), TID, K32(b, 32));
	struct isa_insn *other = branch(b, NOT(P(0)), 0, ISA_NO_RECONV);
	setp(b, ISA_H_setp_lt_u32, P(1), TID, K32(b, 8));
	struct isa_insn *leave = branch(b, P(1), 0, ISA_NO_RECONV);
	barrier(b, ISA_H_bar_arrive, 5, 64);
	store_out(b, TID, K32(b, 1));
	simple(b, ISA_H_exit);
	leave->target = here(b);
	store_out(b, TID, K32(b, 2));
	simple(b, ISA_H_exit);
	other->target = here(b);
	barrier(b, ISA_H_bar_sync, 5, 64);
	store_out(b, TID, K32(b, 3));
	kernel_end(b);
	run_kernel(b, k, 1, 64);
	for (uint32_t t = 0; t < 64; t++)
		assert_int_equal(result(b, t), t < 8 ? 2 : t < 32 ? 1 : 3);
}

/* Lanes that can never come. */
static void the_rest_spins(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_ge_u32, P(0), LANEID, K32(b, 24));
	struct isa_insn *wait = branch(b, NOT(P(0)), 0, 0);
	branch(b, ISA_PRED_TRUE, here(b), ISA_NO_RECONV);
	wait->target = here(b);
	barrier(b, ISA_H_bar_sync, 2, 0);
	store_out(b, TID, K32(b, 1));
	wait->reconv = here(b);
	kernel_end(b);
	launch(b, k, 1, 64);
	struct gpu_event ev;
	assert_int_equal(run_to_event(b, &ev), GPU_EVENT_DEADLOCK);
	const char *text = text_str(&ev.text);
	if (!strstr(text,
		    "warp 1: lanes 0xff000000 spin at pc 0x10, lanes 0x00ffffff wait for them at barrier 2, pc 0x18"))
		fail_msg("%s", text);
	text_free(&ev.text);
}

/* Waiting for somebody who waits elsewhere. */
static void different_barriers_deadlock(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	emit(b, ISA_H_and_b32, R(0), WARPID, K32(b, 1));
	uint32_t at = here(b);
	barrier(b, ISA_H_bar_sync, 0, 0)->a = R(0);
	kernel_end(b);
	launch(b, k, 1, 96);
	struct gpu_event ev;
	assert_int_equal(run_to_event(b, &ev), GPU_EVENT_DEADLOCK);
	const char *text = text_str(&ev.text);
	assert_non_null(strstr(
		text,
		"block (0,0,0), barrier 0 waits for 96 threads and has 64, barrier 1 waits for 96 threads and has 32"));
	assert_non_null(strstr(text, "warp 1: waits at barrier 1, "));
	assert_non_null(strstr(text, "warp 2: waits at barrier 0, "));
	text_free(&ev.text);
	/* and the machine is still there to look at */
	const struct exec_warp *w = &gpu_cta(b->g, 0)->warp[1];
	assert_int_equal(w->state, EXEC_WARP_BARRIER);
	assert_int_equal(w->barrier_pc, at);
	assert_int_equal(run_quietly(b), GPU_EVENT_DEADLOCK);
}

/* ---- barrier without .aligned: lanes arrive when they like (PTX ISA "barrier{.cta}") ---- */

static void one_barrier_on_each_side(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 256;
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	struct isa_insn *bra = branch(b, P(0), 0, 0);
	emit(b, ISA_H_add_s32, R(0), TID, K32(b, 2000));
	store_own_word(b, R(0));
	barrier(b, ISA_H_barrier_sync, 0, 0);
	read_mirrored(b);
	struct isa_insn *skip = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	bra->target = here(b);
	emit(b, ISA_H_add_s32, R(0), TID, K32(b, 1000));
	store_own_word(b, R(0));
	barrier(b, ISA_H_barrier_sync, 0, 0);
	read_mirrored(b);
	bra->reconv = skip->target = here(b);
	emit(b, ISA_H_activemask, R(1), ISA_REF_NONE, ISA_REF_NONE);
	store_out_at(b, 1024, R(1));
	kernel_end(b);
	run_kernel(b, k, 1, 64);
	for (uint32_t t = 0; t < 64; t++) {
		uint32_t other = 63 - t;
		assert_int_equal(result(b, t), other + (other % 32 < 16 ? 1000 : 2000));
		assert_int_equal(result(b, 1024 + t), UINT32_MAX);
	}
}

/* The lower half waits in a function's loop, the upper half runs past the point where it would have waited for the lower, and arrives with
 * another instruction. */
static void the_others_run_on(void **state)
{
	struct builder *b = *state;
	uint32_t f = function_begin(b, "wait", false);
	barrier(b, ISA_H_barrier_sync, 3, 64);
	simple(b, ISA_H_ret);
	function_end(b);
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 256;
	emit(b, ISA_H_add_s32, R(0), TID, K32(b, 500));
	store_own_word(b, R(0));
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	call_plain(b, f)->guard = P(0);
	barrier(b, ISA_H_barrier_sync, 3, 64)->guard = NOT(P(0));
	read_mirrored(b);
	kernel_end(b);
	run_kernel(b, k, 1, 64);
	for (uint32_t t = 0; t < 64; t++)
		assert_int_equal(result(b, t), 563 - t);
}

/* Lanes that exit are not waited for, and reductions count the lanes of all parts. */
static void parts_of_warps(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 4));
	struct isa_insn *bra = branch(b, P(0), 0, ISA_NO_RECONV);
	setp(b, ISA_H_setp_ge_u32, P(1), LANEID, K32(b, 30));
	simple(b, ISA_H_exit)->guard = P(1);
	bra->target = here(b);
	barrier_red(b, ISA_H_barrier_red_popc_u32, R(0), 0, P(0));
	store_out(b, TID, R(0));
	kernel_end(b);
	uint32_t only = function_begin(b, "only", true);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 4));
	struct isa_insn *leave = branch(b, NOT(P(0)), 0, ISA_NO_RECONV);
	barrier(b, ISA_H_barrier_sync, 0, 0);
	store_out(b, TID, K32(b, 5));
	simple(b, ISA_H_exit);
	leave->target = here(b);
	kernel_end(b);
	run_kernel(b, k, 1, 96);
	for (uint32_t t = 0; t < 96; t++)
		assert_int_equal(result(b, t), t % 32 < 30 ? 12 : 0);
	run_kernel(b, only, 1, 64);
	for (uint32_t t = 0; t < 64; t++)
		assert_int_equal(result(b, t), t % 32 < 4 ? 5 : t % 32 < 30 ? 12 : 0);
}

static void parts_at_different_barriers(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	barrier(b, ISA_H_barrier_sync, 1, 0)->guard = P(0);
	barrier(b, ISA_H_barrier_sync, 2, 0)->guard = NOT(P(0));
	kernel_end(b);
	expect_fault(b, k, 32, 0xffff0000, "lanes 0x0000ffff of the warp wait in another barrier instruction (pc 0x8)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BUILDS(values_cross_a_barrier),
		BUILDS(reductions),
		BUILDS(producer_and_consumer),
		BUILDS(exits_count),
		BUILDS(parts_that_never_come),
		BUILDS(operands_that_make_no_sense),
		BUILDS(early_returns),
		BUILDS(one_instruction_in_parts),
		BUILDS(arriving_in_parts),
		BUILDS(the_rest_spins),
		BUILDS(different_barriers_deadlock),
		BUILDS(one_barrier_on_each_side),
		BUILDS(the_others_run_on),
		BUILDS(parts_of_warps),
		BUILDS(parts_at_different_barriers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
