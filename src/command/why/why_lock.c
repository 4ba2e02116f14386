/* Locks that spinning warps wait for: which thread holds each, since when, and where that thread is; circles of threads that wait for each other. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/why/why_internal.h"
#include "debug/describe.h"
#include "debug/expr/format.h"
#include "debug/step/step.h"
#include "debug/view/address.h"
#include "debug/view/user_line.h"
#include "debug/view/view.h"
#include "history/origin.h"
#include "isa/opcodes.h"

struct lock {
	struct sought last; /* place of the memory, and its last change */
	bool is_lock;	    /* an exchange or a compare-and-swap reads it; else it is a flag */
	enum isa_type type;
	uint64_t value;
	uint64_t n_waiters;
	struct debug_thread waiter; /* the first of the waiting threads */
};

struct locks {
	struct history *h;
	struct debug *d;
	bool is_recorded; /* `last` is known */
	struct lock lock[SOUGHT_MAX];
	size_t n;
	struct waits {
		struct debug_thread thread;
		size_t lock;
	} *waits;
	size_t n_waits, cap_waits;
};

/* ---- what spinning lanes read ---- */

static bool same_thread(const struct debug_thread *a, const struct debug_thread *b)
{
	return a->launch == b->launch && a->cta == b->cta && a->thread == b->thread;
}

static bool is_lock_atomic(const struct isa_insn *i)
{
	return isa_op_is_atomic(i->opcode) && (i->atom == ISA_ATOM_CAS || i->atom == ISA_ATOM_EXCH || i->atom == ISA_ATOM_OR);
}

/* Returns the index of the place that a thread reads, which is added if it isn't there. Returns SOUGHT_MAX if there is no room. */
static size_t lock_at(struct locks *l, uint64_t generic, uint64_t bytes, const struct debug_thread *t)
{
	const bool is_shared = debug_space_of(generic) == ISA_SPACE_SHARED;
	size_t k = 0;
	for (; k < l->n; k++) {
		const struct where_bytes *b = &l->lock[k].last.b;
		const bool same_block = b->thread.launch == t->launch && b->thread.cta == t->cta;
		if (b->generic == generic && b->n == bytes && (same_block || !is_shared))
			return k;
	}
	if (k == SOUGHT_MAX)
		return k;
	l->lock[k] = (struct lock){.last = {.b = {.generic = generic, .n = bytes, .thread = *t}, .only_changes = true},
				   .waiter = *t};
	l->n++;
	return k;
}

/* Adds what a lane reads by an instruction of its loop. */
static void add_read(struct locks *l, const struct debug_where *lane, const struct why_read *read)
{
	const struct isa_insn *i = &debug_program(l->d)->insns[read->pc];
	const uint64_t generic = access_address(l->d, i, read->frame, lane);
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type);
	uint64_t value = 0;
	if (bytes > sizeof value || debug_space_of(generic) == ISA_SPACE_LOCAL || !debug_memory_read(l->d, lane, generic, &value, bytes))
		return;
	const size_t k = lock_at(l, generic, bytes, &lane->thread);
	if (k == SOUGHT_MAX)
		return;
	struct lock *const lock = &l->lock[k];
	lock->is_lock |= is_lock_atomic(i);
	lock->type = (enum isa_type)i->type;
	lock->value = value;
	for (size_t w = l->n_waits; w-- > 0;)
		if (l->waits[w].lock == k && same_thread(&l->waits[w].thread, &lane->thread))
			return;
	l->waits = xgrow(l->waits, &l->cap_waits, l->n_waits + 1, sizeof *l->waits);
	l->waits[l->n_waits++] = (struct waits){lane->thread, k};
	lock->n_waiters++;
}

/* Adds what the spinning lanes of a warp read in their loops. */
static void add_warp(struct locks *l, const struct why_warp *w)
{
	LANES_EACH (k, gpu_spinning_lanes(l->d->g, w->w)) {
		const struct debug_thread t = {w->cta->launch, w->cta->linear, debug_thread_of(l->d, w->w->index, k)};
		struct debug_where lane;
		struct why_round round;
		if (!debug_thread_where(l->d, &t, &lane) || !why_round_of(l->d, &lane, &round))
			continue;
		for (uint32_t n = 0; n < round.n_reads; n++)
			add_read(l, &lane, &round.read[n]);
	}
}

static void collect(struct locks *l)
{
	uint32_t *slots;
	const size_t n = debug_resident_slots(l->d, &slots);
	for (size_t k = 0; k < n; k++) {
		const struct exec_cta *cta = gpu_cta(l->d->g, slots[k]);
		for (uint32_t index = 0; index < cta->n_warps; index++) {
			const struct why_warp w = why_warp_of(l->d, cta, index);
			if (why_spins(&w))
				add_warp(l, &w);
		}
	}
	free(slots);
}

