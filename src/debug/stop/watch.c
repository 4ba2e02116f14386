/* Watchpoints: which pages are flagged, who touched what, what changed.
 *
 * A watched access comes back before it happens; the instruction is then executed alone and the value compared. Registers
 * are found by marks on the instructions that name them. */
#include <assert.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/describe.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/expr/fields.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/room.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/stop/face_access.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"

static bool is_memory(const struct breakpoint *b) { return b->kind == BREAKPOINT_WATCH && b->watch.place == EXPR_MEMORY; }

static bool is_field(const struct breakpoint *b) { return b->kind == BREAKPOINT_WATCH && b->watch.place == EXPR_FIELD; }

bool watch_any_memory(const struct debug *d)
{
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (d->stop->bps[i]->enabled && is_memory(d->stop->bps[i]))
			return true;
	return false;
}

/* A register of a thread in another warp of the same launch. */
static bool is_of_another_warp(const struct debug *d, const struct breakpoint *b, const struct debug_thread *t)
{
	return b->kind == BREAKPOINT_WATCH && !is_memory(b) && !is_field(b) && b->watch.thread.launch == t->launch &&
	       (b->watch.thread.cta != t->cta || debug_warp_of(d, b->watch.thread.thread) != debug_warp_of(d, t->thread));
}

/* Memory is touched by few instructions; the warp's registers and the machine's fields may change with each. */
bool debug_watches(const struct debug *d, const struct debug_where *w)
{
	const uint32_t pc = w->simt ? w->simt->pc : w->pc;
	uint8_t family = isa_opcode_info[debug_program(d)->insns[pc].opcode].family;
	bool touches = family != ISA_FAMILY_ALU && family != ISA_FAMILY_BRANCH;
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (d->stop->bps[i]->enabled && d->stop->bps[i]->kind != BREAKPOINT_CODE &&
		    (touches || !is_memory(d->stop->bps[i])) && !is_of_another_warp(d, d->stop->bps[i], &w->thread))
			return true;
	return false;
}

/* ---- arming ---- */

/* Lanes of an access that touch what the watchpoint is of, in a way it wants to hear of. (Whose shared or local memory it is isn't asked.) */
static uint32_t touching_lanes(const struct debug *d, const struct breakpoint *b, const struct exec_access *a)
{
	uint32_t lanes = 0;
	if (!(b->watch.access != BREAKPOINT_READ && a->is_write) && !(b->watch.access != BREAKPOINT_WRITE && a->is_read))
		return 0;
	LANES_EACH (l, a->lanes)
		if (a->address[l] < b->watch.address + b->watch.bytes && b->watch.address < a->address[l] + a->size &&
		    (b->watch.space != ISA_SPACE_LOCAL || l == debug_lane_of(d, b->watch.thread.thread)))
			lanes |= lanes_bit(l);
	return lanes;
}

/* exec asks in front of each access to a page or space that is watched. Of an atomic that is executed later the machine says when. */
static bool wants_access(void *self, const struct exec *x, const struct exec_effect *e)
{
	const struct debug *d = self;
	(void)x;
	for (size_t i = 0; i < d->stop->n_bps && !e->deferred; i++)
		if (d->stop->bps[i]->enabled && is_memory(d->stop->bps[i]) &&
		    touching_lanes(d, d->stop->bps[i], &e->access))
			return true;
	return false;
}

/* Memory that has several addresses may have come from one to another. */
static void follow_memory(struct debug *d, struct breakpoint *b)
{
	if (is_memory(b) && b->watch.space == ISA_SPACE_GLOBAL)
		b->watch.address = gpu_device_address(d->g, b->watch.named);
}

/* Adds a watchpoint's memory to what the watcher names. */
static void add_memory(struct stop_room *s, const struct breakpoint *b)
{
	struct exec_watcher *const w = &s->watcher;
	const bool write = b->watch.access != BREAKPOINT_READ, read = b->watch.access != BREAKPOINT_WRITE;
	if (b->watch.space != ISA_SPACE_GLOBAL) {
		w->spaces |= (write ? 1u << b->watch.space : 0) | (read ? 1u << b->watch.space << 8 : 0);
		return;
	}
	s->ranges = xgrow(s->ranges, &s->cap_ranges, w->n_ranges + 1, sizeof *s->ranges);
	s->ranges[w->n_ranges++] =
		(struct exec_range){.address = b->watch.address, .n = b->watch.bytes, .writes = write, .reads = read};
}

