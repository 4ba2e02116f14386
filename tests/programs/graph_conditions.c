/* Conditional nodes of graphs, and what is asked while capturing: `graph_conditions WHAT`. The calls with two signatures are those of the toolkit
 * whose runtime the program has: 13's if it links that, else an older one's. */
#define GRAPH_FIXTURE "conditions.ptx"
#include "graph.h"

KERNEL(decide, "decide")
KERNEL(count_down, "count_down")

typedef unsigned long long condition;
enum { IF, WHILE, SWITCH, DEFAULT = 1 };
typedef struct {
	int type, reserved[3];
	union {
		kernel_params kernel;
		struct {
			condition handle;
			int type;
			unsigned n;
			cudaGraph_t *graphs;
		} condition;
		struct {
			cudaGraph_t graph;
			int moves;
		} child;
		void *event;
		alloc_params alloc;
		long long all[29];
	};
	long long reserved2;
} node_params;

RUNTIME(cudaError_t, cudaGraphConditionalHandleCreate, (condition *c, cudaGraph_t g, unsigned value, unsigned flags))
RUNTIME(cudaError_t, cudaStreamBeginCaptureToGraph, (cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *before, const void *edges, size_t n, int mode))
RUNTIME(cudaError_t, cudaGraphNodeSetParams, (cudaGraphNode_t n, node_params *p))
RUNTIME(cudaError_t, cudaGraphExecNodeSetParams, (cudaGraphExec_t g, cudaGraphNode_t n, node_params *p))
RUNTIME(cudaError_t, cudaUserObjectCreate, (void **o, void *p, void (*end)(void *), unsigned count, unsigned flags))
RUNTIME(cudaError_t, cudaUserObjectRelease, (void *o, unsigned count))
RUNTIME(cudaError_t, cudaGraphRetainUserObject, (cudaGraph_t g, void *o, unsigned count, unsigned flags))
RUNTIME(cudaError_t, cudaGraphKernelNodeSetAttribute, (cudaGraphNode_t n, int id, const void *value))
RUNTIME(cudaError_t, cudaGraphKernelNodeGetAttribute, (cudaGraphNode_t n, int id, void *value))
#ifdef FIXTURE_STATIC
RUNTIME(cudaError_t, cudaGraphAddNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, node_params *p))
RUNTIME(cudaError_t, cudaStreamGetCaptureInfo_v2, (cudaStream_t s, int *status, unsigned long long *id, cudaGraph_t *g, const cudaGraphNode_t **before, size_t *n))
RUNTIME(cudaError_t, cudaStreamUpdateCaptureDependencies, (cudaStream_t s, cudaGraphNode_t *n, size_t k, unsigned flags))
RUNTIME(cudaError_t, cudaGraphNodeGetDependencies, (cudaGraphNode_t n, cudaGraphNode_t *to, size_t *k))
static cudaError_t add_node(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, node_params *p) { return cudaGraphAddNode(n, g, before, k, p); }
static cudaError_t info(cudaStream_t s, int *status, cudaGraph_t *g, const cudaGraphNode_t **before, size_t *n)
{
	return cudaStreamGetCaptureInfo_v2(s, status, NULL, g, before, n);
}
static cudaError_t set_before(cudaStream_t s, cudaGraphNode_t *n, size_t k) { return cudaStreamUpdateCaptureDependencies(s, n, k, 1); }
static cudaError_t get_before(cudaGraphNode_t n, cudaGraphNode_t *to, size_t *k) { return cudaGraphNodeGetDependencies(n, to, k); }
#else
RUNTIME(cudaError_t, cudaGraphAddNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, const void *edges, size_t k, node_params *p))
RUNTIME(cudaError_t, cudaStreamGetCaptureInfo, (cudaStream_t s, int *status, unsigned long long *id, cudaGraph_t *g, const cudaGraphNode_t **before, const uint64_t **edges, size_t *n))
RUNTIME(cudaError_t, cudaStreamUpdateCaptureDependencies, (cudaStream_t s, cudaGraphNode_t *n, const void *edges, size_t k, unsigned flags))
RUNTIME(cudaError_t, cudaGraphNodeGetDependencies, (cudaGraphNode_t n, cudaGraphNode_t *to, uint64_t *edges, size_t *k))
static cudaError_t add_node(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, node_params *p) { return cudaGraphAddNode(n, g, before, NULL, k, p); }
static cudaError_t info(cudaStream_t s, int *status, cudaGraph_t *g, const cudaGraphNode_t **before, size_t *n)
{
	const uint64_t *edges;
	const cudaError_t error = cudaStreamGetCaptureInfo(s, status, NULL, g, before, &edges, n);
	for (size_t k = 0; !error && *status == 1 && k < *n; k++)
		if (edges[k])
			return 999;
	return error;
}
static cudaError_t set_before(cudaStream_t s, cudaGraphNode_t *n, size_t k) { return cudaStreamUpdateCaptureDependencies(s, n, NULL, k, 1); }
static cudaError_t get_before(cudaGraphNode_t n, cudaGraphNode_t *to, size_t *k)
{
	uint64_t edge[4] = {1, 1, 1, 1};
	const cudaError_t error = cudaGraphNodeGetDependencies(n, to, edge, k);
	return to && edge[0] ? 999 : error;
}
#endif

