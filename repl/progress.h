/* A line on a terminal's standard error that says how far a long run of --batch is. */
#ifndef REPL_PROGRESS_H
#define REPL_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct repl;

struct progress {
	timer_t timer;
	bool on, shown;
	bool redraws; /* the line is shown; else only findings are reported */
	double began;	       /* seconds */
	uint64_t first_cycle;  /* of the run */
	uint32_t first_launch; /* that had not finished when it began */
};

/* Starts the progress line for a run of the machine, which appears after two seconds, and reports findings of checkers from then on as they come. Does
 * nothing without --batch, or without both a terminal that can redraw a line and checkers. */
void progress_begin(struct repl *r);
/* Stops the progress line after a run, and erases it. */
void progress_end(struct repl *r);
/* Redraws the progress line; `self` is the struct repl. */
void progress_show(void *self);
/* Erases the progress line before other output is written. */
void progress_erase(struct repl *r);

#endif