void watch_arm(struct debug *d)
{
	struct exec *x = gpu_exec(d->g);
	struct stop_room *const s = d->stop;
	s->aliases = gpu_aliases_changed(d->g);
	exec_unwatch(x, &s->watcher);
	s->watcher = (struct exec_watcher){.self = d, .is_live = true, .before = wants_access};
	for (size_t i = 0; i < s->n_bps; i++) {
		follow_memory(d, s->bps[i]);
		if (s->bps[i]->enabled && is_memory(s->bps[i]))
			add_memory(s, s->bps[i]);
	}
	s->watcher.ranges = s->ranges;
	if (!s->watcher.n_ranges && !s->watcher.spaces)
		return;
	const bool has_room = exec_watch(x, &s->watcher);
	assert(has_room && "the debugger, the history and the checkers are less than EXEC_WATCHERS");
}

/* ---- values ---- */

/* The watched register's activation; false while the thread isn't in it. */
static bool watched_frame(struct debug *d, const struct breakpoint *b, struct debug_where *w, struct debug_frame *out)
{
	const struct isa_function *f = debug_program(d)->functions[b->watch.function];
	if (!debug_thread_where(d, &b->watch.thread, w))
		return false;
	for (uint32_t level = 0; debug_frame_get(d, w, level, out); level++)
		if (out->depth == b->watch.depth && out->function == f && (out->has_state || out->waiting))
			return true;
	return false;
}

/* What has no value is all ones. */
static bool read_field(struct debug *d, const struct breakpoint *b, unsigned char *out)
{
	struct field_value v;
	struct text why = {0};
	bool ok = field_eval(d, b->location, &v, &why);
	text_free(&why);
	memcpy(out, &v.v, ok ? sizeof v.v : 0);
	return ok;
}

static bool read_register(struct debug *d, const struct breakpoint *b, const struct debug_where *w,
			  const struct debug_frame *f, unsigned char *out)
{
	unsigned char row[16] = {0};
	if (b->watch.place == EXPR_PRED)
		row[0] = debug_pred_read(d, w, f->frame, b->watch.ref);
	else
		debug_row_read(d, w, f->frame, b->watch.ref, debug_reg_bytes(b->watch.type), row);
	memcpy(out, row, b->watch.bytes);
	return true;
}

/* Where it is by now; false: nowhere. */
static bool read_variable(struct debug *d, const struct breakpoint *b, const struct debug_where *w,
			  const struct debug_frame *f, unsigned char *out)
{
	unsigned char row[16] = {0};
	const struct isa_variable *untaken = cargument_untaken(debug_program(d), f->function, b->watch.variable, f->pc);
	const struct cplace *p = cvar_place(b->watch.variable, f->pc);
	if (untaken)
		return debug_memory_read(d, w, debug_variable_in(w, f, untaken), out, b->watch.bytes);
	if (!p || p->kind != CPLACE_REGISTER)
		return false;
	if (p->reg.is_pred)
		row[0] = debug_pred_read(d, w, f->frame, p->reg.ref);
	else
		debug_row_read(d, w, f->frame, p->reg.ref, debug_reg_bytes(p->reg.type), row);
	memcpy(out, row, b->watch.bytes < sizeof row ? b->watch.bytes : sizeof row);
	return true;
}

/* Of a bit-field's bytes the bits that aren't its own count as zeros. */
static void keep_bits(const struct breakpoint *b, unsigned char *bytes)
{
	for (unsigned i = 0; b->watch.bit_size && i < 8 * b->watch.bytes; i++)
		if (i < b->watch.bit_shift || i >= (unsigned)b->watch.bit_shift + b->watch.bit_size)
			bytes[i / 8] &= (unsigned char)~(1u << i % 8);
}

