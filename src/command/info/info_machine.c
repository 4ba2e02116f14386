/* info threads, warps, blocks, kernels, cores. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/dump_info.h"
#include "debug/expr/expr.h"
#include "debug/program.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "debug/setup/launches.h"
#include "command/info.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "gpu/statistics/statistics.h"

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
	struct report *answer;
	uint64_t left_out;
};

static void coordinates(struct thread_rows *r, const struct exec_launch *l, uint64_t linear)
{
	uint32_t block[3], thread[3];
	debug_split3(linear / l->threads_per_cta, l->grid, block);
	debug_split3(linear % l->threads_per_cta, l->block, thread);
	report_textf(r->answer, NULL, "(%u,%u,%u) (%u,%u,%u)", block[0], block[1], block[2], thread[0], thread[1], thread[2]);
}

static void thread_row(void *self, const struct exec_launch *l, const struct thread_run *run)
{
	struct thread_rows *r = self;
	struct text place = {0};
	if (is_full(r->d, report_rows(r->answer)) && !run->has_focus) {
		r->left_out++;
		return;
	}
	report_row(r->answer, run->has_focus);
	uint64_t first = l->first_uid + run->first, last = l->first_uid + run->last;
	if (first == last)
		report_number(r->answer, NULL, first);
	else
		report_textf(r->answer, NULL, "%llu-%llu", (unsigned long long)first, (unsigned long long)last);
	report_number(r->answer, NULL, (last - first + 1));
	coordinates(r, l, run->first);
	coordinates(r, l, run->last);
	report_text(r->answer, NULL, debug_state_name(run));
	if (run->state == DEBUG_THREAD_EXITED) {
		report_none(r->answer, NULL, "-");
		report_none(r->answer, NULL, "-");
		return;
	}
	report_hex(r->answer, NULL, run->pc * ISA_INSN_BYTES);
	debug_place_text(r->d, run->pc, &place);
	report_text(r->answer, NULL, text_str(&place));
	text_free(&place);
}

bool info_threads(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Uid", "Count", "<From block, thread", "<To block, thread", "<State",
					     "PC",   "<Place"};
	struct thread_rows r = {.d = d, .answer = answer};
	uint32_t id;
	if (!scan_end(args, why))
		return false;
	if (!table_launch(d, &id)) {
		report_say(answer, "No threads.\n");
		return true;
	}
	report_table(answer, "threads", titles, 7);
	debug_thread_runs(d, id, false, thread_row, &r);
	report_close(answer);
	if (r.left_out)
		report_say(answer, "... %llu more rows (set table-rows N)\n", (unsigned long long)r.left_out);
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

static void warp_row(struct debug *d, struct report *answer, const struct exec_cta *cta, const struct exec_warp *w, bool next,
		     const struct debug_where *focus)
{
	struct text place = {0};
	bool done = w->state == EXEC_WARP_DONE || !w->n_simt;
	const struct exec_simt *top = done ? NULL : exec_simt_top(gpu_exec(d->g), w);
	uint32_t pc = top ? debug_standing_pc(w, top, top->mask) : w->last_pc;
	report_row(answer, focus && focus->w == w);
	report_number(answer, NULL, cta->core);
	report_number(answer, NULL, info_warp_number(cta, w));
	report_triple(answer, NULL, cta->id);
	report_number(answer, NULL, w->index);
	report_lanes(answer, NULL, w->lanes & ~w->exited);
	report_lanes(answer, NULL, top ? top->mask : 0);
	report_text(answer, NULL, gpu_is_performance(d->g) ? info_warp_waits(d, cta, w) : warp_state(w, next));
	report_number(answer, NULL, w->executed);
	report_hex(answer, NULL, pc * ISA_INSN_BYTES);
	debug_place_text(d, pc, &place);
	report_text(answer, NULL, text_str(&place));
	text_free(&place);
}

bool info_warps(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Core",   "Warp",	 "Block",    "In block", "Lanes",
					     "Active", "<State", "Executed", "PC",	 "<Place"};
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
	report_table(answer, "warps", titles, 10);
	report_table_keys(answer, 2);
	for (size_t i = 0; i < n; i++) {
		const struct exec_cta *cta = gpu_cta(d->g, slots[i]);
		for (uint32_t k = 0; k < cta->n_warps; k++) {
			if (!info_filter_wants(&f, cta->core, info_warp_number(cta, &cta->warp[k])))
				continue;
			if (is_full(d, report_rows(answer)))
				left_out++;
			else
				warp_row(d, answer, cta, &cta->warp[k], has_next && slots[i] == next_slot && k == next_warp,
					 focus);
		}
	}
	free(slots);
	info_close_rows(answer, &f);
	if (left_out)
		report_say(answer, "... %llu more rows (set table-rows N)\n", (unsigned long long)left_out);
	return true;
}

/* ---- blocks ---- */

