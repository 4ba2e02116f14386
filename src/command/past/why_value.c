/* `why EXPR`: the chain of instructions, loads and stores that made a value, the newest first. */
#include <stdlib.h>
#include <string.h>

#include "command/past/past_commands.h"
#include "debug/expr/expr.h"
#include "debug/describe.h"
#include "debug/view/address.h"
#include "command/past/why_chain.h"

#define DEPTH 8u /* levels unless told */
#define DEPTH_MAX 64u

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

/* Evaluates all of the text. Returns false if it has no value, with the error of the text in front of its last number, `shorter`, unless that is no
 * expression. */
static bool parse_all(struct history *h, const char *args, const struct text *shorter, struct expr_value *v, struct text *why)
{
	if (debug_eval_unread(history_debug(h), args, v, why))
		return true;
	if (shorter->n && !strstr(text_str(shorter), "syntax error")) {
		text_clear(why);
		text_add(why, text_str(shorter));
	}
	return false;
}

/* EXPR [DEPTH]: a number behind the expression, if there is one. */
static bool parse(struct history *h, const char *args, struct expr_value *v, struct why_chain *c, struct text *why)
{
	struct text first = {0};
	size_t n = strlen(args), digits = 0;
	while (n && strchr(" \t", args[n - 1]))
		n--;
	while (digits < n && args[n - digits - 1] >= '0' && args[n - digits - 1] <= '9')
		digits++;
	const size_t at = n - digits;
	c->depth = DEPTH;
	c->asked = args + strspn(args, " \t");
	c->n_asked = n - (size_t)(c->asked - args);
	if (digits && digits < 4 && at && strchr(" \t", args[at - 1]) && strspn(args, " \t") < at) {
		text_addn(&first, args, at);
		if (debug_eval_unread(history_debug(h), text_str(&first), v, why)) {
			const uint32_t depth = (uint32_t)atoi(args + at);
			c->depth = depth > DEPTH_MAX ? DEPTH_MAX : depth ? depth : 1;
			c->n_asked = at - (size_t)(c->asked - args);
			while (c->n_asked && strchr(" \t", c->asked[c->n_asked - 1]))
				c->n_asked--;
			text_free(&first);
			return true;
		}
		text_free(&first);
		first = *why;
		*why = (struct text){0};
	}
	const bool ok = parse_all(h, args, &first, v, why);
	text_free(&first);
	return ok;
}

/* `w is %f7`: what the source calls it is something else here. */
static void name_line(struct why_chain *c, const char *name)
{
	const char first = c->n_asked ? c->asked[0] : '(';
	const bool is_name = first == '_' || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
	if (is_name && (strlen(name) != c->n_asked || strncmp(name, c->asked, c->n_asked) != 0))
		report_say(c->answer, "%.*s is %s\n", (int)c->n_asked, c->asked, name);
}

/* Stores `Address 0x10 is close to null` if the thread has no memory there. */
static void explain_address(struct why_chain *c, const struct debug_thread_access *access)
{
	if (debug_wrong_address_text(c->d, access, &c->address))
		c->address.s[0] = 'A';
}

/* Explains the address of the instruction that the thread is in front of. Returns false if register `word` is no part of that address. */
static bool explain_operand(struct why_chain *c, const struct debug_where *w, uint64_t frame, uint32_t word)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	struct debug_step s;
	uint32_t k = 0;
	if (!debug_step_ahead(c->d, &w->thread, &s) || !s.executes || s.frame != frame)
		return false;
	const struct isa_insn *const i = &gpu_program(debug_gpu(c->d))->insns[s.pc];
	const uint32_t n = debug_operands(c->d, s.pc, o);
	while (k < n && !(o[k].kind == DEBUG_OPERAND_REGISTER && o[k].is_address && o[k].word == word))
		k++;
	if (k == n)
		return false;
	explain_address(c, &(struct debug_thread_access){.launch = w->thread.launch,
						      .space = (enum isa_space)i->space,
						      .generic = s.address,
						      .size = isa_type_bytes((enum isa_type)i->type) * (i->vec ? i->vec : 1u)});
	return true;
}

