/* NVIDIA's ptxas as an oracle, where it is installed. Include after cmocka.h. */
#ifndef TESTS_NEED_PTXAS_H
#define TESTS_NEED_PTXAS_H

#include <stdlib.h>

/* Ends the test case as skipped, and says why, where there is no ptxas. */
static inline void need_ptxas(void)
{
	if (!system("command -v ptxas >/dev/null 2>&1"))
		return;
	print_message("SKIPPED: ptxas is not installed, nothing was compared\n");
	skip();
}

#endif
