/* Places to come back to: checkpoints, and where commands began. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/program.h"
#include "debug/view/inlined.h"
#include "debug/view/source.h"
#include "history/internal.h"

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

static struct checkpoint *find(struct history *h, const char *name)
{
	for (size_t k = h->n_checkpoints; k-- > 0;) {
		struct checkpoint *c = &h->checkpoint[k];
		char number[16];
		snprintf(number, sizeof number, "%u", c->number);
		if ((c->name && !strcmp(c->name, name)) || !strcmp(number, name))
			return c;
	}
	return NULL;
}

/* Appends the place of the thread in focus, `vecadd.ptx:33`; nothing if there is none, or it has finished. */
static void add_place(struct history *h, struct text *out)
{
	struct debug_where w;
	if (!debug_focus_where(h->d, &w) || w.state == DEBUG_THREAD_EXITED)
		return;
	debug_position_text(h->d, debug_shown_position(h->d, &w), out);
}

static void describe(const struct history *h, const struct checkpoint *c, struct history_checkpoint *out)
{
	struct history_position now;
	history_now(h, &now);
	*out = (struct history_checkpoint){.number = c->number,
					   .name = c->name,
					   .place = c->place,
					   .cycle = c->at.at.cycle,
					   .is_here = !c->entry && !history_compare(&c->at, &now)};
}

size_t history_checkpoints(const struct history *h) { return h->n_checkpoints; }

void history_checkpoint_get(const struct history *h, size_t k, struct history_checkpoint *out) { describe(h, &h->checkpoint[k], out); }

bool history_checkpoint(struct history *h, const char *name, struct history_checkpoint *out)
{
	if (name && find(h, name))
		return false;
	history_begin_for_checkpoint(h);
	h->checkpoint = xgrow(h->checkpoint, &h->cap_checkpoints, h->n_checkpoints + 1, sizeof *h->checkpoint);
	struct checkpoint *c = &h->checkpoint[h->n_checkpoints++];
	struct text place = {0};
	*c = (struct checkpoint){.number = ++h->last_checkpoint, .name = name ? xstrdup(name) : NULL};
	history_now(h, &c->at);
	c->has_focus = debug_focus_get(h->d, &c->focus);
	add_place(h, &place);
	c->place = place.n ? text_take(&place) : NULL;
	describe(h, c, out);
	return true;
}

static void forget(struct history *h, struct checkpoint *c)
{
	free(c->name);
	free(c->place);
	free(c->entry);
	memmove(c, c + 1, (size_t)(h->checkpoint + h->n_checkpoints - (c + 1)) * sizeof *c);
	h->n_checkpoints--;
}

bool history_checkpoint_delete(struct history *h, const char *name)
{
	struct checkpoint *c = find(h, name);
	if (c)
		forget(h, c);
	return c != NULL;
}

/* ---- restart ---- */

/* Inputs that the way to a place and the journal have in common. */
static size_t common_inputs(const struct history *h, struct journal_entry *const *entry, const struct history_position *at)
{
	size_t n = 0;
	while (n < h->journal.n && n < at->input && h->journal.entry[n] == entry[n])
		n++;
	return n;
}

/* The last snapshot on both ways. */
static size_t common_snapshot(const struct history *h, struct journal_entry *const *entry, const struct history_position *at)
{
	const size_t inputs = common_inputs(h, entry, at);
	const struct history_position end = {inputs, inputs < at->input ? entry[inputs]->at : at->at};
	return snapshot_before(h, &end, false);
}

bool history_take_way(struct history *h, struct journal_entry *const *entry, const struct history_position *at)
{
	const size_t k = common_snapshot(h, entry, at);
	history_leave(h);
	if (k == h->n_snaps || !snapshot_go_back(h, k))
		return false;
	history_discard(h); /* of this way only what is common stays; of its own it has all */
	while (h->journal.n < at->input)
		journal_append(&h->journal, entry[h->journal.n]);
	gpu_set_silent(h->g, true);
	h->present = *at;
	h->is_past = true;
	return true;
}

static bool go_to_checkpoint(struct history *h, struct checkpoint *c)
{
	const struct history_position at = c->at;
	if (c->entry && !history_take_way(h, c->entry, &at))
		return false;
	free(c->entry);
	c->entry = NULL;
	return history_go(h, &at);
}

bool history_restart(struct history *h, const char *name, struct debug_stop *stop, struct text *why)
{
	struct checkpoint *c = find(h, name);
	if (!c) {
		text_addf(why, "no checkpoint '%s'; `info checkpoints` lists them", name);
		return false;
	}
	if (history_knows_more(h, &c->at))
		return fail(why, "the program has seen what came after");
	const struct debug_thread focus = c->focus;
	const bool has_focus = c->has_focus;
	if (!go_to_checkpoint(h, c))
		return history_lost(why);
	if (has_focus)
		debug_focus_set(h->d, &focus);
	stop->reason = DEBUG_STOP_STEPPED;
	text_addf(&stop->text, "Switching to checkpoint %s (cycle %llu)\n", name, (unsigned long long)gpu_cycle(h->g));
	debug_past_stop(h->d, stop);
	return true;
}
