/* Runs parts of the past again with a watcher, and returns the machine to where it stood. */
#include "history/internal.h"

#include <string.h>

#include "base/record.h"

struct stood {
	struct history_position at;
	bool has_focus;
	struct debug_thread focus;
};

static void leave(struct history *h, struct stood *s)
{
	history_now(h, &s->at);
	s->has_focus = debug_focus_get(h->d, &s->focus);
	history_leave(h);
}

static bool come_back(struct history *h, const struct stood *s)
{
	const bool ok = history_go(h, &s->at);
	history_arrived(h);
	if (s->has_focus)
		debug_focus_set(h->d, &s->focus);
	return ok;
}

static bool run_to(struct history *h, const struct history_position *to, const struct exec_watcher *w)
{
	return replay(h, &(struct replay){.to = to, .cycle = UINT64_MAX, .watcher = w}) == REPLAY_LIMIT;
}

/* Returns the estimated time of the host, in nanoseconds, that running from a cycle to here takes. */
static uint64_t work_since(const struct history *h, uint64_t cycle)
{
	const uint64_t now = gpu_cycle(h->g);
	return (now - cycle) * (h->rate ? h->rate : 1);
}

#define INPUTS_MOST (UINT64_C(64) << 20) /* bytes of inputs in a file */

/* Returns true if an input can be in the file, and adds its size to *bytes. */
static bool is_storable(const struct journal_entry *e, uint64_t *bytes)
{
	*bytes += gpu_input_bytes(&e->input);
	return gpu_input_is_recordable(&e->input) && *bytes <= INPUTS_MOST;
}

/* Finds the position for history_visit_beginning. Returns false if there is none. */
static bool find_beginning(const struct history *h, uint64_t work, struct history_position *from)
{
	struct history_position now, first;
	size_t k = 0;
	uint64_t bytes = 0;
	history_now(h, &now);
	if (!history_first(h, &first))
		return false;
	from->input = now.input;
	while (from->input && is_storable(h->journal.entry[from->input - 1], &bytes))
		from->input--;
	from->at = from->input ? h->journal.entry[from->input - 1]->at : first.at;
	if (history_compare(from, &first) < 0)
		*from = first;
	while (k < h->n_snaps && h->snap[k].at.input < from->input)
		k++;
	if (work_since(h, from->at.cycle) > work) {
		while (k < h->n_snaps && work_since(h, h->snap[k].at.at.cycle) > work)
			k++;
		if (k == h->n_snaps)
			return false;
		*from = h->snap[k].at;
	}
	return history_compare(from, &now) < 0;
}

bool history_visit_beginning(struct history *h, uint64_t work, bool (*visit)(void *self), void *self)
{
	struct history_position from;
	struct stood s;
	if (history_is_past(h) || !find_beginning(h, work, &from))
		return false;
	leave(h, &s);
	const bool ok = history_go(h, &from) && visit(self);
	return come_back(h, &s) && ok;
}

void history_inputs_record(const struct history *h, struct text *out)
{
	const size_t end = h->is_past ? h->present.input : h->input;
	record_number(out, end - h->input);
	for (size_t k = h->input; k < end; k++) {
		const struct journal_entry *e = h->journal.entry[k];
		record_bytes(out, &e->at, sizeof e->at);
		record_number(out, (uint64_t)e->result);
		gpu_input_record(&e->input, out);
	}
}

bool history_inputs_take(struct history *h, struct record_reader *r)
{
	for (uint64_t left = record_take_number(r); left && !r->bad; left--) {
		struct journal_entry *e = pool_alloc(&h->journal.pool, sizeof *e);
		size_t n;
		*e = (struct journal_entry){.result = 0};
		const char *at = record_take_bytes(r, &n);
		if (r->bad || n != sizeof e->at)
			return false;
		memcpy(&e->at, at, n);
		e->result = (int64_t)record_take_number(r);
		if (!gpu_input_take(r, &h->journal.pool, &e->input))
			return false;
		journal_append(&h->journal, e);
	}
	return !r->bad;
}

bool history_run_on(struct history *h, const struct gpu_moment *present)
{
	h->present = (struct history_position){.input = h->journal.n, .at = *present};
	h->is_past = true;
	gpu_set_silent(h->g, true);
	const bool ok = run_to(h, &h->present, NULL);
	if (!ok) { /* where the machine stands is the present then */
		h->is_past = false;
		gpu_set_silent(h->g, false);
	}
	history_arrived(h);
	return ok;
}

static bool look_at_stretch(struct history *h, size_t k, const struct history_position *end,
			    const struct history_look *look)
{
	const struct history_position from = h->snap[k].at;
	if (!snapshot_go_back(h, k))
		return false;
	debug_past_moved(h->d);
	if (look->begin)
		look->begin(look->self, &from, end);
	return run_to(h, end, look->watcher);
}

bool history_look_back(struct history *h, const struct history_look *look)
{
	struct history_position first, end, from;
	struct stood s;
	bool ok = true, more = true;
	if (!history_first(h, &first))
		return false;
	leave(h, &s);
	end = s.at;
	for (size_t k; ok && more && (k = snapshot_before(h, &end, true)) < h->n_snaps; end = from) {
		from = h->snap[k].at;
		ok = look_at_stretch(h, k, &end, look);
		more = ok && look->end(look->self) && k && history_compare(&from, &first) > 0;
		snapshots_forget_lost(h);
	}
	return come_back(h, &s) && ok;
}
