/* cvta, isspacep, addresses of variables, hints, and memory seen from outside. */
#include "mem_machine.h"

#include "base/arena_marks.h"

#define GLOBAL_AT UINT64_C(0x80000000)

static struct isa_insn address_insn(const char *exact, const char *mnemonic, enum isa_type type)
{
	struct isa_insn i = machine_insn(machine_handler(exact, mnemonic));
	i.type = (uint8_t)type;
	i.dst_bytes = i.a_bytes = (uint8_t)isa_type_bytes(type);
	i.a = ROW_REF(0);
	i.dst = ROW_REF(1);
	return i;
}

static uint64_t lane_value(struct machine *m, unsigned row, bool wide, unsigned l)
{
	return wide ? ((uint64_t *)machine_row(m, row))[l] : ((uint32_t *)machine_row(m, row))[l];
}

/* There and back, with all lanes but the last on the way there; the displacement is 4. */
static void check_cvta(struct machine *m, const char *space, uint64_t window, bool wide)
{
	char name[40];
	snprintf(name, sizeof name, "cvta_%s_u%u", space, wide ? 64 : 32);
	struct isa_insn i = address_insn(name, "?", wide ? ISA_U64 : ISA_U32);
	snprintf(name, sizeof name, "cvta_to_%s_u%u", space, wide ? 64 : 32);
	struct isa_insn back = address_insn(name, "?", wide ? ISA_U64 : ISA_U32);
	back.a = ROW_REF(1);
	back.dst = ROW_REF(2);
	i.imm = 4;
	for (unsigned l = 0; l < LANES; l++)
		if (wide)
			((uint64_t *)machine_row(m, 0))[l] = 16 * l;
		else
			((uint32_t *)machine_row(m, 0))[l] = 16 * l;
	assert_true(machine_step(m, &i, 0x7fffffff) && machine_step(m, &back, LANES_ALL));
	for (unsigned l = 0; l < 31; l++) {
		assert_int_equal(lane_value(m, 1, wide, l), window + 16 * l + 4);
		assert_int_equal(lane_value(m, 2, wide, l), 16 * l + 4);
	}
	memset(m->frame + 64, 0, 3 * MACHINE_ROW_BYTES);
}

static void test_cvta(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t window;
	} rows[] = {
		{"global", 0},
		{"shared", EXEC_SHARED_WINDOW},
		{"shared_cta", EXEC_SHARED_WINDOW},
		{"shared_cluster", EXEC_SHARED_WINDOW},
		{"local", EXEC_LOCAL_WINDOW},
		{"const", EXEC_CONST_WINDOW},
		{"param", EXEC_PARAM_WINDOW},
		{"param_entry", EXEC_PARAM_WINDOW},
	};
	struct machine *m = machine_create(NULL);
	for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; n++)
		for (unsigned wide = 0; wide < 2; wide++)
			check_cvta(m, rows[n].name, rows[n].window, wide);
	/* of a variable in the activation's frame */
	struct isa_insn i = address_insn("cvta_local_u64", "?", ISA_U64);
	i.a = ISA_REF_NONE;
	i.flags = ISA_F_ADDR_SP;
	i.imm = 24;
	m->x.local_sp = 128;
	assert_true(machine_step(m, &i, LANES_ALL));
	assert_int_equal(((uint64_t *)machine_row(m, 1))[31], EXEC_LOCAL_WINDOW + 152);
	machine_free_all(m);
}

/* PTX ISA "isspacep": kernel parameters are in .param and in .global. */
static void test_isspacep(void **state)
{
	(void)state;
	static const char *const names[] = {"global", "shared", "local", "const", "param"};
	static const struct {
		uint64_t address;
		unsigned in; /* bit per name */
	} rows[] = {
		{GLOBAL_AT, 1},
		{EXEC_MODULE_GLOBALS, 1},
		{EXEC_SHARED_WINDOW, 2},
		{EXEC_SHARED_WINDOW + 0xffffff, 2},
		{EXEC_LOCAL_WINDOW, 4},
		{EXEC_LOCAL_WINDOW + 0xffffff, 4},
		{EXEC_CONST_WINDOW, 8},
		{EXEC_CONST_WINDOW + 0x3ffffff, 8},
		{EXEC_PARAM_WINDOW, 17},
		{EXEC_PARAM_WINDOW + 0xffffff, 17},
		{0, 1},
	};
	struct machine *m = machine_create(NULL);
	const unsigned n = sizeof rows / sizeof rows[0];
	for (unsigned k = 0; k < 5; k++) {
		char name[40];
		snprintf(name, sizeof name, "isspacep_%s", names[k]);
		struct isa_insn i = address_insn(name, "?", ISA_U64);
		i.dst = 5;
		uint32_t want = 0;
		for (unsigned l = 0; l < LANES; l++) {
			((uint64_t *)machine_row(m, 0))[l] = rows[l % n].address;
			want |= (rows[l % n].in >> k & 1) << l;
		}
		m->x.preds[5] = 0;
		assert_true(machine_step(m, &i, 0xffff0fff));
		assert_int_equal(m->x.preds[5], want & 0xffff0fff);
	}
	machine_free_all(m);
}