bool watch_read_value(struct debug *d, const struct breakpoint *b, unsigned char *out)
{
	struct debug_where w;
	struct debug_frame f;
	memset(out, 0, b->watch.bytes);
	if (b->watch.place == EXPR_FIELD)
		return read_field(d, b, out);
	if (b->watch.place == EXPR_MEMORY) {
		bool has = debug_thread_where(d, &b->watch.thread, &w);
		bool readable = debug_memory_read(d, has ? &w : NULL, b->watch.address, out, b->watch.bytes);
		keep_bits(b, out);
		return readable;
	}
	if (!watched_frame(d, b, &w, &f))
		return false;
	return b->watch.variable ? read_variable(d, b, &w, &f, out) : read_register(d, b, &w, &f, out);
}

/* A watch on shared or local memory or a register stays with its block and thread in later launches of the same kernel. */
static void follow_launch(struct debug *d, struct breakpoint *b)
{
	struct gpu_launch_info mine, newer;
	uint32_t n = gpu_launch_count(d->g), id = 0, kernel = b->watch.kernel;
	if (b->watch.thread.launch != WATCH_NO_LAUNCH) {
		if (!gpu_launch_get(d->g, b->watch.thread.launch, &mine) ||
		    (mine.state != GPU_LAUNCH_DONE && mine.state != GPU_LAUNCH_KILLED))
			return;
		id = b->watch.thread.launch + 1;
		kernel = mine.launch.function;
	}
	for (; id < n; id++) {
		gpu_launch_get(d->g, id, &newer);
		if (newer.launch.function == kernel && newer.state != GPU_LAUNCH_DONE &&
		    newer.state != GPU_LAUNCH_KILLED) {
			b->watch.thread.launch = id;
			return;
		}
	}
}

void watch_forget_launches(struct debug *d)
{
	struct gpu_launch_info mine;
	for (size_t i = 0; i < d->stop->n_bps; i++) {
		struct breakpoint *b = d->stop->bps[i];
		if (b->kind != BREAKPOINT_WATCH)
			continue;
		b->watch.compared = UINT64_MAX; /* no cycle of the new machine */
		if (!gpu_launch_get(d->g, b->watch.thread.launch, &mine))
			continue;
		b->watch.kernel = mine.launch.function;
		b->watch.thread.launch = WATCH_NO_LAUNCH;
	}
}

void watch_note_kernels(struct debug *d)
{
	struct gpu_launch_info mine;
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (d->stop->bps[i]->kind == BREAKPOINT_WATCH &&
		    gpu_launch_get(d->g, d->stop->bps[i]->watch.thread.launch, &mine))
			d->stop->bps[i]->watch.kernel = mine.launch.function;
}

void watch_rewind(struct debug *d)
{
	for (size_t i = 0; i < d->stop->n_bps; i++) {
		struct breakpoint *b = d->stop->bps[i];
		if (b->kind != BREAKPOINT_WATCH)
			continue;
		b->watch.compared = UINT64_MAX;
		if (is_field(b))
			continue;
		b->watch.thread.launch = WATCH_NO_LAUNCH;
		follow_launch(d, b);
	}
}

void watch_refresh(struct debug *d)
{
	for (size_t i = 0; i < d->stop->n_bps; i++) {
		struct breakpoint *b = d->stop->bps[i];
		if (b->kind != BREAKPOINT_WATCH || !b->enabled)
			continue;
		if (is_field(b) && b->watch.compared == gpu_cycle(d->g)) /* the rest of a cycle is still to come */
			continue;
		b->watch.compared = gpu_cycle(d->g);
		follow_launch(d, b);
		watch_read_value(d, b, b->watch.old);
	}
}

/* ---- who is concerned ---- */

static bool same_warp(const struct debug *d, const struct breakpoint *b, const struct debug_hit *h)
{
	return b->watch.thread.launch == h->thread.launch && b->watch.thread.cta == h->thread.cta &&
	       debug_warp_of(d, b->watch.thread.thread) == h->warp;
}

/* A word of isa_program.rw: the register that is watched, or one that the variable may be in. */
static bool is_watched(const struct breakpoint *b, uint32_t word)
{
	for (uint32_t k = 0; b->watch.variable && k < b->watch.variable->n_places; k++) {
		const struct cplace *p = &b->watch.variable->places[k];
		if (p->kind == CPLACE_REGISTER &&
		    word == (p->reg.is_pred ? ISA_RW_PRED(p->reg.ref) : ISA_RW_ROW(p->reg.ref)))
			return true;
	}
	return !b->watch.variable && word == (b->watch.place == EXPR_PRED ? ISA_RW_PRED(b->watch.ref) : ISA_RW_ROW(b->watch.ref));
}

