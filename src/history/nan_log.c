/* The log of a stretch (nan_log.h), made in one run. Before each instruction that reads or writes floats, the log notes the lanes with operands that
 * aren't finite. It notes accesses as they happen. */
#include "history/nan_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"

#define BYTES_MOST ((size_t)128 << 20) /* of a log; when it is full, it begins again */
#define LINE_SHIFT 7u		       /* bytes of memory that are looked up together */

/* ---- instructions ---- */

static bool is_float_register(struct history *h, uint32_t pc, uint32_t word, struct nan_register *out)
{
	struct debug_operand r;
	if (ISA_RW_IS_PRED(word) || !debug_register_of(h->d, pc, word, &r) || !nan_is_float(r.type))
		return false;
	*out = (struct nan_register){word, debug_reg_bytes(r.type), r.type, debug_reg_bytes(r.type) <= 8};
	return true;
}

static void add_results(struct history *h, uint32_t pc, struct nan_insn *i)
{
	const struct isa_program *p = gpu_program(h->g);
	const struct isa_where *at = &p->where[pc];
	i->result = xcalloc(at->n_writes + 1u, sizeof *i->result);
	for (uint32_t k = 0; k < at->n_writes; k++)
		i->n_results += is_float_register(h, pc, p->rw[at->rw + k], &i->result[i->n_results]);
}

/* Adds the registers that the value of a result can have come from. */
static void add_operands(uint32_t n, const struct debug_operand *o, enum isa_type type, struct nan_insn *i)
{
	for (uint32_t k = 0; k < n; k++) {
		const bool is_float = nan_is_float(o[k].type);
		const uint32_t bytes = debug_reg_bytes(o[k].type);
		if (o[k].kind != DEBUG_OPERAND_REGISTER || ISA_RW_IS_PRED(o[k].word) || o[k].is_address)
			continue;
		i->operand[i->n_operands++] = (struct nan_register){
			o[k].word, bytes > 8 ? 8 : bytes, is_float ? o[k].type : type, is_float && bytes <= 8};
	}
}

/* Adds the elements that a store writes. */
static void add_elements(uint32_t n, const struct debug_operand *o, struct nan_insn *i)
{
	for (uint32_t k = 0; k < n; k++) {
		if (o[k].kind == DEBUG_OPERAND_MEMORY || o[k].is_address)
			continue;
		const bool is_register = o[k].kind == DEBUG_OPERAND_REGISTER && nan_is_float(o[k].type);
		i->operand[i->n_operands++] = is_register ? (struct nan_register){o[k].word, isa_type_bytes(o[k].type), o[k].type,
										  isa_type_bytes(o[k].type) == i->wide}
							  : (struct nan_register){0};
	}
}

static bool has_memory(uint32_t n, const struct debug_operand *o)
{
	for (uint32_t k = 0; k < n; k++)
		if (o[k].kind == DEBUG_OPERAND_MEMORY)
			return true;
	return false;
}

/* Returns true for the spaces that threads read and write. */
static bool is_writable(unsigned space)
{
	return space == ISA_SPACE_GLOBAL || space == ISA_SPACE_SHARED || space == ISA_SPACE_LOCAL ||
	       space == ISA_SPACE_GENERIC;
}

static enum nan_what what_is(struct history *h, uint32_t pc, const struct nan_insn *known, bool memory)
{
	const struct isa_program *p = gpu_program(h->g);
	const struct isa_insn *i = &p->insns[pc];
	const uint32_t n_writes = p->where[pc].n_writes, n = i->vec > 1 ? i->vec : 1;
	if (i->opcode == ISA_OP_ST)
		return is_writable(i->space) && known->wide ? NAN_WHAT_STORE : NAN_WHAT_NONE;
	if (!known->n_results)
		return NAN_WHAT_NONE;
	if (i->opcode == ISA_OP_LD)
		return is_writable(i->space) && n_writes == n && known->n_results == n ? NAN_WHAT_LOAD : NAN_WHAT_OTHER;
	if (isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM || isa_op_is_load(i->opcode) ||
	    i->opcode == ISA_OP_SHFL || i->opcode == ISA_OP_CALL || n_writes != 1 || memory)
		return NAN_WHAT_OTHER;
	return NAN_WHAT_PLAIN;
}

