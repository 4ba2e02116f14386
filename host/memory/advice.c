/* Advice and prefetches for managed memory: stored for the program to read back. Both sides share the memory, so there is nothing else to do. Pages
 * with equal advice form a piece. */
#include <stdlib.h>

#include "host/host.h"

struct place { /* cudaMemLocation */
	int type, id;
};
enum { NOWHERE, DEVICE, HOST, HOST_NODE, HOST_NODE_CURRENT };
enum { ON_DEVICE = 1, ON_HOST = 2 }; /* bits of a set */

struct advice {
	struct place preferred, prefetched;
	bool read_mostly;
	unsigned accessed_by;
};

struct piece {
	uint64_t begin, end;
	struct advice advice;
	struct piece *next; /* sorted by address */
};

static struct {
	struct host_lock lock;
	struct piece *first;
} all;

enum { PAGE = 4096 };
static uint64_t page_down(uint64_t a) { return a & ~(uint64_t)(PAGE - 1); }
static uint64_t page_up(uint64_t a) { return page_down(a + PAGE - 1); }

/* ---- pieces, with the lock ---- */

static bool insert_piece(struct piece **at, uint64_t begin, uint64_t end, const struct advice *s)
{
	struct piece *p = calloc(1, sizeof *p);
	if (!p)
		return false;
	*p = (struct piece){begin, end, *s, *at};
	*at = p;
	return true;
}

/* Splits the piece that contains `a`, so that a piece begins there. Returns false if there isn't enough memory. */
static bool split_piece(uint64_t a)
{
	struct piece *p = all.first;
	while (p && p->end <= a)
		p = p->next;
	if (!p || p->begin >= a)
		return true;
	const uint64_t end = p->end;
	p->end = a;
	return insert_piece(&p->next, a, end, &p->advice);
}

/* Makes pieces that cover exactly the range. Returns false if there isn't enough memory. */
static bool cover_range(uint64_t begin, uint64_t end)
{
	const struct advice nothing = {0};
	bool ok = split_piece(begin) && split_piece(end);
	struct piece **at = &all.first;
	for (uint64_t a = begin; ok && a < end;) {
		while (*at && (*at)->end <= a)
			at = &(*at)->next;
		if (!*at || (*at)->begin > a)
			ok = insert_piece(at, a, *at && (*at)->begin < end ? (*at)->begin : end, &nothing);
		if (ok)
			a = (*at)->end;
	}
	return ok;
}

void host_advice_drop(uint64_t begin, uint64_t bytes)
{
	const uint64_t end = page_up(begin + bytes);
	host_lock(&all.lock);
	if (all.first && split_piece(begin) && split_piece(end))
		for (struct piece **at = &all.first; *at;) {
			struct piece *p = *at;
			if (p->begin < begin || p->begin >= end) {
				at = &p->next;
				continue;
			}
			*at = p->next;
			free(p);
		}
	host_unlock(&all.lock);
}

/* ---- setting advice ---- */

/* Returns 0 if the range is in one managed allocation, or an error. */
static int is_managed(const void *p, size_t bytes)
{
	struct call_pointer_out out;
	int error = host_enter();
	if (!error)
		error = call_pointer(&(struct call_pointer){(uint64_t)(uintptr_t)p}, NULL, 0, &out);
	if (!error && (out.kind != WIRE_MEMORY_MANAGED || bytes > out.bytes - ((uint64_t)(uintptr_t)p - out.base)))
		error = cudaErrorInvalidValue;
	return error;
}

typedef void (*advice_fn)(struct advice *s, struct place place);

static int apply_advice(const void *p, size_t bytes, advice_fn f, struct place place)
{
	const uint64_t begin = page_down((uint64_t)(uintptr_t)p), end = page_up((uint64_t)(uintptr_t)p + bytes);
	int error = is_managed(p, bytes);
	if (error || !bytes)
		return error;
	host_lock(&all.lock);
	if (!cover_range(begin, end))
		error = cudaErrorMemoryAllocation;
	for (struct piece *k = all.first; !error && k; k = k->next)
		if (k->begin >= begin && k->begin < end)
			f(&k->advice, place);
	host_unlock(&all.lock);
	return error;
}

