/* Coalescing: tables worked out by hand from the rules of compute capability 1.2/1.3 and GPGPU-Sim's arch 13, laws over random accesses,
 * and what an instruction gets for its space. */
#include "ldst_machine.h"

#define BASE UINT64_C(0x80000000)

/* "address+size:lanes" of each transaction, addresses from BASE, in order of creation. */
static void transactions(const struct coalesce_in *in, struct text *out)
{
	struct transaction t[COALESCE_MAX];
	uint32_t n = coalesce(in, t);
	for (uint32_t k = 0; k < n; k++)
		text_addf(out, "%s%llx+%u:%x", k ? " " : "", (unsigned long long)(t[k].address - BASE), t[k].size,
			  t[k].lanes);
}

/* Lane l at first + l * stride. */
struct row {
	uint32_t bytes, parts, lanes;
	uint64_t first, stride;
	const char *expected;
};

static void table(const struct row *rows, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const struct row *r = &rows[k];
		uint64_t address[LANES];
		struct text got = {0};
		for (unsigned l = 0; l < LANES; l++)
			address[l] = BASE + r->first + l * r->stride;
		struct coalesce_in in = {.address = address,
					 .lanes = r->lanes,
					 .pieces = 1,
					 .bytes = r->bytes,
					 .segment = coalesce_segment(r->bytes, false),
					 .width = LANES / r->parts};
		transactions(&in, &got);
		if (strcmp(text_str(&got), r->expected))
			fail_msg("row %zu: %s, not %s", k, text_str(&got), r->expected);
		text_free(&got);
	}
}

/* Segments of 32, 64, 128, 128, 128 bytes for elements of 1, 2, 4, 8, 16. */
static void consecutive_elements(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{1, 1, LANES_ALL, 0, 1, "0+32:ffffffff"},
		{2, 1, LANES_ALL, 0, 2, "0+64:ffffffff"},
		{4, 1, LANES_ALL, 0, 4, "0+128:ffffffff"},
		{8, 1, LANES_ALL, 0, 8, "0+128:ffff 80+128:ffff0000"},
		{16, 1, LANES_ALL, 0, 16, "0+128:ff 80+128:ff00 100+128:ff0000 180+128:ff000000"},
		/* half warps: 16 lanes each */
		{1, 2, LANES_ALL, 0, 1, "0+32:ffff 0+32:ffff0000"},
		{2, 2, LANES_ALL, 0, 2, "0+32:ffff 20+32:ffff0000"},
		{4, 2, LANES_ALL, 0, 4, "0+64:ffff 40+64:ffff0000"},
		{8, 2, LANES_ALL, 0, 8, "0+128:ffff 80+128:ffff0000"},
		{16, 2, LANES_ALL, 0, 16, "0+128:ff 80+128:ff00 100+128:ff0000 180+128:ff000000"},
		/* quarter warps */
		{4, 4, LANES_ALL, 0, 4, "0+32:ff 20+32:ff00 40+32:ff0000 60+32:ff000000"},
	};
	table(rows, sizeof rows / sizeof rows[0]);
}

/* 128 -> 64 if one half is used, 64 -> 32 if one half of that is. */
static void transactions_shrink(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{4, 1, 0x00000001, 0, 4, "0+32:1"},
		{4, 1, 0x00000100, 0, 4, "20+32:100"},
		{4, 1, 0x00010000, 0, 4, "40+32:10000"},
		{4, 1, 0x01000000, 0, 4, "60+32:1000000"},
		{4, 1, 0x00000101, 0, 4, "0+64:101"},
		{4, 1, 0x01010000, 0, 4, "40+64:1010000"},
		/* both halves: all of it, although two chunks would do */
		{4, 1, 0x00010001, 0, 4, "0+128:10001"},
		{4, 1, 0x01000100, 0, 4, "0+128:1000100"},
		{4, 1, 0x00010100, 0, 4, "0+128:10100"},
		{2, 1, 0x00000001, 0, 2, "0+32:1"},
		{2, 1, 0x80000000, 0, 2, "20+32:80000000"},
		{2, 1, 0x80000001, 0, 2, "0+64:80000001"},
		{2, 1, 0x00000003, 64, 2, "40+32:3"}, /* the upper 64 bytes of the window */
		{2, 1, 0x00000003, 96, 2, "60+32:3"},
		{2, 1, 0x0000ffff, 80, 2, "40+64:ffff"},
		{1, 1, 0x00000001, 31, 1, "0+32:1"},
	};
	table(rows, sizeof rows / sizeof rows[0]);
}

