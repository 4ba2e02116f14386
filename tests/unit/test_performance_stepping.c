/* Performance mode: however a run is cut into pieces, the machine does the same. Each kernel of tests/gpgpusim/counts.txt (and some that hang) runs in one go,
 * cycle by cycle, with a stop at every instruction, instruction by instruction of one warp, and under watchpoints; all state of the
 * machine (memory, caches, queues, statistics) and the cycle have to be the same at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/xalloc.h"
#include "performance_fixture.h"

#define CASES "../gpgpusim/"
#define MOST_WARP_INSNS 8000 /* of the ways that stop often */

enum way { IN_ONE_GO, CYCLES, BREAKS, WARP, WATCHED, MIXED, WAYS };
static const char *const way_names[] = {"in one go", "cycle by cycle", "breakpoints everywhere", "one warp", "watched", "mixed"};

struct machine {
	struct fixture f;
	struct timing_config timing;
	uint64_t n_runs; /* commands that ran it */
};

/* A device model: a config file, and perhaps an option on top of it. */
struct model {
	const char *config, *option;
};

static void begin(struct machine *m, const struct model *model)
{
	performance_begin(&m->f, &m->timing, model->config, model->option);
	m->n_runs = 0;
}

static void end(struct machine *m) { performance_end(&m->f, &m->timing); }

/* ---- cases ---- */

static char *read_all(const char *path)
{
	FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s can't be opened", path);
	char *s = xcalloc(1, 1 << 20);
	size_t n = fread(s, 1, (1 << 20) - 1, f);
	assert_true(n < (1 << 20) - 1);
	fclose(f);
	return s;
}

static void load(struct machine *m, const char *name)
{
	char path[256];
	snprintf(path, sizeof path, CASES "%s", name);
	char *ptx = read_all(path);
	fixture_load(&m->f, name, ptx);
	free(ptx);
}

/* ---- ways to run ---- */

static bool goes_on(struct machine *m) { return m->f.stop.reason != DEBUG_STOP_DEADLOCK && debug_can_run(m->f.d); }

/* What the gdb stub does while it waits. */
static void prefetch_all(struct machine *m)
{
	uint32_t n = 0;
	while (gpu_prefetch(debug_gpu(m->f.d), n))
		n++;
	assert_int_equal(n, m->timing.core.n_cores);
}

/* A run command that works; true while there is something left to run. */
static bool go(struct machine *m, debug_run_fn *fn, const char *args)
{
	debug_stop_free(&m->f.stop);
	debug_stop_init(&m->f.stop);
	text_clear(&m->f.why);
	m->n_runs++;
	if (!fn(m->f.d, args, &m->f.stop, &m->f.why))
		fail_msg("%s", text_str(&m->f.why));
	return goes_on(m);
}

static void break_everywhere(struct machine *m)
{
	const struct isa_program *p = gpu_program(debug_gpu(m->f.d));
	for (uint32_t pc = 0; pc < p->n_insns; pc++)
		breakpoint_insert_code(m->f.d, pc);
}

static void watch_buffers(struct machine *m)
{
	for (size_t i = 0; i < debug_buffer_count(m->f.d); i++) {
		const struct debug_buffer *b = debug_buffer_at(m->f.d, i);
		breakpoint_insert_watch(m->f.d, BREAKPOINT_ACCESS, NULL, b->address, 64);
	}
}

static void run_mixed(struct machine *m)
{
	static const struct {
		debug_run_fn *fn;
		const char *args;
	} turn[] = {{debug_cmd_step, "3"},	 {debug_cmd_stepi, ""}, {debug_cmd_nexti, "2"}, {debug_cmd_step, "1"},
		    {debug_cmd_continue, ""}, {debug_cmd_next, ""},	{debug_cmd_step, "40"}, {debug_cmd_stepi, "5"}};
	says(&m->f, debug_cmd_catch, "atomic");
	says(&m->f, debug_cmd_catch, "barrier");
	watch_buffers(m);
	struct debug_thread t;
	for (unsigned k = 0; goes_on(m); k = (k + 1) % (sizeof turn / sizeof turn[0])) {
		/* without a focus only the whole machine can step: at the end, while memory is still busy */
		bool drains = !debug_focus_get(m->f.d, &t);
		go(m, drains ? debug_cmd_step : turn[k].fn, drains ? "7" : turn[k].args);
		prefetch_all(m);
	}
}

static void run(struct machine *m, enum way way)
{
	struct debug_thread t;
	if (way == BREAKS)
		break_everywhere(m);
	if (way == WATCHED)
		watch_buffers(m);
	if (way == MIXED)
		run_mixed(m);
	while (goes_on(m))
		go(m,
		   way == CYCLES						? debug_cmd_step
		   : way == WARP && debug_focus_get(m->f.d, &t) ? debug_cmd_stepi
								: debug_cmd_continue,
		   "");
}

struct outcome {
	uint64_t cycle, digest, n_runs;
	struct gpu_stats stats;
};

static struct outcome outcome_of(const struct model *model, const char *commands, enum way way)
{
	struct machine m;
	struct outcome o;
	char *copy = xstrdup(commands), *rest = copy;
	begin(&m, model);
	for (char *c = strsep(&rest, ";"); c; c = strsep(&rest, ";")) {
		c += strspn(c, " ");
		if (!strncmp(c, "load ", 5))
			load(&m, c + 5);
		else if (!strncmp(c, "buffer ", 7))
			assert_string_equal(says(&m.f, debug_cmd_buffer, c + 7), "");
		else if (!strncmp(c, "launch ", 7))
			go(&m, debug_cmd_launch, c + 7);
		else if (!strncmp(c, "continue", 8))
			run(&m, way);
	}
	free(copy);
	struct gpu *g = debug_gpu(m.f.d);
	gpu_get_stats(g, &o.stats);
	o.n_runs = m.n_runs;
	o.cycle = gpu_cycle(g);
	o.digest = arena_digest(gpu_arena(g));
	end(&m);
	return o;
}

