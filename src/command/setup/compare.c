/* save and compare: values, from buffers to structures in variables, against files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "base/pages.h"
#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/findings/findings.h"
#include "debug/ground/scan.h"
#include "debug/setup/buffer.h"
#include "debug/setup/init.h"
#include "debug/setup/picture.h"
#include "debug/setup/texture.h"
#include "command/setup/buffers.h"

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
	if (v->is_array || (v->is_object && v->data))
		return true;
	if (v->is_object || v->place.kind != EXPR_MEMORY) {
		expr_value_free(v);
		return debug_fail(why, "%.*s is no buffer", (int)n, s);
	}
	struct expr_value one = *v; /* a single element */
	v->is_array = true;
	v->c = NULL;
	v->data = xmalloc(16);
	value_store(&one, v->data);
	return true;
}

static uint64_t bytes_of(const struct expr_value *v)
{
	return v->is_object ? v->count : v->count * value_element_bytes(v);
}

/* Of an array of structures those; a structure is one. */
static uint64_t elements_of(const struct expr_value *v)
{
	const struct ctype *t = v->is_object ? ctype_value(v->c) : NULL;
	return !t ? v->count : t->kind == CTYPE_ARRAY ? t->count : 1;
}

/* It becomes a result: a checker may know that it is none. */
static void read_as_result(struct debug *d, const struct expr_value *v)
{
	if (v->place.kind == EXPR_MEMORY)
		debug_result_read(d, v->place.address, bytes_of(v));
}

/* Reads the shape that `save NAME FILE.png WxH FORMAT` gives, or that of the texture `name`. Returns false, with an error in `why`, if there is none. */
static bool take_shape(struct debug *d, const char *name, const char *s, struct picture *m, struct texel_format *f, struct text *why)
{
	const struct debug_buffer *b = debug_buffer_find(d, name, strlen(name));
	const struct gpu_texture *t = b && b->handle ? gpu_texture_at(d->g, b->handle) : NULL;
	unsigned width, height;
	int n = 0;
	s = scan_blanks(s);
	if (t && !*s) {
		const uint64_t rows = (t->texels.height ? t->texels.height : 1) * (t->texels.depth ? t->texels.depth : 1);
		*f = (struct texel_format){b->type, b->channels};
		*m = (struct picture){.width = (uint32_t)t->texels.width, .height = (uint32_t)rows, .channels = b->channels};
		return true;
	}
	if (sscanf(s, "%ux%u%n", &width, &height, &n) < 2 || !n || !width || !height || width > 65536 || height > 65536)
		return debug_fail(why, "an image needs its size: save NAME FILE.png WIDTHxHEIGHT FORMAT, as in 512x512 u8x4");
	s = scan_blanks(s + n);
	*f = (struct texel_format){ISA_U8, 1};
	if (*s && (!texel_format_scan(&s, f, why) || !scan_end(s, why)))
		return false;
	*m = (struct picture){.width = width, .height = height, .channels = f->channels};
	return true;
}

/* Converts a channel to a byte: integers without sign lose their lower bits, floats count from 0 to 1. */
static unsigned char byte_of(const struct expr_value *v)
{
	if (!isa_type_is_float(v->type))
		return (unsigned char)(isa_type_bytes(v->type) == 2 ? (v->u.u64 * 255 + 32767) / 65535 : v->u.u64);
	return (unsigned char)(!(v->u.f64 > 0) ? 0 : v->u.f64 >= 1 ? 255 : (int)(v->u.f64 * 255 + 0.5));
}

/* Writes a value as an image. */
static bool save_picture(struct debug *d, const struct expr_value *v, const char *name, const char *path, const char *shape, struct text *why)
{
	struct picture m;
	struct texel_format f;
	if (!take_shape(d, name, shape, &m, &f, why))
		return false;
	const uint64_t n = (uint64_t)m.width * m.height * m.channels, bytes = n * isa_type_bytes(f.type);
	if (!isa_type_is_float(f.type) && (isa_type_bytes(f.type) > 2 || isa_type_is_signed(f.type)))
		return debug_fail(why, "images hold u8, u16, f16 or f32, not %s", isa_type_info[f.type].name);
	if (bytes > bytes_of(v))
		return debug_fail(why, "%s has %llu bytes, an image of %u x %u would have %llu", name, (unsigned long long)bytes_of(v), m.width, m.height,
				  (unsigned long long)bytes);
	m.pixels = xcalloc(n, 1);
	for (uint64_t k = 0; k < n; k++) {
		struct expr_value one;
		value_load(&one, f.type, 0, v->data + k * isa_type_bytes(f.type));
		m.pixels[k] = byte_of(&one);
	}
	const bool ok = picture_write(d, path, &m, why);
	free(m.pixels);
	return ok;
}

