/* ld and st: every type, vector, space, register width and address shape against a model that moves bytes one lane at a time. */
#include "mem_machine.h"

#include "base/arena_marks.h"

#define GLOBAL_AT UINT64_C(0x80000000)
#define GLOBAL_BYTES 16384u

static const char *const levels[] = {"v2", "v3", "v4", "generic"};

/* Host memory that holds a space's byte `offset` for a lane. */
static uint8_t *space_byte(struct machine *m, enum isa_space space, unsigned lane, uint64_t offset)
{
	struct exec *x = &m->x;
	switch (space) {
	case ISA_SPACE_GLOBAL: return (uint8_t *)x->global + GLOBAL_AT + offset;
	case ISA_SPACE_SHARED: return (uint8_t *)x->shared + offset;
	case ISA_SPACE_LOCAL: return (uint8_t *)x->local + (size_t)lane * MACHINE_STRIDE + offset;
	case ISA_SPACE_PARAM: return (uint8_t *)(uintptr_t)x->param + offset;
	default: return (uint8_t *)(uintptr_t)x->constant + offset;
	}
}

static uint64_t space_bytes(enum isa_space space)
{
	static const uint32_t bytes[ISA_SPACE_COUNT] = {[ISA_SPACE_GLOBAL] = GLOBAL_BYTES,
							[ISA_SPACE_SHARED] = MACHINE_SHARED,
							[ISA_SPACE_LOCAL] = MACHINE_STRIDE,
							[ISA_SPACE_PARAM] = MACHINE_PARAM,
							[ISA_SPACE_CONST] = MACHINE_CONST};
	return bytes[space];
}

static uint64_t space_base(enum isa_space space, bool generic)
{
	static const uint64_t window[ISA_SPACE_COUNT] = {[ISA_SPACE_SHARED] = EXEC_SHARED_WINDOW,
							 [ISA_SPACE_LOCAL] = EXEC_LOCAL_WINDOW,
							 [ISA_SPACE_PARAM] = EXEC_PARAM_WINDOW,
							 [ISA_SPACE_CONST] = EXEC_CONST_WINDOW};
	return space == ISA_SPACE_GLOBAL ? GLOBAL_AT : generic ? window[space] : 0;
}

static void fill_random(struct machine *m, uint64_t *seed)
{
	for (unsigned s = ISA_SPACE_GLOBAL; s <= ISA_SPACE_PARAM; s++)
		for (unsigned lane = 0; lane < (s == ISA_SPACE_LOCAL ? LANES : 1); lane++)
			for (uint64_t k = 0; k < space_bytes((enum isa_space)s); k++)
				*space_byte(m, (enum isa_space)s, lane, k) = (uint8_t)machine_random(seed);
	for (unsigned r = 0; r < MACHINE_ROWS * MACHINE_ROW_BYTES; r++)
		m->frame[64 + r] = (char)machine_random(seed);
}

/* One random access: what the instruction says and where each lane's vector is in its space. */
struct access_case {
	struct isa_insn insn;
	enum isa_space space;
	bool generic;
	uint32_t mask, size;
	uint64_t offset[LANES];
	char name[40];
};

static void choose_offsets(struct access_case *c, uint64_t *seed)
{
	const uint64_t places = space_bytes(c->space) / c->size;
	const unsigned shape = (unsigned)(machine_random(seed) % 6);
	const uint64_t first = machine_random(seed) % (places - LANES);
	for (unsigned l = 0; l < LANES; l++) {
		uint64_t place = first;
		if (shape == 1)
			place = first + l;
		else if (shape == 2)
			place = machine_random(seed) % places;
		else if (shape == 3) /* nearly a row */
			place = first + l + (machine_random(seed) % 16 == 0);
		else if (shape >= 4) /* two halves */
			place = first + (l < 16 ? 0 : 7) + (shape == 4 ? l % 16 : 0);
		if (place >= places)
			place = places - 1;
		c->offset[l] = place * c->size;
	}
}

static void choose_type(struct access_case *c, uint64_t *seed)
{
	static const uint8_t types[] = {ISA_B8,	 ISA_U8,  ISA_S8,  ISA_B16, ISA_U16, ISA_S16, ISA_B32, ISA_U32,
					ISA_S32, ISA_F32, ISA_B64, ISA_U64, ISA_S64, ISA_F64, ISA_B128};
	static const uint8_t vecs[] = {1, 1, 2, 4, 8};
	struct isa_insn *i = &c->insn;
	i->type = types[machine_random(seed) % sizeof types];
	const unsigned bytes = isa_type_bytes((enum isa_type)i->type);
	do
		i->vec = vecs[machine_random(seed) % sizeof vecs];
	while (i->vec * bytes > 32 || (bytes == 16 && i->vec > 1));
	c->size = i->vec * bytes;
	/* registers at least as wide as the type; 8-bit ones live in 16-bit lanes */
	unsigned reg = bytes < 2 ? 2 : bytes;
	while (reg < 8 && machine_random(seed) % 2 && !isa_type_is_float((enum isa_type)i->type))
		reg *= 2;
	i->dst_bytes = (uint8_t)reg;
}

