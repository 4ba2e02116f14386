/* A cache of sectors (GPGPU-Sim 4.2's L2): states of sectors, lazy fetch on read, write-backs of what is modified, host copies. Every
 * expectation follows from the rules in cache_sector.c's head, worked out beside it. */
#include "cache_fixture.h"

/* one set of two lines: the third line of the set pushes one out. 4 MSHRs that merge 2, 8 misses in the queue, a 32-byte port */
#define SMALL "S:1:128:2,L:B:m:L:L,A:4:2,8:0,32"
#define LINE(k) (UINT64_C(0x80000000) + UINT64_C(128) * (k))

static uint32_t sector_request(struct rig *g, enum access_type type, uint64_t address, uint32_t bytes)
{
	const uint32_t r = rig_request(g, type, address, 32);
	struct mem_request *m = request_at(&g->q, r);
	m->sector = (uint8_t)(address / 32 % 4);
	for (uint64_t b = address % 128; b < address % 128 + bytes; b++)
		m->bytes[b / 64] |= UINT64_C(1) << b % 64;
	return r;
}

static enum cache_outcome read(struct rig *g, uint64_t address) { return rig_try(g, sector_request(g, GLOBAL_ACC_R, address, 0)); }
static enum cache_outcome write(struct rig *g, uint64_t address, uint32_t bytes)
{
	return rig_try(g, sector_request(g, GLOBAL_ACC_W, address, bytes));
}

/* Lets everything go down and fills what was sent from `first` on, if it was a read. */
static void answer(struct rig *g, unsigned first)
{
	rig_cycles(g, 10);
	for (unsigned k = first; k < g->n_sent; k++)
		if (!request_at(&g->q, g->sent[k])->is_write)
			cache_fill(g->c, g->sent[k], g->now);
	while (cache_response_ready(g->c))
		cache_next_response(g->c);
	rig_cycles(g, 10);
}

static void a_miss_fetches_one_sector(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	assert_int_equal(read(&g, LINE(0) + 32), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT);
	rig_cycle(&g);
	assert_int_equal(g.n_sent, 1);
	assert_int_equal(request_at(&g.q, g.sent[0])->address, LINE(0) + 32);
	assert_int_equal(request_at(&g.q, g.sent[0])->size, 32);
	/* the same sector again: merged, nothing sent; a third time there is no room; another sector of the line is a miss of its own */
	assert_int_equal(read(&g, LINE(0) + 32), CACHE_MISS);
	assert_int_equal(g.events, 0);
	assert_int_equal(read(&g, LINE(0) + 32), CACHE_RESERVATION_FAIL);
	assert_int_equal(read(&g, LINE(0)), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT);
	answer(&g, 0);
	assert_int_equal(read(&g, LINE(0)), CACHE_HIT);
	assert_int_equal(read(&g, LINE(0) + 32), CACHE_HIT);
	assert_int_equal(read(&g, LINE(0) + 64), CACHE_MISS);
	rig_done(&g);
}

static void a_write_fetches_nothing(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	assert_int_equal(write(&g, LINE(0), 32), CACHE_MISS);
	assert_int_equal(g.events, CACHE_WRITE_TAKEN);
	assert_int_equal(read(&g, LINE(0)), CACHE_HIT); /* all of it was written */
	assert_int_equal(write(&g, LINE(0), 4), CACHE_HIT);
	rig_cycles(&g, 10);
	assert_int_equal(g.n_sent, 0);
	assert_int_equal(cache_lines(g.c)[1].state, CACHE_MODIFIED);
	rig_done(&g);
}

/* 16 bytes are not a sector: reading fetches it, and it stays modified. With the other 16 bytes it can be read at once. */
static void a_sector_written_in_part_is_fetched_when_read(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	assert_int_equal(write(&g, LINE(0), 16), CACHE_MISS);
	assert_int_equal(write(&g, LINE(0) + 32, 16), CACHE_MISS);
	assert_int_equal(write(&g, LINE(0) + 48, 16), CACHE_HIT);
	assert_int_equal(read(&g, LINE(0) + 32), CACHE_HIT);
	assert_int_equal(read(&g, LINE(0)), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT);
	answer(&g, 0);
	assert_int_equal(g.n_sent, 1);
	assert_int_equal(read(&g, LINE(0)), CACHE_HIT);
	/* both sectors go back when the line is pushed out, in one write of 64 bytes */
	read(&g, LINE(1));
	answer(&g, 1);
	read(&g, LINE(1));
	assert_int_equal(read(&g, LINE(2)), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT | CACHE_WRITE_BACK_SENT);
	rig_cycles(&g, 10);
	assert_int_equal(g.n_sent, 4);
	const struct mem_request *back = request_at(&g.q, g.sent[3]);
	assert_int_equal(back->type, L2_WRBK_ACC);
	assert_int_equal(back->address, LINE(0));
	assert_int_equal(back->size, 64);
	rig_done(&g);
}

