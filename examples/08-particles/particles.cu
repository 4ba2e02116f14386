// One step of particles that push each other away: each of the others adds a push of 1/distance along the line between
// the two.
//
// Host side:  push<<<1, 32>>>(n, dt, x, y, vx, vy);      with n = 24, dt = 0.01
// Symptom:    after one step two of the particles are at (nan, nan).
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo particles.cu, then the folders taken out of its .file lines

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
		float ux = dx / d;
		float uy = dy / d;

		ax += ux / (1.0f + d);
		ay += uy / (1.0f + d);
	}
	vx[i] += ax * dt;
	vy[i] += ay * dt;
}
