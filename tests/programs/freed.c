/* What was given back is used, and given back again: of every kind of handle, in both APIs. It is an error of CUDA's each time, and the program goes on. `freed KIND`. */
#include "checks.h"

typedef struct CUgraph_st *graph_t;
typedef struct CUgraphExec_st *exec_t;
typedef struct CUgraphNode_st *node_t;
typedef void *handle_t;
struct channels {
	int bits[4], format;
};
struct kernel_params {
	const void *function;
	dim3 grid, block;
	unsigned shared;
	void **arguments, **extra;
};
struct pool_properties {
	int type, handles, location[2];
	char rest[80];
};

int cudaEventQuery(event_t e), cudaStreamQuery(cudaStream_t s), cudaStreamWaitEvent(cudaStream_t s, event_t e, unsigned flags);
int cudaEventElapsedTime(float *ms, event_t a, event_t b), cudaStreamGetPriority(cudaStream_t s, int *p), cudaStreamGetFlags(cudaStream_t s, unsigned *f);
int cudaLaunchHostFunc(cudaStream_t s, void (*f)(void *), void *p), cudaStreamBeginCapture(cudaStream_t s, int mode), cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, cudaStream_t s);
int cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t s), cudaMallocAsync(void **p, size_t n, cudaStream_t s), cudaFreeAsync(void *p, cudaStream_t s);
int cudaGraphCreate(graph_t *g, unsigned flags), cudaGraphDestroy(graph_t g), cudaGraphInstantiate(exec_t *e, graph_t g, unsigned long long flags), cudaGraphExecDestroy(exec_t e);
int cudaGraphLaunch(exec_t e, cudaStream_t s), cudaGraphClone(graph_t *to, graph_t g), cudaGraphAddEmptyNode(node_t *n, graph_t g, const node_t *before, size_t k);
int cudaGraphAddKernelNode(node_t *n, graph_t g, const node_t *before, size_t k, const struct kernel_params *p), cudaGraphDestroyNode(node_t n), cudaGraphNodeGetType(node_t n, int *type);
int cudaGraphKernelNodeGetParams(node_t n, struct kernel_params *p), cudaGraphKernelNodeSetParams(node_t n, const struct kernel_params *p), cudaGraphGetNodes(graph_t g, node_t *n, size_t *k);
int cudaGraphExecKernelNodeSetParams(exec_t e, node_t n, const struct kernel_params *p), cudaGraphExecUpdate(exec_t e, graph_t g, void *result), cudaGraphAddChildGraphNode(node_t *n, graph_t g, const node_t *before, size_t k, graph_t child);
int cudaGraphNodeGetDependencies(node_t n, node_t *to, size_t *k), cudaGraphAddEventWaitNode(node_t *n, graph_t g, const node_t *before, size_t k, event_t e);
int cudaMallocArray(handle_t *a, const struct channels *c, size_t w, size_t h, unsigned flags), cudaFreeArray(handle_t a), cudaMemcpy2DToArray(handle_t a, size_t x, size_t y, const void *p, size_t pitch, size_t w, size_t h, int kind);
int cudaArrayGetInfo(struct channels *c, void *extent, unsigned *flags, handle_t a);
int cudaMemPoolCreate(handle_t *p, const struct pool_properties *how), cudaMemPoolDestroy(handle_t p), cudaMemPoolTrimTo(handle_t p, size_t n), cudaMallocFromPoolAsync(void **a, size_t n, handle_t p, cudaStream_t s);
int cudaMemPoolGetAttribute(handle_t p, int which, void *v), cudaMemPoolSetAttribute(handle_t p, int which, void *v), cudaDeviceSetMemPool(int device, handle_t p);
int cudaLibraryLoadData(handle_t *l, const void *code, int *o, void **v, unsigned n, int *o2, void **v2, unsigned n2), cudaLibraryUnload(handle_t l), cudaLibraryGetKernel(handle_t *k, handle_t l, const char *name);
int cudaLibraryGetGlobal(void **p, size_t *n, handle_t l, const char *name), cudaLibraryGetKernelCount(unsigned *n, handle_t l), cudaFuncGetAttributes(void *a, const void *f), cudaFuncSetAttribute(const void *f, int a, int v);
int cudaMallocHost(void **p, size_t n), cudaFreeHost(void *p), cudaMallocManaged(void **p, size_t n, unsigned flags), cudaHostRegister(void *p, size_t n, unsigned flags), cudaHostUnregister(void *p), cudaHostGetDevicePointer(void **d, void *h, unsigned flags);
int cuModuleLoadData(handle_t *m, const void *image), cuModuleUnload(handle_t m), cuModuleGetFunction(handle_t *f, handle_t m, const char *name), cuModuleGetGlobal_v2(unsigned long long *p, size_t *n, handle_t m, const char *name);
int cuLaunchKernel(handle_t f, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle_t s, void **p, void **x), cuFuncGetAttribute(int *v, int a, handle_t f), cuInit(unsigned), cuCtxCreate_v2(handle_t *c, unsigned flags, int device);
int cuCtxDestroy_v2(handle_t c), cuCtxSetCurrent(handle_t c), cuCtxPushCurrent_v2(handle_t c), cuLinkCreate_v2(unsigned n, int *o, void **v, handle_t *l), cuLinkDestroy(handle_t l), cuLinkComplete(handle_t l, void **image, size_t *n);
int cuLinkAddData_v2(handle_t l, int kind, const void *data, size_t n, const char *name, unsigned k, int *o, void **v), cuStreamDestroy_v2(handle_t s), cuStreamSynchronize(handle_t s), cuEventDestroy_v2(handle_t e);
int cuEventRecord(handle_t e, handle_t s), cuMemFree_v2(unsigned long long p), cuArrayDestroy(handle_t a), cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t n), cuMemsetD32_v2(unsigned long long p, unsigned v, size_t n);

