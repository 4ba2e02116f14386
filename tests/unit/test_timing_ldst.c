/* The LDST unit: cycle tables worked out by hand. An instruction issued to the unit in cycle t makes its first access in t + 1. */
#include "ldst_machine.h"
#include "timing/ldst/ldst_internal.h"

#define GLOBAL UINT64_C(0x80000000)
#define SHARED ISA_SHARED_WINDOW
#define PARAM ISA_PARAM_WINDOW
#define CONST ISA_CONST_WINDOW

static uint64_t counted(const struct machine *m, enum stall_space s, enum stall_reason r)
{
	return m->stats[0].stall_shd_mem[s][r];
}
static uint64_t really(const struct machine *m, enum stall_space s, enum stall_reason r)
{
	return m->stats[0].true_stall[s][r];
}

/* ---- shared memory ---- */

/* Access in 1, pipeline stage 2 at the end of 1, stage 1 of 2, stage 0 of 3, next_wb in 4, registers in 5. */
static void shared_load_takes_three_stages_and_writeback(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_SHARED);
	uint32_t i = m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_SHARED, SHARED, 4));
	m_cycles(m, 1);
	assert_int_equal(ldst_shared_stage(&m->core[0], 2), i);
	assert_true(ldst_accepts(&m->core[0]));
	m_cycles(m, 1);
	assert_int_equal(ldst_shared_stage(&m->core[0], 1), i);
	m_cycles(m, 1);
	assert_int_equal(ldst_shared_stage(&m->core[0], 0), i);
	assert_int_equal(m->warp[0][3].in_pipeline, 1);
	m_cycles(m, 4);
	m_expect(m, "4 leave w3\n5 write 0\n5 release 0 w3\n5 complete 0\n5 free 0\n");
	assert_int_equal(m->warp[0][3].in_pipeline, 0);
	assert_int_equal(m->stats[0].n_stall_shd_mem, 0);
	assert_int_equal(m->stats[0].n_shmem_insn, 32);
}

/* Stride 16 bytes on 32 banks: 4 lanes on each of 8 banks, 4 cycles: 3 stalls. */
static void bank_conflicts_hold_the_dispatch_register(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_SHARED);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_SHARED, SHARED, 16));
	m_cycles(m, 3);
	assert_false(ldst_accepts(&m->core[0]));
	assert_int_equal(ldst_stall_reason(&m->core[0]), STALL_BK_CONF);
	m_cycles(m, 1);
	assert_true(ldst_accepts(&m->core[0]));
	assert_int_equal(ldst_stall_reason(&m->core[0]), STALL_NONE);
	m_cycles(m, 6);
	m_expect(m, "7 leave w3\n8 write 0\n8 release 0 w3\n8 complete 0\n8 free 0\n");
	assert_int_equal(m->stats[0].n_stall_shd_mem, 3);
	assert_int_equal(counted(m, STALL_S_MEM, STALL_BK_CONF), 3);
	assert_int_equal(really(m, STALL_S_MEM, STALL_BK_CONF), 3);
}

/* A store ends when its accesses are made: no pipeline, no writeback. */
static void shared_store_ends_with_its_last_access(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_STORE, ISA_SPACE_SHARED);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_SHARED, SHARED, 8));
	m_cycles(m, 4);
	m_expect(m, "2 complete 0\n2 free 0\n2 leave w3\n");
}

/* One after the other: a load a cycle goes through. */
static void shared_loads_are_pipelined(void **state)
{
	struct machine *m = *state;
	for (uint32_t k = 0; k < 3; k++)
		m_insn(m, k, TIMING_LOAD, ISA_SPACE_SHARED);
	for (uint32_t k = 0; k < 3; k++) {
		m_issue(m, k, k, m_addresses(LANES_ALL, ISA_SPACE_SHARED, SHARED, 4));
		m_cycles(m, 1);
	}
	m_cycles(m, 5);
	m_expect(m, "4 leave w0\n5 write 0\n5 release 0 w0\n5 complete 0\n5 free 0\n5 leave w1\n"
		    "6 write 1\n6 release 1 w1\n6 complete 1\n6 free 1\n6 leave w2\n7 write 2\n7 release 2 w2\n"
		    "7 complete 2\n7 free 2\n");
}

