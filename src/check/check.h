/* Checkers: they look for mistakes in kernels while the kernels run. And the list of findings.
 *
 * A checker is a row of checkers.def: hooks that exec calls (engine.h, struct exec_watcher). A finding is reported as data (check_report);
 * its text, names and stop belong to the debugger. Findings and the checkers' state lie in sections of the arena, so a reverse step restores both.
 * While all checkers are off, exec calls no hook, and no memory is used. */
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
	CHECK_OP_HOST_WRITE,
	CHECK_OP_API
};

#define CHECK_CALLERS 4u

/* An access, and the thread or stream that made it. Unknown parts: has_thread, has_pc false; op, size, space 0. */
struct check_access {
	bool has_thread, has_pc, has_address;
	bool by_host, is_fill; /* made by a copy or fill of a stream: `stream`, `caller` */
	bool is_pool; /* instead: memory of a pool was allocated in the stream's order, or (op FREE) freed */
	bool is_direct;	       /* by_host: made by host code, in no stream; `caller` is the address behind the instruction */
	uint8_t op;	       /* enum check_op */
	uint8_t space;	       /* enum isa_space, resolved; GENERIC: none */
	uint32_t launch;       /* id */
	uint32_t kernel;       /* index of the launch's function */
	uint32_t pc;	       /* instruction index */
	uint32_t size;	       /* bytes */
	uint32_t callers[CHECK_CALLERS]; /* 1 + indices of the call instructions around, the innermost first; 0: no more are known */
	uint32_t thread[3], block[3];
	uint32_t in_block; /* linear index of the thread in its block */
	uint64_t cta;	   /* linear index of the block */
	uint64_t uid;
	uint64_t address; /* generic */
	uint32_t context, stream;
	uint64_t caller; /* return address of the program's call; 0: not known */
	uint64_t place;	 /* hash of the source position, from check_settings.place; 0: not known */
};

enum check_verb { CHECK_USED_BRANCH, CHECK_USED_ADDRESS, CHECK_USED_ATOMIC, CHECK_USED_OUTPUT, CHECK_USED_RESULT };

struct check_finding {
	uint8_t kind;	 /* enum check_kind */
	uint8_t fault;	 /* memory: enum exec_fault_kind */
	uint8_t verb;	 /* init: enum check_verb */
	bool same_value; /* race: both wrote the same value */
	bool compares;	 /* race: same_value is known */
	bool suppressed; /* matched by the user's list */
	bool is_note;	 /* no error: the race does no harm */
	bool is_first_look; /* race: the read is the first look of a compare-and-swap loop */
	bool has_other;
	bool has_near; /* `near` is the allocation nearest to the address, at the time of the finding */
	uint32_t printed_launch; /* 1 + the launch at whose end the finding was printed last, 0: not yet */
	uint32_t last_launch;	 /* the last launch with this finding; CHECK_NO_LAUNCH: outside of any */
	uint32_t lanes;		 /* of the first warp with this finding */
	uint32_t missing;	 /* sync: lanes that are missing, or the mask */
	uint64_t missing_warps;	 /* sync, at a deadlock */
	uint32_t reg;		 /* init: number of a register (1 + index of the program's table of names), 0: memory */
	uint32_t barrier;	 /* sync: its id */
	uint32_t wanted;	 /* sync, a barrier at a deadlock: threads that the barrier waits for, `arrived` of them there; else 0 */
	uint32_t arrived;
	uint64_t count;		 /* lanes' accesses */
	uint64_t threads;	 /* different ones */
	uint64_t bytes;		 /* leak: of the allocation; API error: that the call uses at the address */
	uint64_t usable;	 /* API error: of these bytes, those in front of the first wrong one */
	uint64_t variable, variable_end; /* memory: offsets of the variable that the address is computed from, if it lies in the space's memory beyond it; else 0, 0 */
	uint64_t end;		 /* of the space's memory, where `near` is none: shared, local, const, param */
	struct check_access access, other;
	/* race: fences would have ordered it. 1 + index of the instruction that wrote a flag after the earlier access, and of one that has read the flag
	 * since; 0: not known. `flag`: the flag's generic address */
	uint32_t flag_write, flag_read;
	uint64_t flag;
	struct gpu_allocation near;
	char detail[160]; /* an additional line, or "" */
	char call[64];	  /* API error: name of the call */
	char error[128];  /* API error: name, number and meaning of the error */
};
#define CHECK_NO_LAUNCH UINT32_MAX

/* Where a variable of the source lies in a function's frame of local memory. */
struct check_local {
	uint64_t first, end;
};
/* Finds them, from debug information. */
struct check_locals {
	void *self;
	/* Stores up to `cap` of a function's arrays and structures and returns their number. */
	size_t (*find)(void *self, const struct isa_function *f, struct check_local *out, size_t cap);
};

/* Creates the checkers of a device, all switched off. Returns NULL if the arena has no address space for them. The device outlives the result. */
struct check *check_create(struct gpu *g);
/* Releases the checkers. Does nothing for NULL. */
void check_destroy(struct check *c);

/* Sets how the memory checker finds variables in local memory. Without a call it knows of none. */
void check_set_locals(struct check *c, const struct check_locals *locals);

