#include "exec/speculate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "exec/heap.h"
#include "exec/internal.h"
#include "isa/opcodes.h"

#define CALLS_MOST 8192u /* bytes of each thread's stack that calls may take */
#define AHEAD 31u	 /* cycles that an instruction takes besides, by the clocks */
#define CHUNK 256u	 /* bytes of it that are compared at once, and put back if they differ */

/* Bytes that are put back. */
struct saved {
	char *at;
	uint64_t n;
	size_t offset; /* in exec_speculation.bytes */
};

struct exec_speculation {
	struct exec *x;
	struct exec before; /* x as it was */
	struct exec_cta cta;
	struct exec_cta *cta_at;
	uint32_t warp;
	uint32_t local; /* bytes of each thread's local memory that are saved */
	struct heap_saved frames;
	struct saved *saved; /* in the order in which they are put back: the last one first */
	size_t n_saved, cap_saved;
	char *bytes;
	size_t n_bytes, cap_bytes;
	uint8_t *marks;	    /* none */
	struct exec_watcher watcher;
};

static void save_bytes(struct exec_speculation *a, const void *at, uint64_t n)
{
	a->saved = xgrow(a->saved, &a->cap_saved, a->n_saved + 1, sizeof *a->saved);
	a->bytes = xgrow(a->bytes, &a->cap_bytes, a->n_bytes + (size_t)n, 1);
	a->saved[a->n_saved++] = (struct saved){(char *)(uintptr_t)at, n, a->n_bytes};
	memcpy(a->bytes + a->n_bytes, at, (size_t)n);
	a->n_bytes += (size_t)n;
}

static void restore_bytes(const struct exec_speculation *a, const struct saved *k)
{
	for (uint64_t at = 0; at < k->n; at += CHUNK) {
		const size_t n = k->n - at < CHUNK ? (size_t)(k->n - at) : CHUNK;
		const char *was = a->bytes + k->offset + at;
		if (memcmp(k->at + at, was, n)) /* pages that were never written stay so */
			memcpy(k->at + at, was, n);
	}
}

/* Saves what an access is about to overwrite (exec_watcher.before). What calls write to local memory isn't reported. */
static bool save_access(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct exec_speculation *a = self;
	const struct exec_access *m = &e->access;
	if (e->kind != EXEC_EFFECT_ACCESS || !m->is_write)
		return false;
	LANES_EACH (lane, m->lanes) {
		const uint64_t address = m->in_halves ? m->start[lane / 16] + lane % 16 * m->step : m->address[lane];
		const void *at = exec_peek(x, x->cta, a->warp, lane, address, m->size);
		if (at)
			save_bytes(a, at, m->size);
	}
	return false;
}

/* Keeps the SIMT stack and the registers of all activations. */
static void save_stack(struct exec_speculation *a)
{
	const struct exec *x = a->x;
	const struct exec_warp *w = &a->cta.warp[a->warp];
	const struct exec_simt *s = arena_at(x->arena, x->sec_simt, w->simt);
	save_bytes(a, s, (uint64_t)w->cap_simt * sizeof *s);
	for (uint32_t k = 0; k < w->n_simt; k++) {
		uint32_t same = 0;
		while (same < k && s[same].frame != s[k].frame)
			same++;
		if (same == k)
			save_bytes(a, arena_at(x->arena, x->sec_frame, s[k].frame), s[k].frame_bytes);
	}
}

static void save_local(struct exec_speculation *a)
{
	const struct exec *x = a->x;
	const struct exec_warp *w = &a->cta.warp[a->warp];
	const uint64_t most = (uint64_t)exec_simt_top(x, w)->local_top + CALLS_MOST;
	a->local = w->local_stride < most ? w->local_stride : (uint32_t)most;
	for (unsigned lane = 0; w->local && lane < LANES; lane++)
		save_bytes(a, arena_at(x->arena, x->sec_local, w->local + (uint64_t)lane * w->local_stride), a->local);
}

static void observe_accesses(struct exec_speculation *a)
{
	a->watcher = (struct exec_watcher){.self = a, .kinds = EXEC_LOOK(ACCESS), .records = true, .before = save_access};
	memset(a->x->watching.needs, 0, sizeof a->x->watching.needs);
	a->x->watching.needs[EXEC_PART_WAITS] = EXEC_NEED_COMPARE;
	exec_watch_alone(a->x, &a->watcher);
	a->x->marks = a->marks;
	a->x->counts = NULL;
	a->x->pass = false;
}

struct exec_speculation *exec_speculation_begin(struct exec *x, struct exec_cta *cta, uint32_t warp)
{
	struct exec_speculation *a = xcalloc_aligned(_Alignof(struct exec_speculation), sizeof *a);
	a->x = x;
	a->before = *x;
	a->cta = *cta;
	a->cta_at = cta;
	a->warp = warp;
	a->marks = xcalloc(x->program->n_insns + (size_t)1, 1);
	save_stack(a);
	save_local(a);
	heap_save(x->arena, x->sec_frame, &a->frames);
	observe_accesses(a);
	return a;
}

/* Returns true if the callee's activation is within the local memory that is saved. */
static bool may_call(const struct exec_speculation *a, const struct exec_simt *top, const struct isa_insn *i)
{
	const struct isa_program *p = a->x->program;
	if (i->handler == ISA_H_call_builtin)
		return false;
	if (i->handler != ISA_H_call || i->target >= p->n_functions)
		return a->local == a->cta.warp[a->warp].local_stride;
	const struct isa_function *f = p->functions[i->target];
	return (uint64_t)top->local_top + f->local_align + f->local_bytes <= a->local;
}

bool exec_speculation_may_step(const struct exec_speculation *a)
{
	const struct exec *x = a->x;
	const struct exec_warp *w = &a->cta_at->warp[a->warp];
	const struct exec_simt *top = exec_simt_top(x, w);
	const struct isa_insn *i = &x->program->insns[top->pc];
	if (w->state != EXEC_WARP_RUNNABLE)
		return false;
	switch (isa_opcode_info[i->opcode].family) {
	case ISA_FAMILY_ALU:
	case ISA_FAMILY_MEM:
	case ISA_FAMILY_ATOM:
	case ISA_FAMILY_BRANCH:
	case ISA_FAMILY_WARP: return true;
	case ISA_FAMILY_CALL: return may_call(a, top, i);
	case ISA_FAMILY_EXIT: return (i->opcode == ISA_OP_RET && top->call_depth) || w->lanes & ~(w->exited | top->mask);
	case ISA_FAMILY_MISC: return i->opcode == ISA_OP_NANOSLEEP || i->opcode == ISA_OP_MEMBAR || i->opcode == ISA_OP_FENCE;
	default: return false;
	}
}

bool exec_speculation_step(struct exec_speculation *a)
{
	a->x->effect.access.lanes = 0;
	a->x->n_warp_insns += AHEAD;
	const enum exec_status status = exec_step(a->x, a->cta_at, a->warp);
	return status == EXEC_BUDGET || status == EXEC_YIELD;
}

void exec_speculation_end(struct exec_speculation *a)
{
	struct exec *x = a->x;
	heap_restore(x->arena, x->sec_frame, &a->frames);
	while (a->n_saved)
		restore_bytes(a, &a->saved[--a->n_saved]);
	a->before.assert_lines = x->assert_lines;
	*x = a->before;
	*a->cta_at = a->cta;
	free(a->saved);
	free(a->bytes);
	free(a->marks);
	free(a);
}
