/* The lines of `why EXPR`: registers, memory, calls, what the host has written, each with those below it that it was made of. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/describe.h"
#include "debug/program.h"
#include "debug/view/address.h"
#include "history/origin.h"
#include "command/past/why_chain.h"
#include "isa/opcodes.h"

static bool same_thread(const struct debug_thread *a, const struct debug_thread *b)
{
	return a->launch == b->launch && a->cta == b->cta && a->thread == b->thread;
}

/* The trace of a thread, whichever of its instructions it has. */
static struct trace *any_trace_of(struct why_chain *c, const struct debug_thread *t)
{
	for (uint32_t k = 0; k < c->n_traces; k++)
		if (same_thread(&c->trace[k].thread, t))
			return &c->trace[k];
	if (c->n_traces == WHY_TRACES)
		free(c->trace[--c->n_traces].step);
	c->trace[c->n_traces] = (struct trace){.thread = *t};
	return &c->trace[c->n_traces++];
}

/* Where a register had its value from. */
static const struct trace *source_of(struct why_chain *c, const struct why_at *a, uint32_t word, bool *found,
				     struct trace_source *by)
{
	struct trace *l = any_trace_of(c, &a->thread);
	bool failed = false;
	*found = !c->failed && trace_source_of(c->h, l, &a->thread, &a->point, word, &c->here, by, &failed);
	c->failed |= failed;
	return l;
}

bool why_value_at(struct why_chain *c, const struct why_at *a, uint32_t word, uint64_t *v)
{
	bool failed = false;
	*v = 0;
	if (c->failed)
		return false;
	const bool known = trace_value_of(c->h, any_trace_of(c, &a->thread), &a->thread, &a->point, word, &c->here, v,
					  &failed);
	c->failed |= failed;
	return known && !failed;
}

/* ---- lines ---- */

/* A line, and an object in the list of what the one above it was made of. True: why_line_over has to come. */
bool why_line_begin(struct why_chain *c, uint32_t depth)
{
	if (c->n_lines++ >= WHY_LINES_MAX) {
		c->failed |= c->n_lines > 100 * WHY_LINES_MAX;
		return false;
	}
	for (uint32_t k = 0; k < depth; k++)
		report_say(c->answer, "  ");
	report_open(c->answer, NULL);
	return true;
}

void why_line_over(struct why_chain *c) { report_close(c->answer); }

/* What a line is about. */
void why_line_is(struct why_chain *c, const char *kind, const char *name)
{
	report_text(c->answer, "kind", kind);
	report_text(c->answer, "name", name);
	report_line(c->answer, "{name}");
}

static void has_value(struct why_chain *c, enum isa_type type, uint64_t v)
{
	describe_value(c->answer, "value", type, v);
	report_line(c->answer, " = {value}");
}

static void has_mark(struct why_chain *c, const char *mark)
{
	if (!*mark)
		return;
	report_text(c->answer, "mark", mark);
	report_line(c->answer, "  <- {mark}");
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

/* Behind what it is and its value: the thread's instruction that made it. */
static void made_by(struct why_chain *c, const struct debug_thread *t, const struct debug_step *s, const char *mark,
		    bool again)
{
	describe_by_thread(c->d, c->answer, t, s->pc, s->cycle);
	report_line(c->answer, " at {ptx} {instruction}  (cycle {cycle})[  {source}]");
	has_mark(c, mark);
	report_say(c->answer, "%s", again ? "  (see above)\n" : "\n");
	if (again)
		report_flag(c->answer, "above", true);
}

static void by_uid(struct why_chain *c, const struct debug_thread *t)
{
	struct debug_where w;
	report_say(c->answer, " by thread uid %" PRIu64, debug_thread_where(c->d, t, &w) ? w.uid : 0);
}

/* ---- the chain ---- */

static void sources(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint32_t which,
		    uint32_t depth);

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
		why_memory_line(c, &b, type,
				&(struct until){.thread = t, .executed = s->at.executed, .limit = &c->here}, NULL,
				depth);
	} else if (s->arg.kind == DEBUG_ARGUMENT_CONSTANT) {
		if (!why_line_begin(c, depth))
			return;
		why_line_is(c, "constant", "a constant argument");
		report_say(c->answer, "\n");
		why_line_over(c);
	} else if (debug_register_of(c->d, s->pc, s->arg.word, &r)) {
		why_register_line(c, &a, &r, depth);
	}
}

