/* Launches in steps, as in the first driver API: block shape, shared memory and parameters are set one by one and stay with the function. */
#include <stdlib.h>
#include <string.h>

#include "host/driver/driver.h"

#define PARAMETERS_MOST 4096u

int ws_cuLaunchKernel(const void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
		      unsigned bz, unsigned shared, void *stream, void **arguments, void **extra);

struct steps {
	const void *function;
	unsigned block[3], shared, bytes;
	char parameters[PARAMETERS_MOST];
	struct steps *next;
};

static struct {
	struct host_lock lock;
	struct steps *first;
} all;

/* Returns the launch state of a function, which it creates if needed; NULL, with *error, if there is no such function. */
static struct steps *steps_of(const void *function, int *error)
{
	*error = driver_enter();
	if (*error || !host_kernel_of(function, error))
		return NULL;
	host_lock(&all.lock);
	struct steps *s = all.first;
	while (s && s->function != function)
		s = s->next;
	if (!s && (s = calloc(1, sizeof *s))) {
		s->function = function;
		s->next = all.first;
		all.first = s;
	}
	host_unlock(&all.lock);
	*error = s ? 0 : cudaErrorMemoryAllocation;
	return s;
}

DRIVER(cuFuncSetBlockShape)(const void *function, int x, int y, int z)
{
	int error = 0;
	struct steps *s = x > 0 && y > 0 && z > 0 ? steps_of(function, &error) : NULL;
	if (!s)
		return error ? error : cudaErrorInvalidValue;
	s->block[0] = (unsigned)x;
	s->block[1] = (unsigned)y;
	s->block[2] = (unsigned)z;
	return 0;
}

DRIVER(cuFuncSetSharedSize)(const void *function, unsigned bytes)
{
	int error;
	struct steps *s = steps_of(function, &error);
	if (s)
		s->shared = bytes;
	return error;
}

DRIVER(cuParamSetSize)(const void *function, unsigned bytes)
{
	int error = 0;
	struct steps *s = bytes <= PARAMETERS_MOST ? steps_of(function, &error) : NULL;
	if (s)
		s->bytes = bytes;
	return s ? 0 : error ? error : cudaErrorInvalidValue;
}

static int set_parameter(const void *function, int offset, const void *value, unsigned bytes)
{
	int error = 0;
	const bool fits =
		value && offset >= 0 && bytes <= PARAMETERS_MOST && (unsigned)offset <= PARAMETERS_MOST - bytes;
	struct steps *s = fits ? steps_of(function, &error) : NULL;
	if (s)
		memcpy(s->parameters + offset, value, bytes);
	return s ? 0 : error ? error : cudaErrorInvalidValue;
}

DRIVER(cuParamSeti)(const void *function, int offset, unsigned value)
{
	return set_parameter(function, offset, &value, sizeof value);
}
DRIVER(cuParamSetf)(const void *function, int offset, float value)
{
	return set_parameter(function, offset, &value, sizeof value);
}
DRIVER(cuParamSetv)(const void *function, int offset, const void *value, unsigned bytes)
{
	return set_parameter(function, offset, value, bytes);
}

DRIVER(cuLaunchGridAsync)(const void *function, int width, int height, void *stream)
{
	int error = 0;
	struct steps *s = width > 0 && height > 0 ? steps_of(function, &error) : NULL;
	if (!s)
		return error ? error : cudaErrorInvalidValue;
	size_t bytes = s->bytes;
	void *extra[] = {(void *)1, s->parameters, (void *)2, &bytes, NULL};
	return ws_cuLaunchKernel(function, (unsigned)width, (unsigned)height, 1, s->block[0], s->block[1], s->block[2],
				 s->shared, stream, NULL, extra);
}

DRIVER(cuLaunchGrid)(const void *function, int width, int height)
{
	return ws_cuLaunchGridAsync(function, width, height, NULL);
}
DRIVER(cuLaunch)(const void *function) { return ws_cuLaunchGridAsync(function, 1, 1, NULL); }
