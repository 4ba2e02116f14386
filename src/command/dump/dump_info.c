/* Tables about the performance model: info scoreboard, and what it adds to info cores, warps and occupancy. */
#include <inttypes.h>

#include "command/dump/dump_info.h"
#include "command/dump/dump_internal.h"
#include "debug/view/focus.h"

/* ---- info scoreboard [CORE] ---- */

static void pending_cell(const struct dump_view *v, uint32_t warp, struct report *answer)
{
	const struct core *c = v->c;
	struct text out = {0};
	uint32_t pc = c->warp[warp].fetch_pc;
	dump_warp_pc(c, warp, &pc);
	for (uint32_t number = 0; (number = core_next_pending(c, warp, number)) != UINT32_MAX; number++) {
		text_add(&out, out.n ? ", " : "");
		dump_register_name(v->d, pc, number, &out);
		text_add(&out, core_is_long(c, warp, number) ? " (load)" : "");
	}
	report_text(answer, NULL, out.n ? text_str(&out) : "-");
	text_free(&out);
}

static void scoreboard_row(const struct dump_view *v, uint32_t warp, bool star, struct report *answer)
{
	struct text wait = {0};
	uint32_t pc;
	report_row(answer, star);
	report_number(answer, NULL, v->c->id);
	report_number(answer, NULL, warp);
	if (dump_warp_pc(v->c, warp, &pc))
		report_hex(answer, NULL, pc * (unsigned)ISA_INSN_BYTES);
	else
		report_none(answer, NULL, "-");
	pending_cell(v, warp, answer);
	dump_wait_text(v, warp, &wait);
	report_text(answer, NULL, text_str(&wait));
	text_free(&wait);
}

bool info_scoreboard(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Core", "Warp", "PC", "<Registers to be written", "<Next instruction"};
	struct timing *t = observer_timing(d, "info scoreboard", why);
	struct debug_where w;
	struct info_filter f;
	if (!t || !info_filter_scan(d, args, true, &f, why))
		return false;
	const bool has = debug_focus_where(d, &w) && w.cta;
	report_table(answer, "scoreboard", titles, 5);
	report_table_keys(answer, 2);
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++) {
		const struct dump_view v = {.d = d, .t = t, .c = &t->core[k]};
		for (uint64_t left = v.c->s->live; left; left &= left - 1) {
			uint32_t warp = (uint32_t)__builtin_ctzll(left);
			if (info_filter_wants(&f, k, warp))
				scoreboard_row(&v, warp, has && w.core == k && w.warp == warp, answer);
		}
	}
	info_close_rows(answer, &f);
	return true;
}

/* ---- info cores ---- */

/* `live`: the warps that are wanted. */
static void core_row(const struct core *c, uint64_t live, bool star, struct report *answer)
{
	uint32_t waits[WAIT_COUNT] = {0};
	for (uint64_t left = live; left; left &= left - 1)
		waits[dump_warp_wait(c, (uint32_t)__builtin_ctzll(left))]++;
	report_row(answer, star);
	report_number(answer, NULL, c->id);
	if (c->s->launch == UINT32_MAX)
		report_none(answer, NULL, "-");
	else
		report_number(answer, NULL, c->s->launch);
	report_number(answer, NULL, c->s->active_ctas);
	report_number(answer, NULL, (unsigned)__builtin_popcountll(live));
	report_number(answer, NULL, c->s->threads_left);
	report_number(answer, NULL, waits[WAIT_READY]);
	report_number(answer, NULL, waits[WAIT_SCOREBOARD] + waits[WAIT_LATENCY]);
	report_number(answer, NULL, waits[WAIT_PIPE] + waits[WAIT_DISPATCH]);
	report_number(answer, NULL, waits[WAIT_FETCH] + waits[WAIT_IMISS] + waits[WAIT_FLUSH]);
	report_number(answer, NULL, waits[WAIT_BARRIER]);
	report_number(answer, NULL, waits[WAIT_ATOMIC] + waits[WAIT_MEMBAR]);
	report_number(answer, NULL, waits[WAIT_DONE]);
	report_number(answer, NULL, c->stats->warp_icount);
}

