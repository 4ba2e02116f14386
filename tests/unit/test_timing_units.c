/* Function units, result buses, execute and writeback: cycle tables worked out by hand. */
#include "pipe_core.h"

static struct pipe_core *machine(void) { return pipe_new(); }

static uint32_t timed_insn(struct pipe_core *p, unsigned class, uint16_t latency, uint16_t initiation)
{
	uint32_t pc = pipe_insn(p, class, 1, SRC(-1));
	p->insns[pc].latency = latency;
	p->insns[pc].initiation = initiation;
	return pc;
}

/* One core cycle without front end: writeback, execute. */
static void cycle(struct pipe_core *p, uint64_t now)
{
	units_writeback(&p->c, now);
	units_execute(&p->c, now);
}

static void run(struct pipe_core *p, uint64_t from, uint64_t to)
{
	for (uint64_t now = from; now <= to; now++)
		cycle(p, now);
}

/* ---- one instruction alone ---- */

/* Accepted in cycle e = 10 with latency L, initiation I: leaves the dispatch register at e + I for stage L - I, is in EX_WB after
 * execute of e + L + 1, and is written back at e + L + 2. */
static void latency_of_one_instruction(void **state)
{
	(void)state;
	static const struct {
		unsigned class;
		uint16_t latency, initiation;
	} rows[] = {{PIPE_ALU, 1, 1}, {PIPE_ALU, 4, 2}, {PIPE_ALU, 13, 2}, {PIPE_SFU, 40, 8}, {PIPE_SFU, 145, 32},
		    {PIPE_ALU_SFU, 13, 1}, {PIPE_SFU, 511, 1}};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const uint16_t latency = rows[k].latency, initiation = rows[k].initiation;
		struct pipe_core *p = machine();
		pipe_start(p);
		const bool sfu = rows[k].class == PIPE_SFU;
		const uint32_t unit = sfu;
		run(p, 1, 9);
		uint32_t i = pipe_enter(p, sfu ? OC_EX_SFU : OC_EX_SP, timed_insn(p, rows[k].class, latency, initiation), 3);
		cycle(p, 10);
		assert_int_equal(unit_dispatch(&p->c, unit), i);
		assert_true(units_bus_busy(&p->c, 0, latency));
		for (uint64_t now = 11; now <= 10 + latency + 1u; now++) {
			cycle(p, now);
			const uint64_t left = 10 + latency - now; /* the stage it is in, once it has left the dispatch register */
			bool entered = now >= 10u + initiation;
			assert_int_equal(unit_dispatch(&p->c, unit), entered ? 0 : i);
			if (entered && now <= 10u + latency)
				assert_int_equal(unit_stage(&p->c, unit, (uint32_t)left), i);
			assert_int_equal(p->s.pipes.set[EX_WB].used, now == 10u + latency + 1u);
		}
		assert_false(units_idle(&p->c));
		cycle(p, 10 + latency + 2u);
		assert_int_equal(p->completed[i], 10 + latency + 2u);
		assert_int_equal(p->n_freed, 1);
		assert_int_equal(p->left_pipeline[3], 1);
		assert_int_equal(p->s.cycle_of_last_writeback, 10 + latency + 2u);
		assert_true(units_idle(&p->c));
		pipe_free(p);
	}
}

/* ---- who takes what ---- */

static void units_take_their_classes(void **state)
{
	(void)state;
	static const struct {
		unsigned class;
		bool sp, sfu;
	} rows[] = {{PIPE_ALU, true, false},	{PIPE_SFU, false, true},     {PIPE_ALU_SFU, true, true},
		    {PIPE_LOAD, false, false}, {PIPE_STORE, false, false},	{PIPE_MEMBAR, false, false},
		    {PIPE_BRANCH, true, false}, {PIPE_BARRIER, true, false}, {PIPE_CALL, true, false},
		    {PIPE_RET, true, false}};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct pipe_core *p = machine();
		pipe_start(p);
		uint32_t pc = timed_insn(p, rows[k].class, 1, 1);
		pipe_enter(p, OC_EX_SP, pc, 0);
		pipe_enter(p, OC_EX_SFU, pc, 1);
		p->cfg.pipe_width[EX_WB] = 1;
		cycle(p, 1);
		assert_int_equal(unit_dispatch(&p->c, 0) != 0, rows[k].sp);
		/* both want the only bus in the same cycle: the SFU gets it when SP has not taken it */
		assert_int_equal(unit_dispatch(&p->c, 1) != 0, rows[k].sfu && !rows[k].sp);
		pipe_free(p);
	}
}

