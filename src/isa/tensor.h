/* Tensor instructions (PTX ISA "Warp-level matrix instructions"): mma, mma.sp, wmma, ldmatrix, stmatrix, movmatrix. One table says which shapes and
 * types exist (tensor.c), one function where an element lives: in which lane, register and bits.
 *
 *   isa_insn.aux  a struct isa_tensor, then the row refs of its operands: D, A, B, C, then the extra operands (metadata of sparse A; scales, and
 *                 their selectors). A load has D or A, B, C alone, a store has its sources as A
 *   isa_insn.a    row of the address of a load or store, ISA_REF_NONE if it is a constant
 *   isa_insn.b    row of the stride of wmma.load and wmma.store, or ISA_REF_NONE
 *   wgmma         a, b: rows of the descriptors of A and B (A may be registers: ISA_REF_NONE); c: predicate slot of scale-d
 *   isa_insn.d    row of the membermask: all lanes of the warp take part */
#ifndef ISA_TENSOR_H
#define ISA_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/insn.h"

struct isa_program;

/* ELEMENT(id, name, bits, exponent bits, fraction bits, kind): the formats of matrix elements. */
#define ISA_ELEMENTS(ELEMENT)                        \
	ELEMENT(F16, "f16", 16, 5, 10, FLOAT)        \
	ELEMENT(BF16, "bf16", 16, 8, 7, FLOAT)       \
	ELEMENT(TF32, "tf32", 32, 8, 10, FLOAT)      \
	ELEMENT(F32, "f32", 32, 8, 23, FLOAT)        \
	ELEMENT(F64, "f64", 64, 11, 52, FLOAT)       \
	ELEMENT(E4M3, "e4m3", 8, 4, 3, FLOAT)        \
	ELEMENT(E5M2, "e5m2", 8, 5, 2, FLOAT)        \
	ELEMENT(E3M2, "e3m2", 6, 3, 2, FLOAT)        \
	ELEMENT(E2M3, "e2m3", 6, 2, 3, FLOAT)        \
	ELEMENT(E2M1, "e2m1", 4, 2, 1, FLOAT)        \
	ELEMENT(UE8M0, "ue8m0", 8, 8, 0, FLOAT)      \
	ELEMENT(UE4M3, "ue4m3", 8, 4, 3, FLOAT)      \
	ELEMENT(S8, "s8", 8, 0, 0, SIGNED)           \
	ELEMENT(U8, "u8", 8, 0, 0, UNSIGNED)         \
	ELEMENT(S4, "s4", 4, 0, 0, SIGNED)           \
	ELEMENT(U4, "u4", 4, 0, 0, UNSIGNED)         \
	ELEMENT(B1, "b1", 1, 0, 0, UNSIGNED)         \
	ELEMENT(S32, "s32", 32, 0, 0, SIGNED)        \
	ELEMENT(B16, "b16", 16, 0, 0, UNSIGNED)      \
	ELEMENT(B8, "b8", 8, 0, 0, UNSIGNED)
enum isa_element {
	ISA_EL_NONE,
#define ELEMENT(id, name, bits, exponent, fraction, kind) ISA_EL_##id,
	ISA_ELEMENTS(ELEMENT)
#undef ELEMENT
	ISA_ELEMENT_COUNT
};
enum isa_element_kind { ISA_ELEMENT_UNSIGNED, ISA_ELEMENT_SIGNED, ISA_ELEMENT_FLOAT };
struct isa_element_info {
	const char *name;
	uint8_t bits, exponent, fraction;
	uint8_t kind; /* enum isa_element_kind */
};
extern const struct isa_element_info isa_element_info[ISA_ELEMENT_COUNT];
/* Returns the element format of a name of n bytes ("f16"), or ISA_EL_NONE. */
enum isa_element isa_element_find(const char *s, size_t n);

enum isa_matrix { ISA_MATRIX_A, ISA_MATRIX_B, ISA_MATRIX_C, ISA_MATRIX_D, ISA_MATRICES };

enum isa_tensor_kind {
	ISA_TENSOR_MMA,
	ISA_TENSOR_WMMA,       /* wmma.mma: the same with more columns */
	ISA_TENSOR_WMMA_LOAD,
	ISA_TENSOR_WMMA_STORE,
	ISA_TENSOR_LDMATRIX,
	ISA_TENSOR_STMATRIX,
	ISA_TENSOR_MOVMATRIX,
	ISA_TENSOR_WGMMA /* wgmma.mma_async: 16 of 64 rows for each of four warps; A and B may lie in shared memory */
};

/* isa_tensor.flags */
#define ISA_TENSOR_SATFINITE 0x01u
#define ISA_TENSOR_XOR 0x02u	/* b1: xor.popc; without it and.popc */
#define ISA_TENSOR_TRANS 0x04u	/* ldmatrix, stmatrix: .trans */
#define ISA_TENSOR_SPARSE 0x08u /* mma.sp: A holds half of its columns */
#define ISA_TENSOR_BYTES 0x10u	/* .kind::f8f6f4, mxf8f6f4: elements of 4 and 6 bits lie in bytes */
#define ISA_TENSOR_SCALED 0x20u /* .block_scale */
#define ISA_TENSOR_COL_A 0x40u	/* A, or the matrix that is loaded or stored, is .col */
#define ISA_TENSOR_COL_B 0x80u	/* B is .col */

