/* Launches: <<<>>>, cudaLaunchKernel. What can be wrong with a launch is checked here, so that the program needs not wait for it. */
#include <string.h>

#include "host/host.h"

/* ---- between <<< and >>> ---- */

API_OF(unsigned, __cudaPushCallConfiguration)
(struct host_dim grid, struct host_dim block, size_t shared, void *stream)
{
	struct host_thread *t = host_thread();
	if (t->n_pushed == HOST_PUSHED_MAX)
		return cudaErrorInvalidConfiguration;
	t->pushed[t->n_pushed++] = (struct host_configuration){grid, block, shared, stream};
	return 0;
}

API(__cudaPopCallConfiguration)(struct host_dim *grid, struct host_dim *block, size_t *shared, void *stream)
{
	struct host_thread *t = host_thread();
	if (!t->n_pushed)
		return cudaErrorMissingConfiguration;
	const struct host_configuration *c = &t->pushed[--t->n_pushed];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	*(void **)stream = c->stream;
	return 0;
}

/* ---- launching ---- */

static bool fits(const uint32_t v[3], const uint32_t most[3])
{
	return v[0] && v[1] && v[2] && v[0] <= most[0] && v[1] <= most[1] && v[2] <= most[2];
}

static int check(const struct wire_kernel *k, const struct call_launch *l, size_t shared)
{
	const struct wire_device *d = host_device();
	const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
	if (!fits(l->grid, d->grid_most) || !fits(l->block, d->block_most) || threads > d->threads_most)
		return cudaErrorInvalidConfiguration;
	if (threads > k->threads_most)
		return cudaErrorLaunchOutOfResources;
	return shared + k->shared_bytes > d->shared_most_opt_in ? cudaErrorInvalidValue : 0;
}

/* Each argument to its place. False: one of the pointers is wrong. */
static bool gather(const struct wire_kernel *k, void *const *arguments, char *to)
{
	memset(to, 0, k->param_bytes);
	for (uint32_t i = 0; i < k->n_params; i++) {
		if (!arguments || !arguments[i])
			return false;
		memcpy(to + k->param[i].offset, arguments[i], k->param[i].bytes);
	}
	return true;
}

static int launch(const void *function, struct host_dim grid, struct host_dim block, void *const *arguments,
		  size_t shared, void *stream, const void *caller)
{
	char params[WIRE_MESSAGE_BYTES / 2];
	int error = host_enter();
	struct host_kernel *k = error ? NULL : host_kernel_of(function, &error);
	if (!k)
		return error;
	const struct call_launch l = {.kernel = k->info->id,
				      .grid = {grid.x, grid.y, grid.z},
				      .block = {block.x, block.y, block.z},
				      .shared = (uint32_t)shared,
				      .stream = (uint64_t)(uintptr_t)stream,
				      .caller = (uint64_t)(uintptr_t)caller};
	error = check(k->info, &l, shared);
	if (error)
		return error;
	if (k->info->param_bytes > sizeof params || !gather(k->info, arguments, params))
		return cudaErrorInvalidValue;
	return call_launch(&l, params, k->info->param_bytes, NULL);
}

API(cudaLaunchKernel)
(const void *function, struct host_dim grid, struct host_dim block, void **arguments, size_t shared, void *stream)
{
	return host_leave(launch(function, grid, block, arguments, shared, stream, __builtin_return_address(0)));
}

API(__cudaLaunchKernel)
(void *kernel, struct host_dim grid, struct host_dim block, void **arguments, size_t shared, void *stream)
{
	return host_leave(launch(kernel, grid, block, arguments, shared, stream, __builtin_return_address(0)));
}
