// A graph that goes on while a kernel says so, as nvcc links it: with the device's part of cudaGraphSetConditional in libcudadevrt.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(int *left, int *steps, cudaGraphConditionalHandle go_on)
{
	++*steps;
	cudaGraphSetConditional(go_on, --*left > 0);
}

int main()
{
	int *p, got[2], start[2] = {5, 0};
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t node, loop;
	cudaGraphConditionalHandle go_on;
	cudaMalloc(&p, sizeof start);
	cudaMemcpy(p, start, sizeof start, cudaMemcpyHostToDevice);
	cudaGraphCreate(&graph, 0);
	cudaGraphConditionalHandleCreate(&go_on, graph, 1, cudaGraphCondAssignDefault);
	cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
	c.conditional.handle = go_on;
	c.conditional.type = cudaGraphCondTypeWhile;
	c.conditional.size = 1;
	cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &c);
	cudaGraphNodeParams k = {cudaGraphNodeTypeKernel};
	int *steps = p + 1;
	void *arguments[] = {&p, &steps, &go_on};
	k.kernel.func = (void *)step;
	k.kernel.gridDim = k.kernel.blockDim = dim3(1, 1, 1);
	k.kernel.kernelParams = arguments;
	cudaGraphAddNode(&node, c.conditional.phGraph_out[0], nullptr, nullptr, 0, &k);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, 0);
	cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
	printf("%d steps, %d left: %s\n", got[1], got[0], cudaGetErrorString(cudaGetLastError()));
	return 0;
}
