/* Warp-level instructions under divergence: who waits for whom, what they get, when nobody can come (PTX ISA: "lanes in membermask
 * wait until all non-exited ones have executed it"). Expected values come from each lane's program on the host. */
#include "kernel_builder.h"

#define FULL UINT32_MAX

static void expect_fault(struct builder *b, uint32_t k, uint32_t lanes, const char *detail)
{
	const struct exec_fault *f = run_into_fault(b, k, 32, EXEC_FAULT_BARRIER);
	assert_string_equal(f->detail, detail);
	assert_int_equal(f->lanes, lanes);
	gpu_kill(b->g);
}

/* dst = a of lane b */
static struct isa_insn *shfl(struct builder *b, uint32_t dst, uint32_t a, uint32_t from, uint32_t members)
{
	struct isa_insn *i = emit(b, ISA_H_shfl_sync_idx_b32, dst, a, from);
	i->c = K32(b, 0x1f);
	i->d = members;
	return i;
}

static struct isa_insn *syncwarp(struct builder *b, uint32_t members)
{
	return emit(b, ISA_H_bar_warp_sync, ISA_REF_NONE, members, ISA_REF_NONE);
}

/* ---- meeting ---- */

/* n loop turns each, then a shuffle of what each has counted; the loop's exit isn't known to be where the lanes meet. */
static void after_loops_of_different_lengths(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	emit(b, ISA_H_rem_u32, R(4), LANEID, K32(b, 7));
	uint32_t top = here(b);
	emit(b, ISA_H_add_s32, R(0), R(0), K32(b, 1));
	setp(b, ISA_H_setp_le_u32, P(0), R(0), R(4));
	branch(b, P(0), top, ISA_NO_RECONV);
	emit(b, ISA_H_sub_s32, R(1), K32(b, 31), LANEID);
	shfl(b, R(0), R(0), R(1), K32(b, FULL));
	emit(b, ISA_H_activemask, R(2), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, TID, R(0));
	store_out_at(b, 64, R(2));
	kernel_end(b);
	run_kernel(b, k, 1, 64);
	for (uint32_t t = 0; t < 64; t++) {
		assert_int_equal(result(b, t), (31 - t % 32) % 7 + 1);
		assert_int_equal(result(b, 64 + t), FULL); /* and they go on together */
	}
}

/* f(n): n of the lane opposite; leaves in out the ballot of n >= 120 (64), 5 if there was one (128), the sum (192), who has the same
 * n mod 4 (256). */
static uint32_t build_exchange(struct builder *b)
{
	uint32_t f = unary_begin(b, "f");
	emit(b, ISA_H_sub_s32, R(2), K32(b, 31), LANEID);
	shfl(b, R(0), R(1), R(2), K32(b, FULL));
	setp(b, ISA_H_setp_ge_u32, P(3), R(1), K32(b, 120));
	struct isa_insn *v = emit(b, ISA_H_vote_sync_ballot_b32, R(3), P(3), ISA_REF_NONE);
	v->d = K32(b, FULL);
	store_out_at(b, 64, R(3));
	v = emit(b, ISA_H_vote_sync_any_pred, P(4), P(3), ISA_REF_NONE);
	v->d = K32(b, FULL);
	emit(b, ISA_H_selp_b32, R(3), K32(b, 5), K32(b, 6))->c = P(4);
	store_out_at(b, 128, R(3));
	v = emit(b, ISA_H_redux, R(3), R(1), ISA_REF_NONE);
	v->atom = ISA_ATOM_ADD;
	v->type = ISA_U32;
	v->d = K32(b, FULL);
	store_out_at(b, 192, R(3));
	emit(b, ISA_H_and_b32, R(4), R(1), K32(b, 3));
	emit(b, ISA_H_mad_wide_u32, R(5), R(4), K32(b, 4))->c = K64(b, UINT64_C(1) << 40);
	v = emit(b, ISA_H_match_any_sync_b64, R(3), R(5), ISA_REF_NONE);
	v->a_bytes = 8;
	v->d = K32(b, FULL);
	store_out_at(b, 256, R(3));
	simple(b, ISA_H_ret);
	function_end(b);
	return f;
}

