/* Trees: what the parser makes of declarations, scopes, labels, calls, initialisers and debug lines. */
#include "ptx_parsed.h"

#include <stdio.h>

#include "base/text.h"

/* ---- names and scopes ---- */

static void scopes_and_labels(void **state)
{
	(void)state;
	struct parsed *p = parse_ok(HEAD ".entry k() {\n.reg .b32 %r<3>;\n"
					 "bra L;\n"			      /* 0: to the outer L */
					 "{ .reg .b64 %r1; mov.u64 %r1, 5;\n" /* 1: the inner %r1 */
					 "bra L; L: mov.u32 %r2, 1; }\n"      /* 2 to 3 */
					 "{ bra L; }\n"			      /* 4 */
					 "mov.u32 %r1, 2;\n"		      /* 5: the range again */
					 "L:\nM: }\n");			      /* labels of the end: 6 */
	const struct ptx_function *k = p->m.functions;

	assert_int_equal(k->n_insns, 6);
	assert_int_equal(k->n_scopes, 3);
	assert_ptr_equal(k->scopes[0], k->scope);
	assert_int_equal(k->scopes[1]->first_insn, 1);
	assert_int_equal(k->scopes[1]->end_insn, 4);
	assert_int_equal(k->insns[1].scope, 1);
	assert_int_equal(k->insns[4].scope, 2);
	assert_int_equal(k->insns[5].scope, 0);
	assert_int_equal(k->insns[0].operands[0].symbol->label_at, 6);
	assert_int_equal(k->insns[2].operands[0].symbol->label_at, 3);
	assert_int_equal(k->insns[4].operands[0].symbol->label_at, 6);
	assert_int_equal(k->insns[1].operands[0].symbol->type, ISA_B64);
	assert_int_equal(k->insns[5].operands[0].symbol->count, 3);
	assert_int_equal(k->insns[5].operands[0].number, 1);
	assert_int_equal(k->n_labels, 3);
	assert_int_equal(k->labels[2]->label_at, 6);
	assert_int_equal(k->insns[0].line, 6);
	assert_int_equal(k->insns[5].line, 10);
	done(p);
}

/* A plain register in an inner scope hides one number of an outer range, also after the range was used there. */
static void ranges_and_hiding(void **state)
{
	(void)state;
	struct parsed *p = parse_ok(HEAD ".entry k() { .reg .b32 %r<100>, %r1<3>, x;\n"
					 "mov.u32 %r12, 1; mov.u32 %r7, 1;\n"
					 "{ mov.u32 %r7, 1; .reg .f32 %r7; mov.f32 %r7, 1.0; mov.u32 %r8, 1;\n"
					 "{ .reg .b16 %r<9>; mov.u16 %r7, 1; mov.u16 %r8, 1; mov.u32 %r9, 1; }\n"
					 "mov.f32 %r7, 1.0; }\n"
					 "mov.u32 %r7, 1; mov.u32 %r99, 1; }\n");
	static const struct {
		uint8_t type;
		uint32_t number;
	} want[] = {
		{ISA_B32, 12}, {ISA_B32, 7}, {ISA_B32, 7}, {ISA_F32, 0}, {ISA_B32, 8},	{ISA_B16, 7},
		{ISA_B16, 8},  {ISA_B32, 9}, {ISA_F32, 0}, {ISA_B32, 7}, {ISA_B32, 99},
	};
	const struct ptx_function *k = p->m.functions;

	assert_int_equal(k->n_insns, sizeof(want) / sizeof(*want));
	for (uint32_t i = 0; i < k->n_insns; i++) {
		assert_int_equal(k->insns[i].operands[0].symbol->type, want[i].type);
		assert_int_equal(k->insns[i].operands[0].number, want[i].number);
	}
	done(p);
}

static void many_names(void **state)
{
	(void)state;
	struct text t = {0};

	text_add(&t, HEAD ".entry k() { .reg .b32 a");
	for (unsigned i = 0; i < 5000; i++)
		text_addf(&t, ", v%u_", i);
	text_add(&t, ";\n");
	for (unsigned i = 0; i < 5000; i += 7)
		text_addf(&t, "L%u: mov.u32 a, v%u_;\n", i, i);
	text_add(&t, "}\n");
	struct parsed *p = parse_ok(text_str(&t));
	const struct ptx_function *k = p->m.functions;

	for (uint32_t i = 0; i < k->n_insns; i++) {
		char name[16];
		int n = snprintf(name, sizeof(name), "v%u_", 7 * i);

		assert_memory_equal(k->insns[i].operands[1].symbol->name.s, name, (size_t)n);
	}
	uint32_t number, n = 0;

	for (const struct ptx_symbol *s = k->scope->symbols[0]; s; s = s->next)
		n++;
	assert_int_equal(n, k->scope->n_symbols);
	assert_null(ptx_scope_resolve(k->scope, (struct ptx_slice){"v5000_", 6}, &number));
	assert_non_null(ptx_scope_resolve(k->scope, (struct ptx_slice){"v4999_", 6}, &number));
	done(p);
	text_free(&t);
}