FIXTURE("kernels.ptx")
KERNEL(empty, "empty")
KERNEL(fill, "fill")
__asm__(".section .rodata\ntext:\n.incbin \"kernels.ptx\"\n.byte 0\n.previous\n");
extern const char text[];

enum { invalid = 1, handle = 400, no_context = 201 };

static int use(void)
{
	int h[64] = {0}, *a, seven = 7, n = 64, error = cudaMalloc((void **)&a, sizeof h);
	if (!error)
		error = launch(fill, 1, 64, 0, NULL, ARGUMENTS(&a, &seven, &n));
	if (!error)
		error = cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
	return error ? error : h[63] == 70 ? cudaFree(a) : 99;
}

static void nothing(void *p) { (void)p; }

static void streams(void)
{
	cudaStream_t s;
	int v, *p;
	unsigned f;
	RETURNS(0, cudaMalloc((void **)&p, 64));
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, cudaStreamDestroy(s));
	RETURNS(handle, cudaStreamDestroy(s));
	RETURNS(handle, cudaStreamSynchronize(s));
	RETURNS(handle, cudaStreamQuery(s));
	RETURNS(handle, cudaStreamGetPriority(s, &v));
	RETURNS(handle, cudaStreamGetFlags(s, &f));
	RETURNS(handle, cudaLaunchHostFunc(s, nothing, NULL));
	RETURNS(handle, cudaMemcpyAsync(p, &v, 4, cudaMemcpyHostToDevice, s));
	RETURNS(handle, cudaMemsetAsync(p, 0, 4, s));
	RETURNS(handle, cudaMallocAsync((void **)&p, 4, s));
	RETURNS(handle, cudaFreeAsync(p, s));
	RETURNS(handle, launch(empty, 1, 32, 0, s, ARGUMENTS(NULL)));
	RETURNS(handle, cudaStreamBeginCapture(s, 0));
	RETURNS(handle, cuStreamSynchronize(s));
	RETURNS(handle, cuStreamDestroy_v2(s));
	RETURNS(0, cudaFree(p));
}

static void events(void)
{
	event_t e, live;
	float ms;
	RETURNS(0, cudaEventCreate(&e));
	RETURNS(0, cudaEventCreate(&live));
	RETURNS(0, cudaEventRecord(live, NULL));
	RETURNS(0, cudaEventDestroy(e));
	RETURNS(handle, cudaEventDestroy(e));
	RETURNS(handle, cudaEventRecord(e, NULL));
	RETURNS(handle, cudaEventQuery(e));
	RETURNS(handle, cudaEventSynchronize(e));
	RETURNS(handle, cudaEventElapsedTime(&ms, live, e));
	RETURNS(handle, cudaStreamWaitEvent(NULL, e, 0));
	RETURNS(handle, cuEventRecord(e, NULL));
	RETURNS(handle, cuEventDestroy_v2(e));
	RETURNS(0, cudaEventDestroy(live));
}

