/* Effects under way: the queue itself, and atomics of the performance model that are in it while the arena is marked and goes back. */
#include "mem_machine.h"

#include "base/arena_marks.h"
#include "exec/pending.h"
#include "exec/valid.h"
#include "gpu/device/internal.h"
#include "performance_fixture.h"
#include "timing/timing_valid.h"

#define GLOBAL_AT UINT64_C(0x80000000)

/* ---- the queue ---- */

static struct machine *start(void)
{
	struct machine *m = machine_create(NULL);
	assert_non_null(m);
	machine_allocate(m, GLOBAL_AT, 4096);
	exec_set_needs(&m->x, EXEC_PART_MODE, EXEC_NEED_DEFER);
	for (unsigned l = 0; l < LANES; l++) {
		((uint64_t *)machine_row(m, 1))[l] = GLOBAL_AT + 4 * l;
		((uint32_t *)machine_row(m, 2))[l] = 100 + l;
	}
	return m;
}

static uint32_t *memory(struct machine *m) { return (uint32_t *)(void *)(m->x.global + GLOBAL_AT); }

static struct isa_insn atom_add(void)
{
	struct isa_insn i = machine_insn(machine_handler("atom_global_add_u32", "atom"));
	i.opcode = 0;
	i.space = ISA_SPACE_GLOBAL;
	i.type = ISA_U32;
	i.atom = ISA_ATOM_ADD;
	i.a = ROW_REF(1);
	i.a_bytes = 8;
	i.b = ROW_REF(2);
	i.dst = ROW_REF(3);
	i.dst_bytes = 4;
	return i;
}

/* Issues the instruction, which is the program's only one. */
static uint32_t issue(struct machine *m, struct isa_insn *i, uint32_t lanes)
{
	m->program.insns = i;
	m->program.n_insns = 1;
	m->x.pc = 0;
	m->x.pass = false;
	m->x.warp = &m->cta.warp[0];
	m->x.top = &m->simt;
	assert_true(machine_step(m, i, lanes));
	assert_true(m->x.effect.deferred && m->x.effect.pending);
	return m->x.effect.pending;
}

static void end(struct machine *m)
{
	m->program.insns = NULL;
	m->program.n_insns = 0;
	machine_free_all(m);
}

/* The warp's SIMT stack as exec_run finds it. */
static void put_stack(struct machine *m)
{
	struct exec_warp *w = &m->cta.warp[0];
	w->simt = 65536;
	w->n_simt = 1;
	*(struct exec_simt *)arena_at(&m->arena, m->x.sec_simt, w->simt) = m->simt;
}

static void expect_order(struct machine *m, const uint32_t *entry, unsigned n)
{
	const struct exec_pending *p = NULL;
	assert_int_equal(exec_pending_count(&m->x), n);
	for (unsigned k = 0; k < n; k++) {
		p = exec_pending_next(&m->x, p);
		assert_ptr_equal(p, exec_pending_at(&m->x, entry[k]));
	}
	assert_null(exec_pending_next(&m->x, p));
}

/* Nothing has happened when it is issued; each lane's part happens when it lands, and with the last one the entry is gone. */
static void lands_lane_by_lane(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn i = atom_add();
	put_stack(m);
	const uint32_t e = issue(m, &i, 0xf0f0);
	const struct exec_pending *p = exec_pending_at(&m->x, e);
	assert_int_equal(memory(m)[4], 0);
	struct exec_access to;
	exec_pending_access(&m->x, &m->cta, p, &to);
	assert_true(p->kind == EXEC_PENDING_ATOMIC && p->lanes == 0xf0f0 && p->frame == 4096);
	assert_true(to.lanes == 0xf0f0 && to.size == 4 && to.space == ISA_SPACE_GLOBAL && to.is_atomic && to.is_read &&
		    to.is_write);
	LANES_EACH (l, to.lanes)
		assert_int_equal(to.address[l], GLOBAL_AT + 4 * l);
	m->x.marks = (const uint8_t[]){1};
	assert_false(exec_pending_land(&m->x, &m->cta, e, 0x30));
	assert_true(m->x.effect.access.lanes == 0x30 && m->x.effect.access.is_atomic && !m->x.effect.deferred);
	assert_int_equal(m->x.effect.access.address[5], GLOBAL_AT + 20);
	assert_int_equal(memory(m)[4], 104);
	assert_int_equal(memory(m)[5], 105);
	assert_int_equal(memory(m)[6], 0);
	assert_int_equal(p->lanes, 0xf0c0);
	expect_order(m, &e, 1);
	memory(m)[6] = 1000;
	assert_false(exec_pending_land(&m->x, &m->cta, e, 0xf0c0));
	assert_int_equal(memory(m)[6], 1106);
	assert_int_equal(((uint32_t *)machine_row(m, 3))[6], 1000);
	assert_int_equal(memory(m)[15], 115);
	expect_order(m, NULL, 0);
	end(m);
}

