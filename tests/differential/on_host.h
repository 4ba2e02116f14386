/* Runs kernels on the host, one block at a time, each thread a coroutine so that barriers work. In C and C++: included behind the file of the
 * kernels, which says u32, u64, struct dim and what a kernel sees. */
#ifndef ON_HOST_H
#define ON_HOST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define N 1000
#define BLOCK 128
#define GRID 8
#define STACK 131072

struct host_kernel {
	const char *name;
	void (*run)(u32 *, const u32 *, int);
};

struct dim threadIdx, blockIdx, blockDim, gridDim;

static ucontext_t scheduler, coroutine[BLOCK];
static char *stacks;
static u32 current;
static int done[BLOCK];
static void (*kernel)(u32 *, const u32 *, int);
static u32 in[N], out[N];

void __syncthreads(void)
{
	u32 me = current;
	swapcontext(&coroutine[me], &scheduler);
	threadIdx.x = me;
}

static void run_thread(void)
{
	kernel(out, in, N);
	done[current] = 1;
}

static void run_block(u32 block)
{
	blockIdx.x = block;
	for (u32 t = 0; t < BLOCK; t++) {
		getcontext(&coroutine[t]);
		coroutine[t].uc_stack.ss_sp = stacks + (size_t)t * STACK;
		coroutine[t].uc_stack.ss_size = STACK;
		coroutine[t].uc_link = &scheduler;
		makecontext(&coroutine[t], run_thread, 0);
		done[t] = 0;
	}
	for (u32 alive = BLOCK; alive;) {
		alive = 0;
		for (u32 t = 0; t < BLOCK; t++) {
			if (done[t])
				continue;
			current = threadIdx.x = t;
			swapcontext(&scheduler, &coroutine[t]);
			alive += !done[t];
		}
	}
}

/* As the interface defines `random`. */
static u32 random_word(u64 seed, u64 i)
{
	u64 z = seed + (i + 1) * 0x9E3779B97F4A7C15ull;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
	return (u32)(z ^ (z >> 31));
}

static int write_out(const char *path)
{
	FILE *f = fopen(path, "wb");
	return f && fwrite(out, 4, N, f) == N && !fclose(f);
}

/* Writes each kernel's output to DIR/NAME.bin, and prints the warpstep session that runs the same kernels on the same data and compares.
 * Kernel k has the seed first_seed + k, and `dynamic` bytes of shared memory. The status for main to return. */
static int run_on_host(const struct host_kernel *kernels, unsigned n, unsigned first_seed, unsigned dynamic, const char *dir)
{
	stacks = (char *)malloc((size_t)BLOCK * STACK);
	blockDim.x = BLOCK;
	gridDim.x = GRID;
	blockDim.y = blockDim.z = gridDim.y = gridDim.z = 1;
	for (unsigned k = 0; k < n; k++) {
		char path[4096];
		for (u32 i = 0; i < N; i++)
			in[i] = random_word(first_seed + k, i);
		memset(out, 0, sizeof out);
		kernel = kernels[k].run;
		for (u32 b = 0; b < GRID; b++)
			run_block(b);
		snprintf(path, sizeof path, "%s/%s.bin", dir, kernels[k].name);
		if (!write_out(path))
			return 1;
		printf("buffer in u32[%d] = random %u\nbuffer out u32[%d] = zero\nrun %s<<<%d, %d, %u>>>(out, in, %d)\ncompare out %s\n", N,
		       first_seed + k, N, kernels[k].name, GRID, BLOCK, dynamic, N, path);
	}
	free(stacks);
	return 0;
}

#endif
