/* Configs by name: where they are, and which there are. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/nearest.h"
#include "base/xalloc.h"
#include "gpu/config/capability.h"
#include "gpu/config/config_internal.h"

static bool is_file(const struct files *files, const char *path)
{
	const int error = files_test(files, path);
	return !error || error == EACCES; /* reading it says why not */
}

/* Configs lie in ./configs and beside the program: in ../configs or ../../configs of its real folder (build tree), or in
 * ../share/warpstep/configs (installed). `fn` gets one folder after the other, until it says true. */
static bool visit_folders(bool (*fn)(void *self, const char *folder), void *self)
{
	struct text folder = {0};
	char program[4096];
	ssize_t n = readlink("/proc/self/exe", program, sizeof program);
	bool done = fn(self, "configs");
	for (unsigned up = 0; !done && n > 0 && up < 4; up++) {
		while (n > 0 && program[n - 1] != '/')
			n--;
		n--; /* the slash */
		if (n < 0)
			break;
		for (unsigned k = 0; !done && k < 2; k++) {
			text_clear(&folder);
			text_addn(&folder, program, (size_t)n);
			text_add(&folder, k ? "/share/warpstep/configs" : "/configs");
			done = fn(self, text_str(&folder));
		}
	}
	text_free(&folder);
	return done;
}

struct search {
	const struct files *files;
	const char *name;
	struct text *path;
};

static bool is_in_folder(void *self, const char *folder)
{
	const struct search *s = self;
	text_clear(s->path);
	text_addf(s->path, "%s/%s/gpgpusim.config", folder, s->name);
	return is_file(s->files, text_str(s->path));
}

bool config_find(const struct files *files, const char *name, struct text *path)
{
	struct search s = {files, name, path};
	text_clear(path);
	if (is_file(files, name)) {
		text_add(path, name);
		return true;
	}
	text_addf(path, "%s/gpgpusim.config", name); /* a folder that is named itself */
	if (is_file(files, text_str(path)))
		return true;
	return !strchr(name, '/') && visit_folders(is_in_folder, &s);
}

struct listing {
	char **names;
	size_t n, cap;
};

static bool is_listed(const struct listing *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->names[i], name))
			return true;
	return false;
}

static bool list_folder(void *self, const char *folder)
{
	struct listing *l = self;
	struct text path = {0};
	DIR *d = opendir(folder);
	for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
		struct search s = {NULL, e->d_name, &path};
		if (e->d_name[0] == '.' || !is_in_folder(&s, folder) || is_listed(l, e->d_name))
			continue;
		l->names = xgrow(l->names, &l->cap, l->n + 1, sizeof *l->names);
		l->names[l->n++] = xstrdup(e->d_name);
	}
	if (d)
		closedir(d);
	text_free(&path);
	return false;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void config_missing(const char *name, struct text *out)
{
	struct listing l = {0};
	struct nearest near;
	text_clear(out);
	visit_folders(list_folder, &l);
	for (unsigned k = 0; capability_at(k); k++) {
		struct text cc = {0};
		text_addf(&cc, "cc%u", capability_at(k)->number);
		l.names = xgrow(l.names, &l.cap, l.n + 1, sizeof *l.names);
		l.names[l.n++] = text_take(&cc);
	}
	if (l.n)
		qsort(l.names, l.n, sizeof *l.names, by_name);
	nearest_begin(&near, name, strlen(name));
	for (size_t i = 0; i < l.n; i++)
		nearest_add(&near, l.names[i]);
	text_addf(out, "no config '%s'", name);
	nearest_suggest(&near, out);
	text_add(out, nearest_meant(&near) ? " Expected a file or one of" : ", expected a file or one of");
	for (size_t i = 0; i < l.n; i++) {
		text_addf(out, "%s %s", i ? "," : "", l.names[i]);
		free(l.names[i]);
	}
	free(l.names);
}
