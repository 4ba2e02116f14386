/* Config files: GPGPU-Sim's format, every option of the tables, errors with their place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gpu/config/config.h"

static char folder[] = "/tmp/ws-config-XXXXXX";
static char path[64];

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

struct loaded {
	struct config *c;
	struct diag_list diags;
	bool ok;
};

static void load(struct loaded *l, const char *text)
{
	write_file(text);
	l->c = config_create();
	diag_list_init(&l->diags);
	l->ok = config_load_file(l->c, path, &l->diags);
	l->ok = config_finish(l->c, &l->diags) && l->ok;
}

static void unload(struct loaded *l)
{
	config_free(l->c);
	diag_list_free(&l->diags);
}

static void reads_values_comments_quotes(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "# a comment\n-gpgpu_n_clusters 0x0f # fifteen\n  -gpgpu_dram_timing_opt \"nbk=16:\n   CCD=2\"\n-gpgpu_flush_l1_cache\n"
		 "-gpgpu_warpdistro_shader -1\n");
	assert_true(l.ok);
	assert_int_equal(config_int(l.c, "gpgpu_n_clusters"), 15);
	assert_string_equal(config_string(l.c, "gpgpu_dram_timing_opt"), "nbk=16: CCD=2");
	assert_true(config_bool(l.c, "gpgpu_flush_l1_cache"));
	assert_int_equal(config_int(l.c, "gpgpu_warpdistro_shader"), -1);
	assert_int_equal(config_int(l.c, "gpgpu_shmem_num_banks"), 16); /* a default of 3.2.2 */
	unload(&l);
}

static void later_wins_and_override_wins(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "-gpgpu_n_mem 4\n-gpgpu_n_mem 6\n");
	assert_int_equal(config_int(l.c, "gpgpu_n_mem"), 6);
	assert_true(config_set_text(l.c, "-gpgpu_n_mem 2", &l.diags));
	assert_int_equal(config_int(l.c, "gpgpu_n_mem"), 2);
	unload(&l);
}

static void unknown_option_names_the_nearest(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "-gpgpu_n_mem 4\n -gpgpu_n_cluster 3\n");
	assert_false(l.ok);
	assert_int_equal(l.diags.n_errors, 1);
	assert_int_equal(l.diags.v[0].line, 2);
	assert_int_equal(l.diags.v[0].col, 2);
	assert_non_null(strstr(l.diags.v[0].message, "'-gpgpu_n_clusters'"));
	unload(&l);
}

static void question_mark_skips_unknown_and_sets_known(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "?-no_such_thing 4\n?-gpgpu_n_mem 5\n");
	assert_true(l.ok);
	assert_int_equal(l.diags.n, 1);
	assert_int_equal(l.diags.v[0].severity, DIAG_NOTE);
	assert_int_equal(config_int(l.c, "gpgpu_n_mem"), 5);
	unload(&l);
}

static void bad_values_have_a_place(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "-gpgpu_n_mem many\n-gpgpu_flush_l1_cache 2\n-gpgpu_n_clusters 0\n-gpgpu_shader_registers\n");
	assert_int_equal(l.diags.n_errors, 4);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(l.diags.v[i].line, i + 1);
	assert_int_equal(l.diags.v[0].col, 14);
	unload(&l);
}

static void sizes_have_units(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		uint64_t bytes;
	} good[] = {{"", UINT64_C(4) << 30},
		    {"-gpgpu_memory_size 512M", 512u << 20},
		    {"-gpgpu_memory_size 64K", 65536},
		    {"-gpgpu_memory_size 1G", 1u << 30},
		    {"-gpgpu_memory_size 0x1000", 4096},
		    {"-gpgpu_memory_size 0", 0}};
	static const char *const bad[] = {"many", "4g", "G", "-1", "-1G", "9999999999G", "4GG", "1e3"};
	struct loaded l;
	for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
		struct config_device d;
		load(&l, good[i].line);
		config_device(l.c, &d);
		assert_int_equal(d.memory_bytes, good[i].bytes);
		unload(&l);
	}
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		char line[64];
		snprintf(line, sizeof line, "-gpgpu_memory_size %s", bad[i]);
		load(&l, line);
		assert_false(l.ok);
		unload(&l);
	}
}

