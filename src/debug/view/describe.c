#include "debug/describe.h"

#include <inttypes.h>
#include <string.h>

#include "debug/ground/ground.h"
#include "debug/view/functions.h"
#include "debug/view/view.h"

void describe_position(struct debug *d, struct report *r, const char *name, struct debug_position p)
{
	if (!p.line)
		return;
	report_open(r, name);
	report_text(r, "file", debug_file_name(d, p.file));
	report_number(r, "line", p.line);
	report_close(r);
	report_look(r, "%s:%u", debug_file_name(d, p.file), p.line);
}

bool describe_allocation(struct debug *d, struct report *r, const char *name, uint64_t address)
{
	uint64_t offset;
	const struct gpu_allocation *a = debug_named_at(d, address, &offset);
	if (!a)
		return false;
	report_open(r, name);
	report_text(r, "name", a->name);
	report_number(r, "offset", offset);
	report_close(r);
	report_look(r, offset ? "%s+%" PRIu64 : "%s", a->name, offset);
	return true;
}

void describe_thread(struct debug *d, struct report *r, const struct debug_thread *t)
{
	struct debug_where w;
	if (!debug_thread_where(d, t, &w))
		return;
	report_number(r, "uid", w.uid);
	report_triple(r, "thread", w.thread_id);
	report_triple(r, "block", w.block_id);
	report_number(r, "launch", t->launch);
}

void describe_place(struct debug *d, struct report *r, uint32_t pc)
{
	struct text insn = {0}, shown = {0}, opcode = {0};
	debug_insn_text(d, pc, &insn);
	while (insn.n && strchr("; \t", insn.s[insn.n - 1]))
		insn.s[--insn.n] = '\0';
	report_text(r, "instruction", text_str(&insn));
	debug_add_columns(text_str(&insn), insn.n, &shown);
	report_look(r, "%s", text_str(&shown));
	debug_opcode_text(d, pc, &opcode);
	report_brief(r, "%s", text_str(&opcode));
	describe_position(d, r, "ptx", debug_ptx_position(d, pc));
	describe_position(d, r, "source", debug_own_position(d, pc));
	text_free(&insn);
	text_free(&shown);
	text_free(&opcode);
}

void describe_where(struct debug *d, struct report *r, const struct debug_where *w)
{
	report_text(r, "kernel", debug_function_name(d, debug_program(d)->functions[w->launch.function]));
	describe_thread(d, r, &w->thread);
	report_number(r, "core", w->core);
	report_number(r, "warp", w->warp);
	report_number(r, "lane", w->lane);
	report_hex(r, "pc", (uint64_t)w->pc * ISA_INSN_BYTES);
	describe_place(d, r, w->pc);
}

void describe_focus(struct debug *d, struct report *r)
{
	struct debug_where w;
	if (!debug_focus_where(d, &w))
		return;
	report_open(r, "focus");
	describe_where(d, r, &w);
	report_close(r);
}

void describe_by_thread(struct debug *d, struct report *r, const struct debug_thread *t, uint32_t pc, uint64_t cycle)
{
	report_text(r, "by", "thread");
	describe_thread(d, r, t);
	describe_place(d, r, pc);
	report_number(r, "cycle", cycle);
}

void describe_by(struct report *r, const char *who, const char *what)
{
	report_text(r, "by", who);
	if (*what)
		report_text(r, "what", what);
}
