/* What holds for every cache under any load: nothing is lost or answered twice, counts add up, lines and MSHR entries are consistent, skipping
 * idle cycles changes nothing, a failed access leaves no trace; and a cache that answers at once hits exactly when the textbook says so. */
#include "cache_fixture.h"
#include "timing/cache/cache_internal.h"

#define STEPS 20000u
#define BLOCKS 24u

static const struct {
	const char *config;
	enum cache_kind kind;
	enum request_level level;
} machines[] = {
	{"4:128:4,L:R:f:N,A:2:32,4", CACHE_READ_ONLY, REQUEST_L1},
	{"2:64:2,F:R:m:N,A:3:2,2", CACHE_READ_ONLY, REQUEST_L1},
	{"2:128:2,L:L:m:N,A:4:3,4", CACHE_DATA, REQUEST_L1},
	{"4:128:2,L:L:m:W,A:4:3,6", CACHE_DATA, REQUEST_L1},
	{"2:128:3,F:B:m:N,A:32:8,8", CACHE_DATA, REQUEST_L2},
	{"4:128:2,L:B:m:W,A:8:4,4:0,32", CACHE_DATA, REQUEST_L2},
	{"2:128:2,L:T:m:N,A:4:4,2", CACHE_DATA, REQUEST_L1},
	{"2:128:2,L:T:f:W,A:4:4,5", CACHE_DATA, REQUEST_L1},
	{"1:128:4,L:E:m:N,A:8:2,3:0,16", CACHE_DATA, REQUEST_L1},
	{"N:32:128:1,L:L:m:N:H,S:64:8,8", CACHE_DATA, REQUEST_L1},
	{"4:128:2,L:R:m:N,F:6:2,4:2", CACHE_TEXTURE, REQUEST_L1},
};

/* splitmix64 */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

struct load {
	struct rig g;
	enum cache_kind kind;
	uint64_t seed;
	bool skip;	      /* leave quiet cycles out */
	uint32_t waiting;     /* refused, tried again every cycle */
	unsigned seen;	      /* of g.sent */
	uint32_t below[4096]; /* reads the level below has */
	unsigned n_below;
	uint64_t foretold, attempts, accepted, hits, writes_sent, responses, created_writes;
};

static enum access_type pick_type(struct load *l)
{
	static const enum access_type data[] = {GLOBAL_ACC_R, GLOBAL_ACC_R, LOCAL_ACC_R, GLOBAL_ACC_W, LOCAL_ACC_W};
	if (l->kind == CACHE_DATA)
		return data[next(&l->seed) % 5];
	return l->kind == CACHE_TEXTURE ? TEXTURE_ACC_R : INST_ACC_R;
}

static uint32_t new_request(struct load *l)
{
	uint64_t address = 0x80000000 + (next(&l->seed) % BLOCKS) * 128 + next(&l->seed) % 16 * 4;
	uint32_t r = rig_request(&l->g, pick_type(l), address, (uint32_t)(4 << next(&l->seed) % 4));
	struct mem_request *m = request_at(&l->g.q, r);
	m->is_atomic = l->kind == CACHE_DATA && cache_get_config(l->g.c)->alloc == CACHE_ON_MISS &&
		       m->type == GLOBAL_ACC_R && next(&l->seed) % 8 == 0;
	return r;
}

/* Everything but counters, and the note that it failed: what an access that fails must leave alone. */
static uint64_t trace_of(struct rig *g)
{
	struct cache_stats *stats = (struct cache_stats *)(uintptr_t)cache_get_stats(g->c), kept = *stats;
	const bool refused = g->c->s->refused;
	memset(stats, 0, sizeof *stats);
	g->c->s->refused = false;
	uint64_t digest = arena_digest(&g->arena);
	*stats = kept;
	g->c->s->refused = refused;
	return digest;
}

