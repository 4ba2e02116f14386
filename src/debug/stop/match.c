/* Decides whether a marked instruction, or an event of the machine, hits a breakpoint or catchpoint. */
#include <stdio.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/ground/ground.h"
#include "debug/view/functions.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/room.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/stop/face_access.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"
#include "isa/special.h"

bool debug_hit_of(struct debug *d, const struct gpu_event *ev, struct debug_hit *out)
{
	struct exec *x = gpu_exec(d->g);
	struct exec_cta *cta = gpu_cta(d->g, ev->cta_slot);
	if (!cta || ev->warp >= cta->n_warps || !cta->warp[ev->warp].n_simt)
		return false;
	const struct exec_warp *w = &cta->warp[ev->warp];
	const struct exec_simt *top = exec_simt_top(x, w);
	*out = (struct debug_hit){.thread = {.launch = cta->launch, .cta = cta->linear, .thread = debug_thread_of(d, ev->warp, 0)},
				  .cta = cta,
				  .warp = ev->warp,
				  .pc = top->pc,
				  .active = top->mask};
	uint32_t guard = debug_program(d)->insns[top->pc].guard;
	uint32_t lanes = exec_preds(x, top->frame)[ISA_PRED_SLOT(guard)];
	out->executing = top->mask & (guard & ISA_PRED_NOT ? ~lanes : lanes);
	return true;
}

