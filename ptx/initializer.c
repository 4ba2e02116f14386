/* Initialisers (ISA "Initializers"): nested braces of constants and addresses, flattened to offsets and values.
 *
 * Every dimension, and a vector as the innermost one, has its own pair of braces; missing elements are zero. */
#include "ptx/parse.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct items {
	struct ptx_init_item *v;
	size_t n, cap;
};

struct init {
	struct ptx_parser *p;
	struct ptx_symbol *sym;
	struct items items;
	uint8_t *bytes; /* of plain values */
	size_t n_bytes, cap_bytes;
	uint32_t levels;    /* dimensions, a vector counted as one */
	uint64_t top_count; /* elements written at the outermost level */
};

static bool add_address(struct init *in, struct ptx_init_item item)
{
	PTX_GROW(in->items);
	in->items.v[in->items.n++] = item;
	return true;
}

/* Writes a value of n bytes, of which only the low 8 are not zero (as ptxas fills .b128); grows the image only for what is not zero. */
static bool add_value(struct init *in, uint64_t offset, uint64_t bits, unsigned n, ptx_offset at)
{
	if (!bits)
		return true;
	if (offset >= PTX_INIT_BYTES_MAX) {
		ptx_parse_error(in->p, at, "'%s' is too big to have initial values: at most %u MB",
				ptx_parse_show(in->p, in->sym->name), (unsigned)(PTX_INIT_BYTES_MAX >> 20));
		return false;
	}
	if (offset + n > in->n_bytes) {
		in->bytes = xgrow(in->bytes, &in->cap_bytes, offset + n, 1);
		memset(in->bytes + in->n_bytes, 0, offset + n - in->n_bytes);
		in->n_bytes = offset + n;
	}
	assert(in->bytes);
	memcpy(in->bytes + offset, &bits, n < sizeof bits ? n : sizeof bits);
	return true;
}

/* ---- values ---- */

