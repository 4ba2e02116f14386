/* Clusters of cores that are nothing but LDST units: what surrounds them is played by functions here that write down, with the cycle,
 * what they are asked. A log line is "CYCLE what arguments". */
#ifndef TESTS_LDST_MACHINE_H
#define TESTS_LDST_MACHINE_H

/* cmocka wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "timing/cluster.h"
#include "timing/ldst/coalesce.h"
#include "timing/core/collector.h"
#include "timing/ldst/ldst.h"
#include "timing/timing.h"

#define UNUSED __attribute__((unused))
#define M_CORES 4u
#define M_INSNS 32u
#define M_NET 256u

struct machine {
	struct arena arena;
	struct timing t;
	struct timing_config cfg;
	struct timing_state s;
	struct core core[M_CORES];
	struct cluster cluster[M_CORES];
	struct core_state cs[M_CORES];
	struct core_warp warp[M_CORES][CORE_WARPS_MAX];
	struct core_stats stats[M_CORES];
	struct inst inst[M_CORES][256];
	struct mem_access access[M_CORES][4096];
	uint32_t n_inst, free_access, n_access;
	struct timing_insn insn[M_INSNS];
	uint64_t now;
	struct text log;
	bool bank_taken; /* writes of registers fail */
	/* the network */
	bool net_full;
	uint32_t net_asked;		 /* bytes, the last time */
	uint32_t out[M_NET], n_out;	 /* what entered it */
	uint32_t in[M_NET], n_in, in_at; /* what comes out of it next */
};
static struct machine *the_machine; /* of the functions below */

__attribute__((format(printf, 1, 2))) static UNUSED void m_log(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	text_addf(&the_machine->log, "%llu ", (unsigned long long)the_machine->now);
	text_vaddf(&the_machine->log, fmt, ap);
	text_add(&the_machine->log, "\n");
	va_end(ap);
}

/* ---- the surroundings ---- */
void collector_step(struct core *c) { (void)c; }
bool collector_shares_bank(const struct core *c, const struct inst *i)
{
	(void)c;
	(void)i;
	return false;
}
bool collector_write_rest(struct core *c, const struct inst *i, uint8_t *written)
{
	(void)c;
	(void)written;
	m_log("%s %u", the_machine->bank_taken ? "no-write" : "write", i->pc);
	return !the_machine->bank_taken;
}
void scoreboard_release(struct core *c, uint32_t warp, const struct timing_insn *ti, bool clear_long)
{
	(void)c;
	if (ti->n_out)
		m_log("release %u w%u%s", (unsigned)(ti - the_machine->insn), warp, clear_long ? " long" : "");
}
void core_complete(struct core *c, const struct inst *i, uint64_t now)
{
	(void)c;
	assert_int_equal(now, the_machine->now);
	m_log("complete %u", i->pc);
}
void core_free_inst(struct core *c, uint32_t i)
{
	m_log("free %u", c->inst[i].pc);
	c->inst[i].used = false;
}
void core_leave_pipeline(struct core *c, uint32_t warp)
{
	c->warp[warp].in_pipeline--;
	m_log("leave w%u", warp);
}
void core_store_sent(struct core *c, uint32_t warp)
{
	c->warp[warp].stores++;
	m_log("sent w%u", warp);
}
void core_store_acknowledged(struct core *c, uint32_t warp)
{
	c->warp[warp].stores--;
	m_log("acknowledged w%u", warp);
}
void core_execute_atomic(struct core *c, uint32_t inst, uint32_t lanes)
{
	m_log("atomic w%u %x", c->inst[inst].warp, lanes);
}
void core_atomics_returned(struct core *c, uint32_t warp, uint32_t n_lanes)
{
	(void)c;
	m_log("returned w%u %u", warp, n_lanes);
}
uint32_t core_new_access(struct core *c)
{
	struct machine *m = the_machine;
	uint32_t a = m->free_access;
	if (a)
		m->free_access = c->access[a].next;
	else
		a = ++m->n_access;
	assert_true(a < 4096);
	return a;
}
void core_free_access(struct core *c, uint32_t a)
{
	c->access[a].next = the_machine->free_access;
	the_machine->free_access = a;
}
void core_wake(struct core *c) { (void)c; }
void core_fill_instruction(struct core *c, uint32_t request, uint64_t now)
{
	(void)now;
	m_log("instruction c%u %llx", c->id, (unsigned long long)request_at(&c->t->requests, request)->address);
}
bool icnt_has_buffer(const struct icnt *n, uint32_t device, uint32_t bytes)
{
	(void)n;
	(void)device;
	the_machine->net_asked = bytes;
	return !the_machine->net_full;
}
void icnt_push(struct icnt *n, uint32_t from, uint32_t to, uint32_t request, uint32_t bytes)
{
	struct machine *m = the_machine;
	const struct mem_request *r = request_at(&m->t.requests, request);
	(void)n;
	m_log("send %u>%u %s %llx+%u %uB", from, to, access_type_names[r->type], (unsigned long long)r->address,
	      r->size, bytes);
	assert_true(m->n_out < M_NET);
	m->out[m->n_out++] = request;
}
uint32_t icnt_pop(struct icnt *n, uint32_t device)
{
	struct machine *m = the_machine;
	(void)n;
	(void)device;
	return m->in_at < m->n_in ? m->in[m->in_at++] : 0;
}
/* Lines of 256 bytes go round over 4 sub-partitions. */
void address_decode(const struct address_map *map, uint64_t address, struct dram_place *out)
{
	(void)map;
	out->sub_partition = (uint32_t)(address >> 8 & 3);
}
void partitions_note_round_trip(struct partitions *p, uint32_t request, uint64_t latency)
{
	(void)p;
	(void)request;
	m_log("round trip %llu", (unsigned long long)latency);
}

