/* info textures: textures and surfaces of the prompt, objects of the program, and which references are bound to them. */
#include <string.h>

#include "command/info.h"
#include "debug/ground/scan.h"
#include "debug/setup/texture.h"
#include "debug/view/view.h"

static const struct debug_buffer *named(struct debug *d, uint64_t handle)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++)
		if (debug_buffer_at(d, k)->handle == handle)
			return debug_buffer_at(d, k);
	return NULL;
}

/* Returns the program's allocation that holds the texels of an object. Returns NULL if there is none. */
static const struct debug_buffer *holder(struct debug *d, uint64_t address)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++)
		if (!debug_buffer_at(d, k)->handle && debug_buffer_at(d, k)->address == address)
			return debug_buffer_at(d, k);
	return NULL;
}

/* Appends the name of the reference at an address. */
static void reference_name(struct debug *d, uint64_t address, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t k = p->n_variables; k-- > 0;)
		if (!(p->variables[k]->flags & ISA_VAR_UNLOADED) && p->variables[k]->space == ISA_SPACE_GLOBAL && p->variables[k]->address == address) {
			text_add(out, p->variables[k]->plain ? p->variables[k]->plain : p->variables[k]->name);
			return;
		}
	text_addf(out, "0x%llx", (unsigned long long)address);
}

/* Appends the references whose bindings were made from an object. Returns how many there are. */
static unsigned references_of(struct debug *d, const struct gpu_texture *of, struct text *out)
{
	unsigned n = 0;
	uint64_t handle;
	for (uint32_t k = 0; k < gpu_texture_count(d->g); k++) {
		const struct gpu_texture *t = gpu_texture_entry(d->g, k, &handle);
		if (!t || !t->variable || t->texels.address != of->texels.address || t->is_surface != of->is_surface ||
		    memcmp(&t->sampler, &of->sampler, sizeof t->sampler))
			continue;
		text_add(out, n++ ? ", " : "");
		reference_name(d, t->variable, out);
	}
	return n;
}

/* Returns whether a reference was bound to an object that has a row of its own. */
static bool has_object(struct debug *d, const struct gpu_texture *bound)
{
	uint64_t handle;
	for (uint32_t k = 0; k < gpu_texture_count(d->g); k++) {
		const struct gpu_texture *t = gpu_texture_entry(d->g, k, &handle);
		if (t && !t->variable && t->texels.address == bound->texels.address && t->is_surface == bound->is_surface &&
		    !memcmp(&t->sampler, &bound->sampler, sizeof t->sampler))
			return true;
	}
	return false;
}

static void object_row(struct debug *d, const struct gpu_texture *t, uint64_t handle, struct report *answer)
{
	const struct debug_buffer *of = named(d, handle), *b = of ? of : holder(d, t->texels.address);
	struct text size = {0}, format = {0}, modes = {0}, bound = {0};
	texture_format_text(&t->texels, &format);
	texture_size_text(&t->texels, &size);
	texture_modes_text(t, &modes);
	if (t->variable)
		reference_name(d, t->variable, &bound);
	else
		references_of(d, t, &bound);
	report_row(answer, false);
	if (b)
		report_text(answer, NULL, b->name);
	else
		report_none(answer, NULL, "-");
	report_text(answer, NULL, t->is_surface ? "surface" : "texture");
	report_text(answer, NULL, text_str(&format));
	report_text(answer, NULL, text_str(&size));
	report_hex(answer, NULL, t->texels.address);
	report_hex(answer, NULL, handle);
	report_text(answer, NULL, text_str(&bound));
	report_text(answer, NULL, text_str(&modes));
	text_free(&size);
	text_free(&format);
	text_free(&modes);
	text_free(&bound);
}

bool info_textures(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Name", "<Kind", "<Format", "<Size", "Address", "Handle", "<Bound to", "<Modes"};
	uint64_t handle;
	if (!scan_end(args, why))
		return false;
	report_table(answer, "textures", titles, sizeof titles / sizeof *titles);
	report_instead(answer, "No textures or surfaces.\n");
	for (uint32_t k = 0; k < gpu_texture_count(d->g); k++) {
		const struct gpu_texture *t = gpu_texture_entry(d->g, k, &handle);
		if (t && (!t->variable || !has_object(d, t)))
			object_row(d, t, handle, answer);
	}
	report_close(answer);
	return true;
}
