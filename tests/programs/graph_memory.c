/* Memory nodes of graphs: `graph_memory WHAT`. */
#include "graph.h"

RUNTIME(cudaError_t, cudaMallocAsync, (void **p, size_t n, cudaStream_t s))
RUNTIME(cudaError_t, cudaFreeAsync, (void *p, cudaStream_t s))
RUNTIME(cudaError_t, cudaGraphAddMemAllocNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, alloc_params *p))
RUNTIME(cudaError_t, cudaGraphAddMemFreeNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, void *p))
RUNTIME(cudaError_t, cudaGraphMemAllocNodeGetParams, (cudaGraphNode_t n, alloc_params *p))
RUNTIME(cudaError_t, cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t n, void *p))
RUNTIME(cudaError_t, cudaDeviceGetGraphMemAttribute, (int device, int attribute, void *value))
RUNTIME(cudaError_t, cudaDeviceSetGraphMemAttribute, (int device, int attribute, void *value))
RUNTIME(cudaError_t, cudaDeviceGraphMemTrim, (int device))

RUNTIME(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t *s, unsigned flags))

#define BYTES (2u << 20)
static unsigned host[32];
static unsigned two = 2, five = 5;

static alloc_params of_device(size_t bytes) { return (alloc_params){.type = 1, .location = 1, .bytes = bytes}; }

static void told(const char *when)
{
	uint64_t used, high, reserved, most;
	CHECK(cudaDeviceGetGraphMemAttribute(0, 0, &used));
	CHECK(cudaDeviceGetGraphMemAttribute(0, 1, &high));
	CHECK(cudaDeviceGetGraphMemAttribute(0, 2, &reserved));
	CHECK(cudaDeviceGetGraphMemAttribute(0, 3, &most));
	printf("%s: %llu %llu %llu %llu\n", when, (unsigned long long)used / BYTES, (unsigned long long)high / BYTES, (unsigned long long)reserved / BYTES,
	       (unsigned long long)most / BYTES);
}

/* filled with 1, plus 2, copied back; freed if so wished */
static unsigned *make(cudaGraphExec_t *exec, cudaGraph_t *g, bool frees, unsigned long long flags)
{
	cudaGraphNode_t alloc, fill, plus, copy, end;
	void *a[2];
	alloc_params p = of_device(BYTES), q;
	CHECK(cudaGraphCreate(g, 0));
	CHECK(cudaGraphAddMemAllocNode(&alloc, *g, NULL, 0, &p));
	unsigned *at = p.at;
	const fill_params ones = {.to = at, .value = 1, .element = 4, .width = 32, .height = 1};
	CHECK(cudaGraphAddMemsetNode(&fill, *g, &alloc, 1, &ones));
	const kernel_params k = kernel(add, &at, &two, a);
	CHECK(cudaGraphAddKernelNode(&plus, *g, &fill, 1, &k));
	CHECK(cudaGraphAddMemcpyNode1D(&copy, *g, &plus, 1, host, at, sizeof host, cudaMemcpyDefault));
	if (frees) {
		void *freed;
		int type;
		CHECK(cudaGraphAddMemFreeNode(&end, *g, &copy, 1, at));
		CHECK(cudaGraphMemFreeNodeGetParams(end, &freed));
		CHECK(cudaGraphNodeGetType(end, &type));
		printf("free node: %d, type %d\n", freed == at, type);
	}
	CHECK(cudaGraphMemAllocNodeGetParams(alloc, &q));
	printf("alloc node: %d, %zu bytes\n", q.at == at, q.bytes);
	CHECK(cudaGraphInstantiateWithFlags(exec, *g, flags));
	return at;
}

static void launch(cudaGraphExec_t exec)
{
	memset(host, 0, sizeof host);
	CHECK(cudaGraphLaunch(exec, NULL));
	CHECK(cudaDeviceSynchronize());
	printf("%u %u\n", host[0], host[31]);
}