bool buffer_save(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct expr_value v = {0};
	struct text name = {0};
	const char *path = "";
	(void)answer;
	bool ok = take_array(d, args, &v, &name, &path, why);
	if (ok && !*path)
		ok = debug_fail(why, "usage: save NAME FILE");
	const size_t n_path = strcspn(path, " \t");
	char *file = xstrndup(path, n_path);
	if (ok && picture_is_name(file))
		ok = save_picture(d, &v, text_str(&name), file, path + n_path, why);
	else if (ok)
		ok = files_write(d->host.files, path, v.data, bytes_of(&v)) ||
		     debug_fail(why, "can't write '%s': %s", path, strerror(errno));
	free(file);
	if (ok)
		read_as_result(d, &v);
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
#define DEPTH_MAX 64u

struct comparison {
	struct debug *d;
	struct tolerance t;
	struct text path; /* of what is compared now: out[3].mean */
	struct report *answer;
	uint64_t shown, more,
		left; /* differences; left: parts that may still be looked at, as malformed types may have any number */
};

static void difference(struct comparison *c, const struct expr_value *a, const struct expr_value *b)
{
	if (c->shown == DIFFERENCES_SHOWN) {
		c->more++;
		return;
	}
	c->shown++;
	report_open(c->answer, NULL);
	report_text(c->answer, "name", text_str(&c->path));
	value_describe(c->d, c->answer, "value", a, NULL);
	value_describe(c->d, c->answer, "expected", b, NULL);
	report_line(c->answer, "{name} = {value}, expected {expected}\n");
	report_close(c->answer);
}

static void cut_path(struct comparison *c, size_t n)
{
	c->path.n = n;
	c->path.s[n] = '\0';
}

/* How many elements differ. */
static uint64_t compare_numbers(struct comparison *c, const struct expr_value *v, unsigned char *want)
{
	struct expr_value file = *v, a, b;
	const size_t n = c->path.n;
	uint64_t differ = 0;
	file.data = want;
	for (uint64_t i = 0; i < v->count && (i & 0xffff || !debug_interrupted(c->d)); i++) {
		value_element(v, i, &a);
		value_element(&file, i, &b);
		if (elements_agree(&a, &b, c->t))
			continue;
		differ++;
		text_addf(&c->path, "[%llu]", (unsigned long long)i);
		difference(c, &a, &b);
		cut_path(c, n);
	}
	return differ;
}

/* ---- structures: field by field, so that holes don't count and floats have their tolerance ---- */

static bool is_number(const struct ctype *t)
{
	return t->kind == CTYPE_POINTER ||
	       ((t->kind == CTYPE_BASE || t->kind == CTYPE_ENUM) && t->scalar != ISA_NOTYPE);
}

/* What has no fields to go into: a number, a bit-field, or a union, of which all bytes count. */
static bool compare_field(struct comparison *c, const struct ctype *t, const struct ctype_member *m,
			  const unsigned char *have, const unsigned char *want)
{
	struct expr_value a, b;
	cvalue_of_bytes(t, have, m ? m->bit_size : 0, m ? m->bit_shift : 0, &a);
	cvalue_of_bytes(t, want, m ? m->bit_size : 0, m ? m->bit_shift : 0, &b);
	bool same = is_number(ctype_core(t)) ? elements_agree(&a, &b, c->t) : !memcmp(have, want, ctype_core(t)->bytes);
	if (!same)
		difference(c, &a, &b);
	expr_value_free(&a);
	expr_value_free(&b);
	return same;
}

static bool compare_type(struct comparison *c, const struct ctype *type, const struct ctype_member *m,
			 const unsigned char *have, const unsigned char *want, unsigned depth);

static bool compare_members(struct comparison *c, const struct ctype *t, const unsigned char *have,
			    const unsigned char *want, unsigned depth)
{
	const size_t n = c->path.n;
	bool same = true;
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct ctype_member *m = &t->members[i];
		const uint64_t size = m->bit_size ? (m->bit_shift + m->bit_size + 7u) / 8u : ctype_core(m->type)->bytes;
		if (m->offset > t->bytes || size > t->bytes - m->offset)
			continue; /* malformed */
		if (m->name && !m->is_base)
			text_addf(&c->path, ".%s", m->name);
		same &= compare_type(c, m->type, m, have + m->offset, want + m->offset, depth + 1);
		cut_path(c, n);
	}
	return same;
}

