/* The state of threads, and messages on standard error. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "host/host.h"

static __thread struct host_thread thread __attribute__((tls_model("initial-exec")));

struct host_thread *host_thread(void) { return &thread; }

void host_say(const char *fmt, ...)
{
	char line[1024];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(line, sizeof line - 1, fmt, ap);
	va_end(ap);
	n = n < 0 ? 0 : n > (int)sizeof line - 2 ? (int)sizeof line - 2 : n;
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}

static _Atomic bool has_hidden_runtime;

void host_note_hidden_runtime(void) { has_hidden_runtime = true; }

bool host_has_hidden_runtime(void) { return has_hidden_runtime; }

int host_say_unsupported(atomic_bool *said, const char *name)
{
	if (!atomic_exchange(said, true))
		host_say("warpstep: %s is not supported", name);
	return cudaErrorNotSupported;
}
