/* From options to the performance model's configuration: parses the options that are texts, checks what belongs together, and
 * refuses what is not modelled. */
#include "gpu/config/config_timing.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/record.h"
#include "gpu/config/config_internal.h"
#include "gpu/config/config_sdram.h"
#include "timing/core/scheduler.h"
#include "timing/machines/machine.h"

struct reading {
	const struct config *c;
	struct diag_list *diags;
	bool v4; /* the options are those of 4.x */
	const struct machine_model *machine;
};

__attribute__((format(printf, 3, 4))) static void bad(struct reading *r, const char *option, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	config_error(r->c, option, r->diags, "-%s: %s", option, text_str(&t));
	text_free(&t);
}

/* Returns the name of an option that 4.x renamed: that of the baseline, or the other one if only that is set. */
static const char *either_name(const struct reading *r, const char *v3)
{
	unsigned k = 0;
	while (k + 1 < CONFIG_RENAMED && strcmp(config_renamed[k].v3, v3))
		k++;
	const char *v4 = config_renamed[k].v4;
	return r->v4 && (config_is_set(r->c, v4) || !config_is_set(r->c, v3)) ? v4 : v3;
}

static uint32_t number(const struct reading *r, const char *name) { return (uint32_t)config_int(r->c, name); }

/* "1,2,3": reads up to `most` numbers; returns how many, 0 if the text is malformed. */
static unsigned numbers(const char *text, char separator, uint32_t *out, unsigned most)
{
	unsigned n = 0;
	for (const char *s = text;;) {
		char *end;
		errno = 0;
		unsigned long v = strtoul(s, &end, 10);
		if (end == s || errno || v > UINT32_MAX || *s == '-' || n == most)
			return 0;
		out[n++] = (uint32_t)v;
		if (!*end)
			return n;
		if (*end != separator)
			return 0;
		s = end + 1;
	}
}

/* ---- caches ---- */

static void cache(struct reading *r, const char *option, enum cache_kind kind, struct cache_config *out)
{
	struct text why = {0};
	if (!cache_config_parse(config_string(r->c, option), r->v4, out, &why) || !cache_config_fits(out, kind, &why))
		bad(r, option, "%s", text_str(&why));
	out->rules = r->machine->rules;
	text_free(&why);
}

static void caches(struct reading *r, struct core_config *k)
{
	cache(r, "gpgpu_cache:il1", CACHE_READ_ONLY, &k->l1i);
	cache(r, "gpgpu_const_cache:l1", CACHE_READ_ONLY, &k->l1c);
	cache(r, "gpgpu_tex_cache:l1", CACHE_TEXTURE, &k->l1t);
	cache(r, "gpgpu_cache:dl1", CACHE_DATA, &k->l1d);
	cache(r, "gpgpu_cache:dl1PrefL1", CACHE_DATA, &k->l1d_pref_l1);
	cache(r, either_name(r, "gpgpu_cache:dl1PreShared"), CACHE_DATA, &k->l1d_pref_shared);
	if (k->l1i.disabled)
		bad(r, "gpgpu_cache:il1", "a core needs an instruction cache");
	if (k->l1c.disabled)
		bad(r, "gpgpu_const_cache:l1", "a core needs a constant cache");
	if (k->l1t.disabled)
		bad(r, "gpgpu_tex_cache:l1", "a core needs a texture cache");
	k->skip_l1d = config_bool(r->c, either_name(r, "gmem_skip_L1D"));
}

static void writeback(struct reading *r, struct core_config *k)
{
	static const char *const words[] = {
		[WRITEBACK_AT_ONCE] = "0", [WRITEBACK_IN_PARTS] = "1", [WRITEBACK_AS_NEEDED] = "auto"};
	static const char option[] = "gpgpu_writeback_in_parts";
	const char *text = config_string(r->c, option);
	for (enum core_writeback w = 0; w < sizeof words / sizeof words[0]; w++) {
		if (!strcmp(text, words[w])) {
			k->writeback = w;
			return;
		}
	}
	bad(r, option, "bad value '%s', expected 0, 1 or auto", text);
}

/* ---- schedulers ---- */

/* The word and its parameters, the N among them as `n`. */
static void add_scheduler(const struct scheduler_rule *rule, const char *n, struct text *out)
{
	text_add(out, rule->option);
	for (const char *s = rule->parameters; *s; s++)
		*s == 'N' ? text_add(out, n) : text_addc(out, *s);
}

