#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/xalloc.h"
#include "exec/exec.h"
#include "gpu/config/capability.h"
#include "gpu/config/config_internal.h"
#include "gpu/config/config_sdram.h"

/* Each scheduler's word, parameters and help, as schedulers.def has them. */
static const char scheduler_help[] = "warp scheduling: "
#define SCHEDULER(kind, option, parameters, name, key, start, own, help) option parameters help ", "
#include "timing/core/schedulers.def"
#undef SCHEDULER
	"where N is a number of warps";

#define INT CONFIG_INT
#define SIZE CONFIG_SIZE
#define BOOL CONFIG_BOOL
#define FLOAT CONFIG_FLOAT
#define STRING CONFIG_STRING
#define BOTH CONFIG_BOTH
#define V3 CONFIG_V3
#define V4 CONFIG_V4
#define OURS CONFIG_OURS
#define POWER CONFIG_POWER
const struct config_option config_options[] = {
#define OPTION(name, kind, v3, v4, least, most, origin, help) {name, kind, v3, v4, least, most, origin, help, false},
#define OUTPUT(name, kind, v3, v4, least, most, origin, help) {name, kind, v3, v4, least, most, origin, help, true},
#include "gpu/config/options.def"
};
const unsigned config_option_count = sizeof config_options / sizeof *config_options;

int config_option_find(const char *name, size_t n)
{
	for (unsigned i = 0; i < config_option_count; i++)
		if (strlen(config_options[i].name) == n && !memcmp(config_options[i].name, name, n))
			return (int)i;
	return -1;
}

static struct nearest nearest_option(const char *name, size_t n)
{
	struct nearest nearest;
	nearest_begin(&nearest, name, n);
	for (unsigned i = 0; i < config_option_count; i++)
		nearest_add_words(&nearest, config_options[i].name);
	return nearest;
}

const char *config_option_nearest(const char *name, size_t n) { return nearest_option(name, n).best; }

const char *config_option_name(unsigned i) { return i < config_option_count ? config_options[i].name : NULL; }

void config_suggest(const char *name, struct text *out)
{
	const struct nearest nearest = nearest_option(name, strlen(name));
	nearest_suggest(&nearest, out);
}

struct config *config_create(void)
{
	struct config *c = xcalloc(1, sizeof *c);
	c->values = xcalloc(config_option_count, sizeof *c->values);
	return c;
}

void config_set_files(struct config *c, const struct files *files) { c->files = files; }

static void free_value(struct config_value *v)
{
	free(v->text);
	free(v->under);
	free(v->file);
	free(v->source);
}

void config_free(struct config *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < config_option_count; i++) {
		free_value(&c->values[i]);
	}
	for (size_t i = 0; i < c->n_paths; i++)
		free(c->paths[i]);
	free(c->paths);
	free(c->values);
	free(c->name);
	free(c->network);
	free(c);
}

const char *config_text(const struct config *c, int row)
{
	const struct config_option *o = &config_options[row];
	if (c->values[row].text)
		return c->values[row].text;
	const char *first = c->baseline == 4 ? o->default_v4 : o->default_v3;
	const char *other = c->baseline == 4 ? o->default_v3 : o->default_v4;
	return first ? first : other ? other : "";
}

static bool parse_int(const char *s, int64_t *out)
{
	char *end;
	errno = 0;
	long long v = strtoll(s, &end, 0);
	*out = v;
	return *s && !*end && !errno;
}

static bool parse_size(const char *s, int64_t *out)
{
	const size_t n = strlen(s);
	const char *unit = n > 1 ? strchr("KMG", s[n - 1]) : NULL;
	char digits[32];
	if (!unit || n > sizeof digits)
		return parse_int(s, out);
	memcpy(digits, s, n - 1);
	digits[n - 1] = 0;
	return parse_int(digits, out) && !__builtin_mul_overflow(*out, (int64_t)1024 << (*unit == 'K' ? 0 : *unit == 'M' ? 10 : 20), out);
}

