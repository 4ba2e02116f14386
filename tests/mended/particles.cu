// examples/08-particles without its mistake.
extern "C" __global__ void push(int n, float dt, const float *x, const float *y, float *vx, float *vy)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;

	float ax = 0, ay = 0;

#pragma unroll 1
	for (int k = 1; k < n; k++) {
		int j = i + k < n ? i + k : i + k - n;
		float dx = x[i] - x[j];
		float dy = y[i] - y[j];
		float d = sqrtf(dx * dx + dy * dy);

		if (d == 0)
			continue;
		float ux = dx / d;
		float uy = dy / d;

		ax += ux / (1.0f + d);
		ay += uy / (1.0f + d);
	}
	vx[i] += ax * dt;
	vy[i] += ay * dt;
}
