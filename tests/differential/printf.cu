#ifdef HOST
#include <cstdio>
#define __global__
#endif
// PTX: nvcc -arch=sm_75 -include stdio.h -ptx printf.cu
// every conversion with flags, widths, precisions and lengths; what CUDA's printf shares with C's
extern "C" __global__ void formats(int i, unsigned u, long long l, double d)
{
	printf("%d|%i|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%+05d\n", i, -i, i, i, i, i, i, i, i, i, i);
	printf("%u|%x|%X|%o|%#x|%#X|%#o|%08x|%-8x|%#010x|%.5u\n", u, u, u, u, u, u, u, u, u, u, u);
	printf("%lld|%llu|%llx|%20lld|%-20lld|%020lld|%+lld|%ld|%lu\n", l, (unsigned long long)l, (unsigned long long)l, l, -l, l, l, (long)l, (unsigned long)l);
	printf("%hd|%hu|%hhd|%hhu|%hx\n", (short)i, (unsigned short)u, (signed char)i, (unsigned char)u, (unsigned short)u);
	printf("%f|%e|%g|%E|%G|%.0f|%.10f|%12.3f|%-12.3f|%012.3f|%+.2e|% g|%#.0f|%a\n", d, d, d, d, d, d, d, d, d, d, d, d, d, d);
	printf("%f %e %g %f %g\n", 0.0, -0.0, 1e100, 1.0f / 3.0f, 123456789.0);
	printf("%f %F %e %g\n", 1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0, -1.0 / 0.0);
	printf("%c%c%c|%5c|%-5c|%s|%10s|%-10s|%.2s|%10.3s|%%\n", 'a', 66, '!', 'x', 'y', "text", "right", "left", "cut", "both");
	printf("%*d|%-*d|%.*f|%*.*f\n", 7, i, 7, i, 3, d, 10, 2, d);
	printf("no newline ");
	printf("tab\tquote\"backslash\\ percent%% end\n");
	printf("%d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	printf("%d %f %d %lld %c %s %g\n", 1, 2.5, 3, 4ll, '5', "six", 7.0f);
	printf("\n");
}
#ifdef HOST
int main() { formats(-42, 0xdeadbeefu, -1234567890123456789ll, 3.14159265358979); formats(7, 0, 0, 1e-5); }
#endif
