/* Launches inside src/gpu: their queue, their end, and those that threads of kernels make. */
#ifndef GPU_LAUNCH_LAUNCH_H
#define GPU_LAUNCH_LAUNCH_H

#include "gpu/device/internal.h"

/* Ends a launch in the given state: ends its statistics and its stream operation, and releases its memory. */
void gpu_end_launch(struct gpu *g, struct gpu_launch_info *l, enum gpu_launch_state state);
/* Queues a launch that gpu_launch_fits accepts, and returns its id, or -1 with a message in `why`. A launch that isn't `by_host` enters no stream.
 * The device must have a machine for the launch's mode. */
int64_t gpu_add_launch(struct gpu *g, const struct gpu_launch_spec *s, bool by_host, struct text *why);
/* Returns false with a message in `why` if the kernel, grid, block or parameters of a launch are invalid. */
bool gpu_launch_fits(const struct gpu *g, const struct gpu_launch_spec *s, struct text *why);
/* Returns the registers per thread of a kernel: from -gpgpu_kernel_registers, or else from the program's cubin, or else an estimate from its code and
 * .maxnreg. */
uint32_t gpu_registers(const struct gpu *g, const struct isa_function *f);
/* Returns the number of blocks of `threads` threads that fit on a core; 0 if not even one does. `shared` is a block's shared memory in bytes,
 * static and dynamic. */
uint32_t gpu_blocks_per_core(const struct gpu *g, const struct isa_function *f, uint32_t threads, uint32_t shared);
/* Adds the arena's section for streams that kernels create. Returns false if there is no room. */
bool gpu_add_device_streams(struct gpu *g);
/* Installs the device runtime's functions in the executor's services. */
void gpu_install_runtime(struct gpu *g);
/* Takes the next launch by a thread that needn't wait for another launch out of the list, and returns its id, or GPU_NONE. `parent` restricts the
 * search to its children; GPU_NONE searches all. */
uint32_t gpu_next_child(struct gpu *g, uint32_t parent);
/* Returns true if a listed launch by a thread needn't wait for another launch. `parent` restricts the search to its children; GPU_NONE searches all.
 * */
bool gpu_has_ready_child(const struct gpu *g, uint32_t parent);
/* Returns 1 + the id of an unfinished launch after which a launch by a thread must run, 0 if there is none. */
uint32_t gpu_child_waits_for(const struct gpu *g, const struct gpu_launch_info *l);
/* Removes launches that were killed before they began from the list of waiting launches by threads. */
void gpu_remove_killed_children(struct gpu *g);
/* Updates the parent's and the device's counts for a launch by a thread that is done or was dropped. */
void gpu_end_child(struct gpu *g, struct gpu_launch_info *l);

/* Appends the copies of launches' parameters to a record. */
void gpu_record_params(const struct gpu *g, struct text *out);
/* Replaces the copies of launches' parameters by those of a record that gpu_record_params wrote, as far as it is well-formed and has launches. */
void gpu_take_params(struct gpu *g, const char *record, size_t n_record);
/* Frees the copies of all launches' parameters. */
void gpu_forget_params(struct gpu *g);

#endif
