#include "gdbstub/wire/rsp.h"

#include <string.h>

#define RUN_BASE 29u /* added to the number of copies: a byte that can be printed */
#define RUN_MIN 3u   /* fewer take more bytes than they save */
#define RUN_MAX 97u

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

static void add_byte(struct rsp_decoder *d, unsigned char byte)
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

/* The last byte once more for each beyond RUN_BASE. */
static void repeat(struct rsp_decoder *d, unsigned char byte)
{
	for (unsigned i = RUN_BASE; i < byte && d->payload.n; i++)
		add_byte(d, (unsigned char)d->payload.s[d->payload.n - 1]);
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
		else if (byte == '*' && d->runs)
			d->state = RSP_RUN;
		else
			add_byte(d, byte);
		return RSP_MORE;
	case RSP_ESCAPED:
		d->sum = (uint8_t)(d->sum + byte);
		add_byte(d, byte ^ 0x20);
		d->state = RSP_INSIDE;
		return RSP_MORE;
	case RSP_RUN:
		d->sum = (uint8_t)(d->sum + byte);
		repeat(d, byte);
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

static bool is_special(char c)
{
	static const bool special[256] = {['$'] = true, ['#'] = true, ['}'] = true, ['*'] = true};
	return special[(unsigned char)c];
}

/* How many copies of its first byte follow, if they are to be sent as a number; 0: they are not. */
static size_t copies(const char *p, size_t n)
{
	size_t k = 0;
	if (is_special(p[0]))
		return 0;
	while (k < RUN_MAX && k + 1 < n && p[k + 1] == p[0])
		k++;
	/* numbers that would look like what separates packets */
	while (k && strchr("#$+-", (int)(k + RUN_BASE)))
		k--;
	return k < RUN_MIN ? 0 : k;
}

/* What stands as it is from `i` on, up to the next byte that doesn't. */
static size_t plain_end(const char *payload, size_t i, size_t n, bool runs)
{
	const char *p = payload + i, *end = payload + n;
	const char *run_end = runs && n > RUN_MIN ? end - RUN_MIN : payload; /* a run can begin in front of it */
	while (p < run_end && !is_special(*p) && (p[0] != p[1] || p[1] != p[2] || p[2] != p[3]))
		p++;
	if (p < run_end)
		return (size_t)(p - payload);
	while (p < end && !is_special(*p))
		p++;
	return (size_t)(p - payload);
}

static void encode(struct text *out, const char *payload, size_t n, bool runs)
{
	size_t begin = out->n;
	for (size_t from = 0;;) {
		size_t i = plain_end(payload, from, n, runs);
		text_addn(out, payload + from, i - from);
		if (i == n)
			break;
		size_t more = runs ? copies(payload + i, n - i) : 0;
		char two[2] = {'}', (char)(payload[i] ^ 0x20)};
		if (more) {
			two[0] = '*';
			two[1] = (char)(more + RUN_BASE);
			text_addc(out, payload[i]);
		}
		text_addn(out, two, 2);
		from = i + more + 1;
	}
	const unsigned char *sent = (const unsigned char *)out->s;
	unsigned sum = 0;
	for (size_t i = begin, end = out->n; i < end; i++)
		sum += sent[i];
	static const char digits[] = "0123456789abcdef";
	char end[3] = {'#', digits[sum >> 4 & 15], digits[sum & 15]};
	text_addn(out, end, 3);
}

void rsp_encode(struct text *out, const char *payload, size_t n)
{
	text_addc(out, '$');
	encode(out, payload, n, false);
}

void rsp_encode_reply(struct text *out, const char *payload, size_t n)
{
	text_addc(out, '$');
	encode(out, payload, n, true);
}