static void targets_and_prototypes(void **state)
{
	(void)state;
	struct parsed *p =
		parse_ok(HEAD ".func f() { ret; }\n.func g() { ret; }\n.entry k() { .reg .b32 i; .reg .b64 r;\n"
			      "T: .branchtargets A, B<2>, A;\n"
			      "brx.idx i, T;\nA: B0: B1: ret;\n"
			      "C: .calltargets f, g;\ncall r, (), C;\n"
			      "P: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[12], .reg .f32 x);\n"
			      "N: .callprototype _ .noreturn;\n"
			      "call (i), r, (r, 1.0), P; }\n");
	const struct ptx_function *k = p->m.functions->next->next;
	const struct ptx_symbol *t = k->insns[0].operands[1].symbol, *c = k->insns[2].operands[2].symbol,
				*proto = k->insns[3].operands[3].symbol;

	assert_int_equal(t->kind, PTX_SYM_TARGETS);
	assert_int_equal(t->n_targets, 4);
	assert_ptr_equal(t->target_symbols[0], t->target_symbols[3]);
	assert_memory_equal(t->target_symbols[2]->name.s, "B1", 2);
	assert_int_equal(t->target_symbols[1]->label_at, 1);
	assert_int_equal(c->n_targets, 2);
	assert_ptr_equal(c->target_symbols[1]->function, p->m.functions->next);
	assert_int_equal(proto->kind, PTX_SYM_PROTOTYPE);
	assert_int_equal(proto->function->n_params, 3);
	assert_int_equal(proto->function->n_returns, 1);
	assert_int_equal(proto->function->params[1]->bytes, 12);
	assert_int_equal(proto->function->params[2]->kind, PTX_SYM_REG);
	assert_true(ptx_scope_find_here(k->scope, (struct ptx_slice){"N", 1})->function->is_noreturn);
	done(p);
}

/* ---- module level ---- */

static void header(void **state)
{
	(void)state;
	struct parsed *p = parse_ok("// c\n.version 8.7\n.target sm_120a, texmode_independent, debug\n");

	assert_int_equal(p->m.version_major * 10 + p->m.version_minor, 87);
	assert_int_equal(p->m.sm, 120);
	assert_int_equal(p->m.sm_suffix, 'a');
	assert_int_equal(p->m.address_size, 32);
	assert_true(p->m.texmode_independent && p->m.target_debug);
	done(p);
	p = parse_ok(
		".version 1.4\n.target sm_11, map_f64_to_f32\n.tex .u64 t;\n@@DWARF .byte 0x1, 0x2\n.entry k { exit; }");
	assert_true(p->m.target_map_f64);
	assert_int_equal(module_symbol(p, "t")->type, ISA_TEXREF);
	assert_int_equal(p->m.functions->n_insns, 1);
	done(p);
	p = parse_ok(".version 2.0\n.target sm_20\n.extern .const[2] .u32 c[];\n");
	assert_int_equal(module_symbol(p, "c")->space, ISA_SPACE_CONST);
	done(p);
}

