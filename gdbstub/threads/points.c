/* Breakpoints and watchpoints gdb has inserted, as the debugger's own internal ones. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/image/image.h"
#include "gdbstub/threads/room.h"
#include "gdbstub/wire/packet.h"
#include "isa/opcodes.h"

/* The point of a number of the debugger's; `other`: it is that of another register, NULL if its own. */
static struct point *find_by_number(const struct stub *s, uint32_t number, const struct point_other **other)
{
	for (size_t i = 0; i < s->threads->n_points; i++) {
		struct point *p = &s->threads->points[i];
		*other = NULL;
		if (p->number == number)
			return p;
		for (size_t k = 0; k < p->n_also; k++) {
			*other = &p->also[k];
			if (p->also[k].number == number)
				return p;
		}
	}
	return NULL;
}

bool points_describe(struct stub *s, uint32_t number, struct machine_point *out)
{
	const struct point_other *other;
	const struct point *p = find_by_number(s, number, &other);
	if (p)
		*out = (struct machine_point){.type = p->type,
					      .address = p->address,
					      .length = p->length,
					      .is_register = (p->address & STUB_REGION_MASK) == STUB_STACK_REGION};
	return p;
}

bool points_number(struct stub *s, const struct machine_point *p, uint32_t *number)
{
	for (size_t i = 0; i < s->threads->n_points; i++)
		if (s->threads->points[i].type == p->type && s->threads->points[i].address == p->address) {
			*number = s->threads->points[i].number;
			return true;
		}
	return false;
}

bool points_at(struct stub *s, uint64_t address)
{
	for (size_t i = 0; i < s->threads->n_points; i++)
		if (s->threads->points[i].type < '2' && s->threads->points[i].address == address)
			return true;
	return false;
}

bool points_inserted_at(struct stub *s, uint64_t address)
{
	for (size_t i = 0; i < s->threads->n_points; i++)
		if (s->threads->points[i].type < '2' && s->threads->points[i].address == address &&
		    !s->threads->points[i].lingering)
			return true;
	return false;
}

static void free_conditions(struct point *p)
{
	for (size_t i = 0; i < p->n_conditions; i++)
		text_free(&p->conditions[i]);
	free(p->conditions);
	p->conditions = NULL;
	p->n_conditions = 0;
}

void points_drop(struct stub *s, size_t i)
{
	struct point *p = &s->threads->points[i];
	breakpoint_remove(s->d, p->number);
	while (p->n_also)
		breakpoint_remove(s->d, p->also[--p->n_also].number);
	free(p->also);
	free_conditions(p);
	memmove(&s->threads->points[i], &s->threads->points[i + 1],
		(s->threads->n_points - i - 1) * sizeof *s->threads->points);
	s->threads->n_points--;
}

void points_clear(struct stub *s)
{
	while (s->threads->n_points)
		points_drop(s, s->threads->n_points - 1);
	watched_clear(s);
}

void points_settle(struct stub *s, bool lone_step)
{
	for (size_t i = s->threads->n_points; i-- > 0 && !lone_step;)
		if (s->threads->points[i].lingering)
			points_drop(s, i);
}

/* ---- conditions ---- */

/* Evaluates a point's conditions for a lane. A condition that can't be evaluated stops: gdb then says what is wrong with it. */
static bool conditions_hold(struct stub *s, const struct point *p, uint64_t tid, struct agent_lane *lane)
{
	uint64_t value;
	if (p->only && !p->keeps_others && p->only != tid)
		return false;
	for (size_t i = 0; i < p->n_conditions; i++)
		if (!agent_eval(s, tid, lane, &p->conditions[i], &value) || value)
			return true;
	return !p->n_conditions;
}

/* As long as the machine runs, or is about to, lanes are where they are, maybe deeper or higher than when they were looked at last, and
 * whatever gdb believes. */
static bool point_holds(struct stub *s, const struct point *p, uint64_t tid, bool as_seen)
{
	bool before = view_machine(s, !as_seen), fits = conditions_hold(s, p, tid, NULL);
	view_machine(s, before);
	return fits;
}

static bool is_same_thread(const struct debug_thread *a, const struct debug_thread *b)
{
	return a->launch == b->launch && a->cta == b->cta && a->thread == b->thread;
}

