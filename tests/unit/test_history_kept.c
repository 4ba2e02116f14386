/* src/history: what is kept of a run, in how much memory; others look at what was, and find who has written something. */
#include "command/setup/buffers.h"
#include "command/past/past_commands.h"
#include "command/show/focus_commands.h"
#include "command/stop/stop_commands.h"
#include "history_machine.h"

/* ---- looking at what was ---- */

struct seen {
	struct machine *m;
	uint64_t stores, after_from; /* of lane 0 of block 0, by their address: the last value */
	uint32_t value, stretches;
	uint64_t address;
};

static void sees(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct seen *v = self;
	if (!e->access.is_write || !(e->lanes & 1) || e->access.address[0] != v->address)
		return;
	memcpy(&v->value, x->global + v->address, sizeof v->value);
	v->stores++;
}

static void stretch_begins(void *self, const struct history_position *from, const struct history_position *to)
{
	struct seen *v = self;
	assert_true(history_compare(from, to) < 0);
	v->stretches++;
}

static bool always(void *self)
{
	(void)self;
	return true;
}

static bool until_written(void *self) { return !((struct seen *)self)->stores; }

/* Word 0 is 2 * v + 1 + round after each of four rounds; who looks sees four stores between beginning and end, the last of them first when looking back. */
static void others_look(void **state)
{
	(void)state;
	for (enum session_mode mode = SESSION_FUNCTIONAL; mode <= SESSION_PERFORMANCE; mode++) {
		struct machine m;
		begin(&m, mode, NULL, 100000);
		prepare(&m, many, "many<<<6, 64>>>(p)", 0);
		const struct point from = here(&m);
		struct seen v = {.m = &m, .address = debug_buffer_find(m.d, "p", 1)->address};
		uint32_t first;
		memcpy(&first, gpu_exec(debug_gpu(m.d))->global + v.address, sizeof first);
		run(&m, command_continue, "");
		const struct point to = here(&m);
		const struct exec_watcher w = {.kinds = EXEC_LOOK(ACCESS), .after = sees, .self = &v};
		const struct history_look all = {.watcher = &w, .self = &v, .begin = stretch_begins, .end = always};
		assert_true(history_look_back(m.h, &all));
		uint32_t want = first;
		for (unsigned round = 0; round < 4; round++)
			want = 2 * want + 1 + round;
		assert_int_equal(v.stores, 4);
		assert_true(digest(&m) == to.digest);
		v.stores = v.stretches = 0;
		const struct history_look look = {
			.watcher = &w, .self = &v, .begin = stretch_begins, .end = until_written};
		assert_true(history_look_back(m.h, &look));
		assert_true(v.stretches >= 1 && v.stores >= 1 && v.value == want);
		assert_true(digest(&m) == to.digest);
		assert_false(history_is_past(m.h));
		forget((struct point[]){from, to}, 2);
		end(&m);
	}
}

/* ---- little memory ---- */

/* The snapshots that there is no room for cost time, and nothing else; what all of them take stays below what it may be. */
static void within_memory(void **state)
{
	(void)state;
	for (enum session_mode mode = SESSION_FUNCTIONAL; mode <= SESSION_PERFORMANCE; mode++) {
		struct machine m;
		struct point at[POINTS];
		unsigned n = 0;
		begin(&m, mode, NULL, 15000);
		const uint64_t most = UINT64_C(8) << 20;
		history_set_memory(m.h, most);
		prepare(&m, many, "many<<<6, 64>>>(p)", 0);
		for (unsigned round = 0; round < 4; round++) {
			for (; n < (round + 1) * POINTS / 4 && debug_can_run(m.d); n++) {
				at[n] = here(&m);
				run(&m, command_step, "151");
				assert_true(arena_marks_bytes(gpu_arena(debug_gpu(m.d))) <= most);
			}
			run(&m, command_continue, "");
			assert_int_equal(run(&m, command_launch_kernel, "many<<<6, 64>>>(p)"), DEBUG_STOP_LAUNCHED);
		}
		assert_true(n >= POINTS / 2);
		for (unsigned k = n; k-- > 0;)
			go(&m, &at[k], "with little memory");
		assert_true(arena_marks_bytes(gpu_arena(debug_gpu(m.d))) <= most);
		forget(at, n);
		end(&m);
	}
}

