/* Modules of programs: registered and loaded when asked for, opened from images, linked at run time, closed. */
#include <stdlib.h>

#include "command/stop/stop_commands.h"
#include "test_debug_fixture.h"

#include "server/module/link.h"
#include "server/module/module.h"
#include "fatbin_fixtures.h"
#include "gpu/gpu.h"
#include "isa/address_map.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

struct machine {
	struct fixture f;
	struct modules *ms;
	struct text said, notes;
	uint32_t capability;
};

static uint32_t capability(void *self) { return ((struct machine *)self)->capability; }
static void say(void *self, const char *line) { text_add(&((struct machine *)self)->said, line); }
static void loaded(void *self, const char *notes) { text_add(&((struct machine *)self)->notes, notes); }

static struct machine m;

static int setup(void **state)
{
	(void)state;
	memset(&m, 0, sizeof m);
	fixture_begin(&m.f, NULL, NULL);
	m.capability = 75;
	const struct modules_host host = {
		.self = &m, .program = "/u/app", .capability = capability, .say = say, .loaded = loaded};
	m.ms = modules_create(m.f.d, &host);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	modules_destroy(m.ms);
	fixture_end(&m.f);
	text_free(&m.said);
	text_free(&m.notes);
	return 0;
}

static struct gpu *gpu(void) { return debug_gpu(m.f.d); }
static const struct isa_program *program(void) { return gpu_program(gpu()); }

/* ---- a program's memory: pieces at addresses ---- */

struct piece {
	uint64_t at;
	const void *bytes;
	size_t n;
};
struct memory {
	struct piece pieces[8];
	size_t n;
};

static size_t read_memory(void *self, uint64_t address, void *dst, size_t n)
{
	const struct memory *s = self;
	for (size_t k = 0; k < s->n; k++)
		if (address >= s->pieces[k].at && address - s->pieces[k].at < s->pieces[k].n) {
			const size_t left = s->pieces[k].n - (size_t)(address - s->pieces[k].at);
			memcpy(dst, (const char *)s->pieces[k].bytes + (address - s->pieces[k].at),
			       n < left ? n : left);
			return n < left ? n : left;
		}
	return 0;
}

static struct fatbin_reader reader(struct memory *s) { return (struct fatbin_reader){.read = read_memory, .self = s}; }

/* A fat binary around texts of PTX, stored, as nvcc --compress-mode=none makes it. */
static size_t make_fatbin(uint8_t *out, const char *ptx, uint32_t sm)
{
	const size_t n = (strlen(ptx) + 8) & ~(size_t)7;
	memset(out, 0, 16 + 0x40 + n);
	const uint32_t magic = FATBIN_MAGIC, header = 0x40;
	const uint16_t one = 1, sixteen = 16;
	const uint64_t all = 0x40 + n;
	memcpy(out, &magic, 4);
	memcpy(out + 4, &one, 2);
	memcpy(out + 6, &sixteen, 2);
	memcpy(out + 8, &all, 8);
	memcpy(out + 16, &one, 2);
	memcpy(out + 20, &header, 4);
	memcpy(out + 24, &n, 8);
	memcpy(out + 16 + 0x1c, &sm, 4);
	memcpy(out + 16 + 0x40, ptx, strlen(ptx));
	return 16 + (size_t)all;
}

static struct module *open_text(const char *ptx, struct module_log *log, enum wire_status *error)
{
	struct memory s = {{{0x1000, ptx, strlen(ptx) + 1}}, 1};
	struct fatbin_reader r = reader(&s);
	return module_open(m.ms, &r, 0x1000, log, error);
}

/* The name of the newest module; with `back`, of an earlier one. */
static const char *newest_name(uint32_t back)
{
	const struct isa_program *p = program();
	assert_true(back < p->n_modules);
	return p->modules[p->n_modules - 1 - back].name;
}

/* ---- the runtime API ---- */

