/* Warp-level instructions under divergence: who waits for whom, what they get, when nobody can come (PTX ISA: "lanes in membermask
 * wait until all non-exited ones have executed it"). Expected values come from each lane's program on the host. */
#include "kernel_builder.h"

#include <stdio.h>

#define FULL UINT32_MAX

/* Every kernel runs as a whole and stopping after each instruction. */
static void run_to_end(struct builder *b, bool stepping)
{
	struct gpu_request r = {.max_cycles = stepping ? 1 : UINT64_MAX};
	enum gpu_event_kind kind;
	do {
		struct gpu_event ev;
		gpu_run(b->g, &r, &ev);
		kind = ev.kind;
		if (kind == GPU_EVENT_FAULT)
			print_message("%s\n", gpu_exec(b->g)->fault.detail);
		text_free(&ev.text);
	} while (stepping && kind == GPU_EVENT_CYCLES);
	assert_int_equal(kind, GPU_EVENT_KERNEL_DONE);
}

static void expect_fault(struct builder *b, uint32_t k, uint32_t lanes, const char *detail)
{
	launch(b, k, 1, 32);
	assert_int_equal(run_quietly(b), GPU_EVENT_FAULT);
	const struct exec_fault *f = &gpu_exec(b->g)->fault;
	assert_int_equal(f->kind, EXEC_FAULT_BARRIER);
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

static void store_at(struct builder *b, uint64_t out, uint32_t offset, uint32_t row)
{
	emit(b, ISA_H_add_s32, R(37), TID, K32(b, offset));
	store_out(b, out, R(37), row);
}

static struct isa_insn *memory_of_shared(struct builder *b, struct isa_insn *i)
{
	(void)b;
	i->space = ISA_SPACE_SHARED;
	i->type = ISA_B32;
	return i;
}

/* ---- meeting ---- */

/* n loop turns each, then a shuffle of what each has counted; the loop's exit isn't known to be where the lanes meet. */
static void after_loops_of_different_lengths(void **state)
{
	(void)state;
	for (int stepping = 0; stepping < 2; stepping++) {
		struct builder b = builder_create(NULL);
		uint64_t out = out_buffer(&b);
		uint32_t k = function_begin(&b, "k", true);
		emit(&b, ISA_H_rem_u32, R(4), LANEID, K32(&b, 7));
		uint32_t top = here(&b);
		emit(&b, ISA_H_add_s32, R(0), R(0), K32(&b, 1));
		setp(&b, ISA_H_setp_le_u32, P(0), R(0), R(4));
		branch(&b, P(0), top, ISA_NO_RECONV);
		emit(&b, ISA_H_sub_s32, R(1), K32(&b, 31), LANEID);
		shfl(&b, R(0), R(0), R(1), K32(&b, FULL));
		emit(&b, ISA_H_activemask, R(2), ISA_REF_NONE, ISA_REF_NONE);
		store_out(&b, out, TID, R(0));
		store_at(&b, out, 64, R(2));
		simple(&b, ISA_H_exit);
		function_end(&b);
		launch(&b, k, 1, 64);
		run_to_end(&b, stepping);
		for (uint32_t t = 0; t < 64; t++) {
			assert_int_equal(result(&b, out, t), (31 - t % 32) % 7 + 1);
			assert_int_equal(result(&b, out, 64 + t), FULL); /* and they go on together */
		}
		builder_destroy(&b);
	}
}

static void call_with(struct builder *b, uint32_t callee, uint32_t ret, uint32_t arg)
{
	const uint32_t words[] = {2, 0, ret, 4, ISA_U32, 0, arg, 4, ISA_U32};
	struct isa_insn *c = simple(b, ISA_H_call);
	c->target = callee;
	c->aux = b->p->n_aux;
	memcpy(&b->p->aux[b->p->n_aux], words, sizeof words);
	b->p->n_aux += 9;
}

static uint32_t begin_unary(struct builder *b, const char *name)
{
	static const struct isa_variable params[2] = {
		{.name = "ret", .type = ISA_U32, .bytes = 4, .flags = ISA_VAR_RETURN},
		{.name = "n", .type = ISA_U32, .bytes = 4}};
	static const uint32_t regs[2] = {R(0), R(1)};
	uint32_t f = function_begin(b, name, false);
	b->f->params = params;
	b->f->param_regs = regs;
	b->f->n_params = 2;
	return f;
}

/* f(n): n of the lane opposite; leaves in out the ballot of n >= 120 (64), 5 if there was one (128), the sum (192), who has the same
 * n mod 4 (256). */
static uint32_t build_exchange(struct builder *b, uint64_t out)
{
	uint32_t f = begin_unary(b, "f");
	emit(b, ISA_H_sub_s32, R(2), K32(b, 31), LANEID);
	shfl(b, R(0), R(1), R(2), K32(b, FULL));
	setp(b, ISA_H_setp_ge_u32, P(3), R(1), K32(b, 120));
	struct isa_insn *v = emit(b, ISA_H_vote_sync_ballot_b32, R(3), P(3), ISA_REF_NONE);
	v->d = K32(b, FULL);
	store_at(b, out, 64, R(3));
	v = emit(b, ISA_H_vote_sync_any_pred, P(4), P(3), ISA_REF_NONE);
	v->d = K32(b, FULL);
	emit(b, ISA_H_selp_b32, R(3), K32(b, 5), K32(b, 6))->c = P(4);
	store_at(b, out, 128, R(3));
	v = emit(b, ISA_H_redux, R(3), R(1), ISA_REF_NONE);
	v->atom = ISA_ATOM_ADD;
	v->type = ISA_U32;
	v->d = K32(b, FULL);
	store_at(b, out, 192, R(3));
	emit(b, ISA_H_and_b32, R(4), R(1), K32(b, 3));
	emit(b, ISA_H_mad_wide_u32, R(5), R(4), K32(b, 4))->c = K64(b, UINT64_C(1) << 40);
	v = emit(b, ISA_H_match_any_sync_b64, R(3), R(5), ISA_REF_NONE);
	v->a_bytes = 8;
	v->d = K32(b, FULL);
	store_at(b, out, 256, R(3));
	simple(b, ISA_H_ret);
	function_end(b);
	return f;
}

/* g(n): f(n) + 10000 */
static uint32_t build_around(struct builder *b, uint32_t f)
{
	uint32_t g = begin_unary(b, "g");
	call_with(b, f, R(0), R(1));
	emit(b, ISA_H_add_s32, R(0), R(0), K32(b, 10000));
	simple(b, ISA_H_ret);
	function_end(b);
	return g;
}

/* out[lane] = lane < 11 ? g(100 + lane) : f(100 + lane); then who is together again (32) */
static uint32_t build_two_ways(struct builder *b, uint64_t out)
{
	uint32_t f = build_exchange(b, out), g = build_around(b, f);
	uint32_t k = function_begin(b, "k", true);
	emit(b, ISA_H_add_s32, R(4), LANEID, K32(b, 100));
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 11));
	struct isa_insn *bra = branch(b, P(0), 0, 0);
	call_with(b, f, R(5), R(4));
	struct isa_insn *skip = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	bra->target = here(b);
	call_with(b, g, R(5), R(4));
	bra->reconv = skip->target = here(b);
	emit(b, ISA_H_activemask, R(6), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, out, TID, R(5));
	store_at(b, out, 32, R(6));
	simple(b, ISA_H_exit);
	function_end(b);
	return k;
}