static bool names_between(const struct debug *d, const struct breakpoint *b, uint32_t pc, uint32_t first, uint32_t end)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t k = first; k < end; k++)
		if (is_watched(b, p->rw[p->where[pc].rw + k]))
			return true;
	return false;
}

/* What is executed next may find the variable in another register: compilers move it without a word where ways meet. */
static bool leads_elsewhere(const struct debug *d, const struct breakpoint *b, uint32_t pc)
{
	const struct isa_insn *i = &debug_program(d)->insns[pc];
	bool jumps = isa_opcode_info[i->opcode].family == ISA_FAMILY_BRANCH;
	for (uint32_t k = 0; b->watch.variable && k < b->watch.variable->n_places; k++)
		if (b->watch.variable->places[k].first == pc + 1 || (jumps && b->watch.variable->places[k].first == i->target))
			return true;
	return false;
}

static bool writes_register(const struct debug *d, const struct breakpoint *b, uint32_t pc)
{
	return names_between(d, b, pc, 0, debug_program(d)->where[pc].n_writes);
}

static bool names_register(const struct debug *d, const struct breakpoint *b, uint32_t pc)
{
	const struct isa_where *w = &debug_program(d)->where[pc];
	uint32_t first = b->watch.access == BREAKPOINT_READ ? w->n_writes : 0;
	uint32_t end = b->watch.access == BREAKPOINT_WRITE ? w->n_writes : w->n_writes + (uint32_t)w->n_reads;
	return names_between(d, b, pc, first, end);
}

bool watch_looks_at(const struct debug *d, const struct breakpoint *b, uint32_t pc)
{
	return names_register(d, b, pc) || (b->watch.access != BREAKPOINT_READ && leads_elsewhere(d, b, pc));
}

/* Calls of functions with a body write when these return; others at once. */
static bool is_real_call(const struct isa_program *p, uint32_t pc)
{
	const struct isa_insn *i = &p->insns[pc];
	if (isa_opcode_info[i->opcode].family != ISA_FAMILY_CALL)
		return false;
	return i->a != ISA_REF_NONE || (i->target < p->n_functions && p->functions[i->target]->is_defined);
}

bool watch_call_writes(const struct debug *d, const struct breakpoint *b, uint32_t pc)
{
	return is_real_call(debug_program(d), pc) && writes_register(d, b, pc);
}

/* The call that the warp's top activation will return to, if it writes the register then; false: none. */
static bool returning_call(struct debug *d, const struct breakpoint *b, const struct debug_hit *h, uint32_t *call)
{
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), &h->cta->warp[h->warp]);
	const struct isa_function *f = debug_program(d)->functions[b->watch.function];
	if (isa_opcode_info[debug_program(d)->insns[h->pc].opcode].family != ISA_FAMILY_EXIT ||
	    top->call_depth != b->watch.depth + 1)
		return false;
	*call = top->return_pc;
	return *call >= f->first && *call < f->end && watch_call_writes(d, b, *call);
}

/* The instruction at hand, or the call it returns to, touches the register. */
static bool touches_register(struct debug *d, const struct breakpoint *b, const struct debug_hit *h, uint32_t *pc)
{
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), &h->cta->warp[h->warp]);
	const struct isa_function *f = debug_program(d)->functions[b->watch.function];
	*pc = h->pc;
	if (b->watch.access != BREAKPOINT_READ && returning_call(d, b, h, pc))
		return true;
	if (top->call_depth != b->watch.depth || h->pc < f->first || h->pc >= f->end)
		return false;
	const struct isa_where *w = &debug_program(d)->where[h->pc];
	if (watch_call_writes(d, b, h->pc)) /* only its arguments are read now */
		return b->watch.access != BREAKPOINT_WRITE &&
		       names_between(d, b, h->pc, w->n_writes, w->n_writes + (uint32_t)w->n_reads);
	return watch_looks_at(d, b, h->pc);
}