/* g(n): f(n) + 10000 */
static uint32_t build_around(struct builder *b, uint32_t f)
{
	uint32_t g = unary_begin(b, "g");
	call_unary(b, f, R(0), R(1));
	emit(b, ISA_H_add_s32, R(0), R(0), K32(b, 10000));
	simple(b, ISA_H_ret);
	function_end(b);
	return g;
}

/* out[lane] = lane < 11 ? g(100 + lane) : f(100 + lane); then who is together again (32) */
static uint32_t build_two_ways(struct builder *b)
{
	uint32_t f = build_exchange(b), g = build_around(b, f);
	uint32_t k = kernel_begin(b);
	emit(b, ISA_H_add_s32, R(4), LANEID, K32(b, 100));
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 11));
	struct isa_insn *bra = branch(b, P(0), 0, 0);
	call_unary(b, f, R(5), R(4));
	struct isa_insn *skip = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	bra->target = here(b);
	call_unary(b, g, R(5), R(4));
	bra->reconv = skip->target = here(b);
	emit(b, ISA_H_activemask, R(6), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, TID, R(5));
	store_out_at(b, 32, R(6));
	kernel_end(b);
	return k;
}

/* Lanes come to one instruction through different calls: f is called on both sides of a branch, on one of them by g. Shuffle, vote,
 * match and redux then work across frames, and leave the frames' other lanes alone. */
static void through_different_calls(void **state)
{
	struct builder *b = *state;
	run_kernel(b, build_two_ways(b), 1, 32);
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t ballot = 0, sum = 0, match = 0;
		for (uint32_t o = 0; o < 32; o++) {
			ballot |= 100 + o >= 120 ? 1u << o : 0;
			match |= ((100 + o) & 3) == ((100 + l) & 3) ? 1u << o : 0;
			sum += 100 + o;
		}
		assert_int_equal(result(b, l), 100 + 31 - l + (l < 11 ? 10000 : 0));
		assert_int_equal(result(b, 32 + l), FULL);
		assert_int_equal(result(b, 64 + l), ballot);
		assert_int_equal(result(b, 128 + l), 5);
		assert_int_equal(result(b, 192 + l), sum);
		assert_int_equal(result(b, 256 + l), match);
	}
}

/* The lower half produces into shared memory, the upper consumes and answers, each in a loop of its own. In the end the lanes
 * trap: the stack must not have grown with the number of turns. */
static void producer_and_consumer(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 128;
	emit(b, ISA_H_and_b32, R(0), LANEID, K32(b, 15));
	emit(b, ISA_H_mul_lo_s32, R(0), R(0), K32(b, 4));
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	struct isa_insn *to_consumer = branch(b, NOT(P(0)), 0, 0);
	uint32_t top = here(b);
	emit(b, ISA_H_add_s32, R(1), R(1), K32(b, 1));
	emit(b, ISA_H_add_s32, R(2), R(1), LANEID);
	st_shared(b, R(0), R(2));
	syncwarp(b, K32(b, FULL));
	syncwarp(b, K32(b, FULL));
	ld_shared(b, R(2), R(0));
	emit(b, ISA_H_add_s32, R(3), R(3), R(2));
	setp(b, ISA_H_setp_lt_u32, P(1), R(1), K32(b, 1000));
	branch(b, P(1), top, here(b) + 1);
	struct isa_insn *to_end = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	to_consumer->target = here(b);
	top = here(b);
	emit(b, ISA_H_add_s32, R(1), R(1), K32(b, 1));
	syncwarp(b, K32(b, FULL));
	ld_shared(b, R(2), R(0));
	emit(b, ISA_H_add_s32, R(3), R(3), R(2));
	emit(b, ISA_H_add_s32, R(2), R(2), R(2));
	st_shared(b, R(0), R(2));
	syncwarp(b, K32(b, FULL));
	setp(b, ISA_H_setp_lt_u32, P(1), R(1), K32(b, 1000));
	branch(b, P(1), top, here(b) + 1);
	to_consumer->reconv = to_end->target = here(b);
	store_out(b, TID, R(3));
	emit(b, ISA_H_activemask, R(4), ISA_REF_NONE, ISA_REF_NONE);
	store_out_at(b, 32, R(4));
	simple(b, ISA_H_trap);
	function_end(b);
	run_into_fault(b, k, 32, EXEC_FAULT_TRAP);
	assert_int_equal(gpu_cta(b->g, 0)->warp[0].n_simt, 1);
	assert_true(gpu_cta(b->g, 0)->warp[0].cap_simt <= 16);
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t sum = 1000 * 1001 / 2 + 1000 * (l % 16);
		assert_int_equal(result(b, l), l < 16 ? 2 * sum : sum);
		assert_int_equal(result(b, 32 + l), FULL);
	}
}