static void access_once(struct load *l)
{
	struct rig *g = &l->g;
	uint32_t r = l->waiting ? l->waiting : new_request(l);
	bool check = next(&l->seed) % 16 == 0;
	uint64_t before = check ? trace_of(g) : 0;
	uint64_t taken = g->q.s->next_uid;
	const bool refuses = g->c->s->refused;
	const struct mem_request *m = request_at(&g->q, r);
	const char *refusal = cache_refusal(g->c, m->address, (enum access_type)m->type, m->is_write, m);
	enum cache_outcome o = rig_try(g, r);
	assert_true((refusal != NULL) == (o == CACHE_RESERVATION_FAIL)); /* what those who look are told */
	if (refuses && l->waiting) { /* the cache had said so of this very access */
		assert_int_equal(o, CACHE_RESERVATION_FAIL);
		l->foretold++;
	}
	l->attempts++;
	l->waiting = o == CACHE_RESERVATION_FAIL ? r : 0;
	if (o == CACHE_RESERVATION_FAIL) {
		assert_int_equal(g->events, 0);
		assert_int_equal(g->q.s->next_uid, taken);
		if (check)
			assert_true(trace_of(g) == before);
		return;
	}
	assert_true(l->kind == CACHE_TEXTURE ? o != CACHE_HIT : o != CACHE_HIT_RESERVED);
	l->accepted++;
	l->writes_sent += (g->events & CACHE_WRITE_SENT) != 0;
	if (o == CACHE_HIT) {
		l->hits++;
		if (!(g->events & CACHE_WRITE_SENT))
			request_free(&g->q, r);
	}
}

/* Takes what was sent: writes are done, reads wait for their reply. */
static void below_takes(struct load *l)
{
	for (; l->seen < l->g.n_sent; l->seen++) {
		uint32_t r = l->g.sent[l->seen];
		if (request_at(&l->g.q, r)->is_write) {
			assert_false(cache_waits_for(l->g.c, r));
			l->created_writes += request_at(&l->g.q, r)->type >= L1_WRBK_ACC;
			request_free(&l->g.q, r);
		} else {
			assert_true(cache_waits_for(l->g.c, r));
			l->below[l->n_below++] = r;
		}
	}
	if (l->seen > SENT_MAX / 2)
		l->seen = l->g.n_sent = 0;
}

static void below_replies(struct load *l)
{
	if (!l->n_below || !cache_fill_port_free(l->g.c) || next(&l->seed) % 6)
		return;
	unsigned k = (unsigned)(next(&l->seed) % l->n_below);
	uint32_t r = l->below[k];
	l->below[k] = l->below[--l->n_below];
	cache_fill(l->g.c, r, l->g.now);
	assert_false(cache_waits_for(l->g.c, r));
}

static void take_response(struct load *l)
{
	if (!cache_response_ready(l->g.c) || next(&l->seed) % 3 == 0)
		return;
	uint32_t r = cache_next_response(l->g.c);
	assert_true(request_at(&l->g.q, r)->status != REQUEST_MEM_FETCH_DELETED);
	l->responses += request_at(&l->g.q, r)->type < L1_WR_ALLOC_R;
	request_free(&l->g.q, r);
}

/* No block twice in a set, and no MSHR entry over its limits. */
static void check_shape(struct rig *g)
{
	const struct cache_config *cfg = cache_get_config(g->c);
	const struct cache_line *at = cache_lines(g->c);
	struct cache_mshr_view v;
	for (uint32_t i = 0; i < cfg->sets * cfg->ways; i++)
		for (uint32_t k = i - i % cfg->ways; k < i; k++)
			assert_true(at[i].state == CACHE_INVALID || at[k].state == CACHE_INVALID ||
				    at[i].block != at[k].block);
	if (cfg->mshr_kind == CACHE_MSHR_TEX_FIFO)
		return;
	assert_in_range(cache_mshr_used(g->c), 0, cfg->mshr_entries);
	for (uint32_t i = 0; cache_mshr_get(g->c, i, &v); i++) {
		uint32_t n = 0;
		for (uint32_t r = v.first; r; r = request_at(&g->q, r)->mshr_next[g->level], n++)
			assert_true(request_at(&g->q, r)->address / cfg->line == v.block / cfg->line);
		assert_int_equal(n, v.n_merged);
		assert_in_range(n, 1, cfg->mshr_merge);
	}
	assert_in_range(cache_miss_queue_length(g->c), 0, cfg->miss_queue);
}

