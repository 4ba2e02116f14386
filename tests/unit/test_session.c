/* src/session: what faces are told of each other, and several sessions in one process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command/setup/buffers.h"
#include "command/show/focus_commands.h"
#include "command/stop/stop_commands.h"
#include "command/command.h"
#include "base/arena.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "command/inspect.h"
#include "debug/stop/breakpoint.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "debug/view/focus.h"
#include "gpu/gpu.h"
#include "session/session.h"
#include "session_program.h"

/* Each thread adds up its number of times what it finds, and prints. */
static const char program[] = SESSION_HEAD
	".visible .entry sum (.param .u64 p)\n{\n .reg .b32 %r<5>;\n .reg .b64 %rd<4>;\n .reg .pred %p<2>;\n"
	" ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd3, %rd1, %rd2;\n"
	" ld.global.u32 %r2, [%rd3];\n mov.u32 %r3, 0;\n"
	"LOOP:\n add.u32 %r3, %r3, %r2;\n add.u32 %r1, %r1, 1;\n setp.lt.u32 %p1, %r1, 64;\n @%p1 bra LOOP;\n"
	" st.global.u32 [%rd3], %r3;\n ret;\n}\n" SESSION_MANY
	/* until somebody outside writes to p[0] */
	".visible .entry waits(.param .u64 p) {\n .reg .u64 %rd<4>; .reg .u32 %r<9>; .reg .pred %p<3>;\n"
	" ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n"
	"LOOK:\n ld.volatile.global.u32 %r4, [%rd1];\n setp.eq.u32 %p1, %r4, 0;\n @%p1 bra LOOK;\n"
	" add.u32 %r8, %r4, %r1;\n st.global.u32 [%rd2+256], %r8;\n ret;\n}\n";

struct seen {
	struct session_face face;
	unsigned begun, ended, stops, killed, notes, outputs;
	bool alone; /* output is shown here alone */
	struct session *session;
};

static bool output(void *self, const char *s, size_t n)
{
	(void)s;
	(void)n;
	((struct seen *)self)->outputs++;
	return ((struct seen *)self)->alone;
}
static void running(void *self, bool on)
{
	struct seen *v = self;
	v->begun += on;
	v->ended += !on;
}
static void stopped(void *self, const struct debug_stop *stop)
{
	(void)stop;
	((struct seen *)self)->stops++;
}
static void said(void *self, const char *line)
{
	assert_string_equal(line, "hello\n");
	((struct seen *)self)->notes++;
}
static void killed(void *self) { ((struct seen *)self)->killed++; }

static struct seen see(struct session *s)
{
	return (struct seen){
		.face = {.output = output, .running = running, .stopped = stopped, .said = said, .killed = killed},
		.session = s};
}

static struct session *create(const char *option, enum session_mode mode)
{
	struct text messages = {0};
	enum session_failure failure;
	const struct session_setup setup = {.config = "../../configs/tiny/gpgpusim.config",
					    .options = &option,
					    .n_options = option != NULL,
					    .mode = mode};
	struct session *s = session_create(&setup, &messages, &failure);
	assert_int_equal(s != NULL, failure == SESSION_OK);
	assert_int_equal(s == NULL, strstr(text_str(&messages), "error: ") != NULL);
	if (s)
		command_attach(session_debug(s));
	text_free(&messages);
	return s;
}

static void run(struct session *s, command_run_fn *fn, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	if (!fn(session_debug(s), args, &stop, &why))
		fail_msg("%s", text_str(&why));
	debug_stop_free(&stop);
	text_free(&why);
}

static void launch(struct session *s)
{
	struct text out = {0}, why = {0};
	assert_true(debug_answer_text(session_debug(s), command_buffer, "b u32[64] = iota 5", &out, &why));
	run(s, command_launch_kernel, "sum<<<1, 64>>>(b)");
	text_free(&out);
	text_free(&why);
}

/* ---- faces ---- */

