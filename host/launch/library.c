/* Modules that the program opens: cudaLibrary... of the runtime, and the base of cuModule... and cuLink.... */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.h"

/* ---- options for the compiler: its logs ---- */

/* Options with the numbers of both APIs. */
enum { JIT_INFO_LOG = 3, JIT_INFO_LOG_BYTES, JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES };

void host_logs_begin(struct host_logs *l, const int *options, void **values, unsigned n)
{
	*l = (struct host_logs){0};
	for (unsigned k = 0; options && values && k < n; k++) {
		const uint64_t v = (uint64_t)(uintptr_t)values[k];
		switch (options[k]) {
		case JIT_INFO_LOG: l->wire.info = v; break;
		case JIT_ERROR_LOG: l->wire.error = v; break;
		case JIT_INFO_LOG_BYTES:
			l->wire.info_bytes = (uint32_t)v;
			l->info_used = &values[k];
			break;
		case JIT_ERROR_LOG_BYTES:
			l->wire.error_bytes = (uint32_t)v;
			l->error_used = &values[k];
			break;
		default: break;
		}
	}
	for (int k = 0; k < 2; k++) { /* without messages the texts are empty */
		char *s = (char *)(uintptr_t)(k ? l->wire.error : l->wire.info);
		if (s && (k ? l->wire.error_bytes : l->wire.info_bytes))
			*s = '\0';
	}
}

void host_logs_end(const struct host_logs *l)
{
	const char *info = (const char *)(uintptr_t)l->wire.info, *error = (const char *)(uintptr_t)l->wire.error;
	if (l->info_used)
		*l->info_used = (void *)(info && l->wire.info_bytes ? strlen(info) : 0);
	if (l->error_used)
		*l->error_used = (void *)(error && l->wire.error_bytes ? strlen(error) : 0);
}

/* ---- files ---- */

char *host_read_file(const char *path, size_t *n)
{
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *bytes = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) ? malloc((size_t)st.st_size + 1) : NULL;
	*n = 0;
	for (ssize_t got; bytes && *n < (size_t)st.st_size; *n += (size_t)got) {
		got = read(fd, bytes + *n, (size_t)st.st_size - *n);
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got <= 0)
			break;
	}
	if (fd >= 0)
		close(fd);
	return bytes;
}

int host_module_open_file(const char *path, const struct wire_logs *logs, struct host_module **out)
{
	size_t n = 0;
	char *bytes = path ? host_read_file(path, &n) : NULL;
	const int error = !path		 ? cudaErrorInvalidValue
			  : !bytes || !n ? cudaErrorFileNotFound
					 : host_module_open(bytes, n, path, logs, out);
	free(bytes);
	return error;
}

/* ---- cudaLibrary ---- */

API(cudaLibraryLoadData)
(struct host_module **library, const void *code, const int *options, void **values, unsigned n, const int *own,
 void **own_values, unsigned n_own)
{
	struct host_logs logs;
	int error = host_enter();
	(void)own, (void)own_values, (void)n_own;
	if (!error && (!library || !code))
		error = cudaErrorInvalidValue;
	host_logs_begin(&logs, options, values, n);
	if (!error)
		error = host_module_open(code, 0, "", &logs.wire, library);
	host_logs_end(&logs);
	return host_leave(error);
}

API(cudaLibraryLoadFromFile)
(struct host_module **library, const char *path, const int *options, void **values, unsigned n, const int *own,
 void **own_values, unsigned n_own)
{
	struct host_logs logs;
	int error = host_enter();
	(void)own, (void)own_values, (void)n_own;
	if (!error && !library)
		error = cudaErrorInvalidValue;
	host_logs_begin(&logs, options, values, n);
	if (!error)
		error = host_module_open_file(path, &logs.wire, library);
	host_logs_end(&logs);
	return host_leave(error);
}

API(cudaLibraryUnload)(struct host_module *library)
{
	const int error = host_enter();
	return host_leave(error ? error : host_module_close(library));
}

API(cudaLibraryGetKernel)(struct host_kernel **kernel, struct host_module *library, const char *name)
{
	const int error = host_enter();
	if (!error && (!kernel || !name))
		return host_leave(cudaErrorInvalidValue);
	return host_leave(error ? error : host_module_kernel(library, name, kernel));
}

API(cudaLibraryGetGlobal)(void **address, size_t *bytes, struct host_module *library, const char *name)
{
	uint64_t at, n;
	int error = host_enter();
	if (!error)
		error = name ? host_module_variable(library, name, &at, &n) : cudaErrorInvalidValue;
	if (!error && address)
		*address = (void *)(uintptr_t)at;
	if (!error && bytes)
		*bytes = n;
	return host_leave(error);
}

API(cudaLibraryGetManaged)(void **address, size_t *bytes, struct host_module *library, const char *name)
{
	return ws_cudaLibraryGetGlobal(address, bytes, library, name);
}

API(cudaLibraryGetKernelCount)(unsigned *count, struct host_module *library)
{
	const int error = host_enter();
	if (!error && !count)
		return host_leave(cudaErrorInvalidValue);
	return host_leave(error ? error : host_module_kernels(library, NULL, 0, count));
}

API(cudaLibraryEnumerateKernels)(struct host_kernel **kernels, unsigned most, struct host_module *library)
{
	unsigned n;
	const int error = host_enter();
	if (!error && !kernels)
		return host_leave(cudaErrorInvalidValue);
	return host_leave(error ? error : host_module_kernels(library, kernels, most, &n));
}

/* ---- kernels as handles ---- */

API(cudaGetKernel)(struct host_kernel **kernel, const void *function)
{
	int error = host_enter();
	if (!error && !kernel)
		error = cudaErrorInvalidValue;
	if (!error)
		*kernel = host_kernel_of(function, &error);
	return host_leave(error);
}

API(cudaGetFuncBySymbol)(struct host_kernel **kernel, const void *function)
{
	return ws_cudaGetKernel(kernel, function);
}

API(cudaFuncGetName)(const char **name, const void *function)
{
	int error = host_enter();
	const struct host_kernel *k = error ? NULL : host_kernel_of(function, &error);
	if (k && name)
		*name = k->name;
	return host_leave(error);
}

API(cudaFuncGetParamInfo)(const void *function, size_t index, size_t *offset, size_t *bytes)
{
	int error = host_enter();
	const struct host_kernel *k = error ? NULL : host_kernel_of(function, &error);
	if (k && (!offset || index >= k->info->n_params))
		return host_leave(cudaErrorInvalidValue);
	if (k)
		*offset = k->info->param[index].offset;
	if (k && bytes)
		*bytes = k->info->param[index].bytes;
	return host_leave(error);
}
