/* One step of the operand collector moves instructions ID_OC -> collector unit -> OC_EX: units whose operands are all there leave,
 * every bank serves the head of its queue, and input ports fill free units.
 *
 * Units and banks are bits of 64-bit sets, so an empty stage is one test. A read request is a node, unit * SLOTS + slot; the banks'
 * queues are linked through `next`. */
#include "timing/collector.h"

#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"

#define UNITS_MAX 64u
#define BANKS_MAX 64u
#define DISPATCHERS_MAX 64u
#define SLOTS 8u
#define OUTPUTS 3u /* OC_EX_SP, OC_EX_SFU, OC_EX_MEM; input and output of one kind have the same number */

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
struct grant {
	uint32_t pc;
	uint16_t warp;
	uint8_t unit;
	uint8_t operand; /* source slot, or GRANT_WRITE + number of the destination */
};
#define GRANT_WRITE 128u
struct collector_state {
	uint64_t occupied, ready;	/* units; ready: all operands read */
	uint64_t output[OUTPUTS];	/* units whose instruction leaves there */
	uint64_t waiting;		/* banks with a read request */
	uint64_t busy;			/* banks taken by a write in this step */
	uint64_t granted;		/* banks that read or wrote in the last step: grant[] says what */
	uint32_t priority;		/* diagonal of the read arbitration */
	uint8_t last[DISPATCHERS_MAX];	/* unit of its set that a dispatcher served last */
	struct collector_unit unit[UNITS_MAX];
	struct bank_queue queue[BANKS_MAX];
	uint16_t next[UNITS_MAX * SLOTS];
	struct grant grant[BANKS_MAX];
};
struct collector {
	struct collector_state *s;
	uint32_t banks, bank_mask; /* bank_mask: banks - 1 if that is a power of two, else 0 */
	uint32_t units, square;	   /* square: of the arbitration, max(banks, units) */
	uint32_t first[COLLECTOR_SETS], count[COLLECTOR_SETS];
	uint64_t set[COLLECTOR_SETS]; /* units of it */
	uint32_t dispatchers;
	uint8_t dispatcher_set[DISPATCHERS_MAX];
	uint32_t in_ports[COLLECTOR_SETS];
};

static uint64_t low_bits(uint32_t n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }
static unsigned lowest(uint64_t set) { return (unsigned)__builtin_ctzll(set); }

/* ---- making ---- */

static bool lay_out(struct collector *k, const struct core_config *cfg)
{
	for (unsigned set = 0; set < COLLECTOR_SETS; set++) {
		if (cfg->collector_units[set] + cfg->collector_gap + cfg->collector_tail > UNITS_MAX - k->units ||
		    cfg->collector_out[set] > DISPATCHERS_MAX - k->dispatchers)
			return false;
		if (set == COLLECTOR_SFU)
			k->units += cfg->collector_gap;
		k->first[set] = k->units;
		k->count[set] = cfg->collector_units[set];
		k->units += k->count[set];
		k->set[set] = low_bits(k->units) & ~low_bits(k->first[set]);
		k->in_ports[set] = cfg->collector_in[set];
		for (uint32_t d = 0; d < cfg->collector_out[set]; d++)
			k->dispatcher_set[k->dispatchers++] = (uint8_t)set;
	}
	k->units += cfg->collector_tail;
	if (k->units > UNITS_MAX)
		return false;
	k->banks = cfg->reg_banks;
	if (!k->banks || k->banks > BANKS_MAX)
		return false;
	k->bank_mask = k->banks & (k->banks - 1) ? 0 : k->banks - 1;
	k->square = k->banks > k->units ? k->banks : k->units;
	return true;
}

struct collector *collector_create(struct timing_memory *m, struct core *c)
{
	struct collector *k = xcalloc(1, sizeof *k);
	if (!lay_out(k, c->cfg) || !(k->s = timing_take(m, 1, sizeof *k->s))) {
		free(k);
		return NULL;
	}
	return k;
}

void collector_destroy(struct collector *k) { free(k); }

/* ---- banks ---- */

static uint32_t bank_of(const struct collector *k, int32_t reg, uint32_t warp)
{
	uint32_t at = (uint32_t)reg + warp;
	return k->bank_mask || k->banks == 1 ? at & k->bank_mask : at % k->banks;
}

static void request_read(struct collector *k, uint32_t unit, unsigned slot, int32_t reg)
{
	struct collector_state *s = k->s;
	uint32_t bank = bank_of(k, reg, s->unit[unit].warp);
	uint16_t node = (uint16_t)(unit * SLOTS + slot);
	if (s->waiting >> bank & 1)
		s->next[s->queue[bank].tail] = node;
	else
		s->queue[bank].head = node;
	s->queue[bank].tail = node;
	s->waiting |= UINT64_C(1) << bank;
}

