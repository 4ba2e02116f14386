/* Arguments of commands made with `define`: $arg0, $argc. */
#include "command/interpreter/user_args.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Length of the word at the start of `s`; SIZE_MAX: a quote in it is not closed. */
static size_t word_length(const char *s)
{
	char quote = '\0';
	size_t n = 0;
	for (; s[n] && (quote || !strchr(" \t", s[n])); n++) {
		if (s[n] == '\\' && s[n + 1])
			n++;
		else if (quote ? s[n] == quote : s[n] == '"' || s[n] == '\'')
			quote = quote ? '\0' : s[n];
	}
	return quote ? SIZE_MAX : n;
}

bool user_args_split(struct user_args *a, const char *s)
{
	*a = (struct user_args){.all = s};
	for (s += strspn(s, " \t"); *s; s += strspn(s, " \t")) {
		size_t n = word_length(s);
		if (n == SIZE_MAX) {
			user_args_free(a);
			return false;
		}
		a->v = xgrow(a->v, &a->cap, a->n + 1, sizeof *a->v);
		a->v[a->n++] = xstrndup(s, n);
		s += n;
	}
	return true;
}

void user_args_free(struct user_args *a)
{
	while (a->n)
		free(a->v[--a->n]);
	free(a->v);
	*a = (struct user_args){0};
}

/* What stands at `s` is replaced; the length of it, 0: it is nothing of ours. */
static size_t replace(const struct user_args *a, const char *s, struct text *out)
{
	if (!strncmp(s, "$argc", 5) && !isalnum((unsigned char)s[5]) && s[5] != '_') {
		text_addf(out, "%zu", a->n);
		return 5;
	}
	if (!strncmp(s, "$arg*", 5)) {
		text_add(out, a->all);
		return 5;
	}
	if (strncmp(s, "$arg", 4) || !isdigit((unsigned char)s[4]))
		return 0;
	char *end;
	unsigned long i = strtoul(s + 4, &end, 10);
	if (i >= a->n)
		return 0;
	text_add(out, a->v[i]);
	return (size_t)(end - s);
}

void user_args_substitute(const struct user_args *a, const char *body, struct text *out)
{
	while (*body) {
		size_t n = *body == '$' ? replace(a, body, out) : 0;
		if (!n)
			text_addc(out, *body);
		body += n ? n : 1;
	}
}