/* Fills the coordinates of a lane of a hit's warp, `first` being those of lane 0. */
static void place_lane(struct stub *s, const struct debug_where *first, uint32_t lane, struct agent_lane *out)
{
	const uint32_t linear = debug_thread_of(s->d, first->warp_index, lane), *block = first->launch.block;
	*out = (struct agent_lane){.local_base = memory_local_base(first) + ((uint64_t)lane << STUB_UID_SHIFT)};
	out->places[0] = linear % block[0];
	out->places[1] = linear / block[0] % block[1];
	out->places[2] = linear / block[0] / block[1];
	memcpy(out->places + 3, first->block_id, sizeof first->block_id);
	memcpy(out->places + 6, first->launch.block, sizeof first->launch.block);
	memcpy(out->places + 9, first->launch.grid, sizeof first->launch.grid);
}

/* Returns the lanes for which a point's conditions hold. What depends on the block alone is the same for all lanes. */
static uint32_t lanes_hold(struct stub *s, const struct point *p, const struct debug_where *first, uint32_t lanes)
{
	uint32_t fits = 0;
	LANES_EACH (lane, lanes) {
		struct agent_lane at;
		place_lane(s, first, lane, &at);
		const bool holds = conditions_hold(s, p, thread_tid(s, first->uid + lane), &at);
		if (!at.varies && !p->only)
			return holds ? lanes : 0;
		fits |= holds ? lanes_bit(lane) : 0;
	}
	return fits;
}

static uint32_t test_lanes(void *self, uint32_t number, const struct debug_thread *of_warp, uint32_t lanes)
{
	struct stub *s = self;
	const struct point_other *other;
	const struct point *p = find_by_number(s, number, &other);
	struct debug_where first;
	if (!p)
		return lanes;
	if (p->only && !p->keeps_others) {
		const uint32_t lane = debug_lane_of(s->d, p->only_thread.thread);
		struct debug_thread t = *of_warp;
		t.thread += lane;
		lanes = is_same_thread(&p->only_thread, &t) ? lanes & lanes_bit(lane) : 0;
	}
	if (!lanes || !p->n_conditions || !debug_thread_where(s->d, of_warp, &first))
		return lanes;
	const bool before = view_machine(s, true);
	lanes = lanes_hold(s, p, &first, lanes);
	view_machine(s, before);
	return lanes;
}

bool points_hold(struct stub *s, uint64_t tid, uint64_t address, bool as_seen)
{
	for (size_t i = 0; i < s->threads->n_points; i++)
		if (s->threads->points[i].type < '2' && s->threads->points[i].address == address &&
		    point_holds(s, &s->threads->points[i], tid, as_seen))
			return true;
	return false;
}

/* `X LENGTH,BYTES` one after another, then maybe `cmds:...`, which isn't asked for. */
static bool parse_conditions(struct point *p, const char *s, size_t n)
{
	const char *end = s + n;
	size_t cap = 0;
	uint64_t bytes;
	while (s < end && *s == 'X') {
		s++;
		if (!args_number(&s, end, &bytes) || s == end || *s++ != ',' || bytes > (uint64_t)(end - s) / 2)
			return false;
		p->conditions = xgrow(p->conditions, &cap, p->n_conditions + 1, sizeof *p->conditions);
		struct text *t = &p->conditions[p->n_conditions++];
		*t = (struct text){0};
		if (!rsp_unhex(t, s, 2 * (size_t)bytes))
			return false;
		s += 2 * bytes;
		s += s < end && *s == ';';
	}
	return s == end || !strncmp(s, "cmds:", 5);
}

/* ---- inserting ---- */

#define NO_NUMBER UINT32_MAX /* the debugger's own begin below it */

static bool is_barrier(const struct isa_program *p, uint64_t pc)
{
	return isa_opcode_info[p->insns[pc].opcode].family == ISA_FAMILY_BARRIER;
}

static uint32_t insert_code(struct stub *s, const struct point *p)
{
	uint64_t at = p->address - EXEC_CODE_WINDOW;
	if (p->address >= STUB_EXIT_AT && p->address < STUB_TEXTS_AT)
		return NO_NUMBER; /* no thread executes it */
	if (at / ISA_INSN_BYTES >= stub_program(s)->n_insns)
		return 0;
	if (at % ISA_INSN_BYTES == 1 && is_barrier(stub_program(s), at / ISA_INSN_BYTES))
		return NO_NUMBER;
	if (at % ISA_INSN_BYTES)
		return 0;
	return breakpoint_insert_tested(s->d, (uint32_t)(at / ISA_INSN_BYTES), test_lanes, s);
}

