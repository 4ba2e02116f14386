/* Linking: names over several files, reloading, placement of shared variables, initial images. Expectations follow the PTX ISA's
 * linking directives and the rules in ptx/lower_bind.c; overlap is checked by pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "isa/address_map.h"
#include "isa/handlers.h"
#include "frontend/frontend.h"
#include "isa/link/modules.h"
#include "find_variable.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

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

static bool try_load(const char *name, const char *text)
{
	diag_list_free(&diags);
	return frontend_load_text(&p, 0, name, text, strlen(text), &diags);
}

static void load(const char *name, const char *text)
{
	bool ok = try_load(name, text);
	struct text t = {0};

	for (size_t i = 0; i < diags.n && !ok; i++)
		diag_format(&t, &diags.v[i]);
	if (!ok)
		print_message("%s", text_str(&t));
	text_free(&t);
	assert_true(ok);
}

static const struct isa_function *function(const char *name)
{
	const struct isa_function *f = isa_program_find_function(&p, name);
	assert_non_null(f);
	return f;
}

static const struct isa_variable *variable(const char *name)
{
	const struct isa_variable *v = find_variable(&p, name);
	assert_non_null(v);
	return v;
}

static uint64_t image_word(const char *name, unsigned offset, unsigned bytes)
{
	uint64_t v = 0;
	assert_non_null(variable(name)->init);
	memcpy(&v, variable(name)->init + offset, bytes);
	return v;
}

static const struct isa_insn *at(const struct isa_function *f, uint32_t k) { return &p.insns[f->first + k]; }

static uint64_t row64(uint32_t ref)
{
	uint64_t v;
	assert_int_equal(ISA_REF_BASE(ref), ISA_BASE_CONST);
	memcpy(&v, p.consts + ISA_REF_OFFSET(ref) + 31 * 8, 8);
	return v;
}

static void check_undefined(const char *want)
{
	struct text t = {0};
	isa_module_undefined(&p, 0, &t);
	assert_string_equal(text_str(&t), want);
	text_free(&t);
}

static uint64_t code_address(const char *name) { return ISA_CODE_WINDOW + 8 * (uint64_t)function(name)->first; }

/* ---- functions ---- */

static void test_defined_later(void **state)
{
	(void)state;
	load("a.ptx",
	     HEAD ".extern .func f();\n.visible .entry k() { .reg .b64 %rd<2>; call f; mov.u64 %rd1, f; ret; }\n");
	const struct isa_function *k = function("k");
	assert_int_equal(at(k, 0)->handler, ISA_H_call_builtin);
	assert_int_equal(row64(at(k, 1)->a), 0);
	check_undefined("f\n");
	load("b.ptx", HEAD ".visible .func f() { ret; }\n");
	check_undefined("");
	assert_int_equal(at(k, 0)->handler, ISA_H_call);
	assert_ptr_equal(p.functions[at(k, 0)->target], function("f"));
	assert_true(function("f")->is_defined);
	assert_int_equal(row64(at(k, 1)->a), code_address("f"));
	assert_ptr_equal(isa_program_function_at(&p, function("f")->first), function("f"));
	assert_ptr_equal(isa_program_function_at(&p, k->first), k);
}

static void test_defined_before(void **state)
{
	(void)state;
	load("b.ptx", HEAD ".visible .func f() { ret; }\n.func g() { trap; }\n");
	load("a.ptx", HEAD ".extern .func f();\n.func g() { ret; }\n.visible .entry k() { call f; call g; ret; }\n");
	assert_ptr_equal(p.functions[at(function("k"), 0)->target], function("f"));
	/* private functions of the same name don't meet */
	const struct isa_function *g = p.functions[at(function("k"), 1)->target];
	assert_string_equal(g->name, "g");
	assert_string_equal(p.files[g->file].name, "a.ptx");
}

