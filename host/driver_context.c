/* The driver's contexts. The device has one state; a context is a name for it that programs create, make current and destroy. */
#include <stdlib.h>

#include "host/driver.h"

#define INVALID_CONTEXT 201
#define INVALID_DEVICE 101
#define STACK_MOST 32u

struct driver_context {
	unsigned flags;
	unsigned attached; /* so often, besides that it was created */
	bool is_primary;
	struct driver_context *next;
};

static struct {
	struct host_lock lock;
	struct driver_context *first;
	struct driver_context primary;
	unsigned retained; /* the primary one, so often */
	bool used;	   /* the primary one, by the runtime */
	atomic_bool begun; /* by cuInit, or by the runtime */
} contexts = {.primary = {.is_primary = true}};

static __thread struct {
	struct driver_context *of[STACK_MOST];
	unsigned n;
} current;

static bool exists(const struct driver_context *c)
{
	const struct driver_context *k;
	host_lock(&contexts.lock);
	for (k = contexts.first; k && k != c; k = k->next)
		;
	const bool is = k || (c == &contexts.primary && (contexts.retained || contexts.used));
	host_unlock(&contexts.lock);
	return is;
}

static struct driver_context *top(void) { return current.n ? current.of[current.n - 1] : NULL; }

static void push(struct driver_context *c)
{
	current.of[current.n++] = c;
	host_thread()->has_context = true;
}

static void pop(void)
{
	if (current.n)
		current.n--;
	host_thread()->has_context = current.n != 0;
}

/* ---- before there is one ---- */

void driver_initialize(void) { atomic_store(&contexts.begun, true); }
int driver_initialized(void) { return atomic_load(&contexts.begun) ? 0 : cudaErrorInitializationError; }

/* One that a reset has ended is used again. */
int host_need_context(void)
{
	if (!current.n)
		return driver_initialized() ? cudaErrorInitializationError : INVALID_CONTEXT;
	host_use_primary_context();
	return 0;
}

/* ---- creating ---- */

static int create(struct driver_context **out, unsigned flags, int device)
{
	int error = !out ? cudaErrorInvalidValue : device ? INVALID_DEVICE : host_connect();
	struct driver_context *c = error ? NULL : calloc(1, sizeof *c);
	if (error || !c || current.n == STACK_MOST) {
		free(c);
		return error ? error : cudaErrorMemoryAllocation;
	}
	host_lock(&contexts.lock);
	*c = (struct driver_context){.flags = flags, .next = contexts.first};
	contexts.first = c;
	host_unlock(&contexts.lock);
	push(c);
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
	struct driver_context **at = &contexts.first;
	host_lock(&contexts.lock);
	while (*at && *at != c)
		at = &(*at)->next;
	const bool found = *at;
	if (found)
		*at = c->next;
	const bool last = found && !contexts.first && !contexts.retained && !contexts.used;
	host_unlock(&contexts.lock);
	if (!found)
		return INVALID_CONTEXT;
	if (top() == c)
		pop();
	free(c);
	return last ? AS_DRIVER(ws_cudaDeviceReset()) : 0;
}
DRIVER(cuCtxDestroy)(struct driver_context *c) { return ws_cuCtxDestroy_v2(c); }

/* Both are deprecated: how often a context is used. */
DRIVER(cuCtxAttach)(struct driver_context **out, unsigned flags)
{
	if (!out || flags)
		return cudaErrorInvalidValue;
	if (!top())
		return INVALID_CONTEXT;
	*out = top();
	__atomic_add_fetch(&top()->attached, 1, __ATOMIC_RELAXED);
	return 0;
}

DRIVER(cuCtxDetach)(struct driver_context *c)
{
	if (!c || c != top())
		return INVALID_CONTEXT;
	if (c->attached) {
		__atomic_sub_fetch(&c->attached, 1, __ATOMIC_RELAXED);
		return 0;
	}
	return c->is_primary ? INVALID_CONTEXT : ws_cuCtxDestroy_v2(c);
}

/* ---- which one is current ---- */

DRIVER(cuCtxGetCurrent)(struct driver_context **out)
{
	if (!out)
		return cudaErrorInvalidValue;
	*out = top();
	return 0;
}

DRIVER(cuCtxSetCurrent)(struct driver_context *c)
{
	if (c && !exists(c))
		return INVALID_CONTEXT;
	pop();
	if (c)
		push(c);
	return 0;
}

DRIVER(cuCtxPushCurrent_v2)(struct driver_context *c)
{
	if (!c || !exists(c) || current.n == STACK_MOST)
		return INVALID_CONTEXT;
	push(c);
	return 0;
}

DRIVER(cuCtxPopCurrent_v2)(struct driver_context **out)
{
	if (!current.n)
		return INVALID_CONTEXT;
	struct driver_context *const was = top();
	pop();
	if (out)
		*out = was;
	return 0;
}

/* Clients that look for NAME_v2 before NAME (numba's) call these two as those of before 13.0, without a context: what isn't one means the current one. */
static bool is_meant(const struct driver_context *c) { return (c && exists(c)) || top(); }

