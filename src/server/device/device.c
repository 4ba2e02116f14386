/* The device as programs see it: limits and attributes from the configuration. */
#include <stdio.h>

#include "server/internal.h"
#include "server/memory/memory.h"
#include "debug/view/view.h"
#include "gpu/config/config.h"
#include "gpu/launch/properties.h"

enum { MAJOR = 75, MINOR = 76 };

uint32_t serve_device(struct server_call *c, const struct call_device *in, struct call_device_out *out)
{
	struct wire_device *w = &out->device;
	struct config_device d;
	(void)in;
	config_device(gpu_config(c->server->gpu), &d);
	for (uint32_t k = 1; k < WIRE_ATTRIBUTES; k++)
		if (!gpu_attribute(c->server->gpu, k, &w->attribute[k]))
			w->attribute[k] = 0;
	w->attribute[MAJOR] = (int32_t)modules_capability(c->server) / 10;
	w->attribute[MINOR] = (int32_t)modules_capability(c->server) % 10;
	w->memory = memory_total(c->server);
	w->stack = d.stack_bytes;
	snprintf(w->name, sizeof w->name, "warpstep %s", c->server->setup.device_name ? c->server->setup.device_name : "");
	return 0;
}

uint32_t serve_memory_info(struct server_call *c, const struct call_memory_info *in, struct call_memory_info_out *out)
{
	(void)in;
	memory_reclaim(c->server);
	out->total = memory_total(c->server);
	out->free = memory_available(c->server);
	return 0;
}

uint32_t serve_reset(struct server_call *c, const struct call_reset *in, struct call_reset_out *out)
{
	(void)in, (void)out;
	if (c->server->context[c->client->context].error)
		server_answer_failed(c->server, c->client->context);
	else if (!context_is_idle(c))
		return SERVER_AGAIN;
	context_reset(c->server, c->client->context);
	return 0;
}

/* Returns the simulated machine's number of a limit; GPU_LIMITS: there is no such limit. */
static enum gpu_limit_id limit_of(uint32_t limit)
{
	static const enum gpu_limit_id limits[] = {[WIRE_LIMIT_STACK] = GPU_LIMIT_STACK,
						   [WIRE_LIMIT_PRINTF_FIFO] = GPU_LIMIT_PRINTF_FIFO,
						   [WIRE_LIMIT_MALLOC_HEAP] = GPU_LIMIT_MALLOC_HEAP,
						   [WIRE_LIMIT_SYNC_DEPTH] = GPU_LIMIT_SYNC_DEPTH,
						   [WIRE_LIMIT_PENDING_LAUNCHES] = GPU_LIMIT_PENDING_LAUNCHES};
	return limit < WIRE_LIMITS ? limits[limit] : GPU_LIMITS;
}

/* Returns the device functions that a limit governs; NULL: none. The limit is fixed once a kernel that calls such a function was launched. */
static const char *const *used_with(enum gpu_limit_id limit)
{
	static const char *const printf_fifo[] = {"vprintf", NULL};
	static const char *const heap[] = {"malloc",	 "free",     "__cuda_syscall_aligned_malloc",
					   "cudaMalloc", "cudaFree", NULL};
	return limit == GPU_LIMIT_PRINTF_FIFO ? printf_fifo : limit == GPU_LIMIT_MALLOC_HEAP ? heap : NULL;
}

static bool is_in_use(const struct server_call *c, enum gpu_limit_id limit)
{
	const struct server *server = c->server;
	const char *const *names = used_with(limit);
	struct gpu_launch_info l;
	uint32_t last = UINT32_MAX; /* the last kernel checked: adjacent launches are mostly of the same kernel */
	for (uint32_t k = gpu_launch_count(server->gpu); names && k-- > server->context[c->client->context].first_launch;) {
		gpu_launch_get(server->gpu, k, &l);
		if (l.launch.context != c->client->context || l.launch.function == last)
			continue;
		if (debug_kernel_calls(server->dbg, l.launch.function, names))
			return true;
		last = l.launch.function;
	}
	return false;
}

uint32_t serve_limit(struct server_call *c, const struct call_limit *in, struct call_limit_out *out)
{
	const enum gpu_limit_id limit = limit_of(in->limit);
	const struct gpu_input set = {.kind = GPU_INPUT_LIMIT,
				      .limit = {c->client->context, limit, in->value}};
	(void)out;
	if (limit == GPU_LIMITS)
		return WIRE_UNSUPPORTED_LIMIT;
	return !is_in_use(c, limit) && session_input(c->server->session, &set, NULL) ? 0 : WIRE_INVALID_VALUE;
}

uint32_t serve_limit_get(struct server_call *c, const struct call_limit_get *in, struct call_limit_get_out *out)
{
	const enum gpu_limit_id limit = limit_of(in->limit);
	if (limit == GPU_LIMITS)
		return WIRE_UNSUPPORTED_LIMIT;
	out->value = gpu_get_limit(c->server->gpu, c->client->context, limit);
	return 0;
}
