/* Performance mode: however a run is cut into pieces, the machine does the same. Kernels run one after the other on one machine, in one go,
 * cycle by cycle, with a stop at every instruction, instruction by instruction of one warp, under watchpoints, and with all kinds of
 * commands mixed; all state of the machine (memory, caches, queues, statistics) and the cycle have to be the same after each of them. A
 * list of kernels says at each for which cut it is there: every model meets each of these mechanisms in each way. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "command/setup/buffers.h"
#include "command/stop/stop_commands.h"
#include "base/hash.h"
#include "base/xalloc.h"
#include "performance_fixture.h"

#define CASES "../gpgpusim/"
#define STEPS_MAX 16u

enum way { IN_ONE_GO, CYCLES, BREAKS, WARP, WATCHED, MIXED, WAYS };
static const char *const way_names[] = {"in one go", "cycle by cycle", "breakpoints everywhere",
					"one warp",  "watched",	       "mixed"};

struct machine {
	struct fixture f;
	struct timing_config timing;
	uint64_t n_runs;   /* commands that ran it */
	uint32_t n_marked; /* instructions with a breakpoint, */
	size_t n_watched;  /* and buffers that are watched */
	bool catches;
};

/* A device model: a config file, and perhaps an option on top of it. */
struct model {
	const char *config, *option;
};

static void begin(struct machine *m, const struct model *model)
{
	performance_begin(&m->f, &m->timing, model->config, model->option);
	m->n_runs = m->n_marked = 0;
	m->n_watched = 0;
	m->catches = false;
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
static bool go(struct machine *m, command_run_fn *fn, const char *args)
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
	for (; m->n_marked < p->n_insns; m->n_marked++)
		breakpoint_insert_code(m->f.d, m->n_marked);
}

static void watch_buffers(struct machine *m)
{
	for (; m->n_watched < debug_buffer_count(m->f.d); m->n_watched++) {
		const struct debug_buffer *b = debug_buffer_at(m->f.d, m->n_watched);
		breakpoint_insert_watch(m->f.d, BREAKPOINT_ACCESS, NULL, b->address, 64);
	}
}

static void run_mixed(struct machine *m)
{
	static const struct {
		command_run_fn *fn;
		const char *args;
	} turn[] = {{command_step, "3"},    {command_stepi, ""}, {command_nexti, "2"}, {command_step, "1"},
		    {command_continue, ""}, {command_next, ""},  {command_step, "40"}, {command_stepi, "5"}};
	if (!m->catches) {
		says(&m->f, command_catch, "atomic");
		says(&m->f, command_catch, "barrier");
		m->catches = true;
	}
	watch_buffers(m);
	struct debug_thread t;
	for (unsigned k = 0; goes_on(m); k = (k + 1) % (sizeof turn / sizeof turn[0])) {
		/* without a focus only the whole machine can step: at the end, while memory is still busy */
		bool drains = !debug_focus_get(m->f.d, &t);
		go(m, drains ? command_step : turn[k].fn, drains ? "7" : turn[k].args);
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
		   way == CYCLES				? command_step
		   : way == WARP && debug_focus_get(m->f.d, &t) ? command_stepi
								: command_continue,
		   "");
}

struct outcome {
	uint64_t n_runs, n_warp_insns;
	unsigned n; /* kernels, and what the machine was after each */
	struct state {
		uint64_t cycle, digest, n_insns;
	} at[STEPS_MAX];
};

/* What is run on one machine, one after the other. */
struct step {
	const char *name, *commands;
};

#define SMALL (4u << 20)

/* Of the sections that are small: cores, caches, queues, statistics, launches. (All of it takes longer than most of the runs.) */
static uint64_t digest_small(const struct arena *a)
{
	uint64_t h = 0;
	for (unsigned k = 0; k < a->n; k++)
		if (a->section[k].kind == ARENA_HOT && a->section[k].used <= SMALL)
			h = hash_bytes(a->section[k].base, a->section[k].used, h);
	return h;
}

static struct state state_of(struct machine *m, bool is_last)
{
	struct gpu *g = debug_gpu(m->f.d);
	struct gpu_stats stats;
	gpu_get_stats(g, &stats);
	return (struct state){.cycle = gpu_cycle(g),
			      .digest = is_last ? arena_digest(gpu_arena(g)) : digest_small(gpu_arena(g)),
			      .n_insns = stats.tot_sim_insn};
}

/* `launch` is run by `continue`, in some way; several may come before it. */
static void do_step(struct machine *m, const struct step *step, enum way way)
{
	char *copy = xstrdup(step->commands), *rest = copy;
	for (char *c = strsep(&rest, ";"); c; c = strsep(&rest, ";")) {
		c += strspn(c, " ");
		if (!strncmp(c, "load ", 5))
			load(m, c + 5);
		else if (!strncmp(c, "buffer ", 7))
			assert_string_equal(says(&m->f, command_buffer, c + 7), "");
		else if (!strncmp(c, "launch ", 7))
			go(m, command_launch_kernel, c + 7);
		else if (!strcmp(c, "continue"))
			run(m, way);
		else
			fail_msg("%s: what is '%s'?", step->name, c);
	}
	free(copy);
}

