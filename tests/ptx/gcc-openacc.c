#include <stddef.h>
static double table[4] = {1.0, 2.5, -3.0, 1e10};
#pragma acc routine seq
__attribute__((noinline)) int triple(int x) { return 3 * x; }
#pragma acc routine seq
__attribute__((noinline)) void make(double *p, int a, double b) { p[0] = a; p[1] = b; }
#pragma acc routine seq
__attribute__((noinline)) int pick(int x) { switch (x) { case 0: return 5; case 1: return 9; case 2: return -1; case 3: return 12; case 4: return 77; default: return x; } }
int main(void)
{
	float x[100]; int n = 100; double s = 0;
	for (int i = 0; i < n; i++) x[i] = (float)i;
#pragma acc parallel loop copy(x) copyin(table) reduction(+:s)
	for (int i = 0; i < n; i++) { double p[2]; make(p, i, table[i & 3]); x[i] = x[i] * 2 + (float)triple(i) + (float)p[1] + (float)pick(i); s += p[0]; }
	return (int)(x[3] + s);
}
