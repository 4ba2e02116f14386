/* The driver API's modules, and linking at run time. A module is a library of the runtime. */
#include <stdlib.h>
#include <string.h>

#include "host/driver/driver.h"
#include "host/core/handles.h"

#define LAZY_LOADING 2

static int open_image(struct host_module **module, const void *image, const int *options, void **values, unsigned n)
{
	struct host_logs logs;
	int error = !module || !image ? cudaErrorInvalidValue : driver_enter();
	host_logs_begin(&logs, options, values, n);
	if (!error)
		error = host_module_open(image, 0, "", &logs.wire, module);
	host_logs_end(&logs);
	return error;
}

DRIVER(cuModuleLoadData)(struct host_module **module, const void *image)
{
	return open_image(module, image, NULL, NULL, 0);
}

DRIVER(cuModuleLoadDataEx)
(struct host_module **module, const void *image, unsigned n, const int *options, void **values)
{
	return open_image(module, image, options, values, n);
}

DRIVER(cuModuleLoadFatBinary)(struct host_module **module, const void *image)
{
	return open_image(module, image, NULL, NULL, 0);
}

DRIVER(cuModuleLoad)(struct host_module **module, const char *path)
{
	const struct wire_logs none = {0};
	const int error = module ? driver_enter() : cudaErrorInvalidValue;
	return error ? error : host_module_open_file(path, &none, module);
}

DRIVER(cuModuleUnload)(struct host_module *module)
{
	const int error = driver_enter();
	return error ? error : host_module_close(module);
}

DRIVER(cuModuleGetFunction)(struct host_kernel **kernel, struct host_module *module, const char *name)
{
	const int error = kernel && name ? driver_enter() : cudaErrorInvalidValue;
	return error ? error : host_module_kernel(module, name, kernel);
}

DRIVER(cuModuleGetGlobal_v2)(uint64_t *address, size_t *bytes, struct host_module *module, const char *name)
{
	uint64_t at, n;
	int error = name ? driver_enter() : cudaErrorInvalidValue;
	if (!error)
		error = host_module_variable(module, name, &at, &n);
	if (!error && address)
		*address = at;
	if (!error && bytes)
		*bytes = n;
	return error;
}

DRIVER(cuModuleGetFunctionCount)(unsigned *n, struct host_module *module)
{
	const int error = n ? driver_enter() : cudaErrorInvalidValue;
	return error ? error : host_module_kernels(module, NULL, 0, n);
}

DRIVER(cuModuleEnumerateFunctions)(struct host_kernel **kernels, unsigned most, struct host_module *module)
{
	unsigned n;
	const int error = kernels ? driver_enter() : cudaErrorInvalidValue;
	return error ? error : host_module_kernels(module, kernels, most, &n);
}

DRIVER(cuModuleGetLoadingMode)(int *mode)
{
	if (!mode)
		return cudaErrorInvalidValue;
	*mode = LAZY_LOADING;
	return 0;
}

/* ---- shared handles ---- */

DRIVER(cuLibraryGetModule)(struct host_module **module, struct host_module *library)
{
	if (!module)
		return cudaErrorInvalidValue;
	*module = library;
	return 0;
}

DRIVER(cuKernelGetFunction)(const void **function, const void *kernel)
{
	if (!function)
		return cudaErrorInvalidValue;
	*function = kernel;
	return 0;
}

DRIVER(cuFuncGetModule)(struct host_module **module, const void *function)
{
	int error = module ? driver_enter() : cudaErrorInvalidValue;
	const struct host_kernel *k = error ? NULL : host_kernel_of(function, &error);
	if (k)
		*module = k->module;
	return error;
}

DRIVER(cuKernelGetLibrary)(struct host_module **library, const void *kernel)
{
	return ws_cuFuncGetModule(library, kernel);
}

/* ---- linking ---- */

struct driver_link {
	uint64_t id;
	struct host_logs logs; /* buffers given at creation, to which messages are appended */
	void *image;
};