static const char fill[] = ".version 6.0\n.target sm_30\n.address_size 64\n"
			   ".visible .entry fill(.param .u64 p)\n{\n"
			   "	.reg .b32 %r<4>;\n	.reg .b64 %rd<3>;\n"
			   "	ld.param.u64 %rd1, [p];\n	mov.u32 %r1, %ctaid.x;\n	mov.u32 %r2, %tid.x;\n	mad.lo.u32 %r3, %r1, 64, %r2;\n"
			   "	mul.wide.u32 %rd2, %r3, 4;\n	add.u64 %rd1, %rd1, %rd2;\n	ld.global.u32 %r2, [%rd1];\n	add.u32 %r2, %r2, 3;\n"
			   "	st.global.u32 [%rd1], %r2;\n	ret;\n}\n";

/* What each launch found, 2 MB here, isn't kept beside the snapshots: at most for the snapshots that are always kept, which are three, and for the last launch. */
static void launches_that_write_much(void **state)
{
	(void)state;
	struct machine m;
	const uint64_t most = UINT64_C(4) << 20, written = UINT64_C(2) << 20;
	begin(&m, SESSION_FUNCTIONAL, NULL, 100000);
	history_set_memory(m.h, most);
	prepare(&m, fill, "fill<<<6, 64>>>(p)", 0);
	run(&m, command_continue, "");
	does(&m, command_buffer, "big u32[524288] = iota");
	for (unsigned k = 0; k < 12; k++) {
		assert_int_equal(run(&m, command_launch_kernel, "fill<<<8192, 64>>>(big)"), DEBUG_STOP_LAUNCHED);
		run(&m, command_continue, "");
	}
	assert_true(arena_marks_bytes(gpu_arena(debug_gpu(m.d))) <= most + 4 * written);
	assert_int_equal(back(&m, command_reverse_continue, ""), DEBUG_STOP_BEGINNING);
	end(&m);
}

/* The way back to the present, and to places on it, is kept: the snapshots are those that were made at first. */
static void the_way_forward(void **state)
{
	(void)state;
	for (enum session_mode mode = SESSION_FUNCTIONAL; mode <= SESSION_PERFORMANCE; mode++) {
		struct machine m;
		struct point at[POINTS], ends[2];
		unsigned n = 0;
		begin(&m, mode, NULL, 15000);
		m.seed = mode + 1;
		prepare(&m, many, "many<<<6, 64>>>(p)", 0);
		for (unsigned round = 0; round < 4; round++) {
			for (; n < (round + 1) * POINTS / 4 && debug_can_run(m.d); n++) {
				at[n] = here(&m);
				run(&m, command_step, "151");
			}
			run(&m, command_continue, "");
			assert_int_equal(run(&m, command_launch_kernel, "many<<<6, 64>>>(p)"), DEBUG_STOP_LAUNCHED);
		}
		ends[0] = here(&m);
		const struct arena *a = gpu_arena(debug_gpu(m.d));
		const size_t marks = arena_mark_count(a);
		history_set_interval(m.h, UINT64_C(1) << 60); /* none is made where something is run again */
		for (unsigned k = 0; k < 20; k++) {
			go(&m, &at[draw(&m, n / 4)], "far back");
			assert_true(arena_mark_count(a) < marks);
			for (unsigned i = draw(&m, 3); i--;)
				go(&m, &at[draw(&m, n)], "on the way");
			go(&m, &ends[0], "the present");
			assert_false(history_is_past(m.h));
			assert_true(arena_mark_count(a) >= marks);
		}
		go(&m, &at[0], "the beginning");
		does(&m, command_set_var, "p[3] = 5"); /* another way */
		ends[1] = here(&m);
		run(&m, command_step, "200");
		go(&m, &ends[1], "the other way");
		forget(ends, 2);
		forget(at, n);
		end(&m);
	}
}

