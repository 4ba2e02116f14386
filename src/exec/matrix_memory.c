/* Loads and stores of matrices: ldmatrix, stmatrix, wmma.load, wmma.store. Each is one access of the warp, in which a lane stands for the piece of the matrix
 * whose address it has: ldmatrix, stmatrix: the row that the lane names; wmma: one of 32 equal parts, in the order of memory. */
#include "exec/effect.h"
#include "exec/memory.h"
#include "exec/tensor.h"
#include "exec/warp_sync.h"

/* ---- which element lies where ---- */

static void ldmatrix_image(const struct isa_tensor *t, struct exec_matrix_image *m)
{
	/* m16n8 lies in memory by columns: 8 of 16 bytes */
	m->is_col = t->flags & ISA_TENSOR_TRANS;
	m->registers = t->count;
	m->bits = t->packed < 8 ? t->packed : m->fragment.bits; /* of 4 or 6 bits: together at the start of a row */
	m->line_bits = 128;
	m->lines = m->is_col ? t->n : t->m;
	m->size = 16;
	m->lanes = (unsigned)m->lines * t->count == LANES ? LANES_ALL : (1u << (unsigned)m->lines * t->count) - 1;
}

static void wmma_image(const struct isa_tensor *t, struct exec_matrix_image *m)
{
	m->is_col = t->flags & ISA_TENSOR_COL_A;
	m->registers = 1;
	m->bits = m->fragment.bits;
	m->lines = m->is_col ? m->fragment.cols : m->fragment.rows;
	m->line_bits = (uint16_t)((m->is_col ? m->fragment.rows : m->fragment.cols) * m->bits);
	m->size = (uint16_t)((unsigned)m->lines * m->line_bits / 8 / LANES);
	m->lanes = LANES_ALL;
}

void exec_matrix_image(const struct isa_tensor *t, struct exec_matrix_image *m)
{
	const bool is_wmma = t->kind == ISA_TENSOR_WMMA_LOAD || t->kind == ISA_TENSOR_WMMA_STORE;
	*m = (struct exec_matrix_image){.stores = t->kind == ISA_TENSOR_WMMA_STORE || t->kind == ISA_TENSOR_STMATRIX};
	isa_tensor_fragment(t, is_wmma ? (enum isa_matrix)t->matrix : ISA_MATRIX_D, &m->fragment);
	if (is_wmma)
		wmma_image(t, m);
	else
		ldmatrix_image(t, m);
	m->matrix = (uint8_t)(is_wmma ? t->matrix : m->stores ? ISA_MATRIX_A : ISA_MATRIX_D);
}

unsigned exec_matrix_bit(const struct exec_matrix_image *m, unsigned lane, unsigned r, unsigned e)
{
	const struct isa_fragment_place at = isa_fragment_place(&m->fragment, lane, r % m->fragment.n_rows, e);
	const unsigned line = (m->is_col ? at.col : at.row) + r / m->fragment.n_rows * (unsigned)m->lines;
	return line * m->line_bits + (m->is_col ? at.row : at.col) * (unsigned)m->bits;
}

void exec_matrix_addresses(const struct exec *x, const struct isa_insn *i, const struct exec_matrix_image *m, uint64_t address[LANES])
{
	const struct isa_tensor *t = isa_tensor_of(x->program, i);
	uint64_t own[LANES];
	mem_addresses(x, i, own);
	memcpy(address, own, sizeof own);
	if (t->kind == ISA_TENSOR_LDMATRIX || t->kind == ISA_TENSOR_STMATRIX)
		return;
	const unsigned first = lanes_first(x->mask), line_bytes = m->line_bits / 8u;
	const uint64_t stride = i->b == ISA_REF_NONE ? line_bytes : (uint64_t)exec_src32(x, i->b)[first] * m->bits / 8;
	for (unsigned l = 0; l < LANES; l++)
		address[l] = own[first] + l * m->size / line_bytes * stride + l * m->size % line_bytes;
}

/* Bits of the image from an element to those of the next group of four lanes, next lane, next element: the same for all elements of a register. */
struct steps {
	unsigned first, g, t, e;
};

/* Returns false if the elements of a register don't lie so. */
static bool steps_of(const struct exec_matrix_image *m, unsigned r, struct steps *s)
{
	s->first = exec_matrix_bit(m, 0, r, 0);
	s->g = exec_matrix_bit(m, 4, r, 0) - s->first;
	s->t = exec_matrix_bit(m, 1, r, 0) - s->first;
	s->e = m->fragment.per_reg > 1 ? exec_matrix_bit(m, 0, r, 1) - s->first : m->fragment.bits;
	return !m->fragment.is_paired && m->bits == m->fragment.bits;
}

/* ---- the access ---- */

struct bytes {
	uint8_t v[LANES * EXEC_PIECE_MAX + 8];
};

