/* Instructions that ptxas accepts though nothing says what they compute: each loads with one warning that says where, does nothing while it
 * is not reached and faults when it is. Where ptxas is installed, it is asked whether it accepts them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "gpu/gpu.h"
#include "frontend/frontend.h"

#include "kernel_run.h"
#include "need_ptxas.h"

/* In front of each instruction. */
#define HEAD \
	".version 9.0\n.target sm_100\n.address_size 64\n.global .align 16 .b32 words[4];\n.func f(.reg .v2 .u32 " \
	"a)\n{\nret;\n}\n" \
	".func (.reg .v2 .u32 r) g()\n{\nret;\n}\n.visible .entry k(.param .u32 skip)\n{\n" \
	".reg .u32 %r<9>; .reg .b32 %w<9>; .reg .u64 %d<9>; .reg .b64 %l<9>; .reg .f32 %f<9>; .reg .f64 %e<9>; .reg " \
	".u16 %h<9>;\n" \
	".reg .pred %p<9>; .reg .b128 %q<9>; .reg .v4 .u16 %v; .reg .u8 %y<9>;\n" \
	"ld.param.u32 %r1, [skip];\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra done;\n"
#define TAIL "\ndone: ret;\n}\n"

static const char *const bodies[] = {
	"testp.f32 %p2, %f1;",
	"testp.f64 %p2, %e1;",
	/* predicates for packed values, and in vectors */
	"set.eq.bf16x2.bf16x2 %p2, %w1, %w2;",
	"set.eq.bf16x2.bf16x2 %w3, %w1, %p2;",
	"set.ne.u32.bf16x2 %r3, %w1, !%p2;",
	"setp.lt.bf16x2 %p3, %w1, %p2;",
	"mov.b64 %d1, {%w1, %p2};",
	"mov.b64 {%w1, %p2}, %d1;",
	"st.global.v2.b32 [words], {%p2, %w1};",
	"ld.global.v2.b32 {%w1, %p2}, [words];",
	"mov.b128 %q1, {%r1, %w1, %p2, %p3};",
	"add.bf16x2 %w1, {%tid.x, %r1}, %w2;",
	"cvt.rn.bf16x2.f32 {%w1}, %f1, %f2;",
	"add.f32.bf16 %f1, {5}, %f2;",
	/* special registers for results */
	"ld.global.v2.u32 {%r1, %tid.x}, [words];",
	"ld.global.u32 {%tid.x}, [words];",
	"mov.b64 {%tid.x, %r1}, %d1;",
	/* constants beside registers of another size or type */
	"st.global.v2.u32 [words], {5, %h1};",
	"st.global.v2.b32 [words], {%w1, 1.5};",
	/* functions for numbers */
	"add.u64 %d1, %d2, f;",
	"add.u32 %r1, f, %r2;",
	"fma.rn.f32 %f1, %f2, %f3, f;",
	"mov.f32 %f1, f;",
	"mov.pred %p2, f;",
	"not.pred %p2, f;",
	"cvta.to.global.u64 %d1, f;",
	"cvt.pack.sat.s16.s32 %r1, f, %r2;",
	"cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, f;",
	"st.global.u64 [words], f;",
	"setp.eq.u64 %p2, %d1, k;",
	/* sums of registers that are no integers, or too short */
	"mov.f32 %f1, %f2+1;",
	"add.f32 %f1, %e2+1, %f2;",
	"and.pred %p2, %p3, %p4+1;",
	"add.u32 %r1, %q1+1, %r2;",
	"add.u64 %d1, %r1+4, %d2;",
	"add.u32 %r1, %h1+4, %r2;",
	/* vectors of another shape, and constants, for .reg parameters */
	"call f, (%v);",
	"call f, (5);",
	"call f, (1.5);",
	"call (%d1), g;",
};
#define N_BODIES (sizeof(bodies) / sizeof(*bodies))

