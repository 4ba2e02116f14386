/* `why`: the word after it says about what. */
#include <stdlib.h>
#include <string.h>

#include "command/past/past_commands.h"
#include "debug/describe.h"
#include "command/findings/findings.h"
#include "command/info.h"
#include "debug/ground/scan.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "command/why/why_internal.h"

const char why_words[] = "barrier hang request warp";

/* ---- which warp ---- */

/* The resident block's warp that has a number on a core. */
static const struct exec_cta *find_warp(struct debug *d, uint32_t core, uint32_t number, uint32_t *index)
{
	uint32_t *slots;
	const struct exec_cta *found = NULL;
	const size_t n = debug_resident_slots(d, &slots);
	for (size_t k = 0; k < n && !found; k++) {
		const struct exec_cta *cta = gpu_cta(d->g, slots[k]);
		const uint32_t first = cta->core_slot * cta->n_warps;
		if (cta->core != core || number < first || number - first >= cta->n_warps)
			continue;
		*index = number - first;
		found = cta;
	}
	free(slots);
	return found;
}

static void not_there(const struct debug_where *w, struct report *answer)
{
	report_triple(answer, "block", w->block_id);
	report_number(answer, "core", w->core);
	report_line(answer, w->state == DEBUG_THREAD_WAITING
				    ? "Block {block} has not started yet: it waits for room on a core, probably core {core}.\n"
				    : "Block {block} has finished.\n");
}

static void one_warp(struct debug *d, const struct exec_cta *cta, uint32_t index, struct report *answer)
{
	const struct why_warp w = why_warp_of(d, cta, index);
	report_list(answer, "warps");
	why_warp_text(&w, true, answer);
	report_close(answer);
}

static bool focused_warp(struct debug *d, struct report *answer, struct text *why)
{
	struct debug_where w;
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "There is no thread in focus.");
	if (!w.cta) {
		not_there(&w, answer);
		return true;
	}
	one_warp(d, w.cta, w.warp_index, answer);
	return true;
}

static bool why_warp(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const struct exec *x = gpu_exec(d->g);
	struct debug_where w;
	uint32_t core = 0, number, index;
	if (!*scan_blanks(args))
		return focused_warp(d, answer, why);
	if (!dump_number(&args, "warp", x->warps_per_core, &number, why))
		return false;
	const bool has_core = scan_word(&args, "core");
	if (has_core && !dump_number(&args, "core", x->n_cores, &core, why))
		return false;
	if (!scan_end(args, why))
		return false;
	const bool has = debug_focus_where(d, &w);
	if (!has_core && has)
		core = w.core;
	const struct exec_cta *cta = find_warp(d, core, number, &index);
	if (!cta && has && !w.cta && w.core == core) {
		not_there(&w, answer);
	} else if (!cta) {
		report_number(answer, "warp", number);
		report_number(answer, "core", core);
		report_line(answer, "No warp {warp} on core {core} now.\n");
	} else {
		one_warp(d, cta, index, answer);
	}
	return true;
}

/* ---- the command ---- */

/* Explains the present stop: a checker's finding, a deadlock, or an exception; after other stops, what the focused warp waits for. */
static bool why_stop(struct history *h, struct report *answer, struct text *why)
{
	struct debug *d = history_debug(h);
	const bool has = d->has_last && d->last.status && gpu_has_work(d->g);
	uint32_t finding;
	if (debug_stop_finding(d, &finding)) {
		explain_finding(d, finding, answer);
		return true;
	}
	if (has && d->last.reason == DEBUG_STOP_DEADLOCK)
		return why_hang(h, "", answer, why);
	if (has && d->last.reason == DEBUG_STOP_EXCEPTION) {
		report_say(answer, "%s", text_str(&d->last.text));
		if (d->last.details)
			report_copy(answer, d->last.details);
		return true;
	}
	return focused_warp(d, answer, why);
}

/* Each row has one of the two functions. */
static const struct why_row {
	const char *word;
	debug_answer_fn *now;
	command_past_fn *past;
} rows[] = {{"warp", why_warp, NULL}, {"barrier", why_barrier, NULL}, {"hang", NULL, why_hang}, {"request", why_request, NULL}};

static const struct why_row *row_of(const char **args)
{
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (scan_word(args, rows[k].word))
			return &rows[k];
	return NULL;
}

bool command_why(struct history *h, const char *args, struct report *answer, struct text *why)
{
	const char *s = scan_blanks(args);
	const struct why_row *row;
	if (!*s)
		return why_stop(h, answer, why);
	row = row_of(&s);
	if (!row)
		return why_value(h, args, answer, why);
	return row->now ? row->now(history_debug(h), s, answer, why) : row->past(h, s, answer, why);
}
