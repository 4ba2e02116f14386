#include "repl/edit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef WS_EDITLINE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#else
#include <editline/readline.h>
#endif

#include "base/xalloc.h"
#include "command/help/complete.h"
#include "repl/line_history.h"
#include "repl/repl.h"

/* Both libraries call completion without a context argument, so the session being edited is remembered here. */
static struct repl *edited;

static char **completion_list;
static size_t completion_at;

static char *next_candidate(const char *word, int state)
{
	(void)word;
	if (!state)
		completion_at = 0;
	return completion_list && completion_list[completion_at] ? strdup(completion_list[completion_at++]) : NULL;
}

/* Returns where a word begins in the line, in bytes. Libedit counts characters. */
static size_t start_of(int start)
{
	size_t at = 0;
#ifdef WS_EDITLINE_READLINE
	at = (size_t)start;
#else
	for (int k = 0; rl_line_buffer[at] && (k < start || (rl_line_buffer[at] & 0xc0) == 0x80); at++)
		k += (rl_line_buffer[at] & 0xc0) != 0x80;
#endif
	return at;
}

static char **attempt_completion(const char *word, int start, int end)
{
	(void)end;
	rl_attempted_completion_over = 1;
	completion_list = command_completions(edited->in, rl_line_buffer, start_of(start), word);
	const char *only = completion_list && !completion_list[1] ? completion_list[0] : "";
	/* what continues has no blank behind it: a folder, a vector, memory of a space */
	rl_completion_append_character = *only && strchr("/.[", only[strlen(only) - 1]) ? '\0' : ' ';
	char **matches = completion_list ? rl_completion_matches(word, next_candidate) : NULL;
	for (size_t i = 0; completion_list && completion_list[i]; i++)
		free(completion_list[i]);
	free(completion_list);
	completion_list = NULL;
	return matches;
}

static char *history_path(const struct repl *r)
{
	const char *set = setting_text(r->in, SETTING_HISTORY_FILE), *home = getenv("HOME");
	if (*set)
		return xstrdup(set);
	if (!home || !*home)
		return NULL;
	struct text path = {0};
	text_addf(&path, "%s/.warpstep_history", home);
	return text_take(&path);
}

/* Returns how many lines the history file has at most, 0: any number. */
static size_t history_size(const struct repl *r) { return (size_t)setting_number(r->in, SETTING_HISTORY_SIZE); }

#ifdef WS_EDITLINE_READLINE
/* The next key; a line that Ctrl-C has dropped ends at once, where readline would go on with it. */
static int read_key(FILE *terminal)
{
	unsigned char key;
	ssize_t n;
	while ((n = read(fileno(terminal), &key, 1)) < 0 && errno == EINTR) {
		rl_check_signals(); /* hands on to the program's handler what readline has caught */
		if (*edited->in->interrupted)
			return '\n';
	}
	return n == 1 ? key : EOF;
}
#endif

void edit_init(struct repl *r)
{
	edited = r;
	rl_readline_name = "warpstep";
	rl_attempted_completion_function = attempt_completion;
	rl_basic_word_break_characters = " \t\n"; /* where a name begins in a word, command_completions decides */
#ifdef WS_EDITLINE_READLINE
	rl_getc_function = read_key;
#endif
	using_history();
	char *path = history_path(r);
	struct text lines = {0};
	if (path && setting_is_on(r->in, SETTING_HISTORY_SAVE))
		line_history_read(path, history_size(r), &lines);
	for (char *at = lines.s, *line; at && (line = strsep(&at, "\n"));)
		if (*line)
			add_history(line);
	text_free(&lines);
	free(path);
}

void edit_finish(struct repl *r)
{
	char *path = history_path(r);
	if (path && setting_is_on(r->in, SETTING_HISTORY_SAVE))
		line_history_shorten(path, history_size(r));
	free(path);
}

/* Keeps a line in the history file, or says once that it can't. */
static void save_line(struct repl *r, const char *line)
{
	char *path = setting_is_on(r->in, SETTING_HISTORY_SAVE) ? history_path(r) : NULL;
	if (path && !line_history_add(path, line) && !r->history_failed) {
		struct text note = {0};
		text_addf(&note, "note: lines can't be kept in '%s': %s\n", path, strerror(errno));
		interpreter_complain(r->in, text_str(&note));
		text_free(&note);
		r->history_failed = true;
	}
	free(path);
}

static void remember(struct repl *r, const char *line)
{
	HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
	if (!line[strspn(line, " \t")] || (last && !strcmp(last->line, line)))
		return;
	add_history(line);
	save_line(r, line);
}

/* Called by the editing library while it waits for a key. */
static int serve_meanwhile(void)
{
	repl_wait_input(edited, STDIN_FILENO);
	if (*edited->in->interrupted || edited->in->quit)
		rl_event_hook = NULL; /* ends the line */
	return 0;
}

void edit_redraw(void)
{
	if (rl_event_hook)
		rl_forced_update_display();
}

/* ---- Ctrl-Z ---- */

/* Returns the parent of a process, 0 if it is unknown or outside of this process's container. */
static pid_t parent_of(pid_t process)
{
	char path[64], line[512];
	int parent = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
	FILE *f = fopen(path, "re");
	const size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;
	line[n] = '\0';
	const char *end = strrchr(line, ')'); /* of the command's name */
	if (f)
		fclose(f);
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

/* Returns whether a shell would notice that this job stops, and could continue it. Else its process group is an orphaned one (POSIX), as where
 * warpstep leads its terminal's session: `docker run -it`, `ssh -t`, `tmux new`. */
static bool has_shell(void)
{
	for (pid_t p = getppid(); p > 0 && getsid(p) == getsid(0); p = parent_of(p))
		if (getpgid(p) != getpgrp())
			return true;
	return false;
}

/* Reads a line. The kernel ignores the signal of Ctrl-Z in an orphaned process group, but libedit, which catches it, then ends the input. */
static char *read_line(const char *prompt)
{
	sigset_t suspend, before;
	sigemptyset(&suspend);
	if (!has_shell())
		sigaddset(&suspend, SIGTSTP);
	sigprocmask(SIG_BLOCK, &suspend, &before);
	char *line = readline(prompt);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return line;
}

char *edit_read_line(struct repl *r, const char *prompt)
{
	*r->in->interrupted = 0; /* set on return: Ctrl-C has dropped the line */
	rl_event_hook = session_others_active(r->in->session, &r->session_face) ? serve_meanwhile : NULL;
	fflush(stdout);
	errno = 0;
	char *line = read_line(prompt);
	if (!line) {
		putchar('\n');
		/* Ctrl-C ends the editing of a line without a line: that is an empty one, not the end of input */
		return *r->in->interrupted ? xstrdup("") : NULL;
	}
	if (*r->in->interrupted)
		*line = '\0';
	remember(r, line);
	return line;
}

void edit_screen_size(unsigned *lines, unsigned *columns)
{
	struct winsize w;
	*lines = 24;
	*columns = 80;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_row && w.ws_col) {
		*lines = w.ws_row;
		*columns = w.ws_col;
	}
}

void edit_list_lines(struct text *out)
{
	for (int i = 0; i < history_length; i++) {
		HIST_ENTRY *e = history_get(history_base + i);
		if (e)
			text_addf(out, "%5d  %s\n", i + 1, e->line);
	}
}
