/* What one access does, by kind and policy: GPGPU-Sim 3.2.2's read-only and data caches. Every case first makes sure of all the room it
 * may need, so that an access that fails has changed nothing. */
#include <assert.h>

#include "timing/common/address.h"
#include "timing/cache/cache_internal.h"

/* For want of room in the cache itself (not of a request for a write-back or for a line): so it stays until the miss queue moves, a line is
 * filled, a response leaves or another access is made. */
static enum cache_outcome refuse(struct cache *c)
{
	c->s->refused = true;
	return CACHE_RESERVATION_FAIL;
}

/* The miss queue lacks room for n + 1 more. */
bool cache_queue_full(const struct cache *c, uint32_t n) { return c->miss->n + n >= c->miss->cap; }

void cache_queue(struct cache *c, uint32_t r, uint64_t now)
{
	fifo_push(c->miss, r);
	request_set_status(c->q, r, c->miss_status, now);
}

/* ---- requests a cache makes itself ---- */
/* The write-back of a whole line, 0: no room. What an L2 writes back belongs to no core. */
uint32_t cache_new_write_back(struct cache *c, uint64_t block, const struct mem_request *cause, uint64_t now)
{
	uint16_t core = cause->core, cluster = cause->cluster;
	uint32_t r = request_new(c->q, now);
	if (!r)
		return 0;
	struct mem_request *m = request_at(c->q, r);
	m->address = block;
	m->size = c->cfg.line;
	m->is_write = true;
	m->type = c->level == REQUEST_L1 ? L1_WRBK_ACC : L2_WRBK_ACC;
	m->bytes[0] = m->bytes[1] = UINT64_MAX;
	m->core = c->level == REQUEST_L1 ? core : REQUEST_NO_CORE;
	m->cluster = c->level == REQUEST_L1 ? cluster : REQUEST_NO_CORE;
	if (c->map)
		address_decode(c->map, block, &m->dram);
	return r;
}

/* The read that fetches the line a write missed. */
static uint32_t new_allocate_read(struct cache *c, const struct mem_request *write, uint64_t now)
{
	uint32_t r = request_new(c->q, now);
	if (!r)
		return 0;
	struct mem_request *m = request_at(c->q, r);
	m->address = write->address;
	m->dram = write->dram;
	m->size = write->size;
	m->lanes = write->lanes;
	m->core = write->core;
	m->cluster = write->cluster;
	m->warp = write->warp;
	m->type = c->level == REQUEST_L1 ? L1_WR_ALLOC_R : L2_WR_ALLOC_R;
	return r;
}

/* ---- reads that miss ---- */
/* Room for one more read of the line: in its MSHR entry, or in a new one and the miss queue. */
bool cache_read_fits(const struct cache *c, uint32_t entry)
{
	return mshrs_room(&c->mshr, entry) && (entry || c->miss->n < c->miss->cap);
}

/* Sends the read of a line, or lets it wait with others for the one that is under way. */
static void read_line(struct cache *c, const struct cache_lookup *l, uint32_t entry, uint32_t r, uint64_t now)
{
	struct mem_request *m = request_at(c->q, r);
	tags_access(c, l, now);
	mshrs_add(&c->mshr, c->q, entry, l->block, r);
	if (entry)
		return;
	m->saved[c->level] = (struct request_saved){.block = l->block, .line = l->line, .address = m->address, .size = m->size, .valid = true};
	if (c->cfg.rules.asks_for_line)
		m->address = l->block;
	m->size = c->cfg.line;
	cache_queue(c, r, now);
}

static enum cache_outcome read_miss(struct cache *c, struct cache_lookup *l, uint32_t r, uint64_t now, unsigned *events)
{
	uint32_t entry, back = 0;
	if (cache_queue_full(c, 1))
		return refuse(c);
	entry = mshrs_find(&c->mshr, l->block);
	if (!cache_read_fits(c, entry) || !tags_have_line(c, l))
		return refuse(c);
	bool dirty = tags_evicts_dirty(c, l);
	if (dirty && !(back = cache_new_write_back(c, c->lines[l->line].block, request_at(c->q, r), now)))
		return CACHE_RESERVATION_FAIL;
	read_line(c, l, entry, r, now);
	*events |= entry ? entry << CACHE_MERGED_SHIFT : CACHE_READ_SENT;
	if (dirty) {
		cache_queue(c, back, now);
		*events |= CACHE_WRITE_BACK_SENT;
	}
	return CACHE_MISS;
}

static enum cache_outcome read_hit(struct cache *c, const struct cache_lookup *l, const struct mem_request *m,
				   uint64_t now)
{
	tags_access(c, l, now);
	if (m->is_atomic)
		c->lines[l->line].state = CACHE_MODIFIED;
	return CACHE_HIT;
}

/* ---- writes ---- */
static void send_write(struct cache *c, uint32_t r, uint64_t now, unsigned *events)
{
	cache_queue(c, r, now);
	*events |= CACHE_WRITE_SENT;
}

const struct cache_write_rule cache_write_rules[] = {
#define WRITE(kind, ...) [CACHE_##kind] = {__VA_ARGS__},
#include "timing/cache/policies.def"
};
const struct cache_write_miss_rule cache_write_miss_rules[] = {
#define WRITE_MISS(kind, ...) [CACHE_##kind] = {__VA_ARGS__},
#include "timing/cache/policies.def"
};