/* Registering reads headers; the first name that is asked for loads. Breakpoints that wait find their place then. */
static void test_registered(void **state)
{
	(void)state;
	const uint64_t wrapper[3] = {FATBIN_WRAPPER_MAGIC | UINT64_C(1) << 32, 0x2000, 0};
	struct memory s = {{{0x1000, wrapper, sizeof wrapper}, {0x2000, fatbin_many, sizeof fatbin_many}}, 2};
	struct fatbin_reader r = reader(&s);
	enum wire_status error;
	uint32_t function, list[4];
	HAS(says(&m.f, command_break, "_Z3onePi"), "pending");
	struct module *one = module_register(m.ms, &r, 0x1000, &error);
	assert_non_null(one);
	assert_int_equal(modules_highest(m.ms), 120);
	assert_int_equal(program()->n_functions, 0);
	assert_int_equal(program()->n_modules, 0);
	m.capability = 120;
	assert_int_equal(module_function(one, "_Z3onePi", &function), WIRE_OK);
	assert_string_equal(program()->functions[function]->name, "_Z3onePi");
	assert_string_equal(newest_name(0), "k.ptx");
	assert_string_equal(program()->files[program()->functions[function]->file].name, "/u/k.ptx");
	HAS(text_str(&m.notes), "Breakpoint 1 at 0x0: file k.");
	assert_int_equal(module_function(one, "_Z3twoPi", &function), WIRE_NOT_FOUND);
	assert_int_equal(module_kernels(one, list, 4), 1);
	assert_string_equal(text_str(&m.said), "");
	module_close(one);
	assert_true(program()->functions[function]->unloaded);
	HAS(text_str(&m.notes), "Breakpoint 1 is pending now");
}

/* Of several targets the one for the device; one above it with a remark. */
static void test_target(void **state)
{
	(void)state;
	struct memory s = {{{0x2000, fatbin_many, sizeof fatbin_many}}, 1};
	struct fatbin_reader r = reader(&s);
	enum wire_status error;
	m.capability = 20;
	struct module *one = module_open(m.ms, &r, 0x2000, NULL, &error);
	assert_non_null(one);
	assert_string_equal(
		text_str(&m.said),
		"note: the PTX is for sm_75, the device has compute capability 2.0: it is run all the same\n");
	assert_non_null(strstr(program()->files[0].text, ".target sm_75\n"));
	module_close(one);
	m.capability = 88;
	one = module_open(m.ms, &r, 0x2000, NULL, &error);
	assert_non_null(strstr(program()->files[program()->n_files - 1].text, ".target sm_86\n"));
}

static void test_no_ptx(void **state)
{
	(void)state;
	const uint64_t wrapper[3] = {FATBIN_WRAPPER_MAGIC | UINT64_C(1) << 32, 0x2000, 0};
	struct memory s = {{{0x1000, wrapper, sizeof wrapper}, {0x2000, fatbin_sass, sizeof fatbin_sass}}, 2};
	struct fatbin_reader r = reader(&s);
	struct module_log log = {0};
	enum wire_status error;
	uint32_t function;
	struct module *one = module_register(m.ms, &r, 0x1000, &error);
	assert_non_null(one);
	for (int k = 0; k < 2; k++)
		assert_int_equal(module_function(one, "_Z3onePi", &function), WIRE_NO_BINARY);
	assert_string_equal(
		text_str(&m.said),
		"error: no PTX for one(int*): the program has machine code for sm_75 alone; compile it with "
		"-arch=sm_75 or with -gencode arch=compute_75,code=compute_75\n");
	assert_null(module_open(m.ms, &r, 0x2000, &log, &error));
	assert_int_equal(error, WIRE_NO_BINARY);
	HAS(text_str(&log.error), "no PTX for one(int*)");
	module_log_free(&log);
}

/* -rdc=true: a kernel of one unit calls a function of the other and uses its variable. */
static void test_units(void **state)
{
	(void)state;
	static uint8_t a[4096], b[4096];
	const size_t n_a =
		make_fatbin(a,
			    HEAD ".extern .func f();\n.extern .global .u32 v;\n.visible .entry k() { .reg .b64 %rd<2>; "
				 "mov.u64 %rd1, v; call f; ret; }\n.weak .entry w() { ret; }\n",
			    75);
	const size_t n_b = make_fatbin(
		b, HEAD ".visible .func f() { ret; }\n.visible .global .u32 v = 12;\n.weak .entry w() { ret; }\n", 75);
	const uint64_t wrapper[3] = {FATBIN_WRAPPER_MAGIC | UINT64_C(2) << 32, 0, 0x1100},
		       list[3] = {0x2000, 0x4000, 0};
	struct memory s = {
		{{0x1000, wrapper, sizeof wrapper}, {0x1100, list, sizeof list}, {0x2000, a, n_a}, {0x4000, b, n_b}},
		4};
	struct fatbin_reader r = reader(&s);
	enum wire_status error;
	struct module_variable v;
	uint32_t function, value, kernels[4];
	struct module *one = module_register(m.ms, &r, 0x1000, &error);
	assert_int_equal(module_function(one, "k", &function), WIRE_OK);
	const struct isa_insn *call = &program()->insns[program()->functions[function]->first + 1];
	assert_string_equal(program()->functions[call->target]->name, "f");
	assert_true(program()->functions[call->target]->is_defined);
	assert_int_equal(module_variable(one, "v", &v), WIRE_OK);
	assert_true(gpu_read(gpu(), v.address, &value, 4));
	assert_int_equal(value, 12);
	assert_int_equal(module_kernels(one, kernels, 4), 2); /* k, and one of the two w */
	assert_string_equal(program()->files[0].name, "/u/app.ptx");
	assert_string_equal(program()->files[1].name, "/u/app-2.ptx");
}

