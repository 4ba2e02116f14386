/* cuGetProcAddress: which function a name means to a program of some version. */
#include <string.h>

#include "host/driver.h"

struct proc {
	const char *name;
	int version;
	const char *entry, *per_thread;
};

static const struct proc procs[] = {
#define PROC(name, version, entry) {name, version, #entry, NULL},
#define PROC_PER_THREAD(name, version, entry, other) {name, version, #entry, #other},
#include "host/driver_procs.def"
#undef PROC
#undef PROC_PER_THREAD
};

/* The newest that isn't newer than the version asked for. */
static const struct proc *proc_named(const char *name, int version, bool *newer)
{
	const struct proc *best = NULL;
	*newer = false;
	for (size_t k = 0; k < sizeof procs / sizeof *procs; k++) {
		if (strcmp(procs[k].name, name))
			continue;
		if (procs[k].version <= version)
			best = &procs[k];
		*newer = true;
	}
	return best;
}

enum { PROC_FOUND, PROC_NOT_FOUND, PROC_VERSION_NOT_SUFFICIENT };
#define PROC_PER_THREAD_FLAG 2u

DRIVER(cuGetProcAddress_v2)(const char *name, void **function, int version, uint64_t flags, int *result)
{
	bool newer = false;
	if (!name || !function)
		return cudaErrorInvalidValue;
	const struct proc *p = proc_named(name, version, &newer);
	const bool per_thread = p && flags & PROC_PER_THREAD_FLAG && p->per_thread;
	*function = p ? host_driver_entry(per_thread ? p->per_thread : p->entry) : NULL;
	if (result)
		*result = *function ? PROC_FOUND : newer ? PROC_VERSION_NOT_SUFFICIENT : PROC_NOT_FOUND;
	return *function ? 0 : cudaErrorSymbolNotFound;
}

DRIVER(cuGetProcAddress)(const char *name, void **function, int version, uint64_t flags)
{
	return ws_cuGetProcAddress_v2(name, function, version, flags, NULL);
}