static void test_duplicate(void **state)
{
	(void)state;
	load("a.ptx", HEAD "\n.visible .func f() { ret; }\n.visible .entry k() { ret; }\n.visible .global .u32 v;\n");
	struct isa_program was = p;
	assert_false(try_load("b.ptx", HEAD ".visible .entry other() { ret; }\n.visible .global .u32 w = 3;\n.const "
					    ".u32 c;\n.visible .func f() { ret; }\n"));
	assert_int_equal(diags.n, 1);
	assert_string_equal(diags.v[0].message, "'f' is already defined at a.ptx:5");
	assert_string_equal(diags.v[0].file, "b.ptx");
	assert_int_equal(diags.v[0].line, 7);
	assert_int_equal(p.n_insns, was.n_insns);
	assert_int_equal(p.n_functions, was.n_functions);
	assert_int_equal(p.n_variables, was.n_variables);
	assert_int_equal(p.n_files, was.n_files);
	assert_int_equal(p.global_next, was.global_next);
	assert_int_equal(p.const_next, was.const_next);
	assert_int_equal(p.generation, was.generation);
	assert_null(isa_program_find_function(&p, "other"));
	/* what the refused file defined is free again */
	load("b.ptx", HEAD ".visible .entry other() { ret; }\n.visible .global .u32 w;\n");
	assert_false(try_load("c.ptx", HEAD ".entry k() { ret; }\n"));
	assert_false(try_load("c.ptx", HEAD ".visible .global .u32 v;\n"));
	assert_false(try_load("c.ptx", HEAD ".visible .func v() { ret; }\n"));
	assert_true(strstr(diags.v[0].message, "variable in another file") ||
		    strstr(diags.v[0].message, "function here"));
}

static void test_weak_functions(void **state)
{
	(void)state;
	load("a.ptx", HEAD ".weak .func f() { trap; }\n.visible .entry k() { call f; ret; }\n");
	const struct isa_function *first = function("f"), *k = function("k");
	assert_ptr_equal(p.functions[at(k, 0)->target], first);
	load("b.ptx", HEAD ".weak .func f() { ret; }\n"); /* another weak one takes its place */
	assert_string_equal(p.files[function("f")->file].name, "b.ptx");
	assert_ptr_equal(p.functions[at(k, 0)->target], function("f"));
	assert_true(first->unloaded);
	load("c.ptx", HEAD ".visible .func f() { ret; }\n"); /* so does a strong one */
	assert_string_equal(p.files[function("f")->file].name, "c.ptx");
	assert_ptr_equal(p.functions[at(k, 0)->target], function("f"));
	uint32_t n = p.n_insns;
	load("d.ptx",
	     HEAD ".weak .func f() { ret; }\n.visible .entry k2() { call f; ret; }\n"); /* a weak one gives way */
	assert_string_equal(p.files[function("f")->file].name, "c.ptx");
	assert_ptr_equal(p.functions[at(function("k2"), 0)->target], function("f"));
	assert_int_equal(p.n_insns, n + 2);
}

static void test_reload(void **state)
{
	(void)state;
	load("a.ptx", HEAD ".visible .func f() { trap; }\n.visible .global .u32 v = 7;\n.visible .func g() { ret; "
			   "}\n.global .u32 own;\n");
	load("b.ptx", HEAD ".extern .func f();\n.extern .func g();\n.extern .global .u32 v;\n"
			   ".visible .entry k() { .reg .b64 %rd<2>; .reg .b32 %r<2>; call f; call g; mov.u64 %rd1, v; "
			   "ld.global.u32 %r1, [v+4]; ret; }\n");
	const struct isa_function *k = function("k"), *old = function("f");
	uint64_t before = variable("v")->address;
	assert_int_equal(row64(at(k, 2)->a), before);
	assert_int_equal(at(k, 3)->imm, before + 4);
	load("a.ptx", HEAD ".visible .func f() { ret; }\n.visible .global .u32 v = 8;\n");
	assert_true(old->unloaded);
	assert_ptr_not_equal(function("f"), old);
	assert_ptr_equal(p.functions[at(k, 0)->target], function("f"));
	assert_int_equal(image_word("v", 0, 4), 8);
	assert_int_not_equal(variable("v")->address, before);
	assert_int_equal(row64(at(k, 2)->a), variable("v")->address);
	assert_int_equal(at(k, 3)->imm, variable("v")->address + 4);
	assert_true(p.files[0].unloaded);
	assert_false(p.files[p.n_files - 1].unloaded);
	assert_null(find_variable(&p, "own"));
	/* g is gone with the old file */
	check_undefined("g\n");
	assert_int_equal(at(k, 1)->handler, ISA_H_call_builtin);
	assert_string_equal(p.functions[at(k, 1)->target]->name, "g");
	assert_false(p.functions[at(k, 1)->target]->is_defined);
	assert_ptr_equal(isa_program_function_at(&p, k->first), k);
	assert_ptr_equal(isa_program_function_at(&p, function("f")->first), function("f"));
	load("a.ptx", HEAD ".visible .func f() { ret; }\n.visible .func g() { ret; }\n.visible .global .u32 v;\n");
	check_undefined("");
	assert_ptr_equal(p.functions[at(k, 1)->target], function("g"));
}

