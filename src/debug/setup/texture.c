/* Textures and surfaces: making them, binding references to them, their properties in words. */
#include "debug/setup/texture.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/xalloc.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/setup/buffer.h"
#include "debug/setup/picture.h"
#include "debug/setup/init.h"
#include "debug/setup/texture_parse.h"
#include "debug/view/functions.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"

/* ---- descriptions for the device ---- */

static struct gpu_texels texels_of(const struct texture_plan *p, uint64_t address)
{
	const uint32_t bytes = isa_type_bytes(p->format.type);
	struct gpu_texels t = {.address = address, .width = p->extent[0], .kind = p->levels > 1 ? GPU_TEXELS_MIPMAPS : GPU_TEXELS_ARRAY};
	t.height = p->dims > 1 ? p->extent[1] : 0;
	t.depth = p->dims > 2 ? p->extent[2] : 0;
	if (p->layers || p->is_cube)
		t.depth = (p->layers ? p->layers : 1) * (p->is_cube ? 6 : 1);
	t.flags = (p->layers ? GPU_TEXELS_LAYERED : 0) | (p->is_cube ? GPU_TEXELS_CUBE : 0);
	t.format = isa_type_is_float(p->format.type) ? 2 : isa_type_info[p->format.type].cls == ISA_CLASS_SIGNED ? 0 : 1; /* cudaChannelFormatKind */
	for (unsigned k = 0; k < p->format.channels; k++)
		t.bits[k] = (int32_t)bytes * 8;
	if (p->levels > 1)
		t.n_levels = (uint32_t)p->levels;
	for (uint32_t k = 0; k < t.n_levels; k++)
		t.level[k] = address + texture_plan_texels(p, k) * bytes * p->format.channels;
	return t;
}

/* Stores the border's values as the texture returns them: floats, or the bits of integers. */
static bool set_border(struct debug *d, struct texture_plan *p, struct text *why)
{
	const bool is_float = isa_type_is_float(p->format.type) || p->sampler.reads_normalized;
	for (unsigned k = 0; k < p->n_border; k++) {
		struct expr_value v = {0};
		unsigned char bytes[16] = {0};
		const enum isa_type t = is_float ? ISA_F32 : isa_type_is_signed(p->format.type) ? ISA_S32 : ISA_U32;
		if (!debug_eval_number(d, p->border[k], strlen(p->border[k]), &v, why) || !value_fit(&v, t, why))
			return false;
		value_store(&v, bytes);
		memcpy(&p->sampler.border[k], bytes, sizeof p->sampler.border[k]);
	}
	return true;
}

static uint64_t make_object(struct debug *d, void *self, uint64_t address, struct text *why)
{
	const struct texture_plan *p = self;
	const struct gpu_texture t = {.texels = texels_of(p, address), .sampler = p->sampler, .is_surface = p->is_surface};
	const uint64_t handle = (uint64_t)debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_TEXTURE, .texture = {&t}}, NULL);
	if (!handle)
		debug_fail(why, "the device has no room for another texture");
	return handle;
}

/* ---- the commands ---- */

/* `= file X.png`: takes the size from the image if none is given. Returns false, with an error in `why`, if that fails. */
static bool read_image(struct debug *d, struct texture_plan *p, const char *path, struct picture *m, struct text *why)
{
	if (!debug_may_reach_host(d, "file PATH", why))
		return false;
	if (p->format.type != ISA_U8 && p->format.type != ISA_B8)
		return debug_fail(why, "images are read into channels of u8, not %s", isa_type_info[p->format.type].name);
	if (!picture_read(d, path, p->format.channels, m, why))
		return false;
	const uint64_t slices = p->has_size ? texture_plan_texels(p, 1) / p->extent[0] : 0;
	if (p->has_size && (p->levels > 1 || p->extent[0] != m->width || slices != m->height))
		return debug_fail(why, "%s has %u x %u pixels, the %s %llu x %llu", path, m->width, m->height, p->is_surface ? "surface" : "texture",
				  (unsigned long long)p->extent[0], (unsigned long long)slices);
	if (!p->has_size) {
		p->has_size = true;
		p->dims = 2;
		p->extent[0] = m->width;
		p->extent[1] = m->height;
	}
	return true;
}

static bool fill(struct texture_plan *p, struct init *f, const struct picture *m, struct text *why)
{
	const uint64_t n = f->count * f->size;
	if (!p->init)
		return true;
	f->bytes = pages_take(n);
	if (!f->bytes)
		return debug_fail(why, "no host memory for %llu bytes", (unsigned long long)n);
	if (!m->pixels)
		return init_by_text(f, p->init);
	memcpy(f->bytes, m->pixels, n);
	return true;
}

