/* info threads, warps, blocks, kernels, cores. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/perf/dump_info.h"
#include "debug/program.h"
#include "debug/scan.h"
#include "debug/setup/launch.h"
#include "debug/setup/launches.h"
#include "debug/info.h"
#include "debug/table.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "gpu/statistics.h"

/* The launch the tables are about: the focused one, else the one that runs or is next, else the last. */
static bool table_launch(struct debug *d, uint32_t *id)
{
	struct gpu_launch_info info;
	uint32_t n = gpu_launch_count(d->g);
	if (d->has_focus) {
		*id = d->focus.launch;
		return true;
	}
	for (*id = 0; *id < n; ++*id)
		if (gpu_launch_get(d->g, *id, &info) && info.state != GPU_LAUNCH_DONE &&
		    info.state != GPU_LAUNCH_KILLED)
			return true;
	return false;
}

static bool is_full(const struct debug *d, size_t rows)
{
	return d->settings.table_rows && rows >= d->settings.table_rows;
}

/* ---- threads ---- */

struct thread_rows {
	struct debug *d;
	struct table t;
	uint64_t left_out;
};

static void coordinates(struct thread_rows *r, const struct exec_launch *l, uint64_t linear)
{
	uint32_t block[3], thread[3];
	debug_split3(linear / l->threads_per_cta, l->grid, block);
	debug_split3(linear % l->threads_per_cta, l->block, thread);
	table_cell(&r->t, "(%u,%u,%u) (%u,%u,%u)", block[0], block[1], block[2], thread[0], thread[1], thread[2]);
}

static void thread_row(void *self, const struct exec_launch *l, const struct thread_run *run)
{
	struct thread_rows *r = self;
	struct text place = {0};
	if (is_full(r->d, r->t.n_rows) && !run->has_focus) {
		r->left_out++;
		return;
	}
	table_row(&r->t, run->has_focus);
	uint64_t first = l->first_uid + run->first, last = l->first_uid + run->last;
	if (first == last)
		table_cell(&r->t, "%llu", (unsigned long long)first);
	else
		table_cell(&r->t, "%llu-%llu", (unsigned long long)first, (unsigned long long)last);
	table_cell(&r->t, "%llu", (unsigned long long)(last - first + 1));
	coordinates(r, l, run->first);
	coordinates(r, l, run->last);
	table_cell(&r->t, "%s", debug_state_name(run));
	if (run->state == DEBUG_THREAD_EXITED) {
		table_cell(&r->t, "-");
		table_cell(&r->t, "-");
		return;
	}
	table_cell(&r->t, "0x%x", run->pc * ISA_INSN_BYTES);
	debug_place_text(r->d, run->pc, &place);
	table_cell(&r->t, "%s", text_str(&place));
	text_free(&place);
}

bool info_threads(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	static const char *const titles[] = {"<Uid", "Count", "<From block, thread", "<To block, thread", "<State",
					     "PC",   "<Place"};
	struct thread_rows r = {.d = d};
	uint32_t id;
	if (!scan_end(args, why))
		return false;
	if (!table_launch(d, &id)) {
		text_add(out, "No threads.\n");
		return true;
	}
	table_init(&r.t, titles, 7);
	r.t.fit = d->settings.width;
	debug_thread_runs(d, id, false, thread_row, &r);
	table_print(&r.t, out);
	if (r.left_out)
		text_addf(out, "... %llu more rows (set table-rows N)\n", (unsigned long long)r.left_out);
	return true;
}

/* ---- warps ---- */

static const char *warp_state(const struct exec_warp *w, uint32_t next)
{
	if (w->state == EXEC_WARP_DONE)
		return "done";
	if (w->state == EXEC_WARP_BARRIER)
		return "barrier";
	return next ? "running" : "ready";
}

