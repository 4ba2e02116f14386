/* The performance model's fields by name. */
#include "command/dump/machine_fields.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "command/dump/dump_internal.h"
#include "debug/ground/scan.h"
#include "timing/cache/cache_print.h"
#include "timing/core/collector.h"
#include "timing/ldst/ldst.h"
#include "timing/core/scheduler.h"
#include "timing/core/units.h"

#define NOTHING UINT64_MAX
#define NUMBER false
#define PC true

/* ---- what the table's expressions call ---- */

static uint64_t issued_by(const struct core *c)
{
	uint64_t n = 0;
	for (unsigned lanes = 0; lanes <= LANES; lanes++)
		n += c->stats->occupancy[lanes];
	return n;
}

static uint32_t collectors_used(const struct core *c)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < collector_unit_count(c); k++) {
		struct collector_unit_view u;
		collector_get_unit(c, k, &u);
		n += u.inst != 0;
	}
	return n;
}

static uint64_t pc_of(const struct core *c, uint32_t inst) { return inst ? c->inst[inst].pc : NOTHING; }

static uint64_t warp_pc(const struct core *c, uint32_t warp)
{
	uint32_t pc;
	return dump_warp_pc(c, warp, &pc) ? pc : NOTHING;
}

static uint64_t warp_active(const struct core *c, uint32_t warp)
{
	uint32_t pc;
	return dump_warp_pc(c, warp, &pc) ? exec_simt_top(c->t->exec, dump_exec_warp(c, warp))->mask : NOTHING;
}

static uint64_t warp_depth(const struct core *c, uint32_t warp)
{
	uint32_t pc;
	return dump_warp_pc(c, warp, &pc) ? dump_exec_warp(c, warp)->n_simt : NOTHING;
}

static uint64_t mshrs(const struct cache *k) { return k ? cache_mshr_used(k) : NOTHING; }
static uint64_t fragments(const struct cache *k)
{
	struct cache_texture_view v;
	if (!k)
		return NOTHING;
	cache_texture_get(k, &v);
	return v.n_fragments;
}
static uint64_t queue(const struct cache *k) { return k ? cache_miss_queue_length(k) : NOTHING; }

static uint64_t misses(const struct cache *k)
{
	return k ? cache_totals(cache_get_stats(k)).misses : NOTHING;
}

static uint64_t accesses(const struct cache *k)
{
	return k ? cache_totals(cache_get_stats(k)).accesses : NOTHING;
}

/* What a line of a cache holds: its address, its state, the cycle in which it was used last. */
static const struct cache_line *line_of(const struct cache *k, uint32_t line)
{
	return k && line < cache_get_config(k)->sets * cache_get_config(k)->ways ? &cache_lines(k)[line] : NULL;
}

static uint64_t line_address(const struct cache *k, uint32_t line)
{
	const struct cache_line *l = line_of(k, line);
	return l && l->state != CACHE_INVALID ? l->block : NOTHING;
}

static uint64_t line_state(const struct cache *k, uint32_t line)
{
	const struct cache_line *l = line_of(k, line);
	return l ? l->state : NOTHING;
}

static uint64_t line_used(const struct cache *k, uint32_t line)
{
	const struct cache_line *l = line_of(k, line);
	return l && l->state != CACHE_INVALID ? l->accessed : NOTHING;
}

static struct icnt_totals totals(const struct timing *t)
{
	struct icnt_totals n = {0};
	if (t->icnt)
		icnt_get_totals(t->icnt, &n);
	return n;
}

static uint32_t subs(const struct timing *t) { return t->cfg->partition.subs_per_partition; }

static uint64_t length(const struct timing *t, uint32_t partition, uint32_t sub, unsigned which)
{
	return sub_partition_queue_length(t->partitions, partition * subs(t) + sub, which);
}

static uint64_t lengths(const struct timing *t, uint32_t partition, unsigned which)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < subs(t); k++)
		n += length(t, partition, k, which);
	return n;
}

static const struct cache *l2_of(const struct timing *t, uint32_t partition, uint32_t sub)
{
	return sub_partition_l2(t->partitions, partition * subs(t) + sub);
}

static uint64_t l2_sum64(const struct timing *t, uint32_t partition, uint64_t (*of)(const struct cache *k))
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < subs(t) && n != NOTHING; k++)
		n = l2_of(t, partition, k) ? n + of(l2_of(t, partition, k)) : NOTHING;
	return n;
}

static uint64_t l2_sum(const struct timing *t, uint32_t partition, uint32_t (*of)(const struct cache *k))
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < subs(t) && n != NOTHING; k++)
		n = l2_of(t, partition, k) ? n + of(l2_of(t, partition, k)) : NOTHING;
	return n;
}

/* ---- the table ---- */

