/* What one lane of a texture or surface instruction accesses, for checkers and the debugger. */
#include "exec/memory.h"
#include "exec/simt.h"
#include "exec/texture_unit.h"
#include "isa/opcodes.h"

/* Returns what a handle names, as the instruction needs it. */
static bool find(const struct exec *x, uint64_t handle, bool is_surface, struct exec_texture *t)
{
	const struct exec_services *s = &x->services;
	const bool is_found = s->texture && s->texture(s->self, x->context, handle, t) && t->is_surface == is_surface;
	if (!is_found)
		*t = (struct exec_texture){.layers = 1};
	return is_found;
}

static bool sampled(const struct exec *x, const struct isa_insn *i, unsigned lane, struct exec_texels *out)
{
	struct exec_texture sampler;
	const bool is_found = find(x, exec_src64(x, i->a)[lane], false, &out->of);
	out->sample = texture_sample_of(x, i, &out->of, lane);
	if (!is_found)
		return false;
	if (i->b != ISA_REF_NONE) {
		if (!find(x, exec_src64(x, i->b)[lane], false, &sampler))
			return false;
		texture_take_sampler(&out->of, &sampler);
	}
	out->sample = texture_sample_of(x, i, &out->of, lane);
	out->n = exec_sample_texels(&out->of, &out->sample, out->texel);
	out->bytes = exec_texel_bytes(&out->of);
	return true;
}

static bool placed(const struct exec *x, const struct isa_insn *i, unsigned lane, struct exec_texels *out)
{
	const uint32_t *rows = &x->program->aux[i->aux] + (i->opcode == ISA_OP_SULD ? i->vec : 0);
	struct surface_place at = {0};
	const bool is_found = find(x, exec_src64(x, i->a)[lane], true, &out->of);
	out->bytes = i->opcode == ISA_OP_SURED ? isa_type_bytes((enum isa_type)i->type) : texture_surface_bytes(i, &out->of);
	out->n = texture_surface_place(x, i, &out->of, lane, rows, &at) && is_found;
	out->texel[0] = (struct exec_texel){.weight = 1.0f, .address = at.address};
	out->sample = (struct exec_sample){.geometry = i->mode, .by_number = true, .index = at.index};
	for (unsigned k = 0; k < 3; k++)
		out->sample.number[k] = (int32_t)at.written[k];
	return is_found;
}

bool exec_texels_of_lane(const struct exec *x, const struct isa_insn *i, unsigned lane, struct exec_texels *out)
{
	*out = (struct exec_texels){.n = 0};
	switch (i->opcode) {
	case ISA_OP_TEX:
	case ISA_OP_TLD4: return i->handler != ISA_H_UNSUPPORTED && sampled(x, i, lane, out);
	case ISA_OP_SULD:
	case ISA_OP_SUST:
	case ISA_OP_SURED: return i->handler != ISA_H_UNSUPPORTED && placed(x, i, lane, out);
	default: return false;
	}
}

bool exec_texels_ahead(const struct exec *x, const struct exec_warp *w, uint32_t pc, unsigned lane, struct exec_texels *out)
{
	const struct exec_simt *top = w->n_simt ? exec_simt_top(x, w) : NULL;
	struct exec view = *x;
	out->n = 0;
	if (!top)
		return false;
	view.base[ISA_BASE_FRAME] = x->frame_base + top->frame;
	view.base[ISA_BASE_CONST] = x->program->consts;
	view.base[ISA_BASE_SPECIAL] = view.base[ISA_BASE_NONE] = x->special_base + w->special;
	view.context = EXEC_ANY_CONTEXT;
	return exec_texels_of_lane(&view, &x->program->insns[pc], lane, out);
}

void exec_texels_merge(struct exec_texels *t)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < t->n; k++) {
		const struct exec_texel e = t->texel[k];
		uint32_t j = 0;
		while (j < n && (t->texel[j].is_border != e.is_border || (!e.is_border && t->texel[j].address != e.address)))
			j++;
		if (j < n)
			t->texel[j].weight += e.weight;
		else if (e.weight != 0)
			t->texel[n++] = e;
	}
	t->n = n;
}
