#include "base/limits.h"

#define GIB(n) (UINT64_C(n) << 30)
#define MIB(n) (UINT64_C(n) << 20)

const struct machine_limits machine_limits_large = {
#define LIMIT(name, large, small, what) .name = large,
#include "base/limits.def"
#undef LIMIT
};

const struct machine_limits machine_limits_small = {
#define LIMIT(name, large, small, what) .name = small,
#include "base/limits.def"
#undef LIMIT
};

const struct machine_limits *machine_limits_of_host(void)
{
	return sizeof(void *) >= 8 ? &machine_limits_large : &machine_limits_small;
}
