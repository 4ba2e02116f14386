/* The commands of warpstep-sweep. Each returns the program's exit status: 0 good, 1 some jobs failed or something went wrong, 2 bad usage or a bad
 * description. Each prints its own errors. */
#ifndef SWEEP_SWEEP_H
#define SWEEP_SWEEP_H

#include "sweep/engine.h"
#include <stdbool.h>

/* Runs the combinations of the description `spec` that the file `db` holds no result of. With `retry`, jobs that fail get a second try. Returns the
 * program's exit status: 0 if all went well, 1 if jobs or the sweep failed, 2 if the description is wrong. */
int sweep_run(const char *spec, const char *db, const struct engine_options *o, bool retry);

/* Prints how many jobs are done, failed and waiting. Returns the exit status: 0 if all jobs are done. */
int sweep_status(const char *db);

/* Prints each job that failed or was killed, with the command that repeats it. Returns the exit status: 0 if there is none. */
int sweep_failures(const char *db);

/* Writes the statistics as a CSV table with a column for each option; `csv` NULL: to standard output. Returns the exit status. */
int sweep_export(const char *db, const char *csv);

/* Draws a statistic over an option. */
struct plot_request {
	const char *statistic, *over;
	const char *by;	    /* a second option, a line in the picture for each of its values; or NULL */
	const char *launch; /* a kernel's name or a launch's number; NULL: the run as a whole */
	const char *out;    /* ends in .svg or .png */
};
/* Draws the picture that *r asks for. Returns the exit status. */
int sweep_plot(const char *db, const struct plot_request *r);

#endif
