/* Operands and constant expressions: every form an instruction can have, and C's arithmetic on constants. */
#include "ptx_parsed.h"

#include <stdio.h>

#include "base/text.h"
#include "ptx/opcode.h"
#include "ptx/special_names.h"

/* ---- operands as text ---- */

static void show_operand(struct text *t, const struct ptx_operand *o);

static void show_list(struct text *t, const struct ptx_operand *o, char open, char close)
{
	text_addc(t, open);
	for (unsigned i = 0; i < o->n_elems; i++) {
		text_add(t, i ? "," : "");
		show_operand(t, &o->elems[i]);
	}
	text_addc(t, close);
}

static void show_suffix(struct text *t, const struct ptx_operand *o)
{
	if (o->select >= PTX_SELECT_BYTES)
		text_addf(t, ".%c%0*llx", o->select == PTX_SELECT_HALVES ? 'h' : 'b', o->dim,
			  (unsigned long long)o->bits);
	else if (o->select)
		text_addf(t, ".%s", (const char *[]){"", "b0", "b1", "b2", "b3", "h0", "h1"}[o->select]);
	else if (o->dim != PTX_NO_DIM)
		text_addf(t, ".%c", "xyzw"[o->dim]);
}

static void show_operand(struct text *t, const struct ptx_operand *o)
{
	text_add(t, o->negated ? "-" : "");
	switch (o->kind) {
	case PTX_OP_REG:
		text_addf(t, "R:%.*s", (int)o->symbol->name.n, o->symbol->name.s);
		if (o->symbol->count)
			text_addf(t, "#%u", o->number);
		show_suffix(t, o);
		break;
	case PTX_OP_SPECIAL:
		text_addf(t, "S:%s", o->special->name);
		show_suffix(t, o);
		break;
	case PTX_OP_INT: text_addf(t, o->is_unsigned ? "%lluU" : "%lld", (unsigned long long)o->bits); break;
	case PTX_OP_FLOAT: text_addf(t, "%c%llx", o->is_f32 ? 'f' : 'd', (unsigned long long)o->bits); break;
	case PTX_OP_SYMBOL:
		text_addf(t, "%.*s", (int)o->symbol->name.n, o->symbol->name.s);
		if (o->bits)
			text_addf(t, "+%lld", (long long)o->bits);
		break;
	case PTX_OP_VECTOR: show_list(t, o, '{', '}'); break;
	case PTX_OP_ADDRESS:
		show_list(t, o, '[', ']');
		if (o->bits)
			text_addf(t, "+%lld", (long long)o->bits);
		break;
	case PTX_OP_TEXADDR:
		text_add(t, "tex");
		show_list(t, o, '[', ']');
		break;
	case PTX_OP_PAIR: show_list(t, o, '<', '>'); break;
	case PTX_OP_LIST: show_list(t, o, '(', ')'); break;
	case PTX_OP_SUM:
		show_operand(t, &o->elems[0]);
		text_addf(t, "+%lld", (long long)o->bits);
		break;
	case PTX_OP_SINK: text_addc(t, '_'); break;
	default: text_addf(t, "kind %d", o->kind);
	}
}

static void show_insn(struct text *t, const struct ptx_insn *in)
{
	text_clear(t);
	if (in->guard)
		text_addf(t, "@%s%.*s ", in->guard_negated ? "!" : "", (int)in->guard->name.n, in->guard->name.s);
	text_addn(t, in->opcode->text.s, in->opcode->text.n);
	for (unsigned i = 0; i < in->n_operands; i++) {
		text_addc(t, ' ');
		show_operand(t, &in->operands[i]);
	}
}

#define DECLS \
	".global .align 8 .u32 a[4];\n.global .v2 .f32 vv[3];\n.global .texref tx;\n" \
	".func (.reg .u32 y) f (.reg .u32 x) { mov.u32 y, x; ret; }\n" \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<4>, q;\n" \
	".reg .f32 %f<8>; .reg .v4 .u32 w; .reg .v2 .f32 u<3>; .reg .u32 plain, %r77;\n.param .b32 arg;\n"

