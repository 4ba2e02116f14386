/* CUDA's errors as the runtime numbers them. Shared with host/. */
#ifndef CUDA_CHANNEL_ERRORS_H
#define CUDA_CHANNEL_ERRORS_H

enum cuda_error {
#define ERROR(name, number, text) name = number,
#include "cuda/channel/errors.def"
#undef ERROR
	CUDA_ERROR_LAST = 999
};

#endif
