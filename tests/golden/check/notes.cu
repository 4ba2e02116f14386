// Races that do no harm are notes, others are errors. nvcc -ptx -arch=sm_75 -lineinfo notes.cu; notes-debug.ptx: -G
__device__ double add(double *p, double v) {
	unsigned long long *q = (unsigned long long *)p, old = *q, seen;
	do {
		seen = old;
		old = atomicCAS(q, seen, __double_as_longlong(v + __longlong_as_double(seen)));
	} while (seen != old);
	return __longlong_as_double(old);
}
extern "C" __global__ void first_look(double *acc, double *out) { out[threadIdx.x] = add(acc, threadIdx.x); }
// the plain look decides something by itself
extern "C" __global__ void decides(int *best) {
	int old = *best, seen;
	if (old > 100)
		return;
	do {
		seen = old;
		old = atomicCAS(best, seen, seen + 1);
	} while (seen != old);
}
// the plain look is kept
extern "C" __global__ void keeps(int *word, int *out) {
	int old = *word;
	out[threadIdx.x] = old;
	atomicCAS(word, old, old + 1);
}
extern "C" __global__ void flag(int *found, int values) { *found = values ? threadIdx.x / 32 : 1; }
