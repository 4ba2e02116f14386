/* The table of entry points of the driver API by name. */
#include <string.h>

#include "host/host.h"

/* ---- unsupported functions: each prints a note once ---- */

enum refused {
#define ENTRY(name)
#define TWIN(name, other)
#define REFUSED(name) REFUSED_##name,
#include "host/driver/entries.def"
#undef REFUSED
	N_REFUSED
};

static struct {
	atomic_bool said[N_REFUSED];
} refusals;

#define REFUSED(name) \
	API(name)(void) { return host_say_unsupported(&refusals.said[REFUSED_##name], #name); }
#include "host/driver/entries.def"
#undef ENTRY
#undef TWIN
#undef REFUSED

/* ---- lookup ---- */

#define ENTRY(name) extern char ws_##name[];
#define TWIN(name, other) extern char ws_##other[];
#define REFUSED(name)
#include "host/driver/entries.def"
#undef ENTRY
#undef TWIN
#undef REFUSED

struct entry {
	const char *name;
	void *function;
};

static const struct entry entries[] = {
#define ENTRY(name) {#name, ws_##name},
#define TWIN(name, other) {#name, ws_##other},
#define REFUSED(name) {#name, ws_##name},
#include "host/driver/entries.def"
#undef ENTRY
#undef TWIN
#undef REFUSED
};

void *host_driver_entry(const char *name)
{
	for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
		if (!strcmp(entries[k].name, name))
			return entries[k].function;
	return NULL;
}
