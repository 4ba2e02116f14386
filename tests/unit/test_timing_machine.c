/* A machine is rows: the two that exist, word by word where options name them, and one that a test makes up. */
#include "machine_laws.h"

#include "command/dump/dump.h"
#include "isa/opcodes.h"
#include "performance_fixture.h"
#include "timing/core/pipe_print.h"
#include "timing/machines/machine.h"

/* ---- the rows of a machine fit together ---- */

static void expect_collectors(const struct core_model *m)
{
	const core_unit_set all = (core_unit_set)((1u << m->n_units) - 1);
	core_unit_set own = 0;
	for (uint32_t k = 0; k < m->n_collectors; k++) {
		const core_unit_set units = m->collectors[k].units;
		assert_false(units & ~all);
		if (!units || units == all)
			continue;
		assert_false(units & (units - 1) || units & own);
		own |= units;
	}
	assert_int_equal(own, all);
}

static void expect_widths(const struct core_model *m)
{
	for (uint32_t k = 0; k < m->n_widths; k++) {
		uint32_t sets = 0;
		for (uint32_t i = 0; i < m->widths[k].n; i++) {
			const struct core_width *w = &m->widths[k].rows[i];
			if (w->use == WIDTH_UNUSED || w->use == WIDTH_REFUSED)
				continue;
			const unsigned set = w->use == WIDTH_EX_WB ? PIPE_WB : w->use == WIDTH_ID_OC ? PIPE_IN(w->unit) : PIPE_OUT(w->unit);
			char name[PIPE_NAME_MAX];
			pipe_name(m, set, name);
			assert_string_equal(name, w->name);
			assert_false(sets >> set & 1);
			sets |= 1u << set;
		}
		for (uint32_t i = 0; i < core_pipe_count(m); i++)
			assert_true(sets >> core_pipe_at(m, i) & 1);
	}
}

static void expect_rows(const struct core_model *m)
{
	const unsigned all = (1u << m->n_units) - 1;
	assert_true(m->n_units <= CORE_UNITS_MAX && m->n_collectors <= CORE_COLLECTORS_MAX);
	for (uint32_t k = 0; k < m->n_units; k++)
		assert_int_equal(m->units[k].stages == 0, k == core_model_ldst(m));
	for (unsigned k = 0; k < TIMING_CLASSES; k++)
		assert_true(m->class_units[k] && !(m->class_units[k] & ~all));
	assert_int_equal(m->class_units[TIMING_LOAD] | m->class_units[TIMING_STORE], 1u << core_model_ldst(m));
	for (uint32_t k = 0; k < m->n_opcodes; k++)
		for (unsigned o = 0; o < OPERANDS; o++) {
			assert_true(m->opcodes[k].units[o] && !(m->opcodes[k].units[o] & ~all));
			assert_true(m->opcodes[k].latency[o] < LATENCIES);
		}
	expect_collectors(m);
	expect_widths(m);
}

static void rows_fit(void **state)
{
	(void)state;
	expect_rows(machine_gpgpusim_322.core);
	expect_rows(machine_gpgpusim_42.core);
	assert_ptr_equal(machine_of_baseline(3), &machine_gpgpusim_322);
	assert_ptr_equal(machine_of_baseline(4), &machine_gpgpusim_42);
}

/* ---- a machine with a unit for integers ---- */

enum { SP, SFU, INT, MEM, UNITS };
#define ON(unit) (1u << (unit))
static const struct core_unit units[UNITS] = {
	[SP] = {"SP", "sp", 'A', 32}, [SFU] = {"SFU", "sfu", 'U', 512}, [INT] = {"INT", NULL, 'I', 256}, [MEM] = {"MEM", "mem", 'L', 0}};
static const struct core_collector collectors[] = {
	{"SP", "sp", ON(SP)}, {"SFU", "sfu", ON(SFU)}, {"INT", "int", ON(INT)}, {"MEM", "mem", ON(MEM)}, {"GEN", "gen", ON(UNITS) - 1}};
static const struct core_opcode opcodes[] = {
	{ISA_OP_ADD, {ON(INT), ON(SP), ON(SP)}, {LATENCY_INT_ADD, LATENCY_FP_ADD, LATENCY_DP_ADD}, 0},
	{ISA_OP_XOR, {ON(INT), ON(INT), ON(INT)}, {LATENCY_INT_ADD, LATENCY_INT_ADD, LATENCY_INT_ADD}, 3},
};
static const struct core_model with_int = {
	.units = units, .n_units = UNITS, .collectors = collectors, .n_collectors = 5, .opcodes = opcodes, .n_opcodes = 2,
	.class_units = {ON(SP), ON(MEM), ON(MEM), ON(SP), ON(SP), ON(MEM), ON(SP), ON(SP)}};

/* Times that a test sets. */
static struct core_times int_add, fp_add;

