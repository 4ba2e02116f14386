/* `why EXPR`: the chain of instructions, loads and stores that made a value, the newest first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/program.h"
#include "debug/why/why.h"
#include "history/why_chain.h"
#include "isa/opcodes.h"

#define DEPTH 8u /* levels unless told */
#define DEPTH_MAX 64u
#define LINES_MAX 500u
#define OTHERS_MAX 3u /* lanes of a collective operation besides the one that is asked about */

static bool same_thread(const struct debug_thread *a, const struct debug_thread *b)
{
	return a->launch == b->launch && a->cta == b->cta && a->thread == b->thread;
}

static struct trace *trace_of(struct why_chain *c, const struct debug_thread *t, uint64_t end)
{
	struct trace *l = NULL;
	for (uint32_t k = 0; k < c->n_traces && !l; k++)
		if (same_thread(&c->trace[k].thread, t))
			l = &c->trace[k];
	if (l && l->end >= end)
		return l;
	if (!l && c->n_traces == WHY_TRACES)
		free(c->trace[--c->n_traces].step);
	if (!l)
		l = &c->trace[c->n_traces++];
	else
		free(l->step);
	if (!trace_follow(c->h, t, end, &c->here, l))
		c->failed = true;
	return l;
}

bool why_value_at(struct why_chain *c, const struct why_at *a, uint32_t word, uint64_t *v)
{
	*v = 0;
	const struct trace *l = trace_of(c, &a->thread, a->point.executed);
	return !c->failed && trace_value(c->h, l, &a->point, word, v);
}

/* ---- lines ---- */

static bool indent(struct why_chain *c, uint32_t depth)
{
	if (c->n_lines++ >= LINES_MAX) {
		c->failed |= c->n_lines > 100 * LINES_MAX;
		return false;
	}
	for (uint32_t k = 0; k < depth; k++)
		text_add(c->out, "  ");
	return true;
}

static bool was_shown(struct why_chain *c, const struct debug_thread *t, uint64_t executed, uint32_t pc, uint32_t word)
{
	for (size_t k = 0; k < c->n_shown; k++)
		if (same_thread(&c->shown[k].thread, t) && c->shown[k].executed == executed &&
		    c->shown[k].word == word && c->shown[k].pc == pc)
			return true;
	c->shown = xgrow(c->shown, &c->cap_shown, c->n_shown + 1, sizeof *c->shown);
	c->shown[c->n_shown++] = (struct why_shown){*t, executed, word, pc};
	return false;
}

static void line_end(struct why_chain *c, const struct debug_step *s, const char *mark, bool again)
{
	text_addf(c->out, "  (cycle %" PRIu64 ")", s->cycle);
	debug_step_source(c->d, s->pc, c->out);
	text_addf(c->out, "%s%s%s\n", *mark ? "  <- " : "", mark, again ? "  (see above)" : "");
}

static uint64_t uid_of(struct why_chain *c, const struct debug_thread *t)
{
	struct debug_where w;
	return debug_thread_where(c->d, t, &w) ? w.uid : 0;
}

/* ---- the chain ---- */

static void sources(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint32_t which,
		    uint32_t depth);

static void memory_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
			const uint64_t *given, uint32_t depth);
static void register_line(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t depth);

/* From an argument of a call to the parameter, or back. `r`: what it is on this side. */
static void through_call(struct why_chain *c, const struct debug_thread *t, const struct trace_source *s,
			 enum isa_type type, uint64_t n, uint32_t depth)
{
	const struct why_at a = {*t, s->at};
	struct debug_operand r;
	if (depth >= c->depth)
		return;
	if (s->arg.kind == DEBUG_ARGUMENT_MEMORY) {
		const struct where_bytes b = {.generic = s->generic, .n = n, .thread = *t};
		memory_line(c, &b, type, &(struct until){.thread = t, .executed = s->at.executed, .limit = &c->here},
			    NULL, depth);
	} else if (s->arg.kind == DEBUG_ARGUMENT_CONSTANT) {
		if (indent(c, depth))
			text_add(c->out, "a constant argument\n");
	} else if (debug_register_of(c->d, s->pc, s->arg.word, &r)) {
		register_line(c, &a, &r, depth);
	}
}

