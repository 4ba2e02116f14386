/* The tag array: which line an address has, which line gives way. GPGPU-Sim manual "Caches", behaviour of 3.2.2. */
#include "timing/cache/cache_internal.h"

/* The hash of a Fermi L1 (Nugteren et al., HPCA 2014): five index bits xor address bits 13, 14, 15, 17 and 19; with 64 sets address
 * bit 12 on top. */
uint32_t cache_fermi_set(const struct cache *c, uint64_t address)
{
	uint32_t low = (uint32_t)(address >> c->line_shift) & 0x1f, a = (uint32_t)address;
	uint32_t high = (a >> 13 & 7) | (a >> 17 & 1) << 3 | (a >> 19 & 1) << 4;
	return (low ^ high) | (c->cfg.sets == 64 ? (a >> 12 & 1) << 5 : 0);
}

uint32_t cache_linear_set(const struct cache *c, uint64_t address) { return (uint32_t)(address >> c->line_shift) & (c->cfg.sets - 1); }

const struct cache_set_rule cache_set_rules[] = {
#define SET_INDEX(kind, ...) [CACHE_SETS_##kind] = {__VA_ARGS__},
#include "timing/cache/policies.def"
};

/* A request's partition address has its block's set: leaving bits out keeps those of the line offset below the others, and dividing by a
 * number of channels never changes its result inside an aligned block. So the place decoded for the request serves. */
uint32_t tags_set(const struct cache *c, uint64_t block, const struct mem_request *m)
{
	uint64_t address = c->level == REQUEST_L2 ? m->dram.partition_address : block;
	return cache_set_rules[c->cfg.set_index].set(c, address);
}

void tags_find(const struct cache *c, uint32_t set, struct cache_lookup *l)
{
	const struct cache_line *line = &c->lines[set * c->cfg.ways];
	for (uint32_t way = 0; way < c->cfg.ways; way++) {
		if (line[way].block != l->block || line[way].state == CACHE_INVALID)
			continue;
		l->line = set * c->cfg.ways + way;
		l->found = line[way].state == CACHE_RESERVED ? CACHE_HIT_RESERVED : CACHE_HIT;
		return;
	}
	l->line = set * c->cfg.ways;
	l->found = CACHE_MISS;
}

/* The last of the invalid ways, else the one longest unused (FIFO: longest there), of equals the first. */
bool tags_choose_victim(const struct cache *c, struct cache_lookup *l)
{
	uint32_t invalid = UINT32_MAX, oldest = UINT32_MAX, oldest_time = 0;
	for (uint32_t i = l->line; i < l->line + c->cfg.ways; i++) {
		const struct cache_line *line = &c->lines[i];
		uint32_t time = cache_line_age(c, line);
		if (line->state == CACHE_INVALID)
			invalid = i;
		if (line->state >= CACHE_VALID && (oldest == UINT32_MAX || time < oldest_time)) {
			oldest = i;
			oldest_time = time;
		}
	}
	l->line = invalid != UINT32_MAX ? invalid : oldest;
	return l->line != UINT32_MAX;
}

void tags_allocate(struct cache_line *line, uint64_t block, uint64_t now)
{
	*line = (struct cache_line){
		.block = block, .state = CACHE_RESERVED, .allocated = (uint32_t)now, .accessed = (uint32_t)now};
}

void tags_access(struct cache *c, const struct cache_lookup *l, uint64_t now)
{
	struct cache_stats *stats = &c->s->stats;
	stats->tag_accesses++;
	if (l->found == CACHE_MISS) {
		stats->tag_misses++;
		if (c->cfg.alloc == CACHE_ON_MISS)
			tags_allocate(&c->lines[l->line], l->block, now);
		return;
	}
	stats->tag_pending_hits += l->found == CACHE_HIT_RESERVED;
	c->lines[l->line].accessed = (uint32_t)now;
}

bool tags_evicts_dirty(const struct cache *c, const struct cache_lookup *l)
{
	return l->found == CACHE_MISS && c->cfg.alloc == CACHE_ON_MISS && cache_write_rules[c->cfg.write].dirty &&
	       c->lines[l->line].state == CACHE_MODIFIED;
}
