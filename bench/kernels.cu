// Benchmark kernels: the usual suspects, sized so that one run takes a second or so of simulation.
// PTX: nvcc -arch=sm_75 -ptx kernels.cu
#define TILE 16

extern "C" __global__ void mm_tiled(float *c, const float *a, const float *b, int n)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		as[ty][tx] = a[row * n + t + tx];
		bs[ty][tx] = b[(t + ty) * n + col];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	c[row * n + col] = sum;
}

extern "C" __global__ void mm_naive(float *c, const float *a, const float *b, int n)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + col];
	c[row * n + col] = sum;
}

extern "C" __global__ void vecadd(float *c, const float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

extern "C" __global__ void reduce(float *out, const float *in, int n)
{
	__shared__ float part[256];
	int t = threadIdx.x;
	float sum = 0;
	for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
		sum += in[i];
	part[t] = sum;
	__syncthreads();
	for (int s = blockDim.x / 2; s > 0; s >>= 1) {
		if (t < s)
			part[t] += part[t + s];
		__syncthreads();
	}
	if (t == 0)
		atomicAdd(out, part[0]);
}

extern "C" __global__ void histogram(unsigned *bins, const unsigned char *data, int n)
{
	__shared__ unsigned local[256];
	local[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&local[data[i]], 1u);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

extern "C" __global__ void nbody(float4 *acc, const float4 *pos, int n)
{
	__shared__ float4 tile[128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 me = pos[i];
	float ax = 0, ay = 0, az = 0;
	for (int t = 0; t < n; t += 128) {
		tile[threadIdx.x] = pos[t + threadIdx.x];
		__syncthreads();
#pragma unroll 8
		for (int j = 0; j < 128; j++) {
			float4 o = tile[j];
			float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
			float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
			float inv = rsqrtf(d2);
			float s = o.w * inv * inv * inv;
			ax += dx * s;
			ay += dy * s;
			az += dz * s;
		}
		__syncthreads();
	}
	acc[i] = make_float4(ax, ay, az, 0);
}

extern "C" __global__ void mandelbrot(int *out, int width, int height, int limit)
{
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	float cx = -2.0f + 3.0f * px / width, cy = -1.5f + 3.0f * py / height, x = 0, y = 0;
	int i = 0;
	while (i < limit && x * x + y * y < 4.0f) {
		float t = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = t;
		i++;
	}
	out[py * width + px] = i;
}

// One level of a breadth-first search over a graph in which every node has `degree` edges.
extern "C" __global__ void bfs_level(int *distance, const unsigned *edges, int *changed, int n, int degree, int level)
{
	int node = blockIdx.x * blockDim.x + threadIdx.x;
	if (node >= n || distance[node] != level)
		return;
	for (int e = 0; e < degree; e++) {
		unsigned to = edges[node * degree + e];
		if (distance[to] < 0) {
			distance[to] = level + 1;
			*changed = 1;
		}
	}
}
