/* What the rest of src/command has of the performance model's dumps: tables, and when a run begins. */
#ifndef COMMAND_DUMP_INFO_H
#define COMMAND_DUMP_INFO_H

#include "command/info.h"
#include "timing/timing.h"

/* Answers `info scoreboard`. */
debug_answer_fn info_scoreboard;
/* Answers `info trace`. */
debug_answer_fn info_trace;
/* Adds the table of `info cores` for the cores and warps that *f selects: how many warps wait for what. Performance mode only. */
void info_cores_performance(struct debug *d, const struct info_filter *f, struct report *answer);
/* Adds the grid's size, and how many blocks and warps of the launch are on cores now and how many blocks are still to start. Performance mode only. */
void info_occupancy_performance(struct debug *d, const struct gpu_launch_info *l, struct report *answer);
/* Returns the word of `info cores` for what a resident block's warp waits for; that for `done` if it has left the core. Performance mode only. */
const char *info_warp_waits(struct debug *d, const struct exec_cta *cta, const struct exec_warp *w);
/* Appends how many of a resident block's warps wait for what, in the words of `info cores`. Performance mode only. */
void info_block_waits(struct debug *d, const struct exec_cta *cta, struct text *out);

/* Returns the device's performance model, also while the device is in functional mode. Returns NULL, with an error that names `command` in `why`, if the
 * device has none. */
struct timing *observer_machine(struct debug *d, const char *command, struct text *why);
/* Returns the device's performance model in performance mode. Returns NULL, with an error that names `command` in `why`, in functional mode or if the
 * device has none. */
struct timing *observer_timing(struct debug *d, const char *command, struct text *why);
/* Why a warp of a core doesn't issue its next instruction now; in the order in which the issue stage would find out; the last two, of textbook cores, are
 * behind the others because their numbers are values of the field `wait`. The one rule for it: all
 * tables, dumps, diagrams and streams ask dump_warp_wait. Name, symbol in diagrams, word in tables, sentence, and what a
 * kernel's author can do about it. */
#define WARP_WAITS(X) \
	X(GONE, ' ', "gone", "no warp is there", "give the core more warps: more or larger blocks (`info occupancy`)") \
	X(DONE, 'd', "done", "all threads have exited: waits for its stores and instructions under way", \
	  "give each thread more work, so that the end weighs less") \
	X(BARRIER, 'b', "barrier", "waits at a barrier", \
	  "even out the work in front of the barrier; more blocks on a core fill the gap (`info occupancy`)") \
	X(MEMBAR, 'm', "membar", "memory barrier: waits until its loads have returned", \
	  "use fewer fences, and __threadfence_block where only the block reads") \
	X(ATOMIC, 'a', "atomic", "waits for an atomic to return", \
	  "use fewer atomics: add up in the warp or in shared memory first") \
	X(IMISS, 'i', "i-miss", "instruction cache miss", "`run` again: the code is in the cache then; unroll less if it doesn't fit") \
	X(FETCH, 'f', "fetch", "its I-buffer is empty: to be fetched", "give the core more warps (`info occupancy`); use fewer branches") \
	X(FLUSH, 'h', "hazard", "control hazard: the I-buffer holds what a branch has jumped over", \
	  "use fewer branches: unroll short loops") \
	X(SCOREBOARD, 's', "scoreboard", "scoreboard: a register it needs is still to be written", \
	  "give the core more warps (`info occupancy`); load earlier; read side by side (`info access`)") \
	X(PIPE, 'p', "pipeline", "the pipeline register it needs is full", \
	  "avoid bank conflicts and scattered accesses (`info access`), divisions and square roots") \
	X(READY, '.', "ready", "ready: another warp had the scheduler", "nothing: the scheduler was busy") \
	X(LATENCY, 'l', "latency", "waits out the latency of a branch, a path's end or a barrier", \
	  "use fewer branches: let the lanes of a warp go one way") \
	X(DISPATCH, 'x', "dispatch", "its scheduler still dispatches an instruction", \
	  "nothing: the units are busy")
enum warp_wait {
#define X(name, symbol, word, text, remedy) WAIT_##name,
	WARP_WAITS(X)
#undef X
	WAIT_COUNT
};
extern const char warp_wait_symbols[WAIT_COUNT];
extern const char *const warp_wait_texts[WAIT_COUNT], *const warp_wait_words[WAIT_COUNT], *const warp_wait_remedies[WAIT_COUNT];
/* Returns why the warp in warp slot `warp` of a core doesn't issue its next instruction now. Returns WAIT_READY if it could, WAIT_GONE if the slot is
 * unused. */
enum warp_wait dump_warp_wait(const struct core *c, uint32_t warp);

/* Appends the name, as %f3, of the register that has the scoreboard's number `number` in the function at `pc`; "R12" if there is none. */
void dump_register_name(const struct debug *d, uint32_t pc, uint32_t number, struct text *out);
/* Reads a number from 0 to n - 1 from *s, stores it in *out, and moves *s behind it. Returns false, with an error about `what` ("core") in `why`,
 * if there is none or it is too large; *s may have moved then. */
bool dump_number(const char **s, const char *what, uint32_t n, uint32_t *out, struct text *why);
/* Appends the instruction with index `pc`: "vecadd PC=0x048 (vecadd.ptx:33) mad.lo.s32 ...". Appends a note if there is none. */
void dump_insn_text(struct debug *d, uint32_t pc, struct text *out);
/* Starts or continues recording at the beginning of a run: of all cores or, with `auto`, of the focused core (without focus core 0) in its first
 * cycles. Drops earlier events if there is a gap. Does nothing if recording is off or in functional mode. */
void diagram_begin_run(struct debug *d);
/* Returns the last recorded cycle after `diagram on`, else UINT64_MAX. */
uint64_t diagram_seen_until(const struct debug *d);

#endif