static bool make_own(struct debug *d, struct texture_plan *p, const struct picture *m, struct text *why)
{
	struct init f = {.d = d, .why = why, .what = p->is_surface ? "surface" : "texture"};
	const uint64_t texels = texture_plan_texels(p, p->levels);
	const struct ctype *c = texel_array(d, p->format, texels);
	const struct buffer_plan plan = {.name = p->name, .n_name = p->n_name, .make_object = make_object, .self = p, .channels = p->format.channels};
	if (c ? !init_of_type(&f, c) : (init_numbers(&f, p->format.type, texels), false))
		return debug_fail(why, "the texels have no size");
	bool ok = fill(p, &f, m, why) && debug_buffer_make(d, &plan, &f, why);
	pages_free(f.bytes, f.count * f.size);
	return ok;
}

/* Makes a texture of another buffer's memory. */
static bool make_shared(struct debug *d, struct texture_plan *p, struct text *why)
{
	const uint64_t texels = texture_plan_texels(p, p->levels), bytes = texels * isa_type_bytes(p->format.type) * p->format.channels;
	struct debug_buffer b = *p->of;
	if (bytes > b.bytes)
		return debug_fail(why, "%s has %llu bytes, the %s would have %llu", b.name, (unsigned long long)b.bytes, p->is_surface ? "surface" : "texture",
				  (unsigned long long)bytes);
	b.handle = make_object(d, p, b.address, why);
	if (!b.handle)
		return false;
	b.name = xstrndup(p->name, p->n_name);
	b.type = p->format.type;
	b.channels = p->format.channels;
	b.count = texels;
	b.bytes = bytes;
	b.c = texel_array(d, p->format, texels);
	b.is_shared = true;
	b.initialised = true;
	b.kind = NULL;
	debug_buffer_remove(d, p->name, p->n_name);
	buffers_insert(d, debug_buffer_count(d), &b);
	debug_changed(d);
	return true;
}

/* Returns the path of `file PATH` if that is an image's, else NULL. */
static const char *image_path(const struct texture_plan *p)
{
	const char *s = p->init ? p->init : "";
	size_t n = strlen(s);
	while (n && strchr(" \t", s[n - 1]))
		p->init[--n] = '\0';
	if (!scan_word(&s, "file"))
		return NULL;
	s = scan_blanks(s);
	return picture_is_name(s) ? s : NULL;
}

static bool make_texture(struct debug *d, const char *args, struct texture_plan *p, struct text *why)
{
	struct picture m = {0};
	if (!texture_plan_parse(d, args, p, why) || !debug_buffer_may_be_named(d, p->name, p->n_name, why))
		return false;
	const char *path = image_path(p);
	bool ok = (!path || read_image(d, p, path, &m, why)) && texture_plan_check(p, why) && set_border(d, p, why);
	if (ok && p->of && p->of == debug_buffer_find(d, p->name, p->n_name))
		ok = debug_fail(why, "%s can't be its own memory", p->of->name);
	ok = ok && (p->of ? make_shared(d, p, why) : make_own(d, p, &m, why));
	free(m.pixels);
	return ok;
}

const struct debug_buffer *debug_texture_define(struct debug *d, const char *text, bool is_surface, struct text *why)
{
	struct texture_plan p = {.is_surface = is_surface};
	const struct debug_buffer *b = make_texture(d, text, &p, why) ? debug_buffer_find(d, p.name, p.n_name) : NULL;
	texture_plan_free(&p);
	return b;
}

/* ---- references ---- */

static const char *reference_kind(enum isa_type t)
{
	return t == ISA_TEXREF ? "texture" : t == ISA_SURFREF ? "surface" : t == ISA_SAMPLERREF ? "sampler" : NULL;
}

bool debug_texture_bind(struct debug *d, const char *text, struct text *why)
{
	const char *s = scan_blanks(text), *name = s + scan_part(s, true);
	const size_t n = (size_t)(name - s);
	struct debug_symbol symbol;
	name = scan_blanks(name);
	const size_t n_name = scan_name(name);
	if (!n || !n_name || *scan_blanks(name + n_name))
		return debug_fail(why, "usage: bind TEXREF NAME");
	if (!debug_module_lookup(d, NULL, s, n, &symbol) || !reference_kind((enum isa_type)symbol.var->type))
		return debug_fail(why, "%.*s is no .texref, .samplerref or .surfref variable of a module", (int)n, s);
	const struct debug_buffer *b = debug_buffer_find(d, name, n_name);
	if (!b || !b->handle)
		return debug_fail(why, "%.*s is no texture or surface; info textures lists them", (int)n_name, name);
	struct gpu_texture t = *gpu_texture_at(d->g, b->handle);
	const bool wants_surface = symbol.var->type == ISA_SURFREF;
	if (t.is_surface != wants_surface)
		return debug_fail(why, "%.*s is a %s reference, %s a %s", (int)n, s, reference_kind((enum isa_type)symbol.var->type), b->name,
				  t.is_surface ? "surface" : "texture");
	t.variable = symbol.generic;
	if (!debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_TEXTURE_BIND, .texture = {&t}}, NULL))
		return debug_fail(why, "%.*s can't be bound: the device has no room", (int)n, s);
	debug_changed(d);
	return true;
}

