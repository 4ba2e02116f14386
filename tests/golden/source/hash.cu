// A hash table of the kind that users debug: functions of the toolkit's headers are called (-G) and inlined (-lineinfo).
// PTX: nvcc -arch=sm_75 -ptx -G -o hash-g.ptx hash.cu, nvcc -arch=sm_75 -ptx -lineinfo hash.cu, then the folders taken out of .file

struct Slot { unsigned key, value; };

__device__ bool insert(Slot *slots, unsigned mask, unsigned key, unsigned value)
{
	unsigned i = key * 2654435769u >> 7 & mask;
	while (true) {
		unsigned seen = atomicCAS(&slots[i].key, 0u, key);
		if (seen == 0u || seen == key) {
			slots[i].value = value;
			return seen == 0u;
		}
		i = i + 1 & mask;
	}
}

__global__ void fill(Slot *slots, unsigned mask, const unsigned *keys, int n, int *count)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t < n && insert(slots, mask, keys[t], t))
		atomicAdd(count, 1);
}