static bool stops(void *self, const struct exec *x, const struct exec_effect *e)
{
	(void)self;
	(void)x;
	return !e->deferred;
}

/* One that touches watched memory says so, and has happened all the same. */
static void says_who_is_watched(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn i = atom_add();
	put_stack(m);
	const uint32_t e = issue(m, &i, LANES_ALL);
	const struct exec_range page = {.address = GLOBAL_AT, .n = ARENA_PAGE, .writes = true};
	const struct exec_watcher w = {.ranges = &page, .n_ranges = 1, .before = stops};
	assert_true(exec_watch(&m->x, &w));
	assert_true(exec_pending_land(&m->x, &m->cta, e, 1u << 7));
	assert_int_equal(memory(m)[7], 107);
	assert_int_equal(m->x.effect.access.lanes, 1u << 7);
	end(m);
}

/* By age, whatever is taken out; and an empty queue has the bytes of another empty queue that had as many. */
static void keeps_the_order(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn i = atom_add();
	uint32_t e[6];
	for (unsigned k = 0; k < 6; k++) {
		m->cta.warp[0].cta = k % 2;
		e[k] = issue(m, &i, 1u << k);
	}
	expect_order(m, e, 6);
	exec_pending_drop(&m->x, e[2]);
	expect_order(m, (uint32_t[]){e[0], e[1], e[3], e[4], e[5]}, 5);
	exec_pending_drop_block(&m->x, 0);
	expect_order(m, (uint32_t[]){e[1], e[3], e[5]}, 3);
	const uint32_t again = issue(m, &i, LANES_ALL);
	assert_in_range(again, 1, 6);
	expect_order(m, (uint32_t[]){e[1], e[3], e[5], again}, 4);
	exec_pending_drop(&m->x, again);
	exec_pending_drop_block(&m->x, 1);
	expect_order(m, NULL, 0);
	for (unsigned k = 0; k < 6; k++)
		assert_true(exec_pending_at(&m->x, e[k])->kind == EXEC_PENDING_NONE &&
			    !exec_pending_at(&m->x, e[k])->lanes);
	end(m);
}

/* A warp may have several: they are a list of its own, by age, and any of them may go. */
static void lists_of_warps(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn i = atom_add();
	uint32_t e[5], of[2] = {0, 0};
	for (unsigned k = 0; k < 5; k++) {
		m->cta.warp[0].index = k % 2;
		e[k] = issue(m, &i, 1u << k | 0xff00);
		exec_pending_join(&m->x, &of[k % 2], e[k]);
	}
	assert_true(exec_pending_list_is_valid(&m->x, of[0], 0, 0) && exec_pending_list_is_valid(&m->x, of[1], 0, 1));
	for (unsigned k = 0; k < 5; k++) {
		assert_int_equal(exec_pending_due(&m->x, of[k % 2], e[k]), 1u << k | 0xff00);
		assert_int_equal(exec_pending_due(&m->x, of[(k + 1) % 2], e[k]), 0);
	}
	exec_pending_leave(&m->x, &of[0], e[2]);
	assert_false(exec_pending_list_is_valid(&m->x, of[0], 0, 0)); /* it is still under way */
	exec_pending_drop(&m->x, e[2]);
	assert_true(exec_pending_list_is_valid(&m->x, of[0], 0, 0) && of[0] == e[0]);
	assert_int_equal(exec_pending_at(&m->x, e[0])->next_of_warp, e[4]);
	exec_pending_leave(&m->x, &of[0], e[0]);
	exec_pending_drop(&m->x, e[0]);
	assert_int_equal(of[0], e[4]);
	exec_pending_leave(&m->x, &of[0], e[4]);
	exec_pending_drop(&m->x, e[4]);
	assert_true(!of[0] && exec_pending_list_is_valid(&m->x, 0, 0, 0));
	end(m);
}

static struct exec_pending *entry_of(struct machine *m, uint32_t entry)
{
	return (struct exec_pending *)arena_at(&m->arena, m->x.sec_pending, 0) + entry;
}

