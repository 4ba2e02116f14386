/* Data caches (L1D, L2): every case of every write policy, with what is sent, in which order, what the line becomes and how long the
 * ports stay busy. Expected values are worked out from the rules (GPGPU-Sim manual "Caches", behaviour of 3.2.2). */
#include "cache_fixture.h"

#define A UINT64_C(0x80001000)
#define L1_GTX480 "32:128:4,L:L:m:N,A:32:8,8"
#define L2_GTX480 "64:128:8,L:B:m:W,A:32:4,4:0,32"

/* ---- write hits ---- */
static void write_hits(void **state)
{
	(void)state;
	static const struct {
		const char *config;
		enum access_type type;
		unsigned events;
		enum cache_line_state becomes;
	} want[] = {
		{"4:128:2,L:B:m:N,A:8:8,8", GLOBAL_ACC_W, 0, CACHE_MODIFIED},
		{"4:128:2,L:B:m:N,A:8:8,8", LOCAL_ACC_W, 0, CACHE_MODIFIED},
		{"4:128:2,L:B:m:N,A:8:8,8", L1_WRBK_ACC, 0, CACHE_MODIFIED},
		{"4:128:2,L:T:m:N,A:8:8,8", GLOBAL_ACC_W, CACHE_WRITE_SENT, CACHE_MODIFIED},
		{"4:128:2,L:T:m:N,A:8:8,8", LOCAL_ACC_W, CACHE_WRITE_SENT, CACHE_MODIFIED},
		{"4:128:2,L:E:m:N,A:8:8,8", GLOBAL_ACC_W, CACHE_WRITE_SENT, CACHE_INVALID},
		{"4:128:2,L:E:m:N,A:8:8,8", LOCAL_ACC_W, CACHE_WRITE_SENT, CACHE_INVALID},
		{"4:128:2,L:L:m:N,A:8:8,8", GLOBAL_ACC_W, CACHE_WRITE_SENT, CACHE_INVALID},
		{"4:128:2,L:L:m:N,A:8:8,8", LOCAL_ACC_W, 0, CACHE_MODIFIED},
		{"4:128:2,L:L:m:N,A:8:8,8", L1_WRBK_ACC, 0, CACHE_MODIFIED},
		{"4:128:2,L:L:m:W,A:8:8,8", GLOBAL_ACC_W, CACHE_WRITE_SENT, CACHE_INVALID},
	};
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		struct rig g;
		uint32_t w;
		rig_init(&g, want[i].config, CACHE_DATA, REQUEST_L1);
		rig_load(&g, GLOBAL_ACC_R, A);
		assert_int_equal(rig_access(&g, want[i].type, A + 8, &w), CACHE_HIT);
		assert_int_equal(g.events, want[i].events);
		assert_int_equal(rig_state(&g, A), want[i].becomes);
		assert_int_equal(cache_miss_queue_length(g.c), want[i].events ? 1 : 0);
		assert_int_equal(rig_count(&g, want[i].type, CACHE_HIT), 1);
		assert_false(cache_data_port_free(g.c));
		rig_cycle(&g);
		if (want[i].events) {
			assert_int_equal(g.sent[1], w); /* after the load's read */
			assert_int_equal(g.asked_bytes, 8 + 4);
			assert_true(g.asked_write);
			assert_int_equal(request_at(&g.q, w)->status, REQUEST_IN_L1D_MISS_QUEUE);
		}
		rig_done(&g);
	}
}

/* Policies that send the write need one free place, and fail without it before anything changes. Write-back needs none. */
static void write_hits_with_a_full_queue(void **state)
{
	(void)state;
	static const char policies[] = "BTEL";
	for (unsigned i = 0; i < 4; i++) {
		struct rig g;
		char config[] = "4:128:2,L:?:m:N,A:8:8,2";
		config[10] = policies[i];
		rig_init(&g, config, CACHE_DATA, REQUEST_L1);
		rig_load(&g, GLOBAL_ACC_R, A);
		uint32_t accessed = rig_line(&g, A)->accessed;
		g.full = true;
		assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A + 0x1000, NULL), CACHE_MISS);
		assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A + 0x1000, NULL), CACHE_MISS);
		rig_cycles(&g, 5);
		bool back = policies[i] == 'B';
		assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A, NULL), back ? CACHE_HIT : CACHE_RESERVATION_FAIL);
		assert_int_equal(rig_state(&g, A), back ? CACHE_MODIFIED : CACHE_VALID);
		assert_int_equal(rig_line(&g, A)->accessed, back ? g.now : accessed);
		assert_int_equal(cache_data_port_free(g.c), !back);
		assert_int_equal(cache_miss_queue_length(g.c), 2);
		assert_int_equal(g.events, 0);
		assert_int_equal(rig_count(&g, GLOBAL_ACC_W, CACHE_RESERVATION_FAIL), !back);
		rig_done(&g);
	}
}

