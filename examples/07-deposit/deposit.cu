// Every thread pays its amount into an account, one after the other, under a spin lock.
//
// Host side:  deposit<<<1, 64>>>(&lock, &balance, amounts);      with lock = 0, balance = 0
// Symptom:    the kernel never ends on GPUs before Volta, for which this PTX is. On newer ones it ends.
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo deposit.cu, then the folders taken out of its .file lines, and the target changed to sm_61

extern "C" __global__ void deposit(int *lock, volatile int *balance, const int *amounts)
{
	int amount = amounts[blockIdx.x * blockDim.x + threadIdx.x];

	while (atomicCAS(lock, 0, 1) != 0)
		;
	*balance = *balance + amount;
	__threadfence();
	atomicExch(lock, 0);
}
