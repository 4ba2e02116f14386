#include "timing/common/request.h"

#include <string.h>

#include "timing/common/memory.h"

#define REQUESTS_MAX (UINT32_C(1) << 22)

const char *const access_type_names[ACCESS_TYPE_COUNT] = {
#define X(name) #name,
	ACCESS_TYPES(X)
#undef X
};
const char *const request_status_names[REQUEST_STATUS_COUNT] = {
#define X(name) #name,
	REQUEST_STATUSES(X)
#undef X
};

bool requests_init(struct requests *q, struct arena *a, const struct machine_limits *limits)
{
	q->arena = a;
	q->section = timing_section(a, "requests", limits->requests);
	if (q->section < 0 || !arena_use(a, q->section, sizeof(struct mem_request)))
		return false;
	/* entry 0 is no request: the pool's own state lies there */
	_Static_assert(sizeof(struct requests_state) <= sizeof(struct mem_request), "state fits into entry 0");
	q->at = arena_at(a, q->section, 0);
	q->s = arena_at(a, q->section, 0);
	q->s->n_used = 1;
	q->s->next_uid = 1;
	return true;
}

uint32_t request_new(struct requests *q, uint64_t now)
{
	struct requests_state *s = q->s;
	uint32_t r = s->free;
	if (r) {
		s->free = q->at[r].next;
	} else {
		r = s->n_used;
		if (r == REQUESTS_MAX || !arena_use(q->arena, q->section, (uint64_t)(r + 1) * sizeof *q->at))
			return 0;
		s->n_used++;
	}
	struct mem_request *m = &q->at[r];
	memset(m, 0, sizeof *m);
	m->uid = s->next_uid++;
	m->created = m->status_time = now;
	m->pc = REQUEST_NO_PC;
	m->warp = REQUEST_NO_WARP;
	s->n_live++;
	if (q->observer.on_event)
		q->observer.on_event(q->observer.self, r, REQUEST_MEM_FETCH_INITIALIZED);
	return r;
}

void request_free(struct requests *q, uint32_t r)
{
	const enum request_status before = (enum request_status)q->at[r].status;
	q->at[r].status = REQUEST_MEM_FETCH_DELETED;
	if (q->observer.on_event)
		q->observer.on_event(q->observer.self, r, before);
	q->at[r].next = q->s->free;
	q->s->free = r;
	q->s->n_live--;
}
