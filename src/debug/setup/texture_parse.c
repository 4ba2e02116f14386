/* NAME FORMAT[W[,H[,D]]] [layers N] [cube] [levels N] = INIT [address ...] [filter ...] ... */
#include "debug/setup/texture_parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/expr/value.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"

#define EXTENT_MAX (UINT64_C(1) << 17)
#define BYTES_MAX (UINT64_C(1) << 36)

static const char usage[] = "usage: texture NAME FORMAT[W[,H[,D]]] [layers N] [cube] [levels N] = INIT [address MODE[,MODE[,MODE]]] [filter point|linear] "
			    "[normalized] [read normalized] [srgb] [border V[,V,V,V]] [mip linear] [lod MIN MAX BIAS]";

/* ---- FORMAT ---- */

static bool is_texel_type(enum isa_type t)
{
	const unsigned bytes = isa_type_bytes(t);
	if (isa_type_is_float(t))
		return t == ISA_F16 || t == ISA_F32;
	return (bytes == 1 || bytes == 2 || bytes == 4) && t >= ISA_B8 && t <= ISA_F32;
}

bool texel_format_scan(const char **s, struct texel_format *out, struct text *why)
{
	const char *p = scan_blanks(*s);
	const size_t n = scan_name(p);
	const bool has_channels = n > 3 && p[n - 2] == 'x' && isdigit((unsigned char)p[n - 1]);
	char word[16];
	const char *end = word;
	uint8_t pointers = 0;
	*out = (struct texel_format){.channels = has_channels ? (uint8_t)(p[n - 1] - '0') : 1};
	const size_t n_type = has_channels ? n - 2 : n;
	if (!n || n_type >= sizeof word)
		return debug_fail(why, "a format is TYPE or TYPExC, as in u8x4");
	memcpy(word, p, n_type);
	word[n_type] = '\0';
	if (!expr_parse_type(&end, &out->type, &pointers) || *end || pointers || !is_texel_type(out->type))
		return debug_fail(why, "%.*s is no format: a TYPE of 8, 16 or 32 bits (u8 s8 u16 s16 f16 u32 s32 f32), or TYPExC with C = 2 or 4", (int)n, p);
	if (out->channels != 1 && out->channels != 2 && out->channels != 4)
		return debug_fail(why, "a texel has 1, 2 or 4 channels, not %u", out->channels);
	*s = p + n;
	return true;
}

const struct ctype *texel_array(struct debug *d, struct texel_format f, uint64_t count)
{
	struct pool *pool = cnames_pool(d);
	return f.channels <= 1 ? NULL : ctype_array_of(pool, ctype_array_of(pool, cnames_ptx(d, f.type), f.channels), count);
}

static bool parse_size(struct debug *d, const char **s, struct texture_plan *p, struct text *why)
{
	const char *q = scan_blanks(*s);
	if (*q != '[')
		return true;
	for (q++; *q != ']'; q++) {
		const size_t n = scan_part(q, false);
		if (p->dims == 3)
			return debug_fail(why, "a texture has at most three dimensions");
		if (!n || !debug_eval_count(d, q, n, &p->extent[p->dims], why))
			return n ? false : debug_fail(why, "%s", usage);
		if (!p->extent[p->dims] || p->extent[p->dims] > EXTENT_MAX)
			return debug_fail(why, "an extent is from 1 to %llu", (unsigned long long)EXTENT_MAX);
		p->dims++;
		q += n;
		if (*q == ']')
			break;
		if (*q != ',')
			return debug_fail(why, "a ] is missing after the size");
	}
	if (!p->dims)
		return debug_fail(why, "%s", usage);
	p->has_size = true;
	*s = q + 1;
	return true;
}

/* ---- options ---- */

struct options {
	struct debug *d;
	struct texture_plan *p;
	struct text *why;
};

