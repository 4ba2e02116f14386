/* Accesses that fault or that somebody watches: which lanes, which place, and nothing changed. */
#include "mem_machine.h"

#define GLOBAL_AT UINT64_C(0x80000000)

static struct machine *start(void)
{
	struct machine *m = machine_create(NULL);
	machine_allocate(m, GLOBAL_AT, 260); /* 65 floats */
	machine_allocate(m, GLOBAL_AT + 512, 256);
	return m;
}

static struct isa_insn access_insn(const char *exact, enum isa_space space, enum isa_type type, unsigned vec)
{
	struct isa_insn i = machine_insn(machine_handler(exact, exact[0] == 'l'	  ? "ld"
								: exact[0] == 's' ? "st"
										  : "atom"));
	i.space = (uint8_t)space;
	i.type = (uint8_t)type;
	i.vec = (uint8_t)vec;
	i.dst_bytes = (uint8_t)isa_type_bytes(type);
	i.a = ROW_REF(0);
	i.a_bytes = 8;
	i.dst = exact[0] == 's' ? ISA_REF_NONE : ROW_REF(1);
	i.b = ROW_REF(2);
	return i;
}

static void set_addresses(struct machine *m, uint64_t first, uint64_t step)
{
	uint64_t *a = machine_row(m, 0);
	for (unsigned l = 0; l < LANES; l++)
		a[l] = first + l * step;
}

static void expect(struct machine *m, const struct isa_insn *i, uint32_t mask, enum exec_fault_kind kind,
		   uint32_t lanes, uint64_t address, enum isa_space space)
{
	char *frame = malloc(MACHINE_ROWS * MACHINE_ROW_BYTES);
	memcpy(frame, m->frame + 64, MACHINE_ROWS * MACHINE_ROW_BYTES);
	m->x.n_stores = 0;
	assert_false(machine_step(m, i, mask));
	assert_int_equal(m->x.event, EXEC_EVENT(EXEC_FAULT));
	assert_int_equal(m->x.fault.kind, kind);
	assert_int_equal(m->x.fault.lanes, lanes);
	assert_int_equal(m->x.fault.address, address);
	assert_int_equal(m->x.fault.space, space);
	assert_int_equal(m->x.fault.size, isa_type_bytes((enum isa_type)i->type) * i->vec);
	assert_memory_equal(frame, m->frame + 64, MACHINE_ROWS * MACHINE_ROW_BYTES);
	assert_int_equal(m->x.n_stores, 0);
	free(frame);
}

/* The last float of an allocation of 260 bytes is at 256. */
static void test_global_bounds(void **state)
{
	(void)state;
	struct machine *m = start();
	static const char *const names[] = {"ld_global_f32", "st_global_f32", "ld_f32", "st_f32"};
	for (unsigned n = 0; n < 4; n++) {
		struct isa_insn i = access_insn(names[n], n < 2 ? ISA_SPACE_GLOBAL : ISA_SPACE_GENERIC, ISA_F32, 1);
		for (unsigned round = 0; round < 2; round++) {
			set_addresses(m, GLOBAL_AT + 256 - 124, 4);
			assert_true(machine_step(m, &i, LANES_ALL));
			set_addresses(m, GLOBAL_AT + 256 - 120, 4);
			expect(m, &i, LANES_ALL, EXEC_FAULT_ILLEGAL_ADDRESS, 0x80000000, GLOBAL_AT + 260,
			       ISA_SPACE_GLOBAL);
			assert_int_equal(m->x.fault.is_write, n % 2);
			assert_true(machine_step(m, &i, 0x7fffffff)); /* the lane at fault doesn't execute */
			set_addresses(m, GLOBAL_AT - 8, 4);
			expect(m, &i, LANES_ALL, EXEC_FAULT_ILLEGAL_ADDRESS, 3, GLOBAL_AT - 8, ISA_SPACE_GLOBAL);
		}
		/* lanes that scatter over two allocations and one place between them */
		uint64_t *a = machine_row(m, 0);
		for (unsigned l = 0; l < LANES; l++)
			a[l] = GLOBAL_AT + 512 * (l % 2) + 8 * (l / 2);
		assert_true(machine_step(m, &i, LANES_ALL));
		a[13] = GLOBAL_AT + 400;
		expect(m, &i, LANES_ALL, EXEC_FAULT_ILLEGAL_ADDRESS, 1u << 13, GLOBAL_AT + 400, ISA_SPACE_GLOBAL);
		set_addresses(m, 0, 0);
		expect(m, &i, 0x18, EXEC_FAULT_ILLEGAL_ADDRESS, 0x18, 0, ISA_SPACE_GLOBAL);
		set_addresses(m, UINT64_MAX - 3, 0);
		expect(m, &i, 0x10, EXEC_FAULT_ILLEGAL_ADDRESS, 0x10, UINT64_MAX - 3, ISA_SPACE_GLOBAL);
		set_addresses(m, UINT64_MAX - 127, 4);
		expect(m, &i, LANES_ALL, EXEC_FAULT_ILLEGAL_ADDRESS, LANES_ALL, UINT64_MAX - 127, ISA_SPACE_GLOBAL);
	}
	machine_free_all(m);
}