/* The row's parameters, ":N:0:1", are the numbers given. */
static bool parameters_fit(const char *parameters, const uint32_t *v, unsigned n, uint32_t *limit)
{
	unsigned k = 0;
	for (; *parameters; parameters += 2, k++) {
		const char wanted = parameters[1];
		if (k == n || (wanted == 'N' ? !v[k] : v[k] != (uint32_t)(wanted - '0')))
			return false;
		if (wanted == 'N')
			*limit = v[k];
	}
	return !k || k == n;
}

static void refuse_scheduler(struct reading *r, const char *text, const struct scheduler_rule *rule)
{
	struct text wanted = {0};
	if (rule)
		add_scheduler(rule, "WARPS", &wanted);
	for (unsigned k = 0; !rule && k < SCHEDULERS; k++) {
		text_add(&wanted, !k ? "" : k + 1 < SCHEDULERS ? ", " : " or ");
		add_scheduler(&scheduler_rules[k], "N", &wanted);
	}
	bad(r, "gpgpu_scheduler", "bad value '%s', expected %s", text, text_str(&wanted));
	text_free(&wanted);
}

static void scheduler(struct reading *r, struct core_config *k)
{
	const char *text = config_string(r->c, "gpgpu_scheduler"), *colon = strchr(text, ':');
	uint32_t v[3] = {0};
	unsigned n = colon ? numbers(colon + 1, ':', v, 3) : 0;
	k->scheduler_limit = k->n_warps;
	for (k->scheduler = 0; k->scheduler < SCHEDULERS; k->scheduler++) {
		const struct scheduler_rule *rule = &scheduler_rules[k->scheduler];
		if (!strstr(text, rule->option))
			continue;
		if (!parameters_fit(rule->parameters, v, n, &k->scheduler_limit))
			refuse_scheduler(r, text, rule);
		return;
	}
	k->scheduler = SCHEDULER_LRR;
	refuse_scheduler(r, text, NULL);
}

/* ---- the core ---- */

/* Returns the way to write -gpgpu_pipeline_widths that has n numbers. NULL: none. */
static const struct core_width_list *widths_of(const struct core_model *m, unsigned n)
{
	for (uint32_t k = 0; k < m->n_widths; k++)
		if (m->widths[k].n == n)
			return &m->widths[k];
	return NULL;
}

/* Returns the set of pipeline registers that a number of -gpgpu_pipeline_widths is for. */
static unsigned set_of_width(const struct core_width *w)
{
	if (w->use == WIDTH_EX_WB)
		return PIPE_WB;
	return w->use == WIDTH_ID_OC ? PIPE_IN(w->unit) : PIPE_OUT(w->unit);
}

/* Sets the width of a set of pipeline registers. Appends what is wrong with the value to `faults`; nothing if it fits. */
static void width(struct core_config *k, const struct core_width *w, uint32_t value, struct text *faults)
{
	const bool is_read = w->use != WIDTH_REFUSED && w->use != WIDTH_UNUSED, fits = value && value <= PIPE_WIDTH_MAX;
	const char *before = faults->n ? "; " : "";
	if (w->use == WIDTH_REFUSED && value)
		text_addf(faults, "%s%s is %u, expected 0: its unit is not modelled", before, w->name, value);
	if (is_read && !fits)
		text_addf(faults, "%s%s is %u, expected 1 to %u", before, w->name, value, PIPE_WIDTH_MAX);
	if (is_read)
		k->pipe_width[set_of_width(w)] = fits ? value : 1;
}

static void widths(struct reading *r, struct core_config *k)
{
	static const char option[] = "gpgpu_pipeline_widths";
	const char *text = config_string(r->c, option);
	struct text faults = {0};
	uint32_t v[16];
	const struct core_width_list *list = widths_of(k->model, numbers(text, ',', v, 16));
	if (!list)
		bad(r, option, "bad value '%s', expected %s numbers", text, k->model->widths_wanted);
	for (uint32_t i = 0; list && i < list->n; i++)
		width(k, &list->rows[i], v[i], &faults);
	if (faults.n)
		bad(r, option, "bad value '%s': %s", text, text_str(&faults));
	text_free(&faults);
}

#define LIST_MOST 6u /* more numbers than a list has are ignored, as in GPGPU-Sim */