static void warp_row(struct debug *d, struct table *t, const struct exec_cta *cta, const struct exec_warp *w, bool next,
		     const struct debug_where *focus)
{
	struct text place = {0};
	bool done = w->state == EXEC_WARP_DONE || !w->n_simt;
	const struct exec_simt *top = done ? NULL : exec_simt_top(gpu_exec(d->g), w);
	uint32_t pc = top ? debug_standing_pc(w, top, top->mask) : w->last_pc;
	table_row(t, focus && focus->w == w);
	table_cell(t, "%u", cta->core);
	table_cell(t, "%u", info_warp_number(cta, w));
	table_dim3(t, cta->id);
	table_cell(t, "%u", w->index);
	table_cell(t, "0x%08x", w->lanes & ~w->exited);
	table_cell(t, "0x%08x", top ? top->mask : 0);
	table_cell(t, "%s", gpu_is_performance(d->g) ? info_warp_waits(d, cta, w) : warp_state(w, next));
	table_cell(t, "%llu", (unsigned long long)w->executed);
	table_cell(t, "0x%x", pc * ISA_INSN_BYTES);
	debug_place_text(d, pc, &place);
	table_cell(t, "%s", text_str(&place));
	text_free(&place);
}

bool info_warps(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	static const char *const titles[] = {"Core",   "Warp",	 "Block",    "In block", "Lanes",
					     "Active", "<State", "Executed", "PC",	 "<Place"};
	struct table t;
	struct debug_where w;
	uint32_t next_slot = 0, next_warp = 0, *slots;
	uint64_t left_out = 0;
	struct info_filter f;
	if (!info_filter_scan(d, args, false, &f, why))
		return false;
	const struct debug_where *focus = debug_focus_where(d, &w) ? &w : NULL;
	/* in performance mode many run at a time */
	bool has_next = !gpu_is_performance(d->g) && gpu_next_warp(d->g, &next_slot, &next_warp);
	size_t n = debug_resident_slots(d, &slots);
	table_init(&t, titles, 10);
	t.fit = d->settings.width;
	for (size_t i = 0; i < n; i++) {
		const struct exec_cta *cta = gpu_cta(d->g, slots[i]);
		for (uint32_t k = 0; k < cta->n_warps; k++) {
			if (!info_filter_wants(&f, cta->core, info_warp_number(cta, &cta->warp[k])))
				continue;
			if (is_full(d, t.n_rows))
				left_out++;
			else
				warp_row(d, &t, cta, &cta->warp[k], has_next && slots[i] == next_slot && k == next_warp,
					 focus);
		}
	}
	free(slots);
	info_print_rows(&t, &f, out);
	if (left_out)
		text_addf(out, "... %llu more rows (set table-rows N)\n", (unsigned long long)left_out);
	return true;
}

/* ---- blocks ---- */

static void block_row(struct table *t, const struct exec_launch *l, uint64_t first, uint64_t last, const char *state,
		      bool star)
{
	uint32_t a[3], b[3];
	debug_split3(first, l->grid, a);
	debug_split3(last, l->grid, b);
	table_row(t, star);
	table_dim3(t, a);
	table_dim3(t, b);
	table_cell(t, "%llu", (unsigned long long)(last - first + 1));
	table_cell(t, "%s", state);
}

static void warp_counts(const struct exec_cta *cta, struct text *out)
{
	uint32_t ready = 0, waits = 0;
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		ready += cta->warp[k].state == EXEC_WARP_RUNNABLE;
		waits += cta->warp[k].state == EXEC_WARP_BARRIER;
	}
	text_addf(out, "%u ready, %u at a barrier, %u done", ready, waits, cta->n_done);
}

static void resident_row(struct debug *d, struct table *t, const struct exec_launch *l, const struct exec_cta *cta,
			 bool star)
{
	struct text warps = {0};
	block_row(t, l, cta->linear, cta->linear, "running", star);
	table_cell(t, "%u", cta->core);
	if (gpu_is_performance(d->g))
		info_block_waits(d, cta, &warps);
	else
		warp_counts(cta, &warps);
	table_cell(t, "%s", text_str(&warps));
	text_free(&warps);
}

bool info_blocks(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	static const char *const titles[] = {"Block", "To block", "Count", "<State", "Core", "<Warps"};
	struct gpu_launch_info info;
	struct table t;
	uint32_t id;
	if (!scan_end(args, why))
		return false;
	if (!table_launch(d, &id) || !gpu_launch_get(d->g, id, &info)) {
		text_add(out, "No blocks.\n");
		return true;
	}
	table_init(&t, titles, 6);
	t.fit = d->settings.width;
	const struct exec_cta **ctas;
	const size_t k = debug_resident_of(d, id, &ctas);
	uint64_t focus = d->has_focus && d->focus.launch == id ? d->focus.cta : UINT64_MAX, next = 0;
	uint64_t started = info.state == GPU_LAUNCH_DONE || info.state == GPU_LAUNCH_KILLED ? info.launch.n_ctas
											    : info.ctas_started;
	for (size_t i = 0; i <= k; i++) {
		uint64_t until = i < k ? ctas[i]->linear : started;
		if (until > next)
			block_row(&t, &info.launch, next, until - 1, "finished", focus >= next && focus < until);
		if (i < k) {
			resident_row(d, &t, &info.launch, ctas[i], focus == ctas[i]->linear);
			next = ctas[i]->linear + 1;
		}
	}
	if (started < info.launch.n_ctas)
		block_row(&t, &info.launch, started, info.launch.n_ctas - 1, "not started",
			  focus >= started && focus < info.launch.n_ctas);
	table_print(&t, out);
	free(ctas);
	return true;
}

