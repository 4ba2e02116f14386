#include "base/record.h"

#include <string.h>

void record_number(struct text *to, uint64_t v)
{
	char b[8];
	for (unsigned k = 0; k < 8; k++)
		b[k] = (char)(v >> 8 * k);
	text_addn(to, b, sizeof b);
}

void record_bytes(struct text *to, const void *p, size_t n)
{
	record_number(to, n);
	if (n)
		text_addn(to, p, n);
}

void record_string(struct text *to, const char *s) { record_bytes(to, s, s ? strlen(s) + 1 : 0); }

static const char *take_bytes(struct record_reader *r, uint64_t n)
{
	if (r->bad || n > (uint64_t)(r->end - r->at)) {
		r->bad = true;
		return NULL;
	}
	const char *s = r->at;
	r->at += n;
	return s;
}

uint64_t record_take_number(struct record_reader *r)
{
	const char *s = take_bytes(r, 8);
	uint64_t v = 0;
	for (unsigned k = 0; s && k < 8; k++)
		v |= (uint64_t)(unsigned char)s[k] << 8 * k;
	return v;
}

uint64_t record_take_below(struct record_reader *r, uint64_t end)
{
	const uint64_t v = record_take_number(r);
	if (v >= end)
		r->bad = true;
	return r->bad ? 0 : v;
}

const char *record_take_bytes(struct record_reader *r, size_t *n)
{
	const uint64_t count = record_take_number(r);
	const char *s = take_bytes(r, count);
	*n = s ? (size_t)count : 0;
	return s;
}

const char *record_take_string(struct record_reader *r)
{
	size_t n;
	const char *s = record_take_bytes(r, &n);
	if (s && n && memchr(s, 0, n) != s + n - 1)
		r->bad = true;
	return n && !r->bad ? s : NULL;
}
