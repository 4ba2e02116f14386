/* Lowering: fields, operands, layout, register lists, source places. Expected values are worked out from the PTX ISA by hand, or come
 * from the host compiler (struct offsets, rounding). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "isa/address_map.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"
#include "isa/print.h"
#include "isa/special.h"
#include "ptx/lower.h"
#include "ptx/ptx.h"

#define HEAD ".version 8.3\n.target sm_90\n.address_size 64\n"

static struct isa_program p;
static struct diag_list diags;

static int setup(void **state)
{
	(void)state;
	isa_program_init(&p);
	diag_list_init(&diags);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	isa_program_free(&p);
	diag_list_free(&diags);
	return 0;
}

static bool load(const char *name, const char *text)
{
	bool ok = ptx_load(&p, name, text, strlen(text), &diags);
	struct text t = {0};

	for (size_t i = 0; i < diags.n && !ok; i++)
		diag_format(&t, &diags.v[i]);
	if (!ok)
		print_message("%s", text_str(&t));
	text_free(&t);
	return ok;
}

/* Loads a kernel `k` around a body. */
static const struct isa_function *load_body(const char *declarations, const char *body)
{
	struct text t = {0};

	text_addf(&t, HEAD "%s.visible .entry k(.param .u64 p0, .param .u32 p1)\n{\n%s\n}\n", declarations, body);
	assert_true(load("t.ptx", text_str(&t)));
	text_free(&t);
	const struct isa_function *f = isa_program_find_function(&p, "k");
	assert_non_null(f);
	return f;
}

static const struct isa_insn *at(const struct isa_function *f, uint32_t k)
{
	assert_true(k < f->end - f->first);
	return &p.insns[f->first + k];
}

static const char *handler(const struct isa_insn *i) { return isa_handler_names[i->handler]; }

static struct isa_reg_place reg(const struct isa_function *f, const char *name, uint32_t k)
{
	struct isa_reg_place place;

	assert_true(isa_function_find_reg(f, name, strlen(name), f->first + k, &place));
	return place;
}

static uint64_t const_lane(uint32_t ref, unsigned bytes, unsigned lane)
{
	uint64_t v = 0;

	assert_int_equal(ISA_REF_BASE(ref), ISA_BASE_CONST);
	assert_true(ISA_REF_OFFSET(ref) + 32 * bytes <= p.n_consts);
	memcpy(&v, p.consts + ISA_REF_OFFSET(ref) + lane * bytes, bytes);
	return v;
}

/* A constant row: all lanes have the value. */
static void check_const(uint32_t ref, unsigned bytes, uint64_t want)
{
	for (unsigned lane = 0; lane < 32; lane++)
		assert_int_equal(const_lane(ref, bytes, lane), want);
}

/* The registers of an instruction as "writes | reads". */
static void check_rw(const struct isa_function *f, uint32_t k, const char *want)
{
	const struct isa_where *w = &p.where[f->first + k];
	struct text t = {0};
	char name[64];

	for (uint32_t i = 0; i < (uint32_t)w->n_writes + w->n_reads; i++) {
		if (i == w->n_writes)
			text_add(&t, "| ");
		assert_true(isa_function_reg_name(f, p.rw[w->rw + i], name, sizeof name));
		text_addf(&t, "%s ", name);
	}
	if (!w->n_reads)
		text_add(&t, "| ");
	assert_string_equal(text_str(&t), want);
	text_free(&t);
}

/* ---- parameters ---- */

static void test_kernel_parameters(void **state)
{
	(void)state;
	struct args {
		uint8_t a;
		uint64_t b;
		float c;
		uint16_t d;
		double e __attribute__((aligned(16)));
		uint8_t f[5];
		uint32_t g;
	};
	assert_true(load("t.ptx",
			 HEAD ".visible .entry k(.param .u8 a, .param .u64 b, .param .f32 c, .param .u16 d, .param "
			      ".align 16 .b8 e[8],\n"
			      " .param .b8 f[5], .param .u32 g)\n{ .reg .b32 %r<2>; ld.param.u32 %r1, [g]; ret; }\n"));
	const struct isa_function *f = isa_program_find_function(&p, "k");
	assert_true(f->is_kernel);
	assert_int_equal(f->n_params, 7);
	const size_t want[] = {offsetof(struct args, a), offsetof(struct args, b), offsetof(struct args, c),
			       offsetof(struct args, d), offsetof(struct args, e), offsetof(struct args, f),
			       offsetof(struct args, g)};
	for (unsigned i = 0; i < 7; i++) {
		assert_int_equal(f->params[i].address, want[i]);
		assert_int_equal(f->params[i].space, ISA_SPACE_PARAM);
	}
	assert_int_equal(f->param_bytes, offsetof(struct args, g) + 4);
	const struct isa_insn *i = at(f, 0);
	assert_string_equal(handler(i), "ld_param_b32");
	assert_int_equal(i->a, ISA_REF_NONE);
	assert_int_equal(i->imm, offsetof(struct args, g));
	assert_int_equal(i->space, ISA_SPACE_PARAM);
}

static void test_parameter_address(void **state)
{
	(void)state;
	const struct isa_function *f = load_body("", ".reg .b64 %rd<4>; .reg .b32 %r<2>;\n"
						     "mov.b64 %rd1, p1;\ncvta.param.u64 %rd2, %rd1;\nld.param.u32 %r1, "
						     "[%rd1+0];\nld.param.u32 %r1, [p0+4];\nret;");
	check_const(at(f, 0)->a, 8, 8);
	assert_string_equal(handler(at(f, 1)), "cvta_param");
	assert_int_equal(at(f, 2)->space, ISA_SPACE_PARAM);
	assert_int_equal(at(f, 2)->a, reg(f, "%rd1", 0).ref);
	assert_int_equal(at(f, 2)->a_bytes, 8);
	assert_int_equal(at(f, 3)->imm, 4);
}

