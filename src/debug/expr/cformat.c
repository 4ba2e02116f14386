/* Values of the source's types as gdb writes them: structures, enumerations, strings, pointers with what they point to. */
#include <ctype.h>
#include <string.h>

#include "debug/csource/cnames.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/ground/ground.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

#define DEPTH_MAX 20 /* gdb's `print max-depth` */

struct cprint {
	struct debug *d;
	char format;   /* 0: natural */
	enum isa_type half; /* type that /f gives the bits of the structure at hand, ISA_NOTYPE: none, their size decides */
	uint64_t left; /* elements and characters that may still be shown */
	unsigned depth;
	uint64_t
		parts; /* values that may still be written: more than there are bytes are in nothing but what is malformed */
};

static void put(struct cprint *p, const struct ctype *t, const unsigned char *bytes, struct text *out);

/* ---- numbers ---- */

static void put_bits(const unsigned char *bytes, uint64_t n, struct text *out)
{
	text_add(out, "0x");
	for (uint64_t i = n < 64 ? n : 64; i--;)
		text_addf(out, "%02x", bytes[i]);
}

static bool is_natural(const struct cprint *p) { return !p->format || p->format == 's'; }

static void put_wide_number(const struct ctype *t, const unsigned char *bytes, struct text *out);

static void put_number(struct cprint *p, const struct ctype *t, const unsigned char *bytes, struct text *out)
{
	bool natural = is_natural(p);
	if (p->format == 'f' && p->half != ISA_NOTYPE && isa_type_bytes(p->half) == t->bytes)
		format_scalar(p->half, bytes, 0, out);
	else if (t->scalar == ISA_NOTYPE)
		put_bits(bytes, t->bytes, out);
	else if (natural && t->is_bool && bytes[0] < 2)
		text_add(out, bytes[0] ? "true" : "false");
	else if (natural && t->wide)
		put_wide_number(t, bytes, out);
	else if (natural && t->is_char)
		format_scalar(t->scalar, bytes, 'c', out);
	else
		format_scalar(t->scalar, bytes, natural ? 0 : p->format, out);
}

static int64_t enum_value(const struct ctype *t, const unsigned char *bytes)
{
	struct expr_value v;
	value_load(&v, t->scalar, 0, bytes);
	return v.u.s64;
}

static void put_flags(const struct ctype *t, uint64_t v, struct text *out)
{
	const char *bar = "(";
	for (uint32_t i = 0; i < t->n_members; i++) {
		uint64_t bit = (uint64_t)t->members[i].value;
		if (!(v & bit) || !t->members[i].name)
			continue;
		text_addf(out, "%s%s", bar, t->members[i].name);
		v &= ~bit;
		bar = " | ";
	}
	if (v)
		text_addf(out, "%sunknown: 0x%llx)", bar, (unsigned long long)v);
	else
		text_add(out, *bar == '(' ? "0" : ")");
}

static void put_enum(struct cprint *p, const struct ctype *t, const unsigned char *bytes, struct text *out)
{
	if (t->scalar == ISA_NOTYPE || (p->format && p->format != 's' && p->format != 'f')) {
		put_number(p, t, bytes, out);
		return;
	}
	int64_t v = enum_value(t, bytes);
	for (uint32_t i = 0; i < t->n_members; i++)
		if (t->members[i].value == v && t->members[i].name) {
			text_add(out, t->members[i].name);
			return;
		}
	if (t->is_flags)
		put_flags(t, (uint64_t)v, out);
	else
		text_addf(out, "%lld", (long long)v);
}

/* ---- strings ---- */

static void put_string(struct cprint *p, const unsigned char *s, uint64_t n, bool cut, struct text *out)
{
	const uint32_t repeats = p->d->settings.print_repeats;
	bool open = false, any = false, escaped = false;
	uint64_t i = 0, shown = 0;
	for (uint64_t same, taken; i < n && shown < p->left; i += taken) {
		for (same = 1; repeats && i + same < n && s[i + same] == s[i];)
			same++;
		bool folded = repeats && same > repeats;
		taken = same;
		if (folded != !open || !any)
			text_add(out, folded ? open ? "\", " : any ? ", " : "" : any ? ", \"" : "\"");
		if (folded) {
			format_char(out, s[i]);
			text_addf(out, " <repeats %llu times>", (unsigned long long)same);
		} else {
			escaped &= open;
			taken = format_quoted(s + i, n - i, '"', &escaped, out);
		}
		shown += folded ? repeats : 1;
		open = !folded;
		any = true;
	}
	if (open)
		text_addc(out, '"');
	else if (!any)
		text_add(out, "\"\"");
	if (i < n || cut)
		text_add(out, "...");
}