void info_cores_performance(struct debug *d, const struct info_filter *f, struct report *answer)
{
	static const char *const titles[] = {"Core",	     "Kernel",	   "Blocks",	    "Warps", "Threads",
					     "Ready",	     "Scoreboard", "Pipeline full", "Fetch", "At a barrier",
					     "Memory order", "Done",	   "Completed"};
	const struct timing *t = gpu_timing(d->g);
	struct debug_where w;
	const bool has = debug_focus_where(d, &w) && w.cta;
	report_table(answer, "cores", titles, 13);
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++) {
		const uint64_t live = t->core[k].s->live & (f->has_warp ? UINT64_C(1) << f->warp : UINT64_MAX);
		if (info_filter_core(f, k) && (live || !f->has_warp))
			core_row(&t->core[k], live, has && w.core == k, answer);
	}
	info_close_rows(answer, f);
}

/* ---- info warps, info blocks ---- */

static enum warp_wait wait_of(struct debug *d, const struct exec_cta *cta, const struct exec_warp *w)
{
	return dump_warp_wait(&gpu_timing(d->g)->core[cta->core], cta->core_slot * cta->n_warps + w->index);
}

const char *info_warp_waits(struct debug *d, const struct exec_cta *cta, const struct exec_warp *w)
{
	const enum warp_wait wait = wait_of(d, cta, w);
	const struct core *c = &gpu_timing(d->g)->core[cta->core];
	if (c->textbook) /* the notes' states */
		return wait == WAIT_GONE || wait == WAIT_DONE					 ? "done"
		       : !w->executed								 ? "new"
		       : wait == WAIT_READY || wait == WAIT_DISPATCH				 ? "ready"
													 : "waiting";
	return warp_wait_words[wait == WAIT_GONE ? WAIT_DONE : wait]; /* it leaves the core before its block */
}

void info_block_waits(struct debug *d, const struct exec_cta *cta, struct text *out)
{
	uint32_t n[WAIT_COUNT] = {0};
	for (uint32_t k = 0; k < cta->n_warps; k++)
		n[wait_of(d, cta, &cta->warp[k])]++;
	text_addf(out, "%u ready", n[WAIT_READY]);
	for (unsigned k = WAIT_COUNT; --k > WAIT_BARRIER;)
		if (n[k] && k != WAIT_READY)
			text_addf(out, ", %u %s", n[k], warp_wait_words[k]);
	text_addf(out, ", %u at a barrier, %u done", n[WAIT_BARRIER], n[WAIT_DONE] + n[WAIT_GONE]);
}

/* ---- info occupancy ---- */

void info_occupancy_performance(struct debug *d, const struct gpu_launch_info *l, struct report *answer)
{
	const struct timing *t = gpu_timing(d->g);
	uint32_t cores = 0, blocks = 0, warps = 0;
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++) {
		const struct core_state *s = t->core[k].s;
		bool any = false;
		for (uint32_t slot = 0; slot < CORE_CTAS_MAX; slot++) {
			if (!s->cta[slot].used || s->cta[slot].launch != l->launch.id)
				continue;
			any = true;
			blocks++;
			warps += s->cta[slot].n_warps;
		}
		cores += any;
	}
	report_number(answer, "grid_blocks", l->launch.n_ctas);
	report_number(answer, "cores", t->cfg->core.n_cores);
	report_number(answer, "blocks_most", l->ctas_most ? l->ctas_most : l->ctas_per_core);
	report_line(answer, "Grid: {grid_blocks} blocks for {cores} core{cores|s}: at most {blocks_most} on each at a time\n");
	report_number(answer, "blocks_now", blocks);
	report_number(answer, "warps_now", warps);
	report_number(answer, "cores_now", cores);
	report_number(answer, "blocks_to_start", l->launch.n_ctas - l->ctas_started);
	report_line(answer, "Now: {blocks_now} block{blocks_now|s} ({warps_now} warp{warps_now|s}) on {cores_now} core{cores_now|s}, {blocks_to_start} still to start\n");
}
