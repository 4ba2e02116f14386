/* A device that continues from where another one stood: the contents of its arena, and what of the machine is not there.
 *
 * Both have the same configuration and the same program. Between begin and end the arena's sections are filled by name. */
#ifndef GPU_RESTORE_H
#define GPU_RESTORE_H

#include "base/record.h"
#include "gpu/gpu.h"
#include "gpu/rewind/rewind.h"

struct gpu_outside {
	bool made_for_performance, has_machine; /* of the performance model: a device in functional mode may have one */
	struct gpu_beside beside;		/* but for the mark of memory */
	const char *params;			/* copies of launches' parameters, in the record that was read */
	size_t n_params;
};
/* Adds the parts of the device's state that are not in the arena to a record. */
void gpu_outside_record(const struct gpu *g, struct text *out);
/* Reads what gpu_outside_record wrote from a record into *out, whose `params` points into the record. Invalid values set the reader's `bad`. */
void gpu_outside_take(struct record_reader *r, struct gpu_outside *out);

struct gpu_aside;
/* Moves the contents of `g` aside and makes a new device in their place, with another configuration and the same limits; a non-empty program is
 * shared. Returns what was moved, for gpu_exchange and gpu_aside_free; or NULL, with a message in `why` and `g` unchanged. */
struct gpu_aside *gpu_set_aside(struct gpu *g, const struct config *cfg, const struct timing_config *timing,
				struct text *why);
/* Exchanges the contents of `g` with those that gpu_set_aside moved aside. */
void gpu_exchange(struct gpu *g, struct gpu_aside *aside);
/* Destroys the device that gpu_set_aside moved aside, but not the program if it is shared. */
void gpu_aside_free(struct gpu *g, struct gpu_aside *aside);

/* Returns the sizes of the structures that the arena holds, and stores their number. Two builds with different sizes can't share an arena. */
const uint32_t *gpu_layout(size_t *n);

/* Returns the pages of section `global` that were saved since the last gpu_memory_mark, as they were then, and stores their number. The caller
 * frees the array. */
struct arena_saved_page *gpu_memory_marked(const struct gpu *g, size_t *n);

/* Adds the sections to the arena of a new device that the device described by *o had. Returns false, with a message in `why`, if there is no room for
 * them. */
bool gpu_restore_begin(struct gpu *g, const struct gpu_outside *o, struct text *why);
/* Empties the arena and its marks, so that the caller can fill it. */
void gpu_restore_empty(struct gpu *g);
/* Validates every section that was filled. Returns false, with a message in `what`, if running or inspecting the machine could access memory outside
 * of the machine's state. */
bool gpu_restore_check(struct gpu *g, const struct gpu_outside *o, struct text *what);
/* Returns true if a section has a row in the table of validators (validate/sections.c). */
bool gpu_section_has_validator(const char *name);
/* Marks the present contents of memory for gpu_memory_put_back, if there is room. */
void gpu_restore_mark(struct gpu *g);
/* Completes a restored device after the arena was filled and checked. */
void gpu_restore_end(struct gpu *g, const struct gpu_outside *o);

#endif
