/* `info access` at a texture or surface instruction: each lane's coordinates and texels, and the lines of the texture cache that they lie in. */
#include "command/perf/access_texels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/perf/access_picture.h"
#include "debug/describe.h"
#include "debug/step/step.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"
#include "isa/texture.h"

#define TEXELS_MAX 4u /* shown in a row */

bool access_is_of_texels(const struct isa_insn *i) { return isa_op_reads_texels(i->opcode) || isa_op_writes_texels(i->opcode); }

bool access_texels_at(struct debug *d, const struct debug_where *w, uint32_t pc, struct texels_seen **seen)
{
	const struct exec *x = gpu_exec(d->g);
	const struct exec_simt *top = exec_simt_top(x, w->w);
	const struct isa_insn *i = &debug_program(d)->insns[pc];
	if (w->w->state != EXEC_WARP_RUNNABLE || !access_is_of_texels(i))
		return false;
	if (!*seen)
		*seen = xcalloc(1, sizeof **seen);
	struct texels_seen *s = *seen;
	const uint32_t p = exec_preds(x, top->frame)[ISA_PRED_SLOT(i->guard)];
	s->launch = w->thread.launch;
	s->warp = w->warp_index;
	s->cta = w->thread.cta;
	s->executed = w->w->executed;
	s->pc = pc;
	s->lanes = top->mask & (i->guard & ISA_PRED_NOT ? ~p : p);
	s->found = 0;
	LANES_EACH (l, s->lanes)
		if (exec_texels_ahead(x, w->w, pc, l, &s->lane[l]))
			s->found |= lanes_bit(l);
	return true;
}

bool access_texels_are_of(const struct texels_seen *s, const struct debug_where *w)
{
	return s && s->launch == w->thread.launch && s->cta == w->thread.cta && s->warp == w->warp_index && s->executed + 1 == w->w->executed;
}

/* ---- a lane ---- */

static void describe_texel(struct debug *d, const struct exec_texels *t, const struct exec_texel *e, struct report *answer)
{
	struct text name = {0};
	report_open(answer, NULL);
	if (e->is_border) {
		report_text(answer, "name", "border");
	} else {
		debug_texel_name(d, &t->of, e->address, &name);
		report_text(answer, "name", text_str(&name));
		report_hex(answer, "address", e->address);
	}
	if (t->n > 1 && !t->sample.gathers)
		report_real(answer, "weight", (double)e->weight, "");
	report_close(answer);
	text_free(&name);
}

static void texels_text(struct debug *d, const struct exec_texels *t, struct text *out)
{
	if (!t->n)
		text_add(out, "outside of the surface");
	for (uint32_t k = 0; k < t->n && k < TEXELS_MAX; k++) {
		const struct exec_texel *e = &t->texel[k];
		text_add(out, k ? ", " : "");
		if (t->n > 1 && !t->sample.gathers)
			text_addf(out, "%.4g of ", (double)e->weight);
		if (e->is_border)
			text_add(out, "the border");
		else
			debug_texel_name(d, &t->of, e->address, out);
	}
	if (t->n > TEXELS_MAX)
		text_addf(out, ", %u more", t->n - TEXELS_MAX);
}

static void lane_row(struct debug *d, const struct isa_insn *i, const struct texels_seen *s, unsigned lane, struct report *answer)
{
	struct exec_texels shown = s->lane[lane], *const t = &shown;
	if (!t->sample.gathers)
		exec_texels_merge(t);
	struct text at = {0}, texels = {0};
	const bool is_found = s->found >> lane & 1;
	report_open(answer, NULL);
	report_number(answer, "lane", lane);
	debug_coordinates_text(i, &t->sample, &at);
	if (is_found)
		texels_text(d, t, &texels);
	report_text(answer, "coordinates", text_str(&at));
	report_list(answer, "texels");
	for (uint32_t k = 0; k < t->n && is_found; k++)
		describe_texel(d, t, &t->texel[k], answer);
	report_close(answer);
	report_close(answer);
	report_say(answer, "  %4u  %-22s %s\n", lane, text_str(&at), is_found ? text_str(&texels) : "the handle names no fitting object");
	text_free(&at);
	text_free(&texels);
}

/* ---- the whole ---- */

static void heading(struct debug *d, const struct debug_where *w, const struct texels_seen *s, bool is_next, struct report *answer)
{
	const struct isa_insn *i = &debug_program(d)->insns[s->pc];
	struct text insn = {0}, place = {0};
	debug_insn_text(d, s->pc, &insn);
	debug_place_text(d, s->pc, &place);
	report_text(answer, "which", is_next ? "next" : "last");
	describe_place(d, answer, s->pc);
	report_number(answer, "warp", w->warp_index);
	report_triple(answer, "block", w->block_id);
	report_lanes(answer, "lanes", s->lanes);
	report_number(answer, "n_lanes", lanes_count(s->lanes));
	report_text(answer, "op", isa_op_reads_texels(i->opcode) ? "read" : i->opcode == ISA_OP_SURED ? "atomic" : "write");
	report_say(answer, "%s: %s at %s\n", is_next ? "next" : "last", text_str(&insn), text_str(&place));
	report_say(answer, "warp %u of block (%u,%u,%u): %u lane%s %s %s\n", w->warp_index, w->block_id[0], w->block_id[1], w->block_id[2],
		   lanes_count(s->lanes), lanes_count(s->lanes) == 1 ? "" : "s",
		   isa_op_reads_texels(i->opcode) ? "from" : i->opcode == ISA_OP_SURED ? "in a reduction on" : "to",
		   i->opcode == ISA_OP_TEX || i->opcode == ISA_OP_TLD4 ? "a texture" : "a surface");
	text_free(&insn);
	text_free(&place);
}

/* Fills the access that the performance model makes of these lanes. Returns false if no lane has one. */
static bool model_access(struct debug *d, const struct isa_insn *i, const struct texels_seen *s, struct access_seen *out)
{
	*out = (struct access_seen){.launch = s->launch, .warp = s->warp, .warp_threads = gpu_exec(d->g)->warp_threads, .cta = s->cta, .executed = s->executed, .pc = s->pc};
	struct exec_access *a = &out->a;
	a->space = ISA_SPACE_GLOBAL;
	a->is_write = isa_op_writes_texels(i->opcode);
	a->is_read = !a->is_write;
	LANES_EACH (l, s->found) {
		const struct exec_texels *t = &s->lane[l];
		const bool is_sample = i->opcode == ISA_OP_TEX || i->opcode == ISA_OP_TLD4;
		if (!t->n)
			continue;
		if (!a->lanes && is_sample)
			exec_texture_rows_of(i, &t->of, &a->rows);
		a->address[l] = is_sample ? exec_sample_address(&t->of, &t->sample, t->texel, t->n) : t->texel[0].address;
		a->size = t->bytes;
		a->lanes |= lanes_bit(l);
	}
	return a->lanes;
}

bool access_texels_picture(struct debug *d, const struct debug_where *w, const struct texels_seen *s, bool is_next, struct report *answer)
{
	const struct isa_insn *i = &debug_program(d)->insns[s->pc];
	struct access_seen a;
	heading(d, w, s, is_next, answer);
	if (!s->lanes) {
		report_say(answer, "no lane executes it: the guard is false in all\n");
		return true;
	}
	report_say(answer, "  lane  coordinates            texels\n");
	report_list(answer, "accesses");
	LANES_EACH (l, s->lanes)
		lane_row(d, i, s, l, answer);
	report_close(answer);
	if (model_access(d, i, s, &a))
		access_transactions(d, w, &a, is_next, answer);
	return true;
}