/* ---- registers ---- */

static void test_registers(void **state)
{
	(void)state;
	const struct isa_function *f = load_body(
		"", ".reg .pred %p<9>; .reg .b32 %r<100000>; .reg .b64 %rd<3>; .reg .b16 h; .reg .f32 unused<7>;\n"
		    "add.s32 %r3, %r1, %r2;\n"
		    "{ .reg .b32 %r<3>; mov.b32 %r1, 7; }\n"
		    "@!%p4 mov.b16 h, 5;\nmov.b64 %rd2, 1;\nret;");
	assert_int_equal(reg(f, "%r3", 0).ref - reg(f, "%r1", 0).ref, 2 * 128);
	assert_int_equal(reg(f, "%rd2", 0).ref % 64, 0);
	assert_int_equal(at(f, 0)->dst, reg(f, "%r3", 0).ref);
	assert_int_equal(at(f, 0)->a, reg(f, "%r1", 0).ref);
	assert_int_equal(at(f, 0)->b, reg(f, "%r2", 0).ref);
	/* the inner %r1 hides the outer one, in its scope only */
	assert_int_equal(at(f, 1)->dst, reg(f, "%r1", 1).ref);
	assert_int_not_equal(reg(f, "%r1", 1).ref, reg(f, "%r1", 0).ref);
	assert_int_equal(reg(f, "%r1", 2).ref, reg(f, "%r1", 0).ref);
	assert_true(reg(f, "%p4", 0).is_pred);
	assert_true(reg(f, "%p4", 0).ref >= 2);
	assert_int_equal(at(f, 2)->guard, reg(f, "%p4", 0).ref | ISA_PRED_NOT);
	assert_int_equal(at(f, 2)->dst, reg(f, "h", 0).ref);
	/* rows up to the highest number mentioned: 4 of 128, 2 of 128, 1 of 64, 3 of 256 bytes */
	assert_true(f->frame_bytes <= 4 * f->n_preds + 6 * 128 + 64 + 3 * 256 + 1024);
	assert_int_equal(f->frame_bytes % 64, 0);
	check_rw(f, 0, "%r3 | %r1 %r2 ");
	check_rw(f, 2, "h | %p4 ");
	check_rw(f, 4, "| ");
	struct isa_reg_place none;
	assert_false(isa_function_find_reg(f, "%r4", 3, f->first, &none));
	assert_false(isa_function_find_reg(f, "unused0", 7, f->first, &none));
}

static void test_too_many_registers(void **state)
{
	(void)state;
	struct text t = {0};
	text_add(&t, HEAD ".visible .entry k()\n{ .reg .b64 %a<16000000>; mov.b64 %a15999999, 1; ret; }\n");
	assert_false(ptx_load(&p, "t.ptx", t.s, t.n, &diags));
	assert_true(strstr(diags.v[0].message, "bytes of registers") != NULL);
	assert_int_equal(p.n_insns, 0);
	assert_int_equal(p.n_functions, 0);
	text_free(&t);
}

/* ---- immediates ---- */

static void test_immediates(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body("", ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b16 %h<9>; .reg .f32 %f<9>; .reg .f64 %d<9>;\n"
			      "add.s32 %r1, %r2, -1;\nadd.s16 %h1, %h2, -2;\nadd.s64 %rd1, %rd2, -3;\n"
			      "add.f32 %f1, %f2, 0f3F800000;\nadd.f32 %f1, %f2, 0d3FB999999999999A;\nadd.f64 %d1, %d2, "
			      "0f3F800000;\nadd.f32 %f1, %f2, 0.1;\n"
			      "shl.b64 %rd1, %rd2, 5;\nmov.b32 %r1, 0xFFFFFFFFFFFFFFFF;\nmul.wide.s32 %rd1, %r1, "
			      "-4;\nadd.s32 %r1, %r3, -1;\nret;");
	check_const(at(f, 0)->b, 4, 0xffffffff);
	check_const(at(f, 1)->b, 2, 0xfffe);
	check_const(at(f, 2)->b, 8, UINT64_C(0xfffffffffffffffd));
	check_const(at(f, 3)->b, 4, 0x3f800000);
	float tenth = (float)0.1;
	uint32_t bits;
	memcpy(&bits, &tenth, 4);
	check_const(at(f, 4)->b, 4, bits);
	check_const(at(f, 5)->b, 8, UINT64_C(0x3ff0000000000000));
	check_const(at(f, 6)->b, 4, bits);
	check_const(at(f, 7)->b, 4, 5);
	check_const(at(f, 8)->a, 4, 0xffffffff);
	check_const(at(f, 9)->b, 4, 0xfffffffc);
	assert_int_equal(at(f, 10)->b, at(f, 0)->b); /* one row a value and width */
	assert_int_equal(at(f, 4)->b, at(f, 6)->b);
}

static void test_half_rounding(void **state)
{
	(void)state;
	uint64_t seed = 7;
	for (int k = 0; k < 200000; k++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		/* doubles around the range of halves: exponents -30 .. 20 */
		uint64_t bits = (seed & UINT64_C(0x800fffffffffffff)) | (1023 - 30 + (seed >> 52) % 51) << 52;
		if (k % 3 == 0)
			bits &= ~UINT64_C(0xffffffffff); /* ties */
		double d;
		memcpy(&d, &bits, 8);
		struct ptx_operand o = {.kind = PTX_OP_FLOAT, .bits = bits};
		_Float16 h = (_Float16)d;
		uint16_t want;
		memcpy(&want, &h, 2);
		assert_int_equal(lower_literal_bits(&o, ISA_F16), want);
		assert_int_equal(lower_literal_bits(&o, ISA_F16X2), want | (uint32_t)want << 16);
	}
}

