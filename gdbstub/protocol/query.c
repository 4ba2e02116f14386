/* What gdb asks before it does anything: abilities, descriptions in XML, threads. */
#include <stdio.h>
#include <string.h>

#include "gdbstub/image/image.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/threads/threads.h"
#include "gdbstub/protocol/room.h"
#include "history/history.h"

enum packet_result packet_supported(struct stub *s, const struct args *a, struct text *reply)
{
	s->is_gdb = memmem(a->v[0].s, a->v[0].n, "xmlRegisters=", 13);
	s->no_swbreak = s->is_gdb && !memmem(a->v[0].s, a->v[0].n, "swbreak+", 8);
	text_addf(reply,
		  "PacketSize=%x;QStartNoAckMode+;vContSupported+;swbreak+;hwbreak+;ConditionalBreakpoints+;"
		  "qXfer:features:read+;qXfer:exec-file:read+;qXfer:libraries:read+;qXfer:memory-map:read+%s%s",
		  RSP_PACKET_MAX, threads_are_many(s) ? "" : ";qXfer:threads:read+",
		  history_is_recorded(session_history(s->session)) ? ";ReverseStep+;ReverseContinue+" : "");
	return PACKET_REPLY;
}

enum packet_result packet_no_ack(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	(void)reply;
	s->protocol->no_ack = true;
	return PACKET_OK;
}

enum packet_result packet_non_stop(struct stub *s, const struct args *a, struct text *reply)
{
	(void)s;
	if (!a->v[0].v)
		return PACKET_OK;
	text_add(reply, "E.warpstep stops all threads together: there is no non-stop mode");
	return PACKET_REPLY;
}

enum packet_result packet_extended(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	(void)reply;
	s->extended = true;
	return PACKET_OK;
}

enum packet_result packet_attached(struct stub *s, const struct args *a, struct text *reply)
{
	(void)s;
	(void)a;
	text_add(reply, "1");
	return PACKET_REPLY;
}

enum packet_result packet_symbol(struct stub *s, const struct args *a, struct text *reply)
{
	(void)s;
	(void)a;
	(void)reply;
	return PACKET_OK;
}

/* ---- threads ---- */

enum packet_result packet_H(struct stub *s, const struct args *a, struct text *reply)
{
	uint64_t tid = a->v[1].v;
	(void)reply;
	if (a->v[0].v == 'c') {
		s->tid_c = tid == ARGS_ALL_THREADS ? ARGS_ANY_THREAD : tid;
		s->protocol->back_thread = s->tid_c == ARGS_ANY_THREAD ? 0 : s->tid_c;
		return PACKET_OK;
	}
	if (a->v[0].v != 'g')
		return PACKET_BAD;
	if (tid == ARGS_ANY_THREAD || tid == ARGS_ALL_THREADS)
		tid = thread_of_focus(s);
	else if (!thread_exists(s, tid) && tid != STUB_HOST_TID)
		return PACKET_NO_THREAD;
	s->tid_g = tid;
	lanes_note_selected(s->lanes, tid);
	return PACKET_OK;
}

enum packet_result packet_T(struct stub *s, const struct args *a, struct text *reply)
{
	(void)reply;
	if (!thread_exists(s, a->v[0].v))
		return PACKET_NO_THREAD;
	lanes_note_checked(s->lanes, a->v[0].v);
	return PACKET_OK;
}

enum packet_result packet_qC(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	text_addf(reply, "QC%llx", (unsigned long long)s->tid_g);
	return PACKET_REPLY;
}

enum packet_result packet_first_threads(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	text_addc(reply, s->no_program ? 'l' : 'm');
	threads_plain(s, reply);
	return PACKET_REPLY;
}

enum packet_result packet_more_threads(struct stub *s, const struct args *a, struct text *reply)
{
	(void)s;
	(void)a;
	text_add(reply, "l");
	return PACKET_REPLY;
}

enum packet_result packet_thread_extra(struct stub *s, const struct args *a, struct text *reply)
{
	struct text name = {0};
	thread_extra(s, a->v[0].v, &name);
	rsp_hex(reply, text_str(&name), name.n);
	text_free(&name);
	return PACKET_REPLY;
}

/* ---- objects read in pieces ---- */

/* The piece of a text that a qXfer asked for: its offset and length are arguments 1 and 2. */
static enum packet_result piece(const struct text *t, const struct args *a, struct text *reply)
{
	uint64_t offset = a->v[1].v, n = a->v[2].v;
	if (offset > t->n)
		return PACKET_BAD;
	if (n > RSP_PACKET_MAX / 2 - 16) /* every byte may have to be escaped */
		n = RSP_PACKET_MAX / 2 - 16;
	bool last = n >= t->n - offset;
	text_addc(reply, last ? 'l' : 'm');
	text_addn(reply, text_str(t) + offset, last ? t->n - offset : n);
	return PACKET_REPLY;
}

enum packet_result packet_features(struct stub *s, const struct args *a, struct text *reply)
{
	if (a->v[0].n != 10 || memcmp(a->v[0].s, "target.xml", 10))
		return PACKET_BAD;
	if (!s->protocol->target_xml.n)
		registers_target_xml(&s->protocol->target_xml);
	return piece(&s->protocol->target_xml, a, reply);
}

enum packet_result packet_exec_file(struct stub *s, const struct args *a, struct text *reply)
{
	struct text name = {0};
	text_add(&name, images_main(s)->name);
	enum packet_result r = piece(&name, a, reply);
	text_free(&name);
	return r;
}

enum packet_result packet_threads(struct stub *s, const struct args *a, struct text *reply)
{
	if (!a->v[1].v) {
		text_clear(&s->protocol->threads_xml);
		threads_xml(s, &s->protocol->threads_xml);
	}
	return piece(&s->protocol->threads_xml, a, reply);
}

enum packet_result packet_libraries(struct stub *s, const struct args *a, struct text *reply)
{
	if (!a->v[1].v) {
		text_clear(&s->protocol->libraries_xml);
		images_libraries_xml(s, &s->protocol->libraries_xml);
	}
	return piece(&s->protocol->libraries_xml, a, reply);
}

enum packet_result packet_memory_map(struct stub *s, const struct args *a, struct text *reply)
{
	(void)s;
	struct text map = {0};
	memory_map_xml(&map);
	enum packet_result r = piece(&map, a, reply);
	text_free(&map);
	return r;
}