static const struct {
	const char *text, *want;
} cases[] = {
	{"add.s32 %r1, %r2, -5", "add.s32 R:%r#1 R:%r#2 -5"},
	{"add .s32 %r01,%r9,plain", "add.s32 R:%r#1 R:%r#9 R:plain"},
	{"mov\n.u32 %r77, %tid.x", "mov.u32 R:%r77 S:%tid.x"},
	{"mov.u32 %r1, %laneid", "mov.u32 R:%r#1 S:%laneid"},
	{"mov.v4.u32 w, {%r1, _, 3, %r2}", "mov.v4.u32 R:w {R:%r#1,_,3,R:%r#2}"},
	{"mov.u32 %r1, w.z", "mov.u32 R:%r#1 R:w.z"},
	{"mov.u32 %r1, w.a", "mov.u32 R:%r#1 R:w.w"},
	{"mov.f32 %f1, u2.g", "mov.f32 R:%f#1 R:u#2.y"},
	{"mov.u32 %r1, WARP_SZ", "mov.u32 R:%r#1 32"},
	{"mov.u64 %rd1, 0xffffffffffffffff", "mov.u64 R:%rd#1 18446744073709551615U"},
	{"mov.f32 %f1, 0f3F800000", "mov.f32 R:%f#1 f3f800000"},
	{"mov.f32 %f1, 0d3FF0000000000000", "mov.f32 R:%f#1 d3ff0000000000000"},
	{"mov.f32 %f1, -1.5", "mov.f32 R:%f#1 dbff8000000000000"},
	{"mov.u64 %rd1, a", "mov.u64 R:%rd#1 a"},
	{"mov.u64 %rd1, a+4+8", "mov.u64 R:%rd#1 a+12"},
	{"mov.u64 %rd1, a[3]", "mov.u64 R:%rd#1 a+12"},
	{"mov.u64 %rd1, f", "mov.u64 R:%rd#1 f"},
	{"ld.global.u32 %r1, [%rd1]", "ld.global.u32 R:%r#1 [R:%rd#1]"},
	{"ld.global.u32 %r1, [ %rd1 + -4 ]", "ld.global.u32 R:%r#1 [R:%rd#1]+-4"},
	{"ld.global.u32 %r1, [%rd1+(2+1)*4]", "ld.global.u32 R:%r#1 [R:%rd#1]+12"},
	{"ld.global.u32 %r1, [a]", "ld.global.u32 R:%r#1 [a]"},
	{"ld.global.u32 %r1, [a+8]", "ld.global.u32 R:%r#1 [a]+8"},
	{"ld.global.u32 %r1, a[2]", "ld.global.u32 R:%r#1 [a]+8"},
	{"ld.global.u32 %r1, a[%r2+1]", "ld.global.u32 R:%r#1 [a,R:%r#2]+4"},
	{"ld.global.v2.f32 u1, vv[2]", "ld.global.v2.f32 R:u#1 [vv]+8"},
	{"ld.global.u32 %r1, [256]", "ld.global.u32 R:%r#1 [256]"},
	{"ld.global.u32 %r1, [%rd1].unified", "ld.global.u32 R:%r#1 [R:%rd#1]"},
	{"ld.global.v2.u32 {%r1,_}, [%rd1]", "ld.global.v2.u32 {R:%r#1,_} [R:%rd#1]"},
	{"setp.eq.and.s32 %p1|q, %r1, 2, !%p2", "setp.eq.and.s32 <R:%p#1,R:q> R:%r#1 2 -R:%p#2"},
	{"setp.eq.s32 _|q, %r1, 2", "setp.eq.s32 <_,R:q> R:%r#1 2"},
	{"setp.eq.s32 q|_, %r1, 2", "setp.eq.s32 <R:q,_> R:%r#1 2"},
	{"vadd.s32.u32.s32 %r1, %r2.b3, -%r3.h1", "vadd.s32.u32.s32 R:%r#1 R:%r#2.b3 -R:%r#3.h1"},
	{"vadd4.u32.u32.u32 %r1.b210, %r2.b0123, %r3.b7654, %r4",
	 "vadd4.u32.u32.u32 R:%r#1.b210 R:%r#2.b0123 R:%r#3.b7654 R:%r#4"},
	{"vadd2.u32.u32.u32 %r1.h10, %r2, %r3.h32, %r4", "vadd2.u32.u32.u32 R:%r#1.h10 R:%r#2 R:%r#3.h32 R:%r#4"},
	{"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%f5,%f6}]",
	 "tex.2d.v4.f32.f32 {R:%f#1,R:%f#2,R:%f#3,R:%f#4} tex[tx,{R:%f#5,R:%f#6}]"},
	{"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}|q, [tx, %f5]",
	 "tex.1d.v4.f32.f32 <{R:%f#1,R:%f#2,R:%f#3,R:%f#4},R:q> tex[tx,R:%f#5]"},
	{"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %f5]",
	 "tex.1d.v4.f32.f32 {R:%f#1,R:%f#2,R:%f#3,R:%f#4} tex[R:%rd#1,R:%f#5]"},
	{"call (%r1), f, (%r2)", "call (R:%r#1) f (R:%r#2)"},
	{"call.uni (_), f, (5)", "call.uni (_) f (5)"},
	{"call f", "call f"},
	{"call (), f, ()", "call () f ()"},
	{"@!q st.param.b32 [arg+0], %r1", "@!q st.param.b32 [arg] R:%r#1"},
	{"@%p3 bra L", "@%p bra L"},
	{"elect.sync _|q, -1", "elect.sync <_,R:q> -1"},
	{"mov.u64 %rd1, (.s64)-1", "mov.u64 R:%rd#1 -1"},
	{"mov.u32 %r1, -(1)", "mov.u32 R:%r#1 -1"},
	{"mov.u32 %r1, !0", "mov.u32 R:%r#1 1"},
	{"mov.u32 %r1, -WARP_SZ", "mov.u32 R:%r#1 -32"},
	{"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%rd1], [%rd2, {%r1, %r2}], "
	 "[%rd3]",
	 "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [R:%rd#1] "
	 "tex[R:%rd#2,{R:%r#1,R:%r#2}] [R:%rd#3]"},
};

