/* Streams and events: handles of the debugger's, and functions of the host that a stream calls. */
#include "host/graph.h"
#include "host/host.h"

/* Handles are numbers, so that a wrong one is found. Those of the toolkit: 0 and 1 the default stream, 2 that of the thread. */
#define STREAM_FIRST UINT64_C(0x10000)
#define STREAM_OF_THREAD 2u
#define STREAM_NONE UINT32_MAX

enum { NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4, LOWEST_PRIORITY = 0, HIGHEST_PRIORITY = -5 };

static uint64_t of(const void *handle) { return (uint64_t)(uintptr_t)handle; }

static unsigned generation = 1; /* a reset ends all streams */

void host_forget_streams(void) { __atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED); }
unsigned host_stream_generation(void) { return __atomic_load_n(&generation, __ATOMIC_RELAXED); }
void *host_stream_handle(uint64_t stream) { return stream ? (void *)(uintptr_t)(stream + STREAM_FIRST) : NULL; }

static uint64_t of_thread(void)
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
	const uint64_t h = of(handle);
	if (h == STREAM_OF_THREAD || (!h && host_thread()->per_thread))
		return of_thread();
	return h < STREAM_OF_THREAD ? 0 : h > STREAM_FIRST ? h - STREAM_FIRST : STREAM_NONE;
}

/* ---- streams ---- */

/* Which there are, so that a launch into a wrong one is refused without asking. */
#define STREAMS_KNOWN 65536u
static unsigned char lives[STREAMS_KNOWN];

bool host_stream_lives(const void *handle)
{
	const uint64_t h = of(handle);
	return h <= STREAM_OF_THREAD ||
	       (h > STREAM_FIRST && (h - STREAM_FIRST >= STREAMS_KNOWN || lives[h - STREAM_FIRST]));
}

static void note_stream(uint64_t number, bool is_there)
{
	if (number < STREAMS_KNOWN)
		lives[number] = is_there;
}

static int create(void **stream, unsigned flags, int priority)
{
	struct call_stream_create_out out;
	int error = stream && flags <= NON_BLOCKING ? host_enter() : cudaErrorInvalidValue;
	if (priority < HIGHEST_PRIORITY)
		priority = HIGHEST_PRIORITY;
	if (priority > LOWEST_PRIORITY)
		priority = LOWEST_PRIORITY;
	if (!error)
		error = call_stream_create(&(struct call_stream_create){flags & NON_BLOCKING, priority}, NULL, 0, &out);
	if (!error) {
		*stream = (void *)(uintptr_t)(out.stream + STREAM_FIRST);
		note_stream(out.stream, true);
	}
	return host_leave(error);
}

API(cudaStreamCreate)(void **stream) { return create(stream, 0, 0); }
API(cudaStreamCreateWithFlags)(void **stream, unsigned flags) { return create(stream, flags, 0); }
API(cudaStreamCreateWithPriority)(void **stream, unsigned flags, int priority)
{
	return create(stream, flags, priority);
}

API(cudaStreamDestroy)(void *stream)
{
	int error = of(stream) > STREAM_OF_THREAD ? host_enter() : cudaErrorInvalidResourceHandle;
	if (!error)
		error = call_stream_destroy(&(struct call_stream_destroy){host_stream(stream)}, NULL, 0, NULL);
	if (!error) {
		note_stream(host_stream(stream), false);
		host_stream_forget_attributes(host_stream(stream));
	}
	return host_leave(error);
}

API(cudaStreamSynchronize)(void *stream)
{
	int error = host_enter();
	if (!error && !capture_refuses(stream, &error))
		error = call_synchronize(&(struct call_synchronize){host_stream(stream), 0}, NULL, 0, NULL);
	return host_leave(error);
}

/* cudaErrorNotReady is an answer: cudaGetLastError doesn't know of it. */
API(cudaStreamQuery)(void *stream)
{
	int error = host_enter();
	if (!error && !capture_refuses(stream, &error))
		error = call_stream_query(&(struct call_stream_query){host_stream(stream)}, NULL, 0, NULL);
	return error == cudaErrorNotReady ? error : host_leave(error);
}

API(cudaStreamWaitEvent)(void *stream, void *event, unsigned flags)
{
	int error = flags > 1 ? cudaErrorInvalidValue : host_enter();
	if (!error && !capture_wait(stream, event, &error))
		error = call_stream_wait(&(struct call_stream_wait){host_stream(stream), of(event)}, NULL, 0, NULL);
	return host_leave(error);
}

