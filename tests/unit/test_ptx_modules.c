/* Modules of a program: names that don't meet, addresses that are handed out again, links inside one module. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/link/modules.h"
#include "base/text.h"
#include "gpu/gpu.h"
#include "isa/address_map.h"
#include "isa/handlers.h"
#include "isa/link/link.h"
#include "frontend/frontend.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

static struct gpu *g;
static struct isa_program *p;

static int setup(void **state)
{
	(void)state;
	g = gpu_create(NULL, NULL, NULL);
	p = gpu_program(g);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	gpu_destroy(g);
	return 0;
}

static bool try_load(uint32_t module, const char *name, const char *text, struct text *why)
{
	struct diag_list diags = {0};
	bool ok = frontend_load_text(p, module, name, text, strlen(text), &diags);
	for (size_t i = 0; i < diags.n; i++)
		diag_format(why, &diags.v[i]);
	diag_list_free(&diags);
	if (ok && module)
		gpu_module_loaded(g, module);
	else if (ok)
		gpu_program_changed(g);
	return ok;
}

static void load(uint32_t module, const char *name, const char *text)
{
	struct text why = {0};
	if (!try_load(module, name, text, &why))
		fail_msg("%s", text_str(&why));
	text_free(&why);
}

static void unload(uint32_t module)
{
	isa_module_unload(p, module);
	gpu_module_unloaded(g, module);
}

static const struct isa_variable *variable(uint32_t module, const char *name)
{
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (isa_program_module_of(p, p->variables[k]->file) == module && !strcmp(p->variables[k]->name, name) &&
		    !(p->variables[k]->flags & ISA_VAR_UNLOADED))
			return p->variables[k];
	fail_msg("no %s in module %u", name, module);
	return NULL;
}

static const struct isa_function *function(uint32_t module, const char *name)
{
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (isa_program_module_of(p, p->functions[k]->file) == module && !strcmp(p->functions[k]->name, name) &&
		    !p->functions[k]->unloaded && p->functions[k]->is_defined)
			return p->functions[k];
	fail_msg("no %s in module %u", name, module);
	return NULL;
}

static uint32_t word_at(uint64_t address)
{
	uint32_t v = 0;
	assert_true(gpu_read(g, address, &v, sizeof v));
	return v;
}

static uint64_t generic(const struct isa_variable *v) { return isa_variable_address(v, true); }

static const char same[] =
	HEAD ".visible .global .u32 count = 7;\n.const .u32 scale = 3;\n.visible .func f() { ret; }\n"
	     ".visible .entry k() { .reg .b64 %rd<2>; mov.u64 %rd1, count; call f; ret; }\n";

/* The same PTX twice, as a program of the driver API may load it, and a file that has the same names: three of everything. */
static void test_same_names(void **state)
{
	(void)state;
	load(0, "a.ptx", same);
	uint32_t m = isa_module_add(p, "a.ptx"), n = isa_module_add(p, "a.ptx");
	load(m, "a.ptx", same);
	load(n, "a.ptx", same);
	const uint32_t modules[] = {0, m, n};
	for (int k = 0; k < 3; k++) {
		const struct isa_function *f = function(modules[k], "k");
		const struct isa_insn *i = &p->insns[f->first];
		assert_ptr_equal(p->functions[i[1].target], function(modules[k], "f"));
		assert_int_equal(word_at(generic(variable(modules[k], "count"))), 7);
		assert_int_equal(word_at(generic(variable(modules[k], "scale"))), 3);
		for (int j = 0; j < k; j++) {
			assert_int_not_equal(variable(modules[k], "count")->address,
					     variable(modules[j], "count")->address);
			assert_int_not_equal(variable(modules[k], "scale")->address,
					     variable(modules[j], "scale")->address);
		}
	}
	assert_false(p->files[function(0, "k")->file].unloaded); /* a module's text replaces no file */
	uint32_t v = 9;
	assert_true(gpu_write(g, generic(variable(m, "count")), &v, sizeof v));
	assert_int_equal(word_at(generic(variable(0, "count"))), 7);
	assert_int_equal(word_at(generic(variable(n, "count"))), 7);
}