/* Of a register that nothing is known to have written. */
static void unwritten(struct why_chain *c, bool cut_off)
{
	static const char cut[] = "not written in what is remembered of the thread";
	report_say(c->answer, ": %s", cut_off ? cut : "never written");
	if (cut_off)
		report_text(c->answer, "unknown", cut);
	else
		has_mark(c, "uninitialised");
	report_say(c->answer, "\n");
}

static void written(struct why_chain *c, const struct why_at *a, const struct debug_operand *r,
		    const struct trace_source *by, uint32_t depth)
{
	const struct debug_step step = *by->step; /* traces move */
	const struct why_at then = {a->thread, {step.executed, step.frame, step.depth}};
	const bool own = by->how == TRACE_WRITTEN;
	uint32_t which = 0;
	uint64_t value;
	const bool known = why_value_at(c, a, r->word, &value);
	debug_writes(c->d, step.pc, r->word, &which);
	if (known)
		has_value(c, r->type, value);
	const bool again =
		was_shown(c, &a->thread, by->how == TRACE_PASSED ? ~step.executed : step.executed, step.pc, r->word);
	made_by(c, &a->thread, &step, again || !own ? "" : why_oddity(c, &then, &step, value, known), again);
	if (again)
		return;
	report_list(c->answer, "from");
	if (own)
		sources(c, &then, &step, which, depth + 1);
	else
		through_call(c, &a->thread, by, r->type, isa_type_bytes(r->type), depth + 1);
	report_close(c->answer);
}

/* Begins a line about a register, with the variable of the source that it holds. */
static void register_is(struct why_chain *c, uint32_t pc, const char *name)
{
	const struct cvar *v = cnames_in_register(c->d, pc, name);
	struct text both = {0};
	if (v)
		text_addf(&both, "%s (%s)", v->name, name);
	why_line_is(c, "register", v ? text_str(&both) : name);
	text_free(&both);
}

/* Returns true if a register that the thread hasn't written is the one in which PTXPlus has the packed thread index. */
static bool is_thread_index(const struct why_chain *c, const struct why_at *a, const struct trace *t, const struct debug_operand *r)
{
	const struct isa_program *p = gpu_program(debug_gpu(c->d));
	struct gpu_launch_info l;
	if (!gpu_launch_get(debug_gpu(c->d), a->thread.launch, &l))
		return false;
	const struct isa_function *kernel = p->functions[l.launch.function];
	const bool is_kernels = !a->point.depth || (t->n && isa_program_function_at(p, t->step[t->n - 1].pc) == kernel);
	return is_kernels && kernel->is_plus && kernel->thread_index == r->word;
}

void why_register_line(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t depth)
{
	struct trace_source by;
	bool found;
	const struct trace *l = source_of(c, a, r->word, &found, &by);
	if (c->failed || !why_line_begin(c, depth))
		return;
	register_is(c, found ? by.step->pc : l->n ? l->step[l->n - 1].pc : 0, r->text);
	if (found)
		written(c, a, r, &by, depth);
	else if (is_thread_index(c, a, l, r))
		report_say(c->answer, ": the packed thread index at the entry\n");
	else
		unwritten(c, l->cut && !trace_known_of(l, &a->point, r->word));
	why_line_over(c);
}

/* What is no register and not in memory. */
static void leaf(struct why_chain *c, const struct why_at *a, const struct debug_step *s, const struct debug_operand *o,
		 uint32_t depth)
{
	const struct isa_insn *i = &gpu_program(debug_gpu(history_debug(c->h)))->insns[s->pc];
	if (!why_line_begin(c, depth))
		return;
	if (o->kind == DEBUG_OPERAND_CONSTANT) {
		const char *kind = strchr("-.0123456789", o->text[0]) ? "constant" : strchr(o->text, '[') ? "memory" : "address";
		why_line_is(c, kind, o->text);
		report_say(c->answer, " (%s)\n", kind);
		why_line_over(c);
		return;
	}
	why_line_is(c, "special", o->text);
	if (i->opcode == ISA_OP_MOV && s->has_values)
		has_value(c, (enum isa_type)i->type, s->value[0]);
	else
		debug_describe_special(c->d, &a->thread, o->text, c->answer);
	report_say(c->answer, " (special register)\n");
	why_line_over(c);
}

/* ---- memory ---- */

/* Appends the name of memory; of local memory that of the source's variable, and its address. */
static void memory_name(struct why_chain *c, const struct where_bytes *b, enum isa_type type, struct text *out)
{
	const bool is_local = b->generic >= EXEC_LOCAL_WINDOW && b->generic < EXEC_PARAM_WINDOW;
	const bool is_named = is_local && cnames_local_text(c->d, b->thread.launch, b->generic - EXEC_LOCAL_WINDOW, out);
	if (is_named)
		text_add(out, " (");
	debug_memory_name(c->d, b->generic, type, out);
	if (is_named)
		text_addc(out, ')');
}

