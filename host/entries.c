/* The table of entry points of the runtime by name. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

/* Unsupported functions: each prints a note once. */
enum refused {
#define ENTRY(name)
#define TWIN(name, other)
#define SINCE_13(name, other)
#define BY_RUNTIME(name)
#define REFUSED(name) REFUSED_##name,
#include "host/entries.def"
#undef REFUSED
	N_REFUSED
};

static struct {
	atomic_bool said[N_REFUSED];
} refusals;

#define REFUSED(name) \
	API(name)(void) { return host_leave(host_say_unsupported(&refusals.said[REFUSED_##name], #name)); }
#include "host/entries.def"
#undef ENTRY
#undef TWIN
#undef SINCE_13
#undef REFUSED
#undef BY_RUNTIME

#define ENTRY(name) extern char ws_##name[];
#define TWIN(name, other)
#define REFUSED(name)
#define SINCE_13(name, other) extern char ws_##name[], ws_##other[];
#define BY_RUNTIME(name) extern char ws_##name##_11[], ws_##name##_12[], ws_##name##_13[];
#include "host/entries.def"
#undef ENTRY
#undef TWIN
#undef SINCE_13
#undef REFUSED
#undef BY_RUNTIME

static const struct {
	const char *name;
	void *function[3]; /* variants for toolkits 11, 12, 13 */
} entries[] = {
#define ENTRY(name) {#name, {ws_##name, ws_##name, ws_##name}},
#define TWIN(name, other) {#name, {ws_##other, ws_##other, ws_##other}},
#define REFUSED(name) {#name, {ws_##name, ws_##name, ws_##name}},
#define SINCE_13(name, other) {#name, {ws_##name, ws_##name, ws_##other}},
#define BY_RUNTIME(name) {#name, {ws_##name##_11, ws_##name##_12, ws_##name##_13}},
#include "host/entries.def"
#undef ENTRY
#undef TWIN
#undef SINCE_13
#undef REFUSED
#undef BY_RUNTIME
};

static int compare(const void *name, const void *row) { return strcmp(name, *(const char *const *)row); }

void *host_entry_find(const char *name, unsigned toolkit)
{
	const size_t n = sizeof entries / sizeof *entries;
	const void *row = bsearch(name, entries, n, sizeof *entries, compare);
	return row ? ((const __typeof__(entries[0]) *)row)->function[toolkit - 11] : NULL;
}