static void register_line(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t depth)
{
	struct trace_source by;
	const struct trace *l = trace_of(c, &a->thread, a->point.executed);
	const bool found = !c->failed && trace_source(c->h, l, &a->point, r->word, &by);
	if (c->failed || !indent(c, depth))
		return;
	if (!found) {
		text_addf(c->out, "%s: %s\n", r->text,
			  l->cut ? "written before what is remembered of the thread"
				 : "never written  <- uninitialised");
		return;
	}
	const struct debug_step step = *by.step; /* traces move */
	uint32_t which = 0;
	uint64_t value;
	const bool known = why_value_at(c, a, r->word, &value);
	debug_writes(c->d, step.pc, r->word, &which);
	text_addf(c->out, "%s", r->text);
	if (known) {
		text_add(c->out, " = ");
		debug_step_value(r->type, value, c->out);
	}
	text_addc(c->out, ' ');
	debug_step_ptx(c->d, step.pc, c->out);
	const bool again =
		was_shown(c, &a->thread, by.how == TRACE_PASSED ? ~step.executed : step.executed, step.pc, r->word);
	const struct why_at then = {a->thread, {step.executed, step.frame, step.depth}};
	const bool own = by.how == TRACE_WRITTEN;
	line_end(c, &step, again || !own ? "" : why_oddity(c, &then, &step, value, known), again);
	if (!again && own)
		sources(c, &then, &step, which, depth + 1);
	else if (!again)
		through_call(c, &a->thread, &by, r->type, isa_type_bytes(r->type), depth + 1);
}

/* What is no register and not in memory. */
static void leaf(struct why_chain *c, const struct why_at *a, const struct debug_step *s, const struct debug_operand *o,
		 uint32_t depth)
{
	const struct isa_insn *i = &gpu_program(c->h->g)->insns[s->pc];
	if (!indent(c, depth))
		return;
	if (o->kind == DEBUG_OPERAND_CONSTANT) {
		text_addf(c->out, "%s (%s)\n", o->text, strchr("-.0123456789", o->text[0]) ? "constant" : "address");
		return;
	}
	if (i->opcode == ISA_OP_MOV && s->has_values) {
		text_addf(c->out, "%s = ", o->text);
		debug_step_value((enum isa_type)i->type, s->value[0], c->out);
	} else if (!debug_special_text(c->d, &a->thread, o->text, c->out)) {
		text_add(c->out, o->text);
	}
	text_add(c->out, " (special register)\n");
}

/* ---- memory ---- */

/* `given`: what a thread has found there; else what was written, if that is known. */
static void memory_value(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct write *w,
			 const uint64_t *given)
{
	uint64_t v = 0;
	memcpy(&v, given ? (const unsigned char *)given : w->after, b->n < 8 ? b->n : 8);
	debug_memory_name(c->d, b->generic, type, c->out);
	if (!given && !w->certain)
		return;
	text_add(c->out, " = ");
	debug_step_value(type, v, c->out);
}

/* Not since recording began. `given`: what was found there, NULL: it isn't known. */
static void never_written(struct why_chain *c, const struct where_bytes *b, enum isa_type type, bool misses,
			  const uint64_t *given)
{
	struct text owner = {0};
	bool initialised;
	const bool known = debug_memory_owner(c->d, b->generic, &initialised, &owner) && initialised;
	text_clear(&owner);
	memory_value(c, b, type, &(struct write){.certain = false}, given);
	if (misses) {
		text_add(c->out, " not written since recording began");
		input_missing_text(c->h, c->out);
		text_addc(c->out, '\n');
	} else if (known) {
		input_text(c->h, NULL, b->generic, &owner);
		text_addf(c->out, " from the host (%s)\n", text_str(&owner));
	} else {
		text_add(c->out, ": nobody has written it  <- uninitialised\n");
	}
	text_free(&owner);
}