static unsigned *word, *count; /* what decides; what was done */

static void launch_one(const void *kernel_, unsigned *p, unsigned n, cudaStream_t s)
{
	CHECK(cudaLaunchKernel(kernel_, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&p, &n}, 0, s));
}

static cudaGraphNode_t add_kernel(cudaGraph_t g, const cudaGraphNode_t *before, const void *function, void *a, void *b)
{
	cudaGraphNode_t n;
	node_params p = {.kernel = {.function = function, .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = (void *[]){a, b}}};
	CHECK(add_node(&n, g, before, before != NULL, &p));
	return n;
}

static cudaGraph_t *add_condition(cudaGraph_t g, const cudaGraphNode_t *before, condition c, int type, unsigned n)
{
	cudaGraphNode_t node;
	node_params p = {.type = 13, .condition = {.handle = c, .type = type, .n = n}};
	CHECK(add_node(&node, g, before, before != NULL, &p));
	return p.condition.graphs;
}

static void set(unsigned *p, unsigned value) { CHECK(cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice)); }

/* What was done with this value of the word. */
static void show(cudaGraphExec_t exec, unsigned value)
{
	unsigned done;
	set(word, value);
	set(count, 0);
	CHECK(cudaGraphLaunch(exec, NULL));
	CHECK(cudaMemcpy(&done, count, sizeof done, cudaMemcpyDeviceToHost));
	printf(" %u", done);
}

/* decide; then graph k adds 10 ^ k */
static void one_of(const char *name, int type, unsigned n, unsigned most)
{
	cudaGraph_t g;
	cudaGraphExec_t exec;
	condition c;
	unsigned what[] = {1, 10, 100, 1000};
	CHECK(cudaGraphCreate(&g, 0));
	CHECK(cudaGraphConditionalHandleCreate(&c, g, 0, 0));
	const cudaGraphNode_t first = add_kernel(g, NULL, decide, &word, &c);
	cudaGraph_t *graph = add_condition(g, &first, c, type, n);
	for (unsigned k = 0; k < n; k++)
		add_kernel(graph[k], NULL, add, &count, &what[k]);
	CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
	printf("%s:", name);
	for (unsigned k = 0; k <= most; k++)
		show(exec, k);
	printf("\n");
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(g));
}

