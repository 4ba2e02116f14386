/* Runs a fuzz target without a fuzzer: every file named, and every file in every folder named, once. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

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
	free(data);
	return 1;
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
		if (argv[i][0] == '-')
			continue;
		int in_folder = run_folder(argv[i]);

		n += in_folder >= 0 ? in_folder : run_file(argv[i]);
	}
	printf("%d inputs run, nothing found\n", n);
	return 0;
}
