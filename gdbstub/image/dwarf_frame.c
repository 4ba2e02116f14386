/* .debug_frame: the caller's frame begins where a frame ends, the caller's pc is in its last 8 bytes. A kernel has no caller. */
#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf.h"
#include "gdbstub/image/frame_layout.h"

#define RSP 7u
#define RIP 16u

static void pad(struct text *t, size_t begin)
{
	while ((t->n - begin) % 8 != 4) /* the length field isn't counted */
		put8(t, 0);
	patch32(t, begin, t->n - begin - 4);
}

static void common(struct text *t)
{
	size_t begin = t->n;
	put32(t, 0);
	put32(t, UINT32_MAX); /* a common information entry */
	put8(t, 3);
	put8(t, 0); /* no augmentation */
	put_uleb(t, 1);
	put_sleb(t, -8);
	put_uleb(t, RIP);
	pad(t, begin);
}

static size_t begin_code(struct text *t, uint64_t first, uint64_t n_instructions)
{
	size_t begin = t->n;
	put32(t, 0);
	put32(t, 0); /* the common entry is the first */
	put64(t, first);
	put64(t, n_instructions * ISA_INSN_BYTES);
	return begin;
}

static void no_caller(struct text *t)
{
	put8(t, CFA_UNDEFINED);
	put_uleb(t, RIP);
}

static void of_code(struct dwarf *w, const struct isa_function *f, uint64_t first, uint64_t n_instructions)
{
	struct text *t = &w->frame;
	size_t begin = begin_code(t, first, n_instructions);
	put8(t, CFA_DEF_CFA);
	put_uleb(t, RSP);
	put_uleb(t, frame_layout_of(w->s, f)->size);
	if (f->is_kernel) {
		no_caller(t);
	} else {
		put8(t, CFA_OFFSET | RIP);
		put_uleb(t, 1);
	}
	pad(t, begin);
}

static void of_host(struct dwarf *w)
{
	size_t begin = begin_code(&w->frame, STUB_HOST_AT, 1);
	put8(&w->frame, CFA_DEF_CFA);
	put_uleb(&w->frame, RSP);
	put_uleb(&w->frame, 16);
	no_caller(&w->frame);
	pad(&w->frame, begin);
}

void dwarf_frames(struct dwarf *w)
{
	const struct isa_program *p = stub_program(w->s);
	common(&w->frame);
	if (!w->base)
		of_host(w);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (!f->is_defined || f->first < w->first || f->end > w->end || f->first >= f->end)
			continue;
		of_code(w, f, dwarf_address(w, f->first), f->end - f->first);
		if (!f->is_kernel)
			continue;
		of_code(w, f, dwarf_launch_address(w, i), 1);
		of_code(w, f, dwarf_exit_address(w, i), 1);
	}
}