/* More data from outside than there may be memory for: history begins anew, and goes on. */
static void much_is_copied(void **state)
{
	(void)state;
	struct machine m;
	begin(&m, SESSION_FUNCTIONAL, NULL, 100000);
	history_set_memory(m.h, UINT64_C(1) << 20);
	prepare(&m, many, "many<<<6, 64>>>(p)", 0);
	const struct point before = here(&m);
	for (unsigned k = 0; k < 6; k++)
		does(&m, command_buffer, "big u32[65536] = iota");
	assert_true(history_journal(m.h)->bytes <= UINT64_C(1) << 20);
	const struct point p = here(&m);
	run(&m, command_step, "20");
	assert_int_equal(back(&m, command_reverse_step, "20"), DEBUG_STOP_STEPPED);
	assert_true(digest(&m) == p.digest);
	assert_int_equal(back(&m, command_reverse_step, "1"), DEBUG_STOP_BEGINNING);
	assert_true(before.digest != p.digest);
	forget((struct point[]){before, p}, 2);
	end(&m);
}

/* ---- who has written something ---- */

#define ROUNDS 4000u
#define EARLY 500u

/* In each round a word of another page: for a while of 40 pages, then of 20. */
static const char rounds[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			     ".visible .entry rounds(.param .u64 p) {\n"
			     " .reg .u32 %r<4>; .reg .u64 %d<4>; .reg .pred %p<3>;\n"
			     " ld.param.u64 %d1, [p]; mov.u32 %r1, 0;\n"
			     "again:\n setp.lt.u32 %p1, %r1, 500; rem.u32 %r2, %r1, 20;\n"
			     " @%p1 rem.u32 %r2, %r1, 40;\n"
			     " mul.wide.u32 %d2, %r2, 4096; add.u64 %d2, %d2, %d1;\n"
			     " add.u32 %r1, %r1, 1; st.global.u32 [%d2], %r1;\n"
			     " setp.lt.u32 %p2, %r1, 4000;\n @%p2 bra again;\n exit;\n}\n";

static uint32_t page_of_round(uint32_t round) { return round % (round < EARLY ? 40 : 20); }

/* Whoever looks leaves the machine, and what is kept of its past, as they are. */
static void expect_text(struct machine *m, command_past_fn *fn, const char *args, const char *what)
{
	struct text out = {0}, why = {0};
	const struct arena *a = gpu_arena(debug_gpu(m->d));
	const uint64_t before = digest(m);
	const size_t marks = arena_mark_count(a);
	if (!past_text(m->h, fn, args, &out, &why) || !strstr(text_str(&out), what))
		fail_msg("%s: %s%s, expected '%s'", args, text_str(&out), text_str(&why), what);
	assert_true(digest(m) == before);
	assert_true(arena_mark_count(a) >= marks && arena_mark_count(a) <= marks + 1);
	text_free(&out);
	text_free(&why);
}

static void expect_writer(struct machine *m, uint32_t page, const char *what)
{
	char word[32];
	snprintf(word, sizeof word, "p[%u]", page * 1024);
	expect_text(m, command_who_wrote, word, what);
}

/* However many snapshots lie in between: by a kernel, the last one that wrote the word; by the host, zeros over zeros, too. */
static void last_writers(void **state)
{
	(void)state;
	for (enum session_mode mode = SESSION_FUNCTIONAL; mode <= SESSION_PERFORMANCE; mode++) {
		struct machine m;
		uint32_t last[40] = {0}, earlier[40] = {0};
		begin(&m, mode, NULL, mode == SESSION_FUNCTIONAL ? 3000 : 100000);
		session_load(m.s, "k.ptx", rounds);
		does(&m, command_buffer, "p u32[65536] = zero");
		assert_int_equal(run(&m, command_launch_kernel, "rounds<<<1, 1>>>(p)"), DEBUG_STOP_LAUNCHED);
		run(&m, command_continue, "");
		for (uint32_t k = 0; k < ROUNDS; k++) {
			earlier[page_of_round(k)] = last[page_of_round(k)];
			last[page_of_round(k)] = k + 1;
		}
		for (uint32_t page = 0; page < 42; page += page < 38 ? 6 : 1) {
			char what[64] = "by the host (buffer p)";
			if (page < 40)
				snprintf(what, sizeof what, ": %u -> %u\n", earlier[page], last[page]);
			expect_writer(&m, page, what);
		}
		end(&m);
	}
}

/* In front of a loop, and in each of its rounds. */
static const char spaces[] =
	".version 7.0\n.target sm_70\n.address_size 64\n.const .u32 c[4] = {1, 2, 3, 4};\n"
	".visible .entry spaces(.param .u64 p) {\n"
	" .reg .u32 %r<9>; .reg .u64 %d<3>; .reg .pred %q; .shared .u32 s[128]; .local .u32 l[4];\n"
	" ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, 0;\n"
	" ld.const.u32 %r6, [c+4]; add.u32 %r4, %r1, %r6;\n"
	" st.shared.u32 [%r2], %r4;\n" /* 9 */
	" st.local.u32 [l+4], %r4;\n"  /* 10 */
	"again:\n add.u32 %r3, %r3, 1;\n"
	" st.shared.u32 [%r2+256], %r3;\n" /* 13 */
	" st.local.u32 [l], %r3;\n"	   /* 14 */
	" bar.sync 0;\n"
	" setp.lt.u32 %q, %r3, 9000;\n @%q bra again;\n"
	" st.global.u32 [%d1], %r3;\n" /* 18 */
	" exit;\n}\n";

/* A block's memory, a thread's, and what only the host writes: far back and near. */
static void writers_in_other_spaces(void **state)
{
	(void)state;
	for (enum session_mode mode = SESSION_FUNCTIONAL; mode <= SESSION_PERFORMANCE; mode++) {
		struct machine m;
		begin(&m, mode, NULL, mode == SESSION_FUNCTIONAL ? 9000 : 300000);
		session_load(m.s, "k.ptx", spaces);
		does(&m, command_buffer, "p u32[4] = zero");
		does(&m, command_set_var, "c[1] = 50");
		does(&m, command_break, "k.ptx:18");
		assert_int_equal(run(&m, command_launch_kernel, "spaces<<<2, 64>>>(p)"), DEBUG_STOP_LAUNCHED);
		assert_int_equal(run(&m, command_continue, ""), DEBUG_STOP_BREAKPOINT);
		does(&m, command_focus, "block 0 thread 40");
		expect_text(&m, command_who_wrote, "s[40]", "by thread uid 41 at k.ptx:9 in cycle");
		expect_text(&m, command_who_wrote, "s[40]", ": 0 -> 90\n");
		expect_text(&m, command_who_wrote, "s[64]", "by thread uid 1 at k.ptx:13 in cycle");
		expect_text(&m, command_who_wrote, "s[64]", ": 8999 -> 9000\n");
		expect_text(&m, command_who_wrote, "l[1]", "by thread uid 41 at k.ptx:10 in cycle");
		expect_text(&m, command_who_wrote, "l[0]", ": 8999 -> 9000\n");
		expect_text(&m, command_who_wrote, "l[2]", "nobody has written l[2]");
		expect_text(&m, command_who_wrote, "c[1]", "by the host");
		expect_text(&m, command_why, "s[40]", "c[1] = 50 from the host");
		expect_text(&m, command_why, "%r4", "%r4 = 90 at k.ptx:8 add.u32");
		does(&m, breakpoints_delete, "");
		run(&m, command_continue, "");
		expect_text(&m, command_who_wrote, "p[0]", "at k.ptx:18 in cycle");
		end(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_look),	   cmocka_unit_test(within_memory),
		cmocka_unit_test(launches_that_write_much),
		cmocka_unit_test(the_way_forward), cmocka_unit_test(much_is_copied),
		cmocka_unit_test(last_writers),	   cmocka_unit_test(writers_in_other_spaces)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
