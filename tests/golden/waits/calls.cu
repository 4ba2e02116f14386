/* Waits in calls, and calls on a branch whose condition counts. nvcc -arch=sm_75 -G -ptx, without the sections of debug information */
/* One look is a call, and its argument differs from the other one's */
__device__ __noinline__ int look(volatile int *p, int i) { return p[i]; }
extern "C" __global__ void either(volatile int *p)
{
	while (look(p, 0) == 0 && look(p, 1) == 0)
		;
}

/* Counts, and does something else each 1024 rounds */
extern "C" __global__ void wait_counting(volatile int *flag, int *out)
{
	unsigned n = 0;
	while (!*flag)
		if (!(++n & 1023))
			__nanosleep(n);
	out[0] = (int)n;
}

/* Calls another function by what it counts; the functions change nothing but what they are given by address */
__device__ __noinline__ void even(unsigned *n) { *n += 1; }
__device__ __noinline__ void odd(unsigned *n) { *n += 3; }
extern "C" __global__ void wait_by_parity(volatile int *flag, unsigned *out)
{
	unsigned n = 0, k = 0;
	while (!*flag) {
		if (n & 2)
			even(&k);
		else
			odd(&k);
		n++;
	}
	*out = k;
}

/* Ends: the 5000th round sets the flag itself, in a function that is called then */
__device__ __noinline__ void set(volatile int *flag) { *flag = 1; }
extern "C" __global__ void ends_itself(volatile int *flag, unsigned *out)
{
	unsigned n = 0;
	while (!*flag)
		if (++n == 5000)
			set(flag);
	*out = n;
}

/* Ends: the function that is called then leaves the loop's function by its result */
__device__ __noinline__ bool late(unsigned n, unsigned most) { return n > most; }
extern "C" __global__ void ends_by_call(volatile int *flag, unsigned *out, unsigned most)
{
	unsigned n = 0;
	bool over = false;
	while (!*flag && !over)
		if (!(++n & 15))
			over = late(n, most);
	*out = n;
}

/* Ends: a function's result says so */
extern "C" __global__ void ends_by_result(volatile int *flag, unsigned *out, unsigned most)
{
	unsigned n = 0;
	while (!*flag && !late(n, most))
		n++;
	*out = n;
}

/* Ends: a function that is called each 16 rounds says so by a pointer */
__device__ __noinline__ void look_at(unsigned n, unsigned most, bool *over)
{
	if (n > most)
		*over = true;
}
extern "C" __global__ void ends_by_pointer(volatile int *flag, unsigned *out, unsigned most)
{
	unsigned n = 0;
	bool over = false;
	while (!*flag && !over)
		if (!(++n & 15))
			look_at(n, most, &over);
	*out = n;
}

/* Ends: an element of a local array, whose index varies */
extern "C" __global__ void ends_by_element(volatile int *flag, unsigned *out, unsigned most)
{
	unsigned n = 0, a[8] = {};
	while (!*flag && a[5] < most) {
		for (unsigned k = 0; k < (n & 7); k++)
			a[k] += 1;
		n++;
	}
	*out = n;
}

/* Ends: one of two functions, by address */
__device__ __noinline__ unsigned one(unsigned n) { return n + 1; }
__device__ __noinline__ unsigned far(unsigned n) { return n + 100000; }
typedef unsigned step(unsigned);
extern "C" __global__ void ends_by_address(volatile int *flag, unsigned *out, unsigned most)
{
	unsigned n = 0;
	while (!*flag && n < 100000) {
		step *next = n > most ? far : one;
		n = next(n);
	}
	*out = n;
}

/* Ends with an exception */
extern "C" __global__ void ends_by_trap(volatile int *flag, unsigned most)
{
	unsigned n = 0;
	while (!*flag)
		if (++n > most)
			__trap();
}

/* Ends: a struct that a function returns */
struct state { unsigned n, over; };
__device__ __noinline__ state next_of(state s, unsigned most) { return state{s.n + 1, s.n >= most}; }
extern "C" __global__ void ends_by_struct(volatile int *flag, unsigned *out, unsigned most)
{
	state s = {0, 0};
	while (!*flag && !s.over)
		s = next_of(s, most);
	*out = s.n;
}
