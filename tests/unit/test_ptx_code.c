/* Lowering of whole functions: addresses of variables, calls, control flow, places in the source. Expected values are worked out from
 * the PTX ISA by hand. */
#include "isa/flow/cfg.h"
#include "isa/link/modules.h"
#include "ptx_program.h"

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
	assert_int_equal(f->local_bytes % 4, 0);
	assert_true(f->local_bytes >= 24);
	assert_int_equal(f->n_vars, 2);
	assert_int_equal(p.const_next, 32);
}

/* ---- calls ---- */

static void load_calls(void)
{
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
}

static void test_parameters_of_functions(void **state)
{
	(void)state;
	load_calls();
	const struct isa_function *f = isa_program_find_function(&p, "f");
	/* places in the callee's frame, as GPGPU-Sim 3.2.2 has them: return value first, each at the next word; arrays where .align says */
	assert_int_equal(f->params[0].address, 0);
	assert_true(f->params[0].flags & ISA_VAR_RETURN);
	assert_int_equal(f->params[1].address, 4);
	assert_int_equal(f->params[2].address, 16);
	assert_int_equal(f->params[2].space, ISA_SPACE_LOCAL);
	assert_int_equal(f->local_bytes, 28);
	assert_int_equal(f->local_align, 8);
	const struct isa_insn *i = at(f, 1);
	assert_int_equal(i->space, ISA_SPACE_LOCAL);
	assert_true(i->flags & ISA_F_ADDR_SP);
	assert_int_equal(i->imm, 24);
	assert_string_equal(handler(at(f, 2)), "mov_local_addr");
	assert_int_equal(at(f, 3)->space, ISA_SPACE_LOCAL);
	assert_false(at(f, 3)->flags & ISA_F_ADDR_SP);
}

static void test_calls(void **state)
{
	(void)state;
	load_calls();
	const struct isa_function *f = isa_program_find_function(&p, "f"), *k = isa_program_find_function(&p, "k");
	/* the caller: depot 0..20, then the sequence's variables, at the next words (arrays where .align says); a new name comes after
	 * them */
	assert_int_equal(at(k, 0)->imm, 20);
	assert_int_equal(at(k, 1)->imm, 32 + 8);
	const struct isa_insn *i = at(k, 2);
	assert_string_equal(handler(i), "call");
	assert_ptr_equal(p.functions[i->target], f);
	const uint32_t *w = &p.aux[i->aux];
	const uint32_t want[] = {3, 2, 44, 4, ISA_B32, 2, 20, 8, ISA_B64, 2, 32, 12, ISA_B8};
	assert_memory_equal(w, want, sizeof want);
	assert_int_equal(at(k, 3)->imm, 44);
	assert_int_equal(at(k, 4)->imm, 48);
	i = at(k, 8);
	assert_string_equal(handler(i), "call_indirect");
	assert_int_equal(i->a, reg(k, "%rd2", 8).ref);
	assert_int_equal(i->a_bytes, 8);
	assert_int_equal(p.aux[i->aux], 3);
}

/* Parameters in registers, as in the first ABI: rows and predicates. */
static void test_calls_in_registers(void **state)
{
	(void)state;
	load_calls();
	const struct isa_function *old = isa_program_find_function(&p, "old"), *k = isa_program_find_function(&p, "k");
	const uint32_t *w = &p.aux[at(k, 5)->aux];
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
}

static void test_builtin_calls(void **state)
{
	(void)state;
	assert_true(
		load("t.ptx", HEAD
		     ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n.extern .func nobody();\n"
		     ".extern .func (.param .b32 r) cudaDeviceSynchronize();\n"
		     ".visible .entry k() { .reg .b64 %rd<3>;\n"
		     " { .param .b64 a; st.param.b64 [a], %rd1; .param .b64 b; st.param.b64 [b], %rd2; .param .b32 r; "
		     "call (r), vprintf, (a, b); }\n"
		     " { .param .b32 s; call (s), cudaDeviceSynchronize; }\n"
		     " call nobody; ret; }\n"));
	const struct isa_function *k = isa_program_find_function(&p, "k");
	assert_string_equal(handler(at(k, 2)), "call_builtin");
	assert_string_equal(p.functions[at(k, 2)->target]->name, "vprintf");
	assert_false(p.functions[at(k, 2)->target]->is_defined);
	struct text t = {0};
	assert_int_equal(isa_module_undefined(&p, 0, &t), 1);
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
	cfg_dot(&p, f, &t);
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
	assert_true(p.files[w[0].file].frontend);
}

/* Line 0 means code of no line (DWARF 4, 6.2.2): it belongs to the line in front of it, in the same function. */
static void test_code_of_no_line(void **state)
{
	(void)state;
	const struct isa_function *f =
		load_body(".file 1 \"a.cu\"\n.func g() { .loc 1 9 1\n ret; }\n",
			  ".reg .b32 %r<3>;\n.loc 1 0 1\nmov.b32 %r1, 1;\n.loc 1 4 1\nmov.b32 %r1, "
			  "2;\n.loc 1 0 2\nmov.b32 %r1, 3;\nmov.b32 %r1, 4;\n.loc 1 5 1\nret;");
	const uint32_t want[] = {0, 4, 4, 4, 5};
	for (uint32_t k = 0; k < 5; k++) {
		uint32_t loc = p.where[f->first + k].loc;
		assert_int_equal(loc == ISA_NO_LOC ? 0 : p.locs[loc].line, want[k]);
	}
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
		T(test_addresses),     T(test_parameters_of_functions),
		T(test_calls),	       T(test_calls_in_registers),
		T(test_builtin_calls), T(test_reconvergence),
		T(test_branch_table),  T(test_falls_off_the_end),
		T(test_dot),	       T(test_source_places),
		T(test_names),	       T(test_code_of_no_line),
		T(test_old_ptx),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
