/* Runs a fuzz target without a fuzzer: every file named, and every file in every folder named, once; with -mutate=N N changed ones of each, too, the
 * same each time. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int mutants; /* of each file */

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A byte becomes another one, or that of another place, or all from one place on is what is at another. */
static size_t change(uint8_t *data, size_t n, uint64_t *state)
{
	const size_t at = draw(state) % n, from = draw(state) % n;
	switch (draw(state) % 4) {
	case 0: data[at] = (uint8_t)draw(state); break;
	case 1: data[at] ^= (uint8_t)(1 << draw(state) % 8); break;
	case 2: data[at] = data[from]; break;
	default:
		if (at < from) {
			memmove(data + at, data + from, n - from);
			n -= from - at;
		}
	}
	return n;
}

static void run_mutants(const uint8_t *data, size_t n)
{
	uint64_t state = 88172645463325252u;
	for (int k = 0; n && k < mutants; k++) {
		uint8_t *mutant = malloc(n);
		size_t left = n;

		if (!mutant)
			abort();
		memcpy(mutant, data, n);
		for (int c = 0; c < 1 + k % 4; c++)
			left = change(mutant, left, &state);
		LLVMFuzzerTestOneInput(mutant, left);
		free(mutant);
	}
}

static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t n = 0, got;

	if (!f)
		return 0;
	do {
		uint8_t *bigger = realloc(data, n + 65536);

		if (!bigger)
			abort();
		data = bigger;
		got = fread(data + n, 1, 65536, f);
		n += got;
	} while (got);
	fclose(f);
	LLVMFuzzerTestOneInput(data, n);
	run_mutants(data, n);
	free(data);
	return 1 + mutants;
}

/* How many it ran, or -1 if it is no folder. */
static int run_folder(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int n = 0;

	if (!d)
		return -1;
	while ((e = readdir(d))) {
		char name[4096];

		if (e->d_name[0] == '.')
			continue;
		if (snprintf(name, sizeof(name), "%s/%s", path, e->d_name) < (int)sizeof(name))
			n += run_file(name);
	}
	closedir(d);
	return n;
}

int main(int argc, char **argv)
{
	int n = 0;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "-mutate=", 8))
			mutants = atoi(argv[i] + 8);
		if (argv[i][0] == '-')
			continue;
		int in_folder = run_folder(argv[i]);

		n += in_folder >= 0 ? in_folder : run_file(argv[i]);
	}
	printf("%d inputs run, nothing found\n", n);
	return 0;
}
