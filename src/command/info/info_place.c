/* info line, source, symbol, address: where something is, and what is somewhere. */
#include <string.h>

#include "debug/describe.h"
#include "debug/expr/expr.h"
#include "command/info.h"
#include "debug/ground/scan.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "isa/frontend.h"

/* Adds where a location is: `ptx`, `source`, `pc` and `symbol` of an instruction. */
static void describe_location(struct debug *d, uint32_t pc, struct report *answer)
{
	struct text text = {0};
	report_open(answer, NULL);
	describe_place(d, answer, pc);
	report_hex(answer, "pc", pc * ISA_INSN_BYTES);
	debug_pc_symbol(d, pc, &text);
	report_text(answer, "symbol", text_str(&text));
	report_line(answer, "{ptx}[ ({source})] is at pc {pc} {symbol}\n");
	report_close(answer);
	text_free(&text);
}

bool info_line(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_location l;
	const char *end;
	if (!debug_location_parse(d, args, &end, &l, NULL, why))
		return false;
	bool ok = scan_end(end, why);
	if (ok && l.moved) {
		report_number(answer, "asked", l.asked);
		report_text(answer, "file", debug_file_name(d, l.at.file));
		report_number(answer, "line", l.at.line);
		report_line(answer, "Line {asked} of \"{file}\" has no instruction; the next one that has is line {line}.\n");
	}
	report_list(answer, "locations");
	for (uint32_t i = 0; ok && i < l.n; i++)
		describe_location(d, l.pcs[i], answer);
	report_close(answer);
	debug_location_free(&l);
	return ok;
}

/* Adds the list `files`. */
static void describe_files(struct debug *d, struct report *answer)
{
	const struct isa_program *p = debug_program(d);
	report_list(answer, "files");
	for (uint32_t i = 0; i < p->n_files; i++) {
		if (p->files[i].unloaded)
			continue;
		const uint32_t n = debug_source_lines(d, i);
		report_open(answer, NULL);
		report_text(answer, "kind", p->files[i].frontend ? p->files[i].frontend->name : "CUDA");
		report_text(answer, "name", p->files[i].name);
		if (n)
			report_number(answer, "lines", n);
		report_line(answer, n ? "{kind:-4}  {name}, {lines} lines\n"
				      : "{kind:-4}  {name}, not found: set source-path DIR says where to look\n");
		report_close(answer);
	}
	report_close(answer);
	if (!p->n_files)
		report_say(answer, "No file is loaded.\n");
}

bool info_source(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const lines_of[] = {
		[DEBUG_LINES_AUTO] = "CUDA source where the PTX has .loc directives with a file that can be read, else of the PTX",
		[DEBUG_LINES_CUDA] = "CUDA source where the PTX has .loc directives, else of the PTX",
		[DEBUG_LINES_PTX] = "PTX"};
	static const char *const settings[] = {[DEBUG_LINES_AUTO] = "auto", [DEBUG_LINES_CUDA] = "cuda", [DEBUG_LINES_PTX] = "ptx"};
	struct debug_where w;
	struct debug_frame f;
	if (!scan_end(args, why))
		return false;
	report_text(answer, "setting", settings[d->settings.lines]);
	report_say(answer, "Lines are those of the %s (set source auto|cuda|ptx changes that).\n", lines_of[d->settings.lines]);
	if (debug_focus_where(d, &w) && debug_frame_get(d, &w, d->frame, &f)) {
		struct debug_position cuda = debug_cuda_position(d, f.pc);
		describe_position(d, answer, "ptx", debug_ptx_position(d, f.pc));
		describe_position(d, answer, "source", cuda);
		report_line(answer, cuda.line ? "The focus is at {ptx}, which was made from {source}.\n" : "The focus is at {ptx}, which has no .loc.\n");
	}
	describe_files(d, answer);
	return true;
}

/* Adds the `name` of a symbol and the `offset` of an address in it, and appends both. */
static void describe_symbol(struct report *answer, const char *name, uint64_t offset)
{
	report_text(answer, "name", name);
	report_number(answer, "offset", offset);
	report_line(answer, offset ? "{name} + {offset}" : "{name}");
}

