/* The texture path of the whole machine: look-ups through the L1T, the network, past the ROP delay into the L2 and back. (tex instructions themselves:
 * script/test_gpgpusim_42.) tests/gpgpusim/textures has ldu in their places, of which `make_look_ups` makes what tex.1d.v4 is for the model:
 * four coordinates as sources, four destinations, the texture space. Expected: GPGPU-Sim 3.2.2's printout of the same kernels with tex. */
#include <stdio.h>

#include "command/setup/buffers.h"
#include "gpu/performance/performance.h"
#include "isa/opcodes.h"
#include "machine_laws.h"
#include "statistics_machine.h"

#define COORDINATES 4u
#define FIRST_COORDINATE 5u /* %r5 .. %r8 */

/* %rN has scoreboard number N + 1: it is declared first. */
static void make_look_up(struct timing_insn *t)
{
	const uint32_t first = t->out[0];
	*t = (struct timing_insn){.class = TIMING_LOAD, .units = t->units, .space = TIMING_SPACE_TEXTURE, .data_bytes = 4, .vec = 4, .n_out = 4, .n_in = 4,
				  .src_mask = 0xf, .latency = 1, .initiation = 1};
	for (uint32_t k = 0; k < TIMING_OUT_MAX; k++)
		t->out_reg[k] = -1;
	t->src_reg[4] = t->src_reg[5] = -1;
	for (uint32_t k = 0; k < COORDINATES; k++) {
		t->out[k] = t->check[t->n_check++] = first + k;
		t->out_reg[k] = (int32_t)(first + k - 1);
		t->in[k] = t->check[t->n_check++] = FIRST_COORDINATE + k + 1;
		t->src_reg[k] = (int32_t)(FIRST_COORDINATE + k);
	}
	timing_insn_set_masks(t);
}

static void make_look_ups(struct gpu *g)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < g->program.n_insns; k++)
		if (g->program.insns[k].opcode == ISA_OP_LDU) {
			make_look_up(&g->perf->timing.program.insns[k]);
			n++;
		}
	assert_true(n);
}

static void begin_with(struct machine *m, const char *config, char *options)
{
	char path[256];
	struct diag_list diags = {0};
	struct text why = {0};
	*m = (struct machine){0};
	snprintf(path, sizeof path, "../../configs/%s/gpgpusim.config", config);
	m->f.config = config_create();
	assert_true(config_load_file(m->f.config, path, &diags));
	for (char *o = strtok(options, "|"); o; o = strtok(NULL, "|"))
		assert_true(config_set_text(m->f.config, o + strspn(o, " "), &diags));
	assert_true(config_set_text(m->f.config, "-gpgpu_kernel_registers k:16", &diags));
	assert_true(config_finish(m->f.config, &diags));
	assert_true(config_timing(m->f.config, &m->timing, &diags));
	diag_list_free(&diags);
	struct gpu *g = gpu_create_performance(m->f.config, &m->timing, NULL, NULL, &why);
	if (!g)
		fail_msg("%s", text_str(&why));
	m->f.d = debug_create(g, &(struct debug_host){.self = &m->f, .output = fixture_output});
	command_attach(m->f.d);
}

struct test_case {
	char file[32], config[32], launch[64], options[128];
};

/* "= FILE; CONFIG; LAUNCH; OPTIONS" */
static bool read_case(const char *line, struct test_case *t)
{
	t->options[0] = '\0';
	return sscanf(line, "= %31[^;]; %31[^;]; %63[^;]; %127[^\n]", t->file, t->config, t->launch, t->options) >= 3;
}

static void run_case(struct test_case *t, struct text *printout)
{
	struct machine m;
	char path[64];
	begin_with(&m, t->config, t->options);
	snprintf(path, sizeof path, "../gpgpusim/textures/%s.ptx", t->file);
	load(&m, path);
	make_look_ups(debug_gpu(m.f.d));
	assert_string_equal(says(&m.f, command_buffer, "p b32[262144] = iota"), "");
	launch(&m, t->launch);
	text_clear(printout);
	gpu_statistics_print(debug_gpu(m.f.d), printout);
	machine_is_empty(debug_gpu(m.f.d));
	machine_counts_agree(debug_gpu(m.f.d));
	end(&m);
}

/* Every recorded line is one of our printout's. */
static void as_in_322(void **state)
{
	(void)state;
	FILE *f = fopen("../gpgpusim/textures/expected.txt", "r");
	struct text printout = {0};
	struct test_case t;
	char line[512] = "\n"; /* lines are looked for with the ends of those before them */
	unsigned n = 0, lines = 0;
	assert_non_null(f);
	while (fgets(line + 1, sizeof line - 1, f)) {
		if (read_case(line + 1, &t)) {
			n++;
			run_case(&t, &printout);
		} else if (line[1] != '#') {
			lines++;
			if (!strstr(text_str(&printout), line))
				fail_msg("%s %s %s: no line%sin\n%.900s", t.file, t.config, t.launch, line, text_str(&printout));
		}
	}
	fclose(f);
	text_free(&printout);
	assert_int_equal(n, 10);
	assert_true(lines > 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_in_322)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
