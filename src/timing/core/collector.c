/* One step of the operand collector moves instructions ID_OC -> collector unit -> OC_EX: units whose operands are all there leave,
 * every bank serves the head of its queue, and input ports fill free units.
 *
 * Units and banks are bits of 64-bit sets, so an empty stage is one test. A read request is a node, unit * SLOTS + slot; the banks'
 * queues are linked through `next`. */
#include "timing/core/collector.h"

#include <assert.h>
#include <stdlib.h>

#include "base/prefetch.h"
#include "base/xalloc.h"
#include "timing/core/core_valid.h"
#include "timing/timing.h"

#define UNITS_MAX 64u
#define BANKS_MAX 64u
#define DISPATCHERS_MAX 64u
#define SLOTS 8u

static_assert(TIMING_SRC_MAX <= SLOTS, "a source slot is a bit of not_ready");

struct collector_unit {
	uint32_t inst, pc;
	uint16_t warp;
	uint8_t not_ready; /* a bit per source slot */
	uint8_t unused;
};
struct bank_queue {
	uint16_t head, tail; /* nodes; valid while the bank's bit in `waiting` is set */
};
/* The write that took a bank. A read needs no such record: its unit keeps the instruction until the next step. */
struct bank_write {
	uint32_t pc;
	uint16_t warp;
	uint16_t out; /* number of the destination */
};
struct collector_state {
	uint64_t occupied, ready;	/* units; ready: all operands read */
	uint64_t waiting;		/* banks with a read request */
	uint64_t busy;			/* banks taken by a write in this step */
	uint64_t output[CORE_UNITS_MAX]; /* collector units whose instruction goes to each kind of function unit */
	uint32_t priority;		/* diagonal of the read arbitration */
	uint8_t last[DISPATCHERS_MAX];	/* unit of its set that a dispatcher served last */
	uint64_t read, wrote;		/* banks that did so in the last step: granted[], write[] say what */
	struct bank_queue queue[BANKS_MAX];
	uint16_t granted[BANKS_MAX];	/* node */
	struct collector_unit unit[UNITS_MAX];
	uint16_t next[UNITS_MAX * SLOTS];
	struct bank_write write[BANKS_MAX];
};
/* The layout of all collectors of a machine; shared by its cores, so that it stays in the host's cache. */
struct collector_layout {
	uint32_t banks, bank_mask; /* bank_mask: banks - 1 if that is a power of two, else 0 */
	uint32_t units, square;	   /* square: of the arbitration, max(banks, units) */
	const struct core_collector *row;	  /* the model's sets */
	uint32_t n_sets, first[CORE_COLLECTORS_MAX]; /* and the first unit of each */
	uint64_t set[CORE_COLLECTORS_MAX];	  /* units of it */
	uint32_t dispatchers;
	uint8_t dispatcher_set[DISPATCHERS_MAX];
	uint32_t general; /* the set of any instruction */
	uint8_t own[CORE_UNITS_MAX]; /* the set of each kind of function unit */
	uint32_t in_ports[CORE_COLLECTORS_MAX];
};

static uint64_t low_bits(uint32_t n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }
static unsigned lowest(uint64_t set) { return (unsigned)__builtin_ctzll(set); }

/* ---- making ---- */

static bool fits(const struct core_config *cfg)
{
	uint64_t units = 0, dispatchers = 0;
	for (unsigned set = 0; set < cfg->model->n_collectors; set++) {
		units += cfg->collector_units[set];
		dispatchers += cfg->collector_out[set];
	}
	return units <= UNITS_MAX && dispatchers <= DISPATCHERS_MAX && cfg->reg_banks && cfg->reg_banks <= BANKS_MAX;
}

/* Finds the set of each kind of function unit, and the general one. */
static void assign_sets(struct collector_layout *k, const struct core_model *m)
{
	const uint32_t all = (1u << m->n_units) - 1;
	for (uint32_t set = 0; set < m->n_collectors; set++) {
		const uint32_t units = m->collectors[set].units;
		if (units == all)
			k->general = set;
		else if (units)
			k->own[lowest(units)] = (uint8_t)set;
	}
}

