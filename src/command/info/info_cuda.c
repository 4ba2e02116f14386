/* `info cuda`: cuda-gdb's tables, with its column titles. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "command/info.h"
#include "command/inspect.h"
#include "command/show/focus_commands.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "gpu/config/config.h"

static bool no_arguments(const char *args, struct text *why) { return scan_end(args, why); }

/* Closes a table; without rows it is a line, as in cuda-gdb. */
static void close_or_say(struct report *answer, const char *none)
{
	report_instead(answer, "%s", none);
	report_close(answer);
}

/* Cores that hold blocks: of one launch, or of any. */
static uint64_t core_mask(struct debug *d, const uint32_t *launch)
{
	uint32_t *slots;
	uint64_t mask = 0;
	size_t n = debug_resident_slots(d, &slots);
	for (size_t i = 0; i < n; i++) {
		const struct exec_cta *c = gpu_cta(d->g, slots[i]);
		if (c->core < 64 && (!launch || c->launch == *launch))
			mask |= UINT64_C(1) << c->core;
	}
	free(slots);
	return mask;
}

static uint32_t warps_per_core(struct debug *d)
{
	uint32_t n = gpu_exec(d->g)->warps_per_core;
	return n ? n : 48;
}

bool cuda_devices(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Dev", "PCI Bus/Dev ID", "Name",	    "Description",   "SM Type",
					     "SMs", "Warps/SM",	      "Lanes/Warp", "Max Regs/Lane", "Active SMs Mask"};
	if (!no_arguments(args, why))
		return false;
	report_table(answer, "devices", titles, 10);
	report_row(answer, d->has_focus);
	report_number(answer, NULL, 0);
	report_text(answer, NULL, "00:00.0");
	report_text(answer, NULL, "warpstep");
	report_text(answer, NULL, "simulated");
	report_text(answer, NULL, "sim");
	report_number(answer, NULL, gpu_exec(d->g)->n_cores);
	report_number(answer, NULL, warps_per_core(d));
	report_number(answer, NULL, gpu_exec(d->g)->warp_threads);
	report_number(answer, NULL, 255);
	report_mask(answer, NULL, core_mask(d, NULL), 8);
	report_close(answer);
	return true;
}

static bool live_warp(const struct exec_warp *w)
{
	return w->state != EXEC_WARP_DONE && w->state != EXEC_WARP_UNUSED && w->n_simt;
}

bool cuda_sms(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"SM", "Active Warps Mask"};
	struct debug_where f;
	struct gpu_launch_info info;
	struct cuda_filter filter;
	uint32_t *slots, n_cores = gpu_exec(d->g)->n_cores;
	if (!cuda_filter(d, args, &filter, why))
		return false;
	bool has = debug_focus_where(d, &f) && f.cta;
	size_t n = debug_resident_slots(d, &slots), i = 0;
	report_table(answer, "sms", titles, 2);
	for (uint32_t core = 0; core < n_cores; core++) {
		uint64_t mask = 0;
		for (; i < n && gpu_cta(d->g, slots[i])->core == core; i++) {
			const struct exec_cta *cta = gpu_cta(d->g, slots[i]);
			gpu_launch_get(d->g, cta->launch, &info);
			for (uint32_t k = 0; k < cta->n_warps; k++) {
				uint32_t id = cta->core_slot * info.launch.warps_per_cta + k;
				if (live_warp(&cta->warp[k]) && id < 64)
					mask |= UINT64_C(1) << id;
			}
		}
		if (filter.core && core != filter.core_number)
			continue;
		report_row(answer, has && f.core == core);
		if (report_rows(answer) == 1)
			report_row_heading(answer, "Device 0");
		report_number(answer, NULL, core);
		report_mask(answer, NULL, mask, 16);
	}
	free(slots);
	report_close(answer);
	return true;
}

/* ---- warps, lanes ---- */

/* Adds the rows of a block's live warps, the first of them with the heading of its core if `is_first` of the core. Returns whether there are any. */
static bool warp_rows(struct debug *d, struct report *answer, const struct exec_cta *cta, const struct debug_where *focus, bool is_first)
{
	struct gpu_launch_info info;
	bool any = false;
	gpu_launch_get(d->g, cta->launch, &info);
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct exec_warp *w = &cta->warp[k];
		if (!live_warp(w))
			continue;
		const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), w);
		report_row(answer, focus && focus->w == w);
		if (is_first && !any)
			report_row_heading(answer, "Device 0 SM %u", cta->core);
		any = true;
		report_number(answer, NULL, cta->core_slot * info.launch.warps_per_cta + k);
		report_lanes(answer, NULL, top->mask);
		report_lanes(answer, NULL, w->lanes & ~w->exited & ~top->mask);
		report_mask(answer, NULL, (uint64_t)debug_standing_pc(w, top, top->mask) * ISA_INSN_BYTES, 16);
		report_number(answer, NULL, cta->launch);
		report_triple(answer, NULL, cta->id);
	}
	return any;
}

