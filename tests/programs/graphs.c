/* Graphs, made node by node and captured: `graphs WHAT`. */
#include "graph.h"

RUNTIME(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t *s, unsigned flags))
RUNTIME(cudaError_t, cudaThreadExchangeStreamCaptureMode, (int *mode))
RUNTIME(cudaError_t, cudaEventQuery, (cudaEvent_t e))
RUNTIME(cudaError_t, cudaEventSynchronize, (cudaEvent_t e))

static unsigned *device, host[32], *other;

static void say(void *what)
{
	printf("%s\n", (const char *)what);
	fflush(stdout);
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
	CHECK(count_edges(g, &count));
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
	CHECK(update(exec, clone, &result));
	show(exec);
	CHECK(cudaGraphCreate(&child, 0));
	CHECK(cudaGraphAddKernelNode(&plus, child, NULL, 0, &p));
	printf("another shape: %d", update(exec, child, &result));
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
	CHECK(add_edge(g, aside, fill));
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
	CHECK(count_edges(g, &edges));
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

/* What a capture forbids, and what its mode or the stream's allows (CUDA C++ Programming Guide, "Prohibited and Unhandled Operations"; cudaThreadExchangeStreamCaptureMode). */
static void forbidden(void)
{
	enum { GLOBAL, OF_THREAD, RELAXED };
	cudaStream_t s, beside;
	cudaEvent_t e;
	cudaGraph_t g;
	int mode = RELAXED, error;
	void *p;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreateWithFlags(&beside, 1)); /* cudaStreamNonBlocking */
	CHECK(cudaEventCreate(&e));
#define WHILE(stream, mode, call) \
	CHECK(cudaStreamBeginCapture(stream, mode)); \
	error = (call); \
	printf("%s %d, %d\n", #call, error, cudaStreamEndCapture(stream, &g))
	WHILE(s, GLOBAL, cudaMalloc(&p, 4));
	WHILE(s, OF_THREAD, cudaMalloc(&p, 4));
	WHILE(s, RELAXED, cudaMalloc(&p, 4));
	CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
	WHILE(s, GLOBAL, cudaFree(p));
	CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
	WHILE(s, RELAXED, cudaDeviceSynchronize());
	WHILE(s, RELAXED, cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost));
	WHILE(s, RELAXED, cudaMemset(device, 0, 4));
	WHILE(s, RELAXED, cudaLaunchKernel(add, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&device, &mode}, 0, NULL));
	WHILE(s, RELAXED, cudaStreamWaitEvent(NULL, e, 0));
	WHILE(beside, GLOBAL, cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost));
	WHILE(s, RELAXED, cudaEventRecord(e, s) ? 99 : cudaEventQuery(e));
	WHILE(s, RELAXED, cudaEventRecord(e, s) ? 99 : cudaEventRecord(e, beside) ? 98 : cudaEventSynchronize(e));
	CHECK(cudaMalloc(&p, 4));
}

int main(int argc, char **argv)
{
	CHECK(cudaMalloc((void **)&device, sizeof host));
	CHECK(cudaMalloc((void **)&other, sizeof host));
	if (argc > 1 && !strcmp(argv[1], "nodes"))
		nodes();
	if (argc > 1 && !strcmp(argv[1], "capture"))
		capture();
	if (argc > 1 && !strcmp(argv[1], "forbidden"))
		forbidden();
	return 0;
}
