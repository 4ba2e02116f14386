/* The prompt: a face whose user types commands at a terminal, or in a file. The interpreter (src/command/interpreter) runs the commands; here are line
 * editing, the pager, the progress line and the streams. */
#ifndef REPL_REPL_H
#define REPL_REPL_H

#include <stdbool.h>

#include "command/interpreter/interpreter.h"
#include "repl/progress.h"
#include "session/session.h"

struct repl {
	struct interpreter *in;
	struct interpreter_face face;	  /* as the interpreter knows it (output.c) */
	struct session_face session_face; /* as the session knows it (face.c) */
	bool history_failed;		  /* it was said that the history file can't be written */
	/* pager */
	unsigned lines_out;
	bool page_quit;
	struct progress progress;
};

/* Initialises a prompt, attaches it to the interpreter's session, and becomes the interpreter's face. The interpreter must outlive the prompt. */
void repl_init(struct repl *r, struct interpreter *in);
/* Detaches the prompt from the session and the interpreter. */
void repl_free(struct repl *r);

/* Shows results in the terminal's width if standard output is a terminal. has_colors: diagnostics and results may have colours. */
void repl_use_terminal(struct repl *r, bool has_colors);

/* Returns the prompt's functions as a face of the session. */
struct session_face repl_session_face(struct repl *r);
/* Returns the prompt's functions as the interpreter's face, without colours and terminal (repl_use_terminal). */
struct interpreter_face repl_face(struct repl *r);

/* Returns true if standard output has not accepted what was written since the last call. The command then counts as failed, with an error printed,
 * unless a pipe's reader is gone. */
bool repl_output_lost(struct repl *r);
/* Waits until the descriptor that the prompt reads from is readable, while other faces work. Returns at once if no other face has work. */
void repl_wait_input(struct repl *r, int fd);
/* Reads a line, of *n bytes, owned by the caller; `self` is the struct repl. Returns NULL at the end of input. */
char *repl_read_line(void *self, const char *prompt, size_t *n);
/* Returns true if lines come from a terminal with line editing. */
bool repl_is_typed(void);

#endif