/* Explains where a pointer points to. */
static void explain_pointer(struct why_chain *c, const struct expr_value *v, const struct debug_where *w)
{
	if (v->pointers && !v->is_array && !v->is_object && !v->function)
		explain_address(c, &(struct debug_thread_access){.launch = w->thread.launch, .generic = v->u.u64, .size = 1});
}

static bool start(struct why_chain *c, const struct expr_value *v, struct text *why)
{
	struct debug_where w;
	const bool has = debug_focus_where(c->d, &w);
	const struct expr_place *p = &v->place;
	c->executed = has && w.w ? w.w->executed : 0;
	if (p->kind == EXPR_MEMORY) {
		const enum isa_type type = v->pointers ? ISA_U64 : v->type;
		const struct where_bytes b = {.generic = p->address,
					      .n = isa_type_bytes(type) ? isa_type_bytes(type) : 1,
					      .thread = has ? w.thread : (struct debug_thread){0}};
		const bool is_local = has && w.w && trace_is_local(p->address);
		const struct until u = {.thread = is_local ? &w.thread : NULL, .executed = c->executed, .limit = &c->here};
		uint64_t now = 0;
		struct text name = {0};
		debug_memory_name(c->d, b.generic, type, &name);
		name_line(c, text_str(&name));
		text_free(&name);
		if (has)
			explain_pointer(c, v, &w);
		why_memory_line(c, &b, type, &u,
				b.n <= sizeof now && gpu_read(debug_gpu(history_debug(c->h)), b.generic, &now, b.n) ? &now : NULL, 0);
		return true;
	}
	if ((p->kind != EXPR_ROW && p->kind != EXPR_PRED) || !has || !w.w)
		return fail(why, "only what is in memory or in a register of a thread on a core was made by somebody");
	const uint32_t word = p->kind == EXPR_PRED ? ISA_RW_PRED(p->ref) : ISA_RW_ROW(p->ref);
	struct why_at a = {w.thread, {w.w->executed, p->frame, 0}};
	struct debug_operand r;
	debug_frame_depth(c->d, &w.thread, p->frame, &a.point.depth);
	if (!debug_register_of(c->d, w.pc, word, &r))
		return fail(why, "nothing is known of that register");
	name_line(c, r.text);
	if (!explain_operand(c, &w, p->frame, word))
		explain_pointer(c, v, &w);
	why_register_line(c, &a, &r, 0);
	return true;
}

static bool explain(struct why_chain *c, const struct expr_value *v, struct text *why)
{
	struct history_aside aside;
	history_aside_begin(c->h, &aside);
	c->here = aside.at;
	report_list(c->answer, "chain");
	bool ok = start(c, v, why);
	report_close(c->answer);
	if (!history_aside_end(c->h, &aside) || (c->failed && ok)) {
		ok = false;
		if (!why->n)
			history_aside_failed(c->h, why);
	}
	if (c->n_lines > WHY_LINES_MAX)
		report_say(c->answer, "... and %u more lines\n", c->n_lines - WHY_LINES_MAX);
	if (c->address.n) {
		report_text(c->answer, "explanation", text_str(&c->address));
		report_line(c->answer, "{explanation}\n");
	}
	text_free(&c->address);
	for (uint32_t k = 0; k < c->n_traces; k++)
		free(c->trace[k].step);
	free(c->shown);
	return ok;
}

bool why_value(struct history *h, const char *args, struct report *answer, struct text *why)
{
	struct expr_value v = {0};
	struct why_chain c = {.h = h, .d = history_debug(h), .answer = answer};
	if (!history_can_go_back(h, why) || !parse(h, args, &v, &c, why))
		return false;
	const bool ok = explain(&c, &v, why);
	expr_value_free(&v);
	return ok;
}
