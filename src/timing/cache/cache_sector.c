/* A data cache whose lines have four sectors of 32 bytes, each with a state of its own: the L2 of GPGPU-Sim 4.2. Misses fetch one sector.
 * Writes never fetch (lazy fetch on read): a sector that was written only in part is not readable, and the first read of it fetches. */
#include "timing/common/address.h"
#include "timing/cache/cache_internal.h"

/* What a line is like as a whole. */
static bool line_has(const struct sector_line *l, enum cache_line_state state)
{
	for (unsigned k = 0; k < REQUEST_SECTORS; k++)
		if (l->state[k] == state)
			return true;
	return false;
}

static bool line_is_invalid(const struct sector_line *l)
{
	for (unsigned k = 0; k < REQUEST_SECTORS; k++)
		if (l->state[k] != CACHE_INVALID)
			return false;
	return true;
}

static void set_state(struct cache *c, uint32_t line, uint32_t sector, enum cache_line_state state)
{
	struct sector_line *l = &c->sectors[line];
	l->state[sector] = (uint8_t)state;
	if (line_has(l, CACHE_MODIFIED))
		c->lines[line].state = CACHE_MODIFIED;
	else if (line_has(l, CACHE_RESERVED))
		c->lines[line].state = CACHE_RESERVED;
	else
		c->lines[line].state = line_is_invalid(l) ? CACHE_INVALID : CACHE_VALID;
}

static void set_bit(uint8_t *bits, uint32_t sector, bool value)
{
	*bits = (uint8_t)(value ? *bits | 1u << sector : *bits & ~(1u << sector));
}

/* ---- tags ---- */
enum sector_outcome { SECTOR_HIT, SECTOR_PENDING, SECTOR_ABSENT /* the line is there */, SECTOR_NO_LINE, SECTOR_NO_ROOM };
struct sector_lookup {
	uint64_t block;
	uint32_t line, sector;
	enum sector_outcome found;
};

/* A line that may give way: one that is empty, the last of them, else the one longest unused. All sectors that are on their way hold it. */
static bool choose_victim(const struct cache *c, uint32_t first, uint32_t *victim)
{
	uint32_t invalid = UINT32_MAX, oldest = UINT32_MAX, oldest_time = 0;
	for (uint32_t i = first; i < first + c->cfg.ways; i++) {
		const struct sector_line *l = &c->sectors[i];
		const uint32_t time = cache_line_age(c, &c->lines[i]);
		if (line_has(l, CACHE_RESERVED))
			continue;
		if (line_is_invalid(l)) {
			invalid = i;
		} else if (oldest == UINT32_MAX || time < oldest_time) {
			oldest = i;
			oldest_time = time;
		}
	}
	*victim = invalid != UINT32_MAX ? invalid : oldest;
	return *victim != UINT32_MAX;
}

static enum sector_outcome state_of(const struct sector_line *l, uint32_t sector, bool is_write)
{
	switch (l->state[sector]) {
	case CACHE_RESERVED: return SECTOR_PENDING;
	case CACHE_VALID: return SECTOR_HIT;
	case CACHE_MODIFIED: return is_write || l->readable >> sector & 1 ? SECTOR_HIT : SECTOR_ABSENT;
	default: return line_is_invalid(l) ? SECTOR_NO_LINE : SECTOR_ABSENT;
	}
}

static struct sector_lookup look_up_sectors(const struct cache *c, uint64_t address, const struct mem_request *m, bool is_write)
{
	struct sector_lookup l = {.block = address & ~(uint64_t)(c->cfg.line - 1), .sector = m->sector, .found = SECTOR_NO_LINE};
	const uint32_t first = tags_set(c, l.block, m) * c->cfg.ways;
	for (uint32_t i = first; i < first + c->cfg.ways; i++) {
		if (c->lines[i].block != l.block)
			continue;
		l.line = i;
		l.found = state_of(&c->sectors[i], l.sector, is_write);
		if (l.found != SECTOR_NO_LINE)
			return l;
	}
	if (!choose_victim(c, first, &l.line))
		l.found = SECTOR_NO_ROOM;
	return l;
}

static void allocate_line(struct cache *c, const struct sector_lookup *l, uint64_t now)
{
	c->sectors[l->line] = (struct sector_line){.readable = (1u << REQUEST_SECTORS) - 1};
	tags_allocate(&c->lines[l->line], l->block, now);
	set_state(c, l->line, l->sector, CACHE_RESERVED);
}

