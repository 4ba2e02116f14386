/* Functions: signatures, declarations against definitions, .alias, call prototypes
 * (ISA "Kernel and Function Directives"). */
#include "ptx/parse.h"

#include <string.h>

/* ---- parameters ---- */

static bool check_entry_parameter(struct ptx_parser *p, const struct ptx_function *f, const struct ptx_symbol *sym)
{
	const char *name = ptx_parse_show(p, sym->name);

	if (sym->is_ptr && !f->is_kernel) {
		ptx_parse_error(p, sym->at, ".ptr is for parameters of kernels only");
		return false;
	}
	if (isa_type_info[sym->type].cls == ISA_CLASS_OPAQUE && !f->is_kernel) {
		ptx_parse_error(p, sym->at, ".%s parameters are for kernels only", isa_type_info[sym->type].name);
		return false;
	}
	if (!f->is_kernel)
		return true;
	if (sym->kind == PTX_SYM_REG)
		ptx_parse_error(p, sym->at, "kernel parameter '%s' must be in .param space", name);
	else if (sym->n_dims && !sym->dims[0])
		ptx_parse_error(p, sym->at, "kernel parameter '%s' is an array without a size", name);
	else if (sym->vec > 1)
		ptx_parse_error(p, sym->at, "kernel parameter '%s' can't be a vector: expected an array", name);
	else
		return true;
	return false;
}

/* `( a, b, ... )`; adds to list. */
static bool parse_parameters(struct ptx_parser *p, struct ptx_function *f, struct ptx_symbols *list, bool is_return,
			     bool unnamed)
{
	ptx_parse_advance(p);
	if (ptx_parse_accept(p, ')'))
		return true;
	do {
		struct ptx_symbol *sym = ptx_parse_parameter(p, unnamed);

		if (!sym)
			return false;
		sym->is_return = is_return;
		check_entry_parameter(p, f, sym);
		if (list->n == PTX_MAX_ELEMS) {
			ptx_parse_error(p, sym->at, "more than %u parameters", PTX_MAX_ELEMS);
			return false;
		}
		PTX_GROW(*list);
		list->v[list->n++] = sym;
		if (!unnamed)
			ptx_parse_declare(p, sym);
	} while (ptx_parse_accept(p, ','));
	return ptx_parse_expect(p, ')', "',' or ')' after the parameter");
}

/* Bytes of a kernel's parameters (ISA "Kernel Function Parameters"): 4352, since PTX 8.1 on sm_70 and up 32764. */
static bool check_parameter_space(struct ptx_parser *p, const struct ptx_function *f)
{
	uint64_t end = 0, limit = ptx_parse_version_at_least(p, 8, 1) && p->m->sm >= 70 ? 32764 : 4352;

	for (uint32_t i = 0; i < f->n_params; i++)
		end = ((end + f->params[i]->align - 1) & ~(uint64_t)(f->params[i]->align - 1)) + f->params[i]->bytes;
	if (end <= limit)
		return true;
	ptx_parse_error(p, f->at, "the parameters of kernel '%s' take %llu bytes: at most %llu",
			ptx_parse_show(p, f->name), (unsigned long long)end, (unsigned long long)limit);
	return false;
}

static bool check_parameters(struct ptx_parser *p, const struct ptx_function *f)
{
	if (f->is_kernel)
		return check_parameter_space(p, f);
	for (uint32_t i = 0; i < f->n_params; i++) {
		const struct ptx_symbol *sym = f->params[i];

		if (i < f->n_returns && f->n_returns > 1 && sym->kind != PTX_SYM_REG) {
			ptx_parse_error(p, sym->at, "several results need .reg, not .param");
			return false;
		}
		if (sym->n_dims && !sym->dims[0] && i + 1 < f->n_params) {
			ptx_parse_error(p, sym->at, "parameter '%s' has no size: only the last may be open",
					ptx_parse_show(p, sym->name));
			return false;
		}
	}
	return true;
}

static void keep_parameters(struct ptx_parser *p, struct ptx_function *f, struct ptx_symbols *list, uint32_t n_returns)
{
	f->params = list->n ? PTX_POOL_COPY(p, *list) : POOL_NEW(&p->m->pool, struct ptx_symbol *); /* never NULL */
	f->n_params = (uint32_t)list->n;
	f->n_returns = n_returns;
	free(list->v);
}

/* ---- declaration and definition ---- */

static bool same_parameter(const struct ptx_symbol *a, const struct ptx_symbol *b)
{
	return a->kind == b->kind && a->type == b->type && a->vec == b->vec && a->n_dims == b->n_dims &&
	       a->bytes == b->bytes && a->align == b->align;
}

