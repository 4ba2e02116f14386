/* Kernels built instruction by instruction, and a device to run them on: no parser needed. */
#ifndef TESTS_KERNEL_BUILDER_H
#define TESTS_KERNEL_BUILDER_H

/* cmocka wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "gpu/config.h"
#include "gpu/gpu.h"
#include "isa/handlers.h"
#include "isa/special.h"

#define UNUSED __attribute__((unused))

/* Rows of 256 bytes behind 64 predicate slots: R(k) is 32 or 64 bits wide as its user likes. */
#define R(k) ISA_REF(ISA_BASE_FRAME, 256u + 256u * (unsigned)(k))
#define N_REGS 40u
#define FRAME_BYTES (256u + 256u * N_REGS)
#define P(k) (2u + (unsigned)(k))
#define NOT(p) ((p) | ISA_PRED_NOT)
#define TID ISA_SPECIAL_REF(TID, 0)
#define LANEID ISA_SPECIAL_REF(LANEID, 0)
#define WARPID ISA_SPECIAL_REF(WARPID, 0)
#define CTAID ISA_SPECIAL_REF(CTAID, 0)

struct builder {
	struct gpu *g;
	struct isa_program *p;
	struct isa_function *f; /* the one being written */
};

static UNUSED struct builder builder_create(const struct config *cfg)
{
	struct builder b = {.g = gpu_create(cfg, NULL, NULL)};
	assert_non_null(b.g);
	b.p = gpu_program(b.g);
	b.p->cap_insns = 4096;
	b.p->insns = aligned_alloc(64, b.p->cap_insns * sizeof *b.p->insns);
	b.p->cap_consts = 1 << 20;
	b.p->consts = aligned_alloc(64, b.p->cap_consts);
	b.p->cap_aux = 4096;
	b.p->aux = calloc(b.p->cap_aux, sizeof *b.p->aux);
	b.p->cap_functions = 16;
	b.p->functions = calloc(b.p->cap_functions, sizeof *b.p->functions);
	return b;
}

static UNUSED void builder_destroy(struct builder *b) { gpu_destroy(b->g); }

/* Constant rows. */
static UNUSED uint32_t K32(struct builder *b, uint32_t v)
{
	uint32_t at = b->p->n_consts, *row = (uint32_t *)(void *)(b->p->consts + at);
	assert_true(at + 128 <= b->p->cap_consts);
	for (unsigned l = 0; l < 32; l++)
		row[l] = v;
	b->p->n_consts += 128;
	return ISA_REF(ISA_BASE_CONST, at);
}

static UNUSED uint32_t K64(struct builder *b, uint64_t v)
{
	uint32_t at = b->p->n_consts;
	uint64_t *row = (uint64_t *)(void *)(b->p->consts + at);
	assert_true(at + 256 <= b->p->cap_consts);
	for (unsigned l = 0; l < 32; l++)
		row[l] = v;
	b->p->n_consts += 256;
	return ISA_REF(ISA_BASE_CONST, at);
}

static UNUSED uint32_t here(const struct builder *b) { return b->p->n_insns; }

static UNUSED uint32_t function_begin(struct builder *b, const char *name, bool kernel)
{
	struct isa_function *f = POOL_NEW(&b->p->pool, struct isa_function);
	f->name = name;
	f->is_kernel = kernel;
	f->is_defined = true;
	f->first = here(b);
	f->frame_bytes = FRAME_BYTES;
	f->n_preds = 16;
	f->live_registers = 1;
	f->param_bytes = kernel ? 64 : 0;
	b->f = f;
	b->p->functions[b->p->n_functions] = f;
	return b->p->n_functions++;
}

static UNUSED void function_end(struct builder *b) { b->f->end = here(b); }

static UNUSED struct isa_insn *emit(struct builder *b, enum isa_handler h, uint32_t dst, uint32_t a, uint32_t bb)
{
	struct isa_insn *i = &b->p->insns[b->p->n_insns++];
	assert_true(b->p->n_insns <= b->p->cap_insns);
	*i = (struct isa_insn){.handler = (uint16_t)h,
			       .dst = dst,
			       .dst2 = ISA_PRED_SINK,
			       .a = a,
			       .b = bb,
			       .c = ISA_REF_NONE,
			       .d = ISA_REF_NONE,
			       .dst_bytes = 4,
			       .a_bytes = 4,
			       .vec = 1};
	return i;
}

static UNUSED struct isa_insn *branch(struct builder *b, uint32_t guard, uint32_t target, uint32_t reconv)
{
	struct isa_insn *i = emit(b, ISA_H_bra, ISA_REF_NONE, ISA_REF_NONE, ISA_REF_NONE);
	i->guard = guard;
	i->target = target;
	i->reconv = reconv;
	return i;
}

/* setp.CMP: p = a CMP b */
static UNUSED struct isa_insn *setp(struct builder *b, enum isa_handler h, uint32_t p, uint32_t a, uint32_t bb)
{
	struct isa_insn *i = emit(b, h, p, a, bb);
	i->d = ISA_PRED_NONE;
	return i;
}

static UNUSED struct isa_insn *simple(struct builder *b, enum isa_handler h)
{
	return emit(b, h, ISA_REF_NONE, ISA_REF_NONE, ISA_REF_NONE);
}

static UNUSED struct isa_insn *barrier(struct builder *b, enum isa_handler h, uint32_t id, uint32_t count)
{
	struct isa_insn *i = emit(b, h, ISA_REF_NONE, K32(b, id), count ? K32(b, count) : ISA_REF_NONE);
	i->c = ISA_PRED_TRUE;
	return i;
}

/* out[%ctaid * %ntid + %tid] = row: to be read back with results(). Uses R(38), R(39). */
#define OUT_BYTES (UINT64_C(1) << 16)
static UNUSED uint64_t out_buffer(struct builder *b) { return gpu_alloc(b->g, OUT_BYTES, "out"); }

static UNUSED void store_out(struct builder *b, uint64_t out, uint32_t index, uint32_t row)
{
	struct isa_insn *i = emit(b, ISA_H_mad_wide_u32, R(39), index, K32(b, 4));
	i->c = K64(b, out);
	i = emit(b, ISA_H_st_global_b32, ISA_REF_NONE, R(39), row);
	i->a_bytes = 8;
	i->space = ISA_SPACE_GLOBAL;
	i->type = ISA_B32;
}

static UNUSED uint32_t result(struct builder *b, uint64_t out, uint32_t k)
{
	uint32_t v;
	assert_true(gpu_read(b->g, out + 4 * k, &v, 4));
	return v;
}

static UNUSED int64_t launch(struct builder *b, uint32_t function, uint32_t grid, uint32_t block)
{
	struct text why = {0};
	struct gpu_launch_spec s = {.function = function, .grid = {grid, 1, 1}, .block = {block, 1, 1}};
	gpu_program_changed(b->g);
	int64_t id = gpu_launch(b->g, &s, &why);
	if (id < 0)
		print_message("%s\n", text_str(&why));
	text_free(&why);
	return id;
}

/* Runs with no request at all; the event's text is in b's hands only if wanted. */
static UNUSED enum gpu_event_kind run_to_event(struct builder *b, struct gpu_event *ev)
{
	struct gpu_request r = {.max_cycles = UINT64_MAX};
	gpu_run(b->g, &r, ev);
	return ev->kind;
}

static UNUSED enum gpu_event_kind run_quietly(struct builder *b)
{
	struct gpu_event ev;
	enum gpu_event_kind k = run_to_event(b, &ev);
	text_free(&ev.text);
	return k;
}

#endif
