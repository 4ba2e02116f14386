/* Pipelined function units, the result buses that make sure that EX_WB has room for what leaves them, and the stages around them.
 *
 * Pipelines and buses shift every cycle: they are rings, and shifting moves where they begin. */
#include "timing/core/units.h"

#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "timing/core/collector.h"
#include "timing/core/core_valid.h"
#include "timing/ldst/ldst.h"

#define RING UNITS_LATENCY_MAX

/* The rings lie apart: what every cycle looks at shares a cache line of the host. */
struct unit {
	uint32_t dispatch; /* inst, 0: empty */
	uint32_t n;	   /* instructions in it, with the dispatch register's */
	uint32_t head;	   /* where stage 0 is */
};
struct units_state {
	uint32_t bus_head, bus_cycles; /* where this cycle is; cycles in which a bus is taken */
	struct unit unit[];
};
static_assert(PIPE_WIDTH_MAX <= 16, "a result bus is a bit of 16");

struct units {
	struct units_state *s;
	uint16_t *bus;		  /* [RING] result buses taken, a bit each, by cycle */
	uint32_t (*stage)[RING]; /* of each unit */
	uint32_t first[CORE_UNITS_MAX + 1], n; /* units first[k] up to first[k + 1] are of kind k */
	uint32_t pipelines;	  /* sets of pipeline registers, a bit each: OC_EX_* of all pipelines */
	uint32_t ldst, ldst_set;  /* OC_EX_* of the LDST unit: its number, its bit */
	uint16_t buses;	  /* all of them */
};

struct units *units_create(struct timing_memory *m, struct core *c)
{
	struct units *u = xcalloc(1, sizeof *u);
	const uint32_t ldst = core_model_ldst(c->cfg->model);
	u->ldst = PIPE_OUT(ldst);
	u->ldst_set = 1u << u->ldst;
	for (unsigned kind = 0; kind < ldst; kind++) {
		u->first[kind + 1] = u->n += c->cfg->units[kind];
		u->pipelines |= 1u << PIPE_OUT(kind);
	}
	u->buses = (uint16_t)((1u << c->cfg->pipe_width[PIPE_WB]) - 1);
	u->s = timing_take(m, 1, sizeof *u->s + (uint64_t)u->n * sizeof u->s->unit[0]);
	u->bus = timing_take(m, RING, sizeof *u->bus);
	u->stage = timing_take(m, u->n, sizeof *u->stage);
	if (!u->s || !u->bus || !u->stage) {
		free(u);
		return NULL;
	}
	return u;
}

void units_destroy(struct units *u) { free(u); }

/* ---- execute ---- */

static void shift_buses(struct units *u)
{
	struct units_state *s = u->s;
	if (!s->bus_cycles)
		return;
	s->bus_cycles -= u->bus[s->bus_head] != 0;
	u->bus[s->bus_head] = 0;
	s->bus_head = (s->bus_head + 1) % RING;
}

/* Stage 0 leaves for writeback, the others move up, and the dispatch register enters the pipeline when its initiation interval is over. */
static void unit_cycle(struct core *c, struct unit *f, uint32_t stage[RING])
{
	uint32_t leaving = stage[f->head];
	if (leaving) {
		assert(!(c->s->pipes.full >> PIPE_WB & 1));
		pipe_put(&c->s->pipes, PIPE_WB, leaving);
		stage[f->head] = 0;
		f->n--;
	}
	f->head = (f->head + 1) % RING;
	if (!f->dispatch)
		return;
	struct inst *i = &c->inst[f->dispatch];
	if (i->dispatch)
		i->dispatch--;
	if (i->dispatch)
		return;
	const struct timing_insn *ti = core_insn(c, i);
	stage[(f->head + ti->latency - ti->initiation) % RING] = f->dispatch;
	f->dispatch = 0;
}

/* Only the oldest instruction of the set is looked at. It needs an empty dispatch register, no instruction that would leave the unit in the
 * same cycle, and a result bus in that cycle. */
static __attribute__((noinline)) void offer(struct core *c, struct units *u, unsigned kind, uint32_t unit)
{
	struct units_state *s = u->s;
	struct unit *f = &s->unit[unit];
	const struct pipe_set *from = &c->s->pipes.set[PIPE_OUT(kind)];
	const unsigned at = pipe_set_oldest(c, from);
	struct inst *i = &c->inst[from->reg[at]];
	const struct timing_insn *ti = core_insn(c, i);
	if (f->dispatch || !(ti->units >> kind & 1) || u->stage[unit][(f->head + ti->latency) % RING])
		return;
	uint16_t *bus = &u->bus[(s->bus_head + ti->latency) % RING];
	unsigned free_buses = u->buses & ~(unsigned)*bus;
	if (!free_buses)
		return;
	s->bus_cycles += !*bus;
	*bus |= (uint16_t)(free_buses & -free_buses);
	f->dispatch = pipe_take(&c->s->pipes, PIPE_OUT(kind), at);
	f->n++;
}

static void offer_all(struct core *c, struct units *u)
{
	const struct core_pipes *p = &c->s->pipes;
	for (uint32_t sets = p->used & u->pipelines; sets; sets &= sets - 1) {
		const unsigned kind = (unsigned)__builtin_ctz(sets) - PIPE_OUT(0);
		for (uint32_t unit = u->first[kind]; p->set[PIPE_OUT(kind)].used && unit < u->first[kind + 1]; unit++)
			offer(c, u, kind, unit);
	}
}

