/* The LDST unit: writeback, and the unit as a whole; cycle tables worked out by hand. */
#include "ldst_machine.h"

#define GLOBAL UINT64_C(0x80000000)
#define SHARED ISA_SHARED_WINDOW
#define PARAM ISA_PARAM_WINDOW

/* ---- writeback ---- */

/* A taken bank: next_wb stays, the reply behind it stays in next_global, the one behind that in the response FIFO. */
static void a_taken_bank_holds_everything(void **state)
{
	struct machine *m = *state;
	m->cfg.core.skip_l1d = true;
	m_start(m);
	for (uint32_t k = 0; k < 3; k++) {
		m_insn(m, k, TIMING_LOAD, ISA_SPACE_GLOBAL);
		m_issue(m, k, k, m_addresses(1, ISA_SPACE_GLOBAL, GLOBAL + k * 256, 0));
		m_cycles(m, 1);
	}
	text_clear(&m->log);
	m->bank_taken = true;
	m_reply(m, 0);
	m_reply(m, 1);
	m_cycles(m, 2); /* 4: next_global; 5: next_wb, next_global */
	m_reply(m, 2);
	m_cycles(m, 3);
	m_expect(m, "6 no-write 0\n7 no-write 0\n8 no-write 0\n");
	assert_int_equal(ldst_response_length(&m->core[0]), 1);
	assert_int_equal(ldst_response_at(&m->core[0], 0), m->out[2]);
	m->bank_taken = false;
	m_cycles(m, 4);
	m_expect(m, "9 write 0\n9 release 0 w0\n9 complete 0\n9 free 0\n"
		    "10 write 1\n10 release 1 w1\n10 complete 1\n10 free 1\n"
		    "11 write 2\n11 release 2 w2\n11 complete 2\n11 free 2\n");
	assert_int_equal(ldst_last_writeback(&m->core[0]), 11);
}

/* Clients 0 shared, 2 L1C, 3 past L1D, 4 L1D all have something while a bank is taken; then they are served in turn, from the pointer. */
static void writeback_clients_take_turns(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_SHARED);
	m_insn(m, 1, TIMING_LOAD, ISA_SPACE_PARAM);
	m_insn(m, 2, TIMING_LOAD, ISA_SPACE_GLOBAL)->cache_op = TIMING_CACHE_GLOBAL;
	m_insn(m, 3, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_insn(m, 4, TIMING_LOAD, ISA_SPACE_SHARED);
	const struct exec_access shared = m_addresses(1, ISA_SPACE_SHARED, SHARED, 0);
	m_issue(m, 1, 1, m_addresses(1, ISA_SPACE_PARAM, PARAM, 0));
	m_cycles(m, 1);
	m_issue(m, 2, 2, m_addresses(1, ISA_SPACE_GLOBAL, GLOBAL, 0));
	m_cycles(m, 1);
	m_issue(m, 3, 3, m_addresses(1, ISA_SPACE_GLOBAL, GLOBAL + 256, 0));
	m_cycles(m, 2);
	/* sent: 1 in cycle 2 by L1C's turn; 2 in 2; 3 in 4 */
	assert_int_equal(m->n_out, 3);
	m->bank_taken = true;
	/* a shared load in next_wb blocks: served by client 0, so the pointer is at 1 */
	m_issue(m, 4, 4, shared);
	m_cycles(m, 4);
	assert_int_equal(ldst_next_writeback(&m->core[0]), m->n_inst);
	m_issue(m, 0, 0, shared);
	m_reply(m, 0);
	m_reply(m, 1);
	m_cycles(m, 2);
	m_reply(m, 2);
	m_cycles(m, 2);
	text_clear(&m->log);
	m->bank_taken = false;
	m->now = 0;
	m_cycles(m, 6);
	m_expect_line(m, "1 write 4\n");
	m_expect_line(m, "2 write 1\n");
	m_expect_line(m, "3 write 2\n");
	m_expect_line(m, "4 write 3\n");
	m_expect_line(m, "4 leave w0\n5 write 0\n");
}

/* The line of a write-allocate comes back for nobody: the search for something to write goes on to the next client. */
static void a_write_allocate_has_no_registers(void **state)
{
	struct machine *m = *state;
	m_cache(&m->cfg.core.l1d, "32:128:4,L:B:m:W,A:32:8,8");
	m_start(m);
	m_insn(m, 0, TIMING_STORE, ISA_SPACE_GLOBAL);
	m_insn(m, 1, TIMING_LOAD, ISA_SPACE_SHARED);
	const struct exec_access shared = m_addresses(1, ISA_SPACE_SHARED, SHARED, 0);
	m_issue(m, 0, 3, m_addresses(1, ISA_SPACE_GLOBAL, GLOBAL, 0));
	m_cycles(m, 4);
	m_expect(m, "1 sent w3\n1 complete 0\n1 free 0\n1 leave w3\n2 send 0>1 GLOBAL_ACC_W 80000000+32 40B\n"
		    "3 send 0>1 L1_WR_ALLOC_R 80000000+128 8B\n");
	/* pointer at client 1 after a shared load: L1D (4) is asked before shared (0), and both in one cycle */
	m_issue(m, 1, 1, shared);
	m_cycles(m, 5);
	text_clear(&m->log);
	m->now = 0;
	m_issue(m, 1, 1, shared);
	m_cycles(m, 2);
	m_reply(m, 1);
	m_cycles(m, 3); /* 3: filled, and the load in stage 0; 4: both taken; 5: written */
	m_expect(m, "4 leave w1\n5 write 1\n5 release 1 w1\n5 complete 1\n5 free 1\n");
	m_reply(m, 0);
	m_cycles(m, 1);
	m_expect(m, "6 acknowledged w3\n");
	assert_int_equal(m->t.requests.s->n_live, 0);
}

