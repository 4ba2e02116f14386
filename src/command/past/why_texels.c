/* `why EXPR` through a texture or surface: the texels that a look-up was made of, their weights, and who wrote each. */
#include <string.h>

#include "command/past/why_chain.h"
#include "exec/texture.h"
#include "isa/opcodes.h"
#include "isa/texture.h"

/* The bytes of a texel that a result is made of. */
struct part {
	uint64_t address;
	uint32_t bytes;
	enum isa_type type;
	bool is_known;
	uint64_t value; /* at the time of the look-up */
};

/* Returns the type of a texture's channels. */
static enum isa_type channel_type(const struct exec_texture *t)
{
	static const enum isa_type types[3][3] = {{ISA_U8, ISA_U16, ISA_U32}, {ISA_S8, ISA_S16, ISA_S32}, {ISA_NOTYPE, ISA_F16, ISA_F32}};
	return types[t->channel][t->channel_bytes / 2];
}

/* Returns the element of the result vector that written register `which` holds. */
static uint32_t element_of(const struct isa_program *p, uint32_t pc, uint32_t which)
{
	const struct isa_insn *i = &p->insns[pc];
	const uint32_t word = p->rw[p->where[pc].rw + which];
	uint32_t element = 0;
	for (uint32_t k = 0; k < i->vec; k++)
		if (p->aux[i->aux + k] != ISA_REF_NONE && ISA_RW_ROW(p->aux[i->aux + k]) == word)
			element = k;
	return element;
}

/* Returns the channel that a result shows. */
static unsigned channel_of(const struct isa_insn *i, uint32_t which)
{
	return i->opcode == ISA_OP_TLD4 ? i->mode2 : i->type == ISA_F16X2 ? 2 * which : which;
}

/* Returns what result `which` shows of a texel, with its value while the machine stands in front of the look-up. */
static struct part part_of(struct debug *d, const struct isa_insn *i, const struct exec_texture *of, const struct exec_texel *e, uint32_t which)
{
	const uint32_t own = isa_type_bytes((enum isa_type)i->type);
	struct part p = {e->address + (uint64_t)channel_of(i, which) * of->channel_bytes, of->channel_bytes, channel_type(of), false, 0};
	if (i->opcode == ISA_OP_SULD) {
		p.address = e->address + (uint64_t)which * own;
		p.bytes = own;
		p.type = own == of->channel_bytes ? channel_type(of) : (enum isa_type)i->type;
	}
	const void *there = e->is_border ? NULL : exec_peek(gpu_exec(debug_gpu(d)), NULL, 0, 0, p.address, p.bytes);
	p.is_known = there;
	if (there)
		memcpy(&p.value, there, p.bytes);
	return p;
}

/* Adds the words in front of a texel, or instead of it. */
static void weight_is(struct why_chain *c, const struct exec_texels *t, float weight)
{
	struct text shown = {0};
	if (t->n < 2)
		return;
	text_addf(&shown, "%.9g", (double)weight);
	report_real(c->answer, "weight", (double)weight, text_str(&shown));
	report_line(c->answer, "{weight} of ");
	text_free(&shown);
}

static void border_line(struct why_chain *c, const struct exec_texels *t, float weight, unsigned channel, uint32_t depth)
{
	struct text value = {0};
	uint64_t bits = 0;
	if (!why_line_begin(c, depth))
		return;
	weight_is(c, t, weight);
	memcpy(&bits, &t->of.border[channel < 4 ? channel : 0], sizeof t->of.border[0]);
	debug_step_value(exec_texture_is_float(&t->of) ? ISA_F32 : t->of.channel == EXEC_CHANNEL_SIGNED ? ISA_S32 : ISA_U32, bits, &value);
	why_line_is(c, "border", "the texture's border");
	report_text(c->answer, "value", text_str(&value));
	report_say(c->answer, " = %s\n", text_str(&value));
	text_free(&value);
	why_line_over(c);
}

static void texel_line(struct why_chain *c, const struct why_at *a, const struct debug_step *s, const struct exec_texels *t, const struct part *p,
		       float weight, uint32_t depth)
{
	const struct where_bytes b = {.generic = p->address, .n = p->bytes, .thread = a->thread};
	const struct until u = {.thread = &a->thread, .executed = s->executed, .pc = s->pc, .limit = &c->here};
	if (!why_line_begin(c, depth))
		return;
	weight_is(c, t, weight);
	c->texture = &t->of;
	why_memory_source(c, &b, p->type, &u, p->is_known ? &p->value : NULL, depth);
	c->texture = NULL;
	why_line_over(c);
}

static void unknown_line(struct why_chain *c, const char *what, uint32_t depth)
{
	if (!why_line_begin(c, depth))
		return;
	why_line_is(c, "texels", what);
	report_say(c->answer, "\n");
	why_line_over(c);
}

void why_texel_lines(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint32_t which, uint32_t depth)
{
	const struct isa_program *program = gpu_program(debug_gpu(c->d));
	const struct isa_insn *i = &program->insns[s->pc];
	struct exec_texels t;
	struct part part[EXEC_TEXELS_MAX];
	which = element_of(program, s->pc, which);
	if (!isa_op_reads_texels(i->opcode))
		return;
	if (!trace_go(c->h, &a->thread, s->executed, &c->here) || !debug_texels_ahead(c->d, &a->thread, &t)) {
		unknown_line(c, "texels of an object that isn't there any more", depth);
		return;
	}
	if (i->opcode == ISA_OP_TLD4) { /* one texel for each result */
		t.texel[0] = t.texel[which < t.n ? which : 0];
		t.n = 1;
	}
	exec_texels_merge(&t);
	const bool has_channel = i->opcode == ISA_OP_SULD || channel_of(i, which) < t.of.n_channels;
	for (uint32_t k = 0; k < t.n; k++)
		part[k] = part_of(c->d, i, &t.of, &t.texel[k], which); /* the lines below move the machine */
	if (!has_channel || !t.n)
		unknown_line(c, has_channel ? "outside of the surface: 0" : "a channel that the texture doesn't have", depth);
	for (uint32_t k = 0; k < t.n && has_channel && !c->failed; k++) {
		if (t.texel[k].is_border)
			border_line(c, &t, t.texel[k].weight, channel_of(i, which), depth);
		else
			texel_line(c, a, s, &t, &part[k], t.texel[k].weight, depth);
	}
}
