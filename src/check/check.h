/* Checkers: who looks for mistakes of kernels while they run, and what was found.
 *
 * A checker is a row of checkers.def: hooks that exec calls (engine.h, struct exec_checker). What it finds it reports as data
 * (check_report); texts, names and what a finding leads to are the debugger's. Findings, and whatever a checker remembers, lie in sections of the
 * arena: going back takes them back. While no checker is on exec knows of none, and nothing is used. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "gpu/gpu.h"

struct check;

enum check_which {
#define CHECKER(id, name) CHECK_##id,
#include "check/checkers.def"
	CHECKERS
};
#define CHECK_ALL ((1u << CHECKERS) - 1)

enum check_kind {
#define CHECK_KIND(id, name, checker) CHECK_##id,
#include "check/kinds.def"
	CHECK_KINDS
};
enum check_op {
	CHECK_OP_NONE,
	CHECK_OP_READ,
	CHECK_OP_WRITE,
	CHECK_OP_ATOMIC,
	CHECK_OP_FREE,
	CHECK_OP_BARRIER,
	CHECK_OP_COLLECTIVE,
	CHECK_OP_HOST_READ,
	CHECK_OP_HOST_WRITE
};

/* Who did something, and what. What isn't known is left out: has_thread, has_pc; op, size, space 0. */
struct check_access {
	bool has_thread, has_pc, has_address;
	bool by_host, is_fill; /* a copy or fill of a stream: `stream`, `caller` */
	uint8_t op;	       /* enum check_op */
	uint8_t space;	       /* enum isa_space, resolved; GENERIC: none */
	uint32_t launch;       /* id */
	uint32_t kernel;       /* index of the launch's function */
	uint32_t pc;	       /* instruction index */
	uint32_t size;	       /* bytes */
	uint32_t thread[3], block[3];
	uint32_t in_block; /* linear index of the thread in its block */
	uint64_t cta;	   /* linear index of the block */
	uint64_t uid;
	uint64_t address; /* generic */
	uint32_t context, stream;
	uint64_t caller; /* the address in a program that its call returns to; 0: it isn't known */
};

/* Device memory near an address, as it was then. */
struct check_near {
	bool any, live, reserved, read_only, is_variable, by_kernel;
	uint64_t address, bytes;
	uint32_t made_pc; /* 1 + index of the instruction that allocated it, 0: none did */
	uint32_t freed_pc;
	char name[48];
};

enum check_verb { CHECK_USED_BRANCH, CHECK_USED_ADDRESS, CHECK_USED_ATOMIC, CHECK_USED_OUTPUT, CHECK_USED_RESULT };

struct check_finding {
	uint8_t kind;	 /* enum check_kind */
	uint8_t fault;	 /* memory: enum exec_fault_kind */
	uint8_t verb;	 /* init: enum check_verb */
	bool same_value; /* race: both wrote the same */
	bool compares;	 /* race: same_value is known */
	bool suppressed; /* by the user's list */
	bool has_other;
	uint32_t printed_launch; /* 1 + the launch at whose end it was printed last, 0: not yet */
	uint32_t last_launch;	 /* the last one it happened in; CHECK_NO_LAUNCH: outside of any */
	uint32_t lanes;		 /* of the first warp in which it was found */
	uint32_t missing;	 /* sync: lanes that are missing, or the mask; at a deadlock warps */
	uint32_t reg;		 /* init: number of a register (1 + index of the program's table of names), 0: memory */
	uint32_t barrier;	 /* sync: its id */
	uint32_t wanted;	 /* sync, a barrier at a deadlock: threads that it waits for, of which `arrived` are there; else 0 */
	uint32_t arrived;
	uint64_t count;		 /* lanes' accesses */
	uint64_t threads;	 /* different ones */
	uint64_t bytes;		 /* leak: of the allocation */
	uint64_t end;		 /* of the space's memory, where `near` is none: shared, local, const, param */
	struct check_access access, other;
	struct check_near near;
	char detail[160]; /* a line more, or "" */
};
#define CHECK_NO_LAUNCH UINT32_MAX

/* NULL: no address space. The device outlives it. */
struct check *check_create(struct gpu *g);
void check_destroy(struct check *c);

/* ---- switching ---- */
const char *checker_name(enum check_which which);
/* What a LIST may name, for texts. */
extern const char check_names[];
/* "memory,race" as a set of bits; false: `why` names the word that is none. */
bool check_list_parse(const char *list, uint32_t *set, struct text *why);
/* False, with `why`: there is no such checker here, or no room for it. Changes none then. */
bool check_set(struct check *c, uint32_t set, bool on, struct text *why);
uint32_t check_on(const struct check *c); /* a bit per checker */
bool check_was_on(const struct check *c); /* some checker is, or has been */

struct check_settings {
	bool stops;	  /* at each new finding; else they are collected */
	bool leaks;	  /* memory that is never freed is a finding */
	bool race_strict; /* a fence is wanted also after an atomic whose result decided */
	bool (*suppressed)(void *self,
			   const struct check_finding *f); /* does the user not want to hear of it? May be NULL */
	void *self;
};
struct check_settings *check_settings(struct check *c);

/* ---- findings: numbered from 0 in the order in which they were found ---- */
uint32_t check_count(const struct check *c);
const struct check_finding *check_at(const struct check *c, uint32_t n);
struct check_finding *check_finding_edit(struct check *c, uint32_t n); /* for `suppressed` and `printed_launch` */
uint32_t check_errors(const struct check *c);			       /* those that aren't suppressed */
/* Which ones the user has been told is known also where the machine has gone back to before it: what is found again isn't news. */
bool check_was_told(const struct check *c, uint32_t n);
void check_tell(struct check *c, uint32_t n);
/* What comes after now is another way than the one that was told of: only those stay told that have been found by now. */
void check_way_parts(struct check *c);
/* The finding because of which the machine has just stopped, and forgets it; UINT32_MAX: none. `by_host`: one of what the host did. */
uint32_t check_take_stop(struct check *c, bool by_host);
bool check_host_stops(const struct check *c); /* there is one of what the host did */
enum check_which check_of_kind(enum check_kind k);
const char *check_kind_name(enum check_kind k);
const char *check_op_name(enum check_op op);

/* ---- what the debugger tells ---- */
/* A free by the host of an address where nothing that can be freed begins; `again`: it was freed before. True: it is a finding. */
bool check_host_free(struct check *c, uint64_t address, bool again);
/* A user reads device memory as a result: a comparison, a file. Copies to the host are inputs. */
void check_host_read(struct check *c, uint64_t address, uint64_t n);
/* A deadlock has been found: reports each barrier at which threads wait and that has not been reported. Returns true if the machine is to stop because of a
 * new finding; other new ones are then left to the next call. */
bool check_deadlock(struct check *c);
/* What a program has allocated and not freed at its end. */
void check_leak(struct check *c, const struct gpu_allocation *a);
/* The device begins anew (gpu_reset); launches are counted from 0 again. Findings stay. */
void check_reset(struct check *c);
/* The machine is that of a checkpoint file: checkers know of what comes. */
void check_restored(struct check *c);
/* The device has been made anew (gpu_rebuild): the checkers that were on are again, as far as there is room; findings are gone. */
void check_rebuilt(struct check *c, uint32_t on);

#endif