static void strides_and_offsets(void **state)
{
	(void)state;
	static const struct row rows[] = {
		/* one word for all */
		{4, 1, LANES_ALL, 4, 0, "0+32:ffffffff"},
		{4, 2, LANES_ALL, 4, 0, "0+32:ffff 0+32:ffff0000"},
		/* every second word */
		{4, 1, LANES_ALL, 0, 8, "0+128:ffff 80+128:ffff0000"},
		/* shifted by a word: 31 lanes in one segment, the last in the next */
		{4, 1, LANES_ALL, 4, 4, "0+128:7fffffff 80+32:80000000"},
		/* shifted by 64 bytes */
		{4, 1, LANES_ALL, 64, 4, "40+64:ffff 80+64:ffff0000"},
		/* each lane its own line */
		{4, 1, 0x0000000f, 0, 128, "0+32:1 80+32:2 100+32:4 180+32:8"},
		{4, 1, 0x0000000f, 100, 128, "60+32:1 e0+32:2 160+32:4 1e0+32:8"},
		/* ascending addresses, whatever the order of the lanes */
		{4, 1, 0x0000000f, 0x400, (uint64_t)-128, "280+32:8 300+32:4 380+32:2 400+32:1"},
		{4, 2, 0x000f000f, 0x1000, (uint64_t)-128,
		 "e80+32:8 f00+32:4 f80+32:2 1000+32:1 680+32:80000 700+32:40000 780+32:20000 800+32:10000"},
		{4, 1, 0, 0, 4, ""},
		/* a sub-warp without lanes makes nothing */
		{4, 2, 0xffff0000, 0, 4, "40+64:ffff0000"},
	};
	table(rows, sizeof rows / sizeof rows[0]);
}

/* Capability 2.0 to 3.7 without L1: 32 bytes each, whatever the element, but for one byte it is 32 anyway. */
static void sectors(void **state)
{
	(void)state;
	assert_int_equal(coalesce_segment(1, true), 32);
	assert_int_equal(coalesce_segment(2, true), 32);
	assert_int_equal(coalesce_segment(16, true), 32);
	uint64_t address[LANES];
	struct text got = {0};
	for (unsigned l = 0; l < LANES; l++)
		address[l] = BASE + l * 4;
	struct coalesce_in in = {
		.address = address, .lanes = 0xffff00ff, .pieces = 1, .bytes = 4, .segment = 32, .width = LANES};
	transactions(&in, &got);
	assert_string_equal(text_str(&got), "0+32:ff 40+32:ff0000 60+32:ff000000");
	text_free(&got);
}

/* n lanes on one address: n transactions. Lanes side by side share one. First fit: a later lane may go into an earlier one. */
static void atomics(void **state)
{
	(void)state;
	struct text got = {0};
	uint64_t address[LANES];
	for (unsigned l = 0; l < LANES; l++)
		address[l] = BASE;
	struct coalesce_in in = {.address = address,
				 .lanes = 0x7,
				 .pieces = 1,
				 .bytes = 4,
				 .segment = 128,
				 .width = LANES / 2,
				 .is_atomic = true};
	transactions(&in, &got);
	assert_string_equal(text_str(&got), "0+32:1 0+32:2 0+32:4");
	text_clear(&got);
	/* words 0 0 1 0 1 20: lane 0 takes word 0; lane 1 a second; lane 2 fits the first; lane 3 a third; lane 4 the second; lane 5
	 * (byte 80, upper half) the first */
	const unsigned word[6] = {0, 0, 1, 0, 1, 20};
	for (unsigned l = 0; l < 6; l++)
		address[l] = BASE + word[l] * 4;
	in.lanes = 0x3f;
	transactions(&in, &got);
	assert_string_equal(text_str(&got), "0+128:25 0+32:12 0+32:8");
	text_clear(&got);
	/* 8-byte elements overlap from both ends */
	address[0] = BASE + 8;
	address[1] = BASE;
	address[2] = BASE + 8;
	in.lanes = 7;
	in.bytes = 8;
	transactions(&in, &got);
	assert_string_equal(text_str(&got), "0+32:3 0+32:4");
	text_clear(&got);
	/* of two segments: the segments ascending, within one in order of creation */
	for (unsigned l = 0; l < 4; l++)
		address[l] = BASE + (l & 1 ? 0 : 128);
	in.lanes = 0xf;
	in.bytes = 4;
	transactions(&in, &got);
	assert_string_equal(text_str(&got), "0+32:2 0+32:8 80+32:1 80+32:4");
	text_free(&got);
}

