/* INIT: fill, iota, random, file. Lists are in init_list.c. */
#include "debug/setup/init.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/setup/layout.h"
#include "debug/view/view.h"

bool init_goes_on_now(const struct debug *d, struct text *why)
{
	return !debug_interrupted(d) || debug_fail(why, "interrupted");
}

/* ---- what there is to fill ---- */

void init_numbers(struct init *f, enum isa_type t, uint64_t count)
{
	f->whole = NULL;
	f->type = t;
	f->is_bool = false;
	f->count = count;
	f->size = isa_type_bytes(t);
}

bool init_of_type(struct init *f, const struct ctype *whole)
{
	const struct ctype *t = ctype_value(whole);
	uint64_t bytes;
	f->whole = whole;
	for (f->count = 1; t->kind == CTYPE_ARRAY; t = ctype_core(t->target))
		if (__builtin_mul_overflow(f->count, t->count, &f->count))
			return false;
	f->size = t->bytes;
	f->type = t->kind == CTYPE_POINTER || t->kind == CTYPE_REFERENCE ? ISA_U64
		  : t->kind == CTYPE_BASE || t->kind == CTYPE_ENUM	 ? t->scalar
									 : ISA_NOTYPE;
	f->is_bool = t->is_bool;
	return f->size && f->count && !__builtin_mul_overflow(f->count, f->size, &bytes) &&
	       bytes == ctype_value(whole)->bytes;
}

/* ---- values ---- */

bool init_eval(struct init *f, const char *s, size_t n, struct expr_value *v)
{
	if (!f->in_focus)
		return debug_eval_number(f->d, s, n, v, f->why);
	char *text = xstrndup(s, n);
	bool ok = debug_eval_unread(f->d, text, v, f->why);
	free(text);
	return ok;
}

bool init_fit(struct init *f, struct expr_value *v, enum isa_type t, bool is_bool)
{
	if (is_bool && (value_is_number(v) || v->pointers))
		value_int(v, ISA_U8, expr_value_is_true(v));
	return value_fit(v, t, f->why);
}

/* Next blank-separated number; *has says if there was one. */
static bool take_value(struct init *f, const char **s, struct expr_value *v, bool *has)
{
	*s = scan_blanks(*s);
	size_t n = scan_part(*s, true);
	*has = n > 0;
	if (!n)
		return true;
	if (!init_eval(f, *s, n, v))
		return false;
	*s += n;
	if (!v->is_array && !v->is_string && !v->is_object)
		return true;
	expr_value_free(v);
	return debug_fail(f->why, "a number is needed here");
}

/* A bound or step: as a double for floats, as bits for integers. */
static bool take_number(struct init *f, const char **s, double *x, uint64_t *bits, bool *has)
{
	struct expr_value v = {0};
	if (!take_value(f, s, &v, has) ||
	    (*has && isa_type_is_float(f->type) && !value_convert(&v, ISA_F64, 0, f->why)))
		return false;
	if (*has && !isa_type_is_float(f->type) && !value_fit(&v, f->type, f->why))
		return false;
	if (*has) {
		*x = v.u.f64;
		*bits = v.u.u64;
	}
	return true;
}

bool init_take_double(struct debug *d, const char **s, double *x, bool *has, struct text *why)
{
	struct init f = {.d = d, .type = ISA_F64, .why = why};
	uint64_t bits;
	return take_number(&f, s, x, &bits, has);
}

static bool needs_numbers(struct init *f, const char *word)
{
	return f->type != ISA_NOTYPE ||
	       debug_fail(f->why, "%s makes numbers, and these are structures: {...} or file PATH", word);
}

/* ---- fill V ---- */

/* What is at the beginning, once more up to the end. */
static bool repeat(struct init *f)
{
	uint64_t bytes = f->count * f->size;
	for (uint64_t part, done = f->size; done < bytes; done += part) {
		part = done < INIT_PIECE_BYTES ? done : INIT_PIECE_BYTES;
		if (part > bytes - done)
			part = bytes - done;
		memcpy(f->bytes + done, f->bytes, part);
		if (!init_goes_on_now(f->d, f->why))
			return false;
	}
	return true;
}

