/* Starts the jobs of a sweep on several processors: by GNU parallel (one machine, or several by ssh) or as job arrays of Slurm. */
#ifndef SWEEP_ENGINE_H
#define SWEEP_ENGINE_H

#include "sweep/job.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct engine_options {
	bool is_slurm;
	const char *jobs, *sshlogin; /* GNU parallel's -j and --sshlogin; NULL: its defaults */
	struct argv sbatch;	     /* further options of sbatch */
};

/* Engines' processes that are alive; initialise with {0}. */
struct engine {
	struct engine_part {
		pid_t pid;
		char *list, *log; /* files: the jobs, and what the process printed */
	} *parts;
	size_t n, cap;
	bool is_slurm;
	size_t ended; /* parts that have ended */
	int status;   /* the first exit status of a part that isn't 0 */
};

/* Tests whether the engine is installed. Prints an error that names its Debian package, and returns false, if not. */
bool engine_is_there(const struct engine_options *o);

/* Starts the jobs `ids`; `self` is this program's path, the folder an absolute path that all machines share. Prints an error and returns false
 * if a process can't be started. */
bool engine_start(struct engine *e, const struct engine_options *o, const char *self, const char *folder, const int64_t *ids, size_t n);

/* Looks, without waiting, which of the engine's processes have ended. Returns whether one is alive. */
bool engine_is_alive(struct engine *e);

/* Ends the engine and its jobs. */
void engine_stop(struct engine *e);

/* Waits for the engine's processes, prints what they said if one of them failed, and releases the memory and the files. */
void engine_end(struct engine *e);

#endif
