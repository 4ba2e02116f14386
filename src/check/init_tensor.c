/* What becomes of bits that aren't initialised in tensor instructions: they go with the elements from memory to registers and back; an element of D isn't
 * initialised if one of its row of A, its column of B or its C isn't. */
#include <string.h>

#include "check/init.h"
#include "exec/tensor.h"

static uint64_t register_bits(const struct init_frame *f, uint32_t ref, unsigned lane)
{
	uint64_t bits[2] = {0, 0};
	if (ref != ISA_REF_NONE && ISA_REF_BASE(ref) == ISA_BASE_FRAME)
		init_row_get(f, ref, lane, bits);
	return bits[0];
}

/* ---- products ---- */

/* Rows of A, columns of B and elements of C with bits that aren't initialised, of each of the matrices of a fragment with quads. */
struct undefined {
	bool row[4][32], col[4][32], element[4][1024];
};

static void note_matrix(const struct exec *x, const struct isa_insn *i, const struct init_frame *f, enum isa_matrix m, struct undefined *u)
{
	const uint32_t *rows = isa_tensor_rows(x->program, i, m);
	struct isa_fragment g;
	isa_tensor_fragment(isa_tensor_of(x->program, i), m, &g);
	for (unsigned r = 0; r < g.n_rows; r++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			const uint64_t bits = register_bits(f, rows[r], lane);
			for (unsigned e = 0; bits && e < g.per_reg; e++) {
				const struct isa_fragment_place at = isa_fragment_place(&g, lane, r, e);
				const bool is = bits >> e * g.bits & (g.bits == 64 ? UINT64_MAX : (UINT64_C(1) << g.bits) - 1);
				u->row[at.matrix][at.row] |= is && m == ISA_MATRIX_A;
				u->col[at.matrix][at.col] |= is && m == ISA_MATRIX_B;
				if (m == ISA_MATRIX_C)
					u->element[at.matrix][at.row * g.cols + at.col] |= is;
			}
		}
	}
}