static unsigned set_of(struct place place) { return place.type == DEVICE ? ON_DEVICE : ON_HOST; }
static void set_read_mostly(struct advice *s, struct place anywhere)
{
	(void)anywhere;
	s->read_mostly = true;
}
static void clear_read_mostly(struct advice *s, struct place anywhere)
{
	(void)anywhere;
	s->read_mostly = false;
}
static void set_preferred(struct advice *s, struct place place) { s->preferred = place; }
static void clear_preferred(struct advice *s, struct place anywhere)
{
	(void)anywhere;
	s->preferred = (struct place){0};
}
static void set_accessed_by(struct advice *s, struct place place) { s->accessed_by |= set_of(place); }
static void clear_accessed_by(struct advice *s, struct place place) { s->accessed_by &= ~set_of(place); }
static void prefetch(struct advice *s, struct place place) { s->prefetched = place; }

#define CPU_DEVICE (-1)
#define INVALID_DEVICE (-2)

static struct place location_of_device(int device)
{
	return device == CPU_DEVICE ? (struct place){HOST, 0} : (struct place){DEVICE, device};
}

static int check_location(struct place place)
{
	if (place.type == DEVICE)
		return place.id ? cudaErrorInvalidDevice : 0;
	return place.type < HOST || place.type > HOST_NODE_CURRENT ? cudaErrorInvalidValue : 0;
}

static int advise_range(const void *p, size_t bytes, int advice, struct place place)
{
	enum { READ_MOSTLY = 1, NOT_READ_MOSTLY };
	static const advice_fn says[] = {NULL,
					 set_read_mostly,
					 clear_read_mostly,
					 set_preferred,
					 clear_preferred,
					 set_accessed_by,
					 clear_accessed_by};
	int error = bytes && advice >= READ_MOSTLY && advice <= 6 ? 0 : cudaErrorInvalidValue;
	if (!error && advice > NOT_READ_MOSTLY && says[advice] != clear_preferred)
		error = check_location(place);
	return host_leave(error ? error : apply_advice(p, bytes, says[advice], place));
}

API(cudaMemAdvise)(const void *p, size_t bytes, int advice, int device)
{
	return advise_range(p, bytes, advice, location_of_device(device));
}

API(cudaMemAdvise_v2)(const void *p, size_t bytes, int advice, struct place place)
{
	return advise_range(p, bytes, advice, place);
}

static int prefetch_to(const void *p, size_t bytes, struct place place, const void *stream)
{
	int error = bytes ? check_location(place) : cudaErrorInvalidValue;
	if (!error)
		error = apply_advice(p, bytes, prefetch, place);
	return error ? error : host_stream_lives(stream) ? 0 : cudaErrorInvalidResourceHandle;
}

API(cudaMemPrefetchAsync)(const void *p, size_t bytes, int device, const void *stream)
{
	return host_leave(prefetch_to(p, bytes, location_of_device(device), stream));
}

API(cudaMemPrefetchAsync_v2)
(const void *p, size_t bytes, struct place place, unsigned flags, const void *stream)
{
	return host_leave(flags ? cudaErrorInvalidValue : prefetch_to(p, bytes, place, stream));
}

API(cudaStreamAttachMemAsync)(const void *stream, const void *p)
{
	(void)stream;
	return host_leave(is_managed(p, 0));
}

/* ---- many at once ---- */

/* Prefetches n ranges; location `at` applies to the ranges from index[at] on. */
static int prefetch_all(void *const *p, const size_t *bytes, size_t n, const struct place *place, const size_t *index,
			size_t n_places, const void *stream)
{
	int error =
		p && bytes && n && place && index && n_places && n_places <= n && !index[0] ? 0 : cudaErrorInvalidValue;
	for (size_t k = 0, at = 0; !error && k < n; k++) {
		while (at + 1 < n_places && index[at + 1] <= k)
			at++;
		error = prefetch_to(p[k], bytes[k], place[at], stream);
	}
	return error;
}

API(cudaMemPrefetchBatchAsync)
(void *const *p, const size_t *bytes, size_t n, const struct place *place, const size_t *index, size_t n_places,
 unsigned long long flags, const void *stream)
{
	return host_leave(flags ? cudaErrorInvalidValue : prefetch_all(p, bytes, n, place, index, n_places, stream));
}

/* Checks ranges whose contents may be discarded; they are left as they are. */
static int discard_all(void *const *p, const size_t *bytes, size_t n)
{
	int error = p && bytes && n ? 0 : cudaErrorInvalidValue;
	for (size_t k = 0; !error && k < n; k++)
		error = bytes[k] ? is_managed(p[k], bytes[k]) : cudaErrorInvalidValue;
	return error;
}

