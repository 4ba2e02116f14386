/* What launches by a configuration (cudaLaunchKernelExC, cuLaunchKernelEx) say besides sizes. */
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

/* What of them counts here; others are hints. */
struct host_launch_wishes {
	bool cooperative;
	bool has_cluster;
	uint64_t cluster; /* blocks of one */
	void *event
		[2]; /* recorded after the launch: when all its blocks have begun, or have said so, is not known earlier. NULL: none */
};
/* 0, or an error. */
int host_launch_wishes(const struct host_launch_configuration *c, struct host_launch_wishes *w);
/* A device that hasn't clusters runs those of one block. */
int host_launch_may(const struct host_launch_wishes *w);
int host_launch_record(const struct host_launch_wishes *w, void *stream);

#endif
