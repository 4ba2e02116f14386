/* Attributes of kernel nodes and streams, stored for the program to read back. */
#ifndef HOST_ATTRIBUTES_H
#define HOST_ATTRIBUTES_H

#include <stddef.h>

#define ATTRIBUTE_COOPERATIVE 2 /* cudaLaunchAttributeID */
#define ATTRIBUTE_PRIORITY 8
#define ATTRIBUTE_VALUE_BYTES 64u /* cudaLaunchAttributeValue */

struct host_attributes { /* {0}: none is set */
	struct host_attribute *at;
	unsigned n;
};

/* Copies the `bytes` bytes at `value` to attribute `id`, with zeros behind them; the caller passes no more than ATTRIBUTE_VALUE_BYTES. Returns 0, or
 * cudaErrorMemoryAllocation with nothing changed. */
int attributes_set(struct host_attributes *a, int id, const void *value, size_t bytes);
/* Sets each attribute of `from` in `to`, which keeps its other attributes. Returns 0, or cudaErrorMemoryAllocation after setting a part. */
int attributes_copy(struct host_attributes *to, const struct host_attributes *from);
/* Copies the ATTRIBUTE_VALUE_BYTES bytes of attribute `id` to `value`; zeros if it isn't set. */
void attributes_get(const struct host_attributes *a, int id, void *value);
/* Returns the first int in the value of attribute `id`; 0 if it isn't set. */
int attributes_word(const struct host_attributes *a, int id);
/* Frees all attributes; none is set afterwards. */
void attributes_free(struct host_attributes *a);

#endif