/* `given`: what a thread has found there; else what was written, if that is known. */
static void memory_value(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct write *w,
			 const uint64_t *given)
{
	uint64_t v = 0;
	struct text name = {0};
	memcpy(&v, given ? (const unsigned char *)given : w->after, b->n < 8 ? b->n : 8);
	if (c->texture)
		debug_texel_name(c->d, c->texture, b->generic, &name);
	else
		memory_name(c, b, type, &name);
	why_line_is(c, c->texture ? "texel" : "memory", text_str(&name));
	c->texture = NULL;
	text_free(&name);
	if (given || w->certain)
		has_value(c, type, v);
}

static void by_host(struct why_chain *c, const char *what)
{
	describe_by(c->answer, "host", what);
	report_line(c->answer, " from the host[ ({what})]\n");
}

/* Of memory that nothing has written since recording began. `given`: what was found there, NULL: it isn't known. */
static void never_written(struct why_chain *c, const struct where_bytes *b, enum isa_type type, enum memory_how how,
			  const uint64_t *given)
{
	struct text what = {0};
	memory_value(c, b, type, &(struct write){.certain = false}, given);
	if (how == MEMORY_UNKNOWN) {
		report_say(c->answer, " not written since recording began");
		report_text(c->answer, "unknown", "not written since recording began");
		input_missing_text(c->h, report_prose(c->answer));
		report_say(c->answer, "\n");
	} else if (how == MEMORY_INITIAL) {
		debug_memory_module(c->d, b->generic, &what);
		describe_by(c->answer, "module", text_str(&what));
		report_line(c->answer, " initial value of module {what}\n");
	} else if (how == MEMORY_BY_HOST) {
		input_text(c->h, NULL, b->generic, &what);
		by_host(c, text_str(&what));
	} else {
		report_say(c->answer, ": nobody has written it");
		describe_by(c->answer, "nobody", "");
		has_mark(c, "uninitialised");
		report_say(c->answer, "\n");
	}
	text_free(&what);
}

/* Adds the line of memory that a thread loaded from though it has none there. Returns false, adding nothing, if it has memory there. */
static bool wrong_load_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct isa_insn *i,
			    const uint64_t *given, uint32_t depth)
{
	const struct debug_thread_access access = {b->thread.launch, (enum isa_space)i->space, b->generic, (uint32_t)b->n, true};
	struct text mark = {0};
	text_add(&mark, "out of bounds: ");
	const bool is_wrong = debug_wrong_address_text(c->d, &access, &mark);
	if (is_wrong && why_line_begin(c, depth)) {
		memory_value(c, b, type, &(struct write){.certain = false}, given);
		has_mark(c, text_str(&mark));
		report_say(c->answer, "\n");
		why_line_over(c);
	}
	text_free(&mark);
	return is_wrong;
}

/* What a store, or an atomic, was given to write. */
static void written_value(struct why_chain *c, const struct write *w, const struct debug_step *s, uint64_t generic,
			  uint32_t depth)
{
	const struct isa_insn *i = &gpu_program(debug_gpu(history_debug(c->h)))->insns[s->pc];
	const struct why_at a = {w->thread, {s->executed, s->frame, s->depth}};
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	const bool is_surface = isa_op_writes_texels(i->opcode), atomic = isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
	const uint32_t n = debug_operands(c->d, s->pc, o), vec = i->vec ? i->vec : 1;
	const uint32_t bytes = is_surface ? (uint32_t)w->size / vec : isa_type_bytes((enum isa_type)i->type);
	const uint32_t element = i->vec > 1 && bytes ? (uint32_t)((generic - w->address) / bytes) : 0;
	uint32_t value = 0;
	for (uint32_t k = is_surface && n > vec ? n - vec : 0; k < n; k++) { /* in front of a surface's values are its coordinates */
		if (o[k].kind == DEBUG_OPERAND_MEMORY || o[k].is_address)
			continue;
		if (!atomic && i->vec > 1 && value++ != element)
			continue;
		if (o[k].kind == DEBUG_OPERAND_REGISTER)
			why_register_line(c, &a, &o[k], depth);
		else
			leaf(c, &a, s, &o[k], depth);
	}
}

