/* Device buffers: making, filling, saving, comparing. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pages.h"
#include "base/xalloc.h"
#include "debug/trace.h"

size_t debug_buffer_count(const struct debug *d) { return d->n_buffers; }

const struct debug_buffer *debug_buffer_at(const struct debug *d, size_t i)
{
	return i < d->n_buffers ? &d->buffers[i] : NULL;
}

const struct debug_buffer *debug_buffer_find(const struct debug *d, const char *name, size_t n)
{
	for (size_t i = 0; i < d->n_buffers; i++)
		if (strlen(d->buffers[i].name) == n && !memcmp(d->buffers[i].name, name, n))
			return &d->buffers[i];
	return NULL;
}

/* ---- INIT ---- */

/* At a time, between two looks for Ctrl-C: whole elements, whole pages of the host, and whole sectors of the device's caches. */
#define PIECE_BYTES (UINT64_C(1) << 20)

struct fill {
	struct debug *d;
	enum isa_type type;
	uint64_t count, size; /* elements, bytes of one */
	unsigned char *bytes; /* of zeros before, in whole pages */
	struct text *why;
};

/* False, with the reason: the user wants no more of it. */
static bool goes_on_now(const struct debug *d, struct text *why)
{
	return !debug_interrupted(d) || debug_fail(why, "interrupted");
}

/* The same, asked for each element: looks now and then. */
static inline bool goes_on(const struct debug *d, uint64_t i, struct text *why)
{
	return i & 0xffff || goes_on_now(d, why);
}

/* Next blank-separated number; *has says if there was one. */
static bool take_value(struct fill *f, const char **s, struct expr_value *v, bool *has)
{
	*s = scan_blanks(*s);
	size_t n = scan_part(*s, true);
	*has = n > 0;
	if (!n)
		return true;
	if (!debug_eval_number(f->d, *s, n, v, f->why))
		return false;
	*s += n;
	if (!v->is_array && !v->is_string)
		return true;
	expr_value_free(v);
	return debug_fail(f->why, "a number is needed here");
}

static bool fill_constant(struct fill *f, const char *s)
{
	struct expr_value v;
	if (!*scan_blanks(s))
		return debug_fail(f->why, "usage: fill VALUE");
	if (!debug_eval_number(f->d, s, strlen(s), &v, f->why))
		return false;
	bool ok = value_fit(&v, f->type, f->why);
	if (ok)
		value_store(&v, f->bytes);
	uint64_t bytes = f->count * f->size;
	for (uint64_t part, done = f->size; ok && done < bytes; done += part) { /* what is there, once more */
		part = done < PIECE_BYTES ? done : PIECE_BYTES;
		if (part > bytes - done)
			part = bytes - done;
		memcpy(f->bytes + done, f->bytes, part);
		ok = goes_on_now(f->d, f->why);
	}
	expr_value_free(&v);
	return ok;
}

/* Buffers have millions of elements: the common types are written without a call. */
static inline void store_double(struct fill *f, uint64_t i, double x)
{
	float narrow = (float)x;
	if (f->type == ISA_F32)
		memcpy(f->bytes + i * sizeof narrow, &narrow, sizeof narrow);
	else if (f->type == ISA_F64)
		memcpy(f->bytes + i * sizeof x, &x, sizeof x);
	else
		format_from_double(f->type, x, f->bytes + i * f->size);
}

static inline void store_bits(struct fill *f, uint64_t i, uint64_t v)
{
	uint32_t narrow = (uint32_t)v;
	if (f->size == 4)
		memcpy(f->bytes + i * sizeof narrow, &narrow, sizeof narrow);
	else if (f->size == 8)
		memcpy(f->bytes + i * sizeof v, &v, sizeof v);
	else
		memcpy(f->bytes + i * f->size, &v, f->size);
}

/* A bound or step: as a double for floats, as bits for integers. */
static bool take_number(struct fill *f, const char **s, double *x, uint64_t *bits, bool *has)
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