static void latency_list(struct reading *r, const struct core_latency_list *l, struct core_latencies *out)
{
	uint32_t lat[LIST_MOST], init[LIST_MOST];
	char option[48];
	snprintf(option, sizeof option, "ptx_opcode_latency_%s", l->written ? l->written : l->name);
	const unsigned n = numbers(config_string(r->c, option), ',', lat, LIST_MOST);
	snprintf(option, sizeof option, "ptx_opcode_initiation_%s", l->name);
	const unsigned m = numbers(config_string(r->c, option), ',', init, LIST_MOST), given = n < m ? n : m;
	if (given < l->least) {
		bad(r, option, "bad value, expected %s here and in -ptx_opcode_latency_%s", l->wanted, l->name);
		return;
	}
	for (unsigned j = 0; j < given && j < l->most; j++) {
		if (!init[j] || init[j] > lat[j] || lat[j] > 511)
			bad(r, option, "initiation %u with latency %u: expected 1 <= initiation <= latency <= 511", init[j], lat[j]);
		out->of[l->first + j] = (struct core_times){(uint16_t)lat[j], (uint16_t)init[j]};
	}
}

static void latencies(struct reading *r, struct core_config *k)
{
	for (unsigned i = 0; i < LATENCIES; i++)
		k->latencies.of[i] = (struct core_times){1, 1};
	k->latencies.of[LATENCY_TENSOR] = (struct core_times){64, 64}; /* 4.x's default */
	for (uint32_t i = 0; i < k->model->n_latencies; i++)
		latency_list(r, &k->model->latencies[i], &k->latencies);
}

/* Units of a set that takes no instructions take part in the arbitration for register banks all the same. */
static void collectors(struct reading *r, struct core_config *k)
{
	for (uint32_t i = 0; i < k->model->n_collectors; i++) {
		const struct core_collector *set = &k->model->collectors[i];
		char option[64];
		snprintf(option, sizeof option, "gpgpu_operand_collector_num_units_%s", set->option);
		k->collector_units[i] = number(r, option);
		snprintf(option, sizeof option, "gpgpu_operand_collector_num_in_ports_%s", set->option);
		k->collector_in[i] = set->units ? number(r, option) : 0;
		snprintf(option, sizeof option, "gpgpu_operand_collector_num_out_ports_%s", set->option);
		k->collector_out[i] = set->units ? number(r, option) : 0;
	}
}

/* What 4.x adds to the LDST unit. */
static void ldst_v4(struct reading *r, struct core_config *k)
{
	k->smem_latency = 3;
	k->flit_bytes = 32;
	k->rules = r->machine->rules;
	if (!r->v4)
		return;
	k->flit_bytes = number(r, "icnt_flit_size");
	k->smem_latency = number(r, "gpgpu_smem_latency");
	k->l1_latency = number(r, "gpgpu_l1_latency");
	if (!k->smem_latency || k->smem_latency > SMEM_LATENCY_MAX)
		bad(r, "gpgpu_smem_latency", "%u, expected 1 to %u", k->smem_latency, SMEM_LATENCY_MAX);
	if (k->l1_latency > L1_LATENCY_MAX)
		bad(r, "gpgpu_l1_latency", "%u, at most %u is modelled", k->l1_latency, L1_LATENCY_MAX);
	if (k->l1_latency && number(r, "gpgpu_l1_banks") != 1)
		bad(r, "gpgpu_l1_banks", "%u, one bank is modelled", number(r, "gpgpu_l1_banks"));
}

static void check_core(struct reading *r, const struct core_config *k)
{
	if (k->n_warps > CORE_WARPS_MAX)
		bad(r, "gpgpu_shader_core_pipeline", "%u warps a core, at most %u are modelled", k->n_warps, CORE_WARPS_MAX);
	if (k->n_ctas > CORE_CTAS_MAX)
		bad(r, "gpgpu_shader_cta", "%u CTAs a core, at most %u are modelled", k->n_ctas, CORE_CTAS_MAX);
	if (k->cores_per_cluster > 64)
		bad(r, "gpgpu_n_cores_per_cluster", "%u, at most 64 are modelled", k->cores_per_cluster);
	if (k->warp_parts != 1 && k->warp_parts != 2)
		bad(r, "gpgpu_shmem_warp_parts", "%u, expected 1 or 2", k->warp_parts);
	if (k->coalesce_arch != 13 && (k->coalesce_arch < 20 || k->coalesce_arch > 39))
		bad(r, "gpgpu_coalesce_arch", "%u: the rules of 13 and of 20 to 39 are modelled", k->coalesce_arch);
}