/* What was found once is forgotten when memory is freed: the owner clears the cache. */
static void test_global_freed(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn i = access_insn("ld_global_f32", ISA_SPACE_GLOBAL, ISA_F32, 1);
	set_addresses(m, GLOBAL_AT, 4);
	assert_true(machine_step(m, &i, LANES_ALL));
	const unsigned finds = m->n_finds;
	assert_true(machine_step(m, &i, LANES_ALL));
	assert_int_equal(m->n_finds, finds);
	m->allocation[0] = (struct exec_window){0, 0};
	memset(m->x.tlb, 0, sizeof m->x.tlb);
	expect(m, &i, LANES_ALL, EXEC_FAULT_ILLEGAL_ADDRESS, LANES_ALL, GLOBAL_AT, ISA_SPACE_GLOBAL);
	machine_free_all(m);
}

/* Natural alignment of the whole vector, tested before anything else. */
static void test_misaligned(void **state)
{
	(void)state;
	struct machine *m = start();
	for (unsigned k = 0; k < 8; k++)
		m->aux[k] = ROW_REF(8 + k);
	static const struct {
		const char *name;
		uint8_t type, vec, space;
	} rows[] = {
		{"ld_global_b16", ISA_B16, 1, ISA_SPACE_GLOBAL},
		{"ld_global_f32", ISA_F32, 1, ISA_SPACE_GLOBAL},
		{"st_global_f64", ISA_F64, 1, ISA_SPACE_GLOBAL},
		{"ld_global_v4_f32", ISA_F32, 4, ISA_SPACE_GLOBAL},
		{"st_shared_v2_f32", ISA_F32, 2, ISA_SPACE_SHARED},
		{"st_shared_v4_u32", ISA_U32, 4, ISA_SPACE_SHARED},
		{"ld_local_u64", ISA_U64, 1, ISA_SPACE_LOCAL},
		{"ld_const_f32", ISA_F32, 1, ISA_SPACE_CONST},
		{"ld_param_u64", ISA_U64, 1, ISA_SPACE_PARAM},
		{"ld_global_v8_f32", ISA_F32, 8, ISA_SPACE_GLOBAL},
		{"atom_global_add_u32", ISA_U32, 1, ISA_SPACE_GLOBAL},
	};
	for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; n++) {
		struct isa_insn i = access_insn(rows[n].name, rows[n].space, rows[n].type, rows[n].vec);
		i.atom = ISA_ATOM_ADD;
		const uint64_t base = i.space == ISA_SPACE_GLOBAL ? GLOBAL_AT : 0;
		const unsigned size = isa_type_bytes(i.type) * i.vec;
		set_addresses(m, base, 0);
		assert_true(machine_step(m, &i, LANES_ALL));
		set_addresses(m, base + size / 2, 0);
		expect(m, &i, LANES_ALL, EXEC_FAULT_MISALIGNED, LANES_ALL, base + size / 2, i.space);
		set_addresses(m, base, 0);
		((uint64_t *)machine_row(m, 0))[20] += size / 2;
		expect(m, &i, LANES_ALL, EXEC_FAULT_MISALIGNED, 1u << 20, base + size / 2, i.space);
		i.imm = 1;
		set_addresses(m, base - 1, 0);
		assert_true(machine_step(m, &i, LANES_ALL));
	}
	machine_free_all(m);
}