/* Appends a character of wchar_t, char16_t or char32_t. */
static void put_wide(uint32_t c, char quote, struct text *out)
{
	struct text bytes = {0};
	bool escaped = false;
	format_encode_utf8(c, &bytes);
	for (size_t i = 0; i < bytes.n;)
		i += format_quoted((const unsigned char *)text_str(&bytes) + i, bytes.n - i, quote, &escaped, out);
	text_free(&bytes);
}

static uint32_t wide_at(const struct ctype *t, const unsigned char *bytes)
{
	uint32_t c = 0;
	memcpy(&c, bytes, t->bytes < 4 ? t->bytes : 4);
	return c;
}

/* Appends 97 L'a'. */
static void put_wide_number(const struct ctype *t, const unsigned char *bytes, struct text *out)
{
	format_scalar(t->scalar, bytes, 0, out);
	text_addf(out, " %c'", t->wide);
	put_wide(wide_at(t, bytes), '\'', out);
	text_addc(out, '\'');
}

/* Appends an array of wide characters, L"text", without the null at its end. */
static void put_wide_array(struct cprint *p, const struct ctype *t, const unsigned char *bytes, uint64_t n, struct text *out)
{
	const uint64_t all = n;
	n -= n && !wide_at(t, bytes + (n - 1) * t->bytes);
	text_addf(out, "%c\"", t->wide);
	for (uint64_t i = 0; i < n && i < p->left; i++)
		put_wide(wide_at(t, bytes + i * t->bytes), '"', out);
	text_add(out, n > p->left && all ? "\"..." : "\"");
}

static bool is_char(const struct ctype *t) { return t->kind == CTYPE_BASE && t->is_char; }

/* A null at the end isn't shown. */
static void put_char_array(struct cprint *p, const unsigned char *bytes, uint64_t n, struct text *out)
{
	put_string(p, bytes, n && n <= p->left && !bytes[n - 1] ? n - 1 : n, false, out);
}

/* ---- pointers ---- */

/* Appends an address, unless `set print address off` says not to. */
static void put_hex(struct debug *d, const char *before, uint64_t address, const char *after, struct text *out)
{
	if (d->settings.print_address)
		text_addf(out, "%s0x%llx%s", before, (unsigned long long)address, after);
}

/* Appends a blank between an address, its symbol and what is there: if something was appended since out's length was `start`. */
static void put_blank(size_t start, struct text *out) { text_add(out, out->n > start ? " " : ""); }

static void put_function(struct debug *d, uint64_t at, size_t start, struct text *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), (uint32_t)(at / ISA_INSN_BYTES));
	if (!f)
		return;
	put_blank(start, out);
	text_addf(out, "<%s", f->demangled ? f->demangled : f->name);
	if (at != (uint64_t)f->first * ISA_INSN_BYTES)
		text_addf(out, "+%llu", (unsigned long long)(at - (uint64_t)f->first * ISA_INSN_BYTES));
	text_addc(out, '>');
}

/* Appends `<name+8>` of what is at an address; the address was appended at `start`, or isn't shown. */
static void put_symbol(struct debug *d, uint64_t address, size_t start, struct text *out)
{
	if (address >= EXEC_CODE_WINDOW && address < EXEC_MODULE_GLOBALS) {
		put_function(d, address - EXEC_CODE_WINDOW, start, out);
		return;
	}
	uint64_t offset;
	const struct gpu_allocation *a = debug_named_at(d, address, &offset);
	if (!a)
		return;
	put_blank(start, out);
	text_addc(out, '<');
	debug_inlined_name(d, a->name, out);
	if (offset)
		text_addf(out, "+%llu", (unsigned long long)offset);
	text_addc(out, '>');
}

static void put_pointed_string(struct cprint *p, uint64_t address, size_t start, struct text *out)
{
	struct text s = {0};
	if (!address)
		return;
	if (debug_read_string(p->d, address, p->left < UINT16_MAX ? p->left : UINT16_MAX, &s)) {
		put_blank(start, out);
		put_string(p, (const unsigned char *)text_str(&s), s.n, s.n == p->left, out);
	} else {
		put_blank(start, out);
		text_addf(out, "<error: Cannot access memory at address 0x%llx>", (unsigned long long)address);
	}
	text_free(&s);
}