static void independent_threads_are_0_1_or_auto(void **state)
{
	static const struct {
		const char *value;
		uint32_t from; /* compute capability */
	} good[] = {{"0", UINT32_MAX}, {"1", 0}, {"auto", 70}};
	static const char *const bad[] = {"2", "yes", "-1", "Auto", "01"};
	(void)state;
	struct loaded l;
	for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
		char line[64];
		struct config_device d;
		snprintf(line, sizeof line, "-gpgpu_independent_threads %s\n", good[i].value);
		load(&l, line);
		assert_true(l.ok);
		config_device(l.c, &d);
		assert_int_equal(d.independent_from, good[i].from);
		unload(&l);
	}
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		char line[64], message[128];
		snprintf(line, sizeof line, "-gpgpu_independent_threads %s\n", bad[i]);
		snprintf(message, sizeof message, "bad value '%s' for -gpgpu_independent_threads, expected auto, 0 or 1", bad[i]);
		load(&l, line);
		assert_false(l.ok);
		assert_string_equal(l.diags.v[0].message, message);
		unload(&l);
	}
}

static void guard_is_a_multiple_of_256(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "-gpgpu_heap_guard 100\n");
	assert_false(l.ok);
	assert_string_equal(l.diags.v[0].message, "bad value 100 for -gpgpu_heap_guard, expected a multiple of 256");
	unload(&l);
	struct config_device d;
	load(&l, "-gpgpu_n_mem 4\n");
	config_device(l.c, &d);
	assert_int_equal(d.heap_guard, 256);
	unload(&l);
}

static void baseline_is_chosen_by_what_is_set(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "-gpgpu_n_mem 4\n");
	assert_int_equal(config_int(l.c, "gpgpu_shader_cta"), 8); /* 3.2.2 */
	unload(&l);
	load(&l, "-gpgpu_l1_latency 35\n");
	assert_int_equal(config_int(l.c, "gpgpu_shader_cta"), 32); /* 4.x */
	assert_int_equal(config_int(l.c, "gpgpu_max_concurrent_kernel"), 32);
	unload(&l);
	load(&l, "-gpgpu_baseline 4.2\n");
	assert_int_equal(config_int(l.c, "gpgpu_shader_cta"), 32);
	unload(&l);
	load(&l, "-gpgpu_baseline 3.2.2\n-gpgpu_l1_latency 35\n");
	assert_false(l.ok);
	unload(&l);
}

static void kernel_registers(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "-gpgpu_kernel_registers a:7,b_c:24\n");
	assert_true(l.ok);
	assert_int_equal(config_kernel_registers(l.c, "a"), 7);
	assert_int_equal(config_kernel_registers(l.c, "b_c"), 24);
	assert_int_equal(config_kernel_registers(l.c, "b"), 0);
	unload(&l);
	load(&l, "-gpgpu_kernel_registers a:7,b\n");
	assert_false(l.ok);
	unload(&l);
}

static void kernel_cache(void **state)
{
	(void)state;
	struct loaded l;
	struct config_device d;
	load(&l, "-gpgpu_kernel_cache a:L1,b_c:shared\n-gpgpu_shmem_size 49152\n-gpgpu_shmem_size_PrefL1 16384\n-gpgpu_shmem_size_PrefShared 65536\n");
	assert_true(l.ok);
	assert_int_equal(config_kernel_cache(l.c, "a", CONFIG_CACHE_DEFAULT), CONFIG_CACHE_L1);
	assert_int_equal(config_kernel_cache(l.c, "b_c", CONFIG_CACHE_DEFAULT), CONFIG_CACHE_SHARED);
	assert_int_equal(config_kernel_cache(l.c, "b", CONFIG_CACHE_DEFAULT), CONFIG_CACHE_DEFAULT);
	config_device(l.c, &d);
	assert_int_equal(config_shared_bytes(&d, CONFIG_CACHE_DEFAULT), 49152);
	assert_int_equal(config_shared_bytes(&d, CONFIG_CACHE_L1), 16384);
	assert_int_equal(config_shared_bytes(&d, CONFIG_CACHE_SHARED), 65536);
	unload(&l);
	static const char *const bad[] = {"-gpgpu_kernel_cache a\n", "-gpgpu_kernel_cache a:L1,b:L2\n", "-gpgpu_kernel_cache a:sharedx\n"};
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		load(&l, bad[k]);
		assert_false(l.ok);
		unload(&l);
	}
}

