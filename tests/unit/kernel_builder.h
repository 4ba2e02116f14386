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

#include "gpu/config/config.h"
#include "gpu/gpu.h"
#include "isa/handlers.h"
#include "isa/special.h"

#define UNUSED __attribute__((unused))
#define OUT_BYTES (UINT64_C(1) << 16)

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
	uint64_t out;		/* what kernels leave: words, read by result() */
	bool stepping;		/* run_kernel stops after each instruction */
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
	b.out = gpu_alloc(b.g, OUT_BYTES, "out");
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

static UNUSED void function_end(struct builder *b) { b->f->end = here(b); }

static UNUSED uint32_t kernel_begin(struct builder *b) { return function_begin(b, "k", true); }

static UNUSED void kernel_end(struct builder *b)
{
	simple(b, ISA_H_exit);
	function_end(b);
}

static UNUSED struct isa_insn *barrier(struct builder *b, enum isa_handler h, uint32_t id, uint32_t count)
{
	struct isa_insn *i = emit(b, h, ISA_REF_NONE, K32(b, id), count ? K32(b, count) : ISA_REF_NONE);
	i->c = ISA_PRED_TRUE;
	return i;
}

/* bar.red of the whole block: dst = what p is among the threads */
static UNUSED void barrier_red(struct builder *b, enum isa_handler h, uint32_t dst, uint32_t id, uint32_t p)
{
	struct isa_insn *i = barrier(b, h, id, 0);
	i->dst = dst;
	i->c = p;
}

/* ---- memory: words ---- */

static UNUSED struct isa_insn *word_in(struct isa_insn *i, enum isa_space space)
{
	i->a_bytes = space == ISA_SPACE_GLOBAL ? 8 : 4;
	i->space = (uint8_t)space;
	i->type = ISA_B32;
	return i;
}

static UNUSED struct isa_insn *ld_shared(struct builder *b, uint32_t dst, uint32_t address)
{
	return word_in(emit(b, ISA_H_ld_shared_b32, dst, address, ISA_REF_NONE), ISA_SPACE_SHARED);
}

static UNUSED struct isa_insn *st_shared(struct builder *b, uint32_t address, uint32_t row)
{
	return word_in(emit(b, ISA_H_st_shared_b32, ISA_REF_NONE, address, row), ISA_SPACE_SHARED);
}

static UNUSED struct isa_insn *ld_global(struct builder *b, uint32_t dst, uint32_t address)
{
	return word_in(emit(b, ISA_H_ld_global_b32, dst, address, ISA_REF_NONE), ISA_SPACE_GLOBAL);
}

static UNUSED struct isa_insn *st_global(struct builder *b, uint32_t address, uint32_t row)
{
	return word_in(emit(b, ISA_H_st_global_b32, ISA_REF_NONE, address, row), ISA_SPACE_GLOBAL);
}

/* out[index] = row: to be read back with result(). Uses R(39). */
static UNUSED void store_out(struct builder *b, uint32_t index, uint32_t row)
{
	emit(b, ISA_H_mad_wide_u32, R(39), index, K32(b, 4))->c = K64(b, b->out);
	st_global(b, R(39), row);
}

/* out[offset + %tid] = row. Uses R(38), too. */
static UNUSED void store_out_at(struct builder *b, uint32_t offset, uint32_t row)
{
	emit(b, ISA_H_add_s32, R(38), TID, K32(b, offset));
	store_out(b, R(38), row);
}

static UNUSED uint32_t result(struct builder *b, uint32_t k)
{
	uint32_t v;
	assert_true(gpu_read(b->g, b->out + 4 * k, &v, 4));
	return v;
}

/* ---- calls ---- */

/* Words for an instruction's .aux. Where they lie. */
static UNUSED uint32_t aux_words(struct builder *b, const uint32_t *words, uint32_t n)
{
	const uint32_t at = b->p->n_aux;
	assert_true(at + n <= b->p->cap_aux);
	memcpy(&b->p->aux[at], words, n * sizeof *words);
	b->p->n_aux += n;
	return at;
}

static UNUSED struct isa_insn *call(struct builder *b, uint32_t f, const uint32_t *args, uint32_t n_words)
{
	struct isa_insn *i = simple(b, ISA_H_call);
	i->target = f;
	i->aux = aux_words(b, args, n_words);
	return i;
}

/* Nothing goes in, nothing comes out. */
static UNUSED struct isa_insn *call_plain(struct builder *b, uint32_t f)
{
	return call(b, f, (const uint32_t[]){0}, 1);
}

/* A function (.reg .u32 ret) name (.reg .u32 n): returns in R(0), argument in R(1). */
static UNUSED uint32_t unary_begin(struct builder *b, const char *name)
{
	static const struct isa_variable params[2] = {
		{.name = "ret", .type = ISA_U32, .bytes = 4, .flags = ISA_VAR_RETURN},
		{.name = "n", .type = ISA_U32, .bytes = 4}};
	static const uint32_t regs[2] = {R(0), R(1)};
	uint32_t f = function_begin(b, name, false);
	b->f->params = params;
	b->f->param_regs = regs;
	b->f->n_params = 2;
	return f;
}

#define UNARY_ARGS(ret, arg) ((const uint32_t[]){2, 0, ret, 4, ISA_U32, 0, arg, 4, ISA_U32})
#define UNARY_WORDS 9u

static UNUSED struct isa_insn *call_unary(struct builder *b, uint32_t f, uint32_t ret, uint32_t arg)
{
	return call(b, f, UNARY_ARGS(ret, arg), UNARY_WORDS);
}

/* ---- runs ---- */

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

/* Launches, and runs to the end. */
static UNUSED void run_kernel(struct builder *b, uint32_t function, uint32_t grid, uint32_t block)
{
	const struct gpu_request r = {.max_cycles = b->stepping ? 1 : UINT64_MAX};
	struct gpu_event ev;
	launch(b, function, grid, block);
	do {
		gpu_run(b->g, &r, &ev);
		text_free(&ev.text);
	} while (b->stepping && ev.kind == GPU_EVENT_CYCLES);
	if (ev.kind == GPU_EVENT_FAULT)
		print_message("%s\n", gpu_exec(b->g)->fault.detail);
	assert_int_equal(ev.kind, GPU_EVENT_KERNEL_DONE);
}

/* Launches a block, and runs into a fault of this kind. */
static UNUSED const struct exec_fault *run_into_fault(struct builder *b, uint32_t function, uint32_t block,
						      enum exec_fault_kind kind)
{
	launch(b, function, 1, block);
	assert_int_equal(run_quietly(b), GPU_EVENT_FAULT);
	assert_int_equal(gpu_exec(b->g)->fault.kind, kind);
	return &gpu_exec(b->g)->fault;
}

/* ---- a test's rows in main: its *state is a struct builder ---- */

static UNUSED int builder_set_up(void **state)
{
	struct builder *b = malloc(sizeof *b);
	*b = builder_create(NULL);
	*state = b;
	return 0;
}

static UNUSED int builder_set_up_stepping(void **state)
{
	builder_set_up(state);
	((struct builder *)*state)->stepping = true;
	return 0;
}

static UNUSED int builder_tear_down(void **state)
{
	builder_destroy(*state);
	free(*state);
	return 0;
}

#define BUILDS(test) cmocka_unit_test_setup_teardown(test, builder_set_up, builder_tear_down)
#define BUILDS_AND_STEPS(test) \
	BUILDS(test), cmocka_unit_test_setup_teardown(test, builder_set_up_stepping, builder_tear_down)

#endif
