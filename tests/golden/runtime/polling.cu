/* Kernels that wait for another stream's kernel. polling.ptx: nvcc -ptx -arch=sm_75 */
extern "C" {
__device__ volatile int flag, answer;
__global__ void wait_for(int *out, int v) { while (flag != v) ; *out = v + 100 + threadIdx.x; }
__global__ void set(int v) { flag = v; }
__global__ void count_until(int *out, int v) { int n = 0; while (flag != v) n++; *out = n > 0; }
__global__ void ping(int n) { for (int k = 1; k <= n; k++) { flag = k; while (answer != k) ; } }
__global__ void pong(int n) { for (int k = 1; k <= n; k++) { while (flag != k) ; answer = k; } }
}