/* ---- write misses ---- */
/* No allocation: the write goes down, no line is touched; one free place is enough. On a reserved line the count is HIT_RESERVED, the
 * answer MISS, and the fill under way stays what it was. */
static void write_miss_without_allocation(void **state)
{
	(void)state;
	struct rig g;
	uint32_t r, w;
	rig_init(&g, "4:128:1,L:L:m:N,A:8:8,3", CACHE_DATA, REQUEST_L1);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A, &w), CACHE_MISS);
	assert_int_equal(g.events, CACHE_WRITE_SENT);
	assert_null(rig_line(&g, A));
	assert_int_equal(cache_mshr_used(g.c), 0);
	assert_int_equal(request_at(&g.q, w)->size, 4);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A, &r), CACHE_MISS);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A, NULL), CACHE_MISS);
	assert_int_equal(g.events, CACHE_WRITE_SENT);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A, NULL), CACHE_RESERVATION_FAIL);
	assert_int_equal(rig_state(&g, A), CACHE_RESERVED);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_W, CACHE_MISS), 1);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_W, CACHE_HIT_RESERVED), 1);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_W, CACHE_RESERVATION_FAIL), 1);
	assert_true(cache_data_port_free(g.c));
	/* the only way is reserved: another block of the set fails at the tags, even for a write that would only pass */
	rig_cycles(&g, 3);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A + 0x200, NULL), CACHE_RESERVATION_FAIL);
	cache_fill(g.c, r, g.now);
	assert_int_equal(rig_state(&g, A), CACHE_VALID);
	assert_int_equal(rig_line(&g, A)->allocated, 0);
	assert_int_equal(rig_line(&g, A)->filled, 3);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A + 0x200, NULL), CACHE_MISS);
	assert_int_equal(rig_state(&g, A), CACHE_VALID);
	rig_done(&g);
}

/* L2 of GTX480, write miss: the write itself, then the read of its line, at once in the queue of 4. The read has the write's core,
 * cluster and warp. When it comes back the line is VALID, not MODIFIED. */
static void write_miss_with_allocation(void **state)
{
	(void)state;
	struct rig g;
	uint32_t w, read;
	rig_init(&g, L2_GTX480, CACHE_DATA, REQUEST_L2);
	w = rig_request(&g, GLOBAL_ACC_W, A + 32, 64);
	assert_int_equal(rig_try(&g, w), CACHE_MISS);
	assert_int_equal(g.events, CACHE_WRITE_SENT); /* no READ_SENT */
	assert_int_equal(rig_state(&g, A), CACHE_RESERVED);
	assert_int_equal(cache_miss_queue_length(g.c), 2);
	assert_int_equal(cache_miss_queue_at(g.c, 0), w);
	read = cache_miss_queue_at(g.c, 1);
	const struct mem_request *m = request_at(&g.q, read);
	assert_int_equal(m->type, L2_WR_ALLOC_R);
	assert_false(m->is_write);
	assert_int_equal(m->address, A + 32);
	assert_int_equal(m->size, 128);
	assert_int_equal(m->core, 3);
	assert_int_equal(m->cluster, 2);
	assert_int_equal(m->warp, 5);
	assert_int_equal(m->lanes, 0xff);
	assert_int_equal(m->dram.partition_address, A + 32);
	assert_int_equal(m->inst, 0);
	assert_int_equal(m->status, REQUEST_IN_PARTITION_L2_MISS_QUEUE);
	assert_int_equal(request_at(&g.q, w)->size, 64);
	assert_true(cache_waits_for(g.c, read));
	assert_false(cache_waits_for(g.c, w));
	/* 2 in the queue of 4: a second write miss would need 3 free places */
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A + 0x80, NULL), CACHE_RESERVATION_FAIL);
	rig_cycle(&g);
	/* now 3 are free; the same block merges its read and sends only the write */
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A, NULL), CACHE_MISS);
	assert_int_equal(g.events, CACHE_WRITE_SENT);
	assert_int_equal(cache_miss_queue_length(g.c), 2);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_W, CACHE_HIT_RESERVED), 1);
	rig_cycles(&g, 2);
	cache_fill(g.c, read, g.now);
	assert_int_equal(rig_state(&g, A), CACHE_VALID);
	assert_int_equal(request_at(&g.q, read)->size, 64);
	assert_int_equal(cache_next_response(g.c), read);
	uint32_t merged = cache_next_response(g.c);
	assert_int_equal(request_at(&g.q, merged)->type, L2_WR_ALLOC_R);
	assert_int_equal(request_at(&g.q, merged)->size, 4);
	assert_false(cache_response_ready(g.c));
	rig_done(&g);
}