static void operands(void **state)
{
	(void)state;
	struct text got = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text;

		assert_true(asprintf(&text, "%s%s%s;\nL: ret;\n}\n", HEAD, DECLS, cases[i].text) > 0);
		struct parsed *p = parse_ok(text);
		struct ptx_function *k = p->m.functions->next;

		assert_int_equal(k->n_insns, 2);
		show_insn(&got, &k->insns[0]);
		assert_string_equal(text_str(&got), cases[i].want);
		assert_memory_equal(text + k->insns[0].at, cases[i].text, strlen(cases[i].text));
		assert_int_equal(text[k->insns[0].end - 1], ';');
		done(p);
		free(text);
	}
	text_free(&got);
}

/* ---- constant expressions, against the host's C ---- */

/* precedence without parentheses is what is tested */
#pragma GCC diagnostic ignored "-Wparentheses"

static const struct {
	const char *text;
	uint64_t value;
	bool is_unsigned;
} constants[] = {
#define S(e) {#e, (uint64_t)(int64_t)(e), false}
	S(1 + 2 * 3),
	S((1 + 2) * 3),
	S(7 - 2 - 1),
	S(-7 / 2),
	S(-7 % 3),
	S(7 % -3),
	S(1 << 4 + 1),
	S(-16 >> 2),
	S(5 & 3 | 8 ^ 1),
	S(1 < 2 == 1),
	S(~5),
	S(!5),
	S(!0),
	S(- -3),
	S(+4),
	S(1 ? 2 : 3),
	S(0   ? 2
	  : 1 ? 5
	      : 6),
	S(3 && 0 || 1),
	S(-1 < 1),
	S(10 / 3 * 3 + 10 % 3),
	S(017 + 0x1F),
	S(2 >= 2),
	S(2 != 2),
	S(1.5 < 2.5),
	S(2.0 == 2.0),
	S(6 ^ 3 & 1),
	S(1 | 2 && 0),
#undef S
	{"1U - 2", UINT64_MAX, true},
	{"-1 < 1U", 0, false},
	{"-1 / 2U", UINT64_MAX / 2, true},
	{"(.s64) 0xFFFFFFFFFFFFFFFF / 2", 0, false},
	{"(.u64) -1 >> 1", UINT64_MAX >> 1, true},
	{"0xFFFFFFFFFFFFFFFF >> 1", UINT64_MAX >> 1, true},
	{"-1 >> 1U", UINT64_MAX, false},
	{"1 << 64", 0, false},
	{"-1 >> 100", UINT64_MAX, false},
	{"0x7FFFFFFFFFFFFFFF + 1", UINT64_C(0x8000000000000000), false},
	{"(0-0x7FFFFFFFFFFFFFFF-1) / -1", UINT64_C(0x8000000000000000), false},
	{"(0-0x7FFFFFFFFFFFFFFF-1) % -1", 0, false},
	{"1 ? 2 : 3U", 2, true},
	{"~0U", UINT64_MAX, true},
	{"!0U", 1, false},
	{"WARP_SZ * 2", 64, false},
};

static void expressions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++) {
		char *text;

		assert_true(asprintf(&text, "%s.entry k() { .reg .u64 x; mov.u64 x, %s; }", HEAD, constants[i].text) > 0);
		struct parsed *p = parse_ok(text);
		const struct ptx_operand *o = &p->m.functions->insns[0].operands[1];

		assert_int_equal(o->kind, PTX_OP_INT);
		if (o->bits != constants[i].value || o->is_unsigned != constants[i].is_unsigned)
			print_error("%s\n", constants[i].text);
		assert_true(o->bits == constants[i].value);
		assert_int_equal(o->is_unsigned, constants[i].is_unsigned);
		done(p);
		free(text);
	}
}

static void float_expressions(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double value;
	} v[] = {
#define F(e) {#e, e}
		F(1.0 + 2.0 * 3.0), F(-1.5), F(1.0 / 3.0), F(1.0 / 2.0),
		F(7.0 - 0.5), F(2.0 * (3.0 + 4.0)), F(-(1.0)), F(1e300 * 1e300),
#undef F
		{"0d3FF0000000000000 + 0d4000000000000000", 3.0},
		{"(0d3FF0000000000000)", 1.0},
	};
	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		char *text;

		assert_true(asprintf(&text, "%s.entry k() { .reg .f64 x; mov.f64 x, %s; }", HEAD, v[i].text) > 0);
		struct parsed *p = parse_ok(text);
		const struct ptx_operand *o = &p->m.functions->insns[0].operands[1];

		assert_int_equal(o->kind, PTX_OP_FLOAT);
		assert_memory_equal(&o->bits, &v[i].value, 8);
		done(p);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(operands), cmocka_unit_test(expressions),
					   cmocka_unit_test(float_expressions)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