static void test_windows(void **state)
{
	(void)state;
	struct machine *m = start();
	static const struct {
		const char *name;
		uint8_t space;
		uint32_t bytes;
		uint64_t window;
	} rows[] = {
		{"ld_shared_f32", ISA_SPACE_SHARED, MACHINE_SHARED, EXEC_SHARED_WINDOW},
		{"ld_local_f32", ISA_SPACE_LOCAL, MACHINE_STRIDE, EXEC_LOCAL_WINDOW},
		{"ld_param_f32", ISA_SPACE_PARAM, MACHINE_PARAM, EXEC_PARAM_WINDOW},
		{"ld_const_f32", ISA_SPACE_CONST, MACHINE_CONST, EXEC_CONST_WINDOW},
	};
	for (unsigned n = 0; n < 4; n++) {
		struct isa_insn i = access_insn(rows[n].name, rows[n].space, ISA_F32, 1);
		struct isa_insn g = access_insn("ld_f32", ISA_SPACE_GENERIC, ISA_F32, 1);
		set_addresses(m, rows[n].bytes - 128, 4);
		assert_true(machine_step(m, &i, LANES_ALL));
		set_addresses(m, rows[n].bytes - 124, 4);
		expect(m, &i, LANES_ALL, EXEC_FAULT_OUT_OF_RANGE, 0x80000000, rows[n].bytes, rows[n].space);
		set_addresses(m, 0, 0);
		((uint64_t *)machine_row(m, 0))[5] = rows[n].bytes;
		expect(m, &i, LANES_ALL, EXEC_FAULT_OUT_OF_RANGE, 0x20, rows[n].bytes, rows[n].space);
		i.a = ISA_REF_NONE;
		i.imm = rows[n].bytes;
		expect(m, &i, LANES_ALL, EXEC_FAULT_OUT_OF_RANGE, LANES_ALL, rows[n].bytes, rows[n].space);
		i.imm = -4;
		expect(m, &i, LANES_ALL, EXEC_FAULT_OUT_OF_RANGE, LANES_ALL, UINT64_MAX - 3, rows[n].space);
		/* the same places through their windows */
		set_addresses(m, rows[n].window + rows[n].bytes - 128, 4);
		assert_true(machine_step(m, &g, LANES_ALL));
		set_addresses(m, rows[n].window + rows[n].bytes - 124, 4);
		expect(m, &g, LANES_ALL, EXEC_FAULT_OUT_OF_RANGE, 0x80000000, rows[n].bytes, rows[n].space);
	}
	machine_free_all(m);
}

/* Nothing stores to constants and parameters, nothing is atomic in local memory. A constant has an address that global loads may use. */
static void test_spaces(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn st = access_insn("st_u32", ISA_SPACE_GENERIC, ISA_U32, 1);
	struct isa_insn atom = access_insn("atom_add_u32", ISA_SPACE_GENERIC, ISA_U32, 1);
	atom.atom = ISA_ATOM_ADD;
	set_addresses(m, EXEC_CONST_WINDOW, 4);
	expect(m, &st, LANES_ALL, EXEC_FAULT_ILLEGAL_ADDRESS, LANES_ALL, EXEC_CONST_WINDOW, ISA_SPACE_GLOBAL);
	expect(m, &atom, 6, EXEC_FAULT_ILLEGAL_ADDRESS, 6, EXEC_CONST_WINDOW + 4, ISA_SPACE_GLOBAL);
	struct isa_insn global_ld = access_insn("ld_global_u32", ISA_SPACE_GLOBAL, ISA_U32, 1),
			global_st = access_insn("st_global_u32", ISA_SPACE_GLOBAL, ISA_U32, 1);
	assert_true(machine_step(m, &global_ld, LANES_ALL));
	for (unsigned l = 0; l < LANES; l++)
		assert_memory_equal(&((uint32_t *)machine_row(m, 1))[l], m->x.constant + 4 * l, 4);
	expect(m, &global_st, 6, EXEC_FAULT_ILLEGAL_ADDRESS, 6, EXEC_CONST_WINDOW + 4, ISA_SPACE_GLOBAL);
	set_addresses(m, EXEC_CONST_WINDOW + m->x.const_bytes - 4, 4);
	expect(m, &global_ld, 3, EXEC_FAULT_ILLEGAL_ADDRESS, 2, EXEC_CONST_WINDOW + m->x.const_bytes, ISA_SPACE_GLOBAL);
	set_addresses(m, EXEC_PARAM_WINDOW + 8, 0);
	expect(m, &st, 6, EXEC_FAULT_INVALID_ADDRESS_SPACE, 6, 8, ISA_SPACE_PARAM);
	expect(m, &atom, 6, EXEC_FAULT_INVALID_ADDRESS_SPACE, 6, 8, ISA_SPACE_PARAM);
	set_addresses(m, EXEC_LOCAL_WINDOW + 8, 0);
	assert_true(machine_step(m, &st, LANES_ALL));
	expect(m, &atom, 6, EXEC_FAULT_INVALID_ADDRESS_SPACE, 6, 8, ISA_SPACE_LOCAL);
	assert_true(m->x.fault.is_atomic);
	set_addresses(m, EXEC_CODE_WINDOW + 8, 0);
	expect(m, &st, 1, EXEC_FAULT_ILLEGAL_ADDRESS, 1, EXEC_CODE_WINDOW + 8, ISA_SPACE_GLOBAL);
	machine_free_all(m);
}

