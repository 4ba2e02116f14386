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
	double began;	       /* seconds */
	uint64_t first_cycle;  /* of the run */
	uint32_t first_launch; /* that had not finished when it began */
};

/* Around each run of the machine. Nothing without --batch, a terminal that can redraw a line, and two seconds. */
void progress_begin(struct repl *r);
void progress_end(struct repl *r);
/* Writes the line anew; `self` is the session. */
void progress_show(void *self);
/* Takes the line away before something else is written. */
void progress_erase(struct repl *r);

#endif