static void nodes(void)
{
	cudaGraphExec_t exec;
	cudaGraph_t g;
	uint64_t zero = 0, one = 1;
	unsigned *at = make(&exec, &g, true, 0);
	told("made");
	launch(exec);
	launch(exec);
	told("launched");
	CHECK(cudaDeviceGraphMemTrim(0));
	CHECK(cudaDeviceSetGraphMemAttribute(0, 1, &zero));
	told("trimmed");
	printf("other than zero: %d, not a mark: %d\n", cudaDeviceSetGraphMemAttribute(0, 3, &one), cudaDeviceSetGraphMemAttribute(0, 0, &zero));
	printf("not allocated: %d\n", cudaMemset(at, 0, 4));
	CHECK(cudaGraphDestroy(g));
	launch(exec);
	CHECK(cudaGraphExecDestroy(exec));
}

static void outside(void)
{
	cudaGraphExec_t exec, freeing;
	cudaGraph_t g, h;
	cudaGraphNode_t end;
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
	unsigned *at = make(&exec, &g, false, 0);
	launch(exec);
	told("not freed");
	printf("again: %d\n", cudaGraphLaunch(exec, NULL));
	CHECK(cudaLaunchKernel(scale, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&at, &five}, 0, NULL));
	CHECK(cudaMemcpy(host, at, sizeof host, cudaMemcpyDeviceToHost));
	printf("used outside: %u\n", host[7]);
	CHECK(cudaFree(at));
	printf("twice: %d\n", cudaFree(at));
	told("freed");
	CHECK(cudaGraphLaunch(exec, s));
	CHECK(cudaFreeAsync(at, s));
	CHECK(cudaGraphLaunch(exec, NULL));
	CHECK(cudaGraphCreate(&h, 0));
	CHECK(cudaGraphAddMemFreeNode(&end, h, NULL, 0, at));
	CHECK(cudaGraphInstantiateWithFlags(&freeing, h, 0));
	CHECK(cudaGraphLaunch(freeing, NULL));
	launch(exec);
	printf("freed by another, then in its own: %d\n", cudaGraphAddMemFreeNode(&end, g, NULL, 0, at));
	/* it lives as long as it is allocated */
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(g));
	CHECK(cudaMemcpy(host, at, sizeof host, cudaMemcpyDeviceToHost));
	printf("destroyed: %u\n", host[7]);
	CHECK(cudaGraphLaunch(freeing, NULL));
	CHECK(cudaDeviceSynchronize());
	printf("freed: %d %d\n", cudaMemset(at, 0, 4), cudaFree(at));

	at = make(&exec, &g, false, 1); /* cudaGraphInstantiateFlagAutoFreeOnLaunch */
	launch(exec);
	launch(exec);
	told("automatically");
}

static void refused(void)
{
	cudaGraphExec_t exec, other;
	cudaGraph_t g, h, clone;
	cudaGraphNode_t end, list[8];
	size_t n = 8;
	unsigned *mine;
	alloc_params p = of_device(0), q = of_device(BYTES);
	q.location = 2;
	unsigned *at = make(&exec, &g, true, 0);
	CHECK(cudaMalloc((void **)&mine, 4));
	CHECK(cudaGraphCreate(&h, 0));
	CHECK(cudaGraphGetNodes(g, list, &n));
	printf("no bytes: %d, not of the device: %d\n", cudaGraphAddMemAllocNode(&end, g, NULL, 0, &p), cudaGraphAddMemAllocNode(&end, g, NULL, 0, &q));
	printf("freed twice: %d, by another: %d, not a graph's: %d\n", cudaGraphAddMemFreeNode(&end, g, NULL, 0, at), cudaGraphAddMemFreeNode(&end, h, NULL, 0, at),
	       cudaGraphAddMemFreeNode(&end, h, NULL, 0, mine));
	printf("clone: %d, child: %d, node: %d\n", cudaGraphClone(&clone, g), cudaGraphAddChildGraphNode(&end, h, NULL, 0, g), cudaGraphDestroyNode(list[1]));
	printf("second: %d", cudaGraphInstantiateWithFlags(&other, g, 0));
	CHECK(cudaGraphExecDestroy(exec));
	printf(", after the first: %d\n", cudaGraphInstantiateWithFlags(&other, g, 0));
	alloc_params more = of_device((size_t)8 << 30);
	printf("more than there is: %d\n", cudaGraphAddMemAllocNode(&end, h, NULL, 0, &more));
}

