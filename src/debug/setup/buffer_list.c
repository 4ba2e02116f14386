/* The buffers that there are, by number and by name. */
#include <string.h>

#include "debug/setup/buffer.h"
#include "debug/csource/ctype.h"
#include "debug/setup/room.h"
#include "isa/types.h"

size_t debug_buffer_count(const struct debug *d) { return d->setup->n_buffers; }

const struct debug_buffer *debug_buffer_at(const struct debug *d, size_t i)
{
	return i < d->setup->n_buffers ? &d->setup->buffers[i] : NULL;
}

const struct debug_buffer *debug_buffer_find(const struct debug *d, const char *name, size_t n)
{
	for (size_t i = 0; i < d->setup->n_buffers; i++)
		if (strlen(d->setup->buffers[i].name) == n && !memcmp(d->setup->buffers[i].name, name, n))
			return &d->setup->buffers[i];
	return NULL;
}

uint64_t debug_buffer_bytes(const struct debug_buffer *b)
{
	return b->c ? ctype_value(b->c)->bytes : b->count * isa_type_bytes(b->type);
}

bool debug_is_allocation_name(const char *name, size_t n)
{
	static const char prefix[] = "alloc_";
	size_t k = sizeof prefix - 1;
	if (n <= k || memcmp(name, prefix, k) != 0)
		return false;
	while (k < n && name[k] >= '0' && name[k] <= '9')
		k++;
	return k == n;
}
