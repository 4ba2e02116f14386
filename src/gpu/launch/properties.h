/* What kernels are told about the device: attributes, functions, occupancy. */
#ifndef GPU_PROPERTIES_H
#define GPU_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;

/* Stores a device attribute by its number in cudaDeviceAttr and CUdevice_attribute. Returns false if the number is unknown. */
bool gpu_attribute(const struct gpu *g, uint32_t number, int32_t *value);

/* Fills the first `n` bytes of a cudaFuncAttributes. Returns false if `function` is no kernel. */
bool gpu_function_attributes(const struct gpu *g, uint32_t function, void *out, size_t n);

/* Returns the number of blocks of `threads` threads and `shared_dynamic` bytes of dynamic shared memory that fit on a core. Returns 0 if
 * `function` is no kernel, or if the block is too large. */
uint32_t gpu_occupancy(const struct gpu *g, uint32_t function, uint64_t threads, uint64_t shared_dynamic);

#endif
