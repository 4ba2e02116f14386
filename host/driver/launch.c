/* The driver API's launches and queries of functions. */
#include "host/driver/driver.h"
#include "host/launch/launch.h"
#include "host/launch/launch_attributes.h"

#define INVALID_HANDLE 400
#define ARGUMENTS_MOST WIRE_PARAMS_MAX

/* `extra`: the parameters in one buffer, with the kernel's layout. */
enum { EXTRA_END, EXTRA_BUFFER, EXTRA_BYTES };

static int unpack(const struct wire_kernel *k, void *const *extra, void **arguments)
{
	char *buffer = NULL;
	size_t bytes = 0;
	for (; *extra != (void *)EXTRA_END; extra += 2) {
		if (*extra == (void *)EXTRA_BUFFER)
			buffer = extra[1];
		else if (*extra == (void *)EXTRA_BYTES)
			bytes = *(const size_t *)extra[1];
		else
			return cudaErrorInvalidValue;
	}
	if (k->param_bytes && (!buffer || bytes < k->param_bytes))
		return cudaErrorInvalidValue;
	for (uint32_t i = 0; i < k->n_params; i++)
		arguments[i] = buffer + k->param[i].offset;
	return 0;
}

static int launch(const void *function, const unsigned *sizes, unsigned shared, void *stream, void **arguments,
		  void *const *extra, bool cooperative, const void *caller)
{
	void *unpacked[ARGUMENTS_MOST];
	int error = driver_enter();
	const struct host_kernel *k = error ? NULL : host_kernel_of(function, &error);
	if (!k)
		return error == cudaErrorInvalidDeviceFunction ? INVALID_HANDLE : error;
	if (extra && arguments)
		return cudaErrorInvalidValue;
	if (extra) {
		error = unpack(k->info, extra, unpacked);
		arguments = unpacked;
	}
	if (error)
		return error;
	error = host_launch(&(struct host_launch){.function = function,
						  .grid = {sizes[0], sizes[1], sizes[2]},
						  .block = {sizes[3], sizes[4], sizes[5]},
						  .arguments = arguments,
						  .shared = shared,
						  .stream = stream,
						  .cooperative = cooperative,
						  .caller = caller});
	return error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : error;
}

DRIVER(cuLaunchKernel)
(const void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
 void *stream, void **arguments, void **extra)
{
	return launch(function, (unsigned[]){gx, gy, gz, bx, by, bz}, shared, stream, arguments, extra, false,
		      HOST_CALLER());
}

DRIVER(cuLaunchKernelEx)
(const struct host_launch_configuration *c, const void *function, void **arguments, void **extra)
{
	struct host_launch_options w;
	int error = host_launch_options(c, &w);
	if (!error)
		error = host_launch_check_cluster(&w);
	if (!error)
		error = launch(function,
			       (unsigned[]){c->grid.x, c->grid.y, c->grid.z, c->block.x, c->block.y, c->block.z},
			       (unsigned)c->shared, c->stream, arguments, extra, w.cooperative, HOST_CALLER());
	return error ? error : AS_DRIVER(host_launch_record_events(&w, c->stream));
}

DRIVER(cuLaunchCooperativeKernel)
(const void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
 void *stream, void **arguments)
{
	return launch(function, (unsigned[]){gx, gy, gz, bx, by, bz}, shared, stream, arguments, NULL, true,
		      HOST_CALLER());
}

/* ---- functions ---- */

static int attribute_of(const struct host_kernel *of, int attribute, int *value)
{
	const struct wire_kernel *k = of->info;
	const uint32_t known[] = {k->threads_most, k->shared_bytes, k->const_bytes, k->local_bytes,
				  k->registers,	   k->ptx_version,  k->ptx_version, 0};
	const int n = sizeof known / sizeof *known;
	if (attribute < 0 || attribute >= HOST_KERNEL_ATTRIBUTES)
		return cudaErrorInvalidValue;
	*value = attribute < n ? (int)known[attribute] : host_kernel_attribute(of, attribute);
	return 0;
}

DRIVER(cuFuncGetAttribute)(int *value, int attribute, const void *function)
{
	int error = value ? driver_enter() : cudaErrorInvalidValue;
	const struct host_kernel *k = error ? NULL : host_kernel_of(function, &error);
	return k ? attribute_of(k, attribute, value) : error;
}

DRIVER(cuKernelGetAttribute)(int *value, int attribute, const void *function, int device)
{
	(void)device;
	return ws_cuFuncGetAttribute(value, attribute, function);
}

DRIVER(cuKernelSetAttribute)(int attribute, int value, const void *function, int device)
{
	(void)device;
	return AS_DRIVER(ws_cudaFuncSetAttribute(function, attribute, value));
}

DRIVER(cuFuncSetCacheConfig)(const void *function, int config)
{
	int error = driver_enter();
	struct host_kernel *k = error ? NULL : host_kernel_of(function, &error);
	if (k)
		k->cache = config;
	return error;
}

DRIVER(cuKernelSetCacheConfig)(const void *function, int config, int device)
{
	(void)device;
	return ws_cuFuncSetCacheConfig(function, config);
}

DRIVER(cuFuncLoad)(const void *function)
{
	int error = driver_enter();
	if (!error)
		host_kernel_of(function, &error);
	return error;
}

DRIVER(cuFuncIsLoaded)(int *state, const void *function)
{
	const int error = state ? ws_cuFuncLoad(function) : cudaErrorInvalidValue;
	if (!error)
		*state = 1;
	return error;
}

DRIVER(cuCtxSetCacheConfig)(int config)
{
	host_prefer_cache(config);
	return 0;
}

DRIVER(cuCtxGetCacheConfig)(int *config)
{
	if (!config)
		return cudaErrorInvalidValue;
	*config = host_cache_preference();
	return 0;
}
