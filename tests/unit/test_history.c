/* src/history: between any two points of a run the machine can go back and forth, and is the same each time, to the last bit. Points are where
 * runs stop: cycles, instructions of a warp, breakpoints, watchpoints, atomics that land, a fault. */
#include "command/setup/buffers.h"
#include "command/past/past_commands.h"
#include "command/show/focus_commands.h"
#include "command/stop/stop_commands.h"
#include "history_machine.h"

static void go_somewhere(struct machine *m)
{
	static const struct {
		command_run_fn *fn;
		const char *args;
	} ways[] = {{command_step, "1"},  {command_step, "13"},   {command_stepi, "1"}, {command_stepi, "5"},
		    {command_step, "97"}, {command_continue, ""}, {command_nexti, "2"}};
	const uint32_t k = draw(m, sizeof ways / sizeof *ways);
	run(m, ways[k].fn, ways[k].args);
}

static void back_and_forth(const char *ptx, const char *launch, enum session_mode mode, unsigned seed)
{
	struct machine m;
	struct point at[POINTS], end_of;
	char what[64];
	begin(&m, mode, NULL, 100000u << seed % 5);
	m.seed = seed;
	prepare(&m, ptx, launch, seed % 3);
	unsigned n = 0;
	for (; n < POINTS && (!n || debug_can_run(m.d)); n++) {
		at[n] = here(&m);
		go_somewhere(&m);
	}
	snprintf(what, sizeof what, "seed %u, mode %d", seed, (int)mode);
	end_of = here(&m);
	for (unsigned k = 0; k < n + 4; k++) {
		go(&m, &at[draw(&m, n)], what);
		if (draw(&m, 4) == 0)
			go(&m, &end_of, what);
	}
	go(&m, &end_of, what);
	assert_false(history_is_past(m.h));
	forget(at, n);
	forget(&end_of, 1);
	end(&m);
}

static void random_points(void **state)
{
	(void)state;
	static const char *const launches[] = {"k<<<1, 32>>>(p)", "k<<<7, 64>>>(p)", "k<<<3, 57>>>(p)",
					       "k<<<5, 33>>>(p)"};
	for (unsigned seed = 1; seed <= 20; seed++) {
		struct random_kernel k;
		random_kernel_make(&k, seed);
		back_and_forth(text_str(&k.ptx), launches[seed % 4], SESSION_FUNCTIONAL, seed);
		back_and_forth(text_str(&k.ptx), launches[seed % 4], SESSION_PERFORMANCE, seed);
		text_free(&k.ptx);
	}
	for (unsigned seed = 1; seed <= 6; seed++) {
		back_and_forth(many, "many<<<6, 64>>>(p)", SESSION_FUNCTIONAL, seed);
		back_and_forth(many, "many<<<6, 64>>>(p)", SESSION_PERFORMANCE, seed);
	}
}

/* Between turns of lanes that wait for lanes of their warp. */
static void switched_ways(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 6; seed++) {
		back_and_forth(SESSION_HEAD SESSION_CHAIN, "chain<<<2, 64>>>(p)", SESSION_FUNCTIONAL, seed);
		back_and_forth(SESSION_HEAD SESSION_CHAIN, "chain<<<2, 64>>>(p)", SESSION_PERFORMANCE, seed);
	}
}

/* ---- commands go back the way that others came ---- */

