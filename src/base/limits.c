#include "base/limits.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void halve(unsigned step, struct machine_limits *out)
{
#define LIMIT(name, large, small, what) \
	out->name = larger(machine_limits_small.name, machine_limits_of_host()->name >> step);
#include "base/limits.def"
#undef LIMIT
}

#define DEVICE_PAGE MIB(2)

bool machine_limits_step(unsigned step, uint64_t file_most, struct machine_limits *out)
{
	struct machine_limits before = {0};
	const uint64_t usual = machine_limits_of_host()->heap_start;
	halve(step, out);
	if (step)
		halve(step - 1, &before);
	if (step && !memcmp(&before, out, sizeof before))
		return false;
	if (out->device_end > file_most)
		out->device_end = file_most & ~(DEVICE_PAGE - 1);
	/* addresses are the usual ones as long as buffers have half of the memory */
	out->heap_start = out->device_end >= 2 * usual ? usual : machine_limits_small.heap_start;
	return out->device_end >= machine_limits_small.device_end;
}

uint64_t machine_limits_file_most(void)
{
	struct rlimit file;
	return getrlimit(RLIMIT_FSIZE, &file) || file.rlim_cur == RLIM_INFINITY ? UINT64_MAX : file.rlim_cur;
}

uint64_t machine_limits_in_use(void)
{
	unsigned long long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");
	if (!f)
		return 0;
	if (fscanf(f, "%llu", &pages) != 1)
		pages = 0;
	fclose(f);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void machine_limits_blame(struct text *out)
{
	struct rlimit as;
	if (!getrlimit(RLIMIT_AS, &as) && as.rlim_cur != RLIM_INFINITY)
		text_addf(out, ": `ulimit -v` is %llu KB", (unsigned long long)(as.rlim_cur >> 10));
	if (machine_limits_file_most() < machine_limits_of_host()->device_end)
		text_addf(out, ": `ulimit -f` is %llu KB", (unsigned long long)(machine_limits_file_most() >> 10));
}