static void modules(void)
{
	handle_t m, f;
	unsigned long long p;
	size_t n;
	int v;
	RETURNS(0, cuModuleLoadData(&m, text));
	RETURNS(0, cuModuleGetFunction(&f, m, "empty"));
	RETURNS(0, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	RETURNS(0, cuModuleUnload(m));
	RETURNS(handle, cuModuleUnload(m));
	RETURNS(handle, cuModuleGetFunction(&f, m, "empty"));
	RETURNS(handle, cuModuleGetGlobal_v2(&p, &n, m, "counter"));
	RETURNS(handle, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	RETURNS(handle, cuFuncGetAttribute(&v, 0, f));
	RETURNS(handle, cudaFuncSetAttribute(f, 8, 100));
}

static void libraries(void)
{
	handle_t l, k;
	void *p;
	size_t n;
	unsigned count;
	char attributes[256];
	RETURNS(0, cudaLibraryLoadData(&l, text, NULL, NULL, 0, NULL, NULL, 0));
	RETURNS(0, cudaLibraryGetKernel(&k, l, "empty"));
	RETURNS(0, cudaLibraryUnload(l));
	RETURNS(handle, cudaLibraryUnload(l));
	RETURNS(handle, cudaLibraryGetKernel(&k, l, "empty"));
	RETURNS(handle, cudaLibraryGetGlobal(&p, &n, l, "counter"));
	RETURNS(handle, cudaLibraryGetKernelCount(&count, l));
	RETURNS(handle, launch(k, 1, 1, 0, NULL, ARGUMENTS(NULL)));
	RETURNS(handle, cudaFuncGetAttributes(attributes, k));
}

static void linkers(void)
{
	handle_t l;
	void *image;
	size_t n;
	RETURNS(0, cuLinkCreate_v2(0, NULL, NULL, &l));
	RETURNS(0, cuLinkDestroy(l));
	RETURNS(handle, cuLinkDestroy(l));
	RETURNS(handle, cuLinkAddData_v2(l, 1, text, 100, "x", 0, NULL, NULL));
	RETURNS(handle, cuLinkComplete(l, &image, &n));
}

static void contexts(void)
{
	handle_t c;
	RETURNS(0, cuCtxCreate_v2(&c, 0, 0));
	RETURNS(0, cuCtxDestroy_v2(c));
	RETURNS(no_context, cuCtxDestroy_v2(c));
	RETURNS(no_context, cuCtxSetCurrent(c));
	RETURNS(no_context, cuCtxPushCurrent_v2(c));
}

static void graphs(void)
{
	graph_t g, copy, child;
	exec_t e;
	node_t n, m, more;
	event_t event;
	size_t k = 1;
	int type;
	struct kernel_params p = {.function = empty, .grid = {1, 1, 1}, .block = {32, 1, 1}}, got;
	RETURNS(0, cudaEventCreate(&event));
	RETURNS(0, cudaGraphCreate(&g, 0));
	RETURNS(0, cudaGraphCreate(&child, 0));
	RETURNS(0, cudaGraphAddKernelNode(&n, g, NULL, 0, &p));
	RETURNS(0, cudaGraphAddEventWaitNode(&more, g, &n, 1, event));
	RETURNS(0, cudaGraphAddEmptyNode(&m, g, &n, 1));
	RETURNS(0, cudaGraphDestroyNode(m));
	RETURNS(invalid, cudaGraphDestroyNode(m));
	RETURNS(invalid, cudaGraphNodeGetType(m, &type));
	RETURNS(invalid, cudaGraphAddEmptyNode(&more, g, &m, 1));
	RETURNS(0, cudaGraphInstantiate(&e, g, 0));
	RETURNS(0, cudaEventDestroy(event));
	RETURNS(handle, cudaGraphLaunch(e, NULL)); /* it waits for an event that is gone */
	RETURNS(0, cudaGraphDestroy(g));
	RETURNS(invalid, cudaGraphDestroy(g));
	RETURNS(invalid, cudaGraphClone(&copy, g));
	RETURNS(invalid, cudaGraphGetNodes(g, NULL, &k));
	RETURNS(invalid, cudaGraphAddEmptyNode(&m, g, NULL, 0));
	RETURNS(invalid, cudaGraphAddChildGraphNode(&m, child, NULL, 0, g));
	RETURNS(invalid, cudaGraphKernelNodeGetParams(n, &got));
	RETURNS(invalid, cudaGraphKernelNodeSetParams(n, &p));
	RETURNS(invalid, cudaGraphNodeGetDependencies(n, NULL, &k));
	RETURNS(invalid, cudaGraphAddEmptyNode(&m, child, &n, 1));
	RETURNS(invalid, cudaGraphInstantiate(&e, g, 0));
	RETURNS(invalid, cudaGraphExecUpdate(e, g, NULL));
	RETURNS(0, cudaGraphExecDestroy(e));
	RETURNS(invalid, cudaGraphExecDestroy(e));
	RETURNS(invalid, cudaGraphLaunch(e, NULL));
	RETURNS(invalid, cudaGraphExecKernelNodeSetParams(e, n, &p));
	RETURNS(invalid, cudaGraphExecUpdate(e, child, NULL));
	for (int i = 0; i < 2000; i++) /* many are known, and forgotten */
		RETURNS(0, cudaGraphAddEmptyNode(&m, child, i ? &m : NULL, i ? 1 : 0));
	RETURNS(0, cudaGraphDestroy(child));
	RETURNS(invalid, cudaGraphNodeGetType(m, &type));
}

static void arrays(void)
{
	const struct channels c = {{32, 0, 0, 0}, 0};
	struct channels got;
	size_t extent[3];
	unsigned flags;
	int h[16];
	handle_t a;
	RETURNS(0, cudaMallocArray(&a, &c, 4, 4, 0));
	RETURNS(0, cudaFreeArray(a));
	EXPECT(cudaFreeArray(a) != 0);
	EXPECT(cudaArrayGetInfo(&got, extent, &flags, a) != 0);
	EXPECT(cudaMemcpy2DToArray(a, 0, 0, h, 16, 16, 4, cudaMemcpyHostToDevice) != 0);
	EXPECT(cuArrayDestroy(a) != 0);
}

static void pools(void)
{
	const struct pool_properties how = {.type = 1, .location = {1, 0}};
	unsigned long long v = 0;
	handle_t p;
	void *a;
	RETURNS(0, cudaMemPoolCreate(&p, &how));
	RETURNS(0, cudaMemPoolDestroy(p));
	RETURNS(invalid, cudaMemPoolDestroy(p));
	RETURNS(invalid, cudaMemPoolTrimTo(p, 0));
	RETURNS(invalid, cudaMemPoolGetAttribute(p, 4, &v));
	RETURNS(invalid, cudaMemPoolSetAttribute(p, 4, &v));
	RETURNS(invalid, cudaMallocFromPoolAsync(&a, 64, p, NULL));
	RETURNS(invalid, cudaDeviceSetMemPool(0, p));
}

static void memory(void)
{
	static char mine[8192];
	char h[64], *p, *at;
	RETURNS(0, cudaMalloc((void **)&p, 64));
	RETURNS(0, cudaFree(p));
	RETURNS(invalid, cudaFree(p));
	RETURNS(invalid, cuMemFree_v2((uintptr_t)p));
	RETURNS(invalid, cudaMemcpy(h, p, 64, cudaMemcpyDeviceToHost));
	RETURNS(invalid, cudaMemset(p, 0, 64));
	RETURNS(invalid, cudaFreeAsync(p, NULL));
	RETURNS(invalid, cuMemcpyDtoH_v2(h, (uintptr_t)p, 64));
	RETURNS(invalid, cuMemsetD32_v2((uintptr_t)p, 0, 16));
	RETURNS(0, cudaMallocHost((void **)&p, 64));
	RETURNS(0, cudaFreeHost(p));
	RETURNS(invalid, cudaFreeHost(p));
	EXPECT(cudaHostGetDevicePointer((void **)&at, p, 0) != 0);
	RETURNS(0, cudaMallocManaged((void **)&p, 64, 1));
	RETURNS(0, cudaFree(p));
	RETURNS(invalid, cudaFree(p));
	RETURNS(0, cudaHostRegister(mine, sizeof mine, 0));
	RETURNS(0, cudaHostUnregister(mine));
	RETURNS(713, cudaHostUnregister(mine)); /* cudaErrorHostMemoryNotRegistered */
	EXPECT(cudaHostGetDevicePointer((void **)&at, mine, 0) != 0);
	mine[5000] = 3; /* it is the program's own again */
}

int main(void)
{
	void (*const all[])(void) = {streams, events, modules, libraries, linkers, graphs, arrays, pools, memory};
	RETURNS(0, cuInit(0));
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
		all[k]();
		RETURNS(0, use());
		cudaGetLastError();
	}
	contexts();
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}