/* ---- the driver API ---- */

static const char counter[] =
	HEAD ".visible .global .u32 count = 5;\n.const .u64 table[4] = {1, 2, 3, 4};\n"
	     ".visible .entry add() {\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\nmov.u64 %rd1, count;\n"
	     "ld.global.u32 %r1, [%rd1];\nld.const.u32 %r2, [table+8];\nadd.u32 %r1, %r1, %r2;\n"
	     "st.global.u32 [%rd1], %r1;\nret;\n}\n";

static void launch(uint32_t function)
{
	struct text why = {0};
	struct gpu_launch_spec spec = {.function = function, .grid = {1, 1, 1}, .block = {1, 1, 1}};
	assert_true(gpu_launch(gpu(), &spec, &why) >= 0);
	HAS(runs(&m.f, command_continue, ""), "finished");
	text_free(&why);
}

/* The same text twice: each has a counter of its own, constants that the host sets, and its kernel works with these. */
static void test_twice(void **state)
{
	(void)state;
	enum wire_status error;
	struct module *one = open_text(counter, NULL, &error), *two = open_text(counter, NULL, &error);
	struct module_variable a, b, table;
	uint32_t add, value;
	assert_string_equal(newest_name(1), "app.ptx");
	assert_string_equal(newest_name(0), "app-2.ptx");
	assert_int_equal(module_variable(one, "count", &a), WIRE_OK);
	assert_int_equal(module_variable(two, "count", &b), WIRE_OK);
	assert_int_equal(a.bytes, 4);
	assert_false(a.is_constant);
	assert_int_not_equal(a.address, b.address);
	assert_int_equal(module_variable(two, "table", &table), WIRE_OK);
	assert_true(table.is_constant);
	assert_int_equal(table.bytes, 32);
	const uint64_t forty = 40;
	assert_true(gpu_write(gpu(), table.address + 8, &forty, sizeof forty));
	assert_int_equal(module_function(two, "add", &add), WIRE_OK);
	launch(add);
	assert_true(gpu_read(gpu(), b.address, &value, 4));
	assert_int_equal(value, 45);
	assert_int_equal(module_function(one, "add", &add), WIRE_OK);
	launch(add);
	launch(add);
	assert_true(gpu_read(gpu(), a.address, &value, 4));
	assert_int_equal(value, 9);
	assert_true(gpu_read(gpu(), b.address, &value, 4));
	assert_int_equal(value, 45);
	module_close(one);
	assert_false(gpu_read(gpu(), a.address, &value, 4));
	assert_true(gpu_read(gpu(), b.address, &value, 4));
}

static void test_errors(void **state)
{
	(void)state;
	struct module_log log = {0};
	enum wire_status error;
	assert_null(open_text(HEAD ".visible .entry k() {\nadd.s32 %r1, 1, 2;\nret;\n}\n", &log, &error));
	assert_int_equal(error, WIRE_INVALID_PROGRAM);
	HAS(text_str(&log.error), "error: /u/app.ptx:5:");
	HAS(text_str(&log.error), "%r1");
	text_clear(&log.error);
	assert_null(open_text(HEAD ".extern .func f();\n.visible .entry k() {\ncall f;\nret;\n}\n", &log, &error));
	assert_int_equal(error, WIRE_INVALID_PROGRAM);
	assert_string_equal(text_str(&log.error), "error: 'f' is used, but defined nowhere\n");
	assert_null(open_text("This is no PTX.", &log, &error));
	assert_int_equal(error, WIRE_INVALID_IMAGE);
	assert_null(open_text("\177ELF\2\1\1 a cubin", &log, &error));
	assert_int_equal(error, WIRE_NO_BINARY);
	struct memory nothing = {0};
	struct fatbin_reader r = reader(&nothing);
	assert_null(module_open(m.ms, &r, 0x1000, &log, &error));
	assert_int_equal(error, WIRE_INVALID_IMAGE);
	assert_null(module_register(m.ms, &r, 0x1000, &error));
	assert_int_equal(error, WIRE_INVALID_IMAGE);
	/* nothing of all that stays */
	struct module_variable v;
	struct module *ok = module_open_bytes(m.ms, "/tmp/kernels.ptx", counter, sizeof counter - 1, &log, &error);
	assert_non_null(ok);
	assert_string_equal(newest_name(0), "kernels.ptx");
	assert_int_equal(module_variable(ok, "count", &v), WIRE_OK);
	assert_int_equal(v.address, ISA_MODULE_GLOBALS);
	assert_int_equal(module_variable(ok, "none", &v), WIRE_NOT_FOUND);
	module_log_free(&log);
}

