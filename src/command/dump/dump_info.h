/* What the rest of src/debug has of the performance model's dumps: tables, and when a run begins. */
#ifndef DEBUG_DUMP_INFO_H
#define DEBUG_DUMP_INFO_H

#include "command/info/info.h"
#include "timing/timing.h"

/* Answers `info scoreboard`. */
debug_answer_fn info_scoreboard;
/* Answers `info trace`. */
debug_answer_fn info_trace;
/* Adds the table of `info cores` in performance mode. */
void info_cores_performance(struct debug *d, const struct info_filter *f, struct report *answer);
/* Appends what `info occupancy` adds in performance mode: blocks and warps on cores now, blocks still to start. */
void info_occupancy_performance(struct debug *d, const struct gpu_launch_info *l, struct text *out);
/* Returns the word for what a warp waits for, as in `info cores`. Performance mode only. */
const char *info_warp_waits(struct debug *d, const struct exec_cta *cta, const struct exec_warp *w);
/* Appends how many of a block's warps wait for what, in the words of `info cores`. Performance mode only. */
void info_block_waits(struct debug *d, const struct exec_cta *cta, struct text *out);

/* Returns the timing model. Returns NULL, with an error in `why` that names the command, in functional mode. */
struct timing *observer_timing(struct debug *d, const char *command, struct text *why);
/* Why a warp of a core doesn't issue its next instruction now; in the order in which the issue stage would find out. The one rule for it: all
 * tables, dumps, diagrams and streams ask dump_warp_wait. Name, symbol in diagrams, word in tables, sentence. */
#define WARP_WAITS(X) \
	X(GONE, ' ', "gone", "no warp is there") \
	X(DONE, 'd', "done", "all threads have exited: waits for its stores and instructions under way") \
	X(BARRIER, 'b', "barrier", "waits at a barrier") \
	X(MEMBAR, 'm', "membar", "memory barrier: waits until its loads have returned") \
	X(ATOMIC, 'a', "atomic", "waits for an atomic to return") \
	X(IMISS, 'i', "i-miss", "instruction cache miss") \
	X(FETCH, 'f', "fetch", "its I-buffer is empty: to be fetched") \
	X(FLUSH, 'h', "hazard", "control hazard: the I-buffer holds what a branch has jumped over") \
	X(SCOREBOARD, 's', "scoreboard", "scoreboard: a register it needs is still to be written") \
	X(PIPE, 'p', "pipeline", "the pipeline register it needs is full") \
	X(READY, '.', "ready", "ready: another warp had the scheduler")
enum warp_wait {
#define X(name, symbol, word, text) WAIT_##name,
	WARP_WAITS(X)
#undef X
	WAIT_COUNT
};
extern const char warp_wait_symbols[WAIT_COUNT];
extern const char *const warp_wait_texts[WAIT_COUNT], *const warp_wait_words[WAIT_COUNT];
/* Returns why a warp of a core doesn't issue its next instruction now. */
enum warp_wait dump_warp_wait(const struct core *c, uint32_t warp);

/* Appends "%f3", or "R12" if no register of the function at `pc` has the scoreboard's number. */
void dump_register_name(const struct debug *d, uint32_t pc, uint32_t number, struct text *out);
/* Reads a number below `n` and moves *s behind it. Returns false, with an error about `what` ("core") in `why`, if there is none. */
bool dump_number(const char **s, const char *what, uint32_t n, uint32_t *out, struct text *why);
/* Appends "vecadd PC=0x048 (vecadd.ptx:33) mad.lo.s32 ..." */
void dump_insn_text(struct debug *d, uint32_t pc, struct text *out);
/* Starts recording at the beginning of a run, for its first cycles only if `auto`. Does nothing if recording is off. */
void diagram_begin_run(struct debug *d);

#endif
