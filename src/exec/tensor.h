/* Tensor instructions: how each generation of tensor cores adds products, and the arithmetic of one element.
 *
 * Products are exact. They and the addend are aligned to the largest exponent, cut off (toward zero) at a number of fraction bits, and added exactly; the
 * sum is cut off to f32 or rounded to f16. Exponents of products aren't normalised: they are the sums of the factors' exponents, and 0 has exponent -126.
 * Long rows are added in steps, each with the sum of the step before as its addend.
 * Source: "MMA-Sim" (arXiv 2511.10909), which compared 10^5 and more random vectors with each GPU; "Accurate Models of NVIDIA Tensor Cores"
 * (arXiv 2512.07004). */
#ifndef EXEC_TENSOR_H
#define EXEC_TENSOR_H

#include "exec/internal.h"
#include "isa/tensor.h"

/* Whose bits tensor instructions give. EXACT: the dot product, rounded once to nearest even. */
enum exec_tensor { EXEC_TENSOR_EXACT, EXEC_TENSOR_VOLTA, EXEC_TENSOR_TURING, EXEC_TENSOR_AMPERE, EXEC_TENSOR_ADA, EXEC_TENSOR_HOPPER,
		   EXEC_TENSOR_BLACKWELL, EXEC_TENSORS };
/* Returns the tensor cores of a compute capability times ten. */
enum exec_tensor exec_tensor_of_capability(uint32_t sm);

/* How a generation adds the products of one instruction. */
struct exec_tensor_rules {
	bool is_exact;
	uint8_t fraction; /* bits behind the point of the largest exponent that are kept */
	uint8_t step;	  /* products added at a time */
	uint8_t result;	  /* fraction bits that an f32 result keeps */
};
/* Returns how a generation adds the products of an instruction. */
struct exec_tensor_rules exec_tensor_rules(enum exec_tensor generation, const struct isa_tensor *t);

/* Returns the rules of Hopper's wgmma. */
struct exec_tensor_rules exec_tensor_wgmma_rules(const struct isa_tensor *t);

/* ---- numbers ---- */

enum exec_tensor_class { EXEC_TENSOR_FINITE, EXEC_TENSOR_INFINITE, EXEC_TENSOR_NAN };
/* An element: significand * 2^(exponent - fraction bits of its format). */
struct exec_tensor_number {
	int32_t significand; /* with its sign */
	int32_t exponent;
	enum exec_tensor_class class;
};
#define EXEC_TENSOR_ZERO_EXPONENT (-126)

/* Returns the value of an element of a float format; of tf32 the bits that the hardware reads. */
struct exec_tensor_number exec_tensor_decode(enum isa_element e, uint32_t bits);
/* Returns the value as f64, which is exact. */
double exec_tensor_value(enum isa_element e, uint32_t bits);

/* Rounds toward zero to `result` fraction bits of f32, an overflow to infinity. A zero is positive. */
uint32_t exec_tensor_to_f32(double v, unsigned result);
/* Rounds to nearest even to f16. A zero is positive. */
uint32_t exec_tensor_to_f16(double v);

/* ---- one element of D ---- */

struct exec_tensor_types {
	uint8_t a, b, c, d; /* enum isa_element */
};
#define EXEC_TENSOR_STEPS 16u
/* What one step has done, for explanations. */
struct exec_tensor_step {
	unsigned first, n;    /* products */
	int exponent;	      /* that all are aligned to */
	double lost;	      /* exact sum less the sum of what alignment has kept */
	double sum;	      /* of what was kept */
	uint32_t result;      /* bits: the addend of the next step, or the element of D */
	double result_lost;   /* `sum` less the result */
};
struct exec_tensor_trace {
	struct exec_tensor_step step[EXEC_TENSOR_STEPS];
	unsigned n;
};
/* Returns the bits of c + a[0]*b[0] + ... as the rules say. `trace` may be NULL. */
uint32_t exec_tensor_dot(const struct exec_tensor_rules *r, const struct exec_tensor_types *t, const uint32_t *a, const uint32_t *b, unsigned k, uint32_t c,
			 struct exec_tensor_trace *trace);
/* Returns the exact dot product, rounded once to nearest even, in the type of D (f16, f32 or f64). Of f64 the elements are 64 bits. */
uint64_t exec_tensor_dot_exact(const struct exec_tensor_types *t, const uint64_t *a, const uint64_t *b, unsigned k, uint64_t c);

/* An element of D with block scaling: scales of its row of A and column of B. */
struct exec_tensor_scales {
	uint32_t v[4];
};
struct exec_tensor_element {
	const struct isa_tensor *t;
	const uint32_t *a, *b; /* k elements of each */
	unsigned k, block;     /* products of one scale */
	uint32_t c;
	struct exec_tensor_scales sa, sb;
};
/* Returns the element's bits. */
uint32_t exec_tensor_scaled_dot(const struct exec_tensor_element *e, bool is_exact);

