/* Declarations of variables, registers and parameters (ISA "State Spaces", "Variables"). */
#include "ptx/dialect.h"
#include "ptx/parse.h"

#include "base/text.h"

#define DIMS_MAX 16u
#define VECTOR_BYTES_MAX 16u
#define VARIABLES_MAX 4096u /* of one name<N> */

/* What stands between the state space and the names. */
struct declarator {
	enum ptx_keyword space;
	uint8_t isa_space, type, vec;
	uint32_t align; /* 0: not given */
	bool is_managed, is_ptr;
	uint8_t ptr_space;
	uint32_t ptr_align;
	ptx_offset at;
};

bool ptx_parse_is_space(enum ptx_keyword k) { return k >= KW_REG && k <= KW_SURF; }

static uint8_t space_of(enum ptx_keyword k)
{
	switch (k) {
	case KW_SHARED: return ISA_SPACE_SHARED;
	case KW_LOCAL: return ISA_SPACE_LOCAL;
	case KW_CONST: return ISA_SPACE_CONST;
	case KW_PARAM: return ISA_SPACE_PARAM;
	case KW_GLOBAL:
	case KW_TEX:
	case KW_SURF: return ISA_SPACE_GLOBAL;
	default: return ISA_SPACE_GENERIC;
	}
}

static bool parse_align(struct ptx_parser *p, uint32_t *align)
{
	ptx_parse_advance(p);
	ptx_offset at = p->tok.at;

	if (!ptx_parse_u32(p, align, "an alignment in bytes"))
		return false;
	if (!*align || (*align & (*align - 1))) {
		ptx_parse_error(p, at, "alignment %u: expected a power of two", *align);
		return false;
	}
	return true;
}

/* .attribute(.managed), .attribute(.unified(LOW, HIGH)), or a list of them */
static bool parse_attribute(struct ptx_parser *p, struct declarator *d)
{
	ptx_parse_advance(p);
	if (!ptx_parse_expect(p, '(', "'(' after .attribute"))
		return false;
	do {
		struct ptx_slice s = ptx_parse_slice(p, &p->tok);

		if (ptx_slice_is(s, ".managed")) {
			d->is_managed = true;
			ptx_parse_advance(p);
		} else if (ptx_slice_is(s, ".unified")) {
			struct ptx_value v;

			if (p->m->sm < 90)
				ptx_parse_error(p, p->tok.at, ".unified needs .target sm_90 or later");
			ptx_parse_advance(p);
			if (!ptx_parse_expect(p, '(', "'(' after .unified") || !ptx_parse_const_int(p, &v) ||
			    !ptx_parse_expect(p, ',', "','") || !ptx_parse_const_int(p, &v) ||
			    !ptx_parse_expect(p, ')', "')'"))
				return false;
		} else {
			return ptx_parse_unexpected(p, ".managed or .unified");
		}
	} while (ptx_parse_accept(p, ','));
	return ptx_parse_expect(p, ')', "')' after the attribute");
}

/* `.const[2]`: numbered banks, PTX 1.5 to 2.1 */
static bool parse_bank(struct ptx_parser *p)
{
	uint32_t bank;
	ptx_offset at = p->tok.at;

	if (!ptx_parse_accept(p, '['))
		return true;
	if (p->tok.kind == PTX_TOK_INT && !ptx_parse_u32(p, &bank, "a bank number"))
		return false;
	if (ptx_parse_version_at_least(p, 2, 2) || !ptx_parse_version_at_least(p, 1, 5))
		ptx_parse_error(p, at, "PTX has constant banks from 1.5 to 2.1 only: expected a type");
	return ptx_parse_expect(p, ']', "']' after the bank number");
}

/* A vector has at most 16 bytes and 4 elements. */
static bool check_vector(struct ptx_parser *p, const struct declarator *d, ptx_offset at)
{
	unsigned bytes = isa_type_bytes((enum isa_type)d->type);

	if (d->vec == 1)
		return true;
	if (!bytes || d->type == ISA_PRED) {
		ptx_parse_error(p, at, "no vectors of type .%s", isa_type_info[d->type].name);
		return false;
	}
	if (bytes * d->vec > VECTOR_BYTES_MAX) {
		ptx_parse_error(p, at, "a .v%u of .%s has %u bytes, vectors have at most %u", d->vec,
				isa_type_info[d->type].name, bytes * d->vec, VECTOR_BYTES_MAX);
		return false;
	}
	return true;
}