static void test_own_builtin(void **state)
{
	(void)state;
	load("a.ptx", HEAD ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
			   ".visible .entry k() { { .param .b64 n; .param .b64 r; call (r), malloc, (n); } ret; }\n");
	assert_int_equal(at(function("k"), 0)->handler, ISA_H_call_builtin);
	check_undefined("");
	load("b.ptx", HEAD ".visible .func (.param .b64 r) malloc (.param .b64 n) { ret; }\n");
	assert_int_equal(at(function("k"), 0)->handler, ISA_H_call);
}

static void test_alias(void **state)
{
	(void)state;
	load("a.ptx", HEAD ".visible .func f() { ret; }\n.visible .func alias();\n.alias alias, f;\n.visible .entry "
			   "k() { call alias; ret; }\n");
	assert_ptr_equal(p.functions[at(function("k"), 0)->target], function("f"));
	load("b.ptx", HEAD ".extern .func alias();\n.visible .entry k2() { call alias; ret; }\n");
	assert_ptr_equal(p.functions[at(function("k2"), 0)->target], function("f"));
	check_undefined("");
}

/* ---- variables ---- */

static void test_extern_variable(void **state)
{
	(void)state;
	load("a.ptx", HEAD ".extern .global .align 4 .b8 table[];\n.global .u64 ptr = table+8;\n"
			   ".visible .entry k() { .reg .b64 %rd<3>; .reg .b32 %r<2>; mov.u64 %rd1, table; "
			   "ld.global.u32 %r1, [table+12]; ret; }\n");
	const struct isa_function *k = function("k");
	check_undefined("table\n");
	assert_int_equal(row64(at(k, 0)->a), 0);
	load("b.ptx", HEAD ".visible .global .align 4 .b8 table[64];\n");
	uint64_t a = variable("table")->address;
	assert_true(a >= ISA_MODULE_GLOBALS);
	assert_int_equal(row64(at(k, 0)->a), a);
	assert_int_equal(at(k, 1)->imm, a + 12);
	assert_int_equal(image_word("ptr", 0, 8), a + 8);
	check_undefined("");
}

static void test_common(void **state)
{
	(void)state;
	load("a.ptx", HEAD
	     ".common .global .align 8 .b8 c[16];\n.visible .entry k() { .reg .b64 %rd<2>; mov.u64 %rd1, c; ret; }\n");
	uint64_t small = variable("c")->address;
	load("b.ptx", HEAD
	     ".common .global .align 8 .b8 c[8];\n.visible .entry k2() { .reg .b64 %rd<2>; mov.u64 %rd1, c; ret; }\n");
	assert_int_equal(row64(at(function("k2"), 0)->a), small);
	load("c.ptx", HEAD ".common .global .align 8 .b8 c[64];\n");
	assert_int_equal(variable("c")->bytes, 64);
	assert_int_equal(row64(at(function("k"), 0)->a), variable("c")->address);
	assert_int_equal(row64(at(function("k2"), 0)->a), variable("c")->address);
	load("d.ptx", HEAD ".visible .global .align 8 .b8 c[64] = {1};\n");
	assert_int_equal(image_word("c", 0, 1), 1);
	assert_int_equal(row64(at(function("k"), 0)->a), variable("c")->address);
}

