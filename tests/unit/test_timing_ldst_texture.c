/* Texture look-ups in the LDST unit, and where their texels lie; cycle tables and addresses worked out by hand from GPGPU-Sim's rules. */
#include "ldst_machine.h"

#define TEXELS UINT64_C(0x80000000)

static struct timing_insn *look_up(struct machine *m, uint32_t pc)
{
	struct timing_insn *t = m_insn(m, pc, TIMING_LOAD, ISA_SPACE_GLOBAL);
	t->space = TIMING_SPACE_TEXTURE;
	return t;
}

static uint64_t stalls(const struct machine *m, enum stall_reason r)
{
	return m->stats[0].stall_shd_mem[STALL_T_MEM][r];
}

/* Three lines, the highest first: an access a cycle, each sent in the next cycle's turn of the L1T. The load leaves the unit with its last
 * access and waits for all three. */
static void lines_are_fetched(void **state)
{
	struct machine *m = *state;
	look_up(m, 0);
	m_issue(m, 0, 3, m_addresses(0x3f, ISA_SPACE_GLOBAL, TEXELS + 4, 64)); /* two lanes a line */
	m_cycles(m, 5);
	m_expect(m, "2 send 0>2 TEXTURE_ACC_R 80000100+128 8B\n"
		    "3 send 0>1 TEXTURE_ACC_R 80000080+128 8B\n"
		    "3 leave w3\n"
		    "4 send 0>1 TEXTURE_ACC_R 80000000+128 8B\n");
	assert_int_equal(m->stats[0].n_tex_insn, 6);
	assert_int_equal(m->stats[0].n_load_insn, 0);
	assert_int_equal(m->stats[0].mem_out[TEXTURE_ACC_R], 3);
	assert_int_equal(request_at(&m->t.requests, m->out[1])->lanes, 0x0c);
	assert_int_equal(m->stats[0].n_stall_shd_mem, 2);
	assert_int_equal(stalls(m, STALL_BK_CONF), 2);
	assert_int_equal(cache_get_stats(ldst_l1t(&m->core[0]))->count[TEXTURE_ACC_R][CACHE_MISS], 3);
	/* Replies change places on their way; the L1T hands them out in order:
	 *   6  [100] filled, and moved to the result FIFO      9  [0] filled: [80] is the oldest
	 *   7  taken by the writeback's client 1               10 [80] filled and moved
	 *   8  written                                         11 [80] taken, [0] moved
	 *                                                      12 [80] written, [0] taken
	 *                                                      13 [0] written: the last one, the register is free */
	m_reply(m, 0);
	m_cycles(m, 3);
	m_expect(m, "8 write 0\n");
	m_reply(m, 2);
	m_reply(m, 1);
	m_cycles(m, 6);
	m_expect(m, "12 write 0\n13 write 0\n13 release 0 w3\n13 complete 0\n13 free 0\n");
	assert_int_equal(m->t.requests.s->n_live, 0);
	assert_true(cache_idle(ldst_l1t(&m->core[0])));
}

/* A hit comes back through the FIFOs, too: accessed in 1, moved in 2, taken in 3, written in 4. No stall: the only access is accepted. */
static void a_hit_takes_its_turn(void **state)
{
	struct machine *m = *state;
	look_up(m, 0);
	m_warm(m, 0, TEXELS);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, TEXELS, 4));
	m_cycles(m, 6);
	m_expect(m, "1 leave w3\n4 write 0\n4 release 0 w3\n4 complete 0\n4 free 0\n");
	assert_int_equal(m->n_out, 0);
	assert_int_equal(m->stats[0].n_tex_insn, 32);
	assert_int_equal(m->stats[0].n_stall_shd_mem, 0);
	assert_int_equal(cache_get_stats(ldst_l1t(&m->core[0]))->count[TEXTURE_ACC_R][CACHE_HIT_RESERVED], 1);
}

