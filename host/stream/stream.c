/* Calls on streams and events. */
#include "host/graph/graph.h"
#include "host/host.h"

enum { NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4, LOWEST_PRIORITY = 0, HIGHEST_PRIORITY = -5 };

static uint64_t address_of(const void *handle) { return (uint64_t)(uintptr_t)handle; }

/* ---- streams ---- */

static int create_stream(void **stream, unsigned flags, int priority)
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
		*stream = host_stream_handle(out.stream);
		host_stream_note(out.stream, true);
	}
	return host_leave(error);
}

API(cudaStreamCreate)(void **stream) { return create_stream(stream, 0, 0); }
API(cudaStreamCreateWithFlags)(void **stream, unsigned flags) { return create_stream(stream, flags, 0); }
API(cudaStreamCreateWithPriority)(void **stream, unsigned flags, int priority)
{
	return create_stream(stream, flags, priority);
}

API(cudaStreamDestroy)(void *stream)
{
	int error = address_of(stream) > HOST_STREAM_OF_THREAD ? host_enter() : cudaErrorInvalidResourceHandle;
	if (!error)
		error = call_stream_destroy(&(struct call_stream_destroy){host_stream(stream)}, NULL, 0, NULL);
	if (!error) {
		host_stream_note(host_stream(stream), false);
		host_stream_drop_attributes(host_stream(stream));
	}
	return host_leave(error);
}

API(cudaStreamSynchronize)(void *stream)
{
	int error = host_enter();
	if (!error && !capture_reject(stream, &error))
		error = call_synchronize(&(struct call_synchronize){host_stream(stream), 0}, NULL, 0, NULL);
	return host_leave(error);
}

/* cudaErrorNotReady is a result that cudaGetLastError doesn't return. */
API(cudaStreamQuery)(void *stream)
{
	int error = host_enter();
	if (!error && !capture_reject(stream, &error))
		error = call_stream_query(&(struct call_stream_query){host_stream(stream)}, NULL, 0, NULL);
	return error == cudaErrorNotReady ? error : host_leave(error);
}

API(cudaStreamWaitEvent)(void *stream, void *event, unsigned flags)
{
	int error = flags > 1 ? cudaErrorInvalidValue : host_enter();
	if (!error && !capture_wait(stream, event, &error))
		error = call_stream_wait(&(struct call_stream_wait){host_stream(stream), address_of(event)}, NULL, 0,
					 NULL);
	return host_leave(error);
}

static int get_stream(void *stream, struct call_stream_get_out *out)
{
	const int error = host_enter();
	return error ? error : call_stream_get(&(struct call_stream_get){host_stream(stream)}, NULL, 0, out);
}

API(cudaStreamGetFlags)(void *stream, unsigned *flags)
{
	struct call_stream_get_out out;
	const int error = flags ? get_stream(stream, &out) : cudaErrorInvalidValue;
	if (!error)
		*flags = out.non_blocking;
	return host_leave(error);
}

API(cudaStreamGetPriority)(void *stream, int *priority)
{
	struct call_stream_get_out out;
	const int error = priority ? get_stream(stream, &out) : cudaErrorInvalidValue;
	if (!error)
		*priority = out.priority;
	return host_leave(error);
}

API(cudaStreamGetId)(void *stream, unsigned long long *id)
{
	struct call_stream_get_out out;
	const int error = id ? get_stream(stream, &out) : cudaErrorInvalidValue;
	if (!error)
		*id = host_stream(stream) + 1;
	return host_leave(error);
}

API(cudaStreamGetDevice)(void *stream, int *device)
{
	struct call_stream_get_out out;
	const int error = device ? get_stream(stream, &out) : cudaErrorInvalidValue;
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

/* Returns whether event flags are valid: an event for other processes has no timing. */
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
		error = call_event_destroy(&(struct call_event_destroy){address_of(event)}, NULL, 0, NULL);
	return host_leave(error);
}

API(cudaEventRecord)(void *event, void *stream)
{
	int error = host_enter();
	if (!error && !capture_record(event, stream, &error))
		error = call_event_record(&(struct call_event_record){address_of(event), host_stream(stream)}, NULL, 0,
					  NULL);
	return host_leave(error);
}

API(cudaEventRecordWithFlags)(void *event, void *stream, unsigned flags)
{
	return flags > 1 ? host_leave(cudaErrorInvalidValue) : ws_cudaEventRecord(event, stream);
}

API(cudaEventQuery)(void *event)
{
	int error = host_enter();
	if (!error && !capture_check_event(event, &error) && !capture_check_unsafe(&error))
		error = call_event_query(&(struct call_event_query){address_of(event)}, NULL, 0, NULL);
	return error == cudaErrorNotReady ? error : host_leave(error);
}

API(cudaEventSynchronize)(void *event)
{
	int error = host_enter();
	if (!error && !capture_check_event(event, &error))
		error = call_event_synchronize(&(struct call_event_synchronize){address_of(event)}, NULL, 0, NULL);
	return host_leave(error);
}

API(cudaEventElapsedTime)(float *milliseconds, void *from, void *to)
{
	struct call_event_elapsed_out out;
	int error = milliseconds ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_event_elapsed(&(struct call_event_elapsed){address_of(from), address_of(to)}, NULL, 0,
					   &out);
	if (!error)
		*milliseconds = (float)out.milliseconds;
	return error == cudaErrorNotReady ? error : host_leave(error);
}

API(cudaEventElapsedTime_v2)(float *milliseconds, void *from, void *to)
{
	return ws_cudaEventElapsedTime(milliseconds, from, to);
}