static void others_are_told(void **state)
{
	(void)state;
	struct session *s = create(NULL, SESSION_FUNCTIONAL);
	struct seen v[3] = {see(s), see(s), see(s)};
	for (unsigned k = 0; k < 3; k++) {
		v[k].face.self = &v[k];
		session_attach(s, &v[k].face);
	}
	struct debug_stop stop;
	debug_stop_init(&stop);
	session_begin_run(s, &v[1].face);
	session_report_stop(s, &v[1].face, &stop);
	session_end_run(s, &v[1].face);
	session_say(s, &v[1].face, "hello\n");
	session_report_killed(s, &v[1].face);
	for (unsigned k = 0; k < 3; k++) {
		const unsigned n = k != 1;
		assert_true(v[k].begun == n && v[k].ended == n && v[k].stops == n && v[k].notes == n &&
			    v[k].killed == n);
	}
	session_detach(s, &v[0].face);
	session_report_stop(s, &v[1].face, &stop);
	assert_true(v[0].stops == 1 && v[2].stops == 2);
	session_destroy(s);
}

/* A command that one face has the interpreter run is its own doing. */
static void who_asks_is_not_told(void **state)
{
	(void)state;
	struct session *s = create(NULL, SESSION_FUNCTIONAL);
	struct seen v[3] = {see(s), see(s), see(s)};
	struct debug_stop stop;
	for (unsigned k = 0; k < 3; k++) {
		v[k].face.self = &v[k];
		session_attach(s, &v[k].face);
	}
	debug_stop_init(&stop);
	assert_null(session_set_asking(s, &v[2].face));
	session_begin_run(s, &v[0].face);
	session_report_stop(s, &v[0].face, &stop);
	session_end_run(s, &v[0].face);
	assert_true(v[0].stops == 0 && v[1].stops == 1 && v[2].stops == 0);
	assert_true(v[1].begun == 1 && v[2].begun == 0);
	assert_ptr_equal(session_set_asking(s, NULL), &v[2].face);
	session_report_stop(s, &v[0].face, &stop);
	assert_true(v[0].stops == 0 && v[1].stops == 2 && v[2].stops == 1);
	session_destroy(s);
}

/* ---- what can't be made ---- */

static void bad_setups(void **state)
{
	(void)state;
	assert_null(create("-gpgpu_nonsense 1", SESSION_FUNCTIONAL));
	assert_null(create("-gpgpu_n_clusters 7", SESSION_PERFORMANCE)); /* the network's file is for 2 nodes */
	struct session *s = create("-gpgpu_ptx_sim_mode 1", SESSION_MODE_OF_CONFIG);
	assert_false(gpu_is_performance(debug_gpu(session_debug(s))));
	session_destroy(s);
	s = create(NULL, SESSION_MODE_OF_CONFIG);
	assert_true(gpu_is_performance(debug_gpu(session_debug(s))));
	session_destroy(s);
}

/* ---- two side by side ---- */

static uint64_t digest(struct session *s) { return arena_digest(gpu_arena(debug_gpu(session_debug(s)))); }

static uint64_t alone(enum session_mode mode, uint64_t *cycle)
{
	struct session *s = create(NULL, mode);
	session_load(s, "k.ptx", program);
	launch(s);
	run(s, command_continue, "");
	const uint64_t d = digest(s);
	*cycle = gpu_cycle(debug_gpu(session_debug(s)));
	session_destroy(s);
	return d;
}

static void two_machines(void **state)
{
	(void)state;
	static const enum session_mode mode[2] = {SESSION_PERFORMANCE, SESSION_FUNCTIONAL};
	struct session *s[2];
	uint64_t want[2], cycle[2];
	for (unsigned k = 0; k < 2; k++)
		want[k] = alone(mode[k], &cycle[k]);
	for (unsigned k = 0; k < 2; k++) {
		s[k] = create(NULL, mode[k]);
		session_load(s[k], "k.ptx", program);
		launch(s[k]);
	}
	/* in turns, three cycles of one and two of the other */
	*session_interrupt(s[0]) = 0;
	for (bool more = true; more;) {
		more = false;
		for (unsigned k = 0; k < 2; k++)
			if (debug_can_run(session_debug(s[k]))) {
				run(s[k], command_step, k ? "2" : "3");
				more = true;
			}
	}
	for (unsigned k = 0; k < 2; k++) {
		assert_true(digest(s[k]) == want[k]);
		assert_int_equal(gpu_cycle(debug_gpu(session_debug(s[k]))), cycle[k]);
		session_destroy(s[k]);
	}
}

/* ---- the journal: all that comes from outside has come through the door ---- */