static void allocate_sector(struct cache *c, const struct sector_lookup *l, uint64_t now)
{
	struct sector_line *s = &c->sectors[l->line];
	set_bit(&s->modified_on_fill, l->sector, s->state[l->sector] == CACHE_MODIFIED);
	set_bit(&s->readable_on_fill, l->sector, false);
	set_bit(&s->readable, l->sector, true);
	set_state(c, l->line, l->sector, CACHE_RESERVED);
	c->lines[l->line].accessed = (uint32_t)now;
}

/* Takes note of an access; returns how many bytes have to be written back for it. */
static uint32_t touch(struct cache *c, const struct sector_lookup *l, uint64_t now)
{
	struct cache_stats *stats = &c->s->stats;
	uint32_t evicted = 0;
	stats->tag_accesses++;
	switch (l->found) {
	case SECTOR_NO_LINE:
		stats->tag_misses++;
		for (unsigned k = 0; k < REQUEST_SECTORS; k++)
			if (c->sectors[l->line].state[k] == CACHE_MODIFIED)
				evicted += REQUEST_SECTOR_BYTES;
		allocate_line(c, l, now);
		break;
	case SECTOR_ABSENT:
		stats->tag_misses++;
		allocate_sector(c, l, now);
		break;
	default:
		stats->tag_pending_hits += l->found == SECTOR_PENDING;
		c->lines[l->line].accessed = (uint32_t)now;
	}
	return evicted;
}

/* ---- contents ---- */
void sector_modify(struct cache *c, uint32_t line, const struct mem_request *m)
{
	struct sector_line *s = &c->sectors[line];
	set_state(c, line, m->sector, CACHE_MODIFIED);
	s->dirty[0] |= m->bytes[0];
	s->dirty[1] |= m->bytes[1];
}

/* All bytes of the sector have been written: it can be read. */
static void note_complete(struct cache *c, const struct sector_lookup *l)
{
	struct sector_line *s = &c->sectors[l->line];
	const uint32_t bytes = (uint32_t)(s->dirty[l->sector / 2] >> l->sector % 2 * 32);
	if (bytes == UINT32_MAX)
		set_bit(&s->readable, l->sector, true);
}

void sector_fill(struct cache *c, uint32_t line, uint32_t sector, const uint64_t bytes[2])
{
	struct sector_line *s = &c->sectors[line];
	set_state(c, line, sector, s->modified_on_fill >> sector & 1 ? CACHE_MODIFIED : CACHE_VALID);
	if (s->readable_on_fill >> sector & 1)
		set_bit(&s->readable, sector, true);
	set_bit(&s->readable_on_fill, sector, false);
	if (!s->bytes_on_fill)
		return;
	s->dirty[0] |= bytes[0];
	s->dirty[1] |= bytes[1];
}

void cache_fill_by_copy(struct cache *c, uint64_t address, const struct dram_place *place, uint64_t now)
{
	const struct mem_request m = {.dram = *place, .sector = (uint8_t)(address / REQUEST_SECTOR_BYTES % REQUEST_SECTORS)};
	struct sector_lookup l = look_up_sectors(c, address, &m, true);
	if (l.found == SECTOR_NO_ROOM)
		return;
	if (l.found == SECTOR_NO_LINE)
		allocate_line(c, &l, now);
	else if (l.found == SECTOR_ABSENT)
		allocate_sector(c, &l, now);
	sector_fill(c, l.line, l.sector, m.bytes);
	c->lines[l.line].filled = (uint32_t)now;
}

/* ---- accesses ---- */
/* The write-back goes where its cause lives, whatever channel its own address has. */
static uint32_t new_sector_write_back(struct cache *c, uint64_t block, uint32_t cause, uint64_t now)
{
	const uint32_t r = cache_new_write_back(c, block, request_at(c->q, cause), now);
	if (r) {
		request_at(c->q, r)->dram.channel = request_at(c->q, cause)->dram.channel;
		request_at(c->q, r)->dram.sub_partition = request_at(c->q, cause)->dram.sub_partition;
	}
	return r;
}

static void write_back(struct cache *c, uint32_t back, uint32_t bytes, uint64_t now, unsigned *events)
{
	if (!back)
		return;
	if (!bytes) {
		request_free(c->q, back);
		return;
	}
	request_at(c->q, back)->size = bytes;
	cache_queue(c, back, now);
	*events |= CACHE_WRITE_BACK_SENT;
}

/* A write-back is made before anything changes; `back` is 0 where nothing will have to be written. False: no room. */
static bool prepare_write_back(struct cache *c, const struct sector_lookup *l, uint32_t r, uint64_t now, uint32_t *back)
{
	*back = 0;
	if (l->found != SECTOR_NO_LINE || !line_has(&c->sectors[l->line], CACHE_MODIFIED))
		return true;
	return (*back = new_sector_write_back(c, c->lines[l->line].block, r, now)) != 0;
}

