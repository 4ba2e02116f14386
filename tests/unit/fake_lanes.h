/* A machine for gdb's timelines that is none: two warps of four lanes go the same way, given as events (pc and lanes that execute it), and a
 * client that notes what gdb would be told. gdb's part, the way it takes breakpoints out and puts them in, is in `gdb_...`. */
#ifndef FAKE_LANES_H
#define FAKE_LANES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lanes.h"
#include "gdbstub/lanes/lanes.h"

#define UNUSED __attribute__((unused)) /* not all tests need all of it */

#define FAKE_WARPS 2u
#define FAKE_LANES 4u
#define FAKE_ALL 0xfu
#define FAKE_HOST UINT64_C(0x7fffffff)
#define FAKE_STRIDE UINT64_C(0x1000000)
#define FAKE_END UINT64_C(0x900000) /* where those are that have exited */
#define FAKE_LAUNCH UINT64_C(0x800000)

struct fake_event {
	uint64_t pc;
	uint32_t lanes;
};
struct fake_point {
	uint64_t pc;
	uint32_t number;
	bool inserted, is_there;
	uint32_t holds;		    /* lanes of a warp for which its condition is true */
	uint64_t returns_for, only; /* of gdb's `finish`: the thread; set once gdb has passed over another one's hit */
};
struct fake_watch {
	uint64_t pc; /* the instruction that writes it */
	uint32_t number;
	uint64_t uid; /* of the thread that does */
	bool is_there;
	unsigned writes, known; /* so many; gdb has read what so many have left */
};
struct fake {
	const struct fake_event *way;
	size_t n;
	size_t at[FAKE_WARPS];	   /* events that a warp has executed */
	int64_t skips[FAKE_WARPS]; /* at this one it goes on from a breakpoint; -1 */
	bool together;		   /* other warps move, too, when one is stepped */
	bool at_launch[FAKE_WARPS];
	struct fake_point points[4];
	struct fake_watch watches[2];
	uint64_t fault_at; /* the instruction there fails */
	bool interrupts;   /* the next run ends before it has begun */
	uint64_t focus;
	uint64_t looked[8];
	size_t n_looked;
	unsigned runs, moves; /* so often has it run; so many instructions */
	unsigned back_steps;  /* instructions that it has gone back */
	struct text console;
	struct lanes *lanes;
	/* the last stop */
	unsigned signal;
	uint64_t tid;
	struct lanes_event event;
};

static UNUSED unsigned fake_warp(uint64_t uid) { return (unsigned)((uid - 1) / FAKE_LANES); }
static UNUSED unsigned fake_lane_of(uint64_t uid) { return (unsigned)((uid - 1) % FAKE_LANES); }

/* The event that a lane executes next; n: it has exited. */
static UNUSED size_t fake_next(const struct fake *f, uint64_t uid)
{
	size_t e = f->at[fake_warp(uid)];
	while (e < f->n && !(f->way[e].lanes & lanes_bit(fake_lane_of(uid))))
		e++;
	return e;
}

static UNUSED uint64_t fake_code_pc(const struct fake *f, uint64_t uid)
{
	size_t e = fake_next(f, uid);
	return e == f->n ? FAKE_END : f->way[e].pc;
}

static UNUSED bool fake_lane(struct stub *self, uint64_t uid, struct machine_lane *out)
{
	const struct fake *f = (struct fake *)self;
	const unsigned w = fake_warp(uid), lane = fake_lane_of(uid);
	if (!uid || w >= FAKE_WARPS)
		return false;
	const size_t at = f->at[w], next = fake_next(f, uid);
	const bool exited = next == f->n;
	const uint32_t active = at < f->n ? f->way[at].lanes : 0;
	*out = (struct machine_lane){.uid = uid,
				     .first = uid - lane,
				     .lane = lane,
				     .n = FAKE_LANES,
				     .executed = at,
				     .pc = f->at_launch[w] && !at ? FAKE_LAUNCH : fake_code_pc(f, uid),
				     .code_pc = fake_code_pc(f, uid),
				     .frame = 1,
				     .active = active,
				     .exited = exited,
				     .at_launch = f->at_launch[w] && !at,
				     .is_next = !exited && active & lanes_bit(lane),
				     .is_waiting = !exited && !(active & lanes_bit(lane)),
				     .can_run = at < f->n};
	for (unsigned i = 0; i < FAKE_LANES; i++)
		if (fake_next(f, out->first + i) < f->n)
			out->live |= lanes_bit(i);
	return true;
}

