/* Physical memory of the driver's virtual memory management, and its place on the device. Only virtual.c and physical.c include this. */
#ifndef SERVER_MEMORY_PHYSICAL_H
#define SERVER_MEMORY_PHYSICAL_H

#include "server/memory/state.h"

#define PHYSICAL_GRAIN WIRE_VIRTUAL_GRAIN

/* Physical memory. Its contents lie at one accessible mapping, its home; other accessible mappings are aliases of the home. */
struct physical {
	uint64_t number; /* identifies it for other processes */
	uint64_t bytes;
	struct wire_physical properties;
	uint32_t handles, references; /* handles of programs, and their references */
	bool was_exported;
	struct mapping *mappings, *home;
	char **saved; /* contents that aren't on the device, by grain; NULL: zeros */
	struct physical *next;
};

struct mapping {
	uint64_t address, bytes;
	uint32_t context;
	struct physical *of;
	uint64_t access; /* enum wire_access */
	struct mapping *next; /* next mapping of the same memory */
	enum gpu_map how;     /* the state of the mapping on the device */
	uint64_t real;
};

/* Creates physical memory of `bytes` bytes, a multiple of PHYSICAL_GRAIN, filled with zeros, without handles and mappings. */
struct physical *physical_create(uint64_t bytes, const struct wire_physical *properties);
/* Frees physical memory and its saved contents. Nothing may refer to it any more. */
void physical_free(struct physical *p);
/* Links mapping `m`, which has no access so far, to physical memory `p`. The device isn't informed. */
void physical_add(struct physical *p, struct mapping *m);
/* Unlinks mapping `m` from its physical memory and removes it from the device; the caller frees `m`. Contents that lay there move to another
 * accessible mapping, or are saved if the memory is still wanted. */
void physical_remove(struct server *c, struct mapping *m);
/* Sets the access of a mapping on the device, and moves the contents if their place changes; writes count as those of call `by`. Returns false, with
 * the access unchanged, if the device has no space. */
bool physical_set_access(const struct server_call *by, struct mapping *m, uint64_t access);
/* Returns whether setting that access for mapping `m` would move the contents from their present place on the device. */
bool physical_would_move(const struct mapping *m, uint64_t access);
/* Returns whether a program's reference, a mapping, or a ticket that a process holds still refers to the memory. */
bool physical_is_wanted(struct server *c, const struct physical *p);
/* Returns whether a context other than `context` has mapped the memory. */
bool physical_is_mapped_by_others(const struct physical *p, uint32_t context);

#endif
