/* Programs as nvcc makes them, without nvcc: a fat binary with the PTX of a file, registered by hand before main.
 *
 * FIXTURE("vecadd.ptx") embeds it; fixture_kernel(stub, "name") in a constructor registers a kernel. With -DFIXTURE_STATIC the program has a
 * runtime of its own, local functions as libcudart_static.a has them, which fail: it works only if they are redirected. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct {
	unsigned x, y, z;
} dim3;
enum { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };

#ifdef FIXTURE_STATIC
/* what the compiler sees of it tells it nothing: memory that pointers lead to changes */
#define RUNTIME(type, name, args) \
	static __attribute__((noinline, noclone, noipa)) type name args \
	{ \
		__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop"); \
		return (type)(uintptr_t)999; \
	}
#else
#define RUNTIME(type, name, args) type name args;
#endif
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
RUNTIME(void **, __cudaRegisterFatBinary, (void *wrapper))
RUNTIME(char, __cudaRegisterFatBinaryEnd, (void **handle))
RUNTIME(char, __cudaUnregisterFatBinary, (void **handle))
RUNTIME(char, __cudaRegisterFunction, (void **handle, const char *stub, char *device, const char *name, int threads, void *tid, void *bid, dim3 *block, dim3 *grid, int *warp))
RUNTIME(char, __cudaRegisterVar, (void **handle, char *variable, char *device, const char *name, int is_extern, size_t bytes, int constant, int global))
RUNTIME(cudaError_t, cudaMalloc, (void **p, size_t n))
RUNTIME(cudaError_t, cudaFree, (void *p))
RUNTIME(cudaError_t, cudaMemcpy, (void *to, const void *from, size_t n, int kind))
RUNTIME(cudaError_t, cudaMemset, (void *p, int value, size_t n))
RUNTIME(cudaError_t, cudaMemcpyToSymbol, (const void *variable, const void *from, size_t n, size_t offset, int kind))
RUNTIME(cudaError_t, cudaDeviceSynchronize, (void))
RUNTIME(cudaError_t, cudaDeviceReset, (void))
RUNTIME(cudaError_t, cudaGetLastError, (void))
RUNTIME(cudaError_t, cudaGetDeviceCount, (int *n))
RUNTIME(const char *, cudaGetErrorString, (cudaError_t e))
RUNTIME(cudaError_t, cudaLaunchKernel, (const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream))

#define FIXTURE(path) \
	__asm__(".section .nv_fatbin,\"a\"\n.balign 8\nfixture_fatbin:\n" \
		".long 0xBA55ED50\n.short 1, 16\n.quad fixture_end - fixture_entry\n" \
		"fixture_entry:\n.short 1, 0\n.long 0x50\n.quad fixture_end - fixture_text\n.long 0, 0\n.short 0, 8\n.long 75\n.quad 0, 0x11\n" \
		".quad 0, 0, 0, 0\n" \
		"fixture_text:\n.incbin \"" path "\"\n.byte 0\n.balign 8\nfixture_end:\n.previous\n"); \
	extern const uint64_t fixture_fatbin[]; \
	static struct { \
		uint32_t magic, version; \
		const uint64_t *data; \
		void *others; \
	} fixture_wrapper __attribute__((section(".nvFatBinSegment"))) = {0x466243B1, 1, fixture_fatbin, NULL}; \
	static void **fixture_handle; \
	static void fixture_end_it(void) { __cudaUnregisterFatBinary(fixture_handle); } \
	__attribute__((constructor(1000))) static void fixture_begin(void) \
	{ \
		fixture_handle = __cudaRegisterFatBinary(&fixture_wrapper); \
		atexit(fixture_end_it); \
	}

#define KERNEL(stub, name) \
	static void stub(void) {} \
	__attribute__((constructor)) static void stub##_register(void) \
	{ \
		__cudaRegisterFunction(fixture_handle, (const char *)stub, (char *)name, name, -1, NULL, NULL, NULL, NULL, NULL); \
	}

#define VARIABLE(variable, name) \
	__attribute__((constructor)) static void variable##_register(void) \
	{ \
		__cudaRegisterVar(fixture_handle, (char *)&variable, (char *)name, name, 0, sizeof variable, 0, 0); \
	}

#define CHECK(call) \
	do { \
		const int error_ = (call); \
		if (error_) { \
			printf("%s: %d %s\n", #call, error_, cudaGetErrorString(error_)); \
			exit(9); \
		} \
	} while (0)

#endif
