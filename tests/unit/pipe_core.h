/* A core made by hand, for driving the collector, the function units, the scoreboard and the schedulers alone. What they call of other
 * blocks is stood in for here: the LDST unit takes everything at once and its cycle is the collector's step. */
#ifndef TESTS_PIPE_CORE_H
#define TESTS_PIPE_CORE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "timing/core/collector.h"
#include "timing/core/front.h"
#include "timing/ldst/ldst.h"
#include "timing/core/scheduler.h"
#include "timing/timing.h"
#include "timing/core/units.h"
#include "timing/machines/machine.h"

/* The rows of GPGPU-Sim 3.2.2's machine, and the pipeline registers that follow from them. */
enum { UNIT_SP, UNIT_SFU, UNIT_MEM };
enum { COLLECTOR_SP, COLLECTOR_SFU, COLLECTOR_MEM, COLLECTOR_GEN, COLLECTOR_SETS };
enum pipe_set_id {
	ID_OC_SP = PIPE_IN(UNIT_SP),
	ID_OC_SFU = PIPE_IN(UNIT_SFU),
	ID_OC_MEM = PIPE_IN(UNIT_MEM),
	OC_EX_SP = PIPE_OUT(UNIT_SP),
	OC_EX_SFU = PIPE_OUT(UNIT_SFU),
	OC_EX_MEM = PIPE_OUT(UNIT_MEM),
	EX_WB = PIPE_WB
};
/* Kinds of instructions, by who executes them. */
enum pipe_kind { PIPE_ALU, PIPE_SFU, PIPE_ALU_SFU, PIPE_LOAD, PIPE_STORE, PIPE_BRANCH, PIPE_BARRIER, PIPE_MEMBAR, PIPE_CALL, PIPE_RET };
static const struct {
	uint8_t class;
	core_unit_set units;
} pipe_kinds[] = {
	[PIPE_ALU] = {TIMING_COMPUTE, 1u << UNIT_SP},
	[PIPE_SFU] = {TIMING_COMPUTE, 1u << UNIT_SFU},
	[PIPE_ALU_SFU] = {TIMING_COMPUTE, 1u << UNIT_SP | 1u << UNIT_SFU},
	[PIPE_LOAD] = {TIMING_LOAD, 1u << UNIT_MEM},
	[PIPE_STORE] = {TIMING_STORE, 1u << UNIT_MEM},
	[PIPE_BRANCH] = {TIMING_BRANCH, 1u << UNIT_SP},
	[PIPE_BARRIER] = {TIMING_BARRIER, 1u << UNIT_SP},
	[PIPE_MEMBAR] = {TIMING_MEMBAR, 1u << UNIT_MEM},
	[PIPE_CALL] = {TIMING_CALL, 1u << UNIT_SP},
	[PIPE_RET] = {TIMING_RET, 1u << UNIT_SP},
};

#define PIPE_INSNS 64
#define PIPE_INSTS 512
#define PIPE_SB_WORDS 2

struct pipe_core {
	struct core c; /* first: stand-ins get only this */
	struct core_config cfg;
	struct core_state s;
	struct timing t;
	struct arena arena;
	struct timing_memory memory;
	struct timing_program program;
	struct timing_insn insns[PIPE_INSNS];
	struct core_warp warp[CORE_WARPS_MAX];
	struct inst inst[PIPE_INSTS];
	uint64_t scoreboard[2 * CORE_WARPS_MAX * PIPE_SB_WORDS];
	struct core_stats stats;
	struct scheduler_state scheduler[4];
	uint32_t n_insns;
	uint64_t uid;
	/* what the stand-ins saw; cycles by instruction of the pool */
	uint64_t executed[PIPE_INSTS], completed[PIPE_INSTS];
	uint32_t order[PIPE_INSTS], n_order; /* completed or given to LDST, one after the other */
	uint32_t left_pipeline[CORE_WARPS_MAX], updated[CORE_WARPS_MAX], n_freed;
	bool ldst_full;
};

static inline struct pipe_core *pipe_of(const struct core *c) { return (struct pipe_core *)(uintptr_t)c; }

/* ---- stand-ins ---- */
void ldst_cycle(struct core *c, uint64_t now)
{
	(void)now;
	collector_step(c);
}
bool ldst_accepts(const struct core *c) { return !pipe_of(c)->ldst_full; }
void ldst_issue(struct core *c, uint32_t inst, uint64_t now)
{
	struct pipe_core *p = pipe_of(c);
	p->executed[inst] = now;
	p->order[p->n_order++] = inst;
}
void core_leave_pipeline(struct core *c, uint32_t warp) { pipe_of(c)->left_pipeline[warp]++; }
void core_complete(struct core *c, const struct inst *i, uint64_t now)
{
	struct pipe_core *p = pipe_of(c);
	p->completed[i - c->inst] = now;
	p->order[p->n_order++] = (uint32_t)(i - c->inst);
}
void core_free_inst(struct core *c, uint32_t i)
{
	c->inst[i].used = false;
	pipe_of(c)->n_freed++;
}
void front_update(struct core *c, uint32_t warp) { pipe_of(c)->updated[warp]++; }

