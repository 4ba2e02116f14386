/* The debugger both faces share: one session owns one device, its focus, its stop conditions and its history.
 *
 * A face (REPL, gdb stub) turns a line or a packet into one call here and prints the text that comes back. Nothing here
 * prints, reads a terminal or looks at the environment. Conventions of the whole folder:
 *  - a function that a user's input can fail returns bool; on false it has put one line without "error: " and without a
 *    newline into `why`, and nothing has changed; nothing in `why`: what there is to say is in `out`;
 *  - `out` texts end with a newline unless said otherwise; functions append, they never clear;
 *  - texts are as docs/manual/ has them and, where that is silent, those of gdb 13 and cuda-gdb;
 *  - looking never changes the simulated machine.
 * Which header has what: focus.h threads and the focus; run.h continue and step; launch.h kernels and arguments;
 * buffer.h device buffers; breakpoint.h break/watch/catch; expr.h expressions; format.h values as text; source.h positions
 * and locations; inspect.h print, x, list and all the `info` tables. */
#ifndef DEBUG_DEBUG_H
#define DEBUG_DEBUG_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "gpu/input.h"
#include "report/report.h"

struct debug;
struct files;

/* A thread of a launch: placed on a core, not placed yet, or finished. */
struct debug_thread {
	uint32_t launch;
	uint64_t cta;	 /* linear block index */
	uint32_t thread; /* linear index in the block; debug_warp_of and debug_lane_of have its warp and lane */
};

/* The session that owns the debugger. All fields may be NULL. `output` is called from within run calls only. */
struct debug_host {
	void *self;
	void (*output)(void *self, const char *s,
		       size_t n); /* what the device printed; flushed before a run call returns */
	/* Text of the debugger that comes while the machine runs: traces, dprintf. NULL: it goes to `output`. */
	void (*text)(void *self, const char *s, size_t n);
	void (*note)(void *self,
		     const char *line); /* `note: ...`, a hint for the user; NULL: notes are dropped */
	void (*report)(void *self, const char *lines); /* findings of checkers */
	void (*kernel_done)(
		void *self); /* one has finished; the last one only when the device is idle, and its figures final */
	int64_t (*input)(void *self, const struct gpu_input *in, struct text *why); /* as gpu_input, which NULL means */
	const struct files *files; /* how files are opened; NULL: files_of_host */
	const volatile sig_atomic_t *interrupt; /* nonzero: stop soon; the face sets and clears it */
	const volatile sig_atomic_t *due; /* nonzero: call `progress` soon, in a run between two cycles; it clears it */
	void (*progress)(void *self);	  /* may look at the machine */
};

/* Creates a debugger that owns the device `g`: debug_destroy destroys both. *host is copied; `host` may be NULL. */
struct debug *debug_create(struct gpu *g, const struct debug_host *host);
/* Destroys a debugger and its device. NULL does nothing. */
void debug_destroy(struct debug *d);
/* Returns the device that the debugger owns. */
struct gpu *debug_gpu(const struct debug *d);
/* Returns the index in its block of the warp that holds `thread`, a linear index in the block. */
uint32_t debug_warp_of(const struct debug *d, uint32_t thread);
/* Returns the lane, in its warp, of `thread`, a linear index in the block. */
uint32_t debug_lane_of(const struct debug *d, uint32_t thread);
/* Returns the linear index in its block of the thread at `lane` of warp `warp`. */
uint32_t debug_thread_of(const struct debug *d, uint32_t warp, uint32_t lane);

/* Places variables, rebinds names, and resolves breakpoints again after a load has appended to gpu_program(). `notes` (may be NULL) gets lines
 * about breakpoints that become pending or no longer are. */
void debug_program_changed(struct debug *d, struct text *notes);
/* Records as an input that a module has been loaded completely (`is_there`) or unloaded by isa_module_unload, then rebinds names, sources and
 * breakpoints. `notes` (may be NULL) gets lines about breakpoints that become pending or no longer are. */
void debug_module_changed(struct debug *d, uint32_t module, bool is_there, struct text *notes);
/* Rebinds names, sources and breakpoints if the program's generation has changed since the last rebinding. `notes` (may be NULL) gets lines about
 * breakpoints that become pending or no longer are. */
void debug_modules_settle(struct debug *d, struct text *notes);

/* Drops all queued and running launches (`kill`), clears the focus, and forgets values for threads that haven't started. Breakpoints stay. */
void debug_kill(struct debug *d);
/* Drops the launches of a context (gpu/context.h), which is destroyed if `ends`, else only killed. If the focused launch is dropped, clears the focus
 * and forgets values for threads that haven't started. Returns a mask of the contexts whose launches were dropped. */