/* 32-bit addresses wrap at 32 bits. */
static void test_wrap(void **state)
{
	(void)state;
	struct machine *m = start();
	struct isa_insn i = access_insn("ld_shared_f32", ISA_SPACE_SHARED, ISA_F32, 1);
	i.a_bytes = 4;
	uint32_t *a = machine_row(m, 0);
	for (unsigned l = 0; l < LANES; l++)
		a[l] = 0u - 64 + 4 * l;
	i.imm = 64;
	for (unsigned k = 0; k < LANES; k++)
		memcpy(m->x.shared + 4 * k, &k, 4);
	assert_true(machine_step(m, &i, LANES_ALL));
	for (unsigned l = 0; l < LANES; l++)
		assert_int_equal(((uint32_t *)machine_row(m, 1))[l], l);
	machine_free_all(m);
}

static void expect_watch(struct machine *m, const struct isa_insn *i, uint32_t mask, unsigned kinds,
			 enum isa_space space, uint64_t first)
{
	struct exec_access *a = &m->x.effect.access;
	memset(a, 0, sizeof *a);
	assert_false(machine_step(m, i, mask));
	assert_int_equal(m->x.event, EXEC_EVENT(EXEC_ACCESS));
	assert_int_equal(a->lanes, mask);
	assert_int_equal(a->size, isa_type_bytes((enum isa_type)i->type) * i->vec);
	assert_int_equal(a->space, space);
	assert_int_equal(a->is_read, (kinds & EXEC_READ) != 0);
	assert_int_equal(a->is_write, (kinds & EXEC_WRITE) != 0);
	assert_int_equal(a->is_atomic, (kinds & EXEC_ATOMIC) != 0);
	assert_int_equal(a->address[lanes_first(mask)], first);
}

static bool stops(void *self, const struct exec *x, const struct exec_effect *e)
{
	(void)self;
	(void)x;
	(void)e;
	return true;
}

/* Watches the page at GLOBAL_AT for accesses of one kind, and clears the page's other flags. */
static void watch_page(struct machine *m, struct exec_watcher *w, struct exec_range *r, unsigned kinds)
{
	*r = (struct exec_range){
		.address = GLOBAL_AT, .n = ARENA_PAGE, .writes = kinds & EXEC_WRITE, .reads = kinds & EXEC_READ};
	w->ranges = r;
	w->n_ranges = 1;
	m->x.global_flags[GLOBAL_AT >> ARENA_PAGE_SHIFT] = 0;
	assert_true(exec_watch(&m->x, w));
}