static void one_cycle(struct load *l)
{
	struct rig *g = &l->g;
	g->now++;
	if (l->skip && cache_quiet(g->c))
		cache_skip(g->c, 1);
	else
		cache_cycle(g->c, g->now);
}

static void step(struct load *l, bool access)
{
	struct rig *g = &l->g;
	g->full = next(&l->seed) % 4 == 0;
	below_replies(l);
	one_cycle(l);
	below_takes(l);
	take_response(l);
	if (access && cache_data_port_free(g->c) && (l->waiting || next(&l->seed) % 3))
		access_once(l);
}

static void start(struct load *l, size_t machine, bool skip)
{
	memset(l, 0, sizeof *l);
	rig_init(&l->g, machines[machine].config, machines[machine].kind, machines[machine].level);
	l->kind = machines[machine].kind;
	l->seed = machine * 1000;
	l->skip = skip;
}

static void nothing_is_lost(void **state)
{
	(void)state;
	static struct load l;
	uint64_t foretold = 0;
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
		start(&l, i, false);
		for (unsigned k = 0; k < STEPS; k++) {
			step(&l, true);
			if (k % 64 == 0)
				check_shape(&l.g);
		}
		for (unsigned k = 0; k < 2000; k++)
			step(&l, l.waiting != 0);
		assert_int_equal(l.waiting, 0);
		assert_true(cache_idle(l.g.c));
		assert_int_equal(l.n_below, 0);
		assert_int_equal(l.g.q.s->n_live, 0);
		/* every request came back once: as a hit, as a response, or as a write that went down */
		uint64_t hits_sent = 0, count[CACHE_OUTCOMES] = {0}, writes = 0;
		const struct cache_stats *s = cache_get_stats(l.g.c);
		for (unsigned t = 0; t < ACCESS_TYPE_COUNT; t++)
			for (unsigned o = 0; o < CACHE_OUTCOMES; o++)
				count[o] += s->count[t][o];
		for (unsigned o = 0; o < CACHE_RESERVATION_FAIL; o++)
			writes += s->count[GLOBAL_ACC_W][o] + s->count[LOCAL_ACC_W][o];
		assert_int_equal(count[CACHE_HIT] + count[CACHE_HIT_RESERVED] + count[CACHE_MISS], l.accepted);
		assert_int_equal(count[CACHE_HIT], l.hits);
		if (l.kind != CACHE_TEXTURE)
			assert_int_equal(count[CACHE_RESERVATION_FAIL], l.attempts - l.accepted);
		uint64_t reads = l.accepted - writes;
		uint64_t read_hits = s->count[GLOBAL_ACC_R][CACHE_HIT] + s->count[LOCAL_ACC_R][CACHE_HIT] +
				     s->count[INST_ACC_R][CACHE_HIT];
		assert_int_equal(l.responses, reads - read_hits);
		assert_true(l.attempts > STEPS / 10 && l.accepted > STEPS / 100);
		foretold += l.foretold;
		hits_sent = writes - l.writes_sent;
		assert_true(hits_sent <= count[CACHE_HIT]);
		/* write-backs only where lines may be dirty and the level below lacks them */
		enum cache_write w = cache_get_config(l.g.c)->write;
		bool dirty = w == CACHE_WRITE_BACK || (w == CACHE_LOCAL_WB_GLOBAL_WT) || w == CACHE_WRITE_EVICT;
		assert_true(dirty || !l.created_writes);
		if (w == CACHE_WRITE_BACK)
			assert_true(l.created_writes > 0);
		rig_done(&l.g);
	}
	assert_true(foretold > STEPS / 10);
}

