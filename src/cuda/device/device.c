/* The device as programs see it. */
#include "cuda/internal.h"
#include "gpu/config.h"

#define SHARED_MOST (48u << 10) /* without opting in */

uint32_t serve_device(struct cuda_call *c, const struct call_device *in, struct call_device_out *out)
{
	const struct config *config = gpu_config(c->cuda->gpu);
	struct config_device d;
	(void)in;
	config_device(config, &d);
	out->device = (struct wire_device){
		.block_most = {1024, 1024, 64},
		.grid_most = {INT32_MAX, 65535, 65535},
		.threads_most = d.max_cta_threads,
		.shared_most = d.shared_bytes_per_core < SHARED_MOST ? d.shared_bytes_per_core : SHARED_MOST,
		.shared_most_opt_in = d.shared_bytes_per_core};
	return 0;
}

uint32_t serve_reset(struct cuda_call *c, const struct call_reset *in, struct call_reset_out *out)
{
	(void)in, (void)out;
	if (!c->cuda->sticky && gpu_has_work(c->cuda->gpu))
		return CUDA_AGAIN;
	memory_free_all(c->cuda);
	cuda_modules_forget(c->cuda);
	channel_set_sticky(c->cuda, 0);
	return 0;
}