static struct outcome outcome_of(const struct model *model, const struct step *steps, enum way way)
{
	struct machine m;
	struct outcome o = {0};
	struct gpu_stats stats;
	begin(&m, model);
	for (; steps[o.n].name; o.n++) {
		assert_in_range(o.n, 0, STEPS_MAX - 1);
		do_step(&m, &steps[o.n], way);
		o.at[o.n] = state_of(&m, !steps[o.n + 1].name);
	}
	gpu_get_stats(debug_gpu(m.f.d), &stats);
	o.n_warp_insns = stats.tot_warp_insns;
	o.n_runs = m.n_runs;
	end(&m);
	return o;
}

/* What a way says it does it did. */
static void assert_cut(const struct outcome *o, enum way way)
{
	if (way == CYCLES)
		assert_true(o->n_runs >= o->at[o->n - 1].cycle);
	if (way == BREAKS)
		assert_true(o->n_runs >= o->n_warp_insns);
}

static void same(const struct model *model, const struct step *steps, enum way way, const struct outcome *a,
		 const struct outcome *b)
{
	assert_int_equal(a->n, b->n);
	for (unsigned i = 0; i < a->n; i++) {
		const struct state *one = &a->at[i], *cut = &b->at[i];
		if (one->cycle == cut->cycle && one->n_insns == cut->n_insns && one->digest == cut->digest)
			continue;
		fail_msg("%s %s, %s: in one go cycle %llu, %llu instructions; %s: cycle %llu, %llu instructions%s",
			 model->config, model->option ? model->option : "", steps[i].name,
			 (unsigned long long)one->cycle, (unsigned long long)one->n_insns, way_names[way],
			 (unsigned long long)cut->cycle, (unsigned long long)cut->n_insns,
			 one->cycle == cut->cycle ? ", and other state" : "");
	}
}

/* In all ways up to `last`. */
static void cut(const struct model *model, const struct step *steps, enum way last)
{
	struct outcome one = outcome_of(model, steps, IN_ONE_GO);
	for (enum way way = CYCLES; way <= last; way++) {
		struct outcome other = outcome_of(model, steps, way);
		assert_cut(&other, way);
		same(model, steps, way, &one, &other);
	}
}

/* ---- what is run ---- */

#define WAITS "../golden/performance/waits.ptx"

/* Every mechanism that a stop can cut through, as small as it can be. */
static const struct step mechanisms[] = {
	/* the walk over sub-partitions, which stops after an atomic; replies that carry them; several in one cycle */
	{"atomics of one line",
	 "load mem.ptx; buffer a s32[1024] = zero; launch atomic_add<<<2, 64>>>(a, 6, 0, 1023); continue"},
	{"atomics of many lines", "buffer l s32[8192] = zero; launch atomic_add<<<4, 64>>>(l, 3, 32, 8191); continue"},
	/* shared and global ones, a reduction, and a barrier that waits for them */
	{"atomics and a barrier", "load " WAITS "; buffer C u32[8] = zero; launch count<<<3, 64>>>(C, 8); continue"},
	/* units with an initiation interval: the issue stage stops at a warp that finds its unit taken */
	{"double precision", "load alu.ptx; buffer f f64[1024]; launch dfma_chain<<<1, 32>>>(f, 6, 1.5); continue"},
	{"special functions", "buffer o f32[8192]; launch sfu_chain<<<1, 32>>>(o, 6); continue"},
	/* several schedulers of a core: the cursor is in the middle of them */
	{"warps of both schedulers", "buffer p s32[8192]; launch issue_mix<<<1, 128>>>(p, 2, 3, 1.5); continue"},
	/* diverged lanes, a SIMT stack that changes while others issue */
	{"branches", "load flow.ptx; launch branch_half<<<1, 64>>>(p, 2, 16, 6, 6, 3); continue"},
	/* four warps that wait in a core for one another */
	{"barriers", "load onchip.ptx; launch sync_loop<<<1, 128>>>(p, 4); continue"},
	/* the LDST unit is stuck with an access for some cycles: bank conflicts, constants of different lines */
	{"shared memory", "launch smem_stride<<<1, 64>>>(p, 6, 8, 2047); continue"},
	{"constants", "launch const_load<<<1, 64>>>(p, 6, 1, 0, 1023); continue"},
	/* cores that sleep until a reply wakes them, cycles that are skipped; L1, L2 and DRAM */
	{"a chain of misses", "buffer b s32[1048576]; launch chase<<<1, 1>>>(b, 12, 1056, 0, 1048575, 0, p); continue"},
	/* cores of all clusters, and a network and DRAM that are full */
	{"a block for each core", "buffer r f32[1048576]; launch sread<<<15, 64>>>(r, 1, 32, 1048575, o); continue"},
	/* blocks that come after others, and two kernels at once */
	{"streams", "buffer q s32[8192]; launch work<<<4, 128, 0, 1>>>(p, 3, 3); launch loop_trips<<<2, 64, 0, 2>>>(q, "
		    "1, 3, 3); continue"},
	{0}};

