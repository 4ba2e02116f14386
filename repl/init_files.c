/* The init files. A file of the current folder may be another user's: it is read only if the user has said so, and if no other user can have
 * written it. */
#include "repl/init_files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "command/interpreter/input.h"

#define INIT_BYTES_MAX ((size_t)16 << 20)
static const char local_file[] = ".warpstep";

/* False: there is no folder for it. As the XDG's specification has it a relative one doesn't count. */
static bool home_path(struct text *out)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	bool has_config = config && *config == '/';
	if (!has_config && !(home && *home))
		return false;
	text_addf(out, has_config ? "%s/warpstep/init" : "%s/.config/warpstep/init", has_config ? config : home);
	return true;
}

/* What goes wrong in it ends the file, not the session, and isn't the session's status. */
static void read_init(struct interpreter *in, const char *path)
{
	size_t n;
	bool batch = in->batch;
	char *text = files_read(NULL, path, FILES_READ, INIT_BYTES_MAX, &n);
	if (!text) {
		interpreter_error(in, "can't read '%s': %m", path);
		in->failed = false;
		return;
	}
	in->batch = false;
	input_push_file(in->input, path, text, n);
	interpreter_run(in, true);
	input_begin_command(in->input);
	in->batch = batch;
	in->failed = false;
	free(in->last_line); /* an empty line at the prompt repeats what was typed there */
	in->last_line = NULL;
	free(text);
}

void init_read_home(struct interpreter *in)
{
	struct text path = {0};
	struct stat st;
	if (home_path(&path) && !stat(text_str(&path), &st) && S_ISREG(st.st_mode))
		read_init(in, text_str(&path));
	text_free(&path);
}

/* Is a folder one of the list, or in one of them? */
static bool is_in_list(const char *list, const char *folder)
{
	char real[PATH_MAX];
	for (size_t n; *list; list += n + (list[n] == ':')) {
		struct text dir = {0};
		n = strcspn(list, ":");
		text_addn(&dir, list, n);
		bool ok = n && realpath(text_str(&dir), real);
		size_t k = ok ? strlen(real) : 0;
		text_free(&dir);
		if (ok && !strncmp(real, folder, k) && (k == 1 || !folder[k] || folder[k] == '/'))
			return true;
	}
	return false;
}

/* Returns whether a user other than this one and root could have written the file. */
static bool is_of_others(const struct stat *st) { return st->st_uid != geteuid() || st->st_mode & S_IWOTH; }

/* Why it is not read; NULL: it may be. */
static const char *refusal(const struct interpreter *in, const struct stat *file)
{
	const char *list = setting_text(in, SETTING_AUTO_LOAD_SAFE_PATH);
	char folder[PATH_MAX];
	struct stat st;
	if (!setting_is_on(in, SETTING_AUTO_LOAD))
		return "`set auto-load on`";
	if (!getcwd(folder, sizeof folder) || (*list && !is_in_list(list, folder)))
		return "its folder in `set auto-load-safe-path`";
	if (is_of_others(file))
		return "that it is yours and nobody else may write it";
	if (stat(".", &st) || is_of_others(&st))
		return "that its folder is yours and nobody else may write there";
	return NULL;
}

static void warn(struct interpreter *in, const char *wanted)
{
	struct text line = {0}, path = {0};
	text_addf(&line, "warning: %s is not read: that wants %s", local_file, wanted);
	if (*wanted != 't') { /* a setting */
		text_add(&line, " in ");
		text_add(&line, home_path(&path) ? text_str(&path) : "your init file");
	}
	text_addf(&line, "; `source %s` reads it now\n", local_file);
	interpreter_complain(in, text_str(&line));
	text_free(&path);
	text_free(&line);
}

void init_read_local(struct interpreter *in)
{
	struct stat st;
	if (stat(local_file, &st) || !S_ISREG(st.st_mode))
		return;
	const char *wanted = refusal(in, &st);
	if (wanted)
		warn(in, wanted);
	else
		read_init(in, local_file);
}
