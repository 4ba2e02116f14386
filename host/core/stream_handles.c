/* Handles of streams: numbers, default streams, and which streams exist. */
#include "host/host.h"

/* Handles are numbers, so that wrong handles are detected. The toolkit's own: 0 and 1 the default stream, 2 the per-thread stream. */
#define STREAM_FIRST UINT64_C(0x10000)
#define STREAM_NONE UINT32_MAX

static uint64_t handle_number(const void *handle) { return (uint64_t)(uintptr_t)handle; }

static unsigned generation = 1; /* changed by a reset, which destroys all streams */

void host_reset_streams(void) { __atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED); }
unsigned host_stream_generation(void) { return __atomic_load_n(&generation, __ATOMIC_RELAXED); }
void *host_stream_handle(uint64_t stream) { return stream ? (void *)(uintptr_t)(stream + STREAM_FIRST) : NULL; }

static uint64_t stream_of_thread(void)
{
	struct host_thread *t = host_thread();
	struct call_stream_create_out out;
	if (t->stream && t->stream_generation == host_stream_generation())
		return t->stream;
	if (host_enter() || call_stream_create(&(struct call_stream_create){0}, NULL, 0, &out))
		return STREAM_NONE;
	t->stream = out.stream;
	t->stream_generation = host_stream_generation();
	return t->stream;
}

uint64_t host_stream(const void *handle)
{
	const uint64_t h = handle_number(handle);
	if (h == HOST_STREAM_OF_THREAD || (!h && host_thread()->per_thread))
		return stream_of_thread();
	return h < HOST_STREAM_OF_THREAD ? 0 : h > STREAM_FIRST ? h - STREAM_FIRST : STREAM_NONE;
}

/* The existing streams, so that a launch into a wrong stream is refused without a call. */
#define STREAMS_KNOWN 65536u
static unsigned char lives[STREAMS_KNOWN];

bool host_stream_lives(const void *handle)
{
	const uint64_t h = handle_number(handle);
	return h <= HOST_STREAM_OF_THREAD ||
	       (h > STREAM_FIRST && (h - STREAM_FIRST >= STREAMS_KNOWN || lives[h - STREAM_FIRST]));
}

void host_stream_note(uint64_t number, bool is_there)
{
	if (number < STREAMS_KNOWN)
		lives[number] = is_there;
}