/* ---- the unit as a whole ---- */

/* Quiet caches are not cycled, but their cycles count, looked at or skipped. */
static void idle_cycles_count(void **state)
{
	struct machine *m = *state;
	m_cycles(m, 1);
	assert_true(ldst_idle(&m->core[0]));
	m_cycles(m, 99);
	assert_int_equal(cache_get_stats(ldst_l1d(&m->core[0]))->cycles, 100);
	ldst_skip(&m->core[0], 900);
	assert_int_equal(cache_get_stats(ldst_l1d(&m->core[0]))->cycles, 1000);
	assert_int_equal(cache_get_stats(ldst_l1t(&m->core[0]))->cycles, 1000);
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_issue(m, 0, 3, m_addresses(1, ISA_SPACE_GLOBAL, GLOBAL, 0));
	assert_false(ldst_idle(&m->core[0]));
	m_cycles(m, 2);
	assert_int_equal(cache_get_stats(ldst_l1d(&m->core[0]))->cycles, 1002);
	m_cycles(m, 1);
	assert_true(ldst_idle(&m->core[0])); /* the load waits for memory; the unit has nothing to do */
	m_reply(m, 0);
	assert_false(ldst_idle(&m->core[0]));
	m_cycles(m, 4);
	assert_true(ldst_idle(&m->core[0]));
	assert_int_equal(cache_get_stats(ldst_l1c(&m->core[0]))->cycles, 1007);
}

/* A kernel that prefers L1: lines of the other cache are not seen, and on the way back all is gone. */
static void l1d_as_the_kernel_prefers(void **state)
{
	struct machine *m = *state;
	m_cache(&m->cfg.core.l1d_pref_l1, "32:128:6,L:L:m:N,A:32:8,8");
	m_start(m);
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_warm(m, 0, GLOBAL);
	ldst_choose_l1d(&m->core[0], &m->cfg.core.l1d_pref_l1);
	assert_int_equal(cache_get_config(ldst_l1d(&m->core[0]))->ways, 6);
	assert_ptr_equal(ldst_l1d(&m->core[0]), ldst_l1d_variant(&m->core[0], 1));
	struct exec_access a = m_addresses(1, ISA_SPACE_GLOBAL, GLOBAL, 0);
	m_issue(m, 0, 0, a);
	m_cycles(m, 2);
	m_expect(m, "1 leave w0\n2 send 0>1 GLOBAL_ACC_R 80000000+128 8B\n");
	m_reply(m, 0);
	m_cycles(m, 5);
	ldst_choose_l1d(&m->core[0], &m->cfg.core.l1d);
	assert_int_equal(cache_get_config(ldst_l1d(&m->core[0]))->ways, 4);
	assert_ptr_equal(ldst_l1d(&m->core[0]), ldst_l1d_variant(&m->core[0], 0));
	m->n_out = 0;
	text_clear(&m->log);
	m->now = 0;
	m_issue(m, 0, 0, a);
	m_cycles(m, 2);
	m_expect_line(m, "2 send");
	/* none configured: the default one stays */
	ldst_choose_l1d(&m->core[0], &m->cfg.core.l1d_pref_shared);
	assert_int_equal(cache_get_config(ldst_l1d(&m->core[0]))->ways, 4);
}

/* Two sub-warps mean two unit cycles per core cycle: nothing in the unit depends on `now` moving. */
static void two_cycles_in_one(void **state)
{
	struct machine *m = *state;
	m->cfg.core.warp_parts = 2;
	m_start(m);
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_SHARED);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_SHARED, SHARED, 4));
	/* two half warps: counter 2; unit cycles 1 (stall), 2 (stage 2), 3, 4 (stage 0), 5 next_wb, 6 registers */
	for (unsigned k = 0; k < 3; k++) {
		m->now++;
		ldst_cycle(&m->core[0], m->now);
		ldst_cycle(&m->core[0], m->now);
	}
	m_expect(m, "3 leave w3\n3 write 0\n3 release 0 w3\n3 complete 0\n3 free 0\n");
	assert_int_equal(m->stats[0].n_stall_shd_mem, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONFIGURES(a_taken_bank_holds_everything),     STARTED(writeback_clients_take_turns),
		CONFIGURES(a_write_allocate_has_no_registers), STARTED(idle_cycles_count),
		CONFIGURES(l1d_as_the_kernel_prefers),	       CONFIGURES(two_cycles_in_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