static bool check_number(const struct config_option *o, struct config_value *v, struct text *why)
{
	char *end;
	if (o->kind == CONFIG_FLOAT) {
		v->real = strtod(v->text, &end);
		if (*v->text && !*end)
			return true;
		text_addf(why, "bad value '%s' for -%s, expected a number", v->text, o->name);
		return false;
	}
	if (o->kind == CONFIG_BOOL && strcmp(v->text, "0") && strcmp(v->text, "1")) {
		text_addf(why, "bad value '%s' for -%s, expected 0 or 1", v->text, o->name);
		return false;
	}
	if (!(o->kind == CONFIG_SIZE ? parse_size : parse_int)(v->text, &v->number)) {
		text_addf(why, "bad value '%s' for -%s, expected a %s", v->text, o->name,
			  o->kind == CONFIG_SIZE ? "size: 4G, 512M, 64K, or bytes" : "whole number");
		return false;
	}
	if (v->number < o->least || v->number > o->most) {
		text_addf(why, "value %s of -%s is out of range, expected %lld to %lld", v->text, o->name, (long long)o->least,
			  (long long)o->most);
		return false;
	}
	return true;
}

bool config_store(struct config *c, int row, const char *text, size_t n, const struct config_place *place, struct text *why)
{
	const struct config_option *o = &config_options[row];
	struct config_value v = {.text = xstrndup(text, n), .line = place->line, .col = place->col};
	if (o->kind != CONFIG_STRING && !check_number(o, &v, why)) {
		free(v.text);
		return false;
	}
	if (!place->file) {
		struct config_value *old = &c->values[row];
		char **under = old->file ? &old->text : &old->under;
		v.under = *under;
		*under = NULL;
	}
	v.file = place->file ? xstrdup(place->file) : NULL;
	v.source = place->source ? xstrdup(place->source) : NULL;
	free_value(&c->values[row]);
	c->values[row] = v;
	return true;
}

const struct config_rename config_renamed[CONFIG_RENAMED] = {{"rop_latency", "gpgpu_l2_rop_latency"},
							     {"gmem_skip_L1D", "gpgpu_gmem_skip_L1D"},
							     {"gpgpu_cache:dl1PreShared", "gpgpu_cache:dl1PrefShared"}};

static int row_of(const char *name)
{
	int row = config_option_find(name, strlen(name));
	assert(row >= 0);
	return row;
}

void config_error(const struct config *c, const char *option, struct diag_list *diags, const char *fmt, ...)
{
	const struct config_value *v = &c->values[row_of(option)];
	struct text message = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&message, fmt, ap);
	va_end(ap);
	diag_add(diags, DIAG_ERROR, v->file, v->file ? v->line : 0, v->file ? v->col : 0, v->source, v->source ? strlen(v->source) : 0, "%s",
		 text_str(&message));
	text_free(&message);
}

int64_t config_int(const struct config *c, const char *name)
{
	const int row = row_of(name);
	int64_t v = 0;
	(config_options[row].kind == CONFIG_SIZE ? parse_size : parse_int)(config_text(c, row), &v);
	return v;
}

const char *config_string(const struct config *c, const char *name) { return config_text(c, row_of(name)); }
bool config_bool(const struct config *c, const char *name) { return config_int(c, name) != 0; }

void config_set_name(struct config *c, const char *name)
{
	free(c->name);
	c->name = xstrdup(name);
}

const char *config_name(const struct config *c) { return c->name; }

bool config_override(const struct config *c, unsigned i, const char **name, const char **value)
{
	const struct config_value *v = &c->values[i];
	const struct config_option *o = &config_options[i];
	const char *other = v->under ? v->under : c->baseline == 4 ? o->default_v4 : o->default_v3;
	*name = o->name;
	*value = v->text;
	return v->text && !v->file && (!other || strcmp(v->text, other) != 0);
}

bool config_is_set(const struct config *c, const char *name)
{
	int row = config_option_find(name, strlen(name));
	return row >= 0 && c->values[row].text;
}