static bool check_prototypes(struct ptx_parser *p, const struct ptx_function *old, const struct ptx_function *f)
{
	const char *name = ptx_parse_show(p, f->name);

	if (old->is_kernel != f->is_kernel) {
		ptx_parse_error(p, f->at, "'%s' is both a kernel and a function", name);
		return false;
	}
	if (old->n_params != f->n_params || old->n_returns != f->n_returns) {
		ptx_parse_error(p, f->at, "'%s' was declared with %u parameters and %u results, here it has %u and %u",
				name, old->n_params - old->n_returns, old->n_returns, f->n_params - f->n_returns,
				f->n_returns);
		return false;
	}
	for (uint32_t i = 0; i < f->n_params; i++) {
		if (!same_parameter(old->params[i], f->params[i])) {
			ptx_parse_error(p, f->params[i]->at,
					"parameter '%s' differs from the earlier declaration of '%s'",
					ptx_parse_show(p, f->params[i]->name), name);
			return false;
		}
	}
	return true;
}

/* A definition repeats its declaration's linkage or leaves it out. */
static bool check_linkage(struct ptx_parser *p, const struct ptx_function *old, const struct ptx_function *f)
{
	static const char *const word[] = {"without linkage", ".extern", ".visible", ".weak", ".common"};

	if (f->linkage == old->linkage || (f->linkage == ISA_LINK_NONE && old->linkage != ISA_LINK_EXTERN))
		return true;
	ptx_parse_error(p, f->at, "'%s' was declared %s before, here it is %s", ptx_parse_show(p, f->name),
			word[old->linkage], word[f->linkage]);
	return false;
}

/* The later signature takes the place of the earlier declaration, so that all uses of a name refer to one function. */
static struct ptx_function *merge(struct ptx_function *old, struct ptx_function *f)
{
	struct ptx_function *next = old->next;
	struct ptx_symbol *sym = old->symbol;

	f->linkage = old->linkage;
	f->is_noreturn |= old->is_noreturn;
	*old = *f;
	old->next = next;
	old->symbol = sym;
	old->scope->function = old;
	sym->at = f->at;
	sym->linkage = f->linkage;
	return old;
}

static struct ptx_function *add_function(struct ptx_parser *p, struct ptx_function *f, const struct ptx_token *name)
{
	struct ptx_symbol *sym = ptx_parse_new_symbol(p, PTX_SYM_FUNCTION, name);

	sym->linkage = f->linkage;
	sym->function = f;
	f->symbol = sym;
	if (ptx_parse_declare(p, sym)) {
		*p->last_function = f;
		p->last_function = &f->next;
	}
	return f;
}

/* The module's function of this name: f itself, or an earlier declaration that now has f's signature. */
static struct ptx_function *enter_function(struct ptx_parser *p, struct ptx_function *f, const struct ptx_token *name,
					   bool has_body)
{
	struct ptx_symbol *old = ptx_scope_find_here(p->scope, f->name);

	if (!old || old->kind != PTX_SYM_FUNCTION)
		return add_function(p, f, name);
	f->symbol = old;
	if (old->function->has_body) {
		ptx_parse_error(p, f->at, "'%s' is already defined%s", ptx_parse_show(p, f->name),
				has_body ? "" : ": its declaration comes too late");
		return f;
	}
	return check_linkage(p, old->function, f) && check_prototypes(p, old->function, f) ? merge(old->function, f)
											   : f;
}

static bool parse_signature(struct ptx_parser *p, struct ptx_function *f, struct ptx_token *name)
{
	struct ptx_symbols list = {0};
	uint32_t n_returns = 0;
	bool ok = true;

	if (p->tok.kind == '(') {
		if (f->is_kernel) {
			ptx_parse_error(p, p->tok.at, "a kernel returns nothing: expected its name");
			return false;
		}
		ok = parse_parameters(p, f, &list, true, false);
		n_returns = (uint32_t)list.n;
	}
	if (ok) {
		*name = p->tok;
		ok = ptx_parse_declarable(p);
	}
	if (ok) {
		f->name = ptx_parse_slice(p, name);
		f->at = name->at;
		ptx_parse_advance(p);
		ok = p->tok.kind != '(' || parse_parameters(p, f, &list, false, false);
	}
	keep_parameters(p, f, &list, n_returns);
	return ok && check_parameters(p, f) && ptx_parse_directives(p, f);
}

/* `.attribute(.unified(..))` of a function has no meaning here */
static bool skip_attribute(struct ptx_parser *p)
{
	unsigned open = 0;

	if (ptx_parse_keyword(p, &p->tok) != KW_ATTRIBUTE)
		return true;
	ptx_parse_advance(p);
	do {
		open += p->tok.kind == '(';
		open -= p->tok.kind == ')' && open;
		if (!open && p->tok.kind != ')')
			return ptx_parse_unexpected(p, "'(' after .attribute");
		if (p->tok.kind == PTX_TOK_END || p->tok.kind == ';')
			return ptx_parse_unexpected(p, "')'");
		ptx_parse_advance(p);
	} while (open);
	return true;
}