/* Forwards by `fn` to the end, or so often; then back by `rev`, through the same points. */
static void there_and_back(enum session_mode mode, command_run_fn *fn, const char *args, command_back_fn *rev,
			   unsigned most)
{
	struct machine m;
	struct point at[200];
	unsigned n = 0;
	begin(&m, mode, NULL, 100000);
	prepare(&m, many, "many<<<6, 64>>>(p)", 0);
	if (fn == command_continue)
		does(&m, command_break, "*many+0x78");
	else if (fn != command_step)
		run(&m, command_stepi, "1");
	struct debug_thread focus, now;
	enum debug_reason r;
	assert_true(debug_focus_get(m.d, &focus));
	do {
		at[n++] = here(&m);
		r = run(&m, fn, args);
	} while (n < most && (r == DEBUG_STOP_BREAKPOINT ||
			      (r == DEBUG_STOP_STEPPED && debug_focus_get(m.d, &now) && now.thread == focus.thread)));
	if (r == DEBUG_STOP_STEPPED && n < most) { /* it exited before it had gone all the way */
		go(&m, &at[--n], "the last step");
		forget(&at[n], 1);
	}
	debug_focus_set(m.d, &focus);
	assert_true(n > 10);
	const unsigned all = n, first = fn == command_continue; /* where it was launched is no breakpoint */
	while (n-- > first) {
		const enum debug_reason b = back(&m, rev, args);
		if (b != DEBUG_STOP_STEPPED && b != DEBUG_STOP_BREAKPOINT)
			fail_msg("reason %d in cycle %llu, %u left", (int)b,
				 (unsigned long long)gpu_cycle(debug_gpu(m.d)), n);
		struct point p = here(&m);
		if (history_compare(&p.at, &at[n].at) || p.digest != at[n].digest)
			fail_msg("mode %d: cycle %llu instead of %llu, %u left", (int)mode,
				 (unsigned long long)p.at.at.cycle, (unsigned long long)at[n].at.at.cycle, n);
		forget(&p, 1);
	}
	forget(at, all);
	back(&m, command_reverse_continue, "");
	assert_int_equal(back(&m, command_reverse_step, "1000000"), DEBUG_STOP_BEGINNING);
	end(&m);
}

static void steps_lead_back(void **state)
{
	(void)state;
	for (enum session_mode mode = SESSION_FUNCTIONAL; mode <= SESSION_PERFORMANCE; mode++) {
		there_and_back(mode, command_step, "3", command_reverse_step, 100);
		there_and_back(mode, command_stepi, "", command_reverse_stepi, 100);
		there_and_back(mode, command_stepi, "4", command_reverse_stepi, 100);
		there_and_back(mode, command_nexti, "", command_reverse_nexti, 60);
		there_and_back(mode, command_next, "", command_reverse_next, 60);
		there_and_back(mode, command_continue, "", command_reverse_continue, 100);
	}
}

/* ---- a thread that has exited long before ---- */

/* Odd threads exit with the fourth instruction, those of the second warp, too; the others go round a loop first. */
static const char early[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			    ".visible .entry early(.param .u64 p) {\n"
			    " .reg .u32 %r<4>; .reg .pred %p<3>;\n"
			    " mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 33; setp.ne.u32 %p1, %r2, 0;\n"
			    " @%p1 exit;\n mov.u32 %r3, 0;\n"
			    "again:\n add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 300;\n"
			    " @%p2 bra again;\n exit;\n}\n";

static bool thread_back(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	(void)args;
	return history_thread_back(h, 1, stop, why);
}

/* One step back of each, from after the kernel's end or from where others still run, is to its own last instruction. */
static void exited_early(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 32; k++) {
		struct machine m;
		struct debug_where w;
		begin(&m, k & 1 ? SESSION_PERFORMANCE : SESSION_FUNCTIONAL, NULL, k & 2 ? 3000 : 100000);
		prepare(&m, early, "early<<<4, 64>>>(p)", 0);
		run(&m, command_step, k & 16 ? "100000" : "700");
		const struct debug_thread t = {.cta = k & 2, .thread = k & 8 ? 0 : k & 4 ? 32 : 1};
		const uint64_t last = t.thread ? 3 : 8;
		if (!debug_focus_set(m.d, &t) || !debug_focus_where(m.d, &w) || w.state != DEBUG_THREAD_EXITED) {
			end(&m);
			continue;
		}
		for (unsigned i = 0; i < 3; i++) {
			const enum debug_reason r = back(&m, thread_back, "");
			if (r != DEBUG_STOP_STEPPED || !debug_focus_where(m.d, &w) || w.pc != last - i ||
			    w.state == DEBUG_THREAD_EXITED)
				fail_msg("case %u, step %u: reason %d, 0x%llx in cycle %llu", k, i, (int)r,
					 (unsigned long long)w.pc, (unsigned long long)gpu_cycle(debug_gpu(m.d)));
		}
		end(&m);
	}
}