bool config_is_set_by_hand(const struct config *c, const char *name)
{
	int row = config_option_find(name, strlen(name));
	return row >= 0 && c->values[row].text && !c->values[row].file;
}

/* Returns the compute capability from which on lanes of a warp make progress independently. Adds an error for a bad value if `diags` isn't NULL. */
static uint32_t independent_from(const struct config *c, struct diag_list *diags)
{
	static const struct {
		const char *word;
		uint32_t from;
	} rows[] = {{"auto", 70}, {"0", UINT32_MAX}, {"1", 0}};
	const char *text = config_string(c, "gpgpu_independent_threads");
	const bool is_textbook = !strcmp(config_string(c, "gpgpu_core_model"), "textbook"); /* its paths follow each other */
	if (is_textbook && !strcmp(text, "auto"))
		return UINT32_MAX;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (!strcmp(text, rows[k].word))
			return rows[k].from;
	if (diags)
		config_error(c, "gpgpu_independent_threads", diags, "bad value '%s' for -gpgpu_independent_threads, expected auto, 0 or 1",
			     text);
	return 0;
}

struct allocation_rules allocation_of_gpgpusim(uint32_t threads, uint32_t warp_threads, uint32_t blocks, uint32_t registers, uint32_t shared_bytes)
{
	return (struct allocation_rules){.warps = threads / warp_threads,
					 .warp_threads = warp_threads,
					 .blocks = blocks,
					 .registers = registers,
					 .shared_bytes = shared_bytes,
					 .block_threads = 1024,
					 .block_registers = registers,
					 .block_shared_bytes = UINT32_MAX,
					 .thread_registers = UINT32_MAX,
					 .register_unit = 4 * warp_threads,
					 .warp_unit = 1,
					 .shared_unit = 1};
}

/* A machine of a compute capability has the rules of that, with the sizes that its options say. */
static struct allocation_rules rules_of(const struct config *c, const struct config_device *d)
{
	struct allocation_rules own = allocation_of_gpgpusim(d->threads_per_core, d->warp_threads, d->ctas_per_core, d->registers_per_core, d->shared_bytes_per_core);
	const struct capability *k = capability_parse(config_string(c, "gpgpu_compute_capability"));
	if (!k)
		return own;
	struct allocation_rules r = k->rules;
	r.warps = own.warps;
	r.warp_threads = own.warp_threads;
	r.blocks = own.blocks;
	r.registers = own.registers;
	r.shared_bytes = own.shared_bytes;
	return r;
}

void config_device(const struct config *c, struct config_device *out)
{
	*out = (struct config_device){
		.n_clusters = (uint32_t)config_int(c, "gpgpu_n_clusters"),
		.cores_per_cluster = (uint32_t)config_int(c, "gpgpu_n_cores_per_cluster"),
		.ctas_per_core = (uint32_t)config_int(c, "gpgpu_shader_cta"),
		.shared_bytes_per_core = (uint32_t)config_int(c, "gpgpu_shmem_size"),
		.shared_bytes_pref_l1 = (uint32_t)config_int(c, "gpgpu_shmem_size_PrefL1"),
		.shared_bytes_pref_shared = (uint32_t)config_int(c, "gpgpu_shmem_size_PrefShared"),
		.registers_per_core = (uint32_t)config_int(c, "gpgpu_shader_registers"),
		.max_cta_threads = 1024,
		.heap_start = (uint64_t)config_int(c, "gpgpu_heap_start"),
		.heap_guard = (uint64_t)config_int(c, "gpgpu_heap_guard"),
		.copy_rate = (double)config_int(c, "gpgpu_copy_bandwidth") * 1e6,
		.memory_bytes = (uint64_t)config_int(c, "gpgpu_memory_size"),
		.max_cycle = (uint64_t)config_int(c, "gpgpu_max_cycle"),
		.max_insn = (uint64_t)config_int(c, "gpgpu_max_insn"),
		.max_cta = (uint64_t)config_int(c, "gpgpu_max_cta"),
		.stack_bytes = (uint64_t)config_int(c, "gpgpu_thread_stack"),
		.independent_from = independent_from(c, NULL),
		.capability = config_capability(c),
	};
	char *warp;
	out->threads_per_core = (uint32_t)strtoul(config_string(c, "gpgpu_shader_core_pipeline"), &warp, 10);
	out->warp_threads = *warp == ':' ? (uint32_t)strtoul(warp + 1, NULL, 10) : LANES;
	out->warp_threads = out->warp_threads ? out->warp_threads : LANES;
	out->stream_step = config_bool(c, "gpgpu_stream_buffers") ? (uint32_t)config_int(c, "gpgpu_stream_data_size") : 0;
	if (out->stream_step)
		out->ctas_per_core = 1; /* a core has the streams of one block */
	out->rules = rules_of(c, out);
	out->max_cta_threads = out->rules.block_threads;
	if (out->max_cta_threads > EXEC_WARPS_PER_CTA * out->warp_threads)
		out->max_cta_threads = EXEC_WARPS_PER_CTA * out->warp_threads;
	if (out->max_cta_threads > out->threads_per_core)
		out->max_cta_threads = out->threads_per_core;
}