/* Adds the variable that an address is in, one that no allocation of device memory holds: `coef + 8 in const`. Returns false if there is none. */
static bool variable_symbol(struct debug *d, uint64_t at, struct report *answer)
{
	const struct isa_program *p = debug_program(d);
	struct debug_where w;
	bool has = debug_focus_where(d, &w);
	for (uint32_t k = p->n_variables; k-- > 0;) {
		const struct isa_variable *v = p->variables[k];
		uint64_t bytes = v->flags & ISA_VAR_DYNAMIC_SHARED && has ? w.launch.shared_dynamic : v->bytes;
		uint64_t first = debug_variable_generic(has ? &w : NULL, v);
		struct text name = {0};
		if (v->flags & ISA_VAR_UNLOADED || at < first || at - first >= bytes)
			continue;
		debug_inlined_name(d, v->plain ? v->plain : v->name, &name);
		describe_symbol(answer, text_str(&name), at - first);
		report_text(answer, "in", debug_space_name((enum isa_space)v->space));
		report_line(answer, " in {in}\n");
		text_free(&name);
		return true;
	}
	return false;
}

/* Adds the allocation that an address is in. */
static void allocation_symbol(struct debug *d, const struct gpu_allocation *a, uint64_t at, struct report *answer)
{
	const char *what = debug_buffer_find(d, a->name, strlen(a->name)) ? "buffer"
			   : a->address < debug_program(d)->global_next	  ? "variable"
									  : "allocation";
	struct text name = {0};
	if (*what == 'v')
		debug_inlined_name(d, a->name, &name);
	else
		text_add(&name, a->name[0] ? a->name : "unnamed");
	describe_symbol(answer, text_str(&name), at > gpu_allocation_start(a) ? at - gpu_allocation_start(a) : 0);
	report_text(answer, "in", a->live ? what : a->reserved ? "reserved addresses" : "freed memory");
	report_line(answer, " in {in}\n");
	text_free(&name);
}

bool info_symbol(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	int64_t i;
	uint32_t pc;
	if (!*scan_blanks(args))
		return debug_fail(why, "Argument required (address).");
	if (!debug_eval_integer(d, args, &i, why))
		return false;
	uint64_t at = (uint64_t)i,
		 code = at >= EXEC_CODE_WINDOW && at < EXEC_MODULE_GLOBALS ? at - EXEC_CODE_WINDOW : at;
	at = gpu_device_address(d->g, at);
	const struct gpu_allocation *a = gpu_nearest_allocation(d->g, at);
	report_number(answer, "address", (uint64_t)i);
	if (debug_pc_valid(d, code & ~(uint64_t)(ISA_INSN_BYTES - 1), &pc)) {
		const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
		describe_symbol(answer, f ? debug_function_name(d, f) : "?", f ? code - (uint64_t)f->first * ISA_INSN_BYTES : 0);
		describe_place(d, answer, pc);
		report_line(answer, " in {ptx}[ ({source})]\n");
	} else if (a && at >= a->address && at - a->address < a->bytes) {
		allocation_symbol(d, a, at, answer);
	} else if (!variable_symbol(d, at, answer)) {
		return debug_fail(why, "No symbol matches %s.", scan_blanks(args));
	}
	return true;
}

bool info_address(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct expr_value v;
	const char *name = scan_blanks(args);
	if (!*name)
		return debug_fail(why, "Argument required.");
	if (!debug_eval_unread(d, name, &v, why))
		return false;
	const enum expr_place_kind kind = v.place.kind;
	const uint64_t address = kind == EXPR_PC ? v.u.u64 : v.place.address;
	expr_value_free(&v);
	report_text(answer, "name", name);
	if (kind == EXPR_MEMORY) {
		report_text(answer, "space", debug_space_name(debug_space_of(address)));
		report_hex(answer, "address", address);
		report_line(answer, "Symbol \"{name}\" is in {space} memory at address {address}.\n");
	} else if (kind == EXPR_PC) {
		report_hex(answer, "pc", address);
		report_line(answer, "Symbol \"{name}\" is at pc {pc}.\n");
	} else if (kind == EXPR_ROW || kind == EXPR_PRED) {
		report_flag(answer, "is_register", true);
		report_line(answer, "Symbol \"{name}\" is a register.\n");
	} else {
		return debug_fail(why, "%s is in no memory and no register.", name);
	}
	return true;
}