static void lines_of_constants(void **state)
{
	(void)state;
	struct transaction t[LANES];
	uint64_t address[LANES];
	for (unsigned l = 0; l < LANES; l++)
		address[l] = 200 - l * 4;
	/* lanes 0..2 at 200, 196, 192; 3.. below 192 */
	assert_int_equal(coalesce_lines(address, 0xf, 64, t), 2);
	assert_int_equal(t[0].address, 128);
	assert_int_equal(t[0].lanes, 8);
	assert_int_equal(t[1].address, 192);
	assert_int_equal(t[1].lanes, 7);
	assert_int_equal(t[1].size, 64);
	for (unsigned l = 0; l < LANES; l++)
		address[l] = l * 64;
	assert_int_equal(coalesce_lines(address, LANES_ALL, 64, t), 32);
	assert_int_equal(t[31].address, 31 * 64);
}

/* ---- laws ---- */
static uint32_t next_random(uint64_t *s)
{
	*s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*s >> 33);
}

/* Each sub-warp's transactions: aligned to their size, of 32, 64 or 128 bytes, covering every lane's bytes; lanes that may share never
 * need two transactions of one segment; those of atomics never overlap in a transaction. */
static void laws(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (unsigned round = 0; round < 20000; round++) {
		const uint32_t bytes = 1u << next_random(&seed) % 5;
		uint64_t address[LANES];
		const uint32_t range = 1u << (4 + next_random(&seed) % 8);
		for (unsigned l = 0; l < LANES; l++)
			address[l] = BASE + next_random(&seed) % range * bytes;
		struct coalesce_in in = {.address = address,
					 .lanes = next_random(&seed) | 1u,
					 .pieces = 1,
					 .bytes = bytes,
					 .segment = coalesce_segment(bytes, false),
					 .width = LANES >> next_random(&seed) % 2,
					 .is_atomic = next_random(&seed) % 4 == 0};
		struct transaction t[COALESCE_MAX];
		const uint32_t n = coalesce(&in, t), half = in.width;
		uint32_t seen = 0;
		for (uint32_t k = 0; k < n; k++) {
			uint8_t used[128] = {0};
			assert_true(t[k].size == 32 || t[k].size == 64 || t[k].size == 128);
			assert_true(t[k].size <= in.segment);
			assert_int_equal(t[k].address % t[k].size, 0);
			assert_int_equal(t[k].lanes & seen, 0);
			assert_int_equal(lanes_first(t[k].lanes) / half,
					 (31 - (unsigned)__builtin_clz(t[k].lanes)) / half);
			seen |= t[k].lanes;
			LANES_EACH (l, t[k].lanes) {
				assert_true(address[l] >= t[k].address &&
					    address[l] + bytes <= t[k].address + t[k].size);
				for (uint32_t b = 0; b < bytes; b++)
					assert_true(!used[address[l] % 128 + b]++ || !in.is_atomic);
			}
			/* it could not be half as large */
			bool low = false, high = false;
			LANES_EACH (l, t[k].lanes)
				*(address[l] < t[k].address + t[k].size / 2 ? &low : &high) = true;
			assert_true(t[k].size == 32 || (low && high));
			if (k && !in.is_atomic && lanes_first(t[k].lanes) / half == lanes_first(t[k - 1].lanes) / half)
				assert_true(t[k].address / in.segment > t[k - 1].address / in.segment);
		}
		assert_int_equal(seen, in.lanes);
	}
}

/* ---- instructions ---- */
/* "TYPE address+size:lanes" in the order of use. */
static void expect_accesses(struct machine *m, uint32_t inst, const char *expected)
{
	const struct inst *i = &m->inst[0][inst];
	struct text got = {0};
	uint32_t n = 0;
	for (uint32_t a = i->accesses; a; a = m->access[0][a].next, n++) {
		const struct mem_access *x = &m->access[0][a];
		text_addf(&got, "%s%s %llx+%u:%x", n ? " " : "", access_type_names[x->type],
			  (unsigned long long)x->address, x->size, x->lanes);
		assert_int_equal(x->is_write, x->type == GLOBAL_ACC_W || x->type == LOCAL_ACC_W);
	}
	assert_string_equal(text_str(&got), expected);
	assert_int_equal(n, i->n_accesses);
	text_free(&got);
}