static void test_placement(void **state)
{
	(void)state;
	load("a.ptx", HEAD ".global .u8 a;\n.global .align 256 .u32 b;\n.const .u16 c0;\n.const .f64 c1;\n.visible "
			   ".entry k() { ret; }\n");
	assert_int_equal(variable("a")->address, ISA_MODULE_GLOBALS);
	assert_int_equal(variable("b")->address, ISA_MODULE_GLOBALS + 256);
	assert_int_equal(p.global_next, ISA_MODULE_GLOBALS + 260);
	assert_int_equal(p.global_first, ISA_MODULE_GLOBALS);
	assert_int_equal(variable("c0")->address, 0);
	assert_int_equal(variable("c1")->address, 8);
	load("b.ptx", HEAD ".global .u32 d;\n.const .u8 c2;\n");
	assert_int_equal(variable("d")->address, ISA_MODULE_GLOBALS + 260);
	assert_int_equal(variable("c2")->address, 16);
	assert_false(try_load("c.ptx", HEAD ".global .b8 huge[3000000000];\n"));
	assert_true(strstr(diags.v[0].message, "no room for 'huge'") != NULL);
	assert_false(try_load("c.ptx", HEAD ".visible .entry k3() { .shared .b8 huge[30000000]; ret; }\n"));
	assert_false(try_load("c.ptx", HEAD ".visible .entry k3() { .local .b8 huge[30000000]; ret; }\n"));
	assert_true(strstr(diags.v[0].message, "local memory") != NULL);
}

static void test_images(void **state)
{
	(void)state;
	load("a.ptx", HEAD
	     ".func f() { ret; }\n.func g() { ret; }\n.global .align 4 .u32 x[3] = {1, -1, 7};\n.const .f64 c = "
	     "0d3FF8000000000000;\n"
	     ".global .u64 px = x+4;\n.global .u64 gx = generic(x);\n.global .u64 gc = generic(c);\n.global .u64 pc = "
	     "c;\n"
	     ".global .u64 vt[3] = {f, 0, g};\n"
	     ".global .align 8 .u8 bytes[4] = {0xFF(x), 0xFF00(x), 0xFF0000(x), 0xFF000000(x)};\n.global .f32 z[2];\n");
	assert_int_equal(image_word("x", 0, 4), 1);
	assert_int_equal(image_word("x", 4, 4), 0xffffffff);
	assert_int_equal(image_word("c", 0, 8), UINT64_C(0x3ff8000000000000));
	assert_int_equal(image_word("px", 0, 8), variable("x")->address + 4);
	assert_int_equal(image_word("gx", 0, 8), variable("x")->address);
	assert_int_equal(image_word("gc", 0, 8), ISA_CONST_WINDOW + variable("c")->address);
	assert_int_equal(image_word("pc", 0, 8), variable("c")->address);
	assert_int_equal(image_word("vt", 0, 8), code_address("f"));
	assert_int_equal(image_word("vt", 8, 8), 0);
	assert_int_equal(image_word("vt", 16, 8), code_address("g"));
	assert_int_equal(image_word("bytes", 0, 4), variable("x")->address & UINT32_MAX);
	assert_null(variable("z")->init);
}

/* ---- shared memory ---- */

static const struct isa_variable *local_variable(const char *f, const char *name)
{
	const struct isa_function *fn = function(f);
	for (uint32_t k = 0; k < fn->n_vars; k++)
		if (!strcmp(fn->vars[k].name, name))
			return &fn->vars[k];
	fail_msg("%s has no %s", f, name);
	return NULL;
}

static void check_apart(const struct isa_variable *a, const struct isa_variable *b)
{
	assert_true(a->address + a->bytes <= b->address || b->address + b->bytes <= a->address);
}

static void check_inside(const char *kernel, const struct isa_variable *v)
{
	assert_true(v->address + v->bytes <= function(kernel)->static_shared);
	assert_int_equal(v->address % v->align, 0);
}

static void test_shared_kernels(void **state)
{
	(void)state;
	/* each kernel counts from 0; what both use comes after both */
	load("a.ptx", HEAD
	     ".shared .align 8 .b8 both[40];\n.shared .b32 one;\n"
	     ".visible .entry k1() { .reg .b32 %r<2>; .shared .b8 a[100]; mov.u32 %r1, both; mov.u32 %r1, a; ret; }\n"
	     ".visible .entry k2() { .reg .b32 %r<2>; .shared .b8 b[10]; mov.u32 %r1, both; mov.u32 %r1, one; ret; }\n"
	     ".visible .entry k3() { .shared .b8 c[12]; ret; }\n.visible .entry k4() { ret; }\n");
	assert_int_equal(local_variable("k1", "a")->address, 0);
	assert_int_equal(local_variable("k2", "b")->address, 0);
	assert_int_equal(variable("both")->address, 104);
	assert_int_equal(variable("one")->address, 144);
	assert_int_equal(function("k1")->static_shared, 144);
	assert_int_equal(function("k2")->static_shared, 148);
	assert_int_equal(function("k3")->static_shared, 12);
	assert_int_equal(function("k4")->static_shared, 0);
}

