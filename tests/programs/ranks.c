/* A rank of an MPI job: `ranks` has each compute something of its own and adds it up; `ranks fails` ends rank 1 while the others wait for it. */
#include <mpi.h>
#include "fixture.h"
FIXTURE("kernels.ptx")
KERNEL(fill, "fill")
int main(int argc, char **argv)
{
	int rank, size, h[64], *a, n = 64, sum = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	CHECK(cudaMalloc((void **)&a, sizeof h));
	void *arguments[] = {&a, &rank, &n, NULL};
	CHECK(cudaLaunchKernel(fill, (dim3){2, 1, 1}, (dim3){32, 1, 1}, arguments, 0, NULL));
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	if (argc > 1 && rank == 1)
		return 5;
	MPI_Allreduce(&h[0], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("rank %d of %d: %d at %p, sum %d\n", rank, size, h[63], (void *)a, sum);
	MPI_Finalize();
	return 0;
}