/* ---- switching ---- */
/* Returns a checker's name, as in `--check`. The string is static. */
const char *checker_name(enum check_which which);
/* The words that a list of checkers may contain, for messages. */
extern const char check_names[];
/* Parses a list such as "memory,race" into a set of bits, one per checker. Returns false if a word is no checker; `why` then names the word. */
bool check_list_parse(const char *list, uint32_t *set, struct text *why);
/* Switches the checkers of `set` on or off. Returns false, with the reason in `why`, if the arena has no room for a checker: later ones stay as they
 * were. Returns false, too, if exec has too many watchers. */
bool check_set(struct check *c, uint32_t set, bool on, struct text *why);
/* Returns the checkers that are on, a bit each. */
uint32_t check_on(const struct check *c);
/* Returns true if at least one checker is on or has been on. */
bool check_was_on(const struct check *c);

struct check_settings {
	bool stops;	  /* the machine stops at each new finding; else findings are only collected */
	bool leaks;	  /* memory that is never freed is reported */
	bool race_strict; /* a fence is required even after an atomic whose result the thread uses; lanes of a warp aren't in step */
	bool (*suppressed)(void *self,
			   const struct check_finding *f); /* returns true if the user's list suppresses the finding; may be NULL */
	/* Returns a hash of the source position of an access: equal for copies of one piece of source code. Returns 0 if no position is known. May be NULL. */
	uint64_t (*place)(void *self, const struct check_access *a);
	void *self;
};
/* Returns the settings, owned by the checkers and writable by the caller. */
struct check_settings *check_settings(struct check *c);

/* ---- findings: numbered from 0 in the order of their first report ---- */
/* Returns the number of findings. */
uint32_t check_count(const struct check *c);
/* Returns finding `n`, which must be below check_count. The pointer stays valid until the next finding or reverse step. */
const struct check_finding *check_at(const struct check *c, uint32_t n);
/* Returns finding `n` for changing `suppressed` and `printed_launch`. */
struct check_finding *check_finding_edit(struct check *c, uint32_t n);
/* Returns the number of findings that are neither suppressed nor notes. */
uint32_t check_errors(const struct check *c);
/* Returns the number of notes that aren't suppressed. */
uint32_t check_notes(const struct check *c);
/* Returns true if the user has been shown finding `n`, at any position of the history. */
bool check_was_told(const struct check *c, uint32_t n);
/* Records that the user has been shown finding `n`. */
void check_tell(struct check *c, uint32_t n);
/* Forgets shown findings that don't exist at the current position, because execution continues on a different path from here. */
void check_way_parts(struct check *c);
/* Returns the number of the finding at which the machine has just stopped, and clears it. Returns UINT32_MAX if there is none. `by_host`: of a finding
 * without a thread, else of one with a thread. */
uint32_t check_take_stop(struct check *c, bool by_host);
/* Returns true if the machine is to stop at a finding without a thread, which check_take_stop hasn't returned yet. */
bool check_host_stops(const struct check *c);
/* Returns the checker that reports findings of a kind. */
enum check_which check_of_kind(enum check_kind k);
/* Returns the name of a kind of finding. The string is static. */
const char *check_kind_name(enum check_kind k);
/* Returns the name of an operation, "" for CHECK_OP_NONE. The string is static. */
const char *check_op_name(enum check_op op);

/* ---- notifications from the debugger ---- */
/* A wrong free by the program. */
struct check_free {
	uint64_t address; /* no live allocation begins there */
	bool again;	  /* the address was freed before */
	uint32_t context;
	uint64_t caller; /* return address of the call; 0: not known */
};
/* Reports a wrong free by the program. Does nothing if the memory checker is off. */
void check_host_free(struct check *c, const struct check_free *wrong);
/* A call of the program that CUDA has refused. */
struct check_call {
	const char *name;   /* `cudaMemcpy` */
	const char *error;  /* `cudaErrorInvalidValue (error 1) due to "invalid argument"` */
	const char *detail; /* a further sentence, or "" */
	uint32_t context;
	uint64_t caller;	/* return address; 0: not known */
	uint64_t address;	/* device memory that the call can't use as it wants; 0: none */
	uint64_t bytes, usable; /* the call uses `bytes` bytes at the address, and the first `usable` of them are right */
};
/* Reports a call that CUDA has refused. Does nothing if the memory checker is off. */
void check_host_call(struct check *c, const struct check_call *call);
/* Notifies the checkers that a user reads `n` bytes of device memory as a result: a comparison, a file. Copies to the host are inputs. */
void check_host_read(struct check *c, uint64_t address, uint64_t n);
/* Reports each barrier at which threads wait in a deadlock and that hasn't been reported. Returns true if the machine must stop at a new finding;
 * further new findings are reported at the next call. Returns false if the sync checker is off. */
bool check_deadlock(struct check *c);
/* Reports an allocation that the program has not freed at its end. The caller checks that the memory checker is on and leaks are reported. */
void check_leak(struct check *c, const struct gpu_allocation *a);
/* Resets the state of the checkers that are on, after gpu_reset. Launches are counted from 0 again; findings stay. */
void check_reset(struct check *c);
/* Starts the checkers that are on afresh, after a checkpoint file has replaced the machine's state. */
void check_restored(struct check *c);
/* Recreates the checkers' sections after gpu_rebuild, then switches the checkers of `on` on as far as there is room. All findings are dropped. */
void check_rebuilt(struct check *c, uint32_t on);

#endif
