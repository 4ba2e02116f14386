/* Packets that read and write memory. */
#include "gdbstub/threads/room.h"
#include "gdbstub/wire/packet.h"

#define LINE 64u /* bytes that gdb reads of a stack at least */

/* Returns true if gdb may read the bytes only to find out which function called the selected thread's innermost one. */
static bool is_saved_pc(struct stub *s, uint64_t address, uint64_t n)
{
	const struct thread_view *v = view_of(s, s->tid_g);
	if (!v || v->n_frames < 2)
		return false;
	const uint64_t line = (v->frames[0].sp + v->frames[0].layout->return_slot) & ~(uint64_t)(LINE - 1);
	return address >= line && address + n <= line + LINE;
}

static void note_read(struct stub *s, uint64_t address, uint64_t n)
{
	if (memory_is_code(s, address))
		s->threads->code_read = address;
	else if (is_saved_pc(s, address, n))
		s->threads->has_read_caller = true;
	else
		s->threads->has_read_data = true;
}

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
	note_read(s, a->v[0].v, n);
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