uint32_t debug_drop_context(struct debug *d, uint32_t context, bool ends);
/* Resets the machine to its state before the first launch (gpu_reset), clears the focus, and forgets the last stop and all findings. Breakpoints,
 * settings and the launch that `run` repeats stay. */
void debug_reset(struct debug *d);

/* Returns a counter that rises whenever the machine's state may have changed: runs, assignments, launches. */
uint64_t debug_changes(const struct debug *d);

/* ---- settings that matter to texts and stepping; a face's `set` writes them directly ---- */
/* The source whose lines `next`, `list` and stops show. AUTO: the CUDA line that .loc names where it can be read, judged line by line, else the
 * PTX; CUDA: also where it can't be read, PTX only where there is no .loc. */
enum debug_lines { DEBUG_LINES_AUTO, DEBUG_LINES_CUDA, DEBUG_LINES_PTX };
/* Launches at whose beginning the machine stops: none, those of the program, or also those made by kernels. */
enum debug_break_on_launch { DEBUG_LAUNCHES_NONE, DEBUG_LAUNCHES_APPLICATION, DEBUG_LAUNCHES_ALL };
/* A breakpoint where nothing is yet: an error, kept for what is loaded later, or that only while nothing is loaded or a program loads. */
enum debug_pending { DEBUG_PENDING_AUTO, DEBUG_PENDING_ON, DEBUG_PENDING_OFF };
/* Which warps run when a command moves the focused one: all, that one alone in steps, or that one alone in every command. */
enum debug_locking { DEBUG_LOCKING_OFF, DEBUG_LOCKING_STEP, DEBUG_LOCKING_ON };
struct debug_settings {
	enum debug_break_on_launch break_on_launch;
	enum debug_pending pending;
	bool breaks_on_exit; /* stop when a program is about to end */
	enum debug_locking locking;
	bool steps_stop_all; /* breakpoints of other warps stop steps of the focused warp */
	enum debug_lines lines;	 /* default AUTO; debug_lines_set changes it */
	uint32_t print_elements; /* array elements shown before "...", default 200, 0: no limit */
	bool print_address;	 /* addresses are shown in front of what they point to; default true */
	bool print_pretty;	 /* a line for each member of a structure */
	uint32_t print_repeats;	 /* as gdb: this many equal elements are shown as `V <repeats N times>`, default 10 */
	uint32_t list_lines;	 /* lines of one `list`, default 10 */
	uint32_t table_rows;	 /* rows of long tables before "... N more", default 1000; 0: no limit */
	bool demangle;		 /* default true */
	uint32_t width;		 /* columns that tables and diagrams fit in; 0: no limit */
	bool on_terminal;	 /* output is a terminal: focus lines longer than `width` are broken */
	bool color;		 /* the terminal has colours */
	bool holds_printf;	 /* printf's output is held back until the device is idle (debug_hold_printf) */
	bool stops_at_loads; /* loads of a program's modules stop the machine with DEBUG_STOP_NONE, so that the face can place breakpoints */
	bool is_confined;    /* the running command comes from a client on another machine: debug_may_reach_host */
	char source_path[512]; /* colon-separated folders where CUDA sources are looked for; "" */
};
/* Returns the settings, which a face's `set` writes directly. */
struct debug_settings *debug_settings(struct debug *d);
/* Returns true if the running command may touch programs and files of the host. Returns false, with an error in `why` that begins with `what`, while
 * settings.is_confined is true. */
bool debug_may_reach_host(const struct debug *d, const char *what, struct text *why);
/* Passes printf output that isn't held back to host.output, or drops it if that is NULL, and prints the device's log with debug_print. */
void debug_flush_output(struct debug *d);
/* Empties the printf buffer of a context, or of all contexts for GPU_EVERY_CONTEXT, as CUDA does at a synchronisation, and calls
 * debug_flush_output. Adds a note if output was lost because the buffer was full. */
void debug_flush_printf(struct debug *d, uint32_t context);
/* Sets whether printf output is held back until the device is idle. Flushes the printf buffers if that changes the setting. */
void debug_hold_printf(struct debug *d, bool on);
/* Sets a limit of the device in every context. `limit` is the row in gpu/device/device_limits.def. Returns false, with an error in `why`, if the value is
 * outside the row's range. */
bool debug_limit_set(struct debug *d, unsigned limit, uint64_t value, struct text *why);
/* Sets which source lines are shown. If the setting changes, the file last listed or stopped in is forgotten. */
void debug_lines_set(struct debug *d, enum debug_lines lines);

