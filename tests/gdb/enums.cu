// Enumerations of each kind. PTX: nvcc -G -arch=sm_75 -ptx enums.cu, then the folder taken out of its .file line
enum colour { RED, GREEN = 5 };
enum class mode : unsigned char { off, on = 7 };
namespace paint {
enum class sign { minus = -1, none, plus = 1000 };
}
extern "C" __global__ void enums(int *out)
{
	colour c = threadIdx.x & 1 ? GREEN : RED;
	mode m = threadIdx.x & 1 ? mode::on : mode::off;
	paint::sign s = threadIdx.x & 2 ? paint::sign::minus : paint::sign::plus;
	out[threadIdx.x] = c + (int)m + (int)s;
	out[0] = (int)m + (int)s;
}