/* Two runs agree to the last byte, and so does one that skips the cycles in which the cache says it is quiet. */
static void skipping_changes_nothing(void **state)
{
	(void)state;
	static struct load a, b, c;
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
		start(&a, i, false);
		start(&b, i, false);
		start(&c, i, true);
		for (unsigned k = 0; k < STEPS; k++) {
			bool access = k / 500 % 2 == 0;
			step(&a, access);
			step(&b, access);
			step(&c, access);
			if (k % 1000)
				continue;
			assert_true(arena_digest(&a.g.arena) == arena_digest(&b.g.arena));
			assert_true(arena_digest(&a.g.arena) == arena_digest(&c.g.arena));
		}
		rig_done(&a.g);
		rig_done(&b.g);
		rig_done(&c.g);
	}
}

/* Restoring the arena's bytes restores the cache: the view holds no state of its own. */
static void state_is_all_in_the_arena(void **state)
{
	(void)state;
	static struct load l, kept;
	static char saved[1 << 20], requests[1 << 20];
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
		start(&l, i, false);
		for (unsigned k = 0; k < 3000; k++)
			step(&l, true);
		const struct arena_section *t = &l.g.arena.section[l.g.memory.section];
		const struct arena_section *q = &l.g.arena.section[l.g.q.section];
		assert_true(t->used <= sizeof saved && q->used <= sizeof requests);
		uint64_t q_used = q->used;
		memcpy(saved, t->base, t->used);
		memcpy(requests, q->base, q->used);
		kept = l;
		for (unsigned k = 0; k < 1000; k++)
			step(&l, true);
		uint64_t digest = arena_digest(&l.g.arena), now_used = q->used;
		memcpy(t->base, saved, t->used);
		memcpy(q->base, requests, q_used);
		memset(q->base + q_used, 0, now_used - q_used);
		struct arena arena = l.g.arena;
		l = kept;
		l.g.arena = arena;
		for (unsigned k = 0; k < 1000; k++)
			step(&l, true);
		assert_true(arena_digest(&l.g.arena) == digest);
		rig_done(&l.g);
	}
}

/* ---- the textbook ---- */
/* With every miss filled at once an LRU set of w ways hits exactly when fewer than w other blocks of the set were used since the block's
 * last use (stack distance); a FIFO set, when fewer than w blocks entered since it did. */
static void stack_distance(const char *config, bool fifo)
{
	enum { N_BLOCKS = 40 };
	struct rig g;
	uint64_t seed = 7, order[N_BLOCKS] = {0}, tick = 1;
	rig_init(&g, config, CACHE_DATA, REQUEST_L1);
	const struct cache_config *cfg = cache_get_config(g.c);
	for (unsigned k = 0; k < 4000; k++) {
		unsigned b = (unsigned)(next(&seed) % N_BLOCKS), newer = 0;
		uint32_t r;
		for (unsigned i = 0; i < N_BLOCKS; i++)
			newer += i % cfg->sets == b % cfg->sets && order[i] > order[b];
		bool hit = order[b] && newer < cfg->ways;
		assert_int_equal(rig_access(&g, GLOBAL_ACC_R, (uint64_t)b * cfg->line, &r),
				 hit ? CACHE_HIT : CACHE_MISS);
		if (!hit || !fifo)
			order[b] = tick++;
		if (hit) {
			request_free(&g.q, r);
		} else {
			rig_cycle(&g);
			cache_fill(g.c, r, g.now);
			request_free(&g.q, cache_next_response(g.c));
		}
		rig_cycles(&g, 5);
		g.n_sent = 0;
	}
	rig_done(&g);
}

static void textbook_replacement(void **state)
{
	(void)state;
	static const char *const shapes[] = {"1:128:8,?:B:m:N,A:8:8,8", "4:128:4,?:B:m:N,A:8:8,8",
					     "8:32:2,?:L:f:N,A:8:8,8", "32:64:1,?:E:m:N,A:8:8,8"};
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		char s[64];
		strcpy(s, shapes[i]);
		*strchr(s, '?') = 'L';
		stack_distance(s, false);
		strcpy(s, shapes[i]);
		*strchr(s, '?') = 'F';
		stack_distance(s, true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(skipping_changes_nothing),
		cmocka_unit_test(state_is_all_in_the_arena),
		cmocka_unit_test(textbook_replacement),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
