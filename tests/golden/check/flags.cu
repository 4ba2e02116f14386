// A flag without its fences, with only one, with none where none is a flag, and with those of a block. nvcc -arch=sm_75 -lineinfo -ptx flags.cu
__device__ int data[64]; __device__ int flag; __device__ int flag2;
extern "C" __global__ void pub(int *out){
  if (blockIdx.x==0 && threadIdx.x==0){ data[3]=42; atomicExch(&flag,1); }
  if (blockIdx.x==1 && threadIdx.x==0){ while(atomicAdd(&flag,0)==0); out[0]=data[3]; }
}
// only the consumer's fence is there
extern "C" __global__ void half(int *out){
  if (blockIdx.x==0 && threadIdx.x==0){ data[4]=42; *(volatile int*)&flag2=1; }
  if (blockIdx.x==1 && threadIdx.x==0){ while(*(volatile int*)&flag2==0); __threadfence(); out[0]=data[4]; }
}
// no flag at all
extern "C" __global__ void none(int *out){ if (threadIdx.x==0) { if (blockIdx.x==0) data[5]=1; else out[2]=data[5]; } }
extern "C" __global__ void blockfence(int *out){
  if (blockIdx.x==0 && threadIdx.x==0){ data[6]=42; __threadfence_block(); atomicExch(&flag,2); }
  if (blockIdx.x==1 && threadIdx.x==0){ while(atomicAdd(&flag,0)!=2); __threadfence_block(); out[0]=data[6]; }
}
// the flag of a block whose threads have met in a barrier before, and of one that does afterwards
extern "C" __global__ void through_barriers(int *out){
  __shared__ int s;
  if (blockIdx.x==0) { data[threadIdx.x]=threadIdx.x; __syncthreads(); if (threadIdx.x==0) atomicExch(&flag,3); }
  else { if (threadIdx.x==0) { while(atomicAdd(&flag,0)!=3); s=1; } __syncthreads(); out[threadIdx.x]=data[threadIdx.x]+s; }
}
// the flag is written before the data: fences don't help
extern "C" __global__ void too_early(int *out){
  if (blockIdx.x==0 && threadIdx.x==0){ atomicExch(&flag,4); data[7]=42; }
  if (blockIdx.x==1 && threadIdx.x==0){ while(atomicAdd(&flag,0)!=4); out[0]=data[7]; }
}
// a counter that the reader doesn't read: its result isn't used
extern "C" __global__ void unread(int *out){
  if (blockIdx.x==0 && threadIdx.x==0){ data[8]=42; atomicAdd(&flag,1); }
  if (blockIdx.x==1 && threadIdx.x==0){ atomicAdd(&flag,1); out[0]=data[8]; }
}