static void test_shared_device_functions(void **state)
{
	(void)state;
	load("a.ptx", HEAD ".func h() { .shared .b8 hv[64]; ret; }\n.func g() { .shared .b8 gv[32]; call h; ret; "
			   "}\n.func lone() { .shared .b8 lv[16]; ret; }\n"
			   ".visible .entry k1() { .shared .b8 a[8]; call g; ret; }\n.visible .entry k2() { .shared "
			   ".b8 b[500]; call h; ret; }\n"
			   ".visible .entry k3() { .shared .b8 c[8]; call lone; ret; }\n");
	const struct isa_variable *hv = local_variable("h", "hv"), *gv = local_variable("g", "gv");
	check_apart(hv, gv);
	check_apart(hv, local_variable("k1", "a"));
	check_apart(gv, local_variable("k1", "a"));
	check_apart(hv, local_variable("k2", "b"));
	check_inside("k1", hv);
	check_inside("k1", gv);
	check_inside("k2", hv);
	assert_int_equal(function("k3")->static_shared, 24); /* nothing of the others is counted */
}

static void test_shared_indirect(void **state)
{
	(void)state;
	load("a.ptx", HEAD ".func f() { .shared .b8 fv[64]; ret; }\n.func g() { .shared .b8 gv[32]; ret; }\n.global "
			   ".u64 vt[2] = {f, g};\n"
			   ".visible .entry k() { .shared .b8 a[8]; .reg .b64 %rd<2>; pr: .callprototype _ (); call "
			   "%rd1, (), pr; ret; }\n"
			   ".visible .entry plain() { .shared .b8 a[8]; ret; }\n");
	check_apart(local_variable("f", "fv"), local_variable("k", "a"));
	check_apart(local_variable("g", "gv"), local_variable("k", "a"));
	check_apart(local_variable("g", "gv"), local_variable("f", "fv"));
	check_inside("k", local_variable("f", "fv"));
	check_inside("k", local_variable("g", "gv"));
	assert_int_equal(function("plain")->static_shared, 8);
}

static void test_shared_over_files(void **state)
{
	(void)state;
	load("lib1.ptx", HEAD ".visible .func f() { .shared .b8 fv[64]; ret; }\n");
	load("lib2.ptx", HEAD ".visible .func g() { .shared .b8 gv[32]; ret; }\n");
	load("main.ptx", HEAD ".extern .func f();\n.extern .func g();\n.extern .func h();\n.visible .entry k() { "
			      ".shared .b8 a[8]; call f; call g; call h; ret; }\n"
			      ".visible .entry alone() { .shared .b8 a[8]; ret; }\n");
	uint32_t before = function("k")->static_shared;
	load("lib3.ptx", HEAD ".visible .func h() { .shared .b8 hv[128]; ret; }\n");
	static const char *const at[][2] = {{"f", "fv"}, {"g", "gv"}, {"k", "a"}, {"h", "hv"}};
	for (int i = 0; i < 4; i++) {
		check_inside("k", local_variable(at[i][0], at[i][1]));
		for (int j = 0; j < i; j++)
			check_apart(local_variable(at[i][0], at[i][1]), local_variable(at[j][0], at[j][1]));
	}
	assert_true(function("k")->static_shared > before);
	assert_int_equal(function("alone")->static_shared, 8);
}

static void test_shared_dynamic(void **state)
{
	(void)state;
	load("a.ptx",
	     HEAD ".extern .shared .align 128 .b8 dyn[];\n.func f() { .reg .b32 %r<2>; mov.u32 %r1, dyn; ret; }\n"
		  ".visible .entry k() { .shared .b8 a[8]; call f; ret; }\n.visible .entry n() { .shared .b8 a[8]; "
		  "ret; }\n");
	assert_true(function("k")->uses_dynamic_shared);
	assert_int_equal(function("k")->static_shared, 128); /* dynamic memory begins where its variable may */
	assert_false(function("n")->uses_dynamic_shared);
	assert_int_equal(function("n")->static_shared, 8);
}

/* Random call graphs: no two variables that one kernel reaches overlap, by the definition. Functions 0, 3, 6 and 9 are kernels. */
#define FUNCTIONS 10
struct graph {
	bool calls[FUNCTIONS][FUNCTIONS], uses[FUNCTIONS][3];
};

