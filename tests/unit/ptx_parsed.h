/* What the parser's unit tests share: parsing a text and looking at what came of it. */
#ifndef PTX_PARSED_H
#define PTX_PARSED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "ptx/ast.h"
#include "ptx/scope.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

struct parsed {
	struct ptx_module m;
	struct diag_list diags;
	bool ok;
};

static inline struct parsed *parse(const char *text)
{
	struct parsed *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	p->m = (struct ptx_module){.file = "t.ptx", .text = text, .n_text = strlen(text), .diags = &p->diags};
	p->ok = ptx_parse(&p->m);
	return p;
}

static inline void done(struct parsed *p)
{
	ptx_module_free(&p->m);
	diag_list_free(&p->diags);
	free(p);
}

static inline struct parsed *parse_ok(const char *text)
{
	struct parsed *p = parse(text);

	if (p->diags.n)
		print_error("%u:%u: %s\n", p->diags.v[0].line, p->diags.v[0].col, p->diags.v[0].message);
	assert_true(p->ok);
	return p;
}

static inline struct ptx_symbol *module_symbol(struct parsed *p, const char *name)
{
	struct ptx_symbol *s = ptx_scope_find_here(p->m.scope, (struct ptx_slice){name, (uint32_t)strlen(name)});

	assert_non_null(s);
	return s;
}

#endif