static UNUSED uint64_t fake_sp(struct stub *self, uint64_t uid)
{
	(void)self;
	return uid * FAKE_STRIDE;
}
static UNUSED uint64_t fake_uid(struct stub *self, uint64_t tid)
{
	(void)self;
	return tid == FAKE_HOST ? 0 : tid;
}
static UNUSED uint64_t fake_tid(struct stub *self, uint64_t uid)
{
	(void)self;
	return uid;
}
static UNUSED uint64_t fake_focus(struct stub *self) { return ((struct fake *)self)->focus; }
static UNUSED void fake_set_focus(struct stub *self, uint64_t uid) { ((struct fake *)self)->focus = uid; }

static UNUSED bool fake_looked_at(struct stub *self, size_t *at, uint64_t *tid)
{
	const struct fake *f = (struct fake *)self;
	if (*at >= f->n_looked)
		return false;
	*tid = f->looked[(*at)++];
	return true;
}

static UNUSED void fake_arrived(struct stub *self, uint64_t uid)
{
	((struct fake *)self)->at_launch[fake_warp(uid)] = false;
}
static UNUSED void fake_changed(struct stub *self) { (void)self; }
static UNUSED void fake_snapshot(struct stub *self, uint64_t uid)
{
	(void)self;
	(void)uid;
}
static uint32_t fake_together(struct stub *self, uint64_t uid)
{
	const struct fake *f = (struct fake *)self;
	const size_t at = f->at[fake_warp(uid)];
	const uint32_t active = at < f->n ? f->way[at].lanes : 0;
	return active & lanes_bit(fake_lane_of(uid)) ? active : lanes_bit(fake_lane_of(uid));
}
static UNUSED bool fake_same_registers(struct stub *self, uint64_t uid, uint64_t sp)
{
	(void)self;
	(void)uid;
	(void)sp;
	return true;
}
static UNUSED void fake_drop_snapshots(struct stub *self) { (void)self; }

static struct fake_point *fake_point_at(struct fake *f, uint64_t pc)
{
	for (size_t i = 0; i < 4; i++)
		if (f->points[i].is_there && f->points[i].pc == pc)
			return &f->points[i];
	return NULL;
}

static UNUSED bool fake_breaks(struct stub *self, uint64_t pc) { return fake_point_at((struct fake *)self, pc); }
static UNUSED bool fake_inserted(struct stub *self, uint64_t pc)
{
	const struct fake_point *p = fake_point_at((struct fake *)self, pc);
	return p && p->inserted;
}
static UNUSED bool fake_holds(struct stub *self, uint64_t uid, uint64_t pc, bool as_seen)
{
	const struct fake_point *p = fake_point_at((struct fake *)self, pc);
	(void)as_seen;
	return p && p->holds & lanes_bit(fake_lane_of(uid));
}

