/* Values as gdb writes them. */
#include <ctype.h>
#include <langinfo.h>
#include <string.h>
#include <wctype.h>

#include "isa/plus.h"
#include "debug/csource/cnames.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/ground/ground.h"
#include "debug/expr/fields.h"
#include "debug/ground/scan.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static bool take_count(const char **s, struct format_spec *out, struct text *why)
{
	bool negative = **s == '-';
	int64_t n = 0;
	if (!negative && !isdigit((unsigned char)**s))
		return true;
	*s += negative;
	if (!isdigit((unsigned char)**s))
		return debug_fail(why,
				  "a format is /, a number, a letter of xduotzcfasi and a size of bhwg, as in /4xw");
	for (; isdigit((unsigned char)**s); (*s)++)
		if ((n = n * 10 + (**s - '0')) > 1000000)
			return debug_fail(why, "the number in the format is too large");
	out->count = negative ? -n : n;
	out->has_count = true;
	return true;
}

bool format_parse(const char *s, const char **end, struct format_spec *out, struct text *why)
{
	*out = (struct format_spec){.count = 1};
	if (*s != '/') {
		*end = scan_blanks(s);
		return true;
	}
	s++;
	if (!take_count(&s, out, why))
		return false;
	for (; *s && !isspace((unsigned char)*s); s++) {
		if (strchr("bhwg", *s))
			out->unit = *s;
		else if (strchr("xduotzcfasi", *s))
			out->format = *s;
		else if (*s == 'r')
			; /* gdb's raw: there are no pretty-printers to leave out */
		else if (isalpha((unsigned char)*s))
			return debug_fail(why, "Undefined output format \"%c\".", *s);
		else
			break;
	}
	*end = scan_blanks(s);
	return true;
}

static void add_binary(struct text *out, uint64_t v)
{
	unsigned bits = v ? 64 - (unsigned)__builtin_clzll(v) : 1;
	while (bits--)
		text_addc(out, v >> bits & 1 ? '1' : '0');
}

void format_char(struct text *out, unsigned char c)
{
	static const char from[] = "\a\b\f\n\r\t\v\\'", to[] = "abfnrtv\\'";
	const char *p = c ? strchr(from, c) : NULL;
	text_addc(out, '\'');
	if (p)
		text_addf(out, "\\%c", to[p - from]);
	else if (c >= 0x20 && c < 0x7f)
		text_addc(out, (char)c);
	else
		text_addf(out, "\\%03o", c);
	text_addc(out, '\'');
}

static void add_int128(struct text *out, unsigned __int128 v, bool is_signed)
{
	char digits[48];
	unsigned n = 0;
	if (is_signed && (__int128)v < 0) {
		text_addc(out, '-');
		v = -v;
	}
	do
		digits[n++] = (char)('0' + (unsigned)(v % 10));
	while (v /= 10);
	while (n)
		text_addc(out, digits[--n]);
}

static void add_wide(struct text *out, const void *bytes, char format)
{
	uint64_t w[2];
	memcpy(w, bytes, 16);
	unsigned __int128 v = (unsigned __int128)w[1] << 64 | w[0];
	if (format == 'x' && !w[1])
		text_addf(out, "0x%llx", (unsigned long long)w[0]);
	else if (format == 'x' || format == 'z' || format == 'a')
		text_addf(out, format == 'x' ? "0x%llx%016llx" : "0x%016llx%016llx", (unsigned long long)w[1],
			  (unsigned long long)w[0]);
	else if (format == 't') {
		if (w[1])
			add_binary(out, w[1]);
		for (int k = 63; w[1] && k >= 0; k--)
			text_addc(out, w[0] >> k & 1 ? '1' : '0');
		if (!w[1])
			add_binary(out, w[0]);
	} else
		add_int128(out, v, format != 'u');
}

/* Type that /f gives integer bits of a size. */
static enum isa_type float_of_size(unsigned n)
{
	return n == 8 ? ISA_F64 : n == 4 ? ISA_F32 : n == 2 ? ISA_F16 : ISA_NOTYPE;
}

/* The four flags of a PTXPlus predicate, and the whole value if there is more in it. */
static void add_flags(struct text *out, uint32_t v)
{
	text_addf(out, "%c%c%c%c", v & ISA_FLAG_ZERO ? 'Z' : '-', v & ISA_FLAG_SIGN ? 'S' : '-', v & ISA_FLAG_CARRY ? 'C' : '-',
		  v & ISA_FLAG_OVERFLOW ? 'O' : '-');
	if (v > 15)
		text_addf(out, " (0x%x)", v);
}

