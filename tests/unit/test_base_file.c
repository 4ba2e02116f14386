/* src/base/file_replace: a file's old content stays until the new one is complete. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files.h"
#include "base/file_replace.h"

/* Each test runs in an empty folder. */
static int enter(void **state)
{
	char *folder = strdup("/tmp/test_base_file.XXXXXX");
	*state = mkdtemp(folder);
	return *state ? chdir(*state) : -1;
}

static int leave(void **state)
{
	char command[256];
	snprintf(command, sizeof command, "rm -rf %s", (char *)*state);
	free(*state);
	return chdir("/") || system(command);
}

static void put(const char *path, const char *content)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(content, f);
	assert_int_equal(fclose(f), 0);
}

static void holds(const char *path, const char *content)
{
	size_t n;
	char *s = files_read(NULL, path, FILES_READ, 1 << 20, &n);
	assert_non_null(s);
	assert_string_equal(s, content);
	free(s);
}

/* Number of names in the current folder. */
static unsigned names(void)
{
	unsigned n = 0;
	DIR *d = opendir(".");
	for (const struct dirent *e; (e = readdir(d));)
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(d);
	return n;
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void new_file_has_the_usual_mode(void **state)
{
	(void)state;
	const mode_t before = umask(027);
	assert_true(files_write(NULL, "new", "abc", 3));
	umask(before);
	holds("new", "abc");
	assert_int_equal(mode_of("new"), 0640);
	assert_int_equal(names(), 1);
}

static void mode_and_owner_stay(void **state)
{
	struct stat st;
	(void)state;
	put("old", "before");
	chmod("old", 0606);
	const bool is_root = !geteuid();
	if (is_root)
		assert_int_equal(chown("old", 1, 2), 0);
	assert_true(files_write(NULL, "old", "x", 1));
	holds("old", "x");
	assert_int_equal(mode_of("old"), 0606);
	assert_int_equal(stat("old", &st), 0);
	if (is_root)
		assert_true(st.st_uid == 1 && st.st_gid == 2);
}

/* Runs `write` in a process whose files may have 4096 bytes. Returns what it returns. */
static int limited(int (*write)(void))
{
	const pid_t pid = fork();
	int status;
	if (!pid) {
		const struct rlimit small = {4096, 4096};
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &small);
		_exit(write());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int write_too_much(void)
{
	static char much[20000];
	return files_write(NULL, "old", much, sizeof much) ? 0 : errno;
}

static int append_too_much(void)
{
	static char much[20000];
	return files_append(NULL, "old", much, sizeof much) ? 0 : errno;
}

/* As fprintf() without a look at what it returns: the failure is known when the file is closed. */
static int write_too_much_unseen(void)
{
	struct file_replacement w;
	if (!file_replace_open(&w, "old"))
		return 255;
	for (unsigned i = 0; i < 5000; i++)
		fputs("line\n", w.file);
	return file_replace_close(&w, true) ? 0 : errno;
}

static void no_room_leaves_the_old_content(void **state)
{
	(void)state;
	put("old", "before");
	assert_int_equal(limited(write_too_much), EFBIG);
	holds("old", "before");
	assert_int_equal(limited(write_too_much_unseen), EFBIG);
	holds("old", "before");
	assert_int_equal(limited(append_too_much), EFBIG);
	holds("old", "before");
	assert_int_equal(names(), 1);
}

static void given_up_leaves_the_old_content(void **state)
{
	struct file_replacement w;
	(void)state;
	put("old", "before");
	assert_true(file_replace_open(&w, "old"));
	assert_int_equal(names(), 2);
	struct stat st;
	assert_int_equal(fstat(fileno(w.file), &st), 0);
	assert_int_equal(st.st_mode & 07077, 0 | (mode_of("old") & 077)); /* the old file's, at no time more */
	fputs("after", w.file);
	assert_true(file_replace_close(&w, false));
	holds("old", "before");
	assert_int_equal(names(), 1);
}

static void links_are_followed(void **state)
{
	struct stat st;
	(void)state;
	assert_int_equal(mkdir("there", 0777), 0);
	put("there/file", "before");
	assert_int_equal(symlink("file", "there/second"), 0);
	assert_int_equal(symlink("there/second", "first"), 0);
	assert_true(files_write(NULL, "first", "after", 5));
	holds("there/file", "after");
	assert_int_equal(lstat("first", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(symlink("there/new", "dangling"), 0);
	assert_true(files_write(NULL, "dangling", "made", 4));
	holds("there/new", "made");
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_false(files_write(NULL, "loop", "x", 1));
	assert_int_equal(errno, ELOOP);
}

static void pipes_and_descriptors_are_written_to(void **state)
{
	(void)state;
	char got[8] = {0}, name[32];
	assert_int_equal(mkfifo("fifo", 0600), 0);
	const int fd = open("fifo", O_RDWR);
	assert_true(files_write(NULL, "fifo", "abc", 3));
	assert_int_equal(read(fd, got, sizeof got), 3);
	assert_string_equal(got, "abc");
	close(fd);
	assert_true(files_write(NULL, "/dev/null", "abc", 3));
	/* what a descriptor leads to stays the same file */
	const int out = open("out", O_RDWR | O_CREAT, 0600);
	snprintf(name, sizeof name, "/dev/fd/%d", out);
	assert_int_equal(write(out, "123", 3), 3);
	assert_true(files_write(NULL, name, "abc", 3));
	assert_int_equal(pread(out, got, sizeof got, 0), 6);
	assert_memory_equal(got, "123abc", 6);
	close(out);
	assert_int_equal(names(), 2);
}

static void what_cannot_be_written_is_refused_at_once(void **state)
{
	struct file_replacement w;
	(void)state;
	assert_int_equal(mkdir("folder", 0777), 0);
	static const struct {
		const char *path;
		int error;
	} cases[] = {
		{"folder", EISDIR}, {"none/file", ENOENT}, {"", ENOENT}, {"new/", EISDIR}, {"/dev/full/x", ENOTDIR}};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_false(file_replace_open(&w, cases[i].path));
		assert_int_equal(errno, cases[i].error);
		assert_false(file_replace_is_possible(cases[i].path));
	}
	assert_true(file_replace_is_possible("folder/new"));
	assert_true(file_replace_is_possible("/dev/null"));
	put("folder/old", "before");
	assert_true(file_replace_is_possible("folder/old"));
	holds("folder/old", "before");
	assert_false(files_write(NULL, "/dev/full", "abc", 3));
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(names(), 1);
}

/* A user that isn't root may write a file in a folder that isn't his, and may not write a file of mode 0444 in one that is. */
static int as_another_user(void)
{
	if (setgid(54321) || setuid(54321))
		return 100;
	if (!files_write(NULL, "locked/open", "after", 5))
		return 1;
	if (files_write(NULL, "shared/read-only", "after", 5) || errno != EACCES)
		return 2;
	if (files_write(NULL, "locked/new", "after", 5) || errno != EACCES)
		return 3;
	return 0;
}

static void permissions_are_those_of_writing(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(mkdir("locked", 0755), 0);
	assert_int_equal(mkdir("shared", 0777), 0);
	assert_int_equal(chmod("shared", 0777), 0);
	put("locked/open", "before");
	put("shared/read-only", "before");
	assert_int_equal(chmod("locked/open", 0666), 0);
	assert_int_equal(chmod("shared/read-only", 0444), 0);
	assert_int_equal(limited(as_another_user), 0);
	holds("locked/open", "after");
	holds("shared/read-only", "before");
}

static void lines_of_several_processes_are_all_there(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		if (!fork()) {
			for (unsigned k = 0; k < 100; k++)
				files_append(NULL, "log", "0123456789\n", 11);
			_exit(0);
		}
	for (unsigned i = 0; i < 4; i++)
		wait(NULL);
	size_t n;
	char *s = files_read(NULL, "log", FILES_READ, 1 << 20, &n);
	assert_int_equal(n, 4400);
	for (size_t k = 0; k < n; k += 11)
		assert_memory_equal(s + k, "0123456789\n", 11);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(new_file_has_the_usual_mode, enter, leave),
		cmocka_unit_test_setup_teardown(mode_and_owner_stay, enter, leave),
		cmocka_unit_test_setup_teardown(no_room_leaves_the_old_content, enter, leave),
		cmocka_unit_test_setup_teardown(given_up_leaves_the_old_content, enter, leave),
		cmocka_unit_test_setup_teardown(links_are_followed, enter, leave),
		cmocka_unit_test_setup_teardown(pipes_and_descriptors_are_written_to, enter, leave),
		cmocka_unit_test_setup_teardown(what_cannot_be_written_is_refused_at_once, enter, leave),
		cmocka_unit_test_setup_teardown(permissions_are_those_of_writing, enter, leave),
		cmocka_unit_test_setup_teardown(lines_of_several_processes_are_all_there, enter, leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
