/* wgmma.mma_async: a warp multiplies its 16 of 64 rows with matrices that descriptors name in shared memory (PTX ISA "Asynchronous warpgroup level matrix
 * instructions"). The multiplication happens when the instruction is executed. */
#include "exec/tensor.h"

struct exec_descriptor exec_descriptor_decode(uint64_t bits)
{
	static const uint8_t widths[] = {16, 128, 64, 32};
	return (struct exec_descriptor){.start = (uint32_t)(bits & 0x3fff) << 4,
					.leading = (uint32_t)(bits >> 16 & 0x3fff) << 4,
					.stride = (uint32_t)(bits >> 32 & 0x3fff) << 4,
					.base_offset = (uint8_t)(bits >> 49 & 7),
					.width = widths[bits >> 62]};
}

/* Exchanges pieces of 16 bytes within a row of the swizzle, as the row's number says. */
static uint32_t swizzled(const struct exec_descriptor *d, uint32_t address)
{
	return address ^ (((address >> 7) - d->base_offset) & (d->width / 16u - 1)) << 4;
}

uint32_t exec_descriptor_at(const struct exec_descriptor *d, unsigned mn, unsigned k, unsigned bits, bool is_mn_major)
{
	const unsigned line = is_mn_major ? k : mn, byte = (is_mn_major ? mn : k) * bits / 8;
	/* rows of 8 are 16 bytes to 128 wide; what lies beyond that width, or beyond 8 rows, is a stride away */
	const uint32_t inside = line % 8 * d->width + byte % d->width;
	uint32_t rows = d->stride, columns = d->leading;
	if (is_mn_major && d->width == 16) {
		rows = d->leading;
		columns = d->stride;
	}
	if (!is_mn_major && d->width > 16)
		columns = d->width; /* k never leaves the width: the leading offset isn't used */
	return swizzled(d, d->start + line / 8 * rows + byte / d->width * columns + inside);
}

/* Reads an element of a matrix in shared memory. Returns false if it lies outside. */
static bool read_element(const struct exec *x, const struct exec_descriptor *d, unsigned mn, unsigned k, unsigned bits, bool is_mn_major, uint32_t *out)
{
	const uint32_t at = exec_descriptor_at(d, mn, k, bits, is_mn_major), bytes = bits / 8;
	*out = 0;
	if (at >= x->shared_bytes || bytes > x->shared_bytes - at)
		return false;
	memcpy(out, x->shared + at, bytes);
	return true;
}

static uint32_t with_sign(const struct isa_tensor *t, enum isa_matrix m, uint32_t v)
{
	const bool negative = t->selector >> m & 1;
	return negative ? v ^ 1u << (isa_element_info[t->element[m]].bits - 1) : v;
}

static uint64_t descriptor_of(const struct exec *x, uint32_t ref) { return exec_src64(x, ref)[lanes_first(x->mask)]; }

static bool read_a(struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, struct exec_matrix *a)
{
	const unsigned bits = isa_element_info[t->element[ISA_MATRIX_A]].bits, first = x->warp->index % 4 * 16;
	if (t->n_rows[ISA_MATRIX_A]) {
		struct isa_fragment f;
		isa_tensor_fragment(t, ISA_MATRIX_A, &f);
		exec_matrix_gather(x, isa_tensor_rows(x->program, i, ISA_MATRIX_A), &f, 0, a);
	} else {
		const struct exec_descriptor d = exec_descriptor_decode(descriptor_of(x, i->a));
		for (unsigned r = 0; r < 16; r++)
			for (unsigned k = 0; k < t->k; k++)
				if (!read_element(x, &d, first + r, k, bits, t->flags & ISA_TENSOR_COL_A, &a->v[r * t->k + k]))
					return false;
	}
	a->rows = 16;
	a->cols = t->k;
	for (unsigned k = 0; k < 16u * t->k; k++)
		a->v[k] = with_sign(t, ISA_MATRIX_A, a->v[k]);
	return true;
}

static bool read_b(struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, unsigned first, unsigned n, struct exec_matrix *b)
{
	const unsigned bits = isa_element_info[t->element[ISA_MATRIX_B]].bits;
	const struct exec_descriptor d = exec_descriptor_decode(descriptor_of(x, i->b));
	b->rows = t->k;
	b->cols = n;
	for (unsigned k = 0; k < t->k; k++) {
		for (unsigned col = 0; col < n; col++) {
			if (!read_element(x, &d, first + col, k, bits, t->flags & ISA_TENSOR_COL_B, &b->v[k * n + col]))
				return false;
			b->v[k * n + col] = with_sign(t, ISA_MATRIX_B, b->v[k * n + col]);
		}
	}
	return true;
}

/* The fragment of columns first to first + n - 1 of D, and its registers. */
static const uint32_t *part_of_d(const struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, unsigned first, unsigned n, struct isa_fragment *f)
{
	isa_tensor_fragment(t, ISA_MATRIX_D, f);
	const unsigned in_block = f->bits == 16 ? 2 : 4; /* registers of 8 columns */
	f->cols = (uint16_t)n;
	f->n_rows = (uint8_t)(n / 8 * in_block);
	return isa_tensor_rows(x->program, i, ISA_MATRIX_D) + first / 8 * in_block;
}

bool exec_wgmma_read(struct exec *x, const struct isa_insn *i, unsigned first, unsigned n, struct exec_product *p)
{
	const struct isa_tensor *t = isa_tensor_of(x->program, i);
	const bool adds = i->c == ISA_PRED_NONE || exec_pred(x, i->c) >> lanes_first(x->mask) & 1;
	const uint32_t *rows = part_of_d(x, i, t, first, n, &p->fragment[ISA_MATRIX_D]);
	if (!read_a(x, i, t, &p->a) || !read_b(x, i, t, first, n, &p->b)) {
		exec_raise(x, EXEC_FAULT_OUT_OF_RANGE, x->mask, "a descriptor names memory behind the block's %u bytes of shared memory", x->shared_bytes);
		return false;
	}
	exec_matrix_gather(x, rows, &p->fragment[ISA_MATRIX_D], 0, &p->c);
	if (!adds)
		memset(p->c.v, 0, sizeof *p->c.v * 16 * n);
	p->d.rows = 16;
	p->d.cols = n;
	for (unsigned r = 0, e = 0; r < 16; r++)
		for (unsigned k = 0; k < t->k; k++, e++)
			p->sparse.at[e] = (uint8_t)k;
	return true;
}

void exec_wgmma_write(struct exec *x, const struct isa_insn *i, unsigned first, const struct exec_product *p)
{
	struct isa_fragment f;
	const uint32_t *rows = part_of_d(x, i, isa_tensor_of(x->program, i), first, p->d.cols, &f);
	exec_matrix_scatter(x, rows, &f, 0, &p->d);
}
