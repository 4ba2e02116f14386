/* What test_program_history.sh goes back through: memory that both sides have, which the program writes between launches. c = a + b three times, b all 3:
 * `managed` (a) the host sets to 10, 20, 30; what comes back into `locked` memory it adds to a. So a[3] is 10, 33, 66 in the launches, and c[3]
 * 13, 36, 69. With an argument another thread writes at the same time. */
#include <pthread.h>

#include "fixture.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")
RUNTIME(cudaError_t, cudaMallocManaged, (void **p, size_t n, unsigned flags))
RUNTIME(cudaError_t, cudaMallocHost, (void **p, size_t n))
RUNTIME(cudaError_t, cudaMemcpyAsync, (void *to, const void *from, size_t n, int kind, cudaStream_t s))

#define N 64

static volatile float *beside;
static volatile int is_over;

static void *write_beside(void *unused)
{
	for (float k = 0; !is_over; k++)
		beside[N - 1] = k;
	return unused;
}

int main(int argc, char **argv)
{
	(void)argv;
	float *a, *b, *c, *locked, three[N];
	pthread_t thread;
	int n = N;
	for (int i = 0; i < N; i++)
		three[i] = 3;
	CHECK(cudaMallocManaged((void **)&a, N * sizeof *a, 1));
	CHECK(cudaMallocHost((void **)&locked, N * sizeof *a));
	CHECK(cudaMalloc((void **)&b, sizeof three));
	CHECK(cudaMalloc((void **)&c, sizeof three));
	CHECK(cudaMemcpy(b, three, sizeof three, cudaMemcpyHostToDevice));
	beside = a;
	if (argc > 1 && pthread_create(&thread, NULL, write_beside, NULL))
		return 8;
	for (int k = 1; k <= 3; k++) {
		for (int i = 0; i < N - 1; i++)
			a[i] = (float)(10 * k) + locked[i];
		CHECK(cudaLaunchKernel(vecadd, (dim3){2, 1, 1}, (dim3){32, 1, 1}, (void *[]){&a, &b, &c, &n}, 0, NULL));
		CHECK(cudaMemcpyAsync(locked, c, sizeof three, cudaMemcpyDeviceToHost, NULL));
		CHECK(cudaDeviceSynchronize());
		printf("%g\n", (double)locked[3]);
		fflush(stdout);
	}
	is_over = 1;
	if (argc > 1)
		pthread_join(thread, NULL);
	return locked[3] == 69 ? 0 : 1;
}
