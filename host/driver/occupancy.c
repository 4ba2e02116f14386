/* Occupancy queries of the driver API: the best block size, and the number of clusters. */
#include "host/driver/driver.h"
#include "host/launch/launch_attributes.h"

int ws_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t dynamic);
int ws_cuFuncGetAttribute(int *value, int attribute, const void *function);

#define THREADS_MOST_OF_FUNCTION 0 /* CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK */
#define CORES 16		   /* CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT */
#define THREADS_OF_CORE 39	   /* CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR */
#define WARP_THREADS 10		   /* CU_DEVICE_ATTRIBUTE_WARP_SIZE */

typedef size_t shared_for(int block);
struct occupancy {
	int block, blocks; /* block size, and blocks of that size on a core */
};

/* Finds the block size with most threads on a core, the largest of equals: whole warps, or the limit itself. */
static int best(const void *function, shared_for *shared, size_t fixed, int limit, struct occupancy *most)
{
	const int all = host_device()->attribute[THREADS_OF_CORE], warp = host_device()->attribute[WARP_THREADS];
	for (int warps = (limit + warp - 1) / warp; warps && most->block * most->blocks < all; warps--) {
		struct occupancy o = {.block = warps * warp < limit ? warps * warp : limit};
		const int error = ws_cudaOccupancyMaxActiveBlocksPerMultiprocessor(&o.blocks, function, o.block,
										   shared ? shared(o.block) : fixed);
		if (error)
			return error;
		if (o.block * o.blocks > most->block * most->blocks)
			*most = o;
	}
	return 0;
}

static int suggest(int *grid, int *block, const void *function, shared_for *shared, size_t fixed, int limit)
{
	int threads;
	struct occupancy most = {};
	int error = grid && block && limit >= 0 ? ws_cuFuncGetAttribute(&threads, THREADS_MOST_OF_FUNCTION, function)
						: cudaErrorInvalidValue;
	if (!error)
		error = best(function, shared, fixed, limit && limit < threads ? limit : threads, &most);
	if (error)
		return error;
	*block = most.block;
	*grid = most.blocks * host_device()->attribute[CORES];
	return 0;
}

DRIVER(cuOccupancyMaxPotentialBlockSize)
(int *grid, int *block, const void *function, shared_for *shared, size_t fixed, int limit)
{
	return AS_DRIVER(suggest(grid, block, function, shared, fixed, limit));
}

DRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags)
(int *grid, int *block, const void *function, shared_for *shared, size_t fixed, int limit, unsigned flags)
{
	return flags > 1 ? cudaErrorInvalidValue
			 : ws_cuOccupancyMaxPotentialBlockSize(grid, block, function, shared, fixed, limit);
}

/* ---- clusters ---- */

int ws_cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const struct host_launch_configuration *c);
int ws_cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const struct host_launch_configuration *c);

static struct host_launch_configuration of_driver(const struct host_launch_configuration *c)
{
	struct host_launch_configuration same = *c;
	same.shared = (unsigned)c->shared;
	return same;
}

DRIVER(cuOccupancyMaxPotentialClusterSize)
(int *size, const void *function, const struct host_launch_configuration *c)
{
	if (!c)
		return cudaErrorInvalidValue;
	const struct host_launch_configuration mine = of_driver(c);
	return AS_DRIVER(ws_cudaOccupancyMaxPotentialClusterSize(size, function, &mine));
}

DRIVER(cuOccupancyMaxActiveClusters)
(int *clusters, const void *function, const struct host_launch_configuration *c)
{
	if (!c)
		return cudaErrorInvalidValue;
	const struct host_launch_configuration mine = of_driver(c);
	return AS_DRIVER(ws_cudaOccupancyMaxActiveClusters(clusters, function, &mine));
}