uint32_t config_capability(const struct config *c)
{
	const struct capability *k = capability_parse(config_string(c, "gpgpu_compute_capability"));
	if (k)
		return k->number;
	if (!config_is_set(c, "gpgpu_compute_capability_major"))
		return 0;
	return (uint32_t)(10 * config_int(c, "gpgpu_compute_capability_major") +
			  config_int(c, "gpgpu_compute_capability_minor"));
}

bool config_fits(const struct config *c, const struct machine_limits *limits, struct diag_list *diags)
{
	const uint64_t start = (uint64_t)config_int(c, "gpgpu_heap_start");
	if (!config_is_set(c, "gpgpu_heap_start") || start < limits->device_end)
		return true;
	config_error(c, "gpgpu_heap_start", diags, "-gpgpu_heap_start 0x%llx: device memory ends at 0x%llx on this host",
		     (unsigned long long)start, (unsigned long long)limits->device_end);
	return false;
}

uint32_t config_shared_bytes(const struct config_device *d, enum config_cache preference)
{
	switch (preference) {
	case CONFIG_CACHE_L1: return d->shared_bytes_pref_l1;
	case CONFIG_CACHE_SHARED: return d->shared_bytes_pref_shared;
	default: return d->shared_bytes_per_core;
	}
}

static void check_capability(const struct config *c, struct diag_list *diags)
{
	static const char option[] = "gpgpu_compute_capability";
	const char *text = config_string(c, option);
	struct text known = {0};
	if (!*text || capability_parse(text))
		return;
	capability_list(&known);
	config_error(c, option, diags, "bad value '%s' for -%s, expected one of %s", text, option, text_str(&known));
	text_free(&known);
}

/* Relations between values that no single option's range can express. */
static void check_relations(const struct config *c, struct diag_list *diags)
{
	const char *pipeline = config_string(c, "gpgpu_shader_core_pipeline");
	char *end;
	unsigned long threads = strtoul(pipeline, &end, 10);
	unsigned long warp = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
	unsigned long simd_width = *end == ':' ? strtoul(end + 1, &end, 10) : warp;
	const bool is_width = warp && warp <= LANES && !(warp & (warp - 1));
	if (!*end && warp && !is_width)
		config_error(c, "gpgpu_shader_core_pipeline", diags,
			     "-gpgpu_shader_core_pipeline: '%s', but warps of %lu threads are not modelled; expected THREADS:W, W 1, 2, 4, 8, 16 or 32", pipeline, warp);
	else if (*end || !is_width || !simd_width || simd_width > warp || threads < warp || threads % warp || threads > 65536)
		config_error(c, "gpgpu_shader_core_pipeline", diags,
			     "bad value '%s' for -gpgpu_shader_core_pipeline, expected THREADS:32 with THREADS a multiple of 32, or of another warp size; behind it may be the old form's SIMD width, up to the warp size", pipeline);
	if (config_int(c, "gpgpu_stream_write_batch") > config_int(c, "gpgpu_stream_buffer_size"))
		config_error(c, "gpgpu_stream_write_batch", diags, "-gpgpu_stream_write_batch %lld is more than -gpgpu_stream_buffer_size %lld",
			     (long long)config_int(c, "gpgpu_stream_write_batch"), (long long)config_int(c, "gpgpu_stream_buffer_size"));
	config_check_kernel_options(c, diags);
	check_capability(c, diags);
	int64_t sub = config_int(c, "gpgpu_n_sub_partition_per_mchannel");
	if (sub & (sub - 1))
		config_error(c, "gpgpu_n_sub_partition_per_mchannel", diags,
			     "bad value %lld for -gpgpu_n_sub_partition_per_mchannel, expected a power of two", (long long)sub);
	int64_t guard = config_int(c, "gpgpu_heap_guard");
	if (guard % 256)
		config_error(c, "gpgpu_heap_guard", diags, "bad value %lld for -gpgpu_heap_guard, expected a multiple of 256",
			     (long long)guard);
}