static bool same3(const uint32_t a[3], const uint32_t b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/* Returns those of a warp's lanes that have a thread's coordinates, which are those of one lane at most. */
static uint32_t lanes_of_thread(struct debug *d, const struct exec_warp *w, const uint32_t thread[3], uint32_t lanes)
{
	const uint32_t *tid[3];
	for (unsigned k = 0; k < 3; k++)
		tid[k] = exec_row(gpu_exec(d->g), w, 0, ISA_SPECIAL_REF(TID, k));
	LANES_EACH (lane, lanes)
		if (tid[0][lane] == thread[0] && tid[1][lane] == thread[1] && tid[2][lane] == thread[2])
			return lanes_bit(lane);
	return 0;
}

/* Returns those of a warp's lanes that pass the breakpoint's filter: uid, thread, block, warp. */
static uint32_t lanes_filtered(struct debug *d, const struct breakpoint *b, const struct debug_hit *h, uint32_t lanes)
{
	const struct breakpoint_filter *f = &b->filter;
	struct gpu_launch_info info;
	if (f->has_block && !same3(f->block, h->cta->id))
		return 0;
	if (f->has_thread)
		lanes = lanes_of_thread(d, &h->cta->warp[h->warp], f->thread, lanes);
	if (!lanes || (!f->has_warp && !f->has_uid))
		return lanes;
	if (!gpu_launch_get(d->g, h->cta->launch, &info))
		return 0;
	if (f->has_warp && f->warp != h->cta->core_slot * info.launch.warps_per_cta + h->warp)
		return 0;
	const uint64_t first = info.launch.first_uid + h->thread.cta * info.launch.threads_per_cta + h->thread.thread;
	if (!f->has_uid)
		return lanes;
	return f->uid >= first && f->uid - first < gpu_exec(d->g)->warp_threads ? lanes & lanes_bit((unsigned)(f->uid - first)) : 0;
}

uint32_t breakpoint_lanes(struct debug *d, struct breakpoint *b, const struct debug_hit *h, uint32_t lanes,
			  struct text *note)
{
	struct text why = {0};
	lanes = lanes_filtered(d, b, h, lanes);
	if (lanes && b->compiled)
		lanes = expr_true_lanes(d, b->compiled, &h->thread, &h->cta->warp[h->warp], lanes, &why);
	if (why.n && !note->n) /* gdb stops and says so */
		text_addf(note, "Error in testing condition for breakpoint %u:\n%s\n", b->number, text_str(&why));
	text_free(&why);
	return lanes && b->test ? b->test(b->test_self, b->number, &h->thread, lanes) : lanes;
}

bool breakpoint_count_hit(const struct debug *d, struct breakpoint *b)
{
	if (d->stop->direction == RUN_SCAN)
		return true;
	b->hits++;
	if (!b->ignore)
		return true;
	b->ignore--;
	return false;
}

void breakpoint_report(struct debug *d, struct breakpoint *b, struct debug_stop *stop)
{
	if (stop->n_hits < DEBUG_STOP_HITS_MAX)
		stop->hits[stop->n_hits++] = b->number;
	if (d->stop->direction == RUN_SCAN)
		return;
	if (b->once) {
		b->enabled = false;
		d->marks_stale = true;
	}
	if (!b->temporary)
		return;
	if (stop->n_hits == 1)
		stop->temporary = true;
	if (!b->n_commands) {
		breakpoint_drop(d, b);
	} else { /* its command list is still to run */
		b->enabled = false;
		b->fired = true;
	}
	d->marks_stale = true;
}

void debug_focus_on(struct debug *d, const struct debug_hit *h, uint32_t lanes)
{
	struct debug_thread t = h->thread;
	if (d->has_focus && d->focus.launch == t.launch && d->focus.cta == t.cta &&
	    debug_warp_of(d, d->focus.thread) == h->warp && lanes >> debug_lane_of(d, d->focus.thread) & 1)
		t.thread = d->focus.thread;
	else
		t.thread += lanes ? lanes_first(lanes) : 0;
	debug_focus_set(d, &t);
}

static bool catch_wants(struct debug *d, const struct breakpoint *b, const struct debug_hit *h)
{
	uint8_t family = isa_opcode_info[debug_program(d)->insns[h->pc].opcode].family;
	switch (b->caught) {
	case BREAKPOINT_ON_BARRIER: return family == ISA_FAMILY_BARRIER;
	case BREAKPOINT_ON_ATOMIC: return family == ISA_FAMILY_ATOM && h->executing;
	case BREAKPOINT_ON_DIVERGENCE: return !b->location && debug_diverges(d, h);
	default: return false;
	}
}

static bool is_at(const struct breakpoint *b, uint32_t pc)
{
	for (uint32_t k = 0; k < b->code.n_pcs; k++)
		if (b->code.pcs[k] == pc)
			return !b->code.is_off || !b->code.is_off[k];
	return false;
}

bool debug_breaks_at(const struct debug *d, uint32_t pc)
{
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (d->stop->bps[i]->enabled && d->stop->bps[i]->kind == BREAKPOINT_CODE && is_at(d->stop->bps[i], pc))
			return true;
	return false;
}

const char *breakpoint_caught_name(enum breakpoint_catch caught)
{
	static const char *const names[] = {"launch", "exit", "barrier", "exception", "divergence", "atomic", "load", "unload", "kernel", "api"};
	return names[caught];
}

static const char *event_kind_name(const struct breakpoint *b)
{
	if (b->kind == BREAKPOINT_CODE)
		return b->temporary ? "Temporary breakpoint" : "Breakpoint";
	return b->temporary ? "Temporary catchpoint" : "Catchpoint";
}

static void add_event(const struct breakpoint *b, const char *event, const char *name, struct debug_stop *stop)
{
	struct report *part = report_create();
	report_number(part, "number", b->number);
	report_text(part, "event", event);
	if (*name)
		report_text(part, "name", name);
	report_say(part, "%s ", event_kind_name(b));
	report_line(part, "{number} ({event}[ {name}])\n");
	stop_set_part(stop, "catch", part);
}

void stop_add_catch(const struct breakpoint *b, struct debug_stop *stop)
{
	const bool after = b->caught == BREAKPOINT_ON_DIVERGENCE && b->location;
	add_event(b, after ? "divergence after" : breakpoint_caught_name(b->caught), "", stop);
}

/* Appends `, with lanes [0-2 5]` if there are several. */
static void lanes_text(uint32_t lanes, struct text *out)
{
	const char *before = ", with lanes [";
	for (unsigned k = 0, last; k < LANES && (lanes & (lanes - 1)); k = last + 1) {
		for (last = k; last + 1 < LANES && (lanes >> k & 1) && (lanes >> (last + 1) & 1);)
			last++;
		if (!(lanes >> k & 1))
			continue;
		text_addf(out, last > k ? "%s%u-%u" : "%s%u", before, k, last);
		before = " ";
	}
	text_add(out, *before == ' ' ? "]" : "");
}

/* Adds the lanes for which a condition is true. */
static void add_lanes(uint32_t lanes, struct debug_stop *stop)
{
	struct text look = {0};
	struct report *part = report_create();
	lanes_text(lanes, &look);
	report_lanes(part, "lanes", lanes);
	report_look(part, "%s", text_str(&look));
	report_line(part, "{lanes}");
	stop_set_part(stop, "condition", part);
	text_free(&look);
}

static void add_hit(struct debug *d, const struct breakpoint *b, const struct debug_hit *h, uint32_t lanes, struct debug_stop *stop)
{
	struct text *out = &stop->text;
	struct debug_where w;
	if (b->kind == BREAKPOINT_CATCH) {
		stop_add_catch(b, stop);
		if (b->caught == BREAKPOINT_ON_DIVERGENCE)
			stop_add_divergence(d, h, stop);
		return;
	}
	debug_focus_where(d, &w);
	if (b->internal)
		text_addf(out, "Breakpoint, thread uid %llu at ", (unsigned long long)w.uid);
	else
		text_addf(out, "%s %u, thread uid %llu at ", b->temporary ? "Temporary breakpoint" : "Breakpoint",
			  b->number, (unsigned long long)w.uid);
	debug_position_text(d, debug_shown_position(d, &w), out);
	if (b->compiled && lanes != h->active)
		add_lanes(lanes, stop);
	text_addc(out, '\n');
}

/* At a function's beginning inlined ones may begin, too, which the breakpoint isn't for; and a line may be that of their call. */
static void stand_in_front(struct debug *d, const struct breakpoint *b)
{
	struct debug_where w;
	if (!b->internal && b->kind == BREAKPOINT_CODE && b->location && debug_focus_where(d, &w)) {
		if (b->code.call.line)
			debug_unentered_at(d, &w, b->code.call);
		else
			debug_unentered_of(d, &w, b->location);
		debug_select_innermost(d);
	}
}

/* A dprintf's text for each lane, after what the program has printed so far. */
static void print_for(struct debug *d, const struct breakpoint *b, const struct debug_hit *h, uint32_t lanes)
{
	const bool had = d->has_focus;
	const struct debug_thread focus = d->focus;
	const uint32_t frame = d->frame, inlined = d->inlined;
	struct text out = {0}, why = {0}, *output = gpu_output(d->g);
	if (d->stop->direction == RUN_SCAN)
		return;
	LANES_EACH (lane, lanes) {
		d->has_focus = true;
		d->focus = h->thread;
		d->focus.thread += lane;
		d->frame = d->inlined = 0;
		if (!debug_answer_text(d, d->hooks->print, b->code.prints, &out, &why) && why.n)
			text_addf(&out, "%s\n", text_str(&why));
		text_clear(&why);
	}
	d->has_focus = had;
	d->focus = focus;
	d->frame = frame;
	d->inlined = inlined;
	if (output->n && d->host.output)
		d->host.output(d->host.self, output->s, output->n);
	text_clear(output);
	debug_print(d, &out);
	text_free(&out);
	text_free(&why);
}

/* Returns true if a hit is counted only: a command moves one warp, and the hit is another warp's. */
static bool is_passed(const struct debug *d, const struct breakpoint *b, const struct debug_hit *h)
{
	const struct debug_thread *t = &d->stop->step.warp;
	const bool is_own = h->thread.launch == t->launch && h->thread.cta == t->cta && h->warp == debug_warp_of(d, t->thread);
	return d->stop->step.is_on && d->stop->direction == RUN_JUDGE && b->kind == BREAKPOINT_CODE && !b->internal &&
	       !breakpoint_prints(b) && !is_own;
}

bool breakpoint_may_stop(struct debug *d, const struct exec *x)
{
	const struct debug_hit h = {.thread = {.launch = x->cta->launch, .cta = x->cta->linear, .thread = exec_thread_of(x, x->warp->index, 0)},
				    .cta = x->cta,
				    .warp = x->warp->index,
				    .pc = x->pc,
				    .active = x->top->mask};
	x->top->pc = x->pc; /* exec sets it where the run ends */
	for (size_t i = 0; i < d->stop->n_bps; i++) {
		const struct breakpoint *b = d->stop->bps[i];
		if (b->kind != BREAKPOINT_CODE || !b->enabled || !is_at(b, h.pc))
			continue;
		uint32_t lanes = lanes_filtered(d, b, &h, h.active);
		if (lanes && b->compiled)
			lanes = expr_possible_lanes(d, b->compiled, &h.thread, x->warp, lanes);
		if (lanes)
			return true;
	}
	return false;
}

bool breakpoint_check_code(struct debug *d, const struct debug_hit *h, struct debug_stop *stop)
{
	d->stop->hit_passed = false;
	for (size_t i = 0; i < d->stop->n_bps;) {
		struct breakpoint *b = d->stop->bps[i];
		struct text note = {0};
		size_t before = d->stop->n_bps;
		bool here = breakpoint_is_on(d, b) &&
			    (b->kind == BREAKPOINT_CODE ? is_at(b, h->pc)
							: b->kind == BREAKPOINT_CATCH && catch_wants(d, b, h));
		uint32_t lanes = here ? breakpoint_lanes(d, b, h,
							 b->kind == BREAKPOINT_CODE ? h->active
							 : h->executing		    ? h->executing
										    : h->active,
							 &note)
				      : 0;
		const bool passed = lanes && is_passed(d, b, h);
		b->hits += passed;
		b->passed += passed;
		bool counts = lanes && !passed && breakpoint_count_hit(d, b);
		d->stop->hit_passed |= lanes && (breakpoint_prints(b) || !counts);
		if (counts && breakpoint_prints(b)) {
			print_for(d, b, h, lanes);
		} else if (counts) {
			if (!stop->n_hits) {
				stop->reason =
					b->kind == BREAKPOINT_CODE ? DEBUG_STOP_BREAKPOINT : DEBUG_STOP_CATCHPOINT;
				debug_focus_on(d, h, lanes);
				stand_in_front(d, b);
				text_add(&stop->text, text_str(&note));
				add_hit(d, b, h, lanes, stop);
			}
			breakpoint_report(d, b, stop);
		}
		text_free(&note);
		i += before == d->stop->n_bps;
	}
	return stop->n_hits > 0;
}

/* Returns true if a catchpoint's condition is true, or can't be evaluated: then `note` says why. It is evaluated for the launch's first thread, without a
 * launch for the focused one. */
static bool event_condition_holds(struct debug *d, const struct breakpoint *b, uint32_t launch, struct text *note)
{
	const struct debug_thread focus = d->focus, first = {.launch = launch};
	const bool had = d->has_focus, is_of_launch = launch < gpu_launch_count(d->g);
	const uint32_t frame = d->frame, inlined = d->inlined;
	if (!b->compiled)
		return true;
	if (is_of_launch && !(had && focus.launch == launch)) {
		d->has_focus = true;
		d->focus = first;
		d->frame = d->inlined = 0;
	}
	const bool holds = watch_condition_holds(d, b, note);
	d->has_focus = had;
	d->focus = focus;
	d->frame = frame;
	d->inlined = inlined;
	return holds;
}

bool breakpoint_check_event(struct debug *d, enum breakpoint_catch what, uint32_t launch, struct debug_stop *stop)
{
	struct gpu_launch_info info;
	const struct isa_function *f =
		gpu_launch_get(d->g, launch, &info) ? debug_program(d)->functions[info.launch.function] : NULL;
	for (size_t i = 0; i < d->stop->n_bps;) {
		struct breakpoint *b = d->stop->bps[i];
		size_t before = d->stop->n_bps;
		/* a failure stops every run, and says so */
		const bool is_on = what == BREAKPOINT_ON_EXCEPTION ? b->enabled : breakpoint_is_on(d, b);
		bool here = is_on && (what == BREAKPOINT_ON_API ? program_call_fits(d, b) : b->kind == BREAKPOINT_CATCH && b->caught == what);
		if (here && what == BREAKPOINT_ON_KERNEL && f)
			here = debug_kernel_fits(d, b->location, strlen(b->location), f);
		if (here && event_condition_holds(d, b, launch, &stop->text) && breakpoint_count_hit(d, b)) {
			if (d->stop->direction == RUN_SCAN)
				gpu_moment_now(d->g, &d->stop->front);
			if (!stop->n_hits) {
				stop->reason = DEBUG_STOP_CATCHPOINT;
				const char *name = what == BREAKPOINT_ON_KERNEL ? b->location : what == BREAKPOINT_ON_API ? text_str(&d->stop->program.name) : "";
				add_event(b, breakpoint_caught_name(what), name, stop);
			}
			breakpoint_report(d, b, stop);
		}
		i += before == d->stop->n_bps;
	}
	return stop->n_hits > 0;
}
