/* Debug information made by hand: types and places that compilers seldom write, and what makes no sense. The values are those of the bytes
 * of `data`; texts are gdb's. */
#include "test_debug_info.h"

#include <stdlib.h>
#include <time.h>

#include "debug/csource/cnames.h"

/* ---- what makes sense ---- */

static void numbers_and_structures(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t sint = base(&i, "int", 4, 5), single = base(&i, "float", 4, 4), letter = base(&i, "char", 1, 6);
	uint32_t letters = array(&i, letter, 4), s = structure(&i, STRUCT, "s", 20);
	member(&i, "a", sint, 0);
	member(&i, "b", sint, 8);
	member(&i, "c", single, 12);
	member(&i, "d", letters, 16);
	put(&i, 0, 1);
	variable(&i, "v", with_type(&i, TYPEDEF, "t", s));
	loaded(&f, &i);
	SAYS(&f, command_print, "v", "$1 = {a = 1, b = -1, c = 1, d = \"hi\\000\"}\n");
	SAYS(&f, command_print, "v.c + v.b", "$2 = 0\n");
	SAYS(&f, command_print, "&v.c", "$3 = (float *) 0x400000c\n");
	SAYS(&f, command_whatis, "v", "type = t\n");
	SAYS(&f, command_print, "v.e", "error: There is no member named e.");
	fixture_end(&f);
}

/* Bits 7 to 46 and 27 to 66 of the bytes: ones come from 64 to 95. */
static void bit_fields_over_bytes(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t wide = base(&i, "unsigned long", 8, 7), sint = base(&i, "int", 4, 5),
		 s = structure(&i, STRUCT, "s", 16);
	with_type(&i, BITS, "low", wide);
	put(&i, 40, 1);
	put(&i, 7, 1);
	with_type(&i, BITS, "across", wide);
	put(&i, 40, 1);
	put(&i, 27, 1);
	with_type(&i, BITS, "minus", sint);
	put(&i, 2, 1);
	put(&i, 70, 1);
	with_type(&i, BITS, "all", wide);
	put(&i, 64, 1);
	put(&i, 28, 1);
	put(&i, 0, 1);
	variable(&i, "v", s);
	loaded(&f, &i);
	/* the word at byte 4 is 2: bit 33; from bit 7 that is 2^26, from 27 2^6 and bits 64 to 66 2^37 to 2^39 */
	SAYS(&f, command_print, "v.low", "$1 = 67108864\n");
	SAYS(&f, command_print, "v.across == (1 << 6) + (7ul << 37)", "$2 = 1\n");
	SAYS(&f, command_print, "v.minus", "$3 = -1\n");
	SAYS(&f, command_print, "v.all == (1 << 5) + (0xffffffful << 36)", "$4 = 1\n");
	SAYS(&f, command_print, "v",
	     "$5 = {low = 67108864, across = 962072674368, minus = -1, all = 18446744004990074912}\n");
	fixture_end(&f);
}

static void enumerations(void **state)
{
	static const struct {
		const char *name;
		unsigned char value;
	} constants[] = {{"none", 0x7f}, {"one", 1}, {"two", 2}};
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t e = entry(&i, ENUM, "kind");
	put(&i, 4, 1);
	for (unsigned k = 0; k < 3; k++) {
		entry(&i, ENUMERATOR, constants[k].name);
		put(&i, constants[k].value, 1);
	}
	put(&i, 0, 1);
	variable(&i, "v", array(&i, e, 3));
	loaded(&f, &i);
	SAYS(&f, command_print, "v", "$1 = {one, two, none}\n"); /* 0x7f as sdata is -1 */
	SAYS(&f, command_print, "two + 1", "$2 = 3\n");
	SAYS(&f, command_print, "(enum kind)7", "$3 = 7\n");
	SAYS(&f, command_ptype, "v[0]", "type = enum kind {none = -1, one = 1, two}\n");
	fixture_end(&f);
}