/* The initiation interval is the distance of two instructions: with 4, accepted at 1, 5 and 9. */
static void initiation_interval_is_the_distance(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	p->cfg.pipe_width[OC_EX_SP] = 3;
	pipe_start(p);
	uint32_t pc = timed_insn(p, PIPE_ALU, 6, 4), i[3];
	for (unsigned k = 0; k < 3; k++)
		i[k] = pipe_enter(p, OC_EX_SP, pc, k);
	run(p, 1, 30);
	for (unsigned k = 0; k < 3; k++)
		assert_int_equal(p->completed[i[k]], 1 + 4 * k + 6 + 2);
	pipe_free(p);
}

/* Two SP units share the set: the oldest goes to the first unit, the next to the second, in the same cycle. With one result bus only one
 * of them may end in a cycle. */
static void two_units_take_in_age_order(void **state)
{
	(void)state;
	for (uint32_t buses = 1; buses <= 2; buses++) {
		struct pipe_core *p = machine();
		p->cfg.units[UNIT_SP] = 2;
		p->cfg.pipe_width[OC_EX_SP] = 2;
		p->cfg.pipe_width[EX_WB] = buses;
		pipe_start(p);
		assert_int_equal(units_bus_count(&p->c), buses);
		uint32_t pc = timed_insn(p, PIPE_ALU, 4, 1);
		uint32_t young = pipe_enter(p, OC_EX_SP, pc, 0), old = pipe_enter(p, OC_EX_SP, pc, 1);
		p->inst[young].uid = 100;
		cycle(p, 1);
		assert_int_equal(unit_dispatch(&p->c, 0), old);
		assert_int_equal(unit_dispatch(&p->c, 1), buses == 2 ? young : 0);
		run(p, 2, 20);
		assert_int_equal(p->completed[old], 1 + 4 + 2);
		assert_int_equal(p->completed[young], (buses == 2 ? 1 : 2) + 4 + 2);
		pipe_free(p);
	}
}

/* Latency 5 taken at cycle 1 ends where latency 4 taken at 2 would: that one waits for cycle 3, in the unit itself (two buses) as
 * in another unit (one bus). */
static void nothing_ends_at_the_same_time(void **state)
{
	(void)state;
	for (unsigned in_unit = 0; in_unit < 2; in_unit++) {
		struct pipe_core *p = machine();
		p->cfg.pipe_width[EX_WB] = in_unit ? 2 : 1;
		p->cfg.units[UNIT_SP] = 1;
		pipe_start(p);
		uint32_t slow = timed_insn(p, PIPE_ALU_SFU, 5, 1), fast = timed_insn(p, PIPE_ALU_SFU, 4, 1);
		uint32_t a = pipe_enter(p, OC_EX_SP, slow, 0);
		cycle(p, 1);
		uint32_t b = pipe_enter(p, in_unit ? OC_EX_SP : OC_EX_SFU, fast, 1);
		cycle(p, 2);
		assert_int_equal(p->s.pipes.set[in_unit ? OC_EX_SP : OC_EX_SFU].used, 1);
		run(p, 3, 12);
		assert_int_equal(p->completed[a], 1 + 5 + 2);
		assert_int_equal(p->completed[b], 3 + 4 + 2);
		pipe_free(p);
	}
}

/* Only the oldest of the set is tried: the younger one behind it could go, but waits. */
static void a_refused_instruction_blocks_the_set(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	p->cfg.pipe_width[OC_EX_SP] = 2;
	pipe_start(p);
	uint32_t slow = timed_insn(p, PIPE_ALU, 5, 1), fast = timed_insn(p, PIPE_ALU, 4, 1);
	pipe_enter(p, OC_EX_SP, slow, 0);
	cycle(p, 1);
	uint32_t blocked = pipe_enter(p, OC_EX_SP, fast, 1), behind = pipe_enter(p, OC_EX_SP, slow, 2);
	cycle(p, 2);
	assert_int_equal(lanes_count(p->s.pipes.set[OC_EX_SP].used), 2);
	run(p, 3, 20);
	assert_int_equal(p->completed[blocked], 3 + 4 + 2);
	assert_int_equal(p->completed[behind], 4 + 5 + 2);
	pipe_free(p);
}

