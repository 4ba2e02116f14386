/* The one place that sends: takes packets apart by their table, calls the handler, sends what it says. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"
#include "gdbstub/protocol/room.h"

enum { DEFERS = 1, DEFERS_CODE = 2, SHOWS = 4, FIRST = 8 };

struct row {
	const char *name, *schema;
	packet_fn *fn;
	unsigned rules;
	const char *help;
};
static const struct row packets[] = {
#define PACKET(name, schema, fn, rules, help) {name, schema, fn, rules, help},
#include "gdbstub/wire/packets.def"
};

static void send_packet(struct stub *s, const char *payload, size_t n)
{
	text_clear(&s->protocol->last);
	rsp_encode_reply(&s->protocol->last, payload, n);
	link_put(s, text_str(&s->protocol->last), s->protocol->last.n);
}

#define CONSOLE_CHUNK 16000u

void dispatch_console(struct stub *s)
{
	for (size_t at = 0; at < s->console.n;) {
		size_t n = s->console.n - at < CONSOLE_CHUNK ? s->console.n - at : CONSOLE_CHUNK;
		struct text packet = {0};
		text_addc(&packet, 'O');
		rsp_hex(&packet, s->console.s + at, n);
		send_packet(s, text_str(&packet), packet.n);
		text_free(&packet);
		at += n;
	}
	text_clear(&s->console);
	link_flush(s);
}

/* Names of several letters end where the packet's word does: qC is not the beginning of qCRC. */
static bool is_longer_word(const char *packet, size_t k, size_t n)
{
	return k > 1 && k < n && isalpha((unsigned char)packet[k - 1]) && isalpha((unsigned char)packet[k]);
}

static const struct row *find_row(const char *packet, size_t n)
{
	for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
		size_t k = strlen(packets[i].name);
		if (n >= k && !memcmp(packet, packets[i].name, k) && !is_longer_word(packet, k, n))
			return &packets[i];
	}
	return NULL;
}

static enum packet_result call(struct stub *s, const char *packet, size_t n, struct text *reply)
{
	const struct row *row = find_row(packet, n);
	const size_t k = row ? strlen(row->name) : 0;
	const bool fits = row && args_parse(&s->protocol->args, row->schema, packet + k, n - k);
	const bool is_code = fits && row->rules & DEFERS_CODE && s->protocol->args.v[0].v < '2';
	if (!is_code && !(row && row->rules & DEFERS))
		lanes_make_deferred_step(s->lanes);
	if (fits && row->rules & SHOWS)
		lanes_note_shown(s->lanes);
	return fits ? row->fn(s, &s->protocol->args, reply) : row ? PACKET_BAD : PACKET_REPLY;
}

void dispatch_list(struct text *out)
{
	for (size_t i = 0; i < sizeof packets / sizeof *packets; i++)
		text_addf(out, "%-24s %s\n", packets[i].name, packets[i].help);
}

static const char *fixed_reply(enum packet_result r)
{
	switch (r) {
	case PACKET_OK: return "OK";
	case PACKET_BAD: return "E01";
	case PACKET_NO_THREAD: return "E03";
	case PACKET_NO_MEMORY: return "E14";
	case PACKET_NOT_ALLOWED: return "E16";
	default: return NULL;
	}
}

static void handle(struct stub *s)
{
	struct text reply = {0}, packet = {0};
	/* the decoder may be fed again while the handler runs the machine */
	text_addn(&packet, text_str(&s->protocol->decoder.payload), s->protocol->decoder.payload.n);
	enum packet_result r = call(s, text_str(&packet), packet.n, &reply);
	dispatch_console(s);
	const char *fixed = fixed_reply(r);
	if (fixed) {
		text_clear(&reply);
		text_add(&reply, fixed);
	}
	if (r != PACKET_SILENT)
		send_packet(s, text_str(&reply), reply.n);
	text_free(&reply);
	text_free(&packet);
	if (r == PACKET_LEAVE)
		link_leave(s, !s->protocol->no_ack);
	link_send(s);
}

/* gdb's first packet a second time, before gdb has acknowledged the answer: it has waited for two seconds, because warpstep was still busy
 * with something else, and sent it again. It expects one answer; two would be taken for that to its next packet. */
static bool is_sent_again(struct stub *s)
{
	const struct row *row = find_row(text_str(&s->protocol->decoder.payload), s->protocol->decoder.payload.n);
	bool is_first = !s->protocol->no_ack && row && row->rules & FIRST;
	bool again = is_first && s->protocol->first_unanswered;
	s->protocol->first_unanswered = is_first;
	return again;
}

void dispatch_byte(struct stub *s, unsigned char byte)
{
	switch (rsp_decode(&s->protocol->decoder, byte)) {
	case RSP_PACKET:
		if (is_sent_again(s))
			break;
		if (!s->protocol->no_ack)
			link_put(s, "+", 1);
		handle(s);
		break;
	case RSP_BAD:
		if (!s->protocol->no_ack)
			link_put(s, "-", 1);
		break;
	case RSP_TOO_LONG:
		if (!s->protocol->no_ack)
			link_put(s, "+", 1);
		send_packet(s, "E01", 3);
		break;
	case RSP_NAK:
		s->protocol->first_unanswered = false;
		if (!s->protocol->no_ack)
			link_put(s, text_str(&s->protocol->last), s->protocol->last.n);
		link_send(s); /* many of them may come at once */
		break;
	case RSP_ACK: s->protocol->first_unanswered = false; break;
	case RSP_INTERRUPT: lanes_interrupt(s->lanes); break;
	case RSP_MORE: break;
	}
}

/* ---- the room ---- */

void protocol_room_create(struct stub *s) { s->protocol = xcalloc(1, sizeof *s->protocol); }

void protocol_room_free(struct stub *s)
{
	struct protocol_room *p = s->protocol;
	rsp_decoder_free(&p->decoder);
	args_free(&p->args);
	text_free(&p->last);
	text_free(&s->console);
	text_free(&p->target_xml);
	text_free(&p->threads_xml);
	text_free(&p->libraries_xml);
	free(p);
}

void protocol_begin(struct stub *s)
{
	struct protocol_room *p = s->protocol;
	rsp_decoder_reset(&p->decoder);
	text_clear(&p->last);
	text_clear(&s->console);
	p->back_thread = 0;
	p->no_ack = p->first_unanswered = p->hinted = false;
	s->is_gdb = s->no_swbreak = false;
}
