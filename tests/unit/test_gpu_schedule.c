/* The functional schedule (docs/execution.md "Functional schedule"), requests, limits, deadlocks. */
#include "kernel_builder.h"

/* Each thread keeps the cycle of its first instruction, runs a loop of n rounds (2 instructions each, 3 on the way), and keeps the cycle
 * at the end: out[t] = first, out[1024 + t] = last. */
static uint32_t build_loop(struct builder *b, uint32_t rounds)
{
	uint32_t k = function_begin(b, "loop", true);
	emit(b, ISA_H_mov_clock, R(0), ISA_REF_NONE, ISA_REF_NONE);
	uint32_t top = here(b);
	emit(b, ISA_H_add_s32, R(1), R(1), K32(b, 1));
	setp(b, ISA_H_setp_lt_u32, P(0), R(1), K32(b, rounds));
	branch(b, P(0), top, here(b) + 1);
	emit(b, ISA_H_mov_clock, R(2), ISA_REF_NONE, ISA_REF_NONE);
	emit(b, ISA_H_mov_b32, R(4), ISA_SPECIAL_REF(NTID, 0), ISA_REF_NONE);
	emit(b, ISA_H_mad_lo_s32, R(3), CTAID, R(4))->c = TID;
	store_out(b, R(3), R(0));
	emit(b, ISA_H_add_s32, R(3), R(3), K32(b, 1024));
	store_out(b, R(3), R(2));
	kernel_end(b);
	return k;
}
#define LOOP_TAIL 9u /* instructions behind the loop, the clock's included */

/* Blocks one after the other; within a block warps in index order, 4096 instructions at a time. */
static void order_of_blocks_and_warps(void **state)
{
	struct builder *b = *state;
	uint32_t k = build_loop(b, 2000);
	run_kernel(b, k, 3, 64);
	const uint32_t per_warp = 1 + 3 * 2000 + LOOP_TAIL;
	for (uint32_t block = 0; block < 3; block++) {
		uint32_t start = block * 2 * per_warp;
		/* warp 0: 4096, warp 1: 4096, then the rest of each */
		uint32_t at_end = 1 + 3 * 2000;
		assert_int_equal(result(b, block * 64), start);
		assert_int_equal(result(b, block * 64 + 32), start + 4096);
		assert_int_equal(result(b, 1024 + block * 64), start + at_end + 4096);
		assert_int_equal(result(b, 1024 + block * 64 + 32), start + per_warp + at_end);
	}
	assert_int_equal(gpu_cycle(b->g), 3 * 2 * per_warp);
	assert_int_equal(run_quietly(b), GPU_EVENT_IDLE);
}

/* After a barrier opens the block goes on with warp 0, whoever arrived last. */
static void from_the_first_warp_after_a_barrier(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	emit(b, ISA_H_mov_clock, R(0), ISA_REF_NONE, ISA_REF_NONE);
	barrier(b, ISA_H_bar_sync, 0, 0);
	emit(b, ISA_H_mov_clock, R(1), ISA_REF_NONE, ISA_REF_NONE);
	store_out(b, TID, R(0));
	store_out_at(b, 1024, R(1));
	kernel_end(b);
	run_kernel(b, k, 1, 96);
	for (uint32_t w = 0; w < 3; w++) {
		assert_int_equal(result(b, 32 * w), 2 * w);
		assert_int_equal(result(b, 1024 + 32 * w), 6 + 7 * w);
	}
}

/* One step at a time, in odd portions, and at once: same state at the end, same cycle for everything. */
static void cutting_a_run_changes_nothing(void **state)
{
	(void)state;
	static const uint64_t portions[] = {UINT64_MAX, 1, 7, 4095, 4096, 4097};
	uint64_t digest = 0;
	for (unsigned n = 0; n < sizeof portions / sizeof portions[0]; n++) {
		struct builder b = builder_create(NULL);
		uint32_t k = build_loop(&b, 1700);
		launch(&b, k, 2, 96);
		struct gpu_request r = {.max_cycles = portions[n]};
		struct gpu_event ev;
		do {
			gpu_run(b.g, &r, &ev);
			text_free(&ev.text);
		} while (ev.kind == GPU_EVENT_CYCLES);
		assert_int_equal(ev.kind, GPU_EVENT_KERNEL_DONE);
		uint64_t d = arena_digest(gpu_arena(b.g));
		if (!n)
			digest = d;
		assert_int_equal(d, digest);
		builder_destroy(&b);
	}
}