static void each_space_its_accesses(void **state)
{
	struct machine *m = *state;
	m->cfg.core.n_cores = 2;
	m->cfg.core.cores_per_cluster = 2;
	m_start(m);
	m->cs[0].cta[0].n_warps = 2;
	m->cs[0].max_ctas = 3;
	/* the last created is used first */
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	struct exec_access a = m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, BASE, 8);
	expect_accesses(m, m_make(m, 0, 0, a), "GLOBAL_ACC_R 80000080+128:ffff0000 GLOBAL_ACC_R 80000000+128:ffff");
	m_insn(m, 1, TIMING_STORE, ISA_SPACE_GLOBAL);
	expect_accesses(m, m_make(m, 1, 0, a), "GLOBAL_ACC_W 80000080+128:ffff0000 GLOBAL_ACC_W 80000000+128:ffff");
	/* a vector counts as its first element */
	m->insn[0].vec = 4;
	expect_accesses(m, m_make(m, 0, 0, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, BASE, 16)),
			"GLOBAL_ACC_R 80000180+128:ff000000 GLOBAL_ACC_R 80000100+128:ff0000 "
			"GLOBAL_ACC_R 80000080+128:ff00 GLOBAL_ACC_R 80000000+128:ff");
	/* parameters and constants: lines of L1C. Module constants begin at 0x100. */
	m_insn(m, 2, TIMING_LOAD, ISA_SPACE_PARAM);
	expect_accesses(m, m_make(m, 2, 0, m_addresses(LANES_ALL, ISA_SPACE_PARAM, ISA_PARAM_WINDOW + 72, 0)),
			"CONST_ACC_R 40+64:ffffffff");
	m_insn(m, 3, TIMING_LOAD, ISA_SPACE_CONST);
	expect_accesses(m, m_make(m, 3, 0, m_addresses(LANES_ALL, ISA_SPACE_CONST, ISA_CONST_WINDOW, 4)),
			"CONST_ACC_R 140+64:ffff0000 CONST_ACC_R 100+64:ffff");
	/* shared memory: cycles, no accesses */
	m_insn(m, 4, TIMING_LOAD, ISA_SPACE_SHARED);
	uint32_t i = m_make(m, 4, 0, m_addresses(LANES_ALL, ISA_SPACE_SHARED, ISA_SHARED_WINDOW, 32));
	expect_accesses(m, i, "");
	assert_int_equal(m->inst[0][i].dispatch, 8);
}

static struct exec_access in_halves(enum isa_space space, uint64_t low, uint64_t high, uint32_t step)
{
	return (struct exec_access){.lanes = LANES_ALL,
				    .size = 4,
				    .space = (uint8_t)space,
				    .in_halves = true,
				    .start = {low, high},
				    .step = step};
}

/* Regular accesses, which exec records in short, count like the same addresses lane by lane. */
static void accesses_in_halves(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	struct exec_access a = in_halves(ISA_SPACE_GLOBAL, BASE, BASE + 0x1000, 4);
	expect_accesses(m, m_make(m, 0, 0, a), "GLOBAL_ACC_R 80001000+64:ffff0000 GLOBAL_ACC_R 80000000+64:ffff");
	m_insn(m, 1, TIMING_LOAD, ISA_SPACE_SHARED);
	/* words 1024 apart are in one bank, those of a row are not, and a word is given to all who want it */
	static const struct {
		uint64_t high;
		uint32_t step, cycles;
	} shared[] = {{0, 0, 1},    {64, 4, 1},	  {64, 0, 1}, {0, 4, 1},
		      {4096, 0, 2}, {4096, 4, 2}, {4, 4, 1},  {1024, 64, 16}};
	for (unsigned k = 0; k < sizeof shared / sizeof *shared; k++) {
		a = in_halves(ISA_SPACE_SHARED, ISA_SHARED_WINDOW + 8192, ISA_SHARED_WINDOW + 8192 + shared[k].high,
			      shared[k].step);
		const uint32_t short_form = m_make(m, 1, 0, a);
		struct exec_access each = m_addresses(LANES_ALL, ISA_SPACE_SHARED, 0, 0);
		for (unsigned l = 0; l < LANES; l++)
			each.address[l] = a.start[l / 16] + l % 16 * shared[k].step;
		const uint32_t long_form = m_make(m, 1, 0, each);
		assert_int_equal(m->inst[0][short_form].dispatch, shared[k].cycles);
		assert_int_equal(m->inst[0][long_form].dispatch, shared[k].cycles);
	}
}