static void test_bf16_literals(void **state)
{
	(void)state;
	/* value, bits: bf16 is the upper half of f32; the ties by hand */
	static const struct {
		double v;
		uint16_t want;
	} cases[] = {{0, 0},	     {-0.0, 0x8000},	      {1, 0x3f80},
		     {-2, 0xc000},   {1.00390625, 0x3f80},    {1.01171875, 0x3f82},
		     {1e39, 0x7f80}, {9.1835496157991e-41, 1}};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct ptx_operand o = {.kind = PTX_OP_FLOAT};
		memcpy(&o.bits, &cases[k].v, 8);
		assert_int_equal(lower_literal_bits(&o, ISA_BF16), cases[k].want);
	}
}

/* ---- families ---- */

static void test_predicates(void **state)
{
	(void)state;
	const struct isa_function *f = load_body("", ".reg .pred %p<9>; .reg .b32 %r<9>;\n"
						     "setp.lt.s32 %p1|%p2, %r1, %r2;\nsetp.eq.and.u32 %p1, %r1, 3, "
						     "!%p2;\nand.pred %p3, %p1, !%p2;\nselp.b32 %r1, %r2, 4, %p3;\n"
						     "mov.pred %p4, %p3;\nset.lt.or.u32.s32 %r1, %r2, %r3, %p1;\nret;");
	const struct isa_insn *i = at(f, 0);
	assert_int_equal(i->dst, reg(f, "%p1", 0).ref);
	assert_int_equal(i->dst2, reg(f, "%p2", 0).ref);
	assert_int_equal(i->d, ISA_PRED_NONE);
	assert_int_equal(i->cmp, ISA_CMP_LT);
	i = at(f, 1);
	assert_int_equal(i->dst2, ISA_PRED_SINK);
	assert_int_equal(i->d, reg(f, "%p2", 0).ref | ISA_PRED_NOT);
	assert_int_equal(i->boolop, ISA_BOOL_AND);
	i = at(f, 2);
	assert_int_equal(i->dst, reg(f, "%p3", 0).ref);
	assert_int_equal(i->a, reg(f, "%p1", 0).ref);
	assert_int_equal(i->b, reg(f, "%p2", 0).ref | ISA_PRED_NOT);
	i = at(f, 3);
	assert_int_equal(i->c, reg(f, "%p3", 0).ref);
	check_const(i->b, 4, 4);
	check_rw(f, 0, "%p1 %p2 | %r1 %r2 ");
	check_rw(f, 1, "%p1 | %r1 %p2 ");
	check_rw(f, 3, "%r1 | %r2 %p3 ");
	i = at(f, 5);
	assert_int_equal(i->d, reg(f, "%p1", 0).ref);
	assert_int_equal(i->type, ISA_U32);
	assert_int_equal(i->type2, ISA_S32);
}

static void test_memory(void **state)
{
	(void)state;
	const struct isa_function *f = load_body(
		"", ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .b16 %h<5>;\n"
		    "ld.global.v4.f32 {%f1, _, %f3, %f4}, [%rd1+16];\nst.volatile.global.v2.u32 [%rd1+-8], {%r1, "
		    "7};\nld.global.u8 %h1, [%rd1];\n"
		    "ld.global.u16 %r1, [%rd1];\nld.u32 %r1, [%r2];\nst.shared.u8 [%r1], %r2;\natom.global.cas.b32 "
		    "%r1, [%rd1+4], %r2, 9;\n"
		    "red.shared.add.u32 [%r1], 1;\natom.global.add.u32 _, [%rd1], %r2;\nld.local.u32 %r1, [64];\nret;");
	const struct isa_insn *i = at(f, 0);
	assert_int_equal(i->vec, 4);
	assert_int_equal(i->a, reg(f, "%rd1", 0).ref);
	assert_int_equal(i->imm, 16);
	assert_int_equal(p.aux[i->aux], reg(f, "%f1", 0).ref);
	assert_int_equal(p.aux[i->aux + 1], ISA_REF_NONE);
	assert_int_equal(p.aux[i->aux + 3], reg(f, "%f4", 0).ref);
	check_rw(f, 0, "%f1 %f3 %f4 | %rd1 ");
	i = at(f, 1);
	assert_int_equal(i->imm, -8);
	assert_int_equal(p.aux[i->aux], reg(f, "%r1", 0).ref);
	check_const(p.aux[i->aux + 1], 4, 7);
	check_rw(f, 1, "| %rd1 %r1 ");
	assert_string_equal(handler(at(f, 2)), "ld"); /* the register is wider than the type */
	assert_int_equal(at(f, 2)->dst_bytes, 2);
	assert_int_equal(at(f, 3)->dst_bytes, 4);
	assert_int_equal(at(f, 3)->type, ISA_U16);
	assert_int_equal(at(f, 4)->a_bytes, 4);
	assert_int_equal(at(f, 4)->space, ISA_SPACE_GENERIC);
	assert_int_equal(at(f, 5)->b, reg(f, "%r2", 0).ref);
	i = at(f, 6);
	assert_int_equal(i->atom, ISA_ATOM_CAS);
	assert_int_equal(i->b, reg(f, "%r2", 0).ref);
	check_const(i->c, 4, 9);
	check_rw(f, 6, "%r1 | %rd1 %r2 ");
	assert_int_equal(at(f, 7)->space, ISA_SPACE_SHARED);
	assert_int_equal(at(f, 7)->dst, ISA_REF_NONE);
	assert_int_equal(at(f, 8)->dst, ISA_REF_NONE);
	assert_int_equal(at(f, 9)->a, ISA_REF_NONE);
	assert_int_equal(at(f, 9)->imm, 64);
}