static UNUSED bool fake_describe(struct stub *self, uint32_t number, struct machine_point *out)
{
	const struct fake *f = (struct fake *)self;
	for (size_t i = 0; i < 4; i++)
		if (f->points[i].is_there && f->points[i].number == number) {
			*out = (struct machine_point){'0', f->points[i].pc, 1, false};
			return true;
		}
	for (size_t i = 0; i < 2; i++)
		if (f->watches[i].is_there && f->watches[i].number == number) {
			*out = (struct machine_point){'2', 0x1000 * number, 4, false};
			return true;
		}
	return false;
}
static UNUSED bool fake_number(struct stub *self, const struct machine_point *p, uint32_t *number)
{
	struct machine_point found;
	*number = (uint32_t)(p->address / 0x1000);
	return fake_describe(self, *number, &found);
}
static UNUSED bool fake_unchanged(struct stub *self, const struct debug_stop *stop)
{
	(void)self;
	(void)stop;
	return false;
}
static UNUSED bool fake_changed_watched(struct stub *self, size_t *at, uint32_t *number, uint64_t *uid)
{
	const struct fake *f = (struct fake *)self;
	while (*at < 2) {
		const struct fake_watch *w = &f->watches[(*at)++];
		if (!w->is_there || w->known == w->writes)
			continue;
		*number = w->number;
		*uid = 0;
		return true;
	}
	return false;
}
static struct fake_watch *fake_watch_at(struct fake *f, uint64_t address)
{
	for (size_t i = 0; i < 2; i++)
		if (f->watches[i].is_there && 0x1000 * f->watches[i].number == address)
			return &f->watches[i];
	return NULL;
}
static UNUSED bool fake_is_as_known(struct stub *self, const struct machine_point *p)
{
	const struct fake_watch *w = fake_watch_at((struct fake *)self, p->address);
	return w && w->known == w->writes;
}
static UNUSED void fake_resumes(struct stub *self, uint64_t tid, bool is_backwards)
{
	(void)self;
	(void)tid;
	(void)is_backwards;
}
static UNUSED void fake_passes(struct stub *self, uint64_t uid, uint64_t pc)
{
	struct fake_point *p = fake_point_at((struct fake *)self, pc);
	if (p && p->returns_for == uid)
		p->only = p->returns_for = 0;
	else if (p)
		p->only = p->returns_for;
}
static UNUSED bool fake_release_points(struct stub *self)
{
	(void)self;
	return false;
}
static UNUSED uint32_t fake_reportable_lanes(struct stub *self, uint64_t first, unsigned n, uint64_t pc)
{
	const struct fake_point *p = fake_point_at((struct fake *)self, pc);
	if (!p || !p->only)
		return LANES_ALL;
	return p->only - first < n ? lanes_bit((unsigned)(p->only - first)) : 0;
}
static UNUSED void fake_settle(struct stub *self, bool lone_step)
{
	struct fake *f = (struct fake *)self;
	for (size_t i = 0; i < 4 && !lone_step; i++)
		f->points[i].is_there &= f->points[i].inserted;
}
static UNUSED void fake_go_on_from(struct stub *self, uint64_t uid)
{
	struct fake *f = (struct fake *)self;
	f->skips[fake_warp(uid)] = (int64_t)f->at[fake_warp(uid)];
}
static UNUSED bool fake_predict(struct stub *self, uint64_t uid, uint64_t *pc, uint64_t *sp)
{
	struct fake *f = (struct fake *)self;
	struct fake then = *f;
	then.at[fake_warp(uid)]++;
	*pc = fake_code_pc(&then, uid);
	*sp = fake_sp(self, uid);
	return !fake_point_at(f, *pc);
}

static UNUSED bool fake_can_run(struct stub *self)
{
	const struct fake *f = (struct fake *)self;
	for (unsigned w = 0; w < FAKE_WARPS; w++)
		if (f->at[w] < f->n)
			return true;
	return false;
}
static UNUSED void fake_running(struct stub *self, bool on, bool is_step)
{
	(void)is_step;
	((struct fake *)self)->runs += on;
}