/* The resident blocks of the focused core, of all cores if there is no focus on one. */
bool cuda_warps(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Wp",     "Active Lanes Mask", "Divergent Lanes Mask", "Active Physical PC",
					     "Kernel", "BlockIdx"};
	struct debug_where f;
	struct cuda_filter filter;
	uint32_t *slots;
	if (!cuda_filter(d, args, &filter, why))
		return false;
	bool has = debug_focus_where(d, &f) && f.cta;
	bool one = filter.core || (filter.has_thread && filter.w.cta);
	uint32_t wanted = filter.core ? filter.core_number : filter.w.core;
	size_t n = debug_resident_slots(d, &slots);
	uint32_t core = UINT32_MAX;
	report_table(answer, "warps", titles, 6);
	for (size_t i = 0; i < n; i++) {
		const struct exec_cta *cta = gpu_cta(d->g, slots[i]);
		if (one && cta->core != wanted)
			continue;
		if (filter.block && (cta->launch != filter.w.thread.launch || cta->linear != filter.w.thread.cta))
			continue;
		if (warp_rows(d, answer, cta, has ? &f : NULL, cta->core != core))
			core = cta->core;
	}
	free(slots);
	close_or_say(answer, "No CUDA warps.\n");
	return true;
}

static const char *lane_state(const struct exec_warp *w, uint32_t lane, uint32_t active)
{
	if (!(w->lanes >> lane & 1))
		return "inactive";
	if (w->exited >> lane & 1)
		return "exited";
	return active >> lane & 1 ? "active" : "divergent";
}

bool cuda_lanes(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Ln", "State", "PC", "ThreadIdx", "Exception"};
	struct debug_where f, focus;
	struct cuda_filter filter;
	if (!cuda_filter(d, args, &filter, why))
		return false;
	if (!filter.has_thread || !filter.w.cta)
		return debug_fail(why, filter.core ? "No CUDA lanes." : "Focus is not set on any active CUDA kernel.");
	f = filter.w;
	bool here = debug_focus_where(d, &focus) && focus.w == f.w;
	uint32_t active = live_warp(f.w) ? exec_simt_top(gpu_exec(d->g), f.w)->mask : 0;
	bool excepted = d->has_last && d->last.reason == DEBUG_STOP_EXCEPTION && d->last.cycle == gpu_cycle(d->g) &&
			f.pc == gpu_exec(d->g)->pc;
	report_table(answer, "lanes", titles, 5);
	for (uint32_t lane = 0; lane < LANES; lane++) {
		struct debug_thread at = f.thread;
		struct debug_where x;
		at.thread = debug_thread_of(d, f.warp_index, lane);
		bool exists = debug_thread_where(d, &at, &x);
		report_row(answer, here && lane == focus.lane);
		if (!lane)
			report_row_heading(answer, "Device 0 SM %u Warp %u", f.core, f.warp);
		report_number(answer, NULL, lane);
		report_text(answer, NULL, lane_state(f.w, lane, active));
		if (exists && x.simt)
			report_mask(answer, NULL, (uint64_t)x.pc * ISA_INSN_BYTES, 16);
		else
			report_none(answer, NULL, "n/a");
		if (exists)
			report_triple(answer, NULL, x.thread_id);
		else
			report_none(answer, NULL, "n/a");
		report_text(answer, NULL, excepted && gpu_exec(d->g)->fault.lanes >> lane & 1 ? "Exception" : "None");
	}
	report_close(answer);
	return true;
}

/* ---- kernels, blocks, threads ---- */

/* The frame of the kernel itself, in which its parameters have their names: the thread may be in a function it calls. */
static uint32_t kernel_level(struct debug *d, const struct debug_thread *t)
{
	struct debug_where w;
	struct debug_frame_walk walk;
	uint32_t level = 0;
	if (debug_thread_where(d, t, &w) && debug_frames_begin(d, &w, &walk))
		while (debug_frames_up(&walk))
			level++;
	return level;
}

/* A parameter's name, without the mangled name of its function that nvcc puts before it. */
static const char *parameter_name(const struct isa_function *f, uint32_t k)
{
	const char *name = f->params[k].name;
	size_t n = strlen(f->name);
	return f->demangled && !strncmp(name, f->name, n) && name[n] == '_' ? name + n + 1 : name;
}

