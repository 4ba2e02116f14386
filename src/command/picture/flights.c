/* Records each stage of each instruction, what warps wait for between them, and the requests of memory, while a launch is run again. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/picture/picture.h"
#include "debug/describe.h"
#include "timing/core/collector.h"
#include "timing/core/units.h"

#define REGISTERS_MOST 4096u /* of a warp, whose writers are remembered */

const char *const flight_letters[FLIGHT_STAGE_COUNT] = {
#define X(name, letters, words) letters,
	FLIGHT_STAGES(X)
#undef X
};
const char *const flight_words[FLIGHT_STAGE_COUNT] = {
#define X(name, letters, words) words,
	FLIGHT_STAGES(X)
#undef X
};

/* The front end of a warp: when the entries of its I-buffer were fetched and filled. */
struct flight_front {
	uint64_t fetched, filled[2];
	uint32_t pc[2];
	bool is_fetching, valid[2];
};

static size_t at(const struct flights *f, uint32_t core, uint32_t warp) { return (size_t)core * f->t->cfg->core.n_warps + warp; }

static bool is_wanted(const struct flights *f, uint32_t core, uint32_t warp)
{
	return (f->core < 0 || (uint32_t)f->core == core) && warp >= f->low && warp <= f->high;
}

void flights_begin(struct flights *f, struct debug *d, int64_t core, uint64_t first, uint64_t last)
{
	*f = (struct flights){.d = d, .core = core, .high = CORE_WARPS_MAX, .first = first, .last = last, .most = 1000000};
}

void flights_free(struct flights *f)
{
	free(f->v);
	free(f->wait);
	free(f->request);
	free(f->step);
	free(f->by_inst);
	free(f->by_request);
	free(f->open);
	free(f->front);
	free(f->writer);
	*f = (struct flights){.d = f->d};
}

void flights_start(struct flights *f, struct timing *t)
{
	const size_t warps = (size_t)t->cfg->core.n_cores * t->cfg->core.n_warps;
	f->t = t;
	f->by_inst = xcalloc((size_t)t->cfg->core.n_cores * CORE_INSTS, sizeof *f->by_inst);
	f->open = xcalloc(warps, sizeof *f->open);
	f->front = xcalloc(warps, sizeof *f->front);
	f->n_registers = t->program.max_register + 1 < REGISTERS_MOST ? t->program.max_register + 1 : REGISTERS_MOST;
	f->writer = xcalloc(warps * f->n_registers, sizeof *f->writer);
}

/* ---- issue ---- */

static void note_producers(struct flights *f, struct flight *v, const struct timing_insn *ti)
{
	uint32_t *writer = &f->writer[at(f, v->core, v->warp) * f->n_registers];
	unsigned n = 0;
	for (unsigned k = 0; k < ti->n_check && n < FLIGHT_PRODUCERS; k++) {
		const uint32_t number = ti->check[k], by = number < f->n_registers ? writer[number] : 0;
		bool is_new = by != 0;
		for (unsigned i = 0; i < n; i++)
			is_new = is_new && v->producer[i] != by;
		for (unsigned i = 0; i < ti->n_out; i++)
			is_new = is_new && (ti->out[i] != number || ti->n_in == 0 || number == ti->in[0] || number == ti->in[1]);
		if (is_new)
			v->producer[n++] = by;
	}
	for (unsigned i = 0; i < ti->n_out; i++)
		if (ti->out[i] < f->n_registers)
			writer[ti->out[i]] = (uint32_t)f->n;
}

void flights_issue(struct flights *f, struct core *c, uint32_t inst, uint64_t now)
{
	const struct inst *i = &c->inst[inst];
	if (now < f->first || now > f->last || !is_wanted(f, c->id, i->warp))
		return;
	f->is_cut = f->is_cut || f->n >= f->most;
	if (f->is_cut)
		return;
	const struct core_warp *w = &c->warp[i->warp];
	const struct flight_front *e = &f->front[at(f, c->id, i->warp)];
	f->v = xgrow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	struct flight *v = &f->v[f->n++];
	*v = (struct flight){.uid = i->uid, .block = f->t->cta[w->cta_slot].linear, .done = FLIGHT_NEVER, .seen = now, .pc = i->pc, .lanes = i->issue_mask,
			     .core = c->id, .n_accesses = i->n_accesses, .warp = i->warp, .index = w->index};
	for (unsigned k = 0; k < FLIGHT_STAGE_COUNT; k++)
		v->at[k] = FLIGHT_NEVER;
	v->at[FLIGHT_ISSUE] = now;
	for (unsigned k = 0; k < 2; k++)
		if (e->pc[k] == i->pc && e->filled[k] <= now && e->filled[k]) {
			v->at[FLIGHT_DECODE] = e->filled[k];
			v->at[FLIGHT_FETCH] = e->fetched && e->fetched < e->filled[k] ? e->fetched : e->filled[k] - 1;
		}
	f->by_inst[(size_t)c->id * CORE_INSTS + inst] = (uint32_t)f->n;
	note_producers(f, v, core_insn(c, i));
}