static uint64_t mask_bytes(uint64_t bits, unsigned bytes)
{
	return bytes >= 8 ? bits : bits & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* A floating-point value for untyped bits: a 0f literal is its pattern, any other value is single precision where 32 bits take
 * it, else double (of which .b8 and .b16 keep the low bits), as ptxas has it. */
static uint64_t float_bits(const struct ptx_value *v, unsigned bytes)
{
	double d = ptx_value_f64(v);
	float f = (float)d;
	uint64_t bits = 0;

	if (v->kind == PTX_VALUE_F32_BITS)
		return v->bits;
	if (bytes == 4)
		memcpy(&bits, &f, 4);
	else
		memcpy(&bits, &d, 8);
	return bits;
}

static bool value_bits(struct init *in, ptx_offset at, const struct ptx_value *v, uint64_t *bits)
{
	enum isa_type t = (enum isa_type)in->sym->type;
	bool is_int = v->kind == PTX_VALUE_S64 || v->kind == PTX_VALUE_U64;

	if (isa_type_info[t].cls == ISA_CLASS_BITS && !is_int) {
		*bits = mask_bytes(float_bits(v, isa_type_bytes(t)), isa_type_bytes(t));
		return true;
	}
	if (t == ISA_F32 || t == ISA_F64) {
		if (is_int) {
			ptx_parse_error(in->p, at,
					"expected a floating-point value for a .%s variable, like 1.0 or 0f3F800000",
					isa_type_info[t].name);
			return false;
		}
		double d = ptx_value_f64(v);
		float f = (float)d;

		*bits = 0;
		if (t == ISA_F64)
			*bits = v->kind == PTX_VALUE_F32_BITS ? 0 : v->bits;
		if (t == ISA_F64 && v->kind == PTX_VALUE_F32_BITS)
			memcpy(bits, &d, 8);
		if (t == ISA_F32)
			memcpy(bits, &f, 4);
		if (t == ISA_F32 && v->kind == PTX_VALUE_F32_BITS)
			*bits = v->bits; /* keeps NaN payloads */
		return true;
	}
	if (isa_type_info[t].cls == ISA_CLASS_FLOAT || isa_type_info[t].cls == ISA_CLASS_OPAQUE) {
		ptx_parse_error(in->p, at, "no initial value is allowed for type .%s", isa_type_info[t].name);
		return false;
	}
	if (!is_int) {
		ptx_parse_error(in->p, at, "expected an integer for a .%s variable, found a floating-point value",
				isa_type_info[t].name);
		return false;
	}
	*bits = mask_bytes(v->bits, isa_type_bytes(t));
	return true;
}

/* Initial values of addresses: the symbol must be in a space that has addresses when the module loads. */
static bool address_symbol(struct init *in, struct ptx_init_item *item)
{
	struct ptx_parser *p = in->p;
	uint32_t number;

	if (p->tok.kind != PTX_TOK_NAME)
		return ptx_parse_unexpected(p, "the name of a variable or function");
	struct ptx_symbol *sym = ptx_parse_resolve(p, &p->tok, &number);
	const char *name = ptx_parse_show(p, ptx_parse_slice(p, &p->tok));

	if (!sym) {
		ptx_parse_error(p, p->tok.at,
				"'%s' is not declared: an initialiser names earlier variables or functions", name);
		return false;
	}
	if (sym->kind == PTX_SYM_FUNCTION || sym->kind == PTX_SYM_ALIAS) {
		if (item->generic) {
			ptx_parse_error(p, p->tok.at, "generic() is for variables: '%s' is a function", name);
			return false;
		}
	} else if (sym->kind != PTX_SYM_VARIABLE || (sym->space != ISA_SPACE_GLOBAL && sym->space != ISA_SPACE_CONST)) {
		ptx_parse_error(p, p->tok.at, "the address of '%s' is not known when the module is loaded", name);
		return false;
	}
	item->symbol = sym;
	ptx_parse_advance(p);
	return true;
}

/* NAME, generic(NAME), with an optional displacement */
static bool parse_address(struct init *in, struct ptx_init_item *item)
{
	struct ptx_parser *p = in->p;
	struct ptx_value v;

	item->generic = p->tok.kind == PTX_TOK_NAME && ptx_slice_is(ptx_parse_slice(p, &p->tok), "generic");
	if (item->generic) {
		ptx_parse_advance(p);
		if (!ptx_parse_expect(p, '(', "'(' after generic") || !address_symbol(in, item) ||
		    !ptx_parse_expect(p, ')', "')' after the name"))
			return false;
	} else if (!address_symbol(in, item)) {
		return false;
	}
	item->bits = 0;
	if (!ptx_parse_accept(p, '+'))
		return true;
	if (!ptx_parse_const_int(p, &v))
		return false;
	item->bits = v.bits;
	return true;
}

/* 0xFF00(address): one byte of it */
static bool parse_masked(struct init *in, struct ptx_init_item *item, const struct ptx_value *mask, ptx_offset at)
{
	struct ptx_parser *p = in->p;
	unsigned k = 0;

	while (k < 8 && mask->bits != UINT64_C(0xff) << 8 * k)
		k++;
	if (k == 8 || (mask->kind != PTX_VALUE_S64 && mask->kind != PTX_VALUE_U64)) {
		ptx_parse_error(
			p, at, "a mask selects one byte of the address: expected 0xFF, 0xFF00, ... 0xFF00000000000000");
		return false;
	}
	if (in->sym->type != ISA_U8 && in->sym->type != ISA_U32 && in->sym->type != ISA_U64) {
		ptx_parse_error(p, at, "one byte of an address is for .u8, .u32 and .u64 elements, not .%s ones",
				isa_type_info[in->sym->type].name);
		return false;
	}
	item->mask_shift = (uint8_t)k;
	ptx_parse_advance(p);
	return parse_address(in, item) && ptx_parse_expect(p, ')', "')' after the address");
}

static bool check_address_size(struct init *in, const struct ptx_init_item *item)
{
	const struct isa_type_info *t = &isa_type_info[in->sym->type];

	if (item->mask_shift != 0xff || in->sym->type == ISA_U32 || in->sym->type == ISA_U64)
		return true;
	ptx_parse_error(in->p, item->at, "an address does not fit a .%s element: expected .u64 or .u32", t->name);
	return false;
}

static bool parse_scalar(struct init *in, uint64_t offset)
{
	struct ptx_parser *p = in->p;
	struct ptx_init_item item = {.offset = offset, .at = p->tok.at, .type = in->sym->type, .mask_shift = 0xff};
	struct ptx_value v;

	if (p->tok.kind == PTX_TOK_STRING) {
		ptx_parse_error(p, p->tok.at, "strings are no initialisers: expected a list of .b8 values");
		return false;
	}
	if (p->tok.kind == PTX_TOK_NAME && !ptx_slice_is(ptx_parse_slice(p, &p->tok), "WARP_SZ"))
		return parse_address(in, &item) && check_address_size(in, &item) && add_address(in, item);
	if (!ptx_parse_const(p, &v))
		return false;
	if (p->tok.kind == '(')
		return parse_masked(in, &item, &v, item.at) && add_address(in, item);
	return value_bits(in, item.at, &v, &item.bits) &&
	       add_value(in, offset, item.bits, isa_type_bytes((enum isa_type)in->sym->type), item.at);
}

/* ---- braces ---- */

static uint64_t level_count(const struct init *in, uint32_t level)
{
	return level < in->sym->n_dims ? in->sym->dims[level] : in->sym->vec;
}

/* Bytes of one element of a level. */
static uint64_t level_stride(const struct init *in, uint32_t level)
{
	uint64_t bytes = isa_type_bytes((enum isa_type)in->sym->type);

	for (uint32_t k = level + 1; k < in->levels; k++)
		bytes *= level_count(in, k);
	return bytes;
}

static bool parse_level(struct init *in, uint32_t level, uint64_t offset)
{
	struct ptx_parser *p = in->p;
	uint64_t n = 0, count, stride;

	if (level == in->levels) {
		if (p->tok.kind == '{')
			return ptx_parse_unexpected(p, level ? "a value: there are no more dimensions"
							     : "a value without braces");
		return parse_scalar(in, offset);
	}
	count = level_count(in, level);
	stride = level_stride(in, level);
	if (!ptx_parse_expect(p, '{', "'{': every dimension has its own braces"))
		return false;
	p->open_braces++;
	while (p->tok.kind != '}') {
		if (n == count && (level || count)) {
			ptx_parse_error(p, p->tok.at, "more initial values than the %llu elements of this dimension",
					(unsigned long long)count);
			return false;
		}
		if (!parse_level(in, level + 1, offset + n++ * stride))
			return false;
		if (!ptx_parse_accept(p, ','))
			break;
		if (p->tok.kind == '}')
			return ptx_parse_unexpected(p, "a value after ','");
	}
	if (level >= in->sym->n_dims && n < count) {
		ptx_parse_error(p, p->tok.at, "a vector of %llu elements needs a value for each", (unsigned long long)count);
		return false;
	}
	if (!level)
		in->top_count = n;
	p->open_braces -= p->tok.kind == '}';
	return ptx_parse_expect(p, '}', "',' or '}' in the initialiser");
}

/* ---- samplers and textures: `{ addr_mode_0 = wrap, width = 4 }` ---- */

static const char field_names[] =
	" filter_mode addr_mode_0 addr_mode_1 addr_mode_2 width height depth channel_data_type channel_order "
	"normalized_coords force_unnormalized_coords array_size num_mipmap_levels num_samples memory_layout ";
static const char field_values[] = " nearest linear wrap mirror clamp_ogl clamp_to_edge clamp_to_border ";

static bool is_one_of(const char *words, struct ptx_slice s)
{
	for (const char *w = words; s.n && (w = memmem(w, strlen(w), s.s, s.n)); w++)
		if (w[-1] == ' ' && w[s.n] == ' ')
			return true;
	return false;
}

static bool parse_field(struct ptx_parser *p)
{
	struct ptx_value v;

	if (p->tok.kind != PTX_TOK_NAME || !is_one_of(field_names, ptx_parse_slice(p, &p->tok)))
		return ptx_parse_unexpected(p, "a field like filter_mode or addr_mode_0");
	ptx_parse_advance(p);
	if (!ptx_parse_expect(p, '=', "'=' after the field"))
		return false;
	if (p->tok.kind != PTX_TOK_NAME)
		return ptx_parse_const_int(p, &v);
	if (!is_one_of(field_values, ptx_parse_slice(p, &p->tok)))
		return ptx_parse_unexpected(p, "a value like linear or clamp_to_edge");
	ptx_parse_advance(p);
	return true;
}

static bool parse_fields(struct ptx_parser *p)
{
	if (!ptx_parse_expect(p, '{', "'{' before the fields"))
		return false;
	do {
		if (!parse_field(p))
			return false;
	} while (ptx_parse_accept(p, ','));
	return ptx_parse_expect(p, '}', "',' or '}' after the field");
}

bool ptx_parse_init(struct ptx_parser *p, struct ptx_symbol *sym)
{
	struct init in = {.p = p, .sym = sym};

	if (isa_type_info[sym->type].cls == ISA_CLASS_OPAQUE)
		return parse_fields(p);
	if (sym->bytes > PTX_INIT_BYTES_MAX) {
		ptx_parse_error(p, sym->at, "'%s' is too big to have initial values: at most %u MB",
				ptx_parse_show(p, sym->name), (unsigned)(PTX_INIT_BYTES_MAX >> 20));
		return false;
	}
	in.levels = sym->n_dims + (sym->vec > 1);
	bool ok = parse_level(&in, 0, 0);

	if (ok && sym->n_dims && !sym->dims[0]) {
		sym->dims[0] = in.top_count;
		if (!in.top_count) {
			ptx_parse_error(p, sym->at, "an array without a size needs at least one initial value");
			ok = false;
		}
	}
	if (ok) {
		sym->init = POOL_NEW(&p->m->pool, struct ptx_init);
		sym->init->items = PTX_POOL_COPY(p, in.items);
		sym->init->n = (uint32_t)in.items.n;
		sym->init->bytes = in.n_bytes ? pool_dup(&p->m->pool, in.bytes, in.n_bytes) : NULL;
		sym->init->n_bytes = in.n_bytes;
	}
	free(in.items.v);
	free(in.bytes);
	return ok;
}
