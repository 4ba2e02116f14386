/* The stream buffers of an LDST unit: words of read streams are fetched ahead, words of write streams are sent in batches. Source: the Mondrian simulator.
 *
 * A stream's elements are numbered; counts say how far its requests, its loads and its stores are. */
#include "exec/streams.h"
#include "timing/cluster.h"
#include "timing/ldst/ldst_internal.h"
#include "timing/timing.h"

#include <string.h>

#define READS ((unsigned)EXEC_STREAM_READS)
#define WRITES ((unsigned)EXEC_STREAM_WRITES)

/* Returns the entries of a write stream's ring of warps: what is buffered and what is being sent. */
static uint32_t ring_size(const struct stream_config *cfg) { return cfg->size + cfg->batch; }

bool ldst_streams_create(struct ldst *l, struct timing_memory *m, const struct stream_config *cfg)
{
	if (!cfg->size)
		return true;
	l->streams = timing_take(m, 1, sizeof *l->streams);
	l->arrived = timing_take(m, (uint64_t)LANES * cfg->size, sizeof *l->arrived);
	l->stored = timing_take(m, (uint64_t)LANES * ring_size(cfg), sizeof *l->stored);
	return l->streams && l->arrived && l->stored;
}

/* Returns the device address of an element. */
static uint64_t address_of(const struct core *c, unsigned kind, uint32_t stream, uint32_t element)
{
	return c->ldst->streams->of[kind][stream].start + (uint64_t)element * c->cfg->streams.step;
}

/* Returns the requests of all streams of a kind that may be on their way. */
static uint32_t limit_of(const struct core *c, unsigned kind)
{
	const struct stream_config *cfg = &c->cfg->streams;
	return (uint32_t)((uint64_t)cfg->percent * cfg->size * c->ldst->streams->n[kind] / 100);
}

void ldst_streams_begin(struct core *c, uint32_t cta_slot)
{
	struct stream_unit *u = c->ldst->streams;
	if (!u)
		return;
	const struct exec_streams *s = exec_streams_of(c->t->exec, cta_slot);
	u->epoch++;
	memset(u->of, 0, sizeof u->of);
	memset(c->ldst->arrived, 0, (size_t)LANES * c->cfg->streams.size * sizeof *c->ldst->arrived);
	for (unsigned kind = 0; kind < EXEC_STREAM_KINDS; kind++) {
		u->n[kind] = s->n[kind];
		for (uint32_t k = 0; k < u->n[kind]; k++) {
			u->of[kind][k].start = s->start[kind][k];
			u->of[kind][k].length = exec_stream_length(s, kind);
		}
	}
}

/* ---- accesses ---- */

/* A load takes its word from the buffer, if it is there. */
static bool take_word(struct core *c, uint32_t stream)
{
	struct stream *s = &c->ldst->streams->of[READS][stream];
	uint8_t *arrived = &c->ldst->arrived[stream * c->cfg->streams.size + s->used % c->cfg->streams.size];
	if (!*arrived)
		return false;
	*arrived = 0;
	s->buffered--;
	s->used++;
	return true;
}

/* A store puts its word into the buffer, if there is room. */
static bool put_word(struct core *c, uint32_t stream, uint32_t warp)
{
	struct stream *s = &c->ldst->streams->of[WRITES][stream];
	if (s->used - s->moved >= c->cfg->streams.size)
		return false;
	c->ldst->stored[stream * ring_size(&c->cfg->streams) + s->used % ring_size(&c->cfg->streams)] = (uint16_t)warp;
	s->used++;
	core_store_sent(c, warp);
	return true;
}

enum stall_reason ldst_stream_access(struct core *c, struct inst *i)
{
	const struct mem_access *a = &c->access[i->accesses];
	if (a->is_write ? !put_word(c, a->stream, i->warp) : !take_word(c, a->stream))
		return a->is_write ? STALL_STREAM_WRITE : STALL_STREAM_READ;
	if (!a->is_write)
		i->pending--;
	ldst_next_access(c, i);
	return STALL_NONE;
}

/* ---- requests ---- */

/* Sends the request of an element. Returns false if the network has no room. */
static bool send(struct core *c, unsigned kind, uint32_t stream, uint32_t warp, uint64_t now)
{
	const uint32_t size = c->cfg->streams.request_size;
	struct stream_unit *u = c->ldst->streams;
	if (!cluster_can_inject(c->t, c->cluster, size + REQUEST_CONTROL_BYTES, kind == WRITES))
		return false;
	const uint32_t r = request_new(&c->t->requests, now);
	if (!r)
		return false;
	struct mem_request *m = request_at(&c->t->requests, r);
	m->address = address_of(c, kind, stream, u->of[kind][stream].sent);
	m->size = size;
	m->type = kind == WRITES ? GLOBAL_ACC_W : GLOBAL_ACC_R;
	m->is_write = kind == WRITES;
	m->bypasses_l1 = true;
	m->core = (uint16_t)c->id;
	m->cluster = (uint16_t)c->cluster;
	m->warp = (uint16_t)warp;
	m->stream = (uint8_t)(stream + 1);
	m->element = u->of[kind][stream].sent;
	m->epoch = u->epoch;
	cluster_inject(c, r, now);
	u->of[kind][stream].sent++;
	u->in_flight[kind]++;
	u->most_in_flight[kind] = u->in_flight[kind] > u->most_in_flight[kind] ? u->in_flight[kind] : u->most_in_flight[kind];
	u->last[kind] = stream + 1;
	return true;
}