/* The address row or absolute address, with a displacement that the row's values don't contain. */
static void write_addresses(struct machine *m, struct access_case *c, uint64_t *seed)
{
	struct isa_insn *i = &c->insn;
	bool uniform = true;
	for (unsigned l = 0; l < LANES; l++)
		uniform = uniform && c->offset[l] == c->offset[0];
	const uint64_t base = space_base(c->space, c->generic);
	if (uniform && machine_random(seed) % 2) {
		m->x.local_sp = 64;
		const bool sp = c->space == ISA_SPACE_LOCAL && !c->generic;
		i->flags = sp ? ISA_F_ADDR_SP : 0;
		i->imm = (int64_t)(base + c->offset[0]) - (sp ? 64 : 0);
		return;
	}
	i->a = ROW_REF(0);
	i->a_bytes = machine_random(seed) % 2 ? 8 : 4;
	i->imm = (int64_t)(machine_random(seed) % 256) - 128;
	uint64_t *row = machine_row(m, 0);
	for (unsigned l = 0; l < LANES; l++) {
		const uint64_t a = base + c->offset[l] - (uint64_t)i->imm;
		const uint64_t value = c->mask & lanes_bit(l) ? a : machine_random(seed);
		if (i->a_bytes == 8)
			row[l] = value;
		else
			((uint32_t *)(void *)row)[l] = (uint32_t)value;
	}
}

static void choose_case(struct machine *m, struct access_case *c, bool store, uint64_t *seed)
{
	static const char *const spaces[] = {"", "_global", "_shared", "_local", "_const", "_param"};
	do
		c->space = (enum isa_space)(ISA_SPACE_GLOBAL + machine_random(seed) % 5);
	while (store && c->space > ISA_SPACE_LOCAL);
	c->insn = machine_insn(ISA_H_ld);
	c->generic = machine_random(seed) % 3 == 0;
	c->insn.space = (uint8_t)(c->generic ? ISA_SPACE_GENERIC : c->space);
	c->mask =
		machine_random(seed) % 2 ? LANES_ALL : (uint32_t)machine_random(seed) | 1u << machine_random(seed) % 32;
	choose_type(c, seed);
	choose_offsets(c, seed);
	char exact[40], vec[8] = "";
	if (c->insn.vec > 1)
		snprintf(vec, sizeof vec, "_v%u", c->insn.vec);
	snprintf(exact, sizeof exact, "%s%s%s_%s", store ? "st" : "ld", spaces[c->insn.space], vec,
		 isa_type_info[c->insn.type].name);
	snprintf(c->name, sizeof c->name, "%s", exact);
	c->insn.handler = (uint16_t)machine_handler(exact, store ? "st" : "ld");
	write_addresses(m, c, seed);
	c->insn.aux = 3;
	for (unsigned k = 0; k < 8; k++)
		m->aux[3 + k] = machine_random(seed) % 8 ? ROW_REF(8 + k) : ISA_REF_NONE;
	if (c->insn.vec == 1)
		*(store ? &c->insn.b : &c->insn.dst) = m->aux[3] = ROW_REF(8);
	/* a load into the register that holds the address */
	if (!store && c->insn.vec == 1 && c->insn.a_bytes == c->insn.dst_bytes && machine_random(seed) % 4 == 0)
		c->insn.dst = m->aux[3] = c->insn.a;
}

/* Bytes of a register row's lane: 16-byte registers keep the halves in two rows. */
static uint8_t *lane_bytes(char *row, unsigned reg, unsigned lane, unsigned half)
{
	return (uint8_t *)row + (reg == 16 ? 8 * lane + 256 * half : reg * lane);
}

/* What ld leaves in the frame, by the ISA's words. */
static void model_load(struct machine *m, const struct access_case *c, char *frame)
{
	const unsigned bytes = isa_type_bytes((enum isa_type)c->insn.type), reg = c->insn.dst_bytes;
	for (unsigned k = 0; k < c->insn.vec; k++)
		LANES_EACH (l, c->mask) {
			const uint32_t ref = m->aux[3 + k];
			if (ref == ISA_REF_NONE)
				continue;
			uint8_t value[16];
			for (unsigned b = 0; b < bytes; b++)
				value[b] = *space_byte(m, c->space, l, c->offset[l] + k * bytes + b);
			const bool negative =
				isa_type_is_signed((enum isa_type)c->insn.type) && value[bytes - 1] & 0x80;
			memset(value + bytes, negative ? 0xff : 0, sizeof value - bytes);
			char *row = frame + ISA_REF_OFFSET(ref);
			memcpy(lane_bytes(row, reg, l, 0), value, reg == 16 ? 8 : reg);
			if (reg == 16)
				memcpy(lane_bytes(row, reg, l, 1), value + 8, 8);
		}
}

