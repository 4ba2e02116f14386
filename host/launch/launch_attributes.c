/* Launch attributes: cooperative launches, clusters, events. */
#include "host/launch/launch_attributes.h"

enum {
	COOPERATIVE = 2,
	CLUSTER = 4,
	PROGRAMMATIC_EVENT = 7,
	COMPLETION_EVENT = 12,
	LAST = 16
}; /* cudaLaunchAttributeID */

int ws_cudaEventRecord(void *event, void *stream);

/* Returns the number of blocks of a cluster; 0 if it overflows. */
static uint64_t volume(const unsigned size[3])
{
	uint64_t n;
	return __builtin_mul_overflow((uint64_t)size[0] * size[1], size[2], &n) ? 0 : n;
}

int host_launch_options(const struct host_launch_configuration *c, struct host_launch_options *w)
{
	*w = (struct host_launch_options){.cluster = 1};
	if (!c || (!c->attributes && c->n_attributes))
		return cudaErrorInvalidValue;
	for (unsigned k = 0; k < c->n_attributes; k++) {
		const struct host_launch_attribute *a = &c->attributes[k];
		if (a->id < 0 || a->id > LAST)
			return cudaErrorInvalidValue;
		if (a->id == COOPERATIVE)
			w->cooperative = a->number;
		else if (a->id == PROGRAMMATIC_EVENT || a->id == COMPLETION_EVENT)
			w->event[a->id == COMPLETION_EVENT] = a->event;
		else if (a->id == CLUSTER) {
			w->has_cluster = true;
			w->cluster = volume(a->cluster);
		}
	}
	return 0;
}

int host_launch_check_cluster(const struct host_launch_options *w)
{
	return w->cluster == 1 ? 0 : cudaErrorInvalidClusterSize;
}

int host_launch_record_events(const struct host_launch_options *w, void *stream)
{
	int error = 0;
	for (unsigned k = 0; k < 2 && !error; k++)
		if (w->event[k])
			error = ws_cudaEventRecord(w->event[k], stream);
	return error;
}
