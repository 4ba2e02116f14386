/* CUDA's errors as the runtime numbers them. */
#ifndef HOST_CORE_ERRORS_H
#define HOST_CORE_ERRORS_H

enum cuda_error {
#define ERROR(name, of_driver, number, text) name = number,
#define RUNTIME_ERROR(name, number, text) name = number,
#define DRIVER_ERROR(name, number)
#include "host/core/errors.def"
#undef ERROR
#undef RUNTIME_ERROR
#undef DRIVER_ERROR
};

#endif
