/* Graphs, made node by node and captured: `graphs WHAT`. */
#include "fixture.h"

FIXTURE("streams.ptx")
KERNEL(work, "work")
KERNEL(add, "add")
KERNEL(scale, "scale")

typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct {
	const void *function;
	dim3 grid, block;
	unsigned shared;
	void **arguments, **extra;
} kernel_params;
typedef struct {
	void *to;
	size_t pitch;
	unsigned value, element;
	size_t width, height;
} fill_params;
typedef struct {
	void (*function)(void *);
	void *data;
} host_params;
typedef struct {
	int result;
	cudaGraphNode_t node, from;
} update_result;
RUNTIME(cudaError_t, cudaStreamCreate, (cudaStream_t *s))
RUNTIME(cudaError_t, cudaStreamSynchronize, (cudaStream_t s))
RUNTIME(cudaError_t, cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags))
RUNTIME(cudaError_t, cudaEventCreate, (cudaEvent_t *e))
RUNTIME(cudaError_t, cudaEventRecord, (cudaEvent_t e, cudaStream_t s))
RUNTIME(cudaError_t, cudaMemcpyAsync, (void *to, const void *from, size_t n, int kind, cudaStream_t s))
RUNTIME(cudaError_t, cudaMemsetAsync, (void *p, int value, size_t n, cudaStream_t s))
RUNTIME(cudaError_t, cudaLaunchHostFunc, (cudaStream_t s, void (*f)(void *), void *argument))
RUNTIME(cudaError_t, cudaGraphCreate, (cudaGraph_t *g, unsigned flags))
RUNTIME(cudaError_t, cudaGraphDestroy, (cudaGraph_t g))
RUNTIME(cudaError_t, cudaGraphClone, (cudaGraph_t *to, cudaGraph_t g))
RUNTIME(cudaError_t, cudaGraphAddKernelNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, const kernel_params *p))
RUNTIME(cudaError_t, cudaGraphAddMemsetNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, const fill_params *p))
RUNTIME(cudaError_t, cudaGraphAddMemcpyNode1D, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, void *to, const void *from, size_t bytes, int kind))
RUNTIME(cudaError_t, cudaGraphAddHostNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, const host_params *p))
RUNTIME(cudaError_t, cudaGraphAddEmptyNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k))
RUNTIME(cudaError_t, cudaGraphAddChildGraphNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, cudaGraph_t child))
RUNTIME(cudaError_t, cudaGraphAddDependencies, (cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t k))
RUNTIME(cudaError_t, cudaGraphGetNodes, (cudaGraph_t g, cudaGraphNode_t *to, size_t *n))
RUNTIME(cudaError_t, cudaGraphGetRootNodes, (cudaGraph_t g, cudaGraphNode_t *to, size_t *n))
RUNTIME(cudaError_t, cudaGraphGetEdges, (cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n))
RUNTIME(cudaError_t, cudaGraphNodeGetType, (cudaGraphNode_t n, int *type))
RUNTIME(cudaError_t, cudaGraphInstantiateWithFlags, (cudaGraphExec_t *to, cudaGraph_t g, unsigned long long flags))
RUNTIME(cudaError_t, cudaGraphLaunch, (cudaGraphExec_t g, cudaStream_t s))
RUNTIME(cudaError_t, cudaGraphExecDestroy, (cudaGraphExec_t g))
RUNTIME(cudaError_t, cudaGraphExecKernelNodeSetParams, (cudaGraphExec_t g, cudaGraphNode_t n, const kernel_params *p))
RUNTIME(cudaError_t, cudaGraphExecUpdate, (cudaGraphExec_t g, cudaGraph_t from, update_result *r))
RUNTIME(cudaError_t, cudaStreamBeginCapture, (cudaStream_t s, int mode))
RUNTIME(cudaError_t, cudaStreamEndCapture, (cudaStream_t s, cudaGraph_t *g))
RUNTIME(cudaError_t, cudaStreamIsCapturing, (cudaStream_t s, int *status))

static unsigned *device, host[32], *other;

static void say(void *what)
{
	printf("%s\n", (const char *)what);
	fflush(stdout);
}

static kernel_params kernel(const void *function, unsigned **p, unsigned *n, void *arguments[2])
{
	arguments[0] = p;
	arguments[1] = n;
	return (kernel_params){.function = function, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = arguments};
}

static void launch(const void *function, unsigned n, cudaStream_t s)
{
	CHECK(cudaLaunchKernel(function, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&device, &n}, 0, s));
}

static void show(cudaGraphExec_t g)
{
	CHECK(cudaGraphLaunch(g, NULL));
	CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
	printf("%u %u\n", host[0], host[31]);
}