/* Allocation at an L1 asks with L1_WR_ALLOC_R; a full MSHR entry or table fails the write before anything is sent or made. */
static void write_allocation_needs_an_mshr(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, "4:128:2,L:B:m:W,A:1:2,16", CACHE_DATA, REQUEST_L1);
	assert_int_equal(rig_access(&g, LOCAL_ACC_W, A, NULL), CACHE_MISS);
	assert_int_equal(request_at(&g.q, cache_miss_queue_at(g.c, 1))->type, L1_WR_ALLOC_R);
	assert_int_equal(rig_access(&g, LOCAL_ACC_W, A, NULL), CACHE_MISS); /* merges: 2 of 2 */
	assert_int_equal(cache_miss_queue_length(g.c), 3);
	uint32_t live = g.q.s->n_live;
	assert_int_equal(rig_access(&g, LOCAL_ACC_W, A, NULL), CACHE_RESERVATION_FAIL);
	assert_int_equal(rig_access(&g, LOCAL_ACC_W, A + 128, NULL), CACHE_RESERVATION_FAIL);
	assert_int_equal(g.q.s->n_live, live + 2); /* the test's own */
	assert_int_equal(cache_miss_queue_length(g.c), 3);
	assert_null(rig_line(&g, A + 128));
	rig_done(&g);
}

/* ---- victims ---- */
#define WAY(k) (A + (uint64_t)(k)*0x200) /* blocks of one set of four 128-byte sets */

static void check_write_back(struct rig *g, uint32_t r, enum access_type type, uint64_t block)
{
	const struct mem_request *m = request_at(&g->q, r);
	assert_int_equal(m->type, type);
	assert_true(m->is_write);
	assert_int_equal(m->address, block);
	assert_int_equal(m->size, 128);
	assert_int_equal(m->warp, REQUEST_NO_WARP);
	assert_int_equal(m->core, type == L1_WRBK_ACC ? 3 : REQUEST_NO_CORE);
	assert_int_equal(m->cluster, type == L1_WRBK_ACC ? 2 : REQUEST_NO_CORE);
	assert_int_equal(m->lanes, 0);
	assert_int_equal(m->created, g->now);
}

/* A read miss that pushes a dirty line out: the read, then the write-back. The data port is busy for line / port cycles. */
static void dirty_victim_of_a_read(void **state)
{
	(void)state;
	for (unsigned level = 0; level < 2; level++) {
		struct rig g;
		uint32_t r;
		rig_init(&g, "4:128:2,L:B:m:N,A:8:8,8:0,32", CACHE_DATA, level ? REQUEST_L2 : REQUEST_L1);
		rig_load(&g, GLOBAL_ACC_R, WAY(0));
		rig_load(&g, GLOBAL_ACC_R, WAY(1));
		assert_int_equal(rig_access(&g, LOCAL_ACC_W, WAY(0), NULL), CACHE_HIT);
		rig_cycles(&g, 2);
		assert_int_equal(rig_access(&g, GLOBAL_ACC_R, WAY(1), NULL), CACHE_HIT);
		rig_cycles(&g, 2);
		assert_true(cache_data_port_free(g.c));
		assert_int_equal(rig_access(&g, GLOBAL_ACC_R, WAY(2), &r), CACHE_MISS);
		assert_int_equal(g.events, CACHE_READ_SENT | CACHE_WRITE_BACK_SENT);
		assert_null(rig_line(&g, WAY(0)));
		assert_int_equal(rig_state(&g, WAY(1)), CACHE_VALID);
		assert_int_equal(cache_miss_queue_length(g.c), 2);
		assert_int_equal(cache_miss_queue_at(g.c, 0), r);
		check_write_back(&g, cache_miss_queue_at(g.c, 1), level ? L2_WRBK_ACC : L1_WRBK_ACC, WAY(0));
		for (unsigned k = 0; k < 4; k++) { /* 128 / 32 */
			assert_false(cache_data_port_free(g.c));
			rig_cycle(&g);
		}
		assert_true(cache_data_port_free(g.c));
		assert_int_equal(g.asked_bytes, 136);
		assert_true(g.asked_write);
		/* a clean victim makes no traffic */
		assert_int_equal(rig_access(&g, GLOBAL_ACC_R, WAY(3), NULL), CACHE_MISS);
		assert_int_equal(g.events, CACHE_READ_SENT);
		assert_true(cache_data_port_free(g.c));
		rig_done(&g);
	}
}