bool ptx_parse_function(struct ptx_parser *p, enum isa_linkage linkage)
{
	struct ptx_function *f = POOL_NEW(&p->m->pool, struct ptx_function);
	struct ptx_token name = {0};

	if (linkage == ISA_LINK_COMMON) {
		ptx_parse_error(p, p->tok.at, ".common is for variables: expected .visible, .extern or .weak");
		return false;
	}
	f->is_kernel = ptx_parse_keyword(p, &p->tok) == KW_ENTRY;
	f->linkage = (uint8_t)linkage;
	f->scope = ptx_scope_new(p->m, p->m->scope, f);
	ptx_parse_advance(p);
	if (!skip_attribute(p))
		return false;
	p->fn = f;
	ptx_parse_enter(p, f->scope);
	bool ok = parse_signature(p, f, &name), has_body = p->tok.kind == '{';

	ptx_parse_leave(p);
	p->fn = NULL;
	if (!ok)
		return false;
	if (!has_body && p->tok.kind != ';')
		return ptx_parse_unexpected(p, "'{' or ';' after the function's head");
	if (has_body && linkage == ISA_LINK_EXTERN)
		ptx_parse_error(p, f->at, "'%s' is .extern: it can't have a body here", ptx_parse_show(p, f->name));
	f = enter_function(p, f, &name, has_body);
	f->end = p->tok.at + 1;
	if (!has_body) {
		ptx_parse_advance(p);
		return true;
	}
	f->has_body = true;
	ptx_parse_body(p, f);
	return true;
}

/* ---- .alias ---- */

static struct ptx_symbol *alias_name(struct ptx_parser *p)
{
	if (p->tok.kind != PTX_TOK_NAME) {
		ptx_parse_unexpected(p, "a function's name");
		return NULL;
	}
	struct ptx_symbol *sym = ptx_scope_find_here(p->m->scope, ptx_parse_slice(p, &p->tok));

	if (!sym || sym->kind != PTX_SYM_FUNCTION || sym->function->is_kernel) {
		ptx_parse_error(p, p->tok.at, "'%s' is not a declared function",
				ptx_parse_show(p, ptx_parse_slice(p, &p->tok)));
		return NULL;
	}
	ptx_parse_advance(p);
	return sym;
}

bool ptx_parse_alias(struct ptx_parser *p)
{
	if (!ptx_parse_version_at_least(p, 6, 3))
		ptx_parse_error(p, p->tok.at, ".alias needs .version 6.3 or later");
	ptx_parse_advance(p);
	ptx_offset at = p->tok.at;
	struct ptx_symbol *alias = alias_name(p), *target;

	if (!alias || !ptx_parse_expect(p, ',', "',' between the alias and its function"))
		return false;
	target = alias_name(p);
	if (!target)
		return false;
	if (alias->function->has_body)
		ptx_parse_error(p, at, "'%s' has a body: an alias is only declared", ptx_parse_show(p, alias->name));
	else if (!target->function->has_body)
		ptx_parse_error(p, at, "'%s' has no body: an alias needs a defined function",
				ptx_parse_show(p, target->name));
	else if (check_prototypes(p, alias->function, target->function)) {
		alias->kind = PTX_SYM_ALIAS;
		alias->function = target->function;
	}
	return ptx_parse_expect(p, ';', "';' after .alias");
}

/* ---- .callprototype ---- */

struct ptx_function *ptx_parse_prototype(struct ptx_parser *p)
{
	struct ptx_function *f = POOL_NEW(&p->m->pool, struct ptx_function);
	struct ptx_symbols list = {0};
	uint32_t n_returns = 0;
	bool ok = true;

	f->at = p->tok.at;
	if (p->tok.kind == '(') {
		ok = parse_parameters(p, f, &list, true, true);
		n_returns = (uint32_t)list.n;
	}
	if (ok && !(p->tok.kind == PTX_TOK_NAME && ptx_slice_is(ptx_parse_slice(p, &p->tok), "_")))
		ok = ptx_parse_unexpected(p, "'_', the place of the name, in a prototype");
	if (ok) {
		f->name = ptx_parse_slice(p, &p->tok);
		ptx_parse_advance(p);
		ok = p->tok.kind != '(' || parse_parameters(p, f, &list, false, true);
	}
	keep_parameters(p, f, &list, n_returns);
	return ok && ptx_parse_directives(p, f) ? f : NULL;
}
