/* Linking at run time, as cuLinkCreate, cuLinkAddData and cuLinkComplete do it: makes one image of the PTX of several sources. */
#ifndef CUDA_MODULE_LINK_H
#define CUDA_MODULE_LINK_H

#include "cuda/module/module.h"

/* Kinds of input, with the numbers of CUjitInputType. */
enum linker_input {
	LINKER_CUBIN,
	LINKER_PTX,
	LINKER_FATBINARY,
	LINKER_OBJECT,	/* a host object with device code in it */
	LINKER_LIBRARY, /* an archive of such objects */
	LINKER_INPUTS
};

struct linker;
/* Creates a linker. capability: the device's, 75 for 7.5. */
struct linker *linker_create(uint32_t capability);
/* Destroys a linker and its image; NULL is ignored. */
void linker_destroy(struct linker *l);
/* Checks and adds an input. name: used in messages; NULL or "": <unknown>. Messages go to `log`, which may be NULL. Returns 0 or an error. */
enum module_error linker_add(struct linker *l, enum linker_input kind, const void *data, size_t n, const char *name,
			     struct module_log *log);
/* Links all inputs and gets the image for module_open, which the linker owns. Returns an error if a name is defined twice or nowhere. */
enum module_error linker_complete(struct linker *l, const void **image, size_t *n, struct module_log *log);

#endif