/* The same from a write with allocation: three requests; the write-back is not among the events and takes no port time. */
static void dirty_victim_of_a_write(void **state)
{
	(void)state;
	struct rig g;
	uint32_t w;
	rig_init(&g, "4:128:1,L:B:m:W,A:8:8,3:0,32", CACHE_DATA, REQUEST_L2);
	rig_load(&g, GLOBAL_ACC_R, WAY(0));
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, WAY(0), NULL), CACHE_HIT);
	rig_cycles(&g, 2);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, WAY(1), &w), CACHE_MISS); /* exactly the 3 places */
	assert_int_equal(g.events, CACHE_WRITE_SENT);
	assert_true(cache_data_port_free(g.c));
	assert_int_equal(cache_miss_queue_length(g.c), 3);
	assert_int_equal(cache_miss_queue_at(g.c, 0), w);
	assert_int_equal(request_at(&g.q, cache_miss_queue_at(g.c, 1))->type, L2_WR_ALLOC_R);
	check_write_back(&g, cache_miss_queue_at(g.c, 2), L2_WRBK_ACC, WAY(0));
	rig_done(&g);
}

/* A write-through cache marks written lines MODIFIED but never writes them back: the level below has them. */
static void write_through_has_no_write_backs(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, "4:128:1,L:T:m:N,A:8:8,8", CACHE_DATA, REQUEST_L1);
	rig_load(&g, GLOBAL_ACC_R, WAY(0));
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, WAY(0), NULL), CACHE_HIT);
	rig_cycles(&g, 2);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, WAY(1), NULL), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT);
	assert_int_equal(cache_miss_queue_length(g.c), 1);
	rig_done(&g);
}

/* Lines allocated on fills: a dirty one goes without a word, neither the miss nor the fill writes it back. */
static void allocation_on_fill_has_no_write_backs(void **state)
{
	(void)state;
	struct rig g;
	uint32_t r;
	rig_init(&g, "4:128:1,L:L:f:N,A:8:8,8", CACHE_DATA, REQUEST_L1);
	rig_load(&g, GLOBAL_ACC_R, WAY(0));
	assert_int_equal(rig_access(&g, LOCAL_ACC_W, WAY(0), NULL), CACHE_HIT);
	assert_int_equal(rig_state(&g, WAY(0)), CACHE_MODIFIED);
	rig_cycles(&g, 2);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, WAY(1), &r), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT);
	assert_int_equal(rig_state(&g, WAY(0)), CACHE_MODIFIED);
	assert_int_equal(cache_miss_queue_length(g.c), 1);
	rig_cycles(&g, 2);
	cache_fill(g.c, r, g.now);
	assert_int_equal(rig_state(&g, WAY(0)), CACHE_INVALID);
	assert_int_equal(rig_state(&g, WAY(1)), CACHE_VALID);
	assert_int_equal(cache_miss_queue_length(g.c), 0);
	rig_done(&g);
}

/* Where the write-back goes is decoded from its own address. GTX480: 6 channels of 2 sub-partitions, channel bits from 8 on. */
static void write_back_gets_its_place(void **state)
{
	(void)state;
	struct rig g;
	struct address_map map;
	struct text why = {0};
	uint32_t back;
	if (!address_map_init(&map, 6, 2,
			      "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS", 0,
			      &why))
		fail_msg("%s", text_str(&why));
	rig_init(&g, "4:128:1,L:B:m:N,A:8:8,8", CACHE_DATA, REQUEST_L1);
	cache_set_address_map(g.c, &map);
	rig_load(&g, GLOBAL_ACC_R, 0x80000500);
	assert_int_equal(rig_access(&g, LOCAL_ACC_W, 0x80000500, NULL), CACHE_HIT);
	rig_cycles(&g, 2);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, 0x80000300, NULL), CACHE_MISS);
	back = cache_miss_queue_at(g.c, 1);
	/* 0x80000500 >> 8 = 0x800005 = 8388613 = 6 * 1398102 + 1: channel 1, rest 0x155556 << 8 | 0; its bit 8 is a bank bit's 0,
	 * the lowest bank bit is bit 8: rest = 0x15555600, bit 8 is 0 */
	assert_int_equal(request_at(&g.q, back)->dram.channel, 1);
	assert_int_equal(request_at(&g.q, back)->dram.sub_partition, 2);
	text_free(&why);
	rig_done(&g);
}

