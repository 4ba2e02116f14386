/* `dram replay`: a memory of the configured DRAM standard takes a trace of accesses. `info dram`: the standards. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/limits.h"
#include "base/xalloc.h"
#include "command/dump/dump_info.h"
#include "command/info.h"
#include "command/perf/dram_replay.h"
#include "debug/ground/scan.h"
#include "debug/ground/ground.h"
#include "gpu/config/config_sdram.h"
#include "gpu/gpu.h"

#define TRACE_BYTES_MAX (UINT64_C(1) << 30)

/* ---- the trace ---- */

struct trace {
	struct sdram_access *at;
	uint32_t n;
};

/* Reads a line: hexadecimal address, blanks, R or W or nothing. */
static bool parse_line(char *line, struct sdram_access *out)
{
	char *end;
	while (isspace((unsigned char)*line))
		line++;
	if (!isxdigit((unsigned char)*line))
		return false;
	errno = 0;
	out->address = strtoull(line, &end, 16);
	const bool has_gap = isspace((unsigned char)*end) || !*end;
	while (isspace((unsigned char)*end))
		end++;
	out->is_write = *end == 'W';
	end += *end == 'R' || *end == 'W';
	while (isspace((unsigned char)*end))
		end++;
	return !errno && has_gap && !*end;
}

static bool parse_trace(const char *path, char *bytes, struct trace *out, struct text *why)
{
	size_t cap = 0;
	unsigned number = 0;
	char *rest = bytes;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		number++;
		if (!*line && !rest)
			break;
		out->at = xgrow(out->at, &cap, out->n + 1, sizeof *out->at);
		if (!parse_line(line, &out->at[out->n++]))
			return debug_fail(why, "%s:%u: bad line, expected a hexadecimal address and R or W", path, number);
	}
	return true;
}

static bool read_trace(const struct debug *d, const char *path, struct trace *out, struct text *why)
{
	size_t n;
	char *bytes = files_read(d->host.files, path, FILES_READ, TRACE_BYTES_MAX, &n);
	if (!bytes)
		return debug_fail(why, "can't read '%s': %s", path, strerror(errno));
	bool ok = n <= TRACE_BYTES_MAX || debug_fail(why, "'%s' is larger than a gigabyte", path);
	ok = ok && (strlen(bytes) == n || debug_fail(why, "'%s' is no text", path));
	ok = ok && parse_trace(path, bytes, out, why);
	free(bytes);
	return ok;
}

/* ---- what happens ---- */

/* The files that a replay writes, as texts. */
struct log {
	const struct sdram_standard *standard;
	struct text commands, requests;
};

static void log_command(void *self, int64_t cycle, const char *name, const int32_t *at)
{
	struct log *l = self;
	text_addf(&l->commands, "%" PRId64 " %s", cycle, name);
	for (unsigned k = 0; k < l->standard->n_levels; k++)
		text_addf(&l->commands, " %" PRId32, at[l->standard->level[k]]);
	text_addc(&l->commands, '\n');
}

static void log_request(void *self, int64_t cycle, const struct sdram_request *r)
{
	struct log *l = self;
	text_addf(&l->requests, "%u %c %" PRId64 " %" PRId64 " %s\n", r->tag, r->type == SDRAM_WRITE ? 'W' : 'R', r->arrive, cycle,
		  sdram_kind_names[r->kind]);
}

static void add_statistic(void *self, const char *name, uint64_t value)
{
	struct report *answer = self;
	report_open(answer, NULL);
	report_text(answer, "name", name);
	report_number(answer, "value", value);
	report_line(answer, "{name} = {value}\n");
	report_close(answer);
}

static bool is_interrupted(void *self) { return debug_interrupted(self); }

/* ---- the command ---- */

/* The words of the command line. */
struct words {
	char *trace, *commands, *requests;
};