/* A line under way is present for the tags: the second load sends nothing, and is answered right behind the first. */
static void the_second_waits_for_the_first(void **state)
{
	struct machine *m = *state;
	look_up(m, 0);
	look_up(m, 1);
	m_issue(m, 0, 3, m_addresses(1, ISA_SPACE_GLOBAL, TEXELS, 0));
	m_cycles(m, 1);
	m_issue(m, 1, 4, m_addresses(2, ISA_SPACE_GLOBAL, TEXELS, 64));
	m_cycles(m, 3);
	m_expect(m, "1 leave w3\n2 send 0>1 TEXTURE_ACC_R 80000000+128 8B\n2 leave w4\n");
	m_reply(m, 0);
	m_cycles(m, 5); /* 5: filled, moved; 6: taken, the second moved; 7: written, the second taken; 8: written */
	m_expect(m, "7 write 0\n7 release 0 w3\n7 complete 0\n7 free 0\n8 write 1\n8 release 1 w4\n8 complete 1\n"
		    "8 free 1\n");
}

/* The request FIFO has two places and the network is full: the third line is refused until one has left. 3.2.2 calls all of these stalls
 * bank conflicts. */
static void a_full_request_fifo(void **state)
{
	struct machine *m = *state;
	m_cache(&m->cfg.core.l1t, "4:128:24,L:R:m:N,F:128:2,128:2");
	m_start(m);
	look_up(m, 0);
	m->net_full = true;
	m_issue(m, 0, 3, m_addresses(0x7, ISA_SPACE_GLOBAL, TEXELS, 128));
	m_cycles(m, 5); /* 1, 2: accepted; 3, 4, 5: refused */
	m_expect(m, "");
	assert_int_equal(m->net_asked, 8);
	struct cache_texture_view v;
	cache_texture_get(ldst_l1t(&m->core[0]), &v);
	assert_int_equal(v.n_fragments, 2);
	assert_true(v.oldest_missed);
	assert_int_equal(request_at(&m->t.requests, v.oldest)->address, TEXELS + 256);
	assert_int_equal(stalls(m, STALL_BK_CONF), 5);
	assert_int_equal(m->stats[0].true_stall[STALL_T_MEM][STALL_BK_CONF], 2);
	assert_int_equal(m->stats[0].true_stall[STALL_T_MEM][STALL_MSHR_RC_FAIL], 3);
	m_expect_obstacle(m, "the L1T can't take it: its request FIFO is full");
	m->net_full = false;
	m_cycles(m, 3);
	m_expect(m, "6 send 0>2 TEXTURE_ACC_R 80000100+128 8B\n6 leave w3\n7 send 0>1 TEXTURE_ACC_R 80000080+128 8B\n"
		    "8 send 0>1 TEXTURE_ACC_R 80000000+128 8B\n");
}

/* Lines are the L1T's, not the L1D's; a look-up without lanes passes at once. */
static void lines_are_of_its_own_size(void **state)
{
	struct machine *m = *state;
	m_cache(&m->cfg.core.l1t, "4:32:24,L:R:m:N,F:128:8,128:2");
	m_start(m);
	look_up(m, 0);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, TEXELS, 4));
	m_cycles(m, 4);
	m_expect(m, "2 send 0>1 TEXTURE_ACC_R 80000060+32 8B\n3 send 0>1 TEXTURE_ACC_R 80000040+32 8B\n4 send 0>1 "
		    "TEXTURE_ACC_R 80000020+32 8B\n"
		    "4 leave w3\n");
	m_issue(m, 0, 4, m_addresses(0, ISA_SPACE_GLOBAL, TEXELS, 4));
	m_cycles(m, 1);
	m_expect(m,
		 "5 send 0>1 TEXTURE_ACC_R 80000000+32 8B\n5 complete 0\n5 release 0 w4 long\n5 free 0\n5 leave w4\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STARTED(lines_are_fetched),
		STARTED(a_hit_takes_its_turn),
		STARTED(the_second_waits_for_the_first),
		CONFIGURES(a_full_request_fifo),
		CONFIGURES(lines_are_of_its_own_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