/* Finds the last change of each place. */
static void find_holders(struct locks *l)
{
	struct sought places[SOUGHT_MAX];
	struct history_aside aside;
	struct text why = {0};
	l->is_recorded = l->n && history_can_go_back(l->h, &why);
	text_free(&why);
	if (!l->is_recorded)
		return;
	for (size_t k = 0; k < l->n; k++)
		places[k] = l->lock[k].last;
	history_aside_begin(l->h, &aside);
	const bool found = find_writes(l->h, places, l->n, &(struct until){.limit = &aside.at});
	l->is_recorded = history_aside_end(l->h, &aside) && found;
	for (size_t k = 0; k < l->n; k++)
		l->lock[k].last = places[k];
}

/* ---- words ---- */

/* Appends the variable at an address, with the index of its element if it has several: `mutex[1]`. */
static void name_text(struct locks *l, const struct lock *k, struct text *out)
{
	const uint64_t generic = k->last.b.generic, bytes = k->last.b.n;
	const struct isa_variable *v = debug_variable_at(l->d, generic);
	const enum isa_space space = debug_space_of(generic);
	const uint64_t offset = v ? generic - debug_variable_generic(NULL, v) : 0;
	if (space == ISA_SPACE_SHARED && debug_shared_name(l->d, k->last.b.thread.launch, generic - access_window(space), out))
		return;
	if (!v || offset % bytes) {
		debug_memory_name(l->d, generic, k->type, out);
		return;
	}
	text_add(out, v->plain ? v->plain : v->name);
	if (v->bytes > bytes)
		text_addf(out, "[%" PRIu64 "]", offset / bytes);
}

static void thread_text(struct debug *d, const struct debug_thread *t, struct text *out)
{
	struct debug_where w;
	if (!debug_thread_where(d, t, &w))
		return;
	text_add(out, "thread ");
	format_dim3(w.thread_id, out);
	text_add(out, " in block ");
	format_dim3(w.block_id, out);
	text_addf(out, ", uid %" PRIu64, w.uid);
}

/* Returns the lock that a thread waits for; SOUGHT_MAX: none. */
static size_t waited_for(const struct locks *l, const struct debug_thread *t)
{
	for (size_t k = 0; k < l->n_waits; k++)
		if (same_thread(&l->waits[k].thread, t))
			return l->waits[k].lock;
	return SOUGHT_MAX;
}

/* Returns true if a thread has made the last change of the memory. */
static bool has_holder(const struct locks *l, size_t k)
{
	return l->is_recorded && l->lock[k].last.is_found && !l->lock[k].last.last.by_host;
}

static const struct debug_thread *holder_of(const struct locks *l, size_t k) { return &l->lock[k].last.last.thread; }

/* Appends where a thread is now, and what it waits for. */
static void now_text(struct locks *l, const struct debug_thread *t, struct text *out)
{
	const size_t lock = waited_for(l, t);
	struct debug_where w;
	if (!debug_thread_where(l->d, t, &w) || w.state == DEBUG_THREAD_EXITED || !w.w) {
		text_add(out, "has exited");
		if (w.w) {
			text_add(out, " at ");
			debug_place_text(l->d, w.pc, out);
		}
		return;
	}
	text_add(out, "is now at ");
	debug_lane_place_text(l->d, w.w, w.lane, w.pc, out);
	if (lock < SOUGHT_MAX) {
		text_add(out, " and waits for ");
		name_text(l, &l->lock[lock], out);
	} else if (w.w->state == EXEC_WARP_BARRIER || w.w->barrier_lanes >> w.lane & 1) {
		text_addf(out, " and waits at barrier %u", w.w->barrier);
	} else if (!w.active) {
		text_addf(out, " and waits for lanes 0x%08x of its warp", exec_simt_top(gpu_exec(l->d->g), w.w)->mask);
	}
}

/* ---- the answer ---- */