/* Metadata and scales count for all of D. */
static bool extra_is_undefined(const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const uint32_t *rows = isa_tensor_extra(x->program, i);
	for (unsigned r = 0; r < isa_tensor_of(x->program, i)->n_extra; r++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (register_bits(f, rows[r], lane))
				return true;
	return false;
}

static uint64_t (*out_of(struct init *in, uint32_t ref))[2]
{
	for (uint32_t k = 0; k < in->n_out; k++)
		if (in->out[k].word == ISA_RW_ROW(ref))
			return in->out[k].bits;
	return NULL;
}

static void multiply(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const uint32_t *rows = isa_tensor_rows(x->program, i, ISA_MATRIX_D);
	struct undefined u;
	struct isa_fragment g;
	memset(&u, 0, sizeof u);
	for (unsigned m = ISA_MATRIX_A; m <= ISA_MATRIX_C; m++)
		note_matrix(x, i, f, (enum isa_matrix)m, &u);
	const bool all = extra_is_undefined(x, i, f);
	isa_tensor_fragment(isa_tensor_of(x->program, i), ISA_MATRIX_D, &g);
	for (unsigned r = 0; r < g.n_rows; r++) {
		uint64_t (*bits)[2] = rows[r] == ISA_REF_NONE ? NULL : out_of(in, rows[r]);
		for (unsigned lane = 0; bits && lane < LANES; lane++) {
			bits[lane][0] = 0;
			for (unsigned e = 0; e < g.per_reg; e++) {
				const struct isa_fragment_place at = isa_fragment_place(&g, lane, r, e);
				if (all || u.row[at.matrix][at.row] || u.col[at.matrix][at.col] || u.element[at.matrix][at.row * g.cols + at.col])
					bits[lane][0] |= (g.bits == 64 ? UINT64_MAX : (UINT64_C(1) << g.bits) - 1) << e * g.bits;
			}
		}
	}
}

/* The transposed matrix: element (r, c) lies where (c, r) lay. */
static void move(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const uint32_t *rows = &x->program->aux[i->aux + ISA_TENSOR_WORDS];
	uint64_t (*bits)[2] = out_of(in, rows[0]);
	for (unsigned lane = 0; bits && lane < LANES; lane++) {
		bits[lane][0] = 0;
		for (unsigned e = 0; e < 2; e++) {
			const unsigned row = lane % 4 * 2 + e, col = lane / 4;
			bits[lane][0] |= (register_bits(f, rows[1], 4 * row + col / 2) >> 16 * (col % 2) & 0xffff) << 16 * e;
		}
	}
}

void init_tensor_compute(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const struct isa_tensor *t = isa_tensor_of(x->program, i);
	if (isa_tensor_multiplies(t))
		multiply(in, x, i, f);
	else if (t->kind == ISA_TENSOR_MOVMATRIX)
		move(in, x, i, f);
}

/* ---- memory ---- */

struct image {
	struct exec_matrix_image m;
	uint64_t address[LANES]; /* generic, of the access that has been executed */
	uint8_t defined[LANES * EXEC_PIECE_MAX + 8];
};

/* Returns false if the instruction has made no access. */
static bool read_image(struct init *in, const struct exec *x, const struct isa_insn *i, struct image *m)
{
	exec_matrix_image(isa_tensor_of(x->program, i), &m->m);
	memset(m->defined, 0xff, sizeof m->defined);
	if (x->effect.kind != EXEC_EFFECT_ACCESS || !x->effect.access.lanes)
		return false;
	memcpy(m->address, x->effect.access.address, sizeof m->address);
	LANES_EACH (l, x->effect.access.lanes) {
		const uint8_t *p = init_memory_at(in, x, m->address[l], l, m->m.size, false);
		if (p && init_is_watched(in, m->address[l]))
			memcpy(&m->defined[l * m->m.size], p, m->m.size);
	}
	return true;
}

/* Undefined bits of an element of the image. */
static uint64_t element_bits(const struct image *m, unsigned bit)
{
	uint64_t v = 0;
	memcpy(&v, &m->defined[bit / 8], m->m.bits == 64 ? 8 : m->m.bits / 8 + 1);
	return ~(v >> bit % 8) & (m->m.bits == 64 ? UINT64_MAX : (UINT64_C(1) << m->m.bits) - 1);
}

void init_tensor_load(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	struct image m;
	if (!read_image(in, x, i, &m))
		memset(m.defined, 0xff, sizeof m.defined);
	const uint32_t *rows = isa_tensor_rows(x->program, i, (enum isa_matrix)m.m.matrix);
	for (unsigned r = 0; r < m.m.fragment.n_rows * (unsigned)m.m.registers; r++) {
		uint64_t bits[LANES][2] = {{0}};
		uint32_t from = 0;
		for (unsigned lane = 0; lane < LANES; lane++) {
			for (unsigned e = 0; e < m.m.fragment.per_reg; e++) {
				const unsigned bit = exec_matrix_bit(&m.m, lane, r, e), piece = bit / 8 / m.m.size;
				const uint64_t undefined = element_bits(&m, bit);
				bits[lane][0] |= undefined << e * m.m.fragment.bits;
				if (undefined && !from)
					from = init_from_memory(in, x, m.address[piece] + bit / 8 % m.m.size, piece);
			}
		}
		if (rows[r] != ISA_REF_NONE)
			init_row_set(in, f, ISA_RW_ROW(rows[r]), LANES_ALL, bits, from);
	}
}

void init_tensor_store(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	struct image m;
	if (!read_image(in, x, i, &m))
		return;
	const uint32_t *rows = isa_tensor_rows(x->program, i, (enum isa_matrix)m.m.matrix);
	for (unsigned r = 0; r < m.m.fragment.n_rows * (unsigned)m.m.registers; r++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			const uint64_t bits = register_bits(f, rows[r], lane);
			for (unsigned e = 0; e < m.m.fragment.per_reg; e++) {
				const uint64_t defined = ~(bits >> e * m.m.fragment.bits);
				const unsigned at = exec_matrix_bit(&m.m, lane, r, e) / 8, piece = at / m.m.size;
				memcpy(&m.defined[at], &defined, m.m.bits / 8);
				if (~defined & (m.m.bits == 64 ? UINT64_MAX : (UINT64_C(1) << m.m.bits) - 1))
					init_stored_note(in, x, m.address[piece] + at % m.m.size, m.m.bits / 8, piece,
							 init_from_of(in, x, ISA_RW_ROW(rows[r]), f->units[ISA_REF_OFFSET(rows[r]) / 64].from, lane));
			}
		}
	}
	LANES_EACH (l, x->effect.access.lanes) {
		uint8_t *p = init_memory_at(in, x, m.address[l], l, m.m.size, true);
		if (p)
			memcpy(p, &m.defined[l * m.m.size], m.m.size);
	}
}