/* What a checkpoint could claim, and a machine never has. */
static void bad_lists_of_warps(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn i = atom_add();
	uint32_t e[3], list = 0;
	for (unsigned k = 0; k < 3; k++) {
		m->cta.warp[0].index = k == 1;
		e[k] = issue(m, &i, LANES_ALL);
	}
	assert_false(exec_pending_list_is_valid(&m->x, 0, 0, 0)); /* without its entries */
	exec_pending_join(&m->x, &list, e[0]);
	assert_false(exec_pending_list_is_valid(&m->x, list, 0, 0)); /* without the second */
	exec_pending_join(&m->x, &list, e[2]);
	assert_true(exec_pending_list_is_valid(&m->x, list, 0, 0));
	assert_false(exec_pending_list_is_valid(&m->x, list, 1, 0)); /* another block's */
	entry_of(m, e[2])->next_of_warp = e[0]; /* a circle */
	assert_false(exec_pending_list_is_valid(&m->x, list, 0, 0));
	entry_of(m, e[2])->next_of_warp = 0;
	entry_of(m, e[0])->next_of_warp = e[1]; /* another warp's */
	assert_false(exec_pending_list_is_valid(&m->x, list, 0, 0));
	entry_of(m, e[0])->next_of_warp = 77; /* beyond the pool */
	assert_false(exec_pending_list_is_valid(&m->x, list, 0, 0));
	assert_false(exec_pending_list_is_valid(&m->x, 77, 0, 0));
	end(m);
}

static void no_room(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn i = atom_add();
	struct arena_section *s = &m->arena.section[m->x.sec_pending];
	const uint64_t reserved = s->reserved;
	issue(m, &i, 1);
	s->reserved = s->used;
	assert_true(exec_pending_fits(&m->x, 1));
	assert_false(exec_pending_fits(&m->x, 2));
	assert_int_equal(exec_pending_add(&m->x, EXEC_PENDING_ATOMIC), 0);
	assert_int_equal(exec_pending_count(&m->x), 1);
	s->reserved = reserved;
	end(m);
}

/* ---- machines that go back ---- */

static const char kernel[] = "\
.version 7.0\n.target sm_70\n.address_size 64\n\
.visible .entry count(.param .u64 out) {\n\
 .reg .u64 %rd<4>; .reg .u32 %r<8>; .reg .pred %p<2>;\n\
 .shared .align 4 .b8 sh[64];\n\
 ld.param.u64 %rd1, [out];\n\
 mov.u32 %r1, %tid.x; mov.u32 %r5, sh;\n\
 mov.u32 %r6, 0;\n\
again:\n\
 add.u32 %r2, %r1, %r6; rem.u32 %r2, %r2, 7;\n\
 mul.wide.u32 %rd2, %r2, 64; add.u64 %rd2, %rd1, %rd2;\n\
 atom.global.add.u32 %r3, [%rd2], 1;\n\
 setp.gt.u32 %p1, %r1, 20;\n\
 @%p1 atom.shared.xor.b32 %r4, [%r5], %r3;\n\
 @%p1 red.global.max.u32 [%rd2+4], %r3;\n\
 add.u32 %r6, %r6, 1;\n\
 setp.lt.u32 %p1, %r6, 6;\n\
 @%p1 bra again;\n\
 red.global.add.u32 [%rd1+512], %r6;\n\
 ret;\n}\n";
#define OUT_BYTES 1024u

static void run_for(struct gpu *g, uint64_t cycles)
{
	struct gpu_event ev = {0};
	const uint64_t from = gpu_cycle(g);
	while (gpu_cycle(g) - from < cycles && gpu_has_work(g))
		gpu_run(g, &(struct gpu_request){.max_cycles = cycles - (gpu_cycle(g) - from)}, &ev);
	text_free(&ev.text);
}

static uint64_t digest(struct gpu *g) { return arena_digest(gpu_arena(g)); }

/* From the mark to the end: twice the same, which is that of a run that nobody has interrupted. */
static void there_and_back(struct gpu *g, uint64_t mark, uint64_t at_mark, uint64_t at_end)
{
	const uint32_t n = exec_pending_count(gpu_exec(g));
	for (unsigned k = 0; k < 2; k++) {
		run_for(g, UINT64_MAX);
		assert_int_equal(exec_pending_count(gpu_exec(g)), 0);
		if (at_end)
			assert_true(digest(g) == at_end);
		at_end = digest(g);
		assert_true(arena_go_back(gpu_arena(g), mark));
		assert_true(digest(g) == at_mark);
		assert_int_equal(exec_pending_count(gpu_exec(g)), n);
	}
}

static void expect_sums(struct gpu *g, uint64_t out)
{
	uint32_t got[OUT_BYTES / 4], want[OUT_BYTES / 4] = {0};
	for (unsigned block = 0; block < 4; block++)
		for (unsigned t = 0; t < 96; t++)
			for (unsigned k = 0; k < 6; k++)
				want[(t + k) % 7 * 16]++;
	want[128] = 4 * 96 * 6;
	assert_true(gpu_read(g, out, got, sizeof got));
	for (unsigned k = 0; k < 7; k++)
		assert_int_equal(got[16 * k], want[16 * k]);
	assert_int_equal(got[128], want[128]);
}

static bool machine_is_valid(struct gpu *g)
{
	struct text what = {0};
	const bool ok = timing_is_valid(gpu_timing(g), gpu_state(g)->n_slots, &what);
	text_free(&what);
	return ok;
}

