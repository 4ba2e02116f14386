// nvcc -arch=sm_80 -ptx mma.cu: one mma.m16n8k16 with its fragments from ldmatrix.
#include <cuda_fp16.h>
extern "C" __global__ void mm(const half *a, const half *b, float *c)
{
    __shared__ half sa[256], sb[128];
    for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
    for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
    __syncthreads();
    unsigned l = threadIdx.x, ra[4], rb[2];
    unsigned pa = (unsigned)__cvta_generic_to_shared(&sa[(l % 16) * 16 + (l / 16) * 8]);
    unsigned pb = (unsigned)__cvta_generic_to_shared(&sb[(l % 16) * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(ra[0]),"=r"(ra[1]),"=r"(ra[2]),"=r"(ra[3]) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]),"=r"(rb[1]) : "r"(pb));
    float d[4];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
     : "=f"(d[0]),"=f"(d[1]),"=f"(d[2]),"=f"(d[3]) : "r"(ra[0]),"r"(ra[1]),"r"(ra[2]),"r"(ra[3]),"r"(rb[0]),"r"(rb[1]),"f"(1.f),"f"(1.f),"f"(1.f),"f"(1.f));
    int g = l / 4, t = l % 4;
    c[g * 8 + 2 * t] = d[0]; c[g * 8 + 2 * t + 1] = d[1]; c[(g + 8) * 8 + 2 * t] = d[2]; c[(g + 8) * 8 + 2 * t + 1] = d[3];
}