/* ---- making ---- */

/* Configuration to be completed by the caller between pipe_new and pipe_start. */
static inline struct pipe_core *pipe_new(void)
{
	struct pipe_core *p = xcalloc_aligned(_Alignof(struct pipe_core), sizeof *p);
	p->cfg = (struct core_config){.model = machine_gpgpusim_322.core, .n_warps = 48, .warp_threads = LANES, .schedulers = 1, .max_issue = 1, .units = {1, 1},
				      .warp_parts = 1, .reg_banks = 16,
				      .collector_units = {6, 8, 2, 0}, .collector_in = {1, 1, 1, 0},
				      .collector_out = {1, 1, 1, 0}};
	for (uint32_t k = 0; k < PIPE_SETS; k++)
		p->cfg.pipe_width[k] = 1;
	return p;
}

static inline void pipe_start(struct pipe_core *p)
{
	struct core *c = &p->c;
	arena_init(&p->arena);
	assert_true(timing_memory_init(&p->memory, &p->arena, machine_limits_of_host()));
	p->program.insns = p->insns;
	p->program.n = PIPE_INSNS;
	*c = (struct core){.t = &p->t, .cfg = &p->cfg, .program = &p->program, .s = &p->s, .warp = p->warp, .inst = p->inst,
			   .stats = &p->stats, .scoreboard = p->scoreboard, .sb_words = PIPE_SB_WORDS,
			   .scheduler = p->scheduler};
	for (uint32_t k = 0; k < core_pipe_count(p->cfg.model); k++)
		pipe_init(&p->s.pipes, core_pipe_at(p->cfg.model, k), p->cfg.pipe_width[core_pipe_at(p->cfg.model, k)]);
	assert_true(collector_create(&p->memory, c));
	c->units = units_create(&p->memory, c);
	assert_non_null(c->units);
	scheduler_init(c);
}

static inline void pipe_free(struct pipe_core *p)
{
	collector_layout_free(p->t.collectors);
	units_destroy(p->c.units);
	arena_free(&p->arena);
	free(p);
}

/* Adds an instruction: destination register `out` (-1: none), then up to four source registers, ended by -1. Returns its pc. */
static inline uint32_t pipe_insn(struct pipe_core *p, enum pipe_kind kind, const int out, const int *src)
{
	struct timing_insn *t = &p->insns[p->n_insns];
	*t = (struct timing_insn){.class = pipe_kinds[kind].class, .units = pipe_kinds[kind].units, .latency = 1, .initiation = 1};
	if (out >= 0) {
		t->n_out = 1;
		t->out_reg[0] = out;
		t->out[0] = (uint32_t)out + 1;
		t->check[t->n_check++] = (uint32_t)out + 1;
	}
	for (unsigned k = 0; k < 4 && src[k] >= 0; k++) {
		t->src_mask |= (uint8_t)(1u << k);
		t->src_reg[k] = src[k];
		t->in[t->n_in++] = (uint32_t)src[k] + 1;
		t->check[t->n_check++] = (uint32_t)src[k] + 1;
	}
	timing_insn_set_masks(t);
	return p->n_insns++;
}
#define SRC(...) ((const int[]){__VA_ARGS__, -1, -1, -1, -1})

/* A new instruction of a warp, in no register yet. */
static inline uint32_t pipe_inst(struct pipe_core *p, uint32_t pc, uint32_t warp)
{
	uint32_t i = (uint32_t)++p->uid;
	assert_true(i < PIPE_INSTS);
	p->inst[i] = (struct inst){.uid = p->uid, .pc = pc, .warp = (uint16_t)warp, .dispatch = p->insns[pc].initiation,
				   .used = true};
	return i;
}

static inline bool pipe_has_free(const struct pipe_core *p, unsigned set) { return !(p->s.pipes.full >> set & 1); }

static inline uint32_t pipe_enter(struct pipe_core *p, unsigned set, uint32_t pc, uint32_t warp)
{
	uint32_t i = pipe_inst(p, pc, warp);
	assert_true(pipe_has_free(p, set));
	pipe_put(&p->s.pipes, set, i);
	return i;
}

#endif