static void describe(struct history *h, uint32_t pc, struct nan_insn *out)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	const struct isa_insn *i = &gpu_program(h->g)->insns[pc];
	const uint32_t n = debug_operands(h->d, pc, o);
	out->is_call = i->opcode == ISA_OP_CALL;
	out->wide = isa_type_bytes((enum isa_type)i->type);
	out->operand = xcalloc(n + 1u, sizeof *out->operand);
	add_results(h, pc, out);
	out->what = what_is(h, pc, out, has_memory(n, o));
	if (out->what == NAN_WHAT_PLAIN)
		add_operands(n, o, out->result[0].type, out);
	if (out->what == NAN_WHAT_STORE)
		add_elements(n, o, out);
}

struct nan_log *nan_log_create(struct history *h)
{
	const struct isa_program *p = gpu_program(h->g);
	struct nan_log *l = xcalloc(1, sizeof *l);
	l->h = h;
	l->x = gpu_exec(h->g);
	l->n_insns = p->n_insns;
	l->insn = xcalloc(p->n_insns + 1u, sizeof *l->insn);
	l->marks = xcalloc(p->n_insns + 1u, 1);
	for (uint32_t k = 0; k < p->n_functions; k++) {
		const struct isa_function *f = p->functions[k];
		for (uint32_t pc = f->first; f->is_defined && pc < f->end; pc++) {
			describe(h, pc, &l->insn[pc]);
			l->insn[pc].begins = pc == f->first;
			l->marks[pc] = l->insn[pc].what != NAN_WHAT_NONE || pc == f->first;
		}
	}
	return l;
}

static void clear(struct nan_log *l)
{
	for (size_t k = 0; k < l->n_warps; k++)
		free(l->warp[k].step);
	l->n_warps = l->n_bad = l->n_addresses = l->n_accesses = l->n_events = l->n_nodes = l->used_lines = 0;
	l->order = 0;
	if (l->n_lines)
		memset(l->line, 0, l->n_lines * sizeof *l->line);
	if (l->n_by_slot)
		memset(l->by_slot, 0, l->n_by_slot * sizeof *l->by_slot);
}

void nan_log_free(struct nan_log *l)
{
	if (!l)
		return;
	clear(l);
	for (uint32_t pc = 0; pc < l->n_insns; pc++) {
		free(l->insn[pc].result);
		free(l->insn[pc].operand);
	}
	free(l->insn);
	free(l->marks);
	free(l->warp);
	free(l->by_slot);
	free(l->bad);
	free(l->address);
	free(l->access);
	free(l->event);
	free(l->node);
	free(l->line);
	free(l);
}

/* ---- warps ---- */

static bool is_warp(const struct nan_warp *w, uint32_t launch, uint64_t cta, uint32_t index)
{
	return w->launch == launch && w->cta == cta && w->index == index;
}

struct nan_warp *nan_log_warp(const struct nan_log *l, const struct debug_thread *t)
{
	for (size_t k = l->n_warps; k-- > 0;)
		if (is_warp(&l->warp[k], t->launch, t->cta, exec_warp_of(l->x, t->thread)))
			return &l->warp[k];
	return NULL;
}

