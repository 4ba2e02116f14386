#!/bin/bash
# A real CMake build, its kernels in a library of its own, with the runtime linked in (CMake's default) and shared, and C on the driver API: under warpstep and by path alone.
. "$ROOT/tests/lib/programs"
command -v cmake >/dev/null || { echo "no cmake"; exit 77; }
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "no nvcc"; exit 77; }
mkdir "$DIR/project"
cd "$DIR/project" || exit 1
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(app LANGUAGES C CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_ARCHITECTURES 75)
add_library(kernels SHARED kernels.cu)
add_executable(app host.cpp part.cu other.cu)
set_property(TARGET app PROPERTY CUDA_SEPARABLE_COMPILATION ON)
target_link_libraries(app PRIVATE kernels CUDA::cudart_static)
add_executable(app_shared host.cpp part.cu other.cu)
set_property(TARGET app_shared PROPERTY CUDA_SEPARABLE_COMPILATION ON)
set_property(TARGET app_shared kernels PROPERTY CUDA_RUNTIME_LIBRARY Shared)
target_link_libraries(app_shared PRIVATE kernels CUDA::cudart)
add_executable(app_driver driver.c)
target_link_libraries(app_driver PRIVATE CUDA::cuda_driver)
END
cat >kernels.cu <<'END'
__global__ void scale(float *a, float f, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] *= f;
}
void scale_all(float *a, float f, int n) { scale<<<(n + 127) / 128, 128>>>(a, f, n); }
END
cat >part.cu <<'END'
__device__ float one_more(float x);
__global__ void add(float *a, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] = one_more(a[i]);
}
void add_all(float *a, int n) { add<<<(n + 127) / 128, 128>>>(a, n); }
END
echo '__device__ float one_more(float x) { return x + 1; }' >other.cu
cat >host.cpp <<'END'
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
void scale_all(float *a, float f, int n);
void add_all(float *a, int n);
int main()
{
	const int n = 1000;
	std::vector<float> h(n, 2);
	float *d = nullptr;
	cudaMalloc(&d, n * sizeof *d);
	cudaMemcpy(d, h.data(), n * sizeof *d, cudaMemcpyHostToDevice);
	scale_all(d, 3, n);
	add_all(d, n);
	cudaMemcpy(h.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost);
	for (float x : h)
		if (x != 7)
			return printf("FAILED: %g\n", x), 1;
	puts("PASSED");
	return cudaGetLastError();
}
END
cat >driver.c <<'END'
#include <cuda.h>
#include <stdio.h>
int main(void)
{
	int n = 0;
	CUdevice device;
	CUcontext context;
	if (cuInit(0) || cuDeviceGetCount(&n) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device))
		return 1;
	puts(n == 1 ? "PASSED" : "FAILED");
	return 0;
}
END
cmake -S . -B build >log 2>&1 && cmake --build build -j2 >>log 2>&1 || { echo "this CMake and this toolkit build nothing: $(grep -m1 -i error log)"; exit 77; }
for program in app app_shared app_driver; do
	got=$(timeout 60 "$WARPSTEP" -m functional --batch --args build/$program 2>err) || fail "$program: status $?: $(cat err)"
	[ "$got" = PASSED ] || fail "$program: $got"
	got=$(WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH=$LIBRARIES timeout 60 build/$program 2>err) || fail "$program alone: status $?: $(cat err)"
	[ "$got" = PASSED ] || fail "$program alone: $got"
done
exit $bad