/* ---- the machine ---- */
static UNUSED void m_cache(struct cache_config *out, const char *config)
{
	struct text why = {0};
	if (!cache_config_parse(config, false, out, &why))
		fail_msg("%s", text_str(&why));
	text_free(&why);
}

/* A Fermi-like core; change `cfg` before m_start. */
static UNUSED struct machine *m_new(void)
{
	struct machine *m = xcalloc_aligned(_Alignof(struct machine), sizeof *m);
	struct core_config *k = &m->cfg.core;
	the_machine = m;
	k->n_warps = 48;
	k->warp_threads = LANES;
	k->threads = 1536;
	k->n_cores = k->n_clusters = k->cores_per_cluster = 1;
	k->shared_banks = 32;
	k->warp_parts = 1;
	k->smem_latency = 3;
	k->flit_bytes = 32;
	k->coalesce_arch = 13;
	k->local_map = true;
	k->ldst_response_fifo = 2;
	k->cluster_response_fifo = 8;
	m_cache(&k->l1c, "64:64:2,L:R:f:N,A:2:32,4");
	m_cache(&k->l1t, "4:128:24,L:R:m:N,F:128:4,128:2");
	m_cache(&k->l1d, "32:128:4,L:L:m:N,A:32:8,8");
	k->l1d_pref_l1.disabled = k->l1d_pref_shared.disabled = true;
	m->cfg.memlatency_stat = 1;
	return m;
}

static UNUSED void m_start(struct machine *m)
{
	const struct core_config *k = &m->cfg.core;
	arena_init(&m->arena);
	assert_true(timing_memory_init(&m->t.memory, &m->arena, machine_limits_of_host()));
	assert_true(requests_init(&m->t.requests, &m->arena, machine_limits_of_host()));
	m->t.cfg = &m->cfg;
	m->t.s = &m->s;
	m->t.core = m->core;
	m->t.cluster = m->cluster;
	m->t.icnt = k->perfect_mem ? NULL : (struct icnt *)m;
	m->t.partitions = (struct partitions *)m;
	m->t.program.insns = m->insn;
	for (uint32_t n = 0; n < k->n_cores; n++) {
		m->core[n] = (struct core){.t = &m->t,
					   .cfg = k,
					   .program = &m->t.program,
					   .id = n,
					   .cluster = n / k->cores_per_cluster,
					   .s = &m->cs[n],
					   .warp = m->warp[n],
					   .inst = m->inst[n],
					   .access = m->access[n],
					   .stats = &m->stats[n]};
		m->core[n].ldst = ldst_create(&m->t.memory, &m->core[n]);
		assert_non_null(m->core[n].ldst);
	}
	m->t.responding = timing_take(&m->t.memory, (k->n_clusters + 63) / 64, sizeof *m->t.responding);
	assert_non_null(m->t.responding);
	for (uint32_t n = 0; n < k->n_clusters; n++)
		assert_true(cluster_create(&m->cluster[n], &m->t, n, &m->core[n * k->cores_per_cluster]));
}

static UNUSED void m_free(struct machine *m)
{
	for (uint32_t n = 0; n < m->cfg.core.n_cores; n++)
		ldst_destroy(m->core[n].ldst);
	for (uint32_t n = 0; n < m->cfg.core.n_clusters; n++)
		cluster_destroy(&m->cluster[n]);
	arena_free(&m->arena);
	text_free(&m->log);
	free(m);
}