size_t watch_find_registers(struct debug *d, const struct debug_hit *h, struct watch_pending *out)
{
	size_t n = 0;
	for (size_t i = 0; i < d->stop->n_bps && n < WATCH_PENDING_MAX; i++) {
		struct breakpoint *b = d->stop->bps[i];
		uint32_t lane = lanes_bit(debug_lane_of(d, b->watch.thread.thread));
		if (!breakpoint_is_on(d, b) || b->kind != BREAKPOINT_WATCH || is_memory(b) || is_field(b) || !same_warp(d, b, h) ||
		    !(h->executing & lane))
			continue;
		uint32_t pc;
		if (touches_register(d, b, h, &pc))
			out[n++] = (struct watch_pending){b, lane, pc};
	}
	return n;
}

size_t watch_find_scopes(struct debug *d, const struct debug_hit *h, struct watch_pending *out)
{
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), &h->cta->warp[h->warp]);
	size_t n = 0;
	if (d->stop->direction != RUN_JUDGE || debug_program(d)->insns[h->pc].opcode != ISA_OP_RET)
		return 0;
	for (size_t i = 0; i < d->stop->n_bps && n < WATCH_PENDING_MAX; i++) {
		struct breakpoint *b = d->stop->bps[i];
		const uint32_t lane = lanes_bit(debug_lane_of(d, b->watch.thread.thread));
		if (b->kind != BREAKPOINT_WATCH || !b->watch.is_scoped || !breakpoint_is_on(d, b) || !same_warp(d, b, h) || !(h->executing & lane))
			continue;
		const struct isa_function *f = debug_program(d)->functions[b->watch.function];
		if (top->call_depth == b->watch.depth && h->pc >= f->first && h->pc < f->end)
			out[n++] = (struct watch_pending){b, lane, h->pc};
	}
	return n;
}

static bool exists(const struct debug *d, const struct breakpoint *b)
{
	bool found = false;
	for (size_t i = 0; i < d->stop->n_bps; i++)
		found |= d->stop->bps[i] == b;
	return found;
}

bool watch_end_scopes(struct debug *d, const struct debug_hit *h, const struct watch_pending *p, size_t n, struct debug_stop *stop)
{
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		if (!exists(d, p[i].b)) /* a temporary one that its change has ended */
			continue;
		if (!any && !stop->n_hits) {
			stop->reason = DEBUG_STOP_WATCHPOINT;
			debug_focus_on(d, h, p[i].lanes);
		}
		text_addf(&stop->text, "Watchpoint %u deleted because the program has left the block in\nwhich its expression is valid.\n",
			  p[i].b->number);
		breakpoint_drop(d, p[i].b);
		d->marks_stale = any = true;
	}
	return any;
}

static bool can_see(const struct debug *d, const struct breakpoint *b, const struct debug_hit *h)
{
	(void)d;
	if (b->watch.space == ISA_SPACE_SHARED)
		return b->watch.thread.launch == h->thread.launch && b->watch.thread.cta == h->thread.cta;
	return b->watch.space != ISA_SPACE_LOCAL || same_warp(d, b, h);
}

size_t watch_find_access(struct debug *d, const struct debug_hit *h, struct watch_pending *out)
{
	size_t n = 0;
	for (size_t i = 0; i < d->stop->n_bps && n < WATCH_PENDING_MAX; i++) {
		struct breakpoint *b = d->stop->bps[i];
		if (!breakpoint_is_on(d, b) || !is_memory(b) || !can_see(d, b, h))
			continue;
		const uint32_t lanes = touching_lanes(d, b, &gpu_exec(d->g)->effect.access);
		if (lanes)
			out[n++] = (struct watch_pending){b, lanes, h->pc};
	}
	return n;
}

/* ---- afterwards ---- */

static void value_of_bytes(const struct breakpoint *b, const unsigned char *bytes, struct expr_value *v)
{
	if (b->watch.c) {
		cvalue_of_bytes(b->watch.c, bytes, b->watch.bit_size, b->watch.bit_shift, v);
	} else if (b->watch.count == 1) {
		value_load(v, b->watch.type, 0, bytes);
	} else {
		*v = (struct expr_value){.type = b->watch.type, .is_array = true, .count = b->watch.count};
		v->data = xmalloc(b->watch.bytes + 1);
		memcpy(v->data, bytes, b->watch.bytes);
	}
}