/* What one module lacks another one's names don't give. */
static void test_links_inside(void **state)
{
	(void)state;
	struct text names = {0}, why = {0};
	uint32_t m = isa_module_add(p, "m"), n = isa_module_add(p, "n");
	load(m, "m.ptx",
	     HEAD ".extern .func f();\n.extern .global .u32 v;\n.visible .entry k() { .reg .b64 %rd<2>; mov.u64 "
		  "%rd1, v; call f; ret; }\n");
	load(n, "n.ptx", HEAD ".visible .func f() { ret; }\n.visible .global .u32 v = 1;\n");
	assert_int_equal(isa_module_undefined(p, m, &names), 2);
	assert_int_equal(isa_module_undefined(p, n, &names), 0);
	assert_string_equal(text_str(&names), "f\nv\n");
	assert_int_equal(p->insns[function(m, "k")->first + 1].handler, ISA_H_call_builtin);
	/* its second unit does */
	load(m, "m2.ptx", HEAD ".visible .func f() { ret; }\n.visible .global .u32 v = 5;\n");
	assert_int_equal(isa_module_undefined(p, m, &names), 0);
	assert_ptr_equal(p->functions[p->insns[function(m, "k")->first + 1].target], function(m, "f"));
	assert_int_equal(word_at(generic(variable(m, "v"))), 5);
	/* two definitions in one module are an error, and it stays as it was */
	const uint64_t next = p->global_next;
	const uint32_t files = p->n_files;
	assert_false(try_load(m, "m3.ptx", HEAD ".visible .global .u32 w;\n.visible .func f() { ret; }\n", &why));
	assert_non_null(strstr(text_str(&why), "'f' is already defined at m2.ptx:4"));
	assert_int_equal(p->global_next, next);
	assert_int_equal(p->n_files, files);
	text_free(&names);
	text_free(&why);
}

/* Unloaded: names and memory are gone, addresses are used again, and begin with zeros. */
static void test_unload(void **state)
{
	(void)state;
	load(0, "a.ptx", HEAD ".visible .global .u32 first;\n");
	uint32_t m = isa_module_add(p, "m");
	load(m, "m.ptx",
	     HEAD ".visible .global .align 4 .b8 table[64] = {1, 2, 3};\n.const .u32 c = 8;\n.visible .entry k() { "
		  "ret; }\n");
	uint32_t n = isa_module_add(p, "n");
	load(n, "n.ptx", HEAD ".visible .global .u32 after = 6;\n");
	const uint64_t table = generic(variable(m, "table")), c = generic(variable(m, "c"));
	const struct isa_function *k = function(m, "k");
	unload(m);
	uint32_t v;
	assert_false(gpu_read(g, table, &v, 4));
	assert_true(k->unloaded);
	assert_true(p->modules[m].unloaded);
	assert_int_equal(word_at(generic(variable(n, "after"))), 6);
	uint32_t again = isa_module_add(p, "again");
	load(again, "m.ptx",
	     HEAD ".visible .global .u32 x;\n.visible .global .align 32 .b8 y[32];\n.visible .global .u64 large[100];\n"
		  ".const .u32 d;\n");
	assert_int_equal(generic(variable(again, "x")), table);
	assert_int_equal(generic(variable(again, "y")) % 32, 0);
	assert_true(generic(variable(again, "y")) > table && generic(variable(again, "y")) + 32 <= table + 64);
	assert_true(generic(variable(again, "large")) > generic(variable(n, "after")));
	assert_int_equal(generic(variable(again, "d")), c);
	assert_int_equal(word_at(table), 0);
	assert_int_equal(word_at(c), 0);
	/* nothing grows for a program that loads and unloads one thing all the time */
	const uint64_t next = p->global_next;
	for (int i = 0; i < 50; i++) {
		uint32_t t = isa_module_add(p, "t");
		load(t, "t.ptx", same);
		assert_int_equal(word_at(generic(variable(t, "count"))), 7);
		unload(t);
	}
	assert_true(p->global_next - next <= 8);
	unload(again);
	unload(n);
}