void flights_complete(struct flights *f, const struct inst *i, uint64_t now)
{
	for (size_t k = f->n; k-- > 0 && f->v[k].uid >= i->uid;)
		if (f->v[k].uid == i->uid) {
			f->v[k].done = now;
			return;
		}
}

/* ---- each cycle ---- */

static struct flight *flight_of(struct flights *f, const struct core *c, uint32_t inst)
{
	const uint32_t k = inst ? f->by_inst[(size_t)c->id * CORE_INSTS + inst] : 0;
	return k && f->v[k - 1].uid == c->inst[inst].uid ? &f->v[k - 1] : NULL;
}

static void reach(struct flights *f, const struct core *c, uint32_t inst, enum flight_stage stage, uint64_t now)
{
	struct flight *v = flight_of(f, c, inst);
	if (!v)
		return;
	v->seen = now;
	if (v->at[stage] == FLIGHT_NEVER)
		v->at[stage] = now;
}

static void look_at_pipes(struct flights *f, const struct core *c, uint64_t now)
{
	const struct core_model *m = c->cfg->model;
	for (uint32_t k = 0; k < core_pipe_count(m); k++) {
		const unsigned set = core_pipe_at(m, k);
		const struct pipe_set *p = &c->s->pipes.set[set];
		for (uint32_t left = p->used; left; left &= left - 1)
			reach(f, c, p->reg[__builtin_ctz(left)], k < m->n_units ? FLIGHT_ISSUE : set == PIPE_WB ? FLIGHT_WRITEBACK : FLIGHT_COLLECTED, now);
	}
	for (uint32_t k = 0; k < collector_unit_count(c); k++) {
		struct collector_unit_view u;
		collector_get_unit(c, k, &u);
		reach(f, c, u.inst, FLIGHT_COLLECT, now);
	}
	for (uint32_t k = 0; k < units_count(c); k++) {
		reach(f, c, unit_dispatch(c, k), FLIGHT_EXECUTE, now);
		for (uint32_t stage = 0; stage < unit_stages(c, k); stage++)
			reach(f, c, unit_stage(c, k, stage), FLIGHT_EXECUTE, now);
	}
}

/* What has left the operand collector for the LDST unit is in no pipeline that is looked at. */
static void look_at_memory(struct flights *f, const struct core *c, uint64_t now)
{
	for (size_t k = f->n; k-- > 0;) {
		struct flight *v = &f->v[k];
		if (now - v->at[FLIGHT_ISSUE] > 4096)
			break;
		const uint8_t class = f->t->program.insns[v->pc].class;
		if (v->core != c->id || v->done != FLIGHT_NEVER || v->at[FLIGHT_MEMORY] != FLIGHT_NEVER || (class != TIMING_LOAD && class != TIMING_STORE))
			continue;
		if (v->seen < now)
			v->at[FLIGHT_MEMORY] = now;
	}
}

static void look_at_front(struct flights *f, const struct core *c, uint32_t warp, uint64_t now)
{
	struct flight_front *e = &f->front[at(f, c->id, warp)];
	const struct core_warp *w = &c->warp[warp];
	const bool is_fetching = w->imiss || (c->s->fetch_valid && c->s->fetch_warp == warp);
	if (is_fetching && !e->is_fetching)
		e->fetched = now;
	e->is_fetching = is_fetching;
	for (unsigned k = 0; k < 2; k++) {
		if (w->ibuffer[k].valid && (!e->valid[k] || e->pc[k] != w->ibuffer[k].pc)) {
			e->pc[k] = w->ibuffer[k].pc;
			e->filled[k] = now;
		}
		e->valid[k] = w->ibuffer[k].valid;
	}
}

