/* CUDA's errors as the runtime numbers them. */
#ifndef HOST_CORE_ERRORS_H
#define HOST_CORE_ERRORS_H

enum cuda_error {
#define ERROR(name, number, text) name = number,
#include "host/core/errors.def"
#undef ERROR
};

#endif
