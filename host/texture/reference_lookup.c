/* Texture and surface references: lookup of their variables in modules. */
#include "host/texture/references.h"

struct host_reference *host_reference_of(const void *symbol, bool is_surface, int *error)
{
	struct host_reference *r = host_reference_by_symbol(symbol, is_surface);
	*error = !r	       ? cudaErrorInvalidSymbol
		 : r->variable ? 0
			       : host_module_reference(r->module, r->name, is_surface, &r->variable);
	if (*error == cudaErrorInvalidSymbol)
		*error = is_surface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture;
	return *error ? NULL : r;
}

int host_reference_named(struct host_module *m, const char *name, bool is_surface, struct host_reference **out)
{
	struct host_reference like = {.module = m, .name = (char *)(uintptr_t)name, .is_surface = is_surface};
	const int error = host_module_reference(m, name, is_surface, &like.variable);
	if (error)
		return error == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : error;
	host_sampling_init(&like);
	*out = host_reference_share(&like);
	return *out ? 0 : cudaErrorMemoryAllocation;
}
