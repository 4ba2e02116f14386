/* Attributes of kernel nodes and streams: the stored values. */
#include "host/stream/attributes.h"

#include <stdlib.h>
#include <string.h>

#include "host/graph/graph.h"

struct host_attribute {
	int id;
	char value[ATTRIBUTE_VALUE_BYTES];
};

static struct host_attribute *find_attribute(const struct host_attributes *a, int id)
{
	for (unsigned k = 0; k < a->n; k++)
		if (a->at[k].id == id)
			return &a->at[k];
	return NULL;
}

int attributes_set(struct host_attributes *a, int id, const void *value, size_t bytes)
{
	struct host_attribute *one = find_attribute(a, id);
	if (!one) {
		struct host_attribute *more = realloc(a->at, (a->n + 1) * sizeof *more);
		if (!more)
			return cudaErrorMemoryAllocation;
		a->at = more;
		one = &more[a->n++];
	}
	*one = (struct host_attribute){.id = id};
	memcpy(one->value, value, bytes);
	return 0;
}

int attributes_copy(struct host_attributes *to, const struct host_attributes *from)
{
	int error = 0;
	for (unsigned k = 0; k < from->n && !error; k++)
		error = attributes_set(to, from->at[k].id, from->at[k].value, ATTRIBUTE_VALUE_BYTES);
	return error;
}

void attributes_get(const struct host_attributes *a, int id, void *value)
{
	const struct host_attribute *one = find_attribute(a, id), unset = {.id = id};
	memcpy(value, one ? one->value : unset.value, ATTRIBUTE_VALUE_BYTES);
}

int attributes_word(const struct host_attributes *a, int id)
{
	const struct host_attribute *one = find_attribute(a, id);
	int value = 0;
	if (one)
		memcpy(&value, one->value, sizeof value);
	return value;
}

void attributes_free(struct host_attributes *a)
{
	free(a->at);
	*a = (struct host_attributes){0};
}