/* Moves the pieces between memory and `bytes`, where piece p begins at p * size. Returns false if the instruction faults or stops. */
static bool move_pieces(struct exec *x, const struct isa_insn *i, const struct exec_matrix_image *m, struct bytes *bytes)
{
	const uint32_t all = x->mask;
	const struct mem_given_access a = {i->space, m->size, m->stores ? EXEC_WRITE : EXEC_READ, m->size < 16 ? m->size : 16};
	uint64_t address[LANES], offset[LANES];
	exec_matrix_addresses(x, i, m, address);
	x->mask = m->lanes;
	x->event = 0;
	const bool good = mem_resolve_given(x, i, &a, address, offset);
	const bool ok = good || !x->event;
	LANES_EACH (l, good ? x->mask : 0) {
		char *at = x->global + (int64_t)offset[l];
		memcpy(m->stores ? at : (char *)&bytes->v[l * m->size], m->stores ? (char *)&bytes->v[l * m->size] : at, m->size);
	}
	x->n_stores += good && m->stores;
	x->mask = all;
	return ok;
}

static uint64_t read_bits(const uint8_t *v, unsigned bit, unsigned bits)
{
	uint64_t out = 0;
	memcpy(&out, v + bit / 8, bits == 64 ? 8 : bits / 8 + 1);
	return bits == 64 ? out : out >> bit % 8 & ((UINT64_C(1) << bits) - 1);
}

/* Loads a register whose elements have 8 bits and more and lie in steps. */
static void load_steps(struct exec *x, uint32_t ref, const struct exec_matrix_image *m, const struct bytes *b, const struct steps *s)
{
	const unsigned bytes = m->bits / 8u, n = m->fragment.per_reg;
	uint32_t *reg = exec_dst32(x, ref);
	LANES_EACH (lane, x->mask) {
		const uint8_t *at = &b->v[(s->first + lane / 4 * s->g + lane % 4 * s->t) / 8];
		uint32_t v = 0;
		if (s->e == m->bits) {
			memcpy(&v, at, sizeof v); /* next to each other */
		} else if (bytes == 2) {
			uint16_t half[2];
			memcpy(&half[0], at, 2);
			memcpy(&half[1], at + s->e / 8, 2);
			v = half[0] | (uint32_t)half[1] << 16;
		} else {
			for (unsigned e = 0; e < n; e++)
				v |= (uint32_t)at[e * s->e / 8] << 8 * e;
		}
		reg[lane] = v;
	}
}

static void load_registers(struct exec *x, const struct isa_insn *i, const struct exec_matrix_image *m, const struct bytes *b)
{
	const uint32_t *rows = isa_tensor_rows(x->program, i, (enum isa_matrix)m->matrix);
	const struct isa_fragment *f = &m->fragment;
	for (unsigned r = 0; r < f->n_rows * m->registers; r++) {
		struct steps s;
		if (rows[r] != ISA_REF_NONE && f->reg_bytes == 4 && m->bits >= 8 && steps_of(m, r, &s)) {
			load_steps(x, rows[r], m, b, &s);
			continue;
		}
		LANES_EACH (lane, rows[r] == ISA_REF_NONE ? 0 : x->mask) {
			uint64_t v = 0;
			for (unsigned e = 0; e < f->per_reg; e++)
				v |= read_bits(b->v, exec_matrix_bit(m, lane, r, e), m->bits) << e * f->bits;
			if (f->reg_bytes == 8)
				exec_dst64(x, rows[r])[lane] = v;
			else
				exec_dst32(x, rows[r])[lane] = (uint32_t)v;
		}
	}
}

/* Elements that are stored have whole bytes. */
static void store_registers(const struct exec *x, const struct isa_insn *i, const struct exec_matrix_image *m, struct bytes *b)
{
	const uint32_t *rows = isa_tensor_rows(x->program, i, (enum isa_matrix)m->matrix);
	const struct isa_fragment *f = &m->fragment;
	for (unsigned r = 0; r < f->n_rows * m->registers; r++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			const uint64_t v = f->reg_bytes == 8 ? exec_src64(x, rows[r])[lane] : exec_src32(x, rows[r])[lane];
			for (unsigned e = 0; e < f->per_reg; e++) {
				const uint64_t element = v >> e * f->bits;
				memcpy(&b->v[exec_matrix_bit(m, lane, r, e) / 8], &element, m->bits / 8);
			}
		}
	}
}

/* ---- handlers ---- */

static void whole(struct exec *x, const struct isa_insn *i)
{
	struct exec_matrix_image m;
	struct bytes b;
	exec_matrix_image(isa_tensor_of(x->program, i), &m);
	memset(&b, 0, sizeof b);
	if (m.stores)
		store_registers(x, i, &m, &b);
	if (move_pieces(x, i, &m, &b) && !m.stores)
		load_registers(x, i, &m, &b);
}
/* Executes the access when all lanes of the warp have come. */
static void when_whole(struct exec *x, const struct isa_insn *i)
{
	if (!exec_tensor_has_all_lanes(x))
		return;
	if (__builtin_expect(warp_is_whole(x), 1))
		whole(x, i);
	else
		warp_sync_meet(x, i, whole);
}

#define MATRIX_HANDLER(name) \
	EXEC_HANDLER(name) { when_whole(x, i); } \
	EXEC_OBSERVED(name) \
	{ \
		when_whole(x, i); \
		if (__builtin_expect(x->after_is_due, 0)) \
			effect_access_done(x); \
	}
MATRIX_HANDLER(ldmatrix)
MATRIX_HANDLER(stmatrix)
MATRIX_HANDLER(wmma_load)
MATRIX_HANDLER(wmma_store)
