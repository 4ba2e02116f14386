// examples/07-deposit without its mistake.
extern "C" __global__ void deposit(int *lock, volatile int *balance, const int *amounts)
{
	int amount = amounts[blockIdx.x * blockDim.x + threadIdx.x];

	for (bool paid = false; !paid;)
		if (atomicCAS(lock, 0, 1) == 0) {
			*balance = *balance + amount;
			__threadfence();
			atomicExch(lock, 0);
			paid = true;
		}
}
