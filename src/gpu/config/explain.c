/* What the values of options mean that are texts of several numbers or letters, for `info config`. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/config/config_internal.h"
#include "timing/cache/cache.h"
#include "timing/cache/cache_print.h"
#include "timing/common/address.h"
#include "timing/dram/dram.h"
#include "timing/machines/machine.h"

/* ---- numbers in a row ---- */

#define NAMES 13u

static const struct {
	const char *option; /* or how several begin */
	char separator;
	const char *unit;
	const char *name[NAMES]; /* NULL: no more */
} rows[] = {
	{"gpgpu_clock_domains", ':', " MHz", {"cores", "network", "L2", "DRAM commands"}},
	{"gpgpu_dram_partition_queues", ':', "", {"network to L2", "L2 to DRAM", "DRAM to L2", "L2 to network"}},
	{"ptx_opcode_latency_", ',', "", {"add", "max and min", "mul", "mad", "div", "shfl"}},
	{"ptx_opcode_initiation_", ',', "", {"add", "max and min", "mul", "mad", "div", "shfl"}},
};

static void add_numbers(const char *value, char separator, const char *const name[NAMES], const char *unit, struct text *out)
{
	for (unsigned k = 0; *value && k < NAMES && name[k]; k++) {
		const char *end = strchr(value, separator);
		const size_t n = end ? (size_t)(end - value) : strlen(value);
		text_addf(out, "%s%s %.*s%s", k ? ", " : "", name[k], (int)n, value, unit);
		value += n + (end ? 1 : 0);
	}
}

static void explain_numbers(const char *option, const char *value, struct text *out)
{
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const size_t n = strlen(rows[k].option);
		if (!strncmp(option, rows[k].option, n) && (!option[n] || rows[k].option[n - 1] == '_'))
			add_numbers(value, rows[k].separator, rows[k].name, rows[k].unit, out);
	}
}

/* Appends each number with the pipeline register that the machine has for it. */
static void explain_widths(const struct config *c, const char *value, struct text *out)
{
	const struct core_model *m = machine_of_baseline(c->baseline)->core;
	const char *name[NAMES + 1] = {NULL};
	uint32_t n = 1, list = 0;
	for (const char *s = value; *s; s++)
		n += *s == ',';
	while (list + 1 < m->n_widths && m->widths[list].n < n)
		list++;
	for (uint32_t k = 0; k < m->widths[list].n && k < NAMES; k++)
		name[k] = m->widths[list].rows[k].name;
	add_numbers(value, ',', name, "", out);
}

/* ---- others ---- */

static bool is_cache(const char *option)
{
	return !strncmp(option, "gpgpu_cache:", 12) ? strcmp(option, "gpgpu_cache:dl2_texture_only") : strstr(option, "_cache:l1") != NULL;
}

static void explain_cache(const struct config *c, const char *value, struct text *out)
{
	struct cache_config cfg;
	struct text why = {0};
	if (cache_config_parse(value, c->baseline == 4, &cfg, &why) && !cfg.disabled)
		cache_config_describe(&cfg, out);
	text_free(&why);
}

/* 3.2.2 takes the number of bits that write the banks of a group in binary for the number that count them. */
static void add_banks(const struct config *c, const struct dram_timing *t, struct text *out)
{
	text_addf(out, "%" PRIu32 " banks", t->nbk);
	if (t->nbkgrp < 2)
		return;
	text_addf(out, " in %" PRIu32 " groups", t->nbkgrp);
	if (c->baseline != 4)
		text_addf(out, " (3.2.2 makes %" PRIu32 " of them)", ((t->nbk - 1) >> (32 - __builtin_clz(t->nbk / t->nbkgrp))) + 1);
}

