/* Host I/O packets: gdb reads the files made for it. No file of the host is ever opened. */
#include <string.h>

#include "gdbstub/image/bytes.h"
#include "gdbstub/image/image.h"
#include "gdbstub/protocol/room.h"

#define FIRST_FD 5u
#define N_FILES PROTOCOL_FILES

/* Error numbers of the protocol's own (GDB manual, "Errno Values") */
#define FILE_ENOENT 2u
#define FILE_EBADF 9u
#define FILE_EINVAL 22u
#define FILE_EROFS 30u
#define FILE_EMFILE 24u

static enum packet_result failed(struct text *reply, unsigned number)
{
	text_addf(reply, "F-1,%x", number);
	return PACKET_REPLY;
}

static const struct image *file_of(const struct stub *s, uint64_t fd)
{
	return fd >= FIRST_FD && fd - FIRST_FD < N_FILES ? s->protocol->files[fd - FIRST_FD] : NULL;
}

void vfile_forget(struct stub *s) { memset(s->protocol->files, 0, sizeof s->protocol->files); }

enum packet_result packet_file_setfs(struct stub *s, const struct args *a, struct text *reply)
{
	(void)s;
	(void)a;
	text_add(reply, "F0");
	return PACKET_REPLY;
}

enum packet_result packet_file_open(struct stub *s, const struct args *a, struct text *reply)
{
	struct text name = {0};
	if (!rsp_unhex(&name, a->v[0].s, a->v[0].n)) {
		text_free(&name);
		return failed(reply, FILE_EINVAL);
	}
	const struct image *m = images_find(s, text_str(&name), name.n);
	text_free(&name);
	if (!m)
		return failed(reply, FILE_ENOENT);
	if (a->v[1].v)
		return failed(reply, FILE_EROFS);
	for (unsigned i = 0; i < N_FILES; i++)
		if (!s->protocol->files[i]) {
			s->protocol->files[i] = m;
			text_addf(reply, "F%x", i + FIRST_FD);
			return PACKET_REPLY;
		}
	return failed(reply, FILE_EMFILE);
}

enum packet_result packet_file_close(struct stub *s, const struct args *a, struct text *reply)
{
	if (!file_of(s, a->v[0].v))
		return failed(reply, FILE_EBADF);
	s->protocol->files[a->v[0].v - FIRST_FD] = NULL;
	text_add(reply, "F0");
	return PACKET_REPLY;
}

enum packet_result packet_file_pread(struct stub *s, const struct args *a, struct text *reply)
{
	const struct image *m = file_of(s, a->v[0].v);
	uint64_t n = a->v[1].v, at = a->v[2].v;
	if (!m)
		return failed(reply, FILE_EBADF);
	if (at > m->bytes.n)
		at = m->bytes.n;
	if (n > m->bytes.n - at)
		n = m->bytes.n - at;
	if (n > RSP_PACKET_MAX / 2 - 32) /* every byte may have to be escaped */
		n = RSP_PACKET_MAX / 2 - 32;
	text_addf(reply, "F%llx;", (unsigned long long)n);
	text_addn(reply, m->bytes.s + at, n);
	return PACKET_REPLY;
}

static void big_endian(struct text *t, uint64_t v, unsigned bytes)
{
	while (bytes--)
		put8(t, (unsigned)(v >> 8 * bytes & 0xff));
}

/* struct stat of the protocol: big endian (GDB manual, "struct stat") */
enum packet_result packet_file_fstat(struct stub *s, const struct args *a, struct text *reply)
{
	const struct image *m = file_of(s, a->v[0].v);
	struct text t = {0};
	if (!m)
		return failed(reply, FILE_EBADF);
	big_endian(&t, 0, 4);	    /* st_dev */
	big_endian(&t, 1, 4);	    /* st_ino */
	big_endian(&t, 0100444, 4); /* a regular file to read */
	big_endian(&t, 1, 4);	    /* links */
	big_endian(&t, 0, 4);	    /* owner */
	big_endian(&t, 0, 4);	    /* group */
	big_endian(&t, 0, 4);	    /* st_rdev */
	big_endian(&t, m->bytes.n, 8);
	big_endian(&t, 4096, 8);
	big_endian(&t, (m->bytes.n + 511) / 512, 8);
	big_endian(&t, 0, 4); /* times */
	big_endian(&t, 0, 4);
	big_endian(&t, 0, 4);
	text_addf(reply, "F%zx;", t.n);
	text_addn(reply, t.s, t.n);
	text_free(&t);
	return PACKET_REPLY;
}