static bool lay_out(struct collector_layout *k, const struct core_config *cfg)
{
	if (!fits(cfg))
		return false;
	k->row = cfg->model->collectors;
	k->n_sets = cfg->model->n_collectors;
	for (unsigned set = 0; set < k->n_sets; set++) {
		k->first[set] = k->units;
		k->units += cfg->collector_units[set];
		k->set[set] = low_bits(k->units) & ~low_bits(k->first[set]);
		k->in_ports[set] = cfg->collector_in[set];
		for (uint32_t d = 0; d < cfg->collector_out[set]; d++)
			k->dispatcher_set[k->dispatchers++] = (uint8_t)set;
	}
	assign_sets(k, cfg->model);
	k->banks = cfg->reg_banks;
	k->bank_mask = k->banks & (k->banks - 1) ? 0 : k->banks - 1;
	k->square = k->banks > k->units ? k->banks : k->units;
	return true;
}

bool collector_create(struct timing_memory *m, struct core *c)
{
	if (!c->t->collectors) {
		struct collector_layout *k = xcalloc(1, sizeof *k);
		if (!lay_out(k, c->cfg)) {
			free(k);
			return false;
		}
		c->t->collectors = k;
	}
	c->collector = timing_take(m, 1, sizeof *c->collector);
	return c->collector != NULL;
}

void collector_layout_free(struct collector_layout *k) { free(k); }

void collector_prefetch(const struct core *c)
{
	const struct collector_layout *k = c->t->collectors;
	const struct collector_state *s = c->collector;
	prefetch(s, offsetof(struct collector_state, unit) + k->units * sizeof s->unit[0]);
	prefetch(s->next, k->units * SLOTS * sizeof s->next[0]);
	prefetch(s->write, k->banks * sizeof s->write[0]);
}

/* ---- banks ---- */

static uint32_t bank_of(const struct collector_layout *k, int32_t reg, uint32_t warp)
{
	uint32_t at = (uint32_t)reg + warp;
	return k->bank_mask || k->banks == 1 ? at & k->bank_mask : at % k->banks;
}

static void request_read(const struct collector_layout *k, struct collector_state *s, uint32_t unit, unsigned slot, int32_t reg)
{
	uint32_t bank = bank_of(k, reg, s->unit[unit].warp);
	uint16_t node = (uint16_t)(unit * SLOTS + slot);
	if (s->waiting >> bank & 1)
		s->next[s->queue[bank].tail] = node;
	else
		s->queue[bank].head = node;
	s->queue[bank].tail = node;
	s->waiting |= UINT64_C(1) << bank;
}

static inline void grant_read(struct collector_state *s, uint32_t bank)
{
	uint16_t node = s->queue[bank].head;
	uint32_t unit = node / SLOTS, slot = node % SLOTS;
	struct collector_unit *u = &s->unit[unit];
	if (s->queue[bank].tail == node)
		s->waiting &= ~(UINT64_C(1) << bank);
	else
		s->queue[bank].head = s->next[node];
	s->granted[bank] = node;
	u->not_ready &= (uint8_t)~(1u << slot);
	s->ready |= (uint64_t)!u->not_ready << unit;
}

bool collector_shares_bank(const struct core *c, const struct inst *i)
{
	const struct timing_insn *ti = core_insn(c, i);
	uint64_t taken = 0;
	for (unsigned n = 0; n < ti->n_out; n++) {
		if (ti->out_reg[n] < 0)
			continue;
		const uint64_t bank = UINT64_C(1) << bank_of(c->t->collectors, ti->out_reg[n], i->warp);
		if (taken & bank)
			return true;
		taken |= bank;
	}
	return false;
}

bool collector_write_rest(struct core *c, const struct inst *i, uint8_t *written)
{
	const struct collector_layout *k = c->t->collectors;
	struct collector_state *s = c->collector;
	const struct timing_insn *ti = core_insn(c, i);
	for (unsigned n = 0; n < ti->n_out; n++) {
		if (ti->out_reg[n] < 0 || *written >> n & 1)
			continue;
		uint32_t bank = bank_of(k, ti->out_reg[n], i->warp);
		if (s->busy >> bank & 1)
			return false;
		s->busy |= UINT64_C(1) << bank;
		s->write[bank] = (struct bank_write){i->pc, i->warp, (uint16_t)n};
		*written |= (uint8_t)(1u << n);
	}
	return true;
}

bool collector_write(struct core *c, const struct inst *i)
{
	uint8_t written = 0;
	return collector_write_rest(c, i, &written);
}

/* ---- the step ---- */

/* Returns the collector units whose instruction finds an empty pipeline register in front of its function unit. */
static uint64_t units_with_room(const struct core *c, const struct collector_state *s)
{
	uint64_t units = s->occupied;
	for (uint32_t full = pipes_out_full(&c->s->pipes); full; full &= full - 1)
		units &= ~s->output[lowest(full)];
	return units;
}

