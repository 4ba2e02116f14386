/* Starting blocks: special registers, registers and memory at the start, resident blocks, stack of the threads. */
#include "kernel_builder.h"

#include "exec/heap.h"

static void copy_special(struct builder *b, uint32_t index, uint32_t slot, uint32_t ref)
{
	emit(b, ISA_H_add_s32, R(3), index, K32(b, 1024 * slot));
	store_out(b, R(3), ref);
}

/* %tid, %ctaid and so on of a three-dimensional launch, by the definitions of the ISA's special register pages. */
static void special_registers(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	/* a number of its own for each thread: ((cz * gy + cy) * gx + cx) * 30 + (z * 2 + y) * 5 + x */
	static const uint32_t grid[3] = {3, 2, 2}, block[3] = {5, 2, 3};
	emit(b, ISA_H_mad_lo_s32, R(0), ISA_SPECIAL_REF(CTAID, 2), ISA_SPECIAL_REF(NCTAID, 1))->c =
		ISA_SPECIAL_REF(CTAID, 1);
	emit(b, ISA_H_mad_lo_s32, R(0), R(0), ISA_SPECIAL_REF(NCTAID, 0))->c = ISA_SPECIAL_REF(CTAID, 0);
	emit(b, ISA_H_mad_lo_s32, R(1), ISA_SPECIAL_REF(TID, 2), ISA_SPECIAL_REF(NTID, 1))->c = ISA_SPECIAL_REF(TID, 1);
	emit(b, ISA_H_mad_lo_s32, R(1), R(1), ISA_SPECIAL_REF(NTID, 0))->c = ISA_SPECIAL_REF(TID, 0);
	emit(b, ISA_H_mad_lo_s32, R(2), R(0), K32(b, 30))->c = R(1);
	copy_special(b, R(2), 0, R(2));
	copy_special(b, R(2), 1, LANEID);
	copy_special(b, R(2), 2, WARPID);
	copy_special(b, R(2), 3, ISA_SPECIAL_REF(LANEMASK_LT, 0));
	copy_special(b, R(2), 4, ISA_SPECIAL_REF(LANEMASK_GE, 0));
	copy_special(b, R(2), 5, ISA_SPECIAL_REF(NCTAID, 2));
	copy_special(b, R(2), 6, ISA_SPECIAL_REF(SMID, 0));
	copy_special(b, R(2), 7, ISA_SPECIAL_REF(DYN_SMEM, 0));
	copy_special(b, R(2), 8, ISA_SPECIAL_REF(LANEMASK_LE, 0));
	copy_special(b, R(2), 9, ISA_SPECIAL_REF(LANEMASK_GT, 0));
	kernel_end(b);
	gpu_program_changed(b->g);
	struct text why = {0};
	struct gpu_launch_spec s = {.function = k, .shared_dynamic = 48};
	memcpy(s.grid, grid, sizeof grid);
	memcpy(s.block, block, sizeof block);
	assert_int_equal(gpu_launch(b->g, &s, &why), 0);
	assert_int_equal(run_quietly(b), GPU_EVENT_KERNEL_DONE);
	for (uint32_t n = 0; n < 12 * 30; n++) {
		uint32_t lane = n % 30;
		assert_int_equal(result(b, n), n);
		assert_int_equal(result(b, 1024 + n), lane);
		assert_int_equal(result(b, 2048 + n), 0);
		uint32_t below = 0;
		for (uint32_t l = 0; l < lane; l++)
			below |= 1u << l;
		assert_int_equal(result(b, 3072 + n), below);
		assert_int_equal(result(b, 4096 + n), ~below);
		assert_int_equal(result(b, 5120 + n), 2);
		/* fifteen cores, blocks in turn */
		assert_int_equal(result(b, 6144 + n), n / 30 % 15);
		assert_int_equal(result(b, 7168 + n), 48);
		assert_int_equal(result(b, 8192 + n), below | 1u << lane);
		assert_int_equal(result(b, 9216 + n), ~(below | 1u << lane));
	}
}

/* Each block leaves something in its registers and its shared memory; the next one finds zeros. */
static void blocks_start_clean(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 1024;
	emit(b, ISA_H_mul_lo_s32, R(1), TID, K32(b, 4));
	ld_shared(b, R(2), R(1));
	emit(b, ISA_H_or_b32, R(0), R(0), R(2));
	emit(b, ISA_H_selp_b32, R(2), K32(b, 1), K32(b, 0))->c = P(3);
	emit(b, ISA_H_or_b32, R(0), R(0), R(2));
	emit(b, ISA_H_mad_lo_s32, R(3), CTAID, K32(b, 64))->c = TID;
	store_out(b, R(3), R(0));
	emit(b, ISA_H_mov_b32, R(0), K32(b, 0xdead), ISA_REF_NONE);
	setp(b, ISA_H_setp_eq_b32, P(3), R(0), R(0));
	st_shared(b, R(1), R(0));
	kernel_end(b);
	uint32_t ones = UINT32_MAX;
	for (uint32_t n = 0; n < 640; n++)
		gpu_write(b->g, b->out + 4 * n, &ones, 4);
	run_kernel(b, k, 10, 64);
	for (uint32_t n = 0; n < 640; n++)
		assert_int_equal(result(b, n), 0);
}

