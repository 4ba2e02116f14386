/* Values that aren't finite, followed through the registers of a warp. Each stretch between two snapshots is run once, the latest first. In a run each
 * write to a register extends the chain of the operand that the value came from; at the stretch's end the chain of the sought register is known up to
 * an instruction of the stretch, or to a register at its beginning. Only instructions that feed the sought registers are marked. */
#include "history/nan_chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/format.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"

#define NONE UINT32_MAX

bool nan_is_finite(enum isa_type t, uint64_t v)
{
	switch (t) { /* the common types are looked at as bits */
	case ISA_F32: return (v & 0x7f800000) != 0x7f800000;
	case ISA_F64: return (v >> 52 & 0x7ff) != 0x7ff;
	default: return isfinite(format_to_double(t, &v));
	}
}

bool nan_is_passed_on(double operand, bool is_nan) { return is_nan ? isnan(operand) : !isfinite(operand); }

bool nan_can_be_born(const struct isa_insn *i)
{
	return isa_opcode_info[i->opcode].family == ISA_FAMILY_ALU && i->opcode != ISA_OP_MOV && i->opcode != ISA_OP_SELP;
}

bool nan_constant(const struct debug_operand *o, double *v)
{
	const char kind = o->text[0] == '0' ? (char)(o->text[1] | 0x20) : 0;
	if (o->kind != DEBUG_OPERAND_CONSTANT || (kind != 'f' && kind != 'd'))
		return false;
	const uint64_t raw = strtoull(o->text + 2, NULL, 16);
	*v = format_to_double(kind == 'f' ? ISA_F32 : ISA_F64, &raw);
	return true;
}

bool nan_is_source(enum isa_type t, uint64_t v, bool is_nan)
{
	return !nan_is_finite(t, v) && nan_is_passed_on(format_to_double(t, &v), is_nan);
}

/* ---- ways ---- */

void nan_way_prepend(struct nan_way *w, uint32_t pc)
{
	w->n++;
	if (w->n_passed && w->passed[0].pc == pc) {
		w->passed[0].times++;
		return;
	}
	memmove(w->passed + 1, w->passed, NAN_PLACES * sizeof *w->passed);
	w->passed[0] = (struct nan_passed){pc, 1};
	w->n_passed += w->n_passed <= NAN_PLACES;
}

static void append_run(struct nan_way *w, const struct nan_passed *p)
{
	struct nan_passed *last = w->n_passed ? &w->passed[w->n_passed - 1] : NULL;
	if (last && last->pc == p->pc)
		last->times += p->times;
	else if (w->n_passed <= NAN_PLACES)
		w->passed[w->n_passed++] = *p;
}

/* Adds an instruction behind all others. */
static void append(struct nan_way *w, uint32_t pc)
{
	struct nan_passed *last = w->n_passed ? &w->passed[w->n_passed - 1] : NULL;
	w->n++;
	if (last && last->pc == pc)
		last->times++;
	else if (w->n_passed <= NAN_PLACES)
		w->passed[w->n_passed++] = (struct nan_passed){pc, 1};
}

/* Adds all instructions of `front` in front of those of `w`. */
static void way_join(struct nan_way *w, const struct nan_way *front)
{
	struct nan_way all = *front;
	all.n += w->n;
	for (uint32_t k = 0; k < w->n_passed; k++)
		append_run(&all, &w->passed[k]);
	*w = all;
}

static bool has_word(const struct nan_words *w, uint32_t word)
{
	bool has = w->n > NAN_WORDS_MAX;
	for (uint32_t k = 0; k < w->n && !has; k++)
		has = w->word[k] == word;
	return has;
}

void nan_words_add(struct nan_words *w, uint32_t word)
{
	if (has_word(w, word))
		return;
	if (w->n < NAN_WORDS_MAX)
		w->word[w->n] = word;
	w->n++;
}

/* ---- the instructions that feed the sought registers ---- */

struct operand {
	enum isa_type type; /* as which it is looked at */
	uint32_t bytes, word;
	uint32_t index; /* of a register that is followed; NONE: the chain ends in front of it */
};

/* A marked instruction. */
struct insn {
	bool is_plain; /* its result depends on its own lane's operands alone */
	uint32_t n_results, n_operands;
	uint32_t *result; /* indices */
	struct operand *operand;
};