static enum cache_outcome read_miss(struct cache *c, const struct sector_lookup *l, uint32_t r, uint64_t now, unsigned *events)
{
	struct mem_request *m = request_at(c->q, r);
	const uint64_t block = m->address & ~(uint64_t)(REQUEST_SECTOR_BYTES - 1);
	uint32_t back;
	if (cache_queue_full(c, 1))
		return CACHE_RESERVATION_FAIL;
	const uint32_t entry = mshrs_find(&c->mshr, block);
	if (!cache_read_fits(c, entry) || !prepare_write_back(c, l, r, now, &back))
		return CACHE_RESERVATION_FAIL;
	m = request_at(c->q, r);
	const uint32_t evicted = touch(c, l, now);
	mshrs_add(&c->mshr, c->q, entry, block, r);
	if (!entry) {
		m->saved[c->level] =
			(struct request_saved){.block = block, .line = l->line, .address = m->address, .size = m->size, .valid = true};
		m->size = REQUEST_SECTOR_BYTES;
		m->address = block;
		cache_queue(c, r, now);
		*events |= CACHE_READ_SENT;
	} else {
		*events |= entry << CACHE_MERGED_SHIFT;
	}
	write_back(c, back, evicted, now, events);
	return CACHE_MISS;
}

static enum cache_outcome read(struct cache *c, const struct sector_lookup *l, uint32_t r, uint64_t now, unsigned *events)
{
	if (l->found != SECTOR_HIT)
		return read_miss(c, l, r, now, events);
	touch(c, l, now);
	if (request_at(c->q, r)->is_atomic)
		sector_modify(c, l->line, request_at(c->q, r));
	return CACHE_HIT;
}

/* The bytes that 4.x believes a write to have. */
static unsigned written(const struct mem_request *m)
{
	return (unsigned)(__builtin_popcountll(m->bytes[0]) + __builtin_popcountll(m->bytes[1]));
}

static enum cache_outcome write_miss(struct cache *c, const struct sector_lookup *l, uint32_t r, uint64_t now, unsigned *events)
{
	uint32_t back;
	if (cache_queue_full(c, 0) || !prepare_write_back(c, l, r, now, &back))
		return CACHE_RESERVATION_FAIL;
	const struct mem_request *m = request_at(c->q, r);
	struct sector_line *s = &c->sectors[l->line];
	const uint32_t evicted = touch(c, l, now);
	const bool whole = written(m) == REQUEST_SECTOR_BYTES, pending = l->found == SECTOR_PENDING;
	sector_modify(c, l->line, m);
	if (pending) {
		set_bit(&s->modified_on_fill, l->sector, true);
		s->bytes_on_fill = true;
	}
	set_bit(&s->readable, l->sector, whole);
	if (!whole && pending)
		set_bit(&s->readable_on_fill, l->sector, true);
	note_complete(c, l);
	write_back(c, back, evicted, now, events);
	c->s->data_port += evicted / c->cfg.port;
	*events |= CACHE_WRITE_TAKEN;
	return CACHE_MISS;
}

static enum cache_outcome write(struct cache *c, const struct sector_lookup *l, uint32_t r, uint64_t now, unsigned *events)
{
	if (l->found != SECTOR_HIT)
		return write_miss(c, l, r, now, events);
	touch(c, l, now);
	sector_modify(c, l->line, request_at(c->q, r));
	note_complete(c, l);
	return CACHE_HIT;
}

enum cache_outcome sector_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events)
{
	static const enum cache_outcome counted[] = {[SECTOR_HIT] = CACHE_HIT, [SECTOR_PENDING] = CACHE_HIT_RESERVED, [SECTOR_ABSENT] = CACHE_MISS,
						     [SECTOR_NO_LINE] = CACHE_MISS, [SECTOR_NO_ROOM] = CACHE_RESERVATION_FAIL};
	struct mem_request *m = request_at(c->q, r);
	const struct sector_lookup l = look_up_sectors(c, address, m, m->is_write);
	enum cache_outcome outcome = CACHE_RESERVATION_FAIL;
	const uint32_t size = m->size;
	if (l.found != SECTOR_NO_ROOM)
		outcome = m->is_write ? write(c, &l, r, now, events) : read(c, &l, r, now, events);
	if (outcome == CACHE_HIT)
		c->s->data_port += (size + c->cfg.port - 1) / c->cfg.port;
	cache_count(c, request_at(c->q, r), counted[l.found], outcome);
	return outcome;
}
