#include "debug/describe.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "debug/expr/format.h"
#include "debug/internal.h"
#include "debug/setup/launch.h"
#include "debug/view/view.h"

bool debug_answer(struct debug *d, debug_answer_fn *fn, const char *args, struct report *answer, struct text *why)
{
	struct report *outer = d->answer;
	d->answer = answer;
	const bool ok = fn(d, args, answer, why);
	d->answer = outer;
	return ok;
}

struct report *debug_answering(struct debug *d, struct report *answer)
{
	struct report *outer = d->answer;
	d->answer = answer;
	return outer;
}

bool debug_answer_text(struct debug *d, debug_answer_fn *fn, const char *args, struct text *out, struct text *why)
{
	struct report *answer = report_create();
	const bool ok = debug_answer(d, fn, args, answer, why);
	report_draw(answer, d->settings.width, out);
	report_destroy(answer);
	return ok;
}

/* Returns whether a register of the type holds one number, not several. */
static bool is_number(enum isa_type type) { return isa_type_is_float(type) && !strchr(isa_type_info[type].name, 'x'); }

void describe_value(struct report *r, const char *name, enum isa_type type, uint64_t raw)
{
	struct text shown = {0};
	char *end;
	if (!isa_type_bytes(type)) {
		report_number(r, name, raw != 0);
		return;
	}
	format_scalar(type, &raw, 0, &shown);
	errno = 0;
	const long long whole = strtoll(text_str(&shown), &end, 10);
	if (is_number(type) && isfinite(format_to_double(type, &raw)))
		report_real(r, name, format_to_double(type, &raw), text_str(&shown));
	else if (!*end && !errno)
		report_signed(r, name, whole);
	else
		report_text(r, name, text_str(&shown));
	text_free(&shown);
}

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
	struct text insn = {0};
	debug_insn_text(d, pc, &insn);
	while (insn.n && strchr("; \t", insn.s[insn.n - 1]))
		insn.s[--insn.n] = '\0';
	report_text(r, "instruction", text_str(&insn));
	describe_position(d, r, "ptx", debug_ptx_position(d, pc));
	describe_position(d, r, "source", debug_own_position(d, pc));
	text_free(&insn);
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

/* ---- the forms that add to d->answer ---- */

void facts_open(struct debug *d, const char *name) { report_open(d->answer, name); }
void facts_list(struct debug *d, const char *name) { report_list(d->answer, name); }
void facts_close(struct debug *d) { report_close(d->answer); }
void facts_number(struct debug *d, const char *name, uint64_t v) { report_number(d->answer, name, v); }
void facts_text(struct debug *d, const char *name, const char *s) { report_text(d->answer, name, s); }
void facts_flag(struct debug *d, const char *name, bool v) { report_flag(d->answer, name, v); }
void facts_triple(struct debug *d, const char *name, const uint32_t v[3]) { report_triple(d->answer, name, v); }

void facts_value(struct debug *d, const char *name, enum isa_type type, uint64_t raw) { describe_value(d->answer, name, type, raw); }

void facts_position(struct debug *d, const char *name, struct debug_position p) { describe_position(d, d->answer, name, p); }
void facts_thread(struct debug *d, const struct debug_thread *t) { describe_thread(d, d->answer, t); }
void facts_place(struct debug *d, uint32_t pc) { describe_place(d, d->answer, pc); }

void facts_by_thread(struct debug *d, const struct debug_thread *t, uint32_t pc, uint64_t cycle)
{
	facts_text(d, "by", "thread");
	facts_thread(d, t);
	facts_place(d, pc);
	facts_number(d, "cycle", cycle);
}

void facts_by(struct debug *d, const char *who, const char *what)
{
	facts_text(d, "by", who);
	if (*what)
		facts_text(d, "what", what);
}
