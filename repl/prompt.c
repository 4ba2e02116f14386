/* A prompt: attached and detached; reading lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "repl/edit.h"
#include "repl/repl.h"

void repl_init(struct repl *r, struct interpreter *in)
{
	*r = (struct repl){.in = in, .face = repl_face(r), .session_face = repl_session_face(r)};
	interpreter_set_face(in, &r->face, &r->session_face);
	session_attach(in->session, &r->session_face);
}

void repl_free(struct repl *r)
{
	session_detach(r->in->session, &r->session_face);
	interpreter_set_face(r->in, NULL, NULL);
}

bool repl_is_typed(void) { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

void repl_wait_input(struct repl *r, int fd)
{
	fflush(stdout); /* the reader of a pipe waits for it before it sends the next command */
	session_wait(r->in->session, &r->session_face, fd);
}

/* Reads a line of a standard input that is no terminal. */
static char *read_plain_line(struct repl *r, size_t *n)
{
	char *line = NULL;
	size_t cap = 0;
	do { /* Ctrl-C here means nothing, and gdb continues being served */
		*r->in->interrupted = 0;
		repl_wait_input(r, STDIN_FILENO);
	} while (*r->in->interrupted);
	if (r->in->quit) /* by gdb */
		return NULL;
	ssize_t got = getline(&line, &cap, stdin);
	*r->in->interrupted = 0; /* what came before the command is not meant for it */
	if (got < 0) {
		free(line);
		return NULL;
	}
	while (got && (line[got - 1] == '\n' || line[got - 1] == '\r'))
		line[--got] = '\0';
	*n = (size_t)got;
	return line;
}

char *repl_read_line(void *self, const char *prompt, size_t *n)
{
	if (!repl_is_typed())
		return read_plain_line(self, n);
	char *line = edit_read_line(self, prompt);
	if (line)
		*n = strlen(line);
	else
		clearerr(stdin); /* after Ctrl-D more may be typed, such as the answer to a question */
	return line;
}
