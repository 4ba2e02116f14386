// Classes with access of all kinds, by clang. PTX: clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_60 -nocudainc -nocudalib -g -O0 -S \
// classes-clang.cu
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
class shape {
	int hidden;

public:
	int seen;
};
struct open : shape {
	int plain;
};
class closed : shape {
	int own;
};
extern "C" __global__ void classes(int *out)
{
	open o;
	closed c;
	o.seen = 3;
	o.plain = 4;
	int *first = &o.plain;
	const volatile void *last = first; /* its type is the last one that is described, and nothing is said of it */
	*out = *first + o.seen + (last != 0) + sizeof c;
}