static bool fill_structures(struct init *f, const char *s)
{
	const struct ctype *t = ctype_value(f->whole);
	while (t->kind == CTYPE_ARRAY)
		t = ctype_core(t->target);
	if (*s == '{')
		return init_braces(f, t, f->bytes, false, &s) && scan_end(s, f->why) && repeat(f);
	debug_fail(f->why, "usage: fill {V, ...}");
	layout_explain(t, f->why);
	return false;
}

static bool fill_constant(struct init *f, const char *s)
{
	struct expr_value v;
	s = scan_blanks(s);
	if (!*s)
		return debug_fail(f->why, "usage: fill VALUE");
	if (f->type == ISA_NOTYPE)
		return fill_structures(f, s);
	if (!init_eval(f, s, strlen(s), &v))
		return false;
	bool ok = init_fit(f, &v, f->type, f->is_bool);
	if (ok)
		value_store(&v, f->bytes);
	expr_value_free(&v);
	return ok && repeat(f);
}

/* ---- iota, random ---- */

/* Buffers have millions of elements: the common types are written without a call. */
static inline void store_double(struct init *f, uint64_t i, double x)
{
	float narrow = (float)x;
	if (f->type == ISA_F32)
		memcpy(f->bytes + i * sizeof narrow, &narrow, sizeof narrow);
	else if (f->type == ISA_F64)
		memcpy(f->bytes + i * sizeof x, &x, sizeof x);
	else
		format_from_double(f->type, x, f->bytes + i * f->size);
}

static inline void store_bits(struct init *f, uint64_t i, uint64_t v)
{
	uint32_t narrow = (uint32_t)v;
	if (f->size == 4)
		memcpy(f->bytes + i * sizeof narrow, &narrow, sizeof narrow);
	else if (f->size == 8)
		memcpy(f->bytes + i * sizeof v, &v, sizeof v);
	else
		memcpy(f->bytes + i * f->size, &v, f->size);
}

static bool fill_iota(struct init *f, const char *s)
{
	double start = 0, step = 1;
	uint64_t start_bits = 0, step_bits = 1;
	bool has;
	if (!needs_numbers(f, "iota") || !take_number(f, &s, &start, &start_bits, &has) ||
	    !take_number(f, &s, &step, &step_bits, &has) || !scan_end(s, f->why))
		return false;
	for (uint64_t i = 0; i < f->count; i++) {
		if (!init_goes_on(f->d, i, f->why))
			return false;
		if (isa_type_is_float(f->type))
			store_double(f, i, start + (double)i * step);
		else
			store_bits(f, i, start_bits + i * step_bits);
	}
	return true;
}

