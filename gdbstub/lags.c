/* Lanes that lag behind. gdb believes in threads that move alone, the machine moves warps. When gdb steps one lane by itself, the other
 * lanes of its warp have moved too, but gdb keeps what it knows of them: they are said to lag behind, keep their old pc for gdb, and
 * catch up, without anything being executed, when gdb steps them in their turn or lets everybody run. So nobody is stepped twice and
 * nobody jumps. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/internal.h"

const struct lag *lag_of(const struct stub *s, uint64_t uid)
{
	for (size_t i = 0; i < s->n_lags; i++)
		if (s->lags[i].uid == uid)
			return &s->lags[i];
	return NULL;
}

void lag_add(struct stub *s, const struct lag *l)
{
	s->lags = xgrow(s->lags, &s->cap_lags, s->n_lags + 1, sizeof *s->lags);
	s->lags[s->n_lags++] = *l;
	view_forget(s);
}

void lag_clear(struct stub *s)
{
	s->n_lags = 0;
	view_forget(s);
}

void lag_drop(struct stub *s, uint64_t uid)
{
	for (size_t i = 0; i < s->n_lags; i++)
		if (s->lags[i].uid == uid) {
			s->lags[i] = s->lags[--s->n_lags];
			break;
		}
	view_forget(s);
}

void lag_others(struct stub *s, uint64_t uid)
{
	const struct thread_view *v = view_of_uid(s, uid);
	struct debug_where w, other;
	if (!v)
		return;
	w = v->w;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct debug_thread t = w.thread;
		t.thread = w.warp_index * LANES + lane;
		if (lane == w.lane || !debug_thread_where(s->d, &t, &other) || other.state == DEBUG_THREAD_EXITED)
			continue;
		if (hits_moves_along(s, &other))
			lag_drop(s, other.uid);
		if (lag_of(s, other.uid) || hits_moves_along(s, &other))
			continue;
		v = view_of_uid(s, other.uid);
		if (!v)
			continue;
		lag_add(s, &(struct lag){.uid = other.uid, .pc = v->pc, .sp = v->sp});
	}
}

struct lags_before lags_keep(const struct stub *s)
{
	struct lags_before b = {.v = xmalloc((s->n_lags + 1) * sizeof *b.v), .n = s->n_lags};
	if (b.n)
		memcpy(b.v, s->lags, b.n * sizeof *b.v);
	return b;
}

void lags_put_back(struct stub *s, const struct lags_before *b)
{
	s->lags = xgrow(s->lags, &s->cap_lags, b->n + 1, sizeof *s->lags);
	memcpy(s->lags, b->v, b->n * sizeof *b->v);
	s->n_lags = b->n;
	view_forget(s);
}