static void functions(void **state)
{
	(void)state;
	struct parsed *p = parse_ok(
		HEAD ".visible .func (.param .b32 r) f (.param .align 8 .b8 s[24], .param .b64 p);\n"
		     ".extern .func g;\n"
		     ".weak .entry k(\n.param .u64 .ptr .global .align 16 p,\n.param .u32 n,\n.param .texref t)\n"
		     ".maxntid 256, 2\n.minnctapersm 3\n.maxnreg 64\n.pragma \"x\", \"y\";\n{ ret; }\n"
		     ".func (.param .b32 r) f (.param .align 8 .b8 s[24], .param .b64 p) { .reg .b32 q; ld.param.b32 "
		     "q, [s+4]; ret; }\n"
		     ".visible .func h();\n.visible .func hh() { ret; }\n.alias h, hh;\n"
		     ".entry c() .explicitcluster .reqnctapercluster 2,3 .reqntid 32 { ret; }\n");
	struct ptx_function *f = p->m.functions, *g = f->next, *k = g->next, *h = k->next, *hh = h->next, *c = hh->next;

	assert_true(f->has_body && !f->is_kernel);
	assert_int_equal(f->linkage, ISA_LINK_VISIBLE);
	assert_int_equal(f->n_params, 3);
	assert_int_equal(f->n_returns, 1);
	assert_int_equal(f->params[1]->bytes, 24);
	assert_int_equal(f->params[1]->align, 8);
	assert_ptr_equal(f->insns[0].operands[1].elems[0].symbol, f->params[1]);
	assert_ptr_equal(module_symbol(p, "f")->function, f);
	assert_ptr_equal(f->scope->function, f);
	assert_true(!g->has_body && g->linkage == ISA_LINK_EXTERN);
	assert_true(k->is_kernel && k->linkage == ISA_LINK_WEAK);
	assert_true(k->params[0]->is_ptr && k->params[0]->ptr_space == ISA_SPACE_GLOBAL && k->params[0]->align == 8);
	assert_int_equal(k->params[2]->type, ISA_TEXREF);
	assert_int_equal(k->maxntid[0], 256);
	assert_int_equal(k->maxntid[1], 2);
	assert_int_equal(k->maxntid[2], 1);
	assert_int_equal(k->minnctapersm, 3);
	assert_int_equal(k->maxnreg, 64);
	assert_int_equal(k->reqntid[0], 0);
	assert_int_equal(module_symbol(p, "h")->kind, PTX_SYM_ALIAS);
	assert_ptr_equal(module_symbol(p, "h")->function, hh);
	assert_true(c->is_explicit_cluster && c->reqnctapercluster[1] == 3 && c->reqntid[0] == 32);
	assert_null(c->next);
	done(p);
}

static void variables(void **state)
{
	(void)state;
	struct parsed *p = parse_ok(
		HEAD ".global .align 16 .b8 a[3][5];\n.extern .shared .align 4 .f32 dyn[];\n.const .v4 .f32 c;\n"
		     ".global .attribute(.managed) .s32 m, m2[WARP_SZ];\n.common .global .f64 z;\n"
		     ".extern .global .u32 e[];\n.visible .global .u32 e[3];\n.global .u16 n<3>;\n.global .b8 "
		     "big[4294967296];\n");
	static const struct {
		const char *name;
		uint8_t space;
		uint64_t bytes;
		uint32_t align;
		uint8_t linkage;
	} want[] = {
		{"a", ISA_SPACE_GLOBAL, 15, 16, ISA_LINK_NONE},
		{"dyn", ISA_SPACE_SHARED, 0, 4, ISA_LINK_EXTERN},
		{"c", ISA_SPACE_CONST, 16, 16, ISA_LINK_NONE},
		{"m", ISA_SPACE_GLOBAL, 4, 4, ISA_LINK_NONE},
		{"m2", ISA_SPACE_GLOBAL, 128, 4, ISA_LINK_NONE},
		{"z", ISA_SPACE_GLOBAL, 8, 8, ISA_LINK_COMMON},
		{"e", ISA_SPACE_GLOBAL, 12, 4, ISA_LINK_VISIBLE},
		{"n0", ISA_SPACE_GLOBAL, 2, 2, ISA_LINK_NONE},
		{"n2", ISA_SPACE_GLOBAL, 2, 2, ISA_LINK_NONE},
		{"big", ISA_SPACE_GLOBAL, 4294967296, 1, ISA_LINK_NONE},
	};
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		const struct ptx_symbol *s = module_symbol(p, want[i].name);

		assert_int_equal(s->space, want[i].space);
		assert_true(s->bytes == want[i].bytes);
		assert_int_equal(s->align, want[i].align);
		assert_int_equal(s->linkage, want[i].linkage);
	}
	assert_true(module_symbol(p, "m2")->is_managed);
	done(p);
}

/* The image an initialiser gives, with symbols as 'S' in every byte they fill. */
static void image(const struct ptx_symbol *s, uint8_t *out, size_t n)
{
	memset(out, 0, n);
	assert_true(s->init && s->init->n_bytes <= n && s->bytes == n);
	if (s->init->n_bytes)
		memcpy(out, s->init->bytes, s->init->n_bytes);
	for (uint32_t i = 0; i < s->init->n; i++) {
		const struct ptx_init_item *it = &s->init->items[i];
		unsigned bytes = isa_type_bytes((enum isa_type)it->type);

		assert_true(it->offset + bytes <= n);
		assert_non_null(it->symbol);
		memset(out + it->offset, 'S', bytes);
	}
}