/* A mask that names just those who are there needs nobody else: no waiting, whatever the others do. (A branch counts for the
 * lanes that take it.) */
static void only_the_active_ones(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 12));
	emit(b, ISA_H_and_b32, R(1), LANEID, K32(b, 1));
	setp(b, ISA_H_setp_eq_b32, P(1), R(1), K32(b, 1));
	struct isa_insn *bra = branch(b, P(0), 0, 0);
	emit(b, ISA_H_vote_sync_ballot_b32, R(0), P(1), ISA_REF_NONE)->d = K32(b, 0xfffff000);
	struct isa_insn *skip = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	bra->target = here(b);
	emit(b, ISA_H_activemask, R(2), ISA_REF_NONE, ISA_REF_NONE);
	emit(b, ISA_H_vote_sync_ballot_b32, R(0), P(1), ISA_REF_NONE)->d = R(2);
	bra->reconv = skip->target = here(b);
	store_out(b, TID, R(0));
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(b, l), l < 12 ? 0x00000aaa : 0xaaaaa000);
	struct gpu_stats st;
	gpu_get_stats(b->g, &st);
	assert_int_equal(st.warp_insns, 4 + 2 + 2 + 3);
	assert_int_equal(st.sim_insn, 32 * 3 + 12 + 20 * 2 + 12 * 2 + 32 * 3);
}

/* A side that must wait takes an issue, and its lanes count when they execute; so all count once. */
static void counts(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 8));
	struct isa_insn *bra = branch(b, P(0), 0, ISA_NO_RECONV);
	bra->target = here(b) + 1;
	emit(b, ISA_H_mov_b32, R(0), K32(b, 1), ISA_REF_NONE);
	syncwarp(b, K32(b, FULL));
	store_out(b, TID, R(0));
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	struct gpu_stats st;
	gpu_get_stats(b->g, &st);
	assert_int_equal(st.warp_insns, 2 + 1 + 2 + 3);
	assert_int_equal(st.sim_insn, 32 + 8 + 24 + 32 + 32 * 3);
}

/* Tiles of four, each torn apart in the middle: lanes with different masks wait in front of the same instruction. */
static void tiles(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	emit(b, ISA_H_and_b32, R(0), LANEID, K32(b, 28));
	emit(b, ISA_H_shl_b32, R(1), K32(b, 15), R(0));
	emit(b, ISA_H_and_b32, R(2), LANEID, K32(b, 2));
	setp(b, ISA_H_setp_ne_b32, P(0), R(2), K32(b, 0));
	emit(b, ISA_H_mul_lo_s32, R(3), LANEID, LANEID);
	struct isa_insn *bra = branch(b, P(0), 0, ISA_NO_RECONV);
	emit(b, ISA_H_add_s32, R(3), R(3), K32(b, 5000));
	bra->target = here(b);
	emit(b, ISA_H_add_s32, R(4), LANEID, K32(b, 0));
	emit(b, ISA_H_xor_b32, R(4), R(4), K32(b, 3));
	shfl(b, R(5), R(3), R(4), R(1));
	store_out(b, TID, R(5));
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t o = l ^ 3;
		assert_int_equal(result(b, l), o * o + (o & 2 ? 0 : 5000));
	}
}

/* A predicated __syncwarp: the lanes whose guard is false run on and meet the others at the next one. Two bar.warp.sync are the
 * same place if their masks are. */