static void test_vectors(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body("", ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b16 %h<9>; .reg .v4 .f32 v; .reg .f32 %f<3>;\n"
			      "mov.b64 %rd1, {%r1, %r2};\nmov.b64 {_, %r3}, %rd1;\nmov.b32 %r1, {%h1, 5};\nmov.b64 "
			      "{%h1, %h2, %h3, %h4}, %rd2;\n"
			      "ld.global.v4.f32 v, [%rd1];\nadd.f32 %f1, v.x, v.w;\nret;");
	assert_string_equal(handler(at(f, 0)), "mov_pack");
	assert_int_equal(at(f, 0)->vec, 2);
	assert_int_equal(p.aux[at(f, 0)->aux + 1], reg(f, "%r2", 0).ref);
	assert_string_equal(handler(at(f, 1)), "mov_unpack");
	assert_int_equal(at(f, 1)->a, reg(f, "%rd1", 0).ref);
	assert_int_equal(p.aux[at(f, 1)->aux], ISA_REF_NONE);
	check_rw(f, 1, "%r3 | %rd1 ");
	check_const(p.aux[at(f, 2)->aux + 1], 2, 5);
	assert_int_equal(at(f, 3)->vec, 4);
	assert_int_equal(p.aux[at(f, 4)->aux + 2], reg(f, "v.z", 0).ref);
	assert_int_equal(at(f, 5)->b, reg(f, "v.w", 0).ref);
	assert_int_equal(reg(f, "v.w", 0).ref - reg(f, "v.x", 0).ref, 3 * 128);
}

static void test_special_registers(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body("", ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b16 %h<9>;\n"
			      "mov.u32 %r1, %tid.y;\nmov.u32 %r1, %ntid.x;\nmov.u64 %rd1, %gridid;\nmov.u32 %r1, "
			      "%clock;\nmov.u64 %rd1, %globaltimer;\n"
			      "mov.u32 %r1, %envreg7;\nmov.u32 %r1, WARP_SZ;\nmov.u32 %r1, %laneid;\nret;");
	assert_int_equal(at(f, 0)->a, ISA_SPECIAL_REF(TID, 1));
	assert_int_equal(at(f, 1)->a, ISA_SPECIAL_REF(NTID, 0));
	assert_string_equal(handler(at(f, 2)), "mov_b64_sreg");
	assert_int_equal(at(f, 2)->a, ISA_SPECIAL_REF(GRIDID, 0));
	assert_string_equal(handler(at(f, 3)), "mov_clock");
	assert_int_equal(at(f, 3)->dst_bytes, 4);
	assert_string_equal(handler(at(f, 4)), "mov_globaltimer");
	assert_int_equal(at(f, 4)->dst_bytes, 8);
	assert_int_equal(at(f, 5)->a, ISA_SPECIAL_REF(ZERO, 0));
	check_const(at(f, 6)->a, 4, 32);
	check_rw(f, 7, "%r1 | ");
}

static void test_lanes_and_barriers(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body("", ".reg .b32 %r<9>; .reg .pred %p<9>;\n"
			      "shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;\nshfl.sync.idx.b32 %r1, %r2, %r3, 31, "
			      "%r4;\nvote.sync.ballot.b32 %r1, !%p1, %r4;\n"
			      "vote.sync.any.pred %p2, %p1, -1;\nmatch.all.sync.b32 %r1|%p2, %r2, "
			      "%r4;\nredux.sync.add.s32 %r1, %r2, %r4;\nelect.sync _|%p3, %r4;\n"
			      "bar.sync 1, 64;\nbar.sync %r1;\nbar.red.popc.u32 %r1, 0, !%p1;\nbar.red.or.pred %p2, "
			      "%r1, %r2, %p3;\nbar.warp.sync %r4;\nactivemask.b32 %r1;\nret;");
	const struct isa_insn *i = at(f, 0);
	assert_int_equal(i->dst2, reg(f, "%p1", 0).ref);
	check_const(i->b, 4, 1);
	check_const(i->c, 4, 0);
	check_const(i->d, 4, 0xffffffff);
	assert_int_equal(at(f, 1)->dst2, ISA_PRED_SINK);
	assert_int_equal(at(f, 1)->d, reg(f, "%r4", 0).ref);
	assert_int_equal(at(f, 2)->a, reg(f, "%p1", 0).ref | ISA_PRED_NOT);
	assert_int_equal(at(f, 2)->d, reg(f, "%r4", 0).ref);
	assert_int_equal(at(f, 3)->dst, reg(f, "%p2", 0).ref);
	check_const(at(f, 3)->d, 4, 0xffffffff);
	i = at(f, 4);
	assert_string_equal(handler(i), "match_all_sync_b32");
	assert_int_equal(i->dst2, reg(f, "%p2", 0).ref);
	assert_int_equal(i->a, reg(f, "%r2", 0).ref);
	assert_int_equal(i->d, reg(f, "%r4", 0).ref);
	assert_int_equal(at(f, 5)->atom, ISA_ATOM_ADD);
	assert_int_equal(at(f, 5)->d, reg(f, "%r4", 0).ref);
	assert_int_equal(at(f, 6)->dst, ISA_REF_NONE);
	assert_int_equal(at(f, 6)->dst2, reg(f, "%p3", 0).ref);
	assert_int_equal(at(f, 6)->d, reg(f, "%r4", 0).ref);
	i = at(f, 7);
	check_const(i->a, 4, 1);
	check_const(i->b, 4, 64);
	assert_int_equal(at(f, 8)->b, ISA_REF_NONE);
	i = at(f, 9);
	assert_int_equal(i->dst, reg(f, "%r1", 0).ref);
	check_const(i->a, 4, 0);
	assert_int_equal(i->b, ISA_REF_NONE);
	assert_int_equal(i->c, reg(f, "%p1", 0).ref | ISA_PRED_NOT);
	i = at(f, 10);
	assert_int_equal(i->dst, reg(f, "%p2", 0).ref);
	assert_int_equal(i->b, reg(f, "%r2", 0).ref);
	assert_int_equal(i->c, reg(f, "%p3", 0).ref);
	assert_int_equal(at(f, 11)->a, reg(f, "%r4", 0).ref);
	assert_int_equal(at(f, 12)->dst, reg(f, "%r1", 0).ref);
}