static void explain_timing(const struct config *c, const char *value, struct text *out)
{
	struct dram_timing t;
	struct text why = {0};
	if (dram_timing_parse(value, &t, &why)) {
		add_banks(c, &t, out);
		text_addf(out,
			  "; in command cycles: column command to the next %" PRIu32 ", activate to activate of another bank %" PRIu32
			  ", to a column command %" PRIu32 ", to precharge at least %" PRIu32 ", to activate of the bank %" PRIu32 ", precharge %" PRIu32
			  ", read latency %" PRIu32 ", write latency %" PRIu32 ", written data to a read %" PRIu32 ", to precharge %" PRIu32,
			  t.ccd, t.rrd, t.rcd, t.ras, t.rc, t.rp, t.cl, t.wl, t.cdlr, t.wr);
		if (t.nbkgrp > 1)
			text_addf(out, "; in a group column command to the next %" PRIu32 ", read to precharge %" PRIu32, t.ccdl, t.rtpl);
	}
	text_free(&why);
}

static void add_bits(const char *name, uint64_t mask, struct text *out)
{
	text_addf(out, "%s%s ", out->n ? "; " : "", name);
	if (!mask)
		text_add(out, "none");
	for (unsigned bit = 0; mask >> bit && bit < 64; bit++) {
		unsigned end = bit;
		if (!(mask >> bit & 1))
			continue;
		while (end < 63 && mask >> (end + 1) & 1)
			end++;
		text_addf(out, mask & ((UINT64_C(1) << bit) - 1) ? ", %u" : "bits %u", bit);
		if (end > bit)
			text_addf(out, " to %u", end);
		bit = end;
	}
}

static void explain_mapping(const struct config *c, const char *value, struct text *out)
{
	struct address_map m;
	struct text why = {0}, bits = {0};
	if (*value && address_map_init(&m, (uint32_t)config_int(c, "gpgpu_n_mem"), (uint32_t)config_int(c, "gpgpu_n_sub_partition_per_mchannel"), value,
			     config_int(c, "gpgpu_mem_address_mask"), &why)) {
		add_bits("row", m.row_mask, &bits);
		add_bits("bank", m.bank_mask, &bits);
		add_bits("column", m.column_mask, &bits);
		if (m.gap)
			text_addf(&bits, "; channel: what is above bit %" PRIu32 ", modulo %" PRIu32 " (the others are bits of the quotient)", m.channel_bit,
				  m.channels);
		else
			add_bits("channel", m.channel_mask, &bits);
		text_add(out, text_str(&bits));
	}
	text_free(&why);
	text_free(&bits);
}

static void explain_pipeline(const char *value, struct text *out)
{
	char *end;
	const unsigned long threads = strtoul(value, &end, 10), warp = *end == ':' ? strtoul(end + 1, NULL, 10) : 0;
	if (warp)
		text_addf(out, "%lu threads on a core: %lu warp%s of %lu", threads, threads / warp, threads / warp == 1 ? "" : "s", warp);
}

static void explain_runtime(const char *value, struct text *out)
{
	char *end;
	const unsigned long long every = strtoull(value, &end, 10);
	const unsigned long flags = *end == ':' ? strtoul(end + 1, NULL, 16) : 0;
	if (!every)
		return;
	text_addf(out, "every %llu core cycles a sample and a window of latencies", every);
	text_addf(out, "%s%s%s", flags & 0x2 ? "; DRAM channels are printed" : "", flags & 0x10 ? "; L1 misses are printed" : "",
		  flags & 0x40 ? "; instructions by warp are printed" : "");
}

void config_explain(const struct config *c, int row, struct text *out)
{
	const char *option = config_options[row].name, *value = config_text(c, row);
	if (is_cache(option))
		explain_cache(c, value, out);
	else if (!strcmp(option, "gpgpu_dram_timing_opt"))
		explain_timing(c, value, out);
	else if (!strcmp(option, "gpgpu_mem_addr_mapping"))
		explain_mapping(c, value, out);
	else if (!strcmp(option, "gpgpu_shader_core_pipeline"))
		explain_pipeline(value, out);
	else if (!strcmp(option, "gpgpu_pipeline_widths"))
		explain_widths(c, value, out);
	else if (!strcmp(option, "gpgpu_runtime_stat"))
		explain_runtime(value, out);
	else
		explain_numbers(option, value, out);
}
