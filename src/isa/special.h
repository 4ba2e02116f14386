/* Special registers with a row in the warp: ids, names, row numbers. */
#ifndef ISA_SPECIAL_H
#define ISA_SPECIAL_H

#include "isa/insn.h"

enum isa_special {
#define SPECIAL(id, name, dims) ISA_SPECIAL_##id,
#include "isa/special.def"
	ISA_SPECIAL_COUNT
};

/* First row of each special register, and the number of rows of all. */
enum isa_special_row {
#define SPECIAL(id, name, dims) ISA_ROW_##id, ISA_ROW_END_##id = ISA_ROW_##id + (dims)-1,
#include "isa/special.def"
	ISA_SPECIAL_ROWS
};
#define ISA_SPECIAL_BYTES (128u * ISA_SPECIAL_ROWS)

/* Ref of a special register's row; `dim` 0..2 for x, y, z. */
#define ISA_SPECIAL_REF(id, dim) ISA_REF(ISA_BASE_SPECIAL, 128u * ((unsigned)ISA_ROW_##id + (dim)))

struct isa_special_info {
	const char *name;
	uint8_t row, dims;
};
extern const struct isa_special_info isa_special_info[ISA_SPECIAL_COUNT];

#endif
