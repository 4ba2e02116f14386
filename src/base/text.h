/* Growing text buffer: the one way strings are built. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Always NUL-terminated once something was added; initialise with {0}. Owner calls text_free. */
struct text {
	char *s;
	size_t n, cap;
};

void text_free(struct text *t);
void text_clear(struct text *t); /* keeps the memory; s becomes "" if there was any */
void text_add(struct text *t, const char *s);
void text_addn(struct text *t, const char *s, size_t n);
void text_addc(struct text *t, char c);
__attribute__((format(printf, 2, 3))) void text_addf(struct text *t, const char *fmt, ...);
__attribute__((format(printf, 2, 0))) void text_vaddf(struct text *t, const char *fmt, va_list ap);
const char *text_str(const struct text *t); /* never NULL */
char *text_take(struct text *t);	    /* hands the malloc'd string over; t is empty afterwards */

#endif