/* ---- read misses ---- */
/* Two places must be free although a miss with a clean victim sends one; a merge too wants them. */
static void read_misses_need_two_places(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, "4:128:2,L:L:m:N,A:8:8,3", CACHE_DATA, REQUEST_L1);
	g.full = true;
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 128, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 256, NULL), CACHE_RESERVATION_FAIL);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A, NULL), CACHE_RESERVATION_FAIL);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A + 384, NULL), CACHE_MISS); /* a write still has its one */
	g.full = false;
	rig_cycles(&g, 2);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A, NULL), CACHE_MISS);
	assert_int_equal(g.events, 0);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_R, CACHE_MISS), 2);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_R, CACHE_HIT_RESERVED), 1);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_R, CACHE_RESERVATION_FAIL), 2);
	rig_done(&g);
}

static void mshr_limits(void **state)
{
	(void)state;
	struct rig g;
	uint32_t first;
	struct cache_mshr_view v;
	rig_init(&g, "16:128:4,L:L:m:N,A:2:3,16", CACHE_DATA, REQUEST_L1);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A, &first), CACHE_MISS);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 4, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 8, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 12, NULL), CACHE_RESERVATION_FAIL); /* 3 of 3 */
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 128, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 256, NULL), CACHE_RESERVATION_FAIL); /* 2 of 2 */
	assert_null(rig_line(&g, A + 256));
	assert_int_equal(cache_mshr_used(g.c), 2);
	assert_true(cache_mshr_get(g.c, 0, &v));
	assert_int_equal(v.block, A);
	assert_int_equal(v.n_merged, 3);
	assert_int_equal(v.first, first);
	assert_false(v.ready);
	assert_true(cache_mshr_get(g.c, 1, &v));
	assert_int_equal(v.block, A + 128);
	assert_false(cache_mshr_get(g.c, 2, &v));
	rig_cycles(&g, 4);
	cache_fill(g.c, first, g.now);
	assert_true(cache_mshr_get(g.c, 0, &v));
	assert_true(v.ready);
	/* ready, but not empty: the entry is still taken; one response makes no room in the table, three do */
	for (unsigned k = 0; k < 3; k++) {
		assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 256, NULL), CACHE_RESERVATION_FAIL);
		cache_next_response(g.c);
	}
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 256, NULL), CACHE_MISS);
	rig_done(&g);
}

/* A block whose line was thrown out by a write while its responses wait: a read takes a line again and joins the ready entry, so nothing
 * is sent and that line waits, reserved, until the next miss of the block after the entry is gone. */
static void merge_into_a_ready_entry(void **state)
{
	(void)state;
	struct rig g;
	uint32_t a, b;
	rig_init(&g, "4:128:2,L:L:m:N,A:4:4,8", CACHE_DATA, REQUEST_L1);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A, &a), CACHE_MISS);
	rig_cycle(&g);
	cache_fill(g.c, a, g.now);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_W, A, NULL), CACHE_HIT); /* evicts */
	rig_cycles(&g, 2);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A, &b), CACHE_MISS);
	assert_int_equal(g.events, 0);
	assert_int_equal(rig_state(&g, A), CACHE_RESERVED);
	assert_int_equal(cache_next_response(g.c), a);
	assert_int_equal(cache_next_response(g.c), b);
	assert_false(cache_response_ready(g.c));
	assert_int_equal(rig_state(&g, A), CACHE_RESERVED);
	uint32_t c;
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A, &c), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT);
	rig_cycle(&g);
	cache_fill(g.c, c, g.now);
	assert_int_equal(rig_state(&g, A), CACHE_VALID);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_R, CACHE_MISS), 2);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_R, CACHE_HIT_RESERVED), 1);
	rig_done(&g);
}