/* ---- what makes none ---- */

static void types_that_are_parts_of_themselves(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t a = with_type(&i, TYPEDEF, "a", 0), b = with_type(&i, TYPEDEF, "b", a);
	patch(&i, a + 3, b);
	uint32_t s = structure(&i, STRUCT, "s", 8);
	member(&i, "again", s, 0);
	put(&i, 0, 1);
	uint32_t p = with_type(&i, POINTER, NULL, 0), r = with_type(&i, REFERENCE, NULL, 0);
	patch(&i, p + 1, p);
	patch(&i, r + 1, r);
	uint32_t own = array(&i, 0, 3);
	patch(&i, own + 1, own);
	variable(&i, "va", a);
	variable(&i, "vs", s);
	variable(&i, "vp", p);
	variable(&i, "vr", r);
	variable(&i, "vo", own);
	loaded(&f, &i);
	SAYS(&f, command_print, "va", "$1 = <malformed type>\n");
	HAS(says(&f, command_print, "vs"), "<malformed type>");
	HAS(says(&f, command_print, "vp"), "0x200000001");
	HAS(says(&f, command_ptype, "vp"), "...");
	HAS(says(&f, command_ptype, "*vp"), "...");
	says(&f, command_print, "vr");
	says(&f, command_print, "vr + 1");
	says(&f, command_ptype, "vr");
	says(&f, command_print, "vo");
	says(&f, command_print, "vo[1]");
	fixture_end(&f);
}

static void enumerations_of_odd_sizes(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	entry(&i, ENUM, "odd");
	put(&i, 200, 1);
	entry(&i, ENUMERATOR, "five");
	put(&i, 5, 1);
	put(&i, 0, 1);
	entry(&i, ENUM, "wide");
	put(&i, 16, 1);
	entry(&i, ENUMERATOR, "six");
	put(&i, 6, 1);
	put(&i, 0, 1);
	loaded(&f, &i);
	SAYS(&f, command_print, "five", "$1 = 5\n");
	SAYS(&f, command_print, "six == 6", "$2 = 1\n");
	says(&f, command_print, "six");
	fixture_end(&f);
}

static void constants_without_names(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t e = entry(&i, ENUM, "flags");
	put(&i, 4, 1);
	entry(&i, ENUMERATOR, "one");
	put(&i, 1, 1);
	entry(&i, UNNAMED_CONSTANT, NULL);
	put(&i, 2, 1);
	put(&i, 0, 1);
	variable(&i, "v", e);
	loaded(&f, &i);
	SAYS(&f, command_print, "(enum flags)3", "$1 = (one | unknown: 0x2)\n");
	fixture_end(&f);
}

/* `set print repeats 0`: nothing is compared with what follows it, which takes time with the square of the length. */
static void repeats_without_end(void **state)
{
	struct fixture f;
	struct info i = begin();
	struct text more = {0};
	clock_t from;
	(void)state;
	variable(&i, "v", array(&i, base(&i, "char", 1, 6), 1u << 20));
	variable(&i, "w", array(&i, base(&i, "int", 4, 5), 1u << 18));
	end(&i);
	load_with(&f,
		  ".version 8.3\n.target sm_80\n.address_size 64\n.global .align 8 .b8 data[1048576];\n"
		  ".visible .entry kernel()\n{\n\tret;\n}\n",
		  i.t.s, i.t.n, text_str(&more));
	text_free(&i.t);
	debug_settings(f.d)->print_repeats = 0;
	debug_settings(f.d)->print_elements = 0;
	from = clock();
	assert_int_equal(strlen(says(&f, command_output, "v")), 2 + 4 * ((1 << 20) - 1)); /* "\000..." without the last */
	assert_int_equal(strlen(says(&f, command_output, "w")), 3 * (1 << 18));
	assert_true(clock() - from < 5 * CLOCKS_PER_SEC);
	fixture_end(&f);
}