static void kernel_arguments(struct debug *d, uint32_t id, const struct isa_function *f, struct text *out)
{
	struct debug_thread t = {.launch = id};
	uint32_t level = kernel_level(d, &t);
	for (uint32_t k = 0; k < f->n_params; k++) {
		struct expr_value v;
		struct text ignored = {0};
		struct expr *e = expr_parse(d, f->params[k].name, NULL, &ignored);
		text_addf(out, "%s%s=", k ? ", " : "", parameter_name(f, k));
		if (e && expr_eval(d, e, &t, level, &v, &ignored)) {
			if (v.is_array)
				text_add(out, "...");
			else
				format_value(d, &v, NULL, out);
			expr_value_free(&v);
		} else {
			text_addc(out, '?');
		}
		expr_free(e);
		text_free(&ignored);
	}
}

bool cuda_kernels(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Kernel",	 "Parent",  "Dev",	"Grid",	      "Status",
					     "SMs Mask", "GridDim", "BlockDim", "<Invocation"};
	struct cuda_filter filter;
	uint32_t n = gpu_launch_count(d->g);
	if (!cuda_filter(d, args, &filter, why))
		return false;
	report_table(answer, "kernels", titles, 9);
	for (uint32_t id = 0; id < n; id++) {
		struct gpu_launch_info info;
		struct text call = {0};
		gpu_launch_get(d->g, id, &info);
		if (info.state == GPU_LAUNCH_DONE || info.state == GPU_LAUNCH_KILLED ||
		    (filter.logical && id != filter.w.thread.launch))
			continue;
		const struct isa_function *f = debug_program(d)->functions[info.launch.function];
		bool active = info.state != GPU_LAUNCH_QUEUED;
		report_row(answer, d->has_focus && d->focus.launch == id);
		report_number(answer, NULL, id);
		report_none(answer, NULL, "-");
		report_number(answer, NULL, 0);
		report_number(answer, NULL, id + 1);
		report_text(answer, NULL, active ? "Active" : "Pending");
		report_mask(answer, NULL, (active ? core_mask(d, &id) : 0), 8);
		report_triple(answer, NULL, info.launch.grid);
		report_triple(answer, NULL, info.launch.block);
		text_addf(&call, "%s(", debug_function_name(d, f));
		kernel_arguments(d, id, f, &call);
		text_addc(&call, ')');
		report_text(answer, NULL, text_str(&call));
		text_free(&call);
	}
	close_or_say(answer, "No CUDA kernels.\n");
	return true;
}

struct rows {
	struct debug *d;
	struct report *answer;
	uint32_t group; /* launch whose heading was written */
	bool has_block;
	uint64_t first, last; /* blocks: the range under way */
	const struct exec_launch *l;
	bool star;
	struct cuda_filter filter;
};

/* What of a run of threads the filter lets through; false: nothing. */
static bool cut(const struct rows *r, const struct exec_launch *l, const struct thread_run *run, uint64_t *first,
		uint64_t *last)
{
	const struct cuda_filter *f = &r->filter;
	*first = run->first;
	*last = run->last;
	if (!f->logical)
		return true;
	if (l->id != f->w.thread.launch)
		return false;
	uint64_t from = f->w.thread.cta * l->threads_per_cta, to = from + l->threads_per_cta - 1;
	if (f->thread)
		from = to = from + f->w.thread.thread;
	if (f->block) {
		*first = from > *first ? from : *first;
		*last = to < *last ? to : *last;
	}
	return *first <= *last;
}

static bool holds_focus(const struct rows *r, const struct exec_launch *l, const struct thread_run *run, uint64_t first,
			uint64_t last)
{
	uint64_t focus = r->d->focus.cta * l->threads_per_cta + r->d->focus.thread;
	return run->has_focus && focus >= first && focus <= last;
}

static void group_line(struct rows *r, uint32_t launch)
{
	if (r->group == launch && report_rows(r->answer) > 1)
		return;
	r->group = launch;
	report_row_heading(r->answer, "Kernel %u", launch);
}

static void flush_blocks(struct rows *r)
{
	uint32_t a[3], b[3];
	if (!r->has_block)
		return;
	debug_split3(r->first, r->l->grid, a);
	debug_split3(r->last, r->l->grid, b);
	report_row(r->answer, r->star);
	group_line(r, r->l->id);
	report_triple(r->answer, NULL, a);
	report_triple(r->answer, NULL, b);
	report_number(r->answer, NULL, (r->last - r->first + 1));
	report_text(r->answer, NULL, "running");
	r->has_block = r->star = false;
}