/* Returns the index of a warp that is on the device. */
static uint32_t warp_at(struct nan_log *l, const struct exec_cta *c, const struct exec_warp *warp)
{
	const size_t at = (size_t)warp->cta * EXEC_WARPS_PER_CTA + warp->index;
	if (at >= l->n_by_slot) {
		const size_t n = (at + 1) * 2;
		l->by_slot = xrealloc(l->by_slot, n * sizeof *l->by_slot);
		memset(l->by_slot + l->n_by_slot, 0, (n - l->n_by_slot) * sizeof *l->by_slot);
		l->n_by_slot = n;
	}
	const uint32_t known = l->by_slot[at];
	if (known && is_warp(&l->warp[known - 1], c->launch, c->linear, warp->index))
		return known - 1;
	l->warp = xgrow(l->warp, &l->cap_warps, l->n_warps + 1, sizeof *l->warp);
	l->warp[l->n_warps++] = (struct nan_warp){.launch = c->launch, .cta = c->linear, .index = warp->index};
	l->by_slot[at] = (uint32_t)l->n_warps;
	return (uint32_t)l->n_warps - 1;
}

/* ---- steps ---- */

static uint32_t nan_singles(const uint32_t *row)
{
	uint32_t nan = 0;
	for (unsigned lane = 0; lane < LANES; lane++)
		nan |= (uint32_t)((row[lane] & 0x7fffffff) > 0x7f800000) << lane;
	return nan;
}

static uint32_t bad_singles(const uint32_t *row)
{
	uint32_t bad = 0;
	for (unsigned lane = 0; lane < LANES; lane++)
		bad |= (uint32_t)((row[lane] & 0x7f800000) == 0x7f800000) << lane;
	return bad;
}

uint32_t nan_bad_lanes(const struct nan_register *r, const char *row, bool is_nan)
{
	uint32_t bad = 0;
	if (r->type == ISA_F32 && r->bytes == 4)
		return is_nan ? nan_singles((const uint32_t *)(const void *)row) : bad_singles((const uint32_t *)(const void *)row);
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint64_t v = 0;
		debug_row_lane(row, lane, r->bytes, &v);
		bad |= nan_is_source(r->type, v, is_nan) ? lanes_bit(lane) : 0;
	}
	return bad;
}

static size_t bytes_of(const struct nan_log *l)
{
	return l->order * sizeof(struct nan_step) + l->n_bad * sizeof *l->bad + l->n_addresses * sizeof *l->address +
	       l->n_accesses * sizeof *l->access + l->n_events * sizeof *l->event + l->n_nodes * sizeof *l->node;
}

static bool changes_no_memory(enum gpu_input_kind kind)
{
	return kind == GPU_INPUT_LAUNCH || kind == GPU_INPUT_READ || kind == GPU_INPUT_POOL || kind == GPU_INPUT_WAITED || kind == GPU_INPUT_MODE;
}

/* Begins again here if the host has changed something meanwhile, or if the log is full. */
static void begin_again_if_need_be(struct nan_log *l)
{
	bool begins = bytes_of(l) > BYTES_MOST;
	l->n_full += begins;
	for (; l->input != l->h->input; l->input++)
		begins |= l->input > l->h->input || !changes_no_memory(l->h->journal.entry[l->input]->input.kind);
	if (!begins)
		return;
	clear(l);
	l->begin_is_known = false;
	l->memory_is_known = true;
}

/* Fills in the lanes of a step, which is about to be executed. Returns false if the step isn't needed. */
static bool fill_lanes(const struct nan_log *l, const struct exec_warp *warp, struct nan_step *s)
{
	const struct exec *x = gpu_exec(l->h->g);
	const struct exec_simt *top = exec_simt_top(x, warp);
	const uint32_t guard = x->program->insns[s->pc].guard;
	const uint32_t p = guard == ISA_PRED_TRUE ? LANES_ALL : exec_preds(x, top->frame)[ISA_PRED_SLOT(guard)];
	s->frame = top->frame;
	s->depth = top->call_depth;
	s->active = top->mask;
	s->executes = top->mask & (guard != ISA_PRED_TRUE && guard & ISA_PRED_NOT ? ~p : p);
	return s->executes || (l->insn[s->pc].begins && s->depth);
}