static void look_at_warp(struct flights *f, const struct core *c, uint32_t warp, uint64_t now)
{
	size_t *open = &f->open[at(f, c->id, warp)];
	const enum warp_wait wait = dump_warp_wait(c, warp);
	uint32_t pc = UINT32_MAX;
	if (!dump_warp_pc(c, warp, &pc))
		pc = UINT32_MAX;
	struct flight_wait *w = *open ? &f->wait[*open - 1] : NULL;
	if (w && w->wait == wait && w->pc == pc && w->end == now) {
		w->end = now + 1;
		return;
	}
	*open = 0;
	if (wait == WAIT_GONE)
		return;
	f->wait = xgrow(f->wait, &f->cap_waits, f->n_waits + 1, sizeof *f->wait);
	f->wait[f->n_waits++] =
		(struct flight_wait){.first = now, .end = now + 1, .core = c->id, .pc = pc, .warp = (uint16_t)warp, .wait = (uint8_t)wait};
	*open = f->n_waits;
}

void flights_tick(struct flights *f, uint64_t now)
{
	const struct core_config *cfg = &f->t->cfg->core;
	if (now + 64 < f->first)
		return;
	for (uint32_t k = 0; k < cfg->n_cores; k++) {
		const struct core *c = &f->t->core[k];
		if (f->core >= 0 && (uint32_t)f->core != k)
			continue;
		if (f->n && !c->textbook) {
			look_at_pipes(f, c, now);
			look_at_memory(f, c, now);
		}
		for (uint64_t live = c->s->live; live; live &= live - 1) {
			const uint32_t warp = (uint32_t)__builtin_ctzll(live);
			if (!is_wanted(f, k, warp))
				continue;
			look_at_front(f, c, warp, now);
			if (now >= f->first && now <= f->last)
				look_at_warp(f, c, warp, now);
		}
	}
}

/* ---- requests ---- */

static struct flight_request *new_request(struct flights *f, uint32_t r)
{
	const struct mem_request *m = request_at(&f->t->requests, r);
	if (r >= f->n_by_request) {
		const uint32_t n = (r + 1) * 2;
		f->by_request = xrealloc(f->by_request, n * sizeof *f->by_request);
		memset(f->by_request + f->n_by_request, 0, (n - f->n_by_request) * sizeof *f->by_request);
		f->n_by_request = n;
	}
	f->request = xgrow(f->request, &f->cap_requests, f->n_requests + 1, sizeof *f->request);
	struct flight_request *q = &f->request[f->n_requests++];
	*q = (struct flight_request){.uid = m->uid, .created = m->created, .deleted = FLIGHT_NEVER, .pc = REQUEST_NO_PC, .core = UINT32_MAX};
	f->by_request[r] = (uint32_t)f->n_requests;
	return q;
}

/* Copies what is known of a request by now. */
static void learn(struct flights *f, const struct mem_request *m, struct flight_request *q)
{
	if (m->pc == REQUEST_NO_PC || q->pc != REQUEST_NO_PC)
		return;
	q->pc = m->pc;
	q->address = m->address;
	q->size = m->size;
	q->core = m->core;
	q->partition = m->dram.channel;
	q->warp = m->warp;
	q->type = m->type;
	q->is_write = m->is_write;
	if (m->core < f->t->cfg->core.n_cores && m->inst && m->inst < CORE_INSTS) {
		const struct flight *v = flight_of(f, &f->t->core[m->core], m->inst);
		q->flight = v ? (uint32_t)(v - f->v) + 1 : 0;
	}
}

void flights_request(struct flights *f, uint32_t r, enum request_status before)
{
	const struct mem_request *m = request_at(&f->t->requests, r);
	const uint64_t now = gpu_cycle(f->d->g);
	const bool is_new = before == m->status;
	if (is_new && (now < f->first || now > f->last))
		return;
	if (!is_new && (r >= f->n_by_request || !f->by_request[r]))
		return;
	struct flight_request *q = is_new ? new_request(f, r) : &f->request[f->by_request[r] - 1];
	learn(f, m, q);
	if (m->status == REQUEST_MEM_FETCH_DELETED) {
		q->deleted = now;
		f->by_request[r] = 0;
		return;
	}
	f->step = xgrow(f->step, &f->cap_steps, f->n_steps + 1, sizeof *f->step);
	f->step[f->n_steps++] = (struct flight_step){.cycle = now, .request = (uint32_t)(q - f->request), .status = m->status};
}

/* ---- the end ---- */

void flights_end(struct flights *f)
{
	for (size_t k = 0; k < f->n; k++) {
		struct flight *v = &f->v[k];
		if (v->done == FLIGHT_NEVER && v->seen > v->at[FLIGHT_ISSUE])
			v->done = v->seen + 1;
	}
}

/* ---- the run ---- */

/* Recordings of one run. */
struct recordings {
	struct flights *f;
	unsigned n;
};

