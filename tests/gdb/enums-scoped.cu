// Enumerations in namespaces, classes and functions. PTX: nvcc -G -arch=sm_75 -ptx enums-scoped.cu, then the folder taken out of its .file line
namespace paint {
enum color { RED, GREEN = 5, BLUE };
enum class mode : unsigned char { off, on = 7 };
struct box { enum kind { SMALL, LARGE = 9 }; enum class lid { open, shut = 3 }; kind k; lid l; };
}
enum top { T1 = 1, T2 = 2 };
struct plain { enum kind { PSMALL, PLARGE = 9 }; kind k; };
namespace { enum hidden { H1 = 1, H2 = 2 }; }
using namespace paint;
extern "C" __global__ void scoped(int *out)
{
	enum inner { I1 = 1, I2 = 22 };
	color c = threadIdx.x & 1 ? GREEN : BLUE;
	mode m = threadIdx.x & 1 ? mode::on : mode::off;
	box b = { threadIdx.x & 1 ? box::LARGE : box::SMALL, threadIdx.x & 1 ? box::lid::shut : box::lid::open };
	plain p = { threadIdx.x & 1 ? plain::PLARGE : plain::PSMALL };
	top t = threadIdx.x & 1 ? T1 : T2;
	hidden h = threadIdx.x & 1 ? H1 : H2;
	inner i = threadIdx.x & 1 ? I1 : I2;
	out[threadIdx.x] = c + (int)m + (int)b.k + (int)b.l + p.k + t + h + i;
}
