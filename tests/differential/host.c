/* Runs every kernel of kernels.cu on the host, writes its output to DIR/NAME.bin, and prints the warpstep session that runs
 * the same kernels on the same data and compares. Usage: host DIR */
#define HOST
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "kernels.cu"

struct dim threadIdx, blockIdx, blockDim, gridDim;

#define N 1000
#define BLOCK 128
#define GRID 8
#define STACK 65536

static ucontext_t scheduler, thread[BLOCK];
static char *stacks;
static u32 current;
static int done[BLOCK];
static void (*kernel)(u32 *, const u32 *, int);
static u32 in[N], out[N];

void __syncthreads(void)
{
	u32 me = current;
	swapcontext(&thread[me], &scheduler);
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
		getcontext(&thread[t]);
		thread[t].uc_stack.ss_sp = stacks + (size_t)t * STACK;
		thread[t].uc_stack.ss_size = STACK;
		thread[t].uc_link = &scheduler;
		makecontext(&thread[t], run_thread, 0);
		done[t] = 0;
	}
	for (u32 alive = BLOCK; alive;) {
		alive = 0;
		for (u32 t = 0; t < BLOCK; t++) {
			if (done[t])
				continue;
			current = threadIdx.x = t;
			swapcontext(&scheduler, &thread[t]);
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

static const struct {
	const char *name;
	void (*run)(u32 *, const u32 *, int);
} kernels[] = {
#define K(name) {#name, name}
	K(int_mix), K(signed_mix), K(wide_mix), K(float_mix), K(fused), K(double_mix), K(conversions), K(bits), K(narrow), K(collatz),
	K(branches), K(local_array), K(recursion), K(function_pointers), K(structures), K(constants), K(block_scan), K(block_sort), K(matrix),
	K(byte_walk), K(rare_values),
};

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	stacks = malloc((size_t)BLOCK * STACK);
	blockDim = (struct dim){BLOCK, 1, 1};
	gridDim = (struct dim){GRID, 1, 1};
	for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
		char path[4096];
		for (u32 i = 0; i < N; i++)
			in[i] = random_word(k + 1, i);
		memset(out, 0, sizeof out);
		kernel = kernels[k].run;
		for (u32 b = 0; b < GRID; b++)
			run_block(b);
		snprintf(path, sizeof path, "%s/%s.bin", argv[1], kernels[k].name);
		FILE *f = fopen(path, "wb");
		if (!f || fwrite(out, 4, N, f) != N || fclose(f))
			return 1;
		printf("buffer in u32[%d] = random %u\nbuffer out u32[%d] = zero\nrun %s<<<%d, %d>>>(out, in, %d)\ncompare out %s\n", N, k + 1, N,
		       kernels[k].name, GRID, BLOCK, N, path);
	}
	free(stacks);
	return 0;
}