/* ---- writeback ---- */

/* EX_WB is drained in a cycle, oldest first. Both write %r1: warp 0 to bank 1, warp 16 to bank 17 mod 16 = 1. The second write finds
 * its bank taken, and nobody cares. */
static void writeback_drains_oldest_first(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	p->cfg.pipe_width[EX_WB] = 2;
	pipe_start(p);
	uint32_t pc = timed_insn(p, PIPE_ALU, 1, 1);
	uint32_t young = pipe_enter(p, EX_WB, pc, 0), old = pipe_enter(p, EX_WB, pc, 16);
	p->inst[young].uid = 100;
	scoreboard_reserve(&p->c, 0, &p->insns[pc], true);
	scoreboard_reserve(&p->c, 16, &p->insns[pc], false);
	units_writeback(&p->c, 77);
	assert_int_equal(p->n_order, 2);
	assert_int_equal(p->order[0], old);
	assert_int_equal(p->order[1], young);
	assert_int_equal(p->warp[0].n_reserved, 0);
	assert_int_equal(p->warp[16].n_reserved, 0);
	assert_int_equal(core_long_op(&p->c, 0)[0], 0); /* this path clears the mark */
	assert_int_equal(p->s.cycle_of_last_writeback, 77);
	collector_step(&p->c);
	struct text out = {0};
	collector_print_arbiter(&p->c, &out);
	assert_non_null(strstr(text_str(&out), "    bank 1 : wr:  <R1, wid:16> \n"));
	text_free(&out);
	pipe_free(p);
}

/* ---- with the collector: from issue to writeback ---- */

/* Issues at the end of cycle 0 and says when the destination is free (a dependent instruction issues in that cycle), or, for LDST, when
 * the unit took the instruction. */
static uint64_t issue_to_free(uint32_t parts, unsigned class, unsigned k, uint16_t latency)
{
	static const int registers[5] = {1, 2, 3, 4, -1};
	struct pipe_core *p = machine();
	p->cfg.warp_parts = parts;
	pipe_start(p);
	const bool memory = class == PIPE_LOAD;
	uint32_t pc = pipe_insn(p, class, 9, SRC(k > 0 ? registers[0] : -1, k > 1 ? registers[1] : -1,
						 k > 2 ? registers[2] : -1, k > 3 ? registers[3] : -1));
	p->insns[pc].latency = latency;
	uint32_t i = pipe_enter(p, memory ? ID_OC_MEM : class == PIPE_SFU ? ID_OC_SFU : ID_OC_SP, pc, 0);
	run(p, 1, 100);
	uint64_t at = memory ? p->executed[i] : p->completed[i];
	pipe_free(p);
	return at;
}

/* t = 0: parts 1: the unit takes it at k + 3, so it is written back at k + 5 + latency; LDST takes it at k + 2.
 * parts 2 (two collector steps a cycle): ceil((k + 2) / 2) + 1, and + latency + 2; LDST ceil((k + 2) / 2). */
static void issue_to_dependent_issue(void **state)
{
	(void)state;
	for (unsigned k = 0; k <= 4; k++) {
		for (uint16_t latency = 1; latency <= 20; latency++) {
			assert_int_equal(issue_to_free(1, PIPE_ALU, k, latency), k + 5 + latency);
			assert_int_equal(issue_to_free(2, PIPE_ALU, k, latency), (k + 3) / 2 + 3 + latency);
			assert_int_equal(issue_to_free(1, PIPE_SFU, k, latency), k + 5 + latency);
		}
		assert_int_equal(issue_to_free(1, PIPE_LOAD, k, 1), k + 2);
		assert_int_equal(issue_to_free(2, PIPE_LOAD, k, 1), (k + 3) / 2);
	}
	/* as measured on GPGPU-Sim 3.2.2 */
	assert_int_equal(issue_to_free(1, PIPE_ALU, 2, 4), 11); /* GTX480: add */
	assert_int_equal(issue_to_free(1, PIPE_ALU, 0, 1), 6);  /* mov of an immediate */
	assert_int_equal(issue_to_free(1, PIPE_ALU, 1, 1), 7);  /* setp */
	assert_int_equal(issue_to_free(2, PIPE_ALU, 2, 1), 6);  /* FX5800: add */
	assert_int_equal(issue_to_free(2, PIPE_ALU, 0, 1), 5);  /* mov */
}

