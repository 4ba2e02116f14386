/* Fat binaries: what nvcc wrote, what nobody should believe, and which PTX is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/cuda/fatbin.h"
#include "fatbin_fixtures.h"

#define WITH(bytes) bytes, sizeof bytes

/* Opens one; `b` keeps the bytes for the reader. */
static bool open_fatbin(struct fatbin *f, struct fatbin_bytes *b, const void *bytes, size_t n, struct text *why)
{
	*f = (struct fatbin){0};
	*b = (struct fatbin_bytes){bytes, n};
	struct fatbin_reader r = fatbin_reader_of(b);
	return fatbin_add(f, &r, 0, 0, why);
}

/* The text of its first PTX. */
static char *text_of(const void *bytes, size_t n_bytes, enum fatbin_packing packing)
{
	struct fatbin f;
	struct fatbin_bytes b;
	struct text why = {0};
	size_t n;
	assert_true(open_fatbin(&f, &b, bytes, n_bytes, &why));
	assert_int_equal(f.n, 1);
	assert_int_equal(f.entries[0].kind, FATBIN_PTX);
	assert_int_equal(f.entries[0].packing, packing);
	assert_int_equal(f.entries[0].sm, 75);
	assert_int_equal(f.entries[0].major, 9);
	struct fatbin_reader r = fatbin_reader_of(&b);
	char *text = fatbin_unpack(&f.entries[0], &r, &n, &why);
	assert_non_null(text);
	assert_int_equal(strlen(text), n);
	fatbin_free(&f);
	return text;
}

/* The same source: three ways to store it, one text. Its lines are those that `nvcc -ptx` writes, without comments. */
static void test_packings(void **state)
{
	(void)state;
	char *stored = text_of(WITH(fatbin_none), FATBIN_STORED), *lz4 = text_of(WITH(fatbin_speed), FATBIN_LZ4),
	     *zstd = text_of(WITH(fatbin_size), FATBIN_ZSTD);
	assert_string_equal(stored, lz4);
	assert_string_equal(stored, zstd);
	assert_non_null(strstr(stored, ".version 9.0\n.target sm_75\n.address_size 64\n"));
	assert_non_null(strstr(stored, ".visible .entry _Z3onePi(\n"));
	assert_non_null(strstr(stored, "st.global"));
	free(stored);
	free(lz4);
	free(zstd);
}

static void test_names(void **state)
{
	(void)state;
	struct fatbin f;
	struct fatbin_bytes b;
	struct text why = {0};
	assert_true(open_fatbin(&f, &b, WITH(fatbin_many), &why));
	assert_int_equal(f.n, 5);
	assert_string_equal(f.entries[0].name, "k.cu");
	assert_non_null(strstr(f.entries[0].options, "-O2"));
	assert_non_null(strstr(f.entries[0].options, "--generate-line-info"));
	assert_int_equal(f.entries[2].suffix, 'a');
	assert_int_equal(f.entries[3].suffix, 'f');
	assert_int_equal(f.entries[4].suffix, 0);
	fatbin_free(&f);
}

/* sm_75, sm_86, sm_90a, sm_100f and sm_120 are there. "a": that device alone; "f": later ones of its family, too (nvcc's manual). */
static void test_choice(void **state)
{
	(void)state;
	static const struct {
		uint32_t device, sm;
		bool exceeds;
	} want[] = {{20, 75, true},   {75, 75, false},	 {80, 75, false},   {86, 86, false},
		    {89, 86, false},  {90, 90, false},	 {100, 100, false}, {103, 100, false},
		    {110, 86, false}, {120, 120, false}, {121, 120, false}};
	struct fatbin f;
	struct fatbin_bytes b;
	struct text why = {0};
	bool exceeds;
	assert_true(open_fatbin(&f, &b, WITH(fatbin_many), &why));
	assert_int_equal(fatbin_highest(&f, 0), 120);
	for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
		const struct fatbin_entry *e = fatbin_choose(&f, 0, want[k].device, &exceeds);
		assert_non_null(e);
		assert_int_equal(e->sm, want[k].sm);
		assert_int_equal(exceeds, want[k].exceeds);
	}
	assert_null(fatbin_choose(&f, 1, 75, &exceeds));
	/* nothing but another device's own: better than nothing, for a simulator */
	f.entries[0] = f.entries[2];
	f.n = 1;
	assert_int_equal(fatbin_choose(&f, 0, 100, &exceeds)->sm, 90);
	assert_true(exceeds);
	fatbin_free(&f);
}