/* ---- kernels, launches ---- */

static const char *launch_state(enum gpu_launch_state s)
{
	static const char *const names[] = {"queued", "running", "finished", "failed", "killed"};
	return names[s];
}

/* Some thread has launched one of them. */
static bool any_nested(struct debug *d, uint32_t first)
{
	struct gpu_launch_info info;
	for (uint32_t id = first; gpu_launch_get(d->g, id, &info); id++)
		if (info.parent)
			return true;
	return false;
}

bool info_kernels(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	static const char *const titles[] = {"Kernel",	    "<State", "Grid",  "Block",	      "Shared",
					     "Blocks done", "<Uids",  "<Name", "<Launched by"};
	struct table t;
	uint32_t n = gpu_launch_count(d->g), first = 0;
	if (!scan_end(args, why))
		return false;
	if (!n) {
		text_add(out, "No kernel was launched yet.\n");
		return true;
	}
	if (d->settings.table_rows && n > d->settings.table_rows)
		first = n - d->settings.table_rows;
	if (first)
		text_addf(out, "... the first %u launches are left out (set table-rows N)\n", first);
	const bool nested = any_nested(d, first);
	table_init(&t, titles, nested ? 9 : 8);
	t.fit = d->settings.width;
	for (uint32_t id = first; id < n; id++) {
		struct gpu_launch_info info;
		gpu_launch_get(d->g, id, &info);
		const struct exec_launch *l = &info.launch;
		table_row(&t, d->has_focus && d->focus.launch == id);
		table_cell(&t, "%u", id);
		table_cell(&t, "%s", launch_state(info.state));
		table_dim3(&t, l->grid);
		table_dim3(&t, l->block);
		table_cell(&t, "%u", l->shared_bytes);
		table_cell(&t, "%llu/%llu", (unsigned long long)info.ctas_done, (unsigned long long)l->n_ctas);
		table_cell(&t, "%llu-%llu", (unsigned long long)l->first_uid,
			   (unsigned long long)(l->first_uid + l->n_threads - 1));
		table_cell(&t, "%s", debug_function_name(d, debug_program(d)->functions[l->function]));
		if (info.parent)
			table_cell(&t, "kernel %u, uid %llu", info.parent - 1, (unsigned long long)info.parent_uid);
		else if (nested)
			table_cell(&t, "host");
	}
	table_print(&t, out);
	return true;
}

/* Cycles of its own so far; in functional mode these are warp instructions. */
static void add_cycles(void *self, const char *name, struct statistic_value v)
{
	if (!strcmp(name, "gpu_sim_cycle"))
		*(uint64_t *)self = v.n;
}

static void launch_row(struct debug *d, struct table *t, uint32_t id, const struct gpu_launch_info *info)
{
	const struct exec_launch *l = &info->launch;
	uint64_t cycles = UINT64_MAX;
	table_row(t, d->has_focus && d->focus.launch == id);
	table_cell(t, "%u", id);
	table_cell(t, "%s", debug_function_name(d, debug_program(d)->functions[l->function]));
	table_dim3(t, l->grid);
	table_dim3(t, l->block);
	table_cell(t, "%u", l->shared_bytes);
	table_cell(t, "%u", gpu_stream_shown(l->stream));
	table_cell(t, "%s", info->performance ? "performance" : "functional");
	gpu_statistics_each(d->g, id, add_cycles, &cycles);
	if (cycles == UINT64_MAX) /* it hasn't begun */
		table_cell(t, "-");
	else
		table_cell(t, "%" PRIu64, cycles);
	const long pid = debug_launched_by(d, id);
	if (pid)
		table_cell(t, "%ld", pid);
	else if (debug_process_of(d, 0)) /* the prompt's */
		table_cell(t, "-");
}