/* Types that only instructions have: packed and small formats. */
static bool is_storage_type(unsigned t)
{
	switch (t) {
	case ISA_PRED:
	case ISA_B8:
	case ISA_U8:
	case ISA_S8:
	case ISA_B16:
	case ISA_U16:
	case ISA_S16:
	case ISA_F16:
	case ISA_B32:
	case ISA_U32:
	case ISA_S32:
	case ISA_F32:
	case ISA_F16X2:
	case ISA_B64:
	case ISA_U64:
	case ISA_S64:
	case ISA_F64:
	case ISA_B128:
	case ISA_TEXREF:
	case ISA_SAMPLERREF:
	case ISA_SURFREF: return true;
	default: return false;
	}
}

static bool parse_type(struct ptx_parser *p, struct declarator *d)
{
	struct ptx_slice s = ptx_parse_slice(p, &p->tok);

	if (p->tok.kind != PTX_TOK_DIRECTIVE)
		return ptx_parse_unexpected(p, "a type like .u32");
	d->type = (uint8_t)isa_type_find(s.s + 1, s.n - 1);
	if (d->type == ISA_NOTYPE)
		return ptx_parse_unexpected(p, "a type like .u32");
	if (!is_storage_type(d->type)) {
		ptx_parse_error(p, p->tok.at, "%.*s is a type of instructions only: expected a type like .b%u",
				(int)s.n, s.s, 8 * isa_type_bytes((enum isa_type)d->type));
		return false;
	}
	if (d->type == ISA_B128 && !ptx_parse_version_at_least(p, 8, 3))
		ptx_parse_error(p, p->tok.at, ".b128 needs .version 8.3 or later");
	ptx_parse_advance(p);
	return true;
}

static bool parse_ptr(struct ptx_parser *p, struct declarator *d)
{
	ptx_parse_advance(p);
	d->is_ptr = true;
	enum ptx_keyword k = ptx_parse_keyword(p, &p->tok);

	if (k == KW_GLOBAL || k == KW_SHARED || k == KW_LOCAL || k == KW_CONST) {
		d->ptr_space = space_of(k);
		ptx_parse_advance(p);
	}
	return ptx_parse_keyword(p, &p->tok) != KW_ALIGN || parse_align(p, &d->ptr_align);
}

/* From the state space to the type. */
static bool parse_declarator(struct ptx_parser *p, struct declarator *d)
{
	*d = (struct declarator){.space = ptx_parse_keyword(p, &p->tok), .vec = 1, .at = p->tok.at};
	d->isa_space = space_of(d->space);
	ptx_parse_advance(p);
	if (d->space == KW_CONST && !parse_bank(p))
		return false;
	for (;;) {
		enum ptx_keyword k = ptx_parse_keyword(p, &p->tok);

		if (k == KW_ALIGN ? !parse_align(p, &d->align) : k == KW_ATTRIBUTE ? !parse_attribute(p, d) : false)
			return false;
		if (k != KW_ALIGN && k != KW_ATTRIBUTE)
			break;
	}
	enum ptx_keyword v = ptx_parse_keyword(p, &p->tok);
	ptx_offset at = p->tok.at;

	if (v == KW_V2 || v == KW_V4) {
		d->vec = v == KW_V2 ? 2 : 4;
		ptx_parse_advance(p);
	} else if (v == KW_V3) {
		ptx_parse_error(p, at, "no vectors of 3: expected .v2 or .v4");
		return false;
	}
	return parse_type(p, d) && check_vector(p, d, at);
}

/* ---- names, ranges, arrays ---- */

/* `<N>` after a register's name; a range of 0 declares nothing. */
static bool parse_range(struct ptx_parser *p, struct ptx_symbol *sym, bool *empty)
{
	*empty = false;
	if (!ptx_parse_accept(p, '<'))
		return true;
	ptx_offset at = p->tok.at;

	if (ptx_slice_is(ptx_parse_slice(p, &p->tok), "WARP_SZ")) {
		sym->count = 32;
		ptx_parse_advance(p);
	} else if (!ptx_parse_u32(p, &sym->count, "the number of registers")) {
		return false;
	}
	if (sym->count > PTX_MAX_RANGE) {
		ptx_parse_error(p, at, "%u registers are too many: at most %u", sym->count, PTX_MAX_RANGE);
		return false;
	}
	*empty = !sym->count;
	return ptx_parse_expect(p, '>', "'>' after the number of registers");
}