static bool fill_iota(struct fill *f, const char *s)
{
	double start = 0, step = 1;
	uint64_t start_bits = 0, step_bits = 1;
	bool has;
	if (!take_number(f, &s, &start, &start_bits, &has) || !take_number(f, &s, &step, &step_bits, &has) ||
	    !scan_end(s, f->why))
		return false;
	for (uint64_t i = 0; i < f->count; i++) {
		if (!goes_on(f->d, i, f->why))
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

static bool fill_random(struct fill *f, const char *s)
{
	struct expr_value seed;
	double lo = 0, hi = 1;
	uint64_t lo_bits = 0, hi_bits = UINT64_MAX;
	bool has, has_lo, has_hi;
	if (!take_value(f, &s, &seed, &has))
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
		if (!goes_on(f->d, i, f->why))
			return false;
		if (is_float)
			store_double(f, i, lo + (hi - lo) * ((double)(z >> 11) * 0x1p-53));
		else
			store_bits(f, i, lo_bits + (range ? z % range : z));
	}
	return true;
}

static bool fill_list(struct fill *f, const char *s)
{
	uint64_t i = 0;
	for (s = scan_blanks(s); *s && *s != '}'; i++) {
		struct expr_value v;
		size_t n = scan_part(s, false);
		if (i == f->count)
			return debug_fail(f->why, "the list is longer than the buffer's %llu elements",
					  (unsigned long long)f->count);
		if (!debug_eval_number(f->d, s, n, &v, f->why))
			return false;
		bool ok = value_fit(&v, f->type, f->why);
		if (ok)
			value_store(&v, f->bytes + i * f->size);
		expr_value_free(&v);
		if (!ok)
			return false;
		s = scan_blanks(s + n);
		if (*s == ',')
			s = scan_blanks(s + 1);
	}
	if (*s != '}')
		return debug_fail(f->why, "a } is missing after the list");
	/* as in C, elements without a value are zero */
	return scan_end(s + 1, f->why);
}

/* Reads a file of exactly n bytes. */
static bool read_file(const char *path, unsigned char *bytes, uint64_t n, struct text *why)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return debug_fail(why, "can't read '%s': %s", path, strerror(errno));
	uint64_t got = fread(bytes, 1, n, file);
	bool more = got == n && fgetc(file) != EOF;
	int error = ferror(file) ? errno : 0;
	fclose(file);
	if (error)
		return debug_fail(why, "can't read '%s': %s", path, strerror(error));
	if (got == n && !more)
		return true;
	return debug_fail(why, "%s has %s %llu bytes", path, more ? "more than" : "fewer than", (unsigned long long)n);
}

static bool fill_file(struct fill *f, const char *s)
{
	struct text path = {0};
	s = scan_blanks(s);
	size_t n = strlen(s);
	while (n && strchr(" \t\r\n", s[n - 1]))
		n--;
	text_addn(&path, s, n);
	bool ok = n ? read_file(text_str(&path), f->bytes, f->count * f->size, f->why)
		    : debug_fail(f->why, "usage: file PATH");
	text_free(&path);
	return ok;
}

static bool fill_by_text(struct fill *f, const char *s)
{
	s = scan_blanks(s);
	if (*s == '{')
		return fill_list(f, s + 1);
	if (scan_word(&s, "zero"))
		return scan_end(s, f->why); /* device memory is made of zeros */
	if (scan_word(&s, "fill"))
		return fill_constant(f, s);
	if (scan_word(&s, "iota"))
		return fill_iota(f, s);
	if (scan_word(&s, "random"))
		return fill_random(f, s);
	if (scan_word(&s, "file"))
		return fill_file(f, s);
	return debug_fail(
		f->why,
		"a buffer begins as zero, fill V, iota [START [STEP]], random SEED [LO HI], {V, ...} or file PATH");
}

/* ---- the commands ---- */

static bool parse_shape(struct debug *d, const char **s, enum isa_type *t, uint64_t *count, struct text *why)
{
	uint8_t pointers;
	const char *p = scan_blanks(*s);
	if (!expr_parse_type(&p, t, &pointers) || pointers || !isa_type_bytes(*t) || isa_type_bytes(*t) > 8)
		return debug_fail(why, "usage: buffer NAME TYPE[COUNT] [= INIT]; types: b8 u8 s8 b16 u16 s16 f16 bf16 "
				       "b32 u32 s32 f32 b64 u64 s64 f64");
	p = scan_blanks(p);
	size_t n = *p == '[' ? scan_part(p + 1, false) : 0;
	if (!n || p[1 + n] != ']')
		return debug_fail(why, "usage: buffer NAME TYPE[COUNT] [= INIT]");
	if (!debug_eval_count(d, p + 1, n, count, why))
		return false;
	*s = p + 2 + n;
	return *count ? true : debug_fail(why, "a buffer needs at least one element");
}

static uint64_t buffer_bytes(const struct debug_buffer *b) { return b ? b->count * isa_type_bytes(b->type) : 0; }

