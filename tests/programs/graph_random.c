/* Graphs drawn at random, against a model: each node's number is 1 and the sum of those it waits for, so whatever comes too early, or not at all, or twice,
 * is seen. Nodes are kernels, copies through memory that the graph allocates, graphs in graphs, and conditions on what came before. `graph_random FROM TO` */
#define GRAPH_FIXTURE "conditions.ptx"
#include "graph.h"

KERNEL(gather, "gather")
KERNEL(ask_odd, "ask_odd")

typedef unsigned long long condition;
typedef struct {
	int type, reserved[3];
	union {
		struct {
			condition handle;
			int type;
			unsigned n;
			cudaGraph_t *graphs;
		} condition;
		long long all[29];
	};
	long long reserved2;
} node_params;
RUNTIME(cudaError_t, cudaGraphConditionalHandleCreate, (condition *c, cudaGraph_t g, unsigned value, unsigned flags))
RUNTIME(cudaError_t, cudaGraphAddNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, const void *edges, size_t k, node_params *p))
RUNTIME(cudaError_t, cudaGraphAddMemAllocNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, alloc_params *p))
RUNTIME(cudaError_t, cudaGraphAddMemFreeNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, void *p))

enum { NODES = 14, LAUNCHES = 3 };
static unsigned *device; /* the nodes' numbers; behind them those within child graphs */
static uint64_t state;

static unsigned draw(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

static cudaGraphNode_t add_gather(cudaGraph_t g, const cudaGraphNode_t *before, size_t n, unsigned *to, uint64_t others, unsigned plus)
{
	cudaGraphNode_t node;
	const kernel_params p = {.function = gather, .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = (void *[]){&to, &device, &others, &plus}};
	CHECK(cudaGraphAddKernelNode(&node, g, before, n, &p));
	return node;
}

/* Through memory of the graph's own: the node that others wait for is the copy, or the free behind it. */
static cudaGraphNode_t add_through_memory(cudaGraph_t g, const cudaGraphNode_t *before, size_t n, unsigned k, uint64_t others)
{
	alloc_params a = {.type = 1, .location = 1, .bytes = 4 + draw(5000)};
	cudaGraphNode_t alloc, copy, end;
	CHECK(cudaGraphAddMemAllocNode(&alloc, g, before, n, &a));
	const cudaGraphNode_t put = add_gather(g, &alloc, 1, a.at, others, 1);
	CHECK(cudaGraphAddMemcpyNode1D(&copy, g, &put, 1, device + k, a.at, 4, draw(2) ? cudaMemcpyDeviceToDevice : cudaMemcpyDefault));
	CHECK(cudaGraphAddMemFreeNode(&end, g, &copy, 1, a.at));
	return draw(2) ? copy : end;
}

/* Two kernels in a graph of their own: the second takes what the first has. */
static cudaGraphNode_t add_child(cudaGraph_t g, const cudaGraphNode_t *before, size_t n, unsigned k, uint64_t others)
{
	cudaGraph_t child;
	cudaGraphNode_t node;
	CHECK(cudaGraphCreate(&child, 0));
	const cudaGraphNode_t first = add_gather(child, NULL, 0, device + NODES + k, others, 0);
	add_gather(child, &first, 1, device + k, UINT64_C(1) << (NODES + k), 1);
	CHECK(cudaGraphAddChildGraphNode(&node, g, before, n, child));
	CHECK(cudaGraphDestroy(child));
	return node;
}

/* If the number of the first it waits for is odd the sum and 1, else the sum and 5. */
static cudaGraphNode_t add_condition(cudaGraph_t g, const cudaGraphNode_t *before, size_t n, unsigned k, unsigned first, uint64_t others)
{
	cudaGraphNode_t asks, node;
	condition c;
	const unsigned *of = device + first;
	node_params p = {.type = 13, .condition = {.type = 0, .n = 2}};
	CHECK(cudaGraphConditionalHandleCreate(&c, g, 0, 0));
	const kernel_params ask = {.function = ask_odd, .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = (void *[]){&of, &c}};
	CHECK(cudaGraphAddKernelNode(&asks, g, before, n, &ask));
	p.condition.handle = c;
	CHECK(cudaGraphAddNode(&node, g, &asks, NULL, 1, &p));
	add_gather(p.condition.graphs[0], NULL, 0, device + k, others, 1);
	add_gather(p.condition.graphs[1], NULL, 0, device + k, others, 5);
	return node;
}

static void one(uint64_t seed)
{
	cudaGraph_t g;
	cudaGraphExec_t exec;
	cudaGraphNode_t node[NODES];
	cudaStream_t s[2];
	unsigned wanted[NODES], got[NODES];
	state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
	CHECK(cudaGraphCreate(&g, 0));
	CHECK(cudaStreamCreate(&s[0]));
	CHECK(cudaStreamCreate(&s[1]));
	for (unsigned k = 0; k < NODES; k++) {
		cudaGraphNode_t before[3];
		uint64_t others = 0;
		unsigned n = k ? draw(4) : 0, sum = 0, first = 0;
		for (unsigned i = 0; i < n;) {
			const unsigned other = draw(k);
			if (others >> other & 1) {
				n--;
				continue;
			}
			first = i ? first : other;
			others |= UINT64_C(1) << other;
			before[i++] = node[other];
			sum += wanted[other];
		}
		wanted[k] = sum + 1;
		switch (draw(n ? 5 : 3)) {
		case 0: node[k] = add_through_memory(g, before, n, k, others); break;
		case 1: node[k] = add_child(g, before, n, k, others); break;
		case 3:
			node[k] = add_condition(g, before, n, k, first, others);
			wanted[k] = sum + (wanted[first] & 1 ? 1 : 5);
			break;
		default: node[k] = add_gather(g, before, n, device + k, others, 1);
		}
	}
	CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
	for (unsigned k = 0; k < LAUNCHES; k++) {
		CHECK(cudaMemsetAsync(device, 0xff, sizeof got, s[k % 2]));
		CHECK(cudaGraphLaunch(exec, s[k % 2]));
		CHECK(cudaMemcpyAsync(got, device, sizeof got, cudaMemcpyDeviceToHost, s[k % 2]));
		CHECK(cudaStreamSynchronize(s[k % 2]));
		for (unsigned i = 0; i < NODES; i++)
			if (got[i] != wanted[i])
				printf("seed %llu, launch %u, node %u: %u, wanted %u\n", (unsigned long long)seed, k, i, got[i], wanted[i]);
	}
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(g));
}

int main(int argc, char **argv)
{
	const uint64_t from = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, to = argc > 2 ? strtoull(argv[2], NULL, 0) : from;
	CHECK(cudaMalloc((void **)&device, 64 * sizeof *device));
	for (uint64_t seed = from; seed <= to; seed++)
		one(seed);
	printf("done\n");
	return 0;
}
