/* What the modifiers of tensor instructions mean: shape, element types, layouts. */
#include <ctype.h>
#include <string.h>

#include "isa/opcodes.h"
#include "ptx/tensor.h"

struct words {
	struct ptx_tensor *t;
	enum isa_opcode opcode;
	enum isa_element type[6];
	unsigned n_types, n_layouts;
	bool is_col[2];
};

static bool is_word(struct ptx_slice s, const char *word) { return s.n == strlen(word) && !memcmp(s.s, word, s.n); }

/* Reads the number at *at and moves *at behind it. */
static unsigned number(const char **at, const char *end)
{
	unsigned v = 0;
	while (*at < end && isdigit((unsigned char)**at) && v < 10000)
		v = 10 * v + (unsigned)(*(*at)++ - '0');
	return v;
}

/* Reads m16n8k16, or m8n8. Returns false if the word is no shape. */
static bool read_shape(struct isa_tensor *t, struct ptx_slice s)
{
	const char *at = s.s, *end = s.s + s.n;
	unsigned v[3] = {0};
	for (unsigned k = 0; k < 3 && at < end; k++) {
		if (*at != "mnk"[k] || at + 1 == end || !isdigit((unsigned char)at[1]))
			return false;
		at++;
		v[k] = number(&at, end);
	}
	if (at != end || !v[0])
		return false;
	t->m = (uint16_t)v[0];
	t->n = (uint16_t)v[1];
	t->k = (uint16_t)v[2];
	return true;
}

static bool read_flag(struct words *w, struct ptx_slice s)
{
	static const struct {
		const char *name;
		uint8_t flags;
	} rows[] = {{"satfinite", ISA_TENSOR_SATFINITE},
		    {"xor", ISA_TENSOR_XOR},
		    {"trans", ISA_TENSOR_TRANS},
		    {"sp", ISA_TENSOR_SPARSE},
		    {"sp::ordered_metadata", ISA_TENSOR_SPARSE},
		    {"kind::f8f6f4", ISA_TENSOR_BYTES},
		    {"kind::mxf8f6f4", ISA_TENSOR_BYTES},
		    {"block_scale", ISA_TENSOR_SCALED}};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		if (is_word(s, rows[k].name)) {
			w->t->tensor.flags |= rows[k].flags;
			w->t->is_kind_plain |= is_word(s, "kind::f8f6f4");
			w->t->is_ordered |= is_word(s, "sp::ordered_metadata");
			return true;
		}
	}
	return false;
}

static bool read_rounding(struct isa_tensor *t, struct ptx_slice s)
{
	static const char *const names[] = {"rn", "rz", "rm", "rp"};
	for (unsigned k = 0; k < 4; k++) {
		if (is_word(s, names[k])) {
			t->rnd = (uint8_t)(ISA_RND_RN + k);
			return true;
		}
	}
	return false;
}

/* Reads a, b, c or d of wmma.load and wmma.store; load, store. */
static bool read_wmma(struct words *w, struct ptx_slice s)
{
	struct isa_tensor *t = &w->t->tensor;
	if (w->opcode != ISA_OP_WMMA)
		return false;
	if (is_word(s, "load"))
		t->kind = ISA_TENSOR_WMMA_LOAD;
	else if (is_word(s, "store"))
		t->kind = ISA_TENSOR_WMMA_STORE;
	else if (s.n == 1 && *s.s >= 'a' && *s.s <= 'd')
		t->matrix = (uint8_t)(ISA_MATRIX_A + (*s.s - 'a'));
	else
		return false;
	return true;
}

static void read_word(struct words *w, struct ptx_slice s)
{
	struct isa_tensor *t = &w->t->tensor;
	const enum isa_element type = isa_element_find(s.s, s.n);
	if (type) {
		if (w->n_types < 6)
			w->type[w->n_types++] = type;
	} else if (is_word(s, "row") || is_word(s, "col")) {
		if (w->n_layouts < 2)
			w->is_col[w->n_layouts++] = *s.s == 'c';
	} else if (s.n == 2 && *s.s == 'x' && isdigit((unsigned char)s.s[1])) {
		t->count = (uint8_t)(s.s[1] - '0');
	} else if (s.n == 13 && !memcmp(s.s, "scale_vec::", 11)) {
		t->scale_vec = (uint8_t)(s.s[11] - '0');
	} else if (is_word(s, "b6x16_p32") || is_word(s, "b4x16_p64")) {
		t->packed = (uint8_t)(s.s[1] - '0');
	} else if (is_word(s, "kind::mxf4")) {
		w->t->is_mxf4 = true;
	} else if (is_word(s, "kind::mxf4nvf4")) {
		w->t->is_nvf4 = true;
	} else if (is_word(s, "and")) {
		w->t->has_bit_operation = true;
	} else if (!read_flag(w, s) && !read_rounding(t, s) && !read_wmma(w, s)) {
		read_shape(t, s);
	}
	w->t->has_bit_operation |= is_word(s, "xor");
}

