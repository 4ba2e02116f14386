/* The device's state that programs set. */
#ifndef CUDA_DEVICE_DEVICE_H
#define CUDA_DEVICE_DEVICE_H

#include "cuda/internal.h"

/* The limits that a program has set are what they were. */
void device_limits_forget(struct cuda *c);

#endif
