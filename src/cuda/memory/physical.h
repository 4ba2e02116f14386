/* Physical memory of the driver's virtual memory management, and its place on the device. Only virtual.c and physical.c include this. */
#ifndef CUDA_MEMORY_PHYSICAL_H
#define CUDA_MEMORY_PHYSICAL_H

#include "cuda/memory/state.h"

#define PHYSICAL_GRAIN WIRE_VIRTUAL_GRAIN

enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_READ_WRITE = 3 }; /* CUmemAccess_flags */

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
	uint64_t access;
	struct mapping *next; /* next mapping of the same memory */
	enum gpu_map how;     /* the state of the mapping on the device */
	uint64_t real;
};

/* Creates physical memory of that size, without mappings. */
struct physical *physical_create(uint64_t bytes, const struct wire_physical *properties);
/* Frees physical memory and its saved contents. */
void physical_free(struct physical *p);
/* Adds mapping `m`, without access, to physical memory. */
void physical_add(struct physical *p, struct mapping *m);
/* Unlinks mapping `m` from its physical memory, moves or saves the contents, and notifies the device; the caller frees `m`. */
void physical_remove(struct cuda *c, struct mapping *m);
/* Sets the access of a mapping, for call `by`. Returns false, with the mapping unchanged, if the device has no space. */
bool physical_set_access(const struct cuda_call *by, struct mapping *m, uint64_t access);
/* Returns whether setting that access would move the contents to another address. */
bool physical_would_move(const struct mapping *m, uint64_t access);
/* Returns whether a program, a mapping or a descriptor of another process still refers to the memory. */
bool physical_is_wanted(struct cuda *c, const struct physical *p);
/* Returns whether a context other than `context` has mapped the memory. */
bool physical_is_mapped_by_others(const struct physical *p, uint32_t context);

#endif