static void look(void *self, const struct exec_cta *c, const struct exec_warp *warp, uint32_t pc, uint64_t executed)
{
	struct nan_log *l = self;
	const struct exec *x = gpu_exec(l->h->g);
	if (!l->marks[pc])
		return;
	begin_again_if_need_be(l);
	const struct nan_insn *i = &l->insn[pc];
	struct nan_step s = {.executed = executed, .pc = pc, .order = l->order, .access = NAN_NONE, .bad = l->n_bad};
	if (!fill_lanes(l, warp, &s))
		return;
	s.cycle = gpu_cycle(l->h->g) + x->n_warp_insns + x->n_run;
	const uint32_t index = warp_at(l, c, warp); /* warps move */
	struct nan_warp *w = &l->warp[index];
	w->n -= w->n && w->step[w->n - 1].executed == executed; /* the warp stood in front of it before */
	l->order++;
	l->bad = xgrow(l->bad, &l->cap_bad, l->n_bad + 2 * i->n_operands + 2, sizeof *l->bad);
	for (uint32_t k = 0; k < i->n_operands; k++) {
		const char *const row = i->operand[k].bytes ? exec_row(x, warp, s.frame, i->operand[k].word) : NULL;
		const uint32_t bad = row ? nan_bad_lanes(&i->operand[k], row, false) : 0;
		l->bad[l->n_bad++] = bad;
		l->bad[l->n_bad++] = bad ? nan_bad_lanes(&i->operand[k], row, true) : 0;
	}
	w->step = xgrow(w->step, &w->cap, w->n + 1, sizeof *w->step);
	w->step[w->n++] = s;
}

/* ---- accesses ---- */

uint64_t nan_log_address(const struct nan_log *l, const struct nan_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * a->stride : l->address[a->address + lane];
}

static uint64_t key_of(uint64_t generic, uint32_t launch, uint64_t cta, uint32_t thread)
{
	uint64_t key = generic >> LINE_SHIFT;
	if (generic >= ISA_SHARED_WINDOW && generic < ISA_PARAM_WINDOW)
		key ^= (cta * 64 + launch + 1) << 32;
	if (trace_is_local(generic))
		key ^= (uint64_t)(thread + 1) << 48;
	return key;
}

