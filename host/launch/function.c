/* Functions: attributes, occupancy, launches with attributes, clusters. */
#include <string.h>

#include "host/host.h"
#include "host/launch/launch.h"
#include "host/launch/launch_attributes.h"

/* The common beginning of struct cudaFuncAttributes since toolkit 11, and its members since 12. */
struct function_attributes {
	size_t shared, constant, local;
	int threads_most, registers, ptx, binary, cache_ca, dynamic_most, carveout;
};
struct function_attributes_12 {
	size_t sizes[3];
	int numbers[7];
	int must_have_cluster, cluster[3], policy, may_be_large, reserved[16];
};
_Static_assert(sizeof(struct function_attributes_12) == 144, "as driver_types.h has it");

enum { /* cudaFuncAttribute */
       DYNAMIC_SHARED = 8,
       CARVEOUT,
       MUST_HAVE_CLUSTER,
       CLUSTER,
       LARGE_CLUSTER = 14,
       CLUSTER_POLICY,
       ATTRIBUTES
};
_Static_assert(ATTRIBUTES == HOST_KERNEL_ATTRIBUTES, "each has its place");

/* Device attributes. */
enum {
	SHARED_MOST = 8,
	CORES = 16,
	THREADS_PER_CORE = 39,
	WARP_THREADS = 10,
	SHARED_PER_CORE = 81,
	REGISTERS_PER_CORE = 82,
	SHARED_OPT_IN = 97,
	BLOCKS_PER_CORE = 106
};

static int device_value(int attribute) { return host_device()->attribute[attribute]; }

static struct host_kernel *kernel_of(const void *function, int *error)
{
	*error = host_enter();
	return *error ? NULL : host_kernel_of(function, error);
}

static size_t dynamic_most(const struct host_kernel *k)
{
	const size_t without = (size_t)device_value(SHARED_MOST);
	const size_t rest = without > k->info->shared_bytes ? without - k->info->shared_bytes : 0;
	return k->dynamic_most > rest ? k->dynamic_most : rest;
}

int host_kernel_attribute(const struct host_kernel *k, int attribute)
{
	if (attribute == DYNAMIC_SHARED)
		return (int)dynamic_most(k);
	return k->attribute[attribute] - (attribute == CARVEOUT);
}

static int fill_attributes(struct function_attributes *a, const void *function, const struct host_kernel **which)
{
	int error = a ? 0 : cudaErrorInvalidValue;
	const struct host_kernel *k = error ? NULL : kernel_of(function, &error);
	*which = k;
	if (!k)
		return error;
	*a = (struct function_attributes){.shared = k->info->shared_bytes,
					  .constant = k->info->const_bytes,
					  .local = k->info->local_bytes,
					  .threads_most = (int)k->info->threads_most,
					  .registers = (int)k->info->registers,
					  .ptx = (int)k->info->ptx_version,
					  .binary = (int)k->info->ptx_version,
					  .dynamic_most = host_kernel_attribute(k, DYNAMIC_SHARED),
					  .carveout = host_kernel_attribute(k, CARVEOUT)};
	return 0;
}

API(cudaFuncGetAttributes_11)(struct function_attributes *a, const void *function)
{
	const struct host_kernel *k;
	return host_leave(fill_attributes(a, function, &k));
}

API(cudaFuncGetAttributes_12)(struct function_attributes_12 *a, const void *function)
{
	const struct host_kernel *k;
	const int error = fill_attributes((struct function_attributes *)a, function, &k);
	if (error)
		return host_leave(error);
	a->must_have_cluster = k->attribute[MUST_HAVE_CLUSTER];
	memcpy(a->cluster, &k->attribute[CLUSTER], sizeof a->cluster);
	a->policy = k->attribute[CLUSTER_POLICY];
	a->may_be_large = k->attribute[LARGE_CLUSTER];
	memset(a->reserved, 0, sizeof a->reserved);
	return 0;
}

API(cudaFuncGetAttributes_13)(struct function_attributes_12 *a, const void *function)
{
	return ws_cudaFuncGetAttributes_12(a, function);
}

/* Sets an attribute of a kernel. Only the dynamic shared memory has an effect. */
static int set_attribute(struct host_kernel *k, int attribute, int value)
{
	if (attribute < DYNAMIC_SHARED || attribute >= ATTRIBUTES || attribute == MUST_HAVE_CLUSTER)
		return cudaErrorInvalidValue;
	if (attribute == DYNAMIC_SHARED) {
		if (value < 0 || (size_t)value + k->info->shared_bytes > (size_t)device_value(SHARED_OPT_IN))
			return cudaErrorInvalidValue;
		k->dynamic_most = (size_t)value;
		return 0;
	}
	if (attribute == CARVEOUT ? value < -1 || value > 100 : value < 0)
		return cudaErrorInvalidValue;
	k->attribute[attribute] = value + (attribute == CARVEOUT);
	return 0;
}

API(cudaFuncSetAttribute)(const void *function, int attribute, int value)
{
	int error;
	struct host_kernel *k = kernel_of(function, &error);
	return host_leave(k ? set_attribute(k, attribute, value) : error);
}

API(cudaKernelSetAttributeForDevice)(const void *kernel, int attribute, int value, int device)
{
	return device ? host_leave(cudaErrorInvalidDevice) : ws_cudaFuncSetAttribute(kernel, attribute, value);
}

API(cudaFuncSetCacheConfig)(const void *function, int config)
{
	int error;
	struct host_kernel *k = kernel_of(function, &error);
	if (k)
		k->cache = config;
	return host_leave(error);
}

