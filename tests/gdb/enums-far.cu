// Enumerations beyond line 255 of a file. PTX: nvcc -G -arch=sm_75 -ptx enums-far.cu, then the folder taken out of its .file line
#line 300
enum class mode : unsigned char { off, on = 7 };
namespace paint {
enum class sign { minus = -1, none, plus = 1000 };
}
extern "C" __global__ void far_enums(int *out)
{
	mode m = threadIdx.x & 1 ? mode::on : mode::off;
	paint::sign s = threadIdx.x & 2 ? paint::sign::minus : paint::sign::plus;
	out[threadIdx.x] = (int)m + (int)s;
}