/* One instruction of a warp. True: it stopped in front of it, or after it. */
static UNUSED bool fake_execute(struct fake *f, unsigned w, struct debug_stop *stop)
{
	const struct fake_event *e = &f->way[f->at[w]];
	const struct fake_point *p = fake_point_at(f, e->pc);
	const uint32_t lanes = p ? p->holds & e->lanes : 0;
	if (lanes && f->skips[w] != (int64_t)f->at[w]) {
		*stop = (struct debug_stop){.reason = DEBUG_STOP_BREAKPOINT, .n_hits = 1, .hits = {p->number}};
		const unsigned lane = f->focus && fake_warp(f->focus) == w && lanes & lanes_bit(fake_lane_of(f->focus))
					      ? fake_lane_of(f->focus)
					      : lanes_first(lanes);
		f->focus = w * FAKE_LANES + lane + 1;
		f->skips[w] = (int64_t)f->at[w];
		return true;
	}
	if (e->pc == f->fault_at) {
		*stop = (struct debug_stop){.reason = DEBUG_STOP_EXCEPTION, .fault = EXEC_FAULT_MISALIGNED};
		f->focus = w * FAKE_LANES + lanes_first(e->lanes) + 1;
		return true;
	}
	f->at[w]++;
	f->moves++;
	f->skips[w] = -1;
	for (size_t i = 0; i < 2; i++)
		if (f->watches[i].is_there && f->watches[i].pc == e->pc && fake_warp(f->watches[i].uid) == w) {
			*stop = (struct debug_stop){.reason = DEBUG_STOP_WATCHPOINT, .n_hits = 1};
			stop->hits[0] = f->watches[i].number;
			f->watches[i].writes++;
			f->focus = f->watches[i].uid;
			return true;
		}
	return false;
}

static UNUSED bool fake_run(struct stub *self, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct fake *f = (struct fake *)self;
	debug_stop_init(stop);
	if (!fake_can_run((struct stub *)f)) {
		f->focus = FAKE_HOST;
		text_add(why, "no kernel");
		return false;
	}
	stop->reason = DEBUG_STOP_STEPPED;
	if (f->interrupts) {
		f->interrupts = false;
		stop->reason = DEBUG_STOP_INTERRUPTED;
		return true;
	}
	const uint64_t begin = uid ? f->at[fake_warp(uid)] : 0;
	while (fake_can_run((struct stub *)f)) {
		for (unsigned w = 0; w < FAKE_WARPS; w++)
			if (f->at[w] < f->n && (!uid || f->together || w == fake_warp(uid)) && fake_execute(f, w, stop))
				return true;
		if (uid && (f->at[fake_warp(uid)] - begin >= n || f->at[fake_warp(uid)] == f->n))
			return true;
	}
	f->focus = FAKE_HOST;
	stop->reason = DEBUG_STOP_NONE;
	return true;
}

static void fake_undo(struct fake *f, unsigned w)
{
	const uint64_t pc = f->way[--f->at[w]].pc;
	for (size_t i = 0; i < 2; i++)
		if (f->watches[i].pc == pc && fake_warp(f->watches[i].uid) == w)
			f->watches[i].writes--;
}

/* Only by a thread's instructions. */
static UNUSED bool fake_back(struct stub *self, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct fake *f = (struct fake *)self;
	(void)why;
	assert_true(uid && n && n <= f->at[fake_warp(uid)]);
	for (uint64_t k = 0; k < n; k++)
		fake_undo(f, fake_warp(uid));
	f->back_steps += (unsigned)n;
	f->focus = uid;
	stop->reason = DEBUG_STOP_STEPPED;
	return true;
}

static UNUSED bool fake_goes_on(struct stub *self, bool ended)
{
	(void)self;
	return !ended;
}
static UNUSED bool fake_gone(struct stub *self)
{
	(void)self;
	return false;
}

