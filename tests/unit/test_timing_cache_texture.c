/* Texture caches: fragment FIFO, request FIFO, reorder buffer, result FIFO. Worked out from the rules of GPGPU-Sim 3.2.2. */
#include "cache_fixture.h"

#define A UINT64_C(0x80001000)
/* 4 fragments, 3 requests, 3 in the reorder buffer, 2 results */
#define SMALL "4:128:2,L:R:m:N,F:4:3,3:2"

/* Nothing is answered at once; the tags show a line as there from the moment its miss was taken. */
static void tags_show_the_future(void **state)
{
	(void)state;
	struct rig g;
	uint32_t r;
	rig_init(&g, SMALL, CACHE_TEXTURE, REQUEST_L1);
	g.now = 9;
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, &r), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT);
	assert_int_equal(rig_state(&g, A), CACHE_VALID);
	assert_int_equal(rig_line(&g, A)->filled, 9);
	assert_int_equal(request_at(&g.q, r)->size, 128);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A + 4, &r), CACHE_HIT_RESERVED);
	assert_int_equal(g.events, 0);
	assert_int_equal(request_at(&g.q, r)->size, 4);
	assert_int_equal(rig_count(&g, TEXTURE_ACC_R, CACHE_MISS), 1);
	assert_int_equal(rig_count(&g, TEXTURE_ACC_R, CACHE_HIT_RESERVED), 1);
	assert_int_equal(rig_count(&g, TEXTURE_ACC_R, CACHE_HIT), 0);
	assert_true(cache_data_port_free(g.c));
	assert_true(cache_fill_port_free(g.c));
	rig_done(&g);
}

/* Each of the three FIFOs refuses an access when it is full, before the tags are asked; refusals are not counted. */
static void full_fifos(void **state)
{
	(void)state;
	struct rig g;
	uint32_t first;
	/* request FIFO of 2 */
	rig_init(&g, "4:128:8,L:R:m:N,F:8:2,8:2", CACHE_TEXTURE, REQUEST_L1);
	g.full = true;
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A + 128, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A + 256, NULL), CACHE_RESERVATION_FAIL);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, NULL), CACHE_RESERVATION_FAIL); /* a hit, were it asked */
	assert_int_equal(rig_count(&g, TEXTURE_ACC_R, CACHE_RESERVATION_FAIL), 0);
	assert_int_equal(cache_get_stats(g.c)->tag_accesses, 2);
	g.full = false;
	rig_cycle(&g);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, NULL), CACHE_HIT_RESERVED);
	rig_done(&g);
	/* reorder buffer of 1 */
	rig_init(&g, "4:128:8,L:R:m:N,F:8:8,1:2", CACHE_TEXTURE, REQUEST_L1);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, &first), CACHE_MISS);
	rig_cycle(&g);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A + 128, NULL), CACHE_RESERVATION_FAIL);
	cache_fill(g.c, first, g.now);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A + 128, NULL), CACHE_RESERVATION_FAIL);
	rig_cycle(&g);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A + 128, NULL), CACHE_MISS);
	rig_done(&g);
	/* fragment FIFO of 3 */
	rig_init(&g, "4:128:8,L:R:m:N,F:3:8,8:2", CACHE_TEXTURE, REQUEST_L1);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, NULL), CACHE_HIT_RESERVED);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, NULL), CACHE_HIT_RESERVED);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, NULL), CACHE_RESERVATION_FAIL);
	rig_done(&g);
}

/* Two entries: the first, of the block, has no data yet; the second, of the request, has. */
static void one_waits_one_is_ready(const struct cache *c, uint64_t block, uint32_t request)
{
	struct cache_mshr_view v;
	assert_int_equal(cache_mshr_used(c), 2);
	assert_true(cache_mshr_get(c, 0, &v));
	assert_int_equal(v.block, block);
	assert_false(v.ready);
	assert_true(cache_mshr_get(c, 1, &v));
	assert_int_equal(v.first, request);
	assert_true(v.ready);
}

