/* Where command lines come from: a stack of sources, the innermost read first. */
#ifndef REPL_INPUT_H
#define REPL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct repl;
struct input;

struct input *input_create(void);
void input_free(struct input *in);

/* Pushes a source. Lines are copied. */
void input_push_lines(struct input *in, const char *text);
/* The same of n bytes, which may hold NULs. */
void input_push_bytes(struct input *in, const char *text, size_t n);
/* The same of a file whose name and lines errors are reported with. */
void input_push_file(struct input *in, const char *path, const char *text, size_t n);
/* A command begins with the line just read; or, after the last one of a file, nothing does. */
void input_begin_command(struct input *in);
/* `FILE:LINE`, where the command that is run began if it, or what runs it, is such a file's; NULL: it isn't. */
const char *input_place(const struct input *in);
/* Returns the file and line of input_place; NULL where there is none. */
const char *input_file(const struct input *in, uint32_t *line);
/* A source of separate strings, as -ex gives them: array of n borrowed strings. */
void input_push_array(struct input *in, const char *const *lines, size_t n);
/* The terminal or standard input, with line editing if it is a terminal. */
void input_push_stdin(struct input *in);

/* The next line without its newline, owned by the caller; NULL when the innermost source is exhausted (it is then popped).
 * `prompt` is shown by terminal sources. */
char *input_next(struct repl *r, const char *prompt);
/* Returns whether the line last read has no NUL byte. Prints an error with the byte's column if it has one. */
bool input_line_is_text(struct repl *r);
size_t input_depth(const struct input *in);
/* Drops sources until `depth` remain (after an error in a script). */
void input_unwind(struct input *in, size_t depth);
bool input_is_terminal(const struct input *in);

/* Lines up to `end` (nested blocks included), for commands, define, document, if, while. The caller owns the result; NULL, with the
 * error printed, if the source ends before. */
char *input_read_block(struct repl *r);

#endif