static void remove_buffer(struct debug *d, const char *name, size_t n)
{
	const struct debug_buffer *found = debug_buffer_find(d, name, n);
	if (!found)
		return;
	struct debug_buffer *b = &d->buffers[found - d->buffers];
	gpu_free(d->g, b->address);
	free(b->name);
	memmove(b, b + 1, (size_t)(d->buffers + d->n_buffers - (b + 1)) * sizeof *b);
	d->n_buffers--;
}

/* Piece by piece, each given back, so that host memory never holds a large buffer twice. False where Ctrl-C ends it. */
static bool move_to_device(struct debug *d, uint64_t address, unsigned char *bytes, uint64_t n, struct text *why)
{
	for (uint64_t done = 0; done < n; done += PIECE_BYTES) {
		const uint64_t part = n - done < PIECE_BYTES ? n - done : PIECE_BYTES;
		if (!goes_on_now(d, why))
			return false;
		gpu_copy_to_device(d->g, address + done, bytes + done, part);
		pages_drop(bytes + done, part);
	}
	return true;
}

static bool make_buffer(struct debug *d, const char *name, size_t n_name, struct fill *f, bool initialised,
			struct text *why)
{
	char *copy = xstrndup(name, n_name);
	uint64_t bytes = f->count * f->size;
	uint64_t address = gpu_alloc(d->g, bytes, copy);
	if (!address && buffer_bytes(debug_buffer_find(d, name, n_name)) >= bytes) { /* the older one's room will do */
		remove_buffer(d, name, n_name);
		address = gpu_alloc(d->g, bytes, copy);
	}
	if (!address)
		debug_fail(why, "no room for %llu bytes of device memory", (unsigned long long)bytes);
	if (!address || (initialised && !move_to_device(d, address, f->bytes, bytes, why))) {
		gpu_free(d->g, address);
		free(copy);
		return false;
	}
	remove_buffer(d, name, n_name); /* the older one: the new one is there, nothing can be lost any more */
	trace_allocated(d, address, bytes, initialised);
	d->buffers = xgrow(d->buffers, &d->cap_buffers, d->n_buffers + 1, sizeof *d->buffers);
	d->buffers[d->n_buffers++] = (struct debug_buffer){
		.name = copy, .type = f->type, .count = f->count, .address = address, .initialised = initialised};
	debug_changed(d);
	return true;
}

bool debug_cmd_buffer(struct debug *d, const char *args, struct text *out, struct text *why)
{
	const char *s = scan_blanks(args);
	size_t n = scan_name(s);
	struct fill f = {.d = d, .why = why};
	(void)out;
	if (!n || *s == '%' || *s == '$')
		return debug_fail(why, "usage: buffer NAME TYPE[COUNT] [= INIT]");
	const char *name = s;
	s += n;
	if (!parse_shape(d, &s, &f.type, &f.count, why))
		return false;
	f.size = isa_type_bytes(f.type);
	if (f.count > (UINT64_C(1) << 36) / f.size)
		return debug_fail(why, "no room for %llu elements of device memory", (unsigned long long)f.count);
	s = scan_blanks(s);
	bool initialised = *s == '=';
	if (!initialised)
		return scan_end(s, why) && make_buffer(d, name, n, &f, false, why);
	f.bytes = pages_take(f.count * f.size);
	if (!f.bytes)
		return debug_fail(why, "no host memory for %llu elements", (unsigned long long)f.count);
	bool ok = fill_by_text(&f, s + 1) && make_buffer(d, name, n, &f, true, why);
	pages_free(f.bytes, f.count * f.size);
	return ok;
}

/* First word: a buffer, or anything that is an array (a slice, a module variable); *rest is what follows. */
static bool take_array(struct debug *d, const char *args, struct expr_value *v, struct text *name, const char **rest,
		       struct text *why)
{
	const char *s = scan_blanks(args);
	size_t n = scan_part(s, true);
	if (!n)
		return debug_fail(why, "the name of a buffer is missing");
	text_addn(name, s, n);
	*rest = scan_blanks(s + n);
	if (!debug_eval_text(d, s, n, v, why))
		return false;
	if (v->is_array)
		return true;
	if (v->place.kind != EXPR_MEMORY) {
		expr_value_free(v);
		return debug_fail(why, "%.*s is no buffer", (int)n, s);
	}
	struct expr_value one = *v; /* a single element */
	v->is_array = true;
	v->data = xmalloc(16);
	value_store(&one, v->data);
	return true;
}

