#!/bin/bash
# Graphs of programs: made node by node, changed, updated, nested; captured with a fork and a join; what CUDA refuses.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

build_static graphs
build_shared graphs 13

for program in graphs-static graphs-13; do
	for mode in functional performance; do
		is nodes '6 nodes, 1 root, 6 edges, a copy is 1
told
15 15
15
told
15 15
told
40 40
told
15 15
another shape: 910 2
destroyed: 1 1
101 101
circle: 1'
		is capture 'status 1, 6 nodes, 6 edges, nothing done: 0
aside
7 7
aside
7 7
synchronize: 900, end: 901, again: 401
not joined: 904
default stream: 900
status 0'
		is forbidden 'cudaMalloc(&p, 4) 900, 901
cudaMalloc(&p, 4) 900, 901
cudaMalloc(&p, 4) 0, 0
cudaFree(p) 0, 0
cudaDeviceSynchronize() 900, 901
cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost) 906, 901
cudaMemset(device, 0, 4) 906, 901
cudaLaunchKernel(add, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&device, &mode}, 0, NULL) 906, 901
cudaStreamWaitEvent(NULL, e, 0) 906, 901
cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost) 0, 0
cudaEventRecord(e, s) ? 99 : cudaEventQuery(e) 907, 901
cudaEventRecord(e, s) ? 99 : cudaEventRecord(e, beside) ? 98 : cudaEventSynchronize(e) 0, 0'
	done
done
exit $bad