static bool take_words(char *args, struct words *w, struct text *why)
{
	char *words[4] = {0}, *save = NULL;
	unsigned n = 0;
	for (char *s = strtok_r(args, " \t", &save); s && n < 4; s = strtok_r(NULL, " \t", &save))
		words[n++] = s;
	if (n < 2 || strcmp(words[0], "replay"))
		return debug_fail(why, "usage: dram replay TRACE [COMMANDS [REQUESTS]]");
	*w = (struct words){words[1], words[2], words[3]};
	return true;
}

static bool write_log(const struct debug *d, const char *path, const struct text *t, struct text *why)
{
	return !path || files_write(d->host.files, path, text_str(t), t->n) || debug_fail(why, "can't write '%s': %s", path, strerror(errno));
}

/* Replays a trace in a memory of its own, which is made in `a`. */
static bool replay(struct debug *d, const struct sdram_config *cfg, const struct words *w, const struct trace *t, struct arena *a, struct report *answer,
		   struct text *why)
{
	struct timing_memory m;
	struct log log = {.standard = cfg->standard};
	struct sdram *memory = timing_memory_init(&m, a, machine_limits_of_host()) ? sdram_create(&m, cfg) : NULL;
	if (!memory)
		return debug_fail(why, "no host memory for the DRAM");
	const struct sdram_observer observer = {&log, w->commands ? log_command : NULL, w->requests ? log_request : NULL};
	sdram_observe(memory, &observer);
	bool ok = sdram_replay(memory, t->at, t->n, is_interrupted, d) || debug_fail(why, "interrupted");
	ok = ok && write_log(d, w->commands, &log.commands, why) && write_log(d, w->requests, &log.requests, why);
	if (ok) {
		report_list(answer, "statistics");
		sdram_each_statistic(memory, add_statistic, answer);
		report_close(answer);
	}
	sdram_destroy(memory);
	text_free(&log.commands);
	text_free(&log.requests);
	return ok;
}

bool command_dram(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct diag_list diags;
	struct sdram_config cfg;
	struct words w = {0};
	struct trace t = {0};
	struct arena a;
	char *line = xstrdup(scan_blanks(args));
	diag_list_init(&diags);
	bool ok = take_words(line, &w, why);
	if (ok && (!config_sdram(gpu_config(d->g), &cfg, &diags) || !cfg.standard))
		ok = debug_fail(why, "the machine has GPGPU-Sim's own DRAM, which takes no traces: choose a standard with -gpgpu_dram_standard");
	ok = ok && read_trace(d, w.trace, &t, why);
	if (ok) {
		arena_init(&a);
		ok = replay(d, &cfg, &w, &t, &a, answer, why);
		arena_free(&a);
	}
	diag_list_free(&diags);
	free(t.at);
	free(line);
	return ok;
}

/* ---- info dram standards ---- */

/* Appends the names of a standard's organisations or speeds. */
static void add_names(struct report *answer, const char *name, const char *standard, const char *first, size_t step, unsigned n)
{
	const char *last = "";
	report_list(answer, name);
	for (unsigned k = 0; k < n; k++) {
		const char *own;
		memcpy(&own, first + k * step, sizeof own);
		if (strcmp(own, last))
			report_textf(answer, NULL, "%s_%s", standard, own);
		last = own;
	}
	report_close(answer);
}

static bool info_standards(struct report *answer)
{
	report_list(answer, "standards");
	for (unsigned k = 0; k < sdram_standard_count; k++) {
		const struct sdram_standard *t = sdram_standards[k];
		for (unsigned v = 0; v < sdram_names_of(t); v++) {
			report_open(answer, NULL);
			report_text(answer, "name", sdram_standard_name(t, v));
			add_names(answer, "organisations", t->name, (const char *)&t->organisation->name, sizeof *t->organisation, t->n_organisations);
			add_names(answer, "speeds", t->name, (const char *)&t->speed->name, sizeof *t->speed, t->n_speeds);
			report_line(answer, "{name}\n  organisations: {organisations}\n  speeds: {speeds}\n");
			report_close(answer);
		}
	}
	report_close(answer);
	return true;
}