/* fill 1; then + 2, and aside a long one; then both joined: times 5, copied back, told */
static void nodes(void)
{
	unsigned two = 2, five = 5, n = 20000, seven = 7;
	void *a[4][2];
	static unsigned back[32];
	cudaGraph_t g, clone, child;
	cudaGraphExec_t exec;
	cudaGraphNode_t fill, plus, aside, times, copy, told, list[8];
	size_t count = 8;
	int type;
	const fill_params ones = {.to = device, .value = 1, .element = 4, .width = 32, .height = 1};
	const kernel_params p = kernel(add, &device, &two, a[0]), long_one = kernel(work, &other, &n, a[1]), q = kernel(scale, &device, &five, a[2]);
	CHECK(cudaGraphCreate(&g, 0));
	CHECK(cudaGraphAddMemsetNode(&fill, g, NULL, 0, &ones));
	CHECK(cudaGraphAddKernelNode(&plus, g, &fill, 1, &p));
	CHECK(cudaGraphAddKernelNode(&aside, g, &fill, 1, &long_one));
	CHECK(cudaGraphAddKernelNode(&times, g, (cudaGraphNode_t[]){plus, aside}, 2, &q));
	CHECK(cudaGraphAddMemcpyNode1D(&copy, g, &times, 1, back, device, sizeof back, cudaMemcpyDeviceToHost));
	CHECK(cudaGraphAddHostNode(&told, g, &copy, 1, &(host_params){say, "told"}));
	two = five = 100; /* arguments have been taken */
	CHECK(cudaGraphGetNodes(g, NULL, &count));
	printf("%zu nodes", count);
	CHECK(cudaGraphGetRootNodes(g, list, &count));
	printf(", %zu root", count);
	CHECK(cudaGraphGetEdges(g, NULL, NULL, &count));
	CHECK(cudaGraphNodeGetType(copy, &type));
	printf(", %zu edges, a copy is %d\n", count, type);
	CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
	show(exec);
	printf("%u\n", back[3]);
	show(exec);
	const kernel_params r = kernel(add, &device, &seven, a[3]);
	CHECK(cudaGraphExecKernelNodeSetParams(exec, plus, &r));
	show(exec);
	CHECK(cudaGraphClone(&clone, g));
	CHECK(cudaGraphDestroy(g));
	update_result result;
	CHECK(cudaGraphExecUpdate(exec, clone, &result));
	show(exec);
	CHECK(cudaGraphCreate(&child, 0));
	CHECK(cudaGraphAddKernelNode(&plus, child, NULL, 0, &p));
	printf("another shape: %d", cudaGraphExecUpdate(exec, child, &result));
	printf(" %d\n", result.result);
	CHECK(cudaGraphExecDestroy(exec));
	printf("destroyed: %d %d\n", cudaGraphExecDestroy(exec), cudaGraphLaunch(exec, NULL));

	/* a graph in a graph, and a circle */
	CHECK(cudaGraphCreate(&g, 0));
	CHECK(cudaGraphAddMemsetNode(&fill, g, NULL, 0, &ones));
	CHECK(cudaGraphAddChildGraphNode(&plus, g, &fill, 1, child));
	CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
	show(exec);
	CHECK(cudaGraphAddEmptyNode(&aside, g, &plus, 1));
	CHECK(cudaGraphAddDependencies(g, &aside, &fill, 1));
	printf("circle: %d\n", cudaGraphInstantiateWithFlags(&exec, g, 0));
}

/* What is captured isn't done; a fork by an event, joined by another */
static void capture(void)
{
	cudaStream_t s, t;
	cudaEvent_t fork, join;
	cudaGraph_t g;
	cudaGraphExec_t exec;
	unsigned n = 5000;
	size_t nodes, edges;
	int status;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(cudaEventCreate(&fork));
	CHECK(cudaEventCreate(&join));
	CHECK(cudaMemset(device, 0, sizeof host));
	CHECK(cudaStreamBeginCapture(s, 0));
	CHECK(cudaMemsetAsync(device, 0, sizeof host, s));
	launch(add, 3, s);
	CHECK(cudaEventRecord(fork, s));
	CHECK(cudaStreamWaitEvent(t, fork, 0));
	CHECK(cudaStreamIsCapturing(t, &status));
	CHECK(cudaLaunchKernel(work, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&other, &n}, 0, t));
	CHECK(cudaLaunchHostFunc(t, say, "aside"));
	CHECK(cudaEventRecord(join, t));
	launch(scale, 2, s);
	CHECK(cudaStreamWaitEvent(s, join, 0));
	launch(add, 1, s);
	CHECK(cudaStreamEndCapture(s, &g));
	CHECK(cudaGraphGetNodes(g, NULL, &nodes));
	CHECK(cudaGraphGetEdges(g, NULL, NULL, &edges));
	CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
	printf("status %d, %zu nodes, %zu edges, nothing done: %u\n", status, nodes, edges, host[0]);
	CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
	show(exec);
	show(exec);

	/* wrong ways */
	CHECK(cudaStreamBeginCapture(s, 0));
	printf("synchronize: %d", cudaStreamSynchronize(s));
	printf(", end: %d", cudaStreamEndCapture(s, &g));
	printf(", again: %d\n", cudaStreamEndCapture(s, &g));
	CHECK(cudaStreamBeginCapture(s, 0));
	CHECK(cudaEventRecord(fork, s));
	CHECK(cudaStreamWaitEvent(t, fork, 0));
	CHECK(cudaMemsetAsync(device, 0, 4, t));
	printf("not joined: %d\n", cudaStreamEndCapture(s, &g));
	printf("default stream: %d\n", cudaStreamBeginCapture(NULL, 0));
	CHECK(cudaStreamIsCapturing(t, &status));
	printf("status %d\n", status);
}

int main(int argc, char **argv)
{
	CHECK(cudaMalloc((void **)&device, sizeof host));
	CHECK(cudaMalloc((void **)&other, sizeof host));
	if (argc > 1 && !strcmp(argv[1], "nodes"))
		nodes();
	if (argc > 1 && !strcmp(argv[1], "capture"))
		capture();
	return 0;
}
