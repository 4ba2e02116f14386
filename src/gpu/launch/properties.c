/* What kernels are told about the device, from the configuration. */
#include "gpu/launch/properties.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/launch/launch.h"

#define SHARED_BLOCK_MOST (48u << 10) /* without opt-in; CUDA C++ Programming Guide, compute capabilities */

/* ---- attributes ---- */

enum attribute_value {
	VALUE_NUMBER,
	VALUE_BLOCK_THREADS,
	VALUE_WARP_THREADS,
	VALUE_SHARED_BLOCK,
	VALUE_SHARED,
	VALUE_REGISTERS,
	VALUE_REGISTERS_BLOCK,
	VALUE_CORES,
	VALUE_CORE_THREADS,
	VALUE_CORE_BLOCKS,
	VALUE_CORE_CLOCK,
	VALUE_MEMORY_CLOCK,
	VALUE_BUS_WIDTH,
	VALUE_L2_BYTES,
	VALUE_MAJOR,
	VALUE_MINOR
};
#define NUMBER(n) NUMBER, n
static const struct attribute {
	uint32_t number;
	enum attribute_value value;
	int32_t constant;
} attributes[] = {
#define ATTRIBUTE(number, name, ...) ATTRIBUTE_ROW(number, name, __VA_ARGS__, 0, 0)
#define ATTRIBUTE_ROW(number, name, value, constant, ...) {number, VALUE_##value, constant},
#include "gpu/launch/attributes.def"
#undef ATTRIBUTE_ROW
};
#undef NUMBER

static const struct attribute *attribute_of(uint32_t number)
{
	for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
		if (attributes[k].number == number)
			return &attributes[k];
	return NULL;
}

static int64_t option(const struct gpu *g, const char *name) { return g->config ? config_int(g->config, name) : 0; }

/* The clock of a domain, in kHz: core, interconnect, L2, DRAM. */
static int32_t clock_of(const struct gpu *g, unsigned domain)
{
	const char *s = g->config ? config_string(g->config, "gpgpu_clock_domains") : "";
	for (; domain && *s; domain--)
		s += strcspn(s, ":") + (s[strcspn(s, ":")] == ':');
	return (int32_t)(strtod(s, NULL) * 1000 + 0.5);
}

/* sets : bytes of a line : ways, perhaps with a letter in front */
static int32_t l2_bytes(const struct gpu *g)
{
	const char *s = g->config ? config_string(g->config, "gpgpu_cache:dl2") : "";
	uint64_t n = (uint64_t)option(g, "gpgpu_n_mem") * (uint64_t)option(g, "gpgpu_n_sub_partition_per_mchannel");
	if (*s && s[1] == ':' && (*s < '0' || *s > '9'))
		s += 2;
	for (int k = 0; k < 3; k++) {
		char *end;
		n *= strtoul(s, &end, 10);
		s = *end ? end + 1 : end;
	}
	return n < INT32_MAX ? (int32_t)n : INT32_MAX;
}

/* What the configuration says, else the highest target among the PTX there is, else 7.5; as 10 * major + minor. */
static unsigned capability(const struct gpu *g)
{
	unsigned sm = 0;
	if (g->device.capability)
		return g->device.capability;
	for (uint32_t k = 0; k < g->program.n_functions; k++)
		if (g->program.functions[k]->sm > sm && !g->program.functions[k]->unloaded)
			sm = g->program.functions[k]->sm;
	return sm ? sm : 75;
}

static uint32_t shared_of_block(const struct gpu *g)
{
	const uint32_t core = g->device.shared_bytes_per_core;
	return core < SHARED_BLOCK_MOST ? core : SHARED_BLOCK_MOST;
}

