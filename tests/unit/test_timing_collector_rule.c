/* Operand collector: random streams against a second collector written word by word from the rules. */
#include "pipe_core.h"

#define MAX_UNITS 40
#define MAX_BANKS 20
struct plain_unit {
	bool occupied;
	uint32_t inst, output;
	bool pending[8];
};
struct plain {
	const struct core_config *cfg;
	struct plain_unit unit[MAX_UNITS];
	struct { uint32_t unit, slot; } queue[MAX_BANKS][MAX_UNITS * 8];
	unsigned length[MAX_BANKS];
	bool writing[MAX_BANKS];
	uint32_t last[64], units, pri;
	struct core_pipes pipes;
};

static uint32_t set_start(const struct plain *m, unsigned set)
{
	uint32_t at = 0;
	for (unsigned k = 0; k < set; k++)
		at += m->cfg->collector_units[k];
	return at;
}

static void plain_dispatch(struct plain *m)
{
	unsigned d = 0;
	for (unsigned set = 0; set < COLLECTOR_SETS; set++) {
		for (uint32_t port = 0; port < m->cfg->collector_out[set]; port++, d++) {
			uint32_t n = m->cfg->collector_units[set];
			for (uint32_t k = 1; k <= n; k++) {
				uint32_t at = (m->last[d] + k) % n;
				struct plain_unit *u = &m->unit[set_start(m, set) + at];
				bool waits = false;
				for (unsigned slot = 0; slot < 8; slot++)
					waits |= u->pending[slot];
				if (!u->occupied || waits || (m->pipes.full >> (OC_EX_SP + u->output) & 1))
					continue;
				pipe_put(&m->pipes, OC_EX_SP + u->output, u->inst);
				u->occupied = false;
				m->last[d] = at;
				break;
			}
		}
	}
}

static void plain_read(struct plain *m)
{
	const int banks = (int)m->cfg->reg_banks, units = (int)m->units, square = banks > units ? banks : units;
	bool bank_taken[MAX_BANKS] = {0}, unit_taken[MAX_UNITS] = {0};
	for (int b = 0; b < banks; b++)
		bank_taken[b] = m->writing[b];
	for (int diagonal = 0; diagonal < square; diagonal++) {
		int out = ((int)m->pri + diagonal) % square;
		for (int in = 0; in < banks; in++) {
			if (out < units && !bank_taken[in] && !unit_taken[out] && m->length[in] &&
			    (int)m->queue[in][0].unit == out) {
				bank_taken[in] = unit_taken[out] = true;
				m->unit[out].pending[m->queue[in][0].slot] = false;
				memmove(m->queue[in], m->queue[in] + 1, --m->length[in] * sizeof m->queue[in][0]);
			}
			out = (out + 1) % square;
		}
	}
	m->pri = (m->pri + 1) % (uint32_t)square;
}

static void plain_fill(const struct pipe_core *p, struct plain *m, uint32_t unit, unsigned kind)
{
	struct plain_unit *u = &m->unit[unit];
	*u = (struct plain_unit){true, pipe_take_oldest(&p->c, &m->pipes, ID_OC_SP + kind), kind, {0}};
	const struct inst *i = &p->inst[u->inst];
	const struct timing_insn *t = &p->insns[i->pc];
	for (unsigned slot = 0; slot < TIMING_SRC_MAX; slot++) {
		if (!(t->src_mask >> slot & 1) || t->src_reg[slot] < 0)
			continue;
		uint32_t bank = ((uint32_t)t->src_reg[slot] + i->warp) % m->cfg->reg_banks;
		u->pending[slot] = true;
		m->queue[bank][m->length[bank]].unit = unit;
		m->queue[bank][m->length[bank]++].slot = slot;
	}
}

static bool plain_find(const struct plain *m, unsigned set, uint32_t *unit)
{
	for (uint32_t k = 0; k < m->cfg->collector_units[set]; k++) {
		*unit = set_start(m, set) + k;
		if (!m->unit[*unit].occupied)
			return true;
	}
	return false;
}

static void plain_allocate(const struct pipe_core *p, struct plain *m)
{
	for (unsigned set = 0; set < COLLECTOR_SETS; set++) {
		for (uint32_t port = 0; port < m->cfg->collector_in[set]; port++) {
			unsigned first = set == COLLECTOR_GEN ? 0 : set, end = set == COLLECTOR_GEN ? 3 : set + 1;
			for (unsigned kind = first; kind < end; kind++) {
				uint32_t unit;
				if (!m->pipes.set[ID_OC_SP + kind].used)
					continue;
				if (plain_find(m, set, &unit) || plain_find(m, COLLECTOR_GEN, &unit))
					plain_fill(p, m, unit, kind);
				break;
			}
		}
	}
}

static bool plain_write(const struct pipe_core *p, struct plain *m, const struct inst *i)
{
	const struct timing_insn *t = &p->insns[i->pc];
	for (unsigned k = 0; k < t->n_out; k++) {
		if (t->out_reg[k] < 0)
			continue;
		uint32_t bank = ((uint32_t)t->out_reg[k] + i->warp) % m->cfg->reg_banks;
		if (m->writing[bank])
			return false;
		m->writing[bank] = true;
	}
	return true;
}

