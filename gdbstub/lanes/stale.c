/* Lanes that lag behind. gdb believes in threads that move alone, the machine moves warps. When gdb steps one lane by itself, the other
 * lanes of its warp have moved too, but gdb keeps what it knows of them: they are said to lag behind, keep their old pc for gdb, and
 * catch up, without anything being executed, when gdb steps them in their turn or lets everybody run. So nobody is stepped twice and
 * nobody jumps. Their registers, too, are for gdb what they were (snapshot.c). If other warps run meanwhile, those lag behind whose threads gdb
 * has looked at: it keeps the pc that it has read. */
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

bool lag_has_moved(const struct stub *s, uint64_t uid)
{
	const struct lag *l = lag_of(s, uid);
	return l && l->executed != LAG_NOT_MOVED;
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
	if (!s->n_hits)
		kept_drop_unused(s);
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

/* Lanes that are not accounted for elsewhere and begin to lag when the warp moves. */
static uint32_t those_left(struct stub *s, const struct debug_where *of_warp, uint32_t but)
{
	struct debug_where w = *of_warp;
	uint32_t lanes = 0;
	LANES_EACH (lane, thread_live_lanes(&w) & ~but) {
		w.uid = of_warp->uid - of_warp->lane + lane;
		w.lane = lane;
		if (!lag_of(s, w.uid) && !hits_moves_along(s, &w))
			lanes |= lanes_bit(lane);
	}
	return lanes;
}

/* Lanes at the same place: `l` is lane number `first`. */
static void add_all(struct stub *s, struct lag l, unsigned first, uint32_t lanes)
{
	LANES_EACH (lane, lanes)
		lag_add(s, &(struct lag){.uid = l.uid - first + lane,
					 .pc = l.pc,
					 .sp = l.sp + ((uint64_t)(lane - first) << STUB_UID_SHIFT),
					 .executed = l.executed,
					 .waits = l.waits});
}

static void lag_warp(struct stub *s, const struct debug_where *of_warp, uint32_t but)
{
	struct debug_where w = *of_warp;
	const struct thread_view *v;
	uint32_t left = those_left(s, &w, but);
	const struct kept *k = left ? kept_make(s, &w) : NULL;
	while (left) {
		unsigned first = lanes_first(left);
		uint32_t alike = kept_lanes_with(k, first) & left;
		left &= ~alike;
		v = view_of_uid(s, w.uid - w.lane + first);
		if (!v || v->w.state == DEBUG_THREAD_EXITED)
			continue;
		struct lag l = {.uid = v->uid,
				.pc = v->pc,
				.sp = v->sp,
				.executed = debug_executed(&w),
				.waits = v->w.state == DEBUG_THREAD_LIVE && !v->w.active};
		add_all(s, l, first, alike);
	}
}

/* gdb keeps rip of threads that it doesn't resume, and reads their registers when it is asked for them. */
static void lag_told(struct stub *s, const struct debug_where *but)
{
	struct debug_where w;
	uint64_t tid;
	size_t at = 0;
	while (registers_next_told(s, &at, &tid))
		if (tid != STUB_HOST_TID && thread_where(s, tid, &w) && w.state != DEBUG_THREAD_EXITED &&
		    w.uid - w.lane != but->uid - but->lane && !lag_of(s, w.uid) && !hits_moves_along(s, &w))
			lag_warp(s, &w, 0);
}

void lag_others(struct stub *s, uint64_t uid)
{
	const struct thread_view *v = view_of_uid(s, uid);
	if (!v)
		return;
	struct debug_where w = v->w;
	lag_warp(s, &w, lanes_bit(w.lane));
	lag_told(s, &w);
}

/* What gdb sees of a thread's frames is what they are now. The caller frees *bytes. */
static size_t stack_bytes(struct stub *s, const struct lag *l, unsigned char **bytes)
{
	size_t n = STUB_STACK_TOP - (l->sp & STUB_OFFSET_MASK);
	*bytes = xmalloc(n + 1);
	return memory_read(s, thread_tid(s, l->uid), l->sp, *bytes, n);
}

static bool same_registers(struct stub *s, const struct lag *l)
{
	unsigned char *then, *now;
	view_forget(s);
	size_t n = stack_bytes(s, l, &then);
	bool before = view_machine(s, true);
	size_t n_now = stack_bytes(s, l, &now);
	view_machine(s, before);
	bool same = n == n_now && !memcmp(then, now, n);
	free(then);
	free(now);
	return same;
}

/* Lanes that wait for the other side of a branch stay where they are while that runs; and a warp may not have had its turn. */
static bool is_unmoved(struct stub *s, const struct lag *l)
{
	struct debug_where w;
	if (l->executed == LAG_NOT_MOVED || !thread_where(s, thread_tid(s, l->uid), &w) ||
	    w.state == DEBUG_THREAD_EXITED)
		return false;
	uint64_t ran = debug_executed(&w) - l->executed;
	bool before = view_machine(s, true);
	const struct thread_view *v = !ran || l->waits ? view_of_uid(s, l->uid) : NULL;
	bool is_there = v && v->pc == l->pc && v->sp == l->sp;
	view_machine(s, before);
	return is_there && (ran <= 1 || same_registers(s, l));
}

void lag_drop_unmoved(struct stub *s)
{
	for (size_t i = s->n_lags; i--;)
		if (is_unmoved(s, &s->lags[i]))
			s->lags[i] = s->lags[--s->n_lags];
	view_forget(s);
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
