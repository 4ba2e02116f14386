/* Breakpoints, watchpoints and catchpoints as data. */
#include "debug/describe.h"
#include "debug/ground/ground.h"
#include "debug/setup/launch.h"
#include "debug/stop/breakpoint.h"
#include "debug/view/inlined.h"
#include "debug/view/view.h"
#include "command/stop/stop_commands.h"

const char *breakpoint_type_name(const struct breakpoint *b)
{
	if (b->kind == BREAKPOINT_CODE)
		return b->code.prints ? "dprintf" : "breakpoint";
	if (b->kind == BREAKPOINT_CATCH)
		return "catchpoint";
	return b->watch.access == BREAKPOINT_WRITE  ? "hw watchpoint"
	       : b->watch.access == BREAKPOINT_READ ? "read watchpoint"
					     : "acc watchpoint";
}

void breakpoint_function_text(struct debug *d, const struct breakpoint *b, uint32_t pc, struct text *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	uint32_t level, loc = b->code.call.line ? debug_call_at(d, pc, b->code.call, &level) : debug_loc_at(d, pc);
	if (debug_loc_outer(d, loc) != ISA_NO_LOC && debug_loc(d, loc)->function)
		debug_inlined_name(d, debug_loc(d, loc)->function, out);
	else
		text_add(out, f ? debug_function_name(d, f) : "?");
}

/* Adds the list `locations`: `pc`, `function`, `ptx`, `source`, `enabled`. */
static void describe_locations(struct debug *d, const struct breakpoint *b, struct report *answer)
{
	report_list(answer, "locations");
	for (uint32_t k = 0; k < b->code.n_pcs; k++) {
		struct text function = {0};
		breakpoint_function_text(d, b, b->code.pcs[k], &function);
		report_open(answer, NULL);
		report_number(answer, "number", k + 1);
		report_hex(answer, "pc", (uint64_t)b->code.pcs[k] * ISA_INSN_BYTES);
		report_text(answer, "function", text_str(&function));
		describe_position(d, answer, "ptx", debug_ptx_position(d, b->code.pcs[k]));
		describe_position(d, answer, "source", b->code.call.line ? b->code.call : debug_cuda_position(d, b->code.pcs[k]));
		report_flag(answer, "enabled", !b->code.is_off || !b->code.is_off[k]);
		report_close(answer);
		text_free(&function);
	}
	report_close(answer);
}

/* Adds `only`: which threads count. */
static void describe_filter(const struct breakpoint_filter *f, struct report *answer)
{
	if (!f->has_uid && !f->has_thread && !f->has_block && !f->has_warp)
		return;
	report_open(answer, "only");
	if (f->has_uid)
		report_number(answer, "uid", f->uid);
	if (f->has_thread)
		report_triple(answer, "thread", f->thread);
	if (f->has_block)
		report_triple(answer, "block", f->block);
	if (f->has_warp)
		report_number(answer, "warp", f->warp);
	report_close(answer);
}

/* Adds what it stops at: a location, an expression, or what is caught. */
static void describe_target(struct debug *d, const struct breakpoint *b, struct report *answer)
{
	if (b->kind == BREAKPOINT_CATCH)
		report_text(answer, "caught", breakpoint_caught_name(b->caught));
	if (b->location)
		report_text(answer, b->kind == BREAKPOINT_WATCH ? "expression" : "location", b->location);
	if (b->kind == BREAKPOINT_WATCH && b->watch.place == EXPR_MEMORY)
		report_hex(answer, "address", b->watch.named);
	if (b->kind == BREAKPOINT_WATCH)
		report_number(answer, "size_bytes", b->watch.bytes);
	if (b->kind != BREAKPOINT_CODE)
		return;
	report_flag(answer, "pending", b->code.pending || !b->code.n_pcs);
	describe_locations(d, b, answer);
}

void breakpoint_describe(struct debug *d, const struct breakpoint *b, struct report *answer)
{
	report_number(answer, "number", b->number);
	report_text(answer, "type", breakpoint_type_name(b));
	report_text(answer, "disposition", b->temporary ? "del" : b->once ? "dis" : "keep");
	report_flag(answer, "enabled", b->enabled);
	describe_target(d, b, answer);
	if (b->condition)
		report_text(answer, "condition", b->condition);
	describe_filter(&b->filter, answer);
	report_number(answer, "hits", b->hits);
	report_number(answer, "ignore", b->ignore);
	if (breakpoint_prints(b))
		report_text(answer, "prints", breakpoint_prints(b));
	if (!b->n_commands)
		return;
	report_list(answer, "commands");
	for (size_t i = 0; i < b->n_commands; i++)
		report_text(answer, NULL, b->commands[i]);
	report_close(answer);
}