/* ---- anything a user may do, in any order ---- */

#define PLACES 400u

struct place {
	struct point p;
	const struct journal_entry *last; /* its last input */
};

/* Do the inputs that there are lead there? */
static bool leads_there(struct machine *m, const struct place *l)
{
	const struct journal *j = history_journal(m->h);
	const size_t n = l->p.at.input;
	if (n > j->n || (n && j->entry[n - 1] != l->last))
		return false;
	return n == j->n || history_compare(&l->p.at, &(struct history_position){n, j->entry[n]->at}) <= 0;
}

static void note_place(struct machine *m, struct place *places, unsigned *n, const char *what)
{
	const struct point p = here(m);
	const struct journal *j = history_journal(m->h);
	for (unsigned k = 0; k < *n; k++)
		if (!history_compare(&places[k].p.at, &p.at) && leads_there(m, &places[k]) &&
		    places[k].p.digest != p.digest) {
			tell_difference(m, &places[k].p.sections);
			fail_msg("seed %llu, %s: the machine isn't what it was in cycle %llu",
				 (unsigned long long)m->first_seed, what, (unsigned long long)p.at.at.cycle);
		}
	if (*n < PLACES)
		places[(*n)++] = (struct place){p, p.at.input ? j->entry[p.at.input - 1] : NULL};
}

/* Commands may be refused, but none may find that what was recorded doesn't lead back. */
static void tries(struct machine *m, const char *what, bool text, void *fn, bool of_history, const char *args)
{
	struct debug_stop stop;
	struct text out = {0}, why = {0};
	bool ok;
	debug_stop_init(&stop);
	history_command(m->h, args);
	if (text)
		ok = of_history ? past_text(m->h, (command_past_fn *)fn, args, &out, &why)
				: debug_answer_text(m->d, (debug_answer_fn *)fn, args, &out, &why);
	else
		ok = of_history ? ((command_back_fn *)fn)(m->h, args, &stop, &why)
				: ((command_run_fn *)fn)(m->d, args, &stop, &why);
	history_command_over(m->h);
	if (!ok && strstr(text_str(&why), "doesn't lead back"))
		fail_msg("seed %llu, %s %s: %s", (unsigned long long)m->first_seed, what, args, text_str(&why));
	text_free(&out);
	text_free(&why);
	debug_stop_free(&stop);
}

/* Of a form: a number below 60 for each #. */
static void some_args(struct machine *m, const char *form, char *to)
{
	for (; *form; form++) {
		if (*form == '#')
			to += sprintf(to, "%u", draw(m, 60));
		else
			*to++ = *form;
	}
	*to = '\0';
}