static UNUSED void fake_report(struct stub *self, unsigned signal, uint64_t tid, struct lanes_event event)
{
	struct fake *f = (struct fake *)self;
	f->signal = signal;
	f->tid = tid;
	f->event = event;
	struct fake_watch *w = event.kind == EVENT_WRITE ? fake_watch_at(f, event.address) : NULL;
	if (w)
		w->known = w->writes;
	lanes_note_reported(f->lanes, tid);
}
static UNUSED void fake_say(struct stub *self, const char *text) { text_add(&((struct fake *)self)->console, text); }
static UNUSED bool fake_loaded(struct stub *self, uint64_t *tid)
{
	(void)self;
	(void)tid;
	return false;
}
static UNUSED void fake_stopped(struct stub *self, const struct debug_stop *stop)
{
	(void)self;
	(void)stop;
}

static const struct lanes_machine fake_machine = {
	.lane = fake_lane,
	.sp = fake_sp,
	.stride = FAKE_STRIDE,
	.uid = fake_uid,
	.tid = fake_tid,
	.focus = fake_focus,
	.set_focus = fake_set_focus,
	.next_read_thread = fake_looked_at,
	.note_entered = fake_arrived,
	.invalidate_views = fake_changed,
	.take_snapshot = fake_snapshot,
	.lanes_together = fake_together,
	.same_registers = fake_same_registers,
	.drop_unneeded_snapshots = fake_drop_snapshots,
	.has_breakpoint = fake_breaks,
	.is_inserted = fake_inserted,
	.condition_holds = fake_holds,
	.point = fake_describe,
	.number = fake_number,
	.is_known_write = fake_unchanged,
	.next_changed_watchpoint = fake_changed_watched,
	.is_as_known = fake_is_as_known,
	.note_resume = fake_resumes,
	.note_passed = fake_passes,
	.reportable_lanes = fake_reportable_lanes,
	.release_points = fake_release_points,
	.remove_taken_out = fake_settle,
	.skip_breakpoint = fake_go_on_from,
	.predict = fake_predict,
	.can_run = fake_can_run,
	.set_running = fake_running,
	.run = fake_run,
	.back = fake_back,
	.may_continue = fake_goes_on,
	.client_is_gone = fake_gone,
};
static bool fake_is_over(struct stub *s, const struct debug_stop *stop)
{
	(void)s;
	(void)stop;
	return false;
}

static const struct lanes_client fake_client = {
	.report = fake_report, .say = fake_say, .idle = fake_say, .loaded = fake_loaded, .is_over = fake_is_over, .stopped = fake_stopped};

static UNUSED void fake_begin(struct fake *f, const struct fake_event *way, size_t n)
{
	*f = (struct fake){.way = way, .n = n, .focus = 1, .skips = {-1, -1}};
	f->lanes = lanes_create(&fake_machine, &fake_client, (struct stub *)f);
	lanes_client_begin(f->lanes, 1);
}

static UNUSED void fake_end(struct fake *f)
{
	lanes_destroy(f->lanes);
	text_free(&f->console);
}

/* ---- gdb's part ---- */

/* Where gdb sees a thread. */
static UNUSED uint64_t gdb_pc(const struct fake *f, uint64_t uid)
{
	struct lanes_seen seen;
	struct machine_lane at;
	if (lanes_see(f->lanes, uid, &seen))
		return seen.pc;
	return fake_lane((void *)f, uid, &at) ? at.pc : 0;
}

static UNUSED void gdb_resume(struct fake *f, const struct resume *r)
{
	f->signal = 99;
	f->event.kind = EVENT_NONE;
	lanes_resume(f->lanes, r);
	assert_int_not_equal(f->signal, 99);
	const char *broken = lanes_broken(f->lanes);
	assert_string_equal(broken ? broken : "", "");
}

static UNUSED void gdb_looks(struct fake *f)
{
	lanes_make_deferred_step(f->lanes);
	lanes_note_shown(f->lanes);
}