static void units(struct reading *r, struct core_config *k)
{
	for (uint32_t i = 0; i < core_model_ldst(k->model); i++) {
		const char *name = k->model->units[i].option;
		char option[64];
		snprintf(option, sizeof option, "gpgpu_num_%s_units", name ? name : "");
		k->units[i] = name ? number(r, option) : 1;
		if (!k->units[i])
			bad(r, option, "a core needs at least one");
	}
}

/* ---- the textbook core ---- */

/* Returns the number of the word that an option's value is. An error is added, and 0 returned, if it is none of the n words. */
static unsigned word(struct reading *r, const char *option, const char *const *words, unsigned n)
{
	const char *text = config_string(r->c, option);
	struct text wanted = {0};
	unsigned k = 0;
	while (k < n && strcmp(text, words[k]))
		k++;
	for (unsigned i = 0; i < n; i++)
		text_addf(&wanted, "%s%s", !i ? "" : i + 1 < n ? ", " : " or ", words[i]);
	if (k == n)
		bad(r, option, "bad value '%s', expected %s", text, text_str(&wanted));
	text_free(&wanted);
	return k < n ? k : 0;
}

/* Reads exactly n numbers from an option, each from `least` (of the one at `may_be_0`: from 0) to `most`. */
static void exact_numbers(struct reading *r, const char *option, const char *wanted, uint32_t *out, unsigned n, unsigned may_be_0)
{
	const char *text = config_string(r->c, option);
	bool fits = numbers(text, ',', out, n) == n;
	for (unsigned k = 0; k < n && fits; k++)
		fits = (out[k] || k == may_be_0) && out[k] <= TEXTBOOK_NUMBER_MOST;
	if (!fits)
		bad(r, option, "bad value '%s', expected %s, each from 1 to %u", text, wanted, TEXTBOOK_NUMBER_MOST);
	for (unsigned k = 0; k < n && !fits; k++)
		out[k] = 1;
}

static void textbook(struct reading *r, struct core_config *k)
{
	static const char *const models[] = {"simt", "textbook"}, *const pairs[] = {"any", "fp32", "int32"},
				 *const policies[] = {"rr", "lowest", "ahead", "behind"};
	struct textbook_config *t = &k->textbook;
	t->is_on = word(r, "gpgpu_core_model", models, 2);
	t->issue_width = number(r, "gpgpu_textbook_issue_width");
	t->pairs = (enum textbook_pairs)word(r, "gpgpu_textbook_pairs", pairs, 3);
	t->policy = (enum textbook_policy)word(r, "gpgpu_textbook_policy", policies, 4);
	exact_numbers(r, "gpgpu_textbook_units", "FP32,INT32,FP64,SFU,LS (INT32 may be 0)", t->units, TEXTBOOK_UNITS, TEXTBOOK_INT32);
	exact_numbers(r, "gpgpu_textbook_latency", "FP32,INT32,FP64,SFU,CONTROL", t->latency, TEXTBOOK_LATENCY_SHARED, UINT32_MAX);
	exact_numbers(r, "gpgpu_textbook_memory_latency", "SHARED,GLOBAL", &t->latency[TEXTBOOK_LATENCY_SHARED], 2, UINT32_MAX);
	if (!t->is_on)
		return;
	k->schedulers = number(r, "gpgpu_textbook_schedulers");
	k->perfect_mem = true;
	k->rotate_cores = false;
}