/* Barriers that wait for each other: the deadlock is found in the same cycle. (Nothing can run after it.) */
static const struct step dead[] = {
	{"dead", "load " WAITS "; buffer C u32[8] = zero; launch dead<<<1, 64>>>(C); continue"}, {0}};
/* A lock nobody gives back: warps that spin are told from those that get on. */
static const struct step spins[] = {
	{"lock", "load " WAITS "; buffer C u32[8] = zero; launch lock<<<1, 32>>>(C); continue"}, {0}};

/* Longer runs, where a machine has been full for a while: caches that evict, I-cache misses, registers spilled, blocks that wait for
 * room, a launch after another one. In one go and cycle by cycle. */
static const struct step longer[] = {
	{"icache_line", "load alu.ptx; buffer out s32[65536]; launch icache_line<<<1, 64>>>(out, 4, 3); continue"},
	{"local_spill", "load onchip.ptx; launch local_spill<<<4, 64>>>(out, 64, 3); continue"},
	{"early_exit", "load flow.ptx; launch early_exit<<<8, 128>>>(out, 96, 600, 3); continue"},
	{"tiny", "launch tiny<<<1024, 32>>>(out, 3); continue"},
	{"swrite", "load mem.ptx; buffer b s32[1048576]; launch swrite<<<32, 256>>>(b, 4, 8, 1048575); continue"},
	{"rmw", "buffer m s32[65536] = zero; launch rmw<<<30, 256>>>(m, 6, 1, 65535, 3); continue"},
	{"sread4",
	 "buffer v f32[131072] = fill 1; buffer o f32[8192]; launch sread4<<<30, 128>>>(v, 8, 32767, o); continue"},
	{"vecadd",
	 "load apps.ptx; buffer x f32[20000] = iota 0 0.5; buffer y f32[20000] = iota 3 0.25; buffer z f32[20000];"
	 "launch vecadd<<<79, 256>>>(x, y, z, 20000); continue"},
	{"vecadd again", "launch vecadd<<<79, 256>>>(z, y, x, 20000); continue"},
	{"streams", "buffer q s32[8192]; launch work<<<10, 128, 0, 1>>>(out, 150, 3); launch loop_trips<<<5, 64, 0, "
		    "2>>>(q, 10, 15, 3); continue"},
	{0}};

#define GTX480 "../../configs/fermi-gtx480/gpgpusim.config"
#define GT200 "../../configs/gt200-quadrofx5800/gpgpusim.config"
#define C2050 "../../configs/fermi-c2050/gpgpusim.config"
#define TINY "../../configs/tiny/gpgpusim.config"
#define V42 "../../configs/v42-gtx480/gpgpusim.config"

static const struct model gtx480 = {GTX480, NULL}, tiny = {TINY, NULL};

static void test_models(void **state)
{
	static const struct model models[] = {{GTX480, NULL}, {GT200, NULL}, {C2050, NULL}, {TINY, NULL}, {V42, NULL}};
	(void)state;
	for (size_t k = 0; k < sizeof models / sizeof models[0]; k++)
		cut(&models[k], mechanisms, MIXED);
}

static void test_options(void **state)
{
	static const char *const options[] = {"-gpgpu_perfect_mem 1", "-gpgpu_scheduler two_level_active:6:0:1",
					      "-gpgpu_scheduler lrr", "-gpgpu_simt_core_sim_order 0",
					      "-gmem_skip_L1D 1"};
	(void)state;
	for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
		cut(&(struct model){GTX480, options[k]}, mechanisms, MIXED);
}

/* (What finds them looks at warps, not at the model.) */
static void test_hang(void **state)
{
	(void)state;
	cut(&gtx480, dead, MIXED);
	cut(&tiny, dead, MIXED);
	cut(&gtx480, spins, MIXED);
	cut(&tiny, spins, MIXED);
}

static void test_longer(void **state)
{
	(void)state;
	cut(&gtx480, longer, CYCLES);
}

/* Two streams; the machine is run `pauses` times for no cycle (as when Ctrl-C comes at once) before it runs to its end. */
static uint64_t cycles_of_streams(unsigned pauses)
{
	struct machine m;
	struct gpu_event ev = {0};
	begin(&m, &(struct model){GTX480, NULL});
	load(&m, "../gdb/lanes.ptx");
	says(&m.f, command_buffer, "A f32[256] = zero");
	runs(&m.f, command_launch_kernel, "lanes<<<2, 40>>>(A, 5)");
	runs(&m.f, command_launch_kernel, "sums<<<2, 20, 0, 1>>>(A)");
	for (; pauses; pauses--) {
		gpu_run(debug_gpu(m.f.d), &(struct gpu_request){.max_cycles = 0}, &ev);
		assert_int_equal(ev.kind, GPU_EVENT_CYCLES);
		text_free(&ev.text);
	}
	HAS(runs(&m.f, command_continue, ""), "finished");
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
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_options),
					   cmocka_unit_test(test_hang), cmocka_unit_test(test_longer),
					   cmocka_unit_test(test_kernels_begin_in_turn)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