/* ---- matrices out of registers ---- */

/* Elements as bits, row after row. */
#define EXEC_MATRIX_MAX 4096u
struct exec_matrix {
	unsigned rows, cols;
	uint32_t v[EXEC_MATRIX_MAX] __attribute__((aligned(64)));
};
/* Reads a matrix of 32-bit registers from the warp's rows. `quad` chooses one of the matrices of a fragment with quads. */
void exec_matrix_gather(const struct exec *x, const uint32_t *rows, const struct isa_fragment *f, unsigned quad, struct exec_matrix *out);
/* Writes a matrix to the rows of x->mask's lanes. */
void exec_matrix_scatter(struct exec *x, const uint32_t *rows, const struct isa_fragment *f, unsigned quad, const struct exec_matrix *in);

/* The columns of the whole A that a sparse A holds: at[i * k + s] is that of element s of row i. */
struct exec_sparse {
	uint8_t at[EXEC_MATRIX_MAX];
};
/* Fills *s from the metadata of mma.sp; of a dense A element s is column s. */
void exec_sparse_read(const struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, unsigned rows, unsigned cols, struct exec_sparse *s);

/* A matrix that is loaded or stored, as the pieces of memory that the lanes access, one after the other: line after line. */
#define EXEC_PIECE_MAX 32u /* bytes of a lane's piece */
struct exec_matrix_image {
	struct isa_fragment fragment; /* of one matrix */
	uint8_t matrix;	   /* enum isa_matrix: whose rows isa_tensor_rows gives */
	uint8_t registers; /* fragments that follow each other, a matrix each */
	uint8_t bits;	   /* of an element in memory */
	bool is_col, stores;
	uint16_t line_bits, lines; /* of one matrix */
	uint16_t size;	   /* bytes of a lane's piece */
	uint32_t lanes;	   /* that access a piece */
};
/* Fills *m for a load or store of a matrix. */
void exec_matrix_image(const struct isa_tensor *t, struct exec_matrix_image *m);
/* Returns the bit of the image at which element e of register r of a lane begins. */
unsigned exec_matrix_bit(const struct exec_matrix_image *m, unsigned lane, unsigned r, unsigned e);
/* Stores where each lane's piece lies, in the instruction's space. */
void exec_matrix_addresses(const struct exec *x, const struct isa_insn *i, const struct exec_matrix_image *m, uint64_t address[LANES]);

/* ---- wgmma ---- */

struct exec_product;

/* What a descriptor of a matrix in shared memory says. Source: PTX ISA "Matrix Descriptor Format". */
struct exec_descriptor {
	uint32_t start, leading, stride; /* byte address, byte offsets */
	uint8_t base_offset;
	uint8_t width; /* bytes of a row of the swizzle: 128, 64, 32; 16: no swizzle */
};
/* Returns what the 64 bits of a descriptor say. */
struct exec_descriptor exec_descriptor_decode(uint64_t bits);
/* Returns the shared address of element (mn, k) of a matrix, mn being a row of A or a column of B. */
uint32_t exec_descriptor_at(const struct exec_descriptor *d, unsigned mn, unsigned k, unsigned bits, bool is_mn_major);
/* Reads the operands for columns first to first + n - 1 of D. Returns false if the instruction faults. */
bool exec_wgmma_read(struct exec *x, const struct isa_insn *i, unsigned first, unsigned n, struct exec_product *p);
/* Writes these columns of D. */
void exec_wgmma_write(struct exec *x, const struct isa_insn *i, unsigned first, const struct exec_product *p);

/* Returns true if all 32 lanes of the warp live. If not, PTX leaves the instruction's result open: returns false if it faults or stops for that. */
bool exec_tensor_has_all_lanes(struct exec *x);

/* The operands of one multiplication. */
struct exec_product {
	struct isa_fragment fragment[ISA_MATRICES];
	struct exec_matrix a, b, c, d;
	struct exec_sparse sparse;
};

/* Fills p->d from p->a, p->b and p->c, of integers or single bits. */
void exec_tensor_integers(const struct isa_tensor *t, struct exec_product *p);
/* Fills p->d with block scaling. */
void exec_tensor_scaled(const struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, const struct exec_tensor_rules *r, struct exec_product *p);
/* Fills p->d with exact dot products, rounded once. */
void exec_tensor_exact(const struct isa_tensor *t, struct exec_product *p);
/* Multiplies f64 matrices, from and to registers: a chain of fused multiply-adds, as hardware has it, unless it is exact. */
void exec_tensor_f64(struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, const struct exec_tensor_rules *r);

/* Reads the operands of multiplication number `quad` of an instruction. */
void exec_product_read(const struct exec *x, const struct isa_insn *i, unsigned quad, struct exec_product *p);

#endif
