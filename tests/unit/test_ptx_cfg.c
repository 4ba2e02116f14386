/* Post-dominators against graphs worked by hand and against the definition (removing a block), register pressure against
 * hand counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "isa/opcodes.h"
#include "isa/flow/cfg.h"

#define EXIT(n) (n)

static void expect_ipdom(uint32_t n, const struct cfg_edge *e, uint32_t n_e, const uint32_t *want)
{
	struct cfg g;

	cfg_from_edges(&g, n, e, n_e);
	cfg_postdominators(&g);
	for (uint32_t b = 0; b < n; b++)
		assert_int_equal(g.ipdom[b], want[b]);
	assert_int_equal(g.ipdom[n], n);
	cfg_free(&g);
}

#define CHECK(n, edges, ...) \
	do { \
		static const uint32_t want[] = {__VA_ARGS__}; \
		assert_int_equal(sizeof want / 4, n); \
		expect_ipdom(n, edges, sizeof edges / sizeof *edges, want); \
	} while (0)

static void test_if_else(void **state)
{
	(void)state;
	static const struct cfg_edge e[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}};
	CHECK(4, e, 3, 3, 3, 4);
}

static void test_nested_if(void **state)
{
	(void)state;
	/* 0 ? (1 ? 2 : 3; 4) : 5; 6 */
	static const struct cfg_edge e[] = {{0, 1}, {0, 5}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 6}, {5, 6}, {6, 7}};
	CHECK(7, e, 6, 4, 4, 4, 6, 6, 7);
}

static void test_loop_with_break(void **state)
{
	(void)state;
	/* 0; 1: header -> 2 or 4; 2 -> 3 or 4 (break); 3 -> 1; 4 -> exit */
	static const struct cfg_edge e[] = {{0, 1}, {1, 2}, {1, 4}, {2, 3}, {2, 4}, {3, 1}, {4, 5}};
	CHECK(5, e, 1, 4, 4, 1, 5);
}

static void test_several_exits(void **state)
{
	(void)state;
	/* 0 -> 1 (returns) or 2; 2 -> 3 (returns) or 4 -> returns */
	static const struct cfg_edge e[] = {{0, 1}, {0, 2}, {1, 5}, {2, 3}, {2, 4}, {3, 5}, {4, 5}};
	CHECK(5, e, 5, 5, 5, 5, 5);
}

static void test_irreducible(void **state)
{
	(void)state;
	/* two entries into the cycle 1 <-> 2 */
	static const struct cfg_edge e[] = {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3}, {3, 4}};
	CHECK(4, e, 2, 2, 3, 4);
}

static void test_infinite_loop(void **state)
{
	(void)state;
	/* 0 -> 1; 1 -> 2 or 3; 2 -> 4; 3 -> 4; 4 -> 1: never ends, yet 2 and 3 meet in 4 */
	static const struct cfg_edge e[] = {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 1}};
	CHECK(5, e, 1, 4, 4, 4, 5);
	/* 0 -> 1 or 2; 1 -> 1 for ever; 2 -> exit */
	static const struct cfg_edge f[] = {{0, 1}, {0, 2}, {1, 1}, {2, 3}};
	CHECK(3, f, 3, 3, 3);
	/* two endless loops after one another: only the second has no way out */
	static const struct cfg_edge h[] = {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}};
	CHECK(4, h, 1, 2, 3, 4);
}

static void test_switch(void **state)
{
	(void)state;
	static const struct cfg_edge e[] = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 3}, {3, 4}, {4, 5}, {0, 2}};
	CHECK(5, e, 4, 4, 3, 4, 5);
}

/* ---- the definition ---- */

