/* The SIMT stack: divergence, reconvergence, exits, calls. Expected values come from running each lane alone on the host. */
#include "kernel_builder.h"

/* if (lane < 5) r = 100; else r = 200; then r += lane. The group with the highest lane runs last. */
static void if_else_meets_again(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_lt_u32, P(0), LANEID, K32(b, 5));
	struct isa_insn *bra = branch(b, P(0), 0, 0);
	emit(b, ISA_H_mov_b32, R(0), K32(b, 200), ISA_REF_NONE);
	emit(b, ISA_H_mov_clock, R(1), ISA_REF_NONE, ISA_REF_NONE);
	struct isa_insn *skip = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	bra->target = here(b);
	emit(b, ISA_H_mov_b32, R(0), K32(b, 100), ISA_REF_NONE);
	emit(b, ISA_H_mov_clock, R(1), ISA_REF_NONE, ISA_REF_NONE);
	bra->reconv = skip->target = here(b);
	emit(b, ISA_H_activemask, R(2), ISA_REF_NONE, ISA_REF_NONE);
	emit(b, ISA_H_add_s32, R(0), R(0), LANEID);
	store_out(b, TID, R(0));
	store_out_at(b, 64, R(1));
	store_out_at(b, 128, R(2));
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++) {
		assert_int_equal(result(b, l), (l < 5 ? 100 : 200) + l);
		assert_int_equal(result(b, 128 + l), UINT32_MAX);
	}
	assert_true(result(b, 64) < result(b, 64 + 31));
	/* 2 instructions before, 2 and 3 on the sides, the rest together; lanes: 5 and 27 on the sides */
	struct gpu_stats st;
	gpu_get_stats(b->g, &st);
	assert_int_equal(st.warp_insns, 2 + 2 + 3 + 11);
	assert_int_equal(st.sim_insn, 32 + 5 + 5 * 2 + 27 * 3 + 32 * 11);
}

/* do { n++; } while (n < lane): each lane as often as it says, all together afterwards */
static void loop_of_different_lengths(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	uint32_t top = here(b);
	emit(b, ISA_H_add_s32, R(0), R(0), K32(b, 1));
	setp(b, ISA_H_setp_lt_u32, P(0), R(0), LANEID);
	branch(b, P(0), top, here(b) + 1);
	emit(b, ISA_H_activemask, R(1), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, TID, R(0));
	store_out_at(b, 64, R(1));
	kernel_end(b);
	run_kernel(b, k, 1, 40);
	for (uint32_t t = 0; t < 40; t++) {
		assert_int_equal(result(b, t), t % 32 ? t % 32 : 1);
		assert_int_equal(result(b, 64 + t), t < 32 ? UINT32_MAX : 0xff);
	}
}

/* Lanes exit on one side of a branch; the others meet, and the warp ends when the last is gone. */
static void exit_on_one_side(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	emit(b, ISA_H_and_b32, R(0), LANEID, K32(b, 1));
	setp(b, ISA_H_setp_ne_b32, P(0), R(0), K32(b, 0));
	struct isa_insn *bra = branch(b, P(0), 0, ISA_NO_RECONV);
	setp(b, ISA_H_setp_ge_u32, P(1), LANEID, K32(b, 16));
	simple(b, ISA_H_exit)->guard = P(1);
	bra->target = bra->reconv = here(b);
	emit(b, ISA_H_activemask, R(1), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, TID, R(1));
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(b, l), l & 1 || l < 16 ? 0xaaaaffff : 0);
}

static uint32_t table(struct builder *b, const uint32_t *v, uint32_t n)
{
	const uint32_t at = aux_words(b, &n, 1);
	aux_words(b, v, n);
	return at;
}

static void build_switch(struct builder *b, uint32_t modulo)
{
	emit(b, ISA_H_rem_u32, R(0), LANEID, K32(b, modulo));
	struct isa_insn *brx = emit(b, ISA_H_brx_idx, ISA_REF_NONE, R(0), ISA_REF_NONE);
	struct isa_insn *to_end[3];
	uint32_t target[3];
	for (uint32_t c = 0; c < 3; c++) {
		target[c] = here(b);
		emit(b, ISA_H_mov_b32, R(1), K32(b, 10 * (c + 1)), ISA_REF_NONE);
		to_end[c] = branch(b, ISA_PRED_TRUE, 0, ISA_NO_RECONV);
	}
	for (uint32_t c = 0; c < 3; c++)
		to_end[c]->target = here(b);
	brx->aux = table(b, target, 3);
	brx->reconv = here(b);
	store_out(b, TID, R(1));
	simple(b, ISA_H_exit);
}

static void branch_table(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	build_switch(b, 3);
	function_end(b);
	uint32_t bad = function_begin(b, "bad", true);
	build_switch(b, 5);
	function_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++)
		assert_int_equal(result(b, l), 10 * (l % 3 + 1));
	uint32_t outside = 0;
	for (uint32_t l = 0; l < 32; l++)
		outside |= l % 5 >= 3 ? 1u << l : 0;
	assert_int_equal(run_into_fault(b, bad, 32, EXEC_FAULT_INVALID_PC)->lanes, outside);
}

