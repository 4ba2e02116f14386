/* Inputs in a file: written as they are in memory, for the same build, each with the data that its arguments point to. */
#include "gpu/input.h"

#include <string.h>

#include "base/record.h"
#include "gpu/stream.h"

bool gpu_input_is_recordable(const struct gpu_input *in)
{
	switch (in->kind) {
	case GPU_INPUT_ALLOC:
	case GPU_INPUT_ALLOC_PAGES:
	case GPU_INPUT_FREE:
	case GPU_INPUT_WRITE:
	case GPU_INPUT_COPY:
	case GPU_INPUT_READ:
	case GPU_INPUT_POOL:
	case GPU_INPUT_TOUCHED:
	case GPU_INPUT_MARK:
	case GPU_INPUT_LAUNCH:
	case GPU_INPUT_MODE:
	case GPU_INPUT_ALONE:
	case GPU_INPUT_STREAM:
	case GPU_INPUT_STREAM_DESTROY:
	case GPU_INPUT_EVENT:
	case GPU_INPUT_EVENT_DESTROY:
	case GPU_INPUT_OPERATION:
	case GPU_INPUT_DONE:
	case GPU_INPUT_WAITED: return true;
	default: return false;
	}
}

/* Returns the data that an input's arguments point to, and stores their length. Returns NULL if there are none. */
static const void *data_of(const struct gpu_input *in, size_t *n)
{
	const char *name = NULL;
	*n = 0;
	switch (in->kind) {
	case GPU_INPUT_ALLOC:
	case GPU_INPUT_ALLOC_PAGES:
		name = in->alloc.name;
		*n = name ? strlen(name) + 1 : 0;
		return name;
	case GPU_INPUT_WRITE:
	case GPU_INPUT_COPY: *n = in->copy.data ? (size_t)in->copy.n : 0; return in->copy.data;
	case GPU_INPUT_LAUNCH: *n = in->launch.n_params; return in->launch.params;
	default: return NULL;
	}
}

uint64_t gpu_input_bytes(const struct gpu_input *in)
{
	size_t n;
	data_of(in, &n);
	return sizeof *in + n;
}

void gpu_input_record(const struct gpu_input *in, struct text *out)
{
	size_t n;
	const void *data = data_of(in, &n);
	record_bytes(out, in, sizeof *in);
	record_bytes(out, data, n);
}

static bool is_context(uint32_t context) { return context < GPU_CONTEXTS; }

/* Points an input's arguments to its data. Returns false if they don't fit, or an argument that the device doesn't check is out of range. */
static bool set_data(struct gpu_input *in, const char *data, size_t n)
{
	switch (in->kind) {
	case GPU_INPUT_ALLOC:
	case GPU_INPUT_ALLOC_PAGES:
		in->alloc.name = n ? data : NULL;
		return is_context(in->alloc.context) && (!n || strlen(data) + 1 == n);
	case GPU_INPUT_WRITE:
		in->copy.data = data;
		return n == in->copy.n && is_context(in->copy.context);
	case GPU_INPUT_COPY:
	case GPU_INPUT_READ:
	case GPU_INPUT_POOL:
		in->copy.data = n ? data : NULL;
		in->copy.source = NULL;
		return (!n || n == in->copy.n) && (n || in->kind != GPU_INPUT_COPY) && is_context(in->copy.context);
	case GPU_INPUT_LAUNCH:
		in->launch.params = data;
		return n == in->launch.n_params && (unsigned)in->launch.mode <= GPU_MODE_PERFORMANCE;
	case GPU_INPUT_MODE: return (unsigned)in->mode.mode <= GPU_MODE_PERFORMANCE;
	case GPU_INPUT_STREAM: return is_context(in->stream.context);
	case GPU_INPUT_EVENT: return is_context(in->of_context.context);
	default: return true;
	}
}

bool gpu_input_take(struct record_reader *r, struct pool *p, struct gpu_input *out)
{
	size_t n, n_data;
	const char *const bytes = record_take_bytes(r, &n), *const data = record_take_bytes(r, &n_data);
	if (r->bad || n != sizeof *out)
		return false;
	memcpy(out, bytes, n);
	char *const copy = pool_alloc(p, n_data + 1);
	memcpy(copy, data, n_data);
	return gpu_input_is_recordable(out) && set_data(out, copy, n_data);
}