/* A write into a sector that is on its way: the fill leaves it modified, and readable. */
static void a_write_meets_a_fetch(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	read(&g, LINE(0));
	assert_int_equal(write(&g, LINE(0), 4), CACHE_MISS);
	assert_int_equal(cache_get_stats(g.c)->count[GLOBAL_ACC_W][CACHE_HIT_RESERVED], 1);
	answer(&g, 0);
	assert_int_equal(g.n_sent, 1);
	assert_int_equal(read(&g, LINE(0)), CACHE_HIT);
	assert_int_equal(cache_lines(g.c)[1].state, CACHE_MODIFIED);
	rig_done(&g);
}

static void lines_with_a_sector_on_its_way_stay(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	read(&g, LINE(0));
	read(&g, LINE(1));
	assert_int_equal(read(&g, LINE(2)), CACHE_RESERVATION_FAIL);
	assert_int_equal(write(&g, LINE(2), 32), CACHE_RESERVATION_FAIL);
	answer(&g, 0);
	assert_int_equal(write(&g, LINE(2), 32), CACHE_MISS);
	assert_int_equal(g.events, CACHE_WRITE_TAKEN); /* what gave way was clean */
	rig_done(&g);
}

static void an_atomic_leaves_its_sector_modified(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	const uint32_t r = sector_request(&g, GLOBAL_ACC_R, LINE(0), 4);
	request_at(&g.q, r)->is_atomic = true;
	assert_int_equal(rig_try(&g, r), CACHE_MISS);
	answer(&g, 0);
	assert_int_equal(cache_lines(g.c)[1].state, CACHE_MODIFIED);
	assert_int_equal(read(&g, LINE(0)), CACHE_HIT);
	rig_done(&g);
}

/* Copies fill sectors without a request; what they push out is lost, and a modified sector becomes clean. */
static void copies_fill_sectors(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	write(&g, LINE(0), 32);
	cache_fill_by_copy(g.c, LINE(0), &(struct dram_place){.partition_address = LINE(0)}, 1);
	assert_int_equal(cache_lines(g.c)[1].state, CACHE_VALID);
	cache_fill_by_copy(g.c, LINE(1) + 96, &(struct dram_place){.partition_address = LINE(1)}, 2);
	assert_int_equal(read(&g, LINE(1) + 96), CACHE_HIT);
	assert_int_equal(read(&g, LINE(0)), CACHE_HIT);
	g.now = 3;
	assert_int_equal(read(&g, LINE(1)), CACHE_MISS);
	rig_cycles(&g, 10);
	assert_int_equal(g.n_sent, 1);
	rig_done(&g);
}

static void invalidated_it_has_nothing(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	write(&g, LINE(0), 32);
	cache_invalidate(g.c);
	assert_int_equal(cache_lines(g.c)[1].state, CACHE_INVALID);
	assert_int_equal(read(&g, LINE(0)), CACHE_MISS);
	rig_done(&g);
}

/* A 32-byte port is busy for a cycle with a hit, and with a line's write-back for each sector written. */
static void the_port_is_busy(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, SMALL, CACHE_DATA, REQUEST_L2);
	for (unsigned k = 0; k < 3; k++)
		write(&g, LINE(0) + 32 * k, 32);
	assert_true(cache_data_port_free(g.c));
	g.now++;
	write(&g, LINE(1), 32);
	assert_true(cache_data_port_free(g.c));
	write(&g, LINE(2), 32);
	for (unsigned k = 0; k < 3; k++) {
		assert_false(cache_data_port_free(g.c));
		rig_cycle(&g);
	}
	assert_true(cache_data_port_free(g.c));
	rig_done(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_miss_fetches_one_sector),
		cmocka_unit_test(a_write_fetches_nothing),
		cmocka_unit_test(a_sector_written_in_part_is_fetched_when_read),
		cmocka_unit_test(a_write_meets_a_fetch),
		cmocka_unit_test(lines_with_a_sector_on_its_way_stay),
		cmocka_unit_test(an_atomic_leaves_its_sector_modified),
		cmocka_unit_test(copies_fill_sectors),
		cmocka_unit_test(invalidated_it_has_nothing),
		cmocka_unit_test(the_port_is_busy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