static void block_run(void *self, const struct exec_launch *l, const struct thread_run *run)
{
	struct rows *r = self;
	uint64_t first, last;
	if (!cut(r, l, run, &first, &last))
		return;
	bool star = holds_focus(r, l, run, first, last);
	first /= l->threads_per_cta;
	last /= l->threads_per_cta;
	if (r->has_block && first > r->last + 1)
		flush_blocks(r);
	if (!r->has_block)
		r->first = first;
	r->has_block = true;
	r->last = last;
	r->l = l;
	r->star |= star;
}

static void for_running(struct debug *d, thread_run_fn *fn, struct rows *r, bool blocks)
{
	struct gpu_launch_info info;
	uint32_t n = gpu_launch_count(d->g);
	r->group = UINT32_MAX;
	for (uint32_t id = 0; id < n; id++) {
		gpu_launch_get(d->g, id, &info);
		if (info.state != GPU_LAUNCH_RUNNING && info.state != GPU_LAUNCH_FAILED)
			continue;
		debug_thread_runs(d, id, true, fn, r);
		if (blocks) {
			r->l = &info.launch;
			flush_blocks(r);
			r->l = NULL;
		}
	}
}

bool cuda_blocks(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"BlockIdx", "To BlockIdx", "Count", "State"};
	struct rows r = {.d = d, .answer = answer};
	if (!cuda_filter(d, args, &r.filter, why))
		return false;
	report_table(answer, "blocks", titles, 4);
	for_running(d, block_run, &r, true);
	close_or_say(answer, "No CUDA blocks.\n");
	return true;
}

static void thread_row(void *self, const struct exec_launch *l, const struct thread_run *run)
{
	struct rows *r = self;
	uint32_t a[3], b[3], c[3], e[3];
	uint64_t first, last;
	if (run->state != DEBUG_THREAD_LIVE || !cut(r, l, run, &first, &last))
		return;
	bool star = holds_focus(r, l, run, first, last);
	if (r->d->settings.table_rows && report_rows(r->answer) >= r->d->settings.table_rows && !star)
		return;
	debug_split3(first / l->threads_per_cta, l->grid, a);
	debug_split3(first % l->threads_per_cta, l->block, b);
	debug_split3(last / l->threads_per_cta, l->grid, c);
	debug_split3(last % l->threads_per_cta, l->block, e);
	struct debug_position p = debug_position_at(r->d, run->pc);
	report_row(r->answer, star);
	group_line(r, l->id);
	report_triple(r->answer, NULL, a);
	report_triple(r->answer, NULL, b);
	report_triple(r->answer, NULL, c);
	report_triple(r->answer, NULL, e);
	report_number(r->answer, NULL, (last - first + 1));
	report_mask(r->answer, NULL, (uint64_t)run->pc * ISA_INSN_BYTES, 16);
	report_text(r->answer, NULL, debug_file_name(r->d, p.file));
	report_number(r->answer, NULL, p.line);
}

bool cuda_threads(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"BlockIdx", "ThreadIdx", "To BlockIdx", "ThreadIdx",
					     "Count",	 "Virtual PC",	      "Filename",    "Line"};
	struct rows r = {.d = d, .answer = answer};
	if (!cuda_filter(d, args, &r.filter, why))
		return false;
	report_table(answer, "threads", titles, 8);
	for_running(d, thread_row, &r, false);
	close_or_say(answer, "No CUDA threads.\n");
	return true;
}

bool cuda_line(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return info_line(d, args, answer, why);
}

const struct info_row info_cuda_rows[] = {
	{"barriers", "", "Lanes of the focused warp and where they wait for each other", cuda_barriers},
	{"blocks", "[kernel N] [block (X,Y,Z)]", "Blocks on cores, neighbours together", cuda_blocks},
	{"devices", "", "The simulated device", cuda_devices},
	{"kernels", "[kernel N]", "Kernels queued or running", cuda_kernels},
	{"lanes", "[sm N] [warp N]", "Lanes of the focused warp, or of another one", cuda_lanes},
	{"line", "[LOC]", "Where a line's instructions are", cuda_line},
	{"sms", "[sm N]", "Cores and their warps", cuda_sms},
	{"threads", "[kernel N] [block (X,Y,Z)] [thread (X,Y,Z)]", "Threads on cores, neighbours at one place together",
	 cuda_threads},
	{"warps", "[sm N]", "Warps of the focused core, or of another one", cuda_warps},
};
const size_t info_cuda_n = sizeof info_cuda_rows / sizeof *info_cuda_rows;
