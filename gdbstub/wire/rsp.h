/* Framing of the GDB remote serial protocol: bytes to packets and back. Knows nothing of what packets mean.
 *
 * A peer may split, merge, truncate and repeat packets as it likes: bytes are taken one at a time. (GDB manual, "Overview" of the
 * remote protocol.) */
#ifndef GDBSTUB_RSP_H
#define GDBSTUB_RSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define RSP_PACKET_MAX 0x20000u /* bytes of a packet's payload, both ways: what PacketSize promises */

enum rsp_event {
	RSP_MORE,     /* nothing complete yet */
	RSP_PACKET,   /* rsp_decoder.payload holds a packet whose checksum is right */
	RSP_BAD,      /* a packet with a wrong checksum has gone by */
	RSP_TOO_LONG, /* one that is longer than RSP_PACKET_MAX has gone by */
	RSP_ACK,      /* + */
	RSP_NAK,      /* -: the peer wants the last packet again */
	RSP_INTERRUPT /* 0x03 outside of a packet */
};

enum rsp_state { RSP_OUTSIDE, RSP_INSIDE, RSP_ESCAPED, RSP_RUN, RSP_CHECKSUM_1, RSP_CHECKSUM_2 };

struct rsp_decoder {
	enum rsp_state state;
	bool runs;	     /* `*` repeats the byte before it, as in what a stub sends; gdb sends none */
	struct text payload; /* escapes already undone; may hold any bytes */
	uint8_t sum, wanted;
	bool bad_digit, too_long;
};

/* Takes one byte, and returns what it completes, RSP_MORE for nothing and for bytes outside of packets that mean nothing. A packet's payload stays
 * valid until the next call. */
enum rsp_event rsp_decode(struct rsp_decoder *d, unsigned char byte);
/* Drops an unfinished packet, for a new peer. */
void rsp_decoder_reset(struct rsp_decoder *d);
/* Frees the payload. */
void rsp_decoder_free(struct rsp_decoder *d);

/* Appends `$payload#checksum`, escaped, of n bytes. */
void rsp_encode(struct text *out, const char *payload, size_t n);
/* Appends `$payload#checksum`, escaped, with runs of equal bytes encoded by their length: gdb executes some 190 instructions for each byte it
 * reads. (GDB manual, "Overview" of the remote protocol.) */
void rsp_encode_reply(struct text *out, const char *payload, size_t n);

/* Returns a hexadecimal digit's value, or -1. */
int rsp_hex_digit(char c);
/* Appends two hexadecimal digits for each of the n bytes. */
void rsp_hex(struct text *out, const void *bytes, size_t n);
/* Appends a byte for every two of the n digits. Returns false if n is odd or there is anything else; bytes before that may have been appended. */
bool rsp_unhex(struct text *out, const char *digits, size_t n);

#endif
