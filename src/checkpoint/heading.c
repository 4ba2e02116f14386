/* The heading of a checkpoint file: what it is, and which build it is for. */
#include <string.h>

#include "checkpoint/internal.h"
#include "gpu/restore.h"

/* The arena's structures are written as they are: another build may have others. */
static uint64_t layout(void)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	size_t n;
	const uint32_t *sizes = gpu_layout(&n);
	for (size_t k = 0; k < n; k++)
		h = (h ^ sizes[k]) * UINT64_C(0x100000001b3);
	return h;
}

void heading_write(struct text *out)
{
	text_add(out, CHECKPOINT_TITLE);
	text_addf(out, "format %u layout %016llx\n", CHECKPOINT_FORMAT, (unsigned long long)layout());
}

bool heading_check(const char *file, size_t n, const char *path, size_t *frame, struct text *why)
{
	struct text own = {0};
	heading_write(&own);
	const size_t title = strlen(CHECKPOINT_TITLE);
	const bool ours = n >= title && !memcmp(file, CHECKPOINT_TITLE, title);
	const bool same = n >= own.n && !memcmp(file, own.s, own.n);
	if (!ours)
		text_addf(why, "'%s' is no checkpoint of warpstep's", path);
	else if (n < own.n)
		text_addf(why, "'%s' is truncated", path);
	else if (!same)
		text_addf(why, "'%s' was written by another version of warpstep", path);
	*frame = own.n;
	text_free(&own);
	return same;
}
