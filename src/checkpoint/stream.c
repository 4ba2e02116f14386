/* Packs and unpacks the frame of a checkpoint file, piece by piece. Bytes are copied before they are packed: a program may write to its memory
 * meanwhile. */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "base/xalloc.h"
#include "checkpoint/internal.h"

#define PIECE ((size_t)256 << 10)
#define LEVEL 1 /* of zstd: as fast as memory is read */

bool packer_begin(struct packer *p, FILE *f)
{
	*p = (struct packer){.f = f, .z = ZSTD_createCCtx(), .in = xcalloc(PIECE, 1), .out = xcalloc(PIECE, 1)};
	p->failed = !p->z || ZSTD_isError(ZSTD_CCtx_setParameter(p->z, ZSTD_c_compressionLevel, LEVEL)) ||
		    ZSTD_isError(ZSTD_CCtx_setParameter(p->z, ZSTD_c_checksumFlag, 1));
	errno = p->failed ? ENOMEM : 0;
	return !p->failed;
}

static void pack(struct packer *p, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = {p->in, p->n, 0};
	size_t left = 1;
	while (!p->failed && (in.pos < in.size || (how == ZSTD_e_end && left))) {
		ZSTD_outBuffer out = {p->out, PIECE, 0};
		left = ZSTD_compressStream2(p->z, &out, &in, how);
		if (ZSTD_isError(left))
			errno = ENOMEM;
		p->failed = ZSTD_isError(left) || fwrite(p->out, 1, out.pos, p->f) != out.pos;
		p->written += out.pos;
		p->crc = crc32_z(p->crc, (const unsigned char *)p->out, out.pos);
	}
	p->n = 0;
}

void packer_write(struct packer *p, const void *bytes, size_t n)
{
	const char *at = bytes;
	while (n && !p->failed) {
		const size_t part = n < PIECE - p->n ? n : PIECE - p->n;
		memcpy(p->in + p->n, at, part);
		p->n += part;
		at += part;
		n -= part;
		if (p->n == PIECE)
			pack(p, ZSTD_e_continue);
	}
}

void packer_number(struct packer *p, uint64_t v)
{
	struct text t = {0};
	record_number(&t, v);
	packer_write(p, t.s, t.n);
	text_free(&t);
}

bool packer_end(struct packer *p)
{
	pack(p, ZSTD_e_end);
	ZSTD_freeCCtx(p->z);
	free(p->in);
	free(p->out);
	return !p->failed;
}

bool unpacker_begin(struct unpacker *u, const char *frame, size_t n)
{
	*u = (struct unpacker){.z = ZSTD_createDCtx(), .in = {frame, n, 0}, .out = xcalloc(PIECE, 1)};
	return u->z != NULL;
}

static bool refill(struct unpacker *u)
{
	ZSTD_outBuffer out = {u->out, PIECE, 0};
	u->at = 0;
	while (!out.pos && !u->over && !u->damaged && !u->truncated) {
		const size_t before = u->in.pos, r = ZSTD_decompressStream(u->z, &out, &u->in);
		u->damaged = ZSTD_isError(r);
		u->over = !r;
		u->truncated = !u->damaged && !u->over && !out.pos && u->in.pos == u->in.size && u->in.pos == before;
	}
	u->n = u->damaged ? 0 : out.pos;
	return u->n;
}

bool unpacker_read(struct unpacker *u, void *to, size_t n)
{
	for (char *at = to; n;) {
		if (u->at == u->n && !refill(u)) {
			u->damaged = !u->truncated;
			return false;
		}
		const size_t part = n < u->n - u->at ? n : u->n - u->at;
		memcpy(at, u->out + u->at, part);
		u->at += part;
		at += part;
		n -= part;
	}
	return true;
}

uint64_t unpacker_number(struct unpacker *u)
{
	char b[8] = {0};
	unpacker_read(u, b, sizeof b);
	return record_take_number(&(struct record_reader){b, b + sizeof b, false});
}

/* The text grows as bytes arrive: a wrong length can't allocate more memory than there are bytes. */
bool unpacker_text(struct unpacker *u, struct text *to)
{
	char part[4096];
	for (uint64_t n = unpacker_number(u); n;) {
		const size_t some = n < sizeof part ? (size_t)n : sizeof part;
		if (!unpacker_read(u, part, some))
			return false;
		text_addn(to, part, some);
		n -= some;
	}
	return !u->damaged && !u->truncated;
}

bool unpacker_is_over(struct unpacker *u)
{
	if (u->damaged || u->truncated || u->at != u->n)
		return false;
	if (!u->over)
		refill(u);
	return u->over && u->at == u->n && u->in.pos == u->in.size;
}

void unpacker_end(struct unpacker *u)
{
	ZSTD_freeDCtx(u->z);
	free(u->out);
}
