// Numbers of CUDA's headers, which are classes of bits. PTX: nvcc -G -arch=sm_75 -ptx small-floats.cu, then the folder taken out of its .file line
struct __half { unsigned short __x; };
struct __nv_bfloat16 { unsigned short __x; };
struct __nv_fp8_e4m3 { unsigned char __x; };
struct __nv_fp8_e5m2 { unsigned char __x; };
__global__ void floats(int *p)
{
	__half h[2] = {{0x3e00}, {0xfc00}};
	__nv_bfloat16 b = {0xc049};
	__nv_fp8_e4m3 e4 = {0x7e};
	__nv_fp8_e5m2 e5 = {0x01};
	p[0] = h[p[1] & 1].__x + b.__x + e4.__x + e5.__x;
	p[1] = 1;
}