/* Those that a name means, or all. */
static bool scan_launch_name(const char *args, struct launch_name *name, struct text *why)
{
	const char *s = scan_blanks(args);
	if (!*s)
		return true;
	if (launch_name_scan(&s, name, why) && scan_end(s, why))
		return true;
	launch_name_free(name);
	return false;
}

static void no_launch_text(uint32_t n_launches, const struct launch_name *name, struct text *out)
{
	if (!n_launches)
		text_add(out, "No kernel was launched yet.\n");
	else if (name->k)
		text_addf(out, "No launch is %s#%llu.\n", name->name, (unsigned long long)name->k);
	else
		text_addf(out, "No launch is called %s.\n", name->name);
}

bool info_launches(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	static const char *const titles[] = {"Launch", "<Name", "Grid",	  "Block",  "Shared",
					     "Stream", "<Mode", "Cycles", "Process"};
	struct table t;
	struct launch_name name = {0};
	struct gpu_launch_info info;
	uint32_t n = gpu_launch_count(d->g), wanted = 0, k = 0;
	if (!scan_launch_name(args, &name, why))
		return false;
	for (uint32_t id = 0; id < n; id++)
		wanted += !name.name || launch_name_means(d, &name, id);
	const uint32_t most = d->settings.table_rows, first = most && wanted > most ? wanted - most : 0;
	if (!wanted) {
		no_launch_text(n, &name, out);
		launch_name_free(&name);
		return true;
	}
	if (first)
		text_addf(out, "... the first %u launches are left out (set table-rows N)\n", first);
	table_init(&t, titles, debug_process_of(d, 0) ? 9 : 8);
	t.fit = d->settings.width;
	for (uint32_t id = 0; id < n; id++)
		if ((!name.name || launch_name_means(d, &name, id)) && k++ >= first && gpu_launch_get(d->g, id, &info))
			launch_row(d, &t, id, &info);
	launch_name_free(&name);
	table_print(&t, out);
	return true;
}

/* ---- cores ---- */

struct core_counts {
	uint32_t blocks, warps, states[4];
};

/* Of those warps of a block that are wanted. */
static void count_block(const struct info_filter *f, const struct exec_cta *cta, struct core_counts *n)
{
	const uint32_t before = n->warps;
	for (uint32_t k = 0; k < cta->n_warps; k++)
		if (info_filter_wants(f, cta->core, info_warp_number(cta, &cta->warp[k]))) {
			n->warps++;
			n->states[cta->warp[k].state & 3]++;
		}
	n->blocks += n->warps > before;
}

static void core_row(struct table *t, uint32_t core, const struct core_counts *n, bool star)
{
	table_row(t, star);
	table_cell(t, "%u", core);
	table_cell(t, "%u", n->blocks);
	table_cell(t, "%u", n->warps);
	table_cell(t, "%u", n->states[EXEC_WARP_RUNNABLE]);
	table_cell(t, "%u", n->states[EXEC_WARP_BARRIER]);
	table_cell(t, "%u", n->states[EXEC_WARP_DONE]);
}

bool info_cores(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	static const char *const titles[] = {"Core", "Blocks", "Warps", "Ready", "At a barrier", "Done"};
	struct table t;
	struct debug_where w;
	struct info_filter f;
	uint32_t n_cores = gpu_exec(d->g)->n_cores, *slots;
	if (!info_filter_scan(d, args, true, &f, why))
		return false;
	if (gpu_is_performance(d->g)) {
		info_cores_performance(d, &f, out);
		return true;
	}
	bool has = debug_focus_where(d, &w) && w.cta;
	size_t n = debug_resident_slots(d, &slots), i = 0;
	table_init(&t, titles, 6);
	t.fit = d->settings.width;
	for (uint32_t core = 0; core < n_cores; core++) {
		struct core_counts counts = {0};
		for (; i < n && gpu_cta(d->g, slots[i])->core == core; i++)
			count_block(&f, gpu_cta(d->g, slots[i]), &counts);
		if (info_filter_core(&f, core) && (counts.warps || !f.has_warp))
			core_row(&t, core, &counts, has && w.core == core);
	}
	free(slots);
	info_print_rows(&t, &f, out);
	return true;
}
