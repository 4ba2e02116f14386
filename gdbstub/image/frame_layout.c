/* Made-up stack frames. A frame holds the lane's part of each register, an int for each predicate, the address of the activation's local memory, and
 * the caller's pc. Offsets follow from the rows' places: a row of 32 lanes of n bytes becomes n bytes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/image/frame_layout.h"
#include "gdbstub/image/room.h"

static int by_place(const void *a, const void *b)
{
	const struct frame_reg *x = a, *y = b;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void add_reg(struct frame_layout *l, size_t *cap, struct frame_reg r)
{
	l->regs = xgrow(l->regs, cap, l->n_regs + 1, sizeof *l->regs);
	l->regs[l->n_regs++] = r;
}

static uint32_t predicates_at(const struct isa_function *f)
{
	return (f->frame_bytes / LANES + STUB_PRED_BYTES - 1) & ~(STUB_PRED_BYTES - 1);
}

uint32_t frame_offset(const struct isa_function *f, bool is_pred, uint32_t ref)
{
	return is_pred ? predicates_at(f) + ref * STUB_PRED_BYTES : ISA_REF_OFFSET(ref) / LANES;
}

static struct frame_reg reg_run(const struct isa_function *f, uint32_t first, uint8_t type, uint32_t count)
{
	bool is_pred = type == ISA_PRED;
	uint32_t bytes = is_pred ? STUB_PRED_BYTES : isa_row_bytes(isa_type_bytes((enum isa_type)type)) / LANES;
	uint32_t at = frame_offset(f, is_pred, first);
	return (struct frame_reg){at, at + count * bytes, first, type, is_pred};
}

static void make_layout(const struct isa_function *f, struct frame_layout *l)
{
	size_t cap = 0;
	for (uint32_t i = 0; i < f->n_regs; i++)
		add_reg(l, &cap,
			reg_run(f, f->regs[i].first, f->regs[i].type, f->regs[i].count ? f->regs[i].count : 1));
	for (uint32_t i = 0; f->param_regs && i < f->n_params; i++)
		if (f->param_regs[i] != ISA_REF_NONE)
			add_reg(l, &cap, reg_run(f, f->param_regs[i], f->params[i].type, 1));
	if (l->n_regs)
		qsort(l->regs, l->n_regs, sizeof *l->regs, by_place);
	l->local_slot = (frame_offset(f, true, f->n_preds) + 7u) & ~7u;
	l->return_slot = l->local_slot + 8;
	l->size = (l->return_slot + 8 + 15u) & ~15u;
	l->return_slot = l->size - 8; /* right below the caller's frame */
	l->made = true;
}

const struct frame_layout *frame_layout_of(struct stub *s, const struct isa_function *f)
{
	const struct isa_program *p = stub_program(s);
	uint32_t i = isa_program_function_index(p, f), n = p->n_functions;
	assert(i < n);
	if (s->image->n_layouts < n) {
		s->image->layouts = xrealloc(s->image->layouts, n * sizeof *s->image->layouts);
		memset(s->image->layouts + s->image->n_layouts, 0,
		       (n - s->image->n_layouts) * sizeof *s->image->layouts);
		s->image->n_layouts = n;
	}
	if (!s->image->layouts[i].made)
		make_layout(f, &s->image->layouts[i]);
	return &s->image->layouts[i];
}

const struct frame_reg *frame_register(const struct frame_layout *l, uint32_t offset)
{
	size_t lo = 0, hi = l->n_regs;
	while (lo < hi) { /* the last one that doesn't begin after it */
		size_t mid = lo + (hi - lo) / 2;
		if (l->regs[mid].at <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && offset < l->regs[lo - 1].end ? &l->regs[lo - 1] : NULL;
}

void frame_layouts_free(struct stub *s)
{
	for (uint32_t i = 0; i < s->image->n_layouts; i++)
		free(s->image->layouts[i].regs);
	free(s->image->layouts);
}