static void test_sass_only(void **state)
{
	(void)state;
	struct fatbin f;
	struct fatbin_bytes b;
	struct text why = {0}, names = {0};
	bool exceeds;
	size_t n;
	assert_true(open_fatbin(&f, &b, WITH(fatbin_sass), &why));
	assert_int_equal(fatbin_highest(&f, 0), 0);
	assert_null(fatbin_choose(&f, 0, 75, &exceeds));
	assert_int_equal(f.entries[0].kind, FATBIN_ELF);
	struct fatbin_reader r = fatbin_reader_of(&b);
	char *elf = fatbin_unpack(&f.entries[0], &r, &n, &why);
	assert_non_null(elf);
	assert_int_equal(fatbin_cubin_kernels(elf, n, &names), 1);
	assert_string_equal(text_str(&names), "_Z3onePi\n");
	/* none of its bytes are believed: cut anywhere, and any header byte changed */
	for (size_t k = 0; k < n; k += 7) {
		text_clear(&names);
		fatbin_cubin_kernels(elf, k, &names);
	}
	for (size_t k = 0; k < 64; k++) {
		char was = elf[k];
		elf[k] = (char)0xff;
		text_clear(&names);
		fatbin_cubin_kernels(elf, n, &names);
		elf[k] = was;
	}
	free(elf);
	text_free(&names);
	fatbin_free(&f);
}

/* ---- through a program's memory ---- */

/* A wrapper at 0x1000 whose list at 0x1100 names two fat binaries: as -rdc=true makes them. */
struct program {
	uint64_t wrapper[3], list[3];
};

static size_t read_program(void *self, uint64_t address, void *dst, size_t n)
{
	struct program *p = self;
	const struct {
		uint64_t at;
		const void *bytes;
		size_t n;
	} parts[] = {{0x1000, p->wrapper, sizeof p->wrapper},
		     {0x1100, p->list, sizeof p->list},
		     {0x2000, WITH(fatbin_none)},
		     {0x3000, WITH(fatbin_many)}};
	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
		if (address >= parts[k].at && address - parts[k].at < parts[k].n) {
			size_t left = parts[k].n - (size_t)(address - parts[k].at), got = n < left ? n : left;
			memcpy(dst, (const char *)parts[k].bytes + (address - parts[k].at), got);
			return got;
		}
	return 0;
}

static void test_wrapper(void **state)
{
	(void)state;
	struct program p = {{FATBIN_WRAPPER_MAGIC | UINT64_C(1) << 32, 0x2000, 0}, {0x2000, 0x3000, 0}};
	struct fatbin_reader r = {.read = read_program, .self = &p};
	struct fatbin f = {0};
	struct text why = {0};
	uint32_t units;
	bool exceeds;
	assert_true(fatbin_add_wrapped(&f, &r, 0x1000, &units, &why));
	assert_int_equal(units, 1);
	assert_int_equal(f.n, 1);
	fatbin_free(&f);
	p.wrapper[0] = FATBIN_WRAPPER_MAGIC | UINT64_C(2) << 32;
	p.wrapper[2] = 0x1100;
	assert_true(fatbin_add_wrapped(&f, &r, 0x1000, &units, &why));
	assert_int_equal(units, 2);
	assert_int_equal(f.n, 6);
	assert_int_equal(fatbin_choose(&f, 0, 86, &exceeds)->sm, 75);
	assert_int_equal(fatbin_choose(&f, 1, 86, &exceeds)->sm, 86);
	fatbin_free(&f);
	p.list[1] = 0x4000; /* nothing is there */
	assert_false(fatbin_add_wrapped(&f, &r, 0x1000, &units, &why));
	assert_string_equal(text_str(&why), "the fat binary can't be read");
	fatbin_free(&f);
	p.wrapper[2] = 0x5000;
	text_clear(&why);
	assert_false(fatbin_add_wrapped(&f, &r, 0x1000, &units, &why));
	assert_string_equal(text_str(&why), "the list of fat binaries can't be read");
	text_clear(&why);
	assert_false(fatbin_add_wrapped(&f, &r, 0x1100, &units, &why));
	assert_string_equal(text_str(&why), "this is no fat binary's wrapper");
	text_free(&why);
	fatbin_free(&f);
}

