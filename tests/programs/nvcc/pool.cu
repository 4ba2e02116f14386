// Memory of a pool, allocated and freed in streams: with an event between them or without (test_program_findings.sh).
#include <cstdio>
#include <cstring>
__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void use(int *p, int *q) { q[threadIdx.x] = p[threadIdx.x]; }
int main(int c, char **v)
{
	cudaStream_t a, b; cudaEvent_t e; int *p, *q, *r;
	cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	cudaEventCreate(&e);
	cudaMalloc(&q, 256);
	cudaMallocAsync(&p, 256, a);
	bool fix = c > 2;
	if (!strcmp(v[1], "free")) { // freed in b while a uses it
		fill<<<1, 64, 0, a>>>(p, 1);
		if (fix) { cudaEventRecord(e, a); cudaStreamWaitEvent(b, e); }
		cudaFreeAsync(p, b);
	} else if (!strcmp(v[1], "malloc")) { // used in b before a's allocation is known to be there
		if (fix) { cudaEventRecord(e, a); cudaStreamWaitEvent(b, e); }
		fill<<<1, 64, 0, b>>>(p, 1);
		if (fix) cudaStreamSynchronize(b);
		cudaFreeAsync(p, a);
	} else if (!strcmp(v[1], "uaf")) { // used in b after a freed it
		fill<<<1, 64, 0, a>>>(p, 1);
		cudaEventRecord(e, a);
		cudaStreamWaitEvent(b, e);
		cudaFreeAsync(p, a);
		use<<<1, 64, 0, b>>>(p, q);
	} else if (!strcmp(v[1], "reuse")) { // freed in a, the block is given to b without order
		fill<<<1, 64, 0, a>>>(p, 1);
		cudaFreeAsync(p, a);
		cudaMallocAsync(&r, 256, b);
		fill<<<1, 64, 0, b>>>(r, 2);
		cudaFreeAsync(r, b);
	} else { // one stream
		fill<<<1, 64, 0, a>>>(p, 1);
		use<<<1, 64, 0, a>>>(p, q);
		cudaFreeAsync(p, a);
		cudaMallocAsync(&r, 256, a);
		fill<<<1, 64, 0, a>>>(r, 2);
		cudaFreeAsync(r, a);
	}
	printf("%d\n", cudaDeviceSynchronize());
}
