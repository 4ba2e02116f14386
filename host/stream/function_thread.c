/* Functions that streams call: a thread of this process calls them one after the other. Calls of CUDA are not permitted in them. */
#include <pthread.h>
#include <signal.h>

#include "host/graph/graph.h"
#include "host/host.h"

static void *call_functions(void *unused)
{
	struct call_next_function_out next;
	struct call_next_function in = {0};
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!call_next_function(&in, NULL, 0, &next)) {
		host_thread()->in_call = true;
		if (next.is_callback)
			((void (*)(void *, int, void *))(uintptr_t)next.function)(host_stream_handle(next.stream), 0,
										  (void *)(uintptr_t)next.argument);
		else
			((void (*)(void *))(uintptr_t)next.function)((void *)(uintptr_t)next.argument);
		host_thread()->in_call = false;
		in.done = 1;
	}
	return unused;
}

/* Starts the thread; a reset has ended the previous one. */
static int start_thread(void)
{
	static struct host_lock lock;
	static unsigned runs_for;
	pthread_attr_t how;
	pthread_t thread;
	int error = 0;
	host_lock(&lock);
	if (runs_for != host_stream_generation()) {
		pthread_attr_init(&how);
		pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
		error = pthread_create(&thread, &how, call_functions, NULL) ? cudaErrorOperatingSystem : 0;
		pthread_attr_destroy(&how);
		if (!error)
			runs_for = host_stream_generation();
	}
	host_unlock(&lock);
	return error;
}

static int enqueue_function(const void *stream, uint64_t function, void *argument, bool is_callback)
{
	int error = function ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = start_thread();
	if (!error)
		error = call_stream_function(&(struct call_stream_function){host_stream(stream), function,
									    (uint64_t)(uintptr_t)argument, is_callback},
					     NULL, 0, NULL);
	return host_leave(error);
}

API(cudaStreamAddCallback)
(const void *stream, void (*callback)(void *, int, void *), void *argument, unsigned flags)
{
	int error = flags ? cudaErrorInvalidValue : 0;
	if (error || capture_reject(stream, &error))
		return host_leave(error);
	return enqueue_function(stream, (uint64_t)(uintptr_t)callback, argument, true);
}

API(cudaLaunchHostFunc)(const void *stream, void (*function)(void *), void *argument)
{
	const struct host_work w = {.type = NODE_HOST, .call = {function, argument}};
	int error = function ? 0 : cudaErrorInvalidValue;
	if (error || capture_add(stream, &w, &error))
		return host_leave(error);
	return enqueue_function(stream, (uint64_t)(uintptr_t)function, argument, false);
}