/* What a store, or an atomic, was given to write. */
static void written_value(struct why_chain *c, const struct write *w, const struct debug_step *s, uint64_t generic,
			  uint32_t depth)
{
	const struct isa_insn *i = &gpu_program(c->h->g)->insns[s->pc];
	const struct why_at a = {w->thread, {s->executed, s->frame, s->depth}};
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	const uint32_t n = debug_operands(c->d, s->pc, o), bytes = isa_type_bytes((enum isa_type)i->type);
	const bool atomic = isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
	const uint32_t element = i->vec > 1 && bytes ? (uint32_t)((generic - w->address) / bytes) : 0;
	bool in_address = false;
	uint32_t value = 0;
	for (uint32_t k = 0; k < n; k++) {
		if (o[k].kind == DEBUG_OPERAND_MEMORY) {
			in_address = true;
			continue;
		}
		/* the registers of the address stand behind it: their names are in its text */
		if (in_address && o[k].kind == DEBUG_OPERAND_REGISTER && strstr(o[k - 1].text, o[k].text) &&
		    o[k - 1].kind == DEBUG_OPERAND_MEMORY)
			continue;
		if (!atomic && i->vec > 1 && value++ != element)
			continue;
		if (o[k].kind == DEBUG_OPERAND_REGISTER)
			register_line(c, &a, &o[k], depth);
		else
			leaf(c, &a, s, &o[k], depth);
	}
}

/* What the host has written; a copy from elsewhere on the device is gone on with there. */
static void host_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct write *w,
		      uint32_t depth)
{
	struct text by = {0};
	struct where_bytes from = *b;
	struct history_position then;
	input_text(c->h, w, b->generic, &by);
	text_addf(c->out, by.n ? " from the host (%s)\n" : " from the host\n", text_str(&by));
	text_free(&by);
	if (depth + 1 >= c->depth || !input_source(c->h, w, b->generic, &from.generic, &then))
		return;
	uint64_t value = 0;
	memcpy(&value, w->after, b->n < 8 ? b->n : 8);
	memory_line(c, &from, type, &(struct until){.limit = &then}, &value, depth + 1);
}

/* Local memory that a call has copied an argument or a result to, later than the last store `w`. */
static bool copied_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
			const uint64_t *given, const struct write *w, uint32_t depth)
{
	struct trace_source by;
	const struct debug_thread t = u->thread ? *u->thread : b->thread;
	const uint64_t executed = u->thread ? u->executed : c->executed;
	uint64_t v = 0;
	if (!trace_is_local(b->generic) ||
	    !trace_copied(c->h, trace_of(c, &t, executed), executed, b->generic, b->n, &by) ||
	    (w && w->executed >= trace_copied_when(&by)))
		return false;
	const struct debug_step step = *by.step;
	debug_memory_name(c->d, b->generic, type, c->out);
	if (given) {
		memcpy(&v, given, b->n < 8 ? b->n : 8);
		text_add(c->out, " = ");
		debug_step_value(type, v, c->out);
	}
	text_addc(c->out, ' ');
	debug_step_ptx(c->d, step.pc, c->out);
	const bool again = was_shown(c, &t, by.how == TRACE_PASSED ? ~step.executed : step.executed, step.pc,
				     (uint32_t)b->generic | UINT32_C(0x80000000));
	line_end(c, &step, "", again);
	if (!again)
		through_call(c, &t, &by, type, b->n, depth + 1);
	return true;
}

