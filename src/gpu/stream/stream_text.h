/* What streams wait for, in words. */
#ifndef GPU_STREAM_TEXT_H
#define GPU_STREAM_TEXT_H

#include <stdint.h>

struct gpu;
struct text;

/* Adds a line for each of the first four streams whose operations wait, with the reason. Returns the number of such streams. */
uint32_t gpu_explain_streams(const struct gpu *g, struct text *out);
/* Adds the launches of which blocks are not resident yet, and why, each as a line's break and the line. */
void gpu_explain_launches(const struct gpu *g, struct text *out);

#endif