/* ---- info dram ---- */

/* Adds the number of a place in a level, or a dash if the memory has no such level. */
static void add_level(struct report *answer, const struct sdram_standard *s, const struct sdram_part_view *v, enum sdram_level level)
{
	for (unsigned k = 0; k < s->n_levels; k++)
		if (s->level[k] == level) {
			report_number(answer, NULL, (uint64_t)v->at[level]);
			return;
		}
	report_none(answer, NULL, "-");
}

static void add_open_rows(const struct sdram *m, struct report *answer)
{
	static const char *const titles[] = {"Channel", "Rank", "Group", "Bank", "Subarray", "Row", "Accesses", "Closable in", "<State"};
	const struct sdram_config *c = sdram_get_config(m);
	report_table(answer, "rows", titles, 9);
	for (uint32_t channel = 0; channel < c->channels; channel++)
		for (uint32_t k = 0; k < sdram_part_count(m); k++) {
			struct sdram_part_view v;
			sdram_get_part(m, channel, k, &v);
			if (!v.is_open)
				continue;
			report_row(answer, false);
			for (unsigned l = SDRAM_CHANNEL; l <= SDRAM_SUBARRAY; l++)
				add_level(answer, c->standard, &v, (enum sdram_level)l);
			report_hex(answer, NULL, (uint64_t)v.at[SDRAM_ROW]);
			report_number(answer, NULL, v.hits);
			report_number(answer, NULL, (uint64_t)v.wait_close);
			report_text(answer, NULL, v.is_selected ? "selected" : "open");
		}
	report_instead(answer, "No row is open.\n");
	report_close(answer);
}

static void add_channels(const struct sdram *m, struct report *answer)
{
	static const char *const titles[] = {"Channel", "Reads", "Writes", "Refreshes", "Activated", "Pending", "<Serves", "Refresh in"};
	const uint32_t n = sdram_get_config(m)->channels;
	report_table(answer, "channels", titles, 8);
	for (uint32_t channel = 0; channel < n; channel++) {
		struct sdram_channel_view v;
		sdram_get_channel(m, channel, &v);
		report_row(answer, false);
		report_number(answer, NULL, channel);
		report_number(answer, NULL, v.reads);
		report_number(answer, NULL, v.writes);
		report_number(answer, NULL, v.refreshes);
		report_number(answer, NULL, v.activated);
		report_number(answer, NULL, v.pending);
		report_text(answer, NULL, v.is_writing ? "writes" : "reads");
		report_signed(answer, NULL, v.refresh_in);
	}
	report_close(answer);
}

bool info_dram(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *s = scan_blanks(args);
	const bool is_list = scan_word(&s, "standards");
	if (*scan_blanks(s))
		return debug_fail(why, "usage: info dram [standards]");
	if (is_list)
		return info_standards(answer);
	struct timing *t = observer_timing(d, "info dram", why);
	const struct sdram *m = t ? partitions_memory(t->partitions) : NULL;
	if (!t)
		return false;
	if (!m) {
		report_say(answer, "The machine has GPGPU-Sim's own DRAM, a controller in each partition: `dm N` shows it. -gpgpu_dram_standard chooses another.\n");
		return true;
	}
	const struct sdram_config *c = sdram_get_config(m);
	report_text(answer, "standard", sdram_standard_name(c->standard, c->variant));
	report_textf(answer, "organisation", "%s_%s", c->standard->name, c->organisation->name);
	report_textf(answer, "speed", "%s_%s", c->standard->name, c->speed->name);
	report_number(answer, "dram_cycle", (uint64_t)sdram_now(m));
	report_line(answer, "{standard}, {organisation}, {speed}, at DRAM cycle {dram_cycle}\n");
	add_channels(m, answer);
	add_open_rows(m, answer);
	return true;
}