/* Executed when it reaches writeback. */
static void shared_atomic(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_SHARED)->is_atomic = true;
	struct exec_access a = m_addresses(0xff, ISA_SPACE_SHARED, SHARED, 4);
	m_issue(m, 0, 3, a);
	m_cycles(m, 5);
	m_expect(m, "4 atomic w3 ff\n4 returned w3 8\n4 leave w3\n5 write 0\n5 release 0 w3\n5 complete 0\n5 free 0\n");
	/* a reduction writes no register; it is complete when it leaves writeback */
	m_insn(m, 1, TIMING_LOAD, ISA_SPACE_SHARED)->is_atomic = true;
	m->insn[1].n_out = 0;
	m->now = 0;
	m_issue(m, 1, 3, a);
	m_cycles(m, 6);
	m_expect(m, "4 atomic w3 ff\n4 returned w3 8\n4 leave w3\n5 write 1\n5 complete 1\n5 free 1\n");
	/* with no lane on it only passes through */
	m->now = 0;
	a.lanes = 0;
	m_issue(m, 0, 3, a);
	m_cycles(m, 6);
	m_expect(m, "4 leave w3\n5 write 0\n5 release 0 w3\n5 complete 0\n5 free 0\n");
}

/* ---- global memory through L1D ---- */

/* Miss in 1; L1D sends it in 2. Reply in 10: L1D is filled in 11, next_wb in 12, registers in 13. */
static void l1d_miss(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	uint32_t i = m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL + 0x100, 4));
	assert_int_equal(m->inst[0][i].pending, 1);
	m_cycles(m, 10);
	m_expect(m, "1 leave w3\n2 send 0>2 GLOBAL_ACC_R 80000100+128 8B\n");
	const struct mem_request *r = request_at(&m->t.requests, m->out[0]);
	assert_int_equal(r->warp, 3);
	assert_int_equal(r->inst, i);
	assert_int_equal(r->pc, 0);
	assert_int_equal(r->lanes, LANES_ALL);
	assert_int_equal(r->created, 1);
	assert_int_equal(r->status, REQUEST_IN_ICNT_TO_MEM);
	m_reply(m, 0);
	m_cycles(m, 5);
	m_expect(m, "13 write 0\n13 release 0 w3\n13 complete 0\n13 free 0\n");
	assert_int_equal(m->stats[0].n_stall_shd_mem, 0);
	assert_int_equal(m->t.requests.s->n_live, 0);
}

/* The register is free in the access cycle; the long-operation mark goes with it. */
static void l1d_hit_ends_in_its_access_cycle(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_warm(m, 0, GLOBAL);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 4));
	m_cycles(m, 3);
	m_expect(m, "1 complete 0\n1 release 0 w3 long\n1 free 0\n1 leave w3\n");
	assert_int_equal(m->t.requests.s->n_live, 0);
}

/* Four lines, warm: one access a cycle, so three stalls and the end in 4. */
static void n_accesses_take_n_cycles(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	for (unsigned k = 0; k < 4; k++)
		m_warm(m, 0, GLOBAL + k * 128);
	uint32_t i = m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 16));
	assert_int_equal(m->inst[0][i].n_accesses, 4);
	m_cycles(m, 2);
	assert_int_equal(m->inst[0][i].n_accesses, 2);
	assert_int_equal(m->inst[0][i].pending, 2);
	m_cycles(m, 3);
	m_expect(m, "4 complete 0\n4 release 0 w3 long\n4 free 0\n4 leave w3\n");
	assert_int_equal(m->stats[0].n_stall_shd_mem, 3);
	assert_int_equal(counted(m, STALL_G_MEM_LD, STALL_COAL_STALL), 3);
	assert_int_equal(really(m, STALL_G_MEM_LD, STALL_COAL_STALL), 3);
	assert_int_equal(m->stats[0].n_load_insn, 32);
}

/* Two lines, the first (used second) is there, the second isn't: complete when the miss is answered, and the mark stays. */
static void hit_and_miss(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_warm(m, 0, GLOBAL);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 8));
	m_cycles(m, 4);
	/* the last created, highest address, goes first: 0x80 misses in 1, 0x0 hits in 2 */
	m_expect(m, "2 send 0>1 GLOBAL_ACC_R 80000080+128 8B\n2 leave w3\n");
	m_reply(m, 0);
	m_cycles(m, 4);
	m_expect(m, "7 write 0\n7 release 0 w3\n7 complete 0\n7 free 0\n");
}

