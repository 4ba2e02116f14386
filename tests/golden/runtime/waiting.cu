// Kernels with C++ names: one polls what the other, behind it in the same stream, would write.
__global__ void wait_for(volatile int *p)
{
	while (!*p)
		;
}

__global__ void set(int *p) { *p = 1; }
