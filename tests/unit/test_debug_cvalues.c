/* Values of the source's variables: what expressions make of places, references and sizes that compilers seldom write or never. Values are
 * those of the bytes in memory; what is said of them is what gdb says of a program for the CPU. */
#include "test_debug_info.h"

#include <time.h>

#include "debug/csource/cnames.h"

static const char code[] = ".version 8.3\n.target sm_80\n.address_size 64\n"
			   ".global .align 8 .b32 data[4] = {77, 88, 5, 0};\n"
			   ".global .align 8 .u64 places[3] = {1, generic(data), 9};\n"
			   ".visible .entry kernel()\n{\n\t.reg .b64 %p;\n\tmov.u64 %p, places;\n\tret;\n}\n";

#define REGX 0x90
#define BREGX 0x92
#define DEREF 0x06
#define REGISTER_P 0xf0, 0x4a /* "%p" as a number: 0x2570 */

static void placed(struct info *i, const char *called, uint32_t type, const unsigned char *e, unsigned n)
{
	with_type(i, PLACED, called, type);
	put(i, n, 1);
	text_addn(&i->t, (const char *)e, n);
}

#define PLACE(i, called, type, ...) \
	placed(i, called, type, (const unsigned char[]){__VA_ARGS__}, sizeof(const unsigned char[]){__VA_ARGS__})

static void function(struct info *i)
{
	entry(i, FUNCTION, "kernel");
	text_addc(&i->t, CODE_MARK);
	put(i, 0, 7);
	put(i, 16, 1);
}

/* The register holds the address of `places`, behind whose first element that of `data` is. */
static void places_at_registers(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t wide = base(&i, "long", 8, 5), sint = base(&i, "int", 4, 5), r = with_type(&i, REFERENCE, NULL, sint),
		 p = with_type(&i, POINTER, NULL, sint), s = structure(&i, STRUCT, "s", 24);
	member(&i, "to", r, 8);
	member(&i, "last", wide, 16);
	put(&i, 0, 1);
	uint32_t at = with_type(&i, POINTER, NULL, s);
	function(&i);
	PLACE(&i, "first", wide, BREGX, REGISTER_P, 0);
	PLACE(&i, "last", wide, BREGX, REGISTER_P, 16);
	PLACE(&i, "far", sint, BREGX, REGISTER_P, 8, DEREF);
	PLACE(&i, "here", wide, REGX, REGISTER_P, DEREF);
	PLACE(&i, "object", s, BREGX, REGISTER_P, 0);
	PLACE(&i, "pointer", at, REGX, REGISTER_P);
	PLACE(&i, "nowhere", p, 0xff);
	PLACE(&i, "lost", at, 0xff);
	put(&i, 0, 1);
	loaded_with(&f, code, &i);
	runs(&f, command_launch_kernel, "kernel<<<1,1>>>()");
	runs(&f, command_stepi, "1");
	SAYS(&f, command_print, "first", "$1 = 1\n");
	SAYS(&f, command_print, "last", "$2 = 9\n");
	SAYS(&f, command_print, "here", "$3 = 1\n");
	SAYS(&f, command_print, "far", "$4 = 77\n");
	HAS(says(&f, command_print, "object"), "last = 9}");
	HAS(says(&f, command_print, "$.to"), ": 77\n"); /* a reference in a copy of what it is in */
	HAS(says(&f, command_print, "pointer->to"), ": 77\n");
	SAYS(&f, command_print, "$.to + 1",
	     "error: Attempt to extract a component of a value that is not a structure.");
	SAYS(&f, command_print, "*nowhere", "error: value has been optimized out");
	SAYS(&f, command_print, "nowhere[1]", "error: value has been optimized out");
	SAYS(&f, command_print, "lost->last", "error: value has been optimized out");
	SAYS(&f, command_whatis, "lost->last", "type = long\n");
	fixture_end(&f);
}

/* Nothing is done for the sake of a type. */
static void types_without_effects(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t sint = base(&i, "int", 4, 5);
	variable(&i, "v", array(&i, sint, 4));
	loaded_with(&f, code, &i);
	SAYS(&f, command_whatis, "v[0] = 5", "type = int\n");
	SAYS(&f, command_ptype, "v[0]++", "type = int\n");
	SAYS(&f, command_print, "sizeof(--v[0])", "$1 = 4\n");
	SAYS(&f, command_whatis, "v[0] += v[1]", "type = int\n");
	SAYS(&f, command_print, "v[0]", "$2 = 77\n");
	says(&f, command_whatis, "$a = 3");
	SAYS(&f, command_print, "$a", "$3 = void\n");
	SAYS(&f, command_print, "sizeof(v[1] / v[3])", "$4 = 4\n");
	SAYS(&f, command_print, "v[1] / v[3]", "error: Division by zero");
	SAYS(&f, command_print, "v[0] = 6", "$5 = 6\n");
	fixture_end(&f);
}

/* 2^64-1 bytes are -1 to a division: INT64_MIN / -1 is no number. */
static void differences_of_large_steps(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	entry(&i, WIDE_STRUCT, "huge");
	put(&i, UINT64_MAX, 8);
	uint32_t sint = base(&i, "int", 4, 5);
	variable(&i, "v", array(&i, sint, 4));
	loaded(&f, &i);
	HAS(says(&f, command_print, "(struct huge *)0x8000000000000000 - (struct huge *)0"), "error: ");
	SAYS(&f, command_print, "&v[3] - &v[1]", "$1 = 2\n");
	fixture_end(&f);
}

/* The type of a slice is made once, however often it is asked for. */
static void slices_over_and_over(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	variable(&i, "v", array(&i, base(&i, "int", 4, 5), 8));
	loaded(&f, &i);
	SAYS(&f, command_print, "v[0]@2", "$1 = {1, 2}\n");
	SAYS(&f, command_print, "v[1..3]", "$2 = {2, -1, 1065353216}\n");
	size_t bytes = cnames_pool(f.d)->total;
	for (unsigned k = 0; k < 5000; k++) {
		says(&f, command_output, "v[0]@2");
		says(&f, command_output, "v[1..3]");
	}
	assert_int_equal(cnames_pool(f.d)->total, bytes);
	fixture_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_at_registers),
		cmocka_unit_test(types_without_effects),
		cmocka_unit_test(differences_of_large_steps),
		cmocka_unit_test(slices_over_and_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