static void core(struct reading *r, struct core_config *k)
{
	struct config_device d;
	config_device(r->c, &d);
	k->model = r->machine->core;
	k->threads = d.threads_per_core;
	k->n_warps = d.threads_per_core / d.warp_threads;
	k->warp_threads = d.warp_threads;
	if (d.stream_step)
		k->streams = (struct stream_config){
			.size = number(r, "gpgpu_stream_buffer_size"),
			.step = d.stream_step,
			.percent = number(r, "gpgpu_stream_in_flight_percent"),
			.batch = number(r, "gpgpu_stream_write_batch"),
			.request_size = number(r, "gpgpu_stream_request_size"),
		};
	k->n_ctas = d.ctas_per_core;
	k->n_clusters = d.n_clusters;
	k->cores_per_cluster = d.cores_per_cluster;
	k->n_cores = k->n_clusters * k->cores_per_cluster;
	k->schedulers = number(r, "gpgpu_num_sched_per_core");
	k->max_issue = number(r, "gpgpu_max_insn_issue_per_warp");
	k->reg_banks = number(r, "gpgpu_num_reg_banks");
	k->perfect_mem = config_bool(r->c, "gpgpu_perfect_mem");
	k->perfect_const = r->v4 && config_bool(r->c, "gpgpu_perfect_inst_const_cache");
	k->perfect_inst = k->perfect_const || config_bool(r->c, "gpgpu_perfect_inst_cache");
	k->shared_bytes = d.shared_bytes_per_core;
	k->shared_banks = number(r, "gpgpu_shmem_num_banks");
	k->warp_parts = number(r, "gpgpu_shmem_warp_parts");
	k->shared_limited_broadcast = config_bool(r->c, "gpgpu_shmem_limited_broadcast");
	k->coalesce_arch = number(r, "gpgpu_coalesce_arch");
	k->local_map = config_bool(r->c, "gpgpu_local_mem_map");
	k->ldst_response_fifo = number(r, "gpgpu_n_ldst_response_buffer_size");
	k->cluster_response_fifo = number(r, "gpgpu_n_cluster_ejection_buffer_size");
	k->clock_gated_lanes = config_bool(r->c, "gpgpu_clock_gated_lanes");
	writeback(r, k);
	k->rotate_cores = config_bool(r->c, "gpgpu_simt_core_sim_order");
	scheduler(r, k);
	widths(r, k);
	latencies(r, k);
	collectors(r, k);
	ldst_v4(r, k);
	caches(r, k);
	check_core(r, k);
	units(r, k);
	textbook(r, k);
}

/* ---- memory ---- */

static void queues(struct reading *r, struct partition_config *p)
{
	static const char option[] = "gpgpu_dram_partition_queues";
	uint32_t v[4];
	if (numbers(config_string(r->c, option), ':', v, 4) != 4 || !v[0] || !v[1] || !v[2] || !v[3]) {
		bad(r, option, "bad value '%s', expected ICNT_L2:L2_DRAM:DRAM_L2:L2_ICNT, each at least 1",
		    config_string(r->c, option));
		return;
	}
	if (r->v4 && v[0] < REQUEST_SECTORS)
		bad(r, option, "ICNT_L2 is %u: it needs room for the %u sectors of a line", v[0], REQUEST_SECTORS);
	p->icnt_to_l2 = v[0];
	p->l2_to_dram = v[1];
	p->dram_to_l2 = v[2];
	p->l2_to_icnt = v[3];
}

static bool dram(struct reading *r, struct dram_config *d)
{
	struct text why = {0};
	bool parsed = dram_timing_parse(config_string(r->c, "gpgpu_dram_timing_opt"), &d->t, &why);
	if (!parsed)
		bad(r, "gpgpu_dram_timing_opt", "%s", text_str(&why));
	text_free(&why);
	d->model = r->machine->dram;
	d->scheduler = dram_scheduler_of(config_int(r->c, "gpgpu_dram_scheduler"));
	d->queue_size = number(r, "gpgpu_frfcfs_dram_sched_queue_size");
	d->return_queue = number(r, "gpgpu_dram_return_queue_size");
	d->input_queue = 2;
	d->rules = r->machine->rules;
	if (r->v4) {
		d->low_groups = number(r, "dram_bnkgrp_indexing_policy") == 1;
		if (number(r, "dram_bnk_indexing_policy"))
			bad(r, "dram_bnk_indexing_policy", "hashed bank numbers are not modelled; expected 0");
		if (number(r, "dram_dual_bus_interface"))
			bad(r, "dram_dual_bus_interface", "two commands in one cycle are not modelled; expected 0");
		if (config_bool(r->c, "dram_seperate_write_queue_enable"))
			bad(r, "dram_seperate_write_queue_enable", "a write queue is not modelled; expected 0");
		if (config_bool(r->c, "gpgpu_simple_dram_model"))
			bad(r, "gpgpu_simple_dram_model", "DRAM of fixed latency is not modelled; expected 0");
	}
	d->chips = number(r, "gpgpu_n_mem_per_ctrlr");
	d->bus_width = number(r, "gpgpu_dram_buswidth");
	d->burst_length = number(r, "gpgpu_dram_burst_length");
	d->data_ratio = number(r, "dram_data_command_freq_ratio");
	return parsed;
}