static void block_row(struct report *answer, const struct exec_launch *l, uint64_t first, uint64_t last, const char *state,
		      bool star)
{
	uint32_t a[3], b[3];
	debug_split3(first, l->grid, a);
	debug_split3(last, l->grid, b);
	report_row(answer, star);
	report_triple(answer, NULL, a);
	report_triple(answer, NULL, b);
	report_number(answer, NULL, (last - first + 1));
	report_text(answer, NULL, state);
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

static void resident_row(struct debug *d, struct report *answer, const struct exec_launch *l, const struct exec_cta *cta,
			 bool star)
{
	struct text warps = {0};
	block_row(answer, l, cta->linear, cta->linear, "running", star);
	report_number(answer, NULL, cta->core);
	if (gpu_is_performance(d->g))
		info_block_waits(d, cta, &warps);
	else
		warp_counts(cta, &warps);
	report_text(answer, NULL, text_str(&warps));
	text_free(&warps);
}

bool info_blocks(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Block", "To block", "Count", "<State", "Core", "<Warps"};
	struct gpu_launch_info info;
	uint32_t id;
	if (!scan_end(args, why))
		return false;
	if (!table_launch(d, &id) || !gpu_launch_get(d->g, id, &info)) {
		report_say(answer, "No blocks.\n");
		return true;
	}
	report_table(answer, "blocks", titles, 6);
	const struct exec_cta **ctas;
	const size_t k = debug_resident_of(d, id, &ctas);
	uint64_t focus = d->has_focus && d->focus.launch == id ? d->focus.cta : UINT64_MAX, next = 0;
	uint64_t started = info.state == GPU_LAUNCH_DONE || info.state == GPU_LAUNCH_KILLED ? info.launch.n_ctas
											    : info.ctas_started;
	for (size_t i = 0; i <= k; i++) {
		uint64_t until = i < k ? ctas[i]->linear : started;
		if (until > next)
			block_row(answer, &info.launch, next, until - 1, "finished", focus >= next && focus < until);
		if (i < k) {
			resident_row(d, answer, &info.launch, ctas[i], focus == ctas[i]->linear);
			next = ctas[i]->linear + 1;
		}
	}
	if (started < info.launch.n_ctas)
		block_row(answer, &info.launch, started, info.launch.n_ctas - 1, "not started",
			  focus >= started && focus < info.launch.n_ctas);
	report_close(answer);
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
	static const char *const titles[] = {"Kernel",	    "<State", "Grid",  "Block",	      "Shared",
					     "Blocks done", "<Uids",  "<Name", "<Launched by"};
	uint32_t n = gpu_launch_count(d->g), first = 0;
	int64_t only;
	const bool has_only = *scan_blanks(args);
	if (has_only && !debug_eval_integer(d, args, &only, why))
		return false;
	if (has_only && (only < 0 || only >= n))
		return debug_fail(why, "there is no kernel %lld, only %u launches", (long long)only, n);
	if (!n) {
		report_say(answer, "No kernel was launched yet.\n");
		return true;
	}
	if (has_only) {
		first = (uint32_t)only;
		n = first + 1;
	} else if (d->settings.table_rows && n > d->settings.table_rows) {
		first = n - d->settings.table_rows;
		report_say(answer, "... the first %u launches are left out (set table-rows N)\n", first);
	}
	const bool nested = any_nested(d, first);
	report_table(answer, "kernels", titles, nested ? 9 : 8);
	for (uint32_t id = first; id < n; id++) {
		struct gpu_launch_info info;
		gpu_launch_get(d->g, id, &info);
		const struct exec_launch *l = &info.launch;
		report_row(answer, d->has_focus && d->focus.launch == id);
		report_number(answer, NULL, id);
		report_text(answer, NULL, launch_state(info.state));
		report_triple(answer, NULL, l->grid);
		report_triple(answer, NULL, l->block);
		report_number(answer, NULL, l->shared_bytes);
		report_textf(answer, NULL, "%llu/%llu", (unsigned long long)info.ctas_done, (unsigned long long)l->n_ctas);
		report_textf(answer, NULL, "%llu-%llu", (unsigned long long)l->first_uid, (unsigned long long)(l->first_uid + l->n_threads - 1));
		report_text(answer, NULL, debug_function_name(d, debug_program(d)->functions[l->function]));
		if (info.parent)
			report_textf(answer, NULL, "kernel %u, uid %llu", info.parent - 1, (unsigned long long)info.parent_uid);
		else if (nested)
			report_text(answer, NULL, "host");
	}
	report_close(answer);
	return true;
}

/* Cycles of its own so far; in functional mode these are warp instructions. */
static void add_cycles(void *self, const char *name, struct statistic_value v)
{
	if (!strcmp(name, "gpu_sim_cycle"))
		*(uint64_t *)self = v.n;
}

static void launch_row(struct debug *d, struct report *answer, uint32_t id, const struct gpu_launch_info *info)
{
	const struct exec_launch *l = &info->launch;
	uint64_t cycles = UINT64_MAX;
	report_row(answer, d->has_focus && d->focus.launch == id);
	report_number(answer, NULL, id);
	report_text(answer, NULL, debug_function_name(d, debug_program(d)->functions[l->function]));
	report_triple(answer, NULL, l->grid);
	report_triple(answer, NULL, l->block);
	report_number(answer, NULL, l->shared_bytes);
	report_number(answer, NULL, gpu_stream_shown(l->stream));
	report_text(answer, NULL, info->performance ? "performance" : "functional");
	gpu_statistics_each(d->g, id, add_cycles, &cycles);
	if (cycles == UINT64_MAX) /* it hasn't begun */
		report_none(answer, NULL, "-");
	else
		report_number(answer, NULL, cycles);
	const long pid = debug_launched_by(d, id);
	if (pid)
		report_signed(answer, NULL, pid);
	else if (debug_process_of(d, 0)) /* the prompt's */
		report_none(answer, NULL, "-");
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
		text_addf(out, "No kernel was launched yet.\n");
	else if (name->k)
		text_addf(out, "No launch is %s#%llu.\n", name->name, (unsigned long long)name->k);
	else
		text_addf(out, "No launch is called %s.\n", name->name);
}

bool info_launches(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Launch", "<Name", "Grid",	  "Block",  "Shared",
					     "Stream", "<Mode", "Cycles", "Process"};
	struct launch_name name = {0};
	struct gpu_launch_info info;
	uint32_t n = gpu_launch_count(d->g), wanted = 0, k = 0;
	if (!scan_launch_name(args, &name, why))
		return false;
	for (uint32_t id = 0; id < n; id++)
		wanted += !name.name || launch_name_means(d, &name, id);
	const uint32_t most = d->settings.table_rows, first = most && wanted > most ? wanted - most : 0;
	if (!wanted) {
		no_launch_text(n, &name, report_prose(answer));
		launch_name_free(&name);
		return true;
	}
	if (first)
		report_say(answer, "... the first %u launches are left out (set table-rows N)\n", first);
	report_table(answer, "launches", titles, debug_process_of(d, 0) ? 9 : 8);
	for (uint32_t id = 0; id < n; id++)
		if ((!name.name || launch_name_means(d, &name, id)) && k++ >= first && gpu_launch_get(d->g, id, &info))
			launch_row(d, answer, id, &info);
	launch_name_free(&name);
	report_close(answer);
	return true;
}

