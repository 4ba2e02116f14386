/* Engines: what executes the instructions of warps in functional mode.
 *
 * The scheduler of src/gpu picks a block and a warp, and calls `run` of the machine's engine. An engine may keep code of its own for the program; where control
 * can leave a straight piece of code is known from lowering (isa_insn.ends_block). Observed effects, marks and faults are the same for every engine:
 *
 *   - It stops in front of an instruction with a mark, unless exec.pass is set and the instruction is the first; exec.on_mark may let it pass.
 *   - Each instruction has the effects of its handler in exec.handlers, which also reports to the watchers.
 *   - exec.counts, exec.n_warp_insns, n_thread_insns and n_stores, and the warp's state are up to date when it returns.
 *
 * So results are equal, whatever the engine: tests/unit/test_exec_engine.c compares them. The performance model doesn't use engines, as it comes for single
 * instructions (exec_step). */
#ifndef EXEC_ENGINE_H
#define EXEC_ENGINE_H

#include "exec/exec.h"

struct exec_engine {
	const char *name;
	/* Runs one warp for at most `budget` instructions, as exec_run does. */
	enum exec_status (*run)(struct exec *x, struct exec_cta *cta, uint32_t warp, uint64_t budget);
};

/* The interpreter: it calls the handler of one decoded instruction after the other (run.c). exec_init chooses it. */
extern const struct exec_engine exec_interpreter;

/* Makes *e the engine. The engine must outlive x. */
void exec_set_engine(struct exec *x, const struct exec_engine *e);

#endif