static void guarded(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 128;
	emit(b, ISA_H_mul_lo_s32, R(0), LANEID, K32(b, 4));
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	syncwarp(b, K32(b, FULL))->guard = P(0);
	st_shared(b, R(0), LANEID)->guard = NOT(P(0));
	syncwarp(b, K32(b, FULL))->guard = NOT(P(0));
	emit(b, ISA_H_sub_s32, R(0), K32(b, 124), R(0));
	ld_shared(b, R(1), R(0));
	store_out(b, TID, R(1));
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(b, l), l < 16 ? 31 - l : 0);
}

/* ---- exits ---- */

/* Lanes that exit are not waited for, also when others wait already: these find out when the last is gone. */
static void exits(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	setp(b, ISA_H_setp_eq_b32, P(1), LANEID, K32(b, 20));
	struct isa_insn *bra = branch(b, NOT(P(0)), 0, ISA_NO_RECONV);
	emit(b, ISA_H_vote_sync_ballot_b32, R(0), ISA_PRED_TRUE, ISA_REF_NONE)->d = K32(b, FULL);
	store_out(b, TID, R(0));
	simple(b, ISA_H_exit);
	bra->target = here(b);
	simple(b, ISA_H_exit)->guard = P(1);
	store_out(b, TID, K32(b, 7));
	kernel_end(b);
	run_kernel(b, k, 1, 30);
	for (uint32_t l = 0; l < 30; l++)
		assert_int_equal(result(b, l), l < 16 ? 0xffff : l == 20 ? 0 : 7);
}

/* ---- nobody can come ---- */

static void two_shuffles(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	struct isa_insn *bra = branch(b, P(0), 0, 0);
	shfl(b, R(0), LANEID, K32(b, 0), K32(b, FULL)); /* 2: the upper half */
	struct isa_insn *skip = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	bra->target = here(b);
	shfl(b, R(0), LANEID, K32(b, 0), K32(b, FULL)); /* 4: the lower half, which runs first */
	bra->reconv = skip->target = here(b);
	kernel_end(b);
	expect_fault(b, k, 0xffff0000,
		     "the membermask of lanes 0xffff0000 names lanes 0x0000ffff, which wait elsewhere (pc 0x20, mask 0xffffffff)");
}

static void different_masks(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	syncwarp(b, K32(b, FULL))->guard = P(0);
	syncwarp(b, K32(b, 0xffff8000))->guard = NOT(P(0));
	kernel_end(b);
	expect_fault(b, k, 0xffff0000,
		     "the membermask of lanes 0xffff0000 names lanes 0x00008000, which wait elsewhere (pc 0x8, mask 0xffffffff)");
}

/* Some wait in a block's barrier, the others for them; whoever comes last is told. */
static void at_a_barrier(void **state)
{
	struct builder *b = *state;
	uint32_t barrier_first = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	barrier(b, ISA_H_barrier_sync, 0, 0)->guard = P(0);
	syncwarp(b, K32(b, FULL))->guard = NOT(P(0));
	kernel_end(b);
	expect_fault(b, barrier_first, 0xffff0000,
		     "the membermask of lanes 0xffff0000 names lanes 0x0000ffff, which wait elsewhere (pc 0x8)");

	uint32_t syncwarp_first = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 16));
	syncwarp(b, K32(b, FULL))->guard = P(0);
	barrier(b, ISA_H_barrier_sync, 0, 0)->guard = NOT(P(0));
	kernel_end(b);
	expect_fault(b, syncwarp_first, 0xffff0000,
		     "lanes 0x0000ffff of the warp wait for these in a warp-level instruction (pc 0x28, mask 0xffffffff)");
}

/* The forms without .sync work on who is there. */
static void old_forms(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 4));
	emit(b, ISA_H_vote_sync_ballot_b32, R(0), ISA_PRED_TRUE, ISA_REF_NONE)->guard = P(0);
	store_out(b, TID, R(0));
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(b, l), l < 4 ? 15 : 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BUILDS_AND_STEPS(after_loops_of_different_lengths),
		BUILDS_AND_STEPS(through_different_calls),
		BUILDS(producer_and_consumer),
		BUILDS(only_the_active_ones),
		BUILDS(counts),
		BUILDS(tiles),
		BUILDS_AND_STEPS(guarded),
		BUILDS_AND_STEPS(exits),
		BUILDS(two_shuffles),
		BUILDS(different_masks),
		BUILDS(at_a_barrier),
		BUILDS(old_forms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