static enum cache_outcome write_hit(struct cache *c, const struct cache_lookup *l, uint32_t r, uint64_t now,
				    unsigned *events)
{
	const enum cache_write_hit does = cache_on_write_hit(c, request_at(c->q, r)->type == GLOBAL_ACC_W);
	if (does != WRITE_STAYS) {
		if (cache_queue_full(c, 0))
			return refuse(c);
		send_write(c, r, now, events);
	}
	if (does == WRITE_EVICTS) {
		c->lines[l->line].state = CACHE_INVALID;
		return CACHE_HIT;
	}
	tags_access(c, l, now);
	c->lines[l->line].state = CACHE_MODIFIED;
	return CACHE_HIT;
}

/* Up to three requests: the write itself, the read of its line, the write-back of the line that gives way. The last is not
 * reported as an event and so takes no time of the data port, as in GPGPU-Sim 3.2.2. */
enum cache_outcome cache_write_allocate(struct cache *c, struct cache_lookup *l, uint32_t r, uint64_t now, unsigned *events)
{
	uint32_t entry, read, back = 0;
	if (cache_queue_full(c, 2))
		return refuse(c);
	entry = mshrs_find(&c->mshr, l->block);
	if (!cache_read_fits(c, entry) || !tags_have_line(c, l))
		return refuse(c);
	if (!(read = new_allocate_read(c, request_at(c->q, r), now)))
		return CACHE_RESERVATION_FAIL;
	bool dirty = tags_evicts_dirty(c, l);
	if (dirty && !(back = cache_new_write_back(c, c->lines[l->line].block, request_at(c->q, r), now))) {
		request_free(c->q, read);
		return CACHE_RESERVATION_FAIL;
	}
	send_write(c, r, now, events);
	read_line(c, l, entry, read, now);
	if (dirty)
		cache_queue(c, back, now);
	return CACHE_MISS;
}

/* Nothing but the write goes down. */
enum cache_outcome cache_write_around(struct cache *c, struct cache_lookup *l, uint32_t r, uint64_t now, unsigned *events)
{
	if (cache_queue_full(c, 0) || (!c->cfg.rules.write_miss_needs_no_line && !tags_have_line(c, l)))
		return refuse(c);
	send_write(c, r, now, events);
	return CACHE_MISS;
}

/* ---- the kinds ---- */
static enum cache_outcome read_only_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now,
					   unsigned *events)
{
	struct mem_request *m = request_at(c->q, r);
	struct cache_lookup l = cache_look(c, address, m);
	enum cache_outcome outcome = CACHE_RESERVATION_FAIL;
	if (l.found == CACHE_HIT) {
		tags_access(c, &l, now);
		outcome = CACHE_HIT;
	} else {
		uint32_t entry = mshrs_find(&c->mshr, l.block);
		if (!cache_queue_full(c, 0) && cache_read_fits(c, entry) && tags_have_line(c, &l)) {
			read_line(c, &l, entry, r, now);
			*events |= entry ? entry << CACHE_MERGED_SHIFT : CACHE_READ_SENT;
			outcome = CACHE_MISS;
		}
	}
	cache_count(c, m, l.found, outcome);
	return outcome;
}

bool cache_refuses_again(struct cache *c, enum access_type type)
{
	if (c->s->refused)
		c->s->stats.count[type][CACHE_RESERVATION_FAIL]++;
	return c->s->refused;
}

bool cache_is_refusing(const struct cache *c) { return c->s->refused; }
void cache_count_refused(struct cache *c, enum access_type type, uint64_t n) { c->s->stats.count[type][CACHE_RESERVATION_FAIL] += n; }

bool cache_read_hit(struct cache *c, uint64_t address, enum access_type type, uint64_t now)
{
	assert(c->kind == CACHE_READ_ONLY && c->level == REQUEST_L1 && "its sets follow from the address alone");
	struct cache_lookup l = {.block = address >> c->line_shift << c->line_shift, .line = c->s->last_hit, .found = CACHE_HIT};
	const struct cache_line *last = &c->lines[l.line];
	if (last->block != l.block || last->state == CACHE_INVALID || last->state == CACHE_RESERVED) {
		l = cache_look(c, address, NULL);
		if (l.found != CACHE_HIT)
			return false;
		c->s->last_hit = l.line;
	}
	tags_access(c, &l, now);
	c->s->stats.count[type][CACHE_HIT]++;
	return true;
}

/* The data array is read or written for hits, and to read a line that is written back. */
static void use_data_port(struct cache *c, uint32_t size, enum cache_outcome outcome, unsigned events)
{
	if (outcome == CACHE_HIT)
		c->s->data_port += (size + c->cfg.port - 1) / c->cfg.port;
	else if (outcome == CACHE_MISS && events & CACHE_WRITE_BACK_SENT)
		c->s->data_port += c->cfg.line / c->cfg.port;
}

static enum cache_outcome data_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events)
{
	struct mem_request *m = request_at(c->q, r);
	struct cache_lookup l = cache_look(c, address, m);
	enum cache_outcome outcome;
	if (l.found == CACHE_HIT)
		outcome = m->is_write ? write_hit(c, &l, r, now, events) : read_hit(c, &l, m, now);
	else
		outcome = m->is_write ? cache_write_miss_rules[c->cfg.write_alloc].miss(c, &l, r, now, events) : read_miss(c, &l, r, now, events);
	use_data_port(c, m->size, outcome, *events);
	cache_count(c, m, l.found, outcome);
	return outcome;
}

enum cache_outcome cache_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events)
{
	*events = 0;
	c->s->refused = false;
	switch (c->kind) {
	case CACHE_READ_ONLY: return read_only_access(c, address, r, now, events);
	case CACHE_DATA:
		if (c->sectors)
			return sector_access(c, address, r, now, events);
		return data_access(c, address, r, now, events);
	case CACHE_TEXTURE: break;
	}
	return texture_access(c, address, r, now, events);
}
