/* Lowering of instructions: registers, immediates, the fields of each family. Expected values are worked out from the PTX ISA by
 * hand, or come from the host compiler (struct offsets, rounding). */
#include <math.h>

#include "ptx_program.h"

#include "ptx/lower.h"
#include "find_variable.h"

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

/* ---- names of variables ---- */

/* The ones with __nv_static are nvcc 13's (-rdc=true -G), of `static __device__ int sdev`, and of one in namespaces a::b. Others are
 * mangled by g++ 12 from these declarations: `int table[4]` in namespace ns; `static int tile[4]` in void k(float *), in
 * extern "C" void lines(), in template <class T> void run(T *) for float, and a second one in a block of k. */
static void test_plain_names(void **state)
{
	static const struct {
		const char *name, *plain, *function;
	} want[] = {
		{"_ZN2ns5tableE", "table", NULL},
		{"_ZZ1kPfE4tile", "tile", "_Z1kPf"},
		{"_ZZ5linesE4tile", "tile", "lines"},
		{"_ZZ3runIfEvPT_E4tile", "tile", "_Z3runIfEvPT_"},
		{"_ZZ1kPfE4tile_0", "tile", "_Z1kPf"},
		{"__nv_static_22__470c2105_5_st_cu_gdev_sdev", "sdev", NULL},
		{"__nv_static_22__470c2105_5_st_cu_gdev__ZN31_INTERNAL_470c2105_5_st_cu_gdev1a1b4nsstE", "nsst", NULL},
		{"__nv_static_99_x", NULL, NULL},
		{"tile", NULL, NULL},
		{"_Zx", NULL, NULL}};
	(void)state;
	assert_true(load("t.ptx", HEAD
			 ".global .u32 _ZN2ns5tableE[4]; .shared .u32 _ZZ1kPfE4tile[4];\n"
			 ".shared .u32 _ZZ5linesE4tile[4]; .shared .u32 _ZZ3runIfEvPT_E4tile[4];\n"
			 ".shared .u32 _ZZ1kPfE4tile_0[4]; .global .u32 tile; .global .u32 _Zx;\n"
			 ".global .u32 __nv_static_22__470c2105_5_st_cu_gdev_sdev; .global .u32 __nv_static_99_x;\n"
			 ".global .u32 "
			 "__nv_static_22__470c2105_5_st_cu_gdev__ZN31_INTERNAL_470c2105_5_st_cu_gdev1a1b4nsstE;\n"));
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
		const struct isa_variable *v = find_variable(&p, want[i].name);
		assert_non_null(v);
		if (want[i].plain)
			assert_string_equal(v->plain, want[i].plain);
		else
			assert_null(v->plain);
		for (unsigned k = 0; k < sizeof want / sizeof *want; k++)
			if (want[k].function)
				assert_int_equal(isa_variable_is_local_to(v, want[k].function),
						 want[i].function && !strcmp(want[i].function, want[k].function));
	}
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
	assert_false(frontend_load_text(&p, 0, "t.ptx", t.s, t.n, &diags));
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

/* The host's rounding of a number to a multiple of the half's ulp (not every compiler has _Float16). */
static uint16_t half_of(double d)
{
	const uint16_t sign = signbit(d) ? 0x8000 : 0;
	int e;
	(void)frexp(d, &e);
	const int place = e < -13 ? -24 : e - 11;
	const double r = nearbyint(ldexp(fabs(d), -place)); /* ulps */
	if (ldexp(r, place) >= 65536)
		return sign | 0x7c00;
	return sign | (uint16_t)(((unsigned)(place + 24) << 10) + (unsigned)r);
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
		const uint16_t want = half_of(d);
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
	assert_string_equal(handler(at(f, 7)), "vadd2");
	assert_int_equal(at(f, 7)->b, reg(f, "%r3", 0).ref);
	assert_int_equal(at(f, 7)->c, reg(f, "%r4", 0).ref);
	assert_string_equal(handler(at(f, 8)), "vabsdiff4");
	assert_int_equal(at(f, 8)->imm, 0x7654 | INT64_C(0x7654) << 16 | INT64_C(9) << 32 | INT64_C(1) << 40);
	assert_int_equal(at(f, 9)->imm, 4 | 7 << 12 | 1 << 18 | 1 << 22);
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
					"M: ld.global.u32 %r1, x[%rd2];\n@%p2 bra M;\nret;");
	uint32_t temp = f->frame_bytes - 8 * 512;
	struct text t = {0};
	text_addf(&t,
		  "@%%p1 bra 0x28; lanes meet at 0x28\n"
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
		  "ld_global_b32 %%r1, global[row+%u]\n@%%p2 bra 0x70; lanes meet at 0xa0\nret\n",
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

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_kernel_parameters),
		T(test_plain_names),
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
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