static void memory_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
			const uint64_t *given, uint32_t depth)
{
	struct write w;
	bool found;
	if (c->failed || !indent(c, depth))
		return;
	if (!find_write(c->h, b, u, &w, &found)) {
		c->failed = true;
		return;
	}
	if (copied_line(c, b, type, u, given, found && !w.by_host ? &w : NULL, depth))
		return;
	if (!found) {
		never_written(c, b, type, w.before_begun, given);
		return;
	}
	memory_value(c, b, type, &w, given);
	if (w.by_host) {
		host_line(c, b, type, &w, depth);
		return;
	}
	const struct debug_step *s = trace_find(trace_of(c, &w.thread, w.executed + 1), w.executed, w.pc);
	if (!s || c->failed) {
		text_addf(c->out, " by thread uid %" PRIu64 "\n", uid_of(c, &w.thread));
		return;
	}
	const struct debug_step step = *s;
	text_addf(c->out, " by thread uid %" PRIu64 " ", uid_of(c, &w.thread));
	debug_step_ptx(c->d, step.pc, c->out);
	const bool again = was_shown(c, &w.thread, step.executed, step.pc, 0);
	line_end(c, &step, "", again);
	if (again || depth + 1 >= c->depth)
		return;
	written_value(c, &w, &step, b->generic, depth + 1);
	if (isa_opcode_info[gpu_program(c->h->g)->insns[step.pc].opcode].family != ISA_FAMILY_ATOM)
		return;
	const struct until before = {
		.thread = &w.thread, .executed = step.executed, .past = true, .pc = step.pc, .limit = &c->here};
	memory_line(c, b, type, &before,
		    step.has_values && gpu_program(c->h->g)->where[step.pc].n_writes ? &step.value[0] : NULL,
		    depth + 1);
}

static void parameter_line(struct why_chain *c, uint32_t launch, const char *name)
{
	struct text from = {0};
	if (debug_launched_from(c->d, launch, &from))
		text_addf(c->out, "parameter %s (of launch %u, launched from %s)\n", name, launch, text_str(&from));
	else
		text_addf(c->out, "parameter %s (of the launch)\n", name);
	text_free(&from);
}

/* A load's memory, or a kernel's parameter. */
static void loaded(struct why_chain *c, const struct why_at *a, const struct debug_step *s,
		   const struct debug_operand *o, uint32_t which, uint32_t depth)
{
	const struct isa_insn *i = &gpu_program(c->h->g)->insns[s->pc];
	const enum isa_type type = (enum isa_type)i->type;
	const uint64_t n = isa_type_bytes(type);
	if (i->space == ISA_SPACE_PARAM && !(i->flags & ISA_F_PARAM)) {
		if (indent(c, depth))
			parameter_line(c, a->thread.launch, o->text);
		return;
	}
	const bool atomic = isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
	const struct where_bytes b = {.generic = s->address + which * n, .n = n, .thread = a->thread};
	const enum isa_type shown = debug_memory_type(c->d, b.generic);
	const struct until u = {
		.thread = &a->thread, .executed = s->executed, .past = atomic, .pc = s->pc, .limit = &c->here};
	memory_line(c, &b, isa_type_bytes(shown) == n ? shown : type, &u,
		    s->has_values && which < DEBUG_STEP_VALUES ? &s->value[which] : NULL, depth);
}

static bool is_shuffled(const struct why_chain *c, uint32_t pc)
{
	return gpu_program(c->h->g)->insns[pc].opcode == ISA_OP_SHFL;
}

/* The result is made of all lanes' operands. */
static bool is_collective(const struct why_chain *c, uint32_t pc)
{
	const uint16_t op = gpu_program(c->h->g)->insns[pc].opcode;
	return op == ISA_OP_VOTE || op == ISA_OP_REDUX || op == ISA_OP_MATCH;
}

/* Of the other lanes' values one each, of the first few that differ from this one's. */
static void other_lanes(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t depth)
{
	uint64_t value[LANES];
	if (depth >= c->depth || !trace_go(c->h, &a->thread, a->point.executed, &c->here))
		return;
	uint32_t left = debug_step_lanes(c->d, &a->thread, r, value), shown = 0;
	const uint64_t own = value[a->thread.thread % LANES];
	LANES_EACH (lane, left)
		left &= ~(value[lane] == own ? lanes_bit(lane) : 0);
	for (; left && shown < OTHERS_MAX && !c->failed; shown++) {
		struct why_at from = *a;
		struct debug_operand named = *r;
		const unsigned first = lanes_first(left);
		from.thread.thread = a->thread.thread / LANES * LANES + first;
		snprintf(named.text, sizeof named.text, "%.40s of lane %u", r->text, first);
		register_line(c, &from, &named, depth);
		LANES_EACH (lane, left)
			left &= ~(value[lane] == value[first] ? lanes_bit(lane) : 0);
	}
	if (left && indent(c, depth))
		text_addf(c->out, "%s of lanes 0x%08x, other values\n", r->text, left);
}