/* A write by an instruction of the function. */
struct by {
	uint32_t word, pc;
};

struct code {
	struct history *h;
	const struct isa_function *f;
	const struct nan_words *words;
	struct by *by; /* ordered by word */
	size_t n_by;
	uint32_t *index; /* of by's words, at the first of each; NONE: it isn't followed */
	size_t *followed; /* places in by: of each index */
	uint32_t n_followed;
	struct insn *insn; /* of the function's instructions */
	uint8_t *marks;
};

static int by_word(const void *a, const void *b)
{
	const struct by *l = a, *r = b;
	return l->word != r->word ? (l->word < r->word ? -1 : 1) : (l->pc > r->pc) - (l->pc < r->pc);
}

static void collect_writes(struct code *c)
{
	const struct isa_program *p = gpu_program(c->h->g);
	size_t cap = 0;
	for (uint32_t pc = c->f->first; pc < c->f->end; pc++)
		for (uint32_t k = 0; k < p->where[pc].n_writes; k++) {
			c->by = xgrow(c->by, &cap, c->n_by + 1, sizeof *c->by);
			c->by[c->n_by++] = (struct by){p->rw[p->where[pc].rw + k], pc};
		}
	if (c->n_by)
		qsort(c->by, c->n_by, sizeof *c->by, by_word);
	c->index = xmalloc((c->n_by + 1) * sizeof *c->index);
	memset(c->index, 0xff, (c->n_by + 1) * sizeof *c->index);
	c->followed = xcalloc(c->n_by + 1, sizeof *c->followed);
}

/* Returns the place of a word's first write, or n_by. */
static size_t first_write(const struct code *c, uint32_t word)
{
	size_t low = 0, high = c->n_by;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (c->by[middle].word < word)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->n_by && c->by[low].word == word ? low : c->n_by;
}

/* Returns the index of a register, which is followed from now on; NONE if nothing writes it. */
static uint32_t index_of(struct code *c, uint32_t word)
{
	const size_t k = first_write(c, word);
	if (k == c->n_by)
		return NONE;
	if (c->index[k] == NONE) {
		c->index[k] = c->n_followed;
		c->followed[c->n_followed++] = k;
	}
	return c->index[k];
}

static bool is_plain(const struct code *c, uint32_t pc, const struct debug_operand *o, uint32_t n)
{
	const struct isa_insn *i = &gpu_program(c->h->g)->insns[pc];
	const unsigned family = isa_opcode_info[i->opcode].family;
	if (family == ISA_FAMILY_ATOM || isa_op_is_load(i->opcode) || i->opcode == ISA_OP_SHFL ||
	    i->opcode == ISA_OP_CALL)
		return false;
	for (uint32_t k = 0; k < n; k++)
		if (o[k].kind == DEBUG_OPERAND_MEMORY)
			return false;
	return gpu_program(c->h->g)->where[pc].n_writes == 1;
}

/* Notes the registers that a plain instruction may have its value from. */
static void add_operands(struct code *c, struct insn *i, enum isa_type type, const struct debug_operand *o, uint32_t n)
{
	i->operand = xcalloc(n + 1, sizeof *i->operand);
	for (uint32_t k = 0; k < n; k++) {
		if (o[k].kind != DEBUG_OPERAND_REGISTER || ISA_RW_IS_PRED(o[k].word) || o[k].is_address)
			continue;
		const bool is_float = nan_is_float(o[k].type), is_followed = is_float && has_word(c->words, o[k].word);
		const uint32_t bytes = debug_reg_bytes(o[k].type), index = is_followed ? index_of(c, o[k].word) : NONE;
		i->operand[i->n_operands++] =
			(struct operand){is_float ? o[k].type : type, bytes > 8 ? 8 : bytes, o[k].word, index};
	}
}

static void mark(struct code *c, uint32_t pc, uint32_t word)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX], r;
	struct insn *i = &c->insn[pc - c->f->first];
	const uint32_t n = c->marks[pc] ? 0 : debug_operands(c->h->d, pc, o);
	i->result = xrealloc(i->result, (i->n_results + 1) * sizeof *i->result);
	i->result[i->n_results++] = index_of(c, word);
	if (c->marks[pc])
		return;
	c->marks[pc] = 1;
	i->is_plain = is_plain(c, pc, o, n) && debug_register_of(c->h->d, pc, word, &r) && nan_is_float(r.type);
	if (i->is_plain)
		add_operands(c, i, r.type, o, n);
}