/* ---- stops ---- */
enum debug_reason {
	DEBUG_STOP_NONE,     /* nothing ran and nothing is to be reported */
	DEBUG_STOP_LAUNCHED, /* `launch`: stands before its first instruction (catch launch is a CATCHPOINT) */
	DEBUG_STOP_BREAKPOINT,
	DEBUG_STOP_WATCHPOINT,
	DEBUG_STOP_CATCHPOINT,
	DEBUG_STOP_STEPPED,	/* a step of any kind, finish, until, advance ended where it should */
	DEBUG_STOP_CYCLE,	/* run-to-cycle reached it */
	DEBUG_STOP_KERNEL_DONE, /* the device is idle: all kernels have finished */
	DEBUG_STOP_EXCEPTION,
	DEBUG_STOP_DEADLOCK,
	DEBUG_STOP_LIMIT,
	DEBUG_STOP_INTERRUPTED,
	DEBUG_STOP_BEGINNING, /* steps back: there is nothing earlier */
	DEBUG_STOP_CHECKER, /* in front of what a checker found */
	DEBUG_STOP_EXITING, /* the program that is debugged is about to end */
	DEBUG_STOP_ENDED /* the program that is debugged (program.h) */
};

#define DEBUG_STOP_HITS_MAX 16

/* The reason why the machine has stopped. The focus has already been moved as the manual says. */
struct debug_stop {
	enum debug_reason reason;
	uint32_t n_hits,
		hits[DEBUG_STOP_HITS_MAX]; /* numbers of the break/watch/catchpoints that stopped it; [0] is reported */
	uint8_t lanes[DEBUG_STOP_HITS_MAX]; /* of watchpoints: who is reported to have done it, in the focus' warp */
	bool temporary;			    /* the reported breakpoint was temporary and is deleted */
	bool has_thread;		    /* launch, uid, pc say who and where; else the machine as a whole */
	uint32_t launch, pc;		    /* pc: instruction index */
	uint64_t uid;
	uint64_t cycle;
	uint64_t changes; /* gpu_changes at the stop */
	bool polls;	  /* DEADLOCK: warps or streams wait for memory, so that a change of memory may end it */
	enum exec_fault_kind fault; /* EXCEPTION */
	uint64_t address;	    /* WATCHPOINT: watched address (generic) for the stub */
	int status;	  /* what `--batch` ends with because of this stop: 0, 3 exception, 4 deadlock or limit */
	int program_status; /* ENDED: the program's exit status, 128 + N if signal N has ended it */
	bool is_signalled;  /* ENDED: a signal has ended it */
	struct text text; /* the reason: one or more lines, each with its newline */
	struct report *details; /* what the text says, as members of the stop's JSON; NULL: nothing more than the other fields. Owned */
};
/* Initialises a stop to DEBUG_STOP_NONE with empty text. */
void debug_stop_init(struct debug_stop *s);
/* Returns the stop's details for adding members to them. Creates them if there are none. */
struct report *debug_stop_details(struct debug_stop *s);
/* Frees the text of a stop and clears the stop. */
void debug_stop_free(struct debug_stop *s);

/* Appends the report of a stop: its text, the line of the present focus, and the source line of the focused thread unless that thread has exited. For
 * DEBUG_STOP_ENDED appends the text alone, for DEBUG_STOP_NONE nothing. */
void debug_stop_report(struct debug *d, const struct debug_stop *s, struct text *out);

/* Adds a stop to the report's open object: `reason`, `number`, `cycle`, `text`, `focus` and what else the reason has (docs/manual/json.md). Cycle
 * and focus are the present ones. */
void debug_stop_describe(struct debug *d, const struct debug_stop *s, struct report *r);

/* Appends a failure in one line without its newline: `kernel 1 scale failed with Warp Illegal Address at app.ptx:71 (app.cu:4)`. Of a deadlock or
 * limit appends the first line of the stop's text after the kernel in focus; without a kernel appends that line alone. */
void debug_failure_text(struct debug *d, const struct debug_stop *s, struct text *out);

/* Returns the last completed stop, valid until the next one. Returns NULL before the first stop and after debug_reset. */
const struct debug_stop *debug_last_stop(const struct debug *d);

/* A command that answers: adds its answer to a report. `args` is what was typed behind the command's name, never NULL. Returns false with a line in
 * `why` if it fails. */
typedef bool debug_answer_fn(struct debug *d, const char *args, struct report *answer, struct text *why);
/* Runs a command and appends its answer as text of settings.width columns. Returns false, with a line in `why`, if the command fails; what it
 * answered before is appended, too. */
bool debug_answer_text(struct debug *d, debug_answer_fn *fn, const char *args, struct text *out, struct text *why);
#endif
