/* What test_program_history.sh goes back through: large memory that both sides have, 16 MB of it managed, 4 MB registered in the midst of the program's own. Three
 * times the program writes one number into each managed page, k * (page + 1), and a kernel adds those of the first pages to registered numbers, TIMES times. */
#include "fixture.h"

FIXTURE("history_shared.ptx")
KERNEL(gather, "gather")
RUNTIME(cudaError_t, cudaMallocManaged, (void **p, size_t n, unsigned flags))
RUNTIME(cudaError_t, cudaHostRegister, (void *p, size_t n, unsigned flags))
RUNTIME(cudaError_t, cudaHostUnregister, (void *p))

enum { PAGES = 4096, WORDS = 1024, REGISTERED = 4 << 20, BESIDE = 256 };

int main(int argc, char **argv)
{
	unsigned times = argc > 1 ? (unsigned)atoi(argv[1]) : 1, *a, beside = 0;
	char *mine = malloc(REGISTERED + 2 * BESIDE);
	unsigned *r = (unsigned *)(mine + BESIDE);
	volatile unsigned *before = (unsigned *)mine, *after = (unsigned *)(mine + BESIDE + REGISTERED);
	memset(mine, 0, REGISTERED + 2 * BESIDE);
	CHECK(cudaMallocManaged((void **)&a, (size_t)PAGES * WORDS * sizeof *a, 1));
	CHECK(cudaHostRegister(r, REGISTERED, 0));
	for (unsigned k = 1; k <= 3; k++) {
		for (unsigned i = 0; i < PAGES; i++)
			a[i * WORDS] = k * (i + 1);
		*before = *after = ++beside;
		CHECK(cudaLaunchKernel(gather, (dim3){1, 1, 1}, (dim3){64, 1, 1}, (void *[]){&a, &r, &times}, 0, NULL));
		CHECK(cudaDeviceSynchronize());
		printf("%u\n", r[3]);
		fflush(stdout);
	}
	CHECK(cudaHostUnregister(r));
	CHECK(cudaFree(a));
	printf("%u %u\n", *before, *after);
	return r[63] == 64 * 6 * times ? 0 : 1;
}
