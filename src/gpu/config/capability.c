/* The table of GPUs by compute capability, and the configurations cc10 to cc120. */
#include "gpu/config/capability.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "gpu/config/config.h"

/* ---- the table ---- */

#define PAIRS_any TEXTBOOK_PAIRS_ANY
#define PAIRS_fp32 TEXTBOOK_PAIRS_FP32
#define PAIRS_int32 TEXTBOOK_PAIRS_INT32
#define BY_BLOCK true
#define BY_WARP false
/* Latencies: the notes' rule for what they name no numbers for. */
#define SHARED_LATENCY 24
#define GLOBAL_LATENCY 400
static const struct capability capabilities[] = {
#define CAPABILITY(major, minor, n_schedulers, width, which_pairs, fp32, int32, fp64, sfu, ls, latency_fp32, n_warps, n_blocks, n_registers, shared, \
		   threads_block, registers_block, shared_block, shared_driver, registers_thread, unit_registers, by, unit_warps, unit_shared) \
	{.number = 10 * (major) + (minor), \
	 .schedulers = n_schedulers, \
	 .textbook = {.issue_width = width, \
		      .pairs = PAIRS_##which_pairs, \
		      .units = {fp32, int32, fp64, sfu, ls}, \
		      .latency = {latency_fp32, latency_fp32, 2 * (latency_fp32), 2 * (latency_fp32), latency_fp32, SHARED_LATENCY, GLOBAL_LATENCY}}, \
	 .rules = {.warps = n_warps, \
		   .blocks = n_blocks, \
		   .registers = n_registers, \
		   .shared_bytes = shared, \
		   .block_threads = threads_block, \
		   .block_registers = registers_block, \
		   .block_shared_bytes = shared_block, \
		   .driver_shared_bytes = shared_driver, \
		   .thread_registers = registers_thread, \
		   .register_unit = unit_registers, \
		   .warp_threads = LANES, \
		   .by_block = BY_##by, \
		   .warp_unit = unit_warps, \
		   .checks_parts = (major) >= 3, \
		   .family_parts = (major) == 6 && (minor) == 0 ? 4 : 0, \
		   .shared_unit = unit_shared}},
#include "gpu/config/capabilities.def"
};
#define ROWS (sizeof capabilities / sizeof *capabilities)

const struct capability *capability_at(unsigned k) { return k < ROWS ? &capabilities[k] : NULL; }

const struct capability *capability_find(uint32_t number)
{
	for (unsigned k = 0; k < ROWS; k++)
		if (capabilities[k].number == number)
			return &capabilities[k];
	return NULL;
}

const struct capability *capability_parse(const char *text)
{
	char with_dot[16], without[16];
	for (unsigned k = 0; k < ROWS; k++) {
		snprintf(with_dot, sizeof with_dot, "%u.%u", capabilities[k].number / 10, capabilities[k].number % 10);
		snprintf(without, sizeof without, "%u", capabilities[k].number);
		if (!strcmp(text, with_dot) || !strcmp(text, without))
			return &capabilities[k];
	}
	return NULL;
}

void capability_list(struct text *out)
{
	for (unsigned k = 0; k < ROWS; k++)
		text_addf(out, "%s%u.%u", k ? ", " : "", capabilities[k].number / 10, capabilities[k].number % 10);
}

/* ---- configurations ---- */

static const struct capability *named(const char *name)
{
	char *end;
	if (name[0] != 'c' || name[1] != 'c' || name[2] < '1' || name[2] > '9')
		return NULL;
	const unsigned long n = strtoul(name + 2, &end, 10);
	return *end || n > 1000 ? NULL : capability_find((uint32_t)n);
}

bool config_is_capability(const char *name) { return named(name) != NULL; }

static void write_options(const struct capability *k, struct text *out)
{
	static const char *const pairs[] = {"any", "fp32", "int32"};
	const struct textbook_config *t = &k->textbook;
	const struct allocation_rules *r = &k->rules;
	text_addf(out, "-gpgpu_compute_capability %u.%u\n-gpgpu_n_clusters 1\n-gpgpu_n_cores_per_cluster 1\n", k->number / 10, k->number % 10);
	text_addf(out, "-gpgpu_shader_core_pipeline %u:%u\n-gpgpu_shader_cta %u\n", r->warps * LANES, LANES, r->blocks);
	text_addf(out, "-gpgpu_shader_registers %u\n-gpgpu_shmem_size %u\n", r->registers, r->shared_bytes);
	text_addf(out, "-gpgpu_shmem_size_PrefL1 %u\n-gpgpu_shmem_size_PrefShared %u\n", r->shared_bytes, r->shared_bytes);
	text_addf(out, "-gpgpu_core_model textbook\n-gpgpu_textbook_schedulers %u\n", k->schedulers);
	text_addf(out, "-gpgpu_textbook_issue_width %u\n-gpgpu_textbook_pairs %s\n", t->issue_width, pairs[t->pairs]);
	text_addf(out, "-gpgpu_textbook_units %u,%u,%u,%u,%u\n", t->units[0], t->units[1], t->units[2], t->units[3], t->units[4]);
	text_addf(out, "-gpgpu_textbook_latency %u,%u,%u,%u,%u\n", t->latency[0], t->latency[1], t->latency[2], t->latency[3], t->latency[4]);
	text_addf(out, "-gpgpu_textbook_memory_latency %u,%u\n", t->latency[5], t->latency[6]);
}

bool config_load_capability(struct config *c, const char *name, struct diag_list *diags)
{
	const struct capability *k = named(name);
	struct text options = {0};
	if (!k)
		return false;
	write_options(k, &options);
	FILE *f = fmemopen(options.s, options.n, "r");
	if (f) {
		config_load_found(c, f, name, diags);
		fclose(f);
	}
	text_free(&options);
	return f != NULL;
}
