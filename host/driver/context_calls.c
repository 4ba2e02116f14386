/* The driver API's contexts. The device has one state; a context is a name for it that programs create, make current and destroy. */
#include <stdlib.h>

#include "host/driver/contexts.h"

#define INVALID_DEVICE 101

/* ---- creating ---- */

static int create(struct driver_context **out, unsigned flags, int device)
{
	int error = !out ? cudaErrorInvalidValue : device ? INVALID_DEVICE : host_connect();
	struct driver_context *c = error ? NULL : calloc(1, sizeof *c);
	if (error || !c || context_depth() == CONTEXT_STACK_MOST) {
		free(c);
		return error ? error : cudaErrorMemoryAllocation;
	}
	host_lock(&driver_contexts()->lock);
	*c = (struct driver_context){.flags = flags, .next = driver_contexts()->first};
	driver_contexts()->first = c;
	host_unlock(&driver_contexts()->lock);
	context_push(c);
	*out = c;
	return 0;
}

DRIVER(cuCtxCreate)(struct driver_context **out, unsigned flags, int device) { return create(out, flags, device); }
DRIVER(cuCtxCreate_v2)(struct driver_context **out, unsigned flags, int device) { return create(out, flags, device); }

DRIVER(cuCtxCreate_v3)(struct driver_context **out, void *affinity, int n, unsigned flags, int device)
{
	(void)affinity, (void)n;
	return create(out, flags, device);
}

DRIVER(cuCtxCreate_v4)(struct driver_context **out, void *parameters, unsigned flags, int device)
{
	(void)parameters;
	return create(out, flags, device);
}

DRIVER(cuCtxDestroy_v2)(struct driver_context *c)
{
	struct driver_context **at = &driver_contexts()->first;
	host_lock(&driver_contexts()->lock);
	while (*at && *at != c)
		at = &(*at)->next;
	const bool found = *at;
	if (found)
		*at = c->next;
	const bool last =
		found && !driver_contexts()->first && !driver_contexts()->retained && !driver_contexts()->used;
	host_unlock(&driver_contexts()->lock);
	if (!found)
		return CONTEXT_INVALID;
	if (context_current() == c)
		context_pop();
	free(c);
	return last ? AS_DRIVER(ws_cudaDeviceReset()) : 0;
}
DRIVER(cuCtxDestroy)(struct driver_context *c) { return ws_cuCtxDestroy_v2(c); }

/* Deprecated calls that count the uses of a context. */
DRIVER(cuCtxAttach)(struct driver_context **out, unsigned flags)
{
	if (!out || flags)
		return cudaErrorInvalidValue;
	if (!context_current())
		return CONTEXT_INVALID;
	*out = context_current();
	__atomic_add_fetch(&context_current()->attached, 1, __ATOMIC_RELAXED);
	return 0;
}

DRIVER(cuCtxDetach)(struct driver_context *c)
{
	if (!c || c != context_current())
		return CONTEXT_INVALID;
	if (c->attached) {
		__atomic_sub_fetch(&c->attached, 1, __ATOMIC_RELAXED);
		return 0;
	}
	return c->is_primary ? CONTEXT_INVALID : ws_cuCtxDestroy_v2(c);
}

/* ---- current context ---- */

DRIVER(cuCtxGetCurrent)(struct driver_context **out)
{
	if (!out)
		return cudaErrorInvalidValue;
	*out = context_current();
	return 0;
}

DRIVER(cuCtxSetCurrent)(struct driver_context *c)
{
	if (c && !context_exists(c))
		return CONTEXT_INVALID;
	context_pop();
	if (c)
		context_push(c);
	return 0;
}

DRIVER(cuCtxPushCurrent_v2)(struct driver_context *c)
{
	if (!c || !context_exists(c) || context_depth() == CONTEXT_STACK_MOST)
		return CONTEXT_INVALID;
	context_push(c);
	return 0;
}

DRIVER(cuCtxPopCurrent_v2)(struct driver_context **out)
{
	if (!context_depth())
		return CONTEXT_INVALID;
	struct driver_context *const was = context_current();
	context_pop();
	if (out)
		*out = was;
	return 0;
}

/* Returns whether a context is meant. Clients that prefer NAME_v2 (numba) call these two without a context, as before 13.0: any other value means the
 * current context. */
static bool is_meant(const struct driver_context *c) { return (c && context_exists(c)) || context_current(); }

DRIVER(cuCtxGetDevice)(int *device)
{
	if (!device)
		return cudaErrorInvalidValue;
	*device = 0;
	return context_current() ? 0 : CONTEXT_INVALID;
}

DRIVER(cuCtxGetDevice_v2)(int *device, struct driver_context *c)
{
	if (!device)
		return cudaErrorInvalidValue;
	*device = 0;
	return is_meant(c) ? 0 : CONTEXT_INVALID;
}