static bool take_count(struct options *o, const char **s, const char *what, uint64_t *out)
{
	*s = scan_blanks(*s);
	const size_t n = scan_part(*s, true);
	if (!n)
		return debug_fail(o->why, "%s needs a number", what);
	if (!debug_eval_count(o->d, *s, n, out, o->why))
		return false;
	*s += n;
	return (*out && *out <= EXTENT_MAX) || debug_fail(o->why, "%s is from 1 to %llu", what, (unsigned long long)EXTENT_MAX);
}

static bool take_layers(struct options *o, const char **s) { return take_count(o, s, "layers", &o->p->layers); }
static bool take_levels(struct options *o, const char **s) { return take_count(o, s, "levels", &o->p->levels); }

static bool take_cube(struct options *o, const char **s)
{
	(void)s;
	return o->p->is_cube = true;
}

/* Takes one of n words at *s. Returns its number, -1 if none comes next. */
static int take_word(const char **s, const char *const *words, int n)
{
	for (int k = 0; k < n; k++)
		if (scan_word(s, words[k]))
			return k;
	return -1;
}

static bool take_address(struct options *o, const char **s)
{
	static const char *const modes[] = {"wrap", "clamp", "mirror", "border"}; /* cudaTextureAddressMode */
	int mode = 0;
	for (unsigned k = 0; k < 3; k++) {
		if (!k || *scan_blanks(*s) == ',') {
			*s = scan_blanks(*s) + (k != 0);
			mode = take_word(s, modes, 4);
		}
		if (mode < 0)
			return debug_fail(o->why, "address wants clamp, wrap, mirror or border near `%s'", *s);
		o->p->sampler.address[k] = mode;
	}
	return *scan_blanks(*s) != ',' || debug_fail(o->why, "address takes at most three modes");
}

static bool take_filter(struct options *o, const char **s)
{
	static const char *const filters[] = {"point", "linear"};
	o->p->sampler.filter = take_word(s, filters, 2);
	return o->p->sampler.filter >= 0 || debug_fail(o->why, "filter wants point or linear");
}

static bool take_normalized(struct options *o, const char **s)
{
	(void)s;
	o->p->sampler.normalized = true;
	return true;
}

static bool take_read(struct options *o, const char **s)
{
	o->p->sampler.reads_normalized = true;
	return scan_word(s, "normalized") || debug_fail(o->why, "read wants normalized");
}

static bool take_srgb(struct options *o, const char **s)
{
	(void)s;
	o->p->sampler.srgb = true;
	return true;
}

static bool take_seamless(struct options *o, const char **s)
{
	(void)s;
	o->p->sampler.is_seamless = true;
	return true;
}

static bool take_border(struct options *o, const char **s)
{
	struct texture_plan *p = o->p;
	for (;; *s = scan_blanks(*s + 1)) {
		*s = scan_blanks(*s);
		const size_t n = scan_part(*s, true);
		if (!n || p->n_border == 4)
			return debug_fail(o->why, "border wants 1 to 4 values: border V[,V,V,V]");
		p->border[p->n_border++] = xstrndup(*s, n);
		*s = scan_blanks(*s + n);
		if (**s != ',')
			return true;
	}
}

static bool take_mip(struct options *o, const char **s)
{
	static const char *const filters[] = {"point", "linear"};
	o->p->sampler.mipmap_filter = take_word(s, filters, 2);
	return o->p->sampler.mipmap_filter >= 0 || debug_fail(o->why, "mip wants linear");
}

static bool take_lod(struct options *o, const char **s)
{
	float *const to[] = {&o->p->sampler.least_level, &o->p->sampler.most_level, &o->p->sampler.bias};
	for (unsigned k = 0; k < 3; k++) {
		struct expr_value v = {0};
		*s = scan_blanks(*s);
		const size_t n = scan_part(*s, true);
		if (!n || !debug_eval_number(o->d, *s, n, &v, o->why) || !value_convert(&v, ISA_F64, 0, o->why))
			return o->why->n ? false : debug_fail(o->why, "lod wants MIN MAX BIAS");
		*to[k] = (float)v.u.f64;
		*s += n;
	}
	return o->p->has_lod = true;
}

