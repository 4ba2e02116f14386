/* The registry of what a program's constructors register: fat binaries, and kernels and variables by the addresses of their stubs.
 *
 * The debugger learns of it when the program first needs the device, as with CUDA: a program that doesn't use the device connects to none. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/texture/references.h"

struct host_module {
	const void *wrapper;
	uint64_t id; /* the debugger's number; 0: not loaded */
	int error;   /* error of loading; 0: none */
	unsigned generation;
	struct host_managed *managed; /* managed variables, whose addresses the program needs */
	struct host_module *next;
};

struct host_managed {
	void **shadow; /* the program's pointer to the variable */
	const char *name;
	struct host_managed *next;
};

struct entry { /* entry of the table by address */
	const void *key;
	struct host_kernel *kernel; /* NULL: the entry is a variable */
	struct host_module *module;
	const char *name;
	struct entry *next;
};

#define BUCKETS 4096u

static struct registry {
	struct host_lock lock;
	struct host_module *modules;
	struct entry *bucket[BUCKETS];
	struct host_module *closed; /* closed by dlclose: unloaded at the next call, so never at the program's end */
	struct host_kernel *gone;   /* kernels of closed libraries: the program may still have their handles */
	unsigned generation;	    /* changes when all modules are unloaded by a reset */
} registry = {.generation = 1};

static struct entry **bucket_of(const void *key)
{
	const uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
	return &registry.bucket[h >> 52];
}

static struct entry *find_entry(const void *key)
{
	struct entry *e = *bucket_of(key);
	while (e && e->key != key)
		e = e->next;
	return e;
}

static void add_entry(const void *key, struct host_kernel *kernel, struct host_module *module, const char *name)
{
	struct entry *e = calloc(1, sizeof *e), **to = bucket_of(key);
	if (!e)
		return;
	*e = (struct entry){key, kernel, module, name, *to};
	*to = e;
}

static void lock(void) { host_lock(&registry.lock); }
static void unlock(void) { host_unlock(&registry.lock); }

/* With the lock. */
static bool is_known(const struct host_module *m)
{
	const struct host_module *k = registry.modules;
	while (k && k != m)
		k = k->next;
	return k;
}

/* ---- called by nvcc's constructors ---- */

API_OF(void **, __cudaRegisterFatBinary)(const void *wrapper)
{
	struct host_module *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->wrapper = wrapper;
	lock();
	m->next = registry.modules;
	registry.modules = m;
	unlock();
	return (void **)m;
}

API_OF(void, __cudaRegisterFatBinaryEnd)(void **handle) { (void)handle; }

static void keep_closed_kernel(struct host_kernel *k)
{
	if (!k || k->is_gone)
		return;
	k->is_gone = true;
	k->gone = registry.gone;
	registry.gone = k;
}

static void forget_entries(const struct host_module *m)
{
	for (unsigned k = 0; k < BUCKETS; k++)
		for (struct entry **at = &registry.bucket[k]; *at;) {
			struct entry *e = *at;
			if (e->module != m) {
				at = &e->next;
				continue;
			}
			*at = e->next;
			keep_closed_kernel(e->kernel);
			free(e);
		}
}

/* A closed library's kernels are removed. */
API_OF(void, __cudaUnregisterFatBinary)(void **handle)
{
	lock();
	struct host_module **at = &registry.modules, *m = (struct host_module *)handle;
	while (*at && *at != m)
		at = &(*at)->next;
	if (*at) {
		forget_entries(m);
		*at = m->next;
		m->next = registry.closed;
		__atomic_store_n(&registry.closed, m, __ATOMIC_RELAXED);
	}
	unlock();
	host_references_remove_module(m);
}

void host_unload_closed(void)
{
	if (!__atomic_load_n(&registry.closed, __ATOMIC_RELAXED))
		return;
	lock();
	for (struct host_module *m; (m = registry.closed);) {
		__atomic_store_n(&registry.closed, m->next, __ATOMIC_RELAXED);
		if (m->id && m->generation == registry.generation)
			call_module_unload(&(struct call_module_unload){m->id}, NULL, 0, NULL);
		m->id = 0; /* the module isn't freed: the program's kernel handles refer to it */
		m->wrapper = NULL;
	}
	unlock();
}

