/* The log of errors (cudaLogs..., since toolkit 12.9): the last lines, and callbacks for each line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

const char *ws_cudaGetErrorString(int error);

#define KEPT_BYTES 25600u /* size of CUDA's log */
#define LINE_BYTES 256u
#define LOST "[older messages were lost]\n"
#define NO_ROOM "[there is no room for older messages]\n"

enum { LEVEL_ERROR }; /* cudaLogLevel */

struct callback {
	void (*function)(void *data, int level, char *message, size_t n);
	void *data;
	struct callback *next;
};

/* Lines from `begin` to `end`, which count all bytes so far; lines are numbered. Memory isn't allocated, as a call in a signal handler may fail,
 * too. */
static struct {
	struct host_lock lock;
	char bytes[KEPT_BYTES];
	uint64_t begin, end;
	unsigned oldest, next; /* number of the first line, and of the next */
	bool is_changing;
	struct callback *callbacks;
} logs = {.lock = {.serves = true}};

static uint64_t line_end(uint64_t at)
{
	while (at < logs.end && logs.bytes[at++ % KEPT_BYTES] != '\n')
		;
	return at;
}

static void append_line(const char *text, size_t n)
{
	if (logs.is_changing)
		return;
	logs.is_changing = true;
	for (; logs.end - logs.begin + n > KEPT_BYTES; logs.oldest++)
		logs.begin = line_end(logs.begin);
	for (size_t k = 0; k < n; k++)
		logs.bytes[logs.end++ % KEPT_BYTES] = text[k];
	logs.next++;
	logs.is_changing = false;
}

/* The program's callbacks may call CUDA. */
void host_log_error(const char *function, int error)
{
	char text[LINE_BYTES];
	const char *name = strncmp(function, "ws_", 3) ? "a call" : function + 3;
	size_t n = (size_t)snprintf(text, sizeof text - 1, "%.100s: %.100s (%d)", name, ws_cudaGetErrorString(error),
				    error);
	host_lock(&logs.lock);
	for (const struct callback *c = logs.callbacks; c; c = c->next)
		c->function(c->data, LEVEL_ERROR, text, n);
	text[n++] = '\n';
	append_line(text, n);
	host_unlock(&logs.lock);
}

/* ---- the calls ---- */

API(cudaLogsRegisterCallback)
(void (*function)(void *data, int level, char *message, size_t n), void *data, struct callback **handle)
{
	struct callback *c = function ? malloc(sizeof *c) : NULL;
	if (!c)
		return host_leave(function ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
	host_lock(&logs.lock);
	*c = (struct callback){function, data, logs.callbacks};
	logs.callbacks = c;
	host_unlock(&logs.lock);
	if (handle)
		*handle = c;
	return 0;
}

API(cudaLogsUnregisterCallback)(const struct callback *handle)
{
	host_lock(&logs.lock);
	struct callback **at = &logs.callbacks, *found;
	while (*at && *at != handle)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	host_unlock(&logs.lock);
	free(found);
	return found ? 0 : host_leave(cudaErrorInvalidValue);
}

API(cudaLogsCurrent)(unsigned *iterator, unsigned flags)
{
	if (!iterator || flags)
		return host_leave(cudaErrorInvalidValue);
	host_lock(&logs.lock);
	*iterator = logs.next;
	host_unlock(&logs.lock);
	return 0;
}

/* Returns the start of the first line from *iterator on; *lost: older lines were lost. */
static uint64_t first_wanted(const unsigned *iterator, bool *lost)
{
	const unsigned wanted = iterator ? *iterator : 0;
	uint64_t at = logs.begin;
	*lost = wanted < logs.oldest;
	for (unsigned k = logs.oldest; k < wanted && at < logs.end; k++)
		at = line_end(at);
	return at;
}

API(cudaLogsDumpToFile)(unsigned *iterator, const char *path, unsigned flags)
{
	bool lost;
	FILE *f = path && !flags ? fopen(path, "w") : NULL;
	if (!f)
		return host_leave(cudaErrorInvalidValue);
	host_lock(&logs.lock);
	uint64_t at = first_wanted(iterator, &lost);
	if (lost && at < logs.end)
		fputs(LOST, f);
	while (at < logs.end)
		fputc(logs.bytes[at++ % KEPT_BYTES], f);
	if (iterator)
		*iterator = logs.next;
	host_unlock(&logs.lock);
	return fclose(f) ? host_leave(cudaErrorInvalidValue) : 0;
}

/* Copies the last lines that fit in *n bytes. Returns false if not even one line fits. */
static bool dump_lines(uint64_t at, bool lost, char *to, size_t *n)
{
	const size_t size = *n, room = size ? size - 1 : 0;
	const char *head = lost ? LOST : "";
	const bool any = at < logs.end;
	while (at < logs.end && strlen(head) + (logs.end - at) > room) {
		at = line_end(at);
		head = NO_ROOM;
	}
	*n = any && at < logs.end ? strlen(strcpy(to, head)) : 0;
	if (any && at == logs.end)
		return false;
	while (at < logs.end)
		to[(*n)++] = logs.bytes[at++ % KEPT_BYTES];
	if (size)
		to[*n] = '\0';
	return true;
}

API(cudaLogsDumpToMemory)(unsigned *iterator, char *to, size_t *n, unsigned flags)
{
	bool lost;
	if (!to || !n || flags)
		return host_leave(cudaErrorInvalidValue);
	host_lock(&logs.lock);
	const uint64_t at = first_wanted(iterator, &lost);
	const bool ok = dump_lines(at, lost, to, n);
	if (ok && iterator)
		*iterator = logs.next;
	host_unlock(&logs.lock);
	return ok ? 0 : cudaErrorInvalidValue;
}
