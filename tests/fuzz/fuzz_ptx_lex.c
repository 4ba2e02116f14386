/* Any bytes must lex: every token moves on, stays inside the text, and the last one is the end. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/lex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = malloc(n + 1); /* exact: a read past the end is found */
	struct ptx_lexer l;
	struct ptx_token t;
	uint32_t before = 0;

	if (!text)
		return 0;
	text = realloc(text, n ? n : 1);
	memcpy(text, data, n);
	ptx_lex_init(&l, text, (uint32_t)n);
	for (;;) {
		ptx_lex_next(&l, &t);
		if (t.kind == PTX_TOK_END)
			break;
		assert(t.at >= before && t.n > 0 && t.at + t.n <= n && l.pos == t.at + t.n);
		assert((t.kind == PTX_TOK_BAD) == (t.kind == PTX_TOK_BAD && t.error != NULL));
		if (t.kind == PTX_TOK_NAME)
			ptx_lex_opcode(&l, &t);
		assert(t.at + t.n <= n && l.pos == t.at + t.n);
		before = l.pos;
	}
	assert(l.pos == n);
	free(text);
	return 0;
}