static enum breakpoint_watch watch_kind(char type)
{
	return type == '2' ? BREAKPOINT_WRITE : type == '3' ? BREAKPOINT_READ : BREAKPOINT_ACCESS;
}

/* A register in a made-up frame, at or around byte `offset` of it. */
static uint32_t watch_register(struct stub *s, char type, const struct thread_view *v, const struct view_frame *f,
			       uint32_t offset)
{
	const struct frame_reg *r = frame_register(f->layout, offset);
	if (!r)
		return 0;
	uint32_t width = r->is_pred ? STUB_PRED_BYTES : isa_row_bytes(isa_type_bytes((enum isa_type)r->type)) / LANES;
	uint32_t number = (offset - r->at) / width;
	return breakpoint_insert_register_watch(s->d, watch_kind(type), &v->w.thread, &f->a,
						r->ref + number * (r->is_pred ? 1 : width * LANES), r->is_pred,
						(enum isa_type)r->type);
}

#define PLACES_MAX 64

/* The other registers of a variable that is in several. */
static void watch_others(struct stub *s, struct point *p, const struct thread_view *v, const struct view_frame *f,
			 uint32_t offset)
{
	uint32_t places[PLACES_MAX];
	p->moves_in = f->a.function;
	p->moves_at = offset;
	size_t n = p->length <= sizeof p->value ? moving_others(s, p->moves_in, offset, places, PLACES_MAX) : 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t number = watch_register(s, p->type, v, f, places[i]);
		if (!number)
			continue;
		breakpoint_stops_at_writes(s->d, number);
		p->also = xgrow(p->also, &p->cap_also, p->n_also + 1, sizeof *p->also);
		p->also[p->n_also++] = (struct point_other){number, places[i]};
	}
}

/* What is watched is what the machine has: the thread's view may be stale, for gdb in an activation that has returned. */
static uint32_t watch_on_stack(struct stub *s, struct point *p)
{
	uint64_t uid = (p->address & ~STUB_REGION_MASK) >> STUB_UID_SHIFT;
	if (p->length <= sizeof p->value)
		memory_read(s, s->tid_g, p->address, p->value, p->length);
	const struct thread_view *v = view_of_uid(s, uid);
	const struct view_frame *f = v ? view_frame_at(v, p->address) : NULL;
	if (!f)
		return 0;
	uint32_t offset = (uint32_t)(p->address - f->sp);
	uint32_t number = watch_register(s, p->type, v, f, offset);
	if (number && p->type == '2')
		watch_others(s, p, v, f, offset);
	return number;
}

static uint32_t insert_register_watch(struct stub *s, struct point *p)
{
	bool before = view_machine(s, true);
	uint32_t number = watch_on_stack(s, p);
	view_machine(s, before);
	return number;
}

/* Is the variable after the write of another register what gdb knows it to be, or nowhere? */
static bool is_as_before(struct stub *s, struct point *p, const struct point_other *other, uint32_t pc)
{
	unsigned char now[sizeof p->value];
	if (!moving_has_place(s, p->moves_in, p->moves_at, pc))
		return true;
	bool before = view_machine(s, true);
	size_t n = memory_read(s, s->tid_g, p->address - p->moves_at + other->at, now, p->length);
	view_machine(s, before);
	if (n != p->length)
		return false;
	bool same = !memcmp(p->value, now, p->length);
	memcpy(p->value, now, p->length);
	return same;
}

static bool is_known_write(struct stub *s, const struct point *p)
{
	const struct machine_point at = {.type = p->type, .address = p->address, .length = p->length};
	return p->type == '2' && watched_is_as_known(s, &at);
}

bool points_as_before(struct stub *s, const struct debug_stop *stop)
{
	const struct point_other *other;
	struct debug_where w;
	bool same = stop->reason == DEBUG_STOP_WATCHPOINT && stop->n_hits && thread_where(s, thread_of_focus(s), &w);
	for (uint32_t i = 0; same && i < stop->n_hits; i++) {
		struct point *p = find_by_number(s, stop->hits[i], &other);
		same = p && (other ? is_as_before(s, p, other, w.pc) : is_known_write(s, p));
	}
	return same;
}