static bool one_in_four(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16 & 1 && *seed >> 17 & 1;
}

static void write_graph(struct graph *g, uint32_t *seed, struct text *t)
{
	text_add(t, HEAD ".shared .b8 m0[24];\n.shared .align 16 .b8 m1[3];\n.shared .b8 m2[100];\n");
	for (int f = 0; f < FUNCTIONS; f++)
		if (f % 3)
			text_addf(t, ".func f%d();\n", f);
	for (int f = 0; f < FUNCTIONS; f++) {
		*seed = *seed * 1664525u + 1013904223u;
		text_addf(t, "%s f%d() { .reg .b32 %%r<2>; .shared .align 4 .b8 s[%u];\n",
			  f % 3 ? ".func" : ".visible .entry", f, 1 + (*seed >> 8) % 50);
		for (int callee = 0; callee < FUNCTIONS; callee++)
			if (callee % 3 && (g->calls[f][callee] = one_in_four(seed)))
				text_addf(t, "call f%d;\n", callee);
		for (int v = 0; v < 3; v++)
			if ((g->uses[f][v] = one_in_four(seed)))
				text_addf(t, "mov.u32 %%r1, m%d;\n", v);
		text_add(t, "ret;\n}\n");
	}
}

/* The variables that kernel k may use while it runs. */
static int reached(const struct graph *g, int k, const struct isa_variable **v)
{
	bool reach[FUNCTIONS] = {false};
	char name[16];
	int n = 0;
	reach[k] = true;
	for (int step = 0; step < FUNCTIONS; step++)
		for (int a = 0; a < FUNCTIONS; a++)
			for (int b = 0; b < FUNCTIONS; b++)
				reach[b] |= reach[a] && g->calls[a][b];
	for (int a = 0; a < FUNCTIONS; a++) {
		snprintf(name, sizeof name, "f%d", a);
		if (reach[a])
			v[n++] = local_variable(name, "s");
	}
	for (int m = 0; m < 3; m++) {
		bool used = false;
		for (int a = 0; a < FUNCTIONS; a++)
			used |= reach[a] && g->uses[a][m];
		snprintf(name, sizeof name, "m%d", m);
		if (used)
			v[n++] = variable(name);
	}
	return n;
}

static void test_shared_random(void **state)
{
	(void)state;
	uint32_t seed = 5;
	for (int round = 0; round < 60; round++) {
		struct graph g = {0};
		struct text t = {0};
		write_graph(&g, &seed, &t);
		isa_program_free(&p);
		load("r.ptx", text_str(&t));
		text_free(&t);
		for (int k = 0; k < FUNCTIONS; k += 3) {
			const struct isa_variable *v[FUNCTIONS + 3];
			const int n = reached(&g, k, v);
			char kernel[16];
			snprintf(kernel, sizeof kernel, "f%d", k);
			for (int a = 0; a < n; a++) {
				check_inside(kernel, v[a]);
				for (int b = 0; b < a; b++)
					check_apart(v[a], v[b]);
			}
		}
	}
}

/* ---- files ---- */

static void test_files(void **state)
{
	(void)state;
	assert_false(frontend_load_file(&p, NULL, "no/such/file.ptx", NULL, &diags));
	assert_int_equal(diags.n_errors, 1);
	assert_true(strstr(diags.v[0].message, "No such file") != NULL);
	assert_false(frontend_load_file(&p, NULL, ".", NULL, &diags));
	assert_false(try_load("empty.ptx", ""));
	assert_int_equal(p.n_files, 0);
	/* the program keeps its own copy of the text */
	char text[] = HEAD ".visible .entry k() { ret; }\n";
	assert_true(frontend_load_text(&p, 0, "x.ptx", text, strlen(text), &diags));
	memset(text, 'x', sizeof text - 1);
	assert_memory_equal(p.files[0].text, ".version", 8);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_defined_later),
		T(test_defined_before),
		T(test_duplicate),
		T(test_weak_functions),
		T(test_reload),
		T(test_own_builtin),
		T(test_alias),
		T(test_extern_variable),
		T(test_common),
		T(test_placement),
		T(test_images),
		T(test_shared_kernels),
		T(test_shared_device_functions),
		T(test_shared_indirect),
		T(test_shared_over_files),
		T(test_shared_dynamic),
		T(test_shared_random),
		T(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