/* Every effect under way is in its warp's list, and a restored machine without that is refused. */
static void expect_lists_checked(struct gpu *g)
{
	struct timing *t = gpu_timing(g);
	uint32_t n = 0;
	assert_true(machine_is_valid(g));
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++)
		for (uint32_t i = 1; i <= t->core[k].s->n_insts; i++) {
			struct inst *in = &t->core[k].inst[i];
			struct core_warp *w = &t->core[k].warp[in->warp];
			if (!in->used || !in->effect)
				continue;
			n++;
			const uint32_t list = w->pending, effect = in->effect;
			w->pending = 0;
			assert_false(machine_is_valid(g));
			w->pending = list;
			in->effect = 0;
			assert_false(machine_is_valid(g));
			in->effect = effect;
			assert_true(machine_is_valid(g));
		}
	assert_int_equal(n, exec_pending_count(gpu_exec(g)));
}

static void goes_back(const char *config, const char *option)
{
	struct fixture f;
	struct timing_config timing;
	uint64_t seed = 1, most = 0;
	performance_begin(&f, &timing, config, option);
	fixture_load(&f, "count.ptx", kernel);
	struct gpu *g = debug_gpu(f.d);
	const uint64_t out = gpu_alloc(g, OUT_BYTES, "out");
	const struct gpu_launch_spec spec = {
		.grid = {4, 1, 1}, .block = {96, 1, 1}, .params = &out, .n_params = sizeof out};
	assert_int_equal(gpu_launch(g, &spec, &f.why), 0);
	assert_true(arena_marks_begin(gpu_arena(g), UINT64_C(1) << 28));
	const uint64_t begin = arena_mark_whole(gpu_arena(g));
	assert_true(begin != 0);
	run_for(g, UINT64_MAX);
	const uint64_t at_end = digest(g), cycles = gpu_cycle(g);
	expect_sums(g, out);
	assert_true(arena_go_back(gpu_arena(g), begin));
	for (unsigned k = 0; k < 12 && gpu_cycle(g) < cycles; k++) {
		run_for(g, 1 + machine_random(&seed) % (cycles / 8));
		for (unsigned n = 0; n < 200 && !exec_pending_count(gpu_exec(g)); n++)
			run_for(g, 1);
		expect_lists_checked(g);
		const uint64_t mark = arena_mark_whole(gpu_arena(g));
		most = exec_pending_count(gpu_exec(g)) > most ? exec_pending_count(gpu_exec(g)) : most;
		there_and_back(g, mark, digest(g), at_end);
	}
	assert_true(most > 1);
	performance_end(&f, &timing);
}

static void goes_back_tiny(void **state)
{
	(void)state;
	goes_back("../../configs/tiny/gpgpusim.config", NULL);
	goes_back("../../configs/tiny/gpgpusim.config", "-gpgpu_perfect_mem 1");
}
static void goes_back_gtx480(void **state)
{
	(void)state;
	goes_back("../../configs/fermi-gtx480/gpgpusim.config", NULL);
}
static void goes_back_v42(void **state)
{
	(void)state;
	goes_back("../../configs/v42-gtx480/gpgpusim.config", NULL);
}

/* Blocks that are killed take theirs along. */
static void killed(void **state)
{
	(void)state;
	struct fixture f;
	struct timing_config timing;
	performance_begin(&f, &timing, "../../configs/tiny/gpgpusim.config", NULL);
	fixture_load(&f, "count.ptx", kernel);
	struct gpu *g = debug_gpu(f.d);
	const uint64_t out = gpu_alloc(g, OUT_BYTES, "out");
	const struct gpu_launch_spec spec = {
		.grid = {4, 1, 1}, .block = {96, 1, 1}, .params = &out, .n_params = sizeof out};
	gpu_launch(g, &spec, &f.why);
	for (unsigned n = 0; n < 10000 && !exec_pending_count(gpu_exec(g)); n++)
		run_for(g, 1);
	assert_true(exec_pending_count(gpu_exec(g)) > 0);
	gpu_kill(g);
	assert_int_equal(exec_pending_count(gpu_exec(g)), 0);
	assert_int_equal(gpu_write(g, out, (char[OUT_BYTES]){0}, OUT_BYTES), 1);
	gpu_launch(g, &spec, &f.why);
	run_for(g, UINT64_MAX);
	expect_sums(g, out);
	performance_end(&f, &timing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(lands_lane_by_lane), cmocka_unit_test(says_who_is_watched),
					   cmocka_unit_test(keeps_the_order),	 cmocka_unit_test(no_room),
					   cmocka_unit_test(lists_of_warps),	 cmocka_unit_test(bad_lists_of_warps),
					   cmocka_unit_test(goes_back_tiny),	 cmocka_unit_test(goes_back_gtx480),
					   cmocka_unit_test(goes_back_v42),	 cmocka_unit_test(killed)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
