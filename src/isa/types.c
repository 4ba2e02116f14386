#include "isa/types.h"

#include <string.h>

const struct isa_type_info isa_type_info[ISA_TYPE_COUNT] = {
	{"none", 0, ISA_CLASS_OPAQUE},
#define TYPE(id, name, bytes, cls) {name, bytes, cls},
#include "isa/types.def"
};

enum isa_type isa_type_find(const char *s, unsigned n)
{
	for (unsigned t = 1; t < ISA_TYPE_COUNT; t++)
		if (strlen(isa_type_info[t].name) == n && !memcmp(isa_type_info[t].name, s, n))
			return (enum isa_type)t;
	return ISA_NOTYPE;
}