/* Finds a reference that an instruction names and that is not bound. Returns NULL if there is none. */
static const struct isa_variable *unbound_reference(struct debug *d, const struct isa_function *f, uint32_t pc)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_where *w = &p->where[pc];
	const struct debug_frame frame = {.function = f, .pc = pc};
	for (uint32_t k = 0; k < w->n_operands && p->insns[pc].opcode != ISA_OP_ISTYPEP; k++) {
		const struct isa_operand *o = &p->operands[w->operands + k];
		struct debug_symbol s;
		uint64_t handle = 0;
		if (o->kind != ISA_OPERAND_SYMBOL || !debug_module_lookup(d, &frame, p->files[w->file].text + w->offset + o->at, o->n, &s) ||
		    !reference_kind((enum isa_type)s.var->type))
			continue;
		if (!gpu_read(d->g, s.generic, &handle, sizeof handle) || !gpu_texture_at(d->g, handle))
			return s.var;
	}
	return NULL;
}

bool texture_references_are_bound(struct debug *d, uint32_t kernel, struct text *why)
{
	const struct isa_program *p = debug_program(d);
	bool has_references = false;
	for (uint32_t k = 0; k < p->n_variables; k++)
		has_references |= reference_kind((enum isa_type)p->variables[k]->type) != NULL;
	for (uint32_t k = 0; has_references && k < p->n_functions; k++) {
		const struct isa_function *f = p->functions[k];
		if (f->unloaded || !f->is_defined || !debug_kernel_reaches(d, kernel, f))
			continue;
		for (uint32_t pc = f->first; pc < f->end; pc++) {
			const struct isa_variable *v = unbound_reference(d, f, pc);
			if (v)
				return debug_fail(why, "%s reference %s is not bound: `bind %s NAME` gives it a %s", reference_kind((enum isa_type)v->type), v->name,
						  v->name, v->type == ISA_SURFREF ? "surface" : "texture");
		}
	}
	return true;
}

/* ---- in words ---- */

void texture_format_text(const struct gpu_texels *t, struct text *out)
{
	unsigned channels = 0;
	for (unsigned k = 0; k < 4; k++)
		channels += t->bits[k] > 0;
	text_addf(out, "%c%d", t->format == 0 ? 's' : t->format == 1 ? 'u' : 'f', t->bits[0]);
	if (channels > 1)
		text_addf(out, "x%u", channels);
}

void texture_size_text(const struct gpu_texels *t, struct text *out)
{
	const bool has_slices = t->flags & (GPU_TEXELS_LAYERED | GPU_TEXELS_CUBE);
	const uint64_t texel = (uint64_t)(t->bits[0] / 8) * (unsigned)((t->bits[0] > 0) + (t->bits[1] > 0) + (t->bits[2] > 0) + (t->bits[3] > 0));
	text_addf(out, "[%llu", (unsigned long long)(t->kind == GPU_TEXELS_MEMORY && texel ? t->width / texel : t->width));
	if (t->height && t->kind != GPU_TEXELS_MEMORY)
		text_addf(out, ",%llu", (unsigned long long)t->height);
	if (t->depth && !has_slices && t->kind != GPU_TEXELS_MEMORY && t->kind != GPU_TEXELS_ROWS)
		text_addf(out, ",%llu", (unsigned long long)t->depth);
	text_addc(out, ']');
	if (t->flags & GPU_TEXELS_LAYERED)
		text_addf(out, " layers %llu", (unsigned long long)(t->depth / (t->flags & GPU_TEXELS_CUBE ? 6 : 1)));
	if (t->flags & GPU_TEXELS_CUBE)
		text_add(out, " cube");
	if (t->n_levels > 1)
		text_addf(out, " levels %u", t->n_levels);
}

void texture_modes_text(const struct gpu_texture *t, struct text *out)
{
	static const char *const modes[] = {"wrap", "clamp", "mirror", "border"};
	const struct gpu_sampler *s = &t->sampler;
	const unsigned dims = t->texels.depth && !t->texels.flags ? 3 : t->texels.height ? 2 : 1;
	if (t->is_surface)
		return;
	text_add(out, "address ");
	for (unsigned k = 0; k < dims; k++)
		text_addf(out, "%s%s", k ? "," : "", s->address[k] >= 0 && s->address[k] < 4 ? modes[s->address[k]] : "clamp");
	text_addf(out, " filter %s", s->filter ? "linear" : "point");
	text_addf(out, "%s%s%s%s", s->normalized ? " normalized" : "", s->reads_normalized && t->texels.format != 2 ? " read normalized" : "",
		  s->srgb ? " srgb" : "", s->mipmap_filter ? " mip linear" : "");
	text_add(out, s->is_seamless ? " seamless" : "");
}