static const struct option {
	const char *word;
	bool (*take)(struct options *o, const char **s);
	bool is_sampler; /* of textures only */
} options[] = {{"layers", take_layers, false}, {"levels", take_levels, false}, {"cube", take_cube, false},	   {"address", take_address, true},
	       {"filter", take_filter, true},  {"normalized", take_normalized, true}, {"read", take_read, true}, {"srgb", take_srgb, true},
	       {"border", take_border, true},  {"mip", take_mip, true},	      {"lod", take_lod, true},
	       {"seamless", take_seamless, true}};
#define OPTIONS (sizeof options / sizeof *options)

static const struct option *option_at(const char **s)
{
	for (size_t k = 0; k < OPTIONS; k++)
		if (scan_word(s, options[k].word))
			return &options[k];
	return NULL;
}

/* Takes options up to the end, or up to `=`. */
static bool parse_options(struct options *o, const char **s)
{
	for (*s = scan_blanks(*s); **s && **s != '='; *s = scan_blanks(*s)) {
		const struct option *found = option_at(s);
		if (!found)
			return debug_fail(o->why, "no option of a %s near `%s'", o->p->is_surface ? "surface" : "texture", *s);
		if (found->is_sampler && o->p->is_surface)
			return debug_fail(o->why, "%s is an option of textures: surfaces aren't sampled", found->word);
		if (!found->take(o, s))
			return false;
	}
	return true;
}

/* Returns the end of INIT: where the first option begins. */
static const char *end_of_init(const char *s)
{
	for (s = scan_blanks(s); *s; s = scan_blanks(s)) {
		const char *next = s;
		if (option_at(&next))
			return s;
		const size_t n = scan_part(s, true);
		s += n ? n : 1;
	}
	return s;
}

/* ---- the whole ---- */

static bool parse_shared(struct debug *d, const char **s, struct texture_plan *p, struct text *why)
{
	*s = scan_blanks(*s);
	const size_t n = scan_name(*s);
	p->of = debug_buffer_find(d, *s, n);
	if (!p->of)
		return debug_fail(why, "there is no surface or buffer %.*s; info buffers lists them", (int)n, *s);
	*s += n;
	const struct gpu_texture *t = p->of->handle ? gpu_texture_at(d->g, p->of->handle) : NULL;
	const char *next = scan_blanks(*s);
	const bool has_format = *next && *next != '=' && !option_at(&next);
	if (!t || has_format)
		return texel_format_scan(s, &p->format, why) && parse_size(d, s, p, why) &&
		       (p->has_size || debug_fail(why, "usage: texture NAME of BUFFER FORMAT[W[,H[,D]]]"));
	p->format = (struct texel_format){p->of->type, p->of->channels};
	p->extent[0] = t->texels.width;
	p->extent[1] = t->texels.height;
	const bool is_cube = t->texels.flags & GPU_TEXELS_CUBE, is_layered = t->texels.flags & GPU_TEXELS_LAYERED;
	p->extent[2] = is_cube || is_layered ? 0 : t->texels.depth;
	p->is_cube = is_cube;
	p->layers = is_layered ? t->texels.depth / (is_cube ? 6 : 1) : 0;
	p->levels = t->texels.n_levels ? t->texels.n_levels : 1;
	p->dims = p->extent[2] ? 3 : p->extent[1] ? 2 : 1;
	p->has_size = true;
	return true;
}

