/* Front ends: which one a text is for, what loading says of a text for none, and that names and instructions are shown by the front end that has loaded them. */
#include "test_debug_fixture.h"

#include "command/info.h"
#include "isa/frontend.h"
#include "isa/program.h"

#define PTX ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n\tmov.u32 %r1, 5; ret;\n}\n"

static void test_choice(void **state)
{
	(void)state;
	const struct isa_frontend *ptx = frontend_of("x.ptx", PTX, strlen(PTX));
	assert_non_null(ptx);
	assert_string_equal(ptx->name, "PTX");
	assert_null(frontend_of("x.ptx", "", 0));
	assert_null(frontend_of("x.ptx", "__global__ void k() {}\n", 23));
	assert_null(frontend_of("x.ptx", ".versio", 7));
}

/* Loads a text and returns the first error. */
static const char *refusal(const char *text, size_t n)
{
	static char message[300];
	struct isa_program p;
	struct diag_list diags = {0};
	isa_program_init(&p);
	assert_false(frontend_load_text(&p, 0, "a file", text, n, &diags));
	assert_int_equal(p.n_files, 0);
	assert_true(diags.n > 0);
	snprintf(message, sizeof message, "%s", diags.v[0].message);
	diag_list_free(&diags);
	isa_program_free(&p);
	return message;
}

static void test_refusals(void **state)
{
	static const char elf[] = "\177ELF with a .version";
	(void)state;
	HAS(refusal(elf, sizeof elf - 1), "this is an ELF file, no PTX;");
	HAS(refusal("__global__ void k() {}\n", 23), "this is CUDA C++, no PTX; `nvcc -ptx -lineinfo` makes PTX of it");
	HAS(refusal("-gpgpu_n_mem 2\n", 15), "");	  /* the first row says what is wrong */
	HAS(refusal("// .version 8.0 only\n", 21), ""); /* recognized, and wrong */
}

static void list_other(const struct isa_program *p, uint32_t insn, struct text *out)
{
	(void)p;
	text_addf(out, "instruction %u of another language", insn);
}

/* Another language's text: its name and its way to write instructions come from its row. */
static void test_names_and_lines(void **state)
{
	static const struct isa_frontend other = {.name = "OTHER", .list = list_other};
	struct fixture f;
	struct text line = {0};
	(void)state;
	fixture_begin(&f, "k.ptx", PTX);
	HAS(says(&f, info_source, ""), "PTX   k.ptx, 9 lines\n");
	debug_insn_text(f.d, 0, &line);
	assert_string_equal(text_str(&line), "mov.u32 %r1, 5;");
	gpu_program(debug_gpu(f.d))->files[0].frontend = &other;
	HAS(says(&f, info_source, ""), "OTHER  k.ptx, 9 lines\n");
	text_clear(&line);
	debug_insn_text(f.d, 1, &line);
	assert_string_equal(text_str(&line), "instruction 1 of another language");
	text_free(&line);
	fixture_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_choice), cmocka_unit_test(test_refusals),
					   cmocka_unit_test(test_names_and_lines)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