static bool parse_dim(struct ptx_parser *p, uint64_t *dim, bool is_first)
{
	ptx_parse_advance(p);
	*dim = 0;
	if (is_first && ptx_parse_accept(p, ']'))
		return true;
	if (p->tok.kind == PTX_TOK_NAME && ptx_slice_is(ptx_parse_slice(p, &p->tok), "WARP_SZ")) {
		*dim = 32;
		ptx_parse_advance(p);
		return ptx_parse_expect(p, ']', "']' after the dimension");
	}
	if (p->tok.kind != PTX_TOK_INT)
		return ptx_parse_unexpected(p, "an array dimension");
	if (p->tok.overflow)
		ptx_diag(p->m, DIAG_WARNING, p->tok.at,
			 "of a dimension beyond 64 bits the low ones count, as with ptxas: %llu",
			 (unsigned long long)p->tok.bits);
	if (!p->tok.bits && !is_first) {
		ptx_parse_error(p, p->tok.at, "an array dimension of 0: only the first may be left open");
		return false;
	}
	*dim = p->tok.bits;
	ptx_parse_advance(p);
	return ptx_parse_expect(p, ']', "']' after the dimension");
}

static bool parse_dims(struct ptx_parser *p, struct ptx_symbol *sym)
{
	uint64_t dims[DIMS_MAX];

	while (p->tok.kind == '[') {
		if (sym->n_dims == DIMS_MAX) {
			ptx_parse_error(p, p->tok.at, "more than %u array dimensions", DIMS_MAX);
			return false;
		}
		if (!parse_dim(p, &dims[sym->n_dims], !sym->n_dims))
			return false;
		sym->n_dims++;
	}
	if (sym->n_dims)
		sym->dims = pool_dup(&p->m->pool, dims, sym->n_dims * sizeof(*dims));
	return true;
}

/* Fills bytes from the type, the vector and the dimensions; false (reported) if that is more than an address can count. */
static bool compute_size(struct ptx_parser *p, struct ptx_symbol *sym)
{
	uint64_t bytes = (uint64_t)isa_type_bytes((enum isa_type)sym->type) * sym->vec;
	bool over = false;

	if (isa_type_info[sym->type].cls == ISA_CLASS_OPAQUE && !bytes)
		bytes = 8;
	for (uint32_t i = 0; i < sym->n_dims; i++)
		over |= __builtin_mul_overflow(bytes, sym->dims[i], &bytes);
	if (over || bytes > UINT64_C(1) << 40) {
		ptx_parse_error(p, sym->at, "'%s' is too big: at most 1 TB", ptx_parse_show(p, sym->name));
		return false;
	}
	sym->bytes = bytes;
	return true;
}

static uint32_t natural_align(const struct ptx_symbol *sym)
{
	uint32_t bytes = isa_type_bytes((enum isa_type)sym->type) * sym->vec;

	return bytes ? bytes : sym->type == ISA_PRED ? 1 : 8;
}

static struct ptx_symbol *new_declared(struct ptx_parser *p, const struct declarator *d, const struct ptx_token *name)
{
	struct ptx_symbol *sym = ptx_parse_new_symbol(
		p, d->space == KW_REG ? PTX_SYM_REG : PTX_SYM_VARIABLE, name);

	sym->type = d->type;
	sym->vec = d->vec;
	sym->space = d->isa_space;
	sym->is_managed = d->is_managed;
	sym->is_ptr = d->is_ptr;
	sym->ptr_space = d->ptr_space;
	sym->align = d->align ? d->align : natural_align(sym);
	return sym;
}

/* ---- rules of the state spaces ---- */

static bool check_space(struct ptx_parser *p, const struct declarator *d)
{
	if (d->type == ISA_PRED && d->space != KW_REG) {
		ptx_parse_error(p, d->at, "predicates live in registers: expected .reg .pred");
		return false;
	}
	if (!p->fn && (d->space == KW_REG || d->space == KW_LOCAL || d->space == KW_PARAM) &&
	    (d->space == KW_PARAM || ptx_parse_version_at_least(p, 3, 0))) {
		ptx_parse_error(p, d->at, "%s variables belong inside functions",
				d->space == KW_REG     ? ".reg"
				: d->space == KW_LOCAL ? ".local"
						       : ".param");
		return false;
	}
	if (d->space == KW_SREG) {
		ptx_parse_error(p, d->at, "special registers are predefined: expected another state space than .sreg");
		return false;
	}
	if (d->space == KW_SURF || (d->space == KW_TEX && ptx_parse_version_at_least(p, 1, 5))) {
		ptx_parse_error(p, d->at, "%s variables are gone since PTX 1.5: expected .global .%s",
				d->space == KW_TEX ? ".tex" : ".surf", d->space == KW_TEX ? "texref" : "surfref");
		return false;
	}
	if (p->fn && d->space == KW_PARAM && !ptx_parse_version_at_least(p, 2, 0)) {
		ptx_parse_error(p, d->at, ".param variables of a function's body need .version 2.0 or later");
		return false;
	}
	if (d->is_managed && d->space != KW_GLOBAL) {
		ptx_parse_error(p, d->at, ".attribute(.managed) is for .global variables only");
		return false;
	}
	if (d->type == ISA_SAMPLERREF && !p->m->texmode_independent) {
		ptx_parse_error(p, d->at, ".samplerref variables need texmode_independent in .target");
		return false;
	}
	if (isa_type_info[d->type].cls == ISA_CLASS_OPAQUE && (p->fn || d->space != KW_GLOBAL)) {
		ptx_parse_error(p, d->at, ".%s variables are .global ones of the module, or kernel parameters",
				isa_type_info[d->type].name);
		return false;
	}
	return true;
}