static void test_watch_global(void **state)
{
	struct exec_watcher w = {.before = stops};
	struct exec_range r;
	(void)state;
	struct machine *m = start();
	uint8_t *flags = &m->x.global_flags[GLOBAL_AT >> ARENA_PAGE_SHIFT];
	struct isa_insn ld = access_insn("ld_global_f32", ISA_SPACE_GLOBAL, ISA_F32, 1);
	struct isa_insn st = access_insn("st_global_f32", ISA_SPACE_GLOBAL, ISA_F32, 1);
	struct isa_insn atom = access_insn("atom_global_add_u32", ISA_SPACE_GLOBAL, ISA_U32, 1);
	atom.atom = ISA_ATOM_ADD;
	for (unsigned shape = 0; shape < 3; shape++) {
		set_addresses(m, GLOBAL_AT + 4, shape == 0 ? 0 : shape == 1 ? 4 : 8);
		memset(machine_row(m, 2), 0x11, 128);
		watch_page(m, &w, &r, EXEC_WRITE);
		assert_true(machine_step(m, &ld, LANES_ALL));
		const uint32_t before = *(uint32_t *)(void *)(m->x.global + GLOBAL_AT + 4);
		expect_watch(m, &st, 0xfff0, EXEC_WRITE, ISA_SPACE_GLOBAL,
			     GLOBAL_AT + 4 +
				     4 * (shape == 0   ? 0
					  : shape == 1 ? 4u
						       : 8u));
		assert_int_equal(*(uint32_t *)(void *)(m->x.global + GLOBAL_AT + 4), before);
		assert_int_equal(*flags, ARENA_PAGE_WATCH_WRITE);
		expect_watch(m, &atom, LANES_ALL, EXEC_READ | EXEC_WRITE | EXEC_ATOMIC, ISA_SPACE_GLOBAL,
			     GLOBAL_AT + 4);
		m->x.pass = true;
		assert_true(machine_step(m, &st, LANES_ALL));
		m->x.pass = false;
		assert_int_equal(*flags, ARENA_PAGE_WATCH_WRITE | ARENA_PAGE_DIRTY);
		assert_int_equal(*(uint32_t *)(void *)(m->x.global + GLOBAL_AT + 4), 0x11111111);
		watch_page(m, &w, &r, EXEC_READ);
		assert_true(machine_step(m, &st, LANES_ALL));
		expect_watch(m, &ld, LANES_ALL, EXEC_READ, ISA_SPACE_GLOBAL, GLOBAL_AT + 4);
		exec_unwatch(&m->x, &w);
		assert_int_equal(*flags, ARENA_PAGE_DIRTY);
		memset(m->x.global + GLOBAL_AT, 0, 512);
	}
	machine_free_all(m);
}

static void test_watch_spaces(void **state)
{
	(void)state;
	struct machine *m = start();
	static const struct {
		const char *ld, *st;
		uint8_t space;
		uint64_t window;
	} rows[] = {
		{"ld_shared_f32", "st_shared_f32", ISA_SPACE_SHARED, EXEC_SHARED_WINDOW},
		{"ld_local_f32", "st_local_f32", ISA_SPACE_LOCAL, EXEC_LOCAL_WINDOW},
		{"ld_param_f32", NULL, ISA_SPACE_PARAM, EXEC_PARAM_WINDOW},
	};
	for (unsigned n = 0; n < 3; n++) {
		struct isa_insn ld = access_insn(rows[n].ld, rows[n].space, ISA_F32, 1);
		set_addresses(m, 12, 4);
		struct exec_watcher w = {.before = stops, .spaces = 1u << (rows[n].space + 8)};
		assert_true(exec_watch(&m->x, &w));
		expect_watch(m, &ld, LANES_ALL, EXEC_READ, rows[n].space, rows[n].window + 12);
		w.spaces = 1u << rows[n].space;
		assert_true(exec_watch(&m->x, &w));
		assert_true(machine_step(m, &ld, LANES_ALL));
		if (rows[n].st) {
			struct isa_insn st = access_insn(rows[n].st, rows[n].space, ISA_F32, 1);
			expect_watch(m, &st, 2, EXEC_WRITE, rows[n].space, rows[n].window + 16);
		}
		exec_unwatch(&m->x, &w);
	}
	machine_free_all(m);
}

/* A watcher is asked, in front of the access, about those to bytes and spaces that it named, and about no others. */
struct asked {
	unsigned times;
	bool stops;
	struct exec_effect effect;
};

static bool ask(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct asked *a = self;
	assert_ptr_equal(e, &x->effect);
	a->times++;
	a->effect = *e;
	return a->stops;
}

