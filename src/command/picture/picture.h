/* What the files of pictures share: a launch run again and what was recorded of it. Inside src/command/picture only. */
#ifndef COMMAND_PICTURE_PICTURE_H
#define COMMAND_PICTURE_PICTURE_H

#include "command/dump/dump_internal.h"
#include "debug/ground/ground.h"
#include "history/again.h"
#include "history/history.h"

/* ---- single stages of instructions (flights.c) ---- */

/* The way of an instruction through a core: name, Konata's stage, words. */
#define FLIGHT_STAGES(X) \
	X(FETCH, "F", "fetch") \
	X(DECODE, "D", "I-buffer") \
	X(ISSUE, "Is", "waits for the operand collector") \
	X(COLLECT, "Oc", "operand collector") \
	X(COLLECTED, "Oe", "waits for its unit") \
	X(EXECUTE, "Ex", "function unit") \
	X(MEMORY, "Ma", "LDST unit and memory") \
	X(WRITEBACK, "Wb", "writeback")
enum flight_stage {
#define X(name, letters, words) FLIGHT_##name,
	FLIGHT_STAGES(X)
#undef X
	FLIGHT_STAGE_COUNT
};
extern const char *const flight_letters[FLIGHT_STAGE_COUNT], *const flight_words[FLIGHT_STAGE_COUNT];

#define FLIGHT_NEVER UINT64_MAX
#define FLIGHT_PRODUCERS 4u
/* An instruction that a warp issued. Cycles are the device's; FLIGHT_NEVER: it hasn't come there. */
struct flight {
	uint64_t uid, block;
	uint64_t at[FLIGHT_STAGE_COUNT]; /* cycle in which it came into a stage */
	uint64_t done;			 /* its results are ready, or it has left the core */
	uint64_t seen;			 /* last cycle in which it was in the core */
	uint32_t pc, lanes, core;
	uint32_t n_accesses;
	uint32_t producer[FLIGHT_PRODUCERS]; /* 1 + index of the flights that wrote what it reads; 0: none */
	uint16_t warp, index;		     /* slot of the core; warp of its block */
};
/* A stretch in which a warp was in one state. */
struct flight_wait {
	uint64_t first, end;
	uint32_t core, pc; /* pc: that it waits in front of, or UINT32_MAX */
	uint16_t warp;
	uint8_t wait; /* enum warp_wait */
};
/* Where a memory request was. */
struct flight_step {
	uint64_t cycle;
	uint32_t request; /* index in flights.requests */
	uint8_t status;	  /* enum request_status */
};
struct flight_request {
	uint64_t uid, address, created, deleted;
	uint32_t pc, size, core, partition, flight; /* flight: 1 + index, 0: not known */
	uint16_t warp;
	uint8_t type;
	bool is_write;
};
struct flights {
	struct debug *d;
	const struct timing *t;
	int64_t core;	       /* that is recorded; -1: all */
	uint32_t low, high;    /* warp slots */
	uint64_t first, last;  /* cycles in which instructions are taken up */
	size_t most;	       /* instructions that are recorded; later ones are left out */
	bool is_cut;
	bool wants_requests;
	struct flight *v;
	size_t n, cap;
	struct flight_wait *wait;
	size_t n_waits, cap_waits;
	struct flight_request *request;
	size_t n_requests, cap_requests;
	struct flight_step *step;
	size_t n_steps, cap_steps;
	/* while it records */
	uint32_t *by_inst;   /* [core][entry of the pool]: 1 + index of its flight */
	uint32_t *by_request; /* by entry of the pool: 1 + index */
	uint32_t n_by_request;
	size_t *open;	      /* [core][warp]: 1 + index of the wait that goes on */
	struct flight_front *front; /* [core][warp] */
	uint32_t *writer;	    /* [core][warp][register]: 1 + index of the flight that wrote it last */
	uint32_t n_registers;
};

/* Prepares the recording of the warps low..high of a core (-1: all) in the cycles first..last. */
void flights_begin(struct flights *f, struct debug *d, int64_t core, uint64_t first, uint64_t last);
/* Frees all that was recorded. */
void flights_free(struct flights *f);
/* Allocates what the recording of a machine needs, when the run begins. */
void flights_start(struct flights *f, struct timing *t);
/* Records an instruction that a warp issues. */
void flights_issue(struct flights *f, struct core *c, uint32_t inst, uint64_t now);
/* Records that the results of an instruction are ready. */
void flights_complete(struct flights *f, const struct inst *i, uint64_t now);
/* Records, at the end of a core cycle, where each instruction is and what each warp waits for. */
void flights_tick(struct flights *f, uint64_t now);
/* Records a new status of a memory request. */
void flights_request(struct flights *f, uint32_t request, enum request_status before);
/* Closes all that is open at the end of the run. */
void flights_end(struct flights *f);
/* Adds `last_cycle`, `stages`, `instructions` and `waits` of up to so many cycles of the recording to the open object. */
void flights_describe(const struct flights *f, uint64_t cycles, struct report *answer);
/* Runs a launch again and records it in each of n recordings, which are in the order of their cycles. Returns false, with the reason in `why`, if that
 * fails. */