/* Shared variables: modules overlap each other, kernels of one that call the same function don't. */
static void test_shared(void **state)
{
	(void)state;
	static const char text[] =
		HEAD ".shared .b8 s[1024];\n.visible .entry k() { .reg .b32 %r<2>; ld.shared.u32 %r1, [s]; ret; }\n";
	for (int i = 0; i < 3; i++) {
		uint32_t m = isa_module_add(p, "m");
		load(m, "m.ptx", text);
		assert_int_equal(variable(m, "s")->address, 0);
		assert_int_equal(function(m, "k")->static_shared, 1024);
	}
}

static uint64_t place(void *self, uint64_t bytes, uint64_t align)
{
	uint64_t *at = self;
	assert_int_equal(bytes, 4);
	assert_int_equal(align, 4);
	return *at;
}

/* Managed variables lie where the host shares memory with the device, if it does; their values are written there. */
static void test_managed(void **state)
{
	(void)state;
	static const char text[] = HEAD ".visible .global .attribute(.managed) .align 4 .u32 shared_with_host = 41;\n";
	uint64_t at = gpu_alloc(g, 4096, "managed") + 256;
	p->place_managed = place;
	p->managed_self = &at;
	uint32_t m = isa_module_add(p, "m");
	load(m, "m.ptx", text);
	assert_true(variable(m, "shared_with_host")->flags & ISA_VAR_MANAGED);
	assert_int_equal(generic(variable(m, "shared_with_host")), at);
	assert_int_equal(word_at(at), 41);
	unload(m);
	assert_int_equal(word_at(at), 41); /* the host's own matter */
	at = 0;
	uint32_t n = isa_module_add(p, "n");
	load(n, "m.ptx", text);
	assert_true(generic(variable(n, "shared_with_host")) < ISA_MODULE_GLOBALS_END);
	assert_int_equal(word_at(generic(variable(n, "shared_with_host"))), 41);
}

static void test_pieces(void **state)
{
	(void)state;
	struct link_pieces s = {0};
	struct link_piece taken;
	assert_int_equal(link_pieces_take(&s, 1, 1, &taken), LINK_NO_ROOM);
	link_pieces_add(&s, (struct link_piece){10, 20});
	link_pieces_add(&s, (struct link_piece){40, 50});
	link_pieces_add(&s, (struct link_piece){0, 5});
	assert_int_equal(s.n, 3);
	link_pieces_add(&s, (struct link_piece){20, 40}); /* closes the gap */
	assert_int_equal(s.n, 2);
	assert_int_equal(s.v[1].first, 10);
	assert_int_equal(s.v[1].end, 50);
	link_pieces_add(&s, (struct link_piece){5, 10});
	assert_int_equal(s.n, 1);
	assert_int_equal(link_pieces_take(&s, 8, 16, &taken), 0);
	assert_int_equal(link_pieces_take(&s, 4, 16, &taken), 16);
	assert_int_equal(taken.first, 8); /* what was passed over goes with it */
	assert_int_equal(taken.end, 20);
	assert_int_equal(link_pieces_take(&s, 31, 1, &taken), LINK_NO_ROOM);
	assert_int_equal(link_pieces_take(&s, 30, 1, &taken), 20);
	assert_int_equal(s.n, 0);
	link_pieces_free(&s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_same_names), TEST(test_links_inside),
					   TEST(test_unload),	  TEST(test_shared),
					   TEST(test_managed),	  cmocka_unit_test(test_pieces)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