/* What a path's indices select; parts it doesn't have are of number 0 and not looked at. */
struct selected {
	const struct timing *t;
	const struct core *core;
	const struct core_warp *w;
	const struct scheduler_state *sched;
	const struct cluster *cluster;
	const struct dram *dram;
	struct dram_bank_view bank;
	const struct sdram *memory; /* of a DRAM standard; NULL: none */
	struct sdram_channel_view channel;
	struct sdram_part_view part;
	uint32_t index0, index1, warp;
};

#define FIELD_CAT(a, b) a##b
#define FIELD_NAME(line) FIELD_CAT(field_, line)
#define FIELD(path, kind, expression, help)                                                                             \
	static uint64_t FIELD_NAME(__LINE__)(const struct selected *s)                                                 \
	{                                                                                                              \
		const struct timing *t = s->t;                                                                         \
		const struct core *core = s->core;                                                                     \
		const struct core_warp *w = s->w;                                                                      \
		const struct scheduler_state *sched = s->sched;                                                        \
		const struct cluster *cluster = s->cluster;                                                            \
		const struct dram *dram = s->dram;                                                                     \
		const struct dram_bank_view bank = s->bank;                                                            \
		const struct sdram *memory = s->memory;                                                                \
		const struct sdram_channel_view channel = s->channel;                                                  \
		const struct sdram_part_view part = s->part;                                                           \
		const uint32_t index0 = s->index0, index1 = s->index1, warp = s->warp;                                 \
		(void)t, (void)core, (void)w, (void)sched, (void)cluster, (void)dram, (void)bank;                      \
		(void)memory, (void)channel, (void)part;                                                               \
		(void)index0, (void)index1, (void)warp;                                                                \
		return (uint64_t)(expression);                                                                         \
	}
#include "command/dump/machine_fields.def"
#undef FIELD

static const struct field {
	const char *path, *help;
	bool is_pc;
	uint64_t (*get)(const struct selected *s);
} fields[] = {
#define FIELD(path, kind, expression, help) {path, help, kind, FIELD_NAME(__LINE__)},
#include "command/dump/machine_fields.def"
#undef FIELD
};
#define FIELDS (sizeof fields / sizeof *fields)

static uint32_t lines_in(const struct cache *k) { return k ? cache_get_config(k)->sets * cache_get_config(k)->ways : 0; }

/* How many there are of what ends in [ at path[n]. */
static uint32_t index_limit(const struct timing *t, const char *path, size_t n)
{
	const struct core_config *c = &t->cfg->core;
	const struct sdram *memory = partitions_memory(t->partitions);
	const struct {
		const char *what;
		uint32_t n;
	} limits[] = {
		{"core", c->n_cores},
		{"core[].warp", c->n_warps},
		{"core[].scheduler", c->schedulers},
		{"core[].pipe", core_pipe_count(c->model)},
		{"core[].unit", units_count(&t->core[0])},
		{"core[].l1d.line", lines_in(ldst_l1d(&t->core[0]))},
		{"core[].l1c.line", lines_in(ldst_l1c(&t->core[0]))},
		{"core[].l1t.line", lines_in(ldst_l1t(&t->core[0]))},
		{"cluster", c->n_clusters},
		{"partition", t->cfg->partition.n_partitions},
		{"partition[].sub", t->cfg->partition.subs_per_partition},
		{"partition[].dram.bank", t->cfg->partition.dram.t.nbk},
		{"dram.channel", memory ? sdram_get_config(memory)->channels : 1},
		{"dram.channel[].part", memory ? sdram_part_count(memory) : 1},
	};
	for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
		if (strlen(limits[k].what) == n && !memcmp(limits[k].what, path, n))
			return limits[k].n;
	return 0;
}

/* ---- reading ---- */

/* The index of what ends in [ at path[n]. */
static bool check_index(const struct timing *t, const char *path, size_t n, int64_t index, struct text *why)
{
	const uint32_t limit = index_limit(t, path, n);
	const char *at = path + n, *name = at;
	while (name > path && name[-1] != '.')
		name--;
	return (index >= 0 && index < limit) ||
	       debug_fail(why, "there is no %.*s[%lld]: they are 0 to %u", (int)(at - name), name, (long long)index, limit - 1);
}

static bool check_indices(const struct timing *t, const char *path, const int64_t index[FIELD_INDICES], struct text *why)
{
	unsigned k = 0;
	for (const char *at = path; (at = strchr(at, '[')) != NULL; at++, k++)
		if (!check_index(t, path, (size_t)(at - path), index[k], why))
			return false;
	return true;
}

bool field_index_ok(struct debug *d, const char *path, size_t n, int64_t index, uint32_t *limit, struct text *why)
{
	const struct timing *t = gpu_timing(d->g);
	*limit = index_limit(t, path, n);
	return check_index(t, path, n, index, why);
}