static void test_variables(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	struct isa_insn i = address_insn("mov_local_addr", "?", ISA_U64);
	m->x.local_sp = 96;
	i.imm = 8;
	assert_true(machine_step(m, &i, 4));
	assert_int_equal(((uint64_t *)machine_row(m, 1))[2], 104);
	i.dst_bytes = 4;
	i.dst = ROW_REF(2);
	assert_true(machine_step(m, &i, LANES_ALL));
	assert_int_equal(((uint32_t *)machine_row(m, 2))[31], 104);
	i = address_insn("mov_dynshared", "?", ISA_U64);
	((uint32_t *)machine_row(m, 0))[9] = 4096;
	i.imm = 12;
	assert_true(machine_step(m, &i, LANES_ALL));
	assert_int_equal(((uint64_t *)machine_row(m, 1))[9], 4108);
	machine_free_all(m);
}

/* A prefetch never faults, discard needs its 128 bytes. */
static void test_hints(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	machine_allocate(m, GLOBAL_AT, 256);
	struct isa_insn i = address_insn("prefetch_global_L1", "prefetch", ISA_NOTYPE);
	i.space = ISA_SPACE_GLOBAL;
	i.a_bytes = 8;
	memset(machine_row(m, 0), 0, 256);
	assert_true(machine_step(m, &i, LANES_ALL));
	i.handler = (uint16_t)machine_handler("discard_global_L2", "discard");
	assert_false(machine_step(m, &i, 1));
	assert_int_equal(m->x.fault.kind, EXEC_FAULT_ILLEGAL_ADDRESS);
	*(uint64_t *)machine_row(m, 0) = GLOBAL_AT + 64;
	assert_false(machine_step(m, &i, 1));
	assert_int_equal(m->x.fault.kind, EXEC_FAULT_MISALIGNED);
	*(uint64_t *)machine_row(m, 0) = GLOBAL_AT + 128;
	assert_true(machine_step(m, &i, 1));
	machine_free_all(m);
}

static void test_peek(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	struct exec *x = &m->x;
	const struct exec_cta *cta = &m->cta;
	machine_allocate(m, GLOBAL_AT, 100);
	m->program.const_next = 64;
	static const struct {
		uint64_t first, bytes;
	} rows[] = {
		{GLOBAL_AT, 100},
		{EXEC_SHARED_WINDOW, MACHINE_SHARED},
		{EXEC_LOCAL_WINDOW, MACHINE_STRIDE},
		{EXEC_PARAM_WINDOW, MACHINE_PARAM},
		{EXEC_CONST_WINDOW, 64},
	};
	for (unsigned n = 0; n < 5; n++) {
		const uint64_t last = rows[n].first + rows[n].bytes - 4;
		const uint32_t v = 0xabcd0000 + n;
		assert_true(exec_poke(x, cta, 0, 3, last, &v, 4));
		const uint32_t *p = exec_peek(x, cta, 0, 3, last, 4);
		assert_non_null(p);
		assert_int_equal(*p, v);
		assert_null(exec_peek(x, cta, 0, 3, last + 1, 4));
		assert_null(exec_peek(x, cta, 0, 3, rows[n].first - 1, 1));
		assert_null(exec_peek(x, cta, 0, 3, rows[n].first, UINT64_MAX));
		assert_false(exec_poke(x, cta, 0, 3, last + 2, &v, 4));
	}
	uint32_t local;
	memcpy(&local, x->local + 3 * MACHINE_STRIDE + MACHINE_STRIDE - 4, 4);
	assert_int_equal(local, 0xabcd0002);
	assert_true(x->global_flags[GLOBAL_AT >> ARENA_PAGE_SHIFT] & ARENA_PAGE_DIRTY);
	assert_true(x->local_flags[(8192 + 4 * MACHINE_STRIDE - 4) >> ARENA_PAGE_SHIFT] & ARENA_PAGE_DIRTY);
	/* what was there before goes to the mark, if there is one */
	const uint32_t old = 0x5a5a5a5a, new = 1;
	assert_true(exec_poke(x, cta, 0, 3, GLOBAL_AT, &old, 4) && arena_use(x->arena, x->sec_global, GLOBAL_AT + 100));
	size_t n;
	assert_true(arena_marks_begin(x->arena, ARENA_PAGE) && arena_mark(x->arena) && exec_poke(x, cta, 0, 3, GLOBAL_AT, &new, 4));
	struct arena_saved_page *saved = arena_saved_since(x->arena, 1, x->sec_global, &n);
	assert_int_equal(n, 1);
	assert_memory_equal(saved[0].bytes, &old, 4);
	free(saved);
	/* without a block, a warp or memory there is nothing to see */
	assert_null(exec_peek(x, NULL, 0, 0, EXEC_SHARED_WINDOW, 1));
	assert_null(exec_peek(x, NULL, 0, 0, EXEC_PARAM_WINDOW, 1));
	assert_null(exec_peek(x, cta, 1, 0, EXEC_LOCAL_WINDOW, 1));
	assert_null(exec_peek(x, cta, 0, 0, EXEC_CODE_WINDOW, 1));
	assert_null(exec_peek(x, cta, 0, 0, 0, 1));
	assert_null(exec_peek(x, cta, 0, 0, UINT64_MAX, 1));
	assert_non_null(exec_peek(x, NULL, 0, 0, GLOBAL_AT, 100));
	machine_free_all(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cvta),  cmocka_unit_test(test_isspacep), cmocka_unit_test(test_variables),
		cmocka_unit_test(test_hints), cmocka_unit_test(test_peek),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
