/* Runs every kernel of programs.cu on the host, writes its output to DIR/NAME.bin, and prints the warpstep session that runs the
 * same kernels on the same data and compares. Usage: host_programs DIR */
#define HOST
#include <cstdio>
#include <ucontext.h>

#include "programs.cu"

dim threadIdx, blockIdx, blockDim, gridDim;
u32 tile[4096];
u64 exchanged[1024];

enum { N = 1000, BLOCK = 128, GRID = 8, STACK = 131072 };

static ucontext_t scheduler, threads[BLOCK];
static char *stacks;
static u32 current;
static bool done[BLOCK];
static void (*kernel)(u32 *, const u32 *, int);
static u32 in[N], out[N];

void __syncthreads()
{
	u32 me = current;
	swapcontext(&threads[me], &scheduler);
	threadIdx.x = me;
}

static void run_thread()
{
	kernel(out, in, N);
	done[current] = true;
}

static void run_block(u32 block)
{
	blockIdx.x = block;
	for (u32 t = 0; t < BLOCK; t++) {
		getcontext(&threads[t]);
		threads[t].uc_stack.ss_sp = stacks + (size_t)t * STACK;
		threads[t].uc_stack.ss_size = STACK;
		threads[t].uc_link = &scheduler;
		makecontext(&threads[t], run_thread, 0);
		done[t] = false;
	}
	for (u32 alive = BLOCK; alive;) {
		alive = 0;
		for (u32 t = 0; t < BLOCK; t++) {
			if (done[t])
				continue;
			current = threadIdx.x = t;
			swapcontext(&scheduler, &threads[t]);
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
	K(merge_network), K(shuffle_scan), K(shuffles), K(votes), K(hash_table), K(atomics), K(transpose), K(fft), K(lu), K(strings),
	K(recursions), K(virtuals), K(tables), K(templates), K(tiles), K(halves), K(lists), K(wide), K(sha), K(searches), K(intrinsics),
};

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	stacks = (char *)malloc((size_t)BLOCK * STACK);
	blockDim = {BLOCK, 1, 1};
	gridDim = {GRID, 1, 1};
	for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
		char path[4096];
		for (u32 i = 0; i < N; i++)
			in[i] = random_word(k + 101, i);
		memset(out, 0, sizeof out);
		kernel = kernels[k].run;
		for (u32 b = 0; b < GRID; b++)
			run_block(b);
		snprintf(path, sizeof path, "%s/%s.bin", argv[1], kernels[k].name);
		FILE *f = fopen(path, "wb");
		if (!f || fwrite(out, 4, N, f) != N || fclose(f))
			return 1;
		printf("buffer in u32[%d] = random %u\nbuffer out u32[%d] = zero\nrun %s<<<%d, %d, 1024>>>(out, in, %d)\ncompare out %s\n", N, k + 101,
		       N, kernels[k].name, GRID, BLOCK, N, path);
	}
	free(stacks);
	return 0;
}