/* Lanes come to one instruction through different calls: f is called on both sides of a branch, on one of them by g. Shuffle, vote,
 * match and redux then work across frames, and leave the frames' other lanes alone. */
static void through_different_calls(void **state)
{
	(void)state;
	for (int stepping = 0; stepping < 2; stepping++) {
		struct builder b = builder_create(NULL);
		uint64_t out = out_buffer(&b);
		launch(&b, build_two_ways(&b, out), 1, 32);
		run_to_end(&b, stepping);
		for (uint32_t l = 0; l < 32; l++) {
			uint32_t ballot = 0, sum = 0, match = 0;
			for (uint32_t o = 0; o < 32; o++) {
				ballot |= 100 + o >= 120 ? 1u << o : 0;
				match |= ((100 + o) & 3) == ((100 + l) & 3) ? 1u << o : 0;
				sum += 100 + o;
			}
			assert_int_equal(result(&b, out, l), 100 + 31 - l + (l < 11 ? 10000 : 0));
			assert_int_equal(result(&b, out, 32 + l), FULL);
			assert_int_equal(result(&b, out, 64 + l), ballot);
			assert_int_equal(result(&b, out, 128 + l), 5);
			assert_int_equal(result(&b, out, 192 + l), sum);
			assert_int_equal(result(&b, out, 256 + l), match);
		}
		builder_destroy(&b);
	}
}

/* The lower half produces into shared memory, the upper consumes and answers, each in a loop of its own. In the end the lanes
 * trap: the stack must not have grown with the number of turns. */