API(cudaFuncSetSharedMemConfig)(const void *function, int config)
{
	int error;
	(void)config;
	kernel_of(function, &error);
	return host_leave(error);
}

/* ---- occupancy: by the rules that the device places blocks by ---- */

static int least(int a, int b) { return a < b ? a : b; }

static int blocks_per_core(const struct host_kernel *k, int threads, size_t dynamic)
{
	const int warp = device_value(WARP_THREADS), warps = (threads + warp - 1) / warp, registers = ((int)k->info->registers + 3) & ~3;
	const size_t shared = k->info->shared_bytes + dynamic;
	int n = least(device_value(BLOCKS_PER_CORE), device_value(THREADS_PER_CORE) / (warps * warp));
	if (shared)
		n = least(n, (int)((size_t)device_value(SHARED_PER_CORE) / shared));
	if (registers)
		n = least(n, device_value(REGISTERS_PER_CORE) / (registers * warps * warp));
	return n;
}

API(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, const void *function, int threads, size_t dynamic)
{
	int error = blocks && threads > 0 ? 0 : cudaErrorInvalidValue;
	const struct host_kernel *k = error ? NULL : kernel_of(function, &error);
	if (k)
		*blocks = threads > (int)k->info->threads_most ? 0 : blocks_per_core(k, threads, dynamic);
	return host_leave(error);
}

API(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
(int *blocks, const void *function, int threads, size_t dynamic, unsigned flags)
{
	return flags > 1 ? host_leave(cudaErrorInvalidValue)
			 : ws_cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic);
}

API(cudaOccupancyAvailableDynamicSMemPerBlock)(size_t *bytes, const void *function, int blocks, int threads)
{
	int error = bytes && blocks > 0 && threads > 0 ? 0 : cudaErrorInvalidValue;
	const struct host_kernel *k = error ? NULL : kernel_of(function, &error);
	if (!k)
		return host_leave(error);
	const size_t each = (size_t)device_value(SHARED_PER_CORE) / (size_t)blocks;
	*bytes = each > k->info->shared_bytes ? each - k->info->shared_bytes : 0;
	return 0;
}

/* ---- launches with attributes, and cooperative ones ---- */

static int launch_configured(const struct host_launch_configuration *c, const void *function, void **arguments,
			     const void *caller)
{
	struct host_launch_options w;
	int error = host_launch_options(c, &w);
	if (!error)
		error = host_launch_check_cluster(&w);
	if (!error)
		error = host_launch(&(struct host_launch){.function = function,
							  .grid = c->grid,
							  .block = c->block,
							  .arguments = arguments,
							  .shared = c->shared,
							  .stream = c->stream,
							  .cooperative = w.cooperative,
							  .caller = caller});
	return error ? error : host_launch_record_events(&w, c->stream);
}

API(cudaLaunchKernelExC)(const struct host_launch_configuration *c, const void *function, void **arguments)
{
	return host_leave(launch_configured(c, function, arguments, HOST_CALLER()));
}

API(cudaLaunchCooperativeKernel)
(const void *function, struct host_dim grid, struct host_dim block, void **arguments, size_t shared, void *stream)
{
	return host_leave(host_launch(&(struct host_launch){.function = function,
							    .grid = grid,
							    .block = block,
							    .arguments = arguments,
							    .shared = shared,
							    .stream = stream,
							    .cooperative = true,
							    .caller = HOST_CALLER()}));
}

/* A cooperative launch needs all its blocks resident at once. */
bool host_launch_is_resident(const struct host_kernel *k, const struct host_launch *l)
{
	const uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
	const int threads = (int)(l->block.x * l->block.y * l->block.z);
	return blocks <= (uint64_t)blocks_per_core(k, threads, l->shared) * (uint64_t)device_value(CORES);
}

/* ---- clusters: of one block each, as the device has no larger ones ---- */

static int blocks_at_once(const struct host_launch_configuration *c, const void *function, uint64_t *blocks)
{
	int error = c ? host_enter() : cudaErrorInvalidValue;
	const struct host_kernel *k = error ? NULL : kernel_of(function, &error);
	const uint64_t threads = c ? (uint64_t)c->block.x * c->block.y * c->block.z : 0;
	if (!k)
		return error;
	if (!threads || threads > (uint64_t)k->info->threads_most)
		return cudaErrorInvalidValue;
	*blocks = (uint64_t)blocks_per_core(k, (int)threads, c->shared) * (uint64_t)device_value(CORES);
	return 0;
}

API(cudaOccupancyMaxPotentialClusterSize)
(int *size, const void *function, const struct host_launch_configuration *c)
{
	uint64_t blocks = 0;
	const int error = size ? blocks_at_once(c, function, &blocks) : cudaErrorInvalidValue;
	if (!error)
		*size = blocks > 0;
	return host_leave(error);
}

API(cudaOccupancyMaxActiveClusters)(int *clusters, const void *function, const struct host_launch_configuration *c)
{
	uint64_t blocks = 0;
	struct host_launch_options w;
	int error = clusters ? host_launch_options(c, &w) : cudaErrorInvalidValue;
	if (!error)
		error = w.has_cluster ? host_launch_check_cluster(&w) : cudaErrorInvalidClusterSize;
	if (!error)
		error = blocks_at_once(c, function, &blocks);
	if (!error)
		*clusters = (int)blocks;
	return host_leave(error);
}
