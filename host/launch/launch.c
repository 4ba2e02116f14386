/* Launches: <<<>>>, cudaLaunchKernel. */
#include <string.h>

#include "host/graph/graph.h"
#include "host/host.h"
#include "host/launch/launch.h"

/* ---- between <<< and >>> ---- */

API_OF(unsigned, __cudaPushCallConfiguration)
(struct host_dim grid, struct host_dim block, size_t shared, void *stream)
{
	struct host_thread *t = host_thread();
	if (t->n_pushed == HOST_PUSHED_MAX)
		return cudaErrorInvalidConfiguration;
	t->pushed[t->n_pushed++] = (struct host_configuration){grid, block, shared, stream, HOST_CALLER()};
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
	t->launches_from = c->caller;
	return 0;
}

/* ---- launching ---- */

/* Copies each argument to its offset. Returns false if a pointer is NULL. */
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

static struct host_kernel_params graph_kernel(const struct host_launch *l)
{
	return (struct host_kernel_params){.function = l->function,
					   .grid = l->grid,
					   .block = l->block,
					   .shared = (unsigned)l->shared,
					   .arguments = (void **)(uintptr_t)l->arguments};
}

int host_launch(const struct host_launch *l)
{
	char params[WIRE_MESSAGE_BYTES / 2];
	int error = host_enter();
	const struct host_kernel *k = error ? NULL : host_kernel_of(l->function, &error);
	if (!k)
		return error;
	if (!host_stream_lives(l->stream))
		return cudaErrorInvalidResourceHandle;
	const struct call_launch c = {.kernel = k->info->id,
				      .grid = {l->grid.x, l->grid.y, l->grid.z},
				      .block = {l->block.x, l->block.y, l->block.z},
				      .shared = (uint32_t)l->shared,
				      .cooperative = l->cooperative,
				      .cache = host_wire_cache(k->cache ? k->cache : host_cache_preference()),
				      .stream = host_stream(l->stream),
				      .caller = (uint64_t)(uintptr_t)l->caller};
	const struct host_work work = {
		.type = NODE_KERNEL, .kernel = graph_kernel(l), .cooperative = l->cooperative, .caller = l->caller};
	error = host_check_launch(k, &c, l);
	if (error || capture_add(l->stream, &work, &error))
		return error;
	if (k->info->param_bytes > sizeof params || !gather(k->info, l->arguments, params))
		return cudaErrorInvalidValue;
	error = call_launch(&c, params, k->info->param_bytes, NULL);
	host_guards_close();
	return error;
}

static int launch(const void *function, struct host_dim grid, struct host_dim block, void **arguments, size_t shared,
		  void *stream, const void *caller)
{
	struct host_thread *t = host_thread();
	const void *const before = t->caller;
	t->caller = caller; /* with <<<>>> the return address is in a stub made by nvcc */
	const int error = host_leave_as("ws_cudaLaunchKernel", host_launch(&(struct host_launch){.function = function,
											      .grid = grid,
											      .block = block,
											      .arguments = arguments,
											      .shared = shared,
											      .stream = stream,
											      .caller = caller}));
	t->caller = before;
	return error;
}

/* Returns the place of the launch in the source: with <<<>>> the caller is a stub made by nvcc. */
static const void *launched_from(const void *caller)
{
	struct host_thread *t = host_thread();
	const void *from = t->launches_from ? t->launches_from : caller;
	t->launches_from = NULL;
	return from;
}

API(cudaLaunchKernel)
(const void *function, struct host_dim grid, struct host_dim block, void **arguments, size_t shared, void *stream)
{
	return launch(function, grid, block, arguments, shared, stream, launched_from(HOST_CALLER()));
}

API(__cudaLaunchKernel)
(void *kernel, struct host_dim grid, struct host_dim block, void **arguments, size_t shared, void *stream)
{
	return launch(kernel, grid, block, arguments, shared, stream, launched_from(HOST_CALLER()));
}
