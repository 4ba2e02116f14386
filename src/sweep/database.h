/* The results of a sweep: one SQLite file with the tables of interface.md, section 16.
 *   jobs(id, host, version, status, seconds, command): status is the command's exit status, NULL while the job hasn't ended
 *   options(job, name, value): what the job's combination chose, in the order of the description
 *   statistics(job, launch, kernel, name, value): launch and kernel are NULL for figures of the run as a whole
 * One process writes at a time: see sweep_lock. */
#ifndef SWEEP_DATABASE_H
#define SWEEP_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sqlite3.h>

/* Opens the file, and creates it and its tables if `create` is true. Prints an error and returns NULL if it can't, or if the file is something else. The
 * caller closes the result with sqlite3_close. */
sqlite3 *database_open(const char *path, bool create);

/* Prepares a statement. Prints an error and exits with status 1 if the file is damaged or full. The caller finalizes the result. */
sqlite3_stmt *database_prepare(sqlite3 *db, const char *sql);

/* Executes one statement without parameters. Prints an error and exits with status 1 if the file is damaged or full. */
void database_execute(sqlite3 *db, const char *sql);

/* Takes one step of a statement, and returns whether there is a row. Prints an error and exits with status 1 if the file is damaged or full. */
bool database_step(sqlite3 *db, sqlite3_stmt *s);

/* Counts of jobs by what became of them. */
struct job_counts {
	int64_t all, done, failed, waiting; /* waiting: not run yet, or killed before the end */
};

/* Counts the jobs of the file. */
struct job_counts database_counts(sqlite3 *db);

#endif
