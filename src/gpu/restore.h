/* A device that goes on from where another one stood: the contents of its arena, and what of the machine is not there.
 *
 * Both have the same configuration and the same program. Between begin and end the arena's sections are filled by name. */
#ifndef GPU_RESTORE_H
#define GPU_RESTORE_H

#include "base/record.h"
#include "gpu/gpu.h"
#include "gpu/past.h"

struct gpu_outside {
	bool made_for_performance, has_machine; /* of the performance model: a device in functional mode may have one */
	struct gpu_beside beside;		/* but for the mark of memory */
};
void gpu_outside_record(const struct gpu *g, struct text *out);
void gpu_outside_take(struct record_reader *r, struct gpu_outside *out);

/* Moves the contents of `g` aside and makes a new device in its place: of another configuration, on the same limits. The new device shares the
 * program if any file is loaded; else its program is empty. Returns NULL, with `g` unchanged, if there can be no such device. */
struct gpu_aside;
struct gpu_aside *gpu_set_aside(struct gpu *g, const struct config *cfg, const struct timing_config *timing,
				struct text *why);
/* Exchanges the device in `g` for the one that is aside. */
void gpu_exchange(struct gpu *g, struct gpu_aside *aside);
/* Destroys the device that is aside. */
void gpu_aside_free(struct gpu *g, struct gpu_aside *aside);

/* Sizes of the structures that lie in the arena: where they differ, so do builds. */
const uint32_t *gpu_layout(size_t *n);

/* What memory held at the last gpu_memory_mark where it has changed since, of the section `global`; for the caller to free. */
struct arena_saved_page *gpu_memory_marked(const struct gpu *g, size_t *n);

/* Makes the arena's sections that the file's device had, on a new device. Returns false if there is no room for them. */
bool gpu_restore_begin(struct gpu *g, const struct gpu_outside *o, struct text *why);
/* From here on the arena is to be filled. */
void gpu_restore_empty(struct gpu *g);
/* Looks at every section that was filled. Returns false, with what is wrong, if running the machine or looking at it could go outside of its state. */
bool gpu_restore_check(struct gpu *g, const struct gpu_outside *o, struct text *what);
/* Returns true if a section has a row in the table of validators (valid.c). */
bool gpu_section_has_validator(const char *name);
/* What `global` holds now is what gpu_memory_put_back brings back. */
void gpu_restore_mark(struct gpu *g);
void gpu_restore_end(struct gpu *g, const struct gpu_outside *o);

#endif