static uint64_t splitmix64(uint64_t seed, uint64_t i)
{
	uint64_t z = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

static bool fill_random(struct init *f, const char *s)
{
	struct expr_value seed;
	double lo = 0, hi = 1;
	uint64_t lo_bits = 0, hi_bits = UINT64_MAX;
	bool has, has_lo, has_hi;
	if (!needs_numbers(f, "random") || !take_value(f, &s, &seed, &has))
		return false;
	if (!has || !value_fit(&seed, ISA_U64, f->why))
		return f->why->n ? false : debug_fail(f->why, "usage: random SEED [LO HI]");
	if (!take_number(f, &s, &lo, &lo_bits, &has_lo) || !take_number(f, &s, &hi, &hi_bits, &has_hi) ||
	    !scan_end(s, f->why))
		return false;
	if (has_lo != has_hi)
		return debug_fail(f->why, "usage: random SEED [LO HI]");
	bool is_float = isa_type_is_float(f->type), is_unsigned = isa_type_info[f->type].cls == ISA_CLASS_UNSIGNED;
	if (has_lo && (is_float ? hi < lo : is_unsigned ? hi_bits < lo_bits : (int64_t)hi_bits < (int64_t)lo_bits))
		return debug_fail(f->why, "random: HI lies below LO");
	uint64_t range = hi_bits - lo_bits + 1;
	for (uint64_t i = 0; i < f->count; i++) {
		uint64_t z = splitmix64(seed.u.u64, i);
		if (!init_goes_on(f->d, i, f->why))
			return false;
		if (is_float)
			store_double(f, i, lo + (hi - lo) * ((double)(z >> 11) * 0x1p-53));
		else
			store_bits(f, i, f->is_bool && !has_lo ? z & 1 : lo_bits + (range ? z % range : z));
	}
	return true;
}

/* ---- {V, ...}, file PATH ---- */

/* A list for numbers of PTX's types is one for an array of them. */
static bool fill_list(struct init *f, const char *s)
{
	const struct ctype number = {.kind = CTYPE_BASE, .scalar = f->type, .bytes = f->size};
	const struct ctype all = {
		.kind = CTYPE_ARRAY, .target = &number, .count = f->count, .bytes = f->count * f->size};
	return init_braces(f, f->whole ? f->whole : &all, f->bytes, false, &s) && scan_end(s, f->why);
}

bool init_read_file(struct debug *d, const char *path, unsigned char *bytes, uint64_t n, struct text *why)
{
	struct files_open file;
	if (!files_open(d->host.files, path, FILES_READ, &file))
		return debug_fail(why, "can't read '%s': %s", path, strerror(errno));
	uint64_t got = fread(bytes, 1, n, file.stream);
	bool more = got == n && fgetc(file.stream) != EOF;
	int error = ferror(file.stream) ? errno : 0;
	files_close(d->host.files, &file, false);
	if (error)
		return debug_fail(why, "can't read '%s': %s", path, strerror(error));
	if (got == n && !more)
		return true;
	return debug_fail(why, "%s has %s %llu bytes", path, more ? "more than" : "fewer than", (unsigned long long)n);
}

static bool fill_file(struct init *f, const char *s)
{
	struct text path = {0};
	s = scan_blanks(s);
	size_t n = strlen(s);
	while (n && strchr(" \t\r\n", s[n - 1]))
		n--;
	text_addn(&path, s, n);
	if (!debug_may_reach_host(f->d, "file PATH", f->why)) {
		text_free(&path);
		return false;
	}
	bool ok = n ? init_read_file(f->d, text_str(&path), f->bytes, f->count * f->size, f->why)
		    : debug_fail(f->why, "usage: file PATH");
	if (!ok && f->type == ISA_NOTYPE)
		layout_explain(f->whole, f->why);
	text_free(&path);
	return ok;
}

/* Device memory is made of zeros, and so are the bytes here. */
static bool fill_zero(struct init *f, const char *s) { return scan_end(s, f->why); }

static const struct {
	const char *word;
	bool (*fn)(struct init *f, const char *s);
} words[] = {{"zero", fill_zero},
	     {"fill", fill_constant},
	     {"iota", fill_iota},
	     {"random", fill_random},
	     {"file", fill_file}};
#define WORDS (sizeof words / sizeof *words)

/* Does the bracket at s close at the end of the text? After gdb's {TYPE} an address follows. */
static bool is_list(const char *s)
{
	size_t n = scan_part(s + 1, false);
	while (s[1 + n] == ',')
		n += 1 + scan_part(s + 2 + n, false);
	return !s[1 + n] || (s[1 + n] == '}' && !*scan_blanks(s + 2 + n));
}

static bool is_symbol(struct debug *d, const char *word)
{
	struct expr_value v;
	struct text ignored = {0};
	bool known = debug_eval_type(d, word, &v, &ignored);
	if (known)
		expr_value_free(&v);
	text_free(&ignored);
	return known;
}

bool init_is(struct debug *d, const char *s)
{
	s = scan_blanks(s);
	if (*s == '{')
		return is_list(s);
	for (size_t i = 0; i < WORDS; i++) {
		if (!scan_word(&s, words[i].word))
			continue;
		s = scan_blanks(s);
		bool is_argument = isalnum((unsigned char)*s) || (*s && strchr("_\"'{$", *s));
		return is_argument || !is_symbol(d, words[i].word);
	}
	return false;
}

bool init_by_text(struct init *f, const char *s)
{
	s = scan_blanks(s);
	if (*s == '{')
		return fill_list(f, s);
	for (size_t i = 0; i < WORDS; i++)
		if (scan_word(&s, words[i].word))
			return words[i].fn(f, s);
	return debug_fail(
		f->why, "a %s begins as zero, fill V, iota [START [STEP]], random SEED [LO HI], {V, ...} or file PATH",
		f->what);
}