/* Options that 4.x renamed: the name in 3.2.2. */
static const char *name_in_v3(const char *name)
{
	for (size_t k = 0; k < sizeof config_renamed / sizeof *config_renamed; k++)
		if (!strcmp(config_renamed[k].v4, name))
			return config_renamed[k].v3;
	return NULL;
}

/* Notes that one option has switched the configuration to 4.2, where its files don't ask for that: no file sets an option of 4.x, or a file also sets
 * an option that 4.x hasn't. */
static void note_switched_baseline(const struct config *c, const char *only_v4, struct diag_list *diags)
{
	bool in_file = false, has_v3 = false;
	struct text note = {0};
	if (!only_v4 || strcmp(config_string(c, "gpgpu_baseline"), "auto"))
		return;
	for (unsigned i = 0; i < config_option_count; i++) {
		in_file = in_file || (c->values[i].file && config_options[i].origin == CONFIG_V4);
		has_v3 = has_v3 || (c->values[i].text && config_options[i].origin == CONFIG_V3);
	}
	if (in_file && !has_v3)
		return;
	text_addf(&note, "the whole configuration is read as GPGPU-Sim 4.2's, since 3.2.2 has no -%s", only_v4);
	if (name_in_v3(only_v4))
		text_addf(&note, " (there it is -%s)", name_in_v3(only_v4));
	text_add(&note, "; -gpgpu_baseline 3.2.2 or 4.2 says which");
	diag_add(diags, DIAG_NOTE, NULL, 0, 0, NULL, 0, "%s", text_str(&note));
	text_free(&note);
}

bool config_finish(struct config *c, struct diag_list *diags)
{
	size_t before = diags->n_errors;
	const char *asked = config_string(c, "gpgpu_baseline");
	const char *only_v4 = NULL;
	for (unsigned i = 0; i < config_option_count; i++)
		if (c->values[i].text && config_options[i].origin == CONFIG_V4)
			only_v4 = config_options[i].name;
	if (!strcmp(asked, "3.2.2"))
		c->baseline = 3;
	else if (!strcmp(asked, "4.2"))
		c->baseline = 4;
	else if (!strcmp(asked, "auto"))
		c->baseline = only_v4 ? 4 : 3;
	else
		config_error(c, "gpgpu_baseline", diags, "bad value '%s' for -gpgpu_baseline, expected 3.2.2, 4.2 or auto", asked);
	if (c->baseline == 3 && only_v4)
		config_error(c, only_v4, diags, "-%s exists in GPGPU-Sim 4.x only, but -gpgpu_baseline 3.2.2 was asked for", only_v4);
	independent_from(c, diags);
	check_relations(c, diags);
	note_switched_baseline(c, only_v4, diags);
	config_note_without_effect(c, diags);
	config_refuse_unmodelled(c, false, diags);
	struct sdram_config memory;
	config_sdram(c, &memory, diags);
	return diags->n_errors == before;
}