/* What comes before the types it is made of, and goes round in circles. */
static void arrays_of_references(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t many = array(&i, 0, 3), r = with_type(&i, REFERENCE, NULL, 0), t = with_type(&i, TYPEDEF, "t", 0);
	patch(&i, many + 1, r);
	patch(&i, r + 1, t);
	patch(&i, t + 3, t);
	variable(&i, "v", many);
	loaded(&f, &i);
	HAS(says(&f, command_print, "v"), "<malformed type>");
	fixture_end(&f);
}

/* Bits of a value in the history that are said to be in front of it. */
static void bits_in_front(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t s = structure(&i, STRUCT, "s", 8);
	uint32_t sint = (uint32_t)i.t.n + 1 + 4 + 4 + 8 + 1 + 1; /* behind the member and the end of the structure */
	with_type(&i, FAR_BITS, "far", sint);
	put(&i, UINT64_C(0) - 4, 8);
	put(&i, 32, 1);
	put(&i, 0, 1);
	assert_int_equal(base(&i, "int", 4, 5), sint);
	variable(&i, "v", s);
	loaded(&f, &i);
	says(&f, command_print, "v");
	HAS(says(&f, command_print, "$1.far"), "error: ");
	fixture_end(&f);
}

/* `v` is 1 with this debug information, of which no more than `bytes` are kept: what is shared is kept once. */
static void assert_v_takes_less(struct info *i, struct text *more, size_t bytes)
{
	struct fixture f;
	end(i);
	load(&f, i->t.s, i->t.n, text_str(more));
	SAYS(&f, command_print, "v", "$1 = 1\n");
	assert_true(cnames_pool(f.d)->total < bytes);
	text_free(&i->t);
	text_free(more);
	fixture_end(&f);
}

/* A thousand variables with one list of a thousand places: no more is kept than is in proportion to the data. */
static void lists_that_are_shared(void **state)
{
	struct info i = begin();
	struct text more = {0};
	(void)state;
	uint32_t sint = base(&i, "int", 4, 5);
	for (unsigned k = 0; k < 1000; k++) {
		with_type(&i, LISTED, "v", sint);
		put(&i, 0, 4);
		text_add(&more, k ? "" : ".section .debug_loc\n{\n");
		text_add(&more, ".b64 kernel\n.b64 kernel+8\n.b16 2\n.b8 49, 159\n"); /* lit1, stack_value */
	}
	text_add(&more, ".b64 0, 0\n}\n");
	assert_v_takes_less(&i, &more, 8u << 20);
}

/* A thousand types with one name of 16 KB. */
static void names_that_are_shared(void **state)
{
	struct info i = begin();
	struct text more = {0};
	(void)state;
	uint32_t sint = base(&i, "int", 4, 5);
	for (unsigned k = 0; k < 1000; k++) {
		entry(&i, SHARED_NAME, NULL);
		put(&i, 0, 4);
		put(&i, sint, 4);
	}
	variable(&i, "v", sint);
	text_add(&more, ".section .debug_str\n{\n.b8 65");
	for (unsigned k = 1; k < 16000; k++)
		text_add(&more, ", 65");
	text_add(&more, ", 0\n}\n");
	assert_v_takes_less(&i, &more, 1u << 20);
}

/* Thousands of variables with one list, of ten places of 60,000 operations that do nothing. */
static void long_places_that_are_shared(void **state)
{
	struct info i = begin();
	struct text more = {0};
	clock_t from = clock();
	(void)state;
	uint32_t sint = base(&i, "int", 4, 5);
	variable(&i, "v", sint);
	for (unsigned k = 0; k < 8000; k++) {
		with_type(&i, LISTED, "w", sint);
		put(&i, 0, 4);
	}
	text_add(&more, ".section .debug_loc\n{");
	for (unsigned k = 0; k < 10 * 60000; k++)
		text_add(&more, k % 60000 ? ",150" : "\n.b64 kernel\n.b64 kernel+8\n.b16 60000\n.b8 49");
	text_add(&more, "\n.b64 0, 0\n}\n");
	assert_v_takes_less(&i, &more, 16u << 20);
	assert_true(clock() - from < 2 * CLOCKS_PER_SEC);
}

