/* Stale views of lanes. gdb believes in threads that move alone, the machine moves warps. When gdb steps one lane by itself, the other
 * lanes of its warp have moved too, but gdb keeps what it knows of them: their views are stale, keep their old pc for gdb, and
 * catch up, without anything being executed, when gdb steps them in their turn or lets everybody run. So nobody is stepped twice and
 * nobody jumps. Their registers, too, are for gdb what they were (snapshot.c). If other warps run meanwhile, those views are stale whose threads gdb
 * has looked at: it keeps the pc that it has read. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/lanes.h"

const struct stale_view *stale_of(const struct stub *s, uint64_t uid)
{
	for (size_t i = 0; i < s->n_stale; i++)
		if (s->stale[i].uid == uid)
			return &s->stale[i];
	return NULL;
}

bool stale_has_moved(const struct stub *s, uint64_t uid)
{
	const struct stale_view *l = stale_of(s, uid);
	return l && l->executed != STALE_NOT_MOVED;
}

void stale_add(struct stub *s, const struct stale_view *l)
{
	s->stale = xgrow(s->stale, &s->cap_stale, s->n_stale + 1, sizeof *s->stale);
	s->stale[s->n_stale++] = *l;
	view_forget(s);
}

void stale_clear(struct stub *s)
{
	s->n_stale = 0;
	if (!s->n_hits)
		snapshots_drop_unused(s);
	view_forget(s);
}

void stale_drop(struct stub *s, uint64_t uid)
{
	for (size_t i = 0; i < s->n_stale; i++)
		if (s->stale[i].uid == uid) {
			s->stale[i] = s->stale[--s->n_stale];
			break;
		}
	view_forget(s);
}

/* Lanes that are not accounted for elsewhere and whose views become stale when the warp moves. */
static uint32_t those_left(struct stub *s, const struct debug_where *of_warp, uint32_t but)
{
	struct debug_where w = *of_warp;
	uint32_t lanes = 0;
	LANES_EACH (lane, thread_live_lanes(&w) & ~but) {
		w.uid = of_warp->uid - of_warp->lane + lane;
		w.lane = lane;
		if (!stale_of(s, w.uid) && !hits_moves_along(s, &w))
			lanes |= lanes_bit(lane);
	}
	return lanes;
}

/* Lanes at the same place: `l` is lane number `first`. */
static void add_all(struct stub *s, struct stale_view l, unsigned first, uint32_t lanes)
{
	LANES_EACH (lane, lanes)
		stale_add(s, &(struct stale_view){.uid = l.uid - first + lane,
						  .pc = l.pc,
						  .sp = l.sp + ((uint64_t)(lane - first) << STUB_UID_SHIFT),
						  .executed = l.executed,
						  .waits = l.waits});
}

static void make_warp_stale(struct stub *s, const struct debug_where *of_warp, uint32_t but)
{
	struct debug_where w = *of_warp;
	const struct thread_view *v;
	uint32_t left = those_left(s, &w, but);
	const struct register_snapshot *k = left ? snapshot_take(s, &w) : NULL;
	while (left) {
		unsigned first = lanes_first(left);
		uint32_t alike = snapshot_lanes_with(k, first) & left;
		left &= ~alike;
		v = view_of_uid(s, w.uid - w.lane + first);
		if (!v || v->w.state == DEBUG_THREAD_EXITED)
			continue;
		struct stale_view l = {.uid = v->uid,
				       .pc = v->pc,
				       .sp = v->sp,
				       .executed = debug_executed(&w),
				       .waits = v->w.state == DEBUG_THREAD_LIVE && !v->w.active};
		add_all(s, l, first, alike);
	}
}

/* gdb keeps rip of threads that it doesn't resume, and reads their registers when it is asked for them. */
static void make_reported_stale(struct stub *s, const struct debug_where *but)
{
	struct debug_where w;
	uint64_t tid;
	size_t at = 0;
	while (registers_next_reported(s, &at, &tid))
		if (tid != STUB_HOST_TID && thread_where(s, tid, &w) && w.state != DEBUG_THREAD_EXITED &&
		    w.uid - w.lane != but->uid - but->lane && !stale_of(s, w.uid) && !hits_moves_along(s, &w))
			make_warp_stale(s, &w, 0);
}

void stale_others(struct stub *s, uint64_t uid)
{
	const struct thread_view *v = view_of_uid(s, uid);
	if (!v)
		return;
	struct debug_where w = v->w;
	make_warp_stale(s, &w, lanes_bit(w.lane));
	make_reported_stale(s, &w);
}

/* What gdb sees of a thread's frames is what they are now. The caller frees *bytes. */
static size_t stack_bytes(struct stub *s, const struct stale_view *l, unsigned char **bytes)
{
	size_t n = STUB_STACK_TOP - (l->sp & STUB_OFFSET_MASK);
	*bytes = xmalloc(n + 1);
	return memory_read(s, thread_tid(s, l->uid), l->sp, *bytes, n);
}

static bool same_registers(struct stub *s, const struct stale_view *l)
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
static bool is_unmoved(struct stub *s, const struct stale_view *l)
{
	struct debug_where w;
	if (l->executed == STALE_NOT_MOVED || !thread_where(s, thread_tid(s, l->uid), &w) ||
	    w.state == DEBUG_THREAD_EXITED)
		return false;
	uint64_t ran = debug_executed(&w) - l->executed;
	bool before = view_machine(s, true);
	const struct thread_view *v = !ran || l->waits ? view_of_uid(s, l->uid) : NULL;
	bool is_there = v && v->pc == l->pc && v->sp == l->sp;
	view_machine(s, before);
	return is_there && (ran <= 1 || same_registers(s, l));
}

void stale_drop_unmoved(struct stub *s)
{
	for (size_t i = s->n_stale; i--;)
		if (is_unmoved(s, &s->stale[i]))
			s->stale[i] = s->stale[--s->n_stale];
	view_forget(s);
}

struct stale_before stale_save(const struct stub *s)
{
	struct stale_before b = {.v = xmalloc((s->n_stale + 1) * sizeof *b.v), .n = s->n_stale};
	if (b.n)
		memcpy(b.v, s->stale, b.n * sizeof *b.v);
	return b;
}

void stale_restore(struct stub *s, const struct stale_before *b)
{
	s->stale = xgrow(s->stale, &s->cap_stale, b->n + 1, sizeof *s->stale);
	memcpy(s->stale, b->v, b->n * sizeof *b->v);
	s->n_stale = b->n;
	view_forget(s);
}