static void put_address(struct cprint *p, const struct ctype *t, uint64_t address, struct text *out)
{
	const size_t start = out->n;
	put_hex(p->d, "", address, "", out);
	put_symbol(p->d, address, start, out);
	if (t->kind == CTYPE_POINTER && is_char(ctype_core(t->target)))
		put_pointed_string(p, address, start, out);
}

static void put_pointer(struct cprint *p, const struct ctype *t, const unsigned char *bytes, struct text *out)
{
	uint64_t address;
	memcpy(&address, bytes, 8);
	if (p->format && p->format != 's' && p->format != 'a' && p->format != 'f') {
		format_scalar(ISA_U64, bytes, p->format, out);
		return;
	}
	text_add(out, t->kind == CTYPE_REFERENCE && p->d->settings.print_address ? "@" : "");
	put_address(p, t, address, out);
}

/* ---- structures and arrays ---- */

static uint64_t bits_at(const unsigned char *bytes, const struct ctype_member *m)
{
	unsigned __int128 all = 0;
	memcpy(&all, bytes, (m->bit_shift + m->bit_size + 7u) / 8u);
	return (uint64_t)(all >> m->bit_shift) & (UINT64_MAX >> (64 - m->bit_size));
}

static void put_bit_field(struct cprint *p, const struct ctype_member *m, const unsigned char *bytes, struct text *out)
{
	const struct ctype *t = ctype_core(m->type);
	uint64_t bits = bits_at(bytes, m);
	if ((t->kind == CTYPE_BASE || t->kind == CTYPE_ENUM) && isa_type_is_signed(t->scalar) &&
	    bits >> (m->bit_size - 1) & 1)
		bits |= ~(UINT64_MAX >> (64 - m->bit_size));
	put(p, m->type, (const unsigned char *)&bits, out);
}

static bool fits(const struct ctype *structure, const struct ctype_member *m)
{
	uint64_t n = m->bit_size ? (m->bit_shift + m->bit_size + 7u) / 8u : ctype_core(m->type)->bytes;
	return m->offset <= structure->bytes && n <= structure->bytes - m->offset;
}

static void new_line(unsigned depth, struct text *out)
{
	text_addc(out, '\n');
	while (depth--)
		text_add(out, "  ");
}

/* Returns the type of PTX that a structure of the toolkit's headers holds as bits. Returns ISA_NOTYPE for other structures. */
static enum isa_type half_type(const struct ctype *t)
{
	static const struct {
		const char *name;
		enum isa_type type;
	} halves[] = {{"__half", ISA_F16},	      {"__half_raw", ISA_F16},	     {"__nv_bfloat16", ISA_BF16},
		      {"__nv_bfloat16_raw", ISA_BF16}, {"__nv_fp8_e4m3", ISA_E4M3}, {"__nv_fp8_e5m2", ISA_E5M2}};
	for (size_t i = 0; t->name && i < sizeof halves / sizeof *halves; i++)
		if (!strcmp(t->name, halves[i].name) && t->bytes == isa_type_bytes(halves[i].type))
			return halves[i].type;
	return ISA_NOTYPE;
}

static void put_struct(struct cprint *p, const struct ctype *t, const unsigned char *bytes, struct text *out)
{
	if (t->is_declared) {
		text_add(out, "<incomplete type>");
		return;
	}
	const bool pretty = p->d->settings.print_pretty;
	uint32_t n_own = 0;
	text_addc(out, '{');
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct ctype_member *m = &t->members[i];
		if (!p->parts)
			break;
		text_add(out, i ? pretty && !t->members[i - 1].is_base ? "," : ", " : "");
		if (pretty && !m->is_base && i && !n_own) {
			new_line(p->depth, out);
			text_addf(out, "members of %s:", t->name ? t->name : "<anonymous>");
		}
		n_own += !m->is_base;
		if (pretty)
			new_line(p->depth, out);
		if (m->is_base) {
			text_addc(out, '<');
			ctype_text(m->type, false, out);
			text_add(out, "> = ");
		} else if (m->name) {
			text_addf(out, "%s = ", m->name);
		}
		if (!fits(t, m))
			text_add(out, "<error: outside of the structure>");
		else if (m->bit_size)
			put_bit_field(p, m, bytes + m->offset, out);
		else
			put(p, m->type, bytes + m->offset, out);
	}
	if (n_own && pretty)
		new_line(p->depth - 1, out);
	if (n_own)
		text_addc(out, '}');
	else
		text_add(out, t->n_members ? ", <No data fields>}" : "<No data fields>}");
}