static void old_texture(const struct declarator *d, struct ptx_symbol *sym)
{
	if (d->space == KW_TEX) {
		sym->type = ISA_TEXREF;
		sym->bytes = 8;
		sym->align = 8;
	}
}

/* An .extern earlier in the file and its definition, or another .extern, are the same variable. */
static bool merge_extern(struct ptx_parser *p, struct ptx_symbol *old, const struct ptx_symbol *sym)
{
	if (p->fn || old->kind != PTX_SYM_VARIABLE ||
	    (old->linkage != ISA_LINK_EXTERN && sym->linkage != ISA_LINK_EXTERN))
		return false;
	const char *name = ptx_parse_show(p, sym->name);

	if (old->type != sym->type || old->vec != sym->vec || old->space != sym->space || old->n_dims != sym->n_dims ||
	    (old->bytes && sym->bytes && old->bytes != sym->bytes)) {
		ptx_parse_error(p, sym->at, "'%s' was declared before with another type, size or state space", name);
		return true;
	}
	if (sym->linkage == ISA_LINK_NONE || old->linkage == ISA_LINK_NONE) {
		ptx_parse_error(p, sym->at, "'%s' is .extern in one place and private in another: expected .visible",
				name);
		return true;
	}
	if (sym->linkage != ISA_LINK_EXTERN) {
		old->linkage = sym->linkage;
		old->init = sym->init;
		old->dims = sym->dims;
		old->bytes = sym->bytes;
		old->at = sym->at;
	}
	old->align = old->align > sym->align ? old->align : sym->align;
	return true;
}

static bool check_variable(struct ptx_parser *p, const struct declarator *d, const struct ptx_symbol *sym)
{
	const char *name = ptx_parse_show(p, sym->name);

	if (sym->n_dims && !sym->dims[0] && sym->linkage != ISA_LINK_EXTERN && !p->m->dialect) {
		ptx_parse_error(p, sym->at, "array '%s' needs a size or an initialiser, unless it is .extern", name);
		return false;
	}
	if (sym->linkage == ISA_LINK_COMMON && d->space != KW_GLOBAL) {
		ptx_parse_error(p, sym->at, ".common is for .global variables only");
		return false;
	}
	return true;
}

static bool check_init(struct ptx_parser *p, const struct declarator *d, const struct ptx_symbol *sym)
{
	if (d->space != KW_GLOBAL && d->space != KW_CONST) {
		ptx_parse_error(p, p->tok.at,
				"no initial value is allowed for '%s': only .global and .const variables have one",
				ptx_parse_show(p, sym->name));
		return false;
	}
	if (sym->linkage == ISA_LINK_EXTERN) {
		ptx_parse_error(p, p->tok.at, "no initial value is allowed for '%s': it is .extern",
				ptx_parse_show(p, sym->name));
		return false;
	}
	return true;
}

static bool parse_register(struct ptx_parser *p, const struct declarator *d)
{
	struct ptx_token name = p->tok;
	bool empty;

	if (!ptx_parse_declarable(p))
		return false;
	ptx_parse_advance(p);
	struct ptx_symbol *sym = new_declared(p, d, &name);

	if (p->m->dialect)
		sym->type = (uint8_t)p->m->dialect->register_type((enum isa_type)sym->type);
	if (!parse_range(p, sym, &empty))
		return false;
	if (p->tok.kind == '[') {
		ptx_parse_error(p, p->tok.at, "registers can't be arrays: expected %s<N>",
				ptx_parse_show(p, sym->name));
		return false;
	}
	if (p->tok.kind == '=') {
		ptx_parse_error(p, p->tok.at, "registers have no initial value");
		return false;
	}
	if (!empty)
		ptx_parse_declare(p, sym);
	return true;
}

