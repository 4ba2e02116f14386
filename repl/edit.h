/* Line editing, history and completion keys: libedit or GNU readline behind one small door. */
#ifndef REPL_EDIT_H
#define REPL_EDIT_H

struct repl;

void edit_init(struct repl *r);	  /* reads the history file */
void edit_finish(struct repl *r); /* writes it */
/* One edited line, owned by the caller; NULL at end of file. Ctrl-C gives an empty line. */
char *edit_read_line(struct repl *r, const char *prompt);
/* Shows the line that is being edited again, after something else was printed. */
void edit_redraw(void);
/* Lines and columns of the terminal. */
void edit_screen_size(unsigned *lines, unsigned *columns);

#endif