static void test_linked(void **state)
{
	(void)state;
	static const char caller[] =
		HEAD ".extern .func (.param .b32 r) twice(.param .b32 a);\n.visible .global .u32 out;\n"
		     ".visible .entry k() {\n.reg .b32 %r<3>;\n{\n.param .b32 p;\n.param .b32 q;\nst.param.b32 "
		     "[p], 21;\ncall (q), twice, (p);\nld.param.b32 %r1, [q];\n}\nst.global.u32 [out], %r1;\nret;\n}\n";
	static const char callee[] =
		HEAD ".visible .func (.param .b32 r) twice(.param .b32 a) {\n.reg .b32 %r<3>;\nld.param.b32 %r1, [a];\n"
		     "add.u32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n";
	struct module_log log = {0};
	enum wire_status error;
	const void *image;
	size_t n;
	struct linker *l = linker_create(75);
	assert_int_equal(linker_add(l, WIRE_LINK_PTX, caller, sizeof caller, "caller.ptx", &log), WIRE_OK);
	assert_int_equal(linker_complete(l, &image, &n, &log), WIRE_UNDEFINED_NAMES);
	assert_string_equal(text_str(&log.error), "error: 'twice' is used, but defined nowhere\n");
	assert_int_equal(linker_add(l, WIRE_LINK_PTX, HEAD "broken", 100, NULL, &log), WIRE_INVALID_PROGRAM);
	HAS(text_str(&log.error), "error: <unknown>:4:1:");
	assert_int_equal(linker_add(l, WIRE_LINK_CUBIN, "\177ELF", 4, "x.cubin", &log), WIRE_NO_BINARY);
	assert_int_equal(linker_add(l, WIRE_LINK_OBJECT, "\177ELF", 4, "x.o", &log), WIRE_NO_BINARY);
	HAS(text_str(&log.error), "error: x.o: there is no device code in it");
	assert_int_equal(linker_add(l, WIRE_LINK_FATBINARY, fatbin_speed, sizeof fatbin_speed, "one", &log), WIRE_OK);
	assert_int_equal(linker_add(l, WIRE_LINK_PTX, callee, sizeof callee, "", &log), WIRE_OK);
	assert_int_equal(linker_complete(l, &image, &n, &log), WIRE_OK);
	struct memory s = {{{0x1000, image, n}}, 1};
	struct fatbin_reader r = reader(&s);
	struct module *linked = module_open(m.ms, &r, 0x1000, &log, &error);
	assert_non_null(linked);
	uint32_t k, value;
	struct module_variable v;
	assert_int_equal(module_function(linked, "k", &k), WIRE_OK);
	launch(k);
	assert_int_equal(module_variable(linked, "out", &v), WIRE_OK);
	assert_true(gpu_read(gpu(), v.address, &value, 4));
	assert_int_equal(value, 42);
	assert_int_equal(module_function(linked, "_Z3onePi", &k), WIRE_OK);
	/* cut anywhere it is no image */
	for (size_t cut = 0; cut < n; cut += 13) {
		s.pieces[0].n = cut;
		struct module *none = module_open(m.ms, &r, 0x1000, NULL, &error);
		assert_null(none);
	}
	linker_destroy(l);
	module_log_free(&log);
}

/* Twice the same name: an error of the link, as nvlink has it. */
static void test_linked_twice(void **state)
{
	(void)state;
	static const char f[] = HEAD ".visible .func f() { ret; }\n";
	struct module_log log = {0};
	const void *image;
	size_t n;
	struct linker *l = linker_create(75);
	assert_int_equal(linker_add(l, WIRE_LINK_PTX, f, sizeof f, "a.ptx", &log), WIRE_OK);
	assert_int_equal(linker_add(l, WIRE_LINK_PTX, f, sizeof f, "b.ptx", &log), WIRE_OK);
	assert_int_equal(linker_complete(l, &image, &n, &log), WIRE_UNDEFINED_NAMES);
	HAS(text_str(&log.error), "'f' is already defined at a.ptx:4");
	linker_destroy(l);
	module_log_free(&log);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_registered), TEST(test_target),	  TEST(test_no_ptx),
					   TEST(test_units),	  TEST(test_twice),	  TEST(test_errors),
					   TEST(test_linked),	  TEST(test_linked_twice)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
