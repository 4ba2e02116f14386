/* The set of valid handles: a hash table with open addressing, a power of two of slots, at most half of them used. */
#include "host/core/handles.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "host/core/lock.h"

struct place {
	const void *p; /* NULL: the slot is free */
	enum host_handle_kind kind;
};

static struct {
	struct host_lock lock;
	struct place *place;
	size_t n, places;
} handles;

static size_t home_slot(const void *p)
{
	return (size_t)(((uintptr_t)p >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (handles.places - 1);
}
static size_t next_slot(size_t k) { return (k + 1) & (handles.places - 1); }

/* Returns the slot of a handle, or the free slot for it. */
static size_t find_slot(const void *p)
{
	size_t k = home_slot(p);
	while (handles.place[k].p && handles.place[k].p != p)
		k = next_slot(k);
	return k;
}

static bool grow(void)
{
	const struct place *old = handles.place;
	const size_t n = handles.places;
	struct place *more = calloc(n ? 2 * n : 64, sizeof *more);
	if (!more)
		return false;
	handles.place = more;
	handles.places = n ? 2 * n : 64;
	for (size_t k = 0; k < n; k++)
		if (old[k].p)
			more[find_slot(old[k].p)] = old[k];
	free((void *)(uintptr_t)old);
	return true;
}

/* Fills the gap of a removed handle with later ones, so that no search ends at it too early. */
static void close_gap(size_t gap)
{
	for (size_t k = next_slot(gap); handles.place[k].p; k = next_slot(k)) {
		const size_t distance = (k - home_slot(handles.place[k].p)) & (handles.places - 1);
		if (distance < ((k - gap) & (handles.places - 1)))
			continue;
		handles.place[gap] = handles.place[k];
		gap = k;
	}
	handles.place[gap] = (struct place){0};
	handles.n--;
}

bool handle_add(const void *p, enum host_handle_kind kind)
{
	host_lock(&handles.lock);
	const bool ok = 2 * handles.n < handles.places || grow();
	if (ok) {
		handles.place[find_slot(p)] = (struct place){p, kind};
		handles.n++;
	}
	host_unlock(&handles.lock);
	return ok;
}

static bool check_handle(const void *p, enum host_handle_kind kind, bool take)
{
	host_lock(&handles.lock);
	const size_t k = p && handles.n ? find_slot(p) : 0;
	const bool is = p && handles.n && handles.place[k].p == p && handles.place[k].kind == kind;
	if (is && take)
		close_gap(k);
	host_unlock(&handles.lock);
	return is;
}

bool handle_is(const void *p, enum host_handle_kind kind) { return check_handle(p, kind, false); }
bool handle_remove(const void *p, enum host_handle_kind kind) { return check_handle(p, kind, true); }