static int32_t value_of(const struct gpu *g, const struct attribute *a)
{
	switch (a->value) {
	case VALUE_NUMBER: return a->constant;
	case VALUE_WARP_THREADS: return (int32_t)g->device.warp_threads;
	case VALUE_BLOCK_THREADS: return (int32_t)g->device.max_cta_threads;
	case VALUE_SHARED_BLOCK: return (int32_t)shared_of_block(g);
	case VALUE_SHARED: return (int32_t)g->device.shared_bytes_per_core;
	case VALUE_REGISTERS:
	case VALUE_REGISTERS_BLOCK: return (int32_t)g->device.registers_per_core;
	case VALUE_CORES: return (int32_t)g->n_cores;
	case VALUE_CORE_THREADS: return (int32_t)g->device.threads_per_core;
	case VALUE_CORE_BLOCKS: return (int32_t)g->device.ctas_per_core;
	case VALUE_CORE_CLOCK: return clock_of(g, 0);
	case VALUE_MEMORY_CLOCK: return clock_of(g, 3);
	case VALUE_BUS_WIDTH:
		return (int32_t)(8 * option(g, "gpgpu_n_mem") * option(g, "gpgpu_n_mem_per_ctrlr") *
				 option(g, "gpgpu_dram_buswidth"));
	case VALUE_L2_BYTES: return l2_bytes(g);
	case VALUE_MAJOR: return (int32_t)(capability(g) / 10);
	case VALUE_MINOR: return (int32_t)(capability(g) % 10);
	}
	return 0;
}

bool gpu_attribute(const struct gpu *g, uint32_t number, int32_t *value)
{
	const struct attribute *a = attribute_of(number);
	if (a)
		*value = value_of(g, a);
	return a;
}

/* ---- functions ---- */

/* cudaFuncAttributes of toolkit 13.0; older ones end earlier. */
struct function_attributes {
	uint64_t shared, constant, local;
	int32_t max_threads, registers, ptx, binary, cache_ca, max_dynamic_shared, carveout;
	int32_t cluster_must_be_set, cluster[3], cluster_policy, non_portable, reserved[16];
};

static const struct isa_function *kernel_of(const struct gpu *g, uint32_t function)
{
	const struct isa_function *f = function < g->program.n_functions ? g->program.functions[function] : NULL;
	return f && f->is_kernel && f->is_defined ? f : NULL;
}

static uint32_t most_threads(const struct gpu *g, const struct isa_function *f)
{
	const uint32_t registers = (gpu_registers(g, f) + 3) & ~3u;
	uint32_t n = g->device.max_cta_threads;
	uint64_t bound = f->maxntid[0];
	for (int d = 1; d < 3; d++)
		bound *= f->maxntid[d] ? f->maxntid[d] : 1;
	if (bound && bound < n)
		n = (uint32_t)bound;
	if (registers && g->device.registers_per_core / registers < n)
		n = g->device.registers_per_core / registers / g->device.warp_threads * g->device.warp_threads;
	return n;
}

bool gpu_function_attributes(const struct gpu *g, uint32_t function, void *out, size_t n)
{
	const struct isa_function *f = kernel_of(g, function);
	if (!f)
		return false;
	const uint32_t shared = shared_of_block(g);
	const struct function_attributes a = {
		.shared = f->static_shared,
		.constant = g->program.const_next,
		.local = f->local_bytes,
		.max_threads = (int32_t)most_threads(g, f),
		.registers = (int32_t)gpu_registers(g, f),
		.ptx = f->sm,
		.binary = (int32_t)capability(g),
		.max_dynamic_shared = (int32_t)(shared > f->static_shared ? shared - f->static_shared : 0),
		.carveout = -1};
	memset(out, 0, n);
	memcpy(out, &a, n < sizeof a ? n : sizeof a);
	return true;
}

/* ---- occupancy ---- */

#define SHARED_ALIGN 16u /* where dynamic shared memory begins */

static uint64_t shared_with(const struct isa_function *f, uint64_t dynamic)
{
	return dynamic ? ((f->static_shared + SHARED_ALIGN - 1) & ~(uint64_t)(SHARED_ALIGN - 1)) + dynamic
		       : f->static_shared;
}

uint32_t gpu_occupancy(const struct gpu *g, uint32_t function, uint64_t threads, uint64_t shared_dynamic)
{
	const struct isa_function *f = kernel_of(g, function);
	const uint64_t shared = f ? shared_with(f, shared_dynamic) : 0;
	if (!f || !threads || threads > most_threads(g, f) || shared > g->device.shared_bytes_per_core)
		return 0;
	return gpu_blocks_per_core(g, f, (uint32_t)threads, (uint32_t)shared);
}