/* ---- a test's rows in main: its *state is a struct machine, of one core ---- */
static UNUSED int m_set_up(void **state)
{
	*state = m_new();
	return 0;
}

static UNUSED int m_set_up_started(void **state)
{
	struct machine *m = *state = m_new();
	m_start(m);
	return 0;
}

static UNUSED int m_tear_down(void **state)
{
	m_free(*state);
	return 0;
}

#define CONFIGURES(test) cmocka_unit_test_setup_teardown(test, m_set_up, m_tear_down) /* and then calls m_start */
#define STARTED(test) cmocka_unit_test_setup_teardown(test, m_set_up_started, m_tear_down)

/* What was logged since the last look. */
static UNUSED void m_expect(struct machine *m, const char *log)
{
	assert_string_equal(text_str(&m->log), log);
	text_clear(&m->log);
}

/* The same, but only that these lines are there, each ended by a newline. */
static UNUSED void m_expect_line(struct machine *m, const char *line)
{
	if (!strstr(text_str(&m->log), line))
		fail_msg("\"%s\" is not among:\n%s", line, text_str(&m->log));
}

/* What core 0's unit can't go on with. */
static UNUSED void m_expect_obstacle(struct machine *m, const char *obstacle)
{
	struct text why = {0};
	assert_true(ldst_obstacle(&m->core[0], &why));
	assert_string_equal(text_str(&why), obstacle);
	text_free(&why);
}

/* ---- instructions ---- */
static UNUSED struct timing_insn *m_insn(struct machine *m, uint32_t pc, enum timing_class class, enum isa_space space)
{
	m->insn[pc] = (struct timing_insn){.class = (uint8_t) class,
					   .space = (uint8_t)space,
					   .data_bytes = 4,
					   .vec = 1,
					   .n_out = class == TIMING_LOAD,
					   .initiation = 1,
					   .latency = 1};
	return &m->insn[pc];
}

/* What exec would have recorded: lane l at first + l * stride. */
static UNUSED struct exec_access m_addresses(uint32_t lanes, enum isa_space space, uint64_t first, uint64_t stride)
{
	struct exec_access a = {.lanes = lanes, .size = 4, .space = (uint8_t)space};
	for (unsigned l = 0; l < LANES; l++)
		a.address[l] = first + l * stride;
	return a;
}

/* Issued by core 0's front end, not yet in the unit. */
static UNUSED uint32_t m_make(struct machine *m, uint32_t pc, uint32_t warp, struct exec_access a)
{
	uint32_t k = ++m->n_inst;
	struct core *c = &m->core[0];
	c->inst[k] = (struct inst){.uid = k, .pc = pc, .warp = (uint16_t)warp, .active = a.lanes, .dispatch = 1};
	c->warp[warp].in_pipeline++;
	ldst_make_accesses(c, &c->inst[k], &a);
	return k;
}

/* Taken by core 0's unit in this cycle's execute stage: its first access is in the next cycle. */
static UNUSED uint32_t m_issue(struct machine *m, uint32_t pc, uint32_t warp, struct exec_access a)
{
	uint32_t k = m_make(m, pc, warp, a);
	assert_true(ldst_accepts(&m->core[0]));
	ldst_issue(&m->core[0], k, m->now);
	return k;
}

static UNUSED void m_cycles(struct machine *m, unsigned n)
{
	for (; n; n--) {
		m->now++;
		ldst_cycle(&m->core[0], m->now);
	}
}

/* The reply to the k-th request sent is in the unit's response FIFO at the start of the next cycle. */
static UNUSED void m_reply(struct machine *m, uint32_t k)
{
	request_at(&m->t.requests, m->out[k])->is_reply = true;
	assert_false(ldst_response_full(&m->core[0]));
	ldst_fill(&m->core[0], m->out[k], m->now);
}

/* A line into L1D: miss, reply, everything over. */
static UNUSED void m_warm(struct machine *m, uint32_t pc, uint64_t address)
{
	uint32_t sent = m->n_out;
	m_issue(m, pc, 0, m_addresses(1, ISA_SPACE_GLOBAL, address, 0));
	m_cycles(m, 2);
	m_reply(m, sent);
	m_cycles(m, 6);
	text_clear(&m->log);
	m->now = 0;
	m->n_out = 0;
	m->stats[0] = (struct core_stats){0};
}

#endif