/* ---- calls ---- */

/* fact(n) = n < 2 ? 1 : n * fact(n - 1), with an early ret of the lanes that are done */
static uint32_t build_fact(struct builder *b)
{
	uint32_t f = unary_begin(b, "fact");
	setp(b, ISA_H_setp_lt_u32, P(0), R(1), K32(b, 2));
	emit(b, ISA_H_mov_b32, R(0), K32(b, 1), ISA_REF_NONE)->guard = P(0);
	simple(b, ISA_H_ret)->guard = P(0);
	emit(b, ISA_H_sub_s32, R(2), R(1), K32(b, 1));
	call_unary(b, f, R(3), R(2));
	emit(b, ISA_H_mul_lo_s32, R(0), R(3), R(1));
	simple(b, ISA_H_ret);
	function_end(b);
	return f;
}

static void recursion(void **state)
{
	struct builder *b = *state;
	uint32_t fact = build_fact(b);
	uint32_t k = kernel_begin(b);
	emit(b, ISA_H_rem_u32, R(4), LANEID, K32(b, 11));
	setp(b, ISA_H_setp_ne_b32, P(0), LANEID, K32(b, 7));
	emit(b, ISA_H_mov_b32, R(5), K32(b, 77), ISA_REF_NONE);
	call_unary(b, fact, R(5), R(4))->guard = P(0);
	emit(b, ISA_H_activemask, R(6), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, TID, R(5));
	store_out_at(b, 64, R(6));
	simple(b, ISA_H_ret);
	function_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t want = 1;
		for (uint32_t n = l % 11; n > 1; n--)
			want *= n;
		assert_int_equal(result(b, l), l == 7 ? 77 : want);
		assert_int_equal(result(b, 64 + l), UINT32_MAX);
	}
}

static void endless_recursion_overflows(void **state)
{
	struct builder *b = *state;
	uint32_t f = unary_begin(b, "deep");
	call_unary(b, f, R(2), R(1));
	simple(b, ISA_H_ret);
	function_end(b);
	uint32_t k = kernel_begin(b);
	call_unary(b, f, R(5), R(4));
	kernel_end(b);
	assert_int_equal(run_into_fault(b, k, 64, EXEC_FAULT_STACK_OVERFLOW)->lanes, UINT32_MAX);
	const struct exec *x = gpu_exec(b->g);
	assert_int_equal(x->pc, b->p->functions[f]->first);
	/* everything can still be looked at: the stack holds an entry per activation */
	uint32_t slot, warp;
	assert_true(gpu_next_warp(b->g, &slot, &warp));
	const struct exec_warp *w = &gpu_cta(b->g, slot)->warp[warp];
	assert_int_equal(exec_simt_top(x, w)->call_depth + 1, w->n_simt);
	assert_int_equal(exec_simt_top(x, w)->pc, x->pc);
	gpu_kill(b->g);
	assert_int_equal(run_quietly(b), GPU_EVENT_IDLE);
}

/* ret = (*address)(arg) */
static struct isa_insn *call_pointer(struct builder *b, uint32_t ret, uint32_t address, uint32_t arg)
{
	struct isa_insn *i = emit(b, ISA_H_call_indirect, ISA_REF_NONE, address, ISA_REF_NONE);
	i->a_bytes = 8;
	i->aux = aux_words(b, UNARY_ARGS(ret, arg), UNARY_WORDS);
	return i;
}

/* Functions f(n) = n + 1000 and g(n) = n + 2000 through a pointer that differs from lane to lane. */
static void indirect_calls(void **state)
{
	struct builder *b = *state;
	uint32_t f[2];
	for (uint32_t k = 0; k < 2; k++) {
		f[k] = unary_begin(b, k ? "g" : "f");
		emit(b, ISA_H_add_s32, R(0), R(1), K32(b, 1000 * (k + 1)));
		simple(b, ISA_H_ret);
		function_end(b);
	}
	uint32_t k = kernel_begin(b);
	uint64_t address[2];
	for (uint32_t n = 0; n < 2; n++)
		address[n] = EXEC_CODE_WINDOW + ISA_INSN_BYTES * b->p->functions[f[n]]->first;
	emit(b, ISA_H_rem_u32, R(0), LANEID, K32(b, 3));
	setp(b, ISA_H_setp_eq_b32, P(0), R(0), K32(b, 0));
	emit(b, ISA_H_selp_b64, R(6), K64(b, address[0]), K64(b, address[1]))->c = P(0);
	setp(b, ISA_H_setp_ne_b32, P(1), LANEID, K32(b, 30));
	call_pointer(b, R(7), R(6), LANEID)->guard = P(1);
	emit(b, ISA_H_activemask, R(8), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, TID, R(7));
	store_out_at(b, 64, R(8));
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t l = 0; l < 32; l++) {
		assert_int_equal(result(b, l), l == 30 ? 0 : l + (l % 3 ? 2000 : 1000));
		assert_int_equal(result(b, 64 + l), UINT32_MAX);
	}
	/* an address inside a function is not one of a function */
	uint32_t bad = function_begin(b, "bad", true);
	emit(b, ISA_H_mov_b64, R(6), K64(b, address[1] + 8), ISA_REF_NONE);
	call_pointer(b, R(7), R(6), LANEID);
	kernel_end(b);
	run_into_fault(b, bad, 32, EXEC_FAULT_INVALID_PC);
}

