#include "exec/exec.h"

#include "base/xalloc.h"
#include "exec/engine.h"
#include "exec/heap.h"
#include "exec/internal.h"
#include "exec/pending.h"

static void take_tables(struct exec *x, const char *level)
{
#define ROW(name) \
	if (!strcmp(level, #name)) { \
		x->plain = exec_table_##name; \
		x->observed = exec_observed_##name; \
	}
	EXEC_LEVELS(ROW)
#undef ROW
	x->handlers = x->plain;
}

#if defined(__x86_64__)
/* clang 14 doesn't know the levels by name; processors with these have the rest of their level. */
static bool has_v3(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}

static bool has_v4(void)
{
	return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl");
}

static bool level_supported(const char *level)
{
	if (!strcmp(level, "v4"))
		return has_v4();
	return !strcmp(level, "v3") ? has_v3() : __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
}
static const char *const levels[] = {"v4", "v3", "v2"};
#else
static bool level_supported(const char *level)
{
	(void)level;
	return true;
}
static const char *const levels[] = {"generic"};
#endif

bool exec_level_runs(const char *level)
{
	for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++)
		if (!strcmp(level, levels[k]))
			return level_supported(level);
	return false;
}

static bool choose_level(struct exec *x, const char *level)
{
	for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
		if (level && strcmp(level, levels[k]))
			continue;
		if (!level_supported(levels[k]))
			continue;
		x->level = levels[k];
		take_tables(x, levels[k]);
		return true;
	}
	return false;
}

static void init_heaps(struct exec *x)
{
	heap_init(x->arena, x->sec_frame);
	heap_init(x->arena, x->sec_local);
	heap_init(x->arena, x->sec_shared);
	heap_init(x->arena, x->sec_param);
}

static bool add_sections(struct exec *x)
{
	struct arena *a = x->arena;
	const struct machine_limits *most = x->limits;
	x->sec_frame = arena_add(a, "frame", ARENA_HOT, most->frame);
	x->sec_simt = x->sec_frame; /* among the frames: alone they would fill a large page of the host to a tenth */
	x->sec_special = arena_add(a, "special", ARENA_PAGED, most->special);
	x->sec_local = arena_add(a, "local", ARENA_PAGED, most->local);
	x->sec_shared = arena_add(a, "shared", ARENA_HOT, most->shared);
	x->sec_global = arena_add(a, "global", ARENA_PAGED, most->device_end);
	x->sec_param = arena_add(a, "param", ARENA_HOT, most->param);
	x->sec_const = arena_add(a, "const", ARENA_HOT, most->constant);
	x->sec_counts = arena_add(a, "counts", ARENA_HOT, most->counts);
	x->sec_other_counts = arena_add(a, "other counts", ARENA_PAGED, most->counts);
	x->sec_pending = arena_add(a, "pending", ARENA_HOT, most->pending);
	x->sec_streams = arena_add(a, "stream-buffers", ARENA_HOT, most->stream_buffers);
	if (x->sec_counts < 0 || x->sec_other_counts < 0 || x->sec_pending < 0 || x->sec_streams < 0 || x->sec_frame < 0 || x->sec_special < 0 || x->sec_local < 0 ||
	    x->sec_shared < 0 || x->sec_global < 0 || x->sec_param < 0 || x->sec_const < 0)
		return false;
	arena_dense(a, x->sec_frame);
	init_heaps(x);
	return exec_pending_init(x);
}

bool exec_init(struct exec *x, struct arena *a, const struct isa_program *p, const char *level,
	       const struct machine_limits *limits)
{
	*x = (struct exec){
		.arena = a, .program = p, .limits = limits, .engine = &exec_interpreter, .n_cores = 1, .warps_per_core = EXEC_WARPS_PER_CTA, .warp_threads = LANES};
	if (!choose_level(x, level) || !add_sections(x))
		return false;
	x->global = a->section[x->sec_global].base;
	x->global_flags = a->section[x->sec_global].page_flags;
	x->frame_base = a->section[x->sec_frame].base;
	x->simt_base = a->section[x->sec_simt].base;
	x->special_base = a->section[x->sec_special].base;
	x->shared_base = a->section[x->sec_shared].base;
	x->param_base = a->section[x->sec_param].base;
	x->constant = a->section[x->sec_const].base;
	x->local_base = a->section[x->sec_local].base;
	x->local_flags = a->section[x->sec_local].page_flags;
	exec_program_changed(x, x->program->n_insns);
	return true;
}

