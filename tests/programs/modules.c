/* Several modules in one program: the same names in each, compressed fat binaries, two translation units that are linked (-rdc=true), machine
 * code alone. What a kernel computes says which module it is from. */
#include "fixture.h"

#define FATBIN(label, path) \
	__asm__(".section .nv_fatbin,\"a\"\n.balign 8\n" label ":\n.incbin \"" path "\"\n.balign 8\n.previous\n")
#define PTX(label, path) \
	__asm__(".section .nv_fatbin,\"a\"\n.balign 8\n" label ":\n.long 0xBA55ED50\n.short 1, 16\n.quad 3f - 1f\n1:\n.short 1, 0\n" \
		".long 0x50\n.quad 3f - 2f\n.long 0, 0\n.short 0, 8\n.long 75\n.quad 0, 0x11\n.quad 0, 0, 0, 0\n2:\n.incbin \"" path \
		"\"\n.byte 0\n.balign 8\n3:\n.previous\n")

PTX("module_double", "modules-double.ptx");
PTX("module_triple", "modules-triple.ptx");
PTX("unit_caller", "modules-caller.ptx");
PTX("unit_callee", "modules-callee.ptx");
FATBIN("module_lz4", "../fuzz/corpus/fatbin/one_speed.fatbin");
FATBIN("module_zstd", "../fuzz/corpus/fatbin/one_size.fatbin");
FATBIN("module_sass", "../fuzz/corpus/fatbin/one_sass.fatbin");
extern const char module_double[], module_triple[], unit_caller[], unit_callee[], module_lz4[], module_zstd[], module_sass[];

struct wrapper {
	uint32_t magic, version;
	const void *data, *units;
};
static const void *const units[] = {unit_caller, unit_callee, NULL};

enum { DOUBLE, TRIPLE, LINKED, LZ4, ZSTD, SASS, MODULES };
static struct wrapper wrappers[MODULES] = {{0x466243B1, 1, module_double, NULL}, {0x466243B1, 1, module_triple, NULL},
					   {0x466243B1, 2, NULL, units},	 {0x466243B1, 1, module_lz4, NULL},
					   {0x466243B1, 1, module_zstd, NULL},	 {0x466243B1, 1, module_sass, NULL}};
static const char *const names[MODULES] = {"scale", "scale", "call", "_Z3onePi", "_Z3onePi", "_Z3onePi"};
static char stubs[MODULES]; /* each stands for a kernel */
static int factors[2];	    /* the same name in two modules */

__attribute__((constructor)) static void enter(void)
{
	for (int k = 0; k < MODULES; k++) {
		void **handle = __cudaRegisterFatBinary(&wrappers[k]);
		__cudaRegisterFunction(handle, &stubs[k], (char *)names[k], names[k], -1, NULL, NULL, NULL, NULL, NULL);
		if (k <= TRIPLE)
			__cudaRegisterVar(handle, (char *)&factors[k], "factor", "factor", 0, sizeof factors[k], 0, 0);
		__cudaRegisterFatBinaryEnd(handle);
	}
}

static void run(int module, int *device)
{
	int value = 10;
	void *arguments[] = {&device};
	CHECK(cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice));
	int error = cudaLaunchKernel(&stubs[module], (dim3){1, 1, 1}, (dim3){1, 1, 1}, arguments, 0, NULL);
	if (!error)
		CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
	printf("%d: %d\n", module, error ? -error : value);
}

int main(void)
{
	int *device, seven = 7;
	CHECK(cudaMalloc((void **)&device, sizeof *device));
	for (int k = 0; k < MODULES; k++)
		run(k, device);
	CHECK(cudaMemcpyToSymbol(&factors[TRIPLE], &seven, sizeof seven, 0, cudaMemcpyHostToDevice));
	run(DOUBLE, device);
	run(TRIPLE, device);
	CHECK(cudaDeviceReset());
	CHECK(cudaMalloc((void **)&device, sizeof *device));
	run(TRIPLE, device); /* loaded anew */
	return 0;
}