static int get(void *stream, struct call_stream_get_out *out)
{
	const int error = host_enter();
	return error ? error : call_stream_get(&(struct call_stream_get){host_stream(stream)}, NULL, 0, out);
}

API(cudaStreamGetFlags)(void *stream, unsigned *flags)
{
	struct call_stream_get_out out;
	const int error = flags ? get(stream, &out) : cudaErrorInvalidValue;
	if (!error)
		*flags = out.non_blocking;
	return host_leave(error);
}

API(cudaStreamGetPriority)(void *stream, int *priority)
{
	struct call_stream_get_out out;
	const int error = priority ? get(stream, &out) : cudaErrorInvalidValue;
	if (!error)
		*priority = out.priority;
	return host_leave(error);
}

API(cudaStreamGetId)(void *stream, unsigned long long *id)
{
	struct call_stream_get_out out;
	const int error = id ? get(stream, &out) : cudaErrorInvalidValue;
	if (!error)
		*id = host_stream(stream) + 1;
	return host_leave(error);
}

API(cudaStreamGetDevice)(void *stream, int *device)
{
	struct call_stream_get_out out;
	const int error = device ? get(stream, &out) : cudaErrorInvalidValue;
	if (!error)
		*device = 0;
	return host_leave(error);
}

API(cudaDeviceGetStreamPriorityRange)(int *least, int *greatest)
{
	if (least)
		*least = LOWEST_PRIORITY;
	if (greatest)
		*greatest = HIGHEST_PRIORITY;
	return host_leave(host_connect());
}

/* ---- events ---- */

/* An event that other processes may wait for has no time. */
static bool are_event_flags(unsigned flags)
{
	return flags <= 7 && (!(flags & EVENT_INTERPROCESS) || flags & EVENT_DISABLE_TIMING);
}

API(cudaEventCreateWithFlags)(void **event, unsigned flags)
{
	struct call_event_create_out out;
	int error = event && are_event_flags(flags) ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_event_create(
			&(struct call_event_create){flags & EVENT_DISABLE_TIMING, flags & EVENT_INTERPROCESS}, NULL, 0,
			&out);
	if (!error)
		*event = (void *)(uintptr_t)out.event;
	return host_leave(error);
}

API(cudaEventCreate)(void **event) { return ws_cudaEventCreateWithFlags(event, 0); }

API(cudaEventDestroy)(void *event)
{
	int error = host_enter();
	if (!error)
		error = call_event_destroy(&(struct call_event_destroy){of(event)}, NULL, 0, NULL);
	return host_leave(error);
}

API(cudaEventRecord)(void *event, void *stream)
{
	int error = host_enter();
	if (!error && !capture_record(event, stream, &error))
		error = call_event_record(&(struct call_event_record){of(event), host_stream(stream)}, NULL, 0, NULL);
	return host_leave(error);
}

API(cudaEventRecordWithFlags)(void *event, void *stream, unsigned flags)
{
	return flags > 1 ? host_leave(cudaErrorInvalidValue) : ws_cudaEventRecord(event, stream);
}

API(cudaEventQuery)(void *event)
{
	int error = host_enter();
	if (!error && !capture_has_event(event, &error) && !capture_forbids(&error))
		error = call_event_query(&(struct call_event_query){of(event)}, NULL, 0, NULL);
	return error == cudaErrorNotReady ? error : host_leave(error);
}

API(cudaEventSynchronize)(void *event)
{
	int error = host_enter();
	if (!error && !capture_has_event(event, &error))
		error = call_event_synchronize(&(struct call_event_synchronize){of(event)}, NULL, 0, NULL);
	return host_leave(error);
}

API(cudaEventElapsedTime)(float *milliseconds, void *from, void *to)
{
	struct call_event_elapsed_out out;
	int error = milliseconds ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_event_elapsed(&(struct call_event_elapsed){of(from), of(to)}, NULL, 0, &out);
	if (!error)
		*milliseconds = (float)out.milliseconds;
	return error == cudaErrorNotReady ? error : host_leave(error);
}

API(cudaEventElapsedTime_v2)(float *milliseconds, void *from, void *to)
{
	return ws_cudaEventElapsedTime(milliseconds, from, to);
}
