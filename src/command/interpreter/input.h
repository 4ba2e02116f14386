/* Where command lines come from: a stack of sources, the innermost read first. */
#ifndef COMMAND_INTERPRETER_INPUT_H
#define COMMAND_INTERPRETER_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interpreter;
struct input;

/* Creates an empty stack of sources. */
struct input *input_create(void);
/* Releases the stack and its sources. Does nothing for NULL. */
void input_free(struct input *sources);

/* Pushes a source of lines, which are copied. */
void input_push_lines(struct input *sources, const char *text);
/* Pushes a source of `n` bytes, which may hold NULs. The bytes are copied. */
void input_push_bytes(struct input *sources, const char *text, size_t n);
/* Pushes a source of `n` bytes of a file; errors are reported with the file's name and line. All strings are copied. */
void input_push_file(struct input *sources, const char *path, const char *text, size_t n);
/* Notes that a command begins with the line just read, so that input_place names that line. After the last command of a file clears the place. */
void input_begin_command(struct input *sources);
/* Returns `FILE:LINE` of the running command, or of the command that runs it. Returns NULL if neither comes from a named file. */
const char *input_place(const struct input *sources);
/* Returns the file of input_place, and its line in *line. Returns NULL, with line 0, if there is no place. */
const char *input_file(const struct input *sources, uint32_t *line);
/* Pushes a source of `n` separate lines, as -ex gives them. The strings are copied. */
void input_push_array(struct input *sources, const char *const *lines, size_t n);
/* Pushes the lines of the face (interpreter_face.read_line) as a source. is_terminal: a user types them, so questions are asked and an empty line
 * repeats the last command. */
void input_push_typed(struct input *sources, bool is_terminal);

/* Returns the next line without its newline, owned by the caller. Returns NULL when the innermost source is exhausted, which is then popped. `prompt`
 * is shown by terminal sources. */
char *input_next(struct interpreter *in, const char *prompt);
/* Returns true if the line last read has no NUL byte. Otherwise prints an error with the byte's column. */
bool input_line_is_text(struct interpreter *in);
/* Returns the number of sources on the stack. */
size_t input_depth(const struct input *sources);
/* Drops sources until `depth` remain (after an error in a script). */
void input_unwind(struct input *sources, size_t depth);
/* Returns true if the innermost source is a user who types at a terminal. */
bool input_is_terminal(const struct input *sources);

/* Reads lines up to the matching `end` for commands, define, document, if and while. The caller owns the result. Returns NULL, with the error
 * printed, if the source ends before, a line has a NUL byte or Ctrl-C was pressed. */
char *input_read_block(struct interpreter *in);

#endif