/* Two misses: their data come back one per cycle, each written; the second ends the load. */
static void a_load_ends_with_its_last_reply(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 8));
	m_cycles(m, 5);
	m_expect(m, "2 send 0>1 GLOBAL_ACC_R 80000080+128 8B\n2 leave w3\n3 send 0>1 GLOBAL_ACC_R 80000000+128 8B\n");
	m_reply(m, 1);
	m_reply(m, 0);
	m_cycles(m, 6);
	m_expect(m, "8 write 0\n9 write 0\n9 release 0 w3\n9 complete 0\n9 free 0\n");
}

/* Two warps want one line: one request, merged; the two answers follow each other. */
static void merged_misses_are_answered_one_a_cycle(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_insn(m, 1, TIMING_LOAD, ISA_SPACE_GLOBAL);
	struct exec_access a = m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 4);
	m_issue(m, 0, 3, a);
	m_cycles(m, 1);
	m_issue(m, 1, 4, a);
	m_cycles(m, 3);
	m_expect(m, "1 leave w3\n2 send 0>1 GLOBAL_ACC_R 80000000+128 8B\n2 leave w4\n");
	m_reply(m, 0);
	m_cycles(m, 5);
	m_expect(m, "7 write 0\n7 release 0 w3\n7 complete 0\n7 free 0\n8 write 1\n8 release 1 w4\n8 complete 1\n"
		    "8 free 1\n");
}

/* One MSHR: the second line of a load waits until the first is filled. Counted as COAL_STALL, really MSHR_RC_FAIL. */
static void reservation_failures_are_retried(void **state)
{
	struct machine *m = *state;
	m_cache(&m->cfg.core.l1d, "32:128:4,L:L:m:N,A:1:8,8");
	m_start(m);
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 8));
	/* 1: miss, one left. 2..5: no MSHR */
	m_cycles(m, 5);
	m_expect(m, "2 send 0>1 GLOBAL_ACC_R 80000080+128 8B\n");
	assert_int_equal(m->t.requests.s->n_live, 1);
	m_expect_obstacle(m, "the L1D can't take it: all its MSHRs are taken");
	m_reply(m, 0);
	/* 6: filled; the entry is in use until its request is handed out, in 7 */
	m_cycles(m, 2);
	m_expect(m, "7 leave w3\n");
	assert_int_equal(m->stats[0].n_stall_shd_mem, 6);
	assert_int_equal(counted(m, STALL_G_MEM_LD, STALL_COAL_STALL), 6);
	assert_int_equal(really(m, STALL_G_MEM_LD, STALL_COAL_STALL), 1);
	assert_int_equal(really(m, STALL_G_MEM_LD, STALL_MSHR_RC_FAIL), 5);
}

/* Port of 32 bytes: a hit of a 128-byte access keeps it busy 4 cycles, of which the first ends before the next access. */
static void data_port_busy(void **state)
{
	struct machine *m = *state;
	m_cache(&m->cfg.core.l1d, "32:128:4,L:L:m:N,A:32:8,8:0,32");
	m_start(m);
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_warm(m, 0, GLOBAL);
	m_warm(m, 0, GLOBAL + 128);
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 8));
	/* hit in 1 (4 cycles of the port); ticks in 2, 3, 4, 5: free in 5 */
	m_cycles(m, 6);
	m_expect(m, "5 complete 0\n5 release 0 w3 long\n5 free 0\n5 leave w3\n");
	assert_int_equal(counted(m, STALL_G_MEM_LD, STALL_COAL_STALL), 4);
	assert_int_equal(really(m, STALL_G_MEM_LD, STALL_COAL_STALL), 1);
	assert_int_equal(really(m, STALL_G_MEM_LD, STALL_DATA_PORT), 3);
}

/* ---- stores ---- */

