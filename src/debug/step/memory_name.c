/* What lies at an address, as users name it. */
#include "debug/buffers/buffers.h"
#include "debug/step/step.h"
#include "debug/view/view.h"
#include "exec/texture.h"
#include "gpu/texture.h"

/* `C[7]`, of an element's part `C[7] + 2`; of bytes that are something else `((f32*)C)[7]` */
static bool add_element(const char *name, uint64_t offset, uint64_t bytes, enum isa_type type, struct text *out)
{
	const uint64_t rest = bytes ? offset % bytes : offset, wide = isa_type_bytes(type);
	if (bytes == 1 && wide > 1 && offset % wide == 0) {
		text_addf(out, "((%s*)%s)[%llu]", isa_type_info[type].name, name, (unsigned long long)(offset / wide));
		return true;
	}
	text_addf(out, "%s[%llu]", name, (unsigned long long)(bytes ? offset / bytes : 0));
	if (rest)
		text_addf(out, " + %llu", (unsigned long long)rest);
	return true;
}

/* Appends `[3,1]` for a texel's number in the order x, y, z, and its number alone if it lies in a further level. */
static void add_coordinates(uint64_t number, const uint64_t extent[3], struct text *out)
{
	const uint64_t width = extent[0] ? extent[0] : 1, height = extent[1] ? extent[1] : 1, depth = extent[2] ? extent[2] : 1;
	if (number >= width * height * depth) {
		text_addf(out, "[%llu]", (unsigned long long)number);
		return;
	}
	text_addf(out, "[%llu", (unsigned long long)(number % width));
	if (extent[1])
		text_addf(out, ",%llu", (unsigned long long)(number / width % height));
	if (extent[2])
		text_addf(out, ",%llu", (unsigned long long)(number / width / height));
	text_addc(out, ']');
}

/* A texel of a texture or surface of the prompt, by its coordinates. */
static bool add_texel(const struct debug_buffer *b, const struct gpu_texels *t, uint64_t offset, struct text *out)
{
	const uint64_t bytes = debug_buffer_bytes(b) / b->count, extent[3] = {t->width, t->height, t->depth};
	text_add(out, b->name);
	add_coordinates(offset / bytes, extent, out);
	if (offset % bytes)
		text_addf(out, " + %llu", (unsigned long long)(offset % bytes));
	return true;
}

static bool in_buffer(struct debug *d, uint64_t generic, enum isa_type type, struct text *out)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++) {
		const struct debug_buffer *b = debug_buffer_at(d, k);
		const struct gpu_texture *t = b->handle ? gpu_texture_at(d->g, b->handle) : NULL;
		if (generic < b->address || generic - b->address >= debug_buffer_bytes(b))
			continue;
		if (t && b->count)
			return add_texel(b, &t->texels, generic - b->address, out);
		return add_element(b->name, generic - b->address,
				   b->count ? debug_buffer_bytes(b) / b->count : 0, type, out);
	}
	return false;
}

/* Returns the level of a texture that has the byte at a device address. */
static uint32_t level_of(const struct exec_texture *t, uint64_t address)
{
	uint32_t best = 0;
	for (uint32_t k = 1; k < t->n_levels; k++)
		if (address >= t->level_at[k] && (address < t->level_at[best] || t->level_at[k] > t->level_at[best]))
			best = k;
	return best;
}

/* Returns the name of the buffer or allocation at a device address. */
static const char *owner_name(struct debug *d, uint64_t address)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++) {
		const struct debug_buffer *b = debug_buffer_at(d, k);
		if (address >= b->address && address - b->address < debug_buffer_bytes(b))
			return b->name;
	}
	const struct gpu_allocation *a = gpu_nearest_allocation(d->g, address);
	return a && address >= a->address && address - a->address < a->bytes && a->name[0] ? a->name : "texel ";
}

void debug_texel_name(struct debug *d, const struct exec_texture *t, uint64_t address, struct text *out)
{
	const uint32_t level = level_of(t, address), width = exec_level_extent(t->width, level), height = exec_level_extent(t->height, level);
	const uint64_t bytes = exec_texel_bytes(t), row = t->pitch && !level ? t->pitch : width * bytes;
	const uint64_t at = address - t->level_at[level], y = at / row, slices = t->layers > 1 ? t->layers : exec_level_extent(t->depth, level);
	const uint64_t extent[3] = {width, t->height > 1 || slices > 1 || t->layers > 1 ? height : 0, slices > 1 ? slices : 0};
	text_add(out, owner_name(d, address));
	add_coordinates((y * width) + at % row / bytes, extent, out);
	if (level)
		text_addf(out, " level %u", level);
	if (at % row % bytes)
		text_addf(out, " + %llu", (unsigned long long)(at % row % bytes));
}

/* Appends the element of a program's allocation that was freed and still has its bytes. Returns false if there is none. */
static bool in_freed(struct debug *d, uint64_t generic, enum isa_type type, struct text *out)
{
	const struct gpu_allocation *a = gpu_is_freed(d->g, generic) ? gpu_nearest_allocation(d->g, generic) : NULL;
	return a && a->by_program && a->name[0] && add_element(a->name, generic - a->address, 1, type, out);
}

/* Returns the newest variable of a module at a generic address that is loaded or, with `unloaded`, isn't. */
static const struct isa_variable *find_variable(struct debug *d, uint64_t generic, bool unloaded)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t k = p->n_variables; k-- > 0;) {
		const struct isa_variable *v = p->variables[k];
		const uint64_t first = debug_variable_generic(NULL, v);
		if (!(v->flags & ISA_VAR_UNLOADED) != unloaded && !(v->flags & ISA_VAR_DYNAMIC_SHARED) &&
		    v->space != ISA_SPACE_SHARED && generic >= first && generic - first < v->bytes)
			return v;
	}
	return NULL;
}

const struct isa_variable *debug_variable_at(struct debug *d, uint64_t generic)
{
	const struct isa_variable *v = find_variable(d, generic, false);
	return v ? v : find_variable(d, generic, true); /* a look at the past may stand in front of the load */
}

static bool in_variable(struct debug *d, uint64_t generic, enum isa_type type, struct text *out)
{
	const struct isa_variable *v = debug_variable_at(d, generic);
	if (!v)
		return false;
	const uint64_t first = debug_variable_generic(NULL, v);
	const char *name = v->plain ? v->plain : v->name;
	if (v->n_dims)
		return add_element(name, generic - first,
				   isa_type_bytes((enum isa_type)v->type) * (v->vec ? v->vec : 1u), type, out);
	text_add(out, name);
	if (generic > first)
		text_addf(out, " + %llu", (unsigned long long)(generic - first));
	return true;
}

void debug_memory_name(struct debug *d, uint64_t generic, enum isa_type type, struct text *out)
{
	const enum isa_space space = debug_space_of(generic);
	if (in_buffer(d, generic, type, out) || in_variable(d, generic, type, out) || in_freed(d, generic, type, out))
		return;
	if (space == ISA_SPACE_GLOBAL || space == ISA_SPACE_GENERIC)
		text_addf(out, "0x%llx", (unsigned long long)generic);
	else
		text_addf(out, "%s[0x%llx]", debug_space_name(space),
			  (unsigned long long)(generic - access_window(space)));
}