static void kinds(void)
{
	one_of("if", IF, 1, 2);
	one_of("if and else", IF, 2, 2);
	one_of("switch", SWITCH, 4, 5);

	/* while: the default is set at each launch, or never */
	for (unsigned flags = 0; flags < 2; flags++) {
		cudaGraph_t g;
		cudaGraphExec_t exec;
		condition c;
		unsigned one = 1;
		CHECK(cudaGraphCreate(&g, 0));
		CHECK(cudaGraphConditionalHandleCreate(&c, g, 1, flags));
		cudaGraph_t *graph = add_condition(g, NULL, c, WHILE, 1);
		const cudaGraphNode_t first = add_kernel(graph[0], NULL, add, &count, &one);
		add_kernel(graph[0], &first, count_down, &word, &c);
		CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
		printf("while:");
		for (unsigned k = 1; k < 4; k++)
			show(exec, k);
		printf("\n");
	}
}

/* three times: a kernel, and if it is time another: captured */
static void nested(void)
{
	cudaStream_t s, t;
	cudaGraph_t g, same;
	cudaGraphExec_t exec;
	condition outer, inner;
	const cudaGraphNode_t *before;
	cudaGraphNode_t node, list[4];
	size_t n;
	int status;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(info(s, &status, &g, &before, &n));
	printf("status %d", status);
	CHECK(cudaStreamBeginCapture(s, 0));
	CHECK(info(s, &status, &g, &before, &n));
	printf(", %d with %zu nodes in front", status, n);
	CHECK(cudaGraphConditionalHandleCreate(&outer, g, 1, DEFAULT));
	launch_one(add, count, 1, s);
	CHECK(info(s, &status, &same, &before, &n));
	printf(", then %zu of the same: %d\n", n, same == g);
	node_params p = {.type = 13, .condition = {.handle = outer, .type = WHILE, .n = 1}};
	CHECK(add_node(&node, g, before, n, &p));
	CHECK(set_before(s, &node, 1));
	launch_one(add, count, 1000, s);
	CHECK(cudaStreamEndCapture(s, &same));
	n = 4;
	CHECK(cudaGraphGetNodes(g, list, &n));
	printf("%zu nodes", n);
	n = 4;
	CHECK(get_before(list[2], list, &n));
	printf(", the last after %zu: %d\n", n, list[0] == node);

	cudaGraph_t body = p.condition.graphs[0];
	CHECK(cudaStreamBeginCaptureToGraph(t, body, NULL, NULL, 0, 0));
	CHECK(cudaGraphConditionalHandleCreate(&inner, body, 0, 0));
	CHECK(cudaLaunchKernel(count_down, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&word, &outer}, 0, t));
	CHECK(cudaLaunchKernel(decide, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&word, &inner}, 0, t));
	CHECK(info(t, &status, &same, &before, &n));
	node_params q = {.type = 13, .condition = {.handle = inner, .type = IF, .n = 2}};
	CHECK(add_node(&node, body, before, n, &q));
	CHECK(set_before(t, &node, 1));
	CHECK(cudaStreamEndCapture(t, NULL));
	unsigned ten = 10, hundred = 100;
	add_kernel(q.condition.graphs[0], NULL, add, &count, &ten);
	add_kernel(q.condition.graphs[1], NULL, add, &count, &hundred);
	CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
	printf("nested:");
	show(exec, 3); /* 1, twice 10, once 100, 1000 */
	show(exec, 1);
	printf("\n");
}

static void ended(void *what) { printf("%s ended\n", (const char *)what); }

