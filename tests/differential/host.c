/* Runs every kernel of kernels.cu on the host (on_host.h). Usage: host DIR */
#define HOST
#include "kernels.cu"
#include "on_host.h"

static const struct host_kernel kernels[] = {
#define K(name) {#name, name}
	K(int_mix), K(signed_mix), K(wide_mix), K(float_mix), K(fused), K(double_mix), K(conversions), K(bits), K(narrow), K(collatz),
	K(branches), K(local_array), K(recursion), K(function_pointers), K(structures), K(constants), K(block_scan), K(block_sort), K(matrix),
	K(byte_walk), K(rare_values),
};

int main(int argc, char **argv) { return argc == 2 ? run_on_host(kernels, sizeof kernels / sizeof *kernels, 1, 0, argv[1]) : 2; }
