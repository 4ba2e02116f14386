/* Opens a module that isn't valid PTX, twice, and continues. */
#include <stdio.h>

int cuInit(unsigned), cuDeviceGet(int *, int), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *);

static const char bad[] = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<4>;\n\tnosuch.s32 %r1, %r2;\n"
			  "\tnosuch.s32 %r1, %r2;\n\tret;\n}\n";

int main(void)
{
	void *context, *module;
	int device;
	cuInit(0);
	cuDeviceGet(&device, 0);
	cuDevicePrimaryCtxRetain(&context, device);
	cuCtxSetCurrent(context);
	printf("%d", cuModuleLoadData(&module, bad));
	printf(" %d\n", cuModuleLoadData(&module, bad));
	return 0;
}