static void initialisers(void **state)
{
	(void)state;
	struct parsed *p = parse_ok(HEAD ".global .s16 a[2][3] = {{1, -2}, {3, 4, 0x15555}};\n.global .f32 f[] = {1.5, "
					 "0f40000000, -2.0*2.0, 0d3FF8000000000000};\n"
					 ".global .v2 .f64 v[2] = {{1.0, 0.0}, {2.0, 0f3F800000}};\n.const .u64 u = "
					 "0-1;\n.global .b8 s[6] = {104, 105, -1, 300};\n"
					 ".func fn() { ret; }\n.global .u64 t[4] = {s, fn, generic(s)+8, s+2*2};\n"
					 ".global .u8 m[4] = {0xFF(s), 0xFF00(generic(s)+5), 0xFF00000000000000(fn), "
					 "7};\n.global .b32 w = WARP_SZ;\n"
					 ".global .s32 e[3] = {};\n");
	uint8_t got[64];
	const int16_t a[6] = {1, -2, 0, 3, 4, 0x5555};
	const float f[4] = {1.5f, 2.0f, -4.0f, 1.5f};
	const double v[4] = {1.0, 0.0, 2.0, 1.0};
	const uint8_t s[6] = {104, 105, 255, 44, 0, 0}, m[4] = {'S', 'S', 'S', 7};
	const uint64_t u = UINT64_MAX;

	image(module_symbol(p, "a"), got, sizeof(a));
	assert_memory_equal(got, a, sizeof(a));
	image(module_symbol(p, "f"), got, sizeof(f));
	assert_memory_equal(got, f, sizeof(f));
	assert_int_equal(module_symbol(p, "f")->bytes, 16);
	image(module_symbol(p, "v"), got, sizeof(v));
	assert_memory_equal(got, v, sizeof(v));
	image(module_symbol(p, "u"), got, sizeof(u));
	assert_memory_equal(got, &u, sizeof(u));
	image(module_symbol(p, "s"), got, sizeof(s));
	assert_memory_equal(got, s, sizeof(s));
	image(module_symbol(p, "m"), got, sizeof(m));
	assert_memory_equal(got, m, sizeof(m));
	const struct ptx_init *t = module_symbol(p, "t")->init, *mi = module_symbol(p, "m")->init;

	assert_int_equal(t->n, 4);
	assert_ptr_equal(t->items[0].symbol, module_symbol(p, "s"));
	assert_ptr_equal(t->items[1].symbol, module_symbol(p, "fn"));
	assert_true(!t->items[0].generic && t->items[2].generic && t->items[2].bits == 8 && t->items[3].bits == 4);
	assert_int_equal(t->items[3].offset, 24);
	assert_int_equal(t->items[0].mask_shift, 0xff);
	assert_int_equal(mi->items[0].mask_shift, 0);
	assert_int_equal(mi->items[1].mask_shift, 1);
	assert_true(mi->items[1].generic && mi->items[1].bits == 5);
	assert_int_equal(mi->items[2].mask_shift, 7);
	assert_int_equal(module_symbol(p, "e")->init->n, 0);
	done(p);
}

/* Values have 64 bits; what follows them in a .b128 is zero, in ptxas 13's output too. */
static void initialisers_of_128_bits(void **state)
{
	(void)state;
	struct parsed *p = parse_ok(".version 8.3\n.target sm_70\n.address_size 64\n.global .align 16 .b128 z[3] = {5, -1, -2};\n.global .align 16 .b128 x = -2;\n");
	const uint64_t z[6] = {5, 0, UINT64_MAX, 0, UINT64_MAX - 1, 0};
	uint8_t got[sizeof(z)];

	image(module_symbol(p, "z"), got, sizeof(z));
	assert_memory_equal(got, z, sizeof(z));
	image(module_symbol(p, "x"), got, 16);
	assert_memory_equal(got, z + 4, 16);
	done(p);
}