DRIVER(cuCtxGetDevice)(int *device)
{
	if (!device)
		return cudaErrorInvalidValue;
	*device = 0;
	return top() ? 0 : INVALID_CONTEXT;
}

DRIVER(cuCtxGetDevice_v2)(int *device, struct driver_context *c)
{
	if (!device)
		return cudaErrorInvalidValue;
	*device = 0;
	return is_meant(c) ? 0 : INVALID_CONTEXT;
}

DRIVER(cuCtxGetFlags)(unsigned *flags)
{
	if (!flags)
		return cudaErrorInvalidValue;
	*flags = top() ? top()->flags : 0;
	return top() ? 0 : INVALID_CONTEXT;
}

DRIVER(cuCtxGetApiVersion)(struct driver_context *c, unsigned *version)
{
	if (!version || (c && !exists(c)))
		return version ? INVALID_CONTEXT : cudaErrorInvalidValue;
	*version = 3020;
	return 0;
}

DRIVER(cuCtxSynchronize)(void) { return top() ? AS_DRIVER(ws_cudaDeviceSynchronize()) : INVALID_CONTEXT; }
DRIVER(cuCtxSynchronize_v2)(struct driver_context *c)
{
	return is_meant(c) ? AS_DRIVER(ws_cudaDeviceSynchronize()) : INVALID_CONTEXT;
}

/* ---- the primary one, which the runtime has, too ---- */

static void set_used(bool used)
{
	host_lock(&contexts.lock);
	contexts.used = used;
	host_unlock(&contexts.lock);
}

void host_use_primary_context(void)
{
	driver_initialize();
	set_used(true);
	pop();
	push(&contexts.primary);
}

void host_forget_primary_context(void)
{
	set_used(false);
	contexts.primary.attached = 0;
	if (top() == &contexts.primary)
		host_thread()->has_context = false;
}

DRIVER(cuDevicePrimaryCtxRetain)(struct driver_context **out, int device)
{
	const int error = !out ? cudaErrorInvalidValue : device ? INVALID_DEVICE : host_connect();
	if (error)
		return error;
	host_lock(&contexts.lock);
	contexts.retained++;
	host_unlock(&contexts.lock);
	*out = &contexts.primary;
	return 0;
}

DRIVER(cuDevicePrimaryCtxRelease_v2)(int device)
{
	host_lock(&contexts.lock);
	const bool was = contexts.retained;
	contexts.retained -= was;
	host_unlock(&contexts.lock);
	return device ? INVALID_DEVICE : was ? 0 : INVALID_CONTEXT;
}

DRIVER(cuDevicePrimaryCtxReset_v2)(int device) { return device ? INVALID_DEVICE : AS_DRIVER(ws_cudaDeviceReset()); }

DRIVER(cuDevicePrimaryCtxGetState)(int device, unsigned *flags, int *active)
{
	if (!flags || !active)
		return cudaErrorInvalidValue;
	*flags = contexts.primary.flags;
	*active = contexts.retained || contexts.used;
	return device ? INVALID_DEVICE : 0;
}

DRIVER(cuDevicePrimaryCtxSetFlags_v2)(int device, unsigned flags)
{
	contexts.primary.flags = flags;
	return device ? INVALID_DEVICE : 0;
}

DRIVER(cuStreamGetCtx)(void *stream, struct driver_context **context)
{
	const int error = context ? driver_enter() : cudaErrorInvalidValue;
	if (error)
		return error;
	*context = top();
	return host_stream_lives(stream) ? 0 : cudaErrorInvalidResourceHandle;
}

/* A stream is of a context or of a part of one; there are no parts. */
DRIVER(cuStreamGetCtx_v2)(void *stream, struct driver_context **context, void **part)
{
	if (!part)
		return cudaErrorInvalidValue;
	*part = NULL;
	return ws_cuStreamGetCtx(stream, context);
}

DRIVER(cuCtxGetId)(const struct driver_context *context, unsigned long long *id)
{
	const struct driver_context *c = context ? context : top();
	if (!c || !id || !exists(c))
		return id ? INVALID_CONTEXT : cudaErrorInvalidValue;
	*id = (unsigned long long)(uintptr_t)c;
	return 0;
}

/* ---- one device: other contexts are no peers, and all of it is every context's ---- */

enum { PEER_ACCESS_NOT_ENABLED = 705, PEER_ACCESS_UNSUPPORTED = 217 };

DRIVER(cuCtxEnablePeerAccess)(struct driver_context *peer, unsigned flags)
{
	if (!top() || !exists(peer) || peer == top())
		return INVALID_CONTEXT;
	return flags ? cudaErrorInvalidValue : PEER_ACCESS_UNSUPPORTED;
}

DRIVER(cuCtxDisablePeerAccess)(const struct driver_context *peer)
{
	return top() && exists(peer) ? PEER_ACCESS_NOT_ENABLED : INVALID_CONTEXT;
}

/* Nothing persists in the L2 of this device. */
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
