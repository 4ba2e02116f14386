/* `until` and `advance` backwards, as gdb's: to a place, to where the function was called, or to its beginning; breakpoints on the way stop them. */
#include "debug/stop/breakpoint.h"
#include "debug/view/source.h"
#include "history/internal.h"

struct goal {
	struct debug_trail here;
	const struct debug_location *at; /* NULL: the activation's beginning */
	bool anywhere; /* in any activation */
};

static bool is_before(const struct goal *g, const struct debug_trail *t)
{
	return t->moved && t->executed < g->here.executed;
}

static bool is_there(const struct goal *g, const struct debug_trail *t)
{
	for (uint32_t k = 0; k < g->at->n; k++)
		if (g->at->pcs[k] == t->pc)
			return g->anywhere || t->depth == g->here.depth;
	return false;
}

static size_t find_place(struct history *h, const struct trail *l, size_t n, const void *what)
{
	const struct goal *g = what;
	(void)h;
	while (n-- > 0)
		if (is_before(g, &l->step[n]) && (is_there(g, &l->step[n]) || l->step[n].depth < g->here.depth))
			return n;
	return l->n;
}

/* The activation's first instruction; from there the call. */
static size_t find_beginning(struct history *h, const struct trail *l, size_t n, const void *what)
{
	const struct goal *g = what;
	size_t first = l->n;
	(void)h;
	while (n-- > 0) {
		if (!is_before(g, &l->step[n]))
			continue;
		if (l->step[n].depth < g->here.depth)
			return first < l->n ? first : n;
		if (l->step[n].depth == g->here.depth)
			first = n;
	}
	return l->whole ? first : l->n;
}

/* Would something have stopped it on the way? */
static bool stops_on_the_way(struct history *h, const struct debug_thread *t, find_step *find, const struct goal *g,
			     struct debug_stop *stop, struct text *why)
{
	struct history_position from, to;
	uint64_t executed;
	bool found;
	history_now(h, &from);
	const enum replay_end end = history_find_executed(h, t, find, g, &found, &executed);
	if (end == REPLAY_FAILED)
		return history_lost(why);
	if (end == REPLAY_INTERRUPTED)
		return history_interrupted(h, stop);
	if (history_go_to_executed(h, t, found ? executed : 0) == REPLAY_FAILED)
		return history_lost(why);
	history_now(h, &to);
	return history_stop_between(h, &to, &from, stop, why) &&
	       (stop->reason != DEBUG_STOP_NONE || history_go(h, &from) || history_lost(why));
}

static bool go(struct history *h, find_step *find, struct goal *g, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	if (!history_need_thread(h, &w, why))
		return false;
	const struct debug_thread t = w.thread;
	if (!history_here(h, &w, &g->here))
		return history_at_beginning(h, stop, why);
	if (breakpoint_count(h->d) && !stops_on_the_way(h, &t, find, g, stop, why))
		return false;
	if (stop->reason != DEBUG_STOP_NONE)
		return true;
	debug_focus_set(h->d, &t); /* others have had it on the way */
	return history_go_found(h, &t, find, g, stop, why);
}

bool history_reverse_until(struct history *h, const struct debug_location *to, struct debug_stop *stop, struct text *why)
{
	struct goal g = {.at = to};
	return history_can_go_back(h, why) && go(h, to ? find_place : find_beginning, &g, stop, why);
}

bool history_reverse_advance(struct history *h, const struct debug_location *to, struct debug_stop *stop, struct text *why)
{
	struct goal g = {.at = to, .anywhere = true};
	return history_can_go_back(h, why) && go(h, find_place, &g, stop, why);
}
