/* Tensor instructions as written (isa/tensor.h). */
#ifndef PTX_TENSOR_H
#define PTX_TENSOR_H

#include "isa/tensor.h"
#include "ptx/opcode.h"

/* The modifiers of a tensor instruction. Those that only the checker needs stand beside the description. */
struct ptx_tensor {
	struct isa_tensor tensor;
	bool is_kind_plain;	/* .kind::f8f6f4 */
	bool is_mxf4, is_nvf4;	/* .kind::mxf4, .kind::mxf4nvf4 */
	bool has_bit_operation; /* .xor or .and */
	bool is_ordered;	/* .sp::ordered_metadata */
};

/* Reads the modifiers of a tensor instruction's opcode. Elements that are missing are ISA_EL_NONE. */
void tensor_read(const struct ptx_opcode *op, struct ptx_tensor *out);

#endif