/* `name<N>` of variables: N of their own. */
static bool declare_each(struct ptx_parser *p, const struct ptx_symbol *sym)
{
	if (sym->count > VARIABLES_MAX) {
		ptx_parse_error(p, sym->at, "%u variables are too many: at most %u", sym->count, VARIABLES_MAX);
		return false;
	}
	for (uint32_t i = 0; i < sym->count; i++) {
		struct ptx_symbol *one = pool_dup(&p->m->pool, sym, sizeof(*sym));
		struct text name = {0};

		text_addn(&name, sym->name.s, sym->name.n);
		text_addf(&name, "%u", i);
		one->name = (struct ptx_slice){pool_strn(&p->m->pool, name.s, name.n), (uint32_t)name.n};
		one->count = 0;
		text_free(&name);
		if (!ptx_parse_declare(p, one))
			return true;
	}
	return true;
}

static bool parse_variable(struct ptx_parser *p, const struct declarator *d, enum isa_linkage linkage)
{
	struct ptx_token name = p->tok;
	bool empty;

	if (!ptx_parse_declarable(p))
		return false;
	ptx_parse_advance(p);
	struct ptx_symbol *sym = new_declared(p, d, &name), *old;

	sym->linkage = (uint8_t)linkage;
	if (!parse_range(p, sym, &empty) || !parse_dims(p, sym) || !compute_size(p, sym))
		return false;
	old_texture(d, sym);
	if (p->tok.kind == '=' && !sym->count && !empty) {
		if (!check_init(p, d, sym))
			return false;
		ptx_parse_advance(p);
		if (!ptx_parse_init(p, sym) || !compute_size(p, sym))
			return false;
	}
	if (!check_variable(p, d, sym))
		return true;
	if (sym->count)
		return declare_each(p, sym);
	old = ptx_scope_find_here(p->scope, sym->name);
	if (!empty && (!old || !merge_extern(p, old, sym)))
		ptx_parse_declare(p, sym);
	return true;
}

bool ptx_parse_variables(struct ptx_parser *p, enum isa_linkage linkage)
{
	struct declarator d, before = {0};

	while (ptx_parse_keyword(p, &p->tok) == KW_ATTRIBUTE)
		if (!parse_attribute(p, &before))
			return false;
	if (!ptx_parse_is_space(ptx_parse_keyword(p, &p->tok)))
		return ptx_parse_unexpected(p, "a state space");
	if (!parse_declarator(p, &d))
		return false;
	d.is_managed |= before.is_managed;
	if (!check_space(p, &d))
		return false;
	if (ptx_parse_accept(p, ';')) /* declares nothing */
		return true;
	do {
		if (d.space == KW_REG ? !parse_register(p, &d) : !parse_variable(p, &d, linkage))
			return false;
	} while (ptx_parse_accept(p, ','));
	return ptx_parse_expect(p, ';', "';' after the declaration");
}

struct ptx_symbol *ptx_parse_parameter(struct ptx_parser *p, bool unnamed)
{
	struct declarator d;
	enum ptx_keyword k = ptx_parse_keyword(p, &p->tok);

	if (k != KW_PARAM && k != KW_REG) {
		ptx_parse_unexpected(p, "a parameter: .param or .reg");
		return NULL;
	}
	if (!parse_declarator(p, &d) || (ptx_parse_keyword(p, &p->tok) == KW_PTR && !parse_ptr(p, &d)))
		return NULL;
	if (d.type == ISA_PRED && d.space != KW_REG) {
		ptx_parse_error(p, d.at, "predicates live in registers: expected .reg .pred");
		return NULL;
	}
	bool sink = unnamed && p->tok.kind == PTX_TOK_NAME && ptx_slice_is(ptx_parse_slice(p, &p->tok), "_");

	if (!sink && !ptx_parse_declarable(p))
		return NULL;
	struct ptx_symbol *sym = new_declared(p, &d, &p->tok);

	ptx_parse_advance(p);
	sym->is_param = true;
	if (!parse_dims(p, sym) || !compute_size(p, sym))
		return NULL;
	if (sym->n_dims > 1) {
		ptx_parse_error(p, sym->at, "a parameter has one array dimension at most");
		return NULL;
	}
	if (d.ptr_align && !d.align && sym->is_ptr)
		sym->align = natural_align(sym);
	return sym;
}
