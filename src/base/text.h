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

/* Frees the string; the text is empty afterwards. */
void text_free(struct text *t);
/* Empties the text and keeps its memory. */
void text_clear(struct text *t);
/* Appends a string. */
void text_add(struct text *t, const char *s);
/* Appends n bytes, which may hold NULs. */
void text_addn(struct text *t, const char *s, size_t n);
/* Appends one character. */
void text_addc(struct text *t, char c);
/* Appends formatted text, as printf does. */
__attribute__((format(printf, 2, 3))) void text_addf(struct text *t, const char *fmt, ...);
/* Appends formatted text, as vprintf does. */
__attribute__((format(printf, 2, 0))) void text_vaddf(struct text *t, const char *fmt, va_list ap);
/* Returns the string, valid until the text changes; "" if nothing was added. */
const char *text_str(const struct text *t);
/* Returns the string, which the caller frees; the text is empty afterwards. Never returns NULL. */
char *text_take(struct text *t);

#endif
