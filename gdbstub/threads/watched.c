/* What gdb knows of what it watches on writes. It keeps a value, and stops only if it finds another one when a write there is reported: what has
 * been written and written back, or undone by a way back before it was told, is nothing to it. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "gdbstub/threads/room.h"

static bool is_of_writes(char type) { return type == '2' || type == '4'; }

static bool overlaps(const struct watched *w, uint64_t address, uint64_t n)
{
	return address < w->address + w->length && w->address < address + n;
}

static struct watched *find_watched(const struct stub *s, char type, uint64_t address, uint64_t length)
{
	const struct threads_room *t = s->threads;
	for (size_t i = 0; i < t->n_watched; i++)
		if (t->watched[i].type == type && t->watched[i].address == address && t->watched[i].length == length)
			return &t->watched[i];
	return NULL;
}

/* False: there is nothing to be seen, as of a frame that isn't there. */
static bool hash_value(struct stub *s, const struct watched *w, uint64_t *hash)
{
	unsigned char *bytes = xmalloc(w->length);
	const bool all = memory_read(s, s->tid_g, w->address, bytes, w->length) == w->length;
	*hash = all ? hash_bytes(bytes, w->length, 0) : 0;
	free(bytes);
	return all;
}

static void learn_value(struct stub *s, struct watched *w)
{
	w->is_known = hash_value(s, w, &w->known);
	w->is_told = false;
}

/* ---- what gdb does ---- */

/* gdb takes all of them out at each stop, and puts them in again before it continues. */
void watched_insert(struct stub *s, const struct point *p)
{
	struct threads_room *t = s->threads;
	struct watched *w = find_watched(s, p->type, p->address, p->length);
	if (!is_of_writes(p->type))
		return;
	if (!w) {
		t->watched = xgrow(t->watched, &t->cap_watched, t->n_watched + 1, sizeof *t->watched);
		w = &t->watched[t->n_watched++];
		*w = (struct watched){.type = p->type, .address = p->address, .length = p->length};
		learn_value(s, w);
	}
	w->is_in = true;
	w->moves = p->n_also;
}

void watched_remove(struct stub *s, const struct point *p)
{
	struct watched *w = find_watched(s, p->type, p->address, p->length);
	if (w)
		w->is_in = w->is_told = false;
}

void watched_go_on(struct stub *s)
{
	struct threads_room *t = s->threads;
	size_t n = 0;
	for (size_t i = 0; i < t->n_watched; i++)
		if (t->watched[i].is_in) {
			t->watched[n] = t->watched[i];
			t->watched[n++].is_told = false;
		}
	t->n_watched = n;
}

/* One that belongs to a frame gdb doesn't look at when another thread is reported. */
void watched_told(struct stub *s, uint64_t address)
{
	for (size_t i = 0; i < s->threads->n_watched; i++)
		s->threads->watched[i].is_told |= overlaps(&s->threads->watched[i], address, 1);
}

void watched_read(struct stub *s, uint64_t address, uint64_t n)
{
	for (size_t i = 0; i < s->threads->n_watched; i++)
		if (s->threads->watched[i].is_told && overlaps(&s->threads->watched[i], address, n))
			learn_value(s, &s->threads->watched[i]);
}

void watched_written(struct stub *s, uint64_t address, uint64_t n)
{
	for (size_t i = 0; i < s->threads->n_watched; i++)
		if (overlaps(&s->threads->watched[i], address, n))
			learn_value(s, &s->threads->watched[i]);
}

void watched_clear(struct stub *s) { s->threads->n_watched = 0; }

/* ---- what is new to it ---- */

static bool is_new(struct stub *s, const struct watched *w)
{
	uint64_t now;
	return w->is_known && hash_value(s, w, &now) && now != w->known;
}

bool watched_changed(struct stub *s, size_t *at, uint32_t *number, uint64_t *uid)
{
	while (*at < s->threads->n_watched) {
		const struct watched *w = &s->threads->watched[(*at)++];
		const uint64_t region = w->address & STUB_REGION_MASK;
		const struct machine_point p = {.type = w->type, .address = w->address, .length = w->length};
		if (!w->is_in || !is_new(s, w) || !points_number(s, &p, number))
			continue;
		const bool is_own = region == STUB_STACK_REGION || region == STUB_LOCAL_REGION;
		*uid = is_own ? (w->address & ~STUB_REGION_MASK) >> STUB_UID_SHIFT : 0;
		return true;
	}
	return false;
}

bool watched_is_as_known(struct stub *s, const struct machine_point *p)
{
	uint64_t now;
	const struct watched *w = find_watched(s, p->type, p->address, p->length);
	const bool before = view_machine(s, true);
	const bool same = w && w->is_known && !w->moves && hash_value(s, w, &now) && now == w->known;
	view_machine(s, before);
	return same;
}