static void test_odd_forms(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body("", ".reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred %p<9>; .reg .b16 %h<3>; .reg .f32 %f<4>;\n"
			      "lop3.b32 %r1, %r2, %r3, %r4, 0x96;\ncvt.u32.u16 %r1, %h1;\ncvt.u8.u32 %r1, "
			      "%r2;\ncvt.rn.f16x2.f32 %r1, %f1, %f2;\n"
			      "prmt.b32 %r1, %r2, %r3, 0x3210;\nbfi.b32 %r1, %r2, %r3, 8, 4;\nvadd.s32.u32.s32.sat "
			      "%r1.b1, %r2.h1, %r3, %r4;\n"
			      "vadd2.s32.s32.u32 %r1, %r2.h01, %r3, %r4;\nvabsdiff4.u32.u32.u32.add %r1.b30, "
			      "%r2.b7654, %r3, %r4;\nvmad.s32.s32.s32.shr7 %r1, -%r2.b3, %r3, %r4;\nret;");
	assert_int_equal(at(f, 0)->imm, 0x96);
	assert_int_equal(at(f, 0)->c, reg(f, "%r4", 0).ref);
	assert_int_equal(at(f, 1)->a_bytes, 2);
	assert_int_equal(at(f, 1)->dst_bytes, 4);
	assert_string_equal(handler(at(f, 2)), "cvt"); /* u8 in a 32-bit register */
	assert_int_equal(at(f, 3)->b, reg(f, "%f2", 0).ref);
	check_const(at(f, 4)->c, 4, 0x3210);
	check_const(at(f, 5)->c, 4, 8);
	check_const(at(f, 5)->d, 4, 4);
	/* selectors a h1 (6), b none, d b1 (2); signed d and b; saturating */
	assert_int_equal(at(f, 6)->imm, 6 | 2 << 8 | 1 << 12 | 1 << 14 | 1 << 15);
	assert_int_equal(at(f, 6)->c, reg(f, "%r4", 0).ref);
	/* a: element 0 from 1, element 1 from 0; b: the default .h32; both elements written; signed d and a */
	assert_int_equal(at(f, 7)->imm, 0x01 | 0x32 << 16 | INT64_C(3) << 32 | INT64_C(1) << 36 | INT64_C(1) << 37);
	assert_int_equal(at(f, 8)->imm, 0x7654 | INT64_C(0x7654) << 16 | INT64_C(9) << 32 | INT64_C(1) << 40);
	assert_int_equal(at(f, 9)->imm, 4 | 7 << 12 | 1 << 18 | 1 << 22);
}

/* The listing of a function's instructions without their numbers. */
static void check_listing(const struct isa_function *f, const char *want)
{
	struct text t = {0};

	for (uint32_t i = f->first; i < f->end; i++) {
		isa_insn_print(&p, i, &t);
		text_addc(&t, '\n');
	}
	assert_string_equal(text_str(&t), want);
	text_free(&t);
}

/* What one PTX instruction needs several for. ptxas scales an index in 32 bits and adds it without sign (its code for x[%r2] and for
 * shl.b32, cvt.u64.u32, add.u64 is the same). */
static void test_expansions(void **state)
{
	(void)state;
	const struct isa_function *f = load_body(
		".global .u32 x[8];\n", ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;\n"
					"@%p1 bra L;\nld.global.u32 %r1, x[%r2+1];\nL: mov.v2.u32 {%r1,_}, {%r2,%r1};\n"
					"@!%p1 mov.v4.u32 {%r1,%r2,%r3,%r4}, %ctaid;\ncvt.u64.u32 %rd1, %clock;\n{ "
					".reg .b32 q; mov.b32 q, 1; }\n"
					"M: atom.global.add.u32 %r1, x[%rd2], 1;\n@%p2 bra M;\nret;");
	uint32_t temp = f->frame_bytes - 3 * 512;
	struct text t = {0};
	text_addf(&t,
		  "@%%p1 bra @5 reconv @5\n"
		  "shl_b32 row+%u, %%r2, #0x2\nmov_b64 row+%u, #0x10000000\nmad_wide_u32 row+%u, row+%u, #0x1, "
		  "row+%u\nld_global_b32 %%r1, global[row+%u+4]\n"
		  "mov_pack row+%u, {%%r2, %%r1}\nmov_unpack {%%r1, _}, row+%u\n"
		  "@!%%p1 mov_b32 %%r1, %%ctaid.x\n@!%%p1 mov_b32 %%r2, %%ctaid.y\n@!%%p1 mov_b32 %%r3, "
		  "%%ctaid.z\n@!%%p1 mov_b32 %%r4, zero\n"
		  "mov_clock row+%u\ncvt_u64_u32 %%rd1, row+%u\nmov_b32 q, #0x1\n",
		  temp, temp + 512, temp + 1024, temp, temp + 512, temp + 1024, temp, temp, temp, temp);
	text_addf(&t,
		  "cvt row+%u, %%rd2\nshl_b32 row+%u, row+%u, #0x2\nmov_b64 row+%u, #0x10000000\nmad_wide_u32 row+%u, "
		  "row+%u, #0x1, row+%u\n"
		  "atom %%r1, global[row+%u], #0x1\n@%%p2 bra @14 reconv @20\nret\n",
		  temp, temp, temp, temp + 512, temp + 1024, temp, temp + 512, temp + 1024);
	check_listing(f, text_str(&t));
	text_free(&t);
	assert_int_equal(f->labels[0].at, 5);
	assert_int_equal(f->labels[1].at, 14);
	check_rw(f, 1, "| %r2 ");
	check_rw(f, 4, "%r1 | ");
	check_rw(f, 7, "%r1 | %p1 ");
	check_rw(f, 10, "%r4 | %p1 ");
	assert_int_equal(p.where[1].line, p.where[4].line);
	assert_int_equal(p.where[1].offset, p.where[4].offset);
	assert_int_equal(reg(f, "q", 13).ref, at(f, 13)->dst);
	struct isa_reg_place none;
	assert_false(isa_function_find_reg(f, "q", 1, f->first + 12, &none));
	assert_false(isa_function_find_reg(f, "q", 1, f->first + 14, &none));
}