static void does(struct session *s, debug_answer_fn *fn, const char *args)
{
	struct text out = {0}, why = {0};
	if (!debug_answer_text(session_debug(s), fn, args, &out, &why))
		fail_msg("%s: %s", args, text_str(&why));
	text_free(&out);
	text_free(&why);
}

/* Everything a user can do to a device: buffers made, replaced and given back, memory of each space, registers, predicates; at several moments
 * of several launches; and beginning anew. */
static void use(struct session *s)
{
	session_load(s, "k.ptx", program);
	does(s, command_buffer, "b u32[64] = iota 5");
	does(s, command_buffer, "unused f32[1000] = random 3");
	does(s, command_buffer, "unused u8[10]");
	run(s, command_launch_kernel, "sum<<<2, 48>>>(b)");
	does(s, command_set_var, "b[3] = 77"); /* nothing has run */
	run(s, command_step, "20");
	does(s, command_set_var, "%r3 = 1000");
	does(s, command_set_var, "%p1 = 1");
	does(s, command_set_var, "%rd1 = %rd1 + 0");
	run(s, command_step, "30");
	does(s, command_set_var, "b[40] = 123456");
	run(s, command_continue, "");
	run(s, command_launch_kernel, "sum<<<1, 64>>>(b)");
	run(s, command_continue, "");
	run(s, command_run_kernel, ""); /* with memory as the last one found it */
	debug_kill(session_debug(s));
	run(s, command_launch_kernel, "sum<<<1, 32>>>(b)");
	run(s, command_step, "5");
	debug_reset(session_debug(s));
	run(s, command_run_kernel, "sum<<<1, 64>>>(b)");
}

/* What runs while it is stopped: kernels of several streams; one that spins, which steps take round once more; kernels that launch kernels. */
static const struct scene {
	const char *file, *launches[4];
	bool spins;
} scenes[] = {
	{.launches = {"many<<<6, 64>>>(b)"}},
	{.launches = {"many<<<3, 64>>>(b)", "many<<<2, 64, 0, 1>>>(b)", "sum<<<2, 48, 0, 2>>>(b)",
		      "many<<<1, 64, 0, 1>>>(b)"}},
	{.launches = {"waits<<<2, 64>>>(b)"}, .spins = true},
	{.file = "../golden/runtime/children.ptx",
	 .launches = {"_Z4manyPi<<<2, 40>>>(b)", "_Z7streamsPiS_<<<1, 1>>>(b, &b[100])",
		      "_Z6copiesPi<<<1, 1>>>(&b[200])"}},
};

static void load_scene(struct session *s, const struct scene *scene)
{
	struct diag_list diags;
	struct text notes = {0};
	if (!scene->file) {
		session_load(s, "k.ptx", program);
		return;
	}
	diag_list_init(&diags);
	assert_true(frontend_load_file(gpu_program(debug_gpu(session_debug(s))), NULL, scene->file, NULL, &diags));
	debug_program_changed(session_debug(s), &notes);
	text_free(&notes);
	diag_list_free(&diags);
}

struct session_ways {
	const char *option;
	enum session_mode mode;
};

/* Lets a device run as far as it gets. */
static void run_out(struct gpu *g)
{
	struct gpu_event ev = {0};
	while (gpu_has_work(g)) {
		gpu_run(g, &(struct gpu_request){.max_cycles = UINT64_MAX}, &ev);
		text_clear(gpu_output(g));
		text_free(&ev.text);
	}
	gpu_run(g, &(struct gpu_request){.max_cycles = 1}, &ev); /* which finds nothing to do */
	text_free(&ev.text);
}

/* Runs the device to the moment of an entry and executes its input. Returns false if the device doesn't reach the moment, or the result differs. */
static bool repeat_entry(const struct journal_entry *e, struct gpu *g)
{
	struct text why = {0};
	const bool is_same = gpu_run_to(g, &e->at) && gpu_input(g, &e->input, &why) == e->result;
	text_free(&why);
	return is_same;
}