static struct host_kernel *new_kernel(struct host_module *m, const char *name, const void *function)
{
	struct host_kernel *k = calloc(1, sizeof *k);
	if (k)
		*k = (struct host_kernel){.name = name, .module = m, .function = function};
	return k;
}

API_OF(void, __cudaRegisterFunction)
(void **handle, const char *function, char *device, const char *name, int threads, void *tid, void *bid, void *block,
 void *grid, int *warp)
{
	struct host_module *m = (struct host_module *)handle;
	struct host_kernel *k = new_kernel(m, name, function);
	(void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	if (!k)
		return;
	lock();
	add_entry(function, k, m, name);
	add_entry(k, k, m, name); /* the handle that __cudaGetKernel returns */
	unlock();
}

API_OF(void, __cudaRegisterVar)
(void **handle, char *variable, char *device, const char *name, int is_extern, size_t bytes, int constant, int global)
{
	(void)device, (void)is_extern, (void)bytes, (void)constant, (void)global;
	lock();
	add_entry(variable, NULL, (struct host_module *)handle, name);
	unlock();
}

API_OF(void, __cudaRegisterManagedVar)
(void **handle, void **shadow, char *device, const char *name, int is_extern, size_t bytes, int constant, int global)
{
	struct host_module *m = (struct host_module *)handle;
	struct host_managed *v = calloc(1, sizeof *v);
	(void)device, (void)is_extern, (void)bytes, (void)constant, (void)global;
	if (!v)
		return;
	lock();
	*v = (struct host_managed){shadow, name, m->managed};
	m->managed = v;
	add_entry(shadow, NULL, m, name);
	unlock();
}

static void add_reference(void **handle, const void *symbol, const char *name, bool is_surface, bool is_normalized)
{
	host_reference_add(&(struct host_reference){.module = (struct host_module *)handle,
						    .symbol = symbol,
						    .name = (char *)(uintptr_t)name,
						    .is_surface = is_surface,
						    .is_normalized = is_normalized});
}

/* For toolkits before 12. */
API_OF(void, __cudaRegisterTexture)
(void **handle, const void *texture, const void **device, const char *name, int dimensions, int normalized,
 int is_extern)
{
	(void)device, (void)dimensions, (void)is_extern;
	add_reference(handle, texture, name, false, normalized);
}

API_OF(void, __cudaRegisterSurface)
(void **handle, const void *surface, const void **device, const char *name, int dimensions, int is_extern)
{
	(void)device, (void)dimensions, (void)is_extern;
	add_reference(handle, surface, name, true, false);
}

/* The variable needs no device address. */
API_OF(void, __cudaRegisterHostVar)(void **handle, const char *name, char *variable, size_t bytes)
{
	(void)handle, (void)name, (void)variable, (void)bytes;
}

/* ---- loading on demand ---- */

#define PAGE UINT64_C(4096)

/* Maps the pages of a variable that program and device share; some may already be mapped for another variable. */
static void map_variable(const struct call_variable_find_out *v)
{
	const uint64_t end = v->address + v->bytes;
	for (uint64_t page = v->address & ~(PAGE - 1); page < end; page += PAGE)
		if (host_map(page, PAGE, NULL))
			host_guards_add(page, PAGE);
}

/* Sets the program's pointer to a managed variable. */
static int place_managed(const struct host_module *m, const struct host_managed *v)
{
	struct call_variable_find_out out;
	const int error = call_variable_find(&(struct call_variable_find){m->id}, v->name, strlen(v->name), &out);
	if (error)
		return error;
	map_variable(&out);
	*v->shadow = (void *)(uintptr_t)out.address;
	return 0;
}

static int load_module(struct host_module *m)
{
	struct call_module_load_out out;
	if ((m->id || m->error) && m->generation == registry.generation)
		return m->error;
	if (!m->wrapper) /* a module opened by the program, unloaded by a reset */
		return cudaErrorContextIsDestroyed;
	m->error = call_module_load(&(struct call_module_load){(uint64_t)(uintptr_t)m->wrapper}, NULL, 0, &out);
	m->id = m->error ? 0 : out.module;
	m->generation = registry.generation;
	for (const struct host_managed *v = m->managed; v && !m->error; v = v->next)
		m->error = place_managed(m, v);
	return m->error;
}

void host_register_modules(void)
{
	lock();
	for (struct host_module *m = registry.modules; m; m = m->next)
		load_module(m);
	unlock();
}

static int look_up_kernel(struct host_kernel *k)
{
	struct call_kernel_find_out out;
	int error = load_module(k->module);
	if (!error)
		error = call_kernel_find(&(struct call_kernel_find){k->module->id}, k->name, strlen(k->name), &out);
	if (error)
		return error;
	if (!k->info)
		k->info = malloc(sizeof *k->info);
	if (!k->info)
		return cudaErrorMemoryAllocation;
	*k->info = out.kernel;
	k->generation = registry.generation;
	return 0;
}

static int why_unknown(const void *function)
{
	const struct host_kernel *k = registry.gone;
	while (k && k != function)
		k = k->gone;
	return k ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
}

struct host_kernel *host_kernel_of(const void *function, int *error)
{
	lock();
	const struct entry *e = find_entry(function);
	struct host_kernel *k = e ? e->kernel : NULL;
	*error = !k ? why_unknown(function) : k->info && k->generation == registry.generation ? 0 : look_up_kernel(k);
	unlock();
	return *error ? NULL : k;
}

const char *host_kernel_name(const void *function)
{
	lock();
	const struct entry *e = find_entry(function);
	const char *name = e && e->kernel ? e->kernel->name : NULL;
	unlock();
	return name;
}

int host_variable_of(const void *symbol, uint64_t *address, uint64_t *bytes)
{
	struct call_variable_find_out out;
	lock();
	const struct entry *e = find_entry(symbol);
	int error = e && !e->kernel ? load_module(e->module) : cudaErrorInvalidSymbol;
	if (!error)
		error = call_variable_find(&(struct call_variable_find){e->module->id}, e->name, strlen(e->name), &out);
	unlock();
	if (!error) {
		*address = out.address;
		*bytes = out.bytes;
	}
	return error;
}

int host_module_reference(struct host_module *m, const char *name, bool is_surface, uint64_t *variable)
{
	struct call_reference_find_out out;
	lock();
	int error = is_known(m) ? load_module(m) : cudaErrorInvalidResourceHandle;
	if (!error)
		error = call_reference_find(&(struct call_reference_find){m->id, is_surface}, name, strlen(name), &out);
	unlock();
	if (!error)
		*variable = out.reference;
	return error;
}

void host_reset_modules(void)
{
	lock();
	registry.generation++;
	unlock();
}

API_OF(char, __cudaInitModule)(void **handle)
{
	int error = host_enter();
	lock();
	if (!error)
		error = load_module((struct host_module *)handle);
	unlock();
	return !error;
}

API(__cudaGetKernel)(struct host_kernel **out, const void *function)
{
	lock();
	const struct entry *e = find_entry(function);
	*out = e ? e->kernel : NULL;
	unlock();
	return *out ? 0 : host_leave(cudaErrorInvalidDeviceFunction);
}

/* ---- modules opened by the program ---- */

/* Returns whether `m` is an open module that the program opened; with the lock held. */
static bool is_open(const struct host_module *m) { return is_known(m) && !m->wrapper; }

int host_module_open(const void *image, size_t bytes, const char *path, const struct wire_logs *logs,
		     struct host_module **out)
{
	struct call_module_open_out opened;
	const struct call_module_open in = {(uint64_t)(uintptr_t)image, bytes, *logs};
	struct host_module *m = calloc(1, sizeof *m);
	if (!m)
		return cudaErrorMemoryAllocation;
	const int error = call_module_open(&in, path, strlen(path), &opened);
	if (error) {
		free(m);
		return error;
	}
	lock();
	*m = (struct host_module){.id = opened.module, .generation = registry.generation, .next = registry.modules};
	registry.modules = m;
	unlock();
	*out = m;
	return 0;
}

int host_module_close(struct host_module *m)
{
	struct call_module_unload_out out;
	int error = cudaErrorInvalidResourceHandle;
	lock();
	if (is_open(m)) {
		error = load_module(m) ? 0 : call_module_unload(&(struct call_module_unload){m->id}, NULL, 0, &out);
		struct host_module **at = &registry.modules;
		while (*at != m)
			at = &(*at)->next;
		*at = m->next;
		forget_entries(m);
		m->id = 0; /* the module isn't freed: the program's kernel handles refer to it */
	}
	unlock();
	if (error != cudaErrorInvalidResourceHandle)
		host_references_remove_module(m);
	return error;
}

/* Returns the handle of a kernel by name, which it creates if needed; with the lock held. */
static struct host_kernel *kernel_named(struct host_module *m, const char *name)
{
	for (unsigned k = 0; k < BUCKETS; k++)
		for (struct entry *e = registry.bucket[k]; e; e = e->next)
			if (e->module == m && e->kernel && !strcmp(e->name, name))
				return e->kernel;
	char *own = strdup(name);
	struct host_kernel *k = own ? new_kernel(m, own, NULL) : NULL;
	if (!k)
		free(own);
	else
		add_entry(k, k, m, own);
	return k;
}

/* With the lock. */
static int find_kernel(struct host_module *m, const char *name, struct host_kernel **out)
{
	struct host_kernel *k = kernel_named(m, name);
	const int error = !k						    ? cudaErrorMemoryAllocation
			  : k->info && k->generation == registry.generation ? 0
									    : look_up_kernel(k);
	if (!error)
		*out = k;
	return error == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : error;
}

int host_module_kernel(struct host_module *m, const char *name, struct host_kernel **out)
{
	lock();
	const int error = is_open(m) ? find_kernel(m, name, out) : cudaErrorInvalidResourceHandle;
	unlock();
	return error;
}

int host_module_variable(struct host_module *m, const char *name, uint64_t *address, uint64_t *bytes)
{
	struct call_variable_find_out out;
	lock();
	int error = is_open(m) ? load_module(m) : cudaErrorInvalidResourceHandle;
	if (!error)
		error = call_variable_find(&(struct call_variable_find){m->id}, name, strlen(name), &out);
	if (!error && out.is_managed)
		map_variable(&out);
	unlock();
	if (!error) {
		*address = out.address;
		*bytes = out.bytes;
	}
	return error == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : error;
}

/* Gets a kernel by index and the number of kernels; with the lock held. */
static int kernel_at(struct host_module *m, unsigned index, struct host_kernel **out, unsigned *n)
{
	char name[4096];
	struct call_kernel_at_out got;
	const struct call_kernel_at in = {m->id, (uint64_t)(uintptr_t)name, sizeof name, index};
	const int error = call_kernel_at(&in, NULL, 0, &got);
	if (error)
		return error;
	*n = got.kernels;
	return !out || index >= got.kernels   ? 0
	       : got.name_bytes > sizeof name ? cudaErrorInvalidValue
					      : find_kernel(m, name, out);
}

int host_module_kernels(struct host_module *m, struct host_kernel **kernels, unsigned most, unsigned *n)
{
	lock();
	int error = is_open(m) ? load_module(m) : cudaErrorInvalidResourceHandle;
	if (!error)
		error = kernel_at(m, 0, NULL, n);
	for (unsigned k = 0; !error && k < most && k < *n; k++)
		error = kernel_at(m, k, &kernels[k], n);
	unlock();
	return error;
}
