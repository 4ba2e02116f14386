/* Launch attributes of launches by a configuration (cudaLaunchKernelExC, cuLaunchKernelEx). */
#ifndef HOST_LAUNCH_ATTRIBUTES_H
#define HOST_LAUNCH_ATTRIBUTES_H

#include "host/host.h"

struct host_launch_attribute { /* cudaLaunchAttribute, CUlaunchAttribute */
	int id, pad;
	union {
		char room[64];
		int number;
		unsigned cluster[3];
		void *event; /* flags behind it */
	};
};

struct host_launch_configuration { /* cudaLaunchConfig_t; of a CUlaunchConfig half of `shared` is anything */
	struct host_dim grid, block;
	size_t shared;
	void *stream;
	const struct host_launch_attribute *attributes;
	unsigned n_attributes;
};

/* The attributes that have an effect here; others are hints. */
struct host_launch_options {
	bool cooperative;
	bool has_cluster;
	uint64_t cluster; /* blocks of a cluster */
	void *event
		[2]; /* events recorded after the launch, as the start of all blocks isn't known earlier; NULL: none */
};
/* Sets *w to the cooperation, cluster size and events that a configuration's attributes request; ignores other attributes. Returns 0, or
 * cudaErrorInvalidValue if `c` is NULL, its list is NULL though it has attributes, or an attribute has an unknown number. */
int host_launch_options(const struct host_launch_configuration *c, struct host_launch_options *w);
/* Returns 0 if the requested clusters have one block, which is also the default; else cudaErrorInvalidClusterSize, as the device has no larger
 * clusters. */
int host_launch_check_cluster(const struct host_launch_options *w);
/* Records the events in w->event, those that aren't NULL, in the stream. Returns 0 or the first error. */
int host_launch_record_events(const struct host_launch_options *w, void *stream);

#endif
