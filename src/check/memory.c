/* The memory checker: accesses that exec finds to be wrong, to the byte of what was allocated or declared, and frees of what can't be freed. */
#include "check/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "check/memory_limits.h"

struct memory {
	struct check *c;
	struct memory_limits limits;
};

static void *create(struct check *c)
{
	struct memory *m = xcalloc(1, sizeof *m);
	m->c = c;
	return m;
}

static void destroy(void *self)
{
	struct memory *m = self;
	memory_limits_free(&m->limits);
	free(m);
}

static enum check_kind kind_of(const struct exec_wrong *w, unsigned lane, const struct check_finding *f)
{
	const struct gpu_allocation *const near = &f->near;
	if (w->fault[lane] == EXEC_FAULT_MISALIGNED)
		return CHECK_MISALIGNED;
	const bool inside = f->has_near && w->address[lane] - near->address < near->bytes;
	return inside && !near->live && !near->alias && !near->reserved ? CHECK_USE_AFTER_FREE : CHECK_OUT_OF_BOUNDS;
}

/* Where the only piece of memory that a space has ends. */
static uint64_t end_of(const struct exec *x, unsigned space)
{
	switch (space) {
	case ISA_SPACE_SHARED: return x->shared_bytes;
	case ISA_SPACE_LOCAL: return x->top->local_top;
	case ISA_SPACE_PARAM: return x->param_bytes;
	default: return x->const_bytes;
	}
}

/* Stores the variable that the instruction's address is computed from, if the address lies outside of it, but in the space's memory. */
static void note_variable(const struct exec *x, const struct memory_limits *limits, uint64_t offset, struct check_finding *f)
{
	const struct exec_limit *const l = x->pc < limits->table.n ? &limits->table.at[x->pc] : NULL;
	if (!l || !l->end || l->space != f->access.space || offset >= f->end || f->kind != CHECK_OUT_OF_BOUNDS)
		return;
	const uint64_t frame = l->space == ISA_SPACE_LOCAL ? x->local_sp : 0;
	f->variable = (l->is_dynamic ? x->launch->dynamic_base : l->first) + frame;
	f->variable_end = (l->is_dynamic ? x->shared_bytes : l->end) + frame;
}

static void describe(const struct memory *m, const struct exec *x, const struct exec_wrong *w, unsigned lane,
		     struct check_finding *f)
{
	static const uint64_t window[ISA_SPACE_COUNT] = {[ISA_SPACE_SHARED] = EXEC_SHARED_WINDOW,
							 [ISA_SPACE_LOCAL] = EXEC_LOCAL_WINDOW,
							 [ISA_SPACE_PARAM] = EXEC_PARAM_WINDOW,
							 [ISA_SPACE_CONST] = EXEC_CONST_WINDOW};
	struct check *const c = m->c;
	const unsigned space = w->space[lane];
	const bool global = space == ISA_SPACE_GLOBAL;
	const uint64_t address = global ? gpu_device_address_beside(check_gpu(c), w->address[lane]) : w->address[lane];
	*f = (struct check_finding){.fault = w->fault[lane]};
	if (global)
		check_near(c, address, f);
	else
		f->end = end_of(x, space);
	f->kind = (uint8_t)kind_of(w, lane, f);
	check_thread(x, lane, &f->access);
	f->access.op = w->is_atomic ? CHECK_OP_ATOMIC : w->is_write ? CHECK_OP_WRITE : CHECK_OP_READ;
	f->access.space = (uint8_t)space;
	f->access.size = w->size;
	f->access.has_address = true;
	f->access.address = address + window[space];
	note_variable(x, &m->limits, address, f);
}

