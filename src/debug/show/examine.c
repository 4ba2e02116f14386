/* x: memory by units. */
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/internal.h"
#include "debug/scan.h"
#include "debug/inspect.h"
#include "debug/show/room.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static unsigned unit_bytes(char unit) { return unit == 'b' ? 1 : unit == 'h' ? 2 : unit == 'g' ? 8 : 4; }

static enum isa_type unit_type(char format, unsigned n)
{
	static const enum isa_type bits[] = {ISA_S8, ISA_S16, ISA_S32, ISA_S64},
				   floats[] = {ISA_S8, ISA_F16, ISA_F32, ISA_F64};
	unsigned i = n == 1 ? 0 : n == 2 ? 1 : n == 4 ? 2 : 3;
	return format == 'f' ? floats[i] : bits[i];
}

/* Units on a line, as in gdb. */
static unsigned per_line(char format, unsigned n)
{
	if (format == 't')
		return n == 1 ? 8 : n == 2 ? 8 : n == 4 ? 4 / 2 : 1;
	if (format == 'f')
		return n == 8 ? 2 : n == 4 ? 4 : 8;
	if (format == 'a')
		return 2;
	return n == 1 ? 8 : n == 2 ? 8 : n == 4 ? 4 : 2;
}

static void unit_text(struct debug *d, const struct format_spec *f, unsigned n, const unsigned char *bytes,
		      struct text *out)
{
	char format = f->format == 'x' ? 'z' : f->format; /* padded, as in gdb */
	if (format == 'a') {
		struct expr_value v;
		struct format_spec a = {.format = 'a'};
		value_load(&v, unit_type('x', n), 0, bytes);
		format_value(d, &v, &a, out);
	} else {
		format_scalar(unit_type(format, n), bytes, format, out);
	}
}

static void remember(struct debug *d, const struct format_spec *f, unsigned n, uint64_t address,
		     const unsigned char *bytes)
{
	expr_value_free(&d->show->x_last);
	value_load(&d->show->x_last, unit_type(f->format, n), 0, bytes);
	d->show->x_last.place.kind = EXPR_MEMORY;
	d->show->x_last.place.address = address;
	d->show->x_valid = true;
}

static bool examine_units(struct debug *d, const struct format_spec *f, uint64_t address, struct text *out,
			  struct text *why)
{
	struct debug_where w;
	const struct debug_where *where = debug_focus_where(d, &w) ? &w : NULL;
	unsigned n = unit_bytes(f->unit), row = per_line(f->format, n);
	uint64_t count = (uint64_t)(f->count < 0 ? -f->count : f->count);
	if (f->count < 0)
		address -= count * n;
	for (uint64_t i = 0; i < count; i++, address += n) {
		unsigned char bytes[8];
		if (i % row == 0 && debug_interrupted(d))
			return debug_fail(why, "interrupted");
		if (!debug_memory_read(d, where, address, bytes, n)) {
			text_add(out, i % row ? "\n" : "");
			return debug_access_fail(d, where, address, why);
		}
		if (i % row == 0)
			text_addf(out, "0x%llx:", (unsigned long long)address);
		text_addc(out, '\t');
		unit_text(d, f, n, bytes, out);
		if (i % row == row - 1 || i + 1 == count)
			text_addc(out, '\n');
		remember(d, f, n, address, bytes);
	}
	d->show->x_next = f->count < 0 ? address - count * n : address;
	return true;
}

bool debug_read_string(struct debug *d, uint64_t address, size_t most, struct text *out)
{
	struct debug_where w;
	const struct debug_where *where = debug_focus_where(d, &w) ? &w : NULL;
	unsigned char c;
	for (size_t n = 0; n < most; n++, address++) {
		if (!debug_memory_read(d, where, address, &c, 1))
			return n > 0;
		if (!c)
			break;
		text_addc(out, (char)c);
	}
	return true;
}

