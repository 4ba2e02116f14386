/* Finds the program's call: nvcc's headers wrap some functions in templates, as `cudaMalloc(T **, size_t)`, and the program's line is the caller of
 * the template. */
#include <stdint.h>

#include "host/host.h"

#define WRAPPERS_MAX 256u
#define FRAME_BYTES_MAX 512u /* largest frame of such a template */

/* Instances of these templates that aren't inlined; only the first WRAPPERS_MAX. */
static struct {
	uintptr_t begin, end;
} wrappers[WRAPPERS_MAX];
static size_t n_wrappers;

void host_note_wrapper(uintptr_t begin, size_t bytes)
{
	if (n_wrappers == WRAPPERS_MAX)
		return;
	wrappers[n_wrappers].begin = begin;
	wrappers[n_wrappers++].end = begin + bytes;
}

static bool in_wrapper(uintptr_t at)
{
	for (size_t k = 0; k < n_wrappers; k++)
		if (at > wrappers[k].begin && at <= wrappers[k].end)
			return true;
	return false;
}

/* A template that isn't inlined has a frame pointer, as it wasn't optimized; an implausible frame pointer isn't followed. */
const void *host_caller(const void *return_address, void *const *frame)
{
	if (host_thread()->caller)
		return host_thread()->caller;
	if (!in_wrapper((uintptr_t)return_address))
		return return_address;
	void *const *outer = *frame;
	const uintptr_t way = (uintptr_t)outer - (uintptr_t)frame;
	return way && way % sizeof *outer == 0 && way <= FRAME_BYTES_MAX ? outer[1] : return_address;
}
