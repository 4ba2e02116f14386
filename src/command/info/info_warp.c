/* info simt-stack, barriers, divergence. */
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/dump_info.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "command/info.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "gpu/config/config.h"

static bool resident_focus(struct debug *d, struct debug_where *w, struct text *out, struct text *why)
{
	if (!debug_focus_where(d, w))
		return debug_fail(why, "There is no thread in focus.");
	if (w->cta)
		return true;
	text_addf(out,
		  w->state == DEBUG_THREAD_WAITING ? "Block (%u,%u,%u) has not started yet.\n"
						   : "Block (%u,%u,%u) has finished.\n",
		  w->block_id[0], w->block_id[1], w->block_id[2]);
	return false;
}

/* ---- SIMT stack ---- */

static void pc_cell(struct report *answer, uint32_t pc)
{
	if (pc == ISA_NO_RECONV)
		report_text(answer, NULL, "exit");
	else
		report_hex(answer, NULL, pc * ISA_INSN_BYTES);
}

static void simt_table(struct debug *d, const struct debug_where *w, struct report *answer)
{
	static const char *const titles[] = {"Entry", "PC", "RPC", "Mask", "Depth", "<Function", "<Place"};
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), w->w);
	report_table(answer, "entries", titles, 7);
	for (uint32_t k = 0; k < w->w->n_simt; k++) {
		const struct exec_simt *e = top - k;
		const struct isa_function *f = isa_program_function_at(debug_program(d), e->pc);
		struct text place = {0};
		if (d->settings.table_rows && k >= d->settings.table_rows)
			break;
		report_row(answer, e == w->simt);
		report_number(answer, NULL, w->w->n_simt - 1 - k);
		pc_cell(answer, e->pc);
		pc_cell(answer, e->rpc);
		report_lanes(answer, NULL, e->mask);
		report_number(answer, NULL, e->call_depth);
		report_text(answer, NULL, f ? debug_function_name(d, f) : "?");
		debug_place_text(d, e->pc, &place);
		report_text(answer, NULL, text_str(&place));
		text_free(&place);
	}
	report_close(answer);
}

/* Adds a warp's stack to the list that is open; the template begins the line about it. */
static void simt_stack(struct debug *d, const struct debug_where *w, const char *line, struct report *answer)
{
	report_open(answer, NULL);
	report_number(answer, "core", w->core);
	report_number(answer, "warp", info_warp_number(w->cta, w->w));
	report_number(answer, "in_block", w->warp_index);
	report_triple(answer, "block", w->block_id);
	report_lanes(answer, "lanes", w->w->lanes);
	report_lanes(answer, "exited", w->w->exited);
	report_line(answer, line);
	if (w->w->state == EXEC_WARP_DONE || !w->w->n_simt)
		report_say(answer, "The warp has exited.\n");
	else
		simt_table(d, w, answer);
	report_close(answer);
}

/* Those that the filter wants. */
static void simt_stacks(struct debug *d, const struct info_filter *f, struct report *answer)
{
	struct debug_where focus, w;
	const bool has = debug_focus_where(d, &focus);
	uint32_t *slots;
	const size_t n = debug_resident_slots(d, &slots);
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		const struct exec_cta *cta = gpu_cta(d->g, slots[i]);
		for (uint32_t k = 0; k < cta->n_warps; k++) {
			const struct debug_thread t = {.launch = cta->launch, .cta = cta->linear, .thread = debug_thread_of(d, k, 0)};
			if (!info_filter_wants(f, cta->core, info_warp_number(cta, &cta->warp[k])) || !debug_thread_where(d, &t, &w))
				continue;
			w.simt = has && focus.w == w.w ? focus.simt : NULL;
			simt_stack(d, &w, "Core {core}, warp {warp}: warp {in_block} of block {block}: lanes {lanes}, exited {exited}\n", answer);
			any = true;
		}
	}
	free(slots);
	if (!any)
		info_no_warps(f, report_prose(answer));
}

bool info_simt(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	struct info_filter f;
	if (!info_filter_scan(d, args, false, &f, why))
		return false;
	const bool one = !f.has_core && !f.has_warp;
	if (one && !resident_focus(d, &w, report_prose(answer), why))
		return !why->n;
	report_list(answer, "stacks");
	if (one)
		simt_stack(d, &w, "Warp {in_block} of block {block}: lanes {lanes}, exited {exited}\n", answer);
	else
		simt_stacks(d, &f, answer);
	report_close(answer);
	return true;
}

/* ---- barriers ---- */

/* A warp arrives with the last of its lanes. */
static void describe_parts(const struct exec_cta *cta, struct report *answer)
{
	report_list(answer, "parts");
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct exec_warp *w = &cta->warp[k];
		if (w->state != EXEC_WARP_RUNNABLE || !w->barrier_lanes)
			continue;
		report_open(answer, NULL);
		report_number(answer, "warp", k);
		report_lanes(answer, "lanes", w->barrier_lanes);
		report_number(answer, "barrier", w->barrier);
		report_lanes(answer, "missing", w->lanes & ~w->exited & ~w->barrier_lanes);
		report_line(answer, "Warp {warp}: lanes {lanes} have come to barrier {barrier} and wait for lanes {missing}.\n");
		report_close(answer);
	}
	report_close(answer);
}