void exec_reset(struct exec *x)
{
	const int section[] = {x->sec_frame, x->sec_special, x->sec_local, x->sec_shared, x->sec_param, x->sec_pending, x->sec_streams};
	for (size_t k = 0; k < sizeof section / sizeof *section; k++)
		arena_empty(x->arena, section[k]);
	init_heaps(x);
	exec_pending_init(x);
	x->launch = NULL;
	x->warp = NULL;
	x->cta = NULL;
	x->fault = (struct exec_fault){0};
	x->effect = (struct exec_effect){0};
	exec_reset_counts(x);
}

void exec_drop_caches(struct exec *x)
{
	memset(x->tlb, 0, sizeof x->tlb);
	x->watching.stopped_warp = NULL;
	x->launch = NULL;
}

void exec_enter_context(struct exec *x, uint32_t context)
{
	memset(x->tlb, 0, sizeof x->tlb);
	x->context = context;
}

void exec_free(struct exec *x)
{
	free(x->builtins);
	free(x->stream_tables);
	x->stream_tables = NULL;
	x->builtins = NULL;
	text_free(&x->assert_lines);
	exec_watchers_free(x);
}

static exec_handler find_builtin(const char *name)
{
	static const struct {
		const char *name;
		exec_handler run;
	} rows[] = {
#define BUILTIN(id) {#id, exec_b_##id},
#define BUILTIN_ID(id)
#define BUILTIN_NAME(name, id) {#name, exec_b_##id},
#include "isa/builtins.def"
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (!strcmp(name, rows[k].name))
			return rows[k].run;
	return NULL;
}

void exec_program_changed(struct exec *x, uint32_t n_insns)
{
	const struct isa_program *p = x->program;
	x->n_builtins = p->n_functions;
	x->builtins = xrealloc(x->builtins, (p->n_functions + 1) * sizeof *x->builtins);
	for (uint32_t k = 0; k < p->n_functions; k++)
		x->builtins[k] = p->functions[k]->is_defined ? NULL : find_builtin(p->functions[k]->name);
	memset(x->tlb, 0, sizeof x->tlb);
	x->counts = arena_use(x->arena, x->sec_counts, (n_insns + UINT64_C(1)) * sizeof *x->counts)
			    ? arena_at(x->arena, x->sec_counts, 0)
			    : NULL;
}

static void add_up(const struct exec_count *counts, uint32_t kept, uint32_t first, uint32_t end, struct exec_count *out)
{
	struct exec_count n = {0};
	for (uint32_t pc = 0; pc < end; pc++) {
		const struct exec_count none = {0}, *c = counts && pc < kept ? &counts[pc] : &none;
		n.warps += c->warps;
		n.lanes += c->lanes;
		n.cycles = c->cycles;
		if (pc >= first)
			out[pc - first] = n;
	}
}

void exec_counts(const struct exec *x, uint32_t first, uint32_t end, struct exec_count *out)
{
	add_up(x->counts, x->counts ? end : 0, first, end, out);
}

/* Returns how many counts of the other mode there are. */
static uint32_t other_counts(const struct exec *x)
{
	return (uint32_t)(x->arena->section[x->sec_other_counts].used / sizeof(struct exec_count));
}

void exec_other_counts(const struct exec *x, uint32_t first, uint32_t end, struct exec_count *out)
{
	const uint32_t n = other_counts(x);
	add_up(n ? arena_at(x->arena, x->sec_other_counts, 0) : NULL, n, first, end, out);
}

void exec_exchange_counts(struct exec *x)
{
	const size_t n = x->program->n_insns + (size_t)1, bytes = n * sizeof *x->counts;
	if (!x->counts || !arena_use(x->arena, x->sec_other_counts, bytes))
		return;
	arena_touch(x->arena, x->sec_other_counts, 0, bytes);
	struct exec_count *other = arena_at(x->arena, x->sec_other_counts, 0);
	for (size_t k = 0; k < n; k++) {
		const struct exec_count mine = x->counts[k];
		x->counts[k] = other[k];
		other[k] = mine;
	}
}

void exec_reset_counts(struct exec *x)
{
	const size_t other = other_counts(x) * sizeof *x->counts;
	if (x->counts)
		memset(x->counts, 0, (x->program->n_insns + (size_t)1) * sizeof *x->counts);
	if (!other)
		return;
	arena_touch(x->arena, x->sec_other_counts, 0, other);
	memset(arena_at(x->arena, x->sec_other_counts, 0), 0, other);
}