static bool examine_strings(struct debug *d, const struct format_spec *f, uint64_t address, struct text *out,
			    struct text *why)
{
	struct debug_where w;
	const struct debug_where *where = debug_focus_where(d, &w) ? &w : NULL;
	for (int64_t i = 0; i < f->count; i++) {
		struct expr_value v = {.type = ISA_S8, .is_string = true};
		unsigned char text[201];
		if (debug_interrupted(d))
			return debug_fail(why, "interrupted");
		if (!debug_memory_read(d, where, address, text, 1))
			return debug_access_fail(d, where, address, why);
		while (v.count < 200 && debug_memory_read(d, where, address + v.count, text + v.count, 1) &&
		       text[v.count])
			v.count++;
		bool whole = v.count < 200;
		v.data = text;
		text_addf(out, "0x%llx:\t", (unsigned long long)address);
		format_value(d, &v, NULL, out);
		text_add(out, whole ? "\n" : "...\n");
		address += v.count + whole;
	}
	d->show->x_next = address;
	return true;
}

static bool examine_insns(struct debug *d, const struct format_spec *f, uint64_t address, struct text *out,
			  struct text *why)
{
	struct debug_where w;
	uint32_t pc;
	bool has = debug_focus_where(d, &w);
	if (address >= EXEC_CODE_WINDOW && address < EXEC_MODULE_GLOBALS)
		address -= EXEC_CODE_WINDOW;
	if (f->count < 0)
		address -= (uint64_t)-f->count * ISA_INSN_BYTES;
	for (int64_t i = 0, n = f->count < 0 ? -f->count : f->count; i < n; i++, address += ISA_INSN_BYTES) {
		struct text insn = {0};
		if (!debug_pc_valid(d, address, &pc))
			return debug_fail(why, "Cannot access memory at address 0x%llx", (unsigned long long)address);
		text_addf(out, "%s 0x%x ", has && w.state != DEBUG_THREAD_EXITED && w.pc == pc ? "=>" : "  ",
			  pc * ISA_INSN_BYTES);
		debug_pc_symbol(d, pc, out);
		debug_insn_shown(d, pc, &insn);
		text_addf(out, ":\t%s\n", text_str(&insn));
		text_free(&insn);
	}
	d->show->x_next = address;
	return true;
}

/* Address and, where the letter says nothing, the unit that suits what is there. */
static bool start_address(struct debug *d, const char *expr, struct format_spec *f, bool has_unit, uint64_t *address,
			  struct text *why)
{
	struct expr_value v;
	int64_t i = 0;
	if (!debug_eval_unread(d, expr, &v, why))
		return false;
	unsigned size = v.is_array || v.pointers ? isa_type_bytes(v.type) : 0;
	bool is_float = isa_type_is_float(v.type);
	bool ok = expr_value_integer(&v, &i) || debug_fail(why, "%s is no address", expr);
	if (v.place.kind == EXPR_MEMORY && !v.is_array && isa_type_is_float(v.type) && !v.pointers)
		i = (int64_t)v.place.address; /* x/f of a float in memory means where it is */
	expr_value_free(&v);
	if (f->format == 'f' && !has_unit && is_float && (size == 2 || size == 4 || size == 8))
		f->unit = size == 2 ? 'h' : size == 4 ? 'w' : 'g';
	*address = (uint64_t)i;
	return ok;
}

bool debug_cmd_x(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct format_spec f;
	const char *expr;
	uint64_t address = d->show->x_next;
	if (!format_parse(scan_blanks(args), &expr, &f, why))
		return false;
	bool has_unit = f.unit != 0;
	if (!f.format)
		f.format = d->show->x_spec.format;
	if (!f.unit)
		f.unit = f.format == 'a' ? 'g' : f.format == 'c' && d->show->x_spec.format != 'c' ? 'b' : d->show->x_spec.unit;
	if (*expr ? !start_address(d, expr, &f, has_unit, &address, why) : !d->show->x_valid && f.format != 'i' && !d->show->x_next)
		return why->n ? false : debug_fail(why, "Argument required (starting display address).");
	if (f.format == 'i' || f.format == 's') {
		char unit = d->show->x_spec.unit;
		d->show->x_spec = f;
		d->show->x_spec.unit = unit;
		d->show->x_spec.count = 1;
		return f.format == 'i' ? examine_insns(d, &f, address, out, why)
				       : examine_strings(d, &f, address, out, why);
	}
	if (f.format == 'f' && f.unit == 'b')
		f.unit = 'w';
	d->show->x_spec = f;
	d->show->x_spec.count = 1;
	return examine_units(d, &f, address, out, why);
}