static void run_loads(const char *level)
{
	struct machine *m = machine_create(level);
	if (!m)
		return;
	machine_allocate(m, GLOBAL_AT, GLOBAL_BYTES);
	uint64_t seed = 42;
	fill_random(m, &seed);
	const size_t n = 64 + MACHINE_ROWS * MACHINE_ROW_BYTES;
	char *want = malloc(n);
	for (unsigned k = 0; k < 20000; k++) {
		struct access_case c;
		choose_case(m, &c, false, &seed);
		exec_set_needs(&m->x, EXEC_PART_WAITS, k % 2 ? EXEC_NEED_COMPARE : 0); /* both tables */
		memcpy(want, m->frame, n);
		model_load(m, &c, want);
		m->x.pc = k % 100;
		assert_true(machine_step(m, &c.insn, c.mask));
		if (memcmp(want, m->frame, n))
			fail_msg("level %s, case %u: %s, mask %08x", level, k, c.name, c.mask);
	}
	free(want);
	machine_free_all(m);
}

/* What st leaves in memory: lanes in order. */
static bool model_store(struct machine *m, const struct access_case *c,
			uint8_t *(*at)(struct machine *, enum isa_space, unsigned, uint64_t))
{
	const unsigned bytes = isa_type_bytes((enum isa_type)c->insn.type), reg = c->insn.dst_bytes;
	bool changed = false;
	LANES_EACH (l, c->mask)
		for (unsigned k = 0; k < c->insn.vec; k++) {
			const uint32_t ref = m->aux[3 + k];
			if (ref == ISA_REF_NONE)
				continue;
			char *row = m->frame + ISA_REF_OFFSET(ref);
			for (unsigned b = 0; b < bytes; b++) {
				uint8_t *p = at(m, c->space, l, c->offset[l] + k * bytes + b);
				const uint8_t v = lane_bytes(row, reg, l, b / 8)[b % 8];
				changed = changed || *p != v;
				*p = v;
			}
		}
	return changed;
}

static uint8_t *spaces_copy[3];
static uint8_t *copy_byte(struct machine *m, enum isa_space space, unsigned lane, uint64_t offset)
{
	(void)m;
	if (space == ISA_SPACE_LOCAL)
		offset += (uint64_t)lane * MACHINE_STRIDE;
	return spaces_copy[space - ISA_SPACE_GLOBAL] + offset;
}

static void run_stores(const char *level)
{
	struct machine *m = machine_create(level);
	if (!m)
		return;
	machine_allocate(m, GLOBAL_AT, GLOBAL_BYTES);
	uint64_t seed = 7;
	fill_random(m, &seed);
	const size_t bytes[3] = {GLOBAL_BYTES, MACHINE_SHARED, LANES * MACHINE_STRIDE};
	for (unsigned s = 0; s < 3; s++) {
		spaces_copy[s] = malloc(bytes[s]);
		memcpy(spaces_copy[s], space_byte(m, (enum isa_space)(ISA_SPACE_GLOBAL + s), 0, 0), bytes[s]);
	}
	for (unsigned k = 0; k < 20000; k++) {
		struct access_case c;
		choose_case(m, &c, true, &seed);
		m->x.pc = k % 100;
		exec_set_needs(&m->x, EXEC_PART_WAITS, k % 2 ? EXEC_NEED_COMPARE : 0);
		m->x.n_stores = 0;
		const bool changed = model_store(m, &c, copy_byte);
		memset(m->x.global_flags + (GLOBAL_AT >> ARENA_PAGE_SHIFT), 0, GLOBAL_BYTES >> ARENA_PAGE_SHIFT);
		assert_true(machine_step(m, &c.insn, c.mask));
		for (unsigned s = 0; s < 3; s++)
			if (memcmp(spaces_copy[s], space_byte(m, (enum isa_space)(ISA_SPACE_GLOBAL + s), 0, 0),
				   bytes[s]))
				fail_msg("level %s, case %u: %s, mask %08x", level, k, c.name, c.mask);
		if (m->x.wants.compares)
			assert_int_equal(m->x.n_stores, changed && c.space != ISA_SPACE_LOCAL); /* local memory is the warp's own state */
		LANES_EACH (l, c.mask)
			if (c.space == ISA_SPACE_GLOBAL)
				assert_true(m->x.global_flags[(GLOBAL_AT + c.offset[l]) >> ARENA_PAGE_SHIFT] &
					    ARENA_PAGE_DIRTY);
	}
	for (unsigned s = 0; s < 3; s++)
		free(spaces_copy[s]);
	machine_free_all(m);
}