static uint64_t run_up(const struct flights *f) { return f->first > 256 ? f->first - 256 : 0; }
static uint64_t run_out(const struct flights *f) { return f->last + 600; }

static bool is_under_way(const struct flights *f, uint64_t now) { return now >= run_up(f) && now <= run_out(f); }

static void begin(void *self, struct timing *t)
{
	struct recordings *r = self;
	for (unsigned k = 0; k < r->n; k++)
		flights_start(&r->f[k], t);
}

static void on_issue(void *self, struct core *c, uint32_t inst, uint64_t now)
{
	const struct recordings *r = self;
	for (unsigned k = 0; k < r->n; k++)
		if (is_under_way(&r->f[k], now))
			flights_issue(&r->f[k], c, inst, now);
}

static void on_complete(void *self, const struct inst *i, uint64_t now)
{
	const struct recordings *r = self;
	for (unsigned k = 0; k < r->n; k++)
		if (is_under_way(&r->f[k], now))
			flights_complete(&r->f[k], i, now);
}

static void on_request(void *self, uint32_t request, enum request_status before)
{
	const struct recordings *r = self;
	for (unsigned k = 0; k < r->n; k++)
		flights_request(&r->f[k], request, before);
}

static void on_tick(void *self, uint32_t domains, uint64_t now)
{
	const struct recordings *r = self;
	for (unsigned k = 0; k < r->n; k++)
		if ((domains & 1u) && is_under_way(&r->f[k], now)) /* of the core clock */
			flights_tick(&r->f[k], now);
}

bool flights_record(struct history *h, struct flights *f, unsigned n, uint32_t launch, struct text *why)
{
	struct recordings r = {.f = f, .n = n};
	const struct replay_observer observer = {.hooks = {.self = &r,
							   .on_issue = on_issue,
							   .on_complete = on_complete,
							   .on_tick = on_tick,
							   .requests = {&r, f->wants_requests ? on_request : NULL}},
						 .begin = begin};
	const struct again a = {.launch = launch, .first = run_up(f), .last = run_out(&f[n - 1]), .machine = &observer};
	const bool ok = history_run_again(h, &a, why);
	for (unsigned k = 0; k < n; k++)
		flights_end(&f[k]);
	return ok;
}

/* ---- as data ---- */

static void describe_flight(const struct flights *f, const struct flight *v, struct report *answer)
{
	report_open(answer, NULL);
	report_number(answer, "core", v->core);
	report_number(answer, "warp", v->warp);
	report_number(answer, "pc", v->pc);
	report_lanes(answer, "lanes", v->lanes);
	report_list(answer, "stages");
	for (unsigned k = 0; k < FLIGHT_STAGE_COUNT; k++)
		if (v->at[k] == FLIGHT_NEVER)
			report_none(answer, NULL, "-");
		else
			report_number(answer, NULL, v->at[k]);
	report_close(answer);
	if (v->done != FLIGHT_NEVER)
		report_number(answer, "done", v->done);
	if (v->producer[0]) {
		report_list(answer, "producers");
		for (unsigned k = 0; k < FLIGHT_PRODUCERS && v->producer[k]; k++)
			report_number(answer, NULL, v->producer[k] - 1);
		report_close(answer);
	}
	(void)f;
	report_close(answer);
}

void flights_describe(const struct flights *f, uint64_t cycles, struct report *answer)
{
	const uint64_t end = f->last - f->first < cycles ? f->last + 1 : f->first + cycles;
	report_number(answer, "last_cycle", end - 1);
	report_list(answer, "stages");
	for (unsigned k = 0; k < FLIGHT_STAGE_COUNT; k++)
		report_text(answer, NULL, flight_words[k]);
	report_close(answer);
	report_list(answer, "instructions");
	for (size_t k = 0; k < f->n && f->v[k].at[FLIGHT_ISSUE] < end; k++)
		describe_flight(f, &f->v[k], answer);
	report_close(answer);
	report_list(answer, "waits");
	for (size_t k = 0; k < f->n_waits && f->wait[k].first < end; k++) {
		const struct flight_wait *w = &f->wait[k];
		report_list(answer, NULL); /* core, warp, reason, first cycle, cycles */
		report_number(answer, NULL, w->core);
		report_number(answer, NULL, w->warp);
		report_number(answer, NULL, w->wait);
		report_number(answer, NULL, w->first);
		report_number(answer, NULL, (w->end < end ? w->end : end) - w->first);
		report_close(answer);
	}
	report_close(answer);
}
