/* Finds the libraries that programs load. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/internal.h"

bool server_library_path(struct text *out)
{
	static const char *const places[] = {"/lib/warpstep", "/../lib/warpstep"};
	char self[PATH_MAX], real[PATH_MAX];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = '\0';
	char *slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
		struct text file = {0};
		text_addf(&file, "%s%s/libwarpstep.so", self, places[k]);
		const bool there = realpath(text_str(&file), real);
		text_free(&file);
		if (!there)
			continue;
		*strrchr(real, '/') = '\0';
		text_add(out, real);
		return true;
	}
	return false;
}
