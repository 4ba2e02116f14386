/* How many threads have been at each instruction, core by core, in an interval: at its beginning those that stood there, and those issued
 * there, of which each counts once for each lane of its warp. Source: GPGPU-Sim 3.2.2 (thread_CFlocality), whose order of lines is that of a
 * hash table; here it is the program's. */
#ifndef GPU_THREAD_FLOW_H
#define GPU_THREAD_FLOW_H

#include "base/text.h"
#include "isa/program.h"
#include "timing/core/core.h"

struct thread_flow {
	uint32_t n_cores, n_threads; /* hardware threads of a core */
	uint32_t n_insns;
	uint32_t *threads; /* [cores * insns] */
	uint32_t *at;	   /* [cores * threads]: where each is, none: UINT32_MAX */
};

/* Initializes the counts for `n_cores` cores with `n_threads` threads each. thread_flow_free releases the memory. */
void thread_flow_init(struct thread_flow *f, uint32_t n_cores, uint32_t n_threads);
/* Releases the memory of the counts. */
void thread_flow_free(struct thread_flow *f);
/* Resets all counts and thread positions. */
void thread_flow_restart(struct thread_flow *f);
/* Counts the threads of an issued instruction and updates their positions. */
void thread_flow_note(struct thread_flow *f, const struct isa_program *p, const struct core *c, const struct inst *i);
/* Adds "LINE THREADS " for each instruction that threads of a core have visited, and a newline; "0 0 " if there is none. */
void thread_flow_print(const struct thread_flow *f, const struct isa_program *p, uint32_t core, struct text *out);
/* Starts a core's next interval, in which each thread counts at its present position. */
void thread_flow_next(struct thread_flow *f, uint32_t core);

#endif