/* Floating-point values of untyped variables: the bytes in ptxas 13's output for sm_75. */
static void float_initialisers_of_bits(void **state)
{
	(void)state;
	static const struct {
		const char *type, *value;
		uint64_t want;
	} v[] = {
		{"b32", "1.0", 0x3f800000},
		{"b32", "3.7", 0x406ccccd},
		{"b32", "-1.0", 0xbf800000},
		{"b32", "1e39", 0x7f800000},
		{"b32", "1e-46", 0},
		{"b32", "0f3F800000", 0x3f800000},
		{"b32", "(0f3F800000)", 0x3f800000},
		{"b32", "0dC00921FB54442D18", 0xc0490fdb},
		{"b32", "3.0/2.0", 0x3fc00000},
		{"b64", "1.0", 0x3ff0000000000000},
		{"b64", "0f3F800000", 0x3f800000},
		{"b64", "1e300", 0x7e37e43c8800759c},
		{"b16", "0.1", 0x999a},
		{"b16", "3.0", 0},
		{"b16", "0f3F801234", 0x1234},
		{"b8", "0.1", 0x9a},
		{"b8", "0f3F800012", 0x12},
		{"u64", "18446744073709551629", 13},
		{"u64", "0x1234567890abcdef0", 0x234567890abcdef0},
	};
	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		char text[200];
		uint8_t got[8];

		snprintf(text, sizeof(text), "%s.global .%s x = %s;\n", HEAD, v[i].type, v[i].value);
		struct parsed *p = parse_ok(text);
		const struct ptx_symbol *x = module_symbol(p, "x");

		image(x, got, x->bytes);
		assert_memory_equal(got, &v[i].want, x->bytes);
		done(p);
	}
}

static void debug_lines(void **state)
{
	(void)state;
	struct parsed *p = parse_ok(
		HEAD
		".file 1 \"a.cu\", 12, 34\n.file 2 \"b.h\"\n"
		".entry k() {\nret;\n.loc 1 5 3\nret;\n.loc 2 7 1, function_name $S+2, inlined_at 1 5 3\nret; ret;\n"
		".loc 1 6 0\n.pragma \"nounroll\";\nret;\n}\n"
		".section .debug_str {\n$A:\n.b8 65,0\n$S:\n.b8 88,89\n.b8 90,91,0\n}\n"
		".section .debug_info\n{\n.b32 .debug_abbrev\n.b64 k\n.b32 $S-$A\n.b32 $A+4\n.b16 -1\n}\n");
	const struct ptx_function *k = p->m.functions;

	assert_int_equal(p->m.n_files, 2);
	assert_memory_equal(p->m.files[1].name.s, "b.h", 3);
	assert_int_equal(p->m.files[1].name.n, 3);
	assert_int_equal(k->n_insns, 5);
	assert_true(k->insns[0].loc == UINT32_MAX);
	assert_int_equal(k->insns[1].loc, 0);
	assert_int_equal(k->insns[2].loc, 1);
	assert_int_equal(k->insns[3].loc, 1);
	assert_int_equal(p->m.locs[k->insns[4].loc].line, 6);
	const struct ptx_loc_entry *e = &p->m.locs[1];

	assert_int_equal(e->file, 2);
	assert_int_equal(e->inlined_at, 0);
	assert_int_equal(e->function.n, 2);
	assert_memory_equal(e->function.s, "Z[", 2);
	assert_true(p->m.locs[0].inlined_at == UINT32_MAX);
	assert_int_equal(p->m.n_sections, 2);
	assert_memory_equal(p->m.sections[1].name.s, ".debug_info", 11);
	assert_memory_equal(p->m.text + p->m.sections[1].at, "\n.b32 .debug_abbrev", 19);
	assert_int_equal(p->m.text[p->m.sections[1].end], '}');
	done(p);
}

static void positions(void **state)
{
	(void)state;
	struct parsed *p = parse_ok(HEAD "\n.entry k() { ret; }");
	uint32_t line, col;

	ptx_position(&p->m, 0, &line, &col);
	assert_true(line == 1 && col == 1);
	ptx_position(&p->m, p->m.functions->insns[0].at, &line, &col);
	assert_true(line == 5 && col == 14);
	ptx_position(&p->m, (uint32_t)p->m.n_text, &line, &col);
	assert_true(line == 5 && col == 20);
	done(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scopes_and_labels),
		cmocka_unit_test(ranges_and_hiding),
		cmocka_unit_test(many_names),
		cmocka_unit_test(targets_and_prototypes),
		cmocka_unit_test(header),
		cmocka_unit_test(functions),
		cmocka_unit_test(variables),
		cmocka_unit_test(initialisers), cmocka_unit_test(initialisers_of_128_bits), cmocka_unit_test(float_initialisers_of_bits),
		cmocka_unit_test(debug_lines),
		cmocka_unit_test(positions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