static bool compare_elements(struct comparison *c, const struct ctype *t, const unsigned char *have,
			     const unsigned char *want, unsigned depth)
{
	const uint64_t size = ctype_core(t->target)->bytes;
	const size_t n = c->path.n;
	bool same = true;
	for (uint64_t i = 0; size && i < t->count && i < t->bytes / size && !debug_interrupted(c->d); i++) {
		text_addf(&c->path, "[%llu]", (unsigned long long)i);
		same &= compare_type(c, t->target, NULL, have + i * size, want + i * size, depth + 1);
		cut_path(c, n);
	}
	return same;
}

static bool compare_type(struct comparison *c, const struct ctype *type, const struct ctype_member *m,
			 const unsigned char *have, const unsigned char *want, unsigned depth)
{
	const struct ctype *t = ctype_core(type);
	if (!memcmp(have, want, t->bytes) || !c->left)
		return true;
	c->left--;
	if (depth < DEPTH_MAX && t->kind == CTYPE_ARRAY)
		return compare_elements(c, t, have, want, depth);
	if (depth < DEPTH_MAX && (t->kind == CTYPE_STRUCT || t->kind == CTYPE_CLASS))
		return compare_members(c, t, have, want, depth);
	return compare_field(c, type, m && m->bit_size ? m : NULL, have, want);
}

static uint64_t compare_objects(struct comparison *c, const struct expr_value *v, const unsigned char *want)
{
	const struct ctype *t = ctype_value(v->c);
	const uint64_t n = elements_of(v), size = t->kind == CTYPE_ARRAY ? ctype_core(t->target)->bytes : t->bytes;
	const size_t path = c->path.n;
	uint64_t differ = 0;
	c->left = 1000 + 4 * v->count;
	for (uint64_t i = 0; size && i < n && i < v->count / size && (i & 0xffff || !debug_interrupted(c->d)); i++) {
		if (t->kind == CTYPE_ARRAY)
			text_addf(&c->path, "[%llu]", (unsigned long long)i);
		differ += !compare_type(c, t->kind == CTYPE_ARRAY ? t->target : t, NULL, v->data + i * size,
					want + i * size, 0);
		cut_path(c, path);
	}
	return differ;
}

/* ---- the command ---- */

/* Adds the list `differences` of the first ones. Returns the number of elements that differ. */
static uint64_t count_differences(struct debug *d, const struct expr_value *v, const char *name, unsigned char *want,
				  struct tolerance t, struct report *answer)
{
	struct comparison c = {.d = d, .t = t, .answer = answer};
	report_list(answer, "differences");
	text_add(&c.path, name);
	uint64_t differ = v->is_object ? compare_objects(&c, v, want) : compare_numbers(&c, v, want);
	report_close(answer);
	if (c.more)
		report_say(answer, "... %llu more\n", (unsigned long long)c.more);
	text_free(&c.path);
	return differ;
}

static bool parse_tolerance(struct debug *d, const char *s, struct tolerance *t, struct text *why)
{
	bool has;
	if (!init_take_double(d, &s, &t->abs, &has, why) || !init_take_double(d, &s, &t->rel, &has, why) ||
	    !scan_end(s, why))
		return false;
	return (t->abs >= 0 && t->rel >= 0) || debug_fail(why, "tolerances are not negative");
}

static void describe_equal(const char *name, const char *path, uint64_t elements, struct report *answer)
{
	report_text(answer, "name", name);
	report_text(answer, "file", path);
	report_number(answer, "elements", elements);
	report_line(answer, "{name} equals {file}, {elements} elements\n");
}

bool command_compare(struct debug *d, const char *args, struct report *answer, struct text *why)
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
	const uint64_t bytes = ok ? bytes_of(&v) : 0;
	if (ok && !(want = pages_take(bytes)))
		ok = debug_fail(why, "no host memory for %llu elements", (unsigned long long)elements_of(&v));
	ok = ok && parse_tolerance(d, s + n, &t, why) && init_read_file(d, text_str(&path), want, bytes, why);
	if (ok) {
		read_as_result(d, &v);
		uint64_t differ = count_differences(d, &v, text_str(&name), want, t, answer);
		if (debug_interrupted(d))
			ok = debug_fail(why, "interrupted");
		else if (differ)
			ok = debug_fail(why, "%s differs from %s in %llu of %llu elements", text_str(&name),
					text_str(&path), (unsigned long long)differ,
					(unsigned long long)elements_of(&v));
		else
			describe_equal(text_str(&name), text_str(&path), elements_of(&v), answer);
	}
	pages_free(want, bytes);
	expr_value_free(&v);
	text_free(&name);
	text_free(&path);
	return ok;
}