/* vCont;c, vCont;s:TID, vCont;s:TID;c, vCont;c:TID, and gdb's user is shown the stop. */
static UNUSED void gdb_continue_unseen(struct fake *f) { gdb_resume(f, &(struct resume){.others = true}); }
static UNUSED void gdb_step_unseen(struct fake *f, uint64_t uid)
{
	gdb_resume(f, &(struct resume){.has_step = true, .step = uid});
}
static UNUSED void gdb_continue(struct fake *f)
{
	gdb_continue_unseen(f);
	gdb_looks(f);
}
static UNUSED void gdb_step(struct fake *f, uint64_t uid)
{
	gdb_step_unseen(f, uid);
	gdb_looks(f);
}
static UNUSED void gdb_step_all(struct fake *f, uint64_t uid)
{
	gdb_resume(f, &(struct resume){.has_step = true, .step = uid, .others = true});
	gdb_looks(f);
}
static UNUSED void gdb_continue_one(struct fake *f, uint64_t uid)
{
	gdb_resume(f, &(struct resume){.locked = uid, .others = true});
	gdb_looks(f);
}

/* Hc and bs: of the thread alone, or of everybody, from the thread that its user is on. */
static UNUSED void gdb_step_back(struct fake *f, uint64_t uid, bool others)
{
	f->signal = 99;
	f->event.kind = EVENT_NONE;
	lanes_resume_back(f->lanes, &(struct resume){.has_step = true, .step = uid, .others = others});
	assert_int_equal(f->signal, 5);
	const char *broken = lanes_broken(f->lanes);
	assert_string_equal(broken ? broken : "", "");
}

static UNUSED void gdb_insert(struct fake *f, unsigned i, uint64_t pc, uint32_t holds)
{
	f->points[i] =
		(struct fake_point){.pc = pc, .number = 10 + i, .inserted = true, .is_there = true, .holds = holds};
}

/* As gdb does it at a breakpoint: takes it out, steps the thread, puts it in. True: it finds the thread at the breakpoint again. */
static UNUSED bool gdb_step_over(struct fake *f, uint64_t uid, unsigned i)
{
	f->points[i].inserted = false;
	gdb_step_unseen(f, uid);
	f->points[i].inserted = f->points[i].is_there = true;
	return gdb_pc(f, uid) == f->points[i].pc;
}

/* It was told that the thread has come to a breakpoint. */
static UNUSED void hits(struct fake *f, uint64_t uid, uint64_t pc)
{
	assert_int_equal(f->signal, 5);
	assert_int_equal(f->event.kind, EVENT_BREAKPOINT);
	assert_int_equal(f->tid, uid);
	assert_int_equal(gdb_pc(f, uid), pc);
}

/* It was told of a write to what is watched. */
static UNUSED void watch_written(const struct fake *f, uint64_t address)
{
	assert_int_equal(f->event.kind, EVENT_WRITE);
	assert_int_equal(f->event.address, address);
}

/* ---- ways ---- */

#define N(way) (sizeof(way) / sizeof *(way))

/* All of them go straight on. */
static const struct fake_event UNUSED straight[] = {
	{0x10, FAKE_ALL}, {0x20, FAKE_ALL}, {0x30, FAKE_ALL}, {0x40, FAKE_ALL}, {0x50, FAKE_ALL}};
/* A branch at 0x20 sends lanes 2 and 3 to 0x30, 0x38 first, then 0 and 1 to 0x40, and at 0x50 they meet. */
static const struct fake_event UNUSED parted[] = {{0x10, FAKE_ALL}, {0x20, FAKE_ALL}, {0x30, 0xc},     {0x38, 0xc},
						  {0x40, 0x3},	    {0x50, FAKE_ALL}, {0x60, FAKE_ALL}};
/* Three times around. */
static const struct fake_event UNUSED loop[] = {{0x10, FAKE_ALL}, {0x20, FAKE_ALL}, {0x10, FAKE_ALL}, {0x20, FAKE_ALL},
						{0x10, FAKE_ALL}, {0x20, FAKE_ALL}, {0x30, FAKE_ALL}};

#endif