/* After a mark every store saves the pages it is the first to write, as they were, before it writes them. */
/* Memory that stores go to, and what it held at the newest mark. */
struct marked {
	int section;
	uint64_t at, n;
	uint8_t *memory, *then, *back;
};

static struct marked marked_memory(struct machine *m, int section, uint64_t at, uint64_t n)
{
	assert_true(arena_use(&m->arena, section, at + n));
	arena_touch(&m->arena, section, at, n);
	return (struct marked){section, at, n, arena_at(&m->arena, section, at), malloc(n), malloc(n)};
}

/* Pages saved since the mark, laid over the memory, make what it held then. */
static bool is_saved(const struct machine *m, const struct marked *v)
{
	size_t n;
	struct arena_saved_page *page = arena_saved_since(
		&m->arena, arena_mark_number(&m->arena, arena_mark_count(&m->arena) - 1), v->section, &n);
	memcpy(v->back, v->memory, v->n);
	for (size_t p = 0; p < n; p++)
		memcpy(v->back + (page[p].offset - v->at), page[p].bytes, ARENA_PAGE);
	free(page);
	return !memcmp(v->back, v->then, v->n);
}

static void set_mark(struct machine *m, const struct marked v[2])
{
	const size_t n = arena_mark_count(&m->arena);
	assert_true(arena_mark(&m->arena) != 0);
	if (n)
		arena_drop_mark(&m->arena, arena_mark_number(&m->arena, n - 1));
	for (unsigned k = 0; k < 2; k++)
		memcpy(v[k].then, v[k].memory, v[k].n);
}

#define LOCAL_BYTES ((LANES * MACHINE_STRIDE + ARENA_PAGE - 1) / ARENA_PAGE * ARENA_PAGE)

static void run_stores_after_marks(const char *level)
{
	struct machine *m = machine_create(level);
	if (!m)
		return;
	machine_allocate(m, GLOBAL_AT, GLOBAL_BYTES);
	uint64_t seed = 11;
	fill_random(m, &seed);
	const struct marked v[2] = {marked_memory(m, m->x.sec_global, GLOBAL_AT, GLOBAL_BYTES),
				    marked_memory(m, m->x.sec_local, m->warp.local, LOCAL_BYTES)};
	assert_true(arena_marks_begin(&m->arena, UINT64_C(1) << 20));
	for (unsigned k = 0; k < 5000; k++) {
		struct access_case c;
		choose_case(m, &c, true, &seed);
		if (k % 3 == 0)
			set_mark(m, v);
		m->x.pc = k % 100;
		exec_set_needs(&m->x, EXEC_PART_WAITS, k % 2 ? EXEC_NEED_COMPARE : 0);
		assert_true(machine_step(m, &c.insn, c.mask));
		if (!is_saved(m, &v[0]) || !is_saved(m, &v[1]))
			fail_msg("level %s, case %u: %s, mask %08x", level, k, c.name, c.mask);
	}
	for (unsigned k = 0; k < 2; k++) {
		free(v[k].then);
		free(v[k].back);
	}
	machine_free_all(m);
}

static void test_stores_after_marks(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++)
		run_stores_after_marks(levels[k]);
}

static void test_loads(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++)
		run_loads(levels[k]);
}

static void test_stores(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++)
		run_stores(levels[k]);
}

/* Lanes of one generic access in different spaces. */
static void test_mixed_spaces(void **state)
{
	(void)state;
	struct machine *m = machine_create(NULL);
	machine_allocate(m, GLOBAL_AT, GLOBAL_BYTES);
	uint64_t seed = 3;
	fill_random(m, &seed);
	struct isa_insn i = machine_insn(machine_handler("ld_u32", "ld"));
	i.type = ISA_U32;
	i.dst_bytes = 4;
	i.a = ROW_REF(0);
	i.a_bytes = 8;
	i.dst = ROW_REF(1);
	uint64_t *a = machine_row(m, 0);
	for (unsigned l = 0; l < LANES; l++) {
		const enum isa_space s = (enum isa_space)(ISA_SPACE_GLOBAL + l % 5);
		a[l] = space_base(s, true) + 4 * l;
	}
	assert_true(machine_step(m, &i, LANES_ALL));
	for (unsigned l = 0; l < LANES; l++) {
		uint32_t want;
		memcpy(&want, space_byte(m, (enum isa_space)(ISA_SPACE_GLOBAL + l % 5), l, 4 * l), 4);
		assert_int_equal(((uint32_t *)machine_row(m, 1))[l], want);
	}
	machine_free_all(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_stores_after_marks),
		cmocka_unit_test(test_mixed_spaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
