// Adds up the values of a binary tree, recursively. A node without a child on a side has the index -1 there; each
// thread starts at one node.
//
// Host side:  tree_sums<<<1, 4>>>(nodes, starts, sums);
//             the array of nodes is built on the host by a function that leaves missing children 0
// Symptom:    cudaDeviceSynchronize() returns "an illegal memory access was encountered" after the stack ran over.
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo tree.cu, then the folders taken out of its .file lines

struct node {
	int value, left, right;
};

__device__ __noinline__ int tree_sum(const struct node *nodes, int k)
{
	if (k < 0)
		return 0;
	int left = tree_sum(nodes, nodes[k].left);
	int right = tree_sum(nodes, nodes[k].right);

	return nodes[k].value + left + right;
}

extern "C" __global__ void tree_sums(const struct node *nodes, const int *starts, int *sums)
{
	sums[threadIdx.x] = tree_sum(nodes, starts[threadIdx.x]);
}