bool info_cycle(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct gpu_launch_info info;
	uint64_t cycles = UINT64_MAX;
	if (!scan_end(args, why))
		return false;
	const bool is_performance = gpu_is_performance(d->g);
	report_number(answer, "cycle", gpu_cycle(d->g));
	report_text(answer, "mode", is_performance ? "performance" : "functional");
	if (is_performance)
		report_line(answer, "Cycle {cycle} of the core clock.\n");
	else
		report_line(answer, "Cycle {cycle}: in functional mode each warp instruction is a cycle.\n");
	if (!d->has_focus || !gpu_launch_get(d->g, d->focus.launch, &info))
		return true;
	gpu_statistics_each(d->g, d->focus.launch, add_cycles, &cycles);
	report_number(answer, "kernel", d->focus.launch);
	report_text(answer, "name", debug_function_name(d, debug_program(d)->functions[info.launch.function]));
	report_number(answer, "kernel_cycles", cycles == UINT64_MAX ? 0 : cycles);
	report_line(answer, "Kernel {kernel} {name} has run for {kernel_cycles} cycle{kernel_cycles|s}.\n");
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

static void core_row(struct report *answer, uint32_t core, const struct core_counts *n, bool star)
{
	report_row(answer, star);
	report_number(answer, NULL, core);
	report_number(answer, NULL, n->blocks);
	report_number(answer, NULL, n->warps);
	report_number(answer, NULL, n->states[EXEC_WARP_RUNNABLE]);
	report_number(answer, NULL, n->states[EXEC_WARP_BARRIER]);
	report_number(answer, NULL, n->states[EXEC_WARP_DONE]);
}

bool info_cores(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Core", "Blocks", "Warps", "Ready", "At a barrier", "Done"};
	struct debug_where w;
	struct info_filter f;
	uint32_t n_cores = gpu_exec(d->g)->n_cores, *slots;
	if (!info_filter_scan(d, args, true, &f, why))
		return false;
	if (gpu_is_performance(d->g)) {
		info_cores_performance(d, &f, answer);
		return true;
	}
	bool has = debug_focus_where(d, &w) && w.cta;
	size_t n = debug_resident_slots(d, &slots), i = 0;
	report_table(answer, "cores", titles, 6);
	for (uint32_t core = 0; core < n_cores; core++) {
		struct core_counts counts = {0};
		for (; i < n && gpu_cta(d->g, slots[i])->core == core; i++)
			count_block(&f, gpu_cta(d->g, slots[i]), &counts);
		if (info_filter_core(&f, core) && (counts.warps || !f.has_warp))
			core_row(answer, core, &counts, has && w.core == core);
	}
	free(slots);
	info_close_rows(answer, &f);
	return true;
}
