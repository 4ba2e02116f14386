/* What kernels are told about the device: attributes, functions, occupancy. */
#ifndef GPU_PROPERTIES_H
#define GPU_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;

/* An attribute by its number in cudaDeviceAttr and CUdevice_attribute; false: there is none of that number. */
bool gpu_attribute(const struct gpu *g, uint32_t number, int32_t *value);
/* Its name in cudaDeviceAttr, its value's meaning; NULL: there is none. */
const char *gpu_attribute_name(uint32_t number);

/* Fills a cudaFuncAttributes; false: no kernel. */
bool gpu_function_attributes(const struct gpu *g, uint32_t function, void *out, size_t n);

/* Blocks of so many threads and so much dynamic shared memory that a core holds. */
uint32_t gpu_occupancy(const struct gpu *g, uint32_t function, uint64_t threads, uint64_t shared_dynamic);

#endif
