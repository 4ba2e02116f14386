/* For programs that check what calls return: a line for each check that fails, counted in `failures`. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>

static int failures;
#define EXPECT(condition) \
	do { \
		if (!(condition)) \
			failures++, printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
	} while (0)
#define RETURNS(error, call) \
	do { \
		const int is_ = (call); \
		if (is_ != (error)) \
			failures++, printf("%s:%d: %s: %d, wanted %d\n", __FILE__, __LINE__, #call, is_, error); \
	} while (0)

/* The last line, for programs that all went well in. main's status. */
static inline int verdict(void)
{
	if (!failures)
		puts("PASSED");
	return failures != 0;
}

#endif
