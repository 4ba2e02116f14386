/* Where memory had its bytes from: see origin.h. */
#include "history/origin.h"

/* Finds the argument or result that a call has copied to local memory, later than the last store `w` (NULL: there is none). Returns false if the run
 * failed; *found: there is one. */
static bool find_call(struct history *h, struct trace *t, const struct where_bytes *b, const struct until *u,
		      const struct write *w, struct trace_source *out, bool *found)
{
	bool failed = false;
	*found = false;
	if (!trace_is_local(b->generic) || !u->thread)
		return true;
	if (!trace_reach(h, t, u->thread, u->executed, u->limit))
		return false;
	do
		*found = trace_copied(h, t, u->executed, b->generic, b->n, out);
	while (!*found && !(w && t->n && t->step[0].executed <= w->executed) &&
	       trace_lengthen(h, t, u->limit, &failed));
	*found = *found && !(w && w->executed >= trace_copied_when(out));
	return !failed;
}

static enum memory_how how_unwritten(struct history *h, uint64_t generic, bool before_begun)
{
	struct text owner = {0};
	bool initialised = false;
	const bool is_variable = debug_memory_module(h->d, generic, &owner);
	const bool known = debug_memory_owner(h->d, generic, &initialised, &owner);
	text_free(&owner);
	if (before_begun)
		return MEMORY_UNKNOWN;
	if (is_variable)
		return MEMORY_INITIAL;
	return known && initialised ? MEMORY_BY_HOST : MEMORY_UNWRITTEN;
}

bool memory_origin_of(struct history *h, struct trace *t, const struct where_bytes *b, const struct until *u,
		      const struct write *w, bool before_begun, struct memory_origin *out)
{
	bool is_called;
	if (w && w->by_host && input_loads(h, w)) { /* the initial values of a module's variables */
		w = NULL;
		before_begun = false;
	}
	*out = (struct memory_origin){.is_written = w != NULL};
	if (w)
		out->write = *w;
	if (!find_call(h, t, b, u, w && !w->by_host ? w : NULL, &out->call, &is_called))
		return false;
	if (is_called) {
		out->how = MEMORY_CALLED;
		out->step = *out->call.step; /* traces move */
		out->call.step = &out->step;
	} else if (!w) {
		out->how = how_unwritten(h, b->generic, before_begun);
	} else if (w->by_host) {
		out->how = input_source(h, w, b->generic, &out->from, &out->then) ? MEMORY_COPIED : MEMORY_BY_HOST;
	} else {
		out->how = MEMORY_STORED;
	}
	return true;
}

bool memory_origin(struct history *h, struct trace *t, const struct where_bytes *b, const struct until *u,
		   struct memory_origin *out)
{
	struct write w;
	bool found;
	return find_write(h, b, u, &w, &found) && memory_origin_of(h, t, b, u, found ? &w : NULL, w.before_begun, out);
}