/* Returns the place of a line: the line's own, or a free one. */
static struct nan_line *line_of(const struct nan_log *l, uint64_t key)
{
	size_t k = (key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (l->n_lines - 1);
	while (l->line[k].node && l->line[k].key != key)
		k = (k + 1) & (l->n_lines - 1);
	return &l->line[k];
}

static void grow_lines(struct nan_log *l)
{
	struct nan_line *old = l->line;
	const size_t n = l->n_lines;
	l->n_lines = n ? 4 * n : 4096;
	l->line = xcalloc(l->n_lines, sizeof *l->line);
	for (size_t k = 0; k < n; k++)
		if (old[k].node)
			*line_of(l, old[k].key) = old[k];
	free(old);
}

static void add_node(struct nan_log *l, uint64_t key)
{
	if (l->used_lines * 2 >= l->n_lines)
		grow_lines(l);
	struct nan_line *line = line_of(l, key);
	const uint32_t event = (uint32_t)l->n_events - 1;
	if (line->node && l->node[line->node - 1].event == event)
		return;
	l->used_lines += !line->node;
	l->node = xgrow(l->node, &l->cap_nodes, l->n_nodes + 1, sizeof *l->node);
	l->node[l->n_nodes++] = (struct nan_node){event, line->node - 1};
	*line = (struct nan_line){.key = key, .node = (uint32_t)l->n_nodes};
}

/* Adds a node for each line of the half of an access in which addresses lie close together. */
static void add_half(struct nan_log *l, const struct nan_access *a, const struct nan_warp *w, unsigned half)
{
	const uint64_t first = a->start[half], last = first + 15 * (uint64_t)a->stride + a->size - 1;
	for (uint64_t line = first >> LINE_SHIFT; line <= last >> LINE_SHIFT; line++)
		add_node(l, key_of(line << LINE_SHIFT, w->launch, w->cta, 0));
}

/* Adds a node for each line that the access touches. */
static void add_lines(struct nan_log *l, const struct nan_access *a, const struct nan_warp *w)
{
	uint64_t last_key = UINT64_MAX;
	if (a->in_halves && a->stride <= 1u << LINE_SHIFT && !trace_is_local(a->start[0])) {
		for (unsigned half = 0; half < 2; half++)
			if (a->lanes >> 16 * half & 0xffff)
				add_half(l, a, w, half);
		return;
	}
	LANES_EACH (lane, a->lanes) {
		const uint64_t at = nan_log_address(l, a, lane);
		const uint32_t thread = exec_thread_of(l->x, w->index, lane);
		for (uint64_t line = at >> LINE_SHIFT; line <= (at + a->size - 1) >> LINE_SHIFT; line++) {
			const uint64_t key = key_of(line << LINE_SHIFT, w->launch, w->cta, thread);
			if (key != last_key)
				add_node(l, key);
			last_key = key;
		}
	}
}

static uint32_t add_access(struct nan_log *l, const struct exec_access *from)
{
	l->access = xgrow(l->access, &l->cap_accesses, l->n_accesses + 1, sizeof *l->access);
	struct nan_access *a = &l->access[l->n_accesses++];
	*a = (struct nan_access){.start = {from->start[0], from->start[1]},
				 .address = l->n_addresses,
				 .stride = from->step,
				 .lanes = from->lanes,
				 .size = from->size,
				 .in_halves = from->in_halves};
	if (!a->in_halves) {
		l->address = xgrow(l->address, &l->cap_addresses, l->n_addresses + LANES, sizeof *l->address);
		memcpy(l->address + l->n_addresses, from->address, sizeof from->address);
		l->n_addresses += LANES;
	}
	return (uint32_t)l->n_accesses - 1;
}

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct nan_log *l = self;
	const struct exec_access *a = &e->access;
	const bool writes = a->is_write || a->is_atomic;
	if (e->kind != EXEC_EFFECT_ACCESS || (!writes && l->insn[x->pc].what != NAN_WHAT_LOAD))
		return;
	const uint32_t index = warp_at(l, x->cta, x->warp);
	struct nan_warp *w = &l->warp[index];
	struct nan_step *s = w->n && w->step[w->n - 1].pc == x->pc ? &w->step[w->n - 1] : NULL;
	const bool is_first = s && s->access == NAN_NONE;
	if (!writes && !is_first)
		return;
	const uint32_t access = add_access(l, a);
	if (is_first)
		s->access = access;
	if (!writes)
		return;
	const bool is_store = is_first && !a->is_atomic && l->insn[x->pc].what == NAN_WHAT_STORE;
	l->event = xgrow(l->event, &l->cap_events, l->n_events + 1, sizeof *l->event);
	l->event[l->n_events++] =
		(struct nan_event){l->order, index, is_store ? (uint32_t)w->n - 1 : NAN_NONE, access};
	add_lines(l, &l->access[access], w);
}

/* Something other than an access has written memory: nothing is said of memory any more. */
static void wrote(void *self, const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n)
{
	struct nan_log *l = self;
	(void)x, (void)space, (void)offset, (void)n;
	l->memory_is_known = false;
}

/* Returns true if the lane's access touches the bytes; *covers: all of them. */
static bool touches(const struct nan_log *l, const struct nan_event *e, unsigned lane, const struct where_bytes *b,
		    bool *covers)
{
	const struct nan_warp *w = &l->warp[e->warp];
	const struct nan_access *a = &l->access[e->access];
	const uint64_t at = nan_log_address(l, a, lane);
	const bool same_block = b->thread.launch == w->launch && b->thread.cta == w->cta;
	*covers = at <= b->generic && b->generic + b->n <= at + a->size;
	if (at >= b->generic + b->n || b->generic >= at + a->size)
		return false;
	if (b->generic >= ISA_SHARED_WINDOW && b->generic < ISA_PARAM_WINDOW && !same_block)
		return false;
	return !trace_is_local(b->generic) || exec_thread_of(l->x, w->index, lane) == b->thread.thread;
}

