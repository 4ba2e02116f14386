// What texture_reads.c launches: a thread for each place, four floats of coordinates, four floats of result.
// PTX: nvcc -arch=sm_75 -ptx texture_reads.cu, then comments taken out
#include <cuda_runtime.h>
typedef cudaTextureObject_t T;
#define AT int i = blockIdx.x * blockDim.x + threadIdx.x; float4 a = at[i]
extern "C" __global__ void read_1d(T t, const float4 *at, float4 *out) { AT; out[i] = tex1D<float4>(t, a.x); }
extern "C" __global__ void read_2d(T t, const float4 *at, float4 *out) { AT; out[i] = tex2D<float4>(t, a.x, a.y); }
extern "C" __global__ void read_3d(T t, const float4 *at, float4 *out) { AT; out[i] = tex3D<float4>(t, a.x, a.y, a.z); }
extern "C" __global__ void read_a1d(T t, const float4 *at, float4 *out) { AT; out[i] = tex1DLayered<float4>(t, a.x, (int)a.w); }
extern "C" __global__ void read_a2d(T t, const float4 *at, float4 *out) { AT; out[i] = tex2DLayered<float4>(t, a.x, a.y, (int)a.w); }
extern "C" __global__ void read_cube(T t, const float4 *at, float4 *out) { AT; out[i] = texCubemap<float4>(t, a.x, a.y, a.z); }
extern "C" __global__ void read_acube(T t, const float4 *at, float4 *out) { AT; out[i] = texCubemapLayered<float4>(t, a.x, a.y, a.z, (int)a.w); }
extern "C" __global__ void read_level(T t, const float4 *at, float4 *out) { AT; out[i] = tex2DLod<float4>(t, a.x, a.y, a.w); }
extern "C" __global__ void gather(T t, const float4 *at, float4 *out) { AT; out[i] = tex2Dgather<float4>(t, a.x, a.y, 1); }
extern "C" __global__ void fetch(T t, const float4 *at, float4 *out) { AT; out[i] = tex1Dfetch<float4>(t, (int)a.x); }
extern "C" __global__ void read_bytes(T t, const float4 *at, float4 *out) { AT; uchar4 c = tex2D<uchar4>(t, a.x, a.y); out[i] = make_float4(c.x, c.y, c.z, c.w); }
extern "C" __global__ void swap(cudaSurfaceObject_t s, int width)
{
	int x = threadIdx.x, y = blockIdx.x;
	uchar4 c;
	surf2Dread(&c, s, x * 4, y, cudaBoundaryModeTrap);
	surf2Dwrite(make_uchar4(c.w, c.z, c.y, c.x), s, x * 4, y, cudaBoundaryModeTrap);
	unsigned outside;
	surf2Dread(&outside, s, (x + width) * 4, y, cudaBoundaryModeZero);
	if (outside)
		surf2Dwrite(0u, s, x * 4, y);
	surf2Dwrite(0x01020304u, s, (x + width) * 4, y, cudaBoundaryModeZero);
}
extern "C" __global__ void beyond(cudaSurfaceObject_t s) { surf2Dwrite(1u, s, 4 * 16, 2, cudaBoundaryModeTrap); }
