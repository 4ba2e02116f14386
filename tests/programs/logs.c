/* What a program is told of errors: lines from a place on, into memory and files, and functions that are called with each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

enum { INVALID_VALUE = 1 };
typedef void callback(void *data, int level, char *message, size_t n);

int cudaMalloc(void **p, size_t n), cudaStreamDestroy(void *s), cudaGetLastError(void);
int cudaLogsRegisterCallback(callback *f, void *data, void **handle), cudaLogsUnregisterCallback(void *handle);
int cudaLogsCurrent(unsigned *iterator, unsigned flags), cudaLogsDumpToFile(unsigned *iterator, const char *path, unsigned flags);
int cudaLogsDumpToMemory(unsigned *iterator, char *to, size_t *n, unsigned flags);

static int calls;

static void heard(void *data, int level, char *message, size_t n)
{
	calls++;
	EXPECT(data == &calls && level == 0 && n == strlen(message) && strstr(message, "cudaMalloc") && strstr(message, "invalid argument"));
}

static void file(const char *path)
{
	char line[200] = "";
	unsigned all = 0;
	RETURNS(0, cudaLogsDumpToFile(&all, path, 0));
	FILE *f = fopen(path, "r");
	EXPECT(f && fgets(line, sizeof line, f) && strstr(line, "cudaMalloc") && !fgets(line, sizeof line, f));
	if (f)
		fclose(f);
	RETURNS(INVALID_VALUE, cudaLogsDumpToFile(&all, "/nowhere/at/all", 0));
	RETURNS(INVALID_VALUE, cudaLogsDumpToFile(&all, NULL, 0));
}

int main(int argc, char **argv)
{
	static char text[30000];
	size_t n = sizeof text;
	unsigned at = 99, other;
	void *handle;
	RETURNS(0, cudaLogsCurrent(&at, 0));
	RETURNS(0, cudaLogsDumpToMemory(NULL, text, &n, 0));
	EXPECT(n == 0 && !text[0]);
	RETURNS(0, cudaLogsRegisterCallback(heard, &calls, &handle));
	RETURNS(INVALID_VALUE, cudaMalloc(NULL, 5));
	EXPECT(calls == 1);
	RETURNS(0, cudaLogsUnregisterCallback(handle));
	if (argc > 1)
		file(argv[1]);
	RETURNS(INVALID_VALUE, cudaLogsUnregisterCallback(handle));
	RETURNS(INVALID_VALUE, cudaLogsRegisterCallback(NULL, NULL, NULL));
	RETURNS(INVALID_VALUE, cudaLogsCurrent(&other, 1));
	RETURNS(INVALID_VALUE, cudaLogsDumpToMemory(&at, text, NULL, 0));
	n = 5;
	RETURNS(INVALID_VALUE, cudaLogsDumpToMemory(&at, text, &n, 0));
	EXPECT(n == 0);
	n = sizeof text;
	RETURNS(0, cudaLogsDumpToMemory(&at, text, &n, 0));
	EXPECT(n == strlen(text) && !strncmp(text, strstr(text, "cudaMalloc"), 10) && text[n - 1] == '\n' && strstr(text, "cudaLogsCurrent"));
	n = sizeof text;
	RETURNS(0, cudaLogsDumpToMemory(&at, text, &n, 0)); /* nothing since */
	EXPECT(n == 0 && calls == 1);

	/* more than is kept; less room than there is */
	for (int k = 0; k < 2000; k++)
		RETURNS(INVALID_VALUE, cudaMalloc(NULL, 1));
	RETURNS(400, cudaStreamDestroy(NULL));
	other = at;
	n = sizeof text;
	RETURNS(0, cudaLogsDumpToMemory(&at, text, &n, 0));
	EXPECT(n > 20000 && n <= 25600 + 100 && text[0] == '[' && strstr(text, "lost") && !strcmp(strrchr(text, 'S') - 4, strstr(text, "cudaStreamDestroy")));
	n = 200;
	RETURNS(0, cudaLogsDumpToMemory(&other, text, &n, 0));
	EXPECT(n > 100 && n < 200 && text[0] == '[' && strstr(text, "no room") && strstr(text, "cudaStreamDestroy"));
	return verdict();
}