/* Lanes that do the same wrong thing in the same space are told together. */
static enum exec_judgement wrong(void *self, const struct exec *x, const struct exec_wrong *w)
{
	const struct memory *m = self;
	bool stop = false;
	for (uint32_t left = w->lanes; left;) {
		struct check_finding f, other;
		uint32_t same = 0;
		describe(m, x, w, lanes_first(left), &f);
		LANES_EACH (l, left) {
			describe(m, x, w, l, &other);
			if (other.kind == f.kind && other.access.space == f.access.space)
				same |= lanes_bit(l);
		}
		stop |= check_report(m->c, &f, same);
		left &= ~same;
	}
	return stop ? EXEC_JUDGE_STOP : EXEC_JUDGE_SKIP;
}

static enum exec_judgement wrong_free(void *self, const struct exec *x, unsigned lane, uint64_t address,
				      enum exec_heap_state state, bool again)
{
	struct check *c = ((struct memory *)self)->c;
	struct check_finding f = {.kind = again || state == EXEC_HEAP_FREED ? CHECK_DOUBLE_FREE : CHECK_INVALID_FREE};
	check_thread(x, lane, &f.access);
	check_near(c, address, &f);
	f.access.op = CHECK_OP_FREE;
	f.access.space = ISA_SPACE_GLOBAL;
	f.access.has_address = true;
	f.access.address = address;
	return check_report(c, &f, lanes_bit(lane)) ? EXEC_JUDGE_STOP : EXEC_JUDGE_SKIP;
}

void check_host_free(struct check *c, const struct check_free *wrong)
{
	struct check_finding f = {0};
	if (!(check_on(c) >> CHECK_MEMORY & 1))
		return;
	check_near(c, wrong->address, &f);
	const bool freed = f.has_near && !f.near.live && !f.near.reserved && f.near.address == wrong->address;
	f.kind = freed || wrong->again ? CHECK_DOUBLE_FREE : CHECK_INVALID_FREE;
	f.access = (struct check_access){.op = CHECK_OP_FREE,
					 .by_host = true,
					 .context = wrong->context,
					 .caller = wrong->caller,
					 .space = ISA_SPACE_GLOBAL,
					 .has_address = true,
					 .address = wrong->address};
	check_report(c, &f, 0);
}

void check_host_call(struct check *c, const struct check_call *call)
{
	struct check_finding f = {.kind = CHECK_API_ERROR, .bytes = call->bytes, .usable = call->usable};
	struct check_access *const a = &f.access;
	if (!(check_on(c) >> CHECK_MEMORY & 1))
		return;
	a->op = CHECK_OP_API;
	a->by_host = true;
	a->context = call->context;
	a->caller = call->caller;
	a->has_address = call->address != 0;
	a->address = call->address;
	if (call->address) {
		a->space = ISA_SPACE_GLOBAL;
		check_near(c, call->address, &f);
	}
	snprintf(f.call, sizeof f.call, "%s", call->name);
	snprintf(f.error, sizeof f.error, "%s", call->error);
	snprintf(f.detail, sizeof f.detail, "%s", call->detail);
	check_report(c, &f, 0);
}

void check_leak(struct check *c, const struct gpu_allocation *a)
{
	struct check_finding f = {.kind = CHECK_LEAK, .bytes = a->bytes};
	check_near(c, a->address, &f);
	f.access.space = ISA_SPACE_GLOBAL;
	f.access.has_address = true;
	f.access.address = a->address;
	check_report(c, &f, 0);
}

/* ---- variables ---- */

static const struct exec_limits *limits(void *self)
{
	struct memory *m = self;
	memory_limits_update(&m->limits, m->c, gpu_exec(check_gpu(m->c))->program);
	return &m->limits.table;
}

/* Launches may be of modules that were loaded since. */
static void input(void *self, const struct gpu_input *in, int64_t result)
{
	(void)in, (void)result;
	limits(self);
}

static void launched(void *self, const struct exec *x, unsigned lane)
{
	(void)x, (void)lane;
	limits(self);
}

const struct check_engine check_engine_memory = {.local_frames = true,
						 .limits = limits,
						 .create = create,
						 .destroy = destroy,
						 .input = input,
						 .launched = launched,
						 .wrong = wrong,
						 .wrong_free = wrong_free};