/* Module variables lie where GPGPU-Sim has them (test_timing_places). */
static void module_variables(void **state)
{
	struct machine *m = *state;
	struct timing_variable v[] = {{ISA_CONST_WINDOW, ISA_CONST_WINDOW + 256, 0x480},
				      {ISA_MODULE_GLOBALS, ISA_MODULE_GLOBALS + 256, 0x200}};
	m->t.program.places = (struct timing_places){.at = v, .n = 2};
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	expect_accesses(m, m_make(m, 0, 0, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, ISA_MODULE_GLOBALS, 4)),
			"GLOBAL_ACC_R 200+128:ffffffff");
	m_insn(m, 1, TIMING_LOAD, ISA_SPACE_CONST);
	expect_accesses(m, m_make(m, 1, 0, m_addresses(LANES_ALL, ISA_SPACE_CONST, ISA_CONST_WINDOW, 4)),
			"CONST_ACC_R 4c0+64:ffff0000 CONST_ACC_R 480+64:ffff");
	m_insn(m, 2, TIMING_LOAD, ISA_SPACE_GENERIC);
	expect_accesses(
		m, m_make(m, 2, 0, m_addresses(3, ISA_SPACE_GENERIC, ISA_MODULE_GLOBALS, BASE - ISA_MODULE_GLOBALS)),
		"GLOBAL_ACC_R 80000000+32:2 GLOBAL_ACC_R 200+32:1");
}

/* N = 2 cores, P = 64 threads, M = 3 CTAs per core: a word of all threads is 64 * 3 * 2 * 4 = 1536 bytes. Core 0, warp 1: threads 32 ..
 * 63 at 128. Warp 2 is the second CTA slot: 4 * 64 * (0 + 2 * 1) = 512. */
static void local_accesses(void **state)
{
	struct machine *m = *state;
	m->cfg.core.n_cores = 2;
	m->cfg.core.cores_per_cluster = 2;
	m_start(m);
	m->cs[0].cta[0].n_warps = 2;
	m->cs[0].max_ctas = 3;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_LOCAL);
	struct exec_access a = m_addresses(LANES_ALL, ISA_SPACE_LOCAL, ISA_LOCAL_WINDOW, 0);
	expect_accesses(m, m_make(m, 0, 0, a), "LOCAL_ACC_R 3fc00000+128:ffffffff");
	expect_accesses(m, m_make(m, 0, 1, a), "LOCAL_ACC_R 3fc00080+128:ffffffff");
	expect_accesses(m, m_make(m, 0, 2, a), "LOCAL_ACC_R 3fc00200+128:ffffffff");
	/* word 3, and of two words the second is used first */
	expect_accesses(m, m_make(m, 0, 0, m_addresses(LANES_ALL, ISA_SPACE_LOCAL, ISA_LOCAL_WINDOW + 12, 0)),
			"LOCAL_ACC_R 3fc01200+128:ffffffff");
	m_insn(m, 1, TIMING_STORE, ISA_SPACE_LOCAL)->data_bytes = 8;
	expect_accesses(m, m_make(m, 1, 0, m_addresses(LANES_ALL, ISA_SPACE_LOCAL, ISA_LOCAL_WINDOW, 0)),
			"LOCAL_ACC_W 3fc00600+128:ffffffff LOCAL_ACC_W 3fc00000+128:ffffffff");
	/* one byte: segments of 32; the byte keeps its place in the word */
	m_insn(m, 2, TIMING_LOAD, ISA_SPACE_LOCAL)->data_bytes = 1;
	expect_accesses(m, m_make(m, 2, 0, m_addresses(0x1ff, ISA_SPACE_LOCAL, ISA_LOCAL_WINDOW + 7, 0)),
			"LOCAL_ACC_R 3fc00620+32:100 LOCAL_ACC_R 3fc00600+32:ff");
}