bool debug_cmd_save(struct debug *d, const char *args, struct text *out, struct text *why)
{
	struct expr_value v = {0};
	struct text name = {0};
	const char *path = "";
	(void)out;
	bool ok = take_array(d, args, &v, &name, &path, why);
	if (ok && !*path)
		ok = debug_fail(why, "usage: save NAME FILE");
	FILE *f = ok ? fopen(path, "wb") : NULL;
	if (ok && !f)
		ok = debug_fail(why, "can't write '%s': %s", path, strerror(errno));
	if (f) {
		uint64_t n = v.count * value_element_bytes(&v);
		bool written = fwrite(v.data, 1, n, f) == n;
		if ((fclose(f) || !written) && ok)
			ok = debug_fail(why, "can't write '%s': %s", path, strerror(errno));
	}
	expr_value_free(&v);
	text_free(&name);
	return ok;
}

struct tolerance {
	double abs, rel;
};

static bool elements_agree(const struct expr_value *a, const struct expr_value *b, struct tolerance t)
{
	if (!isa_type_is_float(a->type))
		return a->u.u64 == b->u.u64 && (a->type != ISA_B128 || a->u.w[1] == b->u.w[1]);
	double x = a->u.f64, y = b->u.f64;
	if (x == y || (isnan(x) && isnan(y)))
		return true;
	return fabs(x - y) <= t.abs + t.rel * fabs(y) && !isinf(x) && !isinf(y);
}

#define DIFFERENCES_SHOWN 10

static uint64_t count_differences(struct debug *d, const struct expr_value *v, const char *name, unsigned char *want,
				  struct tolerance t, struct text *out)
{
	struct expr_value file = *v, a, b;
	uint64_t n = 0;
	file.data = want;
	for (uint64_t i = 0; i < v->count && (i & 0xffff || !debug_interrupted(d)); i++) {
		value_element(v, i, &a);
		value_element(&file, i, &b);
		if (elements_agree(&a, &b, t) || n++ >= DIFFERENCES_SHOWN)
			continue;
		text_addf(out, "%s[%llu] = ", name, (unsigned long long)i);
		format_value(d, &a, NULL, out);
		text_add(out, ", expected ");
		format_value(d, &b, NULL, out);
		text_addc(out, '\n');
	}
	if (n > DIFFERENCES_SHOWN)
		text_addf(out, "... %llu more\n", (unsigned long long)(n - DIFFERENCES_SHOWN));
	return n;
}

static bool parse_tolerance(struct debug *d, const char *s, struct tolerance *t, struct text *why)
{
	struct fill f = {.d = d, .type = ISA_F64, .why = why};
	uint64_t bits;
	bool has;
	if (!take_number(&f, &s, &t->abs, &bits, &has) || !take_number(&f, &s, &t->rel, &bits, &has) ||
	    !scan_end(s, why))
		return false;
	return (t->abs >= 0 && t->rel >= 0) || debug_fail(why, "tolerances are not negative");
}

bool debug_cmd_compare(struct debug *d, const char *args, struct text *out, struct text *why)
{
	struct expr_value v = {0};
	struct text name = {0}, path = {0};
	struct tolerance t = {0, 0};
	unsigned char *want = NULL;
	const char *s = "";
	bool ok = take_array(d, args, &v, &name, &s, why);
	size_t n = ok ? strcspn(s, " \t") : 0;
	if (ok && !n)
		ok = debug_fail(why, "usage: compare NAME FILE [ABS [REL]]");
	if (ok)
		text_addn(&path, s, n);
	const uint64_t bytes = ok ? v.count * value_element_bytes(&v) : 0;
	if (ok && !(want = pages_take(bytes)))
		ok = debug_fail(why, "no host memory for %llu elements", (unsigned long long)v.count);
	ok = ok && parse_tolerance(d, s + n, &t, why) && read_file(text_str(&path), want, bytes, why);
	if (ok) {
		uint64_t differ = count_differences(d, &v, text_str(&name), want, t, out);
		if (debug_interrupted(d))
			ok = debug_fail(why, "interrupted");
		else if (differ)
			ok = debug_fail(why, "%s differs from %s in %llu of %llu elements", text_str(&name),
					text_str(&path), (unsigned long long)differ, (unsigned long long)v.count);
		else
			text_addf(out, "%s equals %s, %llu elements\n", text_str(&name), text_str(&path),
				  (unsigned long long)v.count);
	}
	pages_free(want, bytes);
	expr_value_free(&v);
	text_free(&name);
	text_free(&path);
	return ok;
}
