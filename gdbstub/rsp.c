#include "gdbstub/rsp.h"

#include <string.h>

int rsp_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void rsp_hex(struct text *out, const void *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = bytes;
	for (size_t i = 0; i < n; i++) {
		char two[2] = {digits[p[i] >> 4], digits[p[i] & 15]};
		text_addn(out, two, 2);
	}
}

bool rsp_unhex(struct text *out, const char *digits, size_t n)
{
	if (n % 2)
		return false;
	for (size_t i = 0; i < n; i += 2) {
		int high = rsp_hex_digit(digits[i]), low = rsp_hex_digit(digits[i + 1]);
		if (high < 0 || low < 0)
			return false;
		text_addc(out, (char)(high << 4 | low));
	}
	return true;
}

void rsp_decoder_reset(struct rsp_decoder *d)
{
	text_clear(&d->payload);
	d->state = RSP_OUTSIDE;
}

void rsp_decoder_free(struct rsp_decoder *d) { text_free(&d->payload); }

static void begin(struct rsp_decoder *d)
{
	text_clear(&d->payload);
	d->state = RSP_INSIDE;
	d->sum = 0;
	d->bad_digit = d->too_long = false;
}

static void add(struct rsp_decoder *d, unsigned char byte)
{
	if (d->payload.n == RSP_PACKET_MAX)
		d->too_long = true;
	else
		text_addc(&d->payload, (char)byte);
}

static enum rsp_event outside(struct rsp_decoder *d, unsigned char byte)
{
	switch (byte) {
	case '$': begin(d); return RSP_MORE;
	case '+': return RSP_ACK;
	case '-': return RSP_NAK;
	case 0x03: return RSP_INTERRUPT;
	default: return RSP_MORE; /* noise on the line */
	}
}

static enum rsp_event finish(struct rsp_decoder *d)
{
	d->state = RSP_OUTSIDE;
	if (d->bad_digit || d->wanted != d->sum)
		return RSP_BAD;
	return d->too_long ? RSP_TOO_LONG : RSP_PACKET;
}

static void checksum_digit(struct rsp_decoder *d, unsigned char byte)
{
	int v = rsp_hex_digit((char)byte);
	d->bad_digit |= v < 0;
	d->wanted = (uint8_t)(d->wanted << 4 | (v & 15));
}

enum rsp_event rsp_decode(struct rsp_decoder *d, unsigned char byte)
{
	switch (d->state) {
	case RSP_OUTSIDE: return outside(d, byte);
	case RSP_INSIDE:
		if (byte == '$') { /* the packet before was cut off: a new one begins */
			begin(d);
			return RSP_MORE;
		}
		if (byte == '#') {
			d->state = RSP_CHECKSUM_1;
			d->wanted = 0;
			return RSP_MORE;
		}
		d->sum = (uint8_t)(d->sum + byte);
		if (byte == '}')
			d->state = RSP_ESCAPED;
		else
			add(d, byte);
		return RSP_MORE;
	case RSP_ESCAPED:
		d->sum = (uint8_t)(d->sum + byte);
		add(d, byte ^ 0x20);
		d->state = RSP_INSIDE;
		return RSP_MORE;
	case RSP_CHECKSUM_1:
		checksum_digit(d, byte);
		d->state = RSP_CHECKSUM_2;
		return RSP_MORE;
	case RSP_CHECKSUM_2: checksum_digit(d, byte); return finish(d);
	}
	return RSP_MORE;
}

static bool is_special(char c) { return c == '$' || c == '#' || c == '}' || c == '*'; }

void rsp_encode(struct text *out, const char *payload, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	unsigned sum = 0;
	text_addc(out, '$');
	for (size_t i = 0, from = 0; i <= n; i++) {
		if (i < n && !is_special(payload[i])) {
			sum += (unsigned char)payload[i];
			continue;
		}
		if (i > from)
			text_addn(out, payload + from, i - from);
		from = i + 1;
		if (i < n) {
			char escaped[2] = {'}', (char)(payload[i] ^ 0x20)};
			text_addn(out, escaped, 2);
			sum += (unsigned char)escaped[0] + (unsigned)(unsigned char)escaped[1];
		}
	}
	char end[3] = {'#', digits[sum >> 4 & 15], digits[sum & 15]};
	text_addn(out, end, 3);
}