/* Marks all instructions that feed the registers that are followed already. */
static void mark_all(struct code *c)
{
	for (uint32_t next = 0; next < c->n_followed; next++) {
		const uint32_t word = c->by[c->followed[next]].word;
		for (size_t k = c->followed[next]; k < c->n_by && c->by[k].word == word; k++)
			mark(c, c->by[k].pc, word);
	}
}

static void code_begin(struct code *c, struct history *h, const struct isa_function *f, const struct nan_words *words)
{
	*c = (struct code){.h = h, .f = f, .words = words};
	c->insn = xcalloc(f->end - f->first + 1, sizeof *c->insn);
	c->marks = xcalloc(gpu_program(h->g)->n_insns + 1u, 1);
	collect_writes(c);
}

static void code_end(struct code *c)
{
	for (uint32_t k = 0; k < c->f->end - c->f->first; k++) {
		free(c->insn[k].result);
		free(c->insn[k].operand);
	}
	free(c->insn);
	free(c->marks);
	free(c->by);
	free(c->index);
	free(c->followed);
}

/* ---- a stretch ---- */

/* The instruction that a chain is known from. */
struct root {
	uint64_t executed;
	uint32_t pc, word; /* the register that it wrote */
	uint32_t from; /* index of the register that it had the value from, as it was at the stretch's beginning; NONE: it is looked at by itself */
};

/* What is known of a register that has been written in the stretch. */
struct link {
	enum { LINK_UNWRITTEN, LINK_OTHERWISE /* the chain ends behind it */, LINK_KNOWN } how;
	struct root root;
	struct nan_way way; /* behind the root, with the write itself */
};

struct follower {
	struct nan_chain *chain;
	struct link *link; /* of each index, in the stretch under way */
	uint32_t sought;   /* index of a register at the stretch's end */
	uint64_t end;	   /* writes in front of this number count */
	struct root root;
	bool has_root, is_over;
	bool has_begun; /* the activation began in the stretch under way */
};

struct search {
	struct code code;
	struct follower follower[NAN_CHAINS_MAX];
	size_t n;
	uint64_t end;
	uint64_t frame;
	uint32_t depth;
	uint64_t looked_at; /* number of the instruction that was looked at last, which may be shown twice */
};

/* The chain of a register begins with a write to it. */
static void begin_link(const struct search *s, struct link *to, uint32_t index, const struct root *by)
{
	to->how = LINK_KNOWN;
	to->root = *by;
	to->root.word = s->code.by[s->code.followed[index]].word;
	to->way.n = to->way.n_passed = 0;
}

static bool is_source_in(const struct operand *o, const char *row, unsigned lane, bool is_nan)
{
	uint64_t v = 0;
	uint32_t single;
	if (o->type == ISA_F32 && o->bytes == 4) {
		memcpy(&single, row + 4 * lane, 4);
		return nan_is_source(ISA_F32, single, is_nan);
	}
	debug_row_lane(row, lane, o->bytes, &v);
	return nan_is_source(o->type, v, is_nan);
}

/* A plain instruction is about to write a register of the follower's thread. */
static void write_plain(struct search *s, struct follower *f, const struct insn *i, const struct root *by,
			const char *const *rows)
{
	struct link *to = &f->link[i->result[0]];
	const unsigned lane = exec_lane_of(gpu_exec(s->code.h->g), f->chain->thread.thread);
	uint32_t k = 0;
	while (k < i->n_operands && !is_source_in(&i->operand[k], rows[k], lane, f->chain->is_of_nan))
		k++;
	const uint32_t index = k < i->n_operands ? i->operand[k].index : NONE;
	const struct link *from = index == NONE ? NULL : &f->link[index];
	if (from && from->how == LINK_KNOWN) {
		if (from != to)
			*to = *from;
		append(&to->way, by->pc);
		return;
	}
	const bool is_from_before = from && from->how == LINK_UNWRITTEN && !f->has_begun; /* it may be the result's register */
	begin_link(s, to, i->result[0], by);
	to->root.from = is_from_before ? index : NONE;
}

