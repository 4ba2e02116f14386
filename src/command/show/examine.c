/* x: memory by units. */
#include <string.h>

#include "debug/describe.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "command/inspect.h"
#include "command/state.h"
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

static enum isa_type unsigned_type(unsigned n) { return n == 1 ? ISA_U8 : n == 2 ? ISA_U16 : n == 4 ? ISA_U32 : ISA_U64; }

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

/* Adds a unit's `address` and `value`. */
static void describe_unit(struct debug *d, const struct format_spec *f, unsigned n, uint64_t address, const unsigned char *bytes, struct report *answer)
{
	struct expr_value v;
	uint64_t raw = 0;
	const char format = f->format == 'x' ? 'z' : f->format; /* padded, as in gdb */
	struct text look = {0};
	memcpy(&raw, bytes, n);
	report_hex(answer, "address", address);
	if (format == 'a') {
		value_load(&v, unit_type('x', n), 0, bytes);
		value_describe(d, answer, "value", &v, &(struct format_spec){.format = 'a'});
		return;
	}
	describe_value(answer, "value", format && strchr("xzuot", format) ? unsigned_type(n) : unit_type(format, n), raw);
	format_scalar(unit_type(format, n), bytes, format, &look);
	report_look(answer, "%s", text_str(&look));
	text_free(&look);
}

static void remember(struct debug *d, const struct format_spec *f, unsigned n, uint64_t address,
		     const unsigned char *bytes)
{
	struct expr_value v;
	value_load(&v, unit_type(f->format, n), 0, bytes);
	v.place.kind = EXPR_MEMORY;
	v.place.address = address;
	expr_set_examined(d, &v);
}

/* Adds the list `memory` of units; people read several on a line, behind the first one's address. */
static bool examine_units(struct debug *d, const struct format_spec *f, uint64_t address, struct report *answer, struct text *why)
{
	struct debug_where w;
	const struct debug_where *where = debug_focus_where(d, &w) ? &w : NULL;
	unsigned n = unit_bytes(f->unit), row = per_line(f->format, n);
	uint64_t count = (uint64_t)(f->count < 0 ? -f->count : f->count);
	bool ok = true;
	if (f->count < 0)
		address -= count * n;
	report_list(answer, "memory");
	for (uint64_t i = 0; i < count && ok; i++, address += n) {
		unsigned char bytes[8];
		if (i % row == 0 && debug_interrupted(d)) {
			ok = debug_fail(why, "interrupted");
			break;
		}
		if (!debug_memory_read(d, where, address, bytes, n)) {
			report_say(answer, "%s", i % row ? "\n" : "");
			ok = debug_access_fail(d, where, address, why);
			break;
		}
		report_open(answer, NULL);
		describe_unit(d, f, n, address, bytes, answer);
		report_line(answer, i % row ? "\t{value}" : "{address}:\t{value}");
		if (i % row == row - 1 || i + 1 == count)
			report_say(answer, gpu_is_freed(d->g, address) ? " (freed)\n" : "\n");
		report_close(answer);
		remember(d, f, n, address, bytes);
	}
	report_close(answer);
	if (ok)
		d->commands->show.x_next = f->count < 0 ? address - count * n : address;
	return ok;
}

/* Adds the list `memory` of texts: `address` and `value`. */
static bool examine_strings(struct debug *d, const struct format_spec *f, uint64_t address, struct report *answer, struct text *why)
{
	struct debug_where w;
	const struct debug_where *where = debug_focus_where(d, &w) ? &w : NULL;
	bool ok = true;
	report_list(answer, "memory");
	for (int64_t i = 0; i < f->count && ok; i++) {
		struct expr_value v = {.type = ISA_S8, .is_string = true};
		unsigned char text[201];
		ok = !debug_interrupted(d) || debug_fail(why, "interrupted");
		ok = ok && (debug_memory_read(d, where, address, text, 1) || debug_access_fail(d, where, address, why));
		if (!ok)
			break;
		while (v.count < 200 && debug_memory_read(d, where, address + v.count, text + v.count, 1) &&
		       text[v.count])
			v.count++;
		bool whole = v.count < 200;
		v.data = text;
		report_open(answer, NULL);
		report_hex(answer, "address", address);
		value_describe(d, answer, "value", &v, NULL);
		report_line(answer, whole ? "{address}:\t{value}" : "{address}:\t{value}...");
		report_say(answer, gpu_is_freed(d->g, address) ? " (freed)\n" : "\n");
		report_close(answer);
		address += v.count + whole;
	}
	report_close(answer);
	if (ok)
		d->commands->show.x_next = address;
	return ok;
}

