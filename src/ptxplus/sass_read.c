/* Reads a listing of cuobjdump -sass (CUDA 4.0 to 4.2). */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptxplus/sass.h"

struct reader {
	const struct sass_source *source;
	struct diag_list *diags;
	struct sass_listing *out;
	const char *s, *end; /* of the line at hand */
	uint32_t line;
	bool in_function, ok;
	struct sass_insn insn;
};

void sass_say(const struct sass_source *s, struct sass_place place, enum diag_severity severity, struct diag_list *diags, const char *fmt, ...)
{
	struct text t = {0};
	const char *begin = place.at;
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	while (begin > s->text && begin[-1] != '\n')
		begin--;
	const char *end = memchr(begin, '\n', (size_t)(s->text + s->n - begin));
	const size_t n = (size_t)((end ? end : s->text + s->n) - begin);
	diag_add(diags, severity, s->name, place.line, (uint32_t)(place.at - begin) + 1, n < 4096 ? begin : NULL, n, "%s", text_str(&t));
	text_free(&t);
}

#define FAIL(r, where, ...) (sass_say((r)->source, (struct sass_place){where, (r)->line}, DIAG_ERROR, (r)->diags, __VA_ARGS__), (r)->ok = false)

/* ---- characters ---- */

static void blanks(struct reader *r)
{
	while (r->s < r->end && (*r->s == ' ' || *r->s == '\t' || *r->s == '\r' || *r->s == ','))
		r->s++;
}

