/* What streams wait for, in words. */
#ifndef GPU_STREAM_TEXT_H
#define GPU_STREAM_TEXT_H

#include <stdint.h>

struct gpu;
struct text;

/* Adds a line for each of the first four streams whose operations wait, with the reason. Returns the number of such streams. */
uint32_t gpu_explain_streams(const struct gpu *g, struct text *out);
/* Appends a line for each launch with blocks that are not resident yet, and the reason. Each line begins with a newline. */
void gpu_explain_launches(const struct gpu *g, struct text *out);

#endif
