#include "repl/line_history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/file_replace.h"

#define BYTES_MAX ((size_t)64 << 20) /* a longer file is none of a history */

static const char libedit_heading[] = "_HiStOrY_V2_\n";

static bool is_of_libedit(const char *s) { return !strncmp(s, libedit_heading, sizeof libedit_heading - 1); }

/* Adds a line of libedit's file. Blanks and backslashes are \ooo there. */
static void add_decoded(const char *s, size_t n, struct text *out)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\\' && n - i > 3 && strspn(s + i + 1, "01234567") >= 3) {
			text_addc(out, (char)((s[i + 1] - '0') << 6 | (s[i + 2] - '0') << 3 | (s[i + 3] - '0')));
			i += 3;
		} else {
			text_addc(out, s[i]);
		}
	}
}

/* Adds all lines of a history file. Returns false with errno set if it can't be read. */
static bool read_lines(const char *path, struct text *out)
{
	size_t n;
	char *s = files_read(NULL, path, FILES_READ, BYTES_MAX, &n);
	if (!s)
		return false;
	const bool is_encoded = is_of_libedit(s);
	for (const char *at = is_encoded ? s + sizeof libedit_heading - 1 : s; *at;) {
		const size_t length = strcspn(at, "\n");
		if (is_encoded)
			add_decoded(at, length, out);
		else
			text_addn(out, at, length);
		text_addc(out, '\n');
		at += length + (at[length] == '\n');
	}
	free(s);
	return true;
}

/* Returns where the last `most` lines begin. */
static const char *last_lines(const struct text *lines, size_t most)
{
	const char *s = text_str(lines);
	size_t n = lines->n;
	for (size_t k = 0; most && n; n--)
		if (n < lines->n && s[n - 1] == '\n' && ++k == most)
			return s + n;
	return s;
}

void line_history_read(const char *path, size_t most, struct text *out)
{
	struct text all = {0};
	if (read_lines(path, &all))
		text_add(out, last_lines(&all, most));
	text_free(&all);
}

/* Rewrites a history file, which no other session writes meanwhile: as plain lines, at most so many. */
static bool rewrite(const char *path, size_t most)
{
	struct text lines = {0};
	const int fd = file_lock(path);
	if (fd < 0)
		return false;
	bool ok = read_lines(path, &lines);
	if (ok) {
		const char *last = last_lines(&lines, most);
		ok = files_write(NULL, path, last, lines.n - (size_t)(last - text_str(&lines)));
	}
	const int error = errno;
	text_free(&lines);
	close(fd);
	errno = error;
	return ok;
}

/* Makes the file if it isn't there, and takes libedit's encoding from it. */
static bool prepare(const char *path)
{
	char heading[sizeof libedit_heading] = "";
	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd < 0)
		return false;
	const bool is_encoded = read(fd, heading, sizeof heading - 1) > 0 && is_of_libedit(heading);
	close(fd);
	return !is_encoded || rewrite(path, 0);
}

bool line_history_add(const char *path, const char *line)
{
	struct text t = {0};
	text_addf(&t, "%s\n", line);
	const bool ok = prepare(path) && files_append(NULL, path, t.s, t.n);
	const int error = errno;
	text_free(&t);
	errno = error;
	return ok;
}

bool line_history_shorten(const char *path, size_t most)
{
	struct text lines = {0};
	const bool is_long = most && read_lines(path, &lines) && last_lines(&lines, most) != text_str(&lines);
	text_free(&lines);
	return !is_long || rewrite(path, most);
}
