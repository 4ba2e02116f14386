/* One job of a sweep: its command, the files through which it is handed to an engine, and its run. */
#ifndef SWEEP_JOB_H
#define SWEEP_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spec;
struct text;

/* The arguments of a command; `v` ends with NULL. Initialise with {0}; argv_free releases the strings. */
struct argv {
	char **v;
	size_t n, cap;
};

/* Appends a copy of a word. */
void argv_add(struct argv *a, const char *s);
/* Releases the words; the command is empty afterwards. */
void argv_free(struct argv *a);

/* Fills `a` with the command of combination `number` of the description; `warpstep` is the simulator's path. With `stats`, the command
 * writes its statistics to that file at its end; without (NULL), it is what a user types to repeat the job. */
void job_command(struct argv *a, const struct spec *s, size_t number, const char *warpstep, const char *stats);

/* Fills `a` with the beginning of the command of combination `number`: the program, and what chooses config, mode and options. */
void job_options(struct argv *a, const struct spec *s, size_t number, const char *warpstep);

/* Appends the command as one line for a shell. */
void job_command_text(struct text *out, const struct argv *a);

/* Writes the file FOLDER/ID.job, from which job_run starts the command in the present working directory. `version` is the simulator's.
 * Returns false with errno set if it can't. */
bool job_write(const char *folder, int64_t id, const char *version, const struct argv *a);

/* Runs the job of FOLDER/ID.job, and leaves its output in FOLDER/ID.out, its statistics in FOLDER/ID.stats and, at the end and in one step,
 * FOLDER/ID.done with host, version, status and seconds. A job that is killed leaves no ID.done. Prints what went wrong. Returns whether
 * ID.done is there. */
bool job_run(const char *folder, int64_t id);

/* Runs the job whose id stands in line `index`, from 0, of the file `list`, as job_run does. Returns whether the job's file ID.done is there
 * afterwards. */
bool job_run_from_list(const char *folder, const char *list, int64_t index);

/* Appends the path of one of a job's files: FOLDER/ID.SUFFIX. */
void job_path(struct text *out, const char *folder, int64_t id, const char *suffix);

/* Runs a command to its end with its standard error and output in `out`, at most 64 KiB of them; standard input is empty. Returns its exit
 * status, 128 plus the number of the signal that ended it, or 127 if it can't be started. */
int argv_run(const struct argv *a, struct text *out);

#endif