bool texture_plan_parse(struct debug *d, const char *args, struct texture_plan *p, struct text *why)
{
	struct options o = {d, p, why};
	const char *s = scan_blanks(args);
	p->levels = 1;
	for (unsigned k = 0; k < 3; k++)
		p->sampler.address[k] = 1; /* clamp */
	p->name = s;
	p->n_name = scan_name(s);
	if (!p->n_name || *s == '%' || *s == '$')
		return debug_fail(why, "%s", usage);
	s += p->n_name;
	if (scan_word(&s, "of")) {
		if (!parse_shared(d, &s, p, why))
			return false;
	} else if (!texel_format_scan(&s, &p->format, why) || !parse_size(d, &s, p, why)) {
		return false;
	}
	if (!parse_options(&o, &s))
		return false;
	if (*s != '=')
		return true;
	if (p->of)
		return debug_fail(why, "the memory of %s has its contents: no INIT is taken", p->of->name);
	const char *end = end_of_init(s + 1);
	p->init = xstrndup(scan_blanks(s + 1), (size_t)(end - scan_blanks(s + 1)));
	s = end;
	return parse_options(&o, &s) && scan_end(s, why);
}

void texture_plan_free(struct texture_plan *p)
{
	for (unsigned k = 0; k < 4; k++)
		free(p->border[k]);
	free(p->init);
}

/* ---- what fits together ---- */

static uint64_t extent_at(uint64_t n, uint64_t level) { return n >> level ? n >> level : 1; }

uint64_t texture_plan_texels(const struct texture_plan *p, uint64_t levels)
{
	const uint64_t slices = (p->layers ? p->layers : 1) * (p->is_cube ? 6 : 1);
	uint64_t sum = 0;
	for (uint64_t l = 0; l < levels; l++) {
		uint64_t n = slices;
		for (unsigned k = 0; k < p->dims; k++)
			if (__builtin_mul_overflow(n, extent_at(p->extent[k], l), &n) || n > BYTES_MAX)
				return BYTES_MAX + 1;
		sum += n;
	}
	return sum;
}

static bool check_sampler(struct texture_plan *p, struct text *why)
{
	const struct gpu_sampler *s = &p->sampler;
	const bool is_float = isa_type_is_float(p->format.type);
	const unsigned bytes = isa_type_bytes(p->format.type);
	if (s->reads_normalized && !is_float && bytes == 4)
		return debug_fail(why, "read normalized needs channels of 8 or 16 bits: %s has 32", isa_type_info[p->format.type].name);
	if ((s->filter || s->mipmap_filter) && !is_float && !s->reads_normalized)
		return debug_fail(why, "%s linear needs floats: texels of %s are read as integers; `read normalized` makes them floats",
				  s->filter ? "filter" : "mip", isa_type_info[p->format.type].name);
	if (s->is_seamless && !p->is_cube)
		return debug_fail(why, "seamless is an option of cubes");
	if (s->srgb && (bytes != 1 || isa_type_is_signed(p->format.type) || !s->reads_normalized))
		return debug_fail(why, "srgb needs u8 channels and `read normalized`");
	return true;
}

bool texture_plan_check(struct texture_plan *p, struct text *why)
{
	uint64_t most = 0, levels = 1;
	if (!p->has_size)
		return debug_fail(why, "a size is missing: FORMAT[W[,H[,D]]] (only an image file has its own)");
	if (p->is_cube && (p->dims > 2 || (p->dims == 2 && p->extent[0] != p->extent[1])))
		return debug_fail(why, "the faces of a cube are square: FORMAT[W,W]");
	if (p->is_cube && p->dims == 1) {
		p->dims = 2;
		p->extent[1] = p->extent[0];
	}
	if (p->layers && p->dims == 3)
		return debug_fail(why, "layers are those of one or two dimensions");
	if (p->is_surface && p->levels > 1)
		return debug_fail(why, "a surface has one level");
	for (unsigned k = 0; k < p->dims; k++)
		most = p->extent[k] > most ? p->extent[k] : most;
	while (most >> levels)
		levels++;
	if (p->levels > levels)
		return debug_fail(why, "that size has at most %llu levels", (unsigned long long)levels);
	if (texture_plan_texels(p, p->levels) > BYTES_MAX / (isa_type_bytes(p->format.type) * p->format.channels))
		return debug_fail(why, "no room for that many texels of device memory");
	if (!p->has_lod)
		p->sampler.most_level = (float)(p->levels - 1);
	return p->is_surface || check_sampler(p, why);
}
