/* Several modules under the debugger: one name in two of them, breakpoints that wait for a module, what is gone with one. */
#include "isa/link/modules.h"
#include "test_debug_fixture.h"

#include "command/stop/stop_commands.h"
#include "command/info.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

static void load_module(struct fixture *f, uint32_t module, const char *name, const char *ptx)
{
	struct diag_list diags = {0};
	assert_true(frontend_load_text(gpu_program(debug_gpu(f->d)), module, name, ptx, strlen(ptx), &diags));
	diag_list_free(&diags);
	text_clear(&f->out);
	debug_module_changed(f->d, module, true, &f->out);
}

static uint32_t add_module(struct fixture *f, const char *name, const char *ptx)
{
	uint32_t m = isa_module_add(gpu_program(debug_gpu(f->d)), name);
	load_module(f, m, name, ptx);
	return m;
}

static void unload(struct fixture *f, uint32_t module)
{
	isa_module_unload(gpu_program(debug_gpu(f->d)), module);
	text_clear(&f->out);
	debug_module_changed(f->d, module, false, &f->out);
}

/* The same source, another value in each: a static variable of C++, a visible one, a constant. */
#define MODULE(value) \
	HEAD ".global .u32 _ZL5limit = " value "0;\n.visible .global .u32 count = " value \
	     ";\n.const .u32 scale = " value "00;\n" \
	     ".visible .entry k() {\n.reg .b32 %r<3>;\nld.const.u32 %r1, [scale];\nadd.s32 %r2, %r1, 1;\nret;\n}\n"

static struct fixture f;

static int setup(void **state)
{
	(void)state;
	fixture_begin(&f, NULL, NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_end(&f);
	return 0;
}

static void test_variables(void **state)
{
	(void)state;
	uint32_t one = add_module(&f, "app.ptx", MODULE("1"));
	SAYS(&f, command_print, "count", "$1 = 1\n");
	add_module(&f, "app-2.ptx", MODULE("2"));
	SAYS(&f, command_print, "count",
	     "error: No symbol \"count\" in current context. (Several modules have it: 'app.ptx'::count, "
	     "'app-2.ptx'::count.)");
	SAYS(&f, command_print, "limit",
	     "error: No symbol \"limit\" in current context. (Several modules have it: 'app.ptx'::limit, "
	     "'app-2.ptx'::limit.)");
	SAYS(&f, command_print, "'app.ptx'::count", "$2 = 1\n");
	SAYS(&f, command_print, "'app-2.ptx'::count + 'app.ptx'::limit", "$3 = 12\n");
	SAYS(&f, command_print, "&'app-2.ptx'::scale == &'app.ptx'::scale", "$4 = 0\n");
	SAYS(&f, command_set_var, "'app-2.ptx'::count = 7", "");
	SAYS(&f, command_print, "'app-2.ptx'::count * 'app.ptx'::count", "$5 = 7\n");
	SAYS(&f, command_print, "'app-3.ptx'::count", "error: No module, PTX file or source named \"app-3.ptx\".");
	SAYS(&f, command_print, "'app.ptx'::none", "error: No symbol \"'app.ptx'::none\" in current context.");
	SAYS(&f, command_print, "'a'", "$6 = 97 'a'\n");
	unload(&f, one);
	SAYS(&f, command_print, "count", "$7 = 7\n");
	SAYS(&f, command_print, "'app.ptx'::count", "error: No module, PTX file or source named \"app.ptx\".");
}

/* Who stands in a kernel sees its module's. */
static void test_own_module(void **state)
{
	(void)state;
	add_module(&f, "app.ptx", MODULE("1"));
	add_module(&f, "app-2.ptx", MODULE("2"));
	HAS(runs(&f, command_launch_kernel, "k<<<1,1>>>()"),
	    "error: k: several modules have it: 'app.ptx'::k, 'app-2.ptx'::k");
	HAS(runs(&f, command_launch_kernel, "'app.ptx'::k<<<1,1>>>()"), "[focus: kernel 0 k,");
	SAYS(&f, command_print, "count", "$1 = 1\n");
	SAYS(&f, command_print, "scale + limit", "$2 = 110\n");
	SAYS(&f, command_print, "'app-2.ptx'::scale", "$3 = 200\n");
	HAS(says(&f, command_list, "app-2.ptx:8,9"), "ld.const.u32 %r1, [scale];");
	HAS(says(&f, info_source, ""), "app.ptx");
	HAS(runs(&f, command_continue, ""), "Kernel 0 k finished");
}

static void test_breakpoints(void **state)
{
	(void)state;
	HAS(says(&f, command_break, "k"), "pending");
	HAS(says(&f, command_break, "app-2.ptx:10"), "pending");
	uint32_t one = add_module(&f, "app.ptx", MODULE("1"));
	assert_string_equal(text_str(&f.out), "Breakpoint 1 at 0x0: file app.ptx, line 9.\n");
	uint32_t two = add_module(&f, "app-2.ptx", MODULE("2"));
	assert_string_equal(text_str(&f.out), "Breakpoint 2 at 0x20: file app-2.ptx, line 10.\n");
	HAS(runs(&f, command_run_kernel, "'app-2.ptx'::k<<<1,1>>>()"), "Breakpoint 1");
	HAS(runs(&f, command_continue, ""), "Breakpoint 2");
	HAS(runs(&f, command_continue, ""), "Kernel 0 k finished");
	SAYS(&f, command_break, "'app.ptx'::k", "Breakpoint 3 at 0x0: file app.ptx, line 9.\n");
	unload(&f, two);
	HAS(text_str(&f.out), "Breakpoint 2 is pending now");
	HAS(runs(&f, command_run_kernel, "k<<<1,1>>>()"), "Breakpoint 1");
	unload(&f, one);
	HAS(text_str(&f.out), "Breakpoint 3 is pending now");
	HAS(runs(&f, command_run_kernel, "k<<<1,1>>>()"), "error: no kernel \"k\"");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_variables), TEST(test_own_module), TEST(test_breakpoints)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
