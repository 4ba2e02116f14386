// Shared arrays, which PTX declares as bytes, by the types with which a kernel accesses them (nvcc -ptx -lineinfo).
struct pair { float sum; int n; };
extern __shared__ float dynamic[];

__global__ void accessed(const float *in, float *out, int which)
{
	__shared__ float part[64];   // f32: its zeros are stored as integers
	__shared__ float4 rows[8];   // f32, four at a time
	__shared__ int counts[8];    // u32: loads of int are unsigned in PTX
	__shared__ double wide[8];   // f64
	__shared__ char text[64];    // bytes, as they are
	__shared__ pair pairs[8];    // floats and integers: bytes
	__shared__ float a[8], b[8]; // one register has either's address
	int t = threadIdx.x;
	part[t] = 0;
	part[t + 32] = in[t];
	counts[t & 7] = -t;
	wide[t & 7] = t * 0.5;
	text[t] = 'a' + t;
	pairs[t & 7].sum = t;
	pairs[t & 7].n = t;
	dynamic[t] = in[t] + 1;
	a[t & 7] = t;
	b[t & 7] = t;
	rows[t & 7] = make_float4(t, t, t, t);
	__syncthreads();
	atomicAdd(&part[t & 31], 1.5f);
	atomicMax(&counts[0], t);
	float *either = which ? a : b;
	__syncthreads();
	out[t] = part[t] + part[63 - t] + counts[t & 7] + wide[7] + text[31 - t] + pairs[3].sum + pairs[3].n + dynamic[31 - t] +
		 either[t & 7] + rows[7 - (t & 7)].x;
}
