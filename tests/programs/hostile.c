/* What a program must not do: it gets CUDA's errors, and can go on. Error numbers: driver_types.h. */
#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")
KERNEL(empty, "empty")
KERNEL(own, "own")
static int counter[1], factor[4];
VARIABLE(counter, "counter")
VARIABLE(factor, "factor")

enum {
	invalid_value = 1,
	out_of_memory = 2,
	invalid_configuration = 9,
	invalid_symbol = 13,
	invalid_direction = 21,
	invalid_function = 98,
	invalid_device = 101
};
enum { EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4, SPIN = 1, BLOCKING_SYNC = 4, MAP_HOST = 8 };
int cudaSetDeviceFlags(unsigned flags), cudaSetValidDevices(int *devices, int n);

typedef struct CUgraph_st *graph_t;
typedef struct CUgraphNode_st *node_t;
int cudaEventCreateWithFlags(event_t *e, unsigned flags);
int cudaGraphCreate(graph_t *g, unsigned flags), cudaGraphDestroy(graph_t g);
int cudaGraphAddEmptyNode(node_t *node, graph_t g, const node_t *before, size_t n);
int cudaGraphAddDependencies(graph_t g, const node_t *from, const node_t *to, const void *data, size_t n);
int cudaMemcpyFromSymbol(void *to, const void *variable, size_t n, size_t offset, int kind);

struct fill { /* cudaMemsetParams */
	void *to;
	size_t pitch;
	unsigned value, element;
	size_t width, height;
};
struct function {
	void (*f)(void *);
	void *argument;
};
int cudaGraphAddMemsetNode(node_t *node, graph_t g, const node_t *before, size_t n, const struct fill *fill);
int cudaGraphMemsetNodeSetParams(node_t node, const struct fill *fill);
int cudaGraphAddHostNode(node_t *node, graph_t g, const node_t *before, size_t n, const struct function *f);

static void pointers(void)
{
	int *a = NULL, host[64];
	RETURNS(0, cudaMalloc((void **)&a, sizeof host));
	RETURNS(invalid_value, cudaMemcpy(a, NULL, 4, cudaMemcpyHostToDevice));
	RETURNS(invalid_value, cudaMemcpy(NULL, host, 4, cudaMemcpyHostToDevice));
	RETURNS(invalid_value, cudaMemcpy(host, a + 63, 8, cudaMemcpyDeviceToHost)); /* past its end */
	RETURNS(invalid_value, cudaMemcpy(a, host, (size_t)-1, cudaMemcpyHostToDevice));
	RETURNS(invalid_value, cudaMemcpy(host, (char *)a - 4096, 4, cudaMemcpyDeviceToHost));
	RETURNS(invalid_value, cudaMemset(a, 0, sizeof host + 1));
	RETURNS(invalid_value, cudaFree((char *)a + 4));
	RETURNS(invalid_value, cudaFree(host));
	RETURNS(0, cudaFree(a));
	RETURNS(invalid_value, cudaFree(a));
	RETURNS(invalid_value, cudaMemcpy(host, a, 4, cudaMemcpyDeviceToHost));
	RETURNS(0, cudaFree(NULL));
	RETURNS(invalid_value, cudaMalloc(NULL, 4));
	cudaGetLastError();
}

static void sizes(void)
{
	void *p[12];
	RETURNS(out_of_memory, cudaMalloc(p, (size_t)-1));
	RETURNS(out_of_memory, cudaMalloc(p, (size_t)1 << 62));
	int n = 0, error = 0;
	while (n < 12 && !(error = cudaMalloc(&p[n], (size_t)1 << 30)))
		n++;
	EXPECT(n == 4 && error == out_of_memory); /* -gpgpu_memory_size is 4G */
	while (n)
		RETURNS(0, cudaFree(p[--n]));
	RETURNS(0, cudaMalloc(p, 0));
	cudaGetLastError();
}

