#include "gdbstub/wire/args.h"

#include <assert.h>
#include <string.h>

#include "gdbstub/wire/rsp.h"

bool args_number(const char **s, const char *end, uint64_t *out)
{
	const char *from = *s;
	uint64_t v = 0;
	for (; *s < end && rsp_hex_digit(**s) >= 0; (*s)++) {
		if (v >> 60)
			return false;
		v = v << 4 | (uint64_t)rsp_hex_digit(**s);
	}
	*out = v;
	return *s > from;
}

static bool literal(const char **s, const char *end, const char *what)
{
	size_t n = strlen(what);
	if ((size_t)(end - *s) < n || memcmp(*s, what, n))
		return false;
	*s += n;
	return true;
}

bool args_thread(const char **s, const char *end, uint64_t *out)
{
	if (literal(s, end, "p")) { /* there is one process only: which is said doesn't matter */
		uint64_t process;
		if (!literal(s, end, "-1") && !args_number(s, end, &process))
			return false;
		*out = ARGS_ALL_THREADS;
		if (!literal(s, end, "."))
			return true;
	}
	if (literal(s, end, "-1")) {
		*out = ARGS_ALL_THREADS;
		return true;
	}
	return args_number(s, end, out);
}

/* One field; 'h' and 's' take all there is. */
static bool field(struct args *a, struct arg *arg, const char *schema, const char **s, const char *end)
{
	arg->given = true;
	switch (*schema) {
	case 'x': return args_number(s, end, &arg->v);
	case 't': return args_thread(s, end, &arg->v);
	case 'c':
		if (*s == end)
			return false;
		arg->v = (unsigned char)*(*s)++;
		return true;
	case 'w':
		arg->s = *s;
		while (*s < end && **s != schema[1])
			(*s)++;
		arg->n = (size_t)(*s - arg->s);
		return true;
	case 'h':
		if (!rsp_unhex(&a->decoded, *s, (size_t)(end - *s)))
			return false;
		arg->s = text_str(&a->decoded);
		arg->n = a->decoded.n;
		*s = end;
		return true;
	default:
		arg->s = *s;
		arg->n = (size_t)(end - *s);
		*s = end;
		return true;
	}
}

bool args_parse(struct args *a, const char *schema, const char *text, size_t n)
{
	const char *s = text, *end = text + n;
	size_t k = 0;
	memset(a->v, 0, sizeof a->v);
	text_clear(&a->decoded);
	for (; *schema; schema++) {
		if (*schema == '?') {
			if (s == end)
				return true;
		} else if (strchr("xtcwhs", *schema)) {
			assert(k < ARGS_MAX);
			if (!field(a, &a->v[k++], schema, &s, end))
				return false;
		} else if (s < end && *s == *schema) {
			s++;
		} else {
			return false;
		}
	}
	return s == end;
}

void args_free(struct args *a) { text_free(&a->decoded); }