static void write_otherwise(struct search *s, struct follower *f, const struct insn *i, const struct root *by)
{
	const struct isa_program *p = gpu_program(s->code.h->g);
	const bool is_alone = p->where[by->pc].n_writes == 1 && p->insns[by->pc].opcode != ISA_OP_CALL;
	for (uint32_t k = 0; k < i->n_results; k++) {
		begin_link(s, &f->link[i->result[k]], i->result[k], by);
		if (!is_alone)
			f->link[i->result[k]].how = LINK_OTHERWISE;
	}
}

static void clear_links(struct search *s, struct follower *f)
{
	for (uint32_t k = 0; k < s->code.n_followed; k++)
		f->link[k].how = LINK_UNWRITTEN;
}

/* A marked instruction that the warp is about to execute in the activation, by these lanes of those that are active. */
static void look_at(struct search *s, const struct root *by, uint32_t active, uint32_t lanes, const char *const *rows)
{
	const struct isa_function *f = s->code.f;
	const struct insn *i = &s->code.insn[by->pc - f->first];
	const bool begins = by->pc == f->first && s->depth;
	for (size_t k = 0; k < s->n; k++) {
		struct follower *o = &s->follower[k];
		const uint32_t own = lanes_bit(exec_lane_of(gpu_exec(s->code.h->g), o->chain->thread.thread));
		if (o->is_over || by->executed >= o->end)
			continue;
		if (begins && active & own) {
			o->has_begun = true;
			clear_links(s, o);
		}
		if (!(lanes & own) || !i->n_results)
			continue;
		if (i->is_plain)
			write_plain(s, o, i, by, rows);
		else
			write_otherwise(s, o, i, by);
	}
}

static void find_rows(const struct search *s, const struct exec *x, const struct exec_warp *w, uint32_t pc,
		      const char **rows)
{
	const struct insn *i = &s->code.insn[pc - s->code.f->first];
	for (uint32_t k = 0; k < i->n_operands; k++)
		rows[k] = exec_row(x, w, s->frame, i->operand[k].word);
}

static bool is_in_function(const struct search *s, uint32_t pc) { return pc >= s->code.f->first && pc < s->code.f->end; }

/* Exec is in front of a marked instruction, in the middle of a run. */
static bool on_mark(void *self, const struct exec *x)
{
	struct search *s = self;
	const char *rows[DEBUG_OPERANDS_MAX];
	const uint32_t guard = x->program->insns[x->pc].guard;
	const struct root by = {.executed = x->warp->executed + x->n_run, .pc = x->pc, .from = NONE};
	if (!is_in_function(s, x->pc) || x->top->frame != s->frame || x->top->call_depth != s->depth)
		return true;
	const uint32_t p = guard == ISA_PRED_TRUE ? 0 : x->preds[ISA_PRED_SLOT(guard)],
		       passes = guard == ISA_PRED_TRUE ? LANES_ALL : guard & ISA_PRED_NOT ? ~p : p;
	find_rows(s, x, x->warp, x->pc, rows);
	look_at(s, &by, x->active, x->active & passes, rows);
	return true;
}

/* A warp is in front of an instruction, in performance mode. */
static void look(void *self, const struct exec_cta *c, const struct exec_warp *w, uint32_t pc, uint64_t executed)
{
	struct search *s = self;
	const struct exec *x = gpu_exec(s->code.h->g);
	const struct debug_thread *t = &s->follower[0].chain->thread;
	const char *rows[DEBUG_OPERANDS_MAX];
	if (w->index != exec_warp_of(gpu_exec(s->code.h->g), t->thread) || c->linear != t->cta || c->launch != t->launch || !s->code.marks[pc] ||
	    executed == s->looked_at)
		return;
	const struct exec_simt *top = exec_simt_top(x, w);
	if (!is_in_function(s, pc) || top->frame != s->frame || top->call_depth != s->depth)
		return;
	s->looked_at = executed;
	const uint32_t guard = x->program->insns[pc].guard;
	const uint32_t p = guard == ISA_PRED_TRUE ? 0 : exec_preds(x, top->frame)[ISA_PRED_SLOT(guard)],
		       passes = guard == ISA_PRED_TRUE ? LANES_ALL : guard & ISA_PRED_NOT ? ~p : p;
	const struct root by = {.executed = executed, .pc = pc, .from = NONE};
	find_rows(s, x, w, pc, rows);
	look_at(s, &by, top->mask, top->mask & passes, rows);
}

