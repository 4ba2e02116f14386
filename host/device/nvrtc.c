/* NVRTC: a program that requests a CUBIN gets the PTX of the same compilation, which runs here. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "host/host.h"

#define INTERNAL_ERROR 11 /* NVRTC_ERROR_INTERNAL_ERROR */

typedef int (*ask)(void *program, void *out);

static int is_nvrtc(struct dl_phdr_info *i, size_t n, void *path)
{
	const char *name = i->dlpi_name ? strrchr(i->dlpi_name, '/') : NULL;
	(void)n;
	if (!name || strncmp(name, "/libnvrtc.so", sizeof "/libnvrtc.so" - 1))
		return 0;
	*(const char **)path = i->dlpi_name;
	return 1;
}

static int real(const char *name, void *program, void *out)
{
	const char *path = NULL;
	dl_iterate_phdr(is_nvrtc, &path);
	void *library = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	const ask f = library ? (ask)dlsym(library, name) : NULL;
	return f ? f(program, out) : INTERNAL_ERROR;
}

API(nvrtcGetCUBINSize)(void *program, size_t *bytes) { return real("nvrtcGetPTXSize", program, bytes); }
API(nvrtcGetCUBIN)(void *program, char *code) { return real("nvrtcGetPTX", program, code); }