static uint64_t next_random(uint64_t *s)
{
	uint64_t z = (*s += UINT64_C(0x9E3779B97F4A7C15));
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/* Can `from` reach the exit without passing `without`? By relaxation over the edge list, nothing shared with the code. */
static bool reaches_exit(const struct cfg *g, uint32_t from, uint32_t without)
{
	bool seen[64] = {false};
	bool more = true;

	seen[from] = from != without;
	while (more) {
		more = false;
		for (uint32_t e = 0; e < g->n_edges; e++) {
			uint32_t a = g->edges[e].from, b = g->edges[e].to;
			if (seen[a] && !seen[b] && b != without) {
				seen[b] = true;
				more = true;
			}
		}
	}
	return seen[g->n];
}

static bool postdominates(const struct cfg *g, uint32_t x, uint32_t y)
{
	return x == y || x == g->n || !reaches_exit(g, y, x);
}

static void check_by_definition(const struct cfg *g)
{
	for (uint32_t b = 0; b < g->n; b++) {
		assert_true(reaches_exit(g, b, UINT32_MAX));
		uint32_t d = g->ipdom[b];
		assert_int_not_equal(d, b);
		assert_true(postdominates(g, d, b));
		/* every other strict post-dominator of b post-dominates d as well */
		for (uint32_t x = 0; x <= g->n; x++)
			if (x != b && postdominates(g, x, b))
				assert_true(d == g->n ? x == g->n : postdominates(g, x, d));
	}
}

static void test_random_graphs(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (int round = 0; round < 3000; round++) {
		uint32_t n = 1 + (uint32_t)(next_random(&seed) % 14), n_e = 0;
		struct cfg_edge e[64];
		for (uint32_t b = 0; b < n; b++)
			for (uint64_t k = next_random(&seed) % 4; k; k--)
				e[n_e++] = (struct cfg_edge){b, (uint32_t)(next_random(&seed) % (n + 1))};
		struct cfg g;
		cfg_from_edges(&g, n, e, n_e);
		cfg_postdominators(&g);
		check_by_definition(&g);
		/* a graph in which every block reaches the exit stays as it is */
		bool all = true;
		struct cfg real = g;
		real.n_edges = g.n_real;
		for (uint32_t b = 0; b < n; b++)
			all &= reaches_exit(&real, b, UINT32_MAX);
		assert_int_equal(all, g.n_real == g.n_edges);
		cfg_free(&g);
	}
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Shapes that make simple algorithms quadratic: a chain, a ladder of nested loops, a comb. */
static void test_big_graphs(void **state)
{
	(void)state;
	uint32_t n = 200000;
	struct cfg_edge *e = xmalloc(3 * (size_t)n * sizeof *e);
	for (int shape = 0; shape < 3; shape++) {
		uint32_t n_e = 0;
		for (uint32_t b = 0; b < n; b++) {
			e[n_e++] = (struct cfg_edge){b, b + 1};
			if (shape == 1)
				e[n_e++] = (struct cfg_edge){b, n - 1 - b};
			if (shape == 2)
				e[n_e++] = (struct cfg_edge){b, b < n / 2 ? n - 1 - b : b - n / 2};
		}
		struct cfg g;
		double from = seconds();
		cfg_from_edges(&g, n, e, n_e);
		cfg_postdominators(&g);
		assert_true(seconds() - from < 5);
		if (shape == 0)
			for (uint32_t b = 0; b < n; b++)
				assert_int_equal(g.ipdom[b], b + 1);
		cfg_free(&g);
	}
	free(e);
}

/* ---- functions put together by hand ---- */

#define ROW(k) (64u + 128u * (k)) /* 32-bit rows after one block of predicates */
#define WIDE(k) (64u + 128u * 16u + 256u * (k))
#define MAX 16

struct made {
	struct isa_program p;
	struct isa_function f;
	struct isa_reg regs[2];
	struct isa_insn insns[MAX];
	struct isa_where where[MAX];
	uint32_t rw[8 * MAX];
	struct isa_function *functions[1];
};

static void made_init(struct made *m)
{
	memset(m, 0, sizeof *m);
	m->regs[0] = (struct isa_reg){"%r", 16, ROW(0), ISA_B32, 0, MAX, 0};
	m->regs[1] = (struct isa_reg){"%rd", 8, WIDE(0), ISA_B64, 0, MAX, 0};
	m->f = (struct isa_function){
		.name = "f", .is_defined = true, .frame_bytes = WIDE(8), .regs = m->regs, .n_regs = 2};
	m->functions[0] = &m->f;
	m->p = (struct isa_program){
		.insns = m->insns, .where = m->where, .rw = m->rw, .functions = m->functions, .n_functions = 1};
}

/* Appends an instruction writing `w` (0: nothing) and reading `a` and `b`. */
static struct isa_insn *put(struct made *m, enum isa_opcode op, uint32_t w, uint32_t a, uint32_t b)
{
	struct isa_insn *i = &m->insns[m->f.end];
	struct isa_where *at = &m->where[m->f.end++];

	*i = (struct isa_insn){.opcode = (uint16_t)op, .guard = ISA_PRED_TRUE, .target = ISA_NO_TARGET};
	at->rw = m->p.n_rw;
	if (w) {
		m->rw[m->p.n_rw++] = w;
		at->n_writes++;
	}
	for (int k = 0; k < 2; k++) {
		if (k ? b : a) {
			m->rw[m->p.n_rw++] = k ? b : a;
			at->n_reads++;
		}
	}
	return i;
}

static uint32_t pressure(struct made *m)
{
	struct cfg g;

	cfg_build(&g, &m->p, &m->f);
	cfg_postdominators(&g);
	uint32_t across, n = cfg_live_registers(&g, &m->p, &m->f, &across);
	cfg_free(&g);
	return n;
}

static void test_pressure(void **state)
{
	(void)state;
	struct made m;
	made_init(&m);
	put(&m, ISA_OP_MOV, ROW(0), 0, 0);
	put(&m, ISA_OP_MOV, ROW(1), 0, 0);
	put(&m, ISA_OP_MOV, WIDE(0), 0, 0);	     /* r0 r1 rd0: 4 */
	put(&m, ISA_OP_ADD, ROW(2), ROW(0), ROW(1)); /* r2 rd0: 3 */
	put(&m, ISA_OP_ST, 0, WIDE(0), ROW(2));
	put(&m, ISA_OP_RET, 0, 0, 0);
	assert_int_equal(pressure(&m), 4);
}

static void test_pressure_loop(void **state)
{
	(void)state;
	/* r0..r2 set before, used after a loop that needs r3 and r4 */
	struct made m;
	made_init(&m);
	for (uint32_t k = 0; k < 4; k++)
		put(&m, ISA_OP_MOV, ROW(k), 0, 0);
	put(&m, ISA_OP_MOV, ROW(4), 0, 0);
	put(&m, ISA_OP_ADD, ROW(3), ROW(3), ROW(4)); /* 5: the loop's first; r4 stays live for the next round */
	struct isa_insn *back = put(&m, ISA_OP_BRA, 0, 0, 0);
	back->guard = 2;
	back->target = 5;
	put(&m, ISA_OP_ST, 0, ROW(0), ROW(1));
	put(&m, ISA_OP_ST, 0, ROW(2), ROW(3));
	put(&m, ISA_OP_EXIT, 0, 0, 0);
	assert_int_equal(pressure(&m), 5);
}

static void test_pressure_guarded_write(void **state)
{
	(void)state;
	/* the guarded write leaves the other lanes' r0, so r0 is live over it, together with r1 and r2 */
	struct made m;
	made_init(&m);
	put(&m, ISA_OP_MOV, ROW(0), 0, 0);
	put(&m, ISA_OP_MOV, ROW(1), 0, 0);
	put(&m, ISA_OP_MOV, ROW(2), 0, 0);
	put(&m, ISA_OP_ST, 0, ROW(1), ROW(2));
	put(&m, ISA_OP_MOV, ROW(0), 0, 0)->guard = 2;
	put(&m, ISA_OP_ST, 0, ROW(0), 0);
	put(&m, ISA_OP_RET, 0, 0, 0);
	assert_int_equal(pressure(&m), 3);
	m.insns[4].guard = ISA_PRED_TRUE;
	assert_int_equal(pressure(&m), 2);
}

/* Random functions against the textbook's equations, solved register by register over single instructions. */
#define RANDOM_INSNS 40
#define RANDOM_REGS 90 /* more than one word of 64 */

struct random_function {
	struct isa_program p;
	struct isa_function f;
	struct isa_reg reg;
	struct isa_insn insns[RANDOM_INSNS];
	struct isa_where where[RANDOM_INSNS];
	uint32_t rw[4 * RANDOM_INSNS];
	struct isa_function *functions[1];
};

static void make_random(struct random_function *m, uint64_t *seed)
{
	memset(m, 0, sizeof *m);
	m->reg = (struct isa_reg){"%r", RANDOM_REGS, ROW(0), ISA_B32, 0, RANDOM_INSNS, 0};
	m->f = (struct isa_function){.name = "f",
				     .is_defined = true,
				     .end = RANDOM_INSNS,
				     .frame_bytes = ROW(RANDOM_REGS),
				     .regs = &m->reg,
				     .n_regs = 1};
	m->functions[0] = &m->f;
	m->p = (struct isa_program){
		.insns = m->insns, .where = m->where, .rw = m->rw, .functions = m->functions, .n_functions = 1};
	uint32_t n_regs = 1 + (uint32_t)(next_random(seed) % RANDOM_REGS);
	for (uint32_t k = 0; k < RANDOM_INSNS; k++) {
		uint64_t r = next_random(seed);
		enum isa_opcode op = k + 1 == RANDOM_INSNS ? ISA_OP_RET
				     : r % 5 == 0	   ? ISA_OP_BRA
				     : r % 31 == 1	   ? ISA_OP_EXIT
							   : ISA_OP_ADD;
		m->insns[k] = (struct isa_insn){
			.opcode = (uint16_t)op,
			.guard = k + 1 < RANDOM_INSNS && (op == ISA_OP_EXIT || r >> 8 & 1) ? 2 : ISA_PRED_TRUE,
			.target = op == ISA_OP_BRA ? (uint32_t)(r >> 16) % RANDOM_INSNS : ISA_NO_TARGET};
		m->where[k].rw = m->p.n_rw;
		if (op != ISA_OP_ADD)
			continue;
		m->where[k].n_writes = (uint16_t)(r >> 24 & 1);
		m->where[k].n_reads = (uint16_t)((r >> 25) % 3);
		for (int i = 0; i < m->where[k].n_writes + m->where[k].n_reads; i++)
			m->rw[m->p.n_rw++] = ROW((uint32_t)(next_random(seed) % n_regs));
	}
}

static uint32_t naive_pressure(const struct random_function *m)
{
	static bool live[RANDOM_INSNS + 1][RANDOM_REGS];
	bool more = true;
	memset(live, 0, sizeof live);
	while (more) {
		more = false;
		for (uint32_t k = 0; k < RANDOM_INSNS; k++)
			for (uint32_t r = 0; r < RANDOM_REGS; r++) {
				const struct isa_insn *i = &m->insns[k];
				const struct isa_where *w = &m->where[k];
				bool reads = false, writes = false, out = false;
				for (int n = 0; n < w->n_writes + w->n_reads; n++)
					if (m->rw[w->rw + (uint32_t)n] == ROW(r))
						*(n < w->n_writes ? &writes : &reads) = true;
				if (i->opcode == ISA_OP_BRA)
					out |= live[i->target][r];
				if (i->guard != ISA_PRED_TRUE || i->opcode == ISA_OP_ADD)
					out |= live[k + 1][r];
				bool in = reads || (out && !(writes && i->guard == ISA_PRED_TRUE));
				more |= in != live[k][r];
				live[k][r] = in;
			}
	}
	uint32_t most = 1;
	for (uint32_t k = 0; k < RANDOM_INSNS; k++) {
		uint32_t n = 0;
		for (uint32_t r = 0; r < RANDOM_REGS; r++)
			n += live[k][r];
		most = n > most ? n : most;
	}
	return most;
}

static void test_pressure_random(void **state)
{
	(void)state;
	uint64_t seed = 99;
	for (int round = 0; round < 500; round++) {
		struct random_function m;
		make_random(&m, &seed);
		struct cfg g;
		cfg_build(&g, &m.p, &m.f);
		cfg_postdominators(&g);
		uint32_t across;
		assert_int_equal(cfg_live_registers(&g, &m.p, &m.f, &across), naive_pressure(&m));
		cfg_free(&g);
	}
}

static void test_blocks(void **state)
{
	(void)state;
	/* 0 mov; 1 @p bra 4; 2 mov; 3 @p exit; 4 mov; 5 ret */
	struct made m;
	made_init(&m);
	put(&m, ISA_OP_MOV, ROW(0), 0, 0);
	struct isa_insn *b = put(&m, ISA_OP_BRA, 0, 0, 0);
	b->guard = 2;
	b->target = 4;
	put(&m, ISA_OP_MOV, ROW(0), 0, 0);
	put(&m, ISA_OP_EXIT, 0, 0, 0)->guard = 2;
	put(&m, ISA_OP_MOV, ROW(0), 0, 0);
	put(&m, ISA_OP_RET, 0, 0, 0);
	struct cfg g;
	cfg_build(&g, &m.p, &m.f);
	cfg_postdominators(&g);
	assert_int_equal(g.n, 3);
	assert_int_equal(g.first[1], 2);
	assert_int_equal(g.first[2], 4);
	assert_int_equal(g.n_edges, 5); /* 0-2 0-1 1-2 1-exit 2-exit */
	assert_int_equal(g.ipdom[0], 3);
	assert_int_equal(g.ipdom[2], 3);
	assert_int_equal(cfg_block_of(&g, 3), 1);
	cfg_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_if_else),		cmocka_unit_test(test_nested_if),
		cmocka_unit_test(test_loop_with_break), cmocka_unit_test(test_several_exits),
		cmocka_unit_test(test_irreducible),	cmocka_unit_test(test_infinite_loop),
		cmocka_unit_test(test_switch),		cmocka_unit_test(test_random_graphs),
		cmocka_unit_test(test_big_graphs),	cmocka_unit_test(test_pressure),
		cmocka_unit_test(test_pressure_loop),	cmocka_unit_test(test_pressure_guarded_write),
		cmocka_unit_test(test_blocks),		cmocka_unit_test(test_pressure_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
