/* undo and redo: commands are taken back and made again by going to the position in front of them and behind them. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "history/internal.h"

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

/* Goes to a position, by the inputs that lead there. */
static bool go(struct history *h, const struct undo *u)
{
	return (!u->way || history_take_way(h, u->way->entry, &u->at)) && history_go(h, &u->at);
}

static void end_with(struct history *h, const struct undo *u, const char *word, const char *line, struct debug_stop *stop)
{
	h->n_undos++; /* undo and redo are no commands that undo could take back */
	if (u->has_focus)
		debug_focus_set(h->d, &u->focus);
	stop->reason = DEBUG_STOP_STEPPED;
	if (line)
		text_addf(&stop->text, "%s: %s\n", word, line);
	debug_past_stop(h->d, stop);
}

static void nothing_left(struct history *h, const char *line, struct debug_stop *stop)
{
	stop->reason = DEBUG_STOP_BEGINNING;
	text_add(&stop->text, line);
	debug_past_stop(h->d, stop);
}

/* Stores a position so that its way of inputs is kept. */
static void copy_position(const struct undo *from, struct undo *to)
{
	*to = *from;
	to->line = NULL;
	if (to->way)
		to->way->n_users++;
}

/* Moves the undo steps from number `to` on to the redo steps. `now`: the position behind the last one. */
static void become_redo(struct history *h, size_t to, const struct undo *now)
{
	struct undo behind = *now;
	while (h->n_undo > to) {
		h->redo = xgrow(h->redo, &h->cap_redo, h->n_redo + 1, sizeof *h->redo);
		struct redo *r = &h->redo[h->n_redo++];
		r->command = h->undo[--h->n_undo];
		r->behind = behind;
		copy_position(&r->command, &behind);
	}
	undo_free(&behind);
}

bool history_undo(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	bool made_inputs = false;
	if (!h->records)
		return history_can_go_back(h, why);
	if (!h->n_undo) {
		nothing_left(h, "No more reverse-execution history.\n", stop);
		return true;
	}
	const size_t all = h->n_undo, to = n < all ? all - (size_t)n : 0;
	struct undo now = {0};
	for (size_t k = to; k < all; k++)
		made_inputs |= h->undo[k].made_inputs;
	if (history_knows_more(h, &h->undo[to].at))
		return fail(why, "the program has seen what came after");
	history_now(h, &now.at);
	now.has_focus = debug_focus_get(h->d, &now.focus);
	become_redo(h, to, &now);
	const struct undo *const u = &h->redo[h->n_redo - 1].command;
	const bool went = go(h, u);
	if (went && made_inputs)
		history_discard(h);
	end_with(h, u, "Undone", u->line, stop);
	if (!went)
		redo_forget(h);
	return went || history_lost(why);
}

bool history_redo(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	if (!h->records)
		return history_can_go_back(h, why);
	if (!h->n_redo) {
		nothing_left(h, "Nothing to redo.\n", stop);
		return true;
	}
	const size_t to = n < h->n_redo ? h->n_redo - (size_t)n : 0;
	const bool went = go(h, &h->redo[to].behind);
	while (went && h->n_redo > to + 1) {
		struct redo *r = &h->redo[--h->n_redo];
		undo_push(h, &r->command);
		undo_free(&r->behind);
	}
	const struct redo r = h->redo[to];
	h->n_redo = to;
	undo_push(h, &r.command);
	end_with(h, &r.behind, "Redone", r.command.line, stop);
	struct undo behind = r.behind;
	undo_free(&behind);
	if (!went)
		redo_forget(h);
	return went || history_lost(why);
}