static void partition(struct reading *r, struct timing_config *t)
{
	struct partition_config *p = &t->partition;
	struct text why = {0};
	p->n_partitions = number(r, "gpgpu_n_mem");
	p->subs_per_partition = number(r, "gpgpu_n_sub_partition_per_mchannel");
	cache(r, "gpgpu_cache:dl2", CACHE_DATA, &p->l2);
	p->rules = r->machine->rules;
	p->fill_by_copies = r->v4 && config_bool(r->c, "gpgpu_perf_sim_memcpy");
	if (r->v4 && number(r, "gpgpu_memory_partition_indexing"))
		bad(r, "gpgpu_memory_partition_indexing", "hashed partitions are not modelled; expected 0");
	p->l2_texture_only = config_bool(r->c, "gpgpu_cache:dl2_texture_only");
	queues(r, p);
	p->rop_latency = number(r, either_name(r, "rop_latency"));
	p->dram_latency = number(r, "dram_latency");
	bool good = dram(r, &p->dram) && config_sdram(r->c, &p->memory, r->diags);
	const char *map = config_string(r->c, "gpgpu_mem_addr_mapping");
	if (!address_map_init(&t->map, p->n_partitions, p->subs_per_partition, map, config_int(r->c, "gpgpu_mem_address_mask"),
			      &why))
		bad(r, "gpgpu_mem_addr_mapping", "%s", text_str(&why));
	else if (config_bool(r->c, "gpgpu_mem_addr_test") && !address_map_test(&t->map, &why))
		bad(r, "gpgpu_mem_addr_test", "%s", text_str(&why));
	else if (good && !partition_config_check(p, &t->map, &why))
		bad(r, "gpgpu_n_mem", "%s", text_str(&why));
	text_free(&why);
}

/* ---- clocks, network, sampling ---- */

static void clocks(struct reading *r, double period[4])
{
	static const char option[] = "gpgpu_clock_domains";
	const char *text = config_string(r->c, option), *s = text;
	for (unsigned i = 0; i < 4; i++) {
		char *end;
		double mhz = strtod(s, &end);
		if (end == s || !(mhz > 0) || mhz > 1e6 || *end != (i < 3 ? ':' : '\0')) {
			bad(r, option, "bad value '%s', expected CORE:ICNT:L2:DRAM in MHz", text);
			return;
		}
		period[i] = 1.0 / (mhz * 1e6);
		s = end + 1;
	}
}

/* Without a network file: one crossbar switch for each direction, of the size that is needed, as the network files that come with
 * GPGPU-Sim's Fermi configs describe it. */
static void own_crossbar(struct reading *r, struct timing_config *t)
{
	static const char *const values[][2] = {
		{"topology", "fly"}, {"n", "1"}, {"routing_function", "dest_tag"}, {"use_map", "0"},
		{"subnets", "2"}, {"network_count", "2"}, {"flit_size", "32"}, {"num_vcs", "1"},
		{"vc_buf_size", "8"}, {"wait_for_tail_credit", "0"}, {"vc_allocator", "islip"}, {"sw_allocator", "islip"},
		{"alloc_iters", "1"}, {"vc_alloc_delay", "1"}, {"sw_alloc_delay", "1"}, {"routing_delay", "0"},
		{"credit_delay", "0"}, {"input_speedup", "2"}, {"output_speedup", "1"}, {"internal_speedup", "1.0"},
		{"read_request_subnet", "0"}, {"read_reply_subnet", "1"}, {"write_request_subnet", "0"}, {"write_reply_subnet", "1"},
		{"read_request_begin_vc", "0"}, {"read_request_end_vc", "0"}, {"write_request_begin_vc", "0"}, {"write_request_end_vc", "0"},
		{"read_reply_begin_vc", "0"}, {"read_reply_end_vc", "0"}, {"write_reply_begin_vc", "0"}, {"write_reply_end_vc", "0"},
		{"sim_type", "gpgpusim"},
	};
	struct text why = {0}, k = {0};
	unsigned nodes = number(r, "gpgpu_n_clusters") + t->partition.n_partitions * t->partition.subs_per_partition;
	text_addf(&k, "%u", nodes);
	bool ok = icnt_config_set(t->icnt, "k", text_str(&k), &why);
	for (size_t i = 0; ok && i < sizeof values / sizeof *values; i++)
		ok = icnt_config_set(t->icnt, values[i][0], values[i][1], &why);
	if (!ok)
		bad(r, "inter_config_file", "%s", text_str(&why));
	if (ok)
		diag_add(r->diags, DIAG_NOTE, NULL, 0, 0, NULL, 0,
			 "no -inter_config_file is given: the network is a crossbar of %u nodes", nodes);
	text_free(&k);
	text_free(&why);
}