static void capture(void)
{
	cudaStream_t s, t;
	cudaGraph_t g;
	cudaGraphExec_t exec;
	cudaGraphNode_t list[8];
	unsigned *a, *mine;
	size_t n = 8;
	CHECK(cudaMalloc((void **)&mine, 4));
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(cudaStreamBeginCapture(s, 0));
	CHECK(cudaMallocAsync((void **)&a, BYTES, s));
	CHECK(cudaMemsetAsync(a, 0, sizeof host, s));
	CHECK(cudaLaunchKernel(add, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&a, &five}, 0, s));
	CHECK(cudaMemcpyAsync(host, a, sizeof host, cudaMemcpyDeviceToHost, s));
	CHECK(cudaFreeAsync(a, s));
	printf("not a graph's: %d\n", cudaFreeAsync(mine, s));
	CHECK(cudaStreamEndCapture(s, &g));
	CHECK(cudaGraphGetNodes(g, list, &n));
	printf("%zu nodes:", n);
	for (size_t k = 0; k < n; k++) {
		int type;
		CHECK(cudaGraphNodeGetType(list[k], &type));
		printf(" %d", type);
	}
	printf("\n");
	CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
	launch(exec);
	/* one after the other, whatever the stream */
	for (unsigned k = 0; k < 3; k++) {
		CHECK(cudaGraphLaunch(exec, s));
		CHECK(cudaGraphLaunch(exec, t));
	}
	CHECK(cudaDeviceSynchronize());
	printf("%u\n", host[31]);
}

/* Of two streams at once each needs its own; of one stream the second launch takes what the first has freed. */
static void footprint(void)
{
	cudaGraphExec_t exec[2];
	cudaGraph_t g;
	cudaStream_t s[2];
	for (int k = 0; k < 2; k++) {
		CHECK(cudaStreamCreateWithFlags(&s[k], 1));
		make(&exec[k], &g, true, 0);
	}
	told("made");
	CHECK(cudaGraphLaunch(exec[0], s[0]));
	CHECK(cudaGraphLaunch(exec[0], s[0]));
	CHECK(cudaGraphLaunch(exec[1], s[0]));
	told("one stream");
	CHECK(cudaGraphLaunch(exec[1], s[1]));
	told("two streams");
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaDeviceGraphMemTrim(0));
	told("trimmed");
}

/* A kernel uses it when it is freed. */
static void late(void)
{
	cudaGraphExec_t exec;
	cudaGraph_t g;
	unsigned *at = make(&exec, &g, true, 0);
	launch(exec);
	CHECK(cudaLaunchKernel(scale, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&at, &five}, 0, NULL));
	printf("late: %d\n", cudaDeviceSynchronize());
}

static void frees(void)
{
	cudaGraphExec_t exec;
	cudaGraph_t g;
	unsigned *at = make(&exec, &g, false, 0);
	printf("before: %d\n", cudaFree(at));
	launch(exec);
	printf("freed: %d\n", cudaFree(at));
	printf("twice: %d\n", cudaFree(at));
	printf("in a stream: %d\n", cudaFreeAsync(at, NULL));
	launch(exec);
	printf("again: %d\n", cudaFree(at));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {{"nodes", nodes}, {"outside", outside}, {"refused", refused}, {"capture", capture}, {"footprint", footprint}, {"late", late}, {"frees", frees}};
	for (unsigned k = 0; argc > 1 && k < sizeof parts / sizeof *parts; k++)
		if (!strcmp(argv[1], parts[k].name))
			parts[k].run();
	return 0;
}
