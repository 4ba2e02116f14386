/* Modules that the program opens by itself: from PTX in memory and in a file, the same one twice; kernels and variables by name; logs; closing. */
#include "fixture.h"

typedef struct library *cudaLibrary_t;
typedef struct kernel *cudaKernel_t;
RUNTIME(cudaError_t, cudaLibraryLoadData,
	(cudaLibrary_t *library, const void *code, const int *options, void **values, unsigned n, const int *own, void **own_values, unsigned n_own))
RUNTIME(cudaError_t, cudaLibraryLoadFromFile,
	(cudaLibrary_t *library, const char *path, const int *options, void **values, unsigned n, const int *own, void **own_values, unsigned n_own))
RUNTIME(cudaError_t, cudaLibraryUnload, (cudaLibrary_t library))
RUNTIME(cudaError_t, cudaLibraryGetKernel, (cudaKernel_t *kernel, cudaLibrary_t library, const char *name))
RUNTIME(cudaError_t, cudaLibraryGetGlobal, (void **address, size_t *bytes, cudaLibrary_t library, const char *name))
RUNTIME(cudaError_t, cudaLibraryGetKernelCount, (unsigned *count, cudaLibrary_t library))
RUNTIME(cudaError_t, cudaLibraryEnumerateKernels, (cudaKernel_t *kernels, unsigned most, cudaLibrary_t library))
RUNTIME(cudaError_t, cudaFuncGetName, (const char **name, const void *function))
RUNTIME(cudaError_t, cudaFuncGetParamInfo, (const void *function, size_t index, size_t *offset, size_t *bytes))

enum { INFO_LOG = 3, INFO_LOG_BYTES, ERROR_LOG, ERROR_LOG_BYTES }; /* cudaJitOption */

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 4096);
	if (!f || !fread(text, 1, 4095, f))
		exit(8);
	fclose(f);
	return text;
}

static int run(cudaKernel_t kernel, int *device)
{
	int value = 10;
	void *arguments[] = {&device};
	CHECK(cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice));
	CHECK(cudaLaunchKernel(kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, arguments, 0, NULL));
	CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
	return value;
}

/* What is wrong with PTX comes back as text, and how long it is. */
static void show_log(void)
{
	char log[200] = "", small[8] = "";
	cudaLibrary_t none;
	const int options[] = {ERROR_LOG, ERROR_LOG_BYTES};
	void *values[] = {log, (void *)sizeof log}, *few[] = {small, (void *)sizeof small};
	const char *bad = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { add.u32 %r1, 1, 2; ret; }\n";
	printf("bad: %d\n", cudaLibraryLoadData(&none, bad, options, values, 2, NULL, NULL, 0));
	printf("%d %d %d\n", strstr(log, "libraries-13-2.ptx:4:") != NULL, strstr(log, "%r1") != NULL, (size_t)values[1] == strlen(log));
	const int again = cudaLibraryLoadData(&none, bad, options, few, 2, NULL, NULL, 0);
	printf("again: %d '%s' %d\n", again, small, (int)(size_t)few[1]);
	printf("no PTX: %d\n", cudaLibraryLoadData(&none, "no PTX", NULL, NULL, 0, NULL, NULL, 0));
	printf("no file: %d\n", cudaLibraryLoadFromFile(&none, "no/such.ptx", NULL, NULL, 0, NULL, NULL, 0));
	cudaGetLastError();
}

int main(void)
{
	cudaLibrary_t library[3];
	cudaKernel_t kernel[3], listed[2];
	char *text = read_text("modules-double.ptx");
	int *device, *factor, eleven = 11;
	unsigned n;
	size_t bytes, offset;
	const char *name;
	CHECK(cudaMalloc((void **)&device, sizeof *device));
	CHECK(cudaLibraryLoadData(&library[0], text, NULL, NULL, 0, NULL, NULL, 0));
	CHECK(cudaLibraryLoadData(&library[1], text, NULL, NULL, 0, NULL, NULL, 0));
	CHECK(cudaLibraryLoadFromFile(&library[2], "modules-triple.ptx", NULL, NULL, 0, NULL, NULL, 0));
	for (int k = 0; k < 3; k++)
		CHECK(cudaLibraryGetKernel(&kernel[k], library[k], "scale"));
	CHECK(cudaLibraryGetGlobal((void **)&factor, &bytes, library[1], "factor"));
	CHECK(cudaMemcpy(factor, &eleven, sizeof eleven, cudaMemcpyHostToDevice));
	for (int k = 0; k < 3; k++)
		printf("%d ", run(kernel[k], device));
	printf("factor has %zu bytes\n", bytes);
	CHECK(cudaLibraryGetKernelCount(&n, library[2]));
	CHECK(cudaLibraryEnumerateKernels(listed, 2, library[2]));
	CHECK(cudaFuncGetName(&name, listed[0]));
	CHECK(cudaFuncGetParamInfo(listed[0], 0, &offset, &bytes));
	printf("%u kernel, %s, %d; parameter at %zu, %zu bytes\n", n, name, listed[0] == kernel[2], offset, bytes);
	printf("no such kernel: %d, variable: %d, parameter: %d\n", cudaLibraryGetKernel(&kernel[1], library[0], "none"),
	       cudaLibraryGetGlobal((void **)&factor, &bytes, library[0], "none"), cudaFuncGetParamInfo(listed[0], 1, &offset, &bytes));
	CHECK(cudaLibraryUnload(library[1]));
	printf("closed twice: %d\n", cudaLibraryUnload(library[1]));
	printf("its kernel: %d\n", cudaLibraryGetKernel(&kernel[1], library[1], "scale"));
	for (int k = 0; k < 3; k += 2)
		printf("%d\n", run(kernel[k], device));
	show_log();
	return 0;
}
