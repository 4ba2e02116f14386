/* Linking at run time, as cuLinkCreate, cuLinkAddData and cuLinkComplete do it: PTX of several sources becomes one image. */
#ifndef CUDA_MODULE_LINK_H
#define CUDA_MODULE_LINK_H

#include "cuda/module/module.h"

/* CUjitInputType's numbers. */
enum linker_input {
	LINKER_CUBIN,
	LINKER_PTX,
	LINKER_FATBINARY,
	LINKER_OBJECT,	/* a host object with device code in it */
	LINKER_LIBRARY, /* an archive of those */
	LINKER_INPUTS
};

struct linker;
/* `capability`: of the device, 75 for 7.5. */
struct linker *linker_create(uint32_t capability);
void linker_destroy(struct linker *l);
/* Checks what is added; `name` is for messages, NULL or "": <unknown>. Diagnostics go to `log`, which may be NULL. */
enum module_error linker_add(struct linker *l, enum linker_input kind, const void *data, size_t n, const char *name,
			     struct module_log *log);
/* The image, which module_open takes; it belongs to the linker. Errors: a name is defined twice, or nowhere. */
enum module_error linker_complete(struct linker *l, const void **image, size_t *n, struct module_log *log);

#endif