/* Every dispatcher, round robin over its set, sends one complete instruction to its output register. */
static void dispatch(struct core *c, const struct collector_layout *k)
{
	struct collector_state *s = c->collector;
	uint64_t can_leave = s->ready & units_with_room(c, s);
	for (uint32_t d = 0; can_leave && d < k->dispatchers; d++) {
		unsigned set = k->dispatcher_set[d];
		uint64_t units = can_leave & k->set[set];
		if (!units)
			continue;
		units >>= k->first[set];
		uint64_t after = units & ~low_bits(s->last[d] + 1u);
		unsigned n = lowest(after ? after : units), unit = k->first[set] + n;
		uint64_t bit = UINT64_C(1) << unit;
		unsigned o = 0;
		while (!(s->output[o] & bit))
			o++;
		pipe_put(&c->s->pipes, PIPE_OUT(o), s->unit[unit].inst);
		s->unit[unit].inst = 0;
		s->occupied &= ~bit;
		s->ready &= ~bit;
		s->output[o] &= ~bit;
		s->last[d] = (uint8_t)n;
		can_leave &= ~bit & ~(c->s->pipes.full >> PIPE_OUT(o) & 1 ? s->output[o] : 0);
	}
}

/* The wavefront allocator walks the diagonals of the matrix banks x units, beginning with `priority`. A bank asks for one unit only (its
 * head's), so a unit gets the bank whose diagonal comes first. */
static uint64_t read_operands(const struct collector_layout *k, struct collector_state *s)
{
	uint16_t best[UNITS_MAX]; /* of a unit asked: diagonal and bank of the first */
	uint64_t asked = 0, granted = 0;
	const uint64_t banks = s->waiting & ~s->busy;
	if (!(banks & (banks - 1))) { /* no choice */
		grant_read(s, lowest(banks));
		return banks;
	}
	for (uint64_t left = banks; left; left &= left - 1) {
		unsigned bank = lowest(left), unit = s->queue[bank].head / SLOTS;
		const int32_t square = (int32_t)k->square;
		int32_t diagonal = (int32_t)unit - (int32_t)s->priority - (int32_t)bank; /* above -2 * square */
		diagonal += diagonal < 0 ? square : 0;
		diagonal += diagonal < 0 ? square : 0;
		const uint32_t other = asked >> unit & 1 ? best[unit] : UINT16_MAX, own = (uint32_t)diagonal << 8 | bank;
		asked |= UINT64_C(1) << unit;
		best[unit] = (uint16_t)(own < other ? own : other);
	}
	for (; asked; asked &= asked - 1) {
		const uint32_t bank = best[lowest(asked)] & 0xff;
		granted |= UINT64_C(1) << bank;
		grant_read(s, bank);
	}
	return granted;
}

/* An earlier source is the same register: 4.x reads it once. (Inlined, its loads would be made for 3.2.2, too.) */
static __attribute__((noinline)) bool is_read_already(const struct timing_insn *ti, unsigned slot)
{
	for (unsigned k = 0; k < slot; k++)
		if (ti->src_mask >> k & 1 && ti->src_reg[k] == ti->src_reg[slot])
			return true;
	return false;
}

/* 4.x: a unit may read several banks at once, so every bank that has a reader and no writer serves it. */
static uint64_t read_all_banks(struct collector_state *s)
{
	const uint64_t granted = s->waiting & ~s->busy;
	for (uint64_t left = granted; left; left &= left - 1)
		grant_read(s, lowest(left));
	return granted;
}

static void fill_unit(struct core *c, const struct collector_layout *k, uint32_t unit, unsigned kind)
{
	struct collector_state *s = c->collector;
	const uint32_t inst = pipe_take_oldest(c, &c->s->pipes, PIPE_IN(kind));
	struct inst *i = &c->inst[inst];
	const struct timing_insn *ti = core_insn(c, i);
	uint64_t bit = UINT64_C(1) << unit;
	struct collector_unit *u = &s->unit[unit];
	u->inst = inst;
	u->pc = i->pc;
	u->warp = i->warp;
	s->occupied |= bit;
	s->output[kind] |= bit;
	unsigned reads = 0;
	for (unsigned slots = ti->src_mask; slots; slots &= slots - 1) {
		unsigned slot = lowest(slots);
		if (ti->src_reg[slot] < 0 || (c->cfg->rules.reads_once && is_read_already(ti, slot)))
			continue;
		reads |= 1u << slot;
		request_read(k, s, unit, slot, ti->src_reg[slot]);
	}
	u->not_ready = (uint8_t)reads;
	if (!reads)
		s->ready |= bit;
}

