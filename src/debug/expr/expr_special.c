/* Special registers of a thread, functions and labels as values. */
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/view/view.h"
#include "isa/special.h"

/* Registers that change while a warp runs, and so have no row. */
static bool changing_special(struct debug *d, const struct debug_where *w, const char *name, size_t n,
			     struct expr_value *out)
{
	uint64_t cycle = gpu_cycle(d->g);
	static const struct {
		const char *name;
		enum isa_type type;
		unsigned shift;
	} clocks[] = {{"%clock", ISA_U32, 0},	    {"%clock_hi", ISA_U32, 32},	     {"%clock64", ISA_U64, 0},
		      {"%globaltimer", ISA_U64, 0}, {"%globaltimer_lo", ISA_U32, 0}, {"%globaltimer_hi", ISA_U32, 32}};
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
		if (strlen(clocks[i].name) == n && !memcmp(name, clocks[i].name, n)) {
			value_int(out, clocks[i].type, cycle >> clocks[i].shift);
			return true;
		}
	if (n == 11 && !memcmp(name, "%activemask", 11)) {
		value_int(out, ISA_U32, w->w && w->w->n_simt ? exec_simt_top(gpu_exec(d->g), w->w)->mask : 0);
		return true;
	}
	if ((n > 3 && n < 6 && !memcmp(name, "%pm", 3)) || (n > 7 && n < 10 && !memcmp(name, "%envreg", 7))) {
		value_int(out, ISA_U32, 0);
		return true;
	}
	return false;
}

/* Where a thread's block isn't on a core: what exec gives its warp when it is. */
static uint32_t future_special(struct debug *d, const struct debug_where *w, unsigned row)
{
	uint32_t rows[ISA_SPECIAL_BYTES / 4];
	struct exec_cta cta = {.core = w->core};
	if (!w->launch.threads_per_cta) /* no launch: only the types of an expression are wanted */
		return 0;
	memcpy(cta.id, w->block_id, sizeof cta.id);
	exec_special_rows(gpu_exec(d->g), &w->launch, &cta, w->warp_index, rows);
	return rows[row * LANES + w->lane];
}

static int special_dim(char c) { return c == 'x' ? 0 : c == 'y' ? 1 : c == 'z' ? 2 : c == 'w' ? 3 : -1; }

bool debug_special_read(struct debug *d, const struct debug_where *w, const char *name, size_t n,
			struct expr_value *out)
{
	int dim = 0;
	size_t n_base = n;
	if (n > 2 && name[n - 2] == '.') {
		dim = special_dim(name[n - 1]);
		n_base = n - 2;
	}
	if (dim < 0)
		return false;
	for (unsigned id = 0; id < ISA_SPECIAL_COUNT; id++) {
		const struct isa_special_info *s = &isa_special_info[id];
		if (strlen(s->name) != n_base || memcmp(s->name, name, n_base) || s->name[0] != '%')
			continue;
		if ((s->dims > 1) != (n_base != n))
			return false;
		uint32_t v = 0;
		if (dim < s->dims && w->w && w->state == DEBUG_THREAD_LIVE)
			debug_row_read(d, w, 0, ISA_REF(ISA_BASE_SPECIAL, 128u * (s->row + (unsigned)dim)), 4, &v);
		else if (dim < s->dims)
			v = future_special(d, w, s->row + (unsigned)dim);
		value_int(out, ISA_U32, v);
		return true;
	}
	return n_base == n && changing_special(d, w, name, n, out);
}

bool eval_code(struct eval *v, const struct isa_function *f, const char *name, size_t n, struct expr_value *out)
{
	uint32_t pc;
	if (f && f->is_defined)
		pc = f->first;
	else if (!debug_find_label(v->d, name, n, &pc))
		return false;
	value_pointer(out, ISA_NOTYPE, 1, (uint64_t)pc * ISA_INSN_BYTES);
	out->place.kind = EXPR_PC;
	out->function = f && f->is_defined ? f : NULL;
	out->is_function = out->function;
	return true;
}
