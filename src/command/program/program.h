/* The program that is debugged: what settings and the end of --batch do with it. */
#ifndef COMMAND_PROGRAM_PROGRAM_H
#define COMMAND_PROGRAM_PROGRAM_H

struct interpreter;

/* Passes the setting `args` to the program. */
void program_apply_args(struct interpreter *in);
/* Applies the settings follow-fork-mode and detach-on-fork to the program. */
void program_follow(struct interpreter *in);
/* Runs the program to its end without stops; kernel failures are delivered to it. Returns the exit status of the first failure, or 0. */
int program_run_to_end(struct interpreter *in);

#endif
