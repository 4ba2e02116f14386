/* Having what was run again while somebody looks; then the machine stands where it stood. */
#include "history/internal.h"

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

bool history_observe(struct history *h, const struct history_position *from, const struct history_position *to,
		     const struct exec_watcher *w)
{
	struct stood s;
	if (!h->n_snaps)
		return false;
	leave(h, &s);
	const bool ok = history_go(h, from) && (!history_compare(from, to) || run_to(h, to, w));
	return come_back(h, &s) && ok;
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
