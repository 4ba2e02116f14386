/* Runs every kernel of programs.cu on the host (on_host.h). Usage: host_programs DIR */
#define HOST
#include "programs.cu"
#include "on_host.h"

u32 tile[4096];
u64 exchanged[1024];

static const struct host_kernel kernels[] = {
#define K(name) {#name, name}
	K(merge_network), K(shuffle_scan), K(shuffles), K(votes), K(hash_table), K(atomics), K(transpose), K(fft), K(lu), K(strings),
	K(recursions), K(virtuals), K(tables), K(templates), K(tiles), K(halves), K(lists), K(wide), K(sha), K(searches), K(intrinsics),
};

int main(int argc, char **argv) { return argc == 2 ? run_on_host(kernels, sizeof kernels / sizeof *kernels, 101, 1024, argv[1]) : 2; }
