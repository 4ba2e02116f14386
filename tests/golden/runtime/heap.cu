// nvcc -arch=compute_75 -ptx heap.cu
#include <cassert>
#include <cstdlib>
#include <new>

struct alignas(128) Wide {
	int v[32];
};

// how many pieces of `bytes` there are, and whether all begin at a multiple of 16
__global__ void pieces(int *out, size_t bytes)
{
	void **last = nullptr;
	int n = 0, aligned = 1;
	while (void **p = (void **)malloc(bytes)) {
		*p = last;
		last = p;
		aligned &= (size_t)p % 16 == 0;
		n++;
	}
	while (last) {
		void **next = (void **)*last;
		free(last);
		last = next;
	}
	out[0] = n;
	out[1] = aligned;
}

__global__ void wide(int *out)
{
	Wide *w = new Wide;
	out[threadIdx.x] = (size_t)w % 128;
	w->v[31] = 1;
	delete w;
}

__global__ void twice()
{
	void *p = malloc(100);
	free(p);
	free(p);
}

__global__ void inside()
{
	char *p = (char *)malloc(100);
	free(p + 16);
}

__global__ void hosts(void *p) { free(p); }

__global__ void check(int n) { assert(threadIdx.x < n && "more threads than n"); }