const char *field_path(size_t k) { return k < FIELDS ? fields[k].path : NULL; }

static void select_parts(struct timing *t, const char *path, const int64_t index[FIELD_INDICES], struct selected *s)
{
	const uint32_t a = (uint32_t)index[0], b = (uint32_t)index[1];
	*s = (struct selected){.t = t, .core = t->core, .cluster = t->cluster, .index0 = a, .index1 = b};
	if (!strncmp(path, "core", 4)) {
		s->core = &t->core[a];
		core_wake(&t->core[a]); /* counts what it has slept through; changes nothing that is simulated */
	}
	if (!strncmp(path, "core[].warp[]", 13))
		s->warp = b;
	s->w = &s->core->warp[s->warp];
	s->sched = &s->core->scheduler[!strncmp(path, "core[].scheduler[]", 18) ? b : 0];
	if (!strncmp(path, "cluster", 7))
		s->cluster = &t->cluster[a];
	s->dram = partition_dram(t->partitions, !strncmp(path, "partition", 9) ? a : 0);
	if (!strncmp(path, "partition[].dram.bank[]", 23))
		dram_get_bank(s->dram, b, &s->bank);
	s->memory = partitions_memory(t->partitions);
	if (s->memory && !strncmp(path, "dram.channel[]", 14))
		sdram_get_channel(s->memory, a, &s->channel);
	if (s->memory && !strncmp(path, "dram.channel[].part[]", 21))
		sdram_get_part(s->memory, a, b, &s->part);
}

static const struct field *find_field(const char *path)
{
	for (size_t k = 0; k < FIELDS; k++)
		if (!strcmp(fields[k].path, path))
			return &fields[k];
	return NULL;
}

bool field_get(struct debug *d, const char *path, const int64_t index[FIELD_INDICES], struct field_value *out, struct text *why)
{
	struct timing *t = observer_timing(d, path, why);
	struct selected s;
	if (!t)
		return false;
	const struct field *f = find_field(path);
	if (!f)
		return debug_fail(why, "the machine has no field %s; `info fields` lists them", path);
	if (!check_indices(t, path, index, why))
		return false;
	select_parts(t, path, index, &s);
	*out = (struct field_value){.v = f->get(&s), .is_pc = f->is_pc};
	out->is_none = out->v == NOTHING;
	if (f->is_pc && !out->is_none)
		out->v *= ISA_INSN_BYTES;
	return true;
}

void field_to_value(const struct field_value *f, struct expr_value *out)
{
	if (f->is_pc && !f->is_none)
		value_pointer(out, ISA_NOTYPE, 1, f->v);
	else if (!f->is_none)
		value_int(out, ISA_U64, f->v);
}

/* ---- lists ---- */

static void add_ranges(const struct timing *t, const char *path, struct text *out)
{
	for (const char *s = path; *s; s++) {
		text_addc(out, *s);
		if (*s == '[') {
			const uint32_t n = t ? index_limit(t, path, (size_t)(s - path)) : 0;
			if (n > 1)
				text_addf(out, "0..%u", n - 1);
			else if (t)
				text_addc(out, '0');
			else
				text_addc(out, 'N');
		}
	}
}

bool info_fields(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Field", "<What it is"};
	const struct timing *t = gpu_timing(d->g);
	const char *glob = scan_blanks(args);
	report_table(answer, "fields", titles, 2);
	for (size_t k = 0; k < FIELDS; k++) {
		struct text name = {0};
		add_ranges(t, fields[k].path, &name);
		if (!*glob || !fnmatch(glob, fields[k].path, 0) || strstr(fields[k].path, glob)) {
			report_row(answer, false);
			report_text(answer, NULL, text_str(&name));
			report_text(answer, NULL, fields[k].help);
		}
		text_free(&name);
	}
	const bool any = report_rows(answer) > 0;
	report_close(answer);
	return any || debug_fail(why, "no field matches %s", glob);
}

/* A field with the prefix's own indices as far as it goes, 0 after. False: it doesn't begin with the prefix. */
static bool with_indices(const char *path, const char *prefix, size_t n, struct text *out)
{
	const char *end = prefix + n;
	text_clear(out);
	for (; *path; path++) {
		const bool inside = prefix < end;
		if (inside && *prefix != *path)
			return false;
		text_addc(out, *path);
		prefix += inside;
		if (*path != '[')
			continue;
		if (prefix == end)
			text_addc(out, '0');
		while (prefix < end && *prefix != ']')
			text_addc(out, *prefix++);
	}
	return prefix == end;
}

void field_complete(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self)
{
	struct text name = {0};
	for (size_t k = 0; gpu_is_performance(d->g) && k < FIELDS; k++)
		if (with_indices(fields[k].path, prefix, n, &name))
			add(self, text_str(&name));
	text_free(&name);
}