/* When all is over nothing is held: frames, stacks, shared and local memory, parameters. */
static void everything_is_given_back(void **state)
{
	struct builder *b = *state;
	uint32_t f = function_begin(b, "f", false);
	b->f->local_bytes = 64;
	simple(b, ISA_H_ret);
	function_end(b);
	uint32_t k = kernel_begin(b);
	b->f->static_shared = 100;
	call_plain(b, f);
	barrier(b, ISA_H_bar_sync, 0, 0);
	kernel_end(b);
	const struct exec *x = gpu_exec(b->g);
	const int sections[] = {x->sec_frame, x->sec_simt, x->sec_shared, x->sec_local, x->sec_param};
	for (int round = 0; round < 2; round++) {
		launch(b, k, 5, 100);
		if (round) { /* in the middle of a block */
			struct gpu_request r = {.max_cycles = 9};
			struct gpu_event ev;
			gpu_run(b->g, &r, &ev);
			assert_int_equal(ev.kind, GPU_EVENT_CYCLES);
			assert_false(heap_is_valid(gpu_arena(b->g), x->sec_frame, &(struct heap_blocks){0}));
			gpu_kill(b->g);
		} else {
			assert_int_equal(run_quietly(b), GPU_EVENT_KERNEL_DONE);
		}
		for (unsigned n = 0; n < 5; n++)
			assert_true(heap_is_valid(gpu_arena(b->g), sections[n], &(struct heap_blocks){0}));
	}
}

/* alloca hands out stack upwards, aligned; stacksave and stackrestore take it back; calls begin above it. */
static void stack_of_a_thread(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	b->f->local_bytes = 40;
	emit(b, ISA_H_stacksave, R(4), ISA_REF_NONE, ISA_REF_NONE);
	emit(b, ISA_H_alloca, R(0), K32(b, 10), ISA_REF_NONE);
	emit(b, ISA_H_alloca, R(1), K32(b, 4), ISA_REF_NONE)->imm = 32;
	emit(b, ISA_H_stackrestore, ISA_REF_NONE, R(4), ISA_REF_NONE);
	emit(b, ISA_H_alloca, R(2), LANEID, ISA_REF_NONE);
	copy_special(b, TID, 0, R(0));
	copy_special(b, TID, 1, R(1));
	copy_special(b, TID, 2, R(2));
	copy_special(b, TID, 3, R(4));
	emit(b, ISA_H_alloca, R(3), K32(b, 1 << 30), ISA_REF_NONE);
	kernel_end(b);
	run_into_fault(b, k, 32, EXEC_FAULT_STACK_OVERFLOW);
	uint32_t top = result(b, 3072), first = result(b, 0), second = result(b, 1024);
	assert_true(top >= 40);
	assert_true(first >= top && first % 8 == 0);
	assert_true(second >= first + 10 && second % 32 == 0);
	assert_int_equal(result(b, 2048), first);
}

static void blocks_of_memory(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a);
	int s = arena_add(&a, "test", ARENA_HOT, 1 << 20);
	heap_init(&a, s);
	uint64_t at[64];
	for (unsigned n = 0; n < 64; n++) {
		at[n] = heap_alloc(&a, s, 1 + 97 * n);
		assert_true(at[n] && at[n] % 64 == 0);
		for (unsigned o = 0; o < n; o++)
			assert_true(at[o] + 1 + 97 * o <= at[n]);
	}
	/* what was given back last comes first */
	heap_free(&a, s, at[10], 1 + 97 * 10);
	heap_free(&a, s, at[11], 1 + 97 * 10);
	assert_int_equal(heap_alloc(&a, s, 1 + 97 * 10), at[11]);
	assert_int_equal(heap_alloc(&a, s, 1 + 97 * 10), at[10]);
	/* nothing of the lists is left in them: a thread could read it as its local memory */
	assert_int_equal(*(uint64_t *)arena_at(&a, s, at[11]), 0);
	assert_int_equal(heap_alloc(&a, s, 2 << 20), 0);
	uint64_t n = 0;
	while (heap_alloc(&a, s, 1000))
		n++;
	assert_true(n > 100 && n < 1024);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BUILDS(special_registers), BUILDS(blocks_start_clean),	       BUILDS(everything_is_given_back),
		BUILDS(stack_of_a_thread), cmocka_unit_test(blocks_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
