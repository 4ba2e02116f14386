/* Finds the function of the driver API that a name means for a version: cuGetProcAddress, cudaGetDriverEntryPoint. */
#include <string.h>

#include "host/driver/driver.h"

struct proc {
	const char *name;
	int version;
	const char *entry, *per_thread;
};

static const struct proc procs[] = {
#define PROC(name, version, entry) {name, version, #entry, NULL},
#define PROC_PER_THREAD(name, version, entry, other) {name, version, #entry, #other},
#include "host/driver/procs.def"
#undef PROC
#undef PROC_PER_THREAD
};

/* Returns the newest function of that name up to the version; NULL if there is none. *newer: there is one of a later version. */
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

/* ---- for programs of the runtime: a missing function is no error ---- */

enum { ANY_STREAM, LEGACY_STREAM, PER_THREAD_STREAM }; /* cudaGetDriverEntryPointFlags */

static int entry_point(const char *name, void **function, unsigned version, unsigned long long flags, int *result,
		       bool per_thread)
{
	if (!name || !function || flags > PER_THREAD_STREAM)
		return host_leave(cudaErrorInvalidValue);
	const bool by_thread = flags == PER_THREAD_STREAM || (flags == ANY_STREAM && per_thread);
	ws_cuGetProcAddress_v2(name, function, (int)version, by_thread ? PROC_PER_THREAD_FLAG : 0, result);
	return 0;
}

API(cudaGetDriverEntryPointByVersion)
(const char *name, void **function, unsigned version, unsigned long long flags, int *result)
{
	return entry_point(name, function, version, flags, result, false);
}

API(cudaGetDriverEntryPointByVersion_ptsz)
(const char *name, void **function, unsigned version, unsigned long long flags, int *result)
{
	return entry_point(name, function, version, flags, result, true);
}

/* A variant for each toolkit; toolkit 11 has no result. */
#define ENTRY_POINT(suffix, per_thread) \
	API(cudaGetDriverEntryPoint##suffix##_11)(const char *name, void **function, unsigned long long flags) \
	{ \
		return entry_point(name, function, 11080, flags, NULL, per_thread); \
	} \
	API(cudaGetDriverEntryPoint##suffix##_12) \
	(const char *name, void **function, unsigned long long flags, int *result) \
	{ \
		return entry_point(name, function, 12040, flags, result, per_thread); \
	} \
	API(cudaGetDriverEntryPoint##suffix##_13) \
	(const char *name, void **function, unsigned long long flags, int *result) \
	{ \
		return entry_point(name, function, 13000, flags, result, per_thread); \
	}
ENTRY_POINT(, false)
ENTRY_POINT(_ptsz, true)