DRIVER(cuCtxGetFlags)(unsigned *flags)
{
	if (!flags)
		return cudaErrorInvalidValue;
	*flags = context_current() ? context_current()->flags : 0;
	return context_current() ? 0 : CONTEXT_INVALID;
}

DRIVER(cuCtxGetApiVersion)(struct driver_context *c, unsigned *version)
{
	if (!version || (c && !context_exists(c)))
		return version ? CONTEXT_INVALID : cudaErrorInvalidValue;
	*version = 3020;
	return 0;
}

DRIVER(cuCtxSynchronize)(void) { return context_current() ? AS_DRIVER(ws_cudaDeviceSynchronize()) : CONTEXT_INVALID; }
DRIVER(cuCtxSynchronize_v2)(struct driver_context *c)
{
	return is_meant(c) ? AS_DRIVER(ws_cudaDeviceSynchronize()) : CONTEXT_INVALID;
}

/* ---- the primary context, which the runtime shares ---- */

DRIVER(cuDevicePrimaryCtxRetain)(struct driver_context **out, int device)
{
	const int error = !out ? cudaErrorInvalidValue : device ? INVALID_DEVICE : host_connect();
	if (error)
		return error;
	host_lock(&driver_contexts()->lock);
	driver_contexts()->retained++;
	host_unlock(&driver_contexts()->lock);
	*out = &driver_contexts()->primary;
	return 0;
}

DRIVER(cuDevicePrimaryCtxRelease_v2)(int device)
{
	host_lock(&driver_contexts()->lock);
	const bool was = driver_contexts()->retained;
	driver_contexts()->retained -= was;
	host_unlock(&driver_contexts()->lock);
	return device ? INVALID_DEVICE : was ? 0 : CONTEXT_INVALID;
}

DRIVER(cuDevicePrimaryCtxReset_v2)(int device) { return device ? INVALID_DEVICE : AS_DRIVER(ws_cudaDeviceReset()); }

DRIVER(cuDevicePrimaryCtxGetState)(int device, unsigned *flags, int *active)
{
	if (!flags || !active)
		return cudaErrorInvalidValue;
	*flags = driver_contexts()->primary.flags;
	*active = driver_contexts()->retained || driver_contexts()->used;
	return device ? INVALID_DEVICE : 0;
}

DRIVER(cuDevicePrimaryCtxSetFlags_v2)(int device, unsigned flags)
{
	driver_contexts()->primary.flags = flags;
	return device ? INVALID_DEVICE : 0;
}

DRIVER(cuStreamGetCtx)(void *stream, struct driver_context **context)
{
	const int error = context ? driver_enter() : cudaErrorInvalidValue;
	if (error)
		return error;
	*context = context_current();
	return host_stream_lives(stream) ? 0 : cudaErrorInvalidResourceHandle;
}

/* A stream belongs to a context or to a part of a context; there are no parts. */
DRIVER(cuStreamGetCtx_v2)(void *stream, struct driver_context **context, void **part)
{
	if (!part)
		return cudaErrorInvalidValue;
	*part = NULL;
	return ws_cuStreamGetCtx(stream, context);
}

DRIVER(cuCtxGetId)(const struct driver_context *context, unsigned long long *id)
{
	const struct driver_context *c = context ? context : context_current();
	if (!c || !id || !context_exists(c))
		return id ? CONTEXT_INVALID : cudaErrorInvalidValue;
	*id = (unsigned long long)(uintptr_t)c;
	return 0;
}

/* ---- one device: contexts aren't peers; each context may use all of it ---- */

enum { PEER_ACCESS_NOT_ENABLED = 705, PEER_ACCESS_UNSUPPORTED = 217 };

DRIVER(cuCtxEnablePeerAccess)(struct driver_context *peer, unsigned flags)
{
	if (!context_current() || !context_exists(peer) || peer == context_current())
		return CONTEXT_INVALID;
	return flags ? cudaErrorInvalidValue : PEER_ACCESS_UNSUPPORTED;
}

DRIVER(cuCtxDisablePeerAccess)(const struct driver_context *peer)
{
	return context_current() && context_exists(peer) ? PEER_ACCESS_NOT_ENABLED : CONTEXT_INVALID;
}

/* No data persists in the L2 of this device. */
DRIVER(cuCtxResetPersistingL2Cache)(void) { return host_enter(); }
API(cudaCtxResetPersistingL2Cache)(void) { return host_leave(host_enter()); }

struct affinity { /* CUexecAffinityParam, of type CU_EXEC_AFFINITY_TYPE_SM_COUNT */
	int type;
	unsigned cores;
};

DRIVER(cuCtxGetExecAffinity)(struct affinity *a, int type)
{
	enum { CORES = 16 };
	const int error = a && !type ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		*a = (struct affinity){type, (unsigned)host_device()->attribute[CORES]};
	return error;
}

DRIVER(cuDeviceGetExecAffinitySupport)(int *is, int type, int device)
{
	if (!is || type)
		return cudaErrorInvalidValue;
	*is = 0;
	return device ? INVALID_DEVICE : 0;
}