/* What a way says it does it did. */
static void assert_cut(const struct outcome *o, enum way way)
{
	if (way == CYCLES)
		assert_true(o->n_runs >= o->cycle);
	if (way == BREAKS)
		assert_true(o->n_runs >= o->stats.tot_warp_insns);
}

static void same(const struct model *model, const char *name, enum way way, const struct outcome *a, const struct outcome *b)
{
	if (a->cycle != b->cycle || a->stats.tot_sim_insn != b->stats.tot_sim_insn || a->stats.tot_warp_insns != b->stats.tot_warp_insns)
		fail_msg("%s, %s: cycle %llu, %llu instructions; %s: cycle %llu, %llu instructions", name, way_names[0],
			 (unsigned long long)a->cycle, (unsigned long long)a->stats.tot_sim_insn, way_names[way],
			 (unsigned long long)b->cycle, (unsigned long long)b->stats.tot_sim_insn);
	if (a->digest != b->digest)
		fail_msg("%s %s, %s: %s and %s end in different states", model->config, model->option ? model->option : "", name, way_names[0],
			 way_names[way]);
}

/* All ways for a case. */
static void cut(const struct model *model, const char *name, unsigned long warp_insns, const char *commands)
{
	struct outcome one = outcome_of(model, commands, IN_ONE_GO);
	for (enum way way = CYCLES; way < WAYS; way++) {
		if (way > CYCLES && warp_insns > MOST_WARP_INSNS)
			continue;
		struct outcome other = outcome_of(model, commands, way);
		assert_cut(&other, way);
		same(model, name, way, &one, &other);
	}
}

static void each_case(const struct model *model, unsigned long most_warp_insns)
{
	char *all = read_all(CASES "counts.txt"), *rest = all;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		if (!*line || *line == '#')
			continue;
		const char *name = strsep(&line, ";");
		strsep(&line, ";");
		unsigned long warp_insns = strtoul(strsep(&line, ";"), NULL, 10);
		if (warp_insns <= most_warp_insns)
			cut(model, name, warp_insns, line);
	}
	free(all);
	/* atomics in global and shared memory and a barrier; barriers that wait for each other; a lock nobody gives back */
	cut(model, "count", 0,
	    "load ../golden/performance/waits.ptx; buffer C u32[8] = zero; launch count<<<3, 64>>>(C, 8); continue");
	cut(model, "dead", 0, "load ../golden/performance/waits.ptx; buffer C u32[8] = zero; launch dead<<<1, 64>>>(C); continue");
	cut(model, "lock", 0, "load ../golden/performance/waits.ptx; buffer C u32[8] = zero; launch lock<<<1, 32>>>(C); continue");
}

#define GTX480 "../../configs/fermi-gtx480/gpgpusim.config"

static void test_gtx480(void **state)
{
	(void)state;
	each_case(&(struct model){GTX480, NULL}, 60000);
}

static void test_other_models(void **state)
{
	(void)state;
	each_case(&(struct model){"../../configs/gt200-quadrofx5800/gpgpusim.config", NULL}, 1200);
	each_case(&(struct model){"../../configs/fermi-c2050/gpgpusim.config", NULL}, 1200);
	each_case(&(struct model){"../../configs/tiny/gpgpusim.config", NULL}, 1200);
}

static void test_options(void **state)
{
	static const char *const options[] = {"-gpgpu_perfect_mem 1", "-gpgpu_scheduler two_level_active:6:0:1", "-gpgpu_scheduler lrr",
					      "-gpgpu_simt_core_sim_order 0", "-gmem_skip_L1D 1"};
	(void)state;
	for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
		each_case(&(struct model){GTX480, options[k]}, 500);
}

/* Two streams; the machine is run `pauses` times for no cycle (as when Ctrl-C comes at once) before it runs to its end. */
static uint64_t cycles_of_streams(unsigned pauses)
{
	struct machine m;
	struct gpu_event ev = {0};
	begin(&m, &(struct model){GTX480, NULL});
	load(&m, "../gdb/lanes.ptx");
	says(&m.f, debug_cmd_buffer, "A f32[256] = zero");
	runs(&m.f, debug_cmd_launch, "lanes<<<2, 40>>>(A, 5)");
	runs(&m.f, debug_cmd_launch, "sums<<<2, 20, 0, 1>>>(A)");
	for (; pauses; pauses--) {
		gpu_run(debug_gpu(m.f.d), &(struct gpu_request){.max_cycles = 0}, &ev);
		assert_int_equal(ev.kind, GPU_EVENT_CYCLES);
		text_free(&ev.text);
	}
	HAS(runs(&m.f, debug_cmd_continue, ""), "finished");
	uint64_t cycles = gpu_cycle(debug_gpu(m.f.d));
	end(&m);
	return cycles;
}

static void test_kernels_begin_in_turn(void **state)
{
	(void)state;
	uint64_t cycles = cycles_of_streams(0);
	assert_int_equal(cycles_of_streams(1), cycles);
	assert_int_equal(cycles_of_streams(3), cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_gtx480), cmocka_unit_test(test_other_models),
					  cmocka_unit_test(test_options), cmocka_unit_test(test_kernels_begin_in_turn)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