/* Ten thousand constants with one mangled name of 4000 characters. */
static void mangled_names_that_are_shared(void **state)
{
	struct info i = begin();
	struct text more = {0};
	clock_t from = clock();
	(void)state;
	variable(&i, "v", base(&i, "int", 4, 5));
	entry(&i, ENUM, "e");
	put(&i, 4, 1);
	for (unsigned k = 0; k < 10000; k++) {
		entry(&i, SHARED_CONSTANT, NULL);
		put(&i, 0, 4);
		put(&i, 1, 1);
	}
	put(&i, 0, 1);
	text_add(&more, ".section .debug_str\n{\n.b8 95,90,78,51,57,57,48"); /* _ZN3990aa...a1bE */
	for (unsigned k = 0; k < 3990; k++)
		text_add(&more, ",97");
	text_add(&more, ",49,98,69,0\n}\n");
	assert_v_takes_less(&i, &more, 16u << 20);
	assert_true(clock() - from < 5 * CLOCKS_PER_SEC);
}

/* As many abbreviations as entries, and all entries have the last one. */
static void abbreviations_by_the_thousand(void **state)
{
	struct fixture f;
	struct info i = begin();
	struct text more = {0};
	clock_t from = clock();
	(void)state;
	patch(&i, 6, sizeof abbrevs); /* the table */
	text_add(&more, ".section .debug_abbrev\n{\n.b8 1, 17, 1, 0, 0\n");
	for (unsigned k = 0; k < 30000; k++) {
		unsigned code = 40000 + k;
		text_addf(&more, ".b8 %u, %u, %u, 10, 0, 0, 0\n", (code & 127) | 128, (code >> 7 & 127) | 128,
			  code >> 14);
		put(&i, ((69999 & 127) | 128) | ((69999 >> 7 & 127) | 128) << 8 | 69999 >> 14 << 16, 3);
	}
	text_add(&more, ".b8 0\n}\n");
	end(&i);
	load(&f, i.t.s, i.t.n, text_str(&more));
	HAS(says(&f, command_print, "v"), "No symbol \"v\" in current context.");
	assert_true(clock() - from < 5 * CLOCKS_PER_SEC);
	text_free(&i.t);
	text_free(&more);
	fixture_end(&f);
}

static void sizes_that_cannot_be(void **state)
{
	struct fixture f;
	struct info i = begin();
	(void)state;
	uint32_t sint = base(&i, "int", 4, 5), odd = base(&i, "odd", 3, 5), large = base(&i, "large", 200, 4);
	uint32_t s = structure(&i, STRUCT, "s", 8);
	member(&i, "in", sint, 4);
	member(&i, "half", sint, 6);
	member(&i, "out", sint, 200);
	put(&i, 0, 1);
	variable(&i, "many", array(&i, sint, UINT64_C(1) << 61));
	variable(&i, "vs", s);
	variable(&i, "vodd", odd);
	variable(&i, "vlarge", large);
	variable(&i, "huge", structure(&i, UNION, "u", UINT32_MAX));
	put(&i, 0, 1);
	variable(&i, "nothing", array(&i, 0, 5));
	loaded(&f, &i);
	SAYS(&f, command_print, "vs",
	     "$1 = {in = 2, half = <error: outside of the structure>, out = <error: outside of the structure>}\n");
	SAYS(&f, command_print, "vs.in", "$2 = 2\n");
	SAYS(&f, command_print, "vodd", "$3 = 0x000001\n");
	says(&f, command_print, "many");
	says(&f, command_print, "many[1]");
	says(&f, command_print, "sizeof(many)");
	HAS(says(&f, command_print, "huge"), "error: ");
	says(&f, command_print, "vlarge");
	says(&f, command_print, "nothing");
	says(&f, command_ptype, "many");
	fixture_end(&f);
}