API(cudaMemDiscardBatchAsync)
(void *const *p, const size_t *bytes, size_t n, unsigned long long flags, const void *stream)
{
	const int error = flags ? cudaErrorInvalidValue : discard_all(p, bytes, n);
	return host_leave(error ? error : host_stream_lives(stream) ? 0 : cudaErrorInvalidResourceHandle);
}

API(cudaMemDiscardAndPrefetchBatchAsync)
(void *const *p, const size_t *bytes, size_t n, const struct place *place, const size_t *index, size_t n_places,
 unsigned long long flags, const void *stream)
{
	const int error = flags ? cudaErrorInvalidValue : discard_all(p, bytes, n);
	return host_leave(error ? error : prefetch_all(p, bytes, n, place, index, n_places, stream));
}

/* ---- queries ---- */

static struct place common_place(struct place a, struct place b)
{
	return a.type == b.type && a.id == b.id ? a : (struct place){0};
}

static struct advice common_advice(const struct advice *a, const struct advice *b)
{
	return (struct advice){common_place(a->preferred, b->preferred), common_place(a->prefetched, b->prefetched),
			       a->read_mostly && b->read_mostly, a->accessed_by & b->accessed_by};
}

/* Returns the advice that is common to the whole range. */
static struct advice common_advice_of(uint64_t begin, uint64_t end)
{
	struct advice s = {0};
	uint64_t a = begin;
	for (const struct piece *p = all.first; p && a < end; p = p->next) {
		if (p->end <= a)
			continue;
		if (p->begin > a)
			return (struct advice){0};
		s = a == begin ? p->advice : common_advice(&s, &p->advice);
		a = p->end;
	}
	return a < end ? (struct advice){0} : s;
}

static int device_of(struct place place)
{
	return place.type == NOWHERE ? INVALID_DEVICE : place.type == DEVICE ? place.id : CPU_DEVICE;
}

static int accessed_by(unsigned set, int *to, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		to[k] = set & ON_DEVICE ? 0 : set & ON_HOST ? CPU_DEVICE : INVALID_DEVICE;
		set &= set & ON_DEVICE ? ~(unsigned)ON_DEVICE : 0;
	}
	return n ? 0 : cudaErrorInvalidValue;
}

static int value_of(const struct advice *s, int attribute, int *to, size_t bytes)
{
	enum {
		READ_MOSTLY = 1,
		PREFERRED,
		ACCESSED_BY,
		PREFETCHED,
		PREFERRED_TYPE,
		PREFERRED_ID,
		PREFETCHED_TYPE,
		PREFETCHED_ID
	};
	if (!to || bytes % sizeof *to || (attribute != ACCESSED_BY && bytes != sizeof *to))
		return cudaErrorInvalidValue;
	switch (attribute) {
	case READ_MOSTLY: *to = s->read_mostly; return 0;
	case PREFERRED: *to = device_of(s->preferred); return 0;
	case ACCESSED_BY: return accessed_by(s->accessed_by, to, bytes / sizeof *to);
	case PREFETCHED: *to = device_of(s->prefetched); return 0;
	case PREFERRED_TYPE: *to = s->preferred.type; return 0;
	case PREFERRED_ID: *to = s->preferred.id; return 0;
	case PREFETCHED_TYPE: *to = s->prefetched.type; return 0;
	case PREFETCHED_ID: *to = s->prefetched.id; return 0;
	default: return cudaErrorInvalidValue;
	}
}

API(cudaMemRangeGetAttributes)
(int **to, const size_t *to_bytes, const int *attribute, size_t n, const void *p, size_t bytes)
{
	const uint64_t begin = (uint64_t)(uintptr_t)p;
	int error = to && to_bytes && attribute && n && bytes ? is_managed(p, bytes) : cudaErrorInvalidValue;
	if (error)
		return host_leave(error);
	host_lock(&all.lock);
	const struct advice s = common_advice_of(page_down(begin), page_up(begin + bytes));
	host_unlock(&all.lock);
	for (size_t k = 0; k < n && !error; k++)
		error = value_of(&s, attribute[k], to[k], to_bytes[k]);
	return host_leave(error);
}

API(cudaMemRangeGetAttribute)(int *to, size_t to_bytes, int attribute, const void *p, size_t bytes)
{
	return ws_cudaMemRangeGetAttributes(&to, &to_bytes, &attribute, 1, p, bytes);
}