static void stepping_a_warp(void **state)
{
	struct builder *b = *state;
	uint32_t k = build_loop(b, 10);
	launch(b, k, 2, 64);
	/* the first block's second warp: the first one runs to its end first */
	struct gpu_request r = {.max_cycles = UINT64_MAX, .has_warp = true, .warp_index = 1, .warp_insns = 3};
	struct gpu_event ev;
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_STEPPED);
	assert_int_equal(ev.warp, 1);
	assert_int_equal(ev.pc, b->p->functions[k]->first + 3);
	const uint32_t per_warp = 1 + 3 * 10 + LOOP_TAIL;
	assert_int_equal(gpu_cycle(b->g), per_warp + 3);
	/* one more moves nobody else */
	r.warp_insns = 1;
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_STEPPED);
	assert_int_equal(gpu_cycle(b->g), per_warp + 4);
	/* past its end: it stops where the warp does */
	r.warp_insns = 1000;
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_STEPPED);
	assert_int_equal(gpu_cycle(b->g), 2 * per_warp);
	/* the warp is over: nothing moves */
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_STEPPED);
	assert_int_equal(gpu_cycle(b->g), 2 * per_warp);
}

static void marks_stop_in_front(void **state)
{
	struct builder *b = *state;
	uint32_t k = build_loop(b, 3);
	launch(b, k, 1, 64);
	uint32_t at = b->p->functions[k]->first + 1;
	gpu_marks(b->g)[at] = 1;
	struct gpu_request r = {.max_cycles = UINT64_MAX};
	struct gpu_event ev;
	for (unsigned n = 0; n < 6; n++) {
		gpu_run(b->g, &r, &ev);
		assert_int_equal(ev.kind, GPU_EVENT_MARK);
		assert_int_equal(ev.pc, at);
		assert_int_equal(ev.warp, n / 3);
		assert_int_equal(gpu_cycle(b->g), (n < 3 ? 0 : 10 + LOOP_TAIL) + 1 + 3 * (n % 3));
		/* without pass nothing moves */
		r.pass = false;
		gpu_run(b->g, &r, &ev);
		assert_int_equal(ev.kind, GPU_EVENT_MARK);
		r.pass = true;
	}
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_KERNEL_DONE);
}

static void launches_one_after_the_other(void **state)
{
	struct builder *b = *state;
	uint32_t k = build_loop(b, 1);
	assert_int_equal(launch(b, k, 2, 40), 0);
	assert_int_equal(launch(b, k, 1, 32), 1);
	struct gpu_launch_info info;
	assert_true(gpu_launch_get(b->g, 1, &info));
	assert_int_equal(info.launch.first_uid, 81);
	assert_int_equal(info.state, GPU_LAUNCH_QUEUED);
	struct gpu_request r = {.max_cycles = UINT64_MAX, .stop_launch = true};
	static const struct {
		enum gpu_event_kind kind;
		uint32_t launch;
	} want[] = {{GPU_EVENT_LAUNCHED, 0},
		    {GPU_EVENT_KERNEL_DONE, 0},
		    {GPU_EVENT_LAUNCHED, 1},
		    {GPU_EVENT_KERNEL_DONE, 1},
		    {GPU_EVENT_IDLE, 2}};
	for (unsigned n = 0; n < 5; n++) {
		struct gpu_event ev;
		gpu_run(b->g, &r, &ev);
		assert_int_equal(ev.kind, want[n].kind);
		if (n < 4)
			assert_int_equal(ev.launch, want[n].launch);
		if (!n) {
			uint32_t slot, warp;
			assert_true(gpu_next_warp(b->g, &slot, &warp));
			assert_int_equal(warp, 0);
			bool done;
			assert_int_equal(gpu_find_cta(b->g, 0, 0, &done), slot);
			assert_int_equal(gpu_find_cta(b->g, 0, 1, &done), -1);
			assert_false(done);
			assert_int_equal(gpu_cycle(b->g), 0);
		}
	}
	bool done;
	assert_int_equal(gpu_find_cta(b->g, 0, 1, &done), -1);
	assert_true(done);
}