/* Sends at most one read, of the streams in turn. */
static void send_read(struct core *c, uint64_t now)
{
	struct stream_unit *u = c->ldst->streams;
	const uint32_t size = c->cfg->streams.size;
	for (uint32_t k = 0; k < u->n[READS]; k++) {
		const uint32_t at = (u->last[READS] + k) % u->n[READS];
		const struct stream *s = &u->of[READS][at];
		if (s->buffered + u->in_flight[READS] >= size || u->in_flight[READS] >= limit_of(c, READS) || s->sent >= s->length)
			continue;
		send(c, READS, at, REQUEST_NO_WARP, now);
		return;
	}
}

/* Returns whether all threads of the block have exited. */
static bool has_exited(const struct core *c)
{
	for (uint64_t live = c->s->live; live; live &= live - 1)
		if (!c->warp[__builtin_ctzll(live)].done)
			return false;
	return true;
}

/* Moves a batch of a write stream's words to where they are sent from; at the block's end a shorter one, too. */
static void move_batch(struct core *c, struct stream *s)
{
	const uint32_t waiting = s->used - s->moved, batch = c->cfg->streams.batch;
	if (s->moved != s->sent)
		return;
	if (waiting >= batch)
		s->moved += batch;
	else if (waiting && has_exited(c))
		s->moved += waiting;
}

/* Sends at most one write, of the streams in turn. */
static void send_write(struct core *c, uint64_t now)
{
	struct stream_unit *u = c->ldst->streams;
	for (uint32_t k = 0; k < u->n[WRITES]; k++) {
		const uint32_t at = (u->last[WRITES] + k) % u->n[WRITES];
		struct stream *s = &u->of[WRITES][at];
		move_batch(c, s);
		if (u->in_flight[WRITES] >= limit_of(c, WRITES) || s->sent == s->moved || s->sent >= s->length)
			continue;
		send(c, WRITES, at, c->ldst->stored[at * ring_size(&c->cfg->streams) + s->sent % ring_size(&c->cfg->streams)], now);
		return;
	}
}

void ldst_streams_send(struct core *c, uint64_t now)
{
	send_read(c, now);
	send_write(c, now);
}

void ldst_stream_reply(struct core *c, uint32_t request)
{
	const struct mem_request *m = request_at(&c->t->requests, request);
	struct stream_unit *u = c->ldst->streams;
	u->in_flight[m->is_write ? WRITES : READS]--;
	if (!m->is_write && m->epoch == u->epoch) {
		const uint32_t k = m->stream - 1u;
		u->of[READS][k].buffered++;
		c->ldst->arrived[k * c->cfg->streams.size + m->element % c->cfg->streams.size] = 1;
	}
	if (m->is_write)
		core_store_acknowledged(c, m->warp);
	request_free(&c->t->requests, request);
}

/* ---- for observers ---- */

bool ldst_get_stream(const struct core *c, bool is_write, uint32_t k, struct stream_view *out)
{
	const struct stream_unit *u = c->ldst->streams;
	const unsigned kind = is_write ? WRITES : READS;
	if (!u || k >= u->n[kind])
		return false;
	const struct stream *s = &u->of[kind][k];
	*out = (struct stream_view){.next = address_of(c, kind, k, s->sent), .buffered = is_write ? s->used - s->sent : s->buffered, .left = s->length - s->sent,
				    .sent = s->sent, .used = s->used};
	return true;
}

uint32_t ldst_streams_in_flight(const struct core *c, bool is_write)
{
	return c->ldst->streams ? c->ldst->streams->in_flight[is_write ? WRITES : READS] : 0;
}

bool ldst_has_streams(const struct core *c) { return c->ldst->streams; }

/* ---- a state that may hold anything ---- */

bool ldst_streams_are_valid(const struct core *c)
{
	const struct stream_unit *u = c->ldst->streams;
	const struct stream_config *cfg = &c->cfg->streams;
	for (unsigned kind = 0; u && kind < EXEC_STREAM_KINDS; kind++) {
		if (u->n[kind] > LANES || u->last[kind] > LANES)
			return false;
		for (uint32_t k = 0; k < u->n[kind]; k++) {
			const struct stream *s = &u->of[kind][k];
			if (s->sent > s->length || s->buffered > cfg->size)
				return false;
			if (kind == WRITES && (s->moved < s->sent || s->used < s->moved || s->used - s->moved > cfg->size || s->moved - s->sent > cfg->batch))
				return false;
		}
	}
	return true;
}

bool ldst_stream_request_is_valid(const struct core *c, const struct mem_request *m)
{
	const struct stream_unit *u = c->ldst->streams;
	return u && m->stream <= LANES && m->bypasses_l1 && !m->inst && (m->is_write ? m->warp < c->cfg->n_warps : m->warp == REQUEST_NO_WARP) &&
	       m->type == (m->is_write ? GLOBAL_ACC_W : GLOBAL_ACC_R);
}
