#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){0};
}

void text_clear(struct text *t)
{
	t->n = 0;
	if (t->s)
		t->s[0] = '\0';
}

static void text_reserve(struct text *t, size_t more) { t->s = xgrow(t->s, &t->cap, t->n + more + 1, 1); }

void text_addn(struct text *t, const char *s, size_t n)
{
	text_reserve(t, n);
	if (n)
		memcpy(t->s + t->n, s, n);
	t->n += n;
	t->s[t->n] = '\0';
}

void text_add(struct text *t, const char *s) { text_addn(t, s, strlen(s)); }

void text_addc(struct text *t, char c) { text_addn(t, &c, 1); }

void text_vaddf(struct text *t, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	text_reserve(t, 80);
	int n = vsnprintf(t->s + t->n, t->cap - t->n, fmt, ap);
	assert(n >= 0);
	if ((size_t)n >= t->cap - t->n) {
		text_reserve(t, (size_t)n);
		vsnprintf(t->s + t->n, t->cap - t->n, fmt, again);
	}
	va_end(again);
	t->n += (size_t)n;
}

void text_addf(struct text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(t, fmt, ap);
	va_end(ap);
}

const char *text_str(const struct text *t) { return t->s ? t->s : ""; }

char *text_take(struct text *t)
{
	char *s = t->s ? t->s : xstrdup("");
	*t = (struct text){0};
	return s;
}