static void describe_bytes(struct debug *d, const struct breakpoint *b, const unsigned char *bytes, const char *name, struct report *part)
{
	struct expr_value v;
	value_of_bytes(b, bytes, &v);
	value_describe(d, part, name, &v, NULL);
	expr_value_free(&v);
}

static void describe_watchpoint(const struct breakpoint *b, struct report *part)
{
	report_number(part, "number", b->number);
	report_text(part, "expression", b->location ? b->location : "");
	report_line(part, "Watchpoint {number}: {expression}\n[Old value = {old}\nNew value = {new}\n][Value = {value}\n]");
}

void watch_describe_values(struct debug *d, const struct breakpoint *b, const unsigned char *now, bool changed, struct report *part)
{
	describe_watchpoint(b, part);
	if (changed)
		describe_bytes(d, b, b->watch.old, "old", part);
	describe_bytes(d, b, now, changed ? "new" : "value", part);
}

/* Thread `t` touched it. */
static void add_change(struct debug *d, const struct breakpoint *b, const struct debug_thread *t, uint32_t pc,
		       const unsigned char *now, bool changed, bool wrote, struct debug_stop *stop)
{
	struct report *part = report_create();
	watch_describe_values(d, b, now, changed, part);
	report_text(part, "access", wrote ? "written" : "read");
	describe_by_thread(d, part, t, pc, gpu_cycle(d->g));
	report_line(part, "{access} by thread uid {uid} at {ptx}[ ({source})]\n");
	stop_add_part(stop, "changes", part);
}

/* Lanes in the order in which they are to be named: the one whose store remains is the last that wrote. */
static uint32_t writer_lane(uint32_t lanes, bool wrote)
{
	return wrote ? lanes_bit(31u - (unsigned)__builtin_clz(lanes)) : lanes;
}

/* The instruction at hand, or the call it returned to, has written the register (a call itself only reads its arguments). */
static bool wrote_register(const struct debug *d, const struct breakpoint *b, const struct debug_hit *h, uint32_t pc)
{
	return writes_register(d, b, pc) && (pc != h->pc || !watch_call_writes(d, b, pc));
}

/* Returns the lanes whose access wrote: a compare-and-swap that found another value only read. */
static uint32_t lanes_that_wrote(const struct exec_access *a, uint32_t lanes)
{
	return !a->is_write ? 0 : a->is_atomic ? lanes & ~a->failed : lanes;
}

static bool check_one(struct debug *d, const struct debug_hit *h, const struct watch_pending *p,
		      const struct exec_access *access, struct debug_stop *stop)
{
	struct breakpoint *b = p->b;
	unsigned char *now = xmalloc(b->watch.bytes + 16);
	struct text note = {0};
	bool readable = watch_read_value(d, b, now);
	bool changed = readable && memcmp(now, b->watch.old, b->watch.bytes) != 0;
	const uint32_t writers = access ? lanes_that_wrote(access, p->lanes) : 0;
	bool wrote = b->watch.access != BREAKPOINT_READ && (access ? writers != 0 : changed || wrote_register(d, b, h, p->pc));
	uint32_t lanes = 0;
	if (b->watch.access == BREAKPOINT_WRITE && !b->watch.each_write ? changed : readable || access)
		lanes = breakpoint_lanes(d, b, h, wrote && access ? writers : p->lanes, &note);
	bool stops = lanes && breakpoint_count_hit(d, b);
	uint32_t lane = stops ? lanes_first(writer_lane(lanes, wrote)) : 0;
	bool more = stop->n_hits >
		    0; /* one instruction may touch several: each is reported, the focus is the first one's */
	if (stops && !more) {
		stop->reason = DEBUG_STOP_WATCHPOINT;
		stop->address = b->watch.address;
		debug_focus_on(d, h, writer_lane(lanes, wrote));
	}
	if (stops && !b->internal && (!more || stop->reason == DEBUG_STOP_WATCHPOINT)) {
		struct debug_thread t = more ? h->thread : d->focus;
		t.thread += more ? lane : 0;
		text_add(&stop->text, text_str(&note));
		add_change(d, b, &t, p->pc, now, changed && b->watch.access != BREAKPOINT_READ, wrote, stop);
	}
	if (readable)
		memcpy(b->watch.old, now, b->watch.bytes);
	if (stops) {
		if (stop->n_hits < DEBUG_STOP_HITS_MAX)
			stop->lanes[stop->n_hits] = (uint8_t)lane;
		breakpoint_report(d, b, stop);
	}
	text_free(&note);
	free(now);
	return stops;
}