void format_scalar(enum isa_type type, const void *bytes, char format, struct text *out)
{
	unsigned n = isa_type_bytes(type);
	uint64_t bits = 0;
	if (n == 16) {
		add_wide(out, bytes, format);
		return;
	}
	memcpy(&bits, bytes, n ? n : 1);
	int64_t sbits = n && n < 8 ? (int64_t)(bits << (64 - 8 * n)) >> (64 - 8 * n) : (int64_t)bits;
	bool is_float = isa_type_is_float(type);
	if (format == 'f' && !is_float && type != ISA_PRED && float_of_size(n)) {
		type = float_of_size(n);
		is_float = true;
	}
	switch (format) {
	case 'x': text_addf(out, "0x%llx", (unsigned long long)bits); return;
	case 'z': text_addf(out, "0x%0*llx", (int)(2 * (n ? n : 1)), (unsigned long long)bits); return;
	case 'a':
		text_addf(out, "0x%llx",
			  (unsigned long long)(is_float ? (uint64_t)(int64_t)format_to_double(type, bytes)
					       : isa_type_info[type].cls == ISA_CLASS_UNSIGNED ? bits
											       : (uint64_t)sbits));
		return;
	case 'o': text_addf(out, bits ? "0%llo" : "%llo", (unsigned long long)bits); return;
	case 't': add_binary(out, bits); return;
	case 'd': text_addf(out, "%lld", (long long)sbits); return;
	case 'u': text_addf(out, "%llu", (unsigned long long)bits); return;
	case 'c':
		if (is_float) {
			double v = format_to_double(type, bytes);
			sbits = v > -1e18 && v < 1e18 ? (int64_t)v : 0;
		}
		if (isa_type_info[type].cls == ISA_CLASS_UNSIGNED)
			text_addf(out, "%u ", (unsigned)(unsigned char)sbits);
		else
			text_addf(out, "%d ", (int)(signed char)sbits);
		format_char(out, (unsigned char)sbits);
		return;
	default: break;
	}
	if (type == ISA_FLAGS)
		add_flags(out, (uint32_t)bits);
	else if (is_float)
		format_float(type, bytes, out);
	else if (isa_type_info[type].cls == ISA_CLASS_UNSIGNED || type == ISA_PRED)
		text_addf(out, "%llu", (unsigned long long)bits);
	else
		text_addf(out, "%lld", (long long)sbits);
}

/* Appends an address, if `shows_number`, and the name of what is there. */
static void format_address(struct debug *d, uint64_t address, bool shows_number, struct text *out)
{
	const char *blank = shows_number ? " " : "";
	uint32_t pc;
	if (shows_number)
		text_addf(out, "0x%llx", (unsigned long long)address);
	uint64_t code =
		address >= EXEC_CODE_WINDOW && address < EXEC_MODULE_GLOBALS ? address - EXEC_CODE_WINDOW : address;
	if (debug_pc_valid(d, code, &pc)) {
		text_add(out, blank);
		debug_pc_symbol(d, pc, out);
		return;
	}
	uint64_t offset;
	const struct gpu_allocation *a = debug_named_at(d, address, &offset);
	if (a)
		text_addf(out, offset ? "%s<%s+%llu>" : "%s<%s>", blank, a->name, (unsigned long long)offset);
}