/* ---- addresses of variables ---- */

static void test_addresses(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body(".global .align 4 .b8 pad[6];\n.global .align 8 .u64 g[4];\n.const .align 4 .f32 "
			  "c[8];\n.shared .align 4 .b32 s[16];\n"
			  ".extern .shared .align 16 .b8 dyn[];\n.func fn() { ret; }\n",
			  ".reg .b64 %rd<9>; .reg .b32 %r<9>; .local .align 16 .b8 loc[24]; .shared .b8 own[10];\n"
			  "mov.u64 %rd1, g+8;\nld.global.u64 %rd1, [g+16];\ncvta.const.u64 %rd1, c;\nmov.u32 %r1, "
			  "s;\nmov.u64 %rd1, loc;\nld.local.u32 %r1, [loc+4];\n"
			  "cvta.local.u64 %rd1, loc;\nmov.u32 %r1, dyn;\nst.shared.u32 [dyn+4], %r1;\nmov.u64 %rd1, "
			  "fn;\nld.shared.u8 %r1, [own];\nld.const.f32 %r1, [c+12];\nret;");
	check_const(at(f, 0)->a, 8, ISA_MODULE_GLOBALS + 8 + 8);
	assert_int_equal(at(f, 1)->imm, ISA_MODULE_GLOBALS + 8 + 16);
	assert_int_equal(at(f, 2)->a, ISA_REF_NONE);
	assert_int_equal(at(f, 2)->imm, 0);
	assert_int_equal(at(f, 2)->space, ISA_SPACE_CONST);
	/* the kernel's own variable first, then the module's, at a multiple of 4 */
	check_const(at(f, 3)->a, 4, 12);
	assert_string_equal(handler(at(f, 4)), "mov_local_addr");
	assert_int_equal(at(f, 4)->imm, 0);
	assert_int_equal(at(f, 4)->dst_bytes, 8);
	assert_true(at(f, 5)->flags & ISA_F_ADDR_SP);
	assert_int_equal(at(f, 5)->imm, 4);
	assert_true(at(f, 6)->flags & ISA_F_ADDR_SP);
	assert_string_equal(handler(at(f, 7)), "mov_dynshared");
	assert_int_equal(at(f, 7)->a, ISA_SPECIAL_REF(DYN_SHARED_BASE, 0));
	assert_int_equal(at(f, 8)->a, ISA_SPECIAL_REF(DYN_SHARED_BASE, 0));
	assert_int_equal(at(f, 8)->a_bytes, 4);
	assert_int_equal(at(f, 8)->imm, 4);
	const struct isa_function *fn = isa_program_find_function(&p, "fn");
	check_const(at(f, 9)->a, 8, ISA_CODE_WINDOW + 8 * (uint64_t)fn->first);
	assert_int_equal(at(f, 10)->imm, 0);
	assert_int_equal(at(f, 11)->imm, 12);
	assert_int_equal(f->static_shared, 12 + 64);
	assert_true(f->uses_dynamic_shared);
	assert_int_equal(f->local_bytes % 16, 0);
	assert_true(f->local_bytes >= 24);
	assert_int_equal(f->n_vars, 2);
	assert_int_equal(p.const_next, 32);
}

/* ---- calls ---- */

static void test_calls(void **state)
{
	(void)state;
	assert_true(load(
		"t.ptx", HEAD
		".func (.param .b32 r) f(.param .b64 a, .param .align 8 .b8 b[12]) {\n"
		" .reg .b32 %r<3>; .reg .b64 %rd<3>;\n ld.param.b64 %rd1, [a];\n ld.param.b32 %r1, [b+8];\n mov.b64 "
		"%rd2, b;\n ld.param.b32 %r2, [%rd2];\n"
		" st.param.b32 [r], %r1;\n ret;\n}\n"
		".func (.reg .u32 x) old(.reg .u32 y, .reg .pred q) { add.u32 x, y, 1; ret; }\n"
		".visible .entry k() {\n .reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .pred %p<2>;\n .local .b8 depot[20];\n"
		" { .param .b64 a0; st.param.b64 [a0], %rd1; .param .align 8 .b8 a1[12]; st.param.b32 [a1+8], %r1; "
		".param .b32 r0;\n"
		"  call.uni (r0), f, (a0, a1);\n  ld.param.b32 %r2, [r0]; }\n"
		" { .param .b32 z; st.param.b32 [z], 1; }\n"
		" call (%r3), old, (%r2, !%p1);\n call (_), old, (7, %p1);\n"
		" mov.u64 %rd2, f;\n"
		" { .param .b64 a0; .param .align 8 .b8 a1[12]; .param .b32 r0; proto: .callprototype (.param .b32 _) "
		"_ (.param .b64 _, .param .align 8 .b8 _[12]);\n"
		"  call (r0), %rd2, (a0, a1), proto; }\n ret;\n}\n"));
	const struct isa_function *f = isa_program_find_function(&p, "f"), *old = isa_program_find_function(&p, "old"),
				  *k = isa_program_find_function(&p, "k");
	/* places in the callee's frame: return value first, natural alignment */
	assert_int_equal(f->params[0].address, 0);
	assert_true(f->params[0].flags & ISA_VAR_RETURN);
	assert_int_equal(f->params[1].address, 8);
	assert_int_equal(f->params[2].address, 16);
	assert_int_equal(f->params[2].space, ISA_SPACE_LOCAL);
	assert_int_equal(f->local_bytes, 32);
	const struct isa_insn *i = at(f, 1);
	assert_int_equal(i->space, ISA_SPACE_LOCAL);
	assert_true(i->flags & ISA_F_ADDR_SP);
	assert_int_equal(i->imm, 24);
	assert_string_equal(handler(at(f, 2)), "mov_local_addr");
	assert_int_equal(at(f, 3)->space, ISA_SPACE_LOCAL);
	assert_false(at(f, 3)->flags & ISA_F_ADDR_SP);
	/* the caller: depot 0..20, then the sequence's variables; the next scope begins where this one did */
	assert_int_equal(at(k, 0)->imm, 24);
	assert_int_equal(at(k, 1)->imm, 32 + 8);
	i = at(k, 2);
	assert_string_equal(handler(i), "call");
	assert_ptr_equal(p.functions[i->target], f);
	const uint32_t *w = &p.aux[i->aux];
	const uint32_t want[] = {3, 2, 44, 4, ISA_B32, 2, 24, 8, ISA_B64, 2, 32, 12, ISA_B8};
	assert_memory_equal(w, want, sizeof want);
	assert_int_equal(at(k, 3)->imm, 44);
	assert_int_equal(at(k, 4)->imm, 20);
	i = at(k, 5);
	w = &p.aux[i->aux];
	assert_int_equal(w[0], 3);
	assert_int_equal(w[1], 0);
	assert_int_equal(w[2], reg(k, "%r3", 5).ref);
	assert_int_equal(w[5 + 1], reg(k, "%r2", 5).ref);
	assert_int_equal(w[9], 1);
	assert_int_equal(w[9 + 1], reg(k, "%p1", 5).ref | ISA_PRED_NOT);
	check_rw(k, 5, "%r3 | %r2 %p1 ");
	w = &p.aux[at(k, 6)->aux];
	assert_int_equal(w[2], ISA_REF_NONE);
	check_const(w[5 + 1], 4, 7);
	assert_int_equal(old->param_regs[1], reg(old, "y", 0).ref);
	assert_int_equal(old->param_regs[2], reg(old, "q", 0).ref);
	i = at(k, 8);
	assert_string_equal(handler(i), "call_indirect");
	assert_int_equal(i->a, reg(k, "%rd2", 8).ref);
	assert_int_equal(i->a_bytes, 8);
	assert_int_equal(p.aux[i->aux], 3);
}

