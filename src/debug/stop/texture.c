/* Textures and surfaces that an instruction names, by a reference or an object's handle, and where their texels are: where it faults. */
#include <ctype.h>
#include <string.h>

#include "debug/stop/stop.h"
#include "debug/view/address.h"
#include "debug/view/view.h"
#include "exec/texture.h"
#include "gpu/texture.h"
#include "isa/opcodes.h"

static void place_text(struct debug *d, uint64_t address, struct text *out)
{
	const uint64_t at = gpu_device_address(d->g, address);
	const struct gpu_allocation *a = gpu_nearest_allocation(d->g, at);
	if (!a || at - a->address >= a->bytes) {
		text_addf(out, "0x%llx", (unsigned long long)at);
		return;
	}
	if (at != a->address)
		text_addf(out, "%llu bytes into ", (unsigned long long)(at - a->address));
	debug_allocation_text(d, a, out);
}

static bool is_reference(const struct debug_symbol *s)
{
	return s->kind == SYMBOL_VARIABLE && s->of_module &&
	       (s->var->type == ISA_TEXREF || s->var->type == ISA_SURFREF);
}

/* Adds what the reference is bound to: its variable holds the handle of a texture or surface object. */
static void reference_line(struct debug *d, const struct debug_symbol *s, struct text *out)
{
	uint64_t handle = 0;
	const struct gpu_texture *t = gpu_read(d->g, s->generic, &handle, sizeof handle) ? gpu_texture_at(d->g, handle) : NULL;
	text_addf(out, "%s reference %s is bound to ", s->var->type == ISA_SURFREF ? "Surface" : "Texture",
		  s->var->name);
	if (t)
		place_text(d, t->texels.address, out);
	else
		text_add(out, "nothing");
	text_addc(out, '\n');
}

/* Adds which object a handle is, where there is a program that makes objects. */
static void object_line(struct debug *d, const char *kind, const char *name, size_t n, uint64_t handle,
			struct text *out)
{
	const struct gpu_texture *t = gpu_texture_at(d->g, handle);
	if (!t && !debug_program_is_there(d))
		return;
	if (t && t->is_surface != (kind[0] == 's'))
		t = NULL;
	text_addf(out, "%.*s is 0x%llx, %s %s object", (int)n, name, (unsigned long long)handle, t ? "a" : "no", kind);
	if (t) {
		text_add(out, " of ");
		place_text(d, t->texels.address, out);
	}
	text_addc(out, '\n');
}

/* NULL: it reads none. */
static const char *kind_of(struct debug *d, uint32_t pc)
{
	switch (debug_program(d)->insns[pc].opcode) {
	case ISA_OP_TEX:
	case ISA_OP_TLD4:
	case ISA_OP_TXQ: return "texture";
	case ISA_OP_SULD:
	case ISA_OP_SUST:
	case ISA_OP_SURED:
	case ISA_OP_SUQ: return "surface";
	default: return NULL;
	}
}

const char *stop_texture_mistake(struct debug *d, uint32_t pc)
{
	switch (debug_program(d)->insns[pc].opcode) {
	case ISA_OP_TEX:
	case ISA_OP_TLD4: return "Invalid texture read";
	case ISA_OP_TXQ: return "Invalid texture query";
	case ISA_OP_SULD: return "Invalid surface read";
	case ISA_OP_SUST: return "Invalid surface write";
	case ISA_OP_SURED: return "Invalid surface reduction";
	case ISA_OP_SUQ: return "Invalid surface query";
	default: return NULL;
	}
}

/* Returns the name of what an instruction's address begins with, in the file's text, and its length; NULL: it has no address. */
static const char *address_name(struct debug *d, uint32_t pc, size_t *n)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_where *w = &p->where[pc];
	for (uint32_t k = 0; k < w->n_operands; k++) {
		const struct isa_operand *o = &p->operands[w->operands + k];
		if (o->role != ISA_ROLE_ADDRESS || o->kind == ISA_OPERAND_MEMORY)
			continue;
		*n = o->n;
		return p->files[w->file].text + w->offset + o->at;
	}
	return NULL;
}

/* Adds the coordinates of the lane, unless the fault's text has those of a surface. */
static void coordinates_line(struct debug *d, const struct debug_where *w, uint32_t pc, struct text *out)
{
	const struct isa_insn *i = &debug_program(d)->insns[pc];
	struct exec_texels t;
	const bool is_access = isa_op_reads_texels(i->opcode) || isa_op_writes_texels(i->opcode);
	const bool is_found = is_access && w->w && exec_texels_ahead(gpu_exec(d->g), w->w, pc, w->lane, &t);
	if (!is_access || !w->w || (is_found && t.of.is_surface))
		return;
	text_add(out, "coordinates ");
	debug_coordinates_text(i, &t.sample, out);
	text_addc(out, '\n');
}

void stop_textures(struct debug *d, const struct debug_where *w, uint32_t pc, struct text *out)
{
	const char *kind = kind_of(d, pc);
	struct debug_frame frame;
	struct debug_symbol symbol;
	size_t n = 0;
	if (!kind || !debug_frame_get(d, w, 0, &frame))
		return;
	coordinates_line(d, w, pc, out);
	const char *s = address_name(d, pc, &n);
	if (n && debug_lookup(d, w, &frame, s, n, &symbol)) {
		if (is_reference(&symbol)) {
			reference_line(d, &symbol, out);
		} else if (symbol.kind == SYMBOL_REG && debug_reg_bytes(symbol.reg.type) == sizeof(uint64_t)) {
			uint64_t handle;
			debug_row_read(d, w, frame.frame, symbol.reg.ref, sizeof handle, &handle);
			object_line(d, kind, s, n, handle, out);
		}
	}
}