/* Adds an instruction: `address`, `symbol`, `instruction` and whether the focus is at the instruction. */
static void describe_insn(struct debug *d, uint32_t pc, bool is_current, struct report *answer)
{
	struct text insn = {0}, symbol = {0};
	debug_pc_symbol(d, pc, &symbol);
	debug_insn_shown(d, pc, &insn);
	report_open(answer, NULL);
	report_hex(answer, "address", pc * ISA_INSN_BYTES);
	report_text(answer, "symbol", text_str(&symbol));
	report_text(answer, "instruction", text_str(&insn));
	report_flag(answer, "is_current", is_current);
	report_line(answer, is_current ? "=> {address} {symbol}:\t{instruction}\n" : "   {address} {symbol}:\t{instruction}\n");
	report_close(answer);
	text_free(&symbol);
	text_free(&insn);
}

/* Adds the list `instructions`. */
static bool examine_insns(struct debug *d, const struct format_spec *f, uint64_t address, struct report *answer, struct text *why)
{
	struct debug_where w;
	uint32_t pc;
	bool has = debug_focus_where(d, &w), ok = true;
	if (address >= EXEC_CODE_WINDOW && address < EXEC_MODULE_GLOBALS)
		address -= EXEC_CODE_WINDOW;
	if (f->count < 0)
		address -= (uint64_t)-f->count * ISA_INSN_BYTES;
	report_list(answer, "instructions");
	for (int64_t i = 0, n = f->count < 0 ? -f->count : f->count; i < n && ok; i++, address += ISA_INSN_BYTES) {
		ok = debug_pc_valid(d, address, &pc) || debug_fail(why, "Cannot access memory at address 0x%llx", (unsigned long long)address);
		if (ok)
			describe_insn(d, pc, has && w.state != DEBUG_THREAD_EXITED && w.pc == pc, answer);
	}
	report_close(answer);
	if (ok)
		d->commands->show.x_next = address;
	return ok;
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

bool command_x(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct format_spec f;
	const char *expr;
	uint64_t address = d->commands->show.x_next;
	if (!format_parse(scan_blanks(args), &expr, &f, why))
		return false;
	bool has_unit = f.unit != 0;
	if (!f.format)
		f.format = d->commands->show.x_spec.format;
	if (!f.unit)
		f.unit = f.format == 'a' ? 'g' : f.format == 'c' && d->commands->show.x_spec.format != 'c' ? 'b' : d->commands->show.x_spec.unit;
	if (*expr ? !start_address(d, expr, &f, has_unit, &address, why) : !expr_examined(d) && f.format != 'i' && !d->commands->show.x_next)
		return why->n ? false : debug_fail(why, "Argument required (starting display address).");
	if (f.format == 'i' || f.format == 's') {
		char unit = d->commands->show.x_spec.unit;
		d->commands->show.x_spec = f;
		d->commands->show.x_spec.unit = unit;
		d->commands->show.x_spec.count = 1;
		return f.format == 'i' ? examine_insns(d, &f, address, answer, why)
				       : examine_strings(d, &f, address, answer, why);
	}
	if (f.format == 'f' && f.unit == 'b')
		f.unit = 'w';
	d->commands->show.x_spec = f;
	d->commands->show.x_spec.count = 1;
	return examine_units(d, &f, address, answer, why);
}