static void test_builtin_calls(void **state)
{
	(void)state;
	assert_true(
		load("t.ptx", HEAD
		     ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n.extern .func nobody();\n"
		     ".visible .entry k() { .reg .b64 %rd<3>;\n"
		     " { .param .b64 a; st.param.b64 [a], %rd1; .param .b64 b; st.param.b64 [b], %rd2; .param .b32 r; "
		     "call (r), vprintf, (a, b); }\n"
		     " call nobody; ret; }\n"));
	const struct isa_function *k = isa_program_find_function(&p, "k");
	assert_string_equal(handler(at(k, 2)), "call_builtin");
	assert_string_equal(p.functions[at(k, 2)->target]->name, "vprintf");
	assert_false(p.functions[at(k, 2)->target]->is_defined);
	struct text t = {0};
	assert_int_equal(ptx_undefined(&p, &t), 1);
	assert_string_equal(text_str(&t), "nobody\n");
	text_free(&t);
}

/* ---- control flow ---- */

static void test_reconvergence(void **state)
{
	(void)state;
	const struct isa_function *f = load_body(
		"",
		".reg .pred %p<3>; .reg .b32 %r<3>;\n"
		"@%p1 bra ELSE;\nmov.b32 %r1, 1;\nbra JOIN;\nELSE: mov.b32 %r1, 2;\n"
		"JOIN: mov.b32 %r2, 3;\nLOOP: add.s32 %r2, %r2, 1;\n@%p2 bra LOOP;\n@%p1 bra OUT;\nret;\nOUT: exit;");
	assert_int_equal(at(f, 0)->target, f->first + 3);
	assert_int_equal(at(f, 0)->reconv, f->first + 4);
	assert_string_equal(handler(at(f, 0)), "bra");
	assert_string_equal(handler(at(f, 2)), "bra_uni");
	assert_int_equal(at(f, 6)->target, f->first + 5);
	assert_int_equal(at(f, 6)->reconv, f->first + 7);
	assert_int_equal(at(f, 7)->reconv, ISA_NO_RECONV);
	assert_int_equal(f->n_labels, 4);
	assert_string_equal(f->labels[1].name, "JOIN");
	assert_int_equal(f->labels[1].at, f->first + 4);
}

static void test_branch_table(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body("", ".reg .b32 %r<3>;\nts: .branchtargets A, B, A, C;\nbrx.idx %r1, ts;\n"
			      "A: mov.b32 %r2, 1; bra C;\nB: mov.b32 %r2, 2;\nC: ret;");
	const struct isa_insn *i = at(f, 0);
	assert_string_equal(handler(i), "brx_idx");
	assert_int_equal(i->a, reg(f, "%r1", 0).ref);
	const uint32_t want[] = {4, f->first + 1, f->first + 3, f->first + 1, f->first + 4};
	assert_memory_equal(&p.aux[i->aux], want, sizeof want);
	assert_int_equal(i->reconv, f->first + 4);
}

static void test_falls_off_the_end(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body("", ".reg .pred %p<3>; .reg .b32 %r<3>;\n@%p1 bra END;\nmov.b32 %r1, 1;\nEND:");
	assert_int_equal(f->end - f->first, 3);
	assert_int_equal(at(f, 2)->opcode, ISA_OP_RET);
	assert_int_equal(at(f, 0)->target, f->first + 2);
	assert_int_equal(p.where[f->first + 2].line, f->end_line);
	assert_int_equal(p.files[0].text[p.where[f->first + 2].offset], '}');
}