/* The LDST unit is offered the oldest of OC_EX_MEM once a core cycle, after its cycles; full, it leaves it there. */
static void ldst_gets_one_a_cycle(void **state)
{
	(void)state;
	struct pipe_core *p = machine();
	p->cfg.pipe_width[OC_EX_MEM] = 2;
	p->cfg.warp_parts = 2;
	pipe_start(p);
	uint32_t pc = timed_insn(p, PIPE_LOAD, 1, 1);
	uint32_t young = pipe_enter(p, OC_EX_MEM, pc, 0), old = pipe_enter(p, OC_EX_MEM, pc, 1);
	p->inst[young].uid = 100;
	p->ldst_full = true;
	cycle(p, 1);
	assert_int_equal(p->n_order, 0);
	p->ldst_full = false;
	run(p, 2, 3);
	assert_int_equal(p->executed[old], 2);
	assert_int_equal(p->executed[young], 3);
	pipe_free(p);
}

/* ---- a second execute stage, as the rules have it: everything shifts ---- */

struct plain_unit {
	uint32_t dispatch, stage[512];
	bool occupied[512];
};
struct plain {
	struct plain_unit unit[4];
	bool bus[3][512];
	uint32_t left[PIPE_INSTS]; /* initiation cycles */
	struct core_pipes pipes; /* OC_EX_SP, OC_EX_SFU, EX_WB */
};

static void plain_unit_cycle(const struct pipe_core *p, struct plain *m, struct plain_unit *u)
{
	if (u->stage[0])
		pipe_put(&m->pipes, EX_WB, u->stage[0]);
	memmove(u->stage, u->stage + 1, 511 * sizeof u->stage[0]);
	u->stage[511] = 0;
	if (u->dispatch && !--m->left[u->dispatch]) {
		const struct timing_insn *t = &p->insns[p->inst[u->dispatch].pc];
		u->stage[t->latency - t->initiation] = u->dispatch;
		u->dispatch = 0;
	}
	memmove(u->occupied, u->occupied + 1, 511);
	u->occupied[511] = false;
}

static void plain_offer(const struct pipe_core *p, struct plain *m, struct plain_unit *u, bool sfu)
{
	const unsigned set = sfu ? OC_EX_SFU : OC_EX_SP;
	const struct pipe_set *from = &m->pipes.set[set];
	if (!from->used)
		return;
	const unsigned at = pipe_set_oldest(&p->c, from);
	const struct timing_insn *t = &p->insns[p->inst[from->reg[at]].pc];
	if (!(t->units >> (sfu ? UNIT_SFU : UNIT_SP) & 1) || u->dispatch || u->occupied[t->latency])
		return;
	for (uint32_t bus = 0; bus < p->cfg.pipe_width[EX_WB]; bus++) {
		if (m->bus[bus][t->latency])
			continue;
		m->bus[bus][t->latency] = u->occupied[t->latency] = true;
		u->dispatch = pipe_take(&m->pipes, set, at);
		return;
	}
}

static void plain_execute(const struct pipe_core *p, struct plain *m)
{
	for (uint32_t bus = 0; bus < p->cfg.pipe_width[EX_WB]; bus++) {
		memmove(m->bus[bus], m->bus[bus] + 1, 511);
		m->bus[bus][511] = false;
	}
	for (uint32_t k = 0; k < p->cfg.units[UNIT_SP] + p->cfg.units[UNIT_SFU]; k++) {
		plain_unit_cycle(p, m, &m->unit[k]);
		plain_offer(p, m, &m->unit[k], k >= p->cfg.units[UNIT_SP]);
	}
}