/* Thirty structures, each with the next one twice in the same place: 2^30 of the innermost. */
static void structures_within_structures(void **state)
{
	struct fixture f;
	struct info i = begin();
	clock_t from = clock();
	(void)state;
	uint32_t inner = base(&i, "int", 4, 5);
	for (unsigned k = 0; k < 30; k++) {
		uint32_t s = structure(&i, UNION, "", 4);
		member(&i, "", inner, 0);
		member(&i, "", inner, 0);
		put(&i, 0, 1);
		inner = s;
	}
	variable(&i, "v", inner);
	loaded(&f, &i);
	says(&f, command_print, "v");
	says(&f, command_print, "v.nosuch");
	says(&f, command_ptype, "v");
	assert_true((double)(clock() - from) / CLOCKS_PER_SEC < 5);
	fixture_end(&f);
}

static void look(struct fixture *f)
{
	static const char *const expressions[] = {"v", "&v", "v.a", "*v", "v[1]", "sizeof(v)", "v + 1"};
	for (size_t k = 0; k < sizeof expressions / sizeof *expressions; k++) {
		says(f, command_print, expressions[k]);
		says(f, command_ptype, expressions[k]);
	}
}

static struct info sample(void)
{
	struct info i = begin();
	uint32_t sint = base(&i, "int", 4, 5), s = structure(&i, STRUCT, "s", 16);
	member(&i, "a", sint, 0);
	member(&i, "b", array(&i, sint, 3), 4);
	put(&i, 0, 1);
	variable(&i, "v", with_type(&i, TYPEDEF, "t", s));
	end(&i);
	return i;
}

/* Every beginning of it, with the length of the whole and with its own; and every byte as another one. */
static void every_part_of_it(void **state)
{
	struct info i = sample();
	struct fixture f;
	(void)state;
	for (size_t n = 1; n <= i.t.n; n++)
		for (unsigned own = 0; own < 2; own++) {
			char *copy = malloc(i.t.n);
			uint32_t length = (uint32_t)n - 4;
			assert_non_null(copy);
			memcpy(copy, i.t.s, i.t.n);
			if (own && n >= 4)
				memcpy(copy, &length, 4);
			load(&f, copy, n, "");
			look(&f);
			fixture_end(&f);
			free(copy);
		}
	static const unsigned char others[] = {0, 1, 0x7f, 0x80, 0xff};
	for (size_t n = 0; n < i.t.n; n++)
		for (unsigned k = 0; k < sizeof others; k++) {
			char was = i.t.s[n];
			i.t.s[n] = (char)others[k];
			load(&f, i.t.s, i.t.n, "");
			look(&f);
			fixture_end(&f);
			i.t.s[n] = was;
		}
	load(&f, i.t.s, i.t.n, ""); /* and unharmed */
	SAYS(&f, command_print, "v.b[1]", "$1 = -1\n");
	fixture_end(&f);
	text_free(&i.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_structures),
		cmocka_unit_test(bit_fields_over_bytes),
		cmocka_unit_test(enumerations),
		cmocka_unit_test(types_that_are_parts_of_themselves),
		cmocka_unit_test(sizes_that_cannot_be),
		cmocka_unit_test(structures_within_structures),
		cmocka_unit_test(enumerations_of_odd_sizes),
		cmocka_unit_test(arrays_of_references),
		cmocka_unit_test(bits_in_front),
		cmocka_unit_test(lists_that_are_shared),
		cmocka_unit_test(abbreviations_by_the_thousand),
		cmocka_unit_test(names_that_are_shared),
		cmocka_unit_test(long_places_that_are_shared),
		cmocka_unit_test(mangled_names_that_are_shared),
		cmocka_unit_test(constants_without_names),
		cmocka_unit_test(repeats_without_end),
		cmocka_unit_test(every_part_of_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
