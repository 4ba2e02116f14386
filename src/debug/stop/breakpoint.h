/* Breakpoints, watchpoints, catchpoints: one numbering from 1, one table, one place that decides whether to stop.
 *
 * Marks (one byte per instruction) and page flags are only hints that make the machine come back before an instruction; the
 * conditions are looked at here. */
#ifndef DEBUG_BREAKPOINT_H
#define DEBUG_BREAKPOINT_H

#include "debug/csource/cnames.h"
#include "debug/debug.h"
#include "debug/expr/expr.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"

enum breakpoint_kind { BREAKPOINT_CODE, BREAKPOINT_WATCH, BREAKPOINT_CATCH };
enum breakpoint_watch { BREAKPOINT_WRITE, BREAKPOINT_READ, BREAKPOINT_ACCESS };
enum breakpoint_catch {
	BREAKPOINT_ON_LAUNCH,
	BREAKPOINT_ON_EXIT,
	BREAKPOINT_ON_BARRIER,
	BREAKPOINT_ON_EXCEPTION,
	BREAKPOINT_ON_DIVERGENCE,
	BREAKPOINT_ON_ATOMIC,
	BREAKPOINT_ON_LOAD, /* of a program's module */
	BREAKPOINT_ON_UNLOAD,
	BREAKPOINT_ON_KERNEL,
	BREAKPOINT_ON_API /* a call of the program's */
};

/* Threads for which a breakpoint counts. */
struct breakpoint_filter {
	bool has_uid, has_thread, has_block, has_warp;
	uint64_t uid;
	uint32_t thread[3], block[3], warp;
};

/* A face's condition on an internal breakpoint. Returns those of a warp's lanes that hit the breakpoint; `first` is lane 0. */
typedef uint32_t breakpoint_test(void *self, uint32_t number, const struct debug_thread *first, uint32_t lanes);

#define WATCH_NO_LAUNCH UINT32_MAX /* the launch is gone with `reset`: the next launch of the kernel replaces it */

/* A place in the code. */
struct breakpoint_code {
	bool pending;
	char *unset;	   /* why it couldn't be set in what is loaded; NULL: it is set, or was never tried. Owned */
	bool is_unset_firm; /* its file is loaded: it won't be set later either */
	bool is_unset_told; /* a stop has said so */
	bool told;   /* the place was reported: a program that begins anew doesn't report it again */
	bool in_ptx; /* set at a line of the PTX */
	struct debug_position call; /* the line of a call in front of which it stops (debug_location.is_call); line 0: of none */
	uint32_t *pcs;		    /* instruction indices. Owned */
	uint32_t n_pcs;
	bool *is_off; /* flag for each of `pcs`: that place is disabled. NULL: none is. Owned */
	char *prints; /* a dprintf: "FORMAT", EXPR... for each lane that passes; nothing stops. Owned */
};

/* A value: memory, a register, a variable of the source, or a field of the machine. */
struct breakpoint_value {
	enum breakpoint_watch access;
	enum expr_place_kind place; /* MEMORY or ROW or PRED (register of one thread), or FIELD (`location` names it) */
	uint64_t address, bytes;    /* MEMORY: generic range */
	uint64_t named;		    /* MEMORY: the address that was given; `address` is where its memory is now */
	uint8_t space;
	struct debug_thread thread; /* the thread whose shared, local memory or register; launch, cta matter for shared */
	uint32_t kernel; /* thread.launch is WATCH_NO_LAUNCH, or may become so: the function its launch was of */
	uint32_t function, depth; /* ROW, PRED: function's index and call depth */
	uint32_t ref;		  /* ROW, PRED */
	enum isa_type type;
	const struct ctype *c; /* the type in the source, NULL: PTX's */
	const struct cvar
		*variable; /* ROW, PRED: a variable that may be in one register after the other; NULL: `ref` alone */
	uint8_t bit_size, bit_shift; /* MEMORY: a bit-field in these bytes; 0: none */
	uint64_t count;		     /* elements */
	bool is_scoped; /* ends where the activation of `function` at `depth` returns */
	bool each_write;	     /* a write that doesn't change the value stops, too */
	unsigned char *old;	     /* last value seen, `bytes` bytes. Owned */
	uint64_t compared;	     /* FIELD: cycle in which the machine stood when it was compared last */
};

struct breakpoint {
	uint32_t number;
	bool enabled, temporary;
	bool once;     /* the breakpoint's stop disables it */
	bool fired;    /* a temporary one with commands that has stopped: unlisted, goes with the next run */
	bool internal; /* a face's own (gdb's Z packets): not listed, no text */
	uint64_t hits, ignore;
	uint64_t passed; /* hits of other warps that the present step of the focused warp has passed */
	char *location; /* CODE: LOC as written; WATCH: the expression; KERNEL: its name; API: a glob of names, or NULL; DIVERGENCE: "after", or NULL. Owned */
	struct breakpoint_filter filter;
	char *condition;       /* text, NULL: none */
	struct expr *compiled; /* of it */
	breakpoint_test *test; /* internal ones; may be NULL */
	void *test_self;
	char **commands; /* lines of its command list; owned */
	size_t n_commands;
	enum breakpoint_kind kind;
	union {
		struct breakpoint_code code;	 /* CODE */
		struct breakpoint_value watch;	 /* WATCH */
		enum breakpoint_catch caught;	 /* CATCH */
	};
};

/* Returns the arguments of a dprintf. Returns NULL for other breakpoints, watchpoints and catchpoints. */
static inline const char *breakpoint_prints(const struct breakpoint *b) { return b->kind == BREAKPOINT_CODE ? b->code.prints : NULL; }

/* Returns the number of breakpoints, watchpoints and catchpoints, internal ones included. */
size_t breakpoint_count(const struct debug *d);
/* Returns breakpoint number `i` of the table, from 0. Returns NULL if `i` is out of range. Valid until the breakpoint is removed. */
struct breakpoint *breakpoint_at(struct debug *d, size_t i);
/* Returns the breakpoint, watchpoint or catchpoint with a number that users see, or an internal one's. Returns NULL if there is none. Valid until the
 * breakpoint is removed. */
struct breakpoint *breakpoint_find(struct debug *d, uint32_t number);

/* Returns true if a breakpoint stops in front of calls of the program: a catchpoint for calls, or a user's pending breakpoint, without a filter, at
 * the name of an API function. A dprintf isn't one. */
bool breakpoint_is_for_calls(const struct breakpoint *b);
/* Returns the word of `catch` for an event. */
const char *breakpoint_caught_name(enum breakpoint_catch caught);

/* Replaces the command list of a breakpoint by copies of n lines; with n 0 the breakpoint has none. Does nothing if no breakpoint has that number. */
void breakpoint_commands_set(struct debug *d, uint32_t number, const char *const *lines, size_t n);

/* Adds an internal code breakpoint at an instruction. Returns its number, which users don't see. */
uint32_t breakpoint_insert_code(struct debug *d, uint32_t pc);
/* Adds an internal watchpoint on `bytes` bytes (0 counts as 1) at a generic address, and returns its number. Shared or local memory is that of
 * thread `t`, which may be NULL for other memory. */
uint32_t breakpoint_insert_watch(struct debug *d, enum breakpoint_watch kind, const struct debug_thread *t,
				 uint64_t generic, uint64_t bytes);
/* Removes a breakpoint by its number, if there is one. */
void breakpoint_remove(struct debug *d, uint32_t number);

#endif
