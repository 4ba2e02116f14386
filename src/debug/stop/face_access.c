/* Threads, registers and memory as bytes, and the stop conditions of a face without text. */
#include "debug/stop/face_access.h"

#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

uint32_t debug_active_lanes(struct debug *d, const struct debug_where *w)
{
	return w->w && w->w->n_simt && w->w->state != EXEC_WARP_DONE ? exec_simt_top(gpu_exec(d->g), w->w)->mask : 0;
}

uint64_t debug_executed(const struct debug_where *w)
{
	return w->w ? w->w->executed : w->state == DEBUG_THREAD_WAITING ? 0 : UINT64_MAX;
}

/* ---- registers ---- */

void debug_register_read(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t ref,
			 unsigned width, void *out)
{
	memset(out, 0, width);
	if (a->has_state)
		debug_row_read(d, w, a->frame, ref, width, out);
}

void debug_register_write(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t ref,
			  unsigned width, const void *in)
{
	if (!a->has_state)
		return;
	debug_row_write(d, w, a->frame, ref, width, in);
	debug_poked(d);
}

bool debug_predicate_read(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t slot)
{
	return a->has_state && debug_pred_read(d, w, a->frame, slot);
}

void debug_predicate_write(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t slot,
			   bool v)
{
	if (!a->has_state)
		return;
	debug_pred_write(d, w, a->frame, slot, v);
	debug_poked(d);
}

void debug_frame_read(struct debug *d, const struct debug_frame *a, void *out)
{
	memcpy(out, exec_preds(gpu_exec(d->g), a->frame), a->function->frame_bytes);
}

void debug_frame_register(const void *frame, unsigned lane, uint32_t ref, unsigned width, void *out)
{
	debug_row_lane((const char *)frame + ISA_REF_OFFSET(ref), lane, width, out);
}

bool debug_frame_predicate(const void *frame, unsigned lane, uint32_t slot)
{
	uint32_t lanes;
	memcpy(&lanes, (const char *)frame + sizeof lanes * slot, sizeof lanes);
	return lanes >> lane & 1;
}

/* ---- memory ---- */

bool debug_bytes_read(struct debug *d, const struct debug_where *w, uint64_t generic, void *dst, size_t n)
{
	return debug_memory_read(d, w, generic, dst, n);
}

bool debug_bytes_write(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, size_t n)
{
	if (!debug_memory_write(d, w, generic, src, n))
		return false;
	debug_poked(d);
	return true;
}

uint64_t debug_readable(struct debug *d, const struct debug_where *w, uint64_t generic)
{
	unsigned char byte;
	uint64_t good = 0, step = 1;
	if (!debug_memory_read(d, w, generic, &byte, 1))
		return 0;
	if (debug_space_of(generic) == ISA_SPACE_GLOBAL)
		return gpu_memory_from(d->g, generic);
	/* one piece of memory: its end is where reading a byte fails */
	while (step < ISA_CONST_BYTES_MAX && debug_memory_read(d, w, generic + step, &byte, 1)) {
		good = step;
		step *= 2;
	}
	while (step - good > 1) {
		uint64_t mid = good + (step - good) / 2;
		if (debug_memory_read(d, w, generic + mid, &byte, 1))
			good = mid;
		else
			step = mid;
	}
	return good + 1;
}

/* ---- stop conditions ---- */

uint32_t breakpoint_insert_tested(struct debug *d, uint32_t pc, breakpoint_test *test, void *self)
{
	uint32_t number = breakpoint_insert_code(d, pc);
	struct breakpoint *b = breakpoint_find(d, number);
	b->test = test;
	b->test_self = self;
	return number;
}

uint32_t breakpoint_insert_register_watch(struct debug *d, enum breakpoint_watch kind, const struct debug_thread *t,
					  const struct debug_frame *a, uint32_t ref, bool is_pred, enum isa_type type)
{
	uint32_t function = isa_program_function_index(debug_program(d), a->function);
	if (function == debug_program(d)->n_functions)
		return 0;
	struct breakpoint *b = breakpoint_new(d, BREAKPOINT_WATCH, true);
	b->watch.access = kind;
	b->watch.place = is_pred ? EXPR_PRED : EXPR_ROW;
	b->watch.thread = *t;
	b->watch.function = function;
	b->watch.depth = a->depth;
	b->watch.ref = ref;
	b->watch.type = type;
	b->watch.bytes = is_pred ? 1 : isa_type_bytes(type);
	b->watch.count = 1;
	b->watch.old = xcalloc(b->watch.bytes, 1);
	watch_read_value(d, b, b->watch.old);
	return b->number;
}

void breakpoint_stops_at_writes(struct debug *d, uint32_t number) { breakpoint_find(d, number)->watch.each_write = true; }