/* An include that includes itself ends with an error, not with a crash. */
static void includes_end(void **state)
{
	(void)state;
	struct loaded l;
	char text[128];
	snprintf(text, sizeof text, "-config %s\n", strrchr(path, '/') + 1);
	load(&l, text);
	assert_false(l.ok);
	unload(&l);
	/* twice in each file: 2 to the depth's power without a limit on their number */
	snprintf(text, sizeof text, "-config %s\n-config %s\n-config %s\n", strrchr(path, '/') + 1, strrchr(path, '/') + 1, strrchr(path, '/') + 1);
	load(&l, text);
	assert_false(l.ok);
	unload(&l);
}

/* A file that is no config: the errors are counted, the first ones kept; a copy of the line for each would be 80 GB here. */
static void errors_are_limited(void **state)
{
	(void)state;
	struct loaded l;
	size_t n = 400000;
	char *text = malloc(n + 1);
	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		text[i] = "x "[i % 2];
	text[n] = 0;
	load(&l, text);
	assert_false(l.ok);
	assert_int_equal(l.diags.n_errors, n / 4); /* a name and its value each */
	assert_int_equal(l.diags.n, 20);
	unload(&l);
	for (size_t i = 0; i < n; i++)
		text[i] = "?-x "[i % 4];
	load(&l, text);
	assert_true(l.ok);
	assert_int_equal(l.diags.n, 20);
	unload(&l);
	free(text);
}

static void no_input_hangs_or_crashes(void **state)
{
	(void)state;
	static const char *const inputs[] = {"\"", "-", "?", "-\n-", "?\?-x", "-config", "\"\"", "- -", "-gpgpu_n_mem \"", "#", "-gpgpu_n_mem 99999999999999999999"};
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
		struct loaded l;
		load(&l, inputs[i]);
		unload(&l);
	}
}

/* A kernel goes by its name in the PTX or by its name in C++, with or without namespaces, template arguments and parameters. */
static void kernels_go_by_their_cpp_names(void **state)
{
	(void)state;
	static const char k[] = "_Z1kPKfPfi", /* k(float const*, float*, int) */
		in_namespace[] = "_ZN2ns5scaleIfEEvPT_i"; /* void ns::scale<float>(float*, int) */
	static const struct {
		const char *name, *kernel;
		bool fits;
	} rows[] = {{"k", k, true}, {k, k, true}, {"k(float const*, float*, int)", k, true}, {"k(float const *,float *,int)", k, true}, {"kk", k, false},
		    {"k(int)", k, false}, {"scale", in_namespace, true}, {"ns::scale", in_namespace, true}, {"scale<float>", in_namespace, true},
		    {"ns::scale<float>", in_namespace, true}, {"ns::scale<float>(float*, int)", in_namespace, true}, {"other::scale", in_namespace, false},
		    {"ns", in_namespace, false}, {"void", in_namespace, false}, {"k", "k", true}, {"k", "k2", false}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct loaded l;
		struct text line = {0};
		text_addf(&line, "-gpgpu_kernel_registers \"other:7,%s:24\"\n-gpgpu_kernel_cache \"%s:L1\"\n", rows[i].name, rows[i].name);
		load(&l, text_str(&line));
		assert_true(l.ok);
		assert_int_equal(config_kernel_registers(l.c, rows[i].kernel), rows[i].fits ? 24 : 0);
		assert_int_equal(config_kernel_cache(l.c, rows[i].kernel, CONFIG_CACHE_DEFAULT), rows[i].fits ? CONFIG_CACHE_L1 : CONFIG_CACHE_DEFAULT);
		unload(&l);
		text_free(&line);
	}
}

