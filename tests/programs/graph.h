/* What programs with graphs have in common: kernels of streams.cu (or GRAPH_FIXTURE), types and calls as the runtime has them. */
#ifndef GRAPH_H
#define GRAPH_H

#include "fixture.h"

#include <stdbool.h>

#ifdef GRAPH_FIXTURE
FIXTURE(GRAPH_FIXTURE)
#else
FIXTURE("streams.ptx")
KERNEL(work, "work")
KERNEL(scale, "scale")
#endif
KERNEL(add, "add")

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
	int type, handles, location, device, pool[18];
	void *access;
	size_t n_access, bytes;
	void *at;
} alloc_params;
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
RUNTIME(cudaError_t, cudaGraphDestroyNode, (cudaGraphNode_t n))
RUNTIME(cudaError_t, cudaGraphClone, (cudaGraph_t *to, cudaGraph_t g))
RUNTIME(cudaError_t, cudaGraphAddKernelNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, const kernel_params *p))
RUNTIME(cudaError_t, cudaGraphAddMemsetNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, const fill_params *p))
RUNTIME(cudaError_t, cudaGraphAddMemcpyNode1D, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, void *to, const void *from, size_t bytes, int kind))
RUNTIME(cudaError_t, cudaGraphAddHostNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, const host_params *p))
RUNTIME(cudaError_t, cudaGraphAddEmptyNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k))
RUNTIME(cudaError_t, cudaGraphAddChildGraphNode, (cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *before, size_t k, cudaGraph_t child))
#ifdef FIXTURE_STATIC /* as an older toolkit's */
RUNTIME(cudaError_t, cudaGraphAddDependencies, (cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t k))
RUNTIME(cudaError_t, cudaGraphGetEdges, (cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n))
RUNTIME(cudaError_t, cudaGraphExecUpdate, (cudaGraphExec_t g, cudaGraph_t from, cudaGraphNode_t *node, int *result))
static cudaError_t update(cudaGraphExec_t g, cudaGraph_t from, update_result *r) { return cudaGraphExecUpdate(g, from, &r->node, &r->result); }
static cudaError_t add_edge(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to) { return cudaGraphAddDependencies(g, &from, &to, 1); }
static cudaError_t count_edges(cudaGraph_t g, size_t *n) { return cudaGraphGetEdges(g, NULL, NULL, n); }
#else
RUNTIME(cudaError_t, cudaGraphAddDependencies, (cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const void *edges, size_t k))
RUNTIME(cudaError_t, cudaGraphGetEdges, (cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, void *edges, size_t *n))
RUNTIME(cudaError_t, cudaGraphExecUpdate, (cudaGraphExec_t g, cudaGraph_t from, update_result *r))
static cudaError_t update(cudaGraphExec_t g, cudaGraph_t from, update_result *r) { return cudaGraphExecUpdate(g, from, r); }
static cudaError_t add_edge(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to) { return cudaGraphAddDependencies(g, &from, &to, NULL, 1); }
static cudaError_t count_edges(cudaGraph_t g, size_t *n) { return cudaGraphGetEdges(g, NULL, NULL, NULL, n); }
#endif
RUNTIME(cudaError_t, cudaGraphGetNodes, (cudaGraph_t g, cudaGraphNode_t *to, size_t *n))
RUNTIME(cudaError_t, cudaGraphGetRootNodes, (cudaGraph_t g, cudaGraphNode_t *to, size_t *n))
RUNTIME(cudaError_t, cudaGraphNodeGetType, (cudaGraphNode_t n, int *type))
RUNTIME(cudaError_t, cudaGraphInstantiateWithFlags, (cudaGraphExec_t *to, cudaGraph_t g, unsigned long long flags))
RUNTIME(cudaError_t, cudaGraphLaunch, (cudaGraphExec_t g, cudaStream_t s))
RUNTIME(cudaError_t, cudaGraphExecDestroy, (cudaGraphExec_t g))
RUNTIME(cudaError_t, cudaGraphExecKernelNodeSetParams, (cudaGraphExec_t g, cudaGraphNode_t n, const kernel_params *p))
RUNTIME(cudaError_t, cudaStreamBeginCapture, (cudaStream_t s, int mode))
RUNTIME(cudaError_t, cudaStreamEndCapture, (cudaStream_t s, cudaGraph_t *g))
RUNTIME(cudaError_t, cudaStreamIsCapturing, (cudaStream_t s, int *status))

static kernel_params kernel(const void *function, unsigned **p, unsigned *n, void *arguments[2])
{
	arguments[0] = p;
	arguments[1] = n;
	return (kernel_params){.function = function, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = arguments};
}

#endif