/* Gives the types in written order to the matrices. */
static void place_types(struct words *w)
{
	struct isa_tensor *t = &w->t->tensor;
	uint8_t *e = t->element;
	if (t->kind == ISA_TENSOR_WMMA_LOAD || t->kind == ISA_TENSOR_WMMA_STORE) {
		e[t->matrix] = (uint8_t)w->type[0];
		return;
	}
	if (t->kind >= ISA_TENSOR_LDMATRIX && t->kind != ISA_TENSOR_WGMMA) {
		e[ISA_MATRIX_D] = w->type[0] ? (uint8_t)w->type[0] : ISA_EL_B8; /* .b8x16 */
		return;
	}
	e[ISA_MATRIX_D] = (uint8_t)w->type[0];
	if (t->kind == ISA_TENSOR_WGMMA)
		w->type[3] = w->type[0];
	if (w->n_types == 2) { /* wmma.mma of f16 */
		e[ISA_MATRIX_A] = e[ISA_MATRIX_B] = ISA_EL_F16;
		e[ISA_MATRIX_C] = (uint8_t)w->type[1];
		return;
	}
	e[ISA_MATRIX_A] = (uint8_t)w->type[1];
	e[ISA_MATRIX_B] = (uint8_t)w->type[2];
	e[ISA_MATRIX_C] = (uint8_t)w->type[3];
	t->scale = (uint8_t)w->type[4];
	if (t->flags & ISA_TENSOR_SCALED && !t->scale_vec && !w->t->is_nvf4)
		t->scale_vec = w->t->is_mxf4 ? 2 : 1;
}

static void count_rows(struct isa_tensor *t)
{
	struct isa_fragment f;
	for (unsigned m = 0; m < ISA_MATRICES; m++)
		t->n_rows[m] = 0;
	if (t->kind == ISA_TENSOR_WGMMA) {
		if (isa_tensor_fragment(t, ISA_MATRIX_D, &f))
			t->n_rows[ISA_MATRIX_D] = f.n_rows;
		return;
	}
	if (t->kind >= ISA_TENSOR_LDMATRIX) {
		isa_tensor_fragment(t, ISA_MATRIX_D, &f);
		t->n_rows[t->kind == ISA_TENSOR_STMATRIX ? ISA_MATRIX_A : ISA_MATRIX_D] = (uint8_t)(f.n_rows * t->count);
		if (t->kind == ISA_TENSOR_MOVMATRIX)
			t->n_rows[ISA_MATRIX_A] = 1;
		return;
	}
	for (unsigned m = 0; m < ISA_MATRICES; m++)
		if (isa_tensor_fragment(t, (enum isa_matrix)m, &f))
			t->n_rows[m] = f.n_rows;
	t->n_extra = (uint8_t)((t->flags & ISA_TENSOR_SPARSE ? 1 : 0) + (t->flags & ISA_TENSOR_SCALED ? 6 : 0));
}

void tensor_read(const struct ptx_opcode *op, struct ptx_tensor *out)
{
	static const uint8_t kinds[ISA_OPCODE_COUNT] = {[ISA_OP_LDMATRIX] = ISA_TENSOR_LDMATRIX, [ISA_OP_STMATRIX] = ISA_TENSOR_STMATRIX,
							[ISA_OP_MOVMATRIX] = ISA_TENSOR_MOVMATRIX, [ISA_OP_WMMA] = ISA_TENSOR_WMMA, [ISA_OP_WGMMA] = ISA_TENSOR_WGMMA};
	struct words w = {.t = out, .opcode = (enum isa_opcode)op->opcode};
	const char *end = op->text.s + op->text.n;

	*out = (struct ptx_tensor){.tensor = {.kind = kinds[op->opcode], .count = 1, .packed = 8}};
	for (const char *s = memchr(op->text.s, '.', op->text.n); s && s < end;) {
		const char *word = s + 1, *dot = memchr(word, '.', (size_t)(end - word));
		s = dot ? dot : end;
		read_word(&w, (struct ptx_slice){word, (uint32_t)(s - word)});
	}
	if (w.is_col[0])
		out->tensor.flags |= ISA_TENSOR_COL_A;
	if (w.is_col[1])
		out->tensor.flags |= ISA_TENSOR_COL_B;
	place_types(&w);
	count_rows(&out->tensor);
}