struct isa_tensor {
	uint8_t kind;	   /* enum isa_tensor_kind */
	uint8_t flags;
	uint8_t rnd;	   /* enum isa_round, of f64 */
	uint8_t matrix;	   /* enum isa_matrix that a wmma.load or wmma.store accesses */
	uint16_t m, n, k;  /* ldmatrix, stmatrix, movmatrix: rows m, columns n */
	uint8_t element[ISA_MATRICES]; /* enum isa_element */
	uint8_t n_rows[ISA_MATRICES];  /* registers of each operand */
	uint8_t scale;	   /* enum isa_element of the scales */
	uint8_t scale_vec; /* scales in a row of A: 1, 2 or 4 */
	uint8_t n_extra;   /* rows of extra operands */
	uint8_t count;	   /* ldmatrix, stmatrix: 1, 2 or 4 matrices */
	uint8_t packed;	   /* ldmatrix: bits of an element in memory, 8 without decompression */
	uint8_t selector;  /* mma.sp: the sparsity selector; wgmma: bit m: matrix m is negated */
};
#define ISA_TENSOR_WORDS ((sizeof(struct isa_tensor) + 3) / sizeof(uint32_t))
#define ISA_TENSOR_ROWS_MAX 136u

/* Returns the description of a tensor instruction. It stays where it is until a program is loaded. */
const struct isa_tensor *isa_tensor_of(const struct isa_program *p, const struct isa_insn *i);
/* Returns the row refs of a matrix's registers. */
const uint32_t *isa_tensor_rows(const struct isa_program *p, const struct isa_insn *i, enum isa_matrix matrix);
/* Returns the row refs of the extra operands. */
const uint32_t *isa_tensor_extra(const struct isa_program *p, const struct isa_insn *i);
/* Returns true if an instruction has a struct isa_tensor. */
bool isa_insn_has_tensor(const struct isa_insn *i);
/* Returns true if its matrices are of f64, whose registers have 8 bytes. */
static inline bool isa_tensor_has_f64(const struct isa_tensor *t)
{
	return t->element[ISA_MATRIX_A] == ISA_EL_F64 || t->element[ISA_MATRIX_B] == ISA_EL_F64 || t->element[ISA_MATRIX_C] == ISA_EL_F64 ||
	       t->element[ISA_MATRIX_D] == ISA_EL_F64;
}
/* Returns true if it multiplies matrices: mma, wmma.mma. */
static inline bool isa_tensor_multiplies(const struct isa_tensor *t) { return t->kind <= ISA_TENSOR_WMMA; }

/* Returns the number of values that the sparsity selector of mma.sp may have. Source: PTX ISA "mma.sp". */
unsigned isa_tensor_selectors(const struct isa_tensor *t);

/* ---- fragments: a matrix in the registers of a warp ---- */

/* A matrix spread over the lanes of a warp. */
struct isa_fragment {
	uint8_t matrix;	     /* enum isa_matrix */
	uint8_t element;     /* enum isa_element */
	uint8_t bits;	     /* that an element takes in a register */
	uint8_t shift;	     /* bits of padding below the element: 2 for e2m1 in a byte */
	uint8_t n_rows;	     /* registers in each lane */
	uint8_t reg_bytes;   /* bytes of a register: 4 or 8 */
	uint8_t per_reg;     /* elements in a register */
	bool is_paired;	     /* bytes of 16 rows in memory: a register holds 2 columns of rows g and g + 8. Source: CUTLASS, traits of U8x8_LDSM_T, U8x4_STSM_T */
	uint8_t quads;	     /* m8n8k4 of f16: the warp holds 4 matrices; 1 + (is column-major) */
	uint16_t rows, cols; /* of the matrix as it is stored: of sparse A half of the columns */
};
/* Fills *f for a matrix of an instruction. Returns false if the instruction has no such matrix. */
bool isa_tensor_fragment(const struct isa_tensor *t, enum isa_matrix matrix, struct isa_fragment *f);

/* Where the elements of one register lie: element i of lane l at row `row` + g * row_g + t * row_t + i * row_i, where g = l / 4 and t = l % 4,
 * and at the column likewise. */
struct isa_fragment_register {
	uint16_t row, col;
	uint8_t row_g, row_t, row_i, col_g, col_t, col_i;
};
/* Returns where the elements of register r lie. Not for fragments with quads or pairs. */
struct isa_fragment_register isa_fragment_register(const struct isa_fragment *f, unsigned r);

/* The place of an element in its matrix; `matrix` counts the matrices of a fragment with quads. */
struct isa_fragment_place {
	uint16_t row, col, matrix;
};
/* Returns the place of element i of register r of a lane. */
struct isa_fragment_place isa_fragment_place(const struct isa_fragment *f, unsigned lane, unsigned r, unsigned i);

/* ---- the table of shapes ---- */

/* A way to multiply: shape and types. A row of the table stands for all combinations of its types. */
struct isa_tensor_shape {
	uint16_t m, n, k;
	uint32_t a, b;	   /* elements that A and B may have, a bit each; SAME: B has the type of A */
	uint32_t c, d;
	bool same_ab, same_cd;
	bool is_wmma, is_sparse, is_scaled, has_kind; /* has_kind: .kind::f8f6f4 is written */
	uint8_t ptx, sm;   /* minimum PTX version times ten, minimum compute capability */
	bool is_specific;  /* the target needs a suffix */
};
/* Finds the row of the table that fits a multiplication, or returns NULL. */
const struct isa_tensor_shape *isa_tensor_shape_find(const struct isa_tensor *t);
/* Returns the oldest wmma.mma that has such a matrix: the shape of *t, with the element of the matrix. Returns NULL if there is none. */
const struct isa_tensor_shape *isa_tensor_wmma_shape(const struct isa_tensor *t, enum isa_matrix matrix);

#endif