/* Generic addresses: each lane's space, and the last lane's for the warp. */
static void generic_addresses(void **state)
{
	struct machine *m = *state;
	m->cs[0].cta[0].n_warps = 1;
	m->cs[0].max_ctas = 1;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GENERIC);
	struct exec_access a = m_addresses(3, ISA_SPACE_GENERIC, 0, 0);
	a.address[0] = ISA_SHARED_WINDOW + 16;
	a.address[1] = BASE;
	uint32_t i = m_make(m, 0, 0, a);
	assert_int_equal(m->inst[0][i].space, ISA_SPACE_GLOBAL);
	expect_accesses(m, i, "GLOBAL_ACC_R 80000000+32:2 GLOBAL_ACC_R 0+32:1");
	a.address[0] = BASE;
	a.address[1] = ISA_SHARED_WINDOW + 16;
	i = m_make(m, 0, 0, a);
	assert_int_equal(m->inst[0][i].space, ISA_SPACE_SHARED);
	assert_int_equal(m->inst[0][i].dispatch, 1);
	expect_accesses(m, i, "");
	assert_int_equal(timing_space(ISA_LOCAL_WINDOW), ISA_SPACE_LOCAL);
	assert_int_equal(timing_space(ISA_PARAM_WINDOW), ISA_SPACE_PARAM);
	assert_int_equal(timing_space(ISA_CONST_WINDOW), ISA_SPACE_CONST);
	assert_int_equal(timing_space(ISA_MODULE_GLOBALS), ISA_SPACE_GLOBAL);
}

/* Sectors only past L1, by option or operator, and only for capability 2.0 and up. */
static void capability(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_insn(m, 1, TIMING_LOAD, ISA_SPACE_GLOBAL)->cache_op = TIMING_CACHE_GLOBAL;
	struct exec_access a = m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, BASE, 4);
	assert_int_equal(m->inst[0][m_make(m, 1, 0, a)].n_accesses, 1);
	m->cfg.core.coalesce_arch = 20;
	assert_int_equal(m->inst[0][m_make(m, 0, 0, a)].n_accesses, 1);
	assert_int_equal(m->inst[0][m_make(m, 1, 0, a)].n_accesses, 4);
	m->cfg.core.skip_l1d = true;
	assert_int_equal(m->inst[0][m_make(m, 0, 0, a)].n_accesses, 4);
}

/* Atomics: half warps even where the configuration has full ones. */
static void atomic_accesses(void **state)
{
	struct machine *m = *state;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL)->is_atomic = true;
	expect_accesses(m, m_make(m, 0, 0, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, BASE, 4)),
			"GLOBAL_ACC_R 80000040+64:ffff0000 GLOBAL_ACC_R 80000000+64:ffff");
	assert_int_equal(m->inst[0][m_make(m, 0, 0, m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, BASE, 0))].n_accesses, 32);
}

/* -enable_ptx_file_line_stats: cycles of shared accesses, transactions of global ones; others don't count. */
static void line_statistics(void **state)
{
	struct machine *m = *state;
	struct timing_line line[M_INSNS] = {0};
	m_start(m);
	m->t.line = line;
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_insn(m, 1, TIMING_STORE, ISA_SPACE_SHARED);
	m_insn(m, 2, TIMING_LOAD, ISA_SPACE_PARAM);
	struct exec_access a = m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, BASE, 16);
	m_make(m, 0, 0, a);
	m_make(m, 0, 0, a);
	m_make(m, 1, 0, m_addresses(LANES_ALL, ISA_SPACE_SHARED, ISA_SHARED_WINDOW, 16));
	m_make(m, 2, 0, m_addresses(LANES_ALL, ISA_SPACE_PARAM, ISA_PARAM_WINDOW, 0));
	assert_int_equal(line[0].gmem_accesses, 8);
	assert_int_equal(line[0].gmem_warps, 2);
	assert_int_equal(line[1].smem_conflicts, 4);
	assert_int_equal(line[1].smem_warps, 1);
	assert_int_equal(line[2].gmem_accesses + line[2].smem_warps, 0);
}

#define T(f) cmocka_unit_test(f)
int main(void)
{
	const struct CMUnitTest tests[] = {
		T(consecutive_elements),
		T(transactions_shrink),
		T(strides_and_offsets),
		T(sectors),
		T(atomics),
		T(lines_of_constants),
		T(laws),
		CONFIGURES(each_space_its_accesses),
		STARTED(accesses_in_halves),
		STARTED(module_variables),
		CONFIGURES(local_accesses),
		STARTED(generic_addresses),
		STARTED(capability),
		STARTED(atomic_accesses),
		CONFIGURES(line_statistics),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
