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

/* Sizes of the structures that lie in the arena: where they differ, so do builds. */
const uint32_t *gpu_layout(size_t *n);

/* What memory held at the last gpu_memory_mark where it has changed since, of the section `global`; for the caller to free. */
struct arena_saved_page *gpu_memory_marked(const struct gpu *g, size_t *n);

/* The arena gets its sections. False: there is no room for the machine. */
bool gpu_restore_begin(struct gpu *g, const struct gpu_outside *o, struct text *why);
/* From here on the arena is to be filled. */
void gpu_restore_empty(struct gpu *g);
/* What `global` holds now is what gpu_memory_put_back brings back. */
void gpu_restore_mark(struct gpu *g);
void gpu_restore_end(struct gpu *g, const struct gpu_outside *o);

#endif