static void sources(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint32_t which,
		    uint32_t depth)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	if (depth >= c->depth)
		return;
	const uint32_t n = debug_operands(c->d, s->pc, o);
	for (uint32_t k = 0; k < n && !c->failed; k++) {
		struct why_at from = *a;
		if (!k && is_shuffled(c, s->pc)) /* another lane's register */
			from.thread.thread = a->thread.thread / LANES * LANES + s->lane;
		if (o[k].kind == DEBUG_OPERAND_MEMORY)
			loaded(c, a, s, &o[k], which, depth);
		else if (o[k].kind == DEBUG_OPERAND_REGISTER)
			register_line(c, &from, &o[k], depth);
		else
			leaf(c, a, s, &o[k], depth);
		if (!k && o[k].kind == DEBUG_OPERAND_REGISTER && is_collective(c, s->pc))
			other_lanes(c, a, &o[k], depth);
	}
}

/* ---- the command ---- */

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
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
		if (debug_eval_unread(h->d, text_str(&first), v, why)) {
			const uint32_t depth = (uint32_t)atoi(args + at);
			c->depth = depth > DEPTH_MAX ? DEPTH_MAX : depth ? depth : 1;
			c->n_asked = at - (size_t)(c->asked - args);
			while (c->n_asked && strchr(" \t", c->asked[c->n_asked - 1]))
				c->n_asked--;
			text_free(&first);
			return true;
		}
		text_free(&first);
		text_free(why);
		*why = (struct text){0};
	}
	return debug_eval_unread(h->d, args, v, why);
}

/* `w is %f7`: what the source calls it is something else here. */
static void name_line(struct why_chain *c, const char *name)
{
	const char first = c->n_asked ? c->asked[0] : '(';
	const bool is_name = first == '_' || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
	if (is_name && (strlen(name) != c->n_asked || strncmp(name, c->asked, c->n_asked) != 0))
		text_addf(c->out, "%.*s is %s\n", (int)c->n_asked, c->asked, name);
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
		const struct until u = {.limit = &c->here};
		uint64_t now = 0;
		struct text name = {0};
		debug_memory_name(c->d, b.generic, type, &name);
		name_line(c, text_str(&name));
		text_free(&name);
		memory_line(c, &b, type, &u, b.n <= sizeof now && gpu_read(c->h->g, b.generic, &now, b.n) ? &now : NULL,
			    0);
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
	register_line(c, &a, &r, 0);
	return true;
}

static bool explain(struct why_chain *c, const struct expr_value *v, struct text *why)
{
	struct history_aside aside;
	history_aside_begin(c->h, &aside);
	c->here = aside.at;
	bool ok = start(c, v, why);
	if (!history_aside_end(c->h, &aside) || (c->failed && ok)) {
		ok = false;
		if (!why->n)
			history_aside_failed(c->h, why);
	}
	if (c->n_lines > LINES_MAX)
		text_addf(c->out, "... and %u more lines\n", c->n_lines - LINES_MAX);
	for (uint32_t k = 0; k < c->n_traces; k++)
		free(c->trace[k].step);
	free(c->shown);
	return ok;
}

bool history_cmd_why(struct history *h, const char *args, struct text *out, struct text *why)
{
	struct expr_value v = {0};
	struct why_chain c = {.h = h, .d = h->d, .out = out};
	if (debug_why_is_word(args))
		return debug_cmd_why(h->d, args, out, why);
	if (!history_needs(h, why) || !parse(h, args, &v, &c, why))
		return false;
	const bool ok = explain(&c, &v, why);
	expr_value_free(&v);
	return ok;
}