static void refused_launches(void **state)
{
	struct builder *b = *state;
	uint32_t k = build_loop(b, 1);
	gpu_program_changed(b->g);
	static const struct {
		uint32_t grid[3], block[3], shared, params;
		const char *why;
	} bad[] = {
		{{0, 1, 1}, {32, 1, 1}, 0, 0, "grid (0,1,1): x must be 1 to"},
		{{1, 1, 1}, {32, 0, 1}, 0, 0, "block (32,0,1): y must be 1 to"},
		{{1, 1, 1}, {1024, 2, 1}, 0, 0, "2048 threads is too large"},
		{{1, 65536, 1}, {1, 1, 1}, 0, 0, "y must be 1 to 65535"},
		{{INT32_MAX, 65535, 65535}, {1024, 1, 1}, 0, 0, "more threads than can be numbered"},
		{{1, 1, 1}, {1, 1, 65}, 0, 0, "z must be 1 to 64"},
		{{1, 1, 1}, {1, 1, 1}, 1 << 30, 0, "bytes of shared memory"},
		{{1, 1, 1}, {1, 1, 1}, UINT32_MAX, 0, "bytes of shared memory"},
		{{1, 1, 1}, {1, 1, 1}, 0, 100, "parameters"},
	};
	for (unsigned n = 0; n < sizeof bad / sizeof bad[0]; n++) {
		struct text why = {0};
		static const char zeros[128];
		struct gpu_launch_spec s = {
			.function = k, .shared_dynamic = bad[n].shared, .params = zeros, .n_params = bad[n].params};
		memcpy(s.grid, bad[n].grid, sizeof s.grid);
		memcpy(s.block, bad[n].block, sizeof s.block);
		assert_int_equal(gpu_launch(b->g, &s, &why), -1);
		assert_non_null(strstr(text_str(&why), bad[n].why));
		text_free(&why);
	}
	b->p->functions[k]->maxntid[0] = 8;
	b->p->functions[k]->maxntid[1] = 8;
	assert_int_equal(launch(b, k, 1, 65), -1);
	assert_int_equal(launch(b, k, 1, 64), 0);
}

static volatile sig_atomic_t interrupted;

/* `LOOP: bra LOOP` of all lanes: nobody could ever free it, so it is found out. */
static void endless_loop_is_found(void **state)
{
	struct builder *b = *state;
	uint32_t k = kernel_begin(b);
	uint32_t top = here(b);
	branch(b, ISA_PRED_TRUE, top, ISA_NO_RECONV);
	function_end(b);
	/* a counting loop never repeats itself: that one only stops when told to */
	uint32_t counting = function_begin(b, "counting", true);
	top = here(b);
	emit(b, ISA_H_add_s32, R(0), R(0), K32(b, 1));
	branch(b, ISA_PRED_TRUE, top, ISA_NO_RECONV);
	function_end(b);
	launch(b, k, 1, 64);
	struct gpu_event ev;
	assert_int_equal(run_to_event(b, &ev), GPU_EVENT_DEADLOCK);
	assert_non_null(strstr(text_str(&ev.text), "warp 1: lanes 0xffffffff spin at pc 0x0"));
	text_free(&ev.text);
	gpu_kill(b->g);
	launch(b, counting, 1, 64);
	struct gpu_request r = {.max_cycles = 3000000, .interrupt = &interrupted};
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_CYCLES);
	interrupted = 1;
	uint64_t before = gpu_cycle(b->g);
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_INTERRUPT);
	assert_int_equal(gpu_cycle(b->g), before);
	r = (struct gpu_request){.max_cycles = 10, .due = &interrupted};
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_DUE);
	assert_int_equal(gpu_cycle(b->g), before);
	interrupted = 0;
	gpu_run(b->g, &r, &ev);
	assert_int_equal(ev.kind, GPU_EVENT_CYCLES);
	assert_int_equal(gpu_cycle(b->g), before + 10);
}