/* Returns the last node of the bytes' line, of an event before `order` steps were logged. */
static uint32_t node_before(const struct nan_log *l, const struct where_bytes *b, uint32_t order)
{
	if (!l->n_lines)
		return NAN_NONE;
	struct nan_line *line = line_of(l, key_of(b->generic, b->thread.launch, b->thread.cta, b->thread.thread));
	if (!line->node)
		return NAN_NONE;
	/* searches go back: the next one begins where the last one came to */
	uint32_t node = line->asked && order <= line->asked_at ? line->asked - 1 : line->node - 1;
	while (node != NAN_NONE && l->event[l->node[node].event].order > order)
		node = l->node[node].before;
	line->asked = node + 1;
	line->asked_at = order;
	return node;
}

const struct nan_event *nan_log_write(const struct nan_log *l, const struct where_bytes *b, uint32_t order, unsigned *lane,
				      bool *is_over)
{
	*is_over = !l->memory_is_known || !b->n || (b->generic ^ (b->generic + b->n - 1)) >> LINE_SHIFT;
	if (*is_over)
		return NULL;
	for (uint32_t node = node_before(l, b, order); node != NAN_NONE; node = l->node[node].before) {
		const struct nan_event *e = &l->event[l->node[node].event];
		const struct nan_access *a = &l->access[e->access];
		uint32_t left = a->lanes & (a->in_halves ? where_lanes(a->start, a->stride, a->size, b) : LANES_ALL);
		for (; left; left &= ~lanes_bit(*lane)) {
			bool covers;
			*lane = 31u - (unsigned)__builtin_clz(left);
			if (!touches(l, e, *lane, b, &covers))
				continue;
			*is_over = !covers || e->step == NAN_NONE;
			return *is_over ? NULL : e;
		}
	}
	return NULL;
}

/* ---- the run ---- */

static void end_warps(struct nan_log *l)
{
	for (size_t k = 0; k < l->n_warps; k++) {
		struct nan_warp *w = &l->warp[k];
		const struct debug_thread t = {.launch = w->launch, .cta = w->cta, .thread = exec_thread_of(l->x, w->index, 0)};
		bool over;
		if (!warp_executed(l->h, &t, &w->end, &over) || over)
			w->end = UINT64_MAX;
	}
}

/* Runs to where the log begins. Returns false if the run failed. */
static bool go_to_first(struct nan_log *l, const struct nan_end *end, uint64_t first)
{
	const struct replay r = {
		.to = end->to, .cycle = UINT64_MAX, .has_warp = true, .warp = *end->thread, .executed = first};
	const enum replay_end e = replay(l->h, &r);
	return e == REPLAY_GOAL || e == REPLAY_LIMIT;
}

bool nan_log_run(struct nan_log *l, const struct nan_end *end, uint64_t first)
{
	const struct exec_watcher watcher = {
		.kinds = EXEC_LOOK(ACCESS), .records = true, .after = after, .wrote = wrote, .self = l};
	struct replay r = {
		.to = end->to, .cycle = UINT64_MAX, .look = look, .marks = l->marks, .self = l, .watcher = &watcher};
	const bool begins_later = end->thread && first;
	if (begins_later && !go_to_first(l, end, first))
		return false;
	if (end->thread) {
		r.has_warp = true;
		r.warp = *end->thread;
		r.executed = end->executed;
	}
	clear(l);
	history_now(l->h, &l->begin);
	l->input = l->h->input;
	l->memory_is_known = true;
	l->begin_is_known = !begins_later;
	const enum replay_end e = replay(l->h, &r);
	if (e != REPLAY_GOAL && e != REPLAY_LIMIT)
		return false;
	begin_again_if_need_be(l);
	end_warps(l);
	return true;
}