/* What the host has written; a copy from elsewhere on the device is gone on with there. */
static void host_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type,
		      const struct memory_origin *o, uint32_t depth)
{
	struct text by = {0};
	struct where_bytes from = *b;
	input_text(c->h, &o->write, b->generic, &by);
	by_host(c, text_str(&by));
	text_free(&by);
	if (depth + 1 >= c->depth || o->how != MEMORY_COPIED)
		return;
	uint64_t value = 0;
	from.generic = o->from;
	memcpy(&value, o->write.after, b->n < 8 ? b->n : 8);
	report_list(c->answer, "from");
	why_memory_line(c, &from, type, &(struct until){.limit = &o->then}, &value, depth + 1);
	report_close(c->answer);
}

/* What a library function was given: its arguments, as they were at the call. */
static void builtin_arguments(struct why_chain *c, const struct debug_thread *t, const struct debug_step *call,
			      uint32_t depth)
{
	struct debug_argument here;
	bool returns;
	for (uint32_t k = 0; depth < c->depth && debug_builtin_argument(c->d, call->pc, k, &here, &returns); k++) {
		const struct trace_source s = {.at = {call->executed, call->frame, call->depth},
					       .arg = here,
					       .pc = call->pc,
					       .generic = ISA_LOCAL_WINDOW + call->local_sp + here.offset};
		if (!returns)
			through_call(c, t, &s, here.bytes == 8 ? ISA_U64 : ISA_U32, here.bytes, depth);
	}
}

/* Appends the mark of a library function's result: malloc has found no room. */
static void add_builtin_mark(struct why_chain *c, const struct debug_thread *t, uint32_t pc, const uint64_t *given,
			     struct text *out)
{
	const char *name = debug_builtin_called(c->d, pc);
	const bool allocates = strcmp(name, "malloc") == 0 || strcmp(name, "__cuda_syscall_aligned_malloc") == 0;
	struct gpu_launch_info l;
	if (!allocates || !given || *given || !gpu_launch_get(debug_gpu(history_debug(c->h)), t->launch, &l))
		return;
	text_addf(out, "malloc gave NULL: the heap of %" PRIu64 " bytes is full",
		  gpu_get_limit(debug_gpu(history_debug(c->h)), l.launch.context, GPU_LIMIT_MALLOC_HEAP));
}

/* Local memory that a call has copied an argument or a result to. */
static void copied_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
			const uint64_t *given, const struct memory_origin *o, uint32_t depth)
{
	const struct debug_thread t = *u->thread;
	const struct trace_source *by = &o->call;
	const bool is_builtin = by->how == TRACE_BUILTIN;
	struct text mark = {0};
	memory_value(c, b, type, &(struct write){.certain = false}, given);
	const bool again = was_shown(c, &t, by->how == TRACE_PASSED ? ~o->step.executed : o->step.executed, o->step.pc,
				     (uint32_t)b->generic | UINT32_C(0x80000000));
	if (is_builtin)
		add_builtin_mark(c, &t, o->step.pc, given, &mark);
	made_by(c, &t, &o->step, text_str(&mark), again);
	text_free(&mark);
	if (again)
		return;
	report_list(c->answer, "from");
	if (is_builtin)
		builtin_arguments(c, &t, &o->step, depth + 1);
	else
		through_call(c, &t, by, type, b->n, depth + 1);
	report_close(c->answer);
}

/* What an atomic has found there. */
static void found_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct write *w,
		       const struct debug_step *step, uint32_t depth)
{
	const struct until before = {
		.thread = &w->thread, .executed = step->executed, .past = true, .pc = step->pc, .limit = &c->here};
	const bool returns = step->has_values && gpu_program(debug_gpu(history_debug(c->h)))->where[step->pc].n_writes;
	why_memory_line(c, b, type, &before, returns ? &step->value[0] : NULL, depth);
}

/* By a thread's store, or atomic. */
static void stored(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct write *w,
		   uint32_t depth)
{
	struct debug_step step;
	const bool is_known = trace_step_of(c->h, any_trace_of(c, &w->thread), &w->thread, w->executed, w->pc, &c->here, &step);
	by_uid(c, &w->thread);
	if (!is_known || c->failed) {
		report_say(c->answer, "\n");
		return;
	}
	step.cycle = w->cycle; /* an atomic lands later than its instruction issues */
	const bool again = was_shown(c, &w->thread, step.executed, step.pc, 0);
	made_by(c, &w->thread, &step, "", again);
	const struct isa_insn *const insn = &gpu_program(debug_gpu(history_debug(c->h)))->insns[step.pc];
	const bool passes = insn->flags & ISA_F_PARAM;
	if (again || depth + 1 >= c->depth + passes)
		return;
	report_list(c->answer, "from");
	c->depth += passes;
	written_value(c, w, &step, b->generic, depth + 1);
	c->depth -= passes;
	if (isa_opcode_info[insn->opcode].family == ISA_FAMILY_ATOM)
		found_line(c, b, type, w, &step, depth + 1);
	report_close(c->answer);
}

