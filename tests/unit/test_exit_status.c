/* What --batch ends with when a program is debugged: every combination, in the manual's order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "command/interpreter/exit_status.h"

static void test_order(void **state)
{
	(void)state;
	for (int failed = 0; failed < 2; failed++)
		for (int own = 0; own < 256; own++) {
			assert_int_equal(status_with_program(3, false, failed, own), 3);
			assert_int_equal(status_with_program(4, false, failed, own), 4);
			assert_int_equal(status_with_program(4, true, failed, own), 3); /* interface, 10: 3 stays */
			assert_int_equal(status_with_program(0, true, failed, own), 3);
		}
	assert_int_equal(status_with_program(0, false, true, 0), 1);
	assert_int_equal(status_with_program(0, false, true, 139), 1);
	assert_int_equal(status_with_program(0, false, false, 139), 139);
	assert_int_equal(status_with_program(0, false, false, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
