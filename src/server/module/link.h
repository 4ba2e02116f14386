/* Linking at run time, as cuLinkCreate, cuLinkAddData and cuLinkComplete do it: makes one image of the PTX of several sources. */
#ifndef SERVER_MODULE_LINK_H
#define SERVER_MODULE_LINK_H

#include "server/channel/wire.h"
#include "server/module/module.h"

/* Kinds of input, with the numbers of CUjitInputType. */
struct linker;
/* Creates a linker without inputs, which linker_destroy frees, for a device of that compute capability, 75 for 7.5. */
struct linker *linker_create(uint32_t capability);
/* Destroys a linker with its inputs and its image. NULL is ignored. */
void linker_destroy(struct linker *l);
/* Checks the PTX of an input of n bytes, and adds a copy of it; appends messages to `log`, unless NULL. name: used in messages; NULL or "":
 * <unknown>. Returns 0, or an error, with nothing added, if the kind is unknown or there is no PTX without errors; undefined names are no error yet. */
enum wire_status linker_add(struct linker *l, enum wire_link kind, const void *data, size_t n, const char *name,
			     struct module_log *log);
/* Links all inputs and gets the image for module_open, *n bytes, valid until the linker is completed again or destroyed. Appends messages to `log`,
 * unless NULL. Returns 0, or WIRE_UNDEFINED_NAMES, with *image and *n unchanged, if a name is defined twice or nowhere. */
enum wire_status linker_complete(struct linker *l, const void **image, size_t *n, struct module_log *log);

#endif
