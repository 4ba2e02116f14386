#include "isa/special.h"

const struct isa_special_info isa_special_info[ISA_SPECIAL_COUNT] = {
#define SPECIAL(id, name, dims) {name, (uint8_t)ISA_ROW_##id, dims},
#include "isa/special.def"
};
