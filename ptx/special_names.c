#include "ptx/special_names.h"

#include <string.h>

#include "isa/types.h"

const struct isa_special_name ptx_special_names[] = {
#define SPECIAL_NAME(name, dims, type, major, minor, sm) {name, sizeof(name) - 1, dims, ISA_##type, major, minor, sm},
#include "ptx/special_names.def"
};
const unsigned ptx_special_names_count = sizeof(ptx_special_names) / sizeof(*ptx_special_names);

const struct isa_special_name *ptx_special_find(const char *s, uint32_t n)
{
	unsigned lo = 0, hi = ptx_special_names_count;

	while (lo < hi) {
		unsigned mid = (lo + hi) / 2;
		const struct isa_special_name *row = &ptx_special_names[mid];
		int c = memcmp(s, row->name, n < row->n_name ? n : row->n_name);

		if (!c && n == row->n_name)
			return row;
		if (c < 0 || (!c && n < row->n_name))
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}
