/* Ctrl-C while a buffer is made. */
#include "command/setup/buffers.h"
#include "test_debug_fixture.h"

/* In each part of the making: the numbers of most kinds, and the way to the device, which is all that `zero` needs. */
static void ends_without_a_buffer(void **state)
{
	static const char *const makings[] = {"b u64[300000] = zero",	      "b u32[300000] = iota",
					      "b f32[300000] = random 1 0 1", "b u64[300000] = random 1",
					      "b u16[300000] = fill 7",	      "b u64[300000] = random 1 0 9"};
	struct fixture f;
	(void)state;
	fixture_begin(&f, NULL, NULL);
	SAYS(&f, command_buffer, "a u32[4] = zero", "");
	for (size_t i = 0; i < sizeof makings / sizeof *makings; i++) {
		*f.interrupted = 1;
		SAYS(&f, command_buffer, makings[i], "error: interrupted");
		assert_int_equal(debug_buffer_count(f.d), 1);
	}
	*f.interrupted = 0;
	SAYS(&f, command_buffer, "b u32[4] = {1, 2, 3, 4}", "");
	SAYS(&f, command_print, "b", "$1 = {1, 2, 3, 4}\n");
	fixture_end(&f);
}

/* One that was to take the place of another, and that there is no room for either. */
static void the_older_one_stays(void **state)
{
	struct fixture f;
	(void)state;
	fixture_begin(&f, NULL, NULL);
	SAYS(&f, command_buffer, "b u32[4] = {1, 2, 3, 4}", "");
	*f.interrupted = 1;
	SAYS(&f, command_buffer, "b u64[300000] = random 1", "error: interrupted");
	SAYS(&f, command_buffer, "b u64[300000] = zero", "error: interrupted");
	SAYS(&f, command_print, "b", "$1 = {1, 2, 3, 4}\n");
	*f.interrupted = 0;
	HAS(says(&f, command_buffer, "b u8[68719476736]"), "error: no room for 68719476736 bytes of device memory");
	SAYS(&f, command_print, "b", "$2 = {1, 2, 3, 4}\n");
	SAYS(&f, command_buffer, "b u64[300000] = zero", "");
	SAYS(&f, command_print, "b[299999]", "$3 = 0\n");
	/* where both don't fit, the new one has the older one's room */
	SAYS(&f, command_buffer, "b u8[10000000000]", "");
	SAYS(&f, command_buffer, "b u8[9000000000]", "");
	HAS(says(&f, command_buffer, "c u8[9000000000]"), "error: no room for 9000000000 bytes of device memory");
	SAYS(&f, command_print, "sizeof b", "$4 = 9000000000\n");
	fixture_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(ends_without_a_buffer),
					   cmocka_unit_test(the_older_one_stays)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
