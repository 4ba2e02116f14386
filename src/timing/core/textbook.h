/* The textbook core: the SM of lecture notes, which has schedulers, function units and latencies, and nothing else. It takes the place of the pipeline
 * in a core whose configuration asks for it; blocks, warps and their execution are those of any core. Source: NVIDIA GPU microarchitecture notes,
 * made exact in docs/textbook.md. */
#ifndef TIMING_TEXTBOOK_H
#define TIMING_TEXTBOOK_H

#include <stdbool.h>
#include <stdint.h>

#define TEXTBOOK_SCHEDULERS_MAX 16u
#define TEXTBOOK_WARPS_MAX 64u
#define TEXTBOOK_NUMBER_MOST 10000u /* of units, of cycles of a latency */

/* Kinds of instructions. Those before CONTROL have units, in the order of -gpgpu_textbook_units. */
enum textbook_kind { TEXTBOOK_FP32, TEXTBOOK_INT32, TEXTBOOK_FP64, TEXTBOOK_SFU, TEXTBOOK_LS, TEXTBOOK_CONTROL, TEXTBOOK_KINDS };
#define TEXTBOOK_UNITS TEXTBOOK_CONTROL
/* Numbers of -gpgpu_textbook_latency, then those of -gpgpu_textbook_memory_latency. */
enum textbook_latency {
	TEXTBOOK_LATENCY_FP32,
	TEXTBOOK_LATENCY_INT32,
	TEXTBOOK_LATENCY_FP64,
	TEXTBOOK_LATENCY_SFU,
	TEXTBOOK_LATENCY_CONTROL,
	TEXTBOOK_LATENCY_SHARED,
	TEXTBOOK_LATENCY_GLOBAL,
	TEXTBOOK_LATENCIES
};
/* The pairs of instructions that a scheduler of issue width 2 issues in one cycle. */
enum textbook_pairs { TEXTBOOK_PAIRS_ANY, TEXTBOOK_PAIRS_FP32, TEXTBOOK_PAIRS_INT32 };
/* The warp that a scheduler tries first: behind the one that issued last; lowest slot; most, fewest instructions issued. */
enum textbook_policy { TEXTBOOK_ROUND_ROBIN, TEXTBOOK_LOWEST, TEXTBOOK_AHEAD, TEXTBOOK_BEHIND };

extern const char *const textbook_policy_names[];

struct textbook_config {
	bool is_on;	      /* the core is a textbook core */
	uint32_t issue_width; /* 1 or 2 */
	enum textbook_pairs pairs;
	enum textbook_policy policy;
	uint32_t units[TEXTBOOK_UNITS]; /* of the core; INT32 0: FP32 units do integer work, too */
	uint32_t latency[TEXTBOOK_LATENCIES];
};

/* A scheduler's turn in which an instruction has issued and a second one may follow. */
struct textbook_turn {
	bool has_begun;	   /* and isn't over */
	bool is_open;	   /* the first has issued */
	bool ends_path;	   /* and its path ended with it */
	uint8_t warp;
	uint32_t pc;	   /* of the first */
};
/* Of one core, in the arena. Cycles are the device's. */
struct textbook_state {
	uint64_t now;	/* of the last cycle that has begun */
	uint64_t until; /* the first cycle in which nothing issued so far is under way */
	uint64_t free[TEXTBOOK_SCHEDULERS_MAX];	     /* the scheduler can issue from this cycle on */
	uint64_t shared_free[TEXTBOOK_SCHEDULERS_MAX / 2]; /* the units that schedulers 2m and 2m+1 share are free from this cycle on */
	uint64_t wait[TEXTBOOK_WARPS_MAX];	     /* the warp can issue from this cycle on */
	struct textbook_turn turn; /* of the scheduler whose turn it is: a cycle that stopped inside it resumes from here */
};

struct core;
struct core_config;
struct isa_function;
struct isa_program;
struct timing_insn;
struct timing_valid;
/* Simulates one cycle of a textbook core. Returns false if it stopped before or after an instruction; the next call resumes the cycle. */
bool textbook_cycle(struct core *c, uint64_t now);
/* Prepares the warps of a block that was placed on CTA slot `slot`: they can issue from cycle `now` on. */
void textbook_placed(struct core *c, uint32_t slot, uint64_t now);
/* Sets the schedulers back to their first warps, before a launch begins on an idle machine. */
void textbook_restart(struct core *c);
/* Why a warp of a textbook core doesn't issue now. */
enum textbook_wait {
	TEXTBOOK_READY,	   /* it could */
	TEXTBOOK_DISPATCH, /* its scheduler still dispatches an instruction */
	TEXTBOOK_LATENCY,  /* of its last branch, of the end of a path, or it has just been placed or released from a barrier */
	TEXTBOOK_REGISTER  /* a register that the next instruction needs isn't ready */
};
/* Returns why a warp that has a next instruction at `pc`, and isn't at a barrier, doesn't issue in the present cycle. */
enum textbook_wait textbook_waits(const struct core *c, uint32_t warp, uint32_t pc);
/* Returns the cycle in which the core's next instruction can issue: the last one that has begun, if the machine stands inside it, else the one after it. */
uint64_t textbook_present(const struct core *c);
/* Returns the cycle in which a register of a warp, by its scoreboard number, is or was ready. Returns 0 if no instruction has written the register or
 * there is no such number. */
uint64_t textbook_ready(const struct core *c, uint32_t warp, uint32_t reg);
/* Returns the first of a warp's registers from number `from` on that is not ready in the present cycle; UINT32_MAX if there is none. */
uint32_t textbook_next_pending(const struct core *c, uint32_t warp, uint32_t from);
/* Returns for how many cycles one of `schedulers` schedulers dispatches an instruction of a kind, of warps of `warp_threads` threads. */
uint32_t textbook_dispatch(const struct textbook_config *k, enum textbook_kind kind, uint32_t warp_threads, uint32_t schedulers);
/* An instruction of a program. */
struct textbook_source {
	const struct isa_program *program;
	const struct isa_function *function;
	uint32_t index;
	uint32_t first_register; /* added to the numbers of the function's registers */
};
/* Sets the kind, the times and the registers of an instruction; its class and space are set. */
void textbook_describe(struct timing_insn *t, const struct textbook_source *s, const struct core_config *core);
/* Returns true if the state of a restored core is valid. */
bool textbook_is_valid(const struct core *c);

#endif
