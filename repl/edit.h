/* Line editing, history and completion keys: libedit or GNU readline behind one small door. */
#ifndef REPL_EDIT_H
#define REPL_EDIT_H

struct repl;
struct text;

/* Sets up line editing and reads the history file. */
void edit_init(struct repl *r);
/* Shortens the history file to its set size. */
void edit_finish(struct repl *r);
/* Reads one edited line, owned by the caller. Returns NULL at end of file, an empty line after Ctrl-C. */
char *edit_read_line(struct repl *r, const char *prompt);
/* Shows the line that is being edited again, after something else was printed. */
void edit_redraw(void);
/* Appends the lines that were typed at the prompt, each with its number. */
void edit_list_lines(struct text *out);
/* Stores the lines and columns of the terminal, 24 and 80 if they aren't known. */
void edit_screen_size(unsigned *lines, unsigned *columns);

#endif
