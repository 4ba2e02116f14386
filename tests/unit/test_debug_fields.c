/* Fields of the performance model: every one can be read at every cycle of a kernel, they agree with each other, and completion writes their
 * names. */
#include <stdio.h>

#include "command/setup/buffers.h"
#include "command/dump/dump.h"
#include "command/dump/machine_fields.h"
#include "performance_fixture.h"

#define KERNEL "../golden/perf-dumps/chain.ptx"
#define CONFIG "../../configs/tiny/gpgpusim.config"

struct machine {
	struct fixture f;
	struct timing_config timing;
};

static int begin(void **state)
{
	static struct machine m;
	performance_begin(&m.f, &m.timing, CONFIG, NULL);
	struct diag_list loaded = {0};
	assert_true(frontend_load_file(gpu_program(debug_gpu(m.f.d)), NULL, KERNEL, NULL, &loaded));
	diag_list_free(&loaded);
	debug_program_changed(m.f.d, NULL);
	*state = &m;
	return 0;
}

static int end(void **state)
{
	struct machine *m = *state;
	performance_end(&m->f, &m->timing);
	return 0;
}

/* The field's value; -1: none. */
static int64_t field(struct machine *m, const char *name)
{
	struct field_value v;
	struct text why = {0};
	if (!field_eval(m->f.d, name, &v, &why))
		fail_msg("%s: %s", name, text_str(&why));
	return v.is_none ? -1 : (int64_t)v.v;
}

static void run(struct machine *m, command_run_fn *fn, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	if (!fn(m->f.d, args, &stop, &why))
		fail_msg("%s: %s", args, text_str(&why));
	debug_stop_free(&stop);
}

static void launch(struct machine *m)
{
	struct text out = {0}, why = {0};
	assert_true(debug_answer_text(m->f.d, command_buffer, "out u32[64] = iota", &out, &why));
	run(m, command_launch_kernel, "chain<<<1, 64>>>(out)");
	text_free(&out);
}

static bool running(struct machine *m)
{
	return gpu_has_work(debug_gpu(m->f.d));
}

/* ---- all of them, at every cycle ---- */

static void read_one(void *self, const char *name)
{
	struct machine *m = self;
	field(m, name);
}

static void all_fields_can_be_read_at_every_cycle(void **state)
{
	struct machine *m = *state;
	launch(m);
	while (running(m)) {
		field_complete(m->f.d, "", 0, read_one, m);
		run(m, command_step, "1");
	}
}

/* ---- how they belong together ---- */

static void check_cycle(struct machine *m)
{
	int64_t used = 0, issued = 0;
	char name[64];
	for (int w = 0; w < 4; w++) {
		snprintf(name, sizeof name, "core[0].warp[%d].used", w);
		int64_t is_used = field(m, name);
		used += is_used;
		snprintf(name, sizeof name, "core[0].warp[%d].issued", w);
		issued += is_used ? field(m, name) : 0;
		snprintf(name, sizeof name, "core[0].warp[%d].wait", w);
		assert_int_equal(field(m, name) != 0, is_used);
		snprintf(name, sizeof name, "core[0].warp[%d].reserved", w);
		assert_true(!is_used || field(m, name) >= 0);
	}
	assert_int_equal(field(m, "core[0].warps"), used);
	if (used == 2) /* none has retired */
		assert_int_equal(field(m, "core[0].issued"), issued);
	assert_true(field(m, "core[0].completed") <= field(m, "core[0].issued"));
	assert_int_equal(field(m, "icnt.flits"), field(m, "icnt.flits_in") - field(m, "icnt.flits_out"));
	assert_true(field(m, "core[0].runnable") >= field(m, "core[0].blocked"));
	for (int k = 0; k < 7; k++) { /* -gpgpu_pipeline_widths 1,1,1,1,1,1,1 */
		snprintf(name, sizeof name, "core[0].pipe[%d].used", k);
		assert_in_range(field(m, name), 0, 1);
	}
	assert_int_equal(field(m, "partition[0].l2.mshr.used"), field(m, "partition[0].sub[0].l2.mshr.used"));
	assert_int_equal(field(m, "partition[0].rop"), field(m, "partition[0].sub[0].rop"));
}

static void fields_agree(void **state)
{
	struct machine *m = *state;
	launch(m);
	while (running(m)) {
		check_cycle(m);
		run(m, command_step, "1");
	}
	/* 15 instructions of 2 warps */
	assert_int_equal(field(m, "core[0].issued"), 30);
	assert_int_equal(field(m, "core[0].completed"), 30);
	assert_int_equal(field(m, "requests.live"), 0);
	assert_int_equal(field(m, "icnt.flits"), 0);
	assert_int_equal(field(m, "core[0].threads"), 0);
	assert_int_equal(field(m, "core[0].warp[0].pc"), -1);
	assert_int_equal(field(m, "core[0].cycles"), (int64_t)gpu_cycle(debug_gpu(m->f.d)));
}

/* ---- names ---- */

struct names {
	struct text all;
};

static void add(void *self, const char *name)
{
	struct names *n = self;
	text_addf(&n->all, "%s ", name);
}

static void expect_names(struct machine *m, const char *prefix, const char *want)
{
	struct names n = {0};
	field_complete(m->f.d, prefix, strlen(prefix), add, &n);
	assert_string_equal(text_str(&n.all), want);
	text_free(&n.all);
}

static void completion_keeps_the_indices(void **state)
{
	struct machine *m = *state;
	expect_names(m, "core[0].warp[3].st", "core[0].warp[3].stores ");
	expect_names(m, "cluster[7].r", "cluster[7].response ");
	expect_names(m, "icnt.flits_", "icnt.flits_in icnt.flits_out ");
	expect_names(m, "partition[$p].dram.bank[2].ro", "partition[$p].dram.bank[2].row ");
	expect_names(m, "partition[0].dram.ba", "partition[0].dram.bank[0].open partition[0].dram.bank[0].row partition[0].dram.bank[0].queued "
						"partition[0].dram.bank[0].busy partition[0].dram.bank[0].rcd partition[0].dram.bank[0].ras "
						"partition[0].dram.bank[0].rp partition[0].dram.bank[0].rc ");
	expect_names(m, "core[0].nothing", "");
}

static void scan_takes_whole_fields_only(void **state)
{
	static const struct {
		const char *text;
		bool is_field;
		size_t n;
	} cases[] = {
		{"core[0].warp[3].pc + 1", true, 18}, {"icnt.flits==3", true, 10}, {"core[core[0].blocks].cycles", true, 27},
		{"core[0]", false, 0},		       {"core", false, 0},	    {"core[0..3]", false, 0},
		{"cores[0].x", false, 0},	       {"A[0].x", false, 0},	    {"core[0.x", false, 0},
		{"", false, 0},
	};
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		size_t n = 0;
		bool is_field = field_scan(cases[k].text, &n);
		if (is_field != cases[k].is_field || (is_field && n != cases[k].n))
			fail_msg("%s: %d, %zu", cases[k].text, is_field, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_fields_can_be_read_at_every_cycle, begin, end),
		cmocka_unit_test_setup_teardown(fields_agree, begin, end),
		cmocka_unit_test_setup_teardown(completion_keeps_the_indices, begin, end),
		cmocka_unit_test_setup_teardown(scan_takes_whole_fields_only, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
