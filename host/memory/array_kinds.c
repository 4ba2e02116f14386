/* Queries of sparse arrays, planes and deferred memory: the device has none of these, so each call is an error. */
#include "host/memory/arrays.h"
#include "host/host.h"

static int no_such_array(const void *out, const void *array)
{
	return host_leave(out && !host_array_of(array) ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
}

static int no_such_mipmaps(const void *out, const void *mipmaps)
{
	return host_leave(out && !host_mipmaps_of(mipmaps) ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
}

API(cudaArrayGetPlane)(void **plane, const void *array, unsigned index)
{
	(void)index;
	return no_such_array(plane, array);
}

API(cudaArrayGetSparseProperties)(void *properties, const void *array) { return no_such_array(properties, array); }

API(cudaArrayGetMemoryRequirements)(void *requirements, const void *array, int device)
{
	(void)device;
	return no_such_array(requirements, array);
}

API(cudaMipmappedArrayGetSparseProperties)(void *properties, const void *mipmaps)
{
	return no_such_mipmaps(properties, mipmaps);
}

API(cudaMipmappedArrayGetMemoryRequirements)(void *requirements, const void *mipmaps, int device)
{
	(void)device;
	return no_such_mipmaps(requirements, mipmaps);
}
