/* One cache with a level below that writes down what it gets, and that can be full. */
#ifndef TESTS_CACHE_FIXTURE_H
#define TESTS_CACHE_FIXTURE_H

/* cmocka wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "timing/common/address.h"
#include "timing/machines/machine.h"
#include "timing/cache/cache.h"

#define UNUSED __attribute__((unused))
#define SENT_MAX 4096

struct rig {
	struct arena arena;
	struct timing_memory memory;
	struct requests q;
	struct cache *c;
	enum request_level level;
	uint64_t now;
	bool full;		 /* the level below takes nothing */
	uint32_t sent[SENT_MAX]; /* what it got */
	uint64_t sent_at[SENT_MAX];
	unsigned n_sent;
	uint32_t asked_bytes; /* the last full() */
	bool asked_write;
	unsigned events; /* of the last access */
	uint32_t merged; /* the MSHR entry that the last read merged with, 0: none */
};

static UNUSED bool rig_full(void *self, uint32_t bytes, bool is_write)
{
	struct rig *g = self;
	g->asked_bytes = bytes;
	g->asked_write = is_write;
	return g->full;
}

static UNUSED void rig_push(void *self, uint32_t r, uint64_t now)
{
	struct rig *g = self;
	assert_in_range(g->n_sent, 0, SENT_MAX - 1);
	g->sent_at[g->n_sent] = now;
	g->sent[g->n_sent++] = r;
}

static UNUSED void rig_init(struct rig *g, const char *config, enum cache_kind kind, enum request_level level)
{
	struct cache_config cfg;
	struct text why = {0};
	memset(g, 0, sizeof *g);
	g->level = level;
	arena_init(&g->arena);
	assert_true(timing_memory_init(&g->memory, &g->arena, machine_limits_of_host()));
	assert_true(requests_init(&g->q, &g->arena, machine_limits_of_host()));
	if (!cache_config_parse(config, true, &cfg, &why) || !cache_config_fits(&cfg, kind, &why))
		fail_msg("%s", text_str(&why));
	text_free(&why);
	if (cfg.sectors)
		cfg.rules = machine_gpgpusim_42.rules;
	struct cache_lower lower = {g, rig_full, rig_push};
	g->c = cache_create(&g->memory, &g->q, &cfg, kind, level,
			    level == REQUEST_L1 ? REQUEST_IN_L1D_MISS_QUEUE : REQUEST_IN_PARTITION_L2_MISS_QUEUE,
			    &lower);
	assert_non_null(g->c);
}

static UNUSED void rig_done(struct rig *g)
{
	cache_destroy(g->c);
	arena_free(&g->arena);
}

/* A request of core 3, cluster 2, warp 5. The partition address is the address itself. */
static UNUSED uint32_t rig_request(struct rig *g, enum access_type type, uint64_t address, uint32_t size)
{
	uint32_t r = request_new(&g->q, g->now);
	struct mem_request *m = request_at(&g->q, r);
	assert_true(r);
	m->address = m->dram.partition_address = address;
	m->size = size;
	m->type = (uint8_t)type;
	m->is_write = type == GLOBAL_ACC_W || type == LOCAL_ACC_W || type == L1_WRBK_ACC || type == L2_WRBK_ACC;
	m->core = 3;
	m->cluster = 2;
	m->warp = 5;
	m->lanes = 0xff;
	return r;
}

static UNUSED enum cache_outcome rig_try(struct rig *g, uint32_t r)
{
	const enum cache_outcome outcome = cache_access(g->c, request_at(&g->q, r)->address, r, g->now, &g->events);
	g->merged = g->events >> CACHE_MERGED_SHIFT;
	g->events &= (1u << CACHE_MERGED_SHIFT) - 1;
	return outcome;
}

/* A request of `type` for 4 bytes and its access; *out: the request. */
static UNUSED enum cache_outcome rig_access(struct rig *g, enum access_type type, uint64_t address, uint32_t *out)
{
	uint32_t r = rig_request(g, type, address, 4);
	if (out)
		*out = r;
	return rig_try(g, r);
}

static UNUSED void rig_cycle(struct rig *g)
{
	g->now++;
	cache_cycle(g->c, g->now);
}

static UNUSED void rig_cycles(struct rig *g, unsigned n)
{
	while (n--)
		rig_cycle(g);
}

/* The line holding the block, NULL: none. */
static UNUSED const struct cache_line *rig_line(struct rig *g, uint64_t block)
{
	const struct cache_config *cfg = cache_get_config(g->c);
	const struct cache_line *l = cache_lines(g->c);
	for (uint32_t i = 0; i < cfg->sets * cfg->ways; i++)
		if (l[i].state != CACHE_INVALID && l[i].block == block)
			return &l[i];
	return NULL;
}
static UNUSED enum cache_line_state rig_state(struct rig *g, uint64_t block)
{
	const struct cache_line *l = rig_line(g, block);
	return l ? (enum cache_line_state)l->state : CACHE_INVALID;
}

/* Reads the block and has it filled at once; leaves nothing under way. */
static UNUSED void rig_load(struct rig *g, enum access_type type, uint64_t address)
{
	uint32_t r;
	unsigned before = g->n_sent;
	assert_int_equal(rig_access(g, type, address, &r), CACHE_MISS);
	while (cache_miss_queue_length(g->c))
		rig_cycle(g);
	assert_true(g->n_sent > before);
	cache_fill(g->c, r, g->now);
	rig_cycles(g, 8); /* longer than any fill occupies the port */
	while (cache_response_ready(g->c))
		request_free(&g->q, cache_next_response(g->c));
}

static UNUSED uint64_t rig_count(struct rig *g, enum access_type type, enum cache_outcome outcome)
{
	return cache_get_stats(g->c)->count[type][outcome];
}

#endif