static void ldst_unit(struct core *c, uint64_t now)
{
	const uint32_t parts = c->cfg->warp_parts;
	for (uint32_t part = 0; part < parts; part++)
		ldst_cycle(c, now);
	if (c->s->pipes.used & c->units->ldst_set && ldst_accepts(c))
		ldst_issue(c, pipe_take_oldest(c, &c->s->pipes, c->units->ldst), now);
}

void units_execute(struct core *c, uint64_t now)
{
	struct units *u = c->units;
	shift_buses(u);
	/* an instruction that enters a unit does not affect the cycles of other units, so all cycles come first */
	for (uint32_t unit = 0; unit < u->n; unit++)
		if (u->s->unit[unit].n)
			unit_cycle(c, &u->s->unit[unit], u->stage[unit]);
	offer_all(c, u);
	ldst_unit(c, now);
}

/* ---- writeback ---- */

void units_writeback(struct core *c, uint64_t now)
{
	while (c->s->pipes.used >> PIPE_WB & 1) {
		uint32_t inst = pipe_take_oldest(c, &c->s->pipes, PIPE_WB);
		struct inst *i = &c->inst[inst];
		/* a bank conflict with another write is ignored: pipelines never stall for it */
		collector_write(c, i);
		scoreboard_release(c, i->warp, core_insn(c, i), true);
		core_leave_pipeline(c, i->warp);
		core_complete(c, i, now);
		core_free_inst(c, inst);
		c->s->cycle_of_last_writeback = now;
	}
}

bool units_stuck(const struct core *c)
{
	const struct units_state *s = c->units->s;
	if (s->bus_cycles || c->s->pipes.used & (c->units->pipelines | 1u << PIPE_WB))
		return false;
	for (uint32_t unit = 0; unit < c->units->n; unit++)
		if (s->unit[unit].n)
			return false;
	return true;
}

bool units_idle(const struct core *c) { return !(c->s->pipes.used & c->units->ldst_set) && units_stuck(c); }

/* ---- for observers ---- */

uint32_t units_count(const struct core *c) { return c->units->n; }
const struct core_unit *unit_kind_of(const struct core *c, uint32_t unit)
{
	uint32_t kind = 0;
	while (unit >= c->units->first[kind + 1])
		kind++;
	return &c->cfg->model->units[kind];
}

uint32_t unit_dispatch(const struct core *c, uint32_t unit) { return c->units->s->unit[unit].dispatch; }
uint32_t unit_stages(const struct core *c, uint32_t unit) { return unit_kind_of(c, unit)->stages; }

uint32_t unit_stage(const struct core *c, uint32_t unit, uint32_t stage)
{
	return c->units->stage[unit][(c->units->s->unit[unit].head + stage) % RING];
}

uint32_t units_bus_count(const struct core *c) { return c->cfg->pipe_width[PIPE_WB]; }

bool units_bus_busy(const struct core *c, uint32_t bus, uint32_t in_cycles)
{
	const struct units *u = c->units;
	return in_cycles < RING && u->bus[(u->s->bus_head + in_cycles) % RING] >> bus & 1;
}

/* ---- validation ---- */

/* Instructions that leave units in the same cycle have a result bus each. */
static bool unit_is_valid(struct core_valid *k, uint32_t unit, uint32_t leaving[RING])
{
	const struct unit *f = &k->c->units->s->unit[unit];
	const uint32_t *stage = k->c->units->stage[unit];
	uint32_t n = f->dispatch != 0;
	if (f->head >= RING)
		return false;
	for (uint32_t at = 0; at < RING; at++) {
		const uint32_t inst = stage[(f->head + at) % RING];
		if (!inst)
			continue;
		if (!core_claim_inst(k, inst, INST_IN_PIPE))
			return false;
		leaving[at]++;
		n++;
	}
	if (n != f->n)
		return false;
	if (!f->dispatch)
		return true;
	if (!core_claim_inst(k, f->dispatch, INST_IN_PIPE))
		return false;
	const struct inst *i = &k->c->inst[f->dispatch];
	const struct timing_insn *ti = core_insn(k->c, i);
	/* it enters the pipeline when its initiation interval is over, and leaves after the rest of its latency */
	const uint32_t enters = i->dispatch ? i->dispatch : 1, rest = (uint32_t)(ti->latency - ti->initiation) % RING;
	const uint32_t at = enters + rest;
	if (at >= RING || stage[(f->head + at) % RING])
		return false;
	leaving[at]++;
	return true;
}

bool units_are_valid(struct core_valid *k)
{
	const struct units *u = k->c->units;
	uint32_t leaving[RING] = {0}, cycles = 0;
	if (u->s->bus_head >= RING)
		return false;
	for (uint32_t unit = 0; unit < u->n; unit++)
		if (!unit_is_valid(k, unit, leaving))
			return false;
	for (uint32_t at = 0; at < RING; at++) {
		const unsigned taken = u->bus[(u->s->bus_head + at) % RING];
		if (taken & ~(unsigned)u->buses || leaving[at] > (uint32_t)__builtin_popcount(taken))
			return false;
		cycles += taken != 0;
	}
	return cycles == u->s->bus_cycles;
}