/* ---- atomics ---- */
static void atomics_make_lines_dirty(void **state)
{
	(void)state;
	struct rig g;
	uint32_t r, a;
	struct cache_mshr_view v;
	rig_init(&g, L2_GTX480, CACHE_DATA, REQUEST_L2);
	rig_load(&g, GLOBAL_ACC_R, A);
	a = rig_request(&g, GLOBAL_ACC_R, A, 4);
	request_at(&g.q, a)->is_atomic = true;
	assert_int_equal(rig_try(&g, a), CACHE_HIT);
	assert_int_equal(rig_state(&g, A), CACHE_MODIFIED);
	/* one that joins a miss of plain reads makes the filled line dirty too */
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 128, &r), CACHE_MISS);
	assert_true(cache_mshr_get(g.c, 0, &v));
	assert_false(v.has_atomic);
	a = rig_request(&g, GLOBAL_ACC_R, A + 128, 4);
	request_at(&g.q, a)->is_atomic = true;
	assert_int_equal(rig_try(&g, a), CACHE_MISS);
	assert_true(cache_mshr_get(g.c, 0, &v));
	assert_true(v.has_atomic);
	rig_cycles(&g, 3);
	cache_fill(g.c, r, g.now);
	assert_int_equal(rig_state(&g, A + 128), CACHE_MODIFIED);
	rig_done(&g);
}

/* ---- ports ---- */
/* L2 of GTX480, port 32 of a 128-byte line. Busy cycles: a hit of n bytes ceil(n / 32), a fill 4; they add up. The cycle that finds a
 * port busy counts it and takes one off, so a hit of up to 32 bytes is over when the next access may come. */
static void ports(void **state)
{
	(void)state;
	static const struct {
		uint32_t size, busy;
	} hits[] = {{1, 1}, {32, 1}, {33, 2}, {64, 2}, {96, 3}, {128, 4}};
	struct rig g;
	uint32_t r, s;
	uint64_t cycles, busy = 0;
	rig_init(&g, L2_GTX480, CACHE_DATA, REQUEST_L2);
	rig_load(&g, GLOBAL_ACC_R, A);
	const struct cache_stats *stats = cache_get_stats(g.c);
	assert_int_equal(stats->cycles, g.now); /* those with a queue to empty too */
	assert_int_equal(stats->fill_port_busy, 4);
	assert_int_equal(stats->data_port_busy, 0);
	for (size_t i = 0; i < sizeof hits / sizeof hits[0]; i++) {
		r = rig_request(&g, GLOBAL_ACC_R, A, hits[i].size);
		assert_int_equal(rig_try(&g, r), CACHE_HIT);
		for (uint32_t k = 0; k < hits[i].busy; k++) {
			assert_false(cache_data_port_free(g.c));
			rig_cycle(&g);
		}
		assert_true(cache_data_port_free(g.c));
		busy += hits[i].busy;
		assert_int_equal(stats->data_port_busy, busy);
	}
	/* two fills in one cycle: 8 */
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 128, &r), CACHE_MISS);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, A + 256, &s), CACHE_MISS);
	rig_cycles(&g, 2);
	cycles = stats->cycles;
	cache_fill(g.c, r, g.now);
	cache_fill(g.c, s, g.now);
	for (unsigned k = 0; k < 8; k++) {
		assert_false(cache_fill_port_free(g.c));
		assert_false(cache_quiet(g.c));
		rig_cycle(&g);
	}
	assert_true(cache_fill_port_free(g.c));
	assert_true(cache_quiet(g.c));
	assert_int_equal(stats->fill_port_busy, 12);
	cache_skip(g.c, 1000);
	assert_int_equal(stats->cycles, cycles + 8 + 1000);
	assert_int_equal(stats->fill_port_busy, 12);
	rig_done(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(write_hits),
		cmocka_unit_test(write_hits_with_a_full_queue),
		cmocka_unit_test(write_miss_without_allocation),
		cmocka_unit_test(write_miss_with_allocation),
		cmocka_unit_test(write_allocation_needs_an_mshr),
		cmocka_unit_test(dirty_victim_of_a_read),
		cmocka_unit_test(dirty_victim_of_a_write),
		cmocka_unit_test(write_through_has_no_write_backs),
		cmocka_unit_test(allocation_on_fill_has_no_write_backs),
		cmocka_unit_test(write_back_gets_its_place),
		cmocka_unit_test(read_misses_need_two_places),
		cmocka_unit_test(mshr_limits),
		cmocka_unit_test(merge_into_a_ready_entry),
		cmocka_unit_test(atomics_make_lines_dirty),
		cmocka_unit_test(ports),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
