/* Physical memory of the driver's virtual memory management, and where it lies. Only virtual.c and physical.c include this. */
#ifndef CUDA_MEMORY_PHYSICAL_H
#define CUDA_MEMORY_PHYSICAL_H

#include "cuda/memory/room.h"

#define PHYSICAL_GRAIN WIRE_VIRTUAL_GRAIN

enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_READ_WRITE = 3 }; /* CUmemAccess_flags */

/* It lies where it is mapped and may be accessed. If there are several such mappings, one is its home, and the others are aliases. */
struct physical {
	uint64_t number; /* by which processes pass it on */
	uint64_t bytes;
	struct wire_physical properties;
	uint32_t handles, references; /* of programs */
	bool was_lent;
	struct mapping *mappings, *home;
	char **kept; /* by grain, what it holds that isn't on the device; NULL: zeros */
	struct physical *next;
};

struct mapping {
	uint64_t address, bytes;
	uint32_t context;
	struct physical *of;
	uint64_t access;
	struct mapping *beside; /* of the same memory */
	enum gpu_map how;	/* what the device knows */
	uint64_t real;
};

struct physical *physical_create(uint64_t bytes, const struct wire_physical *properties);
void physical_free(struct physical *p);
void physical_add(struct physical *p, struct mapping *m);
/* It is mapped there no more. */
void physical_remove(struct cuda *c, struct mapping *m);
/* False: there is no room, and the mapping is as it was. `by`: whose call it is. */
bool physical_set_access(const struct cuda_call *by, struct mapping *m, uint64_t access);
/* Memory would come from one address to another. */
bool physical_would_move(const struct mapping *m, uint64_t access);
/* Somebody can still ask for what it holds. */
bool physical_is_wanted(struct cuda *c, const struct physical *p);
bool physical_is_of_others(const struct physical *p, uint32_t context); /* they have mapped it */

#endif