/* Moves the oldest instruction of an input through one port. Returns false if no collector unit is free. */
static bool fill_from(struct core *c, const struct collector_layout *k, unsigned set, unsigned kind)
{
	const uint64_t occupied = c->collector->occupied;
	uint64_t units = k->set[set] & ~occupied;
	if (!units)
		units = k->set[k->general] & ~occupied;
	if (!units)
		return false;
	fill_unit(c, k, lowest(units), kind);
	return true;
}

/* Input ports in order: those of each kind, with its own units before the general ones, then the general ports, which see all inputs. A
 * port looks at its first input that has an instruction, and at no other even if there is no unit for it. */
static void allocate(struct core *c, const struct collector_layout *k, unsigned kinds)
{
	const struct core_pipes *p = &c->s->pipes;
	for (; kinds; kinds &= kinds - 1) {
		const unsigned kind = lowest(kinds), set = k->own[kind];
		for (uint32_t port = k->in_ports[set]; port && p->used >> PIPE_IN(kind) & 1; port--)
			if (!fill_from(c, k, set, kind))
				break;
	}
	for (uint32_t port = k->in_ports[k->general]; port && (kinds = pipes_in_used(p)); port--)
		if (!fill_from(c, k, k->general, lowest(kinds)))
			break;
}

void collector_step(struct core *c)
{
	const struct collector_layout *k = c->t->collectors;
	struct collector_state *s = c->collector;
	uint64_t reads = 0;
	if (s->ready)
		dispatch(c, k);
	if (s->waiting & ~s->busy)
		reads = c->cfg->rules.reads_all_banks ? read_all_banks(s) : read_operands(k, s);
	const unsigned kinds = pipes_in_used(&c->s->pipes);
	if (kinds)
		allocate(c, k, kinds);
	s->read = reads;
	s->wrote = s->busy;
	s->busy = 0;
	if (++s->priority == k->square)
		s->priority = 0;
}

bool collector_idle(const struct core *c) { return !c->collector->occupied && !pipes_in_used(&c->s->pipes); }

bool collector_stuck(const struct core *c)
{
	const struct collector_layout *k = c->t->collectors;
	const struct collector_state *s = c->collector;
	if (s->waiting | s->busy || s->ready & units_with_room(c, s))
		return false;
	for (unsigned kinds = pipes_in_used(&c->s->pipes); kinds; kinds &= kinds - 1)
		if ((k->set[k->own[lowest(kinds)]] | k->set[k->general]) & ~s->occupied)
			return false;
	return true;
}

void collector_skip(struct core *c, uint64_t steps)
{
	struct collector_state *s = c->collector;
	if (!steps)
		return;
	s->priority = (uint32_t)((s->priority + steps) % c->t->collectors->square);
	s->busy = s->read = s->wrote = 0;
}

/* ---- for observers ---- */

uint32_t collector_unit_count(const struct core *c) { return c->t->collectors->units; }

static const char *set_name(const struct collector_layout *k, uint32_t unit)
{
	uint32_t set = 0;
	while (!(k->set[set] >> unit & 1))
		set++;
	return k->row[set].name;
}

void collector_get_unit(const struct core *c, uint32_t unit, struct collector_unit_view *out)
{
	const struct collector_state *s = c->collector;
	*out = (struct collector_unit_view){s->unit[unit].inst, s->unit[unit].not_ready,
					    set_name(c->t->collectors, unit)};
}

static void print_queue(const struct core *c, uint32_t bank, struct text *out)
{
	const struct collector_state *s = c->collector;
	if (!(s->waiting >> bank & 1))
		return;
	for (uint16_t node = s->queue[bank].head;; node = s->next[node]) {
		const struct collector_unit *u = &s->unit[node / SLOTS];
		int32_t reg = c->program->insns[u->pc].src_reg[node % SLOTS];
		text_addf(out, " <R%d, CU:%u, w:%02u> ", reg, node / SLOTS, u->warp);
		if (node == s->queue[bank].tail)
			return;
	}
}

static void print_read(const struct core *c, uint32_t node, struct text *out)
{
	const struct collector_unit *u = &c->collector->unit[node / SLOTS];
	text_addf(out, "rd:  <R%d, CU:%u, w:%02u> \n", c->program->insns[u->pc].src_reg[node % SLOTS], node / SLOTS, u->warp);
}

static void print_write(const struct core *c, const struct bank_write *w, struct text *out)
{
	text_addf(out, "wr:  <R%d, wid:%02u> \n", c->program->insns[w->pc].out_reg[w->out], w->warp);
}

