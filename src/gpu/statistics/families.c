/* Statistics of which there are many: a figure for each kind of access, number of lanes, reason. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gpu/statistics/statistics_internal.h"

static void give(statistic_fn *fn, void *self, const char *name, uint64_t n)
{
	fn(self, name, (struct statistic_value){.whole = true, .n = n});
}

static void each_cell(const char *table, const struct cache_stats *s, statistic_fn *fn, void *self)
{
	char name[128];
	for (unsigned type = 0; type < ACCESS_TYPE_COUNT; type++)
		for (unsigned outcome = 0; outcome < CACHE_OUTCOMES; outcome++) {
			if (!s->count[type][outcome])
				continue;
			snprintf(name, sizeof name, "%s[%s][%s]", table, access_type_names[type], cache_outcome_names[outcome]);
			give(fn, self, name, s->count[type][outcome]);
		}
}

void statistics_each_core_breakdown(const struct statistics *s, statistic_fn *fn, void *self)
{
	struct cache_stats all = s->n.l1i;
	cache_stats_add(&all, &s->n.l1d);
	cache_stats_add(&all, &s->n.l1c);
	cache_stats_add(&all, &s->n.l1t);
	each_cell("Total_core_cache_stats_breakdown", &all, fn, self);
}

void statistics_each_l2_breakdown(const struct statistics *s, statistic_fn *fn, void *self)
{
	each_cell("L2_cache_stats_breakdown", &s->n.l2, fn, self);
}

void statistics_each_occupancy(const struct statistics *s, statistic_fn *fn, void *self)
{
	char name[16];
	for (unsigned lanes = 1; lanes <= s->warp_threads; lanes++) {
		snprintf(name, sizeof name, "W%u", lanes);
		give(fn, self, name, s->n.core.occupancy[lanes]);
	}
}

/* ---- traffic ---- */

const uint8_t statistics_traffic_order[TRAFFIC_ROWS] = {
	CONST_ACC_R, GLOBAL_ACC_R, GLOBAL_ACC_W, ACCESS_TYPE_COUNT, INST_ACC_R,	  L1_WRBK_ACC,
	L1_WR_ALLOC_R, L2_WRBK_ACC, L2_WR_ALLOC_R, LOCAL_ACC_R, LOCAL_ACC_W, TEXTURE_ACC_R,
};

const char *statistics_traffic_name(uint32_t row)
{
	return row == ACCESS_TYPE_COUNT ? "GLOBAL_ATOMIC" : access_type_names[row];
}

static void each_type(const char *direction, const uint64_t *bytes, const uint64_t *packets, statistic_fn *fn, void *self)
{
	char name[128];
	for (uint32_t k = 0; k < TRAFFIC_ROWS; k++) {
		const uint32_t row = statistics_traffic_order[k];
		if (!packets[row])
			continue;
		snprintf(name, sizeof name, "traffic_breakdown_%s[%s]", direction, statistics_traffic_name(row));
		give(fn, self, name, bytes[row]);
	}
}

void statistics_each_traffic_out(const struct statistics *s, statistic_fn *fn, void *self)
{
	each_type("coretomem", s->n.bytes_out, s->n.packets_out, fn, self);
}

void statistics_each_traffic_in(const struct statistics *s, statistic_fn *fn, void *self)
{
	each_type("memtocore", s->n.bytes_in, s->n.packets_in, fn, self);
}

/* ---- latencies ---- */

static void each_bin(const char *table, const uint64_t *bins, unsigned n, statistic_fn *fn, void *self)
{
	char name[64];
	for (unsigned k = 0; k < n; k++) {
		snprintf(name, sizeof name, "%s[%u]", table, k);
		if (bins[k])
			give(fn, self, name, bins[k]);
	}
}

void statistics_each_latency_bin(const struct statistics *s, statistic_fn *fn, void *self)
{
	each_bin("mrq_lat_table", s->n.partition.mrq_latency_table, 32, fn, self);
	each_bin("mf_lat_table", s->n.latency.mf_table, 32, fn, self);
	each_bin("icnt2mem_lat_table", s->n.partition.icnt_to_mem_latency_table, 24, fn, self);
	each_bin("icnt2sh_lat_table", s->n.latency.icnt2sh_table, 24, fn, self);
	each_bin("mf_lat_pw_table", s->n.latency.mf_window_table, 32, fn, self);
}

/* ---- network ---- */

/* A line "NAME = NUMBER ..." of the network's block; a line that begins with a tab belongs to the one before. */
static void network_line(const char *line, char title[64], bool overall, statistic_fn *fn, void *self)
{
	char name[160], word[64];
	double v;
	if (sscanf(line, "%63[^=\n]= %lf", word, &v) != 2 || !isfinite(v))
		return;
	for (size_t n = strlen(word); n && word[n - 1] == ' ';)
		word[--n] = '\0';
	if (*word != '\t')
		snprintf(title, 64, "%s", word);
	snprintf(name, sizeof name, "%s%s%s%s", overall ? "Overall " : "", title, *word == '\t' ? " " : "", *word == '\t' ? word + 1 : "");
	fn(self, name, (struct statistic_value){.real = v});
}

void statistics_each_of_network(const char *printed, statistic_fn *fn, void *self)
{
	char title[64] = "";
	bool overall = false;
	while (*printed) {
		overall = overall || !strncmp(printed, "====== Overall", 14);
		network_line(printed, title, overall, fn, self);
		printed += strcspn(printed, "\n");
		printed += *printed == '\n';
	}
}

/* ---- stalls ---- */

void statistics_each_stall_reason(const struct statistics *s, statistic_fn *fn, void *self)
{
	static const char *const spaces[STALL_SPACES] = {"c_mem",    "t_mem",	 "s_mem",   "g_mem_ld",
							 "l_mem_ld", "g_mem_st", "l_mem_st"};
	static const char *const reasons[STALL_REASONS] = {"none",	 "bk_conf",	    "mshr_rc",	  "icnt_rc",
							   "coal_stall", "data_port_stall", "wb_icnt_rc", "wb_rsrv_fail", "stream_buffer_read_stall", "stream_buffer_write_stall"};
	char name[64];
	for (unsigned space = 0; space < STALL_SPACES; space++)
		for (unsigned why = STALL_NONE + 1; why < STALL_REASONS; why++) {
			if (!s->n.core.true_stall[space][why])
				continue;
			snprintf(name, sizeof name, "stall_reason[%s][%s]", spaces[space], reasons[why]);
			give(fn, self, name, s->n.core.true_stall[space][why]);
		}
}