/* while (atomicCAS(lock, 0, 1)) ; then the store that frees it behind the loop: lanes of one warp wait for one another */
static void lock_step_spin_lock(void **state)
{
	struct builder *b = *state;
	uint64_t lock = gpu_alloc(b->g, 4, "lock");
	uint32_t k = kernel_begin(b);
	uint32_t top = here(b);
	struct isa_insn *i = emit(b, ISA_H_atom, R(0), K64(b, lock), K32(b, 0));
	i->c = K32(b, 1);
	i->a_bytes = 8;
	i->atom = ISA_ATOM_CAS;
	i->type = ISA_B32;
	i->space = ISA_SPACE_GLOBAL;
	setp(b, ISA_H_setp_ne_b32, P(0), R(0), K32(b, 0));
	branch(b, P(0), top, here(b) + 1);
	st_global(b, K64(b, lock), K32(b, 0));
	kernel_end(b);
	launch(b, k, 1, 64);
	struct gpu_event ev;
	assert_int_equal(run_to_event(b, &ev), GPU_EVENT_DEADLOCK);
	const char *text = text_str(&ev.text);
	assert_non_null(strstr(text, "warp 0: lanes 0xfffffffe spin at pc"));
	assert_non_null(strstr(text, "lanes 0x00000001 wait for them at pc 0x18"));
	assert_non_null(strstr(text, "warp 1: lanes 0xffffffff spin at pc"));
	text_free(&ev.text);
	/* whoever frees the lock by hand lets one lane out of it, and the next one is caught */
	uint32_t zero = 0, value;
	assert_true(gpu_write(b->g, lock, &zero, 4));
	assert_int_equal(run_quietly(b), GPU_EVENT_DEADLOCK);
	assert_true(gpu_read(b->g, lock, &value, 4));
	assert_int_equal(value, 1);
}

/* Block 0 waits for a flag that block 1 sets: it has to give way, and go on afterwards. */
static void a_spinning_block_gives_way(void **state)
{
	struct builder *b = *state;
	uint64_t flag = gpu_alloc(b->g, 4, "flag");
	uint32_t k = kernel_begin(b);
	setp(b, ISA_H_setp_eq_b32, P(0), CTAID, K32(b, 0));
	struct isa_insn *setter = branch(b, NOT(P(0)), 0, ISA_NO_RECONV);
	uint32_t top = here(b);
	ld_global(b, R(0), K64(b, flag));
	setp(b, ISA_H_setp_eq_b32, P(1), R(0), K32(b, 0));
	branch(b, P(1), top, here(b) + 1);
	store_out(b, TID, R(0));
	simple(b, ISA_H_exit);
	setter->target = here(b);
	st_global(b, K64(b, flag), K32(b, 42));
	kernel_end(b);
	run_kernel(b, k, 2, 96);
	for (uint32_t t = 0; t < 96; t++)
		assert_int_equal(result(b, t), 42);
	/* alone it waits for ever */
	uint32_t zero = 0;
	gpu_write(b->g, flag, &zero, 4);
	launch(b, k, 1, 96);
	assert_int_equal(run_quietly(b), GPU_EVENT_DEADLOCK);
}

static void limit_on_instructions(void **state)
{
	(void)state;
	struct config *cfg = config_create();
	struct diag_list diags = {0};
	assert_true(config_set_text(cfg, "-gpgpu_max_insn 10000", &diags));
	assert_true(config_finish(cfg, &diags));
	struct builder b = builder_create(cfg);
	uint32_t k = build_loop(&b, 100000);
	launch(&b, k, 1, 32);
	struct gpu_event ev;
	assert_int_equal(run_to_event(&b, &ev), GPU_EVENT_LIMIT);
	assert_string_equal(text_str(&ev.text), "-gpgpu_max_insn 10000");
	text_free(&ev.text);
	struct gpu_stats st;
	gpu_get_stats(b.g, &st);
	/* the first instruction with which the limit is met: 313 * 32 */
	assert_int_equal(st.sim_insn, 10016);
	assert_int_equal(run_quietly(&b), GPU_EVENT_LIMIT);
	builder_destroy(&b);
	config_free(cfg);
	diag_list_free(&diags);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BUILDS(order_of_blocks_and_warps),
		BUILDS(from_the_first_warp_after_a_barrier),
		cmocka_unit_test(cutting_a_run_changes_nothing),
		BUILDS(stepping_a_warp),
		BUILDS(marks_stop_in_front),
		BUILDS(launches_one_after_the_other),
		BUILDS(refused_launches),
		BUILDS(endless_loop_is_found),
		BUILDS(lock_step_spin_lock),
		BUILDS(a_spinning_block_gives_way),
		cmocka_unit_test(limit_on_instructions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