/* cudaFuncSetCacheConfig chooses where the configuration has something to choose; -gpgpu_kernel_cache comes first. */
static void programs_prefer_caches(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		enum config_cache asked, got;
	} rows[] = {{"", CONFIG_CACHE_L1, CONFIG_CACHE_DEFAULT},
		    {"-gpgpu_shmem_size_PrefL1 16384", CONFIG_CACHE_L1, CONFIG_CACHE_L1},
		    {"-gpgpu_shmem_size_PrefL1 16384", CONFIG_CACHE_SHARED, CONFIG_CACHE_DEFAULT},
		    {"-gpgpu_cache:dl1PreShared 4:128:4,L:L:m:N,A:32:8,8", CONFIG_CACHE_SHARED, CONFIG_CACHE_SHARED},
		    {"-gpgpu_cache:dl1PrefL1 4:128:4,L:L:m:N,A:32:8,8", CONFIG_CACHE_L1, CONFIG_CACHE_L1},
		    {"-gpgpu_kernel_cache k:shared -gpgpu_shmem_size_PrefL1 16384", CONFIG_CACHE_L1, CONFIG_CACHE_SHARED}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct loaded l;
		load(&l, rows[i].line);
		assert_int_equal(config_kernel_cache(l.c, "k", rows[i].asked), rows[i].got);
		unload(&l);
	}
}

static const char *kernel_of(void *self, uint32_t k) { return k < 2 ? ((const char *const *)self)[k] : NULL; }

static void names_of_no_kernel_are_noted(void **state)
{
	(void)state;
	static const char *const kernels[] = {"_Z1kPKfPfi", "saxpy"};
	struct loaded l;
	struct text notes = {0};
	load(&l, "-gpgpu_kernel_registers k:64,saxpi:7 -gpgpu_kernel_cache saxpy:L1,nosuch:shared");
	config_unmatched_kernels(l.c, kernel_of, (void *)(uintptr_t)kernels, &notes);
	assert_string_equal(text_str(&notes), "note: -gpgpu_kernel_registers: there was no kernel saxpi\nnote: -gpgpu_kernel_cache: there was no kernel nosuch\n");
	text_free(&notes);
	unload(&l);
}

/* The message of the note that contains `words`, or NULL. */
static const char *note_with(const struct loaded *l, const char *words)
{
	for (size_t i = 0; i < l->diags.n; i++)
		if (l->diags.v[i].severity == DIAG_NOTE && strstr(l->diags.v[i].message, words))
			return l->diags.v[i].message;
	return NULL;
}

/* Errors that only the whole configuration shows name the place of the value, as those of one value do. */
static void relations_have_a_place(void **state)
{
	(void)state;
	static const struct {
		const char *line, *message;
		uint32_t col;
	} rows[] = {
		{" -gpgpu_shader_core_pipeline 1536:64", "warps of 64 threads are not modelled", 30},
		{"-gpgpu_shader_core_pipeline 1536:0", "expected THREADS:32", 29},
		{"-gpgpu_shader_core_pipeline 1536", "expected THREADS:32", 29},
		{"-gpgpu_n_sub_partition_per_mchannel 3", "expected a power of two", 37},
		{"-gpgpu_kernel_registers k", "expected KERNEL:N", 25},
		{"-gpgpu_independent_threads 2", "expected auto, 0 or 1", 28},
		{"-gpgpu_cdp_enabled 1", "not modelled; expected 0", 20},
		{"-gpgpu_dram_policy no", "bad value 'no'; known: FCFS, FRFCFS, FRFCFS_Cap, FRFCFS_PriorHit", 20},
		{"-gpgpu_dram_row_policy no", "bad value 'no'; known: Closed, ClosedAP, Opened, Timeout", 24},
		{"-gpgpu_dram_mapping no", "bad value 'no'; known: RoBaRaCoCh, ChRaBaRoCo", 21},
		{"-gpgpu_dram_controller no", "bad value 'no'; known: ramulator, 2018", 24},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct loaded l;
		struct text text = {0};
		text_addf(&text, "# a comment\n%s\n", rows[i].line);
		load(&l, text_str(&text));
		assert_false(l.ok);
		assert_int_equal(l.diags.n_errors, 1);
		assert_non_null(strstr(l.diags.v[0].message, rows[i].message));
		assert_string_equal(l.diags.v[0].file, path);
		assert_int_equal(l.diags.v[0].line, 2);
		assert_int_equal(l.diags.v[0].col, rows[i].col);
		assert_string_equal(l.diags.v[0].source, rows[i].line);
		unload(&l);
		text_free(&text);
	}
}