static void launches(void)
{
	int *a = NULL, value = 7, n = 64, host[64];
	RETURNS(0, cudaMalloc((void **)&a, sizeof host));
	RETURNS(invalid_configuration, launch(empty, 0, 32, 0, NULL, ARGUMENTS(NULL)));
	RETURNS(invalid_configuration, launch(empty, 1, 0, 0, NULL, ARGUMENTS(NULL)));
	RETURNS(invalid_configuration, launch(empty, 1, 4096, 0, NULL, ARGUMENTS(NULL)));
	RETURNS(invalid_value, launch(empty, 1, 32, (size_t)1 << 30, NULL, ARGUMENTS(NULL)));
	RETURNS(invalid_function, launch(&n, 1, 32, 0, NULL, ARGUMENTS(NULL)));
	RETURNS(invalid_function, cudaGetLastError());
	RETURNS(0, cudaGetLastError());
	RETURNS(0, launch(fill, 2, 32, 0, NULL, ARGUMENTS(&a, &value, &n)));
	RETURNS(0, cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
	EXPECT(host[0] == 7 && host[63] == 70);
	RETURNS(0, cudaFree(a));
}

static void symbols(void)
{
	int value = 1;
	RETURNS(invalid_symbol, cudaMemcpyToSymbol("counter", &value, 4, 0, cudaMemcpyHostToDevice));
	EXPECT(cudaMemcpyToSymbol(counter, &value, 4, 1, cudaMemcpyHostToDevice) != 0); /* past its end */
	EXPECT(cudaMemcpyToSymbol(factor, &value, 4, (size_t)-2, cudaMemcpyHostToDevice) != 0);
	RETURNS(0, cudaMemcpyToSymbol(factor, &value, 4, 12, cudaMemcpyHostToDevice));
	RETURNS(invalid_direction, cudaMemcpyToSymbol(factor, &value, 4, 0, cudaMemcpyDeviceToHost));
	RETURNS(invalid_direction, cudaMemcpyFromSymbol(&value, factor, 4, 0, cudaMemcpyHostToDevice));
	RETURNS(0, cudaMemcpyFromSymbol(&value, factor, 4, 12, cudaMemcpyDefault));
	RETURNS(invalid_device, cudaSetDevice(7));
	EXPECT(strcmp(cudaGetErrorName(123456), "unrecognized error code") == 0);
	cudaGetLastError();
	RETURNS(0, cudaDeviceSynchronize());
}

/* What a kernel has allocated is no use to CUDA's calls (programming guide, dynamic global memory allocation). */
static void heap(void)
{
	int **at = NULL, *p = NULL, host = 3;
	RETURNS(0, cudaMalloc((void **)&at, sizeof p));
	RETURNS(0, launch(own, 1, 1, 0, NULL, ARGUMENTS(&at)));
	RETURNS(0, cudaMemcpy(&p, at, sizeof p, cudaMemcpyDeviceToHost));
	EXPECT(p);
	RETURNS(invalid_value, cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
	RETURNS(invalid_value, cudaMemcpy(p, &host, sizeof host, cudaMemcpyHostToDevice));
	RETURNS(invalid_value, cudaMemcpy(at, p, sizeof host, cudaMemcpyDeviceToDevice));
	RETURNS(invalid_value, cudaMemset(p, 0, sizeof host));
	RETURNS(invalid_value, cudaFree(p));
	EXPECT(host == 3);
	RETURNS(0, cudaFree(at));
}

static void nothing(void *unused) { (void)unused; }

/* cudaMemsetParams: elements of 1, 2 or 4 bytes; each row within the pitch. A function there is. */
static void nodes(graph_t graph)
{
	static const struct fill wrong[] = {{NULL, 4, 0, 3, 1, 1},
					    {NULL, 4, 0, 0, 1, 1},
					    {NULL, 4, 0, 4, 0, 1},
					    {NULL, 4, 0, 4, 1, 0},
					    {NULL, 4, 0, 4, 2, 2}};
	struct function function = {NULL, NULL};
	node_t node = NULL;
	char *p = NULL;
	RETURNS(0, cudaMalloc((void **)&p, 64));
	struct fill fill = {p, 8, 0, 4, 2, 2};
	RETURNS(0, cudaGraphAddMemsetNode(&node, graph, NULL, 0, &fill));
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
		fill = wrong[k];
		fill.to = p;
		RETURNS(invalid_value, cudaGraphAddMemsetNode(&(node_t){NULL}, graph, NULL, 0, &fill));
		RETURNS(invalid_value, cudaGraphMemsetNodeSetParams(node, &fill));
	}
	RETURNS(invalid_value, cudaGraphAddHostNode(&node, graph, NULL, 0, &function));
	function.f = nothing;
	RETURNS(0, cudaGraphAddHostNode(&node, graph, NULL, 0, &function));
	RETURNS(0, cudaFree(p));
}

/* Flags and edges that contradict themselves: cudaEventCreateWithFlags' page; an edge from a node to itself. */
static void contradictions(void)
{
	event_t event = NULL;
	graph_t graph = NULL;
	node_t node = NULL, other = NULL;
	RETURNS(invalid_value, cudaEventCreateWithFlags(&event, EVENT_INTERPROCESS));
	RETURNS(0, cudaEventCreateWithFlags(&event, EVENT_INTERPROCESS | EVENT_DISABLE_TIMING));
	RETURNS(0, cudaEventDestroy(event));
	RETURNS(0, cudaGraphCreate(&graph, 0));
	RETURNS(0, cudaGraphAddEmptyNode(&node, graph, NULL, 0));
	RETURNS(0, cudaGraphAddEmptyNode(&other, graph, &node, 1));
	RETURNS(invalid_value, cudaGraphAddDependencies(graph, &node, &node, NULL, 1));
	RETURNS(invalid_value, cudaGraphAddDependencies(graph, &node, &other, NULL, 1)); /* there already */
	nodes(graph);
	RETURNS(0, cudaGraphDestroy(graph));
	RETURNS(0, cudaSetDeviceFlags(BLOCKING_SYNC | MAP_HOST));
	RETURNS(invalid_value, cudaSetDeviceFlags(BLOCKING_SYNC | SPIN)); /* two ways to wait */
	RETURNS(invalid_value, cudaSetDeviceFlags(0x1000));
	RETURNS(0, cudaSetValidDevices((int[]){0}, 1));
	RETURNS(invalid_value, cudaSetValidDevices(NULL, 1));
	RETURNS(invalid_device, cudaSetValidDevices((int[]){7}, 1));
}

int main(void)
{
	pointers();
	sizes();
	launches();
	symbols();
	heap();
	contradictions();
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}