static void plain_step(const struct pipe_core *p, struct plain *m)
{
	plain_dispatch(m);
	plain_read(m);
	plain_allocate(p, m);
	memset(m->writing, 0, sizeof m->writing);
}

static uint32_t roll(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static void random_config(struct core_config *cfg, uint32_t *seed)
{
	cfg->reg_banks = 1 + roll(seed, MAX_BANKS);
	for (unsigned set = 0; set < COLLECTOR_SETS; set++) {
		cfg->collector_units[set] = roll(seed, 9);
		cfg->collector_in[set] = roll(seed, 3);
		cfg->collector_out[set] = roll(seed, 3);
	}
	cfg->collector_units[COLLECTOR_GEN] += 1; /* so that everything gets through */
	cfg->collector_in[COLLECTOR_GEN] += 1;
	cfg->collector_out[COLLECTOR_GEN] += 1;
	for (unsigned set = 0; set < COLLECTOR_GEN; set++)
		if (cfg->collector_units[set] && !cfg->collector_out[set])
			cfg->collector_out[set] = 1;
	for (uint32_t k = 0; k < core_pipe_count(cfg->model); k++)
		cfg->pipe_width[core_pipe_at(cfg->model, k)] = 1 + roll(seed, 3);
}

static void random_insns(struct pipe_core *p, uint32_t *seed)
{
	for (unsigned k = 0; k < PIPE_INSNS; k++) {
		struct timing_insn *t = &p->insns[k];
		t->n_out = (uint8_t)roll(seed, 4);
		for (unsigned n = 0; n < t->n_out; n++)
			t->out_reg[n] = (int32_t)roll(seed, 21) - 1;
		t->src_mask = (uint8_t)(roll(seed, 64) & roll(seed, 64));
		for (unsigned n = 0; n < TIMING_SRC_MAX; n++)
			t->src_reg[n] = (int32_t)roll(seed, 21) - 1;
	}
}

static void both_agree(const struct pipe_core *p, const struct plain *m)
{
	assert_memory_equal(&p->s.pipes, &m->pipes, sizeof m->pipes);
	for (uint32_t unit = 0; unit < m->units; unit++) {
		struct collector_unit_view v;
		uint32_t pending = 0;
		collector_get_unit(&p->c, unit, &v);
		for (unsigned slot = 0; slot < 8; slot++)
			pending |= (uint32_t)m->unit[unit].pending[slot] << slot;
		assert_int_equal(v.inst, m->unit[unit].occupied ? m->unit[unit].inst : 0);
		assert_int_equal(v.not_ready, pending);
	}
}

static void one_random_step(struct pipe_core *p, struct plain *m, uint32_t *seed)
{
	for (unsigned kind = 0; kind < 3; kind++) {
		const struct pipe_set *out = &p->s.pipes.set[OC_EX_SP + kind];
		if (p->uid + 8 < PIPE_INSTS && pipe_has_free(p, ID_OC_SP + kind) && !roll(seed, 2)) {
			uint32_t i = pipe_enter(p, ID_OC_SP + kind, roll(seed, PIPE_INSNS), roll(seed, 48));
			pipe_put(&m->pipes, ID_OC_SP + kind, i);
		}
		if (out->used && roll(seed, 3)) {
			const unsigned at = pipe_set_oldest(&p->c, out);
			pipe_take(&p->s.pipes, OC_EX_SP + kind, at);
			pipe_take(&m->pipes, OC_EX_SP + kind, at);
		}
	}
	for (uint32_t n = roll(seed, 3); n; n--) {
		struct inst w = {.pc = roll(seed, PIPE_INSNS), .warp = (uint16_t)roll(seed, 48)};
		assert_int_equal(collector_write(&p->c, &w), plain_write(p, m, &w));
	}
	collector_step(&p->c);
	plain_step(p, m);
	both_agree(p, m);
}

static void random_streams_agree_with_the_rules(void **state)
{
	(void)state;
	static struct plain m;
	for (uint32_t run = 0; run < 300; run++) {
		uint32_t seed = run * 2654435761u + 1;
		struct pipe_core *p = pipe_new();
		random_config(&p->cfg, &seed);
		random_insns(p, &seed);
		pipe_start(p);
		memset(&m, 0, sizeof m);
		m.cfg = &p->cfg;
		m.units = set_start(&m, COLLECTOR_SETS);
		m.pipes = p->s.pipes;
		for (unsigned step = 0; step < 600; step++)
			one_random_step(p, &m, &seed);
		assert_true(p->uid + 9 > PIPE_INSTS || p->uid > 100);
		for (unsigned step = 0; step < 400; step++) { /* nothing is left behind */
			for (unsigned kind = 0; kind < 3; kind++)
				if (p->s.pipes.set[OC_EX_SP + kind].used)
					pipe_take_oldest(&p->c, &p->s.pipes, OC_EX_SP + kind);
			collector_step(&p->c);
		}
		assert_true(collector_idle(&p->c));
		pipe_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_streams_agree_with_the_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
