/* The device as programs see it: limits and attributes from the configuration. */
#include "cuda/device/device.h"

#include <stdio.h>

#include "cuda/channel/channel.h"
#include "cuda/internal.h"
#include "cuda/memory/memory.h"
#include "cuda/stream/later.h"
#include "gpu/config.h"
#include "gpu/properties.h"

enum { MAJOR = 75, MINOR = 76 };

uint32_t serve_device(struct cuda_call *c, const struct call_device *in, struct call_device_out *out)
{
	struct wire_device *w = &out->device;
	struct config_device d;
	(void)in;
	config_device(gpu_config(c->cuda->gpu), &d);
	for (uint32_t k = 1; k < WIRE_ATTRIBUTES; k++)
		if (!gpu_attribute(c->cuda->gpu, k, &w->attribute[k]))
			w->attribute[k] = 0;
	w->attribute[MAJOR] = (int32_t)modules_capability(c->cuda) / 10;
	w->attribute[MINOR] = (int32_t)modules_capability(c->cuda) % 10;
	w->memory = memory_total(c->cuda);
	w->stack = d.stack_bytes;
	snprintf(w->name, sizeof w->name, "warpstep %s", c->cuda->setup.device_name ? c->cuda->setup.device_name : "");
	return 0;
}

uint32_t serve_memory_info(struct cuda_call *c, const struct call_memory_info *in, struct call_memory_info_out *out)
{
	(void)in;
	memory_reclaim(c->cuda);
	out->total = memory_total(c->cuda);
	out->free = memory_left(c->cuda);
	return 0;
}

uint32_t serve_reset(struct cuda_call *c, const struct call_reset *in, struct call_reset_out *out)
{
	(void)in, (void)out;
	if (!c->cuda->sticky && gpu_has_work(c->cuda->gpu))
		return CUDA_AGAIN;
	if (channel_clients(c->cuda) > 1) { /* what others have stays */
		memory_free_of(c->cuda, c->client->pid);
	} else {
		later_forget(c->cuda);
		memory_free_all(c->cuda);
		cuda_modules_forget(c->cuda);
		device_limits_forget(c->cuda);
	}
	channel_set_sticky(c->cuda, 0);
	return 0;
}

static bool set_limit(struct cuda *c, uint32_t limit, uint64_t value)
{
	const struct gpu_input set = {.kind = GPU_INPUT_LIMIT, .address = limit, .n = value};
	return session_input(c->session, &set, NULL);
}

void device_limits_forget(struct cuda *c)
{
	for (uint32_t k = 0; k < GPU_LIMITS; k++) {
		if (c->limit_before[k])
			set_limit(c, k, c->limit_before[k] - 1);
		c->limit_before[k] = 0;
	}
}

uint32_t serve_limit(struct cuda_call *c, const struct call_limit *in, struct call_limit_out *out)
{
	(void)out;
	if (in->limit >= GPU_LIMITS)
		return cudaErrorUnsupportedLimit;
	const uint64_t before = gpu_get_limit(c->cuda->gpu, (enum gpu_limit_id)in->limit);
	if (!set_limit(c->cuda, in->limit, in->value))
		return cudaErrorInvalidValue;
	if (!c->cuda->limit_before[in->limit])
		c->cuda->limit_before[in->limit] = before + 1;
	return 0;
}

uint32_t serve_limit_get(struct cuda_call *c, const struct call_limit_get *in, struct call_limit_get_out *out)
{
	if (in->limit >= GPU_LIMITS)
		return cudaErrorUnsupportedLimit;
	out->value = gpu_get_limit(c->cuda->gpu, (enum gpu_limit_id)in->limit);
	return 0;
}
