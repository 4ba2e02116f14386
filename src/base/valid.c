#include "base/valid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"

bool invalid(struct text *what, const char *fmt, ...)
{
	char phrase[256];
	va_list ap;
	if (what->n)
		return false;
	va_start(ap, fmt);
	vsnprintf(phrase, sizeof phrase, fmt, ap);
	va_end(ap);
	text_add(what, phrase);
	return false;
}

void valid_pool_init(struct valid_pool *p, uint64_t n) { *p = (struct valid_pool){xcalloc(n + 1, 1), n}; }

void valid_pool_free(struct valid_pool *p)
{
	free(p->claimed);
	*p = (struct valid_pool){0};
}

bool valid_claim(struct valid_pool *p, uint64_t k, uint8_t with)
{
	if (!valid_index(p, k) || p->claimed[k])
		return false;
	p->claimed[k] = with;
	return true;
}

uint64_t valid_count(const struct valid_pool *p, uint8_t with)
{
	uint64_t n = 0;
	for (uint64_t k = 1; k < p->n; k++)
		n += p->claimed[k] == with;
	return n;
}