static void put_array(struct cprint *p, const struct ctype *t, const unsigned char *bytes, struct text *out)
{
	const uint64_t size = ctype_core(t->target)->bytes, most = p->left, repeats = p->d->settings.print_repeats;
	uint64_t shown = 0, i = 0, n = t->is_open || !size ? 0 : t->count;
	if (ctype_core(t->target)->wide && is_natural(p)) {
		put_wide_array(p, ctype_core(t->target), bytes, n, out);
		return;
	}
	if (is_char(ctype_core(t->target)) && (!p->format || p->format == 's')) {
		put_char_array(p, bytes, n, out);
		return;
	}
	text_addc(out, '{');
	for (uint64_t same = 1; i < n && shown < most; i += same) {
		text_add(out, i ? ", " : "");
		for (same = 1; repeats && i + same < n && !memcmp(bytes + i * size, bytes + (i + same) * size, size);)
			same++;
		put(p, t->target, bytes + i * size, out);
		if (!repeats || same < repeats) {
			shown++;
			same = 1;
			continue;
		}
		text_addf(out, " <repeats %llu times>", (unsigned long long)same);
		shown += repeats;
	}
	text_add(out, i < n ? "...}" : "}");
}

static void put_code(struct debug *d, const struct ctype *t, uint64_t address, struct text *out)
{
	text_addc(out, '{');
	ctype_text(t, false, out);
	text_add(out, "} ");
	const size_t start = out->n;
	put_hex(d, "", address, "", out);
	put_symbol(d, address, start, out);
}

static void put(struct cprint *p, const struct ctype *type, const unsigned char *bytes, struct text *out)
{
	const struct ctype *t = ctype_core(type);
	bool compound = ctype_is_struct(t) || t->kind == CTYPE_ARRAY;
	if (!p->parts || (compound && p->depth >= DEPTH_MAX)) {
		text_add(out, "{...}");
		return;
	}
	p->depth += compound;
	p->parts--;
	switch (t->kind) {
	case CTYPE_BASE: put_number(p, t, bytes, out); break;
	case CTYPE_ENUM: put_enum(p, t, bytes, out); break;
	case CTYPE_POINTER:
	case CTYPE_REFERENCE: put_pointer(p, t, bytes, out); break;
	case CTYPE_ARRAY: put_array(p, t, bytes, out); break;
	case CTYPE_STRUCT:
	case CTYPE_CLASS:
	case CTYPE_UNION:
		p->half = half_type(t);
		if (p->half != ISA_NOTYPE && is_natural(p))
			format_scalar(p->half, bytes, 0, out);
		else
			put_struct(p, t, bytes, out);
		p->half = ISA_NOTYPE;
		break;
	default: text_add(out, t->name && t->kind == CTYPE_VOID ? t->name : "void");
	}
	p->depth -= compound;
}

/* ---- a whole value ---- */

/* `(int *) `: not for char *, whose string says it. */
static void put_type(const struct expr_value *v, const struct ctype *t, char format, struct text *out)
{
	const struct ctype *of = t->target ? t->target : ctype_core(NULL);
	while (of->kind == CTYPE_CONST || of->kind == CTYPE_VOLATILE)
		of = of->target ? of->target : ctype_core(NULL);
	bool is_text = of->kind == CTYPE_BASE && of->is_char && of->name && !strcmp(of->name, "char") &&
		       v->c->kind != CTYPE_TYPEDEF;
	if (t->kind == CTYPE_POINTER && ((format && format != 's' && format != 'a') || is_text))
		return;
	text_addc(out, '(');
	ctype_text(v->c, false, out);
	text_add(out, ") ");
}

void cformat_value(struct debug *d, const struct expr_value *v, char format, bool typed, struct text *out)
{
	const uint64_t most = d->settings.print_elements ? d->settings.print_elements : UINT64_MAX;
	struct cprint p = {.d = d, .format = format, .left = most, .parts = 1000 + 4 * v->count};
	const struct ctype *t = ctype_core(v->c);
	unsigned char bytes[16] = {0};
	if (v->is_missing) {
		text_add(out, "<optimized out>");
		return;
	}
	if (typed && (t->kind == CTYPE_POINTER || t->kind == CTYPE_REFERENCE))
		put_type(v, t, format, out);
	if (t->kind == CTYPE_REFERENCE) {
		put_hex(d, "@", v->place.address, ": ", out);
		t = ctype_value(t);
	}
	if (t->kind == CTYPE_FUNCTION) {
		put_code(d, t, v->u.u64, out);
	} else if (v->is_object) {
		if (v->data)
			put(&p, t, v->data, out);
		else
			text_add(out, "<unavailable>");
	} else {
		value_store(v, bytes);
		put(&p, t, bytes, out);
	}
}