/* Global stores go down (write-evict): sent when L1D takes them, complete at once, acknowledged later. */
static void store_through_l1d(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_STORE, ISA_SPACE_GLOBAL);
	uint32_t i = m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 8));
	assert_int_equal(m->inst[0][i].pending, 0);
	m_cycles(m, 4);
	m_expect(m,
		 "1 sent w3\n2 send 0>1 GLOBAL_ACC_W 80000080+128 136B\n2 sent w3\n2 complete 0\n2 free 0\n2 leave w3\n"
		 "3 send 0>1 GLOBAL_ACC_W 80000000+128 136B\n");
	assert_int_equal(m->warp[0][3].stores, 2);
	assert_int_equal(counted(m, STALL_G_MEM_ST, STALL_COAL_STALL), 1);
	assert_int_equal(m->stats[0].n_store_insn, 32);
	m_reply(m, 0);
	m_reply(m, 1);
	m_cycles(m, 3);
	/* one response a cycle */
	m_expect(m, "5 acknowledged w3\n6 acknowledged w3\n");
	assert_int_equal(m->t.requests.s->n_live, 0);
}

/* A local store that hits stays in L1D (write-back): nothing is sent. */
static void local_store_hits(void **state)
{
	struct machine *m = *state;
	m->cs[0].cta[0].n_warps = 1;
	m->cs[0].max_ctas = 1;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_LOCAL);
	m_insn(m, 1, TIMING_STORE, ISA_SPACE_LOCAL);
	struct exec_access a = m_addresses(LANES_ALL, ISA_SPACE_LOCAL, ISA_LOCAL_WINDOW, 0);
	m_issue(m, 0, 0, a);
	m_cycles(m, 2);
	m_expect(m, "1 leave w0\n2 send 0>1 LOCAL_ACC_R 3fc00000+128 8B\n");
	m_reply(m, 0);
	m_cycles(m, 3);
	text_clear(&m->log);
	m_issue(m, 1, 0, a);
	m_cycles(m, 3);
	m_expect(m, "6 complete 1\n6 free 1\n6 leave w0\n");
	assert_int_equal(m->t.requests.s->n_live, 0);
}

/* A store that an L1D of sectors misses stays there, too, and its request is over. */
static void sectors_take_stores(void **state)
{
	struct machine *m = *state;
	struct text why = {0};
	assert_true(cache_config_parse("S:32:128:4,L:B:m:L:L,A:32:8,8", true, &m->cfg.core.l1d, &why));
	m_start(m);
	m_insn(m, 0, TIMING_STORE, ISA_SPACE_GLOBAL);
	m_issue(m, 0, 3, m_addresses(1, ISA_SPACE_GLOBAL, GLOBAL, 0));
	m_cycles(m, 3);
	m_expect(m, "1 complete 0\n1 free 0\n1 leave w3\n");
	assert_int_equal(cache_get_stats(ldst_l1d(&m->core[0]))->count[GLOBAL_ACC_W][CACHE_MISS], 1);
	assert_int_equal(m->t.requests.s->n_live, 0);
}

/* ---- past L1D ---- */

/* .cg: the request enters the network in its access cycle. The reply waits in next_global, then next_wb, then the registers. */
static void load_that_bypasses_l1d(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL)->cache_op = TIMING_CACHE_GLOBAL;
	m_issue(m, 0, 3, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 4));
	m_cycles(m, 3);
	m_expect(m, "1 send 0>1 GLOBAL_ACC_R 80000000+128 8B\n1 leave w3\n");
	assert_int_equal(m->net_asked, 8); /* a read is a control packet */
	m_reply(m, 0);
	m_cycles(m, 1);
	assert_int_equal(m->core[0].ldst->s->next_global, m->out[0]);
	m_cycles(m, 4);
	m_expect(m, "6 write 0\n6 release 0 w3\n6 complete 0\n6 free 0\n");
}

/* The network is asked for data and header of a store; what is counted is COAL_STALL, the reason is ICNT_RC_FAIL. */
static void a_full_network_stalls(void **state)
{
	struct machine *m = *state;
	m->cfg.core.skip_l1d = true;
	m_start(m);
	m_insn(m, 0, TIMING_STORE, ISA_SPACE_GLOBAL);
	m_issue(m, 0, 3, m_addresses(0xffff, ISA_SPACE_GLOBAL, GLOBAL, 4));
	m->net_full = true;
	m_cycles(m, 3);
	m_expect(m, "");
	assert_int_equal(m->net_asked, 72);
	m_expect_obstacle(m, "the network has no room for a packet of 72 bytes");
	m->net_full = false;
	m_cycles(m, 1);
	struct text why = {0};
	assert_false(ldst_obstacle(&m->core[0], &why));
	m_expect(m, "4 send 0>1 GLOBAL_ACC_W 80000000+64 72B\n4 sent w3\n4 complete 0\n4 free 0\n4 leave w3\n");
	assert_int_equal(counted(m, STALL_G_MEM_ST, STALL_COAL_STALL), 3);
	assert_int_equal(really(m, STALL_G_MEM_ST, STALL_ICNT_RC_FAIL), 3);
}