/* Another machine does what the journal of s says, each input at its moment; then both run out, and are the same. */
static void expect_replay(struct session *s, const struct session_ways *w, const struct scene *scene)
{
	struct session *again = create(w->option, w->mode);
	load_scene(again, scene);
	struct gpu *g = debug_gpu(session_debug(again));
	const struct journal *j = history_journal(session_history(s));
	for (size_t k = 0; k < j->n; k++) {
		struct gpu_moment now;
		const struct gpu_moment *at = &j->entry[k]->at;
		if (!repeat_entry(j->entry[k], g))
			fail_msg("entry %zu of %zu, kind %d, cycle %llu, place %d", k, j->n,
				 (int)j->entry[k]->input.kind, (unsigned long long)at->cycle, (int)at->place);
		/* what an input leaves of the place it came at; where all warps spun it has let them go on */
		gpu_moment_now(g, &now);
		if (j->entry[k]->input.kind >= GPU_INPUT_LAUNCH)
			continue;
		assert_true(gpu_moment_is(&now, at));
		assert_true(at->launch == UINT32_MAX ||
			    (now.launch == at->launch && now.cta == at->cta && now.warp == at->warp &&
			     now.core == at->core && now.scheduler == at->scheduler));
	}
	run_out(g);
	run_out(debug_gpu(session_debug(s)));
	assert_int_equal(gpu_cycle(g), gpu_cycle(debug_gpu(session_debug(s))));
	assert_true(digest(again) == digest(s));
	session_destroy(again);
}

static void replayed(enum session_mode mode)
{
	struct session *s = create(NULL, mode);
	history_keep_journal(session_history(s));
	use(s);
	assert_true(history_journal(session_history(s))->n > 20);
	expect_replay(s, &(struct session_ways){.mode = mode}, scenes);
	session_destroy(s);
}

static void fetch_from(void *self, void *to, uint64_t n) { memcpy(to, self, n); }

/* What a source has fetched is in the journal, though the source has gone when it is replayed. */
static void the_journal_has_what_was_fetched(void **state)
{
	(void)state;
	struct session *s = create(NULL, SESSION_FUNCTIONAL);
	history_keep_journal(session_history(s));
	session_load(s, "k.ptx", program);
	const struct gpu_input alloc = {.kind = GPU_INPUT_ALLOC, .alloc = {.bytes = 8000, .name = "x"}};
	const uint64_t a = (uint64_t)session_input(s, &alloc, NULL);
	char bytes[8000];
	for (int k = 1; k < 3; k++) {
		memset(bytes, k, sizeof bytes);
		const struct gpu_source source = {fetch_from, bytes};
		const struct gpu_input copy = {
			.kind = GPU_INPUT_COPY, .copy = {.address = a, .n = sizeof bytes, .source = &source}};
		assert_int_equal(session_input(s, &copy, NULL), 1);
	}
	memset(bytes, 0, sizeof bytes);
	expect_replay(s, &(struct session_ways){.mode = SESSION_FUNCTIONAL}, scenes);
	session_destroy(s);
}

static void the_journal_has_it_all(void **state)
{
	(void)state;
	replayed(SESSION_FUNCTIONAL);
	replayed(SESSION_PERFORMANCE);
}

/* ---- random stops, and inputs at them ---- */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return (uint32_t)((z ^ (z >> 31)) % below);
}

static void tries(struct session *s, debug_answer_fn *fn, const char *args)
{
	struct text out = {0}, why = {0};
	debug_answer_text(session_debug(s), fn, args, &out, &why);
	text_free(&out);
	text_free(&why);
}

/* Runs on to some stop: of a step, in front of an instruction that is marked, after an atomic, in front of a block that begins, an access. */
static void go_somewhere(struct session *s, uint64_t *seed)
{
	static const struct {
		command_run_fn *fn;
		const char *args;
	} ways[] = {{command_step, "1"},  {command_step, "13"}, {command_stepi, "1"},   {command_stepi, "3"},
		    {command_nexti, "2"}, {command_step, "97"}, {command_continue, ""}, {command_continue, ""}};
	const uint32_t k = draw(seed, sizeof ways / sizeof *ways);
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	ways[k].fn(session_debug(s), ways[k].args, &stop, &why);
	debug_stop_free(&stop);
	text_free(&why);
}

/* Something of another block, perhaps one that hasn't begun, is looked at from now on; registers and memory are changed. */
static void change_something(struct session *s, uint64_t *seed)
{
	char words[64];
	snprintf(words, sizeof words, "block %u thread %u", draw(seed, 6), draw(seed, 64));
	if (draw(seed, 3) == 0)
		tries(s, command_focus, words);
	snprintf(words, sizeof words, "b[%u] = %u", draw(seed, 384), draw(seed, 1000));
	tries(s, command_set_var, words);
	snprintf(words, sizeof words, "%%r%u = %u", draw(seed, 2) ? 4 : 8, draw(seed, 1000));
	tries(s, command_set_var, words);
	if (draw(seed, 4) == 0)
		tries(s, command_set_var, "%p1 = 1");
}

