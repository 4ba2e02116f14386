/* What the room keeps. Only its own files include this. */
#ifndef CUDA_CHANNEL_ROOM_H
#define CUDA_CHANNEL_ROOM_H

#include "cuda/channel/channel.h"

struct cuda_channel {
	int listener, event;
	int spare; /* given up where there is no other descriptor for whoever comes */
	int window;	  /* channel_window */
	uint64_t reserve; /* where device memory begins that no program may have anything else in */
	char name[64];
};

#endif