static void test_before(void **state)
{
	(void)state;
	struct machine *m = start();
	struct asked a = {.stops = true};
	struct exec_watcher w = {.before = ask, .self = &a};
	struct exec_range r;
	struct isa_insn st = access_insn("st_global_f32", ISA_SPACE_GLOBAL, ISA_F32, 1);
	struct isa_insn red = access_insn("red_global_add_u32", ISA_SPACE_GLOBAL, ISA_U32, 1);
	red.atom = ISA_ATOM_ADD;
	red.b = st.b;
	uint32_t *const memory = (uint32_t *)(void *)(m->x.global + GLOBAL_AT + 4);
	set_addresses(m, GLOBAL_AT + 4, 4);
	memset(machine_row(m, 2), 0x11, 128);
	watch_page(m, &w, &r, EXEC_READ);
	assert_ptr_equal(m->x.handlers, m->x.observed);
	assert_true(machine_step(m, &st, LANES_ALL));
	assert_int_equal(a.times, 0);
	watch_page(m, &w, &r, EXEC_WRITE);
	*memory = 0;
	assert_false(machine_step(m, &st, 0xf0));
	assert_int_equal(m->x.event, EXEC_EVENT(EXEC_ACCESS));
	assert_true(a.times == 1 && a.effect.access.lanes == 0xf0 && a.effect.access.is_write && !a.effect.deferred);
	assert_int_equal(a.effect.access.address[4], GLOBAL_AT + 4 + 16);
	a.stops = false; /* it has looked, and that was not what it was waiting for */
	assert_true(machine_step(m, &st, LANES_ALL));
	assert_int_equal(a.times, 2);
	assert_int_equal(*memory, 0x11111111);
	/* an atomic that is executed later says so, and changes nothing */
	exec_set_needs(&m->x, EXEC_PART_MODE, EXEC_NEED_DEFER);
	assert_true(machine_step(m, &red, LANES_ALL));
	assert_true(a.times == 3 && a.effect.access.is_atomic && a.effect.deferred);
	assert_int_equal(*memory, 0x11111111);
	exec_set_needs(&m->x, EXEC_PART_MODE, 0);
	exec_unwatch(&m->x, &w);
	assert_ptr_equal(m->x.handlers, m->x.plain);
	assert_true(machine_step(m, &red, LANES_ALL));
	assert_int_equal(a.times, 3);
	assert_int_equal(*memory, 0x22222222);
	machine_free_all(m);
}

/* The timing model's record of every access, lane by lane or in halves: where lanes read is where they are said to. */
static uint64_t recorded(const struct exec_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * (uint64_t)a->step : a->address[lane];
}

static void test_effect(void **state)
{
	(void)state;
	/* 64 + lane * across + (lane / 16) * between */
	static const struct { uint32_t across, between; bool in_halves; } shape[] = {
		{4, 0, true}, {0, 0, true}, {4, 64, true}, {4, (uint32_t)-64, true}, {0, 128, true}, {8, 0, false}, {12, 4, false}};
	static const uint32_t masks[] = {LANES_ALL, 0xfffffff0, 0x80000000, 0x00ff00ff};
	struct machine *m = start();
	exec_set_needs(&m->x, EXEC_PART_MODE, EXEC_NEED_RECORD);
	struct isa_insn ld = access_insn("ld_shared_f32", ISA_SPACE_SHARED, ISA_F32, 1);
	for (unsigned at = 0; at < 512; at += 4)
		memcpy(m->x.shared + at, &at, 4);
	for (unsigned k = 0; k < sizeof shape / sizeof *shape; k++)
		for (unsigned n = 0; n < 4; n++) {
			uint64_t *row = machine_row(m, 0);
			for (unsigned l = 0; l < LANES; l++)
				row[l] = (uint32_t)(64 + l * shape[k].across + l / 16 * shape[k].between);
			assert_true(machine_step(m, &ld, masks[n]));
			assert_int_equal(m->x.effect.access.lanes, masks[n]);
			assert_int_equal(m->x.effect.access.size, 4);
			if (masks[n] == LANES_ALL)
				assert_int_equal(m->x.effect.access.in_halves, shape[k].in_halves);
			LANES_EACH (l, masks[n]) {
				assert_int_equal(recorded(&m->x.effect.access, l), EXEC_SHARED_WINDOW + row[l]);
				assert_int_equal(((uint32_t *)machine_row(m, 1))[l], row[l]);
			}
		}
	machine_free_all(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_global_bounds), cmocka_unit_test(test_global_freed),
		cmocka_unit_test(test_misaligned),    cmocka_unit_test(test_windows),
		cmocka_unit_test(test_spaces),	      cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_watch_global),  cmocka_unit_test(test_watch_spaces),
		cmocka_unit_test(test_before),
		cmocka_unit_test(test_effect),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