/* Fragments: miss a, hit b (on a), miss c, hit d (on a). c's data come first, at cycle 4; a's at cycle 7. Results come in the order of the
 * accesses, one a cycle, while the result FIFO of 2 has room:
 *   cycle 1, 2   requests a, c go down
 *   cycle 8      a (data there since 7)          result FIFO: a
 *   cycle 9      b                               a b: full
 *   cycle 10     nothing
 *   (a taken)
 *   cycle 11     c                               b c
 *   (b taken)
 *   cycle 12     d                               c d */
static void results_come_in_order(void **state)
{
	(void)state;
	struct rig g;
	uint32_t a, b, c, d;
	rig_init(&g, SMALL, CACHE_TEXTURE, REQUEST_L1);
	rig_access(&g, TEXTURE_ACC_R, A, &a);
	rig_access(&g, TEXTURE_ACC_R, A + 8, &b);
	rig_access(&g, TEXTURE_ACC_R, A + 0x400, &c);
	rig_access(&g, TEXTURE_ACC_R, A + 16, &d);
	rig_cycles(&g, 2);
	assert_int_equal(g.n_sent, 2);
	assert_int_equal(g.sent[0], a);
	assert_int_equal(g.sent[1], c);
	assert_int_equal(g.sent_at[1], 2);
	assert_int_equal(g.asked_bytes, 8);
	assert_true(cache_waits_for(g.c, a));
	assert_false(cache_waits_for(g.c, b));
	rig_cycles(&g, 2);
	cache_fill(g.c, c, g.now);
	assert_int_equal(request_at(&g.q, c)->status, REQUEST_IN_SHADER_L1T_ROB);
	assert_false(cache_waits_for(g.c, c));
	one_waits_one_is_ready(g.c, A, c);
	rig_cycles(&g, 3);
	assert_true(cache_quiet(g.c));
	assert_false(cache_response_ready(g.c));
	assert_int_equal(g.now, 7);
	cache_fill(g.c, a, g.now);
	assert_false(cache_quiet(g.c));
	rig_cycle(&g);
	assert_true(cache_response_ready(g.c));
	rig_cycles(&g, 2);
	assert_true(cache_quiet(g.c)); /* the result FIFO is full */
	assert_int_equal(cache_next_response(g.c), a);
	assert_false(cache_quiet(g.c));
	rig_cycle(&g);
	assert_true(cache_quiet(g.c));
	assert_int_equal(cache_next_response(g.c), b);
	rig_cycle(&g);
	assert_int_equal(cache_next_response(g.c), c);
	assert_false(cache_idle(g.c));
	assert_int_equal(cache_next_response(g.c), d);
	assert_true(cache_idle(g.c));
	assert_false(cache_response_ready(g.c));
	assert_int_equal(cache_mshr_used(g.c), 0);
	rig_done(&g);
}

/* A line may be thrown out of the tags while its data are under way, and be asked for again: two misses of one block stand in the
 * reorder buffer, each with its own reply. */
static void one_block_twice(void **state)
{
	(void)state;
	struct rig g;
	uint32_t a, b, c;
	rig_init(&g, "1:128:1,L:R:m:N,F:8:8,8:8", CACHE_TEXTURE, REQUEST_L1);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, &a), CACHE_MISS);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A + 128, &b), CACHE_MISS);
	assert_int_equal(rig_access(&g, TEXTURE_ACC_R, A, &c), CACHE_MISS);
	rig_cycles(&g, 3);
	cache_fill(g.c, c, g.now);
	rig_cycles(&g, 2);
	assert_false(cache_response_ready(g.c));
	cache_fill(g.c, a, g.now);
	cache_fill(g.c, b, g.now);
	rig_cycles(&g, 3);
	assert_int_equal(cache_next_response(g.c), a);
	assert_int_equal(cache_next_response(g.c), b);
	assert_int_equal(cache_next_response(g.c), c);
	rig_done(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_show_the_future),
		cmocka_unit_test(full_fifos),
		cmocka_unit_test(results_come_in_order),
		cmocka_unit_test(one_block_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
