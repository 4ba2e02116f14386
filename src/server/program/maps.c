#include "server/program/maps.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

#define MAPS_BYTES_MAX ((size_t)16 << 20)

char *maps_read(pid_t pid, size_t *n)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t cap = 0, got = 1;
	*n = 0;
	while (f && got && *n < MAPS_BYTES_MAX) {
		text = xgrow(text, &cap, *n + 65536, 1);
		got = fread(text + *n, 1, 65536, f);
		*n += got;
	}
	if (f)
		fclose(f);
	return text;
}

static bool is_executable(pid_t pid, const char *path)
{
	char link[64], name[PATH_MAX];
	snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
	const ssize_t n = readlink(link, name, sizeof name);
	return n > 0 && (size_t)n == strlen(path) && !memcmp(name, path, (size_t)n);
}

static void name_text(pid_t pid, const char *path, struct text *out)
{
	if (!strcmp(path, "[stack]"))
		text_add(out, "the program's stack");
	else if (!strcmp(path, "[heap]"))
		text_add(out, "the program's heap");
	else if (*path == '/' && !is_executable(pid, path))
		text_addf(out, "of %s in the program", file_base_name(path));
	else
		text_add(out, *path ? "the program's variables" : "the program's own");
}

/* `START-END PERMISSIONS OFFSET DEVICE INODE  PATH` */
static bool line_holds(const char *line, uint64_t address, const char **path)
{
	uint64_t start, end;
	char permissions[5];
	int at = 0;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &start, &end, permissions, &at) != 3 || !at)
		return false;
	*path = line + at;
	return address >= start && address < end && *permissions == 'r';
}

bool maps_describe(pid_t pid, uint64_t address, struct text *out)
{
	size_t n;
	char *maps = maps_read(pid, &n), *end = n ? maps + n : maps;
	bool found = false;
	for (char *line = maps, *next; n && !found && (next = memchr(line, '\n', (size_t)(end - line))) != NULL;
	     line = next + 1) {
		const char *path;
		*next = '\0';
		found = line_holds(line, address, &path);
		if (found)
			name_text(pid, path, out);
	}
	free(maps);
	return found;
}