/* A divergent loop inside a function in which lanes return at different times. */
static void returns_from_a_loop(void **state)
{
	struct builder *b = *state;
	/* f(n): for (r = 0;; r += 3) if (r >= n) return r; with the ret on a side path */
	uint32_t f = unary_begin(b, "f");
	uint32_t top = here(b);
	setp(b, ISA_H_setp_ge_u32, P(0), R(0), R(1));
	struct isa_insn *bra = branch(b, P(0), 0, ISA_NO_RECONV);
	emit(b, ISA_H_add_s32, R(0), R(0), K32(b, 3));
	branch(b, ISA_PRED_TRUE, top, ISA_NO_RECONV);
	bra->target = here(b);
	simple(b, ISA_H_ret);
	function_end(b);
	uint32_t k = kernel_begin(b);
	call_unary(b, f, R(5), LANEID);
	emit(b, ISA_H_activemask, R(6), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, TID, R(5));
	store_out_at(b, 64, R(6));
	kernel_end(b);
	run_kernel(b, k, 2, 32);
	for (uint32_t l = 0; l < 32; l++) {
		assert_int_equal(result(b, l), (l + 2) / 3 * 3);
		assert_int_equal(result(b, 64 + l), UINT32_MAX);
	}
}

/* A word of the activation's frame to or from %r. */
static void frame_word(struct builder *b, bool store, uint32_t r, uint32_t offset)
{
	struct isa_insn *i = store ? emit(b, ISA_H_st_local_b32, ISA_REF_NONE, ISA_REF_NONE, r)
				   : emit(b, ISA_H_ld_local_b32, r, ISA_REF_NONE, ISA_REF_NONE);
	i->space = ISA_SPACE_LOCAL;
	i->flags = ISA_F_ADDR_SP;
	i->type = ISA_B32;
	i->imm = offset;
}

/* Returns its argument's six words in reverse. */
static uint32_t build_reverse(struct builder *b)
{
	static const struct isa_variable params[2] = {
		{.name = "ret", .type = ISA_B8, .bytes = 24, .address = 0, .flags = ISA_VAR_RETURN},
		{.name = "arg", .type = ISA_B8, .bytes = 24, .address = 24}};
	uint32_t f = function_begin(b, "reverse", false);
	b->f->params = params;
	b->f->n_params = 2;
	b->f->local_bytes = 48;
	for (uint32_t w = 0; w < 6; w++) {
		frame_word(b, false, R(0), 24 + 4 * (5 - w));
		frame_word(b, true, R(0), 4 * w);
	}
	simple(b, ISA_H_ret);
	function_end(b);
	return f;
}

/* Arguments through the activations' local frames, as nvcc writes them. */
static void arguments_in_memory(void **state)
{
	struct builder *b = *state;
	uint32_t f = build_reverse(b);
	uint32_t k = kernel_begin(b);
	b->f->local_bytes = 100;
	for (unsigned w = 0; w < 6; w++) {
		emit(b, ISA_H_add_s32, R(w), LANEID, K32(b, 100 * w));
		frame_word(b, true, R(w), 40 + 4 * w);
	}
	call(b, f, (const uint32_t[]){2, 2, 72, 24, ISA_B8, 2, 40, 24, ISA_B8}, 9);
	for (unsigned w = 0; w < 6; w++) {
		frame_word(b, false, R(0), 72 + 4 * w);
		emit(b, ISA_H_mad_lo_s32, R(3), K32(b, 32), K32(b, w))->c = TID;
		store_out(b, R(3), R(0));
	}
	kernel_end(b);
	run_kernel(b, k, 1, 32);
	for (uint32_t w = 0; w < 6; w++)
		for (uint32_t l = 0; l < 32; l++)
			assert_int_equal(result(b, 32 * w + l), l + 100 * (5 - w));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BUILDS(if_else_meets_again), BUILDS(loop_of_different_lengths),
		BUILDS(exit_on_one_side),    BUILDS(branch_table),
		BUILDS(recursion),	     BUILDS(endless_recursion_overflows),
		BUILDS(indirect_calls),	     BUILDS(returns_from_a_loop),
		BUILDS(arguments_in_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
