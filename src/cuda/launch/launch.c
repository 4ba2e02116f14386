/* Launches. */
#include <string.h>

#include "cuda/internal.h"
#include "cuda/stream/stream.h"

#define WAITING_MOST 16384u /* in streams: who launches more waits until the device has done some, as with CUDA */

uint32_t serve_goodbye(struct cuda_call *c, const struct call_goodbye *in, struct call_goodbye_out *out)
{
	(void)in, (void)out;
	return gpu_has_work(c->cuda->gpu) ? CUDA_AGAIN : 0;
}

uint32_t serve_launch(struct cuda_call *c, const struct call_launch *in, struct call_launch_out *out)
{
	struct cuda *cuda = c->cuda;
	struct text why = {0};
	struct gpu_launch_spec spec = {.function = in->kernel,
				       .shared_dynamic = in->shared,
				       .stream = (uint32_t)in->stream,
				       .cooperation = in->cooperative ? GPU_COOPERATIVE : GPU_NOT_COOPERATIVE,
				       .params = c->payload,
				       .n_params = c->n_payload};
	(void)out;
	if (!stream_exists(cuda, in->stream))
		return cudaErrorInvalidResourceHandle;
	if (gpu_operations_waiting(cuda->gpu) >= WAITING_MOST)
		return CUDA_AGAIN;
	memcpy(spec.grid, in->grid, sizeof spec.grid);
	memcpy(spec.block, in->block, sizeof spec.block);
	const struct gpu_input launch = {.kind = GPU_INPUT_LAUNCH, .launch = &spec};
	const int64_t id = session_input(cuda->session, &launch, &why);
	const bool ok = id >= 0;
	if (ok)
		program_note_launch(c, (uint32_t)id, in->caller);
	else
		cuda_say(cuda, "error: a launch was refused: %s", text_str(&why));
	text_free(&why);
	return ok ? 0 : cudaErrorLaunchFailure;
}
