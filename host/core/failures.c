/* Failed calls, which the debugger's memory checker reports. */
#include <stdio.h>
#include <string.h>

#include "host/core/channel.h"

#define TEXTS_BYTES 512u

const char *ws_cudaGetErrorName(int error);
const char *ws_cudaGetErrorString(int error);
int ws_cuGetErrorName(int error, const char **name);

/* Queries fail as part of normal use: a program asks whether work is done, or whether a pointer is known. */
static bool is_query(const char *name)
{
	return strstr(name, "Get") || strstr(name, "Query") || strstr(name, "Peek") || strstr(name, "CanAccess");
}

/* Returns true if a failed call is to be reported. Of those that fail because the context has failed only one is. */
static bool can_report(const struct host_thread *t, int error)
{
	const int sticky = host_sticky();
	return channel_is_ready() && !channel_is_lost() && (!sticky || (error == sticky && channel_wants_cause())) && !t->in_call && !t->holds &&
	       !t->connects && !t->in_graph;
}

/* Appends a string and its 0 to the n bytes of `texts`. Cuts it off where the room ends. */
static size_t append(char *texts, size_t n, const char *s)
{
	const size_t room = TEXTS_BYTES - n, bytes = (size_t)snprintf(texts + n, room, "%s", s) + 1;
	return n + (bytes < room ? bytes : room);
}

void host_report_failure(const char *function, int error)
{
	const struct host_thread *t = host_thread();
	const char *name = strncmp(function, "ws_", 3) ? "" : function + 3, *of_driver = NULL;
	char texts[TEXTS_BYTES];
	size_t n = 0;
	if (error == cudaErrorNotReady || is_query(name) || !can_report(t, error))
		return;
	if (t->by_driver)
		ws_cuGetErrorName(error, &of_driver);
	n = append(texts, n, name);
	n = append(texts, n, of_driver ? of_driver : ws_cudaGetErrorName(error));
	n = append(texts, n, ws_cudaGetErrorString(error));
	n = append(texts, n, t->reason);
	call_failed(&(struct call_failed){(uint32_t)error, t->by_driver}, texts, n, NULL);
}