static void producer_and_consumer(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint64_t out = out_buffer(&b);
	uint32_t k = function_begin(&b, "k", true);
	b.f->static_shared = 128;
	emit(&b, ISA_H_and_b32, R(0), LANEID, K32(&b, 15));
	emit(&b, ISA_H_mul_lo_s32, R(0), R(0), K32(&b, 4));
	setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 16));
	struct isa_insn *to_consumer = branch(&b, NOT(P(0)), 0, 0);
	uint32_t top = here(&b);
	emit(&b, ISA_H_add_s32, R(1), R(1), K32(&b, 1));
	emit(&b, ISA_H_add_s32, R(2), R(1), LANEID);
	memory_of_shared(&b, emit(&b, ISA_H_st_shared_b32, ISA_REF_NONE, R(0), R(2)));
	syncwarp(&b, K32(&b, FULL));
	syncwarp(&b, K32(&b, FULL));
	memory_of_shared(&b, emit(&b, ISA_H_ld_shared_b32, R(2), R(0), ISA_REF_NONE));
	emit(&b, ISA_H_add_s32, R(3), R(3), R(2));
	setp(&b, ISA_H_setp_lt_u32, P(1), R(1), K32(&b, 1000));
	branch(&b, P(1), top, here(&b) + 1);
	struct isa_insn *to_end = branch(&b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	to_consumer->target = here(&b);
	top = here(&b);
	emit(&b, ISA_H_add_s32, R(1), R(1), K32(&b, 1));
	syncwarp(&b, K32(&b, FULL));
	memory_of_shared(&b, emit(&b, ISA_H_ld_shared_b32, R(2), R(0), ISA_REF_NONE));
	emit(&b, ISA_H_add_s32, R(3), R(3), R(2));
	emit(&b, ISA_H_add_s32, R(2), R(2), R(2));
	memory_of_shared(&b, emit(&b, ISA_H_st_shared_b32, ISA_REF_NONE, R(0), R(2)));
	syncwarp(&b, K32(&b, FULL));
	setp(&b, ISA_H_setp_lt_u32, P(1), R(1), K32(&b, 1000));
	branch(&b, P(1), top, here(&b) + 1);
	to_consumer->reconv = to_end->target = here(&b);
	store_out(&b, out, TID, R(3));
	emit(&b, ISA_H_activemask, R(4), ISA_REF_NONE, ISA_REF_NONE);
	store_at(&b, out, 32, R(4));
	simple(&b, ISA_H_trap);
	function_end(&b);
	launch(&b, k, 1, 32);
	assert_int_equal(run_quietly(&b), GPU_EVENT_FAULT);
	assert_int_equal(gpu_exec(b.g)->fault.kind, EXEC_FAULT_TRAP);
	assert_int_equal(gpu_cta(b.g, 0)->warp[0].n_simt, 1);
	assert_true(gpu_cta(b.g, 0)->warp[0].cap_simt <= 16);
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t sum = 1000 * 1001 / 2 + 1000 * (l % 16);
		assert_int_equal(result(&b, out, l), l < 16 ? 2 * sum : sum);
		assert_int_equal(result(&b, out, 32 + l), FULL);
	}
	builder_destroy(&b);
}

/* A mask that names just those who are there needs nobody else: no waiting, whatever the others do. (A branch counts for the
 * lanes that take it.) */
static void only_the_active_ones(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint64_t out = out_buffer(&b);
	uint32_t k = function_begin(&b, "k", true);
	setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 12));
	emit(&b, ISA_H_and_b32, R(1), LANEID, K32(&b, 1));
	setp(&b, ISA_H_setp_eq_b32, P(1), R(1), K32(&b, 1));
	struct isa_insn *bra = branch(&b, P(0), 0, 0);
	emit(&b, ISA_H_vote_sync_ballot_b32, R(0), P(1), ISA_REF_NONE)->d = K32(&b, 0xfffff000);
	struct isa_insn *skip = branch(&b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	bra->target = here(&b);
	emit(&b, ISA_H_activemask, R(2), ISA_REF_NONE, ISA_REF_NONE);
	emit(&b, ISA_H_vote_sync_ballot_b32, R(0), P(1), ISA_REF_NONE)->d = R(2);
	bra->reconv = skip->target = here(&b);
	store_out(&b, out, TID, R(0));
	simple(&b, ISA_H_exit);
	function_end(&b);
	launch(&b, k, 1, 32);
	run_to_end(&b, false);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(&b, out, l), l < 12 ? 0x00000aaa : 0xaaaaa000);
	struct gpu_stats st;
	gpu_get_stats(b.g, &st);
	assert_int_equal(st.warp_insns, 4 + 2 + 2 + 3);
	assert_int_equal(st.sim_insn, 32 * 3 + 12 + 20 * 2 + 12 * 2 + 32 * 3);
	builder_destroy(&b);
}