static void others(void)
{
	cudaGraph_t g, h, clone;
	cudaGraphExec_t exec, other;
	cudaGraphNode_t node;
	condition c, d;
	void *object;
	unsigned one = 1, two = 2;
	int value[16] = {-3}, got[16] = {0};
	CHECK(cudaGraphCreate(&g, 0));
	CHECK(cudaGraphCreate(&h, 0));
	printf("flags: %d", cudaGraphConditionalHandleCreate(&c, g, 0, 2));
	CHECK(cudaGraphConditionalHandleCreate(&c, g, 0, 0));
	CHECK(cudaGraphConditionalHandleCreate(&d, h, 0, 0));
	node_params p = {.type = 13, .condition = {.handle = d, .type = IF, .n = 1}};
	printf(", another's: %d", add_node(&node, g, NULL, 0, &p));
	p.condition.handle = c;
	p.condition.n = 3;
	printf(", three of if: %d", add_node(&node, g, NULL, 0, &p));
	p.condition.n = 2;
	p.condition.type = WHILE;
	printf(", two of while: %d", add_node(&node, g, NULL, 0, &p));
	p.condition.type = IF;
	CHECK(add_node(&node, g, NULL, 0, &p));
	printf(", used twice: %d\n", add_node(&node, g, NULL, 0, &p));
	cudaGraph_t body = p.condition.graphs[1];
	node_params event = {.type = 7, .event = NULL}, child = {.type = 4, .child = {.graph = g}};
	printf("event: %d", add_node(&node, body, NULL, 0, &event));
	printf(", destroyed: %d, clone: %d, child: %d", cudaGraphDestroy(body), cudaGraphClone(&clone, g), add_node(&node, h, NULL, 0, &child));
	CHECK(cudaGraphInstantiateWithFlags(&exec, g, 0));
	printf(", second: %d, body: %d\n", cudaGraphInstantiateWithFlags(&other, g, 0), cudaGraphInstantiateWithFlags(&other, body, 0));

	/* nodes of any kind are changed, in a graph and in one that was made of it */
	cudaGraph_t k;
	CHECK(cudaGraphCreate(&k, 0));
	node = add_kernel(k, NULL, add, &count, &one);
	node_params q = {.kernel = {.function = add, .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = (void *[]){&count, &two}}};
	CHECK(cudaGraphInstantiateWithFlags(&other, k, 0));
	printf("added:");
	show(other, 0);
	CHECK(cudaGraphExecNodeSetParams(other, node, &q));
	show(other, 0);
	CHECK(cudaGraphNodeSetParams(node, &q));
	printf(", another kind: %d\n", cudaGraphNodeSetParams(node, &event));
	CHECK(cudaGraphKernelNodeSetAttribute(node, 8, value));
	CHECK(cudaGraphKernelNodeGetAttribute(node, 8, got));
	printf("priority %d\n", got[0]);

	/* a graph that was moved is the node's */
	node_params moved = {.type = 4, .child = {.graph = k, .moves = 1}};
	cudaGraph_t all;
	CHECK(cudaGraphCreate(&all, 0));
	CHECK(add_node(&node, all, NULL, 0, &moved));
	printf("moved: %d\n", cudaGraphDestroy(k));

	node_params itself = {.type = 4, .child = {.graph = all, .moves = 1}}, gone = {.type = 4, .child = {.graph = (cudaGraph_t)&all}};
	cudaGraphNode_t inner;
	printf("into itself: %d, into its part: %d, no graph: %d %d\n", add_node(&inner, all, NULL, 0, &itself), add_node(&inner, k, NULL, 0, &itself),
	       add_node(&inner, all, NULL, 0, &gone), cudaGraphNodeSetParams(node, &gone));

	/* objects live as long as a graph that holds them */
	CHECK(cudaUserObjectCreate(&object, "object", ended, 1, 1));
	CHECK(cudaGraphRetainUserObject(all, object, 1, 1));
	printf("released: %d\n", cudaUserObjectRelease(object, 5));
	CHECK(cudaGraphInstantiateWithFlags(&other, all, 0));
	CHECK(cudaGraphDestroy(all));
	printf("graph destroyed\n");
	fflush(stdout);
	CHECK(cudaGraphExecDestroy(other));
}

static void wrong(void)
{
	condition c = 12345;
	unsigned *p = word;
	CHECK(cudaLaunchKernel(decide, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&p, &c}, 0, NULL));
	printf("wrong: %d\n", cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {{"kinds", kinds}, {"nested", nested}, {"others", others}, {"wrong", wrong}};
	CHECK(cudaMalloc((void **)&word, sizeof *word));
	CHECK(cudaMalloc((void **)&count, sizeof *count));
	set(word, 0);
	for (unsigned k = 0; argc > 1 && k < sizeof parts / sizeof *parts; k++)
		if (!strcmp(argv[1], parts[k].name))
			parts[k].run();
	return 0;
}