static inline void grant_read(struct collector *k, uint32_t bank)
{
	struct collector_state *s = k->s;
	uint16_t node = s->queue[bank].head;
	uint32_t unit = node / SLOTS, slot = node % SLOTS;
	struct collector_unit *u = &s->unit[unit];
	if (s->queue[bank].tail == node)
		s->waiting &= ~(UINT64_C(1) << bank);
	else
		s->queue[bank].head = s->next[node];
	s->grant[bank] = (struct grant){u->pc, u->warp, (uint8_t)unit, (uint8_t)slot};
	u->not_ready &= (uint8_t)~(1u << slot);
	if (!u->not_ready)
		s->ready |= UINT64_C(1) << unit;
}

bool collector_write_rest(struct core *c, const struct inst *i, uint8_t *written)
{
	struct collector *k = c->collector;
	struct collector_state *s = k->s;
	const struct timing_insn *ti = core_insn(c, i);
	for (unsigned n = 0; n < ti->n_out; n++) {
		if (ti->out_reg[n] < 0 || *written >> n & 1)
			continue;
		uint32_t bank = bank_of(k, ti->out_reg[n], i->warp);
		if (s->busy >> bank & 1)
			return false;
		s->busy |= UINT64_C(1) << bank;
		s->grant[bank] = (struct grant){i->pc, i->warp, 0, (uint8_t)(GRANT_WRITE + n)};
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

/* Units whose output register set has room. */
static uint64_t units_with_room(const struct core *c, const struct collector_state *s)
{
	uint64_t units = 0;
	for (unsigned o = 0; o < OUTPUTS; o++)
		if (pipe_set_has_free(&c->s->set[OC_EX_SP + o]))
			units |= s->output[o];
	return units;
}

/* Every dispatcher, round robin over its set, sends one complete instruction to its output register. */
static void dispatch(struct core *c, struct collector *k)
{
	struct collector_state *s = k->s;
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
		unsigned o = s->output[0] & bit ? 0 : s->output[1] & bit ? 1 : 2;
		struct pipe_set *out = &c->s->set[OC_EX_SP + o];
		c->inst[s->unit[unit].inst].place = INST_PIPE;
		pipe_set_put(out, s->unit[unit].inst);
		s->unit[unit].inst = 0;
		s->occupied &= ~bit;
		s->ready &= ~bit;
		s->output[o] &= ~bit;
		s->last[d] = (uint8_t)n;
		can_leave &= ~bit & ~(pipe_set_has_free(out) ? 0 : s->output[o]);
	}
}

/* The wavefront allocator walks the diagonals of the matrix banks x units, beginning with `priority`. A bank asks for one unit only (its
 * head's), so a unit gets the bank whose diagonal comes first. */
static uint64_t read_operands(struct collector *k)
{
	struct collector_state *s = k->s;
	uint8_t best[UNITS_MAX], bank_for[UNITS_MAX];
	uint64_t asked = 0, granted = 0;
	const uint64_t banks = s->waiting & ~s->busy;
	if (!(banks & (banks - 1))) { /* no choice */
		grant_read(k, lowest(banks));
		return banks;
	}
	for (uint64_t left = banks; left; left &= left - 1) {
		unsigned bank = lowest(left), unit = s->queue[bank].head / SLOTS;
		int32_t diagonal = (int32_t)unit - (int32_t)s->priority - (int32_t)bank;
		while (diagonal < 0)
			diagonal += (int32_t)k->square;
		if (asked >> unit & 1 && best[unit] < diagonal)
			continue;
		asked |= UINT64_C(1) << unit;
		best[unit] = (uint8_t)diagonal;
		bank_for[unit] = (uint8_t)bank;
	}
	for (; asked; asked &= asked - 1) {
		uint32_t bank = bank_for[lowest(asked)];
		granted |= UINT64_C(1) << bank;
		grant_read(k, bank);
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
static uint64_t read_all_banks(struct collector *k)
{
	const uint64_t granted = k->s->waiting & ~k->s->busy;
	for (uint64_t left = granted; left; left &= left - 1)
		grant_read(k, lowest(left));
	return granted;
}

static void fill_unit(struct core *c, struct collector *k, uint32_t unit, unsigned kind)
{
	struct collector_state *s = k->s;
	struct pipe_set *in = &c->s->set[ID_OC_SP + kind];
	uint32_t inst = pipe_set_take(in, pipe_set_oldest(c, in));
	struct inst *i = &c->inst[inst];
	const struct timing_insn *ti = core_insn(c, i);
	uint64_t bit = UINT64_C(1) << unit;
	i->place = INST_COLLECTOR;
	struct collector_unit *u = &s->unit[unit];
	u->inst = inst;
	u->pc = i->pc;
	u->warp = i->warp;
	s->occupied |= bit;
	s->output[kind] |= bit;
	unsigned reads = 0;
	for (unsigned slots = ti->src_mask; slots; slots &= slots - 1) {
		unsigned slot = lowest(slots);
		if (ti->src_reg[slot] < 0 || (c->cfg->v4 && is_read_already(ti, slot)))
			continue;
		reads |= 1u << slot;
		request_read(k, unit, slot, ti->src_reg[slot]);
	}
	u->not_ready = (uint8_t)reads;
	if (!reads)
		s->ready |= bit;
}

/* One port: takes the oldest instruction of an input. False: there is no unit for it. */
static bool fill_from(struct core *c, struct collector *k, unsigned set, unsigned kind)
{
	uint64_t units = k->set[set] & ~k->s->occupied;
	if (!units)
		units = k->set[COLLECTOR_GEN] & ~k->s->occupied;
	if (!units)
		return false;
	fill_unit(c, k, lowest(units), kind);
	return true;
}

/* Inputs with an instruction, a bit each. */
static unsigned inputs(const struct core *c)
{
	const struct pipe_set *in = &c->s->set[ID_OC_SP];
	return (unsigned)(in[0].used != 0) | (unsigned)(in[1].used != 0) << 1 | (unsigned)(in[2].used != 0) << 2;
}

/* Input ports in order: SP, SFU, MEM with their own units before the general ones, then the general ports, which see all three inputs. A
 * port looks at its first input that has an instruction, and at no other even if there is no unit for it. */
static void allocate(struct core *c, struct collector *k, unsigned kinds)
{
	const struct pipe_set *in = &c->s->set[ID_OC_SP];
	for (; kinds; kinds &= kinds - 1) {
		const unsigned kind = lowest(kinds);
		for (uint32_t port = k->in_ports[kind]; port && in[kind].used; port--)
			if (!fill_from(c, k, kind, kind))
				break;
	}
	for (uint32_t port = k->in_ports[COLLECTOR_GEN]; port && inputs(c); port--)
		if (!fill_from(c, k, COLLECTOR_GEN, in[0].used ? 0 : in[1].used ? 1 : 2))
			break;
}

void collector_step(struct core *c)
{
	struct collector *k = c->collector;
	struct collector_state *s = k->s;
	uint64_t reads = 0;
	if (s->ready)
		dispatch(c, k);
	if (s->waiting & ~s->busy)
		reads = c->cfg->v4 ? read_all_banks(k) : read_operands(k);
	const unsigned kinds = inputs(c);
	if (kinds)
		allocate(c, k, kinds);
	s->granted = s->busy | reads;
	s->busy = 0;
	if (++s->priority == k->square)
		s->priority = 0;
}

bool collector_idle(const struct core *c) { return !c->collector->s->occupied && !inputs(c); }

void collector_skip(struct core *c, uint64_t steps)
{
	struct collector *k = c->collector;
	if (!steps)
		return;
	k->s->priority = (uint32_t)((k->s->priority + steps) % k->square);
	k->s->busy = k->s->granted = 0;
}

/* ---- looking ---- */

uint32_t collector_unit_count(const struct core *c) { return c->collector->units; }

void collector_get_unit(const struct core *c, uint32_t unit, struct collector_unit_view *out)
{
	const struct collector *k = c->collector;
	*out = (struct collector_unit_view){k->s->unit[unit].inst, k->s->unit[unit].not_ready, COLLECTOR_SP};
	while (!(k->set[out->set] >> unit & 1))
		out->set++;
}

static void print_queue(const struct core *c, uint32_t bank, struct text *out)
{
	const struct collector_state *s = c->collector->s;
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

void collector_print_arbiter(const struct core *c, struct text *out)
{
	const struct collector *k = c->collector;
	const struct collector_state *s = k->s;
	text_add(out, "Arbiter State:\n  requests:\n");
	for (uint32_t bank = 0; bank < k->banks; bank++) {
		text_addf(out, "    bank %u : ", bank);
		print_queue(c, bank, out);
		text_addc(out, '\n');
	}
	text_add(out, "  grants:\n");
	for (uint32_t bank = 0; bank < k->banks; bank++) {
		const struct grant *g = &s->grant[bank];
		const struct timing_insn *ti = &c->program->insns[g->pc];
		text_addf(out, "    bank %u : ", bank);
		if (!(s->granted >> bank & 1))
			text_add(out, "<free>\n");
		else if (g->operand >= GRANT_WRITE)
			text_addf(out, "wr:  <R%d, wid:%02u> \n", ti->out_reg[g->operand - GRANT_WRITE], g->warp);
		else
			text_addf(out, "rd:  <R%d, CU:%u, w:%02u> \n", ti->src_reg[g->operand], g->unit, g->warp);
	}
}