size_t format_utf8(const unsigned char *s, size_t n, uint32_t *c)
{
	const unsigned more = *s < 0x80 ? 0 : *s >= 0xc2 && *s < 0xe0 ? 1 : *s >= 0xe0 && *s < 0xf0 ? 2 : *s >= 0xf0 && *s < 0xf5 ? 3 : 9;
	if (more >= n)
		return 0;
	*c = more ? *s & (0x3fu >> more) : *s;
	for (unsigned k = 1; k <= more; k++) {
		if ((s[k] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[k] & 0x3f);
	}
	const bool is_least = more < 2 || (more == 2 ? *c >= 0x800 && (*c < 0xd800 || *c > 0xdfff) : *c >= 0x10000 && *c < 0x110000);
	return is_least ? more + 1u : 0;
}

void format_encode_utf8(uint32_t c, struct text *out)
{
	const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	char bytes[4] = {(char)c};
	for (size_t k = n; k-- > 1; c >>= 6)
		bytes[k] = (char)(0x80 | (c & 0x3f));
	if (n > 1)
		bytes[0] = (char)((0xf00u >> n & 0xf0) | c);
	text_addn(out, bytes, n);
}

static bool is_utf8_shown(uint32_t c) { return !strcmp(nl_langinfo(CODESET), "UTF-8") && iswprint((wint_t)c); }

size_t format_quoted(const unsigned char *s, size_t n, char quote, bool *escaped, struct text *out)
{
	static const char from[] = "\a\b\f\n\r\t\v\\", to[] = "abfnrtv\\";
	const char *q = *s ? strchr(from, *s) : NULL;
	uint32_t c;
	const size_t bytes = *s >= 0x80 ? format_utf8(s, n, &c) : 0;
	const bool was_escaped = *escaped;
	*escaped = false;
	if (bytes && is_utf8_shown(c)) {
		text_addn(out, (const char *)s, bytes);
		return bytes;
	}
	if (q || (char)*s == quote) {
		text_addf(out, "\\%c", q ? to[q - from] : quote);
	} else if (*s >= 0x20 && *s < 0x7f && !(was_escaped && isdigit(*s))) {
		text_addc(out, (char)*s);
	} else {
		text_addf(out, "\\%03o", *s);
		*escaped = true;
	}
	return 1;
}

static void format_string(const unsigned char *s, size_t n, struct text *out)
{
	bool escaped = false;
	text_addc(out, '"');
	for (size_t i = 0; i < n;)
		i += format_quoted(s + i, n - i, '"', &escaped, out);
	text_addc(out, '"');
}

/* gdb's `0x80000000 "text"`. */
static void format_pointed(struct debug *d, const struct expr_value *v, struct text *out)
{
	const size_t most = d->settings.print_elements ? d->settings.print_elements : UINT16_MAX;
	struct text s = {0};
	if (d->settings.print_address)
		text_addf(out, "0x%llx", (unsigned long long)v->u.u64);
	if (debug_read_string(d, v->u.u64, most, &s)) {
		text_add(out, d->settings.print_address ? " " : "");
		format_string((const unsigned char *)text_str(&s), s.n, out);
		text_add(out, s.n == most ? "..." : "");
	}
	text_free(&s);
}

static void format_one(struct debug *d, const struct expr_value *v, char format, struct text *out)
{
	unsigned char bytes[16] = {0};
	value_store(v, bytes);
	if (format == 'a') {
		int64_t address = 0;
		expr_value_integer(v, &address);
		format_address(d, (uint64_t)address, true, out);
	} else if (format == 's' && v->pointers == 1 && isa_type_bytes(v->type) == 1 && v->place.kind != EXPR_PC) {
		format_pointed(d, v, out);
	} else if (!v->pointers || (format && format != 's' && format != 'f')) {
		format_scalar(v->pointers ? ISA_U64 : v->type, bytes, format, out);
	} else if (v->function) {
		text_addc(out, v->is_function ? '{' : '(');
		debug_function_type(d, v->function, v->is_function ? "" : "(*)", out);
		text_add(out, v->is_function ? "} " : ") ");
		format_address(d, v->u.u64, d->settings.print_address, out);
	} else if (v->place.kind == EXPR_PC) {
		text_add(out, "(void (*)()) ");
		format_address(d, v->u.u64, d->settings.print_address, out);
	} else {
		text_addc(out, '(');
		value_type_text(v, out);
		text_add(out, ") ");
		if (d->settings.print_address)
			text_addf(out, "0x%llx", (unsigned long long)v->u.u64);
	}
}

/* Elements [first, first + n) in braces; `row` > 0: they are rows of so many. */
static void format_elements(struct debug *d, const struct expr_value *v, uint64_t first, uint64_t n, uint64_t row,
			    char format, struct text *out)
{
	const uint64_t size = value_element_bytes(v) * (row ? row : 1), units = row ? n / row : n;
	const uint64_t most = d->settings.print_elements ? d->settings.print_elements : UINT64_MAX;
	const unsigned char *base = v->data + first * value_element_bytes(v);
	const uint32_t repeats = d->settings.print_repeats;
	uint64_t shown = 0, i = 0;
	text_addc(out, '{');
	for (; i < units && shown < most; i++) {
		uint64_t same = 1;
		if (i)
			text_add(out, ", ");
		while (repeats && i + same < units && !memcmp(base + i * size, base + (i + same) * size, size))
			same++;
		if (row) {
			format_elements(d, v, first + i * row, row, 0, format, out);
		} else {
			struct expr_value e;
			value_element(v, first + i, &e);
			format_one(d, &e, format, out);
		}
		shown++;
		if (repeats && same >= repeats) {
			text_addf(out, " <repeats %llu times>", (unsigned long long)same);
			i += same - 1;
			shown += repeats - 1;
		}
	}
	text_add(out, i < units ? "...}" : "}");
}

static void format_named(struct debug *d, const struct expr_value *v, char format, struct text *out)
{
	for (unsigned k = 0; k < v->count; k++) {
		struct expr_value e;
		text_addf(out, "%s%c = ", k ? ", " : "{", "xyzw"[k & 3]);
		value_element(v, k, &e);
		format_one(d, &e, format, out);
	}
	text_addc(out, '}');
}

void format_value(struct debug *d, const struct expr_value *v, const struct format_spec *f, struct text *out)
{
	char format = f ? f->format : 0;
	if (v->c) {
		cformat_value(d, v, format, true, out);
	} else if (v->is_listing) {
		d->fields->format(d, v, f, out);
	} else if (v->is_string && (!format || format == 's')) {
		format_string(v->data, v->count, out);
	} else if (v->is_array && format == 's' && value_element_bytes(v) == 1) {
		format_string(v->data, strnlen((const char *)v->data, v->count), out);
	} else if (v->is_dim3) {
		format_named(d, v, format, out);
	} else if (v->is_array || v->is_string) {
		format_elements(d, v, 0, v->count, v->row_length, format, out);
	} else if (v->type == ISA_NOTYPE && !v->pointers) {
		text_add(out, "void");
	} else {
		format_one(d, v, format, out);
	}
}