/* skip_l1d is about global memory only. */
static void local_memory_uses_l1d_even_if_global_does_not(void **state)
{
	struct machine *m = *state;
	m->cfg.core.skip_l1d = true;
	m_start(m);
	m->cs[0].cta[0].n_warps = 1;
	m->cs[0].max_ctas = 1;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_LOCAL);
	m_issue(m, 0, 0, m_addresses(LANES_ALL, ISA_SPACE_LOCAL, ISA_LOCAL_WINDOW, 0));
	m_cycles(m, 2);
	m_expect(m, "1 leave w0\n2 send 0>1 LOCAL_ACC_R 3fc00000+128 8B\n");
}

/* Atomics: data in the request; the lanes of each reply are no longer outstanding when it reaches writeback. */
static void global_atomic(void **state)
{
	struct machine *m = *state;
	struct timing_insn *ti = m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	ti->is_atomic = true;
	ti->cache_op = TIMING_CACHE_GLOBAL;
	/* lanes 0 and 1 on one word: two transactions of 32 bytes, the later one first */
	m_issue(m, 0, 3, m_addresses(3, ISA_SPACE_GLOBAL, GLOBAL, 0));
	m_cycles(m, 3);
	m_expect(m, "1 send 0>1 GLOBAL_ACC_R 80000000+32 40B\n2 send 0>1 GLOBAL_ACC_R 80000000+32 40B\n2 leave w3\n");
	assert_int_equal(m->net_asked, 40);
	assert_int_equal(request_at(&m->t.requests, m->out[0])->lanes, 2);
	assert_int_equal(request_at(&m->t.requests, m->out[1])->lanes, 1);
	assert_true(request_at(&m->t.requests, m->out[0])->is_atomic);
	m_reply(m, 0);
	m_reply(m, 1);
	/* 4: next_global; 5: next_wb, the other reply into next_global; 6: written, next_wb; 7: written */
	m_cycles(m, 5);
	m_expect(m, "5 returned w3 1\n6 write 0\n6 returned w3 1\n7 write 0\n7 release 0 w3\n7 complete 0\n7 free 0\n");
}

/* A load without destination (red) is complete when it is sent; it lives on until the last reply. */
static void no_destination(void **state)
{
	struct machine *m = *state;
	struct timing_insn *ti = m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	ti->is_atomic = true;
	ti->cache_op = TIMING_CACHE_GLOBAL;
	ti->n_out = 0;
	m_issue(m, 0, 3, m_addresses(1, ISA_SPACE_GLOBAL, GLOBAL, 0));
	m_cycles(m, 2);
	m_expect(m, "1 send 0>1 GLOBAL_ACC_R 80000000+32 40B\n1 complete 0\n1 leave w3\n");
	m_reply(m, 0);
	m_cycles(m, 4);
	m_expect(m, "4 returned w3 1\n5 write 0\n5 free 0\n");
}

/* ---- constants ---- */

/* Parameters through L1C: two lines of 64 bytes, each missing; reply, fill, next_wb, registers as for L1D. */
static void constant_misses(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_PARAM);
	struct exec_access a = m_addresses(3, ISA_SPACE_PARAM, PARAM + 60, 4);
	m_issue(m, 0, 3, a);
	m_cycles(m, 4);
	m_expect(m, "2 send 0>1 CONST_ACC_R 40+64 8B\n2 leave w3\n3 send 0>1 CONST_ACC_R 0+64 8B\n");
	assert_int_equal(m->stats[0].n_cmem_portconflict, 1);
	assert_int_equal(counted(m, STALL_C_MEM, STALL_BK_CONF), 1);
	assert_int_equal(really(m, STALL_C_MEM, STALL_BK_CONF), 1);
	assert_int_equal(m->stats[0].n_param_mem_insn, 2);
	m_reply(m, 0);
	m_reply(m, 1);
	m_cycles(m, 5);
	m_expect(m, "7 write 0\n8 write 0\n8 release 0 w3\n8 complete 0\n8 free 0\n");
	/* and now they hit, one line a cycle */
	m->now = 0;
	m_issue(m, 0, 3, a);
	m_cycles(m, 3);
	m_expect(m, "2 complete 0\n2 release 0 w3 long\n2 free 0\n2 leave w3\n");
}