bool watch_check(struct debug *d, const struct debug_hit *h, const struct watch_pending *p, size_t n,
		 const struct exec_access *access, struct debug_stop *stop)
{
	bool any = false;
	for (size_t i = 0; i < n; i++)
		any |= check_one(d, h, &p[i], access, stop);
	return any;
}

/* ---- fields of the machine: compared after each cycle ---- */

bool watch_any_field(const struct debug *d)
{
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (d->stop->bps[i]->enabled && is_field(d->stop->bps[i]))
			return true;
	return false;
}

static void describe_field(const struct breakpoint *b, const unsigned char *bytes, const char *name, struct report *part)
{
	uint64_t v;
	memcpy(&v, bytes, sizeof v);
	if (v == UINT64_MAX)
		report_none(part, name, "none");
	else if (b->watch.type == ISA_B64)
		report_hex(part, name, v);
	else
		report_number(part, name, v);
}

static void add_field_change(struct debug *d, const struct breakpoint *b, const unsigned char *now, struct debug_stop *stop)
{
	struct report *part = report_create();
	describe_watchpoint(b, part);
	describe_field(b, b->watch.old, "old", part);
	describe_field(b, now, "new", part);
	report_number(part, "cycle", gpu_cycle(d->g) - 1);
	report_line(part, "changed in cycle {cycle}\n");
	stop_add_part(stop, "changes", part);
}

bool watch_condition_holds(struct debug *d, const struct breakpoint *b, struct text *note)
{
	struct expr_value v;
	if (!b->compiled)
		return true;
	if (!expr_eval(d, b->compiled, d->has_focus ? &d->focus : NULL, d->frame, &v, note)) {
		text_addc(note, '\n');
		return true;
	}
	bool holds = expr_value_is_true(&v);
	expr_value_free(&v);
	return holds;
}

static bool check_field(struct debug *d, struct breakpoint *b, struct debug_stop *stop)
{
	unsigned char now[sizeof(uint64_t)];
	struct text note = {0};
	bool changed = watch_read_value(d, b, now) && memcmp(now, b->watch.old, sizeof now) != 0;
	bool stops = changed && watch_condition_holds(d, b, &note) && breakpoint_count_hit(d, b);
	b->watch.compared = gpu_cycle(d->g);
	if (stops && !stop->n_hits) {
		stop->reason = DEBUG_STOP_WATCHPOINT;
		text_add(&stop->text, text_str(&note));
		add_field_change(d, b, now, stop);
	}
	if (changed)
		memcpy(b->watch.old, now, sizeof now);
	if (stops)
		breakpoint_report(d, b, stop);
	text_free(&note);
	return stops;
}

bool watch_check_fields(struct debug *d, struct debug_stop *stop)
{
	bool any = false;
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (breakpoint_is_on(d, d->stop->bps[i]) && is_field(d->stop->bps[i]))
			any |= check_field(d, d->stop->bps[i], stop);
	return any;
}

uint32_t breakpoint_insert_watch(struct debug *d, enum breakpoint_watch kind, const struct debug_thread *t,
				 uint64_t generic, uint64_t bytes)
{
	struct breakpoint *b = breakpoint_new(d, BREAKPOINT_WATCH, true);
	b->watch.access = kind;
	b->watch.place = EXPR_MEMORY;
	b->watch.named = generic;
	b->watch.address = gpu_device_address(d->g, generic);
	b->watch.bytes = bytes ? bytes : 1;
	b->watch.space = (uint8_t)debug_space_of(generic);
	b->watch.type = ISA_U8;
	b->watch.count = b->watch.bytes;
	if (t)
		b->watch.thread = *t;
	b->watch.old = xcalloc(b->watch.bytes, 1);
	watch_read_value(d, b, b->watch.old);
	return b->number;
}
