#include "history/history.h"

#include <string.h>

#include "base/arena_marks.h"
#include "base/limits.h"
#include "base/xalloc.h"
#include "debug/findings/findings.h"
#include "debug/program.h"
#include "debug/setup/launches.h"
#include "history/internal.h"

#define MEMORY (UINT64_C(512) << 20)
#define UNDOS_MAX 4096u

/* ---- positions ---- */

static int order(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* On a tick's way: what has the same counts otherwise. */
static int place_rank(enum gpu_place p) { return p == GPU_BETWEEN ? 0 : p == GPU_IN_FRONT ? 2 : 1; }

/* The counts only grow: whichever differs says which is the earlier. */
static int compare_moments(const struct gpu_moment *a, const struct gpu_moment *b)
{
	const bool any = a->landed == GPU_ANY || b->landed == GPU_ANY;
	const int by[] = {order(a->cycle, b->cycle),
			  order(a->transitions, b->transitions),
			  order(a->ticks, b->ticks),
			  order(a->issued, b->issued),
			  any ? 0 : order(a->landed, b->landed),
			  place_rank(a->place) - place_rank(b->place),
			  order(a->failed, b->failed)};
	for (size_t k = 0; k < sizeof by / sizeof *by; k++)
		if (by[k])
			return by[k];
	return 0;
}

int history_compare(const struct history_position *a, const struct history_position *b)
{
	return a->input != b->input ? order(a->input, b->input) : compare_moments(&a->at, &b->at);
}

void history_now(const struct history *h, struct history_position *out)
{
	out->input = h->input;
	gpu_moment_now(h->g, &out->at);
}

/* It may have come to the present without having been told. */
void history_settle(struct history *h)
{
	struct history_position now;
	if (!h->is_past)
		return;
	history_now(h, &now);
	if (history_compare(&now, &h->present) < 0)
		return;
	h->is_past = false;
	snapshots_stay_aside(h);
	gpu_set_silent(h->g, false);
}

bool history_is_past(const struct history *h)
{
	struct history_position now;
	history_now(h, &now);
	return h->is_past && history_compare(&now, &h->present) < 0;
}

void history_present(const struct history *h, struct history_position *out)
{
	if (h->is_past)
		*out = h->present;
	else
		history_now(h, out);
}

bool history_first(const struct history *h, struct history_position *out)
{
	if (!h->records || !h->n_snaps)
		return false;
	*out = h->has_first ? h->first : h->snap[0].at;
	return true;
}

/* ---- what the debugger knew ---- */

static void forget_knowledge(struct history *h)
{
	while (h->n_knows)
		debug_memory_free(h->knows[--h->n_knows]);
	h->knew_first = h->known = NULL;
	debug_forget_memories(h->d);
}

static const struct debug_memory **knowledge_after(struct history *h, size_t inputs)
{
	return inputs ? &h->journal.entry[inputs - 1]->knows : &h->knew_first;
}

/* Names, sizes and owners of memory change with inputs only. */
void history_note_knowledge(struct history *h)
{
	if (h->is_past || !h->keeps_journal)
		return;
	if (!h->known || !debug_remembers_same(h->d, h->known)) {
		h->knows = xgrow(h->knows, &h->cap_knows, h->n_knows + 1, sizeof *h->knows);
		h->known = h->knows[h->n_knows++] = debug_remember(h->d);
	}
	*knowledge_after(h, h->input) = h->known;
}

/* ---- leaving, arriving ---- */

void history_leave(struct history *h)
{
	history_settle(h);
	debug_past_leaving(h->d);
	snapshots_forget_lost(h);
	if (h->is_past)
		return;
	history_note_knowledge(h);
	history_now(h, &h->present);
	snapshots_step_aside(h);
	h->is_past = true;
	gpu_set_silent(h->g, true);
}

/* The user has stood there before: with that focus. */
static void find_focus(struct history *h)
{
	struct history_position now;
	struct debug_thread t;
	history_now(h, &now);
	for (size_t k = h->n_undo; k-- > 0 && !debug_focus_get(h->d, &t);)
		if (h->undo[k].has_focus && !history_compare(&h->undo[k].at, &now))
			debug_focus_set(h->d, &h->undo[k].focus);
}

void history_recall(struct history *h)
{
	size_t k = h->input;
	while (k && !*knowledge_after(h, k))
		k--;
	const struct debug_memory *m = *knowledge_after(h, k);
	if (!m)
		return;
	debug_recall(h->d, m);
	h->known = m;
}

void history_arrived(struct history *h)
{
	history_settle(h);
	history_recall(h);
	debug_past_moved(h->d);
	find_focus(h);
}

bool history_go(struct history *h, const struct history_position *to)
{
	struct history_position now;
	history_now(h, &now);
	const int where = history_compare(to, &now);
	if (!where)
		return true;
	history_leave(h);
	if (where < 0) {
		const size_t k = snapshot_before(h, to, false);
		if (k == h->n_snaps || !snapshot_go_back(h, k))
			return false;
	}
	if (where > 0)
		snapshot_go_forward(h, to, debug_seen_until(h->d));
	snapshots_near(h, to->at.cycle);
	const enum replay_end end = replay(h, &(struct replay){.to = to, .cycle = UINT64_MAX});
	snapshots_near(h, UINT64_MAX);
	history_arrived(h);
	return end == REPLAY_LIMIT;
}

/* ---- recording ---- */

static void begin(struct history *h)
{
	struct arena *a = gpu_arena(h->g);
	h->keeps_journal = true;
	gpu_keep_marks(h->g, true);
	if (arena_marks_begin(a, h->memory))
		arena_marks_allow(a, gpu_exec(h->g)->limits->saved + h->memory);
	history_note_knowledge(h);
	snapshot_make(h);
	h->lacks_room = !h->n_snaps;
}

void history_begin_for_checkpoint(struct history *h)
{
	if (!h->n_snaps)
		begin(h);
	else if (!h->records && !history_is_past(h))
		snapshot_make(h); /* no others are made: it would be a long way */
}

static void drop_way(struct undo *u)
{
	if (u->way && !--u->way->n_users) {
		free(u->way->entry);
		free(u->way);
	}
	u->way = NULL;
}

void undo_free(struct undo *u)
{
	drop_way(u);
	free(u->line);
}

void redo_forget(struct history *h)
{
	while (h->n_redo) {
		struct redo *r = &h->redo[--h->n_redo];
		undo_free(&r->command);
		undo_free(&r->behind);
	}
}

/* All that was recorded; what stands is the beginning. */
static void forget(struct history *h)
{
	journal_free(&h->journal);
	h->input = 0;
	h->is_past = h->has_first = h->has_told = h->is_restored = false;
	h->begins_because = NULL;
	gpu_set_silent(h->g, false);
	snapshots_forget(h);
	forget_knowledge(h);
	while (h->n_undo)
		undo_free(&h->undo[--h->n_undo]);
	redo_forget(h);
	for (size_t k = 0; k < h->n_open; k++) {
		drop_way(&h->open[k]);
		h->open[k].is_gone = true;
	}
	while (h->n_checkpoints) {
		struct checkpoint *c = &h->checkpoint[--h->n_checkpoints];
		free(c->name);
		free(c->place);
		free(c->entry);
	}
}

static void drop_marks(struct history *h)
{
	struct arena *a = gpu_arena(h->g);
	struct gpu_beside now;
	gpu_keep_beside(h->g, &now);
	for (size_t k = 0; k < h->n_snaps; k++)
		arena_pin_mark(a, h->snap[k].mark, false);
	gpu_keep_marks(h->g, false);
}

/* Drops what was kept of the beginnings of launches, unless a checkpoint needs it. */
static void drop_beginnings(struct history *h)
{
	if (!h->keeps_beginnings || h->records || !h->n_snaps || h->n_checkpoints || h->is_past)
		return;
	drop_marks(h);
	forget(h);
	h->keeps_journal = false;
}

/* Makes a snapshot in front of a launch, unless the last one is near enough to run from there. */
static void keep_beginning(struct history *h)
{
	if (h->is_past)
		return;
	if (!h->n_snaps)
		begin(h);
	else
		snapshot_maybe(h);
}

void history_keep_beginnings(struct history *h, bool on)
{
	if (!on)
		drop_beginnings(h);
	h->keeps_beginnings = on;
}

void history_record(struct history *h, bool on)
{
	history_settle(h);
	if (on == h->records)
		return;
	if (on)
		drop_beginnings(h);
	h->records = on;
	h->due = 0;
	if (on)
		return;
	drop_marks(h);
	forget(h);
	h->keeps_journal = false;
}

struct debug *history_debug(const struct history *h) { return h->d; }
bool history_is_recorded(const struct history *h) { return h->records; }
uint64_t history_memory(const struct history *h) { return h->memory; }

void history_set_memory(struct history *h, uint64_t bytes)
{
	h->memory = bytes;
	if (!h->n_snaps)
		return;
	arena_marks_allow(gpu_arena(h->g), gpu_exec(h->g)->limits->saved + bytes);
	snapshots_thin(h);
}

void history_keep_journal(struct history *h) { h->keeps_journal = true; }
const struct journal *history_journal(const struct history *h) { return h->keeps_journal ? &h->journal : NULL; }

void history_told(struct history *h)
{
	if (!h->keeps_journal || h->is_past)
		return;
	h->has_told = true;
	history_now(h, &h->told);
}

void history_begin_here(struct history *h, const char *why)
{
	if (!h->keeps_journal || !h->n_snaps)
		return;
	history_settle(h);
	drop_marks(h);
	forget(h);
	begin(h);
	h->begins_because = why;
}

void history_begin_restored(struct history *h)
{
	if (!h->records)
		return;
	begin(h);
	h->has_first = h->is_restored = true;
	h->begins_because = "What ran before isn't in the checkpoint file.";
	history_now(h, &h->first);
}

/* ---- inputs ---- */

/* A checkpoint that lies after what is discarded keeps its own way. */
static void keep_ways(struct history *h, const struct history_position *now)
{
	for (size_t k = 0; k < h->n_checkpoints; k++) {
		struct checkpoint *c = &h->checkpoint[k];
		if (c->entry || history_compare(&c->at, now) <= 0)
			continue;
		c->entry = xcalloc(c->at.input + 1, sizeof *c->entry);
		if (c->at.input)
			memcpy(c->entry, h->journal.entry, c->at.input * sizeof *c->entry);
	}
}

static struct input_way *make_way(const struct history *h)
{
	struct input_way *w = xcalloc(1, sizeof *w);
	w->n = h->journal.n;
	w->entry = xcalloc(w->n + 1, sizeof *w->entry);
	if (w->n)
		memcpy(w->entry, h->journal.entry, w->n * sizeof *w->entry);
	return w;
}

/* Keeps the inputs that lead to the position of an undo step, if the journal is about to lose them. *way: the kept inputs, or NULL. */
static void keep_undo_way(struct history *h, struct undo *u, const struct history_position *now, struct input_way **way)
{
	if (u->way || u->is_gone || history_compare(&u->at, now) <= 0)
		return;
	*way = *way ? *way : make_way(h);
	(*way)->n_users++;
	u->way = *way;
}

/* So does what undo and redo go to: steps back may be taken back after the past was changed. */
static void keep_undo_ways(struct history *h, const struct history_position *now)
{
	struct input_way *w = NULL;
	for (size_t k = 0; k < h->n_undo; k++)
		keep_undo_way(h, &h->undo[k], now, &w);
	for (size_t k = 0; k < h->n_open; k++)
		keep_undo_way(h, &h->open[k], now, &w);
	for (size_t k = 0; k < h->n_redo; k++) {
		keep_undo_way(h, &h->redo[k].command, now, &w);
		keep_undo_way(h, &h->redo[k].behind, now, &w);
	}
}

void history_discard(struct history *h)
{
	struct history_position now;
	history_now(h, &now);
	keep_ways(h, &now);
	keep_undo_ways(h, &now);
	snapshots_stay_aside(h);
	h->journal.n = now.input;
	h->has_first = h->has_first && history_compare(&h->first, &now) <= 0;
	h->is_past = false;
	gpu_set_silent(h->g, false);
	debug_findings_way_parts(h->d);
}

bool history_knows_more(const struct history *h, const struct history_position *now)
{
	return debug_program_lives(h->d) && h->has_told && history_compare(&h->told, now) > 0;
}

/* A new input where something else has been. False: it can't be. */
static bool change_past(struct history *h, struct text *why)
{
	struct history_position now;
	history_now(h, &now);
	if (history_knows_more(h, &now)) {
		if (why)
			text_add(why, "the program has seen what came after");
		return false;
	}
	if (!h->said_discarded)
		debug_say(h->d, "what came after this moment is discarded");
	h->said_discarded = true;
	history_discard(h);
	return true;
}

/* Steps back go to where the first launch has been made, with what belongs to it, and what the host had written when it made it. */
static void note_first(struct history *h, const struct gpu_input *in, int64_t result)
{
	struct history_position now;
	const bool is_launch = in->kind == GPU_INPUT_LAUNCH && result >= 0 && !h->has_first;
	const bool belongs =
		h->has_first && h->first.input + 1 == h->input && (in->kind == GPU_INPUT_MARK || (in->kind == GPU_INPUT_WRITE && in->copy.was_there));
	history_now(h, &now);
	if (is_launch || (belongs && gpu_moment_is(&now.at, &h->first.at))) {
		h->has_first = true;
		h->first = now;
	}
}

static void keep(struct history *h, const struct gpu_input *in, const struct gpu_moment *at, int64_t result)
{
	journal_add(&h->journal, h->g, in, at, result);
	h->input++;
	h->n_new++;
	note_first(h, in, result);
	if (h->keeps_beginnings && !h->records && h->journal.bytes > h->memory / 2)
		drop_beginnings(h);
	if (h->records && h->journal.bytes > h->memory)
		history_begin_here(
			h, "More was copied to the device than history-memory holds: what ran before isn't kept.");
}

/* There is no position yet to which a user would go back. */
static bool is_before_all(enum gpu_input_kind kind)
{
	return kind == GPU_INPUT_RESET || kind == GPU_INPUT_MODULE_LOAD || kind == GPU_INPUT_MODULE_UNLOAD;
}

int64_t history_input(struct history *h, const struct gpu_input *in, struct text *why)
{
	struct gpu_input with;
	struct gpu_moment at;
	in = debug_launch_input(h->d, in, &with);
	history_settle(h);
	if (h->is_past && !change_past(h, why))
		return in->kind == GPU_INPUT_LAUNCH ? -1 : 0;
	if (in->kind == GPU_INPUT_RESET && h->n_snaps) {
		drop_marks(h);
		forget(h);
	}
	if (h->records && !h->n_snaps && !is_before_all(in->kind))
		begin(h);
	if (h->keeps_beginnings && !h->records && in->kind == GPU_INPUT_LAUNCH)
		keep_beginning(h);
	history_note_knowledge(h);
	gpu_moment_now(h->g, &at);
	const int64_t result = gpu_input(h->g, in, why);
	if (h->keeps_journal)
		keep(h, in, &at, result);
	return result;
}

/* ---- commands ---- */

void undo_push(struct history *h, const struct undo *u)
{
	if (h->n_undo == UNDOS_MAX) {
		for (size_t k = 0; k < UNDOS_MAX / 2; k++)
			undo_free(&h->undo[k]);
		memmove(h->undo, h->undo + UNDOS_MAX / 2, UNDOS_MAX / 2 * sizeof *h->undo);
		h->n_undo = UNDOS_MAX / 2;
	}
	h->undo = xgrow(h->undo, &h->cap_undo, h->n_undo + 1, sizeof *h->undo);
	h->undo[h->n_undo++] = *u;
	h->n_undos++;
}

void history_command(struct history *h, const char *line)
{
	struct undo u = {.n_new = h->n_new, .n_undos = h->n_undos};
	history_settle(h);
	history_note_knowledge(h);
	history_now(h, &u.at);
	u.has_focus = debug_focus_get(h->d, &u.focus);
	u.line = line ? xstrdup(line) : NULL;
	h->open = xgrow(h->open, &h->cap_open, h->n_open + 1, sizeof *h->open);
	h->open[h->n_open++] = u;
}

void history_command_over(struct history *h)
{
	struct history_position now;
	struct undo u = h->open[--h->n_open];
	history_settle(h);
	history_note_knowledge(h);
	history_now(h, &now);
	u.made_inputs = u.n_new != h->n_new;
	const bool is_there = h->records && h->n_snaps && !u.is_gone && h->n_undos == u.n_undos;
	if (is_there && (u.made_inputs || history_compare(&now, &u.at))) {
		redo_forget(h);
		undo_push(h, &u);
	} else {
		undo_free(&u);
	}
}

/* ---- for the debugger ---- */

static const struct gpu_moment *next(const void *self)
{
	const struct history *h = self;
	if (!h->is_past)
		return NULL;
	const struct history_position *end = h->limit ? h->limit : &h->present;
	return h->input < end->input ? &h->journal.entry[h->input]->at : &end->at;
}

static bool arrived(void *self)
{
	struct history *h = self;
	const size_t end = (h->limit ? h->limit : &h->present)->input;
	if (h->input >= end) {
		if (!h->limit) /* a scan continues somewhere else */
			history_settle(h);
		return !h->limit;
	}
	const bool same = replay_input(h);
	if (!h->limit) /* a scan is done with what is known now */
		history_recall(h);
	return same;
}

static uint64_t due(const void *self)
{
	const struct history *h = self;
	return h->records && h->n_snaps && !h->limit ? h->due : UINT64_MAX;
}

static void snapshot(void *self) { snapshot_maybe(self); }

static bool may_change(const void *self)
{
	const struct history *h = self;
	struct history_position now;
	history_now(h, &now);
	return !h->is_past || !history_knows_more(h, &now);
}

struct history *history_create(struct debug *d, const volatile sig_atomic_t *interrupt)
{
	struct history *h = xcalloc(1, sizeof *h);
	*h = (struct history){.d = d, .g = debug_gpu(d), .interrupt = interrupt, .memory = MEMORY, .near = UINT64_MAX};
	h->past = (struct debug_past){.self = h,
				      .next = next,
				      .arrived = arrived,
				      .due = due,
				      .snapshot = snapshot,
				      .may_change = may_change};
	debug_past_attach(d, &h->past);
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	debug_past_attach(h->d, NULL);
	forget(h);
	for (size_t k = 0; k < h->n_open; k++)
		undo_free(&h->open[k]);
	free(h->snap);
	free(h->ahead);
	free(h->knows);
	free(h->undo);
	free(h->redo);
	free(h->open);
	free(h->checkpoint);
	free(h);
}
