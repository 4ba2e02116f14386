/* All entry points by name. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

API(refused)(void) { return host_leave(cudaErrorNotSupported); }

#define ENTRY(name) extern char ws_##name[];
#define TWIN(name, other)
#define REFUSED(name)
#include "host/entries.def"
#undef ENTRY
#undef TWIN
#undef REFUSED

static const struct {
	const char *name;
	void *function;
} entries[] = {
#define ENTRY(name) {#name, ws_##name},
#define TWIN(name, other) {#name, ws_##other},
#define REFUSED(name) {#name, ws_refused},
#include "host/entries.def"
#undef ENTRY
#undef TWIN
#undef REFUSED
};

static int compare(const void *name, const void *row) { return strcmp(name, *(const char *const *)row); }

void *host_entry_find(const char *name)
{
	const size_t n = sizeof entries / sizeof *entries;
	const void *row = bsearch(name, entries, n, sizeof *entries, compare);
	return row ? ((const __typeof__(entries[0]) *)row)->function : NULL;
}
