/* Steps back by instructions, lines and calls, which watchpoints on the way stop. */
#include "history/internal.h"

/* Steps back with a look at what watchpoints would have stopped. */
static bool step(struct history *h, bool (*back)(struct history *, uint64_t, struct debug_stop *, struct text *), uint64_t n,
		 struct debug_stop *stop, struct text *why)
{
	h->on_arrival = history_watch_since;
	const bool ok = back(h, n, stop, why);
	h->on_arrival = NULL;
	return ok;
}

static bool finish(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	(void)n;
	return back_finish(h, stop, why);
}

bool history_reverse_stepi(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why) { return step(h, back_stepi, n, stop, why); }
bool history_reverse_nexti(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why) { return step(h, back_nexti, n, stop, why); }
bool history_reverse_next(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why) { return step(h, back_next, n, stop, why); }
bool history_reverse_finish(struct history *h, struct debug_stop *stop, struct text *why) { return step(h, finish, 1, stop, why); }