/* A side that must wait takes an issue, and its lanes count when they execute; so all count once. */
static void counts(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint64_t out = out_buffer(&b);
	uint32_t k = function_begin(&b, "k", true);
	setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 8));
	branch(&b, P(0), here(&b) + 1, ISA_NO_RECONV);
	b.p->insns[here(&b) - 1].target = here(&b) + 1;
	emit(&b, ISA_H_mov_b32, R(0), K32(&b, 1), ISA_REF_NONE);
	syncwarp(&b, K32(&b, FULL));
	store_out(&b, out, TID, R(0));
	simple(&b, ISA_H_exit);
	function_end(&b);
	launch(&b, k, 1, 32);
	run_to_end(&b, false);
	struct gpu_stats st;
	gpu_get_stats(b.g, &st);
	assert_int_equal(st.warp_insns, 2 + 1 + 2 + 3);
	assert_int_equal(st.sim_insn, 32 + 8 + 24 + 32 + 32 * 3);
	builder_destroy(&b);
}

/* Tiles of four, each torn apart in the middle: lanes with different masks wait in front of the same instruction. */
static void tiles(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint64_t out = out_buffer(&b);
	uint32_t k = function_begin(&b, "k", true);
	emit(&b, ISA_H_and_b32, R(0), LANEID, K32(&b, 28));
	emit(&b, ISA_H_shl_b32, R(1), K32(&b, 15), R(0));
	emit(&b, ISA_H_and_b32, R(2), LANEID, K32(&b, 2));
	setp(&b, ISA_H_setp_ne_b32, P(0), R(2), K32(&b, 0));
	emit(&b, ISA_H_mul_lo_s32, R(3), LANEID, LANEID);
	struct isa_insn *bra = branch(&b, P(0), 0, ISA_NO_RECONV);
	emit(&b, ISA_H_add_s32, R(3), R(3), K32(&b, 5000));
	bra->target = here(&b);
	emit(&b, ISA_H_add_s32, R(4), LANEID, K32(&b, 0));
	emit(&b, ISA_H_xor_b32, R(4), R(4), K32(&b, 3));
	shfl(&b, R(5), R(3), R(4), R(1));
	store_out(&b, out, TID, R(5));
	simple(&b, ISA_H_exit);
	function_end(&b);
	launch(&b, k, 1, 32);
	run_to_end(&b, false);
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t o = l ^ 3;
		assert_int_equal(result(&b, out, l), o * o + (o & 2 ? 0 : 5000));
	}
	builder_destroy(&b);
}

/* A predicated __syncwarp: the lanes whose guard is false run on and meet the others at the next one. Two bar.warp.sync are the
 * same place if their masks are. */
static void guarded(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint64_t out = out_buffer(&b);
	uint32_t k = function_begin(&b, "k", true);
	b.f->static_shared = 128;
	emit(&b, ISA_H_mul_lo_s32, R(0), LANEID, K32(&b, 4));
	setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 16));
	syncwarp(&b, K32(&b, FULL))->guard = P(0);
	memory_of_shared(&b, emit(&b, ISA_H_st_shared_b32, ISA_REF_NONE, R(0), LANEID))->guard = NOT(P(0));
	syncwarp(&b, K32(&b, FULL))->guard = NOT(P(0));
	emit(&b, ISA_H_sub_s32, R(0), K32(&b, 124), R(0));
	memory_of_shared(&b, emit(&b, ISA_H_ld_shared_b32, R(1), R(0), ISA_REF_NONE));
	store_out(&b, out, TID, R(1));
	simple(&b, ISA_H_exit);
	function_end(&b);
	launch(&b, k, 1, 32);
	run_to_end(&b, true);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(&b, out, l), l < 16 ? 31 - l : 0);
	builder_destroy(&b);
}

/* ---- exits ---- */

/* Lanes that exit are not waited for, also when others wait already: these find out when the last is gone. */
static void exits(void **state)
{
	(void)state;
	for (int stepping = 0; stepping < 2; stepping++) {
		struct builder b = builder_create(NULL);
		uint64_t out = out_buffer(&b);
		uint32_t k = function_begin(&b, "k", true);
		setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 16));
		setp(&b, ISA_H_setp_eq_b32, P(1), LANEID, K32(&b, 20));
		struct isa_insn *bra = branch(&b, NOT(P(0)), 0, ISA_NO_RECONV);
		emit(&b, ISA_H_vote_sync_ballot_b32, R(0), ISA_PRED_TRUE, ISA_REF_NONE)->d = K32(&b, FULL);
		store_out(&b, out, TID, R(0));
		simple(&b, ISA_H_exit);
		bra->target = here(&b);
		simple(&b, ISA_H_exit)->guard = P(1);
		store_out(&b, out, TID, K32(&b, 7));
		simple(&b, ISA_H_exit);
		function_end(&b);
		launch(&b, k, 1, 30);
		run_to_end(&b, stepping);
		for (uint32_t l = 0; l < 30; l++)
			assert_int_equal(result(&b, out, l), l < 16 ? 0xffff : l == 20 ? 0 : 7);
		builder_destroy(&b);
	}
}

