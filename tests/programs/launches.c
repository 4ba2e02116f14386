/* Launches and buffers by the thousand: `launches N`; then what its debugger takes of the host's memory, in kB. */
#include <unistd.h>

#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(empty, "empty")

static long resident(pid_t process)
{
	char path[64], line[256];
	long kb = -1;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)process);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f) && sscanf(line, "VmRSS: %ld", &kb) != 1)
		;
	if (f)
		fclose(f);
	return kb;
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 1;
	for (int k = 0; k < n; k++) {
		void *p;
		RETURNS(0, cudaMalloc(&p, 4096));
		RETURNS(0, cudaMemset(p, 1, 4096));
		RETURNS(0, launch(empty, 1, 32, 0, NULL, NULL));
		RETURNS(0, cudaFree(p));
		if (k % 100 == 99)
			RETURNS(0, cudaDeviceSynchronize());
	}
	RETURNS(0, cudaDeviceSynchronize());
	printf("%ld\n", resident(getppid()));
	return failures;
}