#define WATCH_BYTES_MAX (1u << 20)

static uint32_t insert_watch(struct stub *s, struct point *p)
{
	struct debug_where w;
	struct debug_thread t;
	uint64_t uid = (p->address & ~STUB_REGION_MASK) >> STUB_UID_SHIFT, generic = p->address & STUB_OFFSET_MASK;
	const uint64_t device_end = gpu_exec(debug_gpu(s->d))->limits->device_end;
	if (!p->length || p->length > WATCH_BYTES_MAX || p->address >> 63)
		return 0;
	switch (p->address & STUB_REGION_MASK) {
	case 0:
		generic = gpu_device_address(debug_gpu(s->d), p->address);
		if (generic >= device_end || p->length > device_end - generic)
			return 0;
		bool has = thread_where(s, s->tid_g, &w);
		return breakpoint_insert_watch(s->d, watch_kind(p->type), has ? &w.thread : NULL, p->address,
					       p->length);
	case STUB_SHARED_REGION:
	case STUB_LOCAL_REGION:
		if (!debug_thread_of_uid(s->d, uid, &t) || p->length > STUB_OFFSET_MASK - generic)
			return 0;
		generic +=
			(p->address & STUB_REGION_MASK) == STUB_SHARED_REGION ? EXEC_SHARED_WINDOW : EXEC_LOCAL_WINDOW;
		return breakpoint_insert_watch(s->d, watch_kind(p->type), &t, generic, p->length);
	case STUB_STACK_REGION: return insert_register_watch(s, p);
	default: return 0;
	}
}

static struct point *find_point(struct stub *s, char type, uint64_t address, uint64_t length)
{
	for (size_t i = 0; i < s->threads->n_points; i++) {
		struct point *p = &s->threads->points[i];
		if (p->type == type && p->address == address && (type < '2' || p->length == length))
			return p;
	}
	return NULL;
}

static bool valid_type(uint64_t type) { return type >= '0' && type <= '4'; }

#define POINTS_MAX 10000u

enum packet_result packet_Z(struct stub *s, const struct args *a, struct text *reply)
{
	if (!valid_type(a->v[0].v) || s->threads->n_points >= POINTS_MAX)
		return valid_type(a->v[0].v) ? PACKET_NOT_ALLOWED : PACKET_REPLY;
	struct point p = {.type = (char)a->v[0].v, .address = a->v[1].v, .length = a->v[2].v};
	(void)reply;
	if (a->v[3].given && !parse_conditions(&p, a->v[3].s, a->v[3].n)) {
		free_conditions(&p);
		return PACKET_BAD;
	}
	struct point *old = find_point(s, p.type, p.address, p.length);
	if (old) { /* the same again: its conditions may have changed */
		free_conditions(old);
		old->conditions = p.conditions;
		old->n_conditions = p.n_conditions;
		old->lingering = false;
		step_point_inserted(s, old, false);
		watched_insert(s, old);
		return PACKET_OK;
	}
	p.number = p.type < '2' ? insert_code(s, &p) : insert_watch(s, &p);
	if (!p.number) {
		free_conditions(&p);
		return PACKET_NO_MEMORY;
	}
	s->threads->points = xgrow(s->threads->points, &s->threads->cap_points, s->threads->n_points + 1,
				   sizeof *s->threads->points);
	step_point_inserted(s, &p, true);
	s->threads->points[s->threads->n_points++] = p;
	watched_insert(s, &p);
	return PACKET_OK;
}

/* Code breakpoints are only noted as gone: see points_settle. */
enum packet_result packet_z(struct stub *s, const struct args *a, struct text *reply)
{
	(void)reply;
	if (!valid_type(a->v[0].v))
		return PACKET_REPLY;
	struct point *p = find_point(s, (char)a->v[0].v, a->v[1].v, a->v[2].v);
	if (!p)
		return PACKET_OK;
	watched_remove(s, p);
	if (p->type < '2')
		p->lingering = true;
	else
		points_drop(s, (size_t)(p - s->threads->points));
	return PACKET_OK;
}