static uint32_t roll(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static void both_agree(const struct pipe_core *p, const struct plain *m)
{
	assert_memory_equal(p->s.pipes.set[EX_WB].reg, m->pipes.set[EX_WB].reg, sizeof m->pipes.set[EX_WB].reg);
	assert_memory_equal(p->s.pipes.set[OC_EX_SP].reg, m->pipes.set[OC_EX_SP].reg, sizeof m->pipes.set[OC_EX_SP].reg);
	assert_memory_equal(p->s.pipes.set[OC_EX_SFU].reg, m->pipes.set[OC_EX_SFU].reg, sizeof m->pipes.set[OC_EX_SFU].reg);
	for (uint32_t k = 0; k < units_count(&p->c); k++) {
		assert_int_equal(unit_dispatch(&p->c, k), m->unit[k].dispatch);
		for (uint32_t stage = 0; stage < unit_stages(&p->c, k); stage++)
			assert_int_equal(unit_stage(&p->c, k, stage), m->unit[k].stage[stage]);
	}
	for (uint32_t bus = 0; bus < units_bus_count(&p->c); bus++)
		for (uint32_t ahead = 0; ahead < 64; ahead++)
			assert_int_equal(units_bus_busy(&p->c, bus, ahead), m->bus[bus][ahead]);
}

static void one_random_cycle(struct pipe_core *p, struct plain *m, uint32_t *seed, uint64_t now)
{
	units_writeback(&p->c, now);
	while (m->pipes.set[EX_WB].used)
		pipe_take_oldest(&p->c, &m->pipes, EX_WB);
	units_execute(&p->c, now);
	plain_execute(p, m);
	both_agree(p, m);
	for (unsigned sfu = 0; sfu < 2; sfu++) {
		enum pipe_set_id id = sfu ? OC_EX_SFU : OC_EX_SP;
		if (p->uid + 2 > PIPE_INSTS || !pipe_has_free(p, id) || !roll(seed, 3))
			continue;
		uint32_t pc = roll(seed, PIPE_INSNS);
		while (!(p->insns[pc].units >> (sfu ? UNIT_SFU : UNIT_SP) & 1))
			pc = roll(seed, PIPE_INSNS);
		uint32_t i = pipe_enter(p, id, pc, roll(seed, 48));
		pipe_put(&m->pipes, id, i);
		m->left[i] = p->inst[i].dispatch;
	}
}

static void random_streams_agree_with_the_rules(void **state)
{
	(void)state;
	static const uint8_t classes[3] = {PIPE_ALU, PIPE_SFU, PIPE_ALU_SFU};
	static struct plain m;
	for (uint32_t run_no = 0; run_no < 100; run_no++) {
		uint32_t seed = run_no * 2654435761u + 7;
		struct pipe_core *p = machine();
		p->cfg.units[UNIT_SP] = roll(&seed, 3);
		p->cfg.units[UNIT_SFU] = 1 + roll(&seed, 2);
		p->cfg.pipe_width[EX_WB] = 1 + roll(&seed, 3);
		p->cfg.pipe_width[OC_EX_SP] = 1 + roll(&seed, 3);
		p->cfg.pipe_width[OC_EX_SFU] = 1 + roll(&seed, 3);
		for (unsigned k = 0; k < PIPE_INSNS; k++) {
			struct timing_insn *t = &p->insns[k];
			t->class = pipe_kinds[classes[k % 3]].class;
			t->units = pipe_kinds[classes[k % 3]].units;
			t->initiation = (uint16_t)(1 + roll(&seed, 4));
			t->latency = (uint16_t)(t->initiation + roll(&seed, 12));
		}
		pipe_start(p);
		memset(&m, 0, sizeof m);
		m.pipes = p->s.pipes;
		for (uint64_t now = 1; now < 700; now++)
			one_random_cycle(p, &m, &seed, now);
		pipe_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latency_of_one_instruction),
		cmocka_unit_test(units_take_their_classes),
		cmocka_unit_test(initiation_interval_is_the_distance),
		cmocka_unit_test(two_units_take_in_age_order),
		cmocka_unit_test(nothing_ends_at_the_same_time),
		cmocka_unit_test(a_refused_instruction_blocks_the_set),
		cmocka_unit_test(writeback_drains_oldest_first),
		cmocka_unit_test(issue_to_dependent_issue),
		cmocka_unit_test(ldst_gets_one_a_cycle),
		cmocka_unit_test(random_streams_agree_with_the_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
