/* The heading of a checkpoint file: identifies the file format and the build that can read it. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "checkpoint/internal.h"
#include "gpu/rewind/restore.h"

/* Returns a hash of the sizes of the arena's structures, which are written as they are in memory: another build may have others. */
static uint64_t layout(void)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	size_t n;
	const uint32_t *sizes = gpu_layout(&n);
	for (size_t k = 0; k < n; k++)
		h = (h ^ sizes[k]) * UINT64_C(0x100000001b3);
	return h;
}

/* Appends the first part of a heading, which is the same in all files of this build. */
static void write_kind(struct text *out)
{
	text_add(out, CHECKPOINT_TITLE);
	text_addf(out, "format %u layout %016llx\n", CHECKPOINT_FORMAT, (unsigned long long)layout());
}

void heading_write(const struct heading *h, struct text *out)
{
	write_kind(out);
	text_addf(out, "bytes %016llx past %016llx crc32 %08lx\n", (unsigned long long)h->bytes, (unsigned long long)h->past, h->crc);
}

size_t heading_bytes(void)
{
	struct text t = {0};
	heading_write(&(struct heading){0}, &t);
	const size_t n = t.n;
	text_free(&t);
	return n;
}

/* Reads the numbers of a heading. Returns false unless they have exactly the form that heading_write gives them. */
static bool read_numbers(const char *s, size_t n, struct heading *out)
{
	struct text again = {0};
	unsigned long long bytes = 0, past = 0;
	unsigned long crc = 0;
	char line[96];
	const size_t kind = heading_bytes() - sizeof "bytes 0123456789abcdef past 0123456789abcdef crc32 01234567";
	snprintf(line, sizeof line, "%.*s", (int)(n - kind), s + kind);
	const bool ok = sscanf(line, "bytes %llx past %llx crc32 %lx", &bytes, &past, &crc) == 3 && past <= bytes;
	*out = (struct heading){.bytes = bytes, .past = past, .crc = crc};
	heading_write(out, &again);
	const bool same = ok && again.n == n && !memcmp(again.s, s, n);
	text_free(&again);
	return same;
}

bool heading_read(const char *file, size_t n, const char *path, struct heading *out, struct text *why)
{
	struct text own = {0};
	write_kind(&own);
	const size_t title = strlen(CHECKPOINT_TITLE), most = n < own.n ? n : own.n;
	if (memcmp(file, CHECKPOINT_TITLE, n < title ? n : title) || !n)
		text_addf(why, "'%s' is no checkpoint of warpstep's", path);
	else if (memcmp(file, own.s, most))
		text_addf(why, "'%s' was written by another version of warpstep", path);
	else if (n < heading_bytes())
		text_addf(why, "'%s' is truncated", path);
	else if (!read_numbers(file, heading_bytes(), out))
		text_addf(why, "'%s' is damaged", path);
	text_free(&own);
	return !why->n;
}

bool heading_fits(const struct heading *h, const char *frame, uint64_t n, const char *path, struct text *why)
{
	if (n < h->bytes)
		text_addf(why, "'%s' is truncated", path);
	else if (n > h->bytes)
		text_addf(why, "'%s' is damaged: it goes on after its end", path);
	else if (crc32_z(0, (const unsigned char *)frame, n) != h->crc)
		text_addf(why, "'%s' is damaged: its checksum is another one", path);
	return !why->n;
}
