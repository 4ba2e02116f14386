/* Attributes of kernel nodes and of streams: kept for the program to read. */
#ifndef HOST_ATTRIBUTES_H
#define HOST_ATTRIBUTES_H

#include <stddef.h>

#define ATTRIBUTE_COOPERATIVE 2 /* cudaLaunchAttributeID */
#define ATTRIBUTE_PRIORITY 8

struct host_attributes { /* {0}: none is set */
	struct host_attribute *at;
	unsigned n;
};

/* 0, or an error. */
int attributes_set(struct host_attributes *a, int id, const void *value, size_t bytes);
int attributes_copy(struct host_attributes *to, const struct host_attributes *from);
/* The first word of one; 0: it wasn't set. */
int attributes_word(const struct host_attributes *a, int id);
void attributes_free(struct host_attributes *a);

#endif