static void any_command(struct machine *m, char *what, size_t n_what)
{
	static const struct {
		const char *name;
		bool text, of_history;
		void *fn;
		const char *args; /* a form */
	} ways[] = {
		{"step", false, false, command_step, "1#"},
		{"stepi", false, false, command_stepi, "1#"},
		{"next", false, false, command_next, ""},
		{"continue", false, false, command_continue, ""},
		{"continue", false, false, command_continue, ""},
		{"finish", false, false, command_finish, ""},
		{"rs", false, true, command_reverse_step, "1#"},
		{"rsi", false, true, command_reverse_stepi, "1#"},
		{"rsi", false, true, command_reverse_stepi, ""},
		{"rn", false, true, command_reverse_next, ""},
		{"rni", false, true, command_reverse_nexti, ""},
		{"reverse-finish", false, true, command_reverse_finish, ""},
		{"rc", false, true, command_reverse_continue, ""},
		{"rc", false, true, command_reverse_continue, ""},
		{"goto-cycle", false, true, command_goto_cycle, "##"},
		{"undo", false, true, command_undo, ""},
		{"undo", false, true, command_undo, "3"},
		{"restart", false, true, command_restart, "1"},
		{"restart", false, true, command_restart, "2"},
		{"checkpoint", true, true, checkpoint_keep, ""},
		{"who-wrote", true, true, command_who_wrote, "p[#]"},
		{"why", true, true, command_why, "p[#] 3"},
		{"set", true, false, command_set_var, "p[#] = ##"},
		{"set", true, false, command_set_var, "%r4 = #"},
		{"buffer", true, false, command_buffer, "q u32[1##] = iota"},
		{"launch", false, false, command_launch_kernel, "many<<<3, 64>>>(p)"},
		{"run", false, false, command_run_kernel, ""},
		{"break", true, false, command_break, "*many+0x78"},
		{"watch", true, false, command_watch, "p[#]"},
		{"catch", true, false, command_catch, "barrier"},
		{"ignore", true, false, command_ignore, "1 3"},
		{"delete", true, false, breakpoints_delete, ""},
		{"focus", true, false, command_focus, "block 1"},
	};
	char args[64];
	const uint32_t k = draw(m, sizeof ways / sizeof *ways);
	some_args(m, ways[k].args, args);
	snprintf(what, n_what, "%s %s", ways[k].name, args);
	if (getenv("HISTORY_VERBOSE"))
		fprintf(stderr, "%s\n", what);
	tries(m, ways[k].name, ways[k].text, ways[k].fn, ways[k].of_history, args);
	struct history_position now;
	history_now(m->h, &now);
	if (getenv("HISTORY_VERBOSE"))
		fprintf(stderr, "\tinput %zu of %zu, cycle %llu%s\n", now.input, history_journal(m->h)->n,
			(unsigned long long)now.at.cycle, history_is_past(m->h) ? ", past" : "");
}

static void random_session(uint64_t seed)
{
	struct machine m;
	struct place *places = xcalloc(PLACES, sizeof *places);
	unsigned n = 0;
	char what[96] = "launch";
	begin(&m, seed & 1 ? SESSION_PERFORMANCE : SESSION_FUNCTIONAL, NULL, 30000u << seed % 6);
	m.seed = m.first_seed = seed;
	prepare(&m, many, "many<<<6, 64>>>(p)", 0);
	note_place(&m, places, &n, what);
	for (unsigned k = 0; k < 60; k++) {
		any_command(&m, what, sizeof what);
		note_place(&m, places, &n, what);
	}
	for (unsigned k = 0; k < n; k += 1 + draw(&m, 5))
		if (leads_there(&m, &places[k]))
			go(&m, &places[k].p, "afterwards");
	for (unsigned k = 0; k < n; k++)
		for (unsigned i = 0; i < ARENA_SECTIONS_MAX; i++)
			free(places[k].p.sections.bytes[i]);
	free(places);
	end(&m);
}

static void anything_goes(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++)
		random_session(seed);
}

/* FIRST N: as many random sessions, from that seed on. */
static int only_random(char **argv)
{
	const uint64_t first = strtoull(argv[1], NULL, 0), n = strtoull(argv[2], NULL, 0);
	for (uint64_t seed = first; seed < first + n; seed++) {
		printf("%llu\n", (unsigned long long)seed);
		fflush(stdout);
		random_session(seed);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return only_random(argv);
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_points), cmocka_unit_test(switched_ways), cmocka_unit_test(steps_lead_back),
					   cmocka_unit_test(exited_early),

					   cmocka_unit_test(anything_goes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