void collector_print_arbiter(const struct core *c, struct text *out)
{
	const struct collector_state *s = c->collector;
	const uint32_t banks = c->t->collectors->banks;
	text_add(out, "Arbiter State:\n  requests:\n");
	for (uint32_t bank = 0; bank < banks; bank++) {
		text_addf(out, "    bank %u : ", bank);
		print_queue(c, bank, out);
		text_addc(out, '\n');
	}
	text_add(out, "  grants:\n");
	for (uint32_t bank = 0; bank < banks; bank++) {
		text_addf(out, "    bank %u : ", bank);
		if (s->wrote >> bank & 1)
			print_write(c, &s->write[bank], out);
		else if (s->read >> bank & 1)
			print_read(c, s->granted[bank], out);
		else
			text_add(out, "<free>\n");
	}
}

/* ---- validation ---- */

static bool unit_is_valid(struct core_valid *k, uint32_t unit)
{
	const struct collector_state *s = k->c->collector;
	const struct collector_unit *u = &s->unit[unit];
	const uint64_t bit = UINT64_C(1) << unit;
	uint32_t outputs = 0;
	for (unsigned o = 0; o < CORE_UNITS_MAX; o++)
		outputs += (s->output[o] & bit) != 0;
	if (u->pc >= k->v->n_insns && u->pc)
		return false;
	if (!(s->occupied & bit))
		return !u->inst && !outputs && !(s->ready & bit);
	if (outputs != 1 || !core_claim_inst(k, u->inst, INST_IN_PIPE) || u->pc != k->c->inst[u->inst].pc ||
	    u->warp != k->c->inst[u->inst].warp || u->not_ready & ~k->c->program->insns[u->pc].src_mask)
		return false;
	return ((s->ready & bit) != 0) == !u->not_ready;
}

/* Returns true if each operand that has not been read is in one bank's queue once. */
static bool queues_are_valid(const struct core_valid *k)
{
	const struct collector_state *s = k->c->collector;
	const struct collector_layout *l = k->c->t->collectors;
	uint8_t queued[UNITS_MAX] = {0};
	for (uint64_t banks = s->waiting; banks; banks &= banks - 1) {
		const struct bank_queue *q = &s->queue[lowest(banks)];
		for (uint32_t node = q->head;; node = s->next[node]) {
			const uint32_t unit = node / SLOTS, slot = 1u << node % SLOTS;
			if (unit >= l->units || !(s->occupied >> unit & 1) || !(s->unit[unit].not_ready & slot) ||
			    queued[unit] & slot)
				return false;
			queued[unit] |= (uint8_t)slot;
			if (node == q->tail)
				break;
		}
	}
	for (uint32_t unit = 0; unit < l->units; unit++)
		if (s->occupied >> unit & 1 && queued[unit] != s->unit[unit].not_ready)
			return false;
	return true;
}

/* Returns true if the record of the last step, which displays show, names units and instructions that exist. */
static bool grants_are_valid(const struct core_valid *k)
{
	const struct collector_state *s = k->c->collector;
	for (uint32_t bank = 0; bank < k->c->t->collectors->banks; bank++)
		if (s->granted[bank] / SLOTS >= UNITS_MAX || s->granted[bank] % SLOTS >= TIMING_SRC_MAX ||
		    (s->write[bank].pc >= k->v->n_insns && s->write[bank].pc) || s->write[bank].out >= TIMING_OUT_MAX ||
		    (s->read >> bank & 1 && s->unit[s->granted[bank] / SLOTS].pc >= k->v->n_insns))
			return false;
	return true;
}

bool collector_is_valid(struct core_valid *k)
{
	const struct collector_state *s = k->c->collector;
	const struct collector_layout *l = k->c->t->collectors;
	const uint64_t banks = low_bits(l->banks), units = low_bits(l->units);
	uint64_t outputs = 0;
	for (unsigned o = 0; o < CORE_UNITS_MAX; o++)
		outputs |= s->output[o];
	if ((s->waiting | s->busy | s->read | s->wrote) & ~banks || (s->occupied | s->ready | outputs) & ~units ||
	    s->priority >= l->square)
		return false;
	for (uint32_t d = 0; d < l->dispatchers; d++)
		if (s->last[d] >= UNITS_MAX)
			return false;
	for (uint32_t unit = 0; unit < l->units; unit++)
		if (!unit_is_valid(k, unit))
			return false;
	return queues_are_valid(k) && grants_are_valid(k);
}