bool flights_record(struct history *h, struct flights *f, unsigned n, uint32_t launch, struct text *why);

/* ---- a whole launch (whole.c) ---- */

/* Figures of an instruction of the program. */
struct whole_insn {
	uint64_t executions, lanes, latency, transactions, accesses, bank_cycles, shared, dram_bytes, divergences;
	uint64_t waits[WAIT_COUNT]; /* cycles of warps that waited in front of it, or for it */
};
struct whole_access; /* the worst access of an instruction */
struct whole {
	struct debug *d;
	const struct timing *t;
	uint32_t launch;
	uint64_t first, last, bucket, every; /* cycles; a state is looked at every so many */
	uint32_t buckets;
	uint32_t n_insns;
	struct whole_insn *insn;
	struct whole_access *access;
	uint32_t *access_at; /* by instruction: 1 + place in `access`; 0: none */
	size_t n_accesses, cap_accesses;
	uint16_t *state;   /* [core][warp][bucket][WAIT_COUNT]: samples */
	uint32_t *issues;  /* [core][warp][bucket] */
	uint64_t *issued;  /* [bucket] */
	uint64_t *lost;	   /* [bucket] */
	uint32_t *last_pc, *last_lanes; /* [core][warp]: of the last instruction */
	struct report *stalls; /* `info stalls` of the launch, or NULL */
	bool counts_turns;
	struct stalls *put_aside; /* while turns are counted: the counts of `set stalls on` */
};

#define WHOLE_BUCKETS 240u

/* Runs a launch again and collects its figures. Returns false, with the reason in `why`, if that fails. */
bool whole_record(struct history *h, struct whole *w, uint32_t launch, struct text *why);
/* Frees all that was collected. */
void whole_free(struct whole *w);
/* Returns how many warp slots have issued an instruction. */
uint32_t whole_warps(const struct whole *w);
/* Adds `warps`, by cycles, to the open object: the `most` that have issued most. */
void whole_describe_warps(const struct whole *w, size_t most, struct report *answer);
/* Adds the figures of each executed instruction that is `chosen` to the open object. */
void whole_describe_lines(const struct whole *w, const bool *chosen, struct report *answer);
/* Adds the pictures of the costliest accesses to the open object. */
void whole_describe_accesses(const struct whole *w, struct report *answer);
/* Stores the core and the beginnings of up to `most` windows of `length` cycles that are worth a look. Returns their number. */
unsigned whole_windows(const struct whole *w, uint64_t length, uint64_t *first, unsigned most, uint32_t *core);

/* Returns a flag for each of n members, in memory that the caller frees: whether it is one of the `most` with the greatest costs; of equal ones the
 * first. */
bool *picture_costliest(const uint64_t *cost, size_t n, size_t most);
/* Returns a flag for each instruction of the program, in memory that the caller frees: whether it is one of the `most` whose warps took most cycles. */
bool *picture_instructions(struct debug *d, size_t most);

/* Stores the cycles of a launch in performance mode. Returns false, with the reason in `why`, if it has none. */
bool picture_span(struct debug *d, uint32_t launch, uint64_t *first, uint64_t *last, struct text *why);
/* Narrows the cycles first..last of a launch to from..to. Returns false, with the reason in `why`, if none is left. */
bool picture_cycles(uint32_t launch, uint64_t *first, uint64_t *last, uint64_t from, uint64_t to, struct text *why);
/* Returns true if the machine has a core of this number, or the number is -1: all. Else stores the reason in `why`. */
bool picture_core(struct debug *d, int64_t core, struct text *why);
/* Stores the launch with the most cycles in performance mode. Returns false if none ran in that mode. */
bool picture_longest_launch(struct debug *d, uint32_t *launch);
/* Adds `text`, `ptx`, `line` ... of an instruction to the open object. */
void picture_instruction(struct debug *d, uint32_t pc, struct report *answer);

#endif