static void stop_there(struct session *s, const struct scene *scene, uint64_t seed)
{
	if (scene == scenes && seed % 3 == 1) {
		does(s, command_break, "many");
		does(s, command_break, "*many+88");
	}
	if (seed % 3 == 1) {
		does(s, command_catch, "atomic");
		does(s, command_catch, "launch");
	} else if (seed % 3 == 2) {
		does(s, command_watch, "b[512]"); /* which atomics change */
	} else {
		for (unsigned k = 0; k < 8; k++)
			does(s, command_awatch,
			     (const char *[]){"b[3]", "b[20]", "b[70]", "b[100]", "b[130]", "b[140]", "b[200]",
					      "b[300]"}[k]);
	}
}

/* How many inputs came at each kind of place is added to `place`, of each kind to `kind`. */
static void random_stops(const struct session_ways *w, const struct scene *scene, uint64_t seed,
			 unsigned place[GPU_LANDED + 1], unsigned kind[GPU_INPUT_CONTEXT_END + 1])
{
	struct session *s = create(w->option, w->mode);
	history_keep_journal(session_history(s));
	load_scene(s, scene);
	does(s, command_buffer, "b u32[640] = iota 5");
	if (scene->spins)
		does(s, command_set_var, "b[0] = 0");
	for (unsigned k = 0; k < 4 && scene->launches[k]; k++)
		run(s, command_launch_kernel, scene->launches[k]);
	stop_there(s, scene, seed);
	for (unsigned k = 0; k < 40 && debug_can_run(session_debug(s)); k++) {
		go_somewhere(s, &seed);
		if (k == 20)
			tries(s, breakpoints_delete, "");
		if (!scene->spins || draw(&seed, 3) == 0) /* after a change a warp has to be proven to spin again */
			change_something(s, &seed);
	}
	tries(s, breakpoints_delete, "");
	if (scene->spins)
		does(s, command_set_var, "b[0] = 1");
	const struct journal *j = history_journal(session_history(s));
	for (size_t k = 0; k < j->n; k++) {
		place[j->entry[k]->at.place]++;
		kind[j->entry[k]->input.kind]++;
	}
	expect_replay(s, w, scene);
	session_destroy(s);
}

static void stops_at_random(void **state)
{
	(void)state;
	unsigned functional[GPU_LANDED + 1] = {0}, performance[GPU_LANDED + 1] = {0}, kind[GPU_INPUT_CONTEXT_END + 1] = {0};
	for (uint64_t seed = 1; seed <= 6; seed++) {
		for (unsigned k = 0; k < (seed <= 3 ? sizeof scenes / sizeof *scenes : 1);
		     k++) { /* each way to stop once */
			random_stops(&(struct session_ways){.mode = SESSION_FUNCTIONAL}, &scenes[k], seed, functional,
				     kind);
			random_stops(&(struct session_ways){.mode = SESSION_PERFORMANCE}, &scenes[k], seed, performance,
				     kind);
		}
		random_stops(&(struct session_ways){"-gpgpu_perfect_mem 1", SESSION_PERFORMANCE}, scenes, seed,
			     performance, kind);
	}
	assert_true(functional[GPU_BETWEEN] > 100);
	for (unsigned k = 0; k <= GPU_LANDED; k++)
		if (performance[k] < 10)
			fail_msg("%u inputs at places of kind %u", performance[k], k);
	if (kind[GPU_INPUT_SPIN] < 3 || kind[GPU_INPUT_LAUNCH] < 50)
		fail_msg("%u spins, %u launches", kind[GPU_INPUT_SPIN], kind[GPU_INPUT_LAUNCH]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(others_are_told),
					   cmocka_unit_test(who_asks_is_not_told),
					   cmocka_unit_test(bad_setups),
					   cmocka_unit_test(two_machines),
					   cmocka_unit_test(the_journal_has_it_all),
					   cmocka_unit_test(the_journal_has_what_was_fetched),
					   cmocka_unit_test(stops_at_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
