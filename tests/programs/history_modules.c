/* What test_program_history.sh goes back through: modules that come and go. A value of 10 is doubled, tripled and doubled by kernels of the same name, each in
 * a module that is loaded for it and unloaded behind it. Nothing is copied between them. */
#include "fixture.h"

int cuModuleLoadData(void **, const void *), cuModuleUnload(void *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

#define TEXT(name, path) __asm__(".section .rodata\n" name ":\n.incbin \"" path "\"\n.byte 0\n.previous\n")
TEXT("twice", "modules-double.ptx");
TEXT("thrice", "modules-triple.ptx");
extern const char twice[], thrice[];

static void scale(const char *text, int *value)
{
	void *module, *function;
	int back;
	CHECK(cuModuleLoadData(&module, text));
	CHECK(cuModuleGetFunction(&function, module, "scale"));
	CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&value}, NULL));
	CHECK(cudaMemcpy(&back, value, sizeof back, cudaMemcpyDeviceToHost));
	printf("%d\n", back);
	CHECK(cuModuleUnload(module));
}

int main(void)
{
	int *value, ten = 10;
	CHECK(cudaMalloc((void **)&value, sizeof *value));
	CHECK(cudaMemcpy(value, &ten, sizeof ten, cudaMemcpyHostToDevice));
	scale(twice, value);
	scale(thrice, value);
	scale(twice, value);
	CHECK(cudaDeviceSynchronize());
	return 0;
}