/* Two MSHRs: the third line fails and is tried again. Any access left counts as a bank conflict. */
static void constant_reservation_failure(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_CONST);
	m_issue(m, 0, 3, m_addresses(7, ISA_SPACE_CONST, CONST, 64));
	m_cycles(m, 5);
	m_expect(m, "2 send 0>2 CONST_ACC_R 180+64 8B\n3 send 0>2 CONST_ACC_R 140+64 8B\n");
	assert_int_equal(counted(m, STALL_C_MEM, STALL_BK_CONF), 5);
	assert_int_equal(really(m, STALL_C_MEM, STALL_BK_CONF), 2);
	assert_int_equal(really(m, STALL_C_MEM, STALL_MSHR_RC_FAIL), 3);
	assert_int_equal(m->stats[0].n_const_mem_insn, 3);
}

/* ---- nothing to access ---- */

static void without_lanes_it_passes_in_one_cycle(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_insn(m, 1, TIMING_STORE, ISA_SPACE_GLOBAL);
	m_insn(m, 2, TIMING_LOAD, ISA_SPACE_SHARED);
	m_insn(m, 3, TIMING_LOAD, ISA_SPACE_GENERIC);
	struct exec_access a = m_addresses(0, ISA_SPACE_GENERIC, 0, 0);
	m_issue(m, 0, 3, a);
	m_cycles(m, 1);
	m_expect(m, "1 complete 0\n1 release 0 w3 long\n1 free 0\n1 leave w3\n");
	m_issue(m, 1, 3, a);
	m_cycles(m, 1);
	m_expect(m, "2 complete 1\n2 free 1\n2 leave w3\n");
	m_issue(m, 3, 3, a);
	m_cycles(m, 1);
	m_expect(m, "3 complete 3\n3 release 3 w3 long\n3 free 3\n3 leave w3\n");
	/* a shared load takes its pipeline even so */
	m_issue(m, 2, 3, a);
	m_cycles(m, 6);
	m_expect(m, "7 leave w3\n8 write 2\n8 release 2 w3\n8 complete 2\n8 free 2\n");
}

static void a_memory_barrier_passes_like_a_store(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_MEMBAR, ISA_SPACE_GENERIC);
	uint32_t i = ++m->n_inst;
	m->inst[0][i] = (struct inst){.pc = 0, .warp = 3, .active = LANES_ALL, .dispatch = 1};
	ldst_issue(&m->core[0], i, 0);
	m_cycles(m, 2);
	m_expect(m, "1 complete 0\n1 free 0\n1 leave w3\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STARTED(shared_load_takes_three_stages_and_writeback),
		STARTED(bank_conflicts_hold_the_dispatch_register),
		STARTED(shared_store_ends_with_its_last_access),
		STARTED(shared_loads_are_pipelined),
		STARTED(shared_atomic),
		STARTED(l1d_miss),
		STARTED(l1d_hit_ends_in_its_access_cycle),
		STARTED(n_accesses_take_n_cycles),
		STARTED(hit_and_miss),
		STARTED(a_load_ends_with_its_last_reply),
		STARTED(merged_misses_are_answered_one_a_cycle),
		CONFIGURES(reservation_failures_are_retried),
		CONFIGURES(data_port_busy),
		STARTED(store_through_l1d),
		STARTED(local_store_hits),
		CONFIGURES(sectors_take_stores),
		STARTED(load_that_bypasses_l1d),
		CONFIGURES(a_full_network_stalls),
		CONFIGURES(local_memory_uses_l1d_even_if_global_does_not),
		STARTED(global_atomic),
		STARTED(no_destination),
		STARTED(constant_misses),
		STARTED(constant_reservation_failure),
		STARTED(without_lanes_it_passes_in_one_cycle),
		STARTED(a_memory_barrier_passes_like_a_store),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
