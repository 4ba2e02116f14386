/* The entry points of one API by name, made from its table ENTRY_TABLE (entries.def, driver/entries.def). An unsupported function prints a note once and returns
 * REFUSE(error). Defines `entries`, a row for each name with its function for toolkits 11, 12 and 13. Included by one file for each API. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

/* ---- unsupported functions ---- */

#define ENTRY(name)
#define TWIN(name, other)
#define SINCE_13(name, other)
#define BY_RUNTIME(name)

enum refused {
#define REFUSED(name) REFUSED_##name,
#include ENTRY_TABLE
#undef REFUSED
	N_REFUSED
};

static struct {
	atomic_bool said[N_REFUSED];
} refusals;

#define REFUSED(name) \
	API(name)(void) { return REFUSE(host_say_unsupported(&refusals.said[REFUSED_##name], #name)); }
#include ENTRY_TABLE
#undef ENTRY
#undef TWIN
#undef SINCE_13
#undef BY_RUNTIME
#undef REFUSED

/* ---- all functions ---- */

#define ENTRY(name) extern char gate_##name[];
#define TWIN(name, other) extern char gate_##name[];
#define SINCE_13(name, other) extern char gate_##name[], gate_##name##_since_13[];
#define BY_RUNTIME(name) extern char gate_##name##_11[], gate_##name##_12[], gate_##name##_13[];
#define REFUSED(name) extern char gate_##name[];
#include ENTRY_TABLE
#undef ENTRY
#undef TWIN
#undef SINCE_13
#undef BY_RUNTIME
#undef REFUSED

struct entry {
	const char *name;
	void *function[3]; /* its gates for toolkits 11, 12, 13 */
};

static const struct entry entries[] = {
#define ENTRY(name) {#name, {gate_##name, gate_##name, gate_##name}},
#define TWIN(name, other) ENTRY(name)
#define SINCE_13(name, other) {#name, {gate_##name, gate_##name, gate_##name##_since_13}},
#define BY_RUNTIME(name) {#name, {gate_##name##_11, gate_##name##_12, gate_##name##_13}},
#define REFUSED(name) ENTRY(name)
#include ENTRY_TABLE
#undef ENTRY
#undef TWIN
#undef SINCE_13
#undef BY_RUNTIME
#undef REFUSED
};

/* Compares `name`, a text, with the name of `entry`, a struct entry, as strcmp does; for bsearch. */
static int compare_names(const void *name, const void *entry)
{
	return strcmp(name, ((const struct entry *)entry)->name);
}

/* Returns the entry of the function with exactly this name. Returns NULL if the API has no such function. */
static const struct entry *entry_of(const char *name)
{
	return bsearch(name, entries, sizeof entries / sizeof *entries, sizeof *entries, compare_names);
}
