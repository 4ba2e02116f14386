// Casts to types of the source, bit-fields, names with namespaces. PTX: nvcc -G -arch=sm_75 -ptx casts.cu, folders taken out of .file
#include <cuda_bf16.h>
#include <cuda_fp16.h>
enum Level { LOW = -2, MID, HIGH = 1000 };
enum class Sign : signed char { minus = -1, zero, plus };
namespace geo { namespace flat {
enum Kind { NONE, SOME, MANY };
struct Node { Kind kind; const Node *next; char tag[8]; };
__device__ __noinline__ int measure(const Node *n) { return n->kind + 1; }
} }
struct Outer {
	struct Inner { short a, b; } in;
	int delta : 7;
	unsigned id : 5;
	bool live : 1;
	Sign sign : 3;
	unsigned long long wide : 40;
};
extern "C" __global__ void casts(int *o)
{
	int i = threadIdx.x;
	Level level = i & 1 ? LOW : HIGH;
	Sign sign = i & 1 ? Sign::minus : Sign::plus;
	geo::flat::Node node = {geo::flat::SOME, nullptr, "tag"};
	Outer x = {};
	x.delta = -i; x.id = i; x.live = i & 1; x.sign = sign; x.wide = 0xABCDEF0123ull + i;
	bool flag = i > 1;
	__half h = __float2half(i * 0.25f);
	__nv_bfloat16 b = __float2bfloat16(i * 1.5f);
	__half2 h2 = __floats2half2_rn(i, 0.5f);
	__nv_bfloat162 b2 = __floats2bfloat162_rn(i, 0.5f);
	o[i] = level + (int)sign + geo::flat::measure(&node) + x.delta + x.id + flag + (int)__half2float(h) + (int)__bfloat162float(b) + (int)h2.x + (int)__bfloat162float(b2.y);
}