/* Returns the unused rest of the log buffers. */
static struct wire_logs rest_of(const struct wire_logs *l)
{
	const size_t info = l->info && l->info_bytes ? strlen((const char *)(uintptr_t)l->info) : 0,
		     error = l->error && l->error_bytes ? strlen((const char *)(uintptr_t)l->error) : 0;
	return (struct wire_logs){l->info ? l->info + info : 0, l->error ? l->error + error : 0,
				  l->info_bytes - (uint32_t)info, l->error_bytes - (uint32_t)error};
}

DRIVER(cuLinkCreate_v2)(unsigned n, const int *options, void **values, struct driver_link **out)
{
	struct call_link_create_out created;
	int error = out ? driver_enter() : cudaErrorInvalidValue;
	struct driver_link *l = error ? NULL : calloc(1, sizeof *l);
	if (!error && !l)
		error = cudaErrorMemoryAllocation;
	if (!error)
		error = call_link_create(&(struct call_link_create){}, NULL, 0, &created);
	if (!error && !handle_add(l, HANDLE_LINK))
		error = cudaErrorMemoryAllocation;
	if (error) {
		free(l);
		return error;
	}
	l->id = created.linker;
	host_logs_begin(&l->logs, options, values, n);
	*out = l;
	return 0;
}

static int add_input(struct driver_link *l, int kind, const void *data, size_t bytes, const char *name)
{
	struct call_link_add_out out;
	if (!handle_is(l, HANDLE_LINK))
		return cudaErrorInvalidResourceHandle;
	if (!data || !bytes)
		return cudaErrorInvalidValue;
	const struct call_link_add in = {.linker = l->id,
					 .data = (uint64_t)(uintptr_t)data,
					 .bytes = bytes,
					 .logs = rest_of(&l->logs.wire),
					 .kind = host_link_input(kind)};
	const int error = call_link_add(&in, name ? name : "", name ? strlen(name) : 0, &out);
	host_logs_end(&l->logs);
	return error;
}

DRIVER(cuLinkAddData_v2)
(struct driver_link *l, int kind, const void *data, size_t bytes, const char *name, unsigned n, const int *options,
 void **values)
{
	const int error = driver_enter();
	(void)n, (void)options, (void)values;
	return error ? error : add_input(l, kind, data, bytes, name);
}

DRIVER(cuLinkAddFile_v2)
(struct driver_link *l, int kind, const char *path, unsigned n, const int *options, void **values)
{
	size_t bytes = 0;
	int error = path ? driver_enter() : cudaErrorInvalidValue;
	char *data = error ? NULL : host_read_file(path, &bytes);
	(void)n, (void)options, (void)values;
	if (!error)
		error = data && bytes ? add_input(l, kind, data, bytes, path) : cudaErrorFileNotFound;
	free(data);
	return error;
}

DRIVER(cuLinkComplete)(struct driver_link *l, void **image, size_t *bytes)
{
	struct call_link_complete_out out;
	struct call_link_image_out copied;
	int error = image ? driver_enter() : cudaErrorInvalidValue;
	if (!error && !handle_is(l, HANDLE_LINK))
		error = cudaErrorInvalidResourceHandle;
	if (error)
		return error;
	error = call_link_complete(&(struct call_link_complete){l->id, rest_of(&l->logs.wire)}, NULL, 0, &out);
	host_logs_end(&l->logs);
	if (error)
		return error;
	free(l->image);
	l->image = malloc(out.bytes);
	if (!l->image)
		return cudaErrorMemoryAllocation;
	error = call_link_image(&(struct call_link_image){l->id, (uint64_t)(uintptr_t)l->image}, NULL, 0, &copied);
	*image = l->image;
	if (bytes)
		*bytes = out.bytes;
	return error;
}

DRIVER(cuLinkDestroy)(struct driver_link *l)
{
	struct call_link_destroy_out out;
	if (!handle_remove(l, HANDLE_LINK))
		return cudaErrorInvalidResourceHandle;
	const int error = call_link_destroy(&(struct call_link_destroy){l->id}, NULL, 0, &out);
	free(l->image);
	free(l);
	return error;
}
