/* Loading a big PTX file: writes about 25 MB of PTX of the kind nvcc makes of unrolled template code, loads it, and prints the
 * time, MB/s and the peak memory as a multiple of the file's size. Argument: megabytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "frontend/frontend.h"

static uint32_t next_random(uint32_t *s)
{
	*s = *s * 1664525u + 1013904223u;
	return *s >> 8;
}

/* A block of straight code: address arithmetic, loads, arithmetic, a store; with source lines now and then. */
static void write_block(struct text *t, uint32_t *seed, unsigned function, unsigned block, unsigned n_regs)
{
	unsigned r = next_random(seed) % (n_regs - 8), k = next_random(seed) % 4096;

	text_addf(t, "$L__BB%u_%u:\n", function, block);
	if (block % 3 == 0)
		text_addf(t, "\t.loc\t1 %u %u\n", 10 + k, 1 + block % 60);
	text_addf(t, "\tmad.lo.s32 \t%%r%u, %%r%u, %u, %%r%u;\n", r + 1, r + 2, k, r + 3);
	text_addf(t, "\tmul.wide.s32 \t%%rd%u, %%r%u, 4;\n", r + 1, r + 1);
	text_addf(t, "\tadd.s64 \t%%rd%u, %%rd%u, %%rd%u;\n", r + 2, r, r + 1);
	text_addf(t, "\tld.global.f32 \t%%f%u, [%%rd%u+%u];\n", r + 1, r + 2, 4 * (k & 63));
	text_addf(t, "\tld.global.v4.f32 \t{%%f%u, %%f%u, %%f%u, %%f%u}, [%%rd%u];\n", r + 2, r + 3, r + 4, r + 5,
		  r + 2);
	for (unsigned i = 0; i < 6; i++)
		text_addf(t, "\tfma.rn.f32 \t%%f%u, %%f%u, %%f%u, 0f%08X;\n", r + 3 + i % 4, r + i % 5, r + 1 + i % 3,
			  0x3f800000u + (k << 8));
	text_addf(t, "\tst.global.f32 \t[%%rd%u+%u], %%f%u;\n", r + 2, 4 * (k & 31), r + 3);
	text_addf(t, "\tsetp.lt.s32 \t%%p%u, %%r%u, %u;\n", 1 + r % 30, r + 1, k);
	text_addf(t, "\t@%%p%u bra \t$L__BB%u_%u;\n", 1 + r % 30, function, block + 1 + next_random(seed) % 3);
}

static void write_function(struct text *t, uint32_t *seed, unsigned function, unsigned n_blocks)
{
	unsigned n_regs = 64 + n_blocks / 2;

	text_addf(
		t,
		".visible .entry kernel_%u(\n\t.param .u64 kernel_%u_param_0,\n\t.param .u32 kernel_%u_param_1\n)\n{\n",
		function, function, function);
	text_addf(t,
		  "\t.reg .pred \t%%p<32>;\n\t.reg .f32 \t%%f<%u>;\n\t.reg .b32 \t%%r<%u>;\n\t.reg .b64 \t%%rd<%u>;\n",
		  n_regs, n_regs, n_regs);
	text_addf(t, "\n\tld.param.u64 \t%%rd0, [kernel_%u_param_0];\n\tld.param.u32 \t%%r0, [kernel_%u_param_1];\n",
		  function, function);
	for (unsigned b = 0; b < n_blocks; b++)
		write_block(t, seed, function, b, n_regs);
	for (unsigned b = n_blocks; b < n_blocks + 3; b++)
		text_addf(t, "$L__BB%u_%u:\n", function, b);
	text_add(t, "\tret;\n\n}\n");
}

static void write_module(struct text *t, size_t bytes)
{
	uint32_t seed = 1;

	text_add(t, ".version 8.0\n.target sm_75\n.address_size 64\n.file 1 \"unrolled.cu\"\n");
	/* most functions are small, some are huge */
	for (unsigned f = 0; t->n < bytes; f++)
		write_function(t, &seed, f, f % 16 == 15 ? 20000 : 40 + next_random(&seed) % 400);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In a process of its own, so that its peak memory is that of loading alone. */
static int measure(const char *path, double mb)
{
	struct isa_program p;
	struct diag_list diags = {0};
	struct rusage before, after;

	isa_program_init(&p);
	getrusage(RUSAGE_SELF, &before);
	double from = seconds();
	bool ok = frontend_load_file(&p, NULL, path, NULL, &diags);
	double took = seconds() - from;
	getrusage(RUSAGE_SELF, &after);
	if (!ok) {
		struct text t = {0};
		for (size_t i = 0; i < diags.n && i < 5; i++)
			diag_format(&t, &diags.v[i]);
		fprintf(stderr, "%s", text_str(&t));
		text_free(&t);
	} else {
		double peak = (double)(after.ru_maxrss - before.ru_maxrss) / 1024;
		printf("ptx load: %.1f MB, %u instructions, %.2f s, %.1f MB/s, peak memory %.0f MB = %.1f times the "
		       "file\n",
		       mb, p.n_insns, took, mb / took, peak, peak / mb);
	}
	diag_list_free(&diags);
	isa_program_free(&p);
	return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
	size_t bytes = (size_t)(argc > 1 ? atof(argv[1]) * 1e6 : 25e6);
	const char *dir = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	char path[4096];

	/* the writer is another process too: a child inherits its parent's memory peak */
	if (snprintf(path, sizeof path, "%s/warpstep-bench-XXXXXX", dir) >= (int)sizeof path)
		return 1;
	int fd = mkstemp(path);
	if (fd < 0) {
		perror(path);
		return 1;
	}
	pid_t writer = fork();
	if (!writer) {
		struct text t = {0};
		write_module(&t, bytes);
		FILE *f = fdopen(fd, "wb");
		_exit(f && fwrite(t.s, 1, t.n, f) == t.n && !fclose(f) ? 0 : 1);
	}
	int status = 1;
	if (writer < 0 || waitpid(writer, &status, 0) < 0 || status)
		fprintf(stderr, "%s: can't write the test file\n", path);
	else
		status = measure(path, (double)lseek(fd, 0, SEEK_END) / 1e6);
	close(fd);
	unlink(path);
	return status != 0;
}