/* ---- nobody can come ---- */

static void two_shuffles(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint32_t k = function_begin(&b, "k", true);
	setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 16));
	struct isa_insn *bra = branch(&b, P(0), 0, 0);
	shfl(&b, R(0), LANEID, K32(&b, 0), K32(&b, FULL)); /* 2: the upper half */
	struct isa_insn *skip = branch(&b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	bra->target = here(&b);
	shfl(&b, R(0), LANEID, K32(&b, 0), K32(&b, FULL)); /* 4: the lower half, which runs first */
	bra->reconv = skip->target = here(&b);
	simple(&b, ISA_H_exit);
	function_end(&b);
	char want[160];
	snprintf(want, sizeof want,
		 "the membermask of lanes 0xffff0000 names lanes 0x0000ffff, which wait elsewhere (pc 0x%x)",
		 4 * ISA_INSN_BYTES);
	expect_fault(&b, k, 0xffff0000, want);
	builder_destroy(&b);
}

static void different_masks(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint32_t k = function_begin(&b, "k", true);
	setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 16));
	syncwarp(&b, K32(&b, FULL))->guard = P(0);
	syncwarp(&b, K32(&b, 0xffff8000))->guard = NOT(P(0));
	simple(&b, ISA_H_exit);
	function_end(&b);
	char want[160];
	snprintf(want, sizeof want,
		 "the membermask of lanes 0xffff0000 names lanes 0x00008000, which wait elsewhere (pc 0x%x)",
		 1 * ISA_INSN_BYTES);
	expect_fault(&b, k, 0xffff0000, want);
	builder_destroy(&b);
}

/* Some wait in a block's barrier, the others for them; whoever comes last is told. */
static void at_a_barrier(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint32_t k[2];
	for (uint32_t n = 0; n < 2; n++) {
		k[n] = function_begin(&b, n ? "l" : "k", true);
		setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 16));
		if (n)
			syncwarp(&b, K32(&b, FULL))->guard = P(0);
		barrier(&b, ISA_H_barrier_sync, 0, 0)->guard = n ? NOT(P(0)) : P(0);
		if (!n)
			syncwarp(&b, K32(&b, FULL))->guard = NOT(P(0));
		simple(&b, ISA_H_exit);
		function_end(&b);
	}
	char want[160];
	snprintf(want, sizeof want,
		 "the membermask of lanes 0xffff0000 names lanes 0x0000ffff, which wait elsewhere (pc 0x%x)",
		 1 * ISA_INSN_BYTES);
	expect_fault(&b, k[0], 0xffff0000, want);
	snprintf(want, sizeof want, "lanes 0x0000ffff of the warp wait for these in a warp-level instruction (pc 0x%x)",
		 5 * ISA_INSN_BYTES);
	expect_fault(&b, k[1], 0xffff0000, want);
	builder_destroy(&b);
}

/* The forms without .sync work on who is there. */
static void old_forms(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	uint64_t out = out_buffer(&b);
	uint32_t k = function_begin(&b, "k", true);
	setp(&b, ISA_H_setp_lt_u32, P(0), LANEID, K32(&b, 4));
	emit(&b, ISA_H_vote_sync_ballot_b32, R(0), ISA_PRED_TRUE, ISA_REF_NONE)->guard = P(0);
	store_out(&b, out, TID, R(0));
	simple(&b, ISA_H_exit);
	function_end(&b);
	launch(&b, k, 1, 32);
	run_to_end(&b, false);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(&b, out, l), l < 4 ? 15 : 0);
	builder_destroy(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(after_loops_of_different_lengths),
		cmocka_unit_test(through_different_calls),
		cmocka_unit_test(producer_and_consumer),
		cmocka_unit_test(only_the_active_ones),
		cmocka_unit_test(counts),
		cmocka_unit_test(tiles),
		cmocka_unit_test(guarded),
		cmocka_unit_test(exits),
		cmocka_unit_test(two_shuffles),
		cmocka_unit_test(different_masks),
		cmocka_unit_test(at_a_barrier),
		cmocka_unit_test(old_forms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