void why_memory_source(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
		       const uint64_t *given, uint32_t depth)
{
	struct memory_origin o;
	if (!memory_origin(c->h, any_trace_of(c, u->thread ? u->thread : &b->thread), b, u, &o)) {
		c->failed = true;
		return;
	}
	if (o.how == MEMORY_CALLED) { /* st.param, call and ld.param count as one level */
		c->depth++;
		copied_line(c, b, type, u, given, &o, depth);
		c->depth--;
		return;
	}
	if (!o.is_written) {
		never_written(c, b, type, o.how, given);
		return;
	}
	memory_value(c, b, type, &o.write, given);
	if (o.write.by_host)
		host_line(c, b, type, &o, depth);
	else
		stored(c, b, type, &o.write, depth);
}

void why_memory_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
		     const uint64_t *given, uint32_t depth)
{
	if (c->failed || !why_line_begin(c, depth))
		return;
	why_memory_source(c, b, type, u, given, depth);
	why_line_over(c);
}

static void parameter_line(struct why_chain *c, uint32_t launch, const char *name)
{
	struct text from = {0};
	report_say(c->answer, "parameter ");
	why_line_is(c, "parameter", name);
	report_number(c->answer, "launch", launch);
	if (debug_launched_from(c->d, launch, &from)) {
		report_say(c->answer, " (of launch %u, launched from %s)\n", launch, text_str(&from));
		report_text(c->answer, "launched_from", text_str(&from));
	} else {
		report_say(c->answer, " (of the launch)\n");
	}
	text_free(&from);
}

/* A load's memory, or a kernel's parameter. */
static void loaded(struct why_chain *c, const struct why_at *a, const struct debug_step *s,
		   const struct debug_operand *o, uint32_t which, uint32_t depth)
{
	const struct isa_insn *i = &gpu_program(debug_gpu(history_debug(c->h)))->insns[s->pc];
	const enum isa_type type = (enum isa_type)i->type;
	const uint64_t n = isa_type_bytes(type);
	if (isa_opcode_info[i->opcode].family == ISA_FAMILY_TEXTURE) {
		why_texel_lines(c, a, s, which, depth);
		return;
	}
	if (i->space == ISA_SPACE_PARAM && !(i->flags & ISA_F_PARAM)) {
		if (!why_line_begin(c, depth))
			return;
		parameter_line(c, a->thread.launch, o->text);
		why_line_over(c);
		return;
	}
	const bool atomic = isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
	const struct where_bytes b = {.generic = s->address + which * n, .n = n, .thread = a->thread};
	const enum isa_type shown = debug_memory_type(c->d, b.generic);
	const struct until u = {
		.thread = &a->thread, .executed = s->executed, .past = atomic, .pc = s->pc, .limit = &c->here};
	const enum isa_type seen = isa_type_bytes(shown) == n ? shown : type;
	const uint64_t *const given = s->has_values && which < DEBUG_STEP_VALUES ? &s->value[which] : NULL;
	if (!wrong_load_line(c, &b, seen, i, given, depth))
		why_memory_line(c, &b, seen, &u, given, depth);
}

static bool is_shuffled(const struct why_chain *c, uint32_t pc)
{
	return gpu_program(debug_gpu(history_debug(c->h)))->insns[pc].opcode == ISA_OP_SHFL;
}

static void sources(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint32_t which,
		    uint32_t depth)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	if (depth >= c->depth)
		return;
	const uint32_t n = debug_operands(c->d, s->pc, o);
	if (why_is_tensor(c, s->pc) && why_tensor_lines(c, a, s, which, depth))
		return;
	for (uint32_t k = 0; k < n && !c->failed; k++) {
		if (o[k].kind == DEBUG_OPERAND_MEMORY)
			loaded(c, a, s, &o[k], which, depth);
		else if (o[k].kind != DEBUG_OPERAND_REGISTER)
			leaf(c, a, s, &o[k], depth);
		else if (!k && is_shuffled(c, s->pc))
			why_lane_line(c, a, &o[k], s->lane, depth);
		else if (why_is_of_lanes(c, s->pc, o, n, k))
			why_lanes_lines(c, a, s, &o[k], depth);
		else
			why_register_line(c, a, &o[k], depth);
	}
}
