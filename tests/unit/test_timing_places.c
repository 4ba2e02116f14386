/* Module variables at GPGPU-Sim's addresses: one counter from 0x100 for .global and .const in source order; each at a multiple of its
 * size if that is a power of two below 128, else of 128. Worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "timing/core/places.h"

#define GLOBAL(at) (ISA_MODULE_GLOBALS + (at))
#define CONST(at) (ISA_CONST_WINDOW + (at))

static struct isa_variable variable(enum isa_space space, uint64_t address, uint64_t bytes)
{
	return (struct isa_variable){.space = (uint8_t)space, .address = address, .bytes = bytes};
}

/* The first byte of each variable of the program. */
static void places(struct isa_variable *v, uint32_t n, struct timing_places *out)
{
	struct isa_variable *list[16];
	assert_true(n <= 16);
	for (uint32_t k = 0; k < n; k++)
		list[k] = &v[k];
	const struct isa_program p = {.variables = list, .n_variables = n};
	timing_places_update(out, &p);
}

static void one_counter_for_both_spaces(void **state)
{
	(void)state;
	struct timing_places t = {0};
	struct isa_variable v[] = {
		variable(ISA_SPACE_GLOBAL, GLOBAL(0), 4),     /* 0x100 */
		variable(ISA_SPACE_CONST, 0, 8),	      /* 0x108: multiple of 8 behind 0x104 */
		variable(ISA_SPACE_GLOBAL, GLOBAL(4), 1),     /* 0x110 */
		variable(ISA_SPACE_CONST, 8, 12),	      /* no power of two: 0x180 */
		variable(ISA_SPACE_GLOBAL, GLOBAL(8), 2),     /* 0x18c */
		variable(ISA_SPACE_GLOBAL, GLOBAL(64), 64),   /* 0x1c0 */
		variable(ISA_SPACE_GLOBAL, GLOBAL(128), 128), /* 0x200 */
		variable(ISA_SPACE_GLOBAL, GLOBAL(256), 400), /* 0x280 .. 0x410 */
		variable(ISA_SPACE_CONST, 1024, 1024),	      /* 0x480 */
	};
	static const uint64_t want[] = {0x100, 0x108, 0x110, 0x180, 0x18c, 0x1c0, 0x200, 0x280, 0x480};
	places(v, sizeof v / sizeof v[0], &t);
	for (unsigned k = 0; k < sizeof v / sizeof v[0]; k++) {
		uint64_t at = v[k].address + (v[k].space == ISA_SPACE_CONST ? ISA_CONST_WINDOW : 0);
		assert_int_equal(timing_places_find(&t, at), want[k]);
		assert_int_equal(timing_places_find(&t, at + v[k].bytes - 1), want[k] + v[k].bytes - 1);
	}
	timing_places_free(&t);
}

/* Shared variables, declarations without a definition, and what was unloaded take no place. */
static void what_does_not_count(void **state)
{
	(void)state;
	struct timing_places t = {0};
	struct isa_variable v[] = {
		variable(ISA_SPACE_SHARED, 0, 256),
		variable(ISA_SPACE_GLOBAL, GLOBAL(0), 64),
		variable(ISA_SPACE_GLOBAL, GLOBAL(64), 64),
		variable(ISA_SPACE_GLOBAL, GLOBAL(128), 0),
		variable(ISA_SPACE_GLOBAL, GLOBAL(256), 16),
	};
	v[1].flags = ISA_VAR_UNLOADED;
	v[2].flags = ISA_VAR_EXTERN;
	places(v, 5, &t);
	assert_int_equal(timing_places_find(&t, GLOBAL(256)), 0x100);
	assert_int_equal(timing_places_find(&t, GLOBAL(0)), GLOBAL(0));
	/* updated when something was loaded: the old ones are forgotten */
	v[1].flags = 0;
	places(v, 5, &t);
	assert_int_equal(timing_places_find(&t, GLOBAL(0)), 0x100);
	assert_int_equal(timing_places_find(&t, GLOBAL(256)), 0x140);
	timing_places_free(&t);
}

static void other_addresses(void **state)
{
	(void)state;
	struct timing_places t = {0};
	struct isa_variable v[] = {variable(ISA_SPACE_GLOBAL, GLOBAL(64), 4), variable(ISA_SPACE_CONST, 64, 4)};
	assert_int_equal(timing_places_find(&t, CONST(16)), 0x110);
	assert_int_equal(timing_places_find(&t, GLOBAL(16)), GLOBAL(16));
	places(v, 2, &t);
	assert_int_equal(timing_places_find(&t, CONST(16)), 0x110);
	assert_int_equal(timing_places_find(&t, CONST(68)), 0x144);
	assert_int_equal(timing_places_find(&t, GLOBAL(63)), GLOBAL(63));
	assert_int_equal(timing_places_find(&t, GLOBAL(68)), GLOBAL(68));
	assert_int_equal(timing_places_find(&t, UINT64_C(0x80000000)), UINT64_C(0x80000000));
	timing_places_free(&t);
}

#define T(f) cmocka_unit_test(f)
int main(void)
{
	const struct CMUnitTest tests[] = {T(one_counter_for_both_spaces), T(what_does_not_count), T(other_addresses)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