/* Of a configuration that was kept without its files. */
static void kept_network(struct reading *r, struct icnt_config *to)
{
	struct text why = {0};
	struct record_reader in = {r->c->network, r->c->network + r->c->n_network, false};
	const char *name, *value;
	while ((name = record_take_string(&in)) && (value = record_take_string(&in)))
		if (!icnt_config_set(to, name, value, &why))
			break;
	if (why.n)
		bad(r, "inter_config_file", "%s", text_str(&why));
	text_free(&why);
}

static bool readable(const struct config *c, const char *path)
{
	const int error = files_test(c->files, path);
	return !error || error == EISDIR || error == EINVAL; /* reading it says why not */
}

/* Path of a file that an option names: relative to the folder of the config file that set the option, then to the current one. False: no
 * such file. */
static bool file_beside(const struct config *c, const char *option, struct text *path)
{
	int row = config_option_find(option, strlen(option));
	const char *name = config_text(c, row), *from = c->values[row].file;
	const char *slash = from ? strrchr(from, '/') : NULL;
	if (slash && name[0] != '/') {
		text_addn(path, from, (size_t)(slash - from) + 1);
		text_add(path, name);
		if (readable(c, text_str(path)))
			return true;
		text_clear(path);
	}
	text_add(path, name);
	return *name && readable(c, text_str(path));
}

/* Returns whether there is a network file: the one that was set, or one with the default name, which a folder doesn't count as. */
static bool has_network_file(const struct config *c, struct text *path)
{
	return config_string(c, "inter_config_file") && file_beside(c, "inter_config_file", path) &&
	       (config_is_set(c, "inter_config_file") || files_test(c->files, text_str(path)) != EISDIR);
}

static void network(struct reading *r, struct timing_config *t)
{
	const char *name = config_string(r->c, "inter_config_file");
	struct text path = {0};
	t->icnt = icnt_config_create();
	if (t->core.textbook.is_on)
		return;
	if (r->c->network && config_int(r->c, "network_mode") == 1) {
		kept_network(r, t->icnt);
		return;
	}
	if (config_int(r->c, "network_mode") != 1)
		bad(r, "network_mode", "the built-in crossbar of 4.x (2) is not modelled; expected 1");
	else if (has_network_file(r->c, &path))
		icnt_config_load(t->icnt, r->c->files, text_str(&path), r->diags);
	else if (config_is_set(r->c, "inter_config_file"))
		bad(r, "inter_config_file", "can't find '%s'", name ? name : "");
	else
		own_crossbar(r, t);
	text_free(&path);
}

static void sampling(struct reading *r, struct timing_config *t)
{
	const char *text = config_string(r->c, "gpgpu_runtime_stat");
	char *end;
	t->stat_sample_freq = strtoull(text, &end, 10);
	t->runtime_flags = *end == ':' ? (uint32_t)strtoul(end + 1, NULL, 16) : 0;
	t->memlatency_stat = number(r, "gpgpu_memlatency_stat");
	t->flush_l1 = config_bool(r->c, "gpgpu_flush_l1_cache");
	t->flush_l2 = (uint64_t)config_int(r->c, "gpgpu_flush_l2_cache");
	if (r->v4 && !t->core.textbook.is_on) {
		t->launch_latency = (uint64_t)config_int(r->c, "gpgpu_kernel_launch_latency");
		t->cta_launch_latency = (uint64_t)config_int(r->c, "gpgpu_TB_launch_latency");
	}
	if (!t->stat_sample_freq)
		t->stat_sample_freq = UINT64_MAX;
}

bool config_timing(const struct config *c, struct timing_config *out, struct diag_list *diags)
{
	struct reading r = {.c = c, .diags = diags, .v4 = c->baseline == 4, .machine = machine_of_baseline(c->baseline)};
	size_t before = diags->n_errors;
	*out = (struct timing_config){0};
	core(&r, &out->core);
	partition(&r, out);
	clocks(&r, out->period);
	network(&r, out);
	sampling(&r, out);
	config_refuse_unmodelled(c, true, diags);
	return diags->n_errors == before;
}