static void test_dot(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body("", ".reg .pred %p<3>; .reg .b32 %r<3>;\n@%p1 bra END;\nmov.b32 %r1,\n\t1;\nEND: ret;");
	struct text t = {0};
	ptx_cfg_dot(&p, f, &t);
	assert_string_equal(text_str(&t), "digraph \"k\" {\n\tnode [shape=box, fontname=monospace];\n"
					  "\tb0 [label=\"7: @%p1 bra END;\\l\"];\n"
					  "\tb1 [label=\"8: mov.b32 %r1, 1;\\l\"];\n"
					  "\tb2 [label=\"END:\\l10: ret;\\l\"];\n"
					  "\texit [shape=doublecircle, label=\"exit\"];\n"
					  "\tb0 -> b2;\n\tb0 -> b1;\n\tb1 -> b2;\n\tb2 -> exit;\n"
					  "\tb0 -> b2 [style=dashed, constraint=false, color=gray];\n"
					  "\tb1 -> b2 [style=dashed, constraint=false, color=gray];\n"
					  "\tb2 -> exit [style=dashed, constraint=false, color=gray];\n}\n");
	text_free(&t);
}

/* ---- source places ---- */

static void test_source_places(void **state)
{
	(void)state;
	assert_true(
		load("t.ptx", HEAD
		     ".visible .entry k()\n{ .reg .pred %p<2>;\n.reg .b32 %r<3>;\n.loc 1 5 3\n  @%p1 mov.b32 %r1, 1; "
		     "mov.b32\n %r2, 2;\n"
		     ".loc 2 9 1, function_name $L__info_string0, inlined_at 1 5 3\nadd.s32 %r1, %r1, %r2;\nret;\n}\n"
		     ".file 1 \"main.cu\"\n.file 2 \"inline.h\"\n.section .debug_str\n{\n$L__info_string0:\n"
		     ".b8 95,90,51,102,111,111,118,0\n}\n"));
	const struct isa_function *f = isa_program_find_function(&p, "k");
	const struct isa_where *w = &p.where[f->first];
	assert_int_equal(w[0].line, 8);
	assert_int_equal(w[1].line, 8);
	assert_int_equal(w[2].line, 11);
	assert_memory_equal(p.files[w[0].file].text + w[0].offset, "@%p1 mov.b32 %r1, 1;", w[0].n_text);
	assert_memory_equal(p.files[w[1].file].text + w[1].offset, "mov.b32\n %r2, 2;", w[1].n_text);
	assert_int_equal(w[0].n_text, strlen("@%p1 mov.b32 %r1, 1;"));
	const struct isa_loc *a = &p.locs[w[0].loc], *b = &p.locs[w[2].loc];
	assert_string_equal(p.files[a->file].name, "main.cu");
	assert_int_equal(a->line, 5);
	assert_int_equal(a->inlined_at, ISA_NO_LOC);
	assert_null(a->function);
	assert_string_equal(p.files[b->file].name, "inline.h");
	assert_int_equal(b->line, 9);
	assert_string_equal(b->function, "_Z3foov");
	assert_int_equal(p.locs[b->inlined_at].line, 5);
	assert_string_equal(p.files[p.locs[b->inlined_at].file].name, "main.cu");
	assert_true(p.files[w[0].file].is_ptx);
}

static void test_names(void **state)
{
	(void)state;
	assert_true(load("t.ptx", HEAD ".visible .entry _Z5saxpyifPf() .maxntid 128 .minnctapersm 2 { ret; }\n.visible "
				       ".entry plain() .reqntid 8, 4 { ret; }\n"));
	const struct isa_function *f = isa_program_find_function(&p, "_Z5saxpyifPf"),
				  *g = isa_program_find_function(&p, "plain");
	assert_string_equal(f->demangled, "saxpy(int, float, float*)");
	assert_null(g->demangled);
	assert_int_equal(f->maxntid[0], 128);
	assert_int_equal(f->maxntid[1], 1);
	assert_int_equal(f->minnctapersm, 2);
	assert_int_equal(g->reqntid[0], 8);
	assert_int_equal(g->reqntid[1], 4);
	assert_int_equal(g->reqntid[2], 1);
	assert_int_equal(g->maxntid[0], 0);
	assert_int_equal(f->live_registers, 1);
}

static void test_old_ptx(void **state)
{
	(void)state;
	assert_true(load("old.ptx", ".version 1.4\n.target sm_10, map_f64_to_f32\n.entry k (.param .u32 p) {\n.reg "
				    ".u16 %rh<4>; .reg .u32 %r<4>;\n"
				    "mov.u16 %rh1, %ctaid.x;\nmov.u16 %rh2, %ntid.x;\nmul.wide.u16 %r1, %rh1, "
				    "%rh2;\ncvt.u32.u16 %r2, %tid.x;\n"
				    "ld.param.u32 %r3, [p];\nst.global.u32 [%r3+0], %r1;\nexit;\n}\n"));
	const struct isa_function *f = isa_program_find_function(&p, "k");
	assert_string_equal(handler(at(f, 0)), "mov_b16_sreg");
	assert_string_equal(handler(at(f, 3)), "cvt"); /* reads 16 bits of a 32-bit row */
	assert_int_equal(at(f, 3)->a, ISA_SPECIAL_REF(TID, 0));
	assert_int_equal(at(f, 3)->a_bytes, 4);
	assert_int_equal(at(f, 5)->a_bytes, 4);
	assert_int_equal(f->param_bytes, 4);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_kernel_parameters),
		T(test_parameter_address),
		T(test_registers),
		T(test_too_many_registers),
		T(test_immediates),
		T(test_half_rounding),
		T(test_bf16_literals),
		T(test_predicates),
		T(test_memory),
		T(test_vectors),
		T(test_special_registers),
		T(test_lanes_and_barriers),
		T(test_odd_forms),
		T(test_expansions),
		T(test_addresses),
		T(test_calls),
		T(test_builtin_calls),
		T(test_reconvergence),
		T(test_branch_table),
		T(test_falls_off_the_end),
		T(test_dot),
		T(test_source_places),
		T(test_names),
		T(test_old_ptx),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