/* The stretch has been run: extends the follower's chain by what is known of the sought register. */
static void settle(struct follower *f)
{
	const struct link *l = &f->link[f->sought];
	if (l->how != LINK_KNOWN) {
		f->is_over = l->how == LINK_OTHERWISE || f->has_begun;
		return;
	}
	if (f->has_root)
		nan_way_prepend(&f->chain->way, f->root.pc);
	way_join(&f->chain->way, &l->way);
	f->root = l->root;
	f->has_root = true;
	f->sought = l->root.from;
	f->is_over = f->sought == NONE;
}

static bool are_over(const struct search *s)
{
	bool over = true;
	for (size_t k = 0; k < s->n; k++)
		over &= s->follower[k].is_over;
	return over;
}

/* Runs from the snapshot, where the machine stands, to `to` or the end of the warp's part. */
static bool run_stretch(struct search *s, const struct history_position *to)
{
	struct replay r = {.to = to,
			   .cycle = UINT64_MAX,
			   .has_warp = true,
			   .warp = s->follower[0].chain->thread,
			   .executed = s->end,
			   .self = s};
	s->looked_at = UINT64_MAX;
	if (gpu_is_performance(s->code.h->g)) {
		r.look = look;
	} else {
		r.on_mark = on_mark;
		r.marks = s->code.marks;
	}
	for (size_t k = 0; k < s->n; k++) {
		s->follower[k].has_begun = false;
		clear_links(s, &s->follower[k]);
	}
	const enum replay_end e = replay(s->code.h, &r);
	if (e != REPLAY_GOAL && e != REPLAY_LIMIT)
		return false;
	for (size_t k = 0; k < s->n; k++)
		if (!s->follower[k].is_over)
			settle(&s->follower[k]);
	return true;
}

static bool go_through(struct search *s, const struct history_position *limit)
{
	struct history *h = s->code.h;
	struct history_position to = *limit;
	snapshot_go_forward(h, limit, UINT64_MAX); /* an earlier look may have gone further back */
	for (size_t k = snapshot_before(h, limit, false); k < h->n_snaps && !are_over(s);
	     k = snapshot_before(h, &to, true)) {
		const struct history_position here = h->snap[k].at;
		uint64_t executed;
		bool over;
		if (!snapshot_go_back(h, k))
			return false;
		const bool is_there = warp_executed(h, &s->follower[0].chain->thread, &executed, &over);
		if ((is_there ? executed < s->end : !over) && !run_stretch(s, &to))
			return false;
		if (!is_there && !over)
			break;
		if (is_there && executed < s->end)
			s->end = executed;
		to = here;
	}
	return true;
}

static void begin_follower(struct search *s, struct nan_chain *c)
{
	struct follower *f = &s->follower[s->n++];
	*f = (struct follower){.chain = c, .end = c->at.executed, .sought = index_of(&s->code, c->word)};
	f->is_over = f->sought == NONE;
	s->end = f->end > s->end ? f->end : s->end;
}

/* The chain continues behind its root. */
static void end_follower(struct search *s, struct follower *f)
{
	struct debug_operand r;
	free(f->link);
	if (!f->has_root || !debug_register_of(s->code.h->d, f->root.pc, f->root.word, &r))
		return;
	f->chain->at.executed = f->root.executed + 1;
	f->chain->word = f->root.word;
	f->chain->type = r.type;
}

bool nan_chain_follow(struct history *h, struct nan_chain *const *c, size_t n, const struct nan_scope *scope)
{
	struct search s = {.frame = c[0]->at.frame, .depth = c[0]->at.depth};
	const struct isa_function *f = isa_program_function_at(gpu_program(h->g), scope->pc);
	if (!f)
		return true;
	code_begin(&s.code, h, f, scope->words);
	for (size_t k = 0; k < n && k < NAN_CHAINS_MAX; k++)
		begin_follower(&s, c[k]);
	mark_all(&s.code);
	if (s.depth)
		s.code.marks[f->first] = 1;
	for (size_t k = 0; k < s.n; k++)
		s.follower[k].link = xcalloc(s.code.n_followed + 1, sizeof *s.follower[k].link);
	const bool ok = go_through(&s, scope->limit);
	for (size_t k = 0; k < s.n; k++)
		end_follower(&s, &s.follower[k]);
	code_end(&s.code);
	return ok;
}
