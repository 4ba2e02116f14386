/* Packets that read and write memory. */
#include "gdbstub/threads/room.h"
#include "gdbstub/wire/packet.h"

enum packet_result packet_m(struct stub *s, const struct args *a, struct text *reply)
{
	unsigned char bytes[RSP_PACKET_MAX / 2 - 16];
	size_t want = a->v[1].v < sizeof bytes ? (size_t)a->v[1].v : sizeof bytes;
	if (!want)
		return PACKET_REPLY;
	size_t n = memory_read(s, s->tid_g, a->v[0].v, bytes, want);
	if (!n)
		return PACKET_NO_MEMORY;
	watched_read(s, a->v[0].v, n);
	if (memory_is_code(s, a->v[0].v))
		s->threads->code_read = a->v[0].v;
	else
		s->threads->has_read_data = true;
	rsp_hex(reply, bytes, n);
	return PACKET_REPLY;
}

static enum packet_result write_bytes(struct stub *s, const struct args *a)
{
	if (a->v[2].n != a->v[1].v)
		return PACKET_BAD;
	if (!memory_write(s, s->tid_g, a->v[0].v, a->v[2].s, a->v[2].n))
		return PACKET_NO_MEMORY;
	watched_written(s, a->v[0].v, a->v[2].n);
	return PACKET_OK;
}

enum packet_result packet_M(struct stub *s, const struct args *a, struct text *reply)
{
	(void)reply;
	return write_bytes(s, a);
}

enum packet_result packet_X(struct stub *s, const struct args *a, struct text *reply)
{
	(void)reply;
	return write_bytes(s, a);
}