/* One option that only 4.x has makes all the rest 4.2's: said where the file doesn't show it. */
static void a_switched_baseline_is_noted(void **state)
{
	(void)state;
	static const struct {
		const char *file, *option, *note; /* note NULL: none */
	} rows[] = {
		{"-gpgpu_n_mem 4", "-gpgpu_l2_rop_latency 120", "3.2.2 has no -gpgpu_l2_rop_latency (there it is -rop_latency)"},
		{"-gpgpu_n_mem 4", "-gpgpu_smem_latency 3", "3.2.2 has no -gpgpu_smem_latency;"},
		{"-gpgpu_smem_latency 3\n-rop_latency 120", "", "3.2.2 has no -gpgpu_smem_latency;"},
		{"-gpgpu_smem_latency 3", "", NULL},
		{"-gpgpu_smem_latency 3", "-gpgpu_l1_latency 3", NULL},
		{"-gpgpu_n_mem 4", "-gpgpu_smem_latency 3 -gpgpu_baseline 4.2", NULL},
		{"-gpgpu_n_mem 4", "-gpgpu_num_dp_units 0", NULL}, /* files of 2017, between the two */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct loaded l;
		write_file(rows[i].file);
		l.c = config_create();
		diag_list_init(&l.diags);
		assert_true(config_load_file(l.c, path, &l.diags) && config_set_text(l.c, rows[i].option, &l.diags));
		assert_true(config_finish(l.c, &l.diags));
		if (rows[i].note)
			assert_non_null(note_with(&l, rows[i].note));
		else
			assert_int_equal(l.diags.n, 0);
		unload(&l);
	}
}

static void options_without_effect_are_one_note(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "-power_simulation_enabled 1\n-gpuwattch_xml_file my.xml\n-l2_ideal 1\n-power_trace_enabled 0\n-gpgpu_num_mem_units 1\n");
	assert_true(l.ok);
	assert_int_equal(l.diags.n, 1);
	assert_string_equal(note_with(&l, "effect"),
			    "options without effect: -power_simulation_enabled, -gpuwattch_xml_file (there is no power model); "
			    "-l2_ideal (nothing reads it, in GPGPU-Sim neither)");
	unload(&l);
	load(&l, "-accelwattch_something 3\n");
	assert_true(l.ok);
	assert_non_null(note_with(&l, "options without effect: -accelwattch_* (there is no power model)"));
	unload(&l);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/test.config", folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_values_comments_quotes),
		cmocka_unit_test(later_wins_and_override_wins),
		cmocka_unit_test(unknown_option_names_the_nearest),
		cmocka_unit_test(question_mark_skips_unknown_and_sets_known),
		cmocka_unit_test(sizes_have_units),
		cmocka_unit_test(independent_threads_are_0_1_or_auto), cmocka_unit_test(guard_is_a_multiple_of_256),
		cmocka_unit_test(bad_values_have_a_place),
		cmocka_unit_test(baseline_is_chosen_by_what_is_set),
		cmocka_unit_test(kernels_go_by_their_cpp_names),
		cmocka_unit_test(programs_prefer_caches),
		cmocka_unit_test(names_of_no_kernel_are_noted),
		cmocka_unit_test(relations_have_a_place),
		cmocka_unit_test(a_switched_baseline_is_noted),
		cmocka_unit_test(options_without_effect_are_one_note),
		cmocka_unit_test(kernel_registers),
		cmocka_unit_test(kernel_cache),
		cmocka_unit_test(includes_end),
		cmocka_unit_test(errors_are_limited),
		cmocka_unit_test(no_input_hangs_or_crashes),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