static bool take(struct reader *r, char c)
{
	if (r->s >= r->end || *r->s != c)
		return false;
	r->s++;
	return true;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static struct ptx_slice word(struct reader *r)
{
	const char *from = r->s;
	while (r->s < r->end && is_name(*r->s))
		r->s++;
	return (struct ptx_slice){from, (uint32_t)(r->s - from)};
}

static bool slice_is(struct ptx_slice s, const char *text) { return s.n == strlen(text) && !memcmp(s.s, text, s.n); }

/* 0x1f, at most 32 bits. */
static bool hex(struct reader *r, uint32_t *v)
{
	const char *from = r->s;
	uint64_t value = 0;
	if (r->end - r->s < 3 || r->s[0] != '0' || r->s[1] != 'x' || !isxdigit((unsigned char)r->s[2])) {
		FAIL(r, from, "expected a number like 0x10");
		return false;
	}
	for (r->s += 2; r->s < r->end && isxdigit((unsigned char)*r->s) && value <= UINT32_MAX; r->s++)
		value = value * 16 + (uint64_t)(*r->s <= '9' ? *r->s - '0' : (*r->s | 32) - 'a' + 10);
	*v = (uint32_t)value;
	if (value > UINT32_MAX)
		FAIL(r, from, "the number has more than 32 bits");
	return value <= UINT32_MAX;
}

/* The number behind R, A, C ...: at most three digits. */
static bool register_number(struct ptx_slice s, uint32_t *number, uint8_t *half)
{
	uint32_t n = 1;
	*half = 0;
	for (*number = 0; n < s.n && isdigit((unsigned char)s.s[n]) && n < 4; n++)
		*number = *number * 10 + (uint32_t)(s.s[n] - '0');
	if (n == 1)
		return false;
	if (n + 1 == s.n && (s.s[n] == 'L' || s.s[n] == 'H'))
		*half = (uint8_t)s.s[n++];
	return n == s.n && *number < 256;
}

/* ---- operands ---- */

static bool address_inside(struct reader *r, struct sass_operand *o)
{
	uint8_t half;
	blanks(r);
	const char *at = r->s;
	if (r->s < r->end && *r->s == '0')
		return hex(r, &o->value);
	const struct ptx_slice s = word(r);
	if (!s.n || (*s.s != 'R' && *s.s != 'A') || !register_number(s, &o->number, &half) || half) {
		FAIL(r, at, "expected an offset, an R register or an A register");
		return false;
	}
	o->has_register = true;
	o->is_address_register = *s.s == 'A';
	blanks(r);
	if (!take(r, '+'))
		return true;
	o->is_post = take(r, '+') && take(r, '+');
	return hex(r, &o->value);
}

static bool bracket(struct reader *r, struct sass_operand *o)
{
	blanks(r);
	if (!take(r, '[')) {
		FAIL(r, r->s, "expected '['");
		return false;
	}
	if (!address_inside(r, o))
		return false;
	blanks(r);
	if (take(r, ']'))
		return true;
	FAIL(r, r->s, "expected ']'");
	return false;
}

static bool memory(struct reader *r, struct sass_operand *o, enum sass_space space)
{
	bool is_24;
	o->kind = SASS_MEMORY;
	o->space = (uint8_t)space;
	if (space == SASS_CONSTANT) {
		struct sass_operand bank = {0};
		if (!bracket(r, &bank))
			return false;
		if (bank.has_register) {
			FAIL(r, o->s, "expected the number of a constant bank");
			return false;
		}
		o->bank = bank.value;
	}
	o->is_tight = r->s < r->end && *r->s == '[';
	if (!bracket(r, o))
		return false;
	while (r->s < r->end && *r->s == '.') {
		const char *at = r->s++;
		o->type = sass_type(word(r), &is_24);
		if (!o->type || is_24) {
			FAIL(r, at, "expected a type behind the operand, like .U16");
			return false;
		}
	}
	return true;
}

static bool set_guard(struct reader *r, uint32_t number, struct ptx_slice condition, const char *at)
{
	if (r->insn.guard >= 0) {
		FAIL(r, at, "a second guard");
		return false;
	}
	if (condition.n && !sass_condition(condition)) {
		FAIL(r, condition.s, "'%.*s' is no condition of a guard, like NE or CARRY", (int)condition.n, condition.s);
		return false;
	}
	r->insn.guard = (int)number;
	r->insn.condition = condition;
	return true;
}

/* (C0.NE) */
static bool parenthesized_guard(struct reader *r)
{
	const char *at = r->s++;
	uint32_t number;
	uint8_t half;
	struct ptx_slice condition = {0};
	const struct ptx_slice s = word(r);
	if (!s.n || *s.s != 'C' || !register_number(s, &number, &half)) {
		FAIL(r, at, "expected a guard like (C0.NE)");
		return false;
	}
	if (take(r, '.'))
		condition = word(r);
	if (!take(r, ')')) {
		FAIL(r, r->s, "expected ')'");
		return false;
	}
	return set_guard(r, number, condition, at);
}

/* Words of memory spaces. A bracket follows each. */
static bool space_word(struct ptx_slice s, enum sass_space *space)
{
	*space = slice_is(s, "g") ? SASS_SHARED : slice_is(s, "c") ? SASS_CONSTANT : slice_is(s, "local") ? SASS_LOCAL : SASS_GLOBAL;
	return *space != SASS_GLOBAL || slice_is(s, "global14");
}

/* Returns whether the word is an operand by itself; *is_guard: it is the instruction's guard instead. */
static bool name_operand(struct reader *r, struct sass_operand *o, struct ptx_slice s, bool *is_guard)
{
	enum sass_space space;
	*is_guard = false;
	if (space_word(s, &space))
		return memory(r, o, space);
	if (slice_is(s, "o")) {
		o->kind = SASS_SINK;
		if (!bracket(r, o))
			return false;
		if (o->has_register || o->value != 0x7f)
			FAIL(r, s.s, "the only output that is known is o [0x7f]");
		return r->ok;
	}
	const bool is_register = s.n && strchr("RACb", *s.s) && register_number(s, &o->number, &o->half);
	if (is_register && *s.s == 'C' && r->s < r->end && *r->s == '.') {
		r->s++;
		*is_guard = true;
		return set_guard(r, o->number, word(r), s.s);
	}
	if (is_register) {
		o->kind = *s.s == 'R' ? SASS_REGISTER : *s.s == 'A' ? SASS_ADDRESS : *s.s == 'C' ? SASS_PREDICATE : SASS_BARRIER;
		if (r->end - r->s >= 3 && !memcmp(r->s, ".CC", 3))
			r->s += 3;
		return true;
	}
	o->kind = s.n > 2 && s.s[0] == 'S' && s.s[1] == 'R' ? SASS_SPECIAL : SASS_WORD;
	if (!s.n)
		FAIL(r, s.s, "'%c' begins no operand", *s.s > ' ' ? *s.s : '?');
	return r->ok;
}

static bool operand(struct reader *r)
{
	struct sass_operand o = {.s = r->s};
	bool is_guard = false, bars = false;
	if (*r->s == '(')
		return parenthesized_guard(r);
	o.is_negated = take(r, '-');
	o.is_inverted = take(r, '~');
	bars = take(r, '|');
	const bool bracketed = take(r, '[');
	if (r->s < r->end && isdigit((unsigned char)*r->s)) {
		o.kind = SASS_NUMBER;
		if (!hex(r, &o.value))
			return false;
	} else if (!name_operand(r, &o, word(r), &is_guard)) {
		return false;
	}
	if (bars && (!take(r, '|') || o.kind != SASS_REGISTER)) {
		FAIL(r, o.s, "bars stand around registers only");
		return false;
	}
	if (bracketed && !take(r, ']')) {
		FAIL(r, r->s, "expected ']'");
		return false;
	}
	o.is_magnitude = bars;
	o.n = (uint32_t)(r->s - o.s);
	if (is_guard)
		return true;
	if (r->insn.n == SASS_OPERANDS) {
		FAIL(r, o.s, "more than %u operands", SASS_OPERANDS);
		return false;
	}
	r->insn.operands[r->insn.n++] = o;
	return true;
}

/* ---- lines ---- */

static bool modifiers(struct reader *r)
{
	uint32_t number;
	uint8_t half;
	while (take(r, '.')) {
		const struct ptx_slice s = word(r);
		if (!s.n || r->insn.n_modifiers == SASS_MODIFIERS) {
			FAIL(r, r->s, s.n ? "more modifiers than any instruction has" : "expected a modifier");
			return false;
		}
		if (*s.s == 'C' && s.n <= 3 && register_number(s, &number, &half) && !half)
			r->insn.flags = (int)number;
		else
			r->insn.modifiers[r->insn.n_modifiers++] = s;
	}
	return true;
}

/* `/ * 0008 * /`, and the code in a second comment, which says nothing more. */
static bool comment(struct reader *r, const char **from, size_t *n)
{
	blanks(r);
	if (r->end - r->s < 4 || r->s[0] != '/' || r->s[1] != '*')
		return false;
	*from = r->s + 2;
	for (r->s += 2; r->s + 1 < r->end && !(r->s[0] == '*' && r->s[1] == '/'); r->s++)
		;
	*n = (size_t)(r->s - *from);
	if (r->s + 1 >= r->end)
		return false;
	r->s += 2;
	return true;
}

static bool read_address(struct reader *r, const char *s, size_t n)
{
	r->insn.address = 0;
	for (size_t k = 0; k < n; k++) {
		if (!isxdigit((unsigned char)s[k]) || n != 4) {
			FAIL(r, s, "an address has exactly four hexadecimal digits");
			return false;
		}
		r->insn.address = r->insn.address * 16 + (uint32_t)(s[k] <= '9' ? s[k] - '0' : (s[k] | 32) - 'a' + 10);
	}
	if (r->source->exact && isalpha((unsigned char)*s)) {
		FAIL(r, s, "3.2.2 takes an address that begins with a letter for a name");
		return false;
	}
	return n == 4;
}

static bool instruction(struct reader *r)
{
	const char *text, *code;
	size_t n, n_code;
	r->insn = (struct sass_insn){.line = r->line, .guard = -1, .flags = -1};
	if (!comment(r, &text, &n) || !read_address(r, text, n)) {
		if (r->ok)
			FAIL(r, r->s, "expected an instruction's address like /*0008*/");
		return false;
	}
	if (!r->in_function) {
		FAIL(r, text, "an instruction outside of a function");
		return false;
	}
	comment(r, &code, &n_code);
	blanks(r);
	r->insn.at = r->s < r->end ? r->s : text;
	r->insn.is_blank = r->s == r->end || *r->s == ';';
	if (!r->insn.is_blank) {
		r->insn.op = word(r);
		if (!r->insn.op.n) {
			FAIL(r, r->s, "expected an instruction");
			return false;
		}
		if (!modifiers(r))
			return false;
	}
	for (blanks(r); r->s < r->end && *r->s != ';'; blanks(r))
		if (!operand(r))
			return false;
	if (take(r, ';'))
		blanks(r);
	if (r->s < r->end) {
		FAIL(r, r->s, "unexpected text behind the instruction");
		return false;
	}
	struct sass_listing *l = r->out;
	l->insns = xgrow(l->insns, &l->cap_insns, l->n_insns + 1, sizeof *l->insns);
	l->insns[l->n_insns++] = r->insn;
	l->functions[l->n_functions - 1].end = (uint32_t)l->n_insns;
	return true;
}

static bool begins_with(const struct reader *r, const char *text)
{
	return (size_t)(r->end - r->s) >= strlen(text) && !memcmp(r->s, text, strlen(text));
}

static void begin_function(struct reader *r)
{
	static const char mark[] = "Function :";
	struct sass_listing *l = r->out;
	r->s += sizeof mark - 1;
	blanks(r);
	const char *from = r->s;
	while (r->s < r->end && !isspace((unsigned char)*r->s))
		r->s++;
	const struct sass_function f = {.name = {from, (uint32_t)(r->s - from)}, .line = r->line, .first = (uint32_t)l->n_insns, .end = (uint32_t)l->n_insns};
	if (!f.name.n) {
		FAIL(r, from, "expected the function's name");
		return;
	}
	l->functions = xgrow(l->functions, &l->cap_functions, l->n_functions + 1, sizeof *l->functions);
	l->functions[l->n_functions++] = f;
	r->in_function = true;
}

static void code_line(struct reader *r)
{
	uint32_t sm = 0;
	static const char mark[] = "code for sm_";
	const char *at = r->s;
	for (r->s += sizeof mark - 1; r->s < r->end && isdigit((unsigned char)*r->s) && sm < 1000; r->s++)
		sm = sm * 10 + (uint32_t)(*r->s - '0');
	if (sm < 10 || sm > 13)
		FAIL(r, at, "machine code of sm_%u: expected sm_10 to sm_13", sm);
}

static void read_line(struct reader *r)
{
	blanks(r);
	while (r->end > r->s && isspace((unsigned char)r->end[-1]))
		r->end--;
	if (r->s == r->end)
		return;
	if (begins_with(r, "code for sm_"))
		code_line(r);
	else if (begins_with(r, "Function :"))
		begin_function(r);
	else if (*r->s == '.')
		r->in_function = false; /* the dots behind a function */
	else
		instruction(r);
}

bool sass_read(const struct sass_source *s, struct sass_listing *out, struct diag_list *diags)
{
	struct reader r = {.source = s, .diags = diags, .out = out, .ok = true};
	bool any_wrong = false;
	unsigned wrong = 0;
	const char *next = s->text;
	for (const char *const end = s->text + s->n; next < end && wrong < 20;) {
		const char *stop = memchr(next, '\n', (size_t)(end - next));
		r.s = next;
		r.end = stop ? stop : end;
		r.line++;
		r.ok = true;
		read_line(&r);
		any_wrong |= !r.ok;
		wrong += !r.ok;
		next = stop ? stop + 1 : end;
	}
	if (!any_wrong && !out->n_functions) {
		sass_say(s, (struct sass_place){s->text, 1}, DIAG_ERROR, diags, "the listing has no function");
		return false;
	}
	return !any_wrong;
}