/* ---- damaged ones ---- */

static void expect_refusal(const uint8_t *bytes, size_t n, const char *message)
{
	struct fatbin f;
	struct fatbin_bytes b;
	struct text why = {0};
	bool ok = open_fatbin(&f, &b, bytes, n, &why);
	struct fatbin_reader r = fatbin_reader_of(&b);
	size_t n_text;
	char *text = ok && f.n ? fatbin_unpack(&f.entries[0], &r, &n_text, &why) : NULL;
	assert_null(text);
	assert_string_equal(text_str(&why), message);
	text_free(&why);
	fatbin_free(&f);
}

static void test_damaged(void **state)
{
	(void)state;
	enum { ENTRY = 16 };
	uint8_t c[sizeof fatbin_size];
	memcpy(c, fatbin_size, sizeof c);
	expect_refusal(c, 8, "the fat binary can't be read");
	expect_refusal(c, 40, "the fat binary ends inside an entry's header");
	expect_refusal(c, sizeof c - 20, "the fat binary ends inside an entry");
	c[ENTRY + 8] = 0xff; /* larger than what holds it */
	c[ENTRY + 9] = 0xff;
	expect_refusal(c, sizeof c, "an entry of the fat binary is larger than the fat binary");
	memcpy(c, fatbin_size, sizeof c);
	c[ENTRY + 0x13] = 0x7f; /* compressed size */
	expect_refusal(c, sizeof c, "an entry of the fat binary is larger than its place");
	memcpy(c, fatbin_size, sizeof c);
	c[ENTRY + 0x3f] = 0x7f; /* unpacked size */
	expect_refusal(c, sizeof c,
		       "an entry of the fat binary has 9151314442816848146 bytes; at most 1073741824 can be read");
	memcpy(c, fatbin_size, sizeof c);
	c[ENTRY + 0x39] += 1; /* not what the frame says */
	expect_refusal(c, sizeof c, "the compressed data of the fat binary is damaged");
	memcpy(c, fatbin_size, sizeof c);
	c[ENTRY + 0x29] = 0; /* neither of the two ways */
	expect_refusal(
		c, sizeof c,
		"the fat binary is compressed in a way that is not known here (`nvcc --compress-mode=none` stores it)");
	memcpy(c, fatbin_size, sizeof c);
	c[0] = 0;
	expect_refusal(c, sizeof c, "this is no fat binary");
}

/* An entry of zero bytes in front of others, a header that says it is huge: an end comes. */
static void test_no_end(void **state)
{
	(void)state;
	uint8_t c[16 + 0x40] = {0};
	memcpy(c, fatbin_size, 16);
	memset(c + 8, 0xff, 8);
	expect_refusal(c, sizeof c, "the fat binary's size can't be");
	c[15] = 0x7f;
	expect_refusal(c, sizeof c, "an entry of the fat binary is larger than the fat binary"); /* header of 0 bytes */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_packings), cmocka_unit_test(test_names),
					   cmocka_unit_test(test_choice),   cmocka_unit_test(test_sass_only),
					   cmocka_unit_test(test_wrapper),  cmocka_unit_test(test_damaged),
					   cmocka_unit_test(test_no_end)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