static void use_int(struct timing_config *t)
{
	struct core_config *c = &t->core;
	const uint32_t n[] = {6, 8, 6, 2, 0}, ports[] = {1, 1, 1, 1, 0};
	c->model = &with_int;
	for (uint32_t k = 0; k < PIPE_SETS; k++)
		c->pipe_width[k] = 1;
	c->units[SP] = c->units[SFU] = c->units[INT] = 1;
	memcpy(c->collector_units, n, sizeof n);
	memcpy(c->collector_in, ports, sizeof ports);
	memcpy(c->collector_out, ports, sizeof ports);
	c->latencies.of[LATENCY_INT_ADD] = int_add;
	c->latencies.of[LATENCY_FP_ADD] = fp_add;
}

/* The same without the unit. */
static void use_sp(struct timing_config *t)
{
	t->core.units[0] = 1;
	t->core.latencies.of[LATENCY_INT_ADD] = int_add;
	t->core.latencies.of[LATENCY_FP_ADD] = fp_add;
}

/* n dependent additions; with `both`, as many of f32 beside them. */
static char *program(unsigned n, const char *insn, bool both)
{
	struct text t = {0};
	text_add(&t, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
		     ".reg .u64 %rd<4>; .reg .u32 %r<8>; .reg .f32 %f<4>;\n"
		     "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 8; mov.f32 %f1, 0f00000000;\n");
	text_add(&t, "mad.lo.u64 %rd1, %rd2, 1, %rd1;\n");
	for (unsigned k = 0; k < n; k++)
		text_addf(&t, "%s %%r1, %%r1, 1;%s\n", insn, both ? " add.f32 %f1, %f1, 0f3F800000;" : "");
	text_add(&t, "st.global.u32 [%rd1], %r1; st.global.f32 [%rd1+4], %f1;\nret;\n}\n");
	return text_take(&t);
}

static uint64_t cycles_of(void (*change)(struct timing_config *t), unsigned threads, unsigned n, const char *insn, bool both)
{
	struct fixture f;
	struct timing_config timing;
	struct gpu_event ev = {0};
	struct { uint32_t i; float f; } got[64];
	performance_begin_changed(&f, &timing, "../../configs/tiny/gpgpusim.config", NULL, change);
	char *text = program(n, insn, both);
	fixture_load(&f, "k.ptx", text);
	struct gpu *g = debug_gpu(f.d);
	const uint64_t out = gpu_alloc(g, sizeof got, "out");
	const struct gpu_launch_spec spec = {.grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = &out, .n_params = sizeof out};
	assert_int_equal(gpu_launch(g, &spec, &f.why), 0);
	while (gpu_has_work(g))
		gpu_run(g, &(struct gpu_request){.max_cycles = UINT64_MAX}, &ev);
	assert_true(gpu_read(g, out, got, sizeof got[0] * threads));
	for (unsigned k = 0; k < threads; k++) {
		assert_int_equal(got[k].i, strcmp(insn, "add.u32") ? k ^ (n & 1) : k + n);
		assert_true(got[k].f == (both ? (float)n : 0));
	}
	machine_is_empty(g);
	machine_counts_agree(g);
	const uint64_t cycles = gpu_cycle(g);
	free(text);
	text_free(&ev.text);
	performance_end(&f, &timing);
	return cycles;
}

/* One warp: the chain takes as many times the latency as it has additions; a row's cycles on top count for each of them. */
static void a_row_gives_the_latency(void **state)
{
	(void)state;
	fp_add = (struct core_times){1, 1};
	int_add = (struct core_times){100, 1};
	const uint64_t slow = cycles_of(use_int, 1, 20, "add.u32", false);
	assert_int_equal(cycles_of(use_sp, 1, 20, "add.u32", false), slow);
	assert_int_equal(cycles_of(use_int, 1, 20, "xor.b32", false), slow + 20 * 3);
	int_add.latency = 200;
	assert_int_equal(cycles_of(use_int, 1, 20, "add.u32", false), slow + 20 * 100);
}

/* Two warps whose additions keep a unit for 50 cycles each: SP has 2 * 2 * 10 of them to do, and with INT beside it half as many. */
static void a_unit_works_beside_others(void **state)
{
	(void)state;
	fp_add = int_add = (struct core_times){60, 50};
	const uint64_t alone = cycles_of(use_sp, 64, 10, "add.u32", true), beside = cycles_of(use_int, 64, 10, "add.u32", true);
	assert_in_range(alone, 40 * 50, 40 * 50 + 400);
	assert_in_range(beside, 20 * 50, 20 * 50 + 400);
}

static void a_unit_is_shown(void **state)
{
	(void)state;
	struct fixture f;
	struct timing_config timing;
	struct text out = {0};
	int_add = fp_add = (struct core_times){4, 2};
	performance_begin_changed(&f, &timing, "../../configs/tiny/gpgpusim.config", NULL, use_int);
	dump_sections(f.d, &out);
	assert_non_null(strstr(text_str(&out), " registers sp sfu INT ldst "));
	text_free(&out);
	performance_end(&f, &timing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_fit),
		cmocka_unit_test(a_row_gives_the_latency),
		cmocka_unit_test(a_unit_works_beside_others),
		cmocka_unit_test(a_unit_is_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