static void describe_holder(struct locks *l, size_t k, struct report *answer)
{
	const struct lock *const lock = &l->lock[k];
	const struct write *const w = &lock->last.last;
	struct text who = {0}, now = {0}, caller = {0};
	thread_text(l->d, &w->thread, &who);
	now_text(l, &w->thread, &now);
	report_open(answer, "holder");
	describe_by_thread(l->d, answer, &w->thread, w->pc, w->cycle);
	if (debug_user_caller_text(l->d, w->pc, &(struct debug_calls){w->callers, WRITE_CALLERS}, &caller))
		report_text(answer, "called_from", text_str(&caller));
	report_text(answer, "now", text_str(&now));
	report_close(answer);
	report_say(answer, lock->is_lock ? " is held by %s, since cycle %" PRIu64 ": " : " was written last by %s, in cycle %" PRIu64 ": ",
		   text_str(&who), w->cycle);
	report_line(answer, "{holder.instruction:brief} at {holder.ptx}[ ({holder.source})][, called from {holder.called_from}]\n  that thread {holder.now}\n");
	text_free(&who);
	text_free(&now);
	text_free(&caller);
}

static void describe_lock(struct locks *l, size_t k, struct report *answer)
{
	const struct lock *const lock = &l->lock[k];
	const char *const word = lock->is_lock ? "lock" : "memory";
	struct text name = {0}, waiter = {0};
	name_text(l, lock, &name);
	thread_text(l->d, &lock->waiter, &waiter);
	report_open(answer, NULL);
	report_text(answer, "name", text_str(&name));
	report_text(answer, "kind", word);
	report_number(answer, "value", lock->value);
	report_say(answer, "%s %s = ", word, text_str(&name));
	debug_step_value(lock->type, lock->value, report_prose(answer));
	if (has_holder(l, k))
		describe_holder(l, k, answer);
	else
		report_say(answer, l->is_recorded ? ": no thread has written it\n" : "\n");
	report_number(answer, "waiting_threads", lock->n_waiters);
	report_open(answer, "waiter");
	describe_thread(l->d, answer, &lock->waiter);
	report_close(answer);
	report_look(answer, "%s", text_str(&waiter));
	report_line(answer, lock->n_waiters == 1 ? "  {waiting_threads} thread waits for it: {waiter}\n"
						 : "  {waiting_threads} threads wait for it: {waiter} and others\n");
	report_close(answer);
	text_free(&name);
	text_free(&waiter);
}

/* Returns the lock that the holder of lock `k` waits for; SOUGHT_MAX: none. */
static size_t next_lock(const struct locks *l, size_t k)
{
	return l->lock[k].is_lock && has_holder(l, k) ? waited_for(l, holder_of(l, k)) : SOUGHT_MAX;
}

/* Stores the length of the circle that begins at lock `first`. Returns false if there is none, or if a lock with a lower number is in it. */
static bool find_circle(const struct locks *l, size_t first, size_t *length)
{
	size_t k = next_lock(l, first);
	for (*length = 1; k < SOUGHT_MAX && k > first && *length < l->n; ++*length)
		k = next_lock(l, k);
	return k == first;
}

static void describe_circle(struct locks *l, size_t first, size_t length, struct report *answer)
{
	struct text line = {0};
	size_t k = first;
	for (size_t n = 0; n < length; n++) {
		const size_t next = next_lock(l, k);
		text_add(&line, n ? ",\n  and " : "");
		thread_text(l->d, holder_of(l, k), &line);
		text_add(&line, " holds ");
		name_text(l, &l->lock[k], &line);
		text_add(&line, " and waits for ");
		name_text(l, &l->lock[next], &line);
		k = next;
	}
	report_text(answer, "circle", text_str(&line));
	report_say(answer, length == 1 ? "A thread waits for a lock that it holds itself: %s\n" : "A circle: %s\n", text_str(&line));
	text_free(&line);
}

void why_locks(struct history *h, struct report *answer)
{
	struct locks l = {.h = h, .d = history_debug(h)};
	size_t length;
	collect(&l);
	find_holders(&l);
	report_list(answer, "locks");
	for (size_t k = 0; k < l.n; k++)
		describe_lock(&l, k, answer);
	report_close(answer);
	if (l.n && !l.is_recorded)
		report_say(answer, "('set history on' before the launch tells which thread %s)\n",
			   l.lock[0].is_lock ? "holds it" : "has written it");
	for (size_t k = 0; k < l.n; k++)
		if (find_circle(&l, k, &length))
			describe_circle(&l, k, length, answer);
	free(l.waits);
}

void why_deadlock(struct history *h, struct debug_stop *stop)
{
	struct report *const answer = report_create();
	struct text lines = {0};
	why_locks(h, answer);
	report_draw(answer, 0, &lines);
	for (const char *line = text_str(&lines); *line; line += strcspn(line, "\n") + 1)
		text_addf(&stop->text, "  %.*s\n", (int)strcspn(line, "\n"), line);
	report_copy(debug_stop_details(stop), answer);
	report_destroy(answer);
	text_free(&lines);
}