static void write_module(struct text *t, size_t k, bool dead)
{
	text_clear(t);
	text_add(t, HEAD);
	text_add(t, dead ? "ret;\n" : "");
	text_add(t, bodies[k]);
	text_add(t, TAIL);
}

static unsigned count_lines(const char *s)
{
	unsigned n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

static void expect_one_warning(size_t k, const struct diag_list *diags)
{
	if (diags->n != 1)
		fail_msg("%s: %zu messages, the first: %s", bodies[k], diags->n,
			 diags->n ? diags->v[0].message : "none");
	assert_int_equal(diags->v[0].severity, DIAG_WARNING);
	assert_int_equal(diags->v[0].line, count_lines(HEAD) + 1);
	assert_in_range(diags->v[0].col, 1, strlen(bodies[k]));
	assert_non_null(strstr(diags->v[0].message, "has no meaning with "));
	assert_non_null(strstr(diags->v[0].message, "reaching it stops with CUDA_EXCEPTION_4"));
}

static enum gpu_event_kind launch(struct gpu *g, uint32_t skip)
{
	struct gpu_launch_spec s = {.grid = {1, 1, 1}, .block = {8, 1, 1}, .params = &skip, .n_params = sizeof(skip)};

	return kernel_run(g, "k", s);
}

static void load_and_run(size_t k)
{
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	struct diag_list diags;
	struct text t = {0};

	assert_non_null(g);
	diag_list_init(&diags);
	write_module(&t, k, false);
	if (!frontend_load_text(gpu_program(g), 0, "meaningless.ptx", t.s, t.n, &diags))
		fail_msg("%s: %s", bodies[k], diags.v[0].message);
	expect_one_warning(k, &diags);
	gpu_program_changed(g);
	if (launch(g, 1) != GPU_EVENT_KERNEL_DONE)
		fail_msg("%s: stops though nothing reaches it", bodies[k]);
	if (launch(g, 0) != GPU_EVENT_FAULT)
		fail_msg("%s: doesn't stop", bodies[k]);
	assert_int_equal(gpu_exec(g)->fault.kind, EXEC_FAULT_ILLEGAL_INSTRUCTION);
	diag_list_free(&diags);
	text_free(&t);
	gpu_destroy(g);
}

static void what_has_no_meaning_faults(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_BODIES; k++)
		load_and_run(k);
}

/* One warning for each opcode, however often it stands there. */
static void one_opcode_warns_once(void **state)
{
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	struct diag_list diags;
	struct text t = {0};

	(void)state;
	diag_list_init(&diags);
	text_add(&t, HEAD "add.u32 %r1, %r2, f;\nadd.u32 %r1, f, %r2;\nadd.u64 %d1, %d1, f;" TAIL);
	assert_true(frontend_load_text(gpu_program(g), 0, "meaningless.ptx", t.s, t.n, &diags));
	assert_int_equal(diags.n, 2);
	diag_list_free(&diags);
	text_free(&t);
	gpu_destroy(g);
}

static bool ptxas_takes(const char *path, const struct text *t)
{
	char command[300];
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fwrite(t->s, 1, t->n, f);
	fclose(f);
	snprintf(command, sizeof(command), "ptxas -c -arch=sm_100 -o /dev/null %s >/dev/null 2>&1", path);
	return system(command) == 0;
}

/* In code that nothing reaches: ptxas fails at some where it has to make code of them. */
static void ptxas_accepts_them(void **state)
{
	char path[] = P_tmpdir "/ptxas-meaning-XXXXXX";
	struct text t = {0};
	unsigned wrong = 0;
	int fd;

	(void)state;
	need_ptxas();
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	for (size_t k = 0; k < N_BODIES; k++) {
		write_module(&t, k, true);
		if (ptxas_takes(path, &t))
			continue;
		print_error("%s: ptxas rejects it\n", bodies[k]);
		wrong++;
	}
	unlink(path);
	text_free(&t);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_has_no_meaning_faults),
					   cmocka_unit_test(one_opcode_warns_once),
					   cmocka_unit_test(ptxas_accepts_them)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