static void barrier_warps(const struct exec_cta *cta, uint32_t id, bool waiting, struct text *out)
{
	const char *comma = "";
	size_t before = out->n;
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct exec_warp *w = &cta->warp[k];
		bool waits = w->state == EXEC_WARP_BARRIER && w->barrier == id;
		if (waits != waiting || w->state == EXEC_WARP_DONE)
			continue;
		text_addf(out, "%s%u", comma, k);
		comma = ",";
	}
	if (out->n == before)
		text_addc(out, '-');
}

bool info_barriers(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Barrier",	       "Arrived",	 "Expected",
					     "<Warps waiting", "<Warps missing", "<Place"};
	struct debug_where w;
	if (!scan_end(args, why))
		return false;
	if (!resident_focus(d, &w, report_prose(answer), why))
		return !why->n;
	report_triple(answer, "block", w.block_id);
	report_table(answer, "barriers", titles, 6);
	for (uint32_t id = 0; id < EXEC_BARRIERS; id++) {
		const struct exec_barrier *b = &w.cta->barrier[id];
		struct text waiting = {0}, missing = {0}, place = {0};
		if (!exec_barrier_is_used(w.cta, id))
			continue;
		barrier_warps(w.cta, id, true, &waiting);
		barrier_warps(w.cta, id, false, &missing);
		for (uint32_t k = 0; k < w.cta->n_warps && !place.n; k++)
			if (exec_lanes_at_barrier(&w.cta->warp[k], id))
				debug_place_text(d, w.cta->warp[k].barrier_pc, &place);
		report_row(answer, exec_lanes_at_barrier(w.w, id));
		report_number(answer, NULL, id);
		report_number(answer, NULL, b->arrived);
		report_number(answer, NULL, exec_barrier_wants(gpu_exec(debug_gpu(d)), w.cta, id));
		report_text(answer, NULL, text_str(&waiting));
		report_text(answer, NULL, text_str(&missing));
		report_text(answer, NULL, text_str(&place));
		text_free(&waiting);
		text_free(&missing);
		text_free(&place);
	}
	report_instead(answer, "No warp of block (%u,%u,%u) waits at a barrier.\n", w.block_id[0], w.block_id[1], w.block_id[2]);
	report_close(answer);
	describe_parts(w.cta, answer);
	return true;
}

/* ---- divergence ---- */

/* Groups of lanes that stand at different places, the running one first. */
static unsigned divergent_groups(struct debug *d, const struct exec_warp *w, uint32_t pcs[LANES], uint32_t masks[LANES])
{
	const struct exec *x = gpu_exec(d->g);
	unsigned n = 0;
	if (w->state == EXEC_WARP_DONE || !w->n_simt)
		return 0;
	pcs[n] = exec_simt_top(x, w)->pc;
	masks[n++] = exec_simt_top(x, w)->mask;
	LANES_EACH (lane, w->lanes & ~w->exited & ~masks[0]) {
		const struct exec_simt *e = exec_simt_of_lane(x, w, lane);
		unsigned k = 1;
		if (!e)
			continue;
		while (k < n && pcs[k] != e->pc)
			k++;
		if (k == n) {
			pcs[n] = e->pc;
			masks[n++] = 0;
		}
		masks[k] |= lanes_bit(lane);
	}
	return n;
}

bool info_divergence(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Block", "Warp", "Lanes", "<State", "PC", "<Place"};
	struct debug_where f;
	uint32_t *slots, pcs[LANES], masks[LANES];
	if (!scan_end(args, why))
		return false;
	bool has = debug_focus_where(d, &f);
	const size_t n = debug_resident_slots(d, &slots);
	report_table(answer, "divergence", titles, 6);
	report_table_keys(answer, 2);
	for (size_t i = 0; i < n; i++) {
		const struct exec_cta *cta = gpu_cta(d->g, slots[i]);
		for (uint32_t k = 0;
		     k < cta->n_warps && !(d->settings.table_rows && report_rows(answer) >= d->settings.table_rows); k++) {
			unsigned groups = divergent_groups(d, &cta->warp[k], pcs, masks);
			for (unsigned g = 0; groups > 1 && g < groups; g++) {
				struct text place = {0};
				report_row(answer, has && f.w == &cta->warp[k] && masks[g] >> f.lane & 1);
				report_triple(answer, NULL, cta->id);
				report_number(answer, NULL, k);
				report_lanes(answer, NULL, masks[g]);
				report_text(answer, NULL, g ? "waiting" : "running");
				report_hex(answer, NULL, pcs[g] * ISA_INSN_BYTES);
				debug_place_text(d, pcs[g], &place);
				report_text(answer, NULL, text_str(&place));
				text_free(&place);
			}
		}
	}
	free(slots);
	report_instead(answer, "No warp is diverged.\n");
	report_close(answer);
	return true;
}
