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
#include "timing/core/scheduler.h"

struct reading {
	const struct config *c;
	struct diag_list *diags;
	bool v4; /* the options are those of 4.x */
	struct timing_rules rules;
};

__attribute__((format(printf, 3, 4))) static void bad(struct reading *r, const char *option, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	diag_add(r->diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "-%s: %s", option, text_str(&t));
	text_free(&t);
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
	out->rules = r->rules;
	text_free(&why);
}

static void caches(struct reading *r, struct core_config *k)
{
	cache(r, "gpgpu_cache:il1", CACHE_READ_ONLY, &k->l1i);
	cache(r, "gpgpu_const_cache:l1", CACHE_READ_ONLY, &k->l1c);
	cache(r, "gpgpu_tex_cache:l1", CACHE_TEXTURE, &k->l1t);
	cache(r, "gpgpu_cache:dl1", CACHE_DATA, &k->l1d);
	cache(r, "gpgpu_cache:dl1PrefL1", CACHE_DATA, &k->l1d_pref_l1);
	cache(r, r->v4 ? "gpgpu_cache:dl1PrefShared" : "gpgpu_cache:dl1PreShared", CACHE_DATA, &k->l1d_pref_shared);
	if (k->l1i.disabled)
		bad(r, "gpgpu_cache:il1", "a core needs an instruction cache");
	if (k->l1c.disabled)
		bad(r, "gpgpu_const_cache:l1", "a core needs a constant cache");
	if (k->l1t.disabled)
		bad(r, "gpgpu_tex_cache:l1", "a core needs a texture cache");
	k->skip_l1d = config_bool(r->c, r->v4 ? "gpgpu_gmem_skip_L1D" : "gmem_skip_L1D");
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

/* 4.x names DP, INT (and tensor) stages too: ID_OC SP,DP,INT,SFU,MEM, OC_EX the same, EX_WB, tensor. */
static unsigned place_in_v4(unsigned set)
{
	return set == EX_WB ? 10 : unit_rules[set % UNIT_KINDS].v4 + (set < UNIT_KINDS ? 0 : 5);
}

static void widths(struct reading *r, struct core_config *k)
{
	static const char option[] = "gpgpu_pipeline_widths";
	const char *text = config_string(r->c, option);
	uint32_t v[16];
	unsigned n = numbers(text, ',', v, 16);
	if (n != PIPE_SETS && !(r->v4 && (n == 11 || n == 13))) {
		r->v4 ? bad(r, option, "bad value '%s', expected 11 or 13 numbers", text)
		      : bad(r, option, "bad value '%s', expected %u numbers", text, (unsigned)PIPE_SETS);
		return;
	}
	for (unsigned i = 0; i < PIPE_SETS; i++) {
		k->pipe_width[i] = v[n == PIPE_SETS ? i : place_in_v4(i)];
		if (k->pipe_width[i] < 1 || k->pipe_width[i] > PIPE_WIDTH_MAX) {
			bad(r, option, "bad value '%s', widths are 1 to %u", text, PIPE_WIDTH_MAX);
			k->pipe_width[i] = 1;
		}
	}
	if (n > PIPE_SETS && (v[1] || v[2]))
		bad(r, option, "separate DP and INT units are not modelled; expected 0 for their widths in '%s'", text);
}

static void sfu_latency(struct reading *r, struct timing_latencies *out)
{
	uint32_t latency, initiation;
	if (numbers(config_string(r->c, "ptx_opcode_latency_sfu"), ',', &latency, 1) != 1 ||
	    numbers(config_string(r->c, "ptx_opcode_initiation_sfu"), ',', &initiation, 1) != 1 || !initiation ||
	    initiation > latency || latency > 511) {
		bad(r, "ptx_opcode_latency_sfu", "expected one number here and in -ptx_opcode_initiation_sfu, 1 <= initiation <= latency <= 511");
		return;
	}
	out->sfu_latency = (uint16_t)latency;
	out->sfu_initiation = (uint16_t)initiation;
}

static void latencies(struct reading *r, struct timing_latencies *out)
{
	static const char *const kinds[3] = {"int", "fp", "dp"};
	for (unsigned i = 0; i < 3; i++) {
		uint32_t lat[6], init[6];
		char option[48];
		snprintf(option, sizeof option, "ptx_opcode_latency_%s", kinds[i]);
		const char *text = config_string(r->c, option);
		unsigned n = numbers(text, ',', lat, 6);
		snprintf(option, sizeof option, "ptx_opcode_initiation_%s", kinds[i]);
		unsigned m = numbers(config_string(r->c, option), ',', init, 6);
		if (n < 5 || m < 5) {
			bad(r, option, "bad value, expected five numbers ADD,MAX,MUL,MAD,DIV here and in -ptx_opcode_latency_%s",
			    kinds[i]);
			continue;
		}
		const unsigned all = r->v4 && i == 0 && n == 6 && m == 6 ? 6 : 5;
		for (unsigned j = 0; j < all; j++) {
			if (!init[j] || init[j] > lat[j] || lat[j] > 511)
				bad(r, option, "initiation %u with latency %u: expected 1 <= initiation <= latency <= 511", init[j],
				    lat[j]);
			out->latency[i][j] = (uint16_t)lat[j];
			out->initiation[i][j] = (uint16_t)init[j];
		}
		if (all == 5) /* SHFL, if it isn't said */
			out->latency[i][5] = out->initiation[i][5] = 1;
	}
	out->more_classes = r->rules.more_classes;
	if (r->rules.more_classes)
		sfu_latency(r, out);
}

static void collectors(struct reading *r, struct core_config *k)
{
	for (unsigned i = 0; i < COLLECTOR_SETS; i++) {
		const char *set = i == COLLECTOR_GEN ? "gen" : unit_rules[i].option;
		char option[64];
		snprintf(option, sizeof option, "gpgpu_operand_collector_num_units_%s", set);
		k->collector_units[i] = number(r, option);
		snprintf(option, sizeof option, "gpgpu_operand_collector_num_in_ports_%s", set);
		k->collector_in[i] = number(r, option);
		snprintf(option, sizeof option, "gpgpu_operand_collector_num_out_ports_%s", set);
		k->collector_out[i] = number(r, option);
	}
	if (!r->v4)
		return;
	/* their units take part in the arbitration for register banks even where the machine has no such function units */
	k->collector_dp = number(r, "gpgpu_operand_collector_num_units_dp");
	k->collector_tensor = number(r, "gpgpu_operand_collector_num_units_tensor_core");
	k->collector_int = number(r, "gpgpu_operand_collector_num_units_int");
}

/* What 4.x adds to the LDST unit. */
static void ldst_v4(struct reading *r, struct core_config *k)
{
	k->smem_latency = 3;
	k->flit_bytes = 32;
	k->rules = r->rules;
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
	for (unsigned i = 0; i < UNIT_MEM; i++) {
		char option[64];
		snprintf(option, sizeof option, "gpgpu_num_%s_units", unit_rules[i].option);
		k->units[i] = number(r, option);
		if (!k->units[i])
			bad(r, option, "a core needs at least one");
	}
}

static void core(struct reading *r, struct core_config *k)
{
	struct config_device d;
	config_device(r->c, &d);
	k->threads = d.threads_per_core;
	k->n_warps = d.threads_per_core / LANES;
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
	latencies(r, &k->latencies);
	collectors(r, k);
	ldst_v4(r, k);
	caches(r, k);
	check_core(r, k);
	units(r, k);
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
	d->model = &dram_gddr;
	d->scheduler = dram_scheduler_of(config_int(r->c, "gpgpu_dram_scheduler"));
	d->queue_size = number(r, "gpgpu_frfcfs_dram_sched_queue_size");
	d->return_queue = number(r, "gpgpu_dram_return_queue_size");
	d->input_queue = 2;
	d->rules = r->rules;
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
	p->rules = r->rules;
	p->fill_by_copies = r->v4 && config_bool(r->c, "gpgpu_perf_sim_memcpy");
	if (r->v4 && number(r, "gpgpu_memory_partition_indexing"))
		bad(r, "gpgpu_memory_partition_indexing", "hashed partitions are not modelled; expected 0");
	p->l2_texture_only = config_bool(r->c, "gpgpu_cache:dl2_texture_only");
	queues(r, p);
	p->rop_latency = number(r, r->v4 ? "gpgpu_l2_rop_latency" : "rop_latency");
	p->dram_latency = number(r, "dram_latency");
	bool good = dram(r, &p->dram);
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

static void network(struct reading *r, struct timing_config *t)
{
	const char *name = config_string(r->c, "inter_config_file");
	struct text path = {0};
	t->icnt = icnt_config_create();
	if (r->c->network && config_int(r->c, "network_mode") == 1) {
		kept_network(r, t->icnt);
		return;
	}
	if (config_int(r->c, "network_mode") != 1)
		bad(r, "network_mode", "the built-in crossbar of 4.x (2) is not modelled; expected 1");
	else if (name && file_beside(r->c, "inter_config_file", &path))
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
	if (r->v4) {
		t->launch_latency = (uint64_t)config_int(r->c, "gpgpu_kernel_launch_latency");
		t->cta_launch_latency = (uint64_t)config_int(r->c, "gpgpu_TB_launch_latency");
	}
	if (!t->stat_sample_freq)
		t->stat_sample_freq = UINT64_MAX;
}

bool config_timing(const struct config *c, struct timing_config *out, struct diag_list *diags)
{
	struct reading r = {.c = c, .diags = diags, .v4 = c->baseline == 4};
	if (r.v4)
		r.rules = timing_rules_42();
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
