/* Puts what finished jobs left in a folder into the file of results. */
#ifndef SWEEP_COLLECT_H
#define SWEEP_COLLECT_H

#include <sqlite3.h>
#include <stddef.h>

/* Reads each ID.done of the folder, stores it with the job's statistics in one transaction, and deletes the job's files; the output of a job that
 * failed stays as ID.out. A file that holds no result is deleted: its job counts as not run. Returns the number of jobs stored. */
size_t collect_results(sqlite3 *db, const char *folder);

#endif
